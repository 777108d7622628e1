"""The luck of a match: what changed of what was to be expected, and was nobody's doing. On average it is 0.

Whatever the seats decide, the expected value after a draw is on average the value before it. The same holds of a
decision by the very policy that the values are of. So the luck of a match can be taken off its score: the mean stays,
and varies less.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from tacit.core.match import Match
from tacit.review.timeline import Change, Position, changes
from tacit.review.values import Measure, Valuer


def luck_of(
    match: Match, valuer: Valuer, measure: Measure, playouts: int, key: str, alike: Collection[int] = ()
) -> Any:  # fmt: skip
    """What luck changed for each side, all together; every position is valued by so many playouts.

    The seats in `alike` play by the valuer's policy: what their decisions changed is luck, too.
    """
    known: dict[int, Any] = {}

    def value(at: Position) -> Any:
        if at.steps not in known:
            known[at.steps] = measure.values(valuer.here(at, playouts, key)).mean(axis=0)
        return known[at.steps]

    total = np.zeros(measure.sides)
    for change in changes(match):
        if change.seat is None or (change.seat in alike and _alone(match, change)):
            total += value(change.after) - value(change.before)
    return total


def _alone(match: Match, change: Change) -> bool:
    """Was this seat alone to decide, and are there no signals? Else playouts may go on otherwise than the bot did."""
    return not match.game.signals and match.game.rules.due(change.at.state) == 1 << (change.seat or 0)
