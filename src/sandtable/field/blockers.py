"""What can stand in the way of a line of sight, with everything about it that is worth knowing beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.field.shapes import Box, Point, Polygon, Spot, bounds, hull, is_convex, tidy


class Blocker:
    """A polygon (convex or not) or a bare segment, with an id. Make it once for each piece, not for each question."""

    __slots__ = ("box", "convex", "hull", "id", "key", "ring", "shape")

    def __init__(self, id: str, shape: Sequence[Point]) -> None:
        self.id = id
        self.shape: Polygon = tidy(shape) if len(shape) > 2 else tuple(shape)
        if len(self.shape) < 2:
            raise ValueError(f"blocker {id!r} needs at least two different points")
        self.box: Box = bounds(self.shape)
        self.convex = is_convex(self.shape)
        # Whole numbers of this size are exact as floats, and floats are quicker to multiply.
        self.ring: tuple[Spot, ...] = tuple((float(x), float(y)) for x, y in self.shape)
        self.hull: tuple[Spot, ...] = self.ring if self.convex else tuple((float(x), float(y)) for x, y in hull(self.shape))
        self.key = (self.box, self.shape, id)

    def __repr__(self) -> str:
        return f"Blocker({self.id!r}, {self.shape!r})"


class Limit(NamedTuple):
    """A line may run through at most `length` of these pieces, all together (a wood one sees six inches into)."""

    pieces: tuple[Blocker, ...]
    length: float
