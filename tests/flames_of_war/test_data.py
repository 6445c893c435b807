"""Forces, scenarios, terrain and rule texts: what the files say against the inventory, and what is said about wrong files."""

from __future__ import annotations

import copy
import itertools
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from tests.flames_of_war.mistakes import FORCE_MISTAKES, SCENARIO_MISTAKES

from sandtable.field.shapes import unit
from sandtable.field.terrain import strip
from sandtable.games.flames_of_war import data
from sandtable.games.flames_of_war.data import complete, load_force, problems, read_scenario
from sandtable.games.flames_of_war.profile import Company, PlatoonProfile, Scenario, TeamProfile, TerrainPiece
from sandtable.kernel.errors import DataError
from sandtable.kernel.messages import load_catalogue

PACKAGE = "sandtable.games.flames_of_war"
ROOT = Path(__file__).parents[2]
SCENARIOS = ("crossroads", "first_steps", "hold_the_village", "river_line")
STARTERS = ("german_kampfgruppe", "soviet_battalion", "us_combat_command")
FORCES = (*STARTERS, "german_patrol", "optional_platoons", "us_patrol")


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((files(PACKAGE) / name).read_text("utf-8"))


def force(name: str) -> Company:
    return load_force(toml(f"forces/{name}.toml"))


def scenario(name: str) -> Scenario:
    return read_scenario(complete(toml(f"scenarios/{name}.toml")))


def platoon(company: Company, id: str) -> PlatoonProfile:
    return next(platoon for platoon in company.platoons if platoon.id == id)


# -- weapons ------------------------------------------------------------------------------------------------------

# id: range, rate of fire, anti-tank, firepower, mount, bombardment, other
WEAPONS = """
rifle            16 1  2 6 infantry  -         -
rifle_mg         16 2  2 6 infantry  -         -
mg_team          16 3  2 6 infantry  -         -
smg               4 3  1 6 infantry  -         -
bazooka           8 1 10 5 infantry  -         -
panzerschreck     8 1 11 5 infantry  -         -
at_rifle         16 2  5 6 infantry  -         -
hmg              24 6  2 6 infantry  -         -
kwk40_75         32 2 11 3 turret    -         -
m3_75            32 2 10 3 turret    -         -
f34_76           32 2  9 3 turret    -         -
pak40_75         32 2 12 3 gun       -         -
zis3_76          32 2  9 3 gun       80/3/6    -
lefh18_105       24 1 10 2 gun       72/4/4    smoke
m7_105           24 1  9 2 hull      72/4/4    smoke
mortar_120        - -  - - gun       56/3/3    -
mortar_81         - -  - - gun       40/2/6    smoke
nebelwerfer_150   - -  - - gun       64/3/4    rocket,smoke
katyusha_132      - -  - - hull      64/3/4    rocket
flak38_20        16 4  5 5 turntable -         standard
flak36_88        40 2 13 3 turntable -         heavy
aa_mg_50cal      16 3  4 5 turret    -         light
kwk38_20         16 3  5 5 turret    -         -
m6_37            24 2  7 4 turret    -         -
vehicle_mg       16 2  2 6 turret    -         -
"""


@pytest.mark.rule("FOW-RULING-51", "FOW-RULING-32")
def test_weapons_have_the_values_of_the_list() -> None:
    listed = [line.split() for line in WEAPONS.split("\n") if line]
    assert sorted(line[0] for line in listed) == sorted(data.weapons())
    for id, reach, rof, anti_tank, firepower, mount, bombardment, other in listed:
        weapon = data.weapons()[id]
        assert weapon.mount == mount, id
        if reach == "-":
            assert weapon.range_in is None and not weapon.direct_fire, id
        else:
            assert (weapon.range_in, weapon.rof, weapon.anti_tank, weapon.firepower) == tuple(
                map(int, (reach, rof, anti_tank, firepower))
            ), id
        shelled = weapon.bombardment
        assert (f"{shelled.range_in:g}/{shelled.anti_tank}/{shelled.firepower}" if shelled else "-") == bombardment, id
        words = [word for word, holds in (("rocket", weapon.rocket), ("smoke", weapon.smoke_bombardment)) if holds]
        assert ",".join(words + ([weapon.aa_class] if weapon.aa_class else [])) == other.replace("-", ""), id
        assert not weapon.bunker_buster


def test_aircraft_weapons_have_the_values_of_the_list() -> None:
    listed = {
        id: (weapon.weapon_class, weapon.to_hit, weapon.anti_tank, weapon.firepower) for id, weapon in data.aircraft_weapons().items()
    }
    assert listed == {
        "ju87_bomb": ("bomb", 4, 5, 1),
        "il2_cannon": ("cannon", 3, 7, 5),
        "il2_rocket": ("rocket", 3, 6, 3),
        "p47_mg": ("machine_gun", 3, 6, 5),
    }


