"""A match that is being played, in memory, and what each of its views has been shown so far.

A `Live` is used by one at a time (its `lock`). It never sends a side anything but what the kernel lets that side see:
records by `Record.seen_by`, battles by `Battle.seen_by`, a question only to the side it is put to.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec

from sandtable.kernel.decisions import AnyRequest, Request
from sandtable.kernel.errors import RefusedError
from sandtable.kernel.events import SIDES, Battle, Record
from sandtable.kernel.match import Answered, Match
from sandtable.kernel.messages import Message
from sandtable.kernel.saves import Save, open_match, read_save
from sandtable.kernel.scene import Scene
from sandtable.kernel.table import Source
from sandtable.lab.bots import make_bot
from sandtable.server.deltas import difference
from sandtable.server.protocol import Changes, Decision, Entry, Hello, SceneChange, SeatInfo, TakeBack, UndoState, encode, entry_of
from sandtable.server.protocol import View as ViewName
from sandtable.server.seats import VIEWS, side_of
from sandtable.server.storage import Row, StoredMatch, StoredSeat
from sandtable.server.tables import next_id
from sandtable.server.work import Lock

Post = Callable[[bytes], None]
"""Sends a message to one client, without waiting for it."""


class Denied(Exception):
    """Something that a client wanted was not done; nothing has changed."""

    def __init__(self, code: str, message: Message, rule: str = "") -> None:
        super().__init__(code)
        self.code, self.message, self.rule = code, message, rule

    @staticmethod
    def because(code: str, id: str, rule: str = "", **arguments: Any) -> Denied:
        return Denied(code, Message(id, arguments), rule)


class Lines:
    """The journal of a match: lines of a save, gathered until they are stored."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def answered(self, answered: Answered) -> None:
        self.lines.append(encode({"answer": answered}))

    def stepped(self, step: str, position: int, answers: int, records: list[Record]) -> None:
        self.lines.append(encode({"step": (step, position, answers, records)}))

    def undone(self, answers: int) -> None:
        self.lines.append(encode({"undo": answers}))

    def take(self) -> bytes:
        text = b"\n".join([*self.lines, b""])
        self.lines.clear()
        return text


class Window:
    """One view of a match that somebody has open: what he was shown last."""

    __slots__ = ("posts", "scene", "side", "undo", "view")

    def __init__(self, view: str, scene: Scene) -> None:
        self.view, self.side, self.scene = view, side_of(view), scene
        self.undo: UndoState = ""
        self.posts: dict[object, Post] = {}


