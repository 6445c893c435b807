"""Routes: what a move may be, and making it.

`plan_route` is pure: it measures a route, finds the terrain and the teams it meets, and either gives a `Plan` or raises the rule that the
route breaks. `carry_out` walks a plan at the table: it rolls the bogging checks and says what happened. Every kind of move goes
through here: moves, at the double, charges, counterattacks, breaking off, breaking in, consolidating, disengaging, tows, going back.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from sandtable.field.paths import (
    Path,
    cut,
    find_route,
    heading_at,
    length,
    point_at,
)
from sandtable.field.shapes import (
    TOLERANCE,
    Box,
    Point,
    Polygon,
    Pose,
    bounds,
    boxes_apart,
    contains,
    distance,
    overlap,
    snap,
    span,
)
from sandtable.games.flames_of_war.battle import INCH, Battle, Bogged, Destroyed, LeftTable, Moved, Team, Turned
from sandtable.games.flames_of_war.buildings import (
    building_at,
    check_room,
)
from sandtable.games.flames_of_war.going import (
    chart_reach,
    crosses_buildings,
    grown,
    map_of,
    slim,
)
from sandtable.games.flames_of_war.house_routes import plan_building
from sandtable.games.flames_of_war.kept import kept
from sandtable.games.flames_of_war.meeting import (
    HAIR,
    WIDEST,
    Mode,
    base_at,
    first_hit,
    inches,
    slim_at,
)
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.surveying import (
    Plan,
    check_able,
    check_end,
    check_place,
    cut_to,
    final_facing,
    make_plan,
    reach_of,
    refuse,
    survey,
    taken_by,
)
from sandtable.games.flames_of_war.transport import Mounted, check_carry, tows
from sandtable.kernel.decisions import Route
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event
from sandtable.kernel.table import Table

JUST_OVER: Final = 100
"""How far over the edge the front of a team that bogs is set (FOW-RULING-66)."""


class WentThrough(Event, frozen=True):
    """A team used an opening of a building in a movement step (FOW-BLDG-04)."""

    team: str
    opening: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, passages=(*battle.passages, self.opening))

    def units(self) -> tuple[str, ...]:
        return (self.team,)


EVENTS: tuple[type[Event], ...] = (WentThrough,)


def plan_route(
    battle: Battle,
    team_id: str,
    route: Route,
    mode: Mode,
    *,
    target: str = "",
    enemies: Sequence[str] = (),
    start: Pose | None = None,
) -> Plan:
    """The plan of a route, or RefusedError with the rule that it breaks.

    `target` is the platoon that an assault move goes for (no standoff from it); `enemies` are those it must not come nearer to when
    breaking off or disengaging; `start` is where a passenger that gets out begins (its vehicle).
    """
    return _planned(battle, team_id, route, mode, target, tuple(enemies), start)


@kept
def _planned(battle: Battle, team_id: str, route: Route, mode: Mode, target: str, enemies: tuple[str, ...], start: Pose | None) -> Plan:
    team = battle.teams[team_id]
    if start is not None:
        team = replace(team, pose=start, mounted_in="", towed_by="")
    elif team.carried:
        raise RefusedError("FOW-TRN-06", "refused.carried", team=team_id, carrier=team.mounted_in or team.towed_by)
    path = _tidy_path(team, route)
    if len(path) == 1:
        return plan_turn(battle, team, route.facing, mode)
    check_able(battle, team, mode)
    if mode == "move" and not team.profile.vehicle and (carrier := _carrier_at(battle, team, path[-1])) is not None:
        return _plan_mount(battle, team, path, carrier)
    edge = _edge_crossing(battle, path)
    if edge is not None:
        return _plan_exit(battle, team, path, edge, mode)
    goal = building_at(battle.ground, path[-1])
    if team.building or (goal is not None and not crosses_buildings(team.profile)):
        return plan_building(battle, team, path, route.facing, goal, mode, target)

    final = final_facing(team, path, route.facing, mode)
    found = survey(battle, team, path, mode, final, target)
    if found.stop is not None:
        raise refuse(found.stop, found)
    if mode == "double":
        _check_straight(battle, team, path)
    pose = Pose(*path[-1], final)
    check_end(battle, team, pose, mode, enemies)
    return make_plan(battle, team, found, path, final, mode, building=goal.id if goal is not None else "")


def _tidy_path(team: Team, route: Route) -> Path:
    assert team.pose is not None
    points = [team.centre]
    for point in route.path:
        if point != points[-1]:
            points.append(point)
    return tuple(points)


def plan_turn(battle: Battle, team: Team, facing: int | None, mode: Mode = "move") -> Plan:
    """Staying, or turning on the spot: no movement, except for hull weapons and guns turned by more than 90 degrees (FOW-RULING-71)."""
    assert team.pose is not None
    if facing is None or facing == team.pose.facing:
        return Plan(team.id, mode, (team.centre,), team.pose.facing, 0.0, 0.0, counts=False, building=team.building)
    if team.bailed_out:
        raise RefusedError("FOW-BAIL-01", "refused.bailed_out", team=team.id)
    if team.bogged:
        raise RefusedError("FOW-BOG-05", "refused.bogged", team=team.id)
    pose = Pose(*team.centre, facing)
    if team.building and team.profile.foot:
        check_room(battle, team, pose, battle.ground.by_id[team.building])
    else:
        check_place(battle, team, pose)
        if not crosses_buildings(team.profile) and not team.building:
            for piece in map_of(battle.ground).buildings:
                if overlap(slim_at(team, pose), piece.outline):
                    raise RefusedError("FOW-BLDG-05", "refused.through_wall", team=team.id, building=piece.id)
    turn = abs((facing - team.pose.facing + 180) % 360 - 180)
    arc_weapon = any(not weapon.all_round for weapon in team.profile.weapons) and not team.profile.turntable
    counts = turn > 90 and arc_weapon and team.side == battle.active
    return Plan(team.id, mode, (team.centre,), facing, 0.0, 0.0, counts=counts, building=team.building)


def _check_straight(battle: Battle, team: Team, path: Path) -> None:
    """The shortest way: straight, unless it follows a road or passes an obstacle that blocks the straight line (FOW-DBL-02)."""
    if len(path) == 2 or length(path) <= span(path[0], path[-1]) + 10:
        return
    roads = map_of(battle.ground).roads
    bends = [p for a, p, b in zip(path, path[1:], path[2:], strict=False) if abs(span(a, b) - span(a, p) - span(p, b)) > 1]
    if all(any(contains(road.outline, bend) for road in roads) for bend in bends):
        return
    around = find_route(path[0], path[-1], obstacles_for(battle, team, bounds(path), "double"), team.profile.width // 2)
    shortest = length(around) if around is not None else math.inf
    # Ways are drawn by hand: an inch, or a tenth, is not a detour.
    if length(path) > shortest + max(1000.0, shortest / 10):
        raise RefusedError("FOW-DBL-02", "refused.not_straight", team=team.id, shortest=inches(shortest), walked=inches(length(path)))


def obstacles_for(battle: Battle, team: Team, box: Box, mode: Mode) -> list[Polygon]:
    """What a team must go around, near a box: walls, ground it may not enter, vehicles in the way of vehicles."""
    profile = team.profile
    reach = grown(box, 6 * INCH)
    lie = map_of(battle.ground)
    found = [piece.outline for piece in lie.buildings if not crosses_buildings(profile) and not boxes_apart(piece.box, reach)]
    for piece, going in lie.rough:
        if not boxes_apart(piece.box, reach) and (mode == "double" or not chart_reach(profile.mobility, going)):
            found.append(piece.outline)
    for other in battle.standing_near(reach[0] - WIDEST, reach[1] - WIDEST, reach[2] + WIDEST, reach[3] + WIDEST):
        blocks = not other.profile.vehicle if other.side != team.side else profile.vehicle and other.profile.vehicle
        if blocks and other.id != team.id and not boxes_apart(other.box, reach):
            found.append(other.base)
    return found


def _edge_crossing(battle: Battle, path: Path) -> Path | None:
    """The path up to the table's edge, if it goes beyond."""
    width, height = battle.ground.width, battle.ground.height
    for i, (p, q) in enumerate(itertools.pairwise(path)):
        if 0 <= q[0] <= width and 0 <= q[1] <= height:
            continue
        part = 1.0
        for start, step, size in ((p[0], q[0] - p[0], width), (p[1], q[1] - p[1], height)):
            if step > 0:
                part = min(part, (size - start) / step)
            elif step < 0:
                part = min(part, -start / step)
        part = max(part, 0.0)
        edge = snap(p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part)
        return (*path[: i + 1], edge) if edge != path[i] else path[: i + 1]
    return None


