"""Artillery on the map: direct fire, missions revealed, deviation, markers that hit friend and enemy, smoke.

A gun has AP 4 and HE 7. A tank defends with half of 8: 0, so D up to 4, (S) up to 6, S above. Infantry with 4: +3, E up to 4,
D up to 8, (S) up to 10. A mortar has HE 6: +2 against infantry, +3 against another mortar.
"""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.artillery import (
    Bombarded,
    MarkerLaid,
    MissionFailed,
    MissionRevealed,
    ShellFell,
    SmokeLaid,
    batteries,
)
from sandtable.games.micro_armour.battle import Eliminated, Mission, Plans
from sandtable.games.micro_armour.invariants import broken_invariants
from sandtable.games.micro_armour.sequence import artillery_air_step, fire_step
from sandtable.kernel.errors import RefusedError

from .boards import area, board, gun, helicopter, infantry, line, mortar, option_ids, play, play_on, put, refusal_rule, tank

FAIL = 20


def shelling(*things, **more):
    return board(*things, phase="artillery_air", out=("b",), **more)


def mission(*units, aim=(20, 30), sheaf=((0, 0), (1, 0), (-1, 0)), smoke=False):
    """A written mission, as the secret of side a."""
    offsets = tuple((round(x * 1000), round(y * 1000)) for x, y in sheaf[: len(units)])
    written = Mission("mission_1", units, (round(aim[0] * 1000), round(aim[1] * 1000)), offsets, smoke)
    return {"a": Plans(missions=(written,))}


# -- direct fire ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-ART-01", "MA-ART-02", "MA-ART-06", "MA-ART-07", "MA-ART-08", "MA-DEC-04")
def test_direct_fire_tests_and_strikes_without_facing_or_range():
    battle = shelling(gun("g", 10, 5), tank("foe", 10, 45, 180, side="b"), infantry("men", 20, 20, side="b"))
    played = play(artillery_air_step, battle, answers=["direct:foe", ["g"]], dice=[15, 2, 2])
    assert option_ids(played.requests[0]) == ["direct:foe", "direct:men", "smoke:g", "pass"]
    assert played.said(Bombarded) == [Bombarded("g", True, "foe", effect="disorganisation")]
    assert played.unit("foe").disorganised
    assert (played.unit("g").fired, played.unit("g").attempted_fire) == (True, True)
    men = play(artillery_air_step, battle, answers=["direct:men", ["g"]], dice=[15, 2, 2])
    assert not men.unit("men").alive


@pytest.mark.rule("MA-ART-02", "MA-TEST-05")
def test_a_failed_test_is_no_fire_but_an_attempt():
    battle = shelling(gun("g", 10, 5), tank("foe", 10, 25, side="b"))
    played = play(artillery_air_step, battle, answers=["direct:foe", ["g"]], dice=[16])
    assert played.said(Bombarded) == [Bombarded("g", False, "foe")]
    assert not played.said(MarkerLaid)
    assert (played.unit("g").attempted_fire, played.unit("g").fired) == (True, False)
    assert batteries(played.battle, "a") == []


@pytest.mark.rule("MA-RULING-16", "MA-ART-06")
def test_a_battery_without_the_factor_for_a_target_does_not_fire_at_it():
    guns = (gun("g", 10, 5), gun("no_ap", 15, 5, ap=None), gun("no_he", 20, 5, he=None))
    battle = shelling(*guns, tank("foe", 10, 25, side="b"), infantry("men", 20, 25, side="b"))
    for target, idle in (("foe", "no_ap"), ("men", "no_he")):
        asked = play(artillery_air_step, battle, answers=[f"direct:{target}", ["g"]], dice=[FAIL]).requests[1]
        assert option_ids(asked, possible=False) == [idle]
        assert refusal_rule(asked, idle) == "MA-RULING-16"


