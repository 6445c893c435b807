"""Routes: what a move may be, and making it.

`plan_route` is pure: it measures a route, finds the terrain and the teams it meets, and either gives a `Plan` or raises the rule that the
route breaks. `carry_out` walks a plan at the table: it rolls the bogging checks and says what happened. Every kind of move goes
through here: moves, at the double, charges, counterattacks, breaking off, breaking in, consolidating, disengaging, tows, going back.

A base looks where it goes; on its first leg it may also keep the facing it had, on its last the one it will have (FOW-MOVE-06). Lengths
are those of the path of its centre (FOW-MOVE-07, -08, FOW-RULING-65).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from msgspec.structs import replace

from sandtable.field.paths import (
    Path,
    cut,
    find_route,
    first_within,
    heading_at,
    intervals_inside,
    length,
    overlap_intervals,
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
    rectangle,
    snap,
    span,
)
from sandtable.field.terrain import Piece
from sandtable.games.flames_of_war.battle import INCH, Battle, Bogged, Destroyed, LeftTable, Moved, Team, Turned
from sandtable.games.flames_of_war.buildings import (
    before_opening,
    building_at,
    check_room,
    opening_id,
    passable,
    refuse_building,
    touched_openings,
)
from sandtable.games.flames_of_war.command import far, leaderless
from sandtable.games.flames_of_war.going import (
    SURE_FOOTED,
    BogCheck,
    Stretch,
    Underfoot,
    chart_reach,
    crosses_buildings,
    grown,
    map_of,
    slim,
    underfoot,
    walk_chart,
)
from sandtable.games.flames_of_war.profile import TeamProfile
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.transport import Mounted, check_carry, mounted_this_turn, tows
from sandtable.kernel.decisions import Route
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event
from sandtable.kernel.table import Table

Mode = Literal["move", "double", "charge", "counterattack", "break_off", "consolidate", "break_in", "disengage", "tow", "return"]

BY_CHART: Final = ("move", "double", "disengage")
"""Moves that the movement chart measures; the others have a distance of their own."""
ASSAULT_MOVES: Final = ("charge", "counterattack", "break_off", "consolidate", "break_in")
TOO_FAR: Final = {
    "charge": "FOW-ASLT-03",
    "counterattack": "FOW-ASLT-17",
    "break_off": "FOW-ASLT-18",
    "consolidate": "FOW-ASLT-20",
    "break_in": "FOW-ASLT-13",
    "tow": "FOW-TOW-03",
}
JUST_OVER: Final = 100
"""How far over the edge the front of a team that bogs is set (FOW-RULING-66)."""
HAIR: Final = 3
"""A team that must stop short of something stops this much before it."""
_LOOK: Final = 500
"""Along a stretch inside a standoff, sight is asked this often."""


class WentThrough(Event, frozen=True):
    """A team used an opening of a building in a movement step (FOW-BLDG-04)."""

    team: str
    opening: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, passages=(*battle.passages, self.opening))

    def units(self) -> tuple[str, ...]:
        return (self.team,)


EVENTS: tuple[type[Event], ...] = (WentThrough,)


class Plan(NamedTuple):
    """A route that the rules allow."""

    team: str
    mode: str
    path: Path
    """The stretch to walk, from where it stands (or the opening it leaves by)."""
    facing: int
    length: float
    """What is measured of it, in grid units."""
    allowed: float
    stretches: tuple[Stretch, ...] = ()
    checks: tuple[BogCheck, ...] = ()
    """Where bogging checks fall."""
    counts: bool = True
    """Whether it sets `moved` (FOW-RULING-71)."""
    building: str = ""
    opening: str = ""
    leaves: str = ""
    """left or destroyed: by which kind of edge it leaves the table (FOW-EXIT-01, -02)."""
    mounts: str = ""

    @property
    def pose(self) -> Pose:
        return Pose(*self.path[-1], self.facing)

    @property
    def hardest(self) -> str:
        """The hardest going of the way."""
        return Underfoot(self.stretches, ()).hardest

    @property
    def stays(self) -> bool:
        return len(self.path) == 1 and not self.mounts and not self.leaves


class Stop(NamedTuple):
    """Where a way ends, and the rule that ends it."""

    at: float
    rule: str
    message: str
    arguments: dict[str, Any]


class Survey(NamedTuple):
    """A way, measured: how far the team gets."""

    path: Path
    whole: float
    allowed: float
    ground: Underfoot
    stop: Stop | None


def inches(far_off: float) -> float:
    """Grid units as inches, for messages."""
    return round(far_off / INCH, 2)


# -- allowance --------------------------------------------------------------------------------------------------------


def assault_reach(profile: TeamProfile, mode: str) -> int:
    """How far an assault move or a tow goes: 4", cavalry 8" in a charge (FOW-ASLT-03, FOW-RULING-75)."""
    if mode in ("charge", "counterattack"):
        return far("cavalry_assault_move" if profile.team_type == "cavalry" else "assault_move")
    return far({"break_off": "break_off", "consolidate": "consolidate", "tow": "recovery_tow"}.get(mode, "assault_move"))


def towing(battle: Battle, team: Team) -> bool:
    return team.profile.tows and any(other.towed_by == team.id and not other.fate for other in battle.teams.values())


def reach_of(battle: Battle, team: Team, mode: Mode, going: str = "cross_country") -> int:
    """How far a team may go over one kind of ground, in grid units."""
    if mode in BY_CHART:
        return chart_reach(team.profile.mobility, going, mode == "double", towing(battle, team))
    return assault_reach(team.profile, mode)


def _measure(battle: Battle, team: Team, path: Path, whole: float, final: int, mode: Mode) -> tuple[float, Underfoot, Stop | None]:
    """Allowance, terrain, and where the allowance ends the way (FOW-MOVE-02 to -04, FOW-RULING-75)."""
    profile = team.profile
    assert team.pose is not None
    if profile.mobility in SURE_FOOTED and mode != "double":
        # The same distance on all ground, and no checks (FOW-BOG-04).
        ground = Underfoot((Stretch(0.0, whole, "cross_country"),), ())
        allowed = float(reach_of(battle, team, mode))
    else:
        ground = underfoot(battle.ground, profile, path, whole, team.pose.facing, final)
        if mode in BY_CHART:
            return _by_chart(battle, team, whole, ground, mode)
        allowed = float(assault_reach(profile, mode))
        for stretch in ground.stretches:
            if not chart_reach(profile.mobility, stretch.going):
                return allowed, ground, Stop(stretch.start, "FOW-RULING-06", "refused.very_difficult", {"team": team.id})
    if mode != "return" and whole > allowed + TOLERANCE:
        stop = Stop(allowed, TOO_FAR.get(mode, "FOW-MOVE-02"), "refused.too_far", {"team": team.id})
        return allowed, ground, stop
    return allowed, ground, None


def _by_chart(battle: Battle, team: Team, whole: float, ground: Underfoot, mode: Mode) -> tuple[float, Underfoot, Stop | None]:
    profile, tow = team.profile, towing(battle, team)
    found = walk_chart(profile, ground, mode == "double", tow)
    allowed = float(min(chart_reach(profile.mobility, s.going, mode == "double", tow) for s in ground.stretches))
    at = found.inches_moved * INCH
    arguments = {"team": team.id}
    if found.stopped == "completed":
        return allowed, ground, None
    if found.stopped == "forbidden":
        if mode == "double":
            return allowed, ground, Stop(at, "FOW-DBL-05", "refused.double_in_rough", arguments)
        return allowed, ground, Stop(at, "FOW-RULING-06", "refused.very_difficult", arguments)
    if found.stopped == "at_edge":
        return allowed, ground, Stop(at, "FOW-MOVE-04", "refused.at_edge", arguments)
    goings = {s.going for s in ground.stretches if s.start < at + 1}
    if tow and profile.mobility == "jeep" and at <= far("jeep_towing_max") + TOLERANCE:
        rule = "FOW-TRN-09"
    else:
        rule = "FOW-DBL-01" if mode == "double" else "FOW-MOVE-03" if len(goings) > 1 else "FOW-MOVE-02"
    # The walk stops at the last allowance that held; what is refused is the length of the whole way.
    return max(allowed, at), ground, Stop(at, rule, "refused.too_far", arguments)


# -- meeting things ---------------------------------------------------------------------------------------------------


def _facings(leg: int, legs: int, start: int, final: int) -> list[int | None]:
    """How a base may look on a leg: where it goes, or as it stood or will stand (FOW-MOVE-06)."""
    out: list[int | None] = [None]
    if leg == 0:
        out.append(start)
    if leg == legs - 1 and final not in out:
        out.append(final)
    return out


def _first_hit(path: Path, size: tuple[int, int], shape: Polygon, start: int, final: int) -> float | None:
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
    """The first distance at which the base cannot but be nearer to a shape than the limit."""
    done, legs = 0.0, len(path) - 1
    for i, leg in enumerate(itertools.pairwise(path)):
        firsts = []
        for facing in _facings(i, legs, start, final):
            found = first_within(leg, *size, shape, limit, facing)
            if found is None:
                break
            firsts.append(found)
        else:
            return done + max(firsts)
        done += span(*leg)
    return None


def _base_at(team: Team, pose: Pose) -> Polygon:
    return rectangle(pose, team.profile.width, team.profile.depth)


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


def _sees_from(battle: Battle, team: Team, pose: Pose, enemy: Team) -> bool:
    from sandtable.games.flames_of_war.sight import visible

    return visible(battle, replace(team, pose=pose, building="", mounted_in="", towed_by=""), enemy)


def _standoff(battle: Battle, team: Team, path: Path, whole: float, final: int, enemy: Team, limit: int, any_enemy: bool) -> float | None:
    """Where the way comes too near to an enemy (FOW-MOVE-11, -13, FOW-DBL-06, FOW-RULING-65); None if it does not."""
    assert team.pose is not None
    size = (team.profile.width, team.profile.depth)
    theirs = enemy.base
    now = distance(team.base, theirs)
    inside = now < limit - TOLERANCE
    if not inside:
        first = _first_near(path, size, theirs, limit, team.pose.facing, final)
        if first is None:
            if distance(_base_at(team, Pose(*path[-1], final)), theirs) >= limit - TOLERANCE:
                return None
            first = whole
    else:
        first = 0.0
    at, before, least = first, first, now
    while True:
        poses = _poses_at(team, path, at, final)
        if at >= whole:
            poses = [Pose(*path[-1], final)]
        gap = max(distance(_base_at(team, pose), theirs) for pose in poses)
        near = gap < limit - TOLERANCE or (not inside and at == first)
        # Begun inside, it may go as long as the distance never shrinks (FOW-RULING-65).
        wrong = near and not (inside and gap >= least - TOLERANCE)
        if wrong and (any_enemy or any(_sees_from(battle, team, pose, enemy) for pose in poses)):
            return before
        if not near:
            inside = False
            again = _first_near(_rest(path, at), size, theirs, limit, heading_at(path, at, team.pose.facing), final)
            if again is None:
                return None
            at = before = at + again
            first = at
            continue
        least = max(least, gap) if inside else least
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


def _meet_teams(
    battle: Battle, team: Team, path: Path, whole: float, final: int, mode: Mode, target: str, ignore: Sequence[str]
) -> Stop | None:
    """The first team that ends the way: too near, or in the way (FOW-MOVE-09 to -13, FOW-DBL-06, FOW-ASLT-05, FOW-RULING-65)."""
    assert team.pose is not None
    profile = team.profile
    own = (profile.width + profile.depth) // 2
    left, low, right, high = bounds(path)
    widest = far("double_standoff") if mode == "double" else far("enemy_standoff")
    found: Stop | None = None
    start = team.pose.facing
    for other in battle.teams.values():
        pose = other.pose
        if pose is None or other.fate or other.mounted_in or other.towed_by or other.id == team.id:
            continue
        friend = other.side == team.side
        if friend and not (profile.vehicle and other.profile.vehicle):
            continue  # foot teams, guns and cavalry pass through friends, and friends through them
        reach = own + (other.profile.width + other.profile.depth) // 2 + (0 if friend else widest + 10)
        if not (left - reach <= pose.x <= right + reach and low - reach <= pose.y <= high + reach):
            continue
        if other.id in ignore:
            continue
        stop: Stop | None = None
        if friend:
            hit = _first_hit(path, slim(profile), other.base, start, final)
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
                hit = _first_hit(path, slim(profile), other.base, start, final)
                if hit is not None:
                    stop = Stop(hit, "FOW-RULING-65", "refused.through_enemy", {"team": team.id, "enemy": other.id})
        if stop is not None and (found is None or stop.at < found.at):
            found = stop
    return found


def _meet_buildings(battle: Battle, team: Team, path: Path, final: int, leaving: str) -> Stop | None:
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
        hit = _first_hit(path, size, piece.outline, team.pose.facing, final)
        if hit is None and overlap(_slimmer(team, Pose(*path[-1], final)), piece.outline):
            hit = length(path)
        if hit is not None and (found is None or hit < found.at):
            try:
                refuse_building(team, piece.id)
                found = Stop(hit, "FOW-BLDG-05", "refused.through_wall", {"team": team.id, "building": piece.id})
            except RefusedError as problem:
                found = Stop(hit, problem.rule, problem.message, dict(problem.arguments))
    return found


def _slimmer(team: Team, pose: Pose) -> Polygon:
    return rectangle(pose, *slim(team.profile))


# -- one way ----------------------------------------------------------------------------------------------------------


def survey(
    battle: Battle,
    team: Team,
    path: Path,
    mode: Mode,
    final: int | None = None,
    target: str = "",
    leaving: str = "",
    ignore: Sequence[str] = (),
) -> Survey:
    """A way from where the team stands: its length, its terrain and what ends it first, if anything does."""
    assert team.pose is not None
    whole = length(path)
    facing = heading_at(path, whole, team.pose.facing) if final is None else final
    allowed, ground, stop = _measure(battle, team, path, whole, facing, mode)
    if mode == "return":
        return Survey(path, whole, whole, ground, None)
    # What lies beyond the end of the allowance need not be looked at.
    way = path if stop is None else _cut_to(path, stop.at)
    if len(way) > 1:
        end = heading_at(way, length(way), team.pose.facing) if stop is not None else facing
        for other in (
            _meet_buildings(battle, team, way, end, leaving),
            _meet_teams(battle, team, way, length(way), end, mode, target, ignore),
        ):
            if other is not None and (stop is None or other.at < stop.at):
                stop = other
    return Survey(path, whole, allowed, ground, stop)


def _cut_to(path: Path, at: float) -> Path:
    return cut(path, at) if at > 0 else path[:1]


def taken_by(battle: Battle, team: Team, pose: Pose, ignore: Sequence[str] = ()) -> Team | None:
    """Who stands where a team wants to end (FOW-MOVE-09)."""
    profile = team.profile
    base = _base_at(team, pose)
    own = (profile.width + profile.depth) // 2 + 2
    for other in battle.teams.values():
        spot = other.pose
        if spot is None or other.fate or other.mounted_in or other.towed_by or other.id == team.id or other.id in ignore:
            continue
        reach = own + (other.profile.width + other.profile.depth) // 2
        if abs(spot.x - pose.x) <= reach and abs(spot.y - pose.y) <= reach and overlap(base, other.base):
            return other
    return None


def _refuse(stop: Stop, found: Survey) -> RefusedError:
    point = point_at(found.path, max(0.0, stop.at - HAIR))
    return RefusedError(
        stop.rule,
        stop.message,
        **stop.arguments,
        furthest=list(point),
        walked=inches(found.whole),
        allowed=inches(found.allowed),
    )


# -- who may move at all ------------------------------------------------------------------------------------------------


def check_able(battle: Battle, team: Team, mode: Mode) -> None:
    """Raises the rule that keeps a team where it is, whatever its route."""
    if team.bailed_out:
        raise RefusedError("FOW-BAIL-01", "refused.bailed_out", team=team.id)
    if team.bogged:
        raise RefusedError("FOW-BOG-05", "refused.bogged", team=team.id)
    if team.pose is None or not team.alive:
        raise RefusedError("FOW-MOVE-01", "refused.not_there", team=team.id)
    if team.profile.mobility == "immobile_gun":
        raise RefusedError("FOW-MOVE-14", "refused.immobile", team=team.id)
    if mode in ("move", "double", "charge", "counterattack") and leaderless(battle, battle.unit_of(team)):
        raise RefusedError("FOW-CMD-06", "refused.leaderless", platoon=battle.unit_of(team).name, team=team.id)
    if mode in ("move", "double") and team.profile.vehicle and mounted_this_turn(battle, team):
        raise RefusedError("FOW-TRN-05", "refused.loaded", team=team.id)
    if mode == "double" and pinned_down(battle, team):
        raise RefusedError("FOW-PIN-02", "refused.pinned_double", team=team.id)


def pinned_down(battle: Battle, team: Team) -> bool:
    """Pinned, and not armoured (FOW-PIN-02, -03)."""
    return battle.unit_of(team).pinned and not team.profile.armoured


# -- planning ---------------------------------------------------------------------------------------------------------


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
        return _plan_building(battle, team, path, route.facing, goal, mode, target)

    final = _final_facing(team, path, route.facing, mode)
    found = survey(battle, team, path, mode, final, target)
    if found.stop is not None:
        raise _refuse(found.stop, found)
    if mode == "double":
        _check_straight(battle, team, path)
    pose = Pose(*path[-1], final)
    _check_end(battle, team, pose, mode, enemies)
    return _plan(battle, team, found, path, final, mode, building=goal.id if goal is not None else "")


def _plan(battle: Battle, team: Team, found: Survey, path: Path, final: int, mode: Mode, **more: Any) -> Plan:
    checks = () if mode in ("tow", "return") else found.ground.checks  # a tow has a test of its own (FOW-TOW-03)
    counts = team.side == battle.active  # FOW-RULING-71
    return Plan(team.id, mode, path, final, found.whole, found.allowed, found.ground.stretches, checks, counts, **more)


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
        _check_place(battle, team, pose)
        if not crosses_buildings(team.profile) and not team.building:
            for piece in map_of(battle.ground).buildings:
                if overlap(_slimmer(team, pose), piece.outline):
                    raise RefusedError("FOW-BLDG-05", "refused.through_wall", team=team.id, building=piece.id)
    turn = abs((facing - team.pose.facing + 180) % 360 - 180)
    arc_weapon = any(not weapon.all_round for weapon in team.profile.weapons) and not team.profile.turntable
    counts = turn > 90 and arc_weapon and team.side == battle.active
    return Plan(team.id, mode, (team.centre,), facing, 0.0, 0.0, counts=counts, building=team.building)


def _final_facing(team: Team, path: Path, wanted: int | None, mode: Mode) -> int:
    assert team.pose is not None
    heading = heading_at(path, length(path), team.pose.facing)
    if mode == "double":
        if wanted is not None and abs((wanted - heading + 180) % 360 - 180) > 1:
            raise RefusedError("FOW-DBL-03", "refused.double_facing", team=team.id, heading=heading)
        return heading
    return heading if wanted is None else wanted


def _check_place(battle: Battle, team: Team, pose: Pose) -> None:
    """A base ends on the table, and on nobody (FOW-MOVE-09, FOW-EXIT-01)."""
    if not battle.ground.within_table(_base_at(team, pose)):
        raise RefusedError("FOW-EXIT-01", "refused.over_edge", team=team.id)
    other = taken_by(battle, team, pose)
    if other is not None:
        raise RefusedError("FOW-MOVE-09", "refused.overlap", team=team.id, other=other.id)


def _check_end(battle: Battle, team: Team, pose: Pose, mode: Mode, enemies: Sequence[str]) -> None:
    """What must be true where a move ends."""
    assert team.pose is not None
    _check_place(battle, team, pose)
    if mode in ("move", "consolidate") and pinned_down(battle, team):
        _check_pinned(battle, team, pose)
    if mode == "move" and battle.unit_of(team).reorganising:
        _check_reorganising(battle, team, pose)
    if mode == "break_off" and enemies:
        _check_away(team, pose, [battle.teams[id] for id in enemies], "FOW-ASLT-18")
    if mode == "disengage":
        # Ending no nearer to any visible enemy (FOW-RULING-47).
        nearer = [enemy for enemy in battle.enemies(team.side) if _nearer(team, pose, enemy)]
        seen = [enemy for enemy in nearer if enemy.id in enemies or _sees_from(battle, team, team.pose, enemy)]
        if seen:
            raise RefusedError("FOW-RULING-47", "refused.nearer", team=team.id, enemy=seen[0].id)


def _nearer(team: Team, pose: Pose, enemy: Team) -> bool:
    """Whether a pose is nearer to an enemy than the team stands now."""
    assert team.pose is not None
    # Bases never differ from their centres by more than this: most enemies are settled without measuring.
    slack = team.profile.width + team.profile.depth
    if span(pose.point, enemy.centre) > span(team.centre, enemy.centre) + slack:
        return False
    return distance(_base_at(team, pose), enemy.base) < distance(team.base, enemy.base) - TOLERANCE


def _check_away(team: Team, pose: Pose, enemies: Sequence[Team], rule: str) -> None:
    """The nearest of some enemies must not be nearer than before."""
    if not enemies:
        return
    before = min(distance(team.base, enemy.base) for enemy in enemies)
    base = _base_at(team, pose)
    for enemy in enemies:
        if distance(base, enemy.base) < before - TOLERANCE:
            raise RefusedError(rule, "refused.nearer", team=team.id, enemy=enemy.id)


def _check_pinned(battle: Battle, team: Team, pose: Pose) -> None:
    """Pinned teams do not end nearer to the nearest visible enemy (FOW-PIN-02, FOW-RULING-53)."""
    assert team.pose is not None
    theirs = sorted(((distance(team.base, e.base), e.id, e) for e in battle.enemies(team.side)), key=lambda one: one[:2])
    nearest = next((gap for gap, _, e in theirs if _sees_from(battle, team, team.pose, e)), None)
    if nearest is None:
        return
    base = _base_at(team, pose)
    for _, _, enemy in theirs:
        if distance(base, enemy.base) < nearest - TOLERANCE and _sees_from(battle, team, pose, enemy):
            raise RefusedError("FOW-PIN-02", "refused.pinned_nearer", team=team.id, enemy=enemy.id, distance=inches(nearest))


def _check_reorganising(battle: Battle, team: Team, pose: Pose) -> None:
    """After disengaging: not into sight of an enemy, nor nearer to one that sees it already (FOW-REC-12)."""
    from sandtable.games.flames_of_war.sight import visible

    there = replace(team, pose=pose, building="")
    for enemy in battle.enemies(team.side):
        if visible(battle, enemy, team):
            if _nearer(team, pose, enemy):
                raise RefusedError("FOW-REC-12", "refused.reorganising_nearer", team=team.id, enemy=enemy.id)
        elif visible(battle, enemy, there):
            raise RefusedError("FOW-REC-12", "refused.reorganising_seen", team=team.id, enemy=enemy.id)


# -- at the double ----------------------------------------------------------------------------------------------------


def _check_straight(battle: Battle, team: Team, path: Path) -> None:
    """The shortest way: straight, unless it follows a road or passes an obstacle that blocks the straight line (FOW-DBL-02)."""
    if len(path) == 2 or length(path) <= span(path[0], path[-1]) + 10:
        return
    roads = map_of(battle.ground).roads
    bends = [p for a, p, b in zip(path, path[1:], path[2:], strict=False) if abs(span(a, b) - span(a, p) - span(p, b)) > 1]
    if all(any(contains(road.outline, bend) for road in roads) for bend in bends):
        return
    around = find_route(path[0], path[-1], obstacles_for(battle, team, bounds(path), "double"), _half(team.profile))
    shortest = length(around) if around is not None else math.inf
    if length(path) > shortest + max(500.0, shortest / 20):
        raise RefusedError("FOW-DBL-02", "refused.not_straight", team=team.id, shortest=inches(shortest), walked=inches(length(path)))


def _half(profile: TeamProfile) -> int:
    return min(profile.width, profile.depth) // 2


def obstacles_for(battle: Battle, team: Team, box: Box, mode: Mode) -> list[Polygon]:
    """What a team must go around, near a box: walls, ground it may not enter, vehicles in the way of vehicles."""
    profile = team.profile
    reach = grown(box, 6 * INCH)
    lie = map_of(battle.ground)
    found = [piece.outline for piece in lie.buildings if not crosses_buildings(profile) and not boxes_apart(piece.box, reach)]
    for piece, going in lie.rough:
        if not boxes_apart(piece.box, reach) and (mode == "double" or not chart_reach(profile.mobility, going)):
            found.append(piece.outline)
    for other in battle.teams.values():
        if not other.on_table or other.id == team.id:
            continue
        blocks = not other.profile.vehicle if other.side != team.side else profile.vehicle and other.profile.vehicle
        if blocks and not boxes_apart(bounds(other.base), reach):
            found.append(other.base)
    return found


# -- leaving the table --------------------------------------------------------------------------------------------------


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
        raise _refuse(found.stop, found)
    if mode == "double":
        _check_straight(battle, team, to_edge)
    fate = "left" if own_edge(battle, team.side, to_edge[-1]) else "destroyed"
    return _plan(battle, team, found, to_edge, final, mode, leaves=fate)


# -- mounting -----------------------------------------------------------------------------------------------------------


def _carrier_at(battle: Battle, team: Team, point: Point) -> Team | None:
    """The friendly vehicle at the end of a route: the team wants to get in."""
    for other in battle.teams.values():
        if other.side == team.side and other.profile.vehicle and other.on_table and contains(other.base, point):
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
        else _first_hit(path, slim(team.profile), carrier.base, team.pose.facing, final)
    )
    way = _cut_to(path, hit or 0.0)
    if len(way) == 1:
        return Plan(team.id, "move", way, team.pose.facing, 0.0, float(reach_of(battle, team, "move")), mounts=carrier.id)
    found = survey(battle, team, way, "move", heading_at(way, length(way), team.pose.facing))
    if found.stop is not None:
        raise _refuse(found.stop, found)
    return _plan(battle, team, found, way, final, "move", mounts=carrier.id)


# -- buildings ----------------------------------------------------------------------------------------------------------


def _plan_building(battle: Battle, team: Team, path: Path, facing: int | None, goal: Piece | None, mode: Mode, target: str) -> Plan:
    """Into, out of or inside a building (FOW-BLDG-03 to -09)."""
    home = battle.ground.by_id.get(team.building) if team.building else None
    refuse_building(team, home.id if home is not None else goal.id if goal is not None else "")
    if crosses_buildings(team.profile):
        found = survey(battle, team, path, mode, facing, target)
        if found.stop is not None:
            raise _refuse(found.stop, found)
        final = _final_facing(team, path, facing, mode)
        _check_end(battle, team, Pose(*path[-1], final), mode, ())
        return _plan(battle, team, found, path, final, mode, building=goal.id if goal is not None else "")
    if mode == "double":
        raise RefusedError("FOW-BLDG-02", "refused.double_in_building", team=team.id)
    if home is not None and goal is not None and goal.id == home.id:
        return _plan_inside(battle, team, path, facing, home, mode)
    if home is not None:
        if goal is not None:
            raise RefusedError("FOW-BLDG-05", "refused.no_opening", team=team.id, building=goal.id)
        return _plan_leave(battle, team, path, facing, home, mode, target)
    assert goal is not None
    return _plan_enter(battle, team, path, facing, goal, mode, target)


def _plan_inside(battle: Battle, team: Team, path: Path, facing: int | None, home: Piece, mode: Mode) -> Plan:
    whole, allowed = length(path), float(reach_of(battle, team, mode, "very_difficult"))
    final = _final_facing(team, path, facing, mode)
    found = Survey(path, whole, allowed, Underfoot((Stretch(0.0, whole, "very_difficult"),), ()), None)
    if whole > allowed + TOLERANCE:
        raise _refuse(Stop(allowed, "FOW-MOVE-02", "refused.too_far", {"team": team.id}), found)
    check_room(battle, team, Pose(*path[-1], final), home)
    return _plan(battle, team, found, path, final, mode, building=home.id)


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
                problem = problem or _refuse(found.stop, found)
                continue
        pose = Pose(*path[-1], final)
        check_room(battle, team, pose, goal)
        opening = opening_id(goal, number) if mode == "move" else ""
        if mode == "move" and pinned_down(battle, team):
            _check_pinned(battle, team, pose)
        return _plan(battle, team, found, (*way, path[-1]), final, mode, building=goal.id, opening=opening)
    raise problem or RefusedError("FOW-BLDG-05", "refused.no_opening", team=team.id, building=goal.id)


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
            problem = problem or _refuse(found.stop, found)
            continue
        final = facing if facing is not None else heading_at(way, length(way), team.pose.facing)
        pose = Pose(*way[-1], final)
        if overlap(_slimmer(team, pose), home.outline):
            problem = problem or RefusedError("FOW-BLDG-06", "refused.through_wall", team=team.id, building=home.id)
            continue
        _check_end(battle, team, pose, mode, ())
        opening = opening_id(home, number) if mode == "move" else ""
        return _plan(battle, team, found, way, final, mode, opening=opening)
    raise problem or RefusedError("FOW-BLDG-06", "refused.no_way_out", team=team.id, building=home.id)


# -- carrying out -------------------------------------------------------------------------------------------------------


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
    if taken_by(table.battle, team, pose) is not None or not table.battle.ground.within_table(_base_at(team, pose)):
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
