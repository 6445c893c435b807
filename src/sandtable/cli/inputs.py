"""Reading what the user hands over: files, standard input, JSON, languages, scenarios. Every problem is one clear message."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from sandtable.kernel.errors import InputError, SandtableError
from sandtable.kernel.game import Game, find_games, load_game
from sandtable.kernel.messages import LANGUAGES


def language_or_default(language: str | None) -> str:
    """The language asked for, else that of the environment, else English."""
    if language is not None:
        return language
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = os.environ.get(name, "")[:2].lower()
        if wanted:
            return wanted if wanted in LANGUAGES else "en"
    return "en"


def read_bytes(source: str) -> bytes:
    """A file, or standard input for `-`."""
    if source == "-":
        return sys.stdin.buffer.read()
    return Path(source).read_bytes()  # what goes wrong is an OSError that names the file


def read_json(data: bytes, name: str) -> Any:
    """Plain data from JSON, or the line and column where it is not JSON."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(f"not UTF-8 text{_place(data, problem.start)}", name) from None
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError as problem:
        text = str(problem)
        found = re.search(r" \(byte (\d+)\)", text)
        at = int(found[1]) if found else len(data)
        said = text.removeprefix("JSON is malformed: ").replace(found[0] if found else "", "")
        raise InputError(f"not JSON: {said}{_place(data, at)}", name) from None
    except RecursionError:
        raise InputError("not usable: lists and objects inside each other without end", name) from None


def _place(data: bytes, at: int) -> str:
    before = data[:at]
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return f" at line {before.count(chr(10).encode()) + 1}, column {column}"


def read_toml(path: Path) -> dict[str, Any]:
    """Plain data from a TOML file."""
    data = path.read_bytes()
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        raise InputError(f"not UTF-8 text{_place(data, problem.start)}", str(path)) from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise InputError(f"not TOML: {problem}", str(path)) from None


def find_scenario(text: str) -> tuple[Game, dict[str, Any]]:
    """A scenario by `game/scenario`, by a name that only one game has, or from a file."""
    path = Path(text)
    if text.endswith(".toml") or path.is_file():
        data = read_toml(path)
        game, _, problems = best_fit(path, data, None, "scenario")
        if problems:
            raise InputError("not a scenario that can be played:\n" + "\n".join(f"  {problem}" for problem in problems), str(path))
        return game, data
    id, slash, name = text.partition("/")
    if slash:
        game = load_game(id)
        return game, game.data("scenarios", name)
    known = {id: load_game(id).names("scenarios") for id in sorted(find_games())}
    holders = [id for id, names in known.items() if text in names]
    if len(holders) == 1:
        game = load_game(holders[0])
        return game, game.data("scenarios", text)
    if holders:
        raise InputError(f"several games have a scenario {text!r}: say {' or '.join(f'{id}/{text}' for id in holders)}")
    there = ", ".join(f"{id}/{name}" for id, names in known.items() for name in names)
    raise InputError(f"there is no scenario {text!r} and no such file; there are: {there or 'none'}")


def best_fit(path: Path, data: dict[str, Any], game: str | None, kind: str | None) -> tuple[Game, str, list[str]]:
    """Which game a force or scenario file belongs to, what it is, and all that is wrong with it.

    What is not said is read from the folders it stands in, then from what it would be with the fewest mistakes.
    """
    known = sorted(find_games())
    folders = path.absolute().parts[:-1]
    games = [game] if game else [id for id in known if id in folders] or known
    kinds = [kind] if kind else [kind for kind in ("force", "scenario") if f"{kind}s" in folders[-1:]] or ["force", "scenario"]
    tried: list[tuple[int, Game, str, list[str]]] = []
    for id in games:
        for what in kinds:
            try:
                problems = load_game(id).problems(what, data)
            except NotImplementedError:
                continue
            except SandtableError as problem:
                problems = [str(problem)]
            tried.append((len(problems), load_game(id), what, problems))
    if not tried:
        raise InputError(f"no game here reads such files: {', '.join(games)}", str(path))
    _, found, what, problems = min(tried, key=lambda row: row[0])
    return found, what, problems


def show_json(value: Any) -> None:
    """One JSON value and a line end, as UTF-8 whatever the terminal speaks."""
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()
