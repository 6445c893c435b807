"""The battle: units, markers, plans and the table, as one immutable value, and the events that change it.

Written missions and air courses are kept in `secrets`, apart from everything else, until they are revealed. Distances and
places are grid units (1/1000 inch); points of movement are thousandths too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.field.shapes import TOLERANCE, Box, Point, Polygon, Pose, circle, span, within
from sandtable.field.terrain import Ground, Piece
from sandtable.games.micro_armour.profile import Scenario, UnitProfile
from sandtable.kernel.events import SIDES, Event, other
from sandtable.kernel.events import Battle as KernelBattle
from sandtable.kernel.messages import Message, say
from sandtable.kernel.procedures import FrozenMap

INCH = 1000
BASE = INCH
"""Bases are an inch across, handled as circles; contact is centres an inch apart (MA-RULING-43)."""
PHASES = (
    "initiative",
    "artillery_air",
    "fire_first",
    "fire_second",
    "planning",
    "movement",
    "fire_third",
    "marker_removal",
)
"""A turn (MA-SEQ-01). Before the first one comes `organisation` (MA-RULING-05)."""


class Unit(msgspec.Struct, frozen=True):
    """One base. Aircraft have a pose only during their mission; a passenger is where its carrier is."""

    id: str
    side: str
    formation: str
    profile: UnitProfile
    level: int
    """Its Command Level."""
    pose: Pose | None = None
    suppressed: bool = False
    disorganised: bool = False
    eliminated: bool = False
    posture: str = "none"
    moving: bool = False
    """The green marker: in Move State (MA-RULING-07)."""
    attempted_fire: bool = False
    """The red marker: it tried to fire this turn."""
    fired: bool = False
    road: str = ""
    """The road or track on which it moved at the road rate, while it is on it (MA-RULING-33)."""
    attempted_this_phase: bool = False
    attempted_second: bool = False
    move_tried: bool = False
    spent: int = 0
    """Movement points used this turn, in thousandths."""
    overran: bool = False
    settled: bool = False
    """Mounted or dismounted this turn: it does nothing else (MA-RULING-38)."""
    carried_by: str = ""

    @property
    def centre(self) -> Point:
        assert self.pose is not None, f"{self.id} is not on the table"
        return self.pose.x, self.pose.y

    @property
    def alive(self) -> bool:
        return not self.eliminated

    @property
    def on_table(self) -> bool:
        """Standing on the table (or in the air over it) by itself."""
        return self.pose is not None and not self.eliminated and not self.carried_by

    @property
    def ground(self) -> bool:
        return not self.profile.flying

    @property
    def kind(self) -> str:
        """The word that terrain has for it: personnel or other."""
        return "personnel" if self.profile.target_class == "personnel" else "other"

    @property
    def in_move_state(self) -> bool:
        """A TL1 unit whose posture is `move` counts as moving the whole turn (MA-RULING-07)."""
        return self.moving or self.posture == "move"


class Smoke(msgspec.Struct, frozen=True, dict=True):
    """A disc of smoke, two inches across (MA-RULING-32)."""

    id: str
    side: str
    centre: Point

    @property
    def shape(self) -> Polygon:
        found: Polygon | None = self.__dict__.get("_shape")
        if found is None:
            found = self.__dict__["_shape"] = circle(self.centre, INCH)
        return found

    @property
    def box(self) -> Box:
        x, y = self.centre
        return x - INCH, y - INCH, x + INCH, y + INCH


class FireMarker(msgspec.Struct, frozen=True):
    """Where a shell fell this turn; only for looking at."""

    unit: str
    at: Point


class Mission(msgspec.Struct, frozen=True):
    """A written artillery mission (MA-PLAN-02)."""

    id: str
    units: tuple[str, ...]
    aim: Point
    sheaf: tuple[Point, ...]
    """Offsets from the aim point, one for each firing unit, the first (0, 0)."""
    smoke: bool = False


class Course(msgspec.Struct, frozen=True):
    """A written air strike (MA-PLAN-03)."""

    id: str
    aircraft: str
    entry: Point
    attack: Point
    """The point of attack."""
    exit: Point


class Plans(msgspec.Struct, frozen=True):
    """What a side has written down for the next turn."""

    missions: tuple[Mission, ...] = ()
    courses: tuple[Course, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missions or self.courses)


class Battle(KernelBattle, frozen=True, kw_only=True):
    """The state of a Micro Armour battle."""

    scenario: Scenario
    ground: Ground
    units: dict[str, Unit]
    turn: int = 0
    phase: str = "organisation"
    deployed: tuple[str, ...] = ()
    initiative: str = ""
    """Who has the initiative this turn."""
    first: str = ""
    """Who acts first in this phase; empty until it is chosen."""
    active: str = "a"
    out: tuple[str, ...] = ()
    """The sides that are done with this phase (or round of it)."""
    round: str = ""
    """In the movement phase: ordered, then independent."""
    orders: dict[str, int] = {}
    targeted: tuple[str, ...] = ()
    """Who has been the target of an attack in this phase (MA-SEQ-04)."""
    wrecks: tuple[Piece, ...] = ()
    smoke: tuple[Smoke, ...] = ()
    fire_markers: tuple[FireMarker, ...] = ()
    counter: int = 0
    """For ids of smoke."""

    # -- looking --------------------------------------------------------------------------------------------------

    def side_units(self, side: str) -> list[Unit]:
        """A side's units that stand on the table by themselves."""
        return [unit for unit in self.units.values() if unit.side == side and unit.on_table]

    def enemies(self, side: str) -> list[Unit]:
        return self.side_units(other(side))

    def standing(self) -> Iterator[Unit]:
        for unit in self.units.values():
            if unit.on_table:
                yield unit

    def passengers(self, carrier: str) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.carried_by == carrier and not unit.eliminated]

    def plans(self, side: str) -> Plans:
        """What a side has written; nothing if this is somebody else's view."""
        found: Plans = self.secrets.get(side) or Plans()
        return found

    def ghq(self, side: str) -> Unit | None:
        return next((unit for unit in self.units.values() if unit.side == side and unit.profile.ghq and not unit.eliminated), None)

    def losses(self, side: str) -> int:
        return sum(unit.eliminated for unit in self.units.values() if unit.side == side)

    # -- changing (for events) ------------------------------------------------------------------------------------

    def with_unit(self, id: str, **changes: Any) -> Battle:
        return replace(self, units=self.units | {id: replace(self.units[id], **changes)})

    def with_units(self, ids: Iterable[str], **changes: Any) -> Battle:
        return replace(self, units=self.units | {id: replace(self.units[id], **changes) for id in ids})

    def carried_along(self, carrier: str, pose: Pose | None) -> Battle:
        """Passengers are where their carrier is."""
        inside = {unit.id: replace(unit, pose=pose) for unit in self.passengers(carrier)}
        return replace(self, units=self.units | inside) if inside else self

    def with_plans(self, side: str, plans: Plans) -> Battle:
        kept = {name: value for name, value in self.secrets.items() if name != side}
        if plans:
            kept[side] = plans
        return replace(self, secrets=FrozenMap(kept))


