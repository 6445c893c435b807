"""Routes on the map: length, terrain, other teams, at the double, leaving the table."""

from __future__ import annotations

import pytest

from sandtable.games.flames_of_war.battle import Bogged, Destroyed, LeftTable, Moved, Turned
from sandtable.games.flames_of_war.movement import carry_out, plan_route
from sandtable.games.flames_of_war.routes import plan_turn
from sandtable.kernel.errors import RefusedError

from .boards import (
    FLAK38,
    HULL_75,
    apart,
    area,
    armoured_car,
    assert_refused,
    at,
    board,
    building,
    cavalry,
    gun,
    hedge,
    infantry,
    marsh,
    platoon,
    play,
    river,
    road,
    tank,
    truck,
    wall,
    way,
    wood,
    wreck,
)

# -- how far ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-MOVE-02")
@pytest.mark.parametrize(
    ("team", "inches"),
    [(tank, 12), (armoured_car, 8), (infantry, 6), (cavalry, 10), (gun, 2), (lambda x, y: gun(x, y, mobility="light_gun"), 4)],
)
def test_a_team_moves_as_far_as_the_chart_says_across_country(team, inches):
    battle = board(platoon("p", team(10, 10)))
    plan = plan_route(battle, "p_1", way((10, 10 + inches)), "move")
    assert (plan.length, plan.allowed) == (inches * 1000, inches * 1000)
    refused = assert_refused("FOW-MOVE-02", plan_route, battle, "p_1", way((10, 10.1 + inches)), "move")
    assert refused.arguments["allowed"] == inches
    x, y = refused.arguments["furthest"]
    assert x == 10_000
    assert y == pytest.approx((10 + inches) * 1000, abs=5)


@pytest.mark.rule("FOW-MOVE-03")
def test_the_hardest_terrain_counts_for_the_whole_move():
    # Tracked: 12 across country, 8 in the wood; the wood begins where the front reaches y = 14.
    battle = board(wood(5, 14, 20, 30), platoon("p", tank(10, 10)))
    assert plan_route(battle, "p_1", way((10, 18)), "move").allowed == 8000
    refused = assert_refused("FOW-MOVE-03", plan_route, battle, "p_1", way((10, 19)), "move")
    assert refused.arguments["furthest"][1] == pytest.approx(18_000, abs=5)


@pytest.mark.rule("FOW-MOVE-04")
def test_a_team_that_has_gone_further_than_the_next_terrain_allows_stops_at_its_edge():
    # The front (1.3 before the centre) reaches the wood after 9 inches, and a tank goes only 8 in a wood.
    battle = board(wood(5, 20.3, 20, 30), platoon("p", tank(10, 10)))
    refused = assert_refused("FOW-MOVE-04", plan_route, battle, "p_1", way((10, 21)), "move")
    assert refused.arguments["furthest"][1] == pytest.approx(19_000, abs=10)
    assert plan_route(battle, "p_1", way((10, 18.9)), "move").checks == ()


@pytest.mark.rule("FOW-MOVE-02", "FOW-MOVE-03")
def test_a_road_counts_only_while_the_centre_stays_on_it():
    battle = board(road((10, 0), (10, 48)), platoon("p", truck(10, 5)))
    assert plan_route(battle, "p_1", way((10, 21)), "move").allowed == 16_000
    assert_refused("FOW-MOVE-04", plan_route, battle, "p_1", way((10, 15), (14, 15)), "move")  # 10 on the road, 8 off it
    assert plan_route(battle, "p_1", way((10, 11), (12, 11)), "move").length == 8000


@pytest.mark.rule("FOW-MOVE-02")
def test_a_road_leads_through_a_wood_and_over_a_river_without_a_check():
    battle = board(wood(0, 10, 20, 16), river(0, 20, 40, 24), road((10, 0), (10, 48), width=2), platoon("p", truck(10, 5), tank(14, 5)))
    plan = plan_route(battle, "p_1", way((10, 20)), "move")
    assert (plan.checks, plan.hardest) == ((), "road")
    assert_refused("FOW-MOVE-03", plan_route, battle, "p_2", way((14, 14)), "move")  # beside the road it is a wood


