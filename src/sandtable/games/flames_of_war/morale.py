"""Morale of platoons at the end of the shooting and assault steps, and of the company at the start of its turn."""

from __future__ import annotations

from sandtable.games.flames_of_war.battle import Battle, PhaseBegan, Platoon, PlatoonGone
from sandtable.games.flames_of_war.command import motivation_facts
from sandtable.games.flames_of_war.rolling import run
from sandtable.kernel.events import Event, other
from sandtable.kernel.table import Table


class MoraleTested(Event, frozen=True):
    """A platoon below half strength tested its morale."""

    platoon: str
    stays: bool

    def apply(self, battle: Battle) -> Battle:
        return battle


class CompanyTested(Event, frozen=True):
    """A company below half its platoons tested its morale."""

    side: str
    stays: bool

    def apply(self, battle: Battle) -> Battle:
        return battle


EVENTS: tuple[type[Event], ...] = (MoraleTested, CompanyTested)


def strength(battle: Battle, platoon: Platoon) -> tuple[int, int]:
    """Teams able to fight, and destroyed ones (FOW-MOR-04, -05, FOW-RULING-29, -76)."""
    able = 0
    for id in platoon.teams:
        team = battle.teams[id]
        counts = team.profile.team_type != "transport" or platoon.role == "transport"
        able += team.alive and not team.bailed_out and counts
    return able, platoon.losses


def platoon_morale(table: Table[Battle], platoon_id: str) -> None:
    """One platoon's test, if it is due (FOW-MOR-02, -03); a leaderless one takes it too (FOW-CMD-07)."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    able, destroyed = strength(battle, platoon)
    facts = motivation_facts(battle, platoon)
    tested = run(
        table,
        platoon.side,
        "platoon_morale",
        motivation=platoon.motivation,
        destroyed_teams=destroyed,
        able_teams=able,
        destroyed_transports=platoon.transports_lost,
        loss_this_phase=platoon.lost,
        commander_joined=facts["commander_joined"],
        commander_bailed_out=facts["commander_bailed_out"],
    )
    if tested.required:
        stays = tested.result == "fights_on"
        table.emit(MoraleTested(platoon_id, stays))
        if not stays:
            table.emit(PlatoonGone(platoon_id, fled=True))


def morale_step(table: Table[Battle], after: str) -> None:
    """Every platoon that suffered in this step, the active side's first; then the step `after` begins."""
    from sandtable.games.flames_of_war.movement import change_tanks

    for side in (table.battle.active, other(table.battle.active)):
        for platoon in table.battle.side_platoons(side):
            if not platoon.independent and platoon.lost:
                platoon_morale(table, platoon.id)
    change_tanks(table)
    table.emit(PhaseBegan(after))


def company_counts(battle: Battle, side: str) -> tuple[int, int]:
    """Platoons destroyed and ready: without headquarters and lone independent teams, reserves and those that left (FOW-RULING-30, -76)."""
    counted = [p for p in battle.platoons.values() if p.side == side and not p.independent and not p.in_reserve and not p.left_table]
    destroyed = sum(p.destroyed for p in counted)
    return destroyed, len(counted) - destroyed


def company_fights_on(table: Table[Battle], side: str) -> bool:
    """Company morale at the start of the own turn (FOW-MOR-06, FOW-START-05, FOW-RULING-27)."""
    battle = table.battle
    destroyed, ready = company_counts(battle, side)
    tested = run(
        table, side, "company_morale", motivation=battle.companies[side].motivation, platoons_destroyed=destroyed, platoons_ready=ready
    )
    if not tested.required:
        return True
    stays = bool(tested.result == "fights_on")
    table.emit(CompanyTested(side, stays))
    return stays
