"""Range, terrain, advantage, column shift, movement, eligibility: no dice."""

from __future__ import annotations

from typing import Any

import pytest

from micro_armour.procedures.rolls import plain, run


@pytest.mark.rule("MA-RANGE-01")
@pytest.mark.parametrize(
    ("tl", "distance", "modifier"),
    [
        (1, 1, -1),
        (1, 5, 0),
        (1, 6, 1),
        (1, 21, 3),
        (1, 22, 4),
        (2, 8, 0),
        (2, 9, 1),
        (3, 30, 2),
        (3, 31, 3),
        (4, 24, 1),
        (4, 25, 2),
        (4, 500, 4),
    ],
)
def test_range_modifier(tl: int, distance: float, modifier: int) -> None:
    assert run("range_effect", tl=tl, distance=distance).modifier == modifier


@pytest.mark.rule("MA-RANGE-04", "MA-RULING-09")
def test_tl5_reads_the_tl4_column() -> None:
    assert run("range_effect", tl=5, distance=12).modifier == 0
    assert run("range_effect", tl=5, distance=13).modifier == 1
    assert run("range_effect", tl=5, distance=49).modifier == 3


@pytest.mark.rule("MA-RANGE-04", "MA-RULING-10")
def test_distances_round_up_to_whole_inches_and_are_at_least_one() -> None:
    assert plain(run("range_effect", tl=1, distance=1.2)) == {"range_inches": 2, "modifier": 0}
    assert plain(run("range_effect", tl=1, distance=5.01)) == {"range_inches": 6, "modifier": 1}
    assert plain(run("range_effect", tl=1, distance=0)) == {"range_inches": 1, "modifier": -1}


@pytest.mark.rule("MA-FIRE-08")
def test_a_missile_has_no_range_modifier() -> None:
    assert plain(run("range_effect", tl=1, distance=30, atgm=True)) == {"range_inches": 30, "modifier": 0}


def terrain(target_class: str, *terrains: str, **more: Any) -> tuple[int, int]:
    outcome = run("terrain_effect", target_class=target_class, target_terrain=list(terrains), **more)
    return outcome.test_modifier, outcome.roll_modifier


@pytest.mark.rule("MA-TERR-01")
def test_terrain_counts_on_test_and_roll_alike_and_adds_up() -> None:
    assert terrain("personnel", "forest", "light_fortification", "wreck") == (9, 9)  # 4 + 4 + 1
    assert terrain("personnel", "forest", "forest") == (4, 4)  # a kind of ground counts once
    assert terrain("personnel") == (0, 0)


@pytest.mark.rule("MA-TERR-02")
@pytest.mark.parametrize(("kind", "expected"), [("personnel", 6), ("armoured", 4), ("soft", 4)])
def test_personnel_have_their_own_value(kind: str, expected: int) -> None:
    assert terrain(kind, "heavy_buildings") == (expected, expected)


@pytest.mark.rule("MA-TERR-03", "MA-RULING-32")
def test_smoke_counts_into_and_out_of() -> None:
    assert terrain("armoured", "smoke") == (3, 3)
    assert terrain("armoured", firer_in_smoke=True) == (3, 3)
    assert terrain("armoured", "smoke", firer_in_smoke=True) == (6, 6)


@pytest.mark.rule("MA-TERR-04", "MA-LOS-03")
def test_a_target_that_fired_keeps_concealing_cover_on_the_roll_only() -> None:
    assert terrain("personnel", "forest", "rough_1", target_fired=True) == (2, 6)  # forest conceals, rough 1 does not
    assert terrain("armoured", "heavy_fortification", target_fired=True) == (0, 3)
    assert terrain("armoured", "rough_2", "smoke", target_fired=True) == (5, 5)


