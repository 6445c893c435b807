"""Resolving fire: joins, dice, who is hit, saves, pinning. The shooting step and defensive fire both end here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.games.flames_of_war.battle import Battle, Joined, Platoon, Team, Turned
from sandtable.games.flames_of_war.command import close, in_reach, may_join, may_join_it, motivation_facts, offer_join
from sandtable.games.flames_of_war.damage import all_armoured, apply_result, pin
from sandtable.games.flames_of_war.procedures.allocation import (
    AllocateHits,
    Target,
    WeaponHit,
    allocate_hits,
    give_out,
    order_of_hitting,
    priority_counts,
)
from sandtable.games.flames_of_war.procedures.saves import ArmourSave, TeamSave, armour_save, team_save
from sandtable.games.flames_of_war.procedures.tests import successes
from sandtable.games.flames_of_war.recon import forced_to_disengage, try_to_disengage, wants_to_disengage
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.sight import Shot, aimed_shot, hit_facts, may_fire, room_to_turn
from sandtable.games.flames_of_war.targets import Volley, declared_volleys, dice_for, platoon_of, score_for, teams_of, volleys_of
from sandtable.kernel.decisions import Option, PickOne, PickSeveral, Refusal
from sandtable.kernel.events import Event
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

WEAK_FIREPOWER = 5


# -- events ---------------------------------------------------------------------------------------------------------------


class Fired(Event, frozen=True):
    """Teams fire at a target, before any die is thrown: they have shot, through openings, over friends who now keep quiet."""

    teams: tuple[str, ...]
    target: str
    openings: tuple[tuple[str, str], ...] = ()
    over: tuple[str, ...] = ()
    defensive: bool = False

    def apply(self, battle: Battle) -> Battle:
        if not self.defensive:
            battle = battle.with_teams(self.teams, shot=True)
        for team, opening in self.openings:
            battle = battle.with_team(team, opening=opening)
        return battle.with_teams(self.over, shot_over=True) if self.over else battle

    def units(self) -> tuple[str, ...]:
        return self.teams


class HitsScored(Event, frozen=True):
    """Dice were thrown at a platoon; the hits of one shooting step add up (FOW-RULING-17), those of defensive fire do not."""

    platoon: str
    hits: int
    dice: int = 0
    defensive: bool = False

    def apply(self, battle: Battle) -> Battle:
        if self.defensive or not self.hits:
            return battle
        return battle.with_platoon(self.platoon, hits=battle.platoons[self.platoon].hits + self.hits)


class Unhurt(Event, frozen=True):
    """A team came through its hits."""

    team: str
    hits: int

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class TankTypeNamed(Event, frozen=True):
    """The shooter rolled for the type of tank that is hit: how many hits must go to it (FOW-ALLOC-09)."""

    platoon: str
    type: str
    hits: int

    def apply(self, battle: Battle) -> Battle:
        return battle


EVENTS: tuple[type[Event], ...] = (Fired, HitsScored, Unhurt, TankTypeNamed)


class FireResult(NamedTuple):
    """What a fire did to the platoon it was aimed at."""

    hits: int = 0
    dice: int = 0
    failed_saves: int = 0

    def plus(self, more: FireResult) -> FireResult:
        return FireResult(self.hits + more.hits, self.dice + more.dice, self.failed_saves + more.failed_saves)


class Hit(NamedTuple):
    """A hit: the weapon it came from, with the teams it may fall on."""

    volley: Volley

    @property
    def anti_tank(self) -> int:
        return self.volley.weapon.anti_tank


# -- a whole fire -----------------------------------------------------------------------------------------------------------


def defensive_shooters(battle: Battle, platoon_id: str, attacker: str, reach: int) -> list[str]:
    """The teams of a platoon that can shoot at an assaulting one, within a distance of it (FOW-ASLT-06)."""
    foes = battle.standing(attacker)
    near = [
        team.id
        for team in battle.standing(platoon_id)
        if may_fire(battle, team, defensive=True) is None and any(close(team, foe, reach) for foe in foes)
    ]
    found = volleys_of(battle, near, [foe.id for foe in foes], defensive=True)
    return [id for id in near if any(volley.shooter == id for volley in found)]


def resolve_fire(table: Table[Battle], shooters: Sequence[str], target: str, *, defensive: bool = False) -> FireResult:
    """Some teams fire at one enemy platoon (or group, `platoon#2`): everything from joins to pinning."""
    return resolve_declared(table, {target: tuple(shooters)}, defensive=defensive)[target]


def resolve_declared(table: Table[Battle], declared: dict[str, tuple[str, ...]], *, defensive: bool = False) -> dict[str, FireResult]:
    """Fire that was declared before any dice: target -> the teams that shoot at it (FOW-TGT-02)."""
    aimed: list[tuple[str, str, tuple[str, ...]]] = []
    for target, shooters in declared.items():
        final = target if defensive else _join_targets(table, target)
        aimed.append((target, final, shooters))
    battle = table.battle
    fired = declared_volleys(battle, [(shooters, teams_of(battle, final)) for _, final, shooters in aimed], defensive=defensive)
    fires = [(target, final, fire) for (target, final, _), fire in zip(aimed, fired, strict=True)]
    fires = [(target, final, _open_fire(table, fire, final, defensive) if fire else []) for target, final, fire in fires]
    results: dict[str, FireResult] = {}
    for target, final, fire in fires:
        results[target] = _fire_at(table, platoon_of(final), fire, defensive) if fire else FireResult()
    return results


def _open_fire(table: Table[Battle], fire: Sequence[Volley], target: str, defensive: bool) -> list[Volley]:
    """Teams turn to their targets, which is not movement (FOW-ARC-03), and shoot.

    Gives the volleys that are fired: not those of a team that its turned neighbours leave no room to turn (FOW-ARC-04).
    """
    for volley in fire:
        turn = volley.nearest.turn
        team = table.battle.teams[volley.shooter]
        if turn is not None and team.pose is not None and team.pose.facing != turn:
            if room_to_turn(table.battle, team, turn):
                table.emit(Turned(volley.shooter, turn))
            else:
                fire = [one for one in fire if one.shooter != volley.shooter]
    if not fire:
        return []
    battle = table.battle
    shooters = list(dict.fromkeys(volley.shooter for volley in fire))
    openings = {v.shooter: f"{battle.teams[v.shooter].building}#{o}" for v in fire if (o := v.shots[0].opening) is not None}
    over = tuple(dict.fromkeys(id for volley in fire for id in volley.nearest.over))
    table.emit(Fired(tuple(shooters), target, tuple(openings.items()), over, defensive))
    return list(fire)


def _fire_at(table: Table[Battle], platoon_id: str, fire: list[Volley], defensive: bool) -> FireResult:
    """Dice and saves; a recon platoon may try to get away after the first shots (FOW-REC-03 to -05, FOW-RULING-79)."""
    attackers = tuple(dict.fromkeys(volley.shooter for volley in fire))
    escaping = not defensive and wants_to_disengage(table, platoon_id, "shooting")
    platoon = table.battle.platoons[platoon_id]
    side = table.battle.teams[fire[0].shooter].side
    dice = table.dice(side)
    counts = [dice_for(table.battle, volley, platoon, dice, defensive=defensive, disengaging=escaping) for volley in fire]
    result = _volley(table, platoon_id, fire, [count.dice for count in counts], defensive)
    if escaping and not table.battle.platoons[platoon_id].destroyed:
        left = [(volley, count.dice_after) for volley, count in zip(fire, counts, strict=True) if count.dice_after]
        still = _still_in_fire if try_to_disengage(table, platoon_id, "shooting", attackers=attackers) else _still_standing
        left = [(volley, number) for old, number in left if (volley := still(table.battle, old, platoon_id)) is not None]
        if left:
            more = _volley(table, platoon_id, [volley for volley, _ in left], [number for _, number in left], defensive)
            result = result.plus(more)
    if not defensive:
        forced_to_disengage(table, platoon_id, result.failed_saves, attackers)
    return result


def _still_in_fire(battle: Battle, volley: Volley, platoon_id: str) -> Volley | None:
    """The same weapon at a platoon that has moved: the teams still in its range and sight (FOW-REC-05)."""
    shooter = battle.teams[volley.shooter]
    opening = volley.shots[0].opening
    shots = [aimed_shot(battle, shooter, volley.weapon, foe, False, opening) for foe in battle.standing(platoon_id)]
    allowed = tuple(shot for shot in shots if shot.allowed)
    return Volley(volley.shooter, volley.weapon, allowed) if allowed else None


def _still_standing(battle: Battle, volley: Volley, platoon_id: str) -> Volley | None:
    """The same weapon at a platoon that stayed: the teams that its first shots left."""
    shots = tuple(shot for shot in volley.shots if battle.teams[shot.target].on_table)
    return Volley(volley.shooter, volley.weapon, shots) if shots else None


# -- joins ------------------------------------------------------------------------------------------------------------------


def _join_targets(table: Table[Battle], target: str) -> str:
    """Independent teams that must or may join when shooting begins (FOW-IND-06, -07); the platoon that is then shot at."""
    platoon = table.battle.platoons[platoon_of(target)]
    if platoon.independent:
        members = table.battle.standing(platoon.id)
        if members and not members[0].joined:
            _must_join(table, members[0])
            joined = table.battle.teams[members[0].id].joined
            if joined:
                return joined
        return target
    if "#" not in target:
        for team in table.battle.side_teams(platoon.side):
            if _alone(table.battle, team) and may_join_it(table.battle, team, platoon):
                offer_join(table, team.id, platoons=[platoon.id])
    return target


def _alone(battle: Battle, team: Team) -> bool:
    """An independent team that has joined nobody, and that nobody has joined."""
    own = battle.platoons[team.platoon]
    return own.independent and not team.joined and not team.carried and len(battle.members(own.id)) == 1


def _must_join(table: Table[Battle], team: Team) -> None:
    """It joins a platoon in reach with a team of its own type; else another independent team, and with it a platoon (FOW-IND-06)."""
    battle = table.battle
    kin = [
        platoon.id
        for platoon in may_join(battle, team)
        if any(one.profile.team_type == team.profile.team_type for one in battle.members(platoon.id))
    ]
    if kin:
        offer_join(table, team.id, platoons=kin, forced=True)
        return
    own = battle.platoons[team.platoon]
    for other in battle.side_teams(team.side):
        if other.id == team.id or not battle.platoons[other.platoon].independent or not in_reach(battle, own, team, other):
            continue
        if not other.joined and may_join(battle, other):
            offer_join(table, other.id, platoons=[platoon.id for platoon in may_join(battle, other)], forced=True)
        table.emit(Joined(team.id, table.battle.teams[other.id].joined or other.platoon))
        return


# -- one volley of a platoon --------------------------------------------------------------------------------------------------


def _volley(table: Table[Battle], platoon_id: str, fire: Sequence[Volley], numbers: Sequence[int], defensive: bool) -> FireResult:
    """All dice, then all hits given out, then team after team its saves, then pinning. Shots at teams that are gone are lost."""
    alive = [(volley, number) for one, number in zip(fire, numbers, strict=True) if (volley := _at_the_living(table.battle, one)).shots]
    if not alive:
        return FireResult()
    fire, numbers = [volley for volley, _ in alive], [number for _, number in alive]
    hits = _roll(table, platoon_id, fire, numbers, defensive)
    thrown = sum(numbers)
    table.emit(HitsScored(platoon_id, len(hits), thrown, defensive))
    if not hits:
        return FireResult(0, thrown)
    given = _allocate(table, platoon_id, hits, fire, defensive)
    spread = _bunker_busters(table.battle, given, defensive)
    failed = 0
    for team_id, struck in [*given.items(), *spread.items()]:
        if struck:
            more = _save(table, team_id, struck)
            failed += more if table.battle.teams[team_id].unit == platoon_id or team_id in given else 0
    extra = _count_spread(table, spread, defensive)
    if not defensive:
        for id in dict.fromkeys((platoon_id, *extra)):
            _pin_if_due(table, id)
    return FireResult(len(hits) + extra.get(platoon_id, 0), thrown, failed)


def _at_the_living(battle: Battle, volley: Volley) -> Volley:
    """Fire that was declared together may find its target destroyed."""
    if all(battle.teams[shot.target].on_table for shot in volley.shots):
        return volley
    return Volley(volley.shooter, volley.weapon, tuple(shot for shot in volley.shots if battle.teams[shot.target].on_table))


def _roll(table: Table[Battle], platoon_id: str, fire: Sequence[Volley], numbers: Sequence[int], defensive: bool) -> list[Hit]:
    """Shooter by shooter, each at the team that is easiest for it (FOW-HIT-03)."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    dice = table.dice(battle.teams[fire[0].shooter].side)
    hits: list[Hit] = []
    for volley, number in zip(fire, numbers, strict=True):
        if not number:
            continue
        dice.note("note.fires", "FOW-RULING-72", team=volley.shooter, weapon=volley.weapon.name)
        score = score_for(battle, volley, platoon, defensive=defensive)
        hits += [Hit(volley)] * successes(dice, number, "roll.to_hit", score, rule="FOW-HIT-01")
    return hits


