"""The movement step: platoon by platoon, team by team (FOW-MOVE-01, -05, FOW-DEC-04 to -08)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.field.shapes import span
from sandtable.games.flames_of_war import routes, transport
from sandtable.games.flames_of_war.battle import Acted, Battle, Joined, LeftTable, PhaseBegan, Platoon, Team
from sandtable.games.flames_of_war.buildings import openings_of_side
from sandtable.games.flames_of_war.changing_tanks import EVENTS as TANK_EVENTS
from sandtable.games.flames_of_war.changing_tanks import change_tanks
from sandtable.games.flames_of_war.command import close, far, leader_of, leaderless, may_join_it
from sandtable.games.flames_of_war.formation import Formation
from sandtable.games.flames_of_war.meeting import WIDEST, Mode
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.routes import carry_out, plan_route, plan_turn
from sandtable.games.flames_of_war.surveying import Plan, reach_of
from sandtable.games.flames_of_war.transport import Dismounted, LeftHorses, behind, check_dismount, may_carry, mounted_this_turn
from sandtable.games.flames_of_war.wayfinding import away_from, contact_route, free_pose_near, furthest_towards, place_beside
from sandtable.kernel.decisions import Option, PickOne, PickRoute, PickSeveral, Refusal, Route, refusal_of
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

__all__ = [
    "EVENTS",
    "Plan",
    "away_from",
    "carry_out",
    "change_tanks",
    "contact_route",
    "free_pose_near",
    "furthest_towards",
    "movement_end_step",
    "movement_step",
    "orders",
    "place_beside",
    "plan_route",
]


class MovementBegan(Event, frozen=True):
    """A movement step begins: these openings are touched by the side's teams (FOW-BLDG-05)."""

    openings: tuple[str, ...] = ()

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, doorways=self.openings, passages=())


class Doubled(Event, frozen=True):
    """A platoon moves at the double (FOW-DBL-04)."""

    platoon: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_platoon(self.platoon, at_the_double=True)


class DigInTested(Event, frozen=True):
    """A platoon tried to dig in, instead of moving (FOW-RULING-14)."""

    platoon: str
    teams: tuple[str, ...]
    dug_in: bool

    def apply(self, battle: Battle) -> Battle:
        changes: dict[str, Any] = {"moved": True, "digging": True}
        if self.dug_in:
            changes["dug_in"] = True
        return battle.with_teams(self.teams, **changes)

    def units(self) -> tuple[str, ...]:
        return self.teams


class ReachNoted(Event, frozen=True):
    """Which platoons could assault which, by the distance at the end of the movement step (FOW-ASLT-01, FOW-RULING-75)."""

    reach: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def apply(self, battle: Battle) -> Battle:
        reach = dict(self.reach)
        platoons = {
            id: replace(platoon, assault_reach=reach.get(id, ()))
            for id, platoon in battle.platoons.items()
            if platoon.assault_reach or id in reach
        }
        return replace(battle, platoons=battle.platoons | platoons, doorways=None, passages=())


EVENTS: tuple[type[Event], ...] = (
    *routes.EVENTS,
    *transport.EVENTS,
    *TANK_EVENTS,
    MovementBegan,
    Doubled,
    DigInTested,
    ReachNoted,
)


# -- which platoon, and what it does ------------------------------------------------------------------------------------


def movement_step(table: Table[Battle]) -> None:
    """One platoon's movement; or, when the player has done, the end of the step."""
    if table.battle.doorways is None:
        table.emit(MovementBegan(openings_of_side(table.battle, table.battle.active)))
    battle = table.battle
    options = [option for platoon in battle.side_platoons(battle.active) if not platoon.acted for option in orders(battle, platoon)]
    if all(option.refusal is not None or option.id.endswith(":stay") for option in options):
        table.emit(PhaseBegan("movement_end"))
        return
    options.append(Option("done", say("option.movement_done")))
    chosen = table.ask(
        PickOne(player=battle.active, decision="FOW-DEC-04", prompt=say("ask.platoon_order"), options=tuple(options), default="done")
    )
    if chosen == "done":
        table.emit(PhaseBegan("movement_end"))
        return
    platoon, order = chosen.rsplit(":", 1)
    if order == "dig_in":
        _dig_in(table, platoon)
    elif order != "stay":
        _move_platoon(table, platoon, order)
    _has_acted(table, platoon)


def _has_acted(table: Table[Battle], platoon: str) -> None:
    """The platoon has had its go, and with it the independent teams that moved along."""
    if not table.battle.platoons[platoon].acted:
        table.emit(Acted(platoon))
    for team in table.battle.members(platoon):
        if team.joined and team.moved and not table.battle.platoons[team.platoon].acted:
            table.emit(Acted(team.platoon))


