"""A player who knows no game: it picks at random among what the rules allow. The measure that every bot must beat."""

from __future__ import annotations

import hashlib
from math import cos, radians, sin
from random import Random
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Allocate, Check, PickOne, PickPlaces, PickRoute, PickSeveral, Request, TypeDie
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.table import first_legal, read_answer

TRIES = 4
"""How many random answers it tries before it puts one together, or falls back on the default."""
PLACES = 24
"""How many places it tries for a piece that is to be put onto the table: zones are a part of it only."""


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
        together = request.default
        if isinstance(request, PickSeveral):
            together = self._one_by_one(request, check)
        elif isinstance(request, PickPlaces):
            together = self._scattered(battle, request, check)
        return first_legal(request, check, (together, request.default, {}, [], None))

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
            return None  # places are put together one by one
        return request.default

    def _one_by_one(self, request: PickSeveral, check: Check | None) -> Any:
        """Options that go together: each is taken if the rules take it beside those before it, up to a number drawn beforehand."""
        known = [option.id for option in request.options if option.refusal is None]
        number = self.random.randint(request.least, max(request.least, len(known)))
        fewer = replace(request, least=0)  # on the way to it
        chosen: list[str] = []
        for option in self.random.sample(known, len(known)):
            if len(chosen) < number and legal(fewer, check, [*chosen, option]):
                chosen.append(option)
        return chosen

    def _scattered(self, battle: Any, request: PickPlaces, check: Check | None) -> Any:
        """From the default each piece in turn goes somewhere else on the table, if one of a few places drawn is allowed."""
        if not isinstance(request.default, dict) or not legal(request, check, request.default):
            return None
        scene = self.game.scene(battle)
        places = dict(request.default)
        for piece in places:
            for _ in range(PLACES):
                x, y, facing = self.random.randrange(scene.width), self.random.randrange(scene.height), self.random.randrange(360)
                moved = {**places, piece: {"x": x, "y": y, "facing": facing}}
                if legal(request, check, moved):
                    places = moved
                    break
        return places

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
