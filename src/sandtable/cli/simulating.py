"""`simulate`: many whole games between bots."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from sandtable.cli.inputs import find_scenario, show_json
from sandtable.kernel.errors import InputError
from sandtable.lab import Summary, default_bot, find_bots, summarise
from sandtable.lab import simulate as run
from sandtable.lab.statistics import Mean


def simulate(scenario: str, *, games: int, jobs: int, seed: str, bots: tuple[str | None, str | None], check: bool, json: bool) -> int:
    if not 1 <= games <= 1_000_000:
        raise InputError("--games is from 1 to 1000000")
    if not 1 <= jobs <= 256:
        raise InputError("--jobs is from 1 to 256")
    game, data = find_scenario(scenario)
    setup = game.setup(data)
    known = find_bots(game)
    first, second = ((name if name is not None else default_bot(game)) for name in bots)
    for name in (first, second):
        if name not in known:
            raise InputError(f"{game.id} has no bot {name!r}; it has: {', '.join(sorted(known)) or 'none'}")
    options: dict[str, Any] = {"seed": seed, "bots": (first, second), "jobs": min(jobs, games), "check": check}
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(scenario, total=games)
            results = run(game, setup, games, done=lambda _: progress.advance(task), **options)
    else:
        results = run(game, setup, games, **options)
    summary = summarise(results)
    if json:
        about = {"game": game.id, "scenario": data.get("id", scenario), "seed": seed, "bots": {"a": first, "b": second}}
        show_json({**about, **msgspec.to_builtins(summary)})
    else:
        _print(summary, {"a": first, "b": second})
    return 1 if summary.problems else 0


def _print(summary: Summary, bots: dict[str, str]) -> None:
    print(f"{summary.games} games; in brackets: 95 % confidence")
    for side, share in summary.wins.items():
        who = f"side {side} ({bots[side]}) wins" if side in bots else "draws"
        print(f"  {who:28} {share.count:6}  {share.share:6.1%}  [{share.low:.1%} to {share.high:.1%}]")
    print(f"  side a keeps more of its force than side b by {_mean(summary.margin, 100)} points of 100")
    print(f"  turns {_mean(summary.turns)}, decisions {_mean(summary.answers)}")
    for side, lost in summary.losses.items():
        print(f"  pieces lost by side {side}: {_mean(lost)}")
        turns = ", ".join(f"{turn}: {mean.mean:.2f}" for turn, mean in enumerate(summary.losses_by_turn[side], 1))
        print(f"    by turn: {turns or '-'}")
    print(f"  digest of all logs: {summary.digest}")
    for problem in summary.problems[:20]:
        print(f"  PROBLEM {problem}")


def _mean(mean: Mean, scale: float = 1.0) -> str:
    return f"{mean.mean * scale:.2f} [{mean.low * scale:.2f} to {mean.high * scale:.2f}]"
