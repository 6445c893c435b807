"""A match is its inputs: however the answers come, and however often it is put away and taken up, the events are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.kernel.errors import RefusedError, SandtableError
from sandtable.kernel.game import load_game
from sandtable.kernel.match import Match
from sandtable.kernel.saves import open_match, read_save, save_match

load_game("toy")

from sandtable.games.toy.game import GAME, PlanShown, Shot  # noqa: E402
from sandtable.games.toy.playing import bots, everything, give, give_all, log, played, setup, until, waiting  # noqa: E402

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_given_one_by_one_give_the_same_log_as_answers_given_at_once(seed: int) -> None:
    once = played(seed)
    match = waiting(seed)
    players = bots(seed)
    while (request := match.request) is not None:
        assert match.pending is not None
        give(match, players[request.player].answer(match.view(request.player).battle, request, match.pending.check))
    assert match.over
    assert log(match) == log(once)
    assert match.answers == once.answers
    assert match.battle == once.battle


@pytest.mark.parametrize("seed", SEEDS)
def test_saved_and_loaded_at_every_single_question_the_log_is_the_same(seed: int, tmp_path: Path) -> None:
    once = played(seed)
    match = waiting(seed)
    path = tmp_path / "match"
    while match.request is not None:
        save_match(match, path)
        loaded = open_match(read_save(path.read_bytes()))
        assert everything(loaded) == everything(match)
        match = loaded
        give(match, once.answers[match.number].answer)
    assert log(match) == log(once)
    assert match.battle == once.battle


def test_every_kind_of_question_comes_up() -> None:
    asked = set()
    for seed in SEEDS:
        match, answers = waiting(seed), played(seed).answers
        while match.request is not None:
            asked.add(type(match.request).__name__)
            give(match, answers[match.number].answer)
    assert asked == {"PickOne", "PickSeveral", "PickRoute", "PickPlaces", "Allocate"}


def test_the_watcher_hears_of_every_step_and_every_record_once() -> None:
    heard: list[Any] = []
    match = played(3, watch=lambda battle, records: heard.extend(records))
    assert heard == match.records


def test_in_the_middle_of_a_step_the_present_battle_and_log_are_shown() -> None:
    match = waiting(1)
    give(match, "attack")
    give(match, "attack")
    give(match, {"path": [[8000, 7000]]})  # within 12 inches of b1: side b may shoot
    assert match.request is not None and match.request.player == "b" and match.request.decision == "TOY-WATCH-01"
    assert match.battle.piece("a1").y == 2000
    assert match.present.piece("a1").y == 7000
    assert type(match.log[-1].event).__name__ == "Moved"
    assert match.log[-1] not in match.records


# -- answers that are not to be taken -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ({"path": [[8000, 9000]]}, "TOY-MOVE-01"),
        ({"path": [[8000, -1000]]}, "TOY-MOVE-02"),
        ({"path": "north"}, "TOY-MOVE-01"),
        ({"path": [[8000]]}, "TOY-MOVE-01"),
        ({"path": [[8000, 2.5]]}, "TOY-MOVE-01"),
        ({"path": [], "facing": 400}, "TOY-MOVE-01"),
        ({"way": []}, "TOY-MOVE-01"),
        ({"path": [[0, 10**9]]}, "TOY-MOVE-01"),
        ({"path": [[8000, 2000]] * 65}, "TOY-MOVE-01"),
        ("attack", "TOY-MOVE-01"),
        (None, "TOY-MOVE-01"),
        pytest.param(10**5000, "TOY-MOVE-01", id="thousands of digits"),
        (float("nan"), "TOY-MOVE-01"),
    ],
)
def test_a_wrong_answer_is_refused_with_its_rule_and_changes_nothing(answer: Any, rule: str) -> None:
    match = waiting(1)
    give(match, "attack")
    give(match, "attack")
    before = everything(match)
    with pytest.raises(RefusedError) as problem:
        match.submit("a", match.number, answer)
    assert problem.value.rule == rule
    assert everything(match) == before


@pytest.mark.parametrize("number", [-1, 0, 1, 3, 99])
def test_a_stale_answer_changes_nothing(number: int) -> None:
    match = waiting(1)
    give(match, "attack")
    give(match, "attack")
    before = everything(match)
    with pytest.raises(RefusedError, match="stale"):
        match.submit("a", number, {})
    assert everything(match) == before


@pytest.mark.parametrize("player", ["b", "c", "", "A"])
def test_an_answer_to_somebody_elses_question_changes_nothing(player: str) -> None:
    match = waiting(1)
    before = everything(match)
    with pytest.raises(RefusedError, match="not_yours"):
        match.submit(player, 0, "attack")
    assert everything(match) == before


def test_after_the_end_nothing_is_asked() -> None:
    match = played(1)
    with pytest.raises(RefusedError, match="nothing_asked"):
        match.submit("a", match.number, "attack")


def test_a_bot_that_breaks_the_rules_is_named_and_the_answer_not_taken() -> None:
    class Cheat:
        def answer(self, battle: Any, request: Any, check: Any) -> Any:
            return "win"

    match = Match(GAME, setup(), "1", sources={"b": Cheat()})
    match.run()
    with pytest.raises(SandtableError, match="bot of side b"):
        give(match, "attack")
    assert len(match.answers) == 1


# -- undo ---------------------------------------------------------------------------------------------------------


def at_first_move(**options: Any) -> Match:
    match = waiting(1, **options)
    give(match, "attack")
    give(match, "attack")
    return match


def test_back_over_own_quiet_answers_is_free() -> None:
    match = at_first_move()
    before = everything(match)
    give(match, {"path": [[8000, 3000]]})
    give(match, {})
    assert match.may_undo(2, "a")
    match.undo(2, "a")
    assert everything(match) == before


def test_back_over_the_other_players_answer_needs_his_consent() -> None:
    match = at_first_move()
    give(match, {"path": [[8000, 7000]]})
    give(match, "wait")
    before = everything(match)
    assert not match.may_undo(2, "a")
    with pytest.raises(RefusedError, match="consent"):
        match.undo(2, "a")
    assert everything(match) == before
    match.undo(2, "a", consent=True)
    assert match.number == 2


def test_back_over_dice_needs_consent() -> None:
    match = at_first_move()
    give(match, {"path": [[8000, 3000]]})
    give(match, {"path": [[12000, 3000]]})
    give(match, ["a1"])
    give(match, {"b1": ["a1"]})  # dice fall
    assert isinstance(match.log[-2].event, Shot)
    assert not match.may_undo(5, "a") and not match.may_undo(3, "a")
    with pytest.raises(RefusedError, match="consent"):
        match.undo(5, "a")
    match.undo(5, "a", consent=True)
    assert match.request is not None and match.request.decision == "TOY-FIRE-01"


def test_back_over_a_typed_die_needs_consent() -> None:
    match = at_first_move(typed=("a",))
    for answer in ({}, {}, ["a1"], {"b1": ["a1"]}):
        give(match, answer)
    assert match.request is not None and match.request.decision == ""  # side a's own die
    assert match.may_undo(2, "a") and match.may_undo(5, "a")
    give(match, 4)
    assert match.position == 0 and {answered.player for answered in match.answers[2:]} == {"a"}  # only the typed die forbids it
    assert not match.may_undo(2, "a") and not match.may_undo(5, "a") and not match.may_undo(6, "a")
    give(match, {})
    assert match.request.player == "b" and match.may_undo(7, "a")


def test_back_over_a_revelation_needs_consent() -> None:
    for seed in range(40):
        answers = played(seed).answers
        match = waiting(seed)
        while match.number < len(answers) - 1:
            give(match, answers[match.number].answer)
        give(match, {})  # the last question is where the last shell falls: nowhere, so no dice
        assert match.over
        assert isinstance(match.records[-2].event, PlanShown)
        last = match.answers[-1]
        assert last.position == match.position and last.player == "b"  # neither dice nor the other player forbid it
        assert not match.may_undo(len(answers) - 1, "b")


def test_the_same_answers_after_an_undo_give_the_same_dice() -> None:
    once = played(2)
    for number in range(len(once.answers)):
        match = waiting(2)
        give_all(match, once.answers)
        match.undo(number, "a", consent=True)
        assert match.number == number
        give_all(match, once.answers)
        assert log(match) == log(once) and match.battle == once.battle


@pytest.mark.parametrize("number", [-1, 3, 99])
def test_there_is_no_way_back_to_a_question_that_was_not_answered(number: int) -> None:
    match = at_first_move()
    give(match, {})
    before = everything(match)
    with pytest.raises(RefusedError, match="no_such_question"):
        match.undo(number, "a", consent=True)
    assert everything(match) == before


def test_after_loading_undo_knows_what_was_rolled(tmp_path: Path) -> None:
    answers = played(4).answers
    match = waiting(4)
    while match.request is not None:
        save_match(match, tmp_path / "x")
        loaded = open_match(read_save((tmp_path / "x").read_bytes()))
        for number in range(match.number):
            for player in "ab":
                assert loaded.may_undo(number, player) == match.may_undo(number, player)
        give(match, answers[match.number].answer)


# -- typed dice ---------------------------------------------------------------------------------------------------


def test_typed_dice_are_asked_for_by_name_and_used() -> None:
    match = waiting(1, typed=("b",))
    give(match, "attack")
    give(match, "attack")
    give(match, {"path": [[8000, 7000]]})
    give(match, "shoot")
    request = match.request
    assert request is not None and request.player == "b" and (request.sides, request.label) == (6, "hit")
    for wrong in (0, 7, "3", True, 3.5, None):
        with pytest.raises(RefusedError, match="impossible_die"):
            match.submit("b", match.number, wrong)
    give(match, 6)
    shot = next(record for record in match.log if isinstance(record.event, Shot))
    assert shot.event.hits == 1
    assert shot.trace[-1].faces == (6,)
    assert match.position == 0  # no die of the program's was used


@pytest.mark.parametrize("seed", range(4))
def test_a_match_with_typed_dice_replays_like_any_other(seed: int, tmp_path: Path) -> None:
    once = played(seed, typed=("a", "b"))
    match = waiting(seed, typed=("a", "b"))
    while match.request is not None:
        save_match(match, tmp_path / "x")
        match = open_match(read_save((tmp_path / "x").read_bytes()))
        give(match, once.answers[match.number].answer)
    assert log(match) == log(once)


def test_the_hash_of_the_seed_is_known_from_the_start_and_the_seed_after_the_end() -> None:
    match, answers = waiting(1), played(1).answers
    hash = match.view("a").seed_hash
    while not match.over:
        assert match.view("a").seed is None and match.view(None).seed is None
        assert match.view("a").seed_hash == hash
        give(match, answers[match.number].answer)
    from hashlib import sha256

    seed = match.view("b").seed
    assert seed is not None and sha256(seed.encode()).hexdigest() == hash


def test_a_question_can_be_reached_by_name() -> None:
    match, answers = waiting(1), played(1).answers
    until(match, "TOY-SHELL-01", answers)
    assert match.request is not None and match.request.decision == "TOY-SHELL-01"
