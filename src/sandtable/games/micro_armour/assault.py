"""Overruns and close assaults: what units do that end their move at an enemy."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.field.shapes import within
from sandtable.games.micro_armour.battle import INCH, Battle, Unit, apart, in_contact, told
from sandtable.games.micro_armour.effects import take_effect
from sandtable.games.micro_armour.fire import target_facts
from sandtable.games.micro_armour.movement import Going, move_unit
from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.games.micro_armour.procedures.close_assault import (
    AssaultAttacker,
    AssaultDefender,
    advantage_over,
    attacker_blow,
    defender_shot,
)
from sandtable.games.micro_armour.procedures.combat import LEAST
from sandtable.games.micro_armour.procedures.overrun import Overrun, OverrunAttacker, OverrunDefender
from sandtable.games.micro_armour.procedures.words import State
from sandtable.games.micro_armour.rolling import QUIET, BothDice, look_up
from sandtable.games.micro_armour.sight import aspect
from sandtable.games.micro_armour.ways import may_assault, may_overrun, points_left
from sandtable.kernel.decisions import Option, PickOne, PickSeveral
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

REACH = 2 * INCH
"""A gap of an inch between bases, from centre to centre (MA-RULING-27)."""


class Overran(Event, frozen=True):
    """Vehicles drove over a defender: how often it failed its test, and what its attackers' own tests gave."""

    defender: str
    attackers: tuple[str, ...]
    failed: int
    effects: tuple[str, ...] = ()
    attackers_failed: tuple[str, ...] = ()

    def apply(self, battle: Battle) -> Battle:
        return battle.with_units(self.attackers, overran=True, moving=True)

    def units(self) -> tuple[str, ...]:
        return (self.defender, *self.attackers)


class AssaultDeclared(Event, frozen=True):
    """Units close in on a defender; they are in Move State (MA-RULING-24)."""

    defender: str
    attackers: tuple[str, ...]

    def apply(self, battle: Battle) -> Battle:
        return battle.with_units(self.attackers, moving=True)

    def units(self) -> tuple[str, ...]:
        return (self.defender, *self.attackers)


class AssaultMet(Event, frozen=True):
    """The defender of a close assault took its test (`passed` is None if it is moving), and shot at one attacker or at none."""

    defender: str
    target: str = ""
    passed: bool | None = None
    effect: str = ""

    def apply(self, battle: Battle) -> Battle:
        return battle

    def says(self) -> Message:
        if self.passed is None:
            return told(self, "assault_met_moving")
        return told(self, "assault_met" if self.effect else "assault_met_idle" if self.passed else "assault_met_failed")

    def units(self) -> tuple[str, ...]:
        return (self.defender, self.target) if self.target else (self.defender,)


class AssaultMade(Event, frozen=True):
    """An assaulting unit took its test and struck."""

    unit: str
    defender: str
    passed: bool
    effect: str = ""

    def apply(self, battle: Battle) -> Battle:
        return battle

    def says(self) -> Message:
        return told(self, "assault_made" if self.effect else "assault_declined" if self.passed else "assault_failed")

    def units(self) -> tuple[str, ...]:
        return (self.unit, self.defender)


EVENTS: tuple[type[Event], ...] = (Overran, AssaultDeclared, AssaultMet, AssaultMade)


def _which_defender(going: Going, unit: Unit, found: list[Unit], prompt: str) -> str:
    """The defender a unit goes for; it may leave it only if it did not move into contact to fight (MA-RULING-54)."""
    bound = unit.id in going.arrived and any(in_contact(unit, one) for one in found)
    options = [Option(one.id, say("option.defender", unit=one.id, name=one.profile.name), units=(one.id,)) for one in found]
    if bound:
        options = [option for option, one in zip(options, found, strict=True) if in_contact(unit, one)]
        if len(options) == 1:
            return options[0].id
    else:
        options.append(Option("none", say("option.no_defender")))
    chosen: str = going.table.ask(
        PickOne(
            player=unit.side,
            decision=going.decision,
            prompt=say(prompt, unit=unit.id, name=unit.profile.name),
            unit=unit.id,
            options=tuple(options),
            default=options[0].id,
        )
    )
    return chosen


def _in_order(table: Table[Battle], side: str, units: list[str], decision: str, prompt: str) -> list[str]:
    """The attackers in the order their owner names."""
    if len(units) < 2:
        return units
    options = tuple(Option(id, say("option.unit", unit=id, name=table.battle.units[id].profile.name), units=(id,)) for id in units)
    number = len(units)
    return list(
        table.ask(
            PickSeveral(player=side, decision=decision, prompt=say(prompt), options=options, least=number, most=number, default=list(units))
        )
    )


