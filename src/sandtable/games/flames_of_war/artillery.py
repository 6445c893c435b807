"""Bombardments: who may fire, who spots, where the template lies, ranging in, hits, rockets and smoke.

Only in the shooting step, never as defensive fire (FOW-ART-04); the battery need not see, and fires over everybody (FOW-ART-10).
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.field.shapes import (
    Point,
    Polygon,
    Pose,
    bearing,
    bounds,
    boxes_apart,
    distance,
    front_middle,
    in_half_circle,
    overlap,
    pierces,
    place,
    span,
    template,
    touches,
)
from sandtable.field.terrain import Piece
from sandtable.games.flames_of_war.battle import INCH, Acted, Battle, PhaseBegan, Platoon, Smoke, Team, Turned
from sandtable.games.flames_of_war.command import far
from sandtable.games.flames_of_war.damage import all_armoured
from sandtable.games.flames_of_war.kept import kept
from sandtable.games.flames_of_war.procedures._charts import CHARTS
from sandtable.games.flames_of_war.procedures.artillery import RangeIn, ranging_score, wind_degrees
from sandtable.games.flames_of_war.procedures.shooting import Concealment, concealment
from sandtable.games.flames_of_war.procedures.tests import NEVER
from sandtable.games.flames_of_war.profile import Weapon
from sandtable.games.flames_of_war.rolling import run
from sandtable.games.flames_of_war.templates import TEMPLATE, lay_template, strike, teams_under
from sandtable.kernel.decisions import Option, PickOne, Refusal
from sandtable.kernel.dice import Scripted
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import Message, say
from sandtable.kernel.table import Table

ATTEMPTS = 3


class RangingIn(Event, frozen=True):
    """A battery tried to range in on a team: at which attempt it did, 0 if not at all."""

    battery: str
    target: str
    spotter: str
    attempt: int
    template: tuple[tuple[int, int], ...] = ()
    """Where the template lies from now on."""

    def says(self) -> Message:
        said = super().says()
        return said if self.attempt else say("event.ranging_in_failed", **said.arguments)

    def apply(self, battle: Battle) -> Battle:
        return battle

    def units(self) -> tuple[str, ...]:
        return (self.target, self.spotter)

    def outlines(self) -> tuple[Polygon, ...]:
        return (self.template,) if self.template else ()


class BombardmentFired(Event, frozen=True):
    """A battery has bombarded (or failed to range in): its guns have shot, its spotter has spent his turn (FOW-ART-07, -12)."""

    battery: str
    guns: tuple[str, ...]
    spotter: str
    centre: tuple[int, int]
    heading: int
    template: tuple[tuple[int, int], ...] = ()
    hits: int = 0
    kept: bool = False
    """The aiming point is kept for a repeat bombardment (FOW-ART-15)."""
    rockets: bool = False

    def apply(self, battle: Battle) -> Battle:
        battle = battle.with_teams(self.guns, shot=True)
        if self.spotter:
            battle = battle.with_team(self.spotter, busy=True)
        point = (self.centre, self.heading) if self.kept else None
        return battle.with_platoon(self.battery, bombarded=True, aiming_point=point, trail=self.rockets)

    def units(self) -> tuple[str, ...]:
        return self.guns

    def outlines(self) -> tuple[Polygon, ...]:
        return (self.template,) if self.template else ()


class SmokeScreen(Event, frozen=True):
    """A smoke screen is laid; it blocks sight until its owner's next turn (FOW-SMK-06)."""

    side: str
    shapes: tuple[Polygon, ...]
    wind: int | None = None

    def apply(self, battle: Battle) -> Battle:
        laid = tuple(Smoke(f"smoke_{battle.counter + i}", self.side, shape) for i, shape in enumerate(self.shapes))
        return replace(battle, smoke=battle.smoke + laid, counter=battle.counter + len(laid))


EVENTS: tuple[type[Event], ...] = (RangingIn, BombardmentFired, SmokeScreen)


# -- who may bombard ----------------------------------------------------------------------------------------------


def bombarding_weapon(team: Team, *, smoke: bool = False) -> Weapon | None:
    """The weapon a team bombards with (FOW-ART-01 to -03, FOW-SMK-01, FOW-RULING-36: the profile decides)."""
    for weapon in team.profile.weapons:
        if weapon.bombardment is not None and (weapon.smoke_bombardment or not smoke):
            return weapon
    return None


