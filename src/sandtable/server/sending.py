"""Sending to one client without waiting for it: a slow reader holds up nobody but himself."""

from __future__ import annotations

import asyncio
import types
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from typing import Any

Send = Callable[[Any], Awaitable[None]]

MOST = 2000
"""How many messages may wait for a slow client before it is given up."""


class Outbox:
    """The way out to one WebSocket. Messages leave in the order in which they are posted."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[Any] = deque()
        self._task: asyncio.Task[None] | None = None
        self.closed = False

    def post(self, text: bytes) -> None:
        event = {"type": "websocket.send", "text": text.decode()}
        if self._task is None and not self.closed:
            self._begin(event)
        else:
            self._post(event)

    def close(self, code: int, reason: str = "") -> None:
        if not self.closed:
            self._post({"type": "websocket.close", "code": code, "reason": reason})
            self.closed = True

    def _post(self, event: Any) -> None:
        if self.closed:
            return
        if self._task is not None:
            if len(self._waiting) >= MOST:
                self.closed = True  # it will be told everything again when it comes back
                self._task.cancel()
                return
            self._waiting.append(event)
            return
        self._begin(event)

    def _begin(self, event: Any) -> None:
        # Nearly always the socket takes the message at once: the sending is begun here, and only if it has to wait a
        # task takes over what is left of it.
        sending: Any = self._send(event).__await__()
        try:
            awaited = sending.send(None)
        except StopIteration:
            return
        except Exception:  # the client is gone; its receiving end will notice
            self.closed = True
            return
        self._task = asyncio.create_task(self._go_on(sending, awaited))

    async def _go_on(self, sending: Generator[Any, Any, None], awaited: Any) -> None:
        try:
            await _rest(sending, awaited)
            while self._waiting:
                await self._send(self._waiting.popleft())
        except Exception:
            self.closed = True
        finally:
            self._task = None


@types.coroutine
def _rest(sending: Generator[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    """What is left of a coroutine that was begun by hand and awaits something."""
    try:
        while True:
            try:
                got = yield awaited
            except BaseException as problem:
                awaited = sending.throw(problem)
            else:
                awaited = sending.send(got)
    except StopIteration:
        return
