"""The convention for rows in Silent Planet, and the inference from a row that follows it.

A row rises from left to right, machines at the right. So its cards determine the row, and there are only 1,855 rows.
For each of them the convention says which cards are revealed. A reader keeps the rows for which the convention reveals
exactly what is seen and weighs each by the number of ways in which unseen cards form it: that gives the probability of
each kind in each place.
"""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np

from tacit.core.bits import count, length, local_cells, lowest
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import kind_at, nibbles, size
from tacit.games.silent_planet.model import BAG, KINDS, PLACES, ROW

Array = np.ndarray[Any, np.dtype[np.int64]]
DECK = tuple((BAG >> 4 * kind) & 15 for kind in range(KINDS))
SURE = 1000  # a probability of 1; integers give the same results on every machine
PART = 16  # expected numbers of cards are in 16ths
FIELD = 10  # bits of one field; a word has six fields, one for each kind
ONES = (1 << FIELD) - 1
Six = tuple[int, int, int, int, int, int]  # a number for each kind
NOTHING, MOST_LIKELY, ALL_RISING = -1, -2, -3  # candidates: none; the OFTEN most likely rows; all rows that rise


def rising_rows() -> list[tuple[int, ...]]:
    """Every row the deck can give, as the kinds of its nine cards from left to right."""
    counts = product(*(range(min(n, PLACES) + 1) for n in DECK[:-1]))
    bags = [(*c, PLACES - sum(c)) for c in counts if PLACES - DECK[-1] <= sum(c) <= PLACES]
    return [tuple(kind for kind, n in enumerate(bag) for _ in range(n)) for bag in bags]


def packed(kinds: tuple[int, ...]) -> int:
    """A row as the game keeps it: four bits a place."""
    return sum((kind + 1) << 4 * place for place, kind in enumerate(kinds))


def bag(kinds: tuple[int, ...]) -> int:
    return sum(1 << 4 * kind for kind in kinds)


def deals(kinds: tuple[int, ...]) -> int:
    """The number of ways in which the deck gives a row."""
    return math.prod(math.comb(n, kinds.count(kind)) for kind, n in enumerate(DECK))


def convention(rows: list[tuple[int, ...]]) -> list[int]:
    """For each row the places to reveal: those with the lowest cost for a reader who knows only that the row rises.

    The cost is the expected number of face-down cards that such a reader guesses wrong (by probability matching), plus
    a price for each revealed card; a machine has a higher one.
    """
    kinds = np.array(rows)
    ways = np.array([deals(row) for row in rows], float)
    best = np.full(len(rows), math.inf)
    chosen = np.zeros(len(rows), int)
    for places in (p for n in range(MOST + 1) for p in combinations(range(PLACES), n)):
        shown = kinds[:, places] @ (KINDS ** np.arange(len(places)))
        doubt = PRICE * len(places) + MACHINE_PRICE * (kinds[:, places] == KINDS - 1).sum(1)
        total = np.bincount(shown, ways)[shown]
        for place in set(range(PLACES)) - set(places):
            cell = shown * KINDS + kinds[:, place]
            doubt = doubt + 1 - np.bincount(cell, ways)[cell] / total
        better = doubt < best - 1e-9
        best[better] = doubt[better]
        chosen[better] = sum(1 << p for p in places)
    return chosen.tolist()


def shown(row: int, places: int) -> int:
    """The part of a row that is visible when these places are revealed."""
    return sum(row & 15 << 4 * p for p in range(PLACES) if places >> p & 1)


def shown_at(row: int, hints: int) -> int:
    """Where `SHOWN` has the rows that show what this row shows in these places: two at most."""
    first, last = (hints & -hints).bit_length() - 1, hints.bit_length() - 1
    return KINDS * (KINDS * hints + kind_at(row, first)) + kind_at(row, last) if hints else 0


