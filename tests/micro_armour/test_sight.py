"""Who sees whom on the map."""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.fire import fire_facts, shot
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.sequence import fire_step
from sandtable.games.micro_armour.sight import aspect, sees

from .boards import aircraft, area, board, helicopter, infantry, line, play, refusal_rule, tank


def look(battle, viewer="a1", target="foe"):
    return sees(battle, battle.units[viewer], battle.units[target])


def between(piece, viewer=(10, 5), target=(10, 25), kind=tank, **more):
    """Whether a tank sees a unit past a piece of terrain."""
    return look(board(piece, tank("a1", *viewer), kind("foe", *target, 180, side="b"), **more)).clear


@pytest.mark.rule("MA-LOS-01", "MA-LOS-04", "MA-RULING-30")
@pytest.mark.parametrize("kind", ["light_buildings", "heavy_buildings", "forest", "grove", "rough_3"])
def test_blocking_terrain_between_two_units_hides_them(kind):
    assert not between(area(kind, 5, 12, 15, 14))
    assert between(area(kind, 11, 12, 15, 14))  # beside the line


@pytest.mark.rule("MA-LOS-01", "MA-LOS-03")
@pytest.mark.parametrize("kind", ["swamp", "light_fortification", "medium_fortification", "heavy_fortification", "wire", "minefield"])
def test_other_terrain_hides_nobody(kind):
    assert between(area(kind, 5, 12, 15, 20))


@pytest.mark.rule("MA-LOS-02")
@pytest.mark.parametrize("kind", ["rough_1", "rough_2"])
def test_rough_ground_hides_personnel_only(kind):
    assert between(area(kind, 5, 12, 15, 14), kind=tank)
    assert not between(area(kind, 5, 12, 15, 14), kind=infantry)


@pytest.mark.rule("MA-LOS-04", "MA-RULING-30")
def test_with_one_end_in_it_an_inch_of_terrain_is_seen_through():
    assert between(area("forest", 5, 20, 15, 26), target=(10, 21))
    assert not between(area("forest", 5, 20, 15, 26), target=(10, 21.1))
    assert between(area("forest", 5, 0, 15, 6), viewer=(10, 5))  # out of it, too
    assert not between(area("forest", 5, 0, 15, 6.1), viewer=(10, 5))


@pytest.mark.rule("MA-LOS-04", "MA-RULING-30")
def test_inside_one_area_units_see_each_other_two_inches_apart():
    wood = area("forest", 5, 0, 15, 26)
    assert between(wood, target=(10, 7))
    assert not between(wood, target=(10, 7.1))


@pytest.mark.rule("MA-LOS-04")
def test_units_block_no_sight():
    assert look(board(tank("a1", 10, 5), tank("a2", 10, 10), tank("b2", 10, 20, side="b"), tank("foe", 10, 25, side="b"))).clear


@pytest.mark.rule("MA-RULING-30", "MA-TERR-06")
def test_a_crest_hides_what_is_behind_it_unless_one_of_them_stands_on_it():
    ridge = line("crest", (0, 15), (30, 15))

    def at(viewer, target):
        found = look(board(ridge, tank("a1", 10, viewer), tank("foe", 10, target, side="b")))
        return found.clear, found.over_crest

    assert at(5, 25) == (False, False)
    assert at(14, 25) == (True, True)  # from the top over it
    assert at(13.9, 25) == (False, False)
    assert at(5, 16) == (True, True)  # at somebody behind the line, but on the top
    assert at(5, 14) == (True, True)  # from below at the top
    assert at(14, 5) == (True, False)  # from the top down: no cover
    assert at(5, 12) == (True, False)  # both below, on one side
    assert at(25, 16) == (True, True) and at(16, 25) == (True, False)  # the same from the other side
    assert at(15, 5) == at(15, 25) == (True, False)  # just on the line: on neither side
    assert at(5, 15) == at(25, 15) == (True, True)
    along = look(board(ridge, tank("a1", 10, 14), tank("foe", 20, 14.5, side="b")))
    assert (along.clear, along.over_crest) == (True, False)  # both on the top, on one side


@pytest.mark.rule("MA-RULING-30")
def test_a_bent_crest_hides_at_its_bend_too():
    roof = line("crest", (0, 10), (10, 15), (20, 10))

    def clear(viewer, target):
        return look(board(roof, tank("a1", *viewer), tank("foe", *target, side="b"))).clear

    assert not clear((10, 5), (10, 25))  # through the bend
    assert clear((5, 15), (15, 15))  # along it, touching the bend
    assert not clear((3, 8), (3, 20))
    assert clear((25, 5), (25, 25))  # past its end


@pytest.mark.rule("MA-RULING-30")
def test_a_crest_hides_though_a_part_of_it_runs_along_the_line_of_sight():
    def clear(*points):
        return look(board(line("crest", *points), tank("a1", 5, 12), tank("foe", 25, 12, side="b"))).clear

    assert not clear((10, 9), (12, 12), (18, 12), (20, 15))  # from one side of the line to the other
    assert not clear((10, 9), (12, 12), (15, 12), (18, 12), (20, 15))
    assert clear((10, 9), (12, 12), (18, 12), (20, 9))  # it comes up to the line and goes back
    assert clear((10, 12), (18, 12), (20, 15))  # it begins on the line
    assert clear((20, 5), (28, 12), (20, 20)) and clear((10, 5), (2, 12), (10, 20))  # bent beyond the target, behind the viewer


