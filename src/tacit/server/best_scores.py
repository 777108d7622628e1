"""The best score of a deal: the solver looks for it in a process of its own, one deal after the other."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable

import msgspec

from tacit.core.game import Game
from tacit.server.deal_protocol import BestKind
from tacit.server.deal_rows import DealRow
from tacit.server.processes import ProcessFailed, last_line_of

COMMAND = (sys.executable, "-m", "tacit.analysis.best_of_deal")
FIND_WITHIN = 900.0  # seconds; the first time the solver is compiled, too


class Found(msgspec.Struct, frozen=True):
    """What the solver found; `exact` if no other score is better."""

    score: int | None = None
    exact: bool = False


class BestScores:
    """Looks for the best scores of deals, at most one at once."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(1)

    async def find(self, deal: DealRow, game: Game, key: bytes, beginning: str | None) -> Found:
        """What the solver finds on a deal."""
        question = {
            "game": game.name, "module": game.module.__name__, "seats": deal.seats, "options": deal.options,
            "rules_version": deal.rules_version, "key": key.hex(), "beginning": beginning,
        }  # fmt: skip
        async with self._slots:
            try:
                answer = await last_line_of(COMMAND, msgspec.json.encode(question), FIND_WITHIN)
                return msgspec.json.decode(answer, type=Found)
            except (ProcessFailed, msgspec.DecodeError):
                return Found()


def is_wanted(deal: DealRow, game: Game, reached: Iterable[int]) -> bool:
    """Is there something to look for? Not where seats play against each other, or the best is reached."""
    goal = game.best_score(deal.seats)
    return game.cooperative and deal.best_exact is None and (goal is None or max(reached, default=goal - 1) < goal)


def best_of(deal: DealRow, game: Game, reached: Iterable[int], searches: bool) -> tuple[int | None, BestKind]:
    """The best score of a deal that is known, and what it is, given the scores that were reached on it.

    `searches`: whether this server lets the solver look for it.
    """
    most, goal = max(reached, default=None), game.best_score(deal.seats)
    if not game.cooperative:
        return most, "unknown" if most is None else "reached"
    if most is not None and goal is not None and most >= goal:
        return goal, "possible"
    if deal.best_exact is None and searches:
        return None, "searching"
    if deal.best_exact:
        return deal.best_score, "possible"
    known = [score for score in (most, deal.best_score) if score is not None]
    return (max(known), "found") if known else (None, "unknown")
