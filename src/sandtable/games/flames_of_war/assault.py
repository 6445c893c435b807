"""The assault step: one platoon charges another; eleven steps, counter-attacks and break-throughs (FOW-RULING-75)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.field.shapes import Pose, distance, overlap, pierces, rectangle, within
from sandtable.games.flames_of_war.battle import INCH, Acted, Battle, Moved, PhaseBegan, Platoon, Team
from sandtable.games.flames_of_war.command import close, far, leaderless, may_join_it, motivation_facts, offer_join
from sandtable.games.flames_of_war.damage import all_armoured, apply_result, destroy, pin
from sandtable.games.flames_of_war.meeting import Mode
from sandtable.games.flames_of_war.procedures.assault import may, melee_save
from sandtable.games.flames_of_war.procedures.tests import each_passes, skill_score
from sandtable.games.flames_of_war.rolling import run
from sandtable.kernel.decisions import Check, Option, PickOne, PickRoute, PickSeveral, Refusal, Route
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Event, other
from sandtable.kernel.messages import say
from sandtable.kernel.table import Table


class AssaultDeclared(Event, frozen=True):
    """A platoon assaults another; `result` allowed, or refused by a failed motivation test (FOW-ASLT-02)."""

    platoon: str
    target: str
    result: str

    def apply(self, battle: Battle) -> Battle:
        platoon, target = battle.platoons[self.platoon], battle.platoons[self.target]
        if self.result != "allowed":
            return battle
        battle = battle.with_platoon(self.platoon, fought=(*platoon.fought, self.target))
        return battle.with_platoon(self.target, fought=(*target.fought, self.platoon))


class AssaultStopped(Event, frozen=True):
    """The assault comes to nothing: repulsed by fire (FOW-ASLT-09), out of reach, or the target got away (FOW-REC-09)."""

    platoon: str
    target: str
    reason: str

    def apply(self, battle: Battle) -> Battle:
        return battle


class Struck(Event, frozen=True):
    """One side's blows in a melee (FOW-ASLT-10)."""

    platoon: str
    target: str
    teams: int
    hits: int

    def apply(self, battle: Battle) -> Battle:
        return battle


class Reacted(Event, frozen=True):
    """The side that was struck counter-attacks or breaks off (FOW-ASLT-16)."""

    platoon: str
    action: str

    def apply(self, battle: Battle) -> Battle:
        return battle


class AssaultWon(Event, frozen=True):
    platoon: str
    loser: str

    def apply(self, battle: Battle) -> Battle:
        return battle


EVENTS: tuple[type[Event], ...] = (AssaultDeclared, AssaultStopped, Struck, Reacted, AssaultWon)


# -- who may assault whom -----------------------------------------------------------------------------------------


def team_class(team: Team) -> str:
    """The row of the chart `assault_actions`: cavalry acts as infantry, unarmoured vehicles as transports."""
    profile = team.profile
    if profile.team_type == "cavalry":
        return "infantry"
    if profile.team_type == "tank" and not profile.armoured:
        return "transport"
    return profile.team_type


def _can(team: Team, action: str) -> bool:
    """Whether a team may do something in an assault: able, not carried, and of a kind that does (FOW-RULING-75)."""
    return team.on_table and team.operational and may(team_class(team), action)


def chargers(battle: Battle, platoon: Platoon, action: str = "charge") -> list[Team]:
    return [team for team in battle.members(platoon.id) if _can(team, action) and not (team.busy and action == "charge")]


def operational(battle: Battle, platoon_id: str) -> list[Team]:
    return [team for team in battle.standing(platoon_id) if team.operational]


def assault_refusal(battle: Battle, platoon: Platoon) -> Refusal | None:
    """Why a platoon may not assault at all (FOW-DBL-08, FOW-RULING-57, -73, -75)."""
    if platoon.at_the_double:
        return Refusal("FOW-DBL-08", say("refused.double_no_assault"))
    if platoon.pinned and not all_armoured(battle, platoon.id):
        return Refusal("FOW-RULING-57", say("refused.pinned_no_assault"))
    if leaderless(battle, platoon):
        return Refusal("FOW-RULING-73", say("refused.leaderless_no_assault"))
    if not chargers(battle, platoon):
        return Refusal("FOW-ASLT-01", say("refused.nobody_charges"))
    return None


