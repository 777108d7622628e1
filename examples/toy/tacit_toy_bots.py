"""A bot for the toy game: it always bids its lowest card."""

from __future__ import annotations

from tacit.bots.turn import Turn


class Low:
    NAME, STYLE, ASSUMES, GAME = "low", "Bids its lowest card.", "Nothing of the others.", "toy"

    def decide(self, turn: Turn) -> str:
        return min(turn.legal)
