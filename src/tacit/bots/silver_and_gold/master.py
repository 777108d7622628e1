"""`master` at Silver & Gold: the network proposes, the playouts of `search` judge (docs/bots/master.md)."""

from __future__ import annotations

import sys

from tacit.bots.master.lookahead import LookaheadParameters
from tacit.bots.master.lookahead import Master as Looking
from tacit.bots.network.policy import NetworkPolicy, evaluate_of
from tacit.bots.silver_and_gold import learned, search, steady
from tacit.bots.silver_and_gold.symmetry import SYMMETRY
from tacit.core.registry import game_named

POLICY = steady  # of the playouts
NETWORK = NetworkPolicy(learned.FILE, game_named(learned.GAME), SYMMETRY)
SEARCH = LookaheadParameters(min_z=0.5, horizon=3, top=6, gap=4.0, quick=True)
evaluate, thinks, worth, clock = evaluate_of(NETWORK), search.thinks, search.worth, search.clock


class Master(Looking):
    TUNING = sys.modules[__name__]
    GAME = learned.GAME
    STYLE = "Sees at a glance where a shape pays, and tries the best places out with the shapes to come."
    ASSUMES = "Rivals that play like steady."
