"""What a game provides. The kernel, the command line, the bots and the web know a game only through this."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Union

import msgspec

from sandtable.kernel.charts import Charts
from sandtable.kernel.decisions import Option, Placing, Refusal, Request, Route
from sandtable.kernel.errors import DataError, InputError
from sandtable.kernel.events import SIDES, Battle, Ended, Event, Record
from sandtable.kernel.messages import Catalogue, Message, load_catalogue
from sandtable.kernel.preparing import reader
from sandtable.kernel.procedures import FrozenMap, Procedures
from sandtable.kernel.scene import Outline, Scene
from sandtable.kernel.table import Step
from sandtable.kernel.traces import Modifier, TraceEntry


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a battle starts from. It travels inside the save, so that a save needs no other file."""

    game: str
    scenario: dict[str, Any]
    """The whole scenario as plain data, forces included."""
    typed: tuple[str, ...] = ()
    """The sides whose players roll real dice and type them in."""


class RuleText(msgspec.Struct, frozen=True):
    """A rule of the game, in our own words."""

    id: str
    text: str
    section: str = ""


class Tally(msgspec.Struct, frozen=True):
    """How a battle stands, counted: the turn, and the pieces that each side still has."""

    turn: int
    pieces: dict[str, frozenset[str]]


Spot = str | tuple[int, int]
"""A piece by its id, or a point (grid units)."""