def bombardment_refusal(battle: Battle, platoon: Platoon, *, smoke: bool = False) -> Refusal | None:
    """Why a platoon may not bombard now, or None."""
    guns = [team for team in battle.members(platoon.id) if bombarding_weapon(team, smoke=smoke) is not None]
    if not guns:
        return Refusal("FOW-SMK-01" if smoke else "FOW-ART-01", say("refused.no_artillery"))
    if platoon.bombarded or any(team.shot for team in guns):
        return Refusal("FOW-ART-07", say("refused.has_fired"))
    if platoon.at_the_double:
        return Refusal("FOW-DBL-07", say("refused.double_no_shooting"))
    if platoon.reorganising:
        return Refusal("FOW-REC-11", say("refused.reorganising"))
    if any(team.moved for team in guns):
        return Refusal("FOW-ART-05", say("refused.battery_moved"))
    if platoon.pinned and not all_armoured(battle, platoon.id):
        return Refusal("FOW-ART-06", say("refused.battery_pinned"))
    if not any(_ready(team) for team in guns):
        return Refusal("FOW-BAIL-01", say("refused.no_gun_ready"))
    return None


def _ready(team: Team) -> bool:
    return team.on_table and team.operational and not team.done_shooting


def firing_guns(battle: Battle, platoon: Platoon, aim: Point, spotter: str = "", *, smoke: bool = False) -> list[Team]:
    """The guns that reach a point: range from the muzzle, minimum, arc, nothing tall too close (FOW-ART-09, -11, FOW-RULING-77)."""
    return [
        team
        for team in battle.members(platoon.id)
        if team.id != spotter
        and _ready(team)
        and (weapon := bombarding_weapon(team, smoke=smoke)) is not None
        and _reaches(battle, team, weapon, aim)
    ]


def _reaches(battle: Battle, team: Team, weapon: Weapon, aim: Point) -> bool:
    assert team.pose is not None
    assert weapon.bombardment is not None
    muzzle = front_middle(team.pose, team.profile.width, team.profile.depth)
    reach = span(muzzle, aim)
    if not far("artillery_minimum") <= reach <= weapon.bombardment.range_in * INCH:
        return False
    if not weapon.all_round and not in_half_circle(team.pose, aim) and not _turns(battle, team, aim):
        return False
    return "mortar" in team.profile.traits or _clear_above(battle, team, muzzle, aim)


def _clear_above(battle: Battle, team: Team, muzzle: Point, aim: Point) -> bool:
    """Not over a wood closer than 4 inches, nor over a building closer than it is high (FOW-ART-11)."""
    return not any(pierces(muzzle, aim, piece.outline) for piece in _tall_near(battle, team.id))


@kept
def _tall_near(battle: Battle, gun_id: str) -> list[Piece]:
    """The woods and buildings too close to a gun to fire over."""
    team = battle.teams[gun_id]
    around = bounds(team.base)
    found = []
    for piece in battle.ground.pieces:
        if piece.kind == "wood":
            near = far("artillery_wood_clearance")
        elif piece.form == "building" and piece.id != team.building:
            near = piece.height * INCH  # one level is one inch (FOW-RULING-11)
        else:
            continue
        left, low, right, high = piece.box
        if boxes_apart((left - near, low - near, right + near, high + near), around):
            continue
        if distance(team.base, piece.outline) < near:
            found.append(piece)
    return found


def spotters(battle: Battle, platoon: Platoon) -> list[Team]:
    """Who may direct a battery's fire: its observer, one of its teams, the company command (FOW-ART-12, FOW-OBS-01, -03, -05, -06)."""
    found = []
    for team in battle.teams.values():
        if team.side != platoon.side or team.fate or team.pose is None or team.moved or team.done_shooting or team.bailed_out:
            continue
        if team.towed_by or team.bogged:
            continue
        if team.mounted_in:
            carrier = battle.teams[team.mounted_in]
            if "observer" not in team.profile.traits or carrier.bogged or carrier.bailed_out or carrier.moved or carrier.shot:
                continue
        own = team.platoon == platoon.id
        observer = "observer" in team.profile.traits and _observes_for(battle, team, platoon)
        command = any(trait in team.profile.traits for trait in ("company_commander", "second_in_command"))
        if own or observer or command:
            found.append(team)
    return sorted(found, key=lambda team: ("observer" not in team.profile.traits, team.platoon != platoon.id, team.id))


