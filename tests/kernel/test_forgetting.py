"""A match that forgets its past plays on as if it had not: the journal has the rest."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Record
from sandtable.kernel.game import load_game

load_game("toy")

from sandtable.games.toy.playing import give, log, played, waiting  # noqa: E402


@given(st.integers(0, 10**6), st.integers(0, 4))
def test_a_forgetful_match_goes_the_same_way(seed: int, kept: int) -> None:
    whole = played(seed)
    match = waiting(seed)
    old: list[Record] = []
    while match.request is not None:
        assert match.number < len(whole.answers)
        give(match, whole.answers[match.number].answer)
        old += match.forget(kept)
        assert len(match.checkpoints) <= max(kept, 1)
        assert match.length == len(old) + len(match.log)
        assert msgspec.json.encode(match.log_from(len(old))) == log(match)
    assert match.over and match.number == len(whole.answers)
    assert msgspec.json.encode(old + match.log) == log(whole)


def test_what_is_remembered_can_be_taken_back() -> None:
    whole, match = played(1), waiting(1)
    before = []
    while match.request is not None:
        before.append((msgspec.json.encode(match.present), match.request, match.length))
        give(match, whole.answers[match.number].answer)
    match.forget(3)
    assert match.gone > 0
    with pytest.raises(RefusedError):
        match.undo(match.gone - 1, "a", consent=True)
    with pytest.raises(IndexError):
        match.log_from(match.gone_records - 1)
    for number in range(match.number - 1, match.gone - 1, -1):
        match.undo(number, "a", consent=True)
        assert (msgspec.json.encode(match.present), match.request, match.length) == before[number]
