"""The laws that every game obeys, on every scenario that we ship, and golden playthroughs.

The laws stand in `sandtable.lab.laws`: whoever adds a game can put it to them with `sandtable laws GAME`. Golden playthroughs, one
seeded game of each scenario as a text log, stand in tests/golden; `SANDTABLE_GOLDEN=write` writes them anew, and a diff shows what a
change did to play.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.kernel.events import Battle, Record
from sandtable.kernel.game import Game, find_games, load_game
from sandtable.kernel.match import Match
from sandtable.lab import laws
from sandtable.lab.bots import default_bot
from sandtable.lab.laws import LAWS, play

SHIPPED = Path(sandtable.__file__).parent / "games"
GAMES = [id for id in sorted(find_games()) if (SHIPPED / id).is_dir()]
SCENARIOS = [(id, name) for id in GAMES for name in load_game(id).names("scenarios")]
FINISHED = [(id, name) for id, name in SCENARIOS if load_game(id).covered]
"""Only games whose rules are complete have golden playthroughs: the others still change from day to day."""
GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS)
@pytest.mark.parametrize("law", LAWS)
def test_law(law: str, id: str, scenario: str) -> None:
    assert not list(LAWS[law](load_game(id), scenario))


# -- a law that nobody can break is none ---------------------------------------------------------------------------

TOY = load_game("toy")


def broken(law: str) -> list[str]:
    return list(LAWS[law](TOY, "bridge"))


@pytest.mark.parametrize("law", LAWS)
def test_the_toy_game_keeps_the_laws(law: str) -> None:
    assert not broken(law)


def test_an_invariant_that_is_broken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TOY), "broken_invariants", lambda self, battle: ["two pieces stand on each other"])
    assert any("two pieces" in problem for problem in broken("games_end"))


def test_a_game_that_stops_halfway_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TOY), "next_step", lambda self, battle: None)
    assert any("without a result" in problem for problem in broken("games_end"))


def test_chance_that_does_not_come_from_the_seed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = laws.log
    monkeypatch.setattr(laws, "log", lambda match: real(match) + os.urandom(4))
    assert broken("seeds_decide")


def test_a_secret_in_the_view_of_the_other_side_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(self: Battle, side: str | None) -> Battle:
        return msgspec.structs.replace(self, secrets={"a": "the plan", "b": "the other plan"})

    monkeypatch.setattr(Battle, "seen_by", leaking)
    assert broken("secrets_are_kept")


def test_a_record_that_goes_to_the_wrong_side_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Record, "seen_by", lambda self, side: True)
    monkeypatch.setattr(Match, "view", _everything(Match.view))
    whole = play(TOY, "bridge", "secrets", default_bot(TOY))
    if any(record.only is not None for record in whole.records):
        assert broken("secrets_are_kept")


def _everything(view: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, side: msgspec.structs.replace(view(self, side), request=self.request)


def test_a_question_that_the_other_side_sees_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "view", _everything(Match.view))
    assert any("question" in problem for problem in broken("secrets_are_kept"))


def test_an_answer_that_anybody_may_give_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Match.submit
    monkeypatch.setattr(Match, "submit", lambda self, player, number, answer: real(self, self.request.player, self.number, answer))
    assert broken("wrong_answers_change_nothing")


def test_a_text_that_is_lacking_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play(TOY, "bridge", "words", default_bot(TOY))
    monkeypatch.delitem(TOY.texts.texts[match.records[0].event.says().id], "it")
    assert any(problem.endswith("no text in it") for problem in broken("words_are_there"))


# -- golden playthroughs -------------------------------------------------------------------------------------------


def playthrough(game: Game, scenario: str) -> str:
    """A seeded game between the best bots as a text log, with the dice."""
    match = play(game, scenario, "golden", default_bot(game))
    words = game.texts.naming(game.shown_names(match.battle))
    lines = [f"{game.id}/{scenario}, seed golden, {match.number} answers", ""]
    for record in match.records:
        lines.append(words.text(record.event.says(), "en"))
        lines += [f"    {msgspec.json.encode(entry).decode()}" for entry in record.trace if getattr(entry, "faces", None)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("id", "scenario"), FINISHED)
def test_golden_playthrough(id: str, scenario: str) -> None:
    text = playthrough(load_game(id), scenario)
    path = GOLDEN / f"{id}-{scenario}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.is_file(), "no golden playthrough yet: SANDTABLE_GOLDEN=write makes it"
    assert text == path.read_text("utf-8")
