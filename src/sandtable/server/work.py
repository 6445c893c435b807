"""Where work is done: what is quick on the event loop, what is not in a thread, so that nobody waits for somebody else's move."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import thread_time
from typing import TypeVar

T = TypeVar("T")

QUICK = 0.002
"""Work that has never taken longer than this (seconds) is done at once."""


class Workers:
    """Threads for rules and for bots, and a memory of how long each kind of work takes."""

    def __init__(self, threads: int = 2) -> None:
        self._rules = ThreadPoolExecutor(threads, "sandtable-rules")
        self._bots = ThreadPoolExecutor(threads, "sandtable-bot")
        self._longest: dict[object, float] = {}
        sys.setswitchinterval(0.001)  # a bot deep in thought gives way within a millisecond

    def close(self) -> None:
        self._rules.shutdown(cancel_futures=True)
        self._bots.shutdown(cancel_futures=True)

    async def do(self, kind: object, work: Callable[[], T]) -> T:
        """Do a piece of work: here, if its kind is known to be quick."""
        known = self._longest.get(kind)
        if known is not None and known < QUICK:
            return self._timed(kind, work)
        return await asyncio.get_running_loop().run_in_executor(self._rules, self._timed, kind, work)

    async def apart(self, work: Callable[[], T]) -> T:
        """Do a piece of work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._rules, work)

    async def think(self, work: Callable[[], T]) -> T:
        """Let a bot think."""
        return await asyncio.get_running_loop().run_in_executor(self._bots, work)

    def _timed(self, kind: object, work: Callable[[], T]) -> T:
        begun = thread_time()
        try:
            return work()
        finally:
            took = thread_time() - begun
            known = self._longest.get(kind, 0.0)
            # one slow run is remembered for long, but not for ever: it may have been the machine
            self._longest[kind] = took if took > known else known + (took - known) * 0.05
