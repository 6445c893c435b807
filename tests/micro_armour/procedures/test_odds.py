"""Exact odds: against hand-worked fractions, against brute force, and against dice rolled in play."""

from __future__ import annotations

from fractions import Fraction
from operator import attrgetter
from typing import Any

import pytest

from micro_armour.procedures.rolls import odds
from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.kernel.dice import Seeded
from sandtable.kernel.procedures import Outcome
from sandtable.odds import distribution, every_face

F = Fraction


# -- worked by hand -----------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-TEST-01", "MA-TEST-02")
def test_command_test_at_13_suppressed_passes_on_9_or_less() -> None:
    found = odds("command_test", "passed", "natural", command_level=13, suppressed=True)
    assert found == {(True, "one"): F(1, 20), (True, "none"): F(8, 20), (False, "none"): F(10, 20), (False, "twenty"): F(1, 20)}


@pytest.mark.rule("MA-TEST-02")
def test_a_hopeless_test_still_passes_once_in_twenty_and_a_safe_one_fails_once() -> None:
    assert odds("command_test", "passed", command_level=1, other_modifier=30) == {True: F(1, 20), False: F(19, 20)}
    assert odds("command_test", "passed", command_level=20, other_modifier=-30) == {True: F(19, 20), False: F(1, 20)}


@pytest.mark.rule("MA-INIT-01")
def test_initiative_between_equals() -> None:
    # two sums of 2D6 are equal in (1+4+9+16+25+36+25+16+9+4+1) = 146 of 1296 ways
    assert odds("initiative", "winner", level_a=13, level_b=13) == {"a": F(575, 1296), "b": F(575, 1296), "tie": F(146, 1296)}


@pytest.mark.rule("MA-CMD-01")
def test_orders_of_generation_four_with_command_value_one() -> None:
    # 2D6 + 3 is 5..15. Orders 1: 5, 6 (1+2 ways); 2: 7, 8 (3+4); 3: 9, 10 (5+6); 4: 11, 12 (5+4); 5: 13 (3); 6: 14, 15 (2+1)
    assert odds("command_effectiveness", "orders", command_value=1, generation=4) == {
        1: F(3, 36),
        2: F(7, 36),
        3: F(11, 36),
        4: F(9, 36),
        5: F(3, 36),
        6: F(3, 36),
    }


@pytest.mark.rule("MA-CRT-01")
def test_the_column_zero_with_plain_dice() -> None:
    # D on 2-4 (1+2+3), (S) on 5-6 (4+5), S on 7-8 (6+5), weak on 9-12 (4+3+2+1)
    assert odds("combat_roll", "result", advantage=0, attacker_tl=3, target_class="soft") == {
        "disorganisation": F(6, 36),
        "hard_suppression": F(9, 36),
        "suppression": F(11, 36),
        "weak_suppression": F(10, 36),
    }


@pytest.mark.rule("MA-CRT-10", "MA-CRT-11")
def test_effects_at_plus_four_on_a_suppressed_and_disorganised_target() -> None:
    # E on 2-5 (10), D on 6-9 (20) eliminates too, (S) on 10-11 (5) as well; only 12 (S) is left: 35/36 gone
    found = odds(
        "combat_roll", "eliminated", advantage=4, attacker_tl=3, target_class="soft", target_suppressed=True, target_disorganised=True
    )
    assert found == {True: F(35, 36), False: F(1, 36)}


@pytest.mark.rule("MA-FIRE-03", "MA-FIRE-07")
def test_a_t72_at_an_m1a1_fourteen_inches_away() -> None:
    # level 13: passes 13/20. +1 with +1 for range: sum 2-11 in row sum + 1. E: rows to 2: none. D: rows 3-6, sums 2-5: 10 ways;
    # (S): rows 7-8, sums 6-7: 11; S: rows 9-10, sums 8-9: 9; weak: sums 10-12: 6, which suppresses at TL3.
    found = odds("standard_fire", "effect", command_level=13, attacker_tl=3, ap=11, distance=14, target_class="armoured", defence=10)
    assert found == {"no_effect": F(7, 20), "disorganisation": F(13, 20) * F(10, 36), "suppression": F(13, 20) * F(26, 36)}


@pytest.mark.rule("MA-RULING-46", "MA-FIRE-02")
def test_two_sure_shots_at_a_helicopter() -> None:
    # Each passes 19/20. 10 - 4 = +6 at 10 inches, TL3: no modifier. E on 2-8: 26/36, D on 9-12: 10/36.
    # Gone: first shot E, or first D and second anything (D on D is E), or first misses its test and second E.
    # p = 19/20, e = 26/36: pe + p(1-e)p + (1-p)pe
    p, e = F(19, 20), F(26, 36)
    gun = {"command_level": 19, "attacker_tl": 3, "he": 10, "distance": 10}
    found = odds("standard_attack", "eliminated", target={"target_class": "helicopter", "defence": 4}, firers=[gun, gun])
    assert found[True] == p * e + p * (1 - e) * p + (1 - p) * p * e


