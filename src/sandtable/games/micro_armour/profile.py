"""What a unit, a force and a scenario are. Force and scenario files hold just these records."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from sandtable.games.micro_armour.procedures.words import Mobility, TargetClass

Artillery = Literal["none", "gun", "mortar"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
About = Annotated[str, msgspec.Meta(max_length=1000)]
Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]{1,60}$")]
Level = Annotated[int, msgspec.Meta(ge=1, le=20)]
TechLevel = Annotated[int, msgspec.Meta(ge=1, le=5)]
Strength = Annotated[int, msgspec.Meta(ge=0, le=40)]
Inches = Annotated[float, msgspec.Meta(gt=0, le=500)]
Place = tuple[float, float]
SideName = Literal["a", "b"]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A record of a data file."""


class Atgm(Data, frozen=True, kw_only=True):
    """A guided missile that a unit may use instead of its gun, at armoured targets only (MA-RULING-51)."""

    ap: Strength
    min_range: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0.0
    test_modifier: Annotated[int, msgspec.Meta(ge=-20, le=20)] = 0


class UnitProfile(Data, frozen=True, kw_only=True):
    """A unit: one base. The flags of printed unit cards are fields here (MA-RULING-45)."""

    id: Id
    name: Name
    formation: Id
    target_class: TargetClass
    mobility: Mobility
    tl: TechLevel
    command_level: Level | None = None
    """Its own Command Level; without one, that of the force."""
    movement: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0.0
    ap: Strength | None = None
    he: Strength | None = None
    defence: Strength
    max_range: Inches | None = None
    atgm: Atgm | None = None
    support: bool = False
    artillery: Artillery = "none"
    aa: bool = False
    ghq: bool = False
    hq: bool = False
    recon: bool = False
    engineer: bool = False
    type_s: bool = False
    mounted_cavalry: bool = False
    apc: bool = False
    capacity: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    smoke: bool = False

    @property
    def flying(self) -> bool:
        return self.target_class in ("helicopter", "aircraft")

    @property
    def shells(self) -> bool:
        """Whether it is artillery: it fires in its own phase only (MA-RULING-50)."""
        return self.artillery != "none"

    @property
    def headquarters(self) -> bool:
        return self.ghq or self.hq


class Force(Data, frozen=True, kw_only=True):
    """A whole force."""

    id: Id
    name: Name
    about: About = ""
    command_level: Level
    generation: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    ghq_command_value: Annotated[int, msgspec.Meta(ge=-5, le=5)] = 0
    break_point: Annotated[int, msgspec.Meta(ge=1, le=200)] | None = None
    """Units lost before the force breaks; without one, half its units, rounded up (MA-RULING-41)."""
    units: tuple[UnitProfile, ...]


# -- scenarios ----------------------------------------------------------------------------------------------------

AreaKind = Literal[
    "light_buildings",
    "heavy_buildings",
    "forest",
    "grove",
    "swamp",
    "rough_1",
    "rough_2",
    "rough_3",
    "slope_up",
    "light_fortification",
    "medium_fortification",
    "heavy_fortification",
    "wire",
    "minefield",
]
LineKind = Literal["good_road", "poor_road", "track", "crest"]
AREAS: tuple[str, ...] = AreaKind.__args__  # type: ignore[attr-defined]
LINES: tuple[str, ...] = LineKind.__args__  # type: ignore[attr-defined]
ROADS = ("good_road", "poor_road", "track")
BASE_AREAS = tuple(kind for kind in AREAS if kind not in ("slope_up", "wire", "minefield"))
"""The areas that are ground of their own; the others lie on top of the ground."""


class TerrainPiece(Data, frozen=True, kw_only=True):
    """Terrain on the table, in inches: an area as its corners, a road, track or crest as the points of its line."""

    id: Id
    kind: AreaKind | LineKind
    points: tuple[Place, ...]
    name: str = ""


class Zone(Data, frozen=True, kw_only=True):
    """Where a side deploys: a rectangle in inches."""

    left: float
    bottom: float
    right: float
    top: float


class Hold(Data, frozen=True, kw_only=True, tag_field="goal", tag="hold"):
    """A place that the side has which alone has unsuppressed ground units near it."""

    id: Id
    at: Place
    radius: Annotated[float, msgspec.Meta(gt=0, le=50)] = 3.0


class Reach(Data, frozen=True, kw_only=True, tag_field="goal", tag="reach"):
    """A part of the table that one side must bring some ground units to; disorganised ones do not count."""

    id: Id
    side: SideName
    area: tuple[float, float, float, float]
    """Left, bottom, right, top."""
    units: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1


class ScenarioSide(Data, frozen=True, kw_only=True):
    """A side of a scenario: its force and where it stands."""

    name: Name
    force: Force
    zone: Zone
    break_point: Annotated[int, msgspec.Meta(ge=1, le=200)] | None = None

    @property
    def breaks_at(self) -> int:
        """How many units it may lose before it breaks (MA-RULING-41)."""
        given = self.break_point if self.break_point is not None else self.force.break_point
        return given if given is not None else -(-len(self.force.units) // 2)


class Scenario(Data, frozen=True, kw_only=True):
    """A battle to be fought. In a file a side names its force and may leave units out; see docs."""

    id: Id
    name: Name
    about: About = ""
    width: Annotated[float, msgspec.Meta(ge=12, le=200)]
    height: Annotated[float, msgspec.Meta(ge=12, le=200)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=50)]
    a: ScenarioSide
    b: ScenarioSide
    defender: SideName | None = None
    deploys_first: SideName | None = None
    first_initiative: SideName | None = None
    """Who has the initiative on turn 1 without a roll."""
    optional_markers: bool = False
    """Marker removal by 1D100 and its own table (MA-MARK-06)."""
    visibility: Inches | None = None
    """How far anybody sees (MA-RULING-11)."""
    indirect_tl_modifier: dict[str, int] = {}
    """By Tech Level ("1" to "5"): what the Command Test of indirect fire is modified by (MA-RULING-18)."""
    objectives: tuple[Hold | Reach, ...] = ()
    otherwise: Literal["a", "b", "draw"] = "draw"
    """Who wins at the turn limit if the objectives decide nothing."""
    terrain: tuple[TerrainPiece, ...] = ()

    def side(self, side: str) -> ScenarioSide:
        return self.a if side == "a" else self.b

    @property
    def places_first(self) -> str:
        """Who deploys first: whom the scenario names, else the defender, else side a (MA-RULING-53)."""
        return self.deploys_first or self.defender or "a"
