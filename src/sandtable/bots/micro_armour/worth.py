"""What things are worth to the bot: units, markers, shots, shells, overruns and assaults, by the exact odds of the rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import Any

from msgspec.structs import replace

from sandtable.games.micro_armour.artillery import direct_facts
from sandtable.games.micro_armour.assault import attacker_facts, defender_facts, overrun_facts
from sandtable.games.micro_armour.battle import Battle, Unit
from sandtable.games.micro_armour.fire import Shot, target_facts
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.procedures.air import AaFire, aa_fire
from sandtable.games.micro_armour.procedures.artillery import ArtilleryFire, StrikeImpact, artillery_fire, strike_impact
from sandtable.games.micro_armour.procedures.close_assault import CloseAssault, close_assault
from sandtable.games.micro_armour.procedures.overrun import Overrun, overrun
from sandtable.games.micro_armour.procedures.standard_fire import StandardFire, standard_fire
from sandtable.games.micro_armour.profile import UnitProfile
from sandtable.odds import distribution

State = tuple[bool, bool, bool]
"""Suppressed, disorganised, eliminated."""
Chances = tuple[tuple[State, float], ...]

HURT = {(False, False): 0.0, (True, False): 0.2, (False, True): 0.4, (True, True): 0.6}
"""How much of a unit's worth its markers cost it."""
RATE = {1: 1.0, 2: 1.0, 3: 1.0, 4: 1.7, 5: 2.4}
"""How many shots a turn a Tech Level is good for, early ones counting more."""


# -- units --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def worth(profile: UnitProfile) -> float:
    """A unit in points: each counts for the break point; what it can do comes on top."""
    strength = max(profile.ap or 0, profile.he or 0, profile.atgm.ap if profile.atgm else 0)
    extra = 4.0 if profile.ghq else 2.0 if profile.hq else 0.0
    return 10.0 + 0.5 * strength + 0.5 * profile.tl + extra


def _loss(state: State) -> float:
    return 1.0 if state[2] else HURT[state[0], state[1]]


def harm(unit: Unit, state: State) -> float:
    """What a unit loses when it gets into a state."""
    return worth(unit.profile) * (_loss(state) - HURT[unit.suppressed, unit.disorganised])


def fights(unit: Unit) -> bool:
    """Whether it goes forward: no guns, flak, headquarters of the whole force or unarmed trucks."""
    profile = unit.profile
    return not (profile.shells or profile.aa or profile.ghq or (profile.ap is None and profile.he is None))


# -- fire ---------------------------------------------------------------------------------------------------------


def _chances(procedure: Callable[..., Any], facts: Any) -> Chances:
    found = distribution(procedure, facts, fields=("suppressed", "disorganised", "eliminated"))
    return tuple((state, ways / found.total) for state, ways in found.ways.items())


@lru_cache(maxsize=100_000)
def fire_chances(facts: StandardFire | AaFire) -> Chances:
    return _chances(aa_fire if isinstance(facts, AaFire) else standard_fire, facts)


@lru_cache(maxsize=20_000)
def shell_chances(facts: StrikeImpact | ArtilleryFire) -> Chances:
    return _chances(artillery_fire if isinstance(facts, ArtilleryFire) else strike_impact, facts)


def rounded(facts: StandardFire | AaFire) -> StandardFire | AaFire:
    """The same shot from where its range band begins: more of them are alike."""
    if isinstance(facts, StandardFire) and facts.atgm:
        return replace(facts, distance=max(1.0, facts.atgm_min_range))
    return replace(facts, distance=_band_start(facts.attacker_tl if isinstance(facts, StandardFire) else facts.aa_tl, ceil(facts.distance)))


@lru_cache(maxsize=4096)
def _band_start(tl: int, inches: int) -> float:
    """The shortest distance that is as good as this one."""
    chart, column = CHARTS["range_effects"], min(tl, 4)
    modifier = chart.at(max(1, inches), column)["modifier"]
    return float(next(near for near in range(1, 1000) if chart.at(near, column)["modifier"] == modifier))


def gain(target: Unit, found: Shot) -> float:
    """What one shot is worth."""
    if found.facts is None:
        return 0.0
    return sum(chance * harm(target, state) for state, chance in fire_chances(rounded(found.facts)))


def direct_fire(battle: Battle, battery: Unit, target: Unit) -> float:
    """What direct fire of a battery at its target alone is worth."""
    facts = ArtilleryFire(**direct_facts(battle, battery, target))
    return sum(chance * harm(target, state) for state, chance in shell_chances(facts))


def impact(battle: Battle, firer: Unit, target: Unit, kind: str) -> float:
    """What a shell or bomb is worth that falls on a unit."""
    facts = StrikeImpact(
        attack_kind=kind,  # type: ignore[arg-type]
        attacker_tl=firer.profile.tl,
        ap=firer.profile.ap,
        he=firer.profile.he,
        **target_facts(battle, target),
    )
    return sum(chance * harm(target, state) for state, chance in shell_chances(facts))


# -- man to man ---------------------------------------------------------------------------------------------------


def overrun_worth(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """What driving over an enemy is worth: his losses less ours."""
    theirs, ours = _overrun_losses(overrun_facts(battle, enemy, [unit]))
    return worth(enemy.profile) * theirs - worth(unit.profile) * ours


def assault_worth(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """What a close assault by one unit is worth: his losses less ours."""
    facts = CloseAssault(defender=defender_facts(battle, enemy), attackers=(attacker_facts(battle, unit, enemy),))
    theirs, ours = _assault_losses(facts)
    return worth(enemy.profile) * theirs - worth(unit.profile) * ours


@lru_cache(maxsize=4096)
def _overrun_losses(facts: Overrun) -> tuple[float, float]:
    return _losses(overrun, facts)


@lru_cache(maxsize=4096)
def _assault_losses(facts: CloseAssault) -> tuple[float, float]:
    return _losses(close_assault, facts)


def _losses(procedure: Callable[..., Any], facts: Any) -> tuple[float, float]:
    """What the defender and the one attacker lose on average, as parts of their worth."""
    found = distribution(procedure, facts, project=lambda result: (_state(result.defender), _state(result.attackers[0])))
    before = [HURT[one.suppressed, one.disorganised] for one in (facts.defender, facts.attackers[0])]
    return found.mean(lambda states: _loss(states[0])) - before[0], found.mean(lambda states: _loss(states[1])) - before[1]


def _state(after: Any) -> State:
    return after.suppressed, after.disorganised, after.eliminated