# -- the three forces ---------------------------------------------------------------------------------------------


def line(team: TeamProfile) -> str:
    """A team as one line: type mobility F/S/T save weapons assault_at."""
    armour = "-" if team.armour_front is None else f"{team.armour_front}/{team.armour_side}/{team.armour_top}"
    return f"{team.name}: {team.team_type} {team.mobility} {armour} {team.save} {'+'.join(w.id for w in team.weapons)} {team.assault_at}"


PANZER = "Panzer IV H: tank tracked 6/3/1 armoured kwk40_75+vehicle_mg 11"
T34 = "T-34: tank tracked 6/5/1 armoured f34_76+vehicle_mg 9"
SHERMAN = "M4 Sherman: tank tracked 6/4/1 armoured m3_75+aa_mg_50cal 10"
OBSERVER = "Observer: infantry infantry - infantry rifle 2"
GERMAN = {
    ("hq", "hq", "veteran", "confident"): [PANZER],
    ("panzer", "combat", "veteran", "confident"): [PANZER] * 3,
    ("panzergrenadiers", "combat", "veteran", "confident"): [
        "Command team: infantry infantry - infantry smg 3",
        *["Machine gun team: infantry infantry - infantry mg_team 3"] * 3,
        "Panzerschreck team: infantry infantry - infantry panzerschreck 5",
    ],
    ("mortars", "artillery_battery", "veteran", "confident"): [*["12 cm mortar: gun light_gun - gun mortar_120 2"] * 3, OBSERVER],
    ("recon", "recon", "veteran", "confident"): ["Sd Kfz 222: tank wheeled 1/0/0 armoured kwk38_20 5"] * 2,
}
SOVIET = {
    ("hq", "hq", "conscript", "confident"): [T34],
    ("tanks", "combat", "conscript", "confident"): [T34] * 3,
    ("rifles", "combat", "regular", "fearless"): [
        "Command team: infantry infantry - infantry rifle 3",
        *["Rifle team: infantry infantry - infantry rifle 3"] * 3,
        "Anti-tank rifle team: infantry infantry - infantry at_rifle 3",
    ],
    ("battery", "artillery_battery", "regular", "fearless"): [*["ZIS-3: gun medium_gun - gun zis3_76 2"] * 3, OBSERVER],
    ("recon", "recon", "regular", "confident"): ["BA-64: tank wheeled 1/0/0 armoured vehicle_mg 2"] * 2,
}
AMERICAN = {
    ("hq", "hq", "regular", "confident"): [SHERMAN],
    ("tanks", "combat", "regular", "confident"): [SHERMAN] * 3,
    ("armored_rifles", "combat", "regular", "confident"): [
        "Command team: infantry infantry - infantry rifle 2",
        *["Rifle team: infantry infantry - infantry rifle 2"] * 3,
        "Bazooka team: infantry infantry - infantry bazooka 5",
    ],
    ("priests", "artillery_battery", "regular", "confident"): [*["M7 Priest: tank tracked 1/0/0 armoured m7_105 9"] * 3, OBSERVER],
    ("recon", "recon", "regular", "confident"): ["M8 Greyhound: tank wheeled 1/0/0 armoured m6_37 7"] * 2,
}


@pytest.mark.parametrize(("name", "listed"), list(zip(STARTERS, (GERMAN, SOVIET, AMERICAN), strict=True)))
def test_platoons_of_the_starter_forces(name: str, listed: dict[tuple[str, ...], list[str]]) -> None:
    found = {(p.id, p.role, p.skill, p.motivation): [line(team) for team in p.teams] for p in force(name).platoons}
    assert found == listed
    assert list(found) == list(listed)
    assert sum(map(len, found.values())) == 15


@pytest.mark.parametrize(
    ("name", "motivation", "level", "aircraft", "flying_tank", "carries"),
    [
        ("german_kampfgruppe", "confident", "sporadic", "Ju 87 Stuka", False, ["bomb"]),
        ("soviet_battalion", "fearless", "limited", "Il-2 Shturmovik", True, ["cannon", "rocket"]),
        ("us_combat_command", "confident", "priority", "P-47 Thunderbolt", False, ["machine_gun"]),
    ],
)
def test_companies_and_their_aircraft(name: str, motivation: str, level: str, aircraft: str, flying_tank: bool, carries: list[str]) -> None:
    company = force(name)
    assert (company.motivation, company.air_support) == (motivation, level)
    assert company.aircraft is not None
    assert (company.aircraft.name, company.aircraft.flying_tank) == (aircraft, flying_tank)
    assert [weapon.weapon_class for weapon in company.aircraft.weapons] == carries


