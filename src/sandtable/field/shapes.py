"""Shapes on the gridless table: points, bases, templates and what they say to each other.

A coordinate is a whole number of thousandths of the table's unit, rounded once where it enters. Whole numbers of this size make every
"which side of the line" question exact, so two machines never disagree about a corner.

A *shape* is a tuple of points: one (a point), two (a segment) or a polygon of three or more corners, counter-clockwise. Bases are convex;
terrain need not be.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

Point = tuple[int, int]
Polygon = tuple[Point, ...]
Segment = tuple[Point, Point]
Spot = tuple[float, float]
Shape = Sequence[Spot]
Box = tuple[float, float, float, float]

GRID: Final = 1000
TOLERANCE: Final = 2
_ONE: Final = 10**9
# Sines of whole degrees as whole numbers: a base turned by 37 degrees has the same corners everywhere.
_SINE: Final = tuple(round(math.sin(math.radians(degree)) * _ONE) for degree in range(360))


class Pose(msgspec.Struct, frozen=True, order=True):
    """Where a base stands and where it looks: facing in whole degrees, clockwise from north (+y)."""

    x: int
    y: int
    facing: int = 0

    @property
    def point(self) -> Point:
        return (self.x, self.y)


def unit(value: float) -> int:
    """Table units (inches or centimetres) to the grid; halves go away from zero, so mirrored tables stay mirrored."""
    scaled = abs(value) * GRID
    whole = math.floor(scaled + 0.5)
    return whole if value >= 0 else -whole


def real(value: float) -> float:
    """The grid to table units."""
    return value / GRID


def within(distance: float, limit: float) -> bool:
    """The one way a distance is compared with a limit of the rules."""
    return distance <= limit + TOLERANCE


def _rounded(numerator: int, denominator: int) -> int:
    whole = (2 * abs(numerator) + denominator) // (2 * denominator)
    return whole if numerator >= 0 else -whole


def snap(x: float, y: float) -> Point:
    """The grid point nearest to a computed place."""
    return (math.floor(x + 0.5), math.floor(y + 0.5))


def sine(degrees: int) -> int:
    """Sine of a whole degree, times 10**9."""
    return _SINE[degrees % 360]


def cosine(degrees: int) -> int:
    return _SINE[(degrees + 90) % 360]


# ---- making shapes ----------------------------------------------------------------------------------------------------------------------


def place(pose: Pose, right: int, forward: int) -> Point:
    """The table point that lies `right` and `forward` of a pose's centre."""
    s, c = _SINE[pose.facing % 360], _SINE[(pose.facing + 90) % 360]
    return (pose.x + _rounded(right * c + forward * s, _ONE), pose.y + _rounded(forward * c - right * s, _ONE))


def _half_place(pose: Pose, right: int, forward: int) -> Point:
    """Like `place`, with both offsets given doubled: half of an odd width is rounded once, not twice."""
    s, c = _SINE[pose.facing % 360], _SINE[(pose.facing + 90) % 360]
    return (pose.x + _rounded(right * c + forward * s, 2 * _ONE), pose.y + _rounded(forward * c - right * s, 2 * _ONE))


def rectangle(pose: Pose, width: int, depth: int) -> Polygon:
    """A base: depth runs along the facing, width across. Corners: front left, back left, back right, front right."""
    x, y = pose.x, pose.y
    (a, b), (c, d), (e, f), (g, h) = _corners(pose.facing, width, depth)
    return ((x + a, y + b), (x + c, y + d), (x + e, y + f), (x + g, y + h))


@lru_cache(maxsize=20_000)
def _corners(facing: int, width: int, depth: int) -> Polygon:
    """The corners of a base around its centre."""
    pose = Pose(0, 0, facing)
    return (
        _half_place(pose, -width, depth),
        _half_place(pose, -width, -depth),
        _half_place(pose, width, -depth),
        _half_place(pose, width, depth),
    )


def front_edge(pose: Pose, width: int, depth: int) -> Segment:
    """The left and right end of a base's front."""
    return (_half_place(pose, -width, depth), _half_place(pose, width, depth))


def front_middle(pose: Pose, width: int, depth: int) -> Point:
    """Middle of the front edge (a hull gun sits here); the width plays no part and keeps the call like its siblings."""
    return _half_place(pose, 0, depth)


def template(centre: Point, heading: int, width: int, depth: int) -> Polygon:
    """A rectangular template laid around a point, its depth along `heading`."""
    return rectangle(Pose(centre[0], centre[1], heading), width, depth)


