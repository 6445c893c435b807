"""Reconnaissance: eyes and ears, disengaging (sections 3.16 and 5.7 of the rules)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from sandtable.games.flames_of_war.procedures._charts import INCHES
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import Hits, Inches, Motivation, Skill
from sandtable.games.flames_of_war.procedures.tests import is_motivated, passes, skill_score
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome, required


class EyesAndEars(Facts, frozen=True, kw_only=True):
    distance_in: Inches
    target_gone_to_ground: bool = True
    pinned: bool = False
    moved: bool = False
    disengaged_last_turn: bool = False


class Spotted(Outcome, frozen=True, kw_only=True):
    allowed: bool
    target_gone_to_ground: bool


@procedure("eyes_and_ears", "FOW-REC-01", "FOW-REC-11")
def eyes_and_ears(facts: EyesAndEars, dice: Dice) -> Spotted:
    near = facts.distance_in <= INCHES["eyes_and_ears"]
    able = not (facts.pinned or facts.moved or facts.disengaged_last_turn)
    dice.looked_up("distances", {"name": "eyes_and_ears"}, INCHES["eyes_and_ears"], "FOW-REC-01")
    if facts.disengaged_last_turn:
        dice.note("note.reorganising", "FOW-REC-11")
    allowed = facts.target_gone_to_ground and near and able
    return Spotted(allowed=allowed, target_gone_to_ground=facts.target_gone_to_ground and not allowed)


class Disengage(Facts, frozen=True, kw_only=True):
    skill: Skill | None = None
    attack: Literal["shooting", "artillery", "air", "assault"]
    at_the_double: bool = False
    attacked_last_turn: bool = False
    ranged_in_attempt: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0


class Disengaged(Outcome, frozen=True, kw_only=True):
    result: Literal["not_allowed", "disengaged", "failed"]
    rolls: tuple[int, ...]


@procedure("disengage", "FOW-REC-02", "FOW-REC-05", "FOW-REC-06", "FOW-REC-07", "FOW-REC-09", "FOW-DBL-09", "FOW-RULING-79")
def disengage(facts: Disengage, dice: Dice) -> Disengaged:
    mark = dice.mark()
    why_not = [
        ("note.not_from_air", facts.attack == "air", "FOW-REC-07"),
        ("note.not_after_double", facts.at_the_double, "FOW-DBL-09"),
        ("note.not_after_attack", facts.attacked_last_turn, "FOW-REC-02"),
        ("note.not_from_first_ranging", facts.attack == "artillery" and facts.ranged_in_attempt == 1, "FOW-REC-06"),
    ]
    for message, applies, rule in why_not:
        if applies:
            dice.note(message, rule)
            return Disengaged(result="not_allowed", rolls=())
    rule = "FOW-REC-09" if facts.attack == "assault" else "FOW-REC-05"
    passed = passes(dice, "roll.skill", skill_score(required(facts.skill, "skill")), rule=rule)
    return Disengaged(result="disengaged" if passed else "failed", rolls=dice.since(mark))


class ForcedDisengage(Facts, frozen=True, kw_only=True):
    motivation: Motivation | None = None
    failed_saves: Hits
    commander_joined: bool = False


class Forced(Outcome, frozen=True, kw_only=True):
    result: Literal["not_required", "stays", "forced_disengage"]
    rolls: tuple[int, ...]


@procedure("forced_disengage", "FOW-REC-08", "FOW-IND-04")
def forced_disengage(facts: ForcedDisengage, dice: Dice) -> Forced:
    mark = dice.mark()
    if facts.failed_saves == 0:
        return Forced(result="not_required", rolls=())
    passed = is_motivated(dice, required(facts.motivation, "motivation"), facts.commander_joined, "FOW-REC-08")
    return Forced(result="stays" if passed else "forced_disengage", rolls=dice.since(mark))
