"""What a weapon, a team, a platoon, a company and a scenario are. Force and scenario files hold just these records."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec

from sandtable.kernel.keeping import derived

Skill = Literal["conscript", "regular", "veteran"]
Motivation = Literal["reluctant", "confident", "fearless"]
TeamType = Literal["infantry", "cavalry", "gun", "tank", "transport"]
Mobility = Literal[
    "tracked",
    "half_tracked",
    "jeep",
    "wheeled",
    "horse_drawn",
    "wagon",
    "infantry",
    "cavalry",
    "man_packed_gun",
    "light_gun",
    "medium_gun",
    "heavy_gun",
    "immobile_gun",
]
SaveKind = Literal["armoured", "infantry", "gun", "heavy_machine_gun", "unarmoured_vehicle", "cavalry"]
Mount = Literal["infantry", "turret", "turntable", "hull", "gun"]
Role = Literal["hq", "combat", "artillery_battery", "recon", "transport"]
AirLevel = Literal["priority", "limited", "sporadic"]
Trait = Literal[
    "platoon_leader",
    "company_commander",
    "second_in_command",
    "higher_command",
    "warrior",
    "independent",
    "recon",
    "observer",
    "staff",
    "recovery_vehicle",
    "flamethrower",
    "mortar",
]
AircraftWeapon = Literal["bomb", "rocket", "cannon", "machine_gun"]

Firepower = Annotated[int, msgspec.Meta(ge=1, le=6)]
AntiTank = Annotated[int, msgspec.Meta(ge=0, le=30)]
Armour = Annotated[int, msgspec.Meta(ge=0, le=30)]
Inches = Annotated[float, msgspec.Meta(gt=0, le=500)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
About = Annotated[str, msgspec.Meta(max_length=1000)]
Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]{1,60}$")]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, dict=True):
    """A record of a data file. (`dict=True` lets derived values be kept.)"""


class Bombardment(Data, frozen=True, kw_only=True):
    """What a weapon does when it bombards."""

    range_in: Inches
    anti_tank: AntiTank
    firepower: Firepower


class Weapon(Data, frozen=True, kw_only=True):
    """A weapon of a team. A weapon without `range_in` only bombards."""

    id: Id
    name: Name
    mount: Mount
    range_in: Inches | None = None
    rof: Annotated[int, msgspec.Meta(ge=1, le=12)] = 1
    anti_tank: AntiTank = 0
    firepower: Firepower = 6
    bombardment: Bombardment | None = None
    rocket: bool = False
    smoke_bombardment: bool = False
    bunker_buster: bool = False
    aa_class: Literal["light", "standard", "heavy"] | None = None

    @derived
    def direct_fire(self) -> bool:
        return self.range_in is not None

    @derived
    def all_round(self) -> bool:
        """Whether it fires in every direction (FOW-ARC-01)."""
        return self.mount in ("infantry", "turret", "turntable")


class TeamProfile(Data, frozen=True, kw_only=True):
    """A team: one base or one vehicle."""

    name: Name
    team_type: TeamType
    mobility: Mobility
    save: SaveKind
    armour_front: Armour | None = None
    armour_side: Armour | None = None
    armour_top: Armour | None = None
    fully_armoured: bool = False
    weapons: tuple[Weapon, ...] = ()
    assault_at: AntiTank = 2
    gun_shield: bool = False
    turntable: bool = False
    capacity: Annotated[int, msgspec.Meta(ge=0, le=50)] | None = None
    tows: bool = False
    traits: tuple[Trait, ...] = ()
    base_w_in: Annotated[float, msgspec.Meta(gt=0.1, le=6)]
    base_d_in: Annotated[float, msgspec.Meta(gt=0.1, le=6)]
    height: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1

    @derived
    def width(self) -> int:
        return round(self.base_w_in * 1000)

    @derived
    def depth(self) -> int:
        return round(self.base_d_in * 1000)

    @derived
    def radius(self) -> int:
        """A circle of this radius around its centre holds the base, however it looks."""
        return math.isqrt(self.width * self.width + self.depth * self.depth) // 2 + 2

    @derived
    def armoured(self) -> bool:
        return self.armour_front is not None

    @derived
    def vehicle(self) -> bool:
        return self.team_type in ("tank", "transport")

    @derived
    def man_packed(self) -> bool:
        return self.mobility == "man_packed_gun"

    @derived
    def foot(self) -> bool:
        """Infantry and man-packed guns."""
        return self.team_type == "infantry" or self.man_packed

    @derived
    def kind(self) -> str:
        """The kind that the allocation of hits speaks of."""
        return "man_packed_gun" if self.man_packed else self.team_type

    @derived
    def concealment_kind(self) -> str:
        if self.man_packed:
            return "man_packed_gun"
        return "vehicle" if self.vehicle else self.team_type

    @derived
    def commander(self) -> bool:
        """Company commander, second in command or higher command."""
        return any(trait in self.traits for trait in ("company_commander", "second_in_command", "higher_command"))

    @derived
    def warrior(self) -> bool:
        """A company commander always is one (FOW-WAR-01)."""
        return "warrior" in self.traits or "company_commander" in self.traits

    @derived
    def independent(self) -> bool:
        return "independent" in self.traits or self.commander or "observer" in self.traits


class AirWeapon(Data, frozen=True, kw_only=True):
    weapon_class: AircraftWeapon
    to_hit: Annotated[int, msgspec.Meta(ge=1, le=6)]
    anti_tank: AntiTank
    firepower: Firepower


class Aircraft(Data, frozen=True, kw_only=True):
    name: Name
    flying_tank: bool = False
    weapons: tuple[AirWeapon, ...]


class PlatoonProfile(Data, frozen=True, kw_only=True):
    """A platoon: its ratings and its teams. A team's id is the platoon's id and its number: `panzer_2`."""

    id: Id
    name: Name
    skill: Skill
    motivation: Motivation
    role: Role = "combat"
    has_staff: bool = False
    teams: tuple[TeamProfile, ...]


class Company(Data, frozen=True, kw_only=True):
    """A whole force."""

    id: Id
    name: Name
    about: About = ""
    motivation: Motivation
    air_support: AirLevel | None = None
    aircraft: Aircraft | None = None
    platoons: tuple[PlatoonProfile, ...]


# -- scenarios ----------------------------------------------------------------------------------------------------

TerrainKind = Literal["road", "open", "field_crops", "wood", "marsh", "wall", "hedge", "tall_hedge", "hill", "building", "river"]
Place = tuple[float, float]


class OpeningData(Data, frozen=True, kw_only=True):
    """A door, window or breach: the middle of it on a wall, and its width."""

    at: Place
    width: float = 1.0


class TerrainPiece(Data, frozen=True, kw_only=True):
    """Terrain on the table, in inches: an area or building as corners, a road, wall or hedge as the points of its line."""

    id: Id
    kind: TerrainKind
    points: tuple[Place, ...]
    width: float | None = None
    name: str = ""
    storeys: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    openings: tuple[OpeningData, ...] | None = None


class Zone(Data, frozen=True, kw_only=True):
    """Where a side deploys: a rectangle in inches; recon may use another."""

    left: float
    bottom: float
    right: float
    top: float
    recon: tuple[float, float, float, float] | None = None


class Objective(Data, frozen=True, kw_only=True):
    id: Id
    at: Place
    owner: Literal["a", "b"] | None = None


class ScenarioSide(Data, frozen=True, kw_only=True):
    """A side of a scenario: its force and where it stands."""

    name: Name
    force: Company
    zone: Zone
    edge: Literal["north", "south", "east", "west"]
    dug_in: bool = False
    """Its infantry and guns begin dug in."""
    reserve: tuple[Id, ...] = ()


class Scenario(Data, frozen=True, kw_only=True):
    """A battle to be fought. In a file a side names its force, and may leave platoons out or add some; see docs."""

    id: Id
    name: Name
    about: About = ""
    width: Annotated[float, msgspec.Meta(ge=12, le=200)]
    height: Annotated[float, msgspec.Meta(ge=12, le=200)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=50)]
    a: ScenarioSide
    b: ScenarioSide
    first: Literal["a", "b", "dice"] = "dice"
    defender: Literal["a", "b"] | None = None
    objectives: tuple[Objective, ...] = ()
    holding_counts_from_turn: Annotated[int, msgspec.Meta(ge=1)] = 1
    wins_on_time: Literal["a", "b", "platoons"] = "platoons"
    terrain: tuple[TerrainPiece, ...] = ()

    def side(self, side: str) -> ScenarioSide:
        return self.a if side == "a" else self.b
