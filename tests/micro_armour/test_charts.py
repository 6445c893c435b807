"""Every chart against a second reading of the sheet, typed here by hand and in another shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandtable.games.micro_armour.procedures import CHARTS

SYMBOLS = {"w": "weak_suppression", "S": "suppression", "H": "hard_suppression", "D": "disorganisation", "E": "elimination"}

# One column a line, from roll 0 (left) to roll 19 (right). H is the S in brackets, w the underlined S.
COLUMNS = {
    -3: "DDHHSSwwwwwwwwwwwwww",
    -2: "DDDHHSSwwwwwwwwwwwww",
    -1: "DDDDHHSSwwwwwwwwwwww",
    0: "EDDDDHHSSwwwwwwwwwww",
    1: "EEEDDDDHHSSwwwwwwwww",
    2: "EEEEDDDDHHSSwwwwwwww",
    3: "EEEEEDDDDHHSSwwwwwww",
    4: "EEEEEEDDDDHHSSwwwwww",
    5: "EEEEEEEEDDDDHHSSwwww",
    6: "EEEEEEEEEDDDDHHSSwww",
    7: "EEEEEEEEEEDDDDHHSSww",
    8: "EEEEEEEEEEEDDDDHHSSw",
    9: "EEEEEEEEEEEEDDDDHHSS",
}


def records(name: str) -> list[dict[str, Any]]:
    return CHARTS[name].records


def test_the_charts_of_the_sheet_are_all_there_and_no_others() -> None:
    counts = {name: len(CHARTS[name].records) for name in CHARTS}
    assert counts == {
        "combat_results": 260,
        "range_effects": 24,
        "terrain_movement": 63,
        "terrain_fire": 42,
        "terrain_los": 42,
        "command_effectiveness": 14,
        "generation_modifiers": 4,
        "movement_command_modifiers": 7,
        "optional_marker_removal": 11,
        "aa_shift": 25,
        "phase_control": 40,
        "overrun_modifiers": 6,
        "overrun_attacks": 2,
        "close_assault_modifiers": 9,
        "sequence_of_play": 9,
    }


@pytest.mark.rule("MA-CRT-01")
def test_combat_results_cell_by_cell() -> None:
    typed = {(advantage, roll): SYMBOLS[letter] for advantage, column in COLUMNS.items() for roll, letter in enumerate(column)}
    assert {(r["advantage"], r["roll"]): r["result"] for r in records("combat_results")} == typed
    assert all(list(r) == ["advantage", "roll", "result"] for r in records("combat_results"))


@pytest.mark.rule("MA-RULING-01")
def test_the_cell_that_lost_its_underline_is_a_weak_suppression() -> None:
    assert CHARTS["combat_results"].value(-2, 18) == "weak_suppression"


@pytest.mark.rule("MA-CRT-01")
def test_combat_results_shape_four_d_two_hard_two_plain_above_the_eliminations() -> None:
    highest_e = {-3: -3, -2: -2, -1: -1, 0: 0, 1: 2, 2: 3, 3: 4, 4: 5, 5: 7, 6: 8, 7: 9, 8: 10, 9: 11}
    for r in records("combat_results"):
        above = r["roll"] - highest_e[r["advantage"]]
        letter = "E" if above <= 0 else "D" if above <= 4 else "H" if above <= 6 else "S" if above <= 8 else "w"
        assert r["result"] == SYMBOLS[letter], r
    by_cell = CHARTS["combat_results"].column("result")
    assert [by_cell[a, 19] for a in range(-3, 10)] == ["weak_suppression"] * 12 + ["suppression"]
    assert [by_cell[a, 0] for a in range(-3, 10)] == ["disorganisation"] * 3 + ["elimination"] * 10


@pytest.mark.rule("MA-RANGE-01")
def test_range_effects_by_the_last_inch_of_each_band() -> None:
    ends = {1: (1, 5, 10, 15, 21), 2: (1, 8, 16, 24, 33), 3: (1, 10, 20, 30, 41), 4: (1, 12, 24, 36, 49)}
    typed = []
    for tl, lasts in ends.items():
        starts = (1, *(last + 1 for last in lasts))
        for start, last, modifier in zip(starts, (*lasts, None), (-1, 0, 1, 2, 3, 4), strict=True):
            typed.append({"tl": tl, "min_inches": start, "max_inches": last, "modifier": modifier})
    assert records("range_effects") == typed


@pytest.mark.rule("MA-RULING-09")
def test_range_effects_have_no_column_for_tl5() -> None:
    assert {r["tl"] for r in records("range_effects")} == {1, 2, 3, 4}


TERRAIN = [
    "clear",
    "smoke",
    "light_buildings",
    "heavy_buildings",
    "forest",
    "grove",
    "good_road",
    "poor_road",
    "track",
    "swamp",
    "rough_1",
    "rough_2",
    "rough_3",
    "slope_up",
    "crest",
    "light_fortification",
    "medium_fortification",
    "heavy_fortification",
    "wire",
    "wreck",
    "minefield",
]
ADDED = {"smoke", "slope_up", "crest", "wire", "wreck", "minefield"}
#                clr smk lb hb for grv good poor trk swp r1 r2 r3 slp crs lf mf hf wir wrk min
TRACKED = [1, 1, 1, 1, 3, 2, 1, 1, 1, 4, 1, 2, 3, 1, 1, 2, 2, 3, 3, 0, 1]
WHEELED = [2, 2, 2, 2, 4, 3, 0.5, 1, 1.5, 8, 3, 5, 7, 2, 3, 3, 4, None, None, 1, 1]
ON_FOOT = [1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1.5, 3, 1, 1, 1, 1, 2, 2, 0, 1]
PERSONNEL = [0, 3, 4, 6, 4, 2, 0, 0, 0, 1, 2, 4, 6, 0, 2, 4, 5, 7, -1, 1, -2]
OTHER = [0, 3, 2, 4, 2, 1, 0, 0, 0, 1, 1, 2, 4, 0, 2, 1, 2, 3, -1, 1, -2]


@pytest.mark.rule("MA-MOVE-06", "MA-MOVE-07", "MA-MOVE-08", "MA-MOVE-09")
def test_terrain_movement_cell_by_cell() -> None:
    typed = []
    for place, terrain in enumerate(TERRAIN):
        mode = "add" if terrain in ADDED else "base"
        for mobility, costs in (("tracked", TRACKED), ("wheeled", WHEELED), ("foot", ON_FOOT)):
            typed.append({"terrain": terrain, "mobility": mobility, "mode": mode, "cost": costs[place]})
    assert records("terrain_movement") == typed
    assert json.dumps(records("terrain_movement")) == json.dumps(typed)  # 1 stays 1, 0.5 stays 0.5, forbidden is null


@pytest.mark.rule("MA-TERR-01", "MA-TERR-02")
def test_terrain_fire_cell_by_cell() -> None:
    conditions = {"smoke": "into_or_out_of", "swamp": "target_moving", "crest": "over_crest"}
    typed = []
    for place, terrain in enumerate(TERRAIN):
        for target, values in (("personnel", PERSONNEL), ("other", OTHER)):
            typed.append({"terrain": terrain, "target": target, "modifier": values[place], "condition": conditions.get(terrain, "always")})
    assert json.dumps(records("terrain_fire")) == json.dumps(typed)


@pytest.mark.rule("MA-LOS-01", "MA-LOS-02", "MA-LOS-03", "MA-TERR-04")
def test_terrain_los_cell_by_cell() -> None:
    blocks_all = {"smoke", "light_buildings", "heavy_buildings", "forest", "grove", "rough_3", "slope_up", "crest"}
    blocks_personnel = blocks_all | {"rough_1", "rough_2"}
    daggers = {
        "light_buildings",
        "heavy_buildings",
        "forest",
        "grove",
        "rough_3",
        "light_fortification",
        "medium_fortification",
        "heavy_fortification",
    }
    typed = []
    for terrain in TERRAIN:
        for target, blocking in (("personnel", blocks_personnel), ("other", blocks_all)):
            typed.append({"terrain": terrain, "target": target, "blocks": terrain in blocking, "concealing": terrain in daggers})
    assert json.dumps(records("terrain_los")) == json.dumps(typed)


@pytest.mark.rule("MA-CMD-01")
def test_command_effectiveness() -> None:
    orders = {4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3, 11: 4, 12: 4, 13: 5, 14: 6, 15: 6}
    typed = [{"min_roll": None, "max_roll": 3, "orders": 0}]
    typed += [{"min_roll": roll, "max_roll": roll, "orders": number} for roll, number in orders.items()]
    typed += [{"min_roll": 16, "max_roll": None, "orders": 7}]
    assert records("command_effectiveness") == typed


@pytest.mark.rule("MA-CMD-02")
def test_generation_modifiers() -> None:
    assert [(r["generation"], r["modifier"]) for r in records("generation_modifiers")] == [(1, -1), (2, 0), (3, 1), (4, 2)]


@pytest.mark.rule("MA-CMD-03", "MA-MOVE-03", "MA-MOVE-04", "MA-MOVE-05")
def test_movement_command_modifiers() -> None:
    assert [tuple(r.values()) for r in records("movement_command_modifiers")] == [
        ("ghq_eliminated", "no_orders"),
        ("per_attached_hq", -2),
        ("ordered", 0),
        ("recon_without_order", 0),
        ("other_without_order", 3),
        ("suppressed", 4),
        ("disorganised", 3),
    ]


@pytest.mark.rule("MA-MARK-06")
def test_optional_marker_removal() -> None:
    typed = {
        "level": [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10],
        "regroup_max": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1],
        "recover_max": [100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 50],
        "panic_min": [129, 126, 123, 120, 117, 114, 111, 108, 105, 102, 99],
    }
    assert {field: [r[field] for r in records("optional_marker_removal")] for field in typed} == typed


@pytest.mark.rule("MA-AA-04")
def test_aa_shift_row_by_row() -> None:
    left, right = -1, 1
    typed = {
        1: [0, 1 * left, 2 * left, 3 * left, 4 * left],
        2: [1 * right, 0, 1 * left, 2 * left, 3 * left],
        3: [2 * right, 1 * right, 0, 1 * left, 2 * left],
        4: [3 * right, 2 * right, 1 * right, 0, 1 * left],
        5: [4 * right, 3 * right, 2 * right, 1 * right, 0],
    }
    assert records("aa_shift") == [
        {"aa_tl": aa, "air_tl": air, "shift": shift} for aa, row in typed.items() for air, shift in enumerate(row, 1)
    ]


@pytest.mark.rule("MA-SEQ-03", "MA-SEQ-05", "MA-SEQ-06", "MA-SEQ-07", "MA-SEQ-11", "MA-RULING-39")
def test_phase_control() -> None:
    sheet = """
        initiative      X1 .  .  .  .
        artillery_air   X2 X2 X2 X2 X2
        fire_first      .  .  .  X  X
        fire_second     X3 X4 X  X  X
        planning        X  X  X  X  X
        movement        X3 X4 X  X  X
        fire_third      .  .  .  .  X
        marker_removal  X  X  X  X  X
    """
    typed = []
    for line in sheet.split("\n"):
        if line.strip():
            phase, *cells = line.split()
            for tl, cell in enumerate(cells, 1):
                typed.append({"phase": phase, "tl": tl, "active": cell[0] == "X", "note": int(cell[1:]) if cell[1:] else None})
    assert records("phase_control") == typed


@pytest.mark.rule("MA-OVER-02", "MA-OVER-04")
def test_overrun_modifiers() -> None:
    assert [" ".join(map(str, r.values())) for r in records("overrun_modifiers")] == [
        "defender suppressed 4",
        "defender disorganised 3",
        "defender attacker_tracked 3",
        "defender attacker_apc_with_troops 2",
        "attacker suppressed 4",
        "attacker disorganised 3",
    ]


@pytest.mark.rule("MA-OVER-03", "MA-OVER-05")
def test_overrun_attacks() -> None:
    assert records("overrun_attacks") == [{"target": "defender", "advantage": 6}, {"target": "attacker", "advantage": 2}]


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-02", "MA-CLOSE-03", "MA-CLOSE-04", "MA-RULING-26")
def test_close_assault_modifiers() -> None:
    assert [" ".join(map(str, r.values())) for r in records("close_assault_modifiers")] == [
        "defender test suppressed 4",
        "defender test disorganised 3",
        "defender roll always -3",
        "attacker test suppressed 4",
        "attacker test disorganised 3",
        "attacker roll always -3",
        "attacker roll engineer_or_type_s -3",
        "attacker roll mounted_cavalry_vs_unarmoured -3",
        "attacker roll closed_under_1_inch -1",
    ]


@pytest.mark.rule("MA-SEQ-01", "MA-RULING-05")
def test_sequence_of_play() -> None:
    phases = [
        "organisation",
        "initiative",
        "artillery_air",
        "fire_first",
        "fire_second",
        "planning",
        "movement",
        "fire_third",
        "marker_removal",
    ]
    assert records("sequence_of_play") == [{"order": order, "phase": phase} for order, phase in enumerate(phases)]


FIELDS = {
    "combat_results": "advantage roll result",
    "range_effects": "tl min_inches max_inches modifier",
    "terrain_movement": "terrain mobility mode cost",
    "terrain_fire": "terrain target modifier condition",
    "terrain_los": "terrain target blocks concealing",
    "command_effectiveness": "min_roll max_roll orders",
    "generation_modifiers": "generation modifier",
    "movement_command_modifiers": "situation modifier",
    "optional_marker_removal": "level regroup_max recover_max panic_min",
    "aa_shift": "aa_tl air_tl shift",
    "phase_control": "phase tl active note",
    "overrun_modifiers": "tester situation modifier",
    "overrun_attacks": "target advantage",
    "close_assault_modifiers": "side applies_to situation modifier",
    "sequence_of_play": "order phase",
}


@pytest.mark.parametrize("name", FIELDS)
def test_fields_and_their_order(name: str) -> None:
    assert all(list(record) == FIELDS[name].split() for record in records(name))
