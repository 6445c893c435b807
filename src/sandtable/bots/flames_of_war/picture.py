"""The picture the bot has of a battle: who stands where, what each platoon is for, and where it should go."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.bots.flames_of_war.lay import FAR, Lay, lay_of
from sandtable.bots.flames_of_war.worth import worth_of
from sandtable.field.shapes import Point, span
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon, Team
from sandtable.games.flames_of_war.command import leader_of
from sandtable.games.flames_of_war.profile import TeamProfile
from sandtable.games.flames_of_war.victory import HOLDING, near
from sandtable.kernel.events import other
from sandtable.kernel.keeping import derived

id_of = id
"""The identity of an object; `id` is what things are called here."""
NEAREST = 2
"""How many of the nearest objectives a platoon thinks about."""


class Foe(NamedTuple):
    """An enemy platoon as it stands."""

    id: str
    skill: str
    pinned: bool
    teams: tuple[Team, ...]
    places: tuple[tuple[int, int, Team], ...]
    worth: float
    assaults: bool
    """Whether it may charge: unpinned infantry, cavalry or tanks."""
    guns: tuple[tuple[TeamProfile, int], ...]
    """What shoots: profiles of its operational teams, and how many there are of each."""
    middle: Point
    size: int
    """How far its teams stand from its middle at most."""

    def nearest(self, point: Point) -> tuple[float, Team]:
        """The team nearest to a place, centre to centre, in inches."""
        x, y = point
        best: tuple[float, Team] | None = None
        for ex, ey, team in self.places:
            gap = (ex - x) * (ex - x) + (ey - y) * (ey - y)
            if best is None or gap < best[0]:
                best = (gap, team)
        assert best is not None
        return best[0] ** 0.5 / INCH, best[1]


class Goal(NamedTuple):
    """Where a platoon should go, and why."""

    place: Point
    why: str
    """take, hold, follow, watch or stay."""
    objective: int = -1


class Objective(NamedTuple):
    place: Point
    owner: str | None
    mine: int
    """Own operational teams that hold it."""
    theirs: int
    threat: float
    """The worth of the enemies near it."""


class Picture:
    """One side's view of the battle at the beginning of a step. What takes a look around is looked for when it is first wanted."""

    def __init__(self, battle: Battle, side: str) -> None:
        self.battle, self.side = battle, side
        self.lay: Lay = lay_of(battle.ground)
        scenario = battle.scenario
        self.places = [(round(one.at[0] * INCH), round(one.at[1] * INCH)) for one in scenario.objectives]
        """Where the objectives are."""
        self.takes = [i for i, one in enumerate(scenario.objectives) if one.owner != side]
        self.holds = [i for i, one in enumerate(scenario.objectives) if one.owner != other(side)]
        self.attacks = bool(self.takes) and scenario.wins_on_time != side
        self.presses = self.attacks and scenario.wins_on_time == other(side)
        self.counting = battle.turn + 1 >= scenario.holding_counts_from_turn
        self.left = scenario.turns - battle.turn
        self.goals: dict[str, Goal] = {}
        self.guards: dict[int, str] = {}

    @derived
    def foes(self) -> list[Foe]:
        return _foes(self.battle, other(self.side))

    @derived
    def objectives(self) -> list[Objective]:
        out = []
        for objective, place in zip(self.battle.scenario.objectives, self.places, strict=True):
            mine = theirs = 0
            x, y = place
            for team in self.battle.standing_near(x - 7000, y - 7000, x + 7000, y + 7000):
                if team.operational and near(team, place):
                    mine += team.side == self.side
                    theirs += team.side != self.side
            threat = sum(foe.worth for foe in self.foes if span(foe.middle, place) < 10 * INCH + foe.size)
            out.append(Objective(place, objective.owner, mine, theirs, threat))
        return out

    def near_foes(self, point: Point, reach_in: float) -> list[tuple[float, Team, Foe]]:
        """The enemy platoons within some inches, each by its nearest team."""
        found = []
        reach = reach_in * INCH
        x, y = point
        for foe in self.foes:
            far = reach + foe.size
            if abs(foe.middle[0] - x) <= far and abs(foe.middle[1] - y) <= far:
                gap, team = foe.nearest(point)
                if gap <= reach_in:
                    found.append((gap, team, foe))
        return found

    # -- what platoons are for ------------------------------------------------------------------------------------------

    def goal(self, battle: Battle, platoon: Platoon) -> Goal:
        found = self.goals.get(platoon.id)
        if found is None:
            found = self.goals[platoon.id] = self._goal(battle, platoon)
        return found

    def _goal(self, battle: Battle, platoon: Platoon) -> Goal:
        leader = head(battle, platoon)
        if leader is None:
            return Goal((0, 0), "stay")
        here = leader.centre
        kind = kind_of(battle, platoon)
        if kind in ("battery", "gun", "recovery"):
            return Goal(here, "stay")
        if kind == "observer":
            return Goal(self._nearest_objective(here, self.takes or self.holds), "watch")
        if self.attacks:
            return self._attack(battle, platoon, leader)
        return self._defend(platoon, leader)

    def _nearest_objective(self, here: Point, among: list[int]) -> Point:
        if among:
            return min((self.objectives[i].place for i in among), key=lambda place: (span(here, place), place))
        if self.foes:
            return min((foe.middle for foe in self.foes), key=lambda place: (span(here, place), place))
        return here

    def _near(self, here: Point, among: list[int]) -> list[int]:
        """The nearest objectives, and not one that is much farther away than the nearest."""
        apart = sorted((span(here, self.objectives[i].place), i) for i in among)[:NEAREST]
        return [i for far, i in apart if far <= 1.6 * apart[0][0] + 12 * INCH]

    def _attack(self, battle: Battle, platoon: Platoon, leader: Team) -> Goal:
        """The objective that is soonest taken: near, and weakly held."""
        here = leader.centre
        best: tuple[float, int] | None = None
        for i in self._near(here, self.takes):
            objective = self.objectives[i]
            turns = self.lay.turns(objective.place, leader.profile.mobility, here)
            cost = min(turns, 50.0) + 0.25 * objective.threat
            if best is None or cost < best[0]:
                best = (cost, i)
        assert best is not None
        return Goal(self.objectives[best[1]].place, "take", best[1])

    def _defend(self, platoon: Platoon, leader: Team) -> Goal:
        """One platoon for each objective first, then where the enemy comes."""
        here = leader.centre
        if not self.holds:
            return Goal(here, "stay")
        best: tuple[float, int] | None = None
        for i in self._near(here, self.holds):
            objective = self.objectives[i]
            turns = min(self.lay.turns(objective.place, leader.profile.mobility, here), FAR)
            guard = self.guards.get(i, platoon.id)
            need = 2.0 * (guard == platoon.id) + 0.3 * objective.threat + 3.0 * (objective.theirs > objective.mine)
            cost = turns - need
            if best is None or cost < best[0]:
                best = (cost, i)
        assert best is not None
        self.guards.setdefault(best[1], platoon.id)
        return Goal(self.objectives[best[1]].place, "hold", best[1])


