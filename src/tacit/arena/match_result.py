"""The result of one match of a job, as the journal stores it."""

from __future__ import annotations

from typing import Any

import msgspec


class MatchResult(msgspec.Struct, frozen=True):
    """One match of a job. Everything except the seconds is determined by the job and the match's number."""

    match: int
    deal: int
    line_up: int
    seats: tuple[str, ...]  # the bot on each seat
    scores: tuple[int, ...]
    result: dict[str, Any]
    decisions: int
    faults: tuple[dict[str, Any], ...] = ()  # a bot failed: bot, seat, step, kind, detail, instead
    thought: dict[str, tuple[int, float]] = {}  # bots in Python: name -> (decisions, seconds)

    def same(self, other: MatchResult) -> bool:
        """Are both results equal except for the seconds?"""
        return msgspec.structs.replace(self, thought={}) == msgspec.structs.replace(other, thought={})

    def shares(self) -> list[float]:
        """Each seat's share of the win. Winners are those that the game names, or those with the highest score."""
        winners = self.result.get("winners")
        if not isinstance(winners, (list, tuple)):
            winners = [q for q, score in enumerate(self.scores) if score == max(self.scores)]
        return [1 / len(winners) if q in winners else 0.0 for q in range(len(self.scores))]
