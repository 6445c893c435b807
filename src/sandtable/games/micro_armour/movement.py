"""The movement phase: Orders and Groups, Command Tests, moves with reaction fire on the way, mounting and dismounting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from sandtable.field.paths import cut, heading_at, point_at
from sandtable.field.shapes import TOLERANCE, Point, Pose, place, span, within
from sandtable.games.micro_armour.battle import BASE, INCH, Battle, OrderSpent, Unit, in_contact, overlapping, told
from sandtable.games.micro_armour.fire import fire_refusal, offer_reaction, reactions
from sandtable.games.micro_armour.lay import closed_ground, terrain_at
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.rolling import run
from sandtable.games.micro_armour.ways import Way, allowance, find_way, points_left
from sandtable.kernel.decisions import Option, PickOne, PickPlaces, PickRoute, PickSeveral, Placing, Refusal, Route
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

LINK = 2 * INCH
"""How near the members of a Group are to each other (MA-RULING-23)."""
MOST = 6
BOARDING = 2 * INCH
"""The points of the carrier that mounting or dismounting takes, in thousandths (MA-RULING-38)."""


class MovementTested(Event, frozen=True):
    """A unit took its Command Test to move; it tries once a turn (MA-RULING-24)."""

    unit: str
    passed: bool

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.unit, move_tried=True)

    def says(self) -> Message:
        return told(self, "movement_tested" if self.passed else "movement_refused")

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class Moved(Event, frozen=True):
    """A unit moved along a path (its first point is where it stood); now it is in Move State (MA-MOVE-11).

    A move with halts for reaction fire comes in parts; the last one carries the cost. `road`: the road whose rate it uses.
    """

    unit: str
    path: tuple[tuple[int, int], ...]
    facing: int
    cost: int = 0
    road: str = ""

    def apply(self, battle: Battle) -> Battle:
        x, y = self.path[-1]
        unit = battle.units[self.unit]
        pose = Pose(x, y, self.facing)
        battle = battle.with_unit(self.unit, pose=pose, moving=True, spent=unit.spent + self.cost, road=self.road)
        return battle.carried_along(self.unit, pose)

    def says(self) -> Message:
        return told(self, "moved" if len(self.path) > 1 else "turned")

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class Mounted(Event, frozen=True):
    """A unit gets into its carrier (MA-RULING-38)."""

    unit: str
    carrier: str

    def apply(self, battle: Battle) -> Battle:
        carrier = battle.units[self.carrier]
        battle = battle.with_unit(self.unit, carried_by=self.carrier, pose=carrier.pose, moving=True, settled=True, road="")
        return battle.with_unit(self.carrier, spent=carrier.spent + BOARDING)

    def units(self) -> tuple[str, ...]:
        return (self.unit, self.carrier)


class Dismounted(Event, frozen=True):
    """A unit gets off beside its carrier, and does nothing else this turn (MA-RULING-38)."""

    unit: str
    carrier: str
    x: int
    y: int
    facing: int

    def apply(self, battle: Battle) -> Battle:
        carrier = battle.units[self.carrier]
        pose = Pose(self.x, self.y, self.facing)
        battle = battle.with_unit(self.unit, carried_by="", pose=pose, moving=True, settled=True, road="")
        return battle.with_unit(self.carrier, spent=carrier.spent + BOARDING)

    def units(self) -> tuple[str, ...]:
        return (self.unit, self.carrier)


EVENTS: tuple[type[Event], ...] = (MovementTested, Moved, Mounted, Dismounted)


# -- who may move -------------------------------------------------------------------------------------------------


def move_refusal(unit: Unit) -> Refusal | None:
    """Why a unit may not even try to move."""
    if unit.move_tried:
        return Refusal("MA-RULING-24", say("refused.move_tried", unit=unit.id))
    if unit.profile.mobility == "none" or not unit.profile.movement:
        return Refusal("MA-MOVE-06", say("refused.cannot_move", unit=unit.id))
    if allowance(unit) == 0:
        rule = "MA-SEQ-08" if unit.profile.shells and unit.attempted_fire else "MA-SEQ-09"
        return Refusal(rule, say("refused.fired_not_move", unit=unit.id))
    return None


def movers(battle: Battle, side: str) -> list[Unit]:
    """The units of a side that could try to move, passengers included: they may get off."""
    return [
        unit
        for unit in battle.units.values()
        if unit.side == side
        and not unit.eliminated
        and unit.pose is not None
        and unit.profile.target_class != "aircraft"
        and move_refusal(unit) is None
    ]


def linked(one: Unit, two: Unit) -> bool:
    """Two members of a Group: of one formation, within two inches of each other (MA-RULING-23)."""
    return one.formation == two.formation and within(span(one.centre, two.centre), LINK)


def is_group(units: list[Unit]) -> bool:
    """All linked, one to another."""
    reached, waiting = units[:1], units[1:]
    while True:
        near = [unit for unit in waiting if any(linked(unit, one) for one in reached)]
        if not near:
            return not waiting
        reached += near
        waiting = [unit for unit in waiting if unit not in near]


def companions(battle: Battle, leader: Unit) -> list[Unit]:
    """Who might form a Group with a unit: everybody linked to it, directly or through others."""
    reached, waiting = [leader], [unit for unit in movers(battle, leader.side) if unit.id != leader.id]
    while True:
        near = [unit for unit in waiting if any(linked(unit, one) for one in reached)]
        if not near:
            return reached[1:]
        reached += near
        waiting = [unit for unit in waiting if unit not in near]


# -- the action ---------------------------------------------------------------------------------------------------


def move_action(table: Table[Battle]) -> bool:
    """The active side moves one unit or Group, by an Order or independently (MA-MOVE-01, MA-RULING-24). False if it passes."""
    members = _choose(table)
    if not members:
        return False
    side, ordered = table.battle.active, table.battle.round == "ordered"
    if ordered:
        table.emit(OrderSpent(side, tuple(members)))
    passed = [unit for unit in members if test_to_move(table, unit, members, ordered)]
    going = Going(table, passed)
    going.move()
    from sandtable.games.micro_armour.assault import close_assaults, overruns

    overruns(going)  # MA-MOVE-12: reaction fire, overruns, close assaults, in that order
    close_assaults(going)
    return True


def _choose(table: Table[Battle]) -> list[str]:
    """The unit or Group that acts (MA-DEC-08, MA-DEC-09)."""
    battle = table.battle
    side, ordered = battle.active, battle.round == "ordered"
    decision = "MA-DEC-08" if ordered else "MA-DEC-09"
    options = [
        Option(unit.id, say("option.move", unit=unit.id, name=unit.profile.name), move_refusal(unit), (unit.id,))
        for unit in battle.units.values()
        if unit.side == side and not unit.eliminated and unit.pose is not None and unit.profile.target_class != "aircraft"
    ]
    prompt = say("ask.order", orders=battle.orders.get(side, 0)) if ordered else say("ask.independent")
    chosen = table.ask(
        PickOne(player=side, decision=decision, prompt=prompt, options=(*options, Option("pass", say("option.pass"))), default="pass")
    )
    if chosen == "pass":
        return []
    leader = battle.units[chosen]
    mates = companions(battle, leader)
    if not mates:
        return [chosen]

    def check(others: tuple[str, ...]) -> None:
        if not is_group([leader, *(battle.units[id] for id in others)]):
            raise RefusedError("MA-RULING-23", "refused.not_a_group", unit=leader.id)

    others = table.ask(
        PickSeveral(
            player=side,
            decision=decision,
            prompt=say("ask.group", unit=chosen),
            unit=chosen,
            options=tuple(Option(unit.id, say("option.unit", unit=unit.id, name=unit.profile.name), units=(unit.id,)) for unit in mates),
            most=min(MOST - 1, len(mates)),
            default=[],
        ),
        check,
    )
    return [chosen, *others]


def test_to_move(table: Table[Battle], unit_id: str, members: list[str], ordered: bool) -> bool:
    """Each unit of a Group tests for itself; HQs among the OTHER members help it (MA-MOVE-02 to -05, MA-RULING-23)."""
    facts = move_test_facts(table.battle, unit_id, members, ordered)
    tested = run(table, table.battle.units[unit_id].side, "movement_test", **facts)
    table.emit(MovementTested(unit_id, tested.passed))
    return bool(tested.passed)


def move_test_facts(battle: Battle, unit_id: str, members: Iterable[str], ordered: bool) -> dict[str, Any]:
    """The Command Test of a unit that moves with others, as `movement_test` takes it."""
    unit = battle.units[unit_id]
    terrain = terrain_at(battle, unit.centre) if unit.ground else ()
    return {
        "command_level": unit.level,
        "ordered": ordered,
        "recon": unit.profile.recon,
        "attached_hqs": sum(battle.units[id].profile.headquarters for id in members if id != unit_id),
        "suppressed": unit.suppressed,
        "disorganised": unit.disorganised,
        "in_wire": "wire" in terrain,
        "in_minefield": "minefield" in terrain,
    }


class Going:
    """The units of one action that passed their tests, while they move."""

    def __init__(self, table: Table[Battle], passed: Iterable[str]) -> None:
        self.table = table
        self.passed = list(passed)
        self.waiting = list(self.passed)
        """Those that have not moved yet in this action."""
        self.arrived: set[str] = set()
        """Those that changed their place in this action."""

    @property
    def battle(self) -> Battle:
        return self.table.battle

    def alive(self) -> list[Unit]:
        return [unit for id in self.passed if (unit := self.battle.units[id]).alive]

    # -- moving ---------------------------------------------------------------------------------------------------

    def move(self) -> None:
        """Unit by unit, in the order the owner wants; passengers get on and off in between."""
        while True:
            options = self.acts()
            possible = [option for option in options if option.refusal is None]
            if not possible:
                return
            if len(possible) == 1 and possible[0].id in self.waiting:
                chosen = possible[0].id
            else:
                chosen = self.table.ask(
                    PickOne(
                        player=self.battle.active,
                        decision=self.decision,
                        prompt=say("ask.next_mover"),
                        options=(*options, Option("done", say("option.done"))),
                        default=possible[0].id if possible[0].id in self.waiting else "done",
                    )
                )
            if chosen == "done":
                return
            unit, _, act = chosen.partition(":")
            if act == "dismount":
                self.dismount(unit)
            elif act:
                self.mount(unit, act.removeprefix("mount:"))
            else:
                self.waiting.remove(unit)
                move_unit(self.table, unit, self.arrived, self.decision)

    @property
    def decision(self) -> str:
        return "MA-DEC-08" if self.battle.round == "ordered" else "MA-DEC-09"

    def acts(self) -> list[Option]:
        """What the units of the action can still do."""
        battle = self.battle
        options = []
        for id in self.waiting:
            unit = battle.units[id]
            if not unit.alive:
                continue
            if unit.carried_by:
                label = say("option.dismount", unit=id, name=unit.profile.name, carrier=unit.carried_by)
                options.append(Option(f"{id}:dismount", label, dismount_refusal(battle, unit), (id, unit.carried_by)))
                continue
            options.append(Option(id, say("option.move", unit=id, name=unit.profile.name), units=(id,)))
            for carrier in carriers(battle, unit):
                label = say("option.mount", unit=id, name=unit.profile.name, carrier=carrier.id)
                options.append(Option(f"{id}:mount:{carrier.id}", label, units=(id, carrier.id)))
        return options

    # -- passengers -----------------------------------------------------------------------------------------------

    def mount(self, unit: str, carrier: str) -> None:
        self.waiting.remove(unit)
        self.table.emit(Mounted(unit, carrier))

    def dismount(self, unit_id: str) -> None:
        """Into contact with the carrier, which may then go on if it moves in this action too."""
        battle = self.battle
        unit = battle.units[unit_id]
        carrier = battle.units[unit.carried_by]
        default = free_place_beside(battle, carrier, unit)
        assert default is not None
        places = self.table.ask(
            PickPlaces(
                player=unit.side,
                decision=self.decision,
                prompt=say("ask.dismount", unit=unit_id, carrier=carrier.id),
                unit=unit_id,
                pieces=(unit_id,),
                default={unit_id: {"x": default.x, "y": default.y, "facing": default.facing}},
            ),
            lambda given: check_beside(battle, carrier, unit, given[unit_id]),
        )
        spot: Placing = places[unit_id]
        self.waiting.remove(unit_id)
        self.table.emit(Dismounted(unit_id, carrier.id, spot.x, spot.y, spot.facing))
        if carrier.id in self.passed and carrier.id not in self.waiting and points_left(self.battle.units[carrier.id]) > 0:
            self.waiting.append(carrier.id)


def carriers(battle: Battle, unit: Unit) -> list[Unit]:
    """The carriers a unit can mount from contact: with room, and not yet moved this turn (MA-RULING-38)."""
    if unit.profile.target_class != "personnel":
        return []
    return [
        one
        for one in battle.side_units(unit.side)
        if one.profile.capacity > len(battle.passengers(one.id)) and not one.moving and in_contact(unit, one)
    ]


def dismount_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    carrier = battle.units[unit.carried_by]
    if carrier.moving and not within(carrier.spent + BOARDING, allowance(carrier)):
        return Refusal("MA-RULING-38", say("refused.no_points_to_dismount", unit=unit.id, carrier=carrier.id))
    if free_place_beside(battle, carrier, unit) is None:
        return Refusal("MA-RULING-38", say("refused.no_room", unit=unit.id, carrier=carrier.id))
    return None


def free_place_beside(battle: Battle, carrier: Unit, unit: Unit) -> Pose | None:
    """The first free place in contact with a carrier, looked for from behind it."""
    assert carrier.pose is not None
    for turn in range(0, 180, 10):
        for degrees in ((180 + turn) % 360, (180 - turn) % 360):
            x, y = place(Pose(*carrier.centre, (carrier.pose.facing + degrees) % 360), 0, BASE)
            try:
                check_beside(battle, carrier, unit, Placing(x, y, carrier.pose.facing))
            except RefusedError:
                continue
            return Pose(x, y, carrier.pose.facing)
    return None


def check_beside(battle: Battle, carrier: Unit, unit: Unit, spot: Placing) -> None:
    """In contact with the carrier, on the table, on nobody, and not in contact with an enemy (MA-RULING-38, -54)."""
    at = (spot.x, spot.y)
    if not BASE - TOLERANCE <= span(at, carrier.centre) <= BASE + TOLERANCE:
        raise RefusedError("MA-RULING-38", "refused.not_beside", unit=unit.id, carrier=carrier.id)
    half = BASE // 2
    if not (half <= spot.x <= battle.ground.width - half and half <= spot.y <= battle.ground.height - half):
        raise RefusedError("MA-RULING-54", "refused.off_table", unit=unit.id)
    if closed_ground(battle, at, unit.profile.mobility) is not None:
        raise RefusedError("MA-MOVE-07", "refused.forbidden_ground", unit=unit.id)
    for one in battle.standing():
        if overlapping(one.centre, at):
            raise RefusedError("MA-RULING-54", "refused.overlap", unit=unit.id, other=one.id)
        if one.side != unit.side and within(span(one.centre, at), BASE):
            raise RefusedError("MA-RULING-54", "refused.contact", unit=unit.id, other=one.id)


# -- one unit's move ----------------------------------------------------------------------------------------------


def move_unit(table: Table[Battle], unit_id: str, arrived: set[str], decision: str) -> None:
    """Ask for the path of a unit and carry it out, with reaction fire on the way."""
    battle = table.battle
    unit = battle.units[unit_id]
    found: dict[Route, Way] = {}

    def check(route: Route) -> None:
        found[route] = find_way(battle, unit, route.path)

    route: Route = table.ask(
        PickRoute(
            player=unit.side,
            decision=decision,
            prompt=say("ask.route", unit=unit_id, name=unit.profile.name, points=points_left(unit) / INCH),
            unit=unit_id,
            reach=_reach(unit),
            hints={"points": points_left(unit)},
            default={},
        ),
        check,
    )
    way = found[route]
    if len(way.path) < 2:
        assert unit.pose is not None
        if route.facing is not None and route.facing != unit.pose.facing:  # it stays and turns: in Move State all the same
            table.emit(Moved(unit_id, (unit.centre,), route.facing, road=unit.road))
        return
    way = _road_or_ground(table, unit, way, decision)
    carry_out(table, unit_id, way, route.facing)
    arrived.add(unit_id)


def _reach(unit: Unit) -> int:
    """How far it could go over clear ground."""
    if unit.profile.mobility == "air":
        return points_left(unit)
    return int(points_left(unit) / CHARTS["terrain_movement"].record("clear", unit.profile.mobility)["cost"])


def _road_or_ground(table: Table[Battle], unit: Unit, way: Way, decision: str) -> Way:
    """Along a road through cover the owner may pay for the ground instead, and keep the cover (MA-TERR-05)."""
    if not any(one.road and one.cover for one in way.stretches):
        return way
    ways = {}
    for name, rate in (("ground", False), ("road", True)):
        try:
            ways[name] = find_way(table.battle, unit, way.path[1:], rate)
        except RefusedError:
            continue
    if len(ways) < 2:
        return way
    options = tuple(Option(name, say(f"option.rate_{name}", cost=found.cost / INCH)) for name, found in ways.items())
    prompt = say("ask.road_rate", unit=unit.id)
    chosen = table.ask(PickOne(player=unit.side, decision=decision, prompt=prompt, unit=unit.id, options=options, default="road"))
    return ways[chosen]


def halts(far: float) -> list[float]:
    """The points of a path at which it may be interrupted: its start, each inch, its end (MA-RULING-22)."""
    return [0.0, *map(float, range(INCH, int(far) - 1, INCH)), far]  # a hair before its end is its end


def carry_out(table: Table[Battle], unit_id: str, way: Way, facing: int | None) -> None:
    """A unit goes its way; where the other side may fire at it, it is halted and asked."""
    side = table.battle.units[unit_id].side
    start = table.battle.units[unit_id].pose
    assert start is not None
    far = way.length
    done = 0.0
    final = heading_at(way.path, far, start.facing) if facing is None else facing
    watched = any(not one.settled and fire_refusal(table.battle, one) is None for one in table.battle.enemies(side))
    for here in halts(far) if watched else ():
        last = here >= far
        turned = final if last else heading_at(way.path, here + 1, start.facing)
        if not reactions(*on_the_way(table.battle, unit_id, way, here, turned)):
            continue
        table.emit(Moved(unit_id, _part(way.path, done, here), turned, way.cost if last else 0, way.road_at(here)))
        done = here
        if not offer_reaction(table, unit_id, last=last):
            if not table.battle.units[unit_id].alive:
                return
            break
    if done < far or not watched:
        table.emit(Moved(unit_id, _part(way.path, done, far), final, way.cost, way.road_at(far)))


def on_the_way(battle: Battle, unit_id: str, way: Way, here: float, facing: int) -> tuple[Battle, Unit]:
    """The battle with a unit so far along its way, in Move State, and that unit."""
    pose = Pose(*point_at(way.path, here), facing)
    there = replace(battle.units[unit_id], pose=pose, moving=True, road=way.road_at(here))
    return replace(battle, units=battle.units | {unit_id: there}), there


def _part(path: tuple[Point, ...], start: float, end: float) -> tuple[Point, ...]:
    """The part of a path between two distances."""
    behind = max(1, len(cut(path, start)) - 1)  # the corners that it has passed
    points = [point_at(path, start), *cut(path, end)[behind:]]
    return tuple(point for i, point in enumerate(points) if i == 0 or point != points[i - 1])
