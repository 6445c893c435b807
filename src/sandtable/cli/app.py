"""The commands: their names, options and help. What they do stands in the modules beside, imported when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from sandtable import __version__

HELP = """Plays tabletop miniature wargames by the book: whole games, a companion beside a real table, exact odds, many games at once.

Unofficial; ships no text of any rulebook. `sandtable COMMAND --help` shows an example of each command.
"""

app = App(name="sandtable", help=HELP, version=__version__, default_parameter=Parameter(negative=()))

Language = Annotated[Literal["en", "pl", "it"] | None, Parameter(help="The language to write in; without it, that of LANG.")]
Json = Annotated[bool, Parameter(help="Answer as JSON.")]
GameId = Annotated[str, Parameter(help="The id of a game; `sandtable games` lists them.")]
ProcedureName = Annotated[str | None, Parameter(help="The name of a procedure. Not needed with --batch.")]
Input = Annotated[str | None, Parameter(help="A JSON file with the procedure's input; - is standard input.", allow_leading_hyphen=True)]
Batch = Annotated[
    str | None,
    Parameter(
        help='A file with one JSON object a line: {"procedure", "input", "dice"?, "seed"?, "fields"?}. One JSON line each comes out.',
        allow_leading_hyphen=True,
    ),
]
Scenario = Annotated[str, Parameter(help="`game/scenario`, the name of a scenario, or a scenario file.")]
Seed = Annotated[str | None, Parameter(help="The seed of the dice: the same seed, the same dice.", allow_leading_hyphen=True)]


@app.command(sort_key=1)
def play(
    scenario: Annotated[str | None, Parameter(help="`game/scenario`, the name of a scenario, or a scenario file.")] = None,
    /,
    *,
    text: Annotated[bool, Parameter(help="Play in the terminal, not in the browser.")] = False,
    side: Annotated[Literal["a", "b"], Parameter(help="Your side.")] = "a",
    bot: Annotated[str | None, Parameter(help="The bot to play against.")] = None,
    hot_seat: Annotated[bool, Parameter(help="Two people at one keyboard.")] = False,
    seed: Seed = None,
    save: Annotated[Path | None, Parameter(help="Write the match to this file as it goes on.")] = None,
    resume: Annotated[Path | None, Parameter(help="Go on with a saved match; it is written on.")] = None,
    typed: Annotated[bool, Parameter(help="Roll real dice and type them in.")] = False,
    language: Language = None,
) -> int:
    """Play a whole game.

    Example: sandtable play --text crossroads --side a --save evening.sandtable-save
    """
    from sandtable.cli.playing import play_in_browser, play_text

    in_terminal = text or hot_seat or typed or any(option is not None for option in (bot, seed, save, resume))
    if not in_terminal and play_in_browser(scenario):
        return 0
    return play_text(scenario, side=side, bot=bot, hot_seat=hot_seat, seed=seed, save=save, resume=resume, typed=typed, language=language)


@app.command(sort_key=11)
def serve(
    *,
    host: Annotated[str, Parameter(help="The address to listen on. Only this machine can reach 127.0.0.1.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port; 0 for any.")] = 8650,
    database: Annotated[str, Parameter(help="A database URL; without it SANDTABLE_DATABASE, or a file of your own.")] = "",
    allow_host: Annotated[list[str] | None, Parameter(help="A name under which the server may be addressed. May be repeated.")] = None,
    allow_origin: Annotated[list[str] | None, Parameter(help="A web origin that may speak to it. May be repeated.")] = None,
) -> None:
    """Run the table for others: a club's server.

    Example: sandtable serve --host 0.0.0.0 --allow-host table.club.example --database postgresql://sandtable@localhost/sandtable
    """
    from sandtable.cli.playing import serve_table

    serve_table(host, port, database, allow_host or [], allow_origin or [])


@app.command(sort_key=2)
def games(*, json: Json = False, language: Language = None) -> None:
    """List the games with their scenarios and forces.

    Example: sandtable games --json
    """
    from sandtable.cli.browsing import show_games

    show_games(json, language)


@app.command(sort_key=3)
def tables(
    game: GameId,
    table: Annotated[str | None, Parameter(help="The name of a chart; without it, all of them.")] = None,
    /,
    *,
    json: Json = False,
    language: Language = None,
) -> None:
    """Show the charts of a game, or one chart as its list of records.

    Example: sandtable tables flames_of_war to_hit --json
    """
    from sandtable.cli.browsing import show_tables

    show_tables(game, table, json, language)


@app.command(sort_key=4)
def resolve(
    game: GameId,
    procedure: ProcedureName = None,
    /,
    *,
    input: Input = None,
    dice: Annotated[str | None, Parameter(help='The dice in order, "4,11,3"; "" for none.', allow_leading_hyphen=True)] = None,
    seed: Seed = None,
    batch: Batch = None,
    json: Json = False,
    language: Language = None,
) -> None:
    """Run one procedure of a game and explain every number. In a terminal it asks for dice that are not given.

    Example: echo '{"skill": "veteran"}' | sandtable resolve flames_of_war skill_test --input - --dice 4
    """
    from sandtable.cli.resolving import resolve_batch, resolve_one

    if batch is not None:
        resolve_batch(game, procedure, batch, alone=(input, dice, seed))
    else:
        resolve_one(game, procedure, input, dice, seed, json, language)


@app.command(sort_key=5)
def odds(
    game: GameId,
    procedure: ProcedureName = None,
    /,
    *,
    input: Input = None,
    field: Annotated[list[str] | None, Parameter(help="Keep just this field of the outcome. May be given several times.")] = None,
    batch: Batch = None,
    json: Json = False,
    language: Language = None,
) -> None:
    """Show the exact odds of a procedure, most likely outcome first.

    Example: echo '{"dice": 4, "needed": 4}' | sandtable odds flames_of_war roll_to_hit --input - --field hits
    """
    from sandtable.cli.resolving import odds_batch, odds_one

    if batch is not None:
        odds_batch(game, procedure, batch, field or [], alone=(input,))
    else:
        odds_one(game, procedure, input, field or [], json, language)


@app.command(sort_key=6)
def simulate(
    scenario: Scenario,
    /,
    *,
    games: Annotated[int, Parameter(help="How many games.")] = 100,
    jobs: Annotated[int, Parameter(help="How many processes. The results do not depend on it.")] = 1,
    seed: Annotated[str, Parameter(help="The same seed, the same results.", allow_leading_hyphen=True)] = "1",
    side_a: Annotated[str | None, Parameter(help="The bot of side a.")] = None,
    side_b: Annotated[str | None, Parameter(help="The bot of side b.")] = None,
    check: Annotated[bool, Parameter(help="Check every invariant after every step, and verify every game.")] = False,
    json: Json = False,
) -> int:
    """Play many whole games between bots: who wins, by how much, losses a turn, with 95 % confidence intervals.

    Example: sandtable simulate flames_of_war/crossroads --games 200 --jobs 2 --side-a bot --side-b random
    """
    from sandtable.cli.simulating import simulate as run

    return run(scenario, games=games, jobs=jobs, seed=seed, bots=(side_a, side_b), check=check, json=json)


@app.command(sort_key=7)
def replay(
    file: Path,
    /,
    *,
    side: Annotated[Literal["a", "b"] | None, Parameter(help="Show only what this side could see.")] = None,
    json: Json = False,
    language: Language = None,
) -> None:
    """Step through a saved match: Enter goes on, `map` draws the table, `why` explains. Piped, it prints the whole log.

    Example: sandtable replay evening.sandtable-save
    """
    from sandtable.cli.saved import replay as run

    run(file, side, json, language)


@app.command(sort_key=8)
def verify(file: Path, /, *, json: Json = False) -> int:
    """Prove that a saved match follows from its inputs: exit code 0 if so, 1 and the first difference if not.

    Example: sandtable verify evening.sandtable-save
    """
    from sandtable.cli.saved import verify_file

    return verify_file(file, json)


@app.command(sort_key=9)
def validate(
    files: Annotated[list[Path], Parameter(help="Force, scenario or save files.")],
    /,
    *,
    game: Annotated[str | None, Parameter(help="The game they belong to, where file and folder do not show it.")] = None,
    kind: Annotated[Literal["force", "scenario", "save"] | None, Parameter(help="What they are, likewise.")] = None,
    json: Json = False,
) -> int:
    """Check force, scenario and save files. Every mistake is reported at once: file, place, what is wrong, what would be right.

    Example: sandtable validate my_force.toml my_scenario.toml
    """
    from sandtable.cli.saved import validate_files

    return validate_files(files, game, kind, json)


@app.command(sort_key=10)
def rules(
    game: GameId,
    word: Annotated[str | None, Parameter(help="The id of a rule, the beginning of one, or a word to look for.")] = None,
    /,
    *,
    coverage: Annotated[bool, Parameter(help="List the rules without code or without a test; exit code 1 if there are any.")] = False,
    tests: Annotated[Path | None, Parameter(help="The folder of the tests, for --coverage.")] = None,
    json: Json = False,
) -> int:
    """Browse the rules of a game, or check that each has code and a test.

    Example: sandtable rules flames_of_war FOW-MOVE
    """
    from sandtable.cli.rulebook import show_coverage, show_rules

    return show_coverage(game, tests, json) if coverage else show_rules(game, word, json)


@app.command(sort_key=12)
def laws(
    game: GameId,
    /,
    *,
    scenario: Annotated[list[str] | None, Parameter(help="Only this scenario. May be repeated.")] = None,
    json: Json = False,
) -> int:
    """Put a game to the laws that every game obeys: it ends, verifies, reproduces, keeps secrets, takes back. Exit code 1 if one is broken.

    Example: sandtable laws flames_of_war --scenario first_steps
    """
    from sandtable.cli.rulebook import show_laws

    return show_laws(game, scenario, json)
