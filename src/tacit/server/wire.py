"""WebSockets below ASGI. uvicorn's own protocol shakes hands, pings and closes; between hello and goodbye messages take
a short way past ASGI, which made a task wake, stop and start reading for each of them.
"""

from __future__ import annotations

from asyncio import TimerHandle
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

EXTENSION = "tacit.wire"  # where an application finds its wire in the scope
TEXT = 0x81  # the first byte of a frame that is a whole text


class Ear(Protocol):
    """Whoever is at the other end of a wire."""

    def hear(self, text: str) -> None:
        """A message came."""

    def room(self) -> None:
        """What was written has gone: there is room for more."""

    def lost(self) -> None:
        """The connection is gone."""


class Wire(WebSocketsSansIOProtocol):
    """One WebSocket. Whoever takes it is told what comes, and writes to it directly."""

    ear: Ear | None = None
    cut: TimerHandle | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def take(self, ear: Ear) -> None:
        """From now on this ear hears what comes, beginning with what came already."""
        self.ear = ear
        if self.disconnected:
            ear.lost()
        while not self.queue.empty():
            event = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                ear.hear(event.get("text") or (event.get("bytes") or b"").decode("utf-8", "replace"))
        self.read(self.disconnected)

    def send_receive_event_to_app(self) -> None:
        if self.ear is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if self.close_sent:
            return
        try:
            text = data.decode(errors="strict" if self.curr_msg_data_type == "text" else "replace")
        except UnicodeDecodeError:
            self.conn.fail(1007)
            self.handle_parser_exception()
        else:
            self.ear.hear(text)

    def read(self, paused: bool) -> None:
        """Go on reading, or wait with it."""
        if paused != self.read_paused and not self.transport.is_closing():
            self.read_paused = paused
            if paused:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    @property
    def full(self) -> bool:
        """Does the other side read more slowly than we write?"""
        return not self.writable.is_set()

    def write(self, texts: list[bytes]) -> None:
        """Send messages, together."""
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
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
        self.cut = self.loop.call_later(seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.ear is not None:
            self.ear.room()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # it answers no ping, so it will not read what still waits either

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.cut is not None:
            self.cut.cancel()
        if self.ear is not None:
            self.ear.lost()
