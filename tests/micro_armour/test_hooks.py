"""The hooks for planning: they say what the steps would do, with numbers reckoned by hand from the sheet, and give nothing away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.micro_armour.boards import ScriptedTable, aircraft, area, board, carrier, flak, gun, infantry, line, tank, truck

from sandtable.games.micro_armour.battle import Battle, Course, Mission, Plans
from sandtable.games.micro_armour.fire import explained, fire_action, shot
from sandtable.games.micro_armour.movement import move_action
from sandtable.games.micro_armour.profile import Atgm
from sandtable.games.micro_armour.sequence import artillery_air_step, planning_step
from sandtable.kernel.decisions import Option, PickOne, PickPlaces, PickRoute, Placing, Request, Route
from sandtable.kernel.game import Card, Reach, load_game
from sandtable.kernel.messages import say
from sandtable.kernel.procedures import FrozenMap
from sandtable.kernel.table import Waiting

GAME = load_game("micro_armour")


def asked(step: Callable[[Any], Any], battle: Battle, answers: Iterable[Any] = (), dice: Iterable[int] = ()) -> tuple[Battle, Request]:
    """The question that a step stops at after some answers, and the battle as it stands then."""
    table = ScriptedTable(battle, answers, dice)
    with pytest.raises(Waiting) as waiting:
        step(table)
    return table.battle, waiting.value.request


def odds(card: Card | None) -> dict[str, str]:
    assert card is not None
    return {one.outcome.id.removeprefix("chance."): one.p for one in card.odds}


def refusals(options: Iterable[Option]) -> dict[str, str]:
    return {option.id: option.refusal.rule for option in options if option.refusal is not None}


# -- odds cards -----------------------------------------------------------------------------------------------------------

PLAIN = {"test_failed": "1/4", "suppression": "5/24", "disorganisation": "5/12", "elimination": "1/8"}
"""Level 15 passes on 15 of 20. At advantage +3 the 2D6 give E up to 4 (6/36), D up to 8 (20/36), S above (10/36)."""


@pytest.mark.rule("MA-FIRE-03", "MA-FIRE-06", "MA-CRT-01")
def test_the_odds_of_one_shot() -> None:
    """AP 11 at the front of defence 8: +3. Eight inches is +0 for TL3."""
    battle = board(tank("t1", 20, 10), tank("foe", 20, 18, 180, side="b"), tank("foe2", 30, 18, 180, side="b"))
    battle, request = asked(fire_action, battle, ["foe"])
    assert request.prompt.id == "ask.attackers"
    card = GAME.odds_card(battle, request, "t1:gun")
    assert odds(card) == PLAIN
    assert card is not None and [[(part.label, part.amount) for part in score] for score in card.scores] == [
        [("part.command_level", 15)],
        [("part.advantage", 3)],
    ]
    assert GAME.advice(battle, request)["t1:gun"].arguments == {"eliminated": 12, "hurt": 75}


@pytest.mark.rule("MA-TERR-01", "MA-FIRE-07")
def test_the_score_is_told_with_every_modifier_and_its_rule() -> None:
    """A tank in a forest is +2 for the test (13 of 20) and the roll; twelve inches are +1 for TL3.

    Roll + 3 at +3: E never (least 5), D for sums 2-5 (10/36), the rest S: 26/36.
    """
    battle = board(tank("t1", 20, 10), tank("foe", 20, 22, 180, side="b"), area("forest", 18, 21.5, 22, 26))
    battle, request = asked(fire_action, battle, ["foe"])
    card = GAME.odds_card(battle, request, "t1:gun")
    assert card is not None
    test, roll = ([(part.label, part.amount, part.rule) for part in score] for score in card.scores)
    assert test == [("part.command_level", 15, "MA-TEST-01"), ("terrain.forest", 2, "MA-TERR-01")]
    assert roll == [("part.advantage", 3, "MA-CRT-01"), ("terrain.forest", 2, "MA-TERR-01"), ("modifier.range", 1, "MA-FIRE-07")]
    assert odds(card) == {"test_failed": "7/20", "suppression": "169/360", "disorganisation": "13/72"}


@pytest.mark.rule("MA-FIRE-02")
def test_the_odds_of_several_units_at_one_target() -> None:
    """Two such shots one after another: a unit that the first disorganised is eliminated by D or E, 26/36 of the hits."""
    battle = board(tank("t1", 20, 10), tank("t2", 22, 10), tank("foe", 20, 18, 180, side="b"))
    battle, request = asked(fire_action, battle)
    assert request.prompt.id == "ask.target"
    found = odds(GAME.odds_card(battle, request, "foe"))
    # First E: 1/8. First nothing (1/4) or S (5/24): E in 1/8. First D (5/12): E in 3/4 * 26/36. Together (72 + 18 + 15 + 130) / 576.
    assert found["eliminated"] == "235/576"
    assert found["unhurt"] == "1/16"


@pytest.mark.rule("MA-ART-08")
def test_the_odds_of_shells() -> None:
    """HE 7 at infantry of defence 4 that stands still: +3, and no range modifier; a gun in sight does not stray."""
    battle = board(gun("g1", 20, 10), infantry("foe", 20, 40, side="b"), infantry("foe2", 22, 40, side="b"), phase="artillery_air")
    battle, request = asked(artillery_air_step, battle, ["direct:foe"])
    assert request.prompt.id == "ask.batteries"
    assert odds(GAME.odds_card(battle, request, "g1")) == PLAIN


@pytest.mark.rule("MA-MOVE-02", "MA-TEST-03")
def test_the_odds_of_moving() -> None:
    """With an Order nothing modifies the test but markers: 15 of 20; suppressed +4, 11 of 20."""
    battle = board(tank("t1", 20, 10), tank("t2", 30, 10, suppressed=True), tank("foe", 20, 40, side="b"), phase="movement")
    battle, request = asked(move_action, battle)
    assert odds(GAME.odds_card(battle, request, "t1")) == {"test_passed": "3/4", "test_failed": "1/4"}
    held = GAME.odds_card(battle, request, "t2")
    assert odds(held)["test_passed"] == "11/20"
    assert held is not None and ("modifier.suppressed", 4, "MA-TEST-03") in [
        (part.label, part.amount, part.rule) for part in held.scores[0]
    ]


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-04")
def test_the_odds_of_a_close_assault() -> None:
    """A moving defender does nothing, and its defence 4 is halved: HE 5 has +3. The roll has -3: E up to 7 (21/36), D up to 11 (14/36)."""
    battle = board(infantry("i1", 20, 10), infantry("foe", 20, 11.8, side="b", moving=True), phase="movement")
    request = PickOne(player="a", decision="MA-DEC-08", prompt=say("ask.assault"), unit="i1", options=())
    found = odds(GAME.odds_card(battle, request, "foe"))
    assert found == {"unhurt": "1/4", "suppressed": "1/48", "disorganised": "7/24", "eliminated": "7/16"}


@pytest.mark.rule("MA-CLOSE-01", "MA-CLOSE-02")
def test_the_odds_of_each_blow_of_a_close_assault() -> None:
    """Who closes in moves: its defence is halved too, so that the defender's shot has the same +3 and -3 as the attacker's blow."""
    battle = board(infantry("i1", 20, 10), infantry("foe", 20, 11.8, side="b"), phase="movement")
    same = {"test_failed": "1/4", "suppression": "1/48", "disorganisation": "7/24", "elimination": "7/16"}
    back = PickOne(player="b", decision="MA-DEC-11", prompt=say("ask.assault_target"), unit="foe", options=())
    assert odds(GAME.odds_card(battle, back, "i1")) == same
    moving = battle.with_unit("foe", moving=True)
    strike = PickOne(player="a", decision="MA-DEC-12", prompt=say("ask.strike", unit="i1", defender="foe"), unit="i1", options=())
    assert odds(GAME.odds_card(moving, strike, "strike")) == same
    assert GAME.odds_card(moving, strike, "decline") is None


@pytest.mark.rule("MA-OVER-02", "MA-OVER-03")
def test_the_odds_of_an_overrun() -> None:
    """A tracked vehicle is +3 on the defender's test: 12 of 20 pass. Failed, an attack at +6: E up to 8 (26/36), D above."""
    battle = board(tank("t1", 20, 10), infantry("foe", 20, 11, side="b"), phase="movement")
    request = PickOne(player="a", decision="MA-DEC-08", prompt=say("ask.overrun"), unit="t1", options=())
    assert odds(GAME.odds_card(battle, request, "foe")) == {"unhurt": "3/5", "disorganised": "1/9", "eliminated": "13/45"}


