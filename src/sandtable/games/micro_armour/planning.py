"""The planning phase: missions and courses written in secret for the next turn."""

from __future__ import annotations

from sandtable.field.shapes import Point, span
from sandtable.games.micro_armour.artillery import BURST, check_aim, enemies_observed, observed, observers
from sandtable.games.micro_armour.battle import INCH, Battle, Course, Mission, Passed, Plans, Unit
from sandtable.kernel.decisions import Option, PickOne, PickPlaces, PickSeveral, Placing, Refusal
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table


class MissionWritten(Event, frozen=True):
    """Seen by its own side alone."""

    side: str
    mission: Mission

    def apply(self, battle: Battle) -> Battle:
        plans = battle.plans(self.side)
        return battle.with_plans(self.side, Plans((*plans.missions, self.mission), plans.courses))

    def says(self) -> Message:
        return say("event.mission_written", units=self.mission.units)

    def units(self) -> tuple[str, ...]:
        return self.mission.units


class CourseWritten(Event, frozen=True):
    """Seen by its own side alone."""

    side: str
    course: Course

    def apply(self, battle: Battle) -> Battle:
        plans = battle.plans(self.side)
        return battle.with_plans(self.side, Plans(plans.missions, (*plans.courses, self.course)))

    def says(self) -> Message:
        return say("event.course_written", aircraft=self.course.aircraft)

    def units(self) -> tuple[str, ...]:
        return (self.course.aircraft,)


EVENTS: tuple[type[Event], ...] = (MissionWritten, CourseWritten)


def has_planners(battle: Battle, side: str) -> bool:
    """Whether a side has anything to plan with: known to all, so that a question gives nothing away."""
    return any(
        unit.side == side and not unit.eliminated and (unit.profile.shells or unit.profile.target_class == "aircraft")
        for unit in battle.units.values()
    )


def free_batteries(battle: Battle, side: str) -> list[Unit]:
    """Artillery not written into a mission yet."""
    taken = [id for mission in battle.plans(side).missions for id in mission.units]
    return [unit for unit in battle.side_units(side) if unit.profile.shells and unit.id not in taken]


def free_aircraft(battle: Battle, side: str) -> list[Unit]:
    """Aircraft not written into a strike yet: one mission a turn each (MA-RULING-35)."""
    taken = [course.aircraft for course in battle.plans(side).courses]
    return [
        unit
        for unit in battle.units.values()
        if unit.side == side and not unit.eliminated and unit.profile.target_class == "aircraft" and unit.id not in taken
    ]


def planning_action(table: Table[Battle]) -> None:
    """The active side writes one mission or course, or is done (MA-PLAN-01 to -03, MA-DEC-07)."""
    battle = table.battle
    side = battle.active
    options = plan_options(battle, side)
    if not any(option.refusal is None for option in options):
        table.emit(Passed(side))
        return
    chosen = table.ask(
        PickOne(
            player=side,
            decision="MA-DEC-07",
            prompt=say("ask.plan", written=len(battle.plans(side).missions) + len(battle.plans(side).courses)),
            options=(*options, Option("done", say("option.done_planning"))),
            default="done",
        )
    )
    if chosen == "done":
        table.emit(Passed(side))
    elif chosen in ("mission", "smoke"):
        _write_mission(table, side, smoke=chosen == "smoke")
    else:
        _write_course(table, side, chosen.removeprefix("strike:"))


def plan_options(battle: Battle, side: str) -> list[Option]:
    free = free_batteries(battle, side)
    blind = None if observers(battle, side) else Refusal("MA-RULING-21", say("refused.no_observer"))
    options = []
    if free:
        options.append(Option("mission", say("option.mission"), blind, tuple(unit.id for unit in free)))
    smoking = [unit.id for unit in free if unit.profile.smoke]
    if smoking:
        options.append(Option("smoke", say("option.smoke_mission"), blind, tuple(smoking)))
    for unit in free_aircraft(battle, side):
        options.append(Option(f"strike:{unit.id}", say("option.strike_plan", unit=unit.id, name=unit.profile.name), units=(unit.id,)))
    return options


# -- artillery ----------------------------------------------------------------------------------------------------


