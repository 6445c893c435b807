"""The assault, step by step and whole (sections 3.12 and 5.8 of the rules)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from sandtable.games.flames_of_war.procedures._charts import CHARTS, INCHES
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import (
    AntiTank,
    Armour,
    DiceNumber,
    Firepower,
    HitResult,
    Hits,
    Inches,
    Motivation,
    Needed,
    Skill,
    State,
    TeamNumber,
)
from sandtable.games.flames_of_war.procedures.saves import (
    COMPARISONS,
    PINNING_HITS,
    Hit,
    Losses,
    Struck,
    Victim,
    next_target,
    state_after,
)
from sandtable.games.flames_of_war.procedures.tests import given_score, is_motivated, skill_score, successes
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome, required
from sandtable.kernel.traces import Score

ALLOWED: dict[tuple[str, str], bool] = CHARTS["assault_actions"].column("allowed")
ARMOUR_RESULTS: dict[str, HitResult] = CHARTS["assault_armour_results"].column("result")

Reply = Literal["counterattack", "break_off"]
FightingTeams = Annotated[int, msgspec.Meta(ge=1, le=100)]

# -- step 1: choose -----------------------------------------------------------------------------------------------


class AssaultDeclare(Facts, frozen=True, kw_only=True):
    kind: Literal["infantry", "cavalry", "tank", "gun", "transport"]
    distance_in: Inches
    motivation: Motivation | None = None
    target_is_tanks: bool = False
    commander_joined: bool = False
    pinned: bool = False
    at_the_double: bool = False
    armoured: bool = False


class Declared(Outcome, frozen=True, kw_only=True):
    result: Literal["allowed", "refused", "not_allowed"]
    rolls: tuple[int, ...]


@procedure(
    "assault_declare",
    *("FOW-ASLT-01", "FOW-ASLT-02", "FOW-DBL-08", "FOW-IND-04", "FOW-RULING-21", "FOW-RULING-42", "FOW-RULING-57", "FOW-RULING-63"),
)
def assault_declare(facts: AssaultDeclare, dice: Dice) -> Declared:
    mark = dice.mark()
    reach = INCHES["cavalry_assault_move"] if facts.kind == "cavalry" else INCHES["assault_range"]
    why_not = [
        ("note.may_not_charge", not may(facts.kind, "charge", facts.armoured), "FOW-ASLT-01"),
        ("note.no_assault_at_double", facts.at_the_double, "FOW-DBL-08"),
        ("note.no_assault_pinned", facts.pinned and not facts.armoured, "FOW-RULING-57"),
        ("note.too_far_to_assault", facts.distance_in > reach, "FOW-RULING-42" if facts.kind == "cavalry" else "FOW-ASLT-01"),
    ]
    for message, applies, rule in why_not:
        if applies:
            dice.note(message, rule, reach=reach)
            return Declared(result="not_allowed", rolls=())
    if facts.target_is_tanks:
        brave = is_motivated(dice, required(facts.motivation, "motivation"), facts.commander_joined, "FOW-ASLT-02")
        return Declared(result="allowed" if brave else "refused", rolls=dice.since(mark))
    return Declared(result="allowed", rolls=())


def may(kind: str, action: str, armoured: bool = True) -> bool:
    """What a kind of team may do in an assault: cavalry as infantry, unarmoured vehicles as transports."""
    if kind == "cavalry":
        kind = "infantry"
    if kind == "unarmoured_vehicle" or (kind == "tank" and not armoured):
        kind = "transport"
    return ALLOWED[kind, action]


# -- steps 4 and 5: hit and save ----------------------------------------------------------------------------------


class AssaultStrike(Facts, frozen=True, kw_only=True):
    teams: TeamNumber
    skill: Skill
    target_teams: TeamNumber
    target_armoured: bool = False
    armour_top: Armour | None = None
    assault_at: AntiTank = 2


class StruckOnce(Outcome, frozen=True, kw_only=True):
    hits: int
    destroyed: int
    bailed_out: int
    rolls: tuple[int, ...]


class StrikeLosses(NamedTuple):
    """Targets that will be hit again wait in a row with their states; the others are counted."""

    waiting: tuple[State, ...] = ()
    destroyed: int = 0
    bailed_out: int = 0


class MeleeHit(NamedTuple):
    armour_top: int
    assault_at: int
    first: bool
    """The first hit on this target."""
    again: bool
    """It will be hit again."""


@procedure("assault_strike", "FOW-ASLT-10", "FOW-ASLT-11", "FOW-ASLT-12", "FOW-RULING-22", "FOW-RULING-40", "FOW-RULING-44")
def assault_strike(facts: AssaultStrike, dice: Dice) -> StruckOnce:
    mark = dice.mark()
    hits = successes(dice, facts.teams, "roll.melee", skill_score(facts.skill), rule="FOW-ASLT-10")
    if facts.target_armoured:
        losses = dice.stage(melee_saves, hits, facts)
    else:
        dice.note("note.no_save_in_assault", "FOW-ASLT-11", hits=hits)
        losses = StrikeLosses(destroyed=min(hits, facts.target_teams))
    return StruckOnce(hits=hits, destroyed=losses.destroyed, bailed_out=losses.bailed_out, rolls=dice.since(mark))


def melee_saves(dice: Dice, hits: int, facts: AssaultStrike) -> StrikeLosses:
    """Hits go round the target teams, one each, and round again."""
    targets = facts.target_teams
    if hits == 0 or targets == 0:
        return StrikeLosses()
    armour_top = required(facts.armour_top, "armour_top")
    round_robin = tuple(MeleeHit(armour_top, facts.assault_at, hit < targets, hit + targets < hits) for hit in range(hits))
    return dice.fold(next_melee_hit, StrikeLosses(), round_robin)


def next_melee_hit(dice: Dice, losses: StrikeLosses, hit: MeleeHit) -> StrikeLosses:
    state: State = "unhurt" if hit.first else losses.waiting[0]
    waiting = losses.waiting if hit.first else losses.waiting[1:]
    if state != "destroyed":
        state = state_after(state, melee_save(dice, hit.armour_top, hit.assault_at))
    if hit.again:
        return losses._replace(waiting=(*waiting, state))
    return StrikeLosses(waiting, losses.destroyed + (state == "destroyed"), losses.bailed_out + (state == "bailed_out"))


def melee_save(dice: Dice, armour_top: int, assault_at: int) -> HitResult:
    """Top armour against the strikers' anti-tank, without a firepower test."""
    band = dice.band("roll.armour", 6, (assault_at - 1, assault_at), modifier=top_armour(armour_top), rule="FOW-ASLT-12")
    comparison = COMPARISONS[band]
    result = ARMOUR_RESULTS[comparison]
    dice.looked_up("assault_armour_results", {"comparison": comparison}, result, "FOW-ASLT-12")
    return result


