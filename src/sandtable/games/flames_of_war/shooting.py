"""The shooting step: eyes and ears, new leaders, then platoon after platoon fires, bombards or tows."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.flames_of_war import fire, recon, towing
from sandtable.games.flames_of_war.battle import Acted, Battle, Joined, LeaderNamed, PhaseBegan, Platoon, Team
from sandtable.games.flames_of_war.command import in_reach, may_join_it
from sandtable.games.flames_of_war.fire import resolve_declared, resolve_fire
from sandtable.games.flames_of_war.recon import eyes_and_ears_step
from sandtable.games.flames_of_war.sight import may_fire, visible
from sandtable.games.flames_of_war.targets import (
    Volley,
    can_fire,
    declared_volleys,
    expected_kills,
    fire_facts,
    groups,
    no_shot_at,
    platoon_of,
    targets_of,
    teams_of,
)
from sandtable.kernel.decisions import Allocate, Option, PickOne, Refusal, Request
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

EVENTS: tuple[type[Event], ...] = (*recon.EVENTS, *fire.EVENTS, *towing.EVENTS)

__all__ = ["EVENTS", "advice", "resolve_fire", "shooting_start_step", "shooting_step"]


# -- the start of the step --------------------------------------------------------------------------------------------------


def shooting_start_step(table: Table[Battle]) -> None:
    """Eyes and ears, then new leaders (FOW-DEC-09)."""
    eyes_and_ears_step(table)
    _name_leaders(table)
    table.emit(PhaseBegan("smoke"))


def _name_leaders(table: Table[Battle]) -> None:
    """A commander joins a leaderless platoon and names a new leader near him (FOW-CMD-10 to -12)."""
    side = table.battle.active
    while True:
        battle = table.battle
        options = [
            Option(
                f"{commander.id}>{team.id}",
                say("option.name_leader", commander=commander.profile.name, team=team.id, platoon=platoon.name),
                units=(commander.id, team.id),
            )
            for platoon in battle.side_platoons(side)
            if not platoon.independent and not _led(battle, platoon)
            for commander, team in new_leaders(battle, platoon)
        ]
        if not options:
            return
        options.append(Option("none", say("option.no_more")))
        request = PickOne(player=side, decision="FOW-DEC-09", prompt=say("ask.name_leader"), options=tuple(options), default=options[0].id)
        chosen = table.ask(request)
        if chosen == "none":
            return
        commander_id, _, team_id = chosen.partition(">")
        platoon_id = battle.teams[team_id].platoon
        if battle.teams[commander_id].joined != platoon_id:
            table.emit(Joined(commander_id, platoon_id))
        table.emit(LeaderNamed(platoon_id, team_id, by=commander_id))  # FOW-CMD-11: he may not shoot


def _led(battle: Battle, platoon: Platoon) -> bool:
    """Whether a platoon has a leader of its own."""
    return bool(platoon.leader) and battle.teams[platoon.leader].alive


def new_leaders(battle: Battle, platoon: Platoon) -> list[tuple[Team, Team]]:
    """Who could name whom: commanders that can join the platoon (or have), and its teams within their command distance."""
    found = []
    for commander in battle.side_teams(platoon.side):
        if not commander.profile.commander or commander.busy or commander.named_leader or commander.bailed_out:
            continue
        joins = commander.joined == platoon.id or may_join_it(battle, commander, platoon)
        if not joins:
            continue
        own = battle.platoons[commander.platoon]
        for id in platoon.teams:
            team = battle.teams[id]
            if team.alive and team.pose is not None and team.profile.team_type != "transport" and in_reach(battle, own, commander, team):
                found.append((commander, team))
    return found


# -- platoon after platoon ----------------------------------------------------------------------------------------------------


def shooting_step(table: Table[Battle]) -> None:
    """One platoon's go: fire, bombard, or a tow instead (FOW-TGT-01, FOW-DEC-10). Without any, or enough of it, aircraft strike.

    A platoon that will assault later shoots like any other (FOW-RULING-56).
    """
    battle = table.battle
    options = orders(battle, battle.active)
    possible = [option.id for option in options if option.refusal is None]
    chosen = "done"
    if possible:
        options.append(Option("done", say("option.done_shooting")))
        request = PickOne(
            player=battle.active, decision="FOW-DEC-10", prompt=say("ask.shooting"), options=tuple(options), default=possible[0]
        )
        chosen = table.ask(request)
    if chosen == "done":
        table.emit(PhaseBegan("air_strike"))
        return
    who, _, what = chosen.rpartition(":")
    if what == "tow":
        tower, _, target = who.partition(">")
        towing.tow(table, tower, target)
        return
    if what == "bombard":
        from sandtable.games.flames_of_war.artillery import bombardment_order

        bombardment_order(table, who)
    else:
        _fire_order(table, who)
    table.emit(Acted(who))


def orders(battle: Battle, side: str) -> list[Option]:
    """What the platoons of a side may do: `platoon:fire`, `platoon:bombard`, `tower>target:tow`; those that cannot say why."""
    from sandtable.games.flames_of_war.artillery import bombarding_weapon, bombardment_refusal

    found: list[Option] = []
    for platoon in battle.side_platoons(side):
        teams = battle.standing(platoon.id)
        if platoon.acted or not teams:
            continue
        units = tuple(team.id for team in teams)
        if any(weapon.direct_fire for team in teams for weapon in team.profile.weapons):
            refusal = fire_refusal(battle, platoon, teams)
            found.append(Option(f"{platoon.id}:fire", say("option.fire", platoon=platoon.name), refusal, units))
        if any(bombarding_weapon(team) is not None for team in teams):
            refusal = bombardment_refusal(battle, platoon)
            if refusal is None and not _has_aim(battle, platoon):
                refusal = Refusal("FOW-ART-12", say("refused.nothing_to_bombard"))
            found.append(Option(f"{platoon.id}:bombard", say("option.bombard_order", platoon=platoon.name), refusal, units))
    return found + towing.tow_options(battle, side)


def _has_aim(battle: Battle, platoon: Platoon) -> bool:
    """Whether a battery has anything to bombard: a quick look before the player is asked."""
    from sandtable.games.flames_of_war.artillery import firing_guns, in_range, spotters

    if platoon.has_staff and platoon.aiming_point is not None and firing_guns(battle, platoon, platoon.aiming_point[0]):
        return True
    return any(
        (visible(battle, spotter, enemy) or battle.unit_of(enemy).trail) and firing_guns(battle, platoon, enemy.centre, spotter.id)
        for spotter in spotters(battle, platoon)
        for enemy in battle.enemies(platoon.side)
        if in_range(battle, platoon, enemy)
    )


def fire_refusal(battle: Battle, platoon: Platoon, teams: Sequence[Team]) -> Refusal | None:
    """Why a platoon cannot fire: what keeps each of its teams, or that there is nothing in range and sight."""
    reasons = [may_fire(battle, team) for team in teams]
    if all(reason is not None for reason in reasons):
        return reasons[0]
    return None if can_fire(battle, platoon.id) else Refusal("FOW-TGT-05", say("refused.nothing_to_shoot_at"))


def _fire_order(table: Table[Battle], platoon_id: str) -> None:
    """The target of a platoon, or its targets, team by team (FOW-TGT-02)."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    possible = targets_of(battle, platoon_id)
    target = next(iter(possible))
    if len(possible) > 1:
        options = target_options(battle, platoon_id, possible)
        if len({volley.shooter for fire in possible.values() for volley in fire}) > 1:
            options.append(Option("split", say("option.split")))
        default = max(possible, key=lambda one: (worth(battle, possible[one], one), one))
        target = table.ask(
            PickOne(
                player=platoon.side,
                decision="FOW-DEC-10",
                prompt=say("ask.target", platoon=platoon.name),
                unit=platoon_id,
                options=tuple(options),
                default=default,
            )
        )
    if target == "split":
        declared = _split(table, platoon_id, possible)
        if declared:
            resolve_declared(table, declared)
        return
    shooters = dict.fromkeys(volley.shooter for volley in possible[target])
    resolve_fire(table, tuple(shooters), target)


