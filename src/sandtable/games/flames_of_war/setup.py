"""From a scenario to the battle before its first move."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from sandtable.field.shapes import Point, bearing, unit
from sandtable.field.terrain import Ground, Opening, Piece
from sandtable.games.flames_of_war.battle import INCH, Battle, CompanyState, Platoon, Team
from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.profile import OpeningData, PlatoonProfile, Scenario, TerrainPiece
from sandtable.kernel.events import SIDES


@cache
def terrain_kinds() -> dict[str, dict[str, Any]]:
    """The kinds of terrain and their effects: `terrain.toml`."""
    return tomllib.loads((files("sandtable.games.flames_of_war") / "terrain.toml").read_text("utf-8"))


FORMS = {"area": "area", "linear": "line", "hill": "hill", "building": "building"}


@lru_cache(maxsize=16)
def new_battle(scenario: Scenario) -> Battle:
    """The battle of a scenario before anything has happened. Many games of one scenario begin with one and the same value, so that
    what is known of its table and its profiles is known in all of them."""
    teams: dict[str, Team] = {}
    platoons: dict[str, Platoon] = {}
    companies: dict[str, CompanyState] = {}
    for side in SIDES:
        given = scenario.side(side)
        for profile in given.force.platoons:
            _add_platoon(side, profile, profile.id in given.reserve, teams, platoons)
        level = given.force.air_support
        pool = CHARTS["air_support_levels"].value(level) if level else 0  # FOW-AIR-01
        companies[side] = CompanyState(given.force.motivation, pool)
    return Battle(
        scenario=scenario,
        ground=ground_of(scenario),
        teams=teams,
        platoons=platoons,
        companies=companies,
        phase="first_player",
    )


def _add_platoon(side: str, profile: PlatoonProfile, reserve: bool, teams: dict[str, Team], platoons: dict[str, Platoon]) -> None:
    """A platoon and its teams; its independent teams become platoons of their own (FOW-IND-01, FOW-OBS-02)."""
    home = f"{side}_{profile.id}"
    own: list[str] = []
    leader = ""
    lone: list[tuple[str, str]] = []
    for number, team in enumerate(profile.teams, 1):
        id = f"{home}_{number}"
        if team.independent:
            lone.append((id, team.name))
            teams[id] = Team(id, side, id, team)
            continue
        own.append(id)
        teams[id] = Team(id, side, home, team)
        if "platoon_leader" in team.traits and not leader:
            leader = id
    common: dict[str, Any] = {"side": side, "skill": profile.skill, "motivation": profile.motivation, "in_reserve": reserve}
    if own:
        platoons[home] = Platoon(
            id=home, name=profile.name, role=profile.role, teams=tuple(own), leader=leader or own[0], has_staff=profile.has_staff, **common
        )
    for id, name in lone:
        role = "hq" if teams[id].profile.commander else "independent"
        label = name if own or len(lone) > 1 else profile.name
        platoons[id] = Platoon(id=id, name=label, role=role, teams=(id,), leader=id, parent=home if own else "", **common)


def ground_of(scenario: Scenario) -> Ground:
    pieces = tuple(_piece(piece) for piece in scenario.terrain)
    return Ground(unit="in", width=unit(scenario.width), height=unit(scenario.height), pieces=pieces)


def _piece(data: TerrainPiece) -> Piece:
    kind = terrain_kinds()[data.kind]
    form = "road" if data.kind == "road" else FORMS[kind["kind"]]
    if form == "area" and kind["drawn"] == "line":
        form = "line"
    shape = tuple((unit(x), unit(y)) for x, y in data.points)
    width = unit(data.width if data.width is not None else kind.get("width", 0))
    height = kind["height"] * (data.storeys if form == "building" else 1)  # FOW-RULING-11: 3 levels a storey
    piece = Piece(id=data.id, kind=data.kind, form=form, shape=shape, width=width, height=height, name=data.name or data.id)  # type: ignore[arg-type]
    if data.openings:
        openings = tuple(_opening(piece.outline, opening) for opening in data.openings)
        piece = Piece(
            id=piece.id, kind=piece.kind, form=piece.form, shape=shape, width=width, height=height, openings=openings, name=piece.name
        )
    return piece


def _opening(walls: tuple[Point, ...], data: OpeningData) -> Opening:
    """An opening on the wall nearest to its middle."""
    x, y = unit(data.at[0]), unit(data.at[1])
    best: tuple[float, Opening] | None = None
    for i, (bx, by) in enumerate(walls):
        ax, ay = walls[i - 1]
        dx, dy = bx - ax, by - ay
        size2 = dx * dx + dy * dy
        if not size2:
            continue
        along = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / size2))
        px, py = ax + along * dx, ay + along * dy
        off = (px - x) ** 2 + (py - y) ** 2
        half = data.width * INCH / 2 / size2**0.5
        low, high = max(0.0, along - half), min(1.0, along + half)
        opening = Opening(
            (round(ax + low * dx), round(ay + low * dy)), (round(ax + high * dx), round(ay + high * dy)), bearing((0, 0), (dy, -dx))
        )
        if best is None or off < best[0]:
            best = (off, opening)
    assert best is not None
    return best[1]
