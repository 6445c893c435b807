"""Every number explains itself: the records that a roll, a look-up or a ruling leaves behind.

A trace is data. Labels are message ids; words come from the message files, in the reader's language, at the edge.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Modifier(msgspec.Struct, frozen=True, array_like=False):
    """One reason why a number is what it is."""

    label: str
    amount: int
    rule: str = ""


class Score(msgspec.Struct, frozen=True):
    """A target number that remembers where it came from: a base, then modifiers, kept to the end."""

    needed: int
    parts: tuple[Modifier, ...]

    @staticmethod
    def of(base: int, label: str, rule: str = "") -> Score:
        return Score(base, (Modifier(label, base, rule),))

    def plus(self, label: str, amount: int, rule: str = "") -> Score:
        return Score(self.needed + amount, (*self.parts, Modifier(label, amount, rule)))

    def plus_if(self, applies: bool, label: str, amount: int, rule: str = "") -> Score:
        return self.plus(label, amount, rule) if applies else self


class Roll(msgspec.Struct, frozen=True, tag="roll", omit_defaults=True):
    """Dice that were rolled, what they were for, and what came of it."""

    label: str
    sides: int
    faces: tuple[int, ...]
    needed: str = ""
    result: Any = None
    modifiers: tuple[Modifier, ...] = ()
    rule: str = ""


class LookUp(msgspec.Struct, frozen=True, tag="chart", omit_defaults=True):
    """A chart that was read, with the keys and the value found."""

    chart: str
    keys: dict[str, Any]
    value: Any
    rule: str = ""


class Note(msgspec.Struct, frozen=True, tag="note", omit_defaults=True):
    """A ruling applied without dice: a message id with its arguments."""

    message: str
    rule: str = ""
    arguments: dict[str, Any] = {}


TraceEntry = Roll | LookUp | Note