@pytest.mark.rule("FOW-MOVE-07", "FOW-RULING-65")
def test_the_path_of_the_centre_is_measured_not_the_straight_line():
    battle = board(platoon("p", infantry(10, 10)))
    assert plan_route(battle, "p_1", way((13, 10), (13, 13)), "move").length == 6000
    assert_refused("FOW-MOVE-02", plan_route, battle, "p_1", way((14, 10), (14, 13)), "move")  # 7 by the path, 5 straight


@pytest.mark.rule("FOW-MOVE-08", "FOW-RULING-65")
def test_turning_costs_nothing_and_gains_nothing():
    # Front and centre go the same distance: a tank that turns round at the end has still moved 12.
    battle = board(platoon("p", tank(10, 10)))
    assert plan_route(battle, "p_1", way((10, 22), facing=180), "move").length == 12_000
    assert_refused("FOW-MOVE-02", plan_route, battle, "p_1", way((10, 22.2), facing=180), "move")


@pytest.mark.rule("FOW-MOVE-06")
def test_any_direction_whatever_the_facing_and_any_facing_at_the_end():
    battle = board(platoon("p", tank(20, 20, facing=0)))
    for goal in ((20, 10), (30, 20), (10, 20), (26, 26)):
        assert plan_route(battle, "p_1", way(goal, facing=77), "move").facing == 77
    assert plan_route(battle, "p_1", way((26, 20)), "move").facing == 90


@pytest.mark.rule("FOW-MOVE-14")
def test_immobile_guns_do_not_move_but_turn():
    battle = board(platoon("p", gun(10, 10, mobility="immobile_gun")))
    assert_refused("FOW-MOVE-14", plan_route, battle, "p_1", way((10, 10.5)), "move")
    assert plan_route(battle, "p_1", way(facing=45), "move").facing == 45


@pytest.mark.rule("FOW-BAIL-01", "FOW-BOG-05")
@pytest.mark.parametrize(("state", "rule"), [("bailed_out", "FOW-BAIL-01"), ("bogged", "FOW-BOG-05")])
def test_a_bailed_out_or_bogged_vehicle_neither_moves_nor_turns(state, rule):
    battle = board(platoon("p", tank(10, 10, **{state: True})))
    assert_refused(rule, plan_route, battle, "p_1", way((10, 11)), "move")
    assert_refused(rule, plan_route, battle, "p_1", way(facing=90), "move")


# -- other teams ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-MOVE-09")
def test_friends_pass_through_each_other_but_do_not_end_on_each_other():
    battle = board(platoon("p", infantry(10, 10), infantry(10, 12), tank(10, 16)))
    assert plan_route(battle, "p_1", way((10, 13.9)), "move").length == 3900  # past p_2, short of the tank
    refused = assert_refused("FOW-MOVE-09", plan_route, battle, "p_1", way((10, 12.5)), "move")
    assert refused.arguments["other"] == "p_2"
    assert plan_route(battle, "p_3", way((10, 7)), "move").length == 9000  # a vehicle through foot teams


@pytest.mark.rule("FOW-MOVE-10", "FOW-RULING-65")
def test_a_vehicle_passes_between_vehicles_only_where_it_fits():
    # Tanks are 1.4 wide: a gap of 1.5 is enough, one of 1.3 is not.
    fits = board(platoon("p", tank(10, 10), tank(8.55, 16), tank(11.45, 16)))
    assert apart(fits, "p_2", "p_3") == pytest.approx(1.5, abs=0.01)
    plan_route(fits, "p_1", way((10, 21)), "move")
    narrow = board(platoon("p", tank(10, 10), tank(8.65, 16), tank(11.35, 16)))
    refused = assert_refused("FOW-MOVE-10", plan_route, narrow, "p_1", way((10, 21)), "move")
    assert refused.arguments["furthest"][1] == pytest.approx(13_400, abs=15)  # front to their rears: 16 - 1.3 - 1.3
    foot = board(platoon("p", infantry(10, 12), tank(8.65, 16), tank(11.35, 16)))
    plan_route(foot, "p_1", way((10, 18)), "move")


