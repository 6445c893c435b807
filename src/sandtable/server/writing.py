"""Storing answers. What has come together is stored together, in one transaction.

An SQLite file takes a transaction in less time than it takes to hand it to a thread, so the event loop does that itself;
if it cannot be done at once (somebody else is writing, the disk is full), and for PostgreSQL always, a thread does it.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, bindparam, insert, update
from sqlalchemy.exc import SQLAlchemyError

from sandtable.server.tables import Row, StorageError, journal, now, standings

log = logging.getLogger(__name__)

INSERT = insert(journal)
INSERT_ORDER = ["id", "match", "before", "lines"]
UPDATE = (
    update(standings)
    .values(last=bindparam("id"), changed=bindparam("at"), waiting=bindparam("who"), turn=bindparam("which"))
    .where(standings.c.match == bindparam("of"), standings.c.last == bindparam("before"))
)
UPDATE_ORDER = ["id", "at", "who", "which", "of", "before"]

GATHER = 0.001
"""How long (seconds) a busy server gathers answers for one commit."""

Then = Callable[[StorageError | None], None]
"""What is to be done on the event loop when a row is stored, or cannot be."""

Batch = list[tuple[Row, Then]]


class Writer:
    """Stores rows of the journal, each only after the one that it says is before it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.commits = 0
        # compiled once, for every commit
        adding, moving = INSERT.compile(dialect=engine.dialect, column_keys=INSERT_ORDER), UPDATE.compile(dialect=engine.dialect)
        assert adding.positiontup in (None, INSERT_ORDER) and moving.positiontup in (None, UPDATE_ORDER)
        self._insert, self._update, self._by_name = str(adding), str(moving), not adding.positional
        self._here: Any = None  # a connection for commits on the event loop
        if engine.dialect.name == "sqlite":
            self._here = engine.raw_connection()
            self._driver: Any = self._here.driver_connection
            self._cursor = self._driver.cursor()
            self._cursor.execute("PRAGMA busy_timeout = 0")
        self._gathered: Batch = []
        self._many = False  # many answers come in: it pays to gather them a little longer
        self._busy = False  # a batch is under way, or about to be
        self._closed = False
        self._batches: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, Batch] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="sandtable-writer", daemon=True)
        self._thread.start()

    def store(self, row: Row, then: Then) -> None:
        """Store a row. On the event loop only."""
        if self._closed:
            asyncio.get_running_loop().call_soon(then, StorageError("the server is going down"))
            return
        self._gathered.append((row, then))
        if not self._busy:
            self._busy = True
            self._soon(asyncio.get_running_loop())

    def close(self) -> None:
        """Wait until everything handed over is stored."""
        self._closed = True
        self._batches.put(None)
        self._thread.join()
        if self._here is not None:
            self._here.detach()
            self._here.close()

    def _soon(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._many:
            loop.call_later(GATHER, self._go, loop)
        else:
            loop.call_soon(self._go, loop)  # after all that has just come in

    def _go(self, loop: asyncio.AbstractEventLoop) -> None:
        """Store what has gathered: at once if that can be done, else in the thread."""
        batch, self._gathered = self._gathered, []
        self._many = len(batch) >= 3
        if self._here is not None and not self._closed and self._at_once(batch):
            self._done(loop, batch, {})
        else:
            self._batches.put((loop, batch))

    def _done(self, loop: asyncio.AbstractEventLoop, batch: Batch, problems: dict[int, Exception]) -> None:
        if self._gathered:
            self._soon(loop)
        else:
            self._busy = False
        for place, (row, then) in enumerate(batch):
            try:
                then(StorageError("the answer could not be stored") if place in problems else None)
            except Exception:  # whatever it is, the others have to be told
                log.exception("what was to follow a stored answer of match %s failed", row.match)

    def _values(self, rows: list[Row]) -> tuple[list[Any], list[Any]]:
        """What to insert into the journal, and how the matches stand then."""
        at = now()
        added: list[Any] = [(row.id, row.match, row.before, row.lines) for row in rows]
        moved: list[Any] = [(row.id, at, row.waiting, row.turn, row.match, row.before) for row in rows]
        if self._by_name:
            added = [dict(zip(INSERT_ORDER, value, strict=True)) for value in added]
            moved = [dict(zip(UPDATE_ORDER, value, strict=True)) for value in moved]
        return added, moved

    def _at_once(self, batch: Batch) -> bool:
        self.commits += 1
        try:
            added, moved = self._values([row for row, _ in batch])
            self._cursor.executemany(self._insert, added)
            self._cursor.executemany(self._update, moved)
            if self._cursor.rowcount == len(batch):
                self._driver.commit()
                return True
        except Exception:  # locked, or a row that cannot be: the thread has the time to find out
            pass
        self._driver.rollback()
        return False

    def _store(self, rows: list[Row]) -> None:
        self.commits += 1
        added, moved = self._values(rows)
        with self.engine.begin() as connection:
            connection.exec_driver_sql(self._insert, added)
            if connection.exec_driver_sql(self._update, moved).rowcount != len(rows):
                raise StorageError("somebody else has gone on with the match")

    def _write(self) -> None:
        while (taken := self._batches.get()) is not None:
            loop, batch = taken
            problems: dict[int, Exception] = {}
            try:
                self._store([row for row, _ in batch])
            except (SQLAlchemyError, StorageError):  # one of them is to blame: the others are stored
                for place, (row, _) in enumerate(batch):
                    try:
                        self._store([row])
                    except (SQLAlchemyError, StorageError) as problem:
                        log.error("a row of the journal of match %s could not be stored: %s", row.match, problem)
                        problems[place] = problem
            try:
                loop.call_soon_threadsafe(self._done, loop, batch, problems)
            except RuntimeError:  # the loop is gone, and everybody who waited with it
                return


class Syncer:
    """Once a second brings what was committed to an SQLite file onto the disk for good, beside the writer, not in its way."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self.engine, self.writer = engine, writer
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sandtable-syncer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        synced = 0
        while not self._stop.wait(1.0):
            if self.writer.commits == synced:
                continue
            synced = self.writer.commits
            try:
                with self.engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
            except SQLAlchemyError as problem:
                log.warning("the database could not be brought to the disk now: %s", problem)
