"""Which bots can play a game.

A module `sandtable.bots.<game id>` has `BOTS`, a map from name to `make(game, side, seed)`, which gives a source of
answers. A game from elsewhere may bring its own `bots` module. `sandtable.bots.random_legal` has bots for every game.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from sandtable.kernel.errors import InputError
from sandtable.kernel.game import Game
from sandtable.kernel.table import Source

MakeBot = Callable[[Game, str, int], Source]


def find_bots(game: Game) -> dict[str, MakeBot]:
    """The bots of a game by name."""
    found: dict[str, MakeBot] = {}
    for module in ("sandtable.bots.random_legal", f"sandtable.bots.{game.id}", f"{game.package}.bots"):
        try:
            found.update(_bots_in(module))
        except ModuleNotFoundError as problem:
            if problem.name is None or not f"{module}.".startswith(f"{problem.name}."):
                raise  # the module is there; what it needs is not
    return found


def _bots_in(module: str) -> dict[str, MakeBot]:
    bots: Any = getattr(importlib.import_module(module), "BOTS", {})
    return dict(bots)


def default_bot(game: Game) -> str:
    """The best bot there is: the one called `bot`, else any."""
    names = sorted(find_bots(game), key=lambda name: (name != "bot", name))
    if not names:
        raise InputError(f"nobody has written a bot for {game.id} yet")
    return names[0]


def make_bot(game: Game, name: str, side: str, seed: int) -> Source:
    bots = find_bots(game)
    if name not in bots:
        raise InputError(f"{game.id} has no bot {name!r}; it has: {', '.join(sorted(bots)) or 'none'}")
    return bots[name](game, side, seed)
