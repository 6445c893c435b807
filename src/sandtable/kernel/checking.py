"""Plain data against a record: every mistake at once, each with its place, what is wrong and what would be right.

`msgspec` stops at the first mistake; a player who edits a file wants to see them all.
"""

from __future__ import annotations

import datetime
import difflib
import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

MOST_ITEMS = 500
MOST_CHARACTERS = 1000
FARTHEST = 1000


class Findings:
    """The mistakes found so far."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def add(self, place: str, message: str) -> None:
        text = printable(f"{place}: {message}" if place else message)
        if text not in self.problems:
            self.problems.append(text)

    def __len__(self) -> int:
        return len(self.problems)

    # -- words ----------------------------------------------------------------------------------------------------

    def unknown(self, place: str, what: str, word: object, known: Iterable[str]) -> None:
        """A word that is not one of the known ones, with the nearest of them."""
        self.add(place, f"{what} {show(word)} is not known{suggestion(word, known)}")

    def fields(self, place: str, data: Mapping[Any, Any], known: Iterable[str]) -> None:
        """Fields that nobody knows."""
        names = list(known)
        for field in data:
            if field not in names:
                self.unknown(place, "field", field, names)

    # -- shapes of data -------------------------------------------------------------------------------------------

    def record(self, place: str, kind: type[msgspec.Struct], data: Mapping[Any, Any], checked: Iterable[str] = ()) -> bool:
        """Whether plain data fits a record; `checked` are fields that somebody else looks at."""
        before = len(self)
        known = _fields(kind)
        self.fields(place, data, known)
        for name, field in known.items():
            if name in checked:
                continue
            if name in data:
                self.value(place, name, field.type, data[name])
            elif field.required:
                self.add(place, f"{name} is missing; it should be {describe(field.type)}")
        return len(self) == before

    def value(self, place: str, name: str, kind: inspect.Type, value: Any) -> bool:
        """Whether a value is of a kind; `name` is what to call it."""
        if isinstance(kind, inspect.UnionType):
            options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
            if value is None and len(options) < len(kind.types):
                return True
            return self.value(place, name, options[0], value)
        if isinstance(kind, inspect.StructType):
            if not isinstance(value, Mapping):
                return self._wrong(place, name, kind, value)
            return self.record(f"{place}, {name}" if place else name, kind.cls, value)
        if isinstance(kind, inspect.VarTupleType):
            if not isinstance(value, list | tuple):
                return self._wrong(place, name, kind, value)
            if len(value) > MOST_ITEMS:
                self.add(place, f"{name} has {len(value)} entries; {MOST_ITEMS} are the most")
                return False
            before = len(self)
            for number, item in enumerate(value, 1):
                self.value(place, f"{name} {number}", kind.item_type, item)
            return len(self) == before
        if isinstance(kind, inspect.TupleType):
            if not isinstance(value, list | tuple) or len(value) != len(kind.item_types):
                return self._wrong(place, name, kind, value)
            if not all(_fits(option, item) for option, item in zip(kind.item_types, value, strict=True)):
                return self._wrong(place, name, kind, value)
            return True
        if isinstance(kind, inspect.LiteralType) and isinstance(value, str) and value not in kind.values:
            hint = suggestion(value, [str(word) for word in kind.values]) or f"; it should be {describe(kind)}"
            self.add(place, f"{name} {show(value)} is not known{hint}")
            return False
        return _fits(kind, value) or self._wrong(place, name, kind, value)

    def _wrong(self, place: str, name: str, kind: inspect.Type, value: Any) -> bool:
        self.add(place, f"{name} is {show(value)}; it should be {describe(kind)}")
        return False


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, inspect.Field]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field for field in info.fields}


def is_number(value: Any) -> bool:
    """A number that one can measure with: not true or false, not infinite, not absurd."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(_small(value)) and abs(value) <= 10**9


def _small(value: int | float) -> float:
    return math.inf if isinstance(value, int) and abs(value) > 10**9 else float(value)


def _fits(kind: inspect.Type, value: Any) -> bool:
    if isinstance(kind, inspect.LiteralType):
        return isinstance(value, str) and value in kind.values
    if isinstance(kind, inspect.BoolType):
        return isinstance(value, bool)
    if isinstance(kind, inspect.StrType):
        return (
            isinstance(value, str)
            and value.isprintable()
            and len(value) >= (kind.min_length or 0)
            and len(value) <= (kind.max_length or MOST_CHARACTERS)
            and (kind.pattern is None or re.search(kind.pattern, value) is not None)
        )
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        if not is_number(value) or (isinstance(kind, inspect.IntType) and not isinstance(value, int)):
            return False
        low, high = _limits(kind)
        return low <= value <= high and (kind.gt is None or value > kind.gt)
    return False


def _limits(kind: inspect.IntType | inspect.FloatType) -> tuple[float, float]:
    low = kind.ge if kind.ge is not None else kind.gt if kind.gt is not None else -FARTHEST
    return low, kind.le if kind.le is not None else FARTHEST


def describe(kind: inspect.Type) -> str:
    """What a value of a kind looks like, in words."""
    if isinstance(kind, inspect.UnionType):
        return describe(next(option for option in kind.types if not isinstance(option, inspect.NoneType)))
    if isinstance(kind, inspect.StructType):
        return "a table"
    if isinstance(kind, inspect.VarTupleType):
        return "a list"
    if isinstance(kind, inspect.TupleType):
        return f"a list of {len(kind.item_types)} numbers"
    if isinstance(kind, inspect.LiteralType):
        return "one of " + ", ".join(str(word) for word in kind.values)
    if isinstance(kind, inspect.BoolType):
        return "true or false"
    if isinstance(kind, inspect.StrType):
        if kind.pattern is not None:
            return "an id: small letters, digits and _, at most 60"
        return f"a text of at most {kind.max_length or MOST_CHARACTERS} characters, in one line"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        low, high = _limits(kind)
        number = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
        return f"{number} {'above' if kind.gt is not None else 'from'} {low:g} {'and at most' if kind.gt is not None else 'to'} {high:g}"
    return "something else"


def show(value: object) -> str:
    """A value as a reader of the file knows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = value if len(value) <= 40 else value[:37] + "..."
        return f'"{printable(text)}"'
    if isinstance(value, int | float):
        return f"{value:g}" if math.isfinite(_small(value)) else "a number beyond all measure"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "an empty list" if not value else f"a list of {len(value)}"
    if isinstance(value, datetime.date | datetime.time):
        return "a date or time"
    return "nothing" if value is None else "something else"


def printable(text: str) -> str:
    """A text that spoils no terminal."""
    return text if text.isprintable() else "".join(character if character.isprintable() else "?" for character in text)


def suggestion(word: object, known: Iterable[str]) -> str:
    """ "; did you mean ...?", or nothing."""
    near = difflib.get_close_matches(word[:80], list(known), n=1, cutoff=0.7) if isinstance(word, str) else []
    return f"; did you mean {near[0]}?" if near else ""
