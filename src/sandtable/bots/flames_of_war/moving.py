"""Orders and routes: where a platoon goes, its leader first, and how its teams follow him."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.bots.flames_of_war.fighting import charge_worth
from sandtable.bots.flames_of_war.lay import FAR, Lay, lay_of
from sandtable.bots.flames_of_war.picture import Foe, Goal, Picture, head, kind_of
from sandtable.bots.flames_of_war.worth import power, worth_of
from sandtable.field.shapes import Point, Pose, bearing, contains, cosine, move_towards, sine, span
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon, Team
from sandtable.games.flames_of_war.command import command_reach
from sandtable.games.flames_of_war.going import chart_reach
from sandtable.games.flames_of_war.sight import visible
from sandtable.games.flames_of_war.wayfinding import furthest_towards
from sandtable.kernel.decisions import Check, PickRoute
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.table import read_answer

PROGRESS = 5.0
"""What a turn nearer to the goal is worth."""
HASTE = 2.5
"""How much more it is worth when time is on the enemy's side."""
DANGER = 0.8
"""How much a loss to be expected counts against a gain to be expected."""
HOLDS = 4.0
WINS = 10.0
COVER = 0.25
"""For each team of a platoon whose leader stands in cover."""
CLOSE = 8.0
"""Inches within which enemy infantry may be upon a tank in its next turn."""
LOOK = 34.0
"""Inches within which enemies are looked at."""
TRIES = 6


class Choice(NamedTuple):
    """A place for a platoon's leader, and what it is worth."""

    score: float
    order: str
    place: Point
    facing: int
    way: tuple[Point, ...] = ()
    why: str = ""


def choose(battle: Battle, picture: Picture, platoon: Platoon, orders: dict[str, str]) -> tuple[Choice, list[Choice]]:
    """The best of a platoon's orders (order -> option id), and all that were thought of."""
    leader = head(battle, platoon)
    if leader is None or leader.pose is None:  # all of it is carried
        return Choice(0.0, "stay", (0, 0), 0, why="carried"), []
    teams = [team for team in battle.standing(platoon.id) if team.operational]
    stay = Choice(0.0, "stay", leader.centre, leader.pose.facing, why="stay")
    if not teams or leader not in teams or platoon.reorganising:
        return stay, [stay]
    goal = picture.goal(battle, platoon)
    judge = Judge(battle, picture, platoon, leader, teams, goal)
    found = [stay._replace(score=judge.score(leader.centre, "stay"))]
    if goal.why != "stay":
        if "move" in orders and chart_reach(leader.profile.mobility, "cross_country"):
            found += judge.moves()
        if "double" in orders and judge.may_double:
            found += judge.doubles()
    if "dig_in" in orders and judge.digs(found[0]):
        found.append(found[0]._replace(score=found[0].score + 0.05, order="dig_in", why="dig in"))
    best = max(found, key=lambda choice: choice.score)
    return best, found


