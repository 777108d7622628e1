"""`search` at Silencio: plays as `steady` unless playouts show that another decision is significantly better."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher, SearchParameters
from tacit.bots.silencio import steady
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import State

GAME = "silencio"
POLICY = steady
SEARCH = SearchParameters(
    min_z=2.0,
    max_playouts=600,  # with many more, teams of it left more cards (docs/bots/search.md)
    reuse=1,  # all chance is in the deal, so one playout for each world suffices
)
CLEAR = 350  # thousandths of a card left by which a decision is clearly better than another


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
