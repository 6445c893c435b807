"""The laboratory: the same seed gives the same games whoever plays them."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sandtable.kernel.game import load_game
from sandtable.lab import GameResult, play_one, simulate, summarise, wilson
from sandtable.lab.runs import game_seed

load_game("toy")

from sandtable.games.toy.game import GAME  # noqa: E402
from sandtable.games.toy.playing import setup  # noqa: E402


def test_the_same_seed_gives_the_same_results_whatever_the_number_of_processes(run: Callable[..., Any]) -> None:
    one = run("simulate", "toy/bridge", "--games", 60, "--seed", 9, "--json")
    two = run("simulate", "bridge", "--games", 60, "--seed", 9, "--jobs", 2, "--json")
    other = run("simulate", "bridge", "--games", 60, "--seed", 10, "--json")
    assert one.code == 0 and one.out == two.out != other.out
    found = json.loads(one.out)
    assert found["games"] == 60 and sum(share["count"] for share in found["wins"].values()) == 60
    assert found["bots"] == {"a": "bot", "b": "bot"}


def test_any_executor_will_do() -> None:
    alone = simulate(GAME, setup(), 20, seed="x", bots=("bot", "random"))
    with ThreadPoolExecutor(2) as threads:
        assert simulate(GAME, setup(), 20, seed="x", bots=("bot", "random"), executor=threads, jobs=2) == alone
    assert [result.index for result in alone] == list(range(20))
    assert len({result.seed for result in alone}) == 20


def test_a_game_from_a_run_can_be_played_again_alone() -> None:
    result = simulate(GAME, setup(), 8, seed="x", bots=("bot", "bot"))[7]
    assert play_one(GAME, setup(), game_seed("x", 7), ("bot", "bot"), index=7) == result


def test_checked_games_are_sound_and_verify() -> None:
    plain = simulate(GAME, setup(), 10, seed="x", bots=("random", "random"))
    checked = simulate(GAME, setup(), 10, seed="x", bots=("random", "random"), check=True)
    assert plain == checked and all(not result.problems for result in checked)


def test_a_broken_invariant_is_a_problem_and_exit_code_1(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "broken_invariants", lambda self, battle: ["nothing is right"] if battle.turn == 2 else [])
    ran = run("simulate", "bridge", "--games", 2, "--check", "--json")
    assert ran.code == 1 and "turn 2: nothing is right" in json.loads(ran.out)["problems"][0]


def test_a_bot_that_cheats_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.games.toy.bots import BOTS

    class Cheat:
        def __init__(self, game: Any, side: str, seed: int) -> None: ...

        def answer(self, battle: Any, request: Any, check: Any) -> Any:
            return "win"

    monkeypatch.setitem(BOTS, "cheat", Cheat)
    result = play_one(GAME, setup(), "1", ("cheat", "bot"))
    assert any("bot of side a" in problem for problem in result.problems)


def test_losses_are_counted_in_the_turn_they_happen() -> None:
    for result in simulate(GAME, setup(), 30, seed="y", bots=("bot", "bot")):
        assert result.pieces == {"a": 2, "b": 2}
        assert all(len(result.losses[side]) == result.turns for side in "ab")
        assert 0 <= result.lost("a") <= 2 and -1 <= result.margin <= 1


@pytest.mark.parametrize(
    ("count", "number", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (90, 100, 0.8256, 0.9448), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals_are_those_of_the_book(count: int, number: int, low: float, high: float) -> None:
    share = wilson(count, number)
    assert (round(share.low, 4), round(share.high, 4)) == (low, high)


def test_a_summary_does_not_depend_on_the_order_of_the_games() -> None:
    results: list[GameResult] = simulate(GAME, setup(), 15, seed="z", bots=("bot", "random"))
    assert summarise(results) == summarise(results[::-1])


def test_on_screen_it_says_who_won_and_how_sure_that_is(run: Callable[..., Any]) -> None:
    out = run("simulate", "bridge", "--games", 10).out
    assert "side a (bot) wins" in out and "95 %" in out and "by turn: 1:" in out
