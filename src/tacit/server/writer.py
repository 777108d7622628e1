"""The writer of a process: all writes that wait are committed together (group commit).

On SQLite the statements run in the thread of the event loop, for in another each would give the interpreter away and
wait up to a millisecond for it while the loop is busy. So does the commit while the disk is quick: to hand it to a
thread and be woken takes longer. After a slow commit a thread waits for the disk, for a while. What cannot be written
so (the file is locked, a write is wrong, the disk fails) is written carefully: whole batches in the other thread, with
retries, at last each write by itself. PostgreSQL is written to so too, without a thread; steps alone, which most
batches are, go to it in one statement.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from tacit.server import faults
from tacit.server.bus import Bus, Note
from tacit.server.database import is_away, new_writing_engine
from tacit.server.errors import refuse
from tacit.server.metrics import Metrics
from tacit.server.models import Step
from tacit.server.step_rows import insert_steps, is_plain, send_steps

T = TypeVar("T")
Job = Callable[[sa.Connection], T]
MAX_ATTEMPTS = 3  # to commit while the database is away
RETRY_AFTER = 0.1  # seconds before the first retry; then twice that
CLOSE_WITHIN = 5.0  # seconds to write what waits when the server stops
QUICK = 0.001  # seconds: a commit that takes longer must not hold up the event loop;
QUICK_EACH = 30e-6  # and for each of its writes a third of what it costs in all, for a checkpoint comes with many
MAX_TOGETHER = 64  # writes that wait for others of the next turn of the loop
MIN_THREADED, MAX_THREADED = 4, 1024  # commits in the thread after a slow one; twice as many each time that it happens


class Write(NamedTuple):
    """A step or a job, the notes for other processes, and who is told the answer, or the exception, once it is
    committed.
    """

    job: Step | Job[Any]
    notes: Sequence[Note]
    done: Callable[[Any], None]


class Conflicting(Exception):
    """A step of a batch is stored already: by another process, or by a commit of ours whose answer was lost."""


class Apply(Protocol):
    """Executes the writes of a batch within a transaction; returns the answer to each."""

    def __call__(self, connection: sa.Connection, batch: Sequence[Write], /) -> list[Any]: ...


class Writer:
    """Commits what is given to `put`, in the order in which it came."""

    def __init__(self, url: sa.URL, engine: AsyncEngine, apply: Apply, bus: Bus, metrics: Metrics) -> None:
        self.engine, self.apply, self.bus, self.metrics = engine, apply, bus, metrics
        self._file_engine = None if url.get_backend_name() == "postgresql" else new_writing_engine(url)
        self._file: sa.Connection | None = None  # of the loop's thread; kept, for the pool takes as long as the rows
        self._driver: Any = None  # its sqlite3.Connection
        self._commits: SimpleQueue[Callable[[], None] | None] = SimpleQueue()  # for the thread; None: it ends
        self._thread: threading.Thread | None = None
        self._threaded = 0  # commits that the thread makes now
        self._penalty = MIN_THREADED  # and after the next slow one
        self._waiting: list[Write] = []
        self._waited = 0  # how many were waiting a turn of the loop ago
        self._committing = False
        self._careful: asyncio.Task[None] | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self.closed = False
        self.commits = self.written = 0
        self.all_told: Callable[[], None] = lambda: None  # called when all who wait for a commit have been told

    def put(self, write: Write) -> None:
        """Commit a write with all that come in this turn of the event loop, in the turns after it until one brings no
        more, and while the commit before it lasts.
        """
        if self.closed:
            write.done(refuse("store.down", 503))
            return
        self._waiting.append(write)
        if not self._committing:
            self._committing, self._waited = True, 1
            self._idle.clear()
            asyncio.get_running_loop().call_soon(self._next)

    def waiting(self) -> int:
        """How many writes wait for the next commit."""
        return len(self._waiting)

    async def close(self) -> None:
        """Write what waits, and stop."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), CLOSE_WITHIN)
        self.closed = True
        if self._careful is not None:
            self._careful.cancel()
            await asyncio.gather(self._careful, return_exceptions=True)
        self._commits.put(None)
        self._drop_file()
        if self._file_engine is not None:
            self._file_engine.dispose()

    # -------------------------------------------------------------- one batch after the other
    def _next(self) -> None:
        """Commit what waits, once a turn of the loop has brought no more: a busy server then commits less often."""
        if self._waited < len(self._waiting) < MAX_TOGETHER:
            self._waited = len(self._waiting)
            asyncio.get_running_loop().call_soon(self._next)
            return
        self._waited = 0
        batch, self._waiting = self._waiting, []
        if not batch:
            self._committing = False
            self._idle.set()
        elif self._file_engine is None or not self._write_file(batch):
            self._careful = asyncio.get_running_loop().create_task(self._write_carefully(batch), name="writer")

    def _committed(self, batch: Sequence[Write], answers: Sequence[Any], began: float) -> None:
        """A batch is stored: begin the next one, and tell those who wait meanwhile."""
        self.commits += 1
        self.written += len(batch)
        self.metrics.commits.inc()
        self.metrics.written.inc(len(batch))
        self.metrics.commit.observe(time.perf_counter() - began)
        self.metrics.commit_jobs.observe(len(batch))
        self._next()
        self.bus.committed(notes_of(batch, answers))
        for write, answer in zip(batch, answers, strict=True):
            if isinstance(answer, Exception):
                faults.note("a write", answer)
                answer = refuse("store.refused", 400)
            _tell(write, answer)
        self.all_told()

    # -------------------------------------------------------------- SQLite
    def _write_file(self, batch: Sequence[Write]) -> bool:
        """Write a batch to SQLite and commit it, here or in the thread; False if that is not possible: nothing is
        written then.
        """
        began = time.perf_counter()
        try:
            if self._file is None:
                assert self._file_engine is not None
                self._file = self._file_engine.connect()
                self._driver = self._file.connection.driver_connection
                self._driver.execute("PRAGMA busy_timeout=0")  # the loop waits for no other process
                # For SQLAlchemy it is one long transaction. Ours begin and end past it, where that takes a tenth.
                self._file.begin()
                self._driver.execute("COMMIT")
            self._driver.execute("BEGIN IMMEDIATE")
            if all(is_plain(write.job) for write in batch):
                answers = self._write_steps([write.job for write in batch])  # type: ignore[misc]
            else:
                answers = self.apply(self._file, batch)
        except Exception:  # what it is shows when it is written carefully
            self._drop_file()
            return False
        if self._threaded:
            self._threaded -= 1
            self._in_thread(partial(self._commit_there, asyncio.get_running_loop(), batch, answers, began))
        else:
            before = time.perf_counter()
            fault = self._commit_file(self._driver)
            self._judge(time.perf_counter() - before, len(batch))
            self._file_committed(batch, answers, began, fault)
        return True

    def _judge(self, seconds: float, writes: int) -> None:
        """The loop waited so long for a commit: leave the next ones to the thread if that was too long."""
        if seconds > QUICK + writes * QUICK_EACH:
            self._threaded = self._penalty
            self._penalty = min(2 * self._penalty, MAX_THREADED)
        elif self._penalty > MIN_THREADED:
            self._penalty -= 1

    def _in_thread(self, work: Callable[[], None]) -> None:
        """Run it in the writer's thread. An executor would make a future, and take three locks, for each commit."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run_commits, name="writer", daemon=True)
            self._thread.start()
        self._commits.put(work)

    def _run_commits(self) -> None:
        while (work := self._commits.get()) is not None:
            work()
            del work  # else what was written, with its table, would stay until the next commit

    def _write_steps(self, new: Sequence[Step]) -> list[Any]:
        """Write steps alone, past SQLAlchemy, which takes several times as long; the answer to each. Raises Conflicting
        if one of them is stored already.
        """
        if not insert_steps(self._driver, new):
            raise Conflicting
        return [True] * len(new)

    def _commit_file(self, driver: Any) -> Exception | None:
        """Commit; why that failed."""
        try:
            driver.execute("COMMIT")
        except Exception as error:
            return error
        return None

    def _commit_there(
        self, loop: asyncio.AbstractEventLoop, batch: Sequence[Write], answers: Sequence[Any], began: float
    ) -> None:  # fmt: skip
        """In the thread: commit, and report to the loop."""
        fault = self._commit_file(self._driver)
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any longer
            loop.call_soon_threadsafe(self._file_committed, batch, answers, began, fault)

    def _file_committed(
        self, batch: Sequence[Write], answers: Sequence[Any], began: float, fault: Exception | None
    ) -> None:  # fmt: skip
        if fault is None:
            self._committed(batch, answers, began)
        else:  # it may be stored or not: steps know their own mark
            self._drop_file()
            self._careful = asyncio.get_running_loop().create_task(self._write_carefully(batch), name="writer")

    def _drop_file(self) -> None:
        """Give the connection back; what was not committed is rolled back."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(Exception):
                self._driver.rollback()
            with contextlib.suppress(Exception):
                file.invalidate()
            with contextlib.suppress(Exception):
                file.close()

    # -------------------------------------------------------------- PostgreSQL
    async def _send_steps(self, batch: Sequence[Write]) -> list[Any]:
        """Store steps alone with their notes, in one statement past SQLAlchemy; the answer to each. Raises Conflicting
        if one of them is stored already: then the others are stored.
        """
        steps: Any = [write.job for write in batch]
        notes = self.bus.announced([note for write in batch for note in write.notes])
        async with self.engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            try:
                new = await send_steps(driver, steps, notes)
            except BaseException:
                await connection.invalidate()
                raise
        if new < len(batch):
            raise Conflicting
        return [True] * len(batch)

    # -------------------------------------------------------------- carefully
    async def _write_carefully(self, batch: Sequence[Write]) -> None:
        began, answers = time.perf_counter(), None
        try:
            answers = await self._answers(batch)
        except Exception as error:  # the only writer must not stop
            faults.note("the writer", error)
        if answers is not None:
            self._committed(batch, answers, began)
        else:
            self._next()
            _refuse_all(batch)

    async def _answers(self, batch: Sequence[Write]) -> list[Any] | None:
        """Commit a batch: the answer to each. Tries again while the database is away; None if it stays away. A write
        that cannot be stored fails alone.
        """
        if self._file_engine is None and all(is_plain(write.job) for write in batch):
            with contextlib.suppress(Exception):  # what it is shows when it is written carefully
                return await self._send_steps(batch)
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                return await self._commit(batch, self.apply)
            except Exception as error:
                if not is_away(error):
                    return await self._commit(batch, self._apply_each)
            if attempt < MAX_ATTEMPTS:
                await asyncio.sleep(RETRY_AFTER * attempt)
        return None

    async def _commit(self, batch: Sequence[Write], apply: Apply) -> list[Any]:
        """One transaction for the whole batch; the answer to each."""
        if self._file_engine is None:
            async with self.engine.begin() as connection:
                return await connection.run_sync(apply, batch)
        return await asyncio.to_thread(self._commit_in_thread, self._file_engine, apply, batch)

    def _commit_in_thread(self, file: sa.Engine, apply: Apply, batch: Sequence[Write]) -> list[Any]:
        with file.begin() as connection:
            return apply(connection, batch)

    def _apply_each(self, connection: sa.Connection, batch: Sequence[Write]) -> list[Any]:
        """Each write in a savepoint of its own; the answer to each, or why it cannot be stored."""
        answers: list[Any] = []
        for write in batch:
            try:
                with connection.begin_nested():
                    answers += self.apply(connection, [write])
            except (IntegrityError, sqlite3.IntegrityError):  # its table is gone: somebody closed it
                answers.append(False)
            except Exception as error:
                if is_away(error):
                    raise
                answers.append(error)
        return answers


def notes_of(batch: Sequence[Write], answers: Sequence[Any]) -> list[Note]:
    """What others are told of the writes that succeeded."""
    told = zip(batch, answers, strict=True)
    done = (write.notes for write, answer in told if not isinstance(answer, Exception) and answer is not False)
    return [note for notes in done for note in notes]


def _refuse_all(batch: Sequence[Write]) -> None:
    for write in batch:
        _tell(write, refuse("store.down", 503))


def _tell(write: Write, answer: Any) -> None:
    """Tell whoever waits; a fault of theirs is not the next one's."""
    try:
        write.done(answer)
    except Exception as error:
        faults.note("after a write", error)
