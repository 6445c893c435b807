"""The combat results, standard fire, artillery, air, overrun and close assault, with numbers worked from the sheet."""

from __future__ import annotations

from typing import Any

import pytest

from micro_armour.procedures.rolls import plain, run, run_with_trace
from sandtable.kernel.errors import InputError
from sandtable.kernel.traces import LookUp, Modifier, Note, Roll


def crt(advantage: int, dice: list[int], /, **more: Any) -> str:
    """Result and effect of one roll: "hard_suppression: suppression S" with the markers after."""
    facts: dict[str, Any] = {"advantage": advantage, "attacker_tl": 3, "target_class": "armoured"} | more
    o = run("combat_roll", dice, **facts)
    after = "S" * o.suppressed + "D" * o.disorganised + "E" * o.eliminated
    return f"{o.result}: {o.effect} {after}".strip()


@pytest.mark.rule("MA-CRT-01")
def test_the_modified_roll_crosses_the_advantage() -> None:
    o = run("combat_roll", [4, 3], advantage=2, roll_modifier=1, attacker_tl=3, target_class="armoured")
    assert plain(o) == {
        "allowed": True,
        "advantage": 2,
        "dice_sum": 7,
        "modified_roll": 8,
        "result": "hard_suppression",  # +2, row 8
        "effect": "suppression",
        "suppressed": True,
        "disorganised": False,
        "eliminated": False,
    }


@pytest.mark.rule("MA-CRT-02")
def test_above_19_counts_as_19() -> None:
    o = run("combat_roll", [6, 6], advantage=9, roll_modifier=11, attacker_tl=3, target_class="armoured")
    assert (o.dice_sum, o.modified_roll, o.result) == (12, 19, "suppression")


@pytest.mark.rule("MA-CRT-02", "MA-RULING-12")
def test_below_0_counts_as_0() -> None:
    o = run("combat_roll", [1, 1], advantage=0, roll_modifier=-7, attacker_tl=3, target_class="armoured")
    assert (o.dice_sum, o.modified_roll, o.result) == (2, 0, "elimination")
    assert crt(-1, [1, 1], roll_modifier=-7) == "disorganisation: disorganisation D"


@pytest.mark.rule("MA-CRT-03")
def test_plus_ten_eliminates_without_dice() -> None:
    o = run("combat_roll", advantage=10, attacker_tl=1, target_class="helicopter", attack_kind="aa", roll_modifier=20)
    assert (o.allowed, o.dice_sum, o.modified_roll, o.result, o.eliminated) == (True, None, None, "elimination", True)
    assert crt(9, [6, 6]) == "disorganisation: disorganisation D"  # +9 still rolls: row 12


@pytest.mark.rule("MA-CRT-04", "MA-RULING-02")
@pytest.mark.parametrize(
    ("tl", "effect"), [(1, "no_effect"), (2, "no_effect"), (3, "suppression S"), (4, "suppression S"), (5, "suppression S")]
)
def test_the_weak_suppression_depends_on_the_tech_level(tl: int, effect: str) -> None:
    assert crt(-3, [6, 6], attacker_tl=tl) == f"weak_suppression: {effect}"


@pytest.mark.rule("MA-CRT-05")
@pytest.mark.parametrize("kind", ["standard", "aa", "overrun", "close_assault"])
def test_below_minus_three_only_artillery_and_air_attack(kind: str) -> None:
    o = run("combat_roll", advantage=-4, attack_kind=kind, attacker_tl=5, target_class="armoured", target_suppressed=True)
    assert (o.allowed, o.result, o.effect, o.suppressed, o.eliminated) == (False, None, "no_effect", True, False)


@pytest.mark.rule("MA-CRT-05", "MA-ART-09", "MA-ART-10", "MA-AIR-11", "MA-RULING-03")
@pytest.mark.parametrize("kind", ["artillery", "air"])
def test_artillery_and_air_below_minus_three_always_give_the_weak_suppression_which_counts_for_them(kind: str) -> None:
    assert crt(-9, [], attack_kind=kind, attacker_tl=1) == "weak_suppression: suppression S"


@pytest.mark.rule("MA-CRT-06", "MA-ART-10", "MA-AIR-11")
def test_support_artillery_and_air_treat_the_weak_suppression_as_suppression_at_any_tech_level() -> None:
    assert crt(-3, [6, 6], attacker_tl=1, attacker_support=True) == "weak_suppression: suppression S"
    assert crt(-3, [6, 6], attacker_tl=1, attack_kind="artillery") == "weak_suppression: suppression S"
    assert crt(-3, [6, 6], attacker_tl=1, attack_kind="air") == "weak_suppression: suppression S"


@pytest.mark.rule("MA-CRT-07", "MA-RULING-48")
def test_a_weak_suppression_does_nothing_to_a_helicopter_whoever_fires() -> None:
    for more in ({}, {"attacker_support": True}, {"attack_kind": "artillery"}, {"attacker_tl": 5}):
        assert crt(-3, [6, 6], target_class="helicopter", **more) == "weak_suppression: no_effect"
    assert crt(-3, [2, 2], target_class="helicopter") == "suppression: suppression S"


@pytest.mark.rule("MA-CRT-08", "MA-RULING-03", "MA-RULING-48")
def test_anti_aircraft_fire_needs_more_than_a_weak_suppression() -> None:
    assert crt(-3, [6, 6], attack_kind="aa", target_class="aircraft", attacker_tl=5, attacker_support=True) == "weak_suppression: no_effect"
    assert crt(-3, [2, 3], attack_kind="aa", target_class="aircraft") == "suppression: suppression S"
    assert crt(-3, [1, 2], attack_kind="aa", target_class="aircraft") == "hard_suppression: suppression S"


