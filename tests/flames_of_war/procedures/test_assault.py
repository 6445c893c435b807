"""The assault, step by step and whole."""

from __future__ import annotations

import pytest
from tests.flames_of_war.procedures.table import assert_refused, play, trace


def declare(faces=(), kind="infantry", distance_in=3, **given):
    return play("assault_declare", list(faces), kind=kind, distance_in=distance_in, motivation="confident", **given)


YES, NO = {"result": "allowed", "rolls": []}, {"result": "not_allowed", "rolls": []}


@pytest.mark.rule("FOW-ASLT-01")
def test_infantry_within_4_inches_may_assault():
    assert declare(distance_in=4) == YES
    assert declare(distance_in=4.01) == NO


@pytest.mark.rule("FOW-RULING-42")
def test_cavalry_may_declare_within_8():
    assert declare(kind="cavalry", distance_in=8) == YES
    assert declare(kind="cavalry", distance_in=8.01) == NO


@pytest.mark.rule("FOW-ASLT-01")
def test_guns_transports_and_unarmoured_vehicles_do_not_charge():
    assert declare(kind="gun") == NO
    assert declare(kind="transport", armoured=True) == NO
    assert declare(kind="tank") == NO
    assert declare(kind="tank", armoured=True) == YES


@pytest.mark.rule("FOW-DBL-08")
def test_no_assault_after_a_double_move():
    assert declare(at_the_double=True) == NO


@pytest.mark.rule("FOW-RULING-57")
def test_pinned_platoons_do_not_assault_unless_armoured():
    assert declare(pinned=True) == NO
    assert declare(kind="tank", armoured=True, pinned=True) == YES


@pytest.mark.rule("FOW-ASLT-02", "FOW-RULING-21")
def test_against_tanks_motivation_is_tested_also_by_tanks():
    assert declare([4], target_is_tanks=True) == {"result": "allowed", "rolls": [4]}
    assert declare([3], target_is_tanks=True) == {"result": "refused", "rolls": [3]}
    assert declare([3], kind="tank", armoured=True, target_is_tanks=True)["result"] == "refused"
    assert declare([3, 4], target_is_tanks=True, commander_joined=True)["result"] == "allowed"
    assert declare([], kind="gun", target_is_tanks=True) == NO


# -- a strike -----------------------------------------------------------------------------------------------------


def strike(faces, teams=4, target_teams=3, **given):
    return play("assault_strike", faces, teams=teams, skill="regular", target_teams=target_teams, **given)


@pytest.mark.rule("FOW-ASLT-10", "FOW-ASLT-11")
def test_every_team_tests_its_skill_and_soft_targets_die():
    assert strike([4, 3, 5, 1]) == {"hits": 2, "destroyed": 2, "bailed_out": 0, "rolls": [4, 3, 5, 1]}
    assert strike([4, 4, 4, 4]) == {"hits": 4, "destroyed": 3, "bailed_out": 0, "rolls": [4, 4, 4, 4]}
    assert strike([4, 4], teams=2, target_teams=0)["destroyed"] == 0
    assert strike([], teams=0) == {"hits": 0, "destroyed": 0, "bailed_out": 0, "rolls": []}


@pytest.mark.rule("FOW-ASLT-12", "FOW-RULING-22")
def test_tanks_save_with_top_armour_against_the_strikers_anti_tank():
    # Three hits on three tanks with roof 1 against 4: 2 + 1 = 3 destroyed, 3 + 1 = 4 bailed out, 4 + 1 = 5 nothing.
    found = strike([4, 4, 4, 1, 2, 3, 4], target_armoured=True, armour_top=1, assault_at=4)
    assert found == {"hits": 3, "destroyed": 1, "bailed_out": 1, "rolls": [4, 4, 4, 1, 2, 3, 4]}


@pytest.mark.rule("FOW-ASLT-12")
def test_against_anti_tank_2_a_roof_of_1_bails_out_on_a_1_and_is_never_destroyed():
    found = strike([4, 1, 1], teams=2, target_teams=1, target_armoured=True, armour_top=1)
    assert found == {"hits": 1, "destroyed": 0, "bailed_out": 1, "rolls": [4, 1, 1]}


