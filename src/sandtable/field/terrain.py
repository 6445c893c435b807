"""What lies on the table: pieces of terrain, and the ground that holds them.

The field knows no rule: `kind` is a word of the game ("wood", "river"), `form` tells how the shape is meant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import msgspec

from sandtable.field.shapes import (
    GRID,
    Box,
    Point,
    Polygon,
    bearing,
    bounds,
    boxes_apart,
    contains,
    distance,
    snap,
    tidy,
    touches,
)

Form = Literal["area", "line", "road", "hill", "building"]


class Opening(msgspec.Struct, frozen=True):
    """A door or window: a stretch of a wall, and the direction that looks out of it."""

    start: Point
    end: Point
    outward: int

    @property
    def middle(self) -> Point:
        return ((self.start[0] + self.end[0]) // 2, (self.start[1] + self.end[1]) // 2)


def strip(line: Sequence[Point], width: int) -> Polygon:
    """A polyline as a thin polygon of that width, flat at its ends, mitred at its bends (blunted where the bend is sharp)."""
    path = [p for i, p in enumerate(line) if i == 0 or p != line[i - 1]]
    if len(path) < 2:
        raise ValueError("a line needs two different points")
    half = width / 2
    normals = []
    for (ax, ay), (bx, by) in itertools.pairwise(path):
        dx, dy = bx - ax, by - ay
        size = math.sqrt(dx * dx + dy * dy)
        normals.append((-dy / size, dx / size))
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(path):
        ux, uy = normals[max(i - 1, 0)]
        vx, vy = normals[min(i, len(normals) - 1)]
        mx, my = ux + vx, uy + vy
        # The mitre runs along the mean of both normals and grows with the bend; beyond two widths it is cut short.
        grow = half * min(2 / (mx * mx + my * my), 2.0) if mx * mx + my * my > 1e-9 else 0.0
        left.append(snap(x + mx * grow, y + my * grow))
        right.append(snap(x - mx * grow, y - my * grow))
    return tidy(right + left[::-1])


def wall_openings(walls: Sequence[Point], width: int = GRID) -> tuple[Opening, ...]:
    """One opening in the middle of each wall of a (counter-clockwise) building; a shorter wall is open along its length."""
    out = []
    for i, (bx, by) in enumerate(walls):
        ax, ay = walls[i - 1]
        dx, dy = bx - ax, by - ay
        size = math.sqrt(dx * dx + dy * dy)
        part = min(width / size, 1.0) / 2
        start = snap(ax + dx * (0.5 - part), ay + dy * (0.5 - part))
        end = snap(ax + dx * (0.5 + part), ay + dy * (0.5 + part))
        # Inside is on the left of a counter-clockwise wall, so outward is to its right.
        out.append(Opening(start, end, bearing((0, 0), (dy, -dx))))
    return tuple(out)


class Piece(msgspec.Struct, frozen=True, dict=True):
    """One piece of terrain. `shape` is a polygon, or for a line or a road a polyline that is `width` wide."""

    id: str
    kind: str
    form: Form
    shape: tuple[Point, ...]
    width: int = 0
    height: int = 0
    openings: tuple[Opening, ...] = ()
    name: str = ""

    @cached_property
    def outline(self) -> Polygon:
        """The ground it covers, counter-clockwise."""
        if self.form in ("line", "road"):
            return strip(self.shape, max(self.width, 1))
        return tidy(self.shape)

    @cached_property
    def box(self) -> Box:
        return bounds(self.outline)

    @cached_property
    def doors(self) -> tuple[Opening, ...]:
        """A building's openings: the given ones, or one of one unit in the middle of each wall."""
        if self.form != "building" or self.openings:
            return self.openings
        return wall_openings(self.outline)


class Ground(msgspec.Struct, frozen=True, dict=True):
    """A table: its size in grid units, the unit its numbers are meant in, and its pieces."""

    unit: Literal["in", "cm"]
    width: int
    height: int
    pieces: tuple[Piece, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Piece]:
        return {piece.id: piece for piece in self.pieces}

    @property
    def box(self) -> Box:
        return (0, 0, self.width, self.height)

    def pieces_at(self, point: Point) -> list[Piece]:
        """The pieces that hold a point (edges count), in the order of the table."""
        x, y = point
        return [
            piece
            for piece in self.pieces
            if piece.box[0] <= x <= piece.box[2] and piece.box[1] <= y <= piece.box[3] and contains(piece.outline, point)
        ]

    def pieces_touching(self, shape: Sequence[Point]) -> list[Piece]:
        """The pieces that share at least a point with a shape."""
        box = bounds(shape)
        return [piece for piece in self.pieces if not boxes_apart(piece.box, box) and touches(piece.outline, shape)]

    def pieces_near(self, shape: Sequence[Point], far: float) -> list[tuple[float, Piece]]:
        """The pieces at most `far` from a shape, each with its distance, nearest first (then in the order of the table)."""
        left, bottom, right, top = bounds(shape)
        box = (left - far, bottom - far, right + far, top + far)
        found = [(distance(piece.outline, shape), piece) for piece in self.pieces if not boxes_apart(piece.box, box)]
        return sorted(((d, piece) for d, piece in found if d <= far), key=lambda item: item[0])

    def within_table(self, shape: Sequence[Point]) -> bool:
        """Is the whole shape on the table?"""
        left, bottom, right, top = bounds(shape)
        return left >= 0 and bottom >= 0 and right <= self.width and top <= self.height
