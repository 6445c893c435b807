"""Odds cards of direct fire."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.flames_of_war.battle import Battle
from sandtable.games.flames_of_war.damage import all_armoured
from sandtable.games.flames_of_war.hooks.chances import QUIET, counted, line, possible
from sandtable.games.flames_of_war.procedures.saves import PinningCheck, pinning_check
from sandtable.games.flames_of_war.procedures.shooting import platoon_fire
from sandtable.games.flames_of_war.targets import Volley, dice_for, fire_facts, platoon_of, score_for, targets_of, volleys_of
from sandtable.kernel.decisions import Request
from sandtable.kernel.game import Card
from sandtable.kernel.messages import Message, say
from sandtable.odds import distribution


def target_card(battle: Battle, request: Request, option: str) -> Card | None:
    volleys = targets_of(battle, request.unit).get(option) if request.unit in battle.platoons else None
    return fire_card(battle, volleys, option) if volleys else None


def defence_card(battle: Battle, request: Request, option: str) -> Card | None:
    """One team's defensive fire at the platoon that charges."""
    if request.unit not in battle.platoons or option not in battle.teams:
        return None
    volleys = volleys_of(battle, [option], [foe.id for foe in battle.standing(request.unit)], defensive=True)
    return fire_card(battle, volleys, request.unit, defensive=True) if volleys else None


def fire_card(battle: Battle, volleys: Sequence[Volley], target: str, *, defensive: bool = False) -> Card:
    """The fire of some weapons at a platoon or group: losses, and whether it is pinned by all hits of the step (FOW-RULING-17)."""
    platoon = battle.platoons[platoon_of(target)]
    facts = fire_facts(battle, volleys, target, defensive=defensive)
    losses = distribution(platoon_fire, facts, fields=("destroyed", "bailed_out"))
    hits = distribution(platoon_fire, facts, fields=("hits",))
    odds = counted(losses, 0, "chance.destroyed")
    if any(shot.armour is not None for volley in volleys for shot in volley.shots):
        odds += possible(line("chance.bails_out", losses.chance(lambda outcome: outcome[1] > 0)))
    odds += possible(line("chance.misses", hits.p((0,))))
    if not platoon.pinned:
        before = 0 if defensive else platoon.hits
        armoured = all_armoured(battle, platoon.id)

        def pins(outcome: tuple[int]) -> bool:
            check = PinningCheck(
                attack="direct", hits=before + outcome[0], all_armoured=armoured, independent_alone=platoon.independent and not defensive
            )
            return pinning_check(check, QUIET).pinned

        odds += possible(line("chance.pinned", hits.chance(pins)))
    dice = [dice_for(battle, volley, platoon, QUIET, defensive=defensive).dice for volley in volleys]
    scores = [score_for(battle, volley, platoon, defensive=defensive) for volley in volleys]
    main = max(range(len(volleys)), key=lambda place: dice[place])
    needed = sorted({score.needed for score in scores})
    summary = say(
        "card.fire",
        target=platoon.id,
        dice=sum(dice),
        needed=f"{needed[0]}+" if len(needed) == 1 else f"{needed[0]}+…{needed[-1]}+",
        hits=round(hits.mean(lambda outcome: outcome[0]), 2),
        destroyed=round(losses.mean(lambda outcome: outcome[0]), 2),
    )
    notes = [_shooter(volley, number, score.needed) for volley, number, score in zip(volleys, dice, scores, strict=True)]
    return Card(summary, tuple(odds), (scores[main].parts,), tuple(notes))


def _shooter(volley: Volley, dice: int, needed: int) -> Message:
    """One weapon: how far, how many dice, what it needs, and what its anti-tank meets."""
    shot = volley.nearest
    arguments = {"team": volley.shooter, "weapon": volley.weapon.name, "distance": shot.distance_in, "dice": dice, "needed": needed}
    if shot.armour is None:
        return say("card.shooter", **arguments)
    return say("card.shooter_armour", **arguments, anti_tank=volley.weapon.anti_tank, facing=shot.facing, armour=shot.armour)
