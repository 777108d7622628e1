"""`random`: every legal decision is equally likely."""

from __future__ import annotations

from typing import Any

from tacit.core.events import HEARS_NOTHING
from tacit.core.random_play import random_marked
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, GAME = "random", "*"
STYLE = "Leaves everything to chance: every legal decision is equally likely."
ASSUMES = "Nothing about anybody."
HEARS = HEARS_NOTHING


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """A uniformly random legal decision."""
    return random_marked(mask, rng)


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """A uniformly random legal decision."""
    return random_marked(mask, rng)
