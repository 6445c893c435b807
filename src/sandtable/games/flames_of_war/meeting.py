"""What a moving base meets: walls, other teams, and how near it may come to enemies (FOW-MOVE-09 to -13, FOW-DBL-06, FOW-RULING-65).

A base looks where it goes; on its first leg it may also keep the facing it had, on its last the one it will have (FOW-MOVE-06).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from msgspec.structs import replace

from sandtable.field.paths import (
    Path,
    heading_at,
    length,
    overlap_intervals,
    point_at,
)
from sandtable.field.shapes import (
    TOLERANCE,
    Point,
    Polygon,
    Pose,
    bearing,
    bounds,
    boxes_apart,
    contains,
    distance,
    hull,
    overlap,
    rectangle,
    span,
)
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.buildings import (
    refuse_building,
)
from sandtable.games.flames_of_war.command import far
from sandtable.games.flames_of_war.going import (
    crosses_buildings,
    grown,
    map_of,
    slim,
)
from sandtable.kernel.errors import RefusedError

Mode = Literal["move", "double", "charge", "counterattack", "break_off", "consolidate", "break_in", "disengage", "tow", "return"]

HAIR: Final = 3
"""A team that must stop short of something stops this much before it."""


_LOOK: Final = 500
"""Along a stretch inside a standoff, sight is asked this often."""


class Stop(NamedTuple):
    """Where a way ends, and the rule that ends it."""

    at: float
    rule: str
    message: str
    arguments: dict[str, Any]


def inches(far_off: float) -> float:
    """Grid units as inches, for messages."""
    return round(far_off / INCH, 2)


def _facings(leg: int, legs: int, start: int, final: int) -> list[int | None]:
    """How a base may look on a leg: where it goes, or as it stood or will stand (FOW-MOVE-06)."""
    out: list[int | None] = [None]
    if leg == 0:
        out.append(start)
    if leg == legs - 1 and final not in out:
        out.append(final)
    return out


def first_hit(path: Path, size: tuple[int, int], shape: Polygon, start: int, final: int) -> float | None:
    """The first distance at which the base cannot but overlap a shape."""
    done, legs = 0.0, len(path) - 1
    for i, leg in enumerate(itertools.pairwise(path)):
        firsts = []
        for facing in _facings(i, legs, start, final):
            found = overlap_intervals(leg, *size, shape, facing)
            if not found:
                break
            firsts.append(found[0][0])
        else:
            return done + max(firsts)
        done += span(*leg)
    return None


def _first_near(path: Path, size: tuple[int, int], shape: Polygon, limit: float, start: int, final: int) -> float | None:
    """The first distance at which the base cannot but be nearer to a (convex) shape than the limit."""
    reach = limit - TOLERANCE  # what is just at the limit has not fallen below it
    done, legs = 0.0, len(path) - 1
    for i, (p, q) in enumerate(itertools.pairwise(path)):
        step = span(p, q)
        firsts = []
        for facing in _facings(i, legs, start, final):
            found = _comes_near(p, q, swept(shape, bearing(p, q) if facing is None else facing, *size), reach)
            if found is None:
                break
            firsts.append(found * step)
        else:
            return done + max(firsts)
        done += step
    return None


@lru_cache(maxsize=20_000)
def swept(shape: Polygon, facing: int, width: int, depth: int) -> Polygon:
    """Every centre at which a base that looks some way meets a convex shape (their Minkowski sum)."""
    base = rectangle(Pose(0, 0, facing), width, depth)
    return hull([(x - dx, y - dy) for x, y in shape for dx, dy in base])


def _comes_near(p: Point, q: Point, ring: Polygon, reach: float) -> float | None:
    """The first part (0..1) of the way p-q at which it is nearer to a convex polygon than `reach`.

    The polygon can only be approached through the rim around one of its edges, so the first rim entered tells: a circle around
    each corner, and the strip beside each edge.
    """
    px, py = p
    dx, dy = q[0] - px, q[1] - py
    square = float(dx * dx + dy * dy)
    if contains(ring, p):
        return 0.0
    best = math.inf
    near = reach * reach
    ax, ay = ring[-1]
    for bx, by in ring:
        # The circle around the corner.
        ux, uy = px - bx, py - by
        inside = ux * ux + uy * uy - near
        if inside < 0:
            return 0.0
        along = -(ux * dx + uy * dy)
        if along > 0 and square:
            under = along * along - square * inside
            if under > 0:
                best = min(best, (along - math.sqrt(under)) / square)
        # The strip on the outer (right) side of the edge.
        ex, ey = bx - ax, by - ay
        size = math.sqrt(ex * ex + ey * ey)
        out = ((px - ax) * ey - (py - ay) * ex) / size
        speed = (dx * ey - dy * ex) / size
        if 0 <= out < reach and 0 <= (px - ax) * ex + (py - ay) * ey <= size * size:
            return 0.0
        if out >= reach and speed < 0:
            t = (reach - out) / speed
            foot = (px + dx * t - ax) * ex + (py + dy * t - ay) * ey
            if 0 <= foot <= size * size:
                best = min(best, t)
        ax, ay = bx, by
    return best if best < 1 else None


def base_at(team: Team, pose: Pose) -> Polygon:
    return rectangle(pose, team.profile.width, team.profile.depth)


def slim_at(team: Team, pose: Pose) -> Polygon:
    return rectangle(pose, *slim(team.profile))


def _poses_at(team: Team, path: Path, at: float, final: int) -> list[Pose]:
    """The ways a base may look at a point of its path."""
    assert team.pose is not None
    point = point_at(path, at)
    facings = [heading_at(path, at, team.pose.facing)]
    if at <= span(path[0], path[1]) and team.pose.facing not in facings:
        facings.append(team.pose.facing)
    if at >= length(path[:-1]) and final not in facings:
        facings.append(final)
    return [Pose(*point, facing) for facing in facings]


def sees_from(battle: Battle, team: Team, pose: Pose, enemy: Team) -> bool:
    from sandtable.games.flames_of_war.sight import visible

    return visible(battle, replace(team, pose=pose, building="", mounted_in="", towed_by=""), enemy)


def _standoff(battle: Battle, team: Team, path: Path, whole: float, final: int, enemy: Team, limit: int, any_enemy: bool) -> float | None:
    """Where the way comes too near to an enemy (FOW-MOVE-11, -13, FOW-DBL-06, FOW-RULING-65); None if it does not."""
    assert team.pose is not None
    size = (team.profile.width, team.profile.depth)
    theirs = enemy.base
    now = gap(team.base, theirs)
    inside = now < limit - TOLERANCE
    if not inside:
        first = _first_near(path, size, theirs, limit, team.pose.facing, final)
        if first is None:
            if distance(base_at(team, Pose(*path[-1], final)), theirs) >= limit - TOLERANCE:
                return None
            first = whole
    else:
        first = 0.0
    at, before, least = first, first, now
    while True:
        poses = _poses_at(team, path, at, final)
        if at >= whole:
            poses = [Pose(*path[-1], final)]
        room = max(distance(base_at(team, pose), theirs) for pose in poses)
        near = room < limit - TOLERANCE or (not inside and at == first)
        # Begun inside, it may go as long as the distance never shrinks (FOW-RULING-65).
        wrong = near and not (inside and room >= least - TOLERANCE)
        if wrong and (any_enemy or any(sees_from(battle, team, pose, enemy) for pose in poses)):
            return before
        if not near:
            inside = False
            again = _first_near(_rest(path, at), size, theirs, limit, heading_at(path, at, team.pose.facing), final)
            if again is None:
                return None
            at = before = at + again
            first = at
            continue
        least = max(least, room) if inside else least
        if at >= whole:
            return None
        before, at = at, min(whole, at + _LOOK)


def _rest(path: Path, at: float) -> Path:
    """The path from a distance on."""
    done = 0.0
    for i, (p, q) in enumerate(itertools.pairwise(path)):
        step = span(p, q)
        if at < done + step:
            return (point_at(path, at), *path[i + 1 :])
        done += step
    return (path[-1], path[-1])


def _kept_off(battle: Battle, team: Team, enemy: Team, mode: Mode, target: str) -> tuple[int, bool, str]:
    """How far a team must stay away from an enemy: the limit, whether it holds unseen too, and the rule."""
    if mode in ("return", "break_off"):
        return 0, False, ""
    if target and enemy.unit == target:
        return 0, False, ""
    if mode == "double":
        return far("double_standoff") + 2 * TOLERANCE, True, "FOW-DBL-06"  # the distance must stay above 8"
    if mode in ("charge", "counterattack", "break_in"):
        return far("assault_standoff"), True, "FOW-ASLT-05"
    if not team.profile.vehicle:
        return far("enemy_standoff"), False, "FOW-MOVE-11"
    if not enemy.profile.vehicle:
        return far("enemy_standoff"), False, "FOW-MOVE-13"
    return 0, False, ""


WIDEST: Final = 4300
"""No base is wider than six inches either way, so none has a greater radius."""


@lru_cache(maxsize=100_000)
def gap(one: Polygon, two: Polygon) -> float:
    """The distance of two bases."""
    return distance(one, two)


def _passes_near(path: Path, x: int, y: int, reach: float) -> bool:
    """Whether a path comes within reach of a point."""
    square = reach * reach
    for (ax, ay), (bx, by) in itertools.pairwise(path):
        dx, dy = bx - ax, by - ay
        size = dx * dx + dy * dy
        along = (x - ax) * dx + (y - ay) * dy
        t = min(1.0, max(0.0, along / size)) if size else 0.0
        ex, ey = ax + dx * t - x, ay + dy * t - y
        if ex * ex + ey * ey <= square:
            return True
    return False


def meet_teams(
    battle: Battle, team: Team, path: Path, whole: float, final: int, mode: Mode, target: str, ignore: Sequence[str]
) -> Stop | None:
    """The first team that ends the way: too near, or in the way (FOW-MOVE-09 to -13, FOW-DBL-06, FOW-ASLT-05, FOW-RULING-65)."""
    assert team.pose is not None
    profile = team.profile
    own = profile.radius
    left, low, right, high = bounds(path)
    widest = far("double_standoff") if mode == "double" else far("enemy_standoff")
    found: Stop | None = None
    start = team.pose.facing
    around = own + WIDEST + widest + 10
    for other in battle.standing_near(left - around, low - around, right + around, high + around):
        pose = other.pose
        if pose is None or other.id == team.id:
            continue
        friend = other.side == team.side
        if friend and not (profile.vehicle and other.profile.vehicle):
            continue  # foot teams, guns and cavalry pass through friends, and friends through them
        reach = own + other.profile.radius + (0 if friend else widest + 10)
        if not (left - reach <= pose.x <= right + reach and low - reach <= pose.y <= high + reach):
            continue
        if other.id in ignore or not _passes_near(path, pose.x, pose.y, reach):
            continue
        stop: Stop | None = None
        if friend:
            hit = first_hit(path, slim(profile), other.base, start, final)
            if hit is not None and not (hit == 0 and overlap(team.base, other.base)):
                stop = Stop(hit, "FOW-MOVE-10", "refused.no_gap", {"team": team.id, "other": other.id})
        else:
            limit, any_enemy, rule = _kept_off(battle, team, other, mode, target)
            if limit:
                near = _standoff(battle, team, path, whole, final, other, limit, any_enemy)
                if near is not None:
                    arguments = {"team": team.id, "enemy": other.id, "limit": inches(limit - limit % 10)}
                    stop = Stop(near, rule, "refused.standoff", arguments)
            if not other.profile.vehicle and mode != "return" and stop is None:
                hit = first_hit(path, slim(profile), other.base, start, final)
                if hit is not None:
                    stop = Stop(hit, "FOW-RULING-65", "refused.through_enemy", {"team": team.id, "enemy": other.id})
        if stop is not None and (found is None or stop.at < found.at):
            found = stop
    return found


def meet_buildings(battle: Battle, team: Team, path: Path, final: int, leaving: str) -> Stop | None:
    """The first wall that ends the way, for teams that do not drive through walls."""
    profile = team.profile
    if crosses_buildings(profile):
        return None
    assert team.pose is not None
    reach = grown(bounds(path), max(profile.width, profile.depth))
    size = slim(profile)
    if profile.foot:
        size = (min(size), min(size))  # men file past a corner
    found: Stop | None = None
    for piece in map_of(battle.ground).buildings:
        if piece.id == leaving or boxes_apart(piece.box, reach):
            continue
        hit = first_hit(path, size, piece.outline, team.pose.facing, final)
        if hit is None and overlap(slim_at(team, Pose(*path[-1], final)), piece.outline):
            hit = length(path)
        if hit is not None and (found is None or hit < found.at):
            try:
                refuse_building(team, piece.id)
                found = Stop(hit, "FOW-BLDG-05", "refused.through_wall", {"team": team.id, "building": piece.id})
            except RefusedError as problem:
                found = Stop(hit, problem.rule, problem.message, dict(problem.arguments))
    return found
