"""Planning in the real games, over HTTP: every hook, asked as the browser asks it, for a player who is to move."""

from __future__ import annotations

from typing import Any

import pytest

from .table import Client, Server, bearer, new_match


def until(clients: dict[str, Client], prompt: str) -> Client:
    """Answer with what each question proposes until one of a certain kind comes; who is asked it."""
    for _ in range(400):
        side = next(iter(clients.values())).state["waiting"]
        client = clients[side]
        client.listen(lambda client=client: client.request is not None)  # type: ignore[misc]
        if client.request["prompt"]["id"] == prompt:
            return client
        possible = [option["id"] for option in client.request.get("options", ()) if "refusal" not in option]
        wanted = next((id for id in possible if id.endswith(":move")), None)
        if wanted is None and client.request["prompt"]["id"] in ("ask.order", "ask.independent"):
            wanted = possible[0]
        client.answer(client.request.get("default") if wanted is None else wanted)
        for other in clients.values():
            waiting = client.state.get("waiting", "")
            other.listen(lambda other=other, waiting=waiting: other.state.get("waiting", "") == waiting)  # type: ignore[misc]
    raise AssertionError(f"{prompt} was never asked")


INCH = 1000


@pytest.mark.parametrize(("game", "scenario"), [("flames_of_war", "first_steps"), ("micro_armour", "crossroads")])
def test_a_player_plans_his_move(server: Server, game: str, scenario: str) -> None:
    tokens = new_match(server.http, game=game, scenario=scenario)
    with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
        a.hello(), b.hello()
        mover = until({"a": a, "b": b}, "ask.route")
        mine: dict[str, Any] = {"headers": bearer(tokens[mover.view])}
        unit = mover.request["unit"]
        figure = next(one for one in mover.scene["figures"] if one["id"] == unit)
        ahead = INCH if mover.view == "a" else -INCH
        body = {"number": mover.number, "route": {"path": [[figure["x"], figure["y"] + ahead]]}}
        reach = server.http.post("/api/match/reach", json=body, **mine).json()
        assert reach["length"] == INCH and reach["allowed"] >= INCH and reach["legs"] and reach["notes"]
        body["route"]["path"] = [[figure["x"], figure["y"] + 40 * ahead]]
        far = server.http.post("/api/match/reach", json=body, **mine).json()
        assert far["refusal"]["rule"] and far["length"] == 40 * INCH
        rings = server.http.get(f"/api/match/rings?piece={unit}", **mine).json()
        assert [ring["radius"] for ring in rings] == sorted(ring["radius"] for ring in rings) and "command" in [
            ring["kind"] for ring in rings
        ]
        enemy = next(one for one in mover.scene["figures"] if one["side"] != mover.view)
        looked = server.http.post("/api/match/sight", json={"a": unit, "b": enemy["id"]}, **mine).json()
        assert looked["distance"] == looked["sight"]["distance"] > 0
        near = server.http.get(f"/api/match/near?piece={unit}", **mine).json()
        assert [one["distance"] for one in near] == sorted(one["distance"] for one in near) and len(near) == 3
        enemies = [one["id"] for one in mover.scene["figures"] if one["side"] != mover.view and not one.get("carried_by")]
        every = [server.http.post("/api/match/sight", json={"a": unit, "b": id}, **mine).json()["distance"] for id in enemies]
        assert near[0]["distance"] == min(every) and near[0]["source"] == unit, "nobody is nearer"
        group = server.http.get(f"/api/match/near?piece={figure['group']}", **mine).json()
        assert group[0]["distance"] <= near[0]["distance"]
        assert server.http.get("/api/match/near?piece=nobody", **mine).json() == []
        assert server.http.get("/api/match/laid?option=nothing", **mine).status_code == 404
        may = server.http.get(f"/api/match/pieces?piece={unit}", **mine).json()
        assert any("refusal" in option for option in may) and any(option["id"].startswith("fact:") for option in may)
        theirs = server.http.get(f"/api/match/pieces?piece={enemy['id']}", **mine).json()
        assert theirs and all(option["id"].startswith("fact:") for option in theirs)
        places = {"number": mover.number, "places": {"x": {"x": figure["x"], "y": figure["y"]}}}
        assert server.http.post("/api/match/under", json=places, **mine).status_code == 200
