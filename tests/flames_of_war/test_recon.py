"""Eyes and ears, disengaging, towing instead of shooting. Armoured cars: 1 x 1.8 inches, armour 1/0/0, wheeled (8 inches cross-country)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.flames_of_war.boards import (
    DEFAULT,
    KWK40,
    MG,
    RIFLE,
    STAY,
    Played,
    armoured_car,
    at,
    board,
    building,
    go,
    gun,
    infantry,
    marsh,
    option_ids,
    platoon,
    play,
    river,
    road,
    tank,
    truck,
    wood,
    wreck,
)

from sandtable.field.shapes import unit
from sandtable.games.flames_of_war.battle import Battle, Bogged, Destroyed, Freed, Moved, PhaseBegan
from sandtable.games.flames_of_war.fire import Fired, HitsScored
from sandtable.games.flames_of_war.recon import DisengageTested, Spotted, disengage_refusal, offer_disengage, spots
from sandtable.games.flames_of_war.shooting import orders, shooting_start_step, shooting_step
from sandtable.games.flames_of_war.sight import shot
from sandtable.games.flames_of_war.towing import TowTried, WreckTowed, ground_under, tow_options

SCOUT_MG = replace(MG, mount="turret")


def thrown(played: Played) -> list[int]:
    return [len(entry.faces) for record in played.table.records for entry in record.trace if getattr(entry, "label", "") == "roll.to_hit"]


def lost(played: Played) -> list[str]:
    return [event.team for event in played.said(Destroyed)]


# -- eyes and ears ------------------------------------------------------------------------------------------------------------


def scouting(me: Any = None, you: Any = None, *things: Any, **state: Any) -> Battle:
    return board(
        *things,
        platoon("scouts", me or armoured_car(24, 10), **state),
        platoon("tanks", tank(30, 10)),
        platoon("foe", you or infantry(24, 24), side="b"),
        phase="shooting_start",
    )


@pytest.mark.rule("FOW-REC-01", "FOW-RULING-46")
def test_eyes_and_ears() -> None:
    battle = scouting()
    played = play(shooting_start_step, battle, answers=["scouts_1>foe_1"])
    assert played.said(Spotted) == [Spotted("foe_1", "scouts_1")]
    assert played.battle.phase == "smoke"
    shooting = replace(played.battle, phase="shooting")
    tanks = shooting.teams["tanks_1"]
    before, after = (shot(one, tanks, KWK40, one.teams["foe_1"]) for one in (battle, shooting))
    assert (before.concealed, before.gone_to_ground) == (True, True)
    assert (after.concealed, after.gone_to_ground) == (True, False)
    # The scout does nothing else this turn; the mark lasts to the end of the shooting step.
    assert [o.refusal.rule for o in orders(shooting, "a") if o.id == "scouts:fire" and o.refusal] == ["FOW-DEC-10"]
    assert not PhaseBegan("assault").apply(shooting).teams["foe_1"].spotted


@pytest.mark.rule("FOW-REC-01", "FOW-REC-11", "FOW-RULING-46")
def test_who_has_eyes_and_ears() -> None:
    def can(battle: Battle) -> bool:
        return bool(spots(battle, battle.teams["scouts_1"]))

    assert can(scouting())
    assert not can(scouting(armoured_car(24, 10, moved=True)))
    assert not can(scouting(pinned=True))
    assert not can(scouting(reorganising=True))
    assert not can(scouting(armoured_car(24, 10, bailed_out=True)))
    assert not can(scouting(tank(24, 10)))  # no recon
    assert not can(scouting(None, infantry(24, 24, shot=True)))  # not gone to ground
    assert not can(scouting(None, None, building(20, 15, 28, 20)))  # no line of sight
    # Half depths 0.9 and 0.625: centres 17.525 apart are 16 inches.
    assert can(scouting(None, infantry(24, 27.525)))
    assert not can(scouting(None, infantry(24, 27.54)))


@pytest.mark.rule("FOW-DEC-09")
def test_eyes_and_ears_may_be_declined() -> None:
    played = play(shooting_start_step, scouting(), answers=["none"])
    assert not played.said(Spotted)
    assert played.requests[0].decision == "FOW-DEC-09"


# -- disengaging from fire ----------------------------------------------------------------------------------------------------


def hunt(*cars: Any, gun_rof: int = 2, things: Any = (), mine: Any = None, **state: Any) -> Battle:
    """A tank with a turret gun at y 10 against armoured cars at y 24 (11.8 inches away)."""
    me = mine or tank(24, 10, weapons=(replace(KWK40, rof=gun_rof),))
    return board(*things, platoon("p", me), platoon("cars", *cars, side="b", **state), phase="shooting")


CAR = armoured_car(24, 24, facing=0, moved=True)


@pytest.mark.rule("FOW-REC-02", "FOW-REC-03", "FOW-REC-05", "FOW-REC-10", "FOW-RULING-47", "FOW-RULING-79")
def test_disengaging_out_of_range() -> None:
    # A machine gun of 16 inches and three dice: one is fired, then the test (4+, regular), then 8 inches away to 19.8: the rest is lost.
    battle = hunt(CAR, mine=tank(24, 10, weapons=(SCOUT_MG,)))
    played = play(shooting_step, battle, answers=["p:fire", "disengage", DEFAULT], dice=[1, 4])
    assert thrown(played) == [1]
    assert played.said(DisengageTested) == [DisengageTested("cars", True)]
    moved = played.said(Moved)[0]
    assert (moved.team, moved.why, moved.counts) == ("cars_1", "disengage", False)
    assert at(played.battle, "cars_1") == (24, 32)
    assert played.battle.platoons["cars"].disengaged
    assert [request.player for request in played.requests] == ["a", "b", "b"]


@pytest.mark.rule("FOW-REC-05", "FOW-RULING-47")
def test_disengaging_but_still_in_fire() -> None:
    # The gun reaches 32 inches: its second shot follows, now at 19.8 inches (4+): a 3 misses, a 4 hits: 1 + 0 + 1 < 11, firepower 3+.
    played = play(shooting_step, hunt(CAR), answers=["p:fire", "disengage", DEFAULT], dice=[1, 4, 3])
    assert thrown(played) == [1, 1]
    assert not lost(played)
    hit = play(shooting_step, hunt(CAR), answers=["p:fire", "disengage", DEFAULT], dice=[1, 4, 4, 1, 3])
    assert lost(hit) == ["cars_1"]


@pytest.mark.rule("FOW-REC-05", "FOW-RULING-47")
def test_out_of_sight_is_out_of_fire() -> None:
    # It drives north past the house's corner; the owner takes it behind it.
    house = building(25, 26, 34, 30)
    battle = hunt(armoured_car(24, 24, moved=True), things=(house,))
    played = play(shooting_step, battle, answers=["p:fire", "disengage", go((23.9, 25.5), (24.2, 31.5))], dice=[1, 4, 1])
    assert thrown(played) == [1, 1]
    hidden = hunt(armoured_car(24, 31.9, moved=True), things=(house, building(14, 26, 23, 30)), gun_rof=3)
    gone = play(shooting_step, hidden, answers=["p:fire", "disengage", go((24.9, 36), (27, 37.5))], dice=[1, 4])
    assert thrown(gone) == [1]


@pytest.mark.rule("FOW-REC-05", "FOW-RULING-79")
def test_a_failed_attempt_lets_the_fire_go_on() -> None:
    played = play(shooting_step, hunt(CAR, gun_rof=3), answers=["p:fire", "disengage"], dice=[1, 3, 1, 1])
    assert thrown(played) == [1, 2]
    assert played.said(DisengageTested) == [DisengageTested("cars", False)]
    assert not played.battle.platoons["cars"].disengaged


@pytest.mark.rule("FOW-RULING-79", "FOW-REC-03")
def test_first_shots_are_resolved_before_the_test() -> None:
    # Two cars; the first shot hits and destroys one (0 + 1 < 11, firepower 3) before the test; the other goes.
    battle = hunt(CAR, armoured_car(27, 24, moved=True))
    played = play(shooting_step, battle, answers=["p:fire", "disengage", DEFAULT, DEFAULT], dice=[3, 1, 3, 4, 1])
    assert lost(played) == ["cars_2"]
    assert [event.team for event in played.said(Moved)] == ["cars_1"]
    # Destroyed altogether there is nobody left to test.
    alone = play(shooting_step, hunt(CAR), answers=["p:fire", "disengage"], dice=[3, 1, 3])
    assert lost(alone) == ["cars_1"]
    assert not alone.said(DisengageTested)


@pytest.mark.rule("FOW-REC-04", "FOW-RULING-26")
def test_rate_of_fire_one_does_not_shoot_at_disengaging_recon() -> None:
    # After reductions: it moved, so it has one die, and none at this target, even when the test fails.
    mine = tank(24, 10, moved=True)
    failed = play(shooting_step, hunt(CAR, mine=mine), answers=["p:fire", "disengage"], dice=[3])
    assert thrown(failed) == []
    assert failed.said(HitsScored)[0].dice == 0
    stands = play(shooting_step, hunt(CAR, mine=mine), answers=["p:fire", "stand"], dice=[1])
    assert thrown(stands) == [1]


@pytest.mark.rule("FOW-REC-03", "FOW-DICE-03")
def test_every_weapon_fires_its_first_shot() -> None:
    mine = tank(24, 10, weapons=(KWK40, SCOUT_MG))
    played = play(shooting_step, hunt(CAR, mine=mine), answers=["p:fire", "disengage"], dice=[1, 1, 3, 1, 1, 1])
    assert thrown(played) == [1, 1, 1, 2]


@pytest.mark.rule("FOW-REC-02", "FOW-DBL-09", "FOW-REC-06", "FOW-REC-07", "FOW-RULING-47", "FOW-RULING-79", "FOW-DEC-12")
def test_who_may_disengage() -> None:
    def why_not(battle: Battle, attack: str = "shooting", attempt: int = 0) -> str:
        refusal = disengage_refusal(battle, "cars", attack, ranged_in_attempt=attempt)
        return "" if refusal is None else refusal.rule

    assert why_not(hunt(CAR)) == ""
    assert why_not(hunt(CAR), "assault") == ""
    assert why_not(hunt(CAR), "air") == "FOW-REC-07"
    assert why_not(hunt(CAR), "artillery", 1) == "FOW-REC-06"
    assert why_not(hunt(CAR), "artillery", 2) == ""
    assert why_not(hunt(CAR, at_the_double=True)) == "FOW-DBL-09"
    assert why_not(hunt(CAR, disengaged=True)) == "FOW-RULING-47"
    # One team of it assaulted: the whole platoon stays. Having shot does not matter.
    assert why_not(hunt(CAR, armoured_car(28, 24, assaulted=True))) == "FOW-REC-02"
    assert why_not(hunt(armoured_car(24, 24, shot=True))) == ""
    assert why_not(hunt(tank(24, 24))) == "FOW-REC-02"
    assert why_not(hunt(armoured_car(24, 24, bogged=True))) == "FOW-RULING-79"
    nobody_asked = play(shooting_step, hunt(tank(24, 24, facing=180, moved=True)), answers=["p:fire"], dice=[1, 1])
    assert not nobody_asked.asked("FOW-DEC-12")


@pytest.mark.rule("FOW-RULING-79")
def test_bogged_and_bailed_out_teams_stay_behind() -> None:
    battle = hunt(CAR, armoured_car(28, 24, bogged=True), armoured_car(20, 24, bailed_out=True))
    played = play(offer_disengage, battle, "cars", "assault", answers=["disengage", DEFAULT], dice=[4])
    assert played.result is True
    assert [event.team for event in played.said(Moved)] == ["cars_1"]


@pytest.mark.rule("FOW-REC-06", "FOW-DEC-16")
def test_from_a_bombardment() -> None:
    def offer(table: Any, attempt: int) -> bool:
        return offer_disengage(table, "cars", "artillery", ranged_in_attempt=attempt)

    first = play(offer, hunt(CAR), 1)
    assert (first.result, first.requests) == (False, [])
    second = play(offer, hunt(CAR), 2, answers=["disengage", DEFAULT], dice=[4])
    assert second.result is True
    assert second.requests[0].decision == "FOW-DEC-16"


@pytest.mark.rule("FOW-REC-09")
def test_from_an_assault() -> None:
    failed = play(offer_disengage, hunt(CAR), "cars", "assault", answers=["disengage"], dice=[3])
    assert failed.result is False
    assert failed.requests[0].decision == "FOW-DEC-21"
    stands = play(offer_disengage, hunt(CAR), "cars", "assault", answers=["stand"])
    assert stands.result is False


@pytest.mark.rule("FOW-RULING-47")
def test_it_may_not_end_nearer_to_a_visible_enemy() -> None:
    from sandtable.kernel.errors import RefusedError

    battle = hunt(CAR)
    with pytest.raises(RefusedError) as refused:
        play(offer_disengage, battle, "cars", "assault", answers=["disengage", go((24, 20))], dice=[4])
    assert refused.value.rule == "FOW-RULING-47"


@pytest.mark.rule("FOW-REC-08", "FOW-RULING-47")
def test_a_failed_save_may_force_it_away() -> None:
    # It stands. One hit of two dice: 6 + 0 (side) against anti-tank 6: equal, firepower 3+ fails (2): no effect, but the save failed.
    # Motivation 4+: a 3 fails, and it goes without a skill test.
    battle = hunt(CAR, mine=tank(24, 10, weapons=(replace(KWK40, anti_tank=6),)))
    forced = play(shooting_step, battle, answers=["p:fire", "stand", DEFAULT], dice=[3, 1, 6, 2, 3])
    assert forced.said(DisengageTested) == [DisengageTested("cars", True, forced=True)]
    assert [event.why for event in forced.said(Moved)] == ["disengage"]
    stays = play(shooting_step, battle, answers=["p:fire", "stand"], dice=[3, 1, 6, 2, 4])
    assert stays.said(DisengageTested) == [DisengageTested("cars", False, forced=True)]
    # A save that is made (6 + 0 > 5) asks for no test.
    saved = play(
        shooting_step, hunt(CAR, mine=tank(24, 10, weapons=(replace(KWK40, anti_tank=5),))), answers=["p:fire", "stand"], dice=[3, 1, 6]
    )
    assert not saved.said(DisengageTested)
    # A platoon that is no recon is not forced.
    tanks = play(shooting_step, hunt(tank(24, 24, moved=True)), answers=["p:fire"], dice=[3, 1, 6, 2])
    assert not tanks.said(DisengageTested)


@pytest.mark.rule("FOW-REC-10")
def test_after_disengaging_it_gives_no_defensive_fire() -> None:
    battle = hunt(CAR, disengaged=True)
    found = shot(battle, battle.teams["cars_1"], KWK40, battle.teams["p_1"], defensive=True)
    assert found.refusal is not None
    assert found.refusal.rule == "FOW-REC-10"


@pytest.mark.rule("FOW-REC-11")
def test_in_its_next_turn_it_does_not_shoot() -> None:
    battle = board(
        platoon("cars", armoured_car(24, 10), reorganising=True), platoon("foe", tank(24, 24, moved=True), side="b"), phase="shooting"
    )
    assert [option.refusal.rule for option in orders(battle, "a") if option.refusal] == ["FOW-REC-11"]
    assert play(shooting_step, battle).events == [PhaseBegan("air_strike")]


# -- towing instead of shooting -------------------------------------------------------------------------------------------------

ARV = {"traits": ("recovery_vehicle",), "weapons": (), "name": "Bergepanzer"}


def stuck(tower: Any, *things: Any, target: Any = None, **state: Any) -> Battle:
    """A bogged tank at (24, 24), its place before the edge at (24, 21), and a tower to its left, 0.9 inches away."""
    from sandtable.field.shapes import Pose

    bogged = target or tank(24, 24, bogged=True, back=Pose(unit(24), unit(21)))
    return board(
        *things,
        platoon("arv", tower, **state),
        platoon("p", bogged, tank(34, 10)),
        platoon("foe", tank(34, 40, moved=True), side="b"),
        phase="shooting",
    )


def left_of(**changes: Any) -> Any:
    return tank(21.7, 24, **(ARV | changes))


@pytest.mark.rule("FOW-TOW-01", "FOW-TOW-03", "FOW-TOW-04")
def test_a_recovery_vehicle_tows_without_a_test_on_firm_ground() -> None:
    played = play(shooting_step, stuck(left_of()), answers=["arv_1>p_1:tow", DEFAULT, STAY])
    assert played.said(TowTried) == [TowTried("arv_1", "p_1", True)]
    assert len(played.said(Freed)) == 1
    assert at(played.battle, "p_1") == (24, 21)  # 3 inches back, at most 4
    assert not played.battle.teams["p_1"].bogged
    # Neither of them shoots this turn; the rest of its platoon does.
    ids = [option.id for option in orders(played.battle, "a") if option.refusal is None]
    assert ids == ["p:fire"]
    assert played.battle.teams["p_1"].busy
    assert played.battle.teams["arv_1"].busy
    fired = play(shooting_step, played.battle, answers=["p:fire"], dice=[1, 1])
    assert fired.said(Fired)[0].teams == ("p_2",)


@pytest.mark.rule("FOW-TOW-03")
def test_a_tow_moves_at_most_four_inches() -> None:
    from sandtable.kernel.errors import RefusedError

    with pytest.raises(RefusedError) as refused:
        play(shooting_step, stuck(left_of()), answers=["arv_1>p_1:tow", go((24, 19.9))])
    assert refused.value.rule == "FOW-TOW-03"
    both = play(shooting_step, stuck(left_of()), answers=["arv_1>p_1:tow", go((24, 20)), go((21.7, 20))])
    assert (at(both.battle, "p_1"), at(both.battle, "arv_1")) == ((24, 20), (21.7, 20))


@pytest.mark.rule("FOW-TOW-03", "FOW-RULING-07")
def test_in_difficult_ground_the_tower_checks() -> None:
    mud = marsh(15, 20, 30, 30)
    freed = play(shooting_step, stuck(left_of(), mud), answers=["arv_1>p_1:tow", STAY, STAY], dice=[2])
    assert freed.said(TowTried)[0].freed
    failed = play(shooting_step, stuck(left_of(), mud), answers=["arv_1>p_1:tow"], dice=[1])
    assert failed.said(TowTried) == [TowTried("arv_1", "p_1", False)]
    assert [event.team for event in failed.said(Bogged)] == ["arv_1"]
    assert failed.battle.teams["p_1"].bogged
    # Very difficult: a skill test (regular 4+).
    deep = river(15, 20, 30, 30)
    assert play(shooting_step, stuck(left_of(), deep), answers=["arv_1>p_1:tow"], dice=[3]).said(Bogged)


@pytest.mark.rule("FOW-TOW-05", "FOW-RULING-07", "FOW-RULING-67")
def test_any_other_vehicle_takes_a_skill_test() -> None:
    plain = tank(21.7, 24)
    freed = play(shooting_step, stuck(plain), answers=["arv_1>p_1:tow", STAY, STAY], dice=[4])
    assert freed.said(TowTried)[0].freed
    failed = play(shooting_step, stuck(plain), answers=["arv_1>p_1:tow"], dice=[3])
    assert not failed.said(Bogged)  # on firm ground the tower does not bog
    # A truck (1 x 1.8) is smaller than the tank: refused. A gun is smaller than any vehicle.
    small = tow_options(stuck(truck(22, 24)), "a")
    assert [option.refusal.rule for option in small if option.refusal] == ["FOW-TOW-05"]
    with_gun = tow_options(stuck(truck(22, 24), target=gun(24, 24, bogged=True)), "a")
    assert [option.refusal for option in with_gun] == [None]


@pytest.mark.rule("FOW-TOW-02", "FOW-TOW-05", "FOW-RULING-67", "FOW-DBL-07")
def test_who_may_tow() -> None:
    def rules(battle: Battle) -> list[str]:
        return ["" if option.refusal is None else option.refusal.rule for option in tow_options(battle, "a")]

    # Next to = at most one inch: bases 1.4 wide, centres 2.4 apart.
    assert rules(stuck(tank(21.6, 24, **ARV))) == [""]
    assert rules(stuck(tank(21.59, 24, **ARV))) == []
    assert rules(stuck(left_of(bailed_out=True))) == ["FOW-TOW-02"]
    assert rules(stuck(left_of(bogged=True)))[0] == "FOW-TOW-02"
    assert rules(stuck(left_of(busy=True))) == ["FOW-TOW-03"]
    assert rules(stuck(left_of(), at_the_double=True)) == ["FOW-DBL-07"]
    assert rules(stuck(infantry(22, 24))) == []
    shot_already = stuck(tank(21.7, 24, shot=True))
    assert rules(shot_already) == ["FOW-TOW-03"]


@pytest.mark.rule("FOW-TOW-01", "FOW-RULING-07")
def test_wrecks_are_dragged_by_recovery_vehicles_only() -> None:
    battle = board(wreck(24, 24), platoon("arv", left_of()), platoon("foe", tank(34, 40), side="b"), phase="shooting")
    corner = battle.ground.by_id["wreck"].outline[0]
    there = {"path": [[corner[0] + 3000, corner[1]]]}
    played = play(shooting_step, battle, answers=["arv_1>wreck:tow", there, STAY])
    assert played.said(WreckTowed) == [WreckTowed("wreck", 3000, 0)]
    assert played.battle.ground.by_id["wreck"].outline[0] == (corner[0] + 3000, corner[1])
    plain = board(wreck(24, 24), platoon("p", tank(21.7, 24)), platoon("foe", tank(34, 40), side="b"), phase="shooting")
    assert tow_options(plain, "a") == []


def test_the_ground_under_a_tower() -> None:
    def under(*things: Any) -> str:
        battle = stuck(left_of(), *things)
        return ground_under(battle, battle.teams["arv_1"])

    assert under() == "cross_country"
    assert under(wood(15, 20, 30, 30)) == "difficult"
    assert under(wood(15, 20, 30, 30), road((21.7, 0), (21.7, 40))) == "road"
    assert under(wood(15, 20, 30, 30), river(15, 20, 30, 22.8)) == "very_difficult"


def test_towing_is_offered_among_the_orders() -> None:
    played = play(shooting_step, stuck(left_of(), target=tank(24, 24, bogged=True)), answers=["done"])
    assert option_ids(played.requests[0]) == ["p:fire", "arv_1>p_1:tow", "done"]
    assert RIFLE.range_in == 16