@pytest.mark.rule("FOW-RULING-44")
def test_hits_go_round_and_skip_the_destroyed():
    # Four hits on two tanks, roof 0 against 4: first destroyed (3), second bailed out (4), third would be the first tank:
    # skipped, fourth the second tank: 5, still bailed out.
    found = strike([4, 4, 4, 4, 3, 4, 5], target_teams=2, target_armoured=True, armour_top=0, assault_at=4)
    assert found == {"hits": 4, "destroyed": 1, "bailed_out": 1, "rolls": [4, 4, 4, 4, 3, 4, 5]}


@pytest.mark.rule("FOW-ASLT-12", "FOW-RULING-13")
def test_a_second_bail_out_in_melee_does_not_destroy_but_a_lower_roll_does():
    twice = strike([4, 4, 4, 4], teams=2, target_teams=1, target_armoured=True, armour_top=0, assault_at=4)
    assert (twice["destroyed"], twice["bailed_out"]) == (0, 1)
    killed = strike([4, 4, 4, 3], teams=2, target_teams=1, target_armoured=True, armour_top=0, assault_at=4)
    assert (killed["destroyed"], killed["bailed_out"]) == (1, 0)


def test_the_order_of_melee_saves_is_round_by_round():
    # Three tanks, five hits: dice for 1, 2, 3, then 1 and 2 again. 1: 5 then 4 bailed out. 2: 4 bailed out, then 3
    # destroyed. 3: 6 unhurt.
    found = strike([4, 4, 4, 4, 4, 5, 4, 6, 4, 3], teams=5, target_armoured=True, armour_top=0, assault_at=4)
    assert (found["destroyed"], found["bailed_out"]) == (1, 1)


def test_the_roof_must_be_known():
    assert_refused("assault_strike", "`armour_top`", teams=9, skill="veteran", target_teams=1, target_armoured=True)


# -- the reaction -------------------------------------------------------------------------------------------------


def reaction(faces=(), hits_taken=1, **given):
    return play("assault_reaction", list(faces), hits_taken=hits_taken, motivation="confident", **given)


@pytest.mark.rule("FOW-ASLT-15", "FOW-ASLT-16")
def test_passed_is_a_counterattack_failed_a_break_off():
    assert reaction([4]) == {"tested": True, "passed": True, "action": "counterattack", "rolls": [4]}
    assert reaction([3]) == {"tested": True, "passed": False, "action": "break_off", "rolls": [3]}
    assert reaction([3, 4], commander_joined=True)["passed"] is True


@pytest.mark.rule("FOW-ASLT-15")
def test_no_hit_no_test_unless_the_enemy_is_tanks():
    assert reaction(hits_taken=0) == {"tested": False, "passed": True, "action": "counterattack", "rolls": []}
    assert reaction([3], hits_taken=0, enemy_is_tanks=True) == {"tested": True, "passed": False, "action": "break_off", "rolls": [3]}


@pytest.mark.rule("FOW-ASLT-16")
def test_who_breaks_off_does_not_test():
    nothing = {"tested": False, "passed": None, "action": "break_off", "rolls": []}
    assert reaction(wants="break_off") == nothing
    assert reaction(can_counterattack=False) == nothing
    assert reaction(hits_taken=0, can_counterattack=False) == nothing


@pytest.mark.rule("FOW-ASLT-18", "FOW-RULING-24")
def test_nearer_than_4_after_breaking_off_is_destroyed_4_is_safe():
    assert play("break_off", distances_after=[3.9, 4, 4.1, 0]) == {"destroyed": 2, "survivors": 2}
    assert play("break_off", distances_after=[]) == {"destroyed": 0, "survivors": 0}
    assert_refused("break_off", "distances_after", distances_after=[-1])
    assert_refused("break_off", "distances_after", distances_after=[float("nan")])


# -- the whole fight ----------------------------------------------------------------------------------------------


def infantry(teams, **given):
    return {"teams": teams, "kind": "infantry", "skill": "regular", "motivation": "confident", **given}


def tanks(teams, **given):
    return infantry(teams, kind="tank", armour_top=1, armour_side=3, assault_at=9, **given)


def fight(faces, attacker, defender, **given):
    return play("assault", faces, attacker=attacker, defender=defender, **given)


def result(outcome, strikes, attacker, defender, pinned):
    """attacker and defender as (destroyed, bailed out, hits taken)."""
    return {
        "outcome": outcome,
        "strikes": strikes,
        "attacker_destroyed": attacker[0],
        "attacker_bailed_out": attacker[1],
        "defender_destroyed": defender[0],
        "defender_bailed_out": defender[1],
        "attacker_hits_taken": attacker[2],
        "defender_hits_taken": defender[2],
        "attacker_pinned": pinned[0],
        "defender_pinned": pinned[1],
    }


