"""What a player types, turned into the answer that a request wants. The rules have the last word; here is only reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sandtable.kernel.decisions import Allocate, Option, PickOne, PickPlaces, PickRoute, PickSeveral, TypeDie
from sandtable.kernel.messages import Message, say
from sandtable.kernel.scene import Scene
from sandtable.text_table.describing import find_piece, find_place
from sandtable.text_table.places import GRID, apart, bearing, corners, to_edge, towards

WINDS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,6})?")
POINT = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?),(-?\d{1,6}(?:\.\d{1,6})?)")


class NotUnderstood(Exception):
    """A line that is no answer to the question; with a hint what would be."""

    def __init__(self, hint: Message) -> None:
        super().__init__(hint.id)
        self.hint = hint


# -- picking ------------------------------------------------------------------------------------------------------


def read_one(request: PickOne, text: str) -> str:
    """An option by its number, its id or the beginning of its id."""
    found = _option(request.options, text)
    if found is None:
        raise NotUnderstood(say("hint.one"))
    return found


def read_several(request: PickSeveral, text: str) -> list[str]:
    """Options by numbers, ranges, ids; `all` that are possible, or `none`."""
    most = len(request.options) if request.most is None else request.most
    hint = NotUnderstood(say("hint.several", least=request.least, most=most))
    if text == "all":
        return [option.id for option in request.options if option.refusal is None]
    if text == "none":
        return []
    chosen: list[str] = []
    for part in text.replace(",", " ").split():
        span = re.fullmatch(r"(\d{1,4})-(\d{1,4})", part)
        if span:
            numbers = range(int(span[1]), int(span[2]) + 1)
            if not numbers or numbers[0] < 1 or numbers[-1] > len(request.options):
                raise hint
            chosen += [request.options[number - 1].id for number in numbers]
            continue
        found = _option(request.options, part)
        if found is None:
            raise hint
        chosen.append(found)
    return list(dict.fromkeys(chosen))


def _option(options: Sequence[Option], text: str) -> str | None:
    for option in options:
        if option.id == text:
            return option.id
    if re.fullmatch(r"\d{1,6}", text):
        return options[int(text) - 1].id if 1 <= int(text) <= len(options) else None
    begun = [option.id for option in options if text and option.id.casefold().startswith(text.casefold())]
    return begun[0] if len(begun) == 1 else None


def read_die(request: TypeDie, text: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text):
        raise NotUnderstood(say("hint.die", sides=request.sides))
    return int(text)


# -- routes and places --------------------------------------------------------------------------------------------


def _number(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) else None


def _point(text: str) -> tuple[int, int] | None:
    found = POINT.fullmatch(text)
    return (round(float(found[1]) * GRID), round(float(found[2]) * GRID)) if found else None


def _degrees(text: str) -> float | None:
    """A direction: one of the eight winds, or degrees clockwise from north."""
    if text.casefold() in WINDS:
        return WINDS.index(text.casefold()) * 45.0
    number = _number(text)
    return number % 360 if number is not None else None


class _Words:
    """The words of a line, taken one by one."""

    def __init__(self, text: str, hint: Message) -> None:
        self.words = re.sub(r"\s*,\s*(?=-?\d)", ",", text).replace(";", " ").split()
        self.hint = hint

    def __bool__(self) -> bool:
        return bool(self.words)

    def next(self) -> str:
        if not self.words:
            raise NotUnderstood(self.hint)
        return self.words.pop(0)

    def peek(self) -> str:
        return self.words[0] if self.words else ""

    def direction(self) -> float:
        found = _degrees(self.next())
        if found is None:
            raise NotUnderstood(self.hint)
        return found

    def distance(self) -> float:
        found = _number(self.next())
        if found is None:
            raise NotUnderstood(self.hint)
        return found * GRID


def read_route(request: PickRoute, text: str, scene: Scene) -> dict[str, Any]:
    """`n 6; e 4`, `45 6`, `12,34 15,30`, `to UNIT`, `to UNIT 5`, each with `face n` at the end; `stay`."""
    words = _Words(text, say("hint.route"))
    figure = find_piece(scene, request.unit) if request.unit else None
    at: tuple[int, int] | None = None if figure is None else (figure.x, figure.y)
    path: list[list[int]] = []
    facing: int | None = None
    left = None if request.reach is None else float(request.reach)
    if not words:
        raise NotUnderstood(words.hint)
    while words:
        word = words.next()
        point = _point(word)
        if word == "stay":
            continue
        if word == "face":
            facing = round(words.direction()) % 360
            continue
        if point is None and at is None:
            raise NotUnderstood(words.hint)  # no piece to start from: only points make sense
        if point is None:
            assert at is not None
            if word == "to":
                point = _towards_piece(words, scene, figure, at, left)
            else:
                degrees = _degrees(word)
                if degrees is None:
                    raise NotUnderstood(words.hint)
                point = towards(at, degrees, words.distance())
        if at is not None and left is not None:
            left = max(0.0, left - apart(at, point))
        at = point
        path.append([point[0], point[1]])
    answer: dict[str, Any] = {"path": path}
    if facing is not None:
        answer["facing"] = facing
    return answer


def _towards_piece(words: _Words, scene: Scene, mover: Any, at: tuple[int, int], left: float | None) -> tuple[int, int]:
    """Towards a piece or place: so far as said, else until contact or as far as it can go."""
    name = words.next()
    goal = find_place(scene, name)
    if goal is None:
        raise NotUnderstood(say("table.no_such_piece", word=name))
    target = find_piece(scene, name)
    if NUMBER.fullmatch(words.peek()):
        distance = words.distance()
    else:
        distance = apart(at, goal)
        if target is not None and mover is not None:
            distance = max(0.0, to_edge(at, corners(target)) - mover.depth / 2)
        if left is not None:
            distance = min(distance, left)
    return towards(at, bearing(at, goal), int(distance))


class PlacesDraft:
    """Places being typed, piece by piece, until they are all there or `done` is said. It outlives a refusal."""

    def __init__(self, request: PickPlaces, scene: Scene) -> None:
        self.request, self.scene = request, scene
        self.placed: dict[str, dict[str, int]] = {}

    @property
    def left(self) -> list[str]:
        return [piece for piece in self.request.pieces if piece not in self.placed]

    def take(self, text: str) -> dict[str, Any] | None:
        """A typed line. The answer when it is ready."""
        words = _Words(text, say("hint.places"))
        if words.peek() == "done":
            return dict(self.placed)
        if words.peek() == "row":
            words.next()
            self._row(words)
        else:
            piece = self._piece(words)
            spot = self._spot(words)
            self.placed[piece] = {"x": spot[0], "y": spot[1], "facing": self._facing(words)}
        return None if self.left else dict(self.placed)

    def _piece(self, words: _Words) -> str:
        pieces = self.request.pieces
        if words.peek() in pieces:
            return words.next()
        if len(pieces) == 1:
            return pieces[0]
        word = words.next()
        if re.fullmatch(r"\d{1,4}", word) and 1 <= int(word) <= len(pieces):
            return pieces[int(word) - 1]
        raise NotUnderstood(words.hint)

    def _spot(self, words: _Words) -> tuple[int, int]:
        """`12,34`, `at NAME` or `6 ne of NAME`."""
        word = words.next()
        point = _point(word)
        if point is not None:
            return point
        if word == "at":
            return self._named(words)
        far = _number(word)
        if far is None:
            raise NotUnderstood(words.hint)
        degrees = words.direction()
        if words.next() != "of":
            raise NotUnderstood(words.hint)
        return towards(self._named(words), degrees, far * GRID)

    def _named(self, words: _Words) -> tuple[int, int]:
        name = words.next()
        found = find_place(self.scene, name)
        if found is None and name in self.placed:
            found = (self.placed[name]["x"], self.placed[name]["y"])
        if found is None:
            raise NotUnderstood(say("table.no_such_piece", word=name))
        return found

    def _facing(self, words: _Words) -> int:
        if not words:
            return 0
        if words.next() != "face":
            raise NotUnderstood(words.hint)
        return round(words.direction()) % 360

    def _row(self, words: _Words) -> None:
        start = self._spot(words)
        degrees, step = words.direction(), words.distance()
        facing = self._facing(words)
        for number, piece in enumerate(self.left):
            x, y = towards(start, degrees, step * number)
            self.placed[piece] = {"x": x, "y": y, "facing": facing}


class AllocationDraft:
    """Things being given out, one after the other."""

    def __init__(self, request: Allocate) -> None:
        self.request = request
        self.given: dict[str, list[str]] = {}
        self.left = list(request.things)

    def take(self, text: str) -> dict[str, Any] | None:
        words = text.split()
        everything = len(words) == 2 and words[0] == "all"
        receiver = _option(self.request.receivers, words[-1]) if words else None
        if receiver is None or (len(words) > 1 and not everything):
            raise NotUnderstood(say("hint.allocate"))
        for _ in range(len(self.left) if everything else 1):
            self.given.setdefault(receiver, []).append(self.left.pop(0))
        return None if self.left else dict(self.given)
