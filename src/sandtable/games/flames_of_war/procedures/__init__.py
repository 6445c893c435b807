"""The procedures of Flames of War: facts and dice in, outcome out."""

from sandtable.games.flames_of_war.procedures import (
    air,
    allocation,
    artillery,
    assault,
    morale,
    movement,
    recon,
    saves,
    shooting,
    tests,
)
from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.procedures._registry import PROCEDURES

__all__ = ["CHARTS", "PROCEDURES", "air", "allocation", "artillery", "assault", "morale", "movement", "recon", "saves", "shooting", "tests"]