@pytest.mark.rule("MA-TERR-05", "MA-RULING-33")
def test_at_the_road_rate_only_smoke_and_penalties_stay() -> None:
    # forest 4 and wreck 1 fall away; smoke 3, wire -1, minefield -2 stay: 0
    assert terrain("personnel", "forest", "wreck", "smoke", "wire", "minefield", target_road_rate=True) == (0, 0)
    assert terrain("personnel", "forest", "good_road") == (4, 4)  # paying the cost of the forest instead
    assert terrain("personnel", "forest", target_road_rate=True, firer_in_smoke=True, over_crest=True) == (5, 5)


@pytest.mark.rule("MA-TERR-06")
def test_a_crest_counts_only_for_fire_over_it() -> None:
    assert terrain("personnel", "crest") == (0, 0)
    assert terrain("personnel", "crest", over_crest=True) == (2, 2)
    assert terrain("armoured", over_crest=True) == (2, 2)


@pytest.mark.rule("MA-TERR-07")
def test_swamp_counts_only_against_a_moving_target() -> None:
    assert terrain("armoured", "swamp") == (0, 0)
    assert terrain("armoured", "swamp", target_moving=True) == (1, 1)


@pytest.mark.rule("MA-TERR-08")
def test_wire_and_mines_make_a_target_easier_to_hit() -> None:
    assert terrain("personnel", "wire") == (-1, -1)
    assert terrain("armoured", "wire", "minefield") == (-3, -3)


@pytest.mark.rule("MA-TERR-09")
def test_a_wreck_is_one() -> None:
    assert terrain("personnel", "wreck") == (1, 1)
    assert terrain("soft", "wreck") == (1, 1)


@pytest.mark.rule("MA-RULING-36")
@pytest.mark.parametrize("kind", ["helicopter", "aircraft"])
def test_terrain_does_not_touch_what_flies_but_the_line_of_fire_does(kind: str) -> None:
    assert terrain(kind, "forest", "smoke", "minefield") == (0, 0)
    assert terrain(kind, "forest", firer_in_smoke=True, over_crest=True) == (5, 5)


def advantage(**facts: Any) -> tuple[Any, ...]:
    return tuple(plain(run("combat_advantage", **facts)).values())


@pytest.mark.rule("MA-FIRE-04", "MA-RULING-16", "MA-ART-06", "MA-AIR-07")
@pytest.mark.parametrize("kind", ["standard", "artillery", "air", "close_assault"])
def test_ap_against_armoured_he_against_the_rest(kind: str) -> None:
    assert advantage(attack_kind=kind, target_class="armoured", ap=13, he=7, defence=0) == ("ap", 13, 0, 13)
    for other in ("personnel", "soft", "helicopter", "aircraft"):
        assert advantage(attack_kind=kind, target_class=other, ap=13, he=7, defence=4) == ("he", 7, 4, 3)


@pytest.mark.rule("MA-RULING-16")
def test_without_the_factor_there_is_no_advantage() -> None:
    assert advantage(target_class="armoured", he=7, defence=5) == ("ap", None, 5, None)
    assert advantage(target_class="soft", ap=7, defence=5) == ("he", None, 5, None)


@pytest.mark.rule("MA-FIRE-05", "MA-RULING-14", "MA-RULING-13")
def test_armour_hit_in_flank_or_rear_defends_at_half_rounded_up() -> None:
    assert advantage(target_class="armoured", ap=13, defence=11) == ("ap", 13, 11, 2)
    assert advantage(target_class="armoured", ap=13, defence=11, aspect="flank") == ("ap", 13, 6, 7)  # 5.5 is 6
    assert advantage(target_class="armoured", ap=13, defence=11, aspect="rear") == ("ap", 13, 6, 7)
    assert advantage(target_class="soft", he=13, defence=11, aspect="rear") == ("he", 13, 11, 2)


