"""`resolve` and `odds`: one procedure, or a batch of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from sandtable.cli.inputs import language_or_default, read_bytes, read_json, show_json
from sandtable.kernel.dice import Asked, FaceDice, Scripted, Seeded
from sandtable.kernel.errors import DiceError, InputError, SandtableError
from sandtable.kernel.game import Game, load_game
from sandtable.kernel.procedures import Procedure, without_dice

MOST_PATHS = 400_000
"""How many single paths of dice odds face by face may have: some seconds' worth."""


class Asking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a batch."""

    input: Any
    procedure: str | None = None
    dice: list[Any] | None = None
    seed: int | str | None = None
    fields: list[str] | None = None


# -- resolve ------------------------------------------------------------------------------------------------------


def resolve_one(
    id: str, name: str | None, source: str | None, dice: str | None, seed: str | None, json: bool, language: str | None
) -> None:
    game = load_game(id)
    procedure = game.procedures[_named(name, game)]
    if dice is not None and seed is not None:
        raise InputError("give --dice or --seed, not both")
    given = procedure.read(read_json(*_input(source)))
    language = language_or_default(language)
    if dice is not None:
        used: FaceDice = Scripted(_faces(dice))
    elif seed is not None:
        used = Seeded(seed)
    elif sys.stdin.isatty() and source != "-":
        used = Asked(_asking(game, language))
    else:
        used = Scripted(())
    answer = _run(procedure, given, used, told=dice is not None)
    if json:
        show_json(answer)
    else:
        _explain(game, answer, used, language)


def resolve_batch(id: str, name: str | None, source: str, alone: tuple[Any, ...]) -> None:
    game = load_game(id)

    def answer(line: Asking) -> Any:
        procedure = game.procedures[_named(line.procedure or name, game)]
        if line.dice is not None and line.seed is not None:
            raise InputError("give dice or a seed, not both")
        used = Seeded(str(line.seed)) if line.seed is not None else Scripted(line.dice or ())
        return _run(procedure, procedure.read(line.input), used, told=line.dice is not None)

    _batch(source, alone, answer)


def _run(procedure: Procedure[Any, Any], facts: Any, dice: FaceDice, told: bool) -> dict[str, Any]:
    try:
        outcome = procedure(facts, dice)
        if isinstance(dice, Scripted):
            dice.finish()
    except DiceError as problem:
        if told or isinstance(dice, Seeded):
            raise
        raise DiceError(f'{problem}. Give the dice (--dice 4,2,..., in a batch "dice": [4, 2, ...]) or a seed') from None
    return {"outcome": outcome, "trace": dice.trace, "dice": dice.faces}


def _faces(text: str) -> list[int]:
    faces = []
    for part in text.replace(",", " ").split():
        try:
            faces.append(int(part))
        except ValueError:
            raise DiceError(f"a die cannot be {part[:40]!r}: dice are whole numbers, as in --dice 4,11,3") from None
    return faces


def _asking(game: Game, language: str) -> Callable[[int, str], int]:
    """Ask a person for each roll by name, until the face is possible."""
    from sandtable.text_table import words_of

    texts = words_of(game)

    def ask(sides: int, label: str) -> int:
        while True:
            try:
                text = input(texts.text("ask.type_die", language, sides=sides, label=label) + " ")
            except EOFError:
                raise DiceError(f"a die is missing: a d{sides} for {label}") from None
            if text.strip().isdecimal() and 1 <= int(text) <= sides:
                return int(text)
            print(texts.text("refused.impossible_die", language, sides=sides, answer=text.strip()[:20]))

    return ask


def _explain(game: Game, answer: dict[str, Any], dice: FaceDice, language: str) -> None:
    from sandtable.text_table import words_of
    from sandtable.text_table.explain import explain

    texts = words_of(game)
    for line in explain(dice.trace, texts, language):
        print(line)
    print(texts.text("explain.outcome", language))
    for field, value in msgspec.to_builtins(answer["outcome"]).items():
        print(f"  {field}: {_plain(value, game, language)}")


def _plain(value: Any, game: Game, language: str) -> str:
    from sandtable.text_table import words_of

    if value is None:
        return "-"
    if isinstance(value, bool):
        return words_of(game).text("word.yes" if value else "word.no", language)
    if isinstance(value, dict):
        return "; ".join(f"{key} {_plain(item, game, language)}" for key, item in value.items()) or "-"
    if isinstance(value, list | tuple):
        return ", ".join(_plain(item, game, language) for item in value) or "-"
    return str(words_of(game).word(value, language))


# -- odds ---------------------------------------------------------------------------------------------------------


def odds_one(id: str, name: str | None, source: str | None, fields: list[str], json: bool, language: str | None) -> None:
    game = load_game(id)
    procedure = game.procedures[_named(name, game)]
    rows = list(odds_of(procedure, procedure.read(read_json(*_input(source))), fields))
    if json:
        show_json({"outcomes": [{"outcome": outcome, "p": str(p)} for outcome, p in rows]})
        return
    language = language_or_default(language)
    most = float(rows[0][1])
    full = _bar_letter()
    for outcome, p in rows[:40]:
        said = ", ".join(f"{field} {_plain(value, game, language)}" for field, value in outcome.items())
        exact = str(p) if p.denominator < 10**6 else ""
        print(f"{float(p):8.3%} {exact:>15} {full * max(1, round(24 * float(p) / most)):24} {said}")
    if len(rows) > 40:
        from sandtable.text_table import words_of

        rest = float(sum(p for _, p in rows[40:]))
        print(words_of(game).text("odds.more", language, number=len(rows) - 40, share=f"{rest:.3%}"))


def odds_batch(id: str, name: str | None, source: str, fields: list[str], alone: tuple[Any, ...]) -> None:
    game = load_game(id)

    def answer(line: Asking) -> Any:
        procedure = game.procedures[_named(line.procedure or name, game)]
        wanted = fields if line.fields is None else line.fields
        rows = odds_of(procedure, procedure.read(line.input), wanted)
        return {"outcomes": [{"outcome": outcome, "p": str(p)} for outcome, p in rows]}

    _batch(source, alone, answer)


def odds_of(procedure: Procedure[Any, Any], facts: Any, fields: list[str]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Outcomes with their exact probabilities, most likely first: the named fields, or all that do not just repeat dice."""
    from sandtable.odds import distribution, every_face

    known = procedure.outcome.__struct_fields__
    repeats = procedure.outcome.dice_fields
    for field in fields:
        if field not in known:
            raise InputError(f"{procedure.name} has no outcome field {field!r}; it has: {', '.join(known)}")
    names = tuple(dict.fromkeys(fields)) or tuple(field for field in known if field not in repeats)
    if any(name in repeats for name in names):
        paths = 0

        def counted(facts: Any, dice: Any) -> Any:
            nonlocal paths
            paths += 1
            if paths > MOST_PATHS:
                said = ", ".join(names)
                raise InputError(f"{said}: more than {MOST_PATHS} different series of dice; ask for fields that do not repeat dice")
            return procedure(facts, dice)

        found = every_face(counted, facts, project=lambda outcome: tuple(getattr(outcome, name) for name in names))
    else:
        found = distribution(procedure, facts, fields=names)
    for values, p in found.items():
        yield {name: without_dice(value) for name, value in zip(names, values, strict=True)}, p