def targets(battle: Battle, platoon: Platoon) -> list[Platoon]:
    """The platoons it may assault: near enough at the end of the movement step, with somebody left (FOW-ASLT-01, -04)."""
    found = []
    for id in platoon.assault_reach:
        target = battle.platoons[id]
        if not target.destroyed and battle.standing(id) and not target.left_table:
            found.append(target)
    return found


def target_is_tanks(battle: Battle, attackers: list[Team], target: str) -> bool:
    """At least one operational armoured vehicle within charge reach (FOW-RULING-21)."""
    tanks = [team for team in operational(battle, target) if team.profile.armoured and team.profile.vehicle]
    return any(close(one, two, charge_reach(one)) for one in attackers for two in tanks)


def charge_reach(team: Team) -> int:
    return far("cavalry_assault_move" if team.profile.team_type == "cavalry" else "assault_move")


# -- the step -----------------------------------------------------------------------------------------------------


def assault_step(table: Table[Battle]) -> None:
    """One assault, or the end of the step (FOW-DEC-20)."""
    battle = table.battle
    side = battle.active
    options: list[Option] = []
    for platoon in battle.side_platoons(side):
        if platoon.acted or not platoon.assault_reach or any(battle.teams[id].joined for id in platoon.teams):
            continue
        refusal = assault_refusal(battle, platoon)
        for target in targets(battle, platoon):
            label = say("option.assault", platoon=platoon.name, target=target.name)
            options.append(Option(f"{platoon.id}>{target.id}", label, refusal, (*platoon.teams, *target.teams)))
    chosen = "done"
    if any(option.refusal is None for option in options):
        options.append(Option("done", say("option.no_assault")))
        prompt = say("ask.assault")
        chosen = table.ask(PickOne(player=side, decision="FOW-DEC-20", prompt=prompt, options=tuple(options), default="done"))
    if chosen == "done":
        table.emit(PhaseBegan("assault_end"))
        return
    attacker, target_id = chosen.split(">")
    _commanders_join(table, attacker)
    assault(table, attacker, target_id)
    table.emit(Acted(attacker))


def _commanders_join(table: Table[Battle], platoon_id: str) -> None:
    """A commander in reach may lead the assault (FOW-IND-02 to -04)."""
    battle = table.battle
    for team in battle.side_teams(battle.platoons[platoon_id].side):
        if team.profile.commander and team.operational and may_join_it(battle, team, battle.platoons[platoon_id]):
            offer_join(table, team.id, platoons=[platoon_id])


def assault(table: Table[Battle], attacker: str, target: str, *, breakthrough: bool = False) -> None:
    """Steps 1 to 11. A breakthrough begins at step 2."""
    battle = table.battle
    if not breakthrough and not _declare(table, attacker, target):
        return
    if breakthrough:
        table.emit(AssaultDeclared(attacker, target, "allowed"))
    start = {team.id: team.pose for team in battle.standing(attacker)}
    charge(table, attacker, target, "consolidate" if breakthrough else "charge")  # step 2
    got_away, fired = defensive_fire(table, attacker, target)  # step 3
    if got_away:
        table.emit(AssaultStopped(attacker, target, "disengaged"))
        return
    if fired >= PINNING and not all_armoured(table.battle, attacker):
        _go_back(table, attacker, start)
        pin(table, attacker)
        table.emit(AssaultStopped(attacker, target, "repulsed"))  # FOW-ASLT-09
        return
    if not fighters(table.battle, attacker, target):
        table.emit(AssaultStopped(attacker, target, "out_of_reach"))  # FOW-RULING-75
        return
    melee(table, attacker, target, fired)


def _declare(table: Table[Battle], attacker: str, target: str) -> bool:
    """Step 1: against tanks the platoon must pass a motivation test (FOW-ASLT-01, -02)."""
    battle = table.battle
    platoon = battle.platoons[attacker]
    teams = chargers(battle, platoon)
    cavalry = all(team.profile.team_type == "cavalry" for team in teams)
    kind = "cavalry" if cavalry else "tank" if all(team.profile.vehicle for team in teams) else "infantry"
    facts = motivation_facts(battle, platoon)
    declared = run(
        table,
        platoon.side,
        "assault_declare",
        kind=kind,
        distance_in=0.0,  # judged by the distance at the end of the movement step: `Platoon.assault_reach`
        motivation=platoon.motivation,
        target_is_tanks=target_is_tanks(battle, teams, target),
        commander_joined=facts["commander_joined"] and not facts["commander_bailed_out"],
        pinned=platoon.pinned,
        at_the_double=platoon.at_the_double,
        armoured=all_armoured(battle, attacker),
    )
    table.emit(AssaultDeclared(attacker, target, declared.result))
    return bool(declared.result == "allowed")


