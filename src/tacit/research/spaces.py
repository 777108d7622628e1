"""The spaces that all environments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from tacit.bots.network.network_file import vocabulary
from tacit.core.game import Game, whole
from tacit.research.seeds import LARGEST_SEED
from tacit.research.signals import actions_of, cells_of


def observation_space(game: Game, signals: bool = False) -> spaces.Box:
    return spaces.Box(-128, 127, (cells_of(game, signals),), np.int8)


def action_space(game: Game, signals: bool = False) -> spaces.Discrete[Any]:
    return spaces.Discrete(actions_of(game, signals))


def mask_space(game: Game, signals: bool = False) -> spaces.Box:
    return spaces.Box(0, 1, (actions_of(game, signals),), np.int8)


def history_space(game: Game, size: int) -> spaces.Box:
    return spaces.Box(0, vocabulary(game) - 1, (size,), np.int32)


def match_seed(rng: np.random.Generator) -> int:
    """The seed of the next match, from an environment's generator."""
    return int(rng.integers(LARGEST_SEED))


def match_seed_option(options: Mapping[str, Any] | None) -> int | None:
    """The match's own seed from the options of a `reset`; ValueError for an option that there is not."""
    given = dict(options or {})
    number = whole(given.pop("match_seed", None))
    if given:
        raise ValueError(f"`reset` has no option {min(given)!r}: it has match_seed.")
    if number is not None and (type(number) is not int or number < 0):
        raise ValueError(f"match_seed is a whole number, 0 or more, not {number!r}.")
    return number


def decision(action: Any) -> int:
    """A decision as an int; ValueError for what is not a whole number: 2.7 is not 2."""
    number = whole(action)
    if type(number) is not int:
        raise ValueError(f"A decision is a whole number, not {action!r}.")
    return number
