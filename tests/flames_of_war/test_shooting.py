"""The shooting step: targets, dice, hits given out, saves, pinning, independent teams. Dice stand in the order they are thrown."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.flames_of_war.boards import (
    BAZOOKA,
    DEFAULT,
    HULL_75,
    KWK40,
    MG,
    PAK40,
    RIFLE,
    Played,
    board,
    building,
    cavalry,
    gun,
    infantry,
    option_ids,
    platoon,
    play,
    refusal_rule,
    tank,
    truck,
    wall,
)

from sandtable.field.shapes import unit
from sandtable.field.terrain import Opening
from sandtable.games.flames_of_war.assault import chargers
from sandtable.games.flames_of_war.battle import (
    Acted,
    BailedOut,
    Battle,
    Destroyed,
    Joined,
    LeaderNamed,
    PhaseBegan,
    Pinned,
    Turned,
)
from sandtable.games.flames_of_war.fire import Fired, HitsScored, TankTypeNamed, Unhurt, defensive_shooters, resolve_fire
from sandtable.games.flames_of_war.shooting import advice, orders, shooting_start_step, shooting_step
from sandtable.games.flames_of_war.sight import may_fire
from sandtable.games.flames_of_war.targets import expected_kills, groups, platoon_volleys
from sandtable.kernel.errors import RefusedError


def field(*things: Any, **options: Any) -> Battle:
    return board(*things, phase="shooting", **options)


def needed(played: Played) -> list[str]:
    """The scores of all to-hit rolls, as the trace gives them."""
    return [entry.needed for record in played.table.records for entry in record.trace if getattr(entry, "label", "") == "roll.to_hit"]


def thrown(played: Played) -> list[int]:
    """How many to-hit dice each roll had."""
    return [len(entry.faces) for record in played.table.records for entry in record.trace if getattr(entry, "label", "") == "roll.to_hit"]


# -- targets ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-TGT-01")
def test_platoons_shoot_one_after_another() -> None:
    battle = field(
        platoon("one", tank(10, 10)),
        platoon("two", tank(20, 10)),
        platoon("fast", tank(30, 10), at_the_double=True),
        platoon("foe", tank(16, 30, facing=180, moved=True), side="b"),
    )
    first = play(shooting_step, battle, answers=["two:fire"], dice=[1, 1])
    assert option_ids(first.requests[0]) == ["one:fire", "two:fire", "done"]
    assert refusal_rule(first.requests[0], "fast:fire") == "FOW-DBL-07"
    assert first.said(Acted) == [Acted("two")]
    assert first.battle.teams["two_1"].shot
    second = play(shooting_step, first.battle, answers=["one:fire"], dice=[1, 1])
    assert option_ids(second.requests[0]) == ["one:fire", "done"]
    # Nobody is left who could shoot: no question, the aircraft come.
    third = play(shooting_step, second.battle)
    assert third.events == [PhaseBegan("air_strike")]


@pytest.mark.rule("FOW-TGT-01")
def test_done_ends_the_shooting() -> None:
    battle = field(platoon("one", tank(10, 10)), platoon("foe", tank(16, 30), side="b"))
    assert play(shooting_step, battle, answers=["done"]).events == [PhaseBegan("air_strike")]


@pytest.mark.rule("FOW-TGT-02", "FOW-TGT-03", "FOW-RULING-72")
def test_split_fire_is_declared_before_any_dice() -> None:
    two = (KWK40, replace(MG, mount="turret", range_in=24))
    battle = field(
        platoon("p", tank(10, 10, weapons=two), tank(14, 10)),
        platoon("near", infantry(10, 24, facing=180), side="b"),
        platoon("far", tank(14, 28, facing=180, moved=True), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire", "split", {"near": ["p_1"], "far": ["p_2"]}], dice=[1, 1, 1, 1, 1, 1, 1])
    kinds = [type(event).__name__ for event in played.events]
    assert kinds == ["Fired", "Fired", "HitsScored", "HitsScored", "Acted"]
    # p_1 fires both its weapons at the one platoon: 2 and 3 dice; p_2 its gun at the other.
    assert thrown(played) == [2, 3, 2]
    assert [event.target for event in played.said(Fired)] == ["near", "far"]
    # A team appears once: it cannot be given to two targets.
    twice = {"near": ["p_1"], "far": ["p_1", "p_2"]}
    with pytest.raises(RefusedError):
        play(shooting_step, battle, answers=["p:fire", "split", twice])


@pytest.mark.rule("FOW-TGT-02", "FOW-TGT-05")
def test_split_fire_needs_a_shot_for_every_team() -> None:
    battle = field(
        platoon("p", infantry(10, 10), infantry(30, 10)),
        platoon("left", infantry(10, 24), side="b"),
        platoon("right", infantry(30, 24), side="b"),
    )
    with pytest.raises(RefusedError) as refused:
        play(shooting_step, battle, answers=["p:fire", "split", {"left": ["p_1", "p_2"]}])
    assert refused.value.rule == "FOW-TGT-05"
    held = play(shooting_step, battle, answers=["p:fire", "split", {"left": ["p_1"], "hold": ["p_2"]}], dice=[1])
    assert not held.battle.teams["p_2"].shot


@pytest.mark.rule("FOW-TGT-04", "FOW-RULING-73")
def test_scattered_groups_are_targets_of_their_own() -> None:
    # Regular infantry: 4 inches. The third team is 10 inches away, out of command.
    battle = field(
        platoon("p", tank(24, 10)),
        platoon("foe", infantry(20, 24, moved=True), infantry(23, 24, moved=True), infantry(35, 24, moved=True), side="b"),
        platoon("other", tank(40, 30, moved=True), side="b"),
    )
    assert groups(battle, "foe") == {"foe": ("foe_1", "foe_2", "foe_3"), "foe#1": ("foe_1", "foe_2"), "foe#2": ("foe_3",)}
    played = play(shooting_step, battle, answers=["p:fire", "foe#2"], dice=[3, 3, 1])
    assert option_ids(played.requests[1]) == ["foe", "foe#1", "foe#2", "other"]
    assert [event.team for event in played.said(Destroyed)] == ["foe_3"]
    # A leaderless platoon: its largest group stands for it.
    leaderless = field(platoon("p", tank(24, 10)), platoon("foe", infantry(35, 24), infantry(20, 24), infantry(23, 24), side="b", leader=0))
    assert groups(leaderless, "foe")["foe#1"] == ("foe_2", "foe_3")


@pytest.mark.rule("FOW-TGT-05", "FOW-ALLOC-02")
def test_teams_out_of_range_or_sight_cannot_be_hit() -> None:
    # A rifle reaches 16 inches: the second team stands 30 away. Two hits, one target team: both fall on it.
    battle = field(
        platoon("p", infantry(10, 10, weapons=(replace(RIFLE, rof=2),))),
        platoon("foe", infantry(10, 24, moved=True), infantry(10, 42, moved=True), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire", DEFAULT], dice=[3, 3, 3, 1])
    assert [event.team for event in played.said(Destroyed)] == ["foe_1"]


@pytest.mark.rule("FOW-TGT-05")
def test_targets_that_cannot_be_shot_at_say_why() -> None:
    battle = field(
        building(26, 18, 34, 22),
        platoon("p", tank(20, 10)),
        platoon("seen", tank(20, 30, moved=True), side="b"),
        platoon("also", tank(16, 30, moved=True), side="b"),
        platoon("behind", tank(35, 28), side="b"),
        platoon("away", tank(20, 46), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire", "seen"], dice=[1, 1])
    assert refusal_rule(played.requests[1], "behind") == "FOW-LOS-16"
    assert refusal_rule(played.requests[1], "away") == "FOW-TGT-06"
    assert option_ids(played.requests[1]) == ["seen", "also"]  # one shooter alone has nothing to split


# -- dice and scores --------------------------------------------------------------------------------------------------------


def one_shot(me: Any, you: Any, dice: list[int], *, mine: Any = None, yours: Any = None, **more: Any) -> Played:
    battle = field(platoon("p", me, **(mine or {})), platoon("foe", you, side="b", **(yours or {})), **more)
    return play(shooting_step, battle, answers=["p:fire"], dice=dice)


@pytest.mark.rule("FOW-DICE-01", "FOW-DICE-02", "FOW-HIT-02", "FOW-RULING-08")
def test_rate_of_fire() -> None:
    target = tank(10, 30, facing=180, moved=True)
    assert thrown(one_shot(tank(10, 10), target, [1, 1])) == [2]
    moved = one_shot(tank(10, 10, moved=True), target, [1])
    # One die; printed rate 2, so no penalty for moving. 17.4 inches: 3 + 1 for long range.
    assert (thrown(moved), needed(moved)) == ([1], ["4+"])
    printed = one_shot(tank(10, 10, moved=True, weapons=(replace(KWK40, rof=1),)), target, [1])
    assert (thrown(printed), needed(printed)) == ([1], ["5+"])


@pytest.mark.rule("FOW-DICE-03", "FOW-DBL-10")
def test_dice_are_doubled_against_a_platoon_at_the_double() -> None:
    played = one_shot(tank(10, 10), tank(10, 30, facing=180, moved=True), [1, 1, 1, 1], yours={"at_the_double": True})
    assert thrown(played) == [4]


@pytest.mark.rule("FOW-DICE-05")
def test_mounted_cavalry_has_one_die() -> None:
    played = one_shot(cavalry(10, 10, weapons=(MG,)), tank(10, 20, facing=180, moved=True), [1])
    assert thrown(played) == [1]
    near = one_shot(cavalry(10, 10, weapons=(MG,), moved=True), tank(10, 15, facing=180, moved=True), [1])
    assert thrown(near) == [1]
    far = field(platoon("p", cavalry(10, 10, weapons=(MG,), moved=True)), platoon("foe", tank(10, 20, facing=180, moved=True), side="b"))
    assert play(shooting_step, far).events == [PhaseBegan("air_strike")]


@pytest.mark.rule("FOW-DICE-06", "FOW-PIN-04", "FOW-PIN-03")
def test_pinned_teams() -> None:
    target = tank(10, 24, facing=180, moved=True)
    assert thrown(one_shot(infantry(10, 10, weapons=(MG,)), target, [1], mine={"pinned": True})) == [1]
    assert thrown(one_shot(tank(10, 10), target, [1, 1], mine={"pinned": True})) == [2]


@pytest.mark.rule("FOW-HIT-01", "FOW-HIT-02")
@pytest.mark.parametrize(("skill", "score"), [("conscript", 2), ("regular", 3), ("veteran", 4)], ids=["conscript", "regular", "veteran"])
def test_scores(skill: str, score: int) -> None:
    """In the open within 16; beyond it + 1; concealed + 1; gone to ground + 1."""
    near = one_shot(tank(10, 10), tank(10, 24, facing=180, moved=True), [1, 1], yours={"skill": skill})
    assert needed(near) == [f"{score}+"]
    far = one_shot(tank(10, 10), tank(10, 34, facing=180, moved=True), [1, 1], yours={"skill": skill})
    assert needed(far) == [f"{score + 1}+"]
    shot_last_turn = one_shot(tank(10, 10), infantry(10, 24, shot=True), [1, 1], yours={"skill": skill})
    assert needed(shot_last_turn) == [f"{score + 1}+"]
    gone = one_shot(tank(10, 10), infantry(10, 24), [1, 1], yours={"skill": skill})
    assert needed(gone) == [f"{score + 2}+"]


@pytest.mark.rule("FOW-HIT-02", "FOW-RULING-28")
def test_a_score_of_seven_rolls_no_dice() -> None:
    # Veteran 4, long range 1, concealed 1, gone to ground 1: 7.
    played = one_shot(tank(10, 10), infantry(10, 34), [], yours={"skill": "veteran"})
    assert played.said(HitsScored) == [HitsScored("foe", 0, 2)]


@pytest.mark.rule("FOW-HIT-03")
def test_each_shooter_uses_the_easiest_team() -> None:
    # One team is gone to ground, one moved in the open: 3+, for the tank within 16 of it; the far tank is 17 from it: 4+.
    battle = field(
        platoon("p", tank(10, 10), tank(26, 10)),
        platoon("foe", infantry(8, 26, moved=True), infantry(12, 26), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire"], dice=[1, 1, 1, 1])
    assert needed(played) == ["3+", "4+"]


@pytest.mark.rule("FOW-RULING-72")
def test_every_weapon_of_a_team_fires_with_its_own_range() -> None:
    weapons = (KWK40, replace(MG, mount="turret"))
    target = infantry(10, 30, moved=True)  # 18 inches: too far for the machine gun
    assert thrown(one_shot(tank(10, 10, weapons=weapons), target, [1, 1])) == [2]
    assert thrown(one_shot(tank(10, 10, weapons=weapons), infantry(10, 24, moved=True), [1, 1, 1, 1, 1])) == [2, 3]


@pytest.mark.rule("FOW-ARC-03", "FOW-RULING-71")
def test_guns_turn_to_their_target_and_have_not_moved() -> None:
    played = one_shot(gun(10, 10, facing=45), tank(10, 24, facing=180, moved=True), [1, 1])
    assert played.said(Turned) == [Turned("p_1", 0)]
    assert not played.battle.teams["p_1"].moved
    assert not one_shot(tank(10, 10, facing=45), tank(10, 24, facing=180, moved=True), [1, 1]).said(Turned)
    hull = one_shot(tank(10, 10, facing=45, weapons=(HULL_75,)), tank(10, 24, facing=180, moved=True), [1, 1])
    assert hull.said(Turned) == [Turned("p_1", 0)]


@pytest.mark.rule("FOW-LOS-04", "FOW-RULING-68")
def test_who_was_shot_over_keeps_quiet() -> None:
    battle = field(
        platoon("p", tank(10, 10, weapons=(KWK40,))),
        platoon("foot", infantry(10, 13)),
        platoon("foe", tank(10, 24, facing=180, moved=True), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire"], dice=[1, 1])
    assert played.said(Fired)[0].over == ("foot_1",)
    refused = [option for option in orders(played.battle, "a") if option.id == "foot:fire"]
    assert refused[0].refusal is not None
    assert refused[0].refusal.rule == "FOW-RULING-68"
    # The other way round: once the foot team has shot, nobody shoots over it.
    first = play(shooting_step, battle, answers=["foot:fire"], dice=[1])
    assert option_ids_of(first.battle) == []


def option_ids_of(battle: Battle) -> list[str]:
    return [option.id for option in orders(battle, "a") if option.refusal is None]


@pytest.mark.rule("FOW-LOS-04")
def test_in_one_platoon_the_rear_rank_keeps_quiet() -> None:
    battle = field(platoon("p", infantry(10, 10), infantry(10, 12)), platoon("foe", infantry(10, 24, moved=True, base_w_in=0.5), side="b"))
    played = play(shooting_step, battle, answers=["p:fire"], dice=[1])
    assert played.said(Fired)[0].teams == ("p_2",)
    assert not played.battle.teams["p_1"].shot


@pytest.mark.rule("FOW-BLDG-04", "FOW-RULING-69")
def test_one_opening_serves_one_team() -> None:
    door = Opening((unit(9.5), unit(14)), (unit(10.5), unit(14)), 0)
    battle = field(
        building(6, 8, 14, 14, openings=(door,)),
        platoon("p", infantry(8, 10, building="building"), infantry(12, 10, building="building")),
        platoon("foe", tank(10, 24, facing=180, moved=True), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire"], dice=[1])
    assert played.said(Fired)[0].openings == (("p_1", "building#0"),)
    assert played.battle.teams["p_1"].opening == "building#0"
    # Four walls, four openings: both fire, each through its own.
    square = field(
        building(6, 8, 14, 14),
        platoon("p", infantry(8, 10, building="building"), infantry(12, 10, building="building")),
        platoon("foe", tank(18, 18, facing=180, moved=True), side="b"),
    )
    both = play(shooting_step, square, answers=["p:fire"], dice=[1, 1])
    assert len({opening for _, opening in both.said(Fired)[0].openings}) == 2


# -- hits given out ---------------------------------------------------------------------------------------------------------


def volley(dice: list[int], *foes: Any, me: Any = None, answers: list[Any] | None = None, **more: Any) -> Played:
    """One tank with a rate of fire of 6 at a platoon; in the open and near 3+."""
    shooter = me or tank(24, 10, weapons=(replace(KWK40, rof=6),))
    battle = field(platoon("p", shooter), platoon("foe", *foes, side="b", **more))
    return play(shooting_step, battle, answers=["p:fire", *(answers or [])], dice=dice)


def lost(played: Played) -> list[str]:
    return [event.team for event in played.said(Destroyed)]


@pytest.mark.rule("FOW-ALLOC-01", "FOW-ALLOC-04")
def test_the_owner_says_who_is_hit() -> None:
    foes = (infantry(20, 24, moved=True), infantry(23, 24, moved=True), infantry(26, 24, moved=True, weapons=(BAZOOKA,)))
    # One hit. The owner is asked, since the teams differ; by default the leader and the bazooka are spared.
    by_default = volley([3, 1, 1, 1, 1, 1, 1], *foes, answers=[DEFAULT])
    assert lost(by_default) == ["foe_2"]
    asked = by_default.asked("FOW-DEC-14")[0]
    assert asked.player == "b"
    wish = volley([3, 1, 1, 1, 1, 1, 1], *foes, answers=[["foe_3", "foe_1", "foe_2"]])
    assert lost(wish) == ["foe_3"]
    # Three hits on three teams: one each, nothing to ask (FOW-ALLOC-04).
    three = volley([3, 3, 3, 1, 1, 1, 1, 1, 1], *foes)
    assert sorted(lost(three)) == ["foe_1", "foe_2", "foe_3"]


@pytest.mark.rule("FOW-ALLOC-04", "FOW-RULING-39")
def test_more_hits_than_teams() -> None:
    # Four hits on two equal teams, two each. The first dies of its first hit: its second is not rolled; the other saves both (3, 4).
    foes = (infantry(20, 24, moved=True), infantry(23, 24, moved=True))
    played = volley([3, 3, 3, 3, 1, 1, 1, 3, 4], *foes)
    assert lost(played) == ["foe_2"]  # the leader comes last
    assert played.said(Unhurt) == [Unhurt("foe_1", 2)]


@pytest.mark.rule("FOW-ALLOC-03")
def test_bailed_out_vehicles_come_after_the_operational() -> None:
    foes = (tank(20, 24, moved=True, bailed_out=True), tank(23, 24, moved=True))
    # One hit, rear armour 3: 1 + 3 < 11, firepower 3+: destroyed. It is the operational one, whatever the owner would like.
    played = volley([3, 1, 1, 1, 1, 1, 1, 3], *foes)
    assert lost(played) == ["foe_2"]


@pytest.mark.rule("FOW-ALLOC-05", "FOW-RULING-16")
def test_teams_within_16_inches_are_hit_first() -> None:
    # The leader is 12 inches away, the other 17: the leader is hit, with no choice.
    foes = (infantry(24, 24, moved=True), infantry(24, 29, moved=True))
    played = volley([3, 1, 1, 1, 1, 1, 1], *foes)
    assert lost(played) == ["foe_1"]
    assert not played.asked("FOW-DEC-14")
    # Both within 16 the owner may spare his leader.
    assert lost(volley([3, 1, 1, 1, 1, 1, 1], foes[0], infantry(24, 27, moved=True), answers=[DEFAULT])) == ["foe_2"]


@pytest.mark.rule("FOW-ALLOC-06", "FOW-ALLOC-01", "FOW-DEC-13")
def test_the_shooter_names_a_priority_type() -> None:
    foes = (infantry(20, 24, moved=True), truck(23, 24, moved=True))
    plain = volley([3, 1, 1, 1, 1, 1, 1], *foes, answers=["none", ["foe_1", "foe_2"]])
    assert lost(plain) == ["foe_1"]
    named = volley([3, 1, 1, 1, 1, 1, 1], *foes, answers=["transport"])
    assert lost(named) == ["foe_2"]
    assert [request.player for request in named.asked("FOW-DEC-13")] == ["a"]


@pytest.mark.rule("FOW-ALLOC-07")
def test_man_packed_guns_cannot_be_named_for_weak_weapons() -> None:
    foes = (
        infantry(20, 24, moved=True),
        gun(23, 24, moved=True, mobility="man_packed_gun", gun_shield=False),
        truck(26, 24, moved=True),
    )
    weak = tank(24, 10, weapons=(replace(KWK40, firepower=5),))
    battle = field(platoon("p", weak), platoon("foe", *foes, side="b"))
    with pytest.raises(RefusedError) as refused:
        play(shooting_step, battle, answers=["p:fire", "man_packed_gun"], dice=[3, 1])
    assert refused.value.rule == "FOW-ALLOC-07"
    strong = field(platoon("p", tank(24, 10)), platoon("foe", *foes, side="b"))
    assert lost(play(shooting_step, strong, answers=["p:fire", "man_packed_gun"], dice=[3, 1, 1])) == ["foe_2"]


@pytest.mark.rule("FOW-ALLOC-08")
def test_armour_gets_the_highest_anti_tank() -> None:
    # A rifle and a tank gun hit once each; half-track and infantry one hit each: the tank gun's goes to the armour.
    half_track = truck(26, 22, facing=180, save="armoured", armour_front=1, armour_side=0, armour_top=0)
    battle = field(
        platoon("p", infantry(22, 10, weapons=(replace(RIFLE, rof=2),)), tank(25, 10, weapons=(replace(KWK40, rof=1),))),
        platoon("foe", infantry(22, 22, moved=True), half_track, side="b"),
    )
    # The rifle hits with one die, the gun with its one; then the half-track 1 + 1 < 11 and firepower 3+, and the infantry fails (1).
    played = play(shooting_step, battle, answers=["p:fire", "none"], dice=[3, 1, 3, 1, 3, 1])
    assert sorted(lost(played)) == ["foe_1", "foe_2"]
    # With the hits the other way round the rifle (anti-tank 2, 1 + 1 = 2 equal) could at most have bailed it out.


@pytest.mark.rule("FOW-ALLOC-09", "FOW-RULING-74")
def test_rolling_for_the_type_of_tank() -> None:
    foes = (tank(20, 22, facing=180, moved=True), tank(23, 22, facing=180, moved=True, name="Tiger", armour_front=9))
    # Two hits; the shooter rolls for Tigers: 5 and 4, so one goes to the Tiger. The rest: less armour first, the Panzer IV.
    # Saves: Tiger 2 + 9 = 11 equal, firepower 3: bailed out. Panzer (the leader, last) 1 + 6 < 11, firepower 3: destroyed.
    played = volley([3, 3, 1, 1, 1, 1, 5, 4, 2, 3, 1, 3], *foes, answers=["Tiger"])
    assert played.said(TankTypeNamed) == [TankTypeNamed("foe", "Tiger", 1)]
    assert lost(played) == ["foe_1"]
    assert played.said(BailedOut) == [BailedOut("foe_2")]
    # One hit that comes up 5: the Tiger has it, the lesser armour notwithstanding.
    single = volley([3, 1, 1, 1, 1, 1, 5, 2, 3], *foes, answers=["Tiger"])
    assert single.said(BailedOut) == [BailedOut("foe_2")]
    # Without rolling one hit goes to the less armoured one: no choice for anybody.
    plain = volley([3, 1, 1, 1, 1, 1, 1, 3], *foes, answers=["none"])
    assert lost(plain) == ["foe_1"]


@pytest.mark.rule("FOW-ALLOC-10")
def test_less_armoured_vehicles_are_hit_first() -> None:
    # Seen from behind the side counts: 3 against 4. The same names, so nothing to roll for.
    foes = (tank(20, 24, moved=True, armour_side=4), tank(23, 24, moved=True))
    played = volley([3, 1, 1, 1, 1, 1, 1, 3], *foes)
    assert lost(played) == ["foe_2"]


@pytest.mark.rule("FOW-ALLOC-11")
def test_teams_outside_bulletproof_cover_are_hit_first() -> None:
    foes = (infantry(20, 24, dug_in=True, weapons=(RIFLE,)), infantry(23, 24, moved=True), infantry(26, 24, dug_in=True))
    played = volley([3, 1, 1, 1, 1, 1, 1], *foes)
    assert lost(played) == ["foe_2"]


@pytest.mark.rule("FOW-ALLOC-12", "FOW-SAVE-09")
def test_teams_in_cover_get_the_highest_anti_tank() -> None:
    # A rifle (firepower 6) and a bazooka (firepower 5) hit once each; the team in cover must get the bazooka's.
    battle = field(
        platoon("p", infantry(22, 16), infantry(25, 16, weapons=(BAZOOKA,))),
        platoon("foe", infantry(22, 23, dug_in=True), infantry(25, 23, moved=True), side="b"),
    )
    # To hit 3+ (the one in the open); saves in the order of the list: foe_2 1 lost; foe_1 fails (1), firepower test 5 passes 5+.
    played = play(shooting_step, battle, answers=["p:fire"], dice=[3, 3, 1, 1, 5])
    assert sorted(lost(played)) == ["foe_1", "foe_2"]
    by_rifle_only = play(shooting_step, battle, answers=["p:fire"], dice=[3, 3, 1, 1, 4])
    assert lost(by_rifle_only) == ["foe_2"]


@pytest.mark.rule("FOW-ALLOC-02", "FOW-RULING-16")
def test_hits_of_a_shooter_fall_only_on_teams_it_can_hit() -> None:
    # The rifle reaches only the near team, the tank both. Two hits of the tank, one of the rifle.
    battle = field(
        platoon("p", infantry(20, 10), tank(24, 10)),
        platoon("foe", infantry(20, 24, moved=True), infantry(24, 28.4, moved=True), side="b"),
    )
    # Rifle 3+, tank 3+ (the near team). Three hits: the rifle's on foe_1, the tank's one each. Saves: foe_2 first (no leader).
    played = play(shooting_step, battle, answers=["p:fire"], dice=[3, 3, 3, 3, 3, 3])
    assert [(event.team, event.hits) for event in played.said(Unhurt)] == [("foe_2", 1), ("foe_1", 2)]


# -- saves ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-SAVE-01", "FOW-SAVE-05", "FOW-RULING-40")
def test_long_range_and_facing_in_a_save() -> None:
    # Front 6, beyond 16: a roll of 4 makes 4 + 6 + 1 = 11, equal; firepower 3: bailed out.
    front = one_shot(tank(10, 10), tank(10, 30, facing=180, moved=True), [4, 1, 4, 3])
    assert front.said(BailedOut) == [BailedOut("foe_1")]
    # Side 3: 4 + 3 + 1 = 8 < 11: destroyed.
    rear = one_shot(tank(10, 10), tank(10, 30, moved=True), [4, 1, 4, 3])
    assert lost(rear) == ["foe_1"]


@pytest.mark.rule("FOW-BAIL-02", "FOW-RULING-39")
def test_the_second_hit_meets_the_state_the_first_left() -> None:
    # First hit: 5 + 6 = 11 equal, firepower 3 bails it out. Second: the same, and the crew fails its motivation test (4+): destroyed.
    played = one_shot(tank(10, 10), tank(10, 24, facing=180, moved=True), [3, 3, 5, 3, 5, 3, 3])
    assert lost(played) == ["foe_1"]


@pytest.mark.rule("FOW-RULING-39", "FOW-PASS-03", "FOW-PASS-01")
def test_all_hits_on_a_loaded_vehicle_are_rolled() -> None:
    # Both hits destroy the truck (1, 1); its passenger must save twice on 5+: 5, then 4 fails.
    battle = field(platoon("p", tank(10, 10)), platoon("foe", truck(10, 24, moved=True), infantry(mounted_in="foe_1"), side="b"))
    played = play(shooting_step, battle, answers=["p:fire"], dice=[3, 3, 1, 1, 5, 4])
    assert lost(played) == ["foe_1", "foe_2"]
    safe = play(shooting_step, battle, answers=["p:fire"], dice=[3, 3, 1, 5, 5])
    assert lost(safe) == ["foe_1"]


@pytest.mark.rule("FOW-CONC-09", "FOW-RULING-69")
def test_a_bunker_buster_hits_everybody_in_the_building() -> None:
    heavy = replace(KWK40, rof=1, bunker_buster=True)
    house = building(18, 22, 28, 30)
    inside = {"moved": True, "building": "building"}
    battle = field(
        house,
        platoon("p", tank(24, 10, weapons=(heavy,))),
        platoon("foe", infantry(20, 26, **inside), infantry(23, 26, **inside), side="b"),
        platoon("next", infantry(26, 26, **inside), side="b"),
    )
    # Concealed, not gone to ground: 4+. One hit; foe_2 saves 3; then the others: foe_1 fails 1, firepower 3+ passes 3; next_1 saves.
    played = play(shooting_step, battle, answers=["p:fire", "foe", DEFAULT], dice=[4, 3, 1, 3, 3])
    assert lost(played) == ["foe_1"]
    assert [(event.platoon, event.hits) for event in played.said(HitsScored)] == [("foe", 1), ("foe", 1), ("next", 1)]
    plain = field(
        house,
        platoon("p", tank(24, 10, weapons=(replace(heavy, bunker_buster=False),))),
        platoon("foe", infantry(20, 26, **inside), infantry(23, 26, **inside), side="b"),
    )
    assert not lost(play(shooting_step, plain, answers=["p:fire", DEFAULT], dice=[4, 3]))


@pytest.mark.rule("FOW-RULING-69", "FOW-PIN-01")
def test_extra_hits_in_a_building_count_for_pinning() -> None:
    heavy = replace(KWK40, rof=6, bunker_buster=True)
    battle = field(
        building(18, 22, 28, 30),
        platoon("p", tank(24, 10, weapons=(heavy,))),
        platoon("foe", infantry(20, 26, moved=True, building="building"), side="b"),
        platoon("next", infantry(26, 26, moved=True, building="building"), side="b"),
    )
    # Five hits (4+), all saved; five more on the neighbours, all saved: both platoons are pinned.
    played = play(shooting_step, battle, answers=["p:fire", "foe"], dice=[4, 4, 4, 4, 4, 1, *[3] * 10])
    assert played.said(Pinned) == [Pinned("foe"), Pinned("next")]


# -- pinning ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-PIN-01", "FOW-RULING-17")
def test_five_hits_in_the_whole_step_pin() -> None:
    mg = infantry(20, 10, weapons=(replace(MG, rof=4),))
    other = infantry(28, 10, weapons=(RIFLE,))
    battle = field(
        platoon("p", mg), platoon("q", other), platoon("foe", infantry(22, 22, moved=True), infantry(25, 22, moved=True), side="b")
    )
    four = play(shooting_step, battle, answers=["p:fire"], dice=[3, 3, 3, 3, 3, 3, 3, 3])
    assert not four.battle.platoons["foe"].pinned
    assert four.battle.platoons["foe"].hits == 4
    five = play(shooting_step, four.battle, answers=["q:fire", DEFAULT], dice=[3, 3])
    assert five.said(Pinned) == [Pinned("foe")]
    # In the next step the count begins anew.
    later = replace(four.battle, phase="shooting")
    assert PhaseBegan("assault").apply(later).platoons["foe"].hits == 0


@pytest.mark.rule("FOW-PIN-03", "FOW-IND-08")
def test_armour_and_lone_independents_are_not_pinned() -> None:
    armour = volley([3, 3, 3, 3, 3, 3, 6, 6, 6, 6, 6, 6], tank(24, 22, facing=180, moved=True))
    assert not armour.said(Pinned)
    # Anti-tank 11 against 6 + 6: no effect.
    observer = volley([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], infantry(24, 22, moved=True, traits=("observer",)), role="independent")
    assert observer.said(HitsScored)[0].hits == 6
    assert not observer.said(Pinned)


@pytest.mark.rule("FOW-IND-08")
def test_a_joined_team_shoots_pinned_with_its_platoon() -> None:
    battle = field(
        platoon("p", infantry(24, 12), pinned=True),
        platoon("boss", infantry(24, 10, weapons=(MG,), traits=("company_commander",), joined="p"), role="hq"),
        platoon("foe", infantry(24, 22, moved=True, base_w_in=6), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire"], dice=[1, 1])
    assert thrown(played) == [1, 1]
    alone = replace(battle, teams=battle.teams | {"boss_1": replace(battle.teams["boss_1"], joined="")})
    assert thrown(play(shooting_step, alone, answers=["boss:fire"], dice=[1, 1, 1])) == [3]


# -- independent teams ------------------------------------------------------------------------------------------------------


def commander(x: float, y: float, **changes: Any) -> Any:
    return tank(x, y, facing=180, moved=True, traits=("company_commander", "warrior"), **changes)


@pytest.mark.rule("FOW-IND-06")
def test_an_independent_team_that_is_shot_at_joins_its_kind() -> None:
    # Regular tanks: 6 inches. Infantry is nearer, but not of his type.
    battle = field(
        platoon("p", tank(24, 10)),
        platoon("boss", commander(24, 24), side="b", role="hq"),
        platoon("panzer", tank(28, 24, facing=180, moved=True), tank(31, 24, facing=180, moved=True), side="b"),
        platoon("foot", infantry(21, 24), side="b"),
    )
    # One hit, owner's choice between the commander and plain tanks: a plain one. 1 + 6 < 11, firepower 3.
    played = play(shooting_step, battle, answers=["p:fire", "boss", DEFAULT], dice=[3, 1, 1, 3])
    assert played.said(Joined) == [Joined("boss_1", "panzer")]
    assert lost(played) == ["panzer_2"]
    assert played.battle.teams["boss_1"].joined == "panzer"  # until the end of the step
    assert PhaseBegan("assault").apply(played.battle).teams["boss_1"].joined == ""


@pytest.mark.rule("FOW-IND-06")
def test_alone_out_of_reach_or_among_strangers() -> None:
    far_off = field(
        platoon("p", tank(24, 10)),
        platoon("boss", commander(24, 24), side="b", role="hq"),
        platoon("panzer", tank(40, 40, facing=180), side="b"),
        platoon("foot", infantry(21, 24), side="b"),
    )
    played = play(shooting_step, far_off, answers=["p:fire", "boss"], dice=[3, 1, 1, 3])
    # Only infantry in reach: he stays alone, is hit, and as a warrior without another tank near has no save.
    assert not played.said(Joined)
    assert lost(played) == ["boss_1"]


@pytest.mark.rule("FOW-IND-06")
def test_by_way_of_another_independent_team() -> None:
    # The observer (infantry) reaches only the second in command, who reaches a platoon: both end up in it.
    battle = field(
        platoon("p", tank(24, 10)),
        platoon("eyes", infantry(20, 24, moved=True, traits=("observer",)), side="b", role="independent"),
        platoon("second", infantry(24, 24, moved=True, traits=("second_in_command",)), side="b", role="hq"),
        platoon("foot", infantry(29, 24, moved=True), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire", "eyes"], dice=[1, 1])
    assert played.said(Joined) == [Joined("second_1", "foot"), Joined("eyes_1", "foot")]
    assert played.said(Fired)[0].target == "foot"


@pytest.mark.rule("FOW-IND-07", "FOW-DEC-11")
def test_an_independent_team_may_join_the_platoon_that_is_shot_at() -> None:
    battle = field(
        platoon("p", tank(24, 10)),
        platoon("boss", commander(24, 26), side="b", role="hq"),
        platoon("panzer", tank(28, 24, facing=180, moved=True), side="b"),
    )
    joins = play(shooting_step, battle, answers=["p:fire", "panzer", "panzer", DEFAULT], dice=[3, 1, 1, 3])
    assert [request.player for request in joins.asked("FOW-DEC-11")] == ["b"]
    assert joins.said(Joined) == [Joined("boss_1", "panzer")]
    alone = play(shooting_step, battle, answers=["p:fire", "panzer", "alone"], dice=[1, 1])
    assert not alone.said(Joined)
    # Out of reach nobody is asked: 8 inches, with 6 for regular tanks.
    away = field(
        platoon("p", tank(24, 10)),
        platoon("boss", commander(18, 26), side="b", role="hq"),
        platoon("panzer", tank(28, 24, facing=180, moved=True), side="b"),
    )
    assert not play(shooting_step, away, answers=["p:fire", "panzer"], dice=[1, 1]).asked("FOW-DEC-11")


# -- new leaders --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-CMD-10", "FOW-CMD-11", "FOW-CMD-12")
@pytest.mark.parametrize("rank", ["company_commander", "second_in_command", "higher_command"])
def test_a_commander_names_a_new_leader(rank: str) -> None:
    battle = board(
        platoon("foot", infantry(20, 10), infantry(23, 10), infantry(32, 10), leader=0),
        platoon("boss", infantry(22, 13, traits=(rank,)), role="hq"),
        platoon("foe", infantry(22, 24), side="b"),
        phase="shooting_start",
    )
    played = play(shooting_start_step, battle, answers=["boss_1>foot_2"])
    # Within command distance of him: not the third, which is 8 inches off (4 for regulars).
    assert option_ids(played.requests[0]) == ["boss_1>foot_1", "boss_1>foot_2", "none"]
    assert played.said(Joined) == [Joined("boss_1", "foot")]
    assert played.said(LeaderNamed) == [LeaderNamed("foot", "foot_2", "boss_1")]
    assert played.battle.platoons["foot"].leader == "foot_2"
    assert played.battle.phase == "smoke"
    # The new leader may shoot; the one who named him may not (FOW-CMD-11).
    shooting = play(shooting_step, replace(played.battle, phase="shooting"), answers=["foot:fire"], dice=[1, 1, 1])
    assert shooting.said(Fired)[0].teams == ("foot_1", "foot_2", "foot_3")
    assert "boss:fire" not in option_ids_of(played.battle)
    boss = played.battle.teams["boss_1"]
    refusal = may_fire(played.battle, boss)
    assert refusal is not None and refusal.rule == "FOW-CMD-11"
    assert boss in chargers(played.battle, played.battle.platoons["foot"]), "it is only shooting that he may not do"


@pytest.mark.rule("FOW-CMD-10")
def test_no_leader_is_named_where_none_is_missing_or_nobody_near() -> None:
    led = board(
        platoon("foot", infantry(20, 10)),
        platoon("boss", infantry(22, 13, traits=("company_commander",)), role="hq"),
        platoon("foe", infantry(22, 40), side="b"),
        phase="shooting_start",
    )
    assert not play(shooting_start_step, led).requests
    away = board(
        platoon("foot", infantry(20, 10), leader=0),
        platoon("boss", infantry(40, 13, traits=("company_commander",)), role="hq"),
        platoon("foe", infantry(22, 40), side="b"),
        phase="shooting_start",
    )
    assert not play(shooting_start_step, away).requests


# -- defensive fire -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-ASLT-06")
def test_who_may_fire_in_defence() -> None:
    battle = board(
        platoon("foe", tank(24, 20, moved=True)),
        platoon("p", gun(24, 24, facing=180), gun(24, 40, facing=180), gun(28, 24, facing=0), side="b", at_the_double=True),
        phase="assault",
    )
    # The second is 17.45 inches away, the third looks the other way; running was in its own turn.
    assert defensive_shooters(battle, "p", "foe", unit(16)) == ["p_1"]


@pytest.mark.rule("FOW-RULING-17", "FOW-RULING-41", "FOW-ASLT-07", "FOW-ASLT-08")
def test_defensive_fire_is_counted_apart() -> None:
    battle = board(
        platoon("foe", tank(24, 20, facing=0, moved=True), infantry(27, 20, moved=True)),
        platoon("p", gun(24, 26, facing=180, moved=True), side="b"),
        phase="assault",
    )

    def defend(table: Any) -> Any:
        return resolve_fire(table, ["p_1"], "foe", defensive=True)

    # Two dice although it moved, 3+; no priority named, the owner offers the tank: side armour 3: 6 + 3 < 12, firepower 3.
    played = play(defend, battle, answers=["none", ["foe_1", "foe_2"]], dice=[3, 1, 6, 3])
    assert lost(played) == ["foe_1"]
    assert played.result.hits == 1
    assert played.battle.platoons["foe"].hits == 0
    assert not played.battle.teams["p_1"].shot


# -- advice -------------------------------------------------------------------------------------------------------------------


def test_advice_gives_exact_means() -> None:
    battle = field(
        platoon("p", infantry(10, 10, weapons=(replace(RIFLE, firepower=6),))),
        platoon("one", infantry(10, 22, moved=True), side="b"),
        platoon("two", infantry(14, 22), side="b"),
    )
    played = play(shooting_step, battle, answers=["p:fire", "one"], dice=[1])
    said = advice(battle, played.requests[1])
    # 3+ to hit (4/6), 3+ saved: 2/6 lost: 8/36. Gone to ground 5+: 2/6 x 2/6 = 4/36.
    assert said["one"].arguments["destroyed"] == round(8 / 36, 2)
    assert said["two"].arguments["destroyed"] == round(4 / 36, 2)
    assert played.requests[1].default == "one"
    quick = expected_kills(battle, platoon_volleys(battle, "p", "one"), "one")
    assert quick.destroyed == pytest.approx(8 / 36)


def test_expected_kills_of_armour() -> None:
    battle = field(platoon("p", gun(10, 10, weapons=(PAK40,))), platoon("foe", tank(10, 24, facing=180, moved=True), side="b"))
    quick = expected_kills(battle, platoon_volleys(battle, "p", "foe"), "foe")
    # Two dice 3+: 4/3 hits; 12 against d6 + 6: 5/6 lower, 1/6 equal; firepower 3+: 4/6.
    assert quick.hits == pytest.approx(4 / 3)
    assert quick.destroyed == pytest.approx(4 / 3 * 5 / 6 * 4 / 6)
    assert quick.bailed_out == pytest.approx(4 / 3 * (5 / 6 * 2 / 6 + 1 / 6 * 4 / 6))


def test_a_wall_between_changes_the_score() -> None:
    played = one_shot(tank(10, 10), tank(10, 24, facing=180, moved=True), [1, 1])
    assert needed(played) == ["3+"]
    battle = field(wall((4, 20), (16, 20)), platoon("p", tank(10, 10)), platoon("foe", tank(10, 24, facing=180, moved=True), side="b"))
    assert needed(play(shooting_step, battle, answers=["p:fire"], dice=[1, 1])) == ["4+"]
