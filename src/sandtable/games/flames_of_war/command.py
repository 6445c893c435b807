"""Command: who is led by whom, how far command reaches, and whom an independent team may join."""

from __future__ import annotations

from functools import cache
from typing import Any

from sandtable.field.shapes import distance, within
from sandtable.games.flames_of_war.battle import INCH, Battle, Joined, Platoon, Team
from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.kernel.decisions import Option, PickOne
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table


@cache
def far(name: str) -> int:
    """A distance of the rules' text in grid units: chart `distances`."""
    return int(CHARTS["distances"].record(name)["inches"] * INCH)


@cache
def command_reach(skill: str, tanks: bool) -> int:
    """How far command reaches between two teams (FOW-CMD-01); the tank column only between two tanks (FOW-RULING-45)."""
    return int(CHARTS["command_distance"].record(skill, "tank" if tanks else "other")["inches"] * INCH)


def _tank(team: Team) -> bool:
    return team.profile.team_type == "tank"


def gap(one: Team, two: Team) -> float:
    """The distance between two teams, base to base; passengers are where their vehicle is (FOW-RULING-67)."""
    return distance(one.base, two.base)


def close(one: Team, two: Team, reach: float) -> bool:
    """Whether two teams are within a distance of each other, base to base."""
    # Most pairs are settled by their centres: a base holds the circle of its shorter half, and lies in the one of both halves.
    here, there = one.pose, two.pose
    assert here is not None
    assert there is not None
    dx, dy = here.x - there.x, here.y - there.y
    square = dx * dx + dy * dy
    a, b = one.profile, two.profile
    most = reach + (a.width + a.depth + b.width + b.depth) / 2 + 10
    if square > most * most:
        return False
    least = reach + (min(a.width, a.depth) + min(b.width, b.depth)) / 2 - 10
    if square <= least * least and least > 0:
        return True
    return within(gap(one, two), reach)


def in_reach(battle: Battle, platoon: Platoon, one: Team, two: Team) -> bool:
    """Whether two teams are within command distance of each other, by the platoon's skill."""
    return close(one, two, command_reach(platoon.skill, _tank(one) and _tank(two)))


def leader_of(battle: Battle, platoon: Platoon) -> Team | None:
    """Who leads a platoon: its leader, or a commander who joined it and takes the leader's place (FOW-IND-03, FOW-RULING-73)."""
    if platoon.leader:
        leader = battle.teams[platoon.leader]
        if leader.alive:
            return leader
    return joined_commander(battle, platoon)


def joined_commander(battle: Battle, platoon: Platoon) -> Team | None:
    """A commander who has joined the platoon."""
    return next((team for team in battle.guests(platoon.id) if team.profile.commander), None)


def leaderless(battle: Battle, platoon: Platoon) -> bool:
    """No leader, and no commander in his place (FOW-CMD-06). Independent teams lead themselves."""
    return not platoon.independent and leader_of(battle, platoon) is None


def connected(battle: Battle, platoon: Platoon, teams: list[Team], start: Team) -> list[Team]:
    """The teams reached from `start` by the chain of command: transports must be in reach but pass nothing on (FOW-CMD-02).

    In a transport platoon the vehicles are the teams (FOW-RULING-76), so they do.
    """
    deaf = "" if platoon.role == "transport" else "transport"
    reached = [start]
    waiting = [team for team in teams if team is not start]
    passing_on = reached[:] if start.profile.team_type != deaf else []
    grown = True
    while grown and waiting:
        grown = False
        left = []
        for team in waiting:
            if any(in_reach(battle, platoon, one, team) for one in passing_on):
                reached.append(team)
                if team.profile.team_type != deaf:
                    passing_on.append(team)
                    grown = True
            else:
                left.append(team)
        waiting = left
    return reached


def in_command(battle: Battle, platoon: Platoon) -> list[Team]:
    """The teams of a platoon that are in command (FOW-CMD-02). A leaderless platoon: its largest group (FOW-RULING-73)."""
    return led_of(battle, platoon, [team for team in battle.members(platoon.id) if team.pose is not None], leader_of(battle, platoon))


