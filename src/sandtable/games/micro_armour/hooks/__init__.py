"""Answers to a player who looks before he decides, by the very rules that the steps play by.

`acting`: what a unit may do and why not. `routes_ahead`: a route measured and checked. `odds_cards`: exact odds. `looking`: sight,
ranges, fire markers and smoke. All of it is pure, and knows no more than the battle it is given: plans of the other side are not in it.
"""

from sandtable.games.micro_armour.hooks.acting import may_do
from sandtable.games.micro_armour.hooks.looking import lies_under, rings, sight_between
from sandtable.games.micro_armour.hooks.odds_cards import advice, odds_card
from sandtable.games.micro_armour.hooks.routes_ahead import reach

__all__ = ["advice", "lies_under", "may_do", "odds_card", "reach", "rings", "sight_between"]
