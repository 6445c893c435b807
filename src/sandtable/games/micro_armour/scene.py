"""What a Micro Armour battle looks like. Plans are shown only in a view that holds them: their own side's."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.field.shapes import circle
from sandtable.games.micro_armour.battle import BASE, INCH, PHASES, Battle, Unit
from sandtable.games.micro_armour.looks import symbol
from sandtable.games.micro_armour.profile import Hold
from sandtable.games.micro_armour.victory import holder
from sandtable.kernel.events import SIDES
from sandtable.kernel.messages import Message, say
from sandtable.kernel.scene import Figure, Ground, Group, Mark, Scene

LETTERS = {
    "headquarters": "h",
    "recon": "r",
    "mortar": "m",
    "artillery": "g",
    "air_defence": "d",
    "helicopter": "k",
    "aircraft": "p",
    "engineer": "e",
    "infantry": "i",
    "carrier": "c",
    "tank": "t",
    "vehicle": "v",
}
GROUND_LETTERS = {
    "good_road": "=",
    "poor_road": "=",
    "track": "-",
    "crest": "^",
    "slope_up": ".",
    "light_buildings": "#",
    "heavy_buildings": "#",
    "forest": "&",
    "grove": '"',
    "swamp": "~",
    "rough_1": ",",
    "rough_2": ",",
    "rough_3": ";",
    "light_fortification": "[",
    "medium_fortification": "[",
    "heavy_fortification": "[",
    "wire": "w",
    "minefield": ":",
    "wreck": "x",
}


def scene(battle: Battle) -> Scene:
    return Scene(
        unit="in",
        width=battle.ground.width,
        height=battle.ground.height,
        turn=battle.turn,
        phase=say(f"phase.{battle.phase}"),
        phases=tuple(say(f"phase.{phase}") for phase in PHASES),
        active=battle.active,
        ground=tuple(
            Ground(
                id=piece.id,
                kind=piece.kind,
                form=piece.form,
                shape=piece.shape if piece.form in ("line", "road") else piece.outline,
                name=say(f"terrain.{piece.kind}"),
                height=piece.height,
                width=piece.width,
                letter=GROUND_LETTERS[piece.kind],
            )
            for piece in (*battle.ground.pieces, *battle.wrecks)
        ),
        figures=tuple(_figure(unit) for unit in battle.units.values() if unit.alive and unit.pose is not None),
        marks=tuple(_marks(battle)),
        groups=tuple(_groups(battle)),
        lines=tuple(_lines(battle)),
    )


def shown_names(battle: Battle) -> dict[str, str]:
    """Sides by their names, units as "T-72 2", or just "Mi-24" where a side has only one."""
    names = {side: battle.scenario.side(side).name for side in SIDES}
    kinds: dict[tuple[str, str], list[str]] = {}
    for unit in battle.units.values():
        kinds.setdefault((unit.side, unit.profile.name), []).append(unit.id)
    for (_, kind), ids in kinds.items():
        names |= {id: kind if len(ids) == 1 else f"{kind} {number}" for number, id in enumerate(ids, 1)}
    return names


def _figure(unit: Unit) -> Figure:
    assert unit.pose is not None
    what = symbol(unit)
    return Figure(
        id=unit.id,
        side=unit.side,
        name=Message(unit.profile.name),
        group=unit.formation,
        x=unit.pose.x,
        y=unit.pose.y,
        facing=unit.pose.facing,
        width=BASE,
        depth=BASE,
        symbol=what,
        letter=LETTERS[what],
        states=tuple(_states(unit)),
        carried_by=unit.carried_by,
        leader=unit.profile.headquarters,
    )


def _states(unit: Unit) -> Iterator[str]:
    named = {
        "suppressed": unit.suppressed,
        "disorganised": unit.disorganised,
        "moving": unit.in_move_state,
        "attempted_fire": unit.attempted_fire and not unit.fired,
        "fired": unit.fired,
        "posture_fire": unit.posture == "fire",
        "road_rate": bool(unit.road),
        "move_tried": unit.move_tried,
        "overran": unit.overran,
        "carried": bool(unit.carried_by),
    }
    return (name for name, holds in named.items() if holds)


def _marks(battle: Battle) -> Iterator[Mark]:
    for smoke in battle.smoke:
        yield Mark(smoke.id, "smoke", smoke.shape, say("mark.smoke"), smoke.side, "%")
    for number, marker in enumerate(battle.fire_markers, 1):
        name = say("mark.fire_marker", unit=marker.unit)
        yield Mark(f"fire_{number}", "fire_marker", circle(marker.at, INCH), name, battle.units[marker.unit].side, "!")
    for objective in battle.scenario.objectives:
        if isinstance(objective, Hold):
            x, y = objective.at
            shape = circle((round(x * INCH), round(y * INCH)), round(objective.radius * INCH))
        else:
            left, bottom, right, top = (round(edge * INCH) for edge in objective.area)
            shape = ((left, bottom), (right, bottom), (right, top), (left, top))
        yield Mark(objective.id, "objective", shape, say("mark.objective", objective=objective.id), holder(battle, objective) or "", "*")
    for side in SIDES:
        plans = battle.plans(side)
        for mission in plans.missions:
            for number, (right, up) in enumerate(mission.sheaf, 1):
                at = (mission.aim[0] + right, mission.aim[1] + up)
                name = say("mark.mission", mission=mission.id, unit=mission.units[number - 1])
                yield Mark(f"{mission.id}_{number}", "mission", circle(at, INCH // 2), name, side, "+")
        for course in plans.courses:
            name = say("mark.course", aircraft=course.aircraft)
            yield Mark(course.id, "course", (course.entry, course.attack, course.exit), name, side, ">")


def _groups(battle: Battle) -> Iterator[Group]:
    for formation in dict.fromkeys(unit.formation for unit in battle.units.values()):
        units = [unit for unit in battle.units.values() if unit.formation == formation]
        left = sum(unit.alive for unit in units)
        facts = (
            say("group.units", left=left, of=len(units)),
            say("group.level", level=max(unit.level for unit in units)),
        )
        if left:
            name = Message(f"formation.{formation.partition('_')[2]}")
            yield Group(formation, units[0].side, name, facts)


def _lines(battle: Battle) -> Iterator[Message]:
    for side in SIDES:
        given = battle.scenario.side(side)
        yield say("line.losses", side=given.name, losses=battle.losses(side), break_point=given.breaks_at)
        if battle.phase == "movement" and battle.round == "ordered":
            yield say("line.orders", side=given.name, orders=battle.orders.get(side, 0))
        waiting = [
            unit.id
            for unit in battle.units.values()
            if unit.side == side and unit.alive and unit.profile.target_class == "aircraft" and unit.pose is None
        ]
        if waiting:
            yield say("line.aircraft", side=given.name, units=waiting)
    if battle.initiative:
        yield say("line.initiative", side=battle.scenario.side(battle.initiative).name)
    for objective in battle.scenario.objectives:
        held = holder(battle, objective)
        yield say("line.objective", objective=objective.id, holder=battle.scenario.side(held).name if held else "nobody")
