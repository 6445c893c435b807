"""Who can shoot at what: enemy platoons and groups as targets, the volleys of a platoon, and what they may do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from threading import local
from typing import NamedTuple

from sandtable.field.shapes import Box
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon, Team
from sandtable.games.flames_of_war.command import in_command, isolated_groups, motivation_facts
from sandtable.games.flames_of_war.kept import kept
from sandtable.games.flames_of_war.procedures.saves import PROTECTED_BY_COVER, SAVES
from sandtable.games.flames_of_war.procedures.shooting import (
    LONG_RANGE,
    PlatoonFire,
    PlatoonShooter,
    PlatoonTarget,
    ShotDice,
    Shots,
    ToHitScore,
    hit_conditions,
    hit_score,
    shot_dice,
)
from sandtable.games.flames_of_war.profile import Weapon
from sandtable.games.flames_of_war.sight import (
    Aim,
    Shot,
    aimed_shot,
    may_be_shot_over,
    may_fire,
    memo_of,
    opening_taken,
    openings,
    take_aim,
)
from sandtable.games.flames_of_war.sight import shot as shot_by
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import other
from sandtable.kernel.messages import say
from sandtable.kernel.traces import Score

_QUIET = Dice()


# -- targets --------------------------------------------------------------------------------------------------------------


@kept
def groups(battle: Battle, platoon_id: str) -> dict[str, tuple[str, ...]]:
    """What of a platoon may be shot at: the whole of it; if it is scattered, also each group by itself (FOW-TGT-04).

    A group is called `platoon#1` (the one in command, or the largest), `platoon#2` and so on.
    """
    platoon = battle.platoons[platoon_id]
    teams = battle.standing(platoon_id)
    if not teams:
        return {}
    found = {platoon_id: tuple(team.id for team in teams)}
    if len(teams) > 1 and not platoon.independent:
        parts = _parts(battle, platoon, teams)
        if len(parts) > 1:
            found |= {f"{platoon_id}#{number}": part for number, part in enumerate(parts, 1)}
    return found


_PARTS: dict[object, tuple[tuple[str, ...], ...]] = {}


def _parts(battle: Battle, platoon: Platoon, teams: Sequence[Team]) -> tuple[tuple[str, ...], ...]:
    """The groups of a platoon, kept as long as nobody moves."""
    key = (platoon.id, platoon.skill, platoon.leader, tuple((team.id, team.base, team.profile.team_type) for team in teams))
    known = _PARTS.get(key)
    if known is None:
        standing = {team.id for team in teams}
        main = [team for team in in_command(battle, platoon) if team.id in standing]
        rest = [team for team in teams if team not in main]
        parts = [main] if main else []
        parts += isolated_groups(battle, platoon, rest) if rest else []
        known = tuple(tuple(team.id for team in teams if team in part) for part in parts)
        if len(_PARTS) > 20_000:
            _PARTS.clear()
        _PARTS[key] = known
    return known


def platoon_of(target: str) -> str:
    """The platoon of a target or group."""
    return target.partition("#")[0]


def teams_of(battle: Battle, target: str) -> tuple[str, ...]:
    """The teams that a target stands for."""
    return groups(battle, platoon_of(target)).get(target, ())


# -- volleys --------------------------------------------------------------------------------------------------------------


class Volley(NamedTuple):
    """One weapon of one team, and the teams it can hit (FOW-RULING-72: each weapon is an entry of its own)."""

    shooter: str
    weapon: Weapon
    shots: tuple[Shot, ...]

    @property
    def nearest(self) -> Shot:
        return min(self.shots, key=lambda shot: shot.distance_in)

    def at(self, team: str) -> Shot | None:
        return next((shot for shot in self.shots if shot.target == team), None)


def _too_far(shooter: Team, target: Team, weapon: Weapon) -> bool:
    """A first look at the range, from centre to centre: no base reaches farther than half its width and depth."""
    assert shooter.pose is not None
    assert target.pose is not None
    one, two = shooter.profile, target.profile
    reach = (weapon.range_in or 0) * INCH + (one.width + one.depth + two.width + two.depth) / 2 + 10
    dx, dy = shooter.pose.x - target.pose.x, shooter.pose.y - target.pose.y
    return dx * dx + dy * dy > reach * reach


def volleys(
    battle: Battle,
    shooters: Sequence[str],
    teams: Sequence[str],
    *,
    defensive: bool = False,
    firing: Collection[str] = (),
    others: list[tuple[str, int]] | None = None,
) -> list[Volley]:
    """What some teams can fire at some enemies, all weapons of each. Openings are taken in the order of the shooters; `others` are taken
    already, and grows."""
    found: list[Volley] = []
    taken = [] if others is None else others
    foes = [battle.teams[id] for id in teams if battle.teams[id].on_table]
    for id in shooters:
        shooter = battle.teams[id]
        if may_fire(battle, shooter, defensive=defensive) is not None:
            continue
        if shooter.building and any(foe.building != shooter.building for foe in foes):
            opening, own = _through_best_opening(battle, shooter, foes, defensive, firing, taken)
            if opening is not None:
                taken.append((id, opening))
            found += own
        else:
            found += _volleys(battle, shooter, foes, defensive, None, firing)
    return found


def _volleys(
    battle: Battle, shooter: Team, foes: Sequence[Team], defensive: bool, opening: int | None, firing: Collection[str]
) -> list[Volley]:
    found = []
    for weapon in shooter.profile.weapons:
        if not weapon.direct_fire:
            continue
        shots = [
            shot
            for foe in foes
            if (shooter.building or not _too_far(shooter, foe, weapon))
            and (shot := aimed_shot(battle, shooter, weapon, foe, defensive, opening, firing)).allowed
        ]
        if shots:
            found.append(Volley(shooter.id, weapon, tuple(shots)))
    return found


def _through_best_opening(
    battle: Battle, shooter: Team, foes: Sequence[Team], defensive: bool, firing: Collection[str], others: Sequence[tuple[str, int]]
) -> tuple[int | None, list[Volley]]:
    """A team fires all its weapons through one opening: the free one with the most shots (FOW-BLDG-04, FOW-RULING-69)."""
    best: tuple[int | None, list[Volley]] = (None, [])
    most = (0, 0.0)
    for opening in range(len(openings(battle, shooter.building))):
        if opening_taken(battle, shooter, opening, others):
            continue
        own = _volleys(battle, shooter, foes, defensive, opening, firing)
        if own:
            count = (sum(len(volley.shots) for volley in own), -min(volley.nearest.distance_in for volley in own))
            if best[0] is None or count > most:
                best, most = (opening, own), count
    return best


Declared = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Who shoots at what: teams, and the enemy teams of their target (FOW-TGT-02)."""


