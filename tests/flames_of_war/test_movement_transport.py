"""Getting in and out of vehicles, towing, horses, the rear."""

from __future__ import annotations

import pytest

from sandtable.games.flames_of_war.battle import LeftTable, Moved
from sandtable.games.flames_of_war.movement import movement_end_step, movement_step, plan_route
from sandtable.games.flames_of_war.transport import Dismounted, LeftHorses, Mounted, check_carry, may_carry

from .boards import (
    DEFAULT,
    STAY,
    apart,
    assert_refused,
    at,
    board,
    building,
    cavalry,
    go,
    gun,
    infantry,
    option_ids,
    platoon,
    play,
    tank,
    truck,
    way,
    wood,
)


def aboard(battle, carrier):
    return [team.id for team in battle.passengers(carrier)]


@pytest.mark.rule("FOW-TRN-01")
def test_a_transport_carries_infantry_and_man_packed_guns_and_tows_other_guns():
    battle = board(
        platoon("p", truck(10, 10), infantry(12, 10), gun(15, 10, mobility="man_packed_gun"), gun(18, 10), tank(22, 10), cavalry(26, 10))
    )
    for team in ("p_2", "p_3", "p_4"):
        check_carry(battle, battle.teams["p_1"], battle.teams[team])
    for team in ("p_5", "p_6"):
        assert_refused("FOW-TRN-01", check_carry, battle, battle.teams["p_1"], battle.teams[team])
    played = play(movement_step, board(platoon("p", truck(10, 10), gun(10, 7.5))), answers=["p:move", ["p_2"], go((10, 10))])
    assert played.said(Mounted) == [Mounted("p_2", "p_1", towed=True)]
    assert played.battle.teams["p_2"].towed_by == "p_1"


@pytest.mark.rule("FOW-TRN-02", "FOW-TRN-04")
def test_only_of_its_own_platoon_but_independent_teams_ride_anywhere():
    battle = board(
        platoon("p", truck(10, 10), infantry(13, 10)),
        platoon("q", infantry(10, 7)),
        platoon("o", infantry(7, 10, traits=("observer",)), role="independent"),
    )
    assert_refused("FOW-TRN-02", plan_route, battle, "q_1", way((10, 10)), "move")
    assert plan_route(battle, "p_2", way((10, 10)), "move").mounts == "p_1"
    assert plan_route(battle, "o_1", way((10, 10)), "move").mounts == "p_1"


@pytest.mark.rule("FOW-TRN-03", "FOW-RULING-54")
def test_platoon_transports_have_no_limit_and_without_any_the_platoon_walks():
    riders = [infantry(mounted_in="p_1") for _ in range(8)]
    battle = board(platoon("p", truck(10, 10), *riders, infantry(12.2, 10)))
    assert may_carry(battle, battle.teams["p_1"], battle.teams["p_10"])
    walking = board(platoon("p", infantry(10, 10), infantry(13, 10)))
    played = play(movement_step, walking, answers=["p:move", DEFAULT, go((10, 16)), go((13, 16))])
    assert at(played.battle, "p_2") == (13, 16)


@pytest.mark.rule("FOW-TRN-05", "FOW-RULING-67")
def test_mounting_the_vehicle_first_then_the_passengers_and_it_may_not_move_again():
    # The truck drives up, then the team walks the 4 inches that are left and gets in.
    battle = board(platoon("p", infantry(10, 10), truck(10, 24, 180)))
    played = play(movement_step, battle, answers=["p:move", ["p_2", "p_1"], go((10, 16)), go((10, 16))])
    assert [type(event) for event in played.events if isinstance(event, Moved | Mounted)] == [Moved, Moved, Mounted]
    assert aboard(played.battle, "p_2") == ["p_1"]
    assert played.battle.teams["p_1"].moved
    assert_refused("FOW-TRN-05", plan_route, played.battle, "p_2", way((10, 20)), "move")
    too_far = board(platoon("p", infantry(10, 10), truck(10, 18.5)))
    assert_refused("FOW-MOVE-02", plan_route, too_far, "p_1", way((10, 18.5)), "move")  # 6.975 to touch it


@pytest.mark.rule("FOW-TRN-05")
def test_a_vehicle_that_takes_somebody_up_counts_as_having_moved_even_if_it_did_not():
    battle = board(platoon("p", infantry(10, 10), truck(10, 13)))
    played = play(movement_step, battle, answers=["p:move", ["p_1", "p_2"], go((10, 13))])  # p_2 is not asked any more
    assert played.battle.teams["p_2"].moved
    assert at(played.battle, "p_2") == (10, 13)


