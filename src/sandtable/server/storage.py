"""Where matches are kept: SQLite or PostgreSQL, through SQLAlchemy.

The journal of a match is its save, line by line (see `sandtable.kernel.saves`): a row holds the lines that one answer
brought about. Rows are only ever added. What came together is stored together: one thread writes, and everything that
has gathered while it wrote goes into its next transaction.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    and_,
    create_engine,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool

from sandtable.kernel.errors import SandtableError

log = logging.getLogger(__name__)

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


GATHER = 0.005
"""How long (seconds) a busy server gathers answers for one commit."""


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


class StoredSeat(msgspec.Struct, frozen=True):
    match: str
    side: str
    """`a`, `b`, or `public` for those who watch."""
    kind: str
    """`person`, `bot` or `spectator`"""
    bot: str = ""
    name: str = ""
    token_hash: str | None = None


class StoredMatch(msgspec.Struct, frozen=True):
    id: str
    game: str
    title: str
    created: int
    head: bytes


class Standing(msgspec.Struct, frozen=True):
    """How a match stands, for lists, without opening it."""

    match: StoredMatch
    seats: tuple[StoredSeat, ...]
    changed: int
    waiting: str
    turn: int


def now() -> int:
    """Milliseconds, for lists only: no rule ever sees a clock."""
    return int(time.time() * 1000)


def open_engine(url: str) -> Engine:
    """An engine for a database URL, with SQLite set up for many readers and one writer."""
    engine = create_engine(url, poolclass=QueuePool, pool_size=4, max_overflow=8, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _prepare(connection: Any, _: Any) -> None:
            cursor = connection.cursor()
            # WAL: readers never wait. FULL: a commit is on the disk before it is acknowledged.
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 10000"):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

    return engine


class Storage:
    """The database. Its methods wait for it: call them in a thread, except `append`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.writer = Writer(engine)

    def close(self) -> None:
        self.writer.close()
        self.engine.dispose()

    # -- writing --------------------------------------------------------------------------------------------------

    def create(self, match: StoredMatch, held: Iterable[StoredSeat], rows: Sequence[Row]) -> None:
        """A new match with its seats and what has happened in it already."""
        with self.engine.begin() as connection:
            connection.execute(insert(matches), [msgspec.to_builtins(match, builtin_types=(bytes,))])
            connection.execute(insert(seats), [msgspec.to_builtins(seat) for seat in held])
            if rows:
                connection.execute(insert(journal), [_values(row) for row in rows])

    def append(self, row: Row) -> asyncio.Future[None]:
        """Store a row; done when it is safe. On the event loop only."""
        return self.writer.store(row)

    # -- reading --------------------------------------------------------------------------------------------------

    def read(self, id: str) -> tuple[StoredMatch, tuple[StoredSeat, ...], list[bytes]]:
        """A match, its seats and its journal."""
        with self.engine.connect() as connection:
            found = connection.execute(select(matches).where(matches.c.id == id)).one_or_none()
            if found is None:
                raise StorageError(f"there is no match {id}")
            held = connection.execute(select(seats).where(seats.c.match == id).order_by(seats.c.side)).all()
            lines = connection.execute(select(journal.c.lines).where(journal.c.match == id).order_by(journal.c.number)).scalars().all()
        return StoredMatch(**found._mapping), tuple(StoredSeat(**seat._mapping) for seat in held), [bytes(line) for line in lines]

    def seat(self, token_hash: str) -> StoredSeat | None:
        """The seat that a token holds."""
        with self.engine.connect() as connection:
            found = connection.execute(select(seats).where(seats.c.token_hash == token_hash)).one_or_none()
        return None if found is None else StoredSeat(**found._mapping)

    def standing(self, ids: Sequence[str]) -> list[Standing]:
        """How some matches stand, the one played last first."""
        last = select(journal.c.match, func.max(journal.c.number).label("number")).where(journal.c.match.in_(ids))
        newest = last.group_by(journal.c.match).subquery()
        columns = (journal.c.match, journal.c.stored, journal.c.waiting, journal.c.turn)
        joined = select(*columns).join(newest, and_(journal.c.match == newest.c.match, journal.c.number == newest.c.number))
        with self.engine.connect() as connection:
            found = connection.execute(select(matches).where(matches.c.id.in_(ids))).all()
            held = connection.execute(select(seats).where(seats.c.match.in_(ids)).order_by(seats.c.side)).all()
            rows = {row.match: row for row in connection.execute(joined)}
        stands = []
        for one in found:
            row = rows.get(one.id)
            mine = tuple(StoredSeat(**seat._mapping) for seat in held if seat.match == one.id)
            changed, waiting, turn = (one.created, "", 0) if row is None else (row.stored, row.waiting, row.turn)
            stands.append(Standing(StoredMatch(**one._mapping), mine, changed, waiting, turn))
        return sorted(stands, key=lambda standing: (-standing.changed, standing.match.id))


