"""Probabilities worked out by hand, and seeded dice against exact odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from tests.flames_of_war.procedures.table import odds

from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.kernel.dice import Seeded
from sandtable.odds import distribution


def F(text: str) -> Fraction:
    return Fraction(text)


# -- by hand ------------------------------------------------------------------------------------------------------


def test_firepower_5_against_a_flying_tank_is_a_third_twice():
    assert odds("firepower_test", "passed", firepower=5, reroll_passed=True)[True] == F("1/9")


def test_confident_with_a_commander_is_three_quarters():
    found = odds("motivation_test", "passed", "rerolled", motivation="confident", commander_joined=True)
    assert found == {(True, False): F("1/2"), (True, True): F("1/4"), (False, True): F("1/4")}


def test_ranging_in_on_a_concealed_veteran_5_plus():
    found = odds("range_in", "attempt", target_skill="veteran", concealed=True)
    assert found == {1: F("1/3"), 2: F("2/9"), 3: F("4/27"), 0: F("8/27")}


def test_armour_6_against_10_with_firepower_4():
    # 5, 6 higher: 1/3. 4 equal: 1/6, half of it bails out. 1 to 3 lower: 1/2, half destroyed, half bailed out.
    found = odds("armour_save", "result", armour=6, anti_tank=10, firepower=4)
    assert found == {"no_effect": F("5/12"), "bailed_out": F("1/3"), "destroyed": F("1/4")}


def test_a_tank_bailed_out_before():
    # Of the 1/3 that would bail out, half (confident) are abandoned: 1/4 + 1/6.
    found = odds("armour_save", "result", armour=6, anti_tank=10, firepower=4, bailed_out=True, motivation="confident")
    assert found == {"no_effect": F("5/12"), "bailed_out": F("1/6"), "destroyed": F("5/12")}


def test_the_sporadic_pool_of_three_dice():
    assert odds("air_call", "arrived", pool=3)[True] == 1 - F("8/27")


def test_infantry_in_cover_against_firepower_6():
    assert odds("team_save", "result", target="infantry", bulletproof=True)["destroyed"] == F("1/18")


def test_six_guns_of_veterans_hit_everybody_with_eight_ninths_each():
    assert odds("template_hits", "hits", skill="veteran", guns=6, failed_attempts=0, targets=3)[3] == F("512/729")


def test_a_single_gun_of_regulars_needs_5_twice():
    found = odds("template_hits", "hits", skill="regular", guns=1, failed_attempts=0, targets=2)
    assert found == {0: F("64/81"), 1: F("16/81"), 2: F("1/81")}


def test_two_passengers_two_results():
    found = odds("passenger_save", "survivors", passengers=2, destroyed_results=2)
    assert found == {0: F("64/81"), 1: F("16/81"), 2: F("1/81")}


def test_two_rifle_shots_at_infantry_in_the_open():
    # Each die kills with 2/3 x 1/3 = 2/9: 1 - (7/9)^2.
    given = {"shooter": {"rof": 2, "anti_tank": 2, "firepower": 6}, "target": {"skill": "regular", "save": "infantry"}, "distance_in": 8}
    assert odds("direct_shot", "final_state", **given) == {"destroyed": F("32/81"), "unhurt": F("49/81")}


def test_nine_machine_gun_dice_pin_a_platoon():
    # At least 5 of 9 at 2/3: (126 x 32 + 84 x 64 + 36 x 128 + 9 x 256 + 512) / 3^9.
    mg = {"rof": 3, "anti_tank": 2, "firepower": 6, "distance_in": 10}
    targets = [{"id": str(n), "kind": "infantry", "save": "infantry"} for n in range(6)]
    found = odds("platoon_fire", "pinned", shooters=[mg] * 3, targets=targets, target_skill="regular")
    assert found[True] == F("16832/19683")


def test_two_targets_of_three_machine_gun_dice():
    # h hits of 3 at 2/3: 1/27, 6/27, 12/27, 8/27. A hit kills with 1/3. Two teams:
    # 1 hit: 1 dead 1/3. 2 hits, one each: both dead 1/9. 3 hits, 2 and 1: both dead (1 - 4/9) x 1/3 = 5/27.
    mg = {"rof": 3, "anti_tank": 2, "firepower": 6, "distance_in": 10}
    targets = [{"id": str(n), "kind": "infantry", "save": "infantry"} for n in range(2)]
    found = odds("platoon_fire", "destroyed", shooters=[mg], targets=targets, target_skill="regular")
    assert found[2] == F("12/27") * F("1/9") + F("8/27") * F("5/27")
    assert found[0] == F("1/27") + F("6/27") * F("2/3") + F("12/27") * F("4/9") + F("8/27") * F("8/27")


def test_one_team_against_one_team_two_strikes():
    given = {"teams": 1, "kind": "infantry", "skill": "regular", "motivation": "confident"}
    found = odds("assault", "outcome", attacker=given, defender=given, max_strikes=2)
    assert found == {"attacker_wins": F("1/2"), "defender_wins": F("1/4"), "unresolved": F("1/4")}


def test_a_sortie_against_fighters():
    found = odds("air_sortie", "result", "aircraft", pool=1, enemy_pool=1)
    assert found == {
        ("no_show", 0): F("2/3"),
        ("intercepted", 0): F("1/18"),
        ("arrived", 1): F("5/54"),  # 1/3 x 5/6 x 1/3
        ("arrived", 2): F("5/36"),
        ("arrived", 3): F("5/108"),
    }


def test_two_shots_of_veteran_flak_at_one_aircraft():
    # 2/3 x 1/2 = 1/3 a shot; a flying tank 2/3 x 1/4 = 1/6.
    given = {"skill": "veteran", "rof": 2, "firepower": 4, "aircraft": 1}
    assert odds("aa_fire", "destroyed", **given)[1] == F("5/9")
    assert odds("aa_fire", "destroyed", flying_tank=True, **given)[1] == F("11/36")


def test_a_bombardment_of_one_team():
    # At the first attempt 2/3 x 1/2, second 2/9 x 1/3, third 2/27 x 1/6: 34/81 hits, of which 1/3 destroy.
    given = {"skill": "regular", "guns": 4, "anti_tank": 4, "firepower": 4, "target_skill": "regular"}
    teams = [{"id": "a", "save": "infantry"}]
    assert odds("bombardment", "pinned", teams=teams, **given)[True] == F("34/81")
    assert odds("bombardment", "destroyed", teams=teams, **given)[1] == F("34/243")


def test_a_strike_of_two_veterans_on_one_tank():
    # Hits 0, 1, 2: 1/9, 4/9, 4/9. One hit: destroyed 1/3 (die 1, 2), bailed out 1/6 (3). Two: destroyed 5/9, unhurt 1/4.
    given = {"teams": 2, "skill": "veteran", "target_teams": 1, "target_armoured": True, "armour_top": 1, "assault_at": 4}
    found = odds("assault_strike", "destroyed", "bailed_out", **given)
    assert found == {(1, 0): F("32/81"), (0, 1): F("13/81"), (0, 0): F("36/81")}


def test_ten_on_ten_adds_up():
    gun = {"rof": 2, "anti_tank": 11, "firepower": 3, "distance_in": 20}
    targets = [{"id": str(n), "kind": "tank", "save": "armoured", "armour": 6} for n in range(10)]
    given = {"shooters": [gun] * 10, "targets": targets, "target_skill": "regular", "target_motivation": "confident"}
    found = odds("platoon_fire", "destroyed", "bailed_out", "pinned", **given)
    assert sum(found.values()) == 1
    # Nobody hit at all is (1/2)^20; the chance that all are unhurt is greater, and no tank platoon is pinned.
    assert found[0, 0, False] > F("1/1048576") and not any(pinned for _, _, pinned in found)


# -- seeded dice --------------------------------------------------------------------------------------------------

PLAYS = 3000

SEEDED = {
    "armour_save": ({"armour": 6, "anti_tank": 10, "firepower": 4, "bailed_out": True, "motivation": "confident"}, ("result", "abandoned")),
    "bombardment": (
        {
            "skill": "regular",
            "guns": 6,
            "anti_tank": 4,
            "firepower": 4,
            "target_skill": "regular",
            "teams": [{"id": str(n), "save": "infantry"} for n in range(4)],
        },
        ("hits",),
    ),
    "platoon_fire": (
        {
            "shooters": [{"rof": 3, "anti_tank": 2, "firepower": 6, "distance_in": 10}] * 2,
            "targets": [{"id": str(n), "kind": "infantry", "save": "infantry", "concealed": True} for n in range(4)],
            "target_skill": "regular",
        },
        ("destroyed", "pinned"),
    ),
    "assault": (
        {
            "attacker": {"teams": 4, "kind": "infantry", "skill": "veteran", "motivation": "confident"},
            "defender": {"teams": 4, "kind": "infantry", "skill": "regular", "motivation": "fearless"},
            "defensive_fire": {"shots": 6, "needed": 4, "anti_tank": 2, "firepower": 6},
        },
        ("outcome",),
    ),
    "aa_fire": ({"skill": "regular", "rof": 4, "firepower": 5, "aircraft": 2}, ("hits", "destroyed")),
    "air_sortie": ({"pool": 3, "enemy_pool": 2}, ("result", "aircraft")),
}


@pytest.mark.parametrize("name", sorted(SEEDED))
def test_seeded_dice_follow_the_exact_odds(name):
    given, fields = SEEDED[name]
    known = PROCEDURES[name]
    facts = known.read(given)
    exact = distribution(known.run, facts, fields=fields)
    dice = Seeded(f"flames of war: {name}", tracing=False)
    seen: Counter[tuple] = Counter()
    for _ in range(PLAYS):
        outcome = known.run(facts, dice)
        seen[tuple(getattr(outcome, field) for field in fields)] += 1
    assert set(seen) <= set(exact)
    chi, cells, rest_seen, rest_expected = 0.0, 0, 0.0, 0.0
    for value, p in exact.items():
        expected = float(p) * PLAYS
        if expected < 5:  # rare outcomes together
            rest_seen, rest_expected = rest_seen + seen[value], rest_expected + expected
        else:
            chi, cells = chi + (seen[value] - expected) ** 2 / expected, cells + 1
    if rest_expected >= 1:
        chi, cells = chi + (rest_seen - rest_expected) ** 2 / rest_expected, cells + 1
    freedom = cells - 1
    limit = freedom * (1 - 2 / (9 * freedom) + 3.1 * sqrt(2 / (9 * freedom))) ** 3  # one in a thousand, Wilson and Hilferty
    assert chi < limit, (chi, limit)
