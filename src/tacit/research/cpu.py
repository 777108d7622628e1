"""The compiled rules on the CPU: threads that work on slices of the matches without the interpreter's lock."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.core.game import Game
from tacit.core.rulekit import build
from tacit.research import stepping

LEAST = 64  # matches a thread: for fewer, starting it costs more than it saves
_built: dict[int, tuple[Game, SimpleNamespace]] = {}
_lock = threading.Lock()


def compiled(game: Game) -> SimpleNamespace:
    """The game's rules with those of `stepping`; compiled when first called, cached on disk."""
    with _lock:
        if id(game) not in _built:
            _built[id(game)] = (game, build(game.module, "cpu", drivers=[stepping]))
        return _built[id(game)][1]


class Cpu:
    """Where a batch lives on the CPU: NumPy arrays, and so many threads."""

    device = "cpu"
    xp: Any = np

    def __init__(self, game: Game, n: int, threads: int | None) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.threads = max(1, min(threads or cores, n // LEAST))
        self.rules = compiled(game)
        cuts = [n * t // self.threads for t in range(self.threads + 1)]
        self.slices = list(pairwise(cuts))
        self.pool = ThreadPoolExecutor(self.threads - 1, "batch") if self.threads > 1 else None
        self.rows = self.threads  # of scratch paper

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return _aligned(shape, np.dtype(dtype))

    def states(self, blank: Any, n: int) -> Any:
        return np.zeros(n, blank.dtype)

    def put(self, array: Any) -> Any:
        """An array from the host, where the batch lives."""
        return array

    def fetch(self, array: Any) -> Any:
        """An array of the batch, on the host."""
        return array

    def run(self, name: str, *args: Any) -> None:
        """Call a rule of `stepping` on every match."""
        work = getattr(self.rules, f"{name}_slice")
        if self.pool is None:
            work(0, self.slices[0][1], 0, *args)
            return
        others = [self.pool.submit(work, lo, hi, t, *args) for t, (lo, hi) in enumerate(self.slices) if t > 0]
        work(*self.slices[0], 0, *args)
        for other in others:
            other.result()

    def first_illegal(self, actions: Any, words: Any) -> int:
        return int(self.rules.first_illegal(actions, words))


def _aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """An array of zeros that begins at a multiple of 64 bytes: as JAX wants it for views without a copy."""
    size = int(np.prod(shape)) * dtype.itemsize
    raw = np.zeros(size + 64, np.uint8)
    begin = -raw.ctypes.data % 64
    return raw[begin : begin + size].view(dtype).reshape(shape)