@pytest.mark.rule("MA-ART-02", "MA-ART-04", "MA-RULING-19", "MA-RULING-21", "MA-TEST-03")
@pytest.mark.parametrize(
    ("state", "best"),
    [({"suppressed": True}, 11), ({"disorganised": True}, 12), ({"suppressed": True, "disorganised": True}, 8), ({"level": 9}, 9)],
)
def test_the_markers_and_the_level_of_a_battery_count_on_each_of_its_tests(state, best):
    def passed(battle, answers, dice):
        return [event.passed for event in play(artillery_air_step, battle, answers=answers, dice=dice).said(Bombarded)]

    hurt, foe = gun("g", 5, 5, **state), tank("foe", 20, 30, side="b")
    direct, placed = shelling(hurt, foe), shelling(hurt, plans=mission("g"))
    assert passed(direct, ["direct:foe", ["g"]], [best, 6, 6]) == [True]
    assert passed(direct, ["direct:foe", ["g"]], [best + 1]) == [False]
    assert passed(shelling(hurt, foe, plans=mission("g")), ["mission_1"], [best, best, 6, 6]) == [True]
    assert passed(placed, ["mission_1"], [best + 1]) == [False]
    # The Deviation Test, too: one more strays north (1) by an inch (2).
    for die, place in ((best, 30_000), (best + 1, 31_000)):
        played = play(artillery_air_step, placed, answers=["mission_1"], dice=[best, die, *([1, 2] if die > best else [])])
        assert played.said(MarkerLaid) == [MarkerLaid("g", 20_000, place)]
    # Behind a sound lead it has its own markers, too; its shells fall five inches away from the target.
    second = shelling(gun("lead", 8, 5), hurt, foe, plans=mission("lead", "g", sheaf=((0, 0), (5, 0))))
    assert passed(second, ["mission_1"], [15, 15, 6, 6, best]) == [True, True]
    assert passed(second, ["mission_1"], [15, 15, 6, 6, best + 1]) == [True, False]


@pytest.mark.rule("MA-ART-02", "MA-LOS-04", "MA-RULING-36")
def test_direct_fire_needs_sight_and_a_target_on_the_ground():
    wood = area("forest", 0, 15, 15, 16)
    battle = shelling(wood, gun("g", 10, 5), gun("g2", 30, 5), tank("foe", 10, 25, side="b"), helicopter("h", 30, 25, side="b"))
    played = play(artillery_air_step, battle, answers=["direct:foe", ["g2"]], dice=[FAIL])
    assert option_ids(played.requests[0]) == ["direct:foe", "smoke:g", "smoke:g2", "pass"]
    assert refusal_rule(played.requests[1], "g") == "MA-LOS-04"


@pytest.mark.rule("MA-TERR-01", "MA-ART-08")
def test_the_ground_of_the_target_counts_for_shells():
    battle = shelling(area("grove", 5, 24, 15, 30), gun("g", 10, 5), infantry("men", 10, 25, side="b"))
    assert not play(artillery_air_step, battle, answers=["direct:men", ["g"]], dice=[14]).said(Bombarded)[0].passed  # +2
    hit = play(artillery_air_step, battle, answers=["direct:men", ["g"]], dice=[13, 2, 2])  # 6 at +3
    assert hit.unit("men").disorganised


@pytest.mark.rule("MA-RULING-21")
def test_the_marker_hits_friend_and_enemy_within_an_inch():
    things = [tank("foe", 10, 25, side="b"), tank("near", 11, 25, side="b"), infantry("ours", 10, 24), tank("beyond", 8.9, 25, side="b")]
    battle = shelling(gun("g", 10, 5), *things, helicopter("over", 10.5, 25.5, side="b"))
    played = play(artillery_air_step, battle, answers=["direct:foe", ["g"]], dice=[15, 6, 6, 2, 2, 5, 4])
    assert [(event.target, event.effect) for event in played.said(ShellFell)] == [("near", "disorganisation"), ("ours", "suppression")]
    assert played.said(MarkerLaid) == [MarkerLaid("g", 10_000, 25_000)]


@pytest.mark.rule("MA-CRT-10", "MA-CRT-11", "MA-ART-08", "MA-RULING-21")
@pytest.mark.parametrize(
    ("state", "dice", "effect"), [({"suppressed": True}, [3, 3], "disorganisation"), ({"disorganised": True}, [2, 2], "elimination")]
)
def test_shells_on_targets_that_have_markers(state, dice, effect):
    """At 0 a 6 is (S), which is D for whoever has S; a 4 is D, which is E for whoever has D."""
    things = (gun("g", 10, 5), tank("foe", 10, 25, side="b", **state), tank("near", 11, 25, side="b", **state))
    played = play(artillery_air_step, shelling(*things), answers=["direct:foe", ["g"]], dice=[15, *dice, *dice])
    assert played.said(Bombarded)[0].effect == effect
    assert played.said(ShellFell) == [ShellFell("g", "near", effect)]


