"""The text table: a whole game by typed lines, and how lines are read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.decisions import Allocate, Option, PickOne, PickPlaces, PickRoute, PickSeveral, TypeDie
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.game import load_game
from sandtable.kernel.match import Match
from sandtable.kernel.messages import say
from sandtable.kernel.saves import read_save, verify
from sandtable.text_table import words_of
from sandtable.text_table.answers import AllocationDraft, NotUnderstood, PlacesDraft, read_die, read_one, read_route, read_several
from sandtable.text_table.describing import Describer
from sandtable.text_table.drawing import draw
from sandtable.text_table.proposing import Proposals
from sandtable.text_table.table import TextTable

load_game("toy")

from sandtable.games.toy.game import GAME  # noqa: E402
from sandtable.games.toy.playing import give, played, waiting  # noqa: E402

SCENE = GAME.scene(waiting(1).battle)
WHO = {"player": "a", "decision": "D-01", "prompt": say("ask.something")}
OPTIONS = tuple(Option(id, say("word.squad")) for id in ("shoot", "stay", "wait"))
ROUTE = PickRoute(**WHO, unit="a1", reach=6000)


@pytest.mark.parametrize(
    ("typed", "path", "facing"),
    [
        ("n 6", [[8000, 8000]], None),
        ("e 2; n 3", [[10000, 2000], [10000, 5000]], None),
        ("90 2.5", [[10500, 2000]], None),
        ("12,4.5", [[12000, 4500]], None),
        ("9,3 10,4 face s", [[9000, 3000], [10000, 4000]], 180),
        ("9, 3", [[9000, 3000]], None),
        ("NE 1", [[8707, 2707]], None),
        ("to b1", [[8000, 8000]], None),  # b1 is 14 inches north; as far as it can go
        ("to b1 3", [[8000, 5000]], None),
        ("to a2", [[11000, 2000]], None),  # to contact: 4 inches between the centres, bases of one inch
        ("to bridge 1", [[8371, 2928]], None),
        ("stay face 270", [], 270),
        ("stay", [], None),
    ],
)
def test_routes_are_read(typed: str, path: list[list[int]], facing: int | None) -> None:
    answer = read_route(ROUTE, typed, SCENE)
    assert answer["path"] == path and answer.get("facing") == facing
    ROUTE.read(answer)


@pytest.mark.parametrize("typed", ["", "n", "6", "up 6", "n six", "to", "to nobody", "face", "1,2,3,", "n 99999999999", "nan nan", "1e9,2"])
def test_what_is_no_route_is_not_understood(typed: str) -> None:
    with pytest.raises(NotUnderstood):
        read_route(ROUTE, typed, SCENE)


def test_options_are_picked_by_number_id_or_beginning() -> None:
    one = PickOne(**WHO, options=OPTIONS)
    assert [read_one(one, typed) for typed in ("1", "stay", "w", "SH")] == ["shoot", "stay", "wait", "shoot"]
    for typed in ("0", "4", "s", "x", "", "-1", "1 2"):
        with pytest.raises(NotUnderstood):
            read_one(one, typed)
    several = PickSeveral(**WHO, options=OPTIONS)
    assert read_several(several, "1-2, wait") == ["shoot", "stay", "wait"]
    assert read_several(several, "all") == ["shoot", "stay", "wait"] and read_several(several, "none") == []
    for typed in ("1-9", "3-1", "0-1", "x"):
        with pytest.raises(NotUnderstood):
            read_several(several, typed)
    assert read_die(TypeDie(**WHO, sides=6, label="x"), "4") == 4


def test_places_are_typed_piece_by_piece_in_a_row_or_beside_something() -> None:
    draft = PlacesDraft(PickPlaces(**WHO, pieces=("x", "y", "z")), SCENE)
    assert draft.take("x 3,4 face e") is None
    assert draft.take("2 2 n of b1") is None
    assert draft.left == ["z"]
    assert draft.take("row 1,1 e 2") == {
        "x": {"x": 3000, "y": 4000, "facing": 90},
        "y": {"x": 8000, "y": 18000, "facing": 0},
        "z": {"x": 1000, "y": 1000, "facing": 0},
    }
    for typed in ("q 1,1", "x", "x 1", "x 1 n", "x 1 n of nobody", "row", "x 1,1 look n"):
        with pytest.raises(NotUnderstood):
            draft.take(typed)


def test_things_are_given_out_one_by_one_or_all_at_once() -> None:
    draft = AllocationDraft(Allocate(**WHO, things=("s", "t", "u"), receivers=OPTIONS))
    assert draft.take("2") is None
    with pytest.raises(NotUnderstood):
        draft.take("9")
    assert draft.take("all shoot") == {"stay": ["s"], "shoot": ["t", "u"]}


@given(st.text(max_size=60) | st.from_regex(r"(row|to|face|at|of|n|ne|x|[0-9., ;-]|a1|done|all){0,8}", fullmatch=True))
def test_whatever_is_typed_is_an_answer_or_not_understood(typed: str) -> None:
    reads: list[Callable[[], Any]] = [
        lambda: ROUTE.read(read_route(ROUTE, typed, SCENE)),
        lambda: read_one(PickOne(**WHO, options=OPTIONS), typed),
        lambda: read_several(PickSeveral(**WHO, options=OPTIONS), typed),
        lambda: PlacesDraft(PickPlaces(**WHO, pieces=("x", "y")), SCENE).take(typed),
        lambda: AllocationDraft(Allocate(**WHO, things=("s", "t"), receivers=OPTIONS)).take(typed),
        lambda: read_die(TypeDie(**WHO, sides=6, label="x"), typed),
    ]
    for read in reads:
        with contextlib.suppress(NotUnderstood, RefusedError):
            read()


# -- what is shown ------------------------------------------------------------------------------------------------


def test_the_table_is_drawn_with_north_at_the_top() -> None:
    lines = list(draw(SCENE, words_of(GAME), "en"))
    assert lines[1].startswith("  23 |") and lines[24].startswith("   0 |")
    assert lines[24 - 2][6 + 16] == "I"  # a1 at 8,2: half an inch a letter, an inch a line
    assert lines[24 - 16][6 + 16] == "i"  # b1 at 8,16
    assert lines[24 - 12][6 + 24] == "O"  # the bridge
    assert "Side a in capitals" in lines[25]


def test_the_table_is_described_in_words() -> None:
    said = "\n".join(Describer(SCENE, words_of(GAME), "en").overview())
    assert "group.a (group_a), side a, pieces: 2: at 8,2, 7 in south of ground.wood" in said
    assert "nearest enemies: group.b (b1) 13 in north" in said
    polish = "\n".join(Describer(SCENE, words_of(GAME), "pl").overview())
    assert "najbliżsi przeciwnicy: group.b (b1) 13 in na północ" in polish


# -- whole games --------------------------------------------------------------------------------------------------


def sitting(lines: list[str], people: tuple[str, ...] = ("a", "b"), **options: Any) -> tuple[TextTable, list[str]]:
    shown: list[str] = []
    left = iter(lines)

    def read(prompt: str) -> str:
        shown.append(prompt)
        line = next(left, None)
        if line is None:
            raise EOFError
        return line

    return TextTable(waiting(1, **options), people, read=read, write=shown.append), shown


def test_a_whole_game_by_typed_lines_against_a_bot(run: Callable[..., Any], tmp_path: Path) -> None:
    save = tmp_path / "game"
    ran = run("play", "bridge", "--text", "--seed", "5", "--save", save, "--language", "en", stdin="1\n" + "\n" * 40)
    assert ran.code == 0 and ran.err == ""
    assert "The hash of their seed: " in ran.out
    assert "The battle is over." in ran.out and "The seed of the dice was 5" in ran.out
    assert verify(read_save(save.read_bytes())) is None


@pytest.mark.parametrize("language", ["pl", "it"])
def test_it_speaks_other_languages(run: Callable[..., Any], language: str) -> None:
    out = run("play", "bridge", "--seed", "5", "--language", language, stdin="help\n1\n" + "\n" * 40).out
    assert {"pl": "Koniec bitwy", "it": "La battaglia è finita"}[language] in out
    for english in ("Turn 1", "Type a route", "nearest enemies", "Winner", "moves."):
        assert english not in out


def test_cut_off_and_resumed_it_comes_to_the_same_end(run: Callable[..., Any], tmp_path: Path) -> None:
    save = tmp_path / "game"
    run("play", "bridge", "--seed", "5", "--hot-seat", "--save", save, stdin="1\n\n1\n\nn 6\n")
    before = save.read_bytes()
    assert before.count(b"answer") >= 2
    ran = run("play", "--resume", save, "--hot-seat", "--language", "en", stdin="\n" * 60)
    assert ran.code == 0 and "The battle is over." in ran.out
    assert save.read_bytes().startswith(before) and verify(read_save(save.read_bytes())) is None


def test_a_save_is_never_overwritten_by_a_new_game(run: Callable[..., Any], refused: Callable[..., str], tmp_path: Path) -> None:
    save = tmp_path / "game"
    run("play", "bridge", "--save", save, stdin="1\n")
    before = save.read_bytes()
    assert "--resume" in refused("play", "bridge", "--save", save)
    assert save.read_bytes() == before
    assert "no scenario" in refused("play", "bridge", "--resume", save)


def test_a_refused_answer_shows_the_reason_with_its_rule_and_asks_again() -> None:
    table, shown = sitting(["1", "", "1", "", "n 9", "n 1", "quit", "quit"])
    table.play()
    text = "\n".join(shown)
    assert "Not allowed: 9 in is too far; at most 6 in. [TOY-MOVE-01]" in text
    assert text.count("ask.move (piece a1)") == 2 and "ask.move (piece a2)" in text


def test_commands_do_not_cost_the_turn() -> None:
    commands = [
        "help",
        "map",
        "look",
        "look a1",
        "look group_b",
        "look nobody",
        "log",
        "why",
        "rules TOY-MOVE-01",
        "rules X",
        "save",
        "undo",
    ]
    table, shown = sitting(commands)
    table.play()
    text = "\n".join(shown)
    assert table.match.number == 0
    for said in (
        "undo: take back",
        "There is no piece or group nobody.",
        "TOY-MOVE-01: A piece moves",
        "There is no rule X.",
        "There is nothing of yours",
    ):
        assert said in text
    assert "The input has ended" in text


def test_why_shows_the_trace_and_advice_stands_beside_the_option() -> None:
    table, shown = sitting(["1", "", "1", "", "8,7", "", "shoot", "", "why", "quit", "quit"])
    table.play()
    text = "\n".join(shown)
    assert "1. option.shoot (shoot) - advice.shoot (chance 1/3)" in text
    assert "    5 range [TOY-HIT-01]" in text  # 9 inches: long range


def test_undo_of_a_quiet_answer_is_free_and_over_the_other_players_it_asks_him() -> None:
    table, shown = sitting(
        ["1", "", "1", "", "n 1", "undo", "n 1", "undo", "n 5", "", "wait", "wait", "", "undo", "no", "undo", "yes", "n 3"]
    )
    table.play()
    text = "\n".join(shown)
    assert text.count("Taken back.") == 3 and "Does side b agree to go back?" in text and "No: nothing is taken back." in text
    assert table.match.present.piece("a1").y == 5000


def test_what_only_one_side_knows_is_not_shown_to_the_other() -> None:
    shown: list[str] = []
    for answers in (["2", "", "1"], ["2"]):
        table, shown = sitting(answers)
        table.play()
        mine = [line for line in shown if "event.planned" in line]
        assert all("(side b" in line for line in mine)  # side a's plan is shown only in its own seat


def test_typed_dice_are_asked_for(run: Callable[..., Any]) -> None:
    out = run("play", "bridge", "--typed", "--language", "en", "--seed", "5", stdin="2\n7\n4\nquit\nquit\n").out
    assert "Roll a d6 for ammunition" in out and "A d6 cannot show 7." in out


def test_saving_from_the_table_and_quitting(tmp_path: Path) -> None:
    table, shown = sitting(["1", "", "quit", f"save {tmp_path / 'x'}", "quit"])
    table.play()
    assert any("The match is not saved" in line for line in shown)
    assert len(read_save((tmp_path / "x").read_bytes()).answers) == 1
    (tmp_path / "letter").write_text("Dear aunt")
    table, shown = sitting([f"save {tmp_path / 'letter'}", f"save {tmp_path / 'no' / 'where'}"])
    table.play()
    assert (tmp_path / "letter").read_text() == "Dear aunt"
    assert any("it stays as it is" in line for line in shown) and any("No such file" in line for line in shown)


def test_a_whole_game_of_typed_answers_gives_the_log_of_the_same_answers_given_directly() -> None:
    """What bots answer, typed by hand: the text table adds and takes away nothing."""
    once, shadow = played(1), waiting(1)
    typed: list[str] = []
    for answered in once.answers:
        answer = answered.answer
        match shadow.request:
            case PickOne():
                typed.append(answer)
            case PickSeveral():
                typed.append(" ".join(answer) or "none")
            case PickRoute():
                typed.append(" ".join(f"{x / 1000},{y / 1000}" for x, y in answer.get("path", ())) or "stay")
            case PickPlaces():
                typed.append(f"{answer['shell']['x'] / 1000},{answer['shell']['y'] / 1000}" if answer else "done")
            case Allocate():
                typed.append(f"all {next(iter(answer))}")
        give(shadow, answer)
    left = iter(typed)
    match = waiting(1)
    TextTable(match, ("a",), read=lambda prompt: next(left), write=lambda line: None).play()  # both sides in one seat
    assert match.over and match.records == once.records and next(left, None) is None


def test_what_a_question_proposes_is_said_in_words() -> None:
    """Pieces by their names, areas as ranges, facings as winds: nothing that only a program reads."""
    game = load_game("flames_of_war")
    match = Match(game, game.setup(game.data("scenarios", "first_steps")), "words")
    match.run()
    while not isinstance(request := match.request, PickPlaces):
        assert request is not None
        match.submit(request.player, match.number, request.default)
    words = words_of(game, match.battle)
    proposals = Proposals(words, "en", "in")
    lines = list(proposals.hints({"zone": [0, 0, 48000, 8500], "facing": 180, "carriers": [request.pieces[0]], "drawing": {"x": 1}}))
    name = words.word(request.pieces[0], "en")
    assert lines == [
        "It may stand: from 0 to 48 east-west and from 0 to 8.5 south-north.",
        "Usual facing: south.",
        f"It may get on: {name} ({request.pieces[0]}).",
    ]
    assert list(proposals.hints({"points": 7500})) == ["Movement points: 7.5."]
    default = proposals.default(request)
    assert default.startswith(f"{name} ({request.pieces[0]}) at ") and "{" not in default and "[" not in default
    several = PickSeveral(**WHO, options=OPTIONS[:2], default=["stay", "shoot"])
    assert Proposals(words_of(GAME), "en", "in").default(several) == "squad; squad"
    given = Allocate(**WHO, things=("x", "y"), receivers=(Option("a", say("word.squad")),), default={"a": ["x", "y"], "b": []})
    assert Proposals(words_of(GAME), "en", "in").default(given) == "squad: x, y"
