"""Artillery: direct fire at what it sees, written missions when they are revealed, deviation, fire markers, smoke."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.field.shapes import Point, Pose, place, span, within
from sandtable.games.micro_armour.battle import INCH, Battle, FireMarker, Mission, Plans, Smoke, Unit, inches, told
from sandtable.games.micro_armour.effects import take_effect
from sandtable.games.micro_armour.fire import fire_refusal, no_sight, target_facts
from sandtable.games.micro_armour.lay import terrain_at
from sandtable.games.micro_armour.procedures.words import DIRECTIONS
from sandtable.games.micro_armour.rolling import look_up, run
from sandtable.games.micro_armour.sight import blocker_name, sees, sees_place, unit_in_smoke, where_blocked
from sandtable.kernel.decisions import Option, PickPlaces, PickSeveral, Placing, Refusal
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

BURST = INCH
"""A marker hits what has its centre within an inch of it (MA-RULING-21)."""


class MissionRevealed(Event, frozen=True):
    """A written mission is read out (MA-ART-04)."""

    reveals = True

    side: str
    mission: Mission

    def apply(self, battle: Battle) -> Battle:
        plans = battle.plans(self.side)
        kept = tuple(mission for mission in plans.missions if mission.id != self.mission.id)
        return battle.with_plans(self.side, Plans(kept, plans.courses))

    def says(self) -> Message:
        x, y = self.mission.aim
        name = "smoke_mission_revealed" if self.mission.smoke else "mission_revealed"
        return say(f"event.{name}", side=self.side, units=self.mission.units, x=x / INCH, y=y / INCH)

    def units(self) -> tuple[str, ...]:
        return self.mission.units


class Bombarded(Event, frozen=True):
    """An artillery unit took its Command Test: whether it fires, at what, and where its fire strays to."""

    unit: str
    passed: bool
    target: str = ""
    direction: str = ""
    distance: float = 0.0
    effect: str = ""

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(self.unit, attempted_fire=True, attempted_this_phase=True, fired=unit.fired or self.passed)

    def says(self) -> Message:
        if not self.passed:
            return told(self, "not_bombarded")
        return told(self, "bombarded_strayed" if self.direction else "bombarded" if self.effect else "bombarded_place")

    def units(self) -> tuple[str, ...]:
        return (self.unit, self.target) if self.target else (self.unit,)


class MarkerLaid(Event, frozen=True):
    """A fire marker lies where the shells of a unit fall, till the end of the turn."""

    unit: str
    x: int
    y: int

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, fire_markers=(*battle.fire_markers, FireMarker(self.unit, (self.x, self.y))))

    def says(self) -> Message:
        return told(self, "marker_laid", x=self.x / INCH, y=self.y / INCH)

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class ShellFell(Event, frozen=True):
    """Shells of a unit fell on somebody within an inch of its marker."""

    unit: str
    target: str
    effect: str

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.unit, self.target)


class SmokeLaid(Event, frozen=True):
    """Smoke, two inches across, till the end of the turn (MA-RULING-32)."""

    unit: str
    x: int
    y: int

    def apply(self, battle: Battle) -> Battle:
        number = battle.counter + 1
        smoke = Smoke(f"smoke_{number}", battle.units[self.unit].side, (self.x, self.y))
        return replace(battle, smoke=(*battle.smoke, smoke), counter=number)

    def says(self) -> Message:
        return told(self, "smoke_laid", x=self.x / INCH, y=self.y / INCH)

    def units(self) -> tuple[str, ...]:
        return (self.unit,)


class MissionFailed(Event, frozen=True):
    """Nobody of a mission fired: gone, unable, or no test passed."""

    side: str
    mission: str

    def apply(self, battle: Battle) -> Battle:
        return battle


EVENTS: tuple[type[Event], ...] = (MissionRevealed, Bombarded, MarkerLaid, ShellFell, SmokeLaid, MissionFailed)


# -- who may fire at what -----------------------------------------------------------------------------------------


def batteries(battle: Battle, side: str) -> list[Unit]:
    """The artillery units of a side that may still fire in this phase."""
    return [unit for unit in battle.side_units(side) if unit.profile.shells and fire_refusal(battle, unit) is None]


def direct_refusal(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why a battery cannot fire directly at a target: it must see it, and have a factor against it (MA-ART-01, MA-RULING-16)."""
    if not sees(battle, unit, target).clear:
        return no_sight(battle, unit, target)
    factor = unit.profile.ap if target.profile.target_class == "armoured" else unit.profile.he
    return Refusal("MA-RULING-16", say("reason.no_factor")) if factor is None else None


