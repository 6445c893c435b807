"""The charts of Flames of War, cell by cell, against tables typed by hand from the printed sheet.

The tables here are written as a player copies them from paper ("16/40" is inches/centimetres), in another shape than
the chart files, so that a slip in one is not repeated in the other.
"""

from __future__ import annotations

from importlib.resources import files

import pytest

from sandtable.games.flames_of_war.procedures import CHARTS
from sandtable.kernel.charts import load_chart
from sandtable.kernel.errors import ChartError

RECORDS = {
    "movement": 39,
    "bogging": 26,
    "to_hit": 3,
    "to_hit_modifiers": 4,
    "skill_test": 3,
    "motivation": 3,
    "command_distance": 6,
    "saves": 8,
    "armour_results": 5,
    "assault_armour_results": 3,
    "armour_facing": 9,
    "assault_actions": 20,
    "range_in": 3,
    "range_in_modifiers": 5,
    "ranging_penalty": 9,
    "template_hit": 8,
    "air_hit": 3,
    "smoke_templates": 4,
    "air_support_levels": 3,
    "aircraft_numbers": 6,
    "distances": 24,
}


def test_there_are_21_charts_with_so_many_records():
    assert {name: len(CHARTS[name].records) for name in CHARTS} == RECORDS
    assert len(RECORDS) == 21


FIELDS = """
movement: mobility terrain inches cm source
bogging: mobility terrain check
to_hit: target_skill needed
to_hit_modifiers: condition modifier
skill_test: skill needed source
motivation: motivation needed
command_distance: skill team_class inches cm
saves: target needed source
armour_results: comparison firepower result
assault_armour_results: comparison result
armour_facing: attack armour
assault_actions: team_class action allowed
range_in: target_skill needed
range_in_modifiers: attack condition modifier
ranging_penalty: weapon attempt modifier
template_hit: weapon guns_min guns_max reroll modifier template
air_hit: aircraft reroll
smoke_templates: guns_min guns_max templates source
air_support_levels: level dice
aircraft_numbers: roll aircraft
distances: name inches cm
"""


@pytest.mark.parametrize("line", FIELDS.strip().splitlines())
def test_every_record_has_exactly_these_fields_in_this_order(line):
    name, fields = line.split(": ")
    for record in CHARTS[name].records:
        assert list(record) == fields.split()


def numbers(text: str) -> tuple[float, float]:
    """ "16/40": inches and centimetres."""
    inches, cm = text.split("/")
    return float(inches), float(cm)


# One line a row of the sheet (lines 17 to 27): on the road, cross-country, in difficult terrain.
MOVEMENT_SHEET = """
tracked                  12/30  12/30   8/20
half_tracked, jeep       16/40  12/30   4/10
wheeled                  16/40   8/20   4/10
horse_drawn              10/25   8/20   4/10
wagon                     6/15   6/15   4/10
infantry                  6/15   6/15   6/15
cavalry                  10/25  10/25  10/25
man_packed_gun            6/15   6/15   6/15
light_gun                 4/10   4/10   4/10
medium_gun, heavy_gun     2/5    2/5    2/5
immobile_gun              0/0    0/0    0/0
"""


def movement_sheet():
    for line in MOVEMENT_SHEET.strip().splitlines():
        *names, road, cross_country, difficult = line.replace(",", " ").split()
        for name in names:
            yield name, "road", numbers(road)
            yield name, "cross_country", numbers(cross_country)
            yield name, "difficult", numbers(difficult)


@pytest.mark.rule("FOW-MOVE-02", "FOW-RULING-01")
def test_movement_cell_by_cell():
    sheet = list(movement_sheet())
    assert [(r["mobility"], r["terrain"], (r["inches"], r["cm"])) for r in CHARTS["movement"]] == sheet
    assert all(isinstance(r["inches"], int) and isinstance(r["cm"], int) for r in CHARTS["movement"])


@pytest.mark.rule("FOW-RULING-37", "FOW-RULING-01")
def test_every_movement_cell_is_two_and_a_half_centimetres_an_inch_so_tracked_in_difficult_is_20_not_30():
    for record in CHARTS["movement"]:
        assert record["cm"] * 2 == record["inches"] * 5
    assert CHARTS["movement"].record("tracked", "difficult") == {
        "mobility": "tracked",
        "terrain": "difficult",
        "inches": 8,
        "cm": 20,
        "source": "seed",
    }


