"""Direct fire: concealment, cover, dice, scores, shots and platoons."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play, trace

# -- concealment --------------------------------------------------------------------------------------------------


def hidden(kind, **given):
    found = play("concealment", kind=kind, **given)
    assert set(found) == {"concealed", "gone_to_ground"}
    return found["concealed"], found["gone_to_ground"]


NOT, CONCEALED, GROUND = (False, False), (True, False), (True, True)


def test_a_tank_in_the_open_is_not_concealed():
    assert hidden("vehicle") == NOT
    assert hidden("gun") == NOT
    assert hidden("cavalry") == NOT


@pytest.mark.parametrize(
    "cover",
    [
        pytest.param("terrain_hides_half", marks=pytest.mark.rule("FOW-CONC-01")),
        pytest.param("in_concealing_terrain", marks=pytest.mark.rule("FOW-CONC-02", "FOW-RULING-10")),
        pytest.param("behind_obstacle", marks=pytest.mark.rule("FOW-CONC-07")),
        pytest.param("in_building", marks=pytest.mark.rule("FOW-CONC-06")),
        pytest.param("dug_in", marks=pytest.mark.rule("FOW-RULING-14")),
        pytest.param("in_smoke", marks=pytest.mark.rule("FOW-CONC-08")),
        pytest.param("shooter_in_smoke", marks=pytest.mark.rule("FOW-CONC-08")),
    ],
)
def test_each_kind_of_cover_conceals_even_what_moved(cover):
    assert hidden("vehicle", moved=True, **{cover: True}) == CONCEALED


@pytest.mark.rule("FOW-CONC-03")
def test_foot_teams_that_did_not_move_are_concealed_in_the_open():
    assert hidden("infantry", shot=True) == CONCEALED
    assert hidden("man_packed_gun", shot=True) == CONCEALED
    assert hidden("infantry", moved=True) == NOT
    assert hidden("infantry", at_the_double=True) == NOT  # that is a move too
    assert hidden("gun", shot=True) == NOT


@pytest.mark.rule("FOW-CONC-04")
def test_concealed_teams_that_neither_moved_nor_shot_are_gone_to_ground():
    assert hidden("infantry") == GROUND
    assert hidden("vehicle", in_concealing_terrain=True) == GROUND
    assert hidden("vehicle", in_concealing_terrain=True, shot=True) == CONCEALED
    assert hidden("vehicle", in_concealing_terrain=True, moved=True) == CONCEALED
    assert hidden("vehicle", in_concealing_terrain=True, assaulted=True) == CONCEALED


@pytest.mark.rule("FOW-CONC-05", "FOW-OBS-04", "FOW-RULING-15")
@pytest.mark.parametrize("trait", ["recon", "observer"])
def test_recon_and_observers_may_move_and_be_gone_to_ground(trait):
    assert hidden("vehicle", behind_obstacle=True, moved=True, **{trait: True}) == GROUND
    assert hidden("vehicle", behind_obstacle=True, at_the_double=True, **{trait: True}) == CONCEALED
    assert hidden("vehicle", behind_obstacle=True, moved=True, shot=True, **{trait: True}) == CONCEALED
    assert hidden("vehicle", behind_obstacle=True, moved=True, assaulted=True, **{trait: True}) == CONCEALED
    assert hidden("vehicle", moved=True, **{trait: True}) == NOT


@pytest.mark.rule("FOW-REC-01")
def test_a_spotted_team_is_no_longer_gone_to_ground():
    assert hidden("infantry", spotted=True) == CONCEALED


# -- bulletproof cover --------------------------------------------------------------------------------------------


def bulletproof(**given):
    return play("bulletproof_cover", **given) == {"bulletproof": True}


@pytest.mark.rule("FOW-CONC-06")
def test_a_building_is_cover_unless_the_shooter_stands_at_an_opening():
    assert bulletproof(in_building=True)
    assert not bulletproof(in_building=True, shooter_at_opening=True)
    assert bulletproof(in_building=True, shooter_at_opening=True, dug_in=True)
    assert not bulletproof()


@pytest.mark.rule("FOW-SAVE-10")
def test_a_gun_shield_protects_from_the_front_against_shooting_only():
    assert bulletproof(gun_shield=True)
    assert not bulletproof(gun_shield=True, hit_from_front=False)
    assert not bulletproof(gun_shield=True, at_the_double=True)
    assert not bulletproof(gun_shield=True, attack="artillery")


@pytest.mark.rule("FOW-RULING-60")
def test_dug_in_and_buildings_count_against_bombs_shields_do_not():
    assert bulletproof(dug_in=True, attack="artillery")
    assert bulletproof(dug_in=True, attack="air")
    assert bulletproof(in_building=True, attack="air")
    assert not bulletproof(gun_shield=True, attack="air")


@pytest.mark.rule("FOW-ASLT-11")
def test_nothing_is_cover_in_an_assault():
    assert not bulletproof(dug_in=True, in_building=True, gun_shield=True, attack="assault")


# -- dice ---------------------------------------------------------------------------------------------------------


def shots(rof, **given):
    return play("shot_dice", rof=rof, **given)


def fires(dice, rof_used=None, after=0):
    return {"dice": dice, "dice_after": after, "rof_used": dice if rof_used is None else rof_used, "reason": "ok"}


def silent(reason):
    return {"dice": 0, "dice_after": 0, "rof_used": 0, "reason": reason}


@pytest.mark.rule("FOW-DICE-01")
def test_one_die_a_point_of_rof():
    assert shots(3) == fires(3)


@pytest.mark.rule("FOW-DICE-02")
def test_moved_is_rof_1():
    assert shots(3, moved=True) == fires(1)


@pytest.mark.rule("FOW-DICE-03", "FOW-DBL-10")
def test_dice_against_a_doubling_platoon_are_doubled_after_reductions():
    assert shots(3, target_at_the_double=True) == fires(6, rof_used=3)
    assert shots(3, moved=True, target_at_the_double=True) == fires(2, rof_used=1)


@pytest.mark.rule("FOW-DICE-04")
def test_passengers_do_not_shoot():
    assert shots(3, passenger=True, bailed_out=True, bogged=True, at_the_double=True) == silent("passenger")


@pytest.mark.rule("FOW-BAIL-01")
def test_bailed_out_crews_do_not_shoot():
    assert shots(3, bailed_out=True, bogged=True, at_the_double=True) == silent("bailed_out")


@pytest.mark.rule("FOW-BOG-05")
def test_bogged_teams_do_not_shoot():
    assert shots(3, bogged=True, at_the_double=True) == silent("bogged")


@pytest.mark.rule("FOW-DBL-07")
def test_no_shooting_at_the_double_except_defensive_fire():
    assert shots(3, at_the_double=True) == silent("at_the_double")
    assert shots(3, at_the_double=True, defensive_fire=True) == fires(3)


@pytest.mark.rule("FOW-DICE-05")
def test_mounted_cavalry_has_rof_1_and_after_moving_shoots_4_inches_far():
    assert shots(3, mounted_cavalry=True, distance_in=16) == fires(1)
    assert shots(3, mounted_cavalry=True, moved=True, distance_in=4) == fires(1)
    assert shots(3, mounted_cavalry=True, moved=True, distance_in=4.1) == silent("cavalry_too_far")
    assert shots(3, mounted_cavalry=True, moved=True, distance_in=4.1, defensive_fire=True) == fires(1)


@pytest.mark.rule("FOW-DICE-06", "FOW-PIN-04")
def test_pinned_is_rof_1_but_not_for_armour():
    assert shots(3, pinned=True) == fires(1)
    assert shots(3, pinned=True, armoured=True) == fires(3)


@pytest.mark.rule("FOW-PIN-03")
def test_armour_that_moved_is_rof_1_pinned_or_not():
    assert shots(3, pinned=True, armoured=True, moved=True) == fires(1)


@pytest.mark.rule("FOW-ASLT-07", "FOW-RULING-41")
def test_defensive_fire_is_at_full_rof_unless_pinned():
    assert shots(3, moved=True, defensive_fire=True) == fires(3)
    assert shots(3, moved=True, pinned=True, defensive_fire=True) == fires(1)


@pytest.mark.rule("FOW-REC-03")
def test_one_shot_each_at_disengaging_recon_the_rest_waits():
    assert shots(3, target_disengaging=True) == fires(1, rof_used=3, after=2)
    assert shots(3, target_disengaging=True, target_at_the_double=True) == fires(2, rof_used=3, after=4)


@pytest.mark.rule("FOW-REC-04", "FOW-RULING-26")
def test_rof_1_does_not_shoot_at_disengaging_recon_at_all():
    nothing = {"dice": 0, "dice_after": 0, "rof_used": 1, "reason": "disengaging_rof_1"}
    assert shots(1, target_disengaging=True) == nothing
    assert shots(3, moved=True, target_disengaging=True) == nothing  # reduced to 1 counts
    assert shots(3, pinned=True, target_disengaging=True) == nothing


# -- scores -------------------------------------------------------------------------------------------------------


def score(target_skill, distance_in=10, **given):
    return play("to_hit_score", target_skill=target_skill, distance_in=distance_in, **given)


@pytest.mark.rule("FOW-HIT-01")
def test_a_conscript_is_hit_on_2_a_regular_on_3_a_veteran_on_4():
    assert score("conscript") == {"needed": 2, "modifiers": [], "possible": True}
    assert score("regular")["needed"] == 3
    assert score("veteran")["needed"] == 4


@pytest.mark.rule("FOW-HIT-02")
def test_a_veteran_concealed_at_17_inches_needs_6():
    assert score("veteran", 17, concealed=True) == {"needed": 6, "modifiers": ["long_range", "concealed"], "possible": True}
    assert score("veteran", 16, concealed=True)["needed"] == 5  # 16 is not beyond 16


@pytest.mark.rule("FOW-HIT-02")
def test_everything_against_a_veteran_is_8_and_impossible():
    assert score("veteran", 20, concealed=True, gone_to_ground=True, rof=1, moved=True) == {
        "needed": 8,
        "modifiers": ["long_range", "concealed", "gone_to_ground", "moved_with_rof_1"],
        "possible": False,
    }


@pytest.mark.rule("FOW-HIT-02")
def test_gone_to_ground_counts_only_with_concealed():
    assert score("regular", gone_to_ground=True) == {"needed": 3, "modifiers": [], "possible": True}
    assert score("regular", concealed=True, gone_to_ground=True)["needed"] == 5


@pytest.mark.rule("FOW-RULING-08")
def test_only_a_printed_rof_of_1_is_penalised_for_moving():
    assert score("regular", rof=1, moved=True) == {"needed": 4, "modifiers": ["moved_with_rof_1"], "possible": True}
    assert score("regular", rof=2, moved=True)["needed"] == 3
    assert score("regular", rof=1)["needed"] == 3


@pytest.mark.rule("FOW-RULING-41")
def test_shooters_of_defensive_fire_count_as_not_moved():
    assert score("regular", rof=1, moved=True, defensive_fire=True)["needed"] == 3


def test_rolling_to_hit():
    assert play("roll_to_hit", [2, 3, 4, 5], dice=4, needed=4) == {"hits": 2, "rolls": [2, 3, 4, 5]}
    assert play("roll_to_hit", [], dice=0, needed=4) == {"hits": 0, "rolls": []}


@pytest.mark.rule("FOW-RULING-28")
def test_7_plus_hits_nothing_and_1_plus_everything_without_dice():
    assert play("roll_to_hit", [], dice=5, needed=7) == {"hits": 0, "rolls": []}
    assert play("roll_to_hit", [], dice=5, needed=1) == {"hits": 5, "rolls": []}


# -- one team at one team -----------------------------------------------------------------------------------------

PANZER = {"rof": 2, "anti_tank": 11, "firepower": 3}
SHERMAN = {"skill": "regular", "save": "armoured", "armour": 6, "motivation": "confident"}
RIFLES = {"skill": "regular", "save": "infantry"}


def shot(faces, shooter=PANZER, target=SHERMAN, distance_in=10, **given):
    return play("direct_shot", faces, shooter=shooter, target=target, distance_in=distance_in, **given)


def test_a_panzer_kills_a_sherman_at_10_inches():
    # Two dice at 3+: 3 hits, 2 misses. Armour 4 + 6 = 10 < 11: firepower 3+, a 3: destroyed.
    assert shot([3, 2, 4, 3]) == {"dice": 2, "needed": 3, "hits": 1, "hit_results": ["destroyed"], "final_state": "destroyed"}


@pytest.mark.rule("FOW-RULING-40", "FOW-SAVE-01")
def test_at_20_inches_the_same_die_is_11_and_equal():
    # 3 + 1 long range = 4+ to hit. Armour 4 + 6 + 1 = 11 = 11: firepower 3+ bails it out.
    assert shot([4, 3, 4, 3], distance_in=20) == {
        "dice": 2,
        "needed": 4,
        "hits": 1,
        "hit_results": ["bailed_out"],
        "final_state": "bailed_out",
    }
    assert shot([4, 3, 4, 3], distance_in=16)["hit_results"] == ["destroyed"]  # 16 is not beyond 16, and 3 hits at 3+


@pytest.mark.rule("FOW-RULING-39", "FOW-BAIL-02")
def test_the_second_hit_finds_the_crew_bailed_out():
    # Both hit. First: 5 + 6 = 11 equal, firepower 3 bails out. Second: the same again, motivation 4+ on 3 fails: destroyed.
    assert shot([3, 3, 5, 3, 5, 3, 3]) == {
        "dice": 2,
        "needed": 3,
        "hits": 2,
        "hit_results": ["bailed_out", "destroyed"],
        "final_state": "destroyed",
    }
    assert shot([3, 3, 5, 3, 5, 3, 4])["final_state"] == "bailed_out"  # the crew stays on a 4


@pytest.mark.rule("FOW-RULING-39")
def test_hits_on_a_destroyed_team_are_not_resolved():
    assert shot([3, 3, 1, 3]) == {"dice": 2, "needed": 3, "hits": 2, "hit_results": ["destroyed"], "final_state": "destroyed"}


def test_a_team_that_came_in_bailed_out_stays_so_if_unharmed():
    assert shot([1, 1], target=SHERMAN | {"bailed_out": True})["final_state"] == "bailed_out"
    assert shot([1, 1], target=SHERMAN | {"bogged": True})["final_state"] == "unhurt"


def test_needed_is_given_even_if_nobody_shoots():
    assert shot([], shooter=PANZER | {"passenger": True}) == {"dice": 0, "needed": 3, "hits": 0, "hit_results": [], "final_state": "unhurt"}


def test_an_impossible_shot_rolls_nothing():
    target = SHERMAN | {"skill": "veteran", "concealed": True, "gone_to_ground": True}
    assert shot([], target=target, distance_in=20) == {"dice": 2, "needed": 7, "hits": 0, "hit_results": [], "final_state": "unhurt"}


def test_infantry_in_cover_hit_three_times():
    # ROF 3 at 3+: all hit. Save 3+: 2 fails, firepower 6 fails: nothing. 3 saves. 1 fails, firepower 6: destroyed.
    shooter = {"rof": 3, "anti_tank": 2, "firepower": 6}
    assert shot([3, 4, 5, 2, 5, 3, 1, 6], shooter=shooter, target=RIFLES | {"bulletproof": True}) == {
        "dice": 3,
        "needed": 3,
        "hits": 3,
        "hit_results": ["no_effect", "no_effect", "destroyed"],
        "final_state": "destroyed",
    }


@pytest.mark.rule("FOW-DICE-03")
def test_a_doubling_target_draws_twice_the_dice():
    assert shot([1, 1, 1, 1], target=SHERMAN | {"at_the_double": True})["dice"] == 4


@pytest.mark.rule("FOW-ASLT-07")
def test_a_moved_shooter_in_defensive_fire():
    moved = {"rof": 1, "anti_tank": 2, "firepower": 6, "moved": True}
    assert shot([3, 3], shooter=moved, target=RIFLES, defensive_fire=True) == {
        "dice": 1,
        "needed": 3,
        "hits": 1,
        "hit_results": ["no_effect"],
        "final_state": "unhurt",
    }
    assert shot([3], shooter=moved, target=RIFLES)["needed"] == 4


def test_what_a_shot_needs_to_know():
    assert_refused("direct_shot", "`armour`", shooter=PANZER, target={"skill": "regular", "save": "armoured"}, distance_in=5)
    assert_refused("direct_shot", "distance_in", shooter=PANZER, target=SHERMAN, distance_in=-1)
    assert_refused("direct_shot", "distance_in", shooter=PANZER, target=SHERMAN, distance_in=float("nan"))
    assert_refused("direct_shot", "rof", shooter=PANZER | {"rof": 0}, target=SHERMAN, distance_in=5)
    assert_refused("roll_to_hit", "dice", dice=-1, needed=4)
    assert_refused("roll_to_hit", "dice", dice=10**12, needed=4)


# -- a platoon at a platoon ---------------------------------------------------------------------------------------


def fire(faces, shooters, targets, **given):
    given = {"target_skill": "regular", "target_motivation": "confident", **given}
    return play("platoon_fire", faces, shooters=shooters, targets=targets, **given)


def infantry(name, **given):
    return {"id": name, "kind": "infantry", "save": "infantry", **given}


def tank(name, **given):
    return {"id": name, "kind": "tank", "save": "armoured", "armour": 6, **given}


MG = {"rof": 3, "anti_tank": 2, "firepower": 6, "distance_in": 10}
GUN = {"rof": 2, "anti_tank": 11, "firepower": 3, "distance_in": 10}


def test_two_machine_guns_at_three_teams():
    # Six dice at 3+: 1 3 4 / 2 2 6 is 3 hits, one each. Saves 3+: a saves on 3, b dies on 2, c saves on 6.
    assert fire([1, 3, 4, 2, 2, 6, 3, 2, 6], [MG, MG], [infantry("a"), infantry("b"), infantry("c")]) == {
        "dice_per_shooter": [3, 3],
        "needed_per_shooter": [3, 3],
        "hits": 3,
        "allocation": {"a": [0], "b": [1], "c": [2]},
        "states": {"a": "unhurt", "b": "destroyed", "c": "unhurt"},
        "destroyed": 1,
        "bailed_out": 0,
        "pinned": False,
    }


@pytest.mark.rule("FOW-PIN-01", "FOW-RULING-17")
def test_five_hits_from_two_teams_pin_four_do_not():
    five = fire([3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3], [MG, MG], [infantry("a")])
    assert five["hits"] == 5 and five["pinned"] is True
    four = fire([3, 3, 3, 3, 1, 1, 3, 3, 3, 3], [MG, MG], [infantry("a")])
    assert four["hits"] == 4 and four["pinned"] is False


@pytest.mark.rule("FOW-PIN-03")
def test_armour_is_not_pinned_but_a_mixed_platoon_is():
    faces = [3, 3, 3, 3, 3, 1]  # five hits of anti-tank 2 on armour 6: the saves cannot fail
    assert fire([*faces, 6, 6, 6, 6, 6], [MG, MG], [tank("t")])["pinned"] is False
    assert fire([*faces, 6, 6, 6, 6, 6], [MG, MG], [tank("t"), infantry("i")])["pinned"] is True


@pytest.mark.rule("FOW-HIT-03")
def test_every_shooter_uses_the_easiest_target_at_its_own_distance():
    far = MG | {"distance_in": 20, "rof": 1}
    near = MG | {"rof": 1}
    found = fire([1, 1], [near, far], [infantry("a", concealed=True), infantry("b"), infantry("c", concealed=True, gone_to_ground=True)])
    assert found["needed_per_shooter"] == [3, 4]  # b in the open; +1 beyond 16


def test_needed_is_given_for_those_who_do_not_shoot():
    found = fire([1], [MG | {"bogged": True}, MG | {"moved": True}], [infantry("a")])
    assert found["dice_per_shooter"] == [0, 1] and found["needed_per_shooter"] == [3, 3]


@pytest.mark.rule("FOW-ALLOC-08", "FOW-RULING-16")
def test_hits_are_numbered_by_shooter_and_the_best_anti_tank_goes_to_armour():
    # MG hits 0 and 1, the gun hit is 2. The tank listed second gets hit 2, the infantry 0 and then 1 goes round to it.
    # a: hits 0 and 1, saves 3 and 2: destroyed. t: 4 + 6 = 10 < 11, firepower 2 fails: bailed out.
    found = fire([3, 3, 1, 3, 1, 3, 2, 4, 2], [MG, GUN], [infantry("a"), tank("t")])
    assert found["allocation"] == {"a": [0, 1], "t": [2]}
    assert found["states"] == {"a": "destroyed", "t": "bailed_out"}
    assert (found["destroyed"], found["bailed_out"], found["hits"]) == (1, 1, 3)


def test_long_range_belongs_to_the_shooter_of_the_hit():
    # The far gun needs 4+. Hits: far 0, near 1, both on t. First 4 + 6 + 1 = 11 equal, firepower 1 fails: nothing.
    # Then 4 + 6 = 10 lower, firepower 3: destroyed.
    far = GUN | {"distance_in": 30, "rof": 1}
    near = GUN | {"rof": 1}
    found = fire([4, 3, 4, 1, 4, 3], [far, near], [tank("t")])
    assert found["needed_per_shooter"] == [4, 3]
    assert found["states"] == {"t": "destroyed"}


@pytest.mark.rule("FOW-ALLOC-03")
def test_bailed_out_and_bogged_vehicles_are_hit_last():
    targets = [tank("a", bailed_out=True), tank("b", bogged=True), tank("c")]
    found = fire([3, 1, 6], [GUN], targets)  # one hit, armour 6 + 6 = 12 > 11
    assert found["allocation"] == {"a": [], "b": [], "c": [0]}
    assert found["states"] == {"a": "bailed_out", "b": "unhurt", "c": "unhurt"}
    assert found["bailed_out"] == 1


def test_targets_are_resolved_in_list_order_not_in_order_of_allocation():
    # Both hit: b is within 16 and is allocated first, but a (listed first) saves first: 2 fails, 3 saves.
    found = fire([3, 3, 1, 2, 3], [MG], [infantry("a", within_16=False), infantry("b")])
    assert found["allocation"] == {"a": [1], "b": [0]}
    assert found["states"] == {"a": "destroyed", "b": "unhurt"}


def test_priority_dice_doubled_and_defensive_fire_reach_the_smaller_procedures():
    moved = MG | {"moved": True, "rof": 1}
    found = fire([3, 1, 3], [moved], [infantry("a"), infantry("b")], defensive_fire=True, target_at_the_double=True)
    assert found["dice_per_shooter"] == [2] and found["needed_per_shooter"] == [3]
    mixed = [infantry("a"), {"id": "x", "kind": "transport", "save": "unarmoured_vehicle"}]
    assert fire([3, 1, 1, 5], [MG], mixed, priority_type="transport")["allocation"] == {"a": [], "x": [0]}


@pytest.mark.rule("FOW-IND-04", "FOW-BAIL-02")
def test_a_joined_commander_steadies_the_crews_of_the_platoon():
    # Armour 5 + 6 = 11 equal, firepower passes: bailed out again; motivation 3 fails, again 4: stays.
    found = fire([3, 1, 5, 3, 3, 4], [GUN], [tank("a", bailed_out=True)], commander_joined=True)
    assert found["states"] == {"a": "bailed_out"}


def test_a_trace_names_the_reason_of_every_number():
    entries = trace("platoon_fire", [4, 1, 6], shooters=[GUN | {"distance_in": 20}], targets=[tank("t")], target_skill="regular")
    assert all(entry.rule.startswith("FOW-") for entry in entries)
    roll = next(entry for entry in entries if getattr(entry, "label", "") == "roll.to_hit")
    assert [(part.label, part.amount, part.rule) for part in roll.modifiers] == [
        ("chart.to_hit", 3, "FOW-HIT-01"),
        ("modifier.long_range", 1, "FOW-HIT-02"),
    ]


def test_platoons_that_cannot_be():
    assert_refused("platoon_fire", "two teams", shooters=[MG], targets=[infantry("a"), infantry("a")], target_skill="regular")
    assert_refused("platoon_fire", "targets", shooters=[MG], targets=[], target_skill="regular")
    assert_refused("platoon_fire", "targets", shooters=[MG], targets=[infantry(str(n)) for n in range(201)], target_skill="regular")
    assert_refused("platoon_fire", "shooters", shooters=[MG] * 201, targets=[infantry("a")], target_skill="regular")
    assert_refused("platoon_fire", "kind", shooters=[MG], targets=[infantry("a", kind="mule")], target_skill="regular")
