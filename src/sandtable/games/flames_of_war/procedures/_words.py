"""The words and ranges that facts are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from sandtable.kernel.errors import InputError

Skill = Literal["conscript", "regular", "veteran"]
Motivation = Literal["reluctant", "confident", "fearless"]
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
Terrain = Literal["road", "cross_country", "difficult", "very_difficult"]
Kind = Literal["infantry", "man_packed_gun", "gun", "tank", "transport", "cavalry"]
SoftSave = Literal["infantry", "gun", "heavy_machine_gun", "unarmoured_vehicle", "cavalry"]
Save = Literal["armoured", "infantry", "gun", "heavy_machine_gun", "unarmoured_vehicle", "cavalry"]
State = Literal["unhurt", "bailed_out", "destroyed"]
HitResult = Literal["no_effect", "bailed_out", "destroyed"]
Comparison = Literal["higher", "equal", "lower"]
RerollWord = Literal["none", "failed", "passed"]

Inches = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
Place = Annotated[float, msgspec.Meta(ge=-100_000, le=100_000)]
Needed = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
"""A score, or a change to one; scores of 1 or less and 7 or more roll no die (FOW-RULING-28)."""
Firepower = Annotated[int, msgspec.Meta(ge=1, le=6)]
Armour = Annotated[int, msgspec.Meta(ge=0, le=100)]
AntiTank = Annotated[int, msgspec.Meta(ge=0, le=100)]
RateOfFire = Annotated[int, msgspec.Meta(ge=1, le=100)]
Hits = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
DiceNumber = Annotated[int, msgspec.Meta(ge=0, le=1000)]
TeamNumber = Annotated[int, msgspec.Meta(ge=0, le=200)]
PlatoonNumber = Annotated[int, msgspec.Meta(ge=0, le=1000)]
GunNumber = Annotated[int, msgspec.Meta(ge=1, le=200)]
AirPool = Annotated[int, msgspec.Meta(ge=0, le=100)]
TeamId = Annotated[str, msgspec.Meta(max_length=200)]


def no_doubles(ids: Iterable[str], place: str) -> None:
    """Teams are told apart by their ids."""
    seen: set[str] = set()
    for team in ids:
        if team in seen:
            raise InputError(f"two teams have the id {team!r}", place)
        seen.add(team)


def tidy(number: float) -> float:
    """12.0 as 12, so that whole numbers are printed as such."""
    return int(number) if number == int(number) else number