@pytest.mark.rule("MA-ART-07", "MA-TERR-04")
def test_shells_on_moving_men_and_on_men_who_have_fired():
    moving = shelling(gun("g", 10, 5), infantry("men", 10, 25, side="b", tl=1, posture="move"))
    # HE 7 against half of 4: +5, and 7 is E; against 4 it would be D.
    assert not play(artillery_air_step, moving, answers=["direct:men", ["g"]], dice=[15, 4, 3]).unit("men").alive
    grove = area("grove", 5, 24, 15, 30)
    seen = shelling(grove, gun("g", 10, 5), infantry("men", 10, 25, side="b", fired=True))
    # No +2 on the test; but still on the roll: 2 + 4 is 6 at +3, D.
    assert play(artillery_air_step, seen, answers=["direct:men", ["g"]], dice=[15, 2, 2]).unit("men").disorganised


@pytest.mark.rule("MA-ART-03", "MA-ART-05", "MA-RULING-20", "MA-RULING-21")
def test_each_mortar_deviates_for_itself():
    units = [mortar("m1", 5, 5), mortar("m2", 15, 5)]
    battle = shelling(*units, infantry("foe", 10, 25, side="b"), infantry("east", 12, 25, side="b"))
    # m1 strays: 3 is east, 4 halved is 2 inches, onto `east`: 8 at +2 is (S). m2 does not: 3 is E.
    played = play(artillery_air_step, battle, answers=["direct:foe", ["m1", "m2"]], dice=[15, 16, 3, 4, 4, 4, 15, 15, 2, 1])
    assert played.said(Bombarded) == [Bombarded("m1", True, "foe", "e", 2.0), Bombarded("m2", True, "foe", effect="elimination")]
    assert played.said(ShellFell) == [ShellFell("m1", "east", "suppression")]


@pytest.mark.rule("MA-ART-03", "MA-RULING-21")
def test_shells_that_stray_by_half_an_inch_still_hit_the_target():
    things = (mortar("m", 5, 5), infantry("foe", 20, 30, side="b"))
    # North (1) by half an inch (1). 12 at +2 is the weak S, which is S for shells.
    direct = play(artillery_air_step, shelling(*things), answers=["direct:foe", ["m"]], dice=[15, 16, 1, 1, 6, 6])
    assert direct.said(ShellFell) == [ShellFell("m", "foe", "suppression")]
    written = shelling(*things, plans=mission("m"))
    indirect = play(artillery_air_step, written, answers=["mission_1"], dice=[15, 16, 1, 1, 6, 6])
    assert indirect.said(ShellFell) == [ShellFell("m", "foe", "suppression")]


@pytest.mark.rule("MA-RULING-21")
def test_a_marker_hits_the_nearest_first():
    things = (tank("far", 20, 32.9, side="b"), tank("close", 20, 31.5, side="b"))
    battle = shelling(gun("g", 5, 5), *things, plans=mission("g"))
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 16, 1, 4, 1, 1, 6, 6])  # two inches north
    assert played.said(ShellFell) == [ShellFell("g", "close", "disorganisation"), ShellFell("g", "far", "suppression")]


@pytest.mark.rule("MA-ART-02", "MA-ART-04")
def test_whoever_fires_throws_all_the_dice_of_it():
    things = (mortar("m1", 5, 5), mortar("m2", 8, 5), infantry("foe", 20, 30, side="b"), infantry("near", 21, 30, side="b"))
    direct = play(
        artillery_air_step, shelling(*things), answers=["direct:foe", ["m1", "m2"]], dice=[15, 15, *[6] * 4, 15, 16, 3, 2, *[6] * 4]
    )
    indirect = play(
        artillery_air_step, shelling(*things, plans=mission("m1", "m2")), answers=["mission_1"], dice=[15, 15, 6, 6, 15, *[6] * 6]
    )
    assert {player for played in (direct, indirect) for player, _ in played.table.thrown} == {"a"}


@pytest.mark.rule("MA-RULING-46", "MA-RULING-21")
def test_once_the_target_is_gone_the_other_guns_do_not_fire():
    battle = shelling(gun("g1", 5, 5), gun("g2", 15, 5), infantry("foe", 10, 25, side="b"))
    played = play(artillery_air_step, battle, answers=["direct:foe", ["g1", "g2"]], dice=[15, 1, 1])
    assert [event.unit for event in played.said(Bombarded)] == ["g1"]
    assert not played.unit("g2").attempted_fire


