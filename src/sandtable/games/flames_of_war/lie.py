"""The lie of the land: what terrain does to sight and cover between two places (FOW-RULING-10, -11, -68, -69).

Terrain does not change in a battle but for wrecks, which never block and only conceal. So everything here depends on where two teams
stand and nothing else, and is kept: a `Lie` for each table, a `Stand` for each place a base has stood in, a `Way` for each pair of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from sandtable.field.shapes import (
    Box,
    Point,
    Polygon,
    bounds,
    boxes_apart,
    centroid,
    contains,
    cosine,
    distance,
    inside,
    overlap,
    sine,
    within,
)
from sandtable.field.sight import Blocker, Limit, Sight, gap_bridges, hidden_fraction, run_inside, sees
from sandtable.field.terrain import Ground, Opening, Piece

RIGHT_AT = 250
"""A team right at an obstacle or opening is at most a quarter of an inch away (FOW-RULING-68, -69)."""
CREST = 3000
"""More than this much of a line on a hill, and the team on it fires over its crest (FOW-RULING-68)."""
FIRE_GAP = 1000
"""One sees between two things at least this far apart (FOW-LOS-06, -07)."""
DEPTH = 6000
"""How far one sees into, out of or inside area terrain (FOW-LOS-14)."""
LOW = 1
"""Crops, walls and low hedges: they do not conceal a team that stands higher (FOW-RULING-68)."""
_SILL = 5
"""Openings are looked at from a hair outside the wall, so that rounding never puts them behind it."""
_MANY = 60_000


@cache
def _kinds() -> dict[str, dict[str, object]]:
    return tomllib.loads((files("sandtable.games.flames_of_war") / "terrain.toml").read_text("utf-8"))


@cache
def conceals(kind: str) -> bool:
    """Whether a kind of terrain hides the teams in or behind it."""
    cover = _kinds().get(kind, {}).get("cover", ())
    return isinstance(cover, list) and "concealing" in cover


class Feature:
    """A piece of terrain that matters to sight: `ground` is what it stands on, `level` how high it reaches."""

    __slots__ = ("blocker", "box", "doors", "form", "ground", "height", "id", "level", "low", "outline", "solid")

    def __init__(self, piece: Piece, ground: int) -> None:
        self.id, self.form, self.height = piece.id, piece.form, piece.height
        self.ground, self.level = ground, ground + piece.height
        self.outline, self.box = piece.outline, piece.box
        self.blocker = Blocker(piece.id, piece.outline)
        self.low = piece.height <= LOW and piece.kind != "wreck"
        # Crops and wrecks are never in the way, only a screen (FOW-RULING-68).
        self.solid = piece.form in ("line", "hill", "building") or (piece.form == "area" and piece.height > LOW)
        self.doors = tuple(door_sill(door) for door in piece.doors)


class Door(NamedTuple):
    """An opening: its edge in the wall, its sill just outside it, the sill's middle, the way it looks, its own width."""

    edge: Polygon
    sill: Polygon
    middle: Point
    outward: int
    width: float


def door_sill(opening: Opening) -> Door:
    dx, dy = round(sine(opening.outward) * _SILL / 10**9), round(cosine(opening.outward) * _SILL / 10**9)
    start, end = (opening.start[0] + dx, opening.start[1] + dy), (opening.end[0] + dx, opening.end[1] + dy)
    middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    edge = (opening.start, opening.end)
    return Door(edge, (start, end), middle, opening.outward, distance(edge[:1], edge[1:]))


class Stand:
    """A base in its place, with all that the terrain around it says. Compared by identity: a `Lie` makes each only once."""

    __slots__ = ("at", "base", "box", "building", "centre", "ground", "height", "hills", "level", "partly", "point", "wholly")

    def __init__(self, lie: Lie, base: Polygon, centre: Point, height: int, point: bool, building: str) -> None:
        self.base, self.centre, self.height, self.point, self.building = base, centre, height, point, building
        self.box: Box = bounds(base)
        self.hills = tuple(hill.id for hill in lie.hills if contains(hill.outline, centre))
        self.ground = max((hill.height for hill in lie.hills if hill.id in self.hills), default=0)
        self.level = self.ground + height
        near = [f for f in lie.screens if not boxes_apart(f.box, self.box)]
        self.partly = tuple(f.id for f in near if self._on(f))
        self.wholly = tuple(f.id for f in near if f.form == "area" and f.id in self.partly and inside(base, f.outline))
        left, low, right, high = self.box
        wide = (left - RIGHT_AT, low - RIGHT_AT, right + RIGHT_AT, high + RIGHT_AT)
        self.at = tuple(f.id for f in lie.lines if not boxes_apart(f.box, wide) and within(distance(f.outline, base), RIGHT_AT))

    def _on(self, feature: Feature) -> bool:
        if len(self.base) < 3:
            return contains(feature.outline, self.centre)
        return overlap(self.base, feature.outline)


