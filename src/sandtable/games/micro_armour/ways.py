"""Ways over the table: a path cut into legs wherever ground or features change, what it costs, and whether it may be gone at all.

The cost itself is the procedure `movement_cost`; here the map says which legs there are (MA-RULING-31, MA-RULING-54).
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

from sandtable.field.paths import Interval, intervals_inside, length
from sandtable.field.shapes import TOLERANCE, Point, Spot, bounds, boxes_apart, contains, span, within
from sandtable.games.micro_armour.battle import BASE, INCH, Battle, Unit, overlapping
from sandtable.games.micro_armour.lay import NEAR, Area, Hill, Lay, Line, as_area, closed_ground, lay_of, to_segment
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.procedures.movement import Leg
from sandtable.games.micro_armour.profile import BASE_AREAS
from sandtable.games.micro_armour.rolling import look_up
from sandtable.kernel.errors import RefusedError

Path = tuple[Point, ...]
ONCE = ("crest", "wire", "wreck")


class Stretch(NamedTuple):
    """A part of a path (distances from its start) on which nothing changes."""

    start: float
    end: float
    kinds: tuple[str, ...]
    """The areas it is in, smoke and wrecks included, and `crest` near a crest line."""
    uphill: bool
    road: str = ""
    """The id of the road or track that it runs along."""
    road_kind: str = ""
    cover: bool = False

    def at_road_rate(self, throughout: bool) -> bool:
        """Whether the road's rate is paid here: always where there is no cover to lose, else if it is used throughout (MA-TERR-05)."""
        return bool(self.road) and (throughout or not self.cover)


class Way(NamedTuple):
    """A move that was found possible: its path from where the unit stands, its cost, and the road it ends on at the road rate."""

    path: Path
    cost: int
    """In thousandths of a point."""
    stretches: tuple[Stretch, ...]
    road_rate: bool
    """Whether it keeps to the rate of a road through cover, too, and so has none of it."""

    @property
    def length(self) -> float:
        return length(self.path)

    def road_at(self, far: float) -> str:
        """The road whose rate the unit uses there."""
        here = next((one for one in reversed(self.stretches) if one.start - 1 <= far <= one.end + 1), None)
        return here.road if here is not None and here.at_road_rate(self.road_rate) else ""


# -- cutting a path -----------------------------------------------------------------------------------------------


def _steps(path: Path) -> list[tuple[float, float, Point, Point]]:
    out, done = [], 0.0
    for start, end in itertools.pairwise(path):
        far = span(start, end)
        if far:
            out.append((done, far, start, end))
            done += far
    return out


def _beside(start: Point, end: Point, one: Point, two: Point, reach: float) -> tuple[float, float] | None:
    """The part (0..1) of the way start-end that is within reach of the segment one-two: it is a single stretch, for the shape is convex."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    found: list[float] = []
    for corner in (one, two):  # the round ends
        fx, fy = start[0] - corner[0], start[1] - corner[1]
        a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - reach * reach
        under = b * b - a * c
        if under >= 0:
            root = math.sqrt(under)
            found += [(-b - root) / a, (-b + root) / a]
    ex, ey = two[0] - one[0], two[1] - one[1]
    square = ex * ex + ey * ey
    if square:  # the straight sides
        low, high = 0.0, 1.0
        size = math.sqrt(square)
        for rate, value, least, most in (
            (dx * ex + dy * ey, (start[0] - one[0]) * ex + (start[1] - one[1]) * ey, 0.0, float(square)),
            (ex * dy - ey * dx, ex * (start[1] - one[1]) - ey * (start[0] - one[0]), -reach * size, reach * size),
        ):
            if rate == 0:
                if not least <= value <= most:
                    low, high = 1.0, 0.0
                continue
            first, second = sorted(((least - value) / rate, (most - value) / rate))
            low, high = max(low, first), min(high, second)
        if low < high:
            found += [low, high]
    if not found:
        return None
    low, high = max(0.0, min(found)), min(1.0, max(found))
    return (low, high) if low < high else None


def _near_line(path: Path, line: Line, along: bool) -> list[Interval]:
    """The stretches of a path within half an inch of a line; with `along`, only where it runs the line's way, within 45 degrees."""
    out: list[Interval] = []
    for done, far, start, end in _steps(path):
        dx, dy = end[0] - start[0], end[1] - start[1]
        for one, two in itertools.pairwise(line.points):
            ex, ey = two[0] - one[0], two[1] - one[1]
            dot = dx * ex + dy * ey
            if along and 2 * dot * dot < (dx * dx + dy * dy) * (ex * ex + ey * ey):
                continue
            part = _beside(start, end, one, two, NEAR)
            if part is not None:
                out.append((done + part[0] * far, done + part[1] * far))
    return sorted(out)


