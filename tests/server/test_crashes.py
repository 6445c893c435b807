"""kill -9 in the middle of running matches: no acknowledged answer is lost, and every match verifies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from sandtable.kernel.game import load_game
from sandtable.kernel.match import Match
from sandtable.kernel.saves import read_save, save_match, verify

from .process import Process
from .table import any_answer, bearer, new_match

BIG = os.environ.get("SANDTABLE_FUZZ") == "big"
MATCHES, KILLS = (50, 20) if BIG else (10, 4)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs SIGKILL")


class Tab:
    """A client that answers whatever it is asked, and remembers what was acknowledged."""

    def __init__(self, tokens: dict[str, str], side: str, seed: int) -> None:
        self.tokens, self.side, self.chance = tokens, side, random.Random(seed)
        self.stored = 0
        self.over = False

    async def run(self, port: int) -> None:
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake, asyncio.IncompleteReadError, TimeoutError):
            async with connect(f"ws://127.0.0.1:{port}/api/table", open_timeout=5) as socket:
                await socket.send(json.dumps({"type": "join", "token": self.tokens[self.side]}))
                async for text in socket:
                    await self.take(json.loads(text), socket)
                    if self.over:
                        return

    async def take(self, message: Any, socket: Any) -> None:
        if message["type"] not in ("hello", "changes"):
            assert message["type"] == "present", message
            return
        given = message.get("given", 0)
        assert given >= self.stored, "an acknowledged answer is lost"
        self.stored = given
        self.over = "result" in message
        if "decision" in message:
            await asyncio.sleep(self.chance.random() * 0.02)
            answer = {"type": "answer", "number": message["decision"]["number"], "answer": self.answer(message["decision"]["request"])}
            await socket.send(json.dumps(answer))

    def answer(self, request: Any) -> Any:
        if request["ask"] == "pick_one":
            return self.chance.choice(request["options"])["id"]
        return any_answer(request)


async def play_on(tabs: list[Tab], port: int) -> None:
    await asyncio.gather(*(tab.run(port) for tab in tabs if not tab.over))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kill_9_again_and_again(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = f"sqlite:///{tmp_path}/tables.sqlite3" if kind == "sqlite" else request.getfixturevalue("postgresql")
    process = Process(database).start()
    chance = random.Random(4)
    tabs: list[Tab] = []
    with httpx.Client(base_url=f"http://127.0.0.1:{process.port}", timeout=20) as http:
        for number in range(MATCHES):
            tokens = new_match(http, **({"b": {"bot": "random"}} if number % 3 == 0 else {}))
            tabs += [Tab(tokens, side, number) for side in tokens if side != "public"]
    kills = KILLS if kind == "sqlite" else 1 + BIG

    async def kill_while_they_play() -> None:
        playing = asyncio.create_task(play_on(tabs, process.port))
        await asyncio.sleep(0.15 + chance.random() * 0.3 + len(tabs) * 0.01)
        await asyncio.to_thread(process.kill)
        await playing  # every connection is cut

    for _ in range(kills):
        asyncio.run(kill_while_they_play())
        process.start()
    assert any(tab.stored for tab in tabs)

    async def finish() -> None:
        async with asyncio.timeout(40):
            await play_on(tabs, process.port)

    asyncio.run(finish())
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{process.port}", timeout=20) as http:
            for tab in tabs:
                assert tab.over, "every match goes on to its end"
                save = http.post("/api/match/save", json={"tokens": []}, headers=bearer(tab.tokens[tab.side]))
                saved = read_save(save.content)
                assert verify(saved) is None
                assert sum(answered.player == tab.side for answered in saved.answers) == tab.stored
    finally:
        process.stop()


THREADS = """
import sys, threading
from pathlib import Path
from sandtable.kernel.saves import open_match, read_save

save = Path(sys.argv[1]).read_bytes()
start = threading.Barrier(8)

def read():
    start.wait()
    open_match(read_save(save))

sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_many_matches_opened_at_once_by_a_fresh_server(tmp_path: Path) -> None:
    """Threads that read their first save together once brought the whole process down."""
    game = load_game("flames_of_war")
    match = Match(game, game.setup(game.data("scenarios", "first_steps")), "seed")
    save_match(match, tmp_path / "save")
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", THREADS, str(tmp_path / "save")], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
