"""The last phase: markers go, S and D are tested for."""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.battle import Eliminated, FireMarker, TurnBegan
from sandtable.games.micro_armour.markers import MarkersRemoved, MarkerTested, remove_markers
from sandtable.games.micro_armour.sequence import marker_removal_step

from .boards import board, carrier, infantry, play, tank


def last_phase(*things, **more):
    return board(*things, tank("foe", 40, 40, side="b"), phase="marker_removal", **more)


@pytest.mark.rule("MA-MARK-01")
def test_move_markers_fire_markers_and_smoke_are_removed():
    worn = {"moving": True, "attempted_fire": True, "fired": True, "attempted_second": True, "move_tried": True, "spent": 9000}
    more = {"overran": True, "settled": True, "road": "good_road", "attempted_this_phase": True}
    battle = last_phase(tank("t", 5, 5, **worn, **more), infantry("res", 9, 5, tl=1, posture="move"), smoke=[(20, 20)], wrecks=[(30, 30)])
    battle = type(battle)(
        **{name: getattr(battle, name) for name in battle.__struct_fields__} | {"fire_markers": (FireMarker("t", (9, 9)),)}
    )
    played = play(remove_markers, battle)
    assert played.said(MarkersRemoved) == [MarkersRemoved()]
    assert played.unit("t") == tank("t", 5, 5)
    assert (played.unit("res").posture, played.unit("res").in_move_state) == ("none", False)
    assert (played.battle.smoke, played.battle.fire_markers) == ((), ())
    assert len(played.battle.wrecks) == 1  # wrecks stay


@pytest.mark.rule("MA-MARK-01", "MA-MARK-02")
def test_s_and_d_stay_until_they_are_tested_away_each_unit_once():
    units = [tank("s", 5, 5, suppressed=True), tank("d", 9, 5, disorganised=True), tank("fit", 13, 5)]
    battle = last_phase(*units, infantry("men", 30, 30, side="b", suppressed=True, level=13))
    played = play(remove_markers, battle, dice=[12, 2, 9])
    # 12 + 4 fails against 15; D alone looks only for 1 and 20; 9 + 4 passes against 13.
    assert [(event.unit, event.recovered, event.regrouped) for event in played.said(MarkerTested)] == [
        ("s", False, False),
        ("d", False, False),
        ("men", True, False),
    ]
    assert (played.unit("s").suppressed, played.unit("d").disorganised, played.unit("men").suppressed) == (True, True, False)
    assert [player for player, _ in played.table.thrown] == ["a", "a", "b"]
    assert play(remove_markers, battle, dice=[12, 2, 10]).unit("men").suppressed  # 14: their own level counts


@pytest.mark.rule("MA-MARK-03", "MA-MARK-04", "MA-RULING-28")
def test_with_both_markers_one_die_serves_both():
    battle = last_phase(tank("t", 5, 5, suppressed=True, disorganised=True))
    assert play(remove_markers, battle, dice=[8]).said(MarkerTested)[0].recovered  # 8 + 7
    assert not play(remove_markers, battle, dice=[9]).said(MarkerTested)[0].recovered
    one = play(remove_markers, battle, dice=[1]).unit("t")
    assert (one.suppressed, one.disorganised) == (False, False)


@pytest.mark.rule("MA-MARK-05")
def test_panic_escalates_and_takes_passengers_along():
    battle = last_phase(tank("s", 5, 5, suppressed=True), tank("d", 9, 5, disorganised=True))
    played = play(remove_markers, battle, dice=[20, 20])
    assert [(unit.suppressed, unit.disorganised) for unit in (played.unit("s"), played.unit("d"))] == [(True, True), (True, True)]
    both = {"suppressed": True, "disorganised": True}
    full = last_phase(carrier("m2", 5, 5, **both), infantry("men", carried_by="m2", **both))
    lost = play(remove_markers, full, dice=[20])  # the men die with their carrier and roll no more
    assert lost.said(Eliminated) == [Eliminated("men"), Eliminated("m2", wreck=True)]


@pytest.mark.rule("MA-MARK-06", "MA-RULING-29")
def test_the_scenario_may_want_the_other_table():
    # Level 15: recover with 75 or less at +20; 55 passes, 56 does not.
    battle = last_phase(tank("t", 5, 5, suppressed=True), optional_markers=True)
    assert not play(remove_markers, battle, dice=[55]).unit("t").suppressed
    assert play(remove_markers, battle, dice=[56]).unit("t").suppressed


@pytest.mark.rule("MA-MARK-01", "MA-SEQ-01")
def test_then_the_next_turn_begins():
    played = play(marker_removal_step, last_phase(tank("t", 5, 5)))
    assert played.said(TurnBegan) == [TurnBegan(3)]
    assert (played.battle.initiative, played.battle.first, played.battle.out) == ("", "", ())
