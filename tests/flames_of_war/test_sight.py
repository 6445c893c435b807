"""Line of sight, arcs, concealment and cover on the map. By hand; bases: infantry 2 x 1.25, tank 1.4 x 2.6 inches."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.flames_of_war.boards import (
    FLAK38,
    HULL_75,
    KWK40,
    MG,
    PAK40,
    RIFLE,
    area,
    armoured_car,
    board,
    building,
    cavalry,
    gun,
    hedge,
    hill,
    infantry,
    line,
    marsh,
    platoon,
    river,
    road,
    tall_hedge,
    tank,
    truck,
    wall,
    wood,
    wreck,
)

from sandtable.field.shapes import Pose, bearing, unit
from sandtable.field.terrain import Opening
from sandtable.games.flames_of_war.battle import Battle, PhaseBegan, Smoke
from sandtable.games.flames_of_war.lie import land_of
from sandtable.games.flames_of_war.sight import (
    Shot,
    concealed,
    inches,
    seen_by_enemy,
    shot,
    sight,
    sight_to_point,
    visible,
    visible_enemies,
    visible_map,
)


def sees(battle: Battle, viewer: str, target: str) -> bool:
    return visible(battle, battle.teams[viewer], battle.teams[target])


def shoot(battle: Battle, shooter: str, target: str, weapon: int = 0, **options: Any) -> Shot:
    team = battle.teams[shooter]
    return shot(battle, team, team.profile.weapons[weapon], battle.teams[target], **options)


def refused_by(battle: Battle, shooter: str, target: str, **options: Any) -> str:
    found = shoot(battle, shooter, target, **options)
    assert found.refusal is not None, "the shot is possible"
    return found.refusal.rule


def duel(*things: Any, me: Any = None, you: Any = None, more: Any = (), **options: Any) -> Battle:
    """Team a_1 in the south against b_1 in the north, 20 inches apart unless told otherwise, with things between."""
    return board(
        *things,
        platoon("a", me or tank(24, 10), *more),
        platoon("b", you or tank(24, 30, facing=180, moved=True), side="b"),
        phase="shooting",
        **options,
    )


def smoke(battle: Battle, left: float, bottom: float, right: float, top: float) -> Battle:
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    return replace(battle, smoke=(*battle.smoke, Smoke("smoke", "a", tuple((unit(x), unit(y)) for x, y in corners))))


# -- range ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-TGT-06", "FOW-TGT-05")
def test_range_is_measured_from_the_nearest_points_of_the_bases() -> None:
    # Centres 17.25 apart, half depths 0.625 each: 16 inches, exactly the range of a rifle.
    battle = duel(me=infantry(24, 10), you=infantry(24, 27.25))
    found = shoot(battle, "a_1", "b_1")
    assert found.allowed
    assert found.distance_in == 16
    assert found.within_16
    assert not found.long_range
    farther = duel(me=infantry(24, 10), you=infantry(24, 27.26))
    assert refused_by(farther, "a_1", "b_1") == "FOW-TGT-06"


@pytest.mark.rule("FOW-TGT-06")
def test_long_range_begins_beyond_16_inches() -> None:
    # Tanks: half depths 1.3 each; centres 18.6 apart are 16 inches, 18.7 are 16.1.
    near, long = duel(you=tank(24, 28.6)), duel(you=tank(24, 28.7))
    assert (shoot(near, "a_1", "b_1").distance_in, shoot(near, "a_1", "b_1").long_range) == (16, False)
    assert (round(shoot(long, "a_1", "b_1").distance_in, 3), shoot(long, "a_1", "b_1").long_range) == (16.1, True)


def test_the_tolerance_of_the_table_never_makes_a_shot_long() -> None:
    assert inches(16_002) == 16
    assert inches(16_003) == 16.003
    assert inches(15_999.5) == 15.9995


@pytest.mark.rule("FOW-TGT-05", "FOW-TRN-08", "FOW-RULING-67")
def test_passengers_and_towed_guns_cannot_be_aimed_at() -> None:
    battle = board(
        platoon("a", tank(24, 10)),
        platoon("b", truck(24, 30), gun(towed_by="b_1"), infantry(mounted_in="b_1"), side="b"),
        phase="shooting",
    )
    assert shoot(battle, "a_1", "b_1").allowed
    assert refused_by(battle, "a_1", "b_2") == "FOW-TRN-08"
    assert refused_by(battle, "a_1", "b_3") == "FOW-RULING-67"
    assert not sees(battle, "a_1", "b_2")


# -- line of sight ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-LOS-01", "FOW-LOS-16", "FOW-RULING-68")
def test_a_base_sees_from_any_point_a_vehicle_from_its_centre() -> None:
    # The building covers x 20 to 24.5. The target's right edge is at 24.7: a line along x = 24.6 passes.
    house = building(20, 18, 24.5, 22)
    target = tank(24, 30)
    assert sees(duel(house, me=infantry(24, 10), you=target), "a_1", "b_1")
    # A vehicle looks from its centre (24): every line to x 23.3 to 24.7 at y 28.7 passes x 24.45 or less at y 22.
    assert not sees(duel(house, me=tank(24, 10), you=target), "a_1", "b_1")


@pytest.mark.rule("FOW-RULING-68", "FOW-ARC-02")
def test_a_hull_weapon_sees_from_the_middle_of_the_front_edge() -> None:
    # The tank looks east; its front edge is 1.3 inches east of its centre, beyond the corner of the house.
    house = building(18, 14, 25, 16)
    me = tank(24, 10, facing=90, weapons=(HULL_75, KWK40))
    battle = duel(house, me=me, you=tank(24.7, 30))
    assert shoot(battle, "a_1", "b_1", 0).allowed
    assert refused_by(battle, "a_1", "b_1", weapon=1) == "FOW-LOS-16"
    assert sees(battle, "a_1", "b_1")  # some weapon sees it
    only_turret = duel(house, me=tank(24, 10, facing=90, weapons=(KWK40,)), you=tank(24.7, 30))
    assert not sees(only_turret, "a_1", "b_1")


@pytest.mark.rule("FOW-LOS-01", "FOW-LOS-12")
def test_a_verdict_names_what_blocks_and_where() -> None:
    battle = duel(wood(20, 18, 28, 22, id="wood_b"))
    found = sight(battle, battle.teams["a_1"], battle.teams["b_1"])
    # From the centre at y 10 to the edge of the wood at y 18.
    assert (found.clear, found.blocked_by, found.at_in, found.rule) == (False, "wood_b", 8.0, "FOW-LOS-12")
    assert refused_by(battle, "a_1", "b_1") == "FOW-LOS-12"


@pytest.mark.rule("FOW-LOS-02")
def test_enemy_teams_never_block() -> None:
    battle = board(platoon("a", tank(24, 10)), platoon("b", tank(24, 30), tank(24, 20), tank(24, 24), side="b"))
    assert shoot(battle, "a_1", "b_1").allowed


@pytest.mark.rule("FOW-LOS-03", "FOW-RULING-09")
def test_no_shot_when_every_line_passes_through_a_friend() -> None:
    # A friend right in front, sideways: 2.6 wide at y 12.7 to 14.1; the target 1.4 wide at y 28.7 lies in its shadow.
    battle = duel(more=(tank(24, 13.4, facing=90),))
    assert refused_by(battle, "a_1", "b_1") == "FOW-LOS-03"
    assert sees(battle, "a_1", "b_1")  # it is visible all the same
    # Moved 1.4 to the side, the friend leaves the line x = 24 free (its edge is at 24.1).
    assert shoot(duel(more=(tank(25.4, 13.4, facing=90),)), "a_1", "b_1").allowed


@pytest.mark.rule("FOW-LOS-04", "FOW-RULING-68")
def test_over_friends_on_foot_that_keep_still() -> None:
    still = duel(more=(infantry(24, 13),), you=tank(24, 30))
    found = shoot(still, "a_1", "b_1")
    assert found.allowed
    assert found.over == ("a_2",)
    assert refused_by(duel(more=(infantry(24, 13, moved=True),)), "a_1", "b_1") == "FOW-LOS-03"
    assert refused_by(duel(more=(infantry(24, 13, shot=True),)), "a_1", "b_1") == "FOW-LOS-03"
    assert refused_by(still, "a_1", "b_1", firing=("a_1", "a_2")) == "FOW-LOS-04"  # the friend shoots too
    man_packed = gun(24, 13, mobility="man_packed_gun")
    assert shoot(duel(more=(man_packed,)), "a_1", "b_1").over == ("a_2",)
    assert refused_by(duel(more=(gun(24, 13),)), "a_1", "b_1") == "FOW-LOS-03"  # a medium gun does not duck


@pytest.mark.rule("FOW-LOS-04")
def test_nobody_is_shot_over_who_need_not_be() -> None:
    # The friend at the side leaves the line free; the one in front does not.
    battle = duel(more=(infantry(27, 14), infantry(24, 16)))
    assert shoot(battle, "a_1", "b_1").over == ("a_3",)


@pytest.mark.rule("FOW-LOS-05", "FOW-RULING-68", "FOW-RULING-11")
def test_over_any_friends_from_another_height() -> None:
    high = hill(18, 4, 30, 12)
    # On the hill 3 + 2 = 5, the target 2, the friend 2. The friend's far edge at y 21.3 is 11.3/20 of the way: 5 - 3 x 0.565 = 3.3 > 2.
    friend = tank(24, 20, moved=True)
    assert shoot(duel(high, more=(friend,)), "a_1", "b_1").allowed
    assert refused_by(duel(more=(friend,)), "a_1", "b_1") == "FOW-LOS-03"
    # Right before the target the line has come down: against infantry (1) the friend's near edge (y 24.3) is
    # at 5 - 4 x 14.3/20 = 2.14, but its far edge (y 25.7) at 5 - 4 x 15.7/20 = 1.86 < 2.
    near = tank(24, 25, facing=90, moved=True)
    assert refused_by(duel(high, more=(near,), you=infantry(24, 30)), "a_1", "b_1") == "FOW-LOS-03"
    # Shooter and target at the same height: a moved friend on foot is in the way although he is lower.
    assert refused_by(duel(more=(infantry(24, 20, moved=True),)), "a_1", "b_1") == "FOW-LOS-03"


@pytest.mark.rule("FOW-LOS-06")
def test_between_two_friends_at_least_an_inch_apart() -> None:
    # Two sideways tanks (2.6 wide) at y 14; the gap between them is 1.0 or 0.96 inches, and straight ahead.
    wide = (tank(22.2, 14, facing=90), tank(25.8, 14, facing=90))
    narrow = (tank(22.22, 14, facing=90), tank(25.78, 14, facing=90))
    assert shoot(duel(more=wide), "a_1", "b_1").allowed
    assert refused_by(duel(more=narrow), "a_1", "b_1") == "FOW-LOS-03"


@pytest.mark.rule("FOW-LOS-07")
def test_between_two_features_at_least_an_inch_apart() -> None:
    assert sees(duel(building(18, 18, 23.5, 22, id="left"), building(24.5, 18, 30, 22, id="right")), "a_1", "b_1")
    narrow = duel(building(18, 18, 23.5, 22, id="left"), building(24.46, 18, 30, 22, id="right"))
    assert not sees(narrow, "a_1", "b_1")
    assert refused_by(narrow, "a_1", "b_1") == "FOW-LOS-07"
    # A feature and a friend: the friend's edge at 24.5, or 24.46.
    house = building(18, 14, 23.5, 16)
    assert shoot(duel(house, more=(tank(25.8, 15, facing=90),)), "a_1", "b_1").allowed
    assert refused_by(duel(house, more=(tank(25.76, 15, facing=90),)), "a_1", "b_1") == "FOW-LOS-03"


@pytest.mark.rule("FOW-LOS-08", "FOW-RULING-11")
def test_an_obstacle_higher_than_both_blocks() -> None:
    assert refused_by(duel(tall_hedge((16, 20), (32, 20))), "a_1", "b_1") == "FOW-LOS-08"
    # A hill under one of them makes it higher than the hedge: 3 + 2 = 5 > 3.
    assert sees(duel(tall_hedge((16, 20), (32, 20)), hill(18, 4, 30, 12)), "a_1", "b_1")
    # Infantry is as high as a wall, not lower.
    assert sees(duel(wall((16, 20), (32, 20)), me=infantry(24, 14), you=infantry(24, 26)), "a_1", "b_1")


@pytest.mark.rule("FOW-LOS-09", "FOW-CONC-01")
def test_a_lower_obstacle_conceals_those_behind_it() -> None:
    behind = duel(hedge((16, 27), (32, 27)))
    assert shoot(behind, "a_1", "b_1").concealed
    assert not shoot(duel(), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-LOS-10", "FOW-RULING-68")
def test_right_at_an_obstacle() -> None:
    # The hedge is half an inch thick: y 13.25 to 13.75 for a line at 13.5. The tank's front is at y 13 with its centre at 11.7: 0.25 away.
    at_it = duel(tall_hedge((16, 13.5), (32, 13.5)), me=tank(24, 11.7))
    found = shoot(at_it, "a_1", "b_1")
    assert found.allowed
    assert not found.concealed  # those on the other side are not concealed from it
    back = shot(at_it, at_it.teams["b_1"], KWK40, at_it.teams["a_1"])
    assert back.allowed
    assert back.concealed  # it is, itself
    away = duel(tall_hedge((16, 13.5), (32, 13.5)), me=tank(24, 11.69))
    assert refused_by(away, "a_1", "b_1") == "FOW-LOS-08"


@pytest.mark.rule("FOW-LOS-11", "FOW-RULING-68")
def test_hills() -> None:
    # Neither on it: it blocks, being higher than both (3 > 2).
    assert refused_by(duel(hill(18, 16, 30, 24)), "a_1", "b_1") == "FOW-LOS-11"
    # One on it: it never blocks. The target at y 22 has 6 inches of hill before its centre (16 to 22): it fires over the crest.
    far_side = duel(hill(18, 16, 30, 24), you=tank(24, 22, moved=True))
    assert shoot(far_side, "a_1", "b_1").concealed
    # With its centre 3 inches from the edge it is not concealed; 3.01 it is.
    assert not shoot(duel(hill(18, 16, 30, 24), you=tank(24, 19, moved=True)), "a_1", "b_1").concealed
    assert shoot(duel(hill(18, 16, 30, 24), you=tank(24, 19.01, moved=True)), "a_1", "b_1").concealed
    # The lower one is not concealed from the team that fires over the crest.
    down = shot(far_side, far_side.teams["b_1"], KWK40, replace(far_side.teams["a_1"], moved=True))
    assert down.allowed
    assert not down.concealed
    # Both on it: no effect.
    both = duel(hill(18, 4, 30, 36))
    assert not shoot(both, "a_1", "b_1").concealed
    # From one hill to another nobody is lower.
    two = duel(hill(18, 4, 30, 14, id="south"), hill(18, 24, 30, 36, id="north"))
    assert shoot(two, "a_1", "b_1").allowed
    assert not shoot(two, "a_1", "b_1").concealed


@pytest.mark.rule("FOW-LOS-12", "FOW-RULING-11", "FOW-RULING-68")
def test_area_terrain_and_heights() -> None:
    thicket = wood(18, 18, 30, 20)
    assert refused_by(duel(thicket), "a_1", "b_1") == "FOW-LOS-12"
    # From a hill (5) the wood (3) is lower: no block, but those behind it are concealed.
    over = duel(thicket, hill(18, 4, 30, 12))
    assert shoot(over, "a_1", "b_1").concealed
    # A wood that stands on the hill itself is 6 high.
    assert refused_by(duel(hill(18, 4, 30, 22), wood(18, 16, 30, 18)), "a_1", "b_1") == "FOW-LOS-12"
    # Crops, marsh, river and road never block; crops conceal.
    for piece in (marsh(18, 18, 30, 20), river(18, 18, 30, 20), road((18, 19), (30, 19))):
        assert not shoot(duel(piece), "a_1", "b_1").concealed
    assert shoot(duel(area("field_crops", 18, 18, 30, 20)), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-LOS-13", "FOW-LOS-14", "FOW-RULING-68")
def test_partly_in_a_wood() -> None:
    # The tank's centre is 6 inches behind the edge at y 16: exactly as far as one sees; its tail sticks out in the south.
    partly = duel(wood(18, 9, 30, 16))
    assert shoot(partly, "a_1", "b_1").allowed
    deeper = duel(wood(18, 9, 30, 16.01))
    assert refused_by(deeper, "a_1", "b_1") == "FOW-LOS-14"
    # Foot teams look from the part that is outside.
    assert shoot(duel(wood(18, 4, 30, 10), me=infantry(24, 10, weapons=(KWK40,))), "a_1", "b_1").allowed


@pytest.mark.rule("FOW-LOS-14", "FOW-RULING-68")
def test_wholly_in_a_wood() -> None:
    forest = wood(18, 4, 30, 16)
    # Inside, six inches in all: from the centre at y 10 to a base whose edge is at y 16.
    assert shoot(duel(forest, you=tank(24, 17.3)), "a_1", "b_1").allowed
    assert refused_by(duel(forest, you=tank(24, 17.31)), "a_1", "b_1") == "FOW-LOS-14"
    # From outside one sees six inches in: the edge is at y 16, the tank's base ends at y 11.3: 4.7 inches. So it is seen and does not see.
    battle = duel(forest, you=tank(24, 30))
    assert sees(battle, "b_1", "a_1")
    assert not sees(battle, "a_1", "b_1")
    assert sees(duel(forest, me=tank(24, 8.7)), "b_1", "a_1")  # 6.0 inches in
    assert not sees(duel(forest, me=tank(24, 8.69)), "b_1", "a_1")


@pytest.mark.rule("FOW-LOS-15")
def test_a_narrow_wood_blocks_between_its_two_sides() -> None:
    assert refused_by(duel(wood(18, 19, 30, 20)), "a_1", "b_1") == "FOW-LOS-12"


@pytest.mark.rule("FOW-LOS-16")
def test_buildings_block_at_any_height() -> None:
    assert refused_by(duel(building(18, 18, 30, 20), hill(18, 4, 30, 12)), "a_1", "b_1") == "FOW-LOS-16"


@pytest.mark.rule("FOW-LOS-17", "FOW-RULING-69")
def test_who_sees_an_opening_sees_all_in_the_building() -> None:
    # One opening, in the south wall: y 24, x 23.5 to 24.5.
    door = Opening((unit(23.5), unit(24)), (unit(24.5), unit(24)), 180)
    house = building(21, 24, 27, 30, openings=(door,))
    battle = board(
        house,
        platoon("a", tank(24, 10), tank(24, 40), tank(40, 27)),
        platoon("b", infantry(22.1, 29, building="building"), infantry(25, 25, building="building"), side="b"),
    )
    assert [id for id in ("b_1", "b_2") if sees(battle, "a_1", id)] == ["b_1", "b_2"]
    assert not sees(battle, "a_2", "b_2")
    assert not sees(battle, "a_3", "b_1")
    assert [team.id for team in visible_enemies(battle, battle.teams["b_1"])] == ["a_1"]
    assert visible_map(battle, "b") == {"b_1": ["a_1"], "b_2": ["a_1"]}
    assert [team.id for team in seen_by_enemy(battle, battle.teams["a_1"])] == ["b_1", "b_2"]
    assert [team.id for team in visible_enemies(battle, "b")] == ["a_1"]


@pytest.mark.rule("FOW-RULING-69")
def test_teams_in_one_building_see_each_other() -> None:
    battle = duel(building(20, 8, 28, 14), me=infantry(22, 10, building="building"), you=infantry(26, 12, building="building", moved=True))
    assert sees(battle, "a_1", "b_1")
    found = shoot(battle, "a_1", "b_1")
    assert found.allowed
    assert found.opening is None
    # Base to base: 2 apart in x (23 to 25), 0.75 in y (10.625 to 11.375). Concealed, but no wall between them.
    assert found.distance_in == pytest.approx((2**2 + 0.75**2) ** 0.5)
    assert (found.concealed, found.bulletproof) == (True, False)


@pytest.mark.rule("FOW-LOS-18", "FOW-SMK-06", "FOW-RULING-68")
def test_smoke() -> None:
    battle = duel(hill(18, 4, 30, 12))
    assert sees(battle, "a_1", "b_1")
    screened = smoke(battle, 18, 18, 30, 24)
    assert not sees(screened, "a_1", "b_1")
    assert refused_by(screened, "a_1", "b_1") == "FOW-LOS-18"
    # A line with an end in it is not blocked.
    assert sees(smoke(battle, 18, 26, 30, 32), "a_1", "b_1")
    assert sees(smoke(battle, 18, 8, 30, 14), "a_1", "b_1")


def test_spotters_see_places_too() -> None:
    battle = duel(wood(18, 18, 30, 20))
    me = battle.teams["a_1"]
    assert sight_to_point(battle, me, (unit(24), unit(17)))
    assert not sight_to_point(battle, me, (unit(24), unit(25)))
    assert sight_to_point(battle, me, (unit(24), unit(18.5)))  # into the wood


@pytest.mark.rule("FOW-OBS-06")
def test_an_observer_in_a_tank_sees_from_the_tank() -> None:
    battle = duel(building(20, 18, 24.5, 22), me=tank(24, 10), more=(infantry(mounted_in="a_1", traits=("observer",)),))
    assert not sees(battle, "a_2", "b_1")
    clear = duel(me=tank(24, 10), more=(infantry(mounted_in="a_1", traits=("observer",)),))
    assert sees(clear, "a_2", "b_1")


@given(st.integers(0, 359), st.integers(0, 359), st.integers(2, 22), st.integers(26, 46), st.integers(2, 46))
def test_foot_teams_see_each_other_or_not(one: int, two: int, x: int, far_x: int, y: int) -> None:
    """Between teams on foot outside woods sight is symmetric: both look from anywhere on their base."""
    battle = board(
        wood(20, 4, 25, 14),
        building(21, 18, 25, 22),
        tall_hedge((22, 24), (22, 34)),
        hill(21, 36, 25, 44),
        platoon("a", infantry(min(x, 17), 24, facing=one)),
        platoon("b", infantry(max(far_x, 28), y, facing=two), side="b"),
    )
    assert sees(battle, "a_1", "b_1") == sees(battle, "b_1", "a_1")


# -- arcs -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ARC-01")
@pytest.mark.parametrize(
    "me",
    [
        infantry(24, 10, facing=180, weapons=(KWK40,)),
        tank(24, 10, facing=180),
        gun(24, 10, facing=180, weapons=(replace(FLAK38, range_in=30),)),
    ],
    ids=["infantry", "turret", "turntable"],
)
def test_all_round(me: Any) -> None:
    found = shoot(duel(me=me), "a_1", "b_1")
    assert found.allowed
    assert found.turn is None


@pytest.mark.rule("FOW-ARC-02", "FOW-ARC-03", "FOW-RULING-71")
@pytest.mark.parametrize("weapon", [HULL_75, PAK40], ids=["hull", "gun"])
def test_half_circle_in_front(weapon: Any) -> None:
    make = tank if weapon is HULL_75 else gun
    # Looking east, the target in the north is just inside: its base lies on both sides of the line.
    sideways = duel(me=make(24, 10, facing=90, weapons=(weapon,)))
    found = shoot(sideways, "a_1", "b_1")
    assert found.allowed
    assert found.turn == 0
    behind = duel(me=make(24, 10, facing=180, weapons=(weapon,)))
    assert refused_by(behind, "a_1", "b_1") == "FOW-ARC-02"
    # 1.4 wide: with the centre 0.8 behind the line, no part of it is in front.
    past = duel(me=make(24.8, 10, facing=90, weapons=(weapon,)))
    assert refused_by(past, "a_1", "b_1") == "FOW-ARC-02"


@pytest.mark.rule("FOW-ARC-04")
def test_a_weapon_without_room_to_turn_cannot_shoot() -> None:
    # The gun (2 x 2.5) looks east, up to y 11. Turned to 53 degrees its corner reaches y 10 + 1.25 x 0.6 + 1 x 0.8 = 11.55.
    crowd = duel(me=gun(24, 10, facing=90), more=(tank(24, 12, facing=90, moved=True),), you=tank(32, 16, moved=True))
    assert refused_by(crowd, "a_1", "b_1") == "FOW-ARC-04"
    assert shoot(duel(me=gun(24, 10, facing=90), you=tank(32, 16, moved=True)), "a_1", "b_1").turn == bearing((24, 10), (32, 16))
    assert shoot(duel(me=gun(24, 10, facing=90, weapons=(replace(PAK40, mount="turntable"),))), "a_1", "b_1").turn is None


@pytest.mark.rule("FOW-ARC-05", "FOW-BLDG-03", "FOW-RULING-69")
def test_from_a_building_the_half_circle_before_the_wall() -> None:
    door = Opening((unit(23.5), unit(14)), (unit(24.5), unit(14)), 0)
    house = building(21, 8, 27, 14, openings=(door,))
    me = infantry(22.2, 9, building="building", weapons=(KWK40,))
    north = duel(house, me=me)
    found = shoot(north, "a_1", "b_1")
    assert found.opening == 0
    # From the opening at y 14 to the tank's edge at y 28.7, not from the team.
    assert found.distance_in == pytest.approx(14.7)
    # Beside the house, behind the line of the wall: the target's base ends at y 13.9.
    assert refused_by(duel(house, me=me, you=tank(35, 12.6)), "a_1", "b_1") == "FOW-ARC-05"
    assert shoot(duel(house, me=me, you=tank(35, 14)), "a_1", "b_1").allowed
    assert refused_by(duel(replace(house, openings=()), me=me), "a_1", "b_1", opening=1) == "FOW-ARC-05"


@pytest.mark.rule("FOW-BLDG-04", "FOW-RULING-69")
def test_one_team_an_opening_and_step() -> None:
    def house(width: float) -> Any:
        door = Opening((unit(24 - width / 2), unit(14)), (unit(24 + width / 2), unit(14)), 0)
        return building(20, 8, 28, 14, openings=(door,))

    one, two = infantry(22, 9, building="building", weapons=(KWK40,)), infantry(26, 9, building="building", weapons=(KWK40,))
    used = infantry(26, 9, building="building", weapons=(KWK40,), opening="building#0")
    assert shoot(duel(house(1), me=one, more=(two,)), "a_1", "b_1").allowed
    battle = duel(house(1), me=one, more=(used,))
    assert refused_by(battle, "a_1", "b_1") == "FOW-BLDG-04"
    assert refused_by(duel(house(1), me=one, more=(two,)), "a_1", "b_1", others=(("a_2", 0),)) == "FOW-BLDG-04"
    # Two bases of two inches fit whole into four inches, not into 3.9.
    assert shoot(duel(house(4), me=one, more=(used,)), "a_1", "b_1").allowed
    assert refused_by(duel(house(3.9), me=one, more=(used,)), "a_1", "b_1") == "FOW-BLDG-04"
    # The next step opens it again.
    later = PhaseBegan("assault").apply(battle)
    assert later.teams["a_2"].opening == ""


# -- concealment and cover --------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-CONC-01", "FOW-RULING-10", "FOW-RULING-68")
def test_half_hidden() -> None:
    # A building before the right or the left part of the target; the line from (24, 10) through the corner at (24, 26) goes straight on.
    assert shoot(duel(building(24, 20, 30, 26)), "a_1", "b_1").concealed  # exactly half
    assert not shoot(duel(building(24.02, 20, 30, 26)), "a_1", "b_1").concealed  # 48 %
    # Two screens count together. Seen from (24, 10) at y 30 the right one hides x from 24.25 on (0.2 x 20/16), 32 %; the left one
    # x up to 23.67 (0.1 x 20/6), 26 %.
    right, left = building(24.2, 20, 30, 26, id="right"), building(18, 14, 23.9, 16, id="left")
    me = infantry(24, 10, weapons=(KWK40,))
    assert not shoot(duel(right, me=me), "a_1", "b_1").concealed
    assert not shoot(duel(left, me=me), "a_1", "b_1").concealed
    assert shoot(duel(right, left, me=me), "a_1", "b_1").allowed
    assert shoot(duel(right, left, me=me), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-CONC-02", "FOW-RULING-10")
def test_partly_in_concealing_terrain() -> None:
    # The tail of the tank (its base begins at y 28.7) sticks into a wood behind it: enough, though nothing is between.
    assert shoot(duel(wood(18, 31.2, 30, 40)), "a_1", "b_1").concealed
    assert not shoot(duel(wood(18, 31.3, 30, 40)), "a_1", "b_1").concealed  # only touching
    assert shoot(duel(area("field_crops", 18, 31.2, 30, 40)), "a_1", "b_1").concealed
    assert not shoot(duel(marsh(18, 28, 30, 40)), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-RULING-68")
def test_crops_and_low_obstacles_do_not_conceal_who_stands_higher() -> None:
    high = hill(18, 28, 30, 40)
    on_hill = tank(24, 30, moved=True)
    for screen in (area("field_crops", 18, 18, 30, 22), hedge((16, 20), (32, 20)), wall((16, 20), (32, 20))):
        assert shoot(duel(screen), "a_1", "b_1").concealed
        assert not shoot(duel(screen, high, you=on_hill), "a_1", "b_1").concealed
    # A tall hedge or a wood below the hill does conceal.
    assert shoot(duel(tall_hedge((16, 20), (32, 20)), high, you=on_hill), "a_1", "b_1").concealed
    assert shoot(duel(wood(18, 18, 30, 22), high, you=on_hill), "a_1", "b_1").concealed
    # A hedge on the same hill conceals again.
    crest = hill(18, 24, 30, 40)
    assert shoot(duel(hedge((20, 28), (28, 28)), crest, you=on_hill, me=tank(24, 26)), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-CONC-03", "FOW-RULING-14")
@pytest.mark.parametrize(
    ("target", "hidden"),
    [
        (infantry(24, 24), True),
        (infantry(24, 24, moved=True), False),
        (gun(24, 24, mobility="man_packed_gun"), True),
        (gun(24, 24), False),
        (tank(24, 24), False),
        (cavalry(24, 24), False),
        (infantry(24, 24, moved=True, dug_in=True), True),
        (gun(24, 24, dug_in=True), True),
    ],
)
def test_foot_teams_that_did_not_move_are_concealed_in_the_open(target: Any, hidden: bool) -> None:
    assert shoot(duel(you=target), "a_1", "b_1").concealed is hidden


@pytest.mark.rule("FOW-CONC-04", "FOW-CONC-05", "FOW-RULING-15", "FOW-RULING-14")
@pytest.mark.parametrize(
    ("target", "gone"),
    [
        (infantry(24, 24), True),
        (infantry(24, 24, shot=True), False),
        (infantry(24, 24, spotted=True), False),
        (infantry(24, 24, assaulted=True), False),
        (infantry(24, 24, moved=True, dug_in=True), True),  # digging in is no movement for concealment
        (tank(24, 31, moved=True), False),
        (tank(24, 31), True),
        (armoured_car(24, 31, moved=True), True),  # recon moves cautiously
        (armoured_car(24, 31, moved=True, shot=True), False),
        (infantry(24, 31, moved=True, traits=("observer",)), True),
    ],
)
def test_gone_to_ground(target: Any, gone: bool) -> None:
    found = shoot(duel(wood(18, 30, 30, 40), you=target), "a_1", "b_1")
    assert found.concealed
    assert found.gone_to_ground is gone


@pytest.mark.rule("FOW-CONC-05", "FOW-DBL-04")
def test_recon_at_the_double_is_not_gone_to_ground() -> None:
    battle = board(
        wood(18, 28, 30, 40),
        platoon("a", tank(24, 10)),
        platoon("b", armoured_car(24, 29.5, moved=True), side="b", at_the_double=True),
    )
    found = shoot(battle, "a_1", "b_1")
    assert (found.concealed, found.gone_to_ground) == (True, False)


@pytest.mark.rule("FOW-CONC-06", "FOW-RULING-69")
def test_teams_in_a_building() -> None:
    house = building(20, 24, 28, 30)
    inside = infantry(24, 28, moved=True, building="building")
    found = shoot(duel(house, you=inside), "a_1", "b_1")
    assert (found.concealed, found.bulletproof) == (True, True)
    # Right at the opening in the south wall (y 24): the tank's front at y 23.75 is a quarter of an inch away.
    near = shoot(duel(house, me=tank(24, 22.45), you=inside), "a_1", "b_1")
    assert (near.concealed, near.bulletproof) == (True, False)
    assert shoot(duel(house, me=tank(24, 22.44), you=inside), "a_1", "b_1").bulletproof


@pytest.mark.rule("FOW-CONC-07", "FOW-WRECK-02")
def test_teams_behind_a_wreck_are_concealed() -> None:
    battle = duel(wreck(24, 26))
    assert shoot(battle, "a_1", "b_1").allowed
    assert shoot(battle, "a_1", "b_1").concealed
    # The same terrain without the wreck: the answer is not kept for the wrong ground.
    assert land_of(battle.ground).lie is land_of(duel().ground).lie
    assert not shoot(duel(), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-CONC-08")
def test_in_smoke_both_ways() -> None:
    target_in = smoke(duel(), 18, 26, 30, 32)
    assert shoot(target_in, "a_1", "b_1").concealed
    shooter_in = smoke(duel(), 18, 8, 30, 14)
    assert shoot(shooter_in, "a_1", "b_1").concealed
    assert not shoot(smoke(duel(), 30, 8, 36, 14), "a_1", "b_1").concealed


@pytest.mark.rule("FOW-RULING-14")
def test_dug_in_is_bulletproof() -> None:
    found = shoot(duel(you=infantry(24, 24, dug_in=True)), "a_1", "b_1")
    assert (found.concealed, found.bulletproof) == (True, True)
    assert not shoot(duel(you=infantry(24, 24)), "a_1", "b_1").bulletproof


@pytest.mark.rule("FOW-SAVE-10", "FOW-RULING-18")
def test_gun_shields_protect_from_the_front_only() -> None:
    # The gun looks south; the line across its front edge is y 28.75 (half of 2.5 before its centre at 30).
    assert shoot(duel(you=gun(24, 30, facing=180)), "a_1", "b_1").bulletproof
    assert not shoot(duel(you=gun(24, 30, facing=0)), "a_1", "b_1").bulletproof
    assert shoot(duel(me=tank(10, 28.75), you=gun(24, 30, facing=180)), "a_1", "b_1").bulletproof
    assert not shoot(duel(me=tank(10, 28.76), you=gun(24, 30, facing=180)), "a_1", "b_1").bulletproof
    fast = board(platoon("a", tank(24, 10)), platoon("b", gun(24, 30, facing=180), side="b", at_the_double=True))
    assert not shoot(fast, "a_1", "b_1").bulletproof


@pytest.mark.rule("FOW-SAVE-05", "FOW-RULING-18", "FOW-ASLT-08")
def test_front_or_side_armour() -> None:
    front = shoot(duel(you=tank(24, 30, facing=180)), "a_1", "b_1")
    assert (front.facing, front.armour) == ("front", 6)
    rear = shoot(duel(you=tank(24, 30)), "a_1", "b_1")
    assert (rear.facing, rear.armour) == ("side", 3)
    # The line across the front edge is y 28.7: a weapon on it hits the front, one just behind it the side.
    assert shoot(duel(me=tank(10, 28.7), you=tank(24, 30, facing=180)), "a_1", "b_1").facing == "front"
    assert shoot(duel(me=tank(10, 28.71), you=tank(24, 30, facing=180)), "a_1", "b_1").facing == "side"
    # A hull gun is judged from the front edge of its own vehicle: 1.3 inches nearer to that line.
    hull = tank(10, 27.45, weapons=(HULL_75,))
    assert shoot(duel(me=hull, you=tank(24, 30, facing=180)), "a_1", "b_1").facing == "side"
    defensive = shoot(duel(you=tank(24, 30, facing=180)), "a_1", "b_1", defensive=True)
    assert (defensive.facing, defensive.armour) == ("side", 3)
    assert shoot(duel(you=infantry(24, 30)), "a_1", "b_1").armour is None


def test_concealment_of_a_spotters_view_needs_no_weapon() -> None:
    battle = duel(hedge((16, 27), (32, 27)))
    assert concealed(battle, battle.teams["a_1"], battle.teams["b_1"]).concealed


# -- who may shoot at all ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-DICE-04", "FOW-BAIL-01", "FOW-BOG-05", "FOW-ART-02", "FOW-RULING-68")
@pytest.mark.parametrize(
    ("me", "rule"),
    [
        (tank(24, 10, bailed_out=True), "FOW-BAIL-01"),
        (tank(24, 10, bogged=True), "FOW-BOG-05"),
        (tank(24, 10, busy=True), "FOW-DEC-10"),
        (infantry(24, 22, shot_over=True), "FOW-RULING-68"),
        (tank(24, 10, shot=True), "FOW-TGT-01"),
        (gun(24, 10, weapons=(replace(PAK40, range_in=None),)), "FOW-ART-02"),
    ],
)
def test_teams_that_cannot_shoot(me: Any, rule: str) -> None:
    assert refused_by(duel(me=me), "a_1", "b_1") == rule


@pytest.mark.rule("FOW-DICE-04")
def test_passengers_do_not_shoot() -> None:
    battle = duel(me=truck(24, 20), more=(infantry(mounted_in="a_1"),))
    assert refused_by(battle, "a_2", "b_1") == "FOW-DICE-04"


@pytest.mark.rule("FOW-TGT-01", "FOW-DBL-07", "FOW-REC-10", "FOW-REC-11")
@pytest.mark.parametrize(
    ("state", "rule", "defends"),
    [("at_the_double", "FOW-DBL-07", True), ("reorganising", "FOW-REC-11", True), ("disengaged", "FOW-REC-10", False)],
)
def test_platoons_that_cannot_shoot(state: str, rule: str, defends: bool) -> None:
    battle = board(platoon("a", tank(24, 10), **{state: True}), platoon("b", tank(24, 30), side="b"))
    assert refused_by(battle, "a_1", "b_1") == rule
    assert shoot(battle, "a_1", "b_1", defensive=True).allowed is defends


@pytest.mark.rule("FOW-DICE-05")
def test_mounted_cavalry_that_moved_shoots_four_inches() -> None:
    # Half depths 0.625 and 1.3: centres 5.925 apart are 4 inches.
    near = duel(me=cavalry(24, 10, moved=True), you=tank(24, 15.925))
    assert shoot(near, "a_1", "b_1").allowed
    assert refused_by(duel(me=cavalry(24, 10, moved=True), you=tank(24, 15.94)), "a_1", "b_1") == "FOW-DICE-05"
    assert shoot(duel(me=cavalry(24, 10), you=tank(24, 15.94)), "a_1", "b_1").allowed
    assert shoot(duel(me=cavalry(24, 10, moved=True), you=tank(24, 15.94)), "a_1", "b_1", defensive=True).allowed


def test_sight_from_where_a_team_would_stand() -> None:
    """Callers may ask for a team put elsewhere."""
    battle = duel(wood(18, 18, 30, 22), me=infantry(24, 10, weapons=(RIFLE, MG)))
    me = battle.teams["a_1"]
    assert not visible(battle, me, battle.teams["b_1"])
    assert visible(battle, replace(me, pose=Pose(unit(10), unit(10))), battle.teams["b_1"])
    assert line("road", (0, 0), (1, 1)).kind == "road"


# -- what is kept ----------------------------------------------------------------------------------------------------------


places = st.tuples(st.integers(3, 45), st.integers(3, 45), st.integers(0, 359))


@given(st.lists(places, min_size=8, max_size=8))
def test_what_is_kept_changes_no_answer(spots: list[tuple[int, int, int]]) -> None:
    """The same battle asked twice, with and without what was kept, in another order: the same shots."""
    kinds = (tank, infantry, gun, armoured_car)
    mine = [kind(x, y, facing, moved=x % 2 == 0) for kind, (x, y, facing) in zip(kinds, spots[:4], strict=True)]
    yours = [kind(x, y, facing, moved=x % 2 == 1) for kind, (x, y, facing) in zip(kinds, spots[4:], strict=True)]
    battle = board(
        wood(8, 8, 18, 16),
        building(22, 20, 28, 26),
        hill(30, 6, 42, 16),
        tall_hedge((6, 30), (20, 30)),
        hedge((28, 34), (44, 34)),
        wreck(24, 36, 30),
        platoon("a", *mine),
        platoon("b", *yours, side="b"),
    )
    pairs = [(one, two) for one in battle.teams for two in battle.teams if one[0] != two[0]]
    kept = {pair: shoot(battle, *pair) for pair in pairs}
    again = replace(battle, turn=battle.turn + 1)
    land_of(again.ground).lie.forget()
    assert {pair: shoot(again, *pair) for pair in reversed(pairs)} == kept
