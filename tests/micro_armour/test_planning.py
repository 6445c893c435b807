"""Missions and courses, written in secret for the next turn."""

from __future__ import annotations

import pytest

from sandtable.games.micro_armour.artillery import MissionRevealed
from sandtable.games.micro_armour.battle import Course, Mission, Passed, Plans
from sandtable.games.micro_armour.planning import CourseWritten, MissionWritten, default_sheaf
from sandtable.games.micro_armour.scene import scene
from sandtable.games.micro_armour.sequence import planning_step
from sandtable.kernel.errors import RefusedError

from .boards import DEFAULT, aircraft, area, board, grid, gun, mortar, option_ids, play, play_on, put, refusal_rule, tank


def planning(*things, **more):
    return board(*things, tank("hq", 24, 5, hq=True), tank("foe", 20, 30, side="b"), phase="planning", **more)


def refused(rule, battle, answers):
    with pytest.raises(RefusedError) as caught:
        play(planning_step, battle, answers=answers)
    assert caught.value.rule == rule


@pytest.mark.rule("MA-PLAN-01", "MA-PLAN-02", "MA-DEC-07", "MA-RULING-21")
def test_a_mission_holds_its_units_its_aim_point_and_its_sheaf():
    battle = planning(gun("g1", 10, 5), gun("g2", 14, 5))
    played = play(planning_step, battle, answers=["mission", ["g2", "g1"], put(marker_1=(20, 30), marker_2=(20, 31.5))])
    expected = Mission("mission_1", ("g2", "g1"), (20_000, 30_000), ((0, 0), (0, 1500)))
    assert played.said(MissionWritten) == [MissionWritten("a", expected)]
    assert played.battle.plans("a") == Plans(missions=(expected,))


@pytest.mark.rule("MA-PLAN-01", "MA-PLAN-02", "MA-PLAN-03")
def test_what_is_written_is_seen_by_its_own_side_alone():
    battle = planning(gun("g1", 10, 5), aircraft("a10"))
    answers = ["mission", ["g1"], put(marker_1=(20, 30)), "strike:a10", put(entry=(0, 9), attack=(20, 30), exit=(48, 9))]
    played = play_on(battle, steps=2, answers=answers)
    for kind in (MissionWritten, CourseWritten):
        (record,) = [one for one in played.table.records if isinstance(one.event, kind)]
        assert (record.only, record.seen_by("a"), record.seen_by("b"), record.seen_by(None)) == ("a", True, False, False)
    assert played.battle.seen_by("a").plans("a")
    assert not played.battle.seen_by("b").plans("a") and not played.battle.seen_by(None).plans("a")
    drawn = {side: {mark.kind for mark in scene(played.battle.seen_by(side)).marks} for side in ("a", "b")}
    assert drawn == {"a": {"mission", "course"}, "b": set()}


@pytest.mark.rule("MA-PLAN-01", "MA-ART-01", "MA-ART-04")
def test_what_is_written_now_is_fired_in_the_next_turn():
    wood = area("forest", 0, 26, 48, 27)
    battle = planning(wood, gun("g1", 10, 5), tank("hq2", 24, 29, hq=True))
    written = play(planning_step, battle, answers=["mission", ["g1"], put(marker_1=(20, 30))])
    assert written.battle.plans("a")
    # Side a begins the movement phase; both pass their moves; initiative 22 to 19.
    played = play_on(written.battle, until="artillery_air", answers=["a", "pass", "pass"], dice=[3, 4, 3, 3])
    assert (played.battle.turn, played.battle.phase) == (3, "artillery_air")
    assert played.battle.plans("a") == written.battle.plans("a")
    fired = play_on(played.battle, until="fire_first", answers=["mission_1"], dice=[20])
    assert len(fired.said(MissionRevealed)) == 1


@pytest.mark.rule("MA-PLAN-01", "MA-DEC-07")
def test_both_sides_write_one_after_the_other():
    battle = board(gun("ga", 10, 5, hq=True), gun("gb", 10, 30, side="b", hq=True), phase="planning")
    played = play_on(battle, until="movement", answers=["done", "done"])
    assert [request.player for request in played.asked("MA-DEC-07")] == ["a", "b"]
    assert played.said(Passed) == [Passed("a"), Passed("b")]


@pytest.mark.rule("MA-PLAN-01")
def test_there_is_nothing_to_plan_in_the_last_turn_or_without_artillery_and_aircraft():
    last = planning(gun("g1", 10, 5), turn=8, turns=8)
    assert not play_on(last, until="movement").requests
    assert not play_on(planning(tank("t", 10, 5)), until="movement").requests


