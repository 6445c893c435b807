"""A match is its inputs: a setup, a seed and the list of answers. Running them again gives the same events, bit for bit."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from sandtable.kernel.decisions import Check, Request, TypeDie
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Battle, Record
from sandtable.kernel.game import Game, Setup
from sandtable.kernel.table import SourceError, Sources, Table, Waiting, read_answer


class Answered(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An answer that was given, and what had been rolled and revealed when it was asked for."""

    player: str
    answer: Any
    position: int = 0
    reveals: int = 0
    die: bool = False
    """Whether it is the face of a die that the player rolled himself."""


class Checkpoint(msgspec.Struct, frozen=True):
    """The state before a step, and the name of the step."""

    battle: Battle
    position: int
    answers: int
    records: int
    reveals: int
    step: str = ""


class View(msgspec.Struct, frozen=True):
    """All that one side (None: the public) may know of a match. Whatever shows a match to somebody shows him this."""

    side: str | None
    battle: Battle
    records: tuple[Record, ...]
    number: int
    waiting_for: str | None
    request: Request | None
    """The question that the match waits for, if it is this side's."""
    seed_hash: str
    seed: str | None
    """Once the battle is over: the proof that the dice were fair."""


class Journal(Protocol):
    """Where a match is written down as it goes on."""

    def answered(self, answered: Answered) -> None: ...

    def stepped(self, step: str, position: int, answers: int, records: list[Record]) -> None: ...

    def undone(self, answers: int) -> None: ...


class _NotTaken(Exception):
    """An answer that was submitted is against the rules. Unwinds the step, past whatever refusals its rules deal with."""

    def __init__(self, problem: RefusedError) -> None:
        super().__init__(problem)
        self.problem = problem


