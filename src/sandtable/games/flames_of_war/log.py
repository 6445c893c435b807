"""Every kind of event that a Flames of War battle can have."""

from __future__ import annotations

from sandtable.games.flames_of_war import air, artillery, assault, damage, deployment, morale, movement, shooting, starting
from sandtable.games.flames_of_war.battle import CORE_EVENTS
from sandtable.kernel.events import Event

EVENTS: tuple[type[Event], ...] = (
    *CORE_EVENTS,
    *deployment.EVENTS,
    *starting.EVENTS,
    *movement.EVENTS,
    *shooting.EVENTS,
    *artillery.EVENTS,
    *air.EVENTS,
    *assault.EVENTS,
    *damage.EVENTS,
    *morale.EVENTS,
)