@pytest.mark.rule("MA-ART-04", "MA-ART-05")
def test_stages_of_an_indirect_mission() -> None:
    # level 15, grove +2 on personnel: 13/20 fire, 15/20 of those on target
    found = odds(
        "artillery_fire",
        "stage",
        mode="indirect",
        command_level=15,
        attacker_tl=4,
        he=8,
        target_class="personnel",
        defence=4,
        target_terrain=["grove"],
    )
    assert found == {"test_failed": F(7, 20), "deviated": F(13, 20) * F(5, 20), "resolved": F(13, 20) * F(15, 20)}


@pytest.mark.rule("MA-ART-05")
def test_every_place_of_a_deviation_is_equally_likely() -> None:
    found = odds("deviation", "direction", "distance", kind="artillery", command_level=12)
    assert found[(None, None)] == F(12, 20)
    assert found[("sw", 3.5)] == F(8, 20) / 64
    assert len(found) == 65


@pytest.mark.rule("MA-AIR-01", "MA-AIR-04")
def test_an_a10_gets_through() -> None:
    # 15/20 and, suppressed, 11/20; 10 - 2 = +8: E on 2-10: 33/36
    found = odds(
        "air_strike", "eliminated", command_level=15, attacker_tl=4, ap=10, air_suppressed=True, target_class="armoured", defence=8
    )
    assert found[True] == F(15, 20) * F(11, 20) * F(33, 36)


@pytest.mark.rule("MA-OVER-02", "MA-OVER-03")
def test_one_tank_overruns_motor_rifles() -> None:
    # level 13, tracked +3: fails 10/20; +6: E on 2-8 (26/36), D on the rest
    found = odds(
        "overrun", "defender_effects", defender={"command_level": 13, "tl": 3}, attackers=[{"command_level": 15, "tl": 4, "tracked": True}]
    )
    assert found == {(): F(1, 2), ("elimination",): F(1, 2) * F(26, 36), ("disorganisation",): F(1, 2) * F(10, 36)}


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-04")
def test_engineers_storm_a_moving_defender() -> None:
    # No shot by a moving defender, which defends at half: 5 - 2 = +3. Test 15/20.
    # 2D6 - 6: rows 0 (sums to 6: 15 ways) to 6; E to row 4, sums to 10: 33/36; D rows 5, 6: 3/36
    found = odds(
        "close_assault",
        "defender",
        defender={"command_level": 13, "tl": 3, "he": 5, "defence": 4, "class": "personnel", "moving": True},
        attackers=[{"command_level": 15, "tl": 3, "he": 5, "defence": 4, "class": "personnel", "engineer_or_type_s": True}],
    )
    by_state = {(unit.disorganised, unit.eliminated): p for unit, p in found.items()}
    assert by_state == {(False, False): F(5, 20), (False, True): F(15, 20) * F(33, 36), (True, False): F(15, 20) * F(3, 36)}


@pytest.mark.rule("MA-MARK-03", "MA-MARK-04", "MA-MARK-05", "MA-RULING-28")
def test_marker_removal_at_13_with_both_markers() -> None:
    # 1: both go; 2-6: S goes; 7-19: nothing; 20: panic
    found = odds("marker_removal", "recovered", "regrouped", "panicked", command_level=13, suppressed=True, disorganised=True)
    assert found == {
        (True, True, False): F(1, 20),
        (True, False, False): F(5, 20),
        (False, False, False): F(13, 20),
        (False, False, True): F(1, 20),
    }


@pytest.mark.rule("MA-RULING-29")
def test_optional_recovery_has_the_chance_of_the_basic_one_up_to_the_natural_one() -> None:
    for level in range(10, 21):
        basic = odds("marker_removal", "recovered", command_level=level, suppressed=True)[True]
        optional = odds("marker_removal_optional", "recovered", command_level=level, suppressed=True)[True]
        assert basic == optional == F(level - 4, 20)


@pytest.mark.rule("MA-AIR-06")
def test_every_unit_is_picked_alike() -> None:
    assert odds("random_pick", "index", count=7) == {index: F(1, 7) for index in range(7)}


# -- brute force --------------------------------------------------------------------------------------------------

