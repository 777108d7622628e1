"""What is kept of a match that was played."""

from __future__ import annotations

from typing import Any

import msgspec


class Played(msgspec.Struct, frozen=True):
    """One match of a job. All of it follows from the job and the number, but for the seconds."""

    match: int
    deal: int
    line_up: int
    seats: tuple[str, ...]  # which bot sat where
    scores: tuple[int, ...]
    result: dict[str, Any]
    decisions: int
    faults: tuple[dict[str, Any], ...] = ()  # where a bot failed: bot, seat, step, kind, detail, instead
    thought: dict[str, tuple[int, float]] = {}  # of bots in Python: decisions, seconds

    def same(self, other: Played) -> bool:
        """Are both the same match, as far as it does not depend on clocks?"""
        return msgspec.structs.replace(self, thought={}) == msgspec.structs.replace(other, thought={})

    def shares(self) -> list[float]:
        """Of the win, each seat's share: the winners the game names, or those with the highest score."""
        winners = self.result.get("winners")
        if not isinstance(winners, (list, tuple)):
            winners = [q for q, score in enumerate(self.scores) if score == max(self.scores)]
        return [1 / len(winners) if q in winners else 0.0 for q in range(len(self.scores))]
