"""Air strikes along their course, and anti-aircraft fire on the way.

The course runs north along x = 24, from the edge over the point of attack (24, 24) to the other edge. The flak (TL3, HE 8, 20 inches)
stands six inches east of it: against the TL4 aircraft (defence 6) it has +2 and one column to the left, so +1: E up to 2,
D up to 6, (S) up to 8, S up to 10. The aircraft has AP 10: against a tank (a quarter of 8) +8, E up to 10.
"""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.air import CourseRevealed, Flown, FlownOff, StrikeCalled, StrikeStrayed, Struck, aa_units
from sandtable.games.micro_armour.battle import Course, Fired, Plans
from sandtable.games.micro_armour.fire import fire_refusal, weapons
from sandtable.games.micro_armour.invariants import broken_invariants
from sandtable.games.micro_armour.sequence import artillery_air_step, fire_step

from .boards import aircraft, area, board, flak, helicopter, infantry, option_ids, play, play_on, tank

FAIL = 20
COURSE = Course("strike_1", "a10", (24_000, 0), (24_000, 24_000), (24_000, 48_000))


def strike(*things, course=COURSE, level=15, **more):
    return board(aircraft("a10", level=level), *things, phase="artillery_air", out=("b",), plans={"a": Plans(courses=(course,))}, **more)


# -- the strike -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-AIR-02", "MA-AIR-04", "MA-AIR-06", "MA-AIR-08", "MA-AIR-09", "MA-AIR-10", "MA-PLAN-03", "MA-DEC-04")
def test_a_strike_from_its_test_to_the_exit_point():
    battle = strike(tank("foe", 24, 27, side="b"), tank("t", 5, 5))
    played = play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 15, 5, 5])  # test, deviation test, 10 at +8
    assert option_ids(played.requests[0]) == ["strike_1", "pass"]
    kinds = [type(event) for event in played.events]
    called, revealed, struck = kinds.index(StrikeCalled), kinds.index(CourseRevealed), kinds.index(Struck)
    assert called < revealed < struck < kinds.index(FlownOff)
    assert played.said(CourseRevealed) == [CourseRevealed("a", COURSE)] and CourseRevealed.reveals
    entry = CourseRevealed("a", COURSE).apply(battle).units["a10"].pose
    assert (entry.x, entry.y, entry.facing) == (24_000, 0, 0)  # on its entry point, looking along the course
    assert [(event.x, event.y) for event in played.said(Flown)] == [(24_000, 24_000), (24_000, 48_000)]
    assert played.said(Struck) == [Struck("a10", "foe", "elimination")]
    assert not played.unit("foe").alive
    assert played.unit("a10").pose is None
    assert not played.battle.plans("a")
    assert not broken_invariants(played.battle)


@pytest.mark.rule("MA-AIR-01")
def test_a_failed_test_cancels_the_strike_and_the_course_stays_unknown():
    battle = strike(tank("foe", 24, 27, side="b"))
    played = play(artillery_air_step, battle, answers=["strike_1"], dice=[16])
    assert played.said(StrikeCalled) == [StrikeCalled("a10", False)]
    assert not played.said(CourseRevealed) and not played.said(Flown)
    assert not played.battle.plans("a")  # it will not be tried again


@pytest.mark.rule("MA-AIR-01", "MA-AIR-04", "MA-RULING-35")
def test_both_tests_of_a_strike_have_the_level_of_the_aircraft():
    battle = strike(tank("foe", 24, 27, side="b"), level=9)
    assert not play(artillery_air_step, battle, answers=["strike_1"], dice=[10]).said(CourseRevealed)
    on_course = play(artillery_air_step, battle, answers=["strike_1"], dice=[9, 9, 6, 6])
    assert on_course.said(StrikeStrayed) == [StrikeStrayed("a10")]
    strayed = play(artillery_air_step, battle, answers=["strike_1"], dice=[9, 10, 1, 1, 6, 6])
    assert strayed.said(StrikeStrayed) == [StrikeStrayed("a10", "n", 1.0)]