def default_sheaf(number: int) -> tuple[Point, ...]:
    """A line along x, the first marker in the middle: 0, 1, -1, 2, -2 inches (MA-RULING-21)."""
    return tuple((((place + 1) // 2) * (1 if place % 2 else -1) * INCH, 0) for place in range(number))


def check_mission(battle: Battle, side: str, aim: Point) -> None:
    """The aim point lies on the table, in sight of a headquarters or recon unit (MA-RULING-21)."""
    check_aim(battle, aim)
    if not observed(battle, side, aim):
        raise RefusedError("MA-RULING-21", "refused.aim_not_observed")


def _write_mission(table: Table[Battle], side: str, *, smoke: bool) -> None:
    battle = table.battle
    free = [unit for unit in free_batteries(battle, side) if unit.profile.smoke or not smoke]
    units = table.ask(
        PickSeveral(
            player=side,
            decision="MA-DEC-07",
            prompt=say("ask.mission_units"),
            options=tuple(Option(unit.id, say("option.unit", unit=unit.id, name=unit.profile.name), units=(unit.id,)) for unit in free),
            least=1,
            default=[unit.id for unit in free],
        )
    )
    pieces = tuple(f"marker_{number}" for number in range(1, len(units) + 1))
    aim = _default_aim(battle, side)
    default = {
        piece: {"x": aim[0] + right, "y": aim[1] + up, "facing": 0}
        for piece, (right, up) in zip(pieces, default_sheaf(len(units)), strict=True)
    }

    def check(places: dict[str, Placing]) -> None:
        check_mission(battle, side, (places["marker_1"].x, places["marker_1"].y))

    places = table.ask(
        PickPlaces(
            player=side,
            decision="MA-DEC-07",
            prompt=say("ask.mission_places", units=list(units)),
            pieces=pieces,
            default=default,
            hints={"radius": BURST},
        ),
        check,
    )
    first = places["marker_1"]
    sheaf = tuple((places[piece].x - first.x, places[piece].y - first.y) for piece in pieces)
    number = len(battle.plans(side).missions) + 1
    table.emit(MissionWritten(side, Mission(f"mission_{number}", tuple(units), (first.x, first.y), sheaf, smoke)), only=side)


def _default_aim(battle: Battle, side: str) -> Point:
    """An enemy in sight of an observer; else, from an observer towards the nearest enemy, as far as is seen: not on one's own heads."""
    seen = enemies_observed(battle, side)
    if seen:
        return seen[0].centre
    first = observers(battle, side)[0].centre
    foes = [unit.centre for unit in battle.side_units(other(side)) if unit.ground]
    goal = min(foes, key=lambda place: span(first, place)) if foes else (battle.ground.width // 2, battle.ground.height // 2)
    for tenth in range(9, 0, -1):
        place = (first[0] + (goal[0] - first[0]) * tenth // 10, first[1] + (goal[1] - first[1]) * tenth // 10)
        if observed(battle, side, place):
            return place
    return first


# -- aircraft -----------------------------------------------------------------------------------------------------


def on_edge(battle: Battle, at: Point) -> bool:
    x, y = at
    wide, high = battle.ground.width, battle.ground.height
    return 0 <= x <= wide and 0 <= y <= high and (x in (0, wide) or y in (0, high))


def check_course(battle: Battle, entry: Point, attack: Point, exit: Point) -> None:
    """In and out over the table's edge, the point of attack on the table (MA-RULING-35)."""
    for point in (entry, exit):
        if not on_edge(battle, point):
            raise RefusedError("MA-RULING-35", "refused.not_on_edge", x=point[0] / INCH, y=point[1] / INCH)
    if not (0 <= attack[0] <= battle.ground.width and 0 <= attack[1] <= battle.ground.height):
        raise RefusedError("MA-RULING-35", "refused.aim_off_table")


def _write_course(table: Table[Battle], side: str, aircraft: str) -> None:
    battle = table.battle
    enemies = [unit.centre for unit in battle.enemies(side) if unit.ground]
    wide, high = battle.ground.width, battle.ground.height
    goal = enemies[0] if enemies else (wide // 2, high // 2)
    zone = battle.scenario.side(side).zone
    edge = nearest_edge(battle, (round((zone.left + zone.right) / 2 * INCH), round((zone.bottom + zone.top) / 2 * INCH)))
    default = {"entry": edge, "attack": goal, "exit": edge}

    def check(places: dict[str, Placing]) -> None:
        points = {name: (spot.x, spot.y) for name, spot in places.items()}
        check_course(battle, points["entry"], points["attack"], points["exit"])

    places = table.ask(
        PickPlaces(
            player=side,
            decision="MA-DEC-07",
            prompt=say("ask.course", aircraft=aircraft),
            unit=aircraft,
            pieces=("entry", "attack", "exit"),
            default={name: {"x": x, "y": y, "facing": 0} for name, (x, y) in default.items()},
            hints={"on_edge": ["entry", "exit"]},
        ),
        check,
    )
    points = {name: (spot.x, spot.y) for name, spot in places.items()}
    number = len(battle.plans(side).courses) + 1
    course = Course(f"strike_{number}", aircraft, points["entry"], points["attack"], points["exit"])
    table.emit(CourseWritten(side, course), only=side)


def nearest_edge(battle: Battle, at: Point) -> Point:
    """The point of the table's edge that is nearest to a place."""
    wide, high = battle.ground.width, battle.ground.height
    x, y = at
    ways = ((x, (0, y)), (wide - x, (wide, y)), (y, (x, 0)), (high - y, (x, high)))
    return min(ways, key=lambda way: way[0])[1]
