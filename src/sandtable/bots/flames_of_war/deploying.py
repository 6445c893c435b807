"""Where platoons begin: the strong ones opposite the objective, guns where they see, everybody in cover where there is some."""

from __future__ import annotations

from typing import Any

from sandtable.bots.flames_of_war.lay import lay_of
from sandtable.bots.flames_of_war.picture import kind_of
from sandtable.field.shapes import Point
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon
from sandtable.games.flames_of_war.deployment import default_places, zone_of
from sandtable.kernel.events import other

ASIDE = {"tank": 4, "foot": -7, "hq": 10, "recon": -15, "cavalry": 15, "gun": -20, "battery": 20, "observer": -4, "recovery": 22}
"""How far to the right of the objective a kind of platoon stands, in inches; the second of its kind on the other side."""
DEEP = {"tank": 0.9, "foot": 0.92, "hq": 0.6, "recon": 0.85, "cavalry": 0.8, "gun": 0.7, "battery": 0.3, "observer": 0.85, "recovery": 0.4}
"""How far forward in its zone."""
FIRST = ("gun", "battery", "foot", "observer", "recon", "cavalry", "recovery", "tank", "hq")
"""The order in which kinds are placed where the other side looks on: those that matter most come last."""


USUAL = ("battery", "gun", "observer", "recovery")
"""These stand well where the rules put them by default."""


def next_to_place(battle: Battle, ids: list[str]) -> str:
    return min(ids, key=lambda id: (_rank(kind_of(battle, battle.platoons[id])), id))


def _rank(kind: str) -> int:
    return FIRST.index(kind) if kind in FIRST else len(FIRST)


def places(battle: Battle, platoon_id: str, usual: Any) -> Any:
    """Places for a platoon; the usual ones where the side defends what it owns."""
    platoon = battle.platoons[platoon_id]
    kind = kind_of(battle, platoon)
    if defends(battle, platoon.side) or kind not in ASIDE or kind in USUAL:
        return usual
    anchor = anchor_of(battle, platoon, kind)
    return default_places(battle, platoon_id, anchor) or usual


def defends(battle: Battle, side: str) -> bool:
    return all(objective.owner == side for objective in battle.scenario.objectives)


def anchor_of(battle: Battle, platoon: Platoon, kind: str) -> Point:
    """Opposite the objective, to the side and as far forward as its kind."""
    zone = zone_of(battle, platoon)
    side = platoon.side
    twins = [p.id for p in battle.platoons.values() if p.side == side and kind_of(battle, p) == kind]
    number = twins.index(platoon.id)
    wanted = [o for o in battle.scenario.objectives if o.owner != side] or list(battle.scenario.objectives)
    edge = battle.scenario.side(side).edge
    left, low, right, high = zone
    middle = ((left + right) / 2, (low + high) / 2)
    if wanted:
        held = wanted[number % len(wanted)] if kind in ("foot", "cavalry") else wanted[0]
        middle = (held.at[0] * INCH, held.at[1] * INCH)
    aside = ASIDE[kind] * INCH * (1 if number % 2 == 0 else -1) + (number // 2) * 6 * INCH
    deep = DEEP[kind]
    flip = -1 if edge in ("north", "east") else 1
    if edge in ("north", "south"):
        x = middle[0] + flip * aside
        y = low + (high - low) * (deep if edge == "south" else 1 - deep)
    else:
        y = middle[1] - flip * aside
        x = left + (right - left) * (deep if edge == "west" else 1 - deep)
    margin = 1500
    x = min(max(x, left + margin), right - margin)
    y = min(max(y, low + margin), high - margin)
    return _in_cover(battle, (round(x), round(y)), zone, kind)


def _in_cover(battle: Battle, place: Point, zone: tuple[float, float, float, float], kind: str) -> Point:
    """A covered place near by, for those who hide in cover."""
    if kind not in ("foot", "observer", "recon", "gun"):
        return place
    lay = lay_of(battle.ground)
    best: tuple[float, Point] | None = None
    for dx in range(-4, 5):
        for dy in range(-3, 4):
            spot = (place[0] + dx * INCH, place[1] + dy * INCH)
            if zone[0] + 1300 <= spot[0] <= zone[2] - 1300 and zone[1] + 1300 <= spot[1] <= zone[3] - 1300 and lay.covered(*spot):
                found = (abs(dx) + abs(dy) + 0.0, spot)
                if best is None or found < best:
                    best = found
    return place if best is None else best[1]


__all__ = ["defends", "next_to_place", "other", "places"]