def _observes_for(battle: Battle, observer: Team, platoon: Platoon) -> bool:
    """An observer serves his own battery; with staff, other batteries that have staff too (FOW-OBS-01, -03)."""
    home = battle.platoons[observer.platoon].parent or observer.platoon
    if home == platoon.id:
        return True
    return home in battle.platoons and battle.platoons[home].has_staff and platoon.has_staff


# -- aiming -------------------------------------------------------------------------------------------------------


class Reach:
    """A platoon that a battery may aim at: which of its teams the guns may reach, and by which guns. For all its spotters."""

    def __init__(self, battle: Battle, platoon: Platoon, target: Platoon, smoke: bool = False) -> None:
        self.battle, self.platoon, self.target, self.smoke = battle, platoon, target, smoke
        self.teams = battle.standing(target.id)
        self.near = [team for team in self.teams if in_range(battle, platoon, team)]
        self._guns: dict[str, list[Team]] = {}
        self._counts: dict[tuple[str, str, bool], int] = {}

    def guns(self, team: Team, spotter: str) -> list[Team]:
        """The guns that reach a team; the spotter does not fire."""
        found = self._guns.get(team.id)
        if found is None:
            found = self._guns[team.id] = firing_guns(self.battle, self.platoon, team.centre, smoke=self.smoke)
        return [gun for gun in found if gun.id != spotter]

    def covered(self, team: Team, guns: list[Team]) -> int:
        """How many of the platoon a template laid on a team covers."""
        key = (team.id, guns[0].id, double_width(guns))
        found = self._counts.get(key)
        if found is None:
            shape = lay_template(team.centre, bearing(guns[0].centre, team.centre), double=key[2])
            box = bounds(shape)
            found = sum(not boxes_apart(one.box, box) and overlap(one.base, shape) for one in self.teams)
            self._counts[key] = found
        return found


def aimed_teams(reach: Reach, spotter: Team) -> list[Team]:
    """Who may be aimed at: seen by the spotter (FOW-RULING-59), in reach, covering most (FOW-ART-08, FOW-RULING-77)."""
    from sandtable.games.flames_of_war.sight import visible

    battle, trail = reach.battle, reach.target.trail
    seen = reach.near if trail else [team for team in reach.near if visible(battle, spotter, team)]
    reached = [(team, guns) for team in seen if (guns := reach.guns(team, spotter.id))]
    if trail and any(visible(battle, spotter, team) for team, _ in reached):  # by the smoke trails of rockets only if unseen (FOW-RKT-03)
        reached = [(team, guns) for team, guns in reached if visible(battle, spotter, team)]
    if len(reached) < 2:
        return [team for team, _ in reached]
    covered = [(reach.covered(team, guns), team) for team, guns in reached]
    most = max(count for count, _ in covered)
    return [team for count, team in covered if count == most]


def in_range(battle: Battle, platoon: Platoon, team: Team) -> bool:
    """A first look: whether some gun of a battery may reach a team, wherever its muzzle is."""
    x, y = team.centre
    return any((gx - x) * (gx - x) + (gy - y) * (gy - y) <= square for gx, gy, square in _reaches_of(battle, platoon.id))


@kept
def _reaches_of(battle: Battle, platoon_id: str) -> list[tuple[int, int, float]]:
    """Where the guns of a battery are, and how far each may reach at most, squared."""
    found = []
    for gun in battle.members(platoon_id):
        weapon = bombarding_weapon(gun)
        if weapon is not None and weapon.bombardment is not None and gun.pose is not None:
            reach = weapon.bombardment.range_in * INCH + 7 * INCH
            found.append((gun.pose.x, gun.pose.y, reach * reach))
    return found


def double_width(guns: list[Team]) -> bool:
    """Six or more rocket launchers use a template of double width (FOW-RKT-02)."""
    return len(guns) >= 6 and fires_rockets(guns)


def fires_rockets(guns: list[Team]) -> bool:
    return all((weapon := bombarding_weapon(gun)) is not None and weapon.rocket for gun in guns)


@kept
def aims(battle: Battle, platoon: Platoon, *, smoke: bool = False) -> list[tuple[Team, Team, bool]]:
    """Every (spotter, aimed team, by trail only) that a battery may bombard: the best spotter for each team."""
    from sandtable.games.flames_of_war.sight import visible

    found: list[tuple[Team, Team, bool]] = []
    able = spotters(battle, platoon)
    for target in battle.side_platoons(other(platoon.side)):
        taken: set[str] = set()
        reach = Reach(battle, platoon, target, smoke)
        if not reach.near:
            continue
        for spotter in able:
            aimed = aimed_teams(reach, spotter)
            for team in aimed:
                if team.id not in taken:
                    taken.add(team.id)
                    found.append((spotter, team, not visible(battle, spotter, team)))
            if len(aimed) == len(reach.teams):
                break  # nobody can do better
    return found


