"""Eyes and ears, disengaging."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play


@pytest.mark.rule("FOW-REC-01")
def test_recon_within_16_takes_gone_to_ground_away():
    assert play("eyes_and_ears", distance_in=16) == {"allowed": True, "target_gone_to_ground": False}
    assert play("eyes_and_ears", distance_in=16.1) == {"allowed": False, "target_gone_to_ground": True}
    assert play("eyes_and_ears", distance_in=5, target_gone_to_ground=False) == {"allowed": False, "target_gone_to_ground": False}


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param("pinned", marks=pytest.mark.rule("FOW-REC-01")),
        pytest.param("moved", marks=pytest.mark.rule("FOW-REC-01")),
        pytest.param("disengaged_last_turn", marks=pytest.mark.rule("FOW-REC-11")),
    ],
)
def test_recon_that_cannot_look(trouble):
    assert play("eyes_and_ears", distance_in=5, **{trouble: True}) == {"allowed": False, "target_gone_to_ground": True}


def disengage(faces, attack, **given):
    return play("disengage", faces, skill="veteran", attack=attack, **given)


NO = {"result": "not_allowed", "rolls": []}


@pytest.mark.rule("FOW-REC-05")
def test_recon_disengages_by_a_skill_test():
    assert disengage([3], "shooting") == {"result": "disengaged", "rolls": [3]}
    assert disengage([2], "shooting") == {"result": "failed", "rolls": [2]}


@pytest.mark.rule("FOW-REC-02")
def test_not_after_an_attack():
    assert disengage([], "shooting", attacked_last_turn=True) == NO


@pytest.mark.rule("FOW-DBL-09", "FOW-REC-02")
def test_not_at_the_double():
    assert disengage([], "shooting", at_the_double=True) == NO


@pytest.mark.rule("FOW-REC-06")
def test_from_artillery_only_if_it_did_not_range_in_at_once():
    assert disengage([], "artillery", ranged_in_attempt=1) == NO
    assert disengage([3], "artillery", ranged_in_attempt=2)["result"] == "disengaged"
    assert disengage([3], "artillery", ranged_in_attempt=3)["result"] == "disengaged"
    assert disengage([3], "shooting", ranged_in_attempt=1)["result"] == "disengaged"


@pytest.mark.rule("FOW-REC-07")
def test_never_from_the_air():
    assert disengage([], "air") == NO


@pytest.mark.rule("FOW-REC-09")
def test_from_an_assault():
    assert disengage([3], "assault")["result"] == "disengaged"


@pytest.mark.rule("FOW-REC-08")
def test_forced_after_a_failed_save_unless_brave():
    assert play("forced_disengage", [], motivation="confident", failed_saves=0) == {"result": "not_required", "rolls": []}
    assert play("forced_disengage", [4], motivation="confident", failed_saves=1) == {"result": "stays", "rolls": [4]}
    assert play("forced_disengage", [3], motivation="confident", failed_saves=2) == {"result": "forced_disengage", "rolls": [3]}
    assert play("forced_disengage", [3, 4], motivation="confident", failed_saves=2, commander_joined=True)["result"] == "stays"


def test_what_is_needed():
    assert_refused("disengage", "`skill`", attack="shooting")
    assert_refused("forced_disengage", "failed_saves", motivation="confident", failed_saves=-1)
    assert_refused("eyes_and_ears", "distance_in")