@pytest.mark.rule("FOW-ASLT-14", "FOW-ASLT-19", "FOW-ASLT-21")
def test_a_strike_that_leaves_nobody_wins():
    found = fight([4, 4], infantry(2), infantry(2))
    assert found == result("attacker_wins", 1, (0, 0, 0), (2, 0, 2), (False, True))


@pytest.mark.rule("FOW-ASLT-16", "FOW-ASLT-17")
def test_counterattack_and_break_off():
    # Attackers 3: 4 1 1 is one hit, one of 3 dead. Motivation 4: back. Two defenders: 4 4, two dead. Motivation 3: the
    # last attacker breaks off.
    found = fight([4, 1, 1, 4, 4, 4, 3], infantry(3), infantry(3))
    assert found == result("defender_wins", 2, (2, 0, 2), (1, 0, 1), (True, True))


@pytest.mark.rule("FOW-ASLT-15")
def test_no_hit_no_test_in_the_whole_fight():
    # 1 misses: automatic counterattack; 4 hits: the single attacker is gone.
    found = fight([1, 4], infantry(1), infantry(1))
    assert found == result("defender_wins", 2, (1, 0, 1), (0, 0, 0), (True, False))


def test_a_side_that_wants_to_break_off_does_so():
    assert fight([1], infantry(1), infantry(1), defender_reply="break_off")["outcome"] == "attacker_wins"
    found = fight([1, 1], infantry(1), infantry(1), attacker_reply="break_off")
    assert found == result("defender_wins", 2, (0, 0, 0), (0, 0, 0), (False, False))


@pytest.mark.rule("FOW-ASLT-16")
def test_guns_cannot_counterattack():
    found = fight([4, 1], infantry(2), infantry(2, kind="gun"))
    assert found == result("attacker_wins", 1, (0, 0, 0), (1, 0, 1), (False, True))
    assert fight([1], infantry(1), infantry(2, kind="unarmoured_vehicle"))["outcome"] == "attacker_wins"


def test_after_the_last_strike_the_fight_is_unresolved():
    assert fight([1, 1], infantry(1), infantry(1), max_strikes=2) == result("unresolved", 2, (0, 0, 0), (0, 0, 0), (False, False))
    assert fight([1] * 6, infantry(1), infantry(1))["strikes"] == 6
    assert fight([4], infantry(1), infantry(1), max_strikes=1)["outcome"] == "attacker_wins"  # nobody left comes first
    assert fight([4], infantry(1), infantry(2), max_strikes=1) == result("unresolved", 1, (0, 0, 0), (1, 0, 1), (False, True))


@pytest.mark.rule("FOW-ASLT-02", "FOW-RULING-21")
def test_attackers_of_tanks_must_dare():
    assert fight([3], infantry(2), tanks(2)) == result("refused", 0, (0, 0, 0), (0, 0, 0), (False, False))
    assert fight([3, 3], infantry(2, commander_joined=True), tanks(2))["outcome"] == "refused"


FIRE = {"shots": 6, "needed": 4, "anti_tank": 5, "firepower": 4}


@pytest.mark.rule("FOW-ASLT-09", "FOW-RULING-17")
def test_five_hits_of_defensive_fire_throw_infantry_back():
    # Five hits on 3 teams go 2 2 1: saves 3 3, 2 (dead, one die), 3.
    found = fight([4, 4, 4, 4, 4, 1, 3, 3, 2, 3], infantry(3), infantry(3), defensive_fire=FIRE)
    assert found == result("repulsed", 0, (1, 0, 5), (0, 0, 0), (True, False))


def test_four_hits_do_not_and_the_fight_goes_on():
    # Four hits: 2 1 1, saves 3 3, 3, 3. Then three attackers kill the only defender.
    found = fight([4, 4, 4, 4, 1, 1, 3, 3, 3, 3, 4, 1, 1], infantry(3), infantry(1), defensive_fire=FIRE)
    assert found == result("attacker_wins", 1, (0, 0, 4), (1, 0, 1), (True, True))


def test_an_attacker_with_nobody_left_is_repulsed():
    found = fight([4, 1, 2], infantry(1), infantry(1), defensive_fire=FIRE | {"shots": 2})
    assert found == result("repulsed", 0, (1, 0, 1), (0, 0, 0), (True, False))


