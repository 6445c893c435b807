"""What many games tell: shares with Wilson intervals, means with normal ones, all at 95 %."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import msgspec

from sandtable.kernel.events import SIDES
from sandtable.lab.battles import GameResult

Z = 1.959963984540054
"""Standard deviations that hold 95 % of a normal distribution."""


class Share(msgspec.Struct, frozen=True):
    """How often something came about, with the interval that the true share lies in."""

    count: int
    share: float
    low: float
    high: float


class Mean(msgspec.Struct, frozen=True):
    """A mean with its interval."""

    mean: float
    low: float
    high: float


class Summary(msgspec.Struct, frozen=True):
    """What a run of games came to."""

    games: int
    wins: dict[str, Share]
    """Of side a, of side b, and draws."""
    margin: Mean
    """The share of its pieces that side a kept, less that of side b."""
    turns: Mean
    answers: Mean
    losses: dict[str, Mean]
    """Pieces lost, by side."""
    losses_by_turn: dict[str, list[Mean]]
    """Pieces lost in turn 1, 2, ... over the games that came so far."""
    problems: list[str]
    digest: str
    """A hash of all games' logs: the same for the same seed, whatever the number of processes."""


def wilson(count: int, number: int, z: float = Z) -> Share:
    """The Wilson score interval of a share. Sound at 0 and 1 and for small numbers, where the usual one is not."""
    if number == 0:
        return Share(0, 0.0, 0.0, 1.0)
    p = count / number
    base = 1 + z * z / number
    centre = (p + z * z / (2 * number)) / base
    half = z * math.sqrt(p * (1 - p) / number + z * z / (4 * number * number)) / base
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == number else min(1.0, centre + half)
    return Share(count, p, low, high)


def mean_of(values: Sequence[float]) -> Mean:
    """A mean, with the interval of the normal distribution."""
    number = len(values)
    if not number:
        return Mean(0.0, 0.0, 0.0)
    mean = math.fsum(values) / number
    if number == 1:
        return Mean(mean, mean, mean)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (number - 1))
    half = Z * spread / math.sqrt(number)
    return Mean(mean, mean - half, mean + half)


def summarise(results: Sequence[GameResult]) -> Summary:
    """The summary of some games. It depends on the games alone, not on the order in which they ended."""
    ordered = sorted(results, key=lambda result: result.index)
    number = len(ordered)
    longest = max((result.turns for result in ordered), default=0)
    by_turn = {
        side: [mean_of([result.losses[side][turn] for result in ordered if result.turns > turn]) for turn in range(longest)]
        for side in SIDES
    }
    sums = hashlib.sha256("".join(result.digest for result in ordered).encode())
    return Summary(
        games=number,
        wins={
            "a": wilson(sum(result.winner == "a" for result in ordered), number),
            "b": wilson(sum(result.winner == "b" for result in ordered), number),
            "draw": wilson(sum(result.winner is None for result in ordered), number),
        },
        margin=mean_of([result.margin for result in ordered]),
        turns=mean_of([result.turns for result in ordered]),
        answers=mean_of([result.answers for result in ordered]),
        losses={side: mean_of([result.lost(side) for result in ordered]) for side in SIDES},
        losses_by_turn=by_turn,
        problems=[f"game {result.index} (seed {result.seed}): {problem}" for result in ordered for problem in result.problems],
        digest=sums.hexdigest()[:16],
    )
