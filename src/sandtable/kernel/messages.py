"""Messages are ids with arguments; sentences live in text files, in English, Polish and Italian, and are made at the edge.

A text file is TOML, one table a message: `["fow.pinned"]`, `en = "{platoon} is pinned down."`, `pl = ...`, `it = ...`.
An argument that is itself the id of a word (`word.veteran`, a unit's name) is translated too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

LANGUAGES = ("en", "pl", "it")


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to say, in no language yet."""

    id: str
    arguments: dict[str, Any] = {}


def say(id: str, /, **arguments: Any) -> Message:
    return Message(id, arguments)


class Catalogue:
    """All texts of a game (and the kernel's own)."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]], names: Mapping[str, str] | None = None) -> None:
        self.texts = texts
        self.names = names or {}

    def naming(self, names: Mapping[str, str]) -> Catalogue:
        """The same texts, in which the ids of a battle (pieces, platoons, sides) are shown by their names."""
        return Catalogue(self.texts, names)

    def text(self, message: Message | str, language: str = "en", **arguments: Any) -> str:
        """The sentence for a message. A text that is missing shows its id, so that nothing is silently lost."""
        if isinstance(message, Message):
            id, arguments = message.id, message.arguments
        else:
            id = message
        entry = self.texts.get(id)
        if entry is None:
            return id if not arguments else f"{id} ({', '.join(f'{k} {self.word(v, language)}' for k, v in arguments.items())})"
        pattern = entry.get(language) or entry.get("en") or id
        try:
            return pattern.format(**{name: self.word(value, language) for name, value in arguments.items()})
        except (KeyError, IndexError, ValueError):
            return f"{pattern} {arguments}"

    def word(self, value: Any, language: str) -> Any:
        """An argument in words: messages and known words are translated, lists joined, floats shortened."""
        if isinstance(value, Message):
            return self.text(value, language)
        if isinstance(value, Mapping) and set(value) <= {"id", "arguments"} and "id" in value:
            return self.text(Message(value["id"], dict(value.get("arguments", {}))), language)
        if isinstance(value, str):
            value = self.names.get(value, value)
            entry = self.texts.get(f"word.{value}") or self.texts.get(value)
            return (entry.get(language) or entry.get("en") or value) if entry else value
        if isinstance(value, float):
            return f"{value:.1f}".rstrip("0").rstrip(".") or "0"
        if isinstance(value, list | tuple):
            return ", ".join(str(self.word(item, language)) for item in value)
        return value

    def knows(self, id: str) -> bool:
        return id in self.texts


@cache
def load_catalogue(*packages: str) -> Catalogue:
    """The texts of some packages: every .toml in their `text` folders, later packages over earlier ones."""
    texts: dict[str, dict[str, str]] = {}
    for package in packages:
        folder = files(package) / "text"
        if not folder.is_dir():
            continue
        for entry in sorted(folder.iterdir(), key=lambda found: found.name):
            if entry.name.endswith(".toml"):
                texts.update(tomllib.loads(entry.read_text("utf-8")))
    return Catalogue(texts)
