"""What a team may do now, and for everything it may not do, the rule against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.games.flames_of_war.artillery import bombarding_weapon, bombardment_refusal
from sandtable.games.flames_of_war.assault import assault_refusal, chargers, team_class
from sandtable.games.flames_of_war.battle import INCH, Battle, Platoon, Team
from sandtable.games.flames_of_war.command import far, gap, in_command, leader_of
from sandtable.games.flames_of_war.movement import digs, orders
from sandtable.games.flames_of_war.procedures.assault import may
from sandtable.games.flames_of_war.recon import spots
from sandtable.games.flames_of_war.scene import BAR
from sandtable.games.flames_of_war.sequence import PHASES
from sandtable.games.flames_of_war.sight import may_fire, shot
from sandtable.games.flames_of_war.surveying import check_able, reach_of
from sandtable.games.flames_of_war.targets import volleys_of
from sandtable.games.flames_of_war.transport import check_dismount
from sandtable.kernel.decisions import Option, Refusal, Request, refusal_of
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.messages import say

Why = Refusal | None
VAGUE = "refused.nothing_to_shoot_at"
"""What is said of a whole platoon; a team has a reason of its own."""


def may_do(battle: Battle, request: Request | None, piece: str) -> tuple[Option, ...]:
    """The options of the question that name the team; for a team of the side that is asked, everything else it might do; facts."""
    team = battle.teams.get(piece)
    if team is None or team.fate or team.pose is None:
        return ()
    named = [] if request is None else [option for option in _options(request) if piece in option.units or option.id == piece]
    if request is None or request.player != team.side or battle.active != team.side:
        return (*named, *_facts(battle, team))
    covered = {_kind(option.id) for option in named if option.refusal is None or option.refusal.message.id != VAGUE}
    return (*named, *(option for option in _actions(battle, team) if option.id not in covered), *_facts(battle, team))


def _options(request: Request) -> tuple[Option, ...]:
    found: tuple[Option, ...] = getattr(request, "options", ()) or getattr(request, "receivers", ())
    return found


def _kind(option: str) -> str:
    """What an option of a question is about: `panzer:double` about moving at the double, `panzer>rifles` about an assault."""
    word = option.rpartition(":")[2] if ":" in option else "assault" if ">" in option else option
    return "shoot" if word == "fire" else word


# -- actions ----------------------------------------------------------------------------------------------------------


def _actions(battle: Battle, team: Team) -> Iterator[Option]:
    """Everything a team of its kind does in a turn, in the order of the turn."""
    for id, step, applies, refusal in (
        ("move", "movement", True, _no_move),
        ("double", "movement", True, _no_double),
        ("dig_in", "movement", team.profile.team_type in ("infantry", "gun"), _no_digging),
        ("dismount", "movement", team.carried, _no_way_out),
        ("spot", "shooting", "recon" in team.profile.traits, _no_spotting),
        ("shoot", "shooting", any(weapon.direct_fire for weapon in team.profile.weapons), _no_shooting),
        ("bombard", "shooting", bombarding_weapon(team) is not None, _no_bombarding),
        ("assault", "assault", may(team_class(team), "charge"), _no_assault),
    ):
        if applies:
            yield Option(id, say(f"may.{id}"), _refusal(battle, team, step, refusal), (team.id,))


def _refusal(battle: Battle, team: Team, step: str, refusal: Callable[[Battle, Team], Why]) -> Why:
    """What the team's state forbids; then that it is not the time; then that its platoon has had its go."""
    now = BAR.get(battle.phase, battle.phase)
    if now not in PHASES:
        return Refusal("FOW-RULING-02", say("refused.not_begun"))
    early, late = PHASES.index(now) < PHASES.index(step), PHASES.index(now) > PHASES.index(step)
    if late:
        return Refusal("FOW-RULING-02", say("refused.step_over", step=f"phase.{step}"))
    why_not = refusal(battle, team)
    if why_not is not None:
        return why_not
    if early:
        return Refusal("FOW-RULING-02", say("refused.step_to_come", step=f"phase.{step}"))
    if battle.unit_of(team).acted:
        return Refusal(
            "FOW-MOVE-01" if step == "movement" else "FOW-TGT-01", say("refused.platoon_acted", platoon=battle.unit_of(team).name)
        )
    return None


def _checked(check: Callable[[], None]) -> Why:
    try:
        check()
    except RefusedError as problem:
        return refusal_of(problem)
    return None


def _order(battle: Battle, platoon: Platoon, word: str) -> Why:
    """What keeps the whole platoon from an order."""
    return next((option.refusal for option in orders(battle, platoon) if option.id == f"{platoon.id}:{word}"), None)


