"""Rallying, recovering, platoon and company morale."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play


@pytest.mark.rule("FOW-START-01")
def test_a_pinned_platoon_rallies_on_its_motivation():
    assert play("rally_platoon", [4], motivation="confident") == {"result": "rallied", "rolls": [4]}
    assert play("rally_platoon", [3], motivation="confident") == {"result": "still_pinned", "rolls": [3]}


@pytest.mark.rule("FOW-START-03", "FOW-RULING-12")
def test_a_crew_recovers_on_its_motivation():
    assert play("recover_crew", [5], motivation="reluctant") == {"result": "recovered", "rolls": [5]}
    assert play("recover_crew", [4], motivation="reluctant") == {"result": "still_bailed_out", "rolls": [4]}


@pytest.mark.rule("FOW-IND-04", "FOW-IND-05")
@pytest.mark.parametrize(
    ("name", "good", "bad"), [("rally_platoon", "rallied", "still_pinned"), ("recover_crew", "recovered", "still_bailed_out")]
)
def test_the_commander_helps_to_rally_and_recover(name, good, bad):
    assert play(name, [1, 3], motivation="fearless", commander_joined=True) == {"result": good, "rolls": [1, 3]}
    assert play(name, [1], motivation="fearless", commander_joined=True, for_self=True)["result"] == bad
    assert play(name, [1], motivation="fearless", commander_joined=True, commander_bailed_out=True)["result"] == bad


def morale(faces, destroyed, able, **given):
    return play("platoon_morale", faces, motivation="confident", destroyed_teams=destroyed, able_teams=able, **given)


NOT_REQUIRED = {"required": False, "result": "not_required", "rolls": []}


@pytest.mark.rule("FOW-MOR-03")
def test_three_lost_of_five_is_below_half_two_of_four_is_not():
    assert morale([4], 3, 2) == {"required": True, "result": "fights_on", "rolls": [4]}
    assert morale([], 2, 2) == NOT_REQUIRED


@pytest.mark.rule("FOW-MOR-03")
def test_no_test_without_a_loss_in_this_step():
    assert morale([], 3, 2, loss_this_phase=False) == NOT_REQUIRED


@pytest.mark.rule("FOW-MOR-02")
def test_a_platoon_that_fails_is_destroyed():
    assert morale([3], 3, 2) == {"required": True, "result": "destroyed", "rolls": [3]}


def test_what_is_not_counted_is_left_out_of_able_teams_by_the_caller():
    # Five tanks: two destroyed, two bailed out (on neither side), one able, perhaps bogged: 2 > 1.
    assert morale([4], 2, 1)["required"] is True


@pytest.mark.rule("FOW-MOR-05")
def test_destroyed_transports_count_as_lost():
    assert morale([4], 2, 2, destroyed_transports=1)["required"] is True


@pytest.mark.rule("FOW-IND-04", "FOW-IND-05")
def test_the_commander_and_platoon_morale():
    assert morale([3, 4], 3, 2, commander_joined=True)["result"] == "fights_on"
    assert morale([3], 3, 2, commander_joined=True, commander_bailed_out=True)["result"] == "destroyed"


@pytest.mark.rule("FOW-MOR-06")
def test_company_morale_when_more_platoons_are_destroyed_than_ready():
    assert play("company_morale", [4], motivation="confident", platoons_destroyed=3, platoons_ready=2) == {
        "required": True,
        "result": "fights_on",
        "rolls": [4],
    }
    assert play("company_morale", [], motivation="confident", platoons_destroyed=2, platoons_ready=2) == NOT_REQUIRED


@pytest.mark.rule("FOW-MOR-06", "FOW-RULING-27")
def test_a_company_that_fails_loses_and_is_never_rolled_again():
    found = play("company_morale", [2], motivation="fearless", platoons_destroyed=3, platoons_ready=2)
    assert found == {"required": True, "result": "loses_battle", "rolls": [2]}
    assert_refused("company_morale", "unknown field", motivation="fearless", platoons_destroyed=1, platoons_ready=0, commander_joined=True)


def test_motivation_is_needed_only_where_it_is_tested():
    assert play("platoon_morale", [], destroyed_teams=1, able_teams=5) == NOT_REQUIRED
    assert_refused("platoon_morale", "`motivation`", destroyed_teams=5, able_teams=1)
    assert_refused("platoon_morale", "able_teams", motivation="confident", destroyed_teams=5, able_teams=-1)
