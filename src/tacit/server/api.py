"""The HTTP handlers. Each reads a message of protocol.py, asks the tables, and answers. routes.py has their paths."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
from urllib.parse import urlsplit

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

import tacit
from tacit.core.messages import catalogue
from tacit.core.puzzles import puzzles_of
from tacit.core.registry import game_named, game_names
from tacit.server import lobby_protocol, protocol
from tacit.server.access import Access
from tacit.server.bot_player import bot_infos
from tacit.server.commands import Commands
from tacit.server.config import Config
from tacit.server.deal_api import Seated
from tacit.server.errors import refuse
from tacit.server.keys import hash_of, new_key
from tacit.server.lessons import LessonHandlers
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.notice_api import NoticeHandlers
from tacit.server.protocol import PROTOCOL
from tacit.server.puzzles import PuzzleHandlers
from tacit.server.requests import address, answer, body, number, seconds
from tacit.server.review_api import ReviewHandlers
from tacit.server.seating import Caller
from tacit.server.subscriber import Subscriber, encode
from tacit.server.table_info import table_info
from tacit.server.table_service import TableService
from tacit.server.wire import COMMANDS
from tacit.server.you_api import YouHandlers

HEALTH_WITHIN = 5.0  # seconds
PROXY_HEADERS = ("x-forwarded-for", "forwarded", "via", "x-real-ip")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Api(YouHandlers, ReviewHandlers, NoticeHandlers, LessonHandlers, PuzzleHandlers):
    """The handlers of one process."""

    def __init__(
        self, tables: TableService, commands: Commands, access: Access, metrics: Metrics, config: Config
    ) -> None:  # fmt: skip
        super().__init__(tables, access, config)
        self.commands, self.metrics = commands, metrics
        self.stopping = False
        self._polls: set[asyncio.Event] = set()  # of requests that wait for something new

    def stop(self) -> None:
        """Answer all requests that wait for something new."""
        self.stopping = True
        for news in list(self._polls):
            news.set()

    # -------------------------------------------------------------- about the server
    async def health(self, request: Request) -> Response:
        """Can decisions be stored? 503 if not."""
        ok = True
        try:
            await asyncio.wait_for(self.tables.store.check(), HEALTH_WITHIN)
        except Exception:  # the same answer for every fault
            ok = False
        health = lobby_protocol.Health(
            ok=ok, software=tacit.__version__, protocol=PROTOCOL,
            database=self.tables.store.url.get_backend_name(), bus=self.tables.bus.name, bus_up=self.tables.bus.up,
            tables=len(self.tables.loaded),
        )  # fmt: skip
        return answer(health, 200 if ok else 503)

    async def prometheus(self, request: Request) -> Response:
        """Metrics, for the host alone (metrics.py says why)."""
        wanted = self.config.metrics_key
        if wanted is not None:
            given = request.headers.get("authorization", "").partition(" ")[2].strip()
            allowed = hmac.compare_digest(given.encode(), wanted.encode())
        else:
            local = request.client is not None and request.client.host in ("127.0.0.1", "::1")
            # A page whose host name resolves to this machine (DNS rebinding) is local too, but sends that name.
            named = _host(request.headers.get("host", "")) in LOOPBACK
            allowed = local and named and not any(name in request.headers for name in PROXY_HEADERS)
        if not allowed:
            raise refuse("metrics", 403)
        return Response(self.metrics.text(), media_type=CONTENT_TYPE_LATEST)

    async def games(self, request: Request) -> Response:
        """The games that can be played here."""
        games = []
        for name in game_names():
            game = game_named(name)
            games.append(
                lobby_protocol.GameInfo(
                    game=name, title=game.title, rules_version=game.rules_version, min_seats=game.min_seats,
                    max_seats=game.max_seats, options={k: list(v) for k, v in game.options.items()},
                    cooperative=game.cooperative, silent=LiveTable.is_silent(game), signals=list(game.signals),
                    bots=bot_infos(game), puzzles=len(puzzles_of(name)),
                )
            )  # fmt: skip
        return answer(lobby_protocol.Games(protocol=PROTOCOL, software=tacit.__version__, games=games))

    async def words(self, request: Request) -> Response:
        """The sentences of a language, by prefix; English where a catalogue lacks the language."""
        language = request.path_params["language"]
        if not (len(language) == 2 and language.isalpha() and language.islower()):
            raise refuse("not-found", 404)
        found = {}
        for prefix in ("core", "server", "review", *game_names()):
            try:
                found[prefix] = catalogue(prefix, language)
            except FileNotFoundError:
                found[prefix] = catalogue(prefix)
        return answer(found)

    # -------------------------------------------------------------- tables
    async def lobby(self, request: Request) -> Response:
        """The open tables."""
        apart = self.tables.people.apart(self.access.person(request))
        return Response(await self.tables.lobby.encoded(apart), media_type="application/json")

    async def create(self, request: Request) -> Response:
        """Make a table."""
        wish = await body(request, protocol.Create)
        self.access.creation_limit.take(address(request))
        player = self.access.player(request) or new_key()
        row, key, seat = await self.tables.create(wish, address(request), self.access.person_of(player))
        return self.entered(request, Seated(row.id, seat, True, key, player), 201)

    async def join(self, request: Request) -> Response:
        """Claim a free seat with a name."""
        wish = await body(request, protocol.Join)
        self.access.creation_limit.take(address(request))
        name = request.path_params["table"]
        player = self.access.player(request) or new_key()
        key, seat, maker = await self.tables.join(name, wish, self.access.person_of(player))
        return self.entered(request, Seated(name, seat, maker, key, player), 201)

    async def enter(self, request: Request) -> Response:
        """Show a key on this device; a cookie keeps it."""
        wish = await body(request, protocol.Enter)
        caller = await self.tables.enter(request.path_params["table"], wish.key)
        return self.entered(request, Seated(caller.table.row.id, caller.seat, caller.maker, wish.key))

    async def follow(self, request: Request) -> Response:
        """Go to the rematch's table with the same key."""
        name = request.path_params["table"]
        key = self.access.key(request, name)
        person = self.access.recognised(request)
        caller = await self.tables.enter(name, key, person)
        if caller.table.row.next is None:
            raise refuse("rematch.none")
        there = await self.tables.enter(caller.table.row.next, key, person)
        if key is None:
            raise refuse("key.none", 403)
        return self.entered(request, Seated(there.table.row.id, there.seat, there.maker, key))

    async def table(self, request: Request) -> Response:
        """Who sits at this table."""
        name = request.path_params["table"]
        table, key = await self.tables.find(name), self.access.key(request, name)
        table.presence.update()
        person = self.access.recognised(request)
        seated = any(person is not None and seat.player == person for seat in table.row.seats)
        return answer(table_info(table, seated or (key is not None and table.seat_of(hash_of(key)) is not None)))

    async def command(self, request: Request) -> Response:
        """Carry out any command of the protocol."""
        kind = COMMANDS.get(request.path_params["command"])
        if kind is None:
            raise refuse("not-found", 404)
        command = await body(request, kind)
        name = request.path_params["table"]
        caller = await self.tables.enter(name, self.access.key(request, name), self.access.recognised(request))
        done = await self.commands.run(caller, command)
        self.tables.polled(caller)  # only now: a refused command does not change presence either
        return answer(done)

    # -------------------------------------------------------------- the match
    async def seen(self, request: Request) -> Response:
        """What I see; with `If-None-Match` and `wait`, once it has changed."""
        caller, stale = await self.access.caller(request)
        table = caller.table
        await self.tables.deals.watch(caller, self.access.who(request))
        known = request.headers.get("if-none-match")
        wait = seconds(request, "wait")
        if wait:
            self.tables.polled(caller)  # waiting makes a seat present, a mere look does not
        found = self._encoded_seen(caller)
        if wait and (found is None or found[1] == known):
            found = await self._wait_for_change(request, caller, known, wait)
        if found is None:
            trouble = table.trouble()
            if trouble is not None:
                raise trouble
            if caller.seat is None and table.row.spectators in ("none", "after"):
                raise stale or refuse(f"spectators.{table.row.spectators}", 403)
            raise refuse("phase.not-started")
        payload, tag = found
        headers = {"ETag": tag}
        if tag == known:
            return Response(status_code=304, headers=headers)
        return Response(payload, media_type="application/json", headers=headers)

    async def _wait_for_change(
        self, request: Request, caller: Caller, known: str | None, wait: float
    ) -> tuple[bytes, str] | None:  # fmt: skip
        """What the caller sees, once it is not `known` or after `wait` seconds."""
        news = asyncio.Event()
        found = self._encoded_seen(caller)
        with self.access.subscriber_limit.join(address(request)), contextlib.suppress(TimeoutError):
            subscriber = Subscriber(caller.key_hash, caller.seat, lambda _: news.set())
            self.tables.subscribe(caller.table, subscriber)
            self._polls.add(news)
            try:
                async with asyncio.timeout(wait):
                    while (found is None or found[1] == known) and not self.stopping:
                        news.clear()
                        await news.wait()
                        found = self._encoded_seen(caller)
            finally:
                self._polls.discard(news)
                self.tables.unsubscribe(caller.table, subscriber)
        return found

    def _encoded_seen(self, caller: Caller) -> tuple[bytes, str] | None:
        """The caller's `seen` and its ETag; None if there is nothing to see."""
        table = caller.table
        seat = table.seat_of(caller.key_hash)
        view = table.view(seat)
        if view is None:
            return None
        payload = encode(table.seen(seat, view))
        return payload, f'"{hashlib.sha256(payload).hexdigest()[:20]}"'

    # -------------------------------------------------------------- after the match
    async def record(self, request: Request) -> Response:
        """The whole record, once the match is over."""
        table = (await self.caller_afterwards(request)).table
        headers = {"Content-Disposition": f'attachment; filename="{table.row.game}-{table.row.id}.tacit"'}
        return Response(table.record(), media_type="text/plain; charset=utf-8", headers=headers)

    async def replay(self, request: Request) -> Response:
        """A match after some of its steps, from any eyes. Once it is over."""
        table, eyes = (await self.caller_afterwards(request)).table, _eyes(request)
        step, decision = number(request, "step") or 0, _decision(request)
        return answer(await self.replays.replayed(table.record(), eyes, step, decision))

    async def outline(self, request: Request) -> Response:
        """All steps of a finished match, as a viewer heard them."""
        table, eyes = (await self.caller_afterwards(request)).table, _eyes(request)
        return answer(await self.replays.outline(table.record(), eyes))

    async def replay_brought(self, request: Request) -> Response:
        """A match after some of its steps, from any eyes. Of a record that you bring."""
        brought = await self.brought(request, protocol.Bring)
        return answer(await self.replays.replayed(brought.record, brought.eyes, brought.step, brought.decision))

    async def outline_brought(self, request: Request) -> Response:
        """All steps of an uploaded record, as a viewer heard them."""
        brought = await self.brought(request, protocol.Bring)
        return answer(await self.replays.outline(brought.record, brought.eyes))


def _eyes(request: Request) -> str:
    try:
        return msgspec.convert(request.query_params.get("eyes", "public"), protocol.Eyes)
    except msgspec.ValidationError:
        raise refuse("replay.eyes", 400) from None


def _decision(request: Request) -> str | None:
    try:
        return msgspec.convert(request.query_params.get("decision"), protocol.Text | None)
    except msgspec.ValidationError:
        raise refuse("unreadable", 400, detail="“decision” is too long") from None


def _host(header: str) -> str | None:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{header}").hostname
    except ValueError:
        return None