@pytest.mark.rule("MA-FIRE-05", "MA-RULING-15")
def test_moving_personnel_defend_at_half_and_nobody_else_does() -> None:
    assert advantage(target_class="personnel", he=5, defence=5, target_moving=True) == ("he", 5, 3, 2)
    assert advantage(target_class="personnel", he=5, defence=5) == ("he", 5, 5, 0)
    assert advantage(target_class="armoured", ap=5, defence=5, target_moving=True) == ("ap", 5, 5, 0)
    assert advantage(target_class="soft", he=5, defence=5, target_moving=True) == ("he", 5, 5, 0)


@pytest.mark.rule("MA-CLOSE-05", "MA-RULING-27")
def test_close_assault_counts_defence_as_standard_fire_does() -> None:
    assert advantage(attack_kind="close_assault", target_class="personnel", he=5, defence=5, target_moving=True) == ("he", 5, 3, 2)
    assert advantage(attack_kind="close_assault", target_class="armoured", ap=6, defence=9, aspect="rear") == ("ap", 6, 5, 1)


@pytest.mark.rule("MA-ART-07")
def test_artillery_halves_armour_from_any_side_and_moving_personnel() -> None:
    assert advantage(attack_kind="artillery", target_class="armoured", ap=4, defence=11) == ("ap", 4, 6, -2)
    assert advantage(attack_kind="artillery", target_class="armoured", ap=4, defence=11, aspect="rear") == ("ap", 4, 6, -2)
    assert advantage(attack_kind="artillery", target_class="personnel", he=8, defence=3, target_moving=True) == ("he", 8, 2, 6)
    assert advantage(attack_kind="artillery", target_class="personnel", he=8, defence=3) == ("he", 8, 3, 5)
    assert advantage(attack_kind="artillery", target_class="soft", he=8, defence=3, target_moving=True) == ("he", 8, 3, 5)


@pytest.mark.rule("MA-AIR-08")
def test_from_the_air_a_quarter_rounded_up() -> None:
    assert advantage(attack_kind="air", target_class="armoured", ap=10, defence=9) == ("ap", 10, 3, 7)  # 2.25 is 3
    assert advantage(attack_kind="air", target_class="armoured", ap=10, defence=8) == ("ap", 10, 2, 8)
    assert advantage(attack_kind="air", target_class="personnel", he=8, defence=5, target_moving=True) == ("he", 8, 2, 6)
    assert advantage(attack_kind="air", target_class="personnel", he=8, defence=5) == ("he", 8, 5, 3)


@pytest.mark.rule("MA-AA-03")
def test_anti_aircraft_fire_never_reduces_the_defence() -> None:
    assert advantage(attack_kind="aa", target_class="aircraft", he=8, defence=6, target_moving=True) == ("he", 8, 6, 2)
    assert advantage(attack_kind="aa", target_class="armoured", ap=8, defence=6, aspect="rear") == ("ap", 8, 6, 2)


@pytest.mark.rule("MA-FIRE-06", "MA-RULING-52")
def test_advantage_is_firepower_as_printed_minus_defence() -> None:
    assert advantage(target_class="soft", he=2, defence=9) == ("he", 2, 9, -7)
    assert advantage(attack_kind="artillery", target_class="soft", he=8, defence=3) == ("he", 8, 3, 5)


@pytest.mark.rule("MA-AA-04", "MA-RULING-34")
@pytest.mark.parametrize(
    ("aa", "air", "before", "after"),
    [
        (3, 3, 2, (0, 2)),
        (5, 1, 8, (4, 12)),  # to the right without limit
        (5, 1, -7, (4, -3)),
        (1, 5, 6, (-4, 2)),
        (1, 5, 0, (-4, -3)),  # to the left never below -3
        (1, 2, -3, (-1, -3)),
        (1, 5, -5, (-4, -5)),  # lower already: unchanged
    ],
)
def test_column_shift(aa: int, air: int, before: int, after: tuple[int, int]) -> None:
    assert tuple(plain(run("aa_column_shift", aa_tl=aa, air_tl=air, advantage=before)).values()) == after


