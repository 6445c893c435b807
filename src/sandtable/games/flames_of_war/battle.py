"""The battle: teams, platoons, companies and the table, as one immutable value, and the events that change it.

Every independent team (a commander, an observer) is a platoon of its own here (FOW-IND-01); `joined` says which platoon
it is part of for the moment. Distances and places are grid units (1/1000 inch).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.field.shapes import Box, Point, Polygon, Pose, bounds, rectangle
from sandtable.field.terrain import Ground, Piece
from sandtable.games.flames_of_war.profile import Scenario, TeamProfile
from sandtable.kernel.events import Battle as KernelBattle
from sandtable.kernel.events import Event, other
from sandtable.kernel.keeping import derived

INCH = 1000


@lru_cache(maxsize=100_000)
def _rectangle(x: int, y: int, facing: int, width: int, depth: int) -> Polygon:
    return rectangle(Pose(x, y, facing), width, depth)


class Team(msgspec.Struct, frozen=True, dict=True):
    """One base or vehicle. Off the table it has no pose; a passenger or towed gun is where its carrier is.

    (`dict=True` lets derived values be kept.)
    """

    id: str
    side: str
    platoon: str
    profile: TeamProfile
    pose: Pose | None = None
    moved: bool = False
    shot: bool = False
    assaulted: bool = False
    digging: bool = False
    """Has tried to dig in this turn: then `moved` counts for the rate of fire, not for concealment (FOW-RULING-14)."""
    busy: bool = False
    """Spent its turn on something else: eyes and ears, spotting, towing."""
    named_leader: bool = False
    """Has named a leader in this turn: it may not shoot, but fight (FOW-CMD-11)."""
    shot_over: bool = False
    """A friend fired over it this step, so it may not shoot (FOW-RULING-68)."""
    opening: str = ""
    """The opening of its building that it shot through in this step, `building#number` (FOW-BLDG-04)."""
    bailed_out: bool = False
    bogged: bool = False
    back: Pose | None = None
    """Where it stood before it bogged."""
    dug_in: bool = False
    spotted: bool = False
    mounted_in: str = ""
    towed_by: str = ""
    building: str = ""
    joined: str = ""
    fate: str = ""
    """destroyed, left (by its own edge), rear (an empty transport sent away)."""

    @derived
    def base(self) -> Polygon:
        """Its footprint on the table."""
        pose = self.pose
        assert pose is not None, f"{self.id} is not on the table"
        return _rectangle(pose.x, pose.y, pose.facing, self.profile.width, self.profile.depth)

    @derived
    def box(self) -> Box:
        """The smallest upright box around its footprint."""
        return bounds(self.base)

    @derived
    def centre(self) -> Point:
        assert self.pose is not None, f"{self.id} is not on the table"
        return self.pose.x, self.pose.y

    @property
    def alive(self) -> bool:
        return not self.fate

    @property
    def carried(self) -> bool:
        """A passenger, or a gun on tow: it cannot be aimed at."""
        return bool(self.mounted_in or self.towed_by)

    @derived
    def on_table(self) -> bool:
        """Standing on the table by itself (not carried)."""
        return not self.fate and self.pose is not None and not self.mounted_in and not self.towed_by

    @property
    def operational(self) -> bool:
        return self.alive and not self.bailed_out and not self.bogged

    @property
    def done_shooting(self) -> bool:
        """Has shot, or done what stands in for it: it neither shoots, spots nor tows any more this turn."""
        return self.shot or self.busy or self.named_leader

    @property
    def unit(self) -> str:
        """The platoon it acts with just now."""
        return self.joined or self.platoon


class Platoon(msgspec.Struct, frozen=True):
    """A platoon, or an independent team as a platoon of its own (`role` independent or hq)."""

    id: str
    side: str
    name: str
    skill: str
    motivation: str
    role: str
    teams: tuple[str, ...]
    leader: str = ""
    """The team that leads it; empty = leaderless (FOW-CMD-06)."""
    has_staff: bool = False
    parent: str = ""
    """For an observer: its battery."""
    pinned: bool = False
    at_the_double: bool = False
    disengaged: bool = False
    """Has disengaged in the running enemy turn (FOW-REC-10)."""
    reorganising: bool = False
    """The own turn after disengaging (FOW-REC-11, -12)."""
    in_reserve: bool = False
    left_table: bool = False
    destroyed: bool = False
    acted: bool = False
    """Has moved, shot or assaulted in this step."""
    bombarded: bool = False
    hits: int = 0
    """Direct-fire hits taken in this step (FOW-RULING-17)."""
    lost: bool = False
    """Lost a team or had a vehicle bailed out in this step (FOW-MOR-03)."""
    losses: int = 0
    transports_lost: int = 0
    aiming_point: tuple[Point, int] | None = None
    """Where its last bombardment lay, and which way (FOW-ART-15)."""
    trail: bool = False
    """Its rockets left smoke trails (FOW-RKT-03)."""
    assault_reach: tuple[str, ...] = ()
    """Enemy platoons it could assault by the distance at the end of the movement step (FOW-RULING-75)."""
    fought: tuple[str, ...] = ()
    """Platoons it has fought in this assault step."""

    @property
    def independent(self) -> bool:
        return self.role in ("hq", "independent")


class CompanyState(msgspec.Struct, frozen=True):
    """A side's company: what changes during the battle."""

    motivation: str
    air_pool: int = 0
    called: bool = False
    aircraft: int = 0
    """Aircraft that arrived this turn and have not struck yet."""


