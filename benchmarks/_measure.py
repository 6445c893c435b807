"""Ratios that hold on a busy machine: contenders take turns in short rounds, and a ratio is the median over the rounds.

Time is the processor time of this process, so that a turn during which other programs had the processor does not count
against whoever had it; who begins a round changes. (Not for work that other processes or threads do.)

Each benchmark prints a line a ratio, and all of them as one JSON object on the last line.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Contender = Callable[[], object]


def rates(contenders: Mapping[str, Contender], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Calls a second of every contender, round by round, each about `seconds` long a turn."""
    turns = {name: _calls(contender, seconds) for name, contender in contenders.items()}
    found: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders.items())
    for _ in range(rounds):
        order.reverse()
        for name, contender in order:
            calls = turns[name]
            start = time.process_time()
            for _ in range(calls):
                contender()
            found[name].append(calls / (time.process_time() - start))
    return found


def _calls(contender: Contender, seconds: float) -> int:
    """How many calls fill a turn."""
    contender()
    calls = 1
    while True:
        start = time.process_time()
        for _ in range(calls):
            contender()
        spent = time.process_time() - start
        if spent >= seconds / 4:
            return max(1, round(calls * seconds / spent))
        calls *= 2


class Report:
    """The ratios of one benchmark: measured, printed, and told against their goals."""

    def __init__(self, name: str) -> None:
        parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
        parser.add_argument("--rounds", type=int, default=60, help="turns of each contender (default 60)")
        parser.add_argument("--seconds", type=float, default=0.01, help="seconds a turn (default 0.01)")
        self.options = parser.parse_args()
        self.name = name
        self.ratios: dict[str, Any] = {}

    def compare(self, name: str, ours: Contender, theirs: Contender, *, goal: float, per_call: float = 1) -> float:
        """How many times as fast ours is. `per_call` is how many of their calls one of ours stands for."""
        found = rates({"ours": ours, "theirs": theirs}, self.options.rounds, self.options.seconds)
        each = sorted(a * per_call / b for a, b in zip(found["ours"], found["theirs"], strict=True))
        ratio = statistics.median(each)
        self.ratios[name] = {
            "ratio": float(f"{ratio:.3g}"),
            "goal": goal,
            "quartiles": [float(f"{each[len(each) // 4]:.3g}"), float(f"{each[-1 - len(each) // 4]:.3g}")],
            "ours_us": float(f"{1e6 / statistics.median(found['ours']):.4g}"),
            "theirs_us": float(f"{1e6 / statistics.median(found['theirs']):.4g}"),
        }
        print(f"{name:<58} {ratio:10.3g} x   (goal {goal:g} x)  {'ok' if ratio >= goal else 'MISSED'}", flush=True)
        return ratio

    def end(self) -> None:
        print(json.dumps({"benchmark": self.name, "python": platform.python_version(), "ratios": self.ratios}))
