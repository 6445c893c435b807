"""The movement phase on the map: Groups, movement tests, ways and their cost, roads, what a move may not do.

A tank is tracked and has 12 points, a truck is wheeled and has 20, infantry has 4. The level is 15.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.games.micro_armour.battle import Fired, OrderSpent, overlapping
from sandtable.games.micro_armour.invariants import broken_invariants
from sandtable.games.micro_armour.lay import closed_ground
from sandtable.games.micro_armour.movement import Moved, MovementTested, move_refusal
from sandtable.games.micro_armour.sequence import movement_step
from sandtable.games.micro_armour.ways import find_way
from sandtable.kernel.errors import RefusedError

from .boards import area, assert_refused, at, board, go, grid, helicopter, infantry, line, option_ids, play, tank, truck

FAIL = 20


def moving(*things, round="ordered", **more):
    """A board for a move of side a; its enemies, if any, see nothing unless the test wants it."""
    return board(*things, phase="movement", round=round, orders={"a": 3, "b": 0}, out=("b",), **more)


def cost(battle, id, *points, rate=None):
    """What a way costs, in points."""
    return find_way(battle, battle.units[id], grid(*points), rate).cost / 1000


def refused_way(rule, battle, id, *points):
    return assert_refused(rule, find_way, battle, battle.units[id], grid(*points))


def answers_refused(rule, battle, answers, dice=()):
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=answers, dice=dice)
    assert caught.value.rule == rule


# -- Groups -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-RULING-23", "MA-DEC-08")
def test_a_group_is_linked_by_two_inches_within_one_formation():
    units = [tank("a1", 10, 5), tank("a2", 12, 5), tank("a3", 14, 5), tank("far", 16.1, 5), tank("alien", 10, 7, formation="two")]
    battle = moving(*units)
    played = play(movement_step, battle, answers=["a1", ["a3", "a2"]], dice=[FAIL] * 3)
    assert option_ids(played.requests[1]) == ["a2", "a3"]  # a3 through a2
    assert played.said(OrderSpent) == [OrderSpent("a", ("a1", "a3", "a2"))]
    answers_refused("MA-RULING-23", battle, ["a1", ["a3"]])  # not linked without a2


@pytest.mark.rule("MA-RULING-23")
def test_a_group_has_at_most_six_units():
    battle = moving(*(tank(f"a{n}", 5 + 2 * n, 5) for n in range(7)))
    answers_refused("MA-DEC-08", battle, ["a0", ["a1", "a2", "a3", "a4", "a5", "a6"]])
    played = play(movement_step, battle, answers=["a0", ["a1", "a2", "a3", "a4", "a5"]], dice=[FAIL] * 6)
    assert len(played.said(MovementTested)) == 6


@pytest.mark.rule("MA-RULING-23", "MA-RULING-24", "MA-MOVE-03", "MA-MOVE-04", "MA-DEC-09")
def test_a_group_moves_independently_too():
    battle = moving(tank("a1", 10, 5), tank("hq", 12, 5, hq=True), round="independent")
    played = play(movement_step, battle, answers=["a1", ["hq"], "done"], dice=[14, 12])  # +3 and -2; the HQ itself +3
    assert played.said(MovementTested) == [MovementTested("a1", True), MovementTested("hq", True)]
    assert not played.said(OrderSpent)
    worse = play(movement_step, battle, answers=["a1", ["hq"]], dice=[15, 13])
    assert worse.said(MovementTested) == [MovementTested("a1", False), MovementTested("hq", False)]


@pytest.mark.rule("MA-RULING-23", "MA-MOVE-02", "MA-MOVE-03")
def test_each_unit_of_a_group_tests_for_itself_and_headquarters_help_the_others():
    units = [tank("a1", 10, 5), tank("hq", 12, 5, hq=True), tank("a3", 14, 5, suppressed=True)]
    # a1 at -2 passes with 17, the HQ has no help of its own and fails with 16, a3 at +4 - 2 passes with 13.
    played = play(movement_step, moving(*units), answers=["a1", ["hq", "a3"], "a1", go((10, 9)), go((14, 9))], dice=[17, 16, 13])
    assert played.said(MovementTested) == [MovementTested("a1", True), MovementTested("hq", False), MovementTested("a3", True)]
    assert (at(played.battle, "a1"), at(played.battle, "hq"), at(played.battle, "a3")) == ((10, 9), (12, 5), (14, 9))
    two = play(movement_step, moving(*units[:2], tank("ghq", 14, 5, ghq=True)), answers=["a1", ["hq", "ghq"], "done"], dice=[19, 17, 17])
    assert [event.passed for event in two.said(MovementTested)] == [True, True, True]  # -4 for two, -2 for each HQ


# -- tests ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-MOVE-02", "MA-MOVE-04", "MA-MOVE-05", "MA-TERR-08", "MA-DEC-09")
@pytest.mark.parametrize(
    ("unit", "round", "best"),
    [
        (tank("a1", 10, 5), "ordered", 15),
        (tank("a1", 10, 5), "independent", 12),
        (tank("a1", 10, 5, recon=True), "independent", 15),
        (tank("a1", 10, 5, suppressed=True), "ordered", 11),
        (tank("a1", 10, 5, disorganised=True), "ordered", 12),
        (tank("a1", 10, 5, suppressed=True, disorganised=True), "independent", 5),
        (tank("a1", 20, 5), "ordered", 14),  # in wire
        (tank("a1", 30, 5), "ordered", 13),  # in a minefield
        (helicopter("a1", 30, 5), "ordered", 15),  # over it
        (tank("a1", 10, 5, level=9), "ordered", 9),
    ],
)
def test_what_modifies_a_movement_test(unit, round, best):
    battle = moving(area("wire", 18, 4, 22, 6), area("minefield", 28, 4, 32, 6), unit, round=round)
    assert play(movement_step, battle, answers=["a1", {}], dice=[best]).said(MovementTested) == [MovementTested("a1", True)]
    assert play(movement_step, battle, answers=["a1"], dice=[best + 1]).said(MovementTested) == [MovementTested("a1", False)]


@pytest.mark.rule("MA-MOVE-06")
def test_what_cannot_move_at_all_does_not_try():
    for unit in (tank("bunker", 10, 5, mobility="none"), tank("pit", 10, 5, movement=0)):
        assert move_refusal(unit).rule == "MA-MOVE-06"


@pytest.mark.rule("MA-RULING-24")
def test_each_unit_tries_once_a_turn():
    battle = moving(tank("a1", 10, 5), tank("a2", 30, 5))
    failed = play(movement_step, battle, answers=["a1"], dice=[FAIL])
    answers_refused("MA-RULING-24", failed.battle, ["a1"])
    moved = play(movement_step, battle, answers=["a1", go((10, 6))], dice=[1])
    answers_refused("MA-RULING-24", moved.battle, ["a1"])


@pytest.mark.rule("MA-CMD-01", "MA-CMD-02", "MA-RULING-06")
def test_the_generation_and_the_value_of_the_ghq_count_on_the_roll_for_orders():
    units = (tank("a1", 10, 5, ghq=True), tank("b1", 10, 40, side="b", ghq=True))
    battle = board(*units, phase="movement", first="", orders={})
    side = battle.scenario.a
    fourth = replace(side, force=replace(side.force, generation=4, ghq_command_value=1))
    # A 6 is one Order; with +2 and +1 it is a 9, and three.
    played = play(movement_step, replace(battle, scenario=replace(battle.scenario, a=fourth)), answers=["a"], dice=[3, 3, 3, 3])
    assert played.battle.orders == {"a": 3, "b": 1}


@pytest.mark.rule("MA-MOVE-06")
@pytest.mark.parametrize("state", [{"mobility": "none"}, {"movement": 0}])
def test_what_has_no_way_to_move_does_not_try(state):
    answers_refused("MA-MOVE-06", moving(tank("a1", 10, 5, **state), tank("a2", 30, 5)), ["a1"])


@pytest.mark.rule("MA-MOVE-01", "MA-RULING-24", "MA-RULING-04")
@pytest.mark.parametrize("first", ["a", "b"])
def test_who_acts_first_in_the_phase_does_so_in_both_rounds(first):
    units = (tank("a1", 10, 5), tank("b1", 10, 40, side="b"))
    battle = board(*units, phase="movement", first=first, active="b" if first == "a" else "a", out=("a", "b"))
    played = play(movement_step, battle)
    assert (played.battle.round, played.battle.active, played.battle.out) == ("independent", first, ())


# -- Move State -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-MOVE-11", "MA-RULING-07", "MA-RULING-24")
def test_who_moves_or_turns_is_in_move_state_and_who_does_nothing_is_not():
    battle = moving(tank("a1", 10, 5))
    moved = play(movement_step, battle, answers=["a1", go((10, 8))], dice=[1])
    turned = play(movement_step, battle, answers=["a1", {"facing": 90}], dice=[1])
    stayed = play(movement_step, battle, answers=["a1", {}], dice=[1])
    failed = play(movement_step, battle, answers=["a1"], dice=[FAIL])
    assert [played.unit("a1").moving for played in (moved, turned, stayed, failed)] == [True, True, False, False]
    assert turned.unit("a1").pose.facing == 90


@pytest.mark.rule("MA-RULING-54")
def test_the_final_facing_is_free_and_else_that_of_the_way():
    battle = moving(tank("a1", 10, 5))
    assert play(movement_step, battle, answers=["a1", go((10, 8), (13, 8))], dice=[1]).unit("a1").pose.facing == 90
    assert play(movement_step, battle, answers=["a1", go((10, 8), (13, 8), facing=200)], dice=[1]).unit("a1").pose.facing == 200


# -- cost -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-MOVE-06")
def test_the_ground_costs_by_mobility():
    wood = area("forest", 0, 10, 40, 20)
    battle = moving(wood, tank("t", 10, 5), truck("w", 20, 5), infantry("i", 30, 5))
    assert cost(battle, "t", (10, 12)) == 5 + 2 * 3
    assert cost(battle, "w", (20, 11)) == 5 * 2 + 4
    assert cost(battle, "i", (30, 9)) == 4
    refused_way("MA-MOVE-06", battle, "t", (10, 12.5))  # 5 + 7.5
    refused_way("MA-MOVE-06", battle, "i", (30, 9.1))


@pytest.mark.rule("MA-RULING-54")
def test_where_ground_overlaps_the_dearest_counts_and_forbidden_beats_all():
    battle = moving(area("grove", 0, 6, 40, 20), area("swamp", 0, 6, 40, 20), tank("t", 10, 5), truck("w", 20, 5))
    assert cost(battle, "t", (10, 8)) == 1 + 2 * 4
    closed = moving(area("swamp", 0, 6, 40, 8), area("heavy_fortification", 0, 6, 40, 8), truck("w", 20, 5))
    refused_way("MA-MOVE-07", closed, "w", (20, 6.5))


@pytest.mark.rule("MA-RULING-54", "MA-MOVE-07")
def test_a_road_through_heavy_works_is_open_to_wheels_and_they_may_stop_on_it():
    things = (area("heavy_fortification", 5, 8, 15, 20), line("good_road", (10, 0), (10, 40)), truck("w", 10, 5))
    played = play(movement_step, moving(*things), answers=["w", go((10, 12))], dice=[1])
    assert played.unit("w").spent == 3500
    assert not broken_invariants(played.battle)
    refused_way("MA-MOVE-07", played.battle, "w", (12, 12))  # but not beside it
    wired = moving(*things, area("wire", 5, 9, 15, 10))  # which lies on the road, too
    refused_way("MA-MOVE-07", wired, "w", (10, 12))
    assert closed_ground(wired, (10_000, 9_500), "wheeled") == "wire"


@pytest.mark.rule("MA-MOVE-07")
@pytest.mark.parametrize("kind", ["wire", "heavy_fortification"])
def test_wheels_enter_neither_wire_nor_heavy_works(kind):
    battle = moving(area(kind, 5, 7, 25, 9), truck("w", 20, 5), tank("t", 10, 5))
    refused_way("MA-MOVE-07", battle, "w", (20, 7.5))
    refused_way("MA-MOVE-07", battle, "w", (20, 7))  # its very edge holds the centre
    assert cost(battle, "t", (10, 8)) == {"wire": 3 + 3, "heavy_fortification": 2 + 3}[kind]


@pytest.mark.rule("MA-MOVE-08", "MA-RULING-31")
def test_mines_cost_a_point_on_the_way_out():
    mines = area("minefield", 0, 7, 40, 9)
    battle = moving(mines, tank("out", 10, 5), tank("inside", 20, 8))
    assert cost(battle, "out", (10, 8)) == 3  # into it
    assert cost(battle, "out", (10, 11)) == 6 + 1  # through it
    assert cost(battle, "inside", (20, 11)) == 3 + 1
    assert cost(battle, "inside", (25, 8)) == 5


@pytest.mark.rule("MA-RULING-31")
def test_wire_wrecks_and_crests_cost_once_and_not_again_for_who_starts_there():
    battle = moving(area("wire", 0, 7, 25, 9), tank("out", 10, 5), tank("inside", 20, 8), truck("w", 35, 5), wrecks=[(35, 8)])
    assert cost(battle, "out", (10, 11)) == 6 + 3
    assert cost(battle, "inside", (20, 11)) == 3
    assert cost(battle, "w", (35, 10)) == 5 * 2 + 1
    ridge = moving(line("crest", (0, 10), (40, 10)), tank("below", 10, 5), tank("top", 20, 10), truck("w", 30, 5))
    assert cost(ridge, "below", (10, 15)) == 10 + 1
    assert cost(ridge, "top", (20, 15)) == 5
    assert cost(ridge, "w", (30, 10)) == 10 + 3


@pytest.mark.rule("MA-RULING-31", "MA-MOVE-08")
def test_wire_and_mines_cost_once_though_the_ground_changes_inside_them():
    wired = moving(area("wire", 0, 7, 40, 9), area("grove", 0, 8, 40, 20), tank("t", 10, 5))
    assert cost(wired, "t", (10, 11)) == 3 + 3 * 2 + 3
    mined = moving(area("minefield", 0, 7, 40, 9), area("grove", 0, 8, 40, 9), tank("t", 10, 5))
    assert cost(mined, "t", (10, 10)) == 3 + 2 + 1 + 1


@pytest.mark.rule("MA-RULING-31")
def test_who_starts_on_a_wreck_has_paid_for_it():
    assert cost(moving(truck("w", 10, 5), wrecks=[(10, 5)]), "w", (10, 8)) == 3 * 2


@pytest.mark.rule("MA-MOVE-09", "MA-RULING-54")
def test_a_slope_costs_uphill_only():
    hill = (line("crest", (0, 12), (40, 12)), area("slope_up", 0, 8, 40, 16))
    battle = moving(*hill, tank("below", 10, 7), tank("on_it", 20, 10), tank("top", 30, 12))
    assert cost(battle, "below", (10, 11)) == 1 + 3 * 2
    assert cost(battle, "top", (30, 17)) == 5
    assert cost(battle, "on_it", (25, 10)) == 5  # along it


@pytest.mark.rule("MA-RULING-54", "MA-RULING-31")
def test_the_end_of_a_crest_line_is_round():
    ridge = line("crest", (10, 10), (20, 10))
    near = moving(ridge, tank("t", 7.6, 8.1))  # north-east, past the end of the line, 0.35 inches from it
    assert cost(near, "t", (11.6, 12.1)) == pytest.approx(4 * 2**0.5 + 1, abs=0.001)
    wide = moving(ridge, tank("t", 7.6, 8.4))  # 0.57 inches from it
    assert cost(wide, "t", (11.6, 12.4)) == pytest.approx(4 * 2**0.5, abs=0.001)


@pytest.mark.rule("MA-MOVE-09", "MA-RULING-54")
def test_beside_the_end_of_a_crest_a_path_goes_up_and_down_again():
    hill = (line("crest", (10, 10), (20, 10)), area("slope_up", 5, 5, 25, 15))
    battle = moving(*hill, tank("t", 7, 7))
    assert cost(battle, "t", (7, 13)) == 6 + 3  # three inches nearer to the crest, then three away from it
    assert cost(battle, "t", (7, 10)) == 3 + 3


@pytest.mark.rule("MA-MOVE-06", "MA-RULING-31")
def test_smoke_costs_by_the_inch():
    battle = moving(tank("t", 10, 5), smoke=[(10, 10)])
    assert cost(battle, "t", (10, 12)) == pytest.approx(7 + 2, abs=0.02)


# -- roads ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-MOVE-06", "MA-RULING-54")
@pytest.mark.parametrize(("kind", "rate"), [("good_road", 0.5), ("poor_road", 1), ("track", 1.5)])
def test_wheels_are_faster_on_a_road(kind, rate):
    battle = moving(line(kind, (10, 0), (10, 40)), truck("w", 10, 5), truck("beside", 11, 5))
    assert cost(battle, "w", (10, 15)) == 10 * rate
    assert cost(battle, "beside", (11, 15)) == 20  # an inch off the line is off the road


@pytest.mark.rule("MA-MOVE-06", "MA-RULING-54")
def test_who_crosses_a_road_does_not_move_along_it():
    battle = moving(line("good_road", (0, 10), (40, 10)), truck("w", 10, 8), truck("v", 20, 8), truck("u", 30, 8))
    assert cost(battle, "w", (10, 12)) == 4 * 2
    assert cost(battle, "v", (22, 12)) == pytest.approx(2 * 20**0.5, abs=0.001)  # at 63 degrees
    # At 27 degrees a quarter of its way, half an inch on each side of the line, is on the road.
    assert cost(battle, "u", (38, 12)) == pytest.approx(80**0.5 * (0.75 * 2 + 0.25 * 0.5), abs=0.001)


@pytest.mark.rule("MA-TERR-05", "MA-RULING-33")
@pytest.mark.parametrize(
    "more",
    [
        {"smoke": [(10, 10)]},
        {"piece": area("wire", 5, 9, 15, 11)},
        {"piece": area("minefield", 5, 9, 15, 11)},
        {"piece": line("crest", (5, 10), (15, 10))},
    ],
)
def test_where_a_road_has_no_cover_to_lose_nothing_is_asked(more):
    pieces = [more[name] for name in more if name == "piece"]
    battle = moving(line("good_road", (10, 0), (10, 40)), *pieces, tank("t", 10, 8), smoke=more.get("smoke", ()))
    assert play(movement_step, battle, answers=["t", go((10, 12))], dice=[1]).unit("t").road == "good_road"


@pytest.mark.rule("MA-TERR-05", "MA-RULING-33", "MA-DEC-08")
def test_along_a_road_through_cover_the_owner_chooses_the_rate():
    wood, road = area("forest", 5, 10, 15, 30), line("good_road", (10, 0), (10, 40))
    battle = moving(wood, road, tank("t", 10, 8))
    fast = play(movement_step, battle, answers=["t", go((10, 12)), "road"], dice=[1])
    assert (fast.unit("t").spent, fast.unit("t").road) == (4000, "good_road")
    slow = play(movement_step, battle, answers=["t", go((10, 12)), "ground"], dice=[1])
    assert (slow.unit("t").spent, slow.unit("t").road) == (2000 + 6000, "")
    far = play(movement_step, battle, answers=["t", go((10, 20))], dice=[1])  # 2 + 30 points: only the road will do
    assert far.unit("t").spent == 12000


@pytest.mark.rule("MA-TERR-05", "MA-RULING-33", "MA-DEC-08")
def test_the_rate_is_asked_for_only_where_there_is_cover_to_lose():
    road = line("good_road", (10, 0), (10, 40))
    for thing in (line("crest", (5, 10), (15, 10)), area("wire", 5, 10, 15, 12)):  # neither counts for who stands in it
        assert (
            play(movement_step, moving(road, thing, tank("t", 10, 8)), answers=["t", go((10, 14))], dice=[1]).unit("t").road == "good_road"
        )
    assert play(movement_step, moving(road, tank("t", 10, 8), smoke=[(10, 11)]), answers=["t", go((10, 14))], dice=[1]).said(Moved)
    marsh = moving(road, area("swamp", 5, 10, 15, 20), tank("t", 10, 8))  # +1 in Move State: 2 points and 4
    assert play(movement_step, marsh, answers=["t", go((10, 11)), "ground"], dice=[1]).unit("t").spent == 6000


@pytest.mark.rule("MA-TERR-05", "MA-RULING-33")
def test_who_pays_for_the_ground_in_cover_still_has_the_rate_of_the_clear_road_before_it():
    houses, road = area("light_buildings", 5, 18, 15, 30), line("good_road", (10, 0), (10, 40))
    battle = moving(houses, road, tank("w", 10, 8, mobility="wheeled", movement=20))
    slow = play(movement_step, battle, answers=["w", go((10, 19)), "ground"], dice=[1])
    assert (slow.unit("w").spent, slow.unit("w").road) == (10 * 500 + 2000, "")  # half a point an inch of road, 2 among the houses
    fast = play(movement_step, battle, answers=["w", go((10, 19)), "road"], dice=[1])
    assert (fast.unit("w").spent, fast.unit("w").road) == (11 * 500, "good_road")


@pytest.mark.rule("MA-RULING-33")
def test_who_leaves_the_road_has_the_cover_of_the_ground_it_reaches():
    wood, road = area("forest", 5, 10, 15, 30), line("good_road", (10, 0), (10, 40))
    played = play(movement_step, moving(wood, road, tank("t", 10, 8)), answers=["t", go((10, 11), (12, 11)), "road"], dice=[1])
    assert played.unit("t").road == ""


# -- under fire -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-RULING-22", "MA-DEC-10")
def test_the_end_of_a_path_is_a_point_of_it():
    battle = moving(tank("t", 10, 5), tank("foe", 10, 30, 180, side="b"))
    played = play(movement_step, battle, answers=["t", go((10, 7.5)), "wait", "wait", "wait", "let"], dice=[1])
    assert len(played.asked("MA-DEC-10")) == 4  # at its start, after one and two inches, at its end


@pytest.mark.rule("MA-RULING-33", "MA-TERR-05", "MA-RULING-22")
def test_at_the_road_rate_there_is_no_cover_on_the_way_either():
    things = (area("grove", 5, 4, 15, 12), line("good_road", (10, 0), (10, 40)))
    battle = moving(*things, tank("t", 10, 5), tank("foe", 10, 20, 180, side="b"))
    # An inch inside the trees it is seen; with their +1 a 15 would fail.
    played = play(movement_step, battle, answers=["t", go((10, 13)), "foe:gun"], dice=[1, 15, 6, 6])
    assert [(event.distance, event.passed) for event in played.said(Fired)] == [(9.0, True)]


@pytest.mark.rule("MA-RULING-22", "MA-RULING-54", "MA-RULING-14")
def test_whoever_is_shot_at_on_the_way_looks_along_it():
    battle = moving(tank("t", 10, 5), tank("foe", 25, 5, 270, side="b"))
    # From the front 11 against 8 is +3, and 10 + 1 for 15 inches is S; its flank would be at +7, and D.
    played = play(movement_step, battle, answers=["t", go((12, 5)), "foe:gun"], dice=[1, 15, 5, 5])
    assert played.said(Fired)[0].effect == "suppression"


# -- what a move may not do -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-RULING-54")
def test_the_whole_base_stays_on_the_table():
    battle = moving(tank("t", 5, 5))
    assert cost(battle, "t", (0.5, 5)) == 4.5
    refused_way("MA-RULING-54", battle, "t", (0.4, 5))
    refused_way("MA-RULING-54", battle, "t", (5, 0.4), (6, 5))  # on the way, too


@pytest.mark.rule("MA-RULING-54", "MA-RULING-43")
def test_through_friends_but_not_onto_them_and_never_through_enemies():
    battle = moving(tank("t", 10, 5), tank("friend", 10, 7), tank("foe", 20, 7, side="b"), tank("u", 20, 5))
    assert cost(battle, "t", (10, 9)) == 4
    assert cost(battle, "t", (10, 6)) == 1  # in contact: centres an inch apart
    refused_way("MA-RULING-54", battle, "t", (10, 6.1))
    refused_way("MA-RULING-54", battle, "u", (20, 9))
    assert cost(battle, "u", (22, 7), (20, 9)) > 4  # around it


@pytest.mark.rule("MA-RULING-54")
def test_contact_with_an_enemy_only_to_fight_it():
    battle = moving(
        tank("t", 10, 5), infantry("i", 12, 5), tank("foe", 10, 8, side="b"), infantry("men", 20, 8, side="b"), tank("u", 20, 5)
    )
    refused_way("MA-RULING-54", battle, "t", (10, 7))  # a tank does not drive over a tank
    assert cost(battle, "t", (10, 6.9)) == 1.9
    assert cost(battle, "u", (20, 7)) == 2  # but over men
    assert cost(battle, "i", (11, 8)) <= 4  # and men assault anybody


@pytest.mark.rule("MA-RULING-36", "MA-RULING-54")
def test_a_helicopter_flies_over_everything_and_stops_on_nobody():
    things = (area("heavy_fortification", 0, 6, 40, 8), area("wire", 0, 8, 40, 9), tank("foe", 10, 12, side="b"))
    battle = moving(*things, helicopter("h", 10, 5))
    assert cost(battle, "h", (10, 25)) == 20
    assert cost(battle, "h", (10, 7)) == 2
    refused_way("MA-RULING-54", battle, "h", (10, 11.5))
    refused_way("MA-MOVE-06", battle, "h", (10, 29.1))


@pytest.mark.rule("MA-RULING-43")
def test_bases_are_circles_an_inch_across():
    assert not overlapping((10_000, 10_000), (11_000, 10_000))
    assert overlapping((10_000, 10_000), (10_900, 10_000))
    assert not overlapping((10_000, 10_000), (10_710, 10_710))  # their corners may: 1.004 apart


@pytest.mark.rule("MA-DEC-08")
def test_the_owner_moves_his_units_in_the_order_he_likes_or_not_at_all():
    battle = moving(tank("a1", 10, 5), tank("a2", 12, 5))
    played = play(movement_step, battle, answers=["a1", ["a2"], "a2", go((12, 9)), go((10, 8))], dice=[1, 1])
    assert [event.unit for event in played.said(Moved)] == ["a2", "a1"]
    done = play(movement_step, battle, answers=["a1", ["a2"], "done"], dice=[1, 1])
    assert not done.said(Moved)
