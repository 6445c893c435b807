"""HTTP before a match: games, scenarios, texts, new matches, my matches, saves."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from litestar import Router, get, post
from litestar.datastructures import CacheControlHeader
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from sandtable.kernel.errors import DataError, InputError, SandtableError
from sandtable.kernel.events import SIDES
from sandtable.kernel.game import Game, RuleText, find_games, load_game
from sandtable.kernel.messages import LANGUAGES, load_catalogue
from sandtable.kernel.saves import read_save, verify
from sandtable.kernel.scene import Scene
from sandtable.lab.bots import find_bots
from sandtable.server.matches import Created, Matches, SeatWanted
from sandtable.server.problems import ApiError, responses
from sandtable.server.protocol import SeatInfo
from sandtable.server.seats import PUBLIC, find_seat

log = logging.getLogger(__name__)

Side = Literal["a", "b"]
Name = Annotated[str, msgspec.Meta(max_length=64)]
Token = Annotated[str, msgspec.Meta(max_length=128)]

AN_HOUR = CacheControlHeader(max_age=3600, private=True)


class ScenarioInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A scenario in a list. Names are ids of texts where the game has texts for them."""

    id: str
    name: str
    about: str = ""
    turns: int | None = None
    forces: dict[str, str] = {}
    """Side -> name of its force."""


class ScenarioCard(ScenarioInfo, frozen=True, kw_only=True):
    """A scenario with a picture of its beginning."""

    scene: Scene
    names: dict[str, str] = {}


class BotInfo(msgspec.Struct, frozen=True):
    id: str
    best: bool


class GameInfo(msgspec.Struct, frozen=True):
    id: str
    name: str
    """The id of its name in the texts."""
    unit: str
    scenarios: tuple[ScenarioInfo, ...]
    bots: tuple[BotInfo, ...]


class Home(msgspec.Struct, frozen=True):
    """Everything that the first page shows, in one answer."""

    games: tuple[GameInfo, ...]
    cards: dict[str, tuple[ScenarioCard, ...]]
    """Game -> its scenarios, each with a picture of its beginning."""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be begun: a scenario of the game by its name, or one of the player's own as TOML text."""

    game: Name
    scenario: Name = ""
    own: Annotated[str, msgspec.Meta(max_length=200_000)] = ""
    a: SeatWanted = SeatWanted()
    b: SeatWanted = SeatWanted()
    typed: tuple[Side, ...] = ()
    """The sides whose players roll real dice and type them in."""


class ImportMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A save, to be played on or looked at."""

    save: str
    a: SeatWanted = SeatWanted()
    b: SeatWanted = SeatWanted()


class Imported(Created, frozen=True, kw_only=True):
    verified: bool
    """Whether the events follow from the inputs under this version of the rules."""
    difference: str = ""


class OwnScenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    own: Annotated[str, msgspec.Meta(max_length=200_000)]


class Tokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: Annotated[tuple[Token, ...], msgspec.Meta(max_length=200)]


class MatchInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a match stands."""

    match: str
    game: str
    title: str
    views: tuple[str, ...]
    """What the tokens hold of it: sides, or `public`."""
    seats: tuple[SeatInfo, ...]
    created: int
    changed: int
    turn: int
    waiting: str = ""
    """The side that has to decide; empty when it is over."""


# -- games --------------------------------------------------------------------------------------------------------


def game_or_404(id: str) -> Game:
    try:
        return load_game(id)
    except InputError as problem:
        raise ApiError(404, "not_found", str(problem)) from None


def scenario_or_404(game: Game, name: str) -> dict[str, Any]:
    try:
        return game.data("scenarios", name)
    except InputError as problem:
        raise ApiError(404, "not_found", str(problem)) from None


