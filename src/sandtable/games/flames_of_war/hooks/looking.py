"""Sight between two places, the ranges of a piece, and what lies under a template."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.field.shapes import Point, Polygon, bearing, distance, front_middle, move_towards
from sandtable.field.sight import run_inside
from sandtable.games.flames_of_war.air import HEADINGS
from sandtable.games.flames_of_war.artillery import aims, double_width, firing_guns, smoke_shapes
from sandtable.games.flames_of_war.assault import charge_reach, team_class
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.command import command_reach, far
from sandtable.games.flames_of_war.lie import Stand, Way, land_of
from sandtable.games.flames_of_war.procedures.assault import may
from sandtable.games.flames_of_war.sight import (
    blocked,
    concealed,
    covered,
    hit_facts,
    point_stand,
    sight,
    sight_point,
    smokes_of,
    stand_of,
    viewer_of,
)
from sandtable.games.flames_of_war.templates import lay_template, teams_under
from sandtable.kernel.decisions import PickPlaces, Placing, Request
from sandtable.kernel.dice import Scripted
from sandtable.kernel.game import Laid, Ring, Sight, Spot
from sandtable.kernel.messages import Message, say
from sandtable.kernel.traces import Note

# -- sight ----------------------------------------------------------------------------------------------------------


def sight_between(battle: Battle, a: Spot, b: Spot) -> Sight | None:
    """By terrain and smoke; from a team to an enemy, friends in the way too, and how well it is hidden (FOW-LOS-01 to -18)."""
    one, two = _team(battle, a), _team(battle, b)
    if (isinstance(a, str) and one is None) or (isinstance(b, str) and two is None):
        return None
    if one is not None and two is not None and one.id == two.id:
        return Sight(True, 0)
    start, end = _stand(battle, one, a), _stand(battle, two, b)
    lie = land_of(battle.ground).lie
    way = lie.way(start, end, None, None, smokes_of(battle))
    gap = round(distance(start.base, end.base))
    if not way.sight.clear:
        stopped = blocked(lie, way)
        at = _along(start, end, stopped.at_in, from_centre=start.point)
        return Sight(False, gap, (start.centre, end.centre), say("sight.blocked_by", by=stopped.name), at, stopped.rule)
    notes: tuple[Message, ...] = ()
    if one is not None and two is not None and one.side != two.side:
        past = sight(battle, one, two)
        if not past.clear:
            by = say("sight.friend", team=past.blocked_by)
            return Sight(False, gap, (start.centre, end.centre), by, _along(start, end, past.at_in), past.rule)
        notes = (*(say("sight.over", team=id) for id in past.over), *_hidden(battle, one, two))
    return Sight(True, gap, _line(way, start, end), rule="FOW-LOS-01", notes=notes)


def _team(battle: Battle, spot: Spot) -> Team | None:
    """A team on the table; a passenger looks from its vehicle (FOW-OBS-06)."""
    found = battle.teams.get(spot) if isinstance(spot, str) else None
    return None if found is None or found.fate or found.pose is None else viewer_of(battle, found)


def _stand(battle: Battle, team: Team | None, spot: Spot) -> Stand:
    if team is not None:
        return stand_of(battle, team)
    assert not isinstance(spot, str)
    return point_stand(battle, spot)


def _along(start: Stand, end: Stand, inches: float | None, *, from_centre: bool = False) -> Point | None:
    """The place so many inches along the line between two centres, counted from the edge of the first base or from its centre."""
    if inches is None or start.building:
        return None
    rim = 0.0 if from_centre or len(start.base) < 3 else run_inside(start.centre, end.centre, start.base)
    return move_towards(start.centre, end.centre, rim + inches * INCH)


def _line(way: Way, start: Stand, end: Stand) -> tuple[Point, ...]:
    if way.sight.line is None:
        return (start.centre, end.centre)  # both in one building
    (ax, ay), (bx, by) = way.sight.line
    return ((round(ax), round(ay)), (round(bx), round(by)))


def _hidden(battle: Battle, shooter: Team, target: Team) -> Iterator[Message]:
    """Why a target is concealed, gone to ground or covered, and which armour faces the shooter."""
    dice = Scripted(())
    concealed(battle, shooter, target, dice=dice)
    covered(battle, shooter, target, sight_point(battle, shooter, None, 0 if shooter.building else None), dice)
    for message, arguments in dict.fromkeys(
        (entry.message, tuple(entry.arguments.items())) for entry in dice.trace if isinstance(entry, Note)
    ):
        yield Message(message, dict(arguments))
    weapon = next((weapon for weapon in shooter.profile.weapons if weapon.direct_fire), None)
    if weapon is not None and target.profile.armoured:
        hit = hit_facts(battle, shooter, weapon, target, opening=0 if shooter.building else None)
        yield say("sight.armour", facing=hit.facing, armour=hit.armour)


# -- rings ----------------------------------------------------------------------------------------------------------


def rings(battle: Battle, piece: str) -> tuple[Ring, ...]:
    """The field of fire and range of each weapon, short and long, where it bombards, whom it may charge, and command."""
    team = battle.teams.get(piece)
    if team is None or team.fate or team.pose is None:
        return ()
    return tuple(sorted(_rings(battle, team), key=lambda ring: (ring.radius, ring.inner)))


def _rings(battle: Battle, team: Team) -> Iterator[Ring]:
    assert team.pose is not None
    base, centre, facing = team.base, team.centre, team.pose.facing
    long = far("long_range")
    for weapon in team.profile.weapons:
        turned, arc = (None, None) if weapon.all_round else (facing, 180)  # FOW-ARC-01, -02
        if weapon.range_in is not None:
            most = round(weapon.range_in * INCH)
            label = say("ring.range", weapon=weapon.name, inches=min(most, long) / INCH)
            yield Ring("range", team.id, centre, min(most, long), label, 0, base, turned, arc, "FOW-TGT-06")
            if most > long:
                label = say("ring.long_range", weapon=weapon.name, inches=most / INCH)
                yield Ring("long_range", team.id, centre, most, label, long, base, turned, arc, "FOW-HIT-02")
        if weapon.bombardment is not None:
            muzzle = front_middle(team.pose, team.profile.width, team.profile.depth)
            most, least = round(weapon.bombardment.range_in * INCH), far("artillery_minimum")
            label = say("ring.bombardment", weapon=weapon.name, least=least / INCH, inches=most / INCH)
            yield Ring("bombardment", team.id, muzzle, most, label, least, rule="FOW-ART-09")
    if may(team_class(team), "charge") and not team.carried:
        reach = charge_reach(team)
        yield Ring("assault", team.id, centre, reach, say("ring.assault", inches=reach / INCH), 0, base, rule="FOW-ASLT-01")
    skill = battle.platoons[team.platoon].skill
    reach = command_reach(skill, False)
    yield Ring("command", team.id, centre, reach, say("ring.command", inches=reach / INCH), 0, base, rule="FOW-CMD-01")
    if team.profile.team_type == "tank":
        reach = command_reach(skill, True)
        yield Ring("command", team.id, centre, reach, say("ring.command_tanks", inches=reach / INCH), 0, base, rule="FOW-RULING-45")


# -- templates ------------------------------------------------------------------------------------------------------


def lies_under(battle: Battle, request: Request, places: dict[str, Placing]) -> tuple[str, ...]:
    """The teams under templates of shells or bombs laid at some places (FOW-ART-16, -17, FOW-AIR-09). Teams to deploy are no templates.

    The battery that is asked about, or that a place is named for (`battery>...`, as the options for smoke are), gives its template
    direction and width, aircraft the way they fly; else the place says how it is turned.
    """
    if isinstance(request, PickPlaces):
        return ()
    found: dict[str, None] = {}
    for name, spot in places.items():
        aim = (spot.x, spot.y)
        heading, double = spot.facing, False
        battery = battle.platoons.get(request.unit) or battle.platoons.get(name.partition(">")[0])
        if request.prompt.id == "ask.strike":
            heading = HEADINGS[battle.scenario.side(request.player).edge]
        elif battery is not None and (guns := firing_guns(battle, battery, aim)):
            heading, double = bearing(guns[0].centre, aim), double_width(guns)
        for teams in teams_under(battle, lay_template(aim, heading, double=double)).values():
            found |= dict.fromkeys(team.id for team in teams)
    return tuple(found)


def laid(battle: Battle, request: Request, option: str) -> Laid | None:
    """The template that an option would lay: a bombardment, a repeated one, smoke, an air strike (FOW-ART-16, FOW-SMK-04, FOW-AIR-09).

    Of a smoke screen of several templates only the first is known: the others lie down the wind, which is not rolled yet.
    """
    shape = _template(battle, request, option)
    if shape is None:
        return None
    under = teams_under(battle, shape)
    return Laid((shape,), tuple(team.id for teams in under.values() for team in teams))


def _template(battle: Battle, request: Request, option: str) -> Polygon | None:
    asked = request.prompt.id
    if asked == "ask.strike":
        target = battle.teams.get(option)
        if target is None or not target.on_table:
            return None
        return lay_template(target.centre, HEADINGS[battle.scenario.side(request.player).edge])
    smoke = asked == "ask.smoke"
    if asked != "ask.bombard" and not smoke:
        return None
    battery = battle.platoons.get(option.partition(">")[0] if smoke else request.unit)
    if battery is None:
        return None
    if option == "repeat" and battery.aiming_point is not None:
        point, heading = battery.aiming_point
        return lay_template(point, heading, double=double_width(firing_guns(battle, battery, point)))
    for spotter, team, trail in aims(battle, battery, smoke=smoke):
        if option == (f"{battery.id}>{spotter.id}>{team.id}>{int(trail)}" if smoke else f"{spotter.id}>{team.id}"):
            guns = firing_guns(battle, battery, team.centre, spotter.id, smoke=smoke)
            heading = bearing(guns[0].centre, team.centre)
            if smoke:
                return smoke_shapes(team.centre, heading, 1, None)[0]
            return lay_template(team.centre, heading, double=double_width(guns))
    return None