# -- step 2: the charge -------------------------------------------------------------------------------------------


def charge(table: Table[Battle], striker: str, target: str, mode: Mode) -> None:
    """The nearest team first, into contact, so as to tie up as many enemies as possible; the rest follow (FOW-ASLT-03)."""
    from sandtable.games.flames_of_war.movement import carry_out, contact_route, furthest_towards, plan_route

    action = "counterattack" if mode == "counterattack" else "charge"
    waiting = [team.id for team in chargers(table.battle, table.battle.platoons[striker], action)]
    while waiting:
        battle = table.battle
        foes = battle.standing(target)
        if not foes:
            return
        waiting.sort(key=lambda id: (min(distance(battle.teams[id].base, foe.base) for foe in foes), id))
        id = waiting.pop(0)
        team = battle.teams[id]
        if not team.on_table or not team.operational or in_contact(battle, team, foes):
            continue
        tied = {foe.id for foe in foes if in_contact(battle, foe, battle.standing(striker))}
        route: Route | None = None
        contact = False
        for foe in sorted(foes, key=lambda foe: (foe.id in tied, distance(team.base, foe.base), foe.id)):
            if close(team, foe, _assault_move(team, mode)):
                route = contact_route(battle, id, foe.id, mode, target=target)
                if route is not None:
                    contact = True
                    break
        if route is None:
            nearest = min(foes, key=lambda foe: (distance(team.base, foe.base), foe.id))
            route = furthest_towards(battle, id, nearest.centre, mode, target=target)
        if route is None or not route.path:
            continue
        request = PickRoute(
            player=team.side,
            decision="FOW-DEC-22" if mode == "counterattack" else "FOW-DEC-20",
            prompt=say("ask.charge", team=team.profile.name),
            unit=id,
            reach=_assault_move(team, mode),
            hints={"mode": mode, "target": target},
            default={"path": route.path, "facing": route.facing},
        )
        answer = table.ask(request, _charge_check(battle, id, target, mode, contact))
        if answer.path:
            carry_out(table, id, plan_route(battle, id, answer, mode, target=target))


def _assault_move(team: Team, mode: str) -> int:
    return charge_reach(team) if mode in ("charge", "counterattack") else far("assault_move")


def _charge_check(battle: Battle, id: str, target: str, mode: Mode, contact: bool) -> Check:
    """A charge move is a legal route; a team that can reach an enemy must end in contact (FOW-ASLT-03)."""
    from sandtable.games.flames_of_war.movement import plan_route

    def check(route: Route) -> None:
        team = battle.teams[id]
        if not route.path:
            if contact:
                raise RefusedError("FOW-ASLT-03", "refused.must_contact")
            return
        plan = plan_route(battle, id, route, mode, target=target)
        if contact and not in_contact(battle, replace(team, pose=plan.pose, building=plan.building), battle.standing(target)):
            raise RefusedError("FOW-ASLT-03", "refused.must_contact")

    return check


PINNING = 5
"""Hits that pin a platoon (FOW-PIN-01); those of one assault's defensive fire are a count of their own (FOW-RULING-17)."""
CONTACT = 50
"""Bases at most this far apart touch."""


def in_contact(battle: Battle, team: Team, foes: list[Team]) -> bool:
    """Base to base, across an obstacle that both touch (FOW-RULING-70), or at an opening of the other's building (FOW-RULING-69)."""
    return any(_touch(battle, team, foe) for foe in foes)


