"""Air support: the call, interception, the strike, anti-aircraft fire."""

from __future__ import annotations

from sandtable.field.shapes import Point, Polygon, Pose, boxes_apart, distance, nearest_points, pierces, place, rectangle, within
from sandtable.field.shapes import bounds as box_of
from sandtable.games.flames_of_war.artillery import attempts, seen_from
from sandtable.games.flames_of_war.battle import INCH, Battle, PhaseBegan, Team
from sandtable.games.flames_of_war.command import close, far
from sandtable.games.flames_of_war.procedures.artillery import RangeIn
from sandtable.games.flames_of_war.profile import AirWeapon, Weapon
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.templates import lay_template, strike
from sandtable.kernel.decisions import Option, PickOne, PickSeveral, Refusal
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

BASE = 2 * INCH
"""Aircraft stand on bases of 2 by 2 inches (FOW-RULING-78)."""
HEADINGS = {"south": 0, "west": 90, "north": 180, "east": 270}
"""Which way aircraft fly that come in over a table edge (FOW-AIR-05)."""


class AirCalled(Event, frozen=True):
    """A side called for its aircraft; the pool shrinks by a die either way (FOW-AIR-02)."""

    side: str
    arrived: bool
    pool: int

    def apply(self, battle: Battle) -> Battle:
        return battle.with_company(self.side, called=True, air_pool=self.pool)


class Interception(Event, frozen=True):
    """The other side spent a die of its own pool to intercept (FOW-AIR-03)."""

    side: str
    intercepted: bool
    pool: int

    def apply(self, battle: Battle) -> Battle:
        return battle.with_company(self.side, air_pool=self.pool)


class FlightArrived(Event, frozen=True):
    """Aircraft are over the table, for this turn (FOW-AIR-04)."""

    side: str
    aircraft: int

    def apply(self, battle: Battle) -> Battle:
        return battle.with_company(self.side, aircraft=self.aircraft)


class StrikeBegan(Event, frozen=True):
    """Aircraft come in at a team; `places` is where they are put, the lead aircraft first."""

    side: str
    target: str
    heading: int
    places: tuple[tuple[int, int], ...]

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.target,)


class AntiAircraftFire(Event, frozen=True):
    """A team fired at the aircraft."""

    team: str
    destroyed: int
    left: int

    def apply(self, battle: Battle) -> Battle:
        return battle.with_company(other(battle.teams[self.team].side), aircraft=self.left)

    def units(self) -> tuple[str, ...]:
        return (self.team,)


class AircraftRangedIn(Event, frozen=True):
    """The aircraft tried to range in: at which attempt, 0 if not at all."""

    side: str
    target: str
    attempt: int
    template: tuple[tuple[int, int], ...] = ()
    """Where the template lies from now on."""

    def says(self) -> Message:
        said = super().says()
        return said if self.attempt else say("event.aircraft_ranged_in_failed", **said.arguments)

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.target,)

    def outlines(self) -> tuple[Polygon, ...]:
        return (self.template,) if self.template else ()


class StrikeEnded(Event, frozen=True):
    """The flight is over; aircraft that did not strike are lost to their side too (FOW-RULING-31)."""

    side: str
    hits: int = 0
    template: tuple[tuple[int, int], ...] = ()
    reason: str = "struck"

    def apply(self, battle: Battle) -> Battle:
        return battle.with_company(self.side, aircraft=0)

    def outlines(self) -> tuple[Polygon, ...]:
        return (self.template,) if self.template else ()


EVENTS: tuple[type[Event], ...] = (AirCalled, Interception, FlightArrived, StrikeBegan, AntiAircraftFire, AircraftRangedIn, StrikeEnded)


# -- the call -----------------------------------------------------------------------------------------------------


def call_air(table: Table[Battle]) -> None:
    """In the starting step: call or save the die (FOW-DEC-02); the other side may intercept (FOW-DEC-03)."""
    battle = table.battle
    side, enemy = battle.active, other(battle.active)
    pool = battle.companies[side].air_pool
    if pool <= 0 or battle.scenario.side(side).force.aircraft is None:
        return
    options = (Option("call", say("option.call_air", dice=pool)), Option("save", say("option.save_air")))
    if table.ask(PickOne(player=side, decision="FOW-DEC-02", prompt=say("ask.call_air"), options=options, default="call")) == "save":
        return
    called = run(table, side, "air_call", pool=pool)
    table.emit(AirCalled(side, called.arrived, called.pool_after))
    if not called.arrived:
        return
    theirs = battle.companies[enemy].air_pool
    if theirs >= 1:
        options = (Option("intercept", say("option.intercept", dice=theirs)), Option("let", say("option.no_intercept")))
        prompt = say("ask.intercept")
        if table.ask(PickOne(player=enemy, decision="FOW-DEC-03", prompt=prompt, options=options, default="let")) == "intercept":
            met = run(table, enemy, "interception", pool=theirs)
            table.emit(Interception(enemy, met.intercepted, met.pool_after))
            if met.intercepted:
                return
    table.emit(FlightArrived(side, run(table, side, "aircraft_count").aircraft))


