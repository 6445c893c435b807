"""Tests: one die against a score (sections 3.13 and 5.1 of the rules)."""

from __future__ import annotations

from functools import lru_cache

from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import Firepower, Motivation, Needed, RerollWord, Skill
from sandtable.kernel.dice import Dice, Reroll
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score

SKILL: dict[str, int] = CHARTS["skill_test"].column("needed")
MOTIVATION: dict[str, int] = CHARTS["motivation"].column("needed")

ALWAYS, NEVER = 1, 7
"""A score of 1 or less is always made, of 7 or more never, both without a die (FOW-RULING-28)."""


# -- what the other procedures call -------------------------------------------------------------------------------


def passes(dice: Dice, label: str, score: Score, reroll: Reroll = "none", rule: str = "") -> bool:
    """One test. Scores that no die can change are not rolled for."""
    if ALWAYS < score.needed < NEVER:
        return dice.test(label, at_least=score, reroll=reroll, rule=rule)
    dice.note("note.always" if score.needed <= ALWAYS else "note.never", "FOW-RULING-28", needed=score.needed, dice=1)
    return score.needed <= ALWAYS


def each_passes(dice: Dice, number: int, label: str, score: Score, reroll: Reroll = "none", rule: str = "") -> tuple[bool, ...]:
    """The same test several times, each result in its place."""
    if ALWAYS < score.needed < NEVER:
        return dice.tests(number, label, at_least=score, reroll=reroll, rule=rule)
    dice.note("note.always" if score.needed <= ALWAYS else "note.never", "FOW-RULING-28", needed=score.needed, dice=number)
    return (score.needed <= ALWAYS,) * number


def successes(dice: Dice, number: int, label: str, score: Score, reroll: Reroll = "none", rule: str = "") -> int:
    """The same test several times: how many pass."""
    if ALWAYS < score.needed < NEVER:
        return dice.count(number, label, at_least=score, reroll=reroll, rule=rule)
    dice.note("note.always" if score.needed <= ALWAYS else "note.never", "FOW-RULING-28", needed=score.needed, dice=number)
    return number if score.needed <= ALWAYS else 0


@lru_cache(4096)
def given_score(needed: int, label: str = "score.given", rule: str = "FOW-RULING-28") -> Score:
    """A score that comes from outside."""
    return Score.of(needed, label, rule)


@lru_cache(4096)
def skill_score(skill: Skill, modifier: int = 0) -> Score:
    """Conscript 5+, regular 4+, veteran 3+."""
    return Score.of(SKILL[skill], "chart.skill_test", "FOW-RULING-05").plus_if(modifier != 0, "modifier.given", modifier, "FOW-RULING-04")


@lru_cache(16)
def motivation_score(motivation: Motivation) -> Score:
    """Reluctant 5+, confident 4+, fearless 3+."""
    return Score.of(MOTIVATION[motivation], "chart.motivation", "FOW-MOR-01")


def is_motivated(dice: Dice, motivation: Motivation, reroll: bool, rule: str) -> bool:
    """A motivation test; with a commander a failure is rolled again (always used, FOW-RULING-55)."""
    return dice.test("roll.motivation", at_least=motivation_score(motivation), reroll="failed" if reroll else "none", rule=rule)


def has_firepower(dice: Dice, firepower: int, reroll: Reroll = "none", rule: str = "FOW-SAVE-04") -> bool:
    """A firepower test. Firepower 1 never fails."""
    return passes(dice, "roll.firepower", given_score(firepower, "score.firepower", rule), reroll, rule)


# -- procedures ---------------------------------------------------------------------------------------------------


class Tested(Outcome, frozen=True, kw_only=True):
    passed: bool
    needed: int
    rolls: tuple[int, ...]


class ScoreTest(Facts, frozen=True, kw_only=True):
    needed: Needed
    reroll: RerollWord = "none"


@procedure("score_test", "FOW-RULING-28", "FOW-RULING-55")
def score_test(facts: ScoreTest, dice: Dice) -> Tested:
    mark = dice.mark()
    passed = passes(dice, "roll.score", given_score(facts.needed), facts.reroll, "FOW-RULING-28")
    return Tested(passed=passed, needed=facts.needed, rolls=dice.since(mark))


class SkillTest(Facts, frozen=True, kw_only=True):
    skill: Skill
    modifier: Needed = 0
    reroll: RerollWord = "none"


@procedure("skill_test", "FOW-RULING-05", "FOW-RULING-28", "FOW-RULING-55")
def skill_test(facts: SkillTest, dice: Dice) -> Tested:
    mark = dice.mark()
    score = skill_score(facts.skill, facts.modifier)
    passed = passes(dice, "roll.skill", score, facts.reroll, "FOW-RULING-05")
    return Tested(passed=passed, needed=score.needed, rolls=dice.since(mark))


class MotivationTest(Facts, frozen=True, kw_only=True):
    motivation: Motivation
    commander_joined: bool = False
    for_self: bool = False
    commander_bailed_out: bool = False


class MotivationTested(Outcome, frozen=True, kw_only=True):
    passed: bool
    needed: int
    rolls: tuple[int, ...]
    rerolled: bool


@procedure("motivation_test", "FOW-MOR-01", "FOW-IND-04", "FOW-IND-05", "FOW-RULING-55")
def motivation_test(facts: MotivationTest, dice: Dice) -> MotivationTested:
    mark = dice.mark()
    score = motivation_score(facts.motivation)
    passed = dice.test("roll.motivation", at_least=score, rule="FOW-MOR-01")
    rerolled = not passed and commander_lets_reroll(facts)
    if rerolled:
        passed = dice.test("roll.motivation_again", at_least=score, rule="FOW-IND-04")
    return MotivationTested(passed=passed, needed=score.needed, rolls=dice.since(mark), rerolled=rerolled)


def commander_lets_reroll(facts: MotivationTest) -> bool:
    """The commander helps the platoon he leads, not himself, and not with his own crew bailed out."""
    return facts.commander_joined and not facts.for_self and not facts.commander_bailed_out


class FirepowerTest(Facts, frozen=True, kw_only=True):
    firepower: Firepower
    reroll_passed: bool = False


@procedure("firepower_test", "FOW-SAVE-03", "FOW-SAVE-04", "FOW-AA-06", "FOW-RULING-28")
def firepower_test(facts: FirepowerTest, dice: Dice) -> Tested:
    mark = dice.mark()
    passed = has_firepower(dice, facts.firepower, "passed" if facts.reroll_passed else "none")
    return Tested(passed=passed, needed=facts.firepower, rolls=dice.since(mark))
