"""The turn: which step comes next, who acts, and when a phase is over."""

from __future__ import annotations

from sandtable.games.micro_armour import air, artillery, fire, markers, movement, planning
from sandtable.games.micro_armour.battle import (
    PHASES,
    ActionOver,
    Battle,
    FirstChosen,
    InitiativeTaken,
    InitiativeTied,
    OrdersRolled,
    Passed,
    PhaseBegan,
    PosturesSet,
    RoundBegan,
    TurnBegan,
)
from sandtable.games.micro_armour.deployment import deployment_step
from sandtable.games.micro_armour.procedures import PROCEDURES
from sandtable.games.micro_armour.rolling import BothDice, run
from sandtable.games.micro_armour.victory import end_of_turn, nobody_left
from sandtable.kernel.decisions import Option, PickOne, PickSeveral
from sandtable.kernel.events import SIDES, Ended
from sandtable.kernel.messages import say
from sandtable.kernel.table import Step, Table


def next_step(battle: Battle) -> tuple[str, Step] | None:
    """The step of the battle's phase (MA-SEQ-01). A side without units has lost at once."""
    if battle.result is not None:
        return None
    if battle.phase != "organisation" and (ended := nobody_left(battle)) is not None:
        return "ended", lambda table: table.emit(Ended(ended))
    return battle.phase, STEPS[battle.phase]


def _next_phase(table: Table[Battle]) -> None:
    table.emit(PhaseBegan(PHASES[PHASES.index(table.battle.phase) + 1]))


# -- initiative ---------------------------------------------------------------------------------------------------


def initiative_step(table: Table[Battle]) -> None:
    """Who has the initiative (MA-INIT-01, MA-INIT-02), and the State of the TL1 units (MA-SEQ-11)."""
    scenario = table.battle.scenario
    if table.battle.turn == 1 and scenario.first_initiative is not None:
        table.emit(InitiativeTaken(scenario.first_initiative))
    while not table.battle.initiative:
        procedure = PROCEDURES["initiative"]
        facts = procedure.facts(level_a=scenario.a.force.command_level, level_b=scenario.b.force.command_level)
        rolled = procedure.run(facts, BothDice(table, lambda label: label[-1]))
        if rolled.winner == "tie":
            table.emit(InitiativeTied(rolled.total_a))
        else:
            table.emit(InitiativeTaken(rolled.winner, rolled.total_a, rolled.total_b))
    for side in SIDES:
        _postures(table, side)
    _next_phase(table)


def _postures(table: Table[Battle], side: str) -> None:
    """Each TL1 unit must choose: move or fire (MA-DEC-03, MA-RULING-07)."""
    units = [unit for unit in table.battle.units.values() if unit.side == side and unit.alive and unit.profile.tl == 1]
    units = [unit for unit in units if unit.profile.target_class != "aircraft"]
    if not units:
        return
    options = tuple(Option(unit.id, say("option.unit", unit=unit.id, name=unit.profile.name), units=(unit.id,)) for unit in units)
    move = table.ask(PickSeveral(player=side, decision="MA-DEC-03", prompt=say("ask.postures"), options=options, default=[]))
    table.emit(PosturesSet(side, tuple(move), tuple(unit.id for unit in units if unit.id not in move)))


# -- phases in which the sides alternate --------------------------------------------------------------------------


def _can_act(battle: Battle, side: str) -> bool:
    """Whether a side has an action in this phase or round. Written missions are left out of this, for it is seen by all."""
    if battle.phase == "artillery_air":
        return any(
            unit.side == side and unit.alive and (unit.profile.shells or unit.profile.target_class == "aircraft")
            for unit in battle.units.values()
        )
    if battle.phase == "movement":
        if battle.round == "ordered" and battle.orders.get(side, 0) <= 0:
            return False
        return bool(movement.movers(battle, side))
    return bool(fire.attacks(battle, side))


def _choose_first(table: Table[Battle]) -> None:
    """The holder of the initiative says who acts first in this phase (MA-INIT-02, MA-DEC-02)."""
    battle = table.battle
    ready = [side for side in SIDES if battle.phase == "movement" or _can_act(battle, side)]
    if not ready:
        _next_phase(table)
        return
    chosen = ready[0]
    if len(ready) == 2:
        names = {side: battle.scenario.side(side).name for side in SIDES}
        options = tuple(Option(side, say("option.first", side=names[side])) for side in SIDES)
        holder = battle.initiative
        prompt = say("ask.first", phase=battle.phase)
        chosen = table.ask(PickOne(player=holder, decision="MA-DEC-02", prompt=prompt, options=options, default=holder))
    table.emit(FirstChosen(chosen))


