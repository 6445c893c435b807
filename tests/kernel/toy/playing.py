"""Matches of the toy game for the tests: made, driven, snapshotted."""

from __future__ import annotations

from typing import Any

import msgspec
from sandtable.games.toy.bots import RandomBot
from sandtable.games.toy.game import GAME

from sandtable.kernel.game import Setup
from sandtable.kernel.match import Answered, Match


def setup(typed: tuple[str, ...] = ()) -> Setup:
    return GAME.setup(GAME.data("scenarios", "bridge"), typed)


def bots(seed: int) -> dict[str, RandomBot]:
    return {side: RandomBot(GAME, side, seed * 2 + place) for place, side in enumerate("ab")}


def waiting(seed: int = 1, typed: tuple[str, ...] = (), **options: Any) -> Match:
    """A match that waits for its first answer."""
    match = Match(GAME, setup(typed), f"dice {seed}", **options)
    match.run()
    return match


def played(seed: int = 1, typed: tuple[str, ...] = (), **options: Any) -> Match:
    """A match played to the end by bots that answer at once."""
    match = Match(GAME, setup(typed), f"dice {seed}", sources=bots(seed), **options)
    match.run()
    assert match.over
    return match


def give(match: Match, answer: Any) -> None:
    """Answer the pending question, whoever's it is."""
    assert match.request is not None
    match.submit(match.request.player, match.number, answer)


def give_all(match: Match, answers: list[Answered]) -> None:
    """The answers of another match, from the pending question on."""
    while match.request is not None and match.number < len(answers):
        give(match, answers[match.number].answer)


def until(match: Match, decision: str, answers: list[Answered]) -> None:
    """On with another match's answers until a decision is asked."""
    while match.request is not None and match.request.decision != decision:
        give(match, answers[match.number].answer)


def log(match: Match) -> bytes:
    return msgspec.json.encode(match.log)


def everything(match: Match) -> Any:
    """All that a refused answer must not change."""
    return (
        match.battle,
        match.present,
        match.position,
        match.reveals,
        match.done,
        match.number,
        msgspec.json.encode(match.answers),
        msgspec.json.encode(match.request),
        log(match),
        len(match.checkpoints),
    )
