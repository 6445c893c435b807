"""Air support and anti-aircraft fire (sections 3.15 and 5.6 of the rules)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import (
    AirPool,
    AntiTank,
    Armour,
    Firepower,
    Motivation,
    Needed,
    RateOfFire,
    RerollWord,
    Save,
    Skill,
    TeamId,
    TeamNumber,
    no_doubles,
)
from sandtable.games.flames_of_war.procedures.artillery import (
    Bombarded,
    FailedAttempts,
    RangedIn,
    RangeIn,
    ShelledTeam,
    hits_on_each,
    nothing_hit,
    range_in,
    ranging_penalty,
    ranging_score,
    shell,
)
from sandtable.games.flames_of_war.procedures.saves import Hit, PinningCheck, Victim, pinning_check
from sandtable.games.flames_of_war.procedures.tests import given_score, has_firepower, passes, skill_score, successes
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score

AIR_HIT: dict[int, RerollWord] = CHARTS["air_hit"].column("reroll")
AIRCRAFT_NUMBERS: dict[int, int] = CHARTS["aircraft_numbers"].column("aircraft")
FACING: dict[str, str] = CHARTS["armour_facing"].column("armour")

ARRIVAL_SCORE = given_score(5, "score.air_call", "FOW-AIR-02")
INTERCEPTION_SCORE = given_score(6, "score.interception", "FOW-AIR-03")

# -- calling ------------------------------------------------------------------------------------------------------


class AirCall(Facts, frozen=True, kw_only=True):
    pool: AirPool


class AirCalled(Outcome, frozen=True, kw_only=True):
    arrived: bool
    pool_after: int
    rolls: tuple[int, ...]


@procedure("air_call", "FOW-AIR-02", "FOW-START-06")
def air_call(facts: AirCall, dice: Dice) -> AirCalled:
    mark = dice.mark()
    arrived = dice.stage(any_arrival, facts.pool)
    return AirCalled(arrived=arrived, pool_after=max(0, facts.pool - 1), rolls=dice.since(mark))


def any_arrival(dice: Dice, pool: int) -> bool:
    """The whole pool is rolled; one 5 is enough."""
    return dice.count(pool, "roll.air_call", at_least=ARRIVAL_SCORE, rule="FOW-AIR-02") > 0


class Interception(Facts, frozen=True, kw_only=True):
    pool: AirPool


class Intercepted(Outcome, frozen=True, kw_only=True):
    intercepted: bool
    pool_after: int
    rolls: tuple[int, ...]


@procedure("interception", "FOW-AIR-03")
def interception(facts: Interception, dice: Dice) -> Intercepted:
    mark = dice.mark()
    if facts.pool == 0:
        dice.note("note.no_pool", "FOW-AIR-03")
        return Intercepted(intercepted=False, pool_after=0, rolls=())
    intercepted = dice.test("roll.interception", at_least=INTERCEPTION_SCORE, rule="FOW-AIR-03")
    return Intercepted(intercepted=intercepted, pool_after=facts.pool - 1, rolls=dice.since(mark))


class AircraftCount(Facts, frozen=True, kw_only=True):
    pass


class AircraftCounted(Outcome, frozen=True, kw_only=True):
    aircraft: int
    rolls: tuple[int, ...]


@procedure("aircraft_count", "FOW-AIR-04")
def aircraft_count(facts: AircraftCount, dice: Dice) -> AircraftCounted:
    mark = dice.mark()
    aircraft = dice.read("roll.aircraft", 6, aircraft_of, rule="FOW-AIR-04")
    dice.looked_up("aircraft_numbers", {"roll": dice.last}, aircraft, "FOW-AIR-04")
    return AircraftCounted(aircraft=aircraft, rolls=dice.since(mark))


def aircraft_of(die: int) -> int:
    return AIRCRAFT_NUMBERS[die]


class AirSortie(Facts, frozen=True, kw_only=True):
    pool: AirPool
    enemy_pool: AirPool = 0
    intercept: bool = True


class Sortie(Outcome, frozen=True, kw_only=True):
    result: Literal["no_show", "intercepted", "arrived"]
    aircraft: int
    pool_after: int
    enemy_pool_after: int


@procedure("air_sortie", "FOW-AIR-02", "FOW-AIR-03", "FOW-AIR-04", "FOW-RULING-31")
def air_sortie(facts: AirSortie, dice: Dice) -> Sortie:
    call = air_call(AirCall(pool=facts.pool), dice)
    enemy_pool = facts.enemy_pool
    if not call.arrived:
        return Sortie(result="no_show", aircraft=0, pool_after=call.pool_after, enemy_pool_after=enemy_pool)
    if facts.intercept and enemy_pool >= 1:
        fighters = interception(Interception(pool=enemy_pool), dice)
        enemy_pool = fighters.pool_after
        if fighters.intercepted:
            return Sortie(result="intercepted", aircraft=0, pool_after=call.pool_after, enemy_pool_after=enemy_pool)
    aircraft = aircraft_count(AircraftCount(), dice).aircraft
    return Sortie(result="arrived", aircraft=aircraft, pool_after=call.pool_after, enemy_pool_after=enemy_pool)


# -- anti-aircraft fire -------------------------------------------------------------------------------------------


class AaFire(Facts, frozen=True, kw_only=True):
    skill: Skill
    rof: RateOfFire
    firepower: Firepower
    aircraft: TeamNumber
    aa_class: Literal["light", "standard", "heavy"] = "standard"
    flying_tank: bool = False
    transported: bool = False


class AaFired(Outcome, frozen=True, kw_only=True):
    shots: int
    hits: int
    destroyed: int
    aircraft_left: int
    rolls: tuple[int, ...]


class AaShots(NamedTuple):
    shots: int = 0
    hits: int = 0
    destroyed: int = 0


@procedure("aa_fire", "FOW-AA-02", "FOW-AA-04", "FOW-AA-05", "FOW-AA-06", "FOW-RULING-32")
def aa_fire(facts: AaFire, dice: Dice) -> AaFired:
    mark = dice.mark()
    if facts.transported:
        dice.note("note.transported_no_aa", "FOW-AA-02")
        return AaFired(shots=0, hits=0, destroyed=0, aircraft_left=facts.aircraft, rolls=())
    shots = facts.rof
    if facts.aa_class != "standard":
        shots = 1
        dice.note("note.aa_one_shot", "FOW-AA-04")
    fired = dice.fold(next_aa_shot, AaShots(), (facts,) * shots)
    return AaFired(
        shots=fired.shots,
        hits=fired.hits,
        destroyed=fired.destroyed,
        aircraft_left=facts.aircraft - fired.destroyed,
        rolls=dice.since(mark),
    )


def next_aa_shot(dice: Dice, fired: AaShots, facts: AaFire) -> AaShots:
    """Shot by shot, while aircraft are left."""
    if fired.destroyed >= facts.aircraft:
        return fired
    hit = passes(dice, "roll.aa_hit", skill_score(facts.skill), rule="FOW-AA-05")
    if not hit:
        return fired._replace(shots=fired.shots + 1)
    reroll: RerollWord = "passed" if facts.flying_tank else "none"
    down = has_firepower(dice, facts.firepower, reroll, "FOW-AA-06" if facts.flying_tank else "FOW-AA-05")
    return AaShots(fired.shots + 1, fired.hits + 1, fired.destroyed + down)


# -- the strike ---------------------------------------------------------------------------------------------------


class AirHits(Facts, frozen=True, kw_only=True):
    to_hit: Needed
    aircraft: Annotated[int, msgspec.Meta(ge=1, le=3)]
    failed_attempts: FailedAttempts
    targets: TeamNumber


class AirHit(Outcome, frozen=True, kw_only=True):
    needed: int
    reroll: RerollWord
    hits: int
    target_hits: tuple[bool, ...]
    rolls: tuple[int, ...]


@procedure("air_hits", "FOW-AIR-10", "FOW-AIR-11", "FOW-RULING-04")
def air_hits(facts: AirHits, dice: Dice) -> AirHit:
    mark = dice.mark()
    score, reroll = air_score(facts.to_hit, facts.failed_attempts), AIR_HIT[facts.aircraft]
    dice.looked_up("air_hit", {"aircraft": facts.aircraft}, reroll, "FOW-AIR-11")
    hits, target_hits = hits_on_each(dice, facts.targets, score, reroll, "FOW-AIR-10")
    return AirHit(needed=score.needed, reroll=reroll, hits=hits, target_hits=target_hits, rolls=dice.since(mark))


@lru_cache(4096)
def air_score(to_hit: int, failed_attempts: int) -> Score:
    penalty = ranging_penalty("aircraft", failed_attempts)
    return Score.of(to_hit, "score.aircraft_weapon", "FOW-AIR-10").plus_if(penalty != 0, "modifier.failed_ranging", penalty, "FOW-AIR-10")


class AttackedTeam(Facts, frozen=True, kw_only=True):
    id: TeamId
    save: Save
    armour_top: Armour | None = None
    armour_side: Armour | None = None
    dug_in: bool = False
    bulletproof: bool = False
    bailed_out: bool = False
    bogged: bool = False


class AirAttack(Facts, frozen=True, kw_only=True):
    aircraft: Annotated[int, msgspec.Meta(ge=0, le=3)]
    weapon_class: Literal["bomb", "rocket", "cannon", "machine_gun"]
    to_hit: Needed
    anti_tank: AntiTank
    firepower: Firepower
    target_skill: Skill
    concealed: bool = False
    gone_to_ground: bool = False
    target_motivation: Motivation | None = None
    commander_joined: bool = False
    teams: Annotated[tuple[AttackedTeam, ...], msgspec.Meta(max_length=200)]

    def __post_init__(self) -> None:
        no_doubles((team.id for team in self.teams), "teams")


@procedure(
    "air_attack",
    *("FOW-AIR-08", "FOW-AIR-10", "FOW-AIR-11", "FOW-AIR-12", "FOW-AIR-13", "FOW-AIR-14", "FOW-PIN-03"),
    *("FOW-RULING-13", "FOW-RULING-40", "FOW-RULING-60"),
)
def air_attack(facts: AirAttack, dice: Dice) -> Bombarded:
    aim = RangeIn(target_skill=facts.target_skill, concealed=facts.concealed, gone_to_ground=facts.gone_to_ground, attack="air")
    teams = dice.stage(attacked_teams, facts)
    if facts.aircraft == 0:
        dice.note("note.no_aircraft", "FOW-AIR-08")
        nobody = RangedIn(ranged_in=False, attempt=0, failed_attempts=0, needed=ranging_score(aim).needed, rolls=())
        return nothing_hit(nobody, teams)
    ranging = range_in(aim, dice)
    if not ranging.ranged_in:
        return nothing_hit(ranging, teams)

    score, reroll = air_score(facts.to_hit, ranging.failed_attempts), AIR_HIT[facts.aircraft]
    dice.looked_up("air_hit", {"aircraft": facts.aircraft}, reroll, "FOW-AIR-11")
    hits = successes(dice, len(teams), "roll.template_hit", score, reroll, "FOW-AIR-10")
    effect = dice.stage(shell, teams, hits, Hit(facts.anti_tank, facts.firepower))
    all_armoured = all(team.save == "armoured" for team in facts.teams)
    return Bombarded(
        ranged_in=True,
        attempt=ranging.attempt,
        needed_range=ranging.needed,
        needed_hit=score.needed,
        hits=hits,
        allocation=effect.allocation,
        states=effect.states,
        destroyed=effect.destroyed,
        bailed_out=effect.bailed_out,
        pinned=pinning_check(PinningCheck(attack="air", hits=hits, all_armoured=all_armoured), dice).pinned,
    )


def attacked_teams(dice: Dice, facts: AirAttack) -> tuple[ShelledTeam, ...]:
    """Bombs and rockets strike top armour, cannon and machine guns side armour."""
    facing = FACING[f"air_{facts.weapon_class}"]
    dice.looked_up("armour_facing", {"attack": f"air_{facts.weapon_class}"}, facing, "FOW-AIR-13")
    return tuple(
        ShelledTeam(
            team.id,
            Victim(
                team.save,
                team.armour_top if facing == "top" else team.armour_side,
                team.bulletproof or team.dug_in,
                team.bogged,
                facts.target_motivation,
                facts.commander_joined,
            ),
            "bailed_out" if team.bailed_out else "unhurt",
            team.dug_in,
            team.armour_top,
        )
        for team in facts.teams
    )
