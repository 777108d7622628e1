"""WebSockets below ASGI: `websockets` reads and writes the frames, we bound them.

ASGI opens and closes a socket; between hello and goodbye messages take a short way past it, because it made a task
wake, stop and start reading for each of them. A client that sends many pings, or one message in many pieces, is refused
with a close code. One that does not read is not read either, so that no answers pile up, and at last it is cut off.
"""

from __future__ import annotations

import asyncio
import logging
import os
from http import HTTPStatus
from typing import Any, Protocol, cast
from urllib.parse import unquote

import uvicorn
from starlette.types import Message, Scope
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from tacit.server import faults, logs
from tacit.server.connections import BoundedReads, Connections

EXTENSION = "tacit.wire"  # where an application finds its wire in the scope
TEXT = 0x81  # the first byte of a frame that is a whole text
CONTROL_BURST, CONTROL_RATE = 30, 2.0  # pings and pongs of a client at once, and a second (usual: one in 20 seconds)
PIECES = 256  # of one message
SLICE = 512  # bytes parsed before we look what was in them: 85 pings at most
READ_WITHIN = 15.0  # seconds that a client may leave our buffer full
CLOSE_WITHIN = 10.0  # seconds that a client has to answer our close
LINGER, LINGER_BYTES = 2.0, 1 << 20  # we go on reading after a client broke the protocol, so that it gets our close


class MessageHandler(Protocol):
    """Whoever is at the other end of a wire."""

    def hear(self, text: str) -> None:
        """A message came."""

    def room(self) -> None:
        """What was written has gone: there is room for more."""

    def slow(self) -> None:
        """What was written has not been read for long."""

    def lost(self) -> None:
        """The connection is gone."""