def _touch(battle: Battle, one: Team, two: Team) -> bool:
    gap = distance(one.base, two.base)
    if within(gap, CONTACT):
        return True
    if gap > 4 * INCH and not (one.building or two.building):
        return False
    for inside, outside in ((one, two), (two, one)):
        if inside.building and not outside.building:
            house = battle.ground.by_id[inside.building]
            if outside.profile.fully_armoured and outside.profile.mobility == "tracked":
                return within(distance(outside.base, house.outline), CONTACT)
            return any(within(distance(outside.base, (door.start, door.end)), CONTACT) for door in house.doors)
    return any(
        within(distance(one.base, piece.outline), CONTACT)
        and within(distance(two.base, piece.outline), CONTACT)
        and pierces(one.centre, two.centre, piece.outline)  # on opposite sides of it
        for piece in battle.ground.pieces
        if piece.form == "line"
    )


# -- step 3: defensive fire ---------------------------------------------------------------------------------------


def defensive_fire(table: Table[Battle], attacker: str, target: str) -> tuple[bool, int]:
    """The charged platoon and those near it shoot at the attackers (FOW-ASLT-06 to -08): whether it got away instead, and the hits."""
    from sandtable.games.flames_of_war.fire import resolve_fire
    from sandtable.games.flames_of_war.recon import offer_disengage

    chargers_now = tuple(team.id for team in table.battle.standing(attacker))
    if offer_disengage(table, target, "assault", attackers=chargers_now):
        return True, 0  # FOW-REC-09, FOW-DEC-21
    shooters = defenders(table.battle, attacker, target)
    if not shooters:
        return False, 0
    firing = _who_fires(table, other(table.battle.platoons[attacker].side), shooters, attacker)
    if not firing:
        return False, 0
    return False, resolve_fire(table, firing, attacker, defensive=True).hits


def defenders(battle: Battle, attacker: str, target: str) -> list[str]:
    """The teams that can shoot at an assaulting platoon: of the charged one, and of those near it (FOW-ASLT-06)."""
    from sandtable.games.flames_of_war.fire import defensive_shooters

    near = [target]
    for platoon in battle.side_platoons(other(battle.platoons[attacker].side)):
        if platoon.id == target or platoon.disengaged or any(battle.teams[id].joined for id in platoon.teams):
            continue
        if any(close(one, two, far("defensive_support")) for one in battle.standing(platoon.id) for two in battle.standing(target)):
            near.append(platoon.id)
    shooters = []
    for platoon_id in near:
        if not battle.platoons[platoon_id].disengaged:  # FOW-REC-10
            shooters += defensive_shooters(battle, platoon_id, attacker, far("defensive_fire_range"))
    return shooters


def _who_fires(table: Table[Battle], owner: str, shooters: list[str], attacker: str) -> list[str]:
    """The owner says who shoots; by default everybody (FOW-DEC-21)."""
    battle = table.battle
    options = tuple(Option(id, say("option.team", team=id, name=battle.teams[id].profile.name), units=(id,)) for id in shooters)
    prompt = say("ask.defensive_fire", platoon=battle.platoons[attacker].name)
    chosen = table.ask(
        PickSeveral(player=owner, decision="FOW-DEC-21", prompt=prompt, unit=attacker, options=options, default=list(shooters))
    )
    return list(chosen)


def _go_back(table: Table[Battle], attacker: str, start: dict[str, Pose | None]) -> None:
    """Pinned by defensive fire, the attackers are back where they began (FOW-ASLT-09)."""
    for id, pose in start.items():
        team = table.battle.teams[id]
        if team.on_table and pose is not None and team.pose != pose and not team.bogged:
            table.emit(Moved(id, (team.centre, (pose.x, pose.y)), pose.facing, why="return"))


# -- steps 4 to 11: the melee -------------------------------------------------------------------------------------


def fighters(battle: Battle, striker: str, target: str) -> list[Team]:
    """The teams that strike: allowed to fight, in contact or within 2 inches of the enemy (FOW-ASLT-10)."""
    foes = battle.standing(target)
    reach = far("melee_reach")
    return [
        team
        for team in battle.members(striker)
        if _can(team, "fight") and any(close(team, foe, reach) or _touch(battle, team, foe) for foe in foes)
    ]


