"""`master` at Silver & Gold: a network proposes, a value network and the evaluation of `steady` judge together
(docs/bots/master.md). With two seats it is one that plays for the lead, where `learned` plays for its own sheet."""

from __future__ import annotations

import sys
from itertools import takewhile
from pathlib import Path
from typing import Any

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
from tacit.games.silver_and_gold.observation import FIELDS

POLICY = steady  # of the playouts
NETWORK = NetworkPolicy(learned.FILE, game_named(learned.GAME), SYMMETRY)
LEAD = NetworkPolicy(Path(__file__).with_name("lead.npz"), game_named(learned.GAME), SYMMETRY)
VALUE = NetworkPolicy(Path(__file__).with_name("value.npz"), game_named(learned.GAME))
TWO_SEATS = sum(field.size for field in takewhile(lambda field: field.name != "seats", FIELDS))  # 1 where two sit there
A_POINT = round(0.03 * ONE)  # what a point counts to the value network
SEARCH = LookaheadParameters(min_z=0.5, horizon=1, top=10, gap=6.0, turns=4, margin=A_POINT / 8)
by_many, by_two, appraise = evaluate_of(NETWORK), evaluate_of(LEAD), evaluate_of(VALUE)
thinks, worth, clock = search.thinks, search.worth, search.clock


@rule
def evaluate(cells: Any, tokens: Any, wanted: Any, n: int) -> None:
    """The logits and values of the network for so many seats; all rows are of one match."""
    if cells[0, TWO_SEATS] == 1:
        by_two(cells, tokens, wanted, n)
    else:
        by_many(cells, tokens, wanted, n)


@rule
def judged(s: State, out: Cells, seat: int, told: int) -> int:
    """The mean of what the value network told and of the evaluation of `steady`, whose errors are of another kind."""
    return (told + A_POINT * worth(s, out, seat) // POINT) // 2


class Master(Looking):
    TUNING = sys.modules[__name__]
    GAME = learned.GAME
    STYLE = "Sees at a glance where a shape pays, and tries the best places out with the shapes to come."
    ASSUMES = "Rivals that play like steady."
