"""A compiled bot of the toy game that reads what it heard; with the option `low` its decisions are illegal."""

from __future__ import annotations

from typing import Any

from tacit.core.bits import marked
from tacit.core.events import event_heard
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, GAME, STYLE, ASSUMES = "last-card", "toy", "Follows what it heard.", "Nothing."


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    if k.low == 1:
        return 999
    heard = 0
    for at in range(n):
        heard += event_heard(events[at])
    found = -1
    for action in range(64 * len(mask)):
        if marked(mask, action) and (found < 0 or heard % 2 == 1):
            found = action
    return found
