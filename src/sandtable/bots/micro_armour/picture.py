"""How the bot sees a battle: who is there, what there is to win, what a place is good for. One picture for each question."""

from __future__ import annotations

from functools import cached_property
from math import inf
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots.micro_armour.lanes import Lanes, Watch
from sandtable.bots.micro_armour.worth import RATE, fights, gain
from sandtable.field.paths import heading_at, length, point_at
from sandtable.field.shapes import Point, Pose, span
from sandtable.games.micro_armour.battle import INCH, Battle, Unit
from sandtable.games.micro_armour.fire import fire_refusal, shot, weapons
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.profile import Hold, Reach, UnitProfile
from sandtable.games.micro_armour.sight import Look, aspect, look, sees, unit_in_smoke
from sandtable.games.micro_armour.victory import holder

SHOOT = 0.7
"""What the best shot from a place counts."""
DUCK = 0.25
"""What each shot of the enemy at a place counts against it."""
FEARED = 5
"""How many of the enemy's shots are reckoned with."""
LOOKED = 2 * INCH
"""How often a way is looked at for enemies that see it."""
SPOTTED = 0.4
"""What it is worth that a recon unit sees an enemy, for the guns; up to four of them."""
SHARED = 0.4
"""How much less the enemy is feared for each fighter near by."""
NEAR = 10 * INCH
PACE = 0.6
"""What part of its points a unit makes on average: tests fail, ways wind."""
COMMITTED = 5
"""How many are sent to a place that is to be held."""
SLACK, LAST_SLACK = 2.0, 1.0
"""Turns in hand with which a unit wants to be at its objective."""
DASHING_SHOOT, DASHING_DUCK = 0.3, 0.2
BOLD_DUCK, BOLD_DASHING_DUCK = 0.12, 0.08
"""What the enemy's shots count for who has an area to reach: time is with the others."""
PASSENGER = 0.9
"""How much more of a target a carrier is for each passenger: it dies with the carrier."""
INTRUDER = 2.0
"""In the last two turns, what an enemy at a place that is to be held counts as a target."""
BRITTLE = 3
"""With so few losses left until it breaks, a side takes care..."""
CARE = 2.5
"""...and fears the enemy so much more, also on the last dash, which it leaves until the last moment."""

Key = tuple[object, ...]


class Memory:
    """What a bot keeps from question to question of a battle: many shots are alike, and the ways to an area change only with the enemy."""

    def __init__(self) -> None:
        self.shots: dict[Key, float] = {}
        self.lanes: dict[str, tuple[Key, Lanes]] = {}
        self._sorts: dict[tuple[UnitProfile, int], int] = {}
        self._sort_of: dict[str, int] = {}

    def sort_of(self, unit: Unit) -> int:
        """Units of one sort shoot and are hit alike."""
        found = self._sort_of.get(unit.id)
        if found is None:
            like = replace(unit.profile, id="x", name="x", formation="x"), unit.level
            found = self._sort_of[unit.id] = self._sorts.setdefault(like, len(self._sorts))
        return found


class Foe(NamedTuple):
    """An enemy on the ground or in a helicopter, with what is asked about it again and again."""

    unit: Unit
    centre: Point
    kind: str
    as_firer: Key
    as_target: Key
    rate: float


