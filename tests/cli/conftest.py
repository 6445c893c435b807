"""Running commands in this process, as a user would see them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from sandtable.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def command(*arguments: object, stdin: bytes | str = b"") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return command


@pytest.fixture
def refused(run: Callable[..., Ran]) -> Callable[..., str]:
    """A command that must fail as the contract says; its message."""

    def command(*arguments: object, stdin: bytes | str = b"") -> str:
        code, out, err = run(*arguments, stdin=stdin)
        assert code == 2, (out, err)
        assert out == ""
        assert err.startswith("sandtable: ") and "Traceback" not in err
        return err

    return command
