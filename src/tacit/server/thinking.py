"""Threads in which bots think, shared fairly: addresses take turns, and the tables of an address take turns.

However many tables one address has, a bot at another's table waits for one thought at the most; and one thread is
always left for somebody else.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
THREADS = 3
EACH = 2  # threads that one address may use at once


class Late(Exception):
    """The turn came when the time to think was over."""


class Thought:
    """One that waits for its turn."""

    def __init__(self, work: Callable[[], Any], until: float) -> None:
        self.work, self.until = work, until
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Thinking:
    """Runs thoughts in threads. Both levels of `waiting` are in the order of whose turn is next."""

    def __init__(self, threads: int = THREADS, each: int = EACH) -> None:
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self.free, self.each = threads, each
        self.running: Counter[str] = Counter()  # address -> threads it uses
        self.waiting: dict[str, dict[str, deque[Thought]]] = {}  # address -> table -> thoughts

    def submit(self, address: str, table: str, work: Callable[[], T], until: float) -> asyncio.Future[T]:
        """Run `work` in a thread when it is this table's turn; Late if that is not before `until` (time.monotonic).

        Cancel the future to give up the turn; work that runs already is not stopped.
        """
        thought = Thought(work, until)
        self.waiting.setdefault(address, {}).setdefault(table, deque()).append(thought)
        self._start()
        return thought.answer

    def _start(self) -> None:
        while self.free:
            address = next((who for who in self.waiting if self.running[who] < self.each), None)
            if address is None:
                return
            thought = self._next(address)
            if thought.answer.done():
                continue
            if time.monotonic() >= thought.until:
                thought.answer.set_exception(Late())
                continue
            self.free -= 1
            self.running[address] += 1
            done = asyncio.get_running_loop().run_in_executor(self.pool, thought.work)
            done.add_done_callback(partial(self._done, address, thought))

    def _next(self, address: str) -> Thought:
        """The first thought of the first table of an address; both go to the end of their lines."""
        tables = self.waiting.pop(address)
        table = next(iter(tables))
        thoughts = tables.pop(table)
        thought = thoughts.popleft()
        if thoughts:
            tables[table] = thoughts
        if tables:
            self.waiting[address] = tables
        return thought

    def _done(self, address: str, thought: Thought, done: asyncio.Future[Any]) -> None:
        self.free += 1
        self.running[address] -= 1
        if not self.running[address]:
            del self.running[address]
        error = None if done.cancelled() else done.exception()
        if not thought.answer.done():
            if done.cancelled():
                thought.answer.cancel()
            elif error is not None:
                thought.answer.set_exception(error)
            else:
                thought.answer.set_result(done.result())
        self._start()

    def close(self) -> None:
        """Nobody thinks any more; what runs is not waited for."""
        self.free = 0
        self.waiting.clear()
        self.pool.shutdown(wait=False, cancel_futures=True)