@pytest.mark.rule("FOW-WAR-01", "FOW-OBS-01", "FOW-OBS-02")
@pytest.mark.parametrize("name", STARTERS)
def test_leaders_commanders_and_observers(name: str) -> None:
    company = force(name)
    (commander,) = platoon(company, "hq").teams
    assert set(commander.traits) == {"company_commander", "warrior", "independent"}
    for each in company.platoons[1:]:
        assert ["platoon_leader" in team.traits for team in each.teams] == [True] + [False] * (len(each.teams) - 1)
    battery = company.platoons[3]
    assert set(battery.teams[-1].traits) == {"observer", "independent"}
    assert battery.has_staff == (name == "us_combat_command")
    assert all("recon" in team.traits for team in platoon(company, "recon").teams)
    assert all("mortar" in team.traits for team in battery.teams[:3]) == (name == "german_kampfgruppe")
    assert [team.gun_shield for team in battery.teams[:3]] == [name == "soviet_battalion"] * 3
    closed = {team.name for p in company.platoons for team in p.teams if team.fully_armoured}
    assert closed == {commander.name}


@pytest.mark.rule("FOW-RULING-11", "FOW-TRN-12", "FOW-TRN-13")
@pytest.mark.parametrize("name", FORCES)
def test_bases_heights_and_passengers(name: str) -> None:
    light = {"Sd Kfz 222", "BA-64", "M8 Greyhound", "Sd Kfz 251", "Truck", "Jeep"}
    for each in force(name).platoons:
        for team in each.teams:
            base = (team.base_w_in, team.base_d_in)
            if team.team_type in ("infantry", "cavalry"):
                assert base == (2, 1.25)
            elif team.team_type == "gun":
                assert base == (2, 2.5)
            else:
                assert base == ((1, 1.8) if team.name in light else (1.4, 2.6))
            assert team.height == (1 if team.team_type in ("infantry", "gun") else 2)
            assert team.capacity == {"tank": 3, "transport": 5}.get(team.team_type, 0)


OPTIONAL = {
    "hmg": (2, "Heavy machine gun: gun man_packed_gun - heavy_machine_gun hmg 2"),
    "nebelwerfer": (6, "15 cm Nebelwerfer: gun medium_gun - gun nebelwerfer_150 2"),
    "pak40": (2, "Pak 40: gun medium_gun - gun pak40_75 2"),
    "flak": (2, "2 cm Flak 38: gun light_gun - gun flak38_20 2"),
    "halftracks": (3, "Sd Kfz 251: transport half_tracked 1/0/0 armoured vehicle_mg 2"),
    "trucks": (2, "Truck: transport wheeled - unarmoured_vehicle  2"),
    "jeep": (1, "Jeep: transport jeep - unarmoured_vehicle  2"),
    "recovery": (1, "Armoured recovery vehicle: tank tracked 1/1/0 armoured  2"),
    "cavalry": (5, "Cavalry team: cavalry cavalry - cavalry rifle 2"),
}


def test_optional_platoons() -> None:
    library = data.optional_platoons()
    assert {id: (len(p.teams), line(p.teams[0])) for id, p in library.items()} == OPTIONAL
    assert all(line(team) == line(p.teams[0]) for p in library.values() for team in p.teams)
    assert [id for id, p in library.items() if p.teams[0].gun_shield] == ["pak40"]
    assert [id for id, p in library.items() if p.teams[0].turntable] == ["flak"]
    assert [id for id, p in library.items() if p.role == "transport"] == ["halftracks", "trucks", "jeep"]
    assert library["nebelwerfer"].role == "artillery_battery"
    assert "recovery_vehicle" in library["recovery"].teams[0].traits


# -- terrain ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-RULING-11")
def test_terrain_has_the_facts_of_the_list() -> None:
    listed = """
    road road 0 area -
    open cross_country 0 area -
    field_crops cross_country 1 area concealing
    wood difficult 3 area concealing
    marsh difficult 0 area -
    wall difficult 1 linear concealing
    hedge difficult 1 linear concealing
    tall_hedge difficult 3 linear concealing
    hill cross_country 3 hill crest
    building very_difficult 3 building concealing+bulletproof
    wreck very_difficult 1 area concealing
    river very_difficult 0 area -
    """
    found = [f"{id} {t.going} {t.height} {t.kind} {'+'.join(t.cover) or '-'}" for id, t in data.terrain_types().items()]
    assert found == [line.strip() for line in listed.strip().split("\n")]
    assert {id for id, t in data.terrain_types().items() if t.drawn == "line"} == {"road", "wall", "hedge", "tall_hedge"}
    assert all((t.width is not None) == (t.drawn == "line") for t in data.terrain_types().values())