@pytest.mark.rule("FOW-MOVE-11")
def test_infantry_stays_two_inches_from_any_visible_enemy():
    # Infantry bases are 1.25 deep: with an enemy at 18 the gap is 2 when the centre is at 18 - 1.25 - 2 = 14.75.
    battle = board(platoon("p", infantry(10, 10)), platoon("e", infantry(10, 18), side="b"))
    plan_route(battle, "p_1", way((10, 14.75)), "move")
    refused = assert_refused("FOW-MOVE-11", plan_route, battle, "p_1", way((10, 14.8)), "move")
    assert refused.arguments["furthest"][1] == pytest.approx(14_750, abs=10)
    near = board(platoon("p", infantry(10, 10)), platoon("e", tank(10, 17), side="b"))
    assert_refused("FOW-MOVE-11", plan_route, near, "p_1", way((10, 14)), "move")
    battle = board(platoon("p", gun(10, 10)), platoon("e", infantry(10, 15), side="b"))
    assert_refused("FOW-MOVE-11", plan_route, battle, "p_1", way((10, 11.5)), "move")


@pytest.mark.rule("FOW-MOVE-12", "FOW-RULING-65")
def test_vehicles_drive_through_enemy_vehicles_but_do_not_end_on_them():
    battle = board(platoon("p", tank(10, 10)), platoon("e", tank(10, 15), side="b"))
    plan_route(battle, "p_1", way((10, 20)), "move")
    assert_refused("FOW-MOVE-09", plan_route, battle, "p_1", way((10, 14)), "move")


@pytest.mark.rule("FOW-MOVE-13", "FOW-RULING-65")
def test_vehicles_stay_two_inches_from_visible_infantry_guns_and_cavalry_but_not_from_tanks():
    for enemy in (infantry, gun, cavalry):
        battle = board(platoon("p", tank(10, 10)), platoon("e", enemy(10, 18), side="b"))
        assert_refused("FOW-MOVE-13", plan_route, battle, "p_1", way((10, 14.5)), "move")
        assert_refused("FOW-MOVE-13", plan_route, battle, "p_1", way((7.5, 15), (7.5, 20)), "move")  # passing by too near
        plan_route(battle, "p_1", way((5, 14), (5, 19)), "move")
    battle = board(platoon("p", tank(10, 10)), platoon("e", tank(10, 14), side="b"))
    plan_route(battle, "p_1", way((10, 11)), "move")


@pytest.mark.rule("FOW-MOVE-11", "FOW-MOVE-13", "FOW-RULING-65")
def test_an_enemy_that_is_not_visible_has_no_standoff():
    # A house 1 inch deep between them: neither sees the other.
    house = building(0, 12, 30, 13, openings=())
    battle = board(house, platoon("p", infantry(3, 8)), platoon("e", infantry(3, 14, building=""), side="b"))
    plan_route(battle, "p_1", way((3, 11.3)), "move")
    open_ground = board(platoon("p", infantry(3, 8)), platoon("e", infantry(3, 14), side="b"))
    assert_refused("FOW-MOVE-11", plan_route, open_ground, "p_1", way((3, 11.3)), "move")


@pytest.mark.rule("FOW-RULING-65")
def test_a_team_that_begins_inside_a_standoff_may_only_move_away():
    battle = board(platoon("p", infantry(10, 10)), platoon("e", infantry(10, 12.5), side="b"))
    assert apart(battle, "p_1", "e_1") < 2
    plan_route(battle, "p_1", way((10, 5)), "move")
    assert_refused("FOW-MOVE-11", plan_route, battle, "p_1", way((10, 10.3)), "move")
    assert_refused("FOW-MOVE-11", plan_route, battle, "p_1", way((10, 10.2), (14, 8)), "move")  # first nearer, then away


