"""Decisions: typed requests to a player, and how an answer is read.

A rule asks with a request and, where the rules limit the answer further, a check that raises `RefusedError` with the
rule it breaks. Answers are plain data (JSON), so that people, bots, files and the network are all just sources of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.kernel.errors import RefusedError
from sandtable.kernel.messages import Message
from sandtable.kernel.preparing import prepare

Check = Callable[[Any], None]
"""Raises RefusedError if the rules do not allow the answer."""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something is not possible."""

    rule: str
    message: Message


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a player may pick; with a refusal, one that he may not, and why."""

    id: str
    label: Message
    refusal: Refusal | None = None
    units: tuple[str, ...] = ()
    """The pieces it speaks of, for the map."""


class Request(msgspec.Struct, frozen=True, tag_field="ask", omit_defaults=True, kw_only=True):
    """A question to a player. `decision` is the id of the decision in the game's rules."""

    player: str
    decision: str
    prompt: Message
    unit: str = ""
    default: Any = None

    def read(self, answer: Any) -> Any:
        """The answer as the rule wants it, or RefusedError."""
        raise NotImplementedError


def _refuse(request: Request, message: str, **arguments: Any) -> RefusedError:
    return RefusedError(request.decision, message, **arguments)


def _brief(answer: Any) -> str:
    """A wrong answer as it is shown in the refusal: whatever it is, a few words."""
    try:
        text = str(answer)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists without end
        return type(answer).__name__
    return text if len(text) <= 80 else text[:77] + "..."


class PickOne(Request, frozen=True, tag="pick_one"):
    """Pick one of the options. The answer is its id."""

    options: tuple[Option, ...]

    def read(self, answer: Any) -> str:
        for option in self.options:
            if option.id == answer and isinstance(answer, str):
                if option.refusal is not None:
                    raise RefusedError(option.refusal.rule, option.refusal.message.id, **option.refusal.message.arguments)
                return option.id
        raise _refuse(self, "refused.no_such_option", answer=_brief(answer), options=[option.id for option in self.options][:40])


class PickSeveral(Request, frozen=True, tag="pick_several"):
    """Pick several different options. The answer is a list of ids; their order is kept."""

    options: tuple[Option, ...]
    least: int = 0
    most: int | None = None

    def read(self, answer: Any) -> tuple[str, ...]:
        if not isinstance(answer, list | tuple) or not all(isinstance(item, str) for item in answer):
            raise _refuse(self, "refused.not_a_list")
        known = {option.id: option for option in self.options}
        for item in answer:
            if item not in known:
                raise _refuse(self, "refused.no_such_option", answer=_brief(item), options=list(known)[:40])
            if (refusal := known[item].refusal) is not None:
                raise RefusedError(refusal.rule, refusal.message.id, **refusal.message.arguments)
        if len(set(answer)) != len(answer):
            raise _refuse(self, "refused.twice")
        most = len(self.options) if self.most is None else self.most
        if not self.least <= len(answer) <= most:
            raise _refuse(self, "refused.number", least=self.least, most=most, given=len(answer))
        return tuple(answer)


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a piece goes: the points of its path after the present one (grid units), and its facing at the end."""

    path: tuple[tuple[int, int], ...] = ()
    facing: int | None = None


class PickRoute(Request, frozen=True, tag="pick_route"):
    """A route for a unit. `reach` (grid units) and `hints` help to draw it; the check has the last word."""

    reach: int | None = None
    hints: dict[str, Any] = {}

    def read(self, answer: Any) -> Route:
        try:
            route = msgspec.convert(answer, Route)
        except msgspec.ValidationError as problem:
            raise _refuse(self, "refused.not_a_route", problem=str(problem)) from None
        if len(route.path) > 64 or any(abs(x) > 10**6 or abs(y) > 10**6 for x, y in route.path):
            raise _refuse(self, "refused.not_a_route", problem="at most 64 points, on the table")
        if route.facing is not None and not 0 <= route.facing < 360:
            raise _refuse(self, "refused.not_a_route", problem="a facing is a whole number of degrees from 0 to 359")
        return route


class Placing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a marker, template or piece is put (grid units, degrees)."""

    x: int
    y: int
    facing: int = 0


class PickPlaces(Request, frozen=True, tag="pick_places"):
    """A place for each of some pieces, markers or templates. The answer maps each id to x, y and facing."""

    pieces: tuple[str, ...]
    optional: bool = False
    """Whether pieces may be left out."""
    hints: dict[str, Any] = {}

    def read(self, answer: Any) -> dict[str, Placing]:
        try:
            places = msgspec.convert(answer, dict[str, Placing])
        except msgspec.ValidationError as problem:
            raise _refuse(self, "refused.not_places", problem=str(problem)) from None
        strange = [piece for piece in places if piece not in self.pieces]
        missing = [] if self.optional else [piece for piece in self.pieces if piece not in places]
        if strange or missing:
            raise _refuse(self, "refused.wrong_pieces", strange=strange[:20], missing=missing[:20])
        if any(abs(place.x) > 10**6 or abs(place.y) > 10**6 or not 0 <= place.facing < 360 for place in places.values()):
            raise _refuse(self, "refused.not_places", problem="places are on the table, facings from 0 to 359 degrees")
        return places


class Allocate(Request, frozen=True, tag="allocate"):
    """Give things out: the answer maps each receiver to the list of things it gets; every thing goes exactly once."""

    things: tuple[str, ...]
    receivers: tuple[Option, ...]

    def read(self, answer: Any) -> dict[str, tuple[str, ...]]:
        try:
            given = msgspec.convert(answer, dict[str, tuple[str, ...]])
        except msgspec.ValidationError as problem:
            raise _refuse(self, "refused.not_an_allocation", problem=str(problem)) from None
        known = {option.id for option in self.receivers}
        strange = [receiver for receiver in given if receiver not in known]
        if strange:
            raise _refuse(self, "refused.wrong_pieces", strange=strange[:20], missing=[])
        if sorted(thing for things in given.values() for thing in things) != sorted(self.things):
            raise _refuse(self, "refused.each_once")
        return given


class TypeDie(Request, frozen=True, tag="type_die"):
    """A die that the player rolls himself. The answer is its face."""

    sides: int
    label: str

    def read(self, answer: Any) -> int:
        if isinstance(answer, bool) or not isinstance(answer, int) or not 1 <= answer <= self.sides:
            raise _refuse(self, "refused.impossible_die", sides=self.sides, answer=_brief(answer))
        return answer


AnyRequest = PickOne | PickSeveral | PickRoute | PickPlaces | Allocate | TypeDie


def refusal_of(problem: RefusedError) -> Refusal:
    return Refusal(problem.rule, Message(problem.message, dict(problem.arguments)))


prepare(Route, Placing)
