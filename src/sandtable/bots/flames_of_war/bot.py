"""The bot: one method a question of the rules, each a few candidates scored by what they are worth on average."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.bots.flames_of_war import deploying, fighting, moving, shooting
from sandtable.bots.flames_of_war.moving import Choice
from sandtable.bots.flames_of_war.picture import Foe, Picture, head, kind_of
from sandtable.bots.flames_of_war.worth import worth_of
from sandtable.bots.random_legal import RandomLegal, legal
from sandtable.field.shapes import bearing, move_towards, span
from sandtable.games.flames_of_war.battle import INCH, Battle
from sandtable.games.flames_of_war.command import leader_of
from sandtable.kernel.decisions import Allocate, Check, PickOne, PickRoute, PickSeveral, Request
from sandtable.kernel.game import Game

ORDER = ("tank", "cavalry", "recon", "foot", "hq", "gun", "battery", "observer", "transport", "recovery")
"""Which kind of platoon moves first: the fast ones, then those that follow them."""
CHARGES = 0.3
"""An assault must be worth more than this."""
SAVED_POOL = 2
"""The last dice of the pool are for calling, not for intercepting."""

Scored = list[tuple[str, float]]


class Bot:
    """Plays one side. It sees what its side may see and is as deterministic as its questions."""

    def __init__(self, game: Game, side: str, seed: int) -> None:
        self.game, self.side = game, side
        self._fallback = RandomLegal(game, side, seed)
        self.why: dict[str, Any] = {}
        """The last decision: the question, the answer, and what was thought of with its score."""
        self._picture: tuple[tuple[int, str, str], Picture] | None = None
        self._choice: dict[str, Choice] = {}
        self._slots: dict[str, int] = {}
        self._settled: tuple[int, set[str]] = (-1, set())
        self._answers: dict[str, Callable[[Battle, Any, Check | None], Any]] = {
            name.removeprefix("_ask_"): getattr(self, name) for name in dir(self) if name.startswith("_ask_")
        }

    def answer(self, battle: Any, request: Request, check: Check | None) -> Any:
        self.why = {"decision": request.decision, "asked": request.prompt.id}
        method = self._answers.get(request.prompt.id.removeprefix("ask."))
        answer = method(battle, request, check) if method is not None else None
        if answer is None:
            answer = request.default
            if not legal(request, check, answer):
                answer = self._fallback.answer(battle, request, check)
        self.why["answer"] = answer
        return answer

    def _thought(self, scored: Scored) -> None:
        self.why["candidates"] = [(name, round(score, 3)) for name, score in scored[:12]]

    def _best(self, scored: Scored) -> tuple[str, float]:
        scored.sort(key=lambda one: (-one[1], one[0]))
        self._thought(scored)
        return scored[0]

    def picture(self, battle: Battle) -> Picture:
        """The picture of the step that is being played."""
        step = "assault" if battle.phase.startswith("assault") else "movement" if battle.phase.startswith("movement") else "shooting"
        key = (battle.turn, battle.active, step)
        fresh = step == "assault" or self._picture is None or self._picture[0] != key
        if fresh or self._picture is None:
            self._picture = (key, Picture(battle, self.side))
        return self._picture[1]

    # -- before the battle ------------------------------------------------------------------------------------------------

    def _ask_place_next(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        return deploying.next_to_place(battle, [option.id for option in request.options])

    def _ask_places(self, battle: Battle, request: Any, check: Check | None) -> Any:
        return deploying.places(battle, request.unit, request.default) or None

    # -- the starting step ------------------------------------------------------------------------------------------------

    def _ask_call_air(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        return "call"

    def _ask_intercept(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        pool = battle.companies[self.side].air_pool
        return "intercept" if pool > SAVED_POOL or battle.scenario.side(self.side).force.aircraft is None else "let"

    def _ask_join(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        """A commander helps those who have a test to take; under fire he stays by himself."""
        open_ids = [option.id for option in request.options if option.refusal is None]
        helps = battle.phase == "starting"
        if battle.phase == "assault" and battle.active == self.side:
            own = battle.teams[request.unit].profile.team_type
            helps = any(team.profile.team_type == own for id in open_ids if id != "alone" for team in battle.members(id))
        if helps:
            return next((id for id in open_ids if id != "alone"), None)
        return open_ids[0]

    # -- movement -----------------------------------------------------------------------------------------------------------

    def _ask_platoon_order(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        """The next platoon that has something to do; those that stay need no order."""
        picture = self.picture(battle)
        if self._settled[0] != battle.turn:
            self._settled = (battle.turn, set())
        settled = self._settled[1]
        orders: dict[str, dict[str, str]] = {}
        for option in request.options:
            if option.refusal is None and option.id != "done":
                platoon, _, order = option.id.rpartition(":")
                if platoon not in settled:
                    orders.setdefault(platoon, {})[order] = option.id
        for id in sorted(orders, key=lambda id: (self._rank(battle, id), id)):
            settled.add(id)
            best, thought = moving.choose(battle, picture, battle.platoons[id], orders[id])
            if best.order != "stay" and best.order in orders[id]:
                self._choice[id] = best
                self._thought([(f"{one.why} {one.place}", one.score) for one in sorted(thought, key=lambda one: -one.score)])
                return orders[id][best.order]
        return "done"

    def _rank(self, battle: Battle, id: str) -> int:
        kind = kind_of(battle, battle.platoons[id])
        return ORDER.index(kind) if kind in ORDER else len(ORDER)

    def _ask_who_moves(self, battle: Battle, request: PickSeveral, check: Check | None) -> Any:
        """Leader first, then who stands nearest to where he goes."""
        ids = [option.id for option in request.options if option.refusal is None]
        choice = self._choice.get(request.unit)
        leader = leader_of(battle, battle.platoons[request.unit])
        if choice is None:
            return ids
        first = leader.id if leader is not None else ids[0]
        rest = sorted((id for id in ids if id != first), key=lambda id: (span(battle.teams[id].centre, choice.place), id))
        self._slots = {id: number for number, id in enumerate(rest)}
        return [*([first] if first in ids else []), *rest]

    def _ask_route(self, battle: Battle, request: PickRoute, check: Check | None) -> Any:
        team = battle.teams[request.unit]
        choice = self._choice.get(team.unit)
        if choice is None or request.reach == 0:
            return None
        leader = leader_of(battle, battle.platoons[team.unit]) or team
        if leader.id == team.id or not leader.on_table:
            answer = moving.leader_route(request, check, battle, team, choice)
            goal = choice.place
        else:
            number = self._slots.get(team.id, 0)
            answer = moving.follower_route(request, check, battle, team, leader, number, choice.order)
            goal = leader.centre
        if answer is None and span(team.centre, goal) > (6 if leader.id == team.id else 9) * INCH:
            found = moving.around(battle, team, goal, choice.order)
            if found is not None and legal(request, check, found) and not moving.boards(battle, team, tuple(found["path"][-1])):
                answer = found
        return answer

    def _ask_who_dismounts(self, battle: Battle, request: PickSeveral, check: Check | None) -> Any:
        """Out of the vehicles when the enemy is near; the horses are kept."""
        picture = self.picture(battle)
        out = []
        for option in request.options:
            team = battle.teams[option.id]
            if option.refusal is None and team.carried and picture.near_foes(team.centre, 20.0):
                out.append(option.id)
        return out

    def _ask_consolidate_move(self, battle: Battle, request: PickRoute, check: Check | None) -> Any:
        """Towards an objective that is wanted."""
        picture = self.picture(battle)
        team = battle.teams[request.unit]
        wanted = picture.takes if picture.attacks else picture.holds
        places = [picture.places[i] for i in wanted]
        near = [place for place in places if 2500 < span(team.centre, place) < 12 * INCH]
        if not near:
            return None
        goal = min(near, key=lambda place: span(team.centre, place))
        far = min(span(team.centre, goal), float(request.reach or 4000))
        way = (move_towards(team.centre, goal, far),)
        return moving.try_ways(request, check, battle, team, [way], bearing(team.centre, goal))

    # -- shooting -----------------------------------------------------------------------------------------------------------

    def _ask_eyes_and_ears(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        """Point out who is worth most to the platoons that can reach him."""
        scored: Scored = [("none", 0.4)]
        own = [team for team in battle.side_teams(self.side) if "recon" not in team.profile.traits]
        for option in request.options[:40]:
            if option.id != "none":
                enemy = battle.teams[option.id.partition(">")[2]]
                reach = sum(
                    1
                    for team in own
                    if any(weapon.range_in and span(team.centre, enemy.centre) < weapon.range_in * INCH for weapon in team.profile.weapons)
                )
                scored.append((option.id, 0.1 * reach * worth_of(enemy.profile)))
        return self._best(scored)[0]

    def _ask_name_leader(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        return request.options[0].id

    def _ask_smoke(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        return "none"

    def _ask_shooting(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        """Batteries first, to pin; then everybody who can, the strongest first."""
        options = [option.id for option in request.options if option.refusal is None and option.id != "done"]
        rank = {"bombard": 0, "fire": 1, "tow": 2}
        for id in sorted(options, key=lambda id: (rank[id.rpartition(":")[2]], id)):
            who, _, what = id.rpartition(":")
            if what == "tow" and "wreck" in who:
                continue
            if what == "fire" and f"{who}:bombard" in options:
                continue
            return id
        return "done"

    def _ask_target(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        picture = self.picture(battle)
        ids = [option.id for option in request.options if option.refusal is None and option.id != "split"]
        scored = shooting.best_target(battle, picture, request.unit, ids)
        self._thought([(id, score) for score, id in scored])
        if not scored:
            return None
        if "split" in [option.id for option in request.options if option.refusal is None] and len(scored) > 1:
            # Only where the best target leaves many of the platoon without one.
            able = len(battle.standing(request.unit))
            shooters = shooting.targets_of(battle, request.unit)[scored[0][1]]
            if 2 * len({volley.shooter for volley in shooters}) < able:
                return "split"
        return scored[0][1]

    def _ask_split(self, battle: Battle, request: Allocate, check: Check | None) -> Any:
        targets = [option.id for option in request.receivers if option.refusal is None and option.id != "hold"]
        given = shooting.best_split(battle, self.picture(battle), request.unit, request.things, targets)
        return given if legal(request, check, given) else None

    def _ask_bombard(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        platoon = battle.platoons[request.unit]
        scored: Scored = []
        for option in request.options[:40]:
            if option.id == "hold":
                scored.append(("hold", 0.02))
            elif option.id == "repeat":
                scored.append(("repeat", 0.3))
            else:
                spotter, _, aimed = option.id.partition(">")
                scored.append((option.id, shooting.bombardment_worth(battle, platoon, battle.teams[spotter], battle.teams[aimed])))
        return self._best(scored)[0]

    def _ask_range_again(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        return "again"

    def _ask_priority(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        scored: Scored = [("none", 0.0)]
        for option in request.options:
            if option.refusal is None and option.units:
                worths = [worth_of(battle.teams[id].profile) for id in option.units]
                scored.append((option.id, sum(worths) / len(worths)))
        return self._best(scored)[0]

    _ask_tank_type = _ask_priority

    def _ask_strike(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        flight = battle.companies[self.side].aircraft
        scored: Scored = [("none", 0.0)]
        # One team of a platoon stands for those around it.
        seen: dict[str, int] = {}
        for option in request.options:
            if option.refusal is None and option.id != "none":
                team = battle.teams[option.id]
                seen[team.unit] = seen.get(team.unit, 0) + 1
                if seen[team.unit] <= 2 and len(scored) < 24:
                    scored.append((option.id, shooting.strike_worth(battle, self.side, team, flight)))
        return self._best(scored)[0]

    def _ask_disengage(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        """Recon gets away from what it cannot stand up to, unless it holds an objective."""
        picture = self.picture(battle)
        team = battle.teams[request.unit]
        if team.pose is not None:
            for objective in picture.objectives:
                if span(team.centre, objective.place) < 4.5 * INCH and objective.mine <= 2:
                    return "stand"
        return "disengage"

    # -- assaults -----------------------------------------------------------------------------------------------------------

    def _foe(self, picture: Picture, id: str) -> Foe | None:
        return next((foe for foe in picture.foes if foe.id == id), None)

    def _ask_assault(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        picture = self.picture(battle)
        scored: Scored = [("done", CHARGES)]
        for option in request.options:
            if option.refusal is not None or option.id == "done":
                continue
            attacker, _, target = option.id.partition(">")
            foe = self._foe(picture, target)
            if foe is None:
                continue
            teams = [
                team
                for team in battle.standing(attacker)
                if team.operational and not team.busy and foe.nearest(team.centre)[0] < (12 if team.profile.team_type == "cavalry" else 8)
            ]
            if teams:
                scored.append((option.id, fighting.charge_worth(battle, picture, attacker, teams, foe)))
        return self._best(scored)[0]

    def _ask_reaction(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        """Strike back if that pays, or if the enemy would take an objective."""
        picture = self.picture(battle)
        mine = [team for team in battle.standing(request.unit) if team.operational]
        if not mine:
            return None
        fought = battle.platoons[request.unit].fought
        foe = next((foe for id in reversed(fought) if (foe := self._foe(picture, id)) is not None), None)
        if foe is None:
            return None
        worth = fighting.strikes_back(battle, picture, request.unit, foe)
        places = [picture.places[i] for i in picture.holds]
        if any(span(team.centre, place) < 5 * INCH for team in mine for place in places):
            worth += 2.0
        scored: Scored = [("counterattack", worth), ("break_off", -0.3)]
        return self._best(scored)[0]

    def _ask_consolidate(self, battle: Battle, request: PickOne, check: Check | None) -> Any:
        picture = self.picture(battle)
        scored: Scored = [("stay", 0.0)]
        leader = head(battle, battle.platoons[request.unit])
        wanted = picture.takes if picture.attacks else picture.holds
        if leader is not None and any(2500 < span(leader.centre, picture.places[i]) < 12 * INCH for i in wanted):
            scored.append(("consolidate", 0.2))
        teams = [team for team in battle.standing(request.unit) if team.operational]
        for option in request.options:
            if option.id.startswith("breakthrough:") and option.refusal is None and teams:
                foe = self._foe(picture, option.id.partition(":")[2])
                if foe is not None:
                    scored.append((option.id, fighting.charge_worth(battle, picture, request.unit, teams, foe) - CHARGES))
        return self._best(scored)[0]
