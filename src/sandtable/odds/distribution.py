"""A distribution: an immutable map from outcome to a whole number of ways."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from math import fsum
from typing import Any


class Distribution:
    """Outcomes with whole numbers of ways; divided only when somebody asks for a probability."""

    __slots__ = ("total", "ways")

    def __init__(self, ways: dict[Any, int], total: int | None = None) -> None:
        self.ways = ways
        self.total = sum(ways.values()) if total is None else total

    def __len__(self) -> int:
        return len(self.ways)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.ways)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.ways.keys() == other.ways.keys() and all(
            count * other.total == other.ways[outcome] * self.total for outcome, count in self.ways.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Distribution({ {outcome: str(p) for outcome, p in self.items()} })"

    def p(self, outcome: Hashable) -> Fraction:
        """The probability of one outcome."""
        return Fraction(self.ways.get(outcome, 0), self.total)

    def items(self) -> list[tuple[Any, Fraction]]:
        """Outcomes with probabilities, most likely first; equal ones in a stable order of their text."""
        rows = sorted(self.ways.items(), key=lambda row: -row[1])
        if len({ways for _, ways in rows}) != len(rows):
            rows.sort(key=lambda row: (-row[1], repr(row[0])))
        return [(outcome, Fraction(ways, self.total)) for outcome, ways in rows]

    def map(self, project: Callable[[Any], Any]) -> Distribution:
        """The distribution of a function of the outcome, equal values merged."""
        ways: dict[Any, int] = {}
        for outcome, count in self.ways.items():
            value = project(outcome)
            ways[value] = ways.get(value, 0) + count
        return Distribution(ways, self.total)

    def chance(self, condition: Callable[[Any], bool]) -> Fraction:
        """The probability that the outcome is of some kind."""
        return Fraction(sum(ways for outcome, ways in self.ways.items() if condition(outcome)), self.total)

    def mean(self, value: Callable[[Any], float]) -> float:
        """The expected value of a function of the outcome."""
        return fsum([value(outcome) * (ways / self.total) for outcome, ways in self.ways.items()])
