"""Playing over the WebSocket: whole games, two tabs, lost connections, spectators, undo, refusals."""

from __future__ import annotations

import contextlib

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .table import Client, Server, any_answer, bearer, new_match, play


def joined(server: Server, token: str, **options: object) -> Client:
    return Client(server.port, token, **options).hello()  # type: ignore[arg-type]


def test_a_whole_game_between_two_people(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b, joined(server, tokens["public"]) as public:
        assert (a.view, b.view, public.view) == ("a", "b", "public")
        assert a.request is not None and b.request is None and public.request is None
        play(a, b)
        public.listen(lambda: public.over)
        for client in (a, b, public):
            assert client.over and client.state["seed"] and client.state.get("waiting", "") == ""
            again = joined(server, client.token)
            assert again.table == client.table and again.log[again.first :] == client.log[again.first :]
            again.socket.close()
    saved = server.http.post("/api/match/save", json={"tokens": []}, headers=bearer(tokens["public"]))
    assert saved.status_code == 200, "after the end everybody may have the save"


def test_a_game_against_the_bot(server: Server) -> None:
    tokens = new_match(server.http, b={"bot": "bot"})
    assert set(tokens) == {"a", "public"}
    with joined(server, tokens["a"]) as a:
        while not a.over:
            a.listen(lambda: a.request is not None or a.over)
            if not a.over:
                a.answer(any_answer(a.request))
        assert {entry["event"] for entry in a.log} >= {"PlanWritten", "Moved", "Ended"}


def test_two_bots_play_for_a_spectator(server: Server) -> None:
    tokens = new_match(server.http, a={"bot": "random"}, b={"bot": "bot"})
    assert set(tokens) == {"public"}
    with joined(server, tokens["public"]) as public:
        public.listen(lambda: public.over)


def test_dice_that_one_player_types_in(server: Server) -> None:
    tokens = new_match(server.http, typed=["a"])
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b:
        a.answer("hold")
        assert a.request["ask"] == "type_die" and a.request["sides"] == 6
        assert a.refused({"type": "answer", "number": 1, "answer": 7})["code"] == "illegal"
        a.answer(5)
        planned = next(entry for entry in a.log if entry["event"] == "Planned")
        assert planned["says"]["arguments"]["boxes"] == 5 and planned["secret"]
        b.listen(lambda: b.request is not None)
        assert b.request["ask"] == "pick_one"


def test_the_scene_kept_by_changes_is_the_scene(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b:
        while play(a, b, moves=3):
            for client in (a, b):
                client.quiet(0.05)
                with joined(server, client.token) as fresh:
                    assert fresh.table == client.table
                    assert fresh.log[fresh.first :] == client.log[fresh.first :]
                    assert fresh.request == client.request and fresh.number == client.number


def test_a_lost_connection_comes_back_to_the_present(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b:
        play(a, b, moves=4)
        b.quiet(0.1)
        b.socket.close()
        seen = list(b.log)
        a.quiet(0.1)
        while a.request is not None and a.number < 6:
            a.answer(any_answer(a.request))
        back = joined(server, tokens["b"], era=b.era, seen=len(seen))
        whole = joined(server, tokens["b"])
        hello = next(message for message in back.raw if '"hello"' in message)
        assert back.state["at"] == len(seen), "only what is new is sent"
        assert seen + back.log[len(seen) :] == whole.log
        assert back.table == whole.table and back.request == whole.request and back.number == whole.number
        assert len(hello) < len(whole.raw[0])
        elsewhere = joined(server, tokens["b"], era="another-0", seen=len(seen))
        assert elsewhere.log == whole.log, "a log of another time is not continued"
        for client in (back, whole, elsewhere):
            client.socket.close()


def test_two_tabs_of_one_seat_agree(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as one, joined(server, tokens["a"]) as two:
        one.answer("attack")
        two.listen(lambda: two.number == 1)
        assert (one.scene, one.log, one.state) == (two.scene, two.log, {**two.state})
        assert two.refused({"type": "answer", "number": 0, "answer": "hold"})["code"] == "stale"


def test_both_tabs_answer_at_once_and_one_of_them_counts(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as one, joined(server, tokens["a"]) as two:
        one.send({"type": "answer", "number": 0, "answer": "attack"})
        two.send({"type": "answer", "number": 0, "answer": "hold"})
        one.listen(lambda: one.number == 1)
        two.listen(lambda: two.number == 1)
        plans = [next(entry for entry in tab.log if entry["event"] == "Planned")["says"] for tab in (one, two)]
        assert plans[0] == plans[1]
        one.quiet(0.1), two.quiet(0.1)
        assert [refusal["code"] for refusal in one.refusals + two.refusals] == ["stale"]


def test_who_is_there_is_told(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a:
        with joined(server, tokens["b"]) as b:
            assert b.state["present"] == ["a", "b"]
            a.listen(lambda: a.present == ["a", "b"])
        a.listen(lambda: a.present == ["a"])


# -- refusals -----------------------------------------------------------------------------------------------------


def test_answers_that_are_refused_change_nothing(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b, joined(server, tokens["public"]) as public:
        foreign = b.refused({"type": "answer", "number": 0, "answer": "attack"})
        assert foreign["code"] == "not_yours" and foreign["number"] == 0 and foreign["says"]["id"] == "refused.not_yours"
        assert public.refused({"type": "answer", "number": 0, "answer": "attack"})["code"] == "not_yours"
        assert a.refused({"type": "answer", "number": 1, "answer": "attack"})["code"] == "stale"
        assert a.refused({"type": "answer", "number": -1, "answer": "attack"})["code"] == "stale"
        illegal = a.refused({"type": "answer", "number": 0, "answer": "retreat"})
        assert illegal["code"] == "illegal" and illegal["rule"] == "TOY-PLAN-01"
        for nonsense in (
            {"type": "answer"},
            {"type": "dance"},
            [],
            "x",
            {"type": "answer", "number": "0", "answer": 1},
            {"type": "join", "token": "x"},
        ):
            assert a.refused(nonsense)["code"] == "malformed"
        a.socket.send("{not json")
        a.listen(lambda: a.refusals[-1]["code"] == "malformed")
        a.socket.send(b"\xff\xfe")
        a.answer("attack"), b.hello().listen(lambda: b.request is not None)
        b.answer("hold")
        a.listen(lambda: a.request is not None)
        far = a.refused({"type": "answer", "number": 1, "answer": {"path": [[9000, 20000]]}})
        assert far["code"] == "illegal" and far["rule"] == "TOY-MOVE-01" and far["says"]["arguments"]["most"] == 6
        deep: object = []
        for _ in range(900):
            deep = [deep]
        assert a.refused({"type": "answer", "number": 1, "answer": deep})["code"] in ("illegal", "malformed")


@pytest.mark.parametrize("token", ["", "short", "x" * 32, "ü" * 40])
def test_without_a_token_nobody_looks(server: Server, token: str) -> None:
    client = Client(server.port, token)
    assert client.read()["code"] == "no_seat"
    with pytest.raises(ConnectionClosed):
        client.read()


def test_the_first_message_has_to_say_who_it_is(server: Server) -> None:
    tokens = new_match(server.http)
    client = Client(server.port, tokens["a"])
    client.socket.close()
    for first in ("{", '{"type": "answer", "number": 0, "answer": "attack"}', "[]"):
        from websockets.sync.client import connect

        with connect(f"ws://127.0.0.1:{server.port}/api/table") as socket:
            socket.send(first)
            assert '"malformed"' in str(socket.recv(timeout=5))
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=5)


def test_a_page_of_another_origin_is_turned_away(server: Server) -> None:
    tokens = new_match(server.http)
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{server.port}.evil.example", f"http://localhost:{server.port}"):
        with pytest.raises(InvalidStatus):
            Client(server.port, tokens["a"], origin=origin)
    Client(server.port, tokens["a"], origin=f"http://127.0.0.1:{server.port}").hello().socket.close()


def test_a_message_that_is_too_large_ends_the_connection(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a:
        with contextlib.suppress(ConnectionClosed):
            a.socket.send('{"type": "answer", "number": 0, "answer": "' + "x" * 100_000 + '"}')
        with pytest.raises(ConnectionClosed):
            a.quiet(5)
    assert joined(server, tokens["a"]).number == 0


# -- undo ---------------------------------------------------------------------------------------------------------


def test_an_answer_that_nothing_has_followed_is_taken_back_at_once(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b:
        a.answer("attack")
        assert a.state["undo"] == "free" and len(a.log) == 3
        era = a.era
        a.send({"type": "undo", "number": 0})
        a.listen(lambda: a.number == 0 and a.request is not None)
        assert a.log == [] and a.era != era and a.request["decision"] == "TOY-PLAN-01"
        b.listen(lambda: b.log == [] and b.state["waiting"] == "a")
        a.answer("hold")


def test_what_the_other_side_has_to_agree_to(server: Server) -> None:
    tokens = new_match(server.http)
    with joined(server, tokens["a"]) as a, joined(server, tokens["b"]) as b:
        a.answer("attack")
        b.listen(lambda: b.request is not None).answer("attack")
        a.listen(lambda: a.request is not None)
        assert a.state["undo"] == "consent"
        assert b.refused({"type": "consent", "yes": True})["code"] == "nothing_asked"
        a.send({"type": "undo", "number": 0})
        for client in (a, b):
            client.listen(lambda client=client: client.state.get("take_back") == {"by": "a"})  # type: ignore[misc]
        assert a.refused({"type": "consent", "yes": True})["code"] == "nothing_asked", "nobody agrees with himself"
        b.send({"type": "consent", "yes": False})
        a.listen(lambda: "take_back" not in a.state)
        assert a.number == 1
        a.send({"type": "undo", "number": 0})
        b.listen(lambda: "take_back" in b.state)
        b.send({"type": "consent", "yes": True})
        for client in (a, b):
            client.listen(lambda client=client: client.log == [] and client.number == 0)  # type: ignore[misc]
        assert a.refused({"type": "undo", "number": 0})["code"] == "nothing_asked"
        a.answer("hold")
        b.listen(lambda: b.request is not None)


def test_a_bot_lets_everything_be_taken_back_even_what_memory_has_forgotten(server: Server) -> None:
    tokens = new_match(server.http, b={"bot": "random"})
    live = server.application.matches
    assert live is not None
    with joined(server, tokens["a"]) as a:
        a.answer("attack")
        a.listen(lambda: a.request is not None)
        for match in live.in_memory():
            match.remembered = 1
        while a.number < 6 and not a.over:
            a.listen(lambda: a.request is not None or a.over)
            a.answer(any_answer(a.request))
        a.listen(lambda: a.request is not None or a.over)
        if not a.over:
            a.send({"type": "undo", "number": 0})
            a.listen(lambda: a.number == 0 and a.request is not None)
            assert a.log == []
            with joined(server, tokens["a"]) as fresh:
                assert fresh.table == a.table and fresh.log == []
