"""Every game: mutated inputs of its procedures, mutated forces and scenarios. A correct answer or a clear refusal."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.dice import Scripted, Seeded
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.game import Game, find_games, load_game

from .strategies import json_values, mutated, no_hang, of_type

GAMES = sorted(find_games())


@cache
def inputs(game: str, procedure: str) -> st.SearchStrategy[Any]:
    return of_type(load_game(game).procedures[procedure].facts)


@pytest.mark.parametrize("id", GAMES)
@given(st.data())
def test_inputs_of_procedures(id: str, data: st.DataObject) -> None:
    game = load_game(id)
    procedure = game.procedures[data.draw(st.sampled_from(list(game.procedures)))]
    given_input = data.draw(inputs(id, procedure.name))
    match data.draw(st.integers(0, 3)):
        case 0:
            given_input = data.draw(mutated(given_input))
        case 1:
            given_input = data.draw(json_values)
    dice: Any = Seeded(str(data.draw(st.integers(0, 9))))
    if data.draw(st.booleans()):
        dice = Scripted(data.draw(st.lists(st.integers(0, 7), max_size=12)))
    with no_hang():
        try:
            outcome = procedure(procedure.read(given_input), dice)
            if isinstance(dice, Scripted):
                dice.finish()
        except SandtableError as problem:
            assert str(problem)
            return
        assert isinstance(outcome, procedure.outcome)
        assert msgspec.json.decode(msgspec.json.encode({"outcome": outcome, "trace": dice.trace, "dice": dice.faces}))


def _files(game: Game, kind: str) -> list[dict[str, Any]]:
    return [game.data(f"{kind}s", name) for name in game.names(f"{kind}s")]


@pytest.mark.parametrize("kind", ["force", "scenario"])
@pytest.mark.parametrize("id", GAMES)
@given(st.data())
def test_forces_and_scenarios(id: str, kind: str, data: st.DataObject) -> None:
    game = load_game(id)
    files = _files(game, kind)
    if not files:
        pytest.skip(f"{id} has no {kind}s yet")
    changed = data.draw(mutated(data.draw(st.sampled_from(files))))
    if not isinstance(changed, dict):
        changed = {"changed": changed}
    with no_hang():
        problems = game.problems(kind, changed)
        assert all(isinstance(problem, str) and problem for problem in problems)
        if kind == "scenario" and not problems:
            setup = game.setup(changed)
            battle = game.new_battle(msgspec.json.decode(msgspec.json.encode(setup), type=type(setup)))
            assert not game.broken_invariants(battle)
