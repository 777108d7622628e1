"""The WebSocket protocol for uvicorn: the handshake, and frames. `websockets` parses all but short ones, we limit them.

The application answers a handshake at once: no task is made for it. It gives the socket a handler, which gets its
messages past ASGI: that would wake a task and pause reading for each of them. A client that sends too many pings, or a
message in too many fragments, is closed with a code. A client that does not read is not read from either, so that no
answers pile up; after a while it is disconnected.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import logging
import os
from http import HTTPStatus
from typing import Any, Protocol, cast
from urllib.parse import unquote

import uvicorn
from starlette.types import Scope
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import Protocol as FrameProtocol
from websockets.protocol import Side, State

from tacit.server import faults, logs
from tacit.server.connections import BoundedReads, Connections, Open
from tacit.server.tasks import run_at_once

EXTENSION = "tacit.websocket"  # where the application finds this protocol in the scope
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # the first byte of a whole frame
WHOLE = (TEXT, CLOSE, PING, PONG)
USUAL_CLOSES = (b"\x03\xe8", b"\x03\xe9")  # 1000 and 1001: done with it, and the page is closed
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3
CONTROL_BURST, CONTROL_RATE = 30, 2.0  # pings and pongs of a client at once, and a second (usual: one in 20 seconds)
MAX_FRAGMENTS = 256  # of one message
SLICE = 512  # bytes parsed before we look what was in them: 85 pings at most
READ_WITHIN = 15.0  # seconds that a client may leave our buffer full
CLOSE_WITHIN = 10.0  # seconds that a client has to answer our close
LINGER, LINGER_BYTES = 2.0, 1 << 20  # we go on reading after a client broke the protocol, so that it gets our close


class MessageHandler(Protocol):
    """Who gets what comes over a WebSocket."""

    def on_message(self, text: str) -> None:
        """A message came."""

    def on_writable(self) -> None:
        """The write buffer has room again."""

    def on_slow(self) -> None:
        """The client has not read for long."""

    def on_lost(self) -> None:
        """The connection is gone."""


class WebSocketProtocol(BoundedReads):
    """One WebSocket. Its handler gets its messages and writes to it directly."""

    def __init__(
        self, connections: Connections, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self.tcp_connections, self.config = connections, config
        self.connections = server_state.connections
        self.counted: Open | None = None  # its connection, as it is counted
        self.loop = asyncio.get_running_loop()
        self.response = b""  # to the handshake, sent when the application accepts
        self.accepted = False
        self._protocol: FrameProtocol | None = None
        self.handler: MessageHandler | None = None
        self.whole_frames = True  # every read was of whole short frames
        self.fragments: list[bytes] = []  # of the message being received
        self.binary = False
        self.discarded_bytes = 0  # that came after the end
        self.control_tokens, self.control_tokens_at = float(CONTROL_BURST), self.loop.time()
        self.receiving_paused = self.write_paused = self.disconnected = False
        self.unanswered_ping: bytes | None = None
        self.timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def protocol(self) -> FrameProtocol:
        """The parser of `websockets`. Most sockets never need it: it takes 3 KB."""
        if self._protocol is None:
            logger = logging.getLogger("websockets.server")
            self._protocol = FrameProtocol(Side.SERVER, max_size=self.config.ws_max_size, logger=logger)
        return self._protocol

    @property
    def is_open(self) -> bool:
        """Is it past its handshake, and before any close?"""
        return self.accepted and (self._protocol is None or self._protocol.state is State.OPEN)

    def _set_timer(self, name: str, seconds: float, do: Any, *given: Any) -> None:
        self._stop_timer(name)
        self.timers[name] = self.loop.call_later(seconds, do, *given)

    def _stop_timer(self, name: str) -> None:
        timer = self.timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    # -------------------------------------------------------------- the connection
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.connections.add(self)  # type: ignore[arg-type] # uvicorn closes all connections in it

    def data_received(self, data: bytes) -> None:
        if self.disconnected:
            self.discarded_bytes += len(data)
            if self.discarded_bytes > LINGER_BYTES:
                self.transport.abort()
        elif not self.accepted:
            self.transport.abort()  # it did not wait for our answer
        elif not self.whole_frames:
            self._parse_slices(data)
        else:
            self._read_frames(data)

    def _read_frames(self, data: bytes) -> None:
        """Read what clients send past `websockets`: short whole texts, pongs, usual closes. It reads other control
        frames, and the first read of anything else with all that follow: it may have a part of a frame then.
        """
        while data and not self.disconnected:
            head, size = data[0], data[1] & 0x7F if len(data) > 1 else 0
            end = 6 + size
            if len(data) < end or size > 125 or not data[1] & 0x80 or head not in WHOLE or self.fragments:
                self.whole_frames = False
                self._parse_slices(data)
                return
            mask = int.from_bytes(data[2:6] * (size // 4 + 1)) >> 8 * (4 - size % 4)
            payload = (int.from_bytes(data[6:end]) ^ mask).to_bytes(size)
            if head == TEXT:
                self.binary = False
                self._on_message(payload)
            elif head == PONG:
                self._on_control(payload)
            elif head == CLOSE and payload in USUAL_CLOSES and self._protocol is None:
                self.transport.write(bytes((CLOSE, size)) + payload)
                self._disconnect()
                self.transport.close()
            else:
                self._parse(data[:end])
            data = data[end:]

    def _parse_slices(self, data: bytes) -> None:
        if len(data) <= SLICE:
            self._parse(data)
        else:
            for at in range(0, len(data), SLICE):
                if not self.disconnected:
                    self._parse(data[at : at + SLICE])

    def _parse(self, data: bytes) -> None:
        self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            self._on_frame(cast(Frame, event))
        self._send()
        if self.protocol.parser_exc is not None:
            self._linger()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.counted is not None:
            self.tcp_connections.lost(self.counted)
        self.connections.discard(self)
        for name in list(self.timers):
            self._stop_timer(name)
        self._disconnect()

    def _disconnect(self) -> None:
        """Tell the handler that nothing more will come."""
        if not self.disconnected:
            self.disconnected = True
            # It refers to us: else both would wait for the garbage collector.
            handler, self.handler = self.handler, None
            if handler is not None:
                handler.on_lost()

    def _send(self) -> None:
        """Write what `websockets` wants to send: pongs and closes."""
        data = b"".join(self.protocol.data_to_send())
        if data:
            self.transport.write(data)

    def pause_writing(self) -> None:
        """The write buffer is full. We stop reading, too, so that no answers pile up."""
        self.write_paused = True
        self._set_timer("slow", READ_WITHIN, self._on_slow)
        self._apply_pauses()

    def resume_writing(self) -> None:
        self.write_paused = False
        self._stop_timer("slow")
        self._apply_pauses()
        if self.handler is not None:
            self.handler.on_writable()

    def _on_slow(self) -> None:
        if self.handler is None:
            self.transport.abort()
        else:
            self.handler.on_slow()

    def _apply_pauses(self) -> None:
        if not self.transport.is_closing():
            if self.receiving_paused or self.write_paused:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    def pause_receiving(self, paused: bool) -> None:
        """Stop reading from the client, or go on."""
        if paused != self.receiving_paused:
            self.receiving_paused = paused
            self._apply_pauses()

    def shutdown(self) -> None:
        """The server stops. The connection ends when the client has answered our close: were it cut now, what the
        client is sending would be answered with a reset, in which our close may be lost.
        """
        if not self.accepted:
            self.transport.close()
        else:
            self._close(CloseCode.SERVICE_RESTART)

    # -------------------------------------------------------------- frames
    def _on_frame(self, frame: Frame) -> None:
        if self.disconnected or self.protocol.parser_exc is not None:
            return
        code = frame.opcode
        if code is Opcode.TEXT or code is Opcode.BINARY or code is Opcode.CONT:
            if code is not Opcode.CONT:
                self.binary = code is Opcode.BINARY
            self.fragments.append(bytes(frame.data))
            if frame.fin:
                data = self.fragments[0] if len(self.fragments) == 1 else b"".join(self.fragments)
                self.fragments = []
                self._on_message(data)
            elif len(self.fragments) >= MAX_FRAGMENTS:
                self._refuse("fragments")
        elif code is Opcode.CLOSE:
            self._send()
            self._disconnect()
            self.transport.close()
        else:
            self._on_control(bytes(frame.data) if code is Opcode.PONG else None)

    def _on_control(self, pong: bytes | None) -> None:
        """A ping, or a pong with what it holds."""
        now = self.loop.time()
        refilled = self.control_tokens + (now - self.control_tokens_at) * CONTROL_RATE
        self.control_tokens, self.control_tokens_at = min(CONTROL_BURST, refilled) - 1, now
        if self.control_tokens < 0:
            self._refuse("pings")
        elif pong is not None and pong == self.unanswered_ping:
            self.unanswered_ping = None

    def _on_message(self, data: bytes) -> None:
        try:
            text = data.decode(errors="replace" if self.binary else "strict")
        except UnicodeDecodeError:
            self.protocol.fail(CloseCode.INVALID_DATA)
            self._send()
            self._linger()
            return
        if not self.is_open:
            return  # we have closed it: only its own close counts
        if self.handler is not None:
            self.handler.on_message(text)

    def _refuse(self, what: str) -> None:
        """Close it because of too many pings or fragments, without answering them."""
        logs.note(f"socket.{what}", logging.WARNING)
        self.protocol.data_to_send()
        if self.protocol.state is State.OPEN:
            self.protocol.fail(CloseCode.POLICY_VIOLATION, f"too many {what}")
            self._send()
            self._linger()
        else:
            self.transport.abort()

    def _linger(self) -> None:
        """We closed it because the client broke the protocol. Read on for a moment: otherwise the client would get a
        reset instead of our close.
        """
        if "linger" not in self.timers:
            self._set_timer("linger", LINGER, self.transport.abort)
            if self.transport.can_write_eof() and not self.transport.is_closing():
                self.transport.write_eof()
            self.pause_receiving(False)
            self._disconnect()

    # -------------------------------------------------------------- the handshake
    def open(self, request: Scope, url: bytes) -> None:
        """Answer the handshake that a request is (RFC 6455, section 4.2), as the application decides."""
        keys = [value for name, value in request["headers"] if name == b"sec-websocket-key"]
        versions = [value for name, value in request["headers"] if name == b"sec-websocket-version"]
        if versions != [b"13"]:
            self._reject(HTTPStatus.UPGRADE_REQUIRED, b"Sec-WebSocket-Version: 13\r\n")
            return
        if request["method"] != "GET" or len(keys) != 1 or not _is_key(keys[0]):
            self._reject(HTTPStatus.BAD_REQUEST)
            return
        accepted = base64.b64encode(hashlib.sha1(keys[0] + GUID, usedforsecurity=False).digest())
        self.response = (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accepted + b"\r\n\r\n"
        )
        raw_path, _, query = url.partition(b"?")
        request.update(
            type="websocket", scheme="wss" if request["scheme"] == "https" else "ws", extensions={EXTENSION: self},
            path=self.config.root_path + unquote(raw_path.decode("latin-1")), raw_path=raw_path, query_string=query,
        )  # fmt: skip
        try:
            run_at_once(self.config.loaded_app(request, _nothing, _nothing))
        except Exception as error:
            faults.note("a socket", error)
            if self.accepted:
                self.close(CloseCode.INTERNAL_ERROR)
            else:
                self._reject(HTTPStatus.INTERNAL_SERVER_ERROR)

    def accept(self, handler: MessageHandler) -> None:
        """Answer the handshake; the handler gets what comes from now on."""
        self.transport.write(self.response)
        self.accepted, self.response, self.handler = True, b"", handler
        if self.counted is not None:
            self.tcp_connections.hold(self.counted)
        if self.config.ws_ping_interval:
            self._set_timer("ping", self.config.ws_ping_interval, self._ping)

    def reject(self) -> None:
        """Answer the handshake with status 403."""
        self._reject(HTTPStatus.FORBIDDEN)

    def _reject(self, status: HTTPStatus, header: bytes = b"") -> None:
        """Answer the handshake with a status."""
        if not self.transport.is_closing():
            line = f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode()
            self.transport.write(line + header + b"Connection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

    def _close(self, code: int) -> None:
        """Send a close, and wait a while for the client's."""
        try:
            self.protocol.send_close(code)
        except InvalidState:
            return
        self._send()
        self._stop_timer("ping")
        self.pause_receiving(False)
        self._set_timer("close", CLOSE_WITHIN, self.transport.abort)

    # -------------------------------------------------------------- keepalive
    def _ping(self) -> None:
        if not self.is_open:
            return
        if self.unanswered_ping is not None:  # the client will not read what still waits either
            self.protocol.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
            self._send()
            self.transport.abort()
            return
        self.unanswered_ping = os.urandom(4)
        self.transport.write(bytes((PING, len(self.unanswered_ping))) + self.unanswered_ping)
        self._set_timer("ping", self.config.ws_ping_timeout or 20.0, self._check_ping)

    def _check_ping(self) -> None:
        """Time is up for the answer to a ping."""
        if self.unanswered_ping is not None:
            self._ping()
        else:
            self._set_timer("ping", self.config.ws_ping_interval or 20.0, self._ping)

    # -------------------------------------------------------------- for the handler
    def hand_over(self, handler: MessageHandler) -> None:
        """Give another handler what comes from now on."""
        if self.disconnected:
            handler.on_lost()
        else:
            self.handler = handler

    def close(self, code: int) -> None:
        """Close it, if it is still open."""
        if not self.disconnected and not self.transport.is_closing():
            self._close(code)

    def write(self, texts: list[bytes]) -> None:
        """Send messages, together."""
        if self.disconnected or not self.is_open:
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

    def abort_after(self, seconds: float) -> None:
        """Abort the connection then, even if the client has not read everything."""
        self._set_timer("cut", seconds, self.transport.abort)


def _is_key(text: bytes) -> bool:
    """Is it a key of a handshake: 16 bytes in base64?"""
    try:
        return len(binascii.a2b_base64(text, strict_mode=True)) == 16
    except binascii.Error:
        return False


async def _nothing(*_: object) -> Any:
    """What the application would receive or send by ASGI: it gets the socket itself (`EXTENSION`)."""
    raise RuntimeError("a WebSocket goes past ASGI")
