"""Command distance, leaders, independent teams, and rulings that several modules share."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.games.flames_of_war.air import air_strike_step
from sandtable.games.flames_of_war.battle import CompanyState, Joined, PhaseBegan
from sandtable.games.flames_of_war.command import command_reach, in_command, isolated_groups, may_join, offer_join
from sandtable.games.flames_of_war.fire import defensive_shooters
from sandtable.games.flames_of_war.profile import Aircraft, AirWeapon, Bombardment, Weapon
from sandtable.games.flames_of_war.setup import new_battle
from sandtable.games.flames_of_war.shooting import shooting_step
from sandtable.games.flames_of_war.sight import concealed
from sandtable.kernel.game import load_game

from .boards import DEFAULT, board, gun, infantry, platoon, play, tank, truck, wood

COMMANDER = {"traits": ("company_commander", "warrior", "independent")}


@pytest.mark.rule("FOW-CMD-01", "FOW-RULING-45")
def test_how_far_command_reaches() -> None:
    """The chart: conscript 4 and 2, regular 6 and 4, veteran 8 and 6 inches."""
    found = {skill: (command_reach(skill, True), command_reach(skill, False)) for skill in ("conscript", "regular", "veteran")}
    assert found == {"conscript": (4000, 2000), "regular": (6000, 4000), "veteran": (8000, 6000)}


@pytest.mark.rule("FOW-CMD-02")
def test_the_chain_of_command_goes_from_team_to_team_but_not_through_transports() -> None:
    """Regular, not tanks: 4 inches between bases that are 2 wide. At 5, 11, 17: gaps of 4."""
    chain = board(platoon("rifles", infantry(5, 5), infantry(11, 5), infantry(17, 5), infantry(23.1, 5)))
    assert [team.id for team in in_command(chain, chain.platoons["rifles"])] == ["rifles_1", "rifles_2", "rifles_3"]
    # A truck is 1 wide: 5 to 10.5 leaves 4 inches; from it to 15.5 another 3.5, but it passes nothing on.
    broken = board(platoon("rifles", infantry(5, 5), truck(10.5, 5), infantry(15.5, 5)))
    assert [team.id for team in in_command(broken, broken.platoons["rifles"])] == ["rifles_1", "rifles_2"]


@pytest.mark.rule("FOW-RULING-73", "FOW-TGT-04")
def test_of_a_leaderless_platoon_the_largest_group_stands_for_it() -> None:
    battle = board(platoon("rifles", infantry(5, 5), infantry(30, 5), infantry(33, 5), leader=0))
    assert [team.id for team in in_command(battle, battle.platoons["rifles"])] == ["rifles_2", "rifles_3"]
    groups = isolated_groups(battle, battle.platoons["rifles"], battle.standing("rifles"))
    assert [[team.id for team in group] for group in groups] == [["rifles_1"], ["rifles_2", "rifles_3"]]


@pytest.mark.rule("FOW-IND-01", "FOW-OBS-02", "FOW-IND-03")
def test_commanders_and_observers_are_platoons_of_their_own() -> None:
    game = load_game("flames_of_war")
    battle = game.new_battle(game.setup(game.data("scenarios", "crossroads")))
    assert new_battle(battle.scenario).platoons.keys() == battle.platoons.keys()  # type: ignore[attr-defined]
    lone = [p for p in battle.platoons.values() if p.independent]  # type: ignore[attr-defined]
    assert sorted(p.role for p in lone if p.side == "a") == ["hq", "independent"]
    assert all(len(p.teams) == 1 and p.leader == p.teams[0] for p in lone)


@pytest.mark.rule("FOW-IND-02")
def test_an_independent_team_joins_within_command_distance_until_the_end_of_the_step() -> None:
    """A regular commander on foot reaches 4 inches; bases are 2 wide."""
    near = board(platoon("rifles", infantry(5, 5)), platoon("hq", infantry(11, 5, **COMMANDER), role="hq"))
    assert [p.id for p in may_join(near, near.teams["hq_1"])] == ["rifles"]
    off = board(platoon("rifles", infantry(5, 5)), platoon("hq", infantry(11.1, 5, **COMMANDER), role="hq"))
    assert may_join(off, off.teams["hq_1"]) == []
    joined = play(lambda table: offer_join(table, "hq_1"), near, answers=["rifles"])
    assert joined.said(Joined) == [Joined("hq_1", "rifles")]
    assert [team.id for team in joined.battle.members("rifles")] == ["rifles_1", "hq_1"]
    assert not PhaseBegan("assault").apply(joined.battle).teams["hq_1"].joined
    assert PhaseBegan("shooting").apply(joined.battle).teams["hq_1"].joined == "rifles"  # the same step goes on


@pytest.mark.rule("FOW-ART-04", "FOW-ASLT-07")
def test_a_bombardment_is_never_defensive_fire() -> None:
    mortar = Weapon(id="m", name="m", mount="gun", bombardment=Bombardment(range_in=56, anti_tank=3, firepower=3))
    battle = board(platoon("mortars", gun(10, 14, 180, weapons=(mortar,)), side="b"), platoon("storm", infantry(10, 10)), phase="assault")
    assert defensive_shooters(battle, "mortars", "storm", 16000) == []
    pak = board(platoon("pak", gun(10, 14, 180), side="b"), platoon("storm", infantry(10, 10)), phase="assault")
    assert defensive_shooters(pak, "pak", "storm", 16000) == ["pak_1"]


@pytest.mark.rule("FOW-OBS-04", "FOW-CONC-05", "FOW-RULING-15")
def test_an_observer_who_moved_is_still_gone_to_ground_in_cover() -> None:
    def gone(**profile: object) -> bool:
        spotter = platoon("one", infantry(12, 12, moved=True, **profile), role="independent", side="b")
        battle = board(wood(8, 8, 16, 16), spotter, platoon("us", infantry(12, 4)))
        return concealed(battle, battle.teams["us_1"], battle.teams["one_1"]).gone_to_ground

    assert gone(traits=("observer", "independent"))
    assert not gone()


BOMBER = Aircraft(name="Ju 87", weapons=(AirWeapon(weapon_class="bomb", to_hit=4, anti_tank=5, firepower=1),))


@pytest.mark.rule("FOW-AIR-09", "FOW-AIR-12", "FOW-AIR-10")
def test_the_template_lies_on_the_target_and_hits_go_first_to_teams_not_dug_in() -> None:
    """Centred on the first team at 24,30: it reaches 3 inches. A team whose base begins at 27.2 is safe."""
    teams = [infantry(24, 30, dug_in=True, shot=True), infantry(26.1, 30, moved=True), infantry(28.3, 30, moved=True)]
    battle = board(platoon("own", infantry(4, 2)), platoon("foe", *teams, side="b"), phase="air_strike")
    scenario = replace(battle.scenario, a=replace(battle.scenario.a, force=replace(battle.scenario.a.force, aircraft=BOMBER)))
    battle = replace(battle, scenario=scenario, companies=battle.companies | {"a": CompanyState("confident", 1, aircraft=2)})
    # ranged in on a dug-in (so concealed) regular: 4+; two dice to hit, one hit; the save of the team in the open fails
    played = play(air_strike_step, battle, answers=["foe_1"], dice=[4, 4, 3, 2])
    assert [played.battle.teams[f"foe_{n}"].alive for n in (1, 2, 3)] == [True, False, True]


@pytest.mark.rule("FOW-RULING-56")
def test_a_platoon_that_will_assault_shoots_with_its_full_rate() -> None:
    """Rate of fire 2 and it did not move: two dice, though it stands in charge reach of the enemy."""
    from .boards import KWK40

    battle = board(
        platoon("panzer", tank(10, 10, weapons=(KWK40,)), assault_reach=("foe",)),
        platoon("foe", infantry(10, 14.5, 180, moved=True), side="b"),
        phase="shooting",
    )
    played = play(shooting_step, battle, answers=["panzer:fire"], rest=DEFAULT, dice=[1, 1])
    assert played.battle.teams["panzer_1"].shot


@pytest.mark.rule("FOW-RULING-58")
def test_a_joined_commander_does_not_change_the_platoons_ratings() -> None:
    battle = board(
        platoon("rifles", infantry(5, 5), motivation="reluctant", skill="conscript"),
        platoon("hq", infantry(8, 5, joined="rifles", **COMMANDER), role="hq", motivation="fearless", skill="veteran"),
    )
    unit = battle.unit_of(battle.teams["hq_1"])
    assert (unit.motivation, unit.skill) == ("reluctant", "conscript")


@pytest.mark.rule("FOW-RULING-64")
def test_the_misprints_of_the_sheet_leave_no_trace_in_the_charts() -> None:
    """Keys are spelt one way throughout: conscript, regular, veteran."""
    game = load_game("flames_of_war")
    words = {record[key] for name in game.charts for record in game.charts[name] for key in ("skill", "target_skill") if key in record}
    assert words == {"conscript", "regular", "veteran"}


@pytest.mark.rule("FOW-RULING-14")
def test_digging_in_counts_as_moving_for_the_rate_of_fire_but_not_for_concealment() -> None:
    def found(**state: bool) -> bool:
        battle = board(platoon("dig", infantry(12, 12, moved=True, **state), side="b"), platoon("us", infantry(12, 4)))
        return concealed(battle, battle.teams["us_1"], battle.teams["dig_1"]).concealed

    assert not found()
    assert found(digging=True)
    assert found(dug_in=True)


@pytest.mark.rule("FOW-DEC-10", "FOW-TGT-01", "FOW-TGT-02")
def test_the_active_player_orders_the_shooting_and_names_the_target() -> None:
    """Two enemy platoons in range: the player says who fires, then at whom; a platoon that cannot fire shows why."""
    battle = board(
        platoon("panzer", tank(10, 10)),
        platoon("doubled", tank(30, 10), at_the_double=True),
        platoon("left", infantry(8, 24, 180, moved=True), side="b"),
        platoon("right", infantry(14, 24, 180, moved=True), side="b"),
        phase="shooting",
    )
    played = play(shooting_step, battle, answers=["panzer:fire", "right"], rest=DEFAULT, dice=[1, 1])
    order, target = played.asked("FOW-DEC-10")[:2]
    assert (order.player, target.player) == ("a", "a")
    refused = {option.id: option.refusal.rule for option in order.options if option.refusal is not None}  # type: ignore[attr-defined]
    assert refused == {"doubled:fire": "FOW-DBL-07"}
    assert {"left", "right"} <= {option.id for option in target.options}  # type: ignore[attr-defined]
    assert played.battle.teams["panzer_1"].shot