class Smoke(msgspec.Struct, frozen=True):
    id: str
    side: str
    shape: Polygon


class Battle(KernelBattle, frozen=True, kw_only=True):
    """The state of a Flames of War battle."""

    scenario: Scenario
    ground: Ground
    """The table with its terrain; wrecks are added to it as they come."""
    teams: dict[str, Team]
    platoons: dict[str, Platoon]
    companies: dict[str, CompanyState]
    turn: int = 0
    active: str = "a"
    first: str = ""
    phase: str = "first_player"
    smoke: tuple[Smoke, ...] = ()
    doorways: tuple[str, ...] | None = None
    """In a movement step: the openings (`building#number`) that the side's teams touched when it began (FOW-BLDG-05)."""
    passages: tuple[str, ...] = ()
    """In a movement step: the openings that teams have passed through, once for each team (FOW-BLDG-04)."""
    counter: int = 0
    """For ids of markers."""

    # -- looking --------------------------------------------------------------------------------------------------

    def team(self, id: str) -> Team:
        return self.teams[id]

    def platoon(self, id: str) -> Platoon:
        return self.platoons[id]

    def unit_of(self, team: Team) -> Platoon:
        """The platoon that a team acts with just now."""
        return self.platoons[team.joined or team.platoon]

    def members(self, platoon: str) -> list[Team]:
        """The living teams that act with a platoon just now: its own, and the independent teams that joined it."""
        return _roster(self.teams).of(self.platoons[platoon])[0][:]

    def standing(self, platoon: str) -> list[Team]:
        """The members that stand on the table by themselves."""
        return _roster(self.teams).of(self.platoons[platoon])[1][:]

    def guests(self, platoon: str) -> list[Team]:
        """The independent teams that have joined a platoon."""
        return _roster(self.teams).joined.get(platoon, [])[:]

    def side_platoons(self, side: str) -> list[Platoon]:
        """A side's platoons still in the battle (independent teams included, joined or not)."""
        return [p for p in self.platoons.values() if p.side == side and not p.destroyed and not p.in_reserve and not p.left_table]

    def side_teams(self, side: str) -> list[Team]:
        """A side's teams that stand on the table."""
        return _roster(self.teams).standing[side][:]

    def standing_near(self, left: float, low: float, right: float, high: float) -> list[Team]:
        """The teams on the table whose centre lies in a box, in the order of all teams."""
        return _roster(self.teams).near(left, low, right, high)

    def enemies(self, side: str) -> list[Team]:
        return self.side_teams(other(side))

    def passengers(self, carrier: str) -> list[Team]:
        carried = _roster(self.teams).carried
        return carried[carrier][:] if carrier in carried else []

    def bases(self, but: Iterable[str] = ()) -> Iterator[tuple[Team, Polygon]]:
        """Every footprint on the table, but for some teams'."""
        skip = set(but)
        for team in self.teams.values():
            if team.on_table and team.id not in skip:
                yield team, team.base

    # -- changing (for events) ------------------------------------------------------------------------------------

    def with_team(self, id: str, **changes: Any) -> Battle:
        return replace(self, teams=self.teams | {id: replace(self.teams[id], **changes)})

    def with_teams(self, ids: Iterable[str], **changes: Any) -> Battle:
        return replace(self, teams=self.teams | {id: replace(self.teams[id], **changes) for id in ids})

    def with_platoon(self, id: str, **changes: Any) -> Battle:
        return replace(self, platoons=self.platoons | {id: replace(self.platoons[id], **changes)})

    def with_company(self, side: str, **changes: Any) -> Battle:
        return replace(self, companies=self.companies | {side: replace(self.companies[side], **changes)})

    def carried_along(self, carrier: str, pose: Pose | None) -> Battle:
        """Passengers and towed guns are where their carrier is."""
        teams = {team.id: replace(team, pose=pose) for team in self.passengers(carrier)}
        return replace(self, teams=self.teams | teams) if teams else self


