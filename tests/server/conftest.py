"""Servers for the tests: one that most of them share, on a file of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from sandtable.server.settings import Settings

from .table import Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    settings = Settings(database=f"sqlite:///{folder}/tables.sqlite3", requests_a_second=100_000, messages_a_second=10_000.0)
    with running(settings) as found:
        yield found


@pytest.fixture(scope="session")
def _postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL of our own, where one is installed."""
    programs = _postgresql_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    pytest.importorskip("psycopg")
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user and not (shutil.which("runuser") and _has_user("postgres")):
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    folder = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
    if user:
        shutil.chown(folder, "postgres")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]

    def run(*command: str) -> None:
        done = subprocess.run([*user, *command], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"PostgreSQL cannot be started here: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")

    run(str(programs / "initdb"), "-D", str(folder / "data"), "-A", "trust", "-U", "sandtable", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    run(str(programs / "pg_ctl"), "-D", str(folder / "data"), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql+psycopg://sandtable@127.0.0.1:{port}"
    finally:
        subprocess.run(
            [*user, str(programs / "pg_ctl"), "-D", str(folder / "data"), "-m", "immediate", "stop"], cwd=folder, capture_output=True
        )
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgresql(_postgresql: str) -> str:
    """The URL of an empty PostgreSQL database."""
    name = f"t{secrets.token_hex(6)}"
    engine = create_engine(f"{_postgresql}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return f"{_postgresql}/{name}"


def _postgresql_programs() -> Path | None:
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


def _has_user(name: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
