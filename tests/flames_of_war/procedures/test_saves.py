"""Saves: armour, teams, passengers, riders, warriors, pinning."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play, trace


def armour(faces, armour=6, anti_tank=10, firepower=4, **given):
    return play("armour_save", faces, armour=armour, anti_tank=anti_tank, firepower=firepower, **given)


@pytest.mark.rule("FOW-SAVE-01", "FOW-SAVE-02")
def test_5_and_armour_6_is_11_higher_than_10_nothing_happens():
    assert armour([5]) == {
        "roll": 5,
        "total": 11,
        "comparison": "higher",
        "firepower_passed": None,
        "result": "no_effect",
        "abandoned": False,
        "rolls": [5],
    }


@pytest.mark.rule("FOW-SAVE-03")
def test_equal_and_firepower_passed_is_bailed_out():
    assert armour([4, 4]) == {
        "roll": 4,
        "total": 10,
        "comparison": "equal",
        "firepower_passed": True,
        "result": "bailed_out",
        "abandoned": False,
        "rolls": [4, 4],
    }


@pytest.mark.rule("FOW-SAVE-03")
def test_equal_and_firepower_failed_is_nothing():
    found = armour([4, 3])
    assert (found["comparison"], found["firepower_passed"], found["result"]) == ("equal", False, "no_effect")


@pytest.mark.rule("FOW-SAVE-04")
def test_lower_and_firepower_passed_is_destroyed():
    found = armour([3, 4])
    assert (found["comparison"], found["firepower_passed"], found["result"]) == ("lower", True, "destroyed")


@pytest.mark.rule("FOW-SAVE-04")
def test_lower_and_firepower_failed_is_bailed_out():
    found = armour([3, 3])
    assert (found["comparison"], found["firepower_passed"], found["result"]) == ("lower", False, "bailed_out")


@pytest.mark.rule("FOW-SAVE-01")
def test_beyond_16_inches_one_more():
    assert armour([4], long_range=True)["total"] == 11
    assert armour([3, 3], long_range=True)["comparison"] == "equal"  # 3 + 6 + 1 = 10


@pytest.mark.rule("FOW-RULING-28")
def test_firepower_1_needs_no_die():
    found = armour([3], firepower=1)
    assert (found["firepower_passed"], found["result"], found["rolls"]) == (True, "destroyed", [3])


@pytest.mark.rule("FOW-BAIL-02", "FOW-RULING-13")
@pytest.mark.parametrize("state", ["bailed_out", "bogged"])
def test_a_bailed_out_or_bogged_vehicle_that_would_bail_out_tests_motivation(state):
    lost = armour([3, 3, 3], motivation="confident", **{state: True})
    assert (lost["result"], lost["abandoned"], lost["rolls"]) == ("destroyed", True, [3, 3, 3])
    kept = armour([3, 3, 4], motivation="confident", **{state: True})
    assert (kept["result"], kept["abandoned"]) == ("bailed_out", False)


@pytest.mark.rule("FOW-BAIL-02")
def test_no_motivation_test_where_nobody_would_bail_out():
    assert armour([5], bailed_out=True, motivation="confident")["result"] == "no_effect"
    killed = armour([3, 4], bailed_out=True, motivation="confident")
    assert (killed["result"], killed["abandoned"]) == ("destroyed", False)


@pytest.mark.rule("FOW-IND-04")
def test_the_commander_lets_the_crew_try_again():
    assert armour([3, 3, 3, 4], bailed_out=True, motivation="confident", commander_joined=True)["result"] == "bailed_out"
    assert armour([3, 3, 3, 3], bailed_out=True, motivation="confident", commander_joined=True)["abandoned"] is True


def test_what_an_armour_save_needs():
    assert_refused("armour_save", "`motivation`", armour=6, anti_tank=12, firepower=6, bogged=True)
    assert_refused("armour_save", "armour", armour=-1, anti_tank=12, firepower=6)
    assert_refused("armour_save", "armour", armour=None, anti_tank=12, firepower=6)
    assert_refused("armour_save", "anti_tank", armour=1, anti_tank=-1, firepower=6)


def test_the_trace_of_an_armour_save():
    die, look_up = trace("armour_save", [5], armour=6, anti_tank=10, firepower=4, long_range=True)
    assert [(part.label, part.amount) for part in die.modifiers] == [("modifier.armour", 6), ("modifier.armour_long_range", 1)]
    assert (look_up.chart, look_up.value, look_up.rule) == ("armour_results", "no_effect", "FOW-SAVE-02")


# -- teams without armour -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "needed"),
    [
        pytest.param("infantry", 3, marks=pytest.mark.rule("FOW-SAVE-07")),
        pytest.param("gun", 5, marks=pytest.mark.rule("FOW-SAVE-08")),
        pytest.param("heavy_machine_gun", 5, marks=pytest.mark.rule("FOW-SAVE-08")),
        pytest.param("unarmoured_vehicle", 5, marks=pytest.mark.rule("FOW-SAVE-06")),
        pytest.param("cavalry", 3, marks=pytest.mark.rule("FOW-RULING-50")),
    ],
)
def test_saves_of_teams(target, needed):
    assert play("team_save", [needed], target=target) == {
        "result": "no_effect",
        "saved": True,
        "firepower_passed": None,
        "rolls": [needed],
    }
    assert play("team_save", [needed - 1], target=target) == {
        "result": "destroyed",
        "saved": False,
        "firepower_passed": None,
        "rolls": [needed - 1],
    }


@pytest.mark.rule("FOW-SAVE-09")
@pytest.mark.parametrize("target", ["infantry", "gun", "heavy_machine_gun"])
def test_cover_asks_for_firepower_after_a_failed_save(target):
    assert play("team_save", [2, 4], target=target, firepower=5, bulletproof=True) == {
        "result": "no_effect",
        "saved": False,
        "firepower_passed": False,
        "rolls": [2, 4],
    }
    assert play("team_save", [2, 5], target=target, firepower=5, bulletproof=True)["result"] == "destroyed"
    assert play("team_save", [6], target=target, firepower=5, bulletproof=True)["saved"] is True
    assert play("team_save", [2], target=target, firepower=1, bulletproof=True)["firepower_passed"] is True


@pytest.mark.rule("FOW-SAVE-09", "FOW-RULING-50")
@pytest.mark.parametrize("target", ["unarmoured_vehicle", "cavalry"])
def test_vehicles_and_horses_have_no_use_for_cover(target):
    found = play("team_save", [2], target=target, firepower=6, bulletproof=True)
    assert (found["result"], found["firepower_passed"]) == ("destroyed", None)


def test_firepower_6_is_what_counts_if_nothing_is_said():
    assert play("team_save", [1, 5], target="infantry", bulletproof=True)["result"] == "no_effect"
    assert_refused("team_save", "target", target="armoured")


# -- passengers, riders, warriors ---------------------------------------------------------------------------------


@pytest.mark.rule("FOW-PASS-01", "FOW-PASS-04")
def test_passengers_survive_on_5_and_their_platoon_is_pinned():
    assert play("passenger_save", [5, 4, 6], passengers=3) == {"survivors": 2, "eliminated": 1, "platoon_pinned": True, "rolls": [5, 4, 6]}
    assert play("passenger_save", [], passengers=0)["platoon_pinned"] is True


@pytest.mark.rule("FOW-PASS-03")
def test_each_passenger_saves_against_each_result_until_one_fails():
    # First: 5 5 lives. Second: 4 is enough to lose him. Third: 6 then 1.
    found = play("passenger_save", [5, 5, 4, 6, 1], passengers=3, destroyed_results=2)
    assert found == {"survivors": 1, "eliminated": 2, "platoon_pinned": True, "rolls": [5, 5, 4, 6, 1]}


@pytest.mark.rule("FOW-PASS-02")
def test_passengers_with_nowhere_to_go_are_lost():
    found = play("passenger_save", [], passengers=3, can_dismount=False)
    assert found == {"survivors": 0, "eliminated": 3, "platoon_pinned": True, "rolls": []}


@pytest.mark.rule("FOW-PASS-05", "FOW-RULING-20")
def test_tank_riders_save_on_5_for_every_hit():
    assert play("tank_rider_save", [5, 6, 5, 4], riders=2, hits=2) == {"survivors": 1, "eliminated": 1, "rolls": [5, 6, 5, 4]}
    assert play("tank_rider_save", [4], riders=1) == {"survivors": 0, "eliminated": 1, "rolls": [4]}
    assert play("tank_rider_save", [], riders=2, hits=0) == {"survivors": 2, "eliminated": 0, "rolls": []}


@pytest.mark.parametrize(
    ("form", "saved", "lost"),
    [
        pytest.param("tank", "takes_over_tank", "dies", marks=pytest.mark.rule("FOW-WAR-02")),
        pytest.param("infantry", "other_team_removed", "warrior_removed", marks=pytest.mark.rule("FOW-WAR-03")),
        pytest.param("transported", "unharmed", "destroyed", marks=pytest.mark.rule("FOW-WAR-04")),
    ],
)
def test_warriors_save_on_4(form, saved, lost):
    assert play("warrior_save", [4], form=form) == {"survives": True, "effect": saved, "rolls": [4]}
    assert play("warrior_save", [3], form=form) == {"survives": False, "effect": lost, "rolls": [3]}


@pytest.mark.rule("FOW-RULING-61")
def test_a_warrior_without_a_replacement_is_lost_without_a_die():
    assert play("warrior_save", [], form="tank", replacement_in_command=False) == {"survives": False, "effect": "dies", "rolls": []}
    assert play("warrior_save", [], form="infantry", replacement_in_command=False)["effect"] == "warrior_removed"


@pytest.mark.rule("FOW-RULING-19")
def test_a_carried_warrior_needs_no_replacement():
    assert play("warrior_save", [4], form="transported", replacement_in_command=False)["effect"] == "unharmed"


# -- pinning ------------------------------------------------------------------------------------------------------


def pinned(attack, hits, **given):
    return play("pinning_check", attack=attack, hits=hits, **given) == {"pinned": True}


@pytest.mark.rule("FOW-PIN-01")
def test_five_hits_of_direct_fire_pin():
    assert pinned("direct", 5) and not pinned("direct", 4)


@pytest.mark.rule("FOW-ART-24", "FOW-RULING-25")
def test_one_hit_of_artillery_pins():
    assert pinned("artillery", 1) and not pinned("artillery", 0)


@pytest.mark.rule("FOW-AIR-14")
def test_one_hit_from_the_air_pins():
    assert pinned("air", 1) and not pinned("air", 0)


@pytest.mark.rule("FOW-PIN-03")
def test_armour_is_never_pinned():
    assert not pinned("direct", 50, all_armoured=True) and not pinned("artillery", 3, all_armoured=True)


@pytest.mark.rule("FOW-IND-08")
def test_an_independent_team_on_its_own_is_never_pinned():
    assert not pinned("air", 3, independent_alone=True)


def test_odd_numbers():
    assert_refused("pinning_check", "hits", attack="direct", hits=-1)
    assert_refused("pinning_check", "hits", attack="direct", hits=10_001)
    assert_refused("passenger_save", "passengers", passengers=-1)
    assert_refused("passenger_save", "passengers", passengers=10**9)
    assert_refused("tank_rider_save", "hits", riders=1, hits=10**9)
