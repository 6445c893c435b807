"""How the bot sees a battle: who is there, what there is to win, what a place is good for. One picture for each question."""

from __future__ import annotations

from functools import cached_property

from sandtable.bots.micro_armour.worth import fights, gain
from sandtable.field.shapes import Point, span
from sandtable.games.micro_armour.battle import INCH, Battle, Unit
from sandtable.games.micro_armour.fire import shot, weapons
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.procedures import CHARTS
from sandtable.games.micro_armour.profile import Hold, Reach
from sandtable.games.micro_armour.sight import aspect, look, sees, unit_in_smoke
from sandtable.games.micro_armour.victory import holder

RATE = {1: 1.0, 2: 1.0, 3: 1.0, 4: 1.7, 5: 2.4}
"""How many shots a turn a Tech Level is good for, early ones counting more."""
SHOOT = 0.7
"""What the best shot from a place counts."""
DUCK = 0.25
"""What each shot of the enemy at a place counts against it."""
FEARED = 5
"""How many of the enemy's shots are reckoned with."""
SPOTTED = 0.4
"""What it is worth that a recon unit sees an enemy, for the guns; up to four of them."""
LAST_DASH = 1
"""So many turns before the end it is time to be at a place that is to be held, whatever it costs. Elsewhere only the last turn is."""
DASHING_SHOOT, DASHING_DUCK = 0.3, 0.08

Shots = dict[tuple[object, ...], float]
"""What shots are worth, remembered for a whole battle: many of them are alike."""


class Picture:
    """A battle as one side sees it."""

    def __init__(self, battle: Battle, side: str, shots: Shots | None = None) -> None:
        self.battle, self.side = battle, side
        self.friends = battle.side_units(side)
        self.enemies = battle.enemies(side)
        self._shots: Shots = {} if shots is None else shots

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

    def arrived(self, at: Point) -> bool:
        """Whether a unit at a place counts for an objective."""
        return any(_counts_at(goal, at) for goal, _ in self.goals)

    def goes(self, unit: Unit) -> bool:
        """Whether a unit makes for the objective: fighters do; where only numbers count, everything that rolls but the GHQ."""
        if not self.goals or unit.profile.mobility == "none" or unit.profile.ghq:
            return False
        return fights(unit) or (unit.ground and not self.holding)

    @cached_property
    def dashing(self) -> bool:
        """Whether it is time to be at the objective whatever it costs."""
        left = self.battle.scenario.turns - self.battle.turn
        return bool(self.goals) and self.battle.phase == "movement" and left <= (LAST_DASH if self.holding else 0)

    # -- what a place is good for ---------------------------------------------------------------------------------

    def cover(self, at: Point, kind: str) -> int:
        """What the ground at a place adds to rolls against a unit there."""
        fire = CHARTS["terrain_fire"]
        records = [fire.record(one, kind) for one in terrain_at(self.battle, at)]
        return sum(record["modifier"] for record in records if record["condition"] == "always")

    def best_shot(self, firer: Unit, target: Unit) -> float:
        """What the best shot of a unit at another is worth, if it may fire at all; 0 if it has none."""
        battle = self.battle
        seen = sees(battle, firer, target)
        if not seen.clear or firer.profile.shells:
            return 0.0
        assert target.pose is not None
        key = (
            firer.id,
            firer.suppressed,
            firer.disorganised,
            target.id,
            target.suppressed,
            target.disorganised,
            target.in_move_state,
            target.fired,
            bool(target.road),
            -int(-span(firer.centre, target.centre) // INCH),
            aspect(target.pose, firer.centre) if target.profile.target_class == "armoured" else "",
            seen.over_crest,
            terrain_at(battle, target.centre) if target.ground else (),
            unit_in_smoke(battle, firer),
        )
        found = self._shots.get(key)
        if found is None:
            shots = [shot(battle, firer, target, weapon) for weapon in weapons(firer, target)]
            found = self._shots[key] = max((gain(target, one) for one in shots if one.refusal is None), default=0.0)
        return found

    def exchange(self, unit: Unit) -> float:
        """The best shot of a unit from where it would be, less the shots that the enemy has at it."""
        mine: list[float] = []
        theirs: list[float] = []
        here = unit.centre
        for enemy in self.enemies:
            # What hides a vehicle hides men as well (MA-LOS-02), and from both sides.
            if enemy.profile.target_class != "aircraft" and look(self.battle, here, enemy.centre, "other").clear:
                mine.append(self.best_shot(unit, enemy))
                theirs.append(self.best_shot(enemy, unit) * RATE[enemy.profile.tl])
        last = self.dashing and self.goes(unit)
        feared = sum(sorted(theirs, reverse=True)[:FEARED])
        value = (DASHING_SHOOT if last else SHOOT) * max(mine, default=0.0) * RATE[unit.profile.tl]
        value -= (DASHING_DUCK if last else DUCK) * feared
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
