"""Standard fire on the map: attacks, weapons, terrain, markers, wrecks; and reaction fire at units that move.

A tank has AP 11 and defence 8. Front to front that is +3: E up to 4, D up to 8, (S) up to 10, S up to 12. Into the flank
it is +7: E up to 9.
"""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.battle import AttackDeclared, Eliminated, Fired, Suppressed, inches
from sandtable.games.micro_armour.fire import attack, fire_refusal, reactions
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.movement import Moved
from sandtable.games.micro_armour.profile import Atgm
from sandtable.games.micro_armour.sequence import fire_step, movement_step
from sandtable.kernel.errors import RefusedError

from .boards import (
    DEFAULT,
    area,
    at,
    board,
    carrier,
    flak,
    go,
    grid,
    gun,
    helicopter,
    infantry,
    line,
    option_ids,
    play,
    play_on,
    refusal_rule,
    tank,
    truck,
)

FAIL = 20


def one_shot(firer, target, *things, dice, weapon="gun", **more):
    """One unit fires at another; the battle before has side b's target ten inches north of the firer or wherever it stands."""
    battle = board(firer, target, *things, **more)
    return play(attack, battle, target.id, ((firer.id, weapon),), dice=dice)


# -- attacks ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-FIRE-01", "MA-FIRE-02", "MA-RULING-46", "MA-DEC-06")
def test_one_target_several_attackers_in_the_order_named_until_it_is_gone():
    units = [tank(f"a{n}", 5 * n, 5) for n in (1, 2, 3)]
    battle = board(*units, tank("foe", 10, 13, 180, side="b"))  # all within 10 inches
    # a3 fails its test, a1 rolls 4 at +3 (E): a2 rolls nothing and has not fired.
    played = play(fire_step, battle, answers=["foe", ["a3:gun", "a1:gun", "a2:gun"]], dice=[16, 15, 2, 2])
    assert played.said(AttackDeclared) == [AttackDeclared("foe", ("a3", "a1", "a2"))]
    assert [(event.unit, event.passed, event.effect) for event in played.said(Fired)] == [
        ("a3", False, "no_effect"),
        ("a1", True, "elimination"),
    ]
    assert [played.unit(id).attempted_fire for id in ("a3", "a1", "a2")] == [True, True, False]
    assert [played.unit(id).fired for id in ("a3", "a1", "a2")] == [False, True, False]


@pytest.mark.rule("MA-FIRE-10", "MA-CRT-10", "MA-RULING-46")
def test_each_result_counts_for_the_next_attacker():
    battle = board(tank("a1", 5, 5), tank("a2", 15, 5), tank("foe", 10, 13, 180, side="b"))
    # 9 at +3 is (S); 10 is (S) on a suppressed unit: D.
    played = play(fire_step, battle, answers=["foe", ["a1:gun", "a2:gun"]], dice=[2, 5, 4, 2, 5, 5])
    foe = played.unit("foe")
    assert (foe.suppressed, foe.disorganised, foe.alive) == (True, True, True)


@pytest.mark.rule("MA-CRT-09", "MA-CRT-11", "MA-CRT-13")
def test_markers_do_not_add_up_but_d_on_d_eliminates():
    def hit(two, six, **state):
        return one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b", **state), dice=[15, two, six])

    again = hit(5, 6, suppressed=True)  # 11 at +3 is S
    assert again.said(Fired)[0].effect == "suppression" and not again.said(Suppressed)
    assert hit(2, 3).unit("foe").disorganised  # 5 is D
    assert not hit(2, 3, disorganised=True).unit("foe").alive
    assert not hit(4, 5, suppressed=True, disorganised=True).unit("foe").alive  # 9 is (S): D, and so E


