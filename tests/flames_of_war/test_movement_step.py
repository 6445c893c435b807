"""The movement step: orders, who moves when, command, digging in, changing tanks, the end of the step."""

from __future__ import annotations

import pytest

from sandtable.games.flames_of_war.battle import Acted, Joined, Moved
from sandtable.games.flames_of_war.changing_tanks import TanksChanged, other_tanks
from sandtable.games.flames_of_war.command import leader_of, motivation_facts
from sandtable.games.flames_of_war.invariants import broken_invariants
from sandtable.games.flames_of_war.movement import DigInTested, Doubled, change_tanks, movement_end_step, movement_step
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.game import load_game

from .boards import (
    DEFAULT,
    STAY,
    at,
    board,
    cavalry,
    go,
    gun,
    infantry,
    option_ids,
    platoon,
    play,
    refusal_rule,
    tank,
    truck,
)


def refused_by(rule, battle, answers, dice=()):
    with pytest.raises(RefusedError) as caught:
        play(movement_step, battle, answers=answers, dice=dice)
    assert caught.value.rule == rule, f"{caught.value.rule} {caught.value.message} {caught.value.arguments}"


# -- orders -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-DEC-04")
def test_a_platoon_may_stay_move_double_or_dig_in_and_sees_what_it_may_not():
    battle = board(platoon("tanks", tank(5, 5)), platoon("rifles", infantry(20, 5), pinned=True))
    played = play(movement_step, battle, answers=["done"])
    (request,) = played.asked("FOW-DEC-04")
    assert option_ids(request) == ["tanks:stay", "tanks:move", "tanks:double", "rifles:stay", "rifles:move", "rifles:dig_in", "done"]
    assert refusal_rule(request, "tanks:dig_in") == "FOW-RULING-14"
    assert refusal_rule(request, "rifles:double") == "FOW-PIN-02"
    assert played.battle.phase == "movement_end"


@pytest.mark.rule("FOW-MOVE-01")
def test_platoons_move_one_after_another_each_with_all_its_teams_once():
    battle = board(platoon("p", infantry(5, 5), infantry(8, 5)), platoon("q", infantry(20, 5), infantry(23, 5)))
    first = play(movement_step, battle, answers=["q:move", ["q_1", "q_2"], go((20, 8)), go((23, 8))])
    assert [event.team for event in first.said(Moved)] == ["q_1", "q_2"]
    assert first.said(Acted) == [Acted("q")]
    second = play(movement_step, first.battle, answers=["p:stay"])
    assert option_ids(second.requests[0]) == ["p:stay", "p:move", "p:double", "p:dig_in", "done"]  # q has had its go
    assert play(movement_step, second.battle).battle.phase == "movement_end"  # nobody left: no question


@pytest.mark.rule("FOW-MOVE-05", "FOW-DEC-05")
def test_teams_of_a_platoon_move_independently_or_not_at_all():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), infantry(16, 10)))
    played = play(movement_step, battle, answers=["p:move", ["p_3", "p_1"], go((16, 7)), go((10, 12), facing=270)])
    assert (at(played.battle, "p_1"), at(played.battle, "p_2"), at(played.battle, "p_3")) == ((10, 12), (13, 10), (16, 7))
    assert [played.battle.teams[f"p_{n}"].moved for n in (1, 2, 3)] == [True, False, True]


@pytest.mark.rule("FOW-DEC-05")
def test_an_empty_route_stays_and_may_turn():
    battle = board(platoon("p", infantry(10, 10)))
    played = play(movement_step, battle, answers=["p:move", {"facing": 90}])
    pose = played.battle.teams["p_1"].pose
    assert pose is not None
    assert pose.facing == 90
    assert not played.battle.teams["p_1"].moved


# -- at the double ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-DBL-04")
def test_if_one_team_doubles_the_whole_platoon_has():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), skill="veteran"))
    played = play(movement_step, battle, answers=["p:double", ["p_1", "p_2"], go((10, 17)), go((13, 15))])
    assert played.said(Doubled) == [Doubled("p")]
    assert played.battle.platoons["p"].at_the_double
    slow = play(movement_step, battle, answers=["p:double", ["p_1", "p_2"], go((10, 16)), go((13, 15))])
    assert not slow.battle.platoons["p"].at_the_double  # six inches each: nobody ran


