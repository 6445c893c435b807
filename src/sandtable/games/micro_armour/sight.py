"""Who sees whom: from base centre to base centre, past what blocks (MA-LOS-01 to -04, MA-RULING-30)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from sandtable.field.paths import intervals_inside
from sandtable.field.shapes import Box, Point, Pose, bounds, boxes_apart, contains, in_arc, move_towards, pierces, span, within
from sandtable.field.sight import run_inside
from sandtable.games.micro_armour.battle import INCH, Battle, Unit
from sandtable.games.micro_armour.lay import Lay, Line, in_smoke, inside, lay_of
from sandtable.kernel.messages import Message, say

DEPTH = INCH
"""How far a line may run through blocking terrain that holds one of its ends."""


class Look(NamedTuple):
    """Whether a line is clear, what blocks it if not, and whether fire along it goes over a crest."""

    clear: bool
    blocked_by: str = ""
    over_crest: bool = False


CLEAR = Look(True)
OVER = Look(True, "", True)


def look(battle: Battle, start: Point, end: Point, kind: str) -> Look:
    """From one place to another; `kind` of what is looked at: personnel or other."""
    far = battle.scenario.visibility
    if far is not None and not within(span(start, end), far * INCH):
        return Look(False, "visibility")  # MA-RULING-11
    lay = lay_of(battle.ground)
    key = (start, end, kind)
    found: Look | None = lay.sight.get(key)
    if found is None:
        if len(lay.sight) > 200_000:
            lay.sight.clear()
        one, two = min(start, end), max(start, end)  # the same both ways, whoever looks first
        lay.sight[one, two, kind], lay.sight[two, one, kind] = _over_ground(lay, one, two, kind)
        found = lay.sight[key]
    if battle.smoke and found.clear:
        box = bounds((start, end))
        for smoke in battle.smoke:
            if not boxes_apart(box, smoke.box) and _area_blocks(start, end, smoke.shape, smoke.box):
                return Look(False, smoke.id)
    return found


def _over_ground(lay: Lay, start: Point, end: Point, kind: str) -> tuple[Look, Look]:
    """From start to end, and back: what blocks is the same."""
    box = bounds((start, end))
    here, there = lay.stand(start), lay.stand(end)
    for area in lay.blocking[kind]:  # MA-LOS-02: rough 1 and 2 hide personnel only
        if not boxes_apart(box, area.box) and _blocks(start, end, area.shape, area.id in here.areas, area.id in there.areas):
            return (blocked := Look(False, area.id)), blocked
    over = back = False
    for hill, near_start, near_end, on_start, on_end in zip(lay.hills, here.near, there.near, here.on, there.on, strict=True):
        if _crosses(start, end, box, hill.crest):
            if not near_start and not near_end:
                return (blocked := Look(False, hill.crest.id)), blocked
            over = back = True
        over = over or (near_end and not near_start)  # from below at a unit on the top (MA-TERR-06)
        back = back or (near_start and not near_end)
        if on_start or on_end:
            continue
        for slope in hill.slopes:
            if not boxes_apart(box, slope.box) and pierces(start, end, slope.shape):
                return (blocked := Look(False, slope.id)), blocked
    return OVER if over else CLEAR, OVER if back else CLEAR


def _area_blocks(start: Point, end: Point, shape: tuple[Point, ...], box: Box) -> bool:
    here, there = (inside(box, point) and contains(shape, point) for point in (start, end))
    return _blocks(start, end, shape, here, there)


def _blocks(start: Point, end: Point, shape: tuple[Point, ...], here: bool, there: bool) -> bool:
    """Terrain that holds neither end blocks; with one end in it an inch of it is seen through; with both, two inches between centres."""
    if here and there:
        return not within(span(start, end), 2 * INCH)
    if here or there:
        return not within(run_inside(start, end, shape), DEPTH)
    return pierces(start, end, shape)


def _crosses(start: Point, end: Point, box: Box, line: Line) -> bool:
    """Are the ends on different sides of the line, seen along the way between them? Touching its end is not crossing."""
    if boxes_apart(box, line.box):
        return False
    dx, dy = end[0] - start[0], end[1] - start[1]
    sides = [dx * (y - start[1]) - dy * (x - start[0]) for x, y in line.points]
    for i in range(len(line.points) - 1):
        one, two = sides[i], sides[i + 1]
        (ax, ay), (bx, by) = line.points[i], line.points[i + 1]
        if (one > 0 and two < 0) or (one < 0 and two > 0):
            ex, ey = bx - ax, by - ay
            here = ex * (start[1] - ay) - ey * (start[0] - ax)
            there = ex * (end[1] - ay) - ey * (end[0] - ax)
            if (here > 0 and there < 0) or (here < 0 and there > 0):
                return True
        elif two == 0:  # through a bend of the line, or along a part of it
            past = next((j for j in range(i + 2, len(sides)) if sides[j]), i + 1)
            along = [(x - start[0]) * dx + (y - start[1]) * dy for x, y in line.points[i + 1 : past]]
            if one * sides[past] < 0 and all(0 < far < dx * dx + dy * dy for far in along):
                return True
    return False


def sees(battle: Battle, viewer: Unit, target: Unit) -> Look:
    """A unit looks at another. Aircraft in flight see and are seen by all (MA-RULING-30)."""
    if "aircraft" in (viewer.profile.target_class, target.profile.target_class):
        return CLEAR
    return look(battle, viewer.centre, target.centre, target.kind)


def sees_place(battle: Battle, viewer: Unit, place: Point) -> Look:
    """A unit looks at a place, as at a unit that is no personnel."""
    return look(battle, viewer.centre, place, "other")


# -- what blocks, and where: only for telling it --------------------------------------------------------------------


def blocker_name(battle: Battle, seen: Look) -> Message:
    """What is in the way, by its name on the table or by its kind."""
    if seen.blocked_by == "visibility":
        return say("sight.visibility")
    piece = battle.ground.by_id.get(seen.blocked_by)
    if piece is None:
        return say("terrain.smoke")
    return Message(piece.name) if piece.name not in ("", piece.id) else say(f"terrain.{piece.kind}")


def where_blocked(battle: Battle, start: Point, end: Point, seen: Look) -> Point:
    """The place on a line where it meets what blocks it; inside terrain, where one sees no farther."""
    by = seen.blocked_by
    if by == "visibility":
        assert battle.scenario.visibility is not None
        return move_towards(start, end, battle.scenario.visibility * INCH)
    lay = lay_of(battle.ground)
    crest = next((crest for crest in lay.crests if crest.id == by), None)
    if crest is not None:
        return move_towards(start, end, min(_crossings(start, end, crest), default=0.0))
    shape = next((area.shape for area in lay.areas if area.id == by), None) or next(one.shape for one in battle.smoke if one.id == by)
    if contains(shape, start):
        return move_towards(start, end, DEPTH if not contains(shape, end) else 2 * DEPTH)
    return move_towards(start, end, min((one for one, _ in intervals_inside((start, end), shape)), default=0.0))


def _crossings(start: Point, end: Point, line: Line) -> list[float]:
    """How far from its start a way crosses the segments of a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    found = []
    for (ax, ay), (bx, by) in pairwise(line.points):
        ex, ey = bx - ax, by - ay
        turn = dx * ey - dy * ex
        if turn:
            t = ((ax - start[0]) * ey - (ay - start[1]) * ex) / turn
            u = ((ax - start[0]) * dy - (ay - start[1]) * dx) / turn
            if 0 <= t <= 1 and 0 <= u <= 1:
                found.append(t * span(start, end))
    return found


def aspect(target: Pose, firer: Point) -> str:
    """Where a shot comes from: up to 60 degrees off the facing is the front, up to 120 the flank (MA-RULING-14)."""
    if in_arc(target, firer, 120):
        return "front"
    return "flank" if in_arc(target, firer, 240) else "rear"


def unit_in_smoke(battle: Battle, unit: Unit) -> bool:
    """Nothing on the ground matters to what flies (MA-RULING-36)."""
    return bool(battle.smoke) and unit.ground and in_smoke(battle, unit.centre)
