"""WebSockets: one is one listener, and a way to give commands."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

import tacit
from tacit.core.errors import TacitError
from tacit.server import faults
from tacit.server.chairs import Place
from tacit.server.limits import network
from tacit.server.live import encode
from tacit.server.protocol import MAX_BYTES, PROTOCOL, Commands, Hello, Reload, Welcome
from tacit.server.refusal import refuse, refused

if TYPE_CHECKING:
    from tacit.server.app import App

HELLO_WITHIN = 10.0  # seconds
BEHIND = 500  # messages that may wait for a slow client; then it must come again
CLOSE_REFUSED, CLOSE_RELOAD, CLOSE_REMOVED, CLOSE_BEHIND, CLOSE_CROWD, CLOSE_BROKEN = 4403, 4426, 4410, 4408, 4429, 1011
CLOSE_RESTART = 1012  # come back in a moment
_commands = msgspec.json.Decoder(Commands)


class Line:
    """One open socket: what is to be sent, and whether a command of its is being carried out."""

    def __init__(self) -> None:
        self.out: asyncio.Queue[bytes | int] = asyncio.Queue()  # a number: close with this code
        self.writer: asyncio.Task[None] | None = None
        self.answering = False


class Sockets:
    """All sockets of this process."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.lines: set[Line] = set()
        self.leaving = False

    async def leave(self, seconds: float) -> None:
        """The server stops: whoever waits for an answer gets it, then all are told to come back, with code 1012."""
        self.leaving = True
        for line in list(self.lines):
            if not line.answering:
                line.out.put_nowait(CLOSE_RESTART)
        writers = [line.writer for line in self.lines if line.writer is not None]
        if writers:
            await asyncio.wait(writers, timeout=seconds)

    def _perhaps_leave(self, line: Line) -> None:
        if self.leaving:
            line.out.put_nowait(CLOSE_RESTART)

    def close(self) -> None:
        for line in list(self.lines):
            if line.writer is not None:
                line.writer.cancel()

    async def serve(self, socket: WebSocket) -> None:
        """From hello to the end of one socket."""
        try:
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
                    place = await self._hello(socket)
                    if place is not None:
                        await self._talk(socket, place)
            except TacitError as error:
                self.app.figures.refusals.labels(error.message.code).inc()
                await _send(socket, refused(error))
                await socket.close(CLOSE_CROWD)
            except (WebSocketDisconnect, RuntimeError):
                raise
            except Exception as error:
                faults.note("a socket", error)
                await socket.close(CLOSE_BROKEN)

    async def _hello(self, socket: WebSocket) -> Place | None:
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
            table = socket.path_params["table"]
            place = await self.app.tables.enter(table, hello.key or self.app.key(socket, table))
            live = place.live
            if place.seat is None and not place.maker and live.phase != "gathering" and not live.watchable:
                raise refuse(f"spectators.{live.row.spectators}", 403)
            trouble = live.trouble() if live.phase == "playing" else None
            if trouble is not None:
                raise trouble
            return place
        except TimeoutError:
            await socket.close(CLOSE_REFUSED)
        except TacitError as error:
            self.app.figures.refusals.labels(error.message.code).inc()
            await _send(socket, refused(error))
            await socket.close(CLOSE_REFUSED)
        return None

    async def _talk(self, socket: WebSocket, place: Place) -> None:
        line = Line()
        out = line.out
        welcome = Welcome(protocol=PROTOCOL, software=tacit.__version__, seat=place.seat, maker=place.maker)
        out.put_nowait(encode(welcome))

        def send(message: bytes) -> None:
            out.put_nowait(message if out.qsize() < BEHIND else CLOSE_BEHIND)

        listener = self.app.tables.listen(place, send)

        async def write() -> None:
            while isinstance(message := await out.get(), bytes):
                await socket.send({"type": "websocket.send", "text": message.decode()})
                if listener.gone and out.empty():
                    await socket.close(CLOSE_REMOVED)
                    return
            await socket.close(message)

        writer = line.writer = asyncio.create_task(write(), name="socket writer")
        self.lines.add(line)
        try:
            while True:
                text = await _receive(socket)
                if self.leaving:
                    continue  # it was not taken, so it is not answered: they send it again when they are back
                line.answering = True
                send(encode(await self._answer(socket, place, text)))
                line.answering = False
                self._perhaps_leave(line)
        finally:
            self.app.tables.unlisten(place, listener)
            self.lines.discard(line)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _answer(self, socket: WebSocket, place: Place, text: str) -> Any:
        id = _id(text)
        try:
            self.app.talking.take(_address(socket))
            command = _read(text)
            if isinstance(command, Hello):
                raise refuse("hello.twice", 400)
            live = place.live
            now = Place(live, place.key_hash, live.seat_of(place.key_hash), live.is_maker(place.key_hash))
            return await self.app.tables.commands.do(now, command)
        except TacitError as error:
            self.app.figures.refusals.labels(error.message.code).inc()
            return refused(error, id)


class _Numbered(msgspec.Struct):
    id: int | None = None


def _id(text: str) -> int | None:
    """The number of a command, even of one that cannot be read."""
    try:
        return msgspec.json.decode(text, type=_Numbered).id
    except msgspec.DecodeError:
        return None


def _read(text: str) -> Any:
    try:
        return _commands.decode(text)
    except msgspec.DecodeError as error:
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