@lru_cache(256)
def top_armour(armour_top: int) -> Score:
    return Score.of(armour_top, "modifier.armour_top", "FOW-ASLT-12")


# -- step 8: the other side ---------------------------------------------------------------------------------------


class AssaultReaction(Facts, frozen=True, kw_only=True):
    hits_taken: Hits
    motivation: Motivation | None = None
    wants: Reply = "counterattack"
    enemy_is_tanks: bool = False
    can_counterattack: bool = True
    commander_joined: bool = False


class Reaction(Outcome, frozen=True, kw_only=True):
    tested: bool
    passed: bool | None
    action: Reply
    rolls: tuple[int, ...]


@procedure("assault_reaction", "FOW-ASLT-15", "FOW-ASLT-16", "FOW-IND-04")
def assault_reaction(facts: AssaultReaction, dice: Dice) -> Reaction:
    mark = dice.mark()
    if facts.wants == "break_off" or not facts.can_counterattack:
        dice.note("note.breaks_off", "FOW-ASLT-16")
        return Reaction(tested=False, passed=None, action="break_off", rolls=())
    if facts.hits_taken == 0 and not facts.enemy_is_tanks:
        dice.note("note.no_hit_no_test", "FOW-ASLT-15")
        return Reaction(tested=False, passed=True, action="counterattack", rolls=())
    passed = is_motivated(dice, required(facts.motivation, "motivation"), facts.commander_joined, "FOW-ASLT-15")
    return Reaction(tested=True, passed=passed, action="counterattack" if passed else "break_off", rolls=dice.since(mark))


