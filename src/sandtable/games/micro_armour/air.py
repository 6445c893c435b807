"""Air strikes along their written course, and anti-aircraft fire that halts them on the way in and out."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.field.shapes import Point, Pose, bearing, move_towards, span
from sandtable.games.micro_armour.artillery import nearest_units, strays
from sandtable.games.micro_armour.battle import INCH, Battle, Course, Fired, Plans, Unit, inches, told
from sandtable.games.micro_armour.effects import take_effect
from sandtable.games.micro_armour.fire import aa_facts, aa_reason, target_facts
from sandtable.games.micro_armour.rolling import look_up, run
from sandtable.kernel.decisions import Option, PickOne
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

SEARCH = 10 * INCH
"""How far from the model a target may be (MA-RULING-35)."""


class StrikeCalled(Event, frozen=True):
    """The Command Test of an air strike; a failure cancels it, and its course stays unknown (MA-AIR-01)."""

    aircraft: str
    passed: bool

    def apply(self, battle: Battle) -> Battle:
        if self.passed:
            return battle
        side = battle.units[self.aircraft].side
        plans = battle.plans(side)
        return battle.with_plans(side, Plans(plans.missions, tuple(one for one in plans.courses if one.aircraft != self.aircraft)))

    def says(self) -> Message:
        return told(self, "strike_called" if self.passed else "strike_cancelled")

    def units(self) -> tuple[str, ...]:
        return (self.aircraft,)


class CourseRevealed(Event, frozen=True):
    """The written course is read out and the aircraft stands on its entry point (MA-AIR-02)."""

    reveals = True

    side: str
    course: Course

    def apply(self, battle: Battle) -> Battle:
        plans = battle.plans(self.side)
        battle = battle.with_plans(self.side, Plans(plans.missions, tuple(one for one in plans.courses if one.id != self.course.id)))
        x, y = self.course.entry
        return battle.with_unit(self.course.aircraft, pose=Pose(x, y, bearing(self.course.entry, self.course.attack)))

    def says(self) -> Message:
        x, y = self.course.attack
        return say("event.course_revealed", side=self.side, aircraft=self.course.aircraft, x=x / INCH, y=y / INCH)

    def units(self) -> tuple[str, ...]:
        return (self.course.aircraft,)


class Flown(Event, frozen=True):
    """An aircraft flies on to a place."""

    aircraft: str
    x: int
    y: int
    facing: int

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.aircraft, pose=Pose(self.x, self.y, self.facing))

    def says(self) -> Message:
        return told(self, "flown", x=self.x / INCH, y=self.y / INCH)

    def units(self) -> tuple[str, ...]:
        return (self.aircraft,)


class StrikeStrayed(Event, frozen=True):
    """The Deviation Test at the point of attack; if it fails, the aircraft strays (MA-AIR-04, MA-AIR-05)."""

    aircraft: str
    direction: str = ""
    distance: float = 0.0

    def apply(self, battle: Battle) -> Battle:
        return battle

    def says(self) -> Message:
        return told(self, "strike_strayed" if self.direction else "strike_on_course")

    def units(self) -> tuple[str, ...]:
        return (self.aircraft,)


class Struck(Event, frozen=True):
    """An aircraft attacks the unit nearest to it, friend or enemy (MA-AIR-06); nobody if none is near."""

    aircraft: str
    target: str = ""
    effect: str = ""

    def apply(self, battle: Battle) -> Battle:
        return battle

    def says(self) -> Message:
        return told(self, "struck" if self.target else "struck_nobody")

    def units(self) -> tuple[str, ...]:
        return (self.aircraft, self.target) if self.target else (self.aircraft,)


class FlownOff(Event, frozen=True):
    """An aircraft leaves the table; its markers end with the mission (MA-RULING-36)."""

    aircraft: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.aircraft, pose=None, suppressed=False, disorganised=False)

    def units(self) -> tuple[str, ...]:
        return (self.aircraft,)


EVENTS: tuple[type[Event], ...] = (StrikeCalled, CourseRevealed, Flown, StrikeStrayed, Struck, FlownOff)


# -- the strike ---------------------------------------------------------------------------------------------------


def fly_strike(table: Table[Battle], course: Course) -> None:
    """One written strike from its test to the exit point (MA-AIR-01 to -11)."""
    side = table.battle.active
    id = course.aircraft
    aircraft = table.battle.units[id]
    called = run(table, side, "command_test", command_level=aircraft.level)  # nothing modifies it (MA-RULING-35, -36)
    table.emit(StrikeCalled(id, called.passed))
    if not called.passed:
        return
    table.emit(CourseRevealed(side, course))
    if not _fly(table, id, course.attack):  # MA-AIR-03
        return
    aircraft = table.battle.units[id]
    drift = run(
        table,
        side,
        "deviation",
        kind="air",
        command_level=aircraft.level,
        suppressed=aircraft.suppressed,
        disorganised=aircraft.disorganised,
    )
    table.emit(StrikeStrayed(id, drift.direction or "", drift.distance or 0.0))
    if drift.deviated:
        at = strays(course.attack, drift.direction, drift.distance)
        table.emit(Flown(id, *at, bearing(course.entry, course.attack)))
    _strike(table, id)
    if _fly(table, id, course.exit):  # MA-AIR-10
        table.emit(FlownOff(id))


def _strike(table: Table[Battle], id: str) -> None:
    """It attacks whoever is nearest; AP or HE follows the target (MA-AIR-07 to -09)."""
    battle = table.battle
    aircraft = battle.units[id]
    found = nearest_units(battle, aircraft.centre, SEARCH)
    if not found:
        table.emit(Struck(id))
        return
    target = found[run(table, aircraft.side, "random_pick", count=len(found)).index]
    hit = run(
        table,
        aircraft.side,
        "strike_impact",
        attack_kind="air",
        attacker_tl=aircraft.profile.tl,
        ap=aircraft.profile.ap,
        he=aircraft.profile.he,
        **target_facts(battle, target),
    )
    table.emit(Struck(id, target.id, hit.effect))
    take_effect(table, target.id, hit.effect)


# -- anti-aircraft fire -------------------------------------------------------------------------------------------


class Halt(NamedTuple):
    """Where an anti-aircraft unit might halt an aircraft: after some inches of this part of its course, that far away."""

    unit: str
    inch: int
    at: Point
    distance: float
    modifier: int


def aa_units(battle: Battle, side: str) -> list[Unit]:
    """The units of a side that may fire at a strike: no TL1 unit whose posture is `move` (MA-RULING-34)."""
    return [unit for unit in battle.side_units(side) if unit.profile.aa and unit.posture != "move"]


def halts_for(battle: Battle, unit: Unit, aircraft: Unit, start: Point, end: Point, first: int) -> list[Halt]:
    """Where a unit might fire from some inch of a straight course on: the first point of each range band, for nothing else differs."""
    found: dict[int, Halt] = {}
    far = span(start, end)
    for inch in range(first, int(far // INCH) + 2):
        at = move_towards(start, end, min(far, inch * INCH))
        distance = span(unit.centre, at)
        if aa_reason(aa_facts(unit, aircraft, distance)) != "none":
            continue
        modifier = look_up("range_effect", tl=unit.profile.tl, distance=inches(distance)).modifier
        if modifier not in found:
            found[modifier] = Halt(unit.id, inch, at, distance, modifier)
    return sorted(found.values(), key=lambda halt: (halt.modifier, halt.inch))


def _fly(table: Table[Battle], id: str, goal: Point) -> bool:
    """Along a straight part of the course; each anti-aircraft unit may halt it once (MA-AA-01). False if it is shot down."""
    start = table.battle.units[id].centre
    side = table.battle.units[id].side
    heading = bearing(start, goal)
    fired: list[str] = []
    inch = 0
    while True:
        battle = table.battle
        aircraft = battle.units[id]
        halts = [
            halt
            for unit in aa_units(battle, other(side))
            if unit.id not in fired
            for halt in halts_for(battle, unit, aircraft, start, goal, inch)
        ]
        if not halts:
            break
        chosen = _ask_to_halt(table, other(side), aircraft, halts)
        if chosen is None:
            break
        inch = chosen.inch
        fired.append(chosen.unit)
        if chosen.at != aircraft.centre:
            table.emit(Flown(id, *chosen.at, heading))
        _shoot_at(table, chosen, id)
        if not table.battle.units[id].alive:
            return False
    if table.battle.units[id].centre != goal:
        table.emit(Flown(id, *goal, heading))
    return True


def _ask_to_halt(table: Table[Battle], side: str, aircraft: Unit, halts: list[Halt]) -> Halt | None:
    """The interrupt: which unit fires, and where the aircraft is then (MA-DEC-05)."""
    options = [
        Option(
            f"{halt.unit}@{halt.inch}",
            say("option.halt", unit=halt.unit, inch=halt.inch, distance=halt.distance / INCH, modifier=halt.modifier),
            units=(halt.unit,),
        )
        for halt in halts
    ]
    chosen = table.ask(
        PickOne(
            player=side,
            decision="MA-DEC-05",
            prompt=say("ask.halt", aircraft=aircraft.id, name=aircraft.profile.name),
            unit=aircraft.id,
            options=(*options, Option("let", say("option.let_fly"))),
            default=options[0].id,
        )
    )
    return next((halt for halt, option in zip(halts, options, strict=True) if option.id == chosen), None)


def _shoot_at(table: Table[Battle], halt: Halt, id: str) -> None:
    battle = table.battle
    unit, aircraft = battle.units[halt.unit], battle.units[id]
    facts = aa_facts(unit, aircraft, halt.distance)
    hit = run(table, unit.side, "aa_fire", **{name: getattr(facts, name) for name in facts.__struct_fields__})
    table.emit(Fired(unit.id, id, "aa", bool(hit.passed), hit.effect, facts.distance, counts=False))
    take_effect(table, id, hit.effect)
