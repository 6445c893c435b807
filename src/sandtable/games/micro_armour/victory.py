"""How a battle is won (MA-RULING-41): by breaking the enemy, by the scenario's objectives, by having the last unit."""

from __future__ import annotations

from sandtable.field.shapes import span, within
from sandtable.games.micro_armour.battle import INCH, Battle
from sandtable.games.micro_armour.profile import Hold, Reach
from sandtable.kernel.events import SIDES, Result, other
from sandtable.kernel.messages import say

RULE = "MA-RULING-41"


def broken(battle: Battle, side: str) -> bool:
    """Its losses have reached its break point."""
    return battle.losses(side) >= battle.scenario.side(side).breaks_at


def holder(battle: Battle, objective: Hold | Reach) -> str | None:
    """The side that has an objective now."""
    if isinstance(objective, Reach):
        left, bottom, right, top = (edge * INCH for edge in objective.area)
        there = [
            unit
            for unit in battle.side_units(objective.side)
            if unit.ground and not unit.disorganised and left <= unit.centre[0] <= right and bottom <= unit.centre[1] <= top
        ]
        return objective.side if len(there) >= objective.units else None
    x, y = objective.at
    place, reach = (round(x * INCH), round(y * INCH)), objective.radius * INCH
    sides = {unit.side for unit in battle.standing() if unit.ground and not unit.suppressed and within(span(unit.centre, place), reach)}
    return sides.pop() if len(sides) == 1 else None


def nobody_left(battle: Battle) -> Result | None:
    """A side without units has lost."""
    left = {side: any(unit.side == side and unit.alive for unit in battle.units.values()) for side in SIDES}
    if all(left.values()):
        return None
    winner = next((side for side in SIDES if left[side]), None)
    return Result(winner, say("ended.nobody_left"), RULE)


def end_of_turn(battle: Battle) -> Result | None:
    """After the last phase: break points first, then, at the turn limit, the objectives."""
    beaten = [side for side in SIDES if broken(battle, side)]
    if len(beaten) == 2:
        return Result(None, say("ended.both_broken"), RULE)
    if beaten:
        return Result(other(beaten[0]), say("ended.broken", losses=battle.losses(beaten[0])), RULE)
    if battle.turn < battle.scenario.turns:
        return None
    return at_the_limit(battle)


def at_the_limit(battle: Battle) -> Result:
    held = [holder(battle, objective) for objective in battle.scenario.objectives]
    score = {side: held.count(side) for side in SIDES}
    if score["a"] != score["b"]:
        return Result(max(SIDES, key=lambda side: score[side]), say("ended.objectives", a=score["a"], b=score["b"]), RULE)
    otherwise = battle.scenario.otherwise
    return Result(None if otherwise == "draw" else otherwise, say("ended.time"), RULE)
