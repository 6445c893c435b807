"""One line against shapes, with exact answers: the small tools of line of sight.

A line is a point (cx, cy) and a direction (dx, dy); a place on it is a number t. Where point and direction are whole numbers, every side
test is exact, and every t is the rounded quotient of two exact whole numbers, wrong by less than 1e-10 of a grid unit. Lines through
computed points (where a base's edge cuts a blocker's) are not whole: for them a corner within a millionth of a grid unit counts as on the
line. The same margin never touches a whole-number line, since a corner that is off such a line is off by more than that.
"""

from __future__ import annotations

import itertools

from sandtable.field.shapes import Shape, Spot, contains

HAIR = 1e-6


def stretch(cx: float, cy: float, dx: float, dy: float, base: Shape) -> tuple[float, float] | None:
    """Where the line is in a convex base: from t to t, or None if it misses it."""
    hair = HAIR * (abs(dx) + abs(dy))
    low = high = None
    x0, y0 = base[-1]
    s0 = dx * (y0 - cy) - dy * (x0 - cx)
    for x1, y1 in base:
        s1 = dx * (y1 - cy) - dy * (x1 - cx)
        if -hair <= s1 <= hair:
            t = ((x1 - cx) * dx + (y1 - cy) * dy) / (dx * dx + dy * dy)
        elif (s0 > hair and s1 < -hair) or (s0 < -hair and s1 > hair):
            ex, ey = x1 - x0, y1 - y0
            t = ((x0 - cx) * ey - (y0 - cy) * ex) / (dx * ey - dy * ex)
        else:
            x0, y0, s0 = x1, y1, s1
            continue
        if low is None or high is None:
            low = high = t
        elif t < low:
            low = t
        elif t > high:
            high = t
        x0, y0, s0 = x1, y1, s1
    return None if low is None or high is None else (low, high)


def between(cx: float, cy: float, dx: float, dy: float, a: Shape, b: Shape) -> tuple[float, float] | None:
    """The part of the line that lies between two convex bases that do not meet; None if it misses one.

    Any sight line on this line from one base to the other contains this part, so it is the only one worth testing.
    """
    here = stretch(cx, cy, dx, dy, a)
    if here is None:
        return None
    there = stretch(cx, cy, dx, dy, b)
    if there is None:
        return None
    return (here[1], there[0]) if here[1] <= there[0] else (there[1], here[0])


def cuts_convex(cx: float, cy: float, dx: float, dy: float, t0: float, t1: float, ring: Shape) -> bool:
    """Does the open part t0..t1 of the line pass through a convex shape that holds neither end of the part?

    With corners strictly on both sides the line goes through the inside; as no end is in there, one crossing tells where that happens.
    """
    hair = HAIR * (abs(dx) + abs(dy))
    left: Spot | None = None
    right: Spot | None = None
    for corner in ring:
        s = dx * (corner[1] - cy) - dy * (corner[0] - cx)
        if s > hair:
            left = corner
            if right is not None:
                break
        elif s < -hair:
            right = corner
            if left is not None:
                break
    if left is None or right is None:
        return False
    ex, ey = right[0] - left[0], right[1] - left[1]
    t = ((left[0] - cx) * ey - (left[1] - cy) * ex) / (dx * ey - dy * ex)
    return t0 < t < t1


