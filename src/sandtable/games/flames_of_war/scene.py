"""What a Flames of War battle looks like."""

from __future__ import annotations

from sandtable.field.shapes import circle
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon, Team
from sandtable.games.flames_of_war.command import leaderless
from sandtable.games.flames_of_war.looks import symbol
from sandtable.games.flames_of_war.morale import company_counts
from sandtable.games.flames_of_war.sequence import PHASES
from sandtable.games.flames_of_war.victory import HOLDING, holder, objective_place
from sandtable.kernel.messages import Message, say
from sandtable.kernel.scene import Figure, Ground, Group, Mark, Scene

LETTERS = {"infantry": "i", "cavalry": "c", "gun": "g", "tank": "t", "transport": "v"}
GROUND_LETTERS = {
    "road": "=",
    "open": ".",
    "field_crops": ",",
    "wood": "&",
    "marsh": "~",
    "wall": "|",
    "hedge": "|",
    "tall_hedge": "|",
    "hill": "^",
    "building": "#",
    "river": "~",
    "wreck": "x",
}
BAR = {
    "first_player": "deployment",
    "movement_end": "movement",
    "shooting_start": "shooting",
    "smoke": "shooting",
    "air_strike": "shooting",
    "shooting_end": "shooting",
    "assault_end": "assault",
    "turn_over": "assault",
}


def scene(battle: Battle) -> Scene:
    return Scene(
        unit="in",
        width=battle.ground.width,
        height=battle.ground.height,
        turn=battle.turn,
        phase=say(f"phase.{BAR.get(battle.phase, battle.phase)}"),
        phases=tuple(say(f"phase.{phase}") for phase in PHASES),
        active=battle.active,
        ground=tuple(
            Ground(
                id=piece.id,
                kind=piece.kind,
                form=piece.form,
                shape=piece.shape if piece.form in ("line", "road") else piece.outline,
                name=Message(piece.name) if piece.kind == "wreck" else say(f"terrain.{piece.kind}"),
                height=piece.height,
                width=piece.width,
                letter=GROUND_LETTERS[piece.kind],
                openings=tuple((door.start, door.end) for door in piece.doors),
            )
            for piece in battle.ground.pieces
        ),
        figures=tuple(_figure(battle, team) for team in battle.teams.values() if team.alive and team.pose is not None),
        marks=tuple(_marks(battle)),
        groups=tuple(_group(battle, platoon) for platoon in battle.platoons.values() if not platoon.destroyed and not platoon.left_table),
        lines=tuple(_lines(battle)),
    )


def _figure(battle: Battle, team: Team) -> Figure:
    assert team.pose is not None
    profile = team.profile
    return Figure(
        id=team.id,
        side=team.side,
        name=Message(profile.name),
        group=team.platoon,
        x=team.pose.x,
        y=team.pose.y,
        facing=team.pose.facing,
        width=profile.width,
        depth=profile.depth,
        symbol=symbol(team),
        letter=LETTERS[profile.team_type],
        states=tuple(_states(battle, team)),
        carried_by=team.mounted_in or team.towed_by,
        leader=battle.platoons[team.platoon].leader == team.id,
    )


def _states(battle: Battle, team: Team) -> list[str]:
    unit = battle.unit_of(team)
    named = {
        "pinned": unit.pinned and not team.profile.armoured,
        "at_the_double": unit.at_the_double,
        "bailed_out": team.bailed_out,
        "bogged": team.bogged,
        "dug_in": team.dug_in,
        "moved": team.moved,
        "shot": team.shot,
        "spotted": team.spotted,
        "in_building": bool(team.building),
    }
    return [name for name, holds in named.items() if holds]


def _marks(battle: Battle) -> list[Mark]:
    marks = [Mark(smoke.id, "smoke", smoke.shape, say("mark.smoke"), smoke.side, "%") for smoke in battle.smoke]
    for index, objective in enumerate(battle.scenario.objectives):
        shape = circle(objective_place(battle, index), HOLDING)
        marks.append(
            Mark(objective.id, "objective", shape, say("mark.objective", objective=objective.id), holder(battle, index) or "", "*")
        )
    for platoon in battle.platoons.values():
        if platoon.aiming_point is not None and not platoon.destroyed:
            place = platoon.aiming_point[0]
            name = say("mark.aiming_point", platoon=platoon.name)
            marks.append(Mark(f"aim_{platoon.id}", "aiming_point", circle(place, INCH // 2), name, platoon.side, "+"))
    return marks


def _group(battle: Battle, platoon: Platoon) -> Group:
    states = {
        "pinned": platoon.pinned,
        "at_the_double": platoon.at_the_double,
        "leaderless": leaderless(battle, platoon),
        "disengaged": platoon.disengaged,
        "reorganising": platoon.reorganising,
        "in_reserve": platoon.in_reserve,
    }
    facts = (
        say("group.rating", skill=platoon.skill, motivation=platoon.motivation),
        say("group.teams", left=sum(battle.teams[id].alive for id in platoon.teams), of=len(platoon.teams)),
    )
    return Group(platoon.id, platoon.side, Message(platoon.name), facts, tuple(name for name, holds in states.items() if holds))


def _lines(battle: Battle) -> list[Message]:
    lines = []
    for side in ("a", "b"):
        destroyed, ready = company_counts(battle, side)
        lines.append(say("line.company", side=battle.scenario.side(side).name, ready=ready, destroyed=destroyed))
        if battle.scenario.side(side).force.air_support:
            lines.append(say("line.air_pool", side=battle.scenario.side(side).name, dice=battle.companies[side].air_pool))
    for index, objective in enumerate(battle.scenario.objectives):
        held = holder(battle, index)
        lines.append(say("line.objective", objective=objective.id, holder=battle.scenario.side(held).name if held else "nobody"))
    return lines


def shown_names(battle: Battle) -> dict[str, str]:
    """Sides and platoons by their names, teams as "Panzer 2 (Panzer IV H)"."""
    names = {side: battle.scenario.side(side).name for side in ("a", "b")}
    for platoon in battle.platoons.values():
        names[platoon.id] = platoon.name
        for number, id in enumerate(platoon.teams, 1):
            kind = battle.teams[id].profile.name
            if len(platoon.teams) > 1:
                names[id] = f"{platoon.name} {number} ({kind})"
            else:
                names[id] = kind if kind == platoon.name else f"{platoon.name} ({kind})"
    return names
