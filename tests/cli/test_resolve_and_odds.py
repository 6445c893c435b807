"""`resolve` and `odds`: the contract with scripts and other programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHOT = '{"range": "short", "cover": true, "dice": 3}'


def test_resolve_gives_outcome_trace_and_dice(run: Callable[..., Any]) -> None:
    ran = run("resolve", "toy", "shot", "--input", "-", "--dice", "4,5,1", "--json", stdin=SHOT)
    assert ran.code == 0 and ran.err == ""
    answer = json.loads(ran.out)
    assert answer["outcome"] == {"needed": 4, "hits": 2, "harm": "gone", "rolls": [4, 5, 1]}
    assert answer["dice"] == [4, 5, 1]
    assert answer["trace"][0]["modifiers"] == [
        {"label": "range", "amount": 3, "rule": "TOY-HIT-01"},
        {"label": "cover", "amount": 1, "rule": "TOY-HIT-02"},
    ]


@pytest.mark.parametrize(("language", "word"), [("en", "cover"), ("pl", "osłona"), ("it", "copertura")])
def test_on_screen_every_modifier_is_explained_with_its_rule(run: Callable[..., Any], language: str, word: str) -> None:
    out = run("resolve", "toy", "shot", "--input", "-", "--dice", "4,5,1", "--language", language, stdin=SHOT).out
    assert f"+1 {word} [TOY-HIT-02]" in out
    assert "4+: 4 5 1 -> 2 [TOY-HIT-01]" in out


def test_the_language_comes_from_the_environment(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    for lang, word in (("it_IT.UTF-8", "copertura"), ("pl_PL", "osłona"), ("C", "cover"), ("de_DE", "cover"), ("", "cover")):
        monkeypatch.setenv("LANG", lang)
        assert f"+1 {word} " in run("resolve", "toy", "shot", "--input", "-", "--dice", "4,5,1", stdin=SHOT).out


def test_the_same_seed_gives_the_same_dice(run: Callable[..., Any]) -> None:
    one, two, three = (run("resolve", "toy", "shot", "--input", "-", "--seed", seed, "--json", stdin=SHOT).out for seed in (7, 7, 8))
    assert one == two
    assert json.loads(one)["dice"] != json.loads(three)["dice"]


def test_a_procedure_without_dice_needs_none(run: Callable[..., Any]) -> None:
    ran = run("resolve", "toy", "shot", "--input", "-", "--json", stdin='{"range": "long", "dice": 0}')
    assert ran.code == 0 and json.loads(ran.out)["dice"] == []
    assert run("resolve", "toy", "shot", "--input", "-", "--dice", "", "--json", stdin='{"range": "long", "dice": 0}').code == 0


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ("4,5", "a die is missing: die 3, a d6"),
        ("", "a die is missing: die 1"),
        ("4,5,6,1", "1 dice left over: 1; 3 were needed"),
        ("4,7,1", "die 2 cannot be 7"),
        ("0,1,1", "die 1 cannot be 0"),
        ("-1,1,1", "die 1 cannot be -1"),
        ("4,x,1", "a die cannot be 'x'"),
        ("4.5,1,1", "a die cannot be '4.5'"),
        ("9" * 5000, "a die cannot be"),
    ],
)
def test_impossible_missing_and_left_over_dice_are_clear_errors(refused: Callable[..., str], dice: str, said: str) -> None:
    assert said in refused("resolve", "toy", "shot", "--input", "-", "--dice", dice, stdin=SHOT)


def test_without_dice_or_seed_and_without_a_terminal_it_says_what_to_give(refused: Callable[..., str]) -> None:
    said = refused("resolve", "toy", "shot", "--input", "-", stdin=SHOT)
    assert "a die is missing" in said and "--dice" in said and "seed" in said


def test_in_a_terminal_it_asks_for_each_roll_by_name(run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    from sandtable.cli import main

    (tmp_path / "in.json").write_text(SHOT)
    monkeypatch.setattr(sys, "stdin", Terminal("4\n9\nx\n5\n1\n"))
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stdout", screen)
    assert main(["resolve", "toy", "shot", "--input", str(tmp_path / "in.json"), "--language", "en"]) == 0
    out = screen.getvalue()
    assert out.count("Roll a d6 for a hit and type it in.") == 5
    assert "A d6 cannot show 9." in out and "A d6 cannot show x." in out
    assert "rolls: 4, 5, 1" in out


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("resolve", "chess", "shot", "--input", "-"), SHOT, "there is no game 'chess'"),
        (("resolve", "toy", "shoot", "--input", "-"), SHOT, "there is no procedure 'shoot'; there are: shot, ammunition"),
        (("resolve", "toy"), SHOT, "name a procedure"),
        (("resolve", "toy", "shot"), SHOT, "--input"),
        (("resolve", "toy", "shot", "--input", "-"), "", "not JSON"),
        (("resolve", "toy", "shot", "--input", "-"), '{"range":\n  short}', "line 2, column 3"),
        (("resolve", "toy", "shot", "--input", "-"), b'{"range": "\xff"}', "not UTF-8 text at line 1, column 12"),
        (("resolve", "toy", "shot", "--input", "-"), "[" * 100_000, "without end"),
        (("resolve", "toy", "shot", "--input", "-"), "[]", "is an object with the fields range, cover, dice"),
        (("resolve", "toy", "shot", "--input", "-"), "{}", "missing field `range`"),
        (("resolve", "toy", "shot", "--input", "-"), '{"range": "middle"}', "$.range"),
        (("resolve", "toy", "shot", "--input", "-"), '{"range": "short", "dice": 21}', "from 0 to 20"),
        (("resolve", "toy", "shot", "--input", "-"), '{"range": "short", "wind": 1}', "unknown field `wind`; known: range, cover, dice"),
        (("resolve", "toy", "shot", "--input", "no such file"), "", "no such file: No such file"),
        (("resolve", "toy", "shot", "--input", "."), "", "Is a directory"),
        (("resolve", "toy", "shot", "--input", "-", "--dice", "1", "--seed", "1"), SHOT, "not both"),
        (("resolve", "toy", "shot", "--input", "-", "--batch", "-"), SHOT, "with --batch"),
        (("resolve", "toy", "shot", "--inputt", "-"), SHOT, "Unknown option"),
        (("resolve", "toy", "shot", "--input", "-", "--language", "de"), SHOT, "de"),
        (("odds", "toy", "shot", "--input", "-", "--field", "hit"), SHOT, "no outcome field 'hit'; it has: needed, hits, harm, rolls"),
        (("tables", "toy", "to_miss"), "", "no chart 'to_miss'; it has: to_hit"),
        (("tables", "checkers"), "", "there is no game 'checkers'"),
        (("rules", "toy", "xyzzy"), "", "no rule"),
        (("simulate", "nowhere"), "", "there is no scenario 'nowhere'"),
        (("simulate", "toy/nowhere"), "", "toy has no scenario 'nowhere'; it has: bridge"),
        (("simulate", "bridge", "--games", "0"), "", "--games"),
        (("simulate", "bridge", "--games", "x"), "", "games"),
        (("simulate", "bridge", "--side-a", "genius"), "", "toy has no bot 'genius'; it has: bot, random"),
        (("replay", "no such file"), "", "No such file"),
        (("verify", "."), "", "Is a directory"),
        (("play", "bridge", "--hot-seat", "--bot", "random"), "", "--hot-seat"),
        (("play", "--resume", "no such file"), "", "No such file"),
        (("dance",), "", "Unknown command"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_code_2(
    refused: Callable[..., str], arguments: tuple[str, ...], stdin: str | bytes, said: str
) -> None:
    assert said in refused(*arguments, stdin=stdin)


def test_odds_are_exact_and_most_likely_first(run: Callable[..., Any]) -> None:
    answer = json.loads(run("odds", "toy", "shot", "--input", "-", "--json", stdin='{"range": "long", "dice": 2}').out)
    assert answer == {
        "outcomes": [
            {"outcome": {"needed": 5, "hits": 0, "harm": "none"}, "p": "4/9"},
            {"outcome": {"needed": 5, "hits": 1, "harm": "shaken"}, "p": "4/9"},
            {"outcome": {"needed": 5, "hits": 2, "harm": "gone"}, "p": "1/9"},
        ]
    }


def test_odds_of_named_fields_are_merged(run: Callable[..., Any]) -> None:
    given = '{"range": "long", "dice": 3}'
    rows = json.loads(run("odds", "toy", "shot", "--input", "-", "--field", "harm", "--json", stdin=given).out)["outcomes"]
    assert rows == [
        {"outcome": {"harm": "shaken"}, "p": "4/9"},
        {"outcome": {"harm": "none"}, "p": "8/27"},
        {"outcome": {"harm": "gone"}, "p": "7/27"},
    ]
    rows = json.loads(run("odds", "toy", "shot", "--input", "-", "--field", "needed", "--json", stdin=given).out)["outcomes"]
    assert rows == [{"outcome": {"needed": 5}, "p": "1"}]


def test_odds_of_a_field_that_repeats_dice_go_face_by_face(run: Callable[..., Any]) -> None:
    arguments = ("odds", "toy", "shot", "--input", "-", "--field", "rolls", "--field", "hits", "--json")
    rows = json.loads(run(*arguments, stdin='{"range": "long", "dice": 1}').out)["outcomes"]
    assert sorted(row["outcome"]["rolls"][0] for row in rows) == [1, 2, 3, 4, 5, 6]
    assert all(row["p"] == "1/6" and row["outcome"]["hits"] == (row["outcome"]["rolls"][0] >= 5) for row in rows)


def test_odds_face_by_face_have_a_limit(refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.cli.resolving.MOST_PATHS", 1000)
    said = refused("odds", "toy", "shot", "--input", "-", "--field", "rolls", stdin='{"range": "short", "dice": 20}')
    assert "more than 1000 different series of dice" in said


def test_on_screen_odds_are_a_bar_chart(run: Callable[..., Any]) -> None:
    out = run("odds", "toy", "shot", "--input", "-", stdin='{"range": "long", "dice": 1}').out
    assert out.splitlines()[0].startswith(" 66.667%             2/3 ████████████████████████ needed 5, hits 0")
    assert out.splitlines()[1].startswith(" 33.333%             1/3 ████████████ ")


# -- batches ------------------------------------------------------------------------------------------------------


def test_a_batch_answers_line_by_line_and_goes_on_after_a_bad_one(run: Callable[..., Any]) -> None:
    batch = b"\n".join(
        [
            b'{"procedure": "shot", "input": {"range": "short"}, "dice": [6]}',
            b"",
            b"not json",
            b'{"procedure": "shot", "input": {"range": "short"}, "dice": [7]}',
            b'{"procedure": "shot", "input": {"range": "short"}, "dice": [6, 6]}',
            b'{"procedure": "shot", "input": {"range": "short"}}',
            b'{"procedure": "shot", "input": {"range": "short"}, "seed": 4}',
            b'{"procedure": "ammunition", "input": {}, "dice": [3]}\r',
            b'{"procedure": "nothing", "input": {}}',
            b'{"input": {}}',
            b'{"procedure": "shot", "input": {"range": "short"}, "dies": [6]}',
            b'{"procedure": "shot", "input": "\xff"}',
            b"[]",
            b'{"procedure": "shot", "input": {"range": "short"}, "dice": [5]}',
        ]
    )
    ran = run("resolve", "toy", "--batch", "-", stdin=batch)
    assert ran.code == 0 and ran.err == ""
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert len(answers) == 13
    good = [place for place, answer in enumerate(answers) if "outcome" in answer]
    assert good == [0, 5, 6, 12]
    assert answers[0]["outcome"]["hits"] == 1 and answers[6]["outcome"] == {"boxes": 3}
    assert [answers[place]["error"]["line"] for place in (1, 2, 3, 4)] == [3, 4, 5, 6]
    assert answers[1]["error"]["code"] == "bad_input" and answers[2]["error"]["code"] == "bad_dice"
    assert all(answer["error"]["code"] != "bug" for answer in answers if "error" in answer)


def test_a_batch_of_odds_knows_fields(run: Callable[..., Any], tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text(
        '{"procedure": "shot", "input": {"range": "long"}, "fields": ["hits"]}\n'
        '{"input": {"range": "long"}}\n'
        '{"input": {}, "fields": ["x"]}'
    )
    ran = run("odds", "toy", "shot", "--batch", batch)
    first, second, third = (json.loads(line) for line in ran.out.splitlines())
    assert first == {"outcomes": [{"outcome": {"hits": 0}, "p": "2/3"}, {"outcome": {"hits": 1}, "p": "1/3"}]}
    assert set(second["outcomes"][0]["outcome"]) == {"needed", "hits", "harm"}
    assert "error" in third
