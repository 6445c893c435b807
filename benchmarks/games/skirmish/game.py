"""Skirmish: the sides move a piece in turn. Each move is asked for, checked against every other piece, and rolled for."""

from __future__ import annotations

import math
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import PickRoute, Route
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Battle, Event, other
from sandtable.kernel.game import Game, Setup
from sandtable.kernel.messages import Message, say
from sandtable.kernel.procedures import Procedures
from sandtable.kernel.scene import Figure, Ground, Scene
from sandtable.kernel.table import Step, Table
from sandtable.kernel.traces import Score

INCH = 1000
WIDTH, HEIGHT = 72 * INCH, 48 * INCH
MUD = (24 * INCH, 16 * INCH, 48 * INCH, 32 * INCH)


class Skirmish(Battle, frozen=True, kw_only=True):
    pieces: tuple[Figure, ...]
    """Those of side a, then those of side b, `each` of them. A piece is what is drawn of it, nothing more."""
    each: int
    active: str = "a"
    turn: int = 1
    next: int = 0

    @property
    def moving(self) -> int:
        """The place of the piece whose move it is."""
        return self.next if self.active == "a" else self.each + self.next


class Moved(Event, frozen=True):
    """A piece moved (or stuck where it was), and it is the other side's turn."""

    piece: str
    x: int
    y: int
    facing: int
    stuck: bool = False

    def apply(self, battle: Skirmish) -> Skirmish:
        pieces, at = battle.pieces, battle.moving
        done = battle.active == "b"
        nxt = (battle.next + 1) % battle.each if done else battle.next
        return Skirmish(
            pieces=(*pieces[:at], replace(pieces[at], x=self.x, y=self.y, facing=self.facing), *pieces[at + 1 :]),
            each=battle.each,
            active=other(battle.active),
            turn=battle.turn + (done and nxt == 0),
            next=nxt,
        )

    def units(self) -> tuple[str, ...]:
        return (self.piece,)


def muddy(x: int, y: int) -> bool:
    left, bottom, right, top = MUD
    return left <= x <= right and bottom <= y <= top


def _apart(piece: Figure, x: int, y: int) -> float:
    return math.hypot(piece.x - x, piece.y - y)


def move(table: Table[Skirmish]) -> None:
    battle = table.battle
    piece = battle.pieces[battle.moving]

    def check(route: Route) -> None:
        length, x, y = 0.0, piece.x, piece.y
        for to_x, to_y in route.path:
            length, x, y = length + math.hypot(to_x - x, to_y - y), to_x, to_y
            if not (0 <= x <= WIDTH and 0 <= y <= HEIGHT):
                raise RefusedError("SKI-MOVE-01", "refused.off_table")
        if length > 6 * INCH + 1:
            raise RefusedError("SKI-MOVE-01", "refused.too_far", inches=length / INCH, most=6)
        left, right, bottom, top = x - 500, x + 500, y - 500, y + 500
        for found in battle.pieces:
            if left < found.x < right and bottom < found.y < top and found is not piece and _apart(found, x, y) < 500:
                raise RefusedError("SKI-MOVE-02", "refused.too_near", piece=found.id)

    ask = PickRoute(
        player=piece.side, decision="SKI-MOVE-01", prompt=say("ask.move", piece=piece.id), unit=piece.id, reach=6 * INCH, default={}
    )
    route = table.ask(ask, check)
    x, y = route.path[-1] if route.path else (piece.x, piece.y)
    needed = GAME.charts["going"].value("mud" if muddy(piece.x, piece.y) or muddy(x, y) else "open")
    stuck = not table.dice(piece.side).test("going", at_least=Score.of(needed, "ground", "SKI-MOVE-03"), rule="SKI-MOVE-03")
    facing = piece.facing if route.facing is None else route.facing
    table.emit(Moved(piece.id, *((piece.x, piece.y) if stuck else (x, y)), facing, stuck))


def figure(id: str, side: str, x: int, y: int) -> Figure:
    return Figure(
        id=id,
        side=side,
        name=Message("word.squad"),
        group=f"group_{side}",
        x=x,
        y=y,
        facing=0,
        width=INCH,
        depth=INCH,
        symbol="infantry",
        letter="i",
    )


GROUND = (Ground("mud", "mud", "area", ((24000, 16000), (48000, 16000), (48000, 32000), (24000, 32000)), say("ground.mud"), letter="~"),)
PHASE = say("phase.move")


class SkirmishGame(Game):
    id = "skirmish"
    package = "sandtable.games.skirmish"
    procedures = Procedures()
    event_types = (Moved,)

    def problems(self, kind: str, data: dict[str, Any]) -> list[str]:
        pieces = data.get("pieces")
        return [] if isinstance(pieces, int) and 1 <= pieces <= 60 else ["pieces: from 1 to 60"]

    def complete(self, scenario: dict[str, Any]) -> dict[str, Any]:
        return scenario

    def new_battle(self, setup: Setup) -> Skirmish:
        each = setup.scenario["pieces"]
        pieces = [
            figure(f"{side}{number + 1}", side, (6 + 2 * (number % 30)) * INCH, (y + 2 * (number // 30)) * INCH)
            for side, y in (("a", 4), ("b", 40))
            for number in range(each)
        ]
        return Skirmish(pieces=tuple(pieces), each=each)

    def next_step(self, battle: Any) -> tuple[str, Step] | None:
        return "move", move

    def scene(self, battle: Any) -> Scene:
        return Scene("in", WIDTH, HEIGHT, battle.turn, PHASE, battle.active, GROUND, battle.pieces)


GAME = SkirmishGame()
