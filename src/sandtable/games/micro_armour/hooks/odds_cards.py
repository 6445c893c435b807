"""Odds cards: what may come of an option, exactly, and what modifies its test and its roll."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from sandtable.games.micro_armour.artillery import (
    BURST,
    able,
    direct_facts,
    direct_refusal,
    direct_targets,
    indirect_facts,
    nearest_units,
    place_test_facts,
)
from sandtable.games.micro_armour.assault import attacker_facts, defender_facts, overrun_facts
from sandtable.games.micro_armour.battle import INCH, Battle, Mission, Unit
from sandtable.games.micro_armour.fire import Shot, aa_facts, attacks, each_once, read_shot, shot, target_facts
from sandtable.games.micro_armour.movement import move_test_facts
from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.games.micro_armour.procedures.air import AaFire
from sandtable.games.micro_armour.procedures.close_assault import CloseAssault, attacker_blow, defender_shot
from sandtable.games.micro_armour.procedures.standard_fire import Firer, StandardAttack
from sandtable.games.micro_armour.procedures.terrain import Target
from sandtable.games.micro_armour.procedures.words import State
from sandtable.kernel.decisions import Option, Request
from sandtable.kernel.dice import Scripted
from sandtable.kernel.game import Card, Chance
from sandtable.kernel.messages import Message, say
from sandtable.kernel.traces import Modifier, Roll
from sandtable.odds import Distribution, distribution

EFFECTS = ("no_effect", "suppression", "disorganisation", "elimination")
LUCK = (1,) * 12
"""Dice that pass every Command Test, for a look at what modifies it and the roll behind it."""


def odds_card(battle: Battle, request: Request, option: str) -> Card | None:
    """The card of an option, for the questions in which dice follow the answer."""
    make = CARDS.get(request.prompt.id)
    return make(battle, request, option) if make is not None else None


def advice(battle: Battle, request: Request) -> dict[str, Message]:
    """For each target, and each weapon that may fire at it, the chance to eliminate it and to hurt it at all."""
    found: dict[str, Message] = {}
    if request.prompt.id in ("ask.target", "ask.attackers", "ask.react"):
        for option in getattr(request, "options", ()):
            card = odds_card(battle, request, option.id) if option.refusal is None else None
            if card is not None:
                chances = {one.outcome.id: Fraction(one.p) for one in card.odds}
                gone = chances.get("chance.elimination", Fraction(0)) + chances.get("chance.eliminated", Fraction(0))
                same = sum(chances.get(f"chance.{word}", Fraction(0)) for word in ("test_failed", "no_effect", "unhurt"))
                found[option.id] = say("advice.fire", eliminated=round(100 * float(gone)), hurt=round(100 * float(1 - same)))
    return found


def _lines(chances: Iterable[tuple[str, Fraction]]) -> tuple[Chance, ...]:
    return tuple(Chance(say(f"chance.{word}"), str(p)) for word, p in chances if p)


def scores_of(name: str, facts: Any) -> tuple[tuple[Modifier, ...], ...]:
    """What the tests and rolls of a procedure are made of, as its own trace gives it: the level and what modifies the test, then the
    advantage and what modifies the roll."""
    dice = Scripted(LUCK)
    outcome = PROCEDURES[name].run(facts, dice)
    level, advantage = getattr(facts, "command_level", None), getattr(outcome, "advantage", None)
    test = () if level is None else (Modifier("part.command_level", level, "MA-TEST-01"),)
    roll = () if advantage is None else (Modifier("part.advantage", advantage, "MA-CRT-01"),)
    scores = (*test, *_modifiers(dice, "roll.command_test", "roll.movement_test")), (*roll, *_modifiers(dice, "roll.combat"))
    return tuple(score for score in scores if score)


def _modifiers(dice: Scripted, *labels: str) -> Iterator[Modifier]:
    return (part for entry in dice.trace if isinstance(entry, Roll) and entry.label in labels for part in entry.modifiers)


# -- standard fire ----------------------------------------------------------------------------------------------------


def _shot_card(battle: Battle, request: Request, option: str) -> Card | None:
    """One unit's shot, with its gun, missile or anti-aircraft weapon, at the unit of the question."""
    id, weapon = read_shot(option) if ":" in option else ("", "")
    if id not in battle.units or request.unit not in battle.units:
        return None
    found = shot(battle, battle.units[id], battle.units[request.unit], weapon)
    return None if found.refusal is not None or found.facts is None else shot_card(found)