@pytest.mark.rule("MA-CRT-09")
def test_suppression_does_not_add_up() -> None:
    assert crt(0, [4, 4]) == "suppression: suppression S"
    assert crt(0, [4, 4], target_suppressed=True) == "suppression: suppression S"
    assert crt(0, [4, 4], target_suppressed=True, target_disorganised=True) == "suppression: suppression SD"
    assert crt(0, [4, 4], attacker_tl=1) == "suppression: suppression S"  # the plain S is for every Tech Level


@pytest.mark.rule("MA-CRT-10")
def test_a_hard_suppression_disorganises_a_suppressed_unit() -> None:
    assert crt(0, [3, 3]) == "hard_suppression: suppression S"
    assert crt(0, [3, 3], target_disorganised=True) == "hard_suppression: suppression SD"
    assert crt(0, [3, 3], target_suppressed=True) == "hard_suppression: disorganisation SD"


@pytest.mark.rule("MA-CRT-11")
def test_a_second_disorganisation_eliminates() -> None:
    assert crt(0, [2, 2]) == "disorganisation: disorganisation D"
    assert crt(0, [2, 2], target_suppressed=True) == "disorganisation: disorganisation SD"
    assert crt(0, [2, 2], target_disorganised=True) == "disorganisation: elimination DE"


@pytest.mark.rule("MA-CRT-12")
def test_elimination_leaves_the_markers_as_they_were() -> None:
    assert crt(6, [4, 4]) == "elimination: elimination E"
    assert crt(6, [4, 4], target_suppressed=True) == "elimination: elimination SE"


@pytest.mark.rule("MA-CRT-13")
def test_a_hard_suppression_on_s_and_d_runs_through_to_elimination() -> None:
    assert crt(0, [3, 3], target_suppressed=True, target_disorganised=True) == "hard_suppression: elimination SDE"


# -- standard fire ------------------------------------------------------------------------------------------------

T72_AT_M1: dict[str, Any] = {
    "command_level": 13,
    "attacker_tl": 3,
    "ap": 11,
    "he": 6,
    "distance": 14,
    "target_class": "armoured",
    "defence": 10,
}


@pytest.mark.rule("MA-FIRE-03", "MA-FIRE-07", "MA-FIRE-10", "MA-RANGE-02")
def test_a_combat_event_step_by_step() -> None:
    # Forest: +2 on test and roll. Test 4 + 2 (suppressed firer, forest) + 7 = 13 passes at 13.
    # TL3 at 14 inches is +1: 2D6 4 + 2 + 1 = 7 at advantage 11 - 10 = 1: hard suppression.
    facts = T72_AT_M1 | {"target_terrain": ["forest"], "attacker_suppressed": True}
    assert plain(run("standard_fire", [7, 1, 3], **facts)) == {
        "allowed": True,
        "reason": "none",
        "test_die": 7,
        "test_modifier": 6,
        "test_total": 13,
        "passed": True,
        "advantage": 1,
        "roll_modifier": 3,
        "dice_sum": 4,
        "modified_roll": 7,
        "result": "hard_suppression",
        "effect": "suppression",
        "suppressed": True,
        "disorganised": False,
        "eliminated": False,
    }


@pytest.mark.rule("MA-TEST-05")
def test_a_failed_test_means_no_shot_but_the_modifiers_are_told() -> None:
    o = run("standard_fire", [14], **T72_AT_M1, target_suppressed=True)
    assert plain(o) == {
        "allowed": True,
        "reason": "none",
        "test_die": 14,
        "test_modifier": 0,
        "test_total": 14,
        "passed": False,
        "advantage": 1,
        "roll_modifier": 1,
        "dice_sum": None,
        "modified_roll": None,
        "result": None,
        "effect": "no_effect",
        "suppressed": True,
        "disorganised": False,
        "eliminated": False,
    }


@pytest.mark.rule("MA-TERR-04", "MA-FIRE-03")
def test_a_revealed_target_is_easier_to_test_against_but_not_to_hit() -> None:
    o = run("standard_fire", [13, 3, 3], **T72_AT_M1, target_terrain=["forest"], target_fired=True)
    assert (o.test_modifier, o.roll_modifier) == (0, 3)


@pytest.mark.rule("MA-FIRE-05", "MA-RULING-14")
def test_a_flank_shot_at_plus_six() -> None:
    o = run("standard_fire", [10, 4, 4], **T72_AT_M1, aspect="flank")  # 11 - 5 = 6; 8 + 1 = 9: D
    assert (o.advantage, o.modified_roll, o.effect) == (6, 9, "disorganisation")


@pytest.mark.rule("MA-FIRE-11")
def test_no_standard_fire_below_minus_three() -> None:
    o = run("standard_fire", **(T72_AT_M1 | {"defence": 15}))
    assert plain(o) == {
        "allowed": False,
        "reason": "advantage_too_low",
        "test_die": None,
        "test_modifier": None,
        "test_total": None,
        "passed": None,
        "advantage": -4,
        "roll_modifier": None,
        "dice_sum": None,
        "modified_roll": None,
        "result": None,
        "effect": "no_effect",
        "suppressed": False,
        "disorganised": False,
        "eliminated": False,
    }
    assert run("standard_fire", [13, 6, 6], **(T72_AT_M1 | {"defence": 14})).allowed