@pytest.mark.rule("FOW-RULING-38")
def test_light_guns_are_the_only_movement_row_that_is_a_ruling():
    rulings = [(r["mobility"], r["inches"], r["cm"]) for r in CHARTS["movement"] if r["source"] == "ruling"]
    assert rulings == [("light_gun", 4, 10)] * 3
    assert {r["source"] for r in CHARTS["movement"]} == {"seed", "ruling"}


@pytest.mark.rule("FOW-MOVE-14")
def test_immobile_guns_have_no_movement_of_their_own():
    assert [(r["inches"], r["cm"]) for r in CHARTS["movement"] if r["mobility"] == "immobile_gun"] == [(0, 0)] * 3


@pytest.mark.rule("FOW-BOG-01", "FOW-BOG-02", "FOW-BOG-03", "FOW-BOG-04", "FOW-RULING-06")
def test_bogging():
    never = ["infantry", "cavalry", "man_packed_gun"]
    wheels_and_guns = ["half_tracked", "jeep", "wheeled", "horse_drawn", "wagon", "light_gun", "medium_gun", "heavy_gun"]
    wanted = {}
    for name in never:
        wanted[name, "difficult"] = wanted[name, "very_difficult"] = "none"
    for name in wheels_and_guns:
        wanted[name, "difficult"], wanted[name, "very_difficult"] = "two_plus", "forbidden"
    wanted["tracked", "difficult"], wanted["tracked", "very_difficult"] = "two_plus", "skill_test"
    wanted["immobile_gun", "difficult"] = wanted["immobile_gun", "very_difficult"] = "forbidden"
    assert {(r["mobility"], r["terrain"]): r["check"] for r in CHARTS["bogging"]} == wanted


def pairs(name, key, value):
    return [(record[key], record[value]) for record in CHARTS[name]]


@pytest.mark.rule("FOW-HIT-01")
def test_to_hit_by_the_skill_of_the_target_2_3_4():
    assert pairs("to_hit", "target_skill", "needed") == list(zip(["conscript", "regular", "veteran"], (2, 3, 4), strict=True))


@pytest.mark.rule("FOW-HIT-02")
def test_each_of_four_conditions_adds_one_to_hit():
    assert pairs("to_hit_modifiers", "condition", "modifier") == [
        (word, 1) for word in ["long_range", "concealed", "gone_to_ground", "moved_with_rof_1"]
    ]


@pytest.mark.rule("FOW-RULING-05")
def test_skill_tests_5_4_3_are_a_ruling():
    assert [tuple(r.values()) for r in CHARTS["skill_test"]] == [
        ("conscript", 5, "ruling"),
        ("regular", 4, "ruling"),
        ("veteran", 3, "ruling"),
    ]


@pytest.mark.rule("FOW-MOR-01")
def test_motivation_5_4_3():
    assert pairs("motivation", "motivation", "needed") == [("reluctant", 5), ("confident", 4), ("fearless", 3)]


@pytest.mark.rule("FOW-CMD-01")
def test_command_distance():
    sheet = {"conscript": "4/10 2/5", "regular": "6/15 4/10", "veteran": "8/20 6/15"}  # tanks, others
    found = {}
    for record in CHARTS["command_distance"]:
        found.setdefault(record["skill"], {})[record["team_class"]] = f"{record['inches']}/{record['cm']}"
    assert {skill: f"{row['tank']} {row['other']}" for skill, row in found.items()} == sheet
    assert [r["team_class"] for r in CHARTS["command_distance"]] == ["tank", "other"] * 3


@pytest.mark.rule("FOW-SAVE-06", "FOW-SAVE-07", "FOW-SAVE-08", "FOW-PASS-01", "FOW-PASS-05", "FOW-RULING-50")
def test_saves():
    three_four_five = {
        3: {"infantry", "cavalry"},
        4: {"warrior"},
        5: {"gun", "heavy_machine_gun", "unarmoured_vehicle", "passenger", "tank_rider"},
    }
    found = {}
    for record in CHARTS["saves"]:
        found.setdefault(record["needed"], set()).add(record["target"])
    assert found == three_four_five
    assert [r["target"] for r in CHARTS["saves"] if r["source"] != "seed"] == ["cavalry"]
    assert [r["target"] for r in CHARTS["saves"]] == (
        ["infantry", "gun", "heavy_machine_gun", "unarmoured_vehicle", "passenger", "tank_rider", "warrior", "cavalry"]
    )


