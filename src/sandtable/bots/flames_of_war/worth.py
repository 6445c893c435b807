"""What things are worth to the bot: teams, hits, fire and assaults, from the exact odds of the rules' own procedures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sandtable.games.flames_of_war.battle import Battle, Team
from sandtable.games.flames_of_war.procedures.assault import (
    Assault,
    AssaultAttacker,
    AssaultFought,
    AssaultSide,
    DefensiveFire,
    Fight,
    Force,
    assault,
    defensive_fire,
    fought,
)
from sandtable.games.flames_of_war.procedures.saves import ArmourSave, TeamSave, armour_save, team_save
from sandtable.games.flames_of_war.procedures.shooting import TO_HIT
from sandtable.games.flames_of_war.profile import TeamProfile
from sandtable.games.flames_of_war.targets import Volley, dice_for, platoon_of, score_for
from sandtable.kernel.dice import Dice
from sandtable.odds import distribution

QUIET = Dice()
LONG = 16.0
"""Inches beyond which a shot is long (chart `distances`)."""
BLOWS = 3
"""Blows of an assault that are thought through; few go on longer."""
SHAKEN = 0.45
"""What it is worth to make a crew bail out, as a part of its vehicle."""
PINNING = 5
"""Hits that pin a platoon (FOW-PIN-01)."""


def worth_of(profile: TeamProfile) -> float:
    """What a team is worth, about one for an infantry team. Kept with the profile."""
    kept = vars(profile)
    found: float | None = kept.get("_bot_worth")
    if found is None:
        found = {"infantry": 1.0, "cavalry": 1.0, "gun": 1.6, "tank": 1.2, "transport": 0.6}[profile.team_type]
        strongest = max((weapon.anti_tank * weapon.rof for weapon in profile.weapons), default=0)
        shells = max((weapon.bombardment.range_in / 40 for weapon in profile.weapons if weapon.bombardment is not None), default=0.0)
        found += strongest / 12 + (profile.armour_front or 0) / 6 + shells / 2
        found += 0.4 * ("platoon_leader" in profile.traits) + 1.0 * profile.commander + 0.5 * ("observer" in profile.traits)
        kept["_bot_worth"] = found
    return found


# -- one hit ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def hit_odds(
    save: str, armour: int | None, anti_tank: int, firepower: int, long_range: bool, bulletproof: bool, shaken: bool, motivation: str
) -> tuple[float, float]:
    """The chances that one hit destroys a team and that it makes its crew bail out, exactly."""
    facts: Any
    if save == "armoured" and armour is not None:
        facts = ArmourSave(
            armour=armour,
            anti_tank=anti_tank,
            firepower=firepower,
            long_range=long_range,
            bailed_out=shaken,
            motivation=motivation,  # type: ignore[arg-type]
        )
        odds = distribution(armour_save, facts, fields=("result",))
    else:
        facts = TeamSave(target=save if save != "armoured" else "unarmoured_vehicle", firepower=firepower, bulletproof=bulletproof)  # type: ignore[arg-type]
        odds = distribution(team_save, facts, fields=("result",))
    return float(odds.p(("destroyed",))), float(odds.p(("bailed_out",)))


def chance(needed: int) -> float:
    """The chance of one die."""
    return min(max(7 - needed, 0), 6) / 6


@lru_cache(maxsize=4096)
def chance_to_pin(volleys: tuple[tuple[int, int], ...], before: int) -> float:
    """The chance that dice at these scores, (number, needed), bring a platoon to five hits."""
    if before >= PINNING:
        return 0.0
    odds = [1.0] + [0.0] * PINNING
    odds = [0.0] * before + odds[: PINNING + 1 - before]
    for number, needed in volleys:
        p = chance(needed)
        for _ in range(number):
            odds = [
                *(odds[k] * (1 - p) + (odds[k - 1] * p if k else 0.0) for k in range(PINNING)),
                odds[PINNING] + odds[PINNING - 1] * p,
            ]
    return odds[PINNING]


# -- fire -------------------------------------------------------------------------------------------------------------


class Fire(NamedTuple):
    """What a fire brings on average, and what that is worth."""

    worth: float
    hits: float
    pins: float


def fire_worth(battle: Battle, volleys: Sequence[Volley], target: str, *, defensive: bool = False) -> Fire:
    """What the volleys of a platoon at another are worth: each hit as likely on any team that it may fall on."""
    platoon = battle.platoons[platoon_of(target)]
    total = hits = 0.0
    thrown: list[tuple[int, int]] = []
    lost: dict[str, float] = {}
    armoured = True
    for volley in volleys:
        number = dice_for(battle, volley, platoon, QUIET, defensive=defensive).dice
        needed = score_for(battle, volley, platoon, defensive=defensive).needed
        scored = number * chance(needed)
        if not scored:
            continue
        hits += scored
        thrown.append((number, needed))
        weapon = volley.weapon
        share = scored / len(volley.shots)
        for shot in volley.shots:
            team = battle.teams[shot.target]
            profile = team.profile
            armoured = armoured and profile.armoured
            kill, shake = hit_odds(
                profile.save,
                shot.armour,
                weapon.anti_tank,
                weapon.firepower,
                shot.long_range,
                shot.bulletproof,
                team.bailed_out or team.bogged,
                platoon.motivation,
            )
            lost[team.id] = lost.get(team.id, 0.0) + share * (kill + SHAKEN * shake)
    for id, part in lost.items():
        total += min(part, 1.0) * worth_of(battle.teams[id].profile)
    pins = 0.0
    if not armoured and not platoon.pinned and not platoon.independent:
        pins = chance_to_pin(tuple(sorted(thrown)), platoon.hits)
        total += pins * 0.15 * sum(worth_of(team.profile) for team in battle.members(platoon.id))
    return Fire(total, hits, pins)


_POWER: dict[tuple[int, int, int, bool, bool, str], tuple[float, TeamProfile, TeamProfile]] = {}


def power(shooter: TeamProfile, target: TeamProfile, distance_in: float, skill: str, concealed: bool, moved: bool) -> float:
    """What one team's fire at one team is worth at some distance, before anybody has looked at the ground."""
    inches = int(distance_in)
    key = (id(shooter), id(target), inches, concealed, moved, skill)
    known = _POWER.get(key)
    if known is not None:
        return known[0]
    total = 0.0
    long_range = inches >= LONG
    for weapon in shooter.weapons:
        if weapon.range_in is None or inches > weapon.range_in:
            continue
        number = 1 if moved else weapon.rof
        needed = TO_HIT[skill] + long_range + concealed + (moved and weapon.rof == 1)
        kill, shake = hit_odds(
            target.save, target.armour_front, weapon.anti_tank, weapon.firepower, long_range, target.gun_shield, False, "confident"
        )
        total += number * chance(needed) * (kill + SHAKEN * shake) * worth_of(target)
    if len(_POWER) > 50_000:
        _POWER.clear()
    _POWER[key] = (total, shooter, target)  # the profiles are kept, so that their ids stay theirs
    return total