@pytest.mark.rule("FOW-RULING-65")
def test_enemy_infantry_and_guns_are_never_passed_through():
    # Breaking off knows no standoff, but nobody walks through enemy infantry.
    for enemy in (infantry(10, 12), gun(10, 12.8)):
        battle = board(platoon("p", infantry(10, 10)), platoon("e", enemy, side="b"))
        assert_refused("FOW-RULING-65", plan_route, battle, "p_1", way((10, 14)), "break_off")
    battle = board(platoon("p", infantry(10, 10)), platoon("e", tank(10, 12.2, facing=90), side="b"))
    plan_route(battle, "p_1", way((10, 14)), "break_off")


# -- bogging --------------------------------------------------------------------------------------------------------------


def drive(battle, team, goal, dice, mode="move"):
    return play(lambda table: carry_out(table, team, plan_route(battle, team, way(goal), mode)), battle, dice=dice)


@pytest.mark.rule("FOW-BOG-01")
def test_a_vehicle_that_enters_difficult_terrain_goes_on_with_2_and_bogs_with_1():
    battle = board(wood(5, 14, 20, 30), platoon("p", tank(10, 10)))
    goes = drive(battle, "p_1", (10, 17), [2])
    assert at(goes.battle, "p_1") == (10, 17)
    assert goes.result is True
    stuck = drive(battle, "p_1", (10, 17), [1])
    assert stuck.result is False
    assert stuck.battle.teams["p_1"].bogged


@pytest.mark.rule("FOW-BOG-01", "FOW-RULING-66")
def test_the_check_falls_at_the_edge_before_the_base_enters_and_where_it_starts_in_it():
    battle = board(wood(5, 14, 20, 30), platoon("p", tank(10, 10), tank(10, 20)))
    (check,) = plan_route(battle, "p_1", way((10, 17)), "move").checks
    assert check.at == pytest.approx(2700, abs=5)  # the front is 1.3 before the centre
    (check,) = plan_route(battle, "p_2", way((10, 24)), "move").checks
    assert check.at == 0
    assert plan_route(battle, "p_1", way((10, 12.6)), "move").checks == ()


@pytest.mark.rule("FOW-BOG-01", "FOW-RULING-66")
def test_a_tank_with_its_nose_in_the_wood_starts_in_it_wherever_it_drives():
    # It looks east, its front (1.3 ahead) in the wood from x = 11; driving north it would clear the wood.
    battle = board(wood(11, 5, 20, 30), platoon("p", tank(10, 10, facing=90)))
    (check,) = plan_route(battle, "p_1", way((10, 14)), "move").checks
    assert check.at == 0
    assert plan_route(battle, "p_1", way((10, 14)), "move").allowed == 8000


@pytest.mark.rule("FOW-BOG-05", "FOW-RULING-66")
def test_a_bogged_vehicle_stops_with_its_front_just_over_the_edge_and_remembers_the_place_before_it():
    battle = board(wood(5, 14, 20, 30), platoon("p", tank(10, 10)))
    stuck = drive(battle, "p_1", (10, 17), [1])
    x, y = at(stuck.battle, "p_1")
    assert x == 10
    assert 14 < y + 1.3 < 14.3  # the front, just over the edge
    back = stuck.battle.teams["p_1"].back
    assert back is not None
    assert back.y / 1000 + 1.3 == pytest.approx(14, abs=0.01)
    assert back.y / 1000 + 1.3 < 14
    assert stuck.battle.teams["p_1"].moved
    starts_inside = drive(board(wood(5, 5, 20, 30), platoon("p", tank(10, 10))), "p_1", (10, 17), [1])
    assert at(starts_inside.battle, "p_1") == (10, 10)


