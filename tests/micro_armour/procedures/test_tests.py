"""Command Tests, initiative, Orders, deviation, markers."""

from __future__ import annotations

import pytest

from micro_armour.procedures.rolls import plain, run, run_with_trace
from sandtable.kernel.traces import Modifier, Note, Roll


@pytest.mark.rule("MA-TEST-01", "MA-RULING-49")
def test_equal_to_the_level_passes_one_more_fails() -> None:
    assert plain(run("command_test", [14], command_level=14)) == {
        "die": 14,
        "modifier": 0,
        "total": 14,
        "passed": True,
        "natural": "none",
    }
    assert not run("command_test", [15], command_level=14).passed


@pytest.mark.rule("MA-TEST-02")
def test_a_natural_one_passes_whatever_the_modifiers() -> None:
    outcome = run("command_test", [1], command_level=5, suppressed=True, disorganised=True, other_modifier=9)
    assert (outcome.total, outcome.passed, outcome.natural) == (17, True, "one")


@pytest.mark.rule("MA-TEST-02")
def test_a_natural_twenty_fails_whatever_the_modifiers() -> None:
    outcome = run("command_test", [20], command_level=20, other_modifier=-8)
    assert (outcome.total, outcome.passed, outcome.natural) == (12, False, "twenty")
    assert run("command_test", [19], command_level=20).passed


@pytest.mark.rule("MA-TEST-03")
def test_suppressed_is_four_disorganised_three() -> None:
    assert run("command_test", [10], command_level=14, suppressed=True).passed  # 10 + 4 = 14
    assert not run("command_test", [11], command_level=14, suppressed=True).passed
    assert run("command_test", [11], command_level=14, disorganised=True).passed  # 11 + 3 = 14
    assert not run("command_test", [12], command_level=14, disorganised=True).passed


@pytest.mark.rule("MA-TEST-04")
def test_combat_results_add_seven_at_most_and_other_modifiers_are_not_capped() -> None:
    assert run("command_test", [7], command_level=14, suppressed=True, disorganised=True).modifier == 7
    assert run("command_test", [7], command_level=14, suppressed=True, disorganised=True, other_modifier=6).modifier == 13


@pytest.mark.rule("MA-TEST-06")
def test_positive_is_bad_negative_is_good() -> None:
    assert not run("command_test", [14], command_level=14, other_modifier=1).passed
    assert run("command_test", [16], command_level=14, other_modifier=-2).passed


@pytest.mark.rule("MA-TEST-01", "MA-TEST-03")
def test_a_test_explains_itself() -> None:
    _, trace = run_with_trace("command_test", [12], command_level=15, suppressed=True)
    assert trace == [
        Roll("roll.command_test", 20, (12,), "", 16, (Modifier("modifier.suppressed", 4, "MA-TEST-03"),), "MA-TEST-01"),
        Note("note.test_failed", "MA-TEST-01", {"total": 16, "level": 15}),
    ]


@pytest.mark.rule("MA-INIT-01")
def test_initiative_is_2d6_plus_level_and_the_higher_total_wins() -> None:
    assert plain(run("initiative", [3, 4, 6, 2], level_a=15, level_b=13)) == {"total_a": 22, "total_b": 21, "winner": "a"}
    assert run("initiative", [3, 4, 6, 4], level_a=15, level_b=13).winner == "b"  # 22 against 23


@pytest.mark.rule("MA-INIT-02", "MA-RULING-04")
def test_a_tie_is_told_so_that_it_can_be_rolled_again() -> None:
    assert plain(run("initiative", [3, 4, 6, 3], level_a=15, level_b=13)) == {"total_a": 22, "total_b": 22, "winner": "tie"}


@pytest.mark.rule("MA-CMD-01", "MA-CMD-02", "MA-RULING-06")
def test_orders_by_dice_command_value_and_generation() -> None:
    # 4 + 5 = 9, GHQ +1, generation IV +2: 12 gives 4 Orders
    assert plain(run("command_effectiveness", [4, 5], command_value=1, generation=4)) == {
        "dice_sum": 9,
        "modified_roll": 12,
        "orders": 4,
    }
    assert run("command_effectiveness", [2, 2], generation=1).orders == 0  # 4 - 1 = 3
    assert run("command_effectiveness", [2, 2]).orders == 1  # generation II changes nothing
    assert run("command_effectiveness", [3, 3], generation=3).orders == 2  # 7
    assert run("command_effectiveness", [6, 6], generation=4, command_value=1).orders == 6  # 15
    assert run("command_effectiveness", [6, 6], generation=4, command_value=2).orders == 7  # 16
    assert run("command_effectiveness", [6, 6], command_value=1).orders == 5  # 13, the single step


