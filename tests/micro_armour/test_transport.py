"""Getting on and off carriers (MA-RULING-38)."""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.air import aa_units
from sandtable.games.micro_armour.artillery import nearest_units, observers, under_marker
from sandtable.games.micro_armour.battle import Eliminated
from sandtable.games.micro_armour.fire import fire_refusal
from sandtable.games.micro_armour.invariants import broken_invariants
from sandtable.games.micro_armour.movement import Dismounted, Mounted, MovementTested, carriers, dismount_refusal
from sandtable.games.micro_armour.planning import free_batteries
from sandtable.games.micro_armour.profile import Hold, Reach
from sandtable.games.micro_armour.sequence import initiative_step, movement_step
from sandtable.games.micro_armour.victory import holder
from sandtable.kernel.errors import RefusedError

from .boards import DEFAULT, area, at, board, carrier, go, infantry, line, play, put, tank


def moving(*things, **more):
    return board(*things, phase="movement", orders={"a": 3, "b": 0}, out=("b",), **more)


@pytest.mark.rule("MA-RULING-38", "MA-DEC-08")
def test_men_in_contact_mount_and_the_carrier_pays_two_points():
    battle = moving(carrier("m2", 10, 5), infantry("men", 11, 5))
    played = play(movement_step, battle, answers=["m2", ["men"], "men:mount:m2", go((10, 15))], dice=[1, 1])
    assert played.said(Mounted) == [Mounted("men", "m2")]
    assert at(played.battle, "men") == at(played.battle, "m2") == (10, 15)
    assert (played.unit("men").moving, played.unit("men").settled) == (True, True)  # its whole move
    assert played.unit("m2").spent == 12_000  # ten inches and two points
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=["m2", ["men"], "men:mount:m2", go((10, 15.1))], dice=[1, 1])
    assert caught.value.rule == "MA-MOVE-06"
    assert not broken_invariants(played.battle)


@pytest.mark.rule("MA-RULING-38")
def test_mounting_takes_a_movement_test_of_its_own():
    battle = moving(carrier("m2", 10, 5), infantry("men", 11, 5))
    played = play(movement_step, battle, answers=["m2", ["men"], go((10, 6))], dice=[1, 20])
    assert played.said(MovementTested) == [MovementTested("m2", True), MovementTested("men", False)]
    assert not played.unit("men").carried_by


@pytest.mark.rule("MA-RULING-38")
@pytest.mark.parametrize(
    ("units", "able"),
    [
        ([carrier("m2", 10, 5), infantry("men", 11, 5)], ["m2"]),
        ([carrier("m2", 10, 5), infantry("men", 11.1, 5)], []),  # not in contact
        ([carrier("m2", 10, 5), infantry("inside", carried_by="m2"), infantry("men", 11, 5)], []),  # no room
        ([carrier("m2", 10, 5, capacity=2), infantry("inside", carried_by="m2"), infantry("men", 11, 5)], ["m2"]),
        ([carrier("m2", 10, 5, moving=True), infantry("men", 11, 5)], []),  # it has moved
        ([carrier("m2", 10, 5, side="b"), infantry("men", 11, 5)], []),
        ([carrier("m2", 10, 5), tank("men", 11, 5)], []),  # no personnel
    ],
)
def test_whom_a_unit_can_mount(units, able):
    battle = moving(*units)
    assert [one.id for one in carriers(battle, battle.units["men"])] == able


@pytest.mark.rule("MA-RULING-38")
def test_men_get_off_into_contact_anywhere_on_the_way_and_the_carrier_drives_on():
    battle = moving(carrier("m2", 10, 5), infantry("men", carried_by="m2"))
    answers = ["m2", ["men"], "m2", go((10, 9)), "men:dismount", put(men=(11, 9, 90)), go((10, 15))]
    played = play(movement_step, battle, answers=answers, dice=[1, 1])
    assert played.said(Dismounted) == [Dismounted("men", "m2", 11_000, 9_000, 90)]
    assert (at(played.battle, "men"), at(played.battle, "m2")) == ((11, 9), (10, 15))
    assert played.unit("m2").spent == 4000 + 2000 + 6000
    with pytest.raises(RefusedError) as caught:  # 4 and 2 and 6.1
        play(movement_step, battle, answers=[*answers[:-1], go((10, 15.1))], dice=[1, 1])
    assert caught.value.rule == "MA-MOVE-06"


@pytest.mark.rule("MA-RULING-38")
def test_who_got_off_does_nothing_else_this_turn():
    foe = tank("foe", 11, 6.5, side="b", attempted_second=True)  # within an inch of the men
    battle = moving(carrier("m2", 10, 5), infantry("men", carried_by="m2"), foe)
    played = play(movement_step, battle, answers=["men", [], "men:dismount", put(men=(11, 5))], dice=[1])
    men = played.unit("men")
    assert (men.moving, men.settled) == (True, True)
    assert len(played.requests) == 4  # no question about a close assault
    assert fire_refusal(played.battle, men).rule == "MA-RULING-22"  # nor does it react


