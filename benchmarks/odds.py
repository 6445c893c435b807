"""Exact odds, many trials and traced procedures, as ratios to dyce, icepool and bare Python measured in one run.

Run it with: .venv/bin/pip install -e ".[bench]" && .venv/bin/python benchmarks/odds.py
"""

from __future__ import annotations

import random
import warnings
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

import icepool  # type: ignore[import-untyped]
from _measure import Report
from dyce import H

from sandtable.kernel.dice import Dice, Seeded
from sandtable.kernel.traces import Score
from sandtable.odds import Distribution, distribution, sample

warnings.simplefilter("ignore")  # dyce calls some of itself experimental

# -- 2d6 read on a chart ------------------------------------------------------------------------------------------

COLUMN = dict(zip(range(2, 13), ["AR", "AR", "NE", "NE", "NE", "DR", "DR", "DR", "DE", "DE", "DE"], strict=True))


def combat_result(column: dict[int, str], dice: Dice) -> str:
    return dice.read("combat", 6, column.__getitem__, number=2)


def combat_result_dyce() -> Any:
    return (2 @ H(6)).apply(COLUMN.__getitem__)


# -- a shoot of sixty dice: hits, failed saves, firepower -----------------------------------------------------------


def shoot(shots: int, dice: Dice) -> int:
    return dice.pool(shots, "hit", at_least=4).then("save", at_most=2).then("firepower", at_least=5).count


def shoot_dyce() -> Any:
    d = H(6)
    return 60 @ (d.ge(4) * d.le(2) * d.ge(5))


# -- three shots at one target, whose state escalates ---------------------------------------------------------------

EFFECTS = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3]  # of 2d6 + state, from 2 on


def worse(state: int, total: int) -> int:
    """No effect keeps the state; otherwise the worse of the effect and one step more."""
    found = EFFECTS[total - 2]
    return state if found == 0 else min(3, max(found, state + 1))


def shot(dice: Dice, state: int, weapon: str) -> int:
    if not dice.test("hit", 20, at_least=9):
        return state
    return dice.read("effect", 6, lambda total: worse(state, total), number=2, modifier=state)


def three_shots(weapons: tuple[str, ...], dice: Dice) -> int:
    return dice.fold(shot, 0, weapons)


def three_shots_icepool() -> Any:
    two = 2 @ icepool.d6

    def step(state: int, test: int) -> Any:
        return two.map(lambda total: worse(state, total + state)) if test >= 9 else state

    return icepool.map(step, 0, icepool.d20, repeat=3)


# -- one shoot by the rules, with its whole trace -------------------------------------------------------------------


class Shoot(NamedTuple):
    shots: int
    skill: int
    concealed: bool
    long_range: bool
    gone_to_ground: bool
    save: int
    firepower: int


class Losses(NamedTuple):
    hits: int
    bailed: int
    destroyed: int


def traced(facts: Shoot, dice: Dice) -> Losses:
    """Hits, then a save for each, then a firepower test for each save failed, with every reason on record."""
    score = Score.of(facts.skill, "shoot.skill", "FOW-HIT-01")
    score = score.plus_if(facts.concealed, "shoot.concealed", 1, "FOW-HIT-02")
    score = score.plus_if(facts.long_range, "shoot.long_range", 1, "FOW-HIT-03")
    score = score.plus_if(facts.gone_to_ground, "shoot.gone_to_ground", 1, "FOW-HIT-04")
    hits = dice.count(facts.shots, "shoot.to_hit", at_least=score, rule="FOW-HIT-05")
    failed = dice.count(hits, "shoot.save", at_most=Score.of(facts.save, "shoot.armour", "FOW-SAVE-01"), rule="FOW-SAVE-02")
    destroyed = dice.count(failed, "shoot.firepower", at_least=facts.firepower, rule="FOW-SAVE-03")
    return Losses(hits, failed - destroyed, destroyed)


def bare(facts: Shoot, rng: random.Random) -> Losses:
    """The same dice and branches, and nothing else."""
    needed = facts.skill
    if facts.concealed:
        needed += 1
    if facts.long_range:
        needed += 1
    if facts.gone_to_ground:
        needed += 1
    roll = rng.randint
    hits = 0
    for _ in range(facts.shots):
        if roll(1, 6) >= needed:
            hits += 1
    failed = 0
    for _ in range(hits):
        if roll(1, 6) <= facts.save:
            failed += 1
    destroyed = 0
    for _ in range(failed):
        if roll(1, 6) >= facts.firepower:
            destroyed += 1
    return Losses(hits, failed - destroyed, destroyed)


# -- ------------------------------------------------------------------------------------------------------------------


def odds_of(answer: Any) -> dict[Any, Fraction]:
    """Any contender's answer as plain fractions."""
    if isinstance(answer, Distribution):
        return dict(answer.items())
    if isinstance(answer, icepool.Die):
        return {outcome: answer.probability(outcome) for outcome in answer.outcomes()}
    return {outcome: Fraction(ways, answer.total) for outcome, ways in answer.items()}


def agree(ours: Distribution, theirs: Any) -> None:
    assert odds_of(ours) == odds_of(theirs), (ours, theirs)


def near(odds: Distribution, seen: Counter[Any]) -> None:
    """Trials whose every frequency lies within six standard deviations of its probability."""
    trials = seen.total()
    assert set(seen) <= set(odds)
    for outcome, p in odds.items():
        assert abs(seen[outcome] - trials * p) <= 6 * (float(trials * p * (1 - p)) ** 0.5 + 1), (outcome, seen[outcome], p)


def main() -> None:
    report = Report("odds")
    guns = ("gun",) * 3
    agree(distribution(combat_result, COLUMN), combat_result_dyce())
    agree(distribution(shoot, 60), shoot_dyce())
    agree(distribution(three_shots, guns), three_shots_icepool())
    report.compare("2d6 on a chart, to dyce", lambda: distribution(combat_result, COLUMN), combat_result_dyce, goal=5)
    report.compare("60 dice: hits, saves, firepower, to dyce folded by hand", lambda: distribution(shoot, 60), shoot_dyce, goal=5)
    report.compare("three shots, state escalates, to icepool", lambda: distribution(three_shots, guns), three_shots_icepool, goal=40)

    facts = Shoot(8, 2, True, True, True, 2, 4)
    odds = distribution(traced, facts)
    rng = random.Random(7)
    dice = Seeded("benchmark", tracing=False)
    near(odds, Counter(bare(facts, rng) for _ in range(20_000)))
    near(odds, Counter(traced(facts, dice) for _ in range(20_000)))
    near(odds, Counter(sample(odds, 20_000, seed=7)))

    seeds = iter(range(10**9))

    def play() -> list[Any]:
        dice = Seeded(f"benchmark {next(seeds)}")
        traced(facts, dice)
        return dice.trace

    assert len(play()[0].faces) == 8
    report.compare("one shoot with its whole trace, to bare Python", play, lambda: bare(facts, rng), goal=0.10)
    many = 100_000
    report.compare(
        f"{many:,} shoots, odds included, to bare Python",
        lambda: sample(distribution(traced, facts), many, seed=next(seeds)),
        lambda: bare(facts, rng),
        goal=50,
        per_call=many,
    )
    report.end()


if __name__ == "__main__":
    main()
