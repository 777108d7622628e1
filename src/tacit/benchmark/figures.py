"""The figures of a result, computed from what was played and nothing else: so anybody can compute them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tacit.arena import stats
from tacit.arena.stats import LEVEL, Estimate, mean_or_share
from tacit.benchmark.result import Played, Row
from tacit.benchmark.tracks import Partners, TrackName
from tacit.core.game import Game

SAMPLES = 1000  # of the bootstrap
REFERENCE = "random"  # whose score with a partner is 0 on the normalised scale
Values = NDArray[np.float64]
Mean = Callable[[Values], Estimate]
Bounds = tuple[float, float]  # no score, and so no end of an interval, lies beyond


class Figures(NamedTuple):
    """The rows of the table; for `aht-v1` and `zsc-v1` the cross-play matrix; for `aht-v1` the best responses."""

    rows: tuple[Row, ...]
    matrix: dict[str, dict[str, Estimate]]
    best_responses: dict[str, str]


def bounds_of(game: Game, seats: int) -> Bounds:
    """Between which values a bot's value in a match lies."""
    low, high = (game.score_range(seats) if game.cooperative else (0, 1)) or (-np.inf, np.inf)
    return float(low), float(high)  # an int would be written otherwise, and hashed otherwise, than it is read


def figures(
    track: TrackName, entries: Sequence[str], partners: Partners, played: Sequence[Played], out: Mapping[str, str],
    bounds: Bounds,
) -> Figures:  # fmt: skip
    """The figures of a track. `out` says why a bot is disqualified: it gets none, and is nobody's best response."""

    def mean(values: Values | Sequence[float]) -> Estimate:
        found = mean_or_share(np.asarray(values).tolist())
        return msgspec.structs.replace(found, low=max(found.low, bounds[0]), high=min(found.high, bounds[1]))

    if track == "selfplay-v1":
        values = played[0].values
        rows = [_row(name, out, {"score": mean(values[i])}) for i, name in enumerate(entries)]
        return Figures(tuple(rows), {}, {})
    held_out = _cells(played[-1])
    matrix: dict[str, dict[str, Estimate]] = {}
    for (row, column), cell in held_out.items():
        if row not in out and column not in out:
            matrix.setdefault(row, {})[column] = mean(cell)
    if track == "zsc-v1":
        return Figures((_zero_shot(entries, held_out, out, mean),), matrix, {})
    best = _best_responses(_cells(played[0]), partners, out)
    names = dict.fromkeys(row for row, _ in held_out)
    rows = [_row(name, out, _ad_hoc(name, held_out, best, mean)) for name in names]
    return Figures(tuple(rows), matrix, best)


def _row(name: str, out: Mapping[str, str], found: dict[str, Estimate]) -> Row:
    return Row(name, {}, out[name]) if name in out else Row(name, found)


def _cells(played: Played) -> dict[tuple[str, str], Values]:
    """By row and column: the values of each deal."""
    return {(names[0], names[-1]): np.array(v) for names, v in zip(played.line_ups, played.values, strict=True)}


def _zero_shot(
    entries: Sequence[str], cells: Mapping[tuple[str, str], Values], out: Mapping[str, str], mean: Mean
) -> Row:
    """Networks of one method: with themselves, and with each other, deal by deal."""
    failed = [name for name in entries if name in out]
    name = entries[0].rpartition("-")[0] or entries[0]
    if failed:
        return Row(name, {}, f"{failed[0]}: {out[failed[0]]}")
    alone = np.mean([cells[one, one] for one in entries], axis=0)
    crossed = np.mean([cell for (one, other), cell in cells.items() if one != other], axis=0)
    found = {"self-play": mean(alone), "cross-play": mean(crossed)}
    return Row(name, found | {"gap": stats.mean((alone - crossed).tolist())})


def _best_responses(
    cells: Mapping[tuple[str, str], Values], partners: Partners, out: Mapping[str, str]
) -> dict[str, str]:
    """Who did best with each held-out partner. Validation deals decide, so that chance does not flatter them."""
    found = {}
    for partner in partners.held_out:
        rows = {row: float(cell.mean()) for (row, column), cell in cells.items() if column == partner}
        able = [row for row in rows if row not in out]
        if able and partner not in out:
            found[partner] = max(able, key=rows.__getitem__)
    return found


def _ad_hoc(
    name: str, cells: Mapping[tuple[str, str], Values], best: Mapping[str, str], mean: Mean
) -> dict[str, Estimate]:
    """One seat among held-out partners, its own kind left out: score, and share of what the best response gains."""
    unknown = [partner for partner in best if partner != name]
    if not unknown:
        return {}
    found = {"score": mean(np.mean([cells[name, partner] for partner in unknown], axis=0))}
    own = np.array([cells[name, partner] for partner in unknown])
    low = np.array([cells[REFERENCE, partner] for partner in unknown])
    high = np.array([cells[best[partner], partner] for partner in unknown])
    normalised = _normalised(own, low, high)
    return found if normalised is None else found | {"normalised": normalised}


def _normalised(own: Values, low: Values, high: Values) -> Estimate | None:
    """The mean over partners of (own - low) / (high - low), with a bootstrap interval over deals, which all share.

    None where the best response gains nothing.
    """
    deals = own.shape[1]

    def share(weights: Values) -> Values:
        gain = (high - low) @ weights
        return np.asarray(((own - low) @ weights / np.where(gain > 0, gain, np.nan)).mean(axis=0))

    middle = float(share(np.full((deals, 1), 1 / deals))[0])
    if np.isnan(middle):
        return None
    weights = np.random.default_rng(0).multinomial(deals, np.full(deals, 1 / deals), SAMPLES).T / deals
    reach = [50 * (1 - LEVEL), 50 * (1 + LEVEL)]
    low_end, high_end = np.nanpercentile(share(weights), reach)
    return Estimate(middle, float(low_end), float(high_end), deals)
