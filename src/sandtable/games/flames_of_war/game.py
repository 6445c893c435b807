"""Flames of War as a `Game`: all its rooms behind one door."""

from __future__ import annotations

from typing import Any

from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.kernel.decisions import Option, Placing, Request, Route
from sandtable.kernel.events import Event
from sandtable.kernel.game import Card, Game, Laid, Reach, Ring, Setup, Sight, Spot
from sandtable.kernel.messages import Message
from sandtable.kernel.scene import Scene
from sandtable.kernel.table import Step


class FlamesOfWar(Game):
    id = "flames_of_war"
    package = "sandtable.games.flames_of_war"
    unit = "in"
    procedures = PROCEDURES
    covered = True

    @property
    def event_types(self) -> tuple[type[Event], ...]:  # type: ignore[override]
        from sandtable.games.flames_of_war.log import EVENTS

        return EVENTS

    def problems(self, kind: str, data: dict[str, Any]) -> list[str]:
        from sandtable.games.flames_of_war.data import problems

        return problems(kind, data)

    def complete(self, scenario: dict[str, Any]) -> dict[str, Any]:
        from sandtable.games.flames_of_war.data import complete

        return complete(scenario)

    def new_battle(self, setup: Setup) -> Any:
        from sandtable.games.flames_of_war.data import read_scenario
        from sandtable.games.flames_of_war.setup import new_battle

        return new_battle(read_scenario(setup.scenario))

    def next_step(self, battle: Any) -> tuple[str, Step] | None:
        from sandtable.games.flames_of_war.sequence import next_step

        return next_step(battle)

    def shown_names(self, battle: Any) -> dict[str, str]:
        from sandtable.games.flames_of_war.scene import shown_names

        return shown_names(battle)

    def scene(self, battle: Any) -> Scene:
        from sandtable.games.flames_of_war.scene import scene

        return scene(battle)

    def advice(self, battle: Any, request: Request) -> dict[str, Message]:
        from sandtable.games.flames_of_war.shooting import advice

        return advice(battle, request)

    def odds_card(self, battle: Any, request: Request, option: str) -> Card | None:
        from sandtable.games.flames_of_war.hooks import odds_card

        return odds_card(battle, request, option)

    def reach(self, battle: Any, request: Request, route: Route) -> Reach | None:
        from sandtable.games.flames_of_war.hooks import reach

        return reach(battle, request, route)

    def may_do(self, battle: Any, request: Request | None, piece: str) -> tuple[Option, ...]:
        from sandtable.games.flames_of_war.hooks import may_do

        return may_do(battle, request, piece)

    def lies_under(self, battle: Any, request: Request, places: dict[str, Placing]) -> tuple[str, ...]:
        from sandtable.games.flames_of_war.hooks import lies_under

        return lies_under(battle, request, places)

    def laid(self, battle: Any, request: Request, option: str) -> Laid | None:
        from sandtable.games.flames_of_war.hooks import laid

        return laid(battle, request, option)

    def sight_between(self, battle: Any, a: Spot, b: Spot) -> Sight | None:
        from sandtable.games.flames_of_war.hooks import sight_between

        return sight_between(battle, a, b)

    def rings(self, battle: Any, piece: str) -> tuple[Ring, ...]:
        from sandtable.games.flames_of_war.hooks import rings

        return rings(battle, piece)

    def broken_invariants(self, battle: Any) -> list[str]:
        from sandtable.games.flames_of_war.invariants import broken_invariants

        return broken_invariants(battle)


GAME = FlamesOfWar()
