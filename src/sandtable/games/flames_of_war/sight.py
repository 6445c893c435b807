"""Who sees whom, and what a shot would be: range, arc, line of sight, friends in the way, cover, the armour that is hit.

`visible` asks terrain and smoke only; `sight` asks one weapon's line, friends included; `shot` gives all the facts of a shot as the
procedures want them, or why it is not possible.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.field.shapes import (
    GRID,
    TOLERANCE,
    Point,
    Polygon,
    Pose,
    bearing,
    bounds,
    boxes_apart,
    distance,
    front_middle,
    in_front,
    in_half_circle,
    overlap,
    pierces,
    rectangle,
    within,
)
from sandtable.field.sight import Blocker, Line, gap_bridges, sees
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.command import far
from sandtable.games.flames_of_war.lie import FIRE_GAP, RIGHT_AT, Door, Lie, Smokes, Stand, Way, land_of
from sandtable.games.flames_of_war.procedures.shooting import BulletproofCover, Concealed, Concealment, bulletproof_cover, concealment
from sandtable.games.flames_of_war.profile import Weapon
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.messages import say

LONG_RANGE = far("long_range")
_QUIET = Dice()
"""For procedures that roll nothing: it takes notes and drops them."""


# -- where teams stand ------------------------------------------------------------------------------------------------


def viewer_of(battle: Battle, team: Team) -> Team:
    """Who looks for a team: a passenger looks from its vehicle (FOW-OBS-06)."""
    return battle.teams[team.mounted_in or team.towed_by] if team.carried else team


def stand_of(battle: Battle, team: Team) -> Stand:
    """A team's place with what the terrain says about it. Works for a team put anywhere by `replace(team, pose=...)`."""
    return _stand(land_of(battle.ground).lie, team)


def _stand(lie: Lie, team: Team) -> Stand:
    known = _STANDS.get(id(team))
    if known is not None and known[0] is team and known[1] is lie:
        return known[2]
    profile = team.profile
    stand = lie.stand(team.base, team.centre, profile.height, profile.vehicle, team.building)
    if len(_STANDS) > 20_000:
        _STANDS.clear()
    _STANDS[id(team)] = (team, lie, stand)  # holding the team keeps its id from being used again
    return stand


_STANDS: dict[int, tuple[Team, Lie, Stand]] = {}


class _Memo:
    """Answers about one battle, kept while it is the one that is asked about: the same shots are looked at again and again."""

    def __init__(self, battle: Battle | None = None) -> None:
        self.battle = battle
        self.lines: dict[object, Sight] = {}
        self.seen: dict[tuple[str, str], bool] = {}
        self.facts: dict[object, Shot] = {}
        self.friends: dict[str, list[Friend]] = {}
        self.around: dict[tuple[str, Point], tuple[float, list[Friend]]] = {}
        self.targets: dict[str, dict[str, Any]] = {}


_memo = _Memo()


def memo_of(battle: Battle) -> _Memo:
    global _memo
    memo = _memo  # of one's own: bots and players' questions are answered in threads
    if memo.battle is not battle:
        memo = _memo = _Memo(battle)
    return memo


def _friends_of(battle: Battle, shooter: Team, far_off: float) -> list[Friend]:
    """The teams that can be in the way of a shooter's fire so far off: centre, size and team. In a big battle only those around it."""
    memo = memo_of(battle)
    found = memo.friends.get(shooter.side)
    if found is None:
        found = memo.friends[shooter.side] = [_friend(team) for team in battle.side_teams(shooter.side) if not team.building]
    if len(found) <= _MANY_FRIENDS:
        return found
    # By the place, not by the team: somebody may ask for a shooter who is not there yet.
    reach, near = memo.around.get((shooter.side, shooter.centre), (0.0, found))
    if reach < far_off:
        reach = max(far_off, _USUAL_RANGE)
        x, y = shooter.centre
        standing = battle.standing_near(x - reach, y - reach, x + reach, y + reach)
        near = [_friend(team) for team in standing if team.side == shooter.side and not team.building]
        memo.around[shooter.side, shooter.centre] = (reach, near)
    return near


Friend = tuple[int, int, float, Team]
_MANY_FRIENDS = 40
_USUAL_RANGE = 40 * INCH


def _friend(team: Team) -> Friend:
    return (*team.centre, (team.profile.width + team.profile.depth) / 2, team)


def point_stand(battle: Battle, point: Point) -> Stand:
    """A bare place on the ground, as high as a man."""
    return land_of(battle.ground).lie.stand((point,), point, 1, True, "")


