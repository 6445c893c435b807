"""Mutated answers and saves: a correct answer or a clear refusal, never a traceback, a hang or a changed state."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.decisions import Allocate, PickOne, PickPlaces, PickRoute, PickSeveral
from sandtable.kernel.errors import RefusedError, SandtableError
from sandtable.kernel.game import load_game
from sandtable.kernel.match import Answered, Match
from sandtable.kernel.saves import open_match, read_save, save_match, verify

from .strategies import json_values, mutated, no_hang

load_game("toy")

from sandtable.games.toy.playing import everything, give_all, log, played, waiting  # noqa: E402


@cache
def answers(seed: int) -> list[Answered]:
    return played(seed).answers


@st.composite
def answer_to(draw: st.DrawFn, request: Any, right: Any) -> Any:
    """An answer of the right kind, one that was right and is mutated, or anything."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return draw(json_values)
    if kind <= 2:
        return draw(mutated(right))
    point = st.integers(-2000, 26000)
    match request:
        case PickOne():
            return draw(st.sampled_from([option.id for option in request.options]))
        case PickSeveral():
            return draw(st.lists(st.sampled_from([option.id for option in request.options])))
        case PickRoute():
            return {"path": draw(st.lists(st.lists(point, min_size=2, max_size=2), max_size=3))}
        case PickPlaces():
            return {piece: {"x": draw(point), "y": draw(point)} for piece in request.pieces}
        case Allocate():
            receivers = [option.id for option in request.receivers]
            return {receiver: [thing] for receiver, thing in zip(draw(st.permutations(receivers)), request.things, strict=False)}
    return draw(json_values)


@given(st.data(), st.integers(0, 7), st.integers(0, 30))
def test_an_answer_is_taken_or_refused_and_a_refused_one_changes_nothing(data: st.DataObject, seed: int, number: int) -> None:
    match = waiting(seed)
    right = answers(seed)
    give_all(match, right[: min(number, len(right) - 1)])
    request = match.request
    assert request is not None
    answer = data.draw(answer_to(request, right[match.number].answer))
    before = everything(match)
    try:
        match.submit(request.player, match.number, answer)
    except RefusedError as problem:
        assert everything(match) == before
        assert problem.message and len(str(problem)) < 5000
        return
    assert match.number == before[5] + 1
    assert read_again(match).answers == match.answers


def read_again(match: Match) -> Match:
    """The match, saved and opened; its save must verify."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match"
        save_match(match, path)
        save = read_save(path.read_bytes())
    assert verify(save) is None
    again = open_match(save)
    assert log(again) == log(match)
    return again


@cache
def written(seed: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match"
        save_match(played(seed), path)
        return path.read_bytes()


def look_at(data: bytes) -> None:
    """All that may be done with a save that somebody hands us."""
    with no_hang():
        try:
            save = read_save(data)
        except SandtableError as problem:
            assert str(problem)
            return
        difference = verify(save)
        assert difference is None or difference
        try:
            match = open_match(save)
        except SandtableError as problem:
            assert str(problem)
            return
        match.view("a")
        match.game.broken_invariants(match.present)


@given(st.integers(0, 3), st.data())
def test_a_save_with_changed_bytes(seed: int, data: st.DataObject) -> None:
    found = bytearray(written(seed))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(found) - 1))
        match data.draw(st.integers(0, 3)):
            case 0:
                found[place] = data.draw(st.integers(0, 255))
            case 1:
                del found[place : place + data.draw(st.integers(1, 40))]
            case 2:
                found[place:place] = data.draw(st.binary(max_size=8) | st.sampled_from([b"\n", b"{", b"}", b'"', b"0", b"-", b"null"]))
            case _:
                found[place:place] = found[place : place + data.draw(st.integers(1, 200))]
        if not found:
            break
    look_at(bytes(found))


@given(st.integers(0, 3), st.data())
def test_a_save_with_changed_values(seed: int, data: st.DataObject) -> None:
    lines = [json.loads(line) for line in written(seed).splitlines()]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.integers(0, 5)):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, lines[data.draw(st.integers(0, len(lines) - 1))])
            case _:
                lines[place] = data.draw(mutated(lines[place]))
        if not lines:
            break
    look_at(b"".join(json.dumps(line).encode() + b"\n" for line in lines))


@given(st.binary(max_size=200))
def test_any_bytes_as_a_save(data: bytes) -> None:
    look_at(data)
