"""Where to go: a few dozen places a unit might reach, scored by fire, danger, cover and the way to the objective."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots.micro_armour.picture import Picture
from sandtable.bots.micro_armour.worth import assault_worth, fights, overrun_worth
from sandtable.field.paths import cut
from sandtable.field.shapes import Point, Pose, bearing, move_towards, span
from sandtable.games.micro_armour.battle import BASE, INCH, Unit
from sandtable.games.micro_armour.deployment import front_of
from sandtable.games.micro_armour.lay import lay_of
from sandtable.games.micro_armour.movement import companions, is_group, move_refusal
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.ways import find_way, may_overrun, points_left
from sandtable.kernel.errors import RefusedError

STEPS = 12
"""Directions in which it looks for a place to go."""
UNDER_WAY, DASHING_UNDER_WAY = 0.6, 0.15
"""What the shots count that the enemy may have at a unit on its way; less, when it has to go."""
INERTIA = 0.3
"""By how much a place must be better than where one is."""
FARTHER = 0.5
"""How much what an inch more to the objectives costs weighs against fire."""
SCATTERED = 0.2
"""What an inch costs by which a unit is away from its formation, from two inches on."""
ARRIVED, ARRIVED_LATE, ARRIVED_LAST = 2.0, 4.0, 18.0
"""What it is worth to be at an objective: at first, how much more of it by the end, and when it is the last chance."""
STRIKING = 3.0
"""What it is worth by the end to be where one move leads to the objective."""
BEHIND, ON_TOP = 1200, 500
"""How far from a crest one is hidden behind it, and how far beyond it one stands on the top: fired at from below, firing down."""
EVEN = INCH // 2
NO_COVER = ("wire", "minefield", "swamp", "slope_up")
Path = tuple[Point, ...]


class Plan(NamedTuple):
    """Where a unit might go, and how much better it is than staying."""

    path: Path
    facing: int
    better: float


# -- how good a place is ------------------------------------------------------------------------------------------


def score(picture: Picture, unit: Unit, at: Point, facing: int, mates: list[Point]) -> float:
    """How good a place is: shots from it, shots at it, how near it is to the goal and to its own."""
    value = picture.exchange(replace(unit, pose=Pose(at[0], at[1], facing), moving=True, road=""))
    if picture.goes(unit):
        value += _progress(picture, unit, at)
    if mates:
        value -= SCATTERED * min(6.0, max(0.0, min([span(at, mate) for mate in mates]) / INCH - 2))
    return value


def _progress(picture: Picture, unit: Unit, at: Point) -> float:
    """Nearer is better, the more so the less time there is for the way; at the end somebody has to be there."""
    scenario, turn = picture.battle.scenario, picture.battle.turn
    lanes = picture.lanes(unit.profile.mobility)
    if lanes is None:
        return 0.0
    far, way = lanes.far(at), lanes.cost(unit.centre)
    late = turn / scenario.turns
    time = (scenario.turns - turn + 1) * max(1.0, unit.profile.movement) * 0.5
    pace = min(1.5, way / time)
    value = -FARTHER * far * (0.12 + 0.5 * pace * pace + 0.1 * late)
    if picture.striking(unit, at):
        value += STRIKING * late
    if picture.arrived(at):
        value += ARRIVED_LAST if picture.dashing(unit) else ARRIVED + ARRIVED_LATE * late * late
    return value


def _fight(picture: Picture, unit: Unit, at: Point, enemies: list[Unit]) -> float:
    """What an overrun or a close assault at the end of the move is worth."""
    best = 0.0
    for enemy in enemies:
        far = span(at, enemy.centre)
        if far <= BASE + 2 and may_overrun(unit, enemy):
            best = max(best, overrun_worth(picture.battle, unit, enemy))
        elif far <= 2 * BASE and unit.profile.target_class == "personnel" and enemy.ground:
            there = replace(unit, pose=Pose(at[0], at[1], 0), moving=True)
            best = max(best, assault_worth(picture.battle, there, enemy))
    return best


def _face(picture: Picture, at: Point) -> int:
    """Towards the nearest enemy that can hurt it."""
    if not picture.enemies:
        return front_of(picture.battle, picture.side)
    return bearing(at, min([(span(at, place), id, place) for id, place in picture.threats])[2])


# -- the best of many ---------------------------------------------------------------------------------------------


def best_move(picture: Picture, unit: Unit) -> Plan:
    """The best place it can reach among a few dozen, and how much better it is than staying."""
    assert unit.pose is not None
    mates = [one.centre for one in picture.friends if one.formation == unit.formation and one.id != unit.id]
    reach = reach_of(unit) + 3 * BASE
    in_reach = [enemy for enemy in picture.enemies if span(unit.centre, enemy.centre) <= reach]
    stay = score(picture, unit, unit.centre, unit.pose.facing, mates)
    plans = []
    for path in dict.fromkeys(_candidates(picture, unit)):
        if path and path[-1] != unit.centre:
            at = path[-1]
            facing = _face(picture, at)
            better = score(picture, unit, at, facing, mates) + _fight(picture, unit, at, in_reach) - stay - INERTIA
            if better > 0:
                better -= (DASHING_UNDER_WAY if picture.dashing(unit) else UNDER_WAY) * picture.fire_on_the_way(unit, (unit.centre, *path))
            if better > 0:
                plans.append(Plan(path, facing, better))
    # Whether a way can be gone takes longer to find out than whether it is worth going: the best are tried first.
    for plan in sorted(plans, key=lambda plan: -plan.better):
        try:
            find_way(picture.battle, unit, plan.path)
        except RefusedError:
            continue
        return plan
    return Plan((), unit.pose.facing, 0.0)


def reach_of(unit: Unit) -> int:
    """How far it could go over clear ground."""
    left = points_left(unit)
    if unit.profile.mobility in ("tracked", "wheeled", "foot"):
        return int(left / CHARTS["terrain_movement"].record("clear", unit.profile.mobility)["cost"])
    return left


def _candidates(picture: Picture, unit: Unit) -> Iterable[Path]:
    """Ways worth a look: to the goal, around the compass, into cover, into enemies that can be driven over or assaulted."""
    here, goal = unit.centre, picture.goal(unit.centre)
    reach = reach_of(unit)
    if reach < INCH // 2:
        return
    for share in (1.0, 0.6, 0.3):
        yield (_snap(picture, move_towards(here, goal, reach * share)),)
    if span(here, goal) < 1.5 * reach:
        for aside in (-4, -2, 2, 4):
            yield (_snap(picture, (goal[0], goal[1] + aside * INCH)),)
            yield (_snap(picture, (goal[0] + aside * INCH, goal[1])),)
    lanes = picture.lanes(unit.profile.mobility)
    if lanes is not None and picture.goes(unit) and len(way := lanes.way(here)) > 1:
        for share in (1.0, 0.85, 0.7, 0.5, 0.3):
            yield cut(way, reach * share)[1:]
    flying = unit.profile.mobility == "air"
    steps = 2 * STEPS if flying else STEPS
    for step in range(steps):
        angle = radians(step * 360 / steps)
        for share in (0.95, 0.75, 0.5, 0.25) if flying else (0.95, 0.5):
            far = reach * share
            yield (_snap(picture, (_even(here[0], sin(angle) * far), _even(here[1], cos(angle) * far))),)
    for piece in picture.battle.ground.pieces:
        if piece.form in ("area", "building") and piece.kind not in NO_COVER:
            left, bottom, right, top = piece.box
            middle = (round((left + right) / 2), round((bottom + top) / 2))
            if span(here, middle) < reach + 4 * INCH:
                yield (_snap(picture, move_towards(here, middle, reach)),)
    for crest in lay_of(picture.battle.ground).crests:
        if crest.far(here) < reach:
            for at in _about(crest.points, here, goal):
                yield (_snap(picture, at),)
    for mate in _ahead(picture, unit, goal):
        behind = move_towards(mate.centre, here, 3 * BASE // 2)
        (x, y), (dx, dy) = mate.centre, (behind[1] - mate.centre[1], mate.centre[0] - behind[0])
        for at in (behind, (x + dx, y + dy), (x - dx, y - dy)):
            if span(here, at) <= reach:
                yield (_snap(picture, at),)
    for enemy in picture.enemies:
        far = span(here, enemy.centre)
        if far < reach + BASE and (may_overrun(unit, enemy) or (unit.profile.target_class == "personnel" and enemy.ground)):
            yield (move_towards(here, enemy.centre, far - BASE),)


def _ahead(picture: Picture, unit: Unit, goal: Point) -> list[Unit]:
    """Two of its formation that are nearer to the goal: whoever keeps up with them can be given Orders together."""
    far = span(unit.centre, goal)
    mates = [one for one in picture.friends if one.formation == unit.formation and one.id != unit.id and span(one.centre, goal) < far]
    return sorted(mates, key=lambda one: (span(one.centre, unit.centre), one.id))[:2]


def _about(crest: Path, here: Point, goal: Point) -> Iterable[Point]:
    """Places behind a crest and on its top, seen from here: straight ahead, and where the way to the goal crosses it."""
    for one, two in pairwise(crest):
        across = (two[0] - one[0], two[1] - one[1])
        size = hypot(*across)
        normal = (-across[1] / size, across[0] / size)
        side = (here[0] - one[0]) * normal[0] + (here[1] - one[1]) * normal[1]
        other = (goal[0] - one[0]) * normal[0] + (goal[1] - one[1]) * normal[1]
        sign = 1 if side >= 0 else -1
        shares = [1.0]
        if side * other < 0:
            shares.append(abs(side) / (abs(side) + abs(other)))
        for share, towards in zip(shares, ((here[0] - side * normal[0], here[1] - side * normal[1]), goal), strict=False):
            foot = (here[0] + (towards[0] - here[0]) * share, here[1] + (towards[1] - here[1]) * share)
            along = ((foot[0] - one[0]) * across[0] + (foot[1] - one[1]) * across[1]) / (size * size)
            if 0 <= along <= 1:
                for off in (BEHIND * sign, ON_TOP * sign, -ON_TOP * sign):
                    yield round(foot[0] + off * normal[0]), round(foot[1] + off * normal[1])


def _even(start: int, far: float) -> int:
    """So far along one axis, but on a grid of half inches, on the near side: what is seen from a place is remembered."""
    there = start + round(far)
    even = there - there % EVEN
    return even if far >= 0 or even == there else even + EVEN


def _snap(picture: Picture, at: Point) -> Point:
    """The nearest place at which the whole base is on the table."""
    half = BASE // 2
    ground = picture.battle.ground
    return min(max(at[0], half), ground.width - half), min(max(at[1], half), ground.height - half)


# -- who moves with whom ------------------------------------------------------------------------------------------


def all_plans(picture: Picture) -> dict[str, Plan]:
    """The best move of each unit that has one."""
    found = {}
    for unit in picture.friends:
        if move_refusal(unit) is None and unit.profile.target_class != "aircraft" and not _rests(picture, unit):
            plan = best_move(picture, unit)
            if plan.better > 0:
                found[unit.id] = plan
    return found


def _rests(picture: Picture, unit: Unit) -> bool:
    """Guns, flak and headquarters that no enemy sees stay where they are, unless they count for the objective."""
    return bool(picture.goals) and unit.ground and not fights(unit) and not picture.goes(unit) and not picture.seen(unit)


def group(picture: Picture, plans: dict[str, Plan], first: str, most: int) -> list[str]:
    """Everybody linked who has somewhere to go; a headquarters first, for it helps the others."""
    leader = picture.battle.units[first]
    willing = [unit for unit in companions(picture.battle, leader) if unit.id in plans or unit.profile.hq]
    willing.sort(key=lambda unit: (not unit.profile.headquarters, -plans[unit.id].better if unit.id in plans else 0.0, unit.id))
    chosen: list[Unit] = []
    grown = True
    while grown and len(chosen) < most:
        grown = False
        for unit in willing:
            if unit not in chosen and is_group([leader, *chosen, unit]):
                chosen.append(unit)
                grown = True
                break
    return [unit.id for unit in chosen]