# -- digging in ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-RULING-14")
def test_digging_in_is_one_skill_test_for_the_platoon():
    battle = board(platoon("p", infantry(10, 10), gun(14, 10), truck(18, 10), skill="regular"))
    played = play(movement_step, battle, answers=["p:dig_in"], dice=[4])
    assert played.said(DigInTested) == [DigInTested("p", ("p_1", "p_2"), True)]
    dug = played.battle.teams["p_1"]
    assert (dug.dug_in, dug.moved, dug.digging) == (True, True, True)
    assert not played.battle.teams["p_3"].dug_in
    failed = play(movement_step, battle, answers=["p:dig_in"], dice=[3]).battle.teams["p_1"]
    assert (failed.dug_in, failed.digging) == (False, True)


# -- command ------------------------------------------------------------------------------------------------------------------

# Regular infantry: command distance 4 between bases.


@pytest.mark.rule("FOW-CMD-03", "FOW-RULING-73")
def test_a_team_that_moves_must_end_in_command():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10)))
    refused_by("FOW-CMD-03", battle, ["p:move", ["p_2"], go((16.2, 10), facing=0)])  # gap 16.2 - 10 - 2 = 4.2
    assert at(play(movement_step, battle, answers=["p:move", ["p_2"], go((16, 10), facing=0)]).battle, "p_2") == (16, 10)


@pytest.mark.rule("FOW-CMD-03")
def test_a_move_may_not_leave_a_team_out_of_command_that_has_moved_already():
    # p_3 moved and hangs on p_2; now p_2 must stay in between.
    battle = board(platoon("p", infantry(10, 10), infantry(15, 10), infantry(20, 10)))
    refused_by("FOW-CMD-03", battle, ["p:move", ["p_3", "p_2"], go((20, 12)), go((11, 13))])
    played = play(movement_step, battle, answers=["p:move", ["p_3", "p_2"], go((20, 12)), go((15, 12))])
    assert at(played.battle, "p_2") == (15, 12)


@pytest.mark.rule("FOW-CMD-03")
def test_the_leader_may_go_first_and_the_others_follow():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), infantry(7, 10)))
    answers = ["p:move", ["p_1", "p_2", "p_3"], go((10, 16)), go((13, 16)), go((7, 16))]
    played = play(movement_step, battle, answers=answers)
    assert {at(played.battle, f"p_{n}")[1] for n in (1, 2, 3)} == {16}
    (order,) = [request for request in played.asked("FOW-DEC-05") if hasattr(request, "least")]
    assert order.default[0] == "p_1"  # the leader first


@pytest.mark.rule("FOW-CMD-04")
def test_a_team_that_does_not_move_may_be_left_behind_for_covering_fire():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), infantry(7, 10)))
    played = play(movement_step, battle, answers=["p:move", ["p_1", "p_2"], go((10, 16)), go((13, 16))])
    assert at(played.battle, "p_3") == (7, 10)


@pytest.mark.rule("FOW-CMD-04", "FOW-RULING-73")
def test_a_team_out_of_command_may_move_if_it_comes_nearer_to_its_leader():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), infantry(30, 10)))
    assert at(play(movement_step, battle, answers=["p:move", ["p_3"], go((24, 10))]).battle, "p_3") == (24, 10)
    refused_by("FOW-CMD-03", battle, ["p:move", ["p_3"], go((32, 10))])
    # But a team that was in command when the platoon began has not become a straggler because its leader ran ahead.
    together = board(platoon("p", infantry(10, 10), infantry(10, 8.5), infantry(13, 10), infantry(13, 8.5)))
    refused_by("FOW-CMD-03", together, ["p:move", ["p_1", "p_3", "p_2"], go((10, 16)), go((13, 16)), go((10, 9.1))])


