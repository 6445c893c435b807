"""Line of sight among 40 pieces of terrain: the field against shapely, measured in one run.

The table is 72 x 48 inches with 40 random polygons of 5 to 10 corners, and 60 + 60 octagonal bases of 1 inch that touch none of them.
Question: does some line from one base to the other pass through no polygon?

  many    all 3600 pairs. Ours: the exact `sight_matrix`. Shapely: 5 x 5 lines a pair (centre and four rim points of each base), box
          candidates from an STRtree, prepared polygons, all vectorised; any clear line will do.
  single  one pair a call. Ours: the exact `sees`. Shapely: prepared polygons, the same 25 lines, stopping at the first clear one;
          and, for orientation, the line between the centres alone.

Before anything is timed the answers are compared on several tables: ours must see whatever a sampled line sees. The reverse need not hold,
and the number of pairs that only the exact answer finds is printed. Runs alternate, and each figure is the median of its repeats.

Usage: .venv/bin/python benchmarks/line_of_sight.py [--repeats 7] [--tables 3]
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import shapely
from shapely.geometry import LineString
from shapely.geometry import Polygon as Ring
from shapely.prepared import prep

from sandtable.field.shapes import circle, tidy
from sandtable.field.sight import Blocker, sees, sight_matrix

WIDTH, HEIGHT, PIECES, SIDE, RADIUS = 72_000, 48_000, 40, 60, 500


class Table:
    """A random table in both languages."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        shapes: list[Ring] = []
        while len(shapes) < PIECES:
            x, y, size = rng.uniform(2000, WIDTH - 2000), rng.uniform(2000, HEIGHT - 2000), rng.uniform(1000, 3000)
            corners = []
            for turn in sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(5, 10))):
                far = size * rng.uniform(0.6, 1)
                corners.append((round(x + far * math.cos(turn)), round(y + far * math.sin(turn))))
            ring = Ring(corners)
            if ring.is_valid and ring.area > 500_000:
                shapes.append(Ring(tidy(corners)))
        self.rings = np.array(shapes, dtype=object)
        self.tree = shapely.STRtree(shapes)
        shapely.prepare(self.rings)
        self.prepared = [prep(ring) for ring in shapes]
        self.blockers = [Blocker(f"p{i}", [(int(x), int(y)) for x, y in ring.exterior.coords[:-1]]) for i, ring in enumerate(shapes)]
        centres: list[tuple[int, int]] = []
        while len(centres) < 2 * SIDE:
            half = HEIGHT // 2 * (len(centres) // SIDE)
            spot = (rng.randint(1000, WIDTH - 1000), rng.randint(1000, HEIGHT // 2 - 1000) + half)
            if not len(self.tree.query(Ring(circle(spot, RADIUS + 50)), predicate="intersects")):
                centres.append(spot)
        self.centres = np.array(centres, dtype=float)
        bases = [circle(spot, RADIUS, 8) for spot in centres]
        self.ours, self.theirs = bases[:SIDE], bases[SIDE:]
        # Corners 0, 2, 4, 6 of the octagon are its rim points E, N, W, S.
        spots = np.array([[spot, base[0], base[2], base[4], base[6]] for spot, base in zip(centres, bases, strict=True)], dtype=float)
        self.from_spots, self.to_spots = spots[:SIDE], spots[SIDE:]


def shapely_many(table: Table) -> np.ndarray:
    p, q = np.broadcast_arrays(table.from_spots[:, None, :, None, :], table.to_spots[None, :, None, :, :])
    lines = shapely.linestrings(np.stack([p.reshape(-1, 2), q.reshape(-1, 2)], axis=1))
    at, piece = table.tree.query(lines)
    hit = shapely.intersects(table.rings[piece], lines[at])
    clear = np.ones(len(lines), bool)
    clear[at[hit]] = False
    return clear.reshape(SIDE, SIDE, 25).any(axis=2)


def ours_many(table: Table) -> np.ndarray:
    return sight_matrix(table.ours, table.theirs, table.blockers)


def pairs() -> list[tuple[int, int]]:
    return [(i % SIDE, (i * 7 + 3) % SIDE) for i in range(240)]


def ours_single(table: Table) -> list[bool]:
    return [sees(table.ours[i], table.theirs[j], table.blockers).clear for i, j in pairs()]


def shapely_single(table: Table) -> list[bool]:
    spots_a, spots_b = table.from_spots.tolist(), table.to_spots.tolist()
    out = []
    for i, j in pairs():
        clear = False
        for p in spots_a[i]:
            for q in spots_b[j]:
                line = LineString([p, q])
                if not any(ring.intersects(line) for ring in table.prepared):
                    clear = True
                    break
            if clear:
                break
        out.append(clear)
    return out


def shapely_single_centre(table: Table) -> list[bool]:
    spots_a, spots_b = table.from_spots[:, 0].tolist(), table.to_spots[:, 0].tolist()
    out = []
    for i, j in pairs():
        line = LineString([spots_a[i], spots_b[j]])
        out.append(not any(ring.intersects(line) for ring in table.prepared))
    return out


def check(table: Table) -> tuple[int, int]:
    """Ours must see all that samples see, and pair by pair what it says of all. Returns (pairs seen, seen by exact lines alone)."""
    exact, sampled = ours_many(table), shapely_many(table)
    if (sampled & ~exact).any():
        sys.exit("a sampled line sees what the exact answer calls blocked")
    for (i, j), one in zip(pairs(), ours_single(table), strict=True):
        if one != exact[i, j]:
            sys.exit(f"pair {i}, {j}: one answer alone, another in the matrix")
    return int(exact.sum()), int((exact & ~sampled).sum())


def timed(jobs: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each job; the jobs take turns, so that a slow moment of the machine hits all of them."""
    seen: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            seen[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seen.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Line of sight: the field against shapely.")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--tables", type=int, default=3, help="random tables whose answers are compared first")
    options = parser.parse_args()
    counts = [check(Table(seed)) for seed in range(options.tables)]
    for seed, (seen, alone) in enumerate(counts):
        print(f"table {seed}: {seen} of {SIDE * SIDE} pairs see each other, {alone} of them by lines that 25 samples miss")
    table = Table(0)
    n = len(pairs())
    many = timed({"ours": lambda: ours_many(table), "shapely": lambda: shapely_many(table)}, options.repeats)
    single = timed(
        {
            "ours": lambda: ours_single(table),
            "shapely": lambda: shapely_single(table),
            "shapely_centre": lambda: shapely_single_centre(table),
        },
        options.repeats,
    )
    ratios = {
        "many": many["shapely"] / many["ours"],
        "single": single["shapely"] / single["ours"],
        "single_centre_only": single["shapely_centre"] / single["ours"],
    }
    print(f"many    exact {many['ours'] * 1e3:8.1f} ms   shapely, 25 lines {many['shapely'] * 1e3:8.1f} ms   {ratios['many']:.2f}x")
    micro = {name: value / n * 1e6 for name, value in single.items()}
    print(f"single  exact {micro['ours']:8.1f} us   shapely, 25 lines {micro['shapely']:8.1f} us   {ratios['single']:.2f}x")
    print(f"        (shapely, centres only, a weaker question: {micro['shapely_centre']:.1f} us, {ratios['single_centre_only']:.2f}x)")
    print(
        json.dumps(
            {
                "ratios": {name: round(value, 2) for name, value in ratios.items()},
                "seconds": {
                    "many": many,
                    "single": {name: value / n for name, value in single.items()},
                },
                "seen_by_exact_lines_only": [alone for _, alone in counts],
                "python": platform.python_version(),
                "numpy": np.__version__,
                "shapely": shapely.__version__,
            }
        )
    )


if __name__ == "__main__":
    main()