@pytest.mark.rule("MA-FIRE-08", "MA-FIRE-09", "MA-RULING-17")
def test_a_missile_has_a_least_range_a_test_modifier_and_no_range_modifier() -> None:
    missile = T72_AT_M1 | {"ap": 14, "atgm": True, "atgm_min_range": 2, "atgm_test_modifier": 3, "max_range": 5}
    o = run("standard_fire", [10, 2, 2], **(missile | {"distance": 40}))  # max_range is the gun's
    assert (o.test_modifier, o.test_total, o.roll_modifier, o.advantage, o.result) == (3, 13, 0, 4, "elimination")
    near = run("standard_fire", **(missile | {"distance": 1.99}))
    assert (near.allowed, near.reason, near.advantage) == (False, "below_minimum_range", 4)
    assert run("standard_fire", [20], **(missile | {"distance": 2})).allowed
    assert run("standard_fire", [13, 2, 2], **(T72_AT_M1 | {"atgm_test_modifier": 3})).test_modifier == 0  # a gun shot


@pytest.mark.rule("MA-RULING-51")
def test_a_missile_is_for_armoured_targets_only() -> None:
    o = run("standard_fire", **(T72_AT_M1 | {"atgm": True, "target_class": "soft"}))
    assert (o.allowed, o.reason, o.advantage) == (False, "no_factor", None)
    both = run("standard_fire", **(T72_AT_M1 | {"atgm": True, "target_class": "soft", "distance": 1, "atgm_min_range": 2}))
    assert (both.reason, both.advantage) == ("below_minimum_range", None)


@pytest.mark.rule("MA-RULING-11")
def test_out_of_range_is_judged_by_the_plain_distance() -> None:
    assert run("standard_fire", **T72_AT_M1, max_range=13.5).reason == "out_of_range"
    assert run("standard_fire", [20], **T72_AT_M1, max_range=14).allowed
    assert run("standard_fire", [20], **(T72_AT_M1 | {"distance": 300})).roll_modifier == 4  # no limit of its own


@pytest.mark.rule("MA-RULING-16")
def test_no_factor_no_shot() -> None:
    o = run("standard_fire", **(T72_AT_M1 | {"ap": None}))
    assert (o.allowed, o.reason, o.advantage, o.roll_modifier) == (False, "no_factor", None, None)


@pytest.mark.rule("MA-CRT-03", "MA-FIRE-10")
def test_at_plus_ten_a_passed_test_is_enough() -> None:
    o = run("standard_fire", [13], **(T72_AT_M1 | {"defence": 1}))
    assert (o.advantage, o.dice_sum, o.effect, o.eliminated) == (10, None, "elimination", True)


@pytest.mark.rule("MA-REACT-01")
def test_reaction_fire_at_moving_personnel_is_standard_fire_at_half_defence() -> None:
    mover = {"target_class": "personnel", "defence": 5, "target_moving": True, "target_terrain": ["swamp"]}
    o = run("standard_fire", [12, 3, 3], **(T72_AT_M1 | mover))  # swamp 1 on both, range 1; 6 - 3 = 3; 6 + 2 = 8: D
    assert (o.test_total, o.advantage, o.modified_roll, o.effect) == (13, 3, 8, "disorganisation")


@pytest.mark.rule("MA-FIRE-07", "MA-CRT-01", "MA-TEST-02")
def test_every_number_of_a_shot_is_in_the_trace_with_its_rule() -> None:
    _, trace = run_with_trace("standard_fire", [1, 2, 3], **T72_AT_M1, target_terrain=["forest"])
    assert Roll("roll.command_test", 20, (1,), "", 3, (Modifier("terrain.forest", 2, "MA-TERR-01"),), "MA-TEST-01") in trace
    assert Note("note.natural_one", "MA-TEST-02") in trace
    assert LookUp("range_effects", {"tl": 3, "inches": 14}, 1, "MA-RANGE-01") in trace
    modifiers = (Modifier("terrain.forest", 2, "MA-TERR-01"), Modifier("modifier.range", 1, "MA-FIRE-07"))
    assert Roll("roll.combat", 6, (2, 3), "", 8, modifiers, "MA-CRT-01") in trace
    assert LookUp("combat_results", {"advantage": 1, "roll": 8}, "hard_suppression", "MA-CRT-01") in trace


# -- attacks of several units -------------------------------------------------------------------------------------

SOLDIERS: dict[str, Any] = {"target_class": "personnel", "defence": 4}
RIFLES: dict[str, Any] = {"command_level": 13, "attacker_tl": 3, "he": 5, "distance": 4}  # advantage 1, range 0


@pytest.mark.rule("MA-FIRE-01", "MA-FIRE-02")
def test_each_firer_resolves_its_event_on_the_target_as_the_last_one_left_it() -> None:
    # 7: (S) suppresses; 8: (S) on a suppressed unit is D; the third fails its test
    o = run("standard_attack", [5, 3, 4, 6, 4, 4, 14], target=SOLDIERS, firers=[RIFLES] * 3)
    assert [e.effect for e in o.events] == ["suppression", "disorganisation", "no_effect"]
    assert [e.passed for e in o.events] == [True, True, False]
    assert (o.events_resolved, o.suppressed, o.disorganised, o.eliminated) == (3, True, True, False)


@pytest.mark.rule("MA-RULING-46")
def test_after_elimination_the_other_firers_roll_nothing() -> None:
    o = run("standard_attack", [5, 1, 1], target=SOLDIERS, firers=[RIFLES, RIFLES, RIFLES])
    assert (o.events_resolved, len(o.events), o.eliminated) == (1, 1, True)


@pytest.mark.rule("MA-FIRE-01")
def test_a_firer_that_may_not_fire_is_an_event_without_dice() -> None:
    o = run("standard_attack", [5, 1, 1], target=SOLDIERS, firers=[RIFLES | {"he": None}, RIFLES])
    assert [e.reason for e in o.events] == ["no_factor", "none"]
    assert o.events_resolved == 2
    assert plain(run("standard_attack", target=SOLDIERS)) == {
        "events": [],
        "events_resolved": 0,
        "suppressed": False,
        "disorganised": False,
        "eliminated": False,
    }


