"""From a scenario to the battle before its first move."""

from __future__ import annotations

from sandtable.field.shapes import unit as grid
from sandtable.field.terrain import Ground, Piece
from sandtable.games.micro_armour.battle import INCH, Battle, Unit
from sandtable.games.micro_armour.profile import LINES, ROADS, Scenario, TerrainPiece
from sandtable.kernel.events import SIDES


def new_battle(scenario: Scenario) -> Battle:
    """The table with its terrain; the units stand beside it."""
    units: dict[str, Unit] = {}
    for side in SIDES:
        force = scenario.side(side).force
        for profile in force.units:
            id = f"{side}_{profile.id}"
            level = profile.command_level if profile.command_level is not None else force.command_level
            units[id] = Unit(id, side, f"{side}_{profile.formation}", profile, level)
    return Battle(scenario=scenario, ground=ground_of(scenario), units=units, active=scenario.places_first)


def ground_of(scenario: Scenario) -> Ground:
    pieces = tuple(piece_of(piece) for piece in scenario.terrain)
    return Ground(unit="in", width=grid(scenario.width), height=grid(scenario.height), pieces=pieces)


def piece_of(data: TerrainPiece) -> Piece:
    """Roads and tracks are an inch wide: a unit within half an inch of the line is on it."""
    shape = tuple((grid(x), grid(y)) for x, y in data.points)
    name = data.name or data.id
    if data.kind in ROADS:
        return Piece(id=data.id, kind=data.kind, form="road", shape=shape, width=INCH, name=name)
    if data.kind in LINES:
        return Piece(id=data.id, kind=data.kind, form="line", shape=shape, width=INCH, height=1, name=name)
    form = "building" if data.kind.endswith("buildings") else "hill" if data.kind == "slope_up" else "area"
    return Piece(id=data.id, kind=data.kind, form=form, shape=shape, name=name)  # type: ignore[arg-type]
