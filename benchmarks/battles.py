"""Whole battles between bots: the ratio to a toy battle in plain Python, two processes against one, and growth with size.

The toy battle has the costs that no battle can avoid: every unit measures to every enemy, looks along lines of sight past forty
polygons, rolls dice and moves round terrain; it has no rules, no record and hardly a bot. The whole battles are crossroads, 15
teams a side, both sides played by the bot, with traces and the full record, as in normal play.

Run it with: .venv/bin/python benchmarks/battles.py [--rounds 5] [--games 3] [--jobs 2]
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import statistics
import time
from typing import Any

from msgspec.structs import replace

from sandtable.games.flames_of_war.battle import Battle, Platoon, TurnBegan
from sandtable.games.flames_of_war.setup import new_battle
from sandtable.kernel.game import Game, load_game
from sandtable.kernel.match import Match
from sandtable.lab.battles import bot_seed
from sandtable.lab.bots import make_bot
from sandtable.lab.runs import few_collections, game_seed, simulate

GOAL_RATIO = 0.05
GOAL_PROCESSES = 1.8
GOAL_EXPONENT = 1.3
SIZES = (1, 2, 4, 8)
"""How many copies of the forces and the table: 15, 30, 60 and 120 teams a side."""
TURNS = 3
"""Turns of each side that are timed when the battle grows."""

# -- the toy battle -------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, RANGE = 72.0, 48.0, 24.0
EFFECTS = (0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3)
"""Of 2d6 and the target's state, from 2 on: nothing, suppressed, disrupted, eliminated."""


class Rock:
    """A polygon that blocks sight and movement: its edges and the circle around it."""

    def __init__(self, chance: random.Random) -> None:
        x, y, corners, size = chance.uniform(4, 68), chance.uniform(9, 39), chance.randint(5, 10), chance.uniform(1, 3)
        angles = sorted(chance.uniform(0, 2 * math.pi) for _ in range(corners))
        points = [(x + size * chance.uniform(0.6, 1) * math.cos(a), y + size * chance.uniform(0.6, 1) * math.sin(a)) for a in angles]
        self.edges = [(*points[i], *points[(i + 1) % corners]) for i in range(corners)]
        self.x, self.y = sum(p[0] for p in points) / corners, sum(p[1] for p in points) / corners
        self.square = max((p[0] - self.x) ** 2 + (p[1] - self.y) ** 2 for p in points)


Rocks = list[tuple[float, float, float, list[tuple[float, float, float, float]]]]


def clear(ax: float, ay: float, bx: float, by: float, rocks: Rocks) -> bool:
    """Whether a line meets no rock."""
    rx, ry = bx - ax, by - ay
    square = rx * rx + ry * ry
    if square == 0.0:
        return True
    for x, y, reach, edges in rocks:
        ux, uy = x - ax, y - ay
        along = (ux * rx + uy * ry) / square
        if along < 0.0:
            along = 0.0
        elif along > 1.0:
            along = 1.0
        ux -= along * rx
        uy -= along * ry
        if ux * ux + uy * uy > reach:
            continue
        for px, py, qx, qy in edges:
            if (rx * (py - ay) - ry * (px - ax) > 0) != (rx * (qy - ay) - ry * (qx - ax) > 0):
                ex, ey = qx - px, qy - py
                if (ex * (ay - py) - ey * (ax - px) > 0) != (ex * (by - py) - ey * (bx - px) > 0):
                    return False
    return True


def expected_gains() -> list[list[float]]:
    """Steps that a shot takes from a target on average, by its state and the range band."""
    table = []
    for state in range(3):
        steps = 0.0
        for total in [a + b for a in range(6) for b in range(6)]:
            effect = EFFECTS[total + state]
            steps += (min(3, max(effect, state + 1)) - state if effect else 0) / 36
        table.append([steps * (21 - needed) / 20 + 0.1 * state for needed in (7, 10, 13)])
    return table


GAINS = expected_gains()


