"""What the distance does to a shot."""

from __future__ import annotations

from math import ceil

from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Inches, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome


class RangeEffect(Facts, frozen=True, kw_only=True):
    tl: TechLevel
    distance: Inches
    atgm: bool = False


class RangeEffectResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    range_inches: int
    modifier: int


@PROCEDURES.add(
    "range_effect",
    "MA-RANGE-01",
    "MA-RANGE-02",
    "MA-RANGE-03",
    "MA-RANGE-04",
    "MA-FIRE-08",
    "MA-RULING-09",
    "MA-RULING-10",
)
def range_effect(facts: RangeEffect, dice: Dice) -> RangeEffectResult:
    range_inches = max(1, ceil(facts.distance))  # whole inches, rounded up, at least 1
    if facts.atgm:
        dice.note("note.atgm_no_range", "MA-FIRE-08")
        return RangeEffectResult(range_inches=range_inches, modifier=0)
    column = min(facts.tl, 4)  # TL5 has no column of its own
    modifier: int = CHARTS["range_effects"].at(range_inches, column)["modifier"]
    dice.looked_up("range_effects", {"tl": column, "inches": range_inches}, modifier, "MA-RANGE-01" if facts.tl < 5 else "MA-RANGE-04")
    return RangeEffectResult(range_inches=range_inches, modifier=modifier)