class BreakOff(Facts, frozen=True, kw_only=True):
    distances_after: Annotated[tuple[Inches, ...], msgspec.Meta(max_length=200)]


class BrokenOff(Outcome, frozen=True, kw_only=True):
    destroyed: int
    survivors: int


@procedure("break_off", "FOW-ASLT-18", "FOW-RULING-24")
def break_off(facts: BreakOff, dice: Dice) -> BrokenOff:
    safe = INCHES["break_off"]
    dice.looked_up("distances", {"name": "break_off"}, safe, "FOW-ASLT-18")
    destroyed = sum(distance < safe for distance in facts.distances_after)
    return BrokenOff(destroyed=destroyed, survivors=len(facts.distances_after) - destroyed)


# -- the whole fight ----------------------------------------------------------------------------------------------


class AssaultSide(Facts, frozen=True, kw_only=True):
    teams: FightingTeams
    kind: Literal["infantry", "cavalry", "tank", "gun", "unarmoured_vehicle"]
    skill: Skill
    motivation: Motivation | None = None
    commander_joined: bool = False
    assault_at: AntiTank = 2
    armour_top: Armour | None = None
    armour_side: Armour | None = None


class AssaultAttacker(AssaultSide, frozen=True, kw_only=True):
    kind: Literal["infantry", "cavalry", "tank"]


class DefensiveFire(Facts, frozen=True, kw_only=True):
    shots: DiceNumber
    needed: Needed
    anti_tank: AntiTank
    firepower: Firepower


class Assault(Facts, frozen=True, kw_only=True, cache_hash=True):
    attacker: AssaultAttacker
    defender: AssaultSide
    defensive_fire: DefensiveFire | None = None
    attacker_reply: Reply = "counterattack"
    defender_reply: Reply = "counterattack"
    max_strikes: Annotated[int, msgspec.Meta(ge=1, le=100)] = 6


Ending = Literal["refused", "repulsed", "attacker_wins", "defender_wins", "unresolved"]


class AssaultFought(Outcome, frozen=True, kw_only=True, cache_hash=True):
    outcome: Ending
    strikes: int
    attacker_destroyed: int
    attacker_bailed_out: int
    defender_destroyed: int
    defender_bailed_out: int
    attacker_hits_taken: int
    defender_hits_taken: int
    attacker_pinned: bool
    defender_pinned: bool


class Force(NamedTuple):
    """One side in the course of the fight: teams able to fight, bailed out, and hits taken."""

    able: int
    bailed_out: int = 0
    hits_taken: int = 0


class Fight(NamedTuple):
    attacker: Force
    defender: Force
    attacker_strikes: bool = True
    strikes: int = 0
    hits: int = 0
    """Of the strike just made; more than one is no different from one."""


class Step(NamedTuple):
    """A step of the fight. The last strike is answered by nobody."""

    facts: Assault
    name: Literal["defensive_fire", "strike", "answer", "time_is_up"]