def declared_volleys(battle: Battle, declared: Declared, *, defensive: bool = False) -> list[list[Volley]]:
    """What is fired when all this is fired together: one opening serves one team, and who could only shoot over a friend that shoots
    too keeps quiet (FOW-LOS-04)."""

    def each(firing: Collection[str]) -> list[list[Volley]]:
        others: list[tuple[str, int]] = []
        return [volleys(battle, ids, teams, defensive=defensive, firing=firing, others=others) for ids, teams in declared]

    found = each(())
    firing = {volley.shooter for fire in found for volley in fire}
    if any(id in firing for fire in found for volley in fire for shot in volley.shots for id in shot.over):
        found = each(firing)
    return found


def volleys_of(battle: Battle, shooters: Sequence[str], teams: Sequence[str], *, defensive: bool = False) -> list[Volley]:
    """What these teams can fire together at one target."""
    return declared_volleys(battle, [(shooters, teams)], defensive=defensive)[0]


def platoon_volleys(battle: Battle, platoon_id: str, target: str, *, defensive: bool = False) -> list[Volley]:
    """What a whole platoon can fire at a target."""
    shooters = [team.id for team in battle.standing(platoon_id)]
    return volleys_of(battle, shooters, teams_of(battle, target), defensive=defensive)


def _box_around(battle: Battle, shooters: Sequence[Team]) -> Box:
    """Everybody who may be in range of some team, or in its way, has his centre in this box."""
    if not shooters:
        return (0, 0, 0, 0)
    reach = max(_reach(battle, shooter) for shooter in shooters)
    xs, ys = [team.centre[0] for team in shooters], [team.centre[1] for team in shooters]
    return (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)


