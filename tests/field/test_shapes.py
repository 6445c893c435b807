"""Shapes: numbers by hand, and shapely as a twin."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from shapely.geometry import LineString
from shapely.geometry import Point as Dot
from shapely.geometry import Polygon as Ring

from sandtable.field import shapes
from sandtable.field.shapes import (
    Pose,
    area,
    bearing,
    centroid,
    circle,
    contains,
    crossings,
    distance,
    front_edge,
    front_middle,
    hull,
    in_arc,
    in_front,
    in_half_circle,
    inner_point,
    inside,
    is_convex,
    move_towards,
    nearest_points,
    overlap,
    partly_inside,
    pierces,
    place,
    polygons_under,
    real,
    rectangle,
    template,
    tidy,
    touches,
    unit,
    within,
)

from .strategies import base, polygon, seeds

SQUARE = ((0, 0), (1000, 0), (1000, 1000), (0, 1000))


def test_numbers_enter_once_and_mirror() -> None:
    assert (unit(2.5), unit(0.0005), unit(-0.0005), real(2500)) == (2500, 1, -1, 2.5)


def test_a_distance_is_within_a_limit_by_two_thousandths() -> None:
    assert within(6002, 6000) and not within(6002.1, 6000)


def test_sines_are_far_from_a_rounding_tie() -> None:
    # The table is the same on every machine as long as no sine, times 10**9, ends in .5 to within a library's error.
    import math

    for degree in range(360):
        scaled = math.sin(math.radians(degree)) * 1e9
        # 30, 150, 210 and 330 degrees give exactly half of 10**9, a whole number.
        assert abs(abs(scaled % 1) - 0.5) > 1e-4, degree


def test_a_base_that_faces_north_and_one_that_faces_east() -> None:
    assert rectangle(Pose(0, 0), 1000, 2000) == ((-500, 1000), (-500, -1000), (500, -1000), (500, 1000))
    assert rectangle(Pose(0, 0, 90), 1000, 2000) == ((1000, 500), (-1000, 500), (-1000, -500), (1000, -500))
    assert front_edge(Pose(0, 0, 90), 1000, 2000) == ((1000, 500), (1000, -500))
    assert front_middle(Pose(0, 0, 90), 1000, 2000) == (1000, 0)
    assert place(Pose(0, 0, 90), 300, 700) == (700, -300)


def test_a_base_at_45_degrees() -> None:
    # Half the diagonal of an inch square: 0.707 inch.
    assert rectangle(Pose(0, 0, 45), 1000, 1000) == ((0, 707), (-707, 0), (0, -707), (707, 0))


def test_round_base_and_template() -> None:
    assert circle((100, 100), 500, 4) == ((600, 100), (100, 600), (-400, 100), (100, -400))
    assert template((0, 0), 0, 6000, 6000) == ((-3000, 3000), (-3000, -3000), (3000, -3000), (3000, 3000))
    with pytest.raises(ValueError, match="divides 360"):
        circle((0, 0), 500, 7)


def test_bases_that_touch_have_no_distance_and_no_overlap() -> None:
    beside = shapes.shifted(SQUARE, 1000, 0)
    assert distance(SQUARE, beside) == 0 and touches(SQUARE, beside) and not overlap(SQUARE, beside)
    assert overlap(SQUARE, shapes.shifted(SQUARE, 999, 0))


def test_distance_corner_to_corner_is_3_4_5() -> None:
    other = shapes.shifted(SQUARE, 4000, 5000)
    assert distance(SQUARE, other) == 5000
    assert nearest_points(SQUARE, other) == ((1000, 1000), (4000, 5000))


def test_a_shape_and_its_double_overlap() -> None:
    bay = ((0, 0), (3000, 0), (3000, 3000), (2000, 3000), (2000, 1000), (0, 1000))
    assert overlap(bay, bay) and overlap(SQUARE, SQUARE)
    # The square (0..1, 2..3) stands in the bay: touching nothing.
    assert not overlap(bay, shapes.shifted(SQUARE, 500, 1500)) and distance(bay, shapes.shifted(SQUARE, 500, 1500)) == 500


def test_inside_and_partly_inside() -> None:
    big = ((-1000, -1000), (2000, -1000), (2000, 2000), (-1000, 2000))
    assert inside(SQUARE, big) and not inside(big, SQUARE) and inside(SQUARE, SQUARE)
    assert partly_inside(shapes.shifted(SQUARE, 1500, 0), big) and not partly_inside(shapes.shifted(SQUARE, 2000, 0), big)
    bay = ((0, 0), (3000, 0), (3000, 3000), (2000, 3000), (2000, 1000), (1000, 1000), (1000, 3000), (0, 3000))
    # All four corners in the arms, the middle over the bay.
    assert not inside(((500, 2000), (2500, 2000), (2500, 2500), (500, 2500)), bay)
    assert not inside(((500, 2000), (2500, 2000)), bay) and inside(((500, 500), (2500, 500)), bay)
    # The bay itself, with all its corners on the edge.
    assert not inside(((1000, 1000), (2000, 1000), (2000, 3000), (1000, 3000)), bay)


def test_front_and_side() -> None:
    tank = Pose(0, 0, 0)
    assert in_front(tank, 1000, 2000, (9000, 1000)) and not in_front(tank, 1000, 2000, (0, 999))
    assert in_half_circle(tank, (9000, 0)) and not in_half_circle(tank, (9000, -1))
    assert in_arc(tank, (1000, 1000), 90) and not in_arc(tank, (1010, 1000), 90) and in_arc(tank, (0, -1), 360)


def test_bearings_are_clockwise_from_north() -> None:
    assert [bearing((0, 0), p) for p in ((0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (0, 0))] == [0, 45, 90, 180, 270, 0]


def test_move_towards_stops_at_the_goal() -> None:
    assert move_towards((0, 0), (3000, 4000), 2500) == (1500, 2000)
    assert move_towards((0, 0), (3000, 4000), 9000) == (3000, 4000)


def test_who_is_under_the_template() -> None:
    cover = template((0, 0), 0, 6000, 6000)
    bases = [rectangle(Pose(x, 0), 1000, 1000) for x in (0, 3400, 3500, 3600)]
    assert polygons_under(cover, bases) == [0, 1]


def test_tidy_turns_and_thins() -> None:
    assert tidy([(0, 0), (0, 1000), (500, 1000), (1000, 1000), (1000, 0), (0, 0)]) in _turns(SQUARE)


def _turns(ring: tuple[tuple[int, int], ...]) -> list[tuple[tuple[int, int], ...]]:
    return [ring[i:] + ring[:i] for i in range(len(ring))]


def test_a_segment_through_corners() -> None:
    assert pierces((-500, -500), (1500, 1500), SQUARE)  # corner to corner, right through
    assert not pierces((-500, 500), (500, 1500), SQUARE)  # over the corner (0, 1000)
    assert not pierces((-500, 0), (1500, 0), SQUARE)  # along an edge
    assert pierces((200, 200), (300, 300), SQUARE)  # wholly inside
    assert crossings((-1000, 500), (3000, 500), SQUARE) == [0.25, 0.5]


@settings(max_examples=200, deadline=None)
@given(seeds)
def test_twins_of_shapely(seed: int) -> None:
    rng = random.Random(seed)
    coarse = rng.choice([1, 500])
    a = tidy([(round(x / coarse) * coarse, round(y / coarse) * coarse) for x, y in base(rng, 6000, 3000)])
    b = tidy([(round(x / coarse) * coarse, round(y / coarse) * coarse) for x, y in polygon(rng, 6000, 3000)])
    if len(a) < 3 or len(b) < 3 or not Ring(a).is_valid or not Ring(b).is_valid:
        return
    ours, theirs = Ring(a), Ring(b)
    for one, two, p, q in ((a, b, ours, theirs), (b, a, theirs, ours)):
        assert distance(one, two) == pytest.approx(p.distance(q), abs=1e-6)
        assert overlap(one, two) == (p.relate(q)[0] == "2")
        assert inside(one, two) == p.within(q)
        assert pierces(one[0], two[0], two) == (LineString([one[0], two[0]]).relate(q)[0] == "1" if one[0] != two[0] else False)
        assert all(contains(two, corner) == q.covers(Dot(corner)) for corner in one)
        assert all(contains(two, corner, strict=True) == q.contains(Dot(corner)) for corner in one)
        assert q.contains(Dot(inner_point(two)))
        assert area(one) == pytest.approx(p.area)
        assert Dot(centroid(one)).distance(p.centroid) < 1
        assert Ring(hull(one)).equals(p.convex_hull) and is_convex(hull(one))
