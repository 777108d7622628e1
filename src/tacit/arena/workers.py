"""Workers that play matches: this process, or several processes on this machine (ray_workers.py: a cluster)."""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from tacit.arena.job import Job
from tacit.arena.match_player import play_chunk, watch_parent
from tacit.arena.match_result import MatchResult

Batch = list[tuple[MatchResult, str]]
MAX_DEATHS = 5  # the job fails when more workers have died


class Workers(Protocol):
    """Plays chunks of matches. `finished` returns each chunk once, in any order."""

    size: int

    def submit(self, matches: Sequence[int]) -> None: ...
    def pending(self) -> int: ...
    def finished(self) -> list[Batch]: ...
    def close(self) -> None: ...


class InProcess:
    """Plays in this process."""

    size = 1

    def __init__(self, job: Job, keep: bool) -> None:
        self.job, self.keep = job, keep
        self.chunks: deque[Sequence[int]] = deque()

    def submit(self, matches: Sequence[int]) -> None:
        self.chunks.append(matches)

    def pending(self) -> int:
        return len(self.chunks)

    def finished(self) -> list[Batch]:
        batch = play_chunk(self.job, self.chunks[0], self.keep)
        self.chunks.popleft()
        return [batch]

    def close(self) -> None:
        self.chunks.clear()


class ProcessWorkers:
    """Several processes on this machine. If one dies, its chunks are played again."""

    def __init__(self, job: Job, keep: bool, size: int) -> None:
        self.job, self.keep, self.size = job, keep, size
        self.deaths = 0
        self.chunks: dict[Future[Batch], Sequence[int]] = {}
        self.pool = self._pool()

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.size, mp_context=multiprocessing.get_context("spawn"), initializer=watch_parent)

    def submit(self, matches: Sequence[int]) -> None:
        try:
            future = self.pool.submit(play_chunk, self.job, matches, self.keep)
        except BrokenProcessPool:
            self._renew()
            future = self.pool.submit(play_chunk, self.job, matches, self.keep)
        self.chunks[future] = matches

    def pending(self) -> int:
        return len(self.chunks)

    def finished(self) -> list[Batch]:
        done, _ = wait(self.chunks, timeout=1.0, return_when=FIRST_COMPLETED)
        batches, broken = [], False
        for future in done:
            try:
                batches.append(future.result())
            except BrokenProcessPool:
                broken = True
                continue
            del self.chunks[future]
        if broken:
            self._renew()
        return batches

    def _renew(self) -> None:
        """A worker died and broke the pool: start a new pool and submit the unfinished chunks again."""
        self.deaths += 1
        if self.deaths > MAX_DEATHS:
            raise RuntimeError("Workers keep dying; is there enough memory? The journal has the matches played so far.")
        lost = list(self.chunks.values())
        self.chunks.clear()
        self.pool.shutdown(wait=False, cancel_futures=True)
        time.sleep(0.1)
        self.pool = self._pool()
        for matches in lost:
            self.submit(matches)

    def close(self) -> None:
        processes = list((self.pool._processes or {}).values())
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()
