"""Traces in words: every roll with its modifiers, every look-up, every ruling, each with its rule id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sandtable.kernel.messages import Catalogue, say
from sandtable.kernel.traces import LookUp, Note, Roll, TraceEntry


def explain(trace: Iterable[TraceEntry], texts: Catalogue, language: str) -> Iterator[str]:
    """The lines that explain a trace."""
    for entry in trace:
        match entry:
            case Roll():
                yield from _roll(entry, texts, language)
            case LookUp():
                title = texts.text(f"chart.{entry.chart}", language)
                keys = [f"{texts.word(name, language)} {texts.word(value, language)}" for name, value in entry.keys.items()]
                said = say("explain.chart", chart=title, keys=", ".join(map(str, keys)), value=_value(entry.value, texts, language))
                yield texts.text(said, language) + _rule(entry.rule)
            case Note():
                yield texts.text(entry.message, language, **entry.arguments) + _rule(entry.rule)


def _roll(roll: Roll, texts: Catalogue, language: str) -> Iterator[str]:
    label = texts.word(roll.label, language)
    dice = f"{len(roll.faces)}d{roll.sides}" if len(roll.faces) != 1 else f"d{roll.sides}"
    faces = " ".join(map(str, roll.faces)) or "-"
    result = _value(roll.result, texts, language)
    if roll.needed:
        line = texts.text("explain.test", language, label=label, dice=dice, faces=faces, needed=roll.needed, result=result)
    else:
        line = texts.text("explain.roll", language, label=label, dice=dice, faces=faces, result=result)
    yield line + _rule(roll.rule)
    for place, modifier in enumerate(roll.modifiers):
        amount = str(modifier.amount) if place == 0 and roll.needed else f"{modifier.amount:+d}"
        yield f"    {amount} {texts.word(modifier.label, language)}{_rule(modifier.rule)}"


def _value(value: Any, texts: Catalogue, language: str) -> Any:
    if isinstance(value, bool):
        return texts.text("word.passed" if value else "word.failed", language)
    if value is None:
        return "-"
    return texts.word(value, language)


def _rule(rule: str) -> str:
    return f" [{rule}]" if rule else ""
