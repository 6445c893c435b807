"""What every odds card is made of: lines with exact chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.kernel.dice import Dice
from sandtable.kernel.game import Card, Chance
from sandtable.kernel.messages import Message, say
from sandtable.kernel.traces import Modifier
from sandtable.odds import Distribution, distribution

QUIET = Dice()
"""For procedures that roll nothing."""
Parts = tuple[Modifier, ...]


def line(id: str, p: Fraction, **arguments: Any) -> Chance:
    return Chance(say(id, **arguments), str(p))


def possible(chance: Chance) -> list[Chance]:
    """The line, unless it can never be."""
    return [] if chance.p == "0" else [chance]


def counted(odds: Distribution, place: int, id: str) -> list[Chance]:
    """One line for each number that may come up, in order."""
    counts = odds.map(lambda outcome: outcome[place])
    return [line(id, counts.p(number), number=number) for number in sorted(counts)]


def tested(name: str, good: str, parts: Parts, summary: Message, field: str = "result", **facts: Any) -> Card:
    """One procedure, one question: whether it succeeds."""
    procedure = PROCEDURES[name]
    p = distribution(procedure.run, procedure.facts(**facts), fields=(field,)).chance(lambda outcome: str(outcome[0]) == good)
    return Card(summary, (line("chance.succeeds", p), line("chance.fails", 1 - p)), (parts,) if parts else ())
