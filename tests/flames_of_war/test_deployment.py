"""Deployment: who goes first, who places when, and what is a legal place."""

from __future__ import annotations

import pytest

from sandtable.games.flames_of_war.battle import Deployed, FirstPlayer, TurnBegan
from sandtable.games.flames_of_war.deployment import check_places, default_places, deployment_step, placing_side
from sandtable.games.flames_of_war.invariants import broken_invariants
from sandtable.games.flames_of_war.profile import Objective
from sandtable.kernel.decisions import Placing
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.game import load_game

from .boards import (
    DEFAULT,
    ScriptedTable,
    armoured_car,
    at,
    board,
    building,
    cavalry,
    gun,
    infantry,
    option_ids,
    platoon,
    play,
    put,
    river,
    tank,
    truck,
    wood,
)


def placing(**places):
    return {id: Placing(**place) for id, place in put(**places).items()}


def assert_placing_refused(rule, battle, unit, **places):
    with pytest.raises(RefusedError) as caught:
        check_places(battle, unit, placing(**places))
    assert caught.value.rule == rule, f"{caught.value.rule} {caught.value.message} {caught.value.arguments}"


def before(*things, **options):
    return board(*things, phase="deployment", turn=0, **options)


@pytest.mark.rule("FOW-RULING-03")
def test_the_first_player_is_diced_for_and_ties_are_rolled_again():
    battle = board(platoon("p", infantry()), phase="first_player", first="dice", turn=0)
    played = play(deployment_step, battle, dice=[3, 3, 5, 5, 2, 6])
    assert played.events == [FirstPlayer("b", by_dice=True)]
    assert played.battle.phase == "deployment"
    given = board(platoon("p", infantry()), phase="first_player", first="a", turn=0)
    assert play(deployment_step, given).events == [FirstPlayer("a")]


@pytest.mark.rule("FOW-RULING-80", "FOW-DEC-01")
def test_diced_for_the_other_side_places_first_then_by_turns():
    battle = board(
        platoon("p", infantry()),
        platoon("q", infantry()),
        platoon("r", infantry(), side="b"),
        platoon("s", infantry(), side="b"),
        phase="first_player",
        first="dice",
        turn=0,
    )
    battle = play(deployment_step, battle, dice=[6, 1]).battle
    order = []
    while battle.phase == "deployment":
        side = placing_side(battle)
        played = play(deployment_step, battle, rest=DEFAULT)
        battle = played.battle
        order += [side] if side else []
    assert order == ["b", "a", "b", "a"]  # a won the dice: b places first
    assert played.events == [TurnBegan(1, "a")]


@pytest.mark.rule("FOW-RULING-80")
def test_else_the_defender_places_everything_then_the_attacker():
    battle = before(
        platoon("p", infantry()),
        platoon("q", infantry()),
        platoon("r", infantry(), side="b"),
        platoon("s", infantry(), side="b"),
        first="a",
        defender="b",
    )
    order = []
    while battle.phase == "deployment":
        order.append(placing_side(battle))
        battle = play(deployment_step, battle, rest=DEFAULT).battle
    assert order == ["b", "b", "a", "a", None]


@pytest.mark.rule("FOW-DEC-01")
def test_a_player_chooses_which_platoon_to_place_where_the_other_places_in_between():
    battle = board(
        platoon("p", infantry()), platoon("q", infantry()), platoon("r", infantry(), side="b"), phase="first_player", first="dice", turn=0
    )
    battle = play(deployment_step, battle, dice=[1, 6]).battle
    played = play(deployment_step, battle, answers=["q", put(q_1=(20, 5))])
    assert option_ids(played.requests[0]) == ["p", "q"]
    assert played.said(Deployed) == [Deployed("q_1", 20_000, 5000, 0)]


@pytest.mark.rule("FOW-RULING-80")
def test_places_are_in_the_own_zone_recon_in_its_own():
    battle = before(
        platoon("p", infantry(), infantry()),
        platoon("r", armoured_car(), role="recon"),
        recon_zones={"a": (0, 0, 48, 16)},
    )
    check_places(battle, "p", placing(p_1=(10, 10), p_2=(13, 11.3)))
    assert_placing_refused("FOW-RULING-80", battle, "p", p_1=(10, 10), p_2=(13, 11.5))  # its front is over the line at 12
    check_places(battle, "r", placing(r_1=(10, 15)))
    assert_placing_refused("FOW-RULING-80", battle, "r", r_1=(10, 15.5))
    assert_placing_refused("FOW-RULING-80", battle, "p", p_1=(0.5, 10), p_2=(3, 10))  # off the table


@pytest.mark.rule("FOW-RULING-80")
def test_a_platoon_is_placed_in_command():
    battle = before(platoon("p", infantry(), infantry()))
    check_places(battle, "p", placing(p_1=(10, 5), p_2=(16, 5)))
    assert_placing_refused("FOW-RULING-80", battle, "p", p_1=(10, 5), p_2=(16.2, 5))