# -- the strike ---------------------------------------------------------------------------------------------------


def air_strike_step(table: Table[Battle]) -> None:
    """At the end of the shooting step (FOW-RULING-31)."""
    if table.battle.companies[table.battle.active].aircraft > 0:
        _strike(table)
    table.emit(PhaseBegan("shooting_end"))


def strike_refusal(battle: Battle, side: str, target: Team) -> Refusal | None:
    """Own teams within 16 inches of the target make the aircraft break off (FOW-AIR-06)."""
    safety = far("air_safety")
    for team in battle.side_teams(side):
        if close(team, target, safety):
            return Refusal("FOW-AIR-06", say("refused.own_teams_near", team=team.id, distance=distance(team.base, target.base) / INCH))
    return None


def placing(battle: Battle, side: str, target: Team, aircraft: int) -> tuple[int, list[Point]]:
    """The way they fly, and the lead 6 inches short of the target, the others in a wedge behind (FOW-AIR-05, -07, FOW-RULING-78)."""
    heading = HEADINGS[battle.scenario.side(side).edge]
    frame = Pose(target.centre[0], target.centre[1], heading)
    short = far("aircraft_placement")
    spots = [(0, -short), (-3 * INCH, -short - 3 * INCH), (3 * INCH, -short - 3 * INCH)]
    return heading, [place(frame, right, forward) for right, forward in spots[:aircraft]]


def aircraft_bases(places: list[Point], heading: int) -> list[Polygon]:
    return [rectangle(Pose(x, y, heading), BASE, BASE) for x, y in places]


def _strike(table: Table[Battle]) -> None:
    battle = table.battle
    side = battle.active
    flight = battle.companies[side].aircraft
    options = [
        Option(
            team.id,
            say("option.strike", team=team.id, name=team.profile.name, platoon=battle.unit_of(team).name),
            strike_refusal(battle, side, team),
            (team.id,),
        )
        for team in battle.enemies(side)
    ]
    if not any(option.refusal is None for option in options):
        table.emit(StrikeEnded(side, reason="no_target"))
        return
    options.append(Option("none", say("option.no_strike")))
    default = next(option.id for option in options if option.refusal is None)
    prompt = say("ask.strike", aircraft=flight)
    chosen = table.ask(PickOne(player=side, decision="FOW-DEC-17", prompt=prompt, options=tuple(options), default=default))
    if chosen == "none":
        table.emit(StrikeEnded(side, reason="called_off"))
        return
    heading, places = placing(battle, side, battle.teams[chosen], flight)
    table.emit(StrikeBegan(side, chosen, heading, tuple(places)))
    if not all(battle.ground.within_table(base) for base in aircraft_bases(places, heading)):
        table.emit(StrikeEnded(side, reason="no_room"))  # FOW-AIR-07
        return
    _anti_aircraft(table, chosen, heading)
    if table.battle.companies[side].aircraft == 0:
        table.emit(StrikeEnded(side, reason="shot_down"))
        return
    _attack(table, chosen, heading)


def _attack(table: Table[Battle], target_id: str, heading: int) -> None:
    """Range in and strike what lies under the template (FOW-AIR-08 to -14)."""
    battle = table.battle
    side = battle.active
    target = battle.teams[target_id]
    weapon = _weapon(table, side)
    concealed, gone = seen_from(battle, None, target)
    facts = RangeIn(target_skill=battle.unit_of(target).skill, concealed=concealed, gone_to_ground=gone, attack="air")  # type: ignore[arg-type]
    attempt = attempts(table, side, facts, "FOW-DEC-17", "FOW-AIR-08")
    shape = lay_template(target.centre, heading)  # FOW-AIR-09
    table.emit(AircraftRangedIn(side, target_id, attempt, shape if attempt else ()))
    if attempt == 0:
        table.emit(StrikeEnded(side, reason="not_ranged_in"))
        return
    flight = table.battle.companies[side].aircraft

    def hits_on(_: str, teams: int) -> int:
        return int(run(table, side, "air_hits", to_hit=weapon.to_hit, aircraft=flight, failed_attempts=attempt - 1, targets=teams).hits)

    facing = "top" if weapon.weapon_class in ("bomb", "rocket") else "side"  # FOW-AIR-13, chart armour_facing
    hits = strike(table, shape, attack="air", anti_tank=weapon.anti_tank, firepower=weapon.firepower, facing=facing, hits_on=hits_on)
    table.emit(StrikeEnded(side, hits, shape))


