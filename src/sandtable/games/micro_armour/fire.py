"""Standard fire and reaction fire: who may fire at whom with what, and a shot from map to procedure to result."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.field.shapes import span
from sandtable.games.micro_armour.battle import AttackDeclared, Battle, Fired, Unit, apart, inches
from sandtable.games.micro_armour.effects import take_effect
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.procedures.air import AaFire
from sandtable.games.micro_armour.procedures.eligibility import FireEligibility, why_not
from sandtable.games.micro_armour.procedures.standard_fire import StandardFire, advantage_of
from sandtable.games.micro_armour.procedures.standard_fire import why_not as why_no_shot
from sandtable.games.micro_armour.rolling import QUIET, look_up, run
from sandtable.games.micro_armour.sight import Look, aspect, blocker_name, sees, unit_in_smoke, where_blocked
from sandtable.kernel.decisions import Option, PickOne, PickSeveral, Refusal
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table

FIRE_PHASES = ("fire_first", "fire_second", "fire_third")


# -- facts from the map -------------------------------------------------------------------------------------------


def target_facts(battle: Battle, target: Unit) -> dict[str, Any]:
    """The target's side of a shot: its class, its markers, the ground it is in."""
    profile = target.profile
    return {
        "target_class": profile.target_class,
        "defence": profile.defence,
        "target_moving": target.in_move_state,
        "target_terrain": () if profile.flying else terrain_at(battle, target.centre),
        "target_fired": target.fired,
        "target_road_rate": bool(target.road),
        "target_suppressed": target.suppressed,
        "target_disorganised": target.disorganised,
    }


def fire_facts(battle: Battle, firer: Unit, target: Unit, weapon: str, seen: Look) -> StandardFire:
    """A shot with the gun or the missile."""
    profile = firer.profile
    missile = profile.atgm if weapon == "atgm" else None
    assert target.pose is not None
    return StandardFire(
        command_level=firer.level,
        attacker_tl=profile.tl,
        attacker_suppressed=firer.suppressed,
        attacker_disorganised=firer.disorganised,
        attacker_support=profile.support,
        ap=missile.ap if missile else profile.ap,
        he=None if missile else profile.he,
        atgm=missile is not None,
        atgm_test_modifier=missile.test_modifier if missile else 0,
        atgm_min_range=missile.min_range if missile else 0.0,
        max_range=None if missile else profile.max_range,
        distance=inches(apart(firer, target)),
        aspect=aspect(target.pose, firer.centre),  # type: ignore[arg-type]
        firer_in_smoke=unit_in_smoke(battle, firer),
        over_crest=seen.over_crest,
        **target_facts(battle, target),
    )


def aa_facts(firer: Unit, target: Unit, distance: float) -> AaFire:
    """Anti-aircraft fire at something that flies, that far away."""
    return AaFire(
        command_level=firer.level,
        aa_tl=firer.profile.tl,
        attacker_suppressed=firer.suppressed,
        attacker_disorganised=firer.disorganised,
        he=firer.profile.he,
        max_range=firer.profile.max_range,
        distance=inches(distance),
        air_tl=target.profile.tl,
        air_defence=target.profile.defence,
        target_class=target.profile.target_class,  # type: ignore[arg-type]
        target_suppressed=target.suppressed,
        target_disorganised=target.disorganised,
    )


# -- who may ------------------------------------------------------------------------------------------------------


