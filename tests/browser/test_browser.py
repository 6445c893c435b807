"""The browser table in Debian's Chromium: each script plays by real clicks and keys against a real server."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILT = ROOT / "src/sandtable/server/web/index.html"

READY = [
    (shutil.which("chromium") is not None, "chromium is not installed (tests/system_packages.sh)"),
    (shutil.which("node") is not None, "node is not installed"),
    (BUILT.is_file(), "the browser table is not built (make web)"),
    ((ROOT / "web/node_modules/playwright-core").is_dir(), "web/node_modules is missing (make web)"),
]
pytestmark = pytest.mark.skipif(not all(there for there, _ in READY), reason="; ".join(why for there, why in READY if not there))

SERVER = """
import sys
from sandtable.server.running import serve
from sandtable.server.settings import Settings
serve(Settings(port=int(sys.argv[1]), database=f"sqlite:///{sys.argv[2]}"))
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all: matches know nothing of each other."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    kept = tmp_path_factory.mktemp("server") / "tables.sqlite3"
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(port), str(kept)], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(address + "api/health", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None, "the server did not start"
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(10)


def play(script: str, address: str, *arguments: str, seconds: int = 240) -> str:
    settings = {**os.environ, "SANDTABLE_TABLE": address, "SANDTABLE_READY": os.environ.get("SANDTABLE_READY", "3000")}
    done = subprocess.run(["node", str(HERE / script), *arguments], env=settings, capture_output=True, text=True, timeout=seconds, cwd=ROOT)
    assert done.returncode == 0, f"{script}:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def test_a_whole_game_against_the_bot_taken_back_resumed_replayed_and_saved(table: str) -> None:
    play("play_bot.mjs", table)


@pytest.mark.parametrize(
    ("game", "scenario"),
    [("micro_armour", "the_bridgehead"), pytest.param("flames_of_war", "crossroads", marks=pytest.mark.slow)],
)
def test_a_whole_game_of_every_system_against_the_bot(table: str, game: str, scenario: str) -> None:
    """Flames of War is in the test above, too, with its smallest scenario."""
    play("play_every_game.mjs", table, game, scenario, seconds=600)


def test_a_whole_game_of_two_players_at_one_screen_with_real_dice(table: str) -> None:
    play("play_hot_seat.mjs", table)


def test_a_whole_game_of_two_browsers_by_invitation_with_a_line_that_breaks(table: str) -> None:
    play("play_invitation.mjs", table)


def test_a_phone_by_touch(table: str) -> None:
    play("play_touch.mjs", table)


def test_the_guided_first_game_to_its_end(table: str) -> None:
    play("play_guided.mjs", table)


def test_a_written_mission_is_in_no_byte_that_reaches_the_other_side(table: str) -> None:
    play("secrecy.mjs", table)


@pytest.mark.parametrize("size", ["large", "phone"])
def test_missions_smoke_and_an_air_course_are_written_and_flown(table: str, size: str) -> None:
    play("plans.mjs", table, size)


def test_planning_shows_what_the_rules_say(table: str) -> None:
    play("planning.mjs", table)


def test_every_screen_is_accessible_and_the_first_visit_is_light(table: str) -> None:
    play("look.mjs", table)


def test_a_hundred_and_fifty_pieces_move_smoothly(table: str) -> None:
    play("smooth.mjs", table)