@pytest.mark.rule("FOW-BOG-01", "FOW-RULING-66")
def test_every_entry_is_a_check_and_obstacles_and_wrecks_count():
    battle = board(hedge((0, 14), (30, 14)), wall((0, 17), (30, 17)), platoon("p", tank(10, 10)))
    checks = plan_route(battle, "p_1", way((10, 18)), "move").checks
    assert [check.piece for check in checks] == ["hedge", "wall"]
    assert drive(battle, "p_1", (10, 18), [2, 1]).battle.teams["p_1"].bogged
    over_wreck = board(wreck(10, 16), platoon("p", tank(10, 10), skill="regular"))
    (check,) = plan_route(over_wreck, "p_1", way((10, 18)), "move").checks
    assert (check.going, check.piece) == ("very_difficult", "wreck")


@pytest.mark.rule("FOW-RULING-66")
@pytest.mark.parametrize("mode", ["charge", "consolidate", "break_off", "counterattack", "disengage"])
def test_bogging_is_checked_in_every_kind_of_move(mode):
    battle = board(marsh(5, 12, 20, 30), platoon("p", tank(10, 10)))
    assert drive(battle, "p_1", (10, 13), [1], mode).battle.teams["p_1"].bogged


@pytest.mark.rule("FOW-BOG-02")
def test_tracked_vehicles_try_very_difficult_terrain_with_a_skill_test_others_may_not():
    battle = board(river(0, 14, 30, 17), platoon("p", tank(10, 10), armoured_car(15, 10), skill="regular"))
    assert drive(battle, "p_1", (10, 15), [4]).result is True
    assert drive(battle, "p_1", (10, 15), [3]).battle.teams["p_1"].bogged
    refused = assert_refused("FOW-RULING-06", plan_route, battle, "p_2", way((15, 15)), "move")
    assert refused.arguments["furthest"][1] == pytest.approx(13_100, abs=10)


@pytest.mark.rule("FOW-BOG-03")
def test_guns_check_in_difficult_terrain_like_vehicles():
    for mobility in ("light_gun", "medium_gun", "heavy_gun"):
        battle = board(wood(5, 12, 20, 30), platoon("p", gun(10, 10, mobility=mobility)))
        assert drive(battle, "p_1", (10, 11.5), [1]).battle.teams["p_1"].bogged


@pytest.mark.rule("FOW-BOG-04")
def test_infantry_cavalry_and_man_packed_guns_never_check():
    for team in (infantry(10, 10), cavalry(10, 10), gun(10, 10, mobility="man_packed_gun")):
        battle = board(wood(5, 12, 20, 15), river(5, 15, 20, 18), platoon("p", team))
        assert drive(battle, "p_1", (10, 16), []).result is True


@pytest.mark.rule("FOW-BOG-07")
def test_a_towed_gun_takes_no_check_of_its_own():
    battle = board(wood(5, 12, 20, 30), platoon("p", truck(10, 10), gun(towed_by="p_1")))
    moved = drive(battle, "p_1", (10, 12.5), [2])  # one die: the truck's
    assert at(moved.battle, "p_2") == (10, 12.5)


# -- at the double ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-DBL-01")
def test_at_the_double_a_team_goes_twice_as_far():
    battle = board(platoon("p", infantry(10, 10), tank(20, 10)))
    assert plan_route(battle, "p_1", way((10, 22)), "double").allowed == 12_000
    assert_refused("FOW-DBL-01", plan_route, battle, "p_1", way((10, 22.2)), "double")
    assert plan_route(battle, "p_2", way((20, 34)), "double").length == 24_000


@pytest.mark.rule("FOW-DBL-02")
def test_at_the_double_means_straight_unless_a_road_or_an_obstacle_bends_the_way():
    battle = board(platoon("p", infantry(10, 10)))
    assert_refused("FOW-DBL-02", plan_route, battle, "p_1", way((14, 14), (10, 18)), "double")
    plan_route(battle, "p_1", way((10, 14), (10, 20)), "double")  # a point on the straight line is no bend
    bent_road = board(road((10, 0), (10, 14), (20, 14)), platoon("p", infantry(10, 10)))
    plan_route(bent_road, "p_1", way((10, 14), (16, 14)), "double")
    around = board(marsh(9, 12, 12.5, 13.5), platoon("p", infantry(10, 10)))
    plan_route(around, "p_1", way((7.9, 11.2), (7.9, 14), (10, 16)), "double")
    assert_refused("FOW-DBL-02", plan_route, around, "p_1", way((6, 12), (6, 14), (10, 16)), "double")  # not the shortest


