"""The spaces that all environments share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from tacit.core.game import Game

LARGEST_SEED = (1 << 62) - 1


def observation_space(game: Game) -> spaces.Box:
    return spaces.Box(-128, 127, (game.observation,), np.int8)


def action_space(game: Game) -> spaces.Discrete[Any]:
    return spaces.Discrete(game.actions)


def mask_space(game: Game) -> spaces.Box:
    return spaces.Box(0, 1, (game.actions,), np.int8)


def match_seed(rng: np.random.Generator) -> int:
    """The seed of the next match, from an environment's generator."""
    return int(rng.integers(LARGEST_SEED))
