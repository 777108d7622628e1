"""The text by which people share a result: it tells no card."""

from __future__ import annotations

from typing import Any

from tacit.core.game import Game
from tacit.core.messages import Message, render
from tacit.server.deal_rows import AttemptRow, DealRow

DOTS = 4


def share_text(game: Game, deal: DealRow, attempt: AttemptRow, distribution: dict[int, int]) -> str:
    """`tacit daily 214 · Silencio · 2 cards left · ●●◐○`: the dots are the share of results that are not better."""
    number = f" {deal.number}" if deal.number else ""
    parts = [f"tacit {deal.kind}{number}", game.title, render(result_message(attempt.result, attempt.score or 0))]
    others = sum(distribution.values())
    if attempt.counted and others:
        parts.append(dots(sum(n for score, n in distribution.items() if score <= (attempt.score or 0)) / others))
    return " · ".join(parts)


def dots(share: float) -> str:
    """A share from 0 to 1 as four dots, to the nearest half.

    >>> dots(0.6), dots(1.0)
    ('●●◐○', '●●●●')
    """
    halves = round(share * DOTS * 2)
    return "●" * (halves // 2) + "◐" * (halves % 2) + "○" * (DOTS - halves // 2 - halves % 2)


def result_message(result: Any, score: int) -> Message:
    """A result in a few words; a game whose result says nothing we know has points."""
    found = result if isinstance(result, dict) else {}
    if isinstance(found.get("left"), int):
        return Message("server.share.left", {"n": found["left"]})
    if isinstance(found.get("teams"), int):
        return Message("server.share.teams", {"n": found["teams"], "needed": found.get("needed", "?")})
    if "survivors" in found:
        return Message("server.share.survivors", {"n": score})
    return Message("server.share.points", {"n": score})
