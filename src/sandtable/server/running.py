"""Running the server."""

from __future__ import annotations

import contextlib
import gc
import logging
import socket
import threading
import webbrowser

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from sandtable.kernel.errors import InputError
from sandtable.server.app import Application
from sandtable.server.settings import Settings
from sandtable.server.storage import open_engine

OTHER_PORTS = 20


def free_socket(host: str, port: int, *, exact: bool) -> socket.socket:
    """A socket that listens: on this port, or (unless `exact`) on one of the next if somebody else has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + (1 if exact or port == 0 else OTHER_PORTS)):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
            return found
        except OverflowError:
            found.close()
            raise InputError(f"{number} is no port") from None
        except OSError as problem:
            found.close()
            last = problem
    raise InputError(f"{host}:{port} cannot be used: {last.strerror}")


def address_of(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def check_database(settings: Settings) -> None:
    """A database that cannot be used is one clear message, before anything starts."""
    try:
        engine = open_engine(settings.database_url())
        with engine.connect():
            pass
        engine.dispose()
    except (SQLAlchemyError, ModuleNotFoundError) as problem:
        raise InputError(f"the database cannot be used: {str(problem).splitlines()[0]}") from None


def serve(settings: Settings, *, page: str | None = None, exact_port: bool = True) -> None:
    """Run until interrupted. With `page`, open the browser there (a path of the client) as soon as the server answers."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    check_database(settings)
    application = Application(settings)
    bound = free_socket(settings.host, settings.port, exact=exact_port)
    server = uvicorn.Server(application.for_uvicorn(log_level="warning", timeout_graceful_shutdown=3))
    address = address_of(bound)
    ready = threading.Thread(target=_announce, args=(server, address, page), daemon=True)
    ready.start()
    # what is there now stays: the collector need not look at it again, nor after every few moves
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[bound])


def _announce(server: uvicorn.Server, address: str, page: str | None) -> None:
    """Say where the table is, once it is there."""
    pause = threading.Event()
    while not server.started:
        if server.should_exit or pause.wait(0.02):
            return
    print(f"sandtable: the table is at {address} (Ctrl+C ends it)", flush=True)
    if page is not None:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address + page)