def own_edge(battle: Battle, side: str, point: Point) -> bool:
    """Whether a point of the table's edge lies in a side's deployment zone (FOW-EXIT-01)."""
    zone = battle.scenario.side(side).zone
    x, y = point[0] / INCH, point[1] / INCH
    return zone.left - 0.01 <= x <= zone.right + 0.01 and zone.bottom - 0.01 <= y <= zone.top + 0.01


def _plan_exit(battle: Battle, team: Team, path: Path, to_edge: Path, mode: Mode) -> Plan:
    assert team.pose is not None
    if mode not in ("move", "double"):
        raise RefusedError("FOW-EXIT-01", "refused.not_off_table", team=team.id)
    if len(to_edge) == 1:
        to_edge = (to_edge[0], to_edge[0])
    final = heading_at(path, length(path), team.pose.facing)
    found = survey(battle, team, to_edge, mode, final)
    if found.stop is not None:
        raise refuse(found.stop, found)
    if mode == "double":
        _check_straight(battle, team, to_edge)
    fate = "left" if own_edge(battle, team.side, to_edge[-1]) else "destroyed"
    return make_plan(battle, team, found, to_edge, final, mode, leaves=fate)


def _carrier_at(battle: Battle, team: Team, point: Point) -> Team | None:
    """The friendly vehicle at the end of a route: the team wants to get in."""
    x, y = point
    for other in battle.standing_near(x - WIDEST, y - WIDEST, x + WIDEST, y + WIDEST):
        if other.side == team.side and other.profile.vehicle and contains(other.base, point):
            return other
    return None


