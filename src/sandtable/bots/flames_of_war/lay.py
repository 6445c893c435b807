"""The lay of the land for the bot: how long the way to a place is for each kind of mobility, and where there is cover.

A field is a map of inches squares with the number of turns from each to a goal, found once and kept: to move sensibly is then to go
down the field. Wrecks and teams are not in it; the rules' own check of a route sees to those.
"""

from __future__ import annotations

import heapq
from functools import lru_cache

from sandtable.field.shapes import Point, contains, distance
from sandtable.field.terrain import Ground, Piece
from sandtable.games.flames_of_war.going import chart_reach, going_of
from sandtable.games.flames_of_war.lie import conceals

CELL = 1000
FAR = 1e9
HALF_WIDTH = 800
"""How near the middle of a vehicle may come to what it must not touch."""
WALL = 3.0
"""Turns that a square costs where a team may not go: out of a wall there is a way, but nobody goes in."""
SURE_FOOTED = ("infantry", "cavalry", "man_packed_gun")
BOG_RISK = {"difficult": 1.6, "very_difficult": 8.0}
"""How much dearer a vehicle's way is where it may bog."""
Pieces = tuple[Piece, ...]


class _Field:
    """Turns to one goal; it grows outwards from the goal as far as somebody asks."""

    def __init__(self, lay: Lay, end: int, steps: list[float]) -> None:
        self.columns, self.size, self.steps = lay.columns, lay.columns * lay.rows, steps
        self.done: dict[int, float] = {}
        self.best: dict[int, float] = {end: 0.0}
        self.queue: list[tuple[float, int]] = [(0.0, end)]
        self._next: dict[int, int] = {}

    def next(self, square: int) -> int:
        """The neighbour of a square that is nearest to the goal; itself at the goal. The square must have been asked for with `at`."""
        found = self._next.get(square)
        if found is None:
            done, columns = self.done, self.columns
            found, price = square, done[square]
            row, column = divmod(square, columns)
            for down in (-1, 0, 1):
                for right in (-1, 0, 1):
                    there = square + down * columns + right
                    cost = done.get(there, FAR)
                    if cost < price and row + down >= 0 and 0 <= column + right < columns:
                        found, price = there, cost
            self._next[square] = found
        return found

    def at(self, square: int) -> float:
        done = self.done
        if square in done:
            return done[square]
        best, queue, steps, columns, size = self.best, self.queue, self.steps, self.columns, self.size
        around = [(-1, 1.0), (1, 1.0), (-columns, 1.0), (columns, 1.0)]
        around += [(-columns - 1, 1.4142), (-columns + 1, 1.4142), (columns - 1, 1.4142), (columns + 1, 1.4142)]
        while queue:
            cost, here = heapq.heappop(queue)
            if here in done:
                continue
            done[here] = cost
            column = here % columns
            for step, length in around:
                there = here + step
                if there in done or not 0 <= there < size or abs(there % columns - column) > 1:
                    continue
                total = cost + steps[there] * length
                if total < best.get(there, FAR):
                    best[there] = total
                    heapq.heappush(queue, (total, there))
            if here == square:
                return cost
        return FAR