class WebSocketProtocol(BoundedReads):
    """One WebSocket. Whoever takes it is told what comes, and writes to it directly."""

    def __init__(
        self, connections: Connections, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self.counted, self.config, self.state = connections, config, app_state
        self.connections, self.tasks = server_state.connections, server_state.tasks
        self.loop = asyncio.get_running_loop()
        self.protocol = ServerProtocol(max_size=config.ws_max_size, logger=logging.getLogger("websockets.server"))
        self.response: Response | None = None  # to the handshake, sent when the application accepts
        self.ear: MessageHandler | None = None
        self.came: asyncio.Queue[Message] = asyncio.Queue()  # for the application, while nobody has taken the wire
        self.pieces: list[bytes] = []  # of the message that comes
        self.binary = False
        self.unheard = 0  # bytes that came after all was over
        self.controls, self.controls_at = float(CONTROL_BURST), self.loop.time()
        self.paused = self.full = self.disconnected = False
        self.pinged: bytes | None = None  # the ping that has not been answered
        self.timers: dict[str, asyncio.TimerHandle] = {}

    def _after(self, name: str, seconds: float, do: Any, *given: Any) -> None:
        self._stop(name)
        self.timers[name] = self.loop.call_later(seconds, do, *given)

    def _stop(self, name: str) -> None:
        timer = self.timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    # -------------------------------------------------------------- the connection
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.connections.add(self)  # type: ignore[arg-type] # uvicorn shuts down whoever is in it

    def data_received(self, data: bytes) -> None:
        if self.disconnected:
            self.unheard += len(data)
            if self.unheard > LINGER_BYTES:
                self.transport.abort()
        elif len(data) <= SLICE or self.response is None:
            self._feed(data)
        else:
            for at in range(0, len(data), SLICE):
                if not self.disconnected:
                    self._feed(data[at : at + SLICE])

    def _feed(self, data: bytes) -> None:
        self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            else:
                self._handshake(cast(Request, event))
        self._send()
        if self.protocol.parser_exc is not None:
            self._broken()
        elif self.protocol.handshake_exc is not None and not self.transport.is_closing():  # too many headers, say
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.counted.lost(self.transport)
        self.connections.discard(self)
        for name in list(self.timers):
            self._stop(name)
        self._gone(CloseCode.ABNORMAL_CLOSURE)

    def _gone(self, code: int) -> None:
        """Whoever listens is told that nothing more will come."""
        if not self.disconnected:
            self.disconnected = True
            self.came.put_nowait({"type": "websocket.disconnect", "code": code})
            if self.ear is not None:
                self.ear.lost()

    def _send(self) -> None:
        """Write what `websockets` has to say: answers to pings, closes."""
        data = b"".join(self.protocol.data_to_send())
        if data:
            self.transport.write(data)

    def pause_writing(self) -> None:
        """The client does not read what we write: then we do not read either, so that no answers pile up."""
        self.full = True
        self._after("slow", READ_WITHIN, self._slow)
        self._read_or_wait()

    def resume_writing(self) -> None:
        self.full = False
        self._stop("slow")
        self._read_or_wait()
        if self.ear is not None:
            self.ear.room()

    def _slow(self) -> None:
        if self.ear is None:
            self.transport.abort()
        else:
            self.ear.slow()

    def _read_or_wait(self) -> None:
        if not self.transport.is_closing():
            if self.paused or self.full:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    def read(self, paused: bool) -> None:
        """Go on reading, or wait with it."""
        if paused != self.paused:
            self.paused = paused
            self._read_or_wait()

    def shutdown(self) -> None:
        """The server stops. The connection ends when the client has answered our close: were it cut now, what the
        client is sending would be answered with a reset, in which our close may be lost.
        """
        if self.protocol.state is State.CONNECTING:
            self.transport.close()
        else:
            self._close(CloseCode.SERVICE_RESTART)

    # -------------------------------------------------------------- frames
    def _frame(self, frame: Frame) -> None:
        if self.disconnected or self.protocol.parser_exc is not None:
            return
        code = frame.opcode
        if code is Opcode.TEXT or code is Opcode.BINARY or code is Opcode.CONT:
            if code is not Opcode.CONT:
                self.binary = code is Opcode.BINARY
            self.pieces.append(bytes(frame.data))
            if frame.fin:
                data = self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)
                self.pieces = []
                self._message(data)
            elif len(self.pieces) >= PIECES:
                self._refuse("pieces")
        elif code is Opcode.CLOSE:
            received = self.protocol.close_rcvd
            self._send()
            self._gone(received.code if received is not None else CloseCode.NO_STATUS_RCVD)
            self.transport.close()
        else:
            now = self.loop.time()
            self.controls = min(CONTROL_BURST, self.controls + (now - self.controls_at) * CONTROL_RATE) - 1
            self.controls_at = now
            if self.controls < 0:
                self._refuse("pings")
            elif code is Opcode.PONG and bytes(frame.data) == self.pinged:
                self.pinged = None

    def _message(self, data: bytes) -> None:
        try:
            text = data.decode(errors="replace" if self.binary else "strict")
        except UnicodeDecodeError:
            self.protocol.fail(CloseCode.INVALID_DATA)
            self._send()
            self._broken()
            return
        if self.protocol.state is not State.OPEN:
            return  # we have closed it: only its own close counts
        if self.ear is not None:
            self.ear.hear(text)
        else:
            self.came.put_nowait({"type": "websocket.receive", "text": text})
            self.read(paused=True)

    def _refuse(self, what: str) -> None:
        """Too much of something: answers to it are not sent."""
        logs.note(f"socket.{what}", logging.WARNING)
        self.protocol.data_to_send()
        if self.protocol.state is State.OPEN:
            self.protocol.fail(CloseCode.POLICY_VIOLATION, f"too many {what}")
            self._send()
            self._broken()
        else:
            self.transport.abort()

    def _broken(self) -> None:
        """The client broke the protocol and was told. What it still sends is read for a moment: else it would get a
        reset, and not our close.
        """
        if "linger" not in self.timers:
            sent = self.protocol.close_sent
            self._after("linger", LINGER, self.transport.abort)
            if self.transport.can_write_eof() and not self.transport.is_closing():
                self.transport.write_eof()
            self.read(paused=False)
            self._gone(sent.code if sent is not None else CloseCode.PROTOCOL_ERROR)

    # -------------------------------------------------------------- ASGI
    def _handshake(self, request: Request) -> None:
        response = self.protocol.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._reply(response)
            return
        self.response = response
        raw_path, _, query = request.path.partition("?")
        scope: Scope = {
            "type": "websocket",
            "asgi": {"version": self.config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self.transport.get_extra_info("sslcontext") else "ws",
            "server": self.transport.get_extra_info("sockname")[:2],
            "client": self.transport.get_extra_info("peername")[:2],
            "root_path": self.config.root_path,
            "path": self.config.root_path + unquote(raw_path),
            "raw_path": raw_path.encode(),
            "query_string": query.encode(),
            "headers": [
                # before websockets 17 bytes that are not ASCII came as surrogates
                (name.lower().encode(), value.encode("latin-1", "surrogateescape"))
                for name, value in request.headers.raw_items()
            ],
            "subprotocols": [],
            "state": self.state.copy(),
            "extensions": {EXTENSION: self},
        }
        self.came.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self._serve(scope))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _serve(self, scope: Scope) -> None:
        """Run the application for this socket."""
        try:
            await self.config.loaded_app(scope, self._receive, self._asgi_send)
        except Exception as error:
            if not isinstance(error, Disconnected):
                faults.note("a socket", error)
        if self.protocol.state is State.CONNECTING:
            self._reply(self.protocol.reject(HTTPStatus.INTERNAL_SERVER_ERROR, ""))
        elif self.protocol.state is State.OPEN:
            self._close(CloseCode.INTERNAL_ERROR)

    def _reply(self, response: Response) -> None:
        """Answer the handshake with something else than a socket."""
        if not self.transport.is_closing():
            self.protocol.send_response(response)
            self._send()
            self.transport.close()

    async def _receive(self) -> Message:
        message = await self.came.get()
        if self.came.empty():
            self.read(paused=False)
        return message

    async def _asgi_send(self, message: Message) -> None:
        kind, state = message["type"], self.protocol.state
        if self.disconnected or self.transport.is_closing():
            raise Disconnected
        if state is State.CONNECTING and self.response is not None:
            if kind == "websocket.accept":
                for name, value in message.get("headers", ()):
                    self.response.headers[name.decode("latin-1")] = value.decode("latin-1")
                self.protocol.send_response(self.response)
                self._send()
                if self.config.ws_ping_interval:
                    self._after("ping", self.config.ws_ping_interval, self._ping)
            else:
                self._reply(self.protocol.reject(HTTPStatus.FORBIDDEN, ""))
        elif kind == "websocket.close":
            self._close(message.get("code", CloseCode.NORMAL_CLOSURE))
        elif kind == "websocket.send":
            text = message.get("text")
            self.write([text.encode() if text is not None else message["bytes"]])

    def _close(self, code: int) -> None:
        """Say goodbye, and wait a while for the client's own."""
        try:
            self.protocol.send_close(code)
        except InvalidState:
            return
        self._send()
        self._stop("ping")
        self.read(paused=False)
        self._after("close", CLOSE_WITHIN, self.transport.abort)

    # -------------------------------------------------------------- is anybody there?
    def _ping(self) -> None:
        if self.protocol.state is not State.OPEN:
            return
        if self.pinged is not None:  # it answers no ping, so it will not read what still waits either
            self.protocol.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
            self._send()
            self.transport.abort()
            return
        self.pinged = os.urandom(4)
        self.protocol.send_ping(self.pinged)
        self._send()
        self._after("ping", self.config.ws_ping_timeout or 20.0, self._answered)

    def _answered(self) -> None:
        """Half-way between two pings."""
        if self.pinged is not None:
            self._ping()
        else:
            self._after("ping", self.config.ws_ping_interval or 20.0, self._ping)

    # -------------------------------------------------------------- the short way
    def take(self, ear: MessageHandler) -> None:
        """From now on this ear hears what comes, beginning with what came already."""
        self.ear = ear
        if self.disconnected:
            ear.lost()
        while not self.came.empty():
            message = self.came.get_nowait()
            if message["type"] == "websocket.receive":
                ear.hear(message["text"])
        self.read(self.disconnected)

    def write(self, texts: list[bytes]) -> None:
        """Send messages, together."""
        if self.disconnected or self.protocol.state is not State.OPEN:
            return
        frames = []
        for text in texts:
            size = len(text)
            if size < 126:
                frames.append(bytes((TEXT, size)))
            elif size < 65536:
                frames.append(b"\x81\x7e" + size.to_bytes(2, "big"))
            else:
                frames.append(b"\x81\x7f" + size.to_bytes(8, "big"))
            frames.append(text)
        self.transport.write(b"".join(frames))

    def cut_after(self, seconds: float) -> None:
        """However much it has not read by then: the connection ends."""
        self._after("cut", seconds, self.transport.abort)


class Disconnected(OSError):
    """The application sent something to a socket that is gone (as ASGI wants it: an OSError)."""
