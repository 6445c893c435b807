"""The laws that every game obeys: whole games end, verify, reproduce, keep their secrets, can be saved and undone anywhere.

A third party that adds a game can run these too: the game only has to be found (see docs/architecture.md). Golden playthroughs, one
seeded game of each scenario as a text log, stand in tests/golden; `SANDTABLE_GOLDEN=write` writes them anew, and a diff shows what a
change did to play.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.bots.random_legal import RandomLegal
from sandtable.kernel.errors import DataError, RefusedError
from sandtable.kernel.events import SIDES, other
from sandtable.kernel.game import Game, find_games, load_game
from sandtable.kernel.match import Match
from sandtable.kernel.saves import open_match, read_save, save_match, verify
from sandtable.lab.bots import default_bot, make_bot

SHIPPED = Path(sandtable.__file__).parent / "games"
GAMES = [id for id in sorted(find_games()) if (SHIPPED / id).is_dir()]
SCENARIOS = [(id, name) for id in GAMES for name in load_game(id).names("scenarios")]
FINISHED = [(id, name) for id, name in SCENARIOS if load_game(id).covered]
"""Only games whose rules are complete have golden playthroughs: the others still change from day to day."""
GOLDEN = Path(__file__).parent / "golden"


def setup_of(game: Game, scenario: str) -> Any:
    return game.setup(game.data("scenarios", scenario))


def played(game: Game, scenario: str, seed: str, bot: str = "random", watch: Any = None) -> Match:
    sources = {side: make_bot(game, bot, side, number) for number, side in enumerate(SIDES)}
    match = Match(game, setup_of(game, scenario), seed, sources=sources, watch=watch)
    match.run()
    return match


def log(match: Match) -> bytes:
    return b"\n".join(msgspec.json.encode(record) for record in match.records)


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS)
def test_whole_games_end_with_every_invariant_kept(id: str, scenario: str) -> None:
    game = load_game(id)
    broken: list[str] = []
    match = played(game, scenario, "whole", watch=lambda battle, _: broken.extend(game.broken_invariants(battle)))
    assert match.over
    assert not broken


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS)
def test_a_game_verifies_and_every_tampering_is_named(id: str, scenario: str, tmp_path: Path) -> None:
    match = played(load_game(id), scenario, "verify")
    path = tmp_path / "a.sandtable-save"
    save_match(match, path)
    data = path.read_bytes()
    assert verify(read_save(data)) is None
    lines = data.split(b"\n")
    step = max((n for n, line in enumerate(lines) if line.startswith(b'{"step"')), key=lambda n: len(lines[n]))
    assert verify(read_save(b"\n".join([*lines[:step], *lines[step + 1 :]]))) is not None  # a finished step is missing


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS)
def test_the_same_seed_gives_the_same_log(id: str, scenario: str) -> None:
    game = load_game(id)
    assert log(played(game, scenario, "again")) == log(played(game, scenario, "again"))


@pytest.mark.parametrize("id", GAMES)
def test_the_same_seed_gives_the_same_log_in_another_process(id: str) -> None:
    game = load_game(id)
    scenario = game.names("scenarios")[0]
    code = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.test_games import load_game, log, played\n"
        "print(hashlib.sha256(log(played(load_game(sys.argv[2]), sys.argv[3], 'elsewhere', sys.argv[4]))).hexdigest())"
    )
    bot = default_bot(game)
    root = str(Path(__file__).parents[1])
    found = [
        subprocess.run(
            [sys.executable, "-c", code, root, id, scenario, bot],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("id", GAMES)
def test_a_save_cut_at_any_byte_opens_or_is_refused_in_words(id: str, tmp_path: Path) -> None:
    game = load_game(id)
    match = played(game, game.names("scenarios")[0], "cut")
    path = tmp_path / "a.sandtable-save"
    save_match(match, path)
    data = path.read_bytes()
    head = data.index(b"\n")
    random = Random(1)
    for at in [0, 1, head - 1, head, head + 1, *(random.randrange(head, len(data)) for _ in range(25))]:
        try:
            save = read_save(data[:at])
        except DataError:
            assert at < head
            continue
        again = open_match(save)
        assert again.records == match.records[: len(again.records)]


class OneByOne:
    """Plays a match through `submit` alone, as a person would, saving and loading at every question."""

    def __init__(self, game: Game, scenario: str, seed: str, path: Path, every: int) -> None:
        self.bots = {side: RandomLegal(game, side, number) for number, side in enumerate(SIDES)}
        self.match = Match(game, setup_of(game, scenario), seed)
        self.match.run()
        self.path, self.every = path, every

    def moves(self) -> Iterator[Match]:
        while not self.match.over:
            request = self.match.request
            assert request is not None
            assert self.match.pending is not None
            answer = self.bots[request.player].answer(self.match.view(request.player).battle, request, self.match.pending.check)
            self.match.submit(request.player, self.match.number, answer)
            yield self.match
            if self.match.number % self.every == 0:
                save_match(self.match, self.path)
                self.match = open_match(read_save(self.path.read_bytes()))


@pytest.mark.parametrize("id", GAMES)
def test_saving_and_loading_at_the_questions_changes_nothing(id: str, tmp_path: Path) -> None:
    game = load_game(id)
    scenario = shortest(game)
    straight = played(game, scenario, "stop and go")
    stopped = OneByOne(game, scenario, "stop and go", tmp_path / "a.sandtable-save", every=7)
    for match in stopped.moves():
        assert match.records == straight.records[: len(match.records)]
    assert log(stopped.match) == log(straight)


def shortest(game: Game) -> str:
    """The scenario with the fewest turns."""
    return min(game.names("scenarios"), key=lambda name: game.data("scenarios", name).get("turns", 99))


@pytest.mark.parametrize("id", GAMES)
def test_wrong_answers_change_nothing(id: str, tmp_path: Path) -> None:
    game = load_game(id)
    random = Random(2)
    playing = OneByOne(game, shortest(game), "wrong", tmp_path / "a.sandtable-save", every=10**9)
    rubbish: list[Any] = [None, 1, "", "nonsense", [], ["x", "x"], {}, {"path": [[10**9, 0]]}, {"path": "x"}, [[]], True, {"a": ["b"]}]
    for number, match in enumerate(playing.moves()):
        if match.over or number > 60:
            break
        request = match.request
        assert request is not None
        before = (match.number, len(match.records), match.battle)
        for wrong in ((other(request.player), match.number), (request.player, match.number + 1), (request.player, match.number - 1)):
            with pytest.raises(RefusedError):
                match.submit(*wrong, request.default)
        answer = random.choice(rubbish)
        try:
            match.pending.request.read(answer)  # type: ignore[union-attr]
        except RefusedError:
            with pytest.raises(RefusedError):
                match.submit(request.player, match.number, answer)
            assert (match.number, len(match.records), match.battle) == before


@pytest.mark.parametrize("id", GAMES)
def test_undo_goes_back_exactly(id: str, tmp_path: Path) -> None:
    game = load_game(id)
    playing = OneByOne(game, shortest(game), "undo", tmp_path / "a.sandtable-save", every=10**9)
    undone = 0
    for number, match in enumerate(playing.moves()):
        if match.over or number > 80:
            break
        last = match.answers[-1]
        if match.may_undo(match.number - 1, last.player):
            state, records = match.battle, len(match.records)
            match.undo(match.number - 1, last.player)
            match.submit(last.player, match.number, last.answer)
            assert (match.battle, len(match.records)) == (state, records)
            undone += 1
    assert undone


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS)
def test_nothing_secret_is_seen_by_the_other_side(id: str, scenario: str) -> None:
    """Whatever a battle keeps in `secrets` for one side is in no view of the other's, and records for one side reach only it."""

    def look(battle: Any, records: Any) -> None:
        for side in SIDES:
            assert set(battle.seen_by(side).secrets) <= {side}
        assert not battle.seen_by(None).secrets
        for record in records:
            assert record.only is None or not record.seen_by(other(record.only))

    played(load_game(id), scenario, "secrets", watch=look)


@pytest.mark.parametrize(("id", "scenario"), FINISHED)
def test_golden_playthrough(id: str, scenario: str) -> None:
    game = load_game(id)
    match = played(game, scenario, "golden", default_bot(game))
    words = game.texts.naming(game.shown_names(match.battle))
    lines = [f"{id}/{scenario}, seed golden, {match.number} answers", ""]
    for record in match.records:
        lines.append(words.text(record.event.says(), "en"))
        lines += [f"    {msgspec.json.encode(entry).decode()}" for entry in record.trace if getattr(entry, "faces", None)]
    text = "\n".join(lines) + "\n"
    path = GOLDEN / f"{id}-{scenario}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.is_file(), "no golden playthrough yet: SANDTABLE_GOLDEN=write makes it"
    assert text == path.read_text("utf-8")