# -- artillery ----------------------------------------------------------------------------------------------------

M109: dict[str, Any] = {"command_level": 15, "attacker_tl": 4, "ap": 4, "he": 8}
INFANTRY_IN_GROVE: dict[str, Any] = {"target_class": "personnel", "defence": 4, "target_terrain": ["grove"]}


@pytest.mark.rule("MA-ART-02", "MA-ART-03", "MA-ART-08", "MA-RANGE-03")
def test_direct_fire_by_a_gun_takes_one_test_and_no_deviation_test() -> None:
    # grove +2: 13 + 2 = 15 passes; 8 - 4 = 4; 2D6 8 + 2 = 10: hard suppression
    o = run("artillery_fire", [13, 4, 4], mode="direct", **M109, **INFANTRY_IN_GROVE)
    assert plain(o) == {
        "stage": "resolved",
        "test_die": 13,
        "test_modifier": 2,
        "passed": True,
        "deviation_die": None,
        "deviated": False,
        "direction": None,
        "distance": None,
        "advantage": 4,
        "dice_sum": 8,
        "modified_roll": 10,
        "result": "hard_suppression",
        "effect": "suppression",
        "suppressed": True,
        "disorganised": False,
        "eliminated": False,
    }


@pytest.mark.rule("MA-ART-02")
def test_artillery_that_fails_its_test_does_not_fire() -> None:
    o = run("artillery_fire", [14], mode="direct", **M109, **INFANTRY_IN_GROVE)
    assert (o.stage, o.passed, o.test_modifier, o.advantage, o.deviated, o.effect) == ("test_failed", False, 2, None, False, "no_effect")


@pytest.mark.rule("MA-ART-03")
def test_a_mortar_deviates_even_in_direct_fire() -> None:
    o = run("artillery_fire", [5, 15, 4, 4], mode="direct", mortar=True, **M109, **INFANTRY_IN_GROVE)
    assert (o.stage, o.deviation_die, o.deviated) == ("resolved", 15, False)
    o = run("artillery_fire", [5, 16, 7, 3], mode="direct", mortar=True, **M109, **INFANTRY_IN_GROVE)
    assert (o.stage, o.direction, o.distance, o.advantage, o.result) == ("deviated", "w", 1.5, None, None)


@pytest.mark.rule("MA-ART-04", "MA-ART-05", "MA-RULING-18", "MA-RULING-19")
def test_indirect_fire_tests_with_terrain_and_tech_level_and_deviates_with_markers_only() -> None:
    # test: 4 (S) + 2 (grove) + 1 (TL): 8 + 7 = 15 passes; deviation: 4 only: 11 + 4 = 15 passes
    facts = M109 | INFANTRY_IN_GROVE | {"mode": "indirect", "tl_modifier": 1, "attacker_suppressed": True}
    o = run("artillery_fire", [8, 11, 6, 6], **facts)
    assert (o.stage, o.test_modifier, o.modified_roll, o.result) == ("resolved", 7, 14, "weak_suppression")
    o = run("artillery_fire", [8, 12, 2, 8], **facts)
    assert (o.stage, o.deviated, o.direction, o.distance, o.effect) == ("deviated", True, "ne", 4, "no_effect")
    assert run("artillery_fire", [9], **facts).stage == "test_failed"
    assert run("artillery_fire", [9, 6, 6], **(facts | {"mode": "direct"})).test_modifier == 6  # TL counts indirectly only


@pytest.mark.rule("MA-ART-07", "MA-ART-09", "MA-ART-10")
def test_artillery_on_heavy_armour_suppresses_without_2d6() -> None:
    o = run("artillery_fire", [13], mode="direct", **(M109 | {"attacker_tl": 1}), target_class="armoured", defence=16)
    assert (o.stage, o.advantage, o.dice_sum, o.result, o.effect) == ("resolved", -4, None, "weak_suppression", "suppression")  # 4 - 8


@pytest.mark.rule("MA-ART-06")
def test_artillery_without_the_factor_is_not_allowed() -> None:
    o = run("artillery_fire", mode="indirect", **(M109 | {"he": None}), **INFANTRY_IN_GROVE, target_disorganised=True)
    assert (o.stage, o.test_modifier, o.passed, o.deviated, o.disorganised) == ("not_allowed", None, None, False, True)


@pytest.mark.rule("MA-ART-07", "MA-ART-08", "MA-RANGE-03")
def test_impact_of_a_shell() -> None:
    o = run(
        "strike_impact", [4, 4], attack_kind="artillery", attacker_tl=2, ap=4, he=8, target_class="armoured", defence=5, over_crest=True
    )
    assert plain(o) == {
        "allowed": True,
        "factor": "ap",
        "modified_defence": 3,
        "roll_modifier": 2,
        "advantage": 1,
        "dice_sum": 8,
        "modified_roll": 10,
        "result": "suppression",
        "effect": "suppression",
        "suppressed": True,
        "disorganised": False,
        "eliminated": False,
    }


@pytest.mark.rule("MA-AIR-08", "MA-AIR-09", "MA-AIR-11")
def test_impact_of_a_bomb() -> None:
    o = run("strike_impact", [5, 5], attack_kind="air", attacker_tl=2, ap=10, target_class="armoured", defence=10)
    assert (o.modified_defence, o.advantage, o.result) == (3, 7, "disorganisation")
    o = run("strike_impact", attack_kind="air", attacker_tl=2, he=1, target_class="soft", defence=9)
    assert (o.advantage, o.dice_sum, o.result, o.effect) == (-8, None, "weak_suppression", "suppression")
    o = run("strike_impact", attack_kind="air", attacker_tl=2, ap=10, target_class="soft", defence=9, target_suppressed=True)
    assert (o.allowed, o.factor, o.modified_defence, o.advantage, o.effect, o.suppressed) == (False, "he", 9, None, "no_effect", True)