def toy_table(seed: int, units: int) -> tuple[Rocks, list[float], list[float]]:
    chance = random.Random(seed)
    rocks = [Rock(chance) for _ in range(40)]
    xs = [chance.uniform(2, 70) for _ in range(2 * units)]
    ys = [chance.uniform(1, 5) if i < units else chance.uniform(43, 47) for i in range(2 * units)]
    return [(rock.x, rock.y, rock.square, rock.edges) for rock in rocks], xs, ys


def toy_battle(units: int, rocks: Rocks, xs: list[float], ys: list[float], die: random.Random) -> int:
    """Units 0 to n-1 against the others, at most twelve turns: the side that won."""
    states = [0] * (2 * units)
    alive = [units, units]
    roll = die.random
    for _ in range(12):
        for side in (0, 1):
            foes = range(units, 2 * units) if side == 0 else range(units)
            for unit in range(side * units, side * units + units):
                if states[unit] == 3:
                    continue
                ux, uy = xs[unit], ys[unit]
                best, target, near, nearest = 0.0, -1, -1, 1e18
                for foe in foes:
                    if states[foe] == 3:
                        continue
                    dx, dy = xs[foe] - ux, ys[foe] - uy
                    square = dx * dx + dy * dy
                    if square < nearest:
                        nearest, near = square, foe
                    if square <= 576.0:
                        gain = GAINS[states[foe]][0 if square <= 64.0 else 1 if square <= 256.0 else 2]
                        if gain > best and clear(ux, uy, xs[foe], ys[foe], rocks):
                            best, target = gain, foe
                if near < 0:
                    break
                if target >= 0:
                    square = (xs[target] - ux) ** 2 + (ys[target] - uy) ** 2
                    needed = 7 if square <= 64.0 else 10 if square <= 256.0 else 13
                    if int(roll() * 20) + 1 >= needed + 2 * states[unit]:
                        effect = EFFECTS[int(roll() * 6) + int(roll() * 6) + states[target]]
                        if effect > 0:
                            states[target] = min(3, max(effect, states[target] + 1))
                            alive[1 - side] -= states[target] == 3
                else:
                    away = math.sqrt(nearest)
                    step = 6.0 if away > 6.0 else away * 0.5
                    straight = math.atan2(ys[near] - uy, xs[near] - ux)
                    for k in range(7):
                        angle = straight + ((k + 1) // 2) * 0.4 * (1 if k % 2 else -1)
                        x, y = ux + step * math.cos(angle), uy + step * math.sin(angle)
                        if 0.0 < x < WIDTH and 0.0 < y < HEIGHT and clear(ux, uy, x, y, rocks):
                            xs[unit], ys[unit] = x, y
                            break
            if 3 * alive[1 - side] < units:
                return side
    return 0 if alive[0] > alive[1] else 1


class Toys:
    """Toy battles one after another; only the battles are timed."""

    def __init__(self) -> None:
        self.seed = 0
        self.die = random.Random(1)

    def seconds(self, games: int) -> float:
        spent = 0.0
        for _ in range(games):
            self.seed += 1
            rocks, xs, ys = toy_table(self.seed % 20, 15)
            start = time.process_time()
            toy_battle(15, rocks, xs, ys, self.die)
            spent += time.process_time() - start
        return spent


# -- whole battles --------------------------------------------------------------------------------------------------


def play(game: Game, setup: Any, seed: str) -> Match:
    sources = {side: make_bot(game, "bot", side, bot_seed(seed, side)) for side in ("a", "b")}
    match = Match(game, setup, seed, sources=sources)
    match.run()
    assert match.over, "a battle did not end"
    return match


def against_toys(game: Game, rounds: int, games: int) -> dict[str, Any]:
    """Games a second as a ratio to the toy's, round by round."""
    setup = game.setup(game.data("scenarios", "crossroads"))
    toys = Toys()
    toys.seconds(5)
    play(game, setup, "warm")
    ratios, ours, theirs, turns = [], [], [], []
    for number in range(rounds):
        toy = 40 / toys.seconds(40)
        start = time.process_time()
        for index in range(games):
            match = play(game, setup, game_seed(f"bench {number}", index))
            turns.append(match.battle.turn)  # type: ignore[attr-defined]
        rate = games / (time.process_time() - start)
        toy = (toy + 40 / toys.seconds(40)) / 2
        ratios.append(rate / toy)
        ours.append(rate)
        theirs.append(toy)
    ratios.sort()
    return {
        "ratio": float(f"{statistics.median(ratios):.3g}"),
        "goal": GOAL_RATIO,
        "quartiles": [float(f"{ratios[len(ratios) // 4]:.3g}"), float(f"{ratios[-1 - len(ratios) // 4]:.3g}")],
        "games_a_second": float(f"{statistics.median(ours):.3g}"),
        "toy_games_a_second": float(f"{statistics.median(theirs):.4g}"),
        "turns_a_game": float(f"{statistics.mean(turns):.3g}"),
    }


def processes(game: Game, games: int, jobs: int) -> dict[str, Any]:
    """The laboratory with one process beside it, and with two: games a second by the clock, after both have warmed up."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    setup = game.setup(game.data("scenarios", "crossroads"))
    rates: dict[int, list[float]] = {1: [], jobs: []}
    pools = {number: ProcessPoolExecutor(number, mp_context=get_context("spawn")) for number in rates}
    try:
        for number, pool in pools.items():
            simulate(game, setup, 2 * number, seed="warm", jobs=number, executor=pool)
        for round in range(3):
            for number, pool in pools.items():
                start = time.perf_counter()
                simulate(game, setup, games, seed=f"jobs {round}", jobs=number, executor=pool)
                rates[number].append(games / (time.perf_counter() - start))
    finally:
        for pool in pools.values():
            pool.shutdown()
    each = [b / a for a, b in zip(rates[1], rates[jobs], strict=True)]
    return {
        "ratio": float(f"{statistics.median(each):.3g}"),
        "goal": GOAL_PROCESSES,
        "one": float(f"{statistics.median(rates[1]):.3g}"),
        "several": float(f"{statistics.median(rates[jobs]):.3g}"),
        "jobs": jobs,
    }


# -- growth ---------------------------------------------------------------------------------------------------------


def grown(game: Game, copies: int) -> Battle:
    """Crossroads many times over, side by side: a front as much longer as there are more teams, deployed as the bot deploys one copy.

    All copies are one battle on one table, with one company a side; the first turn is about to begin.
    """
    setup = game.setup(game.data("scenarios", "crossroads"))
    seed = "growth"
    sources = {side: make_bot(game, "bot", side, bot_seed(seed, side)) for side in ("a", "b")}
    match = Match(game, setup, seed, sources=sources)
    while match.battle.phase in ("first_player", "deployment"):  # type: ignore[attr-defined]
        match.run(steps=1)
    small: Battle = match.battle  # type: ignore[assignment]
    scenario = small.scenario
    terrain, objectives = [], []
    teams, platoons = {}, {}
    for copy in range(copies):
        dx = copy * scenario.width
        for piece in scenario.terrain:
            terrain.append(replace(piece, id=f"{piece.id}_{copy}", points=tuple((x + dx, y) for x, y in piece.points)))
        for objective in scenario.objectives:
            objectives.append(replace(objective, id=f"{objective.id}_{copy}", at=(objective.at[0] + dx, objective.at[1])))
        for platoon in small.platoons.values():
            platoons[f"{platoon.id}_{copy}"] = _copy_platoon(platoon, copy)
        for team in small.teams.values():
            assert team.pose is not None
            id = f"{team.id}_{copy}"
            pose = replace(team.pose, x=team.pose.x + round(1000 * dx))
            teams[id] = replace(team, id=id, platoon=f"{team.platoon}_{copy}", pose=pose)
    large = replace(
        scenario,
        width=scenario.width * copies,
        terrain=tuple(terrain),
        objectives=tuple(objectives),
        holding_counts_from_turn=TURNS + 1,
        turns=TURNS,
    )
    return replace(small, scenario=large, ground=new_battle(large).ground, teams=teams, platoons=platoons)


def _copy_platoon(platoon: Platoon, copy: int) -> Platoon:
    return replace(
        platoon,
        id=f"{platoon.id}_{copy}",
        teams=tuple(f"{id}_{copy}" for id in platoon.teams),
        leader=f"{platoon.leader}_{copy}" if platoon.leader else "",
        parent=f"{platoon.parent}_{copy}" if platoon.parent else "",
    )


def seconds_a_turn(game: Game, copies: int, seed: str) -> float:
    battle = grown(game, copies)
    setup = game.setup(game.data("scenarios", "crossroads"))
    sources = {side: make_bot(game, "bot", side, bot_seed(seed, side)) for side in ("a", "b")}
    match = Match(game, setup, seed, sources=sources)
    if battle.phase != "starting":
        battle = TurnBegan(1, battle.first).apply(battle)
    match.battle = battle
    start = time.process_time()
    match.run()
    return (time.process_time() - start) / max(1, match.battle.turn)  # type: ignore[attr-defined]


def growth(game: Game, repeats: int) -> dict[str, Any]:
    """The cost of a turn (of both sides), and the exponent of a straight line through the logarithms."""
    seconds: dict[int, list[float]] = {copies: [] for copies in SIZES}
    for copies in SIZES:
        seconds_a_turn(game, copies, "warm")  # the map is studied once
    for number in range(repeats):
        for copies in SIZES:
            seconds[copies].append(seconds_a_turn(game, copies, f"growth {number}"))
    cost = {15 * copies: statistics.mean(found) for copies, found in seconds.items()}
    xs, ys = [math.log(n) for n in cost], [math.log(s) for s in cost.values()]
    mx, my = statistics.mean(xs), statistics.mean(ys)
    exponent = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)
    return {"exponent": float(f"{exponent:.3g}"), "goal": GOAL_EXPONENT, "ms_a_turn": {n: round(1000 * s, 1) for n, s in cost.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of the comparison with the toy (default 7)")
    parser.add_argument("--games", type=int, default=6, help="games a round (default 6)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--repeats", type=int, default=4, help="battles of each size (default 4)")
    options = parser.parse_args()
    with few_collections():  # as the laboratory plays
        run(options)


def run(options: argparse.Namespace) -> None:
    game = load_game("flames_of_war")
    ratios: dict[str, Any] = {}

    found = ratios["whole battles / toy battles"] = against_toys(game, options.rounds, options.games)
    print(f"whole battles, 15 teams a side   {found['games_a_second']:8.3g} games/s   toy battle {found['toy_games_a_second']:.4g} games/s")
    _tell("ratio to the toy battle", found["ratio"], GOAL_RATIO, found["ratio"] >= GOAL_RATIO)

    found = ratios[f"{options.jobs} processes / 1"] = processes(game, 10 * options.games, options.jobs)
    _tell(f"{options.jobs} processes against one", found["ratio"], GOAL_PROCESSES, found["ratio"] >= GOAL_PROCESSES)

    found = ratios["growth of a turn"] = growth(game, options.repeats)
    for teams, cost in found["ms_a_turn"].items():
        print(f"  {teams:4d} teams a side   {cost:8.1f} ms a turn   {cost / teams:6.2f} ms a team")
    _tell("a turn grows as n to the", found["exponent"], GOAL_EXPONENT, found["exponent"] <= GOAL_EXPONENT)
    print(json.dumps({"benchmark": "battles", "python": platform.python_version(), "ratios": ratios}))


def _tell(name: str, value: float, goal: float, good: bool) -> None:
    print(f"{name:<34} {value:8.3g}   (goal {goal:g})  {'ok' if good else 'MISSED'}", flush=True)


if __name__ == "__main__":
    main()
