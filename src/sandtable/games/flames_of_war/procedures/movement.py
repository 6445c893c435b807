"""Movement: allowances, bogging, towing, command, digging in (sections 3.2 to 3.6 and 5.2 of the rules)."""

from __future__ import annotations

from math import hypot
from typing import Annotated, Literal

import msgspec

from sandtable.games.flames_of_war.procedures._charts import CHARTS, INCHES
from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import Inches, Mobility, Place, Skill, TeamId, Terrain, no_doubles, tidy
from sandtable.games.flames_of_war.procedures.tests import given_score, passes, skill_score
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import InputError
from sandtable.kernel.procedures import Facts, Outcome, required

MOVEMENT: dict[tuple[str, str], int] = CHARTS["movement"].column("inches")
BOGGING: dict[tuple[str, str], str] = CHARTS["bogging"].column("check")
COMMAND: dict[tuple[str, str], int] = CHARTS["command_distance"].column("inches")

EASIEST_FIRST = ("road", "cross_country", "difficult", "very_difficult")
ROUGH = ("difficult", "very_difficult")
ANYWHERE = ("tracked", "infantry", "cavalry", "man_packed_gun")
"""Who may enter very difficult terrain at all (FOW-RULING-06)."""

CM_PER_INCH = 2.5
SMALL = 1e-9
"""Distances closer than this are equal."""


class MovementAllowance(Facts, frozen=True, kw_only=True):
    mobility: Mobility
    terrain: Annotated[tuple[Terrain, ...], msgspec.Meta(min_length=1, max_length=200)]
    at_the_double: bool = False
    towing_gun: bool = False
    pinned: bool = False
    armoured: bool = False


class Allowance(Outcome, frozen=True, kw_only=True):
    allowed: bool
    inches: float
    cm: float
    reason: Literal["ok", "immobile", "very_difficult_forbidden", "no_double_in_rough", "pinned_no_double"]


@procedure(
    "movement_allowance",
    *("FOW-MOVE-02", "FOW-MOVE-03", "FOW-MOVE-14", "FOW-DBL-01", "FOW-DBL-05", "FOW-PIN-02", "FOW-PIN-03", "FOW-TRN-09"),
    *("FOW-BLDG-02", "FOW-RULING-01", "FOW-RULING-06", "FOW-RULING-52"),
)
def movement_allowance(facts: MovementAllowance, dice: Dice) -> Allowance:
    hardest = max(facts.terrain, key=EASIEST_FIRST.index)
    rough = hardest in ROUGH

    if facts.mobility == "immobile_gun":
        dice.note("note.immobile", "FOW-MOVE-14")
        return Allowance(allowed=False, inches=0, cm=0, reason="immobile")
    if hardest == "very_difficult" and facts.mobility not in ANYWHERE:
        dice.note("note.very_difficult_forbidden", "FOW-RULING-06")
        return Allowance(allowed=False, inches=0, cm=0, reason="very_difficult_forbidden")
    if facts.at_the_double and rough:
        dice.note("note.no_double_in_rough", "FOW-DBL-05")
        return Allowance(allowed=False, inches=0, cm=0, reason="no_double_in_rough")
    if facts.at_the_double and facts.pinned and not facts.armoured:
        dice.note("note.pinned_no_double", "FOW-PIN-02")
        return Allowance(allowed=False, inches=0, cm=0, reason="pinned_no_double")

    column = "difficult" if rough else hardest
    inches = MOVEMENT[facts.mobility, column]
    dice.looked_up("movement", {"mobility": facts.mobility, "terrain": column}, inches, "FOW-MOVE-02")
    if facts.at_the_double:
        inches *= 2
        dice.note("note.doubled", "FOW-DBL-01", inches=inches)
    if facts.mobility == "jeep" and facts.towing_gun:
        inches = min(inches, INCHES["jeep_towing_max"])
        dice.looked_up("distances", {"name": "jeep_towing_max"}, INCHES["jeep_towing_max"], "FOW-TRN-09")
    return Allowance(allowed=True, inches=inches, cm=tidy(inches * CM_PER_INCH), reason="ok")


class Segment(Facts, frozen=True, kw_only=True):
    terrain: Terrain
    inches: Inches


class MoveAlong(Facts, frozen=True, kw_only=True):
    mobility: Mobility
    segments: Annotated[tuple[Segment, ...], msgspec.Meta(max_length=200)]
    at_the_double: bool = False
    towing_gun: bool = False


