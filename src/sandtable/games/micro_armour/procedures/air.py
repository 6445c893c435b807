"""Air strikes, and anti-aircraft fire at what flies."""

from __future__ import annotations

from typing import Literal

from sandtable.games.micro_armour.procedures.advantage import AaColumnShift, CombatAdvantage, aa_column_shift, combat_advantage
from sandtable.games.micro_armour.procedures.artillery import StrikeImpact, strike_impact
from sandtable.games.micro_armour.procedures.combat import LEAST, attack
from sandtable.games.micro_armour.procedures.command import NONE, markers, test
from sandtable.games.micro_armour.procedures.deviation import deviate
from sandtable.games.micro_armour.procedures.ranges import RangeEffect, range_effect
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.terrain import Target
from sandtable.games.micro_armour.procedures.words import Direction, Effect, Inches, Level, Result, State, Strength, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome

Reason = Literal["none", "out_of_range", "no_factor", "advantage_too_low"]


class AaFire(Facts, frozen=True, kw_only=True):
    command_level: Level
    aa_tl: TechLevel
    attacker_suppressed: bool = False
    attacker_disorganised: bool = False
    he: Strength | None = None
    max_range: Inches | None = None
    distance: Inches
    air_tl: TechLevel
    air_defence: Strength
    target_class: Literal["aircraft", "helicopter"]
    target_suppressed: bool = False
    target_disorganised: bool = False


class AaFireResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("test_die", "dice_sum", "modified_roll")

    allowed: bool
    reason: Reason
    test_die: int | None = None
    test_modifier: int | None = None
    passed: bool | None = None
    shift: int
    advantage: int | None
    dice_sum: int | None = None
    modified_roll: int | None = None
    result: Result | None = None
    effect: Effect = "no_effect"
    suppressed: bool
    disorganised: bool
    eliminated: bool


@PROCEDURES.add(
    "aa_fire",
    "MA-AA-02",
    "MA-AA-03",
    "MA-AA-04",
    "MA-AA-05",
    "MA-RANGE-02",
    "MA-CRT-08",
    "MA-TEST-05",
    "MA-RULING-03",
    "MA-RULING-34",
)
def aa_fire(facts: AaFire, dice: Dice) -> AaFireResult:
    # The advantage: HE against the full defence, then the column shift.
    plain = combat_advantage(
        CombatAdvantage(attack_kind="aa", target_class=facts.target_class, he=facts.he, defence=facts.air_defence), dice
    ).advantage
    if plain is None:
        shift, advantage = CHARTS["aa_shift"].value(facts.aa_tl, facts.air_tl), None
    else:
        shifted = aa_column_shift(AaColumnShift(aa_tl=facts.aa_tl, air_tl=facts.air_tl, advantage=plain), dice)
        shift, advantage = shifted.shift, shifted.advantage

    reason: Reason = "none"
    if facts.max_range is not None and facts.distance > facts.max_range:
        reason = "out_of_range"
        dice.note("reason.out_of_range", "MA-RULING-11")
    elif advantage is None:
        reason = "no_factor"
        dice.note("reason.no_factor", "MA-RULING-16")
    elif advantage < LEAST:
        reason = "advantage_too_low"
        dice.note("reason.advantage_too_low", "MA-RULING-34")
    if reason != "none" or advantage is None:
        return AaFireResult(
            allowed=False,
            reason=reason,
            shift=shift,
            advantage=advantage,
            suppressed=facts.target_suppressed,
            disorganised=facts.target_disorganised,
            eliminated=False,
        )

    # The Command Test: here, and only here, the range counts on the test.
    at_range = range_effect(RangeEffect(tl=facts.aa_tl, distance=facts.distance), dice).modifier
    on_test = markers(facts.attacker_suppressed, facts.attacker_disorganised)
    on_test = on_test.plus_if(at_range != 0, "modifier.range", at_range, "MA-AA-02")
    tested = test(dice, "roll.command_test", facts.command_level, on_test)
    if not tested.passed:
        dice.note("note.does_not_fire", "MA-TEST-05")
        return AaFireResult(
            allowed=True,
            reason="none",
            test_die=tested.die,
            test_modifier=on_test.needed,
            passed=False,
            shift=shift,
            advantage=advantage,
            suppressed=facts.target_suppressed,
            disorganised=facts.target_disorganised,
            eliminated=False,
        )

    # 2D6, unmodified.
    state = State(facts.target_suppressed, facts.target_disorganised)
    hit = attack(dice, advantage, NONE, "aa", facts.aa_tl, False, facts.target_class, state)
    return AaFireResult(
        allowed=True,
        reason="none",
        test_die=tested.die,
        test_modifier=on_test.needed,
        passed=True,
        shift=shift,
        advantage=advantage,
        dice_sum=hit.dice_sum,
        modified_roll=hit.modified_roll,
        result=hit.result,
        effect=hit.effect,
        suppressed=hit.suppressed,
        disorganised=hit.disorganised,
        eliminated=hit.eliminated,
    )


