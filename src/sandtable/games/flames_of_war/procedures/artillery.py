"""Artillery: ranging in, templates, bombardments, smoke (sections 3.14 and 5.5 of the rules)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import (
    AntiTank,
    Armour,
    Firepower,
    GunNumber,
    Motivation,
    RerollWord,
    Save,
    Skill,
    State,
    TeamId,
    TeamNumber,
    no_doubles,
)
from sandtable.games.flames_of_war.procedures.allocation import TemplateAllocation, UnderTemplate, template_allocation
from sandtable.games.flames_of_war.procedures.saves import Hit, Losses, PinningCheck, Struck, Victim, next_target, pinning_check
from sandtable.games.flames_of_war.procedures.tests import NEVER, SKILL, each_passes, successes
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, FrozenMap, Outcome
from sandtable.kernel.traces import Score

RANGE_IN: dict[str, int] = CHARTS["range_in"].column("needed")
RANGE_IN_MODIFIERS: dict[tuple[str, str], int] = CHARTS["range_in_modifiers"].column("modifier")
RANGING_PENALTY: dict[tuple[str, int], int] = CHARTS["ranging_penalty"].column("modifier")
ATTEMPTS = 3

Weapon = Literal["gun", "rocket"]
FailedAttempts = Annotated[int, msgspec.Meta(ge=0, le=100)]


# -- ranging in ---------------------------------------------------------------------------------------------------


class RangeIn(Facts, frozen=True, kw_only=True):
    target_skill: Skill
    concealed: bool = False
    gone_to_ground: bool = False
    company_commander_spotting: bool = False
    attack: Literal["artillery", "air"] = "artillery"
    smoke_trail_only: bool = False
    repeat_salvo: bool = False


class RangedIn(Outcome, frozen=True, kw_only=True):
    ranged_in: bool
    attempt: int
    failed_attempts: int
    needed: int
    rolls: tuple[int, ...]


@procedure(
    "range_in", "FOW-ART-13", "FOW-ART-14", "FOW-ART-15", "FOW-AIR-08", "FOW-RKT-03", "FOW-RULING-04", "FOW-RULING-28", "FOW-RULING-35"
)
def range_in(facts: RangeIn, dice: Dice) -> RangedIn:
    mark = dice.mark()
    score = ranging_score(facts)
    if facts.repeat_salvo:
        dice.note("note.repeat_salvo", "FOW-ART-15")
        return RangedIn(ranged_in=True, attempt=1, failed_attempts=0, needed=score.needed, rolls=())
    if score.needed >= NEVER:
        dice.note("note.never", "FOW-RULING-28", needed=score.needed, dice=ATTEMPTS)
        return RangedIn(ranged_in=False, attempt=0, failed_attempts=ATTEMPTS, needed=score.needed, rolls=())
    rule = "FOW-ART-13" if facts.attack == "artillery" else "FOW-AIR-08"
    for attempt in range(1, ATTEMPTS + 1):
        if dice.test("roll.range_in", at_least=score, rule=rule):
            return RangedIn(ranged_in=True, attempt=attempt, failed_attempts=attempt - 1, needed=score.needed, rolls=dice.since(mark))
    return RangedIn(ranged_in=False, attempt=0, failed_attempts=ATTEMPTS, needed=score.needed, rolls=dice.since(mark))


def ranging_score(facts: RangeIn) -> Score:
    artillery = facts.attack == "artillery"
    concealed = facts.concealed or (artillery and facts.smoke_trail_only)
    return _ranging_score(
        facts.target_skill,
        facts.attack,
        concealed,
        concealed and facts.gone_to_ground,
        artillery and facts.company_commander_spotting,
    )


@lru_cache(64)
def _ranging_score(target_skill: str, attack: str, concealed: bool, gone_to_ground: bool, company_commander_spotting: bool) -> Score:
    rule = "FOW-ART-14" if attack == "artillery" else "FOW-AIR-08"
    score = Score.of(RANGE_IN[target_skill], "chart.range_in", rule)
    applies = {"concealed": concealed, "gone_to_ground": gone_to_ground, "company_commander_spotting": company_commander_spotting}
    for (kind, condition), modifier in RANGE_IN_MODIFIERS.items():
        if kind == attack and applies[condition]:
            score = score.plus(f"modifier.{condition}", modifier, "FOW-RULING-04")
    return score


# -- hits under the template --------------------------------------------------------------------------------------


class TemplateHits(Facts, frozen=True, kw_only=True):
    skill: Skill
    guns: GunNumber
    failed_attempts: FailedAttempts
    targets: TeamNumber
    weapon: Weapon = "gun"


class TemplateHit(Outcome, frozen=True, kw_only=True):
    needed: int
    reroll: RerollWord
    hits: int
    target_hits: tuple[bool, ...]
    template: Literal["single", "double_width"]
    rolls: tuple[int, ...]


class TemplateTest(NamedTuple):
    """The test for every team under the template."""

    score: Score
    reroll: RerollWord
    template: Literal["single", "double_width"]


@lru_cache(4096)
def template_test(skill: Skill, guns: int, failed_attempts: int, weapon: Weapon) -> TemplateTest:
    line = CHARTS["template_hit"].at(guns, weapon)
    penalty = ranging_penalty(weapon, failed_attempts)
    score = (
        Score.of(SKILL[skill], "chart.skill_test", "FOW-ART-17")
        .plus_if(penalty != 0, "modifier.failed_ranging", penalty, "FOW-ART-17")
        .plus_if(line["modifier"] != 0, "modifier.one_gun", line["modifier"], "FOW-ART-20")
    )
    return TemplateTest(score, line["reroll"], line["template"])


def ranging_penalty(weapon: Literal["gun", "rocket", "aircraft"], failed_attempts: int) -> int:
    """By the attempt that ranged in: one more than failed, at most the third."""
    return RANGING_PENALTY[weapon, min(failed_attempts + 1, ATTEMPTS)]


@procedure(
    "template_hits", "FOW-ART-17", "FOW-ART-18", "FOW-ART-19", "FOW-ART-20", "FOW-RKT-01", "FOW-RKT-02", "FOW-RULING-04", "FOW-RULING-23"
)
def template_hits(facts: TemplateHits, dice: Dice) -> TemplateHit:
    mark = dice.mark()
    score, reroll, template = template_test(facts.skill, facts.guns, facts.failed_attempts, facts.weapon)
    dice.looked_up("template_hit", {"weapon": facts.weapon, "guns": facts.guns}, reroll, "FOW-ART-18")
    hits, target_hits = hits_on_each(dice, facts.targets, score, reroll, "FOW-ART-17")
    return TemplateHit(needed=score.needed, reroll=reroll, hits=hits, target_hits=target_hits, template=template, rolls=dice.since(mark))


def hits_on_each(dice: Dice, targets: int, score: Score, reroll: RerollWord, rule: str) -> tuple[int, tuple[bool, ...]]:
    """One test a team. Odds of the number alone need not tell the teams apart."""
    if not dice.wants("target_hits"):
        return successes(dice, targets, "roll.template_hit", score, reroll, rule), ()
    target_hits = each_passes(dice, targets, "roll.template_hit", score, reroll, rule)
    return sum(target_hits), target_hits


# -- what the hits do ---------------------------------------------------------------------------------------------


class ShelledTeam(NamedTuple):
    """A team under the template. `armour` is what the attack strikes, `armour_top` what allocation goes by."""

    id: str
    victim: Victim
    state: State
    dug_in: bool
    armour_top: int | None


class Shelled(NamedTuple):
    allocation: tuple[str, ...]
    states: FrozenMap
    destroyed: int
    bailed_out: int


def shell(dice: Dice, teams: Sequence[ShelledTeam], hits: int, hit: Hit) -> Shelled:
    """Hits are given out, then the teams hit save one after another; the others stay as they are."""
    order = template_allocation(
        TemplateAllocation(
            hits=hits, teams=tuple(UnderTemplate(id=team.id, dug_in=team.dug_in, armour_top=team.armour_top) for team in teams)
        ),
        dice,
    ).allocation
    by_id = {team.id: team for team in teams}
    struck = tuple(Struck(by_id[name].victim, by_id[name].state, (hit,), name if dice.tracing else "") for name in order)
    losses = dice.fold(next_target, Losses(), struck)
    after = dict(zip(order, losses.states, strict=False))
    missed = [team for team in teams if team.id not in order]
    return Shelled(
        allocation=order,
        states=FrozenMap({team.id: after.get(team.id, team.state) for team in teams}),
        destroyed=losses.destroyed,
        bailed_out=losses.bailed_out + sum(team.state == "bailed_out" for team in missed),
    )


# -- whole bombardments -------------------------------------------------------------------------------------------


class BombardedTeam(Facts, frozen=True, kw_only=True):
    id: TeamId
    save: Save
    armour_top: Armour | None = None
    dug_in: bool = False
    bulletproof: bool = False
    towed: bool = False
    bailed_out: bool = False
    bogged: bool = False


class Bombardment(Facts, frozen=True, kw_only=True):
    skill: Skill
    guns: GunNumber
    anti_tank: AntiTank
    firepower: Firepower
    weapon: Weapon = "gun"
    repeat_salvo: bool = False
    company_commander_spotting: bool = False
    smoke_trail_only: bool = False
    target_skill: Skill
    concealed: bool = False
    gone_to_ground: bool = False
    target_motivation: Motivation | None = None
    commander_joined: bool = False
    teams: Annotated[tuple[BombardedTeam, ...], msgspec.Meta(max_length=200)]

    def __post_init__(self) -> None:
        no_doubles((team.id for team in self.teams), "teams")


class Bombarded(Outcome, frozen=True, kw_only=True):
    ranged_in: bool
    attempt: int
    needed_range: int
    needed_hit: int | None
    hits: int
    allocation: tuple[str, ...]
    states: FrozenMap
    destroyed: int
    bailed_out: int
    pinned: bool


@procedure(
    "bombardment",
    *("FOW-ART-13", "FOW-ART-14", "FOW-ART-17", "FOW-ART-21", "FOW-ART-22", "FOW-ART-23", "FOW-ART-24", "FOW-TRN-08", "FOW-PIN-03"),
    *("FOW-RULING-13", "FOW-RULING-23", "FOW-RULING-25", "FOW-RULING-40", "FOW-RULING-60"),
)
def bombardment(facts: Bombardment, dice: Dice) -> Bombarded:
    ranging = range_in(
        RangeIn(
            target_skill=facts.target_skill,
            concealed=facts.concealed,
            gone_to_ground=facts.gone_to_ground,
            company_commander_spotting=facts.company_commander_spotting,
            smoke_trail_only=facts.smoke_trail_only,
            repeat_salvo=facts.repeat_salvo,
        ),
        dice,
    )
    teams = dice.stage(bombarded_teams, facts)
    if not ranging.ranged_in:
        return nothing_hit(ranging, teams)

    score, reroll, _ = template_test(facts.skill, facts.guns, ranging.failed_attempts, facts.weapon)
    dice.looked_up("template_hit", {"weapon": facts.weapon, "guns": facts.guns}, reroll, "FOW-ART-18")
    targets = tuple(shelled for shelled, team in zip(teams, facts.teams, strict=True) if not team.towed)
    hits = successes(dice, len(targets), "roll.template_hit", score, reroll, "FOW-ART-17")
    effect = dice.stage(shell, targets, hits, Hit(facts.anti_tank, facts.firepower))
    all_armoured = all(team.save == "armoured" for team in facts.teams)
    towed = [shelled for shelled, team in zip(teams, facts.teams, strict=True) if team.towed]
    return Bombarded(
        ranged_in=True,
        attempt=ranging.attempt,
        needed_range=ranging.needed,
        needed_hit=score.needed,
        hits=hits,
        allocation=effect.allocation,
        states=FrozenMap({team.id: effect.states.get(team.id, team.state) for team in teams}),
        destroyed=effect.destroyed,
        bailed_out=effect.bailed_out + sum(team.state == "bailed_out" for team in towed),
        pinned=pinning_check(PinningCheck(attack="artillery", hits=hits, all_armoured=all_armoured), dice).pinned,
    )


def bombarded_teams(dice: Dice, facts: Bombardment) -> tuple[ShelledTeam, ...]:
    """Top armour is struck; dug in counts as bulletproof cover."""
    return tuple(
        ShelledTeam(
            team.id,
            Victim(
                team.save, team.armour_top, team.bulletproof or team.dug_in, team.bogged, facts.target_motivation, facts.commander_joined
            ),
            "bailed_out" if team.bailed_out else "unhurt",
            team.dug_in,
            team.armour_top,
        )
        for team in facts.teams
    )


def nothing_hit(ranging: RangedIn, teams: Sequence[ShelledTeam]) -> Bombarded:
    """The fire never found the target: all stay as they are."""
    return Bombarded(
        ranged_in=False,
        attempt=0,
        needed_range=ranging.needed,
        needed_hit=None,
        hits=0,
        allocation=(),
        states=FrozenMap({team.id: team.state for team in teams}),
        destroyed=0,
        bailed_out=sum(team.state == "bailed_out" for team in teams),
        pinned=False,
    )


# -- smoke --------------------------------------------------------------------------------------------------------


class SmokeBombardment(Facts, frozen=True, kw_only=True):
    guns: GunNumber
    target_skill: Skill
    concealed: bool = False
    gone_to_ground: bool = False
    company_commander_spotting: bool = False
    smoke_trail_only: bool = False


class SmokeLaid(Outcome, frozen=True, kw_only=True):
    ranged_in: bool
    attempt: int
    templates: int
    wind_degrees: int | None
    rolls: tuple[int, ...]


@procedure("smoke_bombardment", "FOW-SMK-02", "FOW-SMK-03", "FOW-SMK-04", "FOW-SMK-05", "FOW-RULING-33", "FOW-RULING-49")
def smoke_bombardment(facts: SmokeBombardment, dice: Dice) -> SmokeLaid:
    mark = dice.mark()
    templates: int = CHARTS["smoke_templates"].at(facts.guns)["templates"]
    dice.looked_up("smoke_templates", {"guns": facts.guns}, templates, "FOW-SMK-04")
    if templates == 0:
        dice.note("note.no_smoke_from_one_gun", "FOW-RULING-49")
        return SmokeLaid(ranged_in=False, attempt=0, templates=0, wind_degrees=None, rolls=())
    ranging = range_in(
        RangeIn(
            target_skill=facts.target_skill,
            concealed=facts.concealed,
            gone_to_ground=facts.gone_to_ground,
            company_commander_spotting=facts.company_commander_spotting,
            smoke_trail_only=facts.smoke_trail_only,
        ),
        dice,
    )
    if not ranging.ranged_in:
        return SmokeLaid(ranged_in=False, attempt=0, templates=0, wind_degrees=None, rolls=dice.since(mark))
    wind = dice.read("roll.wind", 6, wind_degrees, rule="FOW-RULING-33") if templates >= 2 else None
    return SmokeLaid(ranged_in=True, attempt=ranging.attempt, templates=templates, wind_degrees=wind, rolls=dice.since(mark))


def wind_degrees(die: int) -> int:
    """Clockwise from the table's north."""
    return (die - 1) * 60
