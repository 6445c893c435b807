"""Ranging in, templates, bombardments, smoke."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play, trace

# -- ranging in ---------------------------------------------------------------------------------------------------


def ranging(faces, target_skill="regular", **given):
    return play("range_in", faces, target_skill=target_skill, **given)


@pytest.mark.rule("FOW-ART-13")
def test_three_attempts_the_first_success_counts():
    assert ranging([3]) == {"ranged_in": True, "attempt": 1, "failed_attempts": 0, "needed": 3, "rolls": [3]}
    assert ranging([2, 3]) == {"ranged_in": True, "attempt": 2, "failed_attempts": 1, "needed": 3, "rolls": [2, 3]}
    assert ranging([2, 2, 3]) == {"ranged_in": True, "attempt": 3, "failed_attempts": 2, "needed": 3, "rolls": [2, 2, 3]}
    assert ranging([2, 2, 2]) == {"ranged_in": False, "attempt": 0, "failed_attempts": 3, "needed": 3, "rolls": [2, 2, 2]}


@pytest.mark.rule("FOW-ART-14", "FOW-RULING-04")
def test_cover_and_the_company_commander_make_it_harder():
    assert ranging([2], "conscript")["needed"] == 2
    assert ranging([4], "veteran")["needed"] == 4
    assert ranging([4], concealed=True)["needed"] == 4
    assert ranging([5], concealed=True, gone_to_ground=True)["needed"] == 5
    assert ranging([4], company_commander_spotting=True)["needed"] == 4
    assert ranging([6], concealed=True, gone_to_ground=True, company_commander_spotting=True)["needed"] == 6
    assert ranging([3], gone_to_ground=True)["needed"] == 3  # only together with concealed


@pytest.mark.rule("FOW-RULING-28")
def test_7_plus_is_not_tried_veteran_4_and_three_times_1():
    given = {"concealed": True, "gone_to_ground": True, "company_commander_spotting": True}
    assert ranging([], "veteran", **given) == {"ranged_in": False, "attempt": 0, "failed_attempts": 3, "needed": 7, "rolls": []}


@pytest.mark.rule("FOW-ART-15", "FOW-RULING-35")
def test_a_repeat_salvo_needs_no_ranging_and_has_no_penalty():
    assert ranging([], "veteran", repeat_salvo=True) == {"ranged_in": True, "attempt": 1, "failed_attempts": 0, "needed": 4, "rolls": []}


@pytest.mark.rule("FOW-RKT-03")
def test_launchers_seen_by_their_smoke_trail_count_as_concealed():
    assert ranging([4], smoke_trail_only=True)["needed"] == 4
    assert ranging([4], smoke_trail_only=True, concealed=True)["needed"] == 4  # once


@pytest.mark.rule("FOW-AIR-08")
def test_aircraft_range_in_with_cover_alone():
    assert ranging([3], attack="air", company_commander_spotting=True, smoke_trail_only=True)["needed"] == 3
    assert ranging([5], attack="air", concealed=True, gone_to_ground=True)["needed"] == 5


def test_the_trace_of_ranging_in():
    (roll,) = trace("range_in", [6], target_skill="regular", concealed=True)
    assert [(part.label, part.amount) for part in roll.modifiers] == [("chart.range_in", 3), ("modifier.concealed", 1)]


# -- hits ---------------------------------------------------------------------------------------------------------


def template(faces, guns=4, failed_attempts=0, targets=2, **given):
    return play("template_hits", faces, skill="regular", guns=guns, failed_attempts=failed_attempts, targets=targets, **given)


@pytest.mark.rule("FOW-ART-17")
def test_a_skill_test_a_team_3_to_5_guns_roll_once():
    assert template([4, 3]) == {
        "needed": 4,
        "reroll": "none",
        "hits": 1,
        "target_hits": [True, False],
        "template": "single",
        "rolls": [4, 3],
    }


@pytest.mark.rule("FOW-ART-17", "FOW-RULING-04")
def test_failed_ranging_attempts_make_it_harder_by_2_at_most():
    assert template([5, 4], failed_attempts=1)["needed"] == 5
    assert template([6, 5], failed_attempts=2)["needed"] == 6
    assert template([6, 5], failed_attempts=3)["needed"] == 6


@pytest.mark.rule("FOW-ART-18")
def test_six_guns_roll_misses_again():
    found = template([3, 4, 4], guns=6)
    assert (found["reroll"], found["target_hits"], found["rolls"]) == ("failed", [True, True], [3, 4, 4])


@pytest.mark.rule("FOW-ART-19")
def test_two_guns_must_roll_hits_again():
    found = template([4, 3, 2], guns=2)
    assert (found["reroll"], found["target_hits"], found["needed"]) == ("passed", [False, False], 4)


@pytest.mark.rule("FOW-ART-20")
def test_a_single_gun_needs_one_more_besides():
    found = template([5, 5, 4], guns=1)
    assert (found["needed"], found["reroll"], found["target_hits"]) == (5, "passed", [True, False])


@pytest.mark.rule("FOW-RULING-28")
def test_one_gun_that_ranged_in_late_cannot_hit():
    # 4 + 2 + 1 = 7
    assert template([], guns=1, failed_attempts=2) == {
        "needed": 7,
        "reroll": "passed",
        "hits": 0,
        "target_hits": [False, False],
        "template": "single",
        "rolls": [],
    }


@pytest.mark.rule("FOW-RKT-01")
def test_rockets_have_no_ranging_penalty():
    assert template([4, 3], failed_attempts=2, weapon="rocket")["needed"] == 4


@pytest.mark.rule("FOW-RKT-02")
def test_six_launchers_have_a_wide_template_instead_of_another_roll():
    found = template([4, 3], guns=6, weapon="rocket")
    assert (found["reroll"], found["template"]) == ("none", "double_width")
    assert template([4, 3], guns=5, weapon="rocket")["template"] == "single"
    assert template([5, 5, 4], guns=1, weapon="rocket")["needed"] == 5


# -- bombardments -------------------------------------------------------------------------------------------------


def tank(name, **given):
    return {"id": name, "save": "armoured", "armour_top": 1, **given}


def foot(name, **given):
    return {"id": name, "save": "infantry", **given}


def bombard(faces, *teams, **given):
    given = {
        "skill": "regular",
        "guns": 4,
        "anti_tank": 4,
        "firepower": 4,
        "target_skill": "regular",
        "target_motivation": "confident",
    } | given
    return play("bombardment", faces, teams=list(teams), **given)


@pytest.mark.rule("FOW-ART-22", "FOW-ART-24", "FOW-RULING-23")
def test_a_bombardment_step_by_step():
    # Ranging 3+: 2, 3: second attempt. To hit 4 + 1 = 5: 5 4 6: two hits. Foot before tank: b then c, a is spared.
    # b saves on 3. c: no armour, 2 fails: destroyed.
    found = bombard([2, 3, 5, 4, 6, 3, 2], tank("a"), foot("b"), foot("c"))
    assert found == {
        "ranged_in": True,
        "attempt": 2,
        "needed_range": 3,
        "needed_hit": 5,
        "hits": 2,
        "allocation": ["b", "c"],
        "states": {"a": "unhurt", "b": "unhurt", "c": "destroyed"},
        "destroyed": 1,
        "bailed_out": 0,
        "pinned": True,
    }


@pytest.mark.rule("FOW-ART-22", "FOW-RULING-40")
def test_tanks_save_on_top_armour():
    # Hit on 4. Armour 2 + 1 = 3 < 4, firepower 4: destroyed. A 4 + 1 = 5 > 4 would save.
    assert bombard([3, 4, 2, 4], tank("a"))["states"] == {"a": "destroyed"}
    assert bombard([3, 4, 4], tank("a"))["states"] == {"a": "unhurt"}
    assert bombard([3, 4, 3, 4], tank("a"))["states"] == {"a": "bailed_out"}  # 3 + 1 = 4, equal


@pytest.mark.rule("FOW-RULING-13", "FOW-BAIL-02")
def test_a_bailed_out_tank_under_fire_tests_motivation():
    assert bombard([3, 4, 3, 4, 3], tank("a", bailed_out=True))["states"] == {"a": "destroyed"}
    kept = bombard([3, 4, 3, 4, 3, 4], tank("a", bailed_out=True), commander_joined=True)
    assert kept["states"] == {"a": "bailed_out"} and kept["bailed_out"] == 1


@pytest.mark.rule("FOW-ART-23", "FOW-RULING-60")
def test_dug_in_teams_are_destroyed_only_by_firepower():
    assert bombard([3, 4, 2, 3], foot("a", dug_in=True))["states"] == {"a": "unhurt"}
    assert bombard([3, 4, 2, 4], foot("a", dug_in=True))["states"] == {"a": "destroyed"}
    assert bombard([3, 4, 2, 3], foot("a", bulletproof=True))["states"] == {"a": "unhurt"}
    gun = {"id": "g", "save": "gun", "dug_in": True}
    assert bombard([3, 4, 4, 3], gun)["states"] == {"g": "unhurt"}
    truck = {"id": "t", "save": "unarmoured_vehicle"}
    assert bombard([3, 4, 4], truck)["states"] == {"t": "destroyed"}
    assert bombard([3, 4, 5], truck)["states"] == {"t": "unhurt"}


@pytest.mark.rule("FOW-ART-21")
def test_hits_go_to_teams_that_are_not_dug_in_and_to_thin_roofs_first():
    found = bombard([3, 4, 1, 1, 6], foot("dug", dug_in=True), tank("two", armour_top=2), tank("one"))
    assert found["allocation"] == ["one"]


@pytest.mark.rule("FOW-PIN-03")
def test_an_armoured_platoon_is_not_pinned_a_mixed_one_is():
    assert bombard([3, 4, 6], tank("a"))["pinned"] is False
    assert bombard([3, 4, 1, 6], tank("a", armour_top=0), foot("b"))["pinned"] is True


@pytest.mark.rule("FOW-RULING-25")
def test_under_the_template_but_not_hit_is_not_pinned():
    assert bombard([3, 1], foot("a"))["pinned"] is False


@pytest.mark.rule("FOW-TRN-08")
def test_towed_guns_are_not_hit():
    # One die only, for the tower.
    found = bombard([3, 4, 5], {"id": "gun", "save": "gun", "towed": True}, {"id": "truck", "save": "unarmoured_vehicle"})
    assert found["allocation"] == ["truck"] and found["states"] == {"gun": "unhurt", "truck": "unhurt"}
    alone = bombard([3], {"id": "gun", "save": "gun", "towed": True})
    assert (alone["hits"], alone["states"], alone["pinned"]) == (0, {"gun": "unhurt"}, False)


@pytest.mark.rule("FOW-TRN-08", "FOW-PIN-03")
def test_a_towed_gun_still_makes_the_platoon_one_that_can_be_pinned():
    found = bombard([3, 4, 6], tank("a"), {"id": "gun", "save": "gun", "towed": True, "bailed_out": True})
    assert found["pinned"] is True
    assert (found["states"], found["bailed_out"]) == ({"a": "unhurt", "gun": "bailed_out"}, 1)


@pytest.mark.rule("FOW-ART-13")
def test_a_battery_that_does_not_range_in_does_not_fire():
    assert bombard([2, 2, 2], foot("a"), tank("b", bailed_out=True)) == {
        "ranged_in": False,
        "attempt": 0,
        "needed_range": 3,
        "needed_hit": None,
        "hits": 0,
        "allocation": [],
        "states": {"a": "unhurt", "b": "bailed_out"},
        "destroyed": 0,
        "bailed_out": 1,
        "pinned": False,
    }


@pytest.mark.rule("FOW-ART-15", "FOW-RKT-01", "FOW-RKT-02")
def test_salvoes_rockets_and_spotters_reach_the_smaller_procedures():
    assert bombard([4, 3], foot("a"), repeat_salvo=True, concealed=True)["needed_range"] == 4
    assert bombard([2, 2, 3, 3], foot("a"), weapon="rocket", guns=6)["needed_hit"] == 4  # 3 misses, no second roll
    assert bombard([4, 3], foot("a"), company_commander_spotting=True)["needed_range"] == 4
    assert bombard([4, 3], foot("a"), smoke_trail_only=True)["needed_range"] == 4
    assert bombard([5, 3], foot("a"), concealed=True, gone_to_ground=True)["needed_range"] == 5


def test_bombardments_that_cannot_be():
    ok = {"skill": "regular", "guns": 4, "anti_tank": 4, "firepower": 4, "target_skill": "regular"}
    assert_refused("bombardment", "two teams", teams=[foot("a"), foot("a")], **ok)
    assert_refused("bombardment", "guns", teams=[foot("a")], **ok | {"guns": 0})
    assert_refused("bombardment", "teams", teams=[foot(str(n)) for n in range(201)], **ok)
    assert_refused("bombardment", "weapon", teams=[foot("a")], weapon="catapult", **ok)
    assert_refused("template_hits", "guns", skill="regular", guns=0, failed_attempts=0, targets=1)
    assert_refused("template_hits", "targets", skill="regular", guns=1, failed_attempts=0, targets=-1)


# -- smoke --------------------------------------------------------------------------------------------------------


def smoke(faces, guns, **given):
    return play("smoke_bombardment", faces, guns=guns, target_skill="regular", **given)


@pytest.mark.rule("FOW-SMK-04", "FOW-SMK-05", "FOW-RULING-33")
def test_smoke_by_the_number_of_guns_and_the_wind_where_there_are_more_templates():
    assert smoke([3], 2) == {"ranged_in": True, "attempt": 1, "templates": 1, "wind_degrees": None, "rolls": [3]}
    assert smoke([2, 3, 1], 3) == {"ranged_in": True, "attempt": 2, "templates": 2, "wind_degrees": 0, "rolls": [2, 3, 1]}
    assert smoke([3, 4], 5)["wind_degrees"] == 180
    assert smoke([3, 6], 6) == {"ranged_in": True, "attempt": 1, "templates": 3, "wind_degrees": 300, "rolls": [3, 6]}


@pytest.mark.rule("FOW-SMK-02")
def test_smoke_is_ranged_in_normally():
    nothing = {"ranged_in": False, "attempt": 0, "templates": 0, "wind_degrees": None}
    assert smoke([2, 2, 2], 6) == nothing | {"rolls": [2, 2, 2]}
    assert smoke([5, 1], 3, concealed=True, gone_to_ground=True)["ranged_in"] is True
    assert smoke([4, 4, 4], 3, concealed=True, gone_to_ground=True)["ranged_in"] is False
    assert smoke([3, 3, 3], 3, company_commander_spotting=True)["ranged_in"] is False
    assert smoke([3, 3, 3], 3, smoke_trail_only=True)["ranged_in"] is False


@pytest.mark.rule("FOW-SMK-03")
def test_there_is_no_repeat_salvo_of_smoke():
    assert_refused("smoke_bombardment", "unknown field", guns=3, target_skill="regular", repeat_salvo=True)


@pytest.mark.rule("FOW-RULING-49")
def test_one_gun_lays_no_smoke():
    assert smoke([], 1) == {"ranged_in": False, "attempt": 0, "templates": 0, "wind_degrees": None, "rolls": []}