@pytest.mark.rule("FOW-MOVE-09")
def test_nobody_is_placed_on_another():
    battle = before(platoon("p", infantry(), infantry()), platoon("q", tank(20, 5)))
    assert_placing_refused("FOW-MOVE-09", battle, "p", p_1=(10, 5), p_2=(11, 5))
    assert_placing_refused("FOW-MOVE-09", battle, "p", p_1=(21, 3.5), p_2=(24, 3))


@pytest.mark.rule("FOW-RULING-06")
def test_nobody_begins_on_ground_he_may_not_enter():
    battle = before(river(0, 4, 48, 6), platoon("p", truck()), platoon("q", tank()), platoon("r", infantry()))
    assert_placing_refused("FOW-RULING-06", battle, "p", p_1=(10, 5))
    check_places(battle, "q", placing(q_1=(10, 5)))
    check_places(battle, "r", placing(r_1=(10, 5)))


@pytest.mark.rule("FOW-BLDG-09", "FOW-BLDG-07", "FOW-BLDG-08")
def test_guns_may_begin_in_a_building_cavalry_and_soft_vehicles_not():
    battle = before(building(8, 2, 14, 8), platoon("g", gun()), platoon("c", cavalry()), platoon("t", truck()), platoon("i", infantry()))
    (event,) = check_places(battle, "g", placing(g_1=(11, 5)))
    assert event.building == "building"
    (event,) = check_places(battle, "i", placing(i_1=(11, 5)))
    assert event.building == "building"
    assert_placing_refused("FOW-BLDG-07", battle, "c", c_1=(11, 5))
    assert_placing_refused("FOW-BLDG-08", battle, "t", t_1=(11, 5))
    assert_placing_refused("FOW-BLDG-05", battle, "i", i_1=(11, 8.2))  # half in the wall
    assert_placing_refused("FOW-BLDG-01", battle, "i", i_1=(8.5, 5))  # sticks out of it


@pytest.mark.rule("FOW-DEC-01", "FOW-RULING-80")
def test_teams_put_on_a_vehicle_begin_loaded():
    battle = before(platoon("p", infantry(), truck(), infantry(), gun()))
    events = {event.team: event for event in check_places(battle, "p", placing(p_1=(10, 5), p_2=(13, 5), p_3=(13, 5), p_4=(13.2, 5.1)))}
    assert events["p_3"].mounted_in == "p_2"
    assert events["p_4"].towed_by == "p_2"
    assert (events["p_4"].x, events["p_4"].y) == (13_000, 5000)
    assert events["p_1"].mounted_in == ""


@pytest.mark.rule("FOW-OBS-06")
def test_an_observer_may_begin_in_a_tank():
    battle = before(platoon("t", tank(20, 5)), platoon("o", infantry(traits=("observer",)), role="independent"))
    (event,) = check_places(battle, "o", placing(o_1=(20, 5)))
    assert event.mounted_in == "t_1"


@pytest.mark.rule("FOW-RULING-80", "FOW-RULING-14")
def test_a_side_that_begins_dug_in_has_its_infantry_and_guns_dug_in():
    battle = before(platoon("p", infantry(), gun(), truck()), platoon("r", infantry(), side="b"), dug_in="a")
    events = {event.team: event.dug_in for event in check_places(battle, "p", placing(p_1=(10, 5), p_2=(13, 5), p_3=(16, 5)))}
    assert events == {"p_1": True, "p_2": True, "p_3": False}


def test_the_default_is_legal_looks_at_the_enemy_and_holds_what_it_owns():
    battle = before(
        wood(20, 4, 28, 10),
        platoon("p", infantry(), infantry(), infantry(), infantry()),
        platoon("t", tank(), tank()),
        platoon("r", *(infantry() for _ in range(9)), side="b", skill="conscript"),
        objectives=[Objective(id="well", at=(40, 6), owner="a")],
    )
    places = default_places(battle, "p")
    check_places(battle, "p", {id: Placing(**place) for id, place in places.items()})
    assert abs(places["p_1"]["x"] - 40_000) < 4000
    assert {place["facing"] for place in places.values()} == {0}
    assert {place["facing"] for place in default_places(battle, "r").values()} == {180}
    moved = default_places(battle, "t", anchor=(8000, 6000))
    assert abs(moved["t_1"]["x"] - 8000) < 3000


@pytest.mark.parametrize("name", ["crossroads", "hold_the_village", "river_line", "first_steps"])
def test_every_scenario_deploys_by_default(name):
    game = load_game("flames_of_war")
    battle = game.new_battle(game.setup(game.data("scenarios", name)))
    for _ in range(60):
        table = ScriptedTable(battle, dice=[4, 2], rest=DEFAULT)
        deployment_step(table)
        battle = table.battle
        if battle.phase == "starting":
            break
    assert battle.turn == 1
    assert broken_invariants(battle) == []
    assert all(at(battle, team.id) for team in battle.teams.values() if not battle.platoons[team.platoon].in_reserve)
