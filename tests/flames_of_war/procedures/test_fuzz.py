"""Random facts never crash a procedure, and random rubbish is always refused in words."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.kernel.dice import Scripted, Seeded
from sandtable.kernel.errors import InputError

MESSAGES = tomllib.loads((files("sandtable.games.flames_of_war") / "text" / "procedures.toml").read_text("utf-8"))


def strategy(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Plain data that fits a type, small enough to play."""
    match kind:
        case inspect.IntType():
            low = max(-3, -3 if kind.ge is None else kind.ge)
            return st.integers(low, min(12 if kind.le is None else kind.le, 12))
        case inspect.FloatType():
            return st.one_of(st.integers(0, 24), st.floats(0 if kind.ge == 0 else -24, 24))
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.StrType():
            return st.sampled_from("abcdefghijklmnop")
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.UnionType():
            return st.one_of([strategy(part) for part in kind.types])
        case inspect.VarTupleType():
            unique = {"unique_by": lambda team: team["id"]} if has_id(kind.item_type) else {}
            return st.lists(strategy(kind.item_type), min_size=kind.min_length or 0, max_size=4, **unique)
        case inspect.StructType():
            needed = {field.name: strategy(field.type) for field in kind.fields if field.required}
            free = {field.name: strategy(field.type) for field in kind.fields if not field.required}
            return st.fixed_dictionaries(needed, optional=free)
    raise AssertionError(kind)


def has_id(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.StructType) and any(field.name == "id" for field in kind.fields)


def facts_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return strategy(inspect.type_info(PROCEDURES[name].facts))


def words_of(entry: Any) -> list[str]:
    """Every message id that a reader of the trace would see."""
    found = [getattr(entry, "label", ""), getattr(entry, "message", "")]
    if hasattr(entry, "chart"):
        found.append(f"chart.{entry.chart}")
    found += [part.label for part in getattr(entry, "modifiers", ())]
    return [word for word in found if word]


@pytest.mark.parametrize("name", sorted(PROCEDURES))
def test_random_facts(name):
    known = PROCEDURES[name]

    @given(facts_of(name), st.integers(0, 2**32))
    def play(plain, seed):
        try:
            facts = known.read(plain)
            dice = Seeded(str(seed))
            outcome = known.run(facts, dice)
        except InputError:
            return  # a field that this branch needs, or hits without a target
        assert isinstance(outcome, known.outcome)
        if hasattr(outcome, "rolls"):
            assert outcome.rolls == tuple(dice.faces)
        assert all(1 <= face <= 6 for face in dice.faces)
        again = Scripted(dice.faces)
        assert known.run(facts, again) == outcome
        again.finish()
        assert again.trace == dice.trace
        assert sum(len(getattr(entry, "faces", ())) for entry in dice.trace) == len(dice.faces)
        for entry in dice.trace:
            assert entry.rule.startswith("FOW-"), entry
            for word in words_of(entry):
                assert word in MESSAGES, word
        assert msgspec.json.decode(msgspec.json.encode(outcome), type=dict)
        hash(outcome)

    play()


RUBBISH = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from([10**30, -1, "tank", "veteran"])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@pytest.mark.parametrize("name", sorted(PROCEDURES))
def test_rubbish_is_refused(name):
    known = PROCEDURES[name]
    fields = known.facts.__struct_fields__
    spoiled = st.fixed_dictionaries({}, optional=dict.fromkeys(fields, RUBBISH)) if fields else RUBBISH

    @settings(max_examples=settings.default.max_examples // 2)
    @given(
        st.one_of(
            RUBBISH,
            spoiled,
            st.tuples(facts_of(name), spoiled).map(lambda both: both[0] | both[1] if isinstance(both[1], dict) else both[1]),
        )
    )
    def try_it(plain):
        try:
            known.run(known.read(plain), Seeded("rubbish", tracing=False))
        except InputError as refusal:
            assert str(refusal)

    try_it()


def test_every_message_is_there_in_three_languages():
    for word, texts in MESSAGES.items():
        assert set(texts) == {"en", "pl", "it"}, word
        assert all(isinstance(text, str) and text.strip() for text in texts.values()), word


def test_charts_procedures_and_fields_have_names():
    from sandtable.games.flames_of_war.procedures import CHARTS

    missing = [f"chart.{name}" for name in CHARTS if f"chart.{name}" not in MESSAGES]
    for name, known in PROCEDURES.items():
        missing += [word for word in (f"procedure.{name}",) if word not in MESSAGES]
        missing += [
            f"field.{field}"
            for field in (*known.facts.__struct_fields__, *known.outcome.__struct_fields__)
            if f"field.{field}" not in MESSAGES
        ]
    assert not missing, sorted(set(missing))
