"""A minimal WebSocket client, fast enough for a load generator on the same machine as the server."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import struct
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NO_MASK = b"\0\0\0\0"  # a valid mask that changes nothing


class WebSocketClient(asyncio.Protocol):
    """One connection. `hear` gets every text message."""

    def __init__(self, host: str, port: int, path: str, hear: Callable[[bytes], None]) -> None:
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.hear = hear
        self.buffer = bytearray()
        self.open = asyncio.get_running_loop().create_future()
        self.upgraded = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request.encode())

    def connection_lost(self, _: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("the server closed the socket"))

    def data_received(self, data: bytes) -> None:
        buffer = self.buffer
        buffer += data
        if not self.upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self.open.set_exception(ConnectionError(buffer.split(b"\r\n")[0].decode()))
                return
            self.upgraded = True
            del buffer[: end + 4]
            self.open.set_result(None)
        at = 0
        while len(buffer) - at >= 2:
            kind, size, head = buffer[at] & 15, buffer[at + 1] & 127, 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, head = struct.unpack_from(">H", buffer, at + 2)[0], 4
            elif size == 127:
                if len(buffer) - at < 10:
                    break
                size, head = struct.unpack_from(">Q", buffer, at + 2)[0], 10
            if len(buffer) - at < head + size:
                break
            payload = bytes(buffer[at + head : at + head + size])
            at += head + size
            if kind == TEXT:
                self.hear(payload)
            elif kind == PING:
                self._frame(PONG, payload)
        del buffer[:at]

    def send(self, text: bytes) -> None:
        self._frame(TEXT, text)

    def close(self) -> None:
        if self.transport is not None:
            self._frame(CLOSE, b"\x03\xe8")
            self.transport.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        assert self.transport is not None
        size = len(payload)
        head = struct.pack(">BB", 128 | kind, 128 | size) if size < 126 else struct.pack(">BBH", 128 | kind, 254, size)
        self.transport.write(head + NO_MASK + payload)


async def connect(host: str, port: int, path: str, hear: Callable[[bytes], None]) -> WebSocketClient:
    """Open a connection."""
    wire = WebSocketClient(host, port, path, hear)
    await asyncio.get_running_loop().create_connection(lambda: wire, host, port)
    await wire.open
    return wire


class Http:
    """POST requests over one kept-alive connection."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.lines: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: bytes, **headers: str) -> bytes:
        if self.lines is None:
            self.lines = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.lines
        named = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: application/json\r\n{named}"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(head.split(" ", 2)[1])
        size = int(head.partition("content-length:")[2].split("\r\n")[0])
        answer = await reader.readexactly(size)
        if status >= 400:
            raise ConnectionError(f"{path}: {status} {answer[:200].decode(errors='replace')}")
        return answer

    async def close(self) -> None:
        if self.lines is not None:
            self.lines[1].close()
            with contextlib.suppress(OSError):
                await self.lines[1].wait_closed()
