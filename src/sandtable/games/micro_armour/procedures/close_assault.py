"""Close assault: troops fight at arm's length."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from sandtable.games.micro_armour.procedures.advantage import CombatAdvantage, combat_advantage
from sandtable.games.micro_armour.procedures.combat import LEAST, CombatRollResult, attack
from sandtable.games.micro_armour.procedures.command import NONE, markers, test
from sandtable.games.micro_armour.procedures.overrun import UnitAfter
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Amount, Aspect, Effect, Level, State, Strength, TargetClass, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import InputError
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score


class AssaultDefender(Facts, frozen=True, kw_only=True):
    command_level: Level
    tl: TechLevel
    support: bool = False
    suppressed: bool = False
    disorganised: bool = False
    moving: bool = False
    ap: Strength | None = None
    he: Strength | None = None
    defence: Strength
    target_class: TargetClass = msgspec.field(name="class")
    terrain_roll_modifier: Amount = 0


class AssaultAttacker(Facts, frozen=True, kw_only=True):
    command_level: Level
    tl: TechLevel
    support: bool = False
    suppressed: bool = False
    disorganised: bool = False
    moving: bool = True
    ap: Strength | None = None
    he: Strength | None = None
    defence: Strength
    target_class: TargetClass = msgspec.field(name="class")
    terrain_roll_modifier: Amount = 0
    defender_aspect: Aspect = "front"
    engineer_or_type_s: bool = False
    mounted_cavalry: bool = False
    closed: bool = False
    declines: bool = False


class CloseAssault(Facts, frozen=True, kw_only=True):
    defender: AssaultDefender
    attackers: Annotated[tuple[AssaultAttacker, ...], Meta(max_length=12)] = ()
    defender_target: Annotated[int, Meta(ge=0, le=11)] | None = 0


class AssaultAttackerAfter(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    test_passed: bool | None
    effect: Effect | None
    suppressed: bool
    disorganised: bool
    eliminated: bool


class CloseAssaultResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    defender_test_passed: bool | None
    defender_effect: Effect | None
    attackers: tuple[AssaultAttackerAfter, ...]
    defender: UnitAfter


def modifiers_of(side: str, applies_to: str) -> dict[str, int]:
    chart = CHARTS["close_assault_modifiers"]
    return {entry["situation"]: entry["modifier"] for entry in chart if (entry["side"], entry["applies_to"]) == (side, applies_to)}


DEFENDER_TEST = modifiers_of("defender", "test")
DEFENDER_ROLL = modifiers_of("defender", "roll")
ATTACKER_TEST = modifiers_of("attacker", "test")
ATTACKER_ROLL = modifiers_of("attacker", "roll")


class Shot(NamedTuple):
    """The defender's part: its test, and what its shot does to the unit it picked."""

    passed: bool | None
    effect: Effect | None = None
    target_after: State | None = None


class Blow(NamedTuple):
    """One assaulting unit's part: its test, and what it does to the defender."""

    passed: bool | None
    effect: Effect | None
    defender: State


class Assault(NamedTuple):
    """The assault so far."""

    defender: State
    attackers: tuple[AssaultAttackerAfter, ...] = ()


def advantage_over(
    firer: AssaultDefender | AssaultAttacker, target: AssaultDefender | AssaultAttacker, aspect: Aspect, dice: Dice
) -> int | None:
    """As in standard fire. None if there is nothing to fight with."""
    return combat_advantage(
        CombatAdvantage(
            attack_kind="close_assault",
            target_class=target.target_class,
            ap=firer.ap,
            he=firer.he,
            defence=target.defence,
            target_moving=target.moving,
            aspect=aspect,
        ),
        dice,
    ).advantage


def strike(
    dice: Dice, advantage: int, modifier: Score, firer: AssaultDefender | AssaultAttacker, target_class: TargetClass, state: State
) -> CombatRollResult:
    return attack(dice, advantage, modifier, "close_assault", firer.tl, firer.support, target_class, state)


