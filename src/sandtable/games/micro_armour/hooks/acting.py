"""What a unit may do now, and for everything it may not do, the rule against it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.games.micro_armour.artillery import direct_targets, observers
from sandtable.games.micro_armour.battle import INCH, PHASES, Battle, Unit
from sandtable.games.micro_armour.fire import FIRE_PHASES, best_reason, fire_refusal, shots_at, target_refusal
from sandtable.games.micro_armour.movement import carriers, dismount_refusal, move_refusal
from sandtable.games.micro_armour.planning import free_aircraft, free_batteries
from sandtable.games.micro_armour.ways import points_left
from sandtable.kernel.decisions import Option, Refusal, Request
from sandtable.kernel.messages import say


def may_do(battle: Battle, request: Request | None, piece: str) -> tuple[Option, ...]:
    """The options of the question that name the unit; for a unit of the side that is asked, everything else it might do; facts."""
    unit = battle.units.get(piece)
    if unit is None or not unit.alive:
        return ()
    named = [] if request is None else [option for option in _options(request) if piece in option.units or option.id == piece]
    if request is None or request.player != unit.side:
        return (*named, *_facts(unit))
    chosen = {"move"} if any(option.id == piece for option in named) and battle.phase == "movement" else set()
    return (*named, *(option for option in _actions(battle, unit) if option.id not in chosen), *_facts(unit))


def _options(request: Request) -> tuple[Option, ...]:
    found: tuple[Option, ...] = getattr(request, "options", ()) or getattr(request, "receivers", ())
    return found


# -- actions ----------------------------------------------------------------------------------------------------------


def _actions(battle: Battle, unit: Unit) -> Iterator[Option]:
    """Everything a unit of its kind does in a turn, in the order of the turn."""
    if unit.profile.target_class == "aircraft":
        yield Option("strike", say("may.strike"), _no_plan(battle, unit), (unit.id,))
        return
    if unit.profile.shells:
        yield Option("shell", say("may.shell"), _no_shelling(battle, unit), (unit.id,))
        yield Option("mission", say("may.mission"), _no_plan(battle, unit), (unit.id,))
    else:
        for phase in FIRE_PHASES:
            yield Option(f"fire:{phase}", say("may.fire", phase=f"phase.{phase}"), _no_fire(battle, unit, phase), (unit.id,))
        yield Option("react", say("may.react"), _no_reaction(battle, unit), (unit.id,))
    if unit.carried_by:
        yield Option("dismount", say("may.dismount", carrier=unit.carried_by), _no_dismount(battle, unit), (unit.id, unit.carried_by))
    else:
        yield Option("move", say("may.move", points=points_left(unit) / INCH), _no_move(battle, unit), (unit.id,))
        for carrier in carriers(battle, unit):
            yield Option(f"mount:{carrier.id}", say("may.mount", carrier=carrier.id), _no_move(battle, unit), (unit.id, carrier.id))


def _when(battle: Battle, phase: str) -> Refusal | None:
    """That something has its time, and that is not now."""
    if battle.phase == phase:
        return None
    if battle.phase not in PHASES:
        return Refusal("MA-SEQ-01", say("refused.not_begun"))
    word = "phase_over" if PHASES.index(battle.phase) > PHASES.index(phase) else "phase_to_come"
    return Refusal("MA-SEQ-01", say(f"refused.{word}", phase=f"phase.{phase}"))


def _no_fire(battle: Battle, unit: Unit, phase: str) -> Refusal | None:
    """By its state and Tech Level in that phase; in the present one, also that it has nothing to shoot at."""
    now = battle.phase == phase
    there = unit if now else replace(unit, attempted_this_phase=False)
    refusal = fire_refusal(replace(battle, phase=phase), there) or _when(battle, phase)
    if refusal is not None or not now:
        return refusal
    foes = [foe for foe in battle.enemies(unit.side) if target_refusal(battle, foe) is None]
    shots = [shot for foe in foes for shot in shots_at(battle, [unit], foe)]
    return None if any(shot.refusal is None for shot in shots) else best_reason(battle, shots)


def _no_reaction(battle: Battle, unit: Unit) -> Refusal | None:
    if unit.settled:
        return Refusal("MA-RULING-38", say("refused.settled", unit=unit.id))
    there = unit if battle.phase == "movement" else replace(unit, attempted_this_phase=False)
    return fire_refusal(replace(battle, phase="movement"), there) or _when(battle, "movement")


def _no_shelling(battle: Battle, unit: Unit) -> Refusal | None:
    refusal = fire_refusal(replace(battle, phase="artillery_air"), unit) or _when(battle, "artillery_air")
    if refusal is not None:
        return refusal
    seen = any(unit.id in firing for firing in direct_targets(battle, unit.side).values())
    return None if seen else Refusal("MA-ART-01", say("refused.nothing_in_sight", unit=unit.id))


def _no_plan(battle: Battle, unit: Unit) -> Refusal | None:
    """What is written already is known to its own side alone, as the battle is."""
    late = _when(battle, "planning")
    if late is not None:
        return late
    if unit.profile.shells and not observers(battle, unit.side):
        return Refusal("MA-RULING-21", say("refused.no_observer"))
    free = free_batteries(battle, unit.side) if unit.profile.shells else free_aircraft(battle, unit.side)
    return None if unit.id in [one.id for one in free] else Refusal("MA-RULING-35", say("refused.planned_already", unit=unit.id))


def _no_move(battle: Battle, unit: Unit) -> Refusal | None:
    return move_refusal(unit) or _when(battle, "movement")


def _no_dismount(battle: Battle, unit: Unit) -> Refusal | None:
    return move_refusal(unit) or dismount_refusal(battle, unit) or _when(battle, "movement")


# -- facts ------------------------------------------------------------------------------------------------------------


def _facts(unit: Unit) -> Iterator[Option]:
    """What anybody may see of a unit: its strength, its command, its speed."""
    profile = unit.profile
    strength = {name: "-" if value is None else value for name, value in (("ap", profile.ap), ("he", profile.he))}
    yield Option("fact:strength", say("fact.strength", **strength, defence=profile.defence, tl=profile.tl))
    if profile.max_range is not None:
        yield Option("fact:range", say("fact.range", inches=profile.max_range))
    if profile.atgm is not None:
        yield Option("fact:missile", say("fact.missile", ap=profile.atgm.ap, least=profile.atgm.min_range))
    yield Option("fact:command", say("fact.level", level=unit.level))
    if profile.movement:
        yield Option("fact:speed", say("fact.speed", points=profile.movement, left=points_left(unit) / INCH, mobility=profile.mobility))
    if profile.capacity:
        yield Option("fact:capacity", say("fact.capacity", units=profile.capacity))
