"""Small boards for tests, written in inches, and a table with scripted answers and dice.

A board is a few readable lines::

    battle = board(
        wood(10, 10, 20, 20),                                        # left, bottom, right, top
        hedge((0, 30), (20, 30)),                                    # the points of its line
        platoon("panzer", tank(5, 5), tank(8, 5, bogged=True)),      # side a; the first team leads; ids panzer_1, panzer_2
        platoon("rifles", infantry(5, 40, facing=180), side="b", skill="regular"),
    )

A team takes its place, its facing and any field of `TeamProfile` (mobility="wheeled", weapons=(RIFLE,)) or of `Team`
(moved=True, mounted_in="trucks_1"). Without x and y it is off the table; a passenger stands where its carrier is.

`play(step, battle, answers=[...], dice=[...])` runs one step. Answers and dice are used in order; one that is missing or left over fails
the test. An answer is plain data, DEFAULT (the request's own), or a function of the request. What comes back has the
battle after it, the events, and the requests that were asked::

    played = play(movement_step, battle, answers=["panzer:move", go((5, 12)), DEFAULT], dice=[4])
    assert at(played.battle, "panzer_1") == (5, 12)
    assert_refused("FOW-MOVE-02", plan_route, battle, "panzer_1", way((5, 40)), "move")
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from typing import Any, TypeVar

import pytest
from msgspec.structs import fields
from tests.scripting import DEFAULT as DEFAULT
from tests.scripting import STAY as STAY
from tests.scripting import Place, Script
from tests.scripting import go as go
from tests.scripting import put as put

from sandtable.field.shapes import Pose, distance, unit
from sandtable.field.terrain import Ground, Opening, Piece
from sandtable.games.flames_of_war.battle import Battle, CompanyState, Platoon, Team
from sandtable.games.flames_of_war.profile import Company, Objective, PlatoonProfile, Scenario, ScenarioSide, TeamProfile, Weapon, Zone
from sandtable.kernel.decisions import Request, Route
from sandtable.kernel.dice import FaceDice, Scripted
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event
from sandtable.kernel.table import Table, Waiting

E = TypeVar("E", bound=Event)

# -- weapons ------------------------------------------------------------------------------------------------------

RIFLE = Weapon(id="rifle", name="Rifle", mount="infantry", range_in=16, rof=1, anti_tank=2, firepower=6)
MG = Weapon(id="mg_team", name="MG team", mount="infantry", range_in=16, rof=3, anti_tank=2, firepower=6)
BAZOOKA = Weapon(id="bazooka", name="Bazooka", mount="infantry", range_in=8, rof=1, anti_tank=10, firepower=5)
KWK40 = Weapon(id="kwk40_75", name="7.5 cm KwK 40", mount="turret", range_in=32, rof=2, anti_tank=11, firepower=3)
HULL_75 = Weapon(id="stuk40_75", name="7.5 cm StuK 40", mount="hull", range_in=32, rof=2, anti_tank=11, firepower=3)
PAK40 = Weapon(id="pak40_75", name="7.5 cm PaK 40", mount="gun", range_in=32, rof=2, anti_tank=12, firepower=3)
FLAK38 = Weapon(id="flak38_20", name="2 cm Flak 38", mount="turntable", range_in=16, rof=4, anti_tank=5, firepower=5, aa_class="standard")

# -- teams --------------------------------------------------------------------------------------------------------

_STATE = {field.name for field in fields(Team)} - {"id", "side", "platoon", "profile", "pose"}


class Draft:
    """A team before it has an id and a side."""

    def __init__(self, profile: dict[str, Any], x: float | None, y: float | None, facing: int, changes: dict[str, Any]) -> None:
        self.state = {name: value for name, value in changes.items() if name in _STATE}
        given = {name: value for name, value in changes.items() if name not in _STATE}
        self.profile = TeamProfile(**(profile | given))
        self.pose = None if x is None or y is None else Pose(unit(x), unit(y), facing)


_SOFT = {"base_w_in": 2.0, "base_d_in": 1.25}
_INFANTRY = {"name": "Rifle team", "team_type": "infantry", "mobility": "infantry", "save": "infantry", "weapons": (RIFLE,), **_SOFT}
_CAVALRY = _INFANTRY | {"name": "Cossacks", "team_type": "cavalry", "mobility": "cavalry", "save": "cavalry", "height": 2}
_GUN = {
    "name": "PaK 40",
    "team_type": "gun",
    "mobility": "medium_gun",
    "save": "gun",
    "weapons": (PAK40,),
    "gun_shield": True,
    "base_w_in": 2.0,
    "base_d_in": 2.5,
}
_TANK = {
    "name": "Panzer IV",
    "team_type": "tank",
    "mobility": "tracked",
    "save": "armoured",
    "weapons": (KWK40,),
    "fully_armoured": True,
    "armour_front": 6,
    "armour_side": 3,
    "armour_top": 1,
    "capacity": 3,
    "assault_at": 11,
    "base_w_in": 1.4,
    "base_d_in": 2.6,
    "height": 2,
}
_CAR = _TANK | {
    "name": "Sd Kfz 222",
    "mobility": "wheeled",
    "fully_armoured": False,
    "armour_front": 1,
    "armour_side": 0,
    "armour_top": 0,
    "base_w_in": 1.0,
    "base_d_in": 1.8,
    "traits": ("recon",),
}
_TRUCK = {
    "name": "Truck",
    "team_type": "transport",
    "mobility": "wheeled",
    "save": "unarmoured_vehicle",
    "tows": True,
    "base_w_in": 1.0,
    "base_d_in": 1.8,
    "height": 2,
}


def infantry(x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Draft:
    return Draft(_INFANTRY, x, y, facing, changes)


def cavalry(x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Draft:
    return Draft(_CAVALRY, x, y, facing, changes)


def gun(x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Draft:
    """A medium anti-tank gun with a shield; mobility="man_packed_gun" and the like make others."""
    return Draft(_GUN, x, y, facing, changes)


def tank(x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Draft:
    """A tracked, fully armoured tank, 1.4 by 2.6 inches, armour 6/3/1."""
    return Draft(_TANK, x, y, facing, changes)


def armoured_car(x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Draft:
    """A wheeled recon vehicle, 1 by 1.8 inches."""
    return Draft(_CAR, x, y, facing, changes)


def truck(x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Draft:
    """An unarmoured wheeled transport that tows; mobility="jeep" makes a jeep."""
    return Draft(_TRUCK, x, y, facing, changes)


class Unit:
    """A platoon before it stands on a board."""

    def __init__(self, id: str, teams: Sequence[Draft], leader: int, changes: dict[str, Any]) -> None:
        self.id, self.teams, self.leader, self.changes = id, teams, leader, changes


def platoon(id: str, *teams: Draft, leader: int = 1, **changes: Any) -> Unit:
    """A platoon, regular and confident, of side a unless told otherwise; `leader` is the number of the leading team, 0 for none.

    `role="hq"` or `"independent"` makes a lone team a platoon of its own, as the game does for commanders and observers.
    """
    return Unit(id, teams, leader, changes)


# -- terrain ------------------------------------------------------------------------------------------------------

KINDS = tomllib.loads((files("sandtable.games.flames_of_war") / "terrain.toml").read_text("utf-8"))


def area(kind: str, left: float, bottom: float, right: float, top: float, id: str = "", **changes: Any) -> Piece:
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    form = KINDS[kind]["kind"]
    assert form in ("area", "hill", "building")
    shape = tuple((unit(x), unit(y)) for x, y in corners)
    return Piece(id=id or kind, kind=kind, form=form, shape=shape, **({"height": KINDS[kind]["height"]} | changes))


def wood(left: float, bottom: float, right: float, top: float, id: str = "") -> Piece:
    return area("wood", left, bottom, right, top, id)


def marsh(left: float, bottom: float, right: float, top: float, id: str = "") -> Piece:
    return area("marsh", left, bottom, right, top, id)


def hill(left: float, bottom: float, right: float, top: float, id: str = "") -> Piece:
    return area("hill", left, bottom, right, top, id)


def river(left: float, bottom: float, right: float, top: float, id: str = "") -> Piece:
    return area("river", left, bottom, right, top, id)


def building(left: float, bottom: float, right: float, top: float, id: str = "", openings: tuple[Opening, ...] = ()) -> Piece:
    """A building; without openings given it has one of one inch in the middle of each wall."""
    return area("building", left, bottom, right, top, id, openings=openings)


def line(kind: str, *points: Place, width: float | None = None, id: str = "") -> Piece:
    shape = tuple((unit(x), unit(y)) for x, y in points)
    wide = KINDS[kind]["width"] if width is None else width
    form = "road" if kind == "road" else "line"
    return Piece(id=id or kind, kind=kind, form=form, shape=shape, width=unit(wide), height=KINDS[kind]["height"])  # type: ignore[arg-type]


def road(*points: Place, width: float | None = None, id: str = "") -> Piece:
    return line("road", *points, width=width, id=id)


def hedge(*points: Place, id: str = "") -> Piece:
    return line("hedge", *points, id=id)


def tall_hedge(*points: Place, id: str = "") -> Piece:
    return line("tall_hedge", *points, id=id)


def wall(*points: Place, id: str = "") -> Piece:
    return line("wall", *points, id=id)


def wreck(x: float, y: float, facing: int = 0, id: str = "") -> Piece:
    """The wreck of a tank."""
    team = Team("wreck", "a", "none", Draft(_TANK, x, y, facing, {}).profile, Pose(unit(x), unit(y), facing))
    return Piece(id=id or "wreck", kind="wreck", form="area", shape=team.base, height=1)


# -- boards -------------------------------------------------------------------------------------------------------


def board(
    *things: Piece | Unit,
    width: float = 48,
    height: float = 48,
    zones: dict[str, tuple[float, float, float, float]] | None = None,
    recon_zones: dict[str, tuple[float, float, float, float]] | None = None,
    dug_in: str = "",
    objectives: Iterable[Objective] = (),
    phase: str = "movement",
    active: str = "a",
    turn: int = 2,
    first: str = "a",
    defender: str | None = None,
    **scenario: Any,
) -> Battle:
    """A battle on a table of that size. Side a deploys along the south edge, b along the north, 12 inches deep, unless told otherwise."""
    pieces = tuple(thing for thing in things if isinstance(thing, Piece))
    units = [thing for thing in things if isinstance(thing, Unit)]
    ids = [piece.id for piece in pieces]
    pieces = tuple(
        piece
        if ids.count(piece.id) == 1
        else Piece(*(f"{piece.id}_{n}" if f.name == "id" else getattr(piece, f.name) for f in fields(piece)))
        for n, piece in enumerate(pieces, 1)
    )
    teams: dict[str, Team] = {}
    platoons: dict[str, Platoon] = {}
    for one in units:
        given = {"side": "a", "name": one.id, "skill": "regular", "motivation": "confident", "role": "combat"} | one.changes
        names = tuple(f"{one.id}_{n}" for n in range(1, len(one.teams) + 1))
        platoons[one.id] = Platoon(id=one.id, teams=names, leader=names[one.leader - 1] if one.leader and names else "", **given)
        for name, draft in zip(names, one.teams, strict=True):
            teams[name] = Team(name, given["side"], one.id, draft.profile, draft.pose, **draft.state)
    for team in list(teams.values()):
        carrier = team.mounted_in or team.towed_by
        if carrier:
            teams[team.id] = Team(*(teams[carrier].pose if f.name == "pose" else getattr(team, f.name) for f in fields(team)))
    standard = {"a": (0, 0, width, 12), "b": (0, height - 12, width, height)} | (zones or {})

    def side(name: str, edge: str) -> ScenarioSide:
        left, bottom, right, top = standard[name]
        zone = Zone(left=left, bottom=bottom, right=right, top=top, recon=(recon_zones or {}).get(name))
        own = tuple(
            PlatoonProfile(id=p.id, name=p.name, skill=p.skill, motivation=p.motivation, teams=tuple(teams[id].profile for id in p.teams))  # type: ignore[arg-type]
            for p in platoons.values()
            if p.side == name
        )
        force = Company(id=f"force_{name}", name=f"Force {name}", motivation="confident", platoons=own)
        return ScenarioSide(name=name, force=force, zone=zone, edge=edge, dug_in=name in dug_in)  # type: ignore[arg-type]

    return Battle(
        scenario=Scenario(
            id="board",
            name="Board",
            width=width,
            height=height,
            turns=10,
            a=side("a", "south"),
            b=side("b", "north"),
            first="dice" if first == "dice" else first,  # type: ignore[arg-type]
            defender=defender,  # type: ignore[arg-type]
            objectives=tuple(objectives),
            **scenario,
        ),
        ground=Ground("in", unit(width), unit(height), pieces),
        teams=teams,
        platoons=platoons,
        companies={"a": CompanyState("confident"), "b": CompanyState("confident")},
        turn=turn,
        active=active,
        first="" if phase == "first_player" else first,
        phase=phase,
    )


def at(battle: Battle, team: str) -> Place:
    """Where a team's centre is, in inches."""
    pose = battle.teams[team].pose
    assert pose is not None, f"{team} is not on the table"
    return pose.x / 1000, pose.y / 1000