def _nearest_marks(path: Path, crest: Line) -> list[float]:
    """Where a straight part of a path is nearest to a straight part of a crest: before it goes uphill, behind it no more."""
    out = []
    for done, far, start, end in _steps(path):
        dx, dy = end[0] - start[0], end[1] - start[1]
        for one, two in itertools.pairwise(crest.points):
            for corner in (one, two):
                t = ((corner[0] - start[0]) * dx + (corner[1] - start[1]) * dy) / (far * far)
                out.append(done + t * far)
            ex, ey = two[0] - one[0], two[1] - one[1]
            turn = dx * ey - dy * ex
            if turn:
                out.append(done + ((one[0] - start[0]) * ey - (one[1] - start[1]) * ex) / turn * far)
    return out


def _spot(path: Path, far: float) -> Spot:
    for done, size, (ax, ay), (bx, by) in _steps(path):
        if far <= done + size:
            t = (far - done) / size
            return ax + (bx - ax) * t, ay + (by - ay) * t
    return path[-1]


def stretches(battle: Battle, path: Path) -> tuple[Stretch, ...]:
    """The path, cut wherever an area, a road, a crest or the direction of a slope changes."""
    lay = lay_of(battle.ground)
    left, bottom, right, top = bounds(path)
    box = (left - INCH, bottom - INCH, right + INCH, top + INCH)
    areas: list[tuple[Area, list[Interval]]] = []
    loose = [as_area(wreck) for wreck in battle.wrecks]
    loose += [Area(smoke.id, "smoke", smoke.shape, bounds(smoke.shape)) for smoke in battle.smoke]
    for area in (*lay.areas, *loose):
        if not boxes_apart(area.box, box) and (found := intervals_inside(path, area.shape)):
            areas.append((area, found))
    roads = [(road, found) for road in lay.roads if not boxes_apart(road.box, box) and (found := _near_line(path, road, True))]
    crests = [(crest, found) for crest in lay.crests if not boxes_apart(crest.box, box) and (found := _near_line(path, crest, False))]
    whole = length(path)
    marks = [0.0, whole]
    for _, intervals in (*areas, *roads, *crests):
        marks += [mark for interval in intervals for mark in interval]
    slopes: list[tuple[Area, Hill]] = [(area, lay.hill_of(area)) for area, _ in areas if area.kind == "slope_up" and lay.crests]
    for crest in dict.fromkeys(hill.crest for _, hill in slopes):
        marks += [mark for mark in _nearest_marks(path, crest) if 0 < mark < whole]
    out: list[Stretch] = []
    for start, end in itertools.pairwise(sorted(set(marks))):
        if end - start < 0.01:
            continue
        middle = (start + end) / 2
        inside = [area for area, found in areas if _holds(found, middle)]
        kinds = tuple(dict.fromkeys([area.kind for area in inside] + ["crest" for _, found in crests if _holds(found, middle)]))
        road = next((road for road, found in roads if _holds(found, middle)), None)
        uphill = any(
            hill.crest.far(_spot(path, end)) < hill.crest.far(_spot(path, start)) - 0.001 for slope, hill in slopes if slope in inside
        )
        one = Stretch(start, end, kinds, uphill, road.id if road else "", road.kind if road else "", _gives_cover(kinds))
        if out and out[-1][2:] == one[2:]:
            out[-1] = out[-1]._replace(end=end)
        else:
            out.append(one)
    return tuple(out)


