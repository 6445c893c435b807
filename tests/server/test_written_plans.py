"""A mission written in Micro Armour is in no byte that the server sends to the other side, nor in a save, while the match runs."""

from __future__ import annotations

import re

from sandtable.field.shapes import circle

from .table import Client, Server, bearer, new_match


def test_a_written_mission_reaches_nobody_else_and_a_running_match_is_not_handed_out(server: Server) -> None:
    tokens = new_match(server.http, game="micro_armour", scenario="crossroads")
    with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b, Client(server.port, tokens["public"]) as public:
        clients = {"a": a.hello(), "b": b.hello()}
        public.hello()
        while not (a.request is not None and a.request["decision"] == "MA-DEC-07"):
            client = clients[a.state["waiting"]]
            client.listen(lambda client=client: client.request is not None)  # type: ignore[misc]
            client.answer(client.request["default"])
            for one in clients.values():
                one.quiet(0.05)
        a.answer("mission")
        a.answer(a.request["default"])
        places = a.request["default"]
        for place in places.values():
            place["x"], place["y"] = place["x"] + 137, place["y"] - 211
        a.answer(places)
        a.answer("done")
        b.listen(lambda: b.request is not None)
        public.quiet(0.2)
        at = (places["marker_1"]["x"], places["marker_1"]["y"])
        spots = [at, *circle(at, 500)]  # the aim point, and the mark that is drawn there
        secret = re.compile("|".join(rf"\b{x}\D{{1,6}}{y}\b" for x, y in spots))
        assert any(secret.search(text) for text in a.raw), "its own side is shown it"
        for client in (b, public):
            assert not any(secret.search(text) or "MissionWritten" in text for text in client.raw)
        for path in ("/api/match", "/api/match/log", "/api/match/replay", "/api/match/replay?view=b"):
            assert not secret.search(server.http.get(path, headers=bearer(tokens["b"])).text)
        for token in (tokens["b"], tokens["public"]):
            for others in ([], [tokens["public"]], [tokens["b"]]):
                answer = server.http.post("/api/match/save", json={"tokens": others}, headers=bearer(token))
                assert answer.status_code == 409 and answer.json()["error"] == "sealed"
        whole = server.http.post("/api/match/save", json={"tokens": [tokens["a"]]}, headers=bearer(tokens["b"]))
        assert whole.status_code == 200 and secret.search(whole.text)  # who holds both seats has everything
