"""The hooks for planning: they say what the steps would do, with numbers reckoned by hand from the sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.flames_of_war.boards import (
    BAZOOKA,
    DEFAULT,
    ScriptedTable,
    armoured_car,
    board,
    gun,
    infantry,
    platoon,
    tank,
    way,
    wood,
)

from sandtable.games.flames_of_war.assault import assault_step
from sandtable.games.flames_of_war.battle import Battle
from sandtable.games.flames_of_war.movement import movement_step
from sandtable.games.flames_of_war.profile import Aircraft, AirWeapon, Bombardment, Weapon
from sandtable.games.flames_of_war.shooting import shooting_step, target_options
from sandtable.games.flames_of_war.targets import targets_of
from sandtable.kernel.decisions import Option, PickOne, PickPlaces, PickRoute, Placing, Request
from sandtable.kernel.game import Card, Reach, load_game
from sandtable.kernel.messages import say
from sandtable.kernel.table import Waiting

GAME = load_game("flames_of_war")
HOWITZER = Weapon(
    id="howitzer",
    name="Howitzer",
    mount="gun",
    range_in=24,
    anti_tank=9,
    firepower=2,
    bombardment=Bombardment(range_in=40, anti_tank=4, firepower=4),
)


def asked(step: Callable[[Any], Any], battle: Battle, answers: Iterable[Any] = (), dice: Iterable[int] = ()) -> tuple[Battle, Request]:
    """The question that a step stops at after some answers, and the battle as it stands then."""
    table = ScriptedTable(battle, answers, dice)
    with pytest.raises(Waiting) as waiting:
        step(table)
    return table.battle, waiting.value.request


def odds(card: Card | None) -> dict[str, str]:
    """The lines of a card: message id and number -> chance."""
    assert card is not None
    return {f"{one.outcome.id} {' '.join(map(str, one.outcome.arguments.values()))}".strip(): one.p for one in card.odds}


def target_question(platoon_id: str) -> PickOne:
    return PickOne(player="a", decision="FOW-DEC-10", prompt=say("ask.target"), unit=platoon_id, options=())


def refusals(options: Iterable[Option]) -> dict[str, str]:
    """What may not be done: the option and the rule against it."""
    return {option.id: option.refusal.rule for option in options if option.refusal is not None}


# -- odds cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-HIT-01", "FOW-SAVE-01")
def test_the_odds_of_one_shot_at_a_tank() -> None:
    """A tank that moved: one die, 4+ at veterans. Anti-tank 11 against front 6: 1-4 below (firepower 3+ destroys), 5 equal, 6 saved."""
    battle = board(
        platoon("panzer", tank(20, 10, moved=True)),
        platoon("foe", tank(20, 22, 180), side="b", skill="veteran"),
        platoon("other", tank(30, 22, 180), side="b"),
        phase="shooting",
    )
    card = GAME.odds_card(battle, target_question("panzer"), "foe")
    assert card is not None
    # Destroyed: 1/2 hit, 4/6 pierced, 4/6 firepower. Bailed out: 1/2 * (4/6 * 2/6 + 1/6 * 4/6).
    assert odds(card) == {"chance.destroyed 0": "7/9", "chance.destroyed 1": "2/9", "chance.bails_out": "1/6", "chance.misses": "1/2"}
    assert [(part.amount, part.rule) for part in card.scores[0]] == [(4, "FOW-HIT-01")]
    assert card.notes[0].arguments["armour"] == 6 and card.notes[0].arguments["dice"] == 1
    assert card.notes[0].arguments["distance"] == pytest.approx(12 - 2.6)


@pytest.mark.rule("FOW-HIT-02")
def test_the_score_is_told_with_every_modifier_and_its_rule() -> None:
    """17.4 inches is long range, and infantry that did not move or shoot is concealed and gone to ground: 3 + 1 + 1 + 1."""
    battle = board(
        platoon("panzer", tank(20, 10)),
        platoon("foe", infantry(20, 29.325), side="b"),
        platoon("other", tank(30, 22, 180), side="b"),
        phase="shooting",
    )
    card = GAME.odds_card(battle, target_question("panzer"), "foe")
    assert card is not None
    told = [(part.label, part.amount, part.rule) for part in card.scores[0]]
    assert told == [
        ("chart.to_hit", 3, "FOW-HIT-01"),
        ("modifier.long_range", 1, "FOW-HIT-02"),
        ("modifier.concealed", 1, "FOW-HIT-02"),
        ("modifier.gone_to_ground", 1, "FOW-HIT-02"),
    ]
    # Two dice, 6+: none hits in 25/36. A hit is saved on 3+; nothing covers it, so that a failed save destroys.
    assert odds(card) == {"chance.destroyed 0": "289/324", "chance.destroyed 1": "35/324", "chance.misses": "25/36"}


@pytest.mark.rule("FOW-RULING-17")
def test_hits_of_the_step_before_count_for_pinning() -> None:
    """Four hits already; one die at 5+ (regular 3, concealed, gone to ground): the fifth hit comes in a third of all cases."""
    battle = board(
        platoon("panzer", tank(20, 10, moved=True)),
        platoon("foe", infantry(20, 20), infantry(23, 20), infantry(26, 20), side="b", hits=4),
        phase="shooting",
    )
    assert odds(GAME.odds_card(battle, target_question("panzer"), "foe"))["chance.pinned"] == "1/3"
    fresh = replace(battle, platoons=battle.platoons | {"foe": replace(battle.platoons["foe"], hits=0)})
    assert "chance.pinned" not in odds(GAME.odds_card(fresh, target_question("panzer"), "foe"))


@pytest.mark.rule("FOW-ART-13", "FOW-ART-14")
def test_the_odds_of_a_bombardment() -> None:
    """Regulars that moved in the open: 3+ a try, up to three tries. The template is six inches: two of the three teams lie under it."""
    battle = board(
        platoon("guns", gun(20, 5, weapons=(HOWITZER,)), gun(24, 5, weapons=(HOWITZER,)), infantry(22, 8)),
        platoon("foe", *(infantry(x, 30, moved=True) for x in (20, 23.9, 40)), side="b"),
        phase="shooting",
    )
    battle, request = asked(shooting_step, battle, ["guns:bombard"])
    assert request.prompt.id == "ask.bombard" and isinstance(request, PickOne)
    card = GAME.odds_card(battle, request, request.options[0].id)
    assert card is not None
    found = odds(card)
    tries = [found[f"chance.ranges_in {attempt}"] for attempt in (1, 2, 3)]
    assert tries == ["2/3", "2/9", "2/27"] and found["chance.never_ranges_in"] == "1/27"
    assert [(part.amount, part.rule) for part in card.scores[0]] == [(3, "FOW-ART-14")]
    assert card.notes[0].arguments["teams"] == ["foe_1", "foe_2"]
    aim = {"aim": Placing(20000, 30000)}
    assert GAME.lies_under(battle, request, aim) == ("foe_1", "foe_2")
    laid = GAME.laid(battle, request, request.options[0].id)
    assert laid is not None and laid.under == ("foe_1", "foe_2")
    assert _sides(laid.shapes[0]) == [6000, 6000, 6000, 6000], "true to size"
    assert GAME.laid(battle, request, "hold") is None


@pytest.mark.rule("FOW-ASLT-10", "FOW-ASLT-15")
def test_the_odds_of_an_assault() -> None:
    """One regular team at one conscript team that cannot shoot: 4+ and 5+ in turns, and who is not hit need not test to strike back.

    The attacker wins with 1/2 * (1 + 1/3 + 1/9), the defender with 1/6 * (1 + 1/3 + 1/9); in 1/27 six blows are not enough.
    """
    battle = board(
        platoon("foot", infantry(20, 10), assault_reach=("foe",)),
        platoon("foe", infantry(20, 14, weapons=()), side="b", skill="conscript"),
        phase="assault",
    )
    battle, request = asked(assault_step, battle)
    found = odds(GAME.odds_card(battle, request, "foot>foe"))
    assert found == {"chance.attacker_wins": "13/18", "chance.defender_wins": "13/54", "chance.unresolved": "1/27"}


@pytest.mark.rule("FOW-ASLT-02")
def test_the_odds_of_an_assault_on_tanks_begin_with_courage() -> None:
    """Confident troops dare on 4+."""
    battle = board(
        platoon("foot", infantry(20, 10), assault_reach=("foe",)),
        platoon("foe", tank(20, 14), side="b", skill="conscript"),
        phase="assault",
    )
    battle, request = asked(assault_step, battle)
    assert odds(GAME.odds_card(battle, request, "foot>foe"))["chance.refused"] == "1/2"


@pytest.mark.rule("FOW-ASLT-08")
def test_the_odds_of_defensive_fire() -> None:
    """A bazooka at a charging tank: 3+ at regulars. Side 3 never holds against 10; firepower 5+ destroys, else the crew bails out."""
    battle = board(
        platoon("panzer", tank(20, 10), assault_reach=("foe",)),
        platoon("foe", infantry(20, 15, weapons=(BAZOOKA,)), infantry(23, 15), side="b"),
        phase="assault",
    )
    battle, request = asked(assault_step, battle, ["panzer>foe", DEFAULT])
    assert request.prompt.id == "ask.defensive_fire"
    found = odds(GAME.odds_card(battle, request, "foe_1"))
    assert found == {"chance.destroyed 0": "7/9", "chance.destroyed 1": "2/9", "chance.bails_out": "4/9", "chance.misses": "1/3"}


@pytest.mark.rule("FOW-ASLT-15", "FOW-REC-05")
def test_the_odds_of_courage_and_of_getting_away() -> None:
    """Fearless troops strike back on 3+; conscript scouts disengage on 5+."""
    battle = board(
        platoon("foot", infantry(20, 10), motivation="fearless"),
        platoon("scouts", armoured_car(30, 10), skill="conscript"),
        platoon("foe", infantry(20, 40), side="b"),
    )
    back = PickOne(player="a", decision="FOW-DEC-22", prompt=say("ask.reaction"), unit="foot", options=())
    assert odds(GAME.odds_card(battle, back, "counterattack"))["chance.succeeds"] == "2/3"
    away = PickOne(player="a", decision="FOW-DEC-12", prompt=say("ask.disengage"), unit="scouts_1", options=())
    assert odds(GAME.odds_card(battle, away, "disengage"))["chance.succeeds"] == "1/3"


@pytest.mark.rule("FOW-RULING-14")
def test_the_odds_of_digging_in() -> None:
    """Veterans pass a skill test on 3+."""
    battle = board(platoon("foot", infantry(20, 10), skill="veteran"), platoon("foe", infantry(20, 40), side="b"))
    battle, request = asked(movement_step, battle)
    assert odds(GAME.odds_card(battle, request, "foot:dig_in")) == {"chance.succeeds": "2/3", "chance.fails": "1/3"}
    assert GAME.odds_card(battle, request, "foot:move") is None


@pytest.mark.rule("FOW-AIR-08")
def test_the_odds_of_an_air_strike() -> None:
    """Regulars in the open are ranged in on 3+."""
    battle = board(
        platoon("foot", infantry(20, 5)),
        platoon("foe", infantry(20, 40, moved=True), infantry(23, 40, moved=True), side="b"),
        phase="air_strike",
    )
    weapons = (AirWeapon(weapon_class="bomb", to_hit=4, anti_tank=5, firepower=1),)
    side = replace(battle.scenario.a, force=replace(battle.scenario.a.force, aircraft=Aircraft(name="Stuka", weapons=weapons)))
    battle = replace(
        battle, scenario=replace(battle.scenario, a=side), companies=battle.companies | {"a": replace(battle.companies["a"], aircraft=1)}
    )
    request = PickOne(player="a", decision="FOW-DEC-17", prompt=say("ask.strike"), options=())
    assert odds(GAME.odds_card(battle, request, "foe_1"))["chance.ranges_in 1"] == "2/3"


@pytest.mark.rule("FOW-TGT-06", "FOW-LOS-12")
def test_targets_that_cannot_be_shot_at_say_why_with_numbers() -> None:
    """Bases are 1.25 inches deep: 18.55 between centres is 17.3 between edges. The wood begins 5.375 inches from the edge."""
    battle = board(
        wood(30, 16, 36, 20, id="north_wood"),
        platoon("foot", infantry(20, 10), infantry(33, 10)),
        platoon("far", infantry(20, 28.55), side="b"),
        platoon("hidden", infantry(33, 24), side="b"),
        platoon("near", infantry(20, 20), side="b"),
        phase="shooting",
    )
    found = {option.id: option.refusal for option in target_options(battle, "foot", targets_of(battle, "foot"))}
    assert found["near"] is None
    assert found["far"] is not None and found["far"].rule == "FOW-TGT-06"
    assert found["far"].message.arguments["range"] == 16 and found["far"].message.arguments["distance"] == 17.3
    assert found["hidden"] is not None and found["hidden"].rule == "FOW-LOS-12"
    assert found["hidden"].message.arguments["by"] == "north_wood" and found["hidden"].message.arguments["inches"] == 5.4


# -- routes ---------------------------------------------------------------------------------------------------------------


def planned(battle: Battle, order: str, *points: tuple[float, float], who: str = "panzer") -> Reach:
    """A route for the second team of a platoon, under an order."""
    battle, request = asked(movement_step, battle, [f"{who}:{order}", [f"{who}_2", f"{who}_1"]])
    assert request.unit == f"{who}_2"
    found = GAME.reach(battle, request, way(*points))
    assert found is not None
    return found


def notes(found: Reach) -> dict[str, dict[str, Any]]:
    return {note.id: note.arguments for note in found.notes}


TANKS = (platoon("panzer", tank(20, 10), tank(23, 10)), platoon("foe", infantry(20, 46), side="b"))


@pytest.mark.rule("FOW-MOVE-02")
def test_a_route_that_is_too_long_is_measured_and_cut() -> None:
    """A tracked vehicle goes 12 inches."""
    found = planned(board(*TANKS), "move", (23, 24))
    assert (found.length, found.allowed) == (14000, 12000)
    assert found.refusal is not None and found.refusal.rule == "FOW-MOVE-02"
    assert found.furthest is not None and found.furthest[0] == 23000 and abs(found.furthest[1] - 22000) <= 5
    assert [(leg.ground.id, leg.length) for leg in found.legs] == [("going.cross_country", 14000)]


@pytest.mark.rule("FOW-CMD-01", "FOW-DICE-02")
def test_a_legal_route_tells_what_it_brings() -> None:
    """Regular tanks are commanded over 6 inches. Three inches ahead it is in command; one die after moving; the infantry sees it."""
    found = planned(board(*TANKS), "move", (23, 13))
    assert found.refusal is None and found.furthest is None and found.length == 3000
    told = notes(found)
    assert told["ahead.in_command"]["leader"] == "panzer_1" and told["ahead.in_command"]["reach"] == 6
    assert "ahead.rate_of_fire" in told and told["ahead.seen_by"]["teams"] == ["foe_1"]
    assert found.watchers == ()
    away = planned(board(*TANKS), "move", (23, 21))
    # Bases of 2.6 inches, 11 apart in depth and 3 in width (1.6 clear): the edges are 8.4 by 1.6 inches apart.
    assert notes(away)["ahead.out_of_command"]["inches"] == pytest.approx((8.4**2 + 1.6**2) ** 0.5, abs=0.01)


@pytest.mark.rule("FOW-BOG-01")
def test_bogging_checks_to_come_are_told_with_their_chance() -> None:
    """A wood is difficult ground: tracked vehicles bog on a 1. The base enters it when its front does, 2.7 inches on."""
    battle = board(wood(20, 14, 30, 20), *TANKS)
    found = planned(battle, "move", (23, 14))
    assert found.refusal is None
    told = notes(found)["ahead.bogging"]
    assert told["chance"] == "1/6" and told["terrain"] == "difficult" and told["inches"] == pytest.approx(2.7, abs=0.02)
    assert [leg.ground.id for leg in found.legs] == ["going.cross_country", "going.difficult"]


@pytest.mark.rule("FOW-DBL-05", "FOW-DBL-07")
def test_at_the_double_through_a_wood_is_refused_where_it_begins() -> None:
    battle = board(wood(20, 24, 30, 30), *TANKS)
    found = planned(battle, "double", (23, 32))
    assert found.refusal is not None and found.refusal.rule == "FOW-DBL-05"
    assert found.furthest is not None and abs(found.furthest[1] - 22700) <= 20
    assert "ahead.double" in notes(planned(board(*TANKS), "double", (23, 28)))


@pytest.mark.rule("FOW-ASLT-06")
def test_who_could_shoot_at_a_charge_is_named() -> None:
    """The charged platoon shoots, and so does one with a team within 4 inches of it; one that is farther from it does not."""
    battle = board(
        platoon("foot", infantry(20, 10), assault_reach=("foe",)),
        platoon("foe", infantry(20, 14.25), side="b"),
        platoon("near", infantry(24, 17), side="b"),
        platoon("far", infantry(32, 14), side="b"),
        phase="assault",
    )
    battle, request = asked(assault_step, battle, ["foot>foe"])
    assert request.prompt.id == "ask.charge" and request.default is not None
    found = GAME.reach(battle, request, request.read(request.default))
    assert found is not None and found.refusal is None
    assert found.watchers == ("foe_1", "near_1")


@pytest.mark.rule("FOW-RULING-47")
def test_who_disengages_does_not_come_nearer() -> None:
    battle = board(platoon("scouts", armoured_car(20, 10)), platoon("foe", infantry(20, 20), side="b"))
    hints = {"mode": "disengage", "enemies": ["foe_1"]}
    request = PickRoute(player="a", decision="FOW-DEC-22", prompt=say("ask.disengage_move"), unit="scouts_1", hints=hints)
    towards, away = (GAME.reach(battle, request, way((20, y))) for y in (13, 7))
    assert towards is not None and towards.refusal is not None and towards.refusal.rule == "FOW-RULING-47"
    assert away is not None and away.refusal is None


# -- what a piece may do --------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-DBL-07", "FOW-DBL-08")
def test_who_moved_at_the_double_neither_shoots_nor_charges() -> None:
    battle = board(
        platoon("foot", infantry(20, 10, moved=True), at_the_double=True, acted=True),
        platoon("panzer", tank(30, 10)),
        platoon("foe", infantry(20, 20), side="b"),
    )
    battle, request = asked(movement_step, battle)
    found = refusals(GAME.may_do(battle, request, "foot_1"))
    assert found["shoot"] == "FOW-DBL-07" and found["assault"] == "FOW-DBL-08"
    assert found["move"] == "FOW-MOVE-01"  # its platoon has had its go
    assert found["dig_in"] == "FOW-RULING-14"


@pytest.mark.rule("FOW-BAIL-01", "FOW-BOG-05")
def test_crews_out_of_their_tanks_and_bogged_ones_stay() -> None:
    battle = board(
        platoon("panzer", tank(20, 10), tank(23, 10, bailed_out=True), tank(26, 10, bogged=True)), platoon("foe", tank(20, 30), side="b")
    )
    battle, request = asked(movement_step, battle)
    out, stuck = (refusals(GAME.may_do(battle, request, id)) for id in ("panzer_2", "panzer_3"))
    assert out["shoot"] == "FOW-BAIL-01" and stuck["shoot"] == "FOW-BOG-05"
    able = {option.id: option.refusal for option in GAME.may_do(battle, request, "panzer_1")}
    assert able["panzer:move"] is None and able["panzer:double"] is None, "what may be answered now goes by the ids of the question"
    assert able["shoot"] is not None and able["shoot"].rule == "FOW-RULING-02", "that comes in the shooting step"


@pytest.mark.rule("FOW-TGT-06")
def test_why_a_team_has_no_shot() -> None:
    """20 inches between centres, bases of 1.25: 18.75 from edge to edge, 18.8 as it is shown; a rifle reaches 16."""
    battle = board(
        platoon("foot", infantry(20, 10)), platoon("panzer", tank(30, 10)), platoon("foe", infantry(20, 30), side="b"), phase="shooting"
    )
    battle, request = asked(shooting_step, battle)
    told = {option.id: option for option in GAME.may_do(battle, request, "foot_1")}
    assert told["foot:fire"].refusal is not None, "the platoon has nothing to shoot at; why, its teams say"
    why = told["shoot"].refusal
    assert why is not None and why.rule == "FOW-TGT-06" and why.message.arguments["distance"] == 18.8


@pytest.mark.rule("FOW-ASLT-01")
def test_how_far_the_nearest_enemy_is_from_an_assault() -> None:
    """10 inches between centres, 8.75 between edges; an assault needs 4."""
    battle = board(
        platoon("foot", infantry(20, 10)),
        platoon("other", infantry(30, 10), assault_reach=("foe",)),
        platoon("foe", infantry(20, 20), side="b"),
        phase="assault",
    )
    battle, request = asked(assault_step, battle)
    why = {option.id: option for option in GAME.may_do(battle, request, "foot_1")}["assault"].refusal
    assert why is not None and why.rule == "FOW-ASLT-01"
    assert why.message.arguments == {"distance": 8.75, "reach": 4}


def test_of_the_enemy_only_what_all_may_see() -> None:
    battle, request = asked(movement_step, board(*TANKS))
    told = GAME.may_do(battle, request, "foe_1")
    assert told and all(option.id.startswith("fact:") for option in told)
    rifle = told[0].label.arguments
    assert (rifle["range"], rifle["rof"], rifle["anti_tank"], rifle["firepower"]) == (16, 1, 2, 6)
    assert GAME.may_do(battle, None, "panzer_1")[0].id.startswith("fact:")
    assert GAME.may_do(battle, request, "nobody") == ()


# -- sight, rings, templates ------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-LOS-12")
def test_a_wood_between_two_tanks_blocks() -> None:
    """Tanks of 2.6 inches, 30 between their centres. From the centre of the first the wood begins ten inches up."""
    battle = board(wood(8, 20, 12, 26, id="copse"), platoon("panzer", tank(10, 10)), platoon("foe", tank(10, 40), side="b"))
    found = GAME.sight_between(battle, "panzer_1", "foe_1")
    assert found is not None and not found.clear
    assert found.distance == 27400 and found.rule == "FOW-LOS-12" and found.at == (10000, 20000)
    assert found.blocker is not None and found.blocker.arguments == {"by": "copse"}
    point = GAME.sight_between(battle, "panzer_1", (30000, 10000))
    assert point is not None and point.clear and point.distance == 20000 - 700
    assert GAME.sight_between(battle, "panzer_1", "nobody") is None


@pytest.mark.rule("FOW-LOS-03", "FOW-CONC-03", "FOW-CONC-04")
def test_friends_in_the_way_and_how_well_a_target_is_hidden() -> None:
    battle = board(
        platoon("panzer", tank(10, 10), tank(10, 16, 90, base_w_in=6.0), tank(30, 10)), platoon("foe", infantry(10, 24), side="b")
    )
    behind = GAME.sight_between(battle, "panzer_1", "foe_1")
    assert behind is not None and not behind.clear and behind.rule == "FOW-LOS-03"
    assert behind.blocker is not None and behind.blocker.arguments == {"team": "panzer_2"}
    free = GAME.sight_between(battle, "panzer_3", "foe_1")
    assert free is not None and free.clear and len(free.line) == 2
    assert [note.id for note in free.notes] == ["note.foot_did_not_move", "note.gone_to_ground"]


@pytest.mark.rule("FOW-ARC-01", "FOW-ARC-02", "FOW-TGT-06", "FOW-CMD-01", "FOW-RULING-45")
def test_rings_of_ranges_arcs_and_command() -> None:
    battle = board(
        platoon("guns", gun(20, 10, 90, weapons=(HOWITZER,))),
        platoon("panzer", tank(30, 10), skill="veteran"),
        platoon("foot", infantry(10, 10, weapons=(BAZOOKA,)), skill="conscript"),
    )
    rings = {(ring.kind, ring.inner, ring.radius): ring for ring in GAME.rings(battle, "guns_1")}
    assert set(rings) == {("command", 0, 4000), ("range", 0, 16000), ("long_range", 16000, 24000), ("bombardment", 8000, 40000)}
    near = rings["range", 0, 16000]
    assert (near.facing, near.arc, near.centre) == (90, 180, (20000, 10000)) and near.around == battle.teams["guns_1"].base
    muzzle = rings["bombardment", 8000, 40000]
    assert muzzle.centre == (21250, 10000) and muzzle.around == (), "2.5 inches deep, and measured from the muzzle"
    tanks = {(ring.kind, ring.radius): ring.arc for ring in GAME.rings(battle, "panzer_1")}
    assert tanks == {
        ("assault", 4000): None,
        ("command", 6000): None,
        ("command", 8000): None,
        ("range", 16000): None,
        ("long_range", 32000): None,
    }
    assert {(ring.kind, ring.radius) for ring in GAME.rings(battle, "foot_1")} == {("assault", 4000), ("command", 2000), ("range", 8000)}
    assert GAME.rings(battle, "nobody") == ()


def _sides(shape: tuple[tuple[int, int], ...]) -> list[int]:
    return [round(math.dist(one, two)) for one, two in zip(shape, (*shape[1:], shape[0]), strict=True)]


@pytest.mark.rule("FOW-ART-17")
def test_who_lies_under_a_template() -> None:
    """Six inches square: bases of 2 by 1.25 inches that reach into it are hit, those that only stand beside it are not."""
    battle = board(
        platoon("foot", infantry(20, 10)),
        platoon("foe", infantry(20, 33.6), infantry(23.9, 30), infantry(24.1, 30), infantry(20, 33.7), side="b"),
    )
    request = PickOne(player="a", decision="FOW-DEC-10", prompt=say("ask.bombard"), unit="foot", options=())
    assert GAME.lies_under(battle, request, {"x": Placing(20000, 30000)}) == ("foe_1", "foe_2")
    # Aircraft that come in over the south edge fly due north, however the place is turned.
    strike = PickOne(player="a", decision="FOW-DEC-17", prompt=say("ask.strike"), options=())
    assert GAME.lies_under(battle, strike, {"x": Placing(20000, 30000, 45)}) == ("foe_1", "foe_2")
    assert GAME.lies_under(battle, replace(strike, prompt=say("ask.shooting")), {"x": Placing(20000, 30000, 45)}) != ("foe_1", "foe_2")
    laid = GAME.laid(battle, strike, "foe_1")
    assert laid is not None and laid.under == ("foe_1", "foe_2", "foe_4") and _sides(laid.shapes[0]) == [6000, 6000, 6000, 6000]
    assert GAME.laid(battle, strike, "none") is None and GAME.laid(battle, replace(strike, prompt=say("ask.shooting")), "foe_1") is None
    placing = PickPlaces(player="a", decision="FOW-DEC-01", prompt=say("ask.places"), pieces=("foot_1",))
    assert GAME.lies_under(battle, placing, {"foot_1": Placing(20000, 30000)}) == ()


def test_the_order_of_hits_goes_by_names() -> None:
    words = GAME.texts.naming({"foe_1": "Rifles 1", "foe_2": "Rifles 2"})
    assert "Rifles 2, Rifles 1" in words.text(say("note.allocation_order", teams=["foe_2", "foe_1"]))
