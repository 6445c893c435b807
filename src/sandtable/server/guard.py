"""The outermost layer: which hosts and origins may speak to the server, and the headers that every answer carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from sandtable.server.problems import Problem
from sandtable.server.settings import Settings

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

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.hosts = LOCAL | set(settings.hosts) | {settings.host}

    def refusal(self, headers: Mapping[str, str]) -> Problem | None:
        """Why a request with these headers is turned away, if it is."""
        if not self._host(headers.get("host", "")):
            return Problem("wrong_host", "this server is not known under that name; --allow-host adds one")
        if not self._origin(headers):
            return Problem("foreign_origin", "a page of another origin may not speak to this server")
        return None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self.refusal({name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]})

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

    def _origin(self, headers: Mapping[str, str]) -> bool:
        """Whether a browser that sends these headers shows our own page (or one that we trust). Programs send no origin."""
        origin = headers.get("origin")
        if origin is None or origin in self.settings.origins:
            return True
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