class Match:
    """A battle being played."""

    def __init__(
        self,
        game: Game,
        setup: Setup,
        seed: str | None = None,
        *,
        sources: Sources | None = None,
        journal: Journal | None = None,
        tracing: bool = True,
        watch: Callable[[Battle, list[Record]], None] | None = None,
    ) -> None:
        self.game, self.setup = game, setup
        self.seed = secrets.token_hex(16) if seed is None else seed
        self.sources: Sources = sources or {}
        self.journal = journal
        self.tracing = tracing
        self.watch = watch
        self.battle: Battle = game.new_battle(setup)
        """The battle after the last finished step. `present` is the battle as it stands at the pending question."""
        self.position = 0
        self.reveals = 0
        self.records: list[Record] = []
        self.answers: list[Answered] = []
        self.checkpoints: list[Checkpoint] = []
        self.pending: Waiting | None = None
        self.done = 0
        """How many answers the finished steps used."""
        self.gone = self.gone_records = 0
        """How many answers and records have been forgotten (see `forget`): `answers` and `records` begin after them."""
        self._cursor = 0  # answers used so far, the running step's included
        self._running: Table[Any] | None = None  # the step that waits, as far as it came
        self._submitted: Answered | None = None  # an answer on its way to the step that asked for it
        self._typed = frozenset(setup.typed)

    @property
    def seed_hash(self) -> str:
        """Published from the start: it proves, once the seed is shown, that the dice were fixed before the first roll."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def over(self) -> bool:
        return self.battle.result is not None

    @property
    def request(self) -> Request | None:
        """The question that the match waits for; its number is `number`."""
        return None if self.pending is None else self.pending.request

    @property
    def number(self) -> int:
        """The number of the next answer. An answer to another number is stale."""
        return self.gone + len(self.answers)

    @property
    def used(self) -> int:
        """How many answers have been read by the steps so far, the waiting one included."""
        return self._cursor

    # -- what there is to see -------------------------------------------------------------------------------------

    @property
    def present(self) -> Battle:
        """The battle as it stands now, in the middle of a step if one is waiting."""
        return self.battle if self._running is None else self._running.battle

    @property
    def log(self) -> list[Record]:
        """All that has happened up to now, the waiting step included."""
        return self.records if self._running is None else self.records + self._running.records

    @property
    def length(self) -> int:
        """How many records there have been, forgotten ones and those of the waiting step included."""
        return self.gone_records + len(self.records) + (0 if self._running is None else len(self._running.records))

    def log_from(self, number: int) -> list[Record]:
        """What has happened from record `number` on, which must not have been forgotten."""
        place = number - self.gone_records
        if place < 0:
            raise IndexError(f"record {number} has been forgotten")
        running = [] if self._running is None else self._running.records
        return self.records[place:] + running[max(0, place - len(self.records)) :]

    def view(self, side: str | None) -> View:
        """What a side may know of the match."""
        asked = self.request
        return View(
            side,
            self.present.seen_by(side),
            tuple(record for record in self.log if record.seen_by(side)),
            self.number,
            None if asked is None else asked.player,
            asked if asked is not None and asked.player == side else None,
            self.seed_hash,
            self.seed if self.over else None,
        )

    # -- running --------------------------------------------------------------------------------------------------

    def run(self, steps: int | None = None) -> None:
        """Go on until an answer is needed or the battle is over (or for some steps)."""
        self.pending = self._running = None
        while steps is None or steps > 0:
            found = self.game.next_step(self.battle)
            if found is None:
                return
            name, step = found
            start = self._cursor = self.done
            table = Table(self.battle, self.seed, self.position, self, self._typed, self.tracing)
            try:
                step(table)
            except Waiting as waiting:
                self.pending, self._running = waiting.with_traceback(None), table  # no need to keep the frames of the step
                return
            self.checkpoints.append(Checkpoint(self.battle, self.position, start, self._recorded, self.reveals, name))
            self.battle, self.position = table.battle, table.position
            self.reveals += table.reveals
            self.records.extend(table.records)
            self.done = self._cursor
            if self.journal is not None:
                self.journal.stepped(name, self.position, self.done, table.records)
            if self.watch is not None:
                self.watch(self.battle, table.records)
            if steps is not None:
                steps -= 1

    def next_answer(self, table: Table[Any], request: Request, check: Check | None) -> Any:
        """The answer to the next question of the running step (see `Table.ask`)."""
        if self._cursor < self.number:
            given = self.answers[self._cursor - self.gone]
            if given.player != request.player:
                raise RefusedError("", "refused.not_yours", player=request.player)
            value = read_answer(request, check, given.answer)
            self.answers[self._cursor - self.gone] = self._at(table, request, given.answer)
        elif self._submitted is not None:
            given, self._submitted = self._submitted, None
            try:
                value = read_answer(request, check, given.answer)
            except RefusedError as problem:
                raise _NotTaken(problem) from None
            self._take(given)
        else:
            source = self.sources.get(request.player)
            if source is None:
                raise Waiting(request, check)
            answer = source.answer(table.battle.seen_by(request.player), request, check)
            try:
                value = read_answer(request, check, answer)
            except RefusedError as problem:
                raise SourceError(f"the bot of side {request.player} answered {request.decision} against the rules: {problem}") from problem
            self._take(self._at(table, request, answer))
        self._cursor += 1
        return value

    def _at(self, table: Table[Any], request: Request, answer: Any) -> Answered:
        """An answer, with what had been rolled and revealed when it was asked for."""
        return Answered(request.player, answer, table.position, self.reveals + table.reveals, isinstance(request, TypeDie))

    def _take(self, answered: Answered) -> None:
        if self.journal is not None:
            self.journal.answered(answered)
        self.answers.append(answered)

    def submit(self, player: str, number: int, answer: Any) -> None:
        """A player's answer to question `number`. RefusedError if it is stale, not his, or against the rules: nothing changes."""
        if self.pending is None or self._running is None:
            raise RefusedError("", "refused.nothing_asked")
        if number != self.number:
            raise RefusedError("", "refused.stale", number=number, now=self.number)
        asked = self.pending.request
        if player != asked.player:
            raise RefusedError("", "refused.not_yours", player=asked.player)
        waiting, running, used = self.pending, self._running, self._cursor
        self._submitted = self._at(running, asked, answer)
        try:
            self.run()  # the step runs again and reads the answer, once
        except _NotTaken as not_taken:
            self.pending, self._running, self._cursor = waiting, running, used
            raise not_taken.problem from None
        finally:
            self._submitted = None

    # -- taking back ----------------------------------------------------------------------------------------------

    def may_undo(self, number: int, player: str) -> bool:
        """Whether `player` may go back to question `number` alone: nothing rolled or revealed since, no answer of the other."""
        if not self.gone <= number < self.number:
            return False
        position, reveals = self.position, self.reveals
        if self._running is not None:
            position, reveals = self._running.position, reveals + self._running.reveals
        first = self.answers[number - self.gone]
        if first.position != position or first.reveals != reveals:
            return False
        return all(answered.player == player and not answered.die for answered in self.answers[number - self.gone :])

    def undo(self, number: int, player: str, *, consent: bool = False) -> None:
        """Go back to question `number`, as if it had not been answered."""
        if not self.gone <= number < self.number:
            raise RefusedError("", "refused.no_such_question", number=number)
        if not consent and not self.may_undo(number, player):
            raise RefusedError("", "refused.undo_needs_consent")
        if self.journal is not None:
            self.journal.undone(number)
        self._go_back(number)
        self.run()

    def _go_back(self, number: int) -> None:
        """Undo every step that used an answer from `number` on; what follows from the answers left is made again."""
        del self.answers[number - self.gone :]
        while self.done > number:
            mark = self.checkpoints.pop()
            self.battle, self.position, self.reveals = mark.battle, mark.position, mark.reveals
            del self.records[mark.records - self.gone_records :]
            self.done = mark.answers

    # -- a long match in little memory ----------------------------------------------------------------------------

    @property
    def _recorded(self) -> int:
        return self.gone_records + len(self.records)

    def forget(self, steps: int) -> list[Record]:
        """Keep only the last finished `steps` in memory; the records that went. A journal has the whole match.

        Questions answered in what is forgotten cannot be taken back here: open the match from its journal for that.
        """
        if len(self.checkpoints) <= steps:
            return []
        first = self.checkpoints[-steps] if steps else Checkpoint(self.battle, self.position, self.done, self._recorded, self.reveals)
        old = self.records[: first.records - self.gone_records]
        del self.records[: len(old)], self.answers[: first.answers - self.gone], self.checkpoints[: len(self.checkpoints) - steps]
        self.gone, self.gone_records = first.answers, first.records
        return old

    # -- restoring ------------------------------------------------------------------------------------------------

    def restore(self, steps: list[tuple[str, int, int, list[Record]]], answers: list[Answered]) -> None:
        """Take over a saved match from its events: (name, position, answers used, records) of each finished step."""
        for name, position, used, records in steps:
            self.checkpoints.append(Checkpoint(self.battle, self.position, self.done, self._recorded, self.reveals, name))
            for record in records:
                self.battle = record.event.apply(self.battle)
                self.reveals += record.event.reveals
            self.records.extend(records)
            self.position, self.done = position, used
        self.answers = list(answers)