@pytest.mark.rule("MA-AA-04", "MA-AA-05")
def test_the_odds_of_anti_aircraft_fire() -> None:
    """HE 8 at defence 6, TL3 at TL4: +2, one column to the left: +1. E at 2, D 3-6, S 7-10; the weak S above does nothing."""
    battle = board(flak("f1", 20, 10), aircraft("p1", 20, 18, side="b"), phase="artillery_air")
    option = Option("f1@3", say("option.halt", unit="f1", inch=3, distance=8.0, modifier=0))
    request = PickOne(player="a", decision="MA-DEC-05", prompt=say("ask.halt"), unit="p1", options=(option,))
    found = odds(GAME.odds_card(battle, request, "f1@3"))
    assert found == {"test_failed": "1/4", "no_effect": "1/16", "suppression": "3/8", "disorganisation": "7/24", "elimination": "1/48"}


# -- refusals with numbers --------------------------------------------------------------------------------------------------


def test_targets_that_cannot_be_shot_at_say_why_with_numbers() -> None:
    """The forest begins at y = 18, eight inches off; AP 6 at defence 10 is -4, where -3 is the least."""
    battle = board(
        infantry("i1", 22, 10),
        area("forest", 20, 18, 24, 22),
        tank("hard", 26, 13, 180, side="b", defence=10),
        tank("hidden", 22, 30, 180, side="b"),
        infantry("easy", 16, 12, side="b"),
    )
    battle, request = asked(fire_action, battle)
    assert isinstance(request, PickOne)
    told = {option.id: option.refusal for option in request.options}
    hard, hidden = told["hard"], told["hidden"]
    assert told["easy"] is None
    assert hard is not None and hard.rule == "MA-FIRE-11"
    assert (hard.message.arguments["distance"], hard.message.arguments["advantage"]) == (5, -4)
    assert hidden is not None and hidden.rule == "MA-LOS-04"
    assert (hidden.message.arguments["distance"], hidden.message.arguments["inches"]) == (20, 8)
    assert hidden.message.arguments["by"] == say("terrain.forest")