# -- scenarios ----------------------------------------------------------------------------------------------------


def outline(piece: TerrainPiece) -> shapely.Polygon:
    points = [(unit(x), unit(y)) for x, y in piece.points]
    if data.terrain_types()[piece.kind].drawn == "line":
        assert piece.width is not None
        points = list(strip(points, unit(piece.width)))
    return shapely.transform(shapely.Polygon(points), lambda xy: xy / 1000)


def sizes(battle: Scenario, kind: str) -> list[tuple[float, float]]:
    """Width and height of every piece of a kind."""
    found = []
    for piece in battle.terrain:
        if piece.kind == kind:
            xs, ys = zip(*piece.points, strict=True)
            found.append((max(xs) - min(xs), max(ys) - min(ys)))
    return found


def zone(battle: Scenario, side: str) -> tuple[float, float, float, float]:
    found = battle.side(side).zone
    return (found.left, found.bottom, found.right, found.top)


def test_crossroads_is_the_meeting_engagement() -> None:
    battle = scenario("crossroads")
    assert (battle.width, battle.height, battle.turns, battle.first, battle.defender) == (72, 48, 10, "dice", None)
    assert zone(battle, "a") == (0, 0, 72, 12) and zone(battle, "b") == (0, 36, 72, 48)
    assert battle.a.zone.recon == (0, 0, 72, 16) and battle.b.zone.recon == (0, 32, 72, 48)
    (objective,) = battle.objectives
    assert objective.owner is None and objective.at == (36, 24)
    assert (battle.holding_counts_from_turn, battle.wins_on_time) == (3, "platoons")
    assert sizes(battle, "building") == [(6, 6)] * 2
    assert sizes(battle, "wood") == [(10, 8)] * 3
    assert sizes(battle, "hill") == [(14, 10)]
    assert sizes(battle, "hedge") == [(12, 0)] * 2
    roads = [piece for piece in battle.terrain if piece.kind == "road"]
    assert [road.width for road in roads] == [2, 2]
    assert all(outline(road).contains(shapely.Point(objective.at)) for road in roads)
    assert not battle.a.dug_in and not battle.b.dug_in
    assert len(battle.a.force.platoons) == len(battle.b.force.platoons) == 5


def test_crossroads_looks_the_same_from_both_edges() -> None:
    battle = scenario("crossroads")
    shapes = {piece.id: outline(piece) for piece in battle.terrain}
    turned = {id: shapely.transform(shape, lambda xy: [72, 48] - xy) for id, shape in shapes.items()}
    for one, other in (
        ("inn", "smithy"),
        ("wood_north", "wood_south"),
        ("hedge_north", "hedge_south"),
        ("road_north_south", "road_north_south"),
        ("road_east_west", "road_east_west"),
    ):
        assert shapes[one].symmetric_difference(turned[other]).area < 0.01, one
    assert shapes["hill_west"].centroid.y == pytest.approx(24)
    assert shapes["wood_east"].centroid.y == pytest.approx(24)


def test_hold_the_village_is_attack_and_defence() -> None:
    battle = scenario("hold_the_village")
    assert (battle.width, battle.height, battle.turns) == (72, 48, 8)
    assert (battle.first, battle.defender, battle.wins_on_time) == ("a", "b", "b")
    assert zone(battle, "a") == (0, 0, 72, 10) and zone(battle, "b") == (0, 24, 72, 48)
    assert battle.b.dug_in and not battle.a.dug_in
    first, second = battle.objectives
    assert (first.owner, second.owner) == ("b", "b")
    assert [48 - objective.at[1] for objective in (first, second)] == [8, 8]
    assert second.at[0] - first.at[0] == 18
    assert sizes(battle, "building") == [(6, 6)] * 5
    assert [piece.kind for piece in battle.terrain].count("wall") >= 1
    assert len(sizes(battle, "wood")) == 2
    (hill,) = (outline(piece) for piece in battle.terrain if piece.kind == "hill")
    assert hill.bounds[3] < 24
    (road,) = (outline(piece) for piece in battle.terrain if piece.kind == "road")
    assert road.bounds == (35, 0, 37, 48)
    west, east = sorted(outline(piece).centroid.x for piece in battle.terrain if piece.kind == "wood")
    village = shapely.union_all([outline(piece) for piece in battle.terrain if piece.kind == "building"])
    assert west < village.bounds[0] and east > village.bounds[2]
    assert village.bounds[1] >= 24