@pytest.mark.rule("MA-DEC-04", "MA-PLAN-03")
def test_a_strike_of_an_aircraft_that_is_gone_is_void():
    gone = Course("strike_2", "f16", (0, 0), (24_000, 24_000), (0, 0))
    plans = {"a": Plans(courses=(COURSE, gone))}
    battle = board(aircraft("a10"), aircraft("f16", eliminated=True), phase="artillery_air", out=("b",), plans=plans)
    assert option_ids(play(artillery_air_step, battle, answers=["pass"]).requests[0]) == ["strike_1", "pass"]


@pytest.mark.rule("MA-AIR-01", "MA-AIR-02", "MA-DEC-04")
def test_each_strike_is_tested_and_revealed_by_itself():
    other = Course("strike_2", "f16", (0, 0), (24_000, 24_000), (0, 0))
    battle = board(aircraft("a10"), aircraft("f16"), phase="artillery_air", out=("b",), plans={"a": Plans(courses=(COURSE, other))})
    for dice in ([16], [15, 15]):
        assert play(artillery_air_step, battle, answers=["strike_2"], dice=dice).battle.plans("a") == Plans(courses=(COURSE,))


@pytest.mark.rule("MA-AIR-06")
def test_the_nearest_unit_is_attacked_friend_or_enemy():
    battle = strike(tank("foe", 24, 27, side="b"), tank("ours", 24, 22), helicopter("h", 24, 23, side="b"))
    played = play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 15, 6, 6])
    assert played.said(Struck) == [Struck("a10", "ours", "disorganisation")]  # nothing that flies is attacked (MA-RULING-36)


@pytest.mark.rule("MA-AIR-06")
def test_of_several_equally_near_the_dice_pick_one():
    battle = strike(tank("one", 24, 26, side="b"), tank("two", 26, 24, side="b"), tank("three", 24, 22, side="b"))
    for die, hit in ((1, "one"), (2, "two"), (3, "three")):
        played = play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 15, die, 6, 6])
        assert played.said(Struck)[0].target == hit


@pytest.mark.rule("MA-AIR-05", "MA-RULING-20")
def test_a_strike_that_deviates_attacks_whoever_is_nearest_there():
    battle = strike(tank("foe", 24, 27, side="b"), tank("other", 30, 24, side="b"))
    # Failed: 3 is east, 6 inches; it attacks there, then flies to its exit point.
    played = play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 16, 3, 6, 6, 6])
    assert played.said(StrikeStrayed) == [StrikeStrayed("a10", "e", 6.0)]
    assert [(event.x, event.y) for event in played.said(Flown)] == [(24_000, 24_000), (30_000, 24_000), (24_000, 48_000)]
    assert played.said(Struck)[0].target == "other"


@pytest.mark.rule("MA-RULING-35")
def test_without_anybody_within_ten_inches_there_is_no_attack():
    near = strike(tank("foe", 24, 34, side="b"))
    assert play(artillery_air_step, near, answers=["strike_1"], dice=[15, 15, 6, 6]).said(Struck)[0].target == "foe"
    far = strike(tank("foe", 24, 34.1, side="b"))
    assert play(artillery_air_step, far, answers=["strike_1"], dice=[15, 15]).said(Struck) == [Struck("a10")]


@pytest.mark.rule("MA-AIR-07", "MA-AIR-08", "MA-AIR-09")
def test_ap_or_he_and_the_quarter_follow_the_target():
    # HE 8 against 4: +4, and a 9 is D; moving men defend with 1: +7, a 9 is E. A grove adds 2.
    still = strike(infantry("foe", 24, 25, side="b"))
    assert play(artillery_air_step, still, answers=["strike_1"], dice=[15, 15, 5, 4]).said(Struck)[0].effect == "disorganisation"
    moving = strike(infantry("foe", 24, 25, side="b", tl=1, posture="move"))
    assert play(artillery_air_step, moving, answers=["strike_1"], dice=[15, 15, 5, 4]).said(Struck)[0].effect == "elimination"
    grove = strike(area("grove", 20, 24.5, 30, 30), infantry("foe", 24, 25, side="b"))
    assert play(artillery_air_step, grove, answers=["strike_1"], dice=[15, 15, 5, 4]).said(Struck)[0].effect == "suppression"


