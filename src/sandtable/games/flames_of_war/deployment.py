"""Before the battle: who goes first, and where everybody stands (FOW-RULING-03, -80, FOW-DEC-01).

A team that is put on a vehicle's base is loaded: a passenger in it, a gun on tow behind it, an observer or riders on a tank.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.field.paths import free_place_near
from sandtable.field.shapes import (
    Box,
    Point,
    Polygon,
    Pose,
    bounds,
    boxes_apart,
    centroid,
    contains,
    cosine,
    overlap,
    rectangle,
    sine,
    unit,
)
from sandtable.field.terrain import Ground
from sandtable.games.flames_of_war.battle import INCH, Battle, Deployed, FirstPlayer, Platoon, Team, TurnBegan
from sandtable.games.flames_of_war.buildings import building_at, check_room
from sandtable.games.flames_of_war.command import command_reach, in_command, in_reach
from sandtable.games.flames_of_war.going import crosses_buildings, map_of, slim_base
from sandtable.games.flames_of_war.looks import bases
from sandtable.games.flames_of_war.procedures.movement import BOGGING
from sandtable.games.flames_of_war.profile import Scenario
from sandtable.games.flames_of_war.surveying import taken_by
from sandtable.games.flames_of_war.transport import check_carry, tows
from sandtable.kernel.decisions import Option, PickOne, PickPlaces, Placing
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

EVENTS: tuple[type[Event], ...] = ()

AHEAD = {"south": 0, "west": 90, "north": 180, "east": 270}
"""Where a side looks from its own edge."""


def deployment_step(table: Table[Battle]) -> None:
    """The first player; then one platoon after another; then the first turn."""
    if table.battle.phase == "first_player":
        table.emit(_first_player(table))
        return
    side = placing_side(table.battle)
    if side is None:
        table.emit(TurnBegan(1, table.battle.first))
        return
    _place(table, _next_platoon(table, side))


def _first_player(table: Table[Battle]) -> FirstPlayer:
    """As the scenario says, or by a die each, ties again (FOW-RULING-03)."""
    first = table.battle.scenario.first
    if first != "dice":
        return FirstPlayer(first)

    def attempt(_: Dice) -> str | None:
        a = table.dice("a").roll(6, "roll.first_player_a", rule="FOW-RULING-03")
        b = table.dice("b").roll(6, "roll.first_player_b", rule="FOW-RULING-03")
        return None if a == b else "a" if a > b else "b"

    return FirstPlayer(table.dice("a").until(attempt), by_dice=True)


def unplaced(battle: Battle, side: str) -> list[Platoon]:
    """A side's platoons that are still off the table, reserves left out."""
    return [
        platoon
        for platoon in battle.side_platoons(side)
        if any(battle.teams[id].alive and battle.teams[id].pose is None for id in platoon.teams)
    ]


def placing_side(battle: Battle) -> str | None:
    """Whose platoon is placed next (FOW-RULING-80): by turns, the second player first; or all of the defender's, then the attacker's."""
    if battle.scenario.first == "dice":
        second = other(battle.first)
        placed = {side: len(battle.side_platoons(side)) - len(unplaced(battle, side)) for side in (battle.first, second)}
        order = (second, battle.first) if placed[second] <= placed[battle.first] else (battle.first, second)
    else:
        defender = battle.scenario.defender or other(battle.first)
        order = (defender, other(defender))
    return next((side for side in order if unplaced(battle, side)), None)


def _next_platoon(table: Table[Battle], side: str) -> Platoon:
    """Which platoon: asked where the other side places in between, and so may answer to it."""
    battle = table.battle
    left = unplaced(battle, side)
    if len(left) == 1 or battle.scenario.first != "dice" or not unplaced(battle, other(side)):
        return left[0]
    options = tuple(Option(platoon.id, say("option.place_platoon", platoon=platoon.name), units=platoon.teams) for platoon in left)
    chosen = table.ask(PickOne(player=side, decision="FOW-DEC-01", prompt=say("ask.place_next"), options=options, default=options[0].id))
    return battle.platoons[chosen]


def _place(table: Table[Battle], platoon: Platoon) -> None:
    battle = table.battle
    pieces = _to_place(battle, platoon)
    found: list[list[Deployed]] = []

    def check(places: dict[str, Placing]) -> None:
        found[:] = [check_places(battle, platoon.id, places)]

    table.ask(
        PickPlaces(
            player=platoon.side,
            decision="FOW-DEC-01",
            prompt=say("ask.places", platoon=platoon.name),
            unit=platoon.id,
            pieces=tuple(pieces),
            default=default_places(battle, platoon.id),
            hints={
                "zone": list(zone_of(battle, platoon)),
                "facing": AHEAD[battle.scenario.side(platoon.side).edge],
                "bases": bases(battle, pieces),
            },
        ),
        check,
    )
    for event in found[0]:
        table.emit(event)