def _around(battle: Battle, shooter: Team) -> list[Team]:
    """Everybody who may be in range of some weapon of a team, or in its way."""
    reach = _reach(battle, shooter)
    x, y = shooter.centre
    return battle.standing_near(x - reach, y - reach, x + reach, y + reach)


def _reach(battle: Battle, shooter: Team) -> float:
    """How far from a team's centre that of an enemy may be that it reaches."""
    reach = max(((weapon.range_in or 0) for weapon in shooter.profile.weapons), default=0) * INCH + 9 * INCH  # and two bases
    if shooter.building:  # range is taken from its openings
        left, low, right, high = battle.ground.by_id[shooter.building].box
        reach += max(right - left, high - low)
    return reach


class _Watch(local):
    """Which platoons can fire, followed from battle to battle: an answer stands until something changes that it hangs on.
    Each thread follows its own battles: a server plays several at once.

    It hangs on the platoon and its teams; on where others stand near it, on the openings they use, and on whether friends may be shot
    over; and on smoke and ground.
    """

    def __init__(self) -> None:
        self.battle: Battle | None = None
        self.answers: dict[str, tuple[bool, Box]] = {}

    def can_fire(self, battle: Battle, platoon_id: str) -> bool:
        if self.battle is not battle:
            self._follow(battle)
        known = self.answers.get(platoon_id)
        if known is None:
            shooters = battle.standing(platoon_id)
            known = self.answers[platoon_id] = (_can_fire(battle, shooters), _box_around(battle, shooters))
        return known[0]

    def _follow(self, battle: Battle) -> None:
        before, self.battle = self.battle, battle
        if before is None or before.ground is not battle.ground or before.smoke != battle.smoke:
            self.answers.clear()
            return
        changed: list[Team] = []
        if battle.platoons is not before.platoons:
            for id, platoon in battle.platoons.items():
                if before.platoons.get(id) is not platoon:
                    self.answers.pop(id, None)
                    for one in platoon.teams:  # an independent team may have joined another platoon
                        self.answers.pop(battle.teams[one].unit, None)
        if battle.teams is not before.teams:
            for id, team in battle.teams.items():
                old = before.teams.get(id)
                if old is team:
                    continue
                changed.append(team)
                self.answers.pop(team.unit, None)
                if old is not None:
                    changed.append(old)
                    self.answers.pop(old.unit, None)
                    if _stands_alike(old, team):
                        del changed[-2:]
        places = [team.centre for team in changed if team.pose is not None]
        if places:
            stale = [
                id
                for id, (_, (left, low, right, high)) in self.answers.items()
                if any(left <= x <= right and low <= y <= high for x, y in places)
            ]
            for id in stale:
                del self.answers[id]


def _stands_alike(one: Team, two: Team) -> bool:
    """Whether a change of a team makes no difference to who else can fire."""
    return (
        one.on_table == two.on_table
        and one.pose == two.pose
        and one.building == two.building
        and one.opening == two.opening
        and may_be_shot_over(one) == may_be_shot_over(two)
    )


_watch = _Watch()


def can_fire(battle: Battle, platoon_id: str) -> bool:
    """Whether some team of a platoon has a shot at some enemy."""
    return _watch.can_fire(battle, platoon_id)


_LAST_SHOT: dict[str, tuple[str, str]] = {}
"""Team -> the weapon and the enemy of a shot it had: the first to try when it is asked again."""


