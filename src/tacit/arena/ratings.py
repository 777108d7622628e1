"""Ratings for competitive games: the Bradley–Terry model on the Elo scale, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tacit.arena.match_result import MatchResult
from tacit.arena.stats import Estimate

SCALE = 400 / np.log(10)
MIDDLE = 1500.0
SAMPLES = 300


def ratings(matches: Iterable[MatchResult], seed: int = 0) -> dict[str, Estimate]:
    """Each bot's rating, from pairwise comparisons of seats; seats of the same bot are not compared.

    A win counts 1, a tie ½. As a prior, each pair that met gets one additional tie, so that the rating of a bot that
    always won is finite. The mean rating is 1500. Intervals are percentiles of 300 bootstrap samples of the matches.
    """
    played = list(matches)
    names = sorted({name for match in played for name in match.seats})
    if len(names) < 2 or not played:
        return {}
    index = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(played), len(names), len(names)))
    for m, match in enumerate(played):
        shares = match.shares()
        for q, mine in enumerate(match.seats):
            for r, other in enumerate(match.seats):
                if mine != other:
                    ahead = (shares[q], match.scores[q]) > (shares[r], match.scores[r])
                    level = (shares[q], match.scores[q]) == (shares[r], match.scores[r])
                    wins[m, index[mine], index[other]] += 1.0 if ahead else 0.5 if level else 0.0
    met = wins.sum(axis=0)
    prior = 0.5 * ((met + met.T) > 0)
    best = _fit(met + prior)
    rng = np.random.default_rng(seed)
    samples = np.array(
        [
            _fit(np.tensordot(rng.multinomial(len(played), np.full(len(played), 1 / len(played))), wins, 1) + prior)
            for _ in range(SAMPLES)
        ]
    )
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    n = {name: sum(name in match.seats for match in played) for name in names}
    return {name: Estimate(float(best[i]), float(low[i]), float(high[i]), n[name]) for name, i in index.items()}


def _fit(wins: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Maximum likelihood ratings (Hunter's MM algorithm, 2004)."""
    games = wins + wins.T
    strength = np.ones(len(wins))
    for _ in range(500):
        new = wins.sum(axis=1) / np.maximum((games / (strength[:, None] + strength[None, :])).sum(axis=1), 1e-12)
        new = np.maximum(new, 1e-9)
        new /= np.exp(np.log(new).mean())
        if np.allclose(new, strength, rtol=1e-6):
            break
        strength = new
    return np.asarray(MIDDLE + SCALE * np.log(strength))