def _bar_letter() -> str:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "#"
    return "█"


# -- what both share ----------------------------------------------------------------------------------------------


def _named(name: str | None, game: Game) -> str:
    if name is None:
        raise InputError(f"name a procedure of {game.id}: {', '.join(game.procedures)}")
    return name


def _input(source: str | None) -> tuple[bytes, str]:
    if source is None:
        raise InputError("give --input FILE (- is standard input) or --batch FILE")
    return read_bytes(source), "standard input" if source == "-" else source


def _batch(source: str, alone: tuple[Any, ...], answer: Callable[[Asking], Any]) -> None:
    """A JSON line out for each line in. A bad line gives an error and the batch goes on."""
    if any(option is not None for option in alone):
        raise InputError("with --batch, input, dice and seed stand in the lines of the batch")
    for number, text in enumerate(read_bytes(source).split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            found = read_json(text, "line")
            try:
                line = msgspec.convert(found, Asking)
            except msgspec.ValidationError as problem:
                raise InputError(str(problem)) from None
            shown = msgspec.json.encode(answer(line))
        except SandtableError as problem:
            shown = msgspec.json.encode({"error": {"code": problem.code, "message": str(problem), "line": number}})
        except Exception as problem:  # a mistake of ours must not cost the lines that follow
            shown = msgspec.json.encode({"error": {"code": "bug", "message": repr(problem), "line": number}})
        sys.stdout.buffer.write(shown + b"\n")
    sys.stdout.buffer.flush()
