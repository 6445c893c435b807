"""The bot for Micro Armour: sensible in small positions, sound in whole games, and better than chance."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.micro_armour.boards import ScriptedTable, aircraft, area, at, board, carrier, gun, infantry, line, tank, truck

from sandtable.bots.micro_armour import Bot
from sandtable.bots.micro_armour.lanes import Lanes, Watch
from sandtable.bots.micro_armour.picture import Picture
from sandtable.bots.micro_armour.worth import fire_chances
from sandtable.field.paths import length, point_at
from sandtable.field.shapes import span
from sandtable.games.micro_armour.battle import Battle, Mission, Plans
from sandtable.games.micro_armour.procedures.standard_fire import StandardFire
from sandtable.games.micro_armour.profile import Hold
from sandtable.games.micro_armour.sequence import next_step
from sandtable.kernel.game import Game, Setup, load_game
from sandtable.kernel.match import Match
from sandtable.kernel.table import Waiting
from sandtable.lab.battles import bot_seed, log_digest, play_one
from sandtable.lab.bots import make_bot

SCENARIOS = ("crossroads", "the_bridgehead", "the_ridge")
SLOWEST = 2.0
"""Seconds that an answer may take."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("micro_armour")


def setup_of(game: Game, scenario: str) -> Setup:
    return game.setup(game.data("scenarios", scenario))


def ask(battle: Battle, *before: Any, side: str = "a") -> Any:
    """What the bot answers to the next question of a battle, once those before have been answered."""
    step = next_step(battle)
    assert step is not None
    table = ScriptedTable(battle, before)
    try:
        step[1](table)
    except Waiting as waiting:
        assert waiting.request.player == side
        return Bot(load_game("micro_armour"), side, 1).answer(table.battle, waiting.request, waiting.check)
    raise AssertionError("nothing was asked")


# -- small positions ------------------------------------------------------------------------------------------------------


def test_it_shoots_at_the_target_that_it_is_more_likely_to_hurt() -> None:
    # Advantage 11 - 8 = 3 against the front, 11 - 4 = 7 against the flank: one sees it at the results table.
    battle = board(
        tank("mine", 20, 10),
        tank("front", 18, 20, 180, side="b"),
        tank("flank", 22, 20, 90, side="b"),
    )
    assert ask(battle) == "flank"


def test_it_shoots_at_what_stands_in_the_open_rather_than_in_cover() -> None:
    battle = board(
        area("light_fortification", 17, 19, 19, 21),
        infantry("mine", 20, 14),
        infantry("dug_in", 18, 20, 180, side="b"),
        infantry("in_the_open", 22, 20, 180, side="b"),
    )
    assert ask(battle) == "in_the_open"


def test_it_masses_fire_until_more_adds_nothing() -> None:
    four = [tank(f"t{n}", 18 + 2 * n, 10) for n in range(4)]
    assert set(ask(board(*four, tank("foe", 20, 22, 180, side="b", defence=11)), "foe")) == {f"t{n}:gun" for n in range(4)}


def test_it_keeps_a_hopeless_shot_for_reaction() -> None:
    # HE 5 against defence 8 is -3: no more than a weak suppression, which TL2 does not even get.
    battle = board(infantry("mine", 20, 10, tl=2), truck("foe", 20, 24, 180, side="b", defence=8))
    assert ask(battle) == "pass"


def test_it_fires_in_reaction_when_the_mover_shows_its_flank() -> None:
    battle = board(
        tank("mine", 20, 10),
        tank("foe", 10, 16, 90, side="b", level=20),
        phase="movement",
        active="b",
        round="ordered",
    )
    drive = {"path": [[21_000, 16_000]], "facing": 90}
    table = ScriptedTable(battle, ["foe", drive], [5])
    step = next_step(battle)
    assert step is not None
    with pytest.raises(Waiting) as asked:
        step[1](table)
    request = asked.value.request
    assert request.prompt.id == "ask.react"
    assert Bot(load_game("micro_armour"), "a", 1).answer(table.battle, request, asked.value.check) == "mine:gun"


