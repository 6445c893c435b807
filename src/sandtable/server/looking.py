"""HTTP during a match, for those who hold a token of it: planning, the log, replays, the save."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from litestar import Request as HttpRequest
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, JSONBody, QueryParameter

from sandtable.kernel.decisions import Option, Placing, Refusal, Request, Route, refusal_of
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Battle
from sandtable.kernel.game import Card, Game, Laid, Reach, Ring, Sight, Spot
from sandtable.kernel.messages import Message
from sandtable.kernel.scene import Figure, Scene
from sandtable.kernel.table import read_answer
from sandtable.server.deltas import difference
from sandtable.server.live import read_stored
from sandtable.server.lobby import MatchInfo, Tokens, match_infos
from sandtable.server.matches import Matches
from sandtable.server.problems import ApiError, responses
from sandtable.server.protocol import Entry, SceneChange, entry_of
from sandtable.server.seats import PUBLIC, Seat, find_seat, side_of

ViewWanted = Literal["a", "b", "public", "all"]
PieceId = Annotated[str, msgspec.Meta(max_length=128)]


class Advice(msgspec.Struct, frozen=True):
    """What the game says about the options of the pending question."""

    number: int
    options: dict[str, Message]


class TryAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer that the player thinks about."""

    number: int
    answer: Any


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the rules would take an answer; nothing has been done."""

    legal: bool
    refusal: Refusal | None = None


class TryRoute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    route: Route


class TryPlaces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    places: Annotated[dict[PieceId, Placing], msgspec.Meta(max_length=500)]


class LookFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two ends of a line: pieces by their ids, or points."""

    # no limit on the length of the ids here: msgspec 0.22 crashes on a limited string beside a pair
    a: str | tuple[int, int]
    b: str | tuple[int, int]


class Looked(msgspec.Struct, frozen=True, omit_defaults=True):
    distance: int
    """Grid units, between the two places."""
    sight: Sight | None = None
    """What the game's rules say; left out if it has nothing to say."""


class Near(msgspec.Struct, frozen=True, omit_defaults=True):
    """An enemy near a piece or group: from which of its pieces it is how far, as the rules measure, and whether that one sees it."""

    piece: str
    source: str
    distance: int
    sight: Sight | None = None


class LogPart(msgspec.Struct, frozen=True):
    """Entries of the log from number `at` on, of `length` that there are."""

    at: int
    length: int
    log: tuple[Entry, ...]


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """One moment of a replay: what happened, and what changed on the table by it."""

    entry: Entry
    scene: SceneChange | None = None


