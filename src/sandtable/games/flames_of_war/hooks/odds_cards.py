"""Odds cards: what may come of an option, exactly, and where the score needed comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.games.flames_of_war.artillery import aims
from sandtable.games.flames_of_war.battle import Battle
from sandtable.games.flames_of_war.hooks.assault_cards import assault_card, reaction_card
from sandtable.games.flames_of_war.hooks.chances import tested
from sandtable.games.flames_of_war.hooks.fire_cards import defence_card, fire_card, target_card
from sandtable.games.flames_of_war.hooks.template_cards import aim_card, bombardment_card, smoke_card, strike_card
from sandtable.games.flames_of_war.procedures.tests import skill_score
from sandtable.games.flames_of_war.shooting import worth
from sandtable.games.flames_of_war.targets import targets_of
from sandtable.kernel.decisions import Request
from sandtable.kernel.game import Card
from sandtable.kernel.messages import say


def odds_card(battle: Battle, request: Request, option: str) -> Card | None:
    """The card of an option, for the questions in which dice follow the answer."""
    make = CARDS.get(request.prompt.id)
    return make(battle, request, option) if make is not None else None


def _order_card(battle: Battle, request: Request, option: str) -> Card | None:
    """An order to fire: the card of the target that is worth most. To bombard: of the first aim."""
    who, _, what = option.rpartition(":")
    if what == "fire" and who in battle.platoons:
        possible = targets_of(battle, who)
        best = max(possible, key=lambda one: (worth(battle, possible[one], one), one), default=None)
        return None if best is None else fire_card(battle, possible[best], best)
    if what == "bombard" and who in battle.platoons:
        found = aims(battle, battle.platoons[who])
        return bombardment_card(battle, battle.platoons[who], *found[0]) if found else None
    return None


def _platoon_order_card(battle: Battle, request: Request, option: str) -> Card | None:
    who, _, order = option.rpartition(":")
    if order != "dig_in" or who not in battle.platoons:
        return None
    skill: Any = battle.platoons[who].skill
    return tested("dig_in", "dug_in", skill_score(skill).parts, say("card.dig_in", platoon=who), skill=skill)


def _again_card(battle: Battle, request: Request, option: str) -> Card | None:
    needed = request.prompt.arguments.get("needed")
    if option != "again" or not isinstance(needed, int):
        return None
    return tested("score_test", "True", (), say("card.range_again", needed=needed), field="passed", needed=needed)


def _disengage_card(battle: Battle, request: Request, option: str) -> Card | None:
    team = battle.teams.get(request.unit)
    if option != "disengage" or team is None:
        return None
    skill: Any = battle.platoons[team.platoon].skill
    summary = say("card.disengage", platoon=team.platoon)
    return tested("disengage", "disengaged", skill_score(skill).parts, summary, skill=skill, attack="shooting")


def _air_call_card(battle: Battle, request: Request, option: str) -> Card | None:
    if option != "call":
        return None
    pool = battle.companies[request.player].air_pool
    return tested("air_call", "True", (), say("card.air_call", dice=pool), field="arrived", pool=pool)


def _intercept_card(battle: Battle, request: Request, option: str) -> Card | None:
    if option != "intercept":
        return None
    pool = battle.companies[request.player].air_pool
    return tested("interception", "True", (), say("card.intercept", dice=pool), field="intercepted", pool=pool)


CARDS: dict[str, Callable[[Battle, Request, str], Card | None]] = {
    "ask.shooting": _order_card,
    "ask.target": target_card,
    "ask.split": target_card,
    "ask.defensive_fire": defence_card,
    "ask.bombard": aim_card,
    "ask.smoke": smoke_card,
    "ask.range_again": _again_card,
    "ask.strike": strike_card,
    "ask.assault": assault_card,
    "ask.consolidate": assault_card,
    "ask.reaction": reaction_card,
    "ask.platoon_order": _platoon_order_card,
    "ask.disengage": _disengage_card,
    "ask.call_air": _air_call_card,
    "ask.intercept": _intercept_card,
}
"""By the question, as its prompt calls it."""