@pytest.mark.rule("MA-SEQ-08", "MA-MOVE-10")
def test_artillery_that_tried_to_fire_does_not_move() -> None:
    assert run("movement_allowance", movement=9, tl=4, artillery=True, attempted_fire=True).allowance == 0
    assert run("movement_allowance", movement=9, tl=4, artillery=True).allowance == 9


@pytest.mark.rule("MA-SEQ-09", "MA-RULING-07", "MA-MOVE-10")
def test_tl1_moves_or_fires() -> None:
    assert run("movement_allowance", movement=4, tl=1, attempted_fire=True).allowance == 0
    assert run("movement_allowance", movement=4, tl=1, posture="fire").allowance == 0
    assert run("movement_allowance", movement=4, tl=1, posture="move").allowance == 4
    assert run("movement_allowance", movement=4, tl=2, posture="fire").allowance == 4


@pytest.mark.rule("MA-SEQ-10", "MA-MOVE-10")
def test_tl2_that_tried_to_fire_moves_half_and_keeps_the_fraction() -> None:
    assert run("movement_allowance", movement=11, tl=2, attempted_fire=True).allowance == 5.5
    assert run("movement_allowance", movement=11, tl=3, attempted_fire=True).allowance == 11


def cost(mobility: str, *legs: dict[str, Any]) -> tuple[bool, float | None]:
    outcome = run("movement_cost", mobility=mobility, legs=list(legs))
    return outcome.allowed, outcome.cost


def leg(terrain: str, inches: float, *features: str, leaves_minefield: bool = False) -> dict[str, Any]:
    return {"terrain": terrain, "inches": inches, "features": list(features), "leaves_minefield": leaves_minefield}


@pytest.mark.rule("MA-MOVE-06")
def test_cost_by_ground_and_mobility() -> None:
    assert cost("tracked", leg("clear", 3), leg("forest", 2)) == (True, 9)  # 3x1 + 2x3
    assert cost("wheeled", leg("good_road", 3), leg("track", 2)) == (True, 4.5)  # 1.5 + 3
    assert cost("foot", leg("rough_2", 3)) == (True, 4.5)
    assert cost("foot") == (True, 0)


@pytest.mark.rule("MA-MOVE-06", "MA-MOVE-09", "MA-RULING-31")
def test_smoke_and_slope_cost_by_the_inch_crest_wire_and_wreck_once() -> None:
    assert cost("wheeled", leg("clear", 3, "smoke", "slope_up")) == (True, 18)  # 3 x (2 + 2 + 2)
    assert cost("tracked", leg("clear", 3, "crest", "wire", "wreck")) == (True, 7)  # 3 + 1 + 3 + 0
    assert cost("wheeled", leg("clear", 3, "wreck", "crest")) == (True, 10)  # 6 + 1 + 3
    assert cost("tracked", leg("clear", 3, "wire", "wire")) == (True, 6)  # once a leg


@pytest.mark.rule("MA-MOVE-07")
def test_wheels_may_not_enter_heavy_works_or_wire() -> None:
    assert cost("wheeled", leg("clear", 1), leg("heavy_fortification", 1)) == (False, None)
    assert cost("wheeled", leg("clear", 1, "wire")) == (False, None)
    assert cost("tracked", leg("heavy_fortification", 1, "wire")) == (True, 6)
    assert cost("foot", leg("heavy_fortification", 1, "wire")) == (True, 4)


@pytest.mark.rule("MA-MOVE-08")
def test_a_minefield_is_paid_on_leaving_it() -> None:
    assert cost("tracked", leg("clear", 2, "minefield")) == (True, 2)
    assert cost("tracked", leg("clear", 2, "minefield", leaves_minefield=True)) == (True, 3)
    assert cost("tracked", leg("clear", 2, leaves_minefield=True)) == (True, 2)