@procedure(
    "assault",
    *("FOW-ASLT-02", "FOW-ASLT-08", "FOW-ASLT-09", "FOW-ASLT-10", "FOW-ASLT-11", "FOW-ASLT-12", "FOW-ASLT-14", "FOW-ASLT-15"),
    *("FOW-ASLT-16", "FOW-ASLT-17", "FOW-ASLT-19", "FOW-ASLT-21", "FOW-PIN-03", "FOW-RULING-13", "FOW-RULING-17", "FOW-RULING-21"),
    "FOW-RULING-43",
)
def assault(facts: Assault, dice: Dice) -> AssaultFought:
    attacker, defender = facts.attacker, facts.defender
    start = Fight(Force(attacker.teams), Force(defender.teams))
    if defender.kind == "tank":
        brave = is_motivated(dice, required(attacker.motivation, "motivation"), attacker.commander_joined, "FOW-ASLT-02")
        if not brave:
            return fought(dice, facts, "refused", start)
    steps = (
        Step(facts, "defensive_fire"),
        *(Step(facts, "strike"), Step(facts, "answer")) * (facts.max_strikes - 1),
        *(Step(facts, "strike"), Step(facts, "time_is_up")),
    )
    fight: Fight | AssaultFought = start
    fight = dice.fold(next_step, fight, steps)
    assert isinstance(fight, AssaultFought)  # the last step ends it
    return fight


def next_step(dice: Dice, fight: Fight | AssaultFought, step: Step) -> Fight | AssaultFought:
    """Defensive fire first, then strike after strike, until the fight has ended."""
    if isinstance(fight, AssaultFought):
        return fight
    if step.name == "defensive_fire":
        return defensive_fire(dice, fight, step.facts)
    if step.name == "strike":
        return strike(dice, fight, step.facts)
    if step.name == "answer":
        return answer(dice, fight, step.facts)
    return fought(dice, step.facts, "unresolved", fight)


def defensive_fire(dice: Dice, fight: Fight, facts: Assault) -> Fight | AssaultFought:
    """All shots, then the hits go round the attacking teams, who save team by team; tanks on their side armour."""
    fire, attacker = facts.defensive_fire, facts.attacker
    if fire is None:
        return fight
    hits = successes(dice, fire.shots, "roll.defensive_fire", given_score(fire.needed), rule="FOW-ASLT-06")
    victim = Victim(
        "armoured" if attacker.kind == "tank" else attacker.kind,
        attacker.armour_side,
        motivation=attacker.motivation,
        commander_joined=attacker.commander_joined,
    )
    hit = Hit(fire.anti_tank, fire.firepower)
    each, more = divmod(hits, attacker.teams)
    struck = tuple(
        Struck(victim, "unhurt", (hit,) * (each + (team < more)), f"{team + 1}" if dice.tracing else "") for team in range(attacker.teams)
    )
    losses = dice.fold(next_target, Losses(), struck)
    able = attacker.teams - losses.destroyed - losses.bailed_out
    fight = fight._replace(attacker=remembered(dice, "attacker", Force(able, losses.bailed_out, hits)))
    if able == 0 or (hits >= PINNING_HITS and attacker.kind != "tank"):
        dice.note("note.repulsed", "FOW-ASLT-09", hits=hits)
        return fought(dice, facts, "repulsed", fight)
    return fight


def strike(dice: Dice, fight: Fight, facts: Assault) -> Fight | AssaultFought:
    """One side strikes. If it leaves nobody able to fight, it has won."""
    dice.note(
        "note.attacker_strikes" if fight.attacker_strikes else "note.defender_strikes", "FOW-ASLT-17" if fight.strikes else "FOW-ASLT-10"
    )
    if fight.attacker_strikes:
        blow = dice.stage(strike_once, "defender", strike_facts(facts.attacker, fight.attacker.able, facts.defender, fight.defender.able))
        attacker, defender = fight.attacker, after_blow(dice, "defender", fight.defender, blow)
    else:
        blow = dice.stage(strike_once, "attacker", strike_facts(facts.defender, fight.defender.able, facts.attacker, fight.attacker.able))
        attacker, defender = after_blow(dice, "attacker", fight.attacker, blow), fight.defender
    strikes = fight.strikes + 1 if dice.wants("strikes") else 0
    fight = Fight(attacker, defender, fight.attacker_strikes, strikes, min(blow.hits_taken, 1))
    if blow.able == 0:
        dice.note("note.no_enemy_left", "FOW-ASLT-14")
        return won(dice, facts, fight)
    return fight