@pytest.mark.rule("FOW-SAVE-02", "FOW-SAVE-03", "FOW-SAVE-04")
def test_armour_results():
    lines = "higher>not_rolled>no_effect equal>passed>bailed_out equal>failed>no_effect lower>passed>destroyed lower>failed>bailed_out"
    assert [">".join(r.values()) for r in CHARTS["armour_results"]] == lines.split()


@pytest.mark.rule("FOW-ASLT-12")
def test_assault_armour_results():
    assert [">".join(r.values()) for r in CHARTS["assault_armour_results"]] == ["higher>no_effect", "equal>bailed_out", "lower>destroyed"]


@pytest.mark.rule("FOW-SAVE-05", "FOW-ASLT-08", "FOW-ART-22", "FOW-AIR-13")
def test_armour_facing():
    by_side = {
        "front": "direct_fire_front",
        "side": "direct_fire_side_or_rear defensive_fire air_cannon air_machine_gun",
        "top": "artillery assault air_bomb air_rocket",
    }
    wanted = {attack: side for side, attacks in by_side.items() for attack in attacks.split()}
    assert dict(pairs("armour_facing", "attack", "armour")) == wanted
    assert len(wanted) == 9


@pytest.mark.rule("FOW-ASLT-16")
def test_assault_actions():
    actions = ["charge", "counterattack", "fight", "break_off", "consolidate"]
    marks = {"infantry": "+++++", "tank": "+++++", "gun": "--+++", "transport": "---++"}
    wanted = [(kind, action, mark == "+") for kind, row in marks.items() for action, mark in zip(actions, row, strict=True)]
    assert [tuple(r.values()) for r in CHARTS["assault_actions"]] == wanted
    assert all(type(r["allowed"]) is bool for r in CHARTS["assault_actions"])


@pytest.mark.rule("FOW-ART-14")
def test_range_in_2_3_4_by_the_skill_of_the_target():
    assert pairs("range_in", "target_skill", "needed") == [("conscript", 2), ("regular", 3), ("veteran", 4)]


@pytest.mark.rule("FOW-RULING-04", "FOW-AIR-08")
def test_range_in_modifiers_make_the_score_harder():
    found = [tuple(r.values()) for r in CHARTS["range_in_modifiers"]]
    assert found == [
        ("artillery", "concealed", +1),
        ("artillery", "gone_to_ground", +1),
        ("artillery", "company_commander_spotting", +1),
        ("air", "concealed", +1),
        ("air", "gone_to_ground", +1),
    ]


@pytest.mark.rule("FOW-ART-17", "FOW-RKT-01", "FOW-AIR-10")
def test_ranging_penalty():
    assert [tuple(r.values()) for r in CHARTS["ranging_penalty"]] == [
        *[("gun", 1, 0), ("gun", 2, 1), ("gun", 3, 2)],
        *[("rocket", 1, 0), ("rocket", 2, 0), ("rocket", 3, 0)],
        *[("aircraft", 1, 0), ("aircraft", 2, 1), ("aircraft", 3, 2)],
    ]


@pytest.mark.rule("FOW-ART-18", "FOW-ART-19", "FOW-ART-20", "FOW-RKT-02")
def test_template_hit():
    few = ["1-1 passed 1 single", "2-2 passed 0 single", "3-5 none 0 single"]
    sheet = {"gun": [*few, "6-None failed 0 single"], "rocket": [*few, "6-None none 0 double_width"]}
    found: dict[str, list[str]] = {}
    for r in CHARTS["template_hit"]:
        found.setdefault(r["weapon"], []).append(f"{r['guns_min']}-{r['guns_max']} {r['reroll']} {r['modifier']} {r['template']}")
    assert found == sheet


@pytest.mark.rule("FOW-AIR-11")
def test_air_hit():
    assert pairs("air_hit", "aircraft", "reroll") == [(1, "passed"), (2, "none"), (3, "failed")]


@pytest.mark.rule("FOW-SMK-04", "FOW-RULING-49")
def test_smoke_templates():
    assert [tuple(r.values()) for r in CHARTS["smoke_templates"]] == [
        (1, 1, 0, "ruling"),
        (2, 2, 1, "seed"),
        (3, 5, 2, "seed"),
        (6, None, 3, "seed"),
    ]


@pytest.mark.rule("FOW-AIR-01")
def test_air_support_levels():
    assert pairs("air_support_levels", "level", "dice") == [("priority", 7), ("limited", 5), ("sporadic", 3)]


