"""The toy game in full: secrets, dice, interrupts of the other side, every kind of request, several steps a turn."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Literal

import msgspec

from sandtable.kernel.decisions import Allocate, Option, PickOne, PickPlaces, PickRoute, PickSeveral, Placing, Refusal, Route
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import SIDES, Battle, Ended, Event, Result, other
from sandtable.kernel.game import Card, Chance, Game, Leg, Reach, Ring, Setup, Sight
from sandtable.kernel.messages import Message, say
from sandtable.kernel.procedures import Facts, FrozenMap, Outcome, Procedures
from sandtable.kernel.scene import Figure, Ground, Group, Mark, Scene
from sandtable.kernel.table import Step, Table
from sandtable.kernel.traces import Modifier, Score

INCH = 1000
WIDTH, HEIGHT = 24 * INCH, 24 * INCH
PHASES = ("plans", "move", "fire", "shell", "end")

# -- procedures ---------------------------------------------------------------------------------------------------

procedures = Procedures()


class ShotFacts(Facts, frozen=True, kw_only=True):
    range: Literal["short", "long"]
    cover: bool = False
    dice: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.dice <= 20:
            raise ValueError("dice: from 0 to 20")


class ShotOutcome(Outcome, frozen=True, kw_only=True):
    needed: int
    hits: int
    harm: Literal["none", "shaken", "gone"]
    rolls: tuple[int, ...]


@procedures.add("shot", "TOY-HIT-01", "TOY-HIT-02")
def shot(facts: ShotFacts, dice: Dice) -> ShotOutcome:
    score = Score.of(GAME.charts["to_hit"].value(facts.range), "range", "TOY-HIT-01")
    score = score.plus_if(facts.cover, "cover", 1, "TOY-HIT-02")
    mark = dice.mark()
    hits = dice.count(facts.dice, "hit", at_least=score, rule="TOY-HIT-01")
    harm: Any = ("none", "shaken", "gone")[min(hits, 2)]
    return ShotOutcome(needed=score.needed, hits=hits, harm=harm, rolls=dice.since(mark))


class NoFacts(Facts, frozen=True, kw_only=True):
    pass


class AmmunitionOutcome(Outcome, frozen=True, kw_only=True):
    boxes: int


@procedures.add("ammunition", "TOY-PLAN-02")
def ammunition(facts: NoFacts, dice: Dice) -> AmmunitionOutcome:
    return AmmunitionOutcome(boxes=dice.roll(6, "ammunition", rule="TOY-PLAN-02"))


# -- the battle and its events ------------------------------------------------------------------------------------


class Piece(msgspec.Struct, frozen=True):
    id: str
    side: str
    x: int
    y: int
    hits: int = 0


class ToyBattle(Battle, frozen=True, kw_only=True):
    pieces: tuple[Piece, ...]
    turns: int
    turn: int = 0
    phase: str = "plans"
    active: str = "a"
    shown: FrozenMap = FrozenMap()

    def piece(self, id: str) -> Piece:
        return next(piece for piece in self.pieces if piece.id == id)

    def of(self, side: str) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.side == side)


def _changed(battle: ToyBattle, id: str, **changes: Any) -> ToyBattle:
    pieces = tuple(msgspec.structs.replace(piece, **changes) if piece.id == id else piece for piece in battle.pieces)
    return msgspec.structs.replace(battle, pieces=pieces)


class Planned(Event, frozen=True):
    side: str
    plan: str
    boxes: int = 0

    def apply(self, battle: ToyBattle) -> ToyBattle:
        return msgspec.structs.replace(battle, secrets=FrozenMap({**battle.secrets, self.side: (self.plan, self.boxes)}))


class PlanWritten(Event, frozen=True):
    side: str

    def apply(self, battle: ToyBattle) -> ToyBattle:
        return battle


class PlanShown(Event, frozen=True):
    reveals = True
    side: str
    plan: str
    boxes: int

    def apply(self, battle: ToyBattle) -> ToyBattle:
        return msgspec.structs.replace(battle, shown=FrozenMap({**battle.shown, self.side: self.plan}))


class Moved(Event, frozen=True):
    piece: str
    x: int
    y: int

    def apply(self, battle: ToyBattle) -> ToyBattle:
        return _changed(battle, self.piece, x=self.x, y=self.y)


class Shot(Event, frozen=True):
    shooter: str
    target: str
    hits: int

    def apply(self, battle: ToyBattle) -> ToyBattle:
        hits = battle.piece(self.target).hits + self.hits
        if hits < 2:
            return _changed(battle, self.target, hits=hits)
        return msgspec.structs.replace(battle, pieces=tuple(piece for piece in battle.pieces if piece.id != self.target))


class PhaseBegan(Event, frozen=True):
    turn: int
    phase: str
    active: str

    def apply(self, battle: ToyBattle) -> ToyBattle:
        return msgspec.structs.replace(battle, turn=self.turn, phase=self.phase, active=self.active)


# -- steps --------------------------------------------------------------------------------------------------------


def _apart(one: Any, two: Any) -> float:
    return math.hypot(one.x - two.x, one.y - two.y) / INCH


def _shoot(table: Table[ToyBattle], shooter: str, target: str) -> None:
    one, two = table.battle.piece(shooter), table.battle.piece(target)
    cover = two.y < 4 * INCH or two.y > HEIGHT - 4 * INCH
    outcome = shot(ShotFacts(range="short" if _apart(one, two) <= 8 else "long", cover=cover), table.dice(one.side))
    table.emit(Shot(shooter, target, outcome.hits))


def plans(table: Table[ToyBattle]) -> None:
    side = table.battle.active
    options = tuple(Option(plan, say(f"plan.{plan}")) for plan in ("attack", "hold"))
    plan = table.ask(PickOne(player=side, decision="TOY-PLAN-01", prompt=say("ask.plan"), options=options))
    boxes = ammunition(NoFacts(), table.dice(side)).boxes if plan == "hold" else 0
    table.emit(Planned(side, plan, boxes), only=side)
    table.emit(PlanWritten(side))
    table.emit(PhaseBegan(0, "plans", "b") if side == "a" else PhaseBegan(1, "move", "a"))


def move(table: Table[ToyBattle]) -> None:
    side = table.battle.active
    for piece in table.battle.of(side):
        if not any(found.id == piece.id for found in table.battle.pieces):
            continue

        def check(route: Route, piece: Piece = piece) -> None:
            length, x, y = 0.0, piece.x, piece.y
            for to_x, to_y in route.path:
                length, x, y = length + math.hypot(to_x - x, to_y - y) / INCH, to_x, to_y
                if not (0 <= x <= WIDTH and 0 <= y <= HEIGHT):
                    raise RefusedError("TOY-MOVE-02", "refused.off_table")
            if length > 6.001:
                raise RefusedError("TOY-MOVE-01", "refused.too_far", inches=length, most=6)

        ask = PickRoute(
            player=side, decision="TOY-MOVE-01", prompt=say("ask.move", piece=piece.id), unit=piece.id, reach=6 * INCH, default={}
        )
        route = table.ask(ask, check)
        if route.path:
            table.emit(Moved(piece.id, *route.path[-1]))
        for enemy in table.battle.of(other(side)):
            if _apart(enemy, table.battle.piece(piece.id)) > 12:
                continue
            options = (Option("shoot", say("option.shoot"), units=(enemy.id,)), Option("wait", say("option.wait")))
            watch = PickOne(
                player=enemy.side, decision="TOY-WATCH-01", prompt=say("ask.watch"), unit=enemy.id, options=options, default="wait"
            )
            if table.ask(watch) == "shoot":
                _shoot(table, enemy.id, piece.id)
                break
    table.emit(PhaseBegan(table.battle.turn, "fire", side))


def fire(table: Table[ToyBattle]) -> None:
    side = table.battle.active
    mine, theirs = table.battle.of(side), table.battle.of(other(side))
    if mine and theirs:
        too_far = Refusal("TOY-FIRE-01", say("refused.too_far", inches=99, most=20))
        options = tuple(
            Option(piece.id, say("word.squad"), None if min(_apart(piece, enemy) for enemy in theirs) <= 20 else too_far) for piece in mine
        )
        chosen = table.ask(PickSeveral(player=side, decision="TOY-FIRE-01", prompt=say("ask.shooters"), options=options, default=[]))
        if chosen:
            receivers = tuple(Option(enemy.id, say("word.squad"), units=(enemy.id,)) for enemy in theirs)
            ask = Allocate(player=side, decision="TOY-FIRE-01", prompt=say("ask.targets"), things=chosen, receivers=receivers)
            for target, shooters in sorted(table.ask(ask).items()):
                for shooter in shooters:
                    if any(piece.id == target for piece in table.battle.pieces):
                        _shoot(table, shooter, target)
    table.emit(PhaseBegan(table.battle.turn, "shell", side))


def shell(table: Table[ToyBattle]) -> None:
    side = table.battle.active

    def check(places: dict[str, Placing]) -> None:
        for place in places.values():
            if not (0 <= place.x <= WIDTH and 0 <= place.y <= HEIGHT):
                raise RefusedError("TOY-SHELL-01", "refused.off_table")
            if any(_apart(place, piece) < 6 for piece in table.battle.of(side)):
                raise RefusedError("TOY-SHELL-01", "refused.too_near")

    ask = PickPlaces(player=side, decision="TOY-SHELL-01", prompt=say("ask.shell"), pieces=("shell",), optional=True, default={})
    for place in table.ask(ask, check).values():
        for piece in table.battle.pieces:
            if _apart(place, piece) <= 2:
                hits = 2 if table.dice(side).test("shell", at_least=5, rule="TOY-SHELL-01") else 0
                table.emit(Shot("shell", piece.id, hits))
    turn = table.battle.turn
    if side == "a":
        table.emit(PhaseBegan(turn, "move", "b"))
    elif turn < table.battle.turns and all(table.battle.of(side) for side in SIDES):
        table.emit(PhaseBegan(turn + 1, "move", "a"))
    else:
        table.emit(PhaseBegan(turn, "end", "a"))


def end(table: Table[ToyBattle]) -> None:
    for side in SIDES:
        plan, boxes = table.battle.secrets[side]
        table.emit(PlanShown(side, plan, boxes))
    left = {side: (len(table.battle.of(side)), table.battle.shown[side] == "attack") for side in SIDES}
    winner = None if left["a"] == left["b"] else max(SIDES, key=lambda side: left[side])
    table.emit(Ended(Result(winner, say("reason.pieces_left", a=left["a"][0], b=left["b"][0]), "TOY-END-01")))


STEPS: dict[str, Step] = {"plans": plans, "move": move, "fire": fire, "shell": shell, "end": end}


# -- the game -----------------------------------------------------------------------------------------------------


class Toy(Game):
    id = "toy"
    package = "sandtable.games.toy"
    procedures = procedures
    event_types = (Planned, PlanWritten, PlanShown, Moved, Shot, PhaseBegan)

    def problems(self, kind: str, data: dict[str, Any]) -> list[str]:
        found = []
        wanted = (
            {"id": str, "name": str, "pieces": int} if kind == "force" else {"id": str, "name": str, "turns": int, "a": object, "b": object}
        )
        for field, type in wanted.items():
            if field not in data:
                found.append(f"{field}: missing")
            elif not isinstance(data[field], type) or isinstance(data[field], bool):
                found.append(f"{field}: should be {type.__name__}, is {data[field]!r}")
        found += [f"{field}: unknown; known: {', '.join(wanted)}" for field in data if field not in wanted]
        if not found:
            size, most = ("pieces", 5) if kind == "force" else ("turns", 9)
            if not 1 <= data[size] <= most:
                found.append(f"{size}: from 1 to {most}, not {data[size]}")
        if kind == "scenario":
            for side in SIDES:
                given = data.get(side)
                if isinstance(given, dict):
                    found += [f"{side}.{problem}" for problem in self.problems("force", given)]
                elif side in data and given not in self.names("forces"):
                    found.append(f"{side}: no force {given!r}; there are: {', '.join(self.names('forces'))}")
        return found

    def complete(self, scenario: dict[str, Any]) -> dict[str, Any]:
        forces = {side: self.data("forces", scenario[side]) if isinstance(scenario[side], str) else scenario[side] for side in SIDES}
        return {**scenario, **forces}

    def new_battle(self, setup: Setup) -> ToyBattle:
        pieces = []
        for side, y in (("a", 2), ("b", 16)):
            for number in range(setup.scenario[side]["pieces"]):
                pieces.append(Piece(f"{side}{number + 1}", side, (8 + 4 * number) * INCH, y * INCH))
        return ToyBattle(pieces=tuple(pieces), turns=setup.scenario["turns"])

    def next_step(self, battle: Any) -> tuple[str, Step] | None:
        return None if battle.result is not None else (battle.phase, STEPS[battle.phase])

    def scene(self, battle: Any) -> Scene:
        figures = tuple(
            Figure(
                id=piece.id,
                side=piece.side,
                name=Message("word.squad"),
                group=f"group_{piece.side}",
                x=piece.x,
                y=piece.y,
                facing=0 if piece.side == "a" else 180,
                width=INCH,
                depth=INCH,
                symbol="infantry",
                letter="i",
                states=("shaken",) if piece.hits else (),
            )
            for piece in battle.pieces
        )
        wood = Ground("wood", "wood", "area", ((2000, 9000), (8000, 9000), (8000, 15000), (2000, 15000)), say("ground.wood"), letter="^")
        road = Ground("road", "road", "road", ((12000, 0), (12000, 24000)), say("ground.road"), width=1000, letter="=")
        bridge = Mark(
            "bridge", "objective", ((11500, 11500), (12500, 11500), (12500, 12500), (11500, 12500)), say("mark.bridge"), letter="O"
        )
        groups = tuple(Group(f"group_{side}", side, say(f"group.{side}")) for side in SIDES)
        phases = tuple(say(f"phase.{phase}") for phase in PHASES)
        phase = say(f"phase.{battle.phase}")
        return Scene("in", WIDTH, HEIGHT, battle.turn, phase, battle.active, (wood, road), figures, (bridge,), groups, (), phases)

    def advice(self, battle: Any, request: Any) -> dict[str, Message]:
        return {"shoot": say("advice.shoot", chance="1/3")} if request.decision == "TOY-WATCH-01" else {}

    def odds_card(self, battle: Any, request: Any, option: str) -> Card | None:
        if request.decision != "TOY-WATCH-01" or option != "shoot":
            return None
        from sandtable.odds import distribution

        found = distribution(shot, ShotFacts(range="long"), fields=["hits"])
        odds = tuple(Chance(say("word.hit", hits=outcome[0]), str(p)) for outcome, p in found.items())
        return Card(say("advice.shoot", chance="1/3"), odds, ((Modifier("range", 5, "TOY-HIT-01"),),))

    def reach(self, battle: Any, request: Any, route: Route) -> Reach | None:
        piece = battle.piece(request.unit)
        points = [(piece.x, piece.y), *route.path]
        length, furthest, most = 0.0, points[0], 6 * INCH
        for (x, y), (to_x, to_y) in pairwise(points):
            leg = math.hypot(to_x - x, to_y - y)
            share = 1.0 if leg == 0 else max(0.0, min(1.0, (most - length) / leg))
            furthest = (round(x + (to_x - x) * share), round(y + (to_y - y) * share)) if share > 0 else furthest
            length += leg
        refusal = Refusal("TOY-MOVE-01", say("refused.too_far", inches=length / INCH, most=6)) if length > most + 1 else None
        legs = (Leg(say("ground.open"), round(length), round(length)),)
        return Reach(round(length), round(length), most, legs, furthest, refusal)

    def may_do(self, battle: Any, request: Any, piece: str) -> tuple[Option, ...]:
        mine = request is not None and request.unit == piece
        not_now = Refusal("TOY-MOVE-01", say("refused.not_its_turn"))
        return (Option("move", say("option.move"), None if mine else not_now), Option("shoot", say("option.shoot"), not_now))

    def sight_between(self, battle: Any, a: Any, b: Any) -> Sight | None:
        one, two = ((battle.piece(spot).x, battle.piece(spot).y) if isinstance(spot, str) else spot for spot in (a, b))
        blocked = min(one[0], two[0]) < 9000 and min(one[1], two[1]) < 15000 and max(one[1], two[1]) > 9000
        return Sight(not blocked, round(math.dist(one, two)), (one, two), say("ground.wood") if blocked else None, rule="TOY-HIT-02")

    def rings(self, battle: Any, piece: str) -> tuple[Ring, ...]:
        found = battle.piece(piece)
        facing = 0 if found.side == "a" else 180
        short = Ring("range", piece, (found.x, found.y), 8 * INCH, say("ring.short"), facing=facing, arc=180, rule="TOY-HIT-01")
        return (short, Ring("range", piece, (found.x, found.y), 20 * INCH, say("ring.long"), 8 * INCH, rule="TOY-HIT-01"))

    def broken_invariants(self, battle: Any) -> list[str]:
        ids = [piece.id for piece in battle.pieces]
        found = ["a piece is there twice"] if len(set(ids)) != len(ids) else []
        return found + [f"{piece.id} is off the table" for piece in battle.pieces if not (0 <= piece.x <= WIDTH and 0 <= piece.y <= HEIGHT)]


GAME = Toy()
