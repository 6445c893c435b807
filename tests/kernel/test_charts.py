"""Chart files: what they may look like, and that every problem is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.kernel.charts import Chart, Charts, load_chart
from sandtable.kernel.errors import ChartError

TO_HIT = """
title = "chart.to_hit"
rules = ["T-HIT-01"]
keys = ["skill", "moved"]
fields = ["skill", "moved", "needed"]
rows = [["green", true, 6], ["green", false, 5], ["veteran", true, 4], ["veteran", false, "-"]]
nullable = ["needed"]

[words]
skill = ["green", "veteran"]
moved = [true, false]
needed = { least = 1, most = 6 }
"""

GRID = """
title = "chart.result"
rules = ["T-RES-01"]
keys = ["odds", "roll"]
fields = ["odds", "roll", "result"]
across = { field = "roll", values = [1, 2, 3] }
cell = "result"
grid = [["1:1", "NE", "NE", "DR"], ["2:1", "NE", "DR", "DE"]]

[words]
odds = ["1:1", "2:1"]
roll = [1, 2, 3]
result = ["NE", "DR", "DE"]
"""

BANDS = """
title = "chart.range"
rules = ["T-RNG-01"]
keys = ["gun", "min_range", "max_range"]
fields = ["gun", "min_range", "max_range", "modifier"]
band = ["min_range", "max_range"]
rows = [["light", "-", 8, 0], ["light", 9, 16, -1], ["light", 17, "-", -2], ["heavy", 0, 20, 0], ["heavy", 21, 40, -1]]

