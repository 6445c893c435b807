"""Force and scenario files: reading them, completing them, and everything that can be wrong with them.

The values of the starter forces are illustrative (FOW-RULING-51).

A file is written for people: a team says what it is like, a scenario names its forces. `complete` makes the whole of it, in plain
data that needs no other file; `read_scenario` makes records of that. Both kinds of data go through the same reading, so what is
complete can be completed again and stays the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import shapely

from sandtable.field.shapes import is_convex, tidy, unit
from sandtable.field.terrain import strip
from sandtable.games.flames_of_war.checking import Findings, show
from sandtable.games.flames_of_war.profile import (
    Aircraft,
    AirWeapon,
    Company,
    Data,
    Objective,
    PlatoonProfile,
    Scenario,
    ScenarioSide,
    TeamProfile,
    TerrainPiece,
    Weapon,
    Zone,
)
from sandtable.kernel.errors import DataError
from sandtable.kernel.preparing import prepare

PACKAGE = "sandtable.games.flames_of_war"
OPTIONAL = "optional_platoons"
MOST_PLATOONS = 40
MOST_TEAMS = 150
FULL = 0.7
"""A zone is full when bases cover this part of it."""

Plain = dict[str, Any]


# -- what the game brings along -----------------------------------------------------------------------------------


class TerrainType(Data, frozen=True, kw_only=True):
    """A kind of terrain, as `terrain.toml` has it."""

    going: Literal["road", "cross_country", "difficult", "very_difficult"]
    height: int
    kind: Literal["area", "linear", "hill", "building"]
    cover: tuple[Literal["concealing", "bulletproof", "crest"], ...] = ()
    drawn: Literal["corners", "line"]
    width: float | None = None


prepare(AirWeapon, Company, Scenario, TeamProfile, TerrainPiece, TerrainType, Weapon, Zone)


@cache
def _file(name: str) -> Plain:
    return tomllib.loads((files(PACKAGE) / name).read_text("utf-8"))


@cache
def terrain_types() -> dict[str, TerrainType]:
    """The kinds of terrain by id."""
    return msgspec.convert(_file("terrain.toml"), dict[str, TerrainType])


@cache
def force_names() -> list[str]:
    """The forces of the game."""
    return sorted(entry.name.removesuffix(".toml") for entry in (files(PACKAGE) / "forces").iterdir() if entry.name.endswith(".toml"))


@cache
def weapons() -> dict[str, Weapon]:
    """The weapons of the game by id."""
    return {id: msgspec.convert({"id": id, **weapon}, Weapon) for id, weapon in _file("weapons.toml")["weapon"].items()}


@cache
def aircraft_weapons() -> dict[str, AirWeapon]:
    """The weapons of aircraft by id."""
    return msgspec.convert(_file("weapons.toml")["aircraft_weapon"], dict[str, AirWeapon])


@cache
def optional_platoons() -> dict[str, PlatoonProfile]:
    """The platoons that a scenario may add, by id."""
    return {platoon.id: platoon for platoon in load_force(_file(f"forces/{OPTIONAL}.toml")).platoons}


# -- what the rest of the game uses -------------------------------------------------------------------------------


def load_force(data: Mapping[str, Any]) -> Company:
    """A force from its file's data. Raises `DataError` with every problem."""
    reader = _Reader()
    whole = reader.force(data, "")
    if reader.found.problems:
        raise DataError(reader.found.problems)
    return msgspec.convert(whole, Company)


def complete(scenario: Mapping[str, Any]) -> Plain:
    """A scenario with its forces inside, as plain data. Raises `DataError` with every problem."""
    reader = _Reader()
    whole = reader.scenario(scenario)
    if reader.found.problems:
        raise DataError(reader.found.problems)
    plain: Plain = msgspec.to_builtins(msgspec.convert(whole, Scenario))
    return plain


def read_scenario(data: Mapping[str, Any]) -> Scenario:
    """A scenario from complete data."""
    try:
        return msgspec.convert(data, Scenario)
    except msgspec.ValidationError as error:
        raise DataError(problems("scenario", dict(data)) or [str(error)]) from None


def problems(kind: str, data: Any) -> list[str]:
    """Everything that is wrong with a force or a scenario: place, what is wrong, what would be right."""
    reader = _Reader()
    if kind not in ("force", "scenario"):
        return [f"{kind} is not a kind of file; it should be force or scenario"]
    if not isinstance(data, Mapping):
        return [f"the file is {show(data)}; it should be a table"]
    if kind == "force":
        reader.force(data, "")
    else:
        reader.scenario(data)
    return reader.found.problems


# -- reading ------------------------------------------------------------------------------------------------------

FORCE_FIELDS = ("id", "name", "about", "motivation", "air_support", "aircraft", "weapon", "team", "platoon")
PLATOON_FIELDS = ("id", "name", "skill", "motivation", "role", "has_staff", "team")
TEAM_FIELDS = ("like", "count", "leader", *TeamProfile.__struct_fields__)
SIDE_FIELDS = ("name", "force", "without", "add", "rename", "zone", "edge", "dug_in", "reserve")
ADD_FIELDS = ("platoon", "id", "name", "skill", "motivation", "to")
SCENARIO_FIELDS = tuple("objective" if name == "objectives" else name for name in Scenario.__struct_fields__)