def read_own(text: str) -> dict[str, Any]:
    """A scenario that somebody wrote himself."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as problem:
        raise DataError([f"the scenario is not TOML: {problem}"]) from None


def described(game: Game, data: dict[str, Any]) -> ScenarioInfo:
    """A scenario in words, as far as its plain data says something about itself."""
    forces = {side: name for side in SIDES if (name := _force(game, data.get(side)))}
    turns = data.get("turns")
    return ScenarioInfo(
        id=str(data.get("id", "")),
        name=str(data.get("name") or data.get("id") or ""),
        about=str(data.get("about", "")),
        turns=turns if isinstance(turns, int) else None,
        forces=forces,
    )


def _force(game: Game, given: Any) -> str:
    if isinstance(given, dict):
        return _force(game, given["force"]) if given.get("force") else str(given.get("name", ""))
    if isinstance(given, str):
        return str(game.data("forces", given).get("name", given)) if given in game.names("forces") else given
    return ""


def info_of(game: Game) -> GameInfo:
    bots = find_bots(game)
    best = next(iter(sorted(bots, key=lambda name: (name != "bot", name))), "")
    scenarios = tuple(described(game, {"id": name, **game.data("scenarios", name)}) for name in game.names("scenarios"))
    return GameInfo(game.id, f"game.{game.id}", game.unit, scenarios, tuple(BotInfo(bot, bot == best) for bot in sorted(bots)))


@get("/games", cache_control=AN_HOUR, responses=responses(), sync_to_thread=True)
def games() -> list[GameInfo]:
    """The games, with their scenarios and bots."""
    return list(everything().games)


@get("/home", cache_control=AN_HOUR, responses=responses(), sync_to_thread=True)
def home() -> Home:
    """The games with their scenarios as cards: what the first page shows, in one answer."""
    return everything()


@cache
def everything() -> Home:
    """Made once: what is on the disk when the server starts is what it offers."""
    found: list[GameInfo] = []
    cards: dict[str, tuple[ScenarioCard, ...]] = {}
    for id in sorted(find_games()):
        try:
            game = load_game(id)
            found.append(info_of(game))
            cards[id] = tuple(_cards(game))
        except Exception:  # a game of somebody else's that is broken: the others are there
            log.exception("game %s cannot be used", id)
    return Home(tuple(found), cards)


def _cards(game: Game) -> Iterator[ScenarioCard]:
    for name in game.names("scenarios"):
        try:
            yield _card(game, {"id": name, **game.data("scenarios", name)})
        except SandtableError:  # it says itself what is wrong when somebody asks for it
            log.exception("scenario %s of %s has no card", name, game.id)


@get("/games/{game:str}/scenarios/{scenario:str}", cache_control=AN_HOUR, responses=responses(404, 422), sync_to_thread=True)
def scenario(game: FromPath[str], scenario: FromPath[str]) -> ScenarioCard:
    """A scenario with a scene of its beginning, for a card with a drawn map."""
    found = game_or_404(game)
    return _card(found, {"id": scenario, **scenario_or_404(found, scenario)})


@post("/games/{game:str}/own", status_code=200, responses=responses(400, 404, 413, 422), sync_to_thread=True)
def own_scenario(game: FromPath[str], data: JSONBody[OwnScenario]) -> ScenarioCard:
    """Check a scenario of the player's own (TOML text): the same card, or everything that is wrong with it."""
    return _card(game_or_404(game), read_own(data.own))


def _card(game: Game, data: dict[str, Any]) -> ScenarioCard:
    setup = game.setup(data)
    battle = game.new_battle(setup).seen_by(None)
    info = described(game, data)
    return ScenarioCard(**msgspec.structs.asdict(info), scene=game.scene(battle), names=game.shown_names(battle))


@get("/games/{game:str}/texts/{language:str}", cache_control=AN_HOUR, responses=responses(404), sync_to_thread=True)
def texts(game: FromPath[str], language: FromPath[str]) -> dict[str, str]:
    """All texts of a game in a language (English where one is missing): message id -> sentence with {arguments}."""
    if language not in LANGUAGES:
        raise ApiError(404, "not_found", f"there is no language {language!r}; there are: {', '.join(LANGUAGES)}")
    catalogue = load_catalogue("sandtable.kernel", "sandtable.server", game_or_404(game).package)
    return {id: entry.get(language) or entry.get("en") or id for id, entry in catalogue.texts.items()}