@pytest.mark.rule("MA-RULING-21")
def test_mortars_that_hit_themselves():
    battle = shelling(mortar("m1", 10, 5), mortar("m2", 11, 5), infantry("foe", 10, 9, side="b"), smoke=[(30, 30)])
    # m1 strays south (5) by 4 inches (8), onto itself and m2: both at +3, both E. m2 never fires.
    played = play(artillery_air_step, battle, answers=["direct:foe", ["m1", "m2"]], dice=[15, 16, 5, 8, 1, 1, 1, 1])
    assert [event.unit for event in played.said(Eliminated)] == ["m1", "m2"]
    assert [event.unit for event in played.said(Bombarded)] == ["m1"]
    assert not broken_invariants(played.battle)


@pytest.mark.rule("MA-SEQ-08")
def test_artillery_that_moved_does_not_fire():
    battle = shelling(gun("g", 10, 5, moving=True), gun("g2", 30, 5), tank("foe", 10, 25, side="b"))
    assert [unit.id for unit in batteries(battle, "a")] == ["g2"]


# -- missions ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-ART-04", "MA-PLAN-01", "MA-PLAN-02", "MA-RULING-21")
def test_a_mission_is_revealed_and_fired_in_the_next_artillery_phase():
    units = [gun("g1", 5, 5), gun("g2", 8, 5), infantry("ours", 21.5, 30)]
    wood = area("forest", 0, 10, 48, 20)  # nobody sees the target now: it need not be seen
    battle = shelling(wood, *units, tank("foe", 20, 30, side="b"), plans=mission("g1", "g2"))
    # g1 leads: test, deviation test, 4 on the target: D. g2 tests; its marker, an inch east, hits our men (9: (S)), then the tank (6: (S)).
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 15, 2, 2, 15, 5, 4, 3, 3])
    (revealed,) = played.said(MissionRevealed)
    assert type(revealed).reveals and revealed.mission.units == ("g1", "g2")
    assert played.said(Bombarded) == [Bombarded("g1", True, "foe", effect="disorganisation"), Bombarded("g2", True)]
    assert played.said(MarkerLaid) == [MarkerLaid("g1", 20_000, 30_000), MarkerLaid("g2", 21_000, 30_000)]
    assert [(event.unit, event.target) for event in played.said(ShellFell)] == [("g2", "ours"), ("g2", "foe")]
    assert (played.unit("foe").suppressed, played.unit("foe").disorganised, played.unit("ours").suppressed) == (True, True, True)
    assert not played.battle.plans("a")


@pytest.mark.rule("MA-ART-05", "MA-RULING-20", "MA-RULING-21")
def test_one_deviation_shifts_all_markers_and_keeps_the_pattern():
    battle = shelling(gun("g1", 5, 5), gun("g2", 8, 5), gun("g3", 11, 5), tank("foe", 20, 30, side="b"), plans=mission("g1", "g2", "g3"))
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 16, 7, 5, 15, 15])  # west, 2.5 inches
    assert played.said(Bombarded)[0] == Bombarded("g1", True, "foe", "w", 2.5)
    places = [(event.unit, event.x, event.y) for event in played.said(MarkerLaid)]
    assert places == [("g1", 17_500, 30_000), ("g2", 18_500, 30_000), ("g3", 16_500, 30_000)]
    assert not played.said(ShellFell)


@pytest.mark.rule("MA-RULING-21")
def test_the_first_unit_that_passes_leads_and_has_the_marker_on_the_aim_point():
    battle = shelling(gun("g1", 5, 5), gun("g2", 8, 5), tank("foe", 20, 30, side="b"), plans=mission("g1", "g2"))
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[16, 15, 15, 2, 2])
    assert played.said(MarkerLaid) == [MarkerLaid("g2", 20_000, 30_000)]
    assert played.unit("foe").disorganised
    failed = play(artillery_air_step, battle, answers=["mission_1"], dice=[16, 16])
    assert failed.said(MissionFailed) == [MissionFailed("a", "mission_1")]
    assert not failed.said(MarkerLaid)