@pytest.mark.rule("MA-RULING-36")
def test_flyers_pay_one_an_inch_whatever_is_below() -> None:
    assert cost("air", leg("swamp", 4, "wire", "smoke"), leg("heavy_fortification", 2.5)) == (True, 6.5)
    assert cost("none", leg("clear", 1)) == (False, None)


def may_fire(phase: str, tl: int, **more: Any) -> str:
    outcome = run("fire_eligibility", phase=phase, tl=tl, **more)
    assert outcome.eligible == (outcome.reason == "none")
    reason: str = outcome.reason
    return reason


@pytest.mark.rule("MA-SEQ-03")
def test_first_fire_phase_is_for_tl4_and_tl5() -> None:
    assert [may_fire("fire_first", tl) for tl in range(1, 6)] == ["wrong_phase"] * 3 + ["none"] * 2


@pytest.mark.rule("MA-SEQ-05")
def test_second_fire_phase_is_for_all() -> None:
    assert [may_fire("fire_second", tl) for tl in range(1, 6)] == ["none"] * 5


@pytest.mark.rule("MA-SEQ-06", "MA-SEQ-07")
def test_third_fire_phase_is_for_tl5() -> None:
    assert [may_fire("fire_third", tl) for tl in range(1, 6)] == ["wrong_phase"] * 4 + ["none"]
    assert may_fire("fire_third", 5, moved=True) == "none"  # it fires after moving


@pytest.mark.rule("MA-SEQ-12", "MA-RULING-08")
def test_once_in_each_phase_the_tech_level_allows() -> None:
    allowed = {tl: sum(may_fire(phase, tl) == "none" for phase in ("fire_first", "fire_second", "fire_third")) for tl in range(1, 6)}
    assert allowed == {1: 1, 2: 1, 3: 1, 4: 2, 5: 3}
    assert may_fire("fire_second", 4, attempted_this_phase=True) == "already_fired"


@pytest.mark.rule("MA-SEQ-01")
@pytest.mark.parametrize("phase", ["organisation", "initiative", "planning", "marker_removal"])
def test_nobody_fires_in_the_other_phases(phase: str) -> None:
    assert may_fire(phase, 5) == "wrong_phase"
    assert may_fire(phase, 5, artillery=True) == "wrong_phase"


@pytest.mark.rule("MA-RULING-50", "MA-ART-01")
def test_artillery_fires_in_its_phase_and_nobody_else_does() -> None:
    assert may_fire("artillery_air", 3) == "not_artillery"
    assert may_fire("artillery_air", 1, artillery=True) == "none"
    for phase in ("fire_first", "fire_second", "fire_third", "movement"):
        assert may_fire(phase, 5, artillery=True) == "artillery"


@pytest.mark.rule("MA-SEQ-08", "MA-SEQ-09")
def test_tl1_and_artillery_that_move_do_not_fire() -> None:
    assert may_fire("fire_second", 1, posture="move") == "moving"
    assert may_fire("fire_second", 1, moved=True) == "moving"
    assert may_fire("fire_second", 1, posture="fire") == "none"
    assert may_fire("fire_second", 2, posture="move") == "none"
    assert may_fire("artillery_air", 4, artillery=True, moved=True) == "moving"
    assert may_fire("artillery_air", 1, artillery=True, posture="move") == "moving"


@pytest.mark.rule("MA-RULING-22", "MA-REACT-01")
def test_reaction_fire_needs_a_unit_that_neither_moved_nor_tried_in_the_second_phase() -> None:
    assert may_fire("movement", 3) == "none"
    assert may_fire("movement", 3, moved=True) == "moving"
    assert may_fire("movement", 3, attempted_second=True) == "already_fired"
    assert may_fire("movement", 3, attempted_this_phase=True) == "already_fired"
    assert may_fire("fire_third", 5, attempted_second=True) == "none"
    assert may_fire("movement", 3, moved=True, attempted_second=True) == "moving"  # the first reason stands
