"""Overruns and close assaults on the map.

In an overrun the defender is attacked at +6 (E up to 8), an attacker at +2 (E up to 3, D up to 7, (S) up to 9, S up to 11).
In a close assault infantry (HE 5) against infantry (4) is +1: E up to 2, D up to 6, (S) up to 8; against moving infantry +3: E up to 4.
"""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.assault import AssaultDeclared, AssaultMade, AssaultMet, Overran
from sandtable.games.micro_armour.battle import Eliminated, Fired
from sandtable.games.micro_armour.movement import Moved
from sandtable.games.micro_armour.sequence import movement_step
from sandtable.kernel.errors import RefusedError

from .boards import area, at, board, carrier, go, helicopter, infantry, option_ids, play, tank, truck

FAIL = 20


def moving(*things, **more):
    return board(*things, phase="movement", orders={"a": 3, "b": 0}, out=("b",), **more)


def idle(make, *place, **more):
    """An enemy that has fired already and will not react."""
    return make(*place, side="b", attempted_second=True, attempted_fire=True, **more)


# -- overruns ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-OVER-01", "MA-OVER-02", "MA-OVER-03", "MA-OVER-04", "MA-OVER-05", "MA-OVER-06")
def test_a_tank_that_moves_into_contact_drives_over_the_defender():
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10))
    # The defender fails at +3 with 13, is hit with 9 (D at +6); the tank passes its own test with 15.
    played = play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, 13, 5, 4, 15])
    assert played.said(Overran) == [Overran("men", ("t",), 1, ("disorganisation",), ())]
    assert played.unit("men").disorganised
    assert at(played.battle, "t") == (10, 9)  # it stops in contact
    assert played.unit("t").overran
    # The defender passes with 12; the tank fails with 16 and is hit with 3 at +2.
    back = play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, 12, 16, 2, 1])
    assert back.said(Overran) == [Overran("men", ("t",), 0, (), ("t",))]
    assert (back.unit("t").alive, back.unit("men").alive) == (False, True)


@pytest.mark.rule("MA-OVER-02", "MA-OVER-03")
def test_each_side_throws_its_own_dice():
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10))
    played = play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, FAIL, 6, 6, FAIL, 6, 6])
    assert [player for player, _ in played.table.thrown] == ["a", "b", "a", "a", "a", "b", "b"]


@pytest.mark.rule("MA-RULING-25", "MA-OVER-02")
def test_a_tracked_carrier_with_troops_is_worth_five():
    battle = moving(carrier("m2", 10, 5), infantry("inside", carried_by="m2"), idle(infantry, "men", 10, 10))
    played = play(movement_step, battle, answers=["m2", [], go((10, 9))], dice=[1, 11, 6, 6, 1])  # 11 + 5 fails
    assert played.said(Overran)[0].failed == 1
    empty = moving(carrier("m2", 10, 5), idle(infantry, "men", 10, 10))
    assert play(movement_step, empty, answers=["m2", go((10, 9))], dice=[1, 11, 1]).said(Overran)[0].failed == 0


@pytest.mark.rule("MA-OVER-02", "MA-RULING-25", "MA-TEST-03")
@pytest.mark.parametrize(
    ("state", "best"),
    [
        ({}, 12),
        ({"suppressed": True}, 8),
        ({"disorganised": True}, 9),
        ({"suppressed": True, "disorganised": True}, 5),
        ({"level": 9}, 6),
    ],
)
def test_the_level_and_the_markers_of_the_defender_count_on_its_tests(state, best):
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10, **state))  # tracked: +3
    assert play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, best, 1]).said(Overran)[0].failed == 0
    assert play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, best + 1, 6, 6, 1], rest={}).said(Overran)[0].failed == 1


@pytest.mark.rule("MA-OVER-04", "MA-OVER-05", "MA-TEST-03")
@pytest.mark.parametrize(("state", "best"), [({}, 15), ({"suppressed": True}, 11), ({"disorganised": True}, 12), ({"level": 9}, 9)])
def test_the_level_and_the_markers_of_an_attacker_count_on_its_test(state, best):
    battle = moving(tank("t", 10, 5, **state), idle(infantry, "men", 10, 10))
    assert play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, 1, best]).said(Overran)[0].attackers_failed == ()
    assert play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, 1, best + 1, 6, 6]).said(Overran)[0].attackers_failed == ("t",)


