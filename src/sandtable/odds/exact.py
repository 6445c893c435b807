"""Exact odds: the procedure itself, run over every branch of its dice.

The procedure is replayed once for each path through its chances. What keeps that cheap: a test is two weighted
branches, a sum on a chart has one branch for each different entry, n dice against one score are one binomial node,
pools that roll on stay symbolic until somebody reads their count, stages and folds merge equal states, and ways are
whole numbers, brought to one denominator at the end.

Every question to the dice is one node of the path, also where there is only one answer: so a replay hands out the
answers in order and computes nothing, and only the end of the path, where new ground is trodden, costs arithmetic.
"""
# An answer is whatever the procedure asked for, so paths hold values of any type.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, repeat
from math import comb, gcd, lcm
from operator import mul
from typing import Any, TypeVar

from sandtable.kernel.dice import Dice, FaceDice, Pool, Reroll, amount, bounds
from sandtable.kernel.errors import DiceError, InputError
from sandtable.kernel.traces import Score
from sandtable.odds.distribution import Distribution

H = TypeVar("H", bound=Hashable)
Chance = tuple[Iterable[tuple[Any, int]], int]
"""What may come up, each with its ways, and all ways together."""
Odds = tuple[dict[Any, int], int]
"""The same with every result once."""
Question = tuple[Iterator[tuple[Any, int]], int, int]
"""A chance on the path: its branches still to come, the ways of the path before it, and all ways with it."""

# -- facts about dice, kept for good ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def sums(number: int, sides: int, added: int = 0) -> Chance:
    """The sum of some dice, and something added."""
    if sides < 1:
        raise DiceError(f"no die has {sides} sides")
    ways = {added: 1}
    for _ in range(number):
        step: dict[int, int] = {}
        for value, count in ways.items():
            for face in range(1, sides + 1):
                step[value + face] = step.get(value + face, 0) + count
        ways = step
    return tuple(ways.items()), sum(ways.values())


@lru_cache(maxsize=4096)
def choices(number: int) -> tuple[int, ...]:
    """In how many ways 0, 1, ... of so many dice can be picked out."""
    return tuple([comb(number, k) for k in range(number + 1)])


# -- chances ------------------------------------------------------------------------------------------------------


def sure(value: Any) -> Chance:
    """No chance at all."""
    return ((value, 1),), 1


def passing(sides: int, low: int, high: int, reroll: Reroll = "none") -> tuple[int, int]:
    """Ways to pass one test, and all ways."""
    if sides < 1:
        raise DiceError(f"no die has {sides} sides")
    good = max(0, min(high, sides) - max(low, 1) + 1)
    if reroll == "none":
        return good, sides
    if reroll == "failed":
        return good * sides + (sides - good) * good, sides * sides
    return good * good, sides * sides


def binomial(number: int, good: int, total: int) -> Chance:
    """How many of `number` dice pass, each in `good` of `total` ways."""
    if number <= 0 or good == 0:
        return sure(0)
    if good == total:
        return sure(number)
    divisor = gcd(good, total)
    good, total = good // divisor, total // divisor
    ways: Iterable[int] = choices(number)
    if total - good != 1:
        ways = map(mul, ways, reversed(powers(total - good, number)))
    if good != 1:
        ways = map(mul, ways, powers(good, number))
    return enumerate(ways), total**number


def powers(base: int, most: int) -> list[int]:
    return list(accumulate(repeat(base, most), mul, initial=1))


MOST_PATHS = 500_000
"""Beyond this many paths a question is refused: nobody reads half a million outcomes, and nobody waits for them."""


class Work(dict[Any, "Odds"]):
    """The work of one question: the stages worked out so far, and how many paths it may still take."""

    left = MOST_PATHS

    def spend(self, paths: int) -> None:
        self.left -= paths
        if self.left < 0:
            raise InputError(f"more than {MOST_PATHS} different courses of events: ask for the odds of fewer fields")


