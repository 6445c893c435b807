"""HTTP: games, texts, matches, saves, replays, planning, and what is refused."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.kernel.saves import read_save, verify
from sandtable.kernel.scene import Scene
from sandtable.server.deltas import apply, plain
from sandtable.server.settings import Settings

from .table import Client, Server, any_answer, bearer, new_match, play, running

OWN = 'id = "own"\nname = "Mine"\nturns = 1\na = "reds"\nb = "blues"\n'


def test_games_scenarios_texts_and_rules(server: Server) -> None:
    games = {game["id"]: game for game in server.http.get("/api/games").json()}
    toy = games["toy"]
    assert toy["name"] == "game.toy" and [bot["id"] for bot in toy["bots"] if bot["best"]] == ["bot"]
    assert toy["scenarios"] == [{"id": "bridge", "name": "The bridge", "turns": 2, "forces": {"a": "Reds", "b": "Blues"}}]
    card = server.http.get("/api/games/toy/scenarios/bridge").json()
    assert len(card["scene"]["figures"]) == 4 and card["scene"]["width"] == 24000
    first_page = server.http.get("/api/home").json()
    assert first_page["games"] == list(games.values()) and first_page["cards"]["toy"] == [card]
    polish = server.http.get("/api/games/toy/texts/pl").json()
    assert polish["game.toy"] == "Zabawka" and "refused.not_stored" in polish
    rules = server.http.get("/api/games/toy/rules").json()
    assert rules[0]["id"] == "TOY-PLAN-01" and rules[0]["section"] == "plans"
    for path in ("games/none/rules", "games/toy/scenarios/none", "games/toy/texts/xx", "nothing"):
        answer = server.http.get(f"/api/{path}")
        assert answer.status_code == 404 and answer.json()["error"] == "not_found"


def test_a_scenario_of_ones_own(server: Server) -> None:
    assert server.http.post("/api/games/toy/own", json={"own": OWN}).json()["name"] == "Mine"
    wrong = server.http.post("/api/games/toy/own", json={"own": 'id = 3\nturns = "x"'})
    assert wrong.status_code == 422 and wrong.json()["error"] == "bad_data" and len(wrong.json()["problems"]) >= 4
    assert server.http.post("/api/games/toy/own", json={"own": "= ="}).status_code == 422
    made = server.http.post("/api/matches", json={"game": "toy", "own": OWN})
    assert made.status_code == 201
    with Client(server.port, made.json()["tokens"]["a"]) as a:
        assert a.hello().state["title"] == "Mine"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"game": "toy"}, 422),
        ({"game": "none", "scenario": "bridge"}, 404),
        ({"game": "toy", "scenario": "bridge", "own": OWN}, 422),
        ({"game": "toy", "scenario": "bridge", "a": {"bot": "none"}}, 422),
        ({"game": "toy", "scenario": "bridge", "a": {"bot": "bot"}, "typed": ["a"]}, 422),
        ({"game": "toy", "scenario": "bridge", "typed": ["c"]}, 400),
        ({"game": "toy", "scenario": "bridge", "typed": ["a", "a"]}, 422),
        ({"game": "toy", "scenario": "bridge", "more": 1}, 400),
    ],
)
def test_matches_that_cannot_be_made(server: Server, body: object, status: int) -> None:
    answer = server.http.post("/api/matches", json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"] and answer.json()["message"]


def test_my_matches(server: Server) -> None:
    tokens, other = new_match(server.http, a={"name": "Ann"}), new_match(server.http)
    with Client(server.port, tokens["a"]) as a:
        a.hello().answer("attack")
    mine = server.http.post("/api/matches/mine", json={"tokens": [tokens["a"], tokens["b"], "x" * 32, "", other["public"]]}).json()
    assert [match["views"] for match in mine] == [["a", "b"], ["public"]], "the one played last comes first"
    assert mine[0]["waiting"] == "b" and mine[0]["seats"][0]["name"] == "Ann" and mine[0]["title"] == "The bridge"
    info = server.http.get("/api/match", headers=bearer(tokens["b"])).json()
    assert info["views"] == ["b"] and info["match"] == mine[0]["match"]


@pytest.mark.parametrize("path", ["", "/log", "/replay", "/advice", "/pieces?piece=a1", "/rings?piece=a1", "/odds?option=shoot"])
def test_nobody_looks_without_a_token(server: Server, path: str) -> None:
    for headers in ({}, bearer("x" * 32), {"Authorization": "Basic x"}, {"Authorization": "Bearer"}):
        answer = server.http.get(f"/api/match{path}", headers=headers)
        assert answer.status_code == 401 and answer.json()["error"] == "no_seat"


def test_saves_go_out_and_come_back(server: Server) -> None:
    tokens = new_match(server.http)
    with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
        a.hello(), b.hello()
        play(a, b, moves=7)
        body = {"tokens": [tokens["b"]]}
        saved = server.http.post("/api/match/save", json=body, headers=bearer(tokens["a"]))
        assert saved.status_code == 200 and verify(read_save(saved.content)) is None
        back = server.http.post("/api/matches/import", json={"save": saved.text, "b": {"bot": "bot"}})
        assert back.status_code == 201 and back.json()["verified"]
        again = back.json()["tokens"]
        assert set(again) == {"a", "public"}
        with Client(server.port, again["a"]) as resumed:
            resumed.hello()
            a.quiet(0.05)
            assert resumed.log[: len(a.log)] == a.log and resumed.number >= a.number
            while not resumed.over:
                resumed.listen(lambda: resumed.request is not None or resumed.over)
                if not resumed.over:
                    resumed.answer(any_answer(resumed.request))
        final = server.http.post("/api/match/save", json={"tokens": []}, headers=bearer(again["public"]))
        assert verify(read_save(final.content)) is None
    cut = server.http.post("/api/matches/import", json={"save": saved.text[:-30]})
    assert cut.status_code == 201, "a save that was cut off in its last line is taken up to there"


@pytest.mark.parametrize("save", ["", "{}", "not a save", '{"sandtable": 1}\n'])
def test_what_is_no_save_is_refused(server: Server, save: str) -> None:
    answer = server.http.post("/api/matches/import", json={"save": save})
    assert answer.status_code == 422 and answer.json()["error"] == "bad_data"


def test_a_replay_step_by_step(server: Server) -> None:
    tokens = new_match(server.http, a={"bot": "bot"}, b={"bot": "bot"})
    with Client(server.port, tokens["public"]) as public:
        public.hello().listen(lambda: public.over)
    for view in ("public", "a", "b", "all"):
        get = {"headers": bearer(tokens["public"])}
        whole = server.http.get(f"/api/match/replay?view={view}&count=1000", **get).json()
        assert len(whole["frames"]) == whole["length"] and whole["over"]
        scene = whole["scene"]
        for number, frame in enumerate(whole["frames"], 1):
            scene = apply(scene, frame.get("scene"))
            if number in (1, 5, whole["length"]):
                part = server.http.get(f"/api/match/replay?view={view}&from={number}&count=3", **get).json()
                assert plain(msgspec.convert(part["scene"], Scene)) == plain(msgspec.convert(scene, Scene))
                assert part["frames"] == whole["frames"][number : number + 3]
        assert server.http.get(f"/api/match/replay?view={view}&from={whole['length'] + 1}", **get).status_code == 400
    log = server.http.get("/api/match/log?from=3&count=4", headers=bearer(tokens["public"])).json()
    assert log["at"] == 3 and len(log["log"]) == 4 and log["length"] > 7


def test_planning_asks_the_rules_and_changes_nothing(server: Server) -> None:
    tokens = new_match(server.http)
    http, mine = server.http, {"headers": bearer(tokens["a"])}
    with Client(server.port, tokens["a"]) as a, Client(server.port, tokens["b"]) as b:
        a.hello().answer("attack")
        assert http.get("/api/match/advice", **mine).json()["error"] == "nothing_asked"
        b.hello().answer("attack")
        a.listen(lambda: a.request is not None)
        route = {"path": [[8000, 5000], [9000, 5000]]}
        reach = http.post("/api/match/reach", json={"number": 1, "route": route}, **mine).json()
        assert reach["length"] == 4000 and reach["allowed"] == 6000 and "refusal" not in reach
        far = http.post("/api/match/reach", json={"number": 1, "route": {"path": [[8000, 9000]]}}, **mine).json()
        assert far["length"] == 7000 and far["refusal"]["rule"] == "TOY-MOVE-01" and far["furthest"] == [8000, 8000]
        assert http.post("/api/match/reach", json={"number": 0, "route": route}, **mine).json()["error"] == "stale"
        legal = http.post("/api/match/try", json={"number": 1, "answer": {}}, **mine).json()
        assert legal == {"legal": True}
        assert http.post("/api/match/try", json={"number": 1, "answer": 5}, **mine).json()["legal"] is False
        sight = http.post("/api/match/sight", json={"a": "a1", "b": [8000, 12000]}, **mine).json()
        assert sight["distance"] == 10000 and sight["sight"]["clear"] is False and sight["sight"]["blocker"]["id"] == "ground.wood"
        assert http.post("/api/match/sight", json={"a": "a1", "b": "nobody"}, **mine).status_code == 404
        may = http.get("/api/match/pieces?piece=a2", **mine).json()
        assert {option["id"]: "refusal" in option for option in may} == {"move": True, "shoot": True}
        short, far = http.get("/api/match/rings?piece=b1", **mine).json()
        assert short == {
            "kind": "range",
            "piece": "b1",
            "centre": [8000, 16000],
            "radius": 8000,
            "label": {"id": "ring.short"},
            "facing": 180,
            "arc": 180,
            "rule": "TOY-HIT-01",
        }
        assert far["inner"] == 8000 and far["radius"] == 20000 and "arc" not in far
        assert http.get("/api/match/rings?piece=nobody", **mine).json() == []
        assert http.get("/api/match/odds?option=shoot", **mine).status_code == 404
        assert http.post("/api/match/under", json={"number": 1, "places": {}}, **mine).json() == []
        a.answer({"path": [[8000, 8000]]})
        b.listen(lambda: b.request is not None)
        theirs = {"headers": bearer(tokens["b"])}
        assert http.get("/api/match/advice", **theirs).json()["options"]["shoot"]["id"] == "advice.shoot"
        card = http.get("/api/match/odds?option=shoot", **theirs).json()
        assert [chance["p"] for chance in card["odds"]] == ["2/3", "1/3"] and card["scores"][0][0]["amount"] == 5


def test_every_answer_carries_the_headers(server: Server) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/schema", "/api/match"):
        headers = server.http.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"] and "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"


def test_foreign_hosts_and_origins_are_turned_away(server: Server) -> None:
    assert server.http.get("/api/games", headers={"Host": "evil.example"}).json()["error"] == "wrong_host"
    assert server.http.post("/api/matches", json={}, headers={"Origin": "https://evil.example"}).json()["error"] == "foreign_origin"
    ours = f"http://127.0.0.1:{server.port}"
    assert server.http.get("/api/games", headers={"Origin": ours}).status_code == 200


def test_bodies_that_are_too_large(server: Server) -> None:
    assert server.http.post("/api/matches", json={"game": "toy", "own": "x" * 400_000}).status_code == 413


def test_the_openapi_page_needs_nothing_from_elsewhere(server: Server) -> None:
    page = server.http.get("/schema").text
    assert "/api/matches/import" in page and "http" not in page.replace("http-equiv", "") and "<script" not in page
    assert server.http.get("/schema/openapi.json").json()["openapi"].startswith("3.")


def test_limits_of_rate(tmp_path: object) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/x.sqlite3", requests_a_second=5, messages_a_second=2.0, sockets_a_seat=2)
    with running(settings) as server:
        tokens = new_match(server.http)
        statuses = [server.http.get("/api/health").status_code for _ in range(20)]
        assert 429 in statuses
        with Client(server.port, tokens["a"]) as one, Client(server.port, tokens["a"]) as two:
            one.hello(), two.hello()
            three = Client(server.port, tokens["a"])
            assert three.read()["says"]["id"] == "refused.too_many_connections"
            for _ in range(25):
                one.send({"type": "undo", "number": 9})
            one.listen(lambda: len(one.refusals) == 25)
            assert {refusal["code"] for refusal in one.refusals} == {"nothing_asked", "too_fast"}
            assert sum(refusal["code"] == "too_fast" for refusal in one.refusals) <= 6
            for _ in range(230):
                one.send({"type": "undo", "number": 9})
            with pytest.raises(Exception, match=r"too fast|close"):
                one.quiet(5)
            two.answer("attack")
