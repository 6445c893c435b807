"""Exact dice against their brute-force twin, on little procedures that nobody thought of."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import DiceError
from sandtable.kernel.procedures import FrozenMap
from sandtable.kernel.traces import Score
from sandtable.odds import Distribution, distribution, every_face

Program = tuple[tuple[Any, ...], ...]
"""A list of instructions, each a word and what belongs to it."""

# mostly real dice and real chances, now and then the edges
SIDES = st.sampled_from([2, 3, 4, 6, 2, 3, 4, 6, 1])
NUMBER = st.sampled_from([1, 2, 3, 1, 2, 3, 0])
REROLL = st.sampled_from(["none", "failed", "passed"])


@st.composite
def scores(draw: st.DrawFn, sides: int) -> FrozenMap:
    """A score to pass, also an impossible or a certain one, plain or with its reasons."""

    def number() -> Any:
        value = draw(st.integers(2, max(2, sides - 1)) | st.integers(-1, sides + 2))
        return Score.of(value - 1, "base").plus("more", 1) if draw(st.booleans()) else value

    kind = draw(st.sampled_from(["at_least", "at_most", "at_least", "at_most", "both", "neither"]))
    if kind == "both":
        return FrozenMap(at_least=number(), at_most=number())
    return FrozenMap() if kind == "neither" else FrozenMap({kind: number()})


@st.composite
def programs(draw: st.DrawFn, faces: int = 1500, depth: int = 2) -> Program:
    """A program that throws its dice in at most so many ways."""
    lines: list[tuple[Any, ...]] = []
    for _ in range(draw(st.integers(0, 4))):
        line, ways = draw(instructions(faces, depth))
        if ways <= faces:
            faces //= ways
            lines.append(line)
    return tuple(lines)


@st.composite
def instructions(draw: st.DrawFn, faces: int, depth: int) -> tuple[tuple[Any, ...], int]:
    """An instruction, and in how many ways its dice can fall at most."""
    plain = ["roll", "total", "test", "tests", "count", "pool", "two pools", "band", "read"]
    word = draw(st.sampled_from(plain + (["stage", "fold", "until", "if"] if depth else [])))
    sides, number = draw(SIDES), draw(NUMBER)
    score, reroll = draw(scores(sides)), draw(REROLL)
    if word == "roll":
        return (word, sides), sides
    if word == "total":
        return (word, number, sides, draw(st.integers(-2, 2))), sides**number
    if word == "test":
        return (word, sides, score, reroll), sides ** (2 if reroll != "none" else 1)
    if word in ("tests", "count"):
        return (word, number, sides, score, reroll), sides ** (number * (2 if reroll != "none" else 1))
    if word == "pool":
        stages = draw(st.lists(st.tuples(scores(sides), st.sampled_from(["", "read", "test", "read test", "read read"])), max_size=2))
        return (word, number, sides, score, tuple(stages)), sides ** (number * (1 + len(stages))) * 2 ** len(stages)
    if word == "two pools":
        return (word, number, sides, score, draw(scores(sides))), sides ** (4 * number)
    if word == "band":
        uppers = tuple(sorted(draw(st.sets(st.integers(0, 3 * sides), max_size=3))))
        return (word, sides, uppers, number, draw(st.integers(-2, 2))), sides**number
    if word == "read":
        return (word, sides, draw(st.integers(1, 4)), number, draw(st.integers(-2, 2))), sides**number
    if word == "fold":
        items = draw(st.lists(st.integers(0, 2), max_size=3))
        part = max(1, round(faces ** (1 / max(1, len(items)))) - 1)
        return (word, draw(programs(part, depth - 1)), tuple(items)), part ** len(items)
    inner = draw(programs(max(1, faces // 2), depth - 1))
    if word == "if":
        return (word, inner, draw(programs(max(1, faces // 2), depth - 1))), max(1, faces // 2)
    return (word, inner), max(1, faces // 2)


def play(program: Program, dice: Dice) -> int:
    """Run a program. What it has seen is folded into a small number, so that paths differ and meet again."""
    return run(dice, program, 0)


def run(dice: Dice, program: Program, state: int) -> int:
    for line in program:
        state = (3 * state + carry_out(dice, line, state)) % 7
    return state


def carry_out(dice: Dice, line: tuple[Any, ...], state: int) -> int:
    match line:
        case "roll", sides:
            return dice.roll(sides, "x")
        case "total", number, sides, modifier:
            return dice.total(number, sides, "x", modifier=modifier)
        case "test", sides, score, reroll:
            return dice.test("x", sides, **score, reroll=reroll)
        case "tests", number, sides, score, reroll:
            return sum(place * passed for place, passed in enumerate(dice.tests(number, "x", sides, **score, reroll=reroll), 1))
        case "count", number, sides, score, reroll:
            return dice.count(number, "x", sides, **score, reroll=reroll)
        case "pool", number, sides, score, stages:
            pool, seen = dice.pool(number, "x", sides, **score), 0
            for further, between in stages:
                for what in between.split():
                    seen = 2 * seen + (pool.count if what == "read" else dice.test("y", 2, at_least=2))
                pool = pool.then("x", sides, **further)
            return seen + pool.count + pool.count
        case "two pools", number, sides, score, other:
            mine, theirs = dice.pool(number, "x", sides, **score), dice.pool(number, "y", sides, **other)
            later = theirs.then("y", sides, **score)
            if mine.count % 2:
                return 2 * later.count + mine.count
            return 3 * mine.then("x", sides, **other).count + later.count
        case "band", sides, uppers, number, modifier:
            return dice.band("x", sides, uppers, number=number, modifier=modifier)
        case "read", sides, entries, number, modifier:
            return dice.read("x", sides, lambda value: int(value % entries), number=number, modifier=modifier)
        case "stage", inner:
            return dice.stage(run, inner, state)
        case "fold", inner, items:
            return dice.fold(lambda some, here, item: run(some, inner, here + item), state, items)
        case "until", inner:
            return dice.until(lambda some: odd_only(run(some, inner, state)))
        case "if", yes, no:
            return run(dice, yes if state % 2 else no, state)
    raise AssertionError(line)


def odd_only(value: int) -> int | None:
    return value if value % 2 else None


def answer(odds: Any, program: Program) -> Distribution | str:
    try:
        found: Distribution = odds(play, program)
    except DiceError as problem:  # a loop that never ends
        return str(problem)
    assert sum(found.ways.values()) == found.total
    assert all(count > 0 for count in found.ways.values())
    return found


@settings(max_examples=max(600, settings().max_examples), deadline=None)
@given(programs())
def test_exact_dice_agree_with_every_face(program: Program) -> None:
    assert answer(distribution, program) == answer(every_face, program)
