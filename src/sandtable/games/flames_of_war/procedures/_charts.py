"""The charts of the sheet, and the columns that the procedures read most. Small misprints are put right (FOW-RULING-64)."""

from __future__ import annotations

from sandtable.kernel.charts import Charts

CHARTS = Charts("sandtable.games.flames_of_war")

INCHES: dict[str, int] = CHARTS["distances"].column("inches")
"""The distances of the text by name."""
