"""`search` at Silencio: plays as `steady` unless playouts show that another decision is significantly better."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher
from tacit.bots.silencio import steady
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import State

GAME = "silencio"
POLICY = steady
MIN_Z = 2.0  # standard errors by which another decision must be better than the policy's
HORIZON = 0  # turns that a playout goes on for; 0: to the end
MAX_PLAYOUTS = 600  # with many more, teams of it left more cards (docs/bots/search.md)
REUSE = 1  # playouts of one imagined state: all chance lies in the deal, so one is enough


def thinks(k: State) -> bool:
    """Every decision is searched."""
    return True


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """Minus the cards left, with a bonus for none."""
    return 1000 * out[seat] + (700 if out[seat] == 0 else 0)


class Search(Searcher):
    TUNING = sys.modules[__name__]
    GAME = GAME
    STYLE = "Plays like steady, thinks each card through to the end, and does otherwise only when it is sure."
    ASSUMES = "Partners that play and read like steady."
