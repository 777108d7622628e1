"""Threads that bots share: whose turn it is, and who comes too late."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from tacit.server.thinking import Late, Thinking

SOON = 1000.0  # seconds: nobody is late


def with_threads(work: Callable[[Thinking], Awaitable[None]], threads: int, each: int) -> None:
    async def run() -> None:
        thinking = Thinking(threads, each)
        try:
            await work(thinking)
        finally:
            thinking.close()

    asyncio.run(run())


class Held:
    """Thoughts that note their name and wait until they may end."""

    def __init__(self, thinking: Thinking) -> None:
        self.thinking, self.began = thinking, list[str]()
        self.may_end = threading.Semaphore(0)

    def submit(self, address: str, table: str) -> asyncio.Future[None]:
        def think() -> None:
            self.began.append(f"{address}{table}")
            assert self.may_end.acquire(timeout=60)

        return self.thinking.submit(address, table, think, time.monotonic() + SOON)

    async def until(self, count: int) -> None:
        async with asyncio.timeout(60):
            while len(self.began) < count:
                await asyncio.sleep(0.001)


def test_addresses_take_turns_and_so_do_the_tables_of_one() -> None:
    async def work(thinking: Thinking) -> None:
        held = Held(thinking)
        wanted = ["a1", "a1", "a1", "a2", "a3", "b1", "b1", "c1"]
        thoughts = [held.submit(*name) for name in wanted]
        for count in range(1, len(wanted) + 1):
            await held.until(count)
            held.may_end.release()
        await asyncio.gather(*thoughts)
        assert held.began == ["a1", "a1", "b1", "c1", "a2", "b1", "a3", "a1"]

    with_threads(work, threads=1, each=1)


def test_one_address_leaves_a_thread_to_the_others() -> None:
    async def work(thinking: Thinking) -> None:
        held = Held(thinking)
        thoughts = [held.submit("a", str(table)) for table in range(28)]
        await held.until(2)
        assert thinking.free == 1
        other = held.submit("b", "1")
        await held.until(3)
        assert sorted(held.began) == ["a0", "a1", "b1"]
        for _ in range(29):
            held.may_end.release()
        await asyncio.gather(*thoughts, other)
        assert (thinking.free, thinking.waiting, dict(thinking.running)) == (3, {}, {})

    with_threads(work, threads=3, each=2)


def test_who_comes_too_late_and_who_gave_up_take_no_time() -> None:
    async def work(thinking: Thinking) -> None:
        held = Held(thinking)
        first = held.submit("a", "1")
        await held.until(1)
        late = thinking.submit("a", "2", lambda: held.began.append("late"), time.monotonic())
        gone = held.submit("a", "3")
        gone.cancel()
        last = held.submit("a", "4")
        held.may_end.release()
        held.may_end.release()
        await asyncio.gather(first, last)
        with pytest.raises(Late):
            await late
        assert held.began == ["a1", "a4"]

    with_threads(work, threads=1, each=1)


def test_a_thought_that_fails_frees_its_thread() -> None:
    async def work(thinking: Thinking) -> None:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await thinking.submit("a", "1", lambda: 1 / 0, time.monotonic() + SOON)
        assert thinking.free == 1

    with_threads(work, threads=1, each=1)
