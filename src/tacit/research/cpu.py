"""A batch on the CPU: threads that run slices of the matches without the interpreter's lock."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tacit.core.game import Game
from tacit.core.rulekit import build, machine_code
from tacit.research import stepping, worker_loop
from tacit.research.device import DeviceName
from tacit.research.stepping import Workspace
from tacit.research.worker_loop import CALL, CHECK, PLAY, SAMPLE
from tacit.research.worker_threads import WorkerThreads

MIN_MATCHES = 64  # a thread: for fewer, starting it costs more than it saves
KINDS = {"play": PLAY, "sample_actions": SAMPLE}  # what threads do without the interpreter
ROW_SPACING = 16  # rows of scratch memory between two threads, whose rows must not share a cache line


class Cpu:
    """NumPy arrays and a pool of threads."""

    name: DeviceName = "cpu"
    xp: Any = np

    def __init__(self, game: Game, n: int, threads: int | None, drivers: Sequence[Any] = ()) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.game = game
        self.threads = max(1, min(threads or cores, n // MIN_MATCHES))
        self.rows = ROW_SPACING * (self.threads - 1) + 1
        self.rules = build(game.module, "cpu", drivers=[*drivers, stepping, worker_loop])
        self.slices = list(pairwise(n * t // self.threads for t in range(self.threads + 1)))
        self._workers: WorkerThreads | None = None
        self._direct: dict[Any, tuple[Any, Any]] = {}  # by rule: the workspace that it was last called with, its code

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Aligned to 64 bytes: JAX views such an array without a copy."""
        dtype = np.dtype(dtype)
        size = int(np.prod(shape)) * dtype.itemsize
        raw = np.zeros(size + 64, np.uint8)
        begin = -raw.ctypes.data % 64
        return raw[begin : begin + size].view(dtype).reshape(shape)

    def states(self, n: int) -> Any:
        return np.zeros(n, self.game.dtype)

    def put(self, array: Any) -> Any:
        return array

    def fetch(self, array: Any) -> Any:
        return array

    def field(self, states: Any, name: str) -> Any:
        return np.ascontiguousarray(states[name])

    def run(self, name: str, number: int, w: Workspace) -> None:
        self.run_slices(getattr(self.rules, f"{name}_slice"), number, w, KINDS.get(name, CALL))

    def run_slices(self, work: Callable[..., None], number: int, w: Any, kind: int = CALL) -> None:
        """Run a compiled rule over every slice of the matches, a thread each."""
        if self.threads > 1:
            with self.workers() as workers:
                workers.command(kind, work, number, w)
                self.direct(work, w)(*self.slices[0], 0, number, w)
        else:
            self.direct(work, w)(*self.slices[0], 0, number, w)

    def first_illegal(self, w: Workspace) -> int:
        check = self.rules.first_illegal
        if self.threads == 1:
            return int(self.direct(check, w)(*self.slices[0], w))
        with self.workers() as workers:
            if not workers.serves(w):  # the first step of all
                return int(check(0, self.slices[-1][1], w))
            workers.command(CHECK, check, 0, w)
            found = [int(self.direct(check, w)(*self.slices[0], w))]
        return min((at for at in [*found, *workers.found()] if at >= 0), default=-1)

    def workers(self) -> WorkerThreads:
        """The other threads, begun when they are first needed; a process that was forked begins its own."""
        if self._workers is None or self._workers.process != os.getpid():
            self._workers = WorkerThreads(
                self.rules, [(lo, hi, ROW_SPACING * t) for t, (lo, hi) in enumerate(self.slices) if t > 0]
            )
            weakref.finalize(self, self._workers.close)
        return self._workers

    def direct(self, work: Any, w: Any) -> Any:
        """A rule's machine code for this workspace, once it has been compiled for it. Numba finds out the types of some
        thirty arrays at every call, which takes longer than a small batch may."""
        known = self._direct.get(work)
        if known is not None and known[0] is w:
            return known[1]
        found = machine_code(work, w)
        if found is None:
            return work
        self._direct[work] = (w, found)
        return found