MOBILITIES = {
    "infantry": ("infantry",),
    "cavalry": ("cavalry",),
    "gun": ("man_packed_gun", "light_gun", "medium_gun", "heavy_gun", "immobile_gun"),
    "tank": ("tracked", "half_tracked", "jeep", "wheeled", "horse_drawn"),
    "transport": ("tracked", "half_tracked", "jeep", "wheeled", "horse_drawn", "wagon"),
}
SAVES: dict[str, tuple[str, ...]] = {"infantry": ("infantry",), "cavalry": ("cavalry",), "gun": ("gun", "heavy_machine_gun")}
MOUNTS = {
    "infantry": ("infantry",),
    "cavalry": ("infantry",),
    "gun": ("infantry", "turntable", "gun"),
    "tank": ("turret", "turntable", "hull"),
    "transport": ("turret", "turntable", "hull"),
}


def _or(words: Iterable[str]) -> str:
    listed = list(words)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def _named(what: str, number: int, data: Mapping[str, Any], field: str = "name") -> str:
    """`platoon 2 "Panzer"`."""
    name = data.get(field)
    return f"{what} {number} {show(name)}" if isinstance(name, str) and name else f"{what} {number}"


def _join(place: str, more: str) -> str:
    return f"{place}, {more}" if place else more