@pytest.mark.rule("MA-AIR-09", "MA-AIR-11", "MA-CRT-10", "MA-CRT-11", "MA-TERR-05")
def test_a_strike_on_targets_that_have_markers_or_use_a_road():
    def struck(dice, *ground, **state):
        battle = strike(*ground, infantry("foe", 24, 25, side="b", **state))
        return play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 15, *dice]).said(Struck)[0].effect

    # HE 8 against 4: +4. 10 is (S), which is D on S; 9 is D, which is E on D; 12 is the weak S, which is S.
    assert struck([5, 5], suppressed=True) == "disorganisation"
    assert struck([5, 4], disorganised=True) == "elimination"
    assert struck([6, 6]) == "suppression"
    grove = area("grove", 20, 24.5, 30, 30)
    assert struck([5, 4], grove) == "suppression"  # 11
    assert struck([5, 4], grove, road="track") == "disorganisation"  # 9


@pytest.mark.rule("MA-AIR-11")
def test_a_strike_that_is_far_too_weak_still_suppresses():
    battle = strike(infantry("foe", 24, 25, side="b", defence=12))  # 8 against 12 is -4: no dice
    assert play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 15]).unit("foe").suppressed


@pytest.mark.rule("MA-RULING-35")
def test_a_strike_may_be_kept_back_and_is_then_void():
    battle = strike(tank("foe", 24, 27, side="b"))
    played = play_on(battle, until="fire_first", answers=["pass"])
    assert not played.battle.plans("a") and not played.said(StrikeCalled)


@pytest.mark.rule("MA-RULING-36")
def test_aircraft_take_no_part_in_anything_else():
    battle = board(aircraft("a10"), tank("t", 5, 5), tank("foe", 5, 15, side="b"))
    assert fire_refusal(battle, battle.units["a10"]) is not None
    assert option_ids(play(fire_step, battle, answers=["foe", ["t:gun"]], dice=[FAIL]).requests[1]) == ["t:gun"]


# -- anti-aircraft fire -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-AA-01", "MA-AIR-03", "MA-AIR-10", "MA-DEC-05", "MA-RULING-34")
def test_the_aircraft_is_halted_where_the_flak_wants_it_once_in_and_once_out():
    battle = strike(flak("zsu", 30, 24, side="b"), tank("foe", 24, 27, side="b"))
    # In: halted after 16 inches, 10 away: no modifier, 15 passes, 11 is nothing. Out at once, 6 away: fails.
    played = play(artillery_air_step, battle, answers=["strike_1", "zsu@16", "zsu@0"], dice=[15, 15, 6, 5, 15, 6, 6, FAIL])
    incoming, outgoing = played.asked("MA-DEC-05")
    assert (incoming.player, outgoing.player) == ("b", "b")
    assert option_ids(incoming) == ["zsu@16", "zsu@5", "let"]  # after 5 inches it comes within 20: +1
    assert option_ids(outgoing) == ["zsu@0", "zsu@9", "let"]
    assert [(event.x, event.y) for event in played.said(Flown)] == [(24_000, 16_000), (24_000, 24_000), (24_000, 48_000)]
    assert [(event.distance, event.passed, event.effect) for event in played.said(Fired)] == [
        (10.0, True, "no_effect"),
        (6.0, False, "no_effect"),
    ]
    assert played.said(Struck)[0].target == "foe"
    assert [player for player, _ in played.table.thrown] == ["a", *"bbb", *"aaa", "b"]  # each side throws its own dice


@pytest.mark.rule("MA-AA-02", "MA-RANGE-02")
def test_the_range_counts_on_the_test_of_the_flak():
    battle = strike(flak("zsu", 30, 24, side="b"))
    played = play(artillery_air_step, battle, answers=["strike_1", "zsu@5", "let"], dice=[15, 15, 15, 6, 6])  # 15 + 1 fails
    assert not played.said(Fired)[0].passed


