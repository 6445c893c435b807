"""The tables of the database."""

from __future__ import annotations

import time

import msgspec
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, MetaData, String, Table

from sandtable.kernel.errors import SandtableError

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("title", String(200), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("head", LargeBinary, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("side", String(8), primary_key=True),
    Column("kind", String(12), nullable=False),
    Column("bot", String(64), nullable=False, default=""),
    Column("name", String(64), nullable=False, default=""),
    Column("token_hash", String(64), nullable=True, unique=True),
)

journal = Table(
    "journal",
    metadata,
    Column("match", String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("stored", BigInteger, nullable=False),
    Column("waiting", String(8), nullable=False, default=""),
    Column("turn", Integer, nullable=False, default=0),
    Column("lines", LargeBinary, nullable=False),
)


class StorageError(SandtableError):
    """The database did not take or give what it should."""

    code = "storage"


class Row(msgspec.Struct, frozen=True):
    """What one answer (or undo) brought about."""

    match: str
    number: int
    lines: bytes
    waiting: str
    """Whom the match waits for after it; empty when it is over."""
    turn: int


def now() -> int:
    """Milliseconds, for lists only: no rule ever sees a clock."""
    return int(time.time() * 1000)