# -- the order ----------------------------------------------------------------------------------------------------


def _aim_options(battle: Battle, found: list[tuple[Team, Team, bool]]) -> list[Option]:
    return [
        Option(
            f"{spotter.id}>{team.id}",
            say(
                "option.bombard",
                target=team.profile.name,
                team=team.id,
                platoon=battle.unit_of(team).name,
                spotter=spotter.profile.name,
            ),
            units=(spotter.id, team.id),
        )
        for spotter, team, _ in found
    ]


def bombardment_order(table: Table[Battle], platoon_id: str) -> bool:
    """A battery bombards: who spots and at whom is asked (FOW-DEC-10). False if the player thinks better of it."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    found = aims(battle, platoon)
    options = _aim_options(battle, found)
    if platoon.has_staff and platoon.aiming_point is not None and firing_guns(battle, platoon, platoon.aiming_point[0]):
        options.insert(0, Option("repeat", say("option.repeat")))  # FOW-ART-15
    if not options:
        return False
    options.append(Option("hold", say("option.hold")))
    chosen = table.ask(
        PickOne(
            player=platoon.side,
            decision="FOW-DEC-10",
            prompt=say("ask.bombard", platoon=platoon.name),
            unit=platoon_id,
            options=tuple(options),
            default=options[0].id,
        )
    )
    if chosen == "hold":
        return False
    if chosen == "repeat":
        assert platoon.aiming_point is not None
        point, heading = platoon.aiming_point
        _fire(table, platoon, "", point, heading, failed=0)
        return True
    spotter_id, aimed_id = chosen.split(">")
    by_trail = next(trail for spotter, team, trail in found if (spotter.id, team.id) == (spotter_id, aimed_id))
    bombard(table, platoon_id, spotter_id, aimed_id, by_trail=by_trail)
    return True


def bombard(table: Table[Battle], platoon_id: str, spotter_id: str, aimed_id: str, *, by_trail: bool = False) -> None:
    """Range in on a team and, if that succeeds, bombard."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    aim = battle.teams[aimed_id].centre
    guns = firing_guns(battle, platoon, aim, spotter_id)
    heading = bearing(guns[0].centre, aim)
    attempt = _range_in(table, platoon, spotter_id, aimed_id, by_trail=by_trail)
    shape = lay_template(aim, heading, double=double_width(guns))
    table.emit(RangingIn(platoon_id, aimed_id, spotter_id, attempt, shape if attempt else ()))
    if attempt == 0:
        table.emit(BombardmentFired(platoon_id, tuple(gun.id for gun in guns), spotter_id, aim, heading))
        return
    if attempt > 1:
        _recon_escapes(table, shape, attempt)  # FOW-REC-06, FOW-DEC-16
    _fire(table, platoon, spotter_id, aim, heading, failed=attempt - 1)


def _range_in(table: Table[Battle], platoon: Platoon, spotter_id: str, aimed_id: str, *, by_trail: bool) -> int:
    """Up to three attempts; after a failed one the player may stop (FOW-ART-13, -14, FOW-DEC-15). Gives the attempt, 0 if none."""
    battle = table.battle
    facts = ranging_facts(battle, battle.teams[spotter_id], battle.teams[aimed_id], by_trail=by_trail)
    return attempts(table, platoon.side, facts, "FOW-DEC-15", "FOW-ART-13")


def ranging_facts(battle: Battle, spotter: Team, aimed: Team, *, by_trail: bool) -> RangeIn:
    """What makes it easy or hard to range in on a team (FOW-ART-14)."""
    concealed, gone = seen_from(battle, spotter, aimed)
    return RangeIn(
        target_skill=battle.unit_of(aimed).skill,  # type: ignore[arg-type]
        concealed=concealed,
        gone_to_ground=gone,
        company_commander_spotting=spotter.profile.commander,
        smoke_trail_only=by_trail,
    )