def _to_place(battle: Battle, platoon: Platoon) -> list[str]:
    return [id for id in platoon.teams if battle.teams[id].alive and battle.teams[id].pose is None]


def zone_of(battle: Battle, platoon: Platoon) -> Box:
    """Where a platoon may be placed, in grid units; recon may have a zone of its own."""
    zone = battle.scenario.side(platoon.side).zone
    edges = (zone.left, zone.bottom, zone.right, zone.top)
    recon = platoon.role == "recon" or all("recon" in battle.teams[id].profile.traits for id in platoon.teams)
    if zone.recon is not None and recon:
        edges = zone.recon
    left, bottom, right, top = (unit(edge) for edge in edges)
    return (max(0, left), max(0, bottom), min(battle.ground.width, right), min(battle.ground.height, top))


# -- checking -----------------------------------------------------------------------------------------------------------


def check_places(battle: Battle, platoon_id: str, places: dict[str, Placing]) -> list[Deployed]:
    """The events that put a platoon on the table, or RefusedError with the rule that a place breaks."""
    platoon = battle.platoons[platoon_id]
    zone = zone_of(battle, platoon)
    digs = battle.scenario.side(platoon.side).dug_in
    shadow = battle
    events: list[Deployed] = []
    # Vehicles first: others may be put on them.
    for id in sorted(places, key=lambda one: (not battle.teams[one].profile.vehicle, platoon.teams.index(one))):
        team, spot = shadow.teams[id], places[id]
        pose = Pose(spot.x, spot.y, spot.facing)
        event = _loaded(shadow, team, pose) or _standing(shadow, team, pose, zone, digs)
        events.append(event)
        shadow = event.apply(shadow)
    led = {team.id for team in in_command(shadow, platoon)}
    lost = [id for id in places if id not in led]
    if lost and not platoon.independent:
        raise RefusedError("FOW-RULING-80", "refused.placed_out_of_command", team=lost[0], platoon=platoon.name)
    return events


def _loaded(battle: Battle, team: Team, pose: Pose) -> Deployed | None:
    """A team that is put on a vehicle begins the battle in, on or behind it (FOW-TRN-01 to -13, FOW-OBS-06)."""
    if team.profile.vehicle or team.profile.team_type == "cavalry":
        return None
    for carrier in battle.side_teams(team.side):
        if carrier.profile.vehicle and contains(carrier.base, pose.point):
            check_carry(battle, carrier, team)
            assert carrier.pose is not None
            towed = tows(carrier, team)
            mounted_in, towed_by = ("", carrier.id) if towed else (carrier.id, "")
            return Deployed(team.id, carrier.pose.x, carrier.pose.y, carrier.pose.facing, mounted_in, towed_by)
    return None


def _standing(battle: Battle, team: Team, pose: Pose, zone: Box, digs: bool) -> Deployed:
    profile = team.profile
    base = rectangle(pose, profile.width, profile.depth)
    left, low, right, high = bounds(base)
    if left < zone[0] or low < zone[1] or right > zone[2] or high > zone[3]:
        raise RefusedError("FOW-RULING-80", "refused.outside_zone", team=team.id)
    blocker = taken_by(battle, team, pose)
    if blocker is not None:
        raise RefusedError("FOW-MOVE-09", "refused.overlap", team=team.id, other=blocker.id)
    house = building_at(battle.ground, pose.point)
    slim = slim_base(pose.x, pose.y, pose.facing, profile.width, profile.depth)
    if house is not None and not crosses_buildings(profile):
        if profile.team_type == "cavalry":
            raise RefusedError("FOW-BLDG-07", "refused.cavalry_in_building", team=team.id, building=house.id)
        if profile.vehicle:
            raise RefusedError("FOW-BLDG-08", "refused.vehicle_in_building", team=team.id, building=house.id)
        check_room(battle, team, pose, house)  # guns may stand on the ground floor (FOW-BLDG-09)
    elif not crosses_buildings(profile):
        for piece in map_of(battle.ground).buildings:
            if overlap(slim, piece.outline):
                raise RefusedError("FOW-BLDG-05", "refused.through_wall", team=team.id, building=piece.id)
    for piece, going in map_of(battle.ground).rough:
        if going == "very_difficult" and BOGGING[profile.mobility, going] == "forbidden" and overlap(slim, piece.outline):
            raise RefusedError("FOW-RULING-06", "refused.very_difficult", team=team.id)
    dug_in = digs and house is None and profile.team_type in ("infantry", "gun")
    return Deployed(team.id, pose.x, pose.y, pose.facing, building=house.id if house is not None else "", dug_in=dug_in)


