"""What may never be true of a battle: checked at every step in tests and in the laboratory."""

from __future__ import annotations

from sandtable.games.micro_armour.battle import BASE, Battle, Plans, overlapping
from sandtable.games.micro_armour.lay import closed_ground
from sandtable.games.micro_armour.ways import allowance


def broken_invariants(battle: Battle) -> list[str]:
    broken: list[str] = []
    playing = len(battle.deployed) == 2
    half = BASE // 2
    for unit in battle.units.values():
        if unit.eliminated:
            if unit.pose is not None or unit.carried_by:
                broken.append(f"{unit.id} is eliminated but still somewhere")
            continue
        aircraft = unit.profile.target_class == "aircraft"
        if aircraft and (unit.pose is not None or unit.suppressed or unit.disorganised):
            broken.append(f"{unit.id} is an aircraft and still here after its mission (MA-RULING-36)")
        if playing and not aircraft and unit.pose is None:
            broken.append(f"{unit.id} is lost: alive and nowhere")
        if unit.carried_by:
            carrier = battle.units[unit.carried_by]
            if carrier.eliminated or carrier.pose != unit.pose:
                broken.append(f"{unit.id} is not where its carrier {carrier.id} is (MA-RULING-38)")
            if len(battle.passengers(carrier.id)) > carrier.profile.capacity:
                broken.append(f"{carrier.id} carries more than it can (MA-RULING-38)")
        if unit.posture != "none" and unit.profile.tl != 1:
            broken.append(f"{unit.id} has a posture but is not TL1 (MA-RULING-07)")
        if (unit.profile.tl == 1 or unit.profile.shells) and unit.attempted_fire and unit.spent and not unit.profile.capacity:
            broken.append(f"{unit.id} moved and fired in one turn (MA-SEQ-08, MA-SEQ-09)")
        if unit.moving and unit.spent > allowance(unit) + 5 and not unit.attempted_fire:
            broken.append(f"{unit.id} used {unit.spent} of {allowance(unit)} points (MA-MOVE-06)")
        if unit.on_table and not aircraft:
            x, y = unit.centre
            if not (half <= x <= battle.ground.width - half and half <= y <= battle.ground.height - half):
                broken.append(f"{unit.id} stands off the table (MA-RULING-54)")
            if closed_ground(battle, (x, y), unit.profile.mobility) is not None:
                broken.append(f"{unit.id} stands on ground closed to it (MA-MOVE-07)")
    standing = [unit for unit in battle.standing() if unit.profile.target_class != "aircraft"]
    for place, one in enumerate(standing):
        for two in standing[:place]:
            if overlapping(one.centre, two.centre):
                broken.append(f"{one.id} and {two.id} stand on each other (MA-RULING-43)")
    broken += _plans(battle)
    if any(orders < 0 for orders in battle.orders.values()):
        broken.append("more Orders were spent than rolled (MA-CMD-04)")
    return broken


def _plans(battle: Battle) -> list[str]:
    """Plans are where only their side sees them, and speak of its own units."""
    broken = []
    for side, plans in battle.secrets.items():
        if not isinstance(plans, Plans):
            broken.append(f"the secrets of side {side} are no plans")
            continue
        named = [id for mission in plans.missions for id in mission.units] + [course.aircraft for course in plans.courses]
        if any(battle.units[id].side != side for id in named) or len(set(named)) != len(named):
            broken.append(f"side {side} has planned with units twice, or with others' (MA-RULING-21, MA-RULING-35)")
    for side in ("a", "b"):
        if any(name != side for name in battle.seen_by(side).secrets):
            broken.append(f"side {side} sees the other side's plans")
    return broken
