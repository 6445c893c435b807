"""Micro Armour: The Game - Modern as a `Game`: all its rooms behind one door."""

from __future__ import annotations

from typing import Any

from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.kernel.decisions import Option, Placing, Request, Route
from sandtable.kernel.events import SIDES, Event
from sandtable.kernel.game import Card, Game, Reach, Ring, Setup, Sight, Spot, Tally
from sandtable.kernel.messages import Message
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

    def advice(self, battle: Any, request: Request) -> dict[str, Message]:
        from sandtable.games.micro_armour.hooks import advice

        return advice(battle, request)

    def odds_card(self, battle: Any, request: Request, option: str) -> Card | None:
        from sandtable.games.micro_armour.hooks import odds_card

        return odds_card(battle, request, option)

    def reach(self, battle: Any, request: Request, route: Route) -> Reach | None:
        from sandtable.games.micro_armour.hooks import reach

        return reach(battle, request, route)

    def may_do(self, battle: Any, request: Request | None, piece: str) -> tuple[Option, ...]:
        from sandtable.games.micro_armour.hooks import may_do

        return may_do(battle, request, piece)

    def lies_under(self, battle: Any, request: Request, places: dict[str, Placing]) -> tuple[str, ...]:
        from sandtable.games.micro_armour.hooks import lies_under

        return lies_under(battle, request, places)

    def sight_between(self, battle: Any, a: Spot, b: Spot) -> Sight | None:
        from sandtable.games.micro_armour.hooks import sight_between

        return sight_between(battle, a, b)

    def rings(self, battle: Any, piece: str) -> tuple[Ring, ...]:
        from sandtable.games.micro_armour.hooks import rings

        return rings(battle, piece)

    def broken_invariants(self, battle: Any) -> list[str]:
        from sandtable.games.micro_armour.invariants import broken_invariants

        return broken_invariants(battle)

    def tally(self, battle: Any) -> Tally:
        """Aircraft are off the table most of the time and no loss for that."""
        units = battle.units.values()
        return Tally(battle.turn, {side: frozenset(unit.id for unit in units if unit.side == side and unit.alive) for side in SIDES})


GAME = MicroArmour()
