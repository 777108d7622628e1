"""The luck of a match: what chance changed of what was to be expected. Over many matches it is 0 on average.

Whatever the seats decide, the expected value after a draw is on average the value before it. So the luck of a match can
be taken off its score: the mean stays, and varies less.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.match import Match
from tacit.review.timeline import changes
from tacit.review.values import Measure, Valuer


def luck_of(match: Match, valuer: Valuer, measure: Measure, playouts: int, key: str) -> Any:
    """What chance changed for each side, all draws together; every position is valued by so many playouts."""
    total = np.zeros(measure.sides)
    for number, change in enumerate(changes(match)):
        if change.seat is not None:
            continue
        for sign, at in ((-1, change.before), (1, change.after)):
            scores = valuer.here(at, playouts, f"{key} {number} {sign}")
            total += sign * measure.values(scores).mean(axis=0)
    return total
