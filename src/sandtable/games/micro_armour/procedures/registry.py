"""Where the procedures of Micro Armour register, and the charts they read."""

from __future__ import annotations

from sandtable.kernel.charts import Charts
from sandtable.kernel.procedures import Procedures

PROCEDURES = Procedures()
CHARTS = Charts("sandtable.games.micro_armour")
