"""`games`, `tables`, `rules`, `validate`, `verify`, `replay`, and starting up."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandtable.kernel.game import load_game
from sandtable.kernel.saves import save_match
from sandtable.lab.laws import LAWS

load_game("toy")

from sandtable.games.toy.playing import played, waiting  # noqa: E402

COMMANDS = ("play", "games", "tables", "resolve", "odds", "simulate", "replay", "verify", "validate", "rules", "serve", "laws")
SANDTABLE = [sys.executable, "-m", "sandtable"]


def test_help_lists_every_command_and_each_has_an_example(run: Callable[..., Any]) -> None:
    out = run("--help").out
    for command in COMMANDS:
        assert f"│ {command} " in out
        assert f"sandtable {command} " in run(command, "--help").out.replace("\n", " "), command


def test_games_as_json(run: Callable[..., Any]) -> None:
    toy = next(game for game in json.loads(run("games", "--json").out) if game["id"] == "toy")
    assert toy["scenarios"] == ["bridge"] and toy["forces"] == ["blues", "reds"] and toy["procedures"] == ["shot", "ammunition"]
    assert "toy: Toy" in run("games", "--language", "en").out


def test_tables_as_records_and_on_screen(run: Callable[..., Any]) -> None:
    records = [{"range": "short", "needed": 3}, {"range": "long", "needed": 5}]
    assert json.loads(run("tables", "toy", "to_hit", "--json").out) == records
    assert json.loads(run("tables", "toy", "--json").out) == {"to_hit": records}
    assert "to_hit: Trafienie" in run("tables", "toy", "--language", "pl").out
    out = run("tables", "toy", "to_hit").out
    assert "short" in out and "TOY-HIT-01" in out


def test_rules_by_id_beginning_and_word(run: Callable[..., Any]) -> None:
    assert [rule["id"] for rule in json.loads(run("rules", "toy", "toy-move-01", "--json").out)] == ["TOY-MOVE-01"]
    assert [rule["id"] for rule in json.loads(run("rules", "toy", "TOY-MOVE", "--json").out)] == ["TOY-MOVE-01", "TOY-MOVE-02"]
    assert [rule["id"] for rule in json.loads(run("rules", "toy", "ammunition", "--json").out)] == ["TOY-PLAN-02"]
    assert "TOY-END-01" in run("rules", "toy").out


def test_coverage_lists_rules_without_code_or_test(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.rule('TOY-END-01')\n"
        "@pytest.mark.rule('TOY-MOVE-01', 'TOY-MOVE-02')\ndef test_a(): '''TOY-PLAN-01'''\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('TOY-HIT-01'))])\ndef test_b(x): pass\n"
        "@pytest.mark.rule('TOY-TYPO-01')\ndef test_c(): pass\n"
    )
    ran = run("rules", "toy", "--coverage", "--tests", tmp_path, "--json")
    found = json.loads(ran.out)
    assert ran.code == 1
    assert found["without_code"] == ["TOY-PLAN-03", "TOY-HIT-03"]
    assert set(found["without_test"]) == set(load_game("toy").rules) - {
        "TOY-END-01",
        "TOY-MOVE-01",
        "TOY-MOVE-02",
        "TOY-HIT-01",
    }
    assert found["unknown"] == ["TOY-TYPO-01"]
    assert run("rules", "toy", "--coverage", "--tests", tmp_path / "none").code == 2


def test_laws_of_a_game(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("laws", "toy", "--scenario", "bridge", "--json")
    assert ran.code == 0
    found = json.loads(ran.out)["bridge"]
    assert found == {law: [] for law in LAWS}
    monkeypatch.setattr(type(load_game("toy")), "broken_invariants", lambda self, battle: ["nobody is there"])
    ran = run("laws", "toy")
    assert ran.code == 1 and "BROKEN" in ran.out and "nobody is there" in ran.out


# -- files --------------------------------------------------------------------------------------------------------


def test_validate_names_every_mistake_of_every_file_at_once(run: Callable[..., Any], tmp_path: Path) -> None:
    good, bad, scenario, broken = (tmp_path / name for name in ("good.toml", "bad.toml", "scenario.toml", "broken.toml"))
    good.write_text('id = "g"\nname = "G"\npieces = 3\n')
    bad.write_text('id = 7\npieces = 9\ncolour = "red"\n')
    scenario.write_text('id = "s"\nname = "S"\nturns = 50\na = "reds"\nb = "greens"\n')
    broken.write_text('id = "x\n')
    ran = run("validate", good, bad, scenario, broken, tmp_path, tmp_path / "none.toml", "--game", "toy")
    assert ran.code == 2
    assert ran.out == f"{good}: in order\n"
    for said in (
        f"{bad}: id: should be str, is 7",
        f"{bad}: name: missing",
        f"{bad}: colour: unknown; known: id, name, pieces",
        f"{scenario}: turns: from 1 to 9, not 50",
        f"{scenario}: b: no force 'greens'; there are: blues, reds",
        f"{broken}: not TOML",
        f"{tmp_path}: Is a directory",
        f"{tmp_path / 'none.toml'}: No such file or directory",
    ):
        assert said in ran.err
    assert json.loads(run("validate", good, "--game", "toy", "--json").out) == [{"file": str(good), "problems": []}]


def test_validate_finds_out_what_a_file_is(run: Callable[..., Any], tmp_path: Path) -> None:
    force = tmp_path / "anything"
    force.write_text('id = "g"\nname = "G"\npieces = 3\n')
    save_match(waiting(1), tmp_path / "save")
    assert run("validate", force, tmp_path / "save").code == 0
    (tmp_path / "save").write_bytes((tmp_path / "save").read_bytes() + b"nonsense\nmore\n")
    ran = run("validate", tmp_path / "save")
    assert ran.code == 2 and "line 2" in ran.err and "line 3" in ran.err


def test_verify_says_yes_or_names_the_difference(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "save"
    save_match(played(1), path)
    ran = run("verify", path)
    assert ran.code == 0 and "verified" in ran.out
    path.write_bytes(path.read_bytes().replace(b'"hits":0', b'"hits":1', 1))
    ran = run("verify", path)
    assert ran.code == 1 and "run again it is" in ran.out
    assert json.loads(run("verify", path, "--json").out)["verified"] is False


def test_replay_prints_the_log_with_its_traces_and_keeps_secrets_of_a_side(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "save"
    match = waiting(1)
    match.submit("a", 0, "hold")
    save_match(match, path)
    assert "a plans: hold" in run("replay", path, "--language", "en").out
    assert "ammunition" in run("replay", path, "--language", "en").out
    assert "hold" not in run("replay", path, "--side", "b", "--language", "en").out
    save_match(played(1), path)
    out = run("replay", path).out
    assert "TOY-HIT-01" in out and "dice 1" in out  # the seed, after the end
    assert len(run("replay", path, "--json").out.splitlines()) == len(played(1).records)


# -- as a program -------------------------------------------------------------------------------------------------


def cost(arguments: list[str], stdin: bytes = b"") -> float:
    """The seconds of processor time that a command takes: what it would take on a machine that does nothing else."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*SANDTABLE, *arguments], input=stdin, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def test_it_starts_at_once() -> None:
    """Half a second is the promise; processors that are shared get some grace."""
    assert cost(["--help"]) < 0.8
    assert cost(["resolve", "toy", "shot", "--input", "-", "--dice", "4", "--json"], b'{"range": "short"}') < 0.8


