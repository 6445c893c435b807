"""Random tables for the property tests, and slow twins to compare with."""

from __future__ import annotations

import math
import random

from hypothesis import strategies as st

from sandtable.field.shapes import Point, Polygon, Pose, rectangle, tidy
from sandtable.field.sight import Blocker


def star(rng: random.Random, centre: tuple[float, float], size: float, corners: int) -> Polygon:
    """A polygon around a centre, often with bays, never crossing itself."""
    turns = sorted(rng.uniform(0, 2 * math.pi) for _ in range(corners))
    points = []
    for turn in turns:
        r = size * rng.uniform(0.35, 1.0)
        points.append((round(centre[0] + r * math.cos(turn)), round(centre[1] + r * math.sin(turn))))
    return tidy(points)


def simple(shape: Polygon) -> bool:
    from shapely.geometry import Polygon as Ring

    return len(shape) > 2 and Ring(shape).is_valid and Ring(shape).area > 0


def polygon(rng: random.Random, reach: int, size: float) -> Polygon:
    while True:
        shape = star(rng, (rng.uniform(0, reach), rng.uniform(0, reach)), size * rng.uniform(0.3, 1.0), rng.randint(3, 9))
        if simple(shape):
            return shape


def base(rng: random.Random, reach: int, size: int) -> Polygon:
    pose = Pose(rng.randint(0, reach), rng.randint(0, reach), rng.randrange(360))
    return rectangle(pose, rng.randint(size // 3, size), rng.randint(size // 3, size))


def table(seed: int, blockers: int, reach: int = 12000, size: float = 2500, coarse: int = 1) -> tuple[Polygon, Polygon, list[Blocker]]:
    """Two bases and some blockers; `coarse` rounds the table so that corners line up and touch often."""
    rng = random.Random(seed)

    def rough(shape: Polygon) -> Polygon:
        return tidy([(round(x / coarse) * coarse, round(y / coarse) * coarse) for x, y in shape])

    found: list[Blocker] = []
    while len(found) < blockers:
        shape: tuple[Point, ...] = rough(polygon(rng, reach, size))
        if rng.random() < 0.15:
            shape = shape[:2]
        if len(shape) == 2 or simple(shape):
            found.append(Blocker(f"b{len(found)}", shape))
    bases = []
    while len(bases) < 2:
        shape = rough(base(rng, reach, 1800))
        if simple(shape) and doubled_convex(shape):
            bases.append(shape)
    return bases[0], bases[1], found


def doubled_convex(shape: Polygon) -> bool:
    from sandtable.field.shapes import is_convex

    return is_convex(shape)


seeds = st.integers(0, 10**9)
