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

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.silent_planet.board import kind_at
from tacit.games.silent_planet.model import BAG, KINDS, PLACES, ROW

Array = np.ndarray[Any, np.dtype[np.int64]]
DECK = tuple((BAG >> 4 * kind) & 15 for kind in range(KINDS))
SURE = 1000  # a probability of 1; integers give the same results on every machine
PART = 16  # expected numbers of cards are in 16ths
FIELD = 10  # bits of one field; a word has six fields, one for each kind
ONES = (1 << FIELD) - 1
NOTHING = -1  # no candidates: the row does not rise


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


def tables(rows: list[tuple[int, ...]], hints: list[int]) -> tuple[Array, Array, Array, Array, Array]:
    """Rows, their bags and hints, sorted by what they show; then the distinct things shown, and where each begins.

    The most likely rows are appended once more at the end.
    """
    order = sorted((shown(packed(row), h), packed(row), bag(row), h) for row, h in zip(rows, hints, strict=True))
    keys = sorted({key for key, *_ in order})
    first = {key: i for i, (key, *_) in reversed(list(enumerate(order)))}
    columns = [np.array([entry[i] for entry in order], np.int64) for i in (1, 2, 3)]
    begins = np.array([first[key] for key in keys] + [len(order)], np.int64)
    often = sorted(rows, key=lambda row: (-deals(row), row))[:OFTEN]
    columns[0] = np.append(columns[0], [packed(row) for row in often])
    columns[1] = np.append(columns[1], [bag(row) for row in often])
    return columns[0], columns[1], columns[2], np.array(keys, np.int64), begins


MOST = 2  # cards revealed
PRICE, MACHINE_PRICE = 0.8, 1.0  # of a card revealed, in cards that a reader is wrong about; a machine costs both
OFTEN = 300  # rows, of all that rise, that are looked at when a row breaks the convention: three quarters of deals
RISING = rising_rows()
ROWS, BAGS, HINTS, SHOWN, BEGINS = tables(RISING, convention(RISING))
CHOOSE = np.array([[math.comb(n, m) for m in range(16)] for n in range(16)], np.int64)


# ------------------------------------------------------------------ laying a row
@rule
def hints_for(row: int) -> int:
    """The places that the convention reveals of a row; none if the row does not rise."""
    for i in range(len(HINTS)):
        if ROWS[i] == row:
            return int(HINTS[i])
    return 0


# ------------------------------------------------------------------ reading a row
@rule
def nibbles(places: int) -> int:
    """The bit mask of a set of places in a row."""
    bits = 0
    for place in range(PLACES):
        if (places >> place) & 1 == 1:
            bits |= 15 << (4 * place)
    return bits


@rule
def ways(i: int, pool: int, known: int) -> int:
    """The number of ways in which cards of the pool complete row number i, given the bag of its known cards."""
    missing = int(BAGS[i]) - known
    n = 1
    for kind in range(KINDS):
        n *= int(CHOOSE[(pool >> (4 * kind)) & 15, (missing >> (4 * kind)) & 15])
    return n


@rule
def possible(begin: int, end: int, row: int, bits: int, pool: int, known: int) -> int:
    """The sum of `ways` over the rows of a range that agree with the open cards of a row."""
    total = 0
    for i in range(begin, end):
        if ROWS[i] & bits == row:
            total += ways(i, pool, known)
    return total


@rule
def rises(row: int) -> bool:
    """Do the open cards of a row rise from left to right?"""
    last = 0
    for place in range(PLACES):
        kind = kind_at(row, place)
        if kind >= 0:
            if kind < last:
                return False
            last = kind
    return True


