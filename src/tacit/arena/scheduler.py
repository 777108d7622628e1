"""Runs a job: gives chunks of matches to the workers, writes their results to the journal, and stops when told to."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from tacit.arena.job import Job
from tacit.arena.journal import Journal, JournalError
from tacit.arena.match_player import play_chunk
from tacit.arena.match_result import MatchResult
from tacit.arena.workers import Batch, Workers

CHUNK_SECONDS = 0.5  # target duration of a chunk: stops promptly, with little overhead
MAX_CHUNK = 500
REPLAYED = 3  # matches of a journal that are replayed before it is continued


def verify(journal: Journal) -> None:
    """Replay a few matches of the journal; JournalError if the rules or a bot have changed since."""
    job = journal.job
    numbers = sorted(journal.results)
    chosen = {numbers[0], numbers[-1], random.Random(0).choice(numbers)} if numbers else set()
    for played, _ in play_chunk(job, sorted(chosen)[:REPLAYED]):
        if not played.faults and not played.same(journal.results[played.match]):
            raise JournalError(
                f"{journal.path}: match {played.match} has another result now. A bot or the rules have changed: "
                "choose another folder with --out."
            )


def record_path(folder: Path, job: Job, match: int) -> Path:
    return folder / f"{job.game}-{job.deal(match):06}-{job.line_up(match)}.tacit"


def run_job(
    journal: Journal, matches: int, workers: Workers, *, records: Path | None = None,
    on_results: Callable[[list[MatchResult]], None] = lambda new: None, should_stop: Callable[[], bool] = lambda: False,
) -> None:  # fmt: skip
    """Play the matches 0 to `matches` - 1 that the journal lacks. `on_results` gets each batch once it is stored."""
    todo = _todo(journal, matches, records)
    size, started, played, over = 1, time.monotonic(), 0, False
    while True:
        while not over and workers.pending() < workers.size + 1:
            chunk = list(islice(todo, size))
            if not chunk:
                over = True
                break
            workers.submit(chunk)
        if workers.pending() == 0:
            missing = [match for match in range(matches) if match not in journal.results]
            if missing:
                raise RuntimeError(f"{len(missing)} matches were lost, the first of them {missing[0]}.")
            return
        for batch in workers.finished():
            on_results(_store(journal, batch, records))
            played += len(batch)
        if should_stop():
            return
        rate = played / max(time.monotonic() - started, 1e-6) / workers.size
        size = max(1, min(MAX_CHUNK, 2 * size, int(rate * CHUNK_SECONDS)))


def _todo(journal: Journal, matches: int, records: Path | None) -> Iterator[int]:
    """The matches still to be played; with `records`, also those whose record is missing."""
    job = journal.job
    for match in range(matches):
        if match not in journal.results or (records is not None and not record_path(records, job, match).exists()):
            yield match


def _store(journal: Journal, batch: Batch, records: Path | None) -> list[MatchResult]:
    """Write the records, then the journal: every match in the journal has its record."""
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
        for played, record in batch:
            path = record_path(records, journal.job, played.match)
            part = path.with_name(path.name + ".part")
            part.write_text(record, encoding="utf-8")
            part.replace(path)
    return journal.write(played for played, _ in batch)
