"""Combat advantage: firepower minus the defence as it counts, and the column shift of anti-aircraft fire."""

from __future__ import annotations

from typing import Literal

from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Amount, Aspect, Factor, Strength, TargetClass, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome


class CombatAdvantage(Facts, frozen=True, kw_only=True):
    attack_kind: Literal["standard", "artillery", "air", "aa", "close_assault"] = "standard"
    target_class: TargetClass
    ap: Strength | None = None
    he: Strength | None = None
    defence: Strength
    target_moving: bool = False
    aspect: Aspect = "front"


class CombatAdvantageResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    factor: Factor
    firepower: int | None
    modified_defence: int
    advantage: int | None


def share_of(defence: int, parts: int) -> int:
    """A half or a quarter, rounded up."""
    return -(-defence // parts)


@PROCEDURES.add(
    "combat_advantage",
    "MA-FIRE-04",
    "MA-FIRE-05",
    "MA-FIRE-06",
    "MA-ART-06",
    "MA-ART-07",
    "MA-ART-08",
    "MA-AIR-07",
    "MA-AIR-08",
    "MA-AIR-09",
    "MA-AA-03",
    "MA-CLOSE-05",
    "MA-RULING-13",
    "MA-RULING-14",
    "MA-RULING-15",
    "MA-RULING-16",
    "MA-RULING-52",
)
def combat_advantage(facts: CombatAdvantage, dice: Dice) -> CombatAdvantageResult:
    # AP against armoured targets, HE against all others.
    factor: Factor = "ap" if facts.target_class == "armoured" else "he"
    firepower = facts.ap if factor == "ap" else facts.he

    # The defence as it counts.
    armoured = facts.target_class == "armoured"
    moving_personnel = facts.target_class == "personnel" and facts.target_moving
    defence = facts.defence
    if facts.attack_kind in ("standard", "close_assault"):
        if armoured and facts.aspect != "front":
            defence = share_of(defence, 2)
            dice.note("note.defence_flank", "MA-RULING-14", defence=defence)
        if moving_personnel:
            defence = share_of(defence, 2)
            dice.note("note.defence_half", "MA-RULING-15", defence=defence)
    elif facts.attack_kind == "artillery" and (armoured or moving_personnel):
        defence = share_of(defence, 2)
        dice.note("note.defence_half", "MA-ART-07", defence=defence)
    elif facts.attack_kind == "air" and (armoured or moving_personnel):
        defence = share_of(defence, 4)
        dice.note("note.defence_quarter", "MA-AIR-08", defence=defence)

    if firepower is None:
        dice.note("note.no_factor", "MA-RULING-16", factor=factor)
        return CombatAdvantageResult(factor=factor, firepower=None, modified_defence=defence, advantage=None)
    advantage = firepower - defence
    rule = ADVANTAGE_RULES[facts.attack_kind]
    dice.note("note.advantage", rule, factor=factor, firepower=firepower, defence=defence, advantage=advantage)
    return CombatAdvantageResult(factor=factor, firepower=firepower, modified_defence=defence, advantage=advantage)


ADVANTAGE_RULES = {
    "standard": "MA-FIRE-06",
    "artillery": "MA-ART-08",
    "air": "MA-AIR-09",
    "aa": "MA-AA-03",
    "close_assault": "MA-CLOSE-05",
}


class AaColumnShift(Facts, frozen=True, kw_only=True):
    aa_tl: TechLevel
    air_tl: TechLevel
    advantage: Amount


class AaColumnShiftResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    shift: int
    advantage: int


LEFTMOST = -3


@PROCEDURES.add("aa_column_shift", "MA-AA-04", "MA-RULING-34")
def aa_column_shift(facts: AaColumnShift, dice: Dice) -> AaColumnShiftResult:
    shift: int = CHARTS["aa_shift"].value(facts.aa_tl, facts.air_tl)
    dice.looked_up("aa_shift", {"aa_tl": facts.aa_tl, "air_tl": facts.air_tl}, shift, "MA-AA-04")
    if shift >= 0:
        advantage = facts.advantage + shift
    elif facts.advantage <= LEFTMOST:
        advantage = facts.advantage
    else:
        advantage = max(LEFTMOST, facts.advantage + shift)
    return AaColumnShiftResult(shift=shift, advantage=advantage)