def attempts(table: Table[Battle], side: str, facts: RangeIn, decision: str, rule: str) -> int:
    """The attempts to range in, one after another, as long as the player wants to."""
    score = ranging_score(facts)
    if score.needed >= NEVER:
        table.dice(side).note("note.never", "FOW-RULING-28", needed=score.needed, dice=ATTEMPTS)
        return 0
    for attempt in range(1, ATTEMPTS + 1):
        if table.dice(side).test("roll.range_in", at_least=score, rule=rule):
            return attempt
        if attempt < ATTEMPTS:
            options = (Option("again", say("option.range_again")), Option("stop", say("option.stop")))
            prompt = say("ask.range_again", attempt=attempt, needed=score.needed)
            if table.ask(PickOne(player=side, decision=decision, prompt=prompt, options=options, default="again")) == "stop":
                return 0
    return 0


def seen_from(battle: Battle, viewer: Team | None, target: Team) -> tuple[bool, bool]:
    """Whether a target is concealed and gone to ground: from a spotter, or (None) from above, where only what it stands in hides it."""
    from sandtable.games.flames_of_war.sight import concealed

    if viewer is not None:
        found = concealed(battle, viewer, target)
        return found.concealed, found.gone_to_ground
    profile = target.profile
    found = concealment(
        Concealment(
            kind=profile.concealment_kind,  # type: ignore[arg-type]
            moved=target.moved and not (target.dug_in or target.digging),  # FOW-RULING-14
            at_the_double=battle.platoons[target.platoon].at_the_double,
            shot=target.shot,
            assaulted=target.assaulted,
            recon="recon" in profile.traits,
            observer="observer" in profile.traits,
            in_concealing_terrain=any(
                piece.kind in ("wood", "field_crops") and not boxes_apart(piece.box, target.box) and touches(piece.outline, target.base)
                for piece in battle.ground.pieces
            ),
            in_building=bool(target.building),
            dug_in=target.dug_in,
            in_smoke=any(overlap(smoke.shape, target.base) for smoke in battle.smoke),
            spotted=target.spotted,
        ),
        Scripted(()),
    )
    return found.concealed, found.gone_to_ground


def _recon_escapes(table: Table[Battle], shape: Polygon, attempt: int) -> None:
    """Recon platoons under the template may disengage before the hits (FOW-REC-06, FOW-RULING-79)."""
    for platoon_id, teams in teams_under(table.battle, shape).items():
        if any("recon" in team.profile.traits for team in teams):
            from sandtable.games.flames_of_war.recon import offer_disengage

            offer_disengage(table, platoon_id, "artillery", ranged_in_attempt=attempt)


def _fire(table: Table[Battle], platoon: Platoon, spotter_id: str, aim: Point, heading: int, *, failed: int) -> None:
    battle = table.battle
    guns = firing_guns(battle, platoon, aim, spotter_id)
    guns = _turn_to(table, guns, aim)
    weapon = bombarding_weapon(guns[0])
    assert weapon is not None
    assert weapon.bombardment is not None
    rockets = fires_rockets(guns)
    shape = lay_template(aim, heading, double=double_width(guns))

    def hits_on(_: str, teams: int) -> int:
        rolled = run(
            table,
            platoon.side,
            "template_hits",
            skill=platoon.skill,
            guns=len(guns),
            failed_attempts=failed,
            targets=teams,
            weapon="rocket" if rockets else "gun",
        )
        return int(rolled.hits)

    hits = strike(
        table,
        shape,
        attack="artillery",
        anti_tank=weapon.bombardment.anti_tank,
        firepower=weapon.bombardment.firepower,
        facing="top",  # FOW-ART-22
        hits_on=hits_on,
    )
    ids = tuple(gun.id for gun in guns)
    table.emit(BombardmentFired(platoon.id, ids, spotter_id, aim, heading, shape, hits, kept=platoon.has_staff, rockets=rockets))


def _turns(battle: Battle, gun: Team, aim: Point) -> bool:
    """In the open, and with room for it, a gun may turn on the spot before the battery fires (FOW-ART-05, FOW-ARC-04, FOW-RULING-71)."""
    from sandtable.games.flames_of_war.sight import room_to_turn

    return not gun.building and (_room_all_round(battle, gun.id) or room_to_turn(battle, gun, bearing(gun.centre, aim)))


@kept
def _room_all_round(battle: Battle, gun_id: str) -> bool:
    """Whether nothing is so near to a gun that it could be in its way, whichever way it turns."""
    gun = battle.teams[gun_id]
    x, y = gun.centre
    around = template(gun.centre, 0, gun.profile.width + gun.profile.depth, gun.profile.width + gun.profile.depth)
    if not battle.ground.within_table(around):
        return False
    reach = (gun.profile.width + gun.profile.depth) / 2 + 5 * INCH
    if any(one.id != gun_id and overlap(one.base, around) for one in battle.standing_near(x - reach, y - reach, x + reach, y + reach)):
        return False
    box = bounds(around)
    return all(piece.form != "building" or boxes_apart(piece.box, box) for piece in battle.ground.pieces)