# -- air ----------------------------------------------------------------------------------------------------------

ZSU: dict[str, Any] = {"command_level": 13, "aa_tl": 3, "he": 8, "max_range": 20, "distance": 15}
A10: dict[str, Any] = {"air_tl": 4, "air_defence": 6, "target_class": "aircraft"}


@pytest.mark.rule("MA-AA-02", "MA-AA-03", "MA-AA-04", "MA-AA-05", "MA-RANGE-02")
def test_anti_aircraft_fire() -> None:
    # TL3 at 15 inches is +1 on the test only: 12 + 1 = 13. 8 - 6 = 2, one column left: 1. 2D6 6, unmodified: D.
    assert plain(run("aa_fire", [12, 3, 3], **ZSU, **A10)) == {
        "allowed": True,
        "reason": "none",
        "test_die": 12,
        "test_modifier": 1,
        "passed": True,
        "shift": -1,
        "advantage": 1,
        "dice_sum": 6,
        "modified_roll": 6,
        "result": "disorganisation",
        "effect": "disorganisation",
        "suppressed": False,
        "disorganised": True,
        "eliminated": False,
    }
    o = run("aa_fire", [13], **ZSU, **A10)
    assert (o.passed, o.test_modifier, o.advantage, o.dice_sum) == (False, 1, 1, None)
    assert run("aa_fire", [5, 3, 3], **ZSU, **A10, attacker_suppressed=True, attacker_disorganised=True).test_modifier == 8


@pytest.mark.rule("MA-AA-05", "MA-CRT-08")
def test_a_weak_suppression_by_anti_aircraft_fire_does_nothing() -> None:
    o = run("aa_fire", [12, 6, 6], **ZSU, **A10)
    assert (o.result, o.effect, o.suppressed) == ("weak_suppression", "no_effect", False)


@pytest.mark.rule("MA-RULING-34")
def test_anti_aircraft_fire_is_judged_after_the_shift() -> None:
    assert run("aa_fire", **(ZSU | {"aa_tl": 1}), **(A10 | {"air_defence": 12})).reason == "advantage_too_low"  # -4, left: unchanged
    o = run("aa_fire", [20], **(ZSU | {"aa_tl": 5}), **(A10 | {"air_defence": 12}))
    assert (o.allowed, o.shift, o.advantage) == (True, 1, -3)  # -4, one to the right
    o = run("aa_fire", [20], **(ZSU | {"aa_tl": 1}), **(A10 | {"air_tl": 5}))
    assert (o.shift, o.advantage) == (-4, -2)
    o = run("aa_fire", [20], **(ZSU | {"aa_tl": 1}), **(A10 | {"air_tl": 5, "air_defence": 10}))
    assert (o.shift, o.advantage) == (-4, -3)


@pytest.mark.rule("MA-RULING-11", "MA-RULING-16")
def test_anti_aircraft_fire_out_of_range_or_without_he() -> None:
    o = run("aa_fire", **(ZSU | {"distance": 20.5}), **A10)
    assert (o.allowed, o.reason, o.advantage, o.test_modifier, o.passed) == (False, "out_of_range", 1, None, None)
    o = run("aa_fire", **(ZSU | {"he": None}), **A10, target_suppressed=True)
    assert (o.allowed, o.reason, o.advantage, o.suppressed) == (False, "no_factor", None, True)


@pytest.mark.rule("MA-AA-05", "MA-CRT-03")
def test_a_shift_to_the_right_may_reach_plus_ten() -> None:
    o = run("aa_fire", [12], **(ZSU | {"aa_tl": 5, "he": 12}), **(A10 | {"air_tl": 1, "target_class": "helicopter"}))
    assert (o.advantage, o.dice_sum, o.effect) == (10, None, "elimination")


STRIKE: dict[str, Any] = {"command_level": 15, "attacker_tl": 4, "ap": 10, "he": 8, "target_class": "armoured", "defence": 8}


@pytest.mark.rule("MA-AIR-01")
def test_a_failed_mission_test_cancels_the_strike() -> None:
    o = run("air_strike", [16], **STRIKE, air_suppressed=True)
    assert (o.stage, o.mission_die, o.mission_passed, o.deviation_die, o.deviated, o.advantage) == (
        "cancelled",
        16,
        False,
        None,
        False,
        None,
    )


@pytest.mark.rule("MA-AIR-04", "MA-AIR-05", "MA-RULING-35", "MA-RULING-36")
def test_markers_count_on_the_deviation_test_but_not_on_the_mission_test() -> None:
    # 15 passes the mission test at 15 although suppressed; 12 + 4 = 16 deviates
    o = run("air_strike", [15, 12, 3, 9], **STRIKE, air_suppressed=True)
    assert plain(o) == {
        "stage": "deviated",
        "mission_die": 15,
        "mission_passed": True,
        "deviation_die": 12,
        "deviated": True,
        "direction": "e",
        "distance": 9,
        "advantage": None,
        "dice_sum": None,
        "modified_roll": None,
        "result": None,
        "effect": "no_effect",
        "suppressed": False,
        "disorganised": False,
        "eliminated": False,
    }


