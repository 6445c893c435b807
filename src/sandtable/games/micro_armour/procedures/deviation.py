"""Where a shell or an aircraft ends up, and picking one of several targets."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from sandtable.games.micro_armour.procedures.command import Tested, markers, test
from sandtable.games.micro_armour.procedures.registry import PROCEDURES
from sandtable.games.micro_armour.procedures.words import DIRECTIONS, Amount, Direction, Level
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score


class Drift(NamedTuple):
    """A Deviation Test, and where the fire goes if it failed."""

    tested: Tested
    direction: Direction | None = None
    bearing: int | None = None
    distance: float | None = None


def deviate(dice: Dice, kind: Literal["artillery", "air"], level: int, modifier: Score) -> Drift:
    """A Command Test; if it fails, 1D8 for the direction and 1D8/2 (artillery) or 1D10 (air) inches."""
    rule = "MA-ART-05" if kind == "artillery" else "MA-AIR-05"
    tested = test(dice, "roll.deviation_test", level, modifier)
    if tested.passed:
        return Drift(tested)
    direction = dice.roll(8, "roll.deviation_direction", rule=rule) - 1
    if kind == "artillery":
        distance = dice.roll(8, "roll.deviation_distance", rule=rule) / 2
    else:
        distance = float(dice.roll(10, "roll.deviation_distance", rule=rule))
    dice.note("note.deviated", "MA-RULING-20", direction=DIRECTIONS[direction], distance=distance)
    return Drift(tested, DIRECTIONS[direction], 45 * direction, distance)


class Deviation(Facts, frozen=True, kw_only=True):
    kind: Literal["artillery", "air"]
    command_level: Level
    suppressed: bool = False
    disorganised: bool = False
    other_modifier: Amount = 0


class DeviationResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("die",)

    die: int | None
    modifier: int
    passed: bool
    deviated: bool
    direction: Direction | None
    bearing: int | None
    distance: float | None


@PROCEDURES.add("deviation", "MA-ART-03", "MA-ART-04", "MA-ART-05", "MA-AIR-04", "MA-AIR-05", "MA-RULING-19", "MA-RULING-20")
def deviation(facts: Deviation, dice: Dice) -> DeviationResult:
    modifier = markers(facts.suppressed, facts.disorganised)
    modifier = modifier.plus_if(facts.other_modifier != 0, "modifier.other", facts.other_modifier, "MA-TEST-06")
    drift = deviate(dice, facts.kind, facts.command_level, modifier)
    return DeviationResult(
        die=drift.tested.die,
        modifier=modifier.needed,
        passed=drift.tested.passed,
        deviated=not drift.tested.passed,
        direction=drift.direction,
        bearing=drift.bearing,
        distance=drift.distance,
    )


class RandomPick(Facts, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=1, le=256)]


class RandomPickResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    index: int


@PROCEDURES.add("random_pick", "MA-AIR-06")
def random_pick(facts: RandomPick, dice: Dice) -> RandomPickResult:
    """One of several equally near units."""
    if facts.count == 1:
        return RandomPickResult(index=0)
    return RandomPickResult(index=dice.roll(facts.count, "roll.random_pick", rule="MA-AIR-06") - 1)
