"""Where units are put before the battle."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.bots.micro_armour.picture import Picture
from sandtable.bots.micro_armour.worth import fights
from sandtable.field.shapes import Point, Pose, span
from sandtable.games.micro_armour.battle import BASE, INCH, Unit
from sandtable.games.micro_armour.deployment import front_of
from sandtable.games.micro_armour.lay import closed_ground
from sandtable.games.micro_armour.profile import UnitProfile

TOWARDS = 0.1
"""What an inch nearer to the goal is worth; for those that do not fight, an inch away from it."""
COVER = 0.8
TOGETHER = 0.1
"""What an inch away from the nearest unit of its formation costs."""


def places(picture: Picture, pieces: tuple[str, ...]) -> dict[str, Any] | None:
    """Fighters towards the goal, in cover if there is some; guns, flak and headquarters behind; away from an enemy's fire."""
    battle = picture.battle
    spots = _spots(picture)
    facing = front_of(battle, picture.side)
    goal = picture.goal((sum(x for x, _ in spots) // len(spots), sum(y for _, y in spots) // len(spots)))
    taken: list[Point] = [unit.centre for unit in battle.standing()]
    mates: dict[str, list[Point]] = {}
    worths: dict[tuple[UnitProfile, Point], float] = {}
    found: dict[str, Any] = {}
    for id in sorted(pieces, key=lambda id: (not fights(battle.units[id]), battle.units[id].formation, id)):
        unit = battle.units[id]
        like = replace(unit.profile, id="x", name="x", formation="x")
        best: tuple[float, Point] | None = None
        for at in spots:
            if any(span(at, one) < BASE for one in taken) or closed_ground(battle, at, unit.profile.mobility) is not None:
                continue
            if (like, at) not in worths:
                worths[like, at] = _worth(picture, replace(unit, pose=Pose(at[0], at[1], facing)), goal)
            score = worths[like, at]
            if near := mates.get(unit.formation):
                score -= TOGETHER * min(span(at, one) for one in near) / INCH
            if best is None or score > best[0]:
                best = (score, at)
        if best is None:
            return None
        taken.append(best[1])
        mates.setdefault(unit.formation, []).append(best[1])
        found[id] = {"x": best[1][0], "y": best[1][1], "facing": facing}
    return found


def _spots(picture: Picture) -> list[Point]:
    """Places of the zone: a grid, and a closer one where there is cover."""
    zone = picture.battle.scenario.side(picture.side).zone
    half = BASE // 2
    left, right = round(zone.left * INCH) + half, round(zone.right * INCH) - half
    bottom, top = round(zone.bottom * INCH) + half, round(zone.top * INCH) - half
    wide = 2 * INCH if picture.enemies else 3 * INCH // 2
    spots = [(x, y) for x in range(left, right + 1, wide) for y in range(bottom, top + 1, wide)]
    close = [(x, y) for x in range(left, right + 1, INCH) for y in range(bottom, top + 1, INCH)]
    return list(dict.fromkeys(spots + [at for at in close if picture.cover(at, "personnel") > 0]))


def _worth(picture: Picture, unit: Unit, goal: Point) -> float:
    lanes = picture.lanes(unit.profile.mobility)
    far = span(unit.centre, goal) / INCH if lanes is None else lanes.far(unit.centre)
    value = -far * (TOWARDS if fights(unit) or (lanes is not None and picture.goes(unit)) else -TOWARDS)
    if unit.ground:
        value += COVER * picture.cover(unit.centre, unit.kind)
    return value + (picture.exchange(unit) if picture.enemies else 0.0)