def shot_card(found: Shot) -> Card:
    name = "aa_fire" if isinstance(found.facts, AaFire) else "standard_fire"
    odds = distribution(PROCEDURES[name].run, found.facts, fields=("passed", "effect"))
    assert found.facts is not None
    summary = say("card.shot", unit=found.firer, target=found.target, weapon=found.weapon, distance=found.facts.distance)
    return Card(summary, _tested(odds), scores_of(name, found.facts))


def _tested(odds: Distribution) -> tuple[Chance, ...]:
    """A failed Command Test, and then what the chart may give."""
    rows = [("test_failed", odds.chance(lambda one: not one[0]))]
    rows += [(effect, odds.p((True, effect))) for effect in EFFECTS]
    return _lines(rows)


def _target_card(battle: Battle, request: Request, option: str) -> Card | None:
    """Everybody who can fire at a target, one after another, each with the first weapon that can."""
    shots = {f"{one.firer}:{one.weapon}": one for one in attacks(battle, request.player).get(option, ())}
    firing = [shots[id] for id in each_once(list(shots))]
    if not firing:
        return None
    fires = [one.facts for one in firing]
    if len(firing) == 1 or any(isinstance(facts, AaFire) for facts in fires):
        return shot_card(firing[0])
    names = Firer.__struct_fields__
    facts = StandardAttack(
        target=Target(**target_facts(battle, battle.units[option])),
        firers=tuple(Firer(**{name: getattr(one, name) for name in names}) for one in fires),
    )
    found = distribution(PROCEDURES["standard_attack"].run, facts, fields=("eliminated", "disorganised", "suppressed"))
    summary = say("card.attack", target=option, number=len(firing))
    notes = tuple(
        say("card.firer", unit=one.firer, weapon=one.weapon, distance=one.facts.distance) for one in firing if one.facts is not None
    )
    return Card(summary, _state(found, battle.units[option]), scores_of("standard_fire", fires[0]), notes)


def _state(odds: Distribution, before: Unit) -> tuple[Chance, ...]:
    """How a unit comes out of it: (eliminated, disorganised, suppressed), against how it went in."""

    def word(state: tuple[bool, bool, bool]) -> str:
        if state[0]:
            return "eliminated"
        if state[1] and not before.disorganised:
            return "disorganised"
        return "suppressed" if state[2] and not before.suppressed else "unhurt"

    words = odds.map(word)
    return _lines((one, words.p(one)) for one in ("unhurt", "suppressed", "disorganised", "eliminated"))


def _halt_card(battle: Battle, request: Request, option: str) -> Card | None:
    """Anti-aircraft fire from where the aircraft is halted: how far that is, the option's own words say."""
    found: Option | None = next((one for one in getattr(request, "options", ()) if one.id == option), None)
    unit, aircraft = battle.units.get(option.partition("@")[0]), battle.units.get(request.unit)
    if found is None or unit is None or aircraft is None:
        return None
    facts = aa_facts(unit, aircraft, found.label.arguments["distance"] * INCH)
    return shot_card(Shot(unit.id, aircraft.id, "aa", facts, None))


# -- artillery and air ------------------------------------------------------------------------------------------------


def _artillery_air_card(battle: Battle, request: Request, option: str) -> Card | None:
    word, _, id = option.partition(":")
    if word == "direct":
        firing = direct_targets(battle, request.player).get(id, ())
        return _battery(battle, battle.units[firing[0]], battle.units[id]) if firing else None
    if word == "smoke":
        return None
    plans = battle.plans(request.player)  # its own: nobody is given another side's
    for mission in plans.missions:
        if mission.id == option:
            return _mission(battle, mission)
    for course in plans.courses:
        if course.id == option:
            aircraft = battle.units[course.aircraft]
            return _test("command_test", say("card.strike", aircraft=aircraft.id), command_level=aircraft.level)
    return None


def _battery_card(battle: Battle, request: Request, option: str) -> Card | None:
    unit, target = battle.units.get(option), battle.units.get(request.unit)
    if unit is None or target is None or direct_refusal(battle, unit, target) is not None:
        return None
    return _battery(battle, unit, target)


def _battery(battle: Battle, unit: Unit, target: Unit) -> Card:
    return _shells(direct_facts(battle, unit, target), say("card.shells", unit=unit.id, target=target.id))


def _mission(battle: Battle, mission: Mission) -> Card | None:
    """The first unit of a mission: on the unit nearest to the aim point, or its bare test where nobody is near."""
    units = able(battle, mission)
    near = nearest_units(battle, mission.aim, BURST)
    if not units:
        return None
    lead = battle.units[units[0]]
    summary = say("card.mission", units=units)
    if mission.smoke or not near:
        return _test("command_test", summary, **place_test_facts(battle, lead, mission.aim, indirect=True))
    return _shells(indirect_facts(battle, lead, near[0]), summary)


