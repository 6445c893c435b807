"""Air support and anti-aircraft fire."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play


@pytest.mark.rule("FOW-AIR-02")
def test_one_5_in_the_pool_is_enough_and_the_pool_shrinks_either_way():
    assert play("air_call", [1, 2, 5], pool=3) == {"arrived": True, "pool_after": 2, "rolls": [1, 2, 5]}
    assert play("air_call", [4, 4, 4], pool=3) == {"arrived": False, "pool_after": 2, "rolls": [4, 4, 4]}
    assert play("air_call", [], pool=0) == {"arrived": False, "pool_after": 0, "rolls": []}


@pytest.mark.rule("FOW-AIR-03")
def test_interception_on_a_6_costs_a_die():
    assert play("interception", [6], pool=2) == {"intercepted": True, "pool_after": 1, "rolls": [6]}
    assert play("interception", [5], pool=2) == {"intercepted": False, "pool_after": 1, "rolls": [5]}
    assert play("interception", [], pool=0) == {"intercepted": False, "pool_after": 0, "rolls": []}


@pytest.mark.rule("FOW-AIR-04")
@pytest.mark.parametrize(("face", "aircraft"), [(1, 1), (2, 1), (3, 2), (5, 2), (6, 3)])
def test_number_of_aircraft(face, aircraft):
    assert play("aircraft_count", [face]) == {"aircraft": aircraft, "rolls": [face]}


@pytest.mark.rule("FOW-AIR-02", "FOW-AIR-03", "FOW-AIR-04", "FOW-RULING-31")
def test_a_sortie():
    assert play("air_sortie", [5, 1, 6], pool=2) == {"result": "arrived", "aircraft": 3, "pool_after": 1, "enemy_pool_after": 0}
    assert play("air_sortie", [1, 4], pool=2, enemy_pool=3) == {"result": "no_show", "aircraft": 0, "pool_after": 1, "enemy_pool_after": 3}
    assert play("air_sortie", [5, 6], pool=1, enemy_pool=3) == {
        "result": "intercepted",
        "aircraft": 0,
        "pool_after": 0,
        "enemy_pool_after": 2,
    }
    assert play("air_sortie", [5, 5, 3], pool=1, enemy_pool=3) == {
        "result": "arrived",
        "aircraft": 2,
        "pool_after": 0,
        "enemy_pool_after": 2,
    }
    saved = play("air_sortie", [5, 3], pool=1, enemy_pool=3, intercept=False)
    assert saved == {"result": "arrived", "aircraft": 2, "pool_after": 0, "enemy_pool_after": 3}


# -- anti-aircraft fire -------------------------------------------------------------------------------------------


def flak(faces, rof=3, aircraft=2, **given):
    return play("aa_fire", faces, skill="regular", rof=rof, firepower=5, aircraft=aircraft, **given)


@pytest.mark.rule("FOW-AA-05")
def test_a_skill_test_hits_and_firepower_brings_it_down():
    # 4 hits, firepower 5 kills. 3 misses. 4 hits, firepower 4 does not.
    assert flak([4, 5, 3, 4, 4]) == {"shots": 3, "hits": 2, "destroyed": 1, "aircraft_left": 1, "rolls": [4, 5, 3, 4, 4]}


@pytest.mark.rule("FOW-AA-05")
def test_no_more_shots_when_no_aircraft_is_left():
    assert flak([4, 5], aircraft=1) == {"shots": 1, "hits": 1, "destroyed": 1, "aircraft_left": 0, "rolls": [4, 5]}
    assert flak([], aircraft=0) == {"shots": 0, "hits": 0, "destroyed": 0, "aircraft_left": 0, "rolls": []}


@pytest.mark.rule("FOW-AA-04", "FOW-RULING-32")
@pytest.mark.parametrize("aa_class", ["light", "heavy"])
def test_light_and_heavy_guns_fire_once(aa_class):
    assert flak([3], aa_class=aa_class) == {"shots": 1, "hits": 0, "destroyed": 0, "aircraft_left": 2, "rolls": [3]}


@pytest.mark.rule("FOW-AA-06")
def test_a_flying_tank_makes_firepower_be_rolled_again():
    assert flak([4, 5, 4], rof=1, flying_tank=True)["destroyed"] == 0
    assert flak([4, 5, 5], rof=1, flying_tank=True)["destroyed"] == 1
    assert flak([4, 4], rof=1, flying_tank=True)["destroyed"] == 0


@pytest.mark.rule("FOW-AA-02")
def test_transported_guns_do_not_fire():
    assert flak([], transported=True) == {"shots": 0, "hits": 0, "destroyed": 0, "aircraft_left": 2, "rolls": []}


# -- the strike ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-AIR-10", "FOW-AIR-11")
def test_air_hits_by_number_of_aircraft():
    assert play("air_hits", [4, 4, 3], to_hit=4, aircraft=1, failed_attempts=0, targets=2) == {
        "needed": 4,
        "reroll": "passed",
        "hits": 1,
        "target_hits": [True, False],
        "rolls": [4, 4, 3],
    }
    two = play("air_hits", [5, 4], to_hit=4, aircraft=2, failed_attempts=1, targets=2)
    assert (two["needed"], two["reroll"], two["target_hits"]) == (5, "none", [True, False])
    three = play("air_hits", [5, 6, 5, 5], to_hit=4, aircraft=3, failed_attempts=2, targets=2)
    assert (three["needed"], three["reroll"], three["target_hits"]) == (6, "failed", [True, False])


@pytest.mark.rule("FOW-RULING-28")
def test_5_plus_after_two_failures_is_7_and_hits_nothing():
    assert play("air_hits", [], to_hit=5, aircraft=3, failed_attempts=2, targets=2) == {
        "needed": 7,
        "reroll": "failed",
        "hits": 0,
        "target_hits": [False, False],
        "rolls": [],
    }


def strike(faces, *teams, **given):
    given = {"aircraft": 2, "weapon_class": "bomb", "to_hit": 4, "anti_tank": 5, "firepower": 3, "target_skill": "regular"} | given
    return play("air_attack", faces, teams=list(teams), **given)


TANK = {"id": "t", "save": "armoured", "armour_top": 1, "armour_side": 4, "bailed_out": False}


@pytest.mark.rule("FOW-AIR-08", "FOW-AIR-10", "FOW-AIR-13", "FOW-RULING-40")
def test_bombs_strike_the_roof():
    # Range in 3+: 2 3. To hit 4 + 1 = 5: 5. Roof 3 + 1 = 4 < 5: firepower 3: destroyed.
    assert strike([2, 3, 5, 3, 3], TANK) == {
        "ranged_in": True,
        "attempt": 2,
        "needed_range": 3,
        "needed_hit": 5,
        "hits": 1,
        "allocation": ["t"],
        "states": {"t": "destroyed"},
        "destroyed": 1,
        "bailed_out": 0,
        "pinned": False,
    }
    assert strike([3, 4, 3, 3], TANK, weapon_class="rocket")["states"] == {"t": "destroyed"}


@pytest.mark.rule("FOW-AIR-13")
@pytest.mark.parametrize("weapon_class", ["cannon", "machine_gun"])
def test_cannon_and_machine_guns_strike_the_side(weapon_class):
    assert strike([3, 4, 3], TANK, weapon_class=weapon_class)["states"] == {"t": "unhurt"}  # 3 + 4 = 7 > 5


@pytest.mark.rule("FOW-AIR-12")
def test_allocation_goes_by_the_roof_even_for_cannon():
    thin_roof = TANK | {"id": "roof", "armour_top": 0, "armour_side": 9}
    assert strike([3, 4, 1, 6], TANK, thin_roof, weapon_class="cannon")["allocation"] == ["roof"]
    dug = {"id": "dug", "save": "infantry", "dug_in": True}
    assert strike([3, 4, 1, 6], dug, TANK)["allocation"] == ["t"]


@pytest.mark.rule("FOW-AIR-14", "FOW-PIN-03")
def test_platoons_hit_from_the_air_are_pinned_armour_is_not():
    foot = {"id": "f", "save": "infantry"}
    assert strike([3, 4, 3], foot)["pinned"] is True
    assert strike([3, 3], foot)["pinned"] is False
    assert strike([3, 4, 5], TANK)["pinned"] is False


@pytest.mark.rule("FOW-AIR-11")
def test_one_aircraft_must_roll_its_hits_again_three_may_roll_misses():
    foot = {"id": "f", "save": "infantry"}
    assert strike([3, 4, 3], foot, aircraft=1)["hits"] == 0
    assert strike([3, 3, 4, 3], foot, aircraft=3)["hits"] == 1


@pytest.mark.rule("FOW-RULING-60")
def test_dug_in_teams_are_in_cover_against_bombs():
    assert strike([3, 4, 2, 2], {"id": "f", "save": "infantry", "dug_in": True})["states"] == {"f": "unhurt"}


@pytest.mark.rule("FOW-AIR-08")
def test_aircraft_that_do_not_find_the_target_or_are_shot_down():
    nothing = {
        "ranged_in": False,
        "attempt": 0,
        "needed_range": 4,
        "needed_hit": None,
        "hits": 0,
        "allocation": [],
        "states": {"t": "bailed_out"},
        "destroyed": 0,
        "bailed_out": 1,
        "pinned": False,
    }
    assert strike([3, 3, 3], TANK | {"bailed_out": True}, concealed=True) == nothing
    assert strike([], TANK | {"bailed_out": True}, concealed=True, aircraft=0) == nothing


@pytest.mark.rule("FOW-RULING-13")
def test_bailed_out_tanks_under_air_attack_test_motivation():
    tank = TANK | {"bailed_out": True}
    assert strike([3, 4, 4, 3, 3], tank, target_motivation="confident")["states"] == {"t": "destroyed"}  # 4 + 1 = 5 equal
    assert strike([3, 4, 4, 3, 3, 4], tank, target_motivation="confident", commander_joined=True)["states"] == {"t": "bailed_out"}


def test_air_attacks_that_cannot_be():
    ok = {"weapon_class": "bomb", "to_hit": 4, "anti_tank": 5, "firepower": 3, "target_skill": "regular"}
    assert_refused("air_attack", "aircraft", aircraft=4, teams=[TANK], **ok)
    assert_refused("air_attack", "two teams", aircraft=1, teams=[TANK, TANK], **ok)
    assert_refused("air_attack", "towed", aircraft=1, teams=[TANK | {"towed": True}], **ok)
    assert_refused("air_hits", "aircraft", to_hit=3, aircraft=0, failed_attempts=0, targets=1)
    assert_refused("air_call", "pool", pool=-1)
    assert_refused("aircraft_count", "unknown field", pool=1)
