"""The turn: which step comes next."""

from __future__ import annotations

from sandtable.games.flames_of_war.battle import Battle, PhaseBegan, TurnBegan, TurnEnded
from sandtable.games.flames_of_war.victory import nobody_left, on_time
from sandtable.kernel.events import Ended, other
from sandtable.kernel.table import Step, Table

PHASES = ("starting", "movement", "shooting", "assault")
"""The four steps of a player's turn, as the phase bar shows them."""


def next_step(battle: Battle) -> tuple[str, Step] | None:
    """The step of the battle's phase. A side with nobody left on the table has lost at once."""
    if battle.result is not None:
        return None
    phase = battle.phase
    if phase not in ("first_player", "deployment") and (ended := nobody_left(battle)) is not None:
        return "ended", lambda table: table.emit(Ended(ended))
    return phase, _step(phase)


def _step(phase: str) -> Step:
    """The function of a phase, imported when it is first needed: a look at the odds needs no air force."""
    if phase in ("first_player", "deployment"):
        from sandtable.games.flames_of_war.deployment import deployment_step

        return deployment_step
    if phase == "starting":
        from sandtable.games.flames_of_war.starting import starting_step

        return starting_step
    if phase in ("movement", "movement_end"):
        from sandtable.games.flames_of_war import movement

        return movement.movement_step if phase == "movement" else movement.movement_end_step
    if phase == "smoke":
        from sandtable.games.flames_of_war.artillery import smoke_step

        return smoke_step
    if phase in ("shooting_start", "shooting"):
        from sandtable.games.flames_of_war import shooting

        return shooting.shooting_start_step if phase == "shooting_start" else shooting.shooting_step
    if phase == "air_strike":
        from sandtable.games.flames_of_war.air import air_strike_step

        return air_strike_step
    if phase == "assault":
        from sandtable.games.flames_of_war.assault import assault_step

        return assault_step
    return {"shooting_end": shooting_end_step, "assault_end": assault_end_step, "turn_over": turn_over_step}[phase]


def shooting_end_step(table: Table[Battle]) -> None:
    """Morale of the platoons that suffered from shooting, bombs and shells."""
    from sandtable.games.flames_of_war.morale import morale_step

    morale_step(table, "assault")


def assault_end_step(table: Table[Battle]) -> None:
    """Morale of the platoons that suffered in assaults; then the turn is over."""
    from sandtable.games.flames_of_war.morale import morale_step

    morale_step(table, "turn_over")


def turn_over_step(table: Table[Battle]) -> None:
    """The other player's turn begins, or the battle has run its time."""
    battle = table.battle
    table.emit(TurnEnded(battle.active))
    second = battle.active != battle.first
    if second and battle.turn >= battle.scenario.turns:
        table.emit(Ended(on_time(battle)))
        return
    table.emit(PhaseBegan("starting"))
    table.emit(TurnBegan(battle.turn + second, other(battle.active)))
