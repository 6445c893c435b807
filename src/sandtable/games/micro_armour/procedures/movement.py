"""Moving: how far, at what cost, and the Command Test before it."""

from __future__ import annotations

from math import fsum
from typing import Annotated

from msgspec import Meta

from sandtable.games.micro_armour.procedures.command import markers, test
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import BaseTerrain, Feature, Inches, Level, Mobility, Posture, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome


class MovementAllowance(Facts, frozen=True, kw_only=True):
    movement: Inches
    tl: TechLevel
    artillery: bool = False
    attempted_fire: bool = False
    posture: Posture = "none"


class MovementAllowanceResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    allowance: float


@PROCEDURES.add("movement_allowance", "MA-SEQ-08", "MA-SEQ-09", "MA-SEQ-10", "MA-MOVE-10", "MA-RULING-07")
def movement_allowance(facts: MovementAllowance, dice: Dice) -> MovementAllowanceResult:
    if facts.artillery and facts.attempted_fire:
        dice.note("note.artillery_fired", "MA-SEQ-08")
        return MovementAllowanceResult(allowance=0.0)
    if facts.tl == 1 and (facts.attempted_fire or facts.posture == "fire"):
        dice.note("note.tl1_fired", "MA-SEQ-09")
        return MovementAllowanceResult(allowance=0.0)
    if facts.tl == 2 and facts.attempted_fire:
        dice.note("note.tl2_fired", "MA-SEQ-10")
        return MovementAllowanceResult(allowance=facts.movement / 2)
    return MovementAllowanceResult(allowance=facts.movement)


class Leg(Facts, frozen=True, kw_only=True):
    """A stretch of a path on one kind of ground."""

    terrain: BaseTerrain
    inches: Inches
    features: Annotated[tuple[Feature, ...], Meta(max_length=100)] = ()
    leaves_minefield: bool = False


class MovementCost(Facts, frozen=True, kw_only=True):
    mobility: Mobility
    legs: Annotated[tuple[Leg, ...], Meta(max_length=1000)]


class MovementCostResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    allowed: bool
    cost: float | None


BY_THE_INCH = ("smoke", "slope_up")
ONCE = ("crest", "wire", "wreck")


def leg_cost(leg: Leg, mobility: str) -> float | None:
    """Inches times the cost of the ground with smoke and slope, and once a leg what is crossed. None is forbidden."""
    costs = CHARTS["terrain_movement"]
    an_inch = [costs.record(leg.terrain, mobility)["cost"]]
    an_inch += [costs.record(feature, mobility)["cost"] for feature in BY_THE_INCH if feature in leg.features]
    once = [costs.record(feature, mobility)["cost"] for feature in ONCE if feature in leg.features]
    if "minefield" in leg.features and leg.leaves_minefield:
        once.append(costs.record("minefield", mobility)["cost"])
    if None in an_inch or None in once:
        return None
    return float(leg.inches * sum(an_inch) + sum(once))


@PROCEDURES.add("movement_cost", "MA-MOVE-06", "MA-MOVE-07", "MA-MOVE-08", "MA-MOVE-09", "MA-RULING-31", "MA-RULING-36")
def movement_cost(facts: MovementCost, dice: Dice) -> MovementCostResult:
    if facts.mobility == "none":
        dice.note("note.cannot_move", "MA-MOVE-06")
        return MovementCostResult(allowed=False, cost=None)
    costs = []
    for leg in facts.legs:
        cost = leg.inches if facts.mobility == "air" else leg_cost(leg, facts.mobility)
        if cost is None:
            dice.note("note.forbidden_ground", "MA-MOVE-07", terrain=leg.terrain, mobility=facts.mobility)
            return MovementCostResult(allowed=False, cost=None)
        dice.looked_up("terrain_movement", {"terrain": leg.terrain, "mobility": facts.mobility, "inches": leg.inches}, cost, "MA-MOVE-06")
        costs.append(cost)
    return MovementCostResult(allowed=True, cost=round(fsum(costs), 6))


class MovementTest(Facts, frozen=True, kw_only=True):
    command_level: Level
    ordered: bool = False
    recon: bool = False
    attached_hqs: Annotated[int, Meta(ge=0, le=100)] = 0
    suppressed: bool = False
    disorganised: bool = False
    in_wire: bool = False
    in_minefield: bool = False


class MovementTestResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("die", "total")

    die: int | None
    modifier: int
    total: int | None
    passed: bool


@PROCEDURES.add("movement_test", "MA-MOVE-02", "MA-MOVE-03", "MA-MOVE-04", "MA-MOVE-05", "MA-TERR-08")
def movement_test(facts: MovementTest, dice: Dice) -> MovementTestResult:
    situations = CHARTS["movement_command_modifiers"]
    modifier = markers(facts.suppressed, facts.disorganised)
    for_hqs = situations.value("per_attached_hq") * facts.attached_hqs
    modifier = modifier.plus_if(facts.attached_hqs > 0, "modifier.attached_hqs", for_hqs, "MA-MOVE-03")
    if facts.ordered:
        without_order = situations.value("ordered")
    elif facts.recon:
        without_order = situations.value("recon_without_order")
    else:
        without_order = situations.value("other_without_order")
    modifier = modifier.plus_if(without_order != 0, "modifier.independent_move", without_order, "MA-MOVE-04")
    # Wire and mines make a target easier to hit; for the unit inside that wants to move the signs turn round: the double cross of the
    # sheet is the mark of that footnote, no heading (MA-RULING-40).
    wire = -CHARTS["terrain_fire"].record("wire", "other")["modifier"]
    minefield = -CHARTS["terrain_fire"].record("minefield", "other")["modifier"]
    modifier = modifier.plus_if(facts.in_wire, "terrain.wire", wire, "MA-TERR-08")
    modifier = modifier.plus_if(facts.in_minefield, "terrain.minefield", minefield, "MA-TERR-08")
    tested = test(dice, "roll.movement_test", facts.command_level, modifier)
    return MovementTestResult(die=tested.die, modifier=modifier.needed, total=tested.total, passed=tested.passed)
