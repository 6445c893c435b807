"""A mission or a course that one side has written is in nothing that the other side or the public is shown, before it is revealed.

Whole games are played question by question; at each one all that each side may know (its view, its scene, its question, the new records
with their traces) is written out, and searched for the places of the other side's plans. And two games that differ in nothing but
such a place look the same, byte by byte, until it is read out.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from sandtable.bots.random_legal import RandomLegal
from sandtable.field.shapes import circle
from sandtable.games.micro_armour.air import CourseRevealed
from sandtable.games.micro_armour.artillery import MissionRevealed, observers
from sandtable.games.micro_armour.battle import INCH, Course, Mission
from sandtable.games.micro_armour.planning import CourseWritten, MissionWritten
from sandtable.kernel.decisions import PickOne, PickPlaces, PickSeveral, Request
from sandtable.kernel.events import SIDES, other
from sandtable.kernel.game import load_game
from sandtable.kernel.match import Match
from sandtable.lab.bots import default_bot, make_bot

GAME = load_game("micro_armour")
ODD = 137
"""Thousandths of an inch that no unit happens to stand at."""


class Author(RandomLegal):
    """Plays at random, but writes all the plans it can, at odd places, and reads out about half of them."""

    shift = 0
    written = 0
    """How many places it has made up: none is used twice, so that what is shown once does not give away another plan."""

    def _scattered(self, battle: Any, request: PickPlaces, check: Any) -> Any:
        return request.default  # its observers see something to write plans about

    def guess(self, battle: Any, request: Request) -> Any:
        if request.decision == "MA-DEC-04" and isinstance(request, PickOne):
            plans = [option.id for option in request.options if option.id.startswith(("mission_", "strike_"))]
            return self.random.choice([*plans, "pass"])
        if request.decision != "MA-DEC-07":
            return super().guess(battle, request)
        if isinstance(request, PickOne):
            return next(option.id for option in request.options if option.refusal is None)
        if isinstance(request, PickSeveral):
            return [option.id for option in request.options]
        assert isinstance(request, PickPlaces)
        self.written += 1
        wide, high = battle.ground.width, battle.ground.height
        odd = ODD + self.shift + 3 * self.written + (401 if self.side == "b" else 0)
        seed = 1000 * self.random.randrange(1, 12) + odd
        if "entry" in request.pieces:
            spots = {"entry": (seed, 0), "attack": (wide // 2 + seed // 3, high // 2 + seed // 5), "exit": (wide, seed + 7)}
        else:
            x, y = observers(battle, request.player)[0].centre
            spots = {piece: (x + odd + 500 * n, y + 2 * odd + n) for n, piece in enumerate(request.pieces)}
        return {piece: {"x": x, "y": y, "facing": 0} for piece, (x, y) in spots.items()}


def match_of(scenario: str, seed: int) -> Match:
    match = Match(GAME, GAME.setup(GAME.data("scenarios", scenario)), f"secret {seed}")
    match.run()
    return match


def submit(match: Match, bots: dict[str, Any]) -> None:
    request, pending = match.request, match.pending
    assert request is not None and pending is not None
    answer = bots[request.player].answer(match.view(request.player).battle, request, pending.check)
    match.submit(request.player, match.number, answer)


def places(plan: Mission | Course) -> list[tuple[int, int]]:
    """The points of a course; those of a sheaf, and the first corners of the marks that are drawn there."""
    if isinstance(plan, Course):
        return [plan.entry, plan.attack, plan.exit]
    points = [(plan.aim[0] + right, plan.aim[1] + up) for right, up in plan.sheaf]
    return points + [circle(point, INCH // 2)[0] for point in points]


class Hidden:
    """What has been written in a match so far, and what of it has not been read out."""

    def __init__(self, match: Match) -> None:
        self.plans: list[tuple[str, Mission | Course]] = []
        self.shown = 0
        for record in match.log:
            event = record.event
            if isinstance(event, MissionWritten | CourseWritten):
                self.plans.append((event.side, event.mission if isinstance(event, MissionWritten) else event.course))
            elif isinstance(event, MissionRevealed | CourseRevealed):
                self.plans.remove((event.side, event.mission if isinstance(event, MissionRevealed) else event.course))
                self.shown += 1

    def seen_in(self, viewer: str | None, shown: bytes) -> set[tuple[bytes, bytes]]:
        """The places that a viewer must not see and is shown: two numbers after one another, in grid units or in inches."""
        found = [spot for side, plan in self.plans if side != viewer for spot in places(plan)]
        secret = {(b"%d" % x, b"%d" % y) for x, y in found} | {(f"{x / 1000:g}".encode(), f"{y / 1000:g}".encode()) for x, y in found}
        numbers = re.findall(rb"\d+(?:\.\d+)?", shown) if secret else []
        return secret.intersection(pairwise(numbers))


def shown_to(match: Match, viewer: str | None, since: int) -> bytes:
    """All that a viewer is shown, as JSON: of the log what is new, and it in words."""
    view = match.view(viewer)
    fresh = tuple(record for record in match.log[since:] if record.seen_by(viewer))
    said = [GAME.texts.text(record.event.says()) for record in fresh]
    writers = [unit.id for unit in view.battle.units.values() if unit.profile.shells or unit.profile.target_class == "aircraft"]
    able = [GAME.may_do(view.battle, view.request, id) for id in writers]
    shown = (msgspec.structs.replace(view, records=fresh), GAME.scene(view.battle), GAME.shown_names(view.battle), said, able)
    return msgspec.json.encode(shown)


@pytest.mark.rule("MA-PLAN-01", "MA-AIR-01", "MA-AIR-02", "MA-ART-04")
@pytest.mark.parametrize("scenario", ["crossroads", "the_bridgehead"])
@pytest.mark.parametrize("seed", range(3))
def test_nothing_written_is_shown_to_anybody_else_before_it_is_read_out(scenario: str, seed: int) -> None:
    match = match_of(scenario, seed)
    bots = {side: Author(GAME, side, seed) for side in SIDES}
    since = 0
    while True:
        hidden = Hidden(match)
        for viewer in (*SIDES, None):
            if hidden.plans:
                assert not hidden.seen_in(viewer, shown_to(match, viewer, since)), f"shown to {viewer}"
        since = len(match.records)  # a step that waits is looked at again when it goes on
        if match.request is None:
            break
        submit(match, bots)
    assert len(hidden.plans) > 2 and hidden.shown > 1  # some were kept to the end, some were shown


def test_the_search_finds_what_is_there() -> None:
    """The owner's own view has the places of his plans; so the search would find them in another."""
    match = match_of("crossroads", 1)
    bots = {side: Author(GAME, side, 1) for side in SIDES}
    while not Hidden(match).plans:
        submit(match, bots)
    side, _ = Hidden(match).plans[0]
    hidden = Hidden(match)
    found = {viewer: bool(hidden.seen_in(None, shown_to(match, viewer, 0))) for viewer in (*SIDES, None)}
    assert found == {side: True, other(side): False, None: False}
    assert hidden.seen_in(None, msgspec.json.encode(GAME.scene(match.view(side).battle)))  # also as it is drawn


