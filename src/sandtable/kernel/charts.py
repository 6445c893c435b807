"""Charts are data: one file a chart, checked on load, and the same file is what the engine uses and `tables` prints.

A chart file is TOML:

    title = "chart.to_hit"            # message id of its name
    rules = ["FOW-HIT-01"]
    keys = ["target_skill"]           # the fields that find a record; every combination must be there exactly once
    fields = ["target_skill", "needed"]
    rows = [["conscript", 2], ["regular", 3], ["veteran", 4]]

    [words]                           # the vocabulary: a list of allowed values, or a range of whole numbers
    target_skill = ["conscript", "regular", "veteran"]
    needed = { least = 1, most = 6 }

A null cell is written as "-" in a field listed under `nullable`. A wide chart may be written as a grid: `grid` has one
line a row key, `across` names the field and its values along the top, `cell` the field of the cells. A chart with bands
names them: `band = ["min_roll", "max_roll"]` (null = open end); bands must join without gap or overlap.
"""

from __future__ import annotations

import hashlib
import itertools
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from sandtable.kernel.errors import ChartError
from sandtable.kernel.preparing import prepare


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    least: float
    most: float


class Across(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    field: str
    values: tuple[Any, ...]


class ChartFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a chart file."""

    title: str
    rules: tuple[str, ...]
    fields: tuple[str, ...]
    keys: tuple[str, ...]
    words: dict[str, tuple[Any, ...] | Span]
    rows: tuple[tuple[Any, ...], ...] = ()
    grid: tuple[tuple[Any, ...], ...] = ()
    across: Across | None = None
    cell: str = ""
    nullable: tuple[str, ...] = ()
    band: tuple[str, ...] = ()
    complete: bool = True
    note: str = ""


prepare(ChartFile)


class Chart:
    """A chart in memory: its records, and look-up by key or by band."""

    def __init__(self, name: str, source: ChartFile) -> None:
        self.name, self.title, self.rules, self.fields, self.keys = name, source.title, source.rules, source.fields, source.keys
        self.band = source.band
        self.records: list[dict[str, Any]] = _check(name, source)
        self._plain = tuple(key for key in self.keys if key not in self.band)
        self._index: dict[Any, Any] = {}
        for record in self.records:
            found = tuple(record[key] for key in self._plain)
            if self.band:
                self._index.setdefault(found, []).append(record)
            else:
                self._index[found] = record

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.records)

    def record(self, *keys: Any) -> dict[str, Any]:
        """The record of these keys, in the order of the chart's key fields."""
        try:
            return self._index[keys]  # type: ignore[no-any-return]
        except (KeyError, TypeError):
            asked = ", ".join(f"{name} {value!r}" for name, value in itertools.zip_longest(self._plain, keys))
            raise ChartError(f"chart {self.name} has no entry for {asked}") from None

    def value(self, *keys: Any) -> Any:
        """The one field of the record that is no key."""
        return self.record(*keys)[self.fields[-1]]

    def column(self, field: str) -> dict[Any, Any]:
        """All values of a field by key (a single value, or a tuple of key values)."""
        if len(self._plain) == 1:
            return {record[self._plain[0]]: record[field] for record in self.records}
        return {tuple(record[key] for key in self._plain): record[field] for record in self.records}

    def at(self, value: float, *keys: Any) -> dict[str, Any]:
        """The record whose band holds a value."""
        low, high = self.band
        for record in self._index.get(keys, ()):
            if (record[low] is None or value >= record[low]) and (record[high] is None or value <= record[high]):
                return record  # type: ignore[no-any-return]
        raise ChartError(f"chart {self.name} has no band for {value}" + (f" in {keys}" if keys else ""))


def _check(name: str, source: ChartFile) -> list[dict[str, Any]]:
    """The records of a chart file, or every problem that it has."""
    problems: list[str] = _shape_problems(source)
    if problems:
        raise ChartError(f"chart {name}: " + "; ".join(problems))
    records = list(_records(name, source, problems))
    for number, record in enumerate(records, 1):
        for field, value in record.items():
            words = source.words.get(field)
            if value is None:
                if field not in source.nullable and field not in source.band:
                    problems.append(f"record {number}: {field} may not be empty")
            elif words is None:
                problems.append(f"the words of {field} are not given")
            elif isinstance(words, Span):
                if isinstance(value, bool) or not isinstance(value, int | float) or not words.least <= value <= words.most:
                    problems.append(f"record {number}: {field} {value!r} is not within {words.least:g} to {words.most:g}")
            elif not any(value == word and isinstance(value, bool) == isinstance(word, bool) for word in words):
                problems.append(f"record {number}: {field} {value!r} is none of {', '.join(map(str, words))}")
    seen: dict[tuple[Any, ...], int] = {}
    for number, record in enumerate(records, 1):
        key = tuple(record.get(field) for field in source.keys)
        if key in seen:
            problems.append(f"records {seen[key]} and {number} have the same key {key}")
        seen[key] = number
    plain = [key for key in source.keys if key not in source.band]
    if source.complete and not problems:
        spaces: list[Any] = [source.words[key] for key in plain]
        if all(not isinstance(space, Span) for space in spaces):
            present = {tuple(record[key] for key in plain) for record in records}
            for wanted in itertools.product(*spaces):
                if wanted not in present:
                    problems.append(f"no record for {', '.join(map(str, wanted))}")
    if source.band and not problems:
        _check_bands(source, records, plain, problems)
    if problems:
        raise ChartError(f"chart {name}: " + "; ".join(dict.fromkeys(problems)))
    return records


def _shape_problems(source: ChartFile) -> list[str]:
    """What is wrong with the frame of a chart, before its cells are looked at."""
    problems = []
    named = [("keys", source.keys), ("band", source.band), ("nullable", source.nullable)]
    if source.across is not None:
        named += [("across", (source.across.field,)), ("cell", (source.cell,) if source.cell else ())]
    for what, names in named:
        problems += [f"{what} names {field!r}, which is no field" for field in names if field not in source.fields]
    if source.band and (len(source.band) != 2 or source.band[0] == source.band[1]):
        problems.append("a band has two different ends")
    cells = [cell for row in (*source.rows, *source.grid) for cell in row]
    if any(isinstance(cell, list | dict | tuple) for cell in cells):
        problems.append("a cell holds one value, not a list or a table")
    return problems


def _records(name: str, source: ChartFile, problems: list[str]) -> Iterator[dict[str, Any]]:
    nullable = set(source.nullable) | set(source.band)

    def read(field: str, value: Any) -> Any:
        return None if value == "-" and field in nullable else value

    for number, row in enumerate(source.rows, 1):
        if len(row) != len(source.fields):
            problems.append(f"row {number} has {len(row)} cells, not {len(source.fields)}")
            continue
        yield {field: read(field, value) for field, value in zip(source.fields, row, strict=True)}
    if not source.grid:
        return
    if source.across is None or not source.cell:
        raise ChartError(f"chart {name}: a grid needs `across` and `cell`")
    leading = [field for field in source.fields if field not in (source.across.field, source.cell)]
    for number, row in enumerate(source.grid, 1):
        if len(row) != len(leading) + len(source.across.values):
            problems.append(f"grid line {number} has {len(row)} cells, not {len(leading) + len(source.across.values)}")
            continue
        head = {field: read(field, value) for field, value in zip(leading, row[: len(leading)], strict=True)}
        for top, value in zip(source.across.values, row[len(leading) :], strict=True):
            found = head | {source.across.field: top, source.cell: read(source.cell, value)}
            yield {field: found[field] for field in source.fields}


def _check_bands(source: ChartFile, records: list[dict[str, Any]], plain: list[str], problems: list[str]) -> None:
    low, high = source.band
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(tuple(record[key] for key in plain), []).append(record)
    for group, found in groups.items():
        for record in found:
            if record[low] is not None and record[high] is not None and record[low] > record[high]:
                problems.append(f"a band runs backwards in {group or 'the chart'}: {record[low]} to {record[high]}")
        for before, after in itertools.pairwise(found):
            if before[high] is None or after[low] is None or after[low] != before[high] + 1:
                problems.append(f"bands do not join in {group or 'the chart'}: {before[high]} and {after[low]}")


class Charts(Mapping[str, Chart]):
    """The charts of one game, each loaded when it is first read."""

    def __init__(self, package: str) -> None:
        self._folder = files(package) / "charts"
        self._loaded: dict[str, Chart] = {}
        self._names = sorted(Path(entry.name).stem for entry in self._folder.iterdir() if entry.name.endswith(".toml"))

    def __getitem__(self, name: str) -> Chart:
        chart = self._loaded.get(name)
        if chart is None:
            if name not in self._names:
                raise KeyError(name)
            chart = self._loaded[name] = load_chart(name, (self._folder / f"{name}.toml").read_text("utf-8"))
        return chart

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def digest(self) -> str:
        """A hash of all charts: saves carry it, so that a changed chart is noticed."""
        sums = hashlib.sha256()
        for name in self._names:
            sums.update((self._folder / f"{name}.toml").read_bytes().replace(b"\r\n", b"\n"))
        return sums.hexdigest()[:16]


def load_chart(name: str, text: str) -> Chart:
    """A chart from the text of its file."""
    try:
        return Chart(name, msgspec.convert(tomllib.loads(text), ChartFile))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise ChartError(f"chart {name}: {problem}") from None