class Judge:
    """Scores places for one platoon."""

    def __init__(self, battle: Battle, picture: Picture, platoon: Platoon, leader: Team, teams: list[Team], goal: Goal) -> None:
        self.battle, self.picture, self.platoon, self.leader, self.goal = battle, picture, platoon, leader, goal
        self.teams = teams
        self.kind = kind_of(battle, platoon)
        profile = leader.profile
        self.mobility = profile.mobility
        self.foot = profile.foot
        # The team that stands for the platoon's fire and for what it suffers: the one with the strongest weapon.
        self.gun = max(teams, key=lambda team: (worth_of(team.profile), team.id)).profile
        self.number = len(teams)
        self.reach = chart_reach(profile.mobility, "cross_country")
        self.road = chart_reach(profile.mobility, "road")
        self.before = self.turns(leader.centre)
        self.near = picture.near_foes(leader.centre, LOOK + 2 * self.road / INCH)
        self.fires = self._fires()
        self._exchanges: dict[tuple[Point, bool, bool, bool], tuple[float, float]] = {}
        self.haste = PROGRESS * (HASTE if picture.presses else 1.0)

    def turns(self, place: Point) -> float:
        turns = self.picture.lay.turns(self.goal.place, self.mobility, place)
        if turns >= FAR:
            return span(place, self.goal.place) / max(self.reach, 1)
        return turns

    def _fires(self) -> bool:
        return any(weapon.direct_fire for team in self.teams for weapon in team.profile.weapons)

    # -- one place ------------------------------------------------------------------------------------------------------

    def score(self, place: Point, order: str) -> float:
        """What it is worth to have the leader there."""
        goal = self.goal
        moved = order != "stay"
        score = self.haste * (self.before - self.turns(place)) if goal.why != "stay" else 0.0
        gap = span(place, goal.place) / INCH
        if goal.objective >= 0:
            objective = self.picture.objectives[goal.objective]
            if gap <= 3.5:
                score += HOLDS
                if objective.theirs == 0 and self.picture.counting and goal.why == "take":
                    score += WINS
            if gap <= 4.5 and objective.theirs and not objective.mine:
                score += HOLDS  # it denies it to them
        if goal.why == "watch":
            score = 0.3 * score if not self.sees_somebody(place) else 0.0 if moved else 3.0
        cover = self.picture.lay.covered(*place)
        concealed = cover or (self.foot and not moved)
        if cover:
            score += COVER * self.number
        out, danger = self.exchange(place, moved, concealed, order == "double")
        score += out - DANGER * danger
        if self.kind in ("recon", "hq", "observer"):
            score -= 0.5 * danger
            if self.kind == "recon" and self.near_enemy(place) < 10:
                score -= 2.0
        return score

    def sees_somebody(self, place: Point) -> bool:
        there = self._there(place)
        return any(visible(self.battle, there, team) for _, team, _ in self.near)

    def near_enemy(self, place: Point) -> float:
        return min((foe.nearest(place)[0] for _, _, foe in self.near), default=99.0)

    def _there(self, place: Point) -> Team:
        assert self.leader.pose is not None
        if place == self.leader.centre:
            return self.leader
        return replace(self.leader, pose=Pose(*place, self.leader.pose.facing), building="", dug_in=False)

    def exchange(self, place: Point, moved: bool, concealed: bool, double: bool) -> tuple[float, float]:
        """The worth of the best fire from a place this turn, and of the fire and the charges to be feared there."""
        key = (place, moved, concealed, double)
        found = self._exchanges.get(key)
        if found is None:
            found = self._exchanges[key] = self._exchange(*key)
        return found

    def _exchange(self, place: Point, moved: bool, concealed: bool, double: bool) -> tuple[float, float]:
        battle = self.battle
        best = danger = 0.0
        there: Team | None = None
        mine = self.gun
        for _, _, foe in self.near:
            gap, team = foe.nearest(place)
            inches = max(0.0, gap - 1.5)
            if inches > LOOK:
                continue
            assert team.pose is not None
            fire = 0.0
            if self.fires and not double:
                hidden = team.dug_in or (team.profile.foot and not team.moved) or self.picture.lay.covered(team.pose.x, team.pose.y)
                fire = self.number * power(mine, team.profile, inches, foe.skill, hidden, moved)
            feared = 0.0
            for profile, number in foe.guns:
                feared += number * power(profile, mine, inches, self.platoon.skill, concealed, False)
            if foe.pinned:
                feared *= 0.5
            if fire or feared:
                there = there or self._there(place)
                if visible(battle, there, team):
                    best = max(best, fire)
                    danger += feared * (2.0 if double else 1.0)
            if foe.assaults and inches < CLOSE and self.gun.vehicle:
                danger += 0.25 * worth_of(mine) * (1.0 if inches < 5 else 0.5)
        return best, danger

    # -- candidates -----------------------------------------------------------------------------------------------------

    def _facing(self, place: Point) -> int:
        """Towards the nearest enemy, or the way it goes."""
        close = [(foe.nearest(place), foe.id) for _, _, foe in self.near]
        if close:
            (gap, team), _ = min(close, key=lambda one: (one[0][0], one[1]))
            if gap < LOOK and team.centre != place:
                return bearing(place, team.centre)
        assert self.leader.pose is not None
        if place == self.goal.place or self.goal.why != "take":
            return self.leader.pose.facing
        return bearing(place, self.goal.place)

    def moves(self) -> list[Choice]:
        found = []
        way = self.picture.lay.way(self.goal.place, self.mobility, self.leader.centre, self.road)
        whole = span(self.leader.centre, self.goal.place)
        if whole <= self.reach and (not way or span(way[-1], self.goal.place) < 1500):
            way.append(self.goal.place)
        for part in (1.0, 0.5) if self.near else (1.0,):
            walk = _first_part(self.leader.centre, way, part * self.reach)
            if walk:
                found.append(self._move(walk, "move", "advance"))
        spot = self._cover_spot(way)
        if spot is not None:
            found.append(self._move((spot,), "move", "cover"))
        found += self._charges()
        return found

    def _move(self, walk: tuple[Point, ...], order: str, why: str) -> Choice:
        place = walk[-1]
        return Choice(self.score(place, order), order, place, self._facing(place), walk, why)

    def _cover_spot(self, way: list[Point]) -> Point | None:
        """A covered square near the end of the way, for those who walk."""
        if not self.foot or not way:
            return None
        lay = self.picture.lay
        end = _first_part(self.leader.centre, way, self.reach)
        if not end or lay.covered(*end[-1]):
            return None
        x, y = end[-1]
        best: tuple[float, Point] | None = None
        for dx in (-3, -2, -1, 0, 1, 2, 3):
            for dy in (-3, -2, -1, 0, 1, 2, 3):
                spot = (x + dx * INCH, y + dy * INCH)
                if lay.covered(*spot) and span(spot, self.leader.centre) <= self.reach:
                    cost = self.turns(spot)
                    if cost < self.before and (best is None or (cost, spot) < best):
                        best = (cost, spot)
        return None if best is None else best[1]

    def _charges(self) -> list[Choice]:
        """Places to charge from, where that pays."""
        if self.kind not in ("foot", "tank", "cavalry", "hq") or (self.platoon.pinned and not self.gun.armoured):
            return []
        found = []
        here = self.leader.centre
        for gap, team, foe in self.near:
            if gap > self.reach / INCH + 6 or team.building:
                continue
            apart = round(2.7 * INCH) + (team.profile.depth + self.leader.profile.depth) // 2
            place = move_towards(team.centre, here, apart) if gap * INCH > apart else here
            if span(place, here) > self.reach:
                continue
            worth = charge_worth(self.battle, self.picture, self.platoon.id, self.teams, foe)
            if worth <= 0.3:
                continue
            score = self.score(place, "move") + worth
            found.append(Choice(score, "move", place, bearing(place, team.centre), (place,), f"charge {foe.id}"))
        return found

    @property
    def may_double(self) -> bool:
        return self.before > 1.0 and self.near_enemy(self.leader.centre) > 11 and self.goal.why in ("take", "hold")

    def doubles(self) -> list[Choice]:
        reach = 2 * self.reach
        way = self.picture.lay.way(self.goal.place, self.mobility, self.leader.centre, reach)
        walk = _first_part(self.leader.centre, way, reach)
        if not walk:
            return []
        place = walk[-1]
        # It may not come within eight inches of anybody: stop short of them.
        short = self.near_enemy(place)
        if short < 10.5:
            back = reach - (10.5 - short) * INCH
            walk = _first_part(self.leader.centre, way, back)
            if not walk or self.near_enemy(walk[-1]) < 9.5:
                return []
        straight = (walk[-1],)
        return [self._move(straight, "double", "double")]

    def digs(self, stay: Choice) -> bool:
        """Whether to dig in: where it stays anyway, is not dug in yet, and has nothing better to shoot at."""
        if self.goal.why == "take" and span(self.leader.centre, self.goal.place) > 4 * INCH:
            return False
        if all(team.dug_in or team.building for team in self.teams):
            return False
        out, _ = self.exchange(self.leader.centre, False, True, False)
        return out < 0.6


