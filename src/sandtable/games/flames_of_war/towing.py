"""Towing instead of shooting: recovery vehicles and their makeshift helpers (FOW-TOW-01 to -05)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.field.shapes import distance, overlap, shifted, within
from sandtable.games.flames_of_war.battle import INCH, Battle, Bogged, Freed, Team
from sandtable.games.flames_of_war.command import close, far
from sandtable.games.flames_of_war.going import map_of
from sandtable.games.flames_of_war.rolling import run
from sandtable.kernel.decisions import Option, PickRoute, Refusal, Route
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

NEXT_TO = INCH
"""Next to = bases at most one inch apart (FOW-RULING-67)."""


class TowTried(Event, frozen=True):
    """A vehicle tried to tow another, a gun or a wreck. Neither shoots or assaults this turn (FOW-TOW-04)."""

    tower: str
    target: str
    freed: bool

    def apply(self, battle: Battle) -> Battle:
        both = [id for id in (self.tower, self.target) if id in battle.teams]
        return battle.with_teams(both, busy=True)

    def units(self) -> tuple[str, ...]:
        return (self.tower, self.target)


class WreckTowed(Event, frozen=True):
    """A wreck is dragged elsewhere; it stays a wreck (FOW-RULING-07)."""

    wreck: str
    right: int
    up: int

    def apply(self, battle: Battle) -> Battle:
        pieces = tuple(
            replace(piece, shape=shifted(piece.shape, self.right, self.up)) if piece.id == self.wreck else piece
            for piece in battle.ground.pieces
        )
        return replace(battle, ground=replace(battle.ground, pieces=pieces))


EVENTS: tuple[type[Event], ...] = (TowTried, WreckTowed)


def ground_under(battle: Battle, team: Team) -> str:
    """The hardest terrain a team stands in; on a road only wrecks and buildings count."""
    lie = map_of(battle.ground)
    on_road = any(piece.kind == "road" for piece in battle.ground.pieces_at(team.centre))
    goings = [going for piece, going in lie.rough if overlap(piece.outline, team.base) and (piece.kind == "wreck" or not on_road)]
    if team.building or "very_difficult" in goings:
        return "very_difficult"
    if goings:
        return "difficult"
    return "road" if on_road else "cross_country"


def _size(team: Team) -> int:
    """Base area; any gun is smaller than any vehicle (FOW-RULING-67)."""
    return team.profile.width * team.profile.depth * team.profile.vehicle


def tower_refusal(battle: Battle, tower: Team) -> Refusal | None:
    """Why a team cannot tow now (FOW-TOW-02, -04): it stands in for shooting."""
    if not tower.profile.vehicle or not tower.on_table:
        return Refusal("FOW-TOW-05", say("refused.tow_no_vehicle", team=tower.id))
    if tower.bogged or tower.bailed_out:
        return Refusal("FOW-TOW-02", say("refused.tow_tower", team=tower.id))
    if battle.unit_of(tower).at_the_double:
        return Refusal("FOW-DBL-07", say("refused.shoot_double", platoon=battle.unit_of(tower).name))
    if tower.done_shooting or battle.unit_of(tower).acted:
        return Refusal("FOW-TOW-03", say("refused.tow_has_acted", team=tower.id))
    return None


def tow_options(battle: Battle, side: str) -> list[Option]:
    """Every tow that somebody stands ready for: `tower>target:tow`."""
    stuck = [team for team in battle.side_teams(side) if team.bogged and not team.shot]
    wrecks = [piece for piece in battle.ground.pieces if piece.kind == "wreck"]
    if not stuck and not wrecks:
        return []
    found = []
    for tower in battle.side_teams(side):
        recovers = "recovery_vehicle" in tower.profile.traits
        if not tower.profile.vehicle or not (stuck or recovers):
            continue
        for target in stuck:
            if target.id != tower.id and close(tower, target, NEXT_TO):
                refusal = tower_refusal(battle, tower)
                if refusal is None and not recovers and _size(target) > _size(tower):
                    refusal = Refusal("FOW-TOW-05", say("refused.tow_too_big", team=target.id))
                label = say("option.tow", team=tower.id, target=target.profile.name)
                found.append(Option(f"{tower.id}>{target.id}:tow", label, refusal, (tower.id, target.id)))
        if recovers and tower_refusal(battle, tower) is None:
            for piece in wrecks:  # FOW-TOW-01
                if within(distance(tower.base, piece.outline), NEXT_TO):
                    label = say("option.tow", team=tower.id, target=piece.name or "wreck")
                    found.append(Option(f"{tower.id}>{piece.id}:tow", label, None, (tower.id,)))
    return found


def tow(table: Table[Battle], tower_id: str, target_id: str) -> None:
    """One attempt. Passed, both may be moved up to 4 inches (FOW-TOW-03); failed in rough ground, the tower bogs too (FOW-RULING-07)."""
    battle = table.battle
    tower = battle.teams[tower_id]
    target = battle.teams.get(target_id)
    tried = run(
        table,
        tower.side,
        "recovery_tow",
        recovery_vehicle="recovery_vehicle" in tower.profile.traits,
        terrain=ground_under(battle, tower),
        skill=battle.platoons[tower.platoon].skill,
        tower_bogged=tower.bogged,
        tower_bailed_out=tower.bailed_out,
        target_same_or_smaller=target is None or _size(target) <= _size(tower),
    )
    freed = tried.result == "freed"
    table.emit(TowTried(tower_id, target_id, freed))
    if tried.tower_bogged:
        assert tower.pose is not None
        table.emit(Bogged(tower_id, tower.pose))
    if not freed:
        return
    if target is None:
        _drag_wreck(table, tower, target_id)
    else:
        assert target.pose is not None
        table.emit(Freed(target_id, target.pose))
        way = (target.back.x, target.back.y) if target.back is not None else None
        _drag(table, target_id, tower.side, way)
    _drag(table, tower_id, tower.side, None)


def _drag(table: Table[Battle], id: str, side: str, way: tuple[int, int] | None) -> None:
    """Up to 4 inches anywhere it may stand; by default back to where it came from."""
    from sandtable.games.flames_of_war.movement import carry_out, plan_route

    battle = table.battle

    def check(answer: Route) -> None:
        if answer.path:
            plan_route(battle, id, answer, "tow")

    default: dict[str, Any] = {}
    if way is not None:
        try:
            check(Route((way,)))
            default = {"path": [list(way)]}
        except RefusedError:
            pass
    request = PickRoute(
        player=side,
        decision="FOW-DEC-10",
        prompt=say("ask.tow_move", team=battle.teams[id].profile.name),
        unit=id,
        reach=far("recovery_tow"),
        hints={"mode": "tow"},
        default=default,
    )
    answer = table.ask(request, check)
    if answer.path:
        carry_out(table, id, plan_route(battle, id, answer, "tow"))


def _drag_wreck(table: Table[Battle], tower: Team, wreck: str) -> None:
    """A wreck goes up to 4 inches, straight, to a free place."""
    battle = table.battle
    piece = battle.ground.by_id[wreck]
    x, y = piece.outline[0]

    def check(answer: Route) -> None:
        if not answer.path:
            return
        right, up = answer.path[-1][0] - x, answer.path[-1][1] - y
        if not within((right * right + up * up) ** 0.5, far("recovery_tow")):
            raise RefusedError("FOW-TOW-03", "refused.tow_far", team=wreck)
        place = shifted(piece.outline, right, up)
        if not battle.ground.within_table(place) or any(overlap(place, base) for _, base in battle.bases()):
            raise RefusedError("FOW-MOVE-09", "refused.tow_no_room", team=wreck)

    request = PickRoute(
        player=tower.side,
        decision="FOW-DEC-10",
        prompt=say("ask.tow_move", team=piece.name or "wreck"),
        reach=far("recovery_tow"),
        default={},
    )
    answer = table.ask(request, check)
    if answer.path:
        table.emit(WreckTowed(wreck, answer.path[-1][0] - x, answer.path[-1][1] - y))