class Way(NamedTuple):
    """What the terrain between two stands does: the verdict, and what stood near the line (friends are added to it)."""

    sight: Sight
    blockers: tuple[Blocker, ...]
    limits: tuple[Limit, ...]
    longest: float | None


Smokes = tuple[Polygon, ...]


class Lie:
    """The terrain of a table, wrecks left out."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        hills = [piece for piece in pieces if piece.form == "hill"]
        features: list[Feature] = []
        for piece in pieces:
            if piece.form == "road" or (piece.form in ("area", "line") and not conceals(piece.kind)):
                continue  # road, open ground, marsh and river neither block nor hide
            ground = 0
            if piece.form != "hill":
                middle = centroid(piece.outline)
                ground = max((hill.height for hill in hills if contains(hill.outline, middle)), default=0)
            features.append(Feature(piece, ground))
        # What has no name of its own is called by its kind.
        self.names = {piece.id: f"terrain.{piece.kind}" if piece.name == piece.id else piece.name or piece.id for piece in pieces}
        self.by_id = {f.id: f for f in features}
        self.solid = [f for f in features if f.solid]
        self.hills = [f for f in features if f.form == "hill"]
        self.lines = [f for f in features if f.form == "line"]
        self.screens = [f for f in features if f.form in ("area", "line")]
        self.bridges = [(*bridge.id.partition("|")[::2], bridge) for bridge in gap_bridges([f.blocker for f in self.solid], FIRE_GAP)]
        self._stands: dict[object, Stand] = {}
        self._ways: dict[object, Way] = {}
        self._hidden: dict[object, bool] = {}
        self.passed: dict[object, object] = {}
        """Lines past friends, kept by `sight`."""

    # -- where a base stands ----------------------------------------------------------------------------------------

    def stand(self, base: Polygon, centre: Point, height: int, point: bool, building: str) -> Stand:
        key = (base, height, point, building)
        found = self._stands.get(key)
        if found is None:
            if len(self._stands) > _MANY:
                self.forget()
            found = self._stands[key] = Stand(self, base, centre, height, point, building)
        return found

    def forget(self) -> None:
        """Start the store of answers anew. They are only kept for speed."""
        self._stands.clear()
        self._ways.clear()
        self._hidden.clear()
        self.passed.clear()

    # -- line of sight ----------------------------------------------------------------------------------------------

    def in_the_way(self, a: Stand, b: Stand) -> tuple[list[Blocker], list[Limit], float | None]:
        """What may block between two stands: blockers, areas one sees only so far into, and the longest line."""
        left, low = min(a.box[0], b.box[0]), min(a.box[1], b.box[1])
        right, high = max(a.box[2], b.box[2]), max(a.box[3], b.box[3])
        blockers: list[Blocker] = []
        limits: list[Limit] = []
        longest: float | None = None
        for f in self.solid:
            x0, y0, x1, y1 = f.box
            if x0 > right or x1 < left or y0 > high or y1 < low:
                continue
            if f.form == "building":  # FOW-LOS-16: at any height
                blockers.append(f.blocker)
                continue
            # FOW-LOS-08, -11, -12: only what is higher than both blocks.
            if f.level <= a.level or f.level <= b.level:
                continue
            if f.form == "area":
                if f.id in a.partly or f.id in b.partly:
                    limits.append(Limit((f.blocker,), DEPTH))  # FOW-LOS-13, -14
                    if f.id in a.wholly:
                        longest = DEPTH
                else:
                    blockers.append(f.blocker)  # FOW-LOS-15
            elif f.form == "line":
                if f.id not in a.at and f.id not in b.at:  # FOW-LOS-10
                    blockers.append(f.blocker)
            elif f.id not in a.hills and f.id not in b.hills:
                blockers.append(f.blocker)
        return blockers, limits, longest

    def bridged(self, blockers: Sequence[Blocker]) -> list[Blocker]:
        """The segments that close gaps of less than an inch between them (FOW-LOS-07)."""
        if len(blockers) < 2 or not self.bridges:
            return []
        ids = {blocker.id for blocker in blockers}
        return [bridge for one, two, bridge in self.bridges if one in ids and two in ids]

    def doors(self, building: str) -> tuple[Door, ...]:
        feature = self.by_id.get(building)
        return feature.doors if feature is not None else ()

    def sources(self, stand: Stand, origin: Point | None, door: int | None) -> Iterator[Point | Polygon]:
        """Where lines from a stand may start: its openings in a building, a vehicle's weapon, or anywhere on the base."""
        if stand.building:
            doors = self.doors(stand.building)
            yield from (doors[door].sill,) if door is not None else (one.sill for one in doors)
        elif origin is not None:
            yield origin
        else:
            yield stand.centre if stand.point else stand.base

    def targets(self, stand: Stand) -> Iterator[Point | Polygon]:
        """Where lines to a stand may end: at the openings of its building (FOW-LOS-17), or anywhere on the base."""
        if stand.building:
            yield from (door.sill for door in self.doors(stand.building))
        else:
            yield stand.base if len(stand.base) > 1 else stand.centre

    def way(self, a: Stand, b: Stand, origin: Point | None = None, door: int | None = None, smokes: Smokes = ()) -> Way:
        """Whether a clear line leads from one stand to another, by terrain and smoke alone."""
        key = (a, b, origin, door, smokes)
        found = self._ways.get(key)
        if found is None:
            if smokes and not (clear := self.way(a, b, origin, door)).sight.clear:
                found = clear
            else:
                found = self._find_way(a, b, origin, door, smokes)
            if len(self._ways) > _MANY:
                self._ways.clear()
            self._ways[key] = found
        return found

    def _find_way(self, a: Stand, b: Stand, origin: Point | None, door: int | None, smokes: Smokes) -> Way:
        if a.building and a.building == b.building:
            return Way(Sight(True), (), (), None)
        blockers, limits, longest = self.in_the_way(a, b)
        if longest is not None:
            if not a.building and not b.building and _boxes_farther(a.box, b.box, longest):
                return Way(Sight(False, why="length"), (), (), longest)
            limits = []  # a line of six inches in all is never deeper than six inches in anything
        elif limits and not a.building and (deep := self._too_deep(a, b)):
            return Way(Sight(False, None, deep, None, "depth"), (), (), None)
        blockers += self.bridged(blockers)
        first: Sight | None = None
        for source in self.sources(a, origin, door):
            screens = smoke_screens(source, b.base, smokes)
            for target in self.targets(b):
                sight = sees(source, target, [*blockers, *screens], limits, longest)
                if sight.clear:
                    return Way(sight, (*blockers, *screens), tuple(limits), longest)
                first = first or sight
        return Way(first or Sight(False, why="blocked"), tuple(blockers), tuple(limits), longest)

    def _too_deep(self, a: Stand, b: Stand) -> str:
        """The wood b is wholly in, if no way in on a's side is near enough to b. Spares the search for a line that cannot be there."""
        for id in b.wholly:
            f = self.by_id[id]
            if f.level <= a.level or f.level <= b.level or id in a.partly or not f.blocker.convex:
                continue
            x0, y0 = f.outline[-1]
            for x1, y1 in f.outline:
                # A line from a can enter by this edge only if some corner of a lies on its outer (right) side.
                if any((x1 - x0) * (y - y0) < (y1 - y0) * (x - x0) for x, y in a.base) and within(
                    distance(((x0, y0), (x1, y1)), b.base), DEPTH
                ):
                    break
                x0, y0 = x1, y1
            else:
                return id
        return ""

    # -- concealment --------------------------------------------------------------------------------------------------

    def hides(self, a: Stand, point: Point, b: Stand, wrecks: Sequence[Feature], smokes: Smokes) -> str:
        """How terrain conceals b from a shooter at `point`: "in", "crest", "half", or "" if it does not."""
        if self.stands_in_cover(a, b, wrecks):
            return "in"
        if self.over_crest(a, point, b):
            return "crest"
        if self._half_hidden(a, point, b, (), ()):
            return "half"
        if not wrecks and not smokes:
            return ""
        box = bounds((point, *b.base))
        near = tuple(wreck for wreck in wrecks if not boxes_apart(wreck.box, box))
        if not near and not smokes:
            return ""
        return "half" if self._half_hidden(a, point, b, near, smokes) else ""

    def _half_hidden(self, a: Stand, point: Point, b: Stand, wrecks: tuple[Feature, ...], smokes: Smokes) -> bool:
        key = (a, point, b, wrecks, smokes)
        half = self._hidden.get(key)
        if half is None:
            if len(self._hidden) > _MANY:
                self._hidden.clear()
            half = self._hidden[key] = self._half(a, point, b, wrecks, smoke_screens(point, b.base, smokes))
        return half

    def stands_in_cover(self, a: Stand, b: Stand, wrecks: Sequence[Feature]) -> bool:
        """At least partly in concealing terrain (FOW-CONC-02); an obstacle right at the shooter is none to him (FOW-LOS-10)."""
        for id in b.partly:
            f = self.by_id[id]
            if not (f.low and b.ground > f.ground) and not (f.form == "line" and id in a.at):
                return True
        return any(not boxes_apart(wreck.box, b.box) and overlap(wreck.outline, b.base) for wreck in wrecks)

    def over_crest(self, a: Stand, point: Point, b: Stand) -> bool:
        """A team on a hill is concealed from a lower one if more than 3" of the line lie on the hill (FOW-LOS-11)."""
        if b.ground <= a.ground:
            return False
        return any(
            hill.id in b.hills and hill.id not in a.hills and not within(run_inside(point, b.centre, hill.outline), CREST)
            for hill in self.hills
        )

    def _half(self, a: Stand, point: Point, b: Stand, wrecks: Sequence[Feature], smokes: Sequence[Blocker]) -> bool:
        """At least half of the base lies behind something, seen from the point (FOW-CONC-01, FOW-LOS-09, -12)."""
        left, low, right, high = bounds((point, *b.base))
        screens = [wreck.blocker for wreck in wrecks]
        screens += smokes
        blocking = {blocker.id for blocker in self.in_the_way(a, b)[0]}
        for f in self.by_id.values():
            x0, y0, x1, y1 = f.box
            if x0 > right or x1 < left or y0 > high or y1 < low:
                continue
            if f.id in blocking:
                screens.append(f.blocker)
            elif f.form == "area":
                if not (f.low and b.ground > f.ground):
                    screens.append(f.blocker)
            elif f.form == "line" and f.id not in a.at and not (f.low and b.ground > f.ground):
                screens.append(f.blocker)
        return bool(screens) and hidden_fraction(point, b.base, screens) >= 0.5 - 1e-9