def fire_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit may not fire in this phase (`fire_eligibility`); passengers and aircraft never do (MA-RULING-36, -38)."""
    if not unit.on_table:
        return Refusal("MA-RULING-38", say("refused.not_on_table", unit=unit.id))
    if unit.profile.target_class == "aircraft":
        return Refusal("MA-RULING-36", say("refused.aircraft", unit=unit.id))
    reason, rule = why_not(
        FireEligibility(
            phase=battle.phase,  # type: ignore[arg-type]
            tl=unit.profile.tl,
            artillery=unit.profile.shells,
            posture=unit.posture,  # type: ignore[arg-type]
            moved=unit.moving,
            attempted_this_phase=unit.attempted_this_phase,
            attempted_second=unit.attempted_second,
        )
    )
    return None if reason == "none" else Refusal(rule, say(f"reason.{reason}"))


def weapons(firer: Unit, target: Unit) -> tuple[str, ...]:
    """What a unit might use: its gun, its missile; an anti-aircraft unit its own procedure against helicopters (MA-RULING-34)."""
    found = ["gun"]
    if firer.profile.atgm is not None:
        found.append("atgm")
    if firer.profile.aa and target.profile.target_class == "helicopter":
        found.append("aa")
    return tuple(found)


class Shot(NamedTuple):
    """A shot as it would be fired now, or why it cannot be."""

    firer: str
    target: str
    weapon: str
    facts: StandardFire | AaFire | None
    refusal: Refusal | None


def shot(battle: Battle, firer: Unit, target: Unit, weapon: str) -> Shot:
    """The facts of one shot: sight first (MA-FIRE-01), then range, factor and advantage."""
    seen = sees(battle, firer, target)
    if not seen.clear:
        message = say("refused.no_sight", unit=firer.id, target=target.id, by=seen.blocked_by)
        return Shot(firer.id, target.id, weapon, None, Refusal("MA-LOS-04", message))
    if weapon == "aa":
        facts = aa_facts(firer, target, apart(firer, target))
        reason = aa_reason(facts)
        refusal = None if reason == "none" else Refusal("MA-RULING-34", say(f"reason.{reason}"))
        return Shot(firer.id, target.id, weapon, facts, refusal)
    shooting = fire_facts(battle, firer, target, weapon, seen)
    why, rule = why_no_shot(shooting, advantage_of(shooting, shooting, QUIET))
    return Shot(firer.id, target.id, weapon, shooting, None if why == "none" else Refusal(rule, say(f"reason.{why}")))


def aa_reason(facts: AaFire) -> str:
    """Why anti-aircraft fire is not possible, as `aa_fire` will see it: range, factor, then the shifted advantage."""
    if facts.max_range is not None and facts.distance > facts.max_range:
        return "out_of_range"
    if facts.he is None:
        return "no_factor"
    shifted = look_up("aa_column_shift", aa_tl=facts.aa_tl, air_tl=facts.air_tl, advantage=facts.he - facts.air_defence)
    return "advantage_too_low" if shifted.advantage < -3 else "none"


def no_sight(battle: Battle, viewer: Unit, target: Unit) -> Refusal:
    """That a unit does not see another: what blocks, how far off, and how far the other is."""
    seen = sees(battle, viewer, target)
    far = inches(span(viewer.centre, where_blocked(battle, viewer.centre, target.centre, seen)))
    names = {"unit": viewer.id, "target": target.id, "by": blocker_name(battle, seen)}
    return Refusal("MA-LOS-04", say("refused.no_sight_at", **names, inches=far, distance=inches(apart(viewer, target))))


def explained(battle: Battle, found: Shot) -> Refusal | None:
    """Why a shot cannot be fired, with its numbers. It takes longer than to know that it cannot: for those who read it."""
    if found.refusal is None:
        return None
    firer, target = battle.units[found.firer], battle.units[found.target]
    facts = found.facts
    if facts is None:
        return no_sight(battle, firer, target)
    reason = found.refusal.message.id.removeprefix("reason.")
    numbers: dict[str, Any] = {"unit": firer.id, "distance": facts.distance}
    if reason == "out_of_range":
        numbers["reach"] = facts.max_range
    elif reason == "below_minimum_range" and isinstance(facts, StandardFire):
        numbers["least"] = facts.atgm_min_range
    elif reason == "advantage_too_low" and isinstance(facts, StandardFire):
        numbers["advantage"] = advantage_of(facts, facts, QUIET)
    else:
        return found.refusal
    return Refusal(found.refusal.rule, say(f"refused.{reason}", **numbers))


def shots_at(battle: Battle, firers: list[Unit], target: Unit) -> list[Shot]:
    """Every shot of these firers at a target, possible or not."""
    return [shot(battle, firer, target, weapon) for firer in firers for weapon in weapons(firer, target)]


def ready_firers(battle: Battle, side: str) -> list[Unit]:
    return [unit for unit in battle.side_units(side) if fire_refusal(battle, unit) is None]


def target_refusal(battle: Battle, target: Unit) -> Refusal | None:
    """In the first fire phase nobody is the target of two attacks (MA-SEQ-04, MA-RULING-44)."""
    if battle.phase == "fire_first" and target.id in battle.targeted:
        return Refusal("MA-SEQ-04", say("refused.already_target", target=target.id))
    return None


def attacks(battle: Battle, side: str) -> dict[str, list[Shot]]:
    """The possible shots of a side in this phase, by target."""
    firers = ready_firers(battle, side)
    found: dict[str, list[Shot]] = {}
    if firers:
        for target in battle.enemies(side):
            if target_refusal(battle, target) is None:
                possible = [one for one in shots_at(battle, firers, target) if one.refusal is None]
                if possible:
                    found[target.id] = possible
    return found


# -- firing -------------------------------------------------------------------------------------------------------


def fire(table: Table[Battle], firer_id: str, target_id: str, weapon: str) -> None:
    """One Combat Event, at once (MA-FIRE-02, MA-FIRE-10): the shot as it is now, the dice, the effect."""
    battle = table.battle
    firer, target = battle.units[firer_id], battle.units[target_id]
    found = shot(battle, firer, target, weapon)
    if found.refusal is not None or found.facts is None:
        return
    if weapon == "aa":
        hit = run(table, firer.side, "aa_fire", **_fields(found.facts))
    else:
        hit = run(table, firer.side, "standard_fire", **_fields(found.facts))
    table.emit(Fired(firer_id, target_id, weapon, bool(hit.passed), hit.effect, found.facts.distance))
    take_effect(table, target_id, hit.effect)


def _fields(facts: StandardFire | AaFire) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in facts.__struct_fields__}


def attack(table: Table[Battle], target_id: str, firers: tuple[tuple[str, str], ...]) -> None:
    """The firers one after another; once the target is gone the others do not roll (MA-RULING-46)."""
    table.emit(AttackDeclared(target_id, tuple(unit for unit, _ in firers)))
    for unit, weapon in firers:
        if not table.battle.units[target_id].alive:
            break
        fire(table, unit, target_id, weapon)


def fire_action(table: Table[Battle]) -> bool:
    """The active side attacks once, or passes (MA-DEC-06). False if it passed."""
    battle = table.battle
    side = battle.active
    possible = attacks(battle, side)
    target_id = table.ask(
        PickOne(
            player=side,
            decision="MA-DEC-06",
            prompt=say("ask.target", phase=battle.phase),
            options=(*_targets(battle, side, possible), Option("pass", say("option.pass"))),
            default="pass",
        )
    )
    if target_id == "pass":
        return False
    options = shot_options(battle, ready_firers(battle, side), battle.units[target_id])
    chosen = table.ask(
        PickSeveral(
            player=side,
            decision="MA-DEC-06",
            prompt=say("ask.attackers", target=target_id),
            unit=target_id,
            options=options,
            least=1,
            default=each_once([option.id for option in options if option.refusal is None]),
        ),
        one_weapon_each,
    )
    attack(table, target_id, tuple(read_shot(one) for one in chosen))
    return True


def _targets(battle: Battle, side: str, possible: dict[str, list[Shot]]) -> list[Option]:
    options = []
    firers = ready_firers(battle, side)
    for target in battle.enemies(side):
        refusal = target_refusal(battle, target)
        if refusal is None and target.id not in possible:
            refusal = best_reason(battle, shots_at(battle, firers, target))
        options.append(Option(target.id, say("option.target", unit=target.id, name=target.profile.name), refusal, (target.id,)))
    return options


def best_reason(battle: Battle, shots: list[Shot]) -> Refusal | None:
    """What keeps the unit that comes nearest to having a shot: one that sees its target, else the nearest one."""

    def wanting(found: Shot) -> tuple[bool, float]:
        return found.facts is None, apart(battle.units[found.firer], battle.units[found.target])

    return explained(battle, min(shots, key=wanting)) if shots else None


def shot_options(battle: Battle, firers: list[Unit], target: Unit) -> tuple[Option, ...]:
    """Every unit with each of its weapons, `unit:weapon`."""
    return tuple(
        Option(
            f"{one.firer}:{one.weapon}",
            say("option.fire", unit=one.firer, name=battle.units[one.firer].profile.name, weapon=one.weapon),
            explained(battle, one),
            (one.firer,),
        )
        for one in shots_at(battle, firers, target)
    )


def read_shot(option: str) -> tuple[str, str]:
    unit, weapon = option.rsplit(":", 1)
    return unit, weapon


def each_once(options: list[str]) -> list[str]:
    """The first option of each unit."""
    return list({read_shot(option)[0]: option for option in reversed(options)}.values())[::-1]


def one_weapon_each(chosen: tuple[str, ...]) -> None:
    """Each unit fires once, with its gun or its missile (MA-SEQ-12)."""
    units = [read_shot(option)[0] for option in chosen]
    for unit in units:
        if units.count(unit) > 1:
            raise RefusedError("MA-SEQ-12", "refused.two_weapons", unit=unit)


# -- reaction -----------------------------------------------------------------------------------------------------


def reactions(battle: Battle, mover: Unit) -> list[Shot]:
    """The shots that the other side may fire at a unit that moves, where it is now (MA-REACT-01, MA-RULING-22)."""
    found = []
    for unit in battle.enemies(mover.side):
        if not unit.settled and fire_refusal(battle, unit) is None:
            found += [one for weapon in weapons(unit, mover) if (one := shot(battle, unit, mover, weapon)).refusal is None]
    return found


def offer_reaction(table: Table[Battle], mover_id: str, *, last: bool) -> bool:
    """The other side may interrupt here, once for each of its units (MA-DEC-10). False if it lets this unit go on unwatched."""
    while True:
        battle = table.battle
        mover = battle.units[mover_id]
        if not mover.alive:
            return False
        found = reactions(battle, mover)
        if not found:
            return True
        options = [
            Option(
                f"{one.firer}:{one.weapon}",
                say("option.react", unit=one.firer, name=battle.units[one.firer].profile.name, weapon=one.weapon),
                units=(one.firer,),
            )
            for one in found
        ]
        if not last:
            options.append(Option("wait", say("option.wait")))
        options.append(Option("let", say("option.let_go")))
        chosen = table.ask(
            PickOne(
                player=battle.units[found[0].firer].side,
                decision="MA-DEC-10",
                prompt=say("ask.react", unit=mover_id, name=mover.profile.name),
                unit=mover_id,
                options=tuple(options),
                default="let" if last else "wait",
            )
        )
        if chosen == "wait":
            return True
        if chosen == "let":
            return False
        unit, weapon = read_shot(chosen)
        attack(table, mover_id, ((unit, weapon),))  # each reacting unit is an attack of its own
