"""A whole game in the terminal, through requests, scenes, events and traces alone: plain lines, no cursor tricks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sandtable.kernel.decisions import Allocate, Option, PickOne, PickPlaces, PickRoute, PickSeveral, Request, TypeDie, refusal_of
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import Record, other
from sandtable.kernel.match import Match
from sandtable.kernel.messages import Message
from sandtable.kernel.saves import save_match
from sandtable.kernel.scene import Scene
from sandtable.text_table import words_of
from sandtable.text_table.answers import AllocationDraft, NotUnderstood, PlacesDraft, read_die, read_one, read_route, read_several
from sandtable.text_table.describing import Describer, find_piece
from sandtable.text_table.drawing import draw
from sandtable.text_table.explain import explain
from sandtable.text_table.places import GRID
from sandtable.text_table.proposing import Proposals

_CHANGED = object()
"""The match has gone another way (undo): look again what it asks."""


class Quit(Exception):
    """The player leaves."""


class TextTable:
    """One sitting. `read` gives a typed line (EOFError at the end), `write` shows one."""

    def __init__(
        self,
        match: Match,
        people: tuple[str, ...],
        *,
        language: str = "en",
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        file: Path | None = None,
    ) -> None:
        self.match, self.people, self.language = match, people, language
        self.game = match.game
        self.texts = words_of(match.game, match.battle)
        self.proposals = Proposals(self.texts, language, match.game.unit)
        self.read, self.write = read, write
        self.file = file
        """Where the match is written as it goes on."""
        self._shown: set[int] = set()  # which records have been shown
        self._seat = ""
        self._heading = ""
        self._leaving = False
        self._draft: tuple[int, PlacesDraft] | None = None  # places typed so far, kept over a refusal

    # -- the sitting ----------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play until the battle is over or the player leaves."""
        scenario = self.match.setup.scenario
        title = str(scenario.get("name") or scenario.get("id") or "")
        self.tell("table.welcome", game=Message(f"game.{self.game.id}"), scenario=title)
        self.tell("table.fair", hash=self.match.seed_hash)
        try:
            if self.match.pending is None and not self.match.over:
                self.match.run()
            while not self.match.over and (request := self.match.request) is not None:
                self.turn(request)
        except (Quit, EOFError) as end:
            if isinstance(end, EOFError):
                self.tell("table.ended_input")
            if self.file is not None:
                self.tell("table.goodbye", file=str(self.file))
            return
        self.news(self.people[0] if len(self.people) == 1 else None)
        if self.match.over:
            self.tell("table.seed", seed=self.match.seed)

    def turn(self, request: Request) -> None:
        """One question: what is new, the question, the answer or a refusal."""
        self.take_seat(request.player)
        self.news(request.player)
        self.heading(request.player)
        answer = self.ask(request)
        if answer is _CHANGED:
            return
        try:
            self.match.submit(request.player, self.match.number, answer)
        except RefusedError as problem:
            self.tell("table.refused", reason=self.reason(problem))

    def take_seat(self, side: str) -> None:
        if len(self.people) < 2 or side == self._seat:
            return
        if self._seat and self.match.present.secrets:
            self.read(self.said("table.pass_seat", side=self.side(side)) + " ")
        self._seat = side
        self.tell("table.your_turn", side=self.side(side))

    def heading(self, side: str) -> None:
        """Turn and phase when they change; the whole table at the beginning of a turn."""
        scene = self.scene(side)
        describer = Describer(scene, self.texts, self.language)
        head = next(iter(describer.overview()))
        if head == self._heading:
            return
        before, self._heading = self._heading, head
        turn = self.said("table.turn", turn=scene.turn, phase="", side="").split(".")[0]
        if not before.startswith(turn + "."):
            self.lines(draw(scene, self.texts, self.language))
            self.lines(describer.overview())
        else:
            self.write(head)

    def news(self, side: str | None) -> None:
        """What has happened since the last look, as far as this side may know it."""
        log = self.match.log
        self._shown = {place for place in self._shown if place < len(log)}
        for place, record in enumerate(log):
            if place not in self._shown and record.seen_by(side):
                self._shown.add(place)
                self.write(self.event(record))

    # -- saying things --------------------------------------------------------------------------------------------

    def said(self, id: str, /, **arguments: Any) -> str:
        return self.texts.text(Message(id, arguments), self.language)

    def tell(self, id: str, /, **arguments: Any) -> None:
        self.write(self.said(id, **arguments))

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def side(self, side: str) -> str:
        name = str(self.texts.word(side, self.language))
        return f"{name} ({side})" if name != side else self.said("table.side", side=side)

    def event(self, record: Record) -> str:
        return self.texts.text(record.event.says(), self.language)

    def reason(self, problem: RefusedError) -> str:
        refusal = refusal_of(problem)
        return self.texts.text(refusal.message, self.language) + (f" [{refusal.rule}]" if refusal.rule else "")

    def scene(self, side: str) -> Scene:
        return self.game.scene(self.match.view(side).battle)

    # -- asking ---------------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> Any:
        """An answer in the form that the request wants, however often the player asks for something else first."""
        self.write("")
        self.write(self.texts.text(request.prompt, self.language))
        self.show_choices(request)
        if request.default is not None:
            self.tell("table.default", default=self.proposals.default(request))
        places: PlacesDraft | None = None
        allocation = AllocationDraft(request) if isinstance(request, Allocate) else None
        if isinstance(request, PickPlaces):
            if self._draft is not None and self._draft[0] == self.match.number:
                places = self._draft[1]
            else:
                places = PlacesDraft(request, self.scene(request.player))
                self._draft = (self.match.number, places)
        if allocation is not None and not allocation.left:
            return {}
        while True:
            if allocation is not None:
                labels = [self.texts.text(option.label, self.language) for option in allocation.request.receivers]
                receivers = ", ".join(f"{number} {label}" for number, label in enumerate(labels, 1))
                self.tell("table.which_for", thing=self.proposals.piece(allocation.left[0]), list=receivers)
            line = self.read("> ").strip()
            if not line and request.default is not None:
                return request.default
            try:
                done = self.command(line, request)
                if done is _CHANGED:
                    return _CHANGED
                if done:
                    continue
                answer = self.understand(line, request, places, allocation)
            except NotUnderstood as problem:
                self.tell("table.not_understood", text=line[:60], hint=problem.hint)
                continue
            if answer is not None:
                return answer
            if places is not None:
                names = [", ".join(self.proposals.piece(id) for id in ids) for ids in (places.placed, places.left)]
                self.tell("table.placed", placed=names[0], left=names[1])

    def understand(self, line: str, request: Request, places: PlacesDraft | None, allocation: AllocationDraft | None) -> Any:
        match request:
            case PickOne():
                return read_one(request, line)
            case PickSeveral():
                return read_several(request, line)
            case PickRoute():
                return read_route(request, line, self.scene(request.player))
            case TypeDie():
                return read_die(request, line)
            case _ if places is not None:
                return places.take(line)
            case _ if allocation is not None:
                return allocation.take(line)
        raise NotImplementedError(type(request).__name__)

    def show_choices(self, request: Request) -> None:
        """The options with their numbers, what the game advises about them, and how to type an answer."""
        match request:
            case PickOne() | PickSeveral():
                self.options(request, request.options)
                if isinstance(request, PickSeveral):
                    most = len(request.options) if request.most is None else request.most
                    self.tell("hint.several", least=request.least, most=most)
            case PickRoute():
                if request.unit and (figure := find_piece(self.scene(request.player), request.unit)) is not None:
                    self.lines(Describer(self.scene(request.player), self.texts, self.language).piece(figure))
                if request.reach is not None:
                    self.tell("hint.reach", reach=request.reach / GRID, unit=self.game.unit)
                self.lines(self.proposals.hints(request.hints))
                self.tell("hint.route")
            case PickPlaces():
                for number, piece in enumerate(request.pieces, 1):
                    self.write(f"  {number}. {self.proposals.piece(piece)}")
                self.lines(self.proposals.hints(request.hints))
                self.tell("hint.places")
            case Allocate():
                self.options(request, request.receivers)
                self.tell("hint.allocate")

    def options(self, request: Request, options: tuple[Option, ...]) -> None:
        advise = getattr(self.game, "advice", None)
        advice = advise(self.match.view(request.player).battle, request) if advise is not None else {}
        for number, option in enumerate(options, 1):
            line = f"  {number}. {self.texts.text(option.label, self.language)} ({option.id})"
            if option.refusal is not None:
                why = self.texts.text(option.refusal.message, self.language) + (f" [{option.refusal.rule}]" if option.refusal.rule else "")
                line += f" - {self.said('table.not_possible', reason=why)}"
            if option.id in advice:
                line += f" - {self.texts.text(advice[option.id], self.language)}"
            self.write(line)

    # -- commands -------------------------------------------------------------------------------------------------

    def command(self, line: str, request: Request) -> Any:
        """Whether the line was a command. Some change what the match asks."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word != "quit":
            self._leaving = False
        match word:
            case "help" | "?":
                self.tell("table.help")
            case "map":
                self.lines(draw(self.scene(request.player), self.texts, self.language))
            case "look":
                self.look(request.player, rest)
            case "log":
                self.show_log(request.player, rest)
            case "why":
                self.why(request.player)
            case "rules" | "rule":
                self.rule(rest)
            case "undo":
                return _CHANGED if self.undo(request.player) else True
            case "save":
                self.save(rest)
            case "quit":
                self.quit()
            case _:
                return False
        return True

    def look(self, side: str, name: str) -> None:
        scene = self.scene(side)
        describer = Describer(scene, self.texts, self.language)
        ids = [group.id for group in scene.groups] + [figure.group for figure in scene.figures]
        groups = {id.casefold(): id for id in ids}
        if not name:
            self.lines(describer.overview())
        elif (group := groups.get(name.casefold())) is not None:
            self.lines(describer.group(group))
            for figure in scene.figures:
                if figure.group == group:
                    self.lines(describer.piece(figure))
        elif (found := find_piece(scene, name)) is not None:
            self.lines(describer.piece(found))
        else:
            self.tell("table.no_such_piece", word=name)

    def seen(self, side: str) -> list[Record]:
        return [record for record in self.match.log if record.seen_by(side)]

    def show_log(self, side: str, number: str) -> None:
        count = int(number) if number.isdecimal() and len(number) < 7 else 20
        records = self.seen(side)[-count:] if count else []
        if not records:
            self.tell("table.nothing_yet")
        for record in records:
            self.write(self.event(record))

    def why(self, side: str) -> None:
        """How the last events came about: those since the last one with a trace, and that one."""
        records = self.seen(side)
        if not records:
            self.tell("table.nothing_yet")
            return
        first = max((place for place, record in enumerate(records) if record.trace), default=len(records) - 1)
        for record in records[first : first + 10]:
            self.write(self.event(record))
            for line in explain(record.trace, self.texts, self.language):
                self.write(f"    {line}")

    def rule(self, word: str) -> None:
        try:
            rules = self.game.rules
        except FileNotFoundError:
            rules = {}
        found = [rule for id, rule in rules.items() if word and (id == word.upper() or id.startswith(word.upper() + "-"))]
        if not found:
            self.tell("table.no_such_rule", word=word)
        for rule in found:
            self.write(f"{rule.id}: {rule.text}")

    def undo(self, side: str) -> bool:
        mine = [number for number, answered in enumerate(self.match.answers) if answered.player == side]
        if not mine:
            self.tell("table.nothing_to_undo")
            return False
        number = mine[-1]
        consent = False
        if not self.match.may_undo(number, side):
            two = len(self.people) > 1
            self.tell("table.consent" if two else "table.consent_bot", side=self.side(other(side)))
            if self.read("> ").strip().casefold() not in ("yes", "y", "tak", "t", "sì", "si", "s"):
                self.tell("table.no_consent")
                return False
            consent = True
        self.match.undo(number, side, consent=consent)
        self.tell("table.undone")
        return True

    def save(self, name: str) -> None:
        path = Path(name) if name else self.file
        if path is None:
            self.tell("table.not_saved")
            return
        try:
            if path != self.file:
                if path.exists() and not path.read_bytes().startswith(b'{"sandtable"'):
                    raise FileExistsError(17, "is no save; it stays as it is", name)
                save_match(self.match, path)
        except (OSError, ValueError) as problem:
            self.write(f"{path}: {getattr(problem, 'strerror', None) or problem}")
            return
        self.tell("table.saved", file=str(path))
        self._leaving = True  # kept: quit may go without another word

    def quit(self) -> None:
        if self.file is None and not self._leaving:
            self._leaving = True
            self.tell("table.not_saved")
            return
        raise Quit
