"""Buildings: their openings, who may go in and how many they hold (FOW-BLDG-01 to -09, FOW-RULING-69)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sandtable.field.shapes import (
    Point,
    Polygon,
    Pose,
    bounds,
    boxes_apart,
    centroid,
    contains,
    distance,
    inside,
    overlap,
    place,
    rectangle,
    within,
)
from sandtable.field.terrain import Ground, Opening, Piece
from sandtable.games.flames_of_war.battle import Battle, Team
from sandtable.games.flames_of_war.going import crosses_buildings, grown, map_of, slim_base
from sandtable.games.flames_of_war.profile import TeamProfile
from sandtable.kernel.errors import RefusedError

RIGHT_AT = 250
"""Right at an opening: at most a quarter of an inch away (FOW-RULING-69)."""


def opening_id(building: Piece, number: int) -> str:
    return f"{building.id}#{number}"


def building_at(ground: Ground, point: Point) -> Piece | None:
    """The building a point lies inside."""
    x, y = point
    for piece in map_of(ground).buildings:
        left, low, right, high = piece.box
        if left < x < right and low < y < high and contains(piece.outline, point, strict=True):
            return piece
    return None


def touched_openings(battle: Battle, base: Polygon) -> Iterator[tuple[Piece, int]]:
    """The openings a base is right at, from outside or inside."""
    reach = grown(bounds(base), RIGHT_AT + 2)
    for piece in map_of(battle.ground).buildings:
        if not boxes_apart(piece.box, reach):
            for number, door in enumerate(piece.doors):
                if within(distance(base, (door.start, door.end)), RIGHT_AT):
                    yield piece, number


def openings_of_side(battle: Battle, side: str) -> tuple[str, ...]:
    """Every opening that a team of the side touches (FOW-BLDG-05)."""
    if not map_of(battle.ground).buildings:
        return ()
    found = [opening_id(piece, number) for team in battle.side_teams(side) for piece, number in touched_openings(battle, team.base)]
    return tuple(sorted(set(found)))


def lets_pass(door: Opening, profile: TeamProfile) -> int:
    """How many teams pass one opening in a step: one, or as many as fit whole side by side (FOW-BLDG-04)."""
    wide = distance((door.start,), (door.end,))
    return max(1, int((wide + 2) // min(profile.width, profile.depth)))


def passable(battle: Battle, building: Piece, number: int, profile: TeamProfile) -> bool:
    return battle.passages.count(opening_id(building, number)) < lets_pass(building.doors[number], profile)


def before_opening(door: Opening, depth: int) -> Pose:
    """Where a team stands that is right at an opening, its front to the wall."""
    out = place(Pose(*door.middle, door.outward), 0, depth // 2 + 5)
    return Pose(*out, (door.outward + 180) % 360)


def refuse_building(team: Team, building: str) -> None:
    """Raises the rule that keeps a kind of team out of buildings altogether."""
    profile = team.profile
    if profile.foot or crosses_buildings(profile):
        return
    if profile.team_type == "cavalry":
        raise RefusedError("FOW-BLDG-07", "refused.cavalry_in_building", team=team.id, building=building)
    if profile.team_type == "gun":
        raise RefusedError("FOW-BLDG-09", "refused.gun_in_building", team=team.id, building=building)
    raise RefusedError("FOW-BLDG-08", "refused.vehicle_in_building", team=team.id, building=building)


@lru_cache(maxsize=1000)
def too_small(outline: Polygon, width: int, depth: int) -> bool:
    """Whether a building cannot hold a base of that size at all; then it holds exactly one (FOW-BLDG-01)."""
    left, low, right, high = bounds(outline)
    if min(width, depth) > min(right - left, high - low) or width * depth > (right - left) * (high - low):
        return True
    middle = centroid(outline)
    return not any(inside(rectangle(Pose(*middle, degrees), width, depth), outline) for degrees in range(0, 180, 5))


def check_room(battle: Battle, team: Team, pose: Pose, building: Piece) -> None:
    """Raises if a foot team does not fit into a building at a place (FOW-BLDG-01)."""
    profile = team.profile
    base = rectangle(pose, profile.width, profile.depth)
    holds = [other for other in battle.teams.values() if other.building == building.id and other.on_table and other.id != team.id]
    if too_small(building.outline, profile.width, profile.depth):
        if holds:
            raise RefusedError("FOW-BLDG-01", "refused.building_full", team=team.id, building=building.id)
        return
    if not inside(slim_base(pose.x, pose.y, pose.facing, profile.width, profile.depth), building.outline):
        raise RefusedError("FOW-BLDG-01", "refused.sticks_out", team=team.id, building=building.id)
    for other in holds:
        if overlap(base, other.base):
            raise RefusedError("FOW-BLDG-01", "refused.overlap", team=team.id, other=other.id)


def room_inside(battle: Battle, team: Team, building: Piece) -> Pose | None:
    """A free place in a building for a foot team: nearest to its middle."""
    left, low, right, high = building.box
    middle = centroid(building.outline)
    spots = sorted(
        ((x, y) for x in range(int(left) + 250, int(right), 500) for y in range(int(low) + 250, int(high), 500)),
        key=lambda p: ((p[0] - middle[0]) ** 2 + (p[1] - middle[1]) ** 2, p),
    )
    assert team.pose is not None
    for point in [middle, *spots]:
        for facing in dict.fromkeys((team.pose.facing, 0, 90)):
            pose = Pose(*point, facing)
            try:
                check_room(battle, team, pose, building)
            except RefusedError:
                continue
            return pose
    return None