class _Roster:
    """All teams by what is most often asked of them; each list is made when it is first asked for."""

    def __init__(self, teams: dict[str, Team]) -> None:
        self.teams = teams
        self._platoons: dict[str, tuple[tuple[str, ...], list[Team], list[Team]]] = {}

    @derived
    def standing(self) -> dict[str, list[Team]]:
        """Side -> its teams that stand on the table by themselves."""
        found: dict[str, list[Team]] = {"a": [], "b": []}
        for team in self.teams.values():
            if team.on_table:
                found[team.side].append(team)
        return found

    @derived
    def carried(self) -> dict[str, list[Team]]:
        """Vehicle -> its passengers, and the guns it tows."""
        found: dict[str, list[Team]] = {}
        for team in self.teams.values():
            if (carrier := team.mounted_in or team.towed_by) and not team.fate:
                found.setdefault(carrier, []).append(team)
        return found

    @derived
    def joined(self) -> dict[str, list[Team]]:
        """Platoon -> the independent teams that have joined it."""
        found: dict[str, list[Team]] = {}
        for team in self.teams.values():
            if team.joined and not team.fate:
                found.setdefault(team.joined, []).append(team)
        return found

    def of(self, platoon: Platoon) -> tuple[list[Team], list[Team]]:
        """The teams that act with a platoon, and those of them that stand on the table."""
        known = self._platoons.get(platoon.id)
        if known is None or known[0] is not platoon.teams:
            members = [team for id in platoon.teams if not (team := self.teams[id]).fate and not team.joined]
            members += self.joined.get(platoon.id, ())
            known = self._platoons[platoon.id] = (platoon.teams, members, [team for team in members if team.on_table])
        return known[1], known[2]

    @derived
    def spots(self) -> list[tuple[int, int, Team]]:
        """Where the teams on the table stand, in the order of all teams."""
        return [(*team.centre, team) for team in self.teams.values() if team.on_table]

    @derived
    def squares(self) -> dict[tuple[int, int], list[tuple[int, int, int, Team]]]:
        """The table in large squares, with the teams that stand in each."""
        found: dict[tuple[int, int], list[tuple[int, int, int, Team]]] = {}
        for number, (x, y, team) in enumerate(self.spots):
            found.setdefault((x // _SQUARE, y // _SQUARE), []).append((number, x, y, team))
        return found

    def near(self, left: float, low: float, right: float, high: float) -> list[Team]:
        if len(self.teams) <= _FEW:
            return [team for x, y, team in self.spots if left <= x <= right and low <= y <= high]
        squares = self.squares
        found = []
        for column in range(int(left) // _SQUARE, int(right) // _SQUARE + 1):
            for row in range(int(low) // _SQUARE, int(high) // _SQUARE + 1):
                square = squares.get((column, row))
                if square is not None:
                    found += [one for one in square if left <= one[1] <= right and low <= one[2] <= high]
        found.sort(key=itemgetter(0))
        return [one[3] for one in found]


_SQUARE = 16 * INCH
_FEW = 60
"""Up to so many teams it is as quick to ask them all."""
_rosters: tuple[_Roster, _Roster] = (_Roster({}), _Roster({}))


def _roster(teams: dict[str, Team]) -> _Roster:
    """The roster of some teams: the last two are kept, a battle's and that of a move being thought over."""
    global _rosters
    first, second = _rosters
    if first.teams is teams:
        return first
    if second.teams is teams:
        _rosters = (second, first)
        return second
    found = _Roster(teams)
    _rosters = (found, first)
    return found


# -- events that change teams -------------------------------------------------------------------------------------


class FirstPlayer(Event, frozen=True):
    """Who takes the first turn; `by_dice` if it was rolled for."""

    side: str
    by_dice: bool = False

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, first=self.side, active=self.side, phase="deployment")


class Deployed(Event, frozen=True):
    """A team is put on the table before the battle (carried, in a building, dug in)."""

    team: str
    x: int
    y: int
    facing: int
    mounted_in: str = ""
    towed_by: str = ""
    building: str = ""
    dug_in: bool = False

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(
            self.team,
            pose=Pose(self.x, self.y, self.facing),
            mounted_in=self.mounted_in,
            towed_by=self.towed_by,
            building=self.building,
            dug_in=self.dug_in,
        )

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class TurnBegan(Event, frozen=True):
    """A player's turn begins: what his teams did in his last turn is wiped."""

    turn: int
    side: str

    def apply(self, battle: Battle) -> Battle:
        teams = {
            id: replace(
                team, moved=False, shot=False, assaulted=False, digging=False, busy=False, named_leader=False, shot_over=False, joined=""
            )
            for id, team in battle.teams.items()
            if team.side == self.side
        }
        platoons = {
            id: replace(platoon, at_the_double=False, reorganising=platoon.disengaged, disengaged=False, bombarded=False, trail=False)
            for id, platoon in battle.platoons.items()
            if platoon.side == self.side
        }
        battle = replace(
            battle, turn=self.turn, active=self.side, phase="starting", teams=battle.teams | teams, platoons=battle.platoons | platoons
        )
        return battle.with_company(self.side, called=False, aircraft=0)


STEPS = ("starting", "movement", "shooting_start", "assault")
"""The phases that open a step of the turn; the others are parts of one."""


class PhaseBegan(Event, frozen=True):
    """A phase begins. With a new step of the turn, what lasted for the step before is over: joins (FOW-IND-02), hits and losses counted."""

    phase: str

    def apply(self, battle: Battle) -> Battle:
        if self.phase not in STEPS:
            return replace(battle, phase=self.phase)
        teams = {
            id: replace(team, joined="", spotted=False, shot_over=False, opening="")
            for id, team in battle.teams.items()
            if team.joined or team.spotted or team.shot_over or team.opening
        }
        platoons = {
            id: replace(platoon, acted=False, hits=0, lost=False, fought=(), pinned=platoon.pinned and not platoon.independent)
            for id, platoon in battle.platoons.items()
        }
        return replace(battle, phase=self.phase, teams=battle.teams | teams, platoons=battle.platoons | platoons)


class TurnEnded(Event, frozen=True):
    """A player's turn ends; his own reorganising platoons are themselves again (FOW-REC-11)."""

    side: str

    def apply(self, battle: Battle) -> Battle:
        platoons = {id: replace(p, reorganising=False) for id, p in battle.platoons.items() if p.side == self.side and p.reorganising}
        return replace(battle, phase="turn_over", platoons=battle.platoons | platoons)


class Acted(Event, frozen=True):
    """A platoon has had its go in this step."""

    platoon: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_platoon(self.platoon, acted=True)


class Moved(Event, frozen=True):
    """A team moved along a path (its first point is where it stood) and faces some way.

    `counts` sets `moved` (FOW-RULING-71); `why` is move, double, charge, break_off, consolidate, break_in, tow, disengage,
    counterattack, return or freed.
    """

    team: str
    path: tuple[tuple[int, int], ...]
    facing: int
    why: str = "move"
    counts: bool = True
    building: str = ""

    def apply(self, battle: Battle) -> Battle:
        x, y = self.path[-1]
        pose = Pose(x, y, self.facing)
        changes: dict[str, Any] = {"pose": pose, "dug_in": False, "building": self.building}
        if self.counts:
            changes["moved"] = True
        if self.why in ("charge", "consolidate", "break_in") and battle.teams[self.team].side == battle.active:
            changes["assaulted"] = True
        platoon = battle.platoons[battle.teams[self.team].platoon]
        if platoon.aiming_point is not None:  # lost when the battery moves (FOW-RULING-35)
            battle = battle.with_platoon(platoon.id, aiming_point=None)
        return battle.with_team(self.team, **changes).carried_along(self.team, pose)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class Turned(Event, frozen=True):
    """A team turned on the spot."""

    team: str
    facing: int
    counts: bool = False

    def apply(self, battle: Battle) -> Battle:
        team = battle.teams[self.team]
        assert team.pose is not None
        pose = Pose(team.pose.x, team.pose.y, self.facing)
        return battle.with_team(self.team, pose=pose, moved=team.moved or self.counts).carried_along(self.team, pose)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class Bogged(Event, frozen=True):
    """A vehicle or gun bogs: it stands just over the edge, and goes back to `back` when freed (FOW-RULING-66)."""

    team: str
    back: Pose

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, bogged=True, back=self.back)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class Freed(Event, frozen=True):
    """A bogged team is free again, at `pose`."""

    team: str
    pose: Pose

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, bogged=False, back=None, pose=self.pose).carried_along(self.team, self.pose)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class StillBogged(Event, frozen=True):
    """The attempt to free a team failed."""

    team: str

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class BailedOut(Event, frozen=True):
    """The crew of a vehicle is shaken and takes cover."""

    team: str

    def apply(self, battle: Battle) -> Battle:
        battle = battle.with_team(self.team, bailed_out=True)
        return battle.with_platoon(battle.teams[self.team].platoon, lost=True)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class CrewTested(Event, frozen=True):
    """A bailed-out crew tried to recover."""

    team: str
    recovered: bool

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, bailed_out=not self.recovered)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class Destroyed(Event, frozen=True):
    """A team is destroyed. An armoured vehicle stays as a wreck (FOW-WRECK-02); everything else is removed."""

    team: str
    wreck: bool = False
    cause: str = ""

    def apply(self, battle: Battle) -> Battle:
        team = battle.teams[self.team]
        platoon = battle.platoons[team.platoon]
        if self.wreck and team.on_table:
            piece = Piece(id=f"wreck_{self.team}", kind="wreck", form="area", shape=team.base, height=1, name=team.profile.name)
            battle = replace(battle, ground=replace(battle.ground, pieces=(*battle.ground.pieces, piece)))
        battle = battle.with_team(
            self.team, fate="destroyed", pose=None, mounted_in="", towed_by="", building="", joined="", bailed_out=False, bogged=False
        )
        transport = team.profile.team_type == "transport" and platoon.role != "transport"
        return battle.with_platoon(
            platoon.id,
            lost=True,
            losses=platoon.losses + (not transport),
            transports_lost=platoon.transports_lost + transport,
            leader="" if platoon.leader == self.team else platoon.leader,
        )

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class LeftTable(Event, frozen=True):
    """A team leaves the table by its own edge (FOW-EXIT-01) or, empty, goes to the rear (FOW-TRN-10). Its passengers leave before it."""

    team: str
    fate: str

    def apply(self, battle: Battle) -> Battle:
        team = battle.teams[self.team]
        battle = battle.with_team(self.team, fate=self.fate, pose=None, building="", joined="", mounted_in="", towed_by="")
        platoon = battle.platoons[team.platoon]
        if platoon.leader == self.team:
            battle = battle.with_platoon(platoon.id, leader="")
        if not any(battle.teams[id].alive for id in platoon.teams):
            battle = battle.with_platoon(platoon.id, left_table=self.fate == "left")
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.team,)