@pytest.mark.rule("MA-DEC-06", "MA-SEQ-12", "MA-RULING-51")
def test_a_unit_fires_its_gun_or_its_missile():
    battle = board(carrier("m2", 10, 5), tank("foe", 10, 15, 180, side="b"), infantry("men", 20, 15, side="b"))
    # The gun, AP 5 against 8: -3, just possible. The missile, AP 12: +4, E up to 5.
    played = play(fire_step, battle, answers=["foe", ["m2:atgm"]], dice=[15, 3, 2])
    assert option_ids(played.requests[1]) == ["m2:gun", "m2:atgm"]
    assert not played.unit("foe").alive
    with pytest.raises(RefusedError) as caught:
        play(fire_step, battle, answers=["foe", ["m2:gun", "m2:atgm"]])
    assert caught.value.rule == "MA-SEQ-12"
    at_men = play(fire_step, battle, answers=["men", ["m2:gun"]], dice=[FAIL])
    assert refusal_rule(at_men.requests[1], "m2:atgm") == "MA-RULING-51"


@pytest.mark.rule("MA-DEC-06", "MA-SEQ-12")
def test_an_attack_has_at_least_one_attacker_and_the_usual_one_everybody_once():
    battle = board(carrier("m2", 10, 5), tank("a1", 20, 5), tank("foe", 10, 15, 180, side="b"))
    played = play(fire_step, battle, answers=["foe", DEFAULT], dice=[FAIL, FAIL])
    assert played.said(AttackDeclared) == [AttackDeclared("foe", ("m2", "a1"))]
    with pytest.raises(RefusedError) as caught:
        play(fire_step, battle, answers=["foe", []])
    assert caught.value.rule == "MA-DEC-06"


@pytest.mark.rule("MA-FIRE-03", "MA-TEST-01", "MA-TEST-02", "MA-TEST-03", "MA-TEST-04", "MA-RULING-17")
@pytest.mark.parametrize(
    ("firer", "weapon", "best"),
    [
        (tank("a1", 10, 5), "gun", 15),
        (tank("a1", 10, 5, level=12), "gun", 12),
        (tank("a1", 10, 5, suppressed=True), "gun", 11),
        (tank("a1", 10, 5, disorganised=True), "gun", 12),
        (tank("a1", 10, 5, suppressed=True, disorganised=True), "gun", 8),
        (tank("a1", 10, 5, level=3, suppressed=True, disorganised=True), "gun", 1),  # a 1 always passes
        (tank("a1", 10, 5, level=20), "gun", 19),  # a 20 never does
        (carrier("a1", 10, 5, atgm=Atgm(ap=12, min_range=1, test_modifier=2)), "atgm", 13),
        (carrier("a1", 10, 5, atgm=Atgm(ap=12, min_range=1, test_modifier=2)), "gun", 15),
    ],
)
def test_what_modifies_the_command_test_of_a_shot(firer, weapon, best):
    foe = tank("foe", 10, 15, 180, side="b")
    assert one_shot(firer, foe, weapon=weapon, dice=[best, 6, 6]).said(Fired)[0].passed
    assert not one_shot(firer, foe, weapon=weapon, dice=[best + 1]).said(Fired)[0].passed


@pytest.mark.rule("MA-FIRE-08", "MA-FIRE-09")
def test_a_missile_knows_no_range_but_its_least_one():
    missile = Atgm(ap=11, min_range=3)
    far = one_shot(carrier("m2", 10, 5, atgm=missile), tank("foe", 10, 47, 180, side="b"), weapon="atgm", dice=[15, 2, 2])
    assert not far.unit("foe").alive  # 42 inches: TL3 guns would have +4, so 8: D
    gun_shot = one_shot(tank("a1", 10, 5), tank("foe", 10, 47, 180, side="b"), dice=[15, 2, 2])
    assert (gun_shot.unit("foe").alive, gun_shot.unit("foe").disorganised) == (True, True)
    battle = board(carrier("m2", 10, 5, atgm=missile), tank("foe", 10, 7.9, 180, side="b"), tank("seen", 20, 20, side="b"))
    asked = play(fire_step, battle, answers=["foe", ["m2:gun"]], dice=[FAIL]).requests[1]
    assert refusal_rule(asked, "m2:atgm") == "MA-FIRE-09"


