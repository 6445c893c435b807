"""The application: routes, sockets, pages, and what is made when it starts and closed when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import uvicorn
from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.static_files import create_static_files_router
from picows import WSListener, WSUpgradeRequest, WSUpgradeResponseWithListener

from sandtable import __version__
from sandtable.server.connecting import Connection, refusal
from sandtable.server.describing import PlainPage
from sandtable.server.guard import TABLE, Guard
from sandtable.server.lobby import LOBBY, everything
from sandtable.server.looking import MATCH
from sandtable.server.matches import Matches
from sandtable.server.migrating import migrate
from sandtable.server.problems import HANDLERS, ApiError
from sandtable.server.settings import Settings
from sandtable.server.sockets import Client
from sandtable.server.storage import Storage, open_engine
from sandtable.server.work import Workers

ABOUT = "Plays tabletop miniature wargames by the book. A match is played over the WebSocket /api/table; this is everything around it."


@get("/api/health", include_in_schema=False)
async def health() -> dict[str, str]:
    return {"sandtable": __version__}


@get(TABLE, include_in_schema=False)
async def no_table() -> None:
    raise ApiError(426, "upgrade", "the table is a WebSocket")


@get("/", include_in_schema=False)
async def no_client() -> Response[str]:
    """What stands at / when the browser client was not built."""
    text = "The browser table is not part of this installation. The interface of the server: /schema\n"
    return Response(text, media_type="text/plain")


class Application:
    """A server's parts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.matches: Matches | None = None
        self.litestar = self._litestar()
        self.guard = Guard(self.litestar, settings)

    @asynccontextmanager
    async def _running(self, _: Litestar) -> AsyncIterator[None]:
        engine = open_engine(self.settings.database_url())
        await asyncio.to_thread(migrate, engine)
        storage, workers = Storage(engine), Workers()
        self.matches = Matches(storage, workers, self.settings)
        await self.matches.start()
        first_page = asyncio.create_task(asyncio.to_thread(everything))  # ready by the time the first visitor asks
        try:
            yield
        finally:
            await first_page
            await self.matches.stop()
            workers.close()
            await asyncio.to_thread(storage.close)
            self.matches = None

    def _provide(self) -> Matches:
        assert self.matches is not None
        return self.matches

    def _connected(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener | None:
        """Who listens to a new WebSocket: nobody, if it may not be or is not for the table."""
        problem = self.guard.refusal(cast(Any, request.headers))
        if problem is not None:
            return refusal(HTTPStatus.FORBIDDEN, problem.error)
        return Client(self._provide()) if request.path.partition(b"?")[0] == TABLE.encode() else None

    def for_uvicorn(self, **more: Any) -> uvicorn.Config:
        """How uvicorn is to run it."""
        return uvicorn.Config(
            self.guard,
            ws=cast(Any, partial(Connection, self._connected, self.settings.message_bytes)),
            lifespan="on",
            access_log=False,
            server_header=False,
            date_header=False,
            **more,
        )

    def _litestar(self) -> Litestar:
        settings = self.settings

        pages: list[Any] = [no_client]
        if (settings.web / "index.html").is_file():
            pages = [create_static_files_router("/", [settings.web], html_mode=True, include_in_schema=False)]
        limit = RateLimitConfig(rate_limit=("second", settings.requests_a_second))
        return Litestar(
            [LOBBY, MATCH, health, no_table, *pages],
            dependencies={"matches": Provide(self._provide, sync_to_thread=False)},
            exception_handlers=HANDLERS,
            lifespan=[self._running],
            middleware=[limit.middleware],
            compression_config=CompressionConfig(backend="gzip", minimum_size=1024, gzip_compress_level=6),
            request_max_body_size=settings.body_bytes,
            openapi_config=OpenAPIConfig(
                title="sandtable",
                version=__version__,
                description=ABOUT,
                path="/schema",
                render_plugins=[PlainPage()],
                components=Components(security_schemes={"seat": SecurityScheme(type="http", scheme="bearer")}),
            ),
            logging_config=None,
            debug=False,
        )