@pytest.mark.rule("MA-OVER-02")
def test_wheels_frighten_nobody_and_troops_only_in_an_armoured_carrier():
    wheeled = moving(tank("t", 10, 5, mobility="wheeled"), idle(infantry, "men", 10, 10))
    assert play(movement_step, wheeled, answers=["t", go((10, 9))], dice=[1, 15, 1]).said(Overran)[0].failed == 0
    other = moving(carrier("m2", 10, 5, apc=False), infantry("inside", carried_by="m2"), idle(infantry, "men", 10, 10))
    assert play(movement_step, other, answers=["m2", [], go((10, 9))], dice=[1, 12, 1]).said(Overran)[0].failed == 0


@pytest.mark.rule("MA-RULING-47", "MA-OVER-05")
@pytest.mark.parametrize(("defender", "hurt"), [({"tl": 2}, False), ({"tl": 2, "support": True}, True), ({"tl": 3}, True)])
def test_against_an_attacker_the_tech_level_of_the_defender_counts(defender, hurt):
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10, **defender))
    played = play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, 1, 16, 6, 6])  # 12 at +2 is the weak S
    assert played.unit("t").suppressed == hurt


@pytest.mark.rule("MA-RULING-25", "MA-OVER-01")
def test_without_contact_there_is_no_overrun():
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10))
    assert not play(movement_step, battle, answers=["t", go((10, 8.9))], dice=[1]).said(Overran)


@pytest.mark.rule("MA-RULING-25", "MA-OVER-04", "MA-OVER-05")
def test_an_attacker_may_be_lost_with_the_defender_and_then_nobody_goes_on():
    battle = moving(carrier("m2", 10, 5), infantry("inside", carried_by="m2"), idle(infantry, "men", 10, 10))
    played = play(movement_step, battle, answers=["m2", [], go((10, 9))], dice=[1, 11, 1, 1, 16, 1, 1])  # E at +6, E at +2
    assert [event.unit for event in played.said(Eliminated)] == ["men", "inside", "m2"]


@pytest.mark.rule("MA-RULING-25", "MA-OVER-02")
def test_all_that_touch_a_defender_overrun_it_together_in_the_order_named():
    battle = moving(tank("t1", 9, 8), tank("t2", 11, 8), idle(infantry, "men", 10, 10))
    answers = ["t1", ["t2"], "t1", go((9, 10)), go((11, 10)), ["t2", "t1"]]
    # Both defender tests come first, with the markers it had before; then two attacks: 12 is D, then 10 is D again, which is E.
    played = play(movement_step, battle, answers=answers, dice=[1, 1, 13, 13, 6, 6, 5, 5, 1, 1], rest={})
    assert played.said(Overran) == [Overran("men", ("t2", "t1"), 2, ("disorganisation", "elimination"), ())]


@pytest.mark.rule("MA-RULING-25")
def test_after_the_defender_is_gone_the_attacker_may_go_on_once():
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10), idle(infantry, "more", 10, 14))
    played = play(movement_step, battle, answers=["t", go((10, 9)), go((10, 12.9))], dice=[1, 13, 2, 2, 1])
    assert played.said(Eliminated) == [Eliminated("men")]
    assert at(played.battle, "t") == (10, 12.9)
    assert played.unit("t").spent == 4000 + 3900
    slow = moving(tank("t", 10, 5, movement=4), idle(infantry, "men", 10, 10))  # it has no points left, and nothing is asked
    assert len(play(movement_step, slow, answers=["t", go((10, 9))], dice=[1, 13, 2, 2, 1]).requests) == 2
    with pytest.raises(RefusedError) as caught:  # a second overrun in one turn
        play(movement_step, battle, answers=["t", go((10, 9)), go((10, 13))], dice=[1, 13, 2, 2, 1])
    assert caught.value.rule == "MA-RULING-54"


@pytest.mark.rule("MA-RULING-25", "MA-RULING-54")
@pytest.mark.parametrize("make", [tank, helicopter])
def test_armour_and_helicopters_are_not_overrun(make):
    battle = moving(tank("t", 10, 5), idle(make, "foe", 10, 10))
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=["t", go((10, 9))], dice=[1])
    assert caught.value.rule == "MA-RULING-54"