def _foes(battle: Battle, enemy: str) -> list[Foe]:
    by_unit: dict[str, list[Team]] = {}
    for team in battle.teams.values():
        if team.side == enemy and team.on_table:
            by_unit.setdefault(team.joined or team.platoon, []).append(team)
    found = []
    for id, teams in by_unit.items():
        platoon = battle.platoons[id]
        places = tuple((team.pose.x, team.pose.y, team) for team in teams if team.pose is not None)
        middle = (sum(x for x, _, _ in places) // len(places), sum(y for _, y, _ in places) // len(places))
        size = max(max(abs(x - middle[0]), abs(y - middle[1])) for x, y, _ in places)
        charges = any(team.profile.team_type in ("infantry", "cavalry") and not team.profile.man_packed for team in teams)
        assaults = charges and not platoon.pinned
        worth = sum(worth_of(team.profile) for team in teams)
        guns: dict[int, tuple[TeamProfile, int]] = {}
        for team in teams:
            if team.operational:
                guns[id_of(team.profile)] = (team.profile, guns.get(id_of(team.profile), (team.profile, 0))[1] + 1)
        found.append(Foe(id, platoon.skill, platoon.pinned, tuple(teams), places, worth, assaults, tuple(guns.values()), middle, size))
    return found


def head(battle: Battle, platoon: Platoon) -> Team | None:
    """Who stands for a platoon: its leader if he stands on the table, else its first team that does."""
    leader = leader_of(battle, platoon)
    if leader is not None and leader.on_table:
        return leader
    return next((team for team in battle.standing(platoon.id)), None)


def kind_of(battle: Battle, platoon: Platoon) -> str:
    """What a platoon is good for: battery, gun, observer, hq, recon, tank, cavalry, foot, transport or recovery."""
    profiles = [team.profile for id in platoon.teams if (team := battle.teams[id]).alive]
    if not profiles:
        return "none"
    first = profiles[0]
    if "observer" in first.traits:
        return "observer"
    if first.commander:
        return "hq"
    if "recovery_vehicle" in first.traits or (first.vehicle and not first.weapons):
        return "recovery"
    if platoon.role == "artillery_battery" or any(weapon.bombardment is not None for profile in profiles for weapon in profile.weapons):
        return "battery"
    if "recon" in first.traits:
        return "recon"
    kinds = [profile.team_type for profile in profiles]
    common = max(kinds, key=lambda kind: (kinds.count(kind), kind))
    if common == "gun":
        return "gun" if not first.man_packed else "foot"
    return {"infantry": "foot"}.get(common, common)


__all__ = ["HOLDING", "Foe", "Goal", "Objective", "Picture", "head", "kind_of"]