class Replay(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stretch of a replay: the scene before entry `at`, and what followed."""

    at: int
    length: int
    scene: Scene
    frames: tuple[Frame, ...]
    names: dict[str, str] = {}
    over: bool = False


class Asking(NamedTuple):
    """What a player is looking at when he asks."""

    game: Game
    battle: Battle
    request: Request | None
    check: Any
    given: int


# -- who asks -----------------------------------------------------------------------------------------------------


def token_of(request: HttpRequest[Any, Any, Any]) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def provide_seat(request: HttpRequest[Any, Any, Any], matches: NamedDependency[Matches]) -> Seat:
    seat = find_seat(matches.storage, token_of(request))
    if seat is None:
        raise ApiError(401, "no_seat", "this needs the token of a seat: Authorization: Bearer TOKEN")
    return seat


async def asking(seat: Seat, matches: Matches) -> Asking:
    live = await matches.live(seat.match)
    async with live.lock:
        pending, request = live.match.pending, live.request_for(seat.side)
        check = None if request is None or pending is None else pending.check
        given = 0 if seat.side is None else live.given[seat.side]
        return Asking(live.game, live.battle_for(seat.side), request, check, given)


async def asked(seat: Seat, matches: Matches, number: int | None) -> tuple[Asking, Request]:
    """The question that the seat has to answer; 409 if there is none or it is another one."""
    found = await asking(seat, matches)
    if found.request is None:
        raise ApiError(409, "nothing_asked", "this seat is asked nothing now")
    if number is not None and number != found.given:
        raise ApiError(409, "stale", f"this seat is asked question {found.given} now, not {number}")
    return found, found.request


# -- planning -----------------------------------------------------------------------------------------------------


@get("/advice", responses=responses(409, 401))
async def advice(seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> Advice:
    """What the game says about each option of the pending question."""
    found, request = await asked(seat, matches, None)
    return Advice(found.given, await matches.workers.apart(lambda: found.game.advice(found.battle, request)))


@get("/odds", responses=responses(400, 404, 409, 401))
async def odds(
    seat: NamedDependency[Seat], matches: NamedDependency[Matches], option: Annotated[str, QueryParameter(max_length=128)]
) -> Card:
    """The exact odds of one option of the pending question, and where its score comes from."""
    found, request = await asked(seat, matches, None)
    card = await matches.workers.apart(lambda: found.game.odds_card(found.battle, request, option))
    if card is None:
        raise ApiError(404, "not_found", "the game has no odds card for this option")
    return card


@post("/try", status_code=200, responses=responses(400, 409, 401, 413))
async def try_answer(data: JSONBody[TryAnswer], seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> Verdict:
    """Whether the rules would take an answer to the pending question, and if not, why. Nothing is done."""
    found, request = await asked(seat, matches, data.number)
    return await matches.workers.apart(lambda: _verdict(request, found.check, data.answer))


def _verdict(request: Request, check: Any, answer: Any) -> Verdict:
    try:
        read_answer(request, check, answer)
    except RefusedError as problem:
        return Verdict(False, refusal_of(problem))
    return Verdict(True)


@post("/reach", status_code=200, responses=responses(400, 409, 401, 413))
async def reach(data: JSONBody[TryRoute], seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> Reach:
    """A route for the piece of the pending question: measured, costed and checked, not taken."""
    found, request = await asked(seat, matches, data.number)

    def measure() -> Reach:
        refusal = _verdict(request, found.check, msgspec.to_builtins(data.route)).refusal  # the question's own check has the last word
        told = found.game.reach(found.battle, request, data.route)
        if told is not None:
            return msgspec.structs.replace(told, refusal=refusal and (told.refusal or refusal))
        start = next((one for one in found.game.scene(found.battle).figures if one.id == request.unit), None)
        points = [*([(start.x, start.y)] if start is not None else []), *data.route.path]
        length = round(sum(math.dist(one, two) for one, two in pairwise(points)))
        return Reach(length, length, getattr(request, "reach", None), refusal=refusal)

    return await matches.workers.apart(measure)


@post("/under", status_code=200, responses=responses(400, 409, 401, 413))
async def under(data: JSONBody[TryPlaces], seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> tuple[str, ...]:
    """The pieces that would lie under templates laid at some places."""
    found, request = await asked(seat, matches, data.number)
    return await matches.workers.apart(lambda: found.game.lies_under(found.battle, request, data.places))


@get("/laid", responses=responses(400, 404, 409, 401))
async def laid(
    seat: NamedDependency[Seat], matches: NamedDependency[Matches], option: Annotated[str, QueryParameter(max_length=128)]
) -> Laid:
    """The templates that one option of the pending question would lay on the table, and who would lie under them."""
    found, request = await asked(seat, matches, None)
    told = await matches.workers.apart(lambda: found.game.laid(found.battle, request, option))
    if told is None:
        raise ApiError(404, "not_found", "this option lays no template")
    return told


@get("/pieces", responses=responses(400, 401))
async def may_do(
    seat: NamedDependency[Seat], matches: NamedDependency[Matches], piece: Annotated[str, QueryParameter(max_length=128)]
) -> tuple[Option, ...]:
    """What a piece may do now, and for everything that it may not do, why."""
    found = await asking(seat, matches)

    def look() -> tuple[Option, ...]:
        told = found.game.may_do(found.battle, found.request, piece)
        if told or found.request is None:
            return told
        return tuple(option for option in getattr(found.request, "options", ()) if piece in option.units or option.id == piece)

    return await matches.workers.apart(look)


@get("/rings", responses=responses(400, 401))
async def rings(
    seat: NamedDependency[Seat], matches: NamedDependency[Matches], piece: Annotated[str, QueryParameter(max_length=128)]
) -> tuple[Ring, ...]:
    """How far a piece shoots, in which arcs, and how far it commands; nothing for what is not on the table."""
    found = await asking(seat, matches)

    def look() -> tuple[Ring, ...]:
        if all(figure.id != piece for figure in found.game.scene(found.battle).figures):
            return ()
        return found.game.rings(found.battle, piece)

    return await matches.workers.apart(look)


@post("/sight", status_code=200, responses=responses(400, 404, 401, 413))
async def sight(data: JSONBody[LookFrom], seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> Looked:
    """A ruler and a line of sight between two pieces or points, as far as this seat may know the table."""
    found = await asking(seat, matches)

    def look() -> Looked:
        figures = {figure.id: (figure.x, figure.y) for figure in found.game.scene(found.battle).figures}
        ends: list[tuple[int, int]] = []
        for spot in (data.a, data.b):
            place = figures.get(spot) if isinstance(spot, str) else spot
            if place is None or max(abs(place[0]), abs(place[1])) > 10**6:
                raise ApiError(404, "not_found", f"there is no piece or place {str(spot)[:80]!r} on the table")
            ends.append(place)
        spots: tuple[Spot, Spot] = (data.a, data.b)
        told = found.game.sight_between(found.battle, *spots)
        return Looked(told.distance if told is not None else round(math.dist(*ends)), told)

    return await matches.workers.apart(look)


@get("/near", responses=responses(400, 401))
async def near(
    seat: NamedDependency[Seat], matches: NamedDependency[Matches], piece: Annotated[str, QueryParameter(max_length=128)]
) -> tuple[Near, ...]:
    """The enemies nearest to a piece, or to any piece of a group, the nearest first; nothing for what is not on the table."""
    found = await asking(seat, matches)

    def look() -> tuple[Near, ...]:
        figures = [figure for figure in found.game.scene(found.battle).figures if not figure.carried_by]
        own = [figure for figure in figures if piece in (figure.id, figure.group)]
        pairs = [(_least(one, two), one, two) for one in own for two in figures if two.side and two.side != one.side]
        told: dict[str, Near] = {}
        for least, one, two in sorted(pairs, key=lambda pair: pair[0]):
            if len(told) >= NEAREST and least > sorted(enemy.distance for enemy in told.values())[NEAREST - 1]:
                break  # whoever comes now is further than those that were measured
            seen = found.game.sight_between(found.battle, one.id, two.id)
            gap = seen.distance if seen is not None else round(math.dist((one.x, one.y), (two.x, two.y)))
            if two.id not in told or gap < told[two.id].distance:
                told[two.id] = Near(two.id, one.id, gap, seen)
        return tuple(sorted(told.values(), key=lambda enemy: enemy.distance)[:NEAREST])

    return await matches.workers.apart(look)


NEAREST = 3


def _least(one: Figure, two: Figure) -> int:
    """Two pieces are at least so far from each other, however their bases are turned."""
    apart = math.dist((one.x, one.y), (two.x, two.y))
    return max(0, math.floor(apart - math.hypot(one.width, one.depth) / 2 - math.hypot(two.width, two.depth) / 2))


# -- the past -----------------------------------------------------------------------------------------------------

From = Annotated[int, QueryParameter(name="from", ge=0, le=10**9)]
Count = Annotated[int, QueryParameter(ge=1, le=1000)]


@get("/", responses=responses(401))
async def info(seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> MatchInfo:
    """How the match stands."""
    return (await matches.workers.apart(lambda: match_infos(matches, {seat.match: [seat.view]})))[0]


@get("/log", responses=responses(400, 401))
async def log_part(seat: NamedDependency[Seat], matches: NamedDependency[Matches], at: From = 0, count: Count = 200) -> LogPart:
    """Part of the log, as this seat may know it."""
    live = await matches.live(seat.match)
    async with live.lock:

        def read() -> LogPart:
            match = live.match if at >= live.before[seat.view] else matches.whole(live)
            begin = live.before[seat.view] if match is live.match else 0
            seen = [record for record in match.log if record.seen_by(seat.side)]
            part = seen[max(0, at - begin) : max(0, at - begin) + count]
            return LogPart(at, begin + len(seen), tuple(entry_of(record) for record in part))

        return await matches.workers.apart(read)


@get("/replay", responses=responses(400, 409, 401))
async def replay(
    seat: NamedDependency[Seat], matches: NamedDependency[Matches], view: FromQuery[ViewWanted] = "public", at: From = 0, count: Count = 200
) -> Replay:
    """Part of a replay: a scene, and entry by entry what changed. Other views than one's own are open after the end."""
    live = await matches.live(seat.match)
    async with live.lock:
        if not live.match.over and view not in (seat.view, PUBLIC):
            raise ApiError(409, "sealed", "the other side's view, and everything revealed, can be seen after the end")

        def read() -> Replay:
            match = matches.whole(live)
            side = None if view == "all" else side_of(view)

            def shown(battle: Any) -> Any:
                return battle if view == "all" else battle.seen_by(side)

            battle: Any = match.game.new_battle(match.setup)
            scene: Scene | None = match.game.scene(shown(battle)) if at == 0 else None
            first, number = scene, 0
            frames: list[Frame] = []
            for record in match.log:
                battle = record.event.apply(battle)
                if view != "all" and not record.seen_by(side):
                    continue
                number += 1
                if number == at:
                    scene = first = match.game.scene(shown(battle))
                elif scene is not None and len(frames) < count:
                    after = match.game.scene(shown(battle))
                    frames.append(Frame(entry_of(record), difference(scene, after)))
                    scene = after
            if first is None:
                raise ApiError(400, "bad_request", f"from: the match has {number} entries")
            return Replay(at, number, first, tuple(frames), match.game.shown_names(shown(battle)), match.over)

        return await matches.workers.apart(read)


@post("/save", status_code=200, responses=responses(400, 409, 401, 413), media_type="application/x-ndjson")
async def save(data: JSONBody[Tokens], seat: NamedDependency[Seat], matches: NamedDependency[Matches]) -> Response[bytes]:
    """The match as a save file. It holds everything, so before the end it needs the tokens of all players."""

    def collect() -> bytes:
        stored, seats, lines, _ = matches.storage.read(seat.match)
        people = {one.side for one in seats if one.kind == "person"}
        held = [find_seat(matches.storage, token) for token in data.tokens] + [seat]
        given = {one.view for one in held if one is not None and one.match == seat.match}
        if not people <= given and not _ended(read_stored(stored, lines)):
            raise ApiError(409, "sealed", "before the end a save holds secrets: it needs the tokens of all players")
        return b"".join([stored.head, b"\n", *lines])

    text = await matches.workers.apart(collect)
    headers = {"Content-Disposition": f'attachment; filename="{seat.match}.sandtable-save"'}
    return Response(text, media_type="application/x-ndjson", headers=headers)


def _ended(saved: Any) -> bool:
    battle = saved.game.new_battle(saved.head.setup)
    for record in saved:
        battle = record.event.apply(battle)
    return battle.result is not None


MATCH = Router(
    "/api/match",
    route_handlers=[info, advice, odds, try_answer, reach, under, laid, may_do, rings, sight, near, log_part, replay, save],
    dependencies={"seat": Provide(provide_seat, sync_to_thread=True)},
    security=[{"seat": []}],
    tags=["match"],
)
