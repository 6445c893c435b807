"""Bots of the toy game, by the convention of `sandtable.bots`."""

from __future__ import annotations

import random
from typing import Any

from sandtable.kernel.decisions import Allocate, PickOne, PickPlaces, PickRoute, PickSeveral, TypeDie
from sandtable.kernel.table import first_legal


class RandomBot:
    """Any legal answer."""

    def __init__(self, game: Any, side: str, seed: int) -> None:
        self.side, self.chance = side, random.Random(seed)

    def candidates(self, battle: Any, request: Any) -> Any:
        chance = self.chance
        match request:
            case PickOne():
                options = [option.id for option in request.options]
                yield from chance.sample(options, len(options))
            case PickSeveral():
                options = [option.id for option in request.options if option.refusal is None]
                yield chance.sample(options, chance.randint(request.least, len(options)))
            case PickRoute():
                piece = battle.piece(request.unit)
                for _ in range(8):
                    yield {"path": [[piece.x + chance.randint(-4000, 4000), piece.y + chance.randint(-4000, 4000)]]}
                yield {}
            case PickPlaces():
                for _ in range(8):
                    yield {piece: {"x": chance.randint(0, 24000), "y": chance.randint(0, 24000)} for piece in request.pieces}
                yield {}
            case Allocate():
                target = chance.choice(request.receivers).id
                yield {target: list(request.things)}
            case TypeDie():
                yield chance.randint(1, request.sides)

    def answer(self, battle: Any, request: Any, check: Any) -> Any:
        return first_legal(request, check, self.candidates(battle, request))


class Advancing(RandomBot):
    """Goes north or south towards the enemy, shoots whenever it may."""

    def candidates(self, battle: Any, request: Any) -> Any:
        match request:
            case PickOne():
                yield "shoot"
                yield "attack"
            case PickSeveral():
                yield [option.id for option in request.options if option.refusal is None]
            case PickRoute():
                piece = battle.piece(request.unit)
                yield {"path": [[piece.x, piece.y + (3000 if self.side == "a" else -3000)]]}
        yield from super().candidates(battle, request)


BOTS = {"bot": Advancing, "random": RandomBot}