def direct_targets(battle: Battle, side: str) -> dict[str, list[str]]:
    """Enemy ground units with the batteries that may fire at them directly. What flies is never hit by shells (MA-RULING-36)."""
    ready = batteries(battle, side)
    found: dict[str, list[str]] = {}
    for target in battle.enemies(side) if ready else ():
        if target.ground:
            firing = [unit.id for unit in ready if direct_refusal(battle, unit, target) is None]
            if firing:
                found[target.id] = firing
    return found


# -- what shells do -----------------------------------------------------------------------------------------------


def under_marker(battle: Battle, at: Point) -> list[Unit]:
    """The ground units, friend or enemy, with their centre within an inch of a marker, nearest first."""
    near = [(span(unit.centre, at), unit) for unit in battle.standing() if unit.ground]
    return [unit for far, unit in sorted((row for row in near if within(row[0], BURST)), key=lambda row: row[0])]


def nearest_units(battle: Battle, at: Point, reach: float) -> list[Unit]:
    """The ground units nearest to a place within some distance: several if they are equally near."""
    near = [(far, unit) for unit in battle.standing() if unit.ground and within(far := span(unit.centre, at), reach)]
    if not near:
        return []
    least = min(far for far, _ in near)
    return [unit for far, unit in near if within(far, least)]


def strays(at: Point, direction: str | None, distance: float | None) -> Point:
    """A place, shifted by a deviation: n is up the table (MA-RULING-20)."""
    if direction is None or distance is None:
        return at
    bearing = 45 * DIRECTIONS.index(direction)
    return place(Pose(at[0], at[1], bearing), 0, round(distance * INCH))


def burst(table: Table[Battle], unit: Unit, at: Point, *, direct: bool, spared: Iterable[str] = ()) -> None:
    """The marker of a unit hits everybody under it by `strike_impact`, but for those that have been dealt with.

    `unit` is the battery as it stood when it fired: its own shells, or those of its comrades, may have hit it since.
    """
    skip = tuple(spared)
    table.emit(MarkerLaid(unit.id, *at))
    for target in under_marker(table.battle, at):
        if target.id not in skip:
            shell(table, unit, target.id, direct=direct)


def shell(table: Table[Battle], unit: Unit, target_id: str, *, direct: bool) -> None:
    battle = table.battle
    target = battle.units[target_id]
    hit = run(
        table,
        unit.side,
        "strike_impact",
        attack_kind="artillery",
        attacker_tl=unit.profile.tl,
        ap=unit.profile.ap,
        he=unit.profile.he,
        firer_in_smoke=unit_in_smoke(battle, unit),
        over_crest=direct and unit.id != target_id and sees(battle, unit, target).over_crest,
        **target_facts(battle, target),
    )
    table.emit(ShellFell(unit.id, target_id, hit.effect))
    take_effect(table, target_id, hit.effect)


# -- direct fire --------------------------------------------------------------------------------------------------


def direct_fire(table: Table[Battle], target_id: str) -> None:
    """One target in sight, any number of batteries, each for itself (MA-ART-02, MA-ART-03, MA-RULING-21)."""
    battle = table.battle
    side = battle.active
    options = tuple(
        Option(
            unit.id,
            say("option.unit", unit=unit.id, name=unit.profile.name),
            direct_refusal(battle, unit, battle.units[target_id]),
            (unit.id,),
        )
        for unit in batteries(battle, side)
    )
    possible = [option.id for option in options if option.refusal is None]
    firing = table.ask(
        PickSeveral(
            player=side,
            decision="MA-DEC-04",
            prompt=say("ask.batteries", target=target_id),
            unit=target_id,
            options=options,
            least=1,
            default=possible,
        )
    )
    for id in firing:
        if not table.battle.units[target_id].alive:  # MA-RULING-46
            break
        if table.battle.units[id].alive:  # a shell of its comrades may have strayed to it
            _fire_directly(table, id, target_id)


def direct_facts(battle: Battle, unit: Unit, target: Unit) -> dict[str, Any]:
    """Direct fire of a battery at what it sees, as `artillery_fire` takes it."""
    return {"mode": "direct", "over_crest": sees(battle, unit, target).over_crest, **_shells(battle, unit, target)}


def indirect_facts(battle: Battle, unit: Unit, target: Unit) -> dict[str, Any]:
    """A mission's fire on its named target, as `artillery_fire` takes it."""
    return {"mode": "indirect", "tl_modifier": tl_modifier(battle, unit), **_shells(battle, unit, target)}


def _shells(battle: Battle, unit: Unit, target: Unit) -> dict[str, Any]:
    return {
        "mortar": unit.profile.artillery == "mortar",
        "command_level": unit.level,
        "attacker_tl": unit.profile.tl,
        "attacker_suppressed": unit.suppressed,
        "attacker_disorganised": unit.disorganised,
        "ap": unit.profile.ap,
        "he": unit.profile.he,
        "firer_in_smoke": unit_in_smoke(battle, unit),
        **target_facts(battle, target),
    }


