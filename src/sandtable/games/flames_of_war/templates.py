"""What lies under a template, and what shells and bombs do to it: one way for bombardments and air strikes."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.field.shapes import Point, Polygon, bounds, boxes_apart, overlap, template
from sandtable.games.flames_of_war.battle import INCH, Battle, Team
from sandtable.games.flames_of_war.command import motivation_facts
from sandtable.games.flames_of_war.damage import apply_result, pin
from sandtable.games.flames_of_war.procedures.allocation import template_order
from sandtable.games.flames_of_war.rolling import run
from sandtable.kernel.decisions import Option, PickSeveral
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

TEMPLATE = 6 * INCH
"""The side of the square template (FOW-RULING-34)."""


def lay_template(centre: Point, heading: int, *, double: bool = False) -> Polygon:
    """The template, its depth along the line of fire; of double width with the long side across it (FOW-ART-16, FOW-RULING-34)."""
    return template(centre, heading, TEMPLATE * (2 if double else 1), TEMPLATE)


def teams_under(battle: Battle, shape: Polygon) -> dict[str, list[Team]]:
    """Every team even partly under a template, friend or foe, by the platoon it acts with (FOW-ART-17, FOW-RULING-62).

    Towed guns and passengers cannot be hit, only what carries them (FOW-TRN-08).
    """
    box = bounds(shape)
    found: dict[str, list[Team]] = {}
    reach = 8 * INCH  # no base is so big that more than this lies between its centre and what it touches
    for team in battle.standing_near(box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach):
        if not boxes_apart(team.box, box) and overlap(team.base, shape):
            found.setdefault(team.unit, []).append(team)
    return found


def strike(
    table: Table[Battle],
    shape: Polygon,
    *,
    attack: str,
    anti_tank: int,
    firepower: int,
    facing: str,
    hits_on: Callable[[str, int], int],
    spared: frozenset[str] = frozenset(),
) -> int:
    """Resolve a template platoon by platoon: hits, who takes them, saves, pinning. Gives the number of teams hit.

    `hits_on(platoon, teams)` rolls how many are hit; `facing` is the armour struck: top or side.
    """
    total = 0
    for platoon_id, teams in teams_under(table.battle, shape).items():
        if platoon_id in spared:
            continue
        hits = hits_on(platoon_id, len(teams))
        total += hits
        for team_id in _who_is_hit(table, platoon_id, teams, hits):
            _save(table, team_id, attack, anti_tank, firepower, facing)
        if hits:
            pin(table, platoon_id)  # FOW-ART-24, FOW-AIR-14, FOW-RULING-25
    return total


def _who_is_hit(table: Table[Battle], platoon_id: str, teams: list[Team], hits: int) -> list[str]:
    """Not dug in first, then lower top armour; among equals the owner chooses; one hit a team (FOW-ART-21, FOW-AIR-12, FOW-DEC-14)."""
    ordered = [teams[index] for index in template_order([_Exposed(team) for team in teams])]
    if hits >= len(ordered) or hits == 0:
        return [team.id for team in ordered[:hits]]
    last = _rank(ordered[hits - 1])
    sure = [team for team in ordered[:hits] if _rank(team) != last]
    equal = [team for team in ordered if _rank(team) == last]
    left = hits - len(sure)
    if left == len(equal):
        return [team.id for team in ordered[:hits]]
    owner = table.battle.platoons[platoon_id].side
    leader = table.battle.platoons[platoon_id].leader
    equal.sort(key=lambda team: team.id == leader or team.profile.commander)  # by default the leader is spared
    default = [team.id for team in equal[:left]]
    if len({(team.profile, team.id == leader, team.bailed_out, team.bogged) for team in equal}) == 1:
        return [team.id for team in sure] + default
    chosen = table.ask(
        PickSeveral(
            player=owner,
            decision="FOW-DEC-14",
            prompt=say("ask.template_hits", hits=left),
            options=tuple(Option(team.id, say("option.team", team=team.id, name=team.profile.name), units=(team.id,)) for team in equal),
            least=left,
            most=left,
            default=default,
        )
    )
    return [team.id for team in sure] + list(chosen)


class _Exposed:
    """A team as the order of allocation sees it."""

    def __init__(self, team: Team) -> None:
        self.id, self.dug_in, self.armour_top = team.id, team.dug_in, team.profile.armour_top


def _rank(team: Team) -> tuple[bool, int]:
    top = team.profile.armour_top
    return team.dug_in, -1 if top is None else top


def _save(table: Table[Battle], team_id: str, attack: str, anti_tank: int, firepower: int, facing: str) -> None:
    battle = table.battle
    team = battle.teams[team_id]
    if not team.alive:
        return
    profile = team.profile
    if profile.save == "armoured":
        facts = motivation_facts(battle, battle.unit_of(team), team)
        armour = profile.armour_top if facing == "top" else profile.armour_side
        saved = run(
            table,
            team.side,
            "armour_save",
            armour=armour,
            anti_tank=anti_tank,
            firepower=firepower,
            bailed_out=team.bailed_out,
            bogged=team.bogged,
            motivation=facts["motivation"],
            commander_joined=facts["commander_joined"] and not facts["for_self"] and not facts["commander_bailed_out"],
        )
    else:
        cover = run(
            table, team.side, "bulletproof_cover", attack=attack, in_building=bool(team.building), dug_in=team.dug_in
        )  # FOW-RULING-60
        saved = run(table, team.side, "team_save", target=profile.save, firepower=firepower, bulletproof=cover.bulletproof)
    apply_result(table, team_id, saved.result, destroyed_results=1, hits=1, cause=attack)