@pytest.mark.rule("FOW-TRN-06", "FOW-RULING-67")
def test_passengers_get_out_before_the_vehicle_moves_and_are_measured_from_it():
    battle = board(platoon("p", truck(10, 10), infantry(mounted_in="p_1"), infantry(mounted_in="p_1"), leader=2, skill="veteran"))
    played = play(movement_step, battle, answers=["p:move", ["p_2"], go((10, 16)), go((10, 12.5))])
    assert [type(event) for event in played.events if isinstance(event, Moved | Dismounted)] == [Dismounted, Moved, Moved]
    assert at(played.battle, "p_2") == (10, 16)
    assert played.battle.teams["p_1"].moved
    assert played.battle.teams["p_2"].moved
    assert at(played.battle, "p_3") == (10, 12.5)  # still aboard
    with pytest.raises(Exception, match="FOW-MOVE-02"):
        play(movement_step, battle, answers=["p:move", ["p_2"], go((10, 16.2))])


@pytest.mark.rule("FOW-TRN-06")
def test_an_empty_route_leaves_a_passenger_beside_the_vehicle():
    battle = board(platoon("p", truck(10, 10), infantry(mounted_in="p_1"), infantry(mounted_in="p_1"), leader=2))
    played = play(movement_step, battle, answers=["p:move", ["p_2", "p_3"], STAY, STAY, STAY])
    for team in ("p_2", "p_3"):
        assert apart(played.battle, team, "p_1") < 0.05
    assert apart(played.battle, "p_2", "p_3") >= 0


@pytest.mark.rule("FOW-TRN-06")
def test_nobody_gets_out_of_a_vehicle_that_has_moved():
    battle = board(
        platoon("t", truck(10, 10), role="transport"),
        platoon("p", infantry(mounted_in="t_1"), infantry(mounted_in="t_1")),
    )
    driven = play(movement_step, battle, answers=["t:move", go((10, 16))]).battle
    again = play(movement_step, driven).battle  # nothing left to decide: nobody may get out
    assert again.phase == "movement_end"
    first = play(movement_step, battle, answers=["p:move", ["p_1"], STAY]).battle
    assert first.teams["t_1"].moved
    assert at(play(movement_step, first, answers=["t:move", go((10, 16))]).battle, "p_2") == (10, 16)


@pytest.mark.rule("FOW-BOG-06", "FOW-PASS-06")
@pytest.mark.parametrize("state", ["bogged", "bailed_out"])
def test_passengers_get_out_of_a_bogged_or_bailed_out_vehicle(state):
    battle = board(platoon("p", tank(10, 10, **{state: True})), platoon("r", infantry(mounted_in="p_1")))
    played = play(movement_step, battle, answers=["r:move", ["r_1"], go((10, 14))])
    assert at(played.battle, "r_1") == (10, 14)


@pytest.mark.rule("FOW-TRN-07")
def test_guns_are_unhitched_before_the_tower_moves_and_move_from_there():
    battle = board(platoon("p", truck(10, 10), gun(towed_by="p_1"), skill="veteran", leader=2))
    played = play(movement_step, battle, answers=["p:move", ["p_2"], ["p_2", "p_1"], STAY, go((10, 15))])
    assert apart(played.battle, "p_1", "p_2") > 4
    assert at(played.battle, "p_2") == pytest.approx((10, 10 - 0.9 - 1.25), abs=0.02)  # right behind where the truck stood
    assert played.battle.teams["p_2"].moved
    assert played.battle.teams["p_1"].moved
    dragged = play(movement_step, battle, answers=["p:move", ["p_2"], ["p_2"], go((10, 5.9))])
    assert at(dragged.battle, "p_2") == (10, 5.9)  # two inches from where it was unhitched


@pytest.mark.rule("FOW-TRN-07")
def test_one_gun_a_vehicle():
    battle = board(platoon("p", truck(10, 10), gun(towed_by="p_1"), gun(10, 6.5)))
    assert_refused("FOW-TRN-07", plan_route, battle, "p_3", way((10, 10)), "move")


@pytest.mark.rule("FOW-TRN-09")
def test_a_jeep_that_tows_goes_6_inches_at_most():
    battle = board(platoon("p", truck(10, 10, mobility="jeep"), gun(towed_by="p_1")), platoon("q", truck(20, 10, mobility="jeep")))
    plan_route(battle, "p_1", way((10, 16)), "move")
    assert_refused("FOW-TRN-09", plan_route, battle, "p_1", way((10, 16.1)), "move")
    assert_refused("FOW-TRN-09", plan_route, battle, "p_1", way((10, 16.1)), "double")  # FOW-RULING-52
    plan_route(battle, "q_1", way((20, 22)), "move")