@pytest.mark.rule("MA-RULING-21", "MA-AIR-06")
def test_the_named_target_is_whoever_is_nearest_to_the_aim_point_now():
    """Friend or enemy, within an inch; of two that are equally near a die picks one."""
    far = shelling(gun("g", 5, 5), tank("foe", 20, 31.1, side="b"), plans=mission("g"))
    # No target: the test is at the terrain of the aim point; test and deviation test are passed, nobody is under the marker.
    assert not play(artillery_air_step, far, answers=["mission_1"], dice=[15, 15]).said(ShellFell)
    near = shelling(gun("g", 5, 5), tank("foe", 20, 30.9, side="b"), tank("ours", 20, 29.5), plans=mission("g"))
    assert play(artillery_air_step, near, answers=["mission_1"], dice=[FAIL]).said(Bombarded)[0].target == "ours"
    tie = shelling(gun("g", 5, 5), tank("foe", 20, 30.5, side="b"), tank("ours", 20, 29.5), plans=mission("g"))
    assert play(artillery_air_step, tie, answers=["mission_1"], dice=[1, FAIL]).said(Bombarded)[0].target == "foe"
    assert play(artillery_air_step, tie, answers=["mission_1"], dice=[2, FAIL]).said(Bombarded)[0].target == "ours"


@pytest.mark.rule("MA-RULING-21", "MA-RULING-18", "MA-ART-04")
def test_the_test_of_a_mission_counts_terrain_and_tech_level():
    wood = area("forest", 15, 28, 25, 35)
    empty = shelling(wood, gun("g", 5, 5), plans=mission("g"))  # the aim point as for anything but personnel: +2
    assert play(artillery_air_step, empty, answers=["mission_1"], dice=[13, 15]).said(Bombarded)[0].passed
    assert not play(artillery_air_step, empty, answers=["mission_1"], dice=[14]).said(Bombarded)[0].passed
    men = shelling(wood, gun("g", 5, 5), infantry("foe", 20, 30, side="b"), plans=mission("g"))  # +4
    assert play(artillery_air_step, men, answers=["mission_1"], dice=[11, 15, 6, 6]).said(Bombarded)[0].passed
    assert not play(artillery_air_step, men, answers=["mission_1"], dice=[12]).said(Bombarded)[0].passed
    # Those who follow the lead test on the same target: 12 + 4 fails, and 11 + 4 does not.
    two = shelling(wood, gun("g", 5, 5), gun("h", 8, 5), infantry("foe", 20, 30, side="b"), plans=mission("g", "h"))
    for die, passed in ((12, False), (11, True)):
        played = play(artillery_air_step, two, answers=["mission_1"], dice=[11, 15, 6, 6, die, *([6, 6] if passed else [])])
        assert [event.passed for event in played.said(Bombarded)] == [True, passed]
    harder = shelling(gun("g", 5, 5), tank("foe", 20, 30, side="b"), plans=mission("g"), indirect_tl_modifier={"3": 2})
    assert not play(artillery_air_step, harder, answers=["mission_1"], dice=[14]).said(Bombarded)[0].passed
    assert play(artillery_air_step, harder, answers=["mission_1"], dice=[13, 15, 6, 6]).said(Bombarded)[0].passed
    nobody = shelling(gun("g", 5, 5), gun("h", 8, 5), plans=mission("g", "h"), indirect_tl_modifier={"3": 2})
    for dice, passed in (([13, 15, 14], [True, False]), ([14, 13, 15], [False, True])):
        tested = play(artillery_air_step, nobody, answers=["mission_1"], dice=dice).said(Bombarded)
        assert [event.passed for event in tested] == passed
    behind = shelling(gun("g", 5, 5), gun("h", 8, 5), tank("foe", 20, 30, side="b"), plans=mission("g", "h"), indirect_tl_modifier={"3": 2})
    second = play(artillery_air_step, behind, answers=["mission_1"], dice=[13, 15, 6, 6, 14])
    assert [event.passed for event in second.said(Bombarded)] == [True, False]


@pytest.mark.rule("MA-RULING-21")
def test_a_mission_whose_target_is_gone_goes_on_as_if_it_stood_there():
    wood, worn = area("forest", 15, 28, 25, 35), infantry("foe", 20, 30, side="b", disorganised=True)
    battle = shelling(wood, gun("g", 5, 5), gun("h", 8, 5), worn, plans=mission("g", "h"))
    # In the trees the men have +4 on tests and rolls: 2 + 4 at +3 is D, which is E for them.
    for die, passed in ((11, True), (12, False)):
        played = play(artillery_air_step, battle, answers=["mission_1"], dice=[11, 15, 1, 1, die])
        assert not played.unit("foe").alive
        assert [event.passed for event in played.said(Bombarded)] == [True, passed]
        assert [event.unit for event in played.said(MarkerLaid)] == (["g", "h"] if passed else ["g"])