class Chance(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of an odds card: what may come of it, and how likely that is, exactly (`5/36`)."""

    outcome: Message
    p: str


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player should know about one option before he takes it."""

    summary: Message
    odds: tuple[Chance, ...] = ()
    scores: tuple[tuple[Modifier, ...], ...] = ()
    """Where each score needed comes from: what it begins with, then its modifiers."""
    notes: tuple[Message, ...] = ()
    """Whatever else it is reckoned with: a line for each weapon, who else lies under the template."""


class Leg(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stretch of a route over one kind of ground: its length, and what it costs (grid units)."""

    ground: Message
    length: int
    cost: int


class Reach(msgspec.Struct, frozen=True, omit_defaults=True):
    """A route, measured and checked but not taken."""

    length: int
    cost: int
    allowed: int | None = None
    """How much the piece may spend."""
    legs: tuple[Leg, ...] = ()
    furthest: tuple[int, int] | None = None
    """The last point of the route that the rules allow."""
    refusal: Refusal | None = None
    watchers: tuple[str, ...] = ()
    """The enemy pieces that could interrupt it."""
    notes: tuple[Message, ...] = ()
    """Whatever else the player should see: bogging checks to come, command distance lost."""


class Sight(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether one place sees another, how far it is, and what is in the way."""

    clear: bool
    distance: int
    line: tuple[tuple[int, int], ...] = ()
    """The line that was found clear, or the one that shows what blocks."""
    blocker: Message | None = None
    at: tuple[int, int] | None = None
    """Where it is blocked."""
    rule: str = ""
    notes: tuple[Message, ...] = ()


class Laid(msgspec.Struct, frozen=True, omit_defaults=True):
    """The templates that an option would lay on the table, true to size, and the pieces that would lie under them."""

    shapes: tuple[Outline, ...]
    under: tuple[str, ...] = ()


class Ring(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a piece shoots, commands or sees, to be drawn around it: a full ring, or the part of one within an arc."""

    kind: str
    """What it is, for the colour: range, arc, command, ... The words are in `label`."""
    piece: str
    centre: tuple[int, int]
    radius: int
    """Grid units, from `around` if that is given, else from `centre`."""
    label: Message
    inner: int = 0
    """Where the band begins: a weapon's least range, or the end of the band before."""
    around: Outline = ()
    """The outline that it is measured from, where that is not the centre."""
    facing: int | None = None
    arc: int | None = None
    """Degrees, half of them to each side of `facing`; left out all around."""
    rule: str = ""


class Game:
    """A game: its data, its procedures, its battles. Subclasses fill in what is theirs."""

    id: str
    package: str
    unit: str = "in"
    procedures: Procedures
    event_types: tuple[type[Event], ...] = ()
    covered: bool = False
    """Whether every rule of the inventory has code and a test: from then on CI sees to it that it stays so."""

    @cached_property
    def charts(self) -> Charts:
        return Charts(self.package)

    @cached_property
    def texts(self) -> Catalogue:
        return load_catalogue("sandtable.kernel", self.package)

    @cached_property
    def rules(self) -> dict[str, RuleText]:
        """The rule inventory, in the order of the book: `rules.toml`, one table a section, one line a rule."""
        found: dict[str, RuleText] = {}
        for section, lines in tomllib.loads((files(self.package) / "rules.toml").read_text("utf-8")).items():
            for id, text in lines.items():
                found[id] = RuleText(id, text, section)
        return found

    @cached_property
    def _record(self) -> msgspec.json.Decoder[Any]:
        events: Any = Union.__getitem__((*self.event_types, Ended))
        fields: list[Any] = [("event", events), ("trace", tuple[TraceEntry, ...], ()), ("only", str | None, None)]
        return reader(msgspec.defstruct("ReadRecord", fields, forbid_unknown_fields=True), dec_hook=_read_map)

    def read_record(self, text: bytes | msgspec.Raw) -> Record:
        """A record of this game's events, back from a save."""
        found = self._record.decode(text)
        return Record(found.event, found.trace, found.only)

    # -- data -----------------------------------------------------------------------------------------------------

    def names(self, folder: str) -> list[str]:
        """The names of the data files in a folder of the game: `forces` or `scenarios`."""
        place = files(self.package) / folder
        if not place.is_dir():
            return []
        return sorted(entry.name.removesuffix(".toml") for entry in place.iterdir() if entry.name.endswith(".toml"))

    def data(self, folder: str, name: str) -> dict[str, Any]:
        """A data file of the game as plain data."""
        if name not in self.names(folder):
            raise InputError(f"{self.id} has no {folder.removesuffix('s')} {name!r}; it has: {', '.join(self.names(folder))}")
        return tomllib.loads((files(self.package) / folder / f"{name}.toml").read_text("utf-8"))

    def setup(self, scenario: dict[str, Any], typed: tuple[str, ...] = ()) -> Setup:
        """A setup from a scenario file: the forces it names are put in, everything is checked."""
        problems = self.problems("scenario", scenario)
        if problems:
            raise DataError(problems)
        return Setup(self.id, self.complete(scenario), typed)

    def problems(self, kind: str, data: dict[str, Any]) -> list[str]:
        """Everything that is wrong with a force or a scenario, each with its place and what would be right."""
        raise NotImplementedError

    def complete(self, scenario: dict[str, Any]) -> dict[str, Any]:
        """The scenario with its forces inside."""
        raise NotImplementedError

    # -- play -----------------------------------------------------------------------------------------------------

    def new_battle(self, setup: Setup) -> Battle:
        raise NotImplementedError

    def next_step(self, battle: Any) -> tuple[str, Step] | None:
        """The step that comes next, by name, or None when the battle is over."""
        raise NotImplementedError

    def shown_names(self, battle: Any) -> dict[str, str]:
        """What a reader calls the pieces, groups and sides of a battle: id -> name."""
        return {}

    def scene(self, battle: Any) -> Scene:
        """What the battle (as some side may see it) looks like."""
        raise NotImplementedError

    # -- planning: answers to a player who looks before he decides. All optional; `battle` is what he may know. ------

    def advice(self, battle: Any, request: Request) -> dict[str, Message]:
        """A line about each option of the question that deserves one: the odds in short, what it would cost."""
        return {}

    def odds_card(self, battle: Any, request: Request, option: str) -> Card | None:
        """Everything about one option: the exact odds, and where the score needed comes from."""
        return None

    def reach(self, battle: Any, request: Request, route: Route) -> Reach | None:
        """A route for the piece of the question, measured and checked without taking it."""
        return None

    def may_do(self, battle: Any, request: Request | None, piece: str) -> tuple[Option, ...]:
        """What a piece may do now, and with a refusal what it may not do and why."""
        return ()

    def lies_under(self, battle: Any, request: Request, places: dict[str, Placing]) -> tuple[str, ...]:
        """The pieces under templates laid at some places."""
        return ()

    def laid(self, battle: Any, request: Request, option: str) -> Laid | None:
        """The templates of shells, bombs or smoke that one option of the question would lay."""
        return None

    def sight_between(self, battle: Any, a: Spot, b: Spot) -> Sight | None:
        """Whether a piece or point sees another."""
        return None

    def rings(self, battle: Any, piece: str) -> tuple[Ring, ...]:
        """How far a piece shoots, in which arcs, and how far it commands, the innermost ring first."""
        return ()

    # -- checking and counting ------------------------------------------------------------------------------------

    def broken_invariants(self, battle: Any) -> list[str]:
        """What may never be true of a battle and is: for tests and the laboratory."""
        return []

    def tally(self, battle: Any) -> Tally:
        """How the battle stands, counted, for the laboratory. Games whose wrecks stay on the table count for themselves."""
        scene = self.scene(battle)
        return Tally(scene.turn, {side: frozenset(figure.id for figure in scene.figures if figure.side == side) for side in SIDES})


def _read_map(wanted: type, found: Any) -> Any:
    if wanted is FrozenMap:
        return FrozenMap(found)
    raise NotImplementedError(f"events hold no {wanted.__name__}")


def find_games() -> Iterator[str]:
    """The ids of the games that are there: every package in `sandtable.games` with a module `game`.

    Games of other people may stand in folders of their own, named in the environment variable SANDTABLE_GAMES.
    """
    package = importlib.import_module("sandtable.games")
    for folder in os.environ.get("SANDTABLE_GAMES", "").split(os.pathsep):
        if folder and folder not in package.__path__:
            package.__path__.append(folder)
    for found in pkgutil.iter_modules(package.__path__):
        spec = importlib.util.find_spec(f"sandtable.games.{found.name}") if found.ispkg else None
        if spec is not None and any((Path(place) / "game.py").is_file() for place in spec.submodule_search_locations or ()):
            yield found.name


@cache
def load_game(id: str) -> Game:
    """A game by its id."""
    known = sorted(find_games())
    if id not in known:
        raise InputError(f"there is no game {id!r}; there are: {', '.join(known)}")
    return importlib.import_module(f"sandtable.games.{id}.game").GAME  # type: ignore[no-any-return]
