"""Standard fire: one Combat Event, and an attack of several units on one target."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from sandtable.games.micro_armour.procedures.advantage import CombatAdvantage, combat_advantage
from sandtable.games.micro_armour.procedures.combat import LEAST, attack
from sandtable.games.micro_armour.procedures.command import markers, test, together
from sandtable.games.micro_armour.procedures.ranges import RangeEffect, range_effect
from sandtable.games.micro_armour.procedures.registry import PROCEDURES
from sandtable.games.micro_armour.procedures.terrain import Target, terrain_modifiers
from sandtable.games.micro_armour.procedures.words import Amount, Aspect, Effect, Inches, Level, Result, State, Strength, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome

Reason = Literal["none", "below_minimum_range", "out_of_range", "no_factor", "advantage_too_low"]


class Firer(Facts, frozen=True, kw_only=True):
    """A unit that fires, and its line of fire."""

    command_level: Level
    attacker_tl: TechLevel
    attacker_suppressed: bool = False
    attacker_disorganised: bool = False
    attacker_support: bool = False
    ap: Strength | None = None
    he: Strength | None = None
    atgm: bool = False
    atgm_test_modifier: Amount = 0
    atgm_min_range: Inches = 0.0
    max_range: Inches | None = None
    distance: Inches
    aspect: Aspect = "front"
    firer_in_smoke: bool = False
    over_crest: bool = False


class StandardFire(Target, frozen=True, kw_only=True):
    """The fields of a `Firer` and of its `Target` side by side."""

    command_level: Level
    attacker_tl: TechLevel
    attacker_suppressed: bool = False
    attacker_disorganised: bool = False
    attacker_support: bool = False
    ap: Strength | None = None
    he: Strength | None = None
    atgm: bool = False
    atgm_test_modifier: Amount = 0
    atgm_min_range: Inches = 0.0
    max_range: Inches | None = None
    distance: Inches
    aspect: Aspect = "front"
    firer_in_smoke: bool = False
    over_crest: bool = False


class StandardFireResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("test_die", "test_total", "dice_sum", "modified_roll")

    allowed: bool
    reason: Reason
    test_die: int | None = None
    test_modifier: int | None = None
    test_total: int | None = None
    passed: bool | None = None
    advantage: int | None
    roll_modifier: int | None = None
    dice_sum: int | None = None
    modified_roll: int | None = None
    result: Result | None = None
    effect: Effect = "no_effect"
    suppressed: bool
    disorganised: bool
    eliminated: bool


def fire(firer: Firer | StandardFire, target: Target, state: State, dice: Dice) -> StandardFireResult:
    """One Combat Event against a target whose markers are given by `state`."""
    advantage = advantage_of(firer, target, dice)
    reason, rule = why_not(firer, advantage)
    if reason != "none":
        dice.note(f"reason.{reason}", rule)
        return StandardFireResult(
            allowed=False,
            reason=reason,
            advantage=advantage,
            suppressed=state.suppressed,
            disorganised=state.disorganised,
            eliminated=state.eliminated,
        )
    assert advantage is not None

    # Step 1: the Command Test of the firer.
    terrain_on_test, terrain_on_roll = terrain_modifiers(target, firer.firer_in_smoke, firer.over_crest, dice)
    on_test = together(markers(firer.attacker_suppressed, firer.attacker_disorganised), terrain_on_test)
    on_test = on_test.plus_if(firer.atgm and firer.atgm_test_modifier != 0, "modifier.atgm", firer.atgm_test_modifier, "MA-RULING-17")
    tested = test(dice, "roll.command_test", firer.command_level, on_test)

    # Steps 5 and 6: what modifies the 2D6.
    at_range = range_effect(RangeEffect(tl=firer.attacker_tl, distance=firer.distance, atgm=firer.atgm), dice).modifier
    on_roll = terrain_on_roll.plus_if(at_range != 0, "modifier.range", at_range, "MA-FIRE-07")
    if not tested.passed:
        dice.note("note.does_not_fire", "MA-TEST-05")
        return StandardFireResult(
            allowed=True,
            reason="none",
            test_die=tested.die,
            test_modifier=on_test.needed,
            test_total=tested.total,
            passed=False,
            advantage=advantage,
            roll_modifier=on_roll.needed,
            suppressed=state.suppressed,
            disorganised=state.disorganised,
            eliminated=state.eliminated,
        )

    # Step 7: read the chart and apply the result at once.
    hit = attack(dice, advantage, on_roll, "standard", firer.attacker_tl, firer.attacker_support, target.target_class, state)
    return StandardFireResult(
        allowed=True,
        reason="none",
        test_die=tested.die,
        test_modifier=on_test.needed,
        test_total=tested.total,
        passed=True,
        advantage=advantage,
        roll_modifier=on_roll.needed,
        dice_sum=hit.dice_sum,
        modified_roll=hit.modified_roll,
        result=hit.result,
        effect=hit.effect,
        suppressed=hit.suppressed,
        disorganised=hit.disorganised,
        eliminated=hit.eliminated,
    )


def advantage_of(firer: Firer | StandardFire, target: Target, dice: Dice) -> int | None:
    """Steps 2 to 4. None without a factor; a missile has one against armoured targets only."""
    if firer.atgm and target.target_class != "armoured":
        dice.note("note.atgm_armoured_only", "MA-RULING-51")
        return None
    return combat_advantage(
        CombatAdvantage(
            attack_kind="standard",
            target_class=target.target_class,
            ap=firer.ap,
            he=firer.he,
            defence=target.defence,
            target_moving=target.target_moving,
            aspect=firer.aspect,
        ),
        dice,
    ).advantage


def why_not(firer: Firer | StandardFire, advantage: int | None) -> tuple[Reason, str]:
    """The first reason against this shot, with its rule."""
    if firer.atgm and firer.distance < firer.atgm_min_range:
        return "below_minimum_range", "MA-FIRE-09"
    if not firer.atgm and firer.max_range is not None and firer.distance > firer.max_range:
        return "out_of_range", "MA-RULING-11"
    if advantage is None:
        return "no_factor", "MA-RULING-51" if firer.atgm else "MA-RULING-16"
    if advantage < LEAST:
        return "advantage_too_low", "MA-FIRE-11"
    return "none", ""


@PROCEDURES.add(
    "standard_fire",
    "MA-TEST-05",
    "MA-FIRE-03",
    "MA-FIRE-04",
    "MA-FIRE-05",
    "MA-FIRE-06",
    "MA-FIRE-07",
    "MA-FIRE-08",
    "MA-FIRE-09",
    "MA-FIRE-10",
    "MA-FIRE-11",
    "MA-RANGE-02",
    "MA-REACT-01",
    "MA-RULING-11",
    "MA-RULING-17",
    "MA-RULING-51",
)
def standard_fire(facts: StandardFire, dice: Dice) -> StandardFireResult:
    return fire(facts, facts, State(facts.target_suppressed, facts.target_disorganised), dice)


class StandardAttack(Facts, frozen=True, kw_only=True):
    target: Target
    firers: Annotated[tuple[Firer, ...], Meta(max_length=40)] = ()


class StandardAttackResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    events: tuple[StandardFireResult, ...]
    events_resolved: int
    suppressed: bool
    disorganised: bool
    eliminated: bool


class Progress(NamedTuple):
    """An attack so far."""

    state: State
    resolved: int = 0
    events: tuple[StandardFireResult, ...] = ()


def combat_event(dice: Dice, firer: Firer, target: Target, state: State) -> StandardFireResult:
    return fire(firer, target, state, dice)


def next_firer(dice: Dice, so_far: Progress, item: tuple[Target, Firer]) -> Progress:
    target, firer = item
    if so_far.state.eliminated:  # the others do not roll any more
        return so_far
    event = dice.stage(combat_event, firer, target, so_far.state)
    events = (*so_far.events, event) if dice.wants("events") else ()
    return Progress(State(event.suppressed, event.disorganised, event.eliminated), so_far.resolved + 1, events)


@PROCEDURES.add("standard_attack", "MA-FIRE-01", "MA-FIRE-02", "MA-FIRE-10", "MA-RULING-46")
def standard_attack(facts: StandardAttack, dice: Dice) -> StandardAttackResult:
    """The firers one after another, each against the target as the one before left it."""
    target = facts.target
    start = Progress(State(target.target_suppressed, target.target_disorganised))
    end = dice.fold(next_firer, start, [(target, firer) for firer in facts.firers])
    return StandardAttackResult(
        events=end.events,
        events_resolved=end.resolved,
        suppressed=end.state.suppressed,
        disorganised=end.state.disorganised,
        eliminated=end.state.eliminated,
    )
