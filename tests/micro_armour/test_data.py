"""The starter forces and scenarios have the values that were laid down for them, and the sheet's footnotes are read as footnotes."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.micro_armour.data import read_scenario
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.profile import Atgm, Hold, Reach
from sandtable.kernel.game import load_game

from .procedures.rolls import run

GAME = load_game("micro_armour")

CARRIES = {"apc": True, "capacity": 1}
TOW: dict[str, Any] = {"atgm": Atgm(ap=14, min_range=1)}
MISSILE: dict[str, Any] = {"atgm": Atgm(ap=12, min_range=1)}

# What a unit has if nothing is said.
PLAIN: dict[str, Any] = dict.fromkeys(
    ("support", "aa", "ghq", "hq", "recon", "engineer", "type_s", "mounted_cavalry", "apc", "smoke"), False
) | {"artillery": "none", "capacity": 0, "atgm": None, "max_range": None, "command_level": None}

# id (with its numbers), name, class, mobility, tl, move, ap, he, defence, formation, and whatever else it has
BLUE = [
    ("ghq", "M577 command", "armoured", "tracked", 3, 11, None, 2, 4, "command", {"ghq": True}),
    ("hq", "M1A1 HQ", "armoured", "tracked", 4, 14, 13, 7, 10, "tanks", {"hq": True}),
    ("m1a2_1", "M1A2", "armoured", "tracked", 5, 14, 14, 7, 11, "tanks", {}),
    ("m1a2_2", "M1A2", "armoured", "tracked", 5, 14, 14, 7, 11, "tanks", {}),
    ("m1a1_1", "M1A1", "armoured", "tracked", 4, 14, 13, 7, 10, "tanks", {}),
    ("m1a1_2", "M1A1", "armoured", "tracked", 4, 14, 13, 7, 10, "tanks", {}),
    (
        "m2_1",
        "M2 Bradley",
        "armoured",
        "tracked",
        4,
        13,
        6,
        6,
        5,
        "mechanised",
        CARRIES | TOW,
    ),
    (
        "m2_2",
        "M2 Bradley",
        "armoured",
        "tracked",
        4,
        13,
        6,
        6,
        5,
        "mechanised",
        CARRIES | TOW,
    ),
    ("inf_1", "Mech infantry", "personnel", "foot", 3, 4, 6, 5, 4, "mechanised", {"support": False}),
    ("inf_2", "Mech infantry, heavy weapons", "personnel", "foot", 3, 4, 6, 5, 4, "mechanised", {"support": True}),
    ("eng", "Engineers", "personnel", "foot", 3, 4, 6, 5, 4, "mechanised", {"engineer": True}),
    ("scout", "HMMWV TOW", "soft", "wheeled", 4, 20, 2, 4, 3, "command", {"recon": True} | TOW),
    ("art", "M109", "armoured", "tracked", 4, 9, 4, 8, 4, "command", {"artillery": "gun", "smoke": True}),
    ("aa", "M163 VADS", "armoured", "tracked", 3, 11, 3, 7, 4, "command", {"aa": True, "max_range": 16}),
    ("air", "A-10 flight", "aircraft", "air", 4, 0, 10, 8, 6, "command", {}),
]
RED = [
    ("ghq", "BTR-60PU", "armoured", "wheeled", 2, 18, None, 3, 3, "command", {"ghq": True}),
    ("hq", "T-72 HQ", "armoured", "tracked", 3, 11, 11, 6, 8, "tanks", {"hq": True}),
    ("t72_1", "T-72", "armoured", "tracked", 3, 11, 11, 6, 8, "tanks", {}),
    ("t72_2", "T-72", "armoured", "tracked", 3, 11, 11, 6, 8, "tanks", {}),
    ("t72_3", "T-72", "armoured", "tracked", 3, 11, 11, 6, 8, "tanks", {}),
    (
        "bmp2_1",
        "BMP-2",
        "armoured",
        "tracked",
        3,
        12,
        5,
        6,
        4,
        "mechanised",
        CARRIES | MISSILE,
    ),
    (
        "bmp2_2",
        "BMP-2",
        "armoured",
        "tracked",
        3,
        12,
        5,
        6,
        4,
        "mechanised",
        CARRIES | MISSILE,
    ),
    ("inf_1", "Motor rifles", "personnel", "foot", 3, 4, 6, 5, 4, "mechanised", {"type_s": False}),
    ("inf_2", "Motor rifles, assault", "personnel", "foot", 3, 4, 6, 5, 4, "mechanised", {"type_s": True}),
    ("res", "Reserve infantry", "personnel", "foot", 1, 4, 4, 4, 3, "mechanised", {"command_level": 11}),
    ("recon", "BRDM-2", "armoured", "wheeled", 2, 20, 3, 4, 3, "command", {"recon": True}),
    ("art", "2S1", "armoured", "tracked", 3, 10, 4, 7, 4, "command", {"artillery": "gun", "smoke": True}),
    ("mor", "120 mm mortar", "soft", "foot", 2, 3, 2, 6, 3, "command", {"artillery": "mortar", "smoke": False}),
    ("aa", "ZSU-23-4", "armoured", "tracked", 3, 11, 3, 8, 4, "command", {"aa": True, "max_range": 20}),
    ("mi24", "Mi-24", "helicopter", "air", 3, 24, 8, 7, 6, "command", MISSILE),
]


def scenario(name: str) -> Any:
    return read_scenario(GAME.setup(GAME.data("scenarios", name)).scenario)


@pytest.mark.rule("MA-RULING-42", "MA-RULING-45")
@pytest.mark.parametrize(("side", "listed"), [("a", BLUE), ("b", RED)])
def test_the_starter_forces_have_the_values_of_the_list(side: str, listed: list[Any]) -> None:
    force = scenario("crossroads").side(side).force
    units = {unit.id: unit for unit in force.units}
    assert sorted(units) == sorted(row[0] for row in listed)
    for id, name, kind, mobility, tl, move, ap, he, defence, formation, more in listed:
        unit = units[id]
        assert (unit.name, unit.target_class, unit.mobility, unit.tl, unit.movement) == (name, kind, mobility, tl, move), id
        assert (unit.ap, unit.he, unit.defence, unit.formation) == (ap, he, defence, formation), id
        assert {field: getattr(unit, field) for field in PLAIN} == PLAIN | more, id


@pytest.mark.rule("MA-RULING-42", "MA-RULING-41")
def test_levels_generations_and_break_points() -> None:
    found = scenario("crossroads")
    blue, red = found.a.force, found.b.force
    assert (blue.command_level, blue.generation, blue.ghq_command_value, found.a.breaks_at) == (15, 4, 1, 8)
    assert (red.command_level, red.generation, red.ghq_command_value, found.b.breaks_at) == (13, 3, 0, 8)
    ridge = scenario("the_ridge")
    assert (len(ridge.a.force.units), ridge.a.breaks_at) == (13, 7)
    assert (ridge.first_initiative, ridge.places_first, ridge.turns, ridge.otherwise) == ("b", "a", 10, "a")
    assert (found.first_initiative, found.places_first, found.turns, found.otherwise) == (None, "a", 8, "draw")


def box(left: float, bottom: float, right: float, top: float) -> list[tuple[float, float]]:
    return [(left, bottom), (left, top), (right, bottom), (right, top)]


CROSSROADS = [
    ("crest", [(28, 27), (42, 27)]),
    ("forest", box(8, 22, 16, 28)),
    ("forest", box(32, 8, 40, 14)),
    ("good_road", [(24, 0), (24, 36)]),
    ("grove", box(14, 6, 19, 10)),
    ("light_buildings", box(22, 16, 26, 20)),
    ("poor_road", [(0, 18), (48, 18)]),
    ("slope_up", box(28, 25, 42, 27)),
    ("slope_up", box(28, 27, 42, 29)),
]
RIDGE = [
    ("crest", [(40, 4), (40, 36)]),
    ("heavy_buildings", box(48, 18.5, 52, 21.5)),
    ("light_fortification", box(40, 11, 42, 13)),
    ("light_fortification", box(40, 27, 42, 29)),
    ("medium_fortification", box(41, 19, 43, 21)),
    ("minefield", box(31, 16, 33, 24)),
    ("slope_up", box(36, 4, 40, 36)),
    ("swamp", box(16, 4, 22, 10)),
    ("track", [(0, 20), (60, 20)]),
    ("wire", box(33, 10, 34, 30)),
]


@pytest.mark.rule("MA-RULING-42", "MA-RULING-53")
@pytest.mark.parametrize(
    ("name", "size", "terrain", "zones", "goals"),
    [
        ("crossroads", (48, 36), CROSSROADS, ((0, 30, 48, 36), (0, 0, 48, 6)), (Hold(id="crossroads", at=(24, 18), radius=3),)),
        (
            "the_ridge",
            (60, 40),
            RIDGE,
            ((36, 0, 60, 40), (0, 0, 8, 40)),
            (Reach(id="breakthrough", side="b", area=(44, 0, 60, 40), units=2),),
        ),
    ],
)
def test_the_starter_scenarios_lie_as_they_are_sketched(name: str, size: Any, terrain: Any, zones: Any, goals: Any) -> None:
    found = scenario(name)
    assert (found.width, found.height) == size
    assert sorted((piece.kind, sorted(piece.points)) for piece in found.terrain) == terrain
    assert tuple((side.zone.left, side.zone.bottom, side.zone.right, side.zone.top) for side in (found.a, found.b)) == zones
    assert found.objectives == goals


@pytest.mark.rule("MA-RULING-41")
def test_a_smaller_force_breaks_at_half_its_own_size() -> None:
    data = GAME.data("scenarios", "crossroads")
    side = {**data["a"], "without": ["air", "scout"]}
    assert read_scenario(GAME.setup({**data, "a": side}).scenario).a.breaks_at == 7  # of 13; the whole force breaks at 8
    assert read_scenario(GAME.setup({**data, "a": {**side, "break_point": 5}}).scenario).a.breaks_at == 5


@pytest.mark.rule("MA-RULING-42")
def test_a_force_of_ones_own_may_have_other_values() -> None:
    data = GAME.data("scenarios", "crossroads")
    whole = GAME.complete(data)
    whole["a"]["force"]["units"][0]["defence"] = 20
    assert read_scenario(GAME.setup(whole).scenario).a.force.units[0].defence == 20


@pytest.mark.rule("MA-RULING-40")
def test_the_marks_of_the_sheet_are_footnotes() -> None:
    """Two crosses: wire and mines turn round for who moves. One asterisk: mines cost on leaving. Two: a crest counts over it only."""
    fire = CHARTS["terrain_fire"]
    assert [fire.record(kind, "other")["modifier"] for kind in ("wire", "minefield")] == [-1, -2]
    assert run("movement_test", [10], command_level=15, ordered=True, in_wire=True).modifier == 1
    assert run("movement_test", [10], command_level=15, ordered=True, in_minefield=True).modifier == 2
    leg = {"terrain": "clear", "inches": 2, "features": ["minefield"]}
    assert run("movement_cost", mobility="tracked", legs=[leg]).cost == 2
    assert run("movement_cost", mobility="tracked", legs=[leg | {"leaves_minefield": True}]).cost == 3
    assert fire.record("crest", "other")["condition"] == "over_crest"
    assert run("terrain_effect", target_class="armoured", target_terrain=["crest"]).roll_modifier == 0
    assert run("terrain_effect", target_class="armoured", target_terrain=["crest"], over_crest=True).roll_modifier == 2
