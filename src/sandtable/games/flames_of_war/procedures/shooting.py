"""Direct fire: concealment, dice, scores, and whole shots (sections 3.7 to 3.9 and 5.3 of the rules)."""

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
    Inches,
    Kind,
    Motivation,
    Needed,
    RateOfFire,
    Save,
    Skill,
    State,
    TeamId,
    no_doubles,
)
from sandtable.games.flames_of_war.procedures.allocation import AllocateHits, Target, WeaponHit, allocate_hits
from sandtable.games.flames_of_war.procedures.saves import (
    Hit,
    Losses,
    PinningCheck,
    Struck,
    Victim,
    next_target,
    pinning_check,
    state_after,
    take_hit,
)
from sandtable.games.flames_of_war.procedures.tests import given_score, successes
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, FrozenMap, Outcome
from sandtable.kernel.traces import Score

TO_HIT: dict[str, int] = CHARTS["to_hit"].column("needed")
TO_HIT_MODIFIERS: dict[str, int] = CHARTS["to_hit_modifiers"].column("modifier")
LONG_RANGE = INCHES["long_range"]
SIX = 6


# -- the target ---------------------------------------------------------------------------------------------------


class Concealment(Facts, frozen=True, kw_only=True):
    kind: Literal["infantry", "man_packed_gun", "gun", "vehicle", "cavalry"]
    moved: bool = False
    at_the_double: bool = False
    shot: bool = False
    assaulted: bool = False
    recon: bool = False
    observer: bool = False
    terrain_hides_half: bool = False
    in_concealing_terrain: bool = False
    behind_obstacle: bool = False
    in_building: bool = False
    dug_in: bool = False
    in_smoke: bool = False
    shooter_in_smoke: bool = False
    spotted: bool = False


class Concealed(Outcome, frozen=True, kw_only=True):
    concealed: bool
    gone_to_ground: bool


@procedure(
    "concealment",
    *("FOW-CONC-01", "FOW-CONC-02", "FOW-CONC-03", "FOW-CONC-04", "FOW-CONC-05", "FOW-CONC-06", "FOW-CONC-07", "FOW-CONC-08"),
    *("FOW-OBS-04", "FOW-RULING-10", "FOW-RULING-14", "FOW-RULING-15"),
)
def concealment(facts: Concealment, dice: Dice) -> Concealed:
    moved = facts.moved or facts.at_the_double
    reasons = [
        ("note.terrain_hides_half", facts.terrain_hides_half, "FOW-CONC-01"),
        ("note.in_concealing_terrain", facts.in_concealing_terrain, "FOW-CONC-02"),
        ("note.behind_obstacle", facts.behind_obstacle, "FOW-CONC-07"),
        ("note.in_building", facts.in_building, "FOW-CONC-06"),
        ("note.dug_in", facts.dug_in, "FOW-RULING-14"),
        ("note.in_smoke", facts.in_smoke, "FOW-CONC-08"),
        ("note.shooter_in_smoke", facts.shooter_in_smoke, "FOW-CONC-08"),
        ("note.foot_did_not_move", facts.kind in ("infantry", "man_packed_gun") and not moved, "FOW-CONC-03"),
    ]
    concealed = any(applies for _, applies, _ in reasons)
    for message, applies, rule in reasons:
        if applies:
            dice.note(message, rule)

    cautious = (facts.recon or facts.observer) and not facts.at_the_double
    quiet = not (facts.shot or facts.assaulted or facts.spotted)
    gone_to_ground = concealed and quiet and (not moved or cautious)
    if gone_to_ground:
        dice.note("note.gone_to_ground", "FOW-CONC-05" if moved else "FOW-CONC-04")
    return Concealed(concealed=concealed, gone_to_ground=gone_to_ground)


class BulletproofCover(Facts, frozen=True, kw_only=True):
    attack: Literal["direct", "artillery", "air", "assault"] = "direct"
    in_building: bool = False
    shooter_at_opening: bool = False
    dug_in: bool = False
    gun_shield: bool = False
    hit_from_front: bool = True
    at_the_double: bool = False


class Bulletproof(Outcome, frozen=True, kw_only=True):
    bulletproof: bool


