"""`search` at Zombie City: plays every decision out many times."""

from __future__ import annotations

import math
import sys

from tacit.bots.search.searcher import Searcher
from tacit.bots.zombie_city import steady
from tacit.bots.zombie_city.win_chance import SURE, win_chance
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.model import OVER, State

GAME = "zombie-city"
POLICY = steady
MIN_Z = 0.5  # standard errors by which another decision must be better than the policy's
HORIZON = 24  # sixths of a round that a playout goes on for
MAX_PLAYOUTS = math.inf  # playouts beyond which it grows no stronger
REUSE = 64  # how often a kept world is played: every time has other dice


def thinks(k: State) -> bool:
    """Every decision is searched."""
    return True


@rule
def clock(s: State) -> int:
    """Turns played, in sixths of a round."""
    return 6 * s.turns // s.seats


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """To win, and hardly how; where the match goes on, how likely that is."""
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
