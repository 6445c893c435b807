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
    (shutil.which("chromium") is not None, "chromium is not installed (tests/browser/chromium.sh)"),
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


@pytest.fixture
def table(tmp_path: Path) -> Iterator[str]:
    """A server of its own."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(port), str(tmp_path / "tables.sqlite3")], stdout=subprocess.DEVNULL)
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
    settings = {**os.environ, "SANDTABLE_TABLE": address, "SANDTABLE_READY": os.environ.get("SANDTABLE_READY", "6000")}
    done = subprocess.run(["node", str(HERE / script), *arguments], env=settings, capture_output=True, text=True, timeout=seconds, cwd=ROOT)
    assert done.returncode == 0, f"{script}:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def test_a_whole_game_against_the_bot_and_its_replay(table: str) -> None:
    play("play_bot.mjs", table)


def test_two_players_at_one_screen_and_real_dice(table: str) -> None:
    play("play_hot_seat.mjs", table)


def test_two_browsers_by_invitation_with_a_line_that_breaks(table: str) -> None:
    play("play_invitation.mjs", table)


def test_every_screen_is_accessible_and_the_first_visit_is_light(table: str) -> None:
    play("look.mjs", table)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "scenario"), [("micro_armour", "the_ridge"), ("flames_of_war", "crossroads")])
def test_a_whole_game_of_every_system(table: str, game: str, scenario: str) -> None:
    play("play_every_game.mjs", table, game, scenario, seconds=600)