def melee(table: Table[Battle], attacker: str, target: str, fired: int) -> None:
    """Blow and counter-blow until one side has won (FOW-ASLT-10 to -21)."""
    hits_taken = {attacker: fired, target: 0}
    striker, struck = attacker, target
    while True:
        places = {team.id: (team.pose, team.building) for team in table.battle.standing(struck)}
        hits = strike(table, striker, struck)
        hits_taken[struck] += hits
        _break_in(table, striker, struck, places)  # step 6
        if _won(table.battle, striker, struck):  # step 7
            break
        if not _counterattacks(table, struck, striker, hits):  # step 8
            break_off(table, struck, striker)
            break
        charge(table, struck, striker, "counterattack")  # FOW-ASLT-17
        if not fighters(table.battle, struck, striker):
            break_off(table, struck, striker)  # FOW-RULING-75
            break
        striker, struck = struck, striker
    winner, loser = striker, struck
    table.emit(AssaultWon(winner, loser))
    _finish_loser(table, winner, loser)
    if hits_taken[target]:
        pin(table, target)  # FOW-ASLT-19
    _consolidate(table, winner)  # step 10
    if hits_taken[attacker] and not table.battle.platoons[attacker].destroyed:
        pin(table, attacker)  # FOW-ASLT-21


def strike(table: Table[Battle], striker: str, struck: str) -> int:
    """Steps 4 and 5: a skill test a team; its hits destroy, but armour saves with its top (FOW-ASLT-10 to -12). Gives the hits."""
    battle = table.battle
    teams = fighters(battle, striker, struck)
    platoon = battle.platoons[striker]
    passed = each_passes(table.dice(platoon.side), len(teams), "roll.melee", skill_score(platoon.skill), rule="FOW-ASLT-10")
    blows = [team.profile.assault_at for team, hit in zip(teams, passed, strict=True) if hit]  # FOW-RULING-22
    table.emit(Struck(striker, struck, len(teams), len(blows)))
    reach = far("melee_reach")
    exposed = [foe for foe in battle.standing(struck) if any(close(team, foe, reach) or _touch(battle, team, foe) for team in teams)]
    if not blows or not exposed:
        return len(blows)
    order = _melee_order(table, struck, exposed, len(blows))
    for number, anti_tank in enumerate(blows):
        _blow(table, order[number % len(order)], anti_tank)
    return len(blows)


def _blow(table: Table[Battle], id: str, anti_tank: int) -> None:
    team = table.battle.teams[id]
    if not team.alive:
        return  # a second hit on a team already destroyed is not rolled
    if not (team.profile.armoured and team.profile.vehicle):
        apply_result(table, id, "destroyed", cause="assault")  # FOW-ASLT-11
        return
    assert team.profile.armour_top is not None
    result = melee_save(table.dice(team.side), team.profile.armour_top, anti_tank)
    apply_result(table, id, result, cause="assault")  # a bailed-out result never destroys here (FOW-ASLT-12, FOW-RULING-13)


def _melee_order(table: Table[Battle], struck: str, exposed: list[Team], hits: int) -> list[str]:
    """The owner gives out melee hits, operational teams first, one a team a round (FOW-RULING-44, FOW-DEC-14)."""
    leader = table.battle.platoons[struck].leader
    ranked = sorted(exposed, key=lambda team: (not team.operational, team.id == leader or team.profile.commander))
    if hits >= len(ranked) or len({(team.profile, team.id == leader, team.operational) for team in ranked}) == 1:
        return [team.id for team in ranked]
    ready = [team for team in ranked if team.operational]
    first, rest = (ready, [team for team in ranked if not team.operational]) if ready else (ranked, [])
    if hits >= len(first):
        return [team.id for team in ranked]
    default = [team.id for team in first[:hits]]
    chosen = table.ask(
        PickSeveral(
            player=table.battle.platoons[struck].side,
            decision="FOW-DEC-14",
            prompt=say("ask.melee_hits", hits=hits),
            options=tuple(Option(team.id, say("option.team", team=team.id, name=team.profile.name), units=(team.id,)) for team in first),
            least=hits,
            most=hits,
            default=default,
        )
    )
    return [*chosen, *(team.id for team in first if team.id not in chosen), *(team.id for team in rest)]


def _won(battle: Battle, striker: str, struck: str) -> bool:
    """No operational team of the other platoon within 4 inches (FOW-ASLT-14)."""
    radius = far("assault_won_radius")
    mine = battle.standing(striker)
    return not any(close(one, two, radius) for two in operational(battle, struck) for one in mine)


