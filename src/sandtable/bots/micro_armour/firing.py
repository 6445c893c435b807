"""Standard fire and reaction fire: which target, with whom, now or later."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots.micro_armour.picture import Picture
from sandtable.bots.micro_armour.worth import State, fights, fire_chances, gain, harm, rounded
from sandtable.field.shapes import span
from sandtable.games.micro_armour.battle import INCH, Unit
from sandtable.games.micro_armour.fire import Shot, attacks, read_shot, shot
from sandtable.kernel.decisions import PickOne

LEAST = 0.15
"""A firer that adds less than this is not worth its marker."""
ELSEWHERE = 0.6
"""How much of what a firer could do at another target it must do here."""
HOLD_FIRE = 2.6
"""In the second fire phase, shots below this are kept for reaction, where an enemy may come nearer."""
HOLD_ON_THE_WAY = 3.0
"""The same for a TL2 unit that has far to go: an attempt costs it half its movement (MA-SEQ-10)."""
REACT = 1.5
"""On the way of a mover, a reaction must be worth this; at the end of it, less."""
REACT_LAST = 0.6
LATER = 0.4
"""How much of the best shot that might come later a reaction must be worth."""


class Attack(NamedTuple):
    """An attack that might be made: its shots in order, and what they are worth together."""

    target: str
    shots: tuple[Shot, ...]
    worth: float


def mass(target: Unit, shots: list[Shot], elsewhere: dict[str, float], stake: float = 1.0) -> Attack:
    """The firers that are worth more here than elsewhere, strongest first, each against what the ones before leave."""
    best: dict[str, tuple[float, Shot]] = {}
    for one in shots:
        value = gain(target, one)
        if one.firer not in best or value > best[one.firer][0]:
            best[one.firer] = (value, one)
    states: dict[State, float] = {(target.suppressed, target.disorganised, False): 1.0}
    chosen: list[Shot] = []
    total = 0.0
    for _, one in sorted(best.values(), key=lambda pair: (-pair[0], pair[1].firer)):
        assert one.facts is not None
        facts = rounded(one.facts)
        after: dict[State, float] = {}
        for state, chance in states.items():
            if state[2]:
                after[state] = after.get(state, 0.0) + chance
                continue
            for result, share in fire_chances(replace(facts, target_suppressed=state[0], target_disorganised=state[1])):
                after[result] = after.get(result, 0.0) + chance * share
        value = stake * sum(chance * harm(target, state) for state, chance in after.items())
        if value - total < max(LEAST, ELSEWHERE * elsewhere.get(one.firer, 0.0)):
            continue
        chosen.append(one)
        states, total = after, value
    return Attack(target.id, tuple(chosen), total)


def best_attack(picture: Picture) -> Attack | None:
    """The attack that is worth most; a firer that could do better elsewhere is kept for it."""
    units = picture.battle.units
    found = attacks(picture.battle, picture.side)
    stakes = {target: picture.stake(units[target]) for target in found}
    possible = {
        target: [one for one in shots if stakes[target] * gain(units[target], one) >= _least(picture, units[one.firer])]
        for target, shots in found.items()
    }
    best_of: dict[str, float] = {}
    second: dict[str, float] = {}
    for target, shots in possible.items():
        here: dict[str, float] = {}
        for one in shots:
            here[one.firer] = max(here.get(one.firer, 0.0), stakes[target] * gain(units[target], one))
        for firer, value in here.items():
            second[firer] = max(second.get(firer, 0.0), min(best_of.get(firer, 0.0), value))
            best_of[firer] = max(best_of.get(firer, 0.0), value)
    options = [mass(units[target], shots, second, stakes[target]) for target, shots in possible.items()]
    return max((one for one in options if one.shots), key=lambda attack: (attack.worth, attack.target), default=None)


def _least(picture: Picture, firer: Unit) -> float:
    """What a shot must be worth to be fired in this phase."""
    if picture.battle.phase != "fire_second":
        return 0.0
    far = span(firer.centre, picture.goal(firer.centre)) > 6 * INCH
    return HOLD_ON_THE_WAY if firer.profile.tl == 2 and far and fights(firer) else HOLD_FIRE


def reaction(picture: Picture, request: PickOne) -> tuple[str | None, float, float]:
    """The shot to fire at a mover, if it is good, or at least better than what is likely to come; its worth, and that of a later one."""
    units = picture.battle.units
    mover = units[request.unit]
    last = not any(option.id == "wait" for option in request.options)
    best: tuple[float, str] | None = None
    for option in request.options:
        if ":" in option.id:
            unit, weapon = read_shot(option.id)
            value = gain(mover, shot(picture.battle, units[unit], mover, weapon))
            if best is None or value > best[0]:
                best = (value, option.id)
    if best is None:
        return None, 0.0, 0.0
    firer = units[read_shot(best[1])[0]]
    to_come = [one for one in picture.enemies if not one.move_tried and one.id != mover.id]
    later = max((picture.best_shot(firer, one) for one in to_come), default=0.0)
    fires = best[0] >= max(LATER * later, REACT_LAST if last else REACT)
    return best[1] if fires else None, best[0], later
