"""What a result does on the table: markers, wrecks, passengers that are lost with their carrier."""

from __future__ import annotations

from sandtable.games.micro_armour.battle import Battle, Disorganised, Eliminated, Suppressed
from sandtable.kernel.table import Table


def take_effect(table: Table[Battle], unit_id: str, effect: str | None) -> None:
    """A unit suffers the effect of an attack. One that changes nothing is not said again (two S do not add up: MA-CRT-09)."""
    unit = table.battle.units[unit_id]
    if effect == "suppression" and not unit.suppressed:
        table.emit(Suppressed(unit_id))
    elif effect == "disorganisation":
        table.emit(Disorganised(unit_id))
    elif effect == "elimination":
        eliminate(table, unit_id)


def eliminate(table: Table[Battle], unit_id: str) -> None:
    """A unit is lost, and whoever rides in it (MA-RULING-38). Vehicles and guns leave a wreck (MA-RULING-37)."""
    unit = table.battle.units[unit_id]
    for passenger in table.battle.passengers(unit_id):
        table.emit(Eliminated(passenger.id))
    table.emit(Eliminated(unit_id, wreck=unit.on_table and unit.profile.target_class in ("armoured", "soft")))