# -- events that change platoons ----------------------------------------------------------------------------------


class Pinned(Event, frozen=True):
    platoon: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_platoon(self.platoon, pinned=True)


class RallyTested(Event, frozen=True):
    """A pinned platoon tried to rally."""

    platoon: str
    rallied: bool

    def apply(self, battle: Battle) -> Battle:
        return battle.with_platoon(self.platoon, pinned=not self.rallied)


class Joined(Event, frozen=True):
    """An independent team joins a platoon until the end of the step."""

    team: str
    platoon: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, joined=self.platoon)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class Parted(Event, frozen=True):
    """An independent team leaves the platoon it had joined, and with it stops being pinned (FOW-IND-08)."""

    team: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, joined="")

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class LeaderNamed(Event, frozen=True):
    """A platoon has a new leader."""

    platoon: str
    team: str
    by: str = ""

    def apply(self, battle: Battle) -> Battle:
        battle = battle.with_platoon(self.platoon, leader=self.team)
        return battle.with_team(self.by, named_leader=True) if self.by else battle

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class PlatoonGone(Event, frozen=True):
    """A platoon is destroyed: all its teams are lost, or it failed its morale test and is removed (FOW-MOR-02)."""

    platoon: str
    fled: bool = False

    def apply(self, battle: Battle) -> Battle:
        for id in battle.platoons[self.platoon].teams:
            team = battle.teams[id]
            if not team.alive:
                continue
            for passenger in battle.passengers(id):
                battle = battle.with_team(passenger.id, mounted_in="", towed_by="")
            battle = battle.with_team(id, fate="destroyed", pose=None, building="", mounted_in="", towed_by="")
        for team in list(battle.teams.values()):
            if team.joined == self.platoon:
                battle = battle.with_team(team.id, joined="")
        return battle.with_platoon(self.platoon, destroyed=True, leader="")


CORE_EVENTS: tuple[type[Event], ...] = (
    FirstPlayer,
    Deployed,
    TurnBegan,
    PhaseBegan,
    TurnEnded,
    Acted,
    Moved,
    Turned,
    Bogged,
    Freed,
    StillBogged,
    BailedOut,
    CrewTested,
    Destroyed,
    LeftTable,
    Pinned,
    RallyTested,
    Joined,
    Parted,
    LeaderNamed,
    PlatoonGone,
)
