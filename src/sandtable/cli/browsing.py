"""`games` and `tables`: what there is."""

from __future__ import annotations

import sys
from typing import Any

from sandtable.cli.inputs import language_or_default, show_json
from sandtable.kernel.charts import Chart
from sandtable.kernel.errors import InputError
from sandtable.kernel.game import Game, find_games, load_game
from sandtable.kernel.messages import say
from sandtable.text_table import words_of


def show_games(json: bool, language: str | None) -> None:
    found = [load_game(id) for id in sorted(find_games())]
    language = language_or_default(language)
    if json:
        show_json([_described(game, language) for game in found])
        return
    for game in found:
        texts = words_of(game)
        print(f"{game.id}: {texts.text(f'game.{game.id}', language)}")
        for folder in ("scenarios", "forces"):
            names = ", ".join(game.names(folder)) or "-"
            print(f"  {texts.text(f'games.{folder}', language)}: {names}")
        print(f"  {texts.text(say('games.more', procedures=len(game.procedures), charts=len(game.charts), game=game.id), language)}")


def _described(game: Game, language: str) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": words_of(game).text(f"game.{game.id}", language),
        "unit": game.unit,
        "scenarios": game.names("scenarios"),
        "forces": game.names("forces"),
        "procedures": list(game.procedures),
        "charts": list(game.charts),
    }


def show_tables(id: str, name: str | None, json: bool, language: str | None) -> None:
    game = load_game(id)
    if name is not None and name not in game.charts:
        raise InputError(f"{id} has no chart {name!r}; it has: {', '.join(game.charts)}")
    if json:
        show_json(game.charts[name].records if name is not None else {chart: game.charts[chart].records for chart in game.charts})
        return
    language = language_or_default(language)
    texts = words_of(game)
    if name is None:
        for chart in game.charts:
            print(f"{chart}: {texts.text(game.charts[chart].title, language)}")
        return
    _print_chart(game.charts[name], game, language)


def _print_chart(chart: Chart, game: Game, language: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    texts = words_of(game)
    title = texts.text(chart.title, language)
    table = Table(title=f"{title} [{', '.join(chart.rules)}]".replace("[", r"\["), title_justify="left", box=box.SIMPLE_HEAD)
    for field in chart.fields:
        numbers = all(isinstance(record[field], int | float | None) for record in chart.records)
        table.add_column(field, justify="right" if numbers else "left")
    for record in chart.records:
        table.add_row(*[_cell(record[field]) for field in chart.fields])
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
