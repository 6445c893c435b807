"""The battle is a value; it changes only by applying typed events.

A game's battle is a frozen record derived from `Battle`, its events are frozen records derived from `Event`. What one
side alone may know is kept in `Battle.secrets`, apart from everything else: views never include the other side's.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import msgspec

from sandtable.kernel.messages import Message
from sandtable.kernel.procedures import FrozenMap
from sandtable.kernel.traces import TraceEntry

SIDES = ("a", "b")


def other(side: str) -> str:
    return "b" if side == "a" else "a"


class Result(msgspec.Struct, frozen=True):
    """How a battle ended: the side that won (None for a draw) and why."""

    winner: str | None
    reason: Message
    rule: str = ""


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a battle. Games add their own fields."""

    secrets: FrozenMap = FrozenMap()
    """Side -> what it alone knows. Never in the other side's view."""
    result: Result | None = None

    def seen_by(self, side: str | None) -> Any:
        """The battle as a side (or, with None, the public) may know it."""
        if not self.secrets:
            return self
        kept = FrozenMap({side: self.secrets[side]}) if side is not None and side in self.secrets else FrozenMap()
        return msgspec.structs.replace(self, secrets=kept)


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Something that happened. `apply` gives the battle after it."""

    reveals: ClassVar[bool] = False
    """True for events that show the other side something it did not know: no way back behind them without consent."""

    def apply(self, battle: Any) -> Any:
        raise NotImplementedError

    def says(self) -> Message:
        """The event as a message; the game's texts have a sentence for every kind of event."""
        return Message(_message_id(type(self).__name__), msgspec.structs.asdict(self))

    def units(self) -> tuple[str, ...]:
        """The pieces it speaks of, for the map."""
        return ()

    def outlines(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The templates it speaks of, as they lay on the table, for the map."""
        return ()


@cache
def _message_id(name: str) -> str:
    """`PlanShown` -> `event.plan_shown`"""
    return "event." + "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Ended(Event, frozen=True):
    """The battle is over."""

    result: Result

    def apply(self, battle: Any) -> Any:
        return msgspec.structs.replace(battle, result=self.result)

    def says(self) -> Message:
        return Message("event.ended", {"winner": self.result.winner or "nobody", "reason": self.result.reason})


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event as it stands in the log: with the trace of how it came about, and who alone may see it."""

    event: Event
    trace: tuple[TraceEntry, ...] = ()
    only: str | None = None

    def seen_by(self, side: str | None) -> bool:
        return self.only is None or self.only == side