def smokes_of(battle: Battle) -> Smokes:
    return tuple([smoke.shape for smoke in battle.smoke]) if battle.smoke else ()


def mount_point(team: Team, weapon: Weapon | None) -> Point | None:
    """Where a vehicle's weapon sits, if not at its centre: a hull weapon in the middle of the front edge (FOW-RULING-68)."""
    if weapon is None or weapon.mount != "hull" or not team.profile.vehicle:
        return None
    assert team.pose is not None
    return front_middle(team.pose, team.profile.width, team.profile.depth)


def sight_point(battle: Battle, team: Team, weapon: Weapon | None, opening: int | None) -> Point:
    """The one point that concealment and facing are judged from: the weapon, a base's centre, the opening."""
    if opening is not None:
        return land_of(battle.ground).lie.doors(team.building)[opening].middle
    return mount_point(team, weapon) or team.centre


def gap_to(battle: Battle, shooter: Team, target: Team, opening: int | None = None) -> float:
    """Range: from any point of the shooter (or its opening, FOW-RULING-69) to the nearest of the target (FOW-TGT-06)."""
    if opening is None:
        return _gap(shooter.base, target.base)
    return _gap(land_of(battle.ground).lie.doors(shooter.building)[opening].edge, target.base)


@lru_cache(maxsize=100_000)
def _gap(one: Polygon, two: Polygon) -> float:
    return distance(one, two)


def inches(gap: float) -> float:
    """A distance in inches for a procedure; what the table's tolerance calls exactly 16" is exactly 16."""
    whole = round(gap / GRID)
    return float(whole) if 0 < gap - whole * GRID <= TOLERANCE else gap / GRID


# -- sight: terrain and smoke -------------------------------------------------------------------------------------------


def visible(battle: Battle, viewer: Team, target: Team) -> bool:
    """Whether a team sees another, by terrain and smoke (FOW-LOS-01); friends and arcs do not matter."""
    if viewer.pose is None or not target.on_table:
        return False
    if battle.teams.get(viewer.id) is not viewer or battle.teams.get(target.id) is not target:
        return _visible(battle, viewer, target)  # a team put somewhere else: nothing is kept
    seen = memo_of(battle).seen
    key = (viewer.id, target.id)
    found = seen.get(key)
    if found is None:
        found = seen[key] = _visible(battle, viewer, target)
    return found


def _visible(battle: Battle, viewer: Team, target: Team) -> bool:
    viewer = viewer_of(battle, viewer)
    lie, smokes = land_of(battle.ground).lie, smokes_of(battle)
    a, b = _stand(lie, viewer), _stand(lie, target)
    if lie.way(a, b, None, None, smokes).sight.clear:
        return True
    if viewer.profile.vehicle and not viewer.building:
        for weapon in viewer.profile.weapons:
            if (origin := mount_point(viewer, weapon)) is not None:
                return lie.way(a, b, origin, None, smokes).sight.clear
    return False


def visible_enemies(battle: Battle, who: str | Team) -> list[Team]:
    """The enemies that a team, or any team of a side, sees."""
    if isinstance(who, Team):
        return [enemy for enemy in battle.enemies(who.side) if visible(battle, who, enemy)]
    own = battle.side_teams(who)
    return [enemy for enemy in battle.enemies(who) if any(visible(battle, team, enemy) for team in own)]


def visible_map(battle: Battle, side: str) -> dict[str, list[str]]:
    """For each team of a side on the table, the ids of the enemies it sees."""
    enemies = battle.enemies(side)
    return {team.id: [enemy.id for enemy in enemies if visible(battle, team, enemy)] for team in battle.side_teams(side)}


def seen_by_enemy(battle: Battle, team: Team) -> list[Team]:
    """The enemies that see a team."""
    return [enemy for enemy in battle.enemies(team.side) if visible(battle, enemy, team)]


def sight_to_point(battle: Battle, viewer: Team, point: Point) -> bool:
    """Whether a team sees a place on the ground: for spotters."""
    if viewer.pose is None:
        return False
    viewer = viewer_of(battle, viewer)
    lie = land_of(battle.ground).lie
    return lie.way(stand_of(battle, viewer), point_stand(battle, point), None, None, smokes_of(battle)).sight.clear


# -- sight: one weapon, friends included --------------------------------------------------------------------------------


