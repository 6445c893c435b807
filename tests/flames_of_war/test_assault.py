"""The assault on the map, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.flames_of_war.assault import (
    AssaultDeclared,
    AssaultStopped,
    AssaultWon,
    Reacted,
    Struck,
    assault,
    assault_step,
    break_off,
    charge,
    fighters,
    in_contact,
    strike,
    target_is_tanks,
)
from sandtable.games.flames_of_war.battle import Acted, Battle, Destroyed, Moved, Pinned
from sandtable.games.flames_of_war.recon import DisengageTested

from .boards import (
    DEFAULT,
    MG,
    STAY,
    apart,
    armoured_car,
    at,
    board,
    building,
    cavalry,
    go,
    gun,
    infantry,
    platoon,
    play,
    tank,
    truck,
    wall,
)

UNARMED: dict[str, Any] = {"weapons": ()}


def field(*things: Any, **options: Any) -> Battle:
    return board(*things, phase="assault", **options)


def attackers(*teams: Any, **changes: Any) -> Any:
    return platoon("storm", *teams, assault_reach=("foe",), **({"skill": "veteran"} | changes))


def foe(*teams: Any, **changes: Any) -> Any:
    return platoon("foe", *teams, side="b", **changes)


# Bases are 2 wide and 1.25 deep: at y 10 and 14 the gap is 2.75 inches.
STORM = attackers(infantry(10, 10), infantry(13, 10))
SQUAD = foe(infantry(10, 14, 180, **UNARMED), infantry(13, 14, 180, **UNARMED))


def test_a_whole_assault_by_hand() -> None:
    """Veterans hit on 3+: two hits, two teams destroyed, nobody left: won, and the attackers unhurt are not pinned."""
    played = play(assault_step, field(STORM, SQUAD), answers=["storm>foe", DEFAULT, DEFAULT, "stay"], dice=[3, 3])
    assert played.said(Struck) == [Struck("storm", "foe", 2, 2)]
    assert played.said(AssaultWon) == [AssaultWon("storm", "foe")]
    assert not played.battle.platoons["storm"].pinned
    assert played.said(Acted) == [Acted("storm")]


# -- step 1 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-01", "FOW-DEC-20", "FOW-RULING-63")
def test_only_platoons_in_reach_at_the_end_of_movement_are_offered() -> None:
    far_off = platoon("storm", infantry(10, 10))  # nothing noted in assault_reach
    assert play(assault_step, field(far_off, SQUAD)).battle.phase == "assault_end"


@pytest.mark.rule("FOW-DBL-08", "FOW-RULING-57", "FOW-RULING-73", "FOW-TOW-04")
@pytest.mark.parametrize(
    ("state", "rule"),
    [({"at_the_double": True}, "FOW-DBL-08"), ({"pinned": True}, "FOW-RULING-57"), ({"leader": 0}, "FOW-RULING-73")],
)
def test_who_may_not_assault(state: dict[str, Any], rule: str) -> None:
    other = platoon("other", infantry(30, 10), assault_reach=("foe",))
    played = play(assault_step, field(attackers(infantry(10, 10), **state), other, SQUAD), answers=["done"])
    option = next(option for option in played.requests[0].options if option.id == "storm>foe")  # type: ignore[attr-defined]
    assert option.refusal is not None
    assert option.refusal.rule == rule


@pytest.mark.rule("FOW-RULING-57")
def test_pinned_armour_may_assault() -> None:
    played = play(assault_step, field(attackers(tank(10, 10), pinned=True), SQUAD), answers=["done"])
    assert played.requests[0].options[0].refusal is None  # type: ignore[attr-defined]


@pytest.mark.rule("FOW-ASLT-02", "FOW-RULING-21")
@pytest.mark.parametrize(("die", "result"), [(4, "allowed"), (3, "refused")])
def test_against_tanks_a_confident_platoon_needs_4(die: int, result: str) -> None:
    battle = field(attackers(infantry(10, 10)), foe(tank(10, 15, 180, **UNARMED)))
    played = play(assault, battle, "storm", "foe", rest=DEFAULT, dice=[die, *([3, 1] if result == "allowed" else [])])
    assert played.said(AssaultDeclared)[0].result == result


@pytest.mark.rule("FOW-RULING-21")
def test_tanks_count_only_operational_and_in_charge_reach() -> None:
    battle = field(attackers(infantry(10, 10)), foe(tank(10, 15), infantry(13, 14)))
    storm = battle.standing("storm")
    assert target_is_tanks(battle, storm, "foe")
    assert not target_is_tanks(battle.with_team("foe_1", bailed_out=True), storm, "foe")
    far = field(attackers(infantry(10, 10)), foe(tank(10, 17), infantry(13, 14)))  # 17 - 10 - 1.3 - 0.625 = 5.075
    assert not target_is_tanks(far, far.standing("storm"), "foe")


@pytest.mark.rule("FOW-ASLT-04")
def test_it_may_still_go_for_those_left_when_the_near_ones_are_dead() -> None:
    battle = field(attackers(infantry(10, 10)), foe(infantry(None, None, fate="destroyed"), infantry(10, 20, 180, **UNARMED), leader=2))
    played = play(assault_step, battle, answers=["storm>foe", DEFAULT], dice=[])
    assert at(played.battle, "storm_1")[1] == pytest.approx(14, abs=0.01)
    assert played.said(AssaultStopped) == [AssaultStopped("storm", "foe", "out_of_reach")]


# -- step 2 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-03")
def test_teams_that_can_reach_an_enemy_end_in_contact_and_tie_up_as_many_as_possible() -> None:
    battle = field(STORM, SQUAD)
    played = play(lambda table: charge(table, "storm", "foe", "charge"), battle, rest=DEFAULT)
    foes = played.battle.standing("foe")
    assert all(in_contact(played.battle, team, foes) for team in played.battle.standing("storm"))
    assert all(in_contact(played.battle, team, played.battle.standing("storm")) for team in foes)


@pytest.mark.rule("FOW-ASLT-03")
def test_a_team_in_reach_may_not_hang_back() -> None:
    table = [STAY]
    with pytest.raises(Exception, match="FOW-ASLT-03"):
        play(lambda t: charge(t, "storm", "foe", "charge"), field(attackers(infantry(10, 10)), SQUAD), answers=table)


@pytest.mark.rule("FOW-ASLT-03", "FOW-RULING-42")
def test_the_charge_is_4_inches_for_foot_and_8_for_cavalry() -> None:
    far = foe(infantry(10, 22, 180, **UNARMED))  # 10.75 inches from a base at y 10
    foot = play(lambda t: charge(t, "storm", "foe", "charge"), field(attackers(infantry(10, 10)), far), rest=DEFAULT)
    assert at(foot.battle, "storm_1")[1] == pytest.approx(14, abs=0.01)
    horse = play(lambda t: charge(t, "storm", "foe", "charge"), field(attackers(cavalry(10, 10)), far), rest=DEFAULT)
    assert at(horse.battle, "storm_1")[1] == pytest.approx(18, abs=0.01)


@pytest.mark.rule("FOW-ASLT-05")
def test_the_charge_keeps_2_inches_from_other_platoons() -> None:
    beside = platoon("beside", infantry(16.5, 14, 180), side="b")
    with pytest.raises(Exception, match="FOW-ASLT-05"):
        play(
            lambda t: charge(t, "storm", "foe", "charge"),
            field(attackers(infantry(13, 10)), foe(infantry(13, 14, 180, **UNARMED)), beside),
            answers=[go((15, 12.75))],
        )


@pytest.mark.rule("FOW-RULING-75")
def test_guns_and_transports_stay_where_they_are() -> None:
    battle = field(attackers(infantry(10, 10), gun(14, 8), truck(18, 8)), SQUAD)
    played = play(lambda t: charge(t, "storm", "foe", "charge"), battle, rest=DEFAULT)
    assert [event.team for event in played.said(Moved)] == ["storm_1"]


# -- step 3 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-06", "FOW-DEC-21")
def test_the_charged_platoon_and_those_near_it_fire_the_far_ones_do_not() -> None:
    near = platoon("near", infantry(17.5, 14, 180), side="b")  # 17.5 - 13 - 2 = 2.5 inches from foe_2
    off = platoon("off", infantry(22, 14, 180), side="b")
    battle = field(STORM, foe(infantry(10, 14, 180), infantry(13, 14, 180)), near, off)
    played = play(assault, battle, "storm", "foe", rest=DEFAULT, dice=[1, 1, 1, 3, 3])
    asked = played.asked("FOW-DEC-21")[0]
    assert [option.id for option in asked.options] == ["foe_1", "foe_2", "near_1"]  # type: ignore[attr-defined]
    assert asked.player == "b"


@pytest.mark.rule("FOW-ASLT-07", "FOW-RULING-41")
def test_defensive_fire_has_full_rate_even_if_the_shooters_moved_but_not_if_pinned() -> None:
    gunners = foe(infantry(10, 14, 180, weapons=(MG,), moved=True))
    played = play(assault, field(attackers(infantry(10, 10)), gunners), "storm", "foe", rest=DEFAULT, dice=[1, 1, 1, 3])
    assert played.said(Struck)
    pinned = foe(infantry(10, 14, 180, weapons=(MG,)), pinned=True)
    assert play(assault, field(attackers(infantry(10, 10)), pinned), "storm", "foe", rest=DEFAULT, dice=[1, 3]).said(Struck)


@pytest.mark.rule("FOW-ASLT-08")
def test_in_defensive_fire_tanks_are_hit_on_the_side() -> None:
    """Anti-tank 9 on side 3: a 5 gives 8, below 9: firepower 5+ passed with 5: destroyed. On the front 6 + 5 = 11 would hold."""
    from sandtable.games.flames_of_war.profile import Weapon

    rifle = Weapon(id="at", name="AT", mount="infantry", range_in=8, rof=1, anti_tank=9, firepower=5)
    battle = field(attackers(tank(10, 10)), foe(infantry(10, 14.6, 180, weapons=(rifle,))))
    played = play(assault, battle, "storm", "foe", rest=DEFAULT, dice=[4, 5, 5])
    assert not played.battle.teams["storm_1"].alive


@pytest.mark.rule("FOW-ASLT-09", "FOW-RULING-17")
def test_five_hits_throw_the_attackers_back_to_where_they_began() -> None:
    gunners = foe(infantry(10, 14, 180, weapons=(MG,)), infantry(13, 14, 180, weapons=(MG,)))
    dice = [6, 6, 6, 6, 6, 1, 3, 3, 3, 3, 3]  # five hits of six dice on veterans (4+), all saved on 3+
    played = play(assault, field(STORM, gunners), "storm", "foe", rest=DEFAULT, dice=dice)
    assert played.said(AssaultStopped) == [AssaultStopped("storm", "foe", "repulsed")]
    assert at(played.battle, "storm_1") == (10, 10)
    assert played.battle.platoons["storm"].pinned


@pytest.mark.rule("FOW-REC-09", "FOW-DEC-21")
def test_recon_disengages_instead_of_firing_and_there_is_no_melee() -> None:
    scouts = foe(armoured_car(10, 14.5, 180), role="recon", skill="veteran")
    played = play(
        assault, field(attackers(infantry(10, 10)), scouts), "storm", "foe", answers=[DEFAULT, "disengage"], rest=DEFAULT, dice=[4, 3]
    )
    assert played.said(DisengageTested)
    assert played.said(AssaultStopped) == [AssaultStopped("storm", "foe", "disengaged")]
    assert not played.said(Struck)


# -- steps 4 and 5 ------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-10")
def test_teams_in_contact_or_within_2_inches_strike() -> None:
    battle = field(attackers(infantry(10, 10), infantry(13, 10), infantry(16, 10)), foe(infantry(10, 12.5), infantry(10, 30)))
    # gaps: 1.25; across to 13: one inch sideways, 1.25 up = 1.6; to 16: 4 inches sideways
    assert [team.id for team in fighters(battle, "storm", "foe")] == ["storm_1", "storm_2"]


@pytest.mark.rule("FOW-ASLT-10")
def test_bailed_out_bogged_transports_and_passengers_do_not_strike() -> None:
    teams = [
        tank(10, 10, bailed_out=True),
        tank(13, 10, bogged=True),
        truck(16, 10),
        infantry(None, None, mounted_in="storm_3"),
        gun(19, 10),
    ]
    battle = field(attackers(*teams), foe(*(infantry(x, 13) for x in (10, 13, 16, 19))))
    assert [team.id for team in fighters(battle, "storm", "foe")] == ["storm_5"]  # guns fight, though they do not charge


@pytest.mark.rule("FOW-ASLT-11")
def test_infantry_has_no_save_in_an_assault_not_even_dug_in() -> None:
    battle = field(attackers(infantry(10, 10)), foe(infantry(10, 11.5, dug_in=True)))
    assert not play(lambda t: strike(t, "storm", "foe"), battle, dice=[3]).battle.teams["foe_1"].alive


@pytest.mark.rule("FOW-ASLT-12", "FOW-RULING-13", "FOW-RULING-22", "FOW-RULING-40")
@pytest.mark.parametrize(("die", "alive", "bailed"), [(1, False, False), (2, True, True), (3, True, False)])
def test_tanks_save_on_the_top_against_the_strikers_value(die: int, alive: bool, bailed: bool) -> None:
    """Top 1 against anti-tank 3: 1 + 1 is lower, 1 + 2 equal, 1 + 3 higher. A second bail-out does not destroy, and no motivation die."""
    battle = field(attackers(infantry(10, 10, assault_at=3)), foe(tank(10, 12.5)))
    team = play(lambda t: strike(t, "storm", "foe"), battle, dice=[3, die]).battle.teams["foe_1"]
    assert (team.alive, team.bailed_out) == (alive, bailed)


@pytest.mark.rule("FOW-RULING-44")
def test_melee_hits_go_to_operational_teams_first_one_a_team_a_round() -> None:
    battle = field(attackers(infantry(10, 10, assault_at=3)), foe(tank(9.2, 12.5, bailed_out=True), tank(10.8, 12.5)))
    played = play(lambda t: strike(t, "storm", "foe"), battle, rest=DEFAULT, dice=[3, 1])
    assert (played.battle.teams["foe_1"].alive, played.battle.teams["foe_2"].alive) == (True, False)


@pytest.mark.rule("FOW-DEC-14", "FOW-RULING-44")
def test_the_owner_gives_out_melee_hits() -> None:
    battle = field(attackers(infantry(10, 10)), foe(infantry(9, 11.5), infantry(11.05, 11.5)))
    played = play(lambda t: strike(t, "storm", "foe"), battle, answers=[["foe_1"]], dice=[3])
    assert not played.battle.teams["foe_1"].alive


# -- steps 6 to 8 -------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-14")
def test_won_if_no_operational_enemy_is_within_4_inches() -> None:
    near = field(attackers(infantry(10, 10)), foe(infantry(10, 11.5, **UNARMED), infantry(10, 15, **UNARMED)))
    # after the first is gone the second is 3.75 away: it is asked for its reaction
    played = play(lambda t: assault_from_contact(t), near, rest=DEFAULT, dice=[3])
    assert played.said(Reacted)
    off = field(attackers(infantry(10, 10)), foe(infantry(10, 11.5, **UNARMED), infantry(10, 15.5, **UNARMED)))
    assert not play(lambda t: assault_from_contact(t), off, rest=DEFAULT, dice=[3]).said(Reacted)


def assault_from_contact(table: Any) -> None:
    from sandtable.games.flames_of_war.assault import melee

    melee(table, "storm", "foe", 0)


@pytest.mark.rule("FOW-ASLT-15")
def test_without_a_hit_the_enemy_passes_automatically() -> None:
    battle = field(attackers(infantry(10, 10, **UNARMED)), foe(infantry(10, 11.5, **UNARMED), skill="veteran"))
    played = play(assault_from_contact, battle, rest=DEFAULT, dice=[1, 3])  # a miss, and the counter-blow at once
    assert played.said(Reacted) == [Reacted("foe", "counterattack")]
    assert not played.battle.teams["storm_1"].alive


@pytest.mark.rule("FOW-ASLT-15")
def test_to_counterattack_tanks_it_tests_even_without_a_hit() -> None:
    battle = field(attackers(tank(10, 10)), foe(infantry(10, 12.2, **UNARMED)))
    played = play(assault_from_contact, battle, rest=DEFAULT, dice=[1, 3])  # a miss; confident needs 4
    assert played.said(Reacted) == [Reacted("foe", "break_off")]


@pytest.mark.rule("FOW-ASLT-16", "FOW-DEC-22")
def test_after_a_failed_test_it_can_only_break_off() -> None:
    squad = foe(infantry(10, 11.5, **UNARMED), infantry(12.2, 11.5, **UNARMED))
    played = play(
        assault_from_contact, field(attackers(infantry(10, 10)), squad), answers=[DEFAULT, "counterattack"], rest=DEFAULT, dice=[3, 3]
    )
    assert played.said(Reacted) == [Reacted("foe", "break_off")]


@pytest.mark.rule("FOW-ASLT-17")
def test_a_counterattack_has_no_defensive_fire_and_swaps_the_roles() -> None:
    squad = foe(infantry(10, 11.5), infantry(12.2, 11.5), skill="veteran")
    played = play(assault_from_contact, field(attackers(infantry(10, 10)), squad), rest=DEFAULT, dice=[3, 4, 3])
    assert [event.platoon for event in played.said(Struck)] == ["storm", "foe"]
    assert not played.asked("FOW-DEC-21")
    assert played.said(AssaultWon) == [AssaultWon("foe", "storm")]


@pytest.mark.rule("FOW-ASLT-18", "FOW-RULING-24")
def test_breaking_off_moves_4_inches_and_4_inches_away_is_safe() -> None:
    battle = field(attackers(infantry(10, 10)), foe(infantry(10, 11.25, **UNARMED)))  # in contact
    played = play(lambda t: break_off(t, "foe", "storm"), battle, rest=DEFAULT)
    assert played.battle.teams["foe_1"].alive
    assert apart(played.battle, "storm_1", "foe_1") == pytest.approx(4, abs=0.01)


@pytest.mark.rule("FOW-ASLT-18", "FOW-RULING-24")
def test_what_is_still_nearer_than_4_inches_to_any_enemy_is_lost() -> None:
    other = platoon("more", infantry(10, 17))
    battle = field(attackers(infantry(10, 10)), foe(infantry(10, 11.25, **UNARMED)), other)
    played = play(lambda t: break_off(t, "foe", "storm"), battle, answers=[go((10, 12))])
    assert not played.battle.teams["foe_1"].alive


@pytest.mark.rule("FOW-RULING-24", "FOW-RULING-43")
def test_teams_that_cannot_move_are_lost() -> None:
    battle = field(attackers(infantry(10, 10)), foe(tank(10, 12.5, bailed_out=True)))
    played = play(lambda t: break_off(t, "foe", "storm"), battle)
    assert [event.team for event in played.said(Destroyed)] == ["foe_1"]


@pytest.mark.rule("FOW-RULING-75")
def test_a_counterattack_that_brings_nobody_within_2_inches_is_a_break_off() -> None:
    """Only guns in reach: they may not counterattack at all."""
    battle = field(attackers(infantry(10, 10)), foe(gun(10, 12.2, 180, **UNARMED), gun(13, 12.2, 180, **UNARMED)))
    played = play(assault_from_contact, battle, rest=DEFAULT, dice=[1])
    assert played.said(Reacted) == [Reacted("foe", "break_off")]


@pytest.mark.rule("FOW-ASLT-13", "FOW-DEC-23", "FOW-RULING-70")
def test_behind_a_wall_the_striker_may_move_into_the_places_of_the_fallen() -> None:
    """A wall a quarter inch thick between them: both touch it, so they are in contact."""
    things = (wall((5, 10.75), (20, 10.75)), attackers(infantry(10, 10)), foe(infantry(10, 11.5, **UNARMED), infantry(10, 14.2, **UNARMED)))
    battle = field(*things)
    assert in_contact(battle, battle.teams["storm_1"], battle.standing("foe"))
    played = play(assault_from_contact, battle, answers=["storm_1"], rest=DEFAULT, dice=[3])
    moved = played.said(Moved)[0]
    assert (moved.why, at(played.battle, "storm_1")) == ("break_in", (10, 11.5))
    open_field = field(attackers(infantry(10, 10)), foe(infantry(10, 11.5, **UNARMED), infantry(10, 14.2, **UNARMED)))
    in_the_open = play(assault_from_contact, open_field, rest=DEFAULT, dice=[3])
    assert all(event.why != "break_in" for event in in_the_open.said(Moved))


@pytest.mark.rule("FOW-RULING-69")
def test_an_enemy_at_an_opening_and_the_teams_inside_are_in_contact() -> None:
    house = building(8, 12, 14, 18)
    inside = foe(infantry(11, 16, building="building", **UNARMED))
    at_door = field(house, attackers(infantry(11, 11.375)), inside)
    assert in_contact(at_door, at_door.teams["storm_1"], at_door.standing("foe"))
    at_wall = field(house, attackers(infantry(8.5, 11.375)), inside)
    assert not in_contact(at_wall, at_wall.teams["storm_1"], at_wall.standing("foe"))


# -- steps 9 to 11 ------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-19")
def test_the_assaulted_platoon_is_pinned_if_it_was_hit() -> None:
    squad = foe(infantry(10, 11.25, **UNARMED), infantry(12.2, 11.25, **UNARMED))
    played = play(assault_from_contact, field(attackers(infantry(10, 10)), squad), answers=[DEFAULT, "break_off"], rest=DEFAULT, dice=[3])
    assert played.said(Pinned) == [Pinned("foe")]
    missed = play(assault_from_contact, field(attackers(infantry(10, 10)), squad), answers=["break_off"], rest=DEFAULT, dice=[1])
    assert not missed.said(Pinned)


@pytest.mark.rule("FOW-ASLT-21")
def test_the_attacker_is_pinned_if_it_took_a_hit_in_defensive_fire_too() -> None:
    gunners = foe(infantry(10, 14, 180, weapons=(MG,)))
    played = play(assault, field(STORM, gunners), "storm", "foe", rest=DEFAULT, dice=[4, 1, 1, 3, 3, 1])  # one hit, saved; then won
    assert played.said(AssaultWon)
    assert Pinned("storm") in played.said(Pinned)


@pytest.mark.rule("FOW-ASLT-20", "FOW-DEC-23")
def test_the_winner_consolidates_up_to_4_inches() -> None:
    battle = field(attackers(infantry(10, 10)), foe(infantry(10, 11.5, **UNARMED)))
    played = play(assault_from_contact, battle, answers=["consolidate", go((10, 14))], dice=[3])
    assert at(played.battle, "storm_1") == (10, 14)
    with pytest.raises(Exception, match="FOW-"):
        play(assault_from_contact, battle, answers=["consolidate", go((10, 14.1))], dice=[3])


@pytest.mark.rule("FOW-ASLT-20", "FOW-RULING-75")
def test_a_breakthrough_fights_on_with_another_platoon_once() -> None:
    second = platoon("second", infantry(10, 15, 180, **UNARMED), side="b")
    third = platoon("third", infantry(10, 20, 180, **UNARMED), side="b")
    battle = field(attackers(infantry(10, 10)), foe(infantry(10, 11.5, **UNARMED)), second, third)
    played = play(assault_step, battle, answers=["storm>foe", DEFAULT, "breakthrough:second", DEFAULT, "stay"], dice=[3, 3])
    assert [event.loser for event in played.said(AssaultWon)] == ["foe", "second"]
    offered = played.asked("FOW-DEC-23")[-1]
    assert not any(option.id.startswith("breakthrough") for option in offered.options)  # type: ignore[attr-defined]


@pytest.mark.rule("FOW-RULING-43")
def test_the_losers_bailed_out_tanks_nearby_are_destroyed() -> None:
    battle = field(attackers(infantry(10, 10, assault_at=3)), foe(tank(10, 12.5, **UNARMED)))
    played = play(assault_from_contact, battle, rest=DEFAULT, dice=[3, 2])  # bailed out: no operational enemy left
    assert not played.battle.teams["foe_1"].alive


@pytest.mark.rule("FOW-RULING-75")
def test_a_platoon_assaults_once_a_step() -> None:
    battle = field(attackers(infantry(10, 10), acted=True), SQUAD)
    assert play(assault_step, battle).battle.phase == "assault_end"


@pytest.mark.rule("FOW-RULING-69", "FOW-ASLT-03")
def test_a_charge_at_a_house_ends_at_an_opening() -> None:
    inside = foe(infantry(11, 16, building="building", **UNARMED))
    battle = field(building(8, 12, 14, 18), attackers(infantry(11, 9)), inside)
    played = play(lambda t: charge(t, "storm", "foe", "charge"), battle, rest=DEFAULT)
    assert in_contact(played.battle, played.battle.teams["storm_1"], played.battle.standing("foe"))


@pytest.mark.rule("FOW-RULING-70", "FOW-ASLT-03")
def test_a_charge_across_a_wall_ends_at_the_wall() -> None:
    battle = field(wall((5, 13), (20, 13)), attackers(infantry(10, 10)), foe(infantry(10, 13.75, 180, **UNARMED)))
    played = play(lambda t: charge(t, "storm", "foe", "charge"), battle, rest=DEFAULT)
    assert in_contact(played.battle, played.battle.teams["storm_1"], played.battle.standing("foe"))
