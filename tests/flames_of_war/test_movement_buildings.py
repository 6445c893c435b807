"""Going into and out of buildings."""

from __future__ import annotations

import pytest

from sandtable.field.shapes import Pose
from sandtable.field.terrain import Opening
from sandtable.games.flames_of_war.battle import Moved
from sandtable.games.flames_of_war.buildings import check_room, openings_of_side, room_inside
from sandtable.games.flames_of_war.movement import carry_out, contact_route, movement_step, plan_route
from sandtable.games.flames_of_war.routes import WentThrough

from .boards import DEFAULT, STAY, assert_refused, at, board, building, cavalry, go, gun, infantry, platoon, play, tank, truck, way, wood

# A house of 6 x 6 inches; its south door is at (13, 10), its west door at (10, 13).
HOUSE = building(10, 10, 16, 16, "house")
AT_DOOR = 10 - 0.625 - 0.1


def step(battle, team, *points, mode="move", facing=None, dice=()):
    def run(table):
        return carry_out(table, team, plan_route(battle, team, way(*points, facing=facing), mode))

    return play(run, battle, dice=dice)


@pytest.mark.rule("FOW-BLDG-05", "FOW-BLDG-03")
def test_infantry_enters_only_by_an_opening_it_touches_when_its_move_starts():
    touching = board(HOUSE, platoon("p", infantry(13, AT_DOOR)))
    done = step(touching, "p_1", (12, 14))
    assert at(done.battle, "p_1") == (12, 14)
    assert done.battle.teams["p_1"].building == "house"
    beside = board(HOUSE, platoon("p", infantry(17.5, 8)))
    assert_refused("FOW-BLDG-05", plan_route, beside, "p_1", way((12, 14)), "move")


@pytest.mark.rule("FOW-BLDG-05", "FOW-RULING-69")
def test_or_by_one_that_a_friend_touched_when_the_movement_step_began_if_it_can_reach_it():
    battle = board(HOUSE, platoon("p", infantry(13, 6), infantry(13, AT_DOOR), infantry(30, 6)))
    opened = play(movement_step, battle, answers=["done"]).battle
    assert openings_of_side(battle, "a") == ("house#1",)
    from msgspec.structs import replace

    known = replace(battle, doorways=openings_of_side(battle, "a"))
    assert opened.phase == "movement_end"
    plan = plan_route(known, "p_1", way((13, 13)), "move")
    assert (plan.building, plan.opening) == ("house", "house#1")
    assert plan.length == pytest.approx(13_000 - 6000 - 3000 - 625, abs=20)  # to the door; inside it is placed anywhere
    assert_refused("FOW-MOVE-02", plan_route, known, "p_3", way((13, 13)), "move")  # too far from the door
    assert_refused("FOW-BLDG-05", plan_route, battle, "p_1", way((13, 13)), "move")  # nobody touched it


@pytest.mark.rule("FOW-RULING-69", "FOW-BLDG-05")
def test_a_team_that_enters_is_placed_anywhere_free_inside_and_its_move_ends():
    battle = board(HOUSE, platoon("p", infantry(13, AT_DOOR), infantry(12, 14, building="house")))
    assert plan_route(battle, "p_1", way((14.9, 15.3)), "move").length == 0  # a far corner costs nothing
    assert_refused("FOW-BLDG-01", plan_route, battle, "p_1", way((12, 14.2)), "move")  # taken
    plan = plan_route(battle, "p_1", way((14.9, 11)), "move")
    assert plan.path[-1] == (14_900, 11_000)


@pytest.mark.rule("FOW-BLDG-04")
def test_one_team_a_step_through_one_opening():
    battle = board(HOUSE, platoon("p", infantry(13, AT_DOOR), infantry(13, AT_DOOR - 1.3)))
    played = play(
        movement_step,
        battle,
        answers=["p:move", ["p_1", "p_2"], go((12, 14)), lambda request: STAY],
    )
    assert played.said(WentThrough) == [WentThrough("p_1", "house#1")]
    assert played.battle.passages == ("house#1",)
    assert_refused("FOW-BLDG-04", plan_route, played.battle, "p_2", way((14, 12)), "move")


@pytest.mark.rule("FOW-BLDG-04")
def test_a_wide_opening_serves_as_many_as_fit_whole():
    gate = Opening((11_000, 10_000), (15_000, 10_000), 180)  # 4 inches: three bases of 1.25
    house = building(10, 10, 16, 16, "house", openings=(gate,))
    battle = board(house, platoon("p", infantry(13, AT_DOOR)))
    from msgspec.structs import replace

    plan_route(replace(battle, passages=("house#0", "house#0")), "p_1", way((12, 14)), "move")
    assert_refused("FOW-BLDG-04", plan_route, replace(battle, passages=("house#0",) * 3), "p_1", way((12, 14)), "move")


@pytest.mark.rule("FOW-BLDG-06")
def test_infantry_leaves_by_an_opening_and_is_measured_from_it():
    battle = board(HOUSE, platoon("p", infantry(15, 15, building="house")))
    plan = plan_route(battle, "p_1", way((13, 4)), "move")  # 11 from where it stands, 6 from the south door
    assert plan.length == 6000
    assert plan.path[0] == (13_000, 10_000)
    assert (plan.building, plan.opening) == ("", "house#1")
    assert_refused("FOW-MOVE-02", plan_route, battle, "p_1", way((13, 3.8)), "move")
    done = step(battle, "p_1", (13, 6))
    assert done.battle.teams["p_1"].building == ""
    assert at(done.battle, "p_1") == (13, 6)