class Sight(msgspec.Struct, frozen=True):
    """A weapon's line to a target: clear, or what blocks it where. `over` are friends that are shot over (FOW-LOS-04)."""

    clear: bool
    blocked_by: str = ""
    name: str = ""
    at_in: float | None = None
    rule: str = ""
    over: tuple[str, ...] = ()
    opening: int | None = None

    def refusal(self) -> Refusal | None:
        if self.clear:
            return None
        if self.at_in is None:
            return Refusal(self.rule, say("refused.sight", by=self.name))
        return Refusal(self.rule, say("refused.sight_at", by=self.name, inches=self.at_in))


def sight(
    battle: Battle, shooter: Team, target: Team, weapon: Weapon | None = None, *, opening: int | None = None, firing: Collection[str] = ()
) -> Sight:
    """Whether a weapon has a clear line to a target, friends in the way included (FOW-LOS-01 to -07).

    From a building the best opening is used unless one is given. `firing` are teams that shoot at the same time: foot teams among them
    cannot be shot over.
    """
    if battle.teams.get(shooter.id) is not shooter or battle.teams.get(target.id) is not target:
        return _sight(battle, shooter, target, weapon, opening, firing)  # a team put somewhere else: nothing is kept
    hull = weapon is not None and weapon.mount == "hull"
    key = (shooter.id, target.id, hull, opening, frozenset(firing) if firing else None)
    lines = memo_of(battle).lines
    found = lines.get(key)
    if found is None:
        found = lines[key] = _sight(battle, shooter, target, weapon, opening, firing)
    return found


def _sight(battle: Battle, shooter: Team, target: Team, weapon: Weapon | None, opening: int | None, firing: Collection[str]) -> Sight:
    lie, smokes = land_of(battle.ground).lie, smokes_of(battle)
    a, b = _stand(lie, shooter), _stand(lie, target)
    origin = mount_point(shooter, weapon)
    way = lie.way(a, b, origin, opening, smokes)
    if not way.sight.clear:
        return blocked(lie, way)
    line = way.sight.line
    if line is None:
        return Sight(True, opening=opening)  # both in one building
    friends = _friends_between(battle, shooter, target, a, b)
    if all(_passes_by(line, friend) for friend in friends):
        return Sight(True, opening=opening)  # the line found is an inch away from every friend
    # What friends do depends on where they stand and on who of them may be shot over: that is kept from battle to battle.
    key = (
        a,
        b,
        origin,
        opening,
        smokes,
        tuple([(one.id, _stand(lie, one), may_be_shot_over(one), one.id in firing) for one in friends]),
    )
    known = lie.passed.get(key)
    if not isinstance(known, Sight):
        if len(lie.passed) > 20_000:
            lie.passed.clear()
        known = lie.passed[key] = _past_friends(battle, lie, way, a, b, origin, opening, friends, firing)
    return known


_RULES = {"line": "FOW-LOS-08", "hill": "FOW-LOS-11", "building": "FOW-LOS-16"}


def blocked(lie: Lie, way: Way) -> Sight:
    """What blocks, in words: "North wood, at 11.2 in"."""
    verdict = way.sight
    by = verdict.blocked_by or ""
    at = None if verdict.at is None else round(verdict.at / INCH, 1)
    if verdict.why == "length":
        return Sight(False, "", "inside_area_terrain", at, "FOW-LOS-14")
    if verdict.why == "depth":
        return Sight(False, by, lie.names.get(by, by), at, "FOW-LOS-14")
    if by == "smoke":
        return Sight(False, by, "smoke", at, "FOW-LOS-18")
    if "|" in by:
        return Sight(False, by, " / ".join(lie.names.get(one, one) for one in by.split("|")), at, "FOW-LOS-07")
    if by not in lie.by_id:
        return Sight(False, by, by or "terrain", at, "FOW-LOS-01")
    form = lie.by_id[by].form
    return Sight(False, by, lie.names[by], at, _RULES.get(form, "FOW-LOS-12"))


@lru_cache(maxsize=4096)
def _friend_blocker(id: str, base: Polygon) -> Blocker:
    return Blocker(id, base)