@pytest.mark.rule("FOW-AIR-04")
def test_aircraft_numbers_1_2_one_3_to_5_two_6_three():
    assert [r["aircraft"] for r in CHARTS["aircraft_numbers"]] == [1, 1, 2, 2, 2, 3]
    assert [r["roll"] for r in CHARTS["aircraft_numbers"]] == [1, 2, 3, 4, 5, 6]


# By distance, as they stand in the text: an independent grouping.
BY_INCHES = {
    "1/2.5": "fire_gap",
    "2/5": "enemy_standoff assault_standoff melee_reach",
    "4/10": """recovery_tow mounted_cavalry_shot assault_range assault_move defensive_support assault_won_radius break_off
               consolidate artillery_wood_clearance aa_obstacle""",
    "6/15": "jeep_towing_max area_visibility aircraft_placement",
    "8/20": "double_standoff cavalry_assault_move artillery_minimum",
    "16/40": "long_range defensive_fire_range air_safety eyes_and_ears",
}


@pytest.mark.rule("FOW-RULING-01")
def test_distances():
    wanted = {name: text for text, names in BY_INCHES.items() for name in names.split()}
    assert {r["name"]: f"{r['inches']}/{r['cm']}" for r in CHARTS["distances"]} == wanted
    assert len(wanted) == 24
    names = [r["name"] for r in CHARTS["distances"]]
    assert names[:4] == ["enemy_standoff", "double_standoff", "recovery_tow", "jeep_towing_max"]
    assert names[-1] == "eyes_and_ears"


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_every_chart_names_itself_and_its_rules(name):
    chart = CHARTS[name]
    assert chart.title == f"chart.{name}"
    assert chart.rules and all(rule.startswith("FOW-") for rule in chart.rules)


# -- broken files are refused, and the message says what is wrong --------------------------------------------------


def source(name: str) -> str:
    return (files("sandtable.games.flames_of_war") / "charts" / f"{name}.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("to_hit", '["regular", 3], ', "", "no record for regular"),  # a gap
        ("movement", '  ["wagon", "difficult", 4, 10, "seed"],\n', "", "no record for wagon, difficult"),
        ("template_hit", '["gun", 3, 5,', '["gun", 4, 5,', "bands do not join"),  # a gap between bands
        ("template_hit", '["gun", 3, 5,', '["gun", 2, 5,', "bands do not join"),  # an overlap
        ("smoke_templates", '[3, 5, 2, "seed"]', '[3, 6, 2, "seed"]', "guns_max 6 is not within"),
        ("smoke_templates", '[2, 2, 1, "seed"]', '[2, 3, 1, "seed"]', "bands do not join"),
        ("saves", '"cavalry", 3, "ruling"', '"camelry", 3, "ruling"', "'camelry' is none of"),  # an unknown word
        ("armour_facing", '["assault", "top"]', '["assault", "roof"]', "'roof' is none of"),
        ("motivation", '["fearless", 3]', '["confident", 3]', "have the same key"),  # a double key
        ("motivation", '["fearless", 3]', '["fearless", 33]', "needed 33 is not within"),
        ("command_distance", '["veteran", "tank", 8, 20]', '["veteran", "tank", 8]', "has 3 cells, not 4"),  # a cell too few
        ("bogging", '["jeep", "two_plus", "forbidden"]', '["jeep", "two_plus", "forbidden", "none"]', "has 4 cells, not 3"),
        ("assault_actions", '["gun", false,', '["gun", "no",', "'no' is none of"),
        ("air_hit", '[2, "none"]', '[2, "-"]', "'-' is none of"),  # no empty cells here
        ("to_hit", "rows = ", "rovs = ", "unknown field"),
        ("to_hit", "[words]", "[words", "chart to_hit: "),
    ],
)
def test_a_broken_chart_is_refused(name, old, new, message):
    text = source(name)
    assert old in text
    with pytest.raises(ChartError) as refusal:
        load_chart(name, text.replace(old, new, 1))
    assert message in str(refusal.value)
    assert f"chart {name}" in str(refusal.value)


def test_a_look_up_outside_a_chart_says_so():
    with pytest.raises(ChartError, match="no entry for mobility 'hover'"):
        CHARTS["movement"].record("hover", "road")
    with pytest.raises(ChartError, match="no band for 0"):
        CHARTS["smoke_templates"].at(0)
