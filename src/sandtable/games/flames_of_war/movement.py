"""Movement: routes for everybody who moves teams."""

from __future__ import annotations

from sandtable.games.flames_of_war import routes, transport
from sandtable.games.flames_of_war.routes import Plan, carry_out, plan_route
from sandtable.games.flames_of_war.wayfinding import away_from, contact_route, free_pose_near, furthest_towards, place_beside
from sandtable.kernel.events import Event

__all__ = ["Plan", "away_from", "carry_out", "contact_route", "free_pose_near", "furthest_towards", "place_beside", "plan_route"]

EVENTS: tuple[type[Event], ...] = (*routes.EVENTS, *transport.EVENTS)