@pytest.mark.rule("FOW-TRN-10", "FOW-DEC-06")
def test_at_the_end_of_the_step_empty_transports_may_go_to_the_rear():
    battle = board(
        platoon("p", truck(10, 10), truck(14, 10), infantry(mounted_in="p_2"), infantry(12, 13)), phase="movement_end", active="a"
    )
    played = play(movement_end_step, battle, answers=[["p_1"]])
    (request,) = played.asked("FOW-DEC-06")
    assert option_ids(request) == ["p_1"]
    assert played.said(LeftTable) == [LeftTable("p_1", "rear")]
    assert played.battle.platoons["p"].transports_lost == 0
    assert not played.battle.platoons["p"].left_table
    kept = play(movement_end_step, battle, answers=[[]])
    assert kept.battle.teams["p_1"].alive
    assert kept.battle.phase == "shooting_start"


@pytest.mark.rule("FOW-TRN-11")
def test_cavalry_dismounts_for_good_at_the_start_of_its_move():
    battle = board(platoon("c", cavalry(10, 10), cavalry(13, 10)))
    played = play(movement_step, battle, answers=["c:move", ["c_1"], ["c_1", "c_2"], go((10, 16)), go((13, 16))])
    assert played.said(LeftHorses) == [LeftHorses("c_1")]
    profile = played.battle.teams["c_1"].profile
    assert (profile.team_type, profile.mobility, profile.save, profile.height) == ("infantry", "infantry", "infantry", 1)
    assert played.battle.teams["c_2"].profile.team_type == "cavalry"
    assert_refused("FOW-MOVE-02", plan_route, played.battle, "c_1", way((10, 23)), "move")  # on foot now


@pytest.mark.rule("FOW-TRN-12")
def test_a_vehicle_of_a_transport_platoon_carries_five_of_any_platoons_or_four_and_a_gun():
    full = board(
        platoon("t", truck(10, 10), role="transport"),
        platoon("p", *(infantry(mounted_in="t_1") for _ in range(3)), infantry(10, 7)),
        platoon("q", *(infantry(mounted_in="t_1") for _ in range(2))),
    )
    assert_refused("FOW-TRN-12", plan_route, full, "p_4", way((10, 10)), "move")
    gunned = board(
        platoon("t", truck(10, 10), role="transport"),
        platoon("p", *(infantry(mounted_in="t_1") for _ in range(4)), infantry(10, 7), gun(towed_by="t_1")),
    )
    assert_refused("FOW-TRN-12", plan_route, gunned, "p_5", way((10, 10)), "move")
    room = board(
        platoon("t", truck(10, 10), role="transport"), platoon("p", *(infantry(mounted_in="t_1") for _ in range(4)), infantry(10, 7))
    )
    assert plan_route(room, "p_5", way((10, 10)), "move").mounts == "t_1"


@pytest.mark.rule("FOW-TRN-13", "FOW-RULING-67")
def test_three_teams_ride_on_a_tank_of_any_platoon_none_on_a_flamethrower():
    battle = board(
        platoon("panzer", tank(10, 10), tank(20, 10, traits=("flamethrower",))),
        platoon("p", *(infantry(mounted_in="panzer_1") for _ in range(2)), infantry(10, 7), infantry(20, 7)),
    )
    assert plan_route(battle, "p_3", way((10, 10)), "move").mounts == "panzer_1"
    assert_refused("FOW-TRN-13", plan_route, battle, "p_4", way((20, 10)), "move")
    full = board(platoon("panzer", tank(10, 10)), platoon("p", *(infantry(mounted_in="panzer_1") for _ in range(3)), infantry(10, 7)))
    assert_refused("FOW-TRN-13", plan_route, full, "p_4", way((10, 10)), "move")


@pytest.mark.rule("FOW-RULING-67")
def test_a_passenger_is_where_its_vehicle_is_also_for_command():
    # The leader rides; the truck takes him along, and a team that moves must be within 4 inches of the truck.
    battle = board(platoon("p", infantry(mounted_in="p_2"), truck(10, 10), infantry(13, 10), skill="regular"))
    played = play(movement_step, battle, answers=["p:move", [], ["p_2", "p_3"], go((10, 16)), go((13, 16))])
    assert at(played.battle, "p_1") == (10, 16)
    with pytest.raises(Exception, match="FOW-CMD-03"):
        play(movement_step, battle, answers=["p:move", [], ["p_2", "p_3"], go((10, 18)), go((16, 10))])


@pytest.mark.rule("FOW-RULING-67")
def test_no_room_beside_the_vehicle_is_shown_as_a_refusal():
    walls = [
        building(0, 0, 9.4, 20, "w"),
        building(10.6, 0, 20, 20, "x"),
        building(9.4, 0, 10.6, 8.9, "y"),
        building(9.4, 11.1, 10.6, 20, "z"),
    ]
    battle = board(*walls, wood(30, 30, 40, 40), platoon("p", truck(10, 10), infantry(mounted_in="p_1")))
    played = play(movement_step, battle, answers=["p:move", STAY])
    assert aboard(played.battle, "p_1") == ["p_2"]  # not even asked: nobody can get out
