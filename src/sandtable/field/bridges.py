"""Gaps too narrow to look through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from sandtable.field.blockers import Blocker
from sandtable.field.shapes import (
    TOLERANCE,
    Point,
    Polygon,
    Spot,
    bounds,
    boxes_apart,
    centroid,
    contains,
    is_convex,
    nearest,
    overlap,
    snap,
)

# How far a bridge reaches into the shapes it joins: enough that a line which only grazes both of them crosses it.
_HOLD = 50.0


@lru_cache(maxsize=4096)
def convex_parts(shape: Polygon) -> tuple[Polygon, ...]:
    """A polygon cut into convex parts: itself, or the triangles that ear clipping gives."""
    if is_convex(shape):
        return (shape,)
    ring = list(shape)
    parts: list[Polygon] = []
    while len(ring) > 3:
        for i, (vx, vy) in enumerate(ring):
            (ux, uy), (wx, wy) = ring[i - 1], ring[(i + 1) % len(ring)]
            turn = (vx - ux) * (wy - vy) - (vy - uy) * (wx - vx)
            ear = (ring[i - 1], ring[i], ring[(i + 1) % len(ring)])
            if turn == 0 or (turn > 0 and not any(contains(ear, p) for p in ring if p not in ear)):
                if turn > 0:
                    parts.append(ear)
                del ring[i]
                break
        else:
            raise ValueError(f"the polygon crosses itself: {shape}")
    parts.append(tuple(ring))
    return tuple(parts)


def _held(spot: Spot, part: Polygon) -> Point:
    """A grid point a little further inside the part than a point of its edge."""
    cx, cy = centroid(part)
    dx, dy = cx - spot[0], cy - spot[1]
    size = math.sqrt(dx * dx + dy * dy)
    grow = min(_HOLD / size, 0.5) if size else 0.0
    return snap(spot[0] + dx * grow, spot[1] + dy * grow)


def gap_bridges(shapes: Sequence[Blocker], minimum: float) -> list[Blocker]:
    """Segments that close every gap narrower than `minimum` between two different shapes.

    A line that passes between two convex shapes has one on each side, so it crosses any segment that joins them; the one between their
    nearest points closes the gap and no more. Shapes with bays are taken apart first. Shapes that overlap leave no gap; shapes that touch
    leave one of width 0.
    """
    ordered = sorted(shapes, key=lambda shape: shape.key)
    out: list[Blocker] = []
    for i, one in enumerate(ordered):
        left, low, right, high = one.box
        reach = (left - minimum, low - minimum, right + minimum, high + minimum)
        for two in ordered[i + 1 :]:
            if not boxes_apart(reach, two.box):
                out += _bridges(one, two, minimum)
    return out


@lru_cache(maxsize=20_000)
def _bridges(one: Blocker, two: Blocker, minimum: float) -> tuple[Blocker, ...]:
    """The bridges between two shapes. The same two are asked about again and again, so the answers are kept."""
    out = []
    for a in convex_parts(one.shape):
        x0, y0, x1, y1 = bounds(a)
        for b in convex_parts(two.shape):
            if boxes_apart((x0 - minimum, y0 - minimum, x1 + minimum, y1 + minimum), bounds(b)):
                continue
            gap, here, there = nearest(a, b)
            if gap >= minimum - TOLERANCE or (len(a) > 2 and len(b) > 2 and overlap(a, b)):
                continue
            ends = (_held(here, a), _held(there, b))
            if ends[0] != ends[1]:
                out.append(Blocker(f"{one.id}|{two.id}", ends))
    return tuple(out)