# -- who is hit ---------------------------------------------------------------------------------------------------------------


Struck = list[tuple[Volley, Shot]]


def _allocate(table: Table[Battle], platoon_id: str, hits: list[Hit], fire: Sequence[Volley], defensive: bool) -> dict[str, Struck]:
    """The owner gives out the hits, in the order of the rules (FOW-ALLOC-01 to -12, FOW-RULING-16, -74)."""
    battle = table.battle
    targets = _targets(battle, fire)
    side = battle.teams[fire[0].shooter].side
    priority = _name_priority(table, side, targets, hits)
    named, chosen = _name_tank_type(table, side, platoon_id, targets, hits)
    targets = _wish(table, battle.platoons[platoon_id], targets, priority, len(hits))
    dice = table.dice(battle.platoons[platoon_id].side)
    given: dict[str, list[int]] = {target.id: [] for target in targets}
    numbers = list(range(len(hits)))
    if chosen:
        tanks = [target for target in targets if battle.teams[target.id].profile.name == named]
        able = [n for n in numbers if any(hits[n].volley.at(tank.id) is not None for tank in tanks)][:chosen]
        _share(hits, able, tanks, None, dice, given)
        numbers = [n for n in numbers if n not in able]
    if numbers:
        _share(hits, numbers, targets, priority, dice, given)
    found: dict[str, Struck] = {}
    for id in (target.id for target in targets):
        found[id] = []
        for n in sorted(given[id]):
            shot = hits[n].volley.at(id)
            assert shot is not None
            found[id].append((hits[n].volley, shot))
    return found