def _can_fire(battle: Battle, shooters: Sequence[Team]) -> bool:
    for shooter in shooters:
        weapon_id, foe_id = _LAST_SHOT.get(shooter.id, ("", ""))
        last = battle.teams.get(foe_id)
        if last is not None and last.on_table and last.side != shooter.side and may_fire(battle, shooter) is None:
            for weapon in shooter.profile.weapons:
                if weapon.id == weapon_id and weapon.direct_fire and _has_shot(battle, shooter, weapon, last):
                    return True
    for shooter in shooters:
        if may_fire(battle, shooter) is not None:
            continue
        enemies = [team for team in _around(battle, shooter) if team.side != shooter.side]
        for weapon in shooter.profile.weapons:
            if not weapon.direct_fire:
                continue
            for foe in enemies:
                if _has_shot(battle, shooter, weapon, foe):
                    if len(_LAST_SHOT) > 5000:
                        _LAST_SHOT.clear()
                    _LAST_SHOT[shooter.id] = (weapon.id, foe.id)
                    return True
    return False


def _has_shot(battle: Battle, shooter: Team, weapon: Weapon, foe: Team) -> bool:
    """Whether a team that may fire can shoot at an enemy on the table."""
    if shooter.building:
        return shot_by(battle, shooter, weapon, foe).allowed
    return not _too_far(shooter, foe, weapon) and isinstance(take_aim(battle, shooter, weapon, foe, False, None), Aim)


def targets_of(battle: Battle, platoon_id: str) -> dict[str, list[Volley]]:
    """Everything a platoon can shoot at, with its volleys: enemy platoons, and groups of scattered ones."""
    kept = memo_of(battle).targets
    found: dict[str, list[Volley]] | None = kept.get(platoon_id)
    if found is None:
        found = kept[platoon_id] = _targets_of(battle, platoon_id)
    return dict(found)


def _targets_of(battle: Battle, platoon_id: str) -> dict[str, list[Volley]]:
    found: dict[str, list[Volley]] = {}
    own = battle.platoons[platoon_id]
    standing = battle.standing(platoon_id)
    shooters = [team.id for team in standing]
    near = battle.standing_near(*_box_around(battle, standing))
    everything = volleys(battle, shooters, [foe.id for foe in near if foe.side != own.side])
    # Openings and friends who shoot too make the targets depend on each other: then each is looked at by itself.
    tangled = any(shot.opening is not None or shot.over for volley in everything for shot in volley.shots)
    if not everything:
        return found
    hit = {battle.teams[shot.target].unit for volley in everything for shot in volley.shots}
    for enemy in battle.side_platoons(other(own.side)):
        if enemy.id not in hit:
            continue
        for target, teams in groups(battle, enemy.id).items():
            fire = volleys_of(battle, shooters, teams) if tangled else _only(everything, teams)
            if fire:
                found[target] = fire
    return found


def _only(fire: Sequence[Volley], teams: Sequence[str]) -> list[Volley]:
    """The part of some fire that is aimed at certain teams."""
    found = []
    for volley in fire:
        shots = tuple(shot for shot in volley.shots if shot.target in teams)
        if shots:
            found.append(Volley(volley.shooter, volley.weapon, shots))
    return found


@kept
def _firing(battle: Battle, platoon_id: str) -> tuple[list[Team], list[Team], Box]:
    """The teams of a platoon that stand, those of them that may fire (all if none may), and the box of all that they may reach."""
    shooters = battle.standing(platoon_id)
    able = [one for one in shooters if may_fire(battle, one) is None] or shooters
    return shooters, able, _box_around(battle, shooters)


def _out_of_range(shooter: Team, foe: Team) -> bool:
    return not shooter.building and all(_too_far(shooter, foe, weapon) for weapon in shooter.profile.weapons if weapon.direct_fire)


def _nearest_two(able: list[Team], foes: list[Team]) -> tuple[Team, Team]:
    """One of each, nearest by their centres."""
    ours, theirs = [one.centre for one in able], [two.centre for two in foes]
    _, i, j = min(((x - u) ** 2 + (y - v) ** 2, i, j) for i, (x, y) in enumerate(ours) for j, (u, v) in enumerate(theirs))
    return able[i], foes[j]