@pytest.mark.rule("FOW-CMD-05")
def test_at_least_half_the_teams_stay_with_the_leader():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), infantry(7, 10), infantry(10, 8)))
    refused_by("FOW-CMD-05", battle, ["p:move", ["p_1"], go((10, 16))])  # one of four
    followed = play(movement_step, battle, answers=["p:move", ["p_1", "p_2"], go((10, 16)), go((13, 16))])  # two of four
    assert at(followed.battle, "p_2") == (13, 16)
    five = board(platoon("p", infantry(10, 10), infantry(13, 10), infantry(7, 10), infantry(10, 8), infantry(13, 8)))
    refused_by("FOW-CMD-05", five, ["p:move", ["p_1", "p_2"], go((10, 16)), go((13, 16))])  # two of five
    play(movement_step, five, answers=["p:move", ["p_1", "p_2", "p_3"], go((10, 16)), go((13, 16)), go((7, 16))])
    # Who said he would follow must, once the leader has gone on that; the default does.
    refused_by("FOW-CMD-05", battle, ["p:move", ["p_1", "p_2"], go((10, 16)), STAY])
    led = play(movement_step, battle, answers=["p:move", ["p_1", "p_2"], go((10, 16)), DEFAULT])
    assert at(led.battle, "p_2") != (13, 10)


@pytest.mark.rule("FOW-CMD-05")
def test_transports_are_not_counted_for_the_half():
    battle = board(platoon("p", infantry(10, 10), infantry(13, 10), truck(7, 10), truck(7, 7), truck(7, 4)))
    played = play(movement_step, battle, answers=["p:move", ["p_1", "p_2"], go((10, 16)), go((13, 16))])
    assert at(played.battle, "p_1") == (10, 16)


@pytest.mark.rule("FOW-CMD-06")
def test_a_leaderless_platoon_only_turns_dismounts_and_digs_in():
    battle = board(platoon("p", infantry(10, 10), truck(13, 10), infantry(mounted_in="p_2"), leader=0))
    asked = play(movement_step, battle, answers=["done"]).requests[0]
    assert option_ids(asked) == ["p:stay", "p:turn", "p:dig_in", "done"]
    assert refusal_rule(asked, "p:move") == "FOW-CMD-06"
    assert refusal_rule(asked, "p:double") == "FOW-CMD-06"
    played = play(movement_step, battle, answers=["p:turn", ["p_3"], ["p_1"], {"facing": 45}])
    assert not played.battle.teams["p_3"].carried
    assert not played.battle.teams["p_3"].on_table or at(played.battle, "p_1") == (10, 10)
    refused_by("FOW-CMD-06", battle, ["p:turn", [], ["p_1"], go((10, 11))])


@pytest.mark.rule("FOW-CMD-07")
def test_a_leaderless_platoon_still_takes_motivation_tests():
    battle = board(platoon("p", infantry(10, 10), leader=0, motivation="fearless"))
    assert motivation_facts(battle, battle.platoons["p"]) == {
        "motivation": "fearless",
        "commander_joined": False,
        "for_self": False,
        "commander_bailed_out": False,
    }


@pytest.mark.rule("FOW-DEC-07", "FOW-IND-03", "FOW-RULING-73")
def test_a_commander_who_joins_leads_a_leaderless_platoon():
    battle = board(
        platoon("p", infantry(10, 10), infantry(13, 10), leader=0),
        platoon("hq", infantry(10, 7, traits=("company_commander",)), role="hq"),
        platoon("second", infantry(13, 7, traits=("second_in_command",)), role="hq"),
    )
    played = play(movement_step, battle, answers=["p:move", "second_1", ["second_1", "p_1"], go((13, 8)), go((10, 12))])
    assert played.said(Joined) == [Joined("second_1", "p")]
    assert leader_of(played.battle, played.battle.platoons["p"]).id == "second_1"
    assert at(played.battle, "p_1") == (10, 12)
    assert played.battle.platoons["second"].acted  # it moved with the platoon
    far_off = board(platoon("p", infantry(10, 10), leader=0), platoon("hq", infantry(30, 30, traits=("company_commander",)), role="hq"))
    assert refusal_rule(play(movement_step, far_off, answers=["done"]).requests[0], "p:move") == "FOW-CMD-06"


@pytest.mark.rule("FOW-CMD-05", "FOW-RULING-76")
def test_vehicles_of_a_transport_platoon_pass_command_on():
    battle = board(platoon("t", truck(10, 10), truck(14, 10), truck(18, 10), role="transport"))
    answers = ["t:move", ["t_1", "t_2", "t_3"], go((10, 16)), go((14, 16)), go((18, 16))]
    assert at(play(movement_step, battle, answers=answers).battle, "t_3") == (18, 16)


