"""The roll on the combat results, and what it does to a unit."""

from __future__ import annotations

from sandtable.games.micro_armour.procedures.command import NONE
from sandtable.games.micro_armour.procedures.registry import CHARTS, PROCEDURES
from sandtable.games.micro_armour.procedures.words import Amount, AttackKind, Effect, Result, State, TargetClass, TechLevel
from sandtable.kernel.dice import Dice
from sandtable.kernel.procedures import Facts, Outcome
from sandtable.kernel.traces import Score

LEAST, MOST = -3, 9
"""The columns of the chart."""
LOWEST, HIGHEST = 0, 19
"""Its rows."""


class CombatRoll(Facts, frozen=True, kw_only=True):
    advantage: Amount
    roll_modifier: Amount = 0
    attack_kind: AttackKind = "standard"
    attacker_tl: TechLevel
    attacker_support: bool = False
    target_class: TargetClass
    target_suppressed: bool = False
    target_disorganised: bool = False


class CombatRollResult(Outcome, frozen=True, kw_only=True):
    dice_fields = ("dice_sum", "modified_roll")

    allowed: bool
    advantage: int
    dice_sum: int | None
    modified_roll: int | None
    result: Result | None
    effect: Effect
    suppressed: bool
    disorganised: bool
    eliminated: bool

    @property
    def state(self) -> State:
        return State(self.suppressed, self.disorganised, self.eliminated)


def attack(
    dice: Dice,
    advantage: int,
    modifier: Score,
    kind: AttackKind,
    attacker_tl: int,
    attacker_support: bool,
    target_class: TargetClass,
    state: State,
) -> CombatRollResult:
    """One attack on a unit in a given state: 2D6 plus modifiers against the advantage."""
    dice_sum: int | None = None
    modified_roll: int | None = None
    result: Result

    # Where the chart ends.
    if advantage < LEAST and kind not in ("artillery", "air"):
        dice.note("note.advantage_too_low", "MA-CRT-05", advantage=advantage)
        return CombatRollResult(
            allowed=False,
            advantage=advantage,
            dice_sum=None,
            modified_roll=None,
            result=None,
            effect="no_effect",
            suppressed=state.suppressed,
            disorganised=state.disorganised,
            eliminated=state.eliminated,
        )
    if advantage < LEAST:
        result = "weak_suppression"
        dice.note("note.below_the_chart", "MA-CRT-05", advantage=advantage)
    elif advantage > MOST:
        result = "elimination"
        dice.note("note.above_the_chart", "MA-CRT-03", advantage=advantage)
    else:
        column = COLUMNS[advantage]
        result = dice.read(
            "roll.combat", 6, lambda total: column[max(LOWEST, min(HIGHEST, total))], number=2, modifier=modifier, rule="MA-CRT-01"
        )
        dice_sum = dice.last
        if dice_sum is not None:
            total = dice_sum + modifier.needed
            modified_roll = max(LOWEST, min(HIGHEST, total))
            rule = "MA-CRT-01" if total == modified_roll else "MA-CRT-02"
            dice.looked_up("combat_results", {"advantage": advantage, "roll": modified_roll}, result, rule)

    effect = effect_of(dice, result, kind, attacker_tl, attacker_support, target_class, state)
    after = take(state, effect)
    return CombatRollResult(
        allowed=True,
        advantage=advantage,
        dice_sum=dice_sum,
        modified_roll=modified_roll,
        result=result,
        effect=effect,
        suppressed=after.suppressed,
        disorganised=after.disorganised,
        eliminated=after.eliminated,
    )


COLUMNS: dict[int, dict[int, Result]] = {}
for entry in CHARTS["combat_results"]:
    COLUMNS.setdefault(entry["advantage"], {})[entry["roll"]] = entry["result"]


def effect_of(
    dice: Dice, result: Result, kind: AttackKind, attacker_tl: int, attacker_support: bool, target_class: TargetClass, state: State
) -> Effect:
    """What a result comes to for this attacker and this target."""
    if result == "weak_suppression":
        if kind == "aa":
            dice.note("note.weak_none", "MA-CRT-08")
            return "no_effect"
        if target_class == "helicopter":
            dice.note("note.weak_none", "MA-CRT-07")
            return "no_effect"
        if kind in ("artillery", "air") or attacker_support:
            dice.note("note.suppressed", "MA-CRT-06")
            return "suppression"
        if attacker_tl <= 2:
            dice.note("note.weak_none", "MA-CRT-04")
            return "no_effect"
        dice.note("note.suppressed", "MA-CRT-04")
        return "suppression"
    if result == "suppression":
        dice.note("note.suppressed", "MA-CRT-09")
        return "suppression"
    if result == "hard_suppression":
        return hard_suppression(dice, state)
    if result == "disorganisation":
        return disorganisation(dice, state)
    dice.note("note.eliminated", "MA-CRT-12")
    return "elimination"


def hard_suppression(dice: Dice, state: State) -> Effect:
    """(S): as S, but D on a unit that is suppressed already."""
    if state.suppressed:
        dice.note("note.hard_becomes_d", "MA-CRT-10")
        return disorganisation(dice, state)
    dice.note("note.suppressed", "MA-CRT-10")
    return "suppression"


def disorganisation(dice: Dice, state: State) -> Effect:
    """D: E on a unit that is disorganised already."""
    if state.disorganised:
        dice.note("note.d_becomes_e", "MA-CRT-11")
        return "elimination"
    dice.note("note.disorganised", "MA-CRT-11")
    return "disorganisation"


def take(state: State, effect: Effect) -> State:
    """The unit after an effect. An eliminated unit keeps the markers it had."""
    if effect == "suppression":
        return state._replace(suppressed=True)
    if effect == "disorganisation":
        return state._replace(disorganised=True)
    if effect == "elimination":
        return state._replace(eliminated=True)
    return state


@PROCEDURES.add(
    "combat_roll",
    "MA-CRT-01",
    "MA-CRT-02",
    "MA-CRT-03",
    "MA-CRT-04",
    "MA-CRT-05",
    "MA-CRT-06",
    "MA-CRT-07",
    "MA-CRT-08",
    "MA-CRT-09",
    "MA-CRT-10",
    "MA-CRT-11",
    "MA-CRT-12",
    "MA-CRT-13",
    "MA-RULING-01",
    "MA-RULING-02",
    "MA-RULING-03",
    "MA-RULING-12",
    "MA-RULING-48",
)
def combat_roll(facts: CombatRoll, dice: Dice) -> CombatRollResult:
    modifier = NONE.plus_if(facts.roll_modifier != 0, "modifier.other", facts.roll_modifier, "MA-CRT-01")
    return attack(
        dice,
        facts.advantage,
        modifier,
        facts.attack_kind,
        facts.attacker_tl,
        facts.attacker_support,
        facts.target_class,
        State(facts.target_suppressed, facts.target_disorganised),
    )
