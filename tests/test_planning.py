"""The hooks for planning of every game: whatever is asked, at whatever moment, they answer, in known words, and change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.bots.random_legal import RandomLegal
from sandtable.kernel.decisions import PickRoute, Placing, Request, Route
from sandtable.kernel.game import Card, Game, find_games, load_game
from sandtable.kernel.match import Match
from sandtable.kernel.messages import LANGUAGES, Message

SHIPPED = Path(sandtable.__file__).parent / "games"
GAMES = [id for id in sorted(find_games()) if (SHIPPED / id).is_dir()]
SCENARIOS = [(id, name) for id in GAMES for name in load_game(id).names("scenarios")]
QUESTIONS = 300


def ask_all(game: Game, battle: Any, request: Request, chance: Random) -> Iterator[Any]:
    """Every hook once or a few times, about things that are there and some that are not."""
    scene = game.scene(battle)
    pieces = [figure.id for figure in scene.figures] or ["nobody"]
    options = [option.id for option in getattr(request, "options", ()) or getattr(request, "receivers", ())]

    def piece() -> str:
        return chance.choice([*pieces, "nobody"])

    def point() -> tuple[int, int]:
        return chance.randint(-3000, scene.width + 3000), chance.randint(-3000, scene.height + 3000)

    for _ in range(2):
        yield game.may_do(battle, chance.choice([request, None]), piece())
        yield game.rings(battle, piece())
        yield game.sight_between(battle, chance.choice([piece(), point()]), chance.choice([piece(), point()]))
    yield game.odds_card(battle, request, chance.choice([*options, "nobody", "a:b", "a>b"]))
    yield game.lies_under(
        battle, request, {chance.choice(["marker_1", "smoke", "attack", piece()]): Placing(*point(), chance.randint(0, 359))}
    )
    if isinstance(request, PickRoute):
        start = next(((figure.x, figure.y) for figure in scene.figures if figure.id == request.unit), (0, 0))
        for length in (0, 1, 2):
            steps = [(start[0] + chance.randint(-9000, 9000), start[1] + chance.randint(-9000, 9000)) for _ in range(length)]
            yield game.reach(battle, request, Route(tuple(steps), chance.choice([None, chance.randint(0, 359)])))


def messages(told: Any) -> Iterator[Message]:
    """All messages in an answer, those inside of messages too."""
    if isinstance(told, Message):
        yield told
        for value in told.arguments.values():
            yield from messages(value)
    elif isinstance(told, list | tuple):
        for one in told:
            yield from messages(one)
    elif isinstance(told, msgspec.Struct):
        for name in told.__struct_fields__:
            yield from messages(getattr(told, name))


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS)
def test_the_hooks_answer_whatever_is_asked(id: str, scenario: str) -> None:
    game = load_game(id)
    match = Match(game, game.setup(game.data("scenarios", scenario)), "planning")
    chance = Random(5)
    bots = {side: RandomLegal(game, side, number) for number, side in enumerate("ab")}
    match.run()
    for _ in range(QUESTIONS):
        request = match.request
        if request is None:
            break
        battle: Any = match.present.seen_by(request.player)
        before = msgspec.json.encode(game.scene(battle))
        names = game.shown_names(battle)
        known = {piece.name for piece in battle.ground.pieces} | set(names.values())
        for told in ask_all(game, battle, request, chance):
            msgspec.json.encode(told)  # it can be sent
            for message in messages(told):
                assert game.texts.knows(message.id) or message.id in known, f"{message.id} has no text"
                for language in LANGUAGES:
                    said = game.texts.naming(names).text(message, language)
                    assert "{" not in said, said
            if isinstance(told, Card):
                assert all(game.texts.knows(part.label) and (part.rule in game.rules) for score in told.scores for part in score)
        assert msgspec.json.encode(game.scene(battle)) == before
        check = match.pending.check if match.pending is not None else None
        match.submit(request.player, match.number, bots[request.player].answer(battle, request, check))
