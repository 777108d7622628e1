"""Points of `steady` and of one-ply greedy seats at Silver & Gold: `python -m benchmarks.silver_and_gold_bots steady`.

All seats of a match are of one kind, and each kind (`steady`, `greedy`) needs a process of its own: with both built in
one process, the code of one was seen to run for the other. Both kinds play the same seeds; chance then follows what
they decide.
"""

from __future__ import annotations

import sys
import time
from types import ModuleType
from typing import Any

from benchmarks.silver_and_gold_greedy import greedy
from tacit import game_named
from tacit.bots import bot_play
from tacit.bots.silver_and_gold import steady
from tacit.core.rulekit import build, rule
from tacit.core.state_layout import Cells

FIRST = 9_000_000  # the first seed: far from those that the weights were tuned on


@rule
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The greedy seat as a bot."""
    return int(greedy(k, seat, mask))


def measure(bot: ModuleType, seats: int, matches: int) -> tuple[Any, float]:
    """The scores, and microseconds a decision."""
    game = game_named("silver-and-gold")
    rules = build(game.module, "cpu", drivers=[bot_play, bot])
    w, team = bot_play.workspace(game, seats, matches=matches), (1 << seats) - 1
    rules.bot_matches(w, 0, 1, team)
    begun = time.perf_counter()
    made = rules.bot_matches(w, FIRST, matches, team)
    return w.scores, 1e6 * (time.perf_counter() - begun) / made


def main(name: str, matches: int) -> None:
    bot = {"steady": steady, "greedy": sys.modules[__name__]}[name]
    for seats in (2, 3, 4):
        scores, cost = measure(bot, seats, matches)
        means = scores.mean(axis=1)  # seats of one match are not independent
        half = 1.96 * means.std(ddof=1) / matches**0.5
        print(f"{seats} seats, {name}: {means.mean():.2f} ± {half:.2f} points, {cost:.0f} µs a decision")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
