"""A match is its inputs: a setup, a seed and the list of answers. Running them again gives the same events, bit for bit."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from sandtable.kernel.decisions import Check, Request
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Battle, Record
from sandtable.kernel.game import Game, Setup
from sandtable.kernel.table import Sources, Table, Waiting, read_answer


class Answered(msgspec.Struct, frozen=True):
    """An answer that was given, and what had been rolled and revealed when it was asked for."""

    player: str
    answer: Any
    position: int = 0
    reveals: int = 0


class Checkpoint(msgspec.Struct, frozen=True):
    """The state before a step."""

    battle: Battle
    position: int
    answers: int
    records: int
    reveals: int


class Journal(Protocol):
    """Where a match is written down as it goes on."""

    def answered(self, player: str, answer: Any) -> None: ...

    def stepped(self, step: str, position: int, answers: int, records: list[Record]) -> None: ...

    def undone(self, answers: int) -> None: ...


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
        self.position = 0
        self.reveals = 0
        self.records: list[Record] = []
        self.answers: list[Answered] = []
        self.checkpoints: list[Checkpoint] = []
        self.pending: Waiting | None = None
        self.done = 0
        """How many answers the finished steps used."""
        self._cursor = 0  # answers used so far, the running step's included
        self._asked_at = (0, 0)  # dice and revelations when the pending question was asked
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
        return len(self.answers)

    # -- running --------------------------------------------------------------------------------------------------

    def run(self, steps: int | None = None) -> None:
        """Go on until an answer is needed or the battle is over (or for some steps)."""
        self.pending = None
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
                self.pending = waiting
                return
            self.checkpoints.append(Checkpoint(self.battle, self.position, start, len(self.records), self.reveals))
            self.battle, self.position = table.battle, table.position
            self.reveals += table.reveals
            self.records.extend(table.records)
            if self.journal is not None:
                self.journal.stepped(name, self.position, self._cursor, table.records)
            if self.watch is not None:
                self.watch(self.battle, table.records)
            self.done = self._cursor
            if steps is not None:
                steps -= 1

    def next_answer(self, table: Table[Any], request: Request, check: Check | None) -> Any:
        """The answer to the next question of the running step (see `Table.ask`)."""
        if self._cursor < len(self.answers):
            value = read_answer(request, check, self.answers[self._cursor].answer)
        else:
            source = self.sources.get(request.player)
            if source is None:
                self._asked_at = (table.position, self.reveals + table.reveals)
                raise Waiting(request, check)
            answer = source.answer(table.battle.seen_by(request.player), request, check)
            value = read_answer(request, check, answer)
            self._take(Answered(request.player, answer, table.position, self.reveals + table.reveals))
        self._cursor += 1
        return value

    def _take(self, answered: Answered) -> None:
        if self.journal is not None:
            self.journal.answered(answered.player, answered.answer)
        self.answers.append(answered)

    def submit(self, player: str, number: int, answer: Any) -> None:
        """A player's answer to question `number`. RefusedError if it is stale, not his, or against the rules: nothing changes."""
        if self.pending is None:
            raise RefusedError("", "refused.nothing_asked")
        if number != self.number:
            raise RefusedError("", "refused.stale", number=number, now=self.number)
        if player != self.pending.request.player:
            raise RefusedError("", "refused.not_yours", player=self.pending.request.player)
        read_answer(self.pending.request, self.pending.check, answer)
        self._take(Answered(player, answer, *self._asked_at))
        self.run()

    # -- taking back ----------------------------------------------------------------------------------------------

    def may_undo(self, number: int, player: str) -> bool:
        """Whether `player` may go back to question `number` alone: nothing rolled or revealed since, no answer of the other."""
        if not 0 <= number < len(self.answers):
            return False
        since = self.answers[number:]
        now = (self.position, self.reveals) if self.pending is None else self._asked_at
        return (since[0].position, since[0].reveals) == now and all(answered.player == player for answered in since)

    def undo(self, number: int, player: str, *, consent: bool = False) -> None:
        """Go back to question `number`, as if it had not been answered."""
        if not 0 <= number < len(self.answers):
            raise RefusedError("", "refused.no_such_question", number=number)
        if not consent and not self.may_undo(number, player):
            raise RefusedError("", "refused.undo_needs_consent")
        if self.journal is not None:
            self.journal.undone(number)
        self._go_back(number)
        self.run()

    def _go_back(self, number: int) -> None:
        """Undo every step that used an answer from `number` on; what follows from the answers left is made again."""
        del self.answers[number:]
        while self.done > number:
            mark = self.checkpoints.pop()
            self.battle, self.position, self.reveals = mark.battle, mark.position, mark.reveals
            del self.records[mark.records :]
            self.done = mark.answers

    # -- restoring ------------------------------------------------------------------------------------------------

    def restore(self, steps: list[tuple[int, int, list[Record]]], answers: list[Answered]) -> None:
        """Take over a saved match from its events: (position, answers used, records) of each finished step."""
        for position, used, records in steps:
            self.checkpoints.append(Checkpoint(self.battle, self.position, self.done, len(self.records), self.reveals))
            for record in records:
                self.battle = record.event.apply(self.battle)
                self.reveals += record.event.reveals
            self.records.extend(records)
            self.position, self.done = position, used
        self.answers = list(answers)
