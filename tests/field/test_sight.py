"""Line of sight: rulings by hand, and properties on random tables."""

from __future__ import annotations

import random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString
from shapely.geometry import Polygon as Ring

from sandtable.field.shapes import Pose, circle, contains, distance, hull, rectangle, touches
from sandtable.field.sight import Blocker, Limit, gap_bridges, hidden_fraction, run_inside, sees, sight_matrix

from .strategies import seeds, table

A = rectangle(Pose(0, 0), 1000, 1000)
B = rectangle(Pose(20000, 0), 1000, 1000)


def box(x0: int, y0: int, x1: int, y1: int, name: str = "wood") -> Blocker:
    return Blocker(name, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


# ---- rulings by hand ---------------------------------------------------------------------------------------------------------------------


def test_open_ground_is_clear_along_the_centres() -> None:
    assert sees(A, B, []).line == ((0, 0), (20000, 0))


def test_a_wood_over_the_centre_line_leaves_the_lower_edge() -> None:
    sight = sees(A, B, [box(9000, -300, 11000, 3000)])
    assert sight.clear and sight.line == ((-500, -500), (19500, -500))


def test_a_line_may_graze_a_corner_and_an_edge() -> None:
    assert sees((0, 0), (20000, 0), [box(9000, 0, 11000, 3000)]).clear
    assert not sees((0, 0), (20000, 0), [box(9000, -1, 11000, 3000)]).clear


def test_a_verdict_names_what_blocks_and_where() -> None:
    sight = sees(A, B, [box(9000, -3000, 11000, 3000, "far"), box(4000, -3000, 5000, 3000, "wood B")])
    # The line leaves the base's edge at x = 500 and meets the wood at x = 4000.
    assert (sight.clear, sight.blocked_by, sight.at, sight.why) == (False, "wood B", 3500, "blocked")


def test_two_woods_close_the_corridor_together() -> None:
    # Upper wood reaches down to y = 0, lower wood (elsewhere along the way) up to y = 0: just the line y = 0 is left.
    upper, lower = box(5000, 0, 6000, 9000), box(14000, -9000, 15000, 0)
    assert sees(A, B, [upper, lower]).line == ((0, 0), (20000, 0))
    # With 10 more from below there are slanted lines left: down before the lower wood is not possible, up behind the upper one is.
    assert sees(A, B, [upper, box(14000, -9000, 15000, 10)]).clear
    # From -500 at A through (6000, 0) a line has reached 500/6500*... = +615 at x = 14000: 700 is too much.
    assert not sees(A, B, [upper, box(14000, -9000, 15000, 700)]).clear


def test_a_bare_segment_blocks_only_when_properly_crossed() -> None:
    wall = Blocker("wall", ((10000, -5000), (10000, 0)))
    assert sees((0, 0), (20000, 0), [wall]).clear
    assert not sees((0, -1), (20000, -1), [wall]).clear


def test_a_base_in_a_bay_looks_out_of_it_only() -> None:
    bay = Blocker(
        "bay", ((-3000, -3000), (3000, -3000), (3000, -2000), (-2000, -2000), (-2000, 2000), (3000, 2000), (3000, 3000), (-3000, 3000))
    )
    assert sees(A, B, [bay]).clear
    assert not sees(A, rectangle(Pose(-20000, 0), 1000, 1000), [bay]).clear
    assert not sees(A, rectangle(Pose(0, 9000), 1000, 1000), [bay]).clear


def test_a_base_half_in_a_blocker_sees_from_its_free_half() -> None:
    assert sees(A, B, [box(0, -3000, 9000, 0)]).clear
    assert not sees(A, B, [box(0, -3000, 9000, 600)]).clear


def test_a_base_inside_a_blocker_sees_from_a_corner_on_its_edge() -> None:
    # The rightmost corner of the turned base touches the wood's edge from within: every line starts there.
    assert sees(rectangle(Pose(0, 0, 45), 1000, 1000), B, [box(-5000, -5000, 707, 5000), box(9000, -9000, 9500, 100)]).clear
    assert not sees(rectangle(Pose(0, 0, 45), 1000, 1000), B, [box(-5000, -5000, 708, 5000)]).clear


def test_bases_that_touch_see_each_other() -> None:
    assert sees(A, rectangle(Pose(1000, 0), 1000, 1000), [box(-9000, -9000, 9000, 9000)]).clear


def test_six_inches_into_a_wood() -> None:
    wood = box(-5000, -5000, 5000, 5000)
    limit = [Limit((wood,), 6000)]
    # Front edge at x = 500, wood's edge at x = 5000: 4.5 inches.
    assert sees(A, B, [], limit).clear
    # Moved back to x = -1500 the front is 6.0 inches deep; 3 thousandths more is beyond the tolerance of 2.
    assert sees(rectangle(Pose(-1500, 0), 1000, 1000), B, [], limit).clear
    deep = sees(rectangle(Pose(-1503, 0), 1000, 1000), B, [], limit)
    assert (deep.clear, deep.blocked_by, deep.at, deep.why) == (False, "wood", 6000, "depth")


def test_a_limit_counts_all_its_pieces_together_and_each_limit_by_itself() -> None:
    one, two = box(2000, -9000, 6000, 9000, "one"), box(9000, -9000, 13000, 9000, "two")
    assert not sees(A, B, [], [Limit((one, two), 6000)]).clear
    assert sees(A, B, [], [Limit((one,), 6000), Limit((two,), 6000)]).clear


def test_the_longest_line() -> None:
    assert sees(A, B, [], max_length=19000).clear
    sight = sees(A, B, [], max_length=18990)
    assert (sight.clear, sight.blocked_by, sight.at, sight.why) == (False, None, 18990, "length")


def test_depth_past_a_wall_is_found_between_the_corners() -> None:
    # The wall's end (4000, 0) forces the line around it; the least deep line through that corner touches no other corner.
    wood = Blocker("wood", ((0, -6000), (8000, -3000), (8000, 9000), (0, 9000)))
    wall = Blocker("wall", ((4000, 0), (4000, -12000)))
    source, target = rectangle(Pose(500, 0), 6000, 200), rectangle(Pose(12000, -1000), 9000, 200)
    least = min(
        run_inside(p, q, wood.shape)
        for p in [(600, y) for y in range(-3000, 3001, 20)]
        for q in [(11900, y) for y in range(-5500, 3501, 20)]
        if sees(p, q, [wall]).clear
    )
    assert sees(source, target, [wall], [Limit((wood,), least + 3)]).clear


def test_gaps_narrower_than_an_inch_are_closed() -> None:
    upper, lower = box(9000, 450, 11000, 5000, "upper"), box(9000, -5000, 11000, -450, "lower")
    assert sees(A, B, [upper, lower]).clear
    bridges = gap_bridges([upper, lower], 1000)
    assert [b.id for b in bridges] == ["lower|upper"]
    assert not sees(A, B, [upper, lower, *bridges]).clear
    assert gap_bridges([box(9000, 550, 11000, 5000), lower], 1000) == []


def test_touching_shapes_are_joined_too() -> None:
    upper, lower = box(9000, 0, 11000, 5000), box(9000, -5000, 11000, 0)
    assert sees(A, B, [upper, lower]).clear
    assert not sees(A, B, [upper, lower, *gap_bridges([upper, lower], 1000)]).clear


def test_run_inside() -> None:
    assert run_inside((0, 0), (20000, 0), box(9000, -10, 11000, 10).shape) == pytest.approx(2000)
    assert run_inside((9500, 0), (10000, 0), box(9000, -10, 11000, 10).shape) == pytest.approx(500)
    assert run_inside((0, 10), (20000, 10), box(9000, -10, 11000, 10).shape) == 0


def test_half_hidden_by_a_screen() -> None:
    # From far away, a screen in front of the upper half hides a half.
    target = rectangle(Pose(20000, 0), 2000, 2000)
    assert hidden_fraction((0, 0), target, [box(18000, 0, 18500, 5000)]) == pytest.approx(0.5)
    assert hidden_fraction((0, 0), target, [box(18000, 5000, 18500, 6000)]) == 0
    assert hidden_fraction((0, 0), target, [box(18000, -5000, 18500, 5000)]) == 1
    # A screen across the target itself hides what lies behind it: 1 of 2 inches, the screen's own ground included.
    assert hidden_fraction((0, 0), target, [box(20000, -5000, 20500, 5000)]) == pytest.approx(0.5)


# ---- properties --------------------------------------------------------------------------------------------------------------------------


tables = st.tuples(seeds, st.integers(0, 7), st.sampled_from([1, 1, 250, 500]))


@settings(max_examples=150, deadline=None)
@given(tables)
def test_symmetric_and_independent_of_order(drawn: tuple[int, int, int]) -> None:
    seed, count, coarse = drawn
    a, b, blockers = table(seed, count, coarse=coarse)
    first = sees(a, b, blockers)
    assert sees(b, a, blockers).clear == first.clear
    shuffled = blockers[:]
    random.Random(seed).shuffle(shuffled)
    assert sees(a, b, shuffled) == first


def sampled(a: tuple[tuple[int, int], ...], b: tuple[tuple[int, int], ...], steps: int = 40) -> np.ndarray:
    """Lines from points all around one base to points all around the other (a line between insides crosses both rims)."""

    def rim(base: tuple[tuple[int, int], ...]) -> np.ndarray:
        ring = Ring(base).exterior
        return shapely.get_coordinates(shapely.line_interpolate_point(ring, np.linspace(0, 1, steps, endpoint=False), normalized=True))

    p, q = rim(a), rim(b)
    return np.stack([np.repeat(p, steps, axis=0), np.tile(q, (steps, 1))], axis=1)


@settings(max_examples=120, deadline=None)
@given(tables)
def test_no_sampled_line_sees_what_is_called_blocked_and_every_clear_line_is_clear(drawn: tuple[int, int, int]) -> None:
    seed, count, coarse = drawn
    a, b, blockers = table(seed, count, coarse=coarse)
    sight = sees(a, b, blockers)
    if touches(a, b):
        assert sight.clear
        return
    if sight.clear:
        assert sight.line is not None
        line = LineString(sight.line)
        assert line.distance(Ring(a)) < 1e-3 and line.distance(Ring(b)) < 1e-3
        assert Ring(a).distance(shapely.Point(sight.line[0])) < 1e-3
        for blocker in blockers:
            if len(blocker.shape) > 2:
                outside = line.difference(Ring(a)).difference(Ring(b))
                # A hair's breadth of slack for the ends, which are not on the grid.
                assert outside.intersection(Ring(blocker.shape).buffer(-0.01)).length < 0.1
    else:
        lines = shapely.linestrings(sampled(a, b))
        blocked = np.zeros(len(lines), bool)
        for blocker in blockers:
            if len(blocker.shape) > 2:
                inner = Ring(blocker.shape).buffer(-0.001)
                shapely.prepare(inner)
                blocked |= shapely.intersects(inner, lines)
            else:
                blocked |= shapely.crosses(lines, LineString(blocker.shape))
        # Sampled ends are rounded; a line that only grazes may slip by less than the grid.
        for x in lines[~blocked]:
            p, q = (tuple(map(float, c)) for c in x.coords)
            assert any(
                LineString((p, q)).distance(LineString(blocker.shape)) < 0.01 for blocker in blockers if len(blocker.shape) == 2
            ) or any(LineString((p, q)).intersection(Ring(blocker.shape)).length > 0 for blocker in blockers if len(blocker.shape) > 2)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(0, 9), st.sampled_from([1, 500]))
