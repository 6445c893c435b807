"""Tests against a score: skill, motivation, firepower."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play, trace


def test_a_four_makes_4_plus():
    assert play("score_test", [4], needed=4) == {"passed": True, "needed": 4, "rolls": [4]}


def test_a_three_misses_4_plus():
    assert play("score_test", [3], needed=4) == {"passed": False, "needed": 4, "rolls": [3]}


@pytest.mark.rule("FOW-RULING-55")
@pytest.mark.parametrize(
    ("faces", "passed"),
    [([4], True), ([3, 4], True), ([3, 3], False)],
)
def test_failures_are_rolled_again_once_and_the_second_die_stands(faces, passed):
    assert play("score_test", faces, needed=4, reroll="failed") == {"passed": passed, "needed": 4, "rolls": faces}


@pytest.mark.rule("FOW-RULING-55")
@pytest.mark.parametrize(
    ("faces", "passed"),
    [([3], False), ([4, 3], False), ([4, 4], True)],
)
def test_passes_are_rolled_again_once_and_the_second_die_stands(faces, passed):
    assert play("score_test", faces, needed=4, reroll="passed") == {"passed": passed, "needed": 4, "rolls": faces}


@pytest.mark.rule("FOW-RULING-28")
@pytest.mark.parametrize("reroll", ["none", "failed", "passed"])
@pytest.mark.parametrize(("needed", "passed"), [(1, True), (0, True), (-3, True), (7, False), (12, False)])
def test_scores_that_no_die_can_change_are_not_rolled_for(needed, passed, reroll):
    assert play("score_test", [], needed=needed, reroll=reroll) == {"passed": passed, "needed": needed, "rolls": []}


@pytest.mark.rule("FOW-RULING-28")
def test_2_plus_and_6_plus_are_rolled_for():
    assert play("score_test", [1], needed=2)["passed"] is False
    assert play("score_test", [6], needed=6)["passed"] is True


@pytest.mark.rule("FOW-RULING-05")
@pytest.mark.parametrize(("skill", "needed"), [("conscript", 5), ("regular", 4), ("veteran", 3)])
def test_skill_tests(skill, needed):
    assert play("skill_test", [needed], skill=skill) == {"passed": True, "needed": needed, "rolls": [needed]}
    assert play("skill_test", [needed - 1], skill=skill)["passed"] is False


def test_a_modifier_of_a_skill_test_is_added_to_the_score_veteran_3_plus_2_is_5():
    assert play("skill_test", [4], skill="veteran", modifier=2) == {"passed": False, "needed": 5, "rolls": [4]}
    assert play("skill_test", [5], skill="veteran", modifier=2)["passed"] is True
    assert play("skill_test", [], skill="conscript", modifier=2) == {"passed": False, "needed": 7, "rolls": []}
    assert play("skill_test", [], skill="veteran", modifier=-2) == {"passed": True, "needed": 1, "rolls": []}


@pytest.mark.rule("FOW-MOR-01")
@pytest.mark.parametrize(("motivation", "needed"), [("reluctant", 5), ("confident", 4), ("fearless", 3)])
def test_motivation_tests(motivation, needed):
    assert play("motivation_test", [needed], motivation=motivation) == {
        "passed": True,
        "needed": needed,
        "rolls": [needed],
        "rerolled": False,
    }
    assert play("motivation_test", [needed - 1], motivation=motivation)["passed"] is False


@pytest.mark.rule("FOW-IND-04")
def test_a_joined_commander_lets_his_platoon_roll_a_failure_again():
    assert play("motivation_test", [3, 4], motivation="confident", commander_joined=True) == {
        "passed": True,
        "needed": 4,
        "rolls": [3, 4],
        "rerolled": True,
    }
    assert play("motivation_test", [4], motivation="confident", commander_joined=True)["rerolled"] is False
    assert play("motivation_test", [3, 2], motivation="confident", commander_joined=True)["passed"] is False


@pytest.mark.rule("FOW-IND-04")
def test_a_commander_does_not_help_himself():
    assert play("motivation_test", [3], motivation="confident", commander_joined=True, for_self=True)["passed"] is False


@pytest.mark.rule("FOW-IND-05")
def test_a_bailed_out_commander_helps_nobody():
    assert play("motivation_test", [3], motivation="confident", commander_joined=True, commander_bailed_out=True)["rerolled"] is False


def test_firepower():
    assert play("firepower_test", [3], firepower=3) == {"passed": True, "needed": 3, "rolls": [3]}
    assert play("firepower_test", [2], firepower=3)["passed"] is False
    assert play("firepower_test", [5], firepower=6)["passed"] is False


@pytest.mark.rule("FOW-RULING-28")
def test_firepower_1_always_passes_without_a_die_even_against_a_flying_tank():
    assert play("firepower_test", [], firepower=1, reroll_passed=True) == {"passed": True, "needed": 1, "rolls": []}


@pytest.mark.rule("FOW-AA-06")
def test_passed_firepower_tests_are_rolled_again_where_asked():
    assert play("firepower_test", [4, 2], firepower=3, reroll_passed=True) == {"passed": False, "needed": 3, "rolls": [4, 2]}
    assert play("firepower_test", [2], firepower=3, reroll_passed=True)["rolls"] == [2]


def test_a_trace_tells_where_a_score_came_from():
    (roll,) = trace("skill_test", [5], skill="veteran", modifier=1)
    assert [(part.label, part.amount) for part in roll.modifiers] == [("chart.skill_test", 3), ("modifier.given", 1)]
    assert roll.needed == "4+" and roll.rule == "FOW-RULING-05"


def test_bad_input():
    assert_refused("skill_test", "skill", skill="expert")
    assert_refused("skill_test", "missing field `skill`")
    assert_refused("firepower_test", "firepower", firepower=0)
    assert_refused("firepower_test", "firepower", firepower=7)
    assert_refused("score_test", "unknown field", needed=3, bonus=1)
    assert_refused("score_test", "needed", needed="three")
    assert_refused("score_test", "reroll", needed=3, reroll="all")
