"""Limits on TCP connections: how many, how long one may be idle or not read, how much is read at once.

uvicorn's protocols speak HTTP; a `TcpConnection` wraps them and `Connections` counts. A connection is idle while it has
no request: until the first whole request, and between requests. When there are too many connections, of an address
or in all, the one that has been idle longest is closed to let the new one in.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol, cast

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.server import logs
from tacit.server.handshake import Handshake, handshake
from tacit.server.limits import Networks, network

try:
    import resource
except ImportError:  # Windows counts file descriptors otherwise
    resource = None  # type: ignore[assignment]

READ_BYTES = 4096  # read from a connection at once, so that one client does not block the others
REQUEST_WITHIN = 10.0  # seconds for a whole request head; then the connection is closed
UNREAD_WITHIN = 20.0  # seconds in which a client must read READ_BYTES, if there are as many
SWEEP_EVERY = 1.0  # seconds between two sweeps
ACCEPT_AT_ONCE = 32  # connections in one turn of the loop; those above a limit are closed before more are accepted
RESERVED = 64 + 2 * ACCEPT_AT_ONCE  # file descriptors for other uses, and for connections accepted but not yet counted


class _Reading(threading.local):
    """The buffer that an event loop reads into; what is read is copied before anything else is read.

    Every loop has its own: the thread of another server in this process would overwrite it in between.
    """

    def __init__(self) -> None:
        self.buffer = memoryview(bytearray(READ_BYTES))


_reading = _Reading()


class BoundedReads(asyncio.BufferedProtocol):
    """A protocol that is given at most READ_BYTES bytes at once (asyncio reads 256 KiB otherwise)."""

    def get_buffer(self, sizehint: int) -> memoryview:
        return _reading.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_reading.buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Handle what was read."""
        raise NotImplementedError


class Http(Protocol):
    """The interface of uvicorn's HTTP protocols."""

    def connection_made(self, transport: asyncio.Transport) -> None: ...
    def data_received(self, data: bytes) -> None: ...
    def eof_received(self) -> None: ...
    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...
    def connection_lost(self, exc: Exception | None) -> None: ...


class Corked:
    """A transport for uvicorn: what is written in one turn of the event loop is sent at once. uvicorn writes the head
    and the body of an answer one after the other; each would be a system call, and wake the client.
    """

    def __init__(self, transport: asyncio.Transport, counted: Open) -> None:
        self.transport, self.counted, self.written = transport, counted, list[bytes]()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """As the transport tells it; without its socket, for uvloop makes one for each question about its address."""
        if name == "peername":
            return self.counted.peer
        return default if name == "socket" else self.transport.get_extra_info(name, default)

    def write(self, data: bytes) -> None:
        if not self.written:
            asyncio.get_running_loop().call_soon(self.flush)
        self.written.append(data)

    def flush(self) -> None:
        if self.written and not self.transport.is_closing():
            written, self.written = self.written, []
            self.transport.write(b"".join(written))

    def close(self) -> None:
        self.flush()
        self.transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


class TcpConnection(BoundedReads):
    """One TCP connection, until it becomes a WebSocket (websocket_protocol.py). uvicorn's protocol for HTTP is made
    once something has come that is no whole handshake; `given` is what that takes.
    """

    def __init__(self, connections: Connections, http: Callable[..., Http], **given: Any) -> None:
        self.connections, self.new_http, self.given = connections, http, given
        self.served: set[Any] = given["server_state"].connections  # uvicorn closes all connections in it
        self.counted: Open | None = None  # if it was admitted
        self.http: Http | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.counted = self.connections.admit(self.transport)
        if self.counted is not None:
            self.served.add(self)
        else:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing() or self.counted is None:
            return
        if self.http is None:
            self.served.discard(self)
            request = handshake(data)
            if request is not None:
                self._upgrade(request, self.counted)
                return
            self.corked = Corked(self.transport, self.counted)
            self.http = self.new_http(**self.given)
            self.http.connection_made(cast(asyncio.Transport, self.corked))
        self.http.data_received(data)

    def _upgrade(self, request: Handshake, counted: Open) -> None:
        """From now on it is a WebSocket."""
        given = self.given
        config: uvicorn.Config = given["config"]
        protocol: Any = config.ws_protocol_class(  # type: ignore
            config=config, server_state=given["server_state"], app_state=given["app_state"]
        )
        protocol.counted = counted
        protocol.connection_made(self.transport)
        self.transport.set_protocol(protocol)
        scope = {"method": request.method, "scheme": "http", "client": counted.peer, "headers": request.headers}
        protocol.open(scope, request.url)

    def shutdown(self) -> None:
        """The server stops, and nothing has come yet."""
        self.transport.close()

    def eof_received(self) -> None:
        if self.http is not None:
            self.corked.flush()  # the transport closes when this returns
            self.http.eof_received()

    def pause_writing(self) -> None:
        if self.http is not None:
            self.http.pause_writing()

    def resume_writing(self) -> None:
        if self.http is not None:
            self.http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.served.discard(self)
        if self.counted is not None:
            self.connections.lost(self.counted)
        if self.http is not None:
            self.http.connection_lost(exc)