@pytest.mark.rule("MA-AIR-07", "MA-AIR-08", "MA-AIR-09", "MA-RULING-35")
def test_a_strike_that_arrives() -> None:
    # 10 - ceil(8/4) = 8; 2D6 8 + 2 (forest, roll only: tests are not modified) = 10: eliminated
    o = run("air_strike", [15, 15, 4, 4], **STRIKE, target_terrain=["forest"])
    assert (o.stage, o.deviation_die, o.deviated, o.advantage, o.modified_roll, o.eliminated) == ("resolved", 15, False, 8, 10, True)
    assert o.mission_passed


@pytest.mark.rule("MA-AIR-07")
def test_a_strike_without_the_factor_is_not_allowed() -> None:
    o = run("air_strike", **(STRIKE | {"ap": None}))
    assert (o.stage, o.mission_passed, o.deviated, o.effect, o.eliminated) == ("not_allowed", None, False, "no_effect", False)


# -- overrun ------------------------------------------------------------------------------------------------------

MOTOR_RIFLES: dict[str, Any] = {"command_level": 13, "tl": 3}
TANK: dict[str, Any] = {"command_level": 15, "tl": 4, "tracked": True}


@pytest.mark.rule("MA-OVER-02", "MA-RULING-25")
@pytest.mark.parametrize(
    ("defender", "attacker", "modifier"),
    [
        ({}, {}, 0),
        ({}, {"tracked": True}, 3),
        ({}, {"apc_with_troops": True}, 2),
        ({}, {"tracked": True, "apc_with_troops": True}, 5),
        ({"suppressed": True}, {"tracked": True}, 7),
        ({"suppressed": True, "disorganised": True}, {"tracked": True, "apc_with_troops": True}, 12),
    ],
)
def test_modifiers_of_the_defender_add_up(defender: dict[str, Any], attacker: dict[str, Any], modifier: int) -> None:
    facts = {"defender": MOTOR_RIFLES | defender, "attackers": [{"command_level": 15, "tl": 4} | attacker]}
    highest = max(1, 13 - modifier)
    assert run("overrun", [highest, 5], **facts).defender_tests == (True,)
    assert run("overrun", [highest + 1, 2, 2, 5], **facts).defender_tests == (False,)


@pytest.mark.rule("MA-OVER-03", "MA-OVER-06")
def test_each_failed_test_is_an_attack_at_plus_six_until_the_defender_is_gone() -> None:
    # tests 11 and 12 at +3 fail, 10 passes. +6: 9 is D, then D again eliminates; three attackers then pass
    o = run("overrun", [11, 10, 12, 4, 5, 6, 6, 3, 3, 3], defender=MOTOR_RIFLES, attackers=[TANK] * 3)
    assert o.defender_tests == (False, True, False)
    assert o.defender_effects == ("disorganisation", "elimination")
    assert plain(o.defender) == {"suppressed": False, "disorganised": True, "eliminated": True}
    assert o.attacker_tests == (True, True, True)


@pytest.mark.rule("MA-OVER-03", "MA-OVER-04", "MA-RULING-25")
def test_attacks_stop_when_the_defender_is_gone_and_attackers_test_all_the_same() -> None:
    o = run("overrun", [11, 11, 4, 4, 3, 3], defender=MOTOR_RIFLES, attackers=[TANK] * 2)  # 8 eliminates: one attack
    assert o.defender_effects == ("elimination",)
    assert o.attacker_tests == (True, True)


@pytest.mark.rule("MA-OVER-02", "MA-RULING-25")
def test_the_defender_tests_with_the_markers_it_had_before() -> None:
    # 10 + 3 = 13 passes against the second tank although the first attack disorganises it
    o = run("overrun", [11, 10, 4, 5, 3, 3], defender=MOTOR_RIFLES, attackers=[TANK] * 2)
    assert o.defender_tests == (False, True)


@pytest.mark.rule("MA-OVER-04", "MA-OVER-05", "MA-OVER-06")
def test_each_attacker_that_fails_suffers_an_attack_at_plus_two() -> None:
    # passes by all of the defender; attacker 1 (S): 12 + 4 = 16 fails at 15; attacker 2 (D): 12 + 3 passes; attacker 3: 16 fails
    attackers = [TANK | {"suppressed": True}, TANK | {"disorganised": True}, TANK]
    o = run("overrun", [1, 1, 1, 12, 12, 16, 4, 4, 1, 2], defender=MOTOR_RIFLES, attackers=attackers)
    assert o.attacker_tests == (False, True, False)
    assert plain(o)["attackers"] == [
        {"effect": "disorganisation", "suppressed": True, "disorganised": True, "eliminated": False},  # 8: (S) on S
        {"effect": None, "suppressed": False, "disorganised": True, "eliminated": False},
        {"effect": "elimination", "suppressed": False, "disorganised": False, "eliminated": True},  # 3: E
    ]


@pytest.mark.rule("MA-RULING-47")
def test_a_weak_suppression_on_an_attacker_depends_on_the_defender() -> None:
    def effect(**defender: Any) -> Any:
        return run("overrun", [1, 20, 6, 6], defender=MOTOR_RIFLES | defender, attackers=[TANK]).attackers[0].effect

    assert effect() == "suppression"
    assert effect(tl=2) == "no_effect"
    assert effect(tl=2, support=True) == "suppression"


def test_an_overrun_by_nobody() -> None:
    o = run("overrun", defender=MOTOR_RIFLES | {"suppressed": True})
    assert plain(o) == {
        "defender_tests": [],
        "defender_effects": [],
        "defender": {"suppressed": True, "disorganised": False, "eliminated": False},
        "attacker_tests": [],
        "attackers": [],
    }


# -- close assault ------------------------------------------------------------------------------------------------

