"""Positions of every phase, as tables that somebody can sit down at: records of matches played by chance, stopped where
seat 0 decides. The bots of such a table never act, so that it stays as it is.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from tacit import Match
from tacit.server.deciders import Attempt
from tacit.server.live_table import LiveTable
from tacit.server.models import Step, TableRow
from tests.server.harness import Server
from tests.web.conftest import Seats

NEVER = (36_000.0, 36_000.0)  # how long the bots of a position wait, in seconds
LONG = bool(os.environ.get("TACIT_LONG"))
MATCHES, ENOUGH = (40, 1000) if LONG else (12, 4)
Options = tuple[tuple[str, bool | int | str], ...]


@cache
def positions(game: str, seats: int, options: Options = ()) -> dict[str, str]:
    """For each phase in which seat 0 decides: the record up to the position with the most lying on the table."""
    found: dict[str, tuple[int, str]] = {}
    times: dict[str, int] = {}
    for seed in range(MATCHES):
        match, dice = Match(game, seats, dict(options), seed=seed), random.Random(seed)
        while not match.over:
            legal = match.legal(0) if 0 in match.due else []
            if legal:
                phase = match.see(0).view.phase
                times[phase] = times.get(phase, 0) + 1
                full = len(legal) * 1000 + len(match.lines)
                if full > found.get(phase, (-1, ""))[0]:
                    found[phase] = (full, str(match))
            who = dice.choice(sorted(match.due))
            match.play(who, dice.choice(match.legal(who)))
        found["over"] = (0, str(match))
        if seed >= 2 and min(times.values()) >= ENOUGH:
            break
    return {phase: record for phase, (_, record) in sorted(found.items())}


def near_the_end(game: str, seats: int, decisions: int, seed: int = 0) -> str:
    """The record of a match played by chance, up to where seat 0 still had so many decisions to make."""
    match, dice, records = Match(game, seats, seed=seed), random.Random(seed), []
    while not match.over:
        if 0 in match.due:
            records.append(str(match))
        who = dice.choice(sorted(match.due))
        match.play(who, dice.choice(match.legal(who)))
    return records[-decisions]


@contextmanager
def starting_from(record: str) -> Iterator[None]:
    """Matches that begin meanwhile begin at this position."""
    match = Match.load(record)

    def first(live: LiveTable, row: TableRow) -> Attempt:
        step = Step(row.id, 1, list(match.lines), [1] * match.seats, over=match.over)
        return Attempt(match.copy(), step, live._see_all(match))

    with patch.object(LiveTable, "first", first):
        yield


def table_at(server: Server, game: str, seats: int, record: str, people: int = 1) -> Seats:
    """A table at a position: the first seats are people's, the others are bots'."""
    with starting_from(record):
        return Seats(server.url, game, people=people, bots=seats - people)


def position_where(game: str, seats: int, wanted: Callable[[Match], bool], **options: bool | int | str) -> str:
    """The record of a match played by chance, up to the first position that is wanted."""
    for seed in range(200):
        match, dice = Match(game, seats, options, seed=seed), random.Random(seed)
        while not match.over:
            if wanted(match):
                return str(match)
            who = dice.choice(sorted(match.due))
            match.play(who, dice.choice(match.legal(who)))
    raise AssertionError("no such position")
