"""Line of sight from any point of a base to any point of another, exactly.

Why a few lines are enough. Take a clear line between two convex bases. It can be shifted and turned until it touches two corners, without
ever being blocked on the way: think of each line as a point of the dual plane; there every corner is a straight line, the clear lines form
closed regions bounded by those, and each region has a vertex, which is a line through two corners. At each of them it touches a base or a
blocker without entering (it is tangent), and some vertex joins two different shapes, for no region is bounded by one shape alone. So the
common tangents of pairs of shapes decide. A wood with a bay may be replaced by its convex hull as long as no base stands in the hull: a
straight line that enters a bay through its mouth can only leave it through the wood.

Blockers that touch or overlap a base bring their own corners, without the hull, and the points where their edges cut the base's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sandtable.field.blockers import Base, Blocker, Body, Limit, body
from sandtable.field.lines import between, cuts_any, cuts_convex, places_on, runs
from sandtable.field.shapes import Point, Shape, Spot, boxes_apart, inside, nearest, span, within

Line = tuple[Spot, Spot]


class Sight(NamedTuple):
    """A verdict. Clear: `line` is a clear line, from source to target. Not clear: what stops the line between the centres, and how far from
    the source's edge; `why` tells a blocker from a limit of depth ("depth") or of the whole line ("length")."""

    clear: bool
    line: Line | None = None
    blocked_by: str | None = None
    at: int | None = None
    why: Literal["", "blocked", "depth", "length"] = ""


class _Mark(NamedTuple):
    """A corner a sight line may touch, with its neighbours: a line that touches there has both on one side."""

    x: float
    y: float
    owner: int
    before: Spot
    after: Spot


def strictly_apart(a: Shape, b: Shape) -> bool:
    """Does an edge of one convex shape have all of the other strictly outside?"""
    for shape, other in ((a, b), (b, a)):
        x0, y0 = shape[-1]
        for x1, y1 in shape:
            ex, ey = x1 - x0, y1 - y0
            for x, y in other:
                if ex * (y - y0) >= ey * (x - x0):
                    break
            else:
                return True
            x0, y0 = x1, y1
    return False


def run_inside(p: Point, q: Point, polygon: Sequence[Point]) -> float:
    """Length of the segment p-q that lies inside a polygon."""
    if p == q:
        return 0.0
    dx, dy = q[0] - p[0], q[1] - p[1]
    return sum(t - s for s, t in runs(p[0], p[1], dx, dy, 0.0, 1.0, polygon)) * span(p, q)


def sees(
    source: Base,
    target: Base,
    blockers: Sequence[Blocker],
    limited: Sequence[Limit] = (),
    max_length: float | None = None,
) -> Sight:
    """Is there a line from some point of the source to some point of the target that no blocker stops?

    Both may be a point or a convex polygon. A line is stopped where it passes through the inside of a blocker, or properly crosses a bare
    segment; touching does not stop it. Along each entry of `limited` it may run at most that entry's length; `max_length` bounds the whole.
    Bases that touch see each other.
    """
    if isinstance(source[0], int) and isinstance(target[0], int) and not limited and max_length is None and source != target:
        return _sees_point(source, target, blockers)
    one, two = body(source), body(target)
    # One order of the two bases for the search: the answer is symmetric by construction.
    turned = two.corners < one.corners
    if turned:
        one, two = two, one
    a, b = one.corners, two.corners
    ax, ay = one.x, one.y
    dx, dy = two.x - ax, two.y - ay
    if not boxes_apart(one.box, two.box) and not strictly_apart(a, b) and (meet := _meeting(a, b)) is not None:
        return Sight(True, (meet, meet))
    near, close = cull(one, two, blockers)
    if limited or max_length is not None:
        reached = [(cull(one, two, limit.pieces), limit.length) for limit in limited]
        limited = [Limit((*clear_of, *at_base), length) for (clear_of, at_base), length in reached if clear_of or at_base]
        line = _search_limited(a, b, near, close, limited, max_length)
    else:
        line = None
        for blocker in near:
            if cuts_convex(ax, ay, dx, dy, 0.0, 1.0, blocker.hull):
                break
        else:
            if not close:
                line = ((ax, ay), (two.x, two.y))
            else:
                part = between(ax, ay, dx, dy, a, b)
                if part is not None and not any(cuts_any(ax, ay, dx, dy, *part, blocker.ring) for blocker in close):
                    line = _on_line(ax, ay, dx, dy, *part)
        if line is None:
            line = _search(a, b, near, close)
    if line is not None:
        return Sight(True, (line[1], line[0]) if turned else line)
    return _verdict(*((two, one) if turned else (one, two)), near, close, limited, max_length)