@pytest.mark.rule("MA-CMD-03")
def test_without_a_ghq_no_orders_and_no_dice() -> None:
    assert plain(run("command_effectiveness", ghq_alive=False, command_value=3)) == {"dice_sum": None, "modified_roll": None, "orders": 0}


@pytest.mark.rule("MA-MOVE-02")
def test_a_unit_must_pass_to_move() -> None:
    assert plain(run("movement_test", [13], command_level=13, ordered=True)) == {"die": 13, "modifier": 0, "total": 13, "passed": True}
    assert not run("movement_test", [14], command_level=13, ordered=True).passed


@pytest.mark.rule("MA-MOVE-03")
def test_each_attached_hq_is_minus_two() -> None:
    assert run("movement_test", [17], command_level=13, ordered=True, attached_hqs=2).passed  # 17 - 4
    assert not run("movement_test", [18], command_level=13, ordered=True, attached_hqs=2).passed


@pytest.mark.rule("MA-MOVE-04")
def test_an_independent_move_is_three_harder_but_not_for_recon() -> None:
    assert run("movement_test", [10], command_level=13).modifier == 3
    assert run("movement_test", [10], command_level=13, recon=True).modifier == 0
    assert run("movement_test", [10], command_level=13, ordered=True).modifier == 0
    assert run("movement_test", [10], command_level=13, ordered=True, recon=True).modifier == 0


@pytest.mark.rule("MA-MOVE-05", "MA-TERR-08")
def test_markers_wire_and_mines_on_the_movement_test() -> None:
    everything = run(
        "movement_test", [5], command_level=13, attached_hqs=1, suppressed=True, disorganised=True, in_wire=True, in_minefield=True
    )
    assert everything.modifier == 11  # 4 + 3 - 2 + 3 + 1 + 2
    assert run("movement_test", [5], command_level=13, ordered=True, in_wire=True).modifier == 1
    assert run("movement_test", [5], command_level=13, ordered=True, in_minefield=True).modifier == 2


@pytest.mark.rule("MA-AIR-06")
def test_random_pick() -> None:
    assert run("random_pick", [3], count=5).index == 2
    assert run("random_pick", count=1).index == 0


@pytest.mark.rule("MA-ART-04", "MA-AIR-04")
def test_a_passed_deviation_test_means_no_deviation() -> None:
    assert plain(run("deviation", [13], kind="artillery", command_level=13)) == {
        "die": 13,
        "modifier": 0,
        "passed": True,
        "deviated": False,
        "direction": None,
        "bearing": None,
        "distance": None,
    }
    assert not run("deviation", [13], kind="air", command_level=13).deviated


@pytest.mark.rule("MA-ART-05", "MA-RULING-20", "MA-RULING-19")
def test_artillery_deviates_1d8_halved() -> None:
    # level 13, S and D: 7 + 7 = 14 fails; 4 is south-east, 5/2 inches
    assert plain(run("deviation", [7, 4, 5], kind="artillery", command_level=13, suppressed=True, disorganised=True)) == {
        "die": 7,
        "modifier": 7,
        "passed": False,
        "deviated": True,
        "direction": "se",
        "bearing": 135,
        "distance": 2.5,
    }


@pytest.mark.rule("MA-AIR-05", "MA-RULING-20")
def test_aircraft_deviate_1d10_inches() -> None:
    outcome = run("deviation", [12, 1, 10], kind="air", command_level=13, other_modifier=2)
    assert (outcome.modifier, outcome.direction, outcome.bearing, outcome.distance) == (2, "n", 0, 10)


@pytest.mark.rule("MA-RULING-20")
def test_the_compass_runs_clockwise_from_north() -> None:
    seen = [run("deviation", [20, face, 1], kind="artillery", command_level=13) for face in range(1, 9)]
    assert [o.direction for o in seen] == ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
    assert [o.bearing for o in seen] == [0, 45, 90, 135, 180, 225, 270, 315]
    assert {o.distance for o in seen} == {0.5}


