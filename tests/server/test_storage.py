"""The database: migrations, PostgreSQL, matches that leave memory and come back, and storage that fails."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from sandtable.server.live import Denied, Lines
from sandtable.server.migrating import migrate
from sandtable.server.settings import Settings, with_driver
from sandtable.server.storage import Row, Storage, StorageError, StoredMatch, StoredSeat, metadata, open_engine
from sandtable.server.tables import next_id

from .table import Client, any_answer, new_match, play, running


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.sqlite3"
    return str(request.getfixturevalue("postgresql"))


def test_migrations_make_the_tables_that_the_code_means(database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    engine = open_engine(with_driver(database))
    migrate(engine)
    migrate(engine)  # nothing left to do
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert {"matches", "seats", "standings", "journal", "alembic_version"} <= set(inspect(connection).get_table_names())
    engine.dispose()


def test_matches_of_the_first_version_of_the_tables_live_on(database: str) -> None:
    engine = open_engine(with_driver(database))
    migrate(engine, "0001")
    with engine.begin() as connection:
        for match in ("m", "n", "empty"):
            connection.execute(text("INSERT INTO matches VALUES (:match, 'toy', '', 7, :head)"), {"match": match, "head": b"{}"})
        for match, number, stored, waiting, turn in (("m", 0, 10, "a", 1), ("n", 0, 11, "b", 1), ("m", 1, 12, "b", 1), ("m", 2, 13, "", 2)):
            row = {
                "match": match,
                "number": number,
                "stored": stored,
                "waiting": waiting,
                "turn": turn,
                "lines": f"{match}{number}".encode(),
            }
            connection.execute(text("INSERT INTO journal VALUES (:match, :number, :stored, :waiting, :turn, :lines)"), row)
    migrate(engine)
    storage = Storage(engine)
    assert storage.read("m")[2] == [b"m0", b"m1", b"m2"] and storage.read("n")[2] == [b"n0"] and storage.read("empty")[2:] == ([], 0)
    stands = {stand.match.id: (stand.changed, stand.waiting, stand.turn) for stand in storage.standing(["m", "n", "empty"])}
    assert stands == {"m": (13, "", 2), "n": (11, "b", 1), "empty": (7, "", 0)}

    async def go_on() -> None:
        last = storage.read("n")[3]
        await storage.append(Row("n", next_id(last), last, b"n1", "a", 2))

    asyncio.run(go_on())
    assert storage.read("n")[2] == [b"n0", b"n1"] and storage.standing(["n"])[0].waiting == "a"
    storage.close()


def test_a_game_on_either_database(database: str) -> None:
    settings = Settings(database=database, requests_a_second=10_000, messages_a_second=10_000.0)
    with running(settings) as server:
        tokens = new_match(server.http)
        with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
            a.hello(), b.hello()
            play(a, b, moves=6)
            a.quiet(0.05)
    with running(settings) as server:
        with Client(server.port, tokens["a"]) as again, Client(server.port, tokens["b"]) as b:
            again.hello(), b.hello()
            assert again.table == a.table and again.log == a.log and again.number == a.number
            play(again, b)
            again.listen(lambda: again.over)
        mine = server.http.post("/api/matches/mine", json={"tokens": [tokens["a"]]}).json()
        assert mine[0].get("waiting", "") == "" and mine[0]["turn"] == 2


def test_matches_leave_memory_when_nobody_looks(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", idle_seconds=0.1, requests_a_second=1000, messages_a_second=1000.0)
    with running(settings) as server:
        matches = server.application.matches
        assert matches is not None
        tokens = new_match(server.http)
        with Client(server.port, tokens["a"]) as a:
            a.hello().answer("attack")
            time.sleep(0.4)
            assert len(matches.in_memory()) == 1, "somebody looks"
        for _ in range(100):
            if not matches.in_memory():
                break
            time.sleep(0.05)
        assert matches.in_memory() == []
        with Client(server.port, tokens["a"], era=a.era, seen=len(a.log)) as again:
            again.hello()
            assert again.table == a.table and again.log == a.log and again.number == 1


def test_a_long_match_stays_small_in_memory(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", remembered_steps=2, requests_a_second=1000, messages_a_second=1000.0)
    with running(settings) as server:
        matches = server.application.matches
        assert matches is not None
        tokens = new_match(server.http, b={"bot": "random"})
        with Client(server.port, tokens["a"]) as a:
            a.hello()
            while not a.over:
                a.listen(lambda: a.request is not None or a.over)
                if not a.over:
                    a.answer(any_answer(a.request))
                (live,) = matches.in_memory()
                assert len(live.match.checkpoints) <= 5
            assert live.match.gone > 0
            whole = server.http.get("/api/match/log?count=1000", headers={"Authorization": f"Bearer {tokens['a']}"}).json()
            assert whole["log"] == a.log
            with Client(server.port, tokens["a"]) as again:
                assert again.hello().first > 0 and again.log[again.first :] == a.log[again.first :]


def test_an_answer_that_cannot_be_stored_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", requests_a_second=1000, messages_a_second=1000.0)
    with running(settings) as server:
        matches = server.application.matches
        assert matches is not None
        tokens = new_match(server.http)
        with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
            a.hello(), b.hello()
            with monkeypatch.context() as patch:
                patch.setattr(matches.storage.writer, "_insert", "INSERT INTO nowhere VALUES (?, ?, ?, ?, ?, ?)")
                a.send({"type": "answer", "number": 0, "answer": "attack"})
                a.listen(lambda: bool(a.refusals))
                assert a.refusals[-1]["code"] == "not_stored" and a.number == 0
            with Client(server.port, tokens["a"]) as again:
                assert again.hello().number == 0 and again.log == []
                again.answer("hold")


def test_a_mistake_in_the_rules_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.games.toy.game import STEPS

    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", requests_a_second=1000, messages_a_second=1000.0)
    with running(settings) as server:
        tokens = new_match(server.http)
        with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
            a.hello(), b.hello()
            a.answer("attack")
            b.listen(lambda: b.request is not None)
            with monkeypatch.context() as patch:

                def broken(_: object) -> None:
                    raise ZeroDivisionError("a mistake")

                patch.setitem(STEPS, "move", broken)
                b.send({"type": "answer", "number": 0, "answer": "hold"})
                b.listen(lambda: bool(b.refusals))
                assert b.refusals[-1]["code"] == "mistake" and "ZeroDivision" not in b.raw[-1]
        with Client(server.port, tokens["b"]) as again:
            assert again.hello().request["decision"] == "TOY-PLAN-01"
            again.answer("hold")


def test_a_bot_that_fails_is_replaced_by_any_legal_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.games.toy.bots import Advancing

    def lost(*_: object) -> object:
        raise RuntimeError("no idea")

    monkeypatch.setattr(Advancing, "answer", lost)
    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", requests_a_second=1000, messages_a_second=1000.0)
    with running(settings) as server:
        tokens = new_match(server.http, a={"bot": "bot"}, b={"bot": "random"})
        with Client(server.port, tokens["public"]) as public:
            public.hello().listen(lambda: public.over)


def test_a_thinking_bot_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.games.toy.bots import Advancing

    answer = Advancing.answer

    def slow(self: Advancing, *given: object) -> object:
        end = time.monotonic() + 0.6
        while time.monotonic() < end:
            sum(range(1000))
        return answer(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Advancing, "answer", slow)
    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", requests_a_second=1000, messages_a_second=1000.0)
    with running(settings) as server:
        slow_tokens, tokens = new_match(server.http, b={"bot": "bot"}), new_match(server.http)
        with Client(server.port, slow_tokens["a"]) as against, Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
            against.hello().answer("attack")
            a.hello(), b.hello()
            begun = time.monotonic()
            play(a, b, moves=5)
            assert time.monotonic() - begun < 0.6, "five answers of others take less time than one thought of the bot"
            against.listen(lambda: against.request is not None)


def test_two_servers_on_one_database_cannot_both_write(tmp_path: Path) -> None:
    """A row has its number: a second server that played the same match on would be refused, not believed."""
    storage = Storage(open_engine(f"sqlite:///{tmp_path}/x.sqlite3"))
    migrate(storage.engine)
    storage.create(StoredMatch("m", "toy", "", 0, b""), [StoredSeat("m", "a", "person")], Row("m", 1, 0, b"", "a", 0))

    async def write() -> None:
        await storage.append(Row("m", 2, 1, b"one", "a", 0))
        both = storage.append(Row("m", 3, 2, b"two", "a", 0)), storage.append(Row("m", 4, 2, b"other", "a", 0))
        good, bad = await asyncio.gather(*both, return_exceptions=True)
        assert good is None and isinstance(bad, StorageError)

    asyncio.run(write())
    assert storage.read("m")[2] == [b"", b"one", b"two"]
    storage.close()


def test_lines_and_denials_are_plain() -> None:
    lines = Lines()
    lines.undone(3)
    assert lines.take() == b'{"undo":3}\n' and lines.take() == b""
    assert str(Denied.because("stale", "refused.stale")) == "stale"
