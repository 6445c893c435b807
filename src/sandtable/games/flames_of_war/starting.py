"""The starting step: company morale, victory, the call for aircraft, rallying, crews, bogged vehicles, old smoke (FOW-RULING-02)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.field.paths import free_place_near
from sandtable.field.shapes import Pose
from sandtable.games.flames_of_war.battle import Battle, CrewTested, Freed, PhaseBegan, RallyTested, StillBogged, Team
from sandtable.games.flames_of_war.command import motivation_facts, offer_join
from sandtable.games.flames_of_war.morale import company_fights_on
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.victory import company_broken, objective_taken
from sandtable.kernel.events import Ended, Event
from sandtable.kernel.table import Table


class SmokeLifted(Event, frozen=True):
    """A side's smoke is gone."""

    side: str

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, smoke=tuple(smoke for smoke in battle.smoke if smoke.side != self.side))


EVENTS: tuple[type[Event], ...] = (SmokeLifted,)


def starting_step(table: Table[Battle]) -> None:
    from sandtable.games.flames_of_war.air import call_air

    side = table.battle.active
    if not company_fights_on(table, side):  # FOW-START-05
        table.emit(Ended(company_broken(side)))
        return
    if (won := objective_taken(table.battle, side)) is not None:
        table.emit(Ended(won))
        return
    call_air(table)  # FOW-START-06
    _commanders_join(table)
    _rally(table)
    _recover_crews(table)
    _free_bogged(table)
    if any(smoke.side == side for smoke in table.battle.smoke):
        table.emit(SmokeLifted(side))  # FOW-START-04
    table.emit(PhaseBegan("movement"))


def _commanders_join(table: Table[Battle]) -> None:
    """Commanders may join a platoon that has a motivation test to take (FOW-IND-02, -04)."""
    side = table.battle.active
    needy = [
        platoon.id
        for platoon in table.battle.side_platoons(side)
        if not platoon.independent and (platoon.pinned or any(table.battle.teams[id].bailed_out for id in platoon.teams))
    ]
    if needy:
        for team in table.battle.side_teams(side):
            if any(trait in team.profile.traits for trait in ("company_commander", "higher_command")):
                offer_join(table, team.id, platoons=needy)


def _rally(table: Table[Battle]) -> None:
    """Each pinned platoon takes a motivation test (FOW-START-01)."""
    for platoon in table.battle.side_platoons(table.battle.active):
        if platoon.pinned:
            tested = run(table, platoon.side, "rally_platoon", **motivation_facts(table.battle, platoon))
            table.emit(RallyTested(platoon.id, tested.result == "rallied"))


def _recover_crews(table: Table[Battle]) -> None:
    """Each bailed-out vehicle takes a motivation test (FOW-START-03, FOW-RULING-12)."""
    for team in list(table.battle.side_teams(table.battle.active)):
        if team.bailed_out:
            tested = run(table, team.side, "recover_crew", **motivation_facts(table.battle, table.battle.unit_of(team), team))
            table.emit(CrewTested(team.id, tested.result == "recovered"))


def _free_bogged(table: Table[Battle]) -> None:
    """Each bogged vehicle or gun takes a skill test; a crew that is bailed out cannot (FOW-START-02, FOW-RULING-66)."""
    for team in list(table.battle.side_teams(table.battle.active)):
        if team.bogged and not team.bailed_out:
            tested = run(table, team.side, "free_bogged", skill=table.battle.platoons[team.platoon].skill)
            if tested.result == "freed":
                table.emit(Freed(team.id, place_back(table.battle, team)))
            else:
                table.emit(StillBogged(team.id))


def place_back(battle: Battle, team: Team) -> Pose:
    """Where a freed team goes: the place before the edge, or the nearest free one."""
    wanted = team.back or team.pose
    assert wanted is not None
    taken = [base for _, base in battle.bases(but=[team.id])]
    bounds = (0, 0, battle.ground.width, battle.ground.height)
    found = free_place_near(wanted, team.profile.width, team.profile.depth, taken, bounds)
    return found or wanted