def orders(battle: Battle, platoon: Platoon) -> list[Option]:
    """The orders a platoon may be given (FOW-DEC-04); impossible ones with the rule against them. None if it can do nothing."""
    teams = [team for team in battle.members(platoon.id) if team.pose is not None]
    able = [team for team in teams if not team.carried and not team.bailed_out and not team.bogged]
    carried = [team for team in teams if team.carried and _refusal(check_dismount, battle, team) is None]
    if not able and not carried:
        return []
    units = tuple(team.id for team in teams)
    leaderless_now = leaderless(battle, platoon) and not _commanders(battle, platoon)
    headless = Refusal("FOW-CMD-06", say("refused.leaderless", platoon=platoon.name, team="")) if leaderless_now else None
    given: list[tuple[str, Refusal | None]] = [("stay", None), ("move", headless)]
    if leaderless_now:
        given.append(("turn", None))
    if able:
        given += [("double", headless or _no_double(battle, platoon, able)), ("dig_in", _no_digging(battle, able))]
    return [
        Option(f"{platoon.id}:{order}", say(f"option.order_{order}", platoon=platoon.name), refusal=refusal, units=units)
        for order, refusal in given
    ]


def _refusal(check: Any, *arguments: Any) -> Refusal | None:
    try:
        check(*arguments)
    except RefusedError as problem:
        return refusal_of(problem)
    return None


def _no_double(battle: Battle, platoon: Platoon, able: Sequence[Team]) -> Refusal | None:
    if platoon.pinned and not any(team.profile.armoured for team in able):
        return Refusal("FOW-PIN-02", say("refused.pinned_double", team=platoon.name))
    if all(team.profile.mobility == "immobile_gun" for team in able):
        return Refusal("FOW-MOVE-14", say("refused.immobile", team=platoon.name))
    return None


def _no_digging(battle: Battle, able: Sequence[Team]) -> Refusal | None:
    if not any(digs(team) for team in able):
        return Refusal("FOW-RULING-14", say("refused.cannot_dig"))
    return None


def digs(team: Team) -> bool:
    """Infantry and guns on open ground that are not dug in yet (FOW-RULING-14)."""
    return (
        team.profile.team_type in ("infantry", "gun")
        and team.on_table
        and not (team.dug_in or team.building or team.bogged or team.moved or team.bailed_out)
    )


def _dig_in(table: Table[Battle], platoon: str) -> None:
    """One skill test for the platoon (FOW-RULING-14)."""
    battle = table.battle
    teams = tuple(team.id for team in battle.members(platoon) if digs(team))
    tested = run(table, battle.active, "dig_in", skill=battle.platoons[platoon].skill)
    table.emit(DigInTested(platoon, teams, tested.result == "dug_in"))


# -- moving a platoon ---------------------------------------------------------------------------------------------------


def _move_platoon(table: Table[Battle], platoon: str, order: str) -> None:
    if order != "turn":
        _take_command(table, platoon)
    formation = Formation(table.battle, platoon)
    stays = list(_get_out(table, platoon, order, formation)) if order != "double" else []
    movers = _who_moves(table, platoon, [team.id for team in table.battle.members(platoon) if _movable(table.battle, team, stays)], order)
    for place, id in enumerate(movers):
        formation.later = tuple(movers[place + 1 :])
        if not _movable(table.battle, table.battle.teams[id], stays):
            continue
        _move_team(table, table.battle.teams[id], order, formation)


def _movable(battle: Battle, team: Team, done: Sequence[str]) -> bool:
    """Whether a team may still be moved or turned in its platoon's go."""
    if not team.on_table or team.bailed_out or team.bogged or team.id in done:
        return False
    if team.joined and battle.platoons[team.platoon].acted:
        return False  # it had its own go
    return not (team.profile.vehicle and mounted_this_turn(battle, team))


def _commanders(battle: Battle, platoon: Platoon) -> list[Team]:
    """Commanders who could take a leaderless platoon's lead by joining it (FOW-IND-03, FOW-RULING-73)."""
    return [
        team
        for team in battle.side_teams(platoon.side)
        if team.profile.commander and team.operational and may_join_it(battle, team, platoon)
    ]