def test_it_plans_a_mission_on_an_enemy_that_its_observers_see() -> None:
    def planned(*things: Any) -> Any:
        return ask(board(gun("battery", 10, 5), *things, phase="planning"))

    seen = infantry("foe", 20, 30, 180, side="b")
    assert planned(tank("hq", 20, 10, hq=True), seen) == "mission"
    assert planned(tank("no_observer", 20, 10), tank("hq", 40, 2, hq=True), area("forest", 5, 15, 45, 18), seen) == "done"


def test_the_mission_is_aimed_at_the_enemy_and_all_its_shells_fall_together() -> None:
    battle = board(
        gun("g1", 10, 5), gun("g2", 12, 5), tank("hq", 20, 10, hq=True), infantry("foe", 20, 30, 180, side="b"), phase="planning"
    )
    places = ask(battle, "mission", ["g1", "g2"])
    assert {(spot["x"], spot["y"]) for spot in places.values()} == {(20_000, 30_000)}


def test_it_does_not_fire_a_mission_that_would_fall_on_its_own() -> None:
    plans = {"a": Plans((Mission("mission_1", ("battery",), (20_000, 20_000), ((0, 0),)),))}
    own = board(gun("battery", 10, 5), infantry("mine", 20, 20), tank("foe", 40, 40, side="b"), area("forest", 5, 8, 45, 12),
                phase="artillery_air", plans=plans)  # fmt: skip
    assert ask(own) == "pass"
    theirs = board(
        gun("battery", 10, 5), infantry("foe", 20, 20, side="b"), area("forest", 5, 8, 45, 12), phase="artillery_air", plans=plans
    )
    assert ask(theirs) == "mission_1"


def test_it_sends_its_aircraft_against_an_enemy_from_an_edge_of_the_table() -> None:
    battle = board(aircraft("jets"), tank("mine", 5, 5), tank("foe", 40, 30, 180, side="b"), phase="planning")
    assert ask(battle) == "strike:jets"
    course = ask(battle, "strike:jets")
    assert (course["attack"]["x"], course["attack"]["y"]) == (40_000, 30_000)
    assert (course["entry"]["x"], course["entry"]["y"]) == (48_000, 30_000)  # eight inches away; the others are farther


def test_it_heads_for_the_objective() -> None:
    goal = Hold(id="hill", at=(24, 24))
    battle = board(tank("mine", 24, 4), tank("far_away", 46, 46, 180, side="b"), area("forest", 30, 30, 44, 44), phase="movement",
                   objectives=(goal,))  # fmt: skip
    assert ask(battle) == "mine"
    step = next_step(battle)
    assert step is not None
    table = ScriptedTable(battle, ["mine"], [5])
    with pytest.raises(Waiting) as asked:
        step[1](table)
    route = Bot(load_game("micro_armour"), "a", 1).answer(table.battle, asked.value.request, asked.value.check)
    assert span(tuple(route["path"][-1]), (24_000, 24_000)) < 12_000
    assert at(battle, "mine") == (24, 4)


GUNS = ((20, 32), (24, 32), (28, 32))
"""Three tanks that watch the middle of the table, four inches apart: at a visibility of five inches, from x = 15 to x = 33."""


def lanes_past(*guns: tuple[float, float]) -> Lanes:
    foes = [tank(f"foe{n}", x, y, 180, side="b") for n, (x, y) in enumerate(guns)]
    battle = board(tank("mine", 24, 20), *foes, visibility=5)
    return Lanes(Watch(battle, foes), "tracked", lambda at: at[1] >= 40_000)


def test_a_lane_is_straight_where_nobody_watches() -> None:
    way = lanes_past().way((25_000, 21_000))
    assert way == ((25_000, 21_000), (25_000, 41_000))


