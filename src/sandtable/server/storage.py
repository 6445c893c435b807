"""Where matches are kept: SQLite or PostgreSQL, through SQLAlchemy.

The journal of a match is its save, line by line (see `sandtable.kernel.saves`): a row holds the lines that one answer
brought about. Rows are only ever added.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Engine, create_engine, event, insert, select
from sqlalchemy.pool import QueuePool

from sandtable.server.tables import Row, StorageError, journal, matches, metadata, now, seats, standings
from sandtable.server.writing import INSERT, INSERT_ORDER, Syncer, Then, Writer

__all__ = ["Row", "Standing", "Storage", "StorageError", "StoredMatch", "StoredSeat", "metadata", "now", "open_engine"]


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


def open_engine(url: str) -> Engine:
    """An engine for a database URL, with SQLite set up for many readers and one writer."""
    engine = create_engine(url, poolclass=QueuePool, pool_size=4, max_overflow=8, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _prepare(connection: Any, _: Any) -> None:
            cursor = connection.cursor()
            # WAL: readers never wait. NORMAL: a commit outlives the program at once, and a power cut within a second (`Syncer`).
            for pragma in (
                "journal_mode = WAL",
                "synchronous = NORMAL",
                "wal_autocheckpoint = 20000",
                "foreign_keys = ON",
                "busy_timeout = 10000",
            ):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

    return engine


class Storage:
    """The database. Its methods wait for it: call them in a thread, except `store` and `append`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.writer = Writer(engine)
        self.syncer = Syncer(engine, self.writer) if engine.dialect.name == "sqlite" else None

    def close(self) -> None:
        self.writer.close()
        if self.syncer is not None:
            self.syncer.close()
        self.engine.dispose()

    # -- writing --------------------------------------------------------------------------------------------------

    def create(self, match: StoredMatch, held: Iterable[StoredSeat], row: Row) -> None:
        """A new match with its seats and what has happened in it already."""
        stands = {"match": match.id, "last": row.id, "changed": match.created, "waiting": row.waiting, "turn": row.turn}
        with self.engine.begin() as connection:
            connection.execute(insert(matches), [msgspec.to_builtins(match, builtin_types=(bytes,))])
            connection.execute(insert(seats), [msgspec.to_builtins(seat) for seat in held])
            connection.execute(insert(standings), stands)
            connection.execute(INSERT, {name: getattr(row, name) for name in INSERT_ORDER})

    def store(self, row: Row, then: Then) -> None:
        """Store a row, and then do something. On the event loop only."""
        self.writer.store(row, then)

    async def append(self, row: Row) -> None:
        """Store a row: StorageError if it cannot be."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def then(problem: StorageError | None) -> None:
            if stored.done():  # nobody waits any more
                return
            if problem is None:
                stored.set_result(None)
            else:
                stored.set_exception(problem)

        self.writer.store(row, then)
        await stored

    # -- reading --------------------------------------------------------------------------------------------------

    def read(self, id: str) -> tuple[StoredMatch, tuple[StoredSeat, ...], list[bytes], int]:
        """A match, its seats, its journal, and the id of the last row of that."""
        row = journal.alias()
        back = select(journal).join(standings, standings.c.last == journal.c.id).where(standings.c.match == id).cte(recursive=True)
        back = back.union_all(select(row).join(back, row.c.id == back.c.before))
        with self.engine.connect() as connection:
            found = connection.execute(select(matches).where(matches.c.id == id)).one_or_none()
            if found is None:
                raise StorageError(f"there is no match {id}")
            held = connection.execute(select(seats).where(seats.c.match == id).order_by(seats.c.side)).all()
            rows = connection.execute(select(back.c.id, back.c.lines).order_by(back.c.id)).all()
        texts = [bytes(row.lines) for row in rows]
        return StoredMatch(**found._mapping), tuple(StoredSeat(**seat._mapping) for seat in held), texts, rows[-1].id if rows else 0

    def seat(self, token_hash: str) -> StoredSeat | None:
        """The seat that a token holds."""
        with self.engine.connect() as connection:
            found = connection.execute(select(seats).where(seats.c.token_hash == token_hash)).one_or_none()
        return None if found is None else StoredSeat(**found._mapping)

    def standing(self, ids: Sequence[str]) -> list[Standing]:
        """How some matches stand, the one played last first."""
        with self.engine.connect() as connection:
            found = connection.execute(select(matches, standings).join(standings).where(matches.c.id.in_(ids))).mappings().all()
            held = connection.execute(select(seats).where(seats.c.match.in_(ids)).order_by(seats.c.side)).all()
        stands = []
        for one in found:
            mine = tuple(StoredSeat(**seat._mapping) for seat in held if seat.match == one["id"])
            match = StoredMatch(**{name: one[name] for name in StoredMatch.__struct_fields__})
            stands.append(Standing(match, mine, one["changed"], one["waiting"], one["turn"]))
        return sorted(stands, key=lambda standing: (-standing.changed, standing.match.id))
