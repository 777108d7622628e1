"""A compiled bot of the toy game that reads what it heard, once; with the option `low` its decisions are illegal."""

from __future__ import annotations

from typing import Any

from tacit.core.bits import local_cells, marked
from tacit.core.events import event_heard
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, GAME, STYLE, ASSUMES = "last-card", "toy", "Follows what it heard.", "Nothing."


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    return choose_with(k, seat, events, n, mask, rng, local_cells())


@rule
def choose_with(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells, memory: Cells) -> int:
    if k.low == 1:
        return 999
    for at in range(memory[0], n):
        memory[1] += event_heard(events[at])
    memory[0] = n
    found = -1
    for action in range(64 * len(mask)):
        if marked(mask, action) and (found < 0 or memory[1] % 2 == 1):
            found = action
    return found
