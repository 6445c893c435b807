"""Requests: what each kind of question takes, and that it refuses the rest with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import (
    Allocate,
    Option,
    PickOne,
    PickPlaces,
    PickRoute,
    PickSeveral,
    Placing,
    Refusal,
    Request,
    Route,
    TypeDie,
    refusal_of,
)
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.messages import say

WHO = {"player": "a", "decision": "D-01", "prompt": say("ask.something")}
OPTIONS = (
    Option("one", say("option.one")),
    Option("two", say("option.two")),
    Option("three", say("option.three"), Refusal("R-07", say("refused.too_far", inches=9, most=6))),
)
REQUESTS: dict[str, Request] = {
    "one": PickOne(**WHO, options=OPTIONS),
    "several": PickSeveral(**WHO, options=OPTIONS, least=1, most=2),
    "route": PickRoute(**WHO, unit="x"),
    "places": PickPlaces(**WHO, pieces=("x", "y")),
    "some places": PickPlaces(**WHO, pieces=("x", "y"), optional=True),
    "allocate": Allocate(**WHO, things=("s", "t"), receivers=OPTIONS[:2]),
    "die": TypeDie(**WHO, sides=6, label="hit"),
}


@pytest.mark.parametrize(
    ("request_name", "answer", "value"),
    [
        ("one", "two", "two"),
        ("several", ["two", "one"], ("two", "one")),
        ("several", ("one",), ("one",)),
        ("route", {}, Route()),
        ("route", {"path": [[1, 2], [3, 4]], "facing": 359}, Route(((1, 2), (3, 4)), 359)),
        ("places", {"x": {"x": 1, "y": 2}, "y": {"x": 3, "y": 4, "facing": 90}}, {"x": Placing(1, 2), "y": Placing(3, 4, 90)}),
        ("some places", {}, {}),
        ("allocate", {"one": ["s"], "two": ["t"]}, {"one": ("s",), "two": ("t",)}),
        ("allocate", {"one": ["t", "s"]}, {"one": ("t", "s")}),
        ("die", 6, 6),
    ],
)
def test_right_answers_are_read(request_name: str, answer: Any, value: Any) -> None:
    assert REQUESTS[request_name].read(answer) == value


@pytest.mark.parametrize(
    ("request_name", "answer", "message"),
    [
        ("one", "four", "refused.no_such_option"),
        ("one", 1, "refused.no_such_option"),
        ("one", ["one"], "refused.no_such_option"),
        ("several", "one", "refused.not_a_list"),
        ("several", [1], "refused.not_a_list"),
        ("several", ["one", "one"], "refused.twice"),
        ("several", [], "refused.number"),
        ("several", ["four"], "refused.no_such_option"),
        ("route", {"path": [[1, 2]], "speed": 3}, "refused.not_a_route"),
        ("route", {"path": [[1, 2]], "facing": 360}, "refused.not_a_route"),
        ("route", {"path": [[1, 2]], "facing": -1}, "refused.not_a_route"),
        ("route", {"path": [[1, 2, 3]]}, "refused.not_a_route"),
        ("places", {"x": {"x": 1, "y": 2}}, "refused.wrong_pieces"),
        ("places", {"x": {"x": 1, "y": 2}, "y": {"x": 1, "y": 2}, "z": {"x": 1, "y": 2}}, "refused.wrong_pieces"),
        ("some places", {"z": {"x": 1, "y": 2}}, "refused.wrong_pieces"),
        ("some places", {"x": {"x": 1}}, "refused.not_places"),
        ("some places", {"x": {"x": 10**7, "y": 0}}, "refused.not_places"),
        ("allocate", {"one": ["s"]}, "refused.each_once"),
        ("allocate", {"one": ["s", "t", "t"]}, "refused.each_once"),
        ("allocate", {"four": ["s", "t"]}, "refused.wrong_pieces"),
        ("allocate", ["s", "t"], "refused.not_an_allocation"),
        ("die", 7, "refused.impossible_die"),
        ("die", True, "refused.impossible_die"),
        ("die", 1.0, "refused.impossible_die"),
    ],
)
def test_wrong_answers_are_refused_with_the_decision_they_belong_to(request_name: str, answer: Any, message: str) -> None:
    with pytest.raises(RefusedError) as problem:
        REQUESTS[request_name].read(answer)
    assert (problem.value.rule, problem.value.message) == ("D-01", message)


@pytest.mark.parametrize(("request_name", "answer"), [("one", "three"), ("several", ["three"])])
def test_an_option_that_is_not_possible_is_refused_with_its_own_rule(request_name: str, answer: Any) -> None:
    with pytest.raises(RefusedError) as problem:
        REQUESTS[request_name].read(answer)
    assert refusal_of(problem.value) == OPTIONS[2].refusal


def endless() -> list[Any]:
    found: list[Any] = []
    for _ in range(100_000):
        found = [found]
    return found


@pytest.mark.parametrize("request_name", REQUESTS)
@pytest.mark.parametrize(
    "answer", [10**5000, -(10**30), float("inf"), object(), {1: 2}, {"x": None}, b"one", {"one"}, endless(), "x" * 10**6], ids=range(10)
)
def test_strange_answers_are_refused_not_stumbled_over(request_name: str, answer: Any) -> None:
    with pytest.raises(RefusedError) as problem:
        REQUESTS[request_name].read(answer)
    assert len(str(problem.value)) < 2000