def _friends_between(battle: Battle, shooter: Team, target: Team, a: Stand, b: Stand) -> list[Team]:
    """Friends near the line, but for those it passes above (FOW-LOS-05)."""
    (ax, ay), (bx, by) = a.centre, b.centre
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if not square:
        return []
    corridor = max(a.box[2] - a.box[0], a.box[3] - a.box[1], b.box[2] - b.box[0], b.box[3] - b.box[1])
    found = []
    length = square**0.5
    # The corridor between two bases and an inch for the gaps; with the friend's own size: nobody farther off matters.
    wide = FIRE_GAP + corridor / 2
    for x, y, size, friend in _friends_of(battle, shooter, length + wide + 6 * INCH):  # no base is bigger
        reach = (wide + size) * length
        across = dx * (y - ay) - dy * (x - ax)
        if across > reach or across < -reach:
            continue
        along = dx * (x - ax) + dy * (y - ay)
        if along < -reach or along > square + reach or friend.id == shooter.id:
            continue
        if not _passes_above(battle, a, b, friend, dx, dy, square):
            found.append(friend)
    return found


def _passes_by(line: Line, friend: Team) -> bool:
    """Whether a line leaves an inch between it and a friend."""
    (ax, ay), (bx, by) = line
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    # Most friends stand wholly beside the line, before its start or beyond its end; what is left is measured.
    reach = (FIRE_GAP + 1) * square**0.5
    x, y = friend.centre
    along_it = dx * (x - ax) + dy * (y - ay)
    inner = FIRE_GAP + min(friend.profile.width, friend.profile.depth) / 2 - 1
    if 0 <= along_it <= square and abs(dx * (y - ay) - dy * (x - ax)) < inner * square**0.5:
        return False
    across = [dx * (y - ay) - dy * (x - ax) for x, y in friend.base]
    if min(across) > reach or max(across) < -reach:
        return True
    along = [dx * (x - ax) + dy * (y - ay) for x, y in friend.base]
    if min(along) > square + reach or max(along) < -reach:
        return True
    return distance(line, friend.base) >= FIRE_GAP


def _passes_above(battle: Battle, a: Stand, b: Stand, friend: Team, dx: int, dy: int, square: int) -> bool:
    """From different heights the line rises evenly and may pass over a friend's head (FOW-LOS-05, FOW-RULING-68)."""
    if a.level == b.level:
        return False
    level = stand_of(battle, friend).level
    if min(a.level, b.level) > level:
        return True
    places = [((x - a.centre[0]) * dx + (y - a.centre[1]) * dy) / square for x, y in friend.base]
    lowest = min(max(places), 1.0) if a.level > b.level else max(min(places), 0.0)
    return a.level + (b.level - a.level) * lowest > level


def _past_friends(
    battle: Battle,
    lie: Lie,
    way: Way,
    a: Stand,
    b: Stand,
    origin: Point | None,
    opening: int | None,
    friends: Sequence[Team],
    firing: Collection[str],
) -> Sight:
    """No shot if every line passes through a friend (FOW-LOS-03, FOW-RULING-09) or a gap of less than an inch (FOW-LOS-06, -07).

    Friends on foot that keep still may be shot over (FOW-LOS-04), as few of them as possible.
    """
    solid = [_friend_blocker(friend.id, friend.base) for friend in friends]
    low = [friend.id for friend in friends if may_be_shot_over(friend) and friend.id not in firing]

    def line_without(passed: Collection[str]) -> bool:
        left = [blocker for blocker in solid if blocker.id not in passed]
        blockers = [*way.blockers, *left]
        if left:
            blockers += gap_bridges([*left, *_near(way.blockers, left)], FIRE_GAP)
        return any(
            sees(source, goal, blockers, way.limits, way.longest).clear
            for source in lie.sources(a, origin, opening)
            for goal in lie.targets(b)
        )

    if line_without(()):
        return Sight(True, opening=opening)
    for one in low:  # FOW-LOS-04: over friends on foot that keep still, as few as possible
        if line_without((one,)):
            return Sight(True, over=(one,), opening=opening)
    if len(low) > 1 and line_without(low):
        return Sight(True, over=_fewest(low, line_without), opening=opening)
    centre, goal = a.centre, b.centre
    through = next((blocker.id for blocker in solid if pierces(centre, goal, blocker.shape)), solid[0].id)
    rule = "FOW-LOS-04" if through in firing and may_be_shot_over(battle.teams[through]) else "FOW-LOS-03"
    at = round(_gap(a.base, battle.teams[through].base) / INCH, 1)
    return Sight(False, through, battle.teams[through].profile.name, at, rule)


def _fewest(low: Sequence[str], clear: object) -> tuple[str, ...]:
    """Leave out, one by one, those that need not be shot over."""
    over = list(low)
    for one in low:
        rest = [id for id in over if id != one]
        if clear(rest):  # type: ignore[operator]
            over = rest
    return tuple(over)


