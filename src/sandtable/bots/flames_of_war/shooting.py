"""Fire, bombardments and air strikes: which target is worth most."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.bots.flames_of_war.picture import Picture
from sandtable.bots.flames_of_war.worth import chance, fire_worth, hit_odds, worth_of
from sandtable.field.shapes import bearing, bounds, boxes_apart, overlap, span
from sandtable.games.flames_of_war.air import aircraft_bases, placing
from sandtable.games.flames_of_war.artillery import bombarding_weapon, seen_from
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon, Team
from sandtable.games.flames_of_war.procedures.artillery import RangeIn, ranging_score
from sandtable.games.flames_of_war.procedures.tests import skill_score
from sandtable.games.flames_of_war.targets import platoon_of, targets_of, teams_of
from sandtable.games.flames_of_war.templates import lay_template

AT_OBJECTIVE = 1.6
"""Enemies at an objective that is wanted count this much more."""
PINS = 0.2
"""What it is worth to pin a platoon, as a part of it."""


def weight(battle: Battle, picture: Picture, target: str) -> float:
    """How much more it matters to hit this one."""
    places = [picture.places[i] for i in dict.fromkeys((*picture.takes, *picture.holds))]
    teams = [battle.teams[id] for id in teams_of(battle, target)]
    near = any(span(team.centre, place) < 6 * INCH for team in teams if team.pose is not None for place in places)
    return AT_OBJECTIVE if near else 1.0


def best_target(battle: Battle, picture: Picture, platoon_id: str, ids: Iterable[str]) -> list[tuple[float, str]]:
    """The targets of a platoon, the best first."""
    possible = targets_of(battle, platoon_id)
    scored = []
    for id in ids:
        volleys = possible.get(id)
        if volleys:
            scored.append((fire_worth(battle, volleys, id).worth * weight(battle, picture, id), id))
    return sorted(scored, key=lambda one: (-one[0], one[1]))


def best_split(battle: Battle, picture: Picture, platoon_id: str, things: Iterable[str], targets: Iterable[str]) -> dict[str, list[str]]:
    """Each team at the target where its own fire is worth most."""
    possible = targets_of(battle, platoon_id)
    given: dict[str, list[str]] = {}
    for id in things:
        best, where = 0.0, "hold"
        for target in targets:
            volleys = [volley for volley in possible.get(target, ()) if volley.shooter == id]
            if volleys:
                found = fire_worth(battle, volleys, target).worth * weight(battle, picture, target)
                if where == "hold" or found > best:
                    best, where = found, target
        given.setdefault(where, []).append(id)
    return given


def _under(battle: Battle, centre: Team, heading: int, *, double: bool = False) -> list[Team]:
    shape = lay_template(centre.centre, heading, double=double)
    box = bounds(shape)
    found = []
    x, y = centre.centre
    for team in battle.standing_near(x - 9000, y - 9000, x + 9000, y + 9000):
        if not boxes_apart(team.box, box) and overlap(team.base, shape):
            found.append(team)
    return found


def template_worth(
    battle: Battle, side: str, aimed: Team, heading: int, hit: float, anti_tank: int, firepower: int, facing: str, *, double: bool = False
) -> float:
    """What a template on a team is worth, once ranged in: losses of theirs less those of one's own, and who is pinned."""
    total = 0.0
    pinned: dict[str, int] = {}
    for team in _under(battle, aimed, heading, double=double):
        profile = team.profile
        armour = profile.armour_top if facing == "top" else profile.armour_side
        cover = team.dug_in or bool(team.building)
        platoon = battle.platoons[team.unit]
        kill, shake = hit_odds(profile.save, armour, anti_tank, firepower, False, cover, team.bailed_out, platoon.motivation)
        sign = 1.0 if team.side != side else -1.5
        total += sign * hit * (kill + 0.45 * shake) * worth_of(profile)
        if team.side != side and not profile.armoured and not platoon.pinned and not platoon.independent:
            pinned[platoon.id] = pinned.get(platoon.id, 0) + 1
    for id, number in pinned.items():
        own = sum(worth_of(team.profile) for team in battle.members(id))
        total += PINS * own * (1 - (1 - hit) ** number)
    return total


def ranged_in(score: int) -> float:
    """The chance to range in with three tries."""
    return 1 - (1 - chance(score)) ** 3


def bombardment_worth(battle: Battle, platoon: Platoon, spotter: Team, aimed: Team) -> float:
    """What a bombardment of a team is worth, the chance to range in counted."""
    guns = [team for team in battle.standing(platoon.id) if team.operational and team.id != spotter.id and bombarding_weapon(team)]
    if not guns:
        return 0.0
    weapon = bombarding_weapon(guns[0])
    assert weapon is not None
    assert weapon.bombardment is not None
    concealed, gone = seen_from(battle, spotter, aimed)
    facts = RangeIn(
        target_skill=battle.unit_of(aimed).skill,  # type: ignore[arg-type]
        concealed=concealed,
        gone_to_ground=gone,
        company_commander_spotting=spotter.profile.commander,
    )
    p = chance(skill_score(platoon.skill).needed + (len(guns) == 1))
    p = p * p if len(guns) <= 2 else p if len(guns) < 6 or weapon.rocket else 1 - (1 - p) ** 2
    worth = template_worth(
        battle,
        platoon.side,
        aimed,
        bearing(guns[0].centre, aimed.centre),
        p,
        weapon.bombardment.anti_tank,
        weapon.bombardment.firepower,
        "top",
        double=len(guns) >= 6 and weapon.rocket,
    )
    return worth * ranged_in(ranging_score(facts).needed)


def strike_worth(battle: Battle, side: str, target: Team, flight: int) -> float:
    """What an air strike on a team is worth with the best weapon of the flight."""
    heading, places = placing(battle, side, target, flight)
    if not all(battle.ground.within_table(base) for base in aircraft_bases(places, heading)):
        return -1.0
    aircraft = battle.scenario.side(side).force.aircraft
    assert aircraft is not None
    concealed, gone = seen_from(battle, None, target)
    facts = RangeIn(target_skill=battle.unit_of(target).skill, concealed=concealed, gone_to_ground=gone, attack="air")  # type: ignore[arg-type]
    ranging = ranged_in(ranging_score(facts).needed)
    best = 0.0
    for weapon in aircraft.weapons:
        p = chance(weapon.to_hit)
        p = p * p if flight == 1 else p if flight == 2 else 1 - (1 - p) ** 2
        facing = "top" if weapon.weapon_class in ("bomb", "rocket") else "side"
        best = max(best, template_worth(battle, side, target, heading, p, weapon.anti_tank, weapon.firepower, facing))
    return best * ranging


__all__ = ["best_split", "best_target", "bombardment_worth", "platoon_of", "strike_worth", "targets_of", "template_worth", "weight"]