@pytest.mark.rule("FOW-DBL-03")
def test_at_the_double_a_team_ends_facing_the_way_it_moved():
    battle = board(platoon("p", infantry(10, 10)))
    assert plan_route(battle, "p_1", way((18, 10)), "double").facing == 90
    assert_refused("FOW-DBL-03", plan_route, battle, "p_1", way((18, 10), facing=0), "double")


@pytest.mark.rule("FOW-DBL-05")
@pytest.mark.parametrize("rough", [wood(5, 14, 20, 18), hedge((0, 16), (30, 16)), river(5, 14, 20, 18), wreck(10, 16)])
def test_no_rough_ground_at_the_double(rough):
    battle = board(rough, platoon("p", infantry(10, 10)))
    assert_refused("FOW-DBL-05", plan_route, battle, "p_1", way((10, 20)), "double")
    plan_route(battle, "p_1", way((10, 16)), "move")


@pytest.mark.rule("FOW-DBL-06", "FOW-RULING-65")
def test_at_the_double_a_team_stays_more_than_8_inches_from_every_enemy_seen_or_not():
    # Bases 1.25 deep: from 10 to an enemy at 28 the gap is 28 - 10 - 1.25 = 16.75; 8.75 in the gap must be walked to come to 8.
    hidden = building(0, 22, 30, 23)
    for pieces in ((), (hidden,)):
        battle = board(*pieces, platoon("p", infantry(10, 10)), platoon("e", infantry(10, 28), side="b"))
        plan_route(battle, "p_1", way((10, 18.7)), "double")
        assert_refused("FOW-DBL-06", plan_route, battle, "p_1", way((10, 18.75)), "double")  # exactly 8 is too near
    inside = board(platoon("p", infantry(10, 20)), platoon("e", infantry(10, 26), side="b"))
    plan_route(inside, "p_1", way((10, 10)), "double")
    assert_refused("FOW-DBL-06", plan_route, inside, "p_1", way((10, 20.5)), "double")


@pytest.mark.rule("FOW-PIN-02")
def test_pinned_infantry_does_not_move_at_the_double_armour_does():
    battle = board(platoon("p", infantry(10, 10), tank(20, 10), pinned=True))
    assert_refused("FOW-PIN-02", plan_route, battle, "p_1", way((10, 18)), "double")
    plan_route(battle, "p_2", way((20, 30)), "double")


# -- pinned, reorganising, leaderless ------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-PIN-02", "FOW-RULING-53")
def test_pinned_teams_do_not_end_nearer_to_the_nearest_enemy_they_see():
    battle = board(platoon("p", infantry(10, 10), tank(14, 10), pinned=True), platoon("e", infantry(10, 30), side="b"))
    assert_refused("FOW-PIN-02", plan_route, battle, "p_1", way((10, 12)), "move")
    plan_route(battle, "p_1", way((10, 6)), "move")
    plan_route(battle, "p_1", way((10, 12.5), (10, 9.9)), "move")  # where it ends counts, not the way there
    plan_route(battle, "p_2", way((14, 14)), "move")  # armour is never pinned (FOW-PIN-03)
    hidden = board(building(0, 18, 30, 20), platoon("p", infantry(10, 10), pinned=True), platoon("e", infantry(10, 30), side="b"))
    plan_route(hidden, "p_1", way((10, 13)), "move")  # no visible enemy: no limit


