"""The ground under a move: which terrain a base crosses, where it must check for bogging, and how far its chart lets it go.

A base is in a piece of terrain as soon as part of it is (FOW-RULING-66); it is on a road while its centre is, and then what the road
runs through does not count, wrecks and buildings excepted.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sandtable.field.paths import Interval, Path, intervals_inside, overlap_intervals
from sandtable.field.shapes import TOLERANCE, Box, Polygon, Pose, bounds, boxes_apart, overlap, rectangle
from sandtable.field.terrain import Ground, Piece
from sandtable.games.flames_of_war.procedures.movement import (
    BOGGING,
    EASIEST_FIRST,
    MOVEMENT,
    MoveAlong,
    MovedAlong,
    MovementAllowance,
    Segment,
    move_along,
    movement_allowance,
)
from sandtable.games.flames_of_war.profile import TeamProfile
from sandtable.games.flames_of_war.setup import terrain_kinds
from sandtable.kernel.dice import Dice

QUIET = Dice()
"""For procedures that roll nothing: what they note is dropped."""
GRAZE = 2 * TOLERANCE
"""A base that overlaps something by no more than the tolerance on each side only touches it."""
SURE_FOOTED = ("infantry", "cavalry", "man_packed_gun")
"""They go as fast everywhere and never bog (FOW-BOG-04)."""


class Stretch(NamedTuple):
    """A part of a path (distances from its start) over one kind of going."""

    start: float
    end: float
    going: str


class BogCheck(NamedTuple):
    """Where a vehicle or gun must check: how far along the path, in what, and which piece it is."""

    at: float
    going: str
    piece: str


class Underfoot(NamedTuple):
    stretches: tuple[Stretch, ...]
    checks: tuple[BogCheck, ...]

    @property
    def hardest(self) -> str:
        return max((stretch.going for stretch in self.stretches), key=EASIEST_FIRST.index, default="cross_country")


class _Map(NamedTuple):
    """What moving teams care about."""

    rough: tuple[tuple[Piece, str], ...]
    roads: tuple[Piece, ...]
    buildings: tuple[Piece, ...]
    lines: tuple[Piece, ...]


def going_of(kind: str) -> str:
    return str(terrain_kinds()[kind]["going"])


def map_of(ground: Ground) -> _Map:
    """The pieces that matter to moves; worked out once for each ground."""
    known = vars(ground)
    found = known.get("_moving")
    if found is None:
        rough = tuple((p, g) for p in ground.pieces if p.form != "building" and (g := going_of(p.kind)) in ("difficult", "very_difficult"))
        found = known["_moving"] = _Map(
            rough,
            tuple(p for p in ground.pieces if p.kind == "road"),
            tuple(p for p in ground.pieces if p.form == "building"),
            tuple(p for p in ground.pieces if p.form == "line"),
        )
    return found


def crosses_buildings(profile: TeamProfile) -> bool:
    """Only tracked, fully armoured vehicles drive through walls (FOW-BLDG-08)."""
    return profile.vehicle and profile.mobility == "tracked" and profile.fully_armoured


def grown(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def slim(profile: TeamProfile) -> tuple[int, int]:
    """Width and depth of a base without the hair that only grazes."""
    return profile.width - GRAZE, profile.depth - GRAZE


@lru_cache(maxsize=20_000)
def slim_base(x: int, y: int, facing: int, width: int, depth: int) -> Polygon:
    return rectangle(Pose(x, y, facing), width - GRAZE, depth - GRAZE)


def _without(stretches: Sequence[Interval], roads: Sequence[Interval]) -> list[Interval]:
    """Stretches with the parts on the road taken out."""
    out = list(stretches)
    for left, right in roads:
        cut: list[Interval] = []
        for start, end in out:
            if right < start or end < left:
                cut.append((start, end))
                continue
            if start < left:
                cut.append((start, left))
            if right < end:
                cut.append((right, end))
        out = cut
    return out


def underfoot(ground: Ground, profile: TeamProfile, path: Path, whole: float, start: int, final: int) -> Underfoot:
    """The going along a path, and the places where a vehicle or gun must check (FOW-BOG-01 to -03).

    `start` and `final` are the facings before and after; in between the base looks where it goes.
    """
    lie = map_of(ground)
    box = bounds(path)
    reach = grown(box, max(profile.width, profile.depth))
    rough = [(piece, going) for piece, going in lie.rough if not boxes_apart(piece.box, reach)]
    if crosses_buildings(profile):
        rough += [(piece, "very_difficult") for piece in lie.buildings if not boxes_apart(piece.box, reach)]
    faster = MOVEMENT[profile.mobility, "road"] != MOVEMENT[profile.mobility, "cross_country"]
    roads: list[Interval] = []
    if lie.roads and (rough or faster):
        for piece in lie.roads:
            if not boxes_apart(piece.box, box):  # only the centre is on a road
                roads += intervals_inside(path, piece.outline)
    if not rough and not roads:
        return Underfoot((Stretch(0.0, whole, "cross_country"),), ())
    width, depth = slim(profile)
    inside: list[tuple[str, str, list[Interval]]] = []
    before = slim_base(*path[0], start, profile.width, profile.depth)
    after = slim_base(*path[-1], final, profile.width, profile.depth)
    for piece, going in rough:
        found = overlap_intervals(path, width, depth, piece.outline)
        if (not found or found[0][0] > 0) and overlap(before, piece.outline):
            found.insert(0, (0.0, 0.0))
        if (not found or found[-1][1] < whole) and overlap(after, piece.outline):
            found.append((whole, whole))
        if roads and piece.kind != "wreck" and piece.form != "building":
            found = _without(found, roads)
        if found:
            inside.append((piece.id, going, found))
    return Underfoot(_stretches(whole, inside, roads), _checks(profile.mobility, inside))


def _stretches(whole: float, inside: Sequence[tuple[str, str, list[Interval]]], roads: Sequence[Interval]) -> tuple[Stretch, ...]:
    marks = sorted({0.0, whole, *(m for _, _, found in inside for one in found for m in one), *(m for one in roads for m in one)})
    out: list[Stretch] = []
    # A place that is only stood in, at the start or the end, counts as a stretch without length.
    spans = [(m, m) for m in (0.0, whole) if any(one == (m, m) for _, _, found in inside for one in found)]
    spans = sorted([*spans, *((a, b) for a, b in itertools.pairwise(marks) if b - a > 1e-6)])
    for a, b in spans:
        middle = (a + b) / 2
        goings = [going for _, going, found in inside if any(s <= middle <= t for s, t in found)]
        if goings:
            going = max(goings, key=EASIEST_FIRST.index)
        elif any(s <= middle <= t for s, t in roads):
            going = "road"
        else:
            going = "cross_country"
        if out and out[-1].going == going:
            out[-1] = Stretch(out[-1].start, b, going)
        else:
            out.append(Stretch(a, b, going))
    return tuple(out)


def _checks(mobility: str, inside: Sequence[tuple[str, str, list[Interval]]]) -> tuple[BogCheck, ...]:
    """A check each time a piece is entered, and one for all that are entered together."""
    entries = sorted((start, -EASIEST_FIRST.index(going), going, id) for id, going, found in inside for start, _ in found)
    out: list[BogCheck] = []
    for at, _, going, id in entries:
        if BOGGING[mobility, going] != "none" and not (out and at - out[-1].at <= TOLERANCE and out[-1].going == going):
            if out and at - out[-1].at <= TOLERANCE:
                continue  # the harder one stands
            out.append(BogCheck(at, going, id))
    return tuple(out)


def walk_chart(profile: TeamProfile, ground: Underfoot, double: bool, towing: bool) -> MovedAlong:
    """How far the movement chart lets a team go along its way (FOW-MOVE-02 to -04)."""
    segments = [Segment(terrain=s.going, inches=(s.end - s.start) / 1000) for s in ground.stretches]  # type: ignore[arg-type]
    last = segments[-1]
    # What is over by no more than the one tolerance is not over.
    segments[-1] = Segment(terrain=last.terrain, inches=max(0.0, last.inches - TOLERANCE / 1000))
    return move_along(
        MoveAlong(mobility=profile.mobility, segments=tuple(segments), at_the_double=double, towing_gun=towing),
        QUIET,
    )


@lru_cache(maxsize=4096)
def chart_reach(mobility: str, going: str, double: bool = False, towing: bool = False) -> int:
    """The chart's allowance in grid units for one kind of going; 0 where it may not go."""
    found = movement_allowance(
        MovementAllowance(mobility=mobility, terrain=(going,), at_the_double=double, towing_gun=towing),  # type: ignore[arg-type]
        QUIET,
    )
    return round(found.inches * 1000)