@pytest.mark.rule("MA-RULING-21", "MA-RULING-16")
def test_a_battery_without_the_factor_for_the_named_target_tests_on_the_ground_of_the_aim_point():
    wood, men = area("forest", 15, 28, 25, 35), infantry("foe", 20, 30, side="b")
    guns = (gun("g", 5, 5, he=None), gun("h", 8, 5))
    # It leads with 13 + 2 and does not stray; its shells do nothing to men. The other has the men's +4; 6 + 4 at +3 is (S).
    leads = shelling(wood, *guns, men, plans=mission("g", "h"))
    played = play(artillery_air_step, leads, answers=["mission_1"], dice=[13, 15, 11, 3, 3])
    assert played.said(Bombarded) == [Bombarded("g", True), Bombarded("h", True)]
    assert played.said(ShellFell) == [ShellFell("g", "foe", "no_effect"), ShellFell("h", "foe", "suppression")]
    assert not play(artillery_air_step, leads, answers=["mission_1"], dice=[14, 12]).said(MarkerLaid)
    follows = shelling(wood, *guns, men, plans=mission("h", "g"))
    for die, passed in ((13, True), (14, False)):
        played = play(artillery_air_step, follows, answers=["mission_1"], dice=[11, 15, 3, 3, die])
        assert [event.passed for event in played.said(Bombarded)] == [True, passed]


@pytest.mark.rule("MA-RULING-21")
def test_a_battery_that_is_the_named_target_of_its_own_mission_and_is_lost_does_not_fire():
    battle = shelling(mortar("m1", 5, 5), mortar("m2", 20, 30), plans=mission("m1", "m2"))
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 15, 1, 1])  # HE 6 against 3: +3, 2 is E
    assert [event.unit for event in played.said(Bombarded)] == ["m1"]
    assert not played.unit("m2").alive and not broken_invariants(played.battle)


@pytest.mark.rule("MA-PLAN-02", "MA-ART-05", "MA-RULING-21")
def test_the_sheaf_may_have_any_shape():
    battle = shelling(gun("g1", 5, 5), gun("g2", 8, 5), plans=mission("g1", "g2", sheaf=((0, 0), (-2, 1.5))))
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 15, 15])
    assert played.said(MarkerLaid) == [MarkerLaid("g1", 20_000, 30_000), MarkerLaid("g2", 18_000, 31_500)]


@pytest.mark.rule("MA-ART-05", "MA-RULING-20")
def test_markers_may_stray_off_the_table():
    battle = shelling(gun("g", 5, 5), tank("foe", 1, 47, side="b"), plans=mission("g", aim=(0.5, 47.5)))
    # It strays north-west (8) by 4 inches (8): off the corner, onto nobody.
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 16, 8, 8])
    assert played.said(MarkerLaid) == [MarkerLaid("g", -2_328, 50_328)]  # 4 / sqrt 2 is 2.828
    assert not played.said(ShellFell) and not broken_invariants(played.battle)


@pytest.mark.rule("MA-ART-04", "MA-DEC-04")
def test_each_mission_is_revealed_by_itself():
    one, two = (Mission(f"mission_{n}", (f"g{n}",), (20_000, 30_000), ((0, 0),)) for n in (1, 2))
    battle = shelling(gun("g1", 5, 5), gun("g2", 8, 5), plans={"a": Plans(missions=(one, two))})
    played = play(artillery_air_step, battle, answers=["mission_2"], dice=[FAIL])
    assert played.said(MissionRevealed) == [MissionRevealed("a", two)]
    assert played.battle.plans("a") == Plans(missions=(one,))


@pytest.mark.rule("MA-RULING-21")
def test_over_a_crest_shells_of_a_mission_fall_as_anywhere():
    crest = line("crest", (0, 29.5), (40, 29.5))
    battle = shelling(crest, gun("g", 20, 5), tank("foe", 20, 30, side="b"), plans=mission("g"))
    assert play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 15, 2, 2]).unit("foe").disorganised
    direct = play(artillery_air_step, battle, answers=["direct:foe", ["g"]], dice=[13, 2, 2])  # +2 and +2: 6 is (S)
    assert (direct.unit("foe").suppressed, direct.unit("foe").disorganised) == (True, False)


