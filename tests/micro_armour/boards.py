"""Small boards for tests, written in inches, and a table with scripted answers and dice.

A board is a few readable lines::

    battle = board(
        area("forest", 10, 10, 20, 20),                      # left, bottom, right, top
        line("crest", (0, 30), (20, 30)),                    # the points of its line
        tank("t1", 5, 5), tank("t2", 8, 5, suppressed=True), # side a, formation `one`
        infantry("foe", 5, 40, 180, side="b"),
        phase="fire_second",
    )

A unit takes its id, place, facing and any field of `UnitProfile` (tl=5, he=None) or of `Unit` (moving=True, carried_by="m2").
Without x and y it is off the table; a passenger stands where its carrier is. The level is 15 unless told otherwise.

`play(step, battle, answers=[...], dice=[...])` runs `step(table, ...)`; `play_on(battle, until="planning", ...)` runs the game's own steps.
Answers and dice are used in order; one that is missing or left over fails the test. An answer is plain data, DEFAULT (the
request's own), or a function of the request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest
from msgspec.structs import fields, replace
from tests.scripting import DEFAULT as DEFAULT
from tests.scripting import STAY as STAY
from tests.scripting import Place, Script
from tests.scripting import go as go
from tests.scripting import put as put

from sandtable.field.shapes import Pose, circle, unit
from sandtable.field.terrain import Ground, Piece
from sandtable.games.micro_armour.battle import Battle, Smoke, Unit
from sandtable.games.micro_armour.profile import Atgm, Force, Hold, Reach, Scenario, ScenarioSide, TerrainPiece, UnitProfile, Zone
from sandtable.games.micro_armour.sequence import next_step
from sandtable.games.micro_armour.setup import piece_of
from sandtable.kernel.decisions import Request
from sandtable.kernel.dice import FaceDice
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import SIDES, Event
from sandtable.kernel.procedures import FrozenMap
from sandtable.kernel.table import Table, Waiting

E = TypeVar("E", bound=Event)
_STATE = {field.name for field in fields(Unit)} - {"id", "profile", "pose"}

# -- units --------------------------------------------------------------------------------------------------------

_TANK = {"target_class": "armoured", "mobility": "tracked", "tl": 3, "movement": 12, "ap": 11, "he": 6, "defence": 8}
_INFANTRY = {"target_class": "personnel", "mobility": "foot", "tl": 3, "movement": 4, "ap": 6, "he": 5, "defence": 4}
_CARRIER = _TANK | {"ap": 5, "defence": 4, "apc": True, "capacity": 1, "atgm": Atgm(ap=12, min_range=1)}
_TRUCK = {"target_class": "soft", "mobility": "wheeled", "tl": 3, "movement": 20, "ap": 2, "he": 4, "defence": 3}
_GUN = _TANK | {"ap": 4, "he": 7, "defence": 4, "artillery": "gun", "smoke": True, "movement": 10}
_MORTAR = _TRUCK | {"mobility": "foot", "he": 6, "artillery": "mortar", "movement": 3}
_FLAK = _TANK | {"ap": 3, "he": 8, "defence": 4, "aa": True, "max_range": 20}
_HELICOPTER = {"target_class": "helicopter", "mobility": "air", "tl": 3, "movement": 24, "ap": 8, "he": 7, "defence": 6}
_AIRCRAFT = {"target_class": "aircraft", "mobility": "air", "tl": 4, "ap": 10, "he": 8, "defence": 6}


def _unit(kind: dict[str, Any], id: str, x: float | None, y: float | None, facing: int, changes: dict[str, Any]) -> Unit:
    state = {"side": "a", "formation": "one", "level": 15} | {name: value for name, value in changes.items() if name in _STATE}
    given = {name: value for name, value in changes.items() if name not in _STATE}
    profile = UnitProfile(id=id, name=id, formation=state["formation"], **(kind | given))
    pose = None if x is None or y is None else Pose(unit(x), unit(y), facing)
    return Unit(id=id, profile=profile, pose=pose, **state)


def tank(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """Armoured, tracked, TL3, AP 11, HE 6, defence 8, 12 points."""
    return _unit(_TANK, id, x, y, facing, changes)


def infantry(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """Personnel, TL3, AP 6, HE 5, defence 4, 4 points."""
    return _unit(_INFANTRY, id, x, y, facing, changes)


def carrier(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """An armoured personnel carrier for one unit, with a missile of AP 12."""
    return _unit(_CARRIER, id, x, y, facing, changes)


def truck(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """Soft and wheeled, 20 points."""
    return _unit(_TRUCK, id, x, y, facing, changes)


def gun(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """Self-propelled artillery, AP 4, HE 7, with smoke."""
    return _unit(_GUN, id, x, y, facing, changes)


def mortar(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """A mortar, HE 6, soft."""
    return _unit(_MORTAR, id, x, y, facing, changes)


def flak(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """Anti-aircraft, TL3, HE 8, 20 inches."""
    return _unit(_FLAK, id, x, y, facing, changes)


def helicopter(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    return _unit(_HELICOPTER, id, x, y, facing, changes)


def aircraft(id: str, x: float | None = None, y: float | None = None, facing: int = 0, **changes: Any) -> Unit:
    """TL4, AP 10, HE 8, defence 6, off the table."""
    return _unit(_AIRCRAFT, id, x, y, facing, changes)


# -- terrain ------------------------------------------------------------------------------------------------------


def area(kind: str, left: float, bottom: float, right: float, top: float, id: str = "") -> TerrainPiece:
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    return TerrainPiece(id=id or kind, kind=kind, points=corners)  # type: ignore[arg-type]


def line(kind: str, *points: Place, id: str = "") -> TerrainPiece:
    return TerrainPiece(id=id or kind, kind=kind, points=points)  # type: ignore[arg-type]


# -- boards -------------------------------------------------------------------------------------------------------


def board(
    *things: TerrainPiece | Unit,
    width: float = 48,
    height: float = 48,
    phase: str = "fire_second",
    active: str = "a",
    first: str | None = None,
    turn: int = 2,
    initiative: str = "a",
    round: str = "ordered",
    orders: dict[str, int] | None = None,
    smoke: Iterable[Place] = (),
    wrecks: Iterable[Place] = (),
    plans: dict[str, Any] | None = None,
    objectives: Iterable[Hold | Reach] = (),
    out: tuple[str, ...] = (),
    breaks: dict[str, int] | None = None,
    forces: dict[str, dict[str, Any]] | None = None,
    turns: int = 8,
    **scenario: Any,
) -> Battle:
    """A battle on a table of that size, in a phase of its second turn, side a to act. `forces`: other fields of a side's `Force`."""
    pieces = tuple(thing for thing in things if isinstance(thing, TerrainPiece))
    units = {thing.id: thing for thing in things if isinstance(thing, Unit)}
    for one in list(units.values()):
        if one.carried_by:
            units[one.id] = replace(one, pose=units[one.carried_by].pose)

    def side(name: str, bottom: float, top: float) -> ScenarioSide:
        own = tuple(one.profile for one in units.values() if one.side == name)
        given = {"command_level": 15 if name == "a" else 13} | (forces or {}).get(name, {})
        force = Force(id=f"force_{name}", name=f"Force {name}", units=own, **given)
        zone = Zone(left=0, bottom=bottom, right=width, top=top)
        return ScenarioSide(name=f"Side {name}", force=force, zone=zone, break_point=(breaks or {}).get(name))

    whole = Scenario(
        id="board",
        name="Board",
        width=width,
        height=height,
        turns=turns,
        a=side("a", 0, 6),
        b=side("b", height - 6, height),
        objectives=tuple(objectives),
        terrain=pieces,
        **scenario,
    )
    return Battle(
        scenario=whole,
        ground=Ground("in", unit(width), unit(height), tuple(piece_of(piece) for piece in pieces)),
        units=units,
        turn=turn,
        phase=phase,
        deployed=() if phase == "organisation" else ("a", "b"),
        initiative="" if phase in ("organisation", "initiative") else initiative,
        first=active if first is None else first,
        active=active,
        out=out,
        round=round if phase == "movement" else "",
        orders={"a": 3, "b": 3} if orders is None else orders,
        smoke=tuple(Smoke(f"smoke_{n}", "a", (unit(x), unit(y))) for n, (x, y) in enumerate(smoke, 1)),
        wrecks=tuple(_wreck(n, x, y) for n, (x, y) in enumerate(wrecks, 1)),
        secrets=FrozenMap(plans or {}),
        counter=9,
    )


