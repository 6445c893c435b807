"""Exact odds, with fractions worked out by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

import pytest

from sandtable.kernel.dice import Dice, Seeded
from sandtable.kernel.errors import DiceError
from sandtable.kernel.traces import Score
from sandtable.odds import Distribution, distribution, every_face, sample

Odds = dict[Any, Fraction]


def odds(procedure: Any, **options: Any) -> Odds:
    """The odds of a procedure without facts, the same by brute force if there is no loop to close."""
    return dict(distribution(lambda _, dice: procedure(dice), None, **options).items())


def parts(total: int, **ways: int) -> Odds:
    return {name: Fraction(count, total) for name, count in ways.items()}


# -- single chances -------------------------------------------------------------------------------------------------


def test_a_die_and_a_sum() -> None:
    assert odds(lambda d: d.roll(4, "x")) == {face: Fraction(1, 4) for face in (1, 2, 3, 4)}
    assert odds(lambda d: d.total(2, 6, "x", modifier=1)) == {total + 1: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
    assert odds(lambda d: d.total(0, 6, "x", modifier=3)) == {3: 1}


@pytest.mark.parametrize(
    ("ask", "p"),
    [
        ({"at_least": 4}, Fraction(1, 2)),
        ({"at_most": 2}, Fraction(1, 3)),
        ({"at_least": 2, "at_most": 3}, Fraction(1, 3)),
        ({"at_least": 7}, Fraction(0)),
        ({"at_least": 1}, Fraction(1)),
        ({"at_most": 0}, Fraction(0)),
        ({"at_least": 5, "at_most": 3}, Fraction(0)),
        ({"at_least": Score.of(3, "skill").plus("concealed", 2)}, Fraction(1, 3)),
        ({"at_least": 5, "reroll": "failed"}, Fraction(5, 9)),  # 1/3 + 2/3 x 1/3
        ({"at_least": 5, "reroll": "passed"}, Fraction(1, 9)),  # 1/3 x 1/3
        ({"sides": 20, "at_least": 9}, Fraction(3, 5)),
    ],
)
def test_a_test(ask: dict[str, Any], p: Fraction) -> None:
    found = distribution(lambda _, dice: dice.test("x", **ask), None)
    assert found.p(True) == p and found.p(False) == 1 - p


def test_a_count_is_binomial() -> None:
    found = odds(lambda d: d.count(8, "hit", at_least=5))
    assert found == {k: Fraction(comb(8, k) * 2 ** (8 - k), 3**8) for k in range(9)}


def test_tests_keep_their_places() -> None:
    found = odds(lambda d: d.tests(2, "x", at_least=5))
    assert found == {
        (True, True): Fraction(1, 9), (True, False): Fraction(2, 9), (False, True): Fraction(2, 9), (False, False): Fraction(4, 9)
    }  # fmt: skip


def test_bands_and_charts_merge_equal_entries() -> None:
    column = dict(zip(range(2, 13), "AABBBCCCDDD", strict=True))
    assert odds(lambda d: d.read("x", 6, column.__getitem__, number=2)) == parts(36, A=3, B=12, C=15, D=6)
    assert odds(lambda d: d.band("x", 6, (4, 6, 9), number=2, modifier=0)) == {
        0: Fraction(6, 36), 1: Fraction(9, 36), 2: Fraction(15, 36), 3: Fraction(6, 36)
    }  # fmt: skip
    assert odds(lambda d: d.band("x", 6, (1, 9), modifier=Score.of(2, "m"))) == {1: 1}


def test_no_die_has_no_sides() -> None:
    for ask in (lambda d: d.roll(0, "x"), lambda d: d.test("x", 0, at_least=1), lambda d: d.count(2, "x", -1)):
        with pytest.raises(DiceError, match="no die has"):
            odds(ask)


# -- pools ------------------------------------------------------------------------------------------------------------


def test_a_pool_is_one_binomial_however_many_stages() -> None:
    def shoot(dice: Dice) -> int:
        return dice.pool(60, "hit", at_least=4).then("save", at_most=2).then("firepower", at_least=5).count

    # 1/2 x 1/3 x 1/3 = 1/18 a shot
    assert odds(shoot) == {k: Fraction(comb(60, k) * 17 ** (60 - k), 18**60) for k in range(61)}


def test_a_pool_may_be_read_between_its_stages() -> None:
    def shoot(dice: Dice) -> tuple[int, int, int]:
        hits = dice.pool(2, "hit", at_least=4)
        first = hits.count
        kills = hits.then("save", at_most=2).count
        return first, kills, hits.count

    assert odds(shoot) == {
        (0, 0, 0): Fraction(1, 4),
        (1, 0, 1): Fraction(1, 2) * Fraction(2, 3),
        (1, 1, 1): Fraction(1, 2) * Fraction(1, 3),
        (2, 0, 2): Fraction(1, 4) * Fraction(4, 9),
        (2, 1, 2): Fraction(1, 4) * Fraction(4, 9),
        (2, 2, 2): Fraction(1, 4) * Fraction(1, 9),
    }


def test_other_dice_between_the_stages_of_a_pool() -> None:
    def shoot(_: None, dice: Dice) -> tuple[int, int]:
        hits = dice.pool(3, "hit", 3, at_least=2)
        if dice.test("wind", at_least=3):
            return 1, hits.count
        extra = dice.pool(2, "more", 3, at_least=3)
        saves = hits.then("save", 4, at_most=dice.roll(3, "cover"))
        return extra.count, saves.count

    assert distribution(shoot, None) == every_face(shoot, None)


def test_a_pool_that_rolled_on_uncounted_has_no_count() -> None:
    def count_late(dice: Dice) -> int:
        hits = dice.pool(3, "hit", at_least=4)
        hits.then("save", at_most=2)
        return hits.count

    def roll_on_twice(dice: Dice) -> int:
        hits = dice.pool(3, "hit", at_least=4)
        return hits.then("save", at_most=2).count + hits.then("save", at_most=2).count

    for procedure in (count_late, roll_on_twice):
        with pytest.raises(RuntimeError, match="read the count of a pool before"):
            odds(procedure)


def test_a_path_that_turns_off_before_a_pool_rolled_on_may_count_it() -> None:
    def shoot(_: None, dice: Dice) -> int:
        hits = dice.pool(2, "hit", at_least=4)
        return hits.then("save", at_most=2).count if dice.test("seen", at_least=4) else 10 + hits.count

    assert distribution(shoot, None) == every_face(shoot, None)


# -- stages, folds and loops ------------------------------------------------------------------------------------------


def test_denominators_may_differ() -> None:
    def shot(dice: Dice) -> str:
        if dice.test("hit", 6, at_least=6):
            return "kill" if dice.test("pierce", 20, at_least=14) else "bounce"
        return "graze" if dice.test("near", 10, at_most=1) else "miss"

    # 1/6 x 7/20, 1/6 x 13/20, 5/6 x 1/10, 5/6 x 9/10
    assert odds(shot) == parts(120, kill=7, bounce=13, graze=10, miss=90)


def worse(dice: Dice, state: int, _: int) -> int:
    """On 5+ one step worse; state 2 on a 1 is repaired to 0."""
    if state == 2 and dice.test("repair", at_most=1):
        return 0
    return min(state + dice.test("hit", at_least=5), 3)


def chain(steps: int) -> Odds:
    """The same by multiplying the rows of the chain out."""
    rows = {
        0: {0: Fraction(2, 3), 1: Fraction(1, 3)},
        1: {1: Fraction(2, 3), 2: Fraction(1, 3)},
        2: {0: Fraction(1, 6), 2: Fraction(5, 9), 3: Fraction(5, 18)},
        3: {3: Fraction(1)},
    }
    here = {0: Fraction(1)}
    for _ in range(steps):
        there: Odds = {}
        for state, p in here.items():
            for to, q in rows[state].items():
                there[to] = there.get(to, Fraction(0)) + p * q
        here = there
    return here


@pytest.mark.parametrize("steps", [0, 1, 3, 50])
def test_a_fold_merges_states_that_come_back(steps: int) -> None:
    assert odds(lambda d: d.fold(worse, 0, range(steps))) == chain(steps)


def test_a_fold_works_every_state_out_once() -> None:
    runs: Counter[int] = Counter()

    def step(dice: Dice, state: int, item: str) -> int:
        runs[state] += 1
        return min(state + dice.test("x", at_least=4), 2)

    odds(lambda d: d.fold(step, 0, ["gun"] * 50))
    assert runs == {0: 2, 1: 2, 2: 2}  # two branches each


def test_stages_are_worked_out_once_a_call_and_not_kept_beyond() -> None:
    runs = 0

    def inner(dice: Dice, needed: int) -> bool:
        nonlocal runs
        runs += 1
        return dice.test("x", at_least=needed)

    def outer(dice: Dice, needed: int) -> int:
        return dice.stage(inner, needed) + dice.stage(inner, needed)

    def procedure(needed: int, dice: Dice) -> int:
        return dice.stage(outer, needed) + dice.stage(outer, needed) + dice.stage(inner, needed)

    expected = {k: Fraction(comb(5, k), 2**5) for k in range(6)}
    assert dict(distribution(procedure, 4).items()) == expected
    assert runs == 2
    assert dict(distribution(procedure, 4).items()) == expected
    assert runs == 4


def test_deep_stages() -> None:
    def down(dice: Dice, depth: int) -> int:
        return 0 if depth == 0 else dice.stage(down, depth - 1) + dice.test("x", at_least=4)

    assert odds(lambda d: d.stage(down, 50)) == {k: Fraction(comb(50, k), 2**50) for k in range(51)}


def test_a_stage_must_roll_the_dice_that_it_is_given() -> None:
    def procedure(dice: Dice) -> bool:
        return dice.stage(lambda _inner: dice.test("x", at_least=4))

    with pytest.raises(RuntimeError, match="must roll the dice that it is given"):
        odds(procedure)


def test_a_procedure_that_is_not_the_same_each_time_is_noticed() -> None:
    runs = 0

    def moody(dice: Dice) -> int:
        nonlocal runs
        runs += 1
        return 0 if runs == 2 else dice.roll(6, "x")

    with pytest.raises(RuntimeError, match="same questions"):
        odds(moody)


def tie_again(dice: Dice) -> str | None:
    mine, theirs = dice.roll(6, "mine"), dice.roll(6, "theirs")
    return None if mine == theirs else "mine" if mine > theirs else "theirs"


def test_ties_rolled_again_for_ever() -> None:
    assert odds(lambda d: d.until(tie_again)) == {"mine": Fraction(1, 2), "theirs": Fraction(1, 2)}


def test_a_loop_is_a_geometric_series() -> None:
    def attempt(dice: Dice) -> str | None:
        face = dice.roll(6, "x")
        return "six" if face == 6 else "one or two" if face <= 2 else None

    found = odds(lambda d: d.until(attempt))
    # 1/6 + 1/2 x 1/6 + 1/4 x 1/6 + ... = 1/3
    assert found == {"six": Fraction(1, 3), "one or two": Fraction(2, 3)}
    assert abs(sum(Fraction(1, 6) * Fraction(1, 2) ** n for n in range(200)) - found["six"]) < Fraction(1, 10**50)


def test_a_loop_of_stages_with_differing_denominators() -> None:
    def attempt(dice: Dice) -> int | None:
        if dice.test("easy", 20, at_least=17):  # 1/5
            return 1
        passed = dice.stage(lambda inner: inner.count(2, "both", at_least=5))  # 4/9, 4/9, 1/9
        return None if passed == 0 else 1 + passed

    # ways that end: 1/5, 4/5 x 4/9, 4/5 x 1/9 = 9/45, 16/45, 4/45
    assert odds(lambda d: d.until(attempt)) == {1: Fraction(9, 29), 2: Fraction(16, 29), 3: Fraction(4, 29)}


def test_a_loop_within_a_loop_and_after_other_dice() -> None:
    def attempt(dice: Dice) -> str | None:
        return dice.until(tie_again) if dice.test("again", at_least=6) else None

    def procedure(dice: Dice) -> tuple[bool, str]:
        return dice.test("first", at_least=3), dice.until(attempt)

    found = odds(procedure)
    assert found == {
        (first, who): (Fraction(1, 3) if first else Fraction(1, 6)) for first, who in product((True, False), ("mine", "theirs"))
    }


def test_a_loop_that_never_ends_is_refused() -> None:
    with pytest.raises(DiceError, match="for ever"):
        odds(lambda d: d.until(lambda inner: None if inner.roll(6, "x") else 1))


def test_huge_numbers() -> None:
    found = distribution(lambda _, dice: dice.count(2000, "x", 100, at_least=98), None)
    assert found.total == 100**2000
    assert found.p(60) == Fraction(comb(2000, 60) * 3**60 * 97**1940, 100**2000)
    assert found.mean(lambda k: k) == pytest.approx(60)
    assert found.mean(lambda k: k / 2) == pytest.approx(30)
    assert sum(sample(found, 1000, seed=1).values()) == 1000


# -- what is asked of the odds ------------------------------------------------------------------------------------------


class Losses(NamedTuple):
    hits: int
    kills: int


def losses(shots: int, dice: Dice) -> Losses:
    hits = dice.count(shots, "hit", at_least=4) if dice.wants("hits") else 0
    return Losses(hits, dice.count(1, "kill", at_least=5))


def test_just_some_fields() -> None:
    assert dict(distribution(losses, 2, fields=["kills"]).items()) == {(0,): Fraction(2, 3), (1,): Fraction(1, 3)}
    both = distribution(losses, 2, fields=["kills", "hits"])
    assert both.p((1, 2)) == Fraction(1, 12)
    assert distribution(losses, 2, project=lambda found: found.kills) == every_face(losses, 2, project=lambda found: found.kills)


def test_a_distribution_answers() -> None:
    found = distribution(lambda _, dice: dice.total(2, 6, "x"), None)
    assert len(found) == 11 and set(found) == set(range(2, 13))
    assert [total for total, _ in found.items()][:3] == [7, 6, 8]  # most likely first, equal ones in a stable order
    assert found.mean(lambda total: total) == 7
    assert found.chance(lambda total: total >= 10) == Fraction(1, 6)
    assert found.map(lambda total: total % 2) == Distribution({0: 1, 1: 1})
    assert found.p(13) == 0
    assert found != Distribution({7: 1}) and found != 7
    assert repr(Distribution({"a": 1, "b": 2})) == "Distribution({'b': '2/3', 'a': '1/3'})"


def chi_square(found: Distribution, seen: dict[Any, int]) -> tuple[float, int]:
    trials = sum(seen.values())
    assert set(seen) <= set(found)
    return sum((seen.get(outcome, 0) - trials * float(p)) ** 2 / (trials * float(p)) for outcome, p in found.items()), len(found) - 1


def shoot(shots: int, dice: Dice) -> tuple[int, str]:
    kills = dice.pool(shots, "hit", at_least=4).then("save", at_most=2).count
    return kills, dice.until(tie_again)


def test_seeded_play_follows_the_odds() -> None:
    found = distribution(shoot, 3)
    dice = Seeded("odds", tracing=False)
    chi, free = chi_square(found, Counter(shoot(3, dice) for _ in range(20_000)))
    assert chi < free + 5 * (2 * free) ** 0.5


def test_samples_follow_the_odds_and_their_seed() -> None:
    found = distribution(shoot, 3)
    seen = sample(found, 200_000, seed=5)
    assert sum(seen.values()) == 200_000
    chi, free = chi_square(found, seen)
    assert chi < free + 5 * (2 * free) ** 0.5
    assert seen == sample(found, 200_000, seed=5) != sample(found, 200_000, seed=6)
    assert sample(found, 0, seed=5) == {}
