"""A compiled bot that answers illegally now and then, having cleared the mask it was given."""

from __future__ import annotations

from typing import Any

from tacit.core.chance import below
from tacit.core.random_play import random_marked
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, GAME, STYLE, ASSUMES = "crooked", "*", "Cheats where it can.", "That nobody looks."


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    action = random_marked(mask, rng)
    if below(rng, 4) == 0:
        for w in range(len(mask)):
            mask[w] = -1
        return 999
    if below(rng, 4) == 0:
        return -5
    return action