@get("/games/{game:str}/rules", cache_control=AN_HOUR, responses=responses(404), sync_to_thread=True)
def rules(game: FromPath[str]) -> list[RuleText]:
    """Every rule of a game in our words, in the order of the book."""
    try:
        return list(game_or_404(game).rules.values())
    except FileNotFoundError:
        return []


# -- matches ------------------------------------------------------------------------------------------------------


def wanted_seats(game: Game, a: SeatWanted, b: SeatWanted, typed: tuple[str, ...] = ()) -> dict[str, SeatWanted]:
    wanted = {"a": a, "b": b}
    bots = find_bots(game)
    for side, seat in wanted.items():
        if seat.bot and seat.bot not in bots:
            raise InputError(f"{game.id} has no bot {seat.bot!r}; it has: {', '.join(sorted(bots))}")
        if seat.bot and side in typed:
            raise InputError(f"side {side} is a bot's: the program rolls its dice")
        if len(seat.name) > 64:
            raise InputError(f"the name of side {side} is too long; at most 64 letters")
    return wanted


@post("/matches", status_code=201, responses=responses(400, 404, 413, 422))
async def new_match(data: JSONBody[NewMatch], matches: NamedDependency[Matches]) -> Created:
    """Begin a match. The tokens of its seats are shown this once: they are the invitations."""
    game = game_or_404(data.game)
    if bool(data.scenario) == bool(data.own):
        raise InputError("name a scenario of the game, or send one of your own: one of the two")
    if len(set(data.typed)) != len(data.typed):
        raise InputError("typed: each side once")
    scenario = read_own(data.own) if data.own else scenario_or_404(game, data.scenario)
    wanted = wanted_seats(game, data.a, data.b, data.typed)
    setup = await matches.workers.apart(lambda: game.setup(scenario, tuple(sorted(data.typed))))
    return await matches.create(game, setup, wanted, described(game, scenario).name)


@post("/matches/mine", status_code=200, responses=responses(400, 413), sync_to_thread=True)
def my_matches(data: JSONBody[Tokens], matches: NamedDependency[Matches]) -> list[MatchInfo]:
    """How the matches stand in which somebody holds seats. Tokens that hold none are passed over."""
    held: dict[str, list[str]] = {}
    for token in dict.fromkeys(data.tokens):
        seat = find_seat(matches.storage, token)
        if seat is not None:
            held.setdefault(seat.match, []).append(seat.view)
    return match_infos(matches, held)


def match_infos(matches: Matches, held: dict[str, list[str]]) -> list[MatchInfo]:
    return [
        MatchInfo(
            stands.match.id,
            stands.match.game,
            stands.match.title,
            tuple(sorted(set(held[stands.match.id]))),
            tuple(SeatInfo(seat.side, seat.kind, seat.name, seat.bot) for seat in stands.seats if seat.side != PUBLIC),
            stands.match.created,
            stands.changed,
            stands.turn,
            stands.waiting,
        )
        for stands in matches.storage.standing(list(held))
    ]


@post("/matches/import", status_code=201, responses=responses(400, 413, 422), request_max_body_size=80 * 1024 * 1024)
async def import_match(data: JSONBody[ImportMatch], matches: NamedDependency[Matches]) -> Imported:
    """Take over a save as a new match, to be played on or looked at."""
    text = data.save.encode("utf-8", "replace")
    if len(text) > matches.settings.save_bytes:
        raise ApiError(413, "too_large", f"a save of more than {matches.settings.save_bytes} bytes is not taken")
    try:
        save = await matches.workers.apart(lambda: read_save(text))
    except SandtableError as problem:
        raise problem if isinstance(problem, DataError) else DataError([str(problem)]) from None
    setup = save.head.setup
    wanted = wanted_seats(save.game, data.a, data.b, setup.typed)
    difference = await matches.workers.apart(lambda: verify(save))
    created = await matches.adopt(save, text, wanted, described(save.game, setup.scenario).name)
    return Imported(created.match, created.tokens, verified=difference is None, difference=difference or "")


LOBBY = Router(
    "/api",
    route_handlers=[games, home, scenario, own_scenario, texts, rules, new_match, my_matches, import_match],
    tags=["lobby"],
)
