"""The words and numbers that facts are made of."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

AttackKind = Literal["standard", "artillery", "air", "aa", "overrun", "close_assault"]
TargetClass = Literal["armoured", "personnel", "soft", "helicopter", "aircraft"]
Aspect = Literal["front", "flank", "rear"]
Posture = Literal["none", "move", "fire"]
Mobility = Literal["tracked", "wheeled", "foot", "air", "none"]
Phase = Literal[
    "organisation", "initiative", "artillery_air", "fire_first", "fire_second", "planning", "movement", "fire_third", "marker_removal"
]

BaseTerrain = Literal[
    "clear",
    "light_buildings",
    "heavy_buildings",
    "forest",
    "grove",
    "good_road",
    "poor_road",
    "track",
    "swamp",
    "rough_1",
    "rough_2",
    "rough_3",
    "light_fortification",
    "medium_fortification",
    "heavy_fortification",
]
Feature = Literal["smoke", "slope_up", "crest", "wire", "wreck", "minefield"]
Terrain = BaseTerrain | Feature

Result = Literal["weak_suppression", "suppression", "hard_suppression", "disorganisation", "elimination"]
Effect = Literal["no_effect", "suppression", "disorganisation", "elimination"]
Factor = Literal["ap", "he"]
Natural = Literal["one", "twenty", "none"]
Direction = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]
DIRECTIONS: tuple[Direction, ...] = ("n", "ne", "e", "se", "s", "sw", "w", "nw")

Level = Annotated[int, Meta(ge=1, le=20)]
TechLevel = Annotated[int, Meta(ge=1, le=5)]
Strength = Annotated[int, Meta(ge=0, le=1000)]
"""A firepower or defence value."""
Amount = Annotated[int, Meta(ge=-1000, le=1000)]
"""A modifier or an advantage."""
Inches = Annotated[float, Meta(ge=0, le=10_000)]
Terrains = Annotated[tuple[Terrain, ...], Meta(max_length=100)]


class State(NamedTuple):
    """The markers of a unit that is shot at."""

    suppressed: bool
    disorganised: bool
    eliminated: bool = False
