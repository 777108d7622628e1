"""The best score of a deal: the solver looks for it in a process of its own, one deal after the other."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import msgspec

from tacit.core.game import Game
from tacit.server.deal_protocol import BestKind
from tacit.server.models import DealRow

COMMAND = (sys.executable, "-m", "tacit.analysis.best_of_deal")
FIND_WITHIN = 900.0  # seconds; the first time the solver is compiled, too


class Found(msgspec.Struct, frozen=True):
    """What the solver found; `exact` if no other score is better."""

    score: int | None = None
    exact: bool = False


class BestScores:
    """Looks for the best scores of deals, at most one at once."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="best-scores")
        self.process: subprocess.Popen[bytes] | None = None
        self.closed = False

    async def find(self, deal: DealRow, game: Game, key: bytes, beginning: str | None) -> Found | None:
        """What the solver finds on a deal; None if it was stopped before that."""
        question = {
            "game": game.name, "module": game.module.__name__, "seats": deal.seats, "options": deal.options,
            "rules_version": deal.rules_version, "key": key.hex(), "beginning": beginning,
        }  # fmt: skip
        return await asyncio.get_running_loop().run_in_executor(self.pool, self._ask, msgspec.json.encode(question))

    def _ask(self, question: bytes) -> Found | None:
        if self.closed:
            return None
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            text, _ = self.process.communicate(question, FIND_WITHIN)
            return msgspec.json.decode(text, type=Found)
        except (subprocess.TimeoutExpired, msgspec.DecodeError):
            return None if self.closed else Found()
        finally:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        """Stop looking."""
        self.closed = True
        process = self.process
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)


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
