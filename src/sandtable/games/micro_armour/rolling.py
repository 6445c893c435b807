"""Running procedures at a table, with the dice of the player who rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.games.micro_armour.battle import Battle
from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.kernel.dice import FaceDice, Scripted
from sandtable.kernel.events import SIDES
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
    """Dice of a procedure in which both players roll: `whose` tells from the label of a roll which side's it is."""

    def __init__(self, table: Table[Battle], whose: Callable[[str], str]) -> None:
        self._dice = {side: table.dice(side) for side in SIDES}
        one = self._dice[SIDES[0]]
        super().__init__(tracing=one.tracing)
        self.trace = one.trace
        self._whose = whose

    def face(self, sides: int, label: str) -> int:
        return self._dice[self._whose(label)].face(sides, label)
