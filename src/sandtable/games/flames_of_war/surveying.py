"""One way, measured: its length and terrain, the allowance, and what ends it first; and what must be true where it ends.

Lengths are those of the path of the base's centre (FOW-MOVE-07, -08, FOW-RULING-65).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from sandtable.field.paths import (
    Path,
    cut,
    heading_at,
    length,
    point_at,
)
from sandtable.field.shapes import (
    TOLERANCE,
    Pose,
    distance,
    overlap,
    span,
)
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.command import far, leaderless
from sandtable.games.flames_of_war.going import (
    SURE_FOOTED,
    BogCheck,
    Stretch,
    Underfoot,
    chart_reach,
    underfoot,
    walk_chart,
)
from sandtable.games.flames_of_war.kept import kept
from sandtable.games.flames_of_war.meeting import (
    HAIR,
    WIDEST,
    Mode,
    Stop,
    base_at,
    gap,
    inches,
    meet_buildings,
    meet_teams,
    sees_from,
)
from sandtable.games.flames_of_war.profile import TeamProfile
from sandtable.games.flames_of_war.transport import mounted_this_turn
from sandtable.kernel.errors import RefusedError

BY_CHART: Final = ("move", "double", "disengage")
"""Moves that the movement chart measures; the others have a distance of their own."""


TOO_FAR: Final = {
    "charge": "FOW-ASLT-03",
    "counterattack": "FOW-ASLT-17",
    "break_off": "FOW-ASLT-18",
    "consolidate": "FOW-ASLT-20",
    "break_in": "FOW-ASLT-13",
    "tow": "FOW-TOW-03",
}


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


class Survey(NamedTuple):
    """A way, measured: how far the team gets."""

    path: Path
    whole: float
    allowed: float
    ground: Underfoot
    stop: Stop | None


def assault_reach(profile: TeamProfile, mode: str) -> int:
    """How far an assault move or a tow goes: 4", cavalry 8" in a charge (FOW-ASLT-03, FOW-RULING-75)."""
    if mode in ("charge", "counterattack"):
        return far("cavalry_assault_move" if profile.team_type == "cavalry" else "assault_move")
    return far({"break_off": "break_off", "consolidate": "consolidate", "tow": "recovery_tow"}.get(mode, "assault_move"))


def towing(battle: Battle, team: Team) -> bool:
    return team.profile.tows and any(other.towed_by for other in battle.passengers(team.id))


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
    if len(ground.stretches) == 1:  # nearly always: all of it over one kind of ground, and not too far
        reach = chart_reach(profile.mobility, ground.stretches[0].going, mode == "double", tow)
        if 0 < whole <= reach:
            return float(reach), ground, None
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
    way = path if stop is None else cut_to(path, stop.at)
    if len(way) > 1:
        end = heading_at(way, length(way), team.pose.facing) if stop is not None else facing
        for other in (
            meet_buildings(battle, team, way, end, leaving),
            meet_teams(battle, team, way, length(way), end, mode, target, ignore),
        ):
            if other is not None and (stop is None or other.at < stop.at):
                stop = other
    return Survey(path, whole, allowed, ground, stop)


def cut_to(path: Path, at: float) -> Path:
    return cut(path, at) if at > 0 else path[:1]


def taken_by(battle: Battle, team: Team, pose: Pose, ignore: Sequence[str] = ()) -> Team | None:
    """Who stands where a team wants to end (FOW-MOVE-09)."""
    profile = team.profile
    base = base_at(team, pose)
    own = profile.radius
    around = own + WIDEST
    for other in battle.standing_near(pose.x - around, pose.y - around, pose.x + around, pose.y + around):
        spot = other.pose
        if spot is None or other.id == team.id or other.id in ignore:
            continue
        reach = own + other.profile.radius
        if abs(spot.x - pose.x) <= reach and abs(spot.y - pose.y) <= reach and overlap(base, other.base):
            return other
    return None


def refuse(stop: Stop, found: Survey) -> RefusedError:
    point = point_at(found.path, max(0.0, stop.at - HAIR))
    return RefusedError(
        stop.rule,
        stop.message,
        **stop.arguments,
        furthest=list(point),
        walked=inches(found.whole),
        allowed=inches(found.allowed),
    )


def make_plan(battle: Battle, team: Team, found: Survey, path: Path, final: int, mode: Mode, **more: Any) -> Plan:
    checks = () if mode in ("tow", "return") else found.ground.checks  # a tow has a test of its own (FOW-TOW-03)
    counts = team.side == battle.active  # FOW-RULING-71
    return Plan(team.id, mode, path, final, found.whole, found.allowed, found.ground.stretches, checks, counts, **more)


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


def final_facing(team: Team, path: Path, wanted: int | None, mode: Mode) -> int:
    assert team.pose is not None
    heading = heading_at(path, length(path), team.pose.facing)
    if mode == "double":
        if wanted is not None and abs((wanted - heading + 180) % 360 - 180) > 1:
            raise RefusedError("FOW-DBL-03", "refused.double_facing", team=team.id, heading=heading)
        return heading
    return heading if wanted is None else wanted


def check_place(battle: Battle, team: Team, pose: Pose) -> None:
    """A base ends on the table, and on nobody (FOW-MOVE-09, FOW-EXIT-01)."""
    if not battle.ground.within_table(base_at(team, pose)):
        raise RefusedError("FOW-EXIT-01", "refused.over_edge", team=team.id)
    other = taken_by(battle, team, pose)
    if other is not None:
        raise RefusedError("FOW-MOVE-09", "refused.overlap", team=team.id, other=other.id)


def check_end(battle: Battle, team: Team, pose: Pose, mode: Mode, enemies: Sequence[str]) -> None:
    """What must be true where a move ends."""
    assert team.pose is not None
    check_place(battle, team, pose)
    if mode in ("move", "consolidate") and pinned_down(battle, team):
        check_pinned(battle, team, pose)
    if mode == "move" and battle.unit_of(team).reorganising:
        _check_reorganising(battle, team, pose)
    if mode == "break_off" and enemies:
        _check_away(team, pose, [battle.teams[id] for id in enemies], "FOW-ASLT-18")
    if mode == "disengage":
        # Ending no nearer to any visible enemy (FOW-RULING-47).
        for enemy in battle.enemies(team.side):
            if _nearer(team, pose, enemy) and (enemy.id in enemies or _sees(battle, team.id, team.pose, enemy.id)):
                raise RefusedError("FOW-RULING-47", "refused.nearer", team=team.id, enemy=enemy.id)


@kept
def _sees(battle: Battle, team_id: str, pose: Pose, enemy_id: str) -> bool:
    """Whether a disengaging team sees an enemy from where it is: then it must not come nearer to it."""
    return sees_from(battle, battle.teams[team_id], pose, battle.teams[enemy_id])


def _nearer(team: Team, pose: Pose, enemy: Team) -> bool:
    """Whether a pose is nearer to an enemy than the team stands now."""
    assert team.pose is not None
    # Bases never differ from their centres by more than this: most enemies are settled without measuring.
    slack = 2 * team.profile.radius
    change = span(pose.point, enemy.centre) - span(team.centre, enemy.centre)
    if change > slack:
        return False
    if change < -slack - 2 * enemy.profile.radius - TOLERANCE:
        return True
    return gap(base_at(team, pose), enemy.base) < gap(team.base, enemy.base) - TOLERANCE


def _check_away(team: Team, pose: Pose, enemies: Sequence[Team], rule: str) -> None:
    """The nearest of some enemies must not be nearer than before."""
    if not enemies:
        return
    before = min(distance(team.base, enemy.base) for enemy in enemies)
    base = base_at(team, pose)
    for enemy in enemies:
        if distance(base, enemy.base) < before - TOLERANCE:
            raise RefusedError(rule, "refused.nearer", team=team.id, enemy=enemy.id)


def check_pinned(battle: Battle, team: Team, pose: Pose) -> None:
    """Pinned teams do not end nearer to the nearest visible enemy (FOW-PIN-02, FOW-RULING-53)."""
    assert team.pose is not None
    nearest = _nearest_seen(battle, team.id, team.pose)
    if nearest is None:
        return
    base = base_at(team, pose)
    far_off = nearest + team.profile.radius + WIDEST
    for enemy in battle.standing_near(pose.x - far_off, pose.y - far_off, pose.x + far_off, pose.y + far_off):
        if enemy.side == team.side:
            continue
        if distance(base, enemy.base) < nearest - TOLERANCE and sees_from(battle, team, pose, enemy):
            raise RefusedError("FOW-PIN-02", "refused.pinned_nearer", team=team.id, enemy=enemy.id, distance=inches(nearest))


@kept
def _nearest_seen(battle: Battle, team_id: str, pose: Pose) -> float | None:
    """How far away the nearest enemy is that a team sees from a place; None if it sees nobody."""
    team = replace(battle.teams[team_id], pose=pose)
    slack = team.profile.radius + WIDEST
    best: float | None = None
    for apart, enemy in sorted(((span(pose.point, e.centre), e) for e in battle.enemies(team.side)), key=lambda one: one[0]):
        if best is not None and apart - slack > best:
            break
        room = gap(team.base, enemy.base)
        if (best is None or room < best) and sees_from(battle, team, pose, enemy):
            best = room
    return best


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