@pytest.mark.parametrize(
    ("firer", "target", "rule", "numbers"),
    [
        (flak("one", 20, 10, ap=9), tank("foe", 20, 35, side="b"), "MA-RULING-11", {"distance": 25, "reach": 20}),
        (infantry("one", 20, 10), tank("foe", 20, 15, 180, side="b", defence=10), "MA-FIRE-11", {"distance": 5, "advantage": -4}),
        (tank("one", 22, 10), tank("foe", 22, 30, side="b"), "MA-LOS-04", {"distance": 20, "inches": 8}),
    ],
)
def test_a_refused_shot_has_its_numbers(firer: Any, target: Any, rule: str, numbers: dict[str, float]) -> None:
    """Fire beyond 20 inches; AP 6 at defence 10; a forest from y = 18 on, eight inches off."""
    battle = board(firer, target, tank("other", 5, 5), infantry("easy", 8, 5, side="b"), area("forest", 21, 18, 26, 22))
    refusal = explained(battle, shot(battle, firer, target, "gun"))
    assert refusal is not None and refusal.rule == rule
    assert {name: refusal.message.arguments[name] for name in numbers} == numbers


@pytest.mark.rule("MA-FIRE-09")
def test_a_missile_at_too_short_a_range() -> None:
    one, foe = carrier("one", 20, 10, atgm=Atgm(ap=12, min_range=4)), tank("foe", 20, 13, side="b")
    battle = board(one, foe)
    refusal = explained(battle, shot(battle, one, foe, "atgm"))
    assert refusal is not None and refusal.rule == "MA-FIRE-09"
    assert (refusal.message.arguments["distance"], refusal.message.arguments["least"]) == (3, 4)


# -- routes ---------------------------------------------------------------------------------------------------------------


def planned(battle: Battle, unit: str, *points: tuple[float, float]) -> Reach:
    request = PickRoute(player="a", decision="MA-DEC-08", prompt=say("ask.route"), unit=unit)
    found = GAME.reach(battle, request, Route(tuple((round(x * 1000), round(y * 1000)) for x, y in points)))
    assert found is not None
    return found


