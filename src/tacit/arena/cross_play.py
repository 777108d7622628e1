"""Cross-play: every bot with every bot. Row a, column b: one seat of bot a, all other seats of bot b."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tacit.arena.job import Job
from tacit.arena.match_result import MatchResult
from tacit.arena.stats import ANYWHERE, Estimate, mean_or_share
from tacit.core.game import Game


class CrossPlay(msgspec.Struct, frozen=True):
    """The table: `cells[i][j]` is the result of one seat of bots[i] with bots[j] on the other seats."""

    bots: list[str]
    means: str  # what a cell measures
    cells: list[list[Estimate]]


def pairings(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """The line-ups of the table. With two seats (a, b) and (b, a) are the same line-up."""
    found: dict[tuple[str, ...], None] = {}
    for a in bots:
        for b in bots:
            if seats > 2 or (b, a) not in found:
                found[(a, *[b] * (seats - 1))] = None
    return list(found)


def cross_play(game: Game, job: Job, bots: Sequence[str], played: Mapping[int, MatchResult]) -> CrossPlay:
    """The table from the matches of a job whose line-ups are the pairings."""
    won = any(isinstance(match.result.get("won"), bool) for match in played.values())
    means = ("matches won" if won else "score") if game.cooperative else "the one seat's share of the win"
    values: dict[tuple[str, ...], list[float]] = {}
    for match in played.values():
        names = job.line_ups[match.line_up]
        if game.cooperative:
            own = [float(match.result["won"] if won else match.scores[0])] * 2
        else:
            shares = match.shares()
            own = [shares[job.seat_of(match.match, 0)], shares[job.seat_of(match.match, job.seats - 1)]]
        values.setdefault(names, []).append(own[0])
        if job.seats == 2 and names[0] != names[1]:
            values.setdefault((names[1], names[0]), []).append(own[1])
    rest = job.seats - 1
    bounds = (0, 1) if won or not game.cooperative else game.score_range(job.seats) or ANYWHERE
    cells = [[mean_or_share(values.get((a, *[b] * rest), []), bounds) for b in bots] for a in bots]
    return CrossPlay(list(bots), means, cells)
