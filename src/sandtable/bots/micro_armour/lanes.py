"""Lanes to the objectives: how far every place is from it, over dear ground and past the enemy's sight."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot, inf

from sandtable.bots.micro_armour.worth import RATE
from sandtable.field.shapes import Point, span
from sandtable.games.micro_armour.battle import INCH, Battle, Unit
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.profile import ROADS
from sandtable.games.micro_armour.sight import look

STEP = 2 * INCH
"""The table is cut into squares of this size."""
WATCHED = 0.7
"""How much longer an inch seems for each shot a turn that the enemy has at it..."""
MOST_WATCHED = 4.0
"""...up to so many."""
SHAKEN = 0.5
"""What a suppressed or disorganised enemy counts."""
AROUND = tuple((x, y, hypot(x, y) * STEP / INCH) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
"""The squares around a square, and how many inches it is to their middles."""

Square = tuple[int, int]
Path = tuple[Point, ...]


class Watch:
    """What the enemy sees, square by square."""

    def __init__(self, battle: Battle, enemies: list[Unit]) -> None:
        self.battle = battle
        visibility = battle.scenario.visibility
        self._reach = inf if visibility is None else visibility * INCH
        self.guns = tuple(
            (one.centre, RATE[one.profile.tl] * (SHAKEN if one.suppressed or one.disorganised else 1.0))
            for one in enemies
            if (one.profile.ap or one.profile.he or one.profile.atgm) and not one.profile.shells
        )
        self._found: dict[Square, float] = {}

    def at(self, square: Square) -> float:
        """How many shots a turn the enemy has at a square."""
        found = self._found.get(square)
        if found is None:
            middle = centre(square)
            found = self._found[square] = sum(
                rate for gun, rate in self.guns if span(gun, middle) <= self._reach and look(self.battle, gun, middle, "other").clear
            )
        return found


class Lanes:
    """The ways of one kind of mobility to the objectives from everywhere."""

    def __init__(self, watch: Watch, mobility: str, inside: Callable[[Point], bool]) -> None:
        self._watch, self._mobility, self._inside = watch, mobility, inside
        ground = watch.battle.ground
        self._wide, self._high = ground.width // STEP, ground.height // STEP
        self._far: dict[Square, float] = {}
        self._cost: dict[Square, float] = {}
        self._next: dict[Square, Square] = {}
        self._seems: dict[Point, float] = {}
        goals = [square for square in self._squares() if self._inside(centre(square))]
        self._spread(goals)

    def _squares(self) -> list[Square]:
        return [(x, y) for x in range(self._wide) for y in range(self._high)]

    def _dear(self, square: Square) -> float:
        """What an inch costs there, in inches of clear ground; roads are gone along."""
        costs = CHARTS["terrain_movement"]
        clear: float = costs.record("clear", self._mobility)["cost"]
        kinds = terrain_at(self._watch.battle, centre(square))
        ground = [costs.record(kind, self._mobility)["cost"] for kind in kinds]
        if None in ground:
            return inf
        roads: list[float] = [cost for kind, cost in zip(kinds, ground, strict=True) if kind in ROADS]
        dear: float = min(roads) if roads else max([clear, *ground])
        return dear / clear

    def _spread(self, goals: list[Square]) -> None:
        """From the objectives backwards, nearest first."""
        dear = {square: self._dear(square) for square in self._squares()}
        price = {square: cost * (1 + WATCHED * min(MOST_WATCHED, self._watch.at(square))) for square, cost in dear.items()}
        far_of, cost_of, before = self._far, self._cost, self._next
        heap: list[tuple[float, Square]] = []
        for square in goals:
            far_of[square] = cost_of[square] = 0.0
            heap.append((0.0, square))
        while heap:
            far, square = heappop(heap)
            if far > far_of[square]:
                continue
            here = price[square]
            for dx, dy, size in AROUND:
                other = square[0] + dx, square[1] + dy
                if other in price:
                    there = far + size * (here + price[other]) / 2
                    if there < far_of.get(other, inf):
                        far_of[other], before[other] = there, square
                        cost_of[other] = cost_of[square] + size * (dear[square] + dear[other]) / 2
                        heappush(heap, (there, other))

    def _entry(self, at: Point) -> tuple[float, Square]:
        """The square by which the way from a place goes best, and how far it is that way."""
        x, y = square_of(at)
        near = [(x + dx, y + dy) for dx, dy, _ in ((0, 0, 0.0), *AROUND)]
        return min((self._far.get(one, inf) + span(at, centre(one)) / INCH, one) for one in near)

    def far(self, at: Point) -> float:
        """How far it seems from a place to the objectives, in inches."""
        found = self._seems.get(at)
        if found is None:
            found = self._seems[at] = 0.0 if self._inside(at) else self._entry(at)[0]
        return found

    def cost(self, at: Point) -> float:
        """What the way costs, in inches of clear ground."""
        if self._inside(at):
            return 0.0
        _, square = self._entry(at)
        return self._cost.get(square, inf) + span(at, centre(square)) / INCH

    def way(self, at: Point) -> Path:
        """The way from a place to the objectives; only its start if there is none."""
        if self._inside(at):
            return (at,)
        far, square = self._entry(at)
        if far == inf:
            return (at,)
        squares = [square]
        while squares[-1] in self._next:
            squares.append(self._next[squares[-1]])
        path = [at, *(centre(one) for one in squares)]
        bends = [two for (one, two), (_, three) in pairwise(pairwise(path)) if _turns(one, two, three)]
        return (at, *bends, path[-1])


def _turns(one: Point, two: Point, three: Point) -> bool:
    return (two[0] - one[0]) * (three[1] - two[1]) != (two[1] - one[1]) * (three[0] - two[0])


def centre(square: Square) -> Point:
    return square[0] * STEP + STEP // 2, square[1] * STEP + STEP // 2


def square_of(at: Point) -> Square:
    return at[0] // STEP, at[1] // STEP
