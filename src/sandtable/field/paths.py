"""Moves over the table: paths of a base's centre, what the base meets on its way, routes around things, free places."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sandtable.field.bridges import convex_parts
from sandtable.field.lines import cuts_any, run_through, runs
from sandtable.field.shapes import (
    TOLERANCE,
    Box,
    Point,
    Polygon,
    Pose,
    Shape,
    bearing,
    boxes_apart,
    contains,
    cosine,
    distance,
    hull,
    nearest,
    overlap,
    rectangle,
    sine,
    snap,
    span,
)
from sandtable.field.shapes import bounds as box_around
from sandtable.field.terrain import Piece

Path = tuple[Point, ...]
Interval = tuple[float, float]


class Leg(NamedTuple):
    """A stretch of a path (distances from its start) over the same pieces of terrain."""

    start: float
    end: float
    pieces: tuple[str, ...]

    @property
    def length(self) -> float:
        return self.end - self.start


def length(path: Sequence[Point]) -> float:
    if len(path) == 2:  # nearly always
        return span(path[0], path[1])
    return math.fsum(span(p, q) for p, q in itertools.pairwise(path))


def _steps(path: Sequence[Point]) -> list[tuple[float, float, Point, Point]]:
    """The straight parts of a path that have any length: distance at the start, length, both ends."""
    out = []
    done = 0.0
    for p, q in itertools.pairwise(path):
        far = span(p, q)
        if far:
            out.append((done, far, p, q))
            done += far
    return out


def point_at(path: Sequence[Point], far: float) -> Point:
    """The grid point that far along the path (its ends, when before or beyond them)."""
    if far <= 0:
        return path[0]
    for done, step, (ax, ay), (bx, by) in _steps(path):
        if far <= done + step:
            t = (far - done) / step
            return snap(ax + (bx - ax) * t, ay + (by - ay) * t)
    return path[-1]


def cut(path: Sequence[Point], far: float) -> Path:
    """The first part of the path, that long."""
    out = [path[0]]
    for done, step, _, q in _steps(path):
        if far <= done + step:
            end = point_at(path, far)
            return tuple(out) if end == out[-1] else (*out, end)
        out.append(q)
    return tuple(out)


def heading_at(path: Sequence[Point], far: float, standing: int = 0) -> int:
    """Direction of travel there, in whole degrees; at a bend, that of the arriving part. `standing` if the path goes nowhere."""
    heading = standing
    for done, _, p, q in _steps(path):
        if far <= done and done > 0:
            break
        heading = bearing(p, q)
    return heading


# ---- what the moving base meets ----------------------------------------------------------------------------------------------------------


def _joined(intervals: Sequence[Interval]) -> list[Interval]:
    """Overlapping and touching stretches as one."""
    out: list[Interval] = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1] + 1e-6:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def intervals_inside(path: Sequence[Point], polygon: Sequence[Point]) -> list[Interval]:
    """The stretches of the path whose centre point is inside the polygon."""
    out = []
    for done, step, (ax, ay), (bx, by) in _steps(path):
        for s, t in runs(ax, ay, bx - ax, by - ay, 0.0, 1.0, polygon):
            out.append((done + s * step, done + t * step))
    return _joined(out)


@lru_cache(maxsize=20_000)
def _swept(part: Polygon, heading: int, width: int, depth: int) -> Polygon:
    """Every centre at which a base with that heading meets the convex part: the part, grown by the base (Minkowski sum)."""
    base = rectangle(Pose(0, 0, heading), width, depth)
    return hull([(x - dx, y - dy) for x, y in part for dx, dy in base])


def overlap_intervals(path: Sequence[Point], width: int, depth: int, polygon: Sequence[Point], facing: int | None = None) -> list[Interval]:
    """The stretches of the path (distances from its start) during which the moving base overlaps the polygon.

    The base looks where it goes, or keeps `facing` if one is given. Turns on the spot are not swept: they happen at the bend.
    """
    parts = convex_parts(tuple(polygon))
    out = []
    for done, step, p, q in _steps(path):
        heading = bearing(p, q) if facing is None else facing
        for part in parts:
            found = run_through(p[0], p[1], q[0] - p[0], q[1] - p[1], 0.0, 1.0, _swept(part, heading, width, depth))
            if found is not None:
                out.append((done + found[0] * step, done + found[1] * step))
    return _joined(out) if len(out) > 1 else out


def first_within(
    path: Sequence[Point], width: int, depth: int, polygon: Sequence[Point], limit: float, facing: int | None = None
) -> float | None:
    """The first distance along the path at which the gap between the moving base and the polygon falls below `limit`, or None."""
    # What is just at the limit, by the one tolerance, has not fallen below it.
    reach = limit - TOLERANCE
    parts = convex_parts(tuple(polygon))
    for done, step, p, q in _steps(path):
        heading = bearing(p, q) if facing is None else facing
        found = [t for part in parts if (t := _first_near(p, q, _swept(part, heading, width, depth), reach)) is not None]
        if found:
            return done + min(found) * step
    return None


def _first_near(p: Point, q: Point, shape: Polygon, reach: float) -> float | None:
    """The first part (0..1) of the way p-q at which the distance to a convex polygon is below `reach`."""
    if nearest((p, q), shape)[0] >= reach:
        return None
    if distance((p,), shape) < reach:
        return 0.0
    # The distance to a convex polygon is convex along a line: halve towards where it first dips under the limit.
    _, closest, _ = nearest((p, q), shape)
    low, high = 0.0, span(p, closest) / span(p, q)
    for _ in range(60):
        middle = (low + high) / 2
        spot = (p[0] + (q[0] - p[0]) * middle, p[1] + (q[1] - p[1]) * middle)
        if nearest((spot,), shape)[0] < reach:
            high = middle
        else:
            low = middle
    return high


def closest_approach(
    path: Sequence[Point], width: int, depth: int, polygon: Sequence[Point], facing: int | None = None
) -> tuple[float, float]:
    """The smallest gap between the moving base and the polygon, and the first distance along the path at which it is reached."""
    parts = convex_parts(tuple(polygon))
    best = (math.inf, 0.0)
    for done, step, p, q in _steps(path):
        heading = bearing(p, q) if facing is None else facing
        for part in parts:
            shape = _swept(part, heading, width, depth)
            inside = runs(p[0], p[1], q[0] - p[0], q[1] - p[1], 0.0, 1.0, shape)
            if inside:
                best = min(best, (0.0, done + inside[0][0] * step))
            else:
                gap = distance((p, q), shape)
                # Along an edge every place is as near; the first is found from just above the smallest gap.
                if gap < best[0]:
                    best = (gap, done + (_first_near(p, q, shape, gap + 1e-6) or 0.0) * step)
    if best[0] is math.inf:
        gap = distance(rectangle(Pose(*path[0], facing or 0), width, depth), polygon)
        return (gap, 0.0)
    return best


def legs(path: Sequence[Point], pieces: Sequence[Piece], width: int = 0, depth: int = 0, facing: int | None = None) -> list[Leg]:
    """The path cut wherever the set of pieces under the centre changes (under the base, when it is given a size)."""
    whole = length(path)
    inside: list[tuple[str, list[Interval]]] = []
    box = box_around(path)
    grow = width + depth
    reach = (box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow)
    for piece in pieces:
        if not boxes_apart(piece.box, reach):
            if width and depth:
                found = overlap_intervals(path, width, depth, piece.outline, facing)
            else:
                found = intervals_inside(path, piece.outline)
            if found:
                inside.append((piece.id, found))
    marks = sorted({0.0, whole, *(mark for _, found in inside for interval in found for mark in interval)})
    out: list[Leg] = []
    for start, end in itertools.pairwise(marks):
        if end - start < 1e-6:
            continue
        middle = (start + end) / 2
        ids = tuple(name for name, found in inside if any(s <= middle <= t for s, t in found))
        if out and out[-1].pieces == ids:
            out[-1] = Leg(out[-1].start, end, ids)
        else:
            out.append(Leg(start, end, ids))
    return out


# ---- routes ------------------------------------------------------------------------------------------------------------------------------


def _grown(shape: Polygon, clearance: float) -> Polygon:
    """A convex polygon that stays at least `clearance` around the shape: each corner gives way to the two ends of a blunted mitre."""
    out: list[Point] = []
    n = len(shape)
    for i, (x, y) in enumerate(shape):
        ux, uy = x - shape[i - 1][0], y - shape[i - 1][1]
        vx, vy = shape[(i + 1) % n][0] - x, shape[(i + 1) % n][1] - y
        a, b = math.sqrt(ux * ux + uy * uy), math.sqrt(vx * vx + vy * vy)
        # Outward normals of both edges, and of the corner between them.
        px, py, qx, qy = uy / a, -ux / a, vy / b, -vx / b
        mx, my = px + qx, py + qy
        size = math.sqrt(mx * mx + my * my)
        mx, my = (mx / size, my / size) if size > 1e-9 else (ux / a, uy / a)
        for nx, ny in ((px, py), (qx, qy)):
            # Where the tangents square to the edge's normal and to the corner's meet, both at the clearance.
            sx, sy = nx + mx, ny + my
            grow = (clearance + 1) * 2 / (sx * sx + sy * sy)
            out.append(snap(x + sx * grow, y + sy * grow))
    return hull(out)


class _Hindrance(NamedTuple):
    shape: Polygon
    box: Box
    weight: float | None


def find_route(
    start: Point,
    goal: Point,
    obstacles: Sequence[Sequence[Point]],
    clearance: int = 0,
    bounds: Box | None = None,
    avoid: Sequence[tuple[Sequence[Point], float]] = (),
) -> Path | None:
    """The shortest way of a centre from start to goal that keeps `clearance` from all obstacles; None if there is none.

    Obstacles with bays count as their hull unless start or goal stands in it. One that is nearer to start or goal than the clearance
    is kept as far away as it is there; one that holds start or goal does not count. In each area of `avoid` a step
    costs its length times the weight (at least 1). `bounds` is the box the centre may not leave.

    Only what the best route so far runs into joins the search: a route that is the shortest around some obstacles and meets no other is the
    shortest around all.
    """
    hindrances = [h for obstacle in obstacles for h in _kept_clear(tuple(obstacle), start, goal, clearance)]
    hindrances += [_Hindrance(part, box_around(part), weight) for area, weight in avoid for part in convex_parts(tuple(area)) if weight > 1]
    active: list[_Hindrance] = []
    while True:
        route = _around(start, goal, active, bounds)
        if route is None:
            return None
        met = [h for h in hindrances if h not in active and _meets(route, h)]
        if not met:
            return route
        active += met


@lru_cache(maxsize=4096)
def _grown_hull(obstacle: Polygon, clearance: int) -> tuple[Polygon, Box]:
    """What a route keeps off when both its ends are far from the obstacle. Terrain is asked about again and again, so it is kept."""
    whole = hull(obstacle)
    grown = _grown(whole, clearance) if clearance else whole
    return grown, box_around(grown)


def _kept_clear(obstacle: Polygon, start: Point, goal: Point, clearance: int) -> list[_Hindrance]:
    grown, box = _grown_hull(obstacle, clearance)
    ends = [p for p in (start, goal) if box[0] <= p[0] <= box[2] and box[1] <= p[1] <= box[3]]
    if not any(contains(grown, p) for p in ends):
        return [_Hindrance(grown, box, None)]
    if any(contains(obstacle, p, strict=True) for p in ends):
        return []
    whole = hull(obstacle)
    out = []
    for part in convex_parts(obstacle) if any(contains(whole, p) for p in ends) else [whole]:
        room = min(float(clearance), distance((start,), part) - 3, distance((goal,), part) - 3)
        # A blunted mitre reaches a little beyond the clearance at corners; shrink until both ends are free.
        shape = part
        while room > 0:
            shape = _grown(part, room)
            if not contains(shape, start, strict=True) and not contains(shape, goal, strict=True):
                break
            room = room * 0.9 - 1
            shape = part
        out.append(_Hindrance(shape, box_around(shape), None))
    return out


def _meets(route: Path, hindrance: _Hindrance) -> bool:
    return any(
        not boxes_apart(box_around((p, q)), hindrance.box) and cuts_any(*p, q[0] - p[0], q[1] - p[1], 0.0, 1.0, hindrance.shape)
        for p, q in itertools.pairwise(route)
    )


def _around(start: Point, goal: Point, active: Sequence[_Hindrance], limits: Box | None) -> Path | None:
    """A* over the corners of the active hindrances; neighbours are looked for only when a corner is reached."""
    solid = [h for h in active if h.weight is None]
    soft = [h for h in active if h.weight is not None]
    # A corner is worth a bend only if the way touches the shape there: both neighbours on one side.
    nodes: list[tuple[Point, Point | None, Point | None]] = [(start, None, None), (goal, None, None)]
    for h in active:
        n = len(h.shape)
        for i, p in enumerate(h.shape):
            if limits is not None and not (limits[0] <= p[0] <= limits[2] and limits[1] <= p[1] <= limits[3]):
                continue
            if not any(other is not h and _holds(other, p) for other in solid):
                nodes.append((p, h.shape[i - 1], h.shape[(i + 1) % n]) if h.weight is None else (p, None, None))
    best = {0: 0.0}
    came: dict[int, int] = {}
    closed: set[int] = set()
    queue: list[tuple[float, int]] = [(span(start, goal), 0)]
    while queue:
        _, i = heapq.heappop(queue)
        if i == 1:
            route = [goal]
            while i in came:
                i = came[i]
                route.append(nodes[i][0])
            return tuple(reversed(route))
        if i in closed:
            continue
        closed.add(i)
        for j, node in enumerate(nodes):
            if j in closed or not _bends(nodes[i], node):
                continue
            p, q = nodes[i][0], node[0]
            far = span(p, q)
            if not far or best[i] + far >= best.get(j, math.inf):
                continue
            box = box_around((p, q))
            if any(not boxes_apart(box, h.box) and cuts_any(*p, q[0] - p[0], q[1] - p[1], 0.0, 1.0, h.shape) for h in solid):
                continue
            cost = best[i] + far
            for h in soft:
                inside = runs(*p, q[0] - p[0], q[1] - p[1], 0.0, 1.0, h.shape)
                cost += sum(t - s for s, t in inside) * far * ((h.weight or 1.0) - 1)
            if cost < best.get(j, math.inf):
                best[j] = cost
                came[j] = i
                heapq.heappush(queue, (cost + span(q, goal), j))
    return None


def _holds(h: _Hindrance, p: Point) -> bool:
    return h.box[0] < p[0] < h.box[2] and h.box[1] < p[1] < h.box[3] and contains(h.shape, p, strict=True)


def _bends(one: tuple[Point, Point | None, Point | None], two: tuple[Point, Point | None, Point | None]) -> bool:
    """May a shortest way run straight between these corners? Only if it touches the shape at each of them."""
    (px, py), (qx, qy) = one[0], two[0]
    dx, dy = qx - px, qy - py
    for _, before, after in (one, two):
        if before is not None and after is not None:
            s = dx * (before[1] - py) - dy * (before[0] - px)
            t = dx * (after[1] - py) - dy * (after[0] - px)
            if (s > 0 and t < 0) or (s < 0 and t > 0):
                return False
    return True


# ---- places ------------------------------------------------------------------------------------------------------------------------------


def free_place_near(
    wanted: Pose,
    width: int,
    depth: int,
    taken: Sequence[Shape],
    bounds: Box,
    far: int = 12000,
    step: int = 125,
    allowed: Callable[[Pose], bool] | None = None,
) -> Pose | None:
    """The free pose nearest to the wanted one, with the same facing: on the table (`bounds`), overlapping nothing taken, and `allowed`.

    Looks at the wanted place, then at rings `step` apart, on each clockwise from north; so the answer never depends on anything else.
    """
    # Only what lies within reach of the farthest place can be in the way.
    room = far + width + depth
    around = (wanted.x - room, wanted.y - room, wanted.x + room, wanted.y + room)
    boxes = [(shape, box) for shape in taken if not boxes_apart(box := box_around(shape), around)]

    def free(pose: Pose) -> bool:
        base = rectangle(pose, width, depth)
        box = box_around(base)
        if box[0] < bounds[0] or box[1] < bounds[1] or box[2] > bounds[2] or box[3] > bounds[3]:
            return False
        if any(not boxes_apart(box, other) and overlap(base, shape) for shape, other in boxes):
            return False
        return allowed is None or allowed(pose)

    if free(wanted):
        return wanted
    for radius in range(step, far + 1, step):
        # About one place a step along the ring, always a whole number of degrees apart.
        turn = next(d for d in (45, 30, 15, 10, 6, 5, 3, 2, 1) if d == 1 or radius * d <= 60 * step)
        for degrees in range(0, 360, turn):
            pose = Pose(wanted.x + round(radius * sine(degrees) / 10**9), wanted.y + round(radius * cosine(degrees) / 10**9), wanted.facing)
            if free(pose):
                return pose
    return None
