"""Saves: what a hit does (section 3.11 and part of 5.3 of the rules)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec

from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import (
    AntiTank,
    Armour,
    Comparison,
    Firepower,
    HitResult,
    Hits,
    Motivation,
    Save,
    SoftSave,
    State,
    TeamNumber,
)
from sandtable.games.flames_of_war.procedures.tests import has_firepower, is_motivated
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome, required
from sandtable.kernel.traces import Score

SAVES: dict[str, int] = CHARTS["saves"].column("needed")
ARMOUR_RESULTS: dict[tuple[str, str], HitResult] = CHARTS["armour_results"].column("result")
COMPARISONS: tuple[Comparison, ...] = ("lower", "equal", "higher")

ARMOUR_RULES = {"higher": "FOW-SAVE-02", "equal": "FOW-SAVE-03", "lower": "FOW-SAVE-04"}
SAVE_RULES = {
    "infantry": "FOW-SAVE-07",
    "gun": "FOW-SAVE-08",
    "heavy_machine_gun": "FOW-SAVE-08",
    "unarmoured_vehicle": "FOW-SAVE-06",
    "cavalry": "FOW-RULING-50",
    "passenger": "FOW-PASS-01",
    "tank_rider": "FOW-PASS-05",
    "warrior": "FOW-WAR-02",
}
PROTECTED_BY_COVER = ("infantry", "gun", "heavy_machine_gun")
PINNING_HITS = 5
MANY = 50
"""More results than this on one vehicle, or hits on one tank, are a slip of the pen."""
FewTimes = Annotated[int, msgspec.Meta(ge=0, le=MANY)]


@lru_cache(16)
def save_score(target: str) -> Score:
    return Score.of(SAVES[target], "chart.saves", SAVE_RULES[target])


@lru_cache(4096)
def armour_modifier(armour: int, long_range: bool) -> Score:
    """What is added to the die of an armour save."""
    return Score.of(armour, "modifier.armour", "FOW-SAVE-01").plus_if(long_range, "modifier.armour_long_range", 1, "FOW-RULING-40")


# -- one hit ------------------------------------------------------------------------------------------------------


class ArmourSave(Facts, frozen=True, kw_only=True):
    armour: Armour
    anti_tank: AntiTank
    firepower: Firepower
    long_range: bool = False
    bailed_out: bool = False
    bogged: bool = False
    motivation: Motivation | None = None
    commander_joined: bool = False


class ArmourSaved(Outcome, frozen=True, kw_only=True):
    dice_fields: ClassVar[tuple[str, ...]] = ("roll", "total", "rolls")

    roll: int | None
    total: int | None
    comparison: Comparison
    firepower_passed: bool | None
    result: HitResult
    abandoned: bool
    rolls: tuple[int, ...]


@procedure("armour_save", "FOW-SAVE-01", "FOW-SAVE-02", "FOW-SAVE-03", "FOW-SAVE-04", "FOW-BAIL-02", "FOW-RULING-13", "FOW-RULING-40")
def armour_save(facts: ArmourSave, dice: Dice) -> ArmourSaved:
    mark = dice.mark()
    added = armour_modifier(facts.armour, facts.long_range)
    band = dice.band("roll.armour", 6, (facts.anti_tank - 1, facts.anti_tank), modifier=added, rule="FOW-SAVE-01")
    comparison = COMPARISONS[band]
    roll = dice.last

    firepower_passed = None if comparison == "higher" else has_firepower(dice, facts.firepower, rule=ARMOUR_RULES[comparison])
    firepower = "not_rolled" if firepower_passed is None else "passed" if firepower_passed else "failed"
    result = ARMOUR_RESULTS[comparison, firepower]
    dice.looked_up("armour_results", {"comparison": comparison, "firepower": firepower}, result, ARMOUR_RULES[comparison])

    abandoned = False
    if result == "bailed_out" and (facts.bailed_out or facts.bogged):
        stays = is_motivated(dice, required(facts.motivation, "motivation"), facts.commander_joined, "FOW-BAIL-02")
        if not stays:
            result, abandoned = "destroyed", True
    return ArmourSaved(
        roll=roll,
        total=None if roll is None else roll + added.needed,
        comparison=comparison,
        firepower_passed=firepower_passed,
        result=result,
        abandoned=abandoned,
        rolls=dice.since(mark),
    )


class TeamSave(Facts, frozen=True, kw_only=True):
    target: SoftSave
    firepower: Firepower = 6
    bulletproof: bool = False


class TeamSaved(Outcome, frozen=True, kw_only=True):
    result: Literal["no_effect", "destroyed"]
    saved: bool
    firepower_passed: bool | None
    rolls: tuple[int, ...]


@procedure("team_save", "FOW-SAVE-06", "FOW-SAVE-07", "FOW-SAVE-08", "FOW-SAVE-09", "FOW-RULING-50")
def team_save(facts: TeamSave, dice: Dice) -> TeamSaved:
    mark = dice.mark()
    saved = dice.test("roll.save", at_least=save_score(facts.target), rule=SAVE_RULES[facts.target])
    firepower_passed = None
    if not saved and facts.bulletproof and facts.target in PROTECTED_BY_COVER:
        firepower_passed = has_firepower(dice, facts.firepower, rule="FOW-SAVE-09")
    survives = saved or firepower_passed is False
    return TeamSaved(
        result="no_effect" if survives else "destroyed", saved=saved, firepower_passed=firepower_passed, rolls=dice.since(mark)
    )


# -- hit after hit, target after target ---------------------------------------------------------------------------


class Hit(NamedTuple):
    anti_tank: int
    firepower: int
    long_range: bool = False


class Victim(NamedTuple):
    """A team as far as its saves go. `armour` is the side that is hit."""

    save: Save
    armour: int | None = None
    bulletproof: bool = False
    bogged: bool = False
    motivation: Motivation | None = None
    commander_joined: bool = False


def take_hit(dice: Dice, victim: Victim, state: State, hit: Hit) -> HitResult:
    """One hit on a team in the state left by the hit before."""
    if victim.save == "armoured":
        return armour_save(
            ArmourSave(
                armour=required(victim.armour, "armour"),
                anti_tank=hit.anti_tank,
                firepower=hit.firepower,
                long_range=hit.long_range,
                bailed_out=state == "bailed_out",
                bogged=victim.bogged,
                motivation=victim.motivation,
                commander_joined=victim.commander_joined,
            ),
            dice,
        ).result
    return team_save(TeamSave(target=victim.save, firepower=hit.firepower, bulletproof=victim.bulletproof), dice).result


def state_after(state: State, result: HitResult) -> State:
    return state if result == "no_effect" else result


def next_hit(dice: Dice, state: State, item: tuple[Victim, Hit]) -> State:
    """Hits are resolved one after another until the team is destroyed (FOW-RULING-39)."""
    if state == "destroyed":
        return state
    victim, hit = item
    return state_after(state, take_hit(dice, victim, state, hit))


def take_hits(dice: Dice, victim: Victim, state: State, hits: tuple[Hit, ...]) -> State:
    return dice.fold(next_hit, state, tuple((victim, hit) for hit in hits))


class Losses(NamedTuple):
    """What has come of the targets so far. `states` is kept only where somebody asks for it."""

    destroyed: int = 0
    bailed_out: int = 0
    states: tuple[State, ...] = ()


class Struck(NamedTuple):
    """A target and the hits it got. The name serves the trace."""

    victim: Victim
    state: State
    hits: tuple[Hit, ...]
    name: str = ""


def next_target(dice: Dice, losses: Losses, target: Struck) -> Losses:
    """Target after target, each with all its hits."""
    if target.hits:
        dice.note("note.hits_on", "FOW-RULING-39", team=target.name, hits=len(target.hits))
    final = dice.stage(take_hits, target.victim, target.state, target.hits) if target.hits else target.state
    return Losses(
        losses.destroyed + (final == "destroyed"),
        losses.bailed_out + (final == "bailed_out"),
        (*losses.states, final) if dice.wants("states") else (),
    )


# -- passengers, riders, warriors ---------------------------------------------------------------------------------


class PassengerSave(Facts, frozen=True, kw_only=True):
    passengers: TeamNumber
    destroyed_results: FewTimes = 1
    can_dismount: bool = True


class PassengersSaved(Outcome, frozen=True, kw_only=True):
    survivors: int
    eliminated: int
    platoon_pinned: bool
    rolls: tuple[int, ...]


def saves_every_time(dice: Dice, target: str, times: int, rule: str) -> bool:
    """One save for each time, until one fails."""
    return all(dice.test("roll.save", at_least=save_score(target), rule=rule) for _ in range(times))


def next_passenger(dice: Dice, survivors: int, item: tuple[str, int, str]) -> int:
    return survivors + dice.stage(saves_every_time, *item)


@procedure("passenger_save", "FOW-PASS-01", "FOW-PASS-02", "FOW-PASS-03", "FOW-PASS-04")
def passenger_save(facts: PassengerSave, dice: Dice) -> PassengersSaved:
    mark = dice.mark()
    if facts.can_dismount:
        survivors = dice.fold(next_passenger, 0, (("passenger", facts.destroyed_results, "FOW-PASS-01"),) * facts.passengers)
    else:
        dice.note("note.nowhere_to_dismount", "FOW-PASS-02")
        survivors = 0
    dice.note("note.passengers_pinned", "FOW-PASS-04")
    return PassengersSaved(survivors=survivors, eliminated=facts.passengers - survivors, platoon_pinned=True, rolls=dice.since(mark))


class TankRiderSave(Facts, frozen=True, kw_only=True):
    riders: TeamNumber
    hits: FewTimes = 1


class RidersSaved(Outcome, frozen=True, kw_only=True):
    survivors: int
    eliminated: int
    rolls: tuple[int, ...]


@procedure("tank_rider_save", "FOW-PASS-05", "FOW-RULING-20")
def tank_rider_save(facts: TankRiderSave, dice: Dice) -> RidersSaved:
    mark = dice.mark()
    survivors = dice.fold(next_passenger, 0, (("tank_rider", facts.hits, "FOW-PASS-05"),) * facts.riders)
    return RidersSaved(survivors=survivors, eliminated=facts.riders - survivors, rolls=dice.since(mark))


class WarriorSave(Facts, frozen=True, kw_only=True):
    form: Literal["tank", "infantry", "transported"]
    replacement_in_command: bool = True


class WarriorSaved(Outcome, frozen=True, kw_only=True):
    survives: bool
    effect: Literal["takes_over_tank", "dies", "other_team_removed", "warrior_removed", "unharmed", "destroyed"]
    rolls: tuple[int, ...]


WARRIOR_RULES = {"tank": "FOW-WAR-02", "infantry": "FOW-WAR-03", "transported": "FOW-WAR-04"}
WARRIOR_SAVED: dict[str, Literal["takes_over_tank", "other_team_removed", "unharmed"]] = {
    "tank": "takes_over_tank",
    "infantry": "other_team_removed",
    "transported": "unharmed",
}
WARRIOR_LOST: dict[str, Literal["dies", "warrior_removed", "destroyed"]] = {
    "tank": "dies",
    "infantry": "warrior_removed",
    "transported": "destroyed",
}


@procedure("warrior_save", "FOW-WAR-02", "FOW-WAR-03", "FOW-WAR-04", "FOW-RULING-19", "FOW-RULING-61")
def warrior_save(facts: WarriorSave, dice: Dice) -> WarriorSaved:
    mark = dice.mark()
    if facts.form != "transported" and not facts.replacement_in_command:
        dice.note("note.no_replacement", "FOW-RULING-61")
        survives = False
    else:
        survives = dice.test("roll.warrior", at_least=save_score("warrior"), rule=WARRIOR_RULES[facts.form])
    effect = WARRIOR_SAVED[facts.form] if survives else WARRIOR_LOST[facts.form]
    return WarriorSaved(survives=survives, effect=effect, rolls=dice.since(mark))


# -- pinning ------------------------------------------------------------------------------------------------------


class PinningCheck(Facts, frozen=True, kw_only=True):
    attack: Literal["direct", "artillery", "air"]
    hits: Hits
    all_armoured: bool = False
    independent_alone: bool = False


class Pinning(Outcome, frozen=True, kw_only=True):
    pinned: bool


@procedure("pinning_check", "FOW-PIN-01", "FOW-PIN-03", "FOW-IND-08", "FOW-ART-24", "FOW-AIR-14", "FOW-RULING-17", "FOW-RULING-25")
def pinning_check(facts: PinningCheck, dice: Dice) -> Pinning:
    if facts.all_armoured:
        dice.note("note.armour_never_pinned", "FOW-PIN-03")
        return Pinning(pinned=False)
    if facts.independent_alone:
        dice.note("note.independent_never_pinned", "FOW-IND-08")
        return Pinning(pinned=False)
    enough = PINNING_HITS if facts.attack == "direct" else 1
    pinned = facts.hits >= enough
    dice.note(
        "note.pinned" if pinned else "note.not_pinned",
        {"direct": "FOW-PIN-01", "artillery": "FOW-ART-24", "air": "FOW-AIR-14"}[facts.attack],
        hits=facts.hits,
        enough=enough,
    )
    return Pinning(pinned=pinned)
