"""Preallocated arrays for compiled rules."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game, OptionValue


class Buffers:
    """The arrays that compiled rules of one game work in: states, a generator, a mask, weights, an observation."""

    def __init__(
        self, game: Game, seats: int, options: Mapping[str, OptionValue] | None, states: int = 2,
        rules_version: int | None = None,
    ) -> None:  # fmt: skip
        self.game, self.seats = game, seats
        self.states = np.zeros(states, game.dtype)
        self.blank = np.zeros(1, game.dtype)
        game.blank(seats, options, rules_version).store(self.blank[0])
        self.rng = np.zeros(RNG_WORDS, np.int64)
        self.mask = np.zeros(game.words, np.int64)
        self.weights = np.zeros(game.outcomes, np.int64)
        self.out = np.zeros(game.observation, np.int8)
