"""A compiled bot whose decision depends on everything that it heard from seats: for tests."""

from __future__ import annotations

from typing import Any

from tacit.core.bits import count, nth
from tacit.core.events import event_actor
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, GAMES = "listener", ("silencio", "silent-planet")
STYLE, ASSUMES = "Listens.", "Nothing."


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """A legal decision, by a hash of the events."""
    heard = seat + 1
    for i in range(n):
        if event_actor(events[i]) != CHANCE:
            heard = (heard * 31 + events[i]) % 1_000_003
    total = 0
    for word in range(len(mask)):
        total += count(mask[word])
    left = heard % total
    for word in range(len(mask)):
        if left < count(mask[word]):
            return 64 * word + nth(mask[word], left)
        left -= count(mask[word])
    return -1
