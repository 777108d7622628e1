"""Clients that keep every byte that comes over the wire: one for HTTP, one for the WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from typing import Any

import msgspec

from tacit.server.protocol import PROTOCOL

HOST = "cards.example"
HANDSHAKE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n"
NONCE = "dGhlIHNhbWUgZm9yIGFsbA=="  # the same in all runs, so that its answer is
WITHIN = 60.0  # seconds


def head(method: str, path: str, *lines: str) -> str:
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {HOST}", *lines])


async def exchange(
    port: int, method: str, path: str, body: Any = None, key: str | None = None, **headers: str
) -> bytes:
    """One request on a connection of its own: all that comes back."""
    data = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Authorization: Bearer {key}"] if key else []
    lines += ["Connection: close", f"Content-Length: {len(data)}", "", ""]
    async with asyncio.timeout(WITHIN):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head(method, path, *lines).encode() + data)
        found = await reader.read(-1)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    return found


class Tap:
    """A WebSocket, byte by byte."""

    def __init__(self, port: int, table: str, key: str | None) -> None:
        self.port, self.table, self.key = port, table, key
        self.bytes = b""
        self.read = 0  # of them, what was parsed
        self.count = 0

    async def open(self) -> Tap:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        path = f"/api/tables/{self.table}/live"
        self.writer.write((head("GET", path, HANDSHAKE.format(NONCE)) + "\r\n").encode())
        await self._until(lambda: b"\r\n\r\n" in self.bytes)
        self.read = self.bytes.index(b"\r\n\r\n") + 4
        hello = {"type": "hello", "protocol": PROTOCOL, "id": 0} | ({"key": self.key} if self.key else {})
        await self.ask(hello)
        return self

    async def ask(self, command: dict[str, Any]) -> None:
        """Give a command and read until the answer; of a hello, until the table."""
        self.count += 1
        data = msgspec.json.encode(command | {"id": self.count})
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.writer.write(b"\x81" + size + b"\0\0\0\0" + data)
        await self._until(lambda: self._answered(command["type"] == "hello"))

    def _answered(self, hello: bool) -> bool:
        frames = self.frames()
        if hello:
            return any(frame["type"] in ("table", "refused") for frame in frames)
        return any(frame.get("id") == self.count for frame in frames)

    def frames(self) -> list[dict[str, Any]]:
        """All whole messages so far."""
        found, at = [], self.read
        while at + 2 <= len(self.bytes):
            size, start = self.bytes[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(self.bytes[start : start + 2]), start + 2
            elif size == 127:
                size, start = int.from_bytes(self.bytes[start : start + 8]), start + 8
            if start + size > len(self.bytes):
                break
            if self.bytes[at] == 0x81:
                found.append(msgspec.json.decode(self.bytes[start : start + size]))
            at = start + size
        return found

    async def _until(self, found: Any) -> None:
        async with asyncio.timeout(WITHIN):
            while not found():
                data = await self.reader.read(65536)
                assert data, "the server closed the socket"
                self.bytes += data

    async def close(self) -> bytes:
        """All that came."""
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
        return self.bytes