def _turn_to(table: Table[Battle], guns: list[Team], aim: Point) -> list[Team]:
    """The battery turns on the spot towards its target; that is not movement for a bombardment (FOW-ART-05, FOW-RULING-71).

    Gives the guns that fire: not one that its turned neighbours leave no room to turn (FOW-ARC-04).
    """
    firing = []
    for gun in guns:
        weapon = bombarding_weapon(gun)
        assert gun.pose is not None
        if weapon is not None and not weapon.all_round and not in_half_circle(gun.pose, aim):
            if not _turns(table.battle, gun, aim):
                continue
            table.emit(Turned(gun.id, bearing(gun.centre, aim)))
        firing.append(gun)
    return firing


# -- smoke --------------------------------------------------------------------------------------------------------


def smoke_step(table: Table[Battle]) -> None:
    """Smoke comes before all other shooting (FOW-SMK-02): one battery a step, until the player has enough."""
    battle = table.battle
    side = battle.active
    options: list[Option] = []
    for platoon in battle.side_platoons(side):
        if platoon.acted or bombardment_refusal(battle, platoon, smoke=True) is not None:
            continue
        for spotter, team, trail in aims(battle, platoon, smoke=True):
            if len(firing_guns(battle, platoon, team.centre, spotter.id, smoke=True)) >= 2:  # FOW-RULING-49
                label = say("option.smoke", platoon=platoon.name, target=team.profile.name, team=team.id)
                options.append(Option(f"{platoon.id}>{spotter.id}>{team.id}>{int(trail)}", label, units=(team.id,)))
    chosen = "none"
    if options:
        options.append(Option("none", say("option.no_smoke")))
        prompt = say("ask.smoke")
        chosen = table.ask(PickOne(player=side, decision="FOW-DEC-10", prompt=prompt, options=tuple(options), default="none"))
    if chosen == "none":
        table.emit(PhaseBegan("shooting"))
        return
    platoon_id, spotter_id, aimed_id, trail_word = chosen.split(">")
    lay_smoke(table, platoon_id, spotter_id, aimed_id, by_trail=trail_word == "1")
    table.emit(Acted(platoon_id))


def lay_smoke(table: Table[Battle], platoon_id: str, spotter_id: str, aimed_id: str, *, by_trail: bool = False) -> None:
    """A smoke bombardment: ranged in like any other, never repeated (FOW-SMK-02, -03), its screen grows with the wind (FOW-SMK-04, -05)."""
    battle = table.battle
    platoon = battle.platoons[platoon_id]
    aim = battle.teams[aimed_id].centre
    guns = firing_guns(battle, platoon, aim, spotter_id, smoke=True)
    heading = bearing(guns[0].centre, aim)
    attempt = _range_in(table, platoon, spotter_id, aimed_id, by_trail=by_trail)
    table.emit(RangingIn(platoon_id, aimed_id, spotter_id, attempt))
    ids = tuple(gun.id for gun in guns)
    if attempt:
        guns = _turn_to(table, guns, aim)
        templates = CHARTS["smoke_templates"].at(len(guns))["templates"]
        wind = wind_degrees(table.dice(platoon.side).roll(6, "roll.wind", rule="FOW-RULING-33")) if templates >= 2 else None
        table.emit(SmokeScreen(platoon.side, smoke_shapes(aim, heading, templates, wind), wind))
    table.emit(BombardmentFired(platoon_id, ids, spotter_id, aim, heading))


def smoke_shapes(aim: Point, heading: int, templates: int, wind: int | None) -> tuple[Polygon, ...]:
    """The templates of a screen: the first on the aim, the others edge to edge down the wind (FOW-RULING-33, -34)."""
    along = heading if wind is None else wind
    first = template(aim, along, TEMPLATE, TEMPLATE)
    shapes = [first]
    downwind = place(Pose(aim[0], aim[1], along), 0, TEMPLATE)
    for number in range(1, templates):
        centre = (aim[0] + number * (downwind[0] - aim[0]), aim[1] + number * (downwind[1] - aim[1]))
        shapes.append(template(centre, along, TEMPLATE, TEMPLATE))
    return tuple(shapes[:templates])
