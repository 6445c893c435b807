"""The interface as it is described: OpenAPI against what the server does, and the types for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from sandtable.server.typescript import types

from .table import Client, Server, bearer, new_match

WEB = Path(__file__).parents[2] / "web" / "src"


@pytest.fixture
def seat(server: Server) -> str:
    """The token of a seat that is asked to move a piece."""
    tokens = new_match(server.http)
    with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
        a.hello().answer("attack")
        b.hello().listen(lambda: b.request is not None).answer("attack")
    return tokens["a"]


def test_the_server_does_what_the_schema_says(server: Server, seat: str) -> None:
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/schema/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 19
    for operation in operations:

        @given(operation.as_strategy())
        @settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
        def try_out(case: Any) -> None:
            # a body may be well formed and still be refused (422): a game that is not there, a question that is not asked
            case.call_and_validate(headers=bearer(seat), excluded_checks=[positive_data_acceptance])

        try_out()


def test_the_types_for_the_browser_are_up_to_date() -> None:
    text = types()
    assert "export interface Changes {" in text and "export type ServerMessage = Changes | Hello | Present | Refused;" in text
    if WEB.is_dir():
        written = (WEB / "protocol.ts").read_text("utf-8")
        assert written == text, "run: python -m sandtable.server.typescript web/src/protocol.ts"