# -- changing tanks -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-CMD-08", "FOW-DEC-08")
@pytest.mark.parametrize("state", ["bailed_out", "bogged"])
def test_a_leader_in_a_bailed_out_or_bogged_tank_changes_to_another_within_command_distance(state):
    # Regular tanks: 6 inches. The third is too far.
    battle = board(platoon("p", tank(10, 10, **{state: True}), tank(14, 10), tank(30, 10)))
    played = play(change_tanks, battle, answers=["p_2"])
    assert option_ids(played.requests[0]) == ["p_2", "stay"]
    assert played.said(TanksChanged) == [TanksChanged("p_1", "p_2")]
    assert played.battle.platoons["p"].leader == "p_2"
    assert play(change_tanks, battle, answers=["stay"]).battle.platoons["p"].leader == "p_1"
    fine = board(platoon("p", tank(10, 10), tank(14, 10)))
    assert play(change_tanks, fine).events == []


@pytest.mark.rule("FOW-CMD-09", "FOW-RULING-73")
def test_a_platoon_leader_takes_a_tank_of_his_platoon_a_commander_any_of_the_company():
    battle = board(
        platoon("p", tank(10, 10, bailed_out=True), tank(10, 20)),
        platoon("q", tank(14, 10), tank(18, 10)),
        platoon("hq", tank(14, 14, bailed_out=True, traits=("company_commander", "warrior", "independent")), role="hq"),
    )
    assert other_tanks(battle, battle.teams["p_1"]) == []  # q's tanks are not his
    assert [team.id for team in other_tanks(battle, battle.teams["hq_1"])] == ["p_2", "q_1", "q_2"]
    played = play(change_tanks, battle, answers=["q_1"])
    after = played.battle
    assert after.platoons["hq"].teams == ("q_1",)
    assert after.platoons["hq"].leader == "q_1"
    assert after.platoons["q"].teams == ("hq_1", "q_2")
    assert after.platoons["q"].leader == "hq_1"  # the two exchange platoon and role
    assert "company_commander" in after.teams["q_1"].profile.traits
    assert after.teams["hq_1"].profile.traits == ()
    assert after.teams["hq_1"].bailed_out
    assert broken_invariants(after) == []


@pytest.mark.rule("FOW-CMD-09")
def test_higher_command_takes_any_tank():
    battle = board(platoon("q", tank(14, 10)), platoon("boss", tank(10, 10, bogged=True, traits=("higher_command",)), role="hq"))
    assert [team.id for team in other_tanks(battle, battle.teams["boss_1"])] == ["q_1"]


# -- the end of the step ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-RULING-63", "FOW-RULING-42", "FOW-RULING-75")
def test_the_end_of_the_step_notes_who_could_assault_whom():
    battle = board(
        platoon("p", infantry(10, 10), infantry(13, 10)),
        platoon("c", cavalry(30, 10)),
        platoon("near", infantry(10, 15.2), side="b"),  # gap 15.2 - 10 - 1.25 = 3.95
        platoon("far", infantry(13, 15.4), side="b"),  # 4.15
        platoon("ridden", infantry(30, 19.2), side="b"),  # 7.95
        phase="movement_end",
    )
    played = play(movement_end_step, battle)
    assert played.battle.platoons["p"].assault_reach == ("near",)
    assert played.battle.platoons["c"].assault_reach == ("ridden",)
    assert played.battle.phase == "shooting_start"
    assert played.battle.doorways is None


def test_every_text_is_there_in_three_languages():
    import re
    from pathlib import Path

    import sandtable.games.flames_of_war as package

    texts = load_game("flames_of_war").texts.texts
    folder = Path(package.__file__).parent
    names = "movement deployment routes surveying meeting house_routes buildings transport formation changing_tanks wayfinding going"
    for name in names.split():
        for id in re.findall(r'"((?:ask|option|refused|event)\.[a-z_]+)"', (folder / f"{name}.py").read_text("utf-8")):
            assert id in texts, f"{name}: {id}"
            assert all(texts[id].get(language) for language in ("en", "pl", "it")), id
    from sandtable.games.flames_of_war.movement import EVENTS

    for event in EVENTS:
        id = "event" + re.sub(r"([A-Z])", lambda found: "_" + found.group(1).lower(), event.__name__).replace("_", ".", 1)
        assert id in texts, id
