"""Assaults: whether to charge, to strike back, and where to go when it is won."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.bots.flames_of_war.picture import Foe, Picture
from sandtable.bots.flames_of_war.worth import assault_odds, fighters, worth_of
from sandtable.field.shapes import span
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.procedures.shooting import TO_HIT

TAKES = 5.0
"""What it is worth to drive an enemy from an objective."""
MOST = 5
"""Teams a side that are counted: more change little."""
SUPPORT = 4.5 * INCH


def defensive_shots(battle: Battle, picture: Picture, attackers: Sequence[Team], foe: Foe) -> tuple[int, int, int, int]:
    """The defensive fire to be expected: shots, score needed, anti-tank and firepower of most of it."""
    skill = battle.unit_of(attackers[0]).skill
    shots = 0
    strongest: dict[tuple[int, int], int] = {}
    near = [one for one in picture.foes if one.id == foe.id or (span(one.middle, foe.middle) < SUPPORT + one.size + foe.size)]
    for other in near:
        for team in other.teams:
            if not team.operational or (other.id != foe.id and foe.nearest(team.centre)[0] > 6):
                continue
            for weapon in team.profile.weapons:
                if weapon.range_in is not None:
                    number = 1 if other.pinned and not team.profile.armoured else weapon.rof
                    shots += number
                    key = (weapon.anti_tank, weapon.firepower)
                    strongest[key] = strongest.get(key, 0) + number
    if not shots:
        return 0, 6, 0, 6
    hurts = attackers[0].profile.armoured
    # Against armour only what can hurt it counts; against others every shot does.
    if hurts:
        side = attackers[0].profile.armour_side or 0
        able = {key: number for key, number in strongest.items() if key[0] > side}
        if not able:
            return 0, 6, 0, 6
        (anti_tank, firepower), _ = max(able.items(), key=lambda one: (one[1], one[0]))
        return _about(sum(able.values())), TO_HIT[skill], anti_tank, firepower
    return _about(shots), TO_HIT[skill], 2, 6  # men in the open save all the same


def _about(shots: int) -> int:
    """A number of shots, so that there are few different ones: the odds of each are worked out once."""
    return next((some for some in (2, 4, 7, 11) if shots <= some), 15)


def charge_worth(battle: Battle, picture: Picture, platoon_id: str, teams: Sequence[Team], foe: Foe, *, fire: bool = True) -> float:
    """What an assault is worth on average, from the exact odds of the whole fight."""
    mine = [team for team in teams if team.profile.team_type in ("infantry", "cavalry", "tank") and not team.profile.man_packed]
    mine = [team for team in mine if team.profile.armoured or not team.profile.vehicle][:MOST]
    theirs = [team for team in foe.teams if team.operational][:MOST]
    if not mine:
        return -1.0
    bonus = sum(TAKES for i in picture.takes if any(span(team.centre, picture.places[i]) < 5.5 * INCH for team in foe.teams))
    if not theirs:
        return bonus + 1.0 + 0.8 * foe.worth
    if len(mine) == 1 and fire and not (mine[0].profile.armoured and not any(team.profile.armoured for team in theirs)):
        return -1.0  # nobody charges alone, but for tanks that have only men before them
    shots, needed, anti_tank, firepower = defensive_shots(battle, picture, mine, foe) if fire else (0, 6, 0, 6)
    attacker = fighters(battle, mine, platoon_id)
    if attacker[1] not in ("infantry", "cavalry", "tank"):
        return -1.0
    wins, lost, destroyed = assault_odds(attacker, fighters(battle, theirs, foe.id), shots, needed, anti_tank, firepower)
    own = sum(worth_of(team.profile) for team in mine) / len(mine)
    their = sum(worth_of(team.profile) for team in theirs) / len(theirs)
    return destroyed * their - lost * own + wins * (bonus + 0.5)


def strikes_back(battle: Battle, picture: Picture, struck: str, striker: Foe) -> float:
    """What a counterattack is worth against breaking off."""
    teams = [team for team in battle.standing(struck) if team.operational]
    return charge_worth(battle, picture, struck, teams, striker, fire=False)
