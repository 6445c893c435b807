"""A route measured and checked before it is taken: its ground, how far it may go, who could shoot, what it brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from msgspec.structs import replace

from sandtable.field.paths import Path, cut, length
from sandtable.field.shapes import Point, distance
from sandtable.games.flames_of_war.assault import assault_refusal, defenders
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.command import command_reach, in_command, leader_of
from sandtable.games.flames_of_war.going import Stretch
from sandtable.games.flames_of_war.meeting import Mode
from sandtable.games.flames_of_war.movement import assault_reaches, plan_order
from sandtable.games.flames_of_war.procedures.movement import BoggingCheck, bogging_check
from sandtable.games.flames_of_war.routes import plan_route
from sandtable.games.flames_of_war.sight import visible
from sandtable.games.flames_of_war.surveying import Plan, final_facing, reach_of, survey
from sandtable.kernel.decisions import PickRoute, Refusal, Request, Route, refusal_of
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.game import Leg, Reach
from sandtable.kernel.messages import Message, say
from sandtable.odds import distribution

STEPS = 7
"""How often a way is halved to find the last place where it may end: to within some hundredths of its length."""


def reach(battle: Battle, request: Request, route: Route) -> Reach | None:
    """What a route for the team of the question comes to. Whether its platoon holds together, the question's own check says."""
    team = battle.teams.get(request.unit)
    if not isinstance(request, PickRoute) or team is None or team.pose is None:
        return None
    carrier = battle.teams.get(str(request.hints.get("from", "")))
    start = carrier.pose if carrier is not None else None

    def planned(one: Route) -> Plan:
        if "mode" in request.hints:
            enemies = tuple(request.hints.get("enemies", ()))
            return plan_route(battle, team.id, one, request.hints["mode"], target=request.hints.get("target", ""), enemies=enemies)
        if start is not None:
            return plan_route(battle, team.id, one, "move", start=start)
        return plan_order(battle, team.id, one, request.hints.get("order", "move"))

    here = team if start is None else replace(team, pose=start, mounted_in="", towed_by="")
    try:
        plan = planned(route)
    except RefusedError as problem:
        return _refused(battle, here, request, route, problem, planned)
    if plan.stays:
        return Reach(0, 0, request.reach, notes=tuple(_turning(plan)))
    whole = round(plan.length)
    return Reach(
        whole,
        whole,
        round(plan.allowed),
        _legs(plan.stretches),
        watchers=_watchers(battle, here, plan, request),
        notes=tuple(_notes(battle, here, plan)),
    )


def _mode(request: PickRoute) -> Mode:
    if "mode" in request.hints:
        return cast(Mode, request.hints["mode"])
    return "double" if request.hints.get("order") == "double" else "move"


def _legs(stretches: tuple[Stretch, ...]) -> tuple[Leg, ...]:
    return tuple(
        Leg(say(f"going.{one.going}"), round(one.end - one.start), round(one.end - one.start)) for one in stretches if one.end > one.start
    )


# -- refused ----------------------------------------------------------------------------------------------------------


def _refused(
    battle: Battle, team: Team, request: PickRoute, route: Route, problem: RefusedError, planned: Callable[[Route], Plan]
) -> Reach:
    """The same way measured all the same, and where it would have to end."""
    path: Path = (team.centre, *route.path)
    whole, mode = round(length(path)), _mode(request)
    legs: tuple[Leg, ...] = ()
    allowed = request.reach if mode != "move" else reach_of(battle, team, mode)
    if len(path) > 1 and not team.building:
        try:
            found = survey(battle, team, path, mode, final_facing(team, path, None, mode), request.hints.get("target", ""))
            legs, allowed = _legs(found.ground.stretches), round(found.allowed)
        except RefusedError:
            pass
    named: Any = problem.arguments.get("furthest")
    furthest = (int(named[0]), int(named[1])) if named else _furthest(path, whole, planned)
    return Reach(whole, whole, allowed, legs, furthest, _plain(refusal_of(problem)))


def _plain(refusal: Refusal) -> Refusal:
    """A refusal without the place that is given apart."""
    arguments = {name: value for name, value in refusal.message.arguments.items() if name != "furthest"}
    return Refusal(refusal.rule, Message(refusal.message.id, arguments))


