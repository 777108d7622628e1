"""A baseline for Silencio: play the lowest card; decide everything else at random.

Run from the root of the repository: `tacit arena silencio --seats benchmarks.lowest_first,benchmarks.lowest_first`.
"""

from __future__ import annotations

from tacit.core.bits import marked
from tacit.core.chance import below
from tacit.core.random_play import random_marked
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import CARDS, CHOOSE, RANKS, TURN, State

NAME, GAME = "lowest-first", "silencio"
STYLE = "Plays the lowest card it can; decides everything else at random."
ASSUMES = "Nothing about anybody."


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The lowest playable card (ties broken at random), or a random decision if no card is to be played."""
    best, rank, among = -1, RANKS, 0
    if k.phase == TURN or k.phase == CHOOSE:
        for card in range(CARDS):
            if marked(mask, card) and card % RANKS <= rank:
                among = among + 1 if card % RANKS == rank else 1
                rank = card % RANKS
                if below(rng, among) == 0:
                    best = card
    return best if best >= 0 else random_marked(mask, rng)