# -- distances ----------------------------------------------------------------------------------------------------


def inches(distance: float) -> float:
    """A distance in inches, to the thousandth; what is a whole number of inches by the tolerance is one."""
    whole = int(distance // INCH)
    return float(whole) if distance - whole * INCH <= TOLERANCE else round(distance / INCH, 3)


def apart(one: Unit, two: Unit) -> float:
    """Centre to centre (MA-RULING-10)."""
    return span(one.centre, two.centre)


def in_contact(one: Unit, two: Unit) -> bool:
    return within(apart(one, two), BASE)


def overlapping(one: Point, two: Point) -> bool:
    return span(one, two) < BASE - TOLERANCE


def told(event: Event, name: str, **more: Any) -> Message:
    """What an event says, by the name of one of its sentences, with its fields and whatever else the sentence needs."""
    return Message(f"event.{name}", {field: getattr(event, field) for field in event.__struct_fields__} | more)


# -- events: the course of a turn ---------------------------------------------------------------------------------


class Placed(Event, frozen=True):
    """A unit is put on the table before the battle, alone or inside a carrier."""

    unit: str
    x: int
    y: int
    facing: int
    carried_by: str = ""

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.unit, pose=Pose(self.x, self.y, self.facing), carried_by=self.carried_by)

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class SideDeployed(Event, frozen=True):
    """A side has placed all its units."""

    side: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, deployed=(*battle.deployed, self.side))


class TurnBegan(Event, frozen=True):
    turn: int

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, turn=self.turn, phase="initiative", out=(), first="", round="", initiative="")


class InitiativeTaken(Event, frozen=True):
    """Who has the initiative: by the totals rolled, or by the scenario (then both are 0)."""

    side: str
    total_a: int = 0
    total_b: int = 0

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, initiative=self.side, active=self.side)

    def says(self) -> Message:
        return told(self, "initiative_taken" if self.total_a else "initiative_given")


class InitiativeTied(Event, frozen=True):
    """Equal totals: both roll again (MA-INIT-02)."""

    total: int

    def apply(self, battle: Battle) -> Battle:
        return battle


class PosturesSet(Event, frozen=True):
    """The TL1 units of a side take their State: these move, the others fire (MA-SEQ-11)."""

    side: str
    move: tuple[str, ...] = ()
    fire: tuple[str, ...] = ()

    def apply(self, battle: Battle) -> Battle:
        return battle.with_units(self.move, posture="move").with_units(self.fire, posture="fire")

    def says(self) -> Message:
        return told(self, "postures_set" if self.move and self.fire else "postures_move" if self.move else "postures_fire")

    def units(self) -> tuple[str, ...]:
        return (*self.move, *self.fire)


