"""Bombardments, smoke and air strikes on the map."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.field.shapes import bounds
from sandtable.games.flames_of_war.air import StrikeEnded, air_strike_step, anti_aircraft_teams, placing, strike_refusal
from sandtable.games.flames_of_war.artillery import (
    BombardmentFired,
    RangingIn,
    Reach,
    SmokeScreen,
    aimed_teams,
    aims,
    bombard,
    bombardment_order,
    bombardment_refusal,
    firing_guns,
    smoke_shapes,
    smoke_step,
    spotters,
)
from sandtable.games.flames_of_war.battle import Battle, CompanyState, Turned
from sandtable.games.flames_of_war.profile import Aircraft, AirWeapon, Bombardment, Weapon
from sandtable.games.flames_of_war.templates import lay_template, teams_under

from .boards import DEFAULT, FLAK38, armoured_car, board, building, gun, infantry, platoon, play, tank, truck, wood

MORTAR = Weapon(id="mortar_120", name="mortar", mount="gun", bombardment=Bombardment(range_in=56, anti_tank=3, firepower=3))
HOWITZER = Weapon(
    id="lefh18_105",
    name="howitzer",
    mount="gun",
    range_in=24,
    rof=1,
    anti_tank=10,
    firepower=2,
    bombardment=Bombardment(range_in=72, anti_tank=4, firepower=4),
    smoke_bombardment=True,
)
ROCKET = Weapon(
    id="nebelwerfer_150", name="Nebelwerfer", mount="gun", rocket=True, bombardment=Bombardment(range_in=64, anti_tank=3, firepower=4)
)


def mortar(x: float, y: float, facing: int = 0, **changes: Any) -> Any:
    return gun(x, y, facing, weapons=(MORTAR,), traits=("mortar",), mobility="light_gun", gun_shield=False, **changes)


def howitzer(x: float, y: float, facing: int = 0, **changes: Any) -> Any:
    return gun(x, y, facing, weapons=(HOWITZER,), **changes)


def launcher(x: float, y: float, facing: int = 0, **changes: Any) -> Any:
    return gun(x, y, facing, weapons=(ROCKET,), gun_shield=False, **changes)


def observer(x: float, y: float, facing: int = 0, **changes: Any) -> Any:
    return infantry(x, y, facing, traits=("observer", "independent"), **changes)


def shoot(*things: Any, **options: Any) -> Battle:
    return board(*things, phase="shooting", **options)


BATTERY = platoon("mortars", mortar(20, 4), mortar(24, 4), mortar(28, 4), role="artillery_battery", skill="veteran")
OBSERVER = platoon("observer", observer(24, 14), role="independent", parent="mortars", skill="veteran")
TARGET = platoon("foe", infantry(24, 30, moved=True), infantry(26.5, 30, moved=True), infantry(29, 30, moved=True), side="b")


# -- the whole procedure on the map -------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ART-13", "FOW-ART-17", "FOW-ART-23", "FOW-ART-24", "FOW-ART-10", "FOW-ART-12", "FOW-RULING-62")
def test_a_bombardment_ranges_in_hits_each_team_under_the_template_and_pins() -> None:
    """Regular target: range in on 3+. Veteran battery, three guns: hit on 3+. Infantry saves on 3+."""
    battle = shoot(BATTERY, OBSERVER, TARGET)
    played = play(bombard, battle, "mortars", "observer_1", "foe_2", rest=DEFAULT, dice=[3, 3, 2, 6, 2, 3])
    # aimed in the middle: all three teams are under it; hits on the first and third (two of three); saves 2 (lost) and 3 (safe)
    fired = played.said(BombardmentFired)[0]
    assert fired.hits == 2
    assert sum(played.battle.teams[f"foe_{n}"].alive for n in (1, 2, 3)) == 2
    assert played.battle.platoons["foe"].pinned
    assert played.battle.teams["observer_1"].busy
    assert all(played.battle.teams[f"mortars_{n}"].shot for n in (1, 2, 3))


@pytest.mark.rule("FOW-RULING-25")
def test_under_the_template_but_not_hit_is_not_pinned() -> None:
    played = play(bombard, shoot(BATTERY, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", dice=[3, 2, 2, 2])
    assert not played.battle.platoons["foe"].pinned


@pytest.mark.rule("FOW-ART-13", "FOW-DEC-15")
def test_three_failed_attempts_and_the_battery_does_not_fire() -> None:
    played = play(bombard, shoot(BATTERY, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", answers=["again", "again"], dice=[2, 2, 2])
    assert played.said(BombardmentFired)[0].hits == 0
    assert played.battle.platoons["mortars"].bombarded


@pytest.mark.rule("FOW-DEC-15")
def test_the_player_may_stop_ranging_in() -> None:
    played = play(bombard, shoot(BATTERY, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", answers=["stop"], dice=[2])
    assert played.said(RangingIn)[0].says().id == "event.ranging_in_failed"


@pytest.mark.rule("FOW-ART-17")
def test_each_failed_attempt_makes_hitting_harder_by_one() -> None:
    """Ranged in at the second attempt: veterans hit on 4+ instead of 3+."""
    played = play(bombard, shoot(BATTERY, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", answers=["again"], dice=[2, 3, 3, 3, 3])
    assert played.said(RangingIn)[0].says().id == "event.ranging_in"
    assert played.said(BombardmentFired)[0].hits == 0


@pytest.mark.rule("FOW-ART-14", "FOW-CONC-03")
def test_infantry_that_did_not_move_is_concealed_and_gone_to_ground_for_ranging_in() -> None:
    """3 + 1 + 1: a 4 fails, a 5 does it."""
    still = platoon("foe", infantry(24, 30), side="b")
    play(bombard, shoot(BATTERY, OBSERVER, still), "mortars", "observer_1", "foe_1", answers=["stop"], dice=[4])
    play(bombard, shoot(BATTERY, OBSERVER, still), "mortars", "observer_1", "foe_1", dice=[5, 2])


@pytest.mark.rule("FOW-ART-14", "FOW-ART-12")
def test_the_company_command_spots_at_plus_one() -> None:
    chief = platoon("hq", infantry(24, 14, traits=("company_commander", "independent")), role="hq")
    play(bombard, shoot(BATTERY, chief, TARGET), "mortars", "hq_1", "foe_2", answers=["stop"], dice=[3])
    play(bombard, shoot(BATTERY, chief, TARGET), "mortars", "hq_1", "foe_2", dice=[4, 1, 1, 1])


@pytest.mark.rule("FOW-ART-22", "FOW-RULING-40")
def test_armour_saves_on_its_top_without_help_from_the_range() -> None:
    """Top 1 + die 1 = 2 is below 3: firepower 3+ destroys. Far beyond 16 inches, and no +1."""
    battle = shoot(BATTERY, OBSERVER, platoon("panzer", tank(24, 30), side="b"))
    played = play(bombard, battle, "mortars", "observer_1", "panzer_1", dice=[3, 3, 1, 3])
    assert not played.battle.teams["panzer_1"].alive


@pytest.mark.rule("FOW-ART-23", "FOW-RULING-60")
def test_dug_in_infantry_is_lost_only_to_a_firepower_test() -> None:
    dug = platoon("foe", infantry(24, 30, dug_in=True, shot=True), side="b")
    safe = play(bombard, shoot(BATTERY, OBSERVER, dug), "mortars", "observer_1", "foe_1", dice=[4, 3, 2, 2])
    assert safe.battle.teams["foe_1"].alive
    lost = play(bombard, shoot(BATTERY, OBSERVER, dug), "mortars", "observer_1", "foe_1", dice=[4, 3, 2, 3])
    assert not lost.battle.teams["foe_1"].alive


@pytest.mark.rule("FOW-SAVE-10", "FOW-RULING-60")
def test_a_gun_shield_does_not_help_against_shells() -> None:
    battle = shoot(BATTERY, OBSERVER, platoon("pak", gun(24, 30, 180, shot=True), side="b"))
    played = play(bombard, battle, "mortars", "observer_1", "pak_1", dice=[3, 3, 4])  # 4 fails the 5+, and no firepower die
    assert not played.battle.teams["pak_1"].alive


@pytest.mark.rule("FOW-ART-21", "FOW-RULING-23")
def test_hits_go_first_to_teams_not_dug_in() -> None:
    mixed = platoon("foe", infantry(24, 30, dug_in=True, moved=True), infantry(26.5, 30, moved=True), side="b")
    played = play(bombard, shoot(BATTERY, OBSERVER, mixed), "mortars", "observer_1", "foe_2", dice=[3, 3, 2, 1])
    assert (played.battle.teams["foe_1"].alive, played.battle.teams["foe_2"].alive) == (True, False)


@pytest.mark.rule("FOW-DEC-14", "FOW-ART-21")
def test_among_equals_the_owner_says_who_is_hit() -> None:
    played = play(bombard, shoot(BATTERY, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", answers=[["foe_1"]], dice=[3, 3, 2, 2, 1])
    assert not played.battle.teams["foe_1"].alive
    assert played.asked("FOW-DEC-14")[0].player == "b"


@pytest.mark.rule("FOW-RULING-62")
def test_friends_under_the_template_are_hit_too() -> None:
    friend = platoon("friend", infantry(24, 27.5, moved=True))
    played = play(bombard, shoot(BATTERY, OBSERVER, TARGET, friend), "mortars", "observer_1", "foe_1", dice=[3, 2, 2, 3, 1])
    assert not played.battle.teams["friend_1"].alive


@pytest.mark.rule("FOW-TRN-08")
def test_a_towed_gun_under_the_template_is_not_hit() -> None:
    towed = platoon("pak", truck(24, 30), gun(None, None, towed_by="pak_1"), side="b")
    battle = shoot(BATTERY, OBSERVER, towed)
    shape = lay_template((24000, 30000), 0)
    assert [team.id for team in teams_under(battle, shape)["pak"]] == ["pak_1"]


# -- guns, spotters, aim ------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ART-09")
def test_not_nearer_than_8_inches_from_the_muzzle_and_not_beyond_range() -> None:
    battle = shoot(platoon("mortars", mortar(20, 4)), OBSERVER, TARGET)
    battery = battle.platoons["mortars"]
    # the muzzle is at 4 + 1.25 = 5.25
    assert not firing_guns(battle, battery, (20000, 13200))
    assert firing_guns(battle, battery, (20000, 13250))
    assert not firing_guns(replace(battle), battery, (20000, 61300))
    assert firing_guns(battle, battery, (20000, 61200))


@pytest.mark.rule("FOW-ART-11")
def test_not_over_a_wood_within_4_inches_but_mortars_may() -> None:
    near = wood(16, 9, 24, 14)  # the gun's front is at 5.25, the wood 3.75 away
    howitzers = shoot(near, platoon("guns", howitzer(20, 4)))
    assert not firing_guns(howitzers, howitzers.platoons["guns"], (20000, 30000))
    assert firing_guns(howitzers, howitzers.platoons["guns"], (40000, 8000))  # not over it
    off = shoot(wood(16, 9.5, 24, 14), platoon("guns", howitzer(20, 4)))
    assert firing_guns(off, off.platoons["guns"], (20000, 30000))
    mortars = shoot(near, platoon("mortars", mortar(20, 4)))
    assert firing_guns(mortars, mortars.platoons["mortars"], (20000, 30000))


@pytest.mark.rule("FOW-ART-11", "FOW-RULING-11")
def test_not_over_a_building_nearer_than_it_is_high() -> None:
    """One storey is 3 levels, 3 inches."""
    battle = shoot(building(16, 8, 24, 14), platoon("guns", howitzer(20, 4)))  # 2.75 inches away
    assert not firing_guns(battle, battle.platoons["guns"], (20000, 30000))
    off = shoot(building(16, 8.5, 24, 14), platoon("guns", howitzer(20, 4)))
    assert firing_guns(off, off.platoons["guns"], (20000, 30000))


@pytest.mark.rule("FOW-ART-05", "FOW-RULING-71")
def test_a_battery_turns_on_the_spot_and_that_is_not_movement() -> None:
    turned = platoon("mortars", mortar(20, 4, 180), mortar(24, 4, 180), mortar(28, 4, 180), role="artillery_battery", skill="veteran")
    played = play(bombard, shoot(turned, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", dice=[3, 1, 1, 1])
    assert len(played.said(Turned)) == 3
    assert not played.battle.teams["mortars_1"].moved


@pytest.mark.rule("FOW-ART-05")
def test_a_battery_that_moved_does_not_bombard() -> None:
    battle = shoot(platoon("mortars", mortar(20, 4, moved=True)))
    refusal = bombardment_refusal(battle, battle.platoons["mortars"])
    assert refusal is not None
    assert refusal.rule == "FOW-ART-05"


@pytest.mark.rule("FOW-ART-06", "FOW-PIN-04")
def test_a_pinned_battery_does_not_bombard_unless_armoured() -> None:
    soft = shoot(platoon("mortars", mortar(20, 4), pinned=True))
    refusal = bombardment_refusal(soft, soft.platoons["mortars"])
    assert refusal is not None
    assert refusal.rule == "FOW-ART-06"
    priests = shoot(platoon("priests", tank(20, 4, weapons=(HOWITZER,)), pinned=True))
    assert bombardment_refusal(priests, priests.platoons["priests"]) is None


@pytest.mark.rule("FOW-ART-01", "FOW-RULING-36")
def test_only_teams_with_a_bombardment_weapon_bombard() -> None:
    battle = shoot(platoon("rifles", infantry(20, 4)))
    refusal = bombardment_refusal(battle, battle.platoons["rifles"])
    assert refusal is not None
    assert refusal.rule == "FOW-ART-01"


@pytest.mark.rule("FOW-ART-07")
def test_one_bombardment_a_battery_and_turn() -> None:
    battle = shoot(platoon("mortars", mortar(20, 4), bombarded=True))
    refusal = bombardment_refusal(battle, battle.platoons["mortars"])
    assert refusal is not None
    assert refusal.rule == "FOW-ART-07"


@pytest.mark.rule("FOW-ART-02", "FOW-ART-03")
def test_mortars_have_no_direct_fire_and_rockets_bombard() -> None:
    assert not MORTAR.direct_fire
    battle = shoot(platoon("rockets", launcher(20, 4)))
    assert bombardment_refusal(battle, battle.platoons["rockets"]) is None


@pytest.mark.rule("FOW-ART-12", "FOW-OBS-01", "FOW-OBS-05")
def test_who_may_spot() -> None:
    battle = shoot(
        BATTERY,
        OBSERVER,
        platoon("other", observer(30, 14), role="independent", parent="elsewhere"),
        platoon("elsewhere", mortar(40, 4)),
        platoon("hq", tank(34, 14, traits=("company_commander", "independent")), role="hq"),
        platoon("rifles", infantry(10, 14)),
    )
    found = [team.id for team in spotters(battle, battle.platoons["mortars"])]
    assert found == ["observer_1", "mortars_1", "mortars_2", "mortars_3", "hq_1"]
    pinned = battle.with_platoon("observer", pinned=True)
    assert "observer_1" in [team.id for team in spotters(pinned, battle.platoons["mortars"])]
    for state in ({"moved": True}, {"shot": True}, {"bailed_out": True}):
        changed = battle.with_team("observer_1", **state)
        assert "observer_1" not in [team.id for team in spotters(changed, battle.platoons["mortars"])]


@pytest.mark.rule("FOW-OBS-03")
def test_an_observer_with_staff_serves_other_batteries_with_staff() -> None:
    def found(own: bool, theirs: bool) -> bool:
        battle = shoot(
            platoon("mortars", mortar(20, 4), has_staff=own),
            platoon("observer", observer(24, 14), role="independent", parent="mortars"),
            platoon("other", mortar(40, 4), has_staff=theirs),
        )
        return "observer_1" in [team.id for team in spotters(battle, battle.platoons["other"])]

    assert [found(True, True), found(True, False), found(False, True)] == [True, False, False]


@pytest.mark.rule("FOW-OBS-06", "FOW-OBS-05")
def test_an_observer_spots_from_a_tank_unless_it_is_bogged() -> None:
    def found(**state: Any) -> bool:
        battle = shoot(
            BATTERY,
            platoon("panzer", tank(24, 14, **state)),
            platoon("observer", observer(None, None, mounted_in="panzer_1"), role="independent", parent="mortars"),  # type: ignore[arg-type]
        )
        return "observer_1" in [team.id for team in spotters(battle, battle.platoons["mortars"])]

    assert [found(), found(bogged=True), found(bailed_out=True)] == [True, False, False]


@pytest.mark.rule("FOW-RULING-59")
def test_the_spotter_must_see_the_target() -> None:
    battle = shoot(BATTERY, OBSERVER, TARGET, building(12, 20, 36, 24))
    assert not [team for spotter, team, _ in aims(battle, battle.platoons["mortars"])]


@pytest.mark.rule("FOW-ART-08", "FOW-RULING-77")
def test_the_aimed_team_is_the_one_whose_template_covers_most() -> None:
    row = platoon("foe", *(infantry(18 + 2.5 * n, 30, moved=True) for n in range(5)), side="b")
    battle = shoot(BATTERY, OBSERVER, row)
    aimed = aimed_teams(Reach(battle, battle.platoons["mortars"], battle.platoons["foe"]), battle.teams["observer_1"])
    # A 6-inch template round a team reaches 3 inches: with bases 2 wide and 2.5 apart it touches its neighbours on both sides.
    assert [team.id for team in aimed] == ["foe_2", "foe_3", "foe_4"]


@pytest.mark.rule("FOW-RULING-77")
def test_a_gun_that_spots_does_not_fire() -> None:
    battle = shoot(BATTERY, TARGET)
    played = play(bombard, battle, "mortars", "mortars_1", "foe_2", dice=[3, 3, 1, 3, 1, 3, 1])
    # two guns: passed tests must be re-rolled (each 3 is followed by a 1)
    assert played.said(BombardmentFired)[0].guns == ("mortars_2", "mortars_3")
    assert played.said(BombardmentFired)[0].hits == 0


@pytest.mark.rule("FOW-ART-16", "FOW-RULING-34", "FOW-RKT-02")
def test_the_template_is_6_inches_square_and_twice_as_wide_for_six_launchers() -> None:
    assert bounds(lay_template((24000, 30000), 0)) == (21000, 27000, 27000, 33000)
    assert bounds(lay_template((24000, 30000), 0, double=True)) == (18000, 27000, 30000, 33000)
    rockets = platoon("rockets", *(launcher(10 + 3 * n, 4) for n in range(6)), role="artillery_battery")
    battle = shoot(rockets, platoon("observer", observer(24, 14), role="independent", parent="rockets"), TARGET)
    played = play(bombard, battle, "rockets", "observer_1", "foe_2", dice=[3, 1, 1, 1])
    box = bounds(played.said(BombardmentFired)[0].template)
    assert max(box[2] - box[0], box[3] - box[1]) > 11900


@pytest.mark.rule("FOW-ART-15", "FOW-RULING-35")
def test_a_battery_with_staff_repeats_without_ranging_in_or_a_spotter() -> None:
    staff = platoon("mortars", mortar(20, 4), mortar(24, 4), mortar(28, 4), skill="veteran", has_staff=True)
    battle = shoot(staff, OBSERVER, TARGET)
    first = play(bombard, battle, "mortars", "observer_1", "foe_2", dice=[3, 1, 1, 1]).battle
    assert first.platoons["mortars"].aiming_point is not None
    later = first.with_platoon("mortars", bombarded=False).with_teams(["mortars_1", "mortars_2", "mortars_3"], shot=False)
    played = play(bombardment_order, later, "mortars", answers=["repeat"], dice=[2, 2, 2])  # only the three tests to hit
    assert played.said(BombardmentFired)[0].spotter == ""
    without = play(bombard, shoot(BATTERY, OBSERVER, TARGET), "mortars", "observer_1", "foe_2", dice=[3, 1, 1, 1]).battle
    assert without.platoons["mortars"].aiming_point is None


@pytest.mark.rule("FOW-RKT-03")
def test_rocket_trails_may_be_bombarded_unseen_as_if_concealed() -> None:
    hidden = platoon("rockets", launcher(24, 34, 180, shot=True, moved=True), side="b", trail=True)
    battle = shoot(BATTERY, OBSERVER, hidden, building(12, 20, 36, 24))
    found = aims(battle, battle.platoons["mortars"])
    assert found[0][1].id == "rockets_1"
    assert found[0][2]
    # regular 3 + concealed 1: a 3 fails
    play(lambda table: bombard(table, "mortars", "observer_1", "rockets_1", by_trail=True), battle, answers=["stop"], dice=[3])


# -- smoke --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-SMK-01", "FOW-SMK-02", "FOW-SMK-04", "FOW-SMK-05", "FOW-RULING-33")
def test_smoke_is_ranged_in_and_grows_down_the_wind() -> None:
    guns = platoon("guns", howitzer(20, 4), howitzer(24, 4), howitzer(28, 4), skill="veteran")
    battle = board(guns, platoon("observer", observer(24, 14), role="independent", parent="guns"), TARGET, phase="smoke")
    played = play(
        smoke_step, battle, answers=[lambda request: request.options[0].id], dice=[3, 2]
    )  # 3 guns: two templates; wind die 2: 60 degrees
    screen = played.said(SmokeScreen)[0]
    assert (len(screen.shapes), screen.wind) == (2, 60)
    assert len(played.battle.smoke) == 2
    assert played.battle.platoons["guns"].bombarded
    assert not played.battle.platoons["guns"].aiming_point  # FOW-SMK-03


@pytest.mark.rule("FOW-SMK-01")
def test_without_smoke_shells_nothing_is_asked() -> None:
    battle = board(BATTERY, OBSERVER, TARGET, phase="smoke")
    assert play(smoke_step, battle).battle.phase == "shooting"


@pytest.mark.rule("FOW-RULING-49")
def test_one_gun_lays_no_smoke() -> None:
    battle = board(
        platoon("guns", howitzer(20, 4)), platoon("observer", observer(24, 14), role="independent", parent="guns"), TARGET, phase="smoke"
    )
    assert play(smoke_step, battle).battle.phase == "shooting"


@pytest.mark.rule("FOW-SMK-05", "FOW-RULING-33")
def test_further_templates_touch_edge_to_edge() -> None:
    shapes = smoke_shapes((24000, 24000), 0, 3, 0)
    assert [bounds(shape) for shape in shapes] == [
        (21000, 21000, 27000, 27000),
        (21000, 27000, 27000, 33000),
        (21000, 33000, 27000, 39000),
    ]


@pytest.mark.rule("FOW-SMK-03")
def test_smoke_is_never_repeated() -> None:
    guns = platoon("guns", howitzer(20, 4), howitzer(24, 4), skill="veteran", has_staff=True)
    battle = board(guns, platoon("observer", observer(24, 14), role="independent", parent="guns"), TARGET, phase="smoke")
    played = play(smoke_step, battle, answers=[lambda request: request.options[0].id], dice=[3])
    assert played.battle.platoons["guns"].aiming_point is None


# -- air strikes --------------------------------------------------------------------------------------------------

BOMBER = Aircraft(name="Ju 87", weapons=(AirWeapon(weapon_class="bomb", to_hit=4, anti_tank=5, firepower=1),))
FIGHTER = Aircraft(name="P-47", weapons=(AirWeapon(weapon_class="machine_gun", to_hit=3, anti_tank=6, firepower=5),))
ILYUSHIN = replace(BOMBER, name="Il-2", flying_tank=True)


def strike(*things: Any, aircraft: int = 2, kind: Aircraft = BOMBER) -> Battle:
    battle = board(platoon("own", infantry(4, 2)), *things, phase="air_strike")
    scenario = replace(battle.scenario, a=replace(battle.scenario.a, force=replace(battle.scenario.a.force, aircraft=kind)))
    return replace(battle, scenario=scenario, companies=battle.companies | {"a": CompanyState("confident", 2, aircraft=aircraft)})


@pytest.mark.rule("FOW-AIR-08", "FOW-AIR-10", "FOW-AIR-13", "FOW-AIR-14", "FOW-DEC-17", "FOW-RULING-31")
def test_an_air_strike_ranges_in_hits_and_pins() -> None:
    """Two aircraft: no re-roll; to hit 4+; regular target: range in on 3+."""
    played = play(air_strike_step, strike(TARGET), answers=["foe_2"], rest=DEFAULT, dice=[3, 4, 3, 3, 2])
    assert played.said(StrikeEnded)[0].hits == 1
    assert played.battle.platoons["foe"].pinned
    assert played.battle.companies["a"].aircraft == 0
    assert played.battle.phase == "shooting_end"


@pytest.mark.rule("FOW-AIR-13")
def test_bombs_strike_the_top_machine_guns_the_side() -> None:
    panzer = platoon("panzer", tank(24, 30), side="b")  # side 3, top 1
    # Bomb AT 5: 1 + 4 = 5 equal, firepower 1 always: bailed out.
    bombed = play(air_strike_step, strike(panzer), answers=["panzer_1"], dice=[3, 4, 4])
    assert bombed.battle.teams["panzer_1"].bailed_out
    # Machine guns AT 6 on the side: 3 + 4 = 7 is higher: nothing.
    strafed = play(air_strike_step, strike(panzer, kind=FIGHTER), answers=["panzer_1"], dice=[3, 3, 4])
    assert not strafed.battle.teams["panzer_1"].bailed_out


@pytest.mark.rule("FOW-AIR-11")
def test_one_aircraft_re_rolls_its_hits_three_re_roll_misses() -> None:
    one = platoon("foe", infantry(24, 30, moved=True), side="b")
    alone = play(air_strike_step, strike(one, aircraft=1), answers=["foe_1"], dice=[3, 4, 3])
    assert alone.said(StrikeEnded)[0].hits == 0
    three = play(air_strike_step, strike(one, aircraft=3), answers=["foe_1"], dice=[3, 3, 4, 6])
    assert three.said(StrikeEnded)[0].hits == 1


@pytest.mark.rule("FOW-AIR-06")
def test_own_teams_within_16_inches_make_the_aircraft_break_off() -> None:
    battle = strike(platoon("foe", infantry(24, 30), side="b"), platoon("near", infantry(24, 13)))
    # bases are 1.25 deep: 30 - 13 - 1.25 = 15.75 inches apart
    refusal = strike_refusal(battle, "a", battle.teams["foe_1"])
    assert refusal is not None
    assert refusal.rule == "FOW-AIR-06"
    clear = strike(platoon("foe", infantry(24, 30), side="b"), platoon("near", infantry(24, 12.5)))
    assert strike_refusal(clear, "a", clear.teams["foe_1"]) is None


@pytest.mark.rule("FOW-AIR-05", "FOW-AIR-07", "FOW-RULING-78")
def test_where_the_aircraft_are_put() -> None:
    battle = strike(platoon("foe", infantry(24, 30), side="b"))
    heading, places = placing(battle, "a", battle.teams["foe_1"], 3)
    assert heading == 0  # from the south edge to the north
    assert places == [(24000, 24000), (21000, 21000), (27000, 21000)]


@pytest.mark.rule("FOW-AIR-07", "FOW-RULING-78")
def test_a_strike_fails_if_an_aircraft_does_not_fit_on_the_table() -> None:
    """The target at 3.5 from the west edge: the left wingman would stand at 0.5, over the edge."""
    battle = strike(platoon("foe", infantry(3.5, 40), side="b"), aircraft=2)
    assert play(air_strike_step, battle, answers=["foe_1"]).said(StrikeEnded)[0].reason == "no_room"
    assert (
        play(air_strike_step, strike(platoon("foe", infantry(3.5, 40), side="b"), aircraft=1), answers=["foe_1", "stop"], dice=[1])
        .said(StrikeEnded)[0]
        .reason
        == "not_ranged_in"
    )


@pytest.mark.rule("FOW-AIR-08")
def test_concealed_and_gone_to_ground_count_for_aircraft_too() -> None:
    still = platoon("foe", infantry(24, 30), side="b")
    play(air_strike_step, strike(still), answers=["foe_1", "stop"], dice=[4])
    play(air_strike_step, strike(still), answers=["foe_1"], dice=[5, 1])


def flak(x: float, y: float, **changes: Any) -> Any:
    return gun(x, y, 180, weapons=(FLAK38,), mobility="light_gun", turntable=True, **changes)


@pytest.mark.rule("FOW-AA-01", "FOW-AA-05", "FOW-DEC-18", "FOW-RULING-48")
def test_anti_aircraft_teams_fire_before_the_strike() -> None:
    """Regular: hit on 4+; firepower 5+. Four shots: hit and kill, then the second aircraft too."""
    battle = strike(platoon("foe", infantry(24, 30, moved=True), side="b"), platoon("flak", flak(30, 30), side="b"))
    played = play(air_strike_step, battle, answers=["foe_1", ["flak_1"]], dice=[4, 5, 4, 5])
    assert played.said(StrikeEnded)[0].reason == "shot_down"
    assert played.asked("FOW-DEC-18")[0].player == "b"


@pytest.mark.rule("FOW-AA-06")
def test_a_flying_tank_makes_passed_firepower_tests_roll_again() -> None:
    battle = strike(
        platoon("foe", infantry(24, 30, moved=True), side="b"), platoon("flak", flak(30, 30), side="b"), aircraft=1, kind=ILYUSHIN
    )
    played = play(air_strike_step, battle, answers=["foe_1", ["flak_1"]], dice=[4, 5, 4, 1, 1, 1, 3, 1])
    assert played.said(StrikeEnded)[0].reason == "struck"


@pytest.mark.rule("FOW-AA-01", "FOW-AA-02", "FOW-RULING-48", "FOW-REC-10")
def test_who_may_fire_at_aircraft() -> None:
    def found(team: Any, **state: Any) -> bool:
        battle = strike(platoon("foe", infantry(24, 30), side="b"), platoon("flak", team, truck(34, 30), side="b", **state))
        bases = [((23000, 23000), (25000, 23000), (25000, 25000), (23000, 25000))]
        return bool(anti_aircraft_teams(battle, "b", bases))

    assert found(flak(30, 30))
    assert not found(gun(30, 30))  # no anti-aircraft weapon
    assert not found(flak(30, 30, bogged=True))
    assert not found(flak(None, None, towed_by="flak_2"))  # type: ignore[arg-type]
    assert not found(flak(43, 30))  # the gap is 17 inches, the range 16
    assert not found(flak(30, 30), disengaged=True)


@pytest.mark.rule("FOW-AA-03")
def test_not_towards_tall_obstacles_within_4_inches() -> None:
    bases = [((23000, 23000), (25000, 23000), (25000, 25000), (23000, 25000))]
    masked = strike(platoon("flak", flak(30, 24), side="b"), wood(26, 20, 28, 28))
    assert not anti_aircraft_teams(masked, "b", bases)
    behind = strike(platoon("flak", flak(30, 24), side="b"), wood(32, 20, 34, 28))
    assert anti_aircraft_teams(behind, "b", bases)


@pytest.mark.rule("FOW-REC-07")
def test_recon_is_not_asked_to_disengage_from_an_air_attack() -> None:
    scouts = platoon("scouts", armoured_car(24, 30), side="b")
    played = play(air_strike_step, strike(scouts), answers=["scouts_1"], dice=[3, 1])
    assert [request.decision for request in played.requests] == ["FOW-DEC-17"]
