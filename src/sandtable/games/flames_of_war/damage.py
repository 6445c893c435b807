"""What a result does on the table: shaken crews, wrecks, passengers, warriors, lost leaders, pinned platoons."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.field.paths import free_place_near
from sandtable.field.shapes import Pose, distance, within
from sandtable.field.terrain import Piece
from sandtable.games.flames_of_war.battle import BailedOut, Battle, Destroyed, Pinned, PlatoonGone, Team
from sandtable.games.flames_of_war.command import far, in_reach
from sandtable.games.flames_of_war.rolling import run
from sandtable.kernel.decisions import Option, PickOne
from sandtable.kernel.events import Event
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table


class TookOver(Event, frozen=True):
    """A warrior whose tank was destroyed takes over another: his is a wreck, the other platoon has lost its tank (FOW-RULING-73)."""

    warrior: str
    tank: str

    def apply(self, battle: Battle) -> Battle:
        warrior, taken = battle.teams[self.warrior], battle.teams[self.tank]
        piece = Piece(id=f"wreck_{self.warrior}_{battle.counter}", kind="wreck", form="area", shape=warrior.base, height=1)
        battle = replace(
            battle,
            ground=replace(battle.ground, pieces=(*battle.ground.pieces, replace(piece, name=warrior.profile.name))),
            counter=battle.counter + 1,
        )
        profile = replace(taken.profile, traits=warrior.profile.traits)
        keep = {
            name: getattr(taken, name)
            for name in ("pose", "moved", "shot", "assaulted", "busy", "bailed_out", "bogged", "back", "building")
        }
        battle = battle.with_team(self.warrior, profile=profile, **keep)
        for passenger in battle.passengers(self.tank):
            battle = battle.with_team(
                passenger.id, mounted_in=self.warrior if passenger.mounted_in else "", towed_by=self.warrior if passenger.towed_by else ""
            )
        return Destroyed(self.tank, cause="taken_over").apply(battle)

    def units(self) -> tuple[str, ...]:
        return (self.warrior, self.tank)


class WarriorTested(Event, frozen=True):
    """A warrior's extra save."""

    team: str
    survives: bool

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class GotOut(Event, frozen=True):
    """A passenger, rider or towed gun stands on its own again, at `pose`."""

    team: str
    pose: Pose

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, pose=self.pose, mounted_in="", towed_by="")

    def units(self) -> tuple[str, ...]:
        return (self.team,)


EVENTS: tuple[type[Event], ...] = (TookOver, WarriorTested, GotOut)


def all_armoured(battle: Battle, platoon_id: str) -> bool:
    """Whether a platoon has only armoured vehicles, which are never pinned (FOW-PIN-03)."""
    teams = battle.members(platoon_id)
    return bool(teams) and all(team.profile.armoured for team in teams)


def pin(table: Table[Battle], platoon_id: str) -> None:
    """A platoon is pinned down, unless it is all armour (FOW-PIN-03) or an independent team alone (FOW-IND-08)."""
    platoon = table.battle.platoons[platoon_id]
    if platoon.pinned or platoon.destroyed or platoon.independent or all_armoured(table.battle, platoon_id):
        return
    if table.battle.members(platoon_id):
        table.emit(Pinned(platoon_id))


def apply_result(
    table: Table[Battle], team_id: str, result: str, *, destroyed_results: int = 1, hits: int = 1, cause: str = "fire"
) -> None:
    """What the hits of one attack did to a team.

    `result` is the final one of its hits; `hits` how many it took (tank riders save against each, FOW-PASS-05) and
    `destroyed_results` how many of them said "destroyed" (passengers save against each, FOW-PASS-03).
    """
    team = table.battle.teams[team_id]
    if not team.alive:
        return
    _riders(table, team, hits)
    if result == "bailed_out":
        bail_out(table, team_id)
    elif result == "destroyed":
        destroy(table, team_id, destroyed_results=destroyed_results, cause=cause)


def bail_out(table: Table[Battle], team_id: str) -> None:
    """The crew takes cover. For morale it is a loss of this step even if it had done so before (FOW-MOR-03)."""
    table.emit(BailedOut(team_id))


def destroy(table: Table[Battle], team_id: str, *, destroyed_results: int = 1, cause: str = "fire") -> None:
    """A team is destroyed: a warrior's last chance first, then what it carried, then its platoon."""
    team = table.battle.teams[team_id]
    if not team.alive or (team.profile.warrior and _warrior_escapes(table, team)):
        return
    wreck = team.profile.armoured and team.profile.vehicle and team.on_table  # FOW-WRECK-01, -02
    carried = table.battle.passengers(team_id)
    table.emit(Destroyed(team_id, wreck=wreck, cause=cause))
    _passengers(table, team, carried, destroyed_results)
    close_platoon(table, team.platoon)


def close_platoon(table: Table[Battle], platoon_id: str) -> None:
    """A platoon with no team left is destroyed without a test (FOW-RULING-76); one that left the table has only left (FOW-EXIT-03)."""
    platoon = table.battle.platoons[platoon_id]
    fates = [table.battle.teams[id].fate for id in platoon.teams]
    if not platoon.destroyed and all(fates) and "destroyed" in fates:
        table.emit(PlatoonGone(platoon_id))


# -- what it carried ----------------------------------------------------------------------------------------------


