"""All matches: those in memory, those in the database, and everything that happens to them.

An answer is checked and played, stored, and only then told to anybody. If it cannot be stored, the match in memory is
thrown away and read again: what is stored is what has happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import msgspec

from sandtable.bots.random_legal import RandomLegal
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.events import SIDES
from sandtable.kernel.game import Game, Setup
from sandtable.kernel.match import Match
from sandtable.kernel.saves import Save, head_of, open_match
from sandtable.kernel.table import read_answer
from sandtable.server.live import Denied, Lines, Live, Window, open_stored
from sandtable.server.protocol import Present, encode
from sandtable.server.seats import PUBLIC, Seat, stored
from sandtable.server.settings import Settings
from sandtable.server.storage import Row, Storage, StorageError, StoredMatch, now
from sandtable.server.tables import next_id
from sandtable.server.work import Workers

log = logging.getLogger(__name__)


class Gone(Exception):
    """The connection has to be made again: the match was thrown out of memory."""


class SeatWanted(msgspec.Struct, frozen=True):
    """How a side's seat is to be filled."""

    bot: str = ""
    """The bot that plays it; empty for a person."""
    name: str = ""


class Created(msgspec.Struct, frozen=True):
    """A new match, and the tokens of its seats. They are shown this once."""

    match: str
    tokens: dict[str, str]
    """Side (or `public`) -> token; a bot's seat has none."""


def _kind(live: Live) -> tuple[str, str]:
    """Answers of a kind take about the same time."""
    asked = live.match.request
    return live.game.id, "" if asked is None else asked.decision


