"""What may never be true of a battle: checked at every step in tests and in the laboratory."""

from __future__ import annotations

from sandtable.field.shapes import bounds, boxes_apart, overlap
from sandtable.games.flames_of_war.battle import Battle


def broken_invariants(battle: Battle) -> list[str]:
    broken: list[str] = []
    playing = battle.phase not in ("first_player", "deployment")
    listed: dict[str, str] = {}
    for platoon in battle.platoons.values():
        for id in platoon.teams:
            if id in listed:
                broken.append(f"{id} is in two platoons")
            listed[id] = platoon.id
        if platoon.leader and (platoon.leader not in battle.teams or not battle.teams[platoon.leader].alive):
            broken.append(f"{platoon.id} is led by {platoon.leader}, who is not there")
        if platoon.destroyed and any(battle.teams[id].alive for id in platoon.teams):
            broken.append(f"{platoon.id} is destroyed but has living teams")
        if platoon.pinned and platoon.independent:
            broken.append(f"{platoon.id} is independent and pinned (FOW-IND-08)")
    for team in battle.teams.values():
        if listed.get(team.id) != team.platoon:
            broken.append(f"{team.id} says it is in {team.platoon}, the list says {listed.get(team.id)}")
        if not team.alive:
            if team.pose is not None or team.mounted_in or team.towed_by:
                broken.append(f"{team.id} is gone but still somewhere")
            continue
        reserve = battle.platoons[team.platoon].in_reserve
        if playing and team.pose is None and not reserve:
            broken.append(f"{team.id} is lost: alive, not in reserve, and nowhere")
        carrier = team.mounted_in or team.towed_by
        if carrier:
            if not battle.teams[carrier].alive:
                broken.append(f"{team.id} is carried by {carrier}, which is gone")
            elif battle.teams[carrier].pose != team.pose:
                broken.append(f"{team.id} is not where its carrier {carrier} is")
        if team.joined and not battle.platoons[team.platoon].independent:
            broken.append(f"{team.id} has joined {team.joined} but is not independent")
        if team.bailed_out and not team.profile.vehicle:
            broken.append(f"{team.id} is bailed out but no vehicle")
    standing = [(team, team.base) for team in battle.teams.values() if team.on_table]
    boxes = [bounds(base) for _, base in standing]
    for i, (team, base) in enumerate(standing):
        if not battle.ground.within_table(base):
            broken.append(f"{team.id} stands off the table")
        for j in range(i):
            if (
                not boxes_apart(boxes[i], boxes[j])
                and overlap(base, standing[j][1])
                and not _may_overlap(team.building, standing[j][0].building)
            ):
                broken.append(f"{team.id} and {standing[j][0].id} stand on each other (FOW-MOVE-09)")
    return broken


def _may_overlap(one: str, two: str) -> bool:
    """In a building too small for a base a team may stick out (FOW-BLDG-01)."""
    return bool(one) != bool(two)