def test_river_line_has_every_kind_of_terrain_and_two_dry_ways_over() -> None:
    battle = scenario("river_line")
    assert {piece.kind for piece in battle.terrain} == set(data.terrain_types()) - {"wreck"}
    river = shapely.union_all([outline(piece) for piece in battle.terrain if piece.kind == "river"])
    assert not river.intersects(shapely.box(35, 20, 37, 30)), "the bridge is open"
    assert not shapely.LineString([(20, 0), (20, 48)]).intersects(river), "the ford is open"
    assert shapely.LineString([(10, 0), (10, 48)]).intersects(river)
    assert battle.defender == "b" and battle.b.dug_in
    assert {p.id for p in battle.b.force.platoons} >= {"pak40", "flak"}
    assert platoon(battle.a.force, "cavalry").motivation == "fearless"
    assert platoon(battle.b.force, "panzergrenadiers").name == "Grenadiers"


def test_first_steps_is_small() -> None:
    battle = scenario("first_steps")
    assert (battle.width, battle.height, battle.turns) == (36, 36, 6)
    for side in (battle.a, battle.b):
        assert len([p for p in side.force.platoons if p.role != "hq"]) == 2
        assert sum(len(p.teams) for p in side.force.platoons) <= 9
        assert side.force.air_support is None


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_are_sound(name: str) -> None:
    whole = complete(toml(f"scenarios/{name}.toml"))
    battle = read_scenario(whole)
    assert battle.id == name
    assert complete(whole) == whole, "what is complete stays the same"
    assert problems("scenario", whole) == []
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(whole)), Scenario) == battle, "it survives a save"
    solid = [(p.id, outline(p)) for p in battle.terrain if p.kind in ("wood", "building", "hill", "river", "marsh", "field_crops")]
    for (one, first), (other, second) in itertools.combinations(solid, 2):
        assert first.intersection(second).area < 0.001, f"{one} and {other} overlap"
    for line_id, thin in ((p.id, outline(p)) for p in battle.terrain if p.kind in ("wall", "hedge", "tall_hedge")):
        for other, second in solid:
            assert not thin.intersects(second), f"{line_id} and {other} meet"
    houses = shapely.union_all([outline(p) for p in battle.terrain if p.kind == "building"])
    assert all(not houses.intersects(shapely.Point(objective.at)) for objective in battle.objectives)


def test_all_files_are_tested_here() -> None:
    assert sorted(FORCES) == data.force_names()
    assert sorted(SCENARIOS) == sorted(e.name.removesuffix(".toml") for e in (files(PACKAGE) / "scenarios").iterdir())


@pytest.mark.parametrize("name", FORCES)
def test_forces_are_sound(name: str) -> None:
    company = force(name)
    assert company.id == name
    assert problems("force", toml(f"forces/{name}.toml")) == []
    whole = msgspec.to_builtins(company)
    assert problems("force", whole) == []
    assert load_force(whole) == company


# -- what a side may say about its force --------------------------------------------------------------------------


def with_side(**changes: Any) -> dict[str, Any]:
    return toml("scenarios/crossroads.toml") | {"a": toml("scenarios/crossroads.toml")["a"] | changes}


def test_a_side_leaves_out_adds_and_renames() -> None:
    add = ["hmg", {"platoon": "panzer", "id": "more_panzer", "skill": "conscript"}]
    side = read_scenario(complete(with_side(without=["recon"], add=add, rename={"hmg": "Guns"}))).a
    assert [p.id for p in side.force.platoons] == ["hq", "panzer", "panzergrenadiers", "mortars", "hmg", "more_panzer"]
    assert platoon(side.force, "hmg").name == "Guns"
    assert (platoon(side.force, "more_panzer").skill, platoon(side.force, "panzer").skill) == ("conscript", "veteran")


def test_transports_join_a_platoon_without_limit_and_without_leading_it() -> None:
    side = read_scenario(complete(with_side(add=[{"platoon": "halftracks", "to": "panzergrenadiers"}]))).a
    grenadiers = platoon(side.force, "panzergrenadiers")
    assert [team.name for team in grenadiers.teams[5:]] == ["Sd Kfz 251"] * 3
    assert all(team.capacity is None and not team.traits for team in grenadiers.teams[5:])
    assert sum("platoon_leader" in team.traits for team in grenadiers.teams) == 1
    assert len(side.force.platoons) == 5


def test_a_side_has_its_force_name_unless_it_says_otherwise() -> None:
    assert scenario("first_steps").a.name == "US patrol"


def test_a_force_may_stand_inside_the_scenario() -> None:
    side = read_scenario(complete(with_side(force=toml("forces/us_patrol.toml"))))
    assert side.a.force == force("us_patrol")


def test_flamethrower_tanks_carry_nobody() -> None:
    wild = toml("forces/us_patrol.toml")
    wild["platoon"][1]["team"][0]["traits"] = ["flamethrower"]
    assert {team.capacity for team in load_force(wild).platoons[1].teams} == {0}