@pytest.mark.rule("MA-RULING-38", "MA-RULING-27")
def test_passengers_assault_nobody():
    foe = infantry("foe", 10, 6.5, side="b", attempted_second=True)
    battle = moving(carrier("m2", 10, 5), infantry("men", carried_by="m2"), foe)
    assert len(play(movement_step, battle, answers=["men", [], "done"], dice=[1]).requests) == 3


@pytest.mark.rule("MA-RULING-38")
@pytest.mark.parametrize(
    ("spot", "rule"),
    [((11.1, 5), "MA-RULING-38"), ((10.9, 5), "MA-RULING-38"), ((9, 5), "MA-RULING-54"), ((10, 6), "MA-RULING-54")],
)
def test_men_get_off_in_contact_on_nobody_and_not_at_an_enemy(spot, rule):
    battle = moving(carrier("m2", 10, 5), infantry("men", carried_by="m2"), tank("friend", 9, 5), tank("foe", 10, 7, side="b"))
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=["men", [], "men:dismount", put(men=spot)], dice=[1])
    assert caught.value.rule == rule


@pytest.mark.rule("MA-RULING-38", "MA-RULING-54")
def test_men_get_off_on_the_table():
    battle = moving(carrier("m2", 1, 5), infantry("men", carried_by="m2"))
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=["men", [], "men:dismount", put(men=(0, 5))], dice=[1])
    assert caught.value.rule == "MA-RULING-54"


@pytest.mark.rule("MA-RULING-38")
def test_men_who_were_about_to_get_off_are_lost_with_their_carrier():
    battle = moving(carrier("m2", 10, 5), infantry("men", carried_by="m2"), tank("foe", 20, 7, 270, side="b"))
    played = play(movement_step, battle, answers=["m2", ["men"], "m2", go((10, 9)), "foe:gun"], dice=[1, 1, 15, 1, 1])
    assert played.said(Eliminated) == [Eliminated("men"), Eliminated("m2", wreck=True)]


@pytest.mark.rule("MA-RULING-38", "MA-SEQ-11", "MA-DEC-03")
def test_passengers_of_tl1_choose_their_state():
    units = (carrier("m2", 10, 5), infantry("men", carried_by="m2", tl=1), tank("foe", 10, 40, side="b"))
    played = play(initiative_step, board(*units, phase="initiative"), answers=[["men"]], dice=[6, 6, 1, 1])
    assert played.unit("men").posture == "move"


@pytest.mark.rule("MA-RULING-38")
def test_a_carrier_that_has_used_its_points_lets_nobody_off():
    battle = moving(carrier("m2", 10, 5, moving=True, spent=10_500), infantry("men", carried_by="m2"))
    assert dismount_refusal(battle, battle.units["men"]).rule == "MA-RULING-38"
    enough = moving(carrier("m2", 10, 5, moving=True, spent=10_000), infantry("men", carried_by="m2"))
    assert dismount_refusal(enough, enough.units["men"]) is None
    rested = moving(carrier("m2", 10, 5, spent=10_500), infantry("men", carried_by="m2"))  # it has not moved: it pays later, if it does
    assert play(movement_step, rested, answers=["men", [], "men:dismount", DEFAULT], dice=[1]).said(Dismounted)


@pytest.mark.rule("MA-RULING-38")
def test_passengers_are_lost_with_a_carrier_that_is_shot_on_the_way():
    battle = moving(carrier("m2", 10, 5), infantry("men", carried_by="m2"), tank("foe", 20, 7, 270, side="b"))
    played = play(movement_step, battle, answers=["m2", [], go((10, 9)), "wait", "foe:gun"], dice=[1, 15, 1, 1])
    assert played.said(Eliminated) == [Eliminated("men"), Eliminated("m2", wreck=True)]


@pytest.mark.rule("MA-RULING-38", "MA-RULING-21", "MA-RULING-34", "MA-RULING-41")
def test_passengers_observe_hold_and_reach_nothing_and_are_nobodys_target():
    men = infantry("men", carried_by="m2", hq=True, aa=True, artillery="mortar")
    battle = board(carrier("m2", 10, 5, suppressed=True), men, tank("foe", 10, 30, side="b"), phase="planning")
    here = (10_000, 5_000)
    assert not observers(battle, "a") and not aa_units(battle, "a") and not free_batteries(battle, "a")
    assert [unit.id for unit in (*under_marker(battle, here), *nearest_units(battle, here, 1000))] == ["m2", "m2"]
    assert holder(battle, Hold(id="here", at=(10, 5))) is None  # the carrier is suppressed
    assert holder(battle, Reach(id="here", side="a", area=(0, 0, 20, 20), units=2)) is None


@pytest.mark.rule("MA-RULING-33")
def test_turning_on_the_road_gives_no_cover_back():
    things = (area("forest", 5, 6, 15, 30), line("good_road", (10, 0), (10, 40)))
    battle = moving(*things, carrier("m2", 10, 5), infantry("men", carried_by="m2"))
    answers = ["m2", ["men"], "m2", go((10, 9)), "road", "men:dismount", put(men=(11, 9)), {"facing": 90}]
    played = play(movement_step, battle, answers=answers, dice=[1, 1])
    assert played.unit("m2").pose.facing == 90
    assert played.unit("m2").road == "good_road"
