"""The laws that every game obeys, whoever wrote it: `sandtable laws GAME` and our own tests put any game to them.

A law is a function of a game and one of its scenarios that tells what is wrong. Whole games are played by bots, so that a law sees what
players would bring about; the laws know a game only through `kernel.game.Game`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from sandtable.kernel.errors import DataError, RefusedError
from sandtable.kernel.events import SIDES, other
from sandtable.kernel.game import Game
from sandtable.kernel.match import Match
from sandtable.kernel.messages import LANGUAGES
from sandtable.kernel.saves import open_match, read_save, save_match, verify
from sandtable.lab.bots import default_bot, make_bot

RUBBISH: tuple[Any, ...] = (None, 1, "", "nonsense", [], ["x", "x"], {}, {"path": [[10**9, 0]]}, {"path": "x"}, [[]], True, {"a": ["b"]})
"""What no question can have wanted."""


def play(game: Game, scenario: str, seed: str, bot: str = "random", watch: Any = None) -> Match:
    """A whole game between bots."""
    sources = {side: make_bot(game, bot, side, number) for number, side in enumerate(SIDES)}
    match = Match(game, game.setup(game.data("scenarios", scenario)), seed, sources=sources, watch=watch)
    match.run()
    return match


def log(match: Match) -> bytes:
    """All that happened, to compare matches by."""
    return b"\n".join(msgspec.json.encode(record) for record in match.records)


def saved(match: Match) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match"
        save_match(match, path)
        return path.read_bytes()


class OneByOne:
    """Plays a match through `submit` alone, as people do, saving and loading it now and then."""

    def __init__(self, game: Game, scenario: str, seed: str, every: int | None = None) -> None:
        self.bots = {side: make_bot(game, "random", side, number) for number, side in enumerate(SIDES)}
        self.match = Match(game, game.setup(game.data("scenarios", scenario)), seed)
        self.match.run()
        self.every = every

    def moves(self) -> Iterator[Match]:
        while not self.match.over:
            request, pending = self.match.request, self.match.pending
            if request is None or pending is None:
                return  # it neither ends nor asks: the law about whole games tells that
            answer = self.bots[request.player].answer(self.match.view(request.player).battle, request, pending.check)
            self.match.submit(request.player, self.match.number, answer)
            yield self.match
            if self.every is not None and self.match.number % self.every == 0:
                self.match = open_match(read_save(saved(self.match)))


# -- the laws -----------------------------------------------------------------------------------------------------


def data_is_in_order(game: Game, scenario: str) -> Iterator[str]:
    """The scenario, every force and every chart of the game pass their checks."""
    yield from game.problems("scenario", game.data("scenarios", scenario))
    for force in game.names("forces"):
        yield from (f"force {force}: {problem}" for problem in game.problems("force", game.data("forces", force)))
    for chart in game.charts.values():
        if not chart.records:
            yield f"chart {chart.name} is empty"


def games_end(game: Game, scenario: str) -> Iterator[str]:
    """Whole games come to a result, and no invariant is ever broken."""
    for bot in sorted({"random", default_bot(game)}):
        broken: list[str] = []
        match = play(game, scenario, "whole", bot, lambda battle, _, broken=broken: broken.extend(game.broken_invariants(battle)))
        yield from (f"{bot}: {what}" for what in broken[:5])
        if not match.over:
            yield f"{bot}: the game stopped without a result"


def games_verify(game: Game, scenario: str) -> Iterator[str]:
    """A save verifies, and one that lacks a step does not."""
    data = saved(play(game, scenario, "verify"))
    found = verify(read_save(data))
    if found is not None:
        yield f"an honest save does not verify: {found}"
    lines = data.split(b"\n")
    step = max((n for n, line in enumerate(lines) if line.startswith(b'{"step"')), key=lambda n: len(lines[n]))
    if verify(read_save(b"\n".join([*lines[:step], *lines[step + 1 :]]))) is None:
        yield "a save that lacks a finished step verifies all the same"


def seeds_decide(game: Game, scenario: str) -> Iterator[str]:
    """The same seed gives the same log in another process, which orders its sets otherwise."""
    code = (
        "import sys; from sandtable.kernel.game import load_game; from sandtable.lab.laws import digest; "
        "print(digest(load_game(sys.argv[1]), sys.argv[2]))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    command = [sys.executable, "-c", code, game.id, scenario]
    elsewhere = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if elsewhere.stdout.strip() != digest(game, scenario):
        yield f"another process went otherwise {elsewhere.stderr.strip()[-200:]}".strip()


def digest(game: Game, scenario: str) -> str:
    """The hash of the log of a seeded game between the best bots."""
    return hashlib.sha256(log(play(game, scenario, "again", default_bot(game)))).hexdigest()


def cut_saves_open(game: Game, scenario: str) -> Iterator[str]:
    """A save cut at any byte opens with what is whole in it, or is refused in words if not even its head is."""
    match = play(game, scenario, "cut")
    data = saved(match)
    head = data.index(b"\n")
    random = Random(1)
    for at in [0, 1, head - 1, head, head + 1, *(random.randrange(head, len(data)) for _ in range(25))]:
        try:
            save = read_save(data[:at])
        except DataError:
            if at >= head:
                yield f"cut at byte {at} of {len(data)} it does not open"
            continue
        again = open_match(save)
        if again.records != match.records[: len(again.records)]:
            yield f"cut at byte {at} of {len(data)} it opens as another match"


def stopping_changes_nothing(game: Game, scenario: str) -> Iterator[str]:
    """A match played by answers one by one, saved and loaded on the way, is the one that bots play straight through."""
    straight = play(game, scenario, "stop and go")
    stopped = OneByOne(game, scenario, "stop and go", every=7)
    for match in stopped.moves():
        if match.records != straight.records[: len(match.records)]:
            yield f"after answer {match.number} it went otherwise"
            return
    if log(stopped.match) != log(straight):
        yield "it ended otherwise"


def wrong_answers_change_nothing(game: Game, scenario: str) -> Iterator[str]:
    """Stale and foreign answers and nonsense are refused, and nothing has changed."""
    random = Random(2)
    for number, match in enumerate(OneByOne(game, scenario, "wrong").moves()):
        request = match.request
        if match.over or request is None or number > 60:
            return
        before = (match.number, len(match.records), match.battle)
        for player, at in ((other(request.player), match.number), (request.player, match.number + 1), (request.player, match.number - 1)):
            if not _refused(match, player, at, request.default):
                yield f"{request.decision}: an answer of {player} to question {at} was taken at question {before[0]} of {request.player}"
                return
        answer = random.choice(RUBBISH)
        try:
            request.read(answer)
        except RefusedError:
            if not _refused(match, request.player, match.number, answer):
                yield f"{request.decision}: {answer!r} was taken"
                return
        if (match.number, len(match.records), match.battle) != before:
            yield f"{request.decision}: a refused answer has changed the match"


def _refused(match: Match, player: str, number: int, answer: Any) -> bool:
    try:
        match.submit(player, number, answer)
    except RefusedError:
        return True
    return False


def undo_goes_back(game: Game, scenario: str) -> Iterator[str]:
    """An answer taken back and given again leads to where the match was."""
    undone = 0
    for number, match in enumerate(OneByOne(game, scenario, "undo").moves()):
        if match.over or number > 80:
            break
        last = match.answers[-1]
        if match.may_undo(match.number - 1, last.player):
            state, records = match.battle, len(match.records)
            match.undo(match.number - 1, last.player)
            match.submit(last.player, match.number, last.answer)
            if (match.battle, len(match.records)) != (state, records):
                yield f"answer {match.number - 1}, taken back and given again, led elsewhere"
            undone += 1
    if not undone:
        yield "nothing could ever be taken back"


def secrets_are_kept(game: Game, scenario: str) -> Iterator[str]:
    """What one side alone knows is in no view of the other or the public; a record or question for one side reaches only it."""
    found: list[str] = []

    def look(battle: Any, records: Any) -> None:
        for viewer in (*SIDES, None):
            if not set(battle.seen_by(viewer).secrets) <= {viewer}:
                found.append(f"the view of {viewer or 'the public'} has secrets of the other side")
        found.extend(
            f"{type(record.event).__name__}: a record for {record.only} is shown to another side"
            for record in records
            if record.only is not None and (record.seen_by(other(record.only)) or record.seen_by(None))
        )

    play(game, scenario, "secrets", default_bot(game), look)
    yield from dict.fromkeys(found)
    for number, match in enumerate(OneByOne(game, scenario, "secrets").moves()):
        if match.request is None or number > 200:
            return
        for viewer in (other(match.request.player), None):
            view = match.view(viewer)
            if view.request is not None or any(record.only not in (None, viewer) for record in view.records):
                yield f"{match.request.decision}: the view of {viewer or 'the public'} has the question or the records of the other side"
                return


def words_are_there(game: Game, scenario: str) -> Iterator[str]:
    """All that a game says has a text in every language."""
    match = play(game, scenario, "words", default_bot(game))
    for id in sorted({record.event.says().id for record in match.records}):
        entry = game.texts.texts.get(id, {})
        yield from (f"{id} has no text in {language}" for language in LANGUAGES if not entry.get(language))


Law = Callable[[Game, str], Iterator[str]]

LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        data_is_in_order,
        games_end,
        games_verify,
        seeds_decide,
        cut_saves_open,
        stopping_changes_nothing,
        wrong_answers_change_nothing,
        undo_goes_back,
        secrets_are_kept,
        words_are_there,
    )
}


def broken_laws(game: Game, scenario: str) -> Iterator[tuple[str, list[str]]]:
    """Every law, and what is wrong. A game that trips over itself breaks the law that it was put to, not the rest."""
    for name, law in LAWS.items():
        problems = []
        try:
            for problem in law(game, scenario):
                problems.append(problem)
        except Exception as problem:
            problems.append(f"{type(problem).__name__}: {problem}")
        yield name, problems
