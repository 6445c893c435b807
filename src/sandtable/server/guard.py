"""The outermost layer: which hosts and origins may speak to the server, and the headers that every answer carries."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.server.problems import Problem
from sandtable.server.settings import Settings
from sandtable.server.sockets import allowed_origin

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]

TABLE = "/api/table"

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})


class Guard:
    """Wraps the application."""

    def __init__(self, app: Any, table: Any, settings: Settings) -> None:
        self.app, self.table, self.settings = app, table, settings
        self.hosts = LOCAL | set(settings.hosts) | {settings.host}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = None
        if not self._host(headers.get(b"host", b"").decode("latin-1")):
            refusal = Problem("wrong_host", "this server is not known under that name; --allow-host adds one")
        elif scope["type"] == "http" and not allowed_origin(headers, self.settings):
            refusal = Problem("foreign_origin", "a page of another origin may not speak to this server")
        if scope["type"] == "websocket":
            if refusal is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refusal.error})
            elif scope["path"] == TABLE:
                await self.table(scope, receive, send)  # past the routing: nothing stands between it and the socket
            else:
                await self.app(scope, receive, send)
            return

        async def with_headers(event: Any) -> None:
            if event["type"] == "http.response.start":
                event = {**event, "headers": [*event.get("headers", ()), *HEADERS]}
            await send(event)

        if refusal is None:
            await self.app(scope, receive, with_headers)
            return
        body = msgspec.json.encode(refusal)
        start = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await with_headers({"type": "http.response.start", "status": 403, "headers": start})
        await send({"type": "http.response.body", "body": body})

    def _host(self, host: str) -> bool:
        """Against pages that make a name of theirs point at this machine."""
        name = host.lower()
        if not name.endswith("]"):
            before, colon, port = name.rpartition(":")
            name = before if colon and port.isdigit() else name
        return "*" in self.hosts or name in self.hosts
