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


class Strike(Outcome, frozen=True, kw_only=True):
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
def assault_strike(facts: AssaultStrike, dice: Dice) -> Strike:
    mark = dice.mark()
    hits = successes(dice, facts.teams, "roll.melee", skill_score(facts.skill), rule="FOW-ASLT-10")
    if facts.target_armoured:
        losses = dice.stage(melee_saves, hits, facts)
    else:
        dice.note("note.no_save_in_assault", "FOW-ASLT-11", hits=hits)
        losses = StrikeLosses(destroyed=min(hits, facts.target_teams))
    return Strike(hits=hits, destroyed=losses.destroyed, bailed_out=losses.bailed_out, rolls=dice.since(mark))


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


class Assault(Facts, frozen=True, kw_only=True):
    attacker: AssaultAttacker
    defender: AssaultSide
    defensive_fire: DefensiveFire | None = None
    attacker_reply: Reply = "counterattack"
    defender_reply: Reply = "counterattack"
    max_strikes: Annotated[int, msgspec.Meta(ge=1, le=100)] = 6


Ending = Literal["refused", "repulsed", "attacker_wins", "defender_wins", "unresolved"]


class AssaultFought(Outcome, frozen=True, kw_only=True):
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
    end: Ending | None = None


@procedure(
    "assault",
    *("FOW-ASLT-02", "FOW-ASLT-08", "FOW-ASLT-09", "FOW-ASLT-10", "FOW-ASLT-11", "FOW-ASLT-12", "FOW-ASLT-14", "FOW-ASLT-15"),
    *("FOW-ASLT-16", "FOW-ASLT-17", "FOW-ASLT-19", "FOW-ASLT-21", "FOW-PIN-03", "FOW-RULING-13", "FOW-RULING-17", "FOW-RULING-21"),
    "FOW-RULING-43",
)
def assault(facts: Assault, dice: Dice) -> AssaultFought:
    attacker, defender = facts.attacker, facts.defender

    # Against tanks it takes courage to charge.
    if defender.kind == "tank":
        brave = is_motivated(dice, required(attacker.motivation, "motivation"), attacker.commander_joined, "FOW-ASLT-02")
        if not brave:
            return fought(facts, "refused", Fight(Force(attacker.teams), Force(defender.teams)))

    # Defensive fire may stop the charge.
    charge = dice.stage(under_defensive_fire, facts)
    fight = Fight(charge.force, Force(defender.teams))
    if charge.stopped or charge.force.able == 0:
        dice.note("note.repulsed", "FOW-ASLT-09", hits=charge.force.hits_taken)
        return fought(facts, "repulsed", fight)

    # Strike and strike back, until one side is gone, breaks off, or the limit is reached.
    rounds = tuple((facts, number == facts.max_strikes) for number in range(1, facts.max_strikes + 1))
    fight = dice.fold(next_strike, fight, rounds)
    if fight.end == "attacker_wins":
        fight = fight._replace(defender=fight.defender._replace(bailed_out=0))  # left behind, so destroyed (FOW-RULING-43)
    elif fight.end == "defender_wins":
        fight = fight._replace(attacker=fight.attacker._replace(bailed_out=0))
    return fought(facts, fight.end or "unresolved", fight)


class Charge(NamedTuple):
    force: Force
    stopped: bool


def under_defensive_fire(dice: Dice, facts: Assault) -> Charge:
    """All shots, then the hits go round the attacking teams, who save team by team; tanks on their side armour."""
    fire, attacker = facts.defensive_fire, facts.attacker
    if fire is None:
        return Charge(Force(attacker.teams), stopped=False)
    hits = successes(dice, fire.shots, "roll.defensive_fire", given_score(fire.needed), rule="FOW-ASLT-06")
    tanks = attacker.kind == "tank"
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
    taken = hits if dice.wants("attacker_hits_taken") else min(hits, 1)
    return Charge(Force(able, losses.bailed_out, taken), stopped=hits >= PINNING_HITS and not tanks)


def next_strike(dice: Dice, fight: Fight, item: tuple[Assault, bool]) -> Fight:
    """One side strikes; the other is gone, breaks off or strikes back."""
    if fight.end:
        return fight
    facts, last = item
    striker: AssaultSide
    other: AssaultSide
    if fight.attacker_strikes:
        striker, other, struck, reply = facts.attacker, facts.defender, fight.defender, facts.defender_reply
        strikers, keep_hits = fight.attacker, dice.wants("defender_hits_taken")
    else:
        striker, other, struck, reply = facts.defender, facts.attacker, fight.attacker, facts.attacker_reply
        strikers, keep_hits = fight.defender, dice.wants("attacker_hits_taken")
    blow = dice.stage(
        strike_once,
        AssaultStrike(
            teams=strikers.able if may(striker.kind, "fight") else 0,
            skill=striker.skill,
            target_teams=struck.able,
            target_armoured=other.kind == "tank",
            armour_top=other.armour_top,
            assault_at=striker.assault_at,
        ),
    )
    hits_taken = struck.hits_taken + blow.hits
    struck = Force(
        struck.able - blow.destroyed - blow.bailed_out,
        struck.bailed_out + blow.bailed_out,
        hits_taken if keep_hits else min(hits_taken, 1),
    )
    end: Ending | None = None
    if struck.able == 0:
        dice.note("note.no_enemy_left", "FOW-ASLT-14")
        end = "attacker_wins" if fight.attacker_strikes else "defender_wins"
    elif last:
        end = "unresolved"
    else:
        reaction = assault_reaction(
            AssaultReaction(
                hits_taken=blow.hits,
                motivation=other.motivation,
                wants=reply,
                enemy_is_tanks=striker.kind == "tank",
                can_counterattack=may(other.kind, "counterattack"),
                commander_joined=other.commander_joined,
            ),
            dice,
        )
        if reaction.action == "break_off":
            end = "attacker_wins" if fight.attacker_strikes else "defender_wins"
    return Fight(
        attacker=fight.attacker if fight.attacker_strikes else struck,
        defender=struck if fight.attacker_strikes else fight.defender,
        attacker_strikes=fight.attacker_strikes if end else not fight.attacker_strikes,
        strikes=fight.strikes + 1 if dice.wants("strikes") else 0,
        end=end,
    )


class Blow(NamedTuple):
    hits: int
    destroyed: int
    bailed_out: int


def strike_once(dice: Dice, facts: AssaultStrike) -> Blow:
    strike = assault_strike(facts, dice)
    return Blow(strike.hits, strike.destroyed, strike.bailed_out)


def fought(facts: Assault, outcome: Ending, fight: Fight) -> AssaultFought:
    attacker, defender = fight.attacker, fight.defender
    return AssaultFought(
        outcome=outcome,
        strikes=fight.strikes,
        attacker_destroyed=facts.attacker.teams - attacker.able - attacker.bailed_out,
        attacker_bailed_out=attacker.bailed_out,
        defender_destroyed=facts.defender.teams - defender.able - defender.bailed_out,
        defender_bailed_out=defender.bailed_out,
        attacker_hits_taken=attacker.hits_taken,
        defender_hits_taken=defender.hits_taken,
        attacker_pinned=attacker.hits_taken > 0 and facts.attacker.kind != "tank",
        defender_pinned=defender.hits_taken > 0 and facts.defender.kind != "tank",
    )