def _fire_directly(table: Table[Battle], unit_id: str, target_id: str) -> None:
    battle = table.battle
    unit, target = battle.units[unit_id], battle.units[target_id]
    aim = target.centre
    result = run(table, unit.side, "artillery_fire", **direct_facts(battle, unit, target))
    strayed = result.stage == "deviated"
    table.emit(
        Bombarded(
            unit_id,
            bool(result.passed),
            target_id,
            result.direction or "",
            result.distance or 0.0,
            result.effect if result.stage == "resolved" else "",
        )
    )
    if strayed:
        burst(table, unit, strays(aim, result.direction, result.distance), direct=True)
    elif result.stage == "resolved":
        take_effect(table, target_id, result.effect)
        burst(table, unit, aim, direct=True, spared=(target_id,))


def direct_smoke(table: Table[Battle], unit_id: str) -> None:
    """Smoke at any point in sight; mortars may stray (MA-RULING-32)."""
    battle = table.battle
    unit = battle.units[unit_id]

    def check(places: dict[str, Placing]) -> None:
        aim = (places["smoke"].x, places["smoke"].y)
        check_aim(battle, aim)
        seen = sees_place(battle, unit, aim)
        if not seen.clear:
            far = inches(span(unit.centre, where_blocked(battle, unit.centre, aim, seen)))
            raise RefusedError("MA-RULING-32", "refused.place_not_seen_at", by=blocker_name(battle, seen), inches=far)

    default = _in_front(battle, unit)
    spot = table.ask(
        PickPlaces(
            player=unit.side,
            decision="MA-DEC-04",
            prompt=say("ask.smoke_place", unit=unit_id),
            unit=unit_id,
            pieces=("smoke",),
            default={"smoke": {"x": default[0], "y": default[1], "facing": 0}},
        ),
        check,
    )["smoke"]
    aim = (spot.x, spot.y)
    over_crest = sees_place(battle, unit, aim).over_crest
    passed = _tested_on_place(table, unit, aim, indirect=False, over_crest=over_crest)
    drift = _drift(table, unit) if passed and unit.profile.artillery == "mortar" else NO_DRIFT
    table.emit(Bombarded(unit_id, passed, "", drift.direction, drift.distance))
    if passed:
        table.emit(SmokeLaid(unit_id, *strays(aim, drift.direction or None, drift.distance)))


def _in_front(battle: Battle, unit: Unit) -> Point:
    """A place in sight to begin with: at the nearest visible enemy, else where the unit stands."""
    seen = [enemy for enemy in battle.enemies(unit.side) if enemy.ground and sees_place(battle, unit, enemy.centre).clear]
    return min(seen, key=lambda enemy: span(enemy.centre, unit.centre)).centre if seen else unit.centre


def check_aim(battle: Battle, at: Point) -> None:
    if not (0 <= at[0] <= battle.ground.width and 0 <= at[1] <= battle.ground.height):
        raise RefusedError("MA-RULING-21", "refused.aim_off_table")


# -- tests without a target ---------------------------------------------------------------------------------------


class Drifted(NamedTuple):
    direction: str = ""
    distance: float = 0.0


NO_DRIFT = Drifted()


def tl_modifier(battle: Battle, unit: Unit) -> int:
    """What the Tech Level does to the test of indirect fire: nothing, unless the scenario says so (MA-RULING-18)."""
    return battle.scenario.indirect_tl_modifier.get(str(unit.profile.tl), 0)


def place_test_facts(battle: Battle, unit: Unit, aim: Point, *, indirect: bool, over_crest: bool = False) -> dict[str, Any]:
    """A Command Test where there is no target: the ground of the aim point counts, as for anything but personnel."""
    ground = look_up(
        "terrain_effect",
        target_class="soft",
        target_terrain=terrain_at(battle, aim),
        firer_in_smoke=unit_in_smoke(battle, unit),
        over_crest=over_crest,
    )
    return _test_facts(unit, ground.test_modifier + (tl_modifier(battle, unit) if indirect else 0))


def _test_facts(unit: Unit, modifier: int) -> dict[str, Any]:
    return {
        "command_level": unit.level,
        "suppressed": unit.suppressed,
        "disorganised": unit.disorganised,
        "other_modifier": modifier,
    }


def _tested_on_place(table: Table[Battle], unit: Unit, aim: Point, *, indirect: bool, over_crest: bool = False) -> bool:
    facts = place_test_facts(table.battle, unit, aim, indirect=indirect, over_crest=over_crest)
    return bool(run(table, unit.side, "command_test", **facts).passed)


