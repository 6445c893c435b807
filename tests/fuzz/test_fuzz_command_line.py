"""Any command line, any files: exit code 0, 1 or 2, a message if it is 2, never a traceback, and no file is changed."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.cli import main
from sandtable.kernel.game import load_game
from sandtable.kernel.saves import save_match

from .strategies import json_values, mutated, no_hang

load_game("toy")

from sandtable.games.toy.playing import played  # noqa: E402

SHOT = {"range": "short", "cover": True, "dice": 2}
WORDS = [
    "play",
    "games",
    "tables",
    "resolve",
    "odds",
    "replay",
    "verify",
    "validate",
    "rules",
    "toy",
    "shot",
    "to_hit",
    "bridge",
    "toy/bridge",
]
OPTIONS = ["--json", "--input", "--dice", "--seed", "--field", "--batch", "--language", "--side", "--game", "--kind", "--text", "--typed"]
VALUES = ["-", "", "1", "4,5", "hits", "rolls", "en", "pl", "a", "b", "force", "FILE", "FOLDER", "nowhere", "--", "-1", "\udcff", "é"]


@pytest.fixture(scope="module", autouse=True)
def no_server() -> Iterator[None]:
    """`play` in the browser goes on until its player ends it: here it comes as far as the server's door."""
    with mock.patch("sandtable.server.running.serve"):
        yield


class Standard(io.TextIOWrapper):
    """Standard input or output in memory."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), "utf-8")

    def bytes(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()  # type: ignore[attr-defined,no-any-return]


def run(arguments: list[str], stdin: bytes) -> tuple[int, bytes, bytes]:
    out, err, before = Standard(), Standard(), sys.stdin
    sys.stdin = Standard(stdin)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), no_hang():
            code = main(arguments)
        return code, out.bytes(), err.bytes()
    finally:
        sys.stdin = before


def check(arguments: list[str], stdin: bytes) -> int:
    code, out, err = run(arguments, stdin)
    assert code in (0, 1, 2), err
    if code == 2:  # a message, which `validate --json` puts into its answer
        assert err.strip() or ("--json" in arguments and json.loads(out))
    assert b"Traceback" not in err + out and b'"bug"' not in out
    return code


FILES = st.sampled_from(
    [
        json.dumps(SHOT).encode(),
        b'{"procedure": "shot", "input": {"range": "short"}, "dice": [4]}\n',
        b'id = "x"\nname = "X"\npieces = 2\n',
        b'id = "s"\nname = "S"\nturns = 2\na = "reds"\nb = "blues"\n',
    ]
)


@given(st.lists(st.sampled_from(WORDS + OPTIONS + VALUES), max_size=8), FILES | st.binary(max_size=60), FILES | st.binary(max_size=60))
def test_any_command_line(arguments: list[str], stdin: bytes, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        check([{"FILE": str(path), "FOLDER": folder}.get(word, word) for word in arguments], stdin)
        assert path.read_bytes() == content and list(Path(folder).iterdir()) == [path]


@given(st.data(), st.sampled_from(["resolve", "odds"]))
def test_any_batch_has_an_answer_for_every_line(data: st.DataObject, command: str) -> None:
    line = {"procedure": "shot", "input": SHOT, "dice": [4, 4], "fields": ["hits"]}
    texts = []
    for _ in range(data.draw(st.integers(0, 5))):
        if data.draw(st.booleans()):
            texts.append(json.dumps(data.draw(mutated(line))).encode())
        else:
            texts.append(data.draw(st.binary(max_size=20) | json_values.map(lambda value: json.dumps(value).encode())).replace(b"\n", b""))
    code, out, err = run([command, "toy", "--batch", "-"], b"\n".join(texts))
    assert code == 0 and err == b""
    answers = [json.loads(text) for text in out.splitlines()]
    assert len(answers) == sum(bool(text.strip()) for text in texts)
    for answer in answers:
        assert set(answer) in ({"error"}, {"outcomes"}, {"outcome", "trace", "dice"})
        assert answer.get("error", {}).get("code") != "bug"


@given(st.data(), st.sampled_from(["replay", "verify", "validate"]))
def test_any_save_on_the_command_line(data: st.DataObject, command: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "save"
        save_match(played(data.draw(st.integers(0, 2))), path)
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place] = data.draw(mutated(lines[place]))
        content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)[: data.draw(st.integers(0, 20_000))]
        path.write_bytes(content)
        check([command, str(path)], b"")
        assert path.read_bytes() == content


@given(
    st.lists(
        st.sampled_from(
            ["1", "2", "", "n 3", "to b1", "all", "none", "12,12", "undo", "yes", "why", "map", "look", "log", "x", "0", "done"]
        )
    )
)
def test_any_typed_game(lines: list[str]) -> None:
    check(["play", "toy/bridge", "--seed", "3", "--hot-seat"], "\n".join(lines).encode())