@procedure("bulletproof_cover", "FOW-CONC-06", "FOW-SAVE-10", "FOW-ASLT-11", "FOW-RULING-14", "FOW-RULING-60")
def bulletproof_cover(facts: BulletproofCover, dice: Dice) -> Bulletproof:
    if facts.attack == "assault":
        dice.note("note.no_cover_in_assault", "FOW-ASLT-11")
        return Bulletproof(bulletproof=False)
    building = facts.in_building and not facts.shooter_at_opening
    shield = facts.gun_shield and facts.attack == "direct" and facts.hit_from_front and not facts.at_the_double
    if building:
        dice.note("note.cover_of_building", "FOW-CONC-06")
    if facts.dug_in:
        dice.note("note.dug_in", "FOW-RULING-14")
    if shield:
        dice.note("note.gun_shield", "FOW-SAVE-10")
    return Bulletproof(bulletproof=building or facts.dug_in or shield)


# -- the shooter --------------------------------------------------------------------------------------------------


class ShotDice(Facts, frozen=True, kw_only=True):
    rof: RateOfFire
    distance_in: Inches = 0
    moved: bool = False
    pinned: bool = False
    armoured: bool = False
    mounted_cavalry: bool = False
    at_the_double: bool = False
    passenger: bool = False
    bailed_out: bool = False
    bogged: bool = False
    defensive_fire: bool = False
    target_at_the_double: bool = False
    target_disengaging: bool = False


NoShot = Literal["passenger", "bailed_out", "bogged", "at_the_double", "cavalry_too_far"]


class Shots(Outcome, frozen=True, kw_only=True):
    dice: int
    dice_after: int
    rof_used: int
    reason: Literal["ok", "passenger", "bailed_out", "bogged", "at_the_double", "cavalry_too_far", "disengaging_rof_1"]


NO_SHOT_RULES: dict[NoShot, str] = {
    "passenger": "FOW-DICE-04",
    "bailed_out": "FOW-BAIL-01",
    "bogged": "FOW-BOG-05",
    "at_the_double": "FOW-DBL-07",
    "cavalry_too_far": "FOW-DICE-05",
}


@procedure(
    "shot_dice",
    *("FOW-DICE-01", "FOW-DICE-02", "FOW-DICE-03", "FOW-DICE-04", "FOW-DICE-05", "FOW-DICE-06", "FOW-DBL-07", "FOW-DBL-10"),
    *("FOW-BAIL-01", "FOW-BOG-05", "FOW-PIN-03", "FOW-PIN-04", "FOW-ASLT-07", "FOW-REC-03", "FOW-REC-04", "FOW-RULING-26", "FOW-RULING-41"),
)
def shot_dice(facts: ShotDice, dice: Dice) -> Shots:
    why_not = no_shot(facts)
    if why_not is not None:
        dice.note(f"note.no_shot.{why_not}", NO_SHOT_RULES[why_not])
        return Shots(dice=0, dice_after=0, rof_used=0, reason=why_not)

    rof = facts.rof
    if facts.mounted_cavalry:
        rof = 1
        dice.note("note.rof_1_mounted", "FOW-DICE-05")
    elif facts.pinned and not facts.armoured:
        rof = 1
        dice.note("note.rof_1_pinned", "FOW-DICE-06")
    elif facts.moved and not facts.defensive_fire:
        rof = 1
        dice.note("note.rof_1_moved", "FOW-DICE-02")
    times = 2 if facts.target_at_the_double else 1
    if times == 2:
        dice.note("note.dice_doubled", "FOW-DICE-03")

    if not facts.target_disengaging:
        return Shots(dice=rof * times, dice_after=0, rof_used=rof, reason="ok")
    if rof == 1:
        dice.note("note.disengaging_rof_1", "FOW-REC-04")
        return Shots(dice=0, dice_after=0, rof_used=1, reason="disengaging_rof_1")
    dice.note("note.one_shot_at_disengaging", "FOW-REC-03", left=(rof - 1) * times)
    return Shots(dice=times, dice_after=(rof - 1) * times, rof_used=rof, reason="ok")


def no_shot(facts: ShotDice) -> NoShot | None:
    """Why a team does not shoot at all."""
    if facts.passenger:
        return "passenger"
    if facts.bailed_out:
        return "bailed_out"
    if facts.bogged:
        return "bogged"
    if facts.at_the_double and not facts.defensive_fire:
        return "at_the_double"
    too_far = facts.distance_in > INCHES["mounted_cavalry_shot"]
    if facts.mounted_cavalry and facts.moved and not facts.defensive_fire and too_far:
        return "cavalry_too_far"
    return None


