"""The arrays that compiled random play works in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game, OptionValue
from tacit.core.random_play import Workspace


def buffers(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, states: int = 2,
    rules_version: int | None = None,
) -> Workspace:  # fmt: skip
    """New arrays for one game, with room for a number of states."""
    blank = np.zeros(1, game.dtype)
    game.blank(seats, options, rules_version).store(blank[0])
    return Workspace(
        states=np.zeros(states, game.dtype),
        blank=blank,
        rng=np.zeros(RNG_WORDS, np.int64),
        mask=np.zeros(game.words, np.int64),
        weights=np.zeros(game.outcomes, np.int64),
        out=np.zeros(game.observation, np.int8),
        known_mask=np.zeros(game.words, np.int64),
        known_out=np.zeros(game.observation, np.int8),
        traces=np.zeros(states, np.int64),
        found=np.zeros(2, np.int64),
    )
