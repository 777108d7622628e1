"""Jobs that tests play, and ways to play them."""

from __future__ import annotations

from pathlib import Path

import tests.conftest  # noqa: F401  # registers the toy game, also where no test runner does
from tacit import game_named
from tacit.arena.job import Job, make_job
from tacit.arena.journal import Journal
from tacit.arena.match_player import play_chunk
from tacit.arena.played import Played
from tacit.arena.scheduler import conduct
from tacit.arena.workers import InProcess, Workers

CROOKED = "tests.bots.odd_compiled"
GAMBLER = "tests.bots.odd_bots:Gambler"
ROOT = Path(__file__).parent.parent.parent


def toy_job(*line_ups: tuple[str, ...], seed: int = 0) -> Job:
    return make_job(game_named("toy"), line_ups or [("random", "random")], seed=seed, path=[str(ROOT)])


def all_of(job: Job, matches: int) -> dict[int, Played]:
    """The matches of a job, played here and now."""
    return {played.match: played for played, _ in play_chunk(job, range(matches))}


def conducted(job: Job, matches: int, folder: Path, crew: Workers | None = None) -> dict[int, Played]:
    """The same by way of a journal; what it holds when it is read again."""
    journal = Journal(folder / "matches.jsonl", job)
    conduct(journal, matches, crew or InProcess(job, keep=False))
    journal.close()
    again = Journal(folder / "matches.jsonl", job)
    again.close()
    return again.played


def alike(one: dict[int, Played], other: dict[int, Played]) -> bool:
    return one.keys() == other.keys() and all(played.same(other[match]) for match, played in one.items())