@pytest.mark.rule("FOW-ASLT-08", "FOW-PIN-03")
def test_tanks_are_hit_on_the_side_and_ignore_five_hits():
    # Five hits on 5 tanks, side 3 against 5: 3 + 3 = 6 nothing, each. Then five strikes of skill 4+: all dead.
    faces = [4, 4, 4, 4, 4, 1, 3, 3, 3, 3, 3, 4, 1, 1, 1, 1]
    found = fight(faces, tanks(5), infantry(1), defensive_fire=FIRE)
    assert found == result("attacker_wins", 1, (0, 0, 5), (1, 0, 1), (False, True))


@pytest.mark.rule("FOW-RULING-13")
def test_tanks_bailed_out_by_defensive_fire_do_not_strike():
    # Two hits on 2 tanks: 2 + 3 = 5 equal, firepower 4: bailed out; 6 + 3: nothing. One strike: misses. No hit, but the
    # striker is tanks: the defender tests 4 and strikes: 1 misses; no hit: counterattack; and so on to 2 strikes.
    found = fight([4, 4, 2, 4, 6, 1, 4, 1], tanks(2), infantry(1), defensive_fire=FIRE | {"shots": 2}, max_strikes=2)
    assert found == result("unresolved", 2, (0, 1, 2), (0, 0, 0), (False, False))


@pytest.mark.rule("FOW-BAIL-02")
def test_a_tank_bailed_out_twice_by_defensive_fire_tests_motivation():
    # Two hits on the only tank: bailed out twice, motivation 3 fails: destroyed.
    found = fight([4, 4, 2, 4, 2, 4, 3], tanks(1), infantry(1), defensive_fire=FIRE | {"shots": 2})
    assert found == result("repulsed", 0, (1, 0, 2), (0, 0, 0), (False, False))


@pytest.mark.rule("FOW-RULING-43")
def test_the_losers_bailed_out_tanks_are_destroyed():
    # Attackers dare (4). Two strikes of infantry with anti-tank 3 on 2 tanks, roof 1: 2 + 1 = 3 bailed out, 6 nothing.
    # The other tank tests (4) and strikes: 4 kills one. The last attacker tests 3: breaks off. The winner's tank stays.
    found = fight([4, 4, 4, 2, 6, 4, 4, 3], infantry(2, assault_at=3), tanks(2))
    assert found == result("defender_wins", 2, (1, 0, 1), (0, 1, 2), (True, False))
    # The same, but the tanks fail their test (3) and leave the bailed-out one behind: destroyed.
    lost = fight([4, 4, 4, 2, 6, 3], infantry(2, assault_at=3), tanks(2))
    assert lost == result("attacker_wins", 1, (0, 0, 0), (1, 0, 2), (False, False))


@pytest.mark.rule("FOW-ASLT-14")
def test_a_side_whose_tanks_are_all_bailed_out_has_lost():
    found = fight([4, 4, 2], infantry(1, assault_at=3), tanks(1))
    assert found == result("attacker_wins", 1, (0, 0, 0), (1, 0, 1), (False, False))


def test_cavalry_fights_like_infantry():
    assert fight([4], infantry(1, kind="cavalry"), infantry(1))["outcome"] == "attacker_wins"
    assert fight([4, 1, 2], infantry(1, kind="cavalry"), infantry(1), defensive_fire=FIRE | {"shots": 2})["outcome"] == "repulsed"


def test_every_entry_of_the_trace_has_its_rule():
    given = {"attacker": infantry(2), "defender": infantry(2), "defensive_fire": FIRE | {"shots": 1}}
    assert all(entry.rule.startswith("FOW-") for entry in trace("assault", [4, 3, 4, 4], **given))


def test_assaults_that_cannot_be():
    assert_refused("assault", "kind", attacker=infantry(1, kind="gun"), defender=infantry(1))
    assert_refused("assault", "teams", attacker=infantry(0), defender=infantry(1))
    assert_refused("assault", "max_strikes", attacker=infantry(1), defender=infantry(1), max_strikes=0)
    assert_refused("assault", "shots", attacker=infantry(1), defender=infantry(1), defensive_fire=FIRE | {"shots": -1})
    assert_refused("assault", "`motivation`", attacker=infantry(1, motivation=None), defender=tanks(1))