@pytest.mark.rule("MA-RULING-25")
def test_soft_units_are_overrun_but_overrun_nobody():
    battle = moving(tank("t", 10, 5), truck("w", 20, 8), idle(truck, "foe", 10, 10), idle(truck, "foe2", 20, 10))
    assert play(movement_step, battle, answers=["t", go((10, 9))], dice=[1, 1, 1]).said(Overran)
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=["w", go((20, 9))], dice=[1])
    assert caught.value.rule == "MA-RULING-54"


@pytest.mark.rule("MA-RULING-24", "MA-DEC-08")
def test_who_stands_in_contact_already_may_overrun_or_leave_it():
    battle = moving(tank("t", 10, 9), idle(infantry, "men", 10, 10))
    yes = play(movement_step, battle, answers=["t", {}, "men"], dice=[1, 1, 1])
    assert yes.said(Overran) and yes.unit("t").moving
    no = play(movement_step, battle, answers=["t", {}, "none"], dice=[1])
    assert not no.said(Overran) and not no.unit("t").moving


@pytest.mark.rule("MA-MOVE-12", "MA-RULING-24")
def test_reaction_fire_then_overruns_then_close_assaults():
    units = [tank("t", 10, 5), infantry("i", 11.5, 6)]
    foes = [infantry("men", 10, 9, side="b"), idle(tank, "foe", 12, 9)]
    answers = ["i", ["t"], "i", go((12, 8)), "let", go((10, 8)), "men:gun", "i", "strike"]
    # Tests to move; the men's shot at the tank (AP 6 against 8); the overrun: 12 + 3 passes, 1 passes; then the assault.
    battle = moving(*units, *foes)
    played = play(movement_step, battle, answers=answers, dice=[1, 1, FAIL, 12, 1, FAIL, FAIL])
    kinds = [type(event) for event in played.events if isinstance(event, Fired | Overran | AssaultDeclared)]
    assert kinds == [Fired, Overran, AssaultDeclared]
    assert played.said(Moved)[0].unit == "i"  # though the infantry moved first


@pytest.mark.rule("MA-RULING-25")
def test_an_attacker_shot_on_the_way_overruns_nobody():
    battle = moving(tank("t", 10, 5), idle(infantry, "men", 10, 10), tank("foe", 20, 8, 270, side="b"))
    played = play(movement_step, battle, answers=["t", go((10, 9)), "foe:gun"], dice=[1, 1, 1, 1])
    assert not played.unit("t").alive and not played.said(Overran)


# -- close assaults ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-02", "MA-CLOSE-03", "MA-CLOSE-04", "MA-CLOSE-05", "MA-DEC-11", "MA-DEC-12")
def test_infantry_within_an_inch_assaults_and_the_defender_shoots_first():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9))
    # The defender passes with 15 and rolls 12 - 3: 9 at +3 is (S). The attacker, suppressed, passes with 11: 10 - 3 is 7, (S).
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "i", "strike"], dice=[1, 15, 6, 6, 11, 5, 5])
    assert played.said(AssaultDeclared) == [AssaultDeclared("men", ("i",))]
    assert played.said(AssaultMet) == [AssaultMet("men", "i", True, "suppression")]
    assert played.said(AssaultMade) == [AssaultMade("i", "men", True, "suppression")]
    assert (played.asked("MA-DEC-11")[0].player, played.asked("MA-DEC-12")[0].player) == ("b", "a")
    assert (played.unit("i").suppressed, played.unit("men").suppressed) == (True, True)
    assert [player for player, _ in played.table.thrown] == ["a", *"bbb", *"aaa"]  # each side throws its own dice
    late = play(movement_step, battle, answers=["i", go((10, 7)), "men", "i", "strike"], dice=[1, 15, 6, 6, 12])  # 12 + 4 fails
    assert late.said(AssaultMade) == [AssaultMade("i", "men", False)]


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-03", "MA-TEST-03")
@pytest.mark.parametrize(("state", "best"), [({}, 15), ({"suppressed": True}, 11), ({"disorganised": True}, 12), ({"level": 9}, 9)])
def test_levels_and_markers_count_on_both_tests(state, best):
    meets = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9, **state))
    strikes = moving(infantry("i", 10, 5, **state), idle(infantry, "men", 10, 9))
    answers = ["i", go((10, 7)), "men", "i", "strike"]
    for die, passed in ((best, True), (best + 1, False)):
        met = play(movement_step, meets, answers=answers, dice=[1, die, *([6, 6] if passed else []), FAIL]).said(AssaultMet)
        assert met[0].passed == passed
        made = play(movement_step, strikes, answers=answers, dice=[1, FAIL, die, *([6, 6] if passed else [])]).said(AssaultMade)
        assert made[0].passed == passed


