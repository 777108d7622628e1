"""The last decisions that a seat heard as an array, an option of the environments: `history=H`.

It is what `Batch.history` is: codes `1 + relative_seat * (actions + 1) + (action + 1, or 0 where the action is
hidden)`, newest first, 0 where fewer were heard. An observation is then a dictionary, and the array its `"history"`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.bots.network.heard_tokens import heard_tokens
from tacit.core.game import Game, whole


def need_history(wanted: Any) -> int:
    """The option as an int; ValueError if it is not a whole number, 0 or more."""
    size = whole(wanted)
    if type(size) is not int or size < 0:
        raise ValueError(f"A history has 0 or more decisions, not {wanted!r}.")
    return size


def history_of(game: Game, events: Any, seat: int, seats: int, size: int) -> Any:
    """The last `size` decisions (int32) in a seat's events (`tacit.core.events`)."""
    codes = np.zeros(size, np.int32)
    heard_tokens(events.tolist(), len(events), seat, seats, game.actions, codes)
    return codes
