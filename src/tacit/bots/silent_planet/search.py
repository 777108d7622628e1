"""`search` at Silent Planet: `steady`, unless playouts over likely rows are sure of better."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher
from tacit.bots.silent_planet import steady
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.silent_planet.model import State

GAME = "silent-planet"
POLICY = steady
CAUTION = 2.0  # standard errors by which another decision must be better than the policy's
HORIZON = 0  # turns that a playout goes on for; 0: to the end


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """A team each is a win; fewer teams are hardly better than none."""
    return (1000 if out[seat] == s.seats else 0) + 20 * out[seat]


class Search(Searcher):
    TUNING = sys.modules[__name__]
    GAME = GAME
    STYLE = "Points as steady does, unless playing on from likelier rows shows a better card for sure."
    ASSUMES = "Partners that lay and read rows as steady does."
