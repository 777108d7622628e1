"""Threads that run slices of a batch's matches beside the one that calls (`tacit.research.serving`)."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.research.serving import CALL, CELLS, FOUND, LEAVE, SLEEP, WAKE


class Hand:
    """One thread: its slice of the matches and its orders. It keeps nothing of the batch but the last workspace."""

    def __init__(self, rules: SimpleNamespace, lo: int, hi: int, row: int) -> None:
        self.rules, self.place = rules, (lo, hi, row)
        self.cells = np.zeros(CELLS, np.int64)
        self.awake, self.finished = threading.Event(), threading.Event()
        self.work: Callable[[], None] | None = None  # what a CALL asks for
        self.error: BaseException | None = None
        self.workspace: Any = None  # that it serves
        threading.Thread(target=self._live, name="batch", daemon=True).start()

    def order(self, kind: int, number: int) -> None:
        if self.rules.give_order(kind, number, self.cells):
            self.awake.set()

    def _live(self) -> None:
        while True:
            w = self.workspace
            kind = self.rules.await_order(self.cells) if w is None else self.rules.serve(*self.place, self.cells, w)
            if kind == LEAVE:
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


class Crew:
    """All threads but the caller's. Between `__enter__` and `__exit__`, which waits for them, they carry out an order.

    Args:
        rules: Compiled, with those of `serving`.
        places: Of each thread: from which match to which, and its row of scratch memory.
    """

    def __init__(self, rules: SimpleNamespace, places: Sequence[tuple[int, int, int]]) -> None:
        self.process = os.getpid()
        self.hands = [Hand(rules, *place) for place in places]
        self._rules, self._lock = rules, threading.Lock()

    def __enter__(self) -> Crew:
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
        return all(hand.workspace is w for hand in self.hands)

    def order(self, kind: int, work: Callable[..., None], number: int, w: Any) -> None:
        """Let every thread run a rule over its slice; one that it knows (of this kind) without the interpreter."""
        if kind == CALL or not self.serves(w):
            for hand in self.hands:
                hand.work = _task(work, *hand.place, number, w)
                hand.workspace = w if kind != CALL else hand.workspace
                hand.order(CALL, 0)
        else:
            for hand in self.hands:
                hand.order(kind, number)

    def found(self) -> list[int]:
        """What each thread found."""
        return [int(hand.cells[FOUND]) for hand in self.hands]

    def dismiss(self) -> None:
        """End the threads."""
        if self.process == os.getpid():
            for hand in self.hands:
                hand.order(LEAVE, 0)

    def _settle(self) -> None:
        """Wait until every order is done. Raises what a thread raised."""
        for hand in self.hands:
            while not self._rules.await_done(hand.cells):
                hand.finished.wait()
                hand.finished.clear()
        errors = [hand.error for hand in self.hands if hand.error is not None]
        for hand in self.hands:
            hand.error, hand.work = None, None
        if errors:
            raise errors[0]


def _task(work: Callable[..., None], lo: int, hi: int, row: int, number: int, w: Any) -> Callable[[], None]:
    return lambda: work(lo, hi, row, number, w)