def _sees_point(source: Point, target: Point, blockers: Sequence[Blocker]) -> Sight:
    """From a point to a point there is one line: no search, only what stops it first."""
    ax, ay = source
    bx, by = target
    left, right = (ax, bx) if ax < bx else (bx, ax)
    low, high = (ay, by) if ay < by else (by, ay)
    dx, dy = float(bx - ax), float(by - ay)
    size = math.sqrt(dx * dx + dy * dy)
    hit = []
    for blocker in blockers:
        x0, y0, x1, y1, x, y, reach = blocker.look
        if x0 > right or x1 < left or y0 > high or y1 < low or abs(dx * (y - ay) - dy * (x - ax)) > reach * size:
            continue
        holds_an_end = (x0 <= ax <= x1 and y0 <= ay <= y1) or (x0 <= bx <= x1 and y0 <= by <= y1)
        if blocker.convex and len(blocker.ring) > 2 and not holds_an_end:
            stopped = cuts_convex(ax, ay, dx, dy, 0.0, 1.0, blocker.ring)
        else:
            stopped = cuts_any(ax, ay, dx, dy, 0.0, 1.0, blocker.ring)
        if stopped:
            hit.append(blocker)
    if not hit:
        return Sight(True, ((float(ax), float(ay)), (float(bx), float(by))))
    stops = []
    for blocker in hit:
        first = min([t for t in places_on(ax, ay, dx, dy, blocker.ring) if 0.0 <= t <= 1.0], default=0.0)
        stops.append((round(first * size), blocker.id))
    at, name = min(stops)
    return Sight(False, None, name, at, "blocked")


def cull(one: Body, two: Body, blockers: Sequence[Blocker]) -> tuple[list[Blocker], list[Blocker]]:
    """The blockers that may reach into the corridor between two bases: those clear of both bases, and those that may touch one."""
    near: list[Blocker] = []
    close: list[Blocker] = []
    left_a, low_a, right_a, high_a = one.box
    left_b, low_b, right_b, high_b = two.box
    left, low = min(left_a, left_b), min(low_a, low_b)
    right, high = max(right_a, right_b), max(high_a, high_b)
    ax, ay = one.x, one.y
    dx, dy = two.x - ax, two.y - ay
    size = math.sqrt(dx * dx + dy * dy)
    reach = max(one.reach, two.reach)
    for blocker in blockers:
        x0, y0, x1, y1 = blocker.box
        if x0 > right or x1 < left or y0 > high or y1 < low:
            continue
        x, y = blocker.middle
        if abs(dx * (y - ay) - dy * (x - ax)) > (blocker.reach + reach) * size:
            continue
        if (x0 > right_a or x1 < left_a or y0 > high_a or y1 < low_a or strictly_apart(blocker.hull, one.corners)) and (
            x0 > right_b or x1 < left_b or y0 > high_b or y1 < low_b or strictly_apart(blocker.hull, two.corners)
        ):
            near.append(blocker)
        else:
            close.append(blocker)
    return near, close


def _meeting(a: Shape, b: Shape) -> Spot | None:
    gap, here, _ = nearest(a, b)
    return here if gap == 0 else None


def _on_line(cx: float, cy: float, dx: float, dy: float, t0: float, t1: float) -> Line:
    return ((cx + t0 * dx, cy + t0 * dy), (cx + t1 * dx, cy + t1 * dy))


def _oriented(line: Line, a: Shape) -> Line:
    """A line found on a tangent may run either way; give the end at base a first."""
    (px, py), (qx, qy) = line
    dx, dy = qx - px, qy - py
    # Base a lies behind its own end of the line; with a whole base between, the corner's projection tells.
    low = min((cx - px) * dx + (cy - py) * dy for cx, cy in a)
    return line if low <= 0 else (line[1], line[0])


# ---- the tangents -----------------------------------------------------------------------------------------------------------------------


