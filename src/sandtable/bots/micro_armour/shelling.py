"""Artillery and air strikes: what to fire now, and what to write down for the next turn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from msgspec.structs import replace

from sandtable.bots.micro_armour.picture import Picture
from sandtable.bots.micro_armour.worth import direct_fire, impact
from sandtable.field.shapes import Point, move_towards, span
from sandtable.games.micro_armour.air import SEARCH
from sandtable.games.micro_armour.artillery import able, direct_refusal, enemies_observed, nearest_units, under_marker
from sandtable.games.micro_armour.battle import INCH, Smoke, Unit
from sandtable.games.micro_armour.lay import to_segment
from sandtable.games.micro_armour.planning import free_batteries
from sandtable.games.micro_armour.sight import look
from sandtable.kernel.decisions import Option, PickOne

OWN = -2.0
"""What fire on one's own counts, against the same on the enemy."""
FALLS = 0.5
"""How likely a shell is to fall where it should: two tests."""
AHEAD = (300, 1100)
"""How far before units smoke is laid: on them, and before them."""
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
    if option.id.startswith("smoke:"):
        return smoke(picture, option.id.removeprefix("smoke:"))[0]
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


# -- smoke --------------------------------------------------------------------------------------------------------


def smoke(picture: Picture, battery: str) -> tuple[float, Point | None]:
    """Where smoke of a battery would keep most of the enemy's fire off without hindering one's own too much, and what it is worth."""
    battle, gun = picture.battle, picture.battle.units[battery]
    passed = (gun.level - 4 * gun.suppressed - 3 * gun.disorganised) / 20
    now = picture.balance()
    best: tuple[float, Point | None] = (0.0, None)
    for at in _screens(picture):
        if look(battle, gun.centre, at, "other").clear:
            there = replace(battle, smoke=(*battle.smoke, Smoke("screen", picture.side, at)))
            value = passed * (picture.under(there).balance() - now)
            if value > best[0]:
                best = value, at
    return best


def _screens(picture: Picture) -> list[Point]:
    """Places before units or between two of them, on the side of the enemy."""
    sides = [[one.centre for one in units if one.ground] for units in (picture.friends, picture.enemies)]
    found = []
    for ours, theirs in (sides, sides[::-1]):
        if ours and theirs:
            middle = sum(x for x, _ in theirs) // len(theirs), sum(y for _, y in theirs) // len(theirs)
            near = [(one, two) for one, two in combinations(ours, 2) if span(one, two) < 2 * INCH]
            between = [((x + to_x) // 2, (y + to_y) // 2) for (x, y), (to_x, to_y) in near]
            found += [move_towards(at, middle, ahead) for at in (*ours, *between) for ahead in AHEAD]
    return found


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
