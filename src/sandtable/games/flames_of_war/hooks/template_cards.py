"""Odds cards of what comes from above: bombardments, smoke, air strikes."""

from __future__ import annotations

from typing import Any

from sandtable.field.shapes import Polygon, bearing
from sandtable.games.flames_of_war.air import placing
from sandtable.games.flames_of_war.artillery import (
    aims,
    bombarding_weapon,
    double_width,
    fires_rockets,
    firing_guns,
    ranging_facts,
    seen_from,
)
from sandtable.games.flames_of_war.battle import Battle, Platoon, Team
from sandtable.games.flames_of_war.command import motivation_facts
from sandtable.games.flames_of_war.hooks.chances import QUIET, Parts, counted, line, possible
from sandtable.games.flames_of_war.procedures import PROCEDURES
from sandtable.games.flames_of_war.procedures.air import AirAttack, AttackedTeam
from sandtable.games.flames_of_war.procedures.artillery import BombardedTeam, Bombardment, RangeIn, ranging_score
from sandtable.games.flames_of_war.procedures.shooting import BulletproofCover, bulletproof_cover
from sandtable.games.flames_of_war.templates import lay_template, teams_under
from sandtable.kernel.decisions import Request
from sandtable.kernel.game import Card
from sandtable.kernel.messages import Message, say
from sandtable.odds import distribution


def aim_card(battle: Battle, request: Request, option: str) -> Card | None:
    platoon = battle.platoons.get(request.unit)
    if platoon is None:
        return None
    if option == "repeat" and platoon.aiming_point is not None:
        point, heading = platoon.aiming_point
        guns = firing_guns(battle, platoon, point)
        return _shelling(battle, platoon, guns, lay_template(point, heading, double=double_width(guns)), None)
    for spotter, team, trail in aims(battle, platoon):
        if option == f"{spotter.id}>{team.id}":
            return bombardment_card(battle, platoon, spotter, team, trail)
    return None


def bombardment_card(battle: Battle, platoon: Platoon, spotter: Team, aimed: Team, trail: bool) -> Card | None:
    guns = firing_guns(battle, platoon, aimed.centre, spotter.id)
    shape = lay_template(aimed.centre, bearing(guns[0].centre, aimed.centre), double=double_width(guns))
    return _shelling(battle, platoon, guns, shape, ranging_facts(battle, spotter, aimed, by_trail=trail), aimed.unit)


def _shelling(battle: Battle, battery: Platoon, guns: list[Team], shape: Polygon, ranging: RangeIn | None, aimed: str = "") -> Card | None:
    """A bombardment up to what it does to the platoon aimed at; whoever else lies under the template stands in the notes."""
    under = teams_under(battle, shape)
    target = aimed if aimed in under else next(iter(under), "")
    weapon = bombarding_weapon(guns[0]) if guns else None
    if not target or weapon is None or weapon.bombardment is None:
        return None
    platoon = battle.platoons[target]
    facts = Bombardment(
        skill=battery.skill,  # type: ignore[arg-type]
        guns=len(guns),
        anti_tank=weapon.bombardment.anti_tank,
        firepower=weapon.bombardment.firepower,
        weapon="rocket" if fires_rockets(guns) else "gun",
        repeat_salvo=ranging is None,
        company_commander_spotting=ranging is not None and ranging.company_commander_spotting,
        smoke_trail_only=ranging is not None and ranging.smoke_trail_only,
        target_skill=platoon.skill,  # type: ignore[arg-type]
        concealed=ranging is not None and ranging.concealed,
        gone_to_ground=ranging is not None and ranging.gone_to_ground,
        teams=tuple(
            BombardedTeam(
                id=team.id,
                save=team.profile.save,
                armour_top=team.profile.armour_top,
                dug_in=team.dug_in,
                bulletproof=_cover(team, "artillery"),
                bailed_out=team.bailed_out,
                bogged=team.bogged,
            )
            for team in under[target]
        ),
        **_heart(battle, platoon),
    )
    parts = ranging_score(ranging).parts if ranging is not None else ()
    return _from_above(
        battle, "bombardment", facts, target, under, parts, say("card.bombardment", target=target, guns=len(guns)), battery.side
    )


