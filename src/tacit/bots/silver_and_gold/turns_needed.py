"""The expected number of turns to fill a set of free cells: tables for all 65,536 sets of a 4 by 4 grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.rulekit import constant_array, rule
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, PLACES_OF, SHAPES

TURN = 1000  # turns are counted in thousandths
SETS = 1 << 16
ELSEWHERE = 0.3  # cost, in turns, of using a shape on the other card


def turns_needed(elsewhere: float = ELSEWHERE) -> tuple[Any, Any]:
    """The expected turns until a card is full, if each shape is used on it only where that is better; and for each
    shape, the fewest that remain after it, or a single cell, or nothing is crossed off.

    The probability of an expedition is its share of the cards. A shape that fits badly goes to the other card, at the
    cost `elsewhere`; any other is crossed off where the fewest turns remain, or a single cell is.
    """
    sets = np.arange(SETS)
    sizes = np.array([n.bit_count() for n in range(SETS)])
    needed, remaining = np.zeros(SETS), np.zeros((len(PLACES_OF), SETS))
    chances = [n / sum(EXPEDITIONS) for n in EXPEDITIONS]
    singles = [1 << cell for cell in range(16)]
    for size in range(1, 17):
        layer = sets[sizes == size]

        def least(places: Any, layer: Any = layer) -> Any:
            """For each set, the expected turns after the best of these placements; infinite if none fits."""
            best = np.full(len(layer), np.inf)
            for place in places:
                fits = np.flatnonzero(layer & place == place)
                best[fits] = np.minimum(best[fits], needed[layer[fits] & ~place])
            return best

        single = least(singles)
        crossed = [np.minimum(single, least(places)) for places in PLACES_OF]
        after = [1 + turns for turns in crossed]
        now = sum(p * a for p, a in zip(chances, after, strict=True))
        for _ in PLACES_OF:  # which shapes are better used elsewhere: each pass decides at least one
            here = [a <= now + elsewhere for a in after]
            used = sum(p * h for p, h in zip(chances, here, strict=True))
            spent = sum(p * np.where(h, a, elsewhere) for p, a, h in zip(chances, after, here, strict=True))
            now = spent / used
        needed[layer] = now
        remaining[:, layer] = np.minimum(crossed, now)
    return np.rint(TURN * needed).astype(np.int64), np.rint(TURN * remaining).astype(np.int64)


def packed(numbers: Any) -> memoryview:
    """Four numbers below 65,536 a word, so that compiled bots carry a small table."""
    return constant_array(np.ascontiguousarray(numbers.astype("<u2")).ravel().view("<i8"))


NEEDED, REMAINING = turns_needed()
TURNS_NEEDED, TURNS_AFTER = packed(NEEDED), packed(REMAINING.T)  # what remains after all shapes side by side


@rule
def turns_of(free: int) -> int:
    """The expected turns to fill these free cells, in thousandths."""
    return (TURNS_NEEDED[free >> 2] >> (16 * (free & 3))) & 0xFFFF


@rule
def turns_after(shape: int, free: int) -> int:
    """The fewest turns that remain after this shape, a single cell or none is crossed off these free cells."""
    at = SHAPES * free + shape
    return (TURNS_AFTER[at >> 2] >> (16 * (at & 3))) & 0xFFFF
