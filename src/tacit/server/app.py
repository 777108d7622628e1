"""The ASGI application of one process: its parts, its routes, its start and its stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from importlib import import_module

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

import tacit
from tacit.core import compiled_play
from tacit.core.registry import game_named, game_names
from tacit.server import logs, schema
from tacit.server.access import Access
from tacit.server.api import Api
from tacit.server.bot_player import bot_infos
from tacit.server.bus import Bus, LocalBus, PostgresBus
from tacit.server.commands import Commands
from tacit.server.config import Config
from tacit.server.database import database_url
from tacit.server.dispatch import Dispatch
from tacit.server.maintenance import Maintenance
from tacit.server.metrics import Metrics
from tacit.server.names import skeleton
from tacit.server.page import Page
from tacit.server.requests import SecurityHeaders, answer
from tacit.server.routes import ENDPOINTS, TABLE
from tacit.server.sockets import Sockets
from tacit.server.store import Store
from tacit.server.table_service import TableService

STOP_WITHIN = 3.0  # seconds that unfinished commands have when the server stops
ENVIRONMENT = "TACIT_SERVE"
current: App | None = None  # in a worker process: its own


class App:
    """One process of the server."""

    def __init__(self, config: Config, on_ready: Callable[[], None] = lambda: None) -> None:
        self.config, self.on_ready = config, on_ready
        url = database_url(config.database)
        self.bus = new_bus(config, url)
        self.metrics = Metrics()
        self.store = Store(url, self.bus, self.metrics)
        self.tables = TableService(self.store, self.bus, config, self.metrics)
        self.maintenance = Maintenance(self.tables)
        self.commands = Commands(self.tables, config)
        self.access = Access(self.tables, config)
        self.api = Api(self.tables, self.commands, self.access, self.metrics, config)
        self.sockets = Sockets(self.tables, self.commands, self.access, self.metrics)
        # What a commit brings is sent at once: in the next turn of the loop it would wait for the next decisions.
        self.store.writer.all_told = self.sockets.flush
        self.page = Page(self.store, config)
        self._add_gauges()

    def _add_gauges(self) -> None:
        """Metrics of what this process holds in memory."""
        tables, gauge = self.tables, self.metrics.gauge

        def in_phase(phase: str) -> Callable[[], float]:
            return lambda: sum(table.phase == phase for table in list(tables.loaded.values()))

        phases = {phase: in_phase(phase) for phase in ("gathering", "playing", "over")}
        self.metrics.gauges("tacit_tables", "Tables in memory, by phase.", "phase", phases)
        gauge("tacit_sockets", "Open WebSockets.", lambda: len(self.sockets.connections))
        gauge(
            "tacit_listeners",
            "Subscribers: WebSockets, and requests that wait for something new.",
            lambda: sum(len(table.subscribers) for table in list(tables.loaded.values())),
        )
        gauge("tacit_bots_deciding", "Seats for which a bot or a clock decides now.", tables.bot_seats.job_count)
        gauge("tacit_bus_up", "Do notes of other processes arrive now?", lambda: self.bus.up)
        notes: dict[str, Callable[[], float]] = {"sent": lambda: self.bus.sent, "received": lambda: self.bus.received}
        self.metrics.gauges("tacit_notes", "Notes to and from other processes, since the start.", "way", notes)
        gauge("tacit_compiled_games", "Games that compiled rules play.", compiled_play.loaded_games)
        gauge("tacit_waiting_writes", "Writes that wait for the next commit.", self.store.writer.waiting)

    def asgi(self) -> Dispatch:
        """The application."""
        secure = (self.config.public_url or "").startswith("https:")
        app = Dispatch(self.access, self.metrics, SecurityHeaders(secure), self.page.serve, self._lifespan)
        app.add("WS", f"{TABLE}/live", self.sockets.serve)
        app.add("WS", "/api/live", self.sockets.serve)
        for endpoint in ENDPOINTS:
            app.add(endpoint.method, endpoint.path, getattr(self.api, endpoint.handler.__name__))
        app.add("GET", "/api/openapi.json", _openapi)
        app.add("GET", "/api/schema.json", _schema)
        return app

    @contextlib.asynccontextmanager
    async def _lifespan(self) -> AsyncIterator[None]:
        await self.tables.open()
        await self.maintenance.start()
        database = self.store.url.get_backend_name()
        logs.note("server.started", software=tacit.__version__, database=database, process=os.getpid())
        self.on_ready()
        threading.Thread(target=load_rest, daemon=True).start()
        try:
            yield
        finally:
            self.sockets.close()
            await self.tables.close()
            logs.note("server.stopped", process=os.getpid())

    async def stop(self) -> None:
        """The server is told to stop: answer waiting requests, close all sockets with "come back"."""
        logs.note("server.stopping", process=os.getpid(), sockets=len(self.sockets.connections))
        self.api.stop()
        await asyncio.gather(self.tables.handover.hand_on(), self.sockets.stop(STOP_WITHIN))


def new_bus(config: Config, url: sa.URL) -> Bus:
    """How this process tells others what changed."""
    if config.bus is not None:
        from tacit.server.valkey_bus import ValkeyBus

        return ValkeyBus(config.bus)
    return PostgresBus(url) if url.get_backend_name() == "postgresql" else LocalBus()


async def _openapi(request: Request) -> Response:
    return answer(schema.openapi())


async def _schema(request: Request) -> Response:
    return answer(schema.schema())


def load_rest() -> None:
    """Import what a start does not wait for, in a thread: at its first use it would hold up the event loop."""
    import_module("tacit.server.passkeys")
    skeleton("")  # the table of look-alike letters
    for name in game_names():
        bot_infos(game_named(name))
    if gc.get_freeze_count():  # see tune_interpreter
        gc.freeze()


def tune_interpreter() -> None:
    """Keep pauses short: the garbage collector skips what was loaded at the start (40 ms each time) and runs rarely;
    threads hand over to the event loop after 1 ms, not 5.
    """
    gc.freeze()  # a start leaves some dozen objects of garbage: looking for them would take 40 ms
    # A hundred decisions that are under way hold 30,000 objects more than before and after: too few for a collection.
    # With thousands of tables a full one takes half a second.
    gc.set_threshold(50_000, 4, 50)
    sys.setswitchinterval(0.001)


def from_environment() -> Dispatch:
    """The application of a worker process, configured by the environment."""
    global current
    config = msgspec.json.decode(os.environ.get(ENVIRONMENT, "{}"), type=Config)
    logs.set_up(config.log_format)
    current = App(config, tune_interpreter)
    return current.asgi()
