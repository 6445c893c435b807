"""The table described in words: where every group is, and how far and in which direction its enemies are."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.messages import Catalogue, Message
from sandtable.kernel.scene import Figure, Ground, Mark, Scene
from sandtable.text_table.places import GRID, apart, bearing, gap, inside, middle, to_edge, wind

NEAREST = 3


class Describer:
    """A scene in the words of one language."""

    def __init__(self, scene: Scene, texts: Catalogue, language: str) -> None:
        self.scene, self.texts, self.language = scene, texts, language

    def say(self, id: str, /, **arguments: object) -> str:
        return self.texts.text(Message(id, arguments), self.language)

    def side(self, side: str) -> str:
        """A side by its name and its letter, or by its letter alone."""
        name = str(self.texts.word(side, self.language))
        if name != side:
            return f"{name} ({side})"
        return self.say("table.side", side=side) if side else "-"

    def overview(self) -> Iterator[str]:
        """Turn and phase, what stands beside the table, then group by group, the active side first."""
        scene = self.scene
        yield self.say("table.turn", turn=scene.turn, phase=scene.phase, side=self.side(scene.active))
        for line in scene.lines:
            yield self.texts.text(line, self.language)
        for mark in scene.marks:
            place = self.where(middle(mark.shape), leave_out=mark.id)
            yield f"{self.texts.text(mark.name, self.language)}: {place}"
        groups = list(dict.fromkeys(figure.group for figure in scene.figures))
        for group in sorted(groups, key=lambda group: self.group_side(group) != scene.active):
            yield from self.group(group)

    def group_side(self, group: str) -> str:
        return next((figure.side for figure in self.scene.figures if figure.group == group), "")

    def group_name(self, group: str) -> str:
        for known in self.scene.groups:
            if known.id == group:
                return self.texts.text(known.name, self.language)
        return group

    def group(self, group: str) -> Iterator[str]:
        """One group: where it is, its states, its nearest enemies."""
        members = [figure for figure in self.scene.figures if figure.group == group]
        known = next((found for found in self.scene.groups if found.id == group), None)
        if not members:
            yield f"{self.group_name(group)} ({group}): {self.say('table.off')}"
            return
        leader = next((figure for figure in members if figure.leader), members[0])
        name = f"{self.group_name(group)} ({group})"
        count = self.say("table.pieces", number=len(members))
        line = self.say("table.group", name=name, side=self.side(leader.side), count=count, place=self.where((leader.x, leader.y)))
        states = [str(self.texts.word(state, self.language)) for state in (known.states if known else ())]
        yield line + (f" [{', '.join(states)}]" if states else "")
        if known:
            for fact in known.facts:
                yield f"    {self.texts.text(fact, self.language)}"
        enemies = self.enemies(members)
        if enemies:
            yield "    " + self.say("table.enemies", list="; ".join(enemies))

    def piece(self, figure: Figure) -> Iterator[str]:
        """One piece: where it is, its states, its nearest enemies."""
        name = f"{self.texts.text(figure.name, self.language)} ({figure.id})"  # the id is what a player types
        place = self.where((figure.x, figure.y))
        states = [str(self.texts.word(state, self.language)) for state in figure.states]
        line = self.say("table.piece", name=name, side=self.side(figure.side), place=place, facing=figure.facing)
        yield line + (f" [{', '.join(states)}]" if states else "")
        enemies = self.enemies([figure])
        if enemies:
            yield "    " + self.say("table.enemies", list="; ".join(enemies))

    def enemies(self, members: list[Figure]) -> list[str]:
        """The nearest enemy groups: base to base, with the bearing."""
        found: dict[str, tuple[float, Figure, Figure]] = {}
        for mine in members:
            for theirs in self.scene.figures:
                if theirs.side == mine.side or not theirs.side or theirs.carried_by:
                    continue
                centres = apart((mine.x, mine.y), (theirs.x, theirs.y))
                best = found.get(theirs.group)
                if best is None or centres < best[0]:
                    found[theirs.group] = (centres, mine, theirs)
        lines = []
        for _, mine, theirs in sorted(found.values(), key=lambda row: (row[0], row[2].id))[:NEAREST]:
            distance = gap(mine, theirs)
            name = f"{self.group_name(theirs.group)} ({theirs.id})"
            if distance < GRID / 100:
                lines.append(self.say("table.touching", name=name))
                continue
            there = f"wind.{wind(bearing((mine.x, mine.y), (theirs.x, theirs.y)))}"
            far = distance / GRID
            lines.append(self.say("table.enemy", name=name, distance=far, unit=self.scene.unit, wind=there))
        return lines

    def where(self, point: tuple[float, float], leave_out: str = "") -> str:
        """A place by its coordinates and the nearest thing with a name: "6 in north-east of the crossroads"."""
        best: tuple[float, tuple[float, float], Message] | None = None
        for landmark in landmarks(self.scene):
            if landmark.id == leave_out or not landmark.shape:
                continue
            area = getattr(landmark, "form", "area") not in ("line", "road")
            if area and inside(point, landmark.shape):
                far = 0.0
            elif area:
                far = to_edge(point, landmark.shape)
            else:
                continue  # a road is everywhere: it says little about where something is
            if best is None or far < best[0]:
                best = (far, middle(landmark.shape), landmark.name)
        spot = self.say("table.point", x=point[0] / GRID, y=point[1] / GRID)
        if best is None:
            return spot
        far, centre, name = best
        if far < GRID / 2:
            return f"{spot}, {self.say('table.at', name=name)}"
        there = f"wind.{wind(bearing(centre, point))}"
        return f"{spot}, {self.say('table.away', distance=far / GRID, unit=self.scene.unit, wind=there, name=name)}"


def landmarks(scene: Scene) -> list[Mark | Ground]:
    """The things with a name that do not move."""
    return [*scene.marks, *scene.ground]


def find_piece(scene: Scene, word: str) -> Figure | None:
    """A piece by its id, or the leader (else the first piece) of a group."""
    for figure in scene.figures:
        if figure.id.casefold() == word.casefold():
            return figure
    members = [figure for figure in scene.figures if figure.group.casefold() == word.casefold()]
    return next((figure for figure in members if figure.leader), members[0] if members else None)


def find_place(scene: Scene, word: str) -> tuple[int, int] | None:
    """The middle of a piece, mark or piece of terrain by its id."""
    figure = find_piece(scene, word)
    if figure is not None:
        return figure.x, figure.y
    for landmark in landmarks(scene):
        if landmark.id.casefold() == word.casefold():
            x, y = middle(landmark.shape)
            return round(x), round(y)
    return None
