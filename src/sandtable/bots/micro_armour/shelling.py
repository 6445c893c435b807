"""Artillery and air strikes: what to fire now, and what to write down for the next turn."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.bots.micro_armour.picture import Picture
from sandtable.bots.micro_armour.worth import direct_fire, impact
from sandtable.field.shapes import Point, span
from sandtable.games.micro_armour.air import SEARCH
from sandtable.games.micro_armour.artillery import able, direct_refusal, enemies_observed, nearest_units, under_marker
from sandtable.games.micro_armour.battle import INCH, Unit
from sandtable.games.micro_armour.lay import to_segment
from sandtable.games.micro_armour.planning import free_batteries
from sandtable.kernel.decisions import Option, PickOne

OWN = -2.0
"""What fire on one's own counts, against the same on the enemy."""
FALLS = 0.5
"""How likely a shell is to fall where it should: two tests."""
NEAR_MISS = 0.3
"""What each friend costs that is near enough to be hit by a shell that strays."""
WORTHWHILE = 0.3
"""What fire must be worth; a strike must be worth more, for the aircraft may be shot down."""
STRIKE = 0.5


# -- what it is worth ---------------------------------------------------------------------------------------------


def _sign(picture: Picture, unit: Unit) -> float:
    return OWN if unit.side == picture.side else 1.0


def _direct(picture: Picture, battery: Unit, target: Unit) -> float:
    """Direct fire of a battery, with what else lies under its marker."""
    value = direct_fire(picture.battle, battery, target)
    for near in under_marker(picture.battle, target.centre):
        if near.id != target.id:
            value += FALLS * impact(picture.battle, battery, near, "artillery") * _sign(picture, near)
    return value


def _indirect(picture: Picture, units: Iterable[str], aim: Point) -> float:
    """Indirect fire on a place as things stand."""
    near = under_marker(picture.battle, aim)
    risked = sum(unit.ground and INCH < span(unit.centre, aim) < 3 * INCH for unit in picture.friends)
    value = 0.0
    for id in units:
        battery = picture.battle.units[id]
        value += FALLS * sum(impact(picture.battle, battery, one, "artillery") * _sign(picture, one) for one in near)
        value -= NEAR_MISS * risked
    return value


def _strike(picture: Picture, aircraft: Unit, at: Point) -> float:
    """A strike at a place as things stand: it hits whoever is nearest."""
    near = nearest_units(picture.battle, at, SEARCH)
    if not near:
        return -1.0
    return sum(impact(picture.battle, aircraft, one, "air") * _sign(picture, one) for one in near) / len(near)


def option_worth(picture: Picture, option: Option) -> float | None:
    """What an action of the artillery and air phase is worth; None for those that the bot does not use."""
    battle = picture.battle
    plans = battle.plans(picture.side)
    for mission in plans.missions:
        if mission.id == option.id:
            return _indirect(picture, able(battle, mission), mission.aim)
    for course in plans.courses:
        if course.id == option.id:
            return _strike(picture, battle.units[course.aircraft], course.attack)
    if option.id.startswith("direct:"):
        target = battle.units[option.id.removeprefix("direct:")]
        batteries = [battle.units[id] for id in option.units if id != target.id]
        return sum(_direct(picture, one, target) for one in batteries if direct_refusal(battle, one, target) is None)
    return None


def best_action(picture: Picture, request: PickOne) -> list[tuple[float, str]]:
    """The actions with their worth, best first."""
    scored = [(WORTHWHILE, "pass")]
    for option in request.options:
        value = option_worth(picture, option)
        if value is not None:
            scored.append((value, option.id))
    return sorted(scored, reverse=True)


# -- plans --------------------------------------------------------------------------------------------------------


def _stays(unit: Unit) -> float:
    """How likely an enemy is to be there next turn."""
    if unit.profile.shells or unit.profile.mobility == "none":
        return 0.9
    if unit.suppressed and unit.disorganised:
        return 0.85
    return 0.6 if unit.profile.target_class == "personnel" or unit.suppressed else 0.4


def aim(picture: Picture) -> Point | None:
    """Where the observed enemy is on whom shells of the next turn are worth most."""
    batteries = [unit.id for unit in free_batteries(picture.battle, picture.side)]
    if not batteries:
        return None
    seen = enemies_observed(picture.battle, picture.side)
    best = max(((_stays(enemy) * _indirect(picture, batteries, enemy.centre), enemy.id) for enemy in seen), default=None)
    return picture.battle.units[best[1]].centre if best is not None and best[0] > WORTHWHILE else None


def strike_goal(picture: Picture, aircraft: str) -> Point | None:
    """An enemy worth a strike, far from friends and from flak."""
    plane = picture.battle.units[aircraft]
    best: tuple[float, str] | None = None
    for enemy in picture.enemies:
        if not enemy.ground:
            continue
        value = _stays(enemy) * impact(picture.battle, plane, enemy, "air")
        value -= 0.1 * sum(unit.ground and span(unit.centre, enemy.centre) < 6 * INCH for unit in picture.friends)
        value -= 0.2 * sum(span(gun.centre, enemy.centre) < _reach(gun) / 2 for gun in picture.enemies if gun.profile.aa)
        if best is None or (value, enemy.id) > best:
            best = (value, enemy.id)
    return picture.battle.units[best[1]].centre if best is not None and best[0] > STRIKE else None


def course(picture: Picture, goal: Point) -> tuple[Point, Point, Point]:
    """In and out over the edge from which the fewest flak guns reach the way; the nearest of those."""
    wide, high = picture.battle.ground.width, picture.battle.ground.height
    edges = ((0, goal[1]), (wide, goal[1]), (goal[0], 0), (goal[0], high))
    flak = [unit for unit in picture.enemies if unit.profile.aa]

    def danger(edge: Point) -> tuple[int, float]:
        return sum(to_segment(gun.centre, edge, goal) <= _reach(gun) for gun in flak), span(edge, goal)

    edge = min(edges, key=danger)
    return edge, goal, edge


def _reach(gun: Unit) -> float:
    return (gun.profile.max_range or 20.0) * INCH