@pytest.mark.rule("MA-CLOSE-02", "MA-CLOSE-04", "MA-CRT-04", "MA-CRT-06")
@pytest.mark.parametrize(("mark", "hurt"), [({"tl": 2}, False), ({"tl": 2, "support": True}, True), ({"tl": 3}, True)])
def test_the_tech_level_of_whoever_strikes_counts(mark, hurt):
    works = area("light_fortification", 5, 4, 15, 12)  # 12 - 3 + 4 is 13: the weak S at +1 and at +3
    answers = ["i", go((10, 7)), "men", "i", "strike"]
    meets = moving(works, infantry("i", 10, 5), idle(infantry, "men", 10, 9, **mark))
    assert play(movement_step, meets, answers=answers, dice=[1, 15, 6, 6, FAIL]).unit("i").suppressed == hurt
    strikes = moving(works, infantry("i", 10, 5, **mark), idle(infantry, "men", 10, 9))
    assert play(movement_step, strikes, answers=answers, dice=[1, FAIL, 15, 6, 6]).unit("men").suppressed == hurt


@pytest.mark.rule("MA-CLOSE-02", "MA-CLOSE-04", "MA-CRT-10", "MA-CRT-11")
@pytest.mark.parametrize(
    ("state", "shot", "blow", "effect"),
    # At +3 a 9 is (S) and an 8 D, at +1 a 7 is (S) and a 6 D; all dice are at -3.
    [({"suppressed": True}, [6, 6], [5, 5], "disorganisation"), ({"disorganised": True}, [6, 5], [5, 4], "elimination")],
)
def test_blows_at_those_who_have_markers_already(state, shot, blow, effect):
    answers = ["i", go((10, 7)), "men", "i", "strike"]
    worn = moving(infantry("i", 10, 5, **state), idle(infantry, "men", 10, 9))
    strikes_back = effect != "elimination"
    met = play(movement_step, worn, answers=answers[: 4 + strikes_back], dice=[1, 15, *shot, *([FAIL] * strikes_back)])
    assert met.said(AssaultMet)[0].effect == effect
    struck = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9, **state))
    made = play(movement_step, struck, answers=answers, dice=[1, FAIL, 15, *blow])
    assert made.said(AssaultMade)[0].effect == effect


@pytest.mark.rule("MA-RULING-27", "MA-TERR-05", "MA-TERR-07")
def test_at_the_road_rate_there_is_no_cover_and_bog_covers_who_moves():
    def struck(ground, dice, **state):
        battle = moving(area(ground, 5, 8, 15, 12), infantry("i", 10, 5), idle(infantry, "men", 10, 9, **state))
        still = [] if state.get("moving") else ["i"]
        tests = [15] if state.get("moving") else [FAIL, 15]
        played = play(movement_step, battle, answers=["i", go((10, 7)), "men", *still, "strike"], dice=[1, *tests, *dice])
        return played.said(AssaultMade)[0].effect

    assert struck("grove", [4, 5]) == "suppression"  # 9 - 3 + 2 is 8 at +1
    assert struck("grove", [4, 5], road="track") == "disorganisation"  # 6
    assert struck("swamp", [4, 5]) == "disorganisation"
    assert struck("swamp", [5, 6], moving=True) == "suppression"  # 11 - 3 + 1 is 9 at +3; 8 would be D


@pytest.mark.rule("MA-RULING-27")
def test_more_than_an_inch_away_there_is_no_assault():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9))
    played = play(movement_step, battle, answers=["i", go((10, 6.9))], dice=[1])  # a gap of 1.1
    assert not played.said(AssaultDeclared)


