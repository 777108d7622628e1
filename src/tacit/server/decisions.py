"""A decision before it is stored: what a seat does, and the match after it."""

from __future__ import annotations

import msgspec

from tacit.core.match import Match, SeatView
from tacit.server.deciders import Decider
from tacit.server.models import Step


class Decision(msgspec.Struct, frozen=True):
    """What a seat does: its answer to the question `ask`, a signal (`ask` is None), or taking back its last answer."""

    seat: int
    ask: int | None
    texts: list[str]
    decider: Decider
    undoes: bool = False

    def play(self, match: Match) -> None:
        """Play it. Raises IllegalDecision."""
        if self.undoes:
            match.undo(self.seat)
        elif self.ask is None:
            match.signal(self.seat, self.texts[0])
        elif len(self.texts) == 1:
            match.play(self.seat, self.texts[0])
        else:
            match.play_all(self.seat, self.texts)


class Attempt(msgspec.Struct):
    """A decision played on a copy of the match, not yet stored, and not to be sent to anyone."""

    match: Match
    step: Step
    views: dict[int | None, SeatView]