@rule
def candidates(row: int, hints: int, down: int, pool: int, known: int) -> int:
    """The range of rows that a row can be, as 4096 * begin + end: those that would show these hints; if the open cards
    contradict them, the most likely rising rows, or all of them; if they contradict these too, NOTHING."""
    if not rises(row):
        return NOTHING
    bits = nibbles(ROW & ~down)
    key = row & nibbles(hints)
    low = 0
    high = len(SHOWN)
    while low < high:
        middle = (low + high) // 2
        if SHOWN[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < len(SHOWN) and SHOWN[low] == key and HINTS[BEGINS[low]] == hints:
        begin = int(BEGINS[low])
        end = int(BEGINS[low + 1])
        if possible(begin, end, row, bits, pool, known) > 0:
            return 4096 * begin + end
    if possible(len(HINTS), len(ROWS), row, bits, pool, known) > 0:
        return 4096 * len(HINTS) + len(ROWS)
    if possible(0, len(HINTS), row, bits, pool, known) > 0:
        return len(HINTS)
    return NOTHING


@rule
def likely(found: int, row: int, down: int, pool: int, known: int, place: int) -> int:
    """The probability of each kind in a face-down place: six fields, in shares of SURE."""
    w0, w1, w2, w3, w4, w5 = 0, 0, 0, 0, 0, 0
    if found == NOTHING:
        w0, w1, w2 = pool & 15, (pool >> 4) & 15, (pool >> 8) & 15
        w3, w4, w5 = (pool >> 12) & 15, (pool >> 16) & 15, (pool >> 20) & 15
    else:
        bits = nibbles(ROW & ~down)
        for i in range(found >> 12, found & 4095):
            if ROWS[i] & bits == row:
                n = ways(i, pool, known)
                kind = kind_at(int(ROWS[i]), place)
                if kind == 0:
                    w0 += n
                elif kind == 1:
                    w1 += n
                elif kind == 2:
                    w2 += n
                elif kind == 3:
                    w3 += n
                elif kind == 4:
                    w4 += n
                else:
                    w5 += n
    total = w0 + w1 + w2 + w3 + w4 + w5
    if total == 0:
        return 0
    word = (w5 * SURE // total) << (5 * FIELD) | (w4 * SURE // total) << (4 * FIELD)
    word |= (w3 * SURE // total) << (3 * FIELD) | (w2 * SURE // total) << (2 * FIELD)
    return word | (w1 * SURE // total) << FIELD | (w0 * SURE // total)


@rule
def expected(found: int, row: int, down: int, pool: int, known: int) -> int:
    """The expected number of face-down cards of each kind in a row: six fields, in shares of PART."""
    n = count(down)
    w0, w1, w2, w3, w4, w5 = 0, 0, 0, 0, 0, 0
    total = 0
    if found == NOTHING:
        w0, w1, w2 = n * (pool & 15), n * ((pool >> 4) & 15), n * ((pool >> 8) & 15)
        w3, w4, w5 = n * ((pool >> 12) & 15), n * ((pool >> 16) & 15), n * ((pool >> 20) & 15)
        total = (w0 + w1 + w2 + w3 + w4 + w5) // max(n, 1)
    else:
        bits = nibbles(ROW & ~down)
        for i in range(found >> 12, found & 4095):
            if ROWS[i] & bits == row:
                m = ways(i, pool, known)
                missing = int(BAGS[i]) - known
                total += m
                w0 += m * (missing & 15)
                w1 += m * ((missing >> 4) & 15)
                w2 += m * ((missing >> 8) & 15)
                w3 += m * ((missing >> 12) & 15)
                w4 += m * ((missing >> 16) & 15)
                w5 += m * ((missing >> 20) & 15)
    if total == 0:
        return 0
    word = (w5 * PART // total) << (5 * FIELD) | (w4 * PART // total) << (4 * FIELD)
    word |= (w3 * PART // total) << (3 * FIELD) | (w2 * PART // total) << (2 * FIELD)
    return word | (w1 * PART // total) << FIELD | (w0 * PART // total)


@rule
def share(word: int, kind: int) -> int:
    """One field of a word of six."""
    return (word >> (FIELD * kind)) & ONES
