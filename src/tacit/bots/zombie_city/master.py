"""`master` at Zombie City: a network that plays on in its head (docs/bots/master.md)."""

from __future__ import annotations

import sys

from tacit.bots.master.lockstep import ONE
from tacit.bots.master.lookahead import LookaheadParameters
from tacit.bots.master.lookahead import Master as Looking
from tacit.bots.network.policy import NetworkPolicy, evaluate_of
from tacit.bots.zombie_city import learned, search, steady
from tacit.core.registry import game_named

POLICY = steady  # which the worlds that are kept take the others for
NETWORK = NetworkPolicy(learned.FILE, game_named(learned.GAME))
SEARCH = LookaheadParameters(min_z=2.5, horizon=4, max_playouts=120, reuse=64, margin=0.06 * ONE)
evaluate, thinks = evaluate_of(NETWORK), search.thinks


class Master(Looking):
    TUNING = sys.modules[__name__]
    GAME = learned.GAME
    STYLE = "Knows whom to send the next horde to, and plays the few best ways on in its head."
    ASSUMES = "Rivals that play like learned."
