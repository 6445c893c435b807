"""Before the first turn (MA-RULING-53)."""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.battle import Placed, SideDeployed, TurnBegan
from sandtable.games.micro_armour.deployment import deployment_step
from sandtable.kernel.errors import RefusedError

from .boards import DEFAULT, aircraft, area, at, board, carrier, helicopter, infantry, play, put, tank, truck


def before(*things, **more):
    """Side a deploys along the south edge, six inches deep; b along the north edge."""
    return board(*things, phase="organisation", turn=0, first="", **more)


def refused(rule, battle, answers):
    with pytest.raises(RefusedError) as caught:
        play(deployment_step, battle, answers=answers)
    assert caught.value.rule == rule


@pytest.mark.rule("MA-RULING-53", "MA-RULING-05", "MA-DEC-01")
def test_one_side_places_all_its_units_then_the_other_and_the_first_turn_begins():
    battle = before(tank("t1"), helicopter("h"), aircraft("a10"), tank("b1", side="b"))
    first = play(deployment_step, battle, answers=[put(t1=(10, 3, 90), h=(20, 3))])
    (asked,) = first.asked("MA-DEC-01")
    assert (asked.player, asked.pieces) == ("a", ("t1", "h"))  # aircraft wait off the table
    assert first.said(Placed) == [Placed("t1", 10_000, 3_000, 90), Placed("h", 20_000, 3_000, 0)]
    assert first.said(SideDeployed) == [SideDeployed("a")] and not first.said(TurnBegan)
    assert first.unit("a10").pose is None
    second = play(deployment_step, first.battle, answers=[put(b1=(10, 45, 180))])
    assert second.said(TurnBegan) == [TurnBegan(1)]
    assert second.battle.phase == "initiative"


@pytest.mark.rule("MA-RULING-53")
@pytest.mark.parametrize(
    ("scenario", "first"),
    [({}, "a"), ({"defender": "b"}, "b"), ({"defender": "b", "deploys_first": "a"}, "a"), ({"deploys_first": "b"}, "b")],
)
def test_who_deploys_first(scenario, first):
    battle = before(tank("t1"), tank("b1", side="b"), **scenario)
    assert play(deployment_step, battle, answers=[DEFAULT]).said(SideDeployed) == [SideDeployed(first)]


@pytest.mark.rule("MA-RULING-53", "MA-RULING-43")
def test_wholly_inside_the_zone_on_nobody_and_not_on_closed_ground():
    things = (area("wire", 20, 0, 30, 6), area("heavy_fortification", 30, 0, 40, 6))
    battle = before(*things, tank("t1"), truck("w"), tank("b1", side="b"))
    good = play(deployment_step, battle, answers=[put(t1=(0.5, 5.5), w=(1.5, 5.5))])
    assert at(good.battle, "w") == (1.5, 5.5)  # in contact, in the corner of the zone
    assert play(deployment_step, battle, answers=[put(t1=(47.5, 0.5), w=(10, 3))])  # in the other corner
    refused("MA-RULING-53", battle, [put(t1=(0.4, 3), w=(10, 3))])
    refused("MA-RULING-53", battle, [put(t1=(47.6, 3), w=(10, 3))])
    refused("MA-RULING-53", battle, [put(t1=(5, 0.4), w=(10, 3))])
    refused("MA-RULING-53", battle, [put(t1=(5, 5.6), w=(10, 3))])
    refused("MA-RULING-53", battle, [put(t1=(5, 3), w=(5.9, 3))])
    refused("MA-RULING-53", battle, [put(t1=(5, 3), w=(25, 3))])
    refused("MA-RULING-53", battle, [put(t1=(5, 3), w=(35, 3))])
    assert play(deployment_step, battle, answers=[put(t1=(25, 3), w=(5, 3))])  # tracks may


@pytest.mark.rule("MA-RULING-53", "MA-RULING-38", "MA-DEC-01")
def test_men_may_start_inside_a_carrier_that_has_room():
    battle = before(carrier("m2"), infantry("i1"), infantry("i2"), tank("t"), tank("b1", side="b"))
    played = play(deployment_step, battle, answers=[{"on_foot": ["i2"], "m2": ["i1"]}, put(m2=(10, 3, 45), i2=(12, 3), t=(20, 3))])
    cargo = played.asked("MA-DEC-01")[0]
    assert (cargo.things, [option.id for option in cargo.receivers]) == (("i1", "i2"), ["on_foot", "m2"])
    assert played.unit("i1").carried_by == "m2"
    assert played.unit("i1").pose == played.unit("m2").pose
    refused("MA-RULING-38", battle, [{"on_foot": [], "m2": ["i1", "i2"]}])


@pytest.mark.rule("MA-DEC-01")
def test_without_carriers_or_men_there_is_no_question_of_cargo():
    played = play(deployment_step, before(tank("t"), infantry("i"), tank("b1", side="b")), answers=[DEFAULT])
    assert len(played.requests) == 1 and played.requests[0].pieces == ("t", "i")