def apart(battle: Battle, one: str, two: str) -> float:
    """The gap between two teams' bases, in inches."""
    return distance(battle.teams[one].base, battle.teams[two].base) / 1000


def way(*points: Place, facing: int | None = None) -> Route:
    """A route in inches, for the functions that take one."""
    return Route(tuple((unit(x), unit(y)) for x, y in points), facing)


# -- the table ----------------------------------------------------------------------------------------------------


class ScriptedTable(Table[Battle]):
    """A table whose dice are scripted: both players' dice come from the one list."""

    def __init__(self, battle: Battle, answers: Iterable[Any] = (), dice: Iterable[int] = (), rest: Any = None) -> None:
        self.script = Script(answers, rest)
        super().__init__(battle, "test", 0, self.script)
        self.scripted = Scripted(dice)
        self.scripted.trace = self._seeded.trace

    def dice(self, player: str) -> FaceDice:
        return self.scripted

    @property
    def events(self) -> list[Event]:
        return [record.event for record in self.records]

    def finish(self) -> None:
        """Nothing scripted may be left over."""
        self.scripted.finish()
        assert not self.script.answers, f"answers left over: {self.script.answers}"


class Played:
    """What a step did."""

    def __init__(self, table: ScriptedTable, result: Any) -> None:
        self.table, self.result = table, result
        self.battle = table.battle
        self.events = table.events
        self.requests = table.script.requests

    def said(self, kind: type[E]) -> list[E]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def asked(self, decision: str) -> list[Request]:
        return [request for request in self.requests if request.decision == decision]


