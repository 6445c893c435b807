"""Where work is done: what is quick on the event loop, what is not in a thread, so that nobody waits for somebody else's move."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")

QUICK = 0.003
"""Work that takes no longer than this (seconds), as a rule, is done at once."""


class Workers:
    """Threads for rules and for bots, and a memory of how long each kind of work takes."""

    def __init__(self, threads: int = 2) -> None:
        self._rules = ThreadPoolExecutor(threads, "sandtable-rules")
        self._bots = ThreadPoolExecutor(threads, "sandtable-bot")
        self._usual: dict[object, float] = {}
        sys.setswitchinterval(0.001)  # a bot deep in thought gives way within a millisecond

    def close(self) -> None:
        self._rules.shutdown(cancel_futures=True)
        self._bots.shutdown(cancel_futures=True)

    def quick(self, kind: object) -> bool:
        """Whether a kind of work is known to be quick."""
        return self._usual.get(kind, 1.0) < QUICK

    def took(self, kind: object, seconds: float) -> None:
        """Remember how long a piece of work took."""
        known = self._usual.get(kind, seconds)
        # one slow run may have been the machine, several are the work
        self._usual[kind] = known + (seconds - known) * (0.05 if seconds > known else 0.2)

    async def do(self, kind: object, work: Callable[[], T]) -> T:
        """Do a piece of work: here, if its kind is known to be quick."""
        if kind is not None and self.quick(kind):
            return self._timed(kind, work)
        return await asyncio.get_running_loop().run_in_executor(self._rules, self._timed, kind, work)

    async def apart(self, work: Callable[[], T]) -> T:
        """Do a piece of work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._rules, work)

    async def think(self, work: Callable[[], T]) -> T:
        """Let a bot think."""
        return await asyncio.get_running_loop().run_in_executor(self._bots, work)

    def _timed(self, kind: object, work: Callable[[], T]) -> T:
        begun = perf_counter()
        try:
            return work()
        finally:
            self.took(kind, perf_counter() - begun)


_begun: set[asyncio.Task[None]] = set()


def begin(work: Coroutine[Any, Any, None]) -> None:
    """Begin a piece of work at once. Only if it has to wait for something, a task takes over what is left of it."""
    try:
        awaited = work.send(None)
    except StopIteration:
        return
    task = asyncio.get_running_loop().create_task(_rest(work, awaited))
    _begun.add(task)  # the loop itself does not hold on to it
    task.add_done_callback(_begun.discard)


async def _rest(work: Coroutine[Any, Any, None], awaited: Any) -> None:
    await _go_on(work, awaited)


@types.coroutine
def _go_on(work: Coroutine[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    try:
        while True:
            try:
                got = yield awaited
            except BaseException as problem:
                awaited = work.throw(problem)
            else:
                awaited = work.send(got)
    except StopIteration:
        return