def led_of(battle: Battle, platoon: Platoon, teams: list[Team], leader: Team | None) -> list[Team]:
    """Of some teams on the table those in command, with that leader."""
    if not teams:
        return []
    if leader is not None and any(team is leader for team in teams):
        return connected(battle, platoon, teams, leader)
    return max(isolated_groups(battle, platoon, teams), key=len)  # the first of the largest: order of the teams


def isolated_groups(battle: Battle, platoon: Platoon, teams: list[Team]) -> list[list[Team]]:
    """Teams in groups that are out of command distance of each other (FOW-TGT-04)."""
    groups: list[list[Team]] = []
    left = list(teams)
    while left:
        start = next((team for team in left if team.profile.team_type != "transport"), left[0])
        group = {team.id for team in connected(battle, platoon, left, start)}
        groups.append([team for team in left if team.id in group])
        left = [team for team in left if team.id not in group]
    return groups


def may_join(battle: Battle, team: Team) -> list[Platoon]:
    """The platoons an independent team could join now: of its own side, within its command distance (FOW-IND-02)."""
    if not _joins(battle, team):
        return []
    return [platoon for platoon in battle.side_platoons(team.side) if _joinable(battle, team, platoon)]


def may_join_it(battle: Battle, team: Team, platoon: Platoon) -> bool:
    """Whether an independent team could join this platoon now."""
    if platoon.side != team.side or platoon.destroyed or platoon.in_reserve or platoon.left_table:
        return False
    return _joins(battle, team) and _joinable(battle, team, platoon)


def _joins(battle: Battle, team: Team) -> bool:
    return battle.platoons[team.platoon].independent and not (team.fate or team.pose is None or team.carried or team.joined)


def _joinable(battle: Battle, team: Team, platoon: Platoon) -> bool:
    own = battle.platoons[team.platoon]
    if platoon.independent or platoon.id == own.id:
        return False
    return any(in_reach(battle, own, team, one) for one in battle.members(platoon.id) if one.pose is not None)


def motivation_facts(battle: Battle, platoon: Platoon, team: Team | None = None) -> dict[str, Any]:
    """The fields of a motivation test: the platoon's rating (FOW-RULING-58) and whether a commander lets it re-roll (FOW-IND-04, -05).

    The re-roll is always used (FOW-DEC-24).

    `team` is the team that tests, where one tests for itself.
    """
    commander = None
    for one in battle.guests(platoon.id):
        if any(trait in one.profile.traits for trait in ("company_commander", "higher_command")):
            commander = one
            break
    for_self = team is not None and (commander is team or battle.platoons[team.platoon].independent)
    return {
        "motivation": platoon.motivation,
        "commander_joined": commander is not None,
        "for_self": for_self,
        "commander_bailed_out": commander is not None and commander.bailed_out,
    }


def offer_join(table: Table[Battle], team_id: str, *, platoons: list[str] | None = None, forced: bool = False) -> None:
    """Ask an independent team's owner whether it joins a platoon (FOW-DEC-07, -11); `forced` leaves no way out (FOW-IND-06)."""
    battle = table.battle
    team = battle.teams[team_id]
    choices = [platoon for platoon in may_join(battle, team) if platoons is None or platoon.id in platoons]
    if not choices:
        return
    if forced and len(choices) == 1:
        table.emit(Joined(team_id, choices[0].id))
        return
    options = [Option(platoon.id, say("option.join", platoon=platoon.name), units=platoon.teams) for platoon in choices]
    if not forced:
        options.insert(0, Option("alone", say("option.stay_alone")))
    chosen = table.ask(
        PickOne(
            player=team.side,
            decision="FOW-DEC-11" if platoons is not None else "FOW-DEC-07",
            prompt=say("ask.join", team=team.profile.name),
            unit=team_id,
            options=tuple(options),
            default=options[0].id,
        )
    )
    if chosen != "alone":
        table.emit(Joined(team_id, chosen))


def side_edge_of(battle: Battle, side: str) -> str:
    """The table edge a side calls its own."""
    return battle.scenario.side(side).edge