def circle(centre: Point, radius: int, corners: int = 24) -> Polygon:
    """A round base or template as a regular polygon, its corners on the circle; `corners` must divide 360."""
    if corners < 3 or 360 % corners:
        raise ValueError(f"a circle needs a number of corners that divides 360, not {corners}")
    step = 360 // corners
    x, y = centre
    return tuple((x + _rounded(radius * cosine(d), _ONE), y + _rounded(radius * sine(d), _ONE)) for d in range(0, 360, step))


def tidy(points: Sequence[Point]) -> Polygon:
    """The same polygon counter-clockwise, without repeated corners and corners of 180 degrees."""
    ring = [p for i, p in enumerate(points) if p != points[i - 1]] if len(points) > 1 else list(points)
    if len(ring) > 2 and doubled_area(ring) < 0:
        ring.reverse()
    i = 0
    while len(ring) > 2 and i < len(ring):
        u, v, w = ring[i - 1], ring[i], ring[(i + 1) % len(ring)]
        if u == v or (v[0] - u[0]) * (w[1] - v[1]) == (v[1] - u[1]) * (w[0] - v[0]):
            del ring[i]
            i = max(i - 2, 0)
        else:
            i += 1
    return tuple(ring)


def hull(points: Sequence[Point]) -> Polygon:
    """Convex hull, counter-clockwise, no corners of 180 degrees."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)

    def chain(run: Sequence[Point]) -> list[Point]:
        out: list[Point] = []
        for p in run:
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0]):
                out.pop()
            out.append(p)
        return out

    return tuple(chain(ordered)[:-1] + chain(ordered[::-1])[:-1])


# ---- one shape ---------------------------------------------------------------------------------------------------------------------------


def doubled_area(shape: Sequence[Point]) -> int:
    """Twice the signed area: positive when counter-clockwise."""
    total = 0
    x0, y0 = shape[-1]
    for x, y in shape:
        total += x0 * y - x * y0
        x0, y0 = x, y
    return total


def area(shape: Sequence[Point]) -> float:
    return abs(doubled_area(shape)) / 2


def centroid(shape: Sequence[Point]) -> Point:
    """Centre of gravity, on the grid."""
    twice = doubled_area(shape)
    if len(shape) < 3 or twice == 0:
        n = len(shape)
        return (_rounded(sum(x for x, _ in shape), n), _rounded(sum(y for _, y in shape), n))
    sx = sy = 0
    x0, y0 = shape[-1]
    for x, y in shape:
        c = x0 * y - x * y0
        sx += (x0 + x) * c
        sy += (y0 + y) * c
        x0, y0 = x, y
    if twice < 0:
        sx, sy, twice = -sx, -sy, -twice
    return (_rounded(sx, 3 * twice), _rounded(sy, 3 * twice))


def bounds(shape: Shape) -> Box:
    """Smallest upright box: left, bottom, right, top."""
    if len(shape) == 4:  # nearly always: a base
        (a, b), (c, d), (e, f), (g, h) = shape
        return (min(a, c, e, g), min(b, d, f, h), max(a, c, e, g), max(b, d, f, h))
    xs = [p[0] for p in shape]
    ys = [p[1] for p in shape]
    return (min(xs), min(ys), max(xs), max(ys))


def is_convex(shape: Shape) -> bool:
    """True for a counter-clockwise shape that never turns right."""
    n = len(shape)
    if n < 4:
        return True
    if n == 4:  # nearly always: a base
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = shape
        return (
            (bx - ax) * (cy - by) >= (by - ay) * (cx - bx)
            and (cx - bx) * (dy - cy) >= (cy - by) * (dx - cx)
            and (dx - cx) * (ay - dy) >= (dy - cy) * (ax - dx)
            and (ax - dx) * (by - ay) >= (ay - dy) * (bx - ax)
        )
    (ux, uy), (vx, vy) = shape[-2], shape[-1]
    for wx, wy in shape:
        if (vx - ux) * (wy - vy) < (vy - uy) * (wx - vx):
            return False
        ux, uy, vx, vy = vx, vy, wx, wy
    return True


def contains(shape: Shape, point: Spot, strict: bool = False) -> bool:
    """Is the point in the shape? Its boundary counts, unless `strict`."""
    px, py = point
    inside_it = False
    x0, y0 = shape[-1]
    for x1, y1 in shape:
        side = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)
        if side == 0 and (x0 <= px <= x1 or x1 <= px <= x0) and (y0 <= py <= y1 or y1 <= py <= y0):
            return not strict
        if (y0 > py) != (y1 > py) and (side > 0) == (y1 > y0):
            inside_it = not inside_it
        x0, y0 = x1, y1
    return inside_it


def inner_point(shape: Shape) -> Spot:
    """Some point strictly inside a polygon: the middle of an ear at its lowest corner, or of a diagonal that starts there."""
    n = len(shape)
    i = min(range(n), key=lambda k: (shape[k][1], shape[k][0]))
    u, v, w = shape[i - 1], shape[i], shape[(i + 1) % n]
    ear = (u, v, w)
    deepest: Spot | None = None
    depth = 0.0
    for p in shape:
        if p not in ear and contains(ear, p):
            d = abs((w[0] - u[0]) * (p[1] - u[1]) - (w[1] - u[1]) * (p[0] - u[0]))
            if deepest is None or d > depth:
                deepest, depth = p, d
    if deepest is None:
        return ((u[0] + v[0] + w[0]) / 3, (u[1] + v[1] + w[1]) / 3)
    return ((v[0] + deepest[0]) / 2, (v[1] + deepest[1]) / 2)


def pierces(p: Spot, q: Spot, shape: Shape) -> bool:
    """Does the open segment p-q pass through the inside of the polygon (or properly cross the bare segment)? Touching does not count.

    Between two places where the segment meets the boundary it stays inside or outside. So it is enough to look at each such place: a proper
    crossing goes in; at a corner the two neighbours tell. Only a segment that meets the boundary nowhere is asked "are you inside?".
    """
    px, py = p
    dx, dy = q[0] - px, q[1] - py
    n = len(shape)
    sides = [dx * (y - py) - dy * (x - px) for x, y in shape]
    if n == 2:
        if (sides[0] > 0) == (sides[1] > 0) or not sides[0] or not sides[1]:
            return False
        (ax, ay), (bx, by) = shape
        a = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        b = (bx - ax) * (q[1] - ay) - (by - ay) * (q[0] - ax)
        return (a > 0) != (b > 0) and a != 0 and b != 0
    if min(sides) >= 0 or max(sides) <= 0:
        # The whole polygon lies on one side: the segment can only run along an edge, or touch.
        return False
    met = False
    for i in range(n):
        s1 = sides[i]
        s0 = sides[i - 1]
        x1, y1 = shape[i]
        if s1 == 0:
            along = (x1 - px) * dx + (y1 - py) * dy
            if 0 < along < dx * dx + dy * dy:
                x0, y0 = shape[i - 1]
                x2, y2 = shape[(i + 1) % n]
                s2 = sides[(i + 1) % n]
                if (s0 > 0 and s2 < 0) or (s0 < 0 and s2 > 0) or (x1 - x0) * (y2 - y1) < (y1 - y0) * (x2 - x1):
                    return True
                met = True
        elif (s0 > 0 and s1 < 0) or (s0 < 0 and s1 > 0):
            x0, y0 = shape[i - 1]
            ex, ey = x1 - x0, y1 - y0
            a = ex * (py - y0) - ey * (px - x0)
            b = ex * (q[1] - y0) - ey * (q[0] - x0)
            if (a > 0 and b < 0) or (a < 0 and b > 0):
                return True
    return not met and contains(shape, (px + dx / 2, py + dy / 2), strict=True)


# ---- two shapes --------------------------------------------------------------------------------------------------------------------------


def _apart(a: Shape, b: Shape) -> bool:
    """Does an edge of the convex polygon a have all of b on its outer side (touching allowed)?"""
    x0, y0 = a[-1]
    for x1, y1 in a:
        ex, ey = x1 - x0, y1 - y0
        for x, y in b:
            if ex * (y - y0) > ey * (x - x0):
                break
        else:
            return True
        x0, y0 = x1, y1
    return False


def boxes_apart(a: Box, b: Box) -> bool:
    return a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


def overlap(a: Shape, b: Shape) -> bool:
    """Do the insides of two polygons meet? Bases that only touch do not overlap."""
    if (len(a) > 4 or len(b) > 4) and boxes_apart(bounds(a), bounds(b)):
        return False  # for two bases that is no quicker than the next question
    if is_convex(a) and is_convex(b):
        return not (_apart(a, b) or _apart(b, a))
    if boxes_apart(bounds(a), bounds(b)):
        return False
    if any(pierces(a[i - 1], a[i], b) for i in range(len(a))) or any(pierces(b[i - 1], b[i], a) for i in range(len(b))):
        return True
    # No edge runs through the other's inside: they are apart, or one and the same area.
    return contains(b, inner_point(a), strict=True)


def touches(a: Shape, b: Shape) -> bool:
    """Have two shapes a point in common, if only on their edges?"""
    return not boxes_apart(bounds(a), bounds(b)) and nearest(a, b)[0] == 0


def inside(inner: Shape, outer: Shape) -> bool:
    """Is a shape wholly in a polygon (edges may touch)?"""
    if not all(contains(outer, p) for p in inner):
        return False
    if is_convex(outer) or len(inner) == 1:
        return True
    if len(inner) == 2:
        (ax, ay), (bx, by) = inner
        cuts = sorted({0.0, 1.0, *crossings(inner[0], inner[1], outer)})
        return all(contains(outer, (ax + (bx - ax) * (s + t) / 2, ay + (by - ay) * (s + t) / 2)) for s, t in itertools.pairwise(cuts))
    if any(pierces(outer[i - 1], outer[i], inner) for i in range(len(outer))):
        return False
    return contains(outer, inner_point(inner))


def partly_inside(base: Shape, area_shape: Shape) -> bool:
    """Does some part of the base, more than its edge, lie in the area?"""
    return overlap(base, area_shape)


def crossings(p: Spot, q: Spot, shape: Shape) -> list[float]:
    """Where the segment p-q meets the boundary, as parts of its length (0..1), in order."""
    px, py = p
    dx, dy = q[0] - px, q[1] - py
    square = dx * dx + dy * dy
    found: set[float] = set()
    if not square:
        return []
    x0, y0 = shape[-1]
    s0 = dx * (y0 - py) - dy * (x0 - px)
    for x1, y1 in shape:
        s1 = dx * (y1 - py) - dy * (x1 - px)
        if s1 == 0:
            found.add(((x1 - px) * dx + (y1 - py) * dy) / square)
        elif (s0 > 0 and s1 < 0) or (s0 < 0 and s1 > 0):
            ex, ey = x1 - x0, y1 - y0
            found.add(((x0 - px) * ey - (y0 - py) * ex) / (dx * ey - dy * ex))
        x0, y0, s0 = x1, y1, s1
    return sorted(t for t in found if 0 <= t <= 1)


def _to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float, float]:
    """Squared distance from a point to a segment, and the nearest place on it."""
    ex, ey = bx - ax, by - ay
    square = ex * ex + ey * ey
    along = (px - ax) * ex + (py - ay) * ey
    if along <= 0 or not square:
        return ((px - ax) ** 2 + (py - ay) ** 2, ax, ay)
    if along >= square:
        return ((px - bx) ** 2 + (py - by) ** 2, bx, by)
    side = ex * (py - ay) - ey * (px - ax)
    t = along / square
    return (side * side / square, ax + t * ex, ay + t * ey)


def _edges(shape: Shape) -> list[Box]:
    if len(shape) < 3:
        return [(*shape[0], *shape[-1])]
    return [(*shape[i - 1], *shape[i]) for i in range(len(shape))]


def nearest(a: Shape, b: Shape) -> tuple[float, Spot, Spot]:
    """Distance of two shapes and the place on each where they are nearest, before rounding.

    Two shapes that do not meet are nearest at a corner of one of them, so corners against edges is enough.
    """
    meet = _common_point(a, b)
    if meet is not None:
        return (0.0, meet, meet)
    best = math.inf
    here, there = a[0], b[0]
    edges_b = _edges(b)
    for px, py in a:
        for ax, ay, bx, by in edges_b:
            d, x, y = _to_segment(px, py, ax, ay, bx, by)
            if d < best:
                best, here, there = d, (px, py), (x, y)
    edges_a = _edges(a)
    for px, py in b:
        for ax, ay, bx, by in edges_a:
            d, x, y = _to_segment(px, py, ax, ay, bx, by)
            if d < best:
                best, here, there = d, (x, y), (px, py)
    return (math.sqrt(best), here, there)


def _common_point(a: Shape, b: Shape) -> Spot | None:
    if boxes_apart(bounds(a), bounds(b)):
        return None
    for shape, other in ((a, b), (b, a)):
        for p in other:
            if contains(shape, p):
                return p
    for ax, ay, bx, by in _edges(a):
        dx, dy = bx - ax, by - ay
        for ux, uy, vx, vy in _edges(b):
            s0 = dx * (uy - ay) - dy * (ux - ax)
            s1 = dx * (vy - ay) - dy * (vx - ax)
            if (s0 > 0) != (s1 > 0):
                ex, ey = vx - ux, vy - uy
                s2 = ex * (ay - uy) - ey * (ax - ux)
                s3 = ex * (by - uy) - ey * (bx - ux)
                if (s2 > 0) != (s3 > 0):
                    t = s2 / (s2 - s3)
                    return (ax + t * dx, ay + t * dy)
    return None


def distance(a: Shape, b: Shape) -> float:
    """Gap between two shapes in grid units; 0 when they touch or overlap."""
    if len(a) > 2 and len(b) > 2 and is_convex(a) and is_convex(b):
        return _convex_distance(a, b)
    if _common_point(a, b) is not None:
        return 0.0
    # As `nearest`, without the places.
    best = math.inf
    for corners, shape in ((a, b), (b, a)):
        x0, y0 = shape[-1]
        for x1, y1 in shape if len(shape) > 2 else shape[:1]:
            ex, ey = x1 - x0, y1 - y0
            square = ex * ex + ey * ey
            for px, py in corners:
                ux, uy = px - x0, py - y0
                along = ux * ex + uy * ey
                if along <= 0 or not square:
                    found = ux * ux + uy * uy
                elif along >= square:
                    found = (px - x1) ** 2 + (py - y1) ** 2
                else:
                    side = ex * uy - ey * ux
                    found = side * side / square
                if found < best:
                    best = found
            x0, y0 = x1, y1
    return math.sqrt(best)


def _convex_distance(a: Shape, b: Shape) -> float:
    """The same for convex polygons: they are apart if an edge of one has all of the other outside, and no corner is nearest to an edge
    that it lies behind."""
    best = math.inf
    apart = False
    for corners, shape in ((a, b), (b, a)):
        x0, y0 = shape[-1]
        for x1, y1 in shape:
            ex, ey = x1 - x0, y1 - y0
            outside = True
            for px, py in corners:
                ux, uy = px - x0, py - y0
                side = ex * uy - ey * ux
                if side >= 0:
                    outside = False
                    if side > 0:
                        continue
                along = ux * ex + uy * ey
                if along <= 0:
                    found = ux * ux + uy * uy
                else:
                    square = ex * ex + ey * ey
                    found = (px - x1) ** 2 + (py - y1) ** 2 if along >= square else side * side / square
                if found < best:
                    best = found
            apart = apart or outside
            x0, y0 = x1, y1
    return math.sqrt(best) if apart else 0.0


def nearest_points(a: Shape, b: Shape) -> Segment:
    """A point of a and a point of b that are nearest to each other, on the grid."""
    _, here, there = nearest(a, b)
    return (snap(*here), snap(*there))


def polygons_under(cover: Shape, bases: Sequence[Shape]) -> list[int]:
    """Which bases lie at least partly under a template: their places in the list."""
    box = bounds(cover)
    return [i for i, base in enumerate(bases) if not boxes_apart(box, bounds(base)) and overlap(cover, base)]


# ---- points and directions ---------------------------------------------------------------------------------------------------------------


def span(p: Spot, q: Spot) -> float:
    """Distance of two points."""
    # Not math.hypot: a product, a sum and a root are rounded the same way on every machine.
    dx, dy = q[0] - p[0], q[1] - p[1]
    return math.sqrt(dx * dx + dy * dy)


def bearing(start: Spot, goal: Spot) -> int:
    """Whole degrees, clockwise from north, of the way from one point to another (0 when they are the same)."""
    return round(math.degrees(math.atan2(goal[0] - start[0], goal[1] - start[1]))) % 360


def in_front(pose: Pose, width: int, depth: int, point: Point) -> bool:
    """Is the point on or beyond the line across the base's front edge?"""
    ahead = (point[0] - pose.x) * sine(pose.facing) + (point[1] - pose.y) * cosine(pose.facing)
    return 2 * ahead >= depth * _ONE