def _near(blockers: Sequence[Blocker], friends: Sequence[Blocker]) -> list[Blocker]:
    """The terrain less than an inch from some friend."""
    found = []
    for blocker in blockers:
        x0, y0, x1, y1 = blocker.box
        if len(blocker.shape) > 2 and any(
            x0 - FIRE_GAP <= f.box[2] and x1 + FIRE_GAP >= f.box[0] and y0 - FIRE_GAP <= f.box[3] and y1 + FIRE_GAP >= f.box[1]
            for f in friends
        ):
            found.append(blocker)
    return found


def may_be_shot_over(friend: Team) -> bool:
    """Infantry and man-packed guns that did not move this turn and do not shoot this step (FOW-LOS-04)."""
    return friend.profile.foot and not friend.moved and not friend.shot


# -- cover ------------------------------------------------------------------------------------------------------------


def in_smoke(battle: Battle, team: Team) -> bool:
    return any(overlap(smoke.shape, team.base) for smoke in battle.smoke)


def concealed(
    battle: Battle, shooter: Team, target: Team, weapon: Weapon | None = None, opening: int | None = None, dice: Dice = _QUIET
) -> Concealed:
    """Whether a target is concealed and gone to ground, seen from a shooter (FOW-CONC-01 to -08)."""
    if shooter.carried:
        shooter = viewer_of(battle, shooter)
    profile = target.profile
    platoon = battle.platoons[target.platoon]
    # Digging in counts as moving for the rate of fire only (FOW-RULING-14).
    moved = target.moved and not (target.dug_in or target.digging)
    smoky = bool(battle.smoke) and in_smoke(battle, target)
    from_smoke = bool(battle.smoke) and in_smoke(battle, shooter)
    hidden = ""
    if not (target.building or target.dug_in or smoky or from_smoke or (profile.foot and not moved and not platoon.at_the_double)):
        lie, wrecks = land_of(battle.ground)
        a, b = _stand(lie, shooter), _stand(lie, target)
        if opening is None and shooter.building:
            opening = 0
        hidden = lie.hides(a, sight_point(battle, shooter, weapon, opening), b, wrecks, smokes_of(battle))
    facts = Concealment(
        kind=profile.concealment_kind,  # type: ignore[arg-type]
        moved=moved,
        at_the_double=platoon.at_the_double,
        shot=target.shot,
        assaulted=target.assaulted,
        recon="recon" in profile.traits,
        observer="observer" in profile.traits,
        terrain_hides_half=hidden == "half",
        in_concealing_terrain=hidden == "in",
        behind_obstacle=hidden == "crest",
        in_building=bool(target.building),
        dug_in=target.dug_in,
        in_smoke=smoky,
        shooter_in_smoke=from_smoke,
        spotted=target.spotted,
    )
    return _quietly(facts) if dice is _QUIET else concealment(facts, dice)


@lru_cache(maxsize=4096)
def _quietly(facts: Concealment) -> Concealed:
    """The same facts come up again and again, and nobody hears the notes."""
    return concealment(facts, _QUIET)


def from_front(target: Team, point: Point) -> bool:
    """Whether a shot from a point comes from beyond the line across the target's front edge (FOW-RULING-18)."""
    assert target.pose is not None
    return in_front(target.pose, target.profile.width, target.profile.depth, point)


def covered(battle: Battle, shooter: Team, target: Team, point: Point, dice: Dice = _QUIET) -> bool:
    """Whether a target is in bulletproof cover against a shot from a point (FOW-CONC-06, FOW-SAVE-10, FOW-RULING-14)."""
    if not (target.building or target.dug_in or target.profile.gun_shield):
        return False
    facts = BulletproofCover(
        in_building=bool(target.building),
        shooter_at_opening=bool(target.building) and at_opening(battle, shooter, target.building),
        dug_in=target.dug_in,
        gun_shield=target.profile.gun_shield,
        hit_from_front=from_front(target, point),
        at_the_double=battle.platoons[target.platoon].at_the_double,
    )
    return bulletproof_cover(facts, dice).bulletproof


def at_opening(battle: Battle, team: Team, building: str) -> bool:
    """Right at an opening of a building, or inside it: at most a quarter of an inch away (FOW-RULING-69)."""
    if team.building == building:
        return True
    return any(within(distance(team.base, door.edge), RIGHT_AT) for door in land_of(battle.ground).lie.doors(building))


