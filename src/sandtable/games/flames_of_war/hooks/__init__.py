"""Answers to a player who looks before he decides, by the very rules that the steps play by.

`acting`: what a piece may do and why not. `routes_ahead`: a route measured and checked. `odds_cards`: exact odds. `looking`: sight,
ranges, templates. All of it is pure, and knows no more than the battle it is given.
"""

from sandtable.games.flames_of_war.hooks.acting import may_do
from sandtable.games.flames_of_war.hooks.looking import laid, lies_under, rings, sight_between
from sandtable.games.flames_of_war.hooks.odds_cards import odds_card
from sandtable.games.flames_of_war.hooks.routes_ahead import reach

__all__ = ["laid", "lies_under", "may_do", "odds_card", "reach", "rings", "sight_between"]