def _targets(battle: Battle, fire: Sequence[Volley]) -> list[Target]:
    """The teams that can be hit, as the allocation sees them (FOW-ALLOC-02)."""
    shots: dict[str, list[Shot]] = {}
    for volley in fire:
        for shot in volley.shots:
            shots.setdefault(shot.target, []).append(shot)
    found = []
    for team in battle.teams.values():
        if team.id not in shots or not team.on_table:
            continue
        at = shots[team.id]
        armour = [shot.armour for shot in at if shot.armour is not None]
        found.append(
            Target(
                id=team.id,
                kind=team.profile.kind,  # type: ignore[arg-type]
                armour=min(armour) if armour else None,
                within_16=any(shot.within_16 for shot in at),
                operational=team.operational,
                bulletproof=all(shot.bulletproof for shot in at),
            )
        )
    return found


def _share(
    hits: Sequence[Hit], numbers: Sequence[int], targets: Sequence[Target], priority: str | None, dice: Any, given: dict[str, list[int]]
) -> None:
    """Give some hits out. Where not every hit may fall on every team, those with the fewest teams to choose from go first."""
    facts = AllocateHits(
        hits=tuple(WeaponHit(anti_tank=hits[n].anti_tank, firepower=hits[n].volley.weapon.firepower) for n in numbers),
        targets=tuple(targets),
        priority_type=priority,  # type: ignore[arg-type]
    )
    may = {n: tuple(t.id for t in targets if hits[n].volley.at(t.id) is not None) for n in numbers}
    everybody = tuple(target.id for target in targets)
    if all(ids == everybody for ids in may.values()):
        for id, places in allocate_hits(facts, dice).allocation.items():
            given[id] += [numbers[place] for place in places]
        return
    order = order_of_hitting(targets, priority if priority_counts(facts, dice) else None)
    dice.note("note.allocation_order", "FOW-RULING-16", teams=[target.id for target in order])
    count = {target.id: 0 for target in targets}
    for ids in sorted(dict.fromkeys(may.values()), key=len):
        group = [n for n in numbers if may[n] == ids]
        able = [target for target in order if target.id in ids]
        slots: list[Target] = []
        for _ in group:
            slot = min(able, key=lambda target: count[target.id])  # one hit a team and round, in order
            count[slot.id] += 1
            slots.append(slot)
        # `give_out` goes round its list once: so many slots, so many hits.
        for id, places in _give(slots, [hits[n].anti_tank for n in group]).items():
            given[id] += [group[place] for place in places]


