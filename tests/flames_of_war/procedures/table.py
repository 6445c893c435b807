"""A few words to write rulings with: play a procedure with dice in a given order, ask its odds, expect a refusal."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.kernel.dice import Scripted
from sandtable.kernel.errors import InputError
from sandtable.odds import distribution


def play(procedure: str, faces: list[int] | tuple[int, ...] = (), /, **given: Any) -> dict[str, Any]:
    """The outcome as plain data. Every die given must be read, and none is missing."""
    known = PROCEDURES[procedure]
    dice = Scripted(faces)
    outcome = known.run(known.read(given), dice)
    dice.finish()
    return msgspec.json.decode(msgspec.json.encode(outcome))


def trace(procedure: str, faces: list[int] | tuple[int, ...] = (), /, **given: Any) -> list[Any]:
    known = PROCEDURES[procedure]
    dice = Scripted(faces)
    known.run(known.read(given), dice)
    return dice.trace


def odds(procedure: str, *fields: str, **given: Any) -> dict[Any, Fraction]:
    """Exact odds of some fields: a single value for one field, a tuple for several."""
    known = PROCEDURES[procedure]
    found = distribution(known.run, known.read(given), fields=fields)
    return {value[0] if len(fields) == 1 else value: p for value, p in found.items()}


def assert_refused(procedure: str, message: str, /, **given: Any) -> None:
    known = PROCEDURES[procedure]
    with pytest.raises(InputError) as refusal:
        known.run(known.read(given), Scripted([3] * 50))
    assert message in str(refusal.value), str(refusal.value)