@pytest.mark.rule("MA-AIR-03", "MA-AA-04")
def test_an_aircraft_that_is_shot_down_attacks_nobody():
    battle = strike(flak("zsu", 30, 24, side="b"), tank("foe", 24, 27, side="b"))
    played = play(artillery_air_step, battle, answers=["strike_1", "zsu@16"], dice=[15, 15, 1, 1])
    assert not played.unit("a10").alive
    assert not played.said(Struck) and not played.said(FlownOff)
    assert played.battle.losses("a") == 1 and not played.battle.wrecks


@pytest.mark.rule("MA-AIR-10", "MA-AA-01")
def test_an_aircraft_may_be_shot_down_on_the_way_out_after_its_attack():
    battle = strike(flak("zsu", 30, 24, side="b"), tank("foe", 24, 27, side="b"))
    played = play(artillery_air_step, battle, answers=["strike_1", "let", "zsu@0"], dice=[15, 15, 5, 5, 15, 1, 1])
    assert played.said(Struck) == [Struck("a10", "foe", "elimination")]
    assert not played.unit("a10").alive and not played.said(FlownOff)
    assert not broken_invariants(played.battle)


@pytest.mark.rule("MA-AA-02", "MA-TEST-03")
@pytest.mark.parametrize(("state", "best"), [({}, 15), ({"suppressed": True}, 11), ({"disorganised": True}, 12), ({"level": 9}, 9)])
def test_the_level_and_the_markers_of_the_flak_count_on_its_test(state, best):
    battle = strike(flak("zsu", 30, 24, side="b", **state), tank("foe", 24, 27, side="b"))
    for die, passed in ((best, True), (best + 1, False)):
        shot = [die, 6, 5] if passed else [die]  # 11 is no effect
        played = play(artillery_air_step, battle, answers=["strike_1", "zsu@16", "let"], dice=[15, *shot, 15, 6, 6])
        assert played.said(Fired)[0].passed == passed


@pytest.mark.rule("MA-AA-04")
def test_the_tech_levels_of_flak_and_aircraft_shift_the_column():
    # TL4 against TL4: +2, and 3 is E. TL3: +1, and 3 is D. (TL4 reaches out to 12 inches without a modifier.)
    newer, older = (strike(flak("zsu", 30, 24, side="b", tl=tl)) for tl in (4, 3))
    assert not play(artillery_air_step, newer, answers=["strike_1", "zsu@14"], dice=[15, 15, 2, 1]).unit("a10").alive
    assert play(artillery_air_step, older, answers=["strike_1", "zsu@16", "let"], dice=[15, 15, 2, 1, 12, 6, 6]).unit("a10").alive


@pytest.mark.rule("MA-AIR-04", "MA-CRT-10", "MA-CRT-11", "MA-RULING-03")
def test_what_several_units_do_to_an_aircraft_adds_up():
    flaks = (flak("one", 30, 24, side="b"), flak("two", 30, 22, side="b"))
    battle = strike(*flaks, tank("foe", 24, 27, side="b"))
    # 5 at +1 is D: the deviation test is at +3, 12 passes and 13 fails.
    for die, name in ((12, ""), (13, "n")):
        strayed = [1, 1] if name else []
        dice = [15, 15, 2, 3, die, *strayed, 6, 6]
        played = play(artillery_air_step, battle, answers=["strike_1", "one@16", "let", "let"], dice=dice)
        assert played.said(StrikeStrayed)[0].direction == name
        assert not played.unit("a10").disorganised  # it ends with the mission
    # Once more D is E; 8 is (S), and once more D.
    twice = play(artillery_air_step, battle, answers=["strike_1", "one@16", "two@16"], dice=[15, 15, 2, 3, 15, 2, 3])
    assert not twice.unit("a10").alive
    worn = play(artillery_air_step, battle, answers=["strike_1", "one@16", "two@16", "let"], dice=[15, 15, 4, 4, 15, 4, 4, 9, 1, 1, 6, 6])
    assert [event.effect for event in worn.said(Fired)] == ["suppression", "disorganisation"]
    assert worn.said(StrikeStrayed)[0].direction == "n"  # 9 + 7


