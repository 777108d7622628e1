"""`search` at Zombie City: playouts of four rounds, then the estimated chance to win."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher, SearchParameters
from tacit.bots.zombie_city import steady
from tacit.bots.zombie_city.win_chance import SURE, win_chance
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.model import OVER, State

GAME = "zombie-city"
POLICY = steady
SEARCH = SearchParameters(
    min_z=0.5,
    horizon=24,  # sixths of a round
    reuse=64,  # every playout has other dice
)
CLEAR = 40  # thousandths of a win by which a decision is clearly better than another


def thinks(k: State) -> bool:
    """Every decision is searched."""
    return True


@rule
def clock(s: State) -> int:
    """Turns played, in sixths of a round."""
    return 6 * s.turns // s.seats


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """1000 for a win, 500 for a shared one; the estimated chance to win if the match is not over."""
    if s.phase != OVER:
        return win_chance(s, seat)
    best = 0
    for q in range(s.seats):
        if q != seat:
            best = max(best, out[q])
    lead = out[seat] - best
    return SURE if lead > 0 else SURE // 2 if lead == 0 else 0


class Search(Searcher):
    TUNING = sys.modules[__name__]
    GAME = GAME
    STYLE = "Plays every decision out in its head, many times, and takes the one that survives."
    ASSUMES = "Rivals that play like steady."
