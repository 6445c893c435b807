"""How the tests of the procedures speak: `run("command_test", [15], command_level=14)`."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec

from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.kernel.dice import Scripted
from sandtable.odds import distribution


def run(name: str, dice: Iterable[int] = (), /, **facts: Any) -> Any:
    """The outcome with these dice: all of them, and no more, must be needed."""
    outcome, _ = run_with_trace(name, dice, **facts)
    return outcome


def run_with_trace(name: str, dice: Iterable[int] = (), /, **facts: Any) -> tuple[Any, list[Any]]:
    procedure = PROCEDURES[name]
    scripted = Scripted(dice)
    outcome = procedure.run(procedure.read(facts), scripted)
    scripted.finish()
    assert outcome.dice_fields is not None
    return outcome, scripted.trace


def plain(outcome: Any) -> dict[str, Any]:
    """An outcome as another program sees it."""
    built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(outcome))
    return built


def odds(name: str, *fields: str, **facts: Any) -> dict[Any, Fraction]:
    """The exact odds of some fields; a single field gives its values alone."""
    procedure = PROCEDURES[name]
    found = distribution(procedure.run, procedure.read(facts), fields=fields)
    return {value[0] if len(fields) == 1 else value: p for value, p in found.items()}
