"""TCP connections: how many there may be, how long one may be silent or not read, how much is read of one at once.

uvicorn's protocols speak HTTP; a `Connection` stands before them and `Connections` counts. A connection is silent while
we wait for a request of it: from its first moment until a whole request has come, and between requests. Silent ones
give way: when there are too many, of an address or in all, the one that has been silent longest is closed, so that
whoever comes with a request is let in.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from typing import Any, Protocol, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.server import logs
from tacit.server.limits import Networks, network

try:
    import resource
except ImportError:  # Windows counts file descriptors otherwise
    resource = None  # type: ignore[assignment]

READ = 4096  # bytes read from a connection at once: no one's bytes keep the loop from the others for long
REQUEST_WITHIN = 10.0  # seconds for a whole request head; then a connection counts as dead
UNREAD_WITHIN = 20.0  # seconds in which a client reads READ bytes at least, if there are any
SWEEP = 1.0  # seconds between two looks for connections that are late
ACCEPT = 32  # connections accepted at once; what is above a limit is closed before more are accepted
RESERVED = 64 + 2 * ACCEPT  # file descriptors that are no connections, and those accepted but not yet counted
_buffer = memoryview(bytearray(READ))  # one for all: what is read is passed on before anything else is read


class BoundedReads(asyncio.BufferedProtocol):
    """A protocol that is given at most READ bytes at once (asyncio reads 256 KiB otherwise)."""

    def get_buffer(self, sizehint: int) -> memoryview:
        return _buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """What has come."""
        raise NotImplementedError


class Http(Protocol):
    """What uvicorn's protocols for HTTP can do."""

    def connection_made(self, transport: asyncio.Transport) -> None: ...
    def data_received(self, data: bytes) -> None: ...
    def eof_received(self) -> None: ...
    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...
    def connection_lost(self, exc: Exception | None) -> None: ...


class Connection(BoundedReads):
    """One TCP connection, until it becomes a WebSocket: then wire.py goes on with it."""

    def __init__(self, connections: Connections, http: Callable[..., Http], **given: Any) -> None:
        self.connections, self.http = connections, http(**given)
        self.admitted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.admitted = self.connections.admit(self.transport)
        if self.admitted:
            self.http.connection_made(self.transport)
        else:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.http.data_received(data)

    def eof_received(self) -> None:
        if self.admitted:
            self.http.eof_received()

    def pause_writing(self) -> None:
        self.http.pause_writing()

    def resume_writing(self) -> None:
        self.http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.admitted:
            self.connections.lost(self.transport)
            self.http.connection_lost(exc)


class _Open:
    """An open connection as it is counted."""

    def __init__(self, transport: asyncio.Transport, address: str, now: float) -> None:
        self.transport, self.address = transport, address
        self.since = now  # when it became silent
        self.requests = 0  # under way
        self.counted = True
        self.unread, self.unread_since = 0, now  # bytes that wait for the client, and since when so many


class Connections:
    """All connections of this process. `each`: of an address that is no proxy's; `most`: in all."""

    def __init__(self, each: int, most: int, proxies: Networks) -> None:
        self.proxies = proxies
        self.most = min(most, room())
        self.each = min(each, self.most // 2)
        self.open: dict[tuple[str, int], _Open] = {}
        self.silent: dict[str, dict[_Open, None]] = {}  # by address, the longest silent first
        self.of: dict[str, int] = {}  # how many an address has

    def admit(self, transport: asyncio.Transport) -> bool:
        """Count a new connection, if need be in the place of a silent one; is there room for it?"""
        made = transport.get_extra_info("socket")
        if made is not None and made.family in (socket.AF_INET, socket.AF_INET6):
            # asyncio sets it where the listening socket says that it speaks TCP, which one made without a protocol
            # number does not: answers on kept connections then waited 40 ms for the client's acknowledgement.
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = _peer(transport)
        if peer is None:
            return False  # gone already
        address = network(peer[0])
        crowded = peer[0] not in self.proxies and self.of.get(address, 0) >= self.each
        if crowded or len(self.open) >= self.most:
            logs.note("connections.full", logging.WARNING, limit="address" if crowded else "all")
            if not self._give_way(address if crowded else max(self.silent, key=self._silent_of, default=address)):
                return False
        one = self.open[peer] = _Open(transport, address, time.monotonic())
        self.of[address] = self.of.get(address, 0) + 1
        self.silent.setdefault(address, {})[one] = None
        return True

    def _silent_of(self, address: str) -> int:
        return len(self.silent[address])

    def _give_way(self, address: str) -> bool:
        """Close the longest silent connection of an address."""
        one = next(iter(self.silent.get(address, ())), None)
        if one is None:
            return False
        self.lost(one.transport)
        one.transport.abort()
        return True

    def lost(self, transport: asyncio.Transport) -> None:
        """A connection is gone."""
        peer = _peer(transport)
        one = self.open.get(peer) if peer is not None else None
        if peer is None or one is None or one.transport is not transport:
            return  # counted no more since it was told to go
        del self.open[peer]
        one.counted = False
        self._speaks(one)
        self.of[one.address] -= 1
        if not self.of[one.address]:
            del self.of[one.address]

    def _speaks(self, one: _Open) -> None:
        silent = self.silent.get(one.address)
        if silent is not None:
            silent.pop(one, None)
            if not silent:
                del self.silent[one.address]

    def _is_silent(self, one: _Open) -> None:
        if one.counted:
            one.since = time.monotonic()
            self.silent.setdefault(one.address, {})[one] = None

    def watching(self, app: ASGIApp) -> ASGIApp:
        """An application of which we know when it works for a connection."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope.get("client")
            one = self.open.get(client) if client is not None else None
            if client is not None and client[0].startswith("::ffff:"):  # IPv4, on a socket that takes both
                scope["client"] = (network(client[0]), client[1])
            if one is None:
                await app(scope, receive, send)
                return

            async def received() -> Message:
                self._is_silent(one)  # a request that waits for its body gives way, too
                try:
                    return await receive()
                finally:
                    self._speaks(one)

            one.requests += 1
            self._speaks(one)
            try:
                await app(scope, received if scope["type"] == "http" else receive, send)
            finally:
                one.requests -= 1
                if not one.requests:
                    self._is_silent(one)

        return watched

    def sweep(self) -> None:
        """Close who is late with a request, or does not read what we sent; again and again."""
        now = time.monotonic()
        late = now - REQUEST_WITHIN
        for one in list(self.open.values()):
            unread = one.transport.get_write_buffer_size()
            if not unread or unread <= one.unread - READ:
                one.unread, one.unread_since = unread, now
            elif unread > one.unread:
                one.unread = unread
            if unread and one.unread_since < now - UNREAD_WITHIN:
                logs.note("connection.unread", logging.WARNING)
                one.transport.abort()
            elif not unread and not one.requests and one.since < late:
                one.transport.abort()
        asyncio.get_running_loop().call_later(SWEEP, self.sweep)


def room() -> int:
    """How many connections the system lets this process have."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else -1
    return max(descriptors - RESERVED, ACCEPT) if descriptors >= 0 else 1 << 30


def _peer(transport: asyncio.Transport) -> tuple[str, int] | None:
    """Who is at the other end, as in the scope of its requests."""
    peer = transport.get_extra_info("peername")
    return (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else None
