"""A batch on the CPU: threads that run slices of the matches without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from tacit.core.game import Game
from tacit.core.rulekit import build
from tacit.research import stepping
from tacit.research.device import DeviceName
from tacit.research.stepping import Workspace

MIN_MATCHES = 64  # a thread: for fewer, starting it costs more than it saves
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
        self.rules = build(game.module, "cpu", drivers=[*drivers, stepping])
        self.slices = list(pairwise(n * t // self.threads for t in range(self.threads + 1)))
        self._pool: ThreadPoolExecutor | None = None
        self._process = -1  # that the pool's threads run in

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

    def pool(self) -> ThreadPoolExecutor:
        """The threads, begun when they are first needed; a process that was forked begins its own."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.threads - 1, "batch"), os.getpid()
        return self._pool

    def run(self, name: str, number: int, w: Workspace) -> None:
        self.run_slices(getattr(self.rules, f"{name}_slice"), number, w)

    def run_slices(self, work: Callable[..., None], number: int, w: Any) -> None:
        """Run a compiled rule over every slice of the matches, a thread each."""
        if self.threads == 1:
            work(0, self.slices[0][1], 0, number, w)
            return
        pool = self.pool()
        others = [
            pool.submit(work, lo, hi, ROW_SPACING * t, number, w) for t, (lo, hi) in enumerate(self.slices) if t > 0
        ]
        work(*self.slices[0], 0, number, w)
        for other in others:
            other.result()

    def first_illegal(self, w: Workspace) -> int:
        return int(self.rules.first_illegal(w.actions, w.words))