def _plan_mount(battle: Battle, team: Team, path: Path, carrier: Team) -> Plan:
    """To a vehicle and in: the way must be long enough to touch it (FOW-TRN-05, FOW-RULING-67)."""
    assert team.pose is not None
    check_carry(battle, carrier, team)
    final = heading_at(path, length(path), team.pose.facing)
    hit = (
        0.0
        if distance(team.base, carrier.base) <= TOLERANCE
        else first_hit(path, slim(team.profile), carrier.base, team.pose.facing, final)
    )
    way = cut_to(path, hit or 0.0)
    if len(way) == 1:
        return Plan(team.id, "move", way, team.pose.facing, 0.0, float(reach_of(battle, team, "move")), mounts=carrier.id)
    found = survey(battle, team, way, "move", heading_at(way, length(way), team.pose.facing))
    if found.stop is not None:
        raise refuse(found.stop, found)
    return make_plan(battle, team, found, way, final, "move", mounts=carrier.id)


def carry_out(table: Table[Battle], team_id: str, plan: Plan) -> bool:
    """Walk a plan: bogging checks with the owner's dice, then what happened. Gives whether the team arrived."""
    battle = table.battle
    team = battle.teams[team_id]
    if plan.stays:
        assert team.pose is not None
        if plan.facing != team.pose.facing:
            table.emit(Turned(team_id, plan.facing, plan.counts))
        return True
    for check in plan.checks:
        skill = battle.platoons[team.platoon].skill
        tested = run(table, team.side, "bogging_check", mobility=team.profile.mobility, terrain=check.going, skill=skill)
        if tested.result == "bogged":
            _bog(table, team, plan, check.at)
            return False
    if plan.opening:
        table.emit(WentThrough(team_id, plan.opening))
    if plan.leaves:
        _leave(table, team_id, plan)
        return True
    if plan.mounts:
        if len(plan.path) > 1:
            table.emit(Moved(team_id, plan.path, plan.facing, plan.mode, plan.counts))
        table.emit(Mounted(team_id, plan.mounts, towed=tows(battle.teams[plan.mounts], team)))
        return True
    table.emit(Moved(team_id, plan.path, plan.facing, plan.mode, plan.counts, plan.building))
    return True


def _bog(table: Table[Battle], team: Team, plan: Plan, at: float) -> None:
    """Its front is set just over the edge; freed, it goes back to the place before it (FOW-RULING-66)."""
    assert team.pose is not None
    if at <= HAIR:
        table.emit(Bogged(team.id, team.pose))
        return
    heading = heading_at(plan.path, at, team.pose.facing)
    back = Pose(*point_at(plan.path, at - HAIR), heading)
    over = cut(plan.path, min(at + JUST_OVER, plan.length))
    pose = Pose(*over[-1], heading)
    if taken_by(table.battle, team, pose) is not None or not table.battle.ground.within_table(base_at(team, pose)):
        from sandtable.games.flames_of_war.wayfinding import free_pose_near

        pose = free_pose_near(table.battle, team.id, pose) or team.pose
        over = (*over[:-1], pose.point)
    table.emit(Moved(team.id, over, heading, plan.mode, plan.counts))
    table.emit(Bogged(team.id, back))


def _leave(table: Table[Battle], team_id: str, plan: Plan) -> None:
    """Off the table, with all that it carries (FOW-EXIT-01 to -03)."""
    from sandtable.games.flames_of_war.damage import close_platoon

    leaving = [*(team.id for team in table.battle.passengers(team_id)), team_id]
    for id in leaving:
        table.emit(LeftTable(id, "left") if plan.leaves == "left" else Destroyed(id, cause="left_table"))
        close_platoon(table, table.battle.teams[id].platoon)