# -- overruns -----------------------------------------------------------------------------------------------------


def overruns(going: Going) -> None:
    """The vehicles of the action that touch personnel or soft units drive over them (MA-OVER-01, MA-RULING-25)."""
    table = going.table
    side = table.battle.active
    chosen: dict[str, list[str]] = {}
    for unit in going.alive():
        found = [one for one in table.battle.enemies(side) if in_contact(unit, one) and may_overrun(unit, one)]
        if found:
            defender = _which_defender(going, unit, found, "ask.overrun")
            if defender != "none":
                chosen.setdefault(defender, []).append(unit.id)
    for defender, attackers in chosen.items():
        ordered = _in_order(table, side, attackers, going.decision, "ask.overrun_order")
        overrun(table, defender, ordered)
        if table.battle.units[defender].alive:
            continue
        for id in ordered:  # they may go on with what points they have left
            unit = table.battle.units[id]
            if unit.alive and points_left(unit) > 0:
                move_unit(table, id, going.arrived, going.decision)


def overrun_facts(battle: Battle, defender: Unit, units: list[Unit]) -> Overrun:
    """An overrun as the procedure of that name takes it."""
    return Overrun(
        defender=OverrunDefender(
            command_level=defender.level,
            tl=defender.profile.tl,
            support=defender.profile.support,
            suppressed=defender.suppressed,
            disorganised=defender.disorganised,
        ),
        attackers=tuple(
            OverrunAttacker(
                command_level=unit.level,
                tl=unit.profile.tl,
                support=unit.profile.support,
                suppressed=unit.suppressed,
                disorganised=unit.disorganised,
                tracked=unit.profile.mobility == "tracked",
                apc_with_troops=unit.profile.apc and bool(battle.passengers(unit.id)),
            )
            for unit in units
        ),
    )


def overrun(table: Table[Battle], defender_id: str, attackers: list[str]) -> None:
    """All that touch the same defender, together."""
    battle = table.battle
    defender = battle.units[defender_id]
    units = [battle.units[id] for id in attackers]
    facts = overrun_facts(battle, defender, units)
    result = PROCEDURES["overrun"].run(facts, BothDice(table, _who_rolls(units[0].side, defender.side)))
    table.emit(
        Overran(
            defender_id,
            tuple(attackers),
            result.defender_tests.count(False),
            result.defender_effects,
            tuple(id for id, passed in zip(attackers, result.attacker_tests, strict=True) if not passed),
        )
    )
    for effect in result.defender_effects:
        take_effect(table, defender_id, effect)
    for id, after in zip(attackers, result.attackers, strict=True):
        take_effect(table, id, after.effect)


def _who_rolls(attacker: str, defender: str) -> Callable[[str], str]:
    """Each side rolls its own tests, and the attacks on the other: the defender's come after the attackers' tests (MA-RULING-47)."""
    striking = attacker

    def whose(label: str) -> str:
        nonlocal striking
        if label == "roll.overrun_defender_test":
            return defender
        if label == "roll.overrun_attacker_test":
            striking = defender
            return attacker
        return striking

    return whose


# -- close assaults -----------------------------------------------------------------------------------------------


def close_assaults(going: Going) -> None:
    """Personnel of the action within an inch of an enemy may assault it (MA-CLOSE-01 to -05, MA-RULING-27)."""
    table = going.table
    side = table.battle.active
    chosen: dict[str, list[str]] = {}
    for unit in going.alive():
        if not unit.on_table:
            continue
        found = [one for one in table.battle.enemies(side) if may_assault(unit, one) and within(apart(unit, one), REACH)]
        if found:
            defender = _which_defender(going, unit, found, "ask.assault")
            if defender != "none":
                chosen.setdefault(defender, []).append(unit.id)
    for defender, attackers in chosen.items():
        close_assault(table, defender, _in_order(table, side, attackers, "MA-DEC-12", "ask.assault_order"))


def cover(battle: Battle, unit: Unit) -> int:
    """What the ground a unit is in adds to rolls against it; no test is modified by it (MA-RULING-27)."""
    facts = target_facts(battle, unit)
    names = ("target_class", "target_terrain", "target_moving", "target_fired", "target_road_rate")
    return int(look_up("terrain_effect", **{name: facts[name] for name in names}).roll_modifier)


