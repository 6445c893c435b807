"""Moves: numbers by hand, and small steps as a twin."""

from __future__ import annotations

import itertools
import math
import random
import time

import pytest
from hypothesis import given, settings
from shapely.geometry import LineString
from shapely.geometry import Polygon as Ring

from sandtable.field.paths import (
    Leg,
    _around,
    _kept_clear,
    closest_approach,
    cut,
    find_route,
    first_within,
    free_place_near,
    heading_at,
    intervals_inside,
    legs,
    length,
    overlap_intervals,
    point_at,
)
from sandtable.field.shapes import Pose, bearing, distance, overlap, rectangle, span
from sandtable.field.terrain import Piece

from .strategies import polygon, seeds

L = ((0, 0), (3000, 4000), (3000, 6000))
WOOD = ((9000, -3000), (11000, -3000), (11000, 3000), (9000, 3000))
EAST = ((0, 0), (20000, 0))


def test_along_a_path() -> None:
    assert length(L) == 7000
    assert [point_at(L, d) for d in (-1, 0, 2500, 5000, 6000, 9999)] == [
        (0, 0),
        (0, 0),
        (1500, 2000),
        (3000, 4000),
        (3000, 5000),
        (3000, 6000),
    ]
    assert cut(L, 2500) == ((0, 0), (1500, 2000)) and cut(L, 5000) == L[:2] and cut(L, 6000) == (*L[:2], (3000, 5000)) and cut(L, 9999) == L
    assert [heading_at(L, d) for d in (0, 5000, 5001)] == [37, 37, 0] and heading_at(((5, 5),), 0, standing=90) == 90


def test_a_tank_enters_with_its_front_and_leaves_with_its_back() -> None:
    # Two inches long: its front meets the wood at x = 9 when the centre is at 8, its back leaves at 12.
    assert overlap_intervals(EAST, 1000, 2000, WOOD) == [pytest.approx((8000, 12000))]
    assert intervals_inside(EAST, WOOD) == [pytest.approx((9000, 11000))]
    # Sideways it is one inch long.
    assert overlap_intervals(EAST, 1000, 2000, WOOD, facing=0) == [pytest.approx((8500, 11500))]
    assert overlap_intervals(((0, 3500), (20000, 3500)), 1000, 2000, WOOD) == []


def test_the_standoff_begins_two_inches_before_the_base() -> None:
    # Front at x = 7 leaves 2.000; 2 thousandths nearer is still within the tolerance.
    assert first_within(EAST, 1000, 2000, WOOD, 2000) == pytest.approx(6002)
    assert first_within(((0, 5500), (20000, 5500)), 1000, 2000, WOOD, 2000) is None
    assert first_within(((9500, 0), (20000, 0)), 1000, 2000, WOOD, 2000) == 0
    assert closest_approach(((0, 5500), (20000, 5500)), 1000, 2000, WOOD) == pytest.approx((2000, 8000), abs=0.1)
    assert closest_approach(((0, 0),), 1000, 2000, WOOD) == pytest.approx((8500, 0))


def test_legs_over_a_wood_and_a_road() -> None:
    wood = Piece("wood", "wood", "area", WOOD)
    road = Piece("road", "road", "road", ((10000, -9000), (10000, 9000)), width=1000)
    assert legs(EAST, [wood, road]) == [
        Leg(0.0, pytest.approx(9000), ()),
        Leg(pytest.approx(9000), pytest.approx(9500), ("wood",)),
        Leg(pytest.approx(9500), pytest.approx(10500), ("wood", "road")),
        Leg(pytest.approx(10500), pytest.approx(11000), ("wood",)),
        Leg(pytest.approx(11000), pytest.approx(20000), ()),
    ]
    assert [leg.length for leg in legs(EAST, [wood], 1000, 2000)] == pytest.approx([8000, 4000, 8000])
    assert legs(((0, 0), (0, 5)), [wood]) == [Leg(0.0, 5.0, ())]


def test_a_route_around_a_wood() -> None:
    route = find_route((0, 0), (20000, 0), [WOOD])
    assert route is not None and length(route) == pytest.approx(2 * math.sqrt(9000**2 + 3000**2) + 2000)
    assert find_route((0, 0), (20000, 0), []) == EAST


def test_a_route_keeps_clear_and_keeps_to_the_table() -> None:
    route = find_route((0, 0), (20000, 0), [WOOD], clearance=700)
    assert route is not None and LineString(route).distance(Ring(WOOD)) >= 700
    # The table ends just above the wood: only the lower way is left. With both ends shut there is none.
    low = find_route((0, 0), (20000, 0), [WOOD], 700, bounds=(-1000, -9000, 30000, 3100))
    assert low is not None and min(y for _, y in low) < -3600
    assert find_route((0, 0), (20000, 0), [WOOD], 700, bounds=(-1000, -3100, 30000, 3100)) is None


