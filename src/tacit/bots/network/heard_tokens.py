"""What a seat has heard, as the tokens that networks read; the same that `Batch` gives as history."""

from __future__ import annotations

from typing import Any

from tacit.core.events import HIDDEN, event_actor, event_heard, event_signal
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NOTHING = 0  # the token where fewer decisions were heard


@rule
def heard_tokens(events: Cells, n: int, seat: int, seats: int, actions: int, tokens: Any) -> None:
    """Write the last decisions of seats that a seat has heard, newest first: 1 + who * (actions + 1) + what.

    `who` counts clockwise from the seat itself; `what` is the decision plus 1, or 0 where it is hidden. Chance and
    signals are left out.
    """
    at = 0
    for back in range(n):
        event = events[n - 1 - back]
        who, heard = event_actor(event), event_heard(event)
        if at < len(tokens) and who < seats and event_signal(event) < 0:
            tokens[at] = 1 + ((who - seat) % seats) * (actions + 1) + (0 if heard == HIDDEN else heard + 1)
            at += 1
    for rest in range(at, len(tokens)):
        tokens[rest] = NOTHING