def defender_facts(battle: Battle, unit: Unit) -> AssaultDefender:
    profile = unit.profile
    return AssaultDefender(
        command_level=unit.level,
        tl=profile.tl,
        support=profile.support,
        suppressed=unit.suppressed,
        disorganised=unit.disorganised,
        moving=unit.in_move_state,
        ap=profile.ap,
        he=profile.he,
        defence=profile.defence,
        target_class=profile.target_class,
        terrain_roll_modifier=cover(battle, unit),
    )


def attacker_facts(battle: Battle, unit: Unit, defender: Unit, declines: bool = False) -> AssaultAttacker:
    profile = unit.profile
    assert defender.pose is not None
    return AssaultAttacker(
        command_level=unit.level,
        tl=profile.tl,
        support=profile.support,
        suppressed=unit.suppressed,
        disorganised=unit.disorganised,
        moving=True,
        ap=profile.ap,
        he=profile.he,
        defence=profile.defence,
        target_class=profile.target_class,
        terrain_roll_modifier=cover(battle, unit),
        defender_aspect=aspect(defender.pose, unit.centre),  # type: ignore[arg-type]
        engineer_or_type_s=profile.engineer or profile.type_s,
        mounted_cavalry=profile.mounted_cavalry,
        closed=in_contact(unit, defender),
        declines=declines,
    )


def can_hurt(one: AssaultDefender | AssaultAttacker, two: AssaultDefender | AssaultAttacker, side: str = "front") -> bool:
    advantage = advantage_over(one, two, side, QUIET)  # type: ignore[arg-type]
    return advantage is not None and advantage >= LEAST


def close_assault(table: Table[Battle], defender_id: str, attackers: list[str]) -> None:
    """The defender's shot first, then the assaulting units in order; the same dice as the procedure of that name.

    Whom the defender shoots at, and whether a unit strikes, is asked just before the test: the die of a test tells nothing that
    would change the choice, and so each test and its roll are one throw.
    """
    table.emit(AssaultDeclared(defender_id, tuple(attackers)))
    battle = table.battle
    defender = battle.units[defender_id]
    side = battle.active
    defends = defender_facts(battle, defender)
    closing = {id: attacker_facts(battle, battle.units[id], defender) for id in attackers}
    target = "none" if defends.moving else _defenders_target(table, defender, defends, closing)
    met = defender_shot(table.dice(defender.side), defends, None if target == "none" else closing[target])
    table.emit(AssaultMet(defender_id, "" if target == "none" else target, met.passed, met.effect or ""))
    if met.effect is not None:
        take_effect(table, target, met.effect)
    for id in attackers:
        battle = table.battle
        unit, defender = battle.units[id], battle.units[defender_id]
        if not unit.alive or not defender.alive:
            continue
        strikes, defends = attacker_facts(battle, unit, defender), defender_facts(battle, defender)
        if not can_hurt(strikes, defends, strikes.defender_aspect):
            continue
        if not _strikes(table, unit, defender):
            strikes = attacker_facts(battle, unit, defender, declines=True)
        own, theirs = State(unit.suppressed, unit.disorganised), State(defender.suppressed, defender.disorganised)
        blow = attacker_blow(table.dice(side), strikes, own, defends, theirs)
        table.emit(AssaultMade(id, defender_id, bool(blow.passed), blow.effect or ""))
        take_effect(table, defender_id, blow.effect)


def _defenders_target(table: Table[Battle], defender: Unit, defends: AssaultDefender, closing: dict[str, AssaultAttacker]) -> str:
    """Which one assaulting unit the defender shoots at (MA-DEC-11)."""
    found = [id for id, facts in closing.items() if can_hurt(defends, facts)]
    if not found:
        return "none"
    options = [Option(id, say("option.unit", unit=id, name=table.battle.units[id].profile.name), units=(id,)) for id in found]
    chosen: str = table.ask(
        PickOne(
            player=other(table.battle.active),
            decision="MA-DEC-11",
            prompt=say("ask.assault_target", unit=defender.id, name=defender.profile.name),
            unit=defender.id,
            options=(*options, Option("none", say("option.no_shot"))),
            default=found[0],
        )
    )
    return chosen


def _strikes(table: Table[Battle], unit: Unit, defender: Unit) -> bool:
    """A unit that passes its test may decline (MA-DEC-12)."""
    options = (Option("strike", say("option.strike", defender=defender.id)), Option("decline", say("option.decline")))
    prompt = say("ask.strike", unit=unit.id, defender=defender.id)
    chosen = table.ask(PickOne(player=unit.side, decision="MA-DEC-12", prompt=prompt, unit=unit.id, options=options, default="strike"))
    return bool(chosen == "strike")