# -- a sensible deployment ------------------------------------------------------------------------------------------------

DEPTH = {"artillery_battery": 0.25, "hq": 0.45, "independent": 0.55, "transport": 0.3, "recon": 0.85}
"""How far forward in its zone a platoon stands, as a part of its depth, unless something else is known of it."""


def default_places(battle: Battle, platoon_id: str, anchor: Point | None = None) -> dict[str, Any]:
    """Legal places for a platoon: a formation in its zone that looks at the enemy, in cover where that is easy.

    `anchor` is where its leader should stand, more or less. Gives an answer to PickPlaces.
    """
    # Many games of a scenario begin alike: the same platoon among the same teams on the same table.
    standing = tuple((team.id, team.pose, team.mounted_in, team.towed_by) for team in battle.teams.values() if team.pose is not None)
    waiting = tuple(id for id, platoon in battle.platoons.items() if platoon.in_reserve)
    key = (platoon_id, anchor, tuple(_to_place(battle, battle.platoons[platoon_id])), standing, waiting)
    known = _FORMED.get(key)
    if known is None or known[0] is not battle.scenario or known[1] is not battle.ground:
        if len(_FORMED) > 1000:
            _FORMED.clear()
        known = _FORMED[key] = (battle.scenario, battle.ground, _places(battle, battle.platoons[platoon_id], anchor))
    return {id: {"x": place.x, "y": place.y, "facing": place.facing} for id, place in known[2].items()}


_FORMED: dict[object, tuple[Scenario, Ground, dict[str, Placing]]] = {}


def _places(battle: Battle, platoon: Platoon, anchor: Point | None) -> dict[str, Placing]:
    for spot in _anchors(battle, platoon, anchor):
        places = _form_up(battle, platoon, spot)
        if places is None:
            continue
        try:
            check_places(battle, platoon.id, places)
        except RefusedError:
            continue
        return places
    return {}


def _anchors(battle: Battle, platoon: Platoon, wanted: Point | None) -> Iterator[Point]:
    zone = zone_of(battle, platoon)
    if wanted is not None:
        yield wanted
    yield from _good_spots(battle, platoon, zone)
    for part in (0.5, 0.25, 0.75, 0.1, 0.9, 0.4, 0.6):
        for deep in (0.5, 0.25, 0.75, 0.1, 0.9):
            yield _in_zone(battle, platoon.side, zone, part, deep)


def _in_zone(battle: Battle, side: str, zone: Box, along: float, deep: float) -> Point:
    """A point of a zone: `along` its edge, `deep` towards the enemy, as parts of its size."""
    left, low, right, high = zone
    edge = battle.scenario.side(side).edge
    if edge in ("north", "south"):
        forward = low + (high - low) * (deep if edge == "south" else 1 - deep)
        return (round(left + (right - left) * along), round(forward))
    forward = left + (right - left) * (deep if edge == "west" else 1 - deep)
    return (round(forward), round(low + (high - low) * along))


def _good_spots(battle: Battle, platoon: Platoon, zone: Box) -> Iterator[Point]:
    """Its place in the line; for foot teams an objective to hold, or a wood, near it."""
    lined = [p for p in battle.platoons.values() if p.side == platoon.side and not p.in_reserve and not p.parent]
    home = battle.platoons.get(platoon.parent)
    if home is not None and (standing := [battle.teams[id] for id in home.teams if battle.teams[id].pose is not None]):
        yield _forward(battle, platoon.side, standing[0].centre, 3 * INCH)  # an observer near its battery
    number = next((i for i, p in enumerate(lined) if p.id == platoon.id), 0)
    along = (number + 0.5) / max(1, len(lined))
    foot = [battle.teams[id] for id in platoon.teams if battle.teams[id].profile.team_type in ("infantry", "gun")]
    deep = DEPTH.get(platoon.role, 0.8 if foot else 0.65)
    place = _in_zone(battle, platoon.side, zone, along, deep)
    if foot and platoon.role == "combat":
        owned = [objective for objective in battle.scenario.objectives if objective.owner == platoon.side]
        holding = [p.id for p in lined if p.role == "combat" and battle.teams[p.teams[0]].profile.team_type in ("infantry", "gun")]
        if owned and platoon.id in holding:
            x, y = owned[holding.index(platoon.id) % len(owned)].at
            yield (unit(x), unit(y))
        if all(team.profile.foot for team in foot):
            woods = [piece for piece in battle.ground.pieces if piece.kind == "wood" and not boxes_apart(piece.box, zone)]
            spots = [_clamped(centroid(piece.outline), zone, 3 * INCH) for piece in woods]
            near = [(abs(x - place[0]) + abs(y - place[1]), (x, y)) for x, y in spots]
            yield from (spot for far_off, spot in sorted(near) if far_off <= 14 * INCH)
    yield place


