"""Moves into, out of and inside buildings (FOW-BLDG-02 to -09, FOW-RULING-69)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.field.paths import (
    Path,
    heading_at,
    intervals_inside,
    length,
)
from sandtable.field.shapes import (
    TOLERANCE,
    Pose,
    contains,
    overlap,
)
from sandtable.field.terrain import Piece
from sandtable.games.flames_of_war.battle import Battle, Team
from sandtable.games.flames_of_war.buildings import (
    before_opening,
    check_room,
    opening_id,
    passable,
    refuse_building,
    touched_openings,
)
from sandtable.games.flames_of_war.going import (
    Stretch,
    Underfoot,
    crosses_buildings,
)
from sandtable.games.flames_of_war.meeting import (
    Mode,
    Stop,
    slim_at,
)
from sandtable.games.flames_of_war.surveying import (
    Plan,
    Survey,
    check_end,
    check_pinned,
    final_facing,
    make_plan,
    pinned_down,
    reach_of,
    refuse,
    survey,
)
from sandtable.kernel.errors import RefusedError


def plan_building(battle: Battle, team: Team, path: Path, facing: int | None, goal: Piece | None, mode: Mode, target: str) -> Plan:
    """Into, out of or inside a building (FOW-BLDG-03 to -09)."""
    home = battle.ground.by_id.get(team.building) if team.building else None
    refuse_building(team, home.id if home is not None else goal.id if goal is not None else "")
    if crosses_buildings(team.profile):
        found = survey(battle, team, path, mode, facing, target)
        if found.stop is not None:
            raise refuse(found.stop, found)
        final = final_facing(team, path, facing, mode)
        check_end(battle, team, Pose(*path[-1], final), mode, ())
        return make_plan(battle, team, found, path, final, mode, building=goal.id if goal is not None else "")
    if mode == "double":
        raise RefusedError("FOW-BLDG-02", "refused.double_in_building", team=team.id)
    if home is not None and goal is not None and goal.id == home.id:
        return _plan_inside(battle, team, path, facing, home, mode)
    if home is not None:
        if goal is not None:
            raise RefusedError("FOW-BLDG-05", "refused.no_way_in", team=team.id, building=goal.id)
        return _plan_leave(battle, team, path, facing, home, mode, target)
    assert goal is not None
    return _plan_enter(battle, team, path, facing, goal, mode, target)


def _plan_inside(battle: Battle, team: Team, path: Path, facing: int | None, home: Piece, mode: Mode) -> Plan:
    whole, allowed = length(path), float(reach_of(battle, team, mode, "very_difficult"))
    assert team.pose is not None
    final = team.pose.facing if facing is None else facing
    found = Survey(path, whole, allowed, Underfoot((Stretch(0.0, whole, "very_difficult"),), ()), None)
    if whole > allowed + TOLERANCE:
        raise refuse(Stop(allowed, "FOW-MOVE-02", "refused.too_far", {"team": team.id}), found)
    check_room(battle, team, Pose(*path[-1], final), home)
    return make_plan(battle, team, found, path, final, mode, building=home.id)


def _plan_enter(battle: Battle, team: Team, path: Path, facing: int | None, goal: Piece, mode: Mode, target: str) -> Plan:
    """In by an opening it touches, or reaches and a friend touched when the step began; its move ends inside (FOW-BLDG-05)."""
    assert team.pose is not None
    here = [number for piece, number in touched_openings(battle, team.base) if piece.id == goal.id]
    known = battle.doorways or ()
    outside = tuple(point for point in path[:-1] if not contains(goal.outline, point, strict=True))
    ways: list[tuple[float, int, Path]] = [(0.0, number, path[:1]) for number in here]
    for number, door in enumerate(goal.doors):
        if number not in here and mode == "move" and opening_id(goal, number) in known:
            stand = before_opening(door, team.profile.depth).point
            way = (*outside, stand) if outside[-1] != stand else outside
            ways.append((length(way), number, way))
    problem: RefusedError | None = None
    for _, number, way in sorted(ways):
        if mode == "move" and not passable(battle, goal, number, team.profile):
            problem = problem or RefusedError("FOW-BLDG-04", "refused.opening_used", team=team.id, building=goal.id)
            continue
        final = facing if facing is not None else team.pose.facing
        found = Survey(way, 0.0, float(reach_of(battle, team, mode, "very_difficult")), Underfoot((), ()), None)
        if len(way) > 1:
            found = survey(battle, team, way, mode, None, target, leaving=goal.id)
            if found.stop is not None:
                problem = problem or refuse(found.stop, found)
                continue
        pose = Pose(*path[-1], final)
        check_room(battle, team, pose, goal)
        opening = opening_id(goal, number) if mode == "move" else ""
        if mode == "move" and pinned_down(battle, team):
            check_pinned(battle, team, pose)
        return make_plan(battle, team, found, (*way, path[-1]), final, mode, building=goal.id, opening=opening)
    raise problem or RefusedError("FOW-BLDG-05", "refused.no_way_in", team=team.id, building=goal.id)


def _plan_leave(battle: Battle, team: Team, path: Path, facing: int | None, home: Piece, mode: Mode, target: str) -> Plan:
    """Out by an opening; the move is measured from it (FOW-BLDG-06)."""
    assert team.pose is not None
    outside = tuple(point for point in path[1:] if not contains(home.outline, point))
    ways: list[tuple[float, int, Path]] = []
    for number, door in enumerate(home.doors):
        way = (door.middle, *outside)
        out = before_opening(door, 2).point
        dx, dy = out[0] - door.middle[0], out[1] - door.middle[1]
        ahead = (outside[0][0] - door.middle[0]) * dx + (outside[0][1] - door.middle[1]) * dy
        if ahead > 0 and not any(end - start > 10 for start, end in intervals_inside(way, home.outline)):
            ways.append((length(way), number, way))
    problem: RefusedError | None = None
    for _, number, way in sorted(ways):
        if mode == "move" and not passable(battle, home, number, team.profile):
            problem = problem or RefusedError("FOW-BLDG-04", "refused.opening_used", team=team.id, building=home.id)
            continue
        from_door = replace(team, pose=Pose(*way[0], heading_at(way, 0, team.pose.facing)), building="")
        found = survey(battle, from_door, way, mode, facing, target, leaving=home.id)
        if found.stop is not None:
            problem = problem or refuse(found.stop, found)
            continue
        final = facing if facing is not None else heading_at(way, length(way), team.pose.facing)
        pose = Pose(*way[-1], final)
        if overlap(slim_at(team, pose), home.outline):
            problem = problem or RefusedError("FOW-BLDG-06", "refused.through_wall", team=team.id, building=home.id)
            continue
        check_end(battle, team, pose, mode, ())
        opening = opening_id(home, number) if mode == "move" else ""
        return make_plan(battle, team, found, way, final, mode, opening=opening)
    raise problem or RefusedError("FOW-BLDG-06", "refused.no_way_out", team=team.id, building=home.id)