class ToHitScore(Facts, frozen=True, kw_only=True):
    target_skill: Skill
    distance_in: Inches
    concealed: bool = False
    gone_to_ground: bool = False
    rof: RateOfFire = 2
    moved: bool = False
    defensive_fire: bool = False


class HitScore(Outcome, frozen=True, kw_only=True):
    needed: int
    modifiers: tuple[str, ...]
    possible: bool


@procedure("to_hit_score", "FOW-HIT-01", "FOW-HIT-02", "FOW-RULING-08", "FOW-RULING-41")
def to_hit_score(facts: ToHitScore, dice: Dice) -> HitScore:
    conditions = hit_conditions(facts)
    score = hit_score(facts.target_skill, conditions)
    dice.looked_up("to_hit", {"target_skill": facts.target_skill}, TO_HIT[facts.target_skill], "FOW-HIT-01")
    for condition in conditions:
        dice.looked_up("to_hit_modifiers", {"condition": condition}, TO_HIT_MODIFIERS[condition], "FOW-HIT-02")
    return HitScore(needed=score.needed, modifiers=conditions, possible=score.needed <= SIX)


def hit_conditions(facts: ToHitScore) -> tuple[str, ...]:
    """The lines of the modifier chart that apply, in its order."""
    applies = {
        "long_range": facts.distance_in > LONG_RANGE,
        "concealed": facts.concealed,
        "gone_to_ground": facts.concealed and facts.gone_to_ground,
        "moved_with_rof_1": facts.rof == 1 and facts.moved and not facts.defensive_fire,
    }
    return tuple(condition for condition in TO_HIT_MODIFIERS if applies[condition])


@lru_cache(256)
def hit_score(target_skill: Skill, conditions: tuple[str, ...]) -> Score:
    score = Score.of(TO_HIT[target_skill], "chart.to_hit", "FOW-HIT-01")
    for condition in conditions:
        score = score.plus(f"modifier.{condition}", TO_HIT_MODIFIERS[condition], "FOW-HIT-02")
    return score


class RollToHit(Facts, frozen=True, kw_only=True):
    dice: DiceNumber
    needed: Needed


class RolledToHit(Outcome, frozen=True, kw_only=True):
    hits: int
    rolls: tuple[int, ...]


@procedure("roll_to_hit", "FOW-DICE-01", "FOW-RULING-28")
def roll_to_hit(facts: RollToHit, dice: Dice) -> RolledToHit:
    mark = dice.mark()
    hits = successes(dice, facts.dice, "roll.to_hit", given_score(facts.needed), rule="FOW-HIT-01")
    return RolledToHit(hits=hits, rolls=dice.since(mark))


# -- one team at one team -----------------------------------------------------------------------------------------


class Shooter(Facts, frozen=True, kw_only=True):
    rof: RateOfFire
    anti_tank: AntiTank
    firepower: Firepower
    moved: bool = False
    pinned: bool = False
    armoured: bool = False
    mounted_cavalry: bool = False
    at_the_double: bool = False
    passenger: bool = False
    bailed_out: bool = False
    bogged: bool = False


class ShotTarget(Facts, frozen=True, kw_only=True):
    skill: Skill
    save: Save
    armour: Armour | None = None
    concealed: bool = False
    gone_to_ground: bool = False
    bulletproof: bool = False
    at_the_double: bool = False
    bailed_out: bool = False
    bogged: bool = False
    motivation: Motivation | None = None
    commander_joined: bool = False


class DirectShot(Facts, frozen=True, kw_only=True):
    shooter: Shooter
    target: ShotTarget
    distance_in: Inches
    defensive_fire: bool = False


class DirectShotFired(Outcome, frozen=True, kw_only=True):
    dice: int
    needed: int
    hits: int
    hit_results: tuple[HitResult, ...]
    final_state: State


def dice_of(shooter: Shooter, distance_in: float, defensive_fire: bool, target_at_the_double: bool, dice: Dice) -> int:
    """How many dice a team shoots with."""
    return shot_dice(
        ShotDice(
            rof=shooter.rof,
            distance_in=distance_in,
            moved=shooter.moved,
            pinned=shooter.pinned,
            armoured=shooter.armoured,
            mounted_cavalry=shooter.mounted_cavalry,
            at_the_double=shooter.at_the_double,
            passenger=shooter.passenger,
            bailed_out=shooter.bailed_out,
            bogged=shooter.bogged,
            defensive_fire=defensive_fire,
            target_at_the_double=target_at_the_double,
        ),
        dice,
    ).dice


