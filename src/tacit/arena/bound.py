"""What the deals of a co-operative game allowed: a line in the arena's report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tacit.arena import clairvoyant
from tacit.arena.job import Job
from tacit.arena.played import Played
from tacit.arena.stats import Estimate, mean, mean_or_share
from tacit.arena.summary import best_score
from tacit.arena.table import Table
from tacit.bots.relay import DECK, NEW_DECK
from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.rulekit import build

DEALS = 200  # so many are searched at the most
NO_CEILING = 1 << 40


class Bound:
    """The clairvoyant search for one game, number of seats and options."""

    def __init__(self, game: Game, job: Job) -> None:
        self.game, self.job = game, job
        self.rules = build(game.module, "cpu", drivers=[clairvoyant])
        self.table = Table(game, job.seats, job.options, [], job.rules_version)
        steps = game.max_decisions + 4096
        self.lines = [np.zeros((steps, 2), np.int64) for _ in range(3)]
        self.length = np.zeros(1, np.int64)
        best = best_score(game, job.seats)
        self.ceiling: int = NO_CEILING if best is None else best

    def search(self, deal: int, playouts: int) -> tuple[int, list[tuple[int, int]]]:
        """The best score found on a deal, and the match that has it as steps."""
        t, number = self.table, self.job.number(deal)
        t.sizes[:] = 0
        first = np.array(stream(f"{number} loose"), np.int64)
        t.loose[:] = first
        decks = (t.weights, t.left, t.pools, t.sizes, t.orders)
        if self.rules.lay_out(t.states, t.blank, t.at, t.loose, *decks) == -NEW_DECK:
            t.put_in_order(number, int(t.at[DECK]))
        rng = np.array(stream(f"{number} clairvoyant"), np.int64)
        best = self.rules.search(
            t.states, t.blank, playouts, self.ceiling, t.at, first, t.loose, t.rng, t.weights, t.left, t.pools, t.sizes,
            t.orders, t.mask, t.offered, rng, t.scores, *self.lines, self.length,
        )  # fmt: skip
        if best == clairvoyant.FAILED:
            raise ValueError(f"What a deal of {self.game.title} allows cannot be searched: its decks are renewed.")
        steps = self.lines[2][: int(self.length[0])]
        return int(best), [(int(who), int(action)) for who, action in steps]

    def result(self, steps: Sequence[tuple[int, int]]) -> dict[str, Any]:
        """The result of a match told as steps, played by the interpreted rules."""
        match = Match(self.game, self.job.seats, self.job.options, settle=False, rules_version=self.job.rules_version)
        for who, action in steps:
            self.game.rules.step(match.state, who, action)
        return match.result or {}


def bound_of(game: Game, job: Job, matches: Sequence[Played], playouts: int) -> dict[str, Any]:
    """What the deals of these matches allowed at least, as figures and as a sentence."""
    deals = sorted({played.deal for played in matches})[:DEALS]
    bound = Bound(game, job)
    reached: dict[int, Played] = {}
    for played in matches:
        if played.deal not in reached or played.scores[0] > reached[played.deal].scores[0]:
            reached[played.deal] = played
    scores, results = [], []
    for deal in deals:
        best, steps = bound.search(deal, playouts)
        # What a line-up reached, the deal allowed too.
        better = reached[deal].scores[0] > best
        scores.append(float(max(best, reached[deal].scores[0])))
        results.append(reached[deal].result if better else bound.result(steps))
    figures: dict[str, Estimate] = {"score": mean(scores)}
    if bound.ceiling != NO_CEILING:
        figures["perfect"] = mean_or_share([int(score == bound.ceiling) for score in scores])
    for key, sample in results[0].items() if results else ():
        if isinstance(sample, bool):
            figures[key] = mean_or_share([int(result[key]) for result in results])
    parts = [f"score {figures['score'].mean:.2f} [{figures['score'].low:.2f}, {figures['score'].high:.2f}]"]
    parts += [
        f"{key} {100 * value.mean:.1f} % [{100 * value.low:.1f}, {100 * value.high:.1f}]"
        for key, value in figures.items()
        if key != "score"
    ]
    says = (
        f"Bound: the deals allowed at least {', '.join(parts)} "
        f"(a search that sees all, {playouts} playouts a deal, {len(deals)} deals)."
    )
    return {"playouts": playouts, "deals": len(deals), "figures": figures, "says": says}