def _is_rider(carrier: Team, passenger: Team) -> bool:
    return carrier.profile.team_type == "tank" and bool(passenger.mounted_in) and "observer" not in passenger.profile.traits


def _riders(table: Table[Battle], carrier: Team, hits: int) -> None:
    """Tank riders save on 5+ each time their tank is hit (FOW-PASS-05, FOW-RULING-20)."""
    for passenger in table.battle.passengers(carrier.id):
        if _is_rider(carrier, passenger):
            saved = run(table, passenger.side, "tank_rider_save", riders=1, hits=hits)
            if saved.eliminated and not _saved_as_passenger(table, passenger):
                table.emit(Destroyed(passenger.id, cause="riding"))
                close_platoon(table, passenger.platoon)


def _passengers(table: Table[Battle], carrier: Team, carried: list[Team], destroyed_results: int) -> None:
    """Passengers of a destroyed vehicle survive on 5+ and get out beside it (FOW-PASS-01 to -04, FOW-RULING-67).

    Where no other transport is left they fight on foot (FOW-RULING-54).
    """
    for passenger in carried:
        if not table.battle.teams[passenger.id].alive:
            continue
        towed = bool(passenger.towed_by)
        pose = carrier.pose if towed else _place_beside(table.battle, carrier, passenger)
        if _is_rider(carrier, passenger):
            survives = pose is not None
        else:
            saved = run(
                table, passenger.side, "passenger_save", passengers=1, destroyed_results=destroyed_results, can_dismount=pose is not None
            )
            survives = saved.survivors == 1
        if not survives and not _saved_as_passenger(table, passenger):
            table.emit(Destroyed(passenger.id, cause="passenger"))
            close_platoon(table, passenger.platoon)
        else:
            assert carrier.pose is not None
            table.emit(GotOut(passenger.id, pose or carrier.pose))
        pin(table, passenger.unit)  # FOW-PASS-04


def _saved_as_passenger(table: Table[Battle], team: Team) -> bool:
    """A transported warrior team that would be lost is unharmed on 4+ (FOW-WAR-04, FOW-RULING-19)."""
    if not team.profile.warrior:
        return False
    saved = run(table, team.side, "warrior_save", form="transported")
    table.emit(WarriorTested(team.id, saved.survives))
    return bool(saved.survives)


def _place_beside(battle: Battle, carrier: Team, passenger: Team) -> Pose | None:
    """A place touching the vehicle, on free ground outside enemy standoff (FOW-RULING-67)."""
    assert carrier.pose is not None
    taken = [base for _, base in battle.bases(but=[carrier.id])]
    enemies = [enemy.base for enemy in battle.enemies(passenger.side)]
    standoff = far("enemy_standoff")
    hull = carrier.base
    size = passenger.profile

    def allowed(pose: Pose) -> bool:
        from sandtable.field.shapes import rectangle

        base = rectangle(pose, size.width, size.depth)
        if not within(distance(base, hull), 250):
            return False
        return all(distance(base, enemy) > standoff for enemy in enemies)

    reach = (carrier.profile.depth + carrier.profile.width + size.width + size.depth) // 2 + 500
    return free_place_near(
        carrier.pose, size.width, size.depth, [*taken, hull], (0, 0, battle.ground.width, battle.ground.height), far=reach, allowed=allowed
    )


# -- warriors -----------------------------------------------------------------------------------------------------


def _replacements(battle: Battle, warrior: Team) -> list[Team]:
    """Teams of his company and of his own type within command distance (FOW-WAR-02, -03, FOW-RULING-73)."""
    own = battle.platoons[warrior.platoon]
    return [
        team
        for team in battle.side_teams(warrior.side)
        if team.id != warrior.id and team.profile.team_type == warrior.profile.team_type and in_reach(battle, own, warrior, team)
    ]


def _warrior_escapes(table: Table[Battle], warrior: Team) -> bool:
    """The extra save of a warrior: on 4+ he takes over another tank, or another team is lost in his place."""
    battle = table.battle
    if warrior.carried:
        return _saved_as_passenger(table, warrior)
    form = {"tank": "tank", "infantry": "infantry"}.get(warrior.profile.team_type)
    if form is None:
        return False
    choices = _replacements(battle, warrior)
    saved = run(table, warrior.side, "warrior_save", form=form, replacement_in_command=bool(choices))  # FOW-RULING-61
    table.emit(WarriorTested(warrior.id, saved.survives))
    if not saved.survives:
        return False
    chosen = choices[0].id if len(choices) == 1 else _choose(table, warrior, choices)
    platoon = battle.teams[chosen].platoon
    if form == "tank":
        carried = battle.passengers(warrior.id)
        table.emit(TookOver(warrior.id, chosen))
        _passengers(table, warrior, carried, 1)
    else:
        table.emit(Destroyed(chosen, cause="warrior"))
    close_platoon(table, platoon)
    return True


def _choose(table: Table[Battle], warrior: Team, choices: list[Team]) -> Any:
    """Which tank is taken over, which team is removed (FOW-DEC-19)."""
    options = tuple(Option(team.id, say("option.team", team=team.id, name=team.profile.name), units=(team.id,)) for team in choices)
    return table.ask(
        PickOne(
            player=warrior.side,
            decision="FOW-DEC-19",
            prompt=say("ask.warrior", team=warrior.profile.name),
            unit=warrior.id,
            options=options,
            default=options[-1].id,
        )
    )
