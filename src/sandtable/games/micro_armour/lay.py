"""The lie of the land: what a place is in, and what a table's terrain means, worked out once for each table.

A unit is in an area that holds its centre; on a road, track or crest line if its centre is within half an inch of it
(MA-RULING-54).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from sandtable.field.shapes import Box, Point, Polygon, Spot, contains, span, within
from sandtable.field.terrain import Ground, Piece
from sandtable.games.micro_armour.battle import INCH, Battle
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.profile import BASE_AREAS, ROADS

NEAR = INCH // 2
"""How near to a line something is on it."""
CLOSE = INCH
"""How near to a crest line something is on the top of the hill (MA-RULING-30)."""


class Area(NamedTuple):
    """A piece of ground with an inside."""

    id: str
    kind: str
    shape: Polygon
    box: Box

    def holds(self, point: Point) -> bool:
        return inside(self.box, point) and contains(self.shape, point)


class Line(NamedTuple):
    """A road, track or crest."""

    id: str
    kind: str
    points: tuple[Point, ...]
    box: Box

    def far(self, point: Spot) -> float:
        """How far a point is from it."""
        return min(to_segment(point, start, end) for start, end in zip(self.points, self.points[1:], strict=False))

    def near(self, point: Point, reach: int) -> bool:
        left, bottom, right, top = self.box
        x, y = point
        if x < left - reach - 5 or x > right + reach + 5 or y < bottom - reach - 5 or y > top + reach + 5:
            return False
        return within(self.far(point), reach)


class Hill(NamedTuple):
    """A crest line with its slopes (MA-RULING-30)."""

    crest: Line
    slopes: tuple[Area, ...]

    def holds(self, point: Point) -> bool:
        return any(slope.holds(point) for slope in self.slopes) or self.crest.near(point, CLOSE)


def inside(box: Box, point: Point) -> bool:
    left, bottom, right, top = box
    return left <= point[0] <= right and bottom <= point[1] <= top


def to_segment(point: Spot, start: Spot, end: Spot) -> float:
    """Distance from a point to a segment."""
    (px, py), (ax, ay), (bx, by) = point, start, end
    ex, ey = bx - ax, by - ay
    square = ex * ex + ey * ey
    along = (px - ax) * ex + (py - ay) * ey
    if along <= 0 or not square:
        return span(point, start)
    if along >= square:
        return span(point, end)
    return abs(ex * (py - ay) - ey * (px - ax)) / math.sqrt(square)


class Stand(NamedTuple):
    """What a place is in, as far as sight goes."""

    areas: frozenset[str]
    near: tuple[bool, ...]
    """For each hill, whether the place is close to its crest line."""
    on: tuple[bool, ...]
    """For each hill, whether the place is close to its crest line or on one of its slopes."""


class Lay:
    """What the pieces of a table mean."""

    def __init__(self, ground: Ground) -> None:
        areas = [as_area(piece) for piece in ground.pieces if piece.form != "line" and piece.form != "road"]
        lines = [as_line(piece) for piece in ground.pieces if piece.form in ("line", "road")]
        self.areas = tuple(areas)
        self.roads = tuple(line for line in lines if line.kind in ROADS)
        self.crests = tuple(line for line in lines if line.kind == "crest")
        sight = CHARTS["terrain_los"]
        self.blocking = {
            kind: tuple(area for area in areas if area.kind != "slope_up" and sight.record(area.kind, kind)["blocks"])
            for kind in ("personnel", "other")
        }
        slopes: dict[str, list[Area]] = {crest.id: [] for crest in self.crests}
        for area in areas:
            if area.kind == "slope_up" and self.crests:
                slopes[self._crest_of(area).id].append(area)
        self.hills = tuple(Hill(crest, tuple(slopes[crest.id])) for crest in self.crests)
        self.bases = tuple(area for area in areas if area.kind in BASE_AREAS)
        self.terrain: dict[Point, tuple[str, ...]] = {}
        self.sight: dict[tuple[Point, Point, str], Any] = {}
        self._stands: dict[Point, Stand] = {}

    def _crest_of(self, slope: Area) -> Line:
        """A slope belongs to the crest that is nearest to it."""
        return min(self.crests, key=lambda crest: min(crest.far(corner) for corner in slope.shape))

    def stand(self, point: Point) -> Stand:
        """What a place is in, worked out once: lines of sight start and end at the same places again and again."""
        found = self._stands.get(point)
        if found is None:
            near = tuple(hill.crest.near(point, CLOSE) for hill in self.hills)
            on = tuple(close or hill.holds(point) for hill, close in zip(self.hills, near, strict=True))
            found = self._stands[point] = Stand(frozenset(area.id for area in self.areas if area.holds(point)), near, on)
            if len(self._stands) > 50_000:
                self._stands.clear()
        return found

    def hill_of(self, slope: Area) -> Hill:
        return next(hill for hill in self.hills if slope in hill.slopes)


def as_area(piece: Piece) -> Area:
    return Area(piece.id, piece.kind, piece.outline, piece.box)


def as_line(piece: Piece) -> Line:
    xs, ys = [x for x, _ in piece.shape], [y for _, y in piece.shape]
    return Line(piece.id, piece.kind, piece.shape, (min(xs), min(ys), max(xs), max(ys)))


def lay_of(ground: Ground) -> Lay:
    """The lay of a table, made when it is first asked for and kept with it."""
    found: Lay | None = ground.__dict__.get("micro_armour")
    if found is None:
        found = ground.__dict__["micro_armour"] = Lay(ground)
    return found


def terrain_at(battle: Battle, point: Point) -> tuple[str, ...]:
    """Every terrain a place is in, each kind once, in the order of the table; then wrecks and smoke."""
    lay = lay_of(battle.ground)
    found = lay.terrain.get(point)
    if found is None:
        kinds = [area.kind for area in lay.areas if area.holds(point)]
        kinds += [road.kind for road in lay.roads if road.near(point, NEAR)]
        kinds += [crest.kind for crest in lay.crests if crest.near(point, NEAR)]
        found = lay.terrain[point] = tuple(dict.fromkeys(kinds))
        if len(lay.terrain) > 50_000:
            lay.terrain.clear()
    if battle.wrecks and any(inside(wreck.box, point) and contains(wreck.shape, point) for wreck in battle.wrecks):
        found = (*found, "wreck")
    if battle.smoke and in_smoke(battle, point):
        found = (*found, "smoke")
    return found


def in_smoke(battle: Battle, point: Point) -> bool:
    return any(inside(smoke.box, point) and contains(smoke.shape, point) for smoke in battle.smoke)


def closed_ground(battle: Battle, point: Point, mobility: str) -> str | None:
    """The terrain at a place that a mobility may not enter (MA-MOVE-07). A road opens the ground that it leads through (MA-RULING-54)."""
    if mobility in ("air", "none"):
        return None
    costs = CHARTS["terrain_movement"]
    kinds = terrain_at(battle, point)
    open_kinds = BASE_AREAS if any(kind in ROADS for kind in kinds) else ()
    return next((kind for kind in kinds if kind not in open_kinds and costs.record(kind, mobility)["cost"] is None), None)