@pytest.mark.rule("MA-MOVE-06")
def test_a_route_costs_what_its_ground_costs() -> None:
    """Tracked: 1 point an inch on clear ground, 3 in a forest; the tank has 12."""
    battle = board(tank("t1", 10, 10), area("forest", 8, 12, 12, 14), tank("foe", 40, 40, side="b", moving=True), phase="movement")
    found = planned(battle, "t1", (10, 16))
    assert (found.length, found.cost, found.allowed, found.refusal) == (6000, 10000, 12000, None)
    legs = [(leg.ground.id, leg.length, leg.cost) for leg in found.legs]
    assert legs == [("terrain.clear", 2000, 2000), ("terrain.forest", 2000, 6000), ("terrain.clear", 2000, 2000)]
    far = planned(battle, "t1", (10, 22))
    assert far.cost == 16000 and far.refusal is not None and far.refusal.rule == "MA-MOVE-06"
    assert far.furthest is not None and far.furthest[0] == 10000 and abs(far.furthest[1] - 18000) <= 20


@pytest.mark.rule("MA-MOVE-07")
def test_closed_ground_ends_a_route_where_it_begins() -> None:
    """Wheels do not cross wire."""
    battle = board(truck("t1", 10, 10), area("wire", 8, 14, 12, 15), tank("foe", 40, 40, side="b", moving=True), phase="movement")
    found = planned(battle, "t1", (10, 18))
    assert found.refusal is not None and found.refusal.rule == "MA-MOVE-07"
    assert found.furthest is not None and abs(found.furthest[1] - 14000) <= 20


@pytest.mark.rule("MA-REACT-01", "MA-RULING-22")
def test_who_could_fire_on_the_way_is_named() -> None:
    """One sees it all the way, one only behind the wood; one has moved, and one has fired in this phase."""
    battle = board(
        tank("t1", 10, 10),
        tank("sees", 10, 30, 180, side="b"),
        tank("later", 30, 10, 270, side="b"),
        tank("moved", 12, 30, 180, side="b", moving=True),
        tank("done", 14, 30, 180, side="b", attempted_this_phase=True),
        area("heavy_buildings", 15, 5, 18, 12.9),
        phase="movement",
    )
    assert planned(battle, "t1", (10, 13)).watchers == ("sees",)
    assert set(planned(battle, "t1", (10, 20)).watchers) == {"sees", "later"}
    notes = {note.id: note.arguments for note in planned(battle, "t1", (10, 20)).notes}
    assert notes["ahead.watched"] == {"number": 2}
    assert "ahead.no_third_fire" in notes, "the third fire phase is TL5's"


@pytest.mark.rule("MA-RULING-25", "MA-RULING-27")
def test_contact_means_overrun_or_assault() -> None:
    battle = board(
        tank("t1", 10, 10), infantry("i1", 14, 10), infantry("foe", 10, 16, side="b"), infantry("foe2", 14, 14, side="b"), phase="movement"
    )
    assert "ahead.overrun" in [note.id for note in planned(battle, "t1", (10, 15)).notes]
    assert "ahead.assault" in [note.id for note in planned(battle, "i1", (14, 12.2)).notes]
    assert "ahead.assault" not in [note.id for note in planned(battle, "i1", (14, 11.8)).notes], "more than an inch between the bases"


# -- what a unit may do -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-SEQ-07", "MA-SEQ-12")
def test_in_which_phases_a_unit_fires() -> None:
    """TL3 fires in the second phase alone; whoever has tried in it does not again."""
    battle = board(tank("t1", 20, 10), tank("t2", 22, 10, attempted_this_phase=True), tank("foe", 20, 18, 180, side="b"))
    battle, request = asked(fire_action, battle)
    found = refusals(GAME.may_do(battle, request, "t1"))
    assert (found["fire:fire_first"], found["fire:fire_third"], found["move"]) == ("MA-SEQ-07", "MA-SEQ-07", "MA-SEQ-01")
    assert "fire:fire_second" not in found
    assert refusals(GAME.may_do(battle, request, "t2"))["fire:fire_second"] == "MA-SEQ-12"


