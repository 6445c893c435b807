"""Finding ways: what is offered is legal, gets where it should, and never depends on luck. Random boards against a brute-force twin."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.field.paths import cut, heading_at, length, point_at
from sandtable.field.shapes import Pose, contains, distance, overlap, rectangle, span
from sandtable.games.flames_of_war.battle import Moved
from sandtable.games.flames_of_war.movement import (
    away_from,
    carry_out,
    contact_route,
    free_pose_near,
    furthest_towards,
    place_beside,
    plan_route,
)
from sandtable.games.flames_of_war.surveying import reach_of
from sandtable.kernel.decisions import Route
from sandtable.kernel.errors import RefusedError

from .boards import (
    ScriptedTable,
    apart,
    armoured_car,
    board,
    building,
    cavalry,
    gun,
    hedge,
    infantry,
    marsh,
    platoon,
    river,
    road,
    tank,
    truck,
    wood,
)

MAKERS = (infantry, infantry, tank, tank, cavalry, gun, armoured_car, truck)


def random_board(seed):
    """Terrain and a dozen teams of both sides on a small table; nobody overlaps anybody or a wall."""
    luck = random.Random(seed)
    pieces = []
    for make in luck.choices((wood, marsh, building, river), k=4):
        x, y = luck.uniform(0, 22), luck.uniform(0, 22)
        pieces.append(make(x, y, x + luck.uniform(1.5, 6), y + luck.uniform(1.5, 6)))
    pieces.append(hedge((luck.uniform(0, 30), 0), (luck.uniform(0, 30), 30)))
    pieces.append(road((luck.uniform(0, 30), 0), (luck.uniform(0, 30), 30)))
    houses = [piece.outline for piece in pieces if piece.kind == "building"]
    sides: dict[str, list] = {"a": [], "b": []}
    bases: list = []
    while len(bases) < 12:
        make, facing = luck.choice(MAKERS), luck.randrange(360)
        draft = make(luck.uniform(2, 28), luck.uniform(2, 28), facing)
        base = rectangle(draft.pose, draft.profile.width, draft.profile.depth)
        if not any(overlap(base, other) for other in (*bases, *houses)):
            bases.append(base)
            sides["ab"[len(bases) % 2]].append(draft)
    units = [platoon(f"{side}_p", *teams, side=side) for side, teams in sides.items()]
    return board(*pieces, *units, width=30, height=30)


boards = st.integers(0, 10**9)


@given(boards)
def test_the_furthest_way_is_legal_and_ends_on_free_ground(seed):
    battle = random_board(seed)
    luck = random.Random(seed)
    for team in list(battle.teams.values())[:6]:
        goal = (luck.randrange(30_000), luck.randrange(30_000))
        mode = luck.choice(("move", "double", "charge", "consolidate"))
        route = furthest_towards(battle, team.id, goal, mode)
        assert route == furthest_towards(battle, team.id, goal, mode)
        if route is not None:
            plan = plan_route(battle, team.id, route, mode)
            base = rectangle(plan.pose, team.profile.width, team.profile.depth)
            assert battle.ground.within_table(base)
            assert not any(overlap(base, other) for _, other in battle.bases(but=[team.id]))


@given(boards)
def test_a_straight_legal_way_is_never_missed(seed):
    """Where the whole straight way, as far as the team may go, is legal, it is found."""
    battle = random_board(seed)
    luck = random.Random(seed)
    for team in battle.side_teams("a")[:4]:
        goal = (luck.randrange(2000, 28_000), luck.randrange(2000, 28_000))
        most = min(span(team.centre, goal), reach_of(battle, team, "move"))
        try:
            plan = plan_route(battle, team.id, Route((point_at((team.centre, goal), most),)), "move")
        except RefusedError:
            continue
        if plan.mounts or plan.building:
            continue
        route = furthest_towards(battle, team.id, goal)
        assert route is not None
        assert length((team.centre, *route.path)) >= most - 5


@given(boards)
def test_a_plan_keeps_its_distance_all_along(seed):
    """A legal move of infantry never comes nearer than 2 inches to an enemy it sees, by walking it in small steps."""
    from msgspec.structs import replace

    from sandtable.games.flames_of_war.sight import visible

    battle = random_board(seed)
    luck = random.Random(seed)
    for team in [team for team in battle.teams.values() if team.profile.team_type == "infantry"][:3]:
        route = Route(((team.centre[0] + luck.randrange(-6000, 6000), team.centre[1] + luck.randrange(-3000, 3000)),))
        try:
            plan = plan_route(battle, team.id, route, "move")
        except RefusedError:
            continue
        if plan.mounts or plan.leaves or plan.building:
            continue
        enemies = [enemy for enemy in battle.enemies(team.side) if apart(battle, team.id, enemy.id) >= 2]
        whole = length(plan.path)
        for step in range(1, 13):
            point, heading = point_at(plan.path, whole * step / 12), heading_at(plan.path, whole, 0)
            facings = [heading, team.pose.facing, plan.facing]
            for enemy in enemies:
                gaps = [distance(rectangle(Pose(*point, f), team.profile.width, team.profile.depth), enemy.base) for f in facings]
                if max(gaps) < 1990:
                    seen = [visible(battle, replace(team, pose=Pose(*point, f)), enemy) for f in facings]
                    assert not all(seen), f"{team.id} came within {max(gaps)} of {enemy.id}"


@given(boards)
def test_away_is_legal_and_never_nearer(seed):
    battle = random_board(seed)
    for team in battle.side_teams("a")[:3]:
        foes = [enemy.id for enemy in battle.enemies("a") if apart(battle, team.id, enemy.id) < 8]
        for mode in ("break_off", "disengage"):
            route = away_from(battle, team.id, foes, mode)
            if route.path:
                plan = plan_route(battle, team.id, route, mode, enemies=foes)
                base = rectangle(plan.pose, team.profile.width, team.profile.depth)
                before = min(apart(battle, team.id, foe) for foe in foes)
                assert min(distance(base, battle.teams[foe].base) for foe in foes) / 1000 > before


@given(boards)
def test_contact_is_contact(seed):
    battle = random_board(seed)
    for team in battle.side_teams("a")[:3]:
        for enemy in battle.enemies("a"):
            route = contact_route(battle, team.id, enemy.id)
            if route is None or not route.path:
                continue
            plan = plan_route(battle, team.id, route, "charge", target=enemy.unit)
            base = rectangle(plan.pose, team.profile.width, team.profile.depth)
            lines = [piece.outline for piece in battle.ground.pieces if piece.form == "line"]
            across = any(distance(base, line) <= 10 and distance(enemy.base, line) <= 260 for line in lines)
            assert distance(base, enemy.base) <= 10 or across


@given(boards)
def test_walking_ends_where_the_plan_says_or_bogged_before(seed):
    battle = random_board(seed)
    luck = random.Random(seed)
    for team in battle.side_teams("a")[:4]:
        route = furthest_towards(battle, team.id, (luck.randrange(30_000), luck.randrange(30_000)))
        if route is None:
            continue
        plan = plan_route(battle, team.id, route, "move")
        table = ScriptedTable(battle, dice=[luck.randint(1, 6) for _ in range(12)])
        arrived = carry_out(table, team.id, plan)
        after = table.battle.teams[team.id]
        assert after.bogged is not arrived
        if arrived:
            assert after.pose == plan.pose
        if after.pose is not None:
            assert not any(overlap(after.base, base) for _, base in table.battle.bases(but=[team.id]))
            assert battle.ground.within_table(after.base)
        for event in table.events:
            if isinstance(event, Moved):
                assert event.path[0] == team.centre


def test_around_a_house():
    battle = board(building(8, 14, 16, 18), platoon("p", tank(12, 10, fully_armoured=False)))
    route = furthest_towards(battle, "p_1", (12_000, 30_000))
    assert route is not None
    end = route.path[-1]
    assert end[1] > 16_000
    assert not contains(battle.ground.pieces[0].outline, end)


def test_breaking_off_gets_4_inches_away_from_a_single_enemy():
    battle = board(platoon("p", infantry(20, 20)), platoon("e", infantry(20, 21.3, 180), side="b"))
    route = away_from(battle, "p_1", ["e_1"])
    plan = plan_route(battle, "p_1", route, "break_off")
    base = rectangle(plan.pose, 2000, 1250)
    assert distance(base, battle.teams["e_1"].base) >= 4000


@pytest.mark.rule("FOW-RULING-70")
def test_a_charge_at_an_enemy_behind_a_hedge_stops_at_the_hedge():
    battle = board(
        hedge((0, 14), (40, 14)), platoon("p", infantry(20, 11)), platoon("e", infantry(20, 14 + 0.25 + 0.625 + 0.05, 180), side="b")
    )
    route = contact_route(battle, "p_1", "e_1")
    assert route is not None
    assert route.path[-1][1] == pytest.approx((14 - 0.25 - 0.625) * 1000, abs=10)


def test_a_free_place_keeps_clear_of_teams_walls_and_enemies():
    battle = board(
        building(10, 10, 16, 16), platoon("p", tank(20, 20), tank(20, 23)), platoon("e", infantry(25, 20), side="b"), width=40, height=40
    )
    pose = free_pose_near(battle, "p_1", Pose(20_000, 22_500, 0), standoff=True)
    assert pose is not None
    base = rectangle(pose, 1400, 2600)
    assert not any(overlap(base, other) for _, other in battle.bases(but=["p_1"]))
    assert distance(base, battle.teams["e_1"].base) >= 1998
    inside = free_pose_near(battle, "p_2", Pose(13_000, 13_000, 0))
    assert inside == Pose(13_000, 13_000, 0)  # a tank may stand in a house


@pytest.mark.rule("FOW-RULING-67")
def test_survivors_stand_touching_the_vehicle_and_out_of_enemy_standoff():
    battle = board(platoon("p", truck(20, 20), infantry(mounted_in="p_1")), platoon("e", infantry(20, 16.5), side="b"))
    pose = place_beside(battle, "p_2", battle.teams["p_1"])
    assert pose is not None
    base = rectangle(pose, 2000, 1250)
    assert distance(base, battle.teams["p_1"].base) < 50
    assert distance(base, battle.teams["e_1"].base) >= 1998


def test_a_way_can_be_cut_and_stays_legal():
    battle = board(platoon("p", tank(10, 10)))
    path = cut(((10_000, 10_000), (10_000, 20_000), (15_000, 20_000)), 11_000)
    assert plan_route(battle, "p_1", Route(path[1:]), "move").length == 11_000


@given(boards)
def test_the_first_place_too_near_is_the_fields_own_answer(seed):
    """The closed form against the field's search by halving."""
    from sandtable.field.paths import first_within
    from sandtable.games.flames_of_war.meeting import _comes_near, swept

    luck = random.Random(seed)
    for _ in range(20):
        p, q = ((luck.randrange(20_000), luck.randrange(20_000)) for _ in range(2))
        shape = rectangle(Pose(luck.randrange(20_000), luck.randrange(20_000), luck.randrange(360)), 2000, 1250)
        facing, limit = luck.randrange(360), luck.choice((2000, 8004))
        slow = first_within((p, q), 1400, 2600, shape, limit, facing)
        fast = _comes_near(p, q, swept(shape, facing, 1400, 2600), limit - 2)
        if slow is None or fast is None:
            assert slow is None
            assert fast is None
        else:
            assert fast * span(p, q) == pytest.approx(slow, abs=0.01)