@pytest.mark.rule("MA-FIRE-11", "MA-RULING-16")
def test_a_shot_that_cannot_do_anything_is_not_fired():
    battle = board(truck("a1", 10, 5), tank("a2", 20, 5, ap=None), tank("foe", 10, 15, 180, side="b"), tank("a3", 30, 5))
    asked = play(fire_step, battle, answers=["foe", ["a3:gun"]], dice=[FAIL]).requests[1]
    assert refusal_rule(asked, "a1:gun") == "MA-FIRE-11"  # AP 2 against 8
    assert refusal_rule(asked, "a2:gun") == "MA-RULING-16"  # no AP


@pytest.mark.rule("MA-FIRE-05", "MA-RULING-14", "MA-RULING-13")
def test_the_flank_of_a_tank_is_half_as_strong():
    north = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), dice=[15, 5, 4])
    assert north.unit("foe").alive
    east = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 90, side="b"), dice=[15, 5, 4])
    assert not east.unit("foe").alive


@pytest.mark.rule("MA-FIRE-05", "MA-RULING-15", "MA-MOVE-11")
def test_personnel_in_move_state_is_half_as_strong():
    # HE 6 against 4 is +2: 5 is D; against 2 it is +4: 5 is E.
    still = one_shot(tank("a1", 10, 5), infantry("foe", 10, 15, side="b"), dice=[15, 3, 2])
    assert (still.unit("foe").alive, still.unit("foe").disorganised) == (True, True)
    moving = one_shot(tank("a1", 10, 5), infantry("foe", 10, 15, side="b", moving=True), dice=[15, 3, 2])
    assert not moving.unit("foe").alive
    posture = one_shot(tank("a1", 10, 5), infantry("foe", 10, 15, side="b", tl=1, posture="move"), dice=[15, 3, 2])
    assert not posture.unit("foe").alive


@pytest.mark.rule("MA-RANGE-01", "MA-RANGE-02", "MA-RULING-10")
def test_the_range_is_measured_between_centres_and_rounded_up():
    # TL3: up to 10 inches nothing, from there +1. At +3 a 4 is E, a 5 is D.
    near = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), dice=[15, 2, 2])
    assert not near.unit("foe").alive
    far = one_shot(tank("a1", 10, 5), tank("foe", 10, 15.1, 180, side="b"), dice=[15, 2, 2])
    assert far.unit("foe").disorganised
    assert far.said(Fired)[0].distance == 10.1
    assert [inches(distance) for distance in (10_001.5, 10_003, 9_999.4, 0)] == [10.0, 10.003, 9.999, 0.0]  # a hair over is not more


# -- terrain ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-TERR-01", "MA-TERR-02", "MA-TERR-03")
def test_the_terrain_of_the_target_counts_on_test_and_roll_and_that_of_the_firer_does_not():
    grove = area("grove", 5, 14, 15, 20)
    foe = tank("foe", 10, 15, 180, side="b")
    assert not one_shot(tank("a1", 10, 5), foe, grove, dice=[15]).said(Fired)[0].passed  # +1
    hit = one_shot(tank("a1", 10, 5), foe, grove, dice=[14, 2, 2])
    assert (hit.unit("foe").alive, hit.unit("foe").disorganised) == (True, True)  # 5
    out_of_it = one_shot(tank("a1", 10, 5), foe, area("grove", 5, 0, 15, 6), dice=[15, 2, 2])
    assert not out_of_it.unit("foe").alive
    men = infantry("foe", 10, 15, side="b")
    assert not one_shot(tank("a1", 10, 5), men, grove, dice=[14]).said(Fired)[0].passed  # +2 for personnel
    assert one_shot(tank("a1", 10, 5), men, grove, dice=[13, 6, 6]).said(Fired)[0].passed


@pytest.mark.rule("MA-TERR-01", "MA-TERR-07")
def test_all_the_ground_a_target_is_in_adds_up_each_kind_once():
    ground = (area("grove", 5, 14, 15, 20), area("grove", 5, 14.5, 15, 16, id="grove_2"), area("light_fortification", 8, 14, 12, 16))
    foe = tank("foe", 10, 15, 180, side="b")
    hit = one_shot(tank("a1", 10, 5), foe, *ground, dice=[13, 3, 4])  # +1 and +1: 9 is (S), 8 would be D
    assert (hit.said(Fired)[0].effect, hit.unit("foe").disorganised) == ("suppression", False)
    assert not one_shot(tank("a1", 10, 5), foe, *ground, dice=[14]).said(Fired)[0].passed
    marsh = area("swamp", 5, 14, 15, 20)
    assert one_shot(tank("a1", 10, 5), foe, marsh, dice=[15, 6, 6]).said(Fired)[0].passed
    wading = tank("foe", 10, 15, 180, side="b", moving=True)
    assert not one_shot(tank("a1", 10, 5), wading, marsh, dice=[15]).said(Fired)[0].passed  # +1 in Move State only