def defender_shot(dice: Dice, defender: AssaultDefender, target: AssaultAttacker | None) -> Shot:
    if defender.moving:
        dice.note("note.defender_moving", "MA-CLOSE-01")
        return Shot(passed=None)
    on_test = markers(defender.suppressed, defender.disorganised, DEFENDER_TEST)
    tested = test(dice, "roll.assault_defender_test", defender.command_level, on_test)
    if not tested.passed or target is None:
        return Shot(tested.passed)
    advantage = advantage_over(defender, target, "front", dice)
    if advantage is None or advantage < LEAST:
        dice.note("note.cannot_hurt", "MA-RULING-27")
        return Shot(tested.passed)
    on_roll = NONE.plus("modifier.close_assault", DEFENDER_ROLL["always"], "MA-CLOSE-02")
    on_roll = on_roll.plus_if(target.terrain_roll_modifier != 0, "modifier.cover", target.terrain_roll_modifier, "MA-RULING-27")
    hit = strike(dice, advantage, on_roll, defender, target.target_class, State(target.suppressed, target.disorganised))
    return Shot(tested.passed, hit.effect, hit.state)


def attacker_blow(dice: Dice, attacker: AssaultAttacker, own: State, defender: AssaultDefender, state: State) -> Blow:
    if own.eliminated or state.eliminated:
        return Blow(None, None, state)
    advantage = advantage_over(attacker, defender, attacker.defender_aspect, dice)
    if advantage is None or advantage < LEAST:
        dice.note("note.cannot_hurt", "MA-RULING-27")
        return Blow(None, None, state)
    on_test = markers(own.suppressed, own.disorganised, ATTACKER_TEST)
    tested = test(dice, "roll.assault_attacker_test", attacker.command_level, on_test)
    if not tested.passed or attacker.declines:
        return Blow(tested.passed, None, state)
    cavalry = attacker.mounted_cavalry and defender.target_class != "armoured"
    on_roll = NONE.plus("modifier.close_assault", ATTACKER_ROLL["always"], "MA-CLOSE-04")
    on_roll = on_roll.plus_if(defender.terrain_roll_modifier != 0, "modifier.cover", defender.terrain_roll_modifier, "MA-RULING-27")
    on_roll = on_roll.plus_if(
        attacker.engineer_or_type_s, "modifier.engineer_or_type_s", ATTACKER_ROLL["engineer_or_type_s"], "MA-CLOSE-04"
    )
    on_roll = on_roll.plus_if(cavalry, "modifier.mounted_cavalry", ATTACKER_ROLL["mounted_cavalry_vs_unarmoured"], "MA-CLOSE-04")
    on_roll = on_roll.plus_if(attacker.closed, "modifier.closed", ATTACKER_ROLL["closed_under_1_inch"], "MA-CLOSE-04")
    hit = strike(dice, advantage, on_roll, attacker, defender.target_class, state)
    return Blow(tested.passed, hit.effect, hit.state)


def next_attacker(dice: Dice, so_far: Assault, item: tuple[AssaultAttacker, State, AssaultDefender]) -> Assault:
    attacker, own, defender = item
    blow = dice.stage(attacker_blow, attacker, own, defender, so_far.defender)
    if not dice.wants("attackers"):
        return Assault(blow.defender)
    after = AssaultAttackerAfter(
        test_passed=blow.passed,
        effect=blow.effect,
        suppressed=own.suppressed,
        disorganised=own.disorganised,
        eliminated=own.eliminated,
    )
    return Assault(blow.defender, (*so_far.attackers, after))


@PROCEDURES.add(
    "close_assault",
    "MA-CLOSE-01",
    "MA-CLOSE-02",
    "MA-CLOSE-03",
    "MA-CLOSE-04",
    "MA-CLOSE-05",
    "MA-RULING-26",
    "MA-RULING-27",
)
def close_assault(facts: CloseAssault, dice: Dice) -> CloseAssaultResult:
    defender, attackers, picked = facts.defender, facts.attackers, facts.defender_target
    if picked is not None and attackers and picked >= len(attackers):
        raise InputError(f"defender_target is {picked}, but the attackers are numbered 0 to {len(attackers) - 1}", "close_assault")
    target = attackers[picked] if picked is not None and attackers else None

    # The defender first; its shot takes effect at once.
    shot = dice.stage(defender_shot, defender, target)
    own = [State(attacker.suppressed, attacker.disorganised) for attacker in attackers]
    if shot.target_after is not None and picked is not None:
        own[picked] = shot.target_after

    # Then the assaulting units, in order.
    start = Assault(State(defender.suppressed, defender.disorganised))
    items = [(attacker, state, defender) for attacker, state in zip(attackers, own, strict=True)]
    end = dice.fold(next_attacker, start, items)
    return CloseAssaultResult(
        defender_test_passed=shot.passed,
        defender_effect=shot.effect,
        attackers=end.attackers,
        defender=UnitAfter(suppressed=end.defender.suppressed, disorganised=end.defender.disorganised, eliminated=end.defender.eliminated),
    )
