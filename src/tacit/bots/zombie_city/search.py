"""`search` at Zombie City: plays every decision out many times."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher
from tacit.bots.zombie_city import steady
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.zombie_city.model import State

GAME = "zombie-city"
POLICY = steady
CAUTION = 0.5  # standard errors by which another decision must be better than the policy's
HORIZON = 0  # turns that a playout goes on for; 0: to the end


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """To win, and a little by how much."""
    best = 0
    for q in range(s.seats):
        if q != seat:
            best = max(best, out[q])
    lead = out[seat] - best
    return (1000 if lead > 0 else 500 if lead == 0 else 0) + 20 * lead


class Search(Searcher):
    TUNING = sys.modules[__name__]
    GAME = GAME
    STYLE = "Plays every decision out in its head, many times, and takes the one that survives."
    ASSUMES = "Rivals that play like steady."
