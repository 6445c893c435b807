"""The starting step, morale and victory, as rulings with dice by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.field.shapes import Pose
from sandtable.games.flames_of_war import starting
from sandtable.games.flames_of_war.battle import (
    Battle,
    CompanyState,
    CrewTested,
    Freed,
    PhaseBegan,
    PlatoonGone,
    RallyTested,
    Smoke,
    StillBogged,
)
from sandtable.games.flames_of_war.morale import company_counts, platoon_morale, strength
from sandtable.games.flames_of_war.profile import Aircraft, AirWeapon, Objective
from sandtable.games.flames_of_war.sequence import next_step, turn_over_step
from sandtable.games.flames_of_war.starting import SmokeLifted, starting_step
from sandtable.games.flames_of_war.victory import holder, on_time
from sandtable.kernel.events import Ended

from .boards import DEFAULT, armoured_car, board, infantry, platoon, play, tank, truck


def begin(*things: object, **options: object) -> Battle:
    return board(*things, phase="starting", **options)  # type: ignore[arg-type]


@pytest.mark.rule("FOW-START-01", "FOW-MOR-01")
@pytest.mark.parametrize(("die", "rallied"), [(4, True), (3, False)])
def test_a_confident_pinned_platoon_rallies_on_4(die: int, rallied: bool) -> None:
    played = play(
        starting_step, begin(platoon("rifles", infantry(5, 5), pinned=True), platoon("foe", infantry(5, 40), side="b")), dice=[die]
    )
    assert played.said(RallyTested) == [RallyTested("rifles", rallied)]
    assert played.battle.platoons["rifles"].pinned is not rallied


@pytest.mark.rule("FOW-START-01")
def test_the_other_sides_platoons_do_not_rally_now() -> None:
    played = play(starting_step, begin(platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b", pinned=True)))
    assert played.battle.platoons["foe"].pinned


@pytest.mark.rule("FOW-START-03", "FOW-RULING-12", "FOW-BAIL-01")
@pytest.mark.parametrize(("die", "recovered"), [(4, True), (3, False)])
def test_a_confident_crew_recovers_on_4(die: int, recovered: bool) -> None:
    battle = begin(platoon("panzer", tank(5, 5, bailed_out=True)), platoon("foe", infantry(5, 40), side="b"))
    played = play(starting_step, battle, dice=[die])
    assert played.said(CrewTested) == [CrewTested("panzer_1", recovered)]
    assert played.battle.teams["panzer_1"].bailed_out is not recovered


@pytest.mark.rule("FOW-START-02", "FOW-BOG-05")
@pytest.mark.parametrize(("die", "freed"), [(4, True), (3, False)])
def test_a_regular_bogged_tank_is_freed_on_4_and_goes_back(die: int, freed: bool) -> None:
    back = Pose(5000, 3000, 0)
    battle = begin(platoon("panzer", tank(5, 5, bogged=True, back=back)), platoon("foe", infantry(5, 40), side="b"))
    played = play(starting_step, battle, dice=[die])
    if freed:
        assert played.said(Freed) == [Freed("panzer_1", back)]
        assert played.battle.teams["panzer_1"].pose == back
    else:
        assert played.said(StillBogged)
    assert played.battle.teams["panzer_1"].bogged is not freed


@pytest.mark.rule("FOW-RULING-66")
def test_freed_it_takes_the_nearest_free_place_if_its_own_is_taken() -> None:
    back = Pose(5000, 3000, 0)
    battle = begin(platoon("panzer", tank(5, 7, bogged=True, back=back), tank(5, 3)), platoon("foe", infantry(5, 40), side="b"))
    freed = play(starting_step, battle, dice=[4]).said(Freed)[0]
    assert freed.pose != back
    assert abs(freed.pose.x - 5000) + abs(freed.pose.y - 3000) < 4000


@pytest.mark.rule("FOW-RULING-66")
def test_a_bailed_out_crew_must_recover_before_it_frees_its_vehicle() -> None:
    battle = begin(platoon("panzer", tank(5, 5, bogged=True, bailed_out=True)), platoon("foe", infantry(5, 40), side="b"))
    assert not play(starting_step, battle, dice=[3]).said(StillBogged)  # only the crew's die is rolled
    assert play(starting_step, battle, dice=[4, 3]).said(StillBogged)  # recovered first, then the skill test


@pytest.mark.rule("FOW-START-04", "FOW-SMK-06")
def test_only_the_own_smoke_is_removed() -> None:
    square = ((0, 0), (6000, 0), (6000, 6000), (0, 6000))
    battle = begin(platoon("rifles", infantry(20, 5)), platoon("foe", infantry(5, 40), side="b"))
    battle = replace(battle, smoke=(Smoke("s1", "a", square), Smoke("s2", "b", square)))
    played = play(starting_step, battle)
    assert played.said(SmokeLifted) == [SmokeLifted("a")]
    assert [smoke.id for smoke in played.battle.smoke] == ["s2"]


def gone(id: str, side: str = "a") -> object:
    return platoon(id, infantry(None, None, fate="destroyed"), side=side, leader=0, destroyed=True)


@pytest.mark.rule("FOW-START-05", "FOW-MOR-06", "FOW-RULING-27")
@pytest.mark.parametrize(("die", "lost"), [(4, False), (3, True)])
def test_below_half_its_platoons_a_confident_company_tests_on_4(die: int, lost: bool) -> None:
    battle = begin(gone("one"), gone("two"), platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b"))
    played = play(starting_step, battle, dice=[die])
    ends = played.said(Ended)
    assert bool(ends) is lost
    if lost:
        assert ends[0].result.winner == "b"
        assert not played.said(PhaseBegan)


@pytest.mark.rule("FOW-MOR-06")
def test_at_exactly_half_its_platoons_no_test_is_taken() -> None:
    battle = begin(gone("one"), platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b"))
    play(starting_step, battle, dice=[])


@pytest.mark.rule("FOW-MOR-06", "FOW-RULING-76", "FOW-RULING-30", "FOW-EXIT-03")
def test_headquarters_observers_reserves_and_platoons_that_left_do_not_count() -> None:
    battle = begin(
        gone("one"),
        platoon("hq", tank(5, 5), role="hq"),
        platoon("observer", infantry(8, 5), role="independent"),
        platoon("reserve", infantry(), in_reserve=True),
        platoon("left", infantry(None, None, fate="left"), leader=0, left_table=True),
        platoon("rifles", infantry(12, 5)),
    )
    assert company_counts(battle, "a") == (1, 1)


@pytest.mark.rule("FOW-RULING-27")
def test_the_company_has_no_re_roll_even_with_its_commander() -> None:
    battle = begin(gone("one"), gone("two"), platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b"))
    assert play(starting_step, battle, dice=[1]).said(Ended)  # one die and no second


COMMANDER = {"traits": ("company_commander", "warrior", "independent")}


@pytest.mark.rule("FOW-IND-04", "FOW-DEC-07", "FOW-DEC-24")
def test_a_company_commander_who_joins_lets_a_platoon_roll_again() -> None:
    battle = begin(
        platoon("panzer", tank(5, 5), tank(8, 5, bailed_out=True)),
        platoon("hq", tank(11, 5, **COMMANDER), role="hq"),
        platoon("foe", infantry(5, 40), side="b"),
    )
    played = play(starting_step, battle, answers=["panzer"], dice=[2, 5])
    assert played.said(CrewTested) == [CrewTested("panzer_2", True)]
    alone = play(starting_step, battle, answers=["alone"], dice=[2])
    assert alone.said(CrewTested) == [CrewTested("panzer_2", False)]


@pytest.mark.rule("FOW-IND-04")
def test_a_commander_has_no_re_roll_for_himself() -> None:
    battle = begin(platoon("hq", tank(11, 5, bailed_out=True, **COMMANDER), role="hq"), platoon("foe", infantry(5, 40), side="b"))
    assert play(starting_step, battle, dice=[3]).said(CrewTested) == [CrewTested("hq_1", False)]


@pytest.mark.rule("FOW-IND-03", "FOW-IND-04")
def test_the_second_in_command_gives_no_re_roll() -> None:
    battle = begin(
        platoon("panzer", tank(5, 5), tank(8, 5, bailed_out=True)),
        platoon("hq", tank(11, 5, traits=("second_in_command", "independent")), role="hq"),
        platoon("foe", infantry(5, 40), side="b"),
    )
    play(starting_step, battle, dice=[3])  # he is not even asked, and no second die


@pytest.mark.rule("FOW-RULING-02")
def test_the_order_inside_the_starting_step() -> None:
    """Company morale, victory, rally, crews, bogged: the dice come in that order."""
    battle = begin(
        gone("one"),
        gone("two"),
        platoon("panzer", tank(5, 5, bailed_out=True), tank(8, 5, bogged=True), pinned=False),
        platoon("foe", infantry(5, 40), side="b"),
    )
    battle = battle.with_platoon("panzer", pinned=True)
    played = play(starting_step, battle, dice=[4, 5, 3, 4])
    assert [type(event) for event in played.events][1:4] == [RallyTested, CrewTested, Freed]
    assert played.battle.phase == "movement"


# -- air in the starting step -------------------------------------------------------------------------------------

STUKA = Aircraft(name="Ju 87", weapons=(AirWeapon(weapon_class="bomb", to_hit=4, anti_tank=5, firepower=1),))


def with_air(battle: Battle, a: int, b: int = 0) -> Battle:
    def force(side: object) -> object:
        return replace(side, force=replace(side.force, aircraft=STUKA, air_support="sporadic"))  # type: ignore[attr-defined,type-var]

    scenario = replace(battle.scenario, a=force(battle.scenario.a), b=force(battle.scenario.b))
    return replace(battle, scenario=scenario, companies={"a": CompanyState("confident", a), "b": CompanyState("confident", b)})


@pytest.mark.rule("FOW-START-06", "FOW-AIR-02", "FOW-AIR-04", "FOW-DEC-02", "FOW-RULING-31")
def test_air_is_called_in_the_starting_step_with_the_whole_pool() -> None:
    battle = with_air(begin(platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b")), 3)
    played = play(starting_step, battle, answers=["call"], dice=[1, 5, 2, 6])  # one 5: arrived; a 6: three aircraft
    assert played.battle.companies["a"].air_pool == 2
    assert played.battle.companies["a"].aircraft == 3
    saved = play(starting_step, battle, answers=["save"])
    assert saved.battle.companies["a"].air_pool == 3


@pytest.mark.rule("FOW-AIR-02")
def test_a_failed_call_costs_a_die_too() -> None:
    battle = with_air(begin(platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b")), 2)
    played = play(starting_step, battle, answers=["call"], dice=[4, 4])
    assert (played.battle.companies["a"].air_pool, played.battle.companies["a"].aircraft) == (1, 0)


@pytest.mark.rule("FOW-AIR-03", "FOW-DEC-03")
@pytest.mark.parametrize(("die", "stopped"), [(6, True), (5, False)])
def test_interception_needs_a_6_and_costs_the_interceptor_a_die(die: int, stopped: bool) -> None:
    battle = with_air(begin(platoon("rifles", infantry(5, 5)), platoon("foe", infantry(5, 40), side="b")), 1, 3)
    played = play(starting_step, battle, answers=["call", "intercept"], dice=[5, die] if stopped else [5, die, 1])
    assert played.battle.companies["b"].air_pool == 2
    assert played.battle.companies["a"].aircraft == (0 if stopped else 1)
    assert next(request for request in played.requests if request.decision == "FOW-DEC-03").player == "b"


# -- victory ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-RULING-03")
def test_holding_an_objective_at_the_start_of_the_own_turn_wins() -> None:
    goal = Objective(id="crossing", at=(24, 24))
    near = begin(platoon("rifles", infantry(24, 19.5)), platoon("foe", infantry(5, 40), side="b"), objectives=[goal])
    # The base is 1.25 deep: its edge is 24 - 19.5 - 0.625 = 3.875 inches away.
    assert play(starting_step, near).said(Ended)[0].result.winner == "a"
    far = begin(platoon("rifles", infantry(24, 19.3)), platoon("foe", infantry(5, 40), side="b"), objectives=[goal])
    assert not play(starting_step, far).said(Ended)  # 4.075 inches


@pytest.mark.rule("FOW-RULING-03")
@pytest.mark.parametrize("state", [{"bailed_out": True}, {"bogged": True}])
def test_an_operational_enemy_contests_it_a_shaken_one_does_not(state: dict[str, bool]) -> None:
    goal = Objective(id="crossing", at=(24, 24))
    both = begin(platoon("rifles", infantry(24, 22)), platoon("foe", tank(24, 27), side="b"), objectives=[goal])
    assert holder(both, 0) is None
    shaken = begin(platoon("rifles", infantry(24, 22)), platoon("foe", tank(24, 27, **state), side="b"), objectives=[goal])
    assert holder(shaken, 0) == "a"


@pytest.mark.rule("FOW-RULING-03")
def test_a_side_does_not_win_by_what_it_owned_from_the_start_nor_too_early() -> None:
    own = Objective(id="village", at=(24, 24), owner="a")
    things = (platoon("rifles", infantry(24, 22)), platoon("foe", infantry(5, 40), side="b"))
    assert not play(starting_step, begin(*things, objectives=[own])).said(Ended)
    early = begin(*things, objectives=[Objective(id="crossing", at=(24, 24))], turn=2, holding_counts_from_turn=3)
    assert not play(starting_step, early).said(Ended)


@pytest.mark.rule("FOW-RULING-03")
def test_a_side_with_nobody_on_the_table_loses_at_once() -> None:
    battle = board(platoon("rifles", infantry(24, 22)), platoon("foe", infantry(None, None, fate="destroyed"), side="b", leader=0))
    found = next_step(battle)
    assert found is not None
    assert play(found[1], battle).said(Ended)[0].result.winner == "a"


@pytest.mark.rule("FOW-RULING-03")
def test_at_the_limit_the_scenario_says_who_wins() -> None:
    things = (platoon("rifles", infantry(24, 22)), platoon("more", infantry(30, 22)), platoon("foe", infantry(5, 40), side="b"))
    assert on_time(board(*things)).winner == "a"  # two platoons against one
    assert on_time(board(*things[1:])).winner is None
    assert on_time(board(*things, wins_on_time="b")).winner == "b"
    last = board(*things, turn=10, active="b", phase="turn_over")
    assert play(turn_over_step, last).said(Ended)
    more = board(*things, turn=10, active="a", phase="turn_over")
    assert not play(turn_over_step, more).said(Ended)  # the second player has his tenth turn too


# -- platoon morale -----------------------------------------------------------------------------------------------


@pytest.mark.rule("FOW-MOR-02", "FOW-MOR-03")
@pytest.mark.parametrize(("die", "stays"), [(4, True), (3, False)])
def test_below_half_after_a_loss_a_platoon_tests_and_flees_if_it_fails(die: int, stays: bool) -> None:
    battle = board(platoon("rifles", infantry(5, 5), infantry(8, 5), losses=3, lost=True))
    played = play(platoon_morale, battle, "rifles", dice=[die])
    assert bool(played.said(PlatoonGone)) is not stays
    assert played.battle.platoons["rifles"].destroyed is not stays


@pytest.mark.rule("FOW-MOR-03")
@pytest.mark.parametrize(("losses", "lost"), [(2, True), (3, False)])
def test_at_half_or_without_a_loss_in_this_step_there_is_no_test(losses: int, lost: bool) -> None:
    play(platoon_morale, board(platoon("rifles", infantry(5, 5), infantry(8, 5), losses=losses, lost=lost)), "rifles", dice=[])


@pytest.mark.rule("FOW-MOR-04", "FOW-RULING-29")
def test_bailed_out_vehicles_count_on_neither_side_bogged_ones_do() -> None:
    battle = board(platoon("panzer", tank(5, 5), tank(8, 5, bailed_out=True), tank(11, 5, bogged=True), losses=1))
    assert strength(battle, battle.platoons["panzer"]) == (2, 1)


@pytest.mark.rule("FOW-MOR-05")
def test_transports_are_no_strength_but_lost_ones_are_losses() -> None:
    battle = board(platoon("grenadiers", infantry(5, 5), truck(8, 5), lost=True, transports_lost=1, losses=1))
    assert strength(battle, battle.platoons["grenadiers"]) == (1, 1)
    play(platoon_morale, battle, "grenadiers", dice=[5])  # 1 + 1 lost against 1 able: a test


@pytest.mark.rule("FOW-RULING-76")
def test_in_a_transport_platoon_the_vehicles_are_the_teams() -> None:
    battle = board(platoon("trucks", truck(5, 5), truck(8, 5), role="transport"))
    assert strength(battle, battle.platoons["trucks"]) == (2, 0)


@pytest.mark.rule("FOW-RULING-76")
def test_a_joined_independent_team_stays_when_the_platoon_flees() -> None:
    battle = board(
        platoon("rifles", infantry(5, 5), losses=2, lost=True), platoon("hq", infantry(8, 5, joined="rifles", **COMMANDER), role="hq")
    )
    played = play(platoon_morale, battle, "rifles", dice=[1, 2])  # the commander's re-roll fails too
    assert played.battle.teams["hq_1"].on_table
    assert not played.battle.teams["hq_1"].joined


@pytest.mark.rule("FOW-IND-05")
def test_a_bailed_out_commanders_tank_gives_no_re_roll() -> None:
    battle = board(
        platoon("panzer", tank(5, 5), losses=2, lost=True),
        platoon("hq", tank(8, 5, joined="panzer", bailed_out=True, **COMMANDER), role="hq"),
    )
    assert play(platoon_morale, battle, "panzer", dice=[3]).said(PlatoonGone)


def test_recon_reorganises_in_its_own_turn_only() -> None:
    assert starting.EVENTS
    battle = board(platoon("scouts", armoured_car(5, 5), disengaged=True, side="b"), platoon("x", infantry(20, 20)), phase="turn_over")
    after = play(turn_over_step, battle, rest=DEFAULT).battle
    assert (after.platoons["scouts"].disengaged, after.platoons["scouts"].reorganising) == (False, True)
