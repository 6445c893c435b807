"""Force and scenario files: reading them, completing them, and everything that can be wrong with them.

A file is written for people: a unit says how many of it there are, a scenario names its forces and whom it leaves out. `complete`
makes the whole of it, in plain data that needs no other file, and what is complete can be completed again and stays the same. The sheet
lists no units: the values of our forces are our own, and anybody may write others (MA-RULING-42).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import shapely

from sandtable.games.micro_armour.profile import (
    AREAS,
    LINES,
    Force,
    Hold,
    Reach,
    Scenario,
    ScenarioSide,
    TerrainPiece,
    UnitProfile,
    Zone,
)
from sandtable.kernel.checking import Findings, show
from sandtable.kernel.errors import DataError
from sandtable.kernel.preparing import prepare

PACKAGE = "sandtable.games.micro_armour"
MOST_UNITS = 100
MOST_PIECES = 300
FULL = 0.5
"""A zone is full when bases cover this part of it."""

Plain = dict[str, Any]

FORCE_FIELDS = tuple("unit" if name == "units" else name for name in Force.__struct_fields__)
UNIT_FIELDS = ("count", "like", *UnitProfile.__struct_fields__)
SIDE_FIELDS = ("without", *ScenarioSide.__struct_fields__)
SCENARIO_FIELDS = tuple("objective" if name == "objectives" else name for name in Scenario.__struct_fields__)
KINDS = (*AREAS, *LINES)


prepare(Force, Scenario, TerrainPiece, UnitProfile)


@cache
def force_names() -> list[str]:
    """The forces of the game."""
    return sorted(entry.name.removesuffix(".toml") for entry in (files(PACKAGE) / "forces").iterdir() if entry.name.endswith(".toml"))


@cache
def _force_file(name: str) -> Plain:
    return tomllib.loads((files(PACKAGE) / "forces" / f"{name}.toml").read_text("utf-8"))


# -- what the rest of the game uses -------------------------------------------------------------------------------


def load_force(data: Mapping[str, Any]) -> Force:
    """A force from its file's data. Raises `DataError` with every problem."""
    reader = _Reader()
    whole = reader.force(data, "")
    if reader.found.problems:
        raise DataError(reader.found.problems)
    return msgspec.convert(whole, Force)


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
    if kind not in ("force", "scenario"):
        return [f"{kind} is not a kind of file; it should be force or scenario"]
    if not isinstance(data, Mapping):
        return [f"the file is {show(data)}; it should be a table"]
    reader = _Reader()
    if kind == "force":
        reader.force(data, "")
    else:
        reader.scenario(data)
    return reader.found.problems


# -- reading ------------------------------------------------------------------------------------------------------


def _join(place: str, more: str) -> str:
    return f"{place}, {more}" if place else more


def _named(what: str, number: int, data: Mapping[str, Any]) -> str:
    """`unit 2 "M1A1"`."""
    name = data.get("name", data.get("id"))
    return f"{what} {number} {show(name)}" if isinstance(name, str) and name else f"{what} {number}"


def _point(x: float, y: float) -> str:
    return f"({x:g}, {y:g})"


