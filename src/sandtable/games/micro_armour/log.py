"""Every kind of event that a Micro Armour battle can have."""

from __future__ import annotations

from sandtable.games.micro_armour import air, artillery, assault, markers, movement, planning
from sandtable.games.micro_armour.battle import CORE_EVENTS
from sandtable.kernel.events import Event

EVENTS: tuple[type[Event], ...] = (
    *CORE_EVENTS,
    *movement.EVENTS,
    *assault.EVENTS,
    *artillery.EVENTS,
    *air.EVENTS,
    *planning.EVENTS,
    *markers.EVENTS,
)
