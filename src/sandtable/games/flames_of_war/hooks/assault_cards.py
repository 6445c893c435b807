"""Odds cards of assaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.games.flames_of_war.assault import chargers, defenders
from sandtable.games.flames_of_war.battle import Battle, Platoon, Team
from sandtable.games.flames_of_war.command import motivation_facts
from sandtable.games.flames_of_war.hooks.chances import QUIET, line, tested
from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.games.flames_of_war.procedures.assault import Assault, AssaultAttacker, AssaultSide, DefensiveFire
from sandtable.games.flames_of_war.procedures.tests import motivation_score, skill_score
from sandtable.games.flames_of_war.targets import Volley, dice_for, score_for, volleys_of
from sandtable.kernel.decisions import Request
from sandtable.kernel.game import Card
from sandtable.kernel.messages import say
from sandtable.odds import distribution


def assault_card(battle: Battle, request: Request, option: str) -> Card | None:
    """The whole fight by the procedure `assault`: as if every charger came into contact, and all of a side were like its first team."""
    attacker_id, _, target_id = option.removeprefix("breakthrough:").rpartition(">")
    attacker, target = battle.platoons.get(attacker_id or request.unit), battle.platoons.get(target_id)
    if attacker is None or target is None:
        return None
    mine = chargers(battle, attacker)
    theirs = [team for team in battle.standing(target.id) if team.operational]
    if not mine or not theirs:
        return None
    firing = volleys_of(battle, defenders(battle, attacker.id, target.id), [team.id for team in mine], defensive=True)
    facts = Assault(
        attacker=AssaultAttacker(**_side(battle, attacker, mine)),
        defender=AssaultSide(**_side(battle, target, theirs)),
        defensive_fire=_defensive_fire(battle, firing, attacker),
    )
    found = distribution(PROCEDURES["assault"].run, facts, fields=("outcome",))
    odds = [
        line(f"chance.{word}", found.p((word,)))
        for word in ("refused", "repulsed", "attacker_wins", "defender_wins", "unresolved")
        if found.p((word,))
    ]
    losses = distribution(PROCEDURES["assault"].run, facts, fields=("attacker_destroyed", "defender_destroyed"))
    summary = say(
        "card.assault",
        platoon=attacker.id,
        target=target.id,
        mine=round(losses.mean(lambda outcome: outcome[0]), 2),
        theirs=round(losses.mean(lambda outcome: outcome[1]), 2),
    )
    shots = facts.defensive_fire.shots if facts.defensive_fire is not None else 0
    notes = (say("card.assault_sides", mine=len(mine), theirs=len(theirs), shots=shots), say("card.assault_guess"))
    return Card(summary, tuple(odds), (skill_score(attacker.skill).parts,), notes)


def _side(battle: Battle, platoon: Platoon, teams: list[Team]) -> dict[str, Any]:
    first = teams[0].profile
    kind = "unarmoured_vehicle" if first.vehicle and not first.armoured else "tank" if first.vehicle else first.team_type
    heart = motivation_facts(battle, platoon)
    return {
        "teams": len(teams),
        "kind": kind,
        "skill": platoon.skill,
        "motivation": platoon.motivation,
        "commander_joined": heart["commander_joined"] and not heart["commander_bailed_out"],
        "assault_at": first.assault_at,
        "armour_top": first.armour_top,
        "armour_side": first.armour_side,
    }


def _defensive_fire(battle: Battle, volleys: Sequence[Volley], attacker: Platoon) -> DefensiveFire | None:
    """All defensive dice with the score and weapon of the volley that has most of them."""
    if not volleys:
        return None
    dice = [dice_for(battle, volley, attacker, QUIET, defensive=True).dice for volley in volleys]
    main = volleys[max(range(len(volleys)), key=lambda place: dice[place])]
    needed = score_for(battle, main, attacker, defensive=True).needed
    return DefensiveFire(shots=sum(dice), needed=needed, anti_tank=main.weapon.anti_tank, firepower=main.weapon.firepower)


def reaction_card(battle: Battle, request: Request, option: str) -> Card | None:
    """The motivation test of a counter-attack, which is taken if it was hit or faces tanks (FOW-ASLT-15)."""
    platoon = battle.platoons.get(request.unit)
    if option != "counterattack" or platoon is None:
        return None
    facts = motivation_facts(battle, platoon)
    motivation: Any = platoon.motivation
    return tested(
        "motivation_test", "True", motivation_score(motivation).parts, say("card.counterattack", platoon=platoon.id), "passed", **facts
    )