@pytest.mark.rule("FOW-BLDG-06", "FOW-BLDG-03")
def test_nobody_walks_through_walls():
    one_door = building(10, 10, 16, 16, "house", openings=(Opening((12_500, 10_000), (13_500, 10_000), 180),))
    battle = board(one_door, platoon("p", infantry(13, 14.5, building="house"), infantry(13, 20)))
    assert_refused("FOW-BLDG-06", plan_route, battle, "p_1", way((13, 19)), "move")  # the door is on the other side
    refused = assert_refused("FOW-BLDG-05", plan_route, battle, "p_2", way((13, 16.2)), "move")
    assert refused.arguments["furthest"][1] == pytest.approx(16_625, abs=12)


@pytest.mark.rule("FOW-BLDG-07")
def test_cavalry_must_dismount_first():
    battle = board(HOUSE, platoon("p", cavalry(13, AT_DOOR)))
    assert_refused("FOW-BLDG-07", plan_route, battle, "p_1", way((13, 13)), "move")
    played = play(movement_step, battle, answers=["p:move", ["p_1"], go((13, 13))])
    assert played.battle.teams["p_1"].building == "house"


@pytest.mark.rule("FOW-BLDG-08")
def test_only_tracked_fully_armoured_vehicles_drive_in_anywhere_with_a_skill_test():
    battle = board(HOUSE, platoon("p", tank(11.5, 5), tank(20, 5, fully_armoured=False), truck(25, 5), skill="regular"))
    done = step(battle, "p_1", (11.5, 12), dice=[4])  # no opening there
    assert done.battle.teams["p_1"].building == "house"
    assert step(battle, "p_1", (11.5, 12), dice=[3]).battle.teams["p_1"].bogged
    half = board(HOUSE, platoon("p", tank(11.5, 5, fully_armoured=False)))
    assert_refused("FOW-BLDG-08", plan_route, half, "p_1", way((11.5, 12)), "move")
    lorry = board(HOUSE, platoon("p", truck(13, 5)))
    assert_refused("FOW-BLDG-08", plan_route, lorry, "p_1", way((13, 12)), "move")
    assert_refused("FOW-BLDG-08", plan_route, lorry, "p_1", way((13, 9.5)), "move")  # nor into the wall


@pytest.mark.rule("FOW-BLDG-09")
def test_man_packed_guns_enter_like_infantry_other_guns_neither_in_nor_out():
    packed = board(HOUSE, platoon("p", gun(13, 8.6, mobility="man_packed_gun")))
    plan_route(packed, "p_1", way((13, 13)), "move")
    heavy = board(HOUSE, platoon("p", gun(13, 8.6), gun(13, 13, building="house")))
    assert_refused("FOW-BLDG-09", plan_route, heavy, "p_1", way((13, 13)), "move")
    assert_refused("FOW-BLDG-09", plan_route, heavy, "p_2", way((13, 8)), "move")


@pytest.mark.rule("FOW-BLDG-01")
def test_a_building_holds_as_many_as_fit_one_if_it_is_too_small_for_any():
    hut = building(10, 10, 11, 11, "hut")
    battle = board(hut, platoon("p", infantry(10.5, 9.3), infantry(10.5, 11.7)))
    done = step(battle, "p_1", (10.5, 10.5))
    assert done.battle.teams["p_1"].building == "hut"
    assert_refused("FOW-BLDG-01", plan_route, done.battle, "p_2", way((10.4, 10.6)), "move")
    crowd = board(
        HOUSE, platoon("p", *(infantry(11 + 2 * i, 11 + 1.3 * j, building="house") for i in range(3) for j in range(4)), infantry(30, 30))
    )
    assert room_inside(crowd, crowd.teams["p_13"], HOUSE) is None  # twelve of 2 x 1.25 in 6 x 6
    assert_refused("FOW-BLDG-01", check_room, crowd, crowd.teams["p_13"], Pose(13_000, 16_200, 0), HOUSE)


@pytest.mark.rule("FOW-BLDG-02")
def test_no_moving_at_the_double_into_out_of_or_in_a_building():
    battle = board(HOUSE, platoon("p", infantry(13, AT_DOOR), infantry(13, 14, building="house")))
    for team, goal in (("p_1", (12, 14)), ("p_2", (13, 2)), ("p_2", (12, 13))):
        assert_refused("FOW-BLDG-02", plan_route, battle, team, way(goal), "double")
    assert plan_route(battle, "p_2", way((12, 13)), "move").hardest == "very_difficult"


@pytest.mark.rule("FOW-RULING-69", "FOW-ASLT-13")
def test_charging_a_building_ends_at_an_opening_and_breaking_in_goes_through_it():
    battle = board(HOUSE, platoon("p", infantry(13, 6.5), infantry(14, 7)), platoon("e", infantry(13, 14, building="house"), side="b"))
    route = contact_route(battle, "p_1", "e_1")
    assert route is not None
    charged = play(lambda table: carry_out(table, "p_1", plan_route(battle, "p_1", route, "charge", target="e")), battle)
    assert at(charged.battle, "p_1") == pytest.approx((13, 10 - 0.625), abs=0.05)
    other = contact_route(charged.battle, "p_2", "e_1")
    assert other is None or other.path[-1][0] != 13_000  # one team each opening
    inside = plan_route(charged.battle, "p_1", way((12, 11)), "break_in", target="e")
    assert inside.building == "house"
    assert_refused("FOW-BLDG-05", plan_route, charged.battle, "p_2", way((12, 11)), "break_in", target="e")


def test_moving_inside_a_building_needs_no_opening():
    battle = board(HOUSE, wood(0, 0, 5, 5), platoon("p", infantry(12, 12, building="house")))
    done = step(battle, "p_1", (14, 15))
    assert done.said(Moved)[0].building == "house"
    played = play(movement_step, battle, answers=["p:move", DEFAULT])
    assert at(played.battle, "p_1") == (12, 12)
