"""Running procedures at a table, with the dice of the player who rolls."""

from __future__ import annotations

from typing import Any

from sandtable.games.micro_armour.battle import Battle
from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.kernel.dice import FaceDice, Scripted
from sandtable.kernel.table import Table

QUIET = Scripted((), tracing=False)
"""For look-ups: it has no dice to roll and writes nothing down."""


def run(table: Table[Battle], side: str, name: str, /, **facts: Any) -> Any:
    """The outcome of a procedure with the dice of a side."""
    procedure = PROCEDURES[name]
    return procedure.run(procedure.facts(**facts), table.dice(side))


def look_up(name: str, /, **facts: Any) -> Any:
    """The outcome of a procedure that rolls nothing."""
    procedure = PROCEDURES[name]
    return procedure.run(procedure.facts(**facts), QUIET)


class BothDice(FaceDice):
    """Dice of a procedure in which both players roll: the label of a roll tells whose it is."""

    def __init__(self, table: Table[Battle], ends: dict[str, str]) -> None:
        one = table.dice(next(iter(ends.values())))
        super().__init__(tracing=one.tracing)
        self.trace = one.trace
        self._dice = {end: table.dice(side) for end, side in ends.items()}

    def face(self, sides: int, label: str) -> int:
        return next(dice for end, dice in self._dice.items() if label.endswith(end)).face(sides, label)
