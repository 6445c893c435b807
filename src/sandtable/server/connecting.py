"""The WebSockets of the server: uvicorn listens and reads the request, picows speaks the protocol from there on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from picows import WSAutoPingStrategy, WSCloseCode, WSListener, WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener
from picows.picows import WSProtocol  # type: ignore[attr-defined]

log = logging.getLogger(__name__)

PING_SECONDS = 20.0
"""How long a connection may be quiet before it is asked whether it is still there, and how long it may take to say so."""
BUFFER = 2048
"""What a connection that says little needs for reading, in bytes; the buffer grows with what comes."""

Opened = Callable[[WSUpgradeRequest], WSListener | WSUpgradeResponseWithListener | None]
"""Who listens to a new connection; a refusal, or None (not found), if nobody does."""


def refusal(status: HTTPStatus, text: str) -> WSUpgradeResponseWithListener:
    """The answer to a request for a WebSocket that is not granted."""
    return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(status, text.encode()), None)


class Connection(WSProtocol):  # type: ignore[misc]
    """A WebSocket as uvicorn wants it (the `ws` of its configuration)."""

    def __init__(self, opened: Opened, most_bytes: int, *, config: Any, server_state: Any, app_state: Any) -> None:
        super().__init__(
            None,  # host and port: of a client
            None,  # path: of a client
            False,  # we are no client
            opened,
            log,
            True,  # an exception ends the connection
            None,  # the request is here already: no time limit for it
            True,
            PING_SECONDS,
            PING_SECONDS,
            WSAutoPingStrategy.PING_WHEN_IDLE,
            True,  # pings are answered
            most_bytes,
            None,  # more headers: of a client
            BUFFER,
        )
        self._connections: set[Any] = server_state.connections

    def connection_made(self, transport: Any) -> None:
        self._connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, problem: Exception | None) -> None:
        self._connections.discard(self)
        super().connection_lost(problem)

    def data_received(self, data: bytes) -> None:
        """The request, which uvicorn has read. All that follows comes through picows' own buffer."""
        rest = memoryview(data)
        while rest:
            room = self.get_buffer(len(rest))
            size = min(len(room), len(rest))
            room[:size] = rest[:size]
            self.buffer_updated(size)
            rest = rest[size:]

    def shutdown(self) -> None:
        """The server goes down: the client is to come back."""
        self.transport.send_close(WSCloseCode.SERVICE_RESTART)
        self.transport.disconnect()