# -- everything that can be wrong ---------------------------------------------------------------------------------


def edit(whole: Any, path: str, value: Any) -> Any:
    """A copy with one thing changed: `edit(force, "platoon.1.team.0.count", 99)`. `...` takes it away."""
    whole = copy.deepcopy(whole)
    place = whole
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    elif isinstance(last, int) and last == len(place):
        place.append(value)
    else:
        place[last] = value
    return whole


@pytest.mark.parametrize(("path", "value", "message"), FORCE_MISTAKES)
def test_each_mistake_in_a_force_is_named(path: str, value: Any, message: str) -> None:
    wrong = edit(toml("forces/german_kampfgruppe.toml"), path, value)
    found = problems("force", wrong)
    assert any(problem.startswith(message) for problem in found), found
    with pytest.raises(DataError) as caught:
        load_force(wrong)
    assert caught.value.problems == found


def test_a_lone_independent_team_needs_no_leader() -> None:
    assert problems("force", edit(toml("forces/german_kampfgruppe.toml"), "platoon.0.role", "combat")) == []


def test_only_transports_means_the_role_transport() -> None:
    trucks = toml("forces/optional_platoons.toml")
    trucks["platoon"] = [p for p in trucks["platoon"] if p["id"] == "trucks"]
    del trucks["platoon"][0]["role"]
    trucks["platoon"][0]["team"][0]["leader"] = False
    assert 'platoon 1 "Truck platoon": it has only transports; give it the role transport' in problems("force", trucks)


def test_the_capacity_of_transport_platoons_and_flamethrowers() -> None:
    trucks = edit(toml("forces/optional_platoons.toml"), "platoon.5.team.0.capacity", 6)
    place = 'platoon 6 "Truck platoon", team 1 "Truck"'
    assert problems("force", trucks) == [f"{place}: capacity is 6; a vehicle of a transport platoon carries at most 5 teams (FOW-TRN-12)"]
    wild = toml("forces/us_patrol.toml")
    wild["platoon"][1]["team"][0] |= {"traits": ["flamethrower"], "capacity": 2}
    assert problems("force", wild) == ['platoon 2 "Tank platoon", team 1: capacity is 2; a flamethrower tank carries nobody (FOW-TRN-13)']


def test_armour_on_foot_and_halves_of_armour() -> None:
    foot = toml("forces/us_patrol.toml")
    foot["platoon"][2]["team"][0] |= {"armour_front": 1, "armour_side": 1, "armour_top": 1}
    place = 'platoon 3 "Armored rifles", team 1 "Command team"'
    assert problems("force", foot) == [f"{place}: a team of type infantry has no armour; leave the armour values out"]
    bare = toml("forces/us_patrol.toml")
    bare["platoon"][1]["team"][0] = {**data._file("teams.toml")["team"]["tank"], "name": "Bare", "leader": True}
    place = 'platoon 2 "Tank platoon", team 1 "Bare"'
    message = "save armoured does not fit a team of type tank without armour; it should be unarmoured_vehicle"
    assert problems("force", bare) == [f"{place}: {message}"]


def test_a_trait_twice_and_a_circle_of_likes() -> None:
    twice = edit(toml("forces/us_patrol.toml"), "platoon.1.team.0.traits", ["warrior", "warrior"])
    assert problems("force", twice) == ['platoon 2 "Tank platoon", team 1: trait warrior stands twice; once is enough']
    both = edit(toml("forces/german_kampfgruppe.toml"), "platoon.4.team.0.traits", ["recon"])
    assert load_force(both) == force("german_kampfgruppe"), "a trait that it has already may be said again"
    circle = toml("forces/us_patrol.toml") | {"team": {"x": {"like": "y"}, "y": {"like": "x"}}}
    circle["platoon"][1]["team"][0]["like"] = "x"
    assert 'platoon 2 "Tank platoon", team 1: "x" is like itself: x like y like x; end the circle' in problems("force", circle)


def test_too_many_of_everything() -> None:
    swarm = toml("forces/us_patrol.toml")
    swarm["platoon"][1]["team"] = [{"like": "sherman", "count": 30}] * 6
    assert any("it has more than 150 teams" in problem for problem in problems("force", swarm))
    many = toml("forces/us_patrol.toml")
    many["platoon"] = [{**many["platoon"][1], "id": f"tanks_{chr(97 + n // 26)}{chr(97 + n % 26)}"} for n in range(41)]
    assert problems("force", many) == ["it has 41 platoons; 40 are the most"]
    crowd = toml("forces/us_patrol.toml")
    crowd["platoon"] = [
        {**crowd["platoon"][1], "id": f"tanks_{letter}", "team": [{"like": "sherman", "count": 30, "leader": True}]} for letter in "abcdef"
    ]
    assert problems("force", crowd) == ["it has 180 teams; 150 are the most"]