def _values(row: Row) -> dict[str, Any]:
    return {"match": row.match, "number": row.number, "stored": now(), "waiting": row.waiting, "turn": row.turn, "lines": row.lines}


class Writer:
    """The thread that stores answers. What has gathered since its last commit becomes one transaction."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        compiled = insert(journal).compile(dialect=engine.dialect, column_keys=[column.name for column in journal.columns])
        self._insert, self._order = str(compiled), compiled.positiontup  # compiled once, for every commit
        self._gathered: list[tuple[Row, asyncio.Future[None]]] = []
        self._many = False  # many answers come in: it pays to gather them a little longer
        self._busy = False  # a batch is under way, or about to be
        self._closed = False
        self._batches: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, list[tuple[Row, asyncio.Future[None]]]] | None]
        self._batches = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="sandtable-writer", daemon=True)
        self._thread.start()

    def store(self, row: Row) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        if self._closed:
            future.set_exception(StorageError("the server is going down"))
            return future
        self._gathered.append((row, future))
        if not self._busy:
            self._busy = True
            if self._many:
                loop.call_later(GATHER, self._hand_over, loop)
            else:
                loop.call_soon(self._hand_over, loop)  # after all that has just come in
        return future

    def close(self) -> None:
        """Wait until everything handed over is stored."""
        self._closed = True
        self._batches.put(None)
        self._thread.join()

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._gathered = self._gathered, []
        self._many = len(batch) >= 3
        self._batches.put((loop, batch))

    def _done(self, loop: asyncio.AbstractEventLoop, batch: list[tuple[Row, asyncio.Future[None]]], problems: dict[int, Exception]) -> None:
        if not self._gathered:
            self._busy = False
        elif self._many:
            loop.call_later(GATHER, self._hand_over, loop)
        else:
            self._hand_over(loop)
        for place, (_, future) in enumerate(batch):
            if future.done():
                continue
            if place in problems:
                future.set_exception(StorageError("the answer could not be stored"))
            else:
                future.set_result(None)

    def _write(self) -> None:
        while (taken := self._batches.get()) is not None:
            loop, batch = taken
            problems: dict[int, Exception] = {}
            try:
                self._store([row for row, _ in batch])
            except SQLAlchemyError:  # one of them is to blame: the others are stored
                for place, (row, _) in enumerate(batch):
                    try:
                        self._store([row])
                    except SQLAlchemyError as problem:
                        log.error("a row of the journal of match %s could not be stored: %s", row.match, problem)
                        problems[place] = problem
            try:
                loop.call_soon_threadsafe(self._done, loop, batch, problems)
            except RuntimeError:  # the loop is gone, and everybody who waited with it
                return

    def _store(self, rows: list[Row]) -> None:
        with self.engine.begin() as connection:
            connection.exec_driver_sql(self._insert, [self._parameters(row) for row in rows])

    def _parameters(self, row: Row) -> Any:
        """As this database's driver wants them: by name, or in order."""
        values = _values(row)
        return values if self._order is None else tuple([values[name] for name in self._order])
