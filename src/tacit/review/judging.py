"""Judging decisions: what each cost, by what its player knew, and in whose style of play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.review.model import Interval
from tacit.review.timeline import Change
from tacit.review.values import Measure, Valuer, around, interval

MOST_MOVES = 24  # decisions compared at one moment; where there are more, some are left out


@dataclass(frozen=True)
class Screened:
    """A decision and what it is compared with: what the policy decides, and others, the better ones first."""

    change: Change
    policy: int
    ranked: tuple[int, ...]

    @property
    def compared(self) -> list[int]:
        """The made decision, the policy's and the best, each once."""
        return list(dict.fromkeys([self.change.action, self.policy, self.ranked[0]]))


@dataclass(frozen=True)
class Judged:
    """A decision, judged in one style: made, what the policy decides, and the best that was found."""

    change: Change
    policy: int
    best: int
    others: tuple[int, ...]  # further good decisions, the better ones first
    shift: Any  # by how much the made one is better than the policy's, for each side …
    shift_error: Any  # … and its standard error
    loss: Interval  # by how much the best is better than the made one, for the side of the seat


def screen(valuer: Valuer, measure: Measure, change: Change, times: int, key: str) -> Screened:
    """Rank a moment's decisions with about `times` playouts: the worse half is left out again and again."""
    seat, made = change.seat, change.action
    assert seat is not None
    side = measure.side(seat)
    policy = valuer.decision(change.at, seat)
    moves = _shortlist(change.legal, made, policy)
    means = np.zeros(len(moves))
    worlds = 0
    rounds = max(1, math.ceil(math.log2(len(moves))))
    left = list(range(len(moves)))  # places in `moves`; halved again and again, the made one stays
    ranked: list[int] = []
    for _ in range(rounds):
        each = max(2, times // rounds // len(left))
        scores = valuer.moves(change.at, seat, [moves[i] for i in left], each, f"{key} screen", worlds)
        found = measure.values(scores)[:, :, side].mean(axis=0)
        means[left] = (means[left] * worlds + found * each) / (worlds + each)
        worlds += each
        order = sorted(left, key=lambda i: -means[i])
        keep = order[: max(2, len(order) // 2)]
        ranked = [i for i in order if i not in keep] + ranked
        left = keep if 0 in keep else [*keep, 0]
    ranked = sorted(left, key=lambda i: -means[i]) + [i for i in ranked if i not in left]
    return Screened(change, policy, tuple(moves[i] for i in ranked))


def compare(valuer: Valuer, measure: Measure, one: Screened, times: int, key: str, first: int = 0) -> Any:
    """The values of the decisions compared in `times` fresh worlds: (worlds, decisions, sides).

    The worlds that ranked them are others: the value of the best is not that of a lucky pick.
    """
    assert one.change.seat is not None
    return measure.values(
        valuer.moves(one.change.at, one.change.seat, one.compared, times, f"{key} confirm", first)
    )  # fmt: skip


def spread(one: Screened, values: Any) -> float:
    """How much the difference to the policy's decision varies from world to world, where it varies most."""
    return float((values[:, 0] - values[:, one.compared.index(one.policy)]).std(axis=0).max())


def judge(measure: Measure, one: Screened, values: Any = None) -> Judged:
    """Compare the best of a moment's decisions with the made one, by their `values`; None where there is but one.

    Where the best does not prove better than what the policy decides, that is the best.
    """
    change, policy, best, compared = one.change, one.policy, one.ranked[0], one.compared
    assert change.seat is not None
    side = measure.side(change.seat)
    shift, error, loss = np.zeros(measure.sides), np.zeros(measure.sides), Interval(0.0, 0.0, 0.0)
    if values is not None:
        times = len(values)
        usual = values[:, compared.index(policy)]
        better = values[:, 0] - usual
        shift, error = better.mean(axis=0), better.std(axis=0) / max(times - 1, 1) ** 0.5
        found = values[:, compared.index(best), side]
        half = times // 2 if best != policy else 0  # these worlds say whether it is better than the policy's at all
        if half and found[:half].mean() <= usual[:half, side].mean():
            best, found = policy, usual[:, side]
        loss = interval(found[half:] - values[half:, 0, side])
    others = tuple(move for move in one.ranked[1:] if move != change.action)
    return Judged(change, policy, best, others, shift, error, loss)


def _shortlist(legal: list[int], made: int, policy: int) -> list[int]:
    """The decisions to compare: the made one first, the policy's, and others evenly from all."""
    others = [action for action in legal if action not in (made, policy)]
    room = MOST_MOVES - 2
    if len(others) > room:
        others = [others[i * len(others) // room] for i in range(room)]
    return list(dict.fromkeys([made, policy, *others]))


def total(parts: list[tuple[float, float]]) -> Interval:
    """The sum of estimates with their standard errors, which are independent."""
    return around(sum(mean for mean, _ in parts), sum(error * error for _, error in parts) ** 0.5)
