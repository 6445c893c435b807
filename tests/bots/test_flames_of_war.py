"""Whole games of Flames of War between bots: sound at every step, the same again from the same seed, and won by the better player."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sandtable.bots.flames_of_war import Bot
from sandtable.bots.flames_of_war.lay import lay_of
from sandtable.bots.flames_of_war.worth import assault_odds, chance_to_pin, hit_odds
from sandtable.games.flames_of_war.procedures.saves import ArmourSave, armour_save
from sandtable.kernel.game import Game, Setup, load_game
from sandtable.kernel.match import Match
from sandtable.lab.battles import bot_seed, log_digest, play_one
from sandtable.lab.bots import make_bot
from sandtable.odds import distribution

SCENARIOS = ("crossroads", "first_steps", "hold_the_village", "river_line")
SLOWEST = 2.0
"""Seconds that an answer may take."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("flames_of_war")


def setup_of(game: Game, scenario: str) -> Setup:
    return game.setup(game.data("scenarios", scenario))


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


@pytest.mark.parametrize("scenario", ("first_steps", "river_line"))
def test_a_whole_game_of_random_players_is_sound_at_every_step(game: Game, scenario: str) -> None:
    result = play_one(game, setup_of(game, scenario), f"random {scenario}", ("random", "random"), check=True)
    assert result.problems == []
    assert result.reason


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_same_seed_gives_the_same_game(game: Game, scenario: str) -> None:
    def digest() -> str:
        sources = {side: make_bot(game, "bot", side, bot_seed("again", side)) for side in ("a", "b")}
        match = Match(game, setup_of(game, scenario), "again", sources=sources)
        match.run()
        return log_digest(match.records)

    assert digest() == digest()


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seat", ("a", "b"))
def test_the_bot_beats_the_random_player(game: Game, scenario: str, seat: str) -> None:
    bots = ("bot", "random") if seat == "a" else ("random", "bot")
    results = [play_one(game, setup_of(game, scenario), f"sample {number}", bots) for number in range(3)]
    assert not [problem for result in results for problem in result.problems]
    assert sum(result.winner == seat for result in results) >= 2


def test_every_answer_comes_in_time_and_says_why(game: Game) -> None:
    bots = {side: Bot(game, side, 1) for side in ("a", "b")}
    timed = {side: Timed(bot) for side, bot in bots.items()}
    Match(game, setup_of(game, "hold_the_village"), "in time", sources=timed).run()
    assert max(one.slowest for one in timed.values()) < SLOWEST
    assert {"ask.platoon_order", "ask.route", "ask.shooting", "ask.places"} <= timed["a"].asked | timed["b"].asked
    why = bots["a"].why
    assert why["decision"].startswith("FOW-DEC-")
    assert "answer" in why


def test_the_bot_reckons_with_the_odds_of_the_rules() -> None:
    # Armour 3 and a die are 9 at most, under anti-tank 11: a firepower test of 3+ decides between wreck and shaken crew.
    facts = ArmourSave(armour=3, anti_tank=11, firepower=3)
    exact = distribution(armour_save, facts, fields=("result",))
    assert hit_odds("armoured", 3, 11, 3, False, False, False, "confident") == (
        float(exact.p(("destroyed",))),
        float(exact.p(("bailed_out",))),
    )
    # Five dice that cannot miss pin for certain; four never do; hits taken before count.
    assert chance_to_pin(((5, 1),), 0) == 1.0
    assert chance_to_pin(((4, 1),), 0) == 0.0
    assert chance_to_pin(((4, 1),), 1) == 1.0


def test_an_assault_with_more_teams_is_worth_more() -> None:
    def wins(teams: int) -> float:
        mine = (teams, "infantry", "regular", "confident", 2, None, None)
        theirs = (3, "infantry", "regular", "confident", 2, None, None)
        return assault_odds(mine, theirs, 3, 3, 2, 6)[0]

    assert wins(2) < wins(4) < wins(6)


def test_the_way_to_the_north_bank_leads_over_the_bridge_or_the_ford(game: Game) -> None:
    battle = game.new_battle(setup_of(game, "river_line"))
    lay = lay_of(battle.ground)  # type: ignore[attr-defined]
    way = lay.way((36_000, 37_000), "tracked", (60_000, 8_000), 60_000)
    crossing = [x for x, y in way if 22_000 <= y <= 26_000]
    assert crossing
    assert all(33_500 <= x <= 38_500 or 14_000 <= x <= 25_000 for x in crossing)
