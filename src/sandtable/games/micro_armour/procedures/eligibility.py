"""Who may fire in which phase."""

from __future__ import annotations

from typing import Literal

from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Phase, Posture, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome

Reason = Literal["none", "wrong_phase", "not_artillery", "artillery", "moving", "already_fired"]


class FireEligibility(Facts, frozen=True, kw_only=True):
    phase: Phase
    tl: TechLevel
    artillery: bool = False
    posture: Posture = "none"
    moved: bool = False
    attempted_this_phase: bool = False
    attempted_second: bool = False


class FireEligibilityResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ()

    eligible: bool
    reason: Reason


@PROCEDURES.add(
    "fire_eligibility",
    "MA-SEQ-03",
    "MA-SEQ-05",
    "MA-SEQ-06",
    "MA-SEQ-07",
    "MA-SEQ-08",
    "MA-SEQ-09",
    "MA-SEQ-12",
    "MA-RULING-07",
    "MA-RULING-08",
    "MA-RULING-22",
    "MA-RULING-50",
)
def fire_eligibility(facts: FireEligibility, dice: Dice) -> FireEligibilityResult:
    reason, rule = why_not(facts)
    if reason != "none":
        dice.note(f"reason.{reason}", rule)
    return FireEligibilityResult(eligible=reason == "none", reason=reason)


def why_not(facts: FireEligibility) -> tuple[Reason, str]:
    """The first reason against firing, with its rule."""
    if facts.phase in ("organisation", "initiative", "planning", "marker_removal"):
        return "wrong_phase", "MA-SEQ-01"

    if facts.phase == "artillery_air" and not facts.artillery:
        return "not_artillery", "MA-ART-01"
    if facts.phase != "artillery_air" and facts.artillery:
        return "artillery", "MA-RULING-50"

    if facts.phase in ("fire_first", "fire_second", "fire_third") and not CHARTS["phase_control"].record(facts.phase, facts.tl)["active"]:
        return "wrong_phase", "MA-SEQ-07"

    move_or_fire = facts.tl == 1 or facts.artillery
    if move_or_fire and (facts.posture == "move" or facts.moved):
        return "moving", "MA-SEQ-08" if facts.artillery else "MA-SEQ-09"
    if facts.phase == "movement" and facts.moved:
        return "moving", "MA-RULING-22"

    if facts.attempted_this_phase:
        return "already_fired", "MA-SEQ-12"
    if facts.phase == "movement" and facts.attempted_second:
        return "already_fired", "MA-RULING-22"
    return "none", ""
