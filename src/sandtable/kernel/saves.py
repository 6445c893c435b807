"""Saves: a match as a text file, one JSON line for each thing that happened to it.

    {"sandtable": 1, "version": ..., "setup": {...}, "charts": ..., "seed_hash": ..., "seed": ...}
    {"answer": ["a", ..., dice, reveals, die]}      an answer, written before anything follows from it
    {"step": ["movement", position, answers, [records]]}   a finished step with its events
    {"undo": 17}                                    back to question 17

The inputs prove (run again under the same version they give the same events); the events restore (under any version).
Lines are only ever added, so a crash at any byte costs at most the line being written.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from sandtable import __version__
from sandtable.kernel.errors import DataError, RefusedError, SandtableError
from sandtable.kernel.events import Record
from sandtable.kernel.game import Game, Setup, load_game
from sandtable.kernel.match import Answered, Journal, Match
from sandtable.kernel.preparing import reader
from sandtable.kernel.table import Sources

FORMAT = 1


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a save."""

    sandtable: int
    version: str
    setup: Setup
    charts: str
    seed_hash: str
    seed: str | None = None
    """Kept back in copies that are handed out before the end."""


class SavedStep(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    name: str
    position: int
    answers: int
    records: tuple[msgspec.Raw, ...]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any later line: exactly one of these."""

    answer: Answered | None = None
    step: SavedStep | None = None
    undo: int | None = None


_read_head, _read_line = reader(Head).decode, reader(Line).decode


class SaveFile:
    """A save being written: a new one with its head, or one that is continued after its last whole line.

    `durable` waits for the disk at every answer: nothing acknowledged is ever lost.
    """

    def __init__(self, path: Path, head: Head | None = None, *, after: Save | None = None, durable: bool = True) -> None:
        self.path, self.durable = path, durable
        self._after = after
        self._file: IO[bytes] = path.open("wb" if after is None else "r+b")
        if head is not None:
            self._write(msgspec.json.encode(head))

    def _write(self, line: bytes) -> None:
        if self._after is not None:  # what a crash left of the last line goes only now that something follows
            self._file.seek(self._after.length)
            self._file.truncate()
            if not self._after.ended:
                self._file.write(b"\n")
            self._after = None
        self._file.write(line + b"\n")
        self._file.flush()
        if self.durable:
            os.fsync(self._file.fileno())

    def answered(self, answered: Answered) -> None:
        self._write(msgspec.json.encode({"answer": answered}))

    def stepped(self, step: str, position: int, answers: int, records: list[Record]) -> None:
        self._write(msgspec.json.encode({"step": (step, position, answers, records)}))

    def undone(self, answers: int) -> None:
        self._write(msgspec.json.encode({"undo": answers}))

    def close(self) -> None:
        self._file.close()


class Save:
    """A save that was read: the head, the answers, the finished steps."""

    def __init__(self, game: Game, head: Head) -> None:
        self.game, self.head = game, head
        self.answers: list[Answered] = []
        self.steps: list[tuple[str, int, int, list[Record]]] = []
        self.cut = False
        """Whether the last line was cut off."""
        self.length = 0
        """How many bytes of the file are whole lines."""
        self.ended = True
        """Whether the last whole line has its line end."""

    def __iter__(self) -> Iterator[Record]:
        for _, _, _, records in self.steps:
            yield from records


def head_of(match: Match, *, with_seed: bool = True) -> Head:
    return Head(FORMAT, __version__, match.setup, match.game.charts.digest(), match.seed_hash, match.seed if with_seed else None)


def read_save(data: bytes, name: str = "save") -> Save:
    """A save from its bytes. A cut-off last line is left out; anything else that is wrong is a DataError that names the lines."""
    lines = data.split(b"\n")
    whole, tail = lines[:-1], lines[-1]
    if tail:  # no newline at the end: either the newline alone is missing, or the line was cut
        try:
            msgspec.json.decode(tail)
            whole.append(tail)
        except (msgspec.DecodeError, RecursionError):
            pass
    if not whole:
        raise DataError([f"{name}: not a save: the first line is missing or cut off"])
    try:
        head = _read_head(whole[0])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise DataError([f"{name}, line 1: not the head of a save: {problem}"]) from None
    if head.sandtable != FORMAT:
        raise DataError([f"{name}, line 1: this is a save of format {head.sandtable}; this version reads format {FORMAT}"])
    if head.seed is not None and hashlib.sha256(head.seed.encode()).hexdigest() != head.seed_hash:
        raise DataError([f"{name}, line 1: the seed does not belong to the hash published at the start"])
    save = Save(load_game(head.setup.game), head)
    save.cut = bool(tail) and whole[-1] is not tail
    save.length = len(data) - (len(tail) if save.cut else 0)
    save.ended = save.cut or not tail
    problems: list[str] = []
    for number, text in enumerate(whole[1:], 2):
        try:
            line = _read_line(text)
            if not problems:  # after a bad line, only bad lines are looked for: the rest would follow from it
                _take(save, line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as problem:
            problems.append(f"{name}, line {number}: {problem}")
    if problems:
        raise DataError(problems[:50])
    return save


def _take(save: Save, line: Line) -> None:
    if line.answer is not None:
        save.answers.append(line.answer)
    elif line.step is not None:
        step = line.step
        if step.answers > len(save.answers) or (save.steps and step.answers < save.steps[-1][2]) or step.position < 0:
            raise ValueError("a step that does not follow from the answers before it")
        save.steps.append((step.name, step.position, step.answers, [save.game.read_record(raw) for raw in step.records]))
    elif line.undo is not None:
        if not 0 <= line.undo < len(save.answers):
            raise ValueError("an undo of a question that was not answered")
        del save.answers[line.undo :]
        while save.steps and save.steps[-1][2] > line.undo:
            save.steps.pop()
    else:
        raise ValueError("an empty line of a save")


def _new_match(save: Save, seed: str, **options: Any) -> Match:
    try:
        return Match(save.game, save.head.setup, seed, **options)
    except Exception as problem:  # a foreign or mutilated setup may trip the game over anything
        raise DataError([f"the setup of the save cannot be used: {problem!r}"]) from None


def open_match(save: Save, *, sources: Sources | None = None, seed: str | None = None, journal: Journal | None = None) -> Match:
    """Go on with a saved match, from its events. Answers of an unfinished step that the rules of this version refuse are asked again."""
    known = save.head.seed if save.head.seed is not None else seed
    if known is None:
        raise DataError(["this copy of the save was made without its seed: it can be replayed, not played on"])
    match = _new_match(save, known, sources=sources, journal=journal)
    try:
        match.restore(save.steps, save.answers)
        broken = save.game.broken_invariants(match.battle)
    except Exception as problem:  # events that were changed by hand may trip the game over anything
        raise DataError([f"the events of the save do not follow from each other: {problem!r}"]) from None
    if broken:
        raise DataError([f"the events of the save lead to a battle that cannot be: {'; '.join(broken)}"])
    try:
        _run_on(match)
    except RefusedError:
        if journal is not None:
            journal.undone(match.used)
        del match.answers[match.used :]
        _run_on(match)
    return match


def _run_on(match: Match, steps: int | None = None) -> None:
    try:
        match.run(steps)
    except SandtableError:
        raise
    except Exception as problem:  # the same: it is the save that does not fit the rules
        raise DataError([f"the battle of the save cannot go on: {problem!r}"]) from problem


def resume(path: Path, *, sources: Sources | None = None) -> Match:
    """Open a save and go on writing it. The file changes only when the match goes on."""
    save = read_save(path.read_bytes(), str(path))
    file = SaveFile(path, after=save)
    try:
        return open_match(save, sources=sources, journal=file)
    except BaseException:
        file.close()
        raise


def save_match(match: Match, path: Path, *, with_seed: bool = True) -> None:
    """Write a whole match into a file, at once: either the old file or the new one is there, never half of one.

    A save holds all that has happened, secrets included. A copy without its seed is one to hand out: while the match runs it is refused
    if anything in it is for one side alone, and it leaves out the answers of the step that waits, which may be.
    """
    if match.gone:
        raise ValueError("a match that has forgotten its beginning is saved from its journal")
    handed_out = not with_seed and not match.over
    if handed_out and (match.battle.secrets or any(record.only is not None for record in match.records)):
        raise RefusedError("", "refused.save_holds_secrets")
    beside = path.with_name(path.name + ".part")
    try:
        file = SaveFile(beside, head_of(match, with_seed=with_seed), durable=False)
        for mark, after in zip(match.checkpoints, [*match.checkpoints, None][1:], strict=True):
            until = match.done if after is None else after.answers
            for answered in match.answers[mark.answers : until]:
                file.answered(answered)
            position = match.position if after is None else after.position
            records = match.records[mark.records : None if after is None else after.records]
            file.stepped(mark.step, position, until, records)
        for answered in () if handed_out else match.answers[match.done :]:
            file.answered(answered)
        file.close()
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def verify(save: Save) -> str | None:
    """Run the inputs again. None if they give the same events, else the first difference in words."""
    if save.head.seed is None:
        return "the seed is not in this copy, so the dice cannot be proved"
    if save.head.version != __version__:
        return (
            f"the save was made by version {save.head.version}, this is {__version__}: its inputs prove nothing here, its events still play"
        )
    if save.head.charts != save.game.charts.digest():
        return "the charts have changed since the save was made"
    try:
        match = _new_match(save, save.head.seed)
    except DataError as problem:
        return str(problem)
    match.answers = list(save.answers)
    number, name = 0, ""
    try:
        for number, (name, position, answers, records) in enumerate(save.steps, 1):
            before = len(match.records)
            _run_on(match, steps=1)
            if match.pending is not None:
                return f"step {number} ({name}) waits for an answer that the save does not have"
            mine = match.records[before:]
            for index, (one, two) in enumerate(zip(mine, records, strict=False), 1):
                if msgspec.json.encode(one) != msgspec.json.encode(two):
                    return f"step {number} ({name}), event {index}: run again it is {_short(one)}, saved is {_short(two)}"
            if len(mine) != len(records):
                return f"step {number} ({name}): run again it has {len(mine)} events, saved are {len(records)}"
            if (match.position, match.done) != (position, answers):
                return f"step {number} ({name}): run again it used other dice or answers"
            if match.checkpoints[-1].step != name:
                return f"step {number} ({name}): run again it is the step {match.checkpoints[-1].step}"
        number, name = number + 1, "the unfinished step"
        _run_on(match)
    except RefusedError as problem:
        return f"step {number} ({name}): run again, answer {match.used} is refused: {problem}"
    except SandtableError as problem:
        return f"step {number} ({name}): {problem}"
    if match.used < len(save.answers):
        return f"the save has {len(save.answers)} answers, but only {match.used} were asked for"
    for number, (again, saved) in enumerate(zip(match.answers, save.answers, strict=True)):
        if again != saved:
            return f"answer {number}: the dice and revelations before it are not those of the save"
    return None


def _short(record: Record) -> str:
    text = msgspec.json.encode(record.event).decode()
    return text if len(text) < 200 else text[:197] + "..."
