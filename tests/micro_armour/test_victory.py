"""How a battle ends (MA-RULING-41)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.games.micro_armour.profile import Hold, Reach
from sandtable.games.micro_armour.sequence import marker_removal_step, next_step
from sandtable.games.micro_armour.victory import end_of_turn, holder

from .boards import aircraft, board, helicopter, infantry, play, play_on, tank

CROSSROADS = Hold(id="crossroads", at=(24, 24), radius=3)
BEYOND = Reach(id="beyond", side="a", area=(0, 40, 48, 48), units=2)


def at_end(*things, turn=2, turns=8, **more):
    return board(*things, phase="marker_removal", turn=turn, turns=turns, **more)


def lost(id, side="a", make=tank):
    return make(id, side=side, eliminated=True)


@pytest.mark.rule("MA-RULING-41")
def test_a_side_whose_losses_reach_its_break_point_loses_at_the_end_of_the_turn():
    units = [tank("a1", 5, 5), lost("a2"), lost("a3", make=infantry), lost("a4", make=aircraft), tank("b1", 5, 40, side="b")]
    assert end_of_turn(at_end(*units, breaks={"a": 4})) is None
    result = end_of_turn(at_end(*units, breaks={"a": 3}))  # aircraft and men count
    assert result.winner == "b"
    played = play(marker_removal_step, at_end(*units, breaks={"a": 3}))
    assert played.battle.result.winner == "b" and next_step(played.battle) is None
    before = board(*units, phase="fire_second", first="", breaks={"a": 3})  # not before the turn is over
    assert next_step(before) is not None and before.result is None


@pytest.mark.rule("MA-RULING-41")
@pytest.mark.parametrize(("units", "gone", "broken"), [(5, 2, False), (5, 3, True), (6, 2, False), (6, 3, True)])
def test_the_usual_break_point_is_half_the_units_rounded_up(units, gone, broken):
    things = [lost(f"a{n}") if n < gone else tank(f"a{n}", 5 + 2 * n, 5) for n in range(units)]
    assert (end_of_turn(at_end(*things, tank("b1", 5, 40, side="b"), tank("b2", 9, 40, side="b"))) is not None) == broken


@pytest.mark.rule("MA-RULING-41")
def test_a_force_has_its_break_point_and_a_scenario_may_give_another():
    side = at_end(*(tank(f"a{n}", 5 + 2 * n, 5) for n in range(5)), tank("b1", 5, 40, side="b")).scenario.a
    assert (side.breaks_at, replace(side, force=replace(side.force, break_point=2)).breaks_at) == (3, 2)
    assert replace(side, break_point=4, force=replace(side.force, break_point=2)).breaks_at == 4


@pytest.mark.rule("MA-RULING-41")
def test_if_both_are_broken_it_is_a_draw():
    units = [tank("a1", 5, 5), lost("a2"), tank("b1", 5, 40, side="b"), lost("b2", "b")]
    result = end_of_turn(at_end(*units, otherwise="a"))
    assert result is not None and result.winner is None


@pytest.mark.rule("MA-RULING-41")
def test_a_side_without_units_has_lost_at_once():
    battle = board(tank("a1", 5, 5), lost("b1", "b"), lost("b2", "b"), phase="fire_second", breaks={"b": 5})
    played = play_on(battle, steps=2)
    assert played.battle.result.winner == "a"
    empty = board(lost("a1"), lost("b1", "b"), phase="fire_second")
    assert play_on(empty, steps=2).battle.result.winner is None
    flying = board(tank("a1", 5, 5), lost("b1", "b"), aircraft("b2", side="b"), phase="fire_second", breaks={"b": 5})
    assert play_on(flying, until="planning").battle.result is None  # its aircraft is a unit


@pytest.mark.rule("MA-RULING-41")
@pytest.mark.parametrize(
    ("units", "who"),
    [
        ([tank("a1", 24, 27)], "a"),
        ([tank("a1", 24, 27.1)], None),
        ([tank("a1", 24, 27), tank("b1", 24, 22, side="b")], None),
        ([tank("a1", 24, 27), tank("b1", 24, 22, side="b", suppressed=True)], "a"),
        ([tank("a1", 24, 27, disorganised=True)], "a"),
        ([helicopter("a1", 24, 27)], None),
    ],
)
def test_a_place_is_held_by_whoever_alone_has_unsuppressed_ground_units_there(units, who):
    assert holder(at_end(*units), CROSSROADS) == who


@pytest.mark.rule("MA-RULING-41")
def test_a_part_of_the_table_is_reached_by_enough_units_in_order():
    two = [tank("a1", 5, 40), infantry("a2", 9, 45)]
    assert holder(at_end(*two), BEYOND) == "a"
    assert holder(at_end(two[0], infantry("a2", 9, 45, disorganised=True)), BEYOND) is None
    assert holder(at_end(two[0], infantry("a2", 9, 45, suppressed=True)), BEYOND) == "a"
    assert holder(at_end(two[0], tank("a2", 9, 39.9)), BEYOND) is None
    assert holder(at_end(two[0], helicopter("a2", 9, 45)), BEYOND) is None
    assert holder(at_end(*(tank(f"b{n}", 5 * n, 45, side="b") for n in (1, 2))), BEYOND) is None


@pytest.mark.rule("MA-RULING-41")
def test_at_the_turn_limit_the_objective_decides_and_else_what_the_scenario_says():
    units = [tank("a1", 24, 25), tank("b1", 5, 45, side="b")]
    assert end_of_turn(at_end(*units, turn=7, objectives=[CROSSROADS])) is None
    assert end_of_turn(at_end(*units, turn=8, objectives=[CROSSROADS])).winner == "a"
    away = [tank("a1", 5, 5), tank("b1", 5, 45, side="b")]
    assert end_of_turn(at_end(*away, turn=8, objectives=[CROSSROADS])).winner is None
    assert end_of_turn(at_end(*away, turn=8, objectives=[CROSSROADS], otherwise="b")).winner == "b"
    broken = [*units, lost("a2"), lost("a3")]
    assert end_of_turn(at_end(*broken, turn=8, objectives=[CROSSROADS])).winner == "b"  # the break point comes first