@pytest.mark.rule("MA-SEQ-08", "MA-RULING-50", "MA-RULING-24")
def test_what_artillery_and_those_who_tried_may_not_do() -> None:
    battle = board(
        gun("g1", 20, 10, attempted_fire=True),
        tank("t1", 24, 10, move_tried=True),
        tank("t2", 26, 10),
        tank("foe", 20, 40, side="b"),
        phase="movement",
    )
    battle, request = asked(move_action, battle)
    assert refusals(GAME.may_do(battle, request, "g1"))["g1"] == "MA-SEQ-08"
    assert refusals(GAME.may_do(battle, request, "t1"))["t1"] == "MA-RULING-24"
    mine = {option.id: option.refusal for option in GAME.may_do(battle, request, "t2")}
    assert mine["t2"] is None and "move" not in mine, "what may be answered now goes by the ids of the question, once"
    theirs = GAME.may_do(battle, request, "foe")
    assert theirs and all(option.id.startswith("fact:") for option in theirs)
    assert theirs[0].label.arguments == {"ap": 11, "he": 6, "defence": 8, "tl": 3}


# -- sight, rings, markers --------------------------------------------------------------------------------------------------


@pytest.mark.rule("MA-LOS-04", "MA-RULING-30")
def test_what_blocks_and_where() -> None:
    battle = board(
        tank("t1", 22, 10),
        tank("foe", 22, 30, 180, side="b"),
        tank("open", 10, 10, 90, side="b"),
        area("forest", 20, 18, 24, 22),
        line("crest", (30, 20), (40, 20)),
    )
    found = GAME.sight_between(battle, "t1", "foe")
    assert found is not None and not found.clear and (found.distance, found.at, found.rule) == (20000, (22000, 18000), "MA-LOS-04")
    assert found.blocker is not None and found.blocker.id == "terrain.forest"
    ridge = GAME.sight_between(battle, (35000, 10000), (35000, 34000))
    assert ridge is not None and not ridge.clear and ridge.at == (35000, 20000)
    free = GAME.sight_between(battle, "t1", "open")
    # Twelve inches are +1 for TL3; it looks towards the firer.
    assert (
        free is not None
        and free.clear
        and {note.id: note.arguments for note in free.notes}
        == {
            "sight.range": {"modifier": "+1", "tl": 3},
            "sight.aspect": {"aspect": "aspect.front"},
        }
    )


@pytest.mark.rule("MA-RULING-11")
def test_poor_visibility_is_a_limit_of_its_own() -> None:
    battle = board(tank("t1", 20, 10), tank("foe", 20, 30, side="b"), visibility=12.0)
    found = GAME.sight_between(battle, "t1", "foe")
    assert found is not None and not found.clear and found.at == (20000, 22000) and found.rule == "MA-RULING-11"


@pytest.mark.rule("MA-RANGE-01", "MA-RANGE-04", "MA-RULING-23", "MA-RULING-14")
def test_rings_of_range_bands_front_and_group() -> None:
    """TL3: 1, 10, 20, 30, 41 inches; TL5 as TL4: 1, 12, 24, 36, 49. Nothing beyond what the gun reaches."""
    battle = board(tank("t1", 20, 10, 90), tank("t5", 22, 10, tl=5), flak("f1", 24, 10), gun("g1", 26, 10))

    def bands(id: str) -> list[int]:
        return [ring.radius for ring in GAME.rings(battle, id) if ring.kind == "range"]

    assert bands("t1") == [1000, 10000, 20000, 30000, 41000] and bands("t5") == [1000, 12000, 24000, 36000, 49000]
    assert bands("f1") == [1000, 10000, 20000] and bands("g1") == [], "artillery has no range bands"
    front = next(ring for ring in GAME.rings(battle, "t1") if ring.kind == "arc")
    assert (front.facing, front.arc) == (90, 120)
    assert next(ring.radius for ring in GAME.rings(battle, "t1") if ring.kind == "command") == 2000