def _clamped(point: Point, zone: Box, margin: int) -> Point:
    return (
        round(min(max(point[0], zone[0] + margin), zone[2] - margin)),
        round(min(max(point[1], zone[1] + margin), zone[3] - margin)),
    )


def _forward(battle: Battle, side: str, point: Point, far_off: int) -> Point:
    ahead = AHEAD[battle.scenario.side(side).edge]
    return (point[0] + round(sine(ahead) * far_off / 10**9), point[1] + round(cosine(ahead) * far_off / 10**9))


def _form_up(battle: Battle, platoon: Platoon, anchor: Point) -> dict[str, Placing] | None:
    """Rows behind the leader, close enough to be in command; each team on the free ground nearest to its place."""
    zone = zone_of(battle, platoon)
    facing = AHEAD[battle.scenario.side(platoon.side).edge]
    ids = sorted(_to_place(battle, platoon), key=lambda id: (battle.teams[id].profile.team_type == "transport", id != platoon.leader))
    teams = [battle.teams[id] for id in ids]
    tanks = all(team.profile.team_type == "tank" for team in teams)
    room = min(command_reach(platoon.skill, tanks) - 500, 1500 if not tanks else 2000)
    wide = max(team.profile.width for team in teams) + room
    deep = max(team.profile.depth for team in teams) + room
    columns = max(2, math.ceil(math.sqrt(2 * len(teams)))) if len(teams) > 3 else len(teams)
    cells = sorted(
        ((row, column) for row in range(math.ceil(len(teams) / columns)) for column in range(columns)),
        key=lambda cell: (cell[0], abs(cell[1] - (columns - 1) / 2), cell[1]),
    )
    shadow = battle
    places: dict[str, Placing] = {}
    houses = map_of(battle.ground).buildings
    for team, (row, column) in zip(teams, cells, strict=False):
        right, back = (column - (columns - 1) // 2) * wide, -row * deep
        wanted = Pose(*_offset(anchor, facing, right, back), facing)
        spot = _free_spot(shadow, platoon, team, wanted, zone, [piece.outline for piece in houses])
        if spot is None:
            return None
        places[team.id] = Placing(spot.x, spot.y, spot.facing)
        shadow = Deployed(team.id, spot.x, spot.y, spot.facing).apply(shadow)
    return places


def _offset(point: Point, facing: int, right: float, forward: float) -> Point:
    s, c = sine(facing) / 10**9, cosine(facing) / 10**9
    return (round(point[0] + right * c + forward * s), round(point[1] + forward * c - right * s))


def _free_spot(battle: Battle, platoon: Platoon, team: Team, wanted: Pose, zone: Box, houses: list[Polygon]) -> Pose | None:
    """The nearest place to a wanted one that is free, in the zone, on ground for it, and in reach of a team already placed."""
    profile = team.profile
    avoid = [*houses] if not crosses_buildings(profile) or profile.vehicle else []
    bad = ("difficult", "very_difficult") if profile.vehicle or profile.team_type == "gun" else ("very_difficult",)
    if profile.mobility not in ("infantry", "cavalry", "man_packed_gun"):
        avoid += [piece.outline for piece, going in map_of(battle.ground).rough if going in bad]
    reach = 16 * INCH
    taken = [one.base for one in battle.standing_near(wanted.x - reach, wanted.y - reach, wanted.x + reach, wanted.y + reach)]
    others = [battle.teams[id] for id in platoon.teams if battle.teams[id].pose is not None]
    relays = [one for one in others if one.profile.team_type != "transport" or platoon.role == "transport"]

    def led(pose: Pose) -> bool:
        there = replace(team, pose=pose)
        return not relays or any(in_reach(battle, platoon, there, one) for one in relays)

    left, low, right, high = zone
    half = (profile.width + profile.depth) // 4
    inside = Pose(round(min(max(wanted.x, left + half), right - half)), round(min(max(wanted.y, low + half), high - half)), wanted.facing)
    return free_place_near(inside, profile.width, profile.depth, [*taken, *avoid], zone, far=8 * INCH, step=500, allowed=led)