@pytest.mark.parametrize("arguments", [["--help"], ["resolve", "toy", "shot", "--input", "-", "--dice", "4", "--json"]])
def test_starting_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from sandtable.cli import main; main(sys.argv[1:]);"
        "heavy = {'numpy', 'shapely', 'multiprocessing.pool', 'concurrent.futures.process', 'asyncio'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], input=b'{"range": "short"}', capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    process = subprocess.Popen([*SANDTABLE, "rules", "toy"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() in (0, 141)


def test_interrupted_it_says_nothing_and_gives_130(tmp_path: Path) -> None:
    save = tmp_path / "save"
    process = subprocess.Popen(
        [*SANDTABLE, "play", "bridge", "--save", str(save)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    seen = b""
    while b"1. plan.attack" not in seen:
        seen += os.read(process.stdout.fileno(), 4096)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130 and b"Traceback" not in err
    assert save.read_bytes().startswith(b'{"sandtable"')


def test_a_terminal_without_the_letters_shows_something_else(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    given = b'{"range": "short"}'
    ran = subprocess.run(
        [*SANDTABLE, "odds", "toy", "shot", "--input", "-"], input=given, capture_output=True, env=environment, check=False
    )
    assert ran.returncode == 0 and b"####" in ran.stdout
    command = [*SANDTABLE, "resolve", "toy", "shot", "--input", "-", "--dice", "3", "--language", "pl"]
    assert subprocess.run(command, input=given, capture_output=True, env=environment, check=False).returncode == 0
