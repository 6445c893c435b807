"""The command line. Everything beyond reading the command is imported by the command that needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

BAD_INPUT = 2
BUG = 70
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Whatever is wrong with the input is one message on stderr and exit code 2."""
    from cyclopts import CycloptsError

    from sandtable.cli.app import app
    from sandtable.kernel.errors import SandtableError

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a letter that is lacking, here or there, is a question mark
    try:
        command, bound, _ = app.parse_args(sys.argv[1:] if arguments is None else list(arguments), print_error=False, exit_on_error=False)
        code = command(*bound.args, **bound.kwargs)
        sys.stdout.flush()
    except CycloptsError as problem:
        return _refuse(f"{problem} (`sandtable --help` shows the commands, `sandtable COMMAND --help` one of them)")
    except SandtableError as problem:
        return _refuse(str(problem))
    except BrokenPipeError:  # the reader has seen enough: `sandtable tables ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as problem:
        place = f"{problem.filename}: " if problem.filename else ""
        return _refuse(f"{place}{problem.strerror or problem}")
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except Exception as problem:
        if os.environ.get("SANDTABLE_DEBUG"):
            raise
        _refuse(f"this is a mistake in sandtable, not in your input: {problem!r} (SANDTABLE_DEBUG=1 shows where)")
        return BUG
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    print(f"sandtable: {message}", file=sys.stderr)
    return BAD_INPUT