@pytest.mark.rule("MA-AA-01", "MA-RULING-34")
def test_the_end_of_the_course_is_a_point_of_it():
    course = Course("strike_1", "a10", (24_000, 0), (24_000, 24_500), (0, 24_500))
    battle = strike(flak("zsu", 24, 44.5, side="b"), course=course)  # only there is it 20 away
    played = play(artillery_air_step, battle, answers=["strike_1", "zsu@25", "let"], dice=[15, FAIL, 15])
    assert played.said(Fired)[0].distance == 20.0


@pytest.mark.rule("MA-AIR-04", "MA-RULING-36", "MA-RULING-03")
def test_what_the_flak_did_counts_at_the_point_of_attack_and_ends_with_the_mission():
    battle = strike(flak("zsu", 30, 24, side="b"), tank("foe", 24, 27, side="b"))
    # 8 at +1 is (S): the deviation test is at +4, so 12 fails: north, 1 inch.
    played = play(artillery_air_step, battle, answers=["strike_1", "zsu@16", "let"], dice=[15, 15, 4, 4, 12, 1, 1, 6, 6])
    assert played.said(StrikeStrayed) == [StrikeStrayed("a10", "n", 1.0)]
    assert (played.unit("a10").suppressed, played.unit("a10").pose) == (False, None)


@pytest.mark.rule("MA-RULING-34")
def test_anti_aircraft_fire_does_not_use_up_the_fire_of_later_phases():
    battle = strike(flak("zsu", 30, 24, side="b"), tank("t", 30, 20))
    shot = play(artillery_air_step, battle, answers=["strike_1", "zsu@16", "let"], dice=[15, 15, 6, 6, 15, 6, 6])
    assert not shot.unit("zsu").attempted_this_phase
    played = play_on(battle, until="fire_second", answers=["strike_1", "zsu@16", "let"], dice=[15, 15, 6, 6, 15, 6, 6])
    zsu = played.unit("zsu")
    assert (zsu.attempted_fire, zsu.fired, zsu.attempted_this_phase, zsu.attempted_second) == (True, True, False, False)
    assert fire_refusal(played.battle, zsu) is None


@pytest.mark.rule("MA-RULING-34")
def test_who_may_fire_at_a_strike():
    units = [
        flak("ready", 30, 24, side="b"),
        flak("walking", 30, 22, side="b", tl=1, posture="move"),
        flak("standing", 30, 20, side="b", tl=1, posture="fire"),
        tank("no_flak", 30, 26, side="b"),
        flak("ours", 30, 28),
    ]
    battle = strike(*units)
    assert [unit.id for unit in aa_units(battle, "b")] == ["ready", "standing"]


@pytest.mark.rule("MA-RULING-34")
def test_the_anti_aircraft_procedure_is_for_what_flies():
    zsu = flak("zsu", 30, 24)
    assert weapons(zsu, helicopter("h", 30, 30, side="b")) == ("gun", "aa")
    assert weapons(zsu, tank("t", 30, 30, side="b")) == ("gun",)


@pytest.mark.rule("MA-RULING-34", "MA-AA-01")
def test_several_units_fire_in_the_order_of_the_course():
    battle = strike(flak("one", 30, 24, side="b"), flak("two", 18, 12, side="b"))
    played = play(artillery_air_step, battle, answers=["strike_1", "two@4", "one@16", "let"], dice=[15, FAIL, FAIL, 15, 6, 6])
    assert [event.unit for event in played.said(Fired)] == ["two", "one"]
    other_way = play(artillery_air_step, battle, answers=["strike_1", "one@16", "two@16", "let"], dice=[15, FAIL, FAIL, 15, 6, 6])
    assert option_ids(other_way.asked("MA-DEC-05")[1]) == ["two@16", "two@21", "let"]  # it does not fly back


@pytest.mark.rule("MA-AA-04", "MA-RULING-34")
def test_flak_that_can_do_nothing_is_not_asked():
    battle = strike(flak("weak", 30, 24, side="b", he=2))  # -4, and a shift to the left leaves that as it is
    assert not play(artillery_air_step, battle, answers=["strike_1"], dice=[15, 15, 6, 6]).asked("MA-DEC-05")
    short = strike(flak("short", 30, 24, side="b", max_range=5))
    assert not play(artillery_air_step, short, answers=["strike_1"], dice=[15, 15, 6, 6]).asked("MA-DEC-05")