def _tested_on_target(table: Table[Battle], unit: Unit, facts: dict[str, Any]) -> bool:
    """The Command Test of a later unit of a mission: the same modifiers as the first one's, with its own markers."""
    battle = table.battle
    names = ("target_class", "target_terrain", "target_moving", "target_fired", "target_road_rate")
    ground = look_up("terrain_effect", **{name: facts[name] for name in names}, firer_in_smoke=unit_in_smoke(battle, unit))
    facts_of_test = _test_facts(unit, ground.test_modifier + tl_modifier(battle, unit))
    return bool(run(table, unit.side, "command_test", **facts_of_test).passed)


def _drift(table: Table[Battle], unit: Unit) -> Drifted:
    """A Deviation Test of a unit, with its own markers only (MA-RULING-19)."""
    drift = run(
        table,
        unit.side,
        "deviation",
        kind="artillery",
        command_level=unit.level,
        suppressed=unit.suppressed,
        disorganised=unit.disorganised,
    )
    return Drifted(drift.direction or "", drift.distance or 0.0)


# -- indirect missions --------------------------------------------------------------------------------------------


def able(battle: Battle, mission: Mission) -> list[str]:
    """The units of a mission that can still carry it out."""
    return [id for id in mission.units if fire_refusal(battle, battle.units[id]) is None]


def fire_mission(table: Table[Battle], mission: Mission) -> None:
    """Reveal a written mission and fire it (MA-ART-04, MA-ART-05, MA-RULING-21)."""
    side = table.battle.active
    table.emit(MissionRevealed(side, mission))
    units = able(table.battle, mission)
    target = None if mission.smoke else _named_target(table, mission)
    aimed_at = None if target is None else target_facts(table.battle, target)
    lead = ""
    drift = NO_DRIFT
    struck = False
    firing: list[Unit] = []
    for id in units:
        unit = table.battle.units[id]
        if not unit.alive:  # the named target was one of the batteries
            continue
        if lead:
            if target is not None and aimed_at is not None and _has_factor(unit, target):
                passed = _tested_on_target(table, unit, aimed_at)
            else:
                passed = _tested_on_place(table, unit, mission.aim, indirect=True)
            table.emit(Bombarded(id, passed))
        elif target is not None and _has_factor(unit, target):
            passed, drift, struck = _lead_on_target(table, unit, target)
        else:
            passed = _tested_on_place(table, unit, mission.aim, indirect=True)
            drift = _drift(table, unit) if passed else NO_DRIFT
            table.emit(Bombarded(id, passed, "", drift.direction, drift.distance))
        if passed:
            firing.append(unit)
            lead = lead or id
    if not firing:
        table.emit(MissionFailed(side, mission.id))
    # The units that fire take the markers in the order of the list; all shift together and keep the pattern.
    for unit, (right, up) in zip(firing, mission.sheaf, strict=False):
        at = strays((mission.aim[0] + right, mission.aim[1] + up), drift.direction or None, drift.distance)
        if mission.smoke:
            table.emit(SmokeLaid(unit.id, *at))
        else:
            spared = (target.id,) if struck and unit.id == lead and target is not None else ()
            burst(table, unit, at, direct=False, spared=spared)


def _has_factor(unit: Unit, target: Unit) -> bool:
    return (unit.profile.ap if target.profile.target_class == "armoured" else unit.profile.he) is not None


def _named_target(table: Table[Battle], mission: Mission) -> Unit | None:
    """The unit nearest to the aim point, within an inch of it; equally near ones by the dice (MA-RULING-21)."""
    found = nearest_units(table.battle, mission.aim, BURST)
    if not found:
        return None
    index: int = run(table, table.battle.active, "random_pick", count=len(found)).index
    return found[index]


def _lead_on_target(table: Table[Battle], unit: Unit, target: Unit) -> tuple[bool, Drifted, bool]:
    """`artillery_fire` on the named target: whether the unit passed, where the mission strays to, whether the target was struck."""
    battle = table.battle
    result = run(table, unit.side, "artillery_fire", **indirect_facts(battle, unit, target))
    drift = Drifted(result.direction or "", result.distance or 0.0)
    struck = result.stage == "resolved"
    table.emit(Bombarded(unit.id, bool(result.passed), target.id, drift.direction, drift.distance, result.effect if struck else ""))
    if struck:
        take_effect(table, target.id, result.effect)
    return bool(result.passed), drift, struck


def observers(battle: Battle, side: str) -> list[Unit]:
    """Who can call for indirect fire: headquarters and recon (MA-RULING-21)."""
    return [unit for unit in battle.side_units(side) if unit.profile.headquarters or unit.profile.recon]


def observed(battle: Battle, side: str, at: Point) -> bool:
    return any(sees_place(battle, unit, at).clear for unit in observers(battle, side))


def enemies_observed(battle: Battle, side: str) -> list[Unit]:
    return [unit for unit in battle.side_units(other(side)) if unit.ground and observed(battle, side, unit.centre)]
