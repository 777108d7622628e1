"""Hostile clients, as raw sockets."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

from tacit.server.protocol import PROTOCOL

PING, PONG, TEXT, CONTINUED, CLOSE = 0x89, 0x8A, 0x81, 0x00, 0x88


def frame(first: int, data: bytes = b"") -> bytes:
    """A frame as a client sends it, with a mask that changes nothing."""
    size = bytes((0x80 | len(data),)) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes((first,)) + size + bytes(4) + data


def upgrade(table: str) -> bytes:
    return (
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "X-Forwarded-For: 192.0.2.66\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def open_socket(address: tuple[str, int], table: str, key: str, receive_buffer: int | None = None) -> socket.socket:
    """A WebSocket after its hello, blocking."""
    made = socket.socket()
    if receive_buffer is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    made.settimeout(30)
    made.connect(address)
    made.sendall(upgrade(table))
    answer = made.recv(4096)
    if not answer.startswith(b"HTTP/1.1 101"):
        made.close()
        raise ConnectionRefusedError(answer)
    made.sendall(frame(TEXT, b'{"type": "hello", "protocol": %d, "key": "%s"}' % (PROTOCOL, key.encode())))
    return made


async def send_for(made: socket.socket, data: bytes, seconds: float, rate: float, read: bool) -> int:
    """Send the same bytes again and again, at most `rate` a second, until the time is over or the other side ends it;
    how many were sent.
    """
    made.setblocking(False)
    loop, sent = asyncio.get_running_loop(), 0
    began = loop.time()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                await loop.sock_sendall(made, data)
                sent += len(data)
                if read:
                    with contextlib.suppress(BlockingIOError):
                        if not made.recv(1 << 20):
                            return sent
                await asyncio.sleep(max(0.0, began + sent / rate - loop.time()))
    return sent


def close_code(made: socket.socket) -> int | None:
    """The code in the close frame at the end of what a socket still has to read; None: it ended without one."""
    made.setblocking(True)
    made.settimeout(30)
    data = b""
    with contextlib.suppress(OSError):
        while more := made.recv(1 << 16):
            data = (data + more)[-4096:]
    at = data.rfind(b"\x88")
    return int.from_bytes(data[at + 2 : at + 4], "big") if at >= 0 and len(data) >= at + 4 else None


@contextlib.contextmanager
def silent(address: tuple[str, int], count: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """A number of connections that send nothing, or only the beginning of a request."""
    made = []
    try:
        for _ in range(count):
            one = socket.create_connection(address, timeout=30)
            made.append(one)
            with contextlib.suppress(OSError):  # it may be pushed out already
                one.sendall(said)
        yield made
    finally:
        for one in made:
            one.close()


def ended(made: socket.socket) -> bool:
    """Has the other side ended this connection?"""
    made.setblocking(False)
    try:
        return not made.recv(4096)
    except BlockingIOError:
        return False
    except OSError:
        return True