@pytest.mark.rule("MA-TERR-04")
def test_a_target_that_fired_shows_itself_but_keeps_its_cover():
    works = area("medium_fortification", 8, 14, 12, 20)
    foe = tank("foe", 10, 15, 180, side="b", fired=True)
    hit = one_shot(tank("a1", 10, 5), foe, works, dice=[15, 2, 2])  # no +2 on the test; 6 on the roll
    assert (hit.said(Fired)[0].passed, hit.unit("foe").disorganised) == (True, True)


@pytest.mark.rule("MA-TERR-04")
def test_firing_makes_a_unit_show_itself_till_the_end_of_the_turn():
    works = area("medium_fortification", 8, 14, 12, 20)
    battle = board(works, tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), first="b", active="b")
    fired = play(fire_step, battle, answers=["a1", ["foe:gun"]], dice=[15, 6, 6])
    assert fired.unit("foe").fired
    answered = play(fire_step, fired.battle, answers=["foe", ["a1:gun"]], dice=[15 - 4, 2, 2])  # a1 is suppressed by the 12
    assert answered.said(Fired)[0].passed


@pytest.mark.rule("MA-TERR-04")
def test_only_a_shot_shows_a_unit_and_a_later_failure_does_not_hide_it_again():
    def shoots(die, **state):
        battle = board(tank("a1", 10, 5, **state), tank("foe", 10, 15, 180, side="b"))
        return play(attack, battle, "foe", (("a1", "gun"),), dice=die).unit("a1")

    assert not shoots([FAIL]).fired  # it tried, and did not fire
    assert shoots([FAIL], fired=True).fired  # it had in the phase before


@pytest.mark.rule("MA-TERR-08")
def test_wire_and_mines_make_a_target_easier_to_hit():
    foe = tank("foe", 10, 15, 180, side="b")
    wire = one_shot(tank("a1", 10, 5), foe, area("wire", 8, 14, 12, 16), dice=[16, 3, 2])  # 15 and 4
    assert not wire.unit("foe").alive
    mines = one_shot(tank("a1", 10, 5), foe, area("minefield", 8, 14, 12, 16), dice=[17, 3, 3])  # 15 and 4
    assert not mines.unit("foe").alive


@pytest.mark.rule("MA-TERR-03", "MA-RULING-32")
def test_smoke_counts_into_it_and_out_of_it():
    battle = board(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), smoke=[(10, 5), (10, 15)])
    assert not play(attack, battle, "foe", (("a1", "gun"),), dice=[10]).said(Fired)[0].passed  # 10 + 3 + 3
    hit = play(attack, battle, "foe", (("a1", "gun"),), dice=[9, 2, 2])  # 4 + 6 is 10: (S)
    assert (hit.unit("foe").suppressed, hit.unit("foe").disorganised) == (True, False)


@pytest.mark.rule("MA-TERR-03", "MA-RULING-32", "MA-RULING-36")
def test_what_flies_is_in_no_smoke_whether_it_fires_or_is_fired_at():
    smoky = {"smoke": [(10, 5)]}
    out_of_it = one_shot(helicopter("h", 10, 5), tank("foe", 10, 7, 90, side="b"), dice=[15, 6, 6], **smoky)
    assert out_of_it.said(Fired)[0].passed
    at_it = one_shot(tank("a1", 10, 7), helicopter("foe", 10, 5.5, side="b"), dice=[15, 6, 6], **smoky)
    assert at_it.said(Fired)[0].passed