# -- openings -----------------------------------------------------------------------------------------------------------


def openings(battle: Battle, building: str) -> tuple[Door, ...]:
    """A building's openings as sight takes them."""
    return land_of(battle.ground).lie.doors(building)


def opening_taken(battle: Battle, team: Team, opening: int, others: Sequence[tuple[str, int]] = ()) -> bool:
    """Whether other teams fill an opening in this step: one team each, more where they fit side by side (FOW-BLDG-04).

    `others` are teams with openings that are about to fire, besides those that have.
    """
    width = openings(battle, team.building)[opening].width
    name = f"{team.building}#{opening}"
    users = [one for one in battle.teams.values() if one.opening == name and one.id != team.id and one.alive]
    users += [battle.teams[id] for id, door in others if door == opening and id != team.id and battle.teams[id].building == team.building]
    return bool(users) and not within(sum(one.profile.width for one in users) + team.profile.width, width)


# -- shots ----------------------------------------------------------------------------------------------------------------


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """All the facts of one weapon's shot at one team, or why it cannot be made."""

    shooter: str
    weapon: str
    target: str
    refusal: Refusal | None = None
    distance_in: float = 0.0
    concealed: bool = False
    gone_to_ground: bool = False
    bulletproof: bool = False
    facing: str = ""
    """Which armour is hit: front or side; nothing for teams without armour."""
    armour: int | None = None
    long_range: bool = False
    within_16: bool = True
    over: tuple[str, ...] = ()
    """Friends on foot that are shot over (FOW-LOS-04)."""
    opening: int | None = None
    turn: int | None = None
    """The facing it must turn to first (FOW-ARC-03)."""

    @property
    def allowed(self) -> bool:
        return self.refusal is None


def may_fire(battle: Battle, team: Team, *, defensive: bool = False) -> Refusal | None:
    """Why a team cannot shoot at all just now."""
    platoon = battle.unit_of(team)
    own = battle.platoons[team.platoon]
    if team.fate or team.pose is None:
        return Refusal("FOW-TGT-05", say("refused.not_on_table", team=team.id))
    if team.carried:
        return Refusal("FOW-DICE-04", say("refused.shoot_passenger", team=team.id))
    if team.bailed_out:
        return Refusal("FOW-BAIL-01", say("refused.shoot_bailed_out", team=team.id))
    if team.bogged:
        return Refusal("FOW-BOG-05", say("refused.shoot_bogged", team=team.id))
    if not any(weapon.direct_fire for weapon in team.profile.weapons):
        return Refusal("FOW-ART-02", say("refused.no_direct_fire", team=team.id))
    if platoon.disengaged or own.disengaged:
        return Refusal("FOW-REC-10", say("refused.shoot_disengaged", team=team.id))
    if defensive:
        return None
    if platoon.at_the_double or own.at_the_double:
        return Refusal("FOW-DBL-07", say("refused.shoot_double", platoon=platoon.name))
    if platoon.reorganising or own.reorganising:
        return Refusal("FOW-REC-11", say("refused.reorganising", platoon=platoon.name))
    if team.busy:
        return Refusal("FOW-DEC-10", say("refused.shoot_busy", team=team.id))
    if team.named_leader:
        return Refusal("FOW-CMD-11", say("refused.shoot_named_leader", team=team.id))
    if team.shot_over:
        return Refusal("FOW-RULING-68", say("refused.shot_over", team=team.id))
    if team.shot:
        return Refusal("FOW-TGT-01", say("refused.has_shot", team=team.id))
    return None


def shot(
    battle: Battle,
    shooter: Team,
    weapon: Weapon,
    target: Team,
    *,
    defensive: bool = False,
    opening: int | None = None,
    firing: Collection[str] = (),
    others: Sequence[tuple[str, int]] = (),
) -> Shot:
    """The facts of a shot. `firing` and `others` as in `sight` and `opening_taken`: what the rest of the platoon does meanwhile."""

    def refused(rule: str, message: str, **arguments: object) -> Shot:
        return Shot(shooter=shooter.id, weapon=weapon.id, target=target.id, refusal=Refusal(rule, say(message, **arguments)))

    why_not = may_fire(battle, shooter, defensive=defensive)
    if why_not is not None:
        return Shot(shooter=shooter.id, weapon=weapon.id, target=target.id, refusal=why_not)
    if not weapon.direct_fire:
        return refused("FOW-ART-02", "refused.no_direct_fire", team=shooter.id)
    if target.side == shooter.side or target.fate or target.pose is None:
        return refused("FOW-TGT-05", "refused.no_target", team=target.id)
    if target.carried:
        return refused("FOW-TRN-08" if target.towed_by else "FOW-RULING-67", "refused.carried_target", team=target.id)
    if shooter.building and shooter.building != target.building:
        return _shot_from_building(battle, shooter, weapon, target, defensive, opening, firing, others)
    return aimed_shot(battle, shooter, weapon, target, defensive, None, firing)


