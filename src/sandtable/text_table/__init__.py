"""The text table: a whole game in plain lines, for terminals, screen readers and ssh. It knows no game."""

from __future__ import annotations

from typing import Any

from sandtable.kernel.game import Game
from sandtable.kernel.messages import Catalogue, load_catalogue


def words_of(game: Game, battle: Any = None) -> Catalogue:
    """The texts of a game and those of the text table; with a battle, its pieces and sides by their names."""
    texts = load_catalogue("sandtable.kernel", "sandtable.text_table", game.package)
    return texts if battle is None else texts.naming(game.shown_names(battle))
