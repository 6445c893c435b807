"""Who takes the hits (sections 3.10 and 3.14 of the rules)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Protocol

import msgspec

from sandtable.games.flames_of_war.procedures._registry import procedure
from sandtable.games.flames_of_war.procedures._words import (
    AntiTank,
    Armour,
    DiceNumber,
    Firepower,
    Hits,
    Kind,
    TeamId,
    no_doubles,
)
from sandtable.games.flames_of_war.procedures.tests import given_score
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import InputError
from sandtable.kernel.procedures import Facts, FrozenMap, Outcome

VEHICLES = ("tank", "transport")
WEAK_FIREPOWER = 5


class TankTypeChoice(Facts, frozen=True, kw_only=True):
    hits: DiceNumber


class TankTypes(Outcome, frozen=True, kw_only=True):
    chosen: int
    rolls: tuple[int, ...]


TANK_TYPE_SCORE = given_score(5, "score.tank_type", "FOW-ALLOC-09")


@procedure("tank_type_choice", "FOW-ALLOC-09")
def tank_type_choice(facts: TankTypeChoice, dice: Dice) -> TankTypes:
    mark = dice.mark()
    chosen = dice.count(facts.hits, "roll.tank_type", at_least=TANK_TYPE_SCORE, rule="FOW-ALLOC-09")
    return TankTypes(chosen=chosen, rolls=dice.since(mark))


class WeaponHit(Facts, frozen=True, kw_only=True):
    anti_tank: AntiTank
    firepower: Firepower


class Target(Facts, frozen=True, kw_only=True):
    id: TeamId
    kind: Kind
    armour: Armour | None = None
    within_16: bool = True
    operational: bool = True
    bulletproof: bool = False


class AllocateHits(Facts, frozen=True, kw_only=True):
    hits: Annotated[tuple[WeaponHit, ...], msgspec.Meta(max_length=10_000)]
    targets: Annotated[tuple[Target, ...], msgspec.Meta(max_length=200)]
    priority_type: Kind | None = None

    def __post_init__(self) -> None:
        no_doubles((target.id for target in self.targets), "targets")
        if self.hits and not self.targets:
            raise InputError("hits need at least one target", "targets")


class Allocated(Outcome, frozen=True, kw_only=True):
    allocation: FrozenMap
    order: tuple[str, ...]
    priority_used: bool


@procedure(
    "allocate_hits",
    *("FOW-ALLOC-01", "FOW-ALLOC-03", "FOW-ALLOC-04", "FOW-ALLOC-05", "FOW-ALLOC-06", "FOW-ALLOC-07", "FOW-ALLOC-08"),
    *("FOW-ALLOC-10", "FOW-ALLOC-11", "FOW-ALLOC-12", "FOW-RULING-16", "FOW-RULING-39"),
)
def allocate_hits(facts: AllocateHits, dice: Dice) -> Allocated:
    priority_used = priority_counts(facts, dice)
    order = order_of_hitting(facts.targets, facts.priority_type if priority_used else None)
    given = give_out([hit.anti_tank for hit in facts.hits], order)
    dice.note("note.allocation_order", "FOW-RULING-16", teams=[target.id for target in order])
    return Allocated(
        allocation=FrozenMap({target.id: tuple(sorted(given[target.id])) for target in facts.targets}),
        order=tuple(target.id for target in order),
        priority_used=priority_used,
    )


def priority_counts(facts: AllocateHits, dice: Dice) -> bool:
    """The shooter may name a type that gets hits first, if there is one of it."""
    kinds = {target.kind for target in facts.targets}
    if facts.priority_type is None or facts.priority_type not in kinds:
        return False
    weak = any(hit.firepower >= WEAK_FIREPOWER for hit in facts.hits)
    if facts.priority_type == "man_packed_gun" and "infantry" in kinds and weak:
        dice.note("note.no_priority_for_man_packed", "FOW-ALLOC-07")
        return False
    return True


def order_of_hitting(targets: Sequence[Target], priority: str | None) -> list[Target]:
    """Within 16 inches, priority type, not in bulletproof cover, owner's wish; vehicles ranked among their own places."""

    def rank(target: Target) -> tuple[bool, bool, bool]:
        return not target.within_16, target.kind != priority, target.bulletproof

    order: list[Target] = []
    for _, run in groupby(sorted(targets, key=rank), key=rank):
        teams = list(run)
        ranked = iter(sorted((team for team in teams if team.kind in VEHICLES), key=vehicle_rank))
        order += [next(ranked) if team.kind in VEHICLES else team for team in teams]
    return order


def vehicle_rank(vehicle: Target) -> tuple[bool, int]:
    """Operational vehicles first, then the less armoured; no armour at all comes before armour 0."""
    return not vehicle.operational, -1 if vehicle.armour is None else vehicle.armour


def give_out(anti_tank: Sequence[int], order: Sequence[Target]) -> dict[str, list[int]]:
    """One hit a team and round; the best anti-tank to armour, then to cover, then to the rest."""
    slots = [order[number % len(order)] for number in range(len(anti_tank))]
    best_first = sorted(range(len(anti_tank)), key=lambda index: -anti_tank[index])

    def rank(slot: Target) -> int:
        return 0 if slot.armour is not None else 1 if slot.bulletproof else 2

    given: dict[str, list[int]] = {target.id: [] for target in order}
    for slot, index in zip(sorted(slots, key=rank), best_first, strict=True):
        given[slot.id].append(index)
    return given


# -- under a template ---------------------------------------------------------------------------------------------


class UnderTemplate(Facts, frozen=True, kw_only=True):
    id: TeamId
    dug_in: bool = False
    armour_top: Armour | None = None


class TemplateAllocation(Facts, frozen=True, kw_only=True):
    hits: Hits
    teams: Annotated[tuple[UnderTemplate, ...], msgspec.Meta(max_length=200)]

    def __post_init__(self) -> None:
        no_doubles((team.id for team in self.teams), "teams")


class TemplateAllocated(Outcome, frozen=True, kw_only=True):
    allocation: tuple[str, ...]


@procedure("template_allocation", "FOW-ART-21", "FOW-AIR-12", "FOW-RULING-23")
def template_allocation(facts: TemplateAllocation, dice: Dice) -> TemplateAllocated:
    order = template_order(facts.teams)
    return TemplateAllocated(allocation=tuple(facts.teams[place].id for place in order[: facts.hits]))


class Exposed(Protocol):
    @property
    def dug_in(self) -> bool: ...

    @property
    def armour_top(self) -> int | None: ...


def template_order(teams: Sequence[Exposed]) -> list[int]:
    """Places in the list: not dug in first, then lower top armour (none before 0), then as listed."""

    def rank(place: int) -> tuple[bool, int]:
        armour = teams[place].armour_top
        return teams[place].dug_in, -1 if armour is None else armour

    return sorted(range(len(teams)), key=rank)