@pytest.mark.rule("MA-RULING-21", "MA-TERR-06")
def test_who_stands_beside_the_target_over_a_crest_has_its_cover_from_direct_fire_only():
    crest = line("crest", (0, 29.5), (40, 29.5))
    things = (gun("g", 20, 5), tank("foe", 20, 30, side="b"), tank("near", 21, 30, side="b"))
    battle = shelling(crest, *things, plans=mission("g"))
    direct = play(artillery_air_step, battle, answers=["direct:foe", ["g"]], dice=[13, 6, 6, 2, 2])  # 4 + 2 is (S)
    assert direct.said(ShellFell) == [ShellFell("g", "near", "suppression")]
    indirect = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 15, 6, 6, 2, 2])  # 4 is D
    assert indirect.said(ShellFell) == [ShellFell("g", "near", "disorganisation")]


@pytest.mark.rule("MA-RULING-21")
def test_a_mission_that_is_not_revealed_is_void():
    battle = shelling(gun("g", 5, 5), tank("foe", 20, 30, side="b"), plans=mission("g"))
    assert battle.plans("a")
    played = play_on(battle, until="fire_first", answers=["pass"])
    assert not played.battle.plans("a") and not played.said(MissionRevealed)


@pytest.mark.rule("MA-RULING-21")
def test_a_mission_whose_units_are_gone_is_void():
    battle = shelling(gun("g", 5, 5, eliminated=True), gun("g2", 8, 5), tank("foe", 20, 30, side="b"), plans=mission("g"))
    played = play(artillery_air_step, battle, answers=["pass"])
    assert option_ids(played.requests[0]) == ["direct:foe", "smoke:g2", "pass"]
    half = shelling(gun("g", 5, 5, eliminated=True), gun("g2", 8, 5), plans=mission("g", "g2"))  # who is left leads
    assert play(artillery_air_step, half, answers=["mission_1"], dice=[15, 15]).said(MarkerLaid) == [MarkerLaid("g2", 20_000, 30_000)]


@pytest.mark.rule("MA-RULING-21")
def test_guns_of_a_mission_may_fire_directly_instead_but_not_both():
    battle = shelling(gun("g", 5, 5), tank("foe", 20, 30, side="b"), plans=mission("g"))
    played = play_on(battle, until="fire_first", answers=["direct:foe", ["g"]], dice=[FAIL])
    assert not played.said(MissionRevealed)


# -- smoke ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-RULING-32", "MA-DEC-04")
def test_direct_smoke_lies_anywhere_in_sight_till_the_end_of_the_turn():
    wood = area("forest", 0, 25, 48, 30)
    battle = shelling(wood, gun("g", 10, 5), tank("foe", 10, 20, 180, side="b"))
    played = play(artillery_air_step, battle, answers=["smoke:g", put(smoke=(10, 12))], dice=[15])
    assert played.said(SmokeLaid) == [SmokeLaid("g", 10_000, 12_000)]
    assert not played.said(MarkerLaid) and not played.said(ShellFell)  # no attack
    (disc,) = played.battle.smoke
    assert max(x for x, _ in disc.shape) - min(x for x, _ in disc.shape) == 2000  # two inches across
    assert not batteries(played.battle, "a")
    failed = play(artillery_air_step, battle, answers=["smoke:g", put(smoke=(10, 12))], dice=[16])
    assert not failed.battle.smoke
    with pytest.raises(RefusedError) as caught:
        play(artillery_air_step, battle, answers=["smoke:g", put(smoke=(10, 35))])
    assert caught.value.rule == "MA-RULING-32"


@pytest.mark.rule("MA-RULING-32")
def test_smoke_missions_deviate_and_artillery_without_smoke_fires_none():
    battle = shelling(gun("g1", 5, 5), gun("g2", 8, 5), tank("foe", 20, 30, side="b"), plans=mission("g1", "g2", smoke=True))
    # No target: g1 tests on the aim point, deviates north (1) by an inch (2); g2 tests.
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[15, 16, 1, 2, 15])
    assert played.said(SmokeLaid) == [SmokeLaid("g1", 20_000, 31_000), SmokeLaid("g2", 21_000, 31_000)]
    without = shelling(gun("g", 5, 5, smoke=False), tank("foe", 20, 30, side="b"))
    assert option_ids(play(artillery_air_step, without, answers=["pass"]).requests[0]) == ["direct:foe", "pass"]