def _shot_from_building(
    battle: Battle,
    shooter: Team,
    weapon: Weapon,
    target: Team,
    defensive: bool,
    opening: int | None,
    firing: Collection[str],
    others: Sequence[tuple[str, int]],
) -> Shot:
    """Through the free opening nearest to the target that allows it (FOW-BLDG-03, -04, FOW-ARC-05, FOW-RULING-69)."""
    doors = openings(battle, shooter.building)
    choices = range(len(doors)) if opening is None else (opening,)
    tried: list[Shot] = []
    for number in sorted(choices, key=lambda n: _gap(doors[n].edge, target.base)):
        if opening_taken(battle, shooter, number, others):
            refusal = Refusal("FOW-BLDG-04", say("refused.opening_taken", building=shooter.building))
            tried.append(Shot(shooter=shooter.id, weapon=weapon.id, target=target.id, refusal=refusal))
            continue
        found = aimed_shot(battle, shooter, weapon, target, defensive, number, firing)
        if found.allowed:
            return found
        tried.append(found)
    if not tried:
        refusal = Refusal("FOW-BLDG-03", say("refused.no_opening", building=shooter.building))
        return Shot(shooter=shooter.id, weapon=weapon.id, target=target.id, refusal=refusal)
    return tried[0]


def aimed_shot(
    battle: Battle, shooter: Team, weapon: Weapon, target: Team, defensive: bool, opening: int | None, firing: Collection[str] = ()
) -> Shot:
    """The facts of a shot by a team that may fire, at a team that may be aimed at; from a building, through one opening."""
    aim = take_aim(battle, shooter, weapon, target, defensive, opening, firing)
    if isinstance(aim, Shot):
        return aim
    found = hit_facts(battle, shooter, weapon, target, defensive=defensive, opening=opening)
    return replace(found, over=aim.over, turn=aim.turn) if aim.over or aim.turn is not None else found


class Aim(NamedTuple):
    """A shot that can be made: the friends it goes over, and the facing it must turn to first."""

    over: tuple[str, ...]
    turn: int | None


def take_aim(
    battle: Battle, shooter: Team, weapon: Weapon, target: Team, defensive: bool, opening: int | None, firing: Collection[str] = ()
) -> Aim | Shot:
    """Whether such a shot can be made; if not, a shot with the reason."""

    def refused(rule: str, message: str, **arguments: object) -> Shot:
        refusal = Refusal(rule, say(message, **arguments))
        return Shot(shooter=shooter.id, weapon=weapon.id, target=target.id, distance_in=far_in, refusal=refusal)

    assert weapon.range_in is not None
    gap = gap_to(battle, shooter, target, opening)
    far_in = inches(gap)
    if not within(gap, weapon.range_in * INCH):
        return refused("FOW-TGT-06", "refused.range", weapon=weapon.name, range=weapon.range_in, distance=round(far_in, 1))
    mounted = shooter.profile.team_type == "cavalry"
    if mounted and shooter.moved and not defensive and not within(gap, far("mounted_cavalry_shot")):
        return refused("FOW-DICE-05", "refused.cavalry", distance=round(far_in, 1))
    if not in_arc(battle, shooter, weapon, target, opening):
        return refused("FOW-ARC-02" if opening is None else "FOW-ARC-05", "refused.arc", weapon=weapon.name)
    line = sight(battle, shooter, target, weapon, opening=opening, firing=firing)
    if not line.clear:
        return Shot(shooter=shooter.id, weapon=weapon.id, target=target.id, distance_in=far_in, refusal=line.refusal())
    turn = None
    if not weapon.all_round and not shooter.building:
        turn = turn_to(shooter, target)
        if turn is not None and not room_to_turn(battle, shooter, turn):
            return refused("FOW-ARC-04", "refused.no_room", team=shooter.id)
    return Aim(line.over, turn)


