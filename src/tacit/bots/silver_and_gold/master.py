"""`master` at Silver & Gold: the network proposes, a value network and the evaluation of `steady` judge together
(docs/bots/master.md)."""

from __future__ import annotations

import sys
from pathlib import Path

from tacit.bots.master.lockstep import ONE
from tacit.bots.master.lookahead import LookaheadParameters
from tacit.bots.master.lookahead import Master as Looking
from tacit.bots.network.policy import NetworkPolicy, evaluate_of
from tacit.bots.silver_and_gold import learned, search, steady
from tacit.bots.silver_and_gold.evaluation import POINT
from tacit.bots.silver_and_gold.symmetry import SYMMETRY
from tacit.core.registry import game_named
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.model import State

POLICY = steady  # of the playouts
NETWORK = NetworkPolicy(learned.FILE, game_named(learned.GAME), SYMMETRY)
VALUE = NetworkPolicy(Path(__file__).with_name("value.npz"), game_named(learned.GAME))
A_POINT = round(0.03 * ONE)  # what a point counts to the value network
SEARCH = LookaheadParameters(min_z=0.5, horizon=1, top=10, gap=6.0, turns=4, margin=A_POINT / 8)
evaluate, appraise = evaluate_of(NETWORK), evaluate_of(VALUE)
thinks, worth, clock = search.thinks, search.worth, search.clock


@rule
def judged(s: State, out: Cells, seat: int, told: int) -> int:
    """The mean of what the value network told and of the evaluation of `steady`, whose errors are of another kind."""
    return (told + A_POINT * worth(s, out, seat) // POINT) // 2


class Master(Looking):
    TUNING = sys.modules[__name__]
    GAME = learned.GAME
    STYLE = "Sees at a glance where a shape pays, and tries the best places out with the shapes to come."
    ASSUMES = "Rivals that play like steady."