@pytest.mark.rule("MA-CLOSE-04", "MA-RULING-27")
def test_contact_is_worth_one_more_and_is_always_for_a_fight():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9))
    # The defender fails. 10 - 3 - 1 is 6 at +1: D; without contact 7 would be (S).
    played = play(movement_step, battle, answers=["i", go((10, 8)), "i", "strike"], dice=[1, FAIL, 1, 5, 5])
    assert played.said(AssaultMade)[0].effect == "disorganisation"
    near = play(movement_step, battle, answers=["i", go((10, 7.5)), "men", "i", "strike"], dice=[1, FAIL, 1, 5, 5])
    assert near.said(AssaultMade)[0].effect == "suppression"
    assert option_ids(near.asked("MA-DEC-08")[2]) == ["men", "none"]  # near is not yet in contact: it may let it be


@pytest.mark.rule("MA-RULING-54", "MA-RULING-27")
def test_who_moved_into_contact_fights_whom_it_touches():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9), idle(infantry, "near", 11.5, 9))  # 1.8 away from (10, 8)
    played = play(movement_step, battle, answers=["i", go((10, 8)), "none", "strike"], dice=[1, 15, FAIL])
    assert played.said(AssaultDeclared) == [AssaultDeclared("men", ("i",))]  # without a question
    both = moving(infantry("i", 10, 5), idle(infantry, "men", 9.5, 8.866), idle(infantry, "too", 10.5, 8.866))  # it touches both
    asked = play(movement_step, both, answers=["i", go((10, 8)), "too", "none", "strike"], dice=[1, 15, FAIL]).requests[2]
    assert option_ids(asked) == ["men", "too"]  # and must fight one of them


@pytest.mark.rule("MA-CLOSE-04")
@pytest.mark.parametrize("flag", ["engineer", "type_s", "mounted_cavalry"])
def test_engineers_type_s_and_cavalry_strike_harder(flag):
    battle = moving(infantry("i", 10, 5, **{flag: True}), idle(infantry, "men", 10, 9))
    # 12 - 3 - 3 is 6 at +1: D.
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "i", "strike"], dice=[1, FAIL, 1, 6, 6])
    assert played.said(AssaultMade)[0].effect == "disorganisation"


@pytest.mark.rule("MA-CLOSE-01")
def test_a_defender_in_move_state_does_nothing():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9, moving=True))
    # No test and no question; 12 - 3 is 9 at +3 (moving men defend with 2): (S).
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "strike"], dice=[1, 1, 6, 6])
    assert played.said(AssaultMet) == [AssaultMet("men")]
    assert played.unit("men").suppressed


@pytest.mark.rule("MA-CLOSE-01", "MA-RULING-07")
def test_a_tl1_defender_whose_state_is_to_move_does_nothing_either():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9, tl=1, posture="move"))
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "strike"], dice=[1, 1, 6, 6])
    assert played.said(AssaultMet) == [AssaultMet("men")]


@pytest.mark.rule("MA-RULING-27", "MA-CLOSE-01")
def test_a_defender_that_cannot_hurt_anybody_takes_its_test_all_the_same():
    battle = moving(infantry("i", 10, 5), idle(truck, "w", 10, 9, he=None))
    played = play(movement_step, battle, answers=["i", go((10, 7)), "w", "strike"], dice=[1, 1, FAIL])
    assert played.said(AssaultMet) == [AssaultMet("w", "", True)]


@pytest.mark.rule("MA-RULING-27")
def test_an_attacker_that_cannot_hurt_the_defender_takes_no_test():
    battle = moving(infantry("i", 10, 5, ap=4), idle(tank, "foe", 10, 9, 180))  # 4 against 8: -4
    played = play(movement_step, battle, answers=["i", go((10, 7)), "foe", "none"], dice=[1, 1])
    assert not played.said(AssaultMade)
    flank = moving(infantry("i", 10, 5, ap=4), idle(tank, "foe", 10, 9, 90))  # 4 against 4
    assert play(movement_step, flank, answers=["i", go((10, 7)), "foe", "none", "strike"], dice=[1, 1, FAIL]).said(AssaultMade)


