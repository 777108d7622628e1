"""`master` at Silent Planet: a network that plays on in its head (docs/bots/master.md)."""

from __future__ import annotations

import sys

from tacit.bots.master.lockstep import ONE
from tacit.bots.master.lookahead import LookaheadParameters
from tacit.bots.master.lookahead import Master as Looking
from tacit.bots.network.policy import NetworkPolicy, evaluate_of
from tacit.bots.silent_planet import learned, search, steady
from tacit.core.registry import game_named

POLICY = steady  # of the engine; no playout of this game asks it
NETWORK = NetworkPolicy(learned.FILE, game_named(learned.GAME))
SEARCH = LookaheadParameters(min_z=2.0, horizon=3, max_playouts=96, margin=0.02 * ONE, top=3, gap=1.5)
evaluate, thinks = evaluate_of(NETWORK), search.thinks


class Master(Looking):
    TUNING = sys.modules[__name__]
    GAME = learned.GAME
    STYLE = "Lays and reads rows by the code of learned, and thinks twice before it points."
    ASSUMES = "That all others are `learned` or `master`."
