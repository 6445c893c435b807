"""Saves: a crash at any byte costs at most the line being written, and nobody changes one unnoticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandtable import __version__
from sandtable.kernel.errors import DataError, RefusedError
from sandtable.kernel.game import load_game
from sandtable.kernel.match import Match
from sandtable.kernel.saves import SaveFile, head_of, open_match, read_save, resume, save_match, verify

load_game("toy")

from sandtable.games.toy.game import GAME  # noqa: E402
from sandtable.games.toy.playing import give, give_all, log, played, setup, waiting  # noqa: E402


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Match]:
    """A match written down as it was played."""
    path = tmp_path_factory.mktemp("saves") / "match"
    once = played(5)
    match = Match(GAME, setup(), once.seed)
    match.journal = SaveFile(path, head_of(match), durable=False)
    match.run()
    give_all(match, once.answers)
    match.journal.close()
    return path.read_bytes(), match


def lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def bytes_of(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


def test_what_is_written_on_the_way_is_what_is_written_at_once(written: tuple[bytes, Match], tmp_path: Path) -> None:
    data, match = written
    save_match(match, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == data
    assert not list(tmp_path.glob("*.part"))
    assert verify(read_save(data)) is None


def test_cut_at_every_byte_a_save_opens(written: tuple[bytes, Match]) -> None:
    data, match = written
    head = data.index(b"\n")
    whole = log(match)
    for cut in range(len(data) + 1):
        if cut < head:
            with pytest.raises(DataError):
                read_save(data[:cut])
            continue
        save = read_save(data[:cut])
        assert save.cut == (cut > head and data[cut - 1 : cut] != b"\n" and data[cut : cut + 1] not in (b"\n", b""))
        opened = open_match(save)
        assert whole.startswith(log(opened)[:-1])
        lost = data[:cut].count(b'{"answer"') - opened.number
        assert 0 <= lost <= 1  # the answer being written, if any


@pytest.mark.parametrize("start", range(0, 67, 13))
def test_cut_anywhere_it_goes_on_and_becomes_the_same_file(written: tuple[bytes, Match], tmp_path: Path, start: int) -> None:
    data, match = written
    head = data.index(b"\n")
    path = tmp_path / "match"
    for cut in range(head + start, len(data) + 1, 67):
        path.write_bytes(data[:cut])
        opened = resume(path)
        give_all(opened, match.answers)
        assert opened.journal is not None
        opened.journal.close()  # type: ignore[attr-defined]
        assert path.read_bytes() == data
        assert log(opened) == log(match)


def test_what_was_cut_off_is_gone_when_the_match_goes_on_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "match"
    save_match(waiting(1), path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"answer":["a","' + b"longer than what will follow " * 100)
    opened = resume(path)
    give(opened, "attack")
    opened.journal.close()  # type: ignore[union-attr]
    save_match(opened, tmp_path / "other")
    assert path.read_bytes() == (tmp_path / "other").read_bytes()


def test_looking_at_a_cut_save_does_not_touch_it(written: tuple[bytes, Match], tmp_path: Path) -> None:
    data, _ = written
    path = tmp_path / "match"
    cut = data.index(b'{"answer"', len(data) // 3) + 12
    path.write_bytes(data[:cut])
    resume(path).journal.close()  # type: ignore[union-attr]
    assert path.read_bytes() == data[:cut]


def test_undo_is_part_of_the_save(tmp_path: Path) -> None:
    once = played(5)
    path = tmp_path / "match"
    match = Match(GAME, setup(), once.seed)
    match.journal = SaveFile(path, head_of(match), durable=False)
    match.run()
    give_all(match, once.answers[:9])
    match.undo(4, "a", consent=True)
    loaded = open_match(read_save(path.read_bytes()))
    assert log(loaded) == log(match) and loaded.number == 4
    give_all(match, once.answers)
    match.undo(0, "a", consent=True)
    give_all(match, once.answers)
    save = read_save(path.read_bytes())
    assert verify(save) is None
    assert log(open_match(save)) == log(once)


# -- what is wrong is said ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (0, b"", "line 1"),
        (0, b"[]", "line 1"),
        (0, b'{"sandtable": 1}', "line 1"),
        (0, b"\xff\xfe", "line 1"),
        (1, b"nonsense", "line 2"),
        (1, b"", "line 2"),
        (1, b"{}", "line 2"),
        (1, b'{"answer": "attack"}', "line 2"),
        (1, b'{"answer": ["a"]}', "line 2"),
        (1, b'{"answer": [7, "attack"]}', "line 2"),
        (1, b'{"reply": ["a", "attack"]}', "line 2"),
        (1, b'{"undo": 3}', "line 2"),
        (1, b'{"undo": -1}', "line 2"),
        (2, b'{"step": ["plans", 0, 9, []]}', "line 3"),
        (2, b'{"step": ["plans", -1, 1, []]}', "line 3"),
        (2, b'{"step": ["plans", 0, 1, [{"event": {"event": "Nonsense"}}]]}', "line 3"),
        (2, b'{"step": ["plans", 0, 1, [{"event": {"event": "Planned", "side": 1}}]]}', "line 3"),
        (2, b"[" * 100_000, "line 3"),
        (3, b'{"answer": ["a", "\xff"]}', "line 4"),
    ],
)
def test_a_changed_line_is_refused_by_its_number(written: tuple[bytes, Match], line: int, text: bytes, said: str) -> None:
    changed = written[0].split(b"\n")
    changed[line] = text
    with pytest.raises(DataError, match=said):
        read_save(b"\n".join(changed))


def test_every_bad_line_is_named_at_once(written: tuple[bytes, Match]) -> None:
    changed = written[0].split(b"\n")
    changed[3] = b"x"
    changed[7] = b"y"
    with pytest.raises(DataError) as problem:
        read_save(b"\n".join(changed), "my save")
    assert [text.split(":")[0] for text in problem.value.problems] == ["my save, line 4", "my save, line 8"]


def test_a_save_of_an_unknown_game_or_format_is_refused(written: tuple[bytes, Match]) -> None:
    changed = lines(written[0])
    changed[0]["setup"]["game"] = "chess"
    with pytest.raises(Exception, match="there is no game 'chess'"):
        read_save(bytes_of(changed))
    changed = lines(written[0])
    changed[0]["sandtable"] = 99
    with pytest.raises(DataError, match="format 99"):
        read_save(bytes_of(changed))


@pytest.mark.parametrize("scenario", [{}, {"a": 3}, {"turns": "x", "a": {}, "b": {}}])
def test_a_mutilated_setup_is_refused(written: tuple[bytes, Match], scenario: Any) -> None:
    changed = lines(written[0])
    changed[0]["setup"]["scenario"] = scenario
    save = read_save(bytes_of(changed))
    with pytest.raises(DataError, match="setup"):
        open_match(save)
    assert "setup" in str(verify(save))


def test_events_that_do_not_follow_are_refused(written: tuple[bytes, Match]) -> None:
    changed = lines(written[0])
    for line in changed:
        for record in line["step"][3] if "step" in line else ():
            if record["event"]["event"] == "Moved":
                record["event"]["x"] = -5000
    with pytest.raises(DataError, match="off the table"):
        open_match(read_save(bytes_of(changed)))


# -- versions and proofs ------------------------------------------------------------------------------------------


def test_a_save_of_an_older_version_opens_from_its_events_and_goes_on(written: tuple[bytes, Match]) -> None:
    data, match = written
    changed = lines(data)[:12]
    changed[0]["version"] = "0.0.1"
    save = read_save(bytes_of(changed))
    assert f"version 0.0.1, this is {__version__}" in str(verify(save))
    opened = open_match(save)
    give_all(opened, match.answers)
    assert opened.over and log(opened) == log(match)


def test_answers_that_the_rules_no_longer_allow_are_asked_again(written: tuple[bytes, Match], tmp_path: Path) -> None:
    data, match = written
    place = next(number for number, line in enumerate(lines(data)) if "answer" in line and isinstance(line["answer"][1], dict))
    changed = [*lines(data)[:place], {"answer": ["a", {"path": [[0, 24000]]}]}]
    path = tmp_path / "match"
    path.write_bytes(bytes_of(changed))
    opened = resume(path)
    assert opened.request is not None and opened.request.decision == "TOY-MOVE-01"
    give_all(opened, match.answers)
    assert verify(read_save(path.read_bytes())) is None


def test_verify_names_the_first_changed_event(written: tuple[bytes, Match]) -> None:
    for number, line in enumerate(lines(written[0])):
        for place, record in enumerate(line["step"][3] if "step" in line else []):
            if record["event"]["event"] != "Shot":
                continue
            changed = lines(written[0])
            changed[number]["step"][3][place]["event"]["hits"] = 1 - min(1, record["event"]["hits"])
            step = sum("step" in earlier for earlier in changed[: number + 1])
            assert str(verify(read_save(bytes_of(changed)))).startswith(f"step {step} (")
            assert f"event {place + 1}: run again it is" in str(verify(read_save(bytes_of(changed))))


def test_verify_notices_every_changed_answer(written: tuple[bytes, Match]) -> None:
    noticed = 0
    for number, line in enumerate(lines(written[0])):
        if "answer" not in line:
            continue
        answer = line["answer"][1]
        for other in ("attack", "hold", "shoot", "wait", [], {}, {"path": [[8000, 2500]]}):
            if other == answer or (other == {} and "shell" in answer):
                continue  # the same, or a shell into the open field, which nobody misses
            changed = lines(written[0])
            changed[number]["answer"][1] = other
            difference = verify(read_save(bytes_of(changed)))
            assert difference is not None, (number, line, other)
            noticed += 1
    assert noticed > 50


def test_verify_notices_another_player_other_dice_and_missing_or_extra_answers(written: tuple[bytes, Match]) -> None:
    data, _ = written
    changed = lines(data)
    changed[1]["answer"][0] = "b"
    assert "refused" in str(verify(read_save(bytes_of(changed))))
    changed = lines(data)
    changed[-1]["step"][1] += 1
    assert "other dice" in str(verify(read_save(bytes_of(changed))))
    changed = [*lines(data), {"answer": ["a", "attack"]}]
    assert "only" in str(verify(read_save(bytes_of(changed))))
    changed = lines(data)
    changed[-3]["answer"][2] += 1
    assert "dice and revelations" in str(verify(read_save(bytes_of(changed))))


def test_another_seed_is_noticed(written: tuple[bytes, Match]) -> None:
    from hashlib import sha256

    changed = lines(written[0])
    changed[0]["seed"] = "another"
    with pytest.raises(DataError, match="seed does not belong"):
        read_save(bytes_of(changed))
    changed[0]["seed_hash"] = sha256(b"another").hexdigest()
    assert "run again it is" in str(verify(read_save(bytes_of(changed))))


def test_changed_charts_are_noticed(written: tuple[bytes, Match]) -> None:
    changed = lines(written[0])
    changed[0]["charts"] = "0" * 16
    assert verify(read_save(bytes_of(changed))) == "the charts have changed since the save was made"


def test_a_copy_without_its_seed_shows_the_hash_and_cannot_be_played_on(tmp_path: Path) -> None:
    match = played(1)
    save_match(match, tmp_path / "x", with_seed=False)
    assert match.seed.encode() not in (tmp_path / "x").read_bytes()
    save = read_save((tmp_path / "x").read_bytes())
    assert save.head.seed_hash == match.seed_hash
    with pytest.raises(DataError, match="without its seed"):
        open_match(save)
    assert "cannot be proved" in str(verify(save))


def test_a_copy_to_hand_out_holds_no_secrets_while_the_match_runs(tmp_path: Path) -> None:
    match = waiting(1)
    save_match(match, tmp_path / "before", with_seed=False)  # nothing has been planned yet
    give(match, "attack")
    assert match.battle.secrets
    with pytest.raises(RefusedError, match="save_holds_secrets"):
        save_match(match, tmp_path / "x", with_seed=False)
    assert not (tmp_path / "x").exists()
    save_match(match, tmp_path / "x")  # the whole save is another matter: who has it has everything
    over = played(1)
    assert any(record.only for record in over.records)
    save_match(over, tmp_path / "after", with_seed=False)


def test_a_copy_to_hand_out_leaves_out_the_answers_of_the_step_that_waits(tmp_path: Path) -> None:
    match = waiting(1, typed=("a",))
    give(match, "hold")  # and now it waits for a die that side a rolls in secret
    assert match.answers and not match.battle.secrets
    save_match(match, tmp_path / "x", with_seed=False)
    assert b'"hold"' not in (tmp_path / "x").read_bytes()
    save_match(match, tmp_path / "whole")
    assert b'"hold"' in (tmp_path / "whole").read_bytes()