@pytest.mark.rule("MA-PLAN-01", "MA-PLAN-02", "MA-PLAN-03")
@pytest.mark.parametrize("bot", ["random", "default"])
@pytest.mark.parametrize("seed", range(3))
def test_two_games_that_differ_in_a_plan_look_alike_until_it_is_read_out(bot: str, seed: int) -> None:
    matches = [match_of("crossroads", seed) for _ in range(2)]
    players = {side: make_bot(GAME, default_bot(GAME) if bot == "default" else bot, side, seed) for side in SIDES}
    authors = [Author(GAME, "a", seed), Author(GAME, "a", seed)]
    authors[1].shift = 41
    compared = 0
    while not any(Hidden(match).shown for match in matches):
        first = matches[0]
        request = first.request
        assert request is not None
        for viewer in ("b", None):
            one, two = (shown_to(match, viewer, 0) for match in matches)
            assert one == two
        compared += Hidden(first).plans != Hidden(matches[1]).plans
        if request.player == "a" and request.decision in ("MA-DEC-07", "MA-DEC-04"):
            for match, author in zip(matches, authors, strict=True):
                submit(match, {"a": author})
        else:
            assert first.pending is not None
            answer = players[request.player].answer(first.view(request.player).battle, request, first.pending.check)
            for match in matches:
                match.submit(request.player, match.number, answer)
        if first.over:
            break
    assert compared > 3
