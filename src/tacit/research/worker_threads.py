"""Threads that run slices of a batch's matches beside the one that calls (`tacit.research.worker_loop`)."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.research.worker_loop import CALL, CELLS, FOUND, SLEEP, STOP, WAKE


class WorkerThread:
    """One thread: its slice of the matches and its commands. It keeps nothing of the batch but the last workspace."""

    def __init__(self, rules: SimpleNamespace, lo: int, hi: int, row: int) -> None:
        self.rules, self.place = rules, (lo, hi, row)
        self.cells = np.zeros(CELLS, np.int64)
        self.awake, self.finished = threading.Event(), threading.Event()
        self.work: Callable[[], None] | None = None  # what a CALL asks for
        self.error: BaseException | None = None
        self.workspace: Any = None  # that it serves
        threading.Thread(target=self._run, name="batch", daemon=True).start()

    def command(self, kind: int, number: int) -> None:
        if self.rules.give_command(kind, number, self.cells):
            self.awake.set()

    def _run(self) -> None:
        while True:
            w = self.workspace
            kind = self.rules.await_command(self.cells) if w is None else self.rules.serve(*self.place, self.cells, w)
            if kind == STOP:
                return
            if kind == SLEEP:
                self.awake.wait()
                self.awake.clear()
            elif kind == WAKE:
                self.finished.set()
            else:
                self._call()
                if self.rules.report_done(self.cells):
                    self.finished.set()

    def _call(self) -> None:
        try:
            assert self.work is not None
            self.work()
        except BaseException as error:
            self.error = error


class WorkerThreads:
    """All threads but the caller's. Between `__enter__` and `__exit__`, which waits for them, they carry out a command.

    Args:
        rules: Compiled, with those of `worker_loop`.
        places: Of each thread: from which match to which, and its row of scratch memory.
    """

    def __init__(self, rules: SimpleNamespace, places: Sequence[tuple[int, int, int]]) -> None:
        self.process = os.getpid()
        self.workers = [WorkerThread(rules, *place) for place in places]
        self._rules, self._lock = rules, threading.Lock()

    def __enter__(self) -> WorkerThreads:
        self._lock.acquire()
        self._settle()  # an interrupt may have left a thread at work
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._settle()
        finally:
            self._lock.release()

    def serves(self, w: Any) -> bool:
        """Do all threads know this workspace?"""
        return all(worker.workspace is w for worker in self.workers)

    def command(self, kind: int, work: Callable[..., None], number: int, w: Any) -> None:
        """Let every thread run a rule over its slice; one that it knows (of this kind) without the interpreter."""
        if kind == CALL or not self.serves(w):
            for worker in self.workers:
                worker.work = _task(work, *worker.place, number, w)
                worker.workspace = w if kind != CALL else worker.workspace
                worker.command(CALL, 0)
        else:
            for worker in self.workers:
                worker.command(kind, number)

    def found(self) -> list[int]:
        """What each thread found."""
        return [int(worker.cells[FOUND]) for worker in self.workers]

    def close(self) -> None:
        """End the threads."""
        if self.process == os.getpid():
            for worker in self.workers:
                worker.command(STOP, 0)

    def _settle(self) -> None:
        """Wait until every command is done. Raises what a thread raised."""
        for worker in self.workers:
            while not self._rules.await_done(worker.cells):
                worker.finished.wait()
                worker.finished.clear()
        errors = [worker.error for worker in self.workers if worker.error is not None]
        for worker in self.workers:
            worker.error, worker.work = None, None
        if errors:
            raise errors[0]


def _task(work: Callable[..., None], lo: int, hi: int, row: int, number: int, w: Any) -> Callable[[], None]:
    return lambda: work(lo, hi, row, number, w)