[words]
gun = ["light", "heavy"]
min_range = { least = 0, most = 40 }
max_range = { least = 0, most = 40 }
modifier = { least = -2, most = 0 }
"""


def problems(text: str, *swaps: tuple[str, str]) -> str:
    """What the loader says to a chart with some changes."""
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(ChartError) as caught:
        load_chart("it", text)
    return str(caught.value)


# -- charts that are right ------------------------------------------------------------------------------------------------


def test_a_chart_of_rows() -> None:
    chart = load_chart("to_hit", TO_HIT)
    assert (chart.name, chart.title, chart.rules, chart.keys) == ("to_hit", "chart.to_hit", ("T-HIT-01",), ("skill", "moved"))
    assert chart.record("green", True) == {"skill": "green", "moved": True, "needed": 6}
    assert chart.value("veteran", True) == 4
    assert chart.value("veteran", False) is None
    assert chart.column("needed") == {("green", True): 6, ("green", False): 5, ("veteran", True): 4, ("veteran", False): None}
    assert list(chart) == chart.records and len(chart.records) == 4


def test_a_grid_is_the_same_as_its_rows() -> None:
    grid = load_chart("result", GRID)
    rows = [
        [head, roll, cell] for head, *cells in (("1:1", "NE", "NE", "DR"), ("2:1", "NE", "DR", "DE")) for roll, cell in enumerate(cells, 1)
    ]
    assert [list(record.values()) for record in grid] == rows
    assert [list(record) for record in grid] == [["odds", "roll", "result"]] * 6
    assert grid.value("2:1", 2) == "DR"


def test_a_chart_of_bands() -> None:
    chart = load_chart("range", BANDS)
    for value, gun, modifier in [
        (-5, "light", 0),
        (8, "light", 0),
        (9, "light", -1),
        (17, "light", -2),
        (99, "light", -2),
        (21, "heavy", -1),
    ]:
        assert chart.at(value, gun)["modifier"] == modifier
    with pytest.raises(ChartError, match=r"no band for 41 in \('heavy',\)"):
        chart.at(41, "heavy")
    with pytest.raises(ChartError, match="no band for 3"):
        chart.at(3, "medium")


def test_a_look_up_outside_the_chart_is_named() -> None:
    chart = load_chart("to_hit", TO_HIT)
    cases: list[tuple[tuple[object, ...], str]] = [
        (("ace", True), "skill 'ace', moved True"),
        (("green",), "skill 'green', moved None"),
        (([], True), "skill \\[\\]"),
    ]
    for keys, asked in cases:
        with pytest.raises(ChartError, match=f"chart to_hit has no entry for {asked}"):
            chart.record(*keys)


# -- charts that are wrong ------------------------------------------------------------------------------------------------


def test_a_missing_record() -> None:
    assert problems(TO_HIT, ('["veteran", true, 4], ', "")) == "chart it: no record for veteran, True"


def test_an_incomplete_chart_may_say_so() -> None:
    text = TO_HIT.replace('["veteran", true, 4], ', "").replace("nullable", "complete = false\nnullable")
    assert len(load_chart("it", text).records) == 3


def test_a_double_key() -> None:
    assert "records 1 and 2 have the same key ('green', True)" in problems(TO_HIT, ('["green", false, 5]', '["green", true, 5]'))


def test_an_unknown_word() -> None:
    assert "record 1: skill 'gren' is none of green, veteran" in problems(TO_HIT, ('["green", true', '["gren", true'))


@pytest.mark.parametrize("cell", ["7", "0", '"six"', "true", "-1"])
def test_a_number_out_of_range(cell: str) -> None:
    assert "record 1: needed " in problems(TO_HIT, ('"green", true, 6', f'"green", true, {cell}'))


def test_one_is_not_true() -> None:
    assert "record 1: moved 1 is none of True, False" in problems(TO_HIT, ('"green", true', '"green", 1'))


def test_an_empty_cell_where_none_may_be() -> None:
    assert problems(TO_HIT, ('nullable = ["needed"]', "")) == "chart it: record 4: needed '-' is not within 1 to 6"


def test_ragged_rows() -> None:
    assert "row 2 has 2 cells, not 3" in problems(TO_HIT, ('["green", false, 5]', '["green", false]'))
    assert "grid line 1 has 3 cells, not 4" in problems(GRID, ('"NE", "NE", "DR"]', '"NE", "DR"]'))


def test_a_field_without_words() -> None:
    assert "the words of needed are not given" in problems(TO_HIT, ("needed = { least = 1, most = 6 }", ""))


def test_a_grid_without_its_top_line() -> None:
    assert "a grid needs `across` and `cell`" in problems(GRID, ('cell = "result"', ""))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["light", 9, 16, -1]', '["light", 10, 16, -1]', "8 and 10"),  # a gap
        ('["light", 9, 16, -1]', '["light", 8, 16, -1]', "8 and 8"),  # an overlap
        ('["light", 9, 16, -1]', '["light", 9, "-", -1]', "None and 17"),  # an open end in the middle
        ('["heavy", 21, 40, -1]', '["heavy", 19, 40, -1]', "20 and 19"),
    ],
)
def test_bands_that_do_not_join(old: str, new: str, said: str) -> None:
    assert f"bands do not join in ('{old[2:7]}',): {said}" in problems(BANDS, (old, new))


def test_every_problem_is_named_at_once() -> None:
    said = problems(
        TO_HIT,
        ('["green", true, 6]', '["gren", true, 9]'),
        ('["green", false, 5]', '["green", false]'),
        ('["veteran", false, "-"]', '["veteran", true, 3]'),
    )
    for problem in ("row 2 has 2 cells", "skill 'gren'", "needed 9", "records 2 and 3 have the same key"):
        assert problem in said


def test_every_gap_is_named_at_once() -> None:
    said = problems(BANDS, ('["light", 9,', '["light", 10,'), ('["heavy", 21,', '["heavy", 23,'))
    assert "8 and 10" in said and "20 and 23" in said


@pytest.mark.parametrize("text", ["title = ", "title = 'x'", TO_HIT + "\nextra = 1", TO_HIT.replace("title", "tittle", 1), ""])
def test_a_file_that_is_no_chart(text: str) -> None:
    with pytest.raises(ChartError, match="chart it: "):
        load_chart("it", text)


# -- the charts of a game -------------------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "chart_test_game"
    (folder / "charts").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    for name, text in (("to_hit", TO_HIT), ("result", GRID)):
        (folder / "charts" / f"{name}.toml").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_the_charts_of_a_game(game: Path) -> None:
    charts = Charts("chart_test_game")
    assert list(charts) == ["result", "to_hit"] and len(charts) == 2
    assert isinstance(charts["to_hit"], Chart) and charts["to_hit"] is charts["to_hit"]
    with pytest.raises(KeyError):
        charts["nothing"]
    before = charts.digest()
    path = game / "charts" / "to_hit.toml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert Charts("chart_test_game").digest() == before
    path.write_text(TO_HIT.replace("5]", "4]"))
    assert Charts("chart_test_game").digest() != before


def test_a_band_that_runs_backwards() -> None:
    assert "runs backwards" in problems(BANDS, ('["heavy", 0, 20, 0]', '["heavy", 20, 0, 0]'))


def test_a_band_with_one_end() -> None:
    assert "two different ends" in problems(BANDS, ('band = ["min_range", "max_range"]', 'band = ["min_range"]'))


def test_names_that_are_no_fields() -> None:
    assert "no field" in problems(TO_HIT, ('keys = ["skill", "moved"]', 'keys = ["skill", "moved", "speed"]'))


def test_a_list_in_a_cell() -> None:
    assert "one value" in problems(TO_HIT, ('["green", true, 6]', '[["green"], true, 6]'))