@pytest.mark.rule("FOW-REC-12")
def test_reorganising_recon_neither_shows_itself_nor_comes_nearer():
    seen = board(platoon("r", armoured_car(10, 10), reorganising=True, role="recon"), platoon("e", tank(10, 40, 180), side="b"))
    assert_refused("FOW-REC-12", plan_route, seen, "r_1", way((10, 14)), "move")
    plan_route(seen, "r_1", way((10, 6)), "move")
    house = building(7, 20, 13, 24)
    hidden = board(house, platoon("r", armoured_car(10, 17), reorganising=True, role="recon"), platoon("e", tank(10, 40, 180), side="b"))
    assert_refused("FOW-REC-12", plan_route, hidden, "r_1", way((17, 17)), "move")
    plan_route(hidden, "r_1", way((10, 14)), "move")


@pytest.mark.rule("FOW-CMD-06")
def test_a_leaderless_platoon_does_not_move_unless_a_commander_leads_it():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), leader=0))
    assert_refused("FOW-CMD-06", plan_route, battle, "p_1", way((10, 12)), "move")
    assert_refused("FOW-CMD-06", plan_route, battle, "p_1", way((10, 12)), "charge")
    plan_route(battle, "p_1", way((10, 12)), "break_off")  # FOW-RULING-73
    plan_route(battle, "p_1", way(facing=90), "move")
    led = board(
        platoon("p", infantry(10, 10), infantry(13, 10), leader=0),
        platoon("hq", infantry(16, 10, traits=("company_commander",), joined="p"), role="hq"),
    )
    plan_route(led, "p_1", way((10, 12)), "move")


# -- turning ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-RULING-71")
@pytest.mark.parametrize(
    ("team", "turn", "counts"),
    [
        (gun(10, 10), 90, False),
        (gun(10, 10), 91, True),
        (gun(10, 10), 269, True),
        (tank(10, 10, weapons=(HULL_75,)), 120, True),
        (tank(10, 10), 180, False),
        (infantry(10, 10), 180, False),
        (gun(10, 10, weapons=(FLAK38,), turntable=True), 180, False),
    ],
)
def test_turning_on_the_spot_counts_as_moving_only_for_hull_weapons_and_guns_beyond_90_degrees(team, turn, counts):
    battle = board(platoon("p", team))
    done = play(lambda table: carry_out(table, "p_1", plan_route(battle, "p_1", way(facing=turn), "move")), battle)
    assert done.events == [Turned("p_1", turn, counts)]
    assert done.battle.teams["p_1"].moved is counts


@pytest.mark.rule("FOW-RULING-71")
def test_a_change_of_place_counts_in_ones_own_turn_only_and_ends_being_dug_in():
    for active, counts in (("a", True), ("b", False)):
        battle = board(platoon("p", infantry(10, 10, dug_in=True)), active=active)
        done = play(lambda table, b=battle: carry_out(table, "p_1", plan_route(b, "p_1", way((10, 8)), "break_off")), battle)
        assert done.battle.teams["p_1"].moved is counts
        assert not done.battle.teams["p_1"].dug_in


@pytest.mark.rule("FOW-MOVE-09")
def test_nobody_turns_onto_a_neighbour():
    battle = board(platoon("p", tank(10, 10), tank(11.5, 10)))
    assert_refused("FOW-MOVE-09", plan_turn, battle, battle.teams["p_1"], 90)


# -- leaving the table ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-EXIT-01")
def test_by_an_edge_of_its_own_zone_a_team_leaves_and_its_platoon_goes_on():
    battle = board(platoon("p", infantry(10, 4), infantry(13, 4)))
    done = play(lambda table: carry_out(table, "p_1", plan_route(battle, "p_1", way((10, -1)), "move")), battle)
    assert done.said(LeftTable) == [LeftTable("p_1", "left")]
    assert done.battle.teams["p_1"].fate == "left"
    assert done.battle.platoons["p"].losses == 0
    side_edge = board(platoon("p", infantry(3, 11), infantry(6, 11)))  # the west edge, still within the zone (12 deep)
    assert plan_route(side_edge, "p_1", way((-1, 11)), "move").leaves == "left"


