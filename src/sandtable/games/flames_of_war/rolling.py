"""Running a procedure at the table: plain facts in, the roller's dice, the outcome out."""

from __future__ import annotations

from typing import Any

from sandtable.games.flames_of_war.battle import Battle
from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.kernel.table import Table


def run(table: Table[Battle], side: str, name: str, /, **facts: Any) -> Any:
    """The outcome of a procedure with the dice of a side."""
    procedure = PROCEDURES[name]
    return procedure.run(procedure.facts(**facts), table.dice(side))