class Lay:
    """The squares of a table."""

    def __init__(self, pieces: Pieces, width: int, height: int) -> None:
        self.columns, self.rows = width // CELL + 1, height // CELL + 1
        self.pieces = pieces
        size = self.columns * self.rows
        self.cover = bytearray(size)
        self.foot: list[bool] = [True] * size
        self.going: list[str] = ["cross_country"] * size
        self._fields: dict[tuple[str, bool, int], _Field] = {}
        self._prices: dict[str, list[float]] = {}
        self._paint()

    def index(self, x: float, y: float) -> int:
        columns, rows = self.columns, self.rows
        column, row = int(x) // CELL, int(y) // CELL
        column = 0 if column < 0 else column if column < columns else columns - 1
        row = 0 if row < 0 else row if row < rows else rows - 1
        return row * columns + column

    def centre(self, index: int) -> Point:
        row, column = divmod(index, self.columns)
        return column * CELL + CELL // 2, row * CELL + CELL // 2

    def covered(self, x: float, y: float) -> bool:
        """Whether a place lies in concealing terrain."""
        return bool(self.cover[self.index(x, y)])

    def _squares(self, piece: Piece, grow: int) -> list[int]:
        left, low, right, high = piece.box
        found = []
        for row in range(max(0, int(low - grow) // CELL), min(self.rows, int(high + grow) // CELL + 1)):
            for column in range(max(0, int(left - grow) // CELL), min(self.columns, int(right + grow) // CELL + 1)):
                point = (column * CELL + CELL // 2, row * CELL + CELL // 2)
                if contains(piece.outline, point) or (grow and distance((point,), piece.outline) < grow):
                    found.append(row * self.columns + column)
        return found

    def _paint(self) -> None:
        hard = [piece for piece in self.pieces if piece.kind != "road" and piece.form != "hill" and piece.kind != "open"]
        for rank in ("difficult", "very_difficult"):
            for piece in hard:
                going = "very_difficult" if piece.form == "building" else going_of(piece.kind)
                if going == rank:
                    for square in self._squares(piece, HALF_WIDTH):
                        self.going[square] = "building" if piece.form == "building" else going
        for piece in self.pieces:
            if piece.kind == "road":
                for square in self._squares(piece, 0):
                    if self.going[square] in ("cross_country", "difficult"):
                        self.going[square] = "road"
            elif piece.form == "building":
                for square in self._squares(piece, HALF_WIDTH):
                    self.foot[square] = False
            elif piece.form == "area" and conceals(piece.kind):
                for square in self._squares(piece, 0):
                    self.cover[square] = 1
            elif piece.form == "line" and conceals(piece.kind):
                for square in self._squares(piece, HALF_WIDTH):
                    self.cover[square] = 1

    # -- fields -------------------------------------------------------------------------------------------------------

    def _field(self, goal: Point, mobility: str) -> _Field:
        end = self.index(*goal)
        key = ("foot" if mobility in SURE_FOOTED else mobility, mobility == "cavalry", end)
        found = self._fields.get(key)
        if found is None:
            if len(self._fields) > 400:
                self._fields.clear()
            found = self._fields[key] = _Field(self, end, self._steps(mobility))
        return found

    def _steps(self, mobility: str) -> list[float]:
        """Turns to cross each square."""
        kept = self._prices.get(mobility)
        if kept is None:
            if mobility in SURE_FOOTED:
                usual = CELL / chart_reach(mobility, "road")
                kept = [usual if free else WALL for free in self.foot]
            else:
                price = {"building": WALL}
                for going in ("road", "cross_country", "difficult", "very_difficult"):
                    reach = chart_reach(mobility, going)
                    price[going] = BOG_RISK.get(going, 1.0) * CELL / reach if reach else WALL
                kept = [price[going] for going in self.going]
            self._prices[mobility] = kept
        return kept

    def turns(self, goal: Point, mobility: str, place: Point) -> float:
        """How many turns a team needs from a place to a goal, about."""
        return self._field(goal, mobility).at(self.index(*place))

    def way(self, goal: Point, mobility: str, start: Point, far: float) -> list[Point]:
        """The way down the field from a place, not much longer than `far`: the middles of its squares."""
        here = self.index(*start)
        flood = self._field(goal, mobility)
        if flood.at(here) >= FAR:
            return []
        way: list[Point] = []
        walked = 0.0
        point = start
        while (best := flood.next(here)) != here:
            here = best
            spot = self.centre(here)
            walked += ((spot[0] - point[0]) ** 2 + (spot[1] - point[1]) ** 2) ** 0.5
            if walked > far + CELL:
                break
            way.append(spot)
            point = spot
        return way


@lru_cache(maxsize=16)
def _lay(pieces: Pieces, width: int, height: int) -> Lay:
    return Lay(pieces, width, height)


def lay_of(ground: Ground) -> Lay:
    """The lay of a table; tables that differ only in wrecks share it."""
    kept = vars(ground)
    found: Lay | None = kept.get("_bot_lay")
    if found is None:
        pieces = tuple(piece for piece in ground.pieces if piece.kind != "wreck")
        found = kept["_bot_lay"] = _lay(pieces, ground.width, ground.height)
    return found
