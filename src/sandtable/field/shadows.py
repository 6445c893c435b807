"""How much of a target other things hide from a point."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from sandtable.field.blockers import Blocker
from sandtable.field.shapes import Point, Shape, Spot, bounds, contains, pierces

_Edge = tuple[float, float, float, float]


def hidden_fraction(point: Point, target: Sequence[Point], screens: Sequence[Blocker]) -> float:
    """The part (0..1) of a convex target's area whose line from the point passes through the inside of some screen.

    Seen from the point, the corners and crossings of all edges cut the view into thin wedges. In each wedge a ray meets the same edges in
    the same order, and everything behind the first screen's edge is hidden: a triangle less a triangle.
    """
    left, low, right, high = bounds((point, *target))
    near = [s for s in screens if s.box[0] <= right and s.box[2] >= left and s.box[1] <= high and s.box[3] >= low]
    if not near:
        return 0.0
    px, py = point
    behind = _lines_of_sight(px, py, target)
    near = [s for s in near if not any(all(a * x + b * y >= c for x, y in s.hull) for a, b, c in behind)]
    if not near:
        return 0.0
    if any(len(s.ring) > 2 and contains(s.ring, point, strict=True) for s in near):
        return 1.0
    # A convex screen that stands before every corner hides all the target, unless the point is on the target.
    if any(
        s.convex and all(pierces(point, corner, s.shape) and not contains(s.shape, corner) for corner in target) for s in near
    ) and not contains(target, point):
        return 1.0
    aim = _edges(target, px, py)
    veils = [_edges(s.ring, px, py) for s in near]
    veil = [edge for edges in veils for edge in edges]
    spots: list[Spot] = [(x - px, y - py) for x, y in target]
    spots += [(x - px, y - py) for s in near for x, y in s.ring]
    for edges, others in itertools.combinations((aim, *veils), 2):  # the edges of one shape do not cross each other
        for one in edges:
            for two in others:
                spot = _crossing(one, two)
                if spot is not None:
                    spots.append(spot)
    total = hidden = 0.0
    rays = _rays(spots)
    for (ux, uy), (vx, vy) in zip(rays, rays[1:] + rays[:1], strict=True):
        mx, my = ux + vx, uy + vy
        hits = sorted((t, edge) for edge in aim if (t := _reach(mx, my, edge)) is not None)
        if not hits:
            continue
        back = hits[-1][1]
        front = hits[0][1] if len(hits) > 1 else None
        deep = _slice(ux, uy, vx, vy, back)
        shallow = _slice(ux, uy, vx, vy, front) if front is not None else 0.0
        total += deep - shallow
        first = min(((t, edge) for edge in veil if (t := _reach(mx, my, edge)) is not None), default=None)
        if first is None or first[0] >= hits[-1][0]:
            continue
        covered = front is not None and first[0] <= hits[0][0]
        hidden += deep - (shallow if covered else _slice(ux, uy, vx, vy, first[1]))
    if total <= 0:
        return 0.0
    return min(max(hidden / total, 0.0), 1.0)


def _lines_of_sight(px: float, py: float, target: Sequence[Point]) -> list[tuple[float, float, float]]:
    """Half planes (a x + b y >= c) that no part of a line from the point to the target enters: beside the outermost lines, and behind the
    target. A screen in one of them hides nothing."""
    out: list[tuple[float, float, float]] = []
    lx = ly = rx = ry = 0.0
    outside = False
    x0, y0 = target[-1]
    for x1, y1 in target:
        ex, ey = x1 - x0, y1 - y0
        side = ex * (py - y0) - ey * (px - x0)
        if side > 0:  # an edge at the back: beyond it nothing is hidden
            out.append((ey, -ex, ey * x0 - ex * y0))
        outside = outside or side < 0
        x, y = x1 - px, y1 - py
        if (not lx and not ly) or lx * y - ly * x > 0:
            lx, ly = x, y
        if (not rx and not ry) or rx * y - ry * x < 0:
            rx, ry = x, y
        x0, y0 = x1, y1
    if outside:  # seen from outside it has a left and a right end
        out += [(-ly, lx, lx * py - ly * px), (ry, -rx, ry * px - rx * py)]
    return out


def _edges(ring: Shape, px: float, py: float) -> list[_Edge]:
    """The edges seen from the point; one that the point lies in line with has no width and is left out."""
    out = []
    x0, y0 = ring[-1][0] - px, ring[-1][1] - py
    for x, y in ring:
        x1, y1 = x - px, y - py
        if x0 * y1 != y0 * x1:
            out.append((x0, y0, x1, y1))
        x0, y0 = x1, y1
    return out[:1] if len(ring) == 2 else out


def _crossing(one: _Edge, two: _Edge) -> Spot | None:
    ax, ay, bx, by = one
    cx, cy, dx, dy = two
    ex, ey, fx, fy = bx - ax, by - ay, dx - cx, dy - cy
    down = ex * fy - ey * fx
    if not down:
        return None
    t = ((cx - ax) * fy - (cy - ay) * fx) / down
    u = ((cx - ax) * ey - (cy - ay) * ex) / down
    return (ax + t * ex, ay + t * ey) if 0 < t < 1 and 0 < u < 1 else None


def _rays(spots: Sequence[Spot]) -> list[Spot]:
    """Unit directions to all the spots, counter-clockwise, no two the same; the axes keep every wedge under 180 degrees."""
    found: dict[float, Spot] = {}
    for x, y in [*spots, (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]:
        size = math.sqrt(x * x + y * y)
        if size:
            x, y = x / size, y / size
            # Grows with the angle and needs no library function: a quarter turn is 1.
            turn = y / (abs(x) + abs(y)) if x >= 0 else 2 - y / (abs(x) + abs(y))
            found[turn] = (x, y)
    return [found[turn] for turn in sorted(found)]


def _reach(mx: float, my: float, edge: _Edge) -> float | None:
    """How far along the ray it meets the edge, if it does."""
    ax, ay, bx, by = edge
    s0, s1 = mx * ay - my * ax, mx * by - my * bx
    if (s0 > 0) == (s1 > 0):
        return None
    t = (ax * (by - ay) - ay * (bx - ax)) / (mx * (by - ay) - my * (bx - ax))
    return t if t > 0 else None


def _slice(ux: float, uy: float, vx: float, vy: float, edge: _Edge) -> float:
    """Twice the area of the triangle between the point, two rays and the edge's line."""
    ax, ay, bx, by = edge
    ex, ey = bx - ax, by - ay
    top = ax * ey - ay * ex
    t, u = top / (ux * ey - uy * ex), top / (vx * ey - vy * ex)
    return abs(t * u * (ux * vy - uy * vx))
