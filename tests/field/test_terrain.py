"""Terrain and the ground that holds it."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.field.shapes import Pose, rectangle
from sandtable.field.terrain import Ground, Opening, Piece, strip

WOOD = Piece("wood", "wood", "area", ((2000, 2000), (6000, 2000), (6000, 6000), (2000, 6000)), height=3)
HOUSE = Piece("house", "house", "building", ((20000, 20000), (24000, 20000), (24000, 20800), (20000, 20800)))
HEDGE = Piece("hedge", "hedge", "line", ((0, 10000), (10000, 10000), (10000, 15000)), width=200)
GROUND = Ground("in", 72000, 48000, (WOOD, HOUSE, HEDGE))


def test_a_line_is_a_thin_strip_mitred_at_its_bend() -> None:
    assert set(HEDGE.outline) == {(0, 9900), (10100, 9900), (10100, 15000), (9900, 15000), (9900, 10100), (0, 10100)}
    with pytest.raises(ValueError, match="two different points"):
        strip(((5, 5), (5, 5)), 100)


def test_a_building_has_one_opening_in_the_middle_of_each_wall() -> None:
    assert HOUSE.doors == (
        # The short wall of 0.8 inch is open along its whole length.
        Opening((20000, 20800), (20000, 20000), 270),
        Opening((21500, 20000), (22500, 20000), 180),
        Opening((24000, 20000), (24000, 20800), 90),
        Opening((22500, 20800), (21500, 20800), 0),
    )
    assert HOUSE.doors[1].middle == (22000, 20000) and WOOD.doors == ()
    given = Piece("bunker", "bunker", "building", HOUSE.shape, openings=(HOUSE.doors[0],))
    assert given.doors == (HOUSE.doors[0],)


def test_a_shape_given_clockwise_is_turned() -> None:
    turned = Piece("wood", "wood", "area", WOOD.shape[::-1])
    assert turned.doors == () and set(turned.outline) == set(WOOD.outline)
    house = Piece("house", "house", "building", HOUSE.shape[::-1])
    assert {door.outward for door in house.doors} == {0, 90, 180, 270}


def test_what_is_where() -> None:
    assert [p.id for p in GROUND.pieces_at((2000, 3000))] == ["wood"]
    assert [p.id for p in GROUND.pieces_at((5000, 10100))] == ["hedge"] and GROUND.pieces_at((5000, 10101)) == []
    assert [p.id for p in GROUND.pieces_touching(rectangle(Pose(6500, 3000), 1000, 1000))] == ["wood"]
    assert GROUND.pieces_touching(rectangle(Pose(6501, 3000), 1000, 1000)) == []
    near = GROUND.pieces_near(((4000, 8000),), 2000)
    assert [(d, p.id) for d, p in near] == [(1900, "hedge"), (2000, "wood")]


def test_the_edge_of_the_table() -> None:
    assert GROUND.within_table(rectangle(Pose(500, 500), 1000, 1000))
    assert not GROUND.within_table(rectangle(Pose(499, 500), 1000, 1000))


def test_a_ground_survives_json_and_compares_by_value() -> None:
    _ = WOOD.outline, GROUND.by_id
    again = msgspec.json.decode(msgspec.json.encode(GROUND), type=Ground)
    assert again == GROUND and hash(again) == hash(GROUND) and again.by_id["wood"] == WOOD
