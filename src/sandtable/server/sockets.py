"""One WebSocket a seat: joining, answering, being told what is new."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from time import monotonic
from typing import Any, cast

import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from sandtable.server.live import Denied, Live, Window
from sandtable.server.matches import Gone, Matches
from sandtable.server.protocol import Answer, ClientMessage, Consent, Join, Refused, Undo, encode, read_message
from sandtable.server.seats import Seat, find_seat
from sandtable.server.sending import Outbox
from sandtable.server.storage import StorageError

log = logging.getLogger(__name__)

JOIN_SECONDS = 15.0
"""How long a new connection may take to say who it is."""
CLOSE_SECONDS = 5.0
"""How long it may take to say goodbye."""
PATIENCE = 200
"""How many messages too many it may send before it is cut off."""

AGAIN, POLICY, LOST = WSCloseCode.SERVICE_RESTART, WSCloseCode.POLICY_VIOLATION, WSCloseCode.INTERNAL_ERROR
_tasks: set[asyncio.Task[None]] = set()

TEXT, BINARY, CONTINUATION, CLOSE = WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION, WSMsgType.CLOSE


class Bucket:
    """So many a second; after a quiet time ten seconds' worth at once."""

    __slots__ = ("_at", "_left", "most", "rate")

    def __init__(self, rate: float) -> None:
        self.rate, self.most = rate, rate * 10
        self._left, self._at = self.most, monotonic()

    def take(self) -> bool:
        at = monotonic()
        self._left = min(self.most, self._left + (at - self._at) * self.rate) - 1.0
        self._at = at
        if self._left >= 0.0:
            return True
        self._left = max(self._left, -1.0)
        return False


class Client(WSListener):
    """One connection: a tab of a player or a spectator."""

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self.bucket = Bucket(matches.settings.messages_a_second)
        self.patience = PATIENCE
        self.seat: Seat | None = None
        self.live: Live | None = None
        self.window: Window | None = None
        self._inbox: deque[bytes] = deque()
        self._parts: list[bytes] = []  # of a message that comes in several frames
        self._busy = False  # something of the inbox is being done
        self._left = False
        self._transport: WSTransport
        self._outbox: Outbox
        self._late: asyncio.TimerHandle

    # -- what the connection tells us -----------------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport, self._outbox = transport, Outbox(transport)
        self._late = asyncio.get_running_loop().call_later(JOIN_SECONDS, self.close, POLICY, "no join")

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if kind == TEXT and frame.fin:
            self._take(frame.get_payload_as_bytes())
        elif kind == CLOSE:
            transport.send_close(WSCloseCode.OK)  # nothing happens if we have said it first
            transport.disconnect()
        elif kind in (TEXT, BINARY, CONTINUATION):
            self._parts.append(frame.get_payload_as_bytes())
            if sum(map(len, self._parts)) > self.matches.settings.message_bytes:
                self.close(WSCloseCode.MESSAGE_TOO_BIG, "too large")
            elif frame.fin:
                whole, self._parts = b"".join(self._parts), []
                self._take(whole)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._late.cancel()
        self._left = True
        if self.live is not None and self.window is not None:
            self.matches.leave(self.live, self.window, self)

    def pause_writing(self) -> None:
        self._outbox.pause()

    def resume_writing(self) -> None:
        self._outbox.resume()

    def close(self, code: WSCloseCode, reason: str) -> None:
        if not self._transport.is_close_frame_sent:
            self._transport.send_close(code, reason.encode())
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._transport.disconnect)

    def come_again(self) -> None:
        """The match is read anew: who comes back finds what is stored."""
        self.close(AGAIN, "again")

    # -- what it says, one message after the other ----------------------------------------------------------------

    def _take(self, data: bytes) -> None:
        if self._transport.is_close_frame_sent:
            return
        if not self.bucket.take():
            self.patience -= 1
            if self.patience < 0:
                self.close(POLICY, "too fast")
            else:
                self._refuse(Denied.because("too_fast", "refused.too_fast"))
            return
        self._inbox.append(data)
        self._go_on()

    def _go_on(self) -> None:
        """Whatever is in the inbox: at once where that can be done, else in a task."""
        while self._inbox and not self._busy and not self._transport.is_close_frame_sent:
            data = self._inbox.popleft()
            if self.live is None:
                self._begin(self._join(data))
            else:
                self._act(self.live, data)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._busy = True
        task = asyncio.get_running_loop().create_task(self._work(work))
        _tasks.add(task)  # the loop itself does not hold on to it
        task.add_done_callback(_tasks.discard)

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Gone:
            self.come_again()
        except Exception:
            log.exception("a connection failed")
            self.close(LOST, "mistake")
        finally:
            self._over()

    def _over(self) -> None:
        self._busy = False
        self._go_on()

    async def _join(self, data: bytes) -> None:
        try:
            message = read_message(data)
            if not isinstance(message, Join):
                raise ValueError
        except (ValueError, RecursionError):  # msgspec's errors are among them
            self._turn_away(Denied.because("malformed", "refused.malformed"), "no join")
            return
        seat = await asyncio.to_thread(find_seat, self.matches.storage, message.token)
        if seat is None:
            self._turn_away(Denied.because("no_seat", "refused.no_seat"), "no seat")
            return
        try:
            live, window = await self.matches.join(seat, self, self._outbox.post, message.era, message.seen)
        except StorageError:
            self._turn_away(Denied.because("no_seat", "refused.no_seat"), "no seat")
            return
        except Denied as problem:
            self._turn_away(problem, problem.code)
            return
        self._late.cancel()
        self.seat, self.live, self.window = seat, live, window
        if self._left:  # in the meantime
            self.matches.leave(live, window, self)

    def _act(self, live: Live, data: bytes) -> None:
        assert self.seat is not None
        try:
            message = read_message(data)
        except (ValueError, RecursionError):
            self._refuse(Denied.because("malformed", "refused.malformed"))
            return
        if isinstance(message, Answer):
            number = message.number

            def done(problem: Denied | None) -> None:
                if problem is not None:
                    self._refuse(problem, number)
                self._over()

            try:
                self._busy = self.matches.answer_at_once(live, self.seat.side, number, message.answer, done)
            except Denied as problem:
                self._refuse(problem, number)
                return
            if self._busy:
                return
        self._begin(self._act_later(live, self.seat.side, message))

    async def _act_later(self, live: Live, side: str | None, message: ClientMessage) -> None:
        """What has to wait for something."""
        try:
            if isinstance(message, Answer):
                await self.matches.answer(live, side, message.number, message.answer)
            elif isinstance(message, Undo):
                await self.matches.undo(live, side, message.number)
            elif isinstance(message, Consent):
                await self.matches.consent(live, side, message.yes)
            else:
                raise Denied.because("malformed", "refused.malformed")
        except Denied as problem:
            self._refuse(problem, getattr(message, "number", None))

    def _turn_away(self, problem: Denied, reason: str) -> None:
        self._refuse(problem)
        self.close(POLICY, reason)

    def _refuse(self, problem: Denied, number: int | None = None) -> None:
        refused = Refused(code=cast(Any, problem.code), says=problem.message, rule=problem.rule, number=number)
        try:
            text = encode(refused)
        except (TypeError, ValueError, msgspec.MsgspecError):  # an argument of the rules that is no plain data
            text = encode(msgspec.structs.replace(refused, says=msgspec.structs.replace(problem.message, arguments={})))
        self._outbox.post(text)