class _Reader:
    """Reads files, collects what is wrong with them, and makes whole data as far as it can."""

    def __init__(self) -> None:
        self.found = Findings()

    def _tables(self, data: Mapping[str, Any], one: str, place: str) -> list[tuple[int, Mapping[str, Any]]]:
        """The tables of a list, numbered. A file writes `[[unit]]`, complete data `units`; both are read."""
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

    # -- units and forces -----------------------------------------------------------------------------------------

    def _like(self, data: Mapping[str, Any], known: Mapping[str, Plain], place: str) -> Plain:
        """A unit with all that it has from the unit it is like, which stands before it in the file."""
        whole = {field: value for field, value in data.items() if field in UnitProfile.__struct_fields__}
        if "like" not in data:
            return whole
        model = data["like"]
        if not isinstance(model, str) or model not in known:
            self.found.unknown(place, "like: unit", model, known)
            return whole
        return {**known[model], **whole}

    def unit(self, data: Mapping[str, Any], known: dict[str, Plain], place: str) -> list[Plain]:
        """The units that one table of a file stands for: with a count, id_1, id_2 ..."""
        self.found.fields(place, data, UNIT_FIELDS)
        whole = self._like(data, known, place)
        count = data.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 20:
            self.found.add(place, f"count is {show(count)}; it should be a whole number from 1 to 20")
            count = 1
        if self.found.record(place, UnitProfile, whole):
            self._unit_rules(msgspec.convert(whole, UnitProfile), place)
        id = whole.get("id")
        if isinstance(id, str):
            known[id] = {field: value for field, value in whole.items() if field != "id"}
        if count == 1:
            return [whole]
        return [{**whole, "id": f"{id}_{number}"} for number in range(1, count + 1)]

    def _unit_rules(self, unit: UnitProfile, place: str) -> None:
        """What a unit's fields say about each other."""

        def wrong(message: str) -> None:
            self.found.add(place, message)

        if unit.flying != (unit.mobility == "air"):
            wrong(f"a unit of class {unit.target_class} cannot have the mobility {unit.mobility}; what flies has air, all others not")
        if unit.target_class == "personnel" and unit.mobility not in ("foot", "none"):
            wrong(f"personnel goes on foot, not {unit.mobility} (MA-RULING-31)")
        if unit.target_class == "armoured" and unit.mobility == "foot":
            wrong("an armoured unit does not go on foot; it should be tracked or wheeled")
        if unit.target_class == "aircraft":
            for field in ("ghq", "hq", "recon", "aa", "capacity", "max_range", "atgm"):
                if getattr(unit, field):
                    wrong(f"{field} means nothing for an aircraft, which is on the table during its mission only; leave it out")
            if unit.movement:
                wrong("an aircraft flies its course whatever its length; leave movement out (MA-RULING-35)")
        elif unit.mobility != "none" and not unit.movement:
            wrong('it has no movement; give it some, or mobility = "none"')
        if unit.flying and unit.shells:
            wrong("what flies is no artillery; leave artillery out")
        if unit.shells and unit.ap is None and unit.he is None:
            wrong("artillery needs ap or he")
        if unit.smoke and not unit.shells:
            wrong("smoke is fired by artillery only (MA-RULING-32); leave it out or give it artillery")
        if unit.aa and unit.he is None:
            wrong("anti-aircraft units fire with HE (MA-AA-03); give it he")
        if unit.ghq and unit.hq:
            wrong("it is ghq and hq at once; one of them is enough")
        if unit.apc and not unit.capacity:
            wrong("an armoured personnel carrier carries somebody; give it a capacity")
        if unit.apc and unit.target_class != "armoured":
            wrong("an armoured personnel carrier is armoured; leave apc out")
        if unit.capacity and unit.target_class == "personnel":
            wrong("personnel carries nobody; leave capacity out (MA-RULING-38)")
        for field in ("engineer", "type_s", "mounted_cavalry"):
            if getattr(unit, field) and unit.target_class != "personnel":
                wrong(f"{field} is for personnel, who alone make close assaults (MA-RULING-27); leave it out")

    def force(self, data: Mapping[str, Any], place: str) -> Plain:
        """A force with all its units."""
        self.found.fields(place, data, (*FORCE_FIELDS, "units") if "units" in data else FORCE_FIELDS)
        whole = {field: data[field] for field in Force.__struct_fields__ if field in data and field != "units"}
        self.found.record(place, Force, whole, checked=("units",))
        tables = self._tables(data, "unit", place)
        if not tables:
            self.found.add(place, "it has no unit; give it at least one: [[unit]]")
        units: list[Plain] = []
        known: dict[str, Plain] = {}
        for number, table in tables[:MOST_UNITS]:
            units += self.unit(table, known, _join(place, _named("unit", number, table)))
        if len(units) > MOST_UNITS or len(tables) > MOST_UNITS:
            self.found.add(place, f"it has more than {MOST_UNITS} units; that is too many for one table")
        whole["units"] = units[:MOST_UNITS]
        ids = [unit.get("id") for unit in units]
        for id in dict.fromkeys(id for id in ids if isinstance(id, str) and ids.count(id) > 1):
            self.found.add(place, f'two units have the id "{id}"; give each its own')
        chiefs = sum(unit.get("ghq") is True for unit in units)
        if chiefs > 1:
            self.found.add(place, f"it has {chiefs} units that are ghq; a side has one")
        point = whole.get("break_point")
        if isinstance(point, int) and not isinstance(point, bool) and point > len(units):
            self.found.add(place, f"break_point is {point}, but there are only {len(units)} units")
        return whole

    # -- scenarios ------------------------------------------------------------------------------------------------

    def scenario(self, data: Mapping[str, Any]) -> Plain:
        """A scenario with its forces inside."""
        self.found.fields("", data, (*SCENARIO_FIELDS, "objectives") if "objectives" in data else SCENARIO_FIELDS)
        whole = {field: value for field, value in data.items() if field in Scenario.__struct_fields__}
        self.found.record("", Scenario, whole, checked=("a", "b", "terrain", "objectives", "indirect_tl_modifier"))
        self._tl_modifiers(whole)
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
        if not whole["objectives"] and whole.get("otherwise", "draw") == "draw":
            self.found.add("", "there is no objective, so time decides nothing: add [[objective]], or say who wins otherwise")
        self._zones(whole, table)
        return whole

    def _tl_modifiers(self, whole: Plain) -> None:
        given = whole.get("indirect_tl_modifier", {})
        if not isinstance(given, Mapping):
            self.found.add("", f"indirect_tl_modifier is {show(given)}; it should be a table of Tech Levels")
            return
        for level, modifier in given.items():
            if level not in ("1", "2", "3", "4", "5"):
                self.found.unknown("indirect_tl_modifier", "Tech Level", level, ("1", "2", "3", "4", "5"))
            elif not isinstance(modifier, int) or isinstance(modifier, bool) or not -20 <= modifier <= 20:
                self.found.add("indirect_tl_modifier", f"{level} is {show(modifier)}; it should be a whole number from -20 to 20")

    def side(self, data: Mapping[str, Any], place: str) -> Plain:
        """A side with its force inside, without the units it leaves out."""
        self.found.fields(place, data, SIDE_FIELDS)
        whole = {field: data[field] for field in ScenarioSide.__struct_fields__ if field in data}
        force = self._force_of(data, place)
        if "name" not in whole and isinstance(force.get("name"), str):
            whole["name"] = force["name"]
        self.found.record(place, ScenarioSide, {**whole, "force": None}, checked=("force",))
        point = whole.get("break_point")
        units = force.get("units", [])
        if isinstance(point, int) and not isinstance(point, bool) and units and point > len(units):
            self.found.add(place, f"break_point is {point}, but there are only {len(units)} units")
        if "zone" not in data:
            self.found.add(place, "zone is missing; it should be a table: left, bottom, right, top")
        whole["force"] = force
        return whole

    def _force_of(self, data: Mapping[str, Any], place: str) -> Plain:
        given = data.get("force")
        if isinstance(given, Mapping):
            force = self.force(given, place)
        elif isinstance(given, str) and given in force_names():
            force = self.force(_force_file(given), place)
        else:
            if isinstance(given, str):
                self.found.unknown(place, "force", given, force_names())
            elif "force" in data:
                self.found.add(place, f"force is {show(given)}; it should be the name of a force or a table")
            else:
                self.found.add(place, f"force is missing; it should be {', '.join(force_names())}, or a table")
            return {}
        leave = data.get("without", [])
        if not isinstance(leave, list | tuple) or not all(isinstance(id, str) for id in leave):
            self.found.add(place, f"without is {show(leave)}; it should be a list of ids of units")
            return force
        ids = [str(unit.get("id")) for unit in force["units"]]
        for id in leave:
            if id not in ids:
                self.found.unknown(place, "without: unit", id, ids)
        kept = [unit for unit in force["units"] if unit.get("id") not in leave]
        if not kept and ids:
            self.found.add(place, "without leaves no unit; keep at least one")
        if len(kept) < len(ids):  # a smaller force breaks at half its size, unless the side says otherwise (MA-RULING-41)
            force = {field: value for field, value in force.items() if field != "break_point"}
        return {**force, "units": kept}

    # -- the table ------------------------------------------------------------------------------------------------

    def _terrain(self, data: Mapping[str, Any], table: _Table) -> list[Plain]:
        pieces: list[Plain] = []
        ids: set[str] = set()
        tables = self._tables(data, "terrain", "")
        if len(tables) > MOST_PIECES:
            self.found.add("", f"there are {len(tables)} pieces of terrain; {MOST_PIECES} are the most")
        sound: list[tuple[str, TerrainPiece]] = []
        for number, given in tables[:MOST_PIECES]:
            place = _named("terrain", number, given)
            kind = given.get("kind")
            if isinstance(kind, str) and kind not in KINDS:
                self.found.unknown(place, "kind", kind, KINDS)
            elif "kind" in given and not isinstance(kind, str):
                self.found.add(place, f"kind is {show(kind)}; it should be one of {', '.join(KINDS)}")
            fits = self.found.record(place, TerrainPiece, given, checked=("kind",) if "kind" in given else ())
            if fits and isinstance(kind, str) and kind in KINDS:
                piece = msgspec.convert(given, TerrainPiece)
                if piece.id in ids:
                    self.found.add(place, f'the id "{piece.id}" stands twice; give each piece its own')
                ids.add(piece.id)
                if self._shape_rules(piece, table, place):
                    sound.append((place, piece))
            pieces.append(dict(given))
        crests = [shapely.LineString(piece.points) for _, piece in sound if piece.kind == "crest"]
        for place, piece in sound:
            if piece.kind == "slope_up" and not any(shapely.Polygon(piece.points).distance(crest) <= 1 for crest in crests):
                self.found.add(place, "a slope belongs to a crest line at its edge or in it; add a terrain of kind crest (MA-RULING-30)")
        return pieces

    def _shape_rules(self, piece: TerrainPiece, table: _Table, place: str) -> bool:
        before = len(self.found)
        if len(piece.points) > 200:
            self.found.add(place, f"it has {len(piece.points)} points; 200 are the most")
            return False
        for x, y in piece.points:
            if not table.holds(x, y):
                self.found.add(place, f"the point {_point(x, y)} is off the table, which is {table}")
        different = len(set(piece.points))
        if piece.kind in LINES:
            if different < 2:
                self.found.add(place, f"a {piece.kind} is a line; it needs at least 2 different points")
        elif different < 3:
            self.found.add(place, f"it has {different} different corners; a {piece.kind} needs at least 3")
        else:
            outline = shapely.Polygon(piece.points)
            if not outline.is_valid:
                self.found.add(place, "its outline crosses itself; give the corners in order around it")
            elif outline.area < 0.05:
                self.found.add(place, "it has no area; give corners that do not lie on one line")
        return len(self.found) == before

    def _objectives(self, data: Mapping[str, Any], table: _Table) -> list[Plain]:
        found: list[Plain] = []
        ids: set[str] = set()
        for number, given in self._tables(data, "objective", "")[:50]:
            place = _named("objective", number, given)
            goal = given.get("goal")
            if goal not in ("hold", "reach"):
                self.found.add(place, f"goal is {show(goal)}; it should be hold or reach")
                continue
            kind: type[Hold | Reach] = Hold if goal == "hold" else Reach
            if self.found.record(place, kind, {field: value for field, value in given.items() if field != "goal"}):
                self._goal_rules(given, table, place)
                if given["id"] in ids:
                    self.found.add(place, f'the id "{given["id"]}" stands twice; give each objective its own')
                ids.add(given["id"])
            found.append(dict(given))
        return found

    def _goal_rules(self, given: Mapping[str, Any], table: _Table, place: str) -> None:
        if given["goal"] == "hold":
            x, y = given["at"]
            if not table.holds(x, y):
                self.found.add(place, f"{_point(x, y)} is off the table, which is {table}")
            return
        left, bottom, right, top = given["area"]
        if not left < right or not bottom < top:
            self.found.add(place, "its area should have left below right and bottom below top")
        elif not table.holds(left, bottom) or not table.holds(right, top):
            self.found.add(place, f"its area goes beyond the table, which is {table}")

    def _zones(self, whole: Plain, table: _Table) -> None:
        """Whether both sides have a place on the table, and room for their units."""
        areas: dict[str, Any] = {}
        for side in ("a", "b"):
            zone = whole[side].get("zone") if isinstance(whole.get(side), dict) else None
            if not isinstance(zone, Mapping) or not Findings().record("", Zone, zone):
                continue
            place = f"side {side}"
            left, bottom, right, top = (zone[edge] for edge in ("left", "bottom", "right", "top"))
            if right - left < 1 or top - bottom < 1:
                self.found.add(place, "its zone should be at least 1 wide and high: left below right, bottom below top")
                continue
            if not table.holds(left, bottom) or not table.holds(right, top):
                self.found.add(place, f"its zone goes beyond the table, which is {table}")
            areas[side] = shapely.box(left, bottom, right, top)
            units = [unit for unit in whole[side].get("force", {}).get("units", []) if unit.get("target_class") != "aircraft"]
            room = areas[side].area * FULL
            if len(units) > room:
                self.found.add(
                    place,
                    f"its force does not fit in its zone: {len(units)} bases of an inch, and room for {room:.0f}; "
                    "make the zone larger, or leave units out",
                )
        if len(areas) == 2:
            shared = areas["a"].intersection(areas["b"]).area
            if shared > 0.01:
                self.found.add("", f"the zones of both sides overlap by {shared:.1f} square inches; keep them apart")


class _Table:
    """The size of the table, as far as it is known."""

    def __init__(self, width: Any, height: Any) -> None:
        known = all(isinstance(size, int | float) and not isinstance(size, bool) and 12 <= size <= 200 for size in (width, height))
        self.width, self.height = (float(width), float(height)) if known else (0.0, 0.0)

    def holds(self, x: float, y: float) -> bool:
        return not self.width or (0 <= x <= self.width and 0 <= y <= self.height)

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g}"