def _shells(given: dict[str, Any], summary: Message) -> Card:
    """Shells at a target: the test, whether they stray, and what they do where they do not."""
    procedure = PROCEDURES["artillery_fire"]
    facts = procedure.facts(**given)
    odds = distribution(procedure.run, facts, fields=("stage", "effect"))
    stages = odds.map(lambda one: one[0])
    rows = [("test_failed", stages.p("test_failed")), ("strays", stages.p("deviated"))]
    rows += [(effect, odds.p(("resolved", effect))) for effect in EFFECTS]
    return Card(summary, _lines(rows), scores_of("artillery_fire", facts))


# -- moving and fighting at arm's length ------------------------------------------------------------------------------


def _test(name: str, summary: Message, **given: Any) -> Card:
    """A Command Test alone."""
    procedure = PROCEDURES[name]
    facts = procedure.facts(**given)
    p = distribution(procedure.run, facts, fields=("passed",)).p((True,))
    return Card(summary, _lines((("test_passed", p), ("test_failed", 1 - p))), scores_of(name, facts))


def _move_card(battle: Battle, request: Request, option: str) -> Card | None:
    """The Command Test to move: alone, or with the unit that leads the Group."""
    if option not in battle.units:
        return None
    members = [one for one in (request.unit, option) if one]
    facts = move_test_facts(battle, option, members, battle.round == "ordered")
    return _test("movement_test", say("card.move", unit=option), **facts)


def _overrun_card(battle: Battle, request: Request, option: str) -> Card | None:
    unit, defender = battle.units.get(request.unit), battle.units.get(option)
    if unit is None or defender is None:
        return None
    facts = overrun_facts(battle, defender, [unit])
    found = distribution(PROCEDURES["overrun"].run, facts, fields=("defender",))
    state = found.map(lambda one: (one[0].eliminated, one[0].disorganised, one[0].suppressed))
    return Card(say("card.overrun", unit=unit.id, target=defender.id), _state(state, defender))


def _assault_card(battle: Battle, request: Request, option: str) -> Card | None:
    """A close assault of one unit, the defender shooting at it first."""
    unit, defender = battle.units.get(request.unit), battle.units.get(option)
    if unit is None or defender is None or not unit.on_table or not defender.on_table:
        return None
    facts = CloseAssault(defender=defender_facts(battle, defender), attackers=(attacker_facts(battle, unit, defender),))
    found = distribution(PROCEDURES["close_assault"].run, facts, fields=("defender",))
    state = found.map(lambda one: (one[0].eliminated, one[0].disorganised, one[0].suppressed))
    return Card(say("card.assault", unit=unit.id, target=defender.id), _state(state, defender))


def _blow(outcome: Any) -> tuple[bool, str]:
    return bool(outcome.passed), outcome.effect or "no_effect"


def _strike_card(battle: Battle, request: Request, option: str) -> Card | None:
    """An assaulting unit's own blow."""
    unit, defender = battle.units.get(request.unit), battle.units.get(str(request.prompt.arguments.get("defender", "")))
    if option != "strike" or unit is None or defender is None:
        return None
    strikes, defends = attacker_facts(battle, unit, defender), defender_facts(battle, defender)
    own, state = State(unit.suppressed, unit.disorganised), State(defender.suppressed, defender.disorganised)
    found = distribution(
        lambda _, dice: attacker_blow(dice, strikes, own, defends, state), None, project=lambda one: (one.passed, one.effect)
    )
    return Card(say("card.strikes", unit=unit.id, target=defender.id), _tested(found))


def _defence_card(battle: Battle, request: Request, option: str) -> Card | None:
    """The defender's shot at one of those that close in."""
    defender, unit = battle.units.get(request.unit), battle.units.get(option)
    if defender is None or unit is None:
        return None
    defends, closing = defender_facts(battle, defender), attacker_facts(battle, unit, defender)
    found = distribution(lambda _, dice: defender_shot(dice, defends, closing), None, project=_blow)
    return Card(say("card.shoots_back", unit=defender.id, target=unit.id), _tested(found))


CARDS: dict[str, Callable[[Battle, Request, str], Card | None]] = {
    "ask.target": _target_card,
    "ask.attackers": _shot_card,
    "ask.react": _shot_card,
    "ask.halt": _halt_card,
    "ask.artillery_air": _artillery_air_card,
    "ask.batteries": _battery_card,
    "ask.order": _move_card,
    "ask.independent": _move_card,
    "ask.group": _move_card,
    "ask.overrun": _overrun_card,
    "ask.assault": _assault_card,
    "ask.strike": _strike_card,
    "ask.assault_target": _defence_card,
}
"""By the question, as its prompt calls it."""