def in_half_circle(pose: Pose, point: Point) -> bool:
    """Is the point in the front half (180 degrees) around the centre?"""
    return (point[0] - pose.x) * sine(pose.facing) + (point[1] - pose.y) * cosine(pose.facing) >= 0


def in_arc(pose: Pose, point: Point, degrees: int) -> bool:
    """Is the point in the arc of that many degrees that opens around the facing?"""
    if degrees >= 360:
        return True
    dx, dy = point[0] - pose.x, point[1] - pose.y
    ahead = dx * sine(pose.facing) + dy * cosine(pose.facing)
    aside = abs(dx * cosine(pose.facing) - dy * sine(pose.facing))
    half = degrees / 2
    return aside * math.cos(math.radians(half)) - ahead * math.sin(math.radians(half)) <= _ONE / 2


def move_towards(start: Point, goal: Point, far: float) -> Point:
    """The grid point `far` along the way to the goal; never beyond it."""
    whole = span(start, goal)
    if whole <= far:
        return goal
    t = far / whole
    return snap(start[0] + (goal[0] - start[0]) * t, start[1] + (goal[1] - start[1]) * t)


def shifted(shape: Sequence[Point], dx: int, dy: int) -> Polygon:
    """The same shape elsewhere."""
    return tuple((x + dx, y + dy) for x, y in shape)
