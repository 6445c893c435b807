"""What goes over the WebSocket of a seat: JSON, one message a text frame, told apart by `type`.

The client joins with its token and is told everything once (`hello`); from then on it is told changes only. It answers
decisions by their number; the number counts the answers of this seat alone, so that it says nothing about the other's.
`docs/server.md` describes the conversation; `web/src/protocol.ts` has the same types for the browser.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from sandtable.kernel.decisions import AnyRequest
from sandtable.kernel.events import Record, Result
from sandtable.kernel.messages import Message
from sandtable.kernel.scene import Outline, Scene
from sandtable.kernel.traces import TraceEntry

View = Literal["a", "b", "public"]
UndoState = Literal["", "free", "consent"]

# -- from the client ----------------------------------------------------------------------------------------------


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A message of a client."""


class Join(FromClient, frozen=True, tag="join"):
    """The first message: who is there, and how much of the log he has from an earlier connection."""

    token: str
    era: str = ""
    seen: int = 0


class Answer(FromClient, frozen=True, tag="answer"):
    """The answer to this seat's decision `number`."""

    number: int
    answer: Any


class Undo(FromClient, frozen=True, tag="undo"):
    """Back to this seat's decision `number`. Where the rules need it, the other side is asked first."""

    number: int


class Consent(FromClient, frozen=True, tag="consent"):
    """What this side says to the other's wish to take back."""

    yes: bool


ClientMessage = Join | Answer | Undo | Consent

# -- from the server ----------------------------------------------------------------------------------------------


class FromServer(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True, kw_only=True):
    """A message of the server."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, as it stands in the log. Its number is its place in what this view may see."""

    event: str
    """The kind of event."""
    says: Message
    units: tuple[str, ...] = ()
    trace: tuple[TraceEntry, ...] = ()
    secret: bool = False
    """Whether this side alone knows it."""
    shapes: tuple[Outline, ...] = ()
    """Templates that were laid, for the map."""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The question that this seat has to answer."""

    number: int
    request: AnyRequest


class Things(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes to a list of things with ids: new ones whole, changed ones by their id and the fields that changed."""

    put: tuple[dict[str, Any], ...] = ()
    gone: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    """All ids, where the order is no longer: the old ones, then the new ones."""


class SceneChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is different about the scene. A field that is left out has not changed."""

    whole: Scene | None = None
    """Everything anew; the other fields are left out."""
    turn: int | None = None
    phase: Message | None = None
    active: str | None = None
    ground: Things | None = None
    figures: Things | None = None
    marks: Things | None = None
    groups: Things | None = None
    lines: tuple[Message, ...] | None = None
    phases: tuple[Message, ...] | None = None


class TakeBack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A side's wish to go back, which the other side may grant."""

    by: str


class State(FromServer, frozen=True, kw_only=True):
    """Where the match stands for this seat; each field holds until the next message that has one."""

    at: int
    """The number of the first entry in `log`. What the client has from there on is no longer so (an undo)."""
    log: tuple[Entry, ...] = ()
    waiting: str = ""
    """The side that has to decide; empty when the battle is over."""
    given: int = 0
    """How many answers of this seat are stored. An answer counts from the moment that this is greater than its number."""
    decision: Decision | None = None
    undo: UndoState = ""
    """Whether the seat's last answer can be taken back, and whether the other side has to agree."""
    take_back: TakeBack | None = None
    result: Result | None = None
    seed: str = ""
    """When the battle is over: the seed of the dice, which fits the hash shown from the start."""


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    side: str
    kind: str
    name: str = ""
    bot: str = ""
    typed: bool = False
    """Whether this player rolls real dice and types them in."""


class Hello(State, frozen=True, tag="hello", kw_only=True):
    """Everything, once, after joining."""

    match: str
    game: str
    title: str
    view: View
    seats: tuple[SeatInfo, ...]
    present: tuple[str, ...]
    scene: Scene
    names: dict[str, str]
    """What a reader calls pieces, groups and sides."""
    era: str
    """Together with the number of entries it says what of the log the client has; to be sent along when it joins again."""
    seed_hash: str


class Changes(State, frozen=True, tag="changes", kw_only=True):
    """What is new since the last message."""

    scene: SceneChange | None = None
    names: dict[str, str] | None = None
    era: str = ""
    """Sent when it is a new one."""


class Present(FromServer, frozen=True, tag="present", kw_only=True):
    """Who is at the table now."""

    views: tuple[str, ...]


class Refused(FromServer, frozen=True, tag="refused", kw_only=True):
    """Something was not done, and nothing has changed."""

    code: Literal[
        "malformed", "no_seat", "stale", "not_yours", "nothing_asked", "illegal", "too_fast", "not_stored", "not_granted", "mistake"
    ]
    says: Message
    rule: str = ""
    number: int | None = None
    """The number that the refused message spoke of."""


ServerMessage = Hello | Changes | Present | Refused

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_encoder = msgspec.json.Encoder()


def read_message(data: str | bytes) -> ClientMessage:
    """A message of a client. msgspec.MsgspecError, UnicodeError or RecursionError if it is none."""
    return _decoder.decode(data)


def encode(message: Any) -> bytes:
    return _encoder.encode(message)


def entry_of(record: Record) -> Entry:
    """A record as it goes over the wire. Whether the reader may see it has been asked before."""
    event = record.event
    return Entry(type(event).__name__, event.says(), event.units(), record.trace, record.only is not None, event.outlines())
