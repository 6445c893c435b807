"""Answers about one battle, kept as long as it stands: a battle never changes, so what was true of it stays true.

The same question is often asked again of the same battle: by the step that lists what is possible, by a player who weighs it, by the
check of his answer and by the step that carries it out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

from sandtable.games.flames_of_war.battle import Battle

P = ParamSpec("P")
T = TypeVar("T")


def kept(function: Callable[Concatenate[Battle, P], T]) -> Callable[Concatenate[Battle, P], T]:
    """Keep the answers of a function for the battle it was last asked about. Its other arguments must be hashable.

    Who gets an answer must leave it as it is. Refusals are not kept.
    """
    last: tuple[Battle | None, dict[Any, T]] = (None, {})

    def asked(battle: Battle, /, *args: P.args, **options: P.kwargs) -> T:
        nonlocal last
        known = last  # battle and answers at one stroke: other threads ask about other battles
        if known[0] is not battle:
            known = last = (battle, {})
        answers = known[1]
        key = (args, *options.items()) if options else args
        if key not in answers:
            answers[key] = function(battle, *args, **options)
        return answers[key]

    update_wrapper(asked, function)
    return asked
