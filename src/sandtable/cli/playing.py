"""`play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path

from sandtable.cli.inputs import find_scenario, language_or_default
from sandtable.kernel.errors import InputError
from sandtable.kernel.events import SIDES, other
from sandtable.kernel.game import Game, find_games, load_game
from sandtable.kernel.match import Match
from sandtable.kernel.saves import SaveFile, head_of, read_save, resume
from sandtable.kernel.table import Source
from sandtable.lab.battles import bot_seed
from sandtable.lab.bots import default_bot, make_bot
from sandtable.text_table.table import TextTable


def play_text(
    scenario: str | None,
    *,
    side: str,
    bot: str | None,
    hot_seat: bool,
    seed: str | None,
    save: Path | None,
    resume: Path | None,
    typed: bool,
    language: str | None,
) -> int:
    if hot_seat and bot is not None:
        raise InputError("--hot-seat is for two people; --bot is for one")
    people = SIDES if hot_seat else (side,)
    file = save if resume is None else resume
    if resume is not None:
        if scenario is not None or seed is not None or save is not None or typed:
            raise InputError("--resume goes on with a match as it is: no scenario, --seed, --save or --typed with it")
        match = _resumed(resume, people, bot)
    else:
        match = _new(scenario, people, bot, seed, save, typed)
    TextTable(match, people, language=language_or_default(language), file=file).play()
    return 0


def _new(scenario: str | None, people: tuple[str, ...], bot: str | None, seed: str | None, save: Path | None, typed: bool) -> Match:
    game, data = find_scenario(_first_scenario() if scenario is None else scenario)
    setup = game.setup(data, people if typed else ())
    match = Match(game, setup, seed)
    match.sources = _bots(game, people, bot, match.seed)
    if save is not None:
        if save.exists() and save.stat().st_size:
            raise InputError(f"{save} is there already; go on with it by --resume {save}, or choose another name")
        match.journal = SaveFile(save, head_of(match))
    return match


def _resumed(path: Path, people: tuple[str, ...], bot: str | None) -> Match:
    save = read_save(path.read_bytes(), str(path))
    bots = _bots(save.game, people, bot, f"{save.head.seed_hash} {len(save.answers)}")
    return resume(path, sources=bots)


def _bots(game: Game, people: tuple[str, ...], bot: str | None, seed: str) -> dict[str, Source]:
    if len(people) > 1:
        return {}
    side = other(people[0])
    name = default_bot(game) if bot is None else bot
    return {side: make_bot(game, name, side, bot_seed(seed, side))}


def _first_scenario() -> str:
    """A scenario for somebody who names none: the smallest one there is a name for, of the first game."""
    for id in sorted(find_games()):
        names = load_game(id).names("scenarios")
        if names:
            teaching = [name for name in names if "first" in name or "teach" in name or "patrol" in name]
            return f"{id}/{(teaching or names)[0]}"
    raise InputError("there is no scenario to play")


def serve_table(host: str, port: int, database: str, hosts: list[str], origins: list[str]) -> None:
    """`serve`: the browser table for whoever can reach it."""
    from sandtable.server.running import serve
    from sandtable.server.settings import Settings

    serve(Settings(host=host, port=port, database=database, hosts=tuple(hosts), origins=tuple(origins)))


def play_in_browser(scenario: str | None) -> bool:
    """Start the browser table, if it is part of this installation, and open it. Returns when the player ends it."""
    from sandtable.server.settings import Settings

    settings = Settings()
    if not (settings.web / "index.html").is_file():
        return False
    from sandtable.server.running import serve

    page = ""
    if scenario is not None:
        game, data = find_scenario(scenario)
        page = f"#/new/{game.id}/{data.get('id', '')}"
    serve(settings, page=page, exact_port=False)
    return True