@pytest.mark.rule("MA-TERR-05", "MA-RULING-33")
def test_a_unit_that_uses_the_road_rate_has_no_cover():
    wood, road = area("forest", 5, 14, 15, 20), line("good_road", (10, 0), (10, 40))
    hit = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b", road="good_road"), wood, road, dice=[15, 2, 2])
    assert not hit.unit("foe").alive


@pytest.mark.rule("MA-TERR-06")
def test_fire_over_a_crest_is_harder():
    crest = line("crest", (0, 14), (30, 14))
    hit = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), crest, dice=[13, 2, 2])  # +2, +2: 6 is D
    assert (hit.said(Fired)[0].passed, hit.unit("foe").disorganised) == (True, True)
    assert not one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), crest, dice=[14]).said(Fired)[0].passed


@pytest.mark.rule("MA-TERR-09", "MA-RULING-37")
def test_a_vehicle_leaves_a_wreck_that_gives_cover_and_troops_leave_none():
    lost = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 90, side="b"), dice=[15, 1, 1])
    (wreck,) = lost.battle.wrecks
    assert lost.said(Eliminated) == [Eliminated("foe", wreck=True)]
    assert (wreck.kind, wreck.box) == ("wreck", (9500, 14500, 10500, 15500))  # an inch across
    assert terrain_at(lost.battle, (10_300, 15_300)) == ("wreck",) and terrain_at(lost.battle, (10_400, 15_400)) == ()  # it is round
    behind = one_shot(tank("a1", 10, 5), tank("foe", 10, 15, 180, side="b"), wrecks=[(10, 15)], dice=[14, 2, 2])
    assert behind.unit("foe").disorganised  # 4 + 1
    assert one_shot(tank("a1", 10, 5), truck("foe", 10, 15, side="b"), dice=[15, 1, 1]).battle.wrecks
    for target in (infantry("foe", 10, 15, side="b"), helicopter("foe", 10, 15, side="b", defence=1)):
        gone = one_shot(tank("a1", 10, 5), target, dice=[15, 1, 1])
        assert not gone.unit("foe").alive and not gone.battle.wrecks


@pytest.mark.rule("MA-RULING-38")
def test_passengers_neither_fire_nor_are_fired_at_and_die_with_their_carrier():
    battle = board(tank("a1", 10, 5), carrier("m2", 10, 15, 90, side="b"), infantry("men", side="b", carried_by="m2"))
    played = play(fire_step, battle, answers=["m2", ["a1:gun"]], dice=[15, 1, 1])
    assert option_ids(played.requests[0]) == ["m2", "pass"]
    assert played.said(Eliminated) == [Eliminated("men"), Eliminated("m2", wreck=True)]
    assert fire_refusal(battle, battle.units["men"]).rule == "MA-RULING-38"
    assert played.battle.losses("b") == 2


@pytest.mark.rule("MA-RULING-45", "MA-CRT-06")
def test_support_recon_and_type_s_are_marks_of_the_profile():
    # 12 + 1 at +3 is the weak S, which a TL2 unit cannot use unless it is support.
    works, foe = area("light_fortification", 5, 12, 15, 20), tank("foe", 10, 13, 180, side="b")
    plain = one_shot(tank("a1", 10, 5, tl=2), foe, works, dice=[14, 6, 6])
    assert (plain.said(Fired)[0].passed, plain.unit("foe").suppressed) == (True, False)
    assert one_shot(tank("a1", 10, 5, tl=2, support=True), foe, works, dice=[14, 6, 6]).unit("foe").suppressed
    profile = infantry("s", type_s=True, recon=True).profile
    assert (profile.type_s, profile.recon, profile.support) == (True, True, False)


@pytest.mark.rule("MA-RULING-50")
def test_artillery_takes_no_part_in_standard_or_reaction_fire():
    battle = board(gun("g", 10, 5), tank("a1", 20, 5), tank("foe", 10, 15, 180, side="b"))
    assert fire_refusal(battle, battle.units["g"]).rule == "MA-RULING-50"
    moving = board(gun("g", 10, 5, side="b"), tank("foe", 10, 15, 180), phase="movement")
    assert reactions(moving, moving.units["foe"]) == []


