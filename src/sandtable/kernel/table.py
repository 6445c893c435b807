"""The table: where rules ask players, roll dice and say what happens.

A step of a game is a plain function of a `Table`. It runs from a checkpoint; where an answer is not there yet, the run
is set aside (`Waiting`) and made again from the checkpoint when the answer comes. So a step must be pure between its
questions: all chance and all answers come through the table, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from sandtable.kernel.decisions import Check, Request, TypeDie
from sandtable.kernel.dice import Asked, FaceDice, Seeded
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.events import Battle, Event, Record
from sandtable.kernel.messages import say

B = TypeVar("B", bound=Battle)


class Waiting(Exception):
    """A step needs an answer that has not been given yet."""

    def __init__(self, request: Request, check: Check | None) -> None:
        super().__init__(request.decision)
        self.request, self.check = request, check


class SourceError(SandtableError):
    """A bot gave an answer that the rules do not allow."""

    code = "bad_bot"


class Source(Protocol):
    """Somebody who answers at once: a bot. It sees what its side may see."""

    def answer(self, battle: Any, request: Request, check: Check | None) -> Any: ...


class Given(Protocol):
    """The answers of the running step: those already given, and a place for new ones."""

    def next_answer(self, table: Table[Any], request: Request, check: Check | None) -> Any: ...


class Table(Generic[B]):
    """One run of one step."""

    def __init__(
        self, battle: B, seed: str, position: int, answers: Given, typed: frozenset[str] = frozenset(), tracing: bool = True
    ) -> None:
        self.battle = battle
        self.records: list[Record] = []
        self.reveals = 0
        self._answers = answers
        self._typed = typed
        self._seeded = Seeded(seed, position, tracing=tracing)
        self._asked: dict[str, FaceDice] = {}
        self._last = self._seeded.trace

    @property
    def position(self) -> int:
        """How much of the stream of dice has been used."""
        return self._seeded.position

    def dice(self, player: str) -> FaceDice:
        """The dice of a player: the program's, or his own, typed in."""
        if player not in self._typed:
            return self._seeded
        dice = self._asked.get(player)
        if dice is None:

            def ask(sides: int, label: str) -> int:
                prompt = say("ask.type_die", sides=sides, label=label)
                return self.ask(TypeDie(player=player, decision="", prompt=prompt, sides=sides, label=label))  # type: ignore[no-any-return]

            dice = self._asked[player] = Asked(ask, tracing=self._seeded.tracing)
            dice.trace = self._seeded.trace  # one trace, whoever rolls
        return dice

    def ask(self, request: Request, check: Check | None = None) -> Any:
        """A player's answer, read and checked. The step waits here until there is one."""
        return self._answers.next_answer(self, request, check)

    def emit(self, event: Event, only: str | None = None) -> None:
        """Say what happens: the battle changes, and the record takes along the trace since the last event."""
        trace = self._seeded.trace
        self.battle = event.apply(self.battle)
        self.records.append(Record(event, tuple(trace), only))
        trace.clear()
        if event.reveals:
            self.reveals += 1


Step = Callable[[Table[Any]], None]


def read_answer(request: Request, check: Check | None, answer: Any) -> Any:
    """An answer as the rule wants it. Raises RefusedError; changes nothing."""
    value = request.read(answer)
    if check is not None:
        check(value)
    return value


def first_legal(request: Request, check: Check | None, candidates: Any) -> Any:
    """The first of some candidate answers that the rules allow, or None."""
    from sandtable.kernel.errors import RefusedError

    for candidate in candidates:
        try:
            read_answer(request, check, candidate)
        except RefusedError:
            continue
        return candidate
    return None


Sources = Mapping[str, Source]