class AirStrike(Target, frozen=True, kw_only=True):
    command_level: Level
    attacker_tl: TechLevel
    air_suppressed: bool = False
    air_disorganised: bool = False
    ap: Strength | None = None
    he: Strength | None = None


class AirStrikeResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("mission_die", "deviation_die", "dice_sum", "modified_roll")

    stage: Literal["not_allowed", "cancelled", "deviated", "resolved"]
    mission_die: int | None = None
    mission_passed: bool | None = None
    deviation_die: int | None = None
    deviated: bool = False
    direction: Direction | None = None
    distance: float | None = None
    advantage: int | None = None
    dice_sum: int | None = None
    modified_roll: int | None = None
    result: Result | None = None
    effect: Effect = "no_effect"
    suppressed: bool
    disorganised: bool
    eliminated: bool


@PROCEDURES.add(
    "air_strike",
    "MA-AIR-01",
    "MA-AIR-04",
    "MA-AIR-05",
    "MA-AIR-07",
    "MA-AIR-08",
    "MA-AIR-09",
    "MA-AIR-11",
    "MA-RULING-35",
    "MA-RULING-36",
)
def air_strike(facts: AirStrike, dice: Dice) -> AirStrikeResult:
    firepower = facts.ap if facts.target_class == "armoured" else facts.he
    if firepower is None:
        dice.note("reason.no_factor", "MA-RULING-16")
        return AirStrikeResult(
            stage="not_allowed", suppressed=facts.target_suppressed, disorganised=facts.target_disorganised, eliminated=False
        )

    # The mission test: nothing modifies it.
    mission = test(dice, "roll.mission_test", facts.command_level, NONE)
    if not mission.passed:
        dice.note("note.mission_cancelled", "MA-AIR-01")
        return AirStrikeResult(
            stage="cancelled",
            mission_die=mission.die,
            mission_passed=False,
            suppressed=facts.target_suppressed,
            disorganised=facts.target_disorganised,
            eliminated=False,
        )

    # At the point of attack: the Deviation Test, with the markers taken from anti-aircraft fire on the way in.
    drift = deviate(dice, "air", facts.command_level, markers(facts.air_suppressed, facts.air_disorganised))
    if not drift.tested.passed:
        return AirStrikeResult(
            stage="deviated",
            mission_die=mission.die,
            mission_passed=True,
            deviation_die=drift.tested.die,
            deviated=True,
            direction=drift.direction,
            distance=drift.distance,
            suppressed=facts.target_suppressed,
            disorganised=facts.target_disorganised,
            eliminated=False,
        )

    impact = strike_impact(
        StrikeImpact(
            attack_kind="air",
            attacker_tl=facts.attacker_tl,
            ap=facts.ap,
            he=facts.he,
            target_class=facts.target_class,
            defence=facts.defence,
            target_moving=facts.target_moving,
            target_terrain=facts.target_terrain,
            target_fired=facts.target_fired,
            target_road_rate=facts.target_road_rate,
            target_suppressed=facts.target_suppressed,
            target_disorganised=facts.target_disorganised,
        ),
        dice,
    )
    return AirStrikeResult(
        stage="resolved",
        mission_die=mission.die,
        mission_passed=True,
        deviation_die=drift.tested.die,
        advantage=impact.advantage,
        dice_sum=impact.dice_sum,
        modified_roll=impact.modified_roll,
        result=impact.result,
        effect=impact.effect,
        suppressed=impact.suppressed,
        disorganised=impact.disorganised,
        eliminated=impact.eliminated,
    )