@pytest.mark.rule("FOW-EXIT-02")
def test_by_any_other_edge_it_counts_as_destroyed():
    battle = board(platoon("p", infantry(3, 20), infantry(6, 20)))
    done = play(lambda table: carry_out(table, "p_1", plan_route(battle, "p_1", way((-1, 20)), "move")), battle)
    assert [event.team for event in done.said(Destroyed)] == ["p_1"]
    assert done.battle.platoons["p"].losses == 1


@pytest.mark.rule("FOW-EXIT-01")
def test_the_way_to_the_edge_is_measured_and_bases_do_not_hang_over_it():
    battle = board(platoon("p", infantry(10, 7)))
    assert_refused("FOW-MOVE-02", plan_route, battle, "p_1", way((10, -1)), "move")
    near = board(platoon("p", infantry(10, 3)))
    assert_refused("FOW-EXIT-01", plan_route, near, "p_1", way((10, 0.3)), "move")
    assert_refused("FOW-EXIT-01", plan_route, near, "p_1", way((10, -1)), "break_off")  # not off the table (FOW-RULING-75)


@pytest.mark.rule("FOW-EXIT-03")
def test_a_platoon_that_has_left_completely_has_left():
    battle = board(platoon("p", truck(10, 4), infantry(mounted_in="p_1")), platoon("q", infantry(30, 30)))
    done = play(lambda table: carry_out(table, "p_1", plan_route(battle, "p_1", way((10, -1)), "move")), battle)
    assert [event.team for event in done.said(LeftTable)] == ["p_2", "p_1"]  # passengers go with it
    assert done.battle.platoons["p"].left_table
    assert not done.battle.platoons["p"].destroyed


# -- assault moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-03", "FOW-RULING-75")
def test_assault_moves_are_4_inches_cavalry_charges_8_in_any_terrain():
    battle = board(wood(0, 10, 40, 30), platoon("p", infantry(10, 10), cavalry(20, 10), gun(30, 10)))
    assert plan_route(battle, "p_1", way((10, 14)), "charge").allowed == 4000
    assert_refused("FOW-ASLT-03", plan_route, battle, "p_1", way((10, 14.1)), "charge")
    plan_route(battle, "p_2", way((20, 18)), "charge")
    assert_refused("FOW-ASLT-20", plan_route, battle, "p_2", way((20, 14.1)), "consolidate")
    assert plan_route(battle, "p_3", way((30, 14)), "break_off").checks  # a gun too, though it moves 2 otherwise


@pytest.mark.rule("FOW-ASLT-05")
def test_a_charge_keeps_2_inches_from_platoons_that_are_not_the_target():
    battle = board(platoon("p", infantry(10, 10)), platoon("e", infantry(10, 14), side="b"), platoon("f", infantry(14, 12.5), side="b"))
    plan_route(battle, "p_1", way((9, 12)), "charge", target="e")
    assert_refused("FOW-ASLT-05", plan_route, battle, "p_1", way((12, 12.7)), "charge", target="e")


@pytest.mark.rule("FOW-MOVE-05")
def test_a_plan_says_where_the_team_stood_and_moved_events_follow_it():
    battle = board(platoon("p", infantry(10, 10)))
    done = play(lambda table: carry_out(table, "p_1", plan_route(battle, "p_1", way((10, 12), (12, 12), facing=10), "move")), battle)
    assert done.said(Moved) == [Moved("p_1", ((10_000, 10_000), (10_000, 12_000), (12_000, 12_000)), 10, "move", True)]
    assert done.said(Bogged) == []


def test_a_hill_and_crops_are_open_going():
    battle = board(area("hill", 0, 11, 30, 20), area("field_crops", 0, 20, 30, 30), platoon("p", tank(10, 10)))
    plan = plan_route(battle, "p_1", way((10, 22)), "move")
    assert (plan.allowed, plan.checks) == (12_000, ())


def test_a_carried_team_has_no_route_of_its_own():
    battle = board(platoon("p", truck(10, 10), infantry(mounted_in="p_1")))
    with pytest.raises(RefusedError):
        plan_route(battle, "p_2", way((10, 12)), "move")