def score_of(
    shooter: Shooter, distance_in: float, defensive_fire: bool, target_skill: Skill, concealed: bool, gone_to_ground: bool
) -> Score:
    """What a team needs to hit one target."""
    facts = ToHitScore(
        target_skill=target_skill,
        distance_in=distance_in,
        concealed=concealed,
        gone_to_ground=gone_to_ground,
        rof=shooter.rof,
        moved=shooter.moved,
        defensive_fire=defensive_fire,
    )
    return hit_score(target_skill, hit_conditions(facts))


class HitsSoFar(NamedTuple):
    """The state of the target, and every result where somebody asks for them."""

    state: State
    results: tuple[HitResult, ...] = ()


def next_shot(dice: Dice, so_far: HitsSoFar, item: tuple[Victim, Hit]) -> HitsSoFar:
    if so_far.state == "destroyed":
        return so_far
    victim, hit = item
    result = take_hit(dice, victim, so_far.state, hit)
    return HitsSoFar(state_after(so_far.state, result), (*so_far.results, result) if dice.wants("hit_results") else ())


@procedure("direct_shot", "FOW-DICE-01", "FOW-HIT-01", "FOW-HIT-02", "FOW-SAVE-01", "FOW-RULING-39", "FOW-RULING-40")
def direct_shot(facts: DirectShot, dice: Dice) -> DirectShotFired:
    shooter, target = facts.shooter, facts.target
    number = dice_of(shooter, facts.distance_in, facts.defensive_fire, target.at_the_double, dice)
    score = score_of(shooter, facts.distance_in, facts.defensive_fire, target.skill, target.concealed, target.gone_to_ground)
    hits = successes(dice, number, "roll.to_hit", score, rule="FOW-HIT-01") if number else 0

    victim = Victim(target.save, target.armour, target.bulletproof, target.bogged, target.motivation, target.commander_joined)
    hit = Hit(shooter.anti_tank, shooter.firepower, facts.distance_in > LONG_RANGE)
    start = HitsSoFar("bailed_out" if target.bailed_out else "unhurt")
    end = dice.fold(next_shot, start, ((victim, hit),) * hits)
    return DirectShotFired(dice=number, needed=score.needed, hits=hits, hit_results=end.results, final_state=end.state)


# -- a platoon at a platoon ---------------------------------------------------------------------------------------


class PlatoonShooter(Shooter, frozen=True, kw_only=True):
    distance_in: Inches


class PlatoonTarget(Facts, frozen=True, kw_only=True):
    id: TeamId
    kind: Kind
    save: Save
    armour: Armour | None = None
    bulletproof: bool = False
    concealed: bool = False
    gone_to_ground: bool = False
    within_16: bool = True
    bailed_out: bool = False
    bogged: bool = False


class PlatoonFire(Facts, frozen=True, kw_only=True, cache_hash=True):
    shooters: Annotated[tuple[PlatoonShooter, ...], msgspec.Meta(max_length=200)]
    targets: Annotated[tuple[PlatoonTarget, ...], msgspec.Meta(min_length=1, max_length=200)]
    target_skill: Skill
    target_at_the_double: bool = False
    target_motivation: Motivation | None = None
    commander_joined: bool = False
    priority_type: Kind | None = None
    defensive_fire: bool = False

    def __post_init__(self) -> None:
        no_doubles((target.id for target in self.targets), "targets")


class PlatoonFired(Outcome, frozen=True, kw_only=True):
    dice_per_shooter: tuple[int, ...]
    needed_per_shooter: tuple[int, ...]
    hits: int
    allocation: FrozenMap
    states: FrozenMap
    destroyed: int
    bailed_out: int
    pinned: bool


class Volley(NamedTuple):
    """The dice of one shooter. Hits that need not be told apart are counted in the same place."""

    place: int
    dice: int
    score: Score


class FirePlan(NamedTuple):
    volleys: tuple[Volley, ...]
    weapons: tuple[Hit, ...]
    """What a hit of each place is."""


