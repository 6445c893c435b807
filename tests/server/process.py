"""A server in a process of its own, which can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = """
import sys
from sandtable.server.running import serve
from sandtable.server.settings import Settings
serve(Settings(port=int(sys.argv[1]), database=sys.argv[2], messages_a_second=10_000.0, requests_a_second=100_000))
"""


class Process:
    def __init__(self, database: str) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port: int = found.getsockname()[1]
        self.database = database
        self.running: subprocess.Popen[bytes] | None = None

    def start(self) -> Process:
        environment = dict(os.environ, SANDTABLE_GAMES=str(Path(__file__).parent.parent / "kernel"))
        self.running = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(self.port), self.database], env=environment, stdout=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                assert self.running.poll() is None, "the server did not start"
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        assert self.running is not None
        self.running.send_signal(signal.SIGKILL)
        self.running.wait()
        self.running = None

    def stop(self) -> None:
        if self.running is not None:
            self.running.terminate()
            self.running.wait(10)
            self.running = None
