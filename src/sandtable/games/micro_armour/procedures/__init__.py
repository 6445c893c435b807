"""The procedures of Micro Armour: pure rules, facts and dice in, outcome out."""

from sandtable.games.micro_armour.procedures import (
    advantage,
    air,
    artillery,
    close_assault,
    combat,
    command,
    deviation,
    eligibility,
    markers,
    movement,
    overrun,
    ranges,
    standard_fire,
    terrain,
)
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES

__all__ = [
    "CHARTS",
    "PROCEDURES",
    "advantage",
    "air",
    "artillery",
    "close_assault",
    "combat",
    "command",
    "deviation",
    "eligibility",
    "markers",
    "movement",
    "overrun",
    "ranges",
    "standard_fire",
    "terrain",
]