class MovedAlong(Outcome, frozen=True, kw_only=True):
    inches_moved: float
    stopped: Literal["completed", "forbidden", "at_edge", "out_of_movement"]


@procedure("move_along", "FOW-MOVE-03", "FOW-MOVE-04", "FOW-MOVE-07")
def move_along(facts: MoveAlong, dice: Dice) -> MovedAlong:
    moved: float = 0
    cap: float | None = None
    for segment in facts.segments:
        here = movement_allowance(
            MovementAllowance(
                mobility=facts.mobility, terrain=(segment.terrain,), at_the_double=facts.at_the_double, towing_gun=facts.towing_gun
            ),
            dice,
        )
        if not here.allowed:
            return MovedAlong(inches_moved=tidy(moved), stopped="forbidden")
        if here.inches < moved - SMALL:
            dice.note("note.at_edge", "FOW-MOVE-04", allowance=here.inches, moved=moved)
            return MovedAlong(inches_moved=tidy(moved), stopped="at_edge")
        cap = here.inches if cap is None else min(cap, here.inches)
        left = max(0.0, cap - moved)
        if segment.inches > left + SMALL:
            dice.note("note.out_of_movement", "FOW-MOVE-03", allowance=cap)
            return MovedAlong(inches_moved=tidy(round(moved + left, 9)), stopped="out_of_movement")
        moved = round(moved + segment.inches, 9)
    return MovedAlong(inches_moved=tidy(moved), stopped="completed")


class BoggingCheck(Facts, frozen=True, kw_only=True):
    mobility: Mobility
    terrain: Terrain
    skill: Skill | None = None
    towed: bool = False


class Bogging(Outcome, frozen=True, kw_only=True):
    result: Literal["no_check", "forbidden", "passed", "bogged"]
    rolls: tuple[int, ...]


BOGGING_SCORE = given_score(2, "score.bogging", "FOW-BOG-01")


@procedure("bogging_check", "FOW-BOG-01", "FOW-BOG-02", "FOW-BOG-03", "FOW-BOG-04", "FOW-BOG-07", "FOW-RULING-06")
def bogging_check(facts: BoggingCheck, dice: Dice) -> Bogging:
    mark = dice.mark()
    if facts.towed:
        dice.note("note.towed_no_check", "FOW-BOG-07")
        return Bogging(result="no_check", rolls=())
    if facts.terrain not in ROUGH:
        return Bogging(result="no_check", rolls=())
    check = BOGGING[facts.mobility, facts.terrain]
    dice.looked_up("bogging", {"mobility": facts.mobility, "terrain": facts.terrain}, check, "FOW-BOG-01")
    if check == "none":
        return Bogging(result="no_check", rolls=())
    if check == "forbidden":
        return Bogging(result="forbidden", rolls=())
    if check == "two_plus":
        passed = dice.test("roll.bogging", at_least=BOGGING_SCORE, rule="FOW-BOG-01")
    else:
        passed = passes(dice, "roll.skill", skill_score(required(facts.skill, "skill")), rule="FOW-BOG-02")
    return Bogging(result="passed" if passed else "bogged", rolls=dice.since(mark))


class FreeBogged(Facts, frozen=True, kw_only=True):
    skill: Skill


class Freed(Outcome, frozen=True, kw_only=True):
    result: Literal["freed", "still_bogged"]
    rolls: tuple[int, ...]


@procedure("free_bogged", "FOW-START-02")
def free_bogged(facts: FreeBogged, dice: Dice) -> Freed:
    mark = dice.mark()
    passed = passes(dice, "roll.skill", skill_score(facts.skill), rule="FOW-START-02")
    return Freed(result="freed" if passed else "still_bogged", rolls=dice.since(mark))


class RecoveryTow(Facts, frozen=True, kw_only=True):
    recovery_vehicle: bool = False
    terrain: Terrain
    skill: Skill | None = None
    tower_bogged: bool = False
    tower_bailed_out: bool = False
    target_same_or_smaller: bool = True


class Towed(Outcome, frozen=True, kw_only=True):
    result: Literal["freed", "not_freed", "not_allowed"]
    tower_bogged: bool
    rolls: tuple[int, ...]


