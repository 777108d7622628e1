"""A compiled bot that never comes back once it has heard too much: in the second trick."""

from __future__ import annotations

from typing import Any

from tacit.core.random_play import random_marked
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, GAME, STYLE, ASSUMES = "hanging", "toy", "Falls asleep over the second trick.", "That somebody wakes it."


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    while k.tricks == 1 and rng[0] >= 0:
        k.deck ^= 1
        rng[3] ^= 1
    return random_marked(mask, rng)