def no_shot_at(battle: Battle, platoon_id: str, target: str) -> Refusal:
    """Why a platoon cannot shoot at a target: what stops the team that comes nearest to it."""
    nearest: tuple[float, Refusal] | None = None
    shooters, able, (left, low, right, high) = _firing(battle, platoon_id)
    foes = [battle.teams[id] for id in teams_of(battle, target)]
    if shooters and foes:
        # Where all of it is too far away, the two that are nearest to each other tell why.
        if not any(left <= x <= right and low <= y <= high for x, y in [foe.centre for foe in foes]):
            one, two = _nearest_two(able, foes)
            weapon = next((weapon for weapon in one.profile.weapons if weapon.direct_fire), None)
            if weapon is not None and not one.building and may_fire(battle, one) is None:
                refused = take_aim(battle, one, weapon, two, False, None)
                if isinstance(refused, Shot) and refused.refusal is not None:
                    return refused.refusal
            shooters, foes = [one], [two]
        elif all(_out_of_range(shooter, foe) for shooter in shooters for foe in foes):
            one, two = _nearest_two(able, foes)
            shooters, foes = [one], [two]
    for shooter in shooters:
        refusal = may_fire(battle, shooter)
        if refusal is not None:
            nearest = nearest or (1e9, refusal)
            continue
        for weapon in shooter.profile.weapons:
            if weapon.direct_fire:
                for foe in foes:
                    tried = shot_by(battle, shooter, weapon, foe)
                    # Out of range says least: anything else that stops a shot is the better reason.
                    rank = tried.distance_in + (500 if tried.refusal is not None and tried.refusal.rule == "FOW-TGT-06" else 0)
                    if tried.refusal is not None and (nearest is None or rank < nearest[0]):
                        nearest = (rank, tried.refusal)
    return nearest[1] if nearest is not None else Refusal("FOW-TGT-05", say("refused.no_target", team=target))


# -- dice and scores ------------------------------------------------------------------------------------------------------


def dice_for(battle: Battle, volley: Volley, target: Platoon, dice: Dice, *, defensive: bool = False, disengaging: bool = False) -> Shots:
    """How many dice a volley throws (FOW-DICE-01 to -06, FOW-REC-03, -04)."""
    team = battle.teams[volley.shooter]
    return shot_dice(
        ShotDice(
            rof=volley.weapon.rof,
            distance_in=volley.nearest.distance_in,
            moved=team.moved,
            pinned=battle.unit_of(team).pinned,  # FOW-IND-08: an independent team with the platoon it joined
            armoured=team.profile.armoured,
            mounted_cavalry=team.profile.team_type == "cavalry",
            at_the_double=battle.unit_of(team).at_the_double,
            passenger=team.carried,
            bailed_out=team.bailed_out,
            bogged=team.bogged,
            defensive_fire=defensive,
            target_at_the_double=target.at_the_double,
            target_disengaging=disengaging,
        ),
        dice,
    )


def score_for(battle: Battle, volley: Volley, target: Platoon, *, defensive: bool = False) -> Score:
    """What a volley needs: the easiest team to hit counts (FOW-HIT-03)."""
    moved = battle.teams[volley.shooter].moved
    return min(
        (
            _score(target.skill, shot.long_range, shot.concealed, shot.gone_to_ground, volley.weapon.rof, moved, defensive)
            for shot in volley.shots
        ),
        key=lambda score: score.needed,
    )


@lru_cache(maxsize=1024)
def _score(skill: str, long_range: bool, concealed: bool, gone: bool, rof: int, moved: bool, defensive: bool) -> Score:
    facts = ToHitScore(
        target_skill=skill,  # type: ignore[arg-type]
        distance_in=LONG_RANGE + 1 if long_range else 0,
        concealed=concealed,
        gone_to_ground=gone,
        rof=rof,
        moved=moved,
        defensive_fire=defensive,
    )
    return hit_score(facts.target_skill, hit_conditions(facts))


# -- what may come of it ----------------------------------------------------------------------------------------------------


