"""Keeping a platoon together while its teams move one by one (FOW-CMD-03 to -05, FOW-RULING-73).

Whoever moves must end in command; a team that was out of command need only come nearer to its leader; nobody may leave a team behind
that has moved already; at least half must stay with the leader. Teams that have yet to move count as long as they can still come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.field.shapes import distance, span
from sandtable.games.flames_of_war.battle import Battle, Platoon, Team
from sandtable.games.flames_of_war.command import command_reach, in_command, leader_of, led_of
from sandtable.games.flames_of_war.routes import plan_route
from sandtable.games.flames_of_war.surveying import Plan, reach_of
from sandtable.games.flames_of_war.wayfinding import furthest_towards
from sandtable.kernel.decisions import Route
from sandtable.kernel.errors import RefusedError

Changed = Mapping[str, Team]
"""Teams as they would stand after a move that is thought over."""
_NOBODY: Changed = {}


class Formation:
    """A platoon on the move: who was in command when it began, who has moved, who has yet to."""

    def __init__(self, battle: Battle, platoon: str) -> None:
        self.platoon = platoon
        self.moved: list[str] = []
        self.later: tuple[str, ...] = ()
        self._known: tuple[Battle | None, frozenset[str]] = (None, frozenset())
        self._passed: tuple[Battle | None, Plan | None, tuple[str, ...]] = (None, None, ())
        self.led = self._with_leader(battle)
        self.whole = self._half_kept(battle, self.led, ())

    def _platoon(self, battle: Battle) -> Platoon:
        return battle.platoons[self.platoon]

    def _with_leader(self, battle: Battle) -> frozenset[str]:
        """Who is in command as the battle stands; asked again and again while a team's routes are tried."""
        if self._known[0] is not battle:
            self._known = (battle, frozenset(team.id for team in in_command(battle, self._platoon(battle))))
        return self._known[1]

    def _counted(self, battle: Battle, changed: Changed) -> list[Team]:
        """The teams that half of means: transports are not counted, but in a platoon of them (FOW-CMD-05, FOW-RULING-76)."""
        all_of_it = self._platoon(battle).role == "transport"
        members = [changed.get(team.id, team) for team in battle.members(self.platoon)]
        return [team for team in members if team.pose is not None and (all_of_it or team.profile.team_type != "transport")]

    def _half_kept(self, battle: Battle, led: frozenset[str], later: Sequence[str], changed: Changed = _NOBODY) -> bool:
        """Whether half of the platoon is with the leader, or can still come; with some teams changed."""
        counted = self._counted(battle, changed)
        leader = leader_of(battle, self._platoon(battle))
        if leader is None or leader.pose is None:
            return True
        leader = changed.get(leader.id, leader)
        near = sum(1 for team in counted if team.id in led or (team.id in later and self._may_come(battle, team, leader, len(counted))))
        return 2 * near >= len(counted)

    def _may_come(self, battle: Battle, team: Team, leader: Team, many: int) -> bool:
        if team.bogged or team.bailed_out or team.pose is None:
            return False
        chain = command_reach(self._platoon(battle).skill, True) * many
        return span(team.centre, leader.centre) <= reach_of(battle, team, "move", "road") + chain + 6000

    def check(self, battle: Battle, team: Team, plan: Plan) -> None:
        """Raises if a plan would break the platoon's command."""
        platoon = self._platoon(battle)
        if platoon.independent or plan.leaves:
            return
        leader = leader_of(battle, platoon)
        if leader is None or leader.pose is None:
            return
        if self._passed[0] is battle and self._passed[1] is plan and self._passed[2] == self.later:
            return  # as when the player tried it
        before = self._with_leader(battle)
        if plan.stays:
            self._check_stay(battle, team, leader, before)
            return
        pose = battle.teams[plan.mounts].pose if plan.mounts else plan.pose
        changed = {team.id: replace(battle.teams[team.id], pose=pose, building=plan.building, mounted_in=plan.mounts, towed_by="")}
        if team.profile.vehicle:
            changed |= {one.id: replace(one, pose=pose) for one in battle.passengers(team.id)}
        teams = [one for member in battle.members(platoon.id) if (one := changed.get(member.id, member)).pose is not None]
        led = frozenset(one.id for one in led_of(battle, platoon, teams, changed.get(leader.id, leader)))
        if team.id != leader.id and team.id not in led:
            out_before = team.id not in self.led
            nearer = distance(changed[team.id].base, leader.base) < distance(self._start(battle, team).base, leader.base) - 1
            if not (out_before and nearer):
                raise RefusedError("FOW-CMD-03", "refused.out_of_command", team=team.id, leader=leader.id, platoon=platoon.name)
        for other in self.moved:
            if other in before and other not in led and other != team.id:
                raise RefusedError("FOW-CMD-03", "refused.leaves_behind", team=team.id, other=other, platoon=platoon.name)
        later = [id for id in self.later if id != team.id]
        if self.whole and len(led) <= len(before) and not self._half_kept(battle, led, later, changed):
            raise RefusedError("FOW-CMD-05", "refused.half_left_behind", team=team.id, platoon=platoon.name)
        self._passed = (battle, plan, self.later)

    def _start(self, battle: Battle, team: Team) -> Team:
        carrier = team.mounted_in or team.towed_by
        return battle.teams[carrier] if carrier else team

    def _check_stay(self, battle: Battle, team: Team, leader: Team, led: frozenset[str]) -> None:
        """Staying is refused only where half would be left behind and the team can still come (FOW-CMD-05)."""
        if not self.whole or team.id in led or team.id == leader.id:
            return
        later = [id for id in self.later if id != team.id]
        if self._half_kept(battle, led, later) or self.rejoin(battle, team) is None:
            return
        raise RefusedError("FOW-CMD-05", "refused.must_rejoin", team=team.id, platoon=self._platoon(battle).name)

    def rejoin(self, battle: Battle, team: Team) -> Route | None:
        """A move that brings a team back into command, if there is one."""
        leader = leader_of(battle, self._platoon(battle))
        if leader is None or leader.pose is None or team.carried:
            return None
        route = furthest_towards(battle, team.id, leader.centre)
        if route is None:
            return None
        try:
            plan = plan_route(battle, team.id, route, "move")
            self.check(battle, team, plan)
        except RefusedError:
            return None
        return route

    def needs(self, battle: Battle, team: Team) -> Route | None:
        """The move that a team must at least make, if staying is refused."""
        try:
            self.check(battle, team, Plan(team.id, "move", (team.centre,), 0, 0.0, 0.0))
        except RefusedError:
            return self.rejoin(battle, team)
        return None

    def went(self, id: str) -> None:
        self.moved.append(id)