def play(
    step: Callable[..., Any], battle: Battle, *arguments: Any, answers: Iterable[Any] = (), dice: Iterable[int] = (), rest: Any = None
) -> Played:
    """Run `step(table, *arguments)` with scripted answers and dice. Missing or left-over answers and dice fail the test.

    `rest=DEFAULT` answers whatever is asked beyond the list with the request's default.
    """
    table = ScriptedTable(battle, answers, dice, rest)
    try:
        result = step(table, *arguments)
    except Waiting as waiting:
        pytest.fail(f"an answer is missing: {waiting.request}")
    table.finish()
    return Played(table, result)


def assert_refused(rule: str, call: Callable[..., Any], *arguments: Any, **named: Any) -> RefusedError:
    """The call breaks that rule."""
    with pytest.raises(RefusedError) as caught:
        call(*arguments, **named)
    assert caught.value.rule == rule, f"refused by {caught.value.rule} ({caught.value.message} {caught.value.arguments}), not {rule}"
    return caught.value


def option_ids(request: Request, possible: bool = True) -> list[str]:
    """The ids of a request's options: those that are possible, or those that are refused."""
    return [option.id for option in request.options if (option.refusal is None) == possible]  # type: ignore[attr-defined]


def refusal_rule(request: Request, option: str) -> str:
    """The rule that a refused option names."""
    found = next(one for one in request.options if one.id == option)  # type: ignore[attr-defined]
    assert found.refusal is not None, f"{option} is possible"
    return str(found.refusal.rule)