@pytest.mark.rule("MA-RULING-34", "MA-CRT-07", "MA-CRT-08")
def test_an_anti_aircraft_unit_may_use_its_own_procedure_against_helicopters():
    battle = board(flak("zsu", 10, 5), tank("a1", 20, 5), helicopter("mi24", 10, 15, side="b"))
    # AA: HE 8 against 6, TL3 against TL3: +2. Range 10 is 0. 9 is (S).
    played = play(fire_step, battle, answers=["mi24", ["zsu:aa"]], dice=[15, 5, 4])
    assert option_ids(played.requests[1]) == ["zsu:gun", "zsu:aa", "a1:gun"]
    assert played.unit("mi24").suppressed
    assert played.unit("zsu").attempted_this_phase
    weak = play(fire_step, battle, answers=["mi24", ["zsu:gun", "a1:gun"]], dice=[15, 6, 6, 15, 6, 6])  # +2 and 0: both weak S
    assert not weak.unit("mi24").suppressed


@pytest.mark.rule("MA-RULING-34")
def test_the_anti_aircraft_procedure_is_for_helicopters_in_range_and_for_anti_aircraft_units():
    foes = [helicopter("mi24", 10, 26, side="b"), tank("foe", 20, 15, 180, side="b")]
    battle = board(flak("zsu", 10, 5, ap=8), tank("a1", 20, 5), *foes)
    at_mi24 = play(fire_step, battle, answers=["mi24", ["a1:gun"]], dice=[FAIL]).requests[1]
    assert option_ids(at_mi24) == ["a1:gun"]
    assert refusal_rule(at_mi24, "zsu:aa") == "MA-RULING-34"  # 21 inches are too far for its 20
    assert option_ids(play(fire_step, battle, answers=["foe", ["a1:gun"]], dice=[FAIL]).requests[1]) == ["zsu:gun", "a1:gun"]


# -- reaction fire ----------------------------------------------------------------------------------------------------------


def watched(*watchers, orders=None, **more):
    """Side a's tank is about to drive north along x = 20."""
    return board(tank("mover", 20, 5), *watchers, phase="movement", orders=orders or {"a": 1, "b": 0}, **more)


DRIVE = ["mover", go((20, 10))]


@pytest.mark.rule("MA-REACT-01", "MA-RULING-22", "MA-DEC-10")
def test_a_move_may_be_interrupted_at_every_inch():
    battle = watched(tank("b1", 30, 8, 270, side="b"))
    played = play(movement_step, battle, answers=[*DRIVE, "wait", "wait", "b1:gun"], dice=[15, 15, 5, 5])
    asked = played.asked("MA-DEC-10")
    assert {request.player for request in asked} == {"b"}
    assert option_ids(asked[0]) == ["b1:gun", "wait", "let"]
    # It was shot at after two inches, 10.05 away: range 11 is +1. In the flank +7: 10 + 1 is D, and it goes on.
    (fired,) = played.said(Fired)
    assert (fired.unit, fired.target, fired.effect) == ("b1", "mover", "disorganisation")
    assert round(fired.distance, 2) == 10.05
    assert at(played.battle, "mover") == (20, 10)
    assert len(asked) == 3  # b1 has fired: nobody is left to ask
    assert played.unit("mover").spent == 5000


@pytest.mark.rule("MA-RULING-22", "MA-MOVE-11")
def test_a_mover_that_is_eliminated_ends_its_move_there():
    battle = watched(tank("b1", 30, 8, 270, side="b"))
    played = play(movement_step, battle, answers=[*DRIVE, "wait", "b1:gun"], dice=[15, 15, 1, 1])
    assert not played.unit("mover").alive
    assert played.said(Moved)[-1].path[-1] == grid((20, 6))[0]
    assert played.battle.wrecks[0].box == (19500, 5500, 20500, 6500)


@pytest.mark.rule("MA-RULING-22")
def test_a_reacting_unit_sees_a_mover_in_move_state():
    battle = board(infantry("mover", 20, 5), tank("b1", 20, 15, 180, side="b"), phase="movement", orders={"a": 1, "b": 0})
    # HE 6 against half of 4: +4, 5 is E (against 4 it would be D).
    played = play(movement_step, battle, answers=["mover", go((20, 6)), "b1:gun"], dice=[15, 15, 3, 2])
    assert not played.unit("mover").alive


