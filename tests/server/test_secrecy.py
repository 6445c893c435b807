"""Nothing that one side alone knows is in any byte that goes to the other side or to the public."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from .table import Client, Server, any_answer, bearer, new_match

PLANS = re.compile(r"attack|hold|boxes|ammunition|Planned(?!\w)")


def told(client: Client) -> str:
    """Everything this client was sent before the plans were shown, its own questions aside."""
    texts = []
    for text in client.raw:
        message = json.loads(text)
        if any(entry["event"] == "PlanShown" for entry in message.get("log", ())):
            break
        message.pop("decision", None)
        texts.append(json.dumps(message))
    return "\n".join(texts)


@pytest.mark.parametrize(("plan", "typed"), [("attack", []), ("hold", []), ("hold", ["a", "b"])])
def test_the_raw_traffic_of_a_whole_game(server: Server, plan: str, typed: list[str]) -> None:
    tokens = new_match(server.http, typed=typed)
    with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b, Client(server.port, tokens["public"]) as public:
        clients = {"a": a.hello(), "b": b.hello()}
        public.hello()
        a.answer(plan)
        while a.request is not None:
            a.answer(any_answer(a.request))
        b.listen(lambda: b.request is not None)
        for client in (b, public):
            assert not PLANS.search(told(client)), "the other side's plan was sent"
        for path in ("/api/match/log", "/api/match/replay?view=b", "/api/match/replay", "/api/match"):
            view = server.http.get(path, headers=bearer(tokens["b"]))
            assert view.status_code == 200 and not PLANS.search(view.text)
        for token in (tokens["b"], tokens["public"]):
            for view_wanted in ("a", "all"):
                sealed = server.http.get(f"/api/match/replay?view={view_wanted}", headers=bearer(token))
                assert sealed.status_code == 409 and sealed.json()["error"] == "sealed"
            assert server.http.post("/api/match/save", json={"tokens": []}, headers=bearer(token)).json()["error"] == "sealed"
        while not a.over:
            side = a.state.get("waiting", "") or "a"
            client = clients[side]
            client.listen(lambda client=client: client.request is not None or client.over)  # type: ignore[misc]
            if client.over:
                break
            client.answer(any_answer(client.request))
            for one in clients.values():
                one.quiet(0.01)
        for one in (a, b, public):
            one.listen(lambda one=one: one.over)  # type: ignore[misc]
        assert not PLANS.search(told(public))
        mine = told(b)
        shown = [entry for message in map(json.loads, mine.splitlines()) for entry in message.get("log", ()) if entry["event"] == "Planned"]
        assert all(entry["says"]["arguments"]["side"] == "b" and entry["secret"] for entry in shown) and shown
        assert '"seed":' not in mine
    everything = server.http.get("/api/match/replay?view=all", headers=bearer(tokens["b"])).json()
    assert sum(frame["entry"]["event"] == "Planned" for frame in everything["frames"]) == 2
    assert everything["over"]


def numbers(client: Client) -> list[Any]:
    return [(message.get("at"), message.get("given")) for message in map(json.loads, client.raw) if message["type"] in ("hello", "changes")]


def test_numbers_say_nothing_about_how_often_the_other_side_was_asked_in_secret(server: Server) -> None:
    """With typed dice, side a that holds is asked once more than one that attacks: side b's numbers are the same."""
    seen = []
    for plan in ("attack", "hold"):
        tokens = new_match(server.http, typed=["a"])
        with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
            a.hello(), b.hello()
            a.answer(plan)
            if plan == "hold":
                a.answer(4)
            b.listen(lambda: b.request is not None)
            b.answer("attack")
            b.quiet(0.1)
            seen.append((numbers(b), b.number, len(b.log)))
    assert seen[0] == seen[1]


def test_only_hashes_of_tokens_are_stored(server: Server) -> None:
    tokens = new_match(server.http)
    url = server.application.settings.database_url().removeprefix("sqlite:///")
    matches = server.application.matches
    assert matches is not None
    with matches.storage.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(url, "rb") as file:  # noqa: PTH123
        data = file.read()
    assert not any(token.encode() in data for token in tokens.values())


def test_errors_show_nothing_of_the_inside(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.server import lobby

    def broken(*_: object) -> None:
        raise RuntimeError("the inside of the server")

    monkeypatch.setattr(lobby, "described", broken)
    answer: httpx.Response = server.http.post("/api/games/toy/own", json={"own": 'id="x"\nname="x"\nturns=1\na="reds"\nb="blues"'})
    assert answer.status_code == 500
    assert answer.json() == {"error": "mistake", "message": "the server made a mistake; it has been noted"}
