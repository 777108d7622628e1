"""`gentle` at Silent Planet: `steady` with random decisions in between, for beginners."""

from __future__ import annotations

from tacit.bots.silent_planet import steady
from tacit.core.bits import only
from tacit.core.chance import below
from tacit.core.events import HEARS_SIGNALS
from tacit.core.random_play import random_marked
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.model import A_POINT, POINT, State

NAME, GAME = "gentle", "silent-planet"
STYLE = "Lays its row as steady does, but one time in four it points at random."
ASSUMES = "Rows in rising order, as steady lays them."
HEARS = HEARS_SIGNALS
SLIP = 4  # one decision in this many is random

sound, signal = steady.choose, steady.signal


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """The only legal decision, after the draws of `choose`; -1 where there are several."""
    forced = only(mask)
    return random_marked(mask, rng) if forced >= A_POINT and below(rng, SLIP) == 0 else forced


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The decision of `steady`; sometimes it points at random."""
    if k.phase == POINT and below(rng, SLIP) == 0:
        return random_marked(mask, rng)
    return sound(k, seat, events, n, mask, rng)
