"""What a battle looks like, as data: one picture for the text table, the browser and whatever comes next.

A game describes its pieces, words and phases; a client draws shapes, symbols and markers and knows no game.
Coordinates are grid units (1/1000 of the table's unit), x to the east, y to the north, facings in degrees clockwise from north.
"""

from __future__ import annotations

import msgspec

from sandtable.kernel.messages import Message

Outline = tuple[tuple[int, int], ...]


class Ground(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of terrain."""

    id: str
    kind: str
    form: str
    """area, line, road, hill or building"""
    shape: Outline
    name: Message
    height: int = 0
    width: int = 0
    letter: str = ""
    """How the text table draws it."""
    openings: tuple[Outline, ...] = ()


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece on the table."""

    id: str
    side: str
    name: Message
    group: str
    """The platoon or formation it belongs to."""
    x: int
    y: int
    facing: int
    width: int
    depth: int
    symbol: str
    """What it is, for the symbol: infantry, tank, gun, transport, cavalry, aircraft, headquarters, recon, artillery ..."""
    letter: str
    states: tuple[str, ...] = ()
    """Word ids of its states and markers."""
    carried_by: str = ""
    leader: bool = False


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A marker, template, objective or zone."""

    id: str
    kind: str
    shape: Outline
    name: Message
    side: str = ""
    letter: str = ""


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A platoon or formation, for lists and cards."""

    id: str
    side: str
    name: Message
    facts: tuple[Message, ...] = ()
    states: tuple[str, ...] = ()


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole table as one side may see it."""

    unit: str
    width: int
    height: int
    turn: int
    phase: Message
    active: str
    ground: tuple[Ground, ...]
    figures: tuple[Figure, ...]
    marks: tuple[Mark, ...] = ()
    groups: tuple[Group, ...] = ()
    lines: tuple[Message, ...] = ()
    """Score, objectives, pools: what stands beside the table."""
    phases: tuple[Message, ...] = ()
    """The sequence of play, for the phase bar; `phase` is one of them."""