def _holds(intervals: list[Interval], far: float) -> bool:
    return any(start <= far <= end for start, end in intervals)


def _gives_cover(kinds: tuple[str, ...]) -> bool:
    fire = CHARTS["terrain_fire"]
    return any(kind not in ("smoke", "crest") and fire.record(kind, "other")["modifier"] > 0 for kind in kinds)


# -- the cost -----------------------------------------------------------------------------------------------------


def dearest(kinds: tuple[str, ...], mobility: str) -> str:
    """Where base terrains overlap, the dearest counts; forbidden beats all (MA-RULING-54)."""
    costs = CHARTS["terrain_movement"]
    bases = [kind for kind in kinds if kind in BASE_AREAS]
    if not bases:
        return "clear"
    prices = [costs.record(kind, mobility)["cost"] for kind in bases]
    return max(zip(bases, prices, strict=True), key=lambda pair: math.inf if pair[1] is None else pair[1])[0]


def legs(battle: Battle, path: Path, cut: tuple[Stretch, ...], mobility: str, road_rate: bool) -> tuple[Leg, ...]:
    """The legs for `movement_cost`: a once-only feature stands on the leg on which it is entered, a minefield where it is left."""
    if mobility == "air":
        return (Leg(terrain="clear", inches=round(length(path) / INCH, 6)),)
    lay = lay_of(battle.ground)
    out = []
    for place, one in enumerate(cut):
        terrain = one.road_kind if one.at_road_rate(road_rate) else dearest(one.kinds, mobility)
        features = [kind for kind in ("smoke",) if kind in one.kinds]
        if one.uphill:
            features.append("slope_up")  # MA-MOVE-09
        for kind in ONCE:
            if kind in one.kinds and not (kind in cut[place - 1].kinds if place else _starts_in(battle, lay, path[0], kind)):
                features.append(kind)
        leaves = "minefield" in one.kinds and place + 1 < len(cut) and "minefield" not in cut[place + 1].kinds
        if leaves:
            features.append("minefield")  # MA-MOVE-08
        far = round((one.end - one.start) / INCH, 6)
        out.append(Leg(terrain=terrain, inches=far, features=tuple(features), leaves_minefield=leaves))  # type: ignore[arg-type]
    return tuple(out)


def _starts_in(battle: Battle, lay: Lay, point: Point, kind: str) -> bool:
    """Whether a unit that starts there has paid already: it stands inside, not just on the edge."""
    if kind == "crest":
        return any(crest.far(point) < NEAR - TOLERANCE for crest in lay.crests)
    shapes = [wreck.shape for wreck in battle.wrecks] if kind == "wreck" else [area.shape for area in lay.areas if area.kind == kind]
    return any(contains(shape, point, strict=True) for shape in shapes)


def cost_of(battle: Battle, path: Path, cut: tuple[Stretch, ...], mobility: str, road_rate: bool) -> int | None:
    """What a path costs, in thousandths of a point; None where it is forbidden."""
    if len(path) < 2 or not length(path):
        return 0
    found = look_up("movement_cost", mobility=mobility, legs=legs(battle, path, cut, mobility, road_rate))
    return None if found.cost is None else round(found.cost * INCH)


def allowance(unit: Unit) -> int:
    """The points a unit has this turn, in thousandths (MA-SEQ-08 to -10)."""
    found = look_up(
        "movement_allowance",
        movement=unit.profile.movement,
        tl=unit.profile.tl,
        artillery=unit.profile.shells,
        attempted_fire=unit.attempted_fire,
        posture=unit.posture,
    )
    points: float = found.allowance
    return round(points * INCH)


