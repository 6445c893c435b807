"""`replay`, `verify` and `validate`: saved matches and data files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandtable.cli.inputs import best_fit, language_or_default, read_toml, show_json
from sandtable.kernel.errors import DataError, InputError, SandtableError
from sandtable.kernel.events import Record
from sandtable.kernel.game import Game
from sandtable.kernel.match import Match
from sandtable.kernel.saves import Save, open_match, read_save
from sandtable.kernel.saves import verify as verify_save


def _read(path: Path) -> Save:
    return read_save(path.read_bytes(), str(path))


def replay(path: Path, side: str | None, json: bool, language: str | None) -> None:
    save = _read(path)
    if json:
        for record in save:
            if side is None or record.seen_by(side):
                show_json(record)
        return
    _Replay(save, side, language_or_default(language)).run(ask=sys.stdin.isatty() and sys.stdout.isatty())


class _Replay:
    """A saved match, event by event."""

    def __init__(self, save: Save, side: str | None, language: str) -> None:
        from sandtable.text_table import words_of

        self.save, self.side, self.language = save, side, language
        self.game: Game = save.game
        try:
            self.battle: Any = save.game.new_battle(save.head.setup)
            self.texts = words_of(save.game, self.battle)
        except Exception as problem:  # a setup that was changed by hand may trip the game over anything
            raise DataError([f"the setup of the save cannot be used: {problem!r}"]) from None

    def run(self, ask: bool) -> None:
        print(self.texts.text("table.fair", self.language, hash=self.save.head.seed_hash))
        for record in self.save:
            try:
                self.battle = record.event.apply(self.battle)
            except Exception as problem:
                raise DataError([f"the events of the save do not follow from each other: {problem!r}"]) from None
            if self.side is not None and not record.seen_by(self.side):
                continue
            print(self.texts.text(record.event.says(), self.language))
            if not ask:
                self.explain(record, "    ")
            elif not self.wait(record):
                return
        if self.battle.result is not None and self.save.head.seed is not None:
            print(self.texts.text("table.seed", self.language, seed=self.save.head.seed))

    def wait(self, record: Record) -> bool:
        """Until the reader wants to go on; False if he leaves."""
        from sandtable.text_table.describing import Describer
        from sandtable.text_table.drawing import draw

        while True:
            try:
                line = input("> ").strip()
            except EOFError:
                return False
            seen = self.battle if self.side is None else self.battle.seen_by(self.side)
            if line == "":
                return True
            if line in ("q", "quit"):
                return False
            if line == "why":
                self.explain(record)
            elif line == "map":
                print("\n".join(draw(self.game.scene(seen), self.texts, self.language)))
            elif line == "look":
                print("\n".join(Describer(self.game.scene(seen), self.texts, self.language).overview()))
            else:
                print("Enter, map, look, why, quit")

    def explain(self, record: Record, indent: str = "") -> None:
        from sandtable.text_table.explain import explain

        for line in explain(record.trace, self.texts, self.language):
            print(indent + line)


def verify_file(path: Path, json: bool) -> int:
    save = _read(path)
    difference = verify_save(save)
    if json:
        answer = {"verified": difference is None, "difference": difference, "seed_hash": save.head.seed_hash, "cut": save.cut}
        show_json(answer | {"steps": len(save.steps), "answers": len(save.answers)})
    elif difference is None:
        print(f"{path}: verified: {len(save.steps)} steps follow from the setup, the seed and {len(save.answers)} answers")
        if save.cut:
            print(f"{path}: the last line was cut off and is left out")
    else:
        print(f"{path}: {difference}")
    return 0 if difference is None else 1


def validate_files(files: list[Path], game: str | None, kind: str | None, json: bool) -> int:
    """Every problem of every file. Exit code 2 if there is any."""
    if not files:
        raise InputError("name the files to validate")
    report = [(path, list(_problems(path, game, kind))) for path in files]
    if json:
        show_json([{"file": str(path), "problems": problems} for path, problems in report])
    else:
        for path, problems in report:
            for problem in problems:
                print(problem if problem.startswith(str(path)) else f"{path}: {problem}", file=sys.stderr)
            if not problems:
                print(f"{path}: in order")
    return 2 if any(problems for _, problems in report) else 0


def _problems(path: Path, game: str | None, kind: str | None) -> Iterator[str]:
    try:
        data = path.read_bytes()
        if kind == "save" or (kind is None and data[:1] == b"{"):
            match = open_match(read_save(data, str(path)), seed="unknown")
            assert isinstance(match, Match)
            return
        yield from best_fit(path, read_toml(path), game, kind)[2]
    except DataError as problem:
        yield from problem.problems
    except SandtableError as problem:
        yield str(problem)
    except OSError as problem:
        yield problem.strerror or str(problem)
