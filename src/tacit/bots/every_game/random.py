"""Decides at random, every legal decision as likely as another."""

from __future__ import annotations

from typing import Any

from tacit.core.driver import random_marked
from tacit.core.record import Cells
from tacit.core.rulekit import rule

NAME, GAME = "random", "*"
STYLE = "Leaves everything to chance: every legal decision is equally likely."
ASSUMES = "Nothing about anybody."


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """One of the legal decisions, uniformly."""
    return random_marked(mask, rng)
