"""Reconnaissance: eyes and ears, and disengaging from fire, bombardment or assault."""

from __future__ import annotations

from typing import Any

from sandtable.games.flames_of_war.battle import Battle, Platoon, Team
from sandtable.games.flames_of_war.command import close, far, motivation_facts
from sandtable.games.flames_of_war.procedures.recon import EyesAndEars, eyes_and_ears
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.sight import concealed, gap_to, inches, visible
from sandtable.kernel.decisions import Option, PickOne, PickRoute, Refusal, Route
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

_QUIET = Dice()


class Spotted(Event, frozen=True):
    """A recon team points out an enemy that had gone to ground, and does nothing else this turn (FOW-REC-01)."""

    team: str
    by: str

    def apply(self, battle: Battle) -> Battle:
        return battle.with_team(self.team, spotted=True).with_team(self.by, busy=True)

    def units(self) -> tuple[str, ...]:
        return (self.team, self.by)


class DisengageTested(Event, frozen=True):
    """A recon platoon tried to disengage, or was tried by the fire (`forced`): whether it goes."""

    platoon: str
    goes: bool
    forced: bool = False

    def apply(self, battle: Battle) -> Battle:
        return battle.with_platoon(self.platoon, disengaged=True) if self.goes else battle


EVENTS: tuple[type[Event], ...] = (Spotted, DisengageTested)


# -- eyes and ears --------------------------------------------------------------------------------------------------------


def spots(battle: Battle, team: Team) -> list[Team]:
    """The enemies gone to ground that a recon team may point out: seen, within 16 inches (FOW-REC-01, FOW-RULING-46)."""
    if "recon" not in team.profile.traits or not team.on_table or not team.operational or team.busy or team.shot:
        return []
    platoon = battle.unit_of(team)
    found = []
    for enemy in battle.enemies(team.side):
        if enemy.spotted or not close(team, enemy, far("eyes_and_ears")):
            continue
        facts = EyesAndEars(
            distance_in=inches(gap_to(battle, team, enemy)),
            pinned=platoon.pinned,
            moved=team.moved,
            disengaged_last_turn=platoon.reorganising,  # FOW-REC-11
        )
        if not eyes_and_ears(facts, _QUIET).allowed or not visible(battle, team, enemy):
            continue
        if concealed(battle, team, enemy).gone_to_ground:
            found.append(enemy)
    return found


def eyes_and_ears_step(table: Table[Battle]) -> None:
    """Recon teams point out targets, one after another, as long as the player wants to (FOW-DEC-09)."""
    while True:
        battle = table.battle
        side = battle.active
        options = [
            Option(f"{team.id}>{enemy.id}", say("option.spot", team=team.id, enemy=enemy.profile.name), units=(team.id, enemy.id))
            for team in battle.side_teams(side)
            if "recon" in team.profile.traits
            for enemy in spots(battle, team)
        ]
        if not options:
            return
        options.append(Option("none", say("option.no_more")))
        chosen = table.ask(
            PickOne(player=side, decision="FOW-DEC-09", prompt=say("ask.eyes_and_ears"), options=tuple(options), default="none")
        )
        if chosen == "none":
            return
        by, _, enemy_id = chosen.partition(">")
        run(table, side, "eyes_and_ears", distance_in=inches(gap_to(battle, battle.teams[by], battle.teams[enemy_id])))
        table.emit(Spotted(enemy_id, by))


# -- disengaging ----------------------------------------------------------------------------------------------------------


def is_recon(battle: Battle, platoon: Platoon) -> bool:
    """A platoon of recon teams."""
    teams = [battle.teams[id] for id in platoon.teams if battle.teams[id].alive]
    return bool(teams) and all("recon" in team.profile.traits for team in teams)


def disengage_refusal(battle: Battle, platoon_id: str, attack: str, *, ranged_in_attempt: int = 0) -> Refusal | None:
    """Why a platoon may not disengage (FOW-REC-02, -06, -07, FOW-DBL-09, FOW-RULING-47, -79), or None."""
    platoon = battle.platoons[platoon_id]
    if platoon.destroyed or not is_recon(battle, platoon):
        return Refusal("FOW-REC-02", say("refused.not_recon", platoon=platoon.name))
    if attack == "air":
        return Refusal("FOW-REC-07", say("refused.disengage_air"))
    if attack == "artillery" and ranged_in_attempt == 1:
        return Refusal("FOW-REC-06", say("refused.disengage_first_ranging"))
    if platoon.disengaged:
        return Refusal("FOW-RULING-47", say("refused.disengaged_already", platoon=platoon.name))
    if platoon.at_the_double:
        return Refusal("FOW-DBL-09", say("refused.disengage_double", platoon=platoon.name))
    if _attacked(battle, platoon):
        return Refusal("FOW-REC-02", say("refused.disengage_attacked", platoon=platoon.name))
    if not _movers(battle, platoon):
        return Refusal("FOW-RULING-79", say("refused.disengage_nobody", platoon=platoon.name))
    return None


