"""What a seat of a match has heard, as numbers; and the whole Turn that its bot gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.bots.bot_play import EVENTS, HIDDEN, SIGNAL, UNHEARD
from tacit.bots.turn import Budget, Dice, Turn
from tacit.core.match import Match


class HeardEvents:
    """Follows a match and keeps what each seat has heard as numbers, by the game's rule `overhear`.

    At the end come the signals given about what is now to be decided; everyone hears them.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.state: Any = match.begun()
        self.made = 0
        self.heard: list[list[int]] = [[] for _ in range(match.seats)]

    def events(self, seat: int) -> Any:
        """What a seat has heard up to now."""
        overhear = self.match.game.rules.overhear
        if overhear is not None:
            for who, action in self.match.steps[self.made :]:
                for q in range(self.match.seats):
                    told = overhear(self.state, q, who, action)
                    if told != UNHEARD and len(self.heard[q]) < EVENTS:
                        self.heard[q].append(256 * who + (255 if told == HIDDEN else told))
                self.match.game.rules.step(self.state, who, action)
            self.made = len(self.match.steps)
        texts = self.match.game.signals
        signals = [256 * q + SIGNAL + texts.index(text) for q, text in self.match.given]
        return np.array(self.heard[seat] + signals, np.int64)


def turn_of(match: Match, seat: int, listener: HeardEvents, rng: Dice, budget: Budget) -> Turn:
    """All that the bot on a seat gets for its decision."""
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
