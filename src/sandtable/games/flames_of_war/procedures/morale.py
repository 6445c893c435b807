"""Rallying, recovering and morale (sections 3.1, 3.13 and 5.4 of the rules)."""

from __future__ import annotations

from typing import Literal

from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import Motivation, PlatoonNumber, TeamNumber
from sandtable.games.flames_of_war.procedures.tests import MotivationTest, commander_lets_reroll, is_motivated
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome, required


class RallyPlatoon(MotivationTest, frozen=True, kw_only=True):
    pass


class Rallied(Outcome, frozen=True, kw_only=True):
    result: Literal["rallied", "still_pinned"]
    rolls: tuple[int, ...]


@procedure("rally_platoon", "FOW-START-01", "FOW-IND-04", "FOW-IND-05")
def rally_platoon(facts: RallyPlatoon, dice: Dice) -> Rallied:
    mark = dice.mark()
    passed = is_motivated(dice, facts.motivation, commander_lets_reroll(facts), "FOW-START-01")
    return Rallied(result="rallied" if passed else "still_pinned", rolls=dice.since(mark))


class RecoverCrew(MotivationTest, frozen=True, kw_only=True):
    pass


class Recovered(Outcome, frozen=True, kw_only=True):
    result: Literal["recovered", "still_bailed_out"]
    rolls: tuple[int, ...]


@procedure("recover_crew", "FOW-START-03", "FOW-IND-04", "FOW-IND-05", "FOW-RULING-12")
def recover_crew(facts: RecoverCrew, dice: Dice) -> Recovered:
    mark = dice.mark()
    passed = is_motivated(dice, facts.motivation, commander_lets_reroll(facts), "FOW-START-03")
    return Recovered(result="recovered" if passed else "still_bailed_out", rolls=dice.since(mark))


class PlatoonMorale(Facts, frozen=True, kw_only=True):
    motivation: Motivation | None = None
    destroyed_teams: TeamNumber
    able_teams: TeamNumber
    destroyed_transports: TeamNumber = 0
    loss_this_phase: bool = True
    commander_joined: bool = False
    commander_bailed_out: bool = False


class PlatoonMoraleTested(Outcome, frozen=True, kw_only=True):
    required: bool
    result: Literal["not_required", "fights_on", "destroyed"]
    rolls: tuple[int, ...]


@procedure("platoon_morale", "FOW-MOR-02", "FOW-MOR-03", "FOW-MOR-04", "FOW-MOR-05", "FOW-IND-04", "FOW-IND-05", "FOW-RULING-29")
def platoon_morale(facts: PlatoonMorale, dice: Dice) -> PlatoonMoraleTested:
    mark = dice.mark()
    lost = facts.destroyed_teams + facts.destroyed_transports
    below_half = lost > facts.able_teams
    dice.note("note.below_half" if below_half else "note.not_below_half", "FOW-MOR-03", lost=lost, able=facts.able_teams)
    if not (facts.loss_this_phase and below_half):
        return PlatoonMoraleTested(required=False, result="not_required", rolls=())
    motivation = required(facts.motivation, "motivation")
    passed = is_motivated(dice, motivation, facts.commander_joined and not facts.commander_bailed_out, "FOW-MOR-02")
    return PlatoonMoraleTested(required=True, result="fights_on" if passed else "destroyed", rolls=dice.since(mark))


class CompanyMorale(Facts, frozen=True, kw_only=True):
    motivation: Motivation | None = None
    platoons_destroyed: PlatoonNumber
    platoons_ready: PlatoonNumber


class CompanyMoraleTested(Outcome, frozen=True, kw_only=True):
    required: bool
    result: Literal["not_required", "fights_on", "loses_battle"]
    rolls: tuple[int, ...]


@procedure("company_morale", "FOW-MOR-06", "FOW-START-05", "FOW-RULING-27")
def company_morale(facts: CompanyMorale, dice: Dice) -> CompanyMoraleTested:
    mark = dice.mark()
    below_half = facts.platoons_destroyed > facts.platoons_ready
    dice.note(
        "note.below_half" if below_half else "note.not_below_half", "FOW-MOR-06", lost=facts.platoons_destroyed, able=facts.platoons_ready
    )
    if not below_half:
        return CompanyMoraleTested(required=False, result="not_required", rolls=())
    passed = is_motivated(dice, required(facts.motivation, "motivation"), False, "FOW-MOR-06")
    return CompanyMoraleTested(required=True, result="fights_on" if passed else "loses_battle", rolls=dice.since(mark))
