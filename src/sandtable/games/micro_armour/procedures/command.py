"""The Command Test, and what is rolled for command: initiative, Orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Amount, Level, Natural
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score

NONE = Score(0, ())
"""No modifier yet: modifiers are added to it one by one."""

MARKERS: Mapping[str, int] = CHARTS["movement_command_modifiers"].column("modifier")
MOST_FROM_COMBAT = 7


class Tested(NamedTuple):
    """A Command Test that was rolled. The die and the total are None with exact dice."""

    passed: bool
    die: int | None
    total: int | None
    natural: Natural = "none"


def together(one: Score, other: Score) -> Score:
    """The modifiers of two lists in one."""
    return Score(one.needed + other.needed, one.parts + other.parts) if other.parts else one


def plus(die: int | None, amount: int) -> int | None:
    return None if die is None else die + amount


def markers(suppressed: bool, disorganised: bool, amounts: Mapping[str, int] = MARKERS) -> Score:
    """S is +4 once, D is +3; what combat results add is never more than +7."""
    modifier = NONE.plus_if(suppressed, "modifier.suppressed", amounts["suppressed"], "MA-TEST-03")
    modifier = modifier.plus_if(disorganised, "modifier.disorganised", amounts["disorganised"], "MA-TEST-03")
    over = modifier.needed - MOST_FROM_COMBAT
    return modifier.plus_if(over > 0, "modifier.most_from_combat", -over, "MA-TEST-04")


def highest_that_passes(level: int, modifier: int) -> int:
    """Die plus modifier must not exceed the level, but a 1 always passes and a 20 never does."""
    return max(1, min(19, level - modifier))


def test(dice: Dice, label: str, level: int, modifier: Score) -> Tested:
    """A Command Test of which only passed or failed matters."""
    highest = highest_that_passes(level, modifier.needed)
    passed = dice.band(label, 20, (highest + modifier.needed,), modifier=modifier, rule="MA-TEST-01") == 0
    tested = Tested(passed, dice.last, plus(dice.last, modifier.needed))
    _explain(dice, level, tested)
    return tested


def test_with_naturals(dice: Dice, label: str, level: int, modifier: Score) -> Tested:
    """A Command Test in which an unmodified 1 or 20 means something of its own."""
    highest = highest_that_passes(level, modifier.needed)
    uppers = (1 + modifier.needed, highest + modifier.needed, 19 + modifier.needed)
    band = dice.band(label, 20, uppers, modifier=modifier, rule="MA-TEST-01")
    natural: Natural = "one" if band == 0 else "twenty" if band == 3 else "none"
    tested = Tested(band <= 1, dice.last, plus(dice.last, modifier.needed), natural)
    _explain(dice, level, tested)
    return tested


def _explain(dice: Dice, level: int, tested: Tested) -> None:
    if not dice.tracing:
        return
    if tested.die == 1:
        dice.note("note.natural_one", "MA-TEST-02")
    elif tested.die == 20:
        dice.note("note.natural_twenty", "MA-TEST-02")
    else:
        dice.note("note.test_passed" if tested.passed else "note.test_failed", "MA-TEST-01", total=tested.total, level=level)


class CommandTest(Facts, frozen=True, kw_only=True):
    command_level: Level
    suppressed: bool = False
    disorganised: bool = False
    other_modifier: Amount = 0


class CommandTestResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("die", "total")

    die: int | None
    modifier: int
    total: int | None
    passed: bool
    natural: Natural


@PROCEDURES.add("command_test", "MA-TEST-01", "MA-TEST-02", "MA-TEST-03", "MA-TEST-04", "MA-TEST-06", "MA-RULING-49")
def command_test(facts: CommandTest, dice: Dice) -> CommandTestResult:
    modifier = markers(facts.suppressed, facts.disorganised)
    modifier = modifier.plus_if(facts.other_modifier != 0, "modifier.other", facts.other_modifier, "MA-TEST-06")
    tested = test_with_naturals(dice, "roll.command_test", facts.command_level, modifier)
    return CommandTestResult(die=tested.die, modifier=modifier.needed, total=tested.total, passed=tested.passed, natural=tested.natural)


class Initiative(Facts, frozen=True, kw_only=True):
    level_a: Level
    level_b: Level


class InitiativeResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("total_a", "total_b")

    total_a: int | None
    total_b: int | None
    winner: Literal["a", "b", "tie"]


WINNERS: tuple[Literal["a", "b", "tie"], ...] = ("a", "tie", "b")


@PROCEDURES.add("initiative", "MA-INIT-01", "MA-INIT-02", "MA-RULING-04")
def initiative(facts: Initiative, dice: Dice) -> InitiativeResult:
    """2D6 plus Command Level for each side; the higher total wins. Whoever asked rolls a tie again."""
    level_a = Score.of(facts.level_a, "modifier.command_level", "MA-INIT-01")
    level_b = Score.of(facts.level_b, "modifier.command_level", "MA-INIT-01")
    a = dice.total(2, 6, "roll.initiative_a", modifier=level_a, rule="MA-INIT-01")
    total_a = plus(dice.last, facts.level_a)
    band = dice.band("roll.initiative_b", 6, (a - 1, a), number=2, modifier=level_b, rule="MA-INIT-01")
    total_b = plus(dice.last, facts.level_b)
    winner = WINNERS[band]
    dice.note("note.initiative_tie" if winner == "tie" else f"note.initiative_{winner}", "MA-INIT-02" if winner == "tie" else "MA-INIT-01")
    return InitiativeResult(total_a=total_a, total_b=total_b, winner=winner)


class CommandEffectiveness(Facts, frozen=True, kw_only=True):
    ghq_alive: bool = True
    command_value: Amount = 0
    generation: Annotated[int, Meta(ge=1, le=4)] = 2


class CommandEffectivenessResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("dice_sum", "modified_roll")

    dice_sum: int | None
    modified_roll: int | None
    orders: int


def orders_at(roll: int) -> int:
    found: int = CHARTS["command_effectiveness"].at(roll)["orders"]
    return found


@PROCEDURES.add("command_effectiveness", "MA-CMD-01", "MA-CMD-02", "MA-CMD-03", "MA-RULING-06")
def command_effectiveness(facts: CommandEffectiveness, dice: Dice) -> CommandEffectivenessResult:
    """How many Orders a side has this turn."""
    if not facts.ghq_alive:
        dice.note("note.no_orders", "MA-CMD-03")
        return CommandEffectivenessResult(dice_sum=None, modified_roll=None, orders=0)
    generation = CHARTS["generation_modifiers"].value(facts.generation)
    modifier = NONE.plus_if(facts.command_value != 0, "modifier.ghq_command_value", facts.command_value, "MA-CMD-01")
    modifier = modifier.plus_if(generation != 0, "modifier.generation", generation, "MA-CMD-02")
    orders = dice.read("roll.orders", 6, orders_at, number=2, modifier=modifier, rule="MA-CMD-01")
    modified_roll = plus(dice.last, modifier.needed)
    dice.looked_up("command_effectiveness", {"roll": modified_roll}, orders, "MA-CMD-01")
    return CommandEffectivenessResult(dice_sum=dice.last, modified_roll=modified_roll, orders=orders)
