"""Reading requests and writing answers, and the security headers of every answer."""

from __future__ import annotations

import asyncio
import functools
import math
from typing import Any, TypeVar

import msgspec
from starlette.datastructures import URL
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from tacit.server.errors import refuse
from tacit.server.limits import network
from tacit.server.protocol import MAX_BYTES, PROTOCOL
from tacit.server.subscriber import encode

B = TypeVar("B")
BODY_WITHIN = 20.0  # seconds that a body has to arrive
LANGUAGES = ("en", "de", "nl")
MAX_WAIT = 25.0  # seconds that an HTTP request may wait for news
_decoders: dict[type[Any], msgspec.json.Decoder[Any]] = {}  # to make one takes longer than to read with it


class SecurityHeaders:
    """The headers of every answer."""

    def __init__(self, secure: bool) -> None:
        self.always = [
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"tacit-protocol", str(PROTOCOL).encode()),
        ]
        if secure:
            self.always.append((b"strict-transport-security", b"max-age=31536000"))
        self.unless_given = [
            (b"cache-control", b"no-store"),
            (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        ]

    def add_to(self, response: Response) -> None:
        given = response.raw_headers
        names = {name for name, _ in given}  # in lower case, as Starlette writes them
        given += self.always
        given += [header for header in self.unless_given if header[0] not in names]


def answer(content: Any, status: int = 200) -> Response:
    return Response(encode(content), status, media_type="application/json")


async def body(request: Request, kind: type[B], max_bytes: int = MAX_BYTES) -> B:
    """Read the message in a request's body; an empty body is an empty message."""
    data = b""
    try:
        async with asyncio.timeout(BODY_WITHIN):
            async for chunk in request.stream():
                data += chunk
                if len(data) > max_bytes:
                    raise refuse("too-large", 413)
    except TimeoutError:
        raise refuse("slow", 408) from None
    if kind not in _decoders:
        _decoders[kind] = msgspec.json.Decoder(kind)
    decoder: msgspec.json.Decoder[B] = _decoders[kind]
    return read(data or b"{}", decoder)


def read(data: bytes | str, decoder: msgspec.json.Decoder[B]) -> B:
    """Decode a message. Refuses with what is wrong with it."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise refuse("unreadable", 400, detail=str(error)[:200]) from None


def bearer(connection: HTTPConnection) -> str | None:
    """The bearer token of a request."""
    scheme, _, given = connection.headers.get("authorization", "").partition(" ")
    return given.strip() or None if scheme.lower() == "bearer" else None


def address(connection: HTTPConnection) -> str:
    """The client's address, or in IPv6 its network."""
    return network(connection.client.host) if connection.client else ""


def origin(request: Request) -> str:
    """The scheme, host and port that a request was sent to."""
    scope = request.scope
    return _origin(scope["scheme"], request.headers.get("host"), tuple(scope.get("server") or ()))


@functools.lru_cache(maxsize=256)
def _origin(scheme: str, host: str | None, server: tuple[Any, ...]) -> str:
    headers = [(b"host", host.encode("latin-1"))] if host is not None else []
    scope = {"scheme": scheme, "headers": headers, "server": server or None, "path": "/", "query_string": b""}
    return str(URL(scope=scope)).rstrip("/")


def seconds(request: Request, name: str) -> float:
    """A query parameter in seconds, at most MAX_WAIT."""
    text = request.query_params.get(name) or "0"
    try:
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):  # NaN would break the event loop's timers
        raise refuse("unreadable", 400, detail=f"“{name}” is a number of seconds from 0 to {MAX_WAIT:.0f}")
    return min(value, MAX_WAIT)


def language(request: Request) -> str:
    """The reader's language: the query's `language`, else the first one of the browser that we speak, else English."""
    wishes = [request.query_params.get("language", ""), *request.headers.get("accept-language", "").split(",")]
    codes = [wish.strip()[:2].lower() for wish in wishes]  # browsers name the one they like best first
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


def number(request: Request, name: str) -> int | None:
    """A query parameter that is a whole number, not below zero."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 6:
        raise refuse("unreadable", 400, detail=f"“{name}” is a whole number")
    return int(text)
