"""The expected number of turns to fill a set of free cells: tables for all 65,536 sets of a 4 by 4 grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.rulekit import constant_array, inlined
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, PLACES_OF

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


def lanes(numbers: Any) -> memoryview:
    """Four numbers below LANE a word, the first lowest: rows of four."""
    return constant_array(np.ascontiguousarray(numbers.T.astype("<u2")).view("<i8").ravel())


def best_cells(needed: Any) -> memoryview:
    """For each set the cell, the first among equals, after which the fewest turns are needed: sixteen sets a word."""
    sets = np.arange(SETS)
    cells = np.zeros(SETS, np.int64)
    least = np.full(SETS, np.iinfo(np.int64).max)
    for cell in range(16):
        without = np.where(sets >> cell & 1, needed[sets & ~(1 << cell)], least)
        cells[without < least] = cell
        least = np.minimum(least, without)
    return constant_array((cells.reshape(-1, 16) << 4 * np.arange(16)).sum(axis=1))


# Words of four lanes of 16 bits, each with a number below 0x4000, so that lanes can be compared side by side.
LANE, LANES, GUARDS = 0x3FFF, 0x0001000100010001, 0x4000400040004000
NEEDED, REMAINING = turns_needed()
# For each set: the turns needed, the fewest after any shape, those after the first two shapes; and after the others.
TURNS = lanes(np.stack([NEEDED, REMAINING.min(axis=0), *REMAINING[:2]]))
TURNS_AFTER = lanes(REMAINING[2:])
BEST_CELLS = best_cells(NEEDED)


@inlined
def turns_word(free: int) -> int:
    """The word of TURNS for these free cells. Only here: each place that reads a table has a copy of it on a GPU."""
    return TURNS[free & 0xFFFF]


@inlined
def after_word(free: int) -> int:
    """The word of TURNS_AFTER for these free cells."""
    return TURNS_AFTER[free & 0xFFFF]


@inlined
def turns_of(free: int) -> int:
    """The expected turns to fill these free cells, in thousandths."""
    return turns_word(free) & LANE


@inlined
def turns_after(shape: int, free: int) -> int:
    """The fewest turns that remain after this shape, a single cell or none is crossed off these free cells."""
    word = turns_word(free) >> 32 if shape < 2 else after_word(free)
    return (word >> (16 * (shape if shape < 2 else shape - 2))) & LANE


@inlined
def best_cell(free: int) -> int:
    """The free cell after which the fewest turns are needed, the first among equals; some cell if none is free."""
    return (BEST_CELLS[(free >> 4) & 0xFFF] >> (4 * (free & 15))) & 15


@inlined
def larger(x: int, y: int) -> int:
    """The larger number of each lane of two words."""
    at_least = ((x | GUARDS) - y) & GUARDS
    return y ^ ((x ^ y) & (at_least - (at_least >> 14)))
