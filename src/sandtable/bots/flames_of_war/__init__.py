"""The bot for Flames of War: it plays every decision by expected worth, from what its side may see."""

from sandtable.bots.flames_of_war.bot import Bot

BOTS = {"bot": Bot}

__all__ = ["BOTS", "Bot"]
