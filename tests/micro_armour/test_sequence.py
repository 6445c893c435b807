"""The turn: phases, initiative, who acts when, which Tech Level in which phase, Orders."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.games.micro_armour.artillery import Bombarded
from sandtable.games.micro_armour.battle import (
    Fired,
    FirstChosen,
    InitiativeTaken,
    InitiativeTied,
    OrderSpent,
    OrdersRolled,
    Passed,
    PhaseBegan,
    PosturesSet,
    RoundBegan,
    TurnBegan,
)
from sandtable.games.micro_armour.fire import fire_refusal, ready_firers
from sandtable.games.micro_armour.movement import MovementTested, move_refusal
from sandtable.games.micro_armour.sequence import artillery_air_step, fire_step, initiative_step, movement_step
from sandtable.kernel.errors import RefusedError

from .boards import aircraft, area, at, board, carrier, go, gun, infantry, option_ids, play, play_on, refusal_rule, tank

FOREST = area("forest", 0, 20, 48, 30)
"""Nobody sees through it."""
FAIL = 20
"""A natural 20: whatever the test is, it fails."""


def facing_tanks(tl=3):
    """Two tanks a side in sight of each other, too far apart for Groups."""
    foes = [tank(f"b{n}", 10 * n, 15, 180, side="b", tl=tl) for n in (1, 2)]
    return [tank(f"a{n}", 10 * n, 5, tl=tl) for n in (1, 2)] + foes


# -- phases -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-SEQ-01")
def test_a_turn_runs_through_its_phases_in_order():
    battle = board(FOREST, tank("a1", 10, 5), tank("b1", 10, 45, 180, side="b"), phase="initiative", first="")
    # 22 to 19 for a; nobody sees anybody or has Orders; both pass their independent moves.
    played = play_on(battle, until="marker_removal", answers=["a", "pass", "pass"], dice=[3, 4, 3, 3])
    assert [event.phase for event in played.said(PhaseBegan)] == [
        "artillery_air",
        "fire_first",
        "fire_second",
        "planning",
        "movement",
        "fire_third",
        "marker_removal",
    ]
    after = play_on(played.battle, steps=1)
    assert after.said(TurnBegan) == [TurnBegan(3)]
    assert (after.battle.turn, after.battle.phase) == (3, "initiative")


@pytest.mark.rule("MA-SEQ-02", "MA-SEQ-12", "MA-RULING-08")
@pytest.mark.parametrize(("phase", "tl"), [("fire_first", 4), ("fire_second", 3), ("fire_third", 5)])
def test_the_sides_fire_in_turn_each_unit_once_a_phase(phase, tl):
    battle = board(*facing_tanks(tl), phase=phase)
    answers = ["b1", ["a1:gun"], "a1", ["b1:gun"], "b2", ["a2:gun"], "a2", ["b2:gun"]]
    played = play_on(battle, steps=7, answers=answers, dice=[FAIL] * 4)
    assert [event.unit for event in played.said(Fired)] == ["a1", "b1", "a2", "b2"]
    assert [event.side for event in played.said(Passed)] == ["a", "b"]  # everybody has fired: both are out without a question
    assert len(played.said(PhaseBegan)) == 1


@pytest.mark.rule("MA-SEQ-12", "MA-RULING-08")
def test_a_unit_of_tl4_fires_in_the_first_and_again_in_the_second_fire_phase():
    battle = board(tank("a1", 20, 10, tl=4), tank("foe", 20, 20, 180, side="b", ap=None, he=None), phase="fire_first")
    played = play_on(battle, until="planning", answers=["foe", ["a1:gun"], "foe", ["a1:gun"]], dice=[FAIL, FAIL])
    assert [event.unit for event in played.said(Fired)] == ["a1", "a1"]


@pytest.mark.rule("MA-RULING-04", "MA-DEC-06")
def test_who_passes_is_out_and_the_other_goes_on():
    played = play_on(board(*facing_tanks()), steps=3, answers=["pass", "a1", ["b1:gun"], "a1", ["b2:gun"]], dice=[FAIL] * 2)
    assert played.said(Passed) == [Passed("a")]
    assert [event.unit for event in played.said(Fired)] == ["b1", "b2"]
    assert played.battle.active == "b"


@pytest.mark.rule("MA-SEQ-02", "MA-ART-01", "MA-DEC-04")
def test_artillery_fires_in_turn():
    guns = [gun(f"a{n}", 10 * n, 5) for n in (1, 2)] + [gun(f"b{n}", 10 * n, 25, 180, side="b") for n in (1, 2)]
    answers = ["direct:b1", ["a1"], "direct:a1", ["b1"], "direct:b1", ["a2"], "direct:a1", ["b2"]]
    played = play_on(board(*guns, phase="artillery_air"), until="fire_first", answers=answers, dice=[FAIL] * 4)
    assert [event.unit for event in played.said(Bombarded)] == ["a1", "b1", "a2", "b2"]


@pytest.mark.rule("MA-SEQ-02", "MA-MOVE-01", "MA-DEC-08", "MA-DEC-09")
def test_ordered_moves_in_turn_then_independent_moves_in_turn():
    battle = board(
        FOREST, tank("a1", 10, 5), tank("a2", 30, 5), tank("b1", 10, 45, side="b"), tank("b2", 30, 45, side="b"), phase="movement"
    )
    ordered = play_on(battle, steps=4, answers=["a1", "b1", "pass", "pass"], dice=[FAIL] * 2)
    assert [event.unit for event in ordered.said(MovementTested)] == ["a1", "b1"]
    assert ordered.battle.orders == {"a": 2, "b": 2}
    assert [request.decision for request in ordered.requests] == ["MA-DEC-08"] * 4
    # Who passed the ordered moves still has his independent ones; Orders that are left are lost (MA-RULING-24).
    alone = play_on(ordered.battle, until="fire_third", answers=["a2", "b2"], dice=[FAIL] * 2)
    assert alone.said(RoundBegan) == [RoundBegan("independent")]
    assert [event.unit for event in alone.said(MovementTested)] == ["a2", "b2"]
    assert [request.decision for request in alone.requests] == ["MA-DEC-09"] * 2
    assert refusal_rule(alone.requests[0], "a1") == "MA-RULING-24"
    assert not any(RoundBegan("independent").apply(ordered.battle).orders.values())
    assert not any(alone.battle.orders.values())


@pytest.mark.rule("MA-RULING-24", "MA-RULING-04", "MA-DEC-02")
def test_who_begins_the_movement_phase_begins_both_its_rounds():
    units = [tank("a1", 10, 5), tank("b1", 10, 45, side="b"), tank("b2", 20, 45, side="b")]
    battle = board(FOREST, *units, phase="movement", first="b", active="b", orders={"a": 0, "b": 1})
    played = play_on(battle, until="fire_third", answers=["b1", "pass", "pass"], dice=[FAIL])
    asked = [(request.player, request.decision) for request in played.requests]
    assert asked == [("b", "MA-DEC-08"), ("b", "MA-DEC-09"), ("a", "MA-DEC-09")]


@pytest.mark.rule("MA-RULING-24")
def test_a_side_without_orders_waits_for_the_independent_moves():
    battle = board(FOREST, tank("a1", 10, 5), tank("b1", 10, 45, side="b"), phase="movement", orders={"a": 0, "b": 1})
    played = play_on(battle, steps=3, answers=["b1"], dice=[FAIL])
    assert played.said(OrderSpent) == [OrderSpent("b", ("b1",))]
    assert [event.side for event in played.said(Passed)] == ["a", "b"]


# -- initiative and who begins ----------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-INIT-01", "MA-INIT-02", "MA-RULING-04")
def test_the_higher_total_has_the_initiative_and_ties_are_rolled_again():
    battle = board(tank("a1", 5, 5, level=19), tank("b1", 5, 40, side="b", level=18), phase="initiative", first="")
    # The levels are those of the forces, whatever their units have: 15 + 2 against 13 + 4, then against 13 + 5.
    played = play(initiative_step, battle, dice=[1, 1, 2, 2, 1, 1, 3, 2])
    assert played.said(InitiativeTied) == [InitiativeTied(17)]
    assert played.said(InitiativeTaken) == [InitiativeTaken("b", 17, 18)]
    assert (played.battle.initiative, played.battle.phase) == ("b", "artillery_air")
    assert [player for player, _ in played.table.thrown] == ["a", "a", "b", "b"] * 2  # each side throws its own


@pytest.mark.rule("MA-INIT-01")
def test_a_scenario_may_give_the_initiative_of_the_first_turn():
    things = (tank("a1", 5, 5), tank("b1", 5, 40, side="b"))
    given = play(initiative_step, board(*things, phase="initiative", first="", turn=1, first_initiative="b"))
    assert given.battle.initiative == "b"
    later = play(initiative_step, board(*things, phase="initiative", first="", turn=2, first_initiative="b"), dice=[6, 6, 1, 1])
    assert later.battle.initiative == "a"


@pytest.mark.rule("MA-INIT-02", "MA-DEC-02")
def test_the_holder_of_the_initiative_says_who_begins_each_phase():
    battle = board(*facing_tanks(), first="", initiative="b")
    played = play(fire_step, battle, answers=["a"])
    (asked,) = played.asked("MA-DEC-02")
    assert (asked.player, asked.default, option_ids(asked)) == ("b", "b", ["a", "b"])
    assert played.said(FirstChosen) == [FirstChosen("a")]
    assert played.battle.active == "a"
    other = play(fire_step, board(*facing_tanks(), first="", initiative="a"), answers=["b"])
    assert other.battle.active == "b"
    movement = play(movement_step, board(*facing_tanks(), phase="movement", first="", initiative="b"), answers=["b"])
    assert movement.asked("MA-DEC-02")[0].player == "b"  # asked again in the next phase
    assert movement.battle.active == "b"


@pytest.mark.rule("MA-DEC-02")
def test_nobody_is_asked_who_begins_if_one_side_alone_can_act():
    battle = board(tank("a1", 10, 5, tl=4), tank("b1", 10, 15, side="b"), phase="fire_first", first="", initiative="b")
    assert play(fire_step, battle).said(FirstChosen) == [FirstChosen("a")]
    guns = board(tank("a1", 10, 5), gun("b1", 10, 15, side="b"), phase="artillery_air", first="", initiative="a")
    assert play(artillery_air_step, guns).said(FirstChosen) == [FirstChosen("b")]
    nobody = board(tank("a1", 10, 5), tank("b1", 10, 15, side="b"), phase="artillery_air", first="")
    assert play(artillery_air_step, nobody).said(PhaseBegan) == [PhaseBegan("fire_first")]


@pytest.mark.rule("MA-SEQ-11", "MA-SEQ-09", "MA-RULING-07", "MA-DEC-03")
def test_tl1_units_and_no_others_choose_to_move_or_to_fire():
    units = [infantry("walks", 5, 5, tl=1), infantry("shoots", 15, 5, tl=1), infantry("free", 25, 5, tl=2)]
    battle = board(*units, tank("b1", 5, 12, side="b"), phase="initiative", first="")
    played = play(initiative_step, battle, answers=[["walks"]], dice=[6, 6, 1, 1])
    (asked,) = played.asked("MA-DEC-03")
    assert option_ids(asked) == ["walks", "shoots"]
    assert played.said(PosturesSet) == [PosturesSet("a", ("walks",), ("shoots",))]
    walks, shoots, free = (played.unit(id) for id in ("walks", "shoots", "free"))
    assert (walks.in_move_state, shoots.in_move_state, free.in_move_state) == (True, False, False)
    assert move_refusal(walks) is None
    assert move_refusal(shoots).rule == "MA-SEQ-09"
    assert move_refusal(free) is None
    second = board(walks, shoots, free, tank("b1", 5, 12, side="b"), phase="fire_second")
    assert [unit.id for unit in ready_firers(second, "a")] == ["shoots", "free"]
    assert fire_refusal(second, walks).rule == "MA-SEQ-09"


@pytest.mark.rule("MA-SEQ-11", "MA-DEC-03")
def test_each_side_chooses_for_its_own_tl1_units_that_are_still_there():
    units = [carrier("m2", 5, 5), infantry("mine", tl=1, carried_by="m2"), infantry("lost", tl=1, eliminated=True), aircraft("jet", tl=1)]
    battle = board(*units, infantry("theirs", 5, 40, side="b", tl=1), phase="initiative", first="")
    played = play(initiative_step, battle, answers=[[], ["theirs"]], dice=[6, 6, 1, 1])
    assert [(asked.player, option_ids(asked)) for asked in played.asked("MA-DEC-03")] == [("a", ["mine"]), ("b", ["theirs"])]
    assert [played.unit(id).posture for id in ("mine", "theirs", "lost", "jet")] == ["fire", "move", "none", "none"]
    assert [type(event) for event in played.events] == [InitiativeTaken, PosturesSet, PosturesSet, PhaseBegan]


@pytest.mark.rule("MA-SEQ-11")
def test_the_log_names_only_the_states_that_were_taken():
    for move, fire, words in ((("x",), ("y",), "set"), (("x",), (), "move"), ((), ("y",), "fire")):
        assert PosturesSet("a", move, fire).says().id == f"event.postures_{words}"


# -- Tech Levels ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-SEQ-03", "MA-SEQ-05", "MA-SEQ-06", "MA-SEQ-07")
@pytest.mark.parametrize(
    ("phase", "firing"),
    [("fire_first", ["t4", "t5"]), ("fire_second", ["t1", "t2", "t3", "t4", "t5"]), ("fire_third", ["t5"])],
)
def test_each_fire_phase_is_open_to_its_tech_levels(phase, firing):
    units = [tank(f"t{tl}", 4 * tl, 5, tl=tl) for tl in range(1, 6)]
    battle = board(*units, tank("foe", 12, 13, side="b"), phase=phase)
    played = play(fire_step, battle, answers=["foe", [f"{id}:gun" for id in firing]], dice=[FAIL] * len(firing))
    assert option_ids(played.requests[1]) == [f"{id}:gun" for id in firing]
    assert [event.unit for event in played.said(Fired)] == firing


@pytest.mark.rule("MA-SEQ-04", "MA-RULING-44")
def test_in_the_first_fire_phase_a_unit_is_attacked_once_by_however_many():
    units = [tank(f"a{n}", 5 * n, 5, tl=4) for n in (1, 2, 3)]
    foes = [tank("foe", 10, 15, side="b", tl=4), tank("other", 20, 15, side="b", tl=4)]
    first = play(fire_step, board(*units, *foes, phase="fire_first"), answers=["foe", ["a1:gun", "a2:gun"]], dice=[FAIL, FAIL])
    assert [event.unit for event in first.said(Fired)] == ["a1", "a2"]
    battle = play(fire_step, first.battle, answers=["pass"]).battle  # side b passes
    with pytest.raises(RefusedError) as caught:
        play(fire_step, battle, answers=["foe"])
    assert caught.value.rule == "MA-SEQ-04"
    assert [event.target for event in play(fire_step, battle, answers=["other", ["a3:gun"]], dice=[FAIL]).said(Fired)] == ["other"]


@pytest.mark.rule("MA-SEQ-04", "MA-RULING-04")
def test_who_has_only_targets_that_were_attacked_is_out_without_a_question():
    units = [tank(f"a{n}", 5 * n, 5, tl=4) for n in (1, 2)]
    battle = board(*units, tank("foe", 10, 15, side="b"), phase="fire_first", out=("b",))
    played = play_on(battle, steps=2, answers=["foe", ["a1:gun"]], dice=[FAIL])
    assert played.said(Passed) == [Passed("a")]


@pytest.mark.rule("MA-SEQ-04")
@pytest.mark.parametrize(("phase", "tl"), [("fire_second", 3), ("fire_third", 5)])
def test_the_other_fire_phases_know_no_such_limit(phase, tl):
    battle = board(tank("a1", 5, 5, tl=tl), tank("a2", 10, 5, tl=tl), tank("foe", 10, 15, side="b", tl=tl), phase=phase, out=("b",))
    played = play_on(battle, steps=2, answers=["foe", ["a1:gun"], "foe", ["a2:gun"]], dice=[FAIL, FAIL])
    assert [event.unit for event in played.said(Fired)] == ["a1", "a2"]


@pytest.mark.rule("MA-SEQ-04")
def test_the_limit_ends_with_the_phase():
    battle = board(tank("a1", 5, 5, tl=4), tank("foe", 10, 15, side="b", tl=3), phase="fire_first")
    played = play_on(battle, until="planning", answers=["foe", ["a1:gun"], "a", "foe", ["a1:gun"], "pass"], dice=[FAIL, FAIL])
    assert [event.target for event in played.said(Fired)] == ["foe", "foe"]


@pytest.mark.rule("MA-SEQ-04")
def test_attacks_of_other_phases_do_not_count_for_the_limit():
    battle = board(tank("a1", 5, 5, tl=4), tank("foe", 10, 15, side="b"), phase="artillery_air", first="")
    battle = replace(battle, targeted=("foe",))  # shot at in the turn before
    played = play_on(battle, steps=3, answers=["foe", ["a1:gun"]], dice=[FAIL])
    assert played.battle.phase == "fire_first" and played.said(Fired)


@pytest.mark.rule("MA-SEQ-08", "MA-SEQ-09", "MA-SEQ-10", "MA-MOVE-10")
def test_whoever_tried_to_fire_does_not_move_or_moves_half_as_far():
    shots = {"attempted_fire": True}
    units = [gun("gun", 5, 5, **shots), infantry("tl1", 10, 5, tl=1, posture="fire", **shots), tank("tl2", 15, 5, tl=2, **shots)]
    battle = board(FOREST, *units, tank("b1", 5, 40, side="b"), phase="movement", round="independent")
    assert move_refusal(battle.units["gun"]).rule == "MA-SEQ-08"
    assert move_refusal(battle.units["tl1"]).rule == "MA-SEQ-09"
    with pytest.raises(RefusedError) as caught:  # 12 points, halved: 6
        play(movement_step, battle, answers=["tl2", go((15, 11.1))], dice=[5])
    assert caught.value.rule == "MA-MOVE-06"
    assert play(movement_step, battle, answers=["tl2", go((15, 11))], dice=[5]).unit("tl2").spent == 6000


# -- Orders -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-CMD-01", "MA-CMD-03", "MA-RULING-06")
def test_orders_are_rolled_by_each_side_with_a_ghq_when_movement_begins():
    battle = board(FOREST, tank("ghq", 5, 5, ghq=True), tank("b1", 5, 40, side="b"), phase="movement", first="", orders={})
    played = play(movement_step, battle, answers=["a"], dice=[5, 4])  # 9: three Orders; side b has no GHQ and rolls nothing
    assert played.said(OrdersRolled) == [OrdersRolled("a", 3), OrdersRolled("b", 0)]
    assert played.battle.orders == {"a": 3, "b": 0}
    assert [type(event) for event in played.events] == [OrdersRolled, OrdersRolled, FirstChosen, RoundBegan]  # who begins knows them


@pytest.mark.rule("MA-CMD-01", "MA-CMD-02", "MA-RULING-06")
def test_the_command_value_of_the_ghq_and_the_generation_of_each_force_modify_its_orders():
    units = [tank("ghq", 5, 5, ghq=True), tank("their_ghq", 5, 40, side="b", ghq=True)]
    forces = {"a": {"generation": 4, "ghq_command_value": 1}, "b": {"generation": 1}}
    battle = board(FOREST, *units, phase="movement", first="", orders={}, forces=forces)
    played = play(movement_step, battle, answers=["a"], dice=[5, 5, 3, 4])  # 10 + 1 + 2 is 13: five; 7 - 1 is 6: one
    assert played.said(OrdersRolled) == [OrdersRolled("a", 5), OrdersRolled("b", 1)]
    assert [player for player, _ in played.table.thrown] == ["a", "a", "b", "b"]


@pytest.mark.rule("MA-CMD-03", "MA-RULING-06")
def test_without_its_ghq_a_side_rolls_for_no_orders_whatever_other_headquarters_it_has():
    units = [tank("ghq", ghq=True, eliminated=True), tank("hq", 5, 5, hq=True), tank("b1", 5, 40, side="b")]
    played = play(movement_step, board(FOREST, *units, phase="movement", first="", orders={}), answers=["a"])
    assert played.battle.orders == {"a": 0, "b": 0}


@pytest.mark.rule("MA-CMD-03", "MA-RULING-06")
def test_orders_are_lost_with_the_ghq():
    units = [tank("ghq", 10, 5, 0, ghq=True, formation="staff"), tank("a1", 40, 5)]
    battle = board(*units, tank("b1", 10, 15, 180, side="b"), phase="movement", orders={"a": 3, "b": 0})
    # Its flank to the enemy: 11 against 4 is +7, and 2 is E.
    played = play(movement_step, battle, answers=["ghq", go((15, 5)), "b1:gun"], dice=[5, 5, 1, 1])
    assert not played.unit("ghq").alive
    assert played.battle.orders["a"] == 0
    after = play_on(played.battle, steps=2)
    assert [event.side for event in after.said(Passed)] == ["b", "a"]


@pytest.mark.rule("MA-CMD-03", "MA-RULING-23", "MA-RULING-22")
def test_a_headquarters_shot_on_the_move_costs_no_orders_and_its_group_goes_on():
    units = [tank("hq", 10, 5, 0, hq=True), tank("a1", 12, 5)]
    battle = board(*units, tank("b1", 10, 15, 180, side="b"), phase="movement", orders={"a": 3, "b": 0})
    answers = ["hq", ["a1"], "hq", go((8, 5)), "b1:gun", go((12, 9))]
    # Both pass, a1 with the help of the HQ. The HQ looks west: 11 against 4 is +7, and 2 is E.
    played = play(movement_step, battle, answers=answers, dice=[15, 17, 15, 1, 1])
    assert (played.unit("hq").alive, at(played.battle, "a1")) == (False, (12, 9))
    assert played.battle.orders["a"] == 2


@pytest.mark.rule("MA-RULING-22", "MA-RULING-41")
def test_the_battle_is_over_when_the_last_unit_is_shot_on_the_move():
    battle = board(tank("a1", 10, 5), tank("b1", 10, 15, 180, side="b"), phase="movement", orders={"a": 1, "b": 0})
    played = play_on(battle, answers=["a1", go((8, 5)), "b1:gun"], dice=[15, 15, 1, 1])
    assert played.battle.result.winner == "b"


@pytest.mark.rule("MA-CMD-04")
def test_an_order_moves_one_unit_or_one_group():
    units = [tank("a1", 10, 5), tank("a2", 12, 5), tank("far", 30, 5)]
    battle = board(FOREST, *units, tank("b1", 5, 40, side="b"), phase="movement", orders={"a": 2, "b": 0})
    played = play_on(battle, steps=3, answers=["a1", ["a2"], "far"], dice=[FAIL] * 3)
    assert played.said(OrderSpent) == [OrderSpent("a", ("a1", "a2")), OrderSpent("a", ("far",))]
    assert played.battle.orders["a"] == 0
