"""What a unit looks like, on the table and before it is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.games.micro_armour.battle import BASE, Battle, Unit


def symbol(unit: Unit) -> str:
    profile = unit.profile
    if profile.headquarters:
        return "headquarters"
    if profile.flying:
        return profile.target_class
    if profile.recon:
        return "recon"
    if profile.shells:
        return "mortar" if profile.artillery == "mortar" else "artillery"
    if profile.aa:
        return "air_defence"
    if profile.target_class == "personnel":
        return "engineer" if profile.engineer else "infantry"
    if profile.capacity:
        return "carrier"
    return "tank" if profile.target_class == "armoured" else "vehicle"


def bases(battle: Battle, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Units that are not on the table yet: a hint for drawing them."""
    units = [battle.units[id] for id in ids]
    return {unit.id: {"width": BASE, "depth": BASE, "symbol": symbol(unit), "leader": unit.profile.headquarters} for unit in units}