def _first_part(start: Point, way: list[Point], far: float) -> tuple[Point, ...]:
    """The first part of a way, so long, with as few bends as may be."""
    left = far
    here = start
    out: list[Point] = []
    for point in way:
        step = span(here, point)
        if step > left:
            if left > 200:
                out.append(move_towards(here, point, left))
            break
        out.append(point)
        left -= step
        here = point
    if not out:
        return ()
    slim = [out[-1]]
    for i in range(len(out) - 2, -1, -1):
        before = out[i - 1] if i else start
        if bearing(before, out[i]) != bearing(out[i], out[i + 1]):
            slim.append(out[i])
    return tuple(reversed(slim))


# -- routes -------------------------------------------------------------------------------------------------------------


def slot(number: int, place: Point, facing: int, wide: int, deep: int) -> Point:
    """Where the n-th follower stands, with the leader at a place: beside him by turns, then in rows behind."""
    row, column = divmod(number, 4)
    side = (column // 2 + 1) * (1 if column % 2 else -1)
    right, forward = side * wide, -row * deep
    s, c = sine(facing) / 10**9, cosine(facing) / 10**9
    return round(place[0] + right * c + forward * s), round(place[1] + forward * c - right * s)


def spacing(battle: Battle, platoon: Platoon, leader: Team) -> tuple[int, int]:
    """How far apart the teams of a platoon stand, centre to centre, so that command reaches from one to the next."""
    profile = leader.profile
    tanks = profile.team_type == "tank"
    between = min(command_reach(platoon.skill, tanks) - 400, 1500)
    return profile.width + between, profile.depth + between


def leader_route(request: PickRoute, check: Check | None, battle: Battle, team: Team, choice: Choice) -> Any:
    """The leader's way: as planned, straight, or as far as it goes."""
    facing = None if choice.order == "double" else choice.facing
    ways: list[tuple[Point, ...]] = [(choice.place,)]
    if len(choice.way) > 1:
        # Straight, unless a wall is in the way.
        ways = [choice.way] if _walled(lay_of(battle.ground), team.centre, choice.place) else [*ways, choice.way]
    return try_ways(request, check, battle, team, ways, facing)


def _walled(lay: Lay, start: Point, goal: Point) -> bool:
    """Whether a straight way leads through a wall."""
    far = span(start, goal)
    for step in range(1, int(far // 700)):
        x, y = move_towards(start, goal, step * 700)
        if not lay.foot[lay.index(x, y)]:
            return True
    return False


def follower_route(request: PickRoute, check: Check | None, battle: Battle, team: Team, leader: Team, number: int, order: str) -> Any:
    """A follower's way to a free place beside the leader."""
    assert leader.pose is not None
    platoon = battle.platoons[leader.unit]
    wide, deep = spacing(battle, platoon, leader)
    facing = leader.pose.facing
    reach = chart_reach(team.profile.mobility, "cross_country") * (2 if order == "double" else 1)
    friends = _around_leader(battle, leader, team)
    lay = lay_of(battle.ground)
    ways: list[tuple[Point, ...]] = []
    for place in _SLOTS:
        goal = slot(number ^ place if place < 2 else number + 4 * (place - 1), leader.centre, facing, wide, deep)
        far = span(team.centre, goal)
        if far < 300:
            return None
        end = move_towards(team.centre, goal, min(far, reach))
        if _free(battle, lay, team, end, friends):
            ways.append((end,))
            if len(ways) == 3:
                break
    return try_ways(request, check, battle, team, ways, None if order == "double" else facing)


_SLOTS = (0, 1, 2, 3)
"""Its own place, the one on the other side, and those in the rows behind."""


def _around_leader(battle: Battle, leader: Team, team: Team) -> list[tuple[int, int, int]]:
    """The teams near a leader: where they stand and how big they are."""
    assert leader.pose is not None
    x, y = leader.pose.x, leader.pose.y
    found = []
    for other in battle.teams.values():
        pose = other.pose
        if pose is not None and abs(pose.x - x) < 12000 and abs(pose.y - y) < 12000 and other.id != team.id and other.on_table:
            found.append((pose.x, pose.y, min(other.profile.width, other.profile.depth)))
    return found


def boards(battle: Battle, team: Team, place: Point) -> bool:
    """Whether a team that walks there would get on a friendly vehicle."""
    if team.profile.vehicle:
        return False
    x, y = place
    for other in battle.standing_near(x - 4300, y - 4300, x + 4300, y + 4300):
        if other.side == team.side and other.profile.vehicle and contains(other.base, place):
            return True
    return False


def _free(battle: Battle, lay: Lay, team: Team, place: Point, others: list[tuple[int, int, int]]) -> bool:
    """A first look whether a team can stand somewhere: on the table, in no wall, on nobody."""
    x, y = place
    profile = team.profile
    margin = max(profile.width, profile.depth) // 2 + 50
    if not (margin <= x <= battle.ground.width - margin and margin <= y <= battle.ground.height - margin):
        return False
    if not lay.foot[lay.index(x, y)]:
        return False
    size = min(profile.width, profile.depth)
    return not boards(battle, team, place) and all(
        abs(ox - x) > (size + other) // 2 or abs(oy - y) > (size + other) // 2 for ox, oy, other in others
    )


def try_ways(request: PickRoute, check: Check | None, battle: Battle, team: Team, ways: list[tuple[Point, ...]], facing: int | None) -> Any:
    """The first of some ways that the rules allow, cut where they say it must end; None if there is none."""
    tries = 0
    for way in ways:
        path = [list(point) for point in way]
        for _ in range(2):
            if tries >= TRIES:
                return None
            tries += 1
            if boards(battle, team, (path[-1][0], path[-1][1])):
                break
            answer = {"path": path, "facing": facing}
            try:
                read_answer(request, check, answer)
                return answer
            except RefusedError as problem:
                furthest: Any = problem.arguments.get("furthest")
                if furthest is None or len(path) > 1:
                    break
                far = span(team.centre, (furthest[0], furthest[1]))
                if far < 500:
                    break
                path = [list(move_towards(team.centre, (furthest[0], furthest[1]), far - 40))]
    return None


def around(battle: Battle, team: Team, goal: Point, order: str) -> Any:
    """The rules' own way finder, for what the straight ways did not reach."""
    route = furthest_towards(battle, team.id, goal, "double" if order == "double" else "move")
    return None if route is None else {"path": [list(point) for point in route.path], "facing": route.facing}


__all__ = ["Choice", "Foe", "Judge", "around", "choose", "follower_route", "leader_route", "slot", "spacing", "try_ways"]
