"""`gentle` at Silencio: `steady` with random decisions in between, for beginners."""

from __future__ import annotations

from tacit.bots.silencio import steady
from tacit.core.bits import local_cells, only
from tacit.core.chance import below
from tacit.core.events import HEARS_DECISIONS
from tacit.core.random_play import random_marked
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import State

NAME, GAME = "gentle", "silencio"
STYLE = "Plays like steady, but one decision in four is a whim."
ASSUMES = "The same as steady."
HEARS = HEARS_DECISIONS
SLIP = 4  # one decision in this many is random

sound = steady.choose_with


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """The only legal decision, after the draws of `choose`; -1 where there are several."""
    forced = only(mask)
    return random_marked(mask, rng) if forced >= 0 and below(rng, SLIP) == 0 else forced


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The decision of `steady`, or sometimes a random one."""
    return choose_with(k, seat, events, n, mask, rng, local_cells())


@rule
def choose_with(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells, memory: Cells) -> int:
    """The decision, with the memory of `steady`."""
    if below(rng, SLIP) == 0:
        return random_marked(mask, rng)
    return sound(k, seat, events, n, mask, rng, memory)