@pytest.mark.rule("MA-RULING-22")
def test_a_shot_that_only_its_move_makes_possible_is_offered():
    mover = infantry("mover", 20, 5, defence=8)
    battle = board(mover, tank("b1", 20, 15, 180, side="b", he=2), phase="movement", orders={"a": 1, "b": 0})
    # HE 2 against 8 is -6, against half of it -2.
    played = play(movement_step, battle, answers=["mover", go((20, 6)), "let"], dice=[15])
    assert "b1:gun" in option_ids(played.asked("MA-DEC-10")[0])


@pytest.mark.rule("MA-RULING-22")
def test_who_fired_in_the_second_fire_phase_does_not_react():
    unarmed = tank("mover", 20, 5, ap=None, he=None)
    battle = board(unarmed, tank("b1", 20, 15, 180, side="b"), phase="fire_second", active="b")
    played = play_on(battle, until="movement", answers=["mover", ["b1:gun"]], dice=[FAIL])
    assert fire_refusal(played.battle, played.unit("b1")).rule == "MA-RULING-22"


@pytest.mark.rule("MA-RULING-22", "MA-SEQ-12")
def test_each_unit_reacts_once_a_turn():
    battle = board(tank("m1", 20, 5), tank("m2", 30, 5), tank("b1", 25, 15, 180, side="b"), phase="movement", orders={"a": 2, "b": 0})
    played = play_on(battle, steps=3, answers=["m1", go((20, 6)), "b1:gun", "m2", go((30, 6))], dice=[15, FAIL, 15])
    assert len(played.said(Fired)) == 1  # the failed test was its fire


@pytest.mark.rule("MA-RULING-22")
@pytest.mark.parametrize(
    ("state", "rule"),
    [
        ({"attempted_second": True, "attempted_fire": True}, "MA-RULING-22"),
        ({"moving": True}, "MA-RULING-22"),
        ({"attempted_this_phase": True}, "MA-SEQ-12"),
        ({"tl": 1, "posture": "move"}, "MA-SEQ-09"),
        ({"artillery": "gun"}, "MA-RULING-50"),
    ],
)
def test_who_may_not_react(state, rule):
    battle = watched(tank("b1", 20, 15, 180, side="b", **state))
    assert fire_refusal(battle, battle.units["b1"]).rule == rule
    assert not play(movement_step, battle, answers=DRIVE, dice=[15]).asked("MA-DEC-10")


@pytest.mark.rule("MA-RULING-22")
def test_a_unit_that_fired_in_the_first_fire_phase_may_react():
    battle = board(tank("mover", 20, 5), tank("b1", 20, 15, 180, side="b", tl=4), phase="fire_first", active="b")
    fired = play_on(battle, until="movement", answers=["mover", ["b1:gun"], "a", "pass", "pass"], dice=[FAIL])
    moving = watched(fired.unit("b1"))
    assert len(play(movement_step, moving, answers=[*DRIVE, "let"], dice=[15]).asked("MA-DEC-10")) == 1


@pytest.mark.rule("MA-RULING-22", "MA-TERR-05", "MA-RULING-33")
def test_a_mover_at_the_road_rate_has_no_cover_on_its_way_either():
    things = (area("medium_fortification", 5, 7, 35, 20), line("good_road", (20, 0), (20, 40)), tank("b1", 20, 17, 180, side="b"))
    answers = [*DRIVE, "road", "wait", "wait", "b1:gun"]
    caught = play(movement_step, watched(*things), answers=answers, dice=[15, 15, 2, 2])  # at y = 7, ten inches away: 4 is E
    assert not caught.unit("mover").alive
    answers[2] = "ground"
    covered = play(movement_step, watched(*things), answers=answers, dice=[15, 14])  # +2 on the test
    assert not covered.said(Fired)[0].passed


