"""The tables of the database."""

from __future__ import annotations

import threading
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

standings = Table(
    "standings",
    metadata,
    Column("match", String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("last", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("waiting", String(8), nullable=False),
    Column("turn", Integer, nullable=False),
)
"""How each match stands, and its last row in the journal."""

journal = Table(
    "journal",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("match", String(32), nullable=False),
    Column("before", BigInteger, nullable=False),
    Column("lines", LargeBinary, nullable=False),
)
"""What happened in all matches, one row after the other; each names the row of its match before it (0: none), so that what
has just been written stands together on the disk and no index has to be kept."""


class StorageError(SandtableError):
    """The database did not take or give what it should."""

    code = "storage"


class Row(msgspec.Struct, frozen=True):
    """What one answer (or undo) brought about."""

    match: str
    id: int
    before: int
    """The id of the match's row before it."""
    lines: bytes
    waiting: str
    """Whom the match waits for after it; empty when it is over."""
    turn: int


_latest = 0
_one_by_one = threading.Lock()


def next_id(before: int) -> int:
    """An id for the row after another: the time in microseconds, but always later than those before."""
    global _latest
    with _one_by_one:  # matches are played in several threads
        _latest = max(_latest + 1, before + 1, time.time_ns() // 1000)
        return _latest


def now() -> int:
    """Milliseconds, for lists only: no rule ever sees a clock."""
    return int(time.time() * 1000)
