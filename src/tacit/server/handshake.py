"""The request that opens a WebSocket, read past uvicorn's protocol for HTTP, which takes longer to make than to use."""

from __future__ import annotations

from typing import NamedTuple

import httptools


class Handshake(NamedTuple):
    """What such a request says. `headers` have their names in lower case."""

    method: str
    url: bytes
    headers: list[tuple[bytes, bytes]]


class _Head:
    """Takes what httptools finds in the head of a request."""

    def __init__(self) -> None:
        self.url, self.headers = b"", list[tuple[bytes, bytes]]()

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))


def handshake(data: bytes) -> Handshake | None:
    """The request to open a WebSocket that a connection begins with; None if `data` is something else, or not yet the
    whole head: then uvicorn reads it from the beginning.
    """
    if b"websocket" not in data.lower():
        return None
    head = _Head()
    parser = httptools.HttpRequestParser(head)
    try:
        parser.feed_data(data)
    except httptools.HttpParserUpgrade:
        last = dict(head.headers)  # of several with one name, as for uvicorn
        wishes = [wish.strip() for wish in last.get(b"connection", b"").lower().split(b",")]
        if b"upgrade" in wishes and last.get(b"upgrade", b"").lower() == b"websocket":
            return Handshake(parser.get_method().decode("ascii"), head.url, head.headers)
    except httptools.HttpParserError:
        pass
    return None
