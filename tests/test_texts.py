"""Everything a reader can see has a text in English, Polish and Italian."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable
from sandtable.kernel.events import Event
from sandtable.kernel.game import find_games, load_game
from sandtable.kernel.messages import LANGUAGES

SOURCE = Path(sandtable.__file__).parent
GAMES = [id for id in sorted(find_games()) if (SOURCE / "games" / id).is_dir()]


def literals(folder: Path) -> Iterator[tuple[str, str]]:
    """Message ids that the code names: say("id"), RefusedError("rule", "id"), dice labels and notes, with their place."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
            place = {"say": 0, "RefusedError": 1, "note": 0, "test": 0, "tests": 1, "count": 1, "band": 0, "read": 0}.get(name)
            if place is None or len(node.args) <= place:
                continue
            value = node.args[place]
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and re.fullmatch(r"[a-z_]+\.[a-z_.]+", value.value):
                yield value.value, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("id", GAMES)
def test_every_message_that_the_code_names_has_a_text(id: str) -> None:
    texts = load_game(id).texts.texts
    missing = {f"{message} ({place})" for message, place in literals(SOURCE / "games" / id) if message not in texts}
    assert not missing


@pytest.mark.parametrize("id", GAMES)
def test_every_event_has_a_sentence(id: str) -> None:
    """An event that says itself in other words (its own `says`) is looked after by the test above."""
    game = load_game(id)
    plain = [kind.__name__ for kind in game.event_types if kind.says is Event.says]
    names = ["event." + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in plain]
    assert not [name for name in names if name not in game.texts.texts]


@pytest.mark.parametrize("id", GAMES)
def test_every_text_is_there_in_all_languages_with_the_same_arguments(id: str) -> None:
    broken = []
    for message, entry in load_game(id).texts.texts.items():
        if any(not entry.get(language) for language in LANGUAGES):
            broken.append(f"{message}: not in all languages")
            continue
        found = [set(re.findall(r"{(\w+)}", entry[language])) for language in LANGUAGES]
        if found[0] != found[1] or found[0] != found[2]:
            broken.append(f"{message}: arguments differ")
    assert not broken


@pytest.mark.parametrize("id", GAMES)
def test_every_chart_and_procedure_has_a_name(id: str) -> None:
    game = load_game(id)
    wanted = [f"procedure.{name}" for name in game.procedures] + [game.charts[name].title for name in game.charts] + [f"game.{id}"]
    assert not [name for name in wanted if name not in game.texts.texts]


@pytest.mark.parametrize("id", GAMES)
def test_every_scenario_says_what_it_is_about_in_all_languages(id: str) -> None:
    game = load_game(id)
    said = [game.data("scenarios", name)[field] for name in game.names("scenarios") for field in ("name", "about")]
    assert said and not [text for text in said if text not in game.texts.texts]
