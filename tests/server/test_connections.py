"""What goes out over a TCP connection, and when."""

from __future__ import annotations

import asyncio
from typing import cast

from tacit.server.connections import Corked
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
    return transport, Corked(cast(asyncio.Transport, transport))


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