class _Reader:
    """Reads files, collects what is wrong with them, and makes whole data as far as it can."""

    def __init__(self) -> None:
        self.found = Findings()

    def _tables(self, data: Mapping[str, Any], one: str, place: str) -> list[tuple[int, Mapping[str, Any]]]:
        """The tables of a list, numbered. A file writes `[[platoon]]`, complete data `platoons`; both are read."""
        several = one if one == "terrain" else one + "s"
        if one in data and several in data and one != several:
            self.found.add(place, f'there are both "{one}" and "{several}"; write only one of them')
        given = data.get(one, data.get(several, []))
        if not isinstance(given, list | tuple):
            self.found.add(place, f"{one} is {show(given)}; it should be a list of tables: [[{one}]]")
            return []
        tables = []
        for number, item in enumerate(given, 1):
            if isinstance(item, Mapping):
                tables.append((number, item))
            else:
                self.found.add(place, f"{one} {number} is {show(item)}; it should be a table")
        return tables

    # -- weapons and teams ----------------------------------------------------------------------------------------

    def _definitions(self, data: Mapping[str, Any], name: str, place: str) -> dict[str, Mapping[str, Any]]:
        """What a force defines for itself: `[weapon.id]`, `[team.id]`."""
        given = data.get(name, {})
        if not isinstance(given, Mapping):
            self.found.add(place, f"{name} is {show(given)}; it should be tables like [{name}.my_own]")
            return {}
        tables: dict[str, Mapping[str, Any]] = {}
        for id, item in given.items():
            if isinstance(item, Mapping):
                tables[str(id)] = item
            else:
                self.found.add(place, f"{name} {show(id)} is {show(item)}; it should be a table: [{name}.{id}]")
        return tables

    def weapon(self, id: str, data: Mapping[str, Any], place: str) -> Plain:
        """A weapon with its id."""
        whole = {"id": id, **data}
        if self.found.record(place, Weapon, whole):
            weapon = msgspec.convert(whole, Weapon)
            if weapon.range_in is None and weapon.bombardment is None:
                self.found.add(place, "it can neither shoot nor bombard; give it range_in or bombardment")
            if weapon.bombardment is None:
                for field in ("rocket", "smoke_bombardment"):
                    if getattr(weapon, field):
                        self.found.add(place, f"{field} needs a bombardment; leave it out or give the weapon one")
            if weapon.aa_class is not None and weapon.range_in is None:
                self.found.add(place, "an anti-aircraft weapon needs range_in")
        return whole

    def _weapons(self, given: Any, own: Mapping[str, Plain], place: str) -> list[Plain]:
        """A team's weapons: ids of known ones, or whole weapons."""
        if not isinstance(given, list | tuple):
            self.found.add(place, f"weapons is {show(given)}; it should be a list of ids of weapons")
            return []
        if len(given) > 10:
            self.found.add(place, f"it has {len(given)} weapons; 10 are the most")
        known = weapons()
        found: list[Plain] = []
        for number, item in enumerate(given[:10], 1):
            if isinstance(item, Mapping):
                id = item.get("id")
                found.append(self.weapon(id if isinstance(id, str) else "", item, _join(place, f"weapon {number}")))
            elif isinstance(item, str) and item in own:
                found.append(own[item])
            elif isinstance(item, str) and item in known:
                found.append(msgspec.to_builtins(known[item]))
            elif isinstance(item, str):
                self.found.unknown(place, "weapon", item, [*own, *known])
            else:
                self.found.add(place, f"weapon {number} is {show(item)}; it should be the id of a weapon")
        return found

    def _like(self, data: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]], place: str) -> Plain:
        """A team with all it has from the team it is like: traits add up, everything else is replaced."""
        chain: list[Mapping[str, Any]] = [data]
        names: list[str] = []
        while "like" in chain[-1]:
            name = chain[-1]["like"]
            if not isinstance(name, str):
                self.found.add(place, f"like is {show(name)}; it should be the name of a team, such as {_or(sorted(models)[:4])}")
                break
            if name not in models:
                self.found.unknown(place, "like", name, models)
                break
            if name in names:
                self.found.add(place, f"{show(name)} is like itself: {' like '.join([*names, name])}; end the circle")
                break
            names.append(name)
            chain.append(models[name])
        whole: Plain = {}
        traits: list[Any] = []
        for link in reversed(chain):
            whole.update(link)
            given = link.get("traits", ())
            if isinstance(given, list | tuple):
                traits += [trait for trait in given if trait not in traits]
            elif link is not data:
                self.found.add(place, f"traits is {show(given)}; it should be a list")
        if isinstance(whole.get("traits", ()), list | tuple) and traits:
            whole["traits"] = traits
        whole.pop("like", None)
        return whole

    def team(
        self, data: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]], own: Mapping[str, Plain], role: Any, place: str
    ) -> list[Plain]:
        """The teams that one table of a file stands for."""
        self.found.fields(place, data, TEAM_FIELDS)
        whole = {field: value for field, value in self._like(data, models, place).items() if field in TEAM_FIELDS}
        count, leader = whole.pop("count", 1), whole.pop("leader", False)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 30:
            self.found.add(place, f"count is {show(count)}; it should be a whole number from 1 to 30")
            count = 1
        if not isinstance(leader, bool):
            self.found.add(place, f"leader is {show(leader)}; it should be true or false")
            leader = False
        whole["weapons"] = self._weapons(whole.get("weapons", []), own, place)
        kind = whole.get("team_type")
        if "turntable" not in whole and kind == "gun" and any(weapon.get("mount") == "turntable" for weapon in whole["weapons"]):
            whole["turntable"] = True
        if whole.get("capacity") is None:
            if kind == "tank":
                traits = whole.get("traits")
                whole["capacity"] = 0 if isinstance(traits, list | tuple) and "flamethrower" in traits else 3  # FOW-TRN-13
            elif kind != "transport":
                whole["capacity"] = 0
            elif role == "transport":
                whole["capacity"] = 5  # FOW-TRN-12
        if self.found.record(place, TeamProfile, whole, checked=("weapons",)):
            checked = self._checked(whole)
            if checked is not None:
                self._team_rules(checked, role, place)
        traits = whole.get("traits", ())
        if not leader or not isinstance(traits, list | tuple):
            return [whole] * count
        return [{**whole, "traits": [*(trait for trait in traits if trait != "platoon_leader"), "platoon_leader"]}] + [whole] * (count - 1)

    @staticmethod
    def _checked(whole: Plain) -> TeamProfile | None:
        try:
            return msgspec.convert(whole, TeamProfile)
        except msgspec.ValidationError:  # one of its weapons is wrong, which has been said
            return None

    def _team_rules(self, team: TeamProfile, role: Any, place: str) -> None:
        """What a team's fields say about each other."""

        def wrong(message: str) -> None:
            self.found.add(place, message)

        armour = {"armour_front": team.armour_front, "armour_side": team.armour_side, "armour_top": team.armour_top}
        missing = [name for name, value in armour.items() if value is None]
        if missing and len(missing) < 3:
            wrong(f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; give all three armour values or none")
        armoured = not missing
        if armoured and not team.vehicle:
            wrong(f"a team of type {team.team_type} has no armour; leave the armour values out")
        right = SAVES.get(team.team_type, ("armoured",) if armoured else ("unarmoured_vehicle",))
        if team.vehicle and missing and len(missing) < 3:
            right = (team.save,)
        if team.save not in right:
            with_armour = " with armour" if armoured else " without armour" if team.vehicle else ""
            wrong(f"save {team.save} does not fit a team of type {team.team_type}{with_armour}; it should be {_or(right)}")
        if team.mobility not in MOBILITIES[team.team_type]:
            wrong(f"mobility {team.mobility} does not fit a team of type {team.team_type}; it should be {_or(MOBILITIES[team.team_type])}")
        if team.fully_armoured and len(missing) == 3:
            wrong("it is fully_armoured but has no armour values; give them, or leave fully_armoured out")
        for field in ("gun_shield", "turntable"):
            if getattr(team, field) and team.team_type != "gun":
                wrong(f"{field} is for guns only; leave it out")
        if team.turntable and team.team_type == "gun" and not any(weapon.mount == "turntable" for weapon in team.weapons):
            wrong("turntable is true, but none of its weapons has the mount turntable")
        for weapon in team.weapons:
            if weapon.mount not in MOUNTS[team.team_type]:
                right_mounts = _or(MOUNTS[team.team_type])
                wrong(f'weapon "{weapon.id}" has the mount {weapon.mount}; a team of type {team.team_type} carries {right_mounts}')
        if not team.weapons and not team.vehicle:
            wrong(f"a team of type {team.team_type} needs at least one weapon")
        if team.height != (2 if team.vehicle or team.team_type == "cavalry" else 1):
            wrong(f"height is {team.height}; it should be 1 for foot teams and guns, 2 for vehicles and cavalry")
        self._carrying_rules(team, role, place)
        self._trait_rules(team, role, place)

    def _carrying_rules(self, team: TeamProfile, role: Any, place: str) -> None:
        capacity = team.capacity
        if team.tows and not team.vehicle:
            self.found.add(place, "only vehicles tow; leave tows out")
        if not team.vehicle:
            if capacity:
                self.found.add(place, f"capacity is {capacity}, but only vehicles carry passengers; leave it out")
        elif team.team_type == "tank":
            most = 0 if "flamethrower" in team.traits else 3
            if capacity is None or capacity > most:
                why = "a flamethrower tank carries nobody (FOW-TRN-13)" if most == 0 else "a tank carries at most 3 teams (FOW-TRN-13)"
                self.found.add(place, f"capacity is {capacity}; {why}")
        elif role == "transport" and (capacity is None or capacity > 5):
            self.found.add(place, f"capacity is {capacity}; a vehicle of a transport platoon carries at most 5 teams (FOW-TRN-12)")
        elif capacity == 0 and not team.tows:
            self.found.add(place, "a transport that neither carries nor tows is no transport; give it a capacity, or tows = true")

    def _trait_rules(self, team: TeamProfile, role: Any, place: str) -> None:
        traits = team.traits
        twice = sorted({trait for trait in traits if traits.count(trait) > 1})
        if twice:
            self.found.add(place, f"trait {twice[0]} stands twice; once is enough")
        if "platoon_leader" in traits and team.independent:
            self.found.add(place, "an independent team cannot be the platoon_leader; leave one of the two out")
        if "platoon_leader" in traits and team.team_type == "transport" and role != "transport":
            self.found.add(place, "a transport cannot be the platoon_leader of the platoon that it carries; let another team lead")
        if "recovery_vehicle" in traits and not team.vehicle:
            self.found.add(place, "only a vehicle can be a recovery_vehicle")
        if "observer" in traits and role != "artillery_battery":
            self.found.add(place, "an observer belongs to a platoon with the role artillery_battery (FOW-OBS-01)")
        if "mortar" in traits:
            direct = [weapon.id for weapon in team.weapons if weapon.direct_fire]
            if direct:
                self.found.add(place, f'mortars cannot fire directly (FOW-ART-02), but weapon "{direct[0]}" has range_in; take it away')

    # -- platoons and forces --------------------------------------------------------------------------------------

    def platoon(self, data: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]], own: Mapping[str, Plain], place: str) -> Plain:
        """A platoon with all its teams."""
        self.found.fields(place, data, (*PLATOON_FIELDS, "teams") if "teams" in data else PLATOON_FIELDS)
        whole = {field: data[field] for field in PLATOON_FIELDS if field in data and field != "team"}
        self.found.record(place, PlatoonProfile, whole, checked=("teams",))
        role = whole.get("role", "combat")
        teams: list[Plain] = []
        for number, table in self._tables(data, "team", place):
            teams += self.team(table, models, own, role, _join(place, _named("team", number, table)))
            if len(teams) > MOST_TEAMS:
                self.found.add(place, f"it has more than {MOST_TEAMS} teams; that is too many for one platoon")
                break
        whole["teams"] = teams[:MOST_TEAMS]
        if not teams:
            self.found.add(place, "it has no team; give it at least one: [[platoon.team]]")
        else:
            checked = [self._checked(team) for team in whole["teams"]]
            sound = [team for team in checked if team is not None]
            if len(sound) == len(checked):
                self._platoon_rules(sound, role, bool(whole.get("has_staff")), place)
        return whole

    def _platoon_rules(self, teams: list[TeamProfile], role: Any, has_staff: bool, place: str) -> None:
        """What the teams of a platoon are to each other."""

        def wrong(message: str) -> None:
            self.found.add(place, message)

        leaders = sum("platoon_leader" in team.traits for team in teams)
        members = [team for team in teams if not team.independent]
        if role == "hq":
            if any(team.team_type != "transport" for team in members):
                wrong("teams of a headquarters are independent: give each the trait company_commander, second_in_command or independent")
        elif not members:
            if len(teams) > 1:
                wrong("all its teams are independent; give each a platoon of its own, or the role hq")
        elif leaders == 0:
            wrong("it has no leader; write leader = true at the team that leads it")
        if leaders > 1:
            wrong(f"it has {leaders} leaders; exactly one team leads a platoon (leader = true makes the first of its table the leader)")
        carriers = [team for team in members if team.team_type == "transport"]
        if role == "transport":
            if len(carriers) < len(teams):
                wrong("a platoon with the role transport has only teams of type transport")
        elif carriers and len(carriers) == len(members) and role != "hq":
            wrong("it has only transports; give it the role transport")
        observers = sum("observer" in team.traits for team in teams)
        if observers > 1:
            wrong(f"it has {observers} observers; a battery has one (FOW-OBS-01)")
        if role == "artillery_battery" and not any(weapon.bombardment for team in members for weapon in team.weapons):
            wrong("it has the role artillery_battery, but none of its weapons can bombard")
        if has_staff and role != "artillery_battery":
            wrong("has_staff is for platoons with the role artillery_battery")
        if role == "recon" and any("recon" not in team.traits for team in members if team.team_type != "transport"):
            wrong("it has the role recon, but not all its teams have the trait recon")

    def force(self, data: Mapping[str, Any], place: str) -> Plain:
        """A force with all its platoons."""
        self.found.fields(place, data, (*FORCE_FIELDS, "platoons") if "platoons" in data else FORCE_FIELDS)
        whole = {field: data[field] for field in FORCE_FIELDS if field in data and field not in ("weapon", "team", "platoon")}
        if isinstance(whole.get("aircraft"), Mapping):
            whole["aircraft"] = self._aircraft(whole["aircraft"], _join(place, "aircraft"))
        elif whole.get("aircraft") is not None:
            self.found.add(place, f"aircraft is {show(whole.pop('aircraft'))}; it should be a table: [aircraft]")
        self.found.record(place, Company, whole, checked=("platoons", "aircraft"))
        if whole.get("air_support") is not None and data.get("aircraft") is None:
            self.found.add(place, "air_support without aircraft; add [aircraft], or leave air_support out")
        if data.get("aircraft") is not None and whole.get("air_support") is None:
            self.found.add(place, "aircraft without air_support; it should be priority, limited or sporadic")
        own = {
            id: self.weapon(id, weapon, _join(place, f"weapon {show(id)}"))
            for id, weapon in self._definitions(data, "weapon", place).items()
        }
        models = {**_file("teams.toml")["team"], **self._definitions(data, "team", place)}
        for id, model in self._definitions(data, "team", place).items():
            self.found.fields(_join(place, f"team {show(id)}"), model, TEAM_FIELDS)
        tables = self._tables(data, "platoon", place)
        if not tables:
            self.found.add(place, "it has no platoon; give it at least one: [[platoon]]")
        if len(tables) > MOST_PLATOONS:
            self.found.add(place, f"it has {len(tables)} platoons; {MOST_PLATOONS} are the most")
        read = [
            (number, self.platoon(table, models, own, _join(place, _named("platoon", number, table))))
            for number, table in tables[:MOST_PLATOONS]
        ]
        whole["platoons"] = [platoon for _, platoon in read]
        self._company_rules(whole["platoons"], place, [_join(place, _named("platoon", number, platoon)) for number, platoon in read])
        return whole

    def _aircraft(self, data: Mapping[str, Any], place: str) -> Plain:
        known = aircraft_weapons()
        given = data.get("weapons", [])
        carried: list[Any] = []
        if isinstance(given, list | tuple):
            for item in given[:10]:
                if isinstance(item, str) and item in known:
                    carried.append(msgspec.to_builtins(known[item]))
                elif isinstance(item, str):
                    self.found.unknown(place, "weapon", item, known)
                else:
                    carried.append(item)
        else:
            self.found.add(place, f"weapons is {show(given)}; it should be a list of ids of aircraft weapons")
        whole = {**data, "weapons": carried}
        if self.found.record(place, Aircraft, whole) and isinstance(given, list | tuple) and not given:
            self.found.add(place, f"it has no weapons; it should have some of {', '.join(known)}")
        return whole

    def _company_rules(self, platoons: list[Plain], place: str, places: list[str]) -> None:
        """What platoons are to each other: ids that cannot be mistaken, one commander, not too many teams."""
        sizes: dict[str, int] = {}
        for platoon, where in zip(platoons, places, strict=True):
            id = platoon.get("id")
            if not isinstance(id, str):
                continue
            if id in sizes:
                self.found.add(where, f'the id "{id}" stands twice; give each platoon its own')
            sizes.setdefault(id, len(platoon["teams"]))
        for platoon, where in zip(platoons, places, strict=True):
            head, _, tail = str(platoon.get("id")).rpartition("_")
            if head in sizes and tail.isascii() and tail.isdigit() and len(tail) < 4 and 1 <= int(tail) <= sizes[head]:
                self.found.add(where, f'the id "{platoon["id"]}" is also that of team {tail} of platoon "{head}"; choose another')
        teams = [team for platoon in platoons for team in platoon["teams"]]
        if len(teams) > MOST_TEAMS:
            self.found.add(place, f"it has {len(teams)} teams; {MOST_TEAMS} are the most")
        for trait in ("company_commander", "second_in_command"):
            number = sum(isinstance(team.get("traits"), list | tuple) and trait in team["traits"] for team in teams)
            if number > 1:
                self.found.add(place, f"it has {number} teams with the trait {trait}; a company has one")

    # -- scenarios ------------------------------------------------------------------------------------------------

    def scenario(self, data: Mapping[str, Any]) -> Plain:
        """A scenario with its forces inside."""
        self.found.fields("", data, (*SCENARIO_FIELDS, "objectives") if "objectives" in data else SCENARIO_FIELDS)
        whole = {field: value for field, value in data.items() if field in Scenario.__struct_fields__}
        self.found.record("", Scenario, whole, checked=("a", "b", "terrain", "objectives"))
        for side in ("a", "b"):
            given = data.get(side)
            if isinstance(given, Mapping):
                whole[side] = self.side(given, f"side {side}")
            elif side in data:
                self.found.add("", f"{side} is {show(given)}; it should be a table: [{side}]")
            else:
                self.found.add("", f"side {side} is missing; it should be a table: [{side}]")
        table = _Table(whole.get("width"), whole.get("height"))
        whole["terrain"] = self._terrain(data, table)
        whole["objectives"] = self._objectives(data, table)
        self._zones(whole, table)
        if whole.get("first") in ("a", "b") and whole.get("defender") is None:
            self.found.add(
                "", f'first is {show(whole["first"])}, so defender should be "a" or "b": the defender deploys first (FOW-RULING-80)'
            )
        turns, holding = whole.get("turns"), whole.get("holding_counts_from_turn")
        if isinstance(turns, int) and isinstance(holding, int) and turns < holding:
            self.found.add("", f"holding_counts_from_turn is {holding}, but there are only {turns} turns")
        return whole

    def side(self, data: Mapping[str, Any], place: str) -> Plain:
        """A side with its force inside, platoons left out, added and renamed."""
        self.found.fields(place, data, SIDE_FIELDS)
        whole = {field: data[field] for field in ScenarioSide.__struct_fields__ if field in data}
        force = self._force_of(data, place)
        if "name" not in whole and isinstance(force.get("name"), str):
            whole["name"] = force["name"]
        self.found.record(place, ScenarioSide, {**whole, "force": None}, checked=("force",))
        whole["force"] = force
        ids = [platoon["id"] for platoon in force.get("platoons", []) if isinstance(platoon.get("id"), str)]
        reserve = whole.get("reserve", ())
        waiting = [id for id in reserve if isinstance(id, str)] if isinstance(reserve, list | tuple) else []
        for id in waiting:
            if ids and id not in ids:
                self.found.unknown(place, "platoon in reserve", id, ids)
        if ids and set(ids) <= set(waiting):
            self.found.add(place, "every platoon is in reserve; at least one should begin on the table")
        return whole

    def _words(self, data: Mapping[str, Any], field: str, place: str) -> list[str]:
        given = data.get(field, [])
        if not isinstance(given, list | tuple) or not all(isinstance(word, str) for word in given):
            self.found.add(place, f"{field} is {show(given)}; it should be a list of ids of platoons")
            return []
        return list(given)

    def _force_of(self, data: Mapping[str, Any], place: str) -> Plain:
        given = data.get("force")
        if isinstance(given, Mapping):
            force = self.force(given, place)
        elif given in force_names() if isinstance(given, str) else False:
            force = self.force(_file(f"forces/{given}.toml"), place)
        else:
            if isinstance(given, str):
                self.found.unknown(place, "force", given, force_names())
            elif "force" in data:
                self.found.add(place, f"force is {show(given)}; it should be the name of a force or a table")
            else:
                self.found.add(place, f"force is missing; it should be {_or(force_names())}, or a table")
            return {}
        platoons: list[Plain] = force["platoons"]
        own = {platoon["id"]: platoon for platoon in platoons if isinstance(platoon.get("id"), str)}
        leave = self._words(data, "without", place)
        for id in leave:
            if id not in own:
                self.found.unknown(place, "without: platoon", id, own)
        kept = [platoon for platoon in platoons if platoon.get("id") not in leave]
        if not kept and platoons:
            self.found.add(place, "without leaves no platoon; keep at least one")
        changed = any(field in data for field in ("add", "rename"))
        kept = self._renamed(self._added(data, own, kept, place), data, place) if changed else kept
        force = {**force, "platoons": kept}
        if changed:
            self._company_rules(kept, place, [_join(place, _named("platoon", n, platoon)) for n, platoon in enumerate(kept, 1)])
        return force

    def _added(self, data: Mapping[str, Any], own: Mapping[str, Plain], kept: list[Plain], place: str) -> list[Plain]:
        """The platoons with those of `add`: another of the force's own, or an optional one."""
        given = data.get("add", [])
        if not isinstance(given, list | tuple):
            self.found.add(place, f"add is {show(given)}; it should be a list of ids of platoons, or of tables with platoon = ...")
            return kept
        known: dict[str, Plain] = {id: msgspec.to_builtins(platoon) for id, platoon in optional_platoons().items()}
        known.update(own)
        kept = list(kept)
        for number, item in enumerate(given[:MOST_PLATOONS], 1):
            where = _join(place, f"add {number}")
            entry: Mapping[str, Any] = item if isinstance(item, Mapping) else {"platoon": item}
            self.found.fields(where, entry, ADD_FIELDS)
            id = entry.get("platoon")
            if not isinstance(id, str):
                self.found.add(where, f"it is {show(id)}; it should be the id of a platoon, such as {_or(sorted(known)[:4])}")
                continue
            if id not in known:
                self.found.unknown(where, "platoon", id, known)
                continue
            new = {**known[id], **{field: entry[field] for field in ("id", "name", "skill", "motivation") if field in entry}}
            if not self.found.record(where, PlatoonProfile, {**new, "teams": ()}, checked=("teams",)):
                continue
            if "to" in entry:
                self._attach(new, entry["to"], kept, where)
            elif any(platoon.get("id") == new["id"] for platoon in kept):
                self.found.add(where, f'there is a platoon "{new["id"]}" already; give this one another id')
            else:
                kept.append(new)
        return kept

    def _attach(self, new: Plain, to: Any, kept: list[Plain], place: str) -> None:
        """Vehicles of a transport platoon become the own transports of another: no leader of theirs, no limit (FOW-TRN-03)."""
        ids = [str(platoon.get("id")) for platoon in kept]
        if to not in ids if isinstance(to, str) else True:
            self.found.unknown(place, "to: platoon", to, ids)
            return
        if new.get("role") != "transport":
            self.found.add(place, f'only a platoon with the role transport can join another; "{new["id"]}" cannot')
            return
        if kept[ids.index(to)].get("role") == "transport":
            self.found.add(place, f'"{to}" is a transport platoon itself; choose a platoon that needs transports')
            return
        vehicles = []
        for team in new["teams"]:
            vehicle = {field: value for field, value in team.items() if field != "capacity"}
            vehicle["traits"] = [trait for trait in team.get("traits", ()) if trait != "platoon_leader"]
            vehicles.append(vehicle)
        target = kept[ids.index(to)]
        kept[ids.index(to)] = {**target, "teams": [*target["teams"], *vehicles]}

    def _renamed(self, platoons: list[Plain], data: Mapping[str, Any], place: str) -> list[Plain]:
        given = data.get("rename", {})
        if not isinstance(given, Mapping):
            self.found.add(place, f"rename is {show(given)}; it should be a table: platoon id = new name")
            return platoons
        ids = [platoon.get("id") for platoon in platoons]
        for id, name in given.items():
            if id not in ids:
                self.found.unknown(place, "rename: platoon", id, [str(id) for id in ids])
            elif not isinstance(name, str) or not 1 <= len(name) <= 80 or not name.isprintable():
                self.found.add(place, f"rename: the name of {id} is {show(name)}; it should be a text of 1 to 80 characters")
            else:
                platoons = [{**platoon, "name": name} if platoon.get("id") == id else platoon for platoon in platoons]
        return platoons

    # -- the table ------------------------------------------------------------------------------------------------

    def _terrain(self, data: Mapping[str, Any], table: _Table) -> list[Plain]:
        pieces: list[Plain] = []
        ids: set[str] = set()
        houses: list[tuple[str, shapely.Polygon]] = []
        tables = self._tables(data, "terrain", "")
        if len(tables) > 300:
            self.found.add("", f"there are {len(tables)} pieces of terrain; 300 are the most")
        for number, given in tables[:300]:
            place = _named("terrain", number, given, "id")
            piece = dict(given)
            if self.found.record(place, TerrainPiece, piece):
                kind = terrain_types()[piece["kind"]]
                if piece["id"] in ids:
                    self.found.add(place, f'the id "{piece["id"]}" stands twice; give each piece its own')
                ids.add(piece["id"])
                if piece.get("width") is None and kind.drawn == "line":
                    piece["width"] = kind.width
                outline = self._piece_rules(msgspec.convert(piece, TerrainPiece), kind, table, place)
                if outline is not None and piece["kind"] == "building":
                    for other, house in houses:
                        if outline.intersection(house).area > 0.01:
                            self.found.add(place, f'it overlaps the building "{other}"; move one of them')
                    houses.append((piece["id"], outline))
            pieces.append(piece)
        return pieces

    def _piece_rules(self, piece: TerrainPiece, kind: TerrainType, table: _Table, place: str) -> shapely.Polygon | None:
        """Whether a piece can lie on the table; its outline if it can."""
        before = len(self.found)
        if len(piece.points) > 200:
            self.found.add(place, f"it has {len(piece.points)} points; 200 are the most")
            return None
        for x, y in piece.points:
            if not table.holds(x, y):
                self.found.add(place, f"the point {_point(x, y)} is off the table, which is {table}")
        points = [(unit(x), unit(y)) for x, y in piece.points]
        if kind.drawn == "line":
            outline = self._line_rules(piece, points, place)
        else:
            outline = self._area_rules(piece, points, place)
        if piece.kind != "building":
            if piece.storeys != 1:
                self.found.add(place, "storeys are for buildings only; leave them out")
            if piece.openings is not None:
                self.found.add(place, "openings are for buildings only; leave them out")
        elif outline is not None:
            self._opening_rules(piece, outline, place)
        return outline if len(self.found) == before else None

    def _line_rules(self, piece: TerrainPiece, points: list[tuple[int, int]], place: str) -> shapely.Polygon | None:
        if len(set(points)) < 2:
            self.found.add(place, f"a {piece.kind} is a line; it needs at least 2 different points")
            return None
        width = piece.width if piece.width is not None else 1.0
        if not 0.1 <= width <= 12:
            self.found.add(place, f"width is {show(width)}; it should be from 0.1 to 12")
            return None
        if not shapely.LineString(points).is_simple:
            self.found.add(place, "its line crosses itself; write it as two pieces")
            return None
        ring = strip(points, unit(width))
        outline = shapely.Polygon(ring) if len(ring) > 2 else None
        if outline is None or not outline.is_valid:
            self.found.add(place, "it bends too sharply for its width, or closes on itself; write it as two pieces")
        return outline

    def _area_rules(self, piece: TerrainPiece, points: list[tuple[int, int]], place: str) -> shapely.Polygon | None:
        if piece.width is not None:
            self.found.add(place, f"width is for roads, walls and hedges; a {piece.kind} has corners only")
        if len(set(points)) < 3:
            self.found.add(place, f"it has {len(set(points))} different corners; a {piece.kind} needs at least 3")
            return None
        outline = shapely.Polygon(points)
        if not outline.is_valid:
            self.found.add(place, "its outline crosses itself; give the corners in order around it")
            return None
        if outline.area < 0.05 * 1000**2:
            self.found.add(place, "it has no area; give corners that do not lie on one line")
            return None
        if piece.kind == "building" and not is_convex(tidy(points)):
            self.found.add(place, "a building should be convex; write it as two buildings side by side")
        return outline

    def _opening_rules(self, piece: TerrainPiece, outline: shapely.Polygon, place: str) -> None:
        for number, opening in enumerate(piece.openings or (), 1):
            x, y = opening.at
            if outline.exterior.distance(shapely.Point(unit(x), unit(y))) > 250:
                self.found.add(place, f"opening {number} at {_point(x, y)} is not on a wall; put it on the outline of the building")
            if not 0.25 <= opening.width <= 12:
                self.found.add(place, f"opening {number} is {show(opening.width)} wide; it should be from 0.25 to 12")

    def _objectives(self, data: Mapping[str, Any], table: _Table) -> list[Plain]:
        found: list[Plain] = []
        ids: set[str] = set()
        for number, given in self._tables(data, "objective", "")[:50]:
            place = _named("objective", number, given, "id")
            if self.found.record(place, Objective, given):
                x, y = given["at"]
                if not table.holds(x, y):
                    self.found.add(place, f"{_point(x, y)} is off the table, which is {table}")
                if given["id"] in ids:
                    self.found.add(place, f'the id "{given["id"]}" stands twice; give each objective its own')
                ids.add(given["id"])
            found.append(dict(given))
        return found

    def _zones(self, whole: Plain, table: _Table) -> None:
        """Whether both sides have a place on the table, and room for their teams."""
        areas: dict[str, list[shapely.Polygon]] = {}
        for side in ("a", "b"):
            zone = whole[side].get("zone") if isinstance(whole.get(side), dict) else None
            if not isinstance(zone, Mapping) or not Findings().record("", Zone, zone):
                continue
            checked = msgspec.convert(zone, Zone)
            place = f"side {side}"
            boxes = [("zone", (checked.left, checked.bottom, checked.right, checked.top))]
            if checked.recon is not None:
                boxes.append(("zone for recon", checked.recon))
            for what, (left, bottom, right, top) in boxes:
                if right - left < 1 or top - bottom < 1:
                    self.found.add(place, f"its {what} should be at least 1 wide and high: left below right, bottom below top")
                    continue
                if not table.holds(left, bottom) or not table.holds(right, top):
                    self.found.add(place, f"its {what} goes beyond the table, which is {table}")
                areas.setdefault(side, []).append(shapely.box(left, bottom, right, top))
            if len(areas.get(side, [])) == len(boxes):
                self._room(whole[side], areas[side], place)
        if "a" in areas and "b" in areas:
            shared = shapely.union_all(areas["a"]).intersection(shapely.union_all(areas["b"])).area
            if shared > 0.01:
                self.found.add("", f"the zones of both sides overlap by {shared:.1f} square inches; keep them apart")

    def _room(self, side: Plain, areas: list[shapely.Polygon], place: str) -> None:
        reserve = side.get("reserve", ())
        waiting = list(reserve) if isinstance(reserve, list | tuple) else []
        size = {False: 0.0, True: 0.0}
        zone = areas[0]
        left, bottom, right, top = zone.bounds
        for platoon in side["force"].get("platoons", []):
            if platoon.get("id") in waiting:
                continue
            for team in (team for team in (self._checked(team) for team in platoon["teams"]) if team is not None):
                size[platoon.get("role") == "recon"] += team.base_w_in * team.base_d_in
                if min(right - left, top - bottom) < min(team.base_w_in, team.base_d_in):
                    self.found.add(place, f"{team.name} does not fit in its zone; make the zone larger")
        needed, given = size[False], zone.area * FULL
        if needed <= given:
            needed, given = size[False] + size[True], shapely.union_all(areas).area * FULL
        if needed > given:
            self.found.add(
                place,
                f"its force does not fit in its zone: the bases cover {needed:.0f} square inches, and it has room for {given:.0f}; "
                "make the zone larger, or leave platoons out",
            )


class _Table:
    """The size of the table, as far as it is known."""

    def __init__(self, width: Any, height: Any) -> None:
        known = all(isinstance(size, int | float) and not isinstance(size, bool) and 12 <= size <= 200 for size in (width, height))
        self.width, self.height = (float(width), float(height)) if known else (0.0, 0.0)

    def holds(self, x: float, y: float) -> bool:
        return not self.width or (0 <= x <= self.width and 0 <= y <= self.height)

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g}"


def _point(x: float, y: float) -> str:
    return f"({x:g}, {y:g})"
