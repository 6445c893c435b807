"""Sight between two places, the ranges of a unit, and who lies under markers and smoke."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.field.shapes import Point, contains, span
from sandtable.games.micro_armour.air import SEARCH
from sandtable.games.micro_armour.artillery import nearest_units, under_marker
from sandtable.games.micro_armour.battle import INCH, Battle, Smoke, Unit, inches
from sandtable.games.micro_armour.fire import target_facts
from sandtable.games.micro_armour.movement import LINK
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.rolling import look_up
from sandtable.games.micro_armour.sight import CLEAR, Look, aspect, blocker_name, look, sees, unit_in_smoke, where_blocked
from sandtable.kernel.decisions import Placing, Request
from sandtable.kernel.game import Ring, Sight, Spot
from sandtable.kernel.messages import Message, say

# -- sight ----------------------------------------------------------------------------------------------------------


def sight_between(battle: Battle, a: Spot, b: Spot) -> Sight | None:
    """From centre to centre (MA-LOS-01 to -04); at a unit also what its ground, its facing and the distance do to a shot."""
    one, two = _unit(battle, a), _unit(battle, b)
    start, end = _place(one, a), _place(two, b)
    if start is None or end is None:
        return None
    if start == end:
        return Sight(True, 0)
    seen = _look(battle, one, two, start, end)
    far = round(span(start, end))
    if not seen.clear:
        at = where_blocked(battle, start, end, seen)
        rule = "MA-RULING-11" if seen.blocked_by == "visibility" else "MA-LOS-04"
        return Sight(False, far, (start, end), blocker_name(battle, seen), at, rule)
    notes = tuple(_notes(battle, one, two, seen)) if one is not None and two is not None and one.side != two.side else ()
    return Sight(True, far, (start, end), rule="MA-LOS-01", notes=notes)


def _unit(battle: Battle, spot: Spot) -> Unit | None:
    found = battle.units.get(spot) if isinstance(spot, str) else None
    return found if found is not None and found.alive and found.pose is not None else None


def _place(unit: Unit | None, spot: Spot) -> Point | None:
    if unit is not None:
        return unit.centre
    return None if isinstance(spot, str) else spot


def _look(battle: Battle, one: Unit | None, two: Unit | None, start: Point, end: Point) -> Look:
    if one is not None and two is not None:
        return sees(battle, one, two)
    if any(unit is not None and unit.profile.target_class == "aircraft" for unit in (one, two)):
        return CLEAR  # MA-RULING-30
    return look(battle, start, end, two.kind if two is not None else "other")


def _notes(battle: Battle, firer: Unit, target: Unit, seen: Look) -> Iterator[Message]:
    assert target.pose is not None
    facts = target_facts(battle, target)
    names = ("target_class", "target_terrain", "target_moving", "target_fired", "target_road_rate")
    ground = look_up(
        "terrain_effect",
        **{name: facts[name] for name in names},
        firer_in_smoke=unit_in_smoke(battle, firer),
        over_crest=seen.over_crest,
    )
    if ground.test_modifier or ground.roll_modifier:
        yield say("sight.ground", test=f"{ground.test_modifier:+}", roll=f"{ground.roll_modifier:+}")
    at_range = look_up("range_effect", tl=firer.profile.tl, distance=inches(span(firer.centre, target.centre)))
    yield say("sight.range", modifier=f"{at_range.modifier:+}", tl=firer.profile.tl)
    if target.profile.target_class == "armoured":
        yield say("sight.aspect", aspect=f"aspect.{aspect(target.pose, firer.centre)}")
    if seen.over_crest:
        yield say("sight.over_crest")


# -- rings ----------------------------------------------------------------------------------------------------------


def rings(battle: Battle, piece: str) -> tuple[Ring, ...]:
    """The range bands of a unit's gun, what its missile and its group reach, how far anybody sees, where its front is."""
    unit = battle.units.get(piece)
    if unit is None or not unit.alive or unit.pose is None:
        return ()
    return tuple(sorted(_rings(battle, unit), key=lambda ring: (ring.radius, ring.inner)))


def _rings(battle: Battle, unit: Unit) -> Iterator[Ring]:
    assert unit.pose is not None
    profile = unit.profile
    sees_to = battle.scenario.visibility
    if sees_to is not None:
        label = say("ring.visibility", inches=sees_to)
        yield Ring("sight", unit.id, unit.centre, round(sees_to * INCH), label, rule="MA-RULING-11")
    if not profile.shells and (profile.ap is not None or profile.he is not None):
        most = min(limit for limit in (profile.max_range, sees_to, 1e6) if limit is not None)
        for first, last, modifier in range_bands(profile.tl):
            radius = most if last is None else min(last, most)
            inner = first - 1  # whole inches, rounded up (MA-RULING-09)
            if radius < 1e6 and radius > inner:
                label = say("ring.band", inches=radius, modifier=f"{modifier:+}")
                yield Ring("range", unit.id, unit.centre, round(radius * INCH), label, inner * INCH, rule="MA-RANGE-01")
    if profile.atgm is not None and profile.atgm.min_range:
        least = profile.atgm.min_range
        label = say("ring.missile", inches=least)
        yield Ring("minimum", unit.id, unit.centre, round(least * INCH), label, rule="MA-FIRE-09")
    if profile.target_class == "armoured":
        yield Ring("arc", unit.id, unit.centre, 2 * INCH, say("ring.front"), 0, (), unit.pose.facing, 120, "MA-RULING-14")
    if profile.target_class != "aircraft":
        yield Ring("command", unit.id, unit.centre, LINK, say("ring.group", inches=LINK / INCH), rule="MA-RULING-23")


def range_bands(tl: int) -> list[tuple[int, int | None, int]]:
    """The bands of a Tech Level: first and last inch (None without end), modifier. TL5 reads the column of TL4 (MA-RANGE-04)."""
    rows = [row for row in CHARTS["range_effects"] if row["tl"] == min(tl, 4)]
    return [(row["min_inches"], row["max_inches"], row["modifier"]) for row in rows]


# -- markers --------------------------------------------------------------------------------------------------------


def lies_under(battle: Battle, request: Request, places: dict[str, Placing]) -> tuple[str, ...]:
    """Who is under fire markers or in smoke laid at some places; for an air strike, who is nearest to its point of attack."""
    found: dict[str, None] = {}
    for name, spot in places.items():
        at = (spot.x, spot.y)
        if request.prompt.id == "ask.mission_places":
            found |= dict.fromkeys(unit.id for unit in under_marker(battle, at))
        elif request.prompt.id == "ask.smoke_place":
            shape = Smoke("smoke", request.player, at).shape
            found |= dict.fromkeys(unit.id for unit in battle.standing() if unit.ground and contains(shape, unit.centre))
        elif request.prompt.id == "ask.course" and name == "attack":
            found |= dict.fromkeys(unit.id for unit in nearest_units(battle, at, SEARCH))
    return tuple(found)
