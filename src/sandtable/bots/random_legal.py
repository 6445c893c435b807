"""A player who knows no game: it picks at random among what the rules allow. The measure that every bot must beat."""

from __future__ import annotations

import hashlib
from math import cos, radians, sin
from random import Random
from typing import Any

from sandtable.kernel.decisions import Allocate, Check, PickOne, PickPlaces, PickRoute, PickSeveral, Request, TypeDie
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.table import read_answer

TRIES = 4
"""How many random answers it tries before it falls back on the default."""


class RandomLegal:
    """Answers every kind of request legally. Deterministic from its seed."""

    def __init__(self, game: Any, side: str, seed: int) -> None:
        self.game, self.side = game, side
        self.random = Random(int.from_bytes(hashlib.sha256(f"{seed} {side}".encode()).digest()[:8], "big"))

    def answer(self, battle: Any, request: Request, check: Check | None) -> Any:
        for _ in range(TRIES):
            candidate = self.guess(battle, request)
            if legal(request, check, candidate):
                return candidate
        fallbacks: tuple[Any, ...] = (request.default, {}, [], None)
        for fallback in fallbacks:
            if legal(request, check, fallback):
                return fallback
        return request.default

    def guess(self, battle: Any, request: Request) -> Any:
        """A random answer of the right kind."""
        pick = self.random
        if isinstance(request, PickOne):
            open_options = [option.id for option in request.options if option.refusal is None]
            return pick.choice(open_options) if open_options else request.default
        if isinstance(request, PickSeveral):
            open_options = [option.id for option in request.options if option.refusal is None]
            most = len(open_options) if request.most is None else min(request.most, len(open_options))
            number = pick.randint(min(request.least, most), most)
            return pick.sample(open_options, number)
        if isinstance(request, Allocate):
            given: dict[str, list[str]] = {}
            for thing in request.things:
                given.setdefault(pick.choice(request.receivers).id, []).append(thing)
            return given
        if isinstance(request, TypeDie):
            return pick.randint(1, request.sides)
        if isinstance(request, PickRoute):
            return self._route(battle, request)
        if isinstance(request, PickPlaces):
            return request.default
        return request.default

    def _route(self, battle: Any, request: PickRoute) -> Any:
        """Somewhere within reach, in a straight line; now and then it stays."""
        figure = next((one for one in self.game.scene(battle).figures if one.id == request.unit), None)
        if figure is None or self.random.random() < 0.2:
            return request.default if self.random.random() < 0.5 else {}
        far = int((request.reach or 6000) * self.random.random())
        angle = self.random.randrange(360)
        x = figure.x + round(far * sin(radians(angle)))
        y = figure.y + round(far * cos(radians(angle)))
        return {"path": [[x, y]], "facing": angle}


def legal(request: Request, check: Check | None, answer: Any) -> bool:
    """Whether the rules take an answer."""
    try:
        read_answer(request, check, answer)
    except RefusedError:
        return False
    return True


BOTS = {"random": RandomLegal}