def _take_command(table: Table[Battle], platoon_id: str) -> None:
    """A leaderless platoon moves only if a commander joins it; who moves it, joins one (FOW-DEC-07, FOW-RULING-73)."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    if not leaderless(battle, platoon):
        return
    commanders = _commanders(battle, platoon)
    chosen = commanders[0].id
    if len(commanders) > 1:
        options = tuple(Option(team.id, say("option.commander", team=team.profile.name), units=(team.id,)) for team in commanders)
        chosen = table.ask(
            PickOne(
                player=battle.active,
                decision="FOW-DEC-07",
                prompt=say("ask.who_leads", platoon=platoon.name),
                options=options,
                default=options[0].id,
            )
        )
    table.emit(Joined(chosen, platoon_id))


def _who_moves(table: Table[Battle], platoon_id: str, able: list[str], order: str) -> tuple[str, ...]:
    """Which teams move, and in what order: the leader first, unless the player wants it otherwise (FOW-MOVE-05, FOW-DEC-05)."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    leader = leader_of(battle, platoon)
    able.sort(key=lambda id: leader is None or id != leader.id)
    if len(able) < 2:
        return tuple(able)
    options = tuple(Option(id, say("option.team", team=id, name=battle.teams[id].profile.name), units=(id,)) for id in able)
    answer: tuple[str, ...] = table.ask(
        PickSeveral(
            player=battle.active,
            decision="FOW-DEC-05",
            prompt=say("ask.who_moves", platoon=platoon.name, order=order),
            unit=platoon_id,
            options=options,
            default=able,
        )
    )
    return answer


def _move_team(table: Table[Battle], team: Team, order: str, formation: Formation) -> None:
    """One team's route (FOW-DEC-05); an empty one stays, and may turn."""
    battle = table.battle
    found: list[Plan] = []

    def check(route: Route) -> None:
        plan = plan_order(battle, team.id, route, order)
        formation.check(battle, team, plan)
        found[:] = [plan]

    must = formation.needs(battle, team) if order != "turn" else None
    default: dict[str, Any] = {} if must is None else {"path": [list(point) for point in must.path]}
    mode: Mode = "double" if order == "double" else "move"
    table.ask(
        PickRoute(
            player=team.side,
            decision="FOW-DEC-05",
            prompt=say("ask.route", team=team.id, name=team.profile.name, order=order),
            unit=team.id,
            default=default,
            reach=0 if order == "turn" else reach_of(battle, team, mode, "road"),
            hints=_hints(battle, team, order),
        ),
        check,
    )
    plan = found[0]
    platoon = battle.platoons[formation.platoon]
    if plan.mode == "double" and not plan.stays and not platoon.at_the_double:
        table.emit(Doubled(platoon.id))  # FOW-DBL-04
    carry_out(table, team.id, plan)
    if not plan.stays:
        formation.went(team.id)


def plan_order(battle: Battle, team_id: str, route: Route, order: str) -> Plan:
    """The plan of a team's route under its platoon's order. At the double, a team may also move as usual."""
    if order == "turn":
        if route.path:
            raise RefusedError("FOW-CMD-06", "refused.leaderless", platoon=battle.unit_of(battle.teams[team_id]).name, team=team_id)
        return plan_turn(battle, battle.teams[team_id], route.facing)
    if order == "double":
        try:
            return plan_route(battle, team_id, route, "move")
        except RefusedError:
            return plan_route(battle, team_id, route, "double")
    return plan_route(battle, team_id, route, "move")


def _hints(battle: Battle, team: Team, order: str) -> dict[str, Any]:
    """For who draws the route: the order, and the vehicles it may end on to get in."""
    hints: dict[str, Any] = {"order": order}
    if order == "move" and not team.profile.vehicle:
        reach = reach_of(battle, team, "move") + 4000
        carriers = [
            other.id
            for other in battle.side_teams(team.side)
            if other.profile.vehicle and span(other.centre, team.centre) <= reach and may_carry(battle, other, team)
        ]
        if carriers:
            hints["carriers"] = carriers
    return hints


# -- getting out --------------------------------------------------------------------------------------------------------


def _get_out(table: Table[Battle], platoon_id: str, order: str, formation: Formation) -> list[str]:
    """Passengers get out, guns are unhitched, cavalry leaves its horses, before anybody moves (FOW-TRN-06, -07, -11).

    Gives the teams that have thereby made their move.
    """
    battle = table.battle
    options = [option for team in battle.members(platoon_id) if (option := _way_out(battle, team)) is not None]
    if not any(option.refusal is None for option in options):
        return []
    chosen = table.ask(
        PickSeveral(
            player=battle.active,
            decision="FOW-DEC-05",
            prompt=say("ask.who_dismounts", platoon=battle.platoons[platoon_id].name),
            unit=platoon_id,
            options=tuple(options),
            default=[],
        )
    )
    done = []
    for id in chosen:
        team = table.battle.teams[id]
        if team.towed_by:
            carrier = table.battle.teams[team.towed_by]
            pose = free_pose_near(table.battle, id, behind(carrier, team), far_off=3000)
            if pose is not None:
                table.emit(Dismounted(id, carrier.id, pose))
        elif team.mounted_in:
            if _dismount(table, team, order, formation):
                done.append(id)
        else:
            table.emit(LeftHorses(id))
    return done


