"""Where work is done: what is quick on the event loop, what is not in a thread, so that nobody waits for somebody else's move."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

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


class Lock:
    """One at a time, in the order of coming. Unlike asyncio's it can be taken without waiting."""

    __slots__ = ("_queue", "taken")

    def __init__(self) -> None:
        self.taken = False
        self._queue: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take it, if nobody has it."""
        if self.taken:
            return False
        self.taken = True
        return True

    def give_back(self) -> None:
        """To the next who waits for it."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():  # not cancelled in the meantime
                turn.set_result(None)
                return
        self.taken = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it has just been handed over
                self.give_back()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.give_back()
