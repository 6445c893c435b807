"""How a battle is won: by company morale, by an objective, by time, or by having nobody left to fight (FOW-RULING-03)."""

from __future__ import annotations

from sandtable.field.shapes import Point, contains, distance, within
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.morale import company_counts
from sandtable.kernel.events import Result, other
from sandtable.kernel.messages import say

HOLDING = 4 * INCH
"""An objective is held from within 4 inches (FOW-RULING-03)."""


def near(team: Team, place: Point) -> bool:
    """Whether some point of a team's base is within 4 inches of an objective."""
    if team.pose is None or max(abs(team.pose.x - place[0]), abs(team.pose.y - place[1])) > HOLDING + 3 * INCH:
        return False
    return contains(team.base, place) or within(distance(team.base, (place,)), HOLDING)


def objective_place(battle: Battle, index: int) -> Point:
    x, y = battle.scenario.objectives[index].at
    return round(x * INCH), round(y * INCH)


def holder(battle: Battle, index: int) -> str | None:
    """The side that alone has a team neither bailed out nor bogged at an objective."""
    place = objective_place(battle, index)
    sides = {team.side for team in battle.teams.values() if team.on_table and team.operational and near(team, place)}
    return next(iter(sides)) if len(sides) == 1 else None


def objective_taken(battle: Battle, side: str) -> Result | None:
    """At the start of its own turn a side that holds an objective it did not own at the start of the battle has won."""
    if battle.turn < battle.scenario.holding_counts_from_turn:
        return None
    for index, objective in enumerate(battle.scenario.objectives):
        if objective.owner != side and holder(battle, index) == side:
            return Result(side, say("ended.objective", objective=objective.id), "FOW-RULING-03")
    return None


def nobody_left(battle: Battle) -> Result | None:
    """A side with no team left on the table loses at once."""
    left = [bool(battle.side_teams(side)) for side in ("a", "b")]  # who is carried has a carrier that stands there
    if all(left):
        return None
    winner = "a" if left[0] else "b" if left[1] else None
    return Result(winner, say("ended.nobody_left"), "FOW-RULING-03")


def on_time(battle: Battle) -> Result:
    """The turn limit is reached."""
    decides = battle.scenario.wins_on_time
    if decides != "platoons":
        return Result(decides, say("ended.time"), "FOW-RULING-03")
    ready = {side: company_counts(battle, side)[1] for side in ("a", "b")}
    winner = None if ready["a"] == ready["b"] else max(ready, key=lambda side: ready[side])
    return Result(winner, say("ended.time_platoons", a=ready["a"], b=ready["b"]), "FOW-RULING-03")


def company_broken(side: str) -> Result:
    return Result(other(side), say("ended.company_morale"), "FOW-MOR-06")
