"""The server's doors: HTTP and WebSocket. Each reads a message of protocol.py, asks the tables, and answers."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import hmac
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

import tacit
from tacit.core.errors import TacitError
from tacit.core.messages import catalogue
from tacit.core.registry import game_named, game_names
from tacit.server import bus, faults, logs, protocol, schema
from tacit.server.bot_player import bot_infos
from tacit.server.config import Config
from tacit.server.connections import room
from tacit.server.database import database_url
from tacit.server.errors import RequestRefused, refuse, refused
from tacit.server.keys import sign, unsign
from tacit.server.limits import ConnectionLimit, RateLimit
from tacit.server.live_table import LiveTable, Subscriber, encode
from tacit.server.metrics import Metrics
from tacit.server.page import Page
from tacit.server.protocol import COMMANDS, MAX_RECORD, PROTOCOL
from tacit.server.replays import ReplayCache
from tacit.server.requests import SecurityHeaders, address, answer, bearer, body, number, seconds
from tacit.server.seating import Place
from tacit.server.sockets import Sockets
from tacit.server.store import Store
from tacit.server.table_service import TableService

Handler = Callable[[Request], Awaitable[Response]]
COOKIE = "tacit-seat"  # its path is the table's, so that a browser can hold a seat at many tables
current: App | None = None  # in a worker process: its own
COOKIE_AGE = 90 * 24 * 3600
LEAVING = 3.0  # seconds that answers under way have when the server stops
FORWARDED = ("x-forwarded-for", "forwarded", "via", "x-real-ip")  # somebody else asks through this machine
LOOPBACK = ("127.0.0.1", "::1", "localhost")  # what this machine calls itself
ENVIRONMENT = "TACIT_SERVE"


class App:
    """One process of the server."""

    def __init__(self, config: Config, ready: Callable[[], None] = lambda: None) -> None:
        self.config, self.ready = config, ready
        url = database_url(config.database)
        postgres = url.get_backend_name() == "postgresql"
        self.bus: bus.Bus = bus.PostgresBus(url) if postgres else bus.LocalBus()
        self.metrics = Metrics()
        self.store = Store(url, self.bus, self.metrics)
        self.tables = TableService(self.store, self.bus, config, self.metrics)
        self.making = RateLimit(*config.make_limit)
        self.talking = RateLimit(*config.talk_limit)
        each, most = config.crowd
        self.crowd = ConnectionLimit(
            min(each, room() // 2), min(most, room() * 3 // 4)
        )  # there is room for others beside them
        self.sockets = Sockets(self)
        self.replays = ReplayCache()
        self.page = Page(self.store, config)
        self.metrics.watch(self)
        self.waiting: set[asyncio.Event] = set()  # requests that wait for news

    def asgi(self) -> Starlette:
        def get(path: str, handler: Handler) -> Route:
            return Route(path, self._guarded(handler), methods=["GET"])

        def post(path: str, handler: Handler) -> Route:
            return Route(path, self._guarded(handler), methods=["POST"])

        routes = [  # tried one after the other: first what is asked for most
            WebSocketRoute("/api/tables/{table:str}/live", self.sockets.serve),
            post("/api/tables/{table:str}/join", self.join),
            post("/api/tables", self.create),
            get("/healthz", self.health),
            get("/metrics", self.prometheus),
            get("/api/games", self.games),
            get("/api/words/{language:str}", self.words),
            get("/api/lobby", self.lobby),
            get("/api/openapi.json", self.openapi),
            get("/api/schema.json", self.schema),
            get("/api/tables/{table:str}", self.table),
            get("/api/tables/{table:str}/seen", self.seen),
            get("/api/tables/{table:str}/record", self.record),
            get("/api/tables/{table:str}/replay", self.replay),
            get("/api/tables/{table:str}/outline", self.outline),
            post("/api/replay", self.replay_brought),
            post("/api/outline", self.outline_brought),
            post("/api/tables/{table:str}/enter", self.enter),
            post("/api/tables/{table:str}/follow", self.follow),
            post("/api/tables/{table:str}/{command:str}", self.command),
            get("/api/{rest:path}", self.nothing),
            get("/{path:path}", self.page.serve),
        ]
        handlers = {HTTPException: _lost}
        headed = Middleware(SecurityHeaders, secure=(self.config.public_url or "").startswith("https:"))
        return Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=handlers, middleware=[headed])

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.tables.open()
        database = self.store.url.get_backend_name()
        logs.note("server.started", software=tacit.__version__, database=database, process=os.getpid())
        self.ready()
        try:
            yield
        finally:
            self.sockets.close()
            await self.tables.close()
            logs.note("server.stopped", process=os.getpid())

    async def leave(self) -> None:
        """The server is told to stop: answer who waits, tell all sockets to come back."""
        logs.note("server.leaving", process=os.getpid(), sockets=len(self.sockets.lines))
        self.sockets.leaving = True
        for news in list(self.waiting):
            news.set()
        await self.sockets.leave(LEAVING)

    def _guarded(self, handler: Handler) -> Handler:
        """Refusals become answers; foreign pages and too many requests are refused."""

        async def guarded(request: Request) -> Response:
            try:
                self.talking.take(address(request))
                if request.method == "POST":
                    self.check_origin(request)
                wanted = request.headers.get("tacit-protocol")
                if wanted is not None and wanted != str(PROTOCOL):
                    raise refuse("protocol.reload", 426)
                return await handler(request)
            except TacitError as error:
                self.metrics.refusals.labels(error.message.code).inc()
                return answer(refused(error), error.status if isinstance(error, RequestRefused) else 409)
            except HTTPException:
                raise
            except ClientDisconnect:
                return Response(status_code=400)  # which nobody reads any more
            except Exception as error:
                faults.note(f"{request.method} {handler.__name__}", error)
                return answer(refused(refuse("broken", 500)), 500)

        return guarded

    # -------------------------------------------------------------- about the server
    async def health(self, request: Request) -> Response:
        """Can decisions be written down? 503 if not."""
        ok = True
        try:
            await asyncio.wait_for(self.store.pulse(), 5)
        except Exception:  # whatever is wrong with it, the answer is the same
            ok = False
        health = protocol.Health(
            ok=ok, software=tacit.__version__, protocol=PROTOCOL, database=self.store.url.get_backend_name(),
            tables=len(self.tables.live),
        )  # fmt: skip
        return answer(health, 200 if ok else 503)

    async def prometheus(self, request: Request) -> Response:
        """Metrics for whoever watches over the server, and for nobody else (metrics.py says why)."""
        wanted = self.config.metrics_key
        if wanted is not None:
            given = request.headers.get("authorization", "").partition(" ")[2].strip()
            allowed = hmac.compare_digest(given.encode(), wanted.encode())
        else:
            here = request.client is not None and request.client.host in ("127.0.0.1", "::1")
            # A page whose name was made to lead to this machine comes from it too, but calls it by that name.
            named = _host(request.headers.get("host", "")) in LOOPBACK
            allowed = here and named and not any(name in request.headers for name in FORWARDED)
        if not allowed:
            raise refuse("metrics", 403)
        return Response(self.metrics.text(), media_type=CONTENT_TYPE_LATEST)

    async def games(self, request: Request) -> Response:
        games = []
        for name in game_names():
            game = game_named(name)
            games.append(
                protocol.GameInfo(
                    game=name, title=game.title, rules_version=game.rules_version, min_seats=game.min_seats,
                    max_seats=game.max_seats, options={k: list(v) for k, v in game.options.items()},
                    silent=LiveTable.is_silent(game), signals=list(game.signals), bots=bot_infos(game),
                )
            )  # fmt: skip
        return answer(protocol.Games(protocol=PROTOCOL, software=tacit.__version__, games=games))

    async def words(self, request: Request) -> Response:
        """The sentences of a language, by prefix; English where a catalogue does not speak it."""
        language = request.path_params["language"]
        if not (len(language) == 2 and language.isalpha() and language.islower()):
            raise refuse("not-found", 404)
        found = {}
        for prefix in ("core", "server", *game_names()):
            try:
                found[prefix] = catalogue(prefix, language)
            except FileNotFoundError:
                found[prefix] = catalogue(prefix)
        return answer(found)

    async def openapi(self, request: Request) -> Response:
        return answer(schema.openapi())

    async def schema(self, request: Request) -> Response:
        return answer(schema.schema())

    async def nothing(self, request: Request) -> Response:
        raise refuse("not-found", 404)

    # -------------------------------------------------------------- tables
    async def lobby(self, request: Request) -> Response:
        return Response(await self.tables.lobby.shown(), media_type="application/json")

    async def create(self, request: Request) -> Response:
        wish = await body(request, protocol.Create)
        self.making.take(address(request))
        row, key, seat = await self.tables.create(wish, address(request))
        return self._entered(request, row.id, seat, True, key, 201)

    async def join(self, request: Request) -> Response:
        wish = await body(request, protocol.Join)
        self.making.take(address(request))
        table = request.path_params["table"]
        key, seat = await self.tables.join(table, wish)
        return self._entered(request, table, seat, False, key, 201)

    async def enter(self, request: Request) -> Response:
        wish = await body(request, protocol.Enter)
        place = await self.tables.enter(request.path_params["table"], wish.key)
        return self._entered(request, place.live.row.id, place.seat, place.maker, wish.key)

    async def follow(self, request: Request) -> Response:
        """To the rematch with the same key."""
        key = self.key(request, request.path_params["table"])
        place = await self.tables.enter(request.path_params["table"], key)
        if place.live.row.next is None:
            raise refuse("rematch.none")
        if key is None:
            raise refuse("key.none", 403)
        there = await self.tables.enter(place.live.row.next, key)
        return self._entered(request, there.live.row.id, there.seat, there.maker, key)

    async def table(self, request: Request) -> Response:
        live = await self.tables.find(request.path_params["table"])
        live.look_round()
        return answer(live.info())

    async def seen(self, request: Request) -> Response:
        """What I see; with `If-None-Match` and `wait`, when it is something else than I know."""
        place, stale = await self.place(request)
        live = place.live
        known = request.headers.get("if-none-match")
        wait = seconds(request, "wait")
        if wait:
            self.tables.polled(place)  # a look does not make anybody present: waiting for news does, and deciding
        found = self._sight(place)
        if wait and (found is None or found[1] == known):
            news = asyncio.Event()
            with self.crowd.join(address(request)), contextlib.suppress(TimeoutError):
                listener = Subscriber(place.key_hash, place.seat, lambda _: news.set())
                self.tables.listen(place, listener)
                self.waiting.add(news)
                try:
                    async with asyncio.timeout(wait):
                        while (found is None or found[1] == known) and not self.sockets.leaving:
                            news.clear()
                            await news.wait()
                            found = self._sight(place)
                finally:
                    self.waiting.discard(news)
                    self.tables.unlisten(place, listener)
        if found is None:
            trouble = live.trouble()
            if trouble is not None:
                raise trouble
            if place.seat is None and live.row.spectators != "public":
                raise stale or refuse(f"spectators.{live.row.spectators}", 403)
            raise refuse("phase.not-started")
        payload, tag = found
        headers = {"ETag": tag}
        if tag == known:
            return Response(status_code=304, headers=headers)
        return Response(payload, media_type="application/json", headers=headers)

    def _sight(self, place: Place) -> tuple[bytes, str] | None:
        live = place.live
        seat = live.seat_of(place.key_hash)
        sight = live.sight(seat)
        if sight is None:
            return None
        payload = encode(live.message(seat, sight, 0))
        return payload, f'"{hashlib.sha256(payload).hexdigest()[:20]}"'

    async def _place_after(self, request: Request) -> Place:
        """Who asks about a finished match: those who sat there, and spectators where there are any."""
        place, stale = await self.place(request)
        if place.seat is None and not place.maker and place.live.row.spectators == "none":
            raise stale or refuse("spectators.none", 403)
        return place

    async def replay(self, request: Request) -> Response:
        """A finished match after some of its steps, from any eyes."""
        record, eyes = await self._finished(request)
        return answer(await self.replays.replayed(record, eyes, number(request, "step") or 0))

    async def outline(self, request: Request) -> Response:
        """All steps of a finished match, as some eyes were told them."""
        return answer(await self.replays.outline(*await self._finished(request)))

    async def _finished(self, request: Request) -> tuple[str, str]:
        place = await self._place_after(request)
        try:
            eyes = msgspec.convert(request.query_params.get("eyes", "public"), protocol.Eyes)
        except msgspec.ValidationError:
            raise refuse("replay.eyes", 400) from None
        return place.live.record(), eyes

    async def replay_brought(self, request: Request) -> Response:
        """The same of a record that somebody brings."""
        brought = await self._brought(request)
        return answer(await self.replays.replayed(brought.record, brought.eyes, brought.step))

    async def outline_brought(self, request: Request) -> Response:
        brought = await self._brought(request)
        return answer(await self.replays.outline(brought.record, brought.eyes))

    async def _brought(self, request: Request) -> protocol.Bring:
        brought = await body(request, protocol.Bring, MAX_RECORD)
        if not self.replays.has(brought.record):
            self.making.take(address(request))  # playing it through takes a while; looking at it again does not
        return brought

    async def record(self, request: Request) -> Response:
        """The whole record, once the match is over."""
        place = await self._place_after(request)
        name = f"{place.live.row.game}-{place.live.row.id}.tacit"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(place.live.record(), media_type="text/plain; charset=utf-8", headers=headers)

    async def command(self, request: Request) -> Response:
        """Any command of the protocol, over HTTP."""
        kind = COMMANDS.get(request.path_params["command"])
        if kind is None:
            raise refuse("not-found", 404)
        command = await body(request, kind)
        table = request.path_params["table"]
        place = await self.tables.enter(table, self.key(request, table))
        done = await self.tables.commands.do(place, command)
        self.tables.polled(place)  # a refused command changes nothing, not even who is here
        return answer(done)

    # -------------------------------------------------------------- who asks
    def key(self, connection: HTTPConnection, table: str) -> str | None:
        """The key that comes with a request: a bearer's, or the signed cookie's."""
        return bearer(connection) or self.kept_key(connection, table)

    def kept_key(self, connection: HTTPConnection, table: str) -> str | None:
        """The key in the cookie that we signed."""
        cookie = connection.cookies.get(COOKIE)
        return unsign(self.store.signing, table, cookie) if cookie else None

    async def place(self, connection: HTTPConnection, shown: str | None = None) -> tuple[Place, RequestRefused | None]:
        """Whoever wants to look: by the key they show; or by their cookie, or as a guest where that opens nothing."""
        table = connection.path_params["table"]
        key = shown or bearer(connection)
        if key is not None:
            place, stale = await self.tables.enter(table, key), None
        else:
            place, stale = await self.tables.visit(table, self.kept_key(connection, table))
        if place.seat is not None or place.maker:
            place.live.address = place.live.address or address(connection)
        return place, stale

    def check_origin(self, connection: HTTPConnection) -> None:
        """Browsers say whose page asks: only our own may use a cookie. Bots say nothing."""
        origin = connection.headers.get("origin")
        if origin is None:
            return
        public = self.config.public_url
        try:
            scheme, host = urlsplit(origin)[:2]
        except ValueError:  # half an address of IPv6
            raise refuse("key.origin", 403) from None
        ours = urlsplit(public)[:2] if public else (scheme, connection.headers.get("host"))
        if (scheme, host) != ours or not host:
            raise refuse("key.origin", 403)

    def _base(self, request: Request) -> str:
        return (self.config.public_url or str(request.base_url)).rstrip("/")

    def _entered(
        self, request: Request, table: str, seat: int | None, maker: bool, key: str, status: int = 200
    ) -> Response:
        invitation = f"{self._base(request)}/t/{table}"
        # The key stands behind "#": browsers send that part to nobody, so it is in no log.
        entered = protocol.Entered(
            table=table, seat=seat, maker=maker, key=key, link=f"{invitation}#{key}", invitation=invitation
        )
        response = answer(entered, status)
        response.set_cookie(
            COOKIE,
            sign(self.store.signing, table, key),
            max_age=COOKIE_AGE,
            path=f"/api/tables/{table}",
            secure=invitation.startswith("https:"),
            httponly=True,
            samesite="strict",
        )
        return response


def _host(header: str) -> str | None:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{header}").hostname
    except ValueError:
        return None


async def _lost(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return answer(refused(refuse("not-found", 404)), status)


def keep_for_good() -> None:
    """What was loaded at the start stays: looking through it for garbage took 40 ms each time, for everybody. And
    threads that think hand over to the loop after 1 ms, not 5.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # with thousands of tables a look through all of them takes half a second
    sys.setswitchinterval(0.001)


def from_environment() -> Starlette:
    """The application, set up as the environment says: how each worker process begins."""
    global current
    config = msgspec.json.decode(os.environ.get(ENVIRONMENT, "{}"), type=Config)
    logs.set_up(config.log_format)
    current = App(config, keep_for_good)
    return current.asgi()
