"""Conducts a job: hands out what is not yet played, writes down what was, and stops when there is enough."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from tacit.arena.job import Job
from tacit.arena.journal import BadJournal, Journal
from tacit.arena.match_player import play_chunk
from tacit.arena.played import Played
from tacit.arena.workers import Batch, Workers

CHUNK_SECONDS = 0.5  # how long a chunk should take: short enough to stop soon, long enough to be worth handing out
LARGEST = 500
REPLAYED = 3  # matches of a journal that are played again before it is gone on with


def verify(journal: Journal) -> None:
    """Play a few matches of a journal again: were the rules or the bots changed since? BadJournal if so."""
    job = journal.job
    numbers = sorted(journal.played)
    chosen = {numbers[0], numbers[-1], random.Random(0).choice(numbers)} if numbers else set()
    for played, _ in play_chunk(job, sorted(chosen)[:REPLAYED]):
        if not played.faults and not played.same(journal.played[played.match]):
            raise BadJournal(
                f"{journal.path}: match {played.match} now goes otherwise than it is written down. A bot or the rules "
                "have changed: begin anew, with another --out."
            )


def record_path(folder: Path, job: Job, match: int) -> Path:
    return folder / f"{job.game}-{job.deal(match):06}-{job.line_up(match)}.tacit"


def conduct(
    journal: Journal, matches: int, crew: Workers, *, records: Path | None = None,
    told: Callable[[list[Played]], None] = lambda new: None, enough: Callable[[], bool] = lambda: False,
) -> None:  # fmt: skip
    """Play the matches below `matches` that the journal lacks; `told` hears of each batch once it is written down."""
    todo = _todo(journal, matches, records)
    size, started, played, over = 1, time.monotonic(), 0, False
    while True:
        while not over and crew.waiting() < crew.size + 1:
            chunk = list(islice(todo, size))
            if not chunk:
                over = True
                break
            crew.submit(chunk)
        if crew.waiting() == 0:
            missing = [match for match in range(matches) if match not in journal.played]
            if missing:
                raise RuntimeError(f"{len(missing)} matches were lost, the first of them {missing[0]}.")
            return
        for batch in crew.finished():
            told(_written(journal, batch, records))
            played += len(batch)
        if enough():
            return
        rate = played / max(time.monotonic() - started, 1e-6) / crew.size
        size = max(1, min(LARGEST, 2 * size, int(rate * CHUNK_SECONDS)))


def _todo(journal: Journal, matches: int, records: Path | None) -> Iterator[int]:
    """What is still to be played; with records to be kept also the matches whose record is not there."""
    job = journal.job
    for match in range(matches):
        if match not in journal.played or (records is not None and not record_path(records, job, match).exists()):
            yield match


def _written(journal: Journal, batch: Batch, records: Path | None) -> list[Played]:
    """The records first, then the lines: a match in the journal has its record."""
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
        for played, record in batch:
            path = record_path(records, journal.job, played.match)
            part = path.with_name(path.name + ".part")
            part.write_text(record, encoding="utf-8")
            part.replace(path)
    return journal.write(played for played, _ in batch)