def _wreck(number: int, x: float, y: float) -> Piece:
    return Piece(id=f"wreck_{number}", kind="wreck", form="area", shape=circle((unit(x), unit(y)), 500))


def at(battle: Battle, id: str) -> Place:
    """Where a unit's centre is, in inches."""
    pose = battle.units[id].pose
    assert pose is not None, f"{id} is not on the table"
    return pose.x / 1000, pose.y / 1000


def grid(*points: Place) -> tuple[tuple[int, int], ...]:
    """Points in grid units."""
    return tuple((unit(x), unit(y)) for x, y in points)


# -- the table ----------------------------------------------------------------------------------------------------


class PlayersDice(FaceDice):
    """The dice of one player: both players' faces come from the one list of the table, which keeps who threw what."""

    def __init__(self, table: ScriptedTable, player: str) -> None:
        super().__init__()
        self.table, self.player = table, player

    def face(self, sides: int, label: str) -> int:
        if not self.table.left:
            pytest.fail(f"a die is missing: a d{sides} for {label}")
        face = self.table.left.pop(0)
        assert 1 <= face <= sides, f"{face} is no face of a d{sides} for {label}"
        self.table.thrown.append((self.player, label))
        return face


class ScriptedTable(Table[Battle]):
    """A table whose dice are scripted."""

    def __init__(self, battle: Battle, answers: Iterable[Any] = (), dice: Iterable[int] = (), rest: Any = None) -> None:
        self.script = Script(answers, rest)
        super().__init__(battle, "test", 0, self.script)
        self.left = list(dice)
        self.thrown: list[tuple[str, str]] = []
        self.players = {side: PlayersDice(self, side) for side in SIDES}
        for one in self.players.values():
            one.trace = self._seeded.trace

    def dice(self, player: str) -> FaceDice:
        return self.players[player]

    @property
    def events(self) -> list[Event]:
        return [record.event for record in self.records]

    def finish(self) -> None:
        """Nothing scripted may be left over."""
        assert not self.left, f"dice left over: {self.left}"
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

    def unit(self, id: str) -> Unit:
        return self.battle.units[id]


def play(
    step: Callable[..., Any],
    battle: Battle,
    *arguments: Any,
    answers: Iterable[Any] = (),
    dice: Iterable[int] = (),
    rest: Any = None,
    **named: Any,
) -> Played:
    """Run `step(table, *arguments)` with scripted answers and dice. Missing or left-over answers and dice fail the test."""
    table = ScriptedTable(battle, answers, dice, rest)
    try:
        result = step(table, *arguments, **named)
    except Waiting as waiting:
        pytest.fail(f"an answer is missing: {waiting.request}")
    table.finish()
    return Played(table, result)


def play_on(battle: Battle, *, until: str = "", steps: int = 200, answers: Iterable[Any] = (), dice: Iterable[int] = ()) -> Played:
    """The game's own steps, one after another: till a phase begins (or the battle ends), or so many of them."""

    def go_on(table: ScriptedTable) -> None:
        for _ in range(steps):
            found = next_step(table.battle)
            if found is None or table.battle.phase == until:
                return
            found[1](table)

    return play(go_on, battle, answers=answers, dice=dice)


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