def removal(name: str, die: int, level: int, suppressed: bool, disorganised: bool) -> str:
    """What happens, and the markers after: "recovered: D" """
    o = run(name, [die], command_level=level, suppressed=suppressed, disorganised=disorganised)
    happened = " ".join(word for word in ("recovered", "regrouped", "panicked") if getattr(o, word))
    after = "S" * o.suppressed + "D" * o.disorganised + "E" * o.eliminated
    return f"{happened}:{after}"


@pytest.mark.rule("MA-MARK-02")
def test_a_unit_without_markers_rolls_nothing() -> None:
    for name in ("marker_removal", "marker_removal_optional"):
        assert plain(run(name, command_level=13)) == {
            "die": None,
            "modifier": 0,
            "recovered": False,
            "regrouped": False,
            "panicked": False,
            "suppressed": False,
            "disorganised": False,
            "eliminated": False,
        }


@pytest.mark.rule("MA-MARK-03")
def test_recovery_is_a_test_at_plus_four() -> None:
    assert removal("marker_removal", 9, 13, True, False) == "recovered:"
    assert removal("marker_removal", 10, 13, True, False) == ":S"
    assert removal("marker_removal", 1, 3, True, False) == "recovered:"  # a natural 1 always


@pytest.mark.rule("MA-RULING-28", "MA-MARK-03", "MA-MARK-04")
def test_with_both_markers_recovery_is_at_plus_seven_and_one_die_serves_both() -> None:
    assert removal("marker_removal", 6, 13, True, True) == "recovered:D"
    assert removal("marker_removal", 7, 13, True, True) == ":SD"
    assert removal("marker_removal", 1, 13, True, True) == "recovered regrouped:"


@pytest.mark.rule("MA-MARK-04")
def test_only_a_natural_one_regroups() -> None:
    assert removal("marker_removal", 1, 13, False, True) == "regrouped:"
    assert removal("marker_removal", 2, 20, False, True) == ":D"


@pytest.mark.rule("MA-MARK-05")
def test_panic_on_a_natural_twenty_is_one_more_hard_suppression() -> None:
    assert removal("marker_removal", 20, 20, True, False) == "panicked:SD"
    assert removal("marker_removal", 20, 20, False, True) == "panicked:SD"
    assert removal("marker_removal", 20, 20, True, True) == "panicked:SDE"


@pytest.mark.rule("MA-MARK-06", "MA-RULING-29")
def test_optional_removal_at_level_13_regroup_3_recover_65_panic_108() -> None:
    optional = "marker_removal_optional"
    assert removal(optional, 45, 13, True, False) == "recovered:"  # 45 + 20 = 65
    assert removal(optional, 46, 13, True, False) == ":S"
    assert removal(optional, 87, 13, True, False) == ":S"
    assert removal(optional, 88, 13, True, False) == "panicked:SD"  # 88 + 20 = 108
    assert removal(optional, 3, 13, False, True) == "regrouped:"  # the plain die
    assert removal(optional, 4, 13, False, True) == ":D"
    assert removal(optional, 92, 13, False, True) == ":D"  # 92 + 15 = 107
    assert removal(optional, 93, 13, False, True) == "panicked:SD"
    assert removal(optional, 3, 13, True, True) == "recovered regrouped:"  # 3 + 35 = 38
    assert removal(optional, 30, 13, True, True) == "recovered:D"  # 65
    assert removal(optional, 31, 13, True, True) == ":SD"
    assert removal(optional, 73, 13, True, True) == "panicked:SDE"  # 108


@pytest.mark.rule("MA-MARK-06", "MA-RULING-29")
def test_optional_removal_clamps_the_level_and_knows_no_natural_one_or_twenty() -> None:
    optional = "marker_removal_optional"
    assert removal(optional, 30, 4, True, False) == "recovered:"  # as level 10: 30 + 20 = 50
    assert removal(optional, 31, 4, True, False) == ":S"
    assert removal(optional, 100, 20, True, False) == ":S"  # 120, panic from 129 only
    assert removal(optional, 94, 20, True, True) == "panicked:SDE"  # 129
    assert removal(optional, 20, 20, True, False) == "recovered:"
    assert run(optional, [50], command_level=12, suppressed=True, disorganised=True).modifier == 35