def _give(slots: Sequence[Target], anti_tank: Sequence[int]) -> dict[str, list[int]]:
    """The best anti-tank to armour, then to cover, then to the rest (FOW-ALLOC-08, -12)."""
    named = [Target(id=f"{place}", kind=slot.kind, armour=slot.armour, bulletproof=slot.bulletproof) for place, slot in enumerate(slots)]
    out: dict[str, list[int]] = {}
    for place, numbers in give_out(anti_tank, named).items():
        out.setdefault(slots[int(place)].id, []).extend(numbers)
    return out


def _name_priority(table: Table[Battle], side: str, targets: Sequence[Target], hits: Sequence[Hit]) -> str | None:
    """Against a mixed platoon the shooter may name the type that is hit first (FOW-ALLOC-06, -07, FOW-DEC-13)."""
    kinds = list(dict.fromkeys(target.kind for target in targets))
    if len(kinds) < 2:
        return None
    weak = any(hit.volley.weapon.firepower >= WEAK_FIREPOWER for hit in hits)
    options = [Option("none", say("option.no_priority"))]
    for kind in kinds:
        refusal = None
        if kind == "man_packed_gun" and "infantry" in kinds and weak:
            refusal = Refusal("FOW-ALLOC-07", say("refused.man_packed_priority"))
        units = tuple(target.id for target in targets if target.kind == kind)
        options.append(Option(kind, say("option.priority", kind=kind), refusal, units))
    if sum(option.refusal is None for option in options) == 1:
        return None
    prompt = say("ask.priority", hits=len(hits))
    chosen = table.ask(PickOne(player=side, decision="FOW-DEC-13", prompt=prompt, options=tuple(options), default="none"))
    return None if chosen == "none" else str(chosen)