def _no_move(battle: Battle, team: Team) -> Why:
    return _no_going(battle, team, "move")


def _no_double(battle: Battle, team: Team) -> Why:
    return _no_going(battle, team, "double")


def _no_going(battle: Battle, team: Team, word: str) -> Why:
    if team.carried:
        return Refusal("FOW-TRN-06", say("refused.carried", team=team.id, carrier=team.mounted_in or team.towed_by))
    platoon = battle.unit_of(team)
    own = _checked(lambda: check_able(battle, team, "double" if word == "double" else "move"))
    if own is not None and own.rule == "FOW-CMD-06":
        own = None  # a commander may yet take the lead: the order knows
    return own or _order(battle, platoon, word)


def _no_digging(battle: Battle, team: Team) -> Why:
    if digs(team):
        return None
    word = "already_dug_in" if team.dug_in else "moved_no_digging" if team.moved else "cannot_dig"
    return Refusal("FOW-RULING-14", say(f"refused.{word}"))


def _no_way_out(battle: Battle, team: Team) -> Why:
    return _checked(lambda: check_dismount(battle, team))


def _no_spotting(battle: Battle, team: Team) -> Why:
    if battle.phase not in ("starting", "movement", "movement_end", "shooting_start"):
        return Refusal("FOW-REC-01", say("refused.spotting_over"))
    if team.moved:
        return Refusal("FOW-REC-01", say("refused.spotting_moved"))
    return None if spots(battle, team) else Refusal("FOW-REC-01", say("refused.nothing_to_spot"))


def _no_shooting(battle: Battle, team: Team) -> Why:
    refusal = may_fire(battle, team)
    foes = battle.enemies(team.side)
    if refusal is not None or BAR.get(battle.phase, battle.phase) != "shooting" or not foes:
        return refusal
    if volleys_of(battle, [team.id], [foe.id for foe in foes]):
        return None
    nearest = min(foes, key=lambda foe: gap(team, foe))
    weapon = max((one for one in team.profile.weapons if one.range_in is not None), key=lambda one: one.range_in or 0)
    return shot(battle, team, weapon, nearest).refusal


def _no_bombarding(battle: Battle, team: Team) -> Why:
    return bombardment_refusal(battle, battle.unit_of(team))


def _no_assault(battle: Battle, team: Team) -> Why:
    platoon = battle.unit_of(team)
    refusal = assault_refusal(battle, platoon)
    if refusal is not None:
        return refusal
    if team.id not in [one.id for one in chargers(battle, platoon)]:
        return Refusal("FOW-RULING-75", say("refused.team_no_charge", team=team.id))
    foes = battle.enemies(team.side)
    if BAR.get(battle.phase, battle.phase) == "assault" and not platoon.assault_reach and foes:
        nearest = min(gap(one, foe) for one in battle.standing(platoon.id) for foe in foes)
        return Refusal("FOW-ASLT-01", say("refused.too_far_to_assault", distance=nearest / INCH, reach=far("assault_range") / INCH))
    return None


# -- facts ------------------------------------------------------------------------------------------------------------


def _facts(battle: Battle, team: Team) -> Iterator[Option]:
    """What anybody may see of a team: weapons, armour, speed, command."""
    profile = team.profile
    for weapon in profile.weapons:
        if weapon.range_in is not None:
            label = say(
                "fact.weapon",
                weapon=weapon.name,
                range=weapon.range_in,
                rof=weapon.rof,
                anti_tank=weapon.anti_tank,
                firepower=weapon.firepower,
            )
            yield Option(f"fact:{weapon.id}", label)
        if (shells := weapon.bombardment) is not None:
            label = say(
                "fact.bombardment", weapon=weapon.name, range=shells.range_in, anti_tank=shells.anti_tank, firepower=shells.firepower
            )
            yield Option(f"fact:{weapon.id}:bombardment", label)
    if profile.armoured:
        label = say("fact.armour", front=profile.armour_front, side=profile.armour_side, top=profile.armour_top)
        yield Option("fact:armour", label)
    speeds = {going: reach_of(battle, team, "move", going) / INCH for going in ("cross_country", "road")}
    yield Option("fact:speed", say("fact.speed", **speeds, double=reach_of(battle, team, "double") / INCH))
    platoon = battle.unit_of(team)
    leader = leader_of(battle, platoon)
    if leader is not None and leader.id != team.id and leader.pose is not None and not platoon.independent:
        word = "in" if team.id in [one.id for one in in_command(battle, platoon)] else "out"
        yield Option("fact:command", say(f"fact.{word}_command", leader=leader.id, inches=gap(team, leader) / INCH))