@pytest.mark.rule("MA-RULING-22", "MA-FIRE-01")
def test_reaction_fire_needs_sight_where_the_mover_is():
    wood = area("forest", 0, 12, 40, 14)
    battle = board(wood, tank("mover", 20, 5), tank("b1", 20, 20, 180, side="b"), phase="movement", orders={"a": 1, "b": 0})
    # Up to an inch into the trees it can be seen: at 13 the line runs through one inch of them. Nine inches at 1 and 2.5 at 3 points.
    played = play(movement_step, battle, answers=["mover", go((20, 13)), "b1:gun"], dice=[15, FAIL])
    assert [(event.path[-1][1]) for event in played.said(Moved)] == [13_000]
    assert len(played.asked("MA-DEC-10")) == 1


@pytest.mark.rule("MA-RULING-22")
def test_several_units_react_one_by_one_each_in_an_attack_of_its_own():
    battle = watched(tank("b1", 30, 8, 270, side="b"), tank("b2", 30, 9, 270, side="b"))
    played = play(movement_step, battle, answers=[*DRIVE, "b2:gun", "b1:gun"], dice=[15, FAIL, FAIL])
    assert [event.attackers for event in played.said(AttackDeclared)] == [("b2",), ("b1",)]


@pytest.mark.rule("MA-DEC-10")
def test_letting_a_unit_go_ends_the_questions_about_it():
    battle = watched(tank("b1", 30, 8, 270, side="b"))
    played = play(movement_step, battle, answers=[*DRIVE, "wait", "let"], dice=[15])
    assert len(played.asked("MA-DEC-10")) == 2
    assert at(played.battle, "mover") == (20, 10)
    last = play(movement_step, battle, answers=[*DRIVE, *["wait"] * 5, "let"], dice=[15]).requests[-1]
    assert option_ids(last) == ["b1:gun", "let"]  # where the move ends there is nothing to wait for


@pytest.mark.rule("MA-RULING-22", "MA-RULING-14")
def test_at_a_bend_a_mover_looks_the_way_that_it_goes_on():
    battle = watched(tank("b1", 30, 6, 270, side="b"))
    played = play(movement_step, battle, answers=["mover", go((20, 6), (23, 6)), "wait", "b1:gun"], dice=[15, 15, 2, 3])
    assert played.unit("mover").disorganised  # ten inches in front of it: 5 is D; in its flank it would be E


@pytest.mark.rule("MA-RULING-22", "MA-DEC-10")
def test_a_path_a_hair_longer_than_whole_inches_has_one_last_point():
    battle = watched(tank("b1", 30, 8, 270, side="b"))
    # 0.06 and 5 make 5.0004 inches: the sixth point is the end, where there is nothing to wait for and the final facing counts.
    played = play(movement_step, battle, answers=["mover", go((20.06, 10), facing=90), *["wait"] * 5, "b1:gun"], dice=[15, 15, 2, 2])
    assert option_ids(played.requests[-1]) == ["b1:gun", "let"]
    assert played.unit("mover").disorganised  # front: +3, and 4 + 1 for 11 inches is D; into the flank it would be E
    assert played.unit("mover").spent == 5000


@pytest.mark.rule("MA-RULING-22", "MA-SEQ-10")
def test_reaction_fire_counts_as_fire_for_those_who_move_later():
    battle = watched(tank("b1", 30, 8, 270, side="b", tl=2), orders={"a": 1, "b": 1})
    played = play(movement_step, battle, answers=[*DRIVE, "b1:gun"], dice=[15, FAIL])
    with pytest.raises(RefusedError) as caught:
        play(movement_step, played.battle, answers=["b1", go((30, 14.5))], dice=[10])
    assert caught.value.rule == "MA-MOVE-06"


@pytest.mark.rule("MA-RULING-34", "MA-RULING-36")
def test_an_anti_aircraft_unit_may_react_to_a_helicopter():
    battle = board(helicopter("mi24", 20, 5), flak("zsu", 20, 20, 180, side="b"), phase="movement", orders={"a": 1, "b": 0})
    played = play(movement_step, battle, answers=["mi24", go((20, 6)), "zsu:aa"], dice=[15, 14, 1, 1])  # 15 inches: +1 on the test
    assert option_ids(played.asked("MA-DEC-10")[0]) == ["zsu:gun", "zsu:aa", "wait", "let"]
    assert not played.unit("mi24").alive
