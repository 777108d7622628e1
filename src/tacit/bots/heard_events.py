"""What a seat of a match heard, as events; and the whole Turn that its bot gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.bots.turn import Budget, Dice, Turn
from tacit.core import events
from tacit.core.events import EVENT_CAPACITY, FIRST_SIGNAL, encode_event
from tacit.core.match import Match
from tacit.core.rulekit import build


class HeardEvents:
    """Follows a match and keeps what each seat hears as events (`core.events`).

    The last events are the signals about what is to be decided now; every seat hears them.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.log = np.zeros((match.seats, EVENT_CAPACITY), np.int64)
        self._begin()

    def _begin(self) -> None:
        self.state: Any = self.match.begun()
        self.followed = 0  # steps of the match
        self.annulled = len(self.match.annulled)  # decisions that were taken back until then
        self.heard = [0] * self.match.seats

    def events(self, seat: int) -> Any:
        """What a seat heard up to now."""
        if len(self.match.annulled) != self.annulled:
            self._begin()  # a step that was followed is gone
        note_events = build(self.match.game.module, "py", drivers=[events]).note_events
        for who, action in self.match.steps[self.followed :]:
            note_events(self.state, who, action, self.log, self.heard)
            self.match.game.rules.step(self.state, who, action)
        self.followed = len(self.match.steps)
        texts = self.match.game.signals
        signals = [encode_event(q, FIRST_SIGNAL + texts.index(text)) for q, text in self.match.given]
        return np.append(self.log[seat, : self.heard[seat]], np.array(signals, np.int64))


def turn_of(match: Match, seat: int, listener: HeardEvents, rng: Dice, budget: Budget) -> Turn:
    """The Turn that the bot on a seat gets for its decision."""
    seen = match.see(seat)
    return Turn(
        game=match.game.name,
        seats=match.seats,
        seat=seat,
        k=match.know(seat),
        heard=tuple(seen.heard),
        events=listener.events(seat),
        legal=tuple(seen.legal),
        rng=rng,
        budget=budget,
        deck=match.game.deck_text,
    )
