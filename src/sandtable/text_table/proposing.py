"""What a question proposes, in words: the hints for drawing an answer, and the answer that Enter gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.kernel.decisions import Allocate, PickPlaces, PickRoute, PickSeveral, Request
from sandtable.kernel.messages import Catalogue, Message
from sandtable.text_table.places import GRID, wind


class Proposals:
    """The hints and the default of questions, in one language."""

    def __init__(self, texts: Catalogue, language: str, unit: str) -> None:
        self.texts, self.language, self.unit = texts, language, unit

    def say(self, id: str, /, **arguments: object) -> str:
        return self.texts.text(Message(id, arguments), self.language)

    def word(self, value: Any) -> str:
        return str(self.texts.word(value, self.language))

    def piece(self, id: str) -> str:
        """A piece by its name; the id is what a player types."""
        name = self.word(id)
        return id if name == id else f"{name} ({id})"

    # -- hints ----------------------------------------------------------------------------------------------------

    def hints(self, hints: dict[str, Any]) -> Iterator[str]:
        """A line for each hint that says something to a reader; what is only for drawing is left out."""
        for name, value in hints.items():
            shown = self._number(name, value) if isinstance(value, int | float) else self._shown(value)
            if shown:
                known = self.texts.knows(f"hint.of_{name}")
                yield self.say(f"hint.of_{name}", value=shown) if known else f"{self.word(name)}: {shown}"

    def _number(self, name: str, value: float) -> str:
        """Directions by their winds; points are counted in thousandths as distances are, and have no unit."""
        if name == "facing":
            return self._degrees(int(value))
        if name == "points":
            return f"{value / GRID:g}"
        return f"{value / GRID:g} {self.unit}" if abs(value) >= GRID / 10 else f"{value:g}"

    def _shown(self, value: Any) -> str:
        """Areas as the rectangle around them, pieces by their names."""
        if isinstance(value, str):
            return self.word(value)
        if not isinstance(value, list | tuple) or not value:
            return ""
        if all(isinstance(one, str) for one in value):
            return ", ".join(self.piece(one) for one in value)
        if len(value) == 4 and all(isinstance(one, int | float) for one in value):
            left, bottom, right, top = value
            return self._area([(left, bottom), (right, top)])
        if all(isinstance(one, list | tuple) and len(one) == 2 and all(isinstance(n, int | float) for n in one) for one in value):
            return self._area(value)
        return ""

    def _area(self, points: Any) -> str:
        xs, ys = [x / GRID for x, _ in points], [y / GRID for _, y in points]
        return self.say("hint.area", left=f"{min(xs):g}", right=f"{max(xs):g}", bottom=f"{min(ys):g}", top=f"{max(ys):g}")

    def _degrees(self, facing: int) -> str:
        """A facing by its wind where it has one."""
        return self.say(f"wind.{wind(facing)}") if facing % 45 == 0 else f"{facing}°"

    # -- the answer that Enter gives --------------------------------------------------------------------------------

    def default(self, request: Request) -> str:
        default = request.default
        for option in getattr(request, "options", ()):
            if option.id == default:
                return self.texts.text(option.label, self.language)
        if isinstance(request, PickRoute) and isinstance(default, dict):
            return self._route(default)
        if isinstance(request, PickPlaces) and isinstance(default, dict) and default:
            places = request.read(default).items()
            return "; ".join(
                self.say("hint.placed", piece=self.piece(id), x=spot.x / GRID, y=spot.y / GRID, wind=self._degrees(spot.facing))
                for id, spot in places
            )
        if isinstance(request, PickSeveral) and isinstance(default, list | tuple) and default:
            labels = {option.id: self.texts.text(option.label, self.language) for option in request.options}
            return "; ".join(labels.get(str(id), str(id)) for id in default)
        if isinstance(request, Allocate) and isinstance(default, dict):
            names = {option.id: self.texts.text(option.label, self.language) for option in request.receivers}
            given = {receiver: things for receiver, things in default.items() if things}
            return "; ".join(f"{names.get(to, to)}: {', '.join(self.piece(one) for one in things)}" for to, things in given.items())
        return self.word(default) if default else self.say("hint.nothing")

    def _route(self, route: dict[str, Any]) -> str:
        path = [f"{x / GRID:g},{y / GRID:g}" for x, y in route.get("path", ())] or ["stay"]
        return " ".join(path) + (f" face {route['facing']}" if route.get("facing") is not None else "")