@pytest.mark.rule("MA-RULING-32")
def test_direct_smoke_of_a_mortar_may_stray_and_lies_on_the_table_at_first():
    battle = shelling(mortar("m", 10, 5, smoke=True), indirect_tl_modifier={"3": 2})  # which is for indirect fire
    played = play(artillery_air_step, battle, answers=["smoke:m", put(smoke=(10, 12))], dice=[15, 16, 5, 2])  # south by an inch
    assert played.said(SmokeLaid) == [SmokeLaid("m", 10_000, 11_000)]
    assert played.said(Bombarded) == [Bombarded("m", True, "", "s", 1.0)]
    with pytest.raises(RefusedError) as caught:
        play(artillery_air_step, battle, answers=["smoke:m", put(smoke=(10, -1))])
    assert caught.value.rule == "MA-RULING-21"
    ridge = shelling(line("crest", (0, 12), (40, 12)), gun("g", 10, 5))
    for die, passed in ((13, True), (14, False)):  # on the far side of the ridge: +2
        laid = play(artillery_air_step, ridge, answers=["smoke:g", put(smoke=(10, 12.5))], dice=[die])
        assert bool(laid.said(SmokeLaid)) == passed


@pytest.mark.rule("MA-RULING-32")
def test_a_smoke_mission_has_no_target_and_hurts_nobody():
    wood, men = area("forest", 15, 28, 25, 35), infantry("foe", 20, 30, side="b")
    battle = shelling(wood, gun("g", 5, 5), men, plans=mission("g", smoke=True))
    # The ground of the aim point is +2, the men in it would be +4.
    played = play(artillery_air_step, battle, answers=["mission_1"], dice=[13, 15])
    assert played.said(SmokeLaid) == [SmokeLaid("g", 20_000, 30_000)]
    assert played.said(Bombarded) == [Bombarded("g", True)] and not played.said(ShellFell)


@pytest.mark.rule("MA-RULING-32", "MA-TERR-03")
def test_batteries_in_smoke_fire_worse():
    """Smoke around the battery is +3: on the test of every kind of fire, and on the rolls."""
    foes = (tank("foe", 20, 30, side="b"), tank("near", 21, 30, side="b"))
    smoked = {"smoke": [(10, 5)]}
    direct = shelling(gun("g", 10, 5), *foes, **smoked)
    # 4 at 0 would be D, 4 + 3 is S.
    played = play(artillery_air_step, direct, answers=["direct:foe", ["g"]], dice=[12, 2, 2, 2, 2])
    assert played.said(Bombarded) == [Bombarded("g", True, "foe", effect="suppression")]
    assert played.said(ShellFell) == [ShellFell("g", "near", "suppression")]
    second = shelling(gun("lead", 15, 5), gun("g", 10, 5), foes[0], plans=mission("lead", "g"), **smoked)
    for battle, answers, dice in (
        (direct, ["direct:foe", ["g"]], []),
        (direct, ["smoke:g", put(smoke=(10, 12))], []),
        (shelling(gun("g", 10, 5), plans=mission("g"), **smoked), ["mission_1"], []),
        (second, ["mission_1"], [15, 15, 6, 6]),
    ):
        assert not play(artillery_air_step, battle, answers=answers, dice=[*dice, 13]).said(Bombarded)[-1].passed
    placed = shelling(gun("g", 10, 5), plans=mission("g"), **smoked)
    assert play(artillery_air_step, placed, answers=["mission_1"], dice=[12, 15]).said(Bombarded)[0].passed
    assert play(artillery_air_step, direct, answers=["smoke:g", put(smoke=(10, 12))], dice=[12]).said(SmokeLaid)


@pytest.mark.rule("MA-RULING-32", "MA-LOS-04")
def test_smoke_just_laid_hides_whoever_is_behind_it():
    battle = board(tank("a1", 10, 5), tank("foe", 10, 20, 180, side="b"), smoke=[(10, 12)])
    assert play(fire_step, board(tank("a1", 10, 5), tank("foe", 10, 20, 180, side="b")), answers=["pass"]).requests
    assert not play(fire_step, battle).requests  # nothing to fire at: out without a question
