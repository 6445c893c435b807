"""`rules`: browse the rules of a game; see which lack code or a test. `laws`: put a game to the laws of all games."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from sandtable.cli.inputs import show_json
from sandtable.kernel.errors import InputError
from sandtable.kernel.game import Game, RuleText, load_game

RULE_IDS = re.compile(r"([A-Z][A-Z0-9]*(?:-[A-Z]+)+-)(\d+)((?:(?:, | and | to )-\d+)*)")
"""A rule id, with those that share its head written short behind it: "FOW-ASLT-01, -04", "FOW-TOW-01 to -05"."""


def _rules(game: Game) -> dict[str, RuleText]:
    if not (files(game.package) / "rules.toml").is_file():
        raise InputError(f"{game.id} has no list of rules yet")
    return game.rules


def show_rules(id: str, word: str | None, json: bool) -> int:
    """All rules, one by its id, those whose id begins so, or those that speak of a word."""
    rules = _rules(load_game(id))
    if word is not None:
        exact = rules.get(word.upper())
        begin = [rule for rule in rules.values() if rule.id.startswith(word.upper())]
        speak = [rule for rule in rules.values() if word.casefold() in rule.text.casefold() or word.casefold() in rule.section.casefold()]
        found = [exact] if exact else begin or speak
        if not found:
            raise InputError(f"no rule of {id} has the id or the word {word!r}")
    else:
        found = list(rules.values())
    if json:
        show_json(found)
        return 0
    section = None
    for rule in found:
        if rule.section != section:
            section = rule.section
            print(f"\n{section}")
        print(f"  {rule.id}  {rule.text}")
    return 0


def show_coverage(id: str, tests: Path | None, json: bool) -> int:
    """The rules without code or without a test. 0 if there are none."""
    game = load_game(id)
    rules = _rules(game)
    folder = _tests_folder() if tests is None else tests
    if not folder.is_dir():
        raise InputError(f"no folder of tests at {folder}; say where with --tests")
    in_code, in_tests = set(_ids_in_code(game)), set(_ids_in_tests(folder))
    prefixes = {rule.partition("-")[0] for rule in rules}
    lacking = {
        "without_code": [rule for rule in rules if rule not in in_code],
        "without_test": [rule for rule in rules if rule not in in_tests],
        "unknown": sorted(rule for rule in in_tests if rule not in rules and rule.partition("-")[0] in prefixes),
    }
    if json:
        show_json({"rules": len(rules), **lacking})
    else:
        print(f"{id}: {len(rules)} rules")
        for what, missing in lacking.items():
            print(f"  {what.replace('_', ' ')}: {len(missing)}")
            for rule in missing:
                print(f"    {rule}")
    return 1 if any(lacking.values()) else 0


def show_laws(id: str, scenarios: list[str] | None, json: bool) -> int:
    """Each law on each scenario, and what is wrong. 0 if nothing is."""
    from sandtable.lab.laws import LAWS, broken_laws

    game = load_game(id)
    found: dict[str, dict[str, list[str]]] = {}
    for scenario in scenarios or game.names("scenarios"):
        found[scenario] = {}
        for law, problems in broken_laws(game, scenario):
            found[scenario][law] = problems
            if not json:
                print(f"{id}/{scenario}: {(LAWS[law].__doc__ or law).splitlines()[0]} {'BROKEN' if problems else 'holds'}", flush=True)
                for problem in problems:
                    print(f"    {problem}")
    if json:
        show_json(found)
    return 1 if any(problems for laws in found.values() for problems in laws.values()) else 0


def _tests_folder() -> Path:
    """`tests` beside the source, else in the present folder."""
    beside = Path(__file__).parents[3] / "tests"
    return beside if beside.is_dir() else Path("tests")


def _ids_in_code(game: Game) -> Iterator[str]:
    """Every rule id in the game's code and charts."""
    root = Path(str(files(game.package)))
    for path in sorted([*root.rglob("*.py"), *(root / "charts").glob("*.toml")]):
        for head, first, more in RULE_IDS.findall(path.read_text("utf-8")):
            yield head + first
            last = first
            for joint, number in re.findall(r"(, | and | to )-(\d+)", more):
                between = range(int(last) + 1, int(number)) if joint == " to " else ()
                yield from (f"{head}{one:0{len(first)}}" for one in (*between, int(number)))
                last = number


def _ids_in_tests(folder: Path) -> Iterator[str]:
    """Every id in a `pytest.mark.rule("...")`, wherever it stands: on a test, a class, a module or a parameter."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                mark = node.func.value
                if (isinstance(mark, ast.Attribute) and mark.attr == "mark") or (isinstance(mark, ast.Name) and mark.id == "mark"):
                    yield from (given.value for given in node.args if isinstance(given, ast.Constant) and isinstance(given.value, str))