class Matches:
    """The matches of a server."""

    def __init__(self, storage: Storage, workers: Workers, settings: Settings) -> None:
        self.storage, self.workers, self.settings = storage, workers, settings
        self._lives: dict[str, asyncio.Future[Live]] = {}
        self._used: dict[str, float] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
        for live in self.in_memory():
            if live.bot_task is not None:
                live.bot_task.cancel()

    # -- making and finding ---------------------------------------------------------------------------------------

    async def create(self, game: Game, setup: Setup, wanted: dict[str, SeatWanted], title: str) -> Created:
        """A new match."""

        def begin() -> tuple[Match, Lines]:
            lines = Lines()
            match = Match(game, setup, journal=lines)
            match.run()
            return match, lines

        match, lines = await self.workers.apart(begin)
        return await self._enter(match, encode(head_of(match)), lines.take(), wanted, title)

    async def adopt(self, save: Save, data: bytes, wanted: dict[str, SeatWanted], title: str) -> Created:
        """A match from a save, to be played on or looked at. Its lines become the journal, as they are."""
        head, _, rest = data[: save.length].partition(b"\n")
        if rest and not rest.endswith(b"\n"):
            rest += b"\n"

        def begin() -> tuple[Match, Lines]:
            lines = Lines()
            return open_match(save, journal=lines), lines

        match, lines = await self.workers.apart(begin)
        return await self._enter(match, head, rest + lines.take(), wanted, title)

    async def _enter(self, match: Match, head: bytes, text: bytes, wanted: dict[str, SeatWanted], title: str) -> Created:
        id = secrets.token_urlsafe(9)
        kept = StoredMatch(id, match.game.id, title[:200], now(), head)
        seats, tokens = [], {}
        for side in (*SIDES, PUBLIC):
            want = wanted.get(side, SeatWanted())
            seat, token = stored(id, side, bot=want.bot, name=want.name)
            seats.append(seat)
            if token:
                tokens[side] = token
        waiting = "" if match.request is None else match.request.player
        row = Row(id, next_id(0), 0, text, waiting, 0)
        await asyncio.to_thread(self.storage.create, kept, seats, row)
        live = Live(kept, seats, match, row.id, self.settings.remembered_steps)
        self._lives[id] = asyncio.get_running_loop().create_future()
        self._lives[id].set_result(live)
        self._touch(live)
        self._prompt(live)
        return Created(id, tokens)

    async def live(self, id: str) -> Live:
        """A match in memory, read from the database if it is not there."""
        task = self._lives.get(id)
        if task is None:
            task = self._lives[id] = asyncio.create_task(self._load(id))
        try:
            live = await asyncio.shield(task)
        except Exception:
            if self._lives.get(id) is task:
                del self._lives[id]
            raise
        self._touch(live)
        return live

    async def _load(self, id: str) -> Live:
        stored, seats, texts, last = await asyncio.to_thread(self.storage.read, id)

        def load() -> tuple[Match, bytes]:
            lines = Lines()
            return open_stored(stored, texts, lines), lines.take()

        match, more = await self.workers.apart(load)
        live = Live(stored, seats, match, last, self.settings.remembered_steps)
        if more:  # an answer that the rules of this version refuse, or a step that they finish
            row = live.row()
            await self.storage.append(msgspec.structs.replace(row, lines=more))
        self._prompt(live)
        return live

    def whole(self, live: Live) -> Match:
        """The match with everything that the one in memory has forgotten. Waits for the database."""
        stored, _, texts, _ = self.storage.read(live.stored.id)
        return open_stored(stored, texts)

    def in_memory(self) -> list[Live]:
        return [task.result() for task in self._lives.values() if task.done() and not task.cancelled() and task.exception() is None]

    # -- clients --------------------------------------------------------------------------------------------------

    async def join(self, seat: Seat, client: object, post: Callable[[bytes], None], era: str, seen: int) -> tuple[Live, Window]:
        """A client sits down: it is told everything, and from now on all that is new."""
        while True:
            live = await self.live(seat.match)
            async with live.lock:
                if live.dropped:
                    continue
                window = live.windows.get(seat.view)
                most = self.settings.spectators if seat.view == PUBLIC else self.settings.sockets_a_seat
                if window is not None and len(window.posts) >= most:
                    raise Denied.because("too_fast", "refused.too_many_connections")
                opened, text = await self.workers.do((live.game.id, "hello"), partial(live.welcome, seat.view, era, seen))
                post(text)
                opened.posts[client] = post
                if window is None:
                    self._tell_presence(live, but=client)
                self._prompt(live)
                return live, opened

    def leave(self, live: Live, window: Window, client: object) -> None:
        window.posts.pop(client, None)
        if not window.posts and live.windows.get(window.view) is window:
            del live.windows[window.view]
            self._tell_presence(live)
        self._touch(live)

    def _tell_presence(self, live: Live, but: object = None) -> None:
        text = encode(Present(views=live.present()))
        for window in live.windows.values():
            for client, post in list(window.posts.items()):
                if client is not but:
                    post(text)

    # -- what happens to a match ----------------------------------------------------------------------------------

    async def answer(self, live: Live, side: str | None, number: int, answer: Any) -> None:
        """A side's answer: checked, played, stored, told. Denied if it is refused."""
        await self._change(live, side, _kind(live), partial(live.answer, side, number, answer))

    async def undo(self, live: Live, side: str | None, number: int) -> None:
        await self._change(live, side, None, lambda: live.undo(side, number, lambda: self.whole(live)))

    async def consent(self, live: Live, side: str | None, yes: bool) -> None:
        await self._change(live, side, None, lambda: live.consent(side, yes, lambda: self.whole(live)))

    def answer_at_once(self, live: Live, side: str | None, number: int, answer: Any, done: Callable[[Denied | None], None]) -> bool:
        """As `answer`, without anybody waiting for it: `done` is called once the answer is stored and told, or could not be stored.

        False if it cannot be done so (somebody else is at the match, or the answer takes long to play); then nothing has happened.
        """
        kind = _kind(live)
        if live.dropped or not self.workers.quick(kind) or not live.lock.take():
            return False
        begun = perf_counter()
        try:
            row, posts = live.change(side, partial(live.answer, side, number, answer))
            assert row is not None
        except Exception as problem:
            live.lock.give_back()
            raise self._denied(live, problem) from None
        self.workers.took(kind, perf_counter() - begun)

        def then(problem: StorageError | None) -> None:
            try:
                if problem is None:
                    self._tell(live, posts)
            finally:
                denied = None if problem is None else self._denied(live, problem)
                live.lock.give_back()
                done(denied)

        self.storage.store(row, then)
        return True

    async def _change(self, live: Live, by: str | None, kind: object, act: Callable[[], Any]) -> None:
        async with live.lock:
            if live.dropped:
                raise Gone
            try:
                row, posts = await self.workers.do(kind, partial(live.change, by, act))
                if row is not None:
                    await self.storage.append(row)
            except Exception as problem:
                raise self._denied(live, problem) from None
            self._tell(live, posts)

    def _tell(self, live: Live, posts: list[tuple[Window, bytes]]) -> None:
        """Tell everybody what is new, and stored."""
        for window, text in posts:
            for post in window.posts.values():
                post(text)
        if live.bot_names:
            self._prompt(live)

    def _denied(self, live: Live, problem: Exception) -> Denied:
        """What somebody is told whose change was not made. Unless it was refused by the rules, the match in memory is of no more use."""
        if isinstance(problem, Denied):
            return problem
        self._drop(live)
        if isinstance(problem, StorageError):
            return Denied.because("not_stored", "refused.not_stored")
        log.error("match %s of %s went wrong and is read again from the database", live.stored.id, live.game.id, exc_info=problem)
        return Denied.because("mistake", "refused.mistake")

    def _drop(self, live: Live) -> None:
        """Throw a match out of memory. Its clients come back and find what is stored."""
        live.dropped = True
        self._lives.pop(live.stored.id, None)
        for window in live.windows.values():
            for client in list(window.posts):
                come_again = getattr(client, "come_again", None)
                if come_again is not None:  # after whatever it is to be told about it
                    asyncio.get_running_loop().call_soon(come_again)

    # -- bots -----------------------------------------------------------------------------------------------------

    def _prompt(self, live: Live) -> None:
        """Let a bot answer, if it is asked."""
        if live.waiting in live.bot_names and live.bot_task is None and not live.dropped:
            live.bot_task = asyncio.get_running_loop().create_task(self._play_bots(live))

    async def _play_bots(self, live: Live) -> None:
        try:
            while not live.dropped:
                async with live.lock:
                    asked, pending, version = live.match.request, live.match.pending, live.version
                    if asked is None or pending is None or asked.player not in live.bot_names:
                        return
                    side, check = asked.player, pending.check
                    battle, number = live.battle_for(side), live.given[side]

                def think(side: str = side, battle: Any = battle, asked: Any = asked, check: Any = check) -> Any:
                    try:
                        answer = live.bot(side).answer(battle, asked, check)
                        read_answer(asked, check, answer)
                        return answer
                    except Exception:
                        log.exception("the bot of match %s failed at %s; any legal answer is given", live.stored.id, asked.decision)
                        return RandomLegal(live.game, side, live.version).answer(battle, asked, check)

                answer = await self.workers.think(think)
                self._touch(live)
                if live.version != version:
                    continue  # somebody went back in the meantime
                try:
                    await self.answer(live, side, number, answer)
                except Denied as problem:
                    if problem.code in ("stale", "not_yours", "nothing_asked"):
                        continue
                    log.error("match %s waits for a bot that finds no legal answer (%s)", live.stored.id, problem.code)
                    return
                except Gone:
                    return
        finally:
            live.bot_task = None

    # -- memory ---------------------------------------------------------------------------------------------------

    def _touch(self, live: Live) -> None:
        self._used[live.stored.id] = asyncio.get_running_loop().time()

    async def _sweep(self) -> None:
        """Every now and then: matches that nobody looks at leave memory."""
        while True:
            await asyncio.sleep(max(0.05, self.settings.idle_seconds / 4))
            with contextlib.suppress(SandtableError):
                self.sweep(asyncio.get_running_loop().time() - self.settings.idle_seconds)

    def sweep(self, before: float) -> None:
        for live in self.in_memory():
            idle = self._used.get(live.stored.id, 0.0) <= before
            if idle and not live.windows and live.bot_task is None and not live.lock.taken:
                live.dropped = True
                self._lives.pop(live.stored.id, None)
                self._used.pop(live.stored.id, None)
