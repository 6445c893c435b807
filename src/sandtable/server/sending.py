"""Sending to one client without waiting for it: a slow reader holds up nobody but himself."""

from __future__ import annotations

from collections import deque

from picows import WSMsgType, WSTransport

MOST = 2000
"""How many messages may wait for a slow client before it is given up."""

_TEXT = WSMsgType.TEXT


class Outbox:
    """The way out to one WebSocket. Messages leave in the order in which they are posted."""

    __slots__ = ("_held", "_transport")

    def __init__(self, transport: WSTransport) -> None:
        self._transport = transport
        self._held: deque[bytes] | None = None  # while the client reads too slowly: what waits for it

    def post(self, text: bytes) -> None:
        if self._held is None:
            self._transport.send(_TEXT, text)  # nothing happens if it is closed
        elif len(self._held) < MOST:
            self._held.append(text)
        else:
            self._transport.disconnect(False)  # it will be told everything again when it comes back

    def pause(self) -> None:
        self._held = deque()

    def resume(self) -> None:
        held, self._held = self._held, None
        while held:
            self.post(held.popleft())
            if self._held is not None:  # too much again
                self._held.extend(held)
                return
