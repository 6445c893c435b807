"""Each side sees only what it may know: in its view, its events, its questions and its traces."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import other
from sandtable.kernel.game import load_game
from sandtable.kernel.match import Match, View

load_game("toy")

from sandtable.games.toy.game import GAME, PlanShown  # noqa: E402
from sandtable.games.toy.playing import give, played, setup, waiting  # noqa: E402


def assert_hidden(match: Match, side: str | None, view: View) -> None:
    """Nothing that only others know is in what `side` is shown."""
    shown = {record.event.side for record in view.records if isinstance(record.event, PlanShown)}
    for owner in "ab":
        if owner == side or owner in shown:
            continue
        assert owner not in view.battle.secrets
        for record in view.records:
            assert type(record.event).__name__ != "Planned" or record.event.side != owner
            assert record.only is None or record.only == side
            if not shown and side != other(owner):
                assert not any(getattr(entry, "label", "") == "ammunition" for entry in record.trace)
    if side is None or (view.waiting_for is not None and view.waiting_for != side):
        assert view.request is None
    if not shown:
        text = msgspec.json.encode(list(view.records)).decode()
        assert ('"plan":' in text) == (side is not None and side in view.battle.secrets)


@given(st.integers(0, 10**6))
def test_nothing_secret_is_in_any_view_before_it_is_revealed(seed: int) -> None:
    answers = played(seed).answers
    match = waiting(seed)
    while True:
        for side in ("a", "b", None):
            assert_hidden(match, side, match.view(side))
        if match.request is None:
            break
        give(match, answers[match.number].answer)


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6))
def test_a_secret_die_changes_nothing_that_the_other_side_sees(seed: int, one: int, two: int) -> None:
    """Two matches that differ in a die that side a rolled in secret: side b and the public cannot tell them apart."""
    answers = played(seed, typed=("a", "b")).answers
    matches = [waiting(seed, typed=("a", "b")) for _ in range(2)]
    for match, die in zip(matches, (one, two), strict=True):
        give(match, "hold")
        give(match, die)
    rest = answers[next(place for place, answered in enumerate(answers) if answered.player == "b") :]
    first, second = matches
    for answered in rest:
        for side in ("b", None):
            left, right = first.view(side), second.view(side)
            assert msgspec.structs.replace(left, battle=None) == msgspec.structs.replace(right, battle=None)
            assert msgspec.json.encode(left.battle) == msgspec.json.encode(right.battle)
        if first.request is None:
            break
        for match in matches:
            try:
                give(match, answered.answer)
            except RefusedError:
                return  # the answers were another match's: as far as they fit is far enough
    if first.over:
        assert next(record for record in first.view("b").records if isinstance(record.event, PlanShown)).event.boxes == one


def test_a_bot_is_handed_its_own_view() -> None:
    seen: list[tuple[str, frozenset[str]]] = []

    class Looking:
        def __init__(self, side: str) -> None:
            from sandtable.games.toy.bots import RandomBot

            self.side, self.bot = side, RandomBot(GAME, side, 1)

        def answer(self, battle, request, check):  # type: ignore[no-untyped-def]
            seen.append((self.side, frozenset(battle.secrets)))
            return self.bot.answer(battle, request, check)

    match = Match(GAME, setup(), "1", sources={"a": Looking("a"), "b": Looking("b")})
    match.run()
    assert match.over and {side for side, _ in seen} == {"a", "b"}
    assert all(secrets <= {side} for side, secrets in seen)