def outer_tangent(a: Shape, b: Shape, side: float) -> Line:
    """The edge of the common hull that runs from a to b with everything on its right (side 1) or left (side -1)."""
    (px, py), (qx, qy) = a[0], b[0]
    moved = True
    while moved:
        moved = False
        for x, y in b:
            if side * ((qx - px) * (y - py) - (qy - py) * (x - px)) > 0:
                qx, qy, moved = x, y, True
        for x, y in a:
            if side * ((qx - px) * (y - py) - (qy - py) * (x - px)) > 0:
                px, py, moved = x, y, True
    return ((px, py), (qx, qy))


def _search(a: Shape, b: Shape, near: Sequence[Blocker], close: Sequence[Blocker]) -> Line | None:
    """A clear line from a to b, or None if there is none."""
    edges = (outer_tangent(a, b, 1.0), outer_tangent(a, b, -1.0))
    stopped: list[list[Blocker]] = []
    for (px, py), (qx, qy) in edges:
        dx, dy = qx - px, qy - py
        hit = [blocker for blocker in near if cuts_convex(px, py, dx, dy, 0.0, 1.0, blocker.hull)]
        if not hit:
            if not close:
                return ((px, py), (qx, qy))
            part = between(px, py, dx, dy, a, b)
            if part is not None and not any(cuts_any(px, py, dx, dy, *part, blocker.ring) for blocker in close):
                return _oriented(_on_line(px, py, dx, dy, *part), a)
        stopped.append(hit)
    # A convex shape that reaches across both edges of the corridor, and holds no part of a base, closes it.
    if any(blocker in stopped[1] for blocker in stopped[0]):
        return None
    marks = _marks(a, b, near, close, edges)
    rings = [blocker.hull for blocker in near]
    loose = [blocker.ring for blocker in close]
    for i, one in enumerate(marks):
        px, py, owner, (ux, uy), (vx, vy) = one
        for j in range(i + 1, len(marks)):
            two = marks[j]
            if two[2] == owner:
                continue
            qx, qy = two[0], two[1]
            dx, dy = qx - px, qy - py
            if not dx and not dy:
                continue
            hair = 1e-6 * (abs(dx) + abs(dy))
            s = dx * (uy - py) - dy * (ux - px)
            t = dx * (vy - py) - dy * (vx - px)
            if (s > hair and t < -hair) or (s < -hair and t > hair):
                continue
            (gx, gy), (hx, hy) = two[3], two[4]
            s = dx * (gy - py) - dy * (gx - px)
            t = dx * (hy - py) - dy * (hx - px)
            if (s > hair and t < -hair) or (s < -hair and t > hair):
                continue
            part = between(px, py, dx, dy, a, b)
            if part is None:
                continue
            t0, t1 = part
            for ring in rings:
                if cuts_convex(px, py, dx, dy, t0, t1, ring):
                    break
            else:
                if not any(cuts_any(px, py, dx, dy, t0, t1, ring) for ring in loose):
                    return _oriented(_on_line(px, py, dx, dy, t0, t1), a)
    return None


def _marks(a: Shape, b: Shape, near: Sequence[Blocker], close: Sequence[Blocker], edges: tuple[Line, Line]) -> list[_Mark]:
    """The corners inside the corridor between the bases, in an order that depends on nothing but the shapes."""
    (lx, ly), (mx, my) = edges[0]
    (rx, ry), (sx, sy) = edges[1]
    mx, my, sx, sy = mx - lx, my - ly, sx - rx, sy - ry
    marks: list[_Mark] = []

    def add(ring: Shape, owner: int, apart: bool) -> None:
        n = len(ring)
        for i, (x, y) in enumerate(ring):
            if mx * (y - ly) - my * (x - lx) <= 0 <= sx * (y - ry) - sy * (x - rx):
                marks.append(_Mark(x, y, owner + i if apart else owner, ring[i - 1], ring[(i + 1) % n]))

    add(a, 0, False)
    add(b, 1, False)
    owner = 2
    for blocker in sorted(near, key=lambda item: item.key):
        add(blocker.hull, owner, False)
        owner += 1
    for blocker in sorted(close, key=lambda item: item.key):
        # In a bay of its own a line may lean on two arms of one shape: each corner stands for itself.
        add(blocker.ring, owner, not blocker.convex)
        owner += len(blocker.ring)
        for base, its in ((a, 0), (b, 1)):
            for spot in _cut_points(base, blocker.ring):
                marks.append(_Mark(*spot, its, spot, spot))
    return marks


