"""Workers on a Ray cluster: every chunk is a task; chunks of lost workers are played again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ray

from tacit.arena.job import Job
from tacit.arena.match_player import play_chunk
from tacit.arena.workers import Batch


class RayWorkers:
    """The workers of a Ray cluster. Only the driver writes the journal."""

    def __init__(self, job: Job, keep: bool, address: str) -> None:
        self.keep = keep
        self.owns_connection = not ray.is_initialized()  # an existing connection is left open
        if self.owns_connection:
            ray.init(address=None if address == "local" else address, log_to_driver=False, configure_logging=False)
        self.size = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.job = ray.put(job)
        # A chunk is deterministic, so it may be retried without limit.
        self.task = ray.remote(num_cpus=1, max_retries=-1)(play_chunk)
        self.chunks: dict[Any, Sequence[int]] = {}

    def submit(self, matches: Sequence[int]) -> None:
        self.chunks[self.task.remote(self.job, list(matches), self.keep)] = matches

    def pending(self) -> int:
        return len(self.chunks)

    def finished(self) -> list[Batch]:
        done, _ = ray.wait(list(self.chunks), num_returns=1, timeout=1.0)
        batches: list[Batch] = []
        for reference in done:
            matches = self.chunks.pop(reference)
            try:
                batches.append(ray.get(reference))
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.ObjectLostError):
                self.submit(matches)
        return batches

    def close(self) -> None:
        for reference in self.chunks:
            ray.cancel(reference, force=True)
        self.chunks.clear()
        if self.owns_connection:
            ray.shutdown()