DUG_IN: dict[str, Any] = {"command_level": 13, "tl": 3, "he": 5, "ap": 6, "defence": 4, "class": "personnel"}
GRENADIERS: dict[str, Any] = {"command_level": 15, "tl": 3, "he": 5, "ap": 6, "defence": 4, "class": "personnel"}


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-02", "MA-CLOSE-05", "MA-RULING-27")
def test_the_defender_shoots_first_at_moving_attackers() -> None:
    # 13 passes; 5 - ceil(4/2) = 3; 2D6 7 - 3 = 4: eliminated, so the attacker does nothing
    o = run("close_assault", [13, 3, 4], defender=DUG_IN, attackers=[GRENADIERS])
    assert plain(o) == {
        "defender_test_passed": True,
        "defender_effect": "elimination",
        "attackers": [{"test_passed": None, "effect": None, "suppressed": False, "disorganised": False, "eliminated": True}],
        "defender": {"suppressed": False, "disorganised": False, "eliminated": False},
    }


@pytest.mark.rule("MA-CLOSE-05")
def test_an_attacker_that_did_not_move_defends_in_full() -> None:
    o = run("close_assault", [13, 3, 4, 20], defender=DUG_IN, attackers=[GRENADIERS | {"moving": False}])  # +1, row 4: D
    assert o.defender_effect == "disorganisation"


@pytest.mark.rule("MA-CLOSE-01")
def test_markers_of_the_defender_and_a_moving_defender() -> None:
    hurt = DUG_IN | {"suppressed": True, "disorganised": True}
    assert run("close_assault", [7, 20], defender=hurt, attackers=[GRENADIERS]).defender_test_passed is False  # 14
    assert run("close_assault", [6, 6, 6, 20], defender=hurt, attackers=[GRENADIERS]).defender_test_passed is True
    moving = run("close_assault", [20], defender=DUG_IN | {"moving": True}, attackers=[GRENADIERS])
    assert (moving.defender_test_passed, moving.defender_effect) == (None, None)


@pytest.mark.rule("MA-CLOSE-02")
def test_the_defender_picks_one_target_or_none() -> None:
    o = run("close_assault", [5, 3, 4, 20, 20], defender=DUG_IN, attackers=[GRENADIERS] * 3, defender_target=1)
    assert [a.eliminated for a in o.attackers] == [False, True, False]
    o = run("close_assault", [5, 20], defender=DUG_IN, attackers=[GRENADIERS], defender_target=None)
    assert (o.defender_test_passed, o.defender_effect) == (True, None)


@pytest.mark.rule("MA-CLOSE-02", "MA-RULING-27")
def test_cover_of_the_attacker_counts_on_the_shot() -> None:
    # +3: 7 - 3 + 4 = 8: D
    o = run("close_assault", [5, 3, 4, 20], defender=DUG_IN, attackers=[GRENADIERS | {"terrain_roll_modifier": 4}])
    assert o.defender_effect == "disorganisation"


@pytest.mark.rule("MA-CLOSE-03")
def test_attackers_test_with_the_markers_just_received() -> None:
    # shot: 11 - 3 + 2 = 10 at +3: (S) suppresses; then 11 + 4 = 15 passes, 12 + 4 fails
    covered = GRENADIERS | {"terrain_roll_modifier": 2}
    o = run("close_assault", [5, 5, 6, 12], defender=DUG_IN, attackers=[covered])
    assert (o.defender_effect, o.attackers[0].test_passed, o.attackers[0].suppressed) == ("suppression", False, True)
    assert run("close_assault", [5, 5, 6, 11, 6, 6], defender=DUG_IN, attackers=[covered]).attackers[0].test_passed
    shaken = GRENADIERS | {"disorganised": True}
    assert run("close_assault", [20, 13], defender=DUG_IN, attackers=[shaken]).attackers[0].test_passed is False  # 13 + 3


def blow(total: int, defender: dict[str, Any] | None = None, **attacker: Any) -> Any:
    """What an assaulting unit that passed does with a given sum of its dice; the defender failed its test."""
    first = min(6, total - 1)
    facts = {"defender": DUG_IN | (defender or {}), "attackers": [GRENADIERS | attacker]}
    return run("close_assault", [20, 5, first, total - first], **facts).attackers[0].effect


@pytest.mark.rule("MA-CLOSE-04", "MA-RULING-26")
def test_the_blow_of_an_attacker_at_plus_one() -> None:
    # +1: E to 2, D to 6, (S) to 8, S to 10
    assert blow(12) == "suppression"  # 9
    assert blow(9) == "disorganisation"  # 6
    assert blow(10) == "suppression"  # 7
    assert blow(10, closed=True) == "disorganisation"  # 6
    assert blow(12, engineer_or_type_s=True) == "disorganisation"  # 6
    assert blow(8, engineer_or_type_s=True) == "elimination"  # 2
    assert blow(9, engineer_or_type_s=True) == "disorganisation"  # 3
    assert blow(8, mounted_cavalry=True) == "elimination"
    assert blow(12, mounted_cavalry=True, engineer_or_type_s=True, closed=True) == "elimination"  # 12 - 10
    assert blow(3, mounted_cavalry=True, engineer_or_type_s=True, closed=True) == "elimination"  # below 0 is 0


@pytest.mark.rule("MA-CLOSE-04")
def test_cavalry_gains_nothing_against_armour() -> None:
    # 6 - 5 = 1 against armour: 8 - 3 = 5 is D with or without horses
    armour = {"class": "armoured", "defence": 5}
    assert blow(8, armour, mounted_cavalry=True) == "disorganisation"
    assert blow(8, {"class": "soft", "defence": 4}, mounted_cavalry=True) == "elimination"


