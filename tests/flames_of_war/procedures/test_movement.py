"""Movement, bogging, towing, command, digging in."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play


def allowance(mobility, *terrain, **given):
    return play("movement_allowance", mobility=mobility, terrain=list(terrain), **given)


def refused(reason):
    return {"allowed": False, "inches": 0, "cm": 0, "reason": reason}


# -- allowances ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-MOVE-02")
def test_a_truck_makes_16_on_the_road_and_8_across_country():
    assert allowance("wheeled", "road") == {"allowed": True, "inches": 16, "cm": 40, "reason": "ok"}
    assert allowance("wheeled", "cross_country") == {"allowed": True, "inches": 8, "cm": 20, "reason": "ok"}


@pytest.mark.rule("FOW-MOVE-03")
def test_the_hardest_terrain_of_the_move_counts():
    assert allowance("half_tracked", "road", "difficult", "cross_country")["inches"] == 4
    assert allowance("half_tracked", "cross_country", "road")["inches"] == 12


@pytest.mark.rule("FOW-RULING-06", "FOW-BOG-02")
def test_very_difficult_terrain_uses_the_difficult_column_for_those_who_may_enter():
    assert allowance("tracked", "very_difficult") == {"allowed": True, "inches": 8, "cm": 20, "reason": "ok"}
    assert allowance("infantry", "very_difficult")["inches"] == 6
    assert allowance("cavalry", "very_difficult")["inches"] == 10
    assert allowance("man_packed_gun", "very_difficult")["inches"] == 6


@pytest.mark.rule("FOW-RULING-06", "FOW-BOG-02")
@pytest.mark.parametrize("mobility", ["half_tracked", "jeep", "wheeled", "horse_drawn", "wagon", "light_gun", "medium_gun", "heavy_gun"])
def test_nobody_else_may_enter_very_difficult_terrain(mobility):
    assert allowance(mobility, "road", "very_difficult") == refused("very_difficult_forbidden")


@pytest.mark.rule("FOW-MOVE-14")
def test_immobile_guns_do_not_move_whatever_else_is_wrong():
    assert allowance("immobile_gun", "road") == refused("immobile")
    assert allowance("immobile_gun", "very_difficult", at_the_double=True) == refused("immobile")


@pytest.mark.rule("FOW-DBL-01")
def test_at_the_double_doubles_tracked_12_to_24():
    assert allowance("tracked", "cross_country", at_the_double=True) == {"allowed": True, "inches": 24, "cm": 60, "reason": "ok"}


@pytest.mark.rule("FOW-DBL-05", "FOW-BLDG-02")
def test_no_double_into_difficult_or_very_difficult_terrain():
    assert allowance("infantry", "cross_country", "difficult", at_the_double=True) == refused("no_double_in_rough")
    assert allowance("infantry", "very_difficult", at_the_double=True) == refused("no_double_in_rough")
    assert allowance("wheeled", "very_difficult", at_the_double=True) == refused("very_difficult_forbidden")  # checked first


@pytest.mark.rule("FOW-PIN-02", "FOW-PIN-03")
def test_pinned_teams_do_not_double_but_armour_ignores_it():
    assert allowance("infantry", "road", at_the_double=True, pinned=True) == refused("pinned_no_double")
    assert allowance("tracked", "road", at_the_double=True, pinned=True, armoured=True)["inches"] == 24
    assert allowance("infantry", "road", pinned=True)["inches"] == 6
    assert allowance("infantry", "difficult", at_the_double=True, pinned=True) == refused("no_double_in_rough")  # checked first


@pytest.mark.rule("FOW-TRN-09", "FOW-RULING-52")
def test_a_jeep_that_tows_makes_6_at_most_also_at_the_double():
    assert allowance("jeep", "road", towing_gun=True) == {"allowed": True, "inches": 6, "cm": 15, "reason": "ok"}
    assert allowance("jeep", "road", towing_gun=True, at_the_double=True)["inches"] == 6
    assert allowance("jeep", "difficult", towing_gun=True)["inches"] == 4  # 4 is less than 6
    assert allowance("half_tracked", "road", towing_gun=True)["inches"] == 16  # only jeeps


@pytest.mark.rule("FOW-RULING-01")
def test_centimetres_are_two_and_a_half_an_inch():
    assert allowance("light_gun", "road")["cm"] == 10
    assert allowance("cavalry", "road", at_the_double=True)["cm"] == 50


def along(mobility, *segments, **given):
    return play("move_along", mobility=mobility, segments=[{"terrain": t, "inches": i} for t, i in segments], **given)


@pytest.mark.rule("FOW-MOVE-03")
def test_a_half_track_with_3_of_road_has_1_left_for_the_wood():
    # 4 in difficult terrain for the whole move: 3 + 1 = 4.
    assert along("half_tracked", ("road", 3), ("difficult", 5)) == {"inches_moved": 4, "stopped": "out_of_movement"}


@pytest.mark.rule("FOW-MOVE-04")
def test_a_half_track_that_has_come_6_stops_at_the_edge_of_the_wood():
    assert along("half_tracked", ("road", 6), ("difficult", 1)) == {"inches_moved": 6, "stopped": "at_edge"}


@pytest.mark.rule("FOW-MOVE-04")
def test_exactly_4_moved_is_not_more_than_4_but_leaves_nothing():
    assert along("half_tracked", ("road", 4), ("difficult", 1)) == {"inches_moved": 4, "stopped": "out_of_movement"}


@pytest.mark.rule("FOW-MOVE-03")
def test_the_allowance_never_grows_again():
    # 2 of wood caps the move at 4, so of the 10 of road only 2 are left.
    assert along("half_tracked", ("difficult", 2), ("road", 10)) == {"inches_moved": 4, "stopped": "out_of_movement"}


def test_a_move_that_fits_is_completed():
    assert along("tracked", ("road", 7.5), ("cross_country", 4.5)) == {"inches_moved": 12, "stopped": "completed"}
    assert along("tracked") == {"inches_moved": 0, "stopped": "completed"}


@pytest.mark.rule("FOW-MOVE-07")
def test_the_way_really_gone_counts_5_out_and_5_back_are_10_of_12():
    assert along("tracked", ("road", 5), ("road", 5), ("road", 5)) == {"inches_moved": 12, "stopped": "out_of_movement"}


def test_tenths_of_an_inch_add_up_exactly():
    assert along("tracked", *[("road", 0.1)] * 120) == {"inches_moved": 12, "stopped": "completed"}


def test_forbidden_terrain_stops_at_its_edge():
    assert along("wheeled", ("road", 5), ("very_difficult", 1)) == {"inches_moved": 5, "stopped": "forbidden"}
    assert along("infantry", ("road", 5), ("difficult", 1), at_the_double=True) == {"inches_moved": 5, "stopped": "forbidden"}
    assert along("jeep", ("road", 10), towing_gun=True) == {"inches_moved": 6, "stopped": "out_of_movement"}


# -- bogging and towing -------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-BOG-01")
def test_vehicles_bog_on_a_1_in_difficult_terrain():
    assert play("bogging_check", [1], mobility="wheeled", terrain="difficult") == {"result": "bogged", "rolls": [1]}
    assert play("bogging_check", [2], mobility="tracked", terrain="difficult") == {"result": "passed", "rolls": [2]}


@pytest.mark.rule("FOW-BOG-01")
@pytest.mark.parametrize("terrain", ["road", "cross_country"])
def test_no_check_on_good_ground(terrain):
    assert play("bogging_check", [], mobility="wheeled", terrain=terrain) == {"result": "no_check", "rolls": []}


@pytest.mark.rule("FOW-BOG-02")
def test_tracked_vehicles_take_a_skill_test_in_very_difficult_terrain():
    assert play("bogging_check", [3], mobility="tracked", terrain="very_difficult", skill="regular") == {"result": "bogged", "rolls": [3]}
    assert play("bogging_check", [4], mobility="tracked", terrain="very_difficult", skill="regular")["result"] == "passed"
    assert_refused("bogging_check", "`skill`", mobility="tracked", terrain="very_difficult")
    assert play("bogging_check", [2], mobility="tracked", terrain="difficult", skill=None)["result"] == "passed"


@pytest.mark.rule("FOW-BOG-02", "FOW-RULING-06")
def test_other_vehicles_may_not_try_it():
    assert play("bogging_check", [], mobility="half_tracked", terrain="very_difficult") == {"result": "forbidden", "rolls": []}


@pytest.mark.rule("FOW-BOG-03")
@pytest.mark.parametrize("gun", ["light_gun", "medium_gun", "heavy_gun"])
def test_guns_check_like_vehicles(gun):
    assert play("bogging_check", [1], mobility=gun, terrain="difficult")["result"] == "bogged"


@pytest.mark.rule("FOW-BOG-04")
@pytest.mark.parametrize("terrain", ["difficult", "very_difficult"])
@pytest.mark.parametrize("mobility", ["infantry", "cavalry", "man_packed_gun"])
def test_men_and_horses_never_check(mobility, terrain):
    assert play("bogging_check", [], mobility=mobility, terrain=terrain) == {"result": "no_check", "rolls": []}


@pytest.mark.rule("FOW-BOG-07")
def test_towed_guns_do_not_check():
    assert play("bogging_check", [], mobility="heavy_gun", terrain="difficult", towed=True) == {"result": "no_check", "rolls": []}
    assert play("bogging_check", [], mobility="immobile_gun", terrain="very_difficult", towed=True)["result"] == "no_check"


@pytest.mark.rule("FOW-START-02")
def test_a_bogged_vehicle_is_freed_by_a_skill_test():
    assert play("free_bogged", [5], skill="conscript") == {"result": "freed", "rolls": [5]}
    assert play("free_bogged", [4], skill="conscript") == {"result": "still_bogged", "rolls": [4]}


def tow(faces=(), **given):
    return play("recovery_tow", list(faces), **given)


@pytest.mark.rule("FOW-TOW-03")
def test_a_recovery_vehicle_needs_no_die_on_good_ground_and_2_plus_in_difficult_terrain():
    freed = {"result": "freed", "tower_bogged": False}
    assert tow(recovery_vehicle=True, terrain="road", skill="conscript") == freed | {"rolls": []}
    assert tow([2], recovery_vehicle=True, terrain="difficult", skill="conscript") == freed | {"rolls": [2]}
    assert tow([4], recovery_vehicle=True, terrain="very_difficult", skill="regular") == freed | {"rolls": [4]}


@pytest.mark.rule("FOW-RULING-07")
def test_a_failed_tow_leaves_the_target_and_bogs_the_tower_in_bad_ground():
    failed = {"result": "not_freed", "tower_bogged": True}
    assert tow([1], recovery_vehicle=True, terrain="difficult") == failed | {"rolls": [1]}
    assert tow([3], recovery_vehicle=True, terrain="very_difficult", skill="regular") == failed | {"rolls": [3]}
    assert tow([3], recovery_vehicle=False, terrain="difficult", skill="regular") == failed | {"rolls": [3]}
    assert tow([3], recovery_vehicle=False, terrain="cross_country", skill="regular") == failed | {"tower_bogged": False, "rolls": [3]}


@pytest.mark.rule("FOW-TOW-05")
def test_any_other_vehicle_takes_a_skill_test_in_any_terrain():
    freed = {"result": "freed", "tower_bogged": False}
    assert tow([3], recovery_vehicle=False, terrain="road", skill="veteran") == freed | {"rolls": [3]}
    assert tow([3], recovery_vehicle=False, terrain="difficult", skill="veteran") == freed | {"rolls": [3]}


@pytest.mark.rule("FOW-TOW-05")
def test_a_bigger_target_needs_a_recovery_vehicle():
    not_allowed = {"result": "not_allowed", "tower_bogged": False, "rolls": []}
    assert tow(recovery_vehicle=False, terrain="road", skill="veteran", target_same_or_smaller=False) == not_allowed
    assert tow(recovery_vehicle=True, terrain="road", skill="veteran", target_same_or_smaller=False)["result"] == "freed"


@pytest.mark.rule("FOW-TOW-02")
def test_a_bogged_or_bailed_out_tower_tows_nobody():
    assert tow(recovery_vehicle=True, terrain="road", tower_bogged=True) == {"result": "not_allowed", "tower_bogged": True, "rolls": []}
    assert tow(recovery_vehicle=True, terrain="road", tower_bailed_out=True) == {
        "result": "not_allowed",
        "tower_bogged": False,
        "rolls": [],
    }


# -- command ------------------------------------------------------------------------------------------------------


def command(skill, leader, **teams):
    listed = []
    for name, place in teams.items():
        x, y, *traits = place
        listed.append({"id": name, "x": x, "y": y, **dict.fromkeys(traits, True)})
    return play("in_command", skill=skill, leader=leader, teams=listed)


@pytest.mark.rule("FOW-CMD-01", "FOW-CMD-02")
def test_the_chain_of_regular_infantry_has_links_of_4_inches():
    found = command("regular", "lead", a=(8, 0), lead=(0, 0), b=(4, 0), c=(12.1, 0))
    assert found == {"in_command": ["a", "lead", "b"], "out_of_command": ["c"], "isolated_groups": [["c"]]}


@pytest.mark.rule("FOW-CMD-01", "FOW-RULING-45")
def test_veteran_tanks_have_8_inches_between_tanks_but_6_to_anybody_else():
    assert command("veteran", "lead", lead=(0, 0, "tank"), a=(8, 0, "tank"))["out_of_command"] == []
    assert command("veteran", "lead", lead=(0, 0, "tank"), a=(8, 0))["out_of_command"] == ["a"]
    assert command("veteran", "lead", lead=(0, 0, "tank"), a=(6, 0))["out_of_command"] == []
    assert command("conscript", "lead", lead=(0, 0), a=(2, 0), b=(4.01, 0))["out_of_command"] == ["b"]


@pytest.mark.rule("FOW-CMD-02")
def test_transports_are_in_command_but_pass_nothing_on():
    found = command("regular", "lead", lead=(0, 0), truck=(4, 0, "transport"), far=(8, 0), lost=(12, 0, "transport"))
    assert found == {"in_command": ["lead", "truck"], "out_of_command": ["far", "lost"], "isolated_groups": [["far"]]}


@pytest.mark.rule("FOW-TGT-04")
def test_teams_out_of_command_form_groups():
    found = command("conscript", "lead", x=(20, 0), lead=(0, 0), p=(40, 0), y=(22, 0), q=(42, 0), t=(21, 0, "transport"))
    assert found["out_of_command"] == ["x", "p", "y", "q", "t"]
    assert found["isolated_groups"] == [["x", "y"], ["p", "q"]]


def test_distance_is_as_the_crow_flies_3_4_5():
    assert command("regular", "lead", lead=(0, 0), a=(3, 4))["out_of_command"] == ["a"]  # 5 > 4
    assert command("veteran", "lead", lead=(0, 0), a=(3, 4))["out_of_command"] == []  # 5 <= 6


def test_bad_platoons():
    assert_refused("in_command", "leader", skill="regular", leader="x", teams=[{"id": "a", "x": 0, "y": 0}])
    assert_refused("in_command", "two teams", skill="regular", leader="a", teams=[{"id": "a", "x": 0, "y": 0}] * 2)
    assert_refused("in_command", "x", skill="regular", leader="a", teams=[{"id": "a", "x": float("nan"), "y": 0}])
    assert_refused("movement_allowance", "terrain", mobility="tracked", terrain=[])
    assert_refused("move_along", "inches", mobility="tracked", segments=[{"terrain": "road", "inches": -1}])
    assert_refused("move_along", "inches", mobility="tracked", segments=[{"terrain": "road", "inches": float("nan")}])


@pytest.mark.rule("FOW-RULING-14")
def test_digging_in_is_a_skill_test():
    assert play("dig_in", [4], skill="regular") == {"result": "dug_in", "rolls": [4]}
    assert play("dig_in", [3], skill="regular") == {"result": "failed", "rolls": [3]}