def hit_facts(battle: Battle, shooter: Team, weapon: Weapon, target: Team, *, defensive: bool = False, opening: int | None = None) -> Shot:
    """What a hit of a weapon on a team means, whether or not it could be aimed at: distance, cover, armour."""
    if battle.teams.get(shooter.id) is not shooter or battle.teams.get(target.id) is not target:
        return _hit_facts(battle, shooter, weapon, target, defensive, opening)
    key = (shooter.id, target.id, weapon.mount == "hull", opening, defensive)
    kept = memo_of(battle).facts
    found = kept.get(key)
    if found is None:
        found = kept[key] = _hit_facts(battle, shooter, weapon, target, defensive, opening)
    return found if found.weapon == weapon.id else replace(found, weapon=weapon.id)


def _hit_facts(battle: Battle, shooter: Team, weapon: Weapon, target: Team, defensive: bool, opening: int | None) -> Shot:
    gap = gap_to(battle, shooter, target, opening)
    point = sight_point(battle, shooter, weapon, opening)
    seen = concealed(battle, shooter, target, weapon, opening)
    facing, armour = armour_hit(target, point, defensive=defensive)
    near = within(gap, LONG_RANGE)
    return Shot(
        shooter=shooter.id,
        weapon=weapon.id,
        target=target.id,
        distance_in=inches(gap),
        concealed=seen.concealed,
        gone_to_ground=seen.gone_to_ground,
        bulletproof=covered(battle, shooter, target, point),
        facing=facing,
        armour=armour,
        long_range=not near,
        within_16=near,
        opening=opening,
    )


def armour_hit(target: Team, point: Point, *, defensive: bool = False) -> tuple[str, int | None]:
    """Which armour a direct shot hits, and its value: side in defensive fire (FOW-SAVE-05, FOW-ASLT-08, FOW-RULING-18)."""
    profile = target.profile
    if not profile.armoured:
        return "", None
    front = not defensive and from_front(target, point)
    return ("front", profile.armour_front) if front else ("side", profile.armour_side)


def in_arc(battle: Battle, shooter: Team, weapon: Weapon, target: Team, opening: int | None = None) -> bool:
    """Whether a target is in a weapon's field of fire (FOW-ARC-01, -02, -05)."""
    if opening is not None:
        door = openings(battle, shooter.building)[opening]
        wall = Pose(door.middle[0], door.middle[1], door.outward)
        return any(in_half_circle(wall, corner) for corner in target.base)
    if weapon.all_round or shooter.building:
        return True
    assert shooter.pose is not None
    return any(in_half_circle(shooter.pose, corner) for corner in target.base)


def turn_to(shooter: Team, target: Team) -> int | None:
    """The facing that looks at the target's centre, or None if it looks there already (FOW-ARC-03)."""
    assert shooter.pose is not None
    facing = bearing(shooter.centre, target.centre)
    return None if facing == shooter.pose.facing else facing


def room_to_turn(battle: Battle, team: Team, facing: int) -> bool:
    """Whether a team turned that way overlaps nobody, no building and no table edge (FOW-ARC-04)."""
    assert team.pose is not None
    base = rectangle(Pose(team.pose.x, team.pose.y, facing), team.profile.width, team.profile.depth)
    if not battle.ground.within_table(base):
        return False
    reach = team.profile.width + team.profile.depth + 4 * INCH  # no base is farther from its centre than half its width and depth
    x, y = team.pose.x, team.pose.y
    for one in battle.standing_near(x - reach, y - reach, x + reach, y + reach):
        if one.id != team.id and not one.building and overlap(base, one.base):
            return False
    box = bounds(base)
    return not any(
        feature.form == "building"
        and not boxes_apart(feature.box, box)
        and overlap(base, feature.outline)
        and not overlap(team.base, feature.outline)
        for feature in land_of(battle.ground).lie.solid
    )


def require_shot(found: Shot) -> Shot:
    """The shot, or RefusedError with its reason."""
    if found.refusal is not None:
        raise RefusedError(found.refusal.rule, found.refusal.message.id, **found.refusal.message.arguments)
    return found


__all__ = [
    "Shot",
    "Sight",
    "aimed_shot",
    "armour_hit",
    "at_opening",
    "concealed",
    "covered",
    "gap_to",
    "hit_facts",
    "in_arc",
    "in_smoke",
    "inches",
    "may_be_shot_over",
    "may_fire",
    "openings",
    "require_shot",
    "seen_by_enemy",
    "shot",
    "sight",
    "sight_to_point",
    "take_aim",
    "visible",
    "visible_enemies",
    "visible_map",
]