@pytest.mark.rule("MA-RULING-21", "MA-RULING-32")
def test_who_lies_under_markers_and_smoke() -> None:
    battle = board(tank("t1", 20, 10), tank("near", 20, 11, side="b"), tank("far", 20, 12.1, side="b"))

    def under(prompt: str, name: str, x: int, y: int) -> tuple[str, ...]:
        request = PickPlaces(player="a", decision="MA-DEC-07", prompt=say(prompt), pieces=(name,))
        return GAME.lies_under(battle, request, {name: Placing(x, y)})

    assert under("ask.mission_places", "marker_1", 20000, 10500) == ("t1", "near")
    assert under("ask.smoke_place", "smoke", 20000, 12000) == ("near", "far")
    assert under("ask.course", "attack", 20000, 14000) == ("far",)
    assert under("ask.deploy", "t1", 20000, 10500) == ()


# -- nothing leaks ----------------------------------------------------------------------------------------------------------


def everything(battle: Battle, request: Request) -> bytes:
    """All that the hooks say to a player."""
    told: list[Any] = [GAME.advice(battle, request)]
    for id in battle.units:
        told += [
            GAME.may_do(battle, request, id),
            GAME.may_do(battle, None, id),
            GAME.rings(battle, id),
            GAME.odds_card(battle, request, id),
        ]
        told += [GAME.sight_between(battle, id, other) for other in battle.units]
        told.append(
            GAME.reach(battle, PickRoute(player=request.player, decision="MA-DEC-08", prompt=say("x"), unit=id), Route(((20000, 14000),)))
        )
    for name in ("mission_1", "strike_1", "direct:foe", "pass"):
        told.append(GAME.odds_card(battle, request, name))
    for prompt in ("ask.mission_places", "ask.smoke_place", "ask.course"):
        places = PickPlaces(player=request.player, decision="MA-DEC-07", prompt=say(prompt), pieces=("attack",))
        told.append(GAME.lies_under(battle, places, {"attack": Placing(20000, 12000)}))
    return msgspec.json.encode(told)


@pytest.mark.parametrize("phase", ["artillery_air", "fire_second", "planning", "movement"])
def test_plans_of_the_other_side_change_no_answer(phase: str) -> None:
    """Side b has written a mission and a strike. Nothing that side a may ask tells of it, not even were the battle not stripped of it."""
    pieces = [
        gun("g1", 20, 10),
        tank("t1", 22, 10),
        infantry("obs", 18, 10, recon=True),
        aircraft("p1"),
        gun("bgun", 20, 40, side="b"),
        tank("foe", 22, 20, 180, side="b"),
        infantry("bobs", 18, 20, side="b", recon=True),
        aircraft("bplane", side="b"),
    ]
    mission = Mission("mission_1", ("bgun",), (22000, 10000), ((0, 0),))
    course = Course("strike_1", "bplane", (0, 20000), (22000, 10000), (48000, 20000))
    bare = board(*pieces, phase=phase)
    planned_for = replace(bare, secrets=FrozenMap({"b": Plans((mission,), (course,))}))
    request = PickOne(player="a", decision="MA-DEC-04", prompt=say("ask.artillery_air"), options=())
    said = everything(bare.seen_by("a"), request)
    assert everything(planned_for.seen_by("a"), request) == said
    assert everything(planned_for, request) == said
    assert everything(planned_for.seen_by(None), replace(request, player="")) == everything(bare.seen_by(None), replace(request, player=""))


@pytest.mark.rule("MA-PLAN-02", "MA-RULING-35")
def test_a_side_is_told_of_its_own_plans() -> None:
    battle = board(
        gun("g1", 20, 10), gun("g2", 22, 10), infantry("obs", 18, 10, recon=True), tank("foe", 20, 20, side="b"), phase="planning"
    )
    mission = Mission("mission_1", ("g1",), (20000, 20000), ((0, 0),))
    battle = replace(battle, secrets=FrozenMap({"a": Plans((mission,))}))
    battle, request = asked(planning_step, battle)
    assert refusals(GAME.may_do(battle, request, "g1"))["mission"] == "MA-RULING-35"
    assert "mission" not in refusals(GAME.may_do(battle, request, "g2"))
    firing = replace(battle, phase="artillery_air", first="a", active="a", out=())
    firing, request = asked(artillery_air_step, firing)
    # On a tank of defence 8, halved for shells: AP 4 has +0; indirect fire strays when its second test fails.
    found = odds(GAME.odds_card(firing, request, "mission_1"))
    assert found["test_failed"] == "1/4" and found["strays"] == "3/16"
