"""One WebSocket a seat: joining, answering, being told what is new."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec

from sandtable.server.live import Denied, Live, Window
from sandtable.server.matches import Gone, Matches
from sandtable.server.protocol import Answer, Consent, Join, Refused, Undo, encode, read_message
from sandtable.server.seats import Seat, find_seat
from sandtable.server.sending import Outbox
from sandtable.server.settings import Settings
from sandtable.server.storage import StorageError

log = logging.getLogger(__name__)

JOIN_SECONDS = 15.0
"""How long a new connection may take to say who it is."""
PATIENCE = 200
"""How many messages too many it may send before it is cut off."""

AGAIN, POLICY, LOST = 1012, 1008, 1011


def allowed_origin(headers: dict[bytes, bytes], settings: Settings) -> bool:
    """Whether a browser that sends these headers shows our own page (or one that we trust). Programs send no origin."""
    origin = headers.get(b"origin")
    if origin is None:
        return True
    text = origin.decode("latin-1")
    if text in settings.origins:
        return True
    return urlsplit(text).netloc.lower() == headers.get(b"host", b"").decode("latin-1").lower() != ""


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


class Client:
    """One connection: a tab of a player or a spectator."""

    def __init__(self, scope: Any, receive: Any, send: Any, matches: Matches) -> None:
        self.receive, self.send = receive, send
        self.headers = dict(scope["headers"])
        self.matches, self.settings = matches, matches.settings
        self.outbox = Outbox(send)
        self.bucket = Bucket(self.settings.messages_a_second)
        self.patience = PATIENCE
        self.seat: Seat | None = None
        self.live: Live | None = None
        self.window: Window | None = None

    def close(self, code: int, reason: str) -> None:
        self.outbox.close(code, reason)

    async def serve(self) -> None:
        """The whole life of the connection."""
        await self.receive()  # the request to connect
        if not allowed_origin(self.headers, self.settings):
            await self.send({"type": "websocket.close", "code": POLICY, "reason": "foreign origin"})
            return
        await self.send({"type": "websocket.accept"})
        try:
            if await self._join():
                await asyncio.create_task(self._listen())  # a task of its own: shorter ways for every message
        except Gone:
            self.close(AGAIN, "again")
        except Exception:
            log.exception("a connection failed")
            self.close(LOST, "mistake")
        finally:
            if self.live is not None and self.window is not None:
                self.matches.leave(self.live, self.window, self)

    async def _join(self) -> bool:
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                event = await self.receive()
        except TimeoutError:
            self.close(POLICY, "no join")
            return False
        if event["type"] != "websocket.receive":
            return False
        try:
            message = read_message(event.get("text") or event.get("bytes") or b"")
            if not isinstance(message, Join):
                raise ValueError
        except (ValueError, RecursionError):  # msgspec's errors are among them
            self._refuse(Denied.because("malformed", "refused.malformed"))
            self.close(POLICY, "no join")
            return False
        seat = await asyncio.to_thread(find_seat, self.matches.storage, message.token)
        if seat is None:
            self._refuse(Denied.because("no_seat", "refused.no_seat"))
            self.close(POLICY, "no seat")
            return False
        try:
            self.live, self.window = await self.matches.join(seat, self, self.outbox.post, message.era, message.seen)
        except StorageError:
            self._refuse(Denied.because("no_seat", "refused.no_seat"))
            self.close(POLICY, "no seat")
            return False
        except Denied as problem:
            self._refuse(problem)
            self.close(POLICY, problem.code)
            return False
        self.seat = seat
        return True

    async def _listen(self) -> None:
        assert self.live is not None and self.seat is not None
        receive, bucket, matches, live, side = self.receive, self.bucket, self.matches, self.live, self.seat.side
        while True:
            event = await receive()
            if event["type"] != "websocket.receive":
                return
            if not bucket.take():
                self.patience -= 1
                if self.patience < 0:
                    self.close(POLICY, "too fast")
                    return
                self._refuse(Denied.because("too_fast", "refused.too_fast"))
                continue
            try:
                message = read_message(event.get("text") or event.get("bytes") or b"")
            except (ValueError, RecursionError):
                self._refuse(Denied.because("malformed", "refused.malformed"))
                continue
            try:
                if isinstance(message, Answer):
                    await matches.answer(live, side, message.number, message.answer)
                elif isinstance(message, Undo):
                    await matches.undo(live, side, message.number)
                elif isinstance(message, Consent):
                    await matches.consent(live, side, message.yes)
                else:
                    raise Denied.because("malformed", "refused.malformed")
            except Denied as problem:
                self._refuse(problem, getattr(message, "number", None))

    def _refuse(self, problem: Denied, number: int | None = None) -> None:
        refused = Refused(code=cast(Any, problem.code), says=problem.message, rule=problem.rule, number=number)
        try:
            text = encode(refused)
        except (TypeError, ValueError, msgspec.MsgspecError):  # an argument of the rules that is no plain data
            text = encode(msgspec.structs.replace(refused, says=msgspec.structs.replace(problem.message, arguments={})))
        self.outbox.post(text)
