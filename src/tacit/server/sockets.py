"""WebSockets: one is one listener, and a way to give commands."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tacit.core.errors import TacitError
from tacit.core.messages import Message
from tacit.server import faults, logs
from tacit.server.errors import refuse, refused
from tacit.server.limits import network
from tacit.server.live_table import Subscriber, encode
from tacit.server.protocol import MAX_BYTES, PROTOCOL, Commands, Hello, Reload, Whole
from tacit.server.seating import Place
from tacit.server.websocket_protocol import EXTENSION, WebSocketProtocol

if TYPE_CHECKING:
    from tacit.server.app import App

HELLO_WITHIN = 10.0  # seconds
BEHIND = 500  # messages that may wait for a slow client; then it must come again
BEHIND_BYTES = 256 * 1024  # and bytes, above one message
TOO_FAST = 0.05  # seconds that a socket waits for its next answer after it was too fast
GOODBYE = 10.0  # seconds that it has to read what was sent when we close it
CLOSE_REFUSED, CLOSE_RELOAD, CLOSE_REMOVED, CLOSE_BEHIND, CLOSE_CROWD, CLOSE_BROKEN = 4403, 4426, 4410, 4408, 4429, 1011
CLOSE_RESTART = 1012  # come back in a moment
STALE = Message("server.key.stale")
_commands = msgspec.json.Decoder(Commands)


class Connection:
    """One open socket after its hello: what is to be sent, and the commands that it gives, one after the other."""

    def __init__(self, sockets: Sockets, wire: WebSocketProtocol, place: Place, address: str) -> None:
        self.sockets, self.app, self.wire, self.place, self.address = sockets, sockets.app, wire, place, address
        self.out: list[bytes] = []
        self.out_bytes = 0
        self.came: deque[str] = deque()  # while a command is being carried out
        self.answering = False
        self.soon = False  # what is to be sent is sent before the loop turns again
        self.code: int | None = None  # to be closed with it, once all is sent
        self.listener = Subscriber(place.key_hash, place.seat, self.send)
        self.ended: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.task = asyncio.current_task()

    # -------------------------------------------------------------- out
    def send(self, message: bytes) -> None:
        """Send a message, together with what else is sent at this moment."""
        if self.out and (len(self.out) >= BEHIND or self.out_bytes >= BEHIND_BYTES):
            self.slow()
        elif self.code is None:
            self.out.append(message)
            self.out_bytes += len(message)
            self.sockets.flush_soon(self)

    def slow(self) -> None:
        """The client does not read, or too slowly: it must come again."""
        if not self.ended.done():
            logs.note("socket.slow", logging.WARNING)
            self.end(CLOSE_BEHIND)

    def close(self, code: int) -> None:
        """Close it, after what is to be sent."""
        if self.code is None:
            self.code = code
            self.sockets.flush_soon(self)

    def flush(self) -> None:
        self.soon = False
        if self.ended.done() or self.wire.full:
            return
        if self.out:
            self.wire.write(self.out)
            self.out, self.out_bytes = [], 0
        if self.listener.gone:
            self.end(CLOSE_REMOVED)
        elif self.code is not None:
            self.end(self.code)

    def room(self) -> None:
        self.flush()

    def end(self, code: int | None) -> None:
        """It is over: closed with a code, or without one when nobody is there any more."""
        if not self.ended.done():
            self.ended.set_result(code)

    def lost(self) -> None:
        self.end(None)

    # -------------------------------------------------------------- in
    def hear(self, text: str) -> None:
        if self.answering:
            self.came.append(text)
            self.wire.read(paused=True)
        else:
            self.answering = True
            self.app.tables.carry_through(self._answer_all(text))

    async def _answer_all(self, text: str) -> None:
        """Carry out a command, and those that come meanwhile."""
        try:
            while True:
                if not self.sockets.leaving:  # what is not taken is not answered: they send it when they are back
                    self.send(encode(await self._answer(text)))
                if not self.came or self.ended.done():
                    break
                text = self.came.popleft()
                await asyncio.sleep(0)  # who sends many at once waits for the others, and what was answered is sent
        except Exception as error:
            faults.note("a socket", error)
            self.end(CLOSE_BROKEN)
            return
        self.answering = False
        self.wire.read(paused=False)
        if self.sockets.leaving:
            self.close(CLOSE_RESTART)

    async def _answer(self, text: str) -> Any:
        id = None
        try:
            self.app.talking.take(self.address)
            try:
                command = _read(text)
            except TacitError:
                id = _id(text)
                raise
            id = command.id
            if isinstance(command, Hello):
                raise refuse("hello.twice", 400)
            live, key_hash = self.place.live, self.place.key_hash
            now = Place(live, key_hash, live.seat_of(key_hash), live.is_maker(key_hash))
            return await self.app.tables.commands.do(now, command)
        except TacitError as error:
            self.app.metrics.refusals.labels(error.message.code).inc()
            if error.message.code == "server.limit":
                await asyncio.sleep(TOO_FAST)  # meanwhile nothing more is read of it
            return refused(error, id if id is not None else _id(text))


class Sockets:
    """All sockets of this process."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.lines: set[Connection] = set()
        self.leaving = False
        self._soon: list[Connection] = []

    def flush_soon(self, line: Connection) -> None:
        """Send what a line has to send once everything that happens now has happened."""
        if not line.soon:
            line.soon = True
            if not self._soon:
                asyncio.get_running_loop().call_soon(self._flush)
            self._soon.append(line)

    def _flush(self) -> None:
        lines, self._soon = self._soon, []
        for line in lines:
            line.flush()

    async def leave(self, seconds: float) -> None:
        """The server stops: whoever waits for an answer gets it, then all are told to come back, with code 1012."""
        self.leaving = True
        for line in list(self.lines):
            if not line.answering:
                line.close(CLOSE_RESTART)
        tasks = [line.task for line in self.lines if line.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def close(self) -> None:
        for line in list(self.lines):
            line.end(None)

    async def serve(self, socket: WebSocket) -> None:
        """From hello to the end of one socket."""
        try:
            self.app.talking.take(_address(socket))
            self.app.check_origin(socket)
        except TacitError:
            await socket.close(CLOSE_REFUSED)
            return
        await socket.accept()
        if self.leaving:
            await socket.close(CLOSE_RESTART)
            return
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # RuntimeError: it was closed while we wrote
            try:
                with self.app.crowd.join(_address(socket)):
                    found = await self._hello(socket)
                    if found is not None:
                        await self._talk(socket, *found)
            except TacitError as error:
                self.app.metrics.refusals.labels(error.message.code).inc()
                await _send(socket, refused(error))
                await socket.close(CLOSE_CROWD)
            except (WebSocketDisconnect, RuntimeError):
                raise
            except Exception as error:
                faults.note("a socket", error)
                await socket.close(CLOSE_BROKEN)

    async def _hello(self, socket: WebSocket) -> tuple[Place, Message | None] | None:
        """Who comes, and what is said to them about it; None if they were refused."""
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                text = await _receive(socket)
            self.app.talking.take(_address(socket))
            hello = _read(text)
            if not isinstance(hello, Hello):
                raise refuse("hello.first", 400)
            if hello.protocol != PROTOCOL:
                await _send(socket, Reload(protocol=PROTOCOL, sentence=str(refuse("protocol.reload"))))
                await socket.close(CLOSE_RELOAD)
                return None
            place, stale = await self.app.place(socket, hello.key)
            live = place.live
            if place.seat is None and not place.maker and live.phase != "gathering" and not live.watchable:
                raise stale or refuse(f"spectators.{live.row.spectators}", 403)
            trouble = live.trouble()
            if trouble is not None:
                raise trouble
            return place, STALE if stale is not None else None
        except TimeoutError:
            await socket.close(CLOSE_REFUSED)
        except TacitError as error:
            self.app.metrics.refusals.labels(error.message.code).inc()
            await _send(socket, refused(error))
            await socket.close(CLOSE_REFUSED)
        return None

    async def _talk(self, socket: WebSocket, place: Place, notice: Message | None) -> None:
        wire: WebSocketProtocol = socket.scope["extensions"][EXTENSION]
        line = Connection(self, wire, place, _address(socket))
        line.listener.notice = notice
        self.lines.add(line)
        try:
            self.app.tables.listen(place, line.listener)
            wire.take(line)
            code = await line.ended
            if code is not None:
                wire.cut_after(GOODBYE)
                await socket.close(code)
        finally:
            self.app.tables.unlisten(place, line.listener)
            self.lines.discard(line)


class _Numbered(msgspec.Struct):
    id: Whole | None = None


def _id(text: str) -> int | None:
    """The number of a command, even of one that cannot be read."""
    try:
        return msgspec.json.decode(text, type=_Numbered).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _read(text: str) -> Any:
    try:
        return _commands.decode(text if len(text) <= MAX_BYTES else "")
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise refuse("unreadable", 400, detail=str(error)[:200]) from None


async def _receive(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None:
        text = (message.get("bytes") or b"").decode("utf-8", "replace")
    return text if len(text) <= MAX_BYTES else ""


async def _send(socket: WebSocket, event: Any) -> None:
    await socket.send({"type": "websocket.send", "text": encode(event).decode()})


def _address(socket: WebSocket) -> str:
    return network(socket.client.host) if socket.client else ""