def test_a_lane_goes_around_what_the_enemy_sees() -> None:
    lanes = lanes_past(*GUNS)
    way = lanes.way((25_000, 21_000))
    assert way[-1][1] >= 40_000
    middles = [point_at(way, far) for far in range(0, int(length(way)), 1000)]
    # A square of two inches counts by its middle, which may be an inch and a half from a place in it.
    assert min(span(point, (x * 1000, y * 1000)) for point in middles for x, y in GUNS) > 3_500
    assert lanes.far((25_000, 21_000)) > lanes_past().far((25_000, 21_000))


def test_in_the_last_turns_it_shoots_at_whoever_is_at_the_objective() -> None:
    def target(turn: int) -> Any:
        there, elsewhere = infantry("intruder", 18, 20, 180, side="b"), infantry("other", 22, 20, 180, side="b")
        return ask(board(tank("mine", 20, 10), there, elsewhere, objectives=(Hold(id="hill", at=(17, 20)),), turn=turn, turns=8))

    # Both are equally far and equally easy to hit: the name decides until the objective does.
    assert [target(turn) for turn in (2, 8)] == ["other", "intruder"]


def test_a_side_that_a_few_losses_would_break_does_not_hurry() -> None:
    def order(breaks: int) -> Any:
        many = [tank(f"foe{n}", 20 + 4 * n, 34, 180, side="b") for n in range(3)]
        goal = Hold(id="hill", at=(24, 24))
        battle = board(tank("mine", 24, 10.5), line("crest", (0, 12), (48, 12)), area("slope_up", 0, 8, 48, 16), *many, phase="movement",
                       objectives=(goal,), turn=6, breaks={"a": breaks})  # fmt: skip
        return ask(battle)

    assert [order(breaks) for breaks in (8, 2)] == ["mine", "pass"]


def test_a_carrier_with_passengers_is_worth_more_than_an_empty_one() -> None:
    full, empty = carrier("full", 18, 20, 180, side="b"), carrier("zero", 22, 20, 180, side="b")
    inside = infantry("inside", 18, 20, 180, side="b", carried_by="full")
    # Both are equally far and equally easy to hit: the name decides until somebody is inside.
    assert ask(board(tank("mine", 20, 10), full, empty)) == "zero"
    assert ask(board(tank("mine", 20, 10), full, empty, inside)) == "full"


def test_it_lets_the_other_side_move_first_and_fires_first() -> None:
    def first(phase: str) -> Any:
        return ask(board(tank("mine", 20, 10), tank("foe", 20, 30, 180, side="b"), phase=phase, first="", initiative="a"))

    assert [first("fire_second"), first("movement")] == ["a", "b"]


def test_it_reckons_with_the_fire_of_those_that_can_still_react() -> None:
    def feared(**foe: Any) -> float:
        battle = board(tank("mine", 24, 4), tank("foe", 24, 40, 180, side="b", **foe), area("forest", 10, 15, 38, 20), phase="movement")
        return Picture(battle, "a").fire_on_the_way(battle.units["mine"], ((24_000, 4_000), (4_000, 4_000), (4_000, 14_000)))

    assert feared() > 0
    assert feared(moving=True) == feared(attempted_second=True) == 0.0  # MA-RULING-22


def test_it_lays_smoke_before_those_that_many_guns_see() -> None:
    weak = [truck(f"truck{n}", 20 + 1.2 * n, 5) for n in range(3)]
    foes = [tank(f"foe{n}", 18 + 3 * n, 40, 180, side="b", tl=5) for n in range(4)]
    hidden = gun("battery", 30, 3, smoke=True), area("forest", 25, 10, 48, 14)
    battle = board(*hidden, *weak, *foes, phase="artillery_air")
    assert ask(battle) == "smoke:battery"
    spot = ask(battle, "smoke:battery")["smoke"]
    assert 19_000 < spot["x"] < 24_000
    assert 5_000 < spot["y"] < 7_000


