"""The one door to other servers: what a person asked us to send (webhooks, web push) goes through here.

An address is resolved once, every address of its name is checked, and the connection goes to the checked address: a
name that changes its mind meanwhile changes nothing. Redirects are not followed, answers are cut off, and no cookie,
key or proxy setting of this machine is used.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpcore
import msgspec

from tacit.server.errors import refuse
from tacit.server.limits import Networks, RateLimit

WITHIN = 10.0  # seconds for the whole exchange
MAX_ANSWER = 16 * 1024  # bytes that are read of an answer
MAX_URL = 2000
PORTS = (443, 8443, 8448)
NAT64 = ipaddress.ip_network("64:ff9b::/96")
HOST_LIMIT = (30, 0.5)  # of a host that we send to: burst, and rate a second
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Unsent(Exception):
    """It did not arrive. `status` is the other server's answer; None: there was none."""

    def __init__(self, status: int | None = None) -> None:
        super().__init__(status)
        self.status = status


class Letter(msgspec.Struct, frozen=True):
    """What is sent where."""

    url: str
    body: bytes
    headers: dict[str, str] = {}
    method: str = "POST"


class Outbound:
    """Sends letters to public addresses over https. `allowed` names networks that are served too, over plain http and
    on any port: for a host's own services, and for tests.
    """

    def __init__(self, allowed: str = "") -> None:
        self.allowed = Networks(allowed)
        self.limit = RateLimit(*HOST_LIMIT)

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Whom this machine trusts: reading it takes a while, and many servers never send anything."""
        return ssl.create_default_context()

    def check(self, url: str) -> None:
        """Refuse an address that can never be sent to, by its form alone."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise refuse("notices.address", 400) from None
        odd = (
            len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url or parts.username is not None
        )
        if odd or not host or parts.scheme not in ("https", "http"):
            raise refuse("notices.address", 400)
        if host in self.allowed:
            return
        if parts.scheme != "https" or (port or 443) not in PORTS:
            raise refuse("notices.address", 400)
        literal = _literal(host)
        if literal is not None and not is_public(literal):
            raise refuse("notices.private", 400)

    async def send(self, letter: Letter) -> int:
        """Send it; returns the status, which is below 300. Raises Unsent, or RequestRefused for an address that is
        not allowed or that gets too much from us.
        """
        self.check(letter.url)
        parts = urlsplit(letter.url)
        host = parts.hostname or ""
        self.limit.take(host)
        try:
            async with asyncio.timeout(WITHIN):
                address = await self._resolved(host, parts.port or (443 if parts.scheme == "https" else 80))
                if parts.scheme == "http" and address not in self.allowed:
                    raise refuse("notices.address", 400)
                status = await self._exchange(letter, address)
        except (TimeoutError, OSError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException):
            raise Unsent from None
        if not 200 <= status < 300:  # a redirect, too
            raise Unsent(status)
        return status

    async def _resolved(self, host: str, port: int) -> str:
        """The address to connect to. Refuses a name of which any address is not public."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(one[4][0]) for one in found]
        self.need_public(addresses)
        return addresses[0]

    def need_public(self, addresses: Iterable[str]) -> None:
        for text in addresses:
            address = _literal(text)
            if text not in self.allowed and (address is None or not is_public(address)):
                raise refuse("notices.private", 400)

    async def _exchange(self, letter: Letter, address: str) -> int:
        headers = {"User-Agent": "tacit", **letter.headers}
        async with (
            httpcore.AsyncConnectionPool(
                ssl_context=self._trust, network_backend=_To(address), retries=0, http1=True, http2=False
            ) as pool,
            pool.stream(letter.method, letter.url, headers=list(headers.items()), content=letter.body) as got,
        ):
            read = 0
            async for chunk in got.aiter_stream():
                read += len(chunk)
                if read > MAX_ANSWER:
                    break
            return int(got.status)


class _To(httpcore.AnyIOBackend):
    """Connects to one address, whatever name is asked for. TLS still checks the name."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def connect_tcp(self, host: str, *args: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        return await super().connect_tcp(self.address, *args, **options)


def is_public(address: Address) -> bool:
    """Is this an address of the public internet? Not: private, loopback, link-local, shared (CGNAT), multicast,
    reserved; nor IPv6 in which an IPv4 address is wrapped that is not public.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address.sixtofour is not None or address.teredo is not None:
            return False
        inner = address.ipv4_mapped
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _literal(host: str) -> Address | None:
    """A host that is an address; None for a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