def test_the_matrix_says_what_the_pairs_say(seed: int, count: int, coarse: int) -> None:
    sources, targets = [], []
    blockers: list[Blocker] = []
    for k in range(4):
        a, b, more = table(seed + k, count if k == 0 else 0, coarse=coarse)
        sources.append(a)
        targets.append(b)
        blockers += more
    sources.append((5000, 5000))
    targets.append(circle((3000, 9000), 500, 8))
    matrix = sight_matrix(sources, targets, blockers)
    assert matrix.tolist() == [[sees(s, t, blockers).clear for t in targets] for s in sources]


@settings(max_examples=80, deadline=None)
@given(seeds, st.integers(1, 5))
def test_limits_never_refuse_what_samples_allow(seed: int, count: int) -> None:
    a, b, woods = table(seed, count, size=5000)
    wood, blockers = woods[0], woods[1:]
    if len(wood.shape) < 3 or touches(a, b):
        return
    limit = random.Random(seed).randint(200, 4000)
    sight = sees(a, b, blockers, [Limit((wood,), limit)])
    if sight.clear:
        assert sight.line is not None
        inside = LineString(sight.line).intersection(Ring(wood.shape)).length
        assert inside <= limit + 2.1
        assert sees(b, a, blockers, [Limit((wood,), limit)]).clear
        return
    lines = shapely.linestrings(sampled(a, b, 25))
    depth = shapely.length(shapely.intersection(Ring(wood.shape), lines))
    for line in lines[depth <= limit]:
        p, q = line.coords
        stopped = any(
            LineString((p, q)).intersection(Ring(x.shape)).length > 0.01 if len(x.shape) > 2 else line.distance(LineString(x.shape)) < 0.01
            for x in blockers
        )
        assert stopped


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(1, 5), st.sampled_from([1, 500]))
def test_hidden_fraction_against_shapely(seed: int, count: int, coarse: int) -> None:
    a, target, screens = table(seed, count, coarse=coarse)
    point = a[0]
    screens = [s for s in screens if len(s.shape) > 2]
    if contains(target, point):
        return
    shadow = Ring()
    for screen in screens:
        if contains(screen.shape, point, strict=True):
            assert hidden_fraction(point, target, screens) == 1
            return
        for part in shapely.constrained_delaunay_triangles(Ring(screen.shape)).geoms:
            ring = [(int(x), int(y)) for x, y in list(part.exterior.coords)[:-1]]
            # Everything behind a triangle: the hull of it and of itself pushed far away from the point.
            far = [(x + (x - point[0]) * 1000, y + (y - point[1]) * 1000) for x, y in ring]
            shadow = shadow.union(Ring(hull(ring + far)) if distance((point,), ring) else part)
    if any(distance((point,), s.shape) == 0 for s in screens):
        return
    expected = shadow.intersection(Ring(target)).area / Ring(target).area
    assert hidden_fraction(point, target, screens) == pytest.approx(expected, abs=1e-4)
