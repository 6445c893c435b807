"""Overrun: vehicles drive into a defender."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from msgspec import Meta

from sandtable.games.micro_armour.procedures.combat import attack
from sandtable.games.micro_armour.procedures.command import NONE, markers, test
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Effect, Level, State, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome


class OverrunDefender(Facts, frozen=True, kw_only=True):
    command_level: Level
    tl: TechLevel
    support: bool = False
    suppressed: bool = False
    disorganised: bool = False


class OverrunAttacker(Facts, frozen=True, kw_only=True):
    command_level: Level
    tl: TechLevel
    support: bool = False
    suppressed: bool = False
    disorganised: bool = False
    tracked: bool = False
    apc_with_troops: bool = False


class Overrun(Facts, frozen=True, kw_only=True):
    defender: OverrunDefender
    attackers: Annotated[tuple[OverrunAttacker, ...], Meta(max_length=12)] = ()


class UnitAfter(Outcome, frozen=True, kw_only=True):
    """The markers of a unit afterwards."""

    dice_fields = ()

    suppressed: bool
    disorganised: bool
    eliminated: bool


class OverrunAttackerAfter(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    effect: Effect | None
    suppressed: bool
    disorganised: bool
    eliminated: bool


class OverrunResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    defender_tests: tuple[bool, ...]
    defender_effects: tuple[Effect, ...]
    defender: UnitAfter
    attacker_tests: tuple[bool, ...]
    attackers: tuple[OverrunAttackerAfter, ...]


DEFENDER_MODIFIERS: dict[str, int] = {
    entry["situation"]: entry["modifier"] for entry in CHARTS["overrun_modifiers"] if entry["tester"] == "defender"
}
ATTACKER_MODIFIERS: dict[str, int] = {
    entry["situation"]: entry["modifier"] for entry in CHARTS["overrun_modifiers"] if entry["tester"] == "attacker"
}

NO_TESTS: tuple[bool, ...] = ()


class Crushed(NamedTuple):
    """The defender while the attacks on it go on."""

    state: State
    effects: tuple[Effect, ...] = ()


def defender_test(dice: Dice, tests: tuple[bool, ...], item: tuple[OverrunDefender, OverrunAttacker]) -> tuple[bool, ...]:
    """The defender tests against one overrunning unit, with the markers it had before the overrun."""
    defender, attacker = item
    modifier = markers(defender.suppressed, defender.disorganised, DEFENDER_MODIFIERS)
    modifier = modifier.plus_if(attacker.tracked, "modifier.attacker_tracked", DEFENDER_MODIFIERS["attacker_tracked"], "MA-OVER-02")
    modifier = modifier.plus_if(
        attacker.apc_with_troops, "modifier.attacker_apc_with_troops", DEFENDER_MODIFIERS["attacker_apc_with_troops"], "MA-OVER-02"
    )
    return (*tests, test(dice, "roll.overrun_defender_test", defender.command_level, modifier).passed)


def attack_on_defender(dice: Dice, so_far: Crushed, attacker: OverrunAttacker) -> Crushed:
    if so_far.state.eliminated:
        return so_far
    advantage = CHARTS["overrun_attacks"].value("defender")
    dice.looked_up("overrun_attacks", {"target": "defender"}, advantage, "MA-OVER-03")
    hit = attack(dice, advantage, NONE, "overrun", attacker.tl, attacker.support, "personnel", so_far.state)
    return Crushed(hit.state, (*so_far.effects, hit.effect))


def against_defender(dice: Dice, facts: Overrun) -> tuple[tuple[bool, ...], Crushed]:
    """Steps (a) and (b): all the defender's tests, then one attack for each that failed."""
    defender = facts.defender
    tests = dice.fold(defender_test, NO_TESTS, [(defender, attacker) for attacker in facts.attackers])
    failed_against = [attacker for attacker, passed in zip(facts.attackers, tests, strict=True) if not passed]
    before = Crushed(State(defender.suppressed, defender.disorganised))
    crushed = dice.fold(attack_on_defender, before, failed_against)
    return tests if dice.wants("defender_tests") else (), crushed


def attacker_test(dice: Dice, tests: tuple[bool, ...], attacker: OverrunAttacker) -> tuple[bool, ...]:
    modifier = markers(attacker.suppressed, attacker.disorganised, ATTACKER_MODIFIERS)
    return (*tests, test(dice, "roll.overrun_attacker_test", attacker.command_level, modifier).passed)


def attack_on_attacker(
    dice: Dice, so_far: tuple[OverrunAttackerAfter, ...], item: tuple[OverrunDefender, OverrunAttacker, bool]
) -> tuple[OverrunAttackerAfter, ...]:
    """Here the unit that rolls is the defender: its Tech Level and support count."""
    defender, attacker, passed = item
    if passed:
        after = OverrunAttackerAfter(effect=None, suppressed=attacker.suppressed, disorganised=attacker.disorganised, eliminated=False)
        return (*so_far, after)
    advantage = CHARTS["overrun_attacks"].value("attacker")
    dice.looked_up("overrun_attacks", {"target": "attacker"}, advantage, "MA-OVER-05")
    state = State(attacker.suppressed, attacker.disorganised)
    hit = attack(dice, advantage, NONE, "overrun", defender.tl, defender.support, "armoured", state)
    after = OverrunAttackerAfter(effect=hit.effect, suppressed=hit.suppressed, disorganised=hit.disorganised, eliminated=hit.eliminated)
    return (*so_far, after)


def against_attackers(dice: Dice, facts: Overrun) -> tuple[tuple[bool, ...], tuple[OverrunAttackerAfter, ...]]:
    """Steps (c) and (d): all the attackers' tests, whatever became of the defender, then one attack for each that failed."""
    tests = dice.fold(attacker_test, NO_TESTS, facts.attackers)
    if not dice.wants("attackers"):
        return tests, ()
    items = [(facts.defender, attacker, passed) for attacker, passed in zip(facts.attackers, tests, strict=True)]
    nobody_yet: tuple[OverrunAttackerAfter, ...] = ()
    return tests, dice.fold(attack_on_attacker, nobody_yet, items)


@PROCEDURES.add(
    "overrun",
    "MA-OVER-02",
    "MA-OVER-03",
    "MA-OVER-04",
    "MA-OVER-05",
    "MA-OVER-06",
    "MA-RULING-25",
    "MA-RULING-47",
)
def overrun(facts: Overrun, dice: Dice) -> OverrunResult:
    defender_tests, crushed = dice.stage(against_defender, facts)
    attacker_tests: tuple[bool, ...] = ()
    attackers: tuple[OverrunAttackerAfter, ...] = ()
    if dice.wants("attacker_tests") or dice.wants("attackers"):
        attacker_tests, attackers = dice.stage(against_attackers, facts)
    return OverrunResult(
        defender_tests=defender_tests,
        defender_effects=crushed.effects,
        defender=UnitAfter(
            suppressed=crushed.state.suppressed, disorganised=crushed.state.disorganised, eliminated=crushed.state.eliminated
        ),
        attacker_tests=attacker_tests,
        attackers=attackers,
    )