def _name_tank_type(table: Table[Battle], side: str, platoon_id: str, targets: Sequence[Target], hits: Sequence[Hit]) -> tuple[str, int]:
    """Against different tanks the shooter may roll again for each hit: on 5+ he names the type (FOW-ALLOC-09, FOW-RULING-74)."""
    battle = table.battle
    names = list(dict.fromkeys(battle.teams[target.id].profile.name for target in targets if target.kind == "tank"))
    if len(names) < 2:
        return "", 0
    options = [Option("none", say("option.no_tank_type"))]
    for name in names:
        units = tuple(target.id for target in targets if battle.teams[target.id].profile.name == name)
        options.append(Option(name, say("option.tank_type", name=name), units=units))
    prompt = say("ask.tank_type", hits=len(hits))
    name = table.ask(PickOne(player=side, decision="FOW-DEC-13", prompt=prompt, options=tuple(options), default="none"))
    if name == "none":
        return "", 0
    rolled = run(table, side, "tank_type_choice", hits=len(hits))
    table.emit(TankTypeNamed(platoon_id, name, rolled.chosen))
    return name, rolled.chosen


def _wish(table: Table[Battle], platoon: Platoon, targets: list[Target], priority: str | None, hits: int) -> list[Target]:
    """The owner's order of teams, asked for only where the rules leave him a choice that matters (FOW-DEC-14)."""
    battle = table.battle
    cheap_first = sorted(targets, key=lambda target: _value(battle, platoon, battle.teams[target.id]))
    left = hits % len(targets)
    if not left:
        return cheap_first

    def struck(order: Sequence[Target]) -> list[str]:
        first = order_of_hitting(order, priority)[:left]
        return sorted(repr(_value(battle, platoon, battle.teams[target.id])) for target in first)

    if struck(cheap_first) == struck(cheap_first[::-1]):
        return cheap_first
    default = [target.id for target in cheap_first]
    options = tuple(
        Option(target.id, say("option.team", team=target.id, name=battle.teams[target.id].profile.name), units=(target.id,))
        for target in cheap_first
    )
    request = PickSeveral(
        player=platoon.side,
        decision="FOW-DEC-14",
        prompt=say("ask.allocation", platoon=platoon.name, hits=hits),
        options=options,
        least=len(options),
        most=len(options),
        default=default,
    )
    order = table.ask(request)
    return sorted(targets, key=lambda target: order.index(target.id))