@procedure(
    "platoon_fire",
    *("FOW-DICE-01", "FOW-HIT-01", "FOW-HIT-02", "FOW-HIT-03", "FOW-ALLOC-04", "FOW-SAVE-01", "FOW-PIN-01", "FOW-PIN-03"),
    *("FOW-RULING-16", "FOW-RULING-17", "FOW-RULING-39", "FOW-RULING-40"),
)
def platoon_fire(facts: PlatoonFire, dice: Dice) -> PlatoonFired:
    plan = dice.stage(plan_fire, facts)
    counts = dice.fold(next_volley, (0,) * len(plan.weapons), plan.volleys)
    hits = sum(counts)
    allocation, struck = dice.stage(share_out, facts, plan.weapons, counts)
    losses = dice.fold(next_target, Losses(), struck)
    all_armoured = all(target.save == "armoured" for target in facts.targets)
    pinned = pinning_check(PinningCheck(attack="direct", hits=hits, all_armoured=all_armoured), dice).pinned
    return PlatoonFired(
        dice_per_shooter=tuple(volley.dice for volley in plan.volleys),
        needed_per_shooter=tuple(volley.score.needed for volley in plan.volleys),
        hits=hits,
        allocation=allocation,
        states=FrozenMap(zip((target.id for target in facts.targets), losses.states, strict=False)),
        destroyed=losses.destroyed,
        bailed_out=losses.bailed_out,
        pinned=pinned,
    )


def plan_fire(dice: Dice, facts: PlatoonFire) -> FirePlan:
    """Dice and score of every shooter, before anything is rolled. Each uses the easiest target (FOW-HIT-03)."""
    volleys: list[Volley] = []
    weapons: list[Hit] = []
    for shooter in facts.shooters:
        number = dice_of(shooter, shooter.distance_in, facts.defensive_fire, facts.target_at_the_double, dice)
        scores = [
            score_of(shooter, shooter.distance_in, facts.defensive_fire, facts.target_skill, target.concealed, target.gone_to_ground)
            for target in facts.targets
        ]
        easiest = min(scores, key=lambda score: score.needed)
        hit = Hit(shooter.anti_tank, shooter.firepower, shooter.distance_in > LONG_RANGE)
        place = place_of(hit, weapons, dice.wants("allocation"))
        if place == len(weapons):
            weapons.append(hit)
        volleys.append(Volley(place, number, easiest))
    return FirePlan(tuple(volleys), tuple(weapons))


def place_of(hit: Hit, weapons: list[Hit], numbered: bool) -> int:
    """Where the hits of a weapon are counted: with those of the shooter before, if it is the same weapon.

    Where nobody asks for the number of each hit, the same weapon further back will do too, as long as no other weapon
    of that anti-tank comes between: allocation sorts by anti-tank, and the order of the hits on one team changes
    nothing in the odds of its final state.
    """
    for place in reversed(range(len(weapons))):
        if weapons[place] == hit:
            return place
        if numbered or weapons[place].anti_tank == hit.anti_tank:
            break
    return len(weapons)


def next_volley(dice: Dice, counts: tuple[int, ...], volley: Volley) -> tuple[int, ...]:
    """Shooter by shooter."""
    if not volley.dice:
        return counts
    hits = successes(dice, volley.dice, "roll.to_hit", volley.score, rule="FOW-HIT-01")
    place = volley.place
    return (*counts[:place], counts[place] + hits, *counts[place + 1 :])


def share_out(dice: Dice, facts: PlatoonFire, weapons: tuple[Hit, ...], counts: tuple[int, ...]) -> tuple[FrozenMap, tuple[Struck, ...]]:
    """All hits are allocated before any is resolved."""
    hits = [weapon for weapon, count in zip(weapons, counts, strict=True) for _ in range(count)]
    targets = tuple(
        Target(
            id=target.id,
            kind=target.kind,
            armour=target.armour,
            within_16=target.within_16,
            operational=not (target.bailed_out or target.bogged),
            bulletproof=target.bulletproof,
        )
        for target in facts.targets
    )
    given = allocate_hits(
        AllocateHits(
            hits=tuple(WeaponHit(anti_tank=hit.anti_tank, firepower=hit.firepower) for hit in hits),
            targets=targets,
            priority_type=facts.priority_type,
        ),
        dice,
    ).allocation
    struck = tuple(
        Struck(
            Victim(target.save, target.armour, target.bulletproof, target.bogged, facts.target_motivation, facts.commander_joined),
            "bailed_out" if target.bailed_out else "unhurt",
            tuple(hits[index] for index in given[target.id]),
            target.id if dice.tracing else "",
        )
        for target in facts.targets
    )
    return given, struck
