"""The battle laboratory: many whole games between bots, in one process or several, and what they tell."""

from sandtable.lab.battles import GameResult, play_one
from sandtable.lab.bots import default_bot, find_bots
from sandtable.lab.runs import simulate
from sandtable.lab.statistics import Summary, summarise, wilson

__all__ = ["GameResult", "Summary", "default_bot", "find_bots", "play_one", "simulate", "summarise", "wilson"]
