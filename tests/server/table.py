"""A server for the tests, and clients that do what the browser does: keep a scene and a log by what they are told."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import msgspec
import uvicorn
from websockets.sync.client import ClientConnection, connect

from sandtable.kernel.game import load_game
from sandtable.kernel.scene import Scene
from sandtable.server.app import Application
from sandtable.server.deltas import apply
from sandtable.server.settings import Settings

TOY = load_game("toy")


class Server:
    """A server in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        self.application = Application(settings)
        self.bound = socket.socket()
        self.bound.bind(("127.0.0.1", 0))
        self.port = self.bound.getsockname()[1]
        self.server = uvicorn.Server(self.application.for_uvicorn(log_level="error", timeout_graceful_shutdown=1))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.bound]}, daemon=True)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=20)

    def start(self) -> Server:
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        self.http.close()
        self.server.should_exit = True
        self.thread.join(15)
        self.bound.close()


@contextlib.contextmanager
def running(settings: Settings) -> Iterator[Server]:
    server = Server(settings).start()
    try:
        yield server
    finally:
        server.stop()


def new_match(http: httpx.Client, **body: Any) -> dict[str, str]:
    """A match of the toy game; its tokens."""
    answer = http.post("/api/matches", json={"game": "toy", "scenario": "bridge", **body})
    assert answer.status_code == 201, answer.text
    tokens: dict[str, str] = answer.json()["tokens"]
    return tokens


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Client:
    """One tab: joined to a seat, it keeps what it is told."""

    def __init__(self, port: int, token: str, *, era: str = "", seen: int = 0, origin: str | None = None) -> None:
        self.port, self.token = port, token
        self.raw: list[str] = []
        self.refusals: list[dict[str, Any]] = []
        self.present: list[str] = []
        self.log: list[Any] = []
        self.scene: Any = None
        self.state: dict[str, Any] = {}
        self.era = self.view = ""
        headers = {"Origin": origin} if origin is not None else {}
        opening = connect(f"ws://127.0.0.1:{port}/api/table", additional_headers=headers, open_timeout=20)
        self.socket: ClientConnection = opening.__enter__()
        self.send({"type": "join", "token": token, "era": era, "seen": seen})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, message: Any) -> None:
        self.socket.send(json.dumps(message))

    def listen(self, until: Callable[[], bool], seconds: float = 20.0) -> Client:
        """Read messages until something is so."""
        end = time.monotonic() + seconds
        while not until():
            self.read(max(0.01, end - time.monotonic()))
        return self

    def hello(self) -> Client:
        return self.listen(lambda: self.scene is not None)

    def read(self, seconds: float = 20.0) -> dict[str, Any]:
        text = self.socket.recv(timeout=seconds)
        assert isinstance(text, str)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        self.take(message)
        return message

    def take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "refused":
                self.refusals.append(message)
            case "present":
                self.present = message["views"]
            case "hello" | "changes" as kind:
                self.scene = message["scene"] if kind == "hello" else apply(self.scene, message.get("scene"))
                self.era, self.view = message.get("era") or self.era, message.get("view") or self.view
                at = message["at"]
                assert kind == "hello" or at <= len(self.log), "entries are missing"
                if kind == "hello" and not self.log:
                    self.first = at
                    self.log = [None] * at
                self.log = self.log[:at] + message.get("log", [])
                self.state = message
            case other:
                raise AssertionError(f"a message of an unknown type: {other}")

    def quiet(self, seconds: float = 0.3) -> list[dict[str, Any]]:
        """Everything that comes until nothing comes for a while."""
        found = []
        with contextlib.suppress(TimeoutError):
            while True:
                found.append(self.read(seconds))
        return found

    @property
    def table(self) -> Scene:
        """The scene, with everything that was left out of it."""
        return msgspec.convert(self.scene, Scene)

    @property
    def number(self) -> int:
        return int(self.state.get("given", 0))

    @property
    def request(self) -> Any:
        decision = self.state.get("decision")
        return None if decision is None else decision["request"]

    @property
    def over(self) -> bool:
        return "result" in self.state

    def answer(self, answer: Any, number: int | None = None) -> Client:
        """Give an answer and wait until it is stored."""
        given = self.number if number is None else number
        self.send({"type": "answer", "number": given, "answer": answer})
        return self.listen(lambda: self.number > given)

    def refused(self, message: Any) -> dict[str, Any]:
        """Send something that must be refused, and that must change nothing."""
        before = (self.scene, list(self.log), self.state)
        known = len(self.refusals)
        self.send(message)
        self.listen(lambda: len(self.refusals) > known)
        assert (self.scene, self.log, self.state) == before
        return self.refusals[-1]


def any_answer(request: Any) -> Any:
    """Some legal answer to a question of the toy game."""
    match request["ask"]:
        case "pick_one":
            return request["options"][0]["id"]
        case "pick_several":
            return [option["id"] for option in request["options"] if "refusal" not in option]
        case "allocate":
            return {request["receivers"][0]["id"]: request["things"]}
        case "type_die":
            return 3
    return {}


def play(*clients: Client, moves: int = 1000) -> int:
    """Let the clients answer whatever they are asked, until it is over; how many answers that took."""
    by_side = {client.view: client for client in clients}
    done = 0
    while done < moves:
        side = next(iter(by_side.values())).state.get("waiting", "")
        if not side or side not in by_side:
            break
        client = by_side[side]
        client.listen(lambda client=client: client.request is not None or client.over)  # type: ignore[misc]
        if client.over:
            break
        client.answer(any_answer(client.request))
        for other in by_side.values():
            if other is not client:
                waiting = client.state.get("waiting", "")
                other.listen(lambda other=other, waiting=waiting: other.state.get("waiting", "") == waiting)  # type: ignore[misc]
        done += 1
    return done
