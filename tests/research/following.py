"""A batch and the matches that it should be, side by side."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tacit import Game, Match, game_named, game_names
from tacit.core.laws.secrets import observed
from tacit.research import Batch

LONG = "TACIT_LONG" in os.environ


def seatings() -> list[tuple[str, int]]:
    """Every game with every number of seats; quickly, with the fewest, three and the most."""
    found = []
    for name in game_names():
        game = game_named(name)
        every = range(game.min_seats, game.max_seats + 1)
        found += [(name, seats) for seats in every if LONG or seats in (every[0], 3, every[-1])]
    return found


class Followed:
    """Some matches of a batch, replayed as `Match` by the same decisions; all that the batch says is compared."""

    def __init__(self, batch: Batch, which: Sequence[int]) -> None:
        self.batch, self.which = batch, which
        self.matches = {i: self.fresh(i) for i in which}
        self.over = 0

    def fresh(self, i: int) -> Match:
        return Match(self.batch.game, self.batch.seats, self.batch.options, seed=int(self.batch.seeds[i]))

    def compare(self) -> None:
        """Who decides, what is legal, what is observed, and the state itself."""
        game, batch = self.batch.game, self.batch
        for i, match in self.matches.items():
            seat = min(match.due)
            assert seat == batch.seat[i]
            k = match.know(seat)
            assert np.flatnonzero(batch.mask[i]).tolist() == game.legal(k, seat)
            assert batch.observation[i].tolist() == observed(game, k, seat)
            assert batch.state(i) == match.state

    def step(self, actions: Any) -> None:
        """One decision in every match, and in every follower."""
        before = {i: (int(self.batch.seat[i]), int(actions[i])) for i in self.which}
        self.batch.step(actions)
        for i, (seat, action) in before.items():
            match = self.matches[i]
            match.play(seat, match.game.rules.show(match.state, seat, action))
            assert bool(self.batch.done[i]) == match.over
            assert self.batch.reward[i].tolist() == (scores(match.game, match) if match.over else [0] * match.seats)
            if match.over:
                self.over += 1
                self.matches[i] = self.fresh(i)
        self.compare()


def scores(game: Game, match: Match) -> list[int]:
    out = [0] * game.max_seats
    game.rules.score(match.state, out)
    return out[: match.seats]
