"""What results do on the table: wrecks, passengers, riders, warriors, leaders, pinning."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.field.shapes import distance
from sandtable.games.flames_of_war.battle import BailedOut, Destroyed, Pinned, PlatoonGone
from sandtable.games.flames_of_war.command import leaderless
from sandtable.games.flames_of_war.damage import GotOut, TookOver, apply_result, destroy, pin
from sandtable.games.flames_of_war.invariants import broken_invariants

from .boards import at, board, gun, infantry, platoon, play, tank, truck

FOE = platoon("foe", infantry(40, 40), side="b")
WARRIOR: dict[str, Any] = {"traits": ("company_commander", "warrior", "independent")}


@pytest.mark.rule("FOW-WRECK-02")
def test_a_destroyed_armoured_vehicle_stays_as_a_wreck() -> None:
    played = play(destroy, board(platoon("panzer", tank(5, 5), tank(9, 5)), FOE), "panzer_1")
    wreck = played.battle.ground.pieces[-1]
    assert (wreck.kind, wreck.height) == ("wreck", 1)
    assert not broken_invariants(played.battle)


@pytest.mark.rule("FOW-WRECK-01")
@pytest.mark.parametrize("team", [infantry(5, 5), gun(5, 5), truck(5, 5)])
def test_everything_else_is_removed(team: Any) -> None:
    played = play(destroy, board(platoon("one", team, infantry(12, 5)), FOE), "one_1")
    assert not played.battle.ground.pieces
    assert played.battle.teams["one_1"].pose is None


@pytest.mark.rule("FOW-CMD-06")
def test_a_platoon_whose_leader_is_destroyed_is_leaderless() -> None:
    battle = play(destroy, board(platoon("rifles", infantry(5, 5), infantry(8, 5)), FOE), "rifles_1").battle
    assert leaderless(battle, battle.platoons["rifles"])


@pytest.mark.rule("FOW-RULING-73", "FOW-IND-03")
def test_a_joined_commander_acts_as_leader() -> None:
    battle = board(platoon("rifles", infantry(5, 5), leader=0), platoon("hq", infantry(8, 5, joined="rifles", **WARRIOR), role="hq"), FOE)
    assert not leaderless(battle, battle.platoons["rifles"])


@pytest.mark.rule("FOW-RULING-76")
def test_a_platoon_without_teams_is_destroyed_without_a_test() -> None:
    played = play(destroy, board(platoon("rifles", infantry(5, 5)), FOE), "rifles_1")
    assert played.said(PlatoonGone) == [PlatoonGone("rifles")]


@pytest.mark.rule("FOW-MOR-03")
def test_a_bailed_out_crew_is_a_loss_of_the_step() -> None:
    played = play(apply_result, board(platoon("panzer", tank(5, 5)), FOE), "panzer_1", "bailed_out")
    assert played.said(BailedOut)
    assert played.battle.platoons["panzer"].lost


# -- pinning ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-PIN-03")
def test_armour_alone_is_never_pinned_a_mixed_platoon_is() -> None:
    assert not play(pin, board(platoon("panzer", tank(5, 5)), FOE), "panzer").events
    assert play(pin, board(platoon("mixed", tank(5, 5), infantry(9, 5)), FOE), "mixed").said(Pinned)


@pytest.mark.rule("FOW-IND-08")
def test_an_independent_team_alone_is_never_pinned() -> None:
    assert not play(pin, board(platoon("observer", infantry(5, 5), role="independent"), FOE), "observer").events


# -- passengers ---------------------------------------------------------------------------------------------------


def column(**state: Any) -> Any:
    return board(platoon("grenadiers", infantry(None, None, mounted_in="grenadiers_2"), truck(10, 10), infantry(20, 10), **state), FOE)


@pytest.mark.rule("FOW-PASS-01", "FOW-RULING-67")
def test_a_passenger_survives_on_5_and_gets_out_beside_the_vehicle() -> None:
    played = play(destroy, column(), "grenadiers_2", dice=[5])
    assert played.said(GotOut)
    team = played.battle.teams["grenadiers_1"]
    assert team.on_table
    truck_base = column().teams["grenadiers_2"].base
    assert distance(team.base, truck_base) <= 252


@pytest.mark.rule("FOW-PASS-01")
def test_a_passenger_is_lost_on_4() -> None:
    played = play(destroy, column(), "grenadiers_2", dice=[4])
    assert [event.team for event in played.said(Destroyed)] == ["grenadiers_2", "grenadiers_1"]


@pytest.mark.rule("FOW-PASS-03")
def test_one_save_for_each_destroyed_result() -> None:
    played = play(destroy_twice, column(), dice=[5, 4])
    assert not played.battle.teams["grenadiers_1"].alive


def destroy_twice(table: Any) -> None:
    apply_result(table, "grenadiers_2", "destroyed", destroyed_results=2, hits=2)


@pytest.mark.rule("FOW-PASS-04")
def test_the_passengers_platoon_is_pinned() -> None:
    assert play(destroy, column(), "grenadiers_2", dice=[6]).battle.platoons["grenadiers"].pinned


@pytest.mark.rule("FOW-PASS-02")
def test_passengers_with_nowhere_to_go_are_lost_without_a_die() -> None:
    ring = [
        infantry(10 + dx, 10 + dy)
        for dx, dy in ((-2.2, 0), (2.2, 0), (0, 2.0), (0, -2.0), (-2.2, 1.5), (2.2, 1.5), (-2.2, -1.5), (2.2, -1.5))
    ]
    battle = board(
        platoon("grenadiers", infantry(None, None, mounted_in="grenadiers_2"), truck(10, 10)),
        platoon("ring", *ring),
        platoon("foes", infantry(10, 14), infantry(10, 6), infantry(14.5, 10), infantry(5.5, 10), side="b"),
    )
    played = play(destroy, battle, "grenadiers_2", dice=[])
    assert not played.battle.teams["grenadiers_1"].alive


@pytest.mark.rule("FOW-RULING-67", "FOW-TRN-07")
def test_a_towed_gun_saves_on_5_and_stays_where_it_stands() -> None:
    battle = board(platoon("pak", gun(None, None, towed_by="pak_2"), truck(10, 10)), FOE)
    played = play(destroy, battle, "pak_2", dice=[5])
    assert at(played.battle, "pak_1") == (10, 10)
    assert not played.battle.teams["pak_1"].carried
    assert not play(destroy, battle, "pak_2", dice=[4]).battle.teams["pak_1"].alive


@pytest.mark.rule("FOW-PASS-05", "FOW-RULING-20")
def test_riders_save_on_5_against_each_hit_whatever_it_does() -> None:
    battle = board(platoon("panzer", tank(10, 10)), platoon("riders", infantry(None, None, mounted_in="panzer_1"), infantry(20, 10)), FOE)
    assert not play(apply_result, battle, "panzer_1", "no_effect", dice=[4]).battle.teams["riders_1"].alive
    two = play(lambda table: apply_result(table, "panzer_1", "no_effect", hits=2), battle, dice=[5, 5])
    assert two.battle.teams["riders_1"].alive
    # Destroyed: one save for the hit and no second one as a passenger.
    played = play(apply_result, battle, "panzer_1", "destroyed", dice=[5])
    assert played.battle.teams["riders_1"].on_table


# -- warriors -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-WAR-01", "FOW-WAR-02", "FOW-RULING-73")
def test_a_warriors_tank_is_lost_but_on_4_he_takes_over_another() -> None:
    battle = board(platoon("hq", tank(5, 5, **WARRIOR), role="hq"), platoon("panzer", tank(9, 5), tank(30, 5)), FOE)
    played = play(destroy, battle, "hq_1", dice=[4])
    assert played.said(TookOver) == [TookOver("hq_1", "panzer_1")]
    assert at(played.battle, "hq_1") == (9, 5)
    assert not played.battle.teams["panzer_1"].alive
    assert played.battle.platoons["panzer"].losses == 1
    assert played.battle.ground.pieces[-1].kind == "wreck"
    assert not broken_invariants(played.battle)


@pytest.mark.rule("FOW-WAR-02")
def test_on_3_he_dies() -> None:
    battle = board(platoon("hq", tank(5, 5, **WARRIOR), role="hq"), platoon("panzer", tank(9, 5)), FOE)
    assert not play(destroy, battle, "hq_1", dice=[3]).battle.teams["hq_1"].alive


@pytest.mark.rule("FOW-RULING-61", "FOW-RULING-45", "FOW-CMD-01")
def test_without_a_tank_in_command_distance_there_is_no_save() -> None:
    """Regular tanks: 6 inches. The gap is 12.5 - 5 - 1.4 = 6.1."""
    battle = board(platoon("hq", tank(5, 5, **WARRIOR), role="hq"), platoon("panzer", tank(12.5, 5)), FOE)
    assert not play(destroy, battle, "hq_1", dice=[]).battle.teams["hq_1"].alive


@pytest.mark.rule("FOW-WAR-03")
def test_for_a_warrior_on_foot_another_team_is_removed_on_4() -> None:
    battle = board(platoon("hq", infantry(5, 5, **WARRIOR), role="hq"), platoon("rifles", infantry(8, 5), infantry(30, 5)), FOE)
    played = play(destroy, battle, "hq_1", dice=[4])
    assert played.battle.teams["hq_1"].alive
    assert not played.battle.teams["rifles_1"].alive


@pytest.mark.rule("FOW-WAR-04", "FOW-RULING-19")
@pytest.mark.parametrize(("die", "alive"), [(4, True), (3, False)])
def test_a_transported_warrior_that_would_be_lost_is_unharmed_on_4(die: int, alive: bool) -> None:
    battle = board(
        platoon("grenadiers", truck(10, 10), infantry(20, 10)),
        platoon("hq", infantry(None, None, mounted_in="grenadiers_1", **WARRIOR), role="hq"),
        FOE,
    )
    assert play(destroy, battle, "grenadiers_1", dice=[2, die]).battle.teams["hq_1"].alive is alive


@pytest.mark.rule("FOW-DEC-19")
def test_the_owner_says_which_tank_the_warrior_takes() -> None:
    battle = board(platoon("hq", tank(5, 5, **WARRIOR), role="hq"), platoon("panzer", tank(8, 5), tank(2, 5)), FOE)
    played = play(destroy, battle, "hq_1", answers=["panzer_2"], dice=[6])
    assert at(played.battle, "hq_1") == (2, 5)