def tables(rows: list[tuple[int, ...]], hints: list[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Rows, their bags and hints, sorted by what they show; the most likely rows are appended once more at the end.

    And the ranges of rows that show the same, 64 * begin + their number, each where `shown_at` says.
    """
    order = sorted((shown(packed(row), h), packed(row), bag(row), h) for row, h in zip(rows, hints, strict=True))
    often = sorted(rows, key=lambda row: (-deals(row), row))[:OFTEN]
    ranges = [0] * (KINDS * KINDS << PLACES)
    for i, (_, row, _, h) in enumerate(order):
        at = shown_at(row, h)
        ranges[at] = (ranges[at] or 64 * i) + 1
    return (
        [row for _, row, _, _ in order] + [packed(row) for row in often],
        [cards for _, _, cards, _ in order] + [bag(row) for row in often],
        [h for _, _, _, h in order],
        ranges,
    )


MOST = 2  # cards revealed
PRICE, MACHINE_PRICE = 0.8, 1.0  # of a card revealed, in cards that a reader is wrong about; a machine costs both
OFTEN = 300  # rows, of all that rise, that are looked at when a row breaks the convention: three quarters of deals
RISING = rising_rows()
ROWS, BAGS, HINTS, SHOWN = map(constant_array, tables(RISING, convention(RISING)))
BLOCK = 63  # rows in a set
BLOCK_BEGINS = constant_array([*range(0, len(HINTS), BLOCK), *range(len(HINTS), len(ROWS), BLOCK)])
ALL_BLOCKS = -(-len(HINTS) // BLOCK)  # the blocks of all rows come first, then those of the most likely ones
BLOCKS = [ROWS.tolist()[i : min(i + BLOCK, len(HINTS) if i < len(HINTS) else len(ROWS))] for i in BLOCK_BEGINS]
BLOCK_ROWS = constant_array((1 << len(block)) - 1 for block in BLOCKS)
IN_PLACE = constant_array(
    sum(1 << i for i, row in enumerate(block) if kind_at(row, place) == kind)
    for block in BLOCKS
    for place in range(PLACES)
    for kind in range(KINDS)
)  # of each block, the set of the rows that have a kind in a place
CHOOSE = constant_array(math.comb(n, m) for n in range(16) for m in range(16))
IN_ORDER = sorted(zip(ROWS.tolist(), HINTS.tolist(), strict=False))
ROWS_IN_ORDER = constant_array(row for row, _ in IN_ORDER)
HINTS_IN_ORDER = constant_array(hints for _, hints in IN_ORDER)


# ------------------------------------------------------------------ laying a row
@rule
def hints_for(row: int) -> int:
    """The places that the convention reveals of a row; none if the row does not rise."""
    low, high = 0, len(ROWS_IN_ORDER)
    while low < high:
        middle = (low + high) // 2
        if ROWS_IN_ORDER[middle] < row:
            low = middle + 1
        else:
            high = middle
    return HINTS_IN_ORDER[low] if low < len(ROWS_IN_ORDER) and ROWS_IN_ORDER[low] == row else 0


# ------------------------------------------------------------------ reading a row
@rule
def ways(i: int, pool: int, known: int) -> int:
    """The number of ways in which cards of the pool complete row number i, given the bag of its known cards."""
    missing = BAGS[i] - known
    n = CHOOSE[(pool & 15) << 4 | missing & 15]
    n *= CHOOSE[pool & 240 | (missing >> 4) & 15]
    n *= CHOOSE[(pool >> 4) & 240 | (missing >> 8) & 15]
    n *= CHOOSE[(pool >> 8) & 240 | (missing >> 12) & 15]
    n *= CHOOSE[(pool >> 12) & 240 | (missing >> 16) & 15]
    return n * CHOOSE[(pool >> 16) & 240 | (missing >> 20) & 15]


@rule
def rises(row: int) -> bool:
    """Do the open cards of a row rise from left to right?"""
    last, falls = 0, 0
    for place in range(PLACES):
        card = (row >> (4 * place)) & 15
        falls |= 1 if 0 < card < last else 0
        last = max(last, card)
    return falls == 0


@rule
def blocks_of(found: int) -> tuple[int, int]:
    """The blocks in which the candidates are: the first, and the one after the last; one for rows of the convention."""
    if found == ALL_RISING:
        return 0, ALL_BLOCKS
    return (ALL_BLOCKS, len(BLOCK_ROWS)) if found == MOST_LIKELY else (0, 1)


@rule
def first_row(found: int, block: int) -> int:
    """The number of a block's first row."""
    return found & 4095 if found >= 0 else BLOCK_BEGINS[block]


@rule
def agreeing(found: int, block: int, row: int, down: int) -> int:
    """The candidates of a block, as a set: those that agree with the open cards of a row."""
    if found >= 0:
        return found >> 12
    rows = BLOCK_ROWS[block]
    places = ROW & ~down
    while places != 0:
        place = lowest(places)
        places &= places - 1
        rows &= IN_PLACE[(block * PLACES + place) * KINDS + kind_at(row, place)]
    return rows


@rule
def possible(found: int, row: int, down: int, pool: int, known: int) -> bool:
    """Can cards of the pool complete one of the candidates?"""
    begin, end = blocks_of(found)
    for block in range(begin, end):
        rows = agreeing(found, block, row, down)
        first = first_row(found, block)
        while rows != 0:
            if ways(first + lowest(rows), pool, known) > 0:
                return True
            rows &= rows - 1
    return False


@rule
def conventional(row: int, hints: int, down: int) -> int:
    """The rows that would show these hints and agree with the open cards: their set * 4096 + where it begins."""
    at = 0
    if hints != 0:
        at = KINDS * (KINDS * hints + kind_at(row, lowest(hints))) + kind_at(row, length(hints) - 1)
    begin, n = SHOWN[at] >> 6, SHOWN[at] & 63
    bits = nibbles(ROW & ~down)
    rows = 0
    for i in range(n):
        rows |= (1 if ROWS[begin + i] & bits == row else 0) << i
    return rows << 12 | begin


@rule
def candidates(row: int, hints: int, down: int, pool: int, known: int) -> int:
    """The rows that a row can be: those of the convention that would show these hints (`conventional`); if the open
    cards contradict them, MOST_LIKELY or ALL_RISING rows; if they contradict these too, NOTHING."""
    if not rises(row):
        return NOTHING
    found = conventional(row, hints, down)
    if possible(found, row, down, pool, known):
        return found
    if possible(MOST_LIKELY, row, down, pool, known):
        return MOST_LIKELY
    return ALL_RISING if possible(ALL_RISING, row, down, pool, known) else NOTHING


@rule
def weigh(found: int, row: int, down: int, pool: int, known: int, sums: Cells) -> None:
    """Add the ways of each candidate to the sums of its kinds in the face-down places: sums[KINDS * place + kind]."""
    begin, end = blocks_of(found)
    for block in range(begin, end):
        rows = agreeing(found, block, row, down)
        first = first_row(found, block)
        while rows != 0:
            i = first + lowest(rows)
            rows &= rows - 1
            n = ways(i, pool, known)
            cards = ROWS[i]
            places = down
            while places != 0:
                place = lowest(places)
                places &= places - 1
                sums[KINDS * place + kind_at(cards, place)] += n


@rule
def part(weight: int, total: int, whole: int) -> int:
    """A weight as a share of `whole`."""
    if weight == 0:
        return 0
    return whole if weight == total else weight * whole // total


@rule
def in_shares(w: Six, total: int, whole: int) -> int:
    """Six weights as shares of `whole`, in the fields of a word."""
    w0, w1, w2, w3, w4, w5 = w
    word = part(w5, total, whole) << (5 * FIELD) | part(w4, total, whole) << (4 * FIELD)
    word |= part(w3, total, whole) << (3 * FIELD) | part(w2, total, whole) << (2 * FIELD)
    return word | part(w1, total, whole) << FIELD | part(w0, total, whole)


@rule
def unseen(pool: int) -> int:
    """The probability of each kind among the unseen cards: six fields, in shares of SURE."""
    return in_shares(counts(pool), size(pool), SURE)


@rule
def counts(bag: int) -> Six:
    """How many cards of each kind a bag holds."""
    return (bag & 15, (bag >> 4) & 15, (bag >> 8) & 15, (bag >> 12) & 15, (bag >> 16) & 15, (bag >> 20) & 15)


@rule
def likely_at(sums: Cells, place: int) -> int:
    """The probability of each kind in a face-down place, by the sums of `weigh`: six fields, in shares of SURE."""
    at = KINDS * place
    w = (sums[at], sums[at + 1], sums[at + 2], sums[at + 3], sums[at + 4], sums[at + 5])
    return in_shares(w, w[0] + w[1] + w[2] + w[3] + w[4] + w[5], SURE)


@rule
def likely(found: int, row: int, down: int, pool: int, known: int, place: int) -> int:
    """The probability of each kind in a face-down place: six fields, in shares of SURE."""
    if found == NOTHING:
        return unseen(pool)
    sums = local_cells()
    weigh(found, row, down, pool, known, sums)
    return likely_at(sums, place)


@rule
def expected_by(sums: Cells, down: int) -> int:
    """The expected number of face-down cards of each kind, by the sums of `weigh`: six fields, in shares of PART."""
    w0, w1, w2, w3, w4, w5 = 0, 0, 0, 0, 0, 0
    places = down
    while places != 0:
        at = KINDS * lowest(places)
        places &= places - 1
        w0 += sums[at]
        w1 += sums[at + 1]
        w2 += sums[at + 2]
        w3 += sums[at + 3]
        w4 += sums[at + 4]
        w5 += sums[at + 5]
    total = (w0 + w1 + w2 + w3 + w4 + w5) // max(count(down), 1)
    return in_shares((w0, w1, w2, w3, w4, w5), total, PART)


@rule
def expected_unseen(pool: int, n: int) -> int:
    """The expected number of cards of each kind among n unseen ones: six fields, in shares of PART."""
    return in_shares(counts(pool), size(pool), PART * n)


@rule
def share(word: int, kind: int) -> int:
    """One field of a word of six."""
    return (word >> (FIELD * kind)) & ONES