class Live:
    """A match in memory."""

    def __init__(self, stored: StoredMatch, seats: Iterable[StoredSeat], match: Match, last: int, remembered: int) -> None:
        self.stored, self.seats = stored, tuple(seats)
        self.match, self.game = match, match.game
        self.journal = Lines()
        match.journal = self.journal
        self.last = last
        """The last row of the journal."""
        self.remembered = remembered
        self.lock = Lock()
        self.version = 0
        """Counts what happens to it: a bot that thought about an older version thinks again."""
        self.windows: dict[str, Window] = {}
        self.take_back: tuple[str, int] | None = None
        """A side's wish to go back, and to which of the match's questions."""
        self.bot_names = {seat.side: seat.bot for seat in self.seats if seat.kind == "bot"}
        self.bots: dict[str, Source] = {}
        self.bot_task: asyncio.Task[None] | None = None
        self.turn = 0
        self.dropped = False
        self._born = secrets.token_hex(4)
        self._shrunk = dict.fromkeys(VIEWS, 0)
        self._wish: tuple[str, int] | None = None  # the wish to go back that everybody was told of
        self._take_over(match)

    def _take_over(self, match: Match) -> None:
        """Count what there is in the whole match, once, and forget what is not needed."""
        self.given = {side: sum(answered.player == side for answered in match.answers) for side in SIDES}
        self.before = dict.fromkeys(VIEWS, 0)  # entries that each view has seen of what is forgotten
        self.shown = self._count(match.log)
        self.length = match.length
        self.waiting = self._asked()
        self._forget(self.remembered)

    def _count(self, records: Iterable[Record]) -> dict[str, int]:
        public, found = 0, dict(self.before)
        for record in records:
            if record.only is None:
                public += 1
            else:
                found[record.only] += 1
        return {view: number + public for view, number in found.items()}

    def _forget(self, steps: int) -> None:
        old = self.match.forget(steps)
        if old:
            self.before = self._count(old)

    def _asked(self) -> str:
        request = self.match.request
        return "" if request is None else request.player

    # -- looking --------------------------------------------------------------------------------------------------

    def battle_for(self, side: str | None) -> Battle:
        return self.match.present.seen_by(side)  # type: ignore[no-any-return]

    def request_for(self, side: str | None) -> Request | None:
        asked = self.match.request
        return asked if asked is not None and asked.player == side else None

    def decision_for(self, side: str | None) -> Decision | None:
        asked = self.request_for(side)
        return None if asked is None or side is None else Decision(self.given[side], cast(AnyRequest, asked))

    def undo_for(self, side: str | None) -> UndoState:
        """Whether a side's last answer can be taken back."""
        if side is None or not self.given[side] or self.match.over:
            return ""
        match = self.match
        if not match.answers or match.answers[-1].player != side:
            return "consent"  # the other side has answered since, or it is long ago
        return "free" if match.may_undo(match.number - 1, side) else "consent"

    def _own(self, side: str, number: int) -> int | None:
        """The match's number of a side's own question `number`; None if that is forgotten."""
        count = self.given[side]
        answers = self.match.answers
        for place in range(len(answers) - 1, -1, -1):
            if answers[place].player == side:
                count -= 1
                if count == number:
                    return self.match.gone + place
        return None

    def era(self, view: str) -> str:
        return f"{self._born}-{self._shrunk[view]}"

    def seat_infos(self) -> tuple[SeatInfo, ...]:
        typed = self.match.setup.typed
        return tuple(SeatInfo(seat.side, seat.kind, seat.name, seat.bot, seat.side in typed) for seat in self.seats if seat.side in SIDES)

    def present(self) -> tuple[str, ...]:
        return tuple(view for view in VIEWS if view in self.windows)

    def entries(self, view: str, since: int) -> tuple[int, tuple[Entry, ...]]:
        """The entries of a view from number `since` on, as far as they are in memory: the number of the first, and they."""
        side = side_of(view)
        seen = [record for record in self.match.log if record.seen_by(side)]
        first = max(self.before[view], min(since, self.shown[view]))
        return first, tuple(entry_of(record) for record in seen[first - self.before[view] :])

    # -- windows --------------------------------------------------------------------------------------------------

    def look_in(self, view: str) -> Window:
        """A window on the match for a view; the one that is open, if there is one."""
        window = self.windows.get(view)
        if window is None:
            window = self.windows[view] = Window(view, self.game.scene(self.battle_for(side_of(view))))
            window.undo = self.undo_for(window.side)
            self.turn = window.scene.turn
        return window

    def welcome(self, view: str, era: str, seen: int) -> tuple[Window, bytes]:
        """The window of a view, and what somebody who opens it has to be told."""
        window = self.look_in(view)
        return window, self.hello(window, era, seen)

    def hello(self, window: Window, era: str, seen: int) -> bytes:
        """Everything that a client of this view has to know. `era` and `seen` say what of the log it has."""
        view, side, match = window.view, window.side, self.match
        latest = max(0, self.shown[view] - 200)
        at, log = self.entries(view, seen if era == self.era(view) and seen >= 0 else latest)
        return encode(
            Hello(
                match=self.stored.id,
                game=self.game.id,
                title=self.stored.title,
                view=cast(ViewName, view),
                seats=self.seat_infos(),
                present=self.present(),
                scene=window.scene,
                names=self.game.shown_names(self.battle_for(side)),
                era=self.era(view),
                seed_hash=match.seed_hash,
                at=at,
                log=log,
                **self._state(side),
            )
        )

    def _state(self, side: str | None) -> dict[str, Any]:
        over = self.match.over
        return {
            "waiting": self.waiting,
            "given": 0 if side is None else self.given[side],
            "decision": self.decision_for(side),
            "undo": self.undo_for(side),
            "take_back": None if self.take_back is None else TakeBack(self.take_back[0]),
            "result": self.match.battle.result if over else None,
            "seed": self.match.seed if over else "",
        }

    def news(self, by: str | None = None) -> list[tuple[Window, bytes]]:
        """What each open view has to be told after a change, which side `by` made."""
        match, shown = self.match, self.shown
        self.version += 1
        waited, self.waiting = self.waiting, self._asked()
        new: list[Record] = []
        more = 0
        shrunk: tuple[str, ...] = ()
        length = match.length
        if length >= self.length:
            new = match.log_from(self.length)
            hidden = [record for record in new if record.only is not None]
            since, more = shown, len(new) - len(hidden)
            shown = {view: number + more for view, number in since.items()}
            for record in hidden:
                shown[cast(str, record.only)] += 1
        else:
            since = self._count(match.log)
            shrunk = tuple(view for view in VIEWS if since[view] < shown[view])
            shown = since
            for view in shrunk:
                self._shrunk[view] += 1
        self.shown, self.length = shown, length
        over = match.over
        everybody, self._wish = over or self._wish != self.take_back, self.take_back
        posts = []
        if self.windows:
            entries: tuple[Any, ...] = tuple([msgspec.Raw(encode(entry_of(record))) for record in new])
            present, asked, waiting = match.present, match.request, self.waiting
            wish = None if self.take_back is None else TakeBack(self.take_back[0])
            battle: Battle | None = None  # of the last window, with what is drawn of it: often the next one's too
            before: Scene | None = None
            for view, window in list(self.windows.items()):
                side = window.side
                seen = present.seen_by(side)
                if seen is not battle:
                    battle, scene, before = seen, self.game.scene(seen), None
                if window.scene is not before:
                    before = window.scene
                    change = difference(before, scene)
                    added = change is not None and _added(change)
                log = entries
                if more != len(new):
                    log = tuple([raw for record, raw in zip(new, entries, strict=True) if record.seen_by(side)])
                undo = self.undo_for(side)
                quiet = not log and change is None and waited == waiting and undo == window.undo and view not in shrunk
                window.scene, window.undo, self.turn = scene, undo, scene.turn
                if quiet and not everybody and by != side and waiting != side:
                    continue
                given = 0 if side is None else self.given[side]
                decision: Any = Decision(given, asked) if asked is not None and asked.player == side else None  # type: ignore[arg-type]
                changes = Changes(at=since[view], log=log, scene=change, waiting=waiting, given=given, decision=decision, undo=undo)
                if added or over or wish is not None or view in shrunk:  # seldom
                    changes = msgspec.structs.replace(
                        changes,
                        names=self.game.shown_names(battle) if added else None,
                        era=self.era(view) if view in shrunk else "",
                        take_back=wish,
                        result=match.battle.result if over else None,
                        seed=match.seed if over else "",
                    )
                posts.append((window, encode(changes)))
        if len(match.checkpoints) > 2 * self.remembered:
            self._forget(self.remembered)
        return posts

    def change(self, by: str | None, act: Callable[[], Any]) -> tuple[Row | None, list[tuple[Window, bytes]]]:
        """Do something to the match: what is to be stored of it, and what is to be told to whom once it is."""
        act()
        posts = self.news(by)
        return self.row() if self.journal.lines else None, posts

    # -- acting ---------------------------------------------------------------------------------------------------

    def answer(self, side: str | None, number: int, answer: Any) -> None:
        """A side's answer to its own question `number`."""
        asked = self.match.request
        if asked is None:
            raise Denied.because("nothing_asked", "refused.nothing_asked")
        if side is None:
            raise Denied.because("not_yours", "refused.not_yours", player=asked.player)
        if number < self.given[side]:
            raise Denied.because("stale", "refused.stale", number=number, now=self.given[side])
        if asked.player != side:
            raise Denied.because("not_yours", "refused.not_yours", player=asked.player)
        if number != self.given[side]:
            raise Denied.because("stale", "refused.stale", number=number, now=self.given[side])
        before = self.match.number
        try:
            self.match.submit(side, before, answer)
        except RefusedError as problem:
            if self.match.number != before:
                raise RuntimeError("the rules refused what they had accepted") from problem
            raise Denied("illegal", Message(problem.message, dict(problem.arguments)), problem.rule) from None
        self.given[side] += 1
        self.take_back = None

    def undo(self, side: str | None, number: int, whole: Callable[[], Match]) -> bool:
        """Back to a side's own question `number`; False if the other side has been asked whether it agrees.

        `whole` opens the match with all that it has forgotten.
        """
        if side is None:
            raise Denied.because("not_yours", "refused.not_yours", player="")
        if self.match.over or not 0 <= number < self.given[side]:
            raise Denied.because("nothing_asked", "refused.no_such_question", number=number)
        at = self._own(side, number)
        if at is None:
            self._remember(whole())
            at = self._own(side, number)
            assert at is not None
        if not self.match.may_undo(at, side) and not set(SIDES) - {side} <= set(self.bot_names):
            self.take_back = (side, at)
            return False
        self._go_back(at, side)
        return True

    def consent(self, side: str | None, yes: bool, whole: Callable[[], Match]) -> bool:
        """What a side says to the other's wish to take back. Whether the match has gone back."""
        if self.take_back is None or side is None or self.take_back[0] == side:
            raise Denied.because("nothing_asked", "refused.nothing_asked")
        by, at = self.take_back
        self.take_back = None
        if not yes:
            return False
        if at < self.match.gone:
            self._remember(whole())
        self._go_back(at, by)
        return True

    def _remember(self, match: Match) -> None:
        if (match.number, match.length) != (self.match.number, self.match.length):
            raise RuntimeError("the stored match is not the one in memory")
        self.match = match
        match.journal = self.journal
        self.before = dict.fromkeys(VIEWS, 0)

    def _go_back(self, at: int, by: str) -> None:
        for answered in self.match.answers[at - self.match.gone :]:
            self.given[answered.player] -= 1
        self.take_back = None
        self.bots.clear()
        self.match.undo(at, by, consent=True)

    def row(self) -> Row:
        """What has been written since the last row, to be stored."""
        before, self.last = self.last, next_id(self.last)
        return Row(self.stored.id, self.last, before, self.journal.take(), self.waiting, self.turn)

    # -- bots -----------------------------------------------------------------------------------------------------

    def bot(self, side: str) -> Source:
        """The bot of a side. It is made anew when the match is loaded: what it did is in the answers, not in it."""
        found = self.bots.get(side)
        if found is None:
            text = f"{self.match.seed} {side} {self.match.number}"
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            found = self.bots[side] = make_bot(self.game, self.bot_names[side], side, seed)
        return found


def _added(change: SceneChange) -> bool:
    """Whether things with new names may have come onto the table."""
    for things in (change.figures, change.groups):
        if things is not None:
            for put in things.put:
                if not isinstance(put, dict) or "name" in put:
                    return True
    return change.whole is not None


def read_stored(stored: StoredMatch, lines: Iterable[bytes]) -> Save:
    return read_save(b"".join([stored.head, b"\n", *lines]), f"match {stored.id}")


def open_stored(stored: StoredMatch, lines: Iterable[bytes], journal: Lines | None = None) -> Match:
    """A match from the database, up to its last stored answer."""
    return open_match(read_stored(stored, lines), journal=journal)