def cuts_any(cx: float, cy: float, dx: float, dy: float, t0: float, t1: float, ring: Shape) -> bool:
    """The same for any polygon or bare segment, wherever the ends are (see `shapes.pierces` for the reasoning)."""
    size = abs(dx) + abs(dy)
    hair = HAIR * size
    t0 += HAIR / size
    t1 -= HAIR / size
    if t0 >= t1:
        return False
    n = len(ring)
    sides = [dx * (y - cy) - dy * (x - cx) for x, y in ring]
    if min(sides) >= -hair or max(sides) <= hair:
        return False
    square = dx * dx + dy * dy
    middle = (t0 + t1) / 2
    met = n == 2
    for i in range(n):
        s0, s1 = sides[i - 1], sides[i]
        x0, y0 = ring[i - 1]
        x1, y1 = ring[i]
        if -hair <= s1 <= hair:
            t = ((x1 - cx) * dx + (y1 - cy) * dy) / square
            x2, y2 = ring[(i + 1) % n]
            s2 = sides[(i + 1) % n]
            if t0 < t < t1:
                if (s0 > hair and s2 < -hair) or (s0 < -hair and s2 > hair) or (x1 - x0) * (y2 - y1) < (y1 - y0) * (x2 - x1):
                    return True
                met = True
            if -hair <= s2 <= hair and (t < middle) != (((x2 - cx) * dx + (y2 - cy) * dy) / square < middle):
                met = True  # the middle runs along this edge
        elif (s0 > hair and s1 < -hair) or (s0 < -hair and s1 > hair):
            ex, ey = x1 - x0, y1 - y0
            t = ((x0 - cx) * ey - (y0 - cy) * ex) / (dx * ey - dy * ex)
            if t0 < t < t1:
                return True
    return not met and inside_ring(ring, cx + middle * dx, cy + middle * dy)


def inside_ring(ring: Shape, px: float, py: float) -> bool:
    """Even-odd test without the boundary's niceties."""
    found = False
    x0, y0 = ring[-1]
    for x1, y1 in ring:
        if (y0 > py) != (y1 > py) and ((x1 - x0) * (py - y0) - (y1 - y0) * (px - x0) > 0) == (y1 > y0):
            found = not found
        x0, y0 = x1, y1
    return found


def places_on(cx: float, cy: float, dx: float, dy: float, ring: Shape) -> list[float]:
    """Every t at which the line meets the boundary."""
    hair = HAIR * (abs(dx) + abs(dy))
    out = []
    x0, y0 = ring[-1]
    s0 = dx * (y0 - cy) - dy * (x0 - cx)
    for x1, y1 in ring:
        s1 = dx * (y1 - cy) - dy * (x1 - cx)
        if -hair <= s1 <= hair:
            out.append(((x1 - cx) * dx + (y1 - cy) * dy) / (dx * dx + dy * dy))
        elif (s0 > hair and s1 < -hair) or (s0 < -hair and s1 > hair):
            ex, ey = x1 - x0, y1 - y0
            out.append(((x0 - cx) * ey - (y0 - cy) * ex) / (dx * ey - dy * ex))
        x0, y0, s0 = x1, y1, s1
    return out


def runs(cx: float, cy: float, dx: float, dy: float, t0: float, t1: float, ring: Shape) -> list[tuple[float, float]]:
    """The parts of t0..t1 that lie inside the polygon, in order."""
    sides = [dx * (y - cy) - dy * (x - cx) for x, y in ring]
    if min(sides) >= 0 or max(sides) <= 0:
        return []  # all of it lies on one side of the line
    marks = sorted([t0, t1, *(t for t in places_on(cx, cy, dx, dy, ring) if t0 < t < t1)])
    out: list[tuple[float, float]] = []
    for s, t in itertools.pairwise(marks):
        middle = (s + t) / 2
        if s < t and contains(ring, (cx + middle * dx, cy + middle * dy), strict=True):
            if out and out[-1][1] == s:
                out[-1] = (out[-1][0], t)
            else:
                out.append((s, t))
    return out


def run_through(cx: float, cy: float, dx: float, dy: float, t0: float, t1: float, ring: Shape) -> tuple[float, float] | None:
    """The part of t0..t1 that lies inside a convex polygon, or None."""
    sides = [dx * (y - cy) - dy * (x - cx) for x, y in ring]
    if min(sides) >= 0 or max(sides) <= 0:
        return None
    places = places_on(cx, cy, dx, dy, ring)
    start, end = max(t0, min(places)), min(t1, max(places))
    return (start, end) if start < end else None