UNIT: dict[str, Any] = {"command_level": 12, "tl": 2}
FIGHTER = UNIT | {"ap": 5, "he": 5, "defence": 4, "class": "personnel"}
TARGET: dict[str, Any] = {"target_class": "personnel", "defence": 5, "target_terrain": ["grove"]}
GUN: dict[str, Any] = {"command_level": 12, "attacker_tl": 2, "he": 6, "ap": 3}

SMALL: dict[str, list[dict[str, Any]]] = {
    "range_effect": [{"tl": 5, "distance": 13.5}],
    "terrain_effect": [{"target_class": "personnel", "target_terrain": ["forest", "wire"], "target_fired": True}],
    "combat_advantage": [{"target_class": "personnel", "he": 5, "defence": 5, "target_moving": True}],
    "aa_column_shift": [{"aa_tl": 1, "air_tl": 4, "advantage": 1}],
    "movement_allowance": [{"movement": 11, "tl": 2, "attempted_fire": True}],
    "movement_cost": [{"mobility": "foot", "legs": [{"terrain": "forest", "inches": 2, "features": ["smoke"]}]}],
    "fire_eligibility": [{"phase": "fire_first", "tl": 3}],
    "command_test": [{"command_level": 12, "suppressed": True}, {"command_level": 3, "other_modifier": 9}],
    "initiative": [{"level_a": 15, "level_b": 13}],
    "command_effectiveness": [{"generation": 4, "command_value": 2}, {"ghq_alive": False}],
    "movement_test": [{"command_level": 12, "in_wire": True}, {"command_level": 20, "ordered": True, "attached_hqs": 3}],
    "random_pick": [{"count": 5}, {"count": 1}],
    "deviation": [{"kind": "artillery", "command_level": 12}, {"kind": "air", "command_level": 12, "disorganised": True}],
    "combat_roll": [
        {
            "advantage": advantage,
            "roll_modifier": modifier,
            "attacker_tl": tl,
            "target_class": kind,
            "target_suppressed": hurt,
            "attack_kind": how,
        }
        for advantage, modifier, tl, kind, hurt, how in (
            (0, 0, 2, "soft", True, "standard"),
            (9, -4, 3, "armoured", False, "standard"),
            (-3, 3, 1, "helicopter", False, "aa"),
            (-4, 0, 1, "soft", False, "air"),
            (12, 0, 1, "soft", False, "overrun"),
        )
    ],
    "standard_fire": [GUN | TARGET | {"distance": 9}, GUN | TARGET | {"distance": 9, "he": None}, GUN | TARGET | {"distance": 9, "he": 15}],
    # Low levels where a passed test rolls on, high ones where a failed test does: fewer faces for the brute-force twin.
    "standard_attack": [
        {
            "target": TARGET,
            "firers": [GUN | {"distance": 3, "command_level": 4}, GUN | {"distance": 12, "attacker_tl": 3, "command_level": 5}],
        },
        {"target": TARGET, "firers": [GUN | {"distance": 3, "he": None}, GUN | {"distance": 3}]},
    ],
    "strike_impact": [{"attack_kind": "artillery", "attacker_tl": 2, "he": 6} | TARGET, {"attack_kind": "air", "attacker_tl": 2} | TARGET],
    "artillery_fire": [{"mode": "direct"} | GUN | TARGET, {"mode": "direct", "mortar": True} | GUN | TARGET],
    "aa_fire": [{"command_level": 12, "aa_tl": 3, "he": 6, "distance": 12, "air_tl": 4, "air_defence": 4, "target_class": "helicopter"}],
    "air_strike": [GUN | TARGET | {"air_suppressed": True}],
    "overrun": [{"defender": UNIT | {"command_level": 19}, "attackers": [UNIT | {"tracked": True, "command_level": 18}]}],
    "close_assault": [
        {"defender": FIGHTER | {"terrain_roll_modifier": 4, "command_level": 3}, "attackers": [FIGHTER | {"command_level": 6}]},
        {"defender": FIGHTER | {"moving": True}, "attackers": [FIGHTER | {"closed": True}, FIGHTER | {"declines": True}]},
    ],
    "marker_removal": [{"command_level": 12, "suppressed": s, "disorganised": d} for s in (False, True) for d in (False, True)],
    "marker_removal_optional": [{"command_level": 12, "suppressed": s, "disorganised": d} for s in (False, True) for d in (False, True)],
}


def without_dice(value: Any) -> Any:
    """An outcome without the fields that repeat dice, also inside."""
    if isinstance(value, Outcome):
        kept = [name for name in value.__struct_fields__ if name not in value.dice_fields]
        return tuple((name, without_dice(getattr(value, name))) for name in kept)
    return tuple(map(without_dice, value)) if isinstance(value, tuple) else value