@pytest.mark.rule("MA-RULING-21")
def test_the_aim_point_is_in_sight_of_a_headquarters_or_recon_unit():
    wood = area("forest", 0, 26, 30, 27)
    battle = planning(wood, gun("g1", 10, 5), tank("t", 20, 28.5))
    refused("MA-RULING-21", battle, ["mission", ["g1"], put(marker_1=(20, 30))])  # the tank sees it, but calls for nothing
    refused("MA-RULING-21", planning(gun("g1", 10, 5)), ["mission", ["g1"], put(marker_1=(20, 49))])  # off the table
    scouted = planning(wood, gun("g1", 10, 5), tank("t", 20, 28.5, recon=True))
    assert play(planning_step, scouted, answers=["mission", ["g1"], put(marker_1=(20, 30))]).battle.plans("a").missions
    two = planning(wood, gun("g1", 10, 5), gun("g2", 14, 5), tank("t", 20, 5))  # markers but the first may lie anywhere
    assert play(planning_step, two, answers=["mission", ["g1", "g2"], put(marker_1=(20, 25), marker_2=(20, 30))]).battle.plans("a")
    refused("MA-RULING-21", two, ["mission", ["g1", "g2"], put(marker_1=(20, 30), marker_2=(20, 25))])
    blind = board(gun("g1", 10, 5), tank("t", 20, 5), tank("foe", 20, 30, side="b"), aircraft("a10"), phase="planning")
    assert refusal_rule(play(planning_step, blind, answers=["done"]).requests[0], "mission") == "MA-RULING-21"


@pytest.mark.rule("MA-RULING-21")
def test_the_usual_sheaf_is_a_line_from_west_to_east():
    assert default_sheaf(5) == grid((0, 0), (1, 0), (-1, 0), (2, 0), (-2, 0))
    battle = planning(gun("g1", 10, 5), gun("g2", 14, 5), mortar("m", 18, 5))
    played = play(planning_step, battle, answers=["mission", DEFAULT, DEFAULT])
    assert played.battle.plans("a").missions[0].sheaf == grid((0, 0), (1, 0), (-1, 0))
    assert played.battle.plans("a").missions[0].aim == (20_000, 30_000)  # the enemy in sight


@pytest.mark.rule("MA-RULING-21", "MA-RULING-35")
def test_each_battery_and_each_aircraft_is_in_one_plan():
    battle = planning(gun("g1", 10, 5), gun("g2", 14, 5), aircraft("a10"))
    once = play(planning_step, battle, answers=["mission", ["g1"], put(marker_1=(20, 30))])
    again = play(planning_step, once.battle, answers=["mission", ["g2"], put(marker_1=(21, 30))])
    assert option_ids(again.requests[1]) == ["g2"]
    flown = play(planning_step, again.battle, answers=["strike:a10", put(entry=(0, 9), attack=(20, 30), exit=(48, 9))])
    assert option_ids(flown.requests[0]) == ["strike:a10", "done"]
    assert play(planning_step, flown.battle).said(Passed) == [Passed("a")]  # nothing is left to plan with
    assert [mission.id for mission in flown.battle.plans("a").missions] == ["mission_1", "mission_2"]


@pytest.mark.rule("MA-RULING-32", "MA-DEC-07")
def test_only_artillery_with_smoke_is_written_into_a_smoke_mission():
    battle = planning(gun("g1", 10, 5), mortar("m", 18, 5))
    played = play(planning_step, battle, answers=["smoke", ["g1"], put(marker_1=(20, 25))])
    assert option_ids(played.requests[1]) == ["g1"]
    assert played.battle.plans("a").missions[0].smoke


@pytest.mark.rule("MA-PLAN-03", "MA-RULING-35", "MA-DEC-07")
def test_a_course_goes_in_and_out_over_the_edge():
    battle = planning(aircraft("a10"))
    played = play(planning_step, battle, answers=["strike:a10", put(entry=(0, 9), attack=(20, 30), exit=(30, 48))])
    course = Course("strike_1", "a10", (0, 9_000), (20_000, 30_000), (30_000, 48_000))
    assert played.said(CourseWritten) == [CourseWritten("a", course)]
    assert played.battle.plans("a") == Plans(courses=(course,))
    refused("MA-RULING-35", battle, ["strike:a10", put(entry=(1, 9), attack=(20, 30), exit=(30, 48))])
    refused("MA-RULING-35", battle, ["strike:a10", put(entry=(0, 9), attack=(20, 30), exit=(30, 47))])
    refused("MA-RULING-35", battle, ["strike:a10", put(entry=(0, 9), attack=(20, 50), exit=(30, 48))])
    refused("MA-RULING-35", battle, ["strike:a10", put(entry=(0, 49), attack=(20, 30), exit=(30, 48))])  # beyond the corner
    gone = planning(gun("g1", 10, 5), aircraft("a10", eliminated=True))
    assert option_ids(play(planning_step, gone, answers=["done"]).requests[0]) == ["mission", "smoke", "done"]