def _value(battle: Battle, platoon: Platoon, team: Team) -> tuple[object, ...]:
    """What a team is worth to its owner, roughly: leaders and commanders most, then by weapons."""
    profile = team.profile
    led = 2 if profile.commander else int(team.id == platoon.leader or "observer" in profile.traits)
    load = len(battle.passengers(team.id)) if profile.vehicle else 0
    worth = max((weapon.anti_tank * 2 + weapon.rof for weapon in profile.weapons), default=0)
    return led, load, not team.bailed_out, worth, profile.name


# -- saves --------------------------------------------------------------------------------------------------------------------


def _save(table: Table[Battle], team_id: str, struck: Struck) -> int:
    """A team's hits one after another, until it is destroyed (FOW-RULING-39). How many saves it failed."""
    battle = table.battle
    team = battle.teams[team_id]
    if not team.on_table:
        return 0
    dice = table.dice(team.side)
    dice.note("note.hits_on", "FOW-RULING-39", team=team_id, hits=len(struck))
    facts = motivation_facts(battle, battle.unit_of(team), team)
    reroll = facts["commander_joined"] and not facts["for_self"] and not facts["commander_bailed_out"]
    carries = bool(battle.passengers(team_id))
    final = "no_effect"
    bailed = team.bailed_out
    destroyed = failed = 0
    for volley, shot in struck:
        if final == "destroyed" and not carries:
            break
        weapon = volley.weapon
        if team.profile.save == "armoured":
            assert shot.armour is not None
            saved = armour_save(
                ArmourSave(
                    armour=shot.armour,
                    anti_tank=weapon.anti_tank,
                    firepower=weapon.firepower,
                    long_range=shot.long_range,
                    bailed_out=bailed,
                    bogged=team.bogged,
                    motivation=facts["motivation"],
                    commander_joined=reroll,
                ),
                dice,
            )
            result: str = saved.result
            failed += saved.comparison != "higher"
        else:
            tested = team_save(TeamSave(target=team.profile.save, firepower=weapon.firepower, bulletproof=shot.bulletproof), dice)
            result = tested.result
            failed += not tested.saved
        destroyed += result == "destroyed"
        bailed = bailed or result == "bailed_out"
        if result != "no_effect" and final != "destroyed":
            final = result
    if final == "no_effect":
        table.emit(Unhurt(team_id, len(struck)))
    apply_result(table, team_id, final, destroyed_results=max(destroyed, 1), hits=len(struck))
    return failed


def _bunker_busters(battle: Battle, given: dict[str, Struck], defensive: bool) -> dict[str, Struck]:
    """A bunker buster's hit on a team in a building hits everybody else in it too (FOW-CONC-09, FOW-RULING-69)."""
    spread: dict[str, Struck] = {}
    for id, struck in given.items():
        building = battle.teams[id].building
        if not building:
            continue
        for volley, shot in struck:
            if volley.weapon.bunker_buster:
                shooter = battle.teams[volley.shooter]
                for other in battle.teams.values():
                    if other.building == building and other.id != id and other.on_table:
                        facts = hit_facts(battle, shooter, volley.weapon, other, defensive=defensive, opening=shot.opening)
                        spread.setdefault(other.id, []).append((volley, facts))
    return spread


def _count_spread(table: Table[Battle], spread: dict[str, Struck], defensive: bool) -> dict[str, int]:
    """The extra hits count for pinning as well (FOW-RULING-69)."""
    counts: dict[str, int] = {}
    for id, struck in spread.items():
        unit = table.battle.teams[id].unit
        counts[unit] = counts.get(unit, 0) + len(struck)
    for unit, number in counts.items():
        table.emit(HitsScored(unit, number, 0, defensive))
    return counts


def _pin_if_due(table: Table[Battle], platoon_id: str) -> None:
    """Five hits in one shooting step pin a platoon (FOW-PIN-01, FOW-RULING-17)."""
    platoon = table.battle.platoons[platoon_id]
    if platoon.pinned or platoon.destroyed or not platoon.hits:
        return
    armoured = all_armoured(table.battle, platoon_id)
    checked = run(
        table,
        platoon.side,
        "pinning_check",
        attack="direct",
        hits=platoon.hits,
        all_armoured=armoured,
        independent_alone=platoon.independent,  # FOW-IND-08
    )
    if checked.pinned:
        pin(table, platoon_id)
