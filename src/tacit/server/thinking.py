"""A thread pool for bots with fair queueing: addresses take turns, and the tables of an address take turns.

However many tables one address has, a bot at another's table waits for one job at most, and one thread is always left
for other addresses.
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
THREADS_EACH = 2  # for one address


class Late(Exception):
    """The time to think was over before the job could start."""


class ThinkingJob:
    """A job in the queue."""

    def __init__(self, work: Callable[[], Any], until: float) -> None:
        self.work, self.until = work, until
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Thinking:
    """Runs jobs in threads. Both levels of `waiting` are ordered by whose turn is next."""

    def __init__(self, threads: int = THREADS, each: int = THREADS_EACH) -> None:
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self.free, self.each = threads, each
        self.running: Counter[str] = Counter()  # address -> threads it uses
        self.waiting: dict[str, dict[str, deque[ThinkingJob]]] = {}  # address -> table -> jobs

    def submit(self, address: str, table: str, work: Callable[[], T], until: float) -> asyncio.Future[T]:
        """Run `work` in a thread when it is this table's turn. Late if that is not before `until` (time.monotonic).

        Cancel the future to leave the queue; work that has begun is not stopped.
        """
        job = ThinkingJob(work, until)
        self.waiting.setdefault(address, {}).setdefault(table, deque()).append(job)
        self._start()
        return job.answer

    def _start(self) -> None:
        while self.free:
            address = next((who for who in self.waiting if self.running[who] < self.each), None)
            if address is None:
                return
            job = self._next(address)
            if job.answer.done():
                continue
            if time.monotonic() >= job.until:
                job.answer.set_exception(Late())
                continue
            self.free -= 1
            self.running[address] += 1
            done = asyncio.get_running_loop().run_in_executor(self.pool, job.work)
            done.add_done_callback(partial(self._done, address, job))

    def _next(self, address: str) -> ThinkingJob:
        """The first job of the first table of an address; table and address go to the end of their queues."""
        tables = self.waiting.pop(address)
        table = next(iter(tables))
        jobs = tables.pop(table)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs
        if tables:
            self.waiting[address] = tables
        return job

    def _done(self, address: str, job: ThinkingJob, done: asyncio.Future[Any]) -> None:
        self.free += 1
        self.running[address] -= 1
        if not self.running[address]:
            del self.running[address]
        error = None if done.cancelled() else done.exception()
        if not job.answer.done():
            if done.cancelled():
                job.answer.cancel()
            elif error is not None:
                job.answer.set_exception(error)
            else:
                job.answer.set_result(done.result())
        self._start()

    def close(self) -> None:
        """Drop the queue. Running jobs are not waited for."""
        self.free = 0
        self.waiting.clear()
        self.pool.shutdown(wait=False, cancel_futures=True)