class Open:
    """An open connection. `peer` is the address and port of the client, as in the scope of its requests."""

    def __init__(self, transport: asyncio.Transport, peer: tuple[str, int], address: str, now: float) -> None:
        self.transport, self.peer, self.address = transport, peer, address
        self.idle_since = now
        self.requests = 0  # being handled
        self.counted = True
        self.unread, self.unread_since = 0, now  # bytes that wait for the client, and since when


class Connections:
    """All TCP connections of this process: at most `each` of an address that is no proxy, and `most` in all."""

    def __init__(self, each: int, most: int, proxies: Networks) -> None:
        self.proxies = proxies
        self.most = min(most, max_connections())
        self.each = min(each, self.most // 2)
        self.open: dict[tuple[str, int], Open] = {}
        self.idle: dict[str, dict[Open, None]] = {}  # by address, the longest idle first
        self.count: dict[str, int] = {}  # by address

    def admit(self, transport: asyncio.Transport) -> Open | None:
        """Count a new connection, closing an idle one if need be; None if there is no room."""
        made = transport.get_extra_info("socket")
        if made is not None and made.family in (socket.AF_INET, socket.AF_INET6):
            # asyncio sets it where the listening socket says that it speaks TCP, which one made without a protocol
            # number does not: answers on kept connections then waited 40 ms for the client's acknowledgement.
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = _peer(transport)
        if peer is None:
            return None  # gone already
        address = network(peer[0])
        crowded = self.count.get(address, 0) >= self.each and peer[0] not in self.proxies
        if crowded or len(self.open) >= self.most:
            logs.note("connections.full", logging.WARNING, limit="address" if crowded else "all")
            if not self._close_idle(address if crowded else max(self.idle, key=self._idle_of, default=address)):
                return None
        one = self.open[peer] = Open(transport, peer, address, time.monotonic())
        self.count[address] = self.count.get(address, 0) + 1
        self.idle.setdefault(address, {})[one] = None
        return one

    def _idle_of(self, address: str) -> int:
        return len(self.idle[address])

    def _close_idle(self, address: str) -> bool:
        """Close the longest idle connection of an address; False if it has none."""
        one = next(iter(self.idle.get(address, ())), None)
        if one is None:
            return False
        self.lost(one)
        one.transport.abort()
        return True

    def lost(self, one: Open) -> None:
        """A connection is gone: do not count it any longer."""
        if not one.counted:
            return
        one.counted = False
        if self.open.get(one.peer) is one:  # else its port is already another one's
            del self.open[one.peer]
        self._becomes_active(one)
        self.count[one.address] -= 1
        if not self.count[one.address]:
            del self.count[one.address]

    def _becomes_active(self, one: Open) -> None:
        idle = self.idle.get(one.address)
        if idle is not None:
            idle.pop(one, None)
            if not idle:
                del self.idle[one.address]

    def _becomes_idle(self, one: Open) -> None:
        if one.counted:
            one.idle_since = time.monotonic()
            self.idle.setdefault(one.address, {})[one] = None

    def tracked(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application: while it handles a request, the connection is not idle."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope.get("client")
            one = self.open.get(client) if client is not None else None
            if client is not None and client[0].startswith("::ffff:"):  # IPv4, on a socket that takes both
                scope["client"] = (network(client[0]), client[1])
            if one is None:
                await app(scope, receive, send)
                return

            async def received() -> Message:
                self._becomes_idle(one)  # while we wait for its body
                try:
                    return await receive()
                finally:
                    self._becomes_active(one)

            one.requests += 1
            self._becomes_active(one)
            try:
                await app(scope, received if scope["type"] == "http" else receive, send)
            finally:
                one.requests -= 1
                if not one.requests:
                    self._becomes_idle(one)

        return wrapped

    def hold(self, one: Open) -> None:
        """From now on a connection is never idle: a WebSocket, which stays open when its request has been handled."""
        one.requests += 1
        self._becomes_active(one)

    def sweep(self) -> None:
        """Close connections that are late with a request or do not read; then again after SWEEP_EVERY."""
        now = time.monotonic()
        late = now - REQUEST_WITHIN
        for one in list(self.open.values()):
            unread = one.transport.get_write_buffer_size()
            if not unread or unread <= one.unread - READ_BYTES:
                one.unread, one.unread_since = unread, now
            elif unread > one.unread:
                one.unread = unread
            if unread and one.unread_since < now - UNREAD_WITHIN:
                logs.note("connection.unread", logging.WARNING)
                one.transport.abort()
            elif not unread and not one.requests and one.idle_since < late:
                one.transport.abort()
        asyncio.get_running_loop().call_later(SWEEP_EVERY, self.sweep)


def max_connections() -> int:
    """How many connections the limit on file descriptors allows."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else -1
    return max(descriptors - RESERVED, ACCEPT_AT_ONCE) if descriptors >= 0 else 1 << 30


def _peer(transport: asyncio.Transport) -> tuple[str, int] | None:
    """The address and port of the client, as in the scope of its requests."""
    peer = transport.get_extra_info("peername")
    return (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else None