class PhaseBegan(Event, frozen=True):
    """A phase begins; what counted for the one before is over. Missions not revealed by then are void (MA-RULING-21)."""

    phase: str

    def apply(self, battle: Battle) -> Battle:
        units = {id: replace(unit, attempted_this_phase=False) for id, unit in battle.units.items() if unit.attempted_this_phase}
        secrets = FrozenMap() if battle.phase == "artillery_air" else battle.secrets
        return replace(
            battle,
            phase=self.phase,
            first="",
            active=SIDES[0] if self.phase == "planning" else battle.initiative or battle.active,
            out=(),
            round="",
            targeted=(),
            units=battle.units | units if units else battle.units,
            secrets=secrets,
        )

    def says(self) -> Message:
        return told(self, "phase_began", phase=say(f"phase.{self.phase}"))


class FirstChosen(Event, frozen=True):
    """The holder of the initiative decided who acts first in this phase."""

    side: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, first=self.side, active=self.side)


class Passed(Event, frozen=True):
    """A side is out for the phase or round: it passed, or has nothing to do (MA-RULING-04)."""

    side: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, out=(*battle.out, self.side), active=other(self.side))


class ActionOver(Event, frozen=True):
    """An action is over: the other side acts, unless it is out (MA-SEQ-02)."""

    side: str

    def apply(self, battle: Battle) -> Battle:
        there = other(self.side)
        return replace(battle, active=self.side if there in battle.out else there)


class RoundBegan(Event, frozen=True):
    """A round of the movement phase: first the ordered moves, then the independent ones (MA-MOVE-01)."""

    round: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, round=self.round, out=(), active=battle.first, orders={} if self.round == "independent" else battle.orders)

    def says(self) -> Message:
        return told(self, f"round_{self.round}")


class OrdersRolled(Event, frozen=True):
    side: str
    orders: int

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, orders=battle.orders | {self.side: self.orders})


class OrderSpent(Event, frozen=True):
    """An Order goes to a unit or Group (MA-CMD-04)."""

    side: str
    members: tuple[str, ...]

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, orders=battle.orders | {self.side: battle.orders.get(self.side, 0) - 1})

    def units(self) -> tuple[str, ...]:
        return self.members


# -- events: what happens to units --------------------------------------------------------------------------------


class Suppressed(Event, frozen=True):
    unit: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.unit, suppressed=True)

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class Disorganised(Event, frozen=True):
    unit: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.unit, disorganised=True)

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class Eliminated(Event, frozen=True):
    """A unit is removed from play. A vehicle leaves a wreck (MA-RULING-37); with the GHQ go the Orders (MA-CMD-03)."""

    unit: str
    wreck: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        if self.wreck and unit.on_table:
            piece = Piece(id=f"wreck_{self.unit}", kind="wreck", form="area", shape=circle(unit.centre, BASE // 2), name=unit.profile.name)
            battle = replace(battle, wrecks=(*battle.wrecks, piece))
        if unit.profile.ghq and battle.orders.get(unit.side):
            battle = replace(battle, orders=battle.orders | {unit.side: 0})
        return battle.with_unit(self.unit, eliminated=True, pose=None, carried_by="")

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class AttackDeclared(Event, frozen=True):
    """An attack: one target, its attackers in order (MA-FIRE-01)."""

    target: str
    attackers: tuple[str, ...]

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, targeted=(*battle.targeted, self.target))

    def units(self) -> tuple[str, ...]:
        return (self.target, *self.attackers)


class Fired(Event, frozen=True):
    """A unit tried to fire: `passed` its Command Test or not, and what came of it. `weapon` is gun, atgm or aa.

    `counts`: whether it used up its fire of the phase (anti-aircraft fire at a strike does not: MA-RULING-34).
    """

    unit: str
    target: str
    weapon: str
    passed: bool
    effect: str
    distance: float
    counts: bool = True

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(
            self.unit,
            attempted_fire=True,
            fired=unit.fired or self.passed,
            attempted_this_phase=unit.attempted_this_phase or self.counts,
            attempted_second=unit.attempted_second or battle.phase == "fire_second",
        )

    def says(self) -> Message:
        return told(self, "fired" if self.passed else "not_fired")

    def units(self) -> tuple[str, ...]:
        return (self.unit, self.target)


CORE_EVENTS: tuple[type[Event], ...] = (
    Placed,
    SideDeployed,
    TurnBegan,
    InitiativeTaken,
    InitiativeTied,
    PosturesSet,
    PhaseBegan,
    FirstChosen,
    Passed,
    ActionOver,
    RoundBegan,
    OrdersRolled,
    OrderSpent,
    Suppressed,
    Disorganised,
    Eliminated,
    AttackDeclared,
    Fired,
)