def test_every_procedure_is_checked() -> None:
    assert set(SMALL) == set(PROCEDURES)


@pytest.mark.parametrize(("name", "number"), [(name, number) for name, cases in SMALL.items() for number in range(len(cases))])
def test_odds_equal_their_brute_force_twin(name: str, number: int) -> None:
    procedure = PROCEDURES[name]
    facts = procedure.read(SMALL[name][number])
    exact = distribution(procedure.run, facts)
    for outcome in exact:
        assert all(getattr(outcome, field) is None for field in outcome.dice_fields)
    assert exact.map(without_dice) == every_face(procedure.run, facts, project=without_dice)
    assert sum(p for _, p in exact.items()) == 1


@pytest.mark.parametrize("name", ["standard_attack", "overrun", "close_assault", "artillery_fire"])
def test_odds_of_one_field_agree_with_the_odds_of_all(name: str) -> None:
    procedure = PROCEDURES[name]
    for case in SMALL[name]:
        facts = procedure.read(case)
        whole = distribution(procedure.run, facts)
        for field in procedure.outcome.__struct_fields__:
            if field not in procedure.outcome.dice_fields:
                picked = {value: p for (value,), p in distribution(procedure.run, facts, fields=[field]).items()}
                assert picked == dict(whole.map(attrgetter(field)).items())


def test_an_attack_by_four_is_four_shots_in_a_row() -> None:
    """The twin of `standard_attack`: single shots, one after another, merged by hand."""
    attack, shot = PROCEDURES["standard_attack"], PROCEDURES["standard_fire"]
    firers = [GUN | {"distance": distance, "attacker_tl": tl} for distance, tl in ((3, 1), (9, 2), (15, 3), (30, 4))]
    states: dict[tuple[bool, bool, bool], Fraction] = {(False, False, False): F(1)}
    for firer in firers:
        after: dict[tuple[bool, bool, bool], Fraction] = {}
        for (suppressed, disorganised, eliminated), chance in states.items():
            if eliminated:
                after[suppressed, disorganised, True] = after.get((suppressed, disorganised, True), F(0)) + chance
                continue
            facts = shot.read(firer | TARGET | {"target_suppressed": suppressed, "target_disorganised": disorganised})
            for state, p in every_face(shot.run, facts, project=lambda o: (o.suppressed, o.disorganised, o.eliminated)).items():
                after[state] = after.get(state, F(0)) + chance * p
        states = after
    found = distribution(attack.run, attack.read({"target": TARGET, "firers": firers}), fields=["suppressed", "disorganised", "eliminated"])
    assert dict(found.items()) == states


# -- dice in play -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["command_test", "standard_attack", "artillery_fire", "overrun", "close_assault", "marker_removal"])
def test_dice_in_play_follow_the_odds(name: str) -> None:
    """Chi-square over 3,000 games with a fixed seed, rare outcomes thrown together; limit at about 1 in 10,000."""
    procedure = PROCEDURES[name]
    facts = procedure.read(SMALL[name][-1])
    exact = distribution(procedure.run, facts).map(without_dice)
    dice = Seeded(f"micro armour {name}", tracing=False)
    games = 3000
    seen: dict[Any, int] = {}
    for _ in range(games):
        outcome = without_dice(procedure.run(facts, dice))
        seen[outcome] = seen.get(outcome, 0) + 1
    assert set(seen) <= set(exact)
    expected = {outcome: float(p) * games for outcome, p in exact.items()}
    common = [outcome for outcome, number in expected.items() if number >= 10]
    rare = games - sum(expected[outcome] for outcome in common)
    chi = sum((seen.get(o, 0) - expected[o]) ** 2 / expected[o] for o in common)
    if rare >= 10:
        chi += (games - sum(seen.get(o, 0) for o in common) - rare) ** 2 / rare
    freedom = len(common) - 1 + (rare >= 10)
    assert chi < freedom * (1 - 2 / (9 * freedom) + 3.8 * (2 / (9 * freedom)) ** 0.5) ** 3  # Wilson and Hilferty


def test_odds_with_six_attackers_stay_quick() -> None:
    gun = GUN | {"distance": 12}
    found = odds("standard_attack", "suppressed", "disorganised", "eliminated", target=TARGET, firers=[gun] * 6)
    assert sum(found.values()) == 1
    found = odds("overrun", "defender", defender=UNIT, attackers=[UNIT | {"tracked": True}] * 6)
    assert sum(found.values()) == 1
    found = odds("close_assault", "defender", defender=FIGHTER, attackers=[FIGHTER] * 6)
    assert sum(found.values()) == 1
