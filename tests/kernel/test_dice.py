"""Dice that show faces: seeded, scripted and asked, and the trace they leave."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.dice import Asked, Dice, FaceDice, Scripted, Seeded
from sandtable.kernel.errors import DiceError
from sandtable.kernel.traces import LookUp, Modifier, Note, Roll, Score

SIDES = [2, 4, 6, 8, 10, 12, 20, 100, 255, 256]


def stream(seed: str, position: int, sides: int) -> tuple[int, int]:
    """One die of the published stream, written down a second time: the face, and where the stream goes on."""
    while True:
        block, offset = divmod(position, 32)
        byte = hashlib.sha256(seed.encode() + block.to_bytes(8, "big")).digest()[offset]
        position += 1
        if byte < 256 - 256 % sides:
            return byte % sides + 1, position


# -- seeded dice --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", SIDES)
def test_seeded_dice_are_fair(sides: int) -> None:
    throws = sides * 200
    dice = Seeded(f"fair d{sides}", tracing=False)
    seen = Counter(dice.roll(sides, "x") for _ in range(throws))
    assert set(seen) <= set(range(1, sides + 1))
    chi = sum((seen[face] - 200) ** 2 / 200 for face in range(1, sides + 1))
    free = sides - 1
    # chi-square has mean f and variance 2f: five standard deviations, and room for the skew of few degrees of freedom
    assert chi < free + 5 * (2 * free) ** 0.5 + 6, (chi, free)


def test_neighbouring_dice_are_independent() -> None:
    dice = Seeded("pairs", tracing=False)
    faces = [dice.roll(6, "x") for _ in range(36 * 200 + 1)]
    seen = Counter(pairwise(faces))
    chi = sum((seen[a, b] - 200) ** 2 / 200 for a in range(1, 7) for b in range(1, 7))
    assert chi < 35 + 5 * 70**0.5


def test_the_same_seed_gives_the_same_faces_and_another_does_not() -> None:
    first, again, other = (Seeded(seed).tests(50, "x", at_least=4) for seed in ("a", "a", "b"))
    assert first == again != other


def test_the_stream_is_pinned() -> None:
    """Saves rely on these faces: a change here breaks every replay. From `printf 'sandtable\\0...\\0' | sha256sum`."""
    first_bytes = bytes.fromhex("b91c57aba95b03bdd4006f36")
    dice = Seeded("sandtable")
    assert [dice.roll(256, "x") for _ in first_bytes] == [byte + 1 for byte in first_bytes]
    dice = Seeded("sandtable")
    assert dice.tests(5, "x", at_least=4) == tuple(byte % 6 + 1 >= 4 for byte in first_bytes if byte < 252)[:5]


@given(st.text(max_size=8), st.integers(0, 500), st.lists(st.tuples(st.sampled_from(SIDES), st.integers(0, 40)), max_size=8))
def test_pools_and_single_dice_read_one_stream(seed: str, position: int, throws: list[tuple[int, int]]) -> None:
    pools, singles, place = Seeded(seed, position), Seeded(seed, position), position
    for sides, number in throws:
        pools.total(number, sides, "x")
        for _ in range(number):
            face, place = stream(seed, place, sides)
            assert singles.roll(sides, "x") == face
    assert pools.faces == singles.faces
    assert pools.position == singles.position == place


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_stream_goes_on_from_its_position(before: int, after: int) -> None:
    whole = Seeded("x")
    whole.total(before, 10, "x")
    rest = Seeded("x", whole.position)
    assert rest.total(after, 10, "x") == whole.total(after, 10, "x")
    assert rest.position == whole.position


@pytest.mark.parametrize("sides", [0, -1, 257])
def test_no_such_die(sides: int) -> None:
    with pytest.raises(DiceError, match="no die has"):
        Seeded("x").roll(sides, "x")


# -- scripted and asked dice ----------------------------------------------------------------------------------------


def test_a_missing_die_is_named() -> None:
    dice = Scripted([3])
    dice.roll(6, "first")
    with pytest.raises(DiceError, match=r"a die is missing: die 2, a d20 for second; 1 given"):
        dice.roll(20, "second")


@pytest.mark.parametrize("face", [0, 7, -1, True, "4", 4.0, None])
def test_an_impossible_die_is_named(face: Any) -> None:
    for dice in (Scripted([face]), Asked(lambda sides, label: face)):
        with pytest.raises(DiceError, match=r"die 1 cannot be .*: it is a d6 for save, from 1 to 6"):
            dice.roll(6, "save")


def test_dice_left_over_are_named() -> None:
    dice = Scripted([3, 5, 6])
    dice.roll(6, "x")
    with pytest.raises(DiceError, match=r"2 dice left over: 5, 6; 1 were needed"):
        dice.finish()


def test_dice_used_up_are_fine() -> None:
    dice = Scripted([3])
    dice.roll(6, "x")
    dice.finish()


def test_a_person_is_asked_for_every_die_by_its_name() -> None:
    asked = []

    def ask(sides: int, label: str) -> int:
        asked.append((sides, label))
        return 2

    dice = Asked(ask)
    assert dice.total(2, 6, "column", modifier=1) == 5
    assert dice.count(2, "hits", at_most=2) == 2
    assert asked == [(6, "column")] * 2 + [(6, "hits")] * 2


# -- what dice can be asked -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "reroll", "passed", "left"),
    [
        ([4], "none", True, 0),
        ([3], "none", False, 0),
        ([3, 5], "failed", True, 0),
        ([3, 2], "failed", False, 0),  # the second result stands
        ([4, 1], "failed", True, 1),  # a pass is not rolled again
        ([4, 1], "passed", False, 0),
        ([6, 5], "passed", True, 0),
        ([3, 6], "passed", False, 1),
    ],
)
def test_a_test_on_4_or_more(faces: list[int], reroll: Any, passed: bool, left: int) -> None:
    dice = Scripted(faces)
    assert dice.test("save", at_least=4, reroll=reroll) is passed
    assert len(dice.given) - len(dice.faces) == left
    assert dice.last == dice.faces[-1]


def test_a_re_rolled_die_is_read_right_after_the_one_it_replaces() -> None:
    dice = Scripted([2, 5, 6, 1, 1])
    assert dice.tests(3, "hits", at_least=4, reroll="failed") == (True, True, False)
    dice.finish()


def test_a_score_between_two_numbers() -> None:
    dice = Scripted([1, 2, 4, 5])
    assert dice.tests(4, "x", at_least=2, at_most=4) == (False, True, True, False)


def test_a_pool_rolls_on_with_what_passed() -> None:
    dice = Scripted([4, 6, 1, 2, 3, 5])  # two of three hit, one of two saves fails, its firepower test passes
    hits = dice.pool(3, "hit", at_least=4)
    assert hits.count == 2
    saves = hits.then("save", at_most=2)
    assert saves.count == 1
    assert saves.then("firepower", at_least=5).count == 1
    dice.finish()


@pytest.mark.parametrize(("face", "band"), [(1, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_bands(face: int, band: int) -> None:
    assert Scripted([face]).band("x", 6, (2, 5)) == band


def test_a_chart_is_read_with_the_modified_sum() -> None:
    assert Scripted([3, 4]).read("x", 6, {9: "hit"}.__getitem__, number=2, modifier=Score.of(2, "height")) == "hit"


def test_structure_rolls_in_order() -> None:
    def step(dice: Dice, state: tuple[int, ...], item: str) -> tuple[int, ...]:
        return (*state, dice.roll(6, item))

    nothing: tuple[int, ...] = ()
    dice = Scripted([1, 2, 3])
    assert dice.fold(step, nothing, "ab") == (1, 2)
    assert dice.stage(step, nothing, "c") == (3,)
    dice.finish()

    def higher(inner: Dice) -> int | None:
        mine, theirs = inner.roll(6, "mine"), inner.roll(6, "theirs")
        return None if mine == theirs else mine - theirs

    dice = Scripted([3, 3, 2, 2, 5, 4])
    assert dice.until(higher) == 1
    dice.finish()


def test_marks_tell_the_faces_since() -> None:
    dice = Scripted([1, 2, 3])
    dice.roll(6, "x")
    mark = dice.mark()
    dice.total(2, 6, "x")
    assert dice.since(mark) == (2, 3)


# -- traces -----------------------------------------------------------------------------------------------------------

SCORE = Score.of(3, "skill", "FOW-HIT-01").plus("concealed", 1, "FOW-HIT-02").plus_if(False, "long", 1)
PARTS = (Modifier("skill", 3, "FOW-HIT-01"), Modifier("concealed", 1, "FOW-HIT-02"))


@pytest.mark.parametrize(
    ("ask", "faces", "entry"),
    [
        (lambda d: d.roll(6, "scatter", rule="R"), [5], Roll("scatter", 6, (5,), "", 5, (), "R")),
        (lambda d: d.total(2, 6, "sum", modifier=SCORE, rule="R"), [5, 6], Roll("sum", 6, (5, 6), "", 15, PARTS, "R")),
        (lambda d: d.test("hit", at_least=SCORE, rule="R"), [4], Roll("hit", 6, (4,), "4+", True, PARTS, "R")),
        (lambda d: d.test("hit", at_least=SCORE, reroll="failed", rule="R"), [1, 2], Roll("hit", 6, (1, 2), "4+", False, PARTS, "R")),
        (lambda d: d.test("save", 20, at_most=SCORE), [4], Roll("save", 20, (4,), "4-", True, PARTS, "")),
        (lambda d: d.tests(2, "hit", at_least=3, rule="R"), [2, 3], Roll("hit", 6, (2, 3), "3+", 1, (), "R")),
        (lambda d: d.count(2, "hit", at_least=SCORE, reroll="failed"), [4, 1, 6], Roll("hit", 6, (4, 1, 6), "4+", 2, PARTS, "")),
        (lambda d: d.pool(2, "hit", at_least=SCORE, rule="R"), [4, 1], Roll("hit", 6, (4, 1), "4+", 1, PARTS, "R")),
        (lambda d: d.band("x", 6, (2, 4), modifier=1, rule="R"), [4], Roll("x", 6, (4,), "", 5, (), "R")),
        (lambda d: d.read("x", 6, str, number=2, rule="R"), [4, 1], Roll("x", 6, (4, 1), "", 5, (), "R")),
        (lambda d: d.note("note.bogged", "R", unit="a"), [], Note("note.bogged", "R", {"unit": "a"})),
        (lambda d: d.looked_up("to_hit", {"skill": "veteran"}, 4, "R"), [], LookUp("to_hit", {"skill": "veteran"}, 4, "R")),
    ],
)
def test_every_roll_explains_itself(ask: Any, faces: list[int], entry: Any) -> None:
    dice = Scripted(faces)
    ask(dice)
    assert dice.trace == [entry]
    dice.finish()
    silent = Scripted(faces, tracing=False)
    ask(silent)
    assert silent.trace == [] and silent.faces == faces


def test_no_dice_leave_no_trace() -> None:
    dice = Scripted([])
    assert dice.count(0, "hit", at_least=4) == 0
    assert dice.trace == []


def test_a_dice_without_faces_says_so() -> None:
    with pytest.raises(NotImplementedError):
        FaceDice().roll(6, "x")