def _cut_points(base: Shape, ring: Shape) -> list[Spot]:
    """Where the edges of a base cross those of a shape, or a corner of one lies on an edge of the other."""
    out: list[Spot] = []
    for i, (px, py) in enumerate(base):
        qx, qy = base[i - 1]
        # One direction for each edge, so the point is the same whichever way the base was given.
        (ux, uy), (vx, vy) = ((px, py), (qx, qy)) if (px, py) < (qx, qy) else ((qx, qy), (px, py))
        dx, dy = vx - ux, vy - uy
        if dx or dy:
            out += [(ux + t * dx, uy + t * dy) for t in places_on(ux, uy, dx, dy, ring) if 0 <= t <= 1]
    return sorted(set(out))


# ---- limits of depth and length -------------------------------------------------------------------------------------------------------


class _Ray(NamedTuple):
    """A direction through a corner: how far it turns from the middle one, and how far beyond the limits it runs."""

    turn: float
    dx: float
    dy: float
    excess: float


class _Rules(NamedTuple):
    """Everything a candidate line is held against when there are limits."""

    a: Shape
    b: Shape
    rings: Sequence[Shape]
    loose: Sequence[Shape]
    limits: Sequence[tuple[Sequence[Shape], float]]
    longest: float | None

    def excess(self, cx: float, cy: float, dx: float, dy: float) -> tuple[float, Line] | None:
        """How far beyond its worst limit the line runs (0 or less: allowed); None if it misses a base or is blocked."""
        part = between(cx, cy, dx, dy, self.a, self.b)
        if part is None:
            return None
        t0, t1 = part
        for ring in self.rings:
            if cuts_convex(cx, cy, dx, dy, t0, t1, ring):
                return None
        for ring in self.loose:
            if cuts_any(cx, cy, dx, dy, t0, t1, ring):
                return None
        size = math.sqrt(dx * dx + dy * dy)
        worst = -math.inf if self.longest is None else (t1 - t0) * size - self.longest
        for rings, length in self.limits:
            depth = sum(t - s for ring in rings for s, t in runs(cx, cy, dx, dy, t0, t1, ring)) * size
            worst = max(worst, depth - length)
        return (worst, _on_line(cx, cy, dx, dy, t0, t1))


def _search_limited(
    a: Shape, b: Shape, near: Sequence[Blocker], close: Sequence[Blocker], limited: Sequence[Limit], max_length: float | None
) -> Line | None:
    """A clear line that keeps every limit, or None.

    The depth of a line in a convex wood is a smooth function of the line as long as it meets the same edges. Inside such a region it has no
    lowest point of its own (a slight shift towards the narrower side is always shorter, or changes nothing), so the lowest line touches a
    corner. Of the lines through one corner the lowest touches a second corner, or stands square on an edge of the wood or of a base, or
    (the corner of a blocker, with the depth growing on both sides of it) lies between two of those: there the depth
    has one lowest point, found by halving.
    """
    rules = _Rules(
        a,
        b,
        [blocker.hull for blocker in near],
        [blocker.ring for blocker in close],
        [([piece.ring for piece in limit.pieces], limit.length) for limit in limited],
        max_length,
    )

    def allowed(found: tuple[float, Line] | None) -> bool:
        return found is not None and within(found[0], 0)

    gap, here, there = nearest(a, b)
    if max_length is not None and not within(gap, max_length):
        return None
    if any(_too_deep(base, gap, limit) for base in (a, b) for limit in limited):
        return None
    ax, ay = sum(x for x, _ in a) / len(a), sum(y for _, y in a) / len(a)
    bx, by = sum(x for x, _ in b) / len(b), sum(y for _, y in b) / len(b)
    for (px, py), (qx, qy) in (((ax, ay), (bx, by)), (here, there)):
        found = rules.excess(px, py, qx - px, qy - py)
        if found is not None and allowed(found):
            return _oriented(found[1], a)
    if near or close:
        # Without any clear line the limits do not matter.
        line = _search(a, b, near, close)
        if line is None:
            return None
        (px, py), (qx, qy) = line
        found = rules.excess(px, py, qx - px, qy - py)
        if found is not None and allowed(found):
            return _oriented(found[1], a)
    edges = (outer_tangent(a, b, 1.0), outer_tangent(a, b, -1.0))
    woods = sorted((piece for limit in limited for piece in limit.pieces), key=lambda item: item.key)
    marks = sorted({(x, y) for x, y, *_ in _marks(a, b, near, [*close, *woods], edges)})
    squares = sorted({_normal(ring, i) for ring in (a, b, *(wood.ring for wood in woods)) for i in range(len(ring)) if len(ring) > 1})
    middle = (bx - ax, by - ay)
    for px, py in marks:
        ways = [(qx - px, qy - py) for qx, qy in marks if (qx, qy) != (px, py)] + squares
        fan: list[_Ray] = []
        for dx, dy in ways:
            found = rules.excess(px, py, dx, dy)
            if found is None:
                continue
            if allowed(found):
                return _oriented(found[1], a)
            if dx * middle[0] + dy * middle[1] < 0:
                dx, dy = -dx, -dy
            size = math.sqrt(dx * dx + dy * dy)
            turn = (dx * middle[1] - dy * middle[0]) / size
            fan.append(_Ray(turn, dx / size, dy / size, found[0]))
        fan.sort()
        for one, two in itertools.pairwise(fan):
            line = _lowest(rules, px, py, one, two)
            if line is not None:
                return _oriented(line, a)
    return None


