"""Where mutated inputs come from."""

from __future__ import annotations

import copy
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from hypothesis import strategies as st

WORDS = ("", "a", "b", "x", "none", "infantry", "tank", "veteran", "direct", "a1", "reds", "zażółć", "\x00", "٣", "1e999")
NUMBERS = (-1, 0, 1, 2, 3, 6, 7, 16, 20, 1000, -(10**6), 10**9, 2**63, 10**30, 0.5, -0.0, 1e308)

scalars = st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.integers(-10, 40) | st.sampled_from(WORDS) | st.text(max_size=6)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def mutated(draw: st.DrawFn, data: Any) -> Any:
    """Data that was right, with a few things wrong."""
    found = copy.deepcopy(data)
    for _ in range(draw(st.integers(0, 3))):
        found = _mutate(draw, found)
    return found


def _mutate(draw: st.DrawFn, data: Any, depth: int = 0) -> Any:
    inside = isinstance(data, dict | list) and len(data) > 0
    if not inside or (depth and draw(st.integers(0, 5)) == 0):
        return draw(json_values) if not isinstance(data, int) or draw(st.booleans()) else data + draw(st.sampled_from((-1, 1, 100, -100)))
    if isinstance(data, dict):
        key = draw(st.sampled_from(sorted(data)))
        what = draw(st.integers(0, 9))
        if what == 0:
            del data[key]
        elif what == 1:
            data[draw(st.sampled_from(WORDS) | st.text(max_size=6))] = data[key]
        else:
            data[key] = _mutate(draw, data[key], depth + 1)
        return data
    place = draw(st.integers(0, len(data) - 1))
    what = draw(st.integers(0, 9))
    if what == 0:
        del data[place]
    elif what == 1:
        data.append(copy.deepcopy(data[place]))
    else:
        data[place] = _mutate(draw, data[place], depth + 1)
    return data


def of_type(wanted: Any) -> st.SearchStrategy[Any]:
    """Plain data that fits a type, as JSON would bring it."""
    return _fitting(msgspec.inspect.type_info(wanted))


def _fitting(info: Any) -> st.SearchStrategy[Any]:
    inspect = msgspec.inspect
    match info:
        case inspect.StructType():
            fields = {field.encode_name: _fitting(field.type) for field in info.fields}
            optional = {field.encode_name for field in info.fields if not field.required}
            return st.fixed_dictionaries(
                {name: found for name, found in fields.items() if name not in optional},
                optional={name: found for name, found in fields.items() if name in optional},
            )
        case inspect.UnionType():
            return st.one_of([_fitting(kind) for kind in info.types])
        case inspect.LiteralType():
            return st.sampled_from(list(info.values))
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.IntType():
            return _number(info).map(int) | st.integers(0, 8) if info.ge is None and info.gt is None else _number(info).map(int)
        case inspect.FloatType():
            return _number(info).map(float) | st.sampled_from((0.0, 3.5, 8.0, 16.0, 16.1, 24.0))
        case inspect.StrType():
            return st.sampled_from(("a", "b", "c", "x_1"))
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return st.lists(_fitting(info.item_type), max_size=5)
        case inspect.TupleType():
            return st.tuples(*[_fitting(kind) for kind in info.item_types]).map(list)
        case inspect.DictType():
            return st.dictionaries(st.sampled_from(("a", "b", "c")), _fitting(info.value_type), max_size=3)
        case _:
            return json_values


def _number(info: Any) -> st.SearchStrategy[int]:
    least = info.ge if info.ge is not None else info.gt if info.gt is not None else -2
    most = info.le if info.le is not None else info.lt if info.lt is not None else 20
    return st.integers(int(least), max(int(least), int(most)))


@contextmanager
def no_hang(seconds: int = 20) -> Iterator[None]:
    """What takes so long is a hang."""

    def stop(*_: object) -> None:
        raise AssertionError(f"this takes more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
