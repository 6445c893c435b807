"""What a team looks like, on the table and before it is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.games.flames_of_war.battle import Battle, Team


def symbol(team: Team) -> str:
    if "observer" in team.profile.traits:
        return "observer"
    if "recon" in team.profile.traits:
        return "recon"
    if team.profile.team_type == "gun":
        return "mortar" if "mortar" in team.profile.traits else "gun"
    if any(weapon.bombardment for weapon in team.profile.weapons):
        return "artillery"
    return team.profile.team_type


def bases(battle: Battle, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Teams that are not on the table yet: a hint for drawing them."""
    found = {}
    for team in (battle.teams[id] for id in ids):
        size = {"width": team.profile.width, "depth": team.profile.depth}
        found[team.id] = {**size, "symbol": symbol(team), "leader": battle.platoons[team.platoon].leader == team.id}
    return found