def _lowest(rules: _Rules, px: float, py: float, one: _Ray, two: _Ray) -> Line | None:
    """Look for an allowed line through a corner between two neighbouring directions, both of them too deep.

    The depth is convex there, so two inner values bound it from below: most fans are left after one look.
    """
    low, high = 0.0, 1.0
    at_low, at_high = one.excess, two.excess
    for _ in range(40):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        depths = []
        for part in (first, second):
            found = rules.excess(px, py, one.dx + (two.dx - one.dx) * part, one.dy + (two.dy - one.dy) * part)
            if found is None:
                return None
            if within(found[0], 0):
                return found[1]
            depths.append(found[0])
        f, g = depths
        lowest = min(f + min(0, f - g), g + min(0, g - f), max(f + min(0, f - at_low), g + min(0, g - at_high)))
        if not within(lowest, 0):
            return None
        if f <= g:
            high, at_high = second, g
        else:
            low, at_low = first, f
    return None


def _too_deep(base: Shape, gap: float, limit: Limit) -> bool:
    """Is the base so deep in one of the pieces that no line gets out (or to the other base) within the limit?"""
    if within(gap, limit.length):
        return False
    for piece in limit.pieces:
        if inside(base, piece.shape):
            edge = min(nearest((piece.shape[i - 1], piece.shape[i]), base)[0] for i in range(len(piece.shape)))
            if not within(edge, limit.length):
                return True
    return False


def _normal(ring: Shape, i: int) -> Spot:
    """The direction square on an edge, with one sign for both ways of running it."""
    dx, dy = ring[i][0] - ring[i - 1][0], ring[i][1] - ring[i - 1][1]
    return (-dy, dx) if (dx, dy) > (0, 0) else (dy, -dx)


# ---- what stops it --------------------------------------------------------------------------------------------------------------------


def _verdict(
    one: Body, two: Body, near: Sequence[Blocker], close: Sequence[Blocker], limited: Sequence[Limit], max_length: float | None
) -> Sight:
    """What stops the line between the centres first, and how far from the source's edge."""
    ax, ay = one.x, one.y
    dx, dy = two.x - ax, two.y - ay
    size = math.sqrt(dx * dx + dy * dy)
    t0, t1 = between(ax, ay, dx, dy, one.corners, two.corners) or (0.0, 1.0)
    hit = [blocker for blocker in near if cuts_convex(ax, ay, dx, dy, t0, t1, blocker.hull)]
    hit += [blocker for blocker in close if cuts_any(ax, ay, dx, dy, t0, t1, blocker.ring)]
    stops: list[tuple[int, str, Literal["blocked", "depth", "length"]]] = []
    for blocker in hit:
        first = min([t for t in places_on(ax, ay, dx, dy, blocker.ring) if t0 <= t <= t1], default=t0)
        stops.append((round((first - t0) * size), blocker.id, "blocked"))
    for limit in limited:
        left = limit.length
        for s, t, name in sorted((s, t, piece.id) for piece in limit.pieces for s, t in runs(ax, ay, dx, dy, t0, t1, piece.ring)):
            if not within((t - s) * size, left):
                stops.append((round((s - t0) * size + max(left, 0.0)), name, "depth"))
                break
            left -= (t - s) * size
    if max_length is not None and not within((t1 - t0) * size, max_length):
        stops.append((round(max_length), "", "length"))
    at, name, why = min(stops)
    return Sight(False, None, name or None, at, why)