@pytest.mark.rule("MA-RULING-27", "MA-DEC-12", "MA-DEC-11")
def test_several_attack_in_the_order_named_and_the_defender_shoots_at_one():
    battle = moving(infantry("i1", 9, 7), infantry("i2", 11, 7), idle(infantry, "men", 10, 9))
    answers = ["i1", ["i2"], "i1", go((9, 8)), go((11, 8)), "men", "men", ["i2", "i1"], "i1", "strike"]
    # It shoots i1 down (6 - 3 at +3). i2 passes and rolls 12 - 3: 9, S.
    played = play(movement_step, battle, answers=answers, dice=[1, 1, 15, 3, 3, 15, 6, 6])
    assert played.said(AssaultDeclared) == [AssaultDeclared("men", ("i2", "i1"))]
    assert option_ids(played.asked("MA-DEC-11")[0]) == ["i2", "i1", "none"]
    assert [(event.unit, event.passed) for event in played.said(AssaultMade)] == [("i2", True)]
    assert not played.unit("i1").alive


@pytest.mark.rule("MA-RULING-27")
def test_once_the_defender_is_gone_the_others_do_nothing():
    battle = moving(infantry("i1", 9, 7), infantry("i2", 11, 7), idle(infantry, "men", 10, 9))
    answers = ["i1", ["i2"], "i1", go((9, 8)), go((11, 8)), "men", "men", ["i1", "i2"], "none", "strike"]
    played = play(movement_step, battle, answers=answers, dice=[1, 1, 15, 15, 1, 1])  # 2 - 3 at +1 is E
    assert [event.unit for event in played.said(AssaultMade)] == ["i1"]
    assert not played.unit("men").alive


@pytest.mark.rule("MA-DEC-12", "MA-CLOSE-04")
def test_a_unit_that_passed_may_decline():
    battle = moving(infantry("i", 10, 5), idle(infantry, "men", 10, 9))
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "none", "decline"], dice=[1, 1, 1])
    assert played.said(AssaultMade) == [AssaultMade("i", "men", True)]
    assert not played.unit("men").suppressed


@pytest.mark.rule("MA-RULING-27")
def test_cover_counts_on_rolls_and_not_on_tests():
    works = area("light_fortification", 5, 8, 15, 12)
    battle = moving(works, infantry("i", 10, 5), idle(infantry, "men", 10, 9))
    # The test is passed with a plain 15. 7 - 3 + 4 is 8 at +1: (S). Without cover 4 would be D.
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "i", "strike"], dice=[1, FAIL, 15, 5, 2])
    assert played.said(AssaultMade) == [AssaultMade("i", "men", True, "suppression")]


@pytest.mark.rule("MA-RULING-27")
def test_the_cover_of_an_attacker_counts_for_the_shot_at_it():
    battle = moving(area("grove", 5, 4, 15, 8), infantry("i", 10, 5), idle(infantry, "men", 10, 9))
    # 7 - 3 + 2 is 6 at +3: D; without the trees 4 would be E.
    played = play(movement_step, battle, answers=["i", go((10, 7)), "men", "i", "strike"], dice=[1, 15, 4, 3, FAIL])
    assert played.said(AssaultMet) == [AssaultMet("men", "i", True, "disorganisation")]


@pytest.mark.rule("MA-RULING-27", "MA-RULING-36")
def test_helicopters_are_not_assaulted_and_vehicles_do_not_assault():
    battle = moving(infantry("i", 10, 7), tank("t", 20, 5), idle(helicopter, "h", 10, 9), idle(tank, "foe", 20, 9))
    assert not play(movement_step, battle, answers=["i", {}], dice=[1]).said(AssaultDeclared)
    assert not play(movement_step, battle, answers=["t", go((20, 7.5))], dice=[1]).said(AssaultDeclared)


@pytest.mark.rule("MA-RULING-24", "MA-CLOSE-01")
def test_who_is_near_enough_may_assault_without_a_step():
    battle = moving(infantry("i", 10, 7), idle(infantry, "men", 10, 9))
    played = play(movement_step, battle, answers=["i", {}, "men", "i", "strike"], dice=[1, FAIL, FAIL])
    assert played.said(AssaultDeclared) and played.unit("i").moving
