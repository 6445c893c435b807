"""Who takes the hits."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play


def hit(anti_tank=2, firepower=6):
    return {"anti_tank": anti_tank, "firepower": firepower}


def team(name, kind="infantry", **given):
    return {"id": name, "kind": kind, **given}


def allocate(hits, *targets, priority=None):
    return play("allocate_hits", hits=hits, targets=list(targets), priority_type=priority)


@pytest.mark.rule("FOW-ALLOC-04", "FOW-RULING-16")
def test_one_hit_a_team_and_round():
    found = allocate([hit()] * 5, team("a"), team("b"))
    assert found == {"allocation": {"a": [0, 2, 4], "b": [1, 3]}, "order": ["a", "b"], "priority_used": False}


@pytest.mark.rule("FOW-ALLOC-01")
def test_the_owner_orders_his_teams_as_he_likes():
    assert allocate([hit()], team("b"), team("a"))["allocation"] == {"b": [0], "a": []}


@pytest.mark.rule("FOW-ALLOC-05")
def test_teams_within_16_come_first_before_anything_else():
    found = allocate([hit()] * 2, team("far", "tank", within_16=False), team("near", bulletproof=True), team("also"), priority="tank")
    assert found["order"] == ["also", "near", "far"] and found["priority_used"] is True


@pytest.mark.rule("FOW-ALLOC-06")
def test_the_priority_type_gets_hits_first():
    found = allocate([hit()], team("a"), team("truck", "transport"), priority="transport")
    assert found == {"allocation": {"a": [], "truck": [0]}, "order": ["truck", "a"], "priority_used": True}
    assert allocate([hit()], team("a"), priority="tank")["priority_used"] is False


@pytest.mark.rule("FOW-ALLOC-07")
def test_man_packed_guns_among_infantry_are_no_priority_for_firepower_5_or_6():
    teams = team("a"), team("mortar", "man_packed_gun")
    assert allocate([hit(firepower=4)], *teams, priority="man_packed_gun")["order"] == ["mortar", "a"]
    assert allocate([hit(firepower=5)], *teams, priority="man_packed_gun")["order"] == ["a", "mortar"]
    assert allocate([hit(firepower=6)], *teams, priority="man_packed_gun")["priority_used"] is False
    assert allocate([hit(firepower=4), hit(firepower=5)], *teams, priority="man_packed_gun")["priority_used"] is False  # any hit
    alone = team("truck", "transport"), team("mortar", "man_packed_gun")
    assert allocate([hit(firepower=6)], *alone, priority="man_packed_gun")["priority_used"] is True  # no infantry there


@pytest.mark.rule("FOW-ALLOC-11")
def test_teams_out_of_cover_come_before_teams_in_it():
    assert allocate([hit()], team("a", bulletproof=True), team("b"))["order"] == ["b", "a"]


@pytest.mark.rule("FOW-ALLOC-12")
def test_teams_in_cover_get_the_best_anti_tank():
    found = allocate([hit(2), hit(9)], team("a", bulletproof=True), team("b"))
    assert found["allocation"] == {"a": [1], "b": [0]}


@pytest.mark.rule("FOW-ALLOC-08")
def test_armour_gets_the_best_anti_tank_then_cover_then_the_rest():
    found = allocate([hit(2), hit(5), hit(11)], team("a"), team("b", bulletproof=True), team("t", "tank", armour=6))
    assert found["order"] == ["a", "t", "b"]
    assert found["allocation"] == {"a": [0], "b": [1], "t": [2]}


@pytest.mark.rule("FOW-ALLOC-08")
def test_equal_anti_tank_goes_by_the_number_of_the_hit():
    found = allocate([hit(11), hit(11), hit(2)], team("t", "tank", armour=6), team("a"), team("u", "tank", armour=8))
    assert found["allocation"] == {"t": [0], "u": [1], "a": [2]}


@pytest.mark.rule("FOW-ALLOC-03")
def test_operational_vehicles_before_the_others():
    found = allocate([hit()], team("out", "tank", armour=1, operational=False), team("fit", "tank", armour=6))
    assert found["order"] == ["fit", "out"]


@pytest.mark.rule("FOW-ALLOC-10")
def test_less_armoured_vehicles_before_better_armoured_none_before_0():
    vehicles = team("six", "tank", armour=6), team("zero", "tank", armour=0), team("truck", "transport"), team("three", "tank", armour=3)
    assert allocate([hit()], *vehicles)["order"] == ["truck", "zero", "three", "six"]


@pytest.mark.rule("FOW-RULING-16")
def test_vehicles_change_places_among_themselves_only():
    # Places 0, 2 and 3 belong to vehicles: 6, 3 and 1 become 1, 3 and 6; the foot teams stay where the owner put them.
    teams = team("six", "tank", armour=6), team("a"), team("three", "tank", armour=3), team("one", "tank", armour=1), team("b")
    assert allocate([hit()], *teams)["order"] == ["one", "a", "three", "six", "b"]


@pytest.mark.rule("FOW-RULING-16")
def test_vehicles_in_different_groups_do_not_change_places():
    teams = team("six", "tank", armour=6), team("one", "tank", armour=1, within_16=False)
    assert allocate([hit()], *teams)["order"] == ["six", "one"]


def test_no_hits_at_all():
    assert allocate([], team("a"))["allocation"] == {"a": []}
    assert allocate([]) == {"allocation": {}, "order": [], "priority_used": False}


def test_what_cannot_be_allocated():
    assert_refused("allocate_hits", "two teams", hits=[hit()], targets=[team("a"), team("a")])
    assert_refused("allocate_hits", "target", hits=[hit()], targets=[])
    assert_refused("allocate_hits", "hits", hits=[hit()] * 10_001, targets=[team("a")])
    assert_refused("allocate_hits", "firepower", hits=[hit(firepower=9)], targets=[team("a")])


@pytest.mark.rule("FOW-ALLOC-09")
def test_the_tank_type_is_named_for_hits_that_come_up_5_or_6():
    assert play("tank_type_choice", [4, 5, 6, 1], hits=4) == {"chosen": 2, "rolls": [4, 5, 6, 1]}
    assert play("tank_type_choice", [], hits=0) == {"chosen": 0, "rolls": []}


# -- under a template ---------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ART-21", "FOW-AIR-12", "FOW-RULING-23")
def test_under_a_template_not_dug_in_first_then_lower_top_armour_one_hit_each():
    teams = [
        {"id": "dug", "dug_in": True},
        {"id": "two", "armour_top": 2},
        {"id": "zero", "armour_top": 0},
        {"id": "foot"},
        {"id": "too"},
    ]
    assert play("template_allocation", hits=3, teams=teams) == {"allocation": ["foot", "too", "zero"]}
    assert play("template_allocation", hits=9, teams=teams) == {"allocation": ["foot", "too", "zero", "two", "dug"]}
    assert play("template_allocation", hits=0, teams=teams) == {"allocation": []}
    assert_refused("template_allocation", "two teams", hits=1, teams=[{"id": "a"}, {"id": "a"}])
