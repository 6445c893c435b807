"""The last phase of a turn: markers go, and units with S or D try to shed them."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.games.micro_armour.battle import Battle, told
from sandtable.games.micro_armour.effects import eliminate
from sandtable.games.micro_armour.rolling import run
from sandtable.kernel.events import SIDES, Event
from sandtable.kernel.messages import Message
from sandtable.kernel.table import Table


class MarkersRemoved(Event, frozen=True):
    """Move markers, fire markers, those of finished artillery fire, smoke: all gone (MA-MARK-01)."""

    def apply(self, battle: Battle) -> Battle:
        units = {
            id: replace(
                unit,
                posture="none",
                moving=False,
                attempted_fire=False,
                fired=False,
                road="",
                attempted_this_phase=False,
                attempted_second=False,
                move_tried=False,
                spent=0,
                overran=False,
                settled=False,
            )
            for id, unit in battle.units.items()
        }
        return replace(battle, units=units, smoke=(), fire_markers=())


class MarkerTested(Event, frozen=True):
    """A unit with S or D rolled: recovered, regrouped, panicked, or nothing."""

    unit: str
    recovered: bool
    regrouped: bool
    panicked: bool
    suppressed: bool
    disorganised: bool

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(self.unit, suppressed=self.suppressed, disorganised=self.disorganised)

    def says(self) -> Message:
        if self.panicked:
            return told(self, "marker_panicked")
        gone = [name for name, is_gone in (("recovered", self.recovered), ("regrouped", self.regrouped)) if is_gone]
        return told(self, f"marker_{'_and_'.join(gone) or 'kept'}")

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


EVENTS: tuple[type[Event], ...] = (MarkersRemoved, MarkerTested)


def remove_markers(table: Table[Battle]) -> None:
    """Basic or optional, as the scenario says (MA-MARK-02 to -06)."""
    table.emit(MarkersRemoved())
    name = "marker_removal_optional" if table.battle.scenario.optional_markers else "marker_removal"
    marked = [
        unit.id
        for side in SIDES
        for unit in table.battle.units.values()
        if unit.side == side and unit.alive and (unit.suppressed or unit.disorganised)
    ]
    for id in marked:
        unit = table.battle.units[id]
        if not unit.alive:  # lost with its carrier in a panic
            continue
        tested = run(table, unit.side, name, command_level=unit.level, suppressed=unit.suppressed, disorganised=unit.disorganised)
        table.emit(MarkerTested(id, tested.recovered, tested.regrouped, tested.panicked, tested.suppressed, tested.disorganised))
        if tested.eliminated:
            eliminate(table, id)
