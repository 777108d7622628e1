"""WebSockets of the API: hello, then a subscriber that also gives commands."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec
from starlette.requests import HTTPConnection

from tacit.core.errors import TacitError
from tacit.core.messages import Message
from tacit.server import faults, logs
from tacit.server.access import Access
from tacit.server.commands import Commands
from tacit.server.errors import refuse, refused
from tacit.server.keys import new_key
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.models import TableRow
from tacit.server.protocol import MAX_BYTES, PROTOCOL, Act, Create, Done, Event, Hello, Join, Joined, Reload, Whole
from tacit.server.requests import address, read
from tacit.server.seating import Caller, caller_by_key
from tacit.server.subscriber import Subscriber, encode
from tacit.server.table_service import TableService
from tacit.server.websocket_protocol import WebSocketProtocol
from tacit.server.wire import Commands as AnyCommand

HELLO_WITHIN = 10.0  # seconds
MAX_UNSENT = 500  # messages that may wait for a slow client; then it is closed
MAX_UNSENT_BYTES = 256 * 1024  # above one message
LIMIT_PAUSE = 0.05  # seconds before the answer to a client that was too fast
CLOSE_WITHIN = 10.0  # seconds that a client has to read what was sent before the close
CLOSE_REFUSED, CLOSE_RELOAD, CLOSE_REMOVED, CLOSE_SLOW, CLOSE_FULL, CLOSE_BROKEN = 4403, 4426, 4410, 4408, 4429, 1011
CLOSE_RESTART = 1012  # come back in a moment
STALE_COOKIE = Message("server.key.stale")


class Connection:
    """One WebSocket after its hello: what is to be sent, and its commands, one after the other."""

    def __init__(self, sockets: Sockets, transport: WebSocketProtocol, caller: Caller, address: str) -> None:
        self.sockets, self.transport, self.caller, self.address = sockets, transport, caller, address
        self.unsent: list[bytes] = []
        self.unsent_bytes = 0
        self.unread: list[str] = []  # messages that came while a command is carried out
        self.answering = False
        self.acting: int | None = None  # the id of the decision that is being stored
        self.row: TableRow | None = None  # for which `caller` was looked up
        self.flush_scheduled = False
        self.close_code: int | None = None  # close with it once all is sent
        self.subscriber = Subscriber(caller.key_hash, caller.seat, self.send)
        self.ended: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    # -------------------------------------------------------------- sending
    def send(self, message: bytes) -> None:
        """Send a message, together with what else is sent in this turn of the event loop."""
        if self.unsent and (len(self.unsent) >= MAX_UNSENT or self.unsent_bytes >= MAX_UNSENT_BYTES):
            self.on_slow()
        elif self.close_code is None:
            self.unsent.append(message)
            self.unsent_bytes += len(message)
            self.sockets.schedule_flush(self)

    def close(self, code: int) -> None:
        """Close it after what is to be sent."""
        if self.close_code is None:
            self.close_code = code
            self.sockets.schedule_flush(self)

    def flush(self) -> None:
        self.flush_scheduled = False
        if self.ended.done() or self.transport.write_paused:
            return
        if self.unsent:
            self.transport.write(self.unsent)
            self.unsent, self.unsent_bytes = [], 0
        if self.subscriber.removed:
            self.end(CLOSE_REMOVED)
        elif self.close_code is not None:
            self.end(self.close_code)

    def end(self, code: int | None) -> None:
        """Close it now with a code; without one if the client is gone."""
        if not self.ended.done():
            self.ended.set_result(code)

    # -------------------------------------------------------------- what the transport reports
    def on_writable(self) -> None:
        self.flush()

    def on_slow(self) -> None:
        """The client does not read, or too slowly: it must connect again."""
        if not self.ended.done():
            logs.note("socket.slow", logging.WARNING)
            self.end(CLOSE_SLOW)

    def on_lost(self) -> None:
        self.end(None)

    def on_message(self, text: str) -> None:
        self.unread.append(text)
        if self.answering:
            self.transport.pause_receiving(True)
        else:
            self.answering = True
            self.sockets.schedule_answer(self)

    # -------------------------------------------------------------- commands
    def answer_next(self) -> None:
        """Answer the next message: most decisions without a task, everything else in one."""
        if self.sockets.stopping:
            self.unread.clear()  # an unanswered command is sent again to the next server
        if not self.unread or self.ended.done():
            self.answering = False
            self.transport.pause_receiving(False)
            if self.sockets.stopping:
                self.close(CLOSE_RESTART)
            return
        text, id = self.unread.pop(0), None
        try:
            self.sockets.access.request_limit.take(self.address)
            command = _read(text)
            id = command.id
            if type(command) is Act and self.sockets.commands.act_soon(self._caller(), command, self._acted):
                self.acting = id
                return
            work = self._carry_out(command)
        except TacitError as error:
            self._refuse(error, id if id is not None else _id(text))
            return
        except Exception as error:
            self.broken(error)
            return
        self.sockets.tables.run_to_completion(work)

    def _acted(self, outcome: bool | Exception) -> None:
        """The decision that went without a task is published, or refused, or something broke."""
        if isinstance(outcome, TacitError):
            self._refuse(outcome, self.acting)
        elif isinstance(outcome, Exception):
            self.broken(outcome)
        else:
            self._answer(Done(id=self.acting, again=outcome))

    async def _carry_out(self, command: Any) -> None:
        """Carry out one command, and answer it."""
        try:
            if isinstance(command, Hello):
                raise refuse("hello.twice", 400)
            self._answer(await self.sockets.commands.run(self._caller(), command))
        except TacitError as error:
            self._refuse(error, command.id)
        except Exception as error:
            self.broken(error)

    def _refuse(self, error: TacitError, id: int | None) -> None:
        self.sockets.metrics.refusals.labels(error.message.code).inc()
        if error.message.code == "server.limit":  # nothing more is read meanwhile
            asyncio.get_running_loop().call_later(LIMIT_PAUSE, self._answer, refused(error, id))
        else:
            self._answer(refused(error, id))

    def _answer(self, event: Event) -> None:
        """Send the answer to a command, and go on to the next."""
        self.send(encode(event))
        if self.unread:
            asyncio.get_running_loop().call_soon(self.answer_next)  # let others run, and send what was answered
        else:
            self.answer_next()

    def broken(self, error: Exception) -> None:
        faults.note("a socket", error)
        self.end(CLOSE_BROKEN)

    def _caller(self) -> Caller:
        """Who they are at the table now: a change of its row may have moved them to another seat."""
        caller = self.caller
        if self.row is not caller.table.row:
            table, key_hash, self.row = caller.table, caller.key_hash, caller.table.row
            caller = self.caller = Caller(table, key_hash, table.seat_of(key_hash), table.is_maker(key_hash))
        return caller


class Greeting:
    """One WebSocket before its hello. Who shows the key of a seat at a table in memory is subscribed at once; anybody
    else's hello is answered in a task.
    """

    def __init__(self, sockets: Sockets, request: HTTPConnection, transport: WebSocketProtocol) -> None:
        self.sockets, self.request, self.transport, self.address = sockets, request, transport, address(request)
        self.table: str | None = request.path_params.get("table")
        self.timer: asyncio.TimerHandle | None = None  # until the hello
        self.counted = False  # as a subscriber
        self.unread: list[str] = []  # messages that came after the hello

    def begin(self) -> None:
        """Wait for the hello. Refuses if there are too many subscribers."""
        self.sockets.access.subscriber_limit.enter(self.address)
        self.counted = True
        self.timer = asyncio.get_running_loop().call_later(HELLO_WITHIN, self._close, CLOSE_REFUSED)

    def _close(self, code: int) -> None:
        self._end()
        self.transport.close(code)

    def _end(self) -> None:
        """It is no subscriber, and becomes none."""
        self._stop_timer()
        if self.counted:
            self.counted = False
            self.sockets.access.subscriber_limit.leave(self.address)

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    # -------------------------------------------------------------- what the transport reports
    def on_writable(self) -> None:
        pass

    def on_slow(self) -> None:
        self.transport.transport.abort()

    def on_lost(self) -> None:
        self._end()

    def on_message(self, text: str) -> None:
        if self.timer is None:  # the hello is being answered
            self.unread.append(text)
            self.transport.pause_receiving(True)
            return
        self._stop_timer()
        access = self.sockets.access
        try:
            access.check_rate(self.request)
            hello = _read(text)
            if not isinstance(hello, Hello):
                raise refuse("hello.first", 400)
            if hello.protocol != PROTOCOL:
                self.transport.write([encode(Reload(protocol=PROTOCOL, sentence=str(refuse("protocol.reload"))))])
                self._close(CLOSE_RELOAD)
                return
            if (hello.create is None) == (self.table is None):
                raise refuse("hello.place", 400)
            wish = hello.create or hello.join
            if wish is not None:
                self.sockets.tables.run_to_completion(self._sit_down(wish))
                return
            caller = access.seated(self.request, hello.key)
            if caller is None:
                self.sockets.tables.run_to_completion(self._find(hello))
            else:
                _need_rules(caller.table)
                self._subscribe(caller, None)
        except Exception as error:
            self._fail(error)

    # -------------------------------------------------------------- who it is
    async def _sit_down(self, wish: Create | Join) -> None:
        """Make a table or claim a seat, as over HTTP, and subscribe with the key."""
        access, tables = self.sockets.access, self.sockets.tables
        try:
            access.creation_limit.take(self.address)
            player = access.player(self.request) or new_key()
            person = access.person_of(player)

            def seated(table: LiveTable, key: str, seat: int | None) -> None:
                joined = encode(Joined(table=table.row.id, seat=seat, key=key, player=player))
                caller = caller_by_key(table, key)
                assert caller is not None
                self._subscribe(caller, None, joined)

            if isinstance(wish, Create):
                row, key, seat = await tables.create(wish, self.address, person)
                seated(await tables.find(row.id), key, seat)
            else:
                await tables.join(self.table or "", wish, person, seated)
        except Exception as error:
            self._fail(error)

    async def _find(self, hello: Hello) -> None:
        """Find out who says hello, where that takes longer."""
        try:
            caller, stale = await self.sockets.access.caller(self.request, hello.key)
            table = caller.table
            if caller.seat is None and not caller.maker and table.phase != "gathering" and not table.has_spectators:
                raise stale or refuse(f"spectators.{table.row.spectators}", 403)
            _need_rules(table)
            await self.sockets.tables.deals.watch(caller, self.sockets.access.who(self.request, caller.key_hash))
            self._subscribe(caller, STALE_COOKIE if stale is not None else None)
        except Exception as error:
            self._fail(error)

    def _subscribe(self, caller: Caller, notice: Message | None, first: bytes | None = None) -> None:
        if self.counted:  # else it is gone
            self.counted = False
            self.sockets.subscribe(self, caller, notice, first)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, TacitError):
            self.refuse(error, CLOSE_REFUSED)
        else:
            faults.note("a socket", error)
            self._close(CLOSE_BROKEN)

    def refuse(self, error: TacitError, code: int) -> None:
        """Send a refusal, and close it."""
        self.sockets.metrics.refusals.labels(error.message.code).inc()
        self.transport.write([encode(refused(error))])
        self._close(code)


class Sockets:
    """All WebSockets of this process."""

    def __init__(self, tables: TableService, commands: Commands, access: Access, metrics: Metrics) -> None:
        self.tables, self.commands, self.access, self.metrics = tables, commands, access, metrics
        self.connections: set[Connection] = set()
        self.stopping = False
        self._to_answer: list[Connection] = []
        self._to_flush: list[Connection] = []

    def schedule_answer(self, connection: Connection) -> None:
        """Answer a connection's message once all that came in this turn of the event loop has been read. To read them
        all and then to decide takes less than to do both in turns: code and data stay in the processor's caches.
        """
        if not self._to_answer:
            asyncio.get_running_loop().call_soon(self._answer_all)
        self._to_answer.append(connection)

    def _answer_all(self) -> None:
        connections, self._to_answer = self._to_answer, []
        for connection in connections:
            try:
                connection.answer_next()
            except Exception as error:  # the others are answered all the same
                connection.broken(error)

    def schedule_flush(self, connection: Connection) -> None:
        """Flush a connection once everything that happens in this turn of the event loop has happened."""
        if not connection.flush_scheduled:
            connection.flush_scheduled = True
            if not self._to_flush:
                asyncio.get_running_loop().call_soon(self.flush)
            self._to_flush.append(connection)

    def flush(self) -> None:
        """Send everything that is to be sent."""
        connections, self._to_flush = self._to_flush, []
        for connection in connections:
            connection.flush()

    async def stop(self, seconds: float) -> None:
        """The server stops: finish commands that are being carried out, then close all with CLOSE_RESTART."""
        self.stopping = True
        for connection in list(self.connections):
            if not connection.answering:
                connection.close(CLOSE_RESTART)
        if self.connections:
            await asyncio.wait([connection.ended for connection in self.connections], timeout=seconds)

    def close(self) -> None:
        for connection in list(self.connections):
            connection.end(None)

    def serve(self, request: HTTPConnection, transport: WebSocketProtocol) -> None:
        """Answer a handshake, and wait for the hello."""
        try:
            self.access.check_rate(request)
            self.access.check_origin(request)
        except TacitError:
            transport.reject()
            return
        greeting = Greeting(self, request, transport)
        transport.accept(greeting)
        if self.stopping:
            transport.close(CLOSE_RESTART)
            return
        try:
            greeting.begin()
        except TacitError as error:
            greeting.refuse(error, CLOSE_FULL)

    def subscribe(self, greeting: Greeting, caller: Caller, notice: Message | None, first: bytes | None) -> None:
        """Subscribe a socket to the table until it ends, and send it a first message if there is one. No task waits for
        the end: it would take 10 KB.
        """
        transport = greeting.transport
        connection = Connection(self, transport, caller, greeting.address)
        connection.subscriber.notice = notice
        self.connections.add(connection)
        connection.ended.add_done_callback(lambda _: self._ended(connection))
        if first is not None:
            connection.send(first)
        try:
            self.tables.subscribe(caller.table, connection.subscriber)
            transport.hand_over(connection)
            for text in greeting.unread:
                connection.on_message(text)
        except BaseException:
            connection.flush()  # what it was told of its seat
            connection.end(CLOSE_BROKEN)
            raise

    def _ended(self, connection: Connection) -> None:
        code = connection.ended.result()
        if code is not None:
            connection.transport.abort_after(CLOSE_WITHIN)
            connection.transport.close(code)
        self.connections.discard(connection)
        self.access.subscriber_limit.leave(connection.address)
        self.tables.unsubscribe(connection.caller.table, connection.subscriber)
        connection.subscriber.send = _nowhere  # not the connection's: they would wait for the garbage collector


def _nowhere(message: bytes) -> None:
    """Send nothing: the subscriber's socket has ended."""


def _need_rules(table: LiveTable) -> None:
    """Refuse if the match of a table cannot be shown."""
    trouble = table.trouble()
    if trouble is not None:
        raise trouble


class _WithId(msgspec.Struct):
    id: Whole | None = None


def _id(text: str) -> int | None:
    """The id of a command, even of one that cannot be read."""
    try:
        return msgspec.json.decode(text, type=_WithId).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


_commands = msgspec.json.Decoder(AnyCommand)


def _read(text: str) -> Any:
    return read(text if len(text) <= MAX_BYTES else "", _commands)