# -- assaults ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def assault_odds(
    attacker: tuple[Any, ...], defender: tuple[Any, ...], shots: int, needed: int, anti_tank: int, firepower: int
) -> tuple[float, float, float]:
    """(chance to win, attackers lost, defenders lost) of an assault; sides as `fighters` gives them.

    Exact: what the defensive fire leaves of the attackers, and the fight of those who are left. Each part is worked out once, however
    often it is met in other company.
    """
    teams, *rest = attacker
    charges = _melee(attacker, defender).charges
    wins = lost = destroyed = 0.0
    for p, repulsed, dead, shaken in _approach(attacker, shots, needed, anti_tank, firepower):
        lost += p * charges * (dead + SHAKEN * shaken)
        if not repulsed:
            fight = _melee((teams - dead - shaken, *rest), defender)
            wins += p * fight.wins
            destroyed += p * fight.destroyed
            # Crews that bailed out under fire are lost with a fight that is lost.
            lost += p * (fight.lost + (1 - SHAKEN) * shaken * fight.loses)
    return wins, lost, destroyed


@lru_cache(maxsize=4096)
def _approach(attacker: tuple[Any, ...], shots: int, needed: int, anti_tank: int, firepower: int) -> list[tuple[float, bool, int, int]]:
    """What defensive fire may do to the attackers: (chance, whether it repulses them, destroyed, bailed out)."""
    if not shots:
        return [(1.0, False, 0, 0)]
    facts = Assault(
        attacker=AssaultAttacker(**_side(attacker)),
        defender=AssaultSide(**_side(attacker)),  # whoever it is: only his fire counts
        defensive_fire=DefensiveFire(shots=shots, needed=needed, anti_tank=anti_tank, firepower=firepower),
    )
    odds = distribution(_under_fire, facts, fields=("outcome", "attacker_destroyed", "attacker_bailed_out"))
    return [(ways / odds.total, one[0] == "repulsed", one[1], one[2]) for one, ways in odds.ways.items()]