class ChanceDice(Dice):
    """Dice that branch. One object serves all replays of one procedure."""

    __slots__ = ("_ahead", "_memo", "_path", "_questions", "_total", "_wanted", "_ways")
    tracing = False
    trace = []  # exact dice leave no record

    def __init__(self, memo: Work, wanted: frozenset[str] | None) -> None:
        self._memo = memo
        self._wanted = wanted
        # The present path: its answers, their questions, and in how many ways out of how many it comes about.
        self._path: list[Any] = []
        self._questions: list[Question] = []
        self._ways = self._total = 1
        # The answers of the path that this replay is still to give.
        self._ahead: Iterator[Any] = iter(())

    # -- the tree of replays --------------------------------------------------------------------------------------

    def _ask(self, chance: Iterable[tuple[Any, int]], total: int) -> Any:
        """A new question at the end of the path, and its first answer."""
        branches = iter(chance)
        value, count = next(branches)
        self._total *= total
        self._questions.append((branches, self._ways, self._total))
        self._path.append(value)
        self._ways *= count
        return value

    def branches(self, run: Callable[..., Any], *facts: Any) -> Odds:
        """Every result of `run(*facts)`, which rolls these dice, with its ways, over one denominator."""
        path, questions = self._path, self._questions
        found = {run(*facts): self._ways}
        total = self._total
        by_total = {total: found}
        work = self._memo
        while questions:
            depth = len(questions)
            more, ways, self._total = questions[-1]
            for path[-1], count in more:
                self._ways = ways * count
                self._ahead = iter(path)
                work.left -= 1
                result = run(*facts)
                for _ in self._ahead:
                    raise RuntimeError("a procedure must ask the same questions in the same order each time")
                if self._total != total:
                    total = self._total
                    found = by_total.setdefault(total, {})
                found[result] = found.get(result, 0) + self._ways
                if len(questions) > depth:
                    break  # new questions came up: their other answers first
            else:
                questions.pop()
                path.pop()
                work.spend(0)
        return (found, total) if len(by_total) == 1 else _over_one_total(by_total)

    def _branches_of(self, step: Callable[..., Any], facts: tuple[Hashable, ...]) -> Odds:
        """Every result of a step by itself; the same step with the same facts is worked out once."""
        key = (step, facts)
        odds = self._memo.get(key)
        if odds is None:
            dice = ChanceDice(self._memo, self._wanted)
            place = len(self._path)
            odds = self._memo[key] = dice.branches(step, dice, *facts)
            if len(self._path) != place:
                raise RuntimeError("a stage must roll the dice that it is given")
        return odds

    # -- chances --------------------------------------------------------------------------------------------------

    def roll(self, sides: int, label: str, *, rule: str = "") -> int:
        for answer in self._ahead:
            return answer
        return self._ask(*sums(1, sides))

    def total(self, number: int, sides: int, label: str, *, modifier: int | Score = 0, rule: str = "") -> int:
        for answer in self._ahead:
            return answer
        return self._ask(*sums(number, sides, amount(modifier)))

    def test(
        self,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> bool:
        for answer in self._ahead:
            return answer
        good, total = passing(sides, *bounds(sides, at_least, at_most), reroll)
        if 0 < good < total:
            return self._ask(((True, good), (False, total - good)), total)
        return self._ask(*sure(good > 0))

    def tests(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> tuple[bool, ...]:
        return tuple([self.test(label, sides, at_least=at_least, at_most=at_most, reroll=reroll) for _ in range(number)])

    def count(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        reroll: Reroll = "none",
        rule: str = "",
    ) -> int:
        for answer in self._ahead:
            return answer
        return self._ask(*binomial(number, *passing(sides, *bounds(sides, at_least, at_most), reroll)))

    def pool(
        self,
        number: int,
        label: str,
        sides: int = 6,
        *,
        at_least: int | Score | None = None,
        at_most: int | Score | None = None,
        rule: str = "",
    ) -> Pool:
        for answer in self._ahead:
            return answer
        pool = _ChancePool(self, number, *passing(sides, *bounds(sides, at_least, at_most)))
        return self._ask(*sure(pool))

    def band(self, label: str, sides: int, uppers: Sequence[int], *, number: int = 1, modifier: int | Score = 0, rule: str = "") -> int:
        for answer in self._ahead:
            return answer

        def place(value: int) -> int:
            for index, upper in enumerate(uppers):
                if value <= upper:
                    return index
            return len(uppers)

        return self.read(label, sides, place, number=number, modifier=modifier)

    def read(self, label: str, sides: int, chart: Callable[[int], H], *, number: int = 1, modifier: int | Score = 0, rule: str = "") -> H:
        for answer in self._ahead:
            return answer
        values, total = sums(number, sides, amount(modifier))
        entries: dict[H, int] = {}
        so_far = entries.get
        for value, count in values:
            entry = chart(value)
            entries[entry] = so_far(entry, 0) + count
        return self._ask(entries.items(), total)

    # -- structure ------------------------------------------------------------------------------------------------

    def stage(self, step: Callable[..., H], *facts: Hashable) -> H:
        for answer in self._ahead:
            return answer
        ways, total = self._branches_of(step, facts)
        return self._ask(ways.items(), total)

    def fold(self, step: Callable[[Dice, H, Any], H], state: H, items: Iterable[Hashable]) -> H:
        for answer in self._ahead:
            return answer
        states: dict[Any, int] = {state: 1}
        total = 1
        for item in items:
            self._memo.spend(len(states))
            rows = [(ways, *self._branches_of(step, (here, item))) for here, ways in states.items()]
            common = lcm(*[part for _, _, part in rows])
            states = {}
            for ways, results, part in rows:
                scale = ways * (common // part)
                for result, count in results.items():
                    states[result] = states.get(result, 0) + scale * count
            total *= common
        return self._ask(states.items(), total)

    def until(self, attempt: Callable[[Dice], H | None]) -> H:
        for answer in self._ahead:
            return answer
        ways, _ = self._branches_of(attempt, ())
        ended = {result: count for result, count in ways.items() if result is not None}
        if not ended:
            raise DiceError("a roll that is repeated for ever has no odds")
        # q + q(1-q) + q(1-q)^2 + ... = 1: the tries that come to nothing drop out, the others keep their shares.
        return self._ask(ended.items(), sum(ended.values()))

    def wants(self, field: str) -> bool:
        return self._wanted is None or field in self._wanted


class _ChancePool:
    """Dice not yet counted: so many of them, each with so many ways to have passed every test so far.

    The pool is an answer on the path and outlives a replay, so it notes by place and question what was done with it:
    once the path has turned off before that question, it was not done.
    """

    __slots__ = ("_counted", "_onward", "dice", "good", "number", "total")

    def __init__(self, dice: ChanceDice, number: int, good: int, total: int) -> None:
        self.dice, self.number, self.good, self.total = dice, number, good, total
        self._counted: tuple[int, Any] | None = None
        self._onward: tuple[int, Any] | None = None

    @property
    def count(self) -> int:
        dice = self.dice
        for answer in dice._ahead:
            return answer
        if self._holds(self._counted):
            return dice._ask(*sure(self._known()))
        if self._holds(self._onward):
            raise RuntimeError("read the count of a pool before it rolls on")
        found = dice._ask(*binomial(self.number, self.good, self.total))
        self._counted = self._here()
        return found

    def then(
        self, label: str, sides: int = 6, *, at_least: int | Score | None = None, at_most: int | Score | None = None, rule: str = ""
    ) -> Pool:
        dice = self.dice
        for answer in dice._ahead:
            return answer
        good, total = passing(sides, *bounds(sides, at_least, at_most))
        if self._holds(self._counted):
            number = self._known()
        elif self._holds(self._onward):
            raise RuntimeError("read the count of a pool before it rolls on twice")
        else:
            # k of n, each with p, of which each passes with q: that is k of n, each with pq.
            number, good, total = self.number, self.good * good, self.total * total
        onward = dice._ask(*sure(_ChancePool(dice, number, good, total)))
        self._onward = self._here()
        return onward

    def _here(self) -> tuple[int, Any]:
        return len(self.dice._path) - 1, self.dice._questions[-1]

    def _holds(self, done: tuple[int, Any] | None) -> bool:
        """Whether what was done lies on the present path."""
        return done is not None and done[0] < len(self.dice._questions) and self.dice._questions[done[0]] is done[1]

    def _known(self) -> int:
        assert self._counted is not None
        return self.dice._path[self._counted[0]]


def _over_one_total(by_total: dict[int, dict[Any, int]]) -> Odds:
    """Results of paths with differing denominators, brought to one."""
    total = lcm(*by_total)
    ways: dict[Any, int] = {}
    for part, some in by_total.items():
        scale = total // part
        for result, count in some.items():
            ways[result] = ways.get(result, 0) + count * scale
    return ways, total


class EveryFace(FaceDice):
    """The brute-force twin: single faces, no merging, no shortcuts. Also serves odds of fields that repeat dice."""

    def __init__(self, tree: ChanceDice) -> None:
        super().__init__(tracing=False)
        self.tree = tree

    def face(self, sides: int, label: str) -> int:
        return self.tree.roll(sides, label)

    def until(self, attempt: Callable[[Dice], H | None]) -> H:
        return self.tree.until(lambda inner: attempt(EveryFace(inner)))  # type: ignore[arg-type]


def distribution(
    procedure: Callable[[Any, Dice], Any],
    facts: Any,
    *,
    fields: Sequence[str] | None = None,
    project: Callable[[Any], Hashable] | None = None,
) -> Distribution:
    """The exact distribution of what a procedure gives for some facts.

    With `fields`, of just those fields (as a tuple in that order); with `project`, of any function of the outcome.
    """
    dice = ChanceDice(Work(), None if fields is None else frozenset(fields))
    if fields is not None:
        names = tuple(fields)

        def project(outcome: Any) -> Hashable:
            return tuple([getattr(outcome, name) for name in names])

    if project is None:
        return Distribution(*dice.branches(procedure, facts, dice))
    return Distribution(*dice.branches(lambda: project(procedure(facts, dice))))


def every_face(procedure: Callable[[Any, Dice], Any], facts: Any, *, project: Callable[[Any], Hashable] | None = None) -> Distribution:
    """The same by brute force, face by face: for tests, and for fields that repeat dice."""
    tree = ChanceDice(Work(), None)

    def run() -> Any:
        outcome = procedure(facts, EveryFace(tree))
        return outcome if project is None else project(outcome)

    return Distribution(*tree.branches(run))


def sample(odds: Distribution, number: int, seed: int) -> dict[Any, int]:
    """Many trials at once: how often each outcome came up, drawn whole from the exact distribution."""
    import numpy as np

    outcomes = list(odds.ways)
    weights = np.array([ways / odds.total for ways in odds.ways.values()])
    counts = np.random.default_rng(seed).multinomial(number, weights / weights.sum())
    return {outcome: int(count) for outcome, count in zip(outcomes, counts, strict=True) if count}