def _furthest(path: Path, whole: int, planned: Callable[[Route], Plan]) -> Point | None:
    """A place on the way where it may end, as far along as halving finds it."""
    low, high, found = 0.0, float(whole), None
    for _ in range(STEPS if len(path) > 1 else 0):
        middle = (low + high) / 2
        way = cut(path, middle)
        try:
            planned(Route(way[1:]))
        except RefusedError:
            high = middle
        else:
            low, found = middle, way[-1]
    return found


# -- allowed ----------------------------------------------------------------------------------------------------------


def _after(battle: Battle, team: Team, plan: Plan) -> Battle:
    """The battle with the team where it is going."""
    return battle.with_team(team.id, pose=plan.pose, building=plan.building, mounted_in="", towed_by="", moved=True, dug_in=False)


def _watchers(battle: Battle, team: Team, plan: Plan, request: PickRoute) -> tuple[str, ...]:
    """Nobody fires at a move but at a charge: who could shoot in defence if it went there (FOW-ASLT-06)."""
    target = str(request.hints.get("target", ""))
    if plan.mode not in ("charge", "consolidate") or target not in battle.platoons:
        return ()
    return tuple(defenders(_after(battle, team, plan), team.unit, target))


def _turning(plan: Plan) -> Iterator[Message]:
    if plan.counts:
        yield say("ahead.turn_counts")


def _notes(battle: Battle, team: Team, plan: Plan) -> Iterator[Message]:
    for check in plan.checks:
        facts: Any = BoggingCheck(mobility=team.profile.mobility, terrain=check.going, skill=battle.platoons[team.platoon].skill)  # type: ignore[arg-type]
        bogs = distribution(bogging_check, facts, fields=["result"]).p(("bogged",))
        yield say("ahead.bogging", terrain=check.going, inches=check.at / INCH, chance=str(bogs))
    if plan.leaves:
        yield say("ahead.leaves" if plan.leaves == "left" else "ahead.lost")
        return
    if plan.mounts:
        yield say("ahead.mounts", carrier=plan.mounts)
        return
    if plan.building:
        yield say("ahead.enters", building=plan.building)
    after = _after(battle, team, plan)
    yield from _command(battle, after, team)
    if plan.mode == "double":
        yield say("ahead.double")
    elif plan.mode == "move":
        if any(weapon.rof > 1 for weapon in team.profile.weapons) and not team.moved and team.profile.team_type != "cavalry":
            yield say("ahead.rate_of_fire")
        yield from _charges(after, team)
    if team.dug_in:
        yield say("ahead.leaves_foxholes")
    there = after.teams[team.id]
    seers = [enemy.id for enemy in after.enemies(team.side) if visible(after, enemy, there)]
    if seers:
        yield say("ahead.seen_by", number=len(seers), teams=seers[:4])
    else:
        yield say("ahead.unseen")


def _command(battle: Battle, after: Battle, team: Team) -> Iterator[Message]:
    """Whether it is in command there, and whom it leaves out of command (FOW-CMD-01 to -03)."""
    platoon = after.platoons[team.unit]
    leader = leader_of(after, platoon)
    if platoon.independent or leader is None or leader.pose is None:
        return
    led = {one.id for one in in_command(after, platoon)}
    there = after.teams[team.id]
    if leader.id != team.id:
        tanks = leader.profile.team_type == "tank" == team.profile.team_type
        far_off, most = distance(there.base, leader.base) / INCH, command_reach(platoon.skill, tanks) / INCH
        yield say("ahead.in_command" if team.id in led else "ahead.out_of_command", leader=leader.id, inches=far_off, reach=most)
    lost = [one.id for one in in_command(battle, battle.platoons[team.unit]) if one.id not in led and one.id != team.id]
    if lost:
        yield say("ahead.leaves_behind", teams=lost)


def _charges(after: Battle, team: Team) -> Iterator[Message]:
    """The platoons that its own could then assault (FOW-ASLT-01)."""
    platoon = after.platoons[team.unit]
    if assault_refusal(after, platoon) is None:
        for target in dict(assault_reaches(after, team.side)).get(platoon.id, ()):
            yield say("ahead.assault", platoon=target)