@pytest.mark.rule("MA-CLOSE-05", "MA-RULING-27")
def test_cover_of_the_defender_and_its_side() -> None:
    assert blow(9, {"terrain_roll_modifier": 7}, engineer_or_type_s=True, closed=True) == "suppression"  # 9 - 7 + 7 = 9
    armour = {"class": "armoured", "defence": 9}
    assert blow(5, armour) == "suppression"  # 6 - 9 = -3: row 5 - 3 = 2 is (S)
    assert blow(5, armour, defender_aspect="rear") == "elimination"  # 6 - 5 = 1: row 2


@pytest.mark.rule("MA-CLOSE-04")
def test_an_attacker_may_decline_after_its_test() -> None:
    o = run("close_assault", [20, 5], defender=DUG_IN, attackers=[GRENADIERS | {"declines": True}])
    assert (o.attackers[0].test_passed, o.attackers[0].effect) == (True, None)


@pytest.mark.rule("MA-RULING-27")
def test_an_attacker_that_cannot_hurt_the_defender_takes_no_test() -> None:
    o = run("close_assault", [20], defender=DUG_IN | {"class": "armoured", "defence": 10}, attackers=[GRENADIERS])  # 6 - 10 = -4
    assert (o.attackers[0].test_passed, o.attackers[0].effect) == (None, None)
    o = run("close_assault", [20], defender=DUG_IN, attackers=[GRENADIERS | {"he": None}])
    assert o.attackers[0].test_passed is None


@pytest.mark.rule("MA-RULING-27")
def test_a_defender_that_cannot_hurt_its_target_tests_all_the_same() -> None:
    o = run("close_assault", [5, 20], defender=DUG_IN | {"he": None}, attackers=[GRENADIERS])
    assert (o.defender_test_passed, o.defender_effect) == (True, None)
    o = run("close_assault", [5, 20], defender=DUG_IN | {"he": 1}, attackers=[GRENADIERS | {"defence": 5, "moving": False}])  # -4
    assert (o.defender_test_passed, o.defender_effect) == (True, None)


@pytest.mark.rule("MA-CLOSE-05")
def test_once_the_defender_is_gone_the_other_attackers_do_nothing() -> None:
    o = run("close_assault", [20, 5, 1, 1], defender=DUG_IN, attackers=[GRENADIERS] * 3)
    assert [(a.test_passed, a.effect) for a in o.attackers] == [(True, "elimination"), (None, None), (None, None)]
    assert o.defender.eliminated


@pytest.mark.rule("MA-CLOSE-05", "MA-CRT-03")
def test_at_plus_ten_no_2d6_in_a_close_assault() -> None:
    o = run("close_assault", [5], defender=DUG_IN | {"he": 12}, attackers=[GRENADIERS])  # 12 - 2
    assert o.defender_effect == "elimination"
    o = run("close_assault", [20, 5], defender=DUG_IN, attackers=[GRENADIERS | {"he": 14}])
    assert o.attackers[0].effect == "elimination"


@pytest.mark.rule("MA-RULING-27")
def test_minus_three_is_enough_for_either_side() -> None:
    # 1 - 4 = -3: 2D6 4 - 3 = 1 is D; the attacker 6 - 9 = -3 in turn
    steady = GRENADIERS | {"moving": False}
    assert run("close_assault", [5, 2, 2, 20], defender=DUG_IN | {"he": 1}, attackers=[steady]).defender_effect == "disorganisation"
    tank = DUG_IN | {"class": "armoured", "defence": 9}
    assert run("close_assault", [20, 5, 2, 2], defender=tank, attackers=[steady]).attackers[0].effect == "disorganisation"


@pytest.mark.rule("MA-ART-02", "MA-ART-05", "MA-AIR-01", "MA-AIR-05", "MA-AA-02")
def test_fire_that_does_not_arrive_changes_nothing() -> None:
    before = {"target_suppressed": True}
    missed = [
        run("artillery_fire", [20], mode="direct", **M109, **INFANTRY_IN_GROVE, **before),
        run("artillery_fire", [1, 20, 1, 1], mode="indirect", **M109, **INFANTRY_IN_GROVE, **before),
        run("artillery_fire", mode="indirect", **(M109 | {"he": None}), **INFANTRY_IN_GROVE, **before),
        run("strike_impact", attack_kind="air", attacker_tl=2, target_class="soft", defence=9, **before),
        run("aa_fire", [20], **ZSU, **A10, **before),
        run("aa_fire", **(ZSU | {"distance": 21}), **A10, **before),
        run("air_strike", [20], **STRIKE, **before),
        run("air_strike", [1, 20, 1, 1], **STRIKE, **before),
        run("standard_fire", [20], **T72_AT_M1, **before),
        run("standard_fire", **T72_AT_M1, **before, max_range=1),
    ]
    for o in missed:
        assert (o.result, o.effect, o.suppressed, o.disorganised, o.eliminated) == (None, "no_effect", True, False, False)


@pytest.mark.rule("MA-ART-05", "MA-AIR-05", "MA-TEST-02")
def test_a_deviation_names_its_rules() -> None:
    for kind, sides, rule in (("artillery", 8, "MA-ART-05"), ("air", 10, "MA-AIR-05")):
        _, trace = run_with_trace("deviation", [20, 3, 7], kind=kind, command_level=13)
        assert [(e.sides, e.faces, e.rule) for e in trace if isinstance(e, Roll)][1:] == [(8, (3,), rule), (sides, (7,), rule)]
        assert Note("note.natural_twenty", "MA-TEST-02") in trace


@pytest.mark.parametrize("picked", [1, 2, 11])
def test_a_target_that_is_not_there_is_refused(picked: int) -> None:
    with pytest.raises(InputError, match=f"defender_target is {picked}"):
        run("close_assault", [5], defender=DUG_IN, attackers=[GRENADIERS], defender_target=picked)
