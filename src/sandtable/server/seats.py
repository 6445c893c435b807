"""Seats are held by tokens in invitation links. The database has only their hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import msgspec

from sandtable.kernel.events import SIDES
from sandtable.server.storage import Storage, StoredSeat

PUBLIC = "public"
"""The view of those who watch."""

VIEWS = (*SIDES, PUBLIC)


class Seat(msgspec.Struct, frozen=True):
    """Somebody's place at a match: a side's, or that of a spectator."""

    match: str
    view: str
    name: str = ""

    @property
    def side(self) -> str | None:
        """The side, None for a spectator: whatever the kernel shows to `side` may be shown here."""
        return None if self.view == PUBLIC else self.view


def side_of(view: str) -> str | None:
    return None if view == PUBLIC else view


def new_token() -> str:
    """192 bits: nobody guesses that."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def find_seat(storage: Storage, token: str) -> Seat | None:
    """The seat that a token holds, if it holds one. The look-up is by the token's hash, and compared once more in constant time."""
    if not 16 <= len(token) <= 128:
        return None
    hashed = hash_token(token)
    found = storage.seat(hashed)
    if found is None or found.token_hash is None or not hmac.compare_digest(found.token_hash, hashed):
        return None
    return Seat(found.match, found.side, found.name)


def stored(match: str, side: str, *, bot: str = "", name: str = "") -> tuple[StoredSeat, str]:
    """A seat to be stored, and its token (empty for a bot's)."""
    if bot:
        return StoredSeat(match, side, "bot", bot, name), ""
    token = new_token()
    return StoredSeat(match, side, "spectator" if side == PUBLIC else "person", "", name, hash_token(token)), token
