"""Transport: who carries and tows whom, getting in and out, horses (FOW-TRN-01 to -13, FOW-RULING-50, -67)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.field.shapes import Pose, place
from sandtable.games.flames_of_war.battle import Battle, Team
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event


class Mounted(Event, frozen=True):
    """A team gets into (or, a gun, is hitched to) a vehicle; both have moved (FOW-TRN-05, -07)."""

    team: str
    carrier: str
    towed: bool = False

    def apply(self, battle: Battle) -> Battle:
        pose = battle.teams[self.carrier].pose
        carried = {"towed_by": self.carrier} if self.towed else {"mounted_in": self.carrier}
        battle = battle.with_team(self.team, pose=pose, moved=True, dug_in=False, building="", **carried)
        return battle.with_team(self.carrier, moved=True)

    def units(self) -> tuple[str, ...]:
        return (self.team, self.carrier)


class Dismounted(Event, frozen=True):
    """A team gets out of (or, a gun, is unhitched from) its vehicle, at `pose`; both have moved (FOW-TRN-06, -07)."""

    team: str
    carrier: str
    pose: Pose

    def apply(self, battle: Battle) -> Battle:
        battle = battle.with_team(self.team, pose=self.pose, mounted_in="", towed_by="", moved=True)
        return battle.with_team(self.carrier, moved=True)

    def units(self) -> tuple[str, ...]:
        return (self.team, self.carrier)


class LeftHorses(Event, frozen=True):
    """Cavalry goes on on foot for the rest of the battle (FOW-TRN-11, FOW-RULING-50)."""

    team: str

    def apply(self, battle: Battle) -> Battle:
        profile = replace(battle.teams[self.team].profile, team_type="infantry", mobility="infantry", save="infantry", height=1)
        return battle.with_team(self.team, profile=profile, moved=True)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


EVENTS: tuple[type[Event], ...] = (Mounted, Dismounted, LeftHorses)


def tows(carrier: Team, team: Team) -> bool:
    """Whether a team would be towed rather than carried."""
    return team.profile.team_type == "gun" and not team.profile.man_packed


def capacity(battle: Battle, carrier: Team) -> int | None:
    """How many teams a vehicle carries; None = any number (FOW-TRN-03, -12, -13)."""
    profile = carrier.profile
    if profile.capacity is not None:
        return 0 if "flamethrower" in profile.traits else profile.capacity
    if profile.team_type == "tank":
        return 0 if "flamethrower" in profile.traits else 3
    return 5 if battle.platoons[carrier.platoon].role == "transport" else None


def check_carry(battle: Battle, carrier: Team, team: Team) -> None:
    """Raises the rule that keeps a team from being carried or towed by a vehicle."""
    profile = carrier.profile
    names = {"team": team.id, "carrier": carrier.id}
    if carrier.side != team.side or not profile.vehicle or not carrier.on_table:
        raise RefusedError("FOW-TRN-01", "refused.no_transport", **names)
    towed = tows(carrier, team)
    if not towed and not team.profile.foot:
        raise RefusedError("FOW-TRN-01", "refused.not_carried", **names)
    if towed and not profile.tows:
        raise RefusedError("FOW-TRN-01", "refused.does_not_tow", **names)
    riders = profile.team_type == "tank"
    home = battle.platoons[carrier.platoon]
    if not riders and home.role != "transport" and not battle.platoons[team.platoon].independent and team.platoon != carrier.platoon:
        raise RefusedError("FOW-TRN-02", "refused.other_platoon", **names)  # independent teams use any transport (FOW-TRN-04)
    if riders and "flamethrower" in profile.traits:
        raise RefusedError("FOW-TRN-13", "refused.flamethrower_carries_nobody", **names)
    aboard = [other for other in battle.passengers(carrier.id) if other.id != team.id]
    if towed and any(other.towed_by for other in aboard):
        raise RefusedError("FOW-TRN-07", "refused.tows_already", **names)
    most = capacity(battle, carrier)
    counted = len(aboard) if home.role == "transport" else sum(1 for other in aboard if other.mounted_in)
    if most is not None and counted >= most and not (towed and home.role != "transport"):
        raise RefusedError("FOW-TRN-13" if riders else "FOW-TRN-12", "refused.full", most=most, **names)


def may_carry(battle: Battle, carrier: Team, team: Team) -> bool:
    try:
        check_carry(battle, carrier, team)
    except RefusedError:
        return False
    return True


def mounted_this_turn(battle: Battle, carrier: Team) -> bool:
    """Whether somebody got in this turn: then the vehicle may not move any more (FOW-TRN-05)."""
    return any(team.moved for team in battle.passengers(carrier.id))


def check_dismount(battle: Battle, team: Team) -> None:
    """Raises if a passenger may not get out now: it gets out before its vehicle moves, and not again once it got in (FOW-TRN-06).

    From a bogged or bailed-out vehicle it may always get out (FOW-BOG-06, FOW-PASS-06).
    """
    carrier = battle.teams[team.mounted_in or team.towed_by]
    if team.moved or (carrier.moved and battle.platoons[carrier.unit].acted):
        raise RefusedError("FOW-TRN-06", "refused.vehicle_has_moved", team=team.id, carrier=carrier.id)


def behind(carrier: Team, team: Team) -> Pose:
    """Where an unhitched gun stands: right behind its tower, facing as it does."""
    assert carrier.pose is not None
    back = (carrier.profile.depth + team.profile.depth) // 2 + 5
    return Pose(*place(carrier.pose, 0, -back), carrier.pose.facing)