def _under_fire(facts: Assault, dice: Dice) -> AssaultFought:
    """An assault as far as its defensive fire."""
    fight = defensive_fire(dice, Fight(Force(facts.attacker.teams), Force(facts.defender.teams)), facts)
    return fight if isinstance(fight, AssaultFought) else fought(dice, facts, "unresolved", fight)


class Melee(NamedTuple):
    """A fight without defensive fire: the chances that the attackers charge at all, win and lose, and what both sides lose on average."""

    charges: float
    wins: float
    loses: float
    lost: float
    destroyed: float


@lru_cache(maxsize=4096)
def _melee(attacker: tuple[Any, ...], defender: tuple[Any, ...]) -> Melee:
    facts = Assault(attacker=AssaultAttacker(**_side(attacker)), defender=AssaultSide(**_side(defender)), max_strikes=BLOWS)
    odds = distribution(assault, facts, fields=("outcome", "attacker_destroyed", "attacker_bailed_out", "defender_destroyed"))
    return Melee(
        charges=1.0 - float(odds.chance(lambda one: one[0] == "refused")),
        wins=float(odds.chance(lambda one: one[0] == "attacker_wins")),
        loses=float(odds.chance(lambda one: one[0] == "defender_wins")),
        lost=odds.mean(lambda one: one[1] + SHAKEN * one[2] + 0.5 * (one[0] == "defender_wins")),
        # Whoever loses has to get away four inches, and does not always.
        destroyed=odds.mean(lambda one: one[3] + 0.3 * (one[0] == "attacker_wins")),
    )


_FIELDS = ("teams", "kind", "skill", "motivation", "assault_at", "armour_top", "armour_side")


def _side(side: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(_FIELDS, side, strict=True))


def fighters(battle: Battle, teams: Sequence[Team], platoon_id: str) -> tuple[Any, ...]:
    """A side of an assault as the procedure wants it: what most of the teams are."""
    platoon = battle.platoons[platoon_id]
    tanks = [team for team in teams if team.profile.vehicle and team.profile.armoured]
    if 2 * len(tanks) > len(teams):
        one = tanks[0].profile
        return len(teams), "tank", platoon.skill, platoon.motivation, one.assault_at, one.armour_top or 0, one.armour_side or 0
    kinds = [team.profile.team_type for team in teams]
    kind = "gun" if kinds.count("gun") * 2 > len(kinds) else "cavalry" if kinds.count("cavalry") * 2 > len(kinds) else "infantry"
    if all(team.profile.vehicle for team in teams):
        kind = "unarmoured_vehicle"
    best = sorted(team.profile.assault_at for team in teams)[len(teams) // 2]
    return len(teams), kind, platoon.skill, platoon.motivation, best, None, None