@procedure("recovery_tow", "FOW-TOW-01", "FOW-TOW-02", "FOW-TOW-03", "FOW-TOW-05", "FOW-RULING-07")
def recovery_tow(facts: RecoveryTow, dice: Dice) -> Towed:
    mark = dice.mark()
    if facts.tower_bogged or facts.tower_bailed_out:
        dice.note("note.tower_cannot", "FOW-TOW-02")
        return Towed(result="not_allowed", tower_bogged=facts.tower_bogged, rolls=())
    if not facts.recovery_vehicle and not facts.target_same_or_smaller:
        dice.note("note.target_too_big", "FOW-TOW-05")
        return Towed(result="not_allowed", tower_bogged=facts.tower_bogged, rolls=())

    if not facts.recovery_vehicle:
        passed = passes(dice, "roll.skill", skill_score(required(facts.skill, "skill")), rule="FOW-TOW-05")
    elif facts.terrain == "very_difficult":
        passed = passes(dice, "roll.skill", skill_score(required(facts.skill, "skill")), rule="FOW-TOW-03")
    elif facts.terrain == "difficult":
        passed = dice.test("roll.bogging", at_least=BOGGING_SCORE, rule="FOW-TOW-03")
    else:
        passed = True
    bogs = not passed and facts.terrain in ROUGH
    if bogs:
        dice.note("note.tower_bogs", "FOW-RULING-07")
    return Towed(result="freed" if passed else "not_freed", tower_bogged=bogs, rolls=dice.since(mark))


class CommandTeam(Facts, frozen=True, kw_only=True):
    id: TeamId
    x: Place
    y: Place
    tank: bool = False
    transport: bool = False


class InCommand(Facts, frozen=True, kw_only=True):
    skill: Skill
    leader: TeamId
    teams: Annotated[tuple[CommandTeam, ...], msgspec.Meta(max_length=200)]

    def __post_init__(self) -> None:
        no_doubles((team.id for team in self.teams), "teams")
        if all(team.id != self.leader for team in self.teams):
            raise InputError(f"the leader {self.leader!r} is none of the teams", "leader")


class Command(Outcome, frozen=True, kw_only=True):
    in_command: tuple[str, ...]
    out_of_command: tuple[str, ...]
    isolated_groups: tuple[tuple[str, ...], ...]


@procedure("in_command", "FOW-CMD-01", "FOW-CMD-02", "FOW-TGT-04", "FOW-RULING-45")
def in_command(facts: InCommand, dice: Dice) -> Command:
    between_tanks, other = COMMAND[facts.skill, "tank"], COMMAND[facts.skill, "other"]
    dice.looked_up("command_distance", {"skill": facts.skill, "team_class": "tank"}, between_tanks, "FOW-CMD-01")
    dice.looked_up("command_distance", {"skill": facts.skill, "team_class": "other"}, other, "FOW-CMD-01")

    def linked(a: CommandTeam, b: CommandTeam) -> bool:
        limit = between_tanks if a.tank and b.tank else other
        return hypot(a.x - b.x, a.y - b.y) <= limit + SMALL

    def chain(start: CommandTeam, among: list[CommandTeam]) -> set[str]:
        """Everybody reached from one team, from base to base; transports relay nothing."""
        reached, front = {start.id}, [start]
        while front:
            here = front.pop()
            for team in among:
                if team.id not in reached and not team.transport and linked(here, team):
                    reached.add(team.id)
                    front.append(team)
        return reached

    teams = list(facts.teams)
    leader = next(team for team in teams if team.id == facts.leader)
    commanded = chain(leader, teams)
    relays = [team for team in teams if team.id in commanded]
    commanded |= {team.id for team in teams if team.transport and any(linked(relay, team) for relay in relays)}

    alone = [team for team in teams if team.id not in commanded and not team.transport]
    groups: list[tuple[str, ...]] = []
    grouped: set[str] = set()
    for team in alone:
        if team.id not in grouped:
            together = chain(team, alone)
            grouped |= together
            groups.append(tuple(member.id for member in alone if member.id in together))
    return Command(
        in_command=tuple(team.id for team in teams if team.id in commanded),
        out_of_command=tuple(team.id for team in teams if team.id not in commanded),
        isolated_groups=tuple(groups),
    )


class DigIn(Facts, frozen=True, kw_only=True):
    skill: Skill


class DugIn(Outcome, frozen=True, kw_only=True):
    result: Literal["dug_in", "failed"]
    rolls: tuple[int, ...]


@procedure("dig_in", "FOW-RULING-14")
def dig_in(facts: DigIn, dice: Dice) -> DugIn:
    mark = dice.mark()
    passed = passes(dice, "roll.skill", skill_score(facts.skill), rule="FOW-RULING-14")
    return DugIn(result="dug_in" if passed else "failed", rolls=dice.since(mark))