@pytest.mark.parametrize(("path", "value", "message"), SCENARIO_MISTAKES)
def test_each_mistake_in_a_scenario_is_named(path: str, value: Any, message: str) -> None:
    wrong = edit(toml("scenarios/crossroads.toml"), path, value)
    found = problems("scenario", wrong)
    assert any(problem.startswith(message) for problem in found), found
    with pytest.raises(DataError) as caught:
        complete(wrong)
    assert caught.value.problems == found


def test_all_mistakes_come_at_once() -> None:
    wrong = edit(toml("scenarios/crossroads.toml"), "objective.0.at", [90, 1])
    wrong = edit(edit(wrong, "a.edge", "up"), "terrain.2.points.0", [-1, 0])
    wrong = edit(wrong, "b.force", edit(toml("forces/german_kampfgruppe.toml"), "platoon.1.team.0.weapons", ["kwk40_57"]))
    found = problems("scenario", wrong)
    assert len(found) == 4, found
    assert 'side b, platoon 2 "Panzer platoon", team 1: weapon "kwk40_57" is not known; did you mean kwk40_75?' in found


def test_a_complete_scenario_that_was_tampered_with_is_refused() -> None:
    whole = complete(toml("scenarios/first_steps.toml"))
    with pytest.raises(DataError, match="turns is 0"):
        read_scenario(whole | {"turns": 0})


def test_other_kinds_of_file() -> None:
    assert problems("save", {}) == ["save is not a kind of file; it should be force or scenario"]
    assert problems("force", [1]) == ["the file is a list of 1; it should be a table"]


# -- garbage ------------------------------------------------------------------------------------------------------

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 80)
    | st.just(10**400)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["a", "b", "tank", "gun", "hq", "recon", "transport", "observer", "pak40", "like", "name", "panzer"])
    | st.dates()
)
words = st.sampled_from(
    sorted(
        {*data.FORCE_FIELDS, *data.PLATOON_FIELDS, *data.TEAM_FIELDS, *data.SIDE_FIELDS, *data.SCENARIO_FIELDS, *data.ADD_FIELDS}
        | {"platoons", "teams", "objectives", "points", "kind", "at", "left", "recon", "openings", "storeys", "bombardment"}
    )
)
plain = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=5), inner, max_size=6), max_leaves=25
)


