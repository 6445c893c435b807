"""Distances and bearings on the table, in the numbers that a scene holds (grid units, degrees clockwise from north)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.kernel.scene import Figure

GRID = 1000
Point = tuple[float, float]


def bearing(start: Point, end: Point) -> float:
    """Degrees clockwise from north."""
    return math.degrees(math.atan2(end[0] - start[0], end[1] - start[1])) % 360


def wind(degrees: float) -> int:
    """Which of the eight winds, from 0 (north) clockwise."""
    return round(degrees / 45) % 8


def apart(start: Point, end: Point) -> float:
    return math.hypot(end[0] - start[0], end[1] - start[1])


def towards(start: Point, degrees: float, distance: float) -> tuple[int, int]:
    """The point so far away in that direction, on the grid."""
    angle = math.radians(degrees)
    return round(start[0] + math.sin(angle) * distance), round(start[1] + math.cos(angle) * distance)


def corners(figure: Figure) -> list[Point]:
    """The corners of a base."""
    angle = math.radians(figure.facing)
    ahead, right = (math.sin(angle), math.cos(angle)), (math.cos(angle), -math.sin(angle))
    found = []
    for along, across in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        x = figure.x + ahead[0] * along * figure.depth / 2 + right[0] * across * figure.width / 2
        y = figure.y + ahead[1] * along * figure.depth / 2 + right[1] * across * figure.width / 2
        found.append((x, y))
    return found


def gap(one: Figure, two: Figure) -> float:
    """From base to base, the shortest way; 0 if they touch."""
    first, second = corners(one), corners(two)
    if inside((two.x, two.y), first) or inside((one.x, one.y), second):
        return 0.0
    ways = [to_edge(corner, second) for corner in first] + [to_edge(corner, first) for corner in second]
    return min(ways)


def to_edge(point: Point, outline: Sequence[Point]) -> float:
    """From a point to an outline; 0 inside it."""
    if inside(point, outline):
        return 0.0
    return min(to_segment(point, outline[place - 1], outline[place]) for place in range(len(outline)))


def to_segment(point: Point, start: Point, end: Point) -> float:
    long_x, long_y = end[0] - start[0], end[1] - start[1]
    square = long_x * long_x + long_y * long_y
    share = 0.0 if square == 0 else ((point[0] - start[0]) * long_x + (point[1] - start[1]) * long_y) / square
    share = min(1.0, max(0.0, share))
    return apart(point, (start[0] + share * long_x, start[1] + share * long_y))


def inside(point: Point, outline: Sequence[Point]) -> bool:
    """Whether a point is inside an outline (even-odd)."""
    x, y = point
    found = False
    for place in range(len(outline)):
        (x1, y1), (x2, y2) = outline[place - 1], outline[place]
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            found = not found
    return found


def middle(outline: Sequence[Point]) -> Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