def answer(dice: Dice, fight: Fight, facts: Assault) -> Fight | AssaultFought:
    """The side that was struck breaks off, or strikes back in its turn."""
    striker: AssaultSide = facts.attacker if fight.attacker_strikes else facts.defender
    other: AssaultSide = facts.defender if fight.attacker_strikes else facts.attacker
    reaction = assault_reaction(
        AssaultReaction(
            hits_taken=fight.hits,
            motivation=other.motivation,
            wants=facts.defender_reply if fight.attacker_strikes else facts.attacker_reply,
            enemy_is_tanks=striker.kind == "tank",
            can_counterattack=may(other.kind, "counterattack"),
            commander_joined=other.commander_joined,
        ),
        dice,
    )
    if reaction.action == "break_off":
        return won(dice, facts, fight)
    return Fight(fight.attacker, fight.defender, not fight.attacker_strikes, fight.strikes)


def after_blow(dice: Dice, side: str, force: Force, blow: Force) -> Force:
    return remembered(dice, side, Force(blow.able, force.bailed_out + blow.bailed_out, force.hits_taken + blow.hits_taken))


def strike_facts(striker: AssaultSide, teams: int, other: AssaultSide, target_teams: int) -> AssaultStrike:
    return AssaultStrike(
        teams=teams if may(striker.kind, "fight") else 0,
        skill=striker.skill,
        target_teams=target_teams,
        target_armoured=other.kind == "tank",
        armour_top=other.armour_top,
        assault_at=striker.assault_at,
    )


def strike_once(dice: Dice, hit_side: str, facts: AssaultStrike) -> Force:
    """What a strike leaves of the teams that were able to fight until now."""
    blow = assault_strike(facts, dice)
    return remembered(dice, hit_side, Force(facts.target_teams - blow.destroyed - blow.bailed_out, blow.bailed_out, blow.hits))


def remembered(dice: Dice, side: str, force: Force) -> Force:
    """Nothing but what is asked for: the odds of who wins need not tell crews that bailed out from tanks destroyed."""
    losses_matter = dice.wants(f"{side}_destroyed") or dice.wants(f"{side}_bailed_out")
    return Force(
        force.able,
        force.bailed_out if losses_matter else 0,
        force.hits_taken if dice.wants(f"{side}_hits_taken") else min(force.hits_taken, 1),
    )


def won(dice: Dice, facts: Assault, fight: Fight) -> AssaultFought:
    """The loser leaves his bailed-out teams behind, and so they are destroyed (FOW-RULING-43)."""
    if fight.attacker_strikes:
        return fought(dice, facts, "attacker_wins", fight._replace(defender=fight.defender._replace(bailed_out=0)))
    return fought(dice, facts, "defender_wins", fight._replace(attacker=fight.attacker._replace(bailed_out=0)))


def fought(dice: Dice, facts: Assault, outcome: Ending, fight: Fight) -> AssaultFought:
    attacker, defender = fight.attacker, fight.defender
    wants = dice.wants
    return AssaultFought(
        outcome=outcome,
        strikes=fight.strikes,
        attacker_destroyed=facts.attacker.teams - attacker.able - attacker.bailed_out if wants("attacker_destroyed") else 0,
        attacker_bailed_out=attacker.bailed_out if wants("attacker_bailed_out") else 0,
        defender_destroyed=facts.defender.teams - defender.able - defender.bailed_out if wants("defender_destroyed") else 0,
        defender_bailed_out=defender.bailed_out if wants("defender_bailed_out") else 0,
        attacker_hits_taken=attacker.hits_taken if wants("attacker_hits_taken") else 0,
        defender_hits_taken=defender.hits_taken if wants("defender_hits_taken") else 0,
        attacker_pinned=attacker.hits_taken > 0 and facts.attacker.kind != "tank" and wants("attacker_pinned"),
        defender_pinned=defender.hits_taken > 0 and facts.defender.kind != "tank" and wants("defender_pinned"),
    )
