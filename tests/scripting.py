"""Answers given beforehand, for tests that run a step of a game: what the boards of all games share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.field.shapes import unit
from sandtable.kernel.decisions import Check, Request
from sandtable.kernel.table import Table, Waiting, read_answer

Place = tuple[float, float]
"""A place in inches."""

STAY: dict[str, Any] = {}

DEFAULT = object()
"""As an answer: the request's own default."""


def go(*points: Place, facing: int | None = None) -> dict[str, Any]:
    """An answer to a PickRoute, in inches."""
    answer: dict[str, Any] = {"path": [[unit(x), unit(y)] for x, y in points]}
    return answer if facing is None else answer | {"facing": facing}


def put(**places: tuple[float, float] | tuple[float, float, int]) -> dict[str, Any]:
    """An answer to a PickPlaces, in inches: put(panzer_1=(5, 5), panzer_2=(8, 5, 90))."""
    return {id: {"x": unit(p[0]), "y": unit(p[1]), "facing": p[2] if len(p) > 2 else 0} for id, p in places.items()}


class Script:
    """Answers given beforehand. Keeps the requests; `rest` answers everything after the last one."""

    def __init__(self, answers: Iterable[Any], rest: Any = None) -> None:
        self.answers, self.rest = list(answers), rest
        self.requests: list[Request] = []

    def next_answer(self, table: Table[Any], request: Request, check: Check | None) -> Any:
        self.requests.append(request)
        if self.answers:
            answer = self.answers.pop(0)
        elif self.rest is not None:
            answer = self.rest
        else:
            raise Waiting(request, check)
        if answer is DEFAULT:
            answer = request.default
        elif callable(answer):
            answer = answer(request)
        return read_answer(request, check, answer)
