"""Before the first turn: each side places all its units in its zone, some of them inside carriers (MA-RULING-53)."""

from __future__ import annotations

from typing import Any

from sandtable.field.shapes import TOLERANCE, Point, bearing, span
from sandtable.games.micro_armour.battle import BASE, INCH, Battle, Placed, SideDeployed, TurnBegan, Unit
from sandtable.games.micro_armour.lay import closed_ground
from sandtable.games.micro_armour.looks import bases
from sandtable.kernel.decisions import Allocate, Option, PickPlaces, Placing
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import other
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

ON_FOOT = "on_foot"


def deployment_step(table: Table[Battle]) -> None:
    """One side a step: cargo, then places. After the second the first turn begins."""
    battle = table.battle
    side = battle.scenario.places_first if not battle.deployed else other(battle.deployed[0])
    cargo = _cargo(table, side)
    pieces = tuple(unit.id for unit in to_place(battle, side) if unit.id not in cargo)
    zone = battle.scenario.side(side).zone
    if pieces:
        places = table.ask(
            PickPlaces(
                player=side,
                decision="MA-DEC-01",
                prompt=say("ask.deploy"),
                pieces=pieces,
                default=default_places(battle, side, pieces),
                hints={
                    "zone": [
                        [round(x * INCH), round(y * INCH)]
                        for x, y in ((zone.left, zone.bottom), (zone.right, zone.bottom), (zone.right, zone.top), (zone.left, zone.top))
                    ],
                    "bases": bases(battle, pieces),
                },
            ),
            lambda places: check_places(battle, side, places),
        )
        for id, spot in places.items():
            table.emit(Placed(id, spot.x, spot.y, spot.facing))
        for id, carrier in cargo.items():
            spot = places[carrier]
            table.emit(Placed(id, spot.x, spot.y, spot.facing, carrier))
    table.emit(SideDeployed(side))
    if len(table.battle.deployed) == 2:
        table.emit(TurnBegan(1))


def to_place(battle: Battle, side: str) -> list[Unit]:
    """All but aircraft, which wait off the table."""
    return [unit for unit in battle.units.values() if unit.side == side and unit.profile.target_class != "aircraft"]


def _cargo(table: Table[Battle], side: str) -> dict[str, str]:
    """Which personnel starts inside which carrier."""
    units = to_place(table.battle, side)
    carriers = {unit.id: unit.profile.capacity for unit in units if unit.profile.capacity}
    men = [unit.id for unit in units if unit.profile.target_class == "personnel"]
    if not carriers or not men:
        return {}

    def check(given: dict[str, tuple[str, ...]]) -> None:
        for carrier, inside in given.items():
            if carrier != ON_FOOT and len(inside) > carriers[carrier]:
                raise RefusedError("MA-RULING-38", "refused.capacity", carrier=carrier, capacity=carriers[carrier])

    receivers = [Option(ON_FOOT, say("option.on_foot"))]
    receivers += [
        Option(unit.id, say("option.unit", unit=unit.id, name=unit.profile.name), units=(unit.id,)) for unit in units if unit.id in carriers
    ]
    given = table.ask(
        Allocate(
            player=side,
            decision="MA-DEC-01",
            prompt=say("ask.cargo"),
            things=tuple(men),
            receivers=tuple(receivers),
            default={ON_FOOT: men},
        ),
        check,
    )
    return {id: carrier for carrier, inside in given.items() if carrier != ON_FOOT for id in inside}


def check_places(battle: Battle, side: str, places: dict[str, Placing]) -> None:
    """Wholly inside the zone, no two on each other, not on ground closed to the unit (MA-RULING-53)."""
    zone = battle.scenario.side(side).zone
    half = BASE // 2
    left, right = round(zone.left * INCH) + half, round(zone.right * INCH) - half
    bottom, top = round(zone.bottom * INCH) + half, round(zone.top * INCH) - half
    done: list[tuple[str, Point]] = [(unit.id, unit.centre) for unit in battle.standing()]
    for id, spot in places.items():
        at = (spot.x, spot.y)
        if not (left <= spot.x <= right and bottom <= spot.y <= top):
            raise RefusedError("MA-RULING-53", "refused.outside_zone", unit=id)
        if (ground := closed_ground(battle, at, battle.units[id].profile.mobility)) is not None:
            raise RefusedError("MA-RULING-53", "refused.closed_ground", unit=id, terrain=f"terrain.{ground}")
        for name, there in done:
            if span(at, there) < BASE - TOLERANCE:
                raise RefusedError("MA-RULING-53", "refused.overlap", unit=id, other=name)
        done.append((id, at))


def front_of(battle: Battle, side: str) -> int:
    """The way a side looks: from the middle of its zone to that of the enemy's, in steps of 90 degrees."""
    return round(bearing(_middle(battle, side), _middle(battle, other(side))) / 90) * 90 % 360


def _middle(battle: Battle, side: str) -> Point:
    zone = battle.scenario.side(side).zone
    return round((zone.left + zone.right) / 2 * INCH), round((zone.bottom + zone.top) / 2 * INCH)


def default_places(battle: Battle, side: str, pieces: tuple[str, ...]) -> dict[str, Any]:
    """Rows from the front edge of the zone back, the first units in the middle; formations stay together."""
    facing = front_of(battle, side)
    formations = list(dict.fromkeys(battle.units[id].formation for id in pieces))
    ordered = sorted(pieces, key=lambda id: (battle.units[id].profile.shells, formations.index(battle.units[id].formation)))
    spots = _spots(battle, side, facing)
    places: dict[str, Any] = {}
    taken: list[Point] = [unit.centre for unit in battle.standing()]
    for id in ordered:
        mobility = battle.units[id].profile.mobility
        free = (at for at in spots if all(span(at, one) >= BASE for one in taken) and closed_ground(battle, at, mobility) is None)
        at = next(free, None)
        if at is None:
            break
        taken.append(at)
        places[id] = {"x": at[0], "y": at[1], "facing": facing}
    return {id: places[id] for id in pieces if id in places}


def _spots(battle: Battle, side: str, facing: int) -> list[Point]:
    """Places of a zone an inch and a half apart, front rows first, each row from its middle outwards; then a closer grid."""
    zone = battle.scenario.side(side).zone
    half = BASE // 2
    left, right = round(zone.left * INCH) + half, round(zone.right * INCH) - half
    bottom, top = round(zone.bottom * INCH) + half, round(zone.top * INCH) - half
    spots: list[Point] = []
    for step in (3 * INCH // 2, INCH):
        across = facing in (0, 180)
        rows = list(range(bottom, top + 1, step)) if across else list(range(left, right + 1, step))
        middle = (left + right) // 2 if across else (bottom + top) // 2
        row = range(left, right + 1, step) if across else range(bottom, top + 1, step)
        columns = sorted(row, key=lambda place: (abs(place - middle), place))
        for front in reversed(rows) if facing in (0, 90) else rows:
            spots += [(place, front) if across else (front, place) for place in columns]
    return spots
