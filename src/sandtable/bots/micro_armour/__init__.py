"""The bot for Micro Armour: it masses fire by exact odds, keeps fire for reaction, plans ahead, and moves by cover to its objectives."""

from sandtable.bots.micro_armour.bot import Bot

BOTS = {"bot": Bot}

__all__ = ["BOTS", "Bot"]
