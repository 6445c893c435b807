"""Artillery fire, direct and indirect, and a shell or bomb that lands on a unit."""

from __future__ import annotations

from typing import Literal

from sandtable.games.micro_armour.procedures.advantage import CombatAdvantage, combat_advantage
from sandtable.games.micro_armour.procedures.combat import attack
from sandtable.games.micro_armour.procedures.command import Tested, markers, test, together
from sandtable.games.micro_armour.procedures.deviation import Drift, deviate
from sandtable.games.micro_armour.procedures.registry import PROCEDURES
from sandtable.games.micro_armour.procedures.terrain import Target, terrain_modifiers
from sandtable.games.micro_armour.procedures.words import Amount, Direction, Effect, Factor, Level, Result, State, Strength, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Outcome


class StrikeImpact(Target, frozen=True, kw_only=True):
    attack_kind: Literal["artillery", "air"]
    attacker_tl: TechLevel
    ap: Strength | None = None
    he: Strength | None = None
    firer_in_smoke: bool = False
    over_crest: bool = False


class StrikeImpactResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("dice_sum", "modified_roll")

    allowed: bool
    factor: Factor
    modified_defence: int
    roll_modifier: int | None = None
    advantage: int | None = None
    dice_sum: int | None = None
    modified_roll: int | None = None
    result: Result | None = None
    effect: Effect = "no_effect"
    suppressed: bool
    disorganised: bool
    eliminated: bool


@PROCEDURES.add(
    "strike_impact",
    "MA-ART-06",
    "MA-ART-07",
    "MA-ART-08",
    "MA-ART-09",
    "MA-ART-10",
    "MA-AIR-07",
    "MA-AIR-08",
    "MA-AIR-09",
    "MA-AIR-11",
    "MA-RANGE-03",
)
def strike_impact(facts: StrikeImpact, dice: Dice) -> StrikeImpactResult:
    """It lands on a unit: no test any more, and no range modifier."""
    kind = facts.attack_kind
    strength = combat_advantage(
        CombatAdvantage(
            attack_kind=kind,
            target_class=facts.target_class,
            ap=facts.ap,
            he=facts.he,
            defence=facts.defence,
            target_moving=facts.target_moving,
        ),
        dice,
    )
    if strength.advantage is None:
        return StrikeImpactResult(
            allowed=False,
            factor=strength.factor,
            modified_defence=strength.modified_defence,
            suppressed=facts.target_suppressed,
            disorganised=facts.target_disorganised,
            eliminated=False,
        )
    _, on_roll = terrain_modifiers(facts, facts.firer_in_smoke, facts.over_crest, dice)
    state = State(facts.target_suppressed, facts.target_disorganised)
    hit = attack(dice, strength.advantage, on_roll, kind, facts.attacker_tl, False, facts.target_class, state)
    return StrikeImpactResult(
        allowed=True,
        factor=strength.factor,
        modified_defence=strength.modified_defence,
        roll_modifier=on_roll.needed,
        advantage=strength.advantage,
        dice_sum=hit.dice_sum,
        modified_roll=hit.modified_roll,
        result=hit.result,
        effect=hit.effect,
        suppressed=hit.suppressed,
        disorganised=hit.disorganised,
        eliminated=hit.eliminated,
    )


class ArtilleryFire(Target, frozen=True, kw_only=True):
    mode: Literal["direct", "indirect"]
    mortar: bool = False
    tl_modifier: Amount = 0
    command_level: Level
    attacker_tl: TechLevel
    attacker_suppressed: bool = False
    attacker_disorganised: bool = False
    ap: Strength | None = None
    he: Strength | None = None
    firer_in_smoke: bool = False
    over_crest: bool = False


class ArtilleryFireResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("test_die", "deviation_die", "dice_sum", "modified_roll")

    stage: Literal["not_allowed", "test_failed", "deviated", "resolved"]
    test_die: int | None = None
    test_modifier: int | None = None
    passed: bool | None = None
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
    "artillery_fire",
    "MA-ART-01",
    "MA-ART-02",
    "MA-ART-03",
    "MA-ART-04",
    "MA-ART-05",
    "MA-ART-06",
    "MA-ART-07",
    "MA-ART-08",
    "MA-ART-09",
    "MA-ART-10",
    "MA-TEST-05",
    "MA-RULING-18",
    "MA-RULING-19",
)
def artillery_fire(facts: ArtilleryFire, dice: Dice) -> ArtilleryFireResult:
    firepower = facts.ap if facts.target_class == "armoured" else facts.he
    if firepower is None:
        dice.note("reason.no_factor", "MA-RULING-16")
        return ArtilleryFireResult(
            stage="not_allowed", suppressed=facts.target_suppressed, disorganised=facts.target_disorganised, eliminated=False
        )
    own_markers = markers(facts.attacker_suppressed, facts.attacker_disorganised)

    # The Command Test of the firing unit.
    on_terrain, _ = terrain_modifiers(facts, facts.firer_in_smoke, facts.over_crest, dice)
    on_test = together(own_markers, on_terrain)
    indirect = facts.mode == "indirect"
    on_test = on_test.plus_if(indirect and facts.tl_modifier != 0, "modifier.tl", facts.tl_modifier, "MA-RULING-18")
    tested = test(dice, "roll.command_test", facts.command_level, on_test)
    if not tested.passed:
        dice.note("note.does_not_fire", "MA-ART-02")
        return _missed("test_failed", facts, on_test.needed, tested, None)

    # The Deviation Test: indirect fire, and mortars always.
    drift: Drift | None = None
    if indirect or facts.mortar:
        drift = deviate(dice, "artillery", facts.command_level, own_markers)
        if not drift.tested.passed:
            return _missed("deviated", facts, on_test.needed, tested, drift)

    impact = strike_impact(
        StrikeImpact(
            attack_kind="artillery",
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
            firer_in_smoke=facts.firer_in_smoke,
            over_crest=facts.over_crest,
        ),
        dice,
    )
    return ArtilleryFireResult(
        stage="resolved",
        test_die=tested.die,
        test_modifier=on_test.needed,
        passed=True,
        deviation_die=None if drift is None else drift.tested.die,
        advantage=impact.advantage,
        dice_sum=impact.dice_sum,
        modified_roll=impact.modified_roll,
        result=impact.result,
        effect=impact.effect,
        suppressed=impact.suppressed,
        disorganised=impact.disorganised,
        eliminated=impact.eliminated,
    )


def _missed(
    stage: Literal["test_failed", "deviated"], facts: ArtilleryFire, modifier: int, tested: Tested, drift: Drift | None
) -> ArtilleryFireResult:
    """The fire does not fall on the target."""
    return ArtilleryFireResult(
        stage=stage,
        test_die=tested.die,
        test_modifier=modifier,
        passed=tested.passed,
        deviation_die=None if drift is None else drift.tested.die,
        deviated=drift is not None,
        direction=None if drift is None else drift.direction,
        distance=None if drift is None else drift.distance,
        suppressed=facts.target_suppressed,
        disorganised=facts.target_disorganised,
        eliminated=False,
    )
