"""The bot: one method a question of the rules, each a few candidates scored by what they are worth on average."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.bots.micro_armour import deploying, firing, moving, shelling
from sandtable.bots.micro_armour.picture import Memory, Picture
from sandtable.bots.micro_armour.worth import assault_worth, fights, overrun_worth, worth
from sandtable.bots.random_legal import RandomLegal, legal
from sandtable.games.micro_armour.battle import Battle
from sandtable.games.micro_armour.movement import MOST
from sandtable.kernel.decisions import Check, PickOne, PickPlaces, PickRoute, PickSeveral, Request
from sandtable.kernel.events import other
from sandtable.kernel.game import Game

POSTURE_FIRE = 0.5
"""A TL1 unit with a shot worth this fires this turn; the others may move."""
WORTH_AN_ORDER = 0.4
"""By how much a move must better things to be made."""


class Bot:
    """Plays one side. It sees what its side may see and is as deterministic as its questions."""

    def __init__(self, game: Game, side: str, seed: int) -> None:
        self.game, self.side = game, side
        self._fallback = RandomLegal(game, side, seed)
        self.why: dict[str, Any] = {}
        """The last decision: the question, the answer, and what was thought of with its score."""
        self._memory = Memory()
        self._attack: firing.Attack | None = None
        self._plans: tuple[int, dict[str, moving.Plan]] = (-1, {})
        self._answers: dict[str, Callable[[Picture, Any], Any]] = {
            name.removeprefix("_ask_"): getattr(self, name) for name in dir(self) if name.startswith("_ask_")
        }

    def answer(self, battle: Battle, request: Request, check: Check | None) -> Any:
        """The best answer it finds; whatever it finds, one that the rules allow."""
        self.why = {"decision": request.decision, "asked": request.prompt.id}
        method = self._answers.get(request.prompt.id.removeprefix("ask."))
        answer = method(Picture(battle, self.side, self._memory), request) if method is not None else None
        if answer is None or not legal(request, check, answer):
            answer = request.default
            if not legal(request, check, answer):
                answer = self._fallback.answer(battle, request, check)
        self.why["answer"] = answer
        return answer

    def _best(self, scored: list[tuple[float, str]]) -> str:
        """The best of some candidates; the first name among equals."""
        scored.sort(key=lambda one: (-one[0], one[1]))
        self.why["candidates"] = [(name, round(value, 3)) for value, name in scored[:12]]
        return scored[0][1]

    # -- before the battle, and at the start of a turn ------------------------------------------------------------

    def _ask_deploy(self, picture: Picture, request: PickPlaces) -> Any:
        return deploying.places(picture, request.pieces)

    def _ask_postures(self, picture: Picture, request: PickSeveral) -> Any:
        """TL1 units that see something worth firing at fire; the others move, if they are of the moving kind."""
        move = []
        for option in request.options:
            unit = picture.battle.units[option.id]
            if unit.on_table and fights(unit):
                best = max((picture.best_shot(unit, enemy) for enemy in picture.enemies), default=0.0)
                if best < POSTURE_FIRE:
                    move.append(unit.id)
        return move

    def _ask_first(self, picture: Picture, request: PickOne) -> Any:
        """First with fire; last with movement, for who has moved cannot fire at those that move."""
        return other(self.side) if picture.battle.phase == "movement" else self.side

    # -- artillery, air, planning ---------------------------------------------------------------------------------

    def _ask_artillery_air(self, picture: Picture, request: PickOne) -> Any:
        return self._best(shelling.best_action(picture, request))

    def _ask_smoke_place(self, picture: Picture, request: PickPlaces) -> Any:
        _, at = shelling.smoke(picture, request.unit)
        return None if at is None else {"smoke": {"x": at[0], "y": at[1], "facing": 0}}

    def _ask_plan(self, picture: Picture, request: PickOne) -> Any:
        possible = [option.id for option in request.options if option.refusal is None]
        for option in possible:
            if option.startswith("strike:") and shelling.strike_goal(picture, option.removeprefix("strike:")) is not None:
                return option
        return "mission" if "mission" in possible and shelling.aim(picture) is not None else "done"

    def _ask_mission_places(self, picture: Picture, request: PickPlaces) -> Any:
        """All markers on one point: together they are most likely to break what is there."""
        at = shelling.aim(picture)
        return None if at is None else {piece: {"x": at[0], "y": at[1], "facing": 0} for piece in request.pieces}

    def _ask_course(self, picture: Picture, request: PickPlaces) -> Any:
        goal = shelling.strike_goal(picture, request.unit)
        if goal is None:
            return None
        points = zip(("entry", "attack", "exit"), shelling.course(picture, goal), strict=True)
        return {name: {"x": x, "y": y, "facing": 0} for name, (x, y) in points}

    # -- fire -----------------------------------------------------------------------------------------------------

    def _ask_target(self, picture: Picture, request: PickOne) -> Any:
        attack = self._attack = firing.best_attack(picture)
        if attack is None:
            return "pass"
        self.why["candidates"] = [(attack.target, round(attack.worth, 3))]
        return attack.target

    def _ask_attackers(self, picture: Picture, request: PickSeveral) -> Any:
        attack = self._attack  # asked for just before
        if attack is None or attack.target != request.unit:
            attack = firing.best_attack(picture)
        if attack is None or attack.target != request.unit:
            return None
        return [f"{one.firer}:{one.weapon}" for one in attack.shots]

    def _ask_react(self, picture: Picture, request: PickOne) -> Any:
        chosen, now, later = firing.reaction(picture, request)
        self.why["candidates"] = [("now", round(now, 3)), ("later", round(later, 3))]
        return chosen

    # -- movement -------------------------------------------------------------------------------------------------

    def _plans_of(self, picture: Picture) -> dict[str, moving.Plan]:
        """The best move of each unit, worked out once a turn; the way itself is looked for again when it goes."""
        if self._plans[0] != picture.battle.turn:
            self._plans = (picture.battle.turn, moving.all_plans(picture))
        return self._plans[1]

    def _ask_order(self, picture: Picture, request: PickOne) -> Any:
        """The unit that betters things most together with those that it can take along."""
        plans = self._plans_of(picture)
        scored = [(WORTH_AN_ORDER, "pass")]
        for option in request.options:
            if option.refusal is None and option.id in plans:
                mates = moving.group(picture, plans, option.id, MOST - 1)
                scored.append((plans[option.id].better + sum(plans[id].better for id in mates if id in plans), option.id))
        return self._best(scored)

    _ask_independent = _ask_order

    def _ask_group(self, picture: Picture, request: PickSeveral) -> Any:
        return moving.group(picture, self._plans_of(picture), request.unit, request.most or 0)

    def _ask_next_mover(self, picture: Picture, request: PickOne) -> Any:
        """One after another; nobody gets on or off."""
        return next((option.id for option in request.options if option.refusal is None and option.id in picture.battle.units), "done")

    def _ask_route(self, picture: Picture, request: PickRoute) -> Any:
        plan = moving.best_move(picture, picture.battle.units[request.unit])
        self.why["candidates"] = [(str(plan.path[-1:]), round(plan.better, 3))]
        return {"path": [list(point) for point in plan.path], "facing": plan.facing} if plan.better > 0 else {}

    def _ask_road_rate(self, picture: Picture, request: PickOne) -> Any:
        """The points are there: the cover is kept (MA-TERR-05)."""
        return "ground"

    # -- man to man -----------------------------------------------------------------------------------------------

    def _ask_overrun(self, picture: Picture, request: PickOne) -> Any:
        units = picture.battle.units
        return self._best(
            [
                (0.0 if option.id == "none" else overrun_worth(picture.battle, units[request.unit], units[option.id]), option.id)
                for option in request.options
            ]
        )

    def _ask_assault(self, picture: Picture, request: PickOne) -> Any:
        units = picture.battle.units
        return self._best(
            [
                (0.0 if option.id == "none" else assault_worth(picture.battle, units[request.unit], units[option.id]), option.id)
                for option in request.options
            ]
        )

    def _ask_assault_target(self, picture: Picture, request: PickOne) -> Any:
        """Shoot at the one whose loss hurts most and that is hardest to miss."""
        units = picture.battle.units
        scored = [
            (-1.0 if option.id == "none" else worth(units[option.id].profile) - units[option.id].profile.defence, option.id)
            for option in request.options
        ]
        return self._best(scored)