def _act(table: Table[Battle], acted: bool) -> None:
    """After an action the other side's turn comes; who passed is out (MA-SEQ-02, MA-RULING-04)."""
    side = table.battle.active
    table.emit(ActionOver(side) if acted else Passed(side))


def fire_step(table: Table[Battle]) -> None:
    """A standard fire phase: one attack a step."""
    battle = table.battle
    if not battle.first:
        _choose_first(table)
    elif len(battle.out) == 2:
        _next_phase(table)
    else:
        _act(table, _can_act(battle, battle.active) and fire.fire_action(table))


def artillery_air_step(table: Table[Battle]) -> None:
    """The artillery and air phase: one mission or strike a step (MA-ART-01, MA-DEC-04)."""
    battle = table.battle
    if not battle.first:
        _choose_first(table)
    elif len(battle.out) == 2:
        _next_phase(table)
    else:
        _act(table, _artillery_or_air(table))


def _artillery_or_air(table: Table[Battle]) -> bool:
    battle = table.battle
    side = battle.active
    plans = battle.plans(side)
    missions = [mission for mission in plans.missions if artillery.able(battle, mission)]  # void if its units are gone
    courses = [course for course in plans.courses if battle.units[course.aircraft].alive]
    targets = artillery.direct_targets(battle, side)
    options = [Option(mission.id, say("option.reveal", units=list(mission.units)), units=mission.units) for mission in missions]
    options += [Option(course.id, say("option.fly", aircraft=course.aircraft), units=(course.aircraft,)) for course in courses]
    options += [
        Option(f"direct:{id}", say("option.shell", unit=id, name=battle.units[id].profile.name), units=(id, *batteries))
        for id, batteries in targets.items()
    ]
    options += [
        Option(f"smoke:{unit.id}", say("option.smoke", unit=unit.id, name=unit.profile.name), units=(unit.id,))
        for unit in artillery.batteries(battle, side)
        if unit.profile.smoke
    ]
    if not options:
        return False
    chosen = table.ask(
        PickOne(
            player=side,
            decision="MA-DEC-04",
            prompt=say("ask.artillery_air"),
            options=(*options, Option("pass", say("option.pass"))),
            default=options[0].id if missions or courses else "pass",
        )
    )
    if chosen == "pass":
        return False
    word, _, id = chosen.partition(":")
    if word == "direct":
        artillery.direct_fire(table, id)
    elif word == "smoke":
        artillery.direct_smoke(table, id)
    elif chosen in [mission.id for mission in missions]:
        artillery.fire_mission(table, next(mission for mission in missions if mission.id == chosen))
    else:
        air.fly_strike(table, next(course for course in courses if course.id == chosen))
    return True


def planning_step(table: Table[Battle]) -> None:
    """Both sides write in secret, one after the other; there is nothing to plan for after the last turn."""
    battle = table.battle
    if len(battle.out) == 2 or battle.turn >= battle.scenario.turns:
        _next_phase(table)
    elif planning.has_planners(battle, battle.active):
        planning.planning_action(table)
    else:
        table.emit(Passed(battle.active))


def movement_step(table: Table[Battle]) -> None:
    """Orders, then rounds of ordered and of independent moves: one move action a step (MA-MOVE-01, MA-RULING-24)."""
    battle = table.battle
    if not battle.first:
        _roll_orders(table)
        _choose_first(table)
        table.emit(RoundBegan("ordered"))
    elif len(battle.out) == 2:
        if battle.round == "ordered":
            table.emit(RoundBegan("independent"))
        else:
            _next_phase(table)
    else:
        _act(table, _can_act(battle, battle.active) and movement.move_action(table))


def _roll_orders(table: Table[Battle]) -> None:
    """Once a side, if its GHQ lives (MA-CMD-01 to -03, MA-RULING-06)."""
    for side in SIDES:
        force = table.battle.scenario.side(side).force
        alive = table.battle.ghq(side) is not None
        rolled = run(
            table,
            side,
            "command_effectiveness",
            ghq_alive=alive,
            command_value=force.ghq_command_value if alive else 0,
            generation=force.generation,
        )
        table.emit(OrdersRolled(side, rolled.orders))


def marker_removal_step(table: Table[Battle]) -> None:
    """Markers go; then the turn is over, and perhaps the battle (MA-RULING-41)."""
    markers.remove_markers(table)
    result = end_of_turn(table.battle)
    table.emit(Ended(result) if result is not None else TurnBegan(table.battle.turn + 1))


STEPS: dict[str, Step] = {
    "organisation": deployment_step,
    "initiative": initiative_step,
    "artillery_air": artillery_air_step,
    "fire_first": fire_step,
    "fire_second": fire_step,
    "planning": planning_step,
    "movement": movement_step,
    "fire_third": fire_step,
    "marker_removal": marker_removal_step,
}
