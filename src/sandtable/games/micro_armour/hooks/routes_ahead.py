"""A route measured and checked before it is taken: what its ground costs, how far it may go, who could fire, what it brings."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.field.paths import cut, heading_at, length
from sandtable.field.shapes import Point, within
from sandtable.games.micro_armour.assault import REACH
from sandtable.games.micro_armour.battle import INCH, Battle, Unit, apart, in_contact
from sandtable.games.micro_armour.fire import FIRE_PHASES, fire_refusal, reactions
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.movement import halts, linked, on_the_way
from sandtable.games.micro_armour.procedures.movement import Leg as GroundLeg
from sandtable.games.micro_armour.rolling import look_up
from sandtable.games.micro_armour.ways import Path, Way, cost_of, find_way, legs, may_assault, may_overrun, points_left, stretches
from sandtable.kernel.decisions import PickRoute, Request, Route, refusal_of
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.game import Leg, Reach
from sandtable.kernel.messages import Message, say

STEPS = 10
"""How often a way is halved to find the last place where it may end: to within a thousandth of its length."""


def reach(battle: Battle, request: Request, route: Route) -> Reach | None:
    """What a route for the unit of the question comes to; costs are movement points, in thousandths."""
    unit = battle.units.get(request.unit)
    if not isinstance(request, PickRoute) or unit is None or unit.pose is None:
        return None
    left = points_left(unit)
    try:
        way = find_way(battle, unit, route.path)
    except RefusedError as problem:
        path = (unit.centre, *route.path)
        cost, ground = _measured(battle, unit, path)
        return Reach(round(length(path)), cost, left, ground, _furthest(battle, unit, path), refusal_of(problem))
    if len(way.path) < 2:
        return Reach(0, 0, left, notes=(say("ahead.turned"),) if route.facing is not None else ())
    facing = heading_at(way.path, way.length, unit.pose.facing) if route.facing is None else route.facing
    watchers = _watchers(battle, unit, way, facing)
    ground = _legs(battle, way.path, unit, way.road_rate)
    return Reach(round(way.length), way.cost, left, ground, None, None, watchers, tuple(_notes(battle, unit, way, facing, watchers)))


# -- the ground -------------------------------------------------------------------------------------------------------


def _legs(battle: Battle, path: Path, unit: Unit, road_rate: bool) -> tuple[Leg, ...]:
    """The stretches of a path with what each costs; those that are forbidden cost nothing here, the refusal says so."""
    mobility = unit.profile.mobility
    cuts = () if mobility == "air" else stretches(battle, path)
    found = []
    for one in legs(battle, path, cuts, mobility, road_rate):
        cost = look_up("movement_cost", mobility=mobility, legs=(one,)).cost
        found.append(Leg(_ground(one), round(one.inches * INCH), round((cost or 0) * INCH)))
    return tuple(found)


def _ground(leg: GroundLeg) -> Message:
    ground = f"terrain.{leg.terrain}"
    return say("ahead.ground", ground=ground, features=[f"terrain.{one}" for one in leg.features]) if leg.features else say(ground)


def _measured(battle: Battle, unit: Unit, path: Path) -> tuple[int, tuple[Leg, ...]]:
    """What a way would cost that may not be gone: at the better of both rates; its length where the ground is closed."""
    mobility = unit.profile.mobility
    cuts = () if mobility == "air" or len(path) < 2 else stretches(battle, path)
    costs = {rate: cost for rate in (False, True) if (cost := cost_of(battle, path, cuts, mobility, rate)) is not None}
    rate = min(costs, key=lambda one: costs[one], default=False)
    return costs.get(rate, round(length(path))), _legs(battle, path, unit, rate) if len(path) > 1 else ()


def _furthest(battle: Battle, unit: Unit, path: Path) -> Point | None:
    """The last place on the way where it may end, as halving finds it."""
    low, high, found = 0.0, length(path), None
    for _ in range(STEPS if len(path) > 1 else 0):
        middle = (low + high) / 2
        way = cut(path, middle)
        try:
            find_way(battle, unit, way[1:])
        except RefusedError:
            high = middle
        else:
            low, found = middle, way[-1]
    return found


# -- what it brings -----------------------------------------------------------------------------------------------------


def _watchers(battle: Battle, unit: Unit, way: Way, facing: int) -> tuple[str, ...]:
    """The enemies that could fire at it somewhere on the way (MA-REACT-01, MA-RULING-22)."""
    assert unit.pose is not None
    found: dict[str, None] = {}
    for here in halts(way.length):
        turned = facing if here >= way.length else heading_at(way.path, here + 1, unit.pose.facing)
        found |= dict.fromkeys(shot.firer for shot in reactions(*on_the_way(battle, unit.id, way, here, turned)))
    return tuple(found)


def _notes(battle: Battle, unit: Unit, way: Way, facing: int, watchers: tuple[str, ...]) -> Iterator[Message]:
    after, there = on_the_way(battle, unit.id, way, way.length, facing)
    yield say("ahead.watched", number=len(watchers)) if watchers else say("ahead.unwatched")
    kinds = [] if unit.profile.flying else [f"terrain.{kind}" for kind in terrain_at(battle, there.centre)]
    if kinds:
        yield say("ahead.ends_in", ground=kinds)
    if way.road_at(way.length):
        yield say("ahead.road_rate")
    for foe in after.enemies(unit.side):
        if foe.ground and in_contact(there, foe) and may_overrun(there, foe):
            yield say("ahead.overrun", unit=foe.id)
        elif may_assault(there, foe) and within(apart(there, foe), REACH):
            yield say("ahead.assault", unit=foe.id)
    third = replace(after, phase=FIRE_PHASES[-1])
    later = fire_refusal(third, replace(there, attempted_this_phase=False))
    if later is not None:
        yield say("ahead.no_third_fire", reason=later.message)
    mates = [one.id for one in after.side_units(unit.side) if one.id != unit.id and linked(one, there)]
    yield say("ahead.group", units=mates) if mates else say("ahead.alone")
