"""The end of a turn: shedding S and D, or panic."""

from __future__ import annotations

from sandtable.games.micro_armour.procedures.combat import hard_suppression, take
from sandtable.games.micro_armour.procedures.command import NONE, markers, test_with_naturals
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Level, State
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome


class MarkerRemoval(Facts, frozen=True, kw_only=True):
    command_level: Level
    suppressed: bool = False
    disorganised: bool = False


class MarkerRemovalResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("die",)

    die: int | None
    modifier: int
    recovered: bool
    regrouped: bool
    panicked: bool
    suppressed: bool
    disorganised: bool
    eliminated: bool


def after_removal(
    dice: Dice, facts: MarkerRemoval, die: int | None, modifier: int, recovered: bool, regrouped: bool, panicked: bool
) -> MarkerRemovalResult:
    """The unit without the markers it shed; panic is one more (S)."""
    state = State(facts.suppressed and not recovered, facts.disorganised and not regrouped)
    if recovered:
        dice.note("note.recovered", "MA-MARK-03")
    if regrouped:
        dice.note("note.regrouped", "MA-MARK-04")
    if panicked:
        dice.note("note.panicked", "MA-MARK-05")
        state = take(state, hard_suppression(dice, state))
    return MarkerRemovalResult(
        die=die,
        modifier=modifier,
        recovered=recovered,
        regrouped=regrouped,
        panicked=panicked,
        suppressed=state.suppressed,
        disorganised=state.disorganised,
        eliminated=state.eliminated,
    )


@PROCEDURES.add("marker_removal", "MA-MARK-02", "MA-MARK-03", "MA-MARK-04", "MA-MARK-05", "MA-RULING-28")
def marker_removal(facts: MarkerRemoval, dice: Dice) -> MarkerRemovalResult:
    """One die serves both markers."""
    modifier = markers(facts.suppressed, facts.disorganised)
    if not facts.suppressed and not facts.disorganised:
        return after_removal(dice, facts, None, 0, False, False, False)
    tested = test_with_naturals(dice, "roll.marker_removal", facts.command_level, modifier)
    panicked = tested.natural == "twenty"
    recovered = facts.suppressed and tested.passed
    regrouped = facts.disorganised and tested.natural == "one"
    return after_removal(dice, facts, tested.die, modifier.needed, recovered, regrouped, panicked)


PERCENT = 5
"""The optional chart is in percent: five to a point of the d20."""


@PROCEDURES.add("marker_removal_optional", "MA-MARK-06", "MA-RULING-29")
def marker_removal_optional(facts: MarkerRemoval, dice: Dice) -> MarkerRemovalResult:
    """The same on 1D100 and a chart of its own; no natural 1 or 20 here."""
    if not facts.suppressed and not facts.disorganised:
        return after_removal(dice, facts, None, 0, False, False, False)
    chart = CHARTS["optional_marker_removal"]
    line = chart.record(max(10, min(20, facts.command_level)))
    base = CHARTS["movement_command_modifiers"]
    modifier = NONE.plus_if(facts.suppressed, "modifier.suppressed", PERCENT * base.value("suppressed"), "MA-RULING-29")
    modifier = modifier.plus_if(facts.disorganised, "modifier.disorganised", PERCENT * base.value("disorganised"), "MA-RULING-29")

    def reading(total: int) -> tuple[bool, bool, bool]:
        if total >= line["panic_min"]:
            return False, False, True
        recovered = facts.suppressed and total <= line["recover_max"]
        regrouped = facts.disorganised and total - modifier.needed <= line["regroup_max"]  # the plain die
        return recovered, regrouped, False

    recovered, regrouped, panicked = dice.read("roll.marker_removal", 100, reading, modifier=modifier, rule="MA-MARK-06")
    dice.looked_up("optional_marker_removal", {"level": line["level"]}, {key: line[key] for key in chart.fields[1:]}, "MA-MARK-06")
    return after_removal(dice, facts, dice.last, modifier.needed, recovered, regrouped, panicked)
