"""What the ground does to a shot."""

from __future__ import annotations

from typing import Literal

from sandtable.games.micro_armour.procedures.command import NONE
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Strength, TargetClass, Terrains
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score


class TargetGround(Facts, frozen=True, kw_only=True):
    """What terrain needs to know of a target."""

    target_class: TargetClass
    target_terrain: Terrains = ()
    target_moving: bool = False
    target_fired: bool = False
    target_road_rate: bool = False


class Target(TargetGround, frozen=True, kw_only=True):
    """The unit that is shot at."""

    defence: Strength
    target_suppressed: bool = False
    target_disorganised: bool = False


class TerrainEffect(TargetGround, frozen=True, kw_only=True):
    firer_in_smoke: bool = False
    over_crest: bool = False


class TerrainEffectResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    test_modifier: int
    roll_modifier: int


def terrain_modifiers(target: TargetGround, firer_in_smoke: bool, over_crest: bool, dice: Dice) -> tuple[Score, Score]:
    """The modifiers of the firer's Command Test and of its 2D6."""
    fire, sight = CHARTS["terrain_fire"], CHARTS["terrain_los"]
    kind: Literal["personnel", "other"] = "personnel" if target.target_class == "personnel" else "other"
    flying = target.target_class in ("helicopter", "aircraft")
    on_test = on_roll = NONE

    # The ground the target is in; each kind of ground counts once.
    for terrain in dict.fromkeys(target.target_terrain):
        ground = fire.record(terrain, kind)
        modifier = ground["modifier"]
        if modifier == 0:
            continue
        if flying:
            dice.note("note.terrain_flying", "MA-RULING-36", terrain=terrain)
            continue
        if ground["condition"] == "over_crest":  # counts for the line of fire, below
            continue
        if ground["condition"] == "target_moving" and not target.target_moving:
            dice.note("note.terrain_only_moving", "MA-TERR-07", terrain=terrain)
            continue
        if target.target_road_rate and modifier > 0 and terrain != "smoke":
            dice.note("note.terrain_road_rate", "MA-TERR-05", terrain=terrain)
            continue
        rule = TERRAIN_RULES.get(terrain, "MA-TERR-01")
        dice.looked_up("terrain_fire", {"terrain": terrain, "target": kind}, modifier, "MA-TERR-02")
        on_roll = on_roll.plus(f"terrain.{terrain}", modifier, rule)
        if target.target_fired and sight.record(terrain, kind)["concealing"]:
            dice.note("note.terrain_revealed", "MA-TERR-04", terrain=terrain)
        else:
            on_test = on_test.plus(f"terrain.{terrain}", modifier, rule)

    # The line of fire.
    if firer_in_smoke:
        smoke = fire.record("smoke", kind)["modifier"]
        on_test = on_test.plus("modifier.firer_in_smoke", smoke, "MA-TERR-03")
        on_roll = on_roll.plus("modifier.firer_in_smoke", smoke, "MA-TERR-03")
    if over_crest:
        crest = fire.record("crest", kind)["modifier"]
        on_test = on_test.plus("modifier.over_crest", crest, "MA-TERR-06")
        on_roll = on_roll.plus("modifier.over_crest", crest, "MA-TERR-06")
    return on_test, on_roll


TERRAIN_RULES = {
    "smoke": "MA-TERR-03",
    "swamp": "MA-TERR-07",
    "wire": "MA-TERR-08",
    "minefield": "MA-TERR-08",
    "wreck": "MA-TERR-09",
}


@PROCEDURES.add(
    "terrain_effect",
    "MA-TERR-01",
    "MA-TERR-02",
    "MA-TERR-03",
    "MA-TERR-04",
    "MA-TERR-05",
    "MA-TERR-06",
    "MA-TERR-07",
    "MA-TERR-08",
    "MA-TERR-09",
    "MA-LOS-03",
    "MA-RULING-32",
    "MA-RULING-33",
    "MA-RULING-36",
)
def terrain_effect(facts: TerrainEffect, dice: Dice) -> TerrainEffectResult:
    on_test, on_roll = terrain_modifiers(facts, facts.firer_in_smoke, facts.over_crest, dice)
    return TerrainEffectResult(test_modifier=on_test.needed, roll_modifier=on_roll.needed)