def _way_out(battle: Battle, team: Team) -> Option | None:
    """The option of getting out, for a team that is carried, towed or on horseback."""
    if team.carried:
        refusal = _refusal(check_dismount, battle, team)
        carrier = battle.teams[team.mounted_in or team.towed_by]
        if refusal is None and team.mounted_in and place_beside(battle, team.id, carrier) is None:
            refusal = Refusal("FOW-RULING-67", say("refused.no_room_beside", team=team.id, carrier=carrier.id))
        word = "option.unhitch" if team.towed_by else "option.dismount"
        return Option(team.id, say(word, team=team.id, name=team.profile.name, carrier=carrier.id), refusal=refusal, units=(team.id,))
    if team.profile.team_type == "cavalry" and team.on_table:
        return Option(team.id, say("option.leave_horses", team=team.id, name=team.profile.name), units=(team.id,))
    return None


def _dismount(table: Table[Battle], team: Team, order: str, formation: Formation) -> bool:
    """A passenger gets out and moves, measured from its vehicle; an empty route leaves it beside the vehicle (FOW-TRN-06).

    Where those who got out before it have left no room there, an empty route leaves it aboard (FOW-RULING-67).
    """
    battle = table.battle
    carrier = battle.teams[team.mounted_in]
    assert carrier.pose is not None
    beside = place_beside(battle, team.id, carrier)
    found: list[Plan] = []

    def check(route: Route) -> None:
        if not route.path:
            found.clear()
            return
        if order == "turn":
            raise RefusedError("FOW-CMD-06", "refused.leaderless", platoon=battle.unit_of(team).name, team=team.id)
        plan = plan_route(battle, team.id, route, "move", start=carrier.pose)
        if plan.mounts:
            raise RefusedError("FOW-TRN-05", "refused.no_transport", team=team.id, carrier=plan.mounts)
        formation.check(battle, team, plan)
        found[:] = [plan]

    if order == "turn":
        if beside is None:
            return False
        table.emit(Dismounted(team.id, carrier.id, beside))
        return True
    table.ask(
        PickRoute(
            player=team.side,
            decision="FOW-DEC-05",
            prompt=say("ask.dismount_route", team=team.id, name=team.profile.name, carrier=carrier.id),
            unit=team.id,
            default={},
            reach=reach_of(battle, team, "move", "road"),
            hints={"order": order, "from": carrier.id},
        ),
        check,
    )
    if not found:
        if beside is None:
            return False
        table.emit(Dismounted(team.id, carrier.id, beside))
    else:
        table.emit(Dismounted(team.id, carrier.id, carrier.pose))
        carry_out(table, team.id, found[0])
    formation.went(team.id)
    return True


# -- the end of the step ------------------------------------------------------------------------------------------------


def movement_end_step(table: Table[Battle]) -> None:
    """Empty transports to the rear, new tanks for leaders, who could assault whom; then the shooting step begins."""
    _to_the_rear(table)
    change_tanks(table)
    table.emit(ReachNoted(assault_reaches(table.battle, table.battle.active)))
    table.emit(PhaseBegan("shooting_start"))


def _to_the_rear(table: Table[Battle]) -> None:
    """An empty transport may be sent away; it is not destroyed and never returns (FOW-TRN-10, FOW-DEC-06)."""
    battle = table.battle
    empty = [team for team in battle.side_teams(battle.active) if team.profile.team_type == "transport" and not battle.passengers(team.id)]
    if not empty:
        return
    options = tuple(Option(team.id, say("option.to_the_rear", team=team.id, name=team.profile.name), units=(team.id,)) for team in empty)
    for id in table.ask(
        PickSeveral(player=battle.active, decision="FOW-DEC-06", prompt=say("ask.to_the_rear"), options=options, default=[])
    ):
        table.emit(LeftTable(id, "rear"))


def assault_reaches(battle: Battle, side: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For each platoon of a side the enemy platoons within 4", for cavalry 8", nearest team to nearest team (FOW-RULING-42, -63)."""
    out = []
    usual, ridden = far("assault_range"), far("cavalry_assault_move")
    for platoon in battle.side_platoons(side):
        near: list[str] = []
        for team in battle.standing(platoon.id):
            limit = ridden if team.profile.team_type == "cavalry" else usual
            x, y = team.centre
            around = limit + 2 * WIDEST + 10
            for enemy in battle.standing_near(x - around, y - around, x + around, y + around):
                if enemy.side != side and enemy.unit not in near and close(team, enemy, limit):
                    near.append(enemy.unit)
        if near:
            out.append((platoon.id, tuple(sorted(near))))
    return tuple(out)