def _cover(team: Team, attack: str) -> bool:
    facts = BulletproofCover(attack=attack, in_building=bool(team.building), dug_in=team.dug_in)  # type: ignore[arg-type]
    return bulletproof_cover(facts, QUIET).bulletproof


def _heart(battle: Battle, platoon: Platoon) -> dict[str, Any]:
    facts = motivation_facts(battle, platoon)
    return {"target_motivation": platoon.motivation, "commander_joined": facts["commander_joined"] and not facts["commander_bailed_out"]}


def strike_card(battle: Battle, request: Request, option: str) -> Card | None:
    """An air strike as if no anti-aircraft fire met it; of several weapons, with the first."""
    target, aircraft = battle.teams.get(option), battle.scenario.side(request.player).force.aircraft
    flight = battle.companies[request.player].aircraft
    if target is None or not target.on_table or aircraft is None or not flight:
        return None
    weapon = aircraft.weapons[0]
    heading, _ = placing(battle, request.player, target, flight)
    under = teams_under(battle, lay_template(target.centre, heading))
    platoon = battle.unit_of(target)
    concealed, gone = seen_from(battle, None, target)
    facts = AirAttack(
        aircraft=flight,
        weapon_class=weapon.weapon_class,
        to_hit=weapon.to_hit,
        anti_tank=weapon.anti_tank,
        firepower=weapon.firepower,
        target_skill=platoon.skill,  # type: ignore[arg-type]
        concealed=concealed,
        gone_to_ground=gone,
        teams=tuple(
            AttackedTeam(
                id=team.id,
                save=team.profile.save,
                armour_top=team.profile.armour_top,
                armour_side=team.profile.armour_side,
                dug_in=team.dug_in,
                bulletproof=_cover(team, "air"),
                bailed_out=team.bailed_out,
                bogged=team.bogged,
            )
            for team in under[platoon.id]
        ),
        **_heart(battle, platoon),
    )
    ranging = RangeIn(target_skill=platoon.skill, concealed=concealed, gone_to_ground=gone, attack="air")  # type: ignore[arg-type]
    summary = say("card.strike", target=platoon.id, aircraft=flight, weapon=weapon.weapon_class)
    return _from_above(battle, "air_attack", facts, platoon.id, under, ranging_score(ranging).parts, summary, request.player)


def _from_above(
    battle: Battle, name: str, facts: Any, target: str, under: dict[str, list[Team]], parts: Parts, summary: Message, side: str
) -> Card:
    procedure = PROCEDURES[name].run
    losses = distribution(procedure, facts, fields=("attempt", "destroyed"))
    odds = []
    if parts:
        attempts = losses.map(lambda outcome: outcome[0])
        odds = [line("chance.ranges_in", attempts.p(number), attempt=number) for number in (1, 2, 3) if attempts.p(number)]
        odds.append(line("chance.never_ranges_in", attempts.p(0)))
    odds += counted(losses, 1, "chance.destroyed")
    pinned = distribution(procedure, facts, fields=("pinned",))
    if not battle.platoons[target].pinned:
        odds += possible(line("chance.pinned", pinned.p((True,))))
    notes = [say("card.under", platoon=target, teams=[team.id for team in under[target]])]
    for id, teams in under.items():
        if id != target:
            word = "card.friends_under" if battle.platoons[id].side == side else "card.also_under"
            notes.append(say(word, platoon=id, teams=[team.id for team in teams]))
    return Card(summary, tuple(odds), (parts,) if parts else (), tuple(notes))


def smoke_card(battle: Battle, request: Request, option: str) -> Card | None:
    platoon_id, _, rest = option.partition(">")
    platoon = battle.platoons.get(platoon_id)
    if platoon is None:
        return None
    for spotter, team, trail in aims(battle, platoon, smoke=True):
        if rest == f"{spotter.id}>{team.id}>{int(trail)}":
            facts = ranging_facts(battle, spotter, team, by_trail=trail)
            found = distribution(PROCEDURES["range_in"].run, facts, fields=("attempt",))
            odds = [line("chance.ranges_in", found.p((number,)), attempt=number) for number in (1, 2, 3) if found.p((number,))]
            odds.append(line("chance.never_ranges_in", found.p((0,))))
            return Card(say("card.smoke", platoon=platoon_id), tuple(odds), (ranging_score(facts).parts,))
    return None
