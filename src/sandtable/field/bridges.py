"""Gaps too narrow to look through."""

from __future__ import annotations

import math
from collections.abc import Sequence

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


def convex_parts(shape: Polygon) -> list[Polygon]:
    """A polygon cut into convex parts: itself, or the triangles that ear clipping gives."""
    if is_convex(shape):
        return [shape]
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
    return parts


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
    parts = [[(part, bounds(part)) for part in convex_parts(shape.shape)] for shape in ordered]
    out: list[Blocker] = []
    for i, one in enumerate(ordered):
        left, low, right, high = one.box
        reach = (left - minimum, low - minimum, right + minimum, high + minimum)
        for j in range(i + 1, len(ordered)):
            two = ordered[j]
            if boxes_apart(reach, two.box):
                continue
            for a, (x0, y0, x1, y1) in parts[i]:
                for b, box_b in parts[j]:
                    if boxes_apart((x0 - minimum, y0 - minimum, x1 + minimum, y1 + minimum), box_b):
                        continue
                    gap, here, there = nearest(a, b)
                    if gap >= minimum - TOLERANCE or (len(a) > 2 and len(b) > 2 and overlap(a, b)):
                        continue
                    ends = (_held(here, a), _held(there, b))
                    if ends[0] != ends[1]:
                        out.append(Blocker(f"{one.id}|{two.id}", ends))
    return out
