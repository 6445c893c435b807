"""Micro Armour: The Game - Modern as a `Game`: all its rooms behind one door."""

from __future__ import annotations

from typing import Any

from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.kernel.events import SIDES, Event
from sandtable.kernel.game import Game, Setup, Tally
from sandtable.kernel.scene import Scene
from sandtable.kernel.table import Step


class MicroArmour(Game):
    id = "micro_armour"
    package = "sandtable.games.micro_armour"
    unit = "in"
    procedures = PROCEDURES
    covered = True

    @property
    def event_types(self) -> tuple[type[Event], ...]:  # type: ignore[override]
        from sandtable.games.micro_armour.log import EVENTS

        return EVENTS

    def problems(self, kind: str, data: dict[str, Any]) -> list[str]:
        from sandtable.games.micro_armour.data import problems

        return problems(kind, data)

    def complete(self, scenario: dict[str, Any]) -> dict[str, Any]:
        from sandtable.games.micro_armour.data import complete

        return complete(scenario)

    def new_battle(self, setup: Setup) -> Any:
        from sandtable.games.micro_armour.data import read_scenario
        from sandtable.games.micro_armour.setup import new_battle

        return new_battle(read_scenario(setup.scenario))

    def next_step(self, battle: Any) -> tuple[str, Step] | None:
        from sandtable.games.micro_armour.sequence import next_step

        return next_step(battle)

    def shown_names(self, battle: Any) -> dict[str, str]:
        from sandtable.games.micro_armour.scene import shown_names

        return shown_names(battle)

    def scene(self, battle: Any) -> Scene:
        from sandtable.games.micro_armour.scene import scene

        return scene(battle)

    def broken_invariants(self, battle: Any) -> list[str]:
        from sandtable.games.micro_armour.invariants import broken_invariants

        return broken_invariants(battle)

    def tally(self, battle: Any) -> Tally:
        """Aircraft are off the table most of the time and no loss for that."""
        units = battle.units.values()
        return Tally(battle.turn, {side: frozenset(unit.id for unit in units if unit.side == side and unit.alive) for side in SIDES})


GAME = MicroArmour()
