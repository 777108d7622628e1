"""`search` at Silver & Gold: playouts of some turns, then the evaluation of `steady`."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher, SearchParameters
from tacit.bots.silver_and_gold import steady
from tacit.bots.silver_and_gold.evaluation import POINT, hand_worth, sheet
from tacit.bots.silver_and_gold.turns_needed import TURN
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.model import TURNS, State

GAME = "silver-and-gold"
POLICY = steady
SEARCH = SearchParameters(min_z=0.5, horizon=3)
CLEAR = 1000  # thousandths of a point by which a decision is clearly better than another


def thinks(k: State) -> bool:
    """Every decision is searched."""
    return True


@rule
def clock(s: State) -> int:
    """Turns played."""
    return s.turn


@rule
def standing(s: State, seat: int, points: int) -> int:
    """A seat's points plus the value of its cards and its sheet, in thousandths."""
    if s.turn >= TURNS:
        return POINT * points
    t = TURN * (TURNS - s.turn)
    promise = sheet(s, seat, s.coins[seat], s.palms[seat]) - POINT * s.coins[seat]
    return POINT * points + promise + hand_worth(s, seat, s.card[seat, 0], s.card[seat, 1], t)


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """The seat's lead over the best rival."""
    best = -(1 << 40)
    for q in range(s.seats):
        if q != seat:
            best = max(best, standing(s, q, out[q]))
    return standing(s, seat, out[seat]) - best


class Search(Searcher):
    TUNING = sys.modules[__name__]
    GAME = GAME
    STYLE = "Tries out every placement with the shapes to come, and watches how far its rivals are."
    ASSUMES = "Rivals that play like steady."