class Picture:
    """A battle as one side sees it."""

    def __init__(self, battle: Battle, side: str, memory: Memory | None = None) -> None:
        self.battle, self.side = battle, side
        self.friends = battle.side_units(side)
        self.enemies = battle.enemies(side)
        self._memory = Memory() if memory is None else memory
        self._dashing: dict[str, bool] = {}

    # -- what there is to win -------------------------------------------------------------------------------------

    @cached_property
    def goals(self) -> list[tuple[Hold | Reach, bool]]:
        """The objectives of this side, and whether it has them now."""
        objectives = self.battle.scenario.objectives
        mine = [one for one in objectives if isinstance(one, Hold) or one.side == self.side]
        return [(one, holder(self.battle, one) == self.side) for one in mine]

    @cached_property
    def holding(self) -> bool:
        """Whether there are places to be held."""
        return any(isinstance(goal, Hold) for goal, _ in self.goals)

    def goal(self, at: Point) -> Point:
        """Where to go from a place: the nearest objective that is not ours, else the nearest of them, else the middle."""
        places = [(mine, span(at, spot), spot) for goal, mine in self.goals for spot in (_spot_of(goal, at),)]
        if places:
            return min(places)[2]
        return self.battle.ground.width // 2, self.battle.ground.height // 2

    @cached_property
    def watch(self) -> Watch:
        """What the enemy sees."""
        return Watch(self.battle, self.enemies)

    def lanes(self, mobility: str) -> Lanes | None:
        """The ways to the objectives that are not ours, or to all of them if they are, for those that go on the ground."""
        if not self.goals or mobility not in ("tracked", "wheeled", "foot"):
            return None
        wanted = [goal for goal, mine in self.goals if not mine] or [goal for goal, _ in self.goals]
        known = self.watch.guns, self.battle.smoke, self.battle.wrecks, [goal.id for goal in wanted]
        kept = self._memory.lanes.get(mobility)
        if kept is None or kept[0] != known:
            lanes = Lanes(self.watch, mobility, lambda at: any(_counts_at(goal, at) for goal in wanted))
            kept = self._memory.lanes[mobility] = known, lanes
        return kept[1]

    def arrived(self, at: Point) -> bool:
        """Whether a unit at a place counts for an objective."""
        return any(_counts_at(goal, at) for goal, _ in self.goals)

    def striking(self, unit: Unit, at: Point) -> bool:
        """Whether one move leads from a place to an objective."""
        lanes = self.lanes(unit.profile.mobility)
        return lanes is not None and not self.arrived(at) and lanes.cost(at) <= unit.profile.movement

    def stake(self, enemy: Unit) -> float:
        """How much more an enemy matters than others: who carries others, and at the end who is where we want to be alone."""
        late = self.battle.turn >= self.battle.scenario.turns - 1
        intruder = late and self.holding and enemy.ground and self.arrived(enemy.centre)
        return (INTRUDER if intruder else 1.0) * (1 + PASSENGER * len(self.battle.passengers(enemy.id)))

    @cached_property
    def brittle(self) -> bool:
        """Whether a few more losses would break this side."""
        return self.battle.scenario.side(self.side).breaks_at - self.battle.losses(self.side) <= BRITTLE

    def goes(self, unit: Unit) -> bool:
        """Whether a unit makes for the objective: fighters on the ground do; where only numbers count, guns, flak and trucks as well."""
        if not self.goals or unit.profile.mobility == "none" or unit.profile.ghq or not unit.ground:
            return False
        return fights(unit) or not self.holding

    @cached_property
    def committed(self) -> set[str]:
        """Who goes whatever it costs: to a place that is to be held a few, the nearest; in the last turn and to an area all."""
        going = [one for one in self.friends if self.goes(one)]
        if not self.holding or self.battle.turn == self.battle.scenario.turns:
            return {one.id for one in going}
        found: set[str] = set()
        for goal, _ in self.goals:
            turns = sorted((span(one.centre, _spot_of(goal, one.centre)) / max(1.0, one.profile.movement), one.id) for one in going)
            found.update(id for _, id in turns[:COMMITTED])
        return found

    def dashing(self, unit: Unit) -> bool:
        """Whether it is time for a unit to make for the objective whatever it costs."""
        if self.battle.phase != "movement" or unit.id not in self.committed:
            return False
        found = self._dashing.get(unit.id)
        if found is None:
            now = self.battle.units[unit.id].centre
            lanes = self.lanes(unit.profile.mobility)
            way = 0.0 if lanes is None else lanes.cost(now)
            needed = way / (PACE * max(1.0, unit.profile.movement)) + (LAST_SLACK if self.brittle else SLACK)
            found = self._dashing[unit.id] = needed >= self.battle.scenario.turns - self.battle.turn + 1
        return found

    def company(self, unit: Unit) -> int:
        """How many fighters would be near a unit: there is safety in numbers, for the enemy fires at one of them."""
        x, y = unit.centre
        return sum(abs(one.centre[0] - x) < NEAR and abs(one.centre[1] - y) < NEAR for one in self.fighters if one.id != unit.id)

    @cached_property
    def fighters(self) -> list[Unit]:
        return [one for one in self.friends if fights(one) and not one.suppressed]

    # -- what a place is good for ---------------------------------------------------------------------------------

    def cover(self, at: Point, kind: str) -> int:
        """What the ground at a place adds to rolls against a unit there."""
        fire = CHARTS["terrain_fire"]
        records = [fire.record(one, kind) for one in terrain_at(self.battle, at)]
        return sum(record["modifier"] for record in records if record["condition"] == "always")

    def _as_firer(self, unit: Unit) -> Key:
        """What of a firer matters for its shots."""
        return self._memory.sort_of(unit), unit.suppressed, unit.disorganised, unit_in_smoke(self.battle, unit)

    def _as_target(self, unit: Unit) -> Key:
        """What of a target matters for shots at it."""
        ground = terrain_at(self.battle, unit.centre) if unit.ground else ()
        return self._memory.sort_of(unit), unit.suppressed, unit.disorganised, unit.in_move_state, unit.fired, bool(unit.road), ground

    @cached_property
    def _foes(self) -> list[Foe]:
        return [
            Foe(one, one.centre, one.kind, self._as_firer(one), self._as_target(one), RATE[one.profile.tl])
            for one in self.enemies
            if one.profile.target_class != "aircraft"
        ]

    @cached_property
    def threats(self) -> list[tuple[str, Point]]:
        """The enemies that can hurt armour, and where they are; all of them, if there are none."""
        return [(one.id, one.centre) for one in self.enemies if one.profile.ap or one.profile.atgm] or [
            (one.id, one.centre) for one in self.enemies
        ]

    def seen(self, unit: Unit) -> bool:
        """Whether any enemy sees a unit."""
        return any(sees(self.battle, enemy, unit).clear for enemy in self.enemies)

    def best_shot(self, firer: Unit, target: Unit) -> float:
        """What the best shot of a unit at another is worth, if it may fire at all; 0 if it has none."""
        seen = sees(self.battle, firer, target)
        far = span(firer.centre, target.centre)
        return self._shot(firer, target, self._as_firer(firer), self._as_target(target), far, seen) if seen.clear else 0.0

    def _shot(self, firer: Unit, target: Unit, as_firer: Key, as_target: Key, far: float, seen: Look) -> float:
        """The same along a clear line of sight."""
        if firer.profile.shells:
            return 0.0
        assert target.pose is not None
        side = aspect(target.pose, firer.centre) if target.profile.target_class == "armoured" else ""
        key = (as_firer, as_target, -int(-far // INCH), side, seen.over_crest)
        found = self._memory.shots.get(key)
        if found is None:
            shots = [shot(self.battle, firer, target, weapon) for weapon in weapons(firer, target)]
            found = self._memory.shots[key] = max((gain(target, one) for one in shots if one.refusal is None), default=0.0)
        return found

    def fire_on_the_way(self, unit: Unit, path: tuple[Point, ...]) -> float:
        """What the enemies that may still react can do to a unit on its way, each with one shot from where he first sees it."""
        battle = self.battle
        left = [foe for foe in self._foes if not foe.unit.settled and fire_refusal(battle, foe.unit) is None]
        feared: list[float] = []
        far = length(path)
        for step in range(1, int(far // LOOKED) + 2):
            at = point_at(path, min(far, step * LOOKED))
            there = replace(unit, pose=Pose(*at, heading_at(path, min(far, step * LOOKED), 0)), moving=True, road="")
            as_target = self._as_target(there)
            for foe in left:
                seen = look(battle, foe.centre, at, unit.kind)
                if seen.clear:
                    feared.append(self._shot(foe.unit, there, foe.as_firer, as_target, span(foe.centre, at), seen))
                    left = [one for one in left if one is not foe]
            if not left:
                break
        return sum(feared)

    def under(self, battle: Battle) -> Picture:
        """The same side's picture of a battle that might be."""
        return Picture(battle, self.side, self._memory)

    def balance(self) -> float:
        """What one's own units can do to the enemy in a turn, less what he can do, if he fires at anyone whom he sees."""
        battle = self.battle
        best: dict[str, float] = {}
        theirs: dict[str, list[float]] = {}
        as_keys = {one.id: (self._as_firer(one), self._as_target(one)) for one in self.friends}
        for unit in self.friends:
            as_firer, as_target = as_keys[unit.id]
            here = unit.centre
            for foe in self._foes:
                far = span(here, foe.centre)
                back = look(battle, foe.centre, here, unit.kind)
                if back.clear:
                    theirs.setdefault(foe.unit.id, []).append(self._shot(foe.unit, unit, foe.as_firer, as_target, far, back) * foe.rate)
                seen = look(battle, here, foe.centre, foe.kind)
                if seen.clear:
                    value = self._shot(unit, foe.unit, as_firer, foe.as_target, far, seen) * RATE[unit.profile.tl]
                    best[unit.id] = max(best.get(unit.id, 0.0), value)
        return SHOOT * sum(best.values()) - sum(sum(values) / len(values) for values in theirs.values())

    def _fear(self, dashing: bool) -> float:
        """What each shot of the enemy counts."""
        if self.goals and not self.holding:
            return BOLD_DASHING_DUCK if dashing else BOLD_DUCK
        return (DASHING_DUCK if dashing else DUCK) * (CARE if self.brittle else 1.0)

    def exchange(self, unit: Unit) -> float:
        """The best shot of a unit from where it would be, less the shots that the enemy has at it."""
        mine: list[float] = []
        theirs: list[float] = []
        battle, here, kind = self.battle, unit.centre, unit.kind
        sight = battle.scenario.visibility
        farthest = inf if sight is None else sight * INCH + 1
        as_firer, as_target = self._as_firer(unit), self._as_target(unit)
        for foe in self._foes:
            far = span(here, foe.centre)
            if far > farthest:
                continue
            # What hides a vehicle hides men as well (MA-LOS-02), and from both sides.
            seen = look(battle, here, foe.centre, "other")
            if not seen.clear:
                continue
            if foe.kind != "other":
                seen = look(battle, here, foe.centre, foe.kind)
            mine.append(self._shot(unit, foe.unit, as_firer, foe.as_target, far, seen) if seen.clear else 0.0)
            back = look(battle, foe.centre, here, kind)
            theirs.append(self._shot(foe.unit, unit, foe.as_firer, as_target, far, back) * foe.rate if back.clear else 0.0)
        last = self.dashing(unit)
        feared = sum(sorted(theirs, reverse=True)[:FEARED])
        value = (DASHING_SHOOT if last else SHOOT) * max(mine, default=0.0) * RATE[unit.profile.tl]
        if feared:
            value -= self._fear(last) * feared / (1 + SHARED * self.company(unit))
        if unit.profile.recon and not last:
            value += SPOTTED * min(4, len(mine))
        return value


def _spot_of(goal: Hold | Reach, at: Point) -> Point:
    """Where an objective is, seen from a place."""
    if isinstance(goal, Hold):
        return round(goal.at[0] * INCH), round(goal.at[1] * INCH)
    left, bottom, right, top = (round(edge * INCH) for edge in goal.area)
    return min(max(at[0], left + 100), right - INCH), min(max(at[1], bottom + INCH), top - INCH)


def _counts_at(goal: Hold | Reach, at: Point) -> bool:
    if isinstance(goal, Hold):
        return span(at, (goal.at[0] * INCH, goal.at[1] * INCH)) <= goal.radius * INCH - 200
    left, bottom, right, top = (edge * INCH for edge in goal.area)
    return left <= at[0] <= right and bottom <= at[1] <= top