def _boxes_farther(one: Box, two: Box, limit: float) -> bool:
    """Whether two boxes are surely more than a distance apart."""
    right, up = max(one[0] - two[2], two[0] - one[2], 0), max(one[1] - two[3], two[1] - one[3], 0)
    return not within((right * right + up * up) ** 0.5, limit)


def smoke_screens(source: Point | Polygon, target: Polygon, smokes: Smokes) -> list[Blocker]:
    """The smoke that blocks: a line right through a screen, not one with an end in it (FOW-LOS-18, FOW-RULING-68)."""
    return [Blocker("smoke", smoke) for smoke in smokes if not _in_smoke(source, smoke) and not _in_smoke(target, smoke)]


def _in_smoke(shape: Point | Polygon, smoke: Polygon) -> bool:
    if isinstance(shape[0], int):
        return contains(smoke, shape)
    if len(shape) < 3:
        return all(contains(smoke, corner) for corner in shape)
    return overlap(shape, smoke)


class Land(NamedTuple):
    """A ground as sight sees it: its terrain, and the wrecks on it."""

    lie: Lie
    wrecks: tuple[Feature, ...]


_LIES: dict[tuple[Piece, ...], Lie] = {}


@lru_cache(maxsize=1024)
def _wreck(piece: Piece) -> Feature:
    return Feature(piece, 0)


def land_of(ground: Ground) -> Land:
    """The lie of a ground. Grounds that differ only in wrecks share it, and so do battles on the same table."""
    known = vars(ground)
    land = known.get("_land")
    if land is None:
        pieces = tuple(piece for piece in ground.pieces if piece.kind != "wreck")
        lie = _LIES.get(pieces)
        if lie is None:
            if len(_LIES) >= 32:
                _LIES.pop(next(iter(_LIES)))
            lie = _LIES[pieces] = Lie(pieces)
        wrecks = tuple(_wreck(piece) for piece in ground.pieces if piece.kind == "wreck")
        land = known["_land"] = Land(lie, wrecks)
    return land
