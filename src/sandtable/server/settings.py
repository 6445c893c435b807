"""What can be set. Everything has a value that is right for one player on his own machine."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from platformdirs import user_data_path


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server runs."""

    host: str = "127.0.0.1"
    port: int = 8650
    database: str = ""
    """A database URL: `sqlite:///file` or `postgresql+psycopg://user@host/name`. Empty: an SQLite file of the user's own."""
    hosts: tuple[str, ...] = ()
    """Names under which the server may be addressed, beside localhost: `table.club.example`. `*` for any."""
    origins: tuple[str, ...] = ()
    """Web origins that may talk to it, beside its own: `https://club.example`."""
    web: Path = Path(__file__).parent / "web"
    """The built browser client."""

    messages_a_second: float = 40.0
    """How many messages a WebSocket may send; ten seconds' worth may come at once."""
    requests_a_second: int = 60
    """How many HTTP requests an address may make."""
    message_bytes: int = 64 * 1024
    body_bytes: int = 256 * 1024
    save_bytes: int = 32 * 1024 * 1024
    """The largest save that may be imported."""
    sockets_a_seat: int = 12
    spectators: int = 200

    idle_seconds: float = 120.0
    """How long a match that nobody looks at stays in memory."""
    remembered_steps: int = 24
    """How many finished steps of a match stay in memory; the rest is read from the database when it is wanted."""

    def database_url(self) -> str:
        given = self.database or os.environ.get("SANDTABLE_DATABASE", "")
        if given:
            return with_driver(given)
        folder = user_data_path("sandtable", appauthor=False, ensure_exists=True)
        return f"sqlite:///{folder / 'tables.sqlite3'}"


def with_driver(url: str) -> str:
    """`postgres://` and `postgresql://` mean the driver that we use."""
    for begin in ("postgres://", "postgresql://"):
        if url.startswith(begin):
            return "postgresql+psycopg://" + url[len(begin) :]
    return url
