"""What can stand in the way of a line of sight, with everything about it that is worth knowing beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sandtable.field.shapes import Box, Point, Polygon, Spot, bounds, hull, is_convex, span, tidy

Base = Point | Polygon


class Blocker:
    """A polygon (convex or not) or a bare segment, with an id. Make it once for each piece, not for each question."""

    __slots__ = ("box", "convex", "hull", "id", "key", "look", "middle", "reach", "ring", "shape")

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
        # A circle around it, for a first look: the middle of the box, and a little more than the farthest corner.
        self.middle: Spot = ((self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2)
        self.reach = max(span(self.middle, corner) for corner in self.hull) + 1
        self.look = (*self.box, *self.middle, self.reach)
        self.key = (self.box, self.shape, id)

    def __repr__(self) -> str:
        return f"Blocker({self.id!r}, {self.shape!r})"


class Body(NamedTuple):
    """What a search wants to know of a base: corners, box, middle, and how far its corners are from the middle."""

    corners: tuple[Spot, ...]
    box: Box
    x: float
    y: float
    reach: float


@lru_cache(maxsize=4096)
def body(base: Base) -> Body:
    """A point or a convex base, made ready. Bases are asked about again and again, so the answers are kept."""
    corners: tuple[Spot, ...]
    if isinstance(base[0], int):
        corners = ((float(base[0]), float(base[1])),)
    else:
        corners = tuple((float(x), float(y)) for x, y in base)
    x, y = sum(p[0] for p in corners) / len(corners), sum(p[1] for p in corners) / len(corners)
    return Body(corners, bounds(corners), x, y, max(span((x, y), p) for p in corners) + 1)


class Limit(NamedTuple):
    """A line may run through at most `length` of these pieces, all together (a wood one sees six inches into)."""

    pieces: tuple[Blocker, ...]
    length: float