@pytest.mark.rule("MA-RULING-30")
def test_a_slope_hides_what_is_behind_the_hill_but_not_who_is_on_it():
    hill = (line("crest", (10, 15), (20, 15)), area("slope_up", 10, 12, 20, 18))

    def clear(viewer, target):
        return look(board(*hill, tank("a1", *viewer), tank("foe", *target, side="b"))).clear

    assert not clear((5, 13), (25, 13))  # through the slope, along the hill: no crest is crossed
    assert clear((5, 13), (15, 13))  # one end on the slope
    assert clear((5, 11), (25, 11))  # beside it


@pytest.mark.rule("MA-RULING-30")
def test_a_hill_is_one_crest_with_its_own_slopes():
    one = (line("crest", (4, 15), (12, 15)), area("slope_up", 4, 12, 8, 18))
    two = (line("crest", (20, 15), (30, 15), id="crest_2"), area("slope_up", 20, 12, 30, 18, id="slope_2"))

    def clear(viewer, target):
        return look(board(*one, *two, tank("a1", *viewer), tank("foe", *target, side="b"))).clear

    assert not clear((7, 13), (40, 13))  # who is on one hill does not see through the other
    assert not clear((40, 13), (7, 13))
    assert clear((7, 13), (15, 13))
    assert clear((12.5, 15.5), (3, 15.5))  # on the top, beyond the slopes: it sees over them
    assert not clear((14, 15.5), (3, 15.5))


@pytest.mark.rule("MA-RULING-30", "MA-TERR-06")
def test_smoke_beside_the_line_takes_nothing_from_a_crest_and_on_the_line_it_blocks():
    things = (line("crest", (0, 15), (30, 15)), tank("a1", 10, 5), tank("foe", 10, 15.5, side="b"))
    seen = look(board(*things, smoke=[(20, 10)]))
    assert (seen.clear, seen.over_crest) == (True, True)
    assert not look(board(*things, smoke=[(10, 13)])).clear


@pytest.mark.rule("MA-RULING-30")
def test_smoke_blocks_like_an_area():
    assert not between(area("wire", 40, 40, 41, 41), smoke=[(10, 15)])
    assert between(area("wire", 40, 40, 41, 41), smoke=[(12, 15)])
    assert between(area("wire", 40, 40, 41, 41), smoke=[(10, 25)])  # the target stands in it: an inch to its edge


@pytest.mark.rule("MA-RULING-30", "MA-RULING-36")
def test_aircraft_are_seen_over_everything_and_helicopters_like_vehicles():
    wood, rough = area("forest", 5, 12, 15, 14), area("rough_1", 5, 12, 15, 14)
    assert look(board(wood, tank("a1", 10, 5), aircraft("foe", 10, 25, side="b"))).clear
    assert look(board(wood, aircraft("a1", 10, 5), tank("foe", 10, 25, side="b"))).clear
    assert not between(wood, kind=helicopter)
    assert between(rough, kind=helicopter)


@pytest.mark.rule("MA-RULING-11")
def test_a_scenario_may_limit_how_far_anybody_sees():
    assert between(area("wire", 40, 40, 41, 41), target=(10, 25), visibility=20)
    assert not between(area("wire", 40, 40, 41, 41), target=(10, 25.1), visibility=20)


@pytest.mark.rule("MA-RULING-54", "MA-TERR-01")
def test_a_place_is_in_every_area_that_holds_it_and_on_the_lines_that_are_near():
    woods = (area("forest", 10, 10, 20, 20), area("forest", 15, 10, 25, 20, id="forest_2"), area("wire", 14, 14, 16, 16))
    battle = board(*woods, line("track", (0, 12), (40, 12)), line("crest", (30, 0), (30, 40)))
    assert terrain_at(battle, (15_500, 15_000)) == ("forest", "wire")
    assert terrain_at(battle, (12_000, 12_500)) == ("forest", "track") and terrain_at(battle, (12_000, 12_600)) == ("forest",)
    assert terrain_at(battle, (30_500, 20_000)) == ("crest",) and terrain_at(battle, (30_600, 20_000)) == ()


@pytest.mark.rule("MA-FIRE-01", "MA-LOS-04")
def test_who_does_not_see_the_target_does_not_fire_at_it():
    battle = board(area("forest", 5, 12, 15, 14), tank("blind", 10, 5), tank("a1", 25, 5), tank("foe", 10, 25, 180, side="b"))
    played = play(fire_step, battle, answers=["foe", ["a1:gun"]], dice=[20])
    assert refusal_rule(played.requests[1], "blind:gun") == "MA-LOS-04"


@pytest.mark.rule("MA-RULING-14")
def test_the_arcs_of_a_target():
    pose = tank("foe", 20, 20, 0).pose  # it looks north
    assert [aspect(pose, (20_000, y)) for y in (30_000, 10_000)] == ["front", "rear"]
    # tan 60 = 1.73: 17 east and 10 north is 59.5 degrees off, 18 and 10 is 60.9.
    assert [aspect(pose, (20_000 + x, 30_000)) for x in (17_000, 18_000)] == ["front", "flank"]
    assert [aspect(pose, (20_000 - x, 10_000)) for x in (18_000, 17_000)] == ["flank", "rear"]


@pytest.mark.rule("MA-FIRE-05", "MA-RULING-10", "MA-RULING-14")
def test_a_shot_takes_its_facts_from_the_map():
    battle = board(area("grove", 18, 18, 22, 22), tank("a1", 5, 20), tank("foe", 20, 20, 0, side="b", suppressed=True, fired=True))
    one, two = battle.units["a1"], battle.units["foe"]
    facts = fire_facts(battle, one, two, "gun", sees(battle, one, two))
    assert (facts.distance, facts.aspect, facts.target_terrain, facts.target_fired, facts.target_suppressed) == (
        15.0,
        "flank",
        ("grove",),
        True,
        True,
    )
    assert shot(battle, one, two, "gun").refusal is not None  # two inches of trees in front of it
