"""Many games: here, in processes beside, or wherever an executor takes them.

Each game has a seed of its own, made from the run's seed and the game's number, so that the results do not depend on
who plays which games in which order.
"""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from sandtable.kernel.game import Game, Setup, load_game
from sandtable.lab.battles import GameResult, play_one

Done = Callable[[GameResult], None]


def game_seed(seed: str, index: int) -> str:
    """The seed of one game of a run."""
    return hashlib.sha256(f"{seed} game {index}".encode()).hexdigest()[:32]


def play_some(game: str, setup: Setup, seed: str, bots: tuple[str, str], indexes: range, check: bool) -> list[GameResult]:
    """Some games of a run, in this process."""
    found = load_game(game)
    with few_collections():
        return [play_one(found, setup, game_seed(seed, index), bots, index=index, check=check) for index in indexes]


@contextmanager
def few_collections() -> Iterator[None]:
    """While games are played, look for garbage seldom: a battle is made of values that hold no cycles, and there are very many of them."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def simulate(
    game: Game,
    setup: Setup,
    games: int,
    *,
    seed: str = "1",
    bots: tuple[str, str] = ("bot", "bot"),
    jobs: int = 1,
    check: bool = False,
    executor: Executor | None = None,
    done: Done | None = None,
) -> list[GameResult]:
    """Play many games and give their results in order. `done` hears of each as it ends.

    `executor` may be anything with the interface of `concurrent.futures`: threads, a pool that exists already, or the
    executor of a cluster (`distributed.Client.get_executor()`). Without one, `jobs` processes are started here.
    """
    if executor is None and jobs <= 1:
        results = []
        for index in range(games):
            results += play_some(game.id, setup, seed, bots, range(index, index + 1), check)
            if done is not None:
                done(results[-1])
        return results
    with _processes(jobs) if executor is None else _kept(executor) as pool:
        chunks = _chunks(games, jobs)
        pending = {pool.submit(play_some, game.id, setup, seed, bots, chunk, check) for chunk in chunks}
        results = []
        for future in as_completed(pending):
            for result in future.result():
                results.append(result)
                if done is not None:
                    done(result)
    return sorted(results, key=lambda result: result.index)


def _chunks(games: int, jobs: int) -> Iterator[range]:
    """Big enough that handing them out costs nothing, small enough that nobody waits for the last one."""
    size = max(1, min(25, games // (8 * max(1, jobs))))
    for start in range(0, games, size):
        yield range(start, min(games, start + size))


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list(getattr(pool, "_processes", {}).values()):
            process.terminate()  # our own children: a game may have minutes to go
        raise
    pool.shutdown()


@contextmanager
def _kept(executor: Executor) -> Iterator[Executor]:
    yield executor


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