def places(whole: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in plain data."""
    items: list[tuple[Any, Any]] = []
    if isinstance(whole, dict):
        items = list(whole.items())
    elif isinstance(whole, list):
        items = list(enumerate(whole))
    return [way] * bool(way) + [place for key, value in items for place in places(value, (*way, key))]


def check_quietly(kind: str, wrong: Any) -> None:
    """However wrong the data, there are clear lines or a result, never a traceback."""
    found = problems(kind, wrong)
    assert all(isinstance(problem, str) and problem and problem.isprintable() for problem in found), found
    if not isinstance(wrong, dict):
        return
    try:
        if kind == "force":
            assert load_force(msgspec.to_builtins(load_force(wrong))) == load_force(wrong)
        else:
            whole = complete(wrong)
            assert complete(whole) == whole
            read_scenario(msgspec.json.decode(msgspec.json.encode(whole)))
    except DataError as error:
        assert error.problems == found != []
    else:
        assert not found


@given(kind=st.sampled_from(["force", "scenario"]), wrong=plain | st.dictionaries(words, plain, max_size=8))
def test_arbitrary_data_gets_clear_problems(kind: str, wrong: Any) -> None:
    check_quietly(kind, wrong)


BASES: list[tuple[str, dict[str, Any]]] = [
    *(("force", toml(f"forces/{name}.toml")) for name in FORCES),
    *(("scenario", toml(f"scenarios/{name}.toml")) for name in SCENARIOS),
    ("scenario", with_side(force=toml("forces/soviet_battalion.toml"))),
]


@given(st.data())
def test_mutated_files_get_clear_problems(draw: st.DataObject) -> None:
    kind, base = draw.draw(st.sampled_from(BASES))
    whole: Any = copy.deepcopy(base)
    for _ in range(draw.draw(st.integers(1, 3))):
        ways = places(whole)
        if not ways:
            break
        *way, last = draw.draw(st.sampled_from(ways))
        place = whole
        for step in way:
            place = place[step]
        change = draw.draw(st.sampled_from(["replace", "remove", "add", "swap"]))
        if change == "replace":
            place[last] = draw.draw(plain)
        elif change == "remove":
            del place[last]
        elif change == "swap":
            other = whole
            for step in draw.draw(st.sampled_from(ways)):
                try:
                    other = other[step]
                except (KeyError, IndexError, TypeError):
                    break
            place[last] = copy.deepcopy(other)
        elif isinstance(place, dict):
            place[draw.draw(words | st.text(max_size=6))] = draw.draw(plain)
        else:
            place.append(draw.draw(plain))
    check_quietly(kind, whole)


# -- rule texts, names, docs --------------------------------------------------------------------------------------

RULES_PER_PREFIX = {
    "START": 6, "MOVE": 14, "DBL": 10, "BLDG": 9, "BOG": 7, "TOW": 5, "TRN": 13, "EXIT": 3, "CMD": 12, "IND": 8, "WAR": 4, "TGT": 6,
    "LOS": 18, "ARC": 5, "CONC": 9, "DICE": 6, "HIT": 3, "ALLOC": 12, "SAVE": 10, "PASS": 6, "PIN": 4, "BAIL": 2, "WRECK": 2, "ASLT": 21,
    "MOR": 6, "ART": 24, "OBS": 6, "RKT": 3, "SMK": 6, "AIR": 14, "AA": 6, "REC": 12, "DEC": 24, "RULING": 80,
}  # fmt: skip


def test_every_rule_has_its_text() -> None:
    sections = toml("rules.toml")
    ids = [id for lines in sections.values() for id in lines]
    wanted = [f"FOW-{prefix}-{number:02}" for prefix, most in RULES_PER_PREFIX.items() for number in range(1, most + 1)]
    assert ids == wanted
    assert sum(most for prefix, most in RULES_PER_PREFIX.items() if prefix not in ("DEC", "RULING")) == 272
    for lines in sections.values():
        for id, text in lines.items():
            assert text[0].isupper() or text[0].isdigit(), id
            assert text.endswith(".") and len(text) < 600, id
    texts = [text for lines in sections.values() for text in lines.values()]
    assert len(set(texts)) == len(texts)


def shown_names() -> set[str]:
    names: set[str] = set()
    companies = [force(name) for name in FORCES]
    for name in SCENARIOS:
        battle = scenario(name)
        names |= {battle.name, battle.a.name, battle.b.name, *(piece.name for piece in battle.terrain if piece.name)}
        companies += [battle.a.force, battle.b.force]
    for company in companies:
        names |= {company.name, *(p.name for p in company.platoons), *(team.name for p in company.platoons for team in p.teams)}
        if company.aircraft:
            names.add(company.aircraft.name)
    return names | {weapon.name for weapon in data.weapons().values()}


def test_names_are_translated_unless_they_are_proper_names() -> None:
    catalogue = load_catalogue(PACKAGE)
    own = toml("text/data.toml")
    for id, entry in own.items():
        assert set(entry) == {"en", "pl", "it"} and all(entry.values()), id
    proper = re.compile(r"[\w. -]*\d[\w. -]*|Panzerschreck")  # "Panzer IV H" has no digit, so it is named below
    for name in shown_names():
        assert catalogue.knows(name) or name == "Panzer IV H" or proper.fullmatch(name), name
    for name in SCENARIOS:
        assert own[f"scenario.{name}.about"]["en"] == toml(f"scenarios/{name}.toml")["about"]
        assert all(catalogue.knows(f"word.{objective.id}") for objective in scenario(name).objectives)
    for name in FORCES:
        assert own[f"force.{name}.about"]["en"] == toml(f"forces/{name}.toml")["about"]


def test_the_examples_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs/forces-and-scenarios.md").read_text("utf-8")
    own_force, own_scenario = re.findall(r"```toml\n(.*?)```", text, re.S)
    (tmp_path / "my_force.toml").write_text(own_force)
    (tmp_path / "my_scenario.toml").write_text(own_scenario)
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    exec(program, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*  # (.*)", program)
    inside = tomllib.loads(own_scenario)
    inside["a"] = {**inside["a"], "force": tomllib.loads(own_force), "without": [], "add": [], "rename": {}}
    assert read_scenario(complete(inside)).a.force.name == "The lone Tigers"


def test_the_docs_name_every_field() -> None:
    text = (ROOT / "docs/forces-and-scenarios.md").read_text("utf-8")
    for field in {*data.FORCE_FIELDS, *data.PLATOON_FIELDS, *data.TEAM_FIELDS, *data.SIDE_FIELDS, *data.ADD_FIELDS, *data.SCENARIO_FIELDS}:
        assert re.search(rf"\b{field}\b", text), field
    for name in data._file("teams.toml")["team"]:
        if name not in ("sd_kfz_222", "ba64", "greyhound", "priest"):
            assert f"`{name}`" in text, name
