"""Servers for the tests: one that most of them share, on a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.server.settings import Settings

from .table import Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    settings = Settings(database=f"sqlite:///{folder}/tables.sqlite3", requests_a_second=100_000, messages_a_second=10_000.0)
    with running(settings) as found:
        yield found