def points_left(unit: Unit) -> int:
    return max(0, allowance(unit) - unit.spent)


# -- may it be gone? ----------------------------------------------------------------------------------------------


def may_overrun(unit: Unit, defender: Unit) -> bool:
    """Armoured vehicles drive over personnel and soft units, once a turn (MA-RULING-25)."""
    return unit.profile.target_class == "armoured" and not unit.overran and defender.profile.target_class in ("personnel", "soft")


def may_assault(unit: Unit, defender: Unit) -> bool:
    """Personnel assaults any ground unit (MA-RULING-27)."""
    return unit.profile.target_class == "personnel" and not unit.settled and defender.ground


def find_way(battle: Battle, unit: Unit, points: tuple[Point, ...], road_rate: bool | None = None) -> Way:
    """The move along some points, or RefusedError. Without a word on the road rate through cover, it is used where it is cheaper."""
    path = _path(unit, points)
    check_places(battle, unit, path)
    if len(path) > 1 and closed_ground(battle, path[-1], unit.profile.mobility) is not None:  # its very edge, too
        raise RefusedError("MA-MOVE-07", "refused.forbidden_ground", unit=unit.id)
    cut = () if len(path) < 2 or unit.profile.mobility == "air" else stretches(battle, path)
    left = points_left(unit)
    best: tuple[int, bool] | None = None
    dear: int | None = None
    for rate in (False, True) if road_rate is None else (road_rate,):
        if rate and not any(one.road for one in cut) and road_rate is None:
            continue
        cost = cost_of(battle, path, cut, unit.profile.mobility, rate)
        if cost is None:
            continue
        dear = cost if dear is None else min(dear, cost)
        if within(cost, left) and (best is None or cost < best[0]):
            best = (cost, rate)
    if best is None:
        if dear is None:
            raise RefusedError("MA-MOVE-07", "refused.forbidden_ground", unit=unit.id)
        raise RefusedError("MA-MOVE-06", "refused.too_far", unit=unit.id, cost=dear / INCH, points=left / INCH)
    return Way(path, best[0], cut, best[1])


def _path(unit: Unit, points: tuple[Point, ...]) -> Path:
    path = [unit.centre]
    for point in points:
        if point != path[-1]:
            path.append(point)
    return tuple(path)


def check_places(battle: Battle, unit: Unit, path: Path) -> None:
    """On the table, not through enemies, not onto anybody, in contact with an enemy only to fight him (MA-RULING-54)."""
    half = BASE // 2
    for x, y in path[1:]:
        if not (half <= x <= battle.ground.width - half and half <= y <= battle.ground.height - half):
            raise RefusedError("MA-RULING-54", "refused.off_table", unit=unit.id)
    if len(path) < 2:
        return
    left, bottom, right, top = bounds(path)
    end = path[-1]
    for one in battle.standing():
        if one.id == unit.id:
            continue
        x, y = one.centre
        if x < left - 1100 or x > right + 1100 or y < bottom - 1100 or y > top + 1100:
            continue
        if overlapping(one.centre, end):
            raise RefusedError("MA-RULING-54", "refused.overlap", unit=unit.id, other=one.id)
        if one.side == unit.side:
            continue
        if unit.profile.mobility != "air" and _passes(path, one.centre):
            raise RefusedError("MA-RULING-54", "refused.through_enemy", unit=unit.id, other=one.id)
        if within(span(end, one.centre), BASE) and not may_overrun(unit, one) and not may_assault(unit, one):
            raise RefusedError("MA-RULING-54", "refused.contact", unit=unit.id, other=one.id)


def _passes(path: Path, centre: Point) -> bool:
    """Does a path run through a base? A unit that stands in contact may leave it."""
    return any(to_segment(centre, start, end) < BASE - TOLERANCE for start, end in itertools.pairwise(path))