def test_only_a_few_are_sent_to_a_place_that_is_to_be_held() -> None:
    many = [tank(f"t{n}", 10 + 2 * n, 4 + n) for n in range(8)]
    foe = tank("foe", 40, 40, 180, side="b")

    def sent(turn: int) -> set[str]:
        return Picture(board(*many, foe, objectives=(Hold(id="hill", at=(24, 24)),), turn=turn, turns=8), "a").committed

    assert sent(4) == {"t3", "t4", "t5", "t6", "t7"}  # the later ones are nearer
    assert len(sent(8)) == 8


def test_it_does_not_drive_into_the_sights_of_many_guns_alone() -> None:
    many = [tank(f"foe{n}", 14 + 4 * n, 40, 180, side="b", tl=5, ap=14, defence=12) for n in range(6)]
    battle = board(tank("mine", 24, 6), line("crest", (0, 12), (48, 12)), area("slope_up", 0, 8, 48, 16), *many, phase="movement")
    assert ask(battle) == "pass"


def test_it_drives_over_infantry_that_is_already_shaken() -> None:
    battle = board(
        carrier("mine", 20, 18),
        infantry("foe", 20, 22, 180, side="b", suppressed=True, disorganised=True, level=8),
        phase="movement",
    )
    step = next_step(battle)
    assert step is not None
    table = ScriptedTable(battle, ["mine"], [5])
    with pytest.raises(Waiting) as asked:
        step[1](table)
    route = Bot(load_game("micro_armour"), "a", 1).answer(table.battle, asked.value.request, asked.value.check)
    assert 998 <= span(tuple(route["path"][-1]), (20_000, 22_000)) <= 1002


def test_the_bot_reckons_with_the_odds_of_the_rules() -> None:
    # Level 20 fails on a 20 only; at +10 a hit eliminates (MA-TEST-02, MA-CRT-03).
    sure = StandardFire(command_level=20, attacker_tl=3, ap=20, distance=5, target_class="armoured", defence=10)
    assert dict(fire_chances(sure)) == {(False, False, True): 19 / 20, (False, False, False): 1 / 20}


# -- whole games ------------------------------------------------------------------------------------------------------------


class Timed:
    """A bot with a watch: how long its slowest answer took, and what it was asked."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.slowest = 0.0
        self.asked: set[str] = set()

    def answer(self, battle: Any, request: Any, check: Any) -> Any:
        start = time.process_time()
        answer = self.source.answer(battle, request, check)
        self.slowest = max(self.slowest, time.process_time() - start)
        self.asked.add(request.prompt.id)
        return answer


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_whole_game_of_bots_is_sound_at_every_step_and_verifies(game: Game, scenario: str) -> None:
    result = play_one(game, setup_of(game, scenario), f"sound {scenario}", ("bot", "bot"), check=True)
    assert result.problems == []
    assert result.reason


def test_the_same_seed_gives_the_same_game(game: Game) -> None:
    def digest() -> str:
        sources = {side: make_bot(game, "bot", side, bot_seed("again", side)) for side in ("a", "b")}
        match = Match(game, setup_of(game, "crossroads"), "again", sources=sources)
        match.run()
        return log_digest(match.records)

    assert digest() == digest()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_bot_beats_the_random_player(game: Game, scenario: str) -> None:
    results = [play_one(game, setup_of(game, scenario), f"sample {number}", ("bot", "random")) for number in range(2)]
    assert [result.winner for result in results] == ["a", "a"]
    assert not [problem for result in results for problem in result.problems]


def test_every_answer_comes_in_time_and_says_why(game: Game) -> None:
    bots = {side: Bot(game, side, 1) for side in ("a", "b")}
    timed = {side: Timed(bot) for side, bot in bots.items()}
    Match(game, setup_of(game, "the_bridgehead"), "in time", sources=timed).run()
    assert max(one.slowest for one in timed.values()) < SLOWEST
    assert {"ask.deploy", "ask.target", "ask.plan", "ask.order", "ask.route", "ask.react"} <= timed["a"].asked | timed["b"].asked
    why = bots["a"].why
    assert why["decision"].startswith("MA-DEC-")
    assert "answer" in why