def _attacked(battle: Battle, platoon: Platoon) -> bool:
    """In its own latest turn some team of it assaulted (FOW-RULING-79)."""
    return any(battle.teams[id].assaulted for id in platoon.teams)


def _movers(battle: Battle, platoon: Platoon) -> list[Team]:
    """The teams that can go: not the bailed-out and bogged ones (FOW-RULING-79)."""
    return [team for id in platoon.teams if (team := battle.teams[id]).on_table and team.operational]


def wants_to_disengage(table: Table[Battle], platoon_id: str, attack: str, *, ranged_in_attempt: int = 0) -> bool:
    """Ask the owner, if the platoon may (FOW-DEC-12, -16, -21)."""
    battle = table.battle
    if disengage_refusal(battle, platoon_id, attack, ranged_in_attempt=ranged_in_attempt) is not None:
        return False
    platoon = battle.platoons[platoon_id]
    decision = {"shooting": "FOW-DEC-12", "artillery": "FOW-DEC-16", "assault": "FOW-DEC-21"}[attack]
    options = (Option("stand", say("option.stand")), Option("disengage", say("option.disengage")))
    chosen = table.ask(
        PickOne(
            player=platoon.side,
            decision=decision,
            prompt=say("ask.disengage", platoon=platoon.name, attack=f"attack_{attack}"),
            unit=platoon.teams[0],
            options=options,
            default="disengage" if attack == "assault" else "stand",
        )
    )
    return bool(chosen == "disengage")


def try_to_disengage(
    table: Table[Battle], platoon_id: str, attack: str, *, ranged_in_attempt: int = 0, attackers: tuple[str, ...] = ()
) -> bool:
    """The skill test (FOW-REC-05) and, passed, the move."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    tested = run(
        table,
        platoon.side,
        "disengage",
        skill=platoon.skill,
        attack=attack,
        at_the_double=platoon.at_the_double,
        attacked_last_turn=_attacked(battle, platoon),
        ranged_in_attempt=ranged_in_attempt,
    )
    goes = bool(tested.result == "disengaged")
    table.emit(DisengageTested(platoon_id, goes))
    if goes:
        move_away(table, platoon_id, attackers)
    return goes


def offer_disengage(
    table: Table[Battle], platoon_id: str, attack: str, *, ranged_in_attempt: int = 0, attackers: tuple[str, ...] = ()
) -> bool:
    """Ask whether a recon platoon disengages, test and move it: True if it got away. Does nothing for a platoon that may not."""
    if not wants_to_disengage(table, platoon_id, attack, ranged_in_attempt=ranged_in_attempt):
        return False
    return try_to_disengage(table, platoon_id, attack, ranged_in_attempt=ranged_in_attempt, attackers=attackers)


def forced_to_disengage(table: Table[Battle], platoon_id: str, failed_saves: int, attackers: tuple[str, ...] = ()) -> bool:
    """A recon platoon that failed a save from shooting tests motivation; failed, it must go, without a skill test (FOW-REC-08)."""
    battle = table.battle
    if not failed_saves or disengage_refusal(battle, platoon_id, "shooting") is not None:
        return False
    platoon = battle.platoons[platoon_id]
    facts = motivation_facts(battle, platoon)
    tested = run(
        table,
        platoon.side,
        "forced_disengage",
        motivation=platoon.motivation,
        failed_saves=failed_saves,
        commander_joined=facts["commander_joined"] and not facts["commander_bailed_out"],
    )
    goes = bool(tested.result == "forced_disengage")
    table.emit(DisengageTested(platoon_id, goes, forced=True))
    if goes:
        move_away(table, platoon_id, attackers)
    return goes


def move_away(table: Table[Battle], platoon_id: str, attackers: tuple[str, ...] = ()) -> None:
    """Every team that can moves at its full speed, away from the attackers (FOW-REC-05, FOW-RULING-47, FOW-DEC-22)."""
    from sandtable.games.flames_of_war.movement import away_from, carry_out, plan_route

    for id in [team.id for team in _movers(table.battle, table.battle.platoons[platoon_id])]:
        battle = table.battle
        team = battle.teams[id]
        if not team.on_table or not team.operational:
            continue
        foes = [foe for foe in attackers if battle.teams[foe].on_table] or [foe.id for foe in battle.enemies(team.side)]
        if not foes:
            return

        def check(answer: Route, battle: Battle = battle, id: str = id, foes: list[str] = foes) -> None:
            if answer.path:
                plan_route(battle, id, answer, "disengage", enemies=foes)

        route = away_from(battle, id, foes, "disengage")
        default: dict[str, Any] = {"path": route.path, "facing": route.facing} if route.path else {}
        request = PickRoute(
            player=team.side,
            decision="FOW-DEC-22",
            prompt=say("ask.disengage_move", team=team.profile.name),
            unit=id,
            hints={"mode": "disengage", "enemies": foes},
            default=default,
        )
        answer = table.ask(request, check)
        if answer.path:
            carry_out(table, id, plan_route(battle, id, answer, "disengage", enemies=foes))