def test_a_route_out_of_a_bay_and_out_of_a_wood() -> None:
    bay = ((-3000, -3000), (3000, -3000), (3000, 3000), (2000, 3000), (2000, -2000), (-2000, -2000), (-2000, 3000), (-3000, 3000))
    route = find_route((0, 0), (0, -9000), [bay], clearance=300)
    assert route is not None and LineString(route).distance(Ring(bay)) >= 290 and max(y for _, y in route) > 3000
    assert find_route((10000, 0), (20000, 0), [WOOD]) == ((10000, 0), (20000, 0))


def test_a_route_weighs_slow_ground() -> None:
    # Straight through costs 20 + 2 * (weight - 1); around costs 20.97 inches.
    assert find_route((0, 0), (20000, 0), [], avoid=[(WOOD, 1.4)]) == EAST
    around = find_route((0, 0), (20000, 0), [], avoid=[(WOOD, 1.6)])
    assert around is not None and len(around) == 4


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_routes_are_free_and_no_longer_than_a_full_search(seed: int) -> None:
    rng = random.Random(seed)
    woods = [polygon(rng, 30000, 4000) for _ in range(12)]
    start, goal = (rng.randint(0, 30000), -4500), (rng.randint(0, 30000), 34500)
    route = find_route(start, goal, woods, clearance=500)
    assert route is not None
    for wood in woods:
        assert LineString(route).distance(Ring(wood).convex_hull) >= 500
    # The twin searches among all obstacles at once.
    everything = [hindrance for wood in woods for hindrance in _kept_clear(wood, start, goal, 500)]
    full = _around(start, goal, everything, None)
    assert full is not None and length(full) == pytest.approx(length(route), rel=1e-9)
    back = find_route(goal, start, woods, clearance=500)
    assert back is not None and length(back) == pytest.approx(length(route), rel=1e-6)


def test_a_route_among_forty_woods_is_quick() -> None:
    rng = random.Random(5)
    woods = [polygon(rng, 48000, 3000) for _ in range(40)]
    spent = []
    for _ in range(15):
        start, goal = (rng.randint(0, 48000), -3500), (rng.randint(0, 48000), 51500)
        begin = time.perf_counter()
        assert find_route(start, goal, woods, clearance=500) is not None
        spent.append(time.perf_counter() - begin)
    # Typically a few milliseconds; the bound is loose because test machines are busy.
    assert sorted(spent)[len(spent) // 2] < 0.1


def test_the_nearest_free_place() -> None:
    table = (0, 0, 48000, 48000)
    here = Pose(5000, 5000, 90)
    assert free_place_near(here, 1000, 1000, [], table) == here
    taken = [rectangle(here, 1000, 1000)]
    assert free_place_near(here, 1000, 1000, taken, table) == Pose(5000, 6000, 90)
    assert free_place_near(Pose(5000, 47600, 90), 1000, 1000, [], table) == Pose(5000, 47475, 90)
    assert free_place_near(here, 1000, 1000, taken, table, allowed=lambda pose: pose.y < 5000) is not None
    assert free_place_near(here, 1000, 1000, [((0, 0), (48000, 0), (48000, 48000), (0, 48000))], table) is None


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_overlap_intervals_against_small_steps(seed: int) -> None:
    rng = random.Random(seed)
    wood = polygon(rng, 12000, 5000)
    path = tuple((rng.randint(0, 12000), rng.randint(0, 12000)) for _ in range(3))
    width, depth = rng.randint(300, 2000), rng.randint(300, 2500)
    found = overlap_intervals(path, width, depth, wood)
    near = first_within(path, width, depth, wood, 500)
    closest = closest_approach(path, width, depth, wood)
    done = 0.0
    least = math.inf
    for p, q in itertools.pairwise(path):
        for step in range(60):
            t = (step + 0.5) / 60
            far = done + span(p, q) * t
            spot = (round(p[0] + (q[0] - p[0]) * t), round(p[1] + (q[1] - p[1]) * t))
            standing = rectangle(Pose(*spot, bearing(p, q)), width, depth)
            # Within 3 thousandths of an end, rounding decides.
            if all(abs(far - end) > 20 for interval in found for end in interval):
                shrunk = Ring(standing).intersection(Ring(wood)).area
                if any(s < far < t for s, t in found):
                    assert overlap(standing, wood)
                else:
                    assert shrunk < 5000
            gap = distance(standing, wood)
            least = min(least, gap)
            if near is None or far < near - 20:
                assert gap >= 500 - 2 - 2
        done += span(p, q)
    assert closest[0] <= least + 2