def _weapon(table: Table[Battle], side: str) -> AirWeapon:
    """Which of its weapons the flight uses (FOW-DEC-17)."""
    aircraft = table.battle.scenario.side(side).force.aircraft
    assert aircraft is not None
    if len(aircraft.weapons) == 1:
        return aircraft.weapons[0]
    options = tuple(
        Option(str(number), say("option.air_weapon", weapon=weapon.weapon_class, anti_tank=weapon.anti_tank, firepower=weapon.firepower))
        for number, weapon in enumerate(aircraft.weapons)
    )
    chosen = table.ask(PickOne(player=side, decision="FOW-DEC-17", prompt=say("ask.air_weapon"), options=options, default="0"))
    return aircraft.weapons[int(chosen)]


# -- anti-aircraft fire -------------------------------------------------------------------------------------------


def anti_aircraft_teams(battle: Battle, side: str, bases: list[Polygon]) -> list[tuple[Team, Weapon]]:
    """The teams of a side that can fire at aircraft there (FOW-AA-01 to -03, FOW-REC-10, FOW-RULING-48)."""
    found = []
    for team in battle.side_teams(side):
        if not team.operational or battle.unit_of(team).disengaged:
            continue
        for weapon in team.profile.weapons:
            if weapon.aa_class is not None and weapon.range_in is not None:
                nearest = min(bases, key=lambda base: distance(team.base, base))
                in_range = within(distance(team.base, nearest), weapon.range_in * INCH)
                if in_range and not _masked(battle, team, nearest):
                    found.append((team, weapon))
                    break
    return found


def _masked(battle: Battle, team: Team, aircraft: Polygon) -> bool:
    """Tall obstacles (trees, houses) within 4 inches in the direction of fire (FOW-AA-03)."""
    gun, plane = nearest_points(team.base, aircraft)
    near = far("aa_obstacle")
    for piece in battle.ground.pieces:
        tall = piece.kind in ("wood", "tall_hedge") or (piece.form == "building" and piece.id != team.building)
        if not tall or boxes_apart(piece.box, _around(box_of(team.base), near)):
            continue
        if within(distance(team.base, piece.outline), near) and pierces(gun, plane, piece.outline):
            return True
    return False


def _around(box: tuple[float, float, float, float], far_off: int) -> tuple[float, float, float, float]:
    return box[0] - far_off, box[1] - far_off, box[2] + far_off, box[3] + far_off


def _anti_aircraft(table: Table[Battle], target_id: str, heading: int) -> None:
    """The enemy's anti-aircraft teams fire, those he wants to (FOW-DEC-18)."""
    battle = table.battle
    side, enemy = battle.active, other(battle.active)
    flight = battle.companies[side].aircraft
    aircraft = battle.scenario.side(side).force.aircraft
    assert aircraft is not None
    _, places = placing(battle, side, battle.teams[target_id], flight)
    found = anti_aircraft_teams(battle, enemy, aircraft_bases(places, heading))
    if not found:
        return
    ids = [team.id for team, _ in found]
    firing = table.ask(
        PickSeveral(
            player=enemy,
            decision="FOW-DEC-18",
            prompt=say("ask.anti_aircraft", aircraft=flight),
            options=tuple(Option(team.id, say("option.team", team=team.id, name=team.profile.name), units=(team.id,)) for team, _ in found),
            default=ids,
        )
    )
    for team, weapon in found:
        left = table.battle.companies[side].aircraft
        if team.id not in firing or left == 0:
            continue
        platoon = battle.unit_of(team)
        fired = run(
            table,
            enemy,
            "aa_fire",
            skill=platoon.skill,
            rof=1 if platoon.pinned and not team.profile.armoured else weapon.rof,
            firepower=weapon.firepower,
            aircraft=left,
            aa_class=weapon.aa_class,
            flying_tank=aircraft.flying_tank,
        )
        table.emit(AntiAircraftFire(team.id, fired.destroyed, fired.aircraft_left))