def worth(battle: Battle, volleys: Sequence[Volley], target: str) -> float:
    mean = expected_kills(battle, volleys, target)
    return round(mean.destroyed + mean.bailed_out / 2 + mean.hits / 20, 6)


def target_options(battle: Battle, platoon_id: str, possible: dict[str, list[Volley]]) -> list[Option]:
    """Every enemy platoon and group as a target; those that cannot be shot at with the reason."""
    found = []
    for enemy in battle.side_platoons(other(battle.platoons[platoon_id].side)):
        for target, teams in groups(battle, enemy.id).items():
            refusal = None if target in possible else no_shot_at(battle, platoon_id, target)
            label = say("option.group" if "#" in target else "option.target", platoon=enemy.name, number=target.partition("#")[2])
            found.append(Option(target, label, refusal, teams))
    return found


def _split(table: Table[Battle], platoon_id: str, possible: dict[str, list[Volley]]) -> dict[str, tuple[str, ...]]:
    """Which team shoots at which platoon, or holds its fire; declared before any dice (FOW-TGT-02, -03)."""
    battle = table.battle
    shooters = [team.id for team in battle.standing(platoon_id) if any(v.shooter == team.id for f in possible.values() for v in f)]
    receivers = [option for option in target_options(battle, platoon_id, possible) if option.refusal is None]
    receivers.append(Option("hold", say("option.hold_fire")))

    def check(answer: dict[str, tuple[str, ...]]) -> None:
        declared = [(target, ids) for target, ids in answer.items() if target != "hold"]
        fires = declared_volleys(battle, [(ids, teams_of(battle, target)) for target, ids in declared])
        for (target, ids), volleys in zip(declared, fires, strict=True):
            able = {volley.shooter for volley in volleys}
            for id in ids:
                if id not in able:
                    raise RefusedError("FOW-TGT-05", "refused.team_no_shot", team=id, target=battle.platoons[platoon_of(target)].name)

    best = max(possible, key=lambda one: (worth(battle, possible[one], one), one))
    able = {volley.shooter for volley in possible[best]}
    default = {best: [id for id in shooters if id in able], "hold": [id for id in shooters if id not in able]}
    request = Allocate(
        player=battle.platoons[platoon_id].side,
        decision="FOW-DEC-10",
        prompt=say("ask.split", platoon=battle.platoons[platoon_id].name),
        unit=platoon_id,
        things=tuple(shooters),
        receivers=tuple(receivers),
        default=default,
    )
    answer = table.ask(request, check)
    return {target: tuple(ids) for target, ids in answer.items() if target != "hold" and ids}


# -- advice -------------------------------------------------------------------------------------------------------------------


def advice(battle: Battle, request: Request) -> dict[str, Message]:
    """For each target that may be picked, what the fire brings: the exact odds of `platoon_fire`, as means and the chance to pin."""
    from sandtable.games.flames_of_war.procedures.shooting import platoon_fire
    from sandtable.odds import distribution

    if not isinstance(request, PickOne) or request.prompt.id != "ask.target":
        return {}
    found: dict[str, Message] = {}
    possible = targets_of(battle, request.unit)
    for option in request.options:
        volleys = possible.get(option.id)
        if option.refusal is None and volleys:
            odds = distribution(platoon_fire, fire_facts(battle, volleys, option.id), fields=("destroyed", "bailed_out", "pinned"))
            pinned = round(100 * float(odds.chance(lambda one: one[2])))
            found[option.id] = say(
                "advice.fire_may_pin" if pinned else "advice.fire",
                destroyed=round(odds.mean(lambda one: one[0]), 2),
                bailed_out=round(odds.mean(lambda one: one[1]), 2),
                pinned=pinned,
            )
    return found
