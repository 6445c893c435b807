"""The text table: a whole game in plain lines, for terminals, screen readers and ssh. It knows no game."""

from __future__ import annotations

from sandtable.kernel.game import Game
from sandtable.kernel.messages import Catalogue, load_catalogue


def words_of(game: Game) -> Catalogue:
    """The texts of a game and those of the text table."""
    return load_catalogue("sandtable.kernel", "sandtable.text_table", game.package)
