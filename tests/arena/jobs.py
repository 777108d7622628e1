"""Jobs that tests play, and ways to play them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

import tests.conftest  # noqa: F401  # registers the toy game, also where no test runner does
from tacit import game_named
from tacit.arena.job import Job, make_job
from tacit.arena.journal import Header, Journal, without_checksum
from tacit.arena.match_player import play_chunk
from tacit.arena.match_result import MatchResult
from tacit.arena.scheduler import run_job
from tacit.arena.workers import InProcess, Workers

CROOKED = "tests.bots.odd_compiled"
GAMBLER = "tests.bots.odd_bots:Gambler"
ROOT = Path(__file__).parent.parent.parent


def toy_job(*line_ups: tuple[str, ...], seed: int = 0) -> Job:
    return make_job(game_named("toy"), line_ups or [("random", "random")], seed=seed, path=[str(ROOT)])


def all_of(job: Job, matches: int) -> dict[int, MatchResult]:
    """The matches of a job, played here and now."""
    return {played.match: played for played, _ in play_chunk(job, range(matches))}


def play_job(job: Job, matches: int, folder: Path, workers: Workers | None = None) -> dict[int, MatchResult]:
    """The same by way of a journal; what it holds when it is read again."""
    journal = Journal(folder / "matches.jsonl", job)
    run_job(journal, matches, workers or InProcess(job, keep=False))
    journal.close()
    again = Journal(folder / "matches.jsonl", job)
    again.close()
    return again.results


def alike(one: dict[int, MatchResult], other: dict[int, MatchResult]) -> bool:
    return one.keys() == other.keys() and all(played.same(other[match]) for match, played in one.items())


def read_journal(path: Path) -> tuple[Job, Iterator[MatchResult]]:
    """Read a journal without locking it; an incomplete last line is ignored."""
    lines = path.read_bytes().splitlines(keepends=True)
    header = msgspec.json.decode(without_checksum(lines[0]), type=Header)
    whole = [line for line in lines[1:] if line.endswith(b"\n")]
    return header.job, (msgspec.json.decode(without_checksum(line), type=MatchResult) for line in whole)
