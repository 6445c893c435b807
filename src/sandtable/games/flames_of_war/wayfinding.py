"""Finding ways: the furthest legal move towards a place or away from enemies, a charge into contact, a free place.

Everything here is deterministic and cheap: a straight way first, a search around obstacles only where something blocks it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.field.paths import Path, cut, find_route, free_place_near, heading_at, length, overlap_intervals
from sandtable.field.shapes import (
    TOLERANCE,
    Point,
    Polygon,
    Pose,
    bearing,
    bounds,
    boxes_apart,
    cosine,
    distance,
    move_towards,
    nearest_points,
    overlap,
    pierces,
    place,
    rectangle,
    sine,
    span,
    within,
)
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.buildings import before_opening
from sandtable.games.flames_of_war.command import far
from sandtable.games.flames_of_war.going import crosses_buildings, grown, map_of
from sandtable.games.flames_of_war.meeting import HAIR, WIDEST, Mode
from sandtable.games.flames_of_war.routes import obstacles_for, plan_route
from sandtable.games.flames_of_war.surveying import BY_CHART, check_able, check_end, reach_of, survey, taken_by
from sandtable.kernel.decisions import Route
from sandtable.kernel.errors import RefusedError

_BACK = 300
"""Looking for a free end, a way is cut back by this much at a time."""
_TOUCHING = 50
"""At most this far from an obstacle a base touches it (FOW-RULING-70)."""
_NEARLY = 0.9
"""A straight way that gets this far of what it may is good enough."""


def furthest_towards(
    battle: Battle, team_id: str, goal: Point, mode: Mode = "move", *, target: str = "", facing: int | None = None
) -> Route | None:
    """The legal move that gets furthest on the way to a place (around what blocks it), or None if there is none."""
    team = battle.teams[team_id]
    if team.pose is None or team.carried or team.bailed_out or team.bogged or team.centre == goal:
        return None
    most = _most(battle, team, mode)
    if not most or not _able(battle, team, mode):
        return None
    inside = (half_of(team), half_of(team), battle.ground.width - half_of(team), battle.ground.height - half_of(team))
    goal = (min(max(goal[0], inside[0]), inside[2]), min(max(goal[1], inside[1]), inside[3]))
    whole = span(team.centre, goal)
    path: Path = (team.centre, move_towards(team.centre, goal, most))
    best = _legal_part(battle, team, path, mode, target, facing)
    if best is not None and (best[1] >= _NEARLY * min(most, whole) or not _blocked(battle, team, path, mode)):
        return best[0]
    around = find_route(team.centre, goal, obstacles_for(battle, team, bounds(path), mode), half_of(team) + 30, inside)
    if around is not None and len(around) > 2:
        found = _legal_part(battle, team, cut(around, most), mode, target, facing)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    return None if best is None else best[0]


def half_of(team: Team) -> int:
    """Half of the longer side of a base."""
    return max(team.profile.width, team.profile.depth) // 2 + 2


def _most(battle: Battle, team: Team, mode: Mode) -> int:
    """The furthest a team may ever go in one move."""
    if mode in BY_CHART and map_of(battle.ground).roads:
        return max(reach_of(battle, team, mode, going) for going in ("road", "cross_country"))
    return reach_of(battle, team, mode)


def _blocked(battle: Battle, team: Team, path: Path, mode: Mode) -> bool:
    """Whether something that can be gone around lies on a straight way."""
    box = grown(bounds(path), half_of(team))
    return any(
        not boxes_apart(bounds(shape), box) and overlap_intervals(path, team.profile.width, team.profile.depth, shape)
        for shape in obstacles_for(battle, team, bounds(path), mode)
    )


def _legal_part(
    battle: Battle, team: Team, path: Path, mode: Mode, target: str = "", facing: int | None = None, **options: Any
) -> tuple[Route, float] | None:
    """The longest first part of a way that is a legal move, and its length."""
    assert team.pose is not None
    if len(path) < 2:
        return None
    found = survey(battle, team, path, mode, facing, target)
    room = found.whole if found.stop is None else min(found.whole, found.stop.at - HAIR)
    # A part of a way that was measured is legal if its end is. Near buildings and enemies, and with bends at the double, plan it anew.
    simple = not team.building and not (mode == "double" and len(path) > 2)
    tries = 0
    for _ in range(24):
        if room < 50 or tries > 7:
            return None
        way = path if room >= found.whole else cut(path, room)
        end = Pose(*way[-1], heading_at(way, length(way), team.pose.facing) if facing is None else facing)
        base = rectangle(end, team.profile.width, team.profile.depth)
        if battle.ground.within_table(base) and taken_by(battle, team, end) is None:
            route = Route(way[1:], facing)
            tries += 1
            houses = any(not boxes_apart(piece.box, bounds(base)) for piece in map_of(battle.ground).buildings)
            if simple and not houses and not _near_enemies(battle, team, end.point, mode):
                try:
                    check_end(battle, team, end, mode, options.get("enemies", ()))
                    return route, room
                except RefusedError:
                    pass
            elif _legal(battle, team.id, route, mode, target=target, **options):
                return route, room
        room -= _BACK * (1 + tries * tries // 4)
    return None


def _legal(battle: Battle, team_id: str, route: Route, mode: Mode, **options: Any) -> bool:
    try:
        plan_route(battle, team_id, route, mode, **options)
    except RefusedError:
        return False
    return True


def _near_enemies(battle: Battle, team: Team, point: Point, mode: Mode) -> bool:
    """Whether an enemy may be within a standoff of a place."""
    reach = team.profile.radius + (far("double_standoff") if mode == "double" else far("enemy_standoff")) + 10
    x, y = point
    around = reach + WIDEST
    for other in battle.standing_near(x - around, y - around, x + around, y + around):
        spot = other.pose
        if other.side != team.side and spot is not None:
            far_off = reach + other.profile.radius
            if abs(spot.x - x) <= far_off and abs(spot.y - y) <= far_off:
                return True
    return False


def _able(battle: Battle, team: Team, mode: Mode) -> bool:
    try:
        check_able(battle, team, mode)
    except RefusedError:
        return False
    return True


# -- away ---------------------------------------------------------------------------------------------------------------


def away_from(battle: Battle, team_id: str, enemies: Sequence[str], mode: Mode = "break_off") -> Route:
    """The legal move that gets furthest from some enemies; an empty route if none gets further."""
    team = battle.teams[team_id]
    foes = [battle.teams[id] for id in enemies if battle.teams[id].on_table]
    if not foes or team.pose is None or team.carried or team.bailed_out or team.bogged:
        return Route()
    most = reach_of(battle, team, mode)
    if not most or not _able(battle, team, mode):
        return Route()

    def clearance(point: Point, facing: int) -> float:
        base = rectangle(Pose(*point, facing), team.profile.width, team.profile.depth)
        # No base is nearer than its centre less both radii: few have to be measured.
        least = sorted((span(point, foe.centre) - foe.profile.radius, foe.id, foe) for foe in foes)
        best = math.inf
        for apart, _, foe in least:
            if apart - team.profile.radius >= best:
                break
            best = min(best, distance(base, foe.base))
        return best

    now = clearance(team.centre, team.pose.facing)
    best: tuple[float, Route] = (now, Route())
    straight = _flee_heading(team, foes)
    for turn in (0, 20, -20, 40, -40, 60, -60, 90, -90, 120, -120, 150, -150, 180):
        heading = round(straight + turn) % 360
        goal = _towards(team.centre, heading, most)
        if best[1].path and clearance(goal, heading) <= best[0]:
            continue  # even all of this way would not be better
        found = _legal_part(battle, team, (team.centre, goal), mode, facing=heading, enemies=[foe.id for foe in foes])
        if found is None:
            continue
        gap = clearance(found[0].path[-1], heading)
        if gap > best[0] + TOLERANCE:
            best = (gap, found[0])
            if turn == 0 and found[1] >= most - HAIR:
                break
    return best[1]


def _flee_heading(team: Team, foes: Sequence[Team]) -> int:
    """Away from all of them, the near ones weighing most."""
    x = y = 0.0
    for foe in foes:
        dx, dy = team.centre[0] - foe.centre[0], team.centre[1] - foe.centre[1]
        square = max(1.0, float(dx * dx + dy * dy))
        x, y = x + dx * 1e6 / square, y + dy * 1e6 / square
    if abs(x) + abs(y) < 1e-6:
        assert team.pose is not None
        return (team.pose.facing + 180) % 360
    return bearing((0.0, 0.0), (x, y))


def _towards(point: Point, heading: int, far_off: float) -> Point:
    return (point[0] + round(sine(heading) * far_off / 10**9), point[1] + round(cosine(heading) * far_off / 10**9))


# -- contact ------------------------------------------------------------------------------------------------------------


def contact_route(battle: Battle, team_id: str, enemy_id: str, mode: Mode = "charge", *, target: str = "") -> Route | None:
    """A move into contact with an enemy: base to base, or to an opening of its building or the obstacle it stands at; or None."""
    team, enemy = battle.teams[team_id], battle.teams[enemy_id]
    if team.pose is None or enemy.pose is None or team.carried or team.bailed_out or team.bogged:
        return None
    target = target or enemy.unit
    most = reach_of(battle, team, mode)
    if span(team.centre, enemy.centre) > most + half_of(team) * 2 + half_of(enemy) * 2 + _building_reach(battle, enemy):
        return None
    for pose in _contact_poses(battle, team, enemy):
        if pose == team.pose:
            return Route((), pose.facing)
        if span(team.centre, pose.point) > most + TOLERANCE:
            continue
        if taken_by(battle, team, pose) is not None:
            continue
        route = Route((pose.point,), pose.facing)
        if _legal(battle, team_id, route, mode, target=target):
            return route
    return None


def _building_reach(battle: Battle, enemy: Team) -> float:
    if not enemy.building:
        return 0.0
    left, low, right, high = battle.ground.by_id[enemy.building].box
    return max(right - left, high - low)


def _contact_poses(battle: Battle, team: Team, enemy: Team) -> Iterator[Pose]:
    """Places to stand in contact with an enemy, the most natural first."""
    assert team.pose is not None
    if enemy.building and enemy.building != team.building:
        piece = battle.ground.by_id[enemy.building]
        if crosses_buildings(team.profile):
            yield from _against(team, piece.outline, bearing(team.centre, nearest_points((team.centre,), piece.outline)[1]))
            return
        stands = [before_opening(door, team.profile.depth) for door in piece.doors]
        yield from sorted(stands, key=lambda pose: (span(team.centre, pose.point), pose))
        return
    wall = _obstacle_between(battle, team, enemy)
    if wall is not None:
        # Stop at the obstacle the enemy stands behind: across it they are in contact (FOW-RULING-70).
        straight = bearing(team.centre, nearest_points((team.centre,), enemy.base)[1])
        across = bearing(team.centre, nearest_points((team.centre,), wall)[1])
        yield from _against(team, wall, straight)
        yield from _against(team, wall, across)
        return
    if within(distance(team.base, enemy.base), TOLERANCE):
        yield team.pose
    yield from _against(team, enemy.base, bearing(team.centre, nearest_points((team.centre,), enemy.base)[1]))
    yield from _against(team, enemy.base, bearing(team.centre, enemy.centre))
    ring = []
    for heading in range(0, 360, 15):
        stand = _touching(enemy.base, enemy.centre, heading, team.profile.depth)
        ring.append((span(team.centre, stand), heading, stand))
    for _, heading, stand in sorted(ring):
        # From there straight at it, until the front touches.
        facing = (heading + 180) % 360
        found = overlap_intervals((stand, enemy.centre), team.profile.width, team.profile.depth, enemy.base, facing)
        if found:
            yield Pose(*_towards(stand, facing, max(0.0, found[0][0] - HAIR)), facing)


def _against(team: Team, shape: Polygon, heading: int) -> Iterator[Pose]:
    """Straight on until the front touches a shape."""
    goal = _towards(team.centre, heading, 30 * INCH)
    found = overlap_intervals((team.centre, goal), team.profile.width, team.profile.depth, shape, heading)
    if found and found[0][0] > HAIR:
        yield Pose(*_towards(team.centre, heading, found[0][0] - HAIR), heading)


def _touching(shape: Polygon, centre: Point, heading: int, depth: int) -> Point:
    """The centre of a base that stands outside a shape in some direction, its front to it."""
    s, c = sine(heading), cosine(heading)
    support = max((x - centre[0]) * s + (y - centre[1]) * c for x, y in shape) / 10**9
    return _towards(centre, heading, support + depth / 2 + HAIR)


def _obstacle_between(battle: Battle, team: Team, enemy: Team) -> Polygon | None:
    """The linear obstacle that an enemy touches, if it lies between."""
    reach = grown(bounds(enemy.base), _TOUCHING)
    for piece in map_of(battle.ground).lines:
        if (
            not boxes_apart(piece.box, reach)
            and within(distance(enemy.base, piece.outline), _TOUCHING)
            and pierces(team.centre, enemy.centre, piece.outline)
            and not overlap(team.base, piece.outline)
        ):
            return piece.outline
    return None


# -- places -------------------------------------------------------------------------------------------------------------


def free_pose_near(
    battle: Battle,
    team_id: str,
    wanted: Pose,
    *,
    far_off: int = 12 * INCH,
    standoff: bool = False,
    allowed: Callable[[Pose], bool] | None = None,
) -> Pose | None:
    """The free place nearest to a wanted one where a team may stand: on the table, on nobody, in no wall.

    With `standoff` also out of two inches from every enemy; `allowed` may limit it further.
    """
    team = battle.teams[team_id]
    profile = team.profile
    reach = grown((wanted.x, wanted.y, wanted.x, wanted.y), far_off + 2 * half_of(team))
    taken: list[Polygon] = [base for _, base in battle.bases(but=[team_id]) if not boxes_apart(bounds(base), reach)]
    if not crosses_buildings(profile):
        taken += [piece.outline for piece in map_of(battle.ground).buildings if not boxes_apart(piece.box, reach)]
    enemies = [enemy.base for enemy in battle.enemies(team.side)] if standoff else []

    def good(pose: Pose) -> bool:
        base = rectangle(pose, profile.width, profile.depth)
        if any(distance(base, enemy) < far("enemy_standoff") - TOLERANCE for enemy in enemies):
            return False
        return allowed is None or allowed(pose)

    return free_place_near(
        wanted, profile.width, profile.depth, taken, battle.ground.box, far=far_off, step=250, allowed=good if enemies or allowed else None
    )


def place_beside(battle: Battle, team_id: str, carrier: Team, standoff: bool = True) -> Pose | None:
    """A place touching a vehicle, for a team that gets out of it (FOW-RULING-67): behind it first, then around; None if there is none."""
    team = battle.teams[team_id]
    assert carrier.pose is not None
    profile, hull = team.profile, carrier.profile
    facing = carrier.pose.facing
    deep, wide = (hull.depth + profile.depth) // 2 + 5, (hull.width + profile.width) // 2 + 5
    spots: list[tuple[int, int]] = [(0, -deep), (wide, 0), (-wide, 0), (wide, -deep // 2), (-wide, -deep // 2)]
    spots += [(wide, deep // 2), (-wide, deep // 2), (0, deep), (wide, -deep), (-wide, -deep), (wide, deep), (-wide, deep)]
    shadow = replace(battle, teams=battle.teams | {team_id: replace(team, mounted_in="", towed_by="", pose=None)})
    enemies = [enemy.base for enemy in battle.enemies(team.side)] if standoff else []
    for right, forward in spots:
        pose = Pose(*place(carrier.pose, right, forward), facing)
        base = rectangle(pose, profile.width, profile.depth)
        if not battle.ground.within_table(base) or taken_by(shadow, team, pose) is not None:
            continue
        if any(overlap(base, piece.outline) for piece in map_of(battle.ground).buildings):
            continue
        if any(distance(base, enemy) < far("enemy_standoff") - TOLERANCE for enemy in enemies):
            continue
        return pose
    return None