def _break_in(table: Table[Battle], striker: str, struck: str, places: dict[str, tuple[Pose | None, str]]) -> None:
    """Against a building or an obstacle the striker may move into the places of destroyed teams (FOW-ASLT-13, FOW-DEC-23)."""
    for id, (pose, building) in places.items():
        if table.battle.teams[id].alive or pose is None:
            continue
        battle = table.battle
        behind = building or any(
            piece.form == "line" and distance(((pose.x, pose.y),), piece.outline) < 2 * INCH for piece in battle.ground.pieces
        )
        if not behind:
            continue
        able = [
            team for team in fighters(battle, striker, struck) or chargers(battle, battle.platoons[striker], "fight") if not team.building
        ]
        able = [team for team in able if _fits(battle, team, pose, building)]
        if not able:
            continue
        options = [Option("none", say("option.nobody"))]
        options += [Option(team.id, say("option.team", team=team.id, name=team.profile.name), units=(team.id,)) for team in able]
        chosen = table.ask(
            PickOne(
                player=battle.platoons[striker].side,
                decision="FOW-DEC-23",
                prompt=say("ask.break_in"),
                options=tuple(options),
                default="none",
            )
        )
        if chosen != "none":
            team = battle.teams[chosen]
            assert team.pose is not None
            table.emit(Moved(chosen, (team.centre, (pose.x, pose.y)), team.pose.facing, why="break_in", building=building))


def _fits(battle: Battle, team: Team, pose: Pose, building: str) -> bool:
    """Whether a team can take the place of a destroyed one: in reach, of a kind that may enter, on nobody's base."""
    assert team.pose is not None
    base = rectangle(Pose(pose.x, pose.y, team.pose.facing), team.profile.width, team.profile.depth)
    if building and not (team.profile.foot or (team.profile.fully_armoured and team.profile.mobility == "tracked")):
        return False
    if not within(distance(team.base, base), far("assault_move")) or not battle.ground.within_table(base):
        return False
    return not any(overlap(base, other_base) for _, other_base in battle.bases(but=[team.id]))


def _counterattacks(table: Table[Battle], struck: str, striker: str, hits: int) -> bool:
    """Step 8: what the struck side wants, and whether it has the heart for it (FOW-ASLT-15, -16, FOW-DEC-22)."""
    battle = table.battle
    platoon = battle.platoons[struck]
    able = bool(chargers(battle, platoon, "counterattack")) and not leaderless(battle, platoon)
    wants = "break_off"
    if able:
        options = (Option("counterattack", say("option.counterattack")), Option("break_off", say("option.break_off")))
        prompt = say("ask.reaction", platoon=platoon.name)
        wants = table.ask(
            PickOne(player=platoon.side, decision="FOW-DEC-22", prompt=prompt, unit=struck, options=options, default="counterattack")
        )
    facts = motivation_facts(battle, platoon)
    reaction = run(
        table,
        platoon.side,
        "assault_reaction",
        hits_taken=hits,
        motivation=platoon.motivation,
        wants=wants,
        enemy_is_tanks=any(team.profile.armoured and team.profile.vehicle for team in operational(battle, striker)),
        can_counterattack=able,
        commander_joined=facts["commander_joined"] and not facts["commander_bailed_out"],
    )
    table.emit(Reacted(struck, reaction.action))
    return bool(reaction.action == "counterattack")


def break_off(table: Table[Battle], loser: str, winner: str) -> None:
    """All teams move 4 inches away; what is still nearer than 4 inches to an enemy is destroyed (FOW-ASLT-18, FOW-RULING-24)."""
    from sandtable.games.flames_of_war.movement import away_from, carry_out, plan_route

    side = table.battle.platoons[loser].side
    for id in [team.id for team in table.battle.members(loser)]:
        battle = table.battle
        team = battle.teams[id]
        if not team.on_table or not team.operational or team.profile.mobility == "immobile_gun":
            continue
        foes = [foe.id for foe in battle.standing(winner)]
        route = away_from(battle, id, foes, "break_off")
        request = PickRoute(
            player=side,
            decision="FOW-DEC-22",
            prompt=say("ask.break_off", team=team.profile.name),
            unit=id,
            reach=far("break_off"),
            hints={"mode": "break_off"},
            default={"path": route.path, "facing": route.facing},
        )

        def check(answer: Route, battle: Battle = battle, id: str = id) -> None:
            if answer.path:
                plan_route(battle, id, answer, "break_off")

        answer = table.ask(request, check)
        if answer.path:
            carry_out(table, id, plan_route(battle, id, answer, "break_off"))
    _lose_those_near(table, loser)