def fire_facts(battle: Battle, fire: Sequence[Volley], target: str, *, defensive: bool = False) -> PlatoonFire:
    """A platoon's fire as the procedure `platoon_fire` takes it, for exact odds."""
    platoon = battle.platoons[platoon_of(target)]
    facts = motivation_facts(battle, platoon)
    shooters = []
    for volley in fire:
        team = battle.teams[volley.shooter]
        shooters.append(
            PlatoonShooter(
                rof=volley.weapon.rof,
                anti_tank=volley.weapon.anti_tank,
                firepower=volley.weapon.firepower,
                moved=team.moved,
                pinned=battle.unit_of(team).pinned,
                armoured=team.profile.armoured,
                mounted_cavalry=team.profile.team_type == "cavalry",
                at_the_double=battle.unit_of(team).at_the_double and not defensive,
                distance_in=volley.nearest.distance_in,
            )
        )
    best = best_shots(fire)
    targets = []
    for id, shot in best.items():
        team = battle.teams[id]
        targets.append(
            PlatoonTarget(
                id=id,
                kind=team.profile.kind,  # type: ignore[arg-type]
                save=team.profile.save,
                armour=shot.armour,
                bulletproof=shot.bulletproof,
                concealed=shot.concealed,
                gone_to_ground=shot.gone_to_ground,
                within_16=shot.within_16,
                bailed_out=team.bailed_out,
                bogged=team.bogged,
            )
        )
    return PlatoonFire(
        shooters=tuple(shooters),
        targets=tuple(targets),
        target_skill=platoon.skill,  # type: ignore[arg-type]
        target_at_the_double=platoon.at_the_double,
        target_motivation=platoon.motivation,  # type: ignore[arg-type]
        commander_joined=facts["commander_joined"] and not facts["commander_bailed_out"],
        defensive_fire=defensive,
    )


def best_shots(fire: Sequence[Volley]) -> dict[str, Shot]:
    """For each team that can be hit, its nearest shot."""
    best: dict[str, Shot] = {}
    for volley in fire:
        for shot in volley.shots:
            if shot.target not in best or shot.distance_in < best[shot.target].distance_in:
                best[shot.target] = shot
    return best


class Expected(NamedTuple):
    """What a fire brings on average."""

    hits: float = 0.0
    destroyed: float = 0.0
    bailed_out: float = 0.0


def expected_kills(battle: Battle, fire: Sequence[Volley], target: str, *, defensive: bool = False) -> Expected:
    """The means of a fire, quickly: each hit as if it fell on any of the teams it may fall on. For bots; people get exact odds."""
    platoon = battle.platoons[platoon_of(target)]
    hits = destroyed = bailed = 0.0
    for volley in fire:
        number = dice_for(battle, volley, platoon, _QUIET, defensive=defensive).dice
        needed = score_for(battle, volley, platoon, defensive=defensive).needed
        scored = number * min(max(7 - needed, 0), 6) / 6
        if not scored:
            continue
        hits += scored
        share = scored / len(volley.shots)
        for shot in volley.shots:
            team = battle.teams[shot.target]
            weapon = volley.weapon
            kill, shake = _effect(team.profile.save, shot.armour, weapon.anti_tank, weapon.firepower, shot.long_range, shot.bulletproof)
            destroyed += share * kill
            bailed += share * shake
    return Expected(hits, destroyed, bailed)


@lru_cache(maxsize=4096)
def _effect(save: str, armour: int | None, anti_tank: int, firepower: int, long_range: bool, bulletproof: bool) -> tuple[float, float]:
    """The chances that one hit destroys, and that it bails out."""
    power = min(max(7 - firepower, 0), 6) / 6
    if save == "armoured" and armour is not None:
        totals = [face + armour + long_range for face in range(1, 7)]
        lower, equal = sum(t < anti_tank for t in totals) / 6, sum(t == anti_tank for t in totals) / 6
        return lower * power, lower * (1 - power) + equal * power
    failed = (SAVES[save] - 1) / 6
    return failed * (power if bulletproof and save in PROTECTED_BY_COVER else 1.0), 0.0
