"""What goes out over a TCP connection, and when."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.utils import get_remote_addr

from tacit.server.connections import Corked, Open
from tests.server.harness import run


class Transport:
    """Notes what is written to it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.written.append(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def corked() -> tuple[Transport, Corked]:
    transport = Transport()
    given = cast(asyncio.Transport, transport)
    return transport, Corked(given, Open(given, ("192.0.2.7", 4000), "192.0.2.7", 0.0))


def test_head_and_body_of_an_answer_are_one_write() -> None:
    async def work() -> None:
        transport, http = corked()
        http.write(b"head ")
        http.write(b"body")
        assert transport.written == []
        await asyncio.sleep(0)
        assert transport.written == [b"head body"]
        http.write(b"next")
        await asyncio.sleep(0)
        assert transport.written == [b"head body", b"next"]

    run(work())


def test_a_connection_that_closes_sends_what_was_written_before() -> None:
    async def work() -> None:
        transport, http = corked()
        http.write(b"the last answer")
        http.close()
        assert transport.written == [b"the last answer"]
        assert http.is_closing()
        http.write(b"too late")
        await asyncio.sleep(0)
        assert transport.written == [b"the last answer"]

    run(work())


def test_uvicorn_learns_the_address_that_was_counted() -> None:
    async def work() -> None:
        _, http = corked()
        assert get_remote_addr(cast(asyncio.Transport, http)) == ("192.0.2.7", 4000)

    run(work())