def _lose_those_near(table: Table[Battle], loser: str) -> None:
    """Teams of the loser strictly nearer than 4 inches to any enemy are lost (FOW-RULING-24, -43)."""
    battle = table.battle
    enemies = [foe.base for foe in battle.enemies(battle.platoons[loser].side)]
    teams = [team for team in battle.standing(loser) if enemies]
    if not teams:
        return
    gaps = [min(distance(team.base, enemy) for enemy in enemies) for team in teams]
    limit = far("break_off") / INCH
    counted = run(
        table,
        battle.platoons[loser].side,
        "break_off",
        distances_after=tuple(limit if within(limit * INCH, gap) else gap / INCH for gap in gaps),
    )
    lost = [team for team, gap in zip(teams, gaps, strict=True) if not within(far("break_off"), gap)]
    assert counted.destroyed == len(lost)
    for team in lost:
        destroy(table, team.id, cause="break_off")


def _finish_loser(table: Table[Battle], winner: str, loser: str) -> None:
    """Bailed-out and bogged vehicles of the loser within 4 inches of an enemy are destroyed (FOW-RULING-43)."""
    battle = table.battle
    for team in battle.standing(loser):
        if not team.operational and any(close(team, foe, far("break_off")) for foe in battle.enemies(team.side)):
            destroy(table, team.id, cause="captured")


def _consolidate(table: Table[Battle], winner: str) -> None:
    """The winner moves up to 4 inches in any direction, or breaks through into another platoon (FOW-ASLT-20, FOW-DEC-23)."""
    battle = table.battle
    platoon = battle.platoons[winner]
    if platoon.destroyed or not battle.standing(winner):
        return
    fresh = _breakthrough_targets(battle, platoon)
    options = [Option("stay", say("option.stay")), Option("consolidate", say("option.consolidate"))]
    options += [Option(f"breakthrough:{target.id}", say("option.breakthrough", target=target.name), units=target.teams) for target in fresh]
    prompt = say("ask.consolidate", platoon=platoon.name)
    chosen = table.ask(
        PickOne(player=platoon.side, decision="FOW-DEC-23", prompt=prompt, unit=winner, options=tuple(options), default="stay")
    )
    if chosen == "consolidate":
        _consolidation_moves(table, winner)
    elif chosen.startswith("breakthrough:"):
        assault(table, winner, chosen.split(":", 1)[1], breakthrough=True)


def _breakthrough_targets(battle: Battle, platoon: Platoon) -> list[Platoon]:
    """Platoons within 4 inches that it has not fought in this step; once a platoon and step (FOW-RULING-75)."""
    if len(platoon.fought) != 1 or not chargers(battle, platoon):
        return []
    reach = far("consolidate")
    mine = chargers(battle, platoon)
    return [
        target
        for target in battle.side_platoons(other(platoon.side))
        if target.id not in platoon.fought and any(close(one, two, reach) for one in mine for two in battle.standing(target.id))
    ]


def _consolidation_moves(table: Table[Battle], winner: str) -> None:
    from sandtable.games.flames_of_war.movement import carry_out, plan_route

    for id in [team.id for team in table.battle.standing(winner)]:
        battle = table.battle
        team = battle.teams[id]
        if not team.on_table or not team.operational or team.profile.mobility == "immobile_gun" or not may(team_class(team), "consolidate"):
            continue

        def check(answer: Route, battle: Battle = battle, id: str = id) -> None:
            if answer.path:
                plan_route(battle, id, answer, "consolidate")

        answer = table.ask(
            PickRoute(
                player=team.side,
                decision="FOW-DEC-23",
                prompt=say("ask.consolidate_move", team=team.profile.name),
                unit=id,
                reach=far("consolidate"),
                hints={"mode": "consolidate"},
                default={"path": (), "facing": None},
            ),
            check,
        )
        if answer.path:
            carry_out(table, id, plan_route(battle, id, answer, "consolidate"))
