"""A leader whose tank is bailed out or bogged changes to another (FOW-CMD-08, -09, FOW-RULING-73, FOW-DEC-08)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.games.flames_of_war.battle import Battle, Platoon, Team
from sandtable.games.flames_of_war.command import in_reach
from sandtable.kernel.decisions import Option, PickOne
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

RANKS = ("platoon_leader", "company_commander", "second_in_command", "higher_command", "warrior", "independent")
"""The traits that belong to the man, not to the tank."""


class TanksChanged(Event, frozen=True):
    """A leader goes over to another tank: the two exchange platoon and role (FOW-RULING-73)."""

    team: str
    tank: str

    def apply(self, battle: Battle) -> Battle:
        one, two = battle.teams[self.team], battle.teams[self.tank]
        swap = {one.id: two.id, two.id: one.id}
        platoons: dict[str, Platoon] = {}
        for id in (one.platoon, two.platoon):
            platoon = battle.platoons[id]
            teams = platoon.teams if one.platoon == two.platoon else tuple(swap.get(team, team) for team in platoon.teams)
            platoons[id] = replace(platoon, teams=teams, leader=swap.get(platoon.leader, platoon.leader))
        return replace(
            battle,
            platoons=battle.platoons | platoons,
            teams=battle.teams | {one.id: self._in_place_of(one, two), two.id: self._in_place_of(two, one)},
        )

    def _in_place_of(self, team: Team, was: Team) -> Team:
        """A tank with the platoon and role that another had."""
        traits: Any = (*(t for t in team.profile.traits if t not in RANKS), *(t for t in was.profile.traits if t in RANKS))
        return replace(team, platoon=was.platoon, joined=was.joined, profile=replace(team.profile, traits=traits))

    def units(self) -> tuple[str, ...]:
        return (self.team, self.tank)


EVENTS: tuple[type[Event], ...] = (TanksChanged,)


def change_tanks(table: Table[Battle]) -> None:
    """At the end of any step: leaders whose tank is bailed out or bogged may change to another, the active side's first."""
    for side in (table.battle.active, other(table.battle.active)):
        for platoon in table.battle.side_platoons(side):
            leader = table.battle.teams.get(platoon.leader)
            if leader is not None and (leader.bailed_out or leader.bogged) and leader.profile.team_type == "tank" and leader.on_table:
                _offer(table, leader)


def other_tanks(battle: Battle, leader: Team) -> list[Team]:
    """The tanks a leader may change to: commanders any of the company, a platoon leader one of his own platoon (FOW-CMD-09)."""
    own = battle.platoons[leader.platoon]
    return [
        team
        for team in battle.side_teams(leader.side)
        if team.id != leader.id
        and team.profile.team_type == "tank"
        and team.operational
        and (team.platoon == leader.platoon or (leader.profile.commander and not team.profile.commander))
        and in_reach(battle, own, leader, team)
    ]


def _offer(table: Table[Battle], leader: Team) -> None:
    choices = other_tanks(table.battle, leader)
    if not choices:
        return
    options = (
        *(Option(team.id, say("option.change_tank", team=team.id, name=team.profile.name), units=(team.id,)) for team in choices),
        Option("stay", say("option.keep_tank")),
    )
    chosen = table.ask(
        PickOne(
            player=leader.side,
            decision="FOW-DEC-08",
            prompt=say("ask.change_tank", team=leader.id, name=leader.profile.name),
            unit=leader.id,
            options=options,
            default=options[0].id,
        )
    )
    if chosen != "stay":
        table.emit(TanksChanged(leader.id, chosen))
