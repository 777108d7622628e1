"""The code of `coded`: every hand of nine cards has its own row and hints, so the hints determine every card.

One revealed card distinguishes 54 hands, two distinguish 1,296. The more likely a hand, the fewer and cheaper cards it
reveals; a few unlikely hands reveal three, hardly any four.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

from tacit.bots.silent_planet.row_convention import RISING, Array, deals, packed, shown
from tacit.core.rulekit import rule
from tacit.games.silent_planet.board import bag_of, nibbles, number_of
from tacit.games.silent_planet.model import KINDS, PLACES, ROW

COSTS = (10, 11, 14, 18, 24, 60)  # of revealing a card of each kind
UNKNOWN = 0  # the row does not follow the code


def code() -> list[tuple[int, int]]:
    """A row and its hints for every hand, the most likely hand first."""
    sets = [kinds for n in range(5) for kinds in combinations_with_replacement(range(KINDS), n)]
    sets.sort(key=lambda kinds: (sum(COSTS[kind] for kind in kinds), kinds))
    free = {
        kinds: [
            (places, order)
            for order in sorted(set(permutations(kinds)))
            for places in combinations(range(PLACES), len(kinds))
        ][::-1]
        for kinds in sets
    }
    hands = sorted(RISING, key=lambda hand: (-deals(hand), hand))
    made = []
    for hand in hands:
        kinds = next(s for s in sets if free[s] and all(s.count(kind) <= hand.count(kind) for kind in set(s)))
        places, order = free[kinds].pop()
        shows = dict(zip(places, order, strict=True))
        rest = list(hand)
        for kind in order:
            rest.remove(kind)
        row = packed(tuple(shows[place] if place in shows else rest.pop(0) for place in range(PLACES)))
        made.append((row, sum(1 << place for place in places)))
    return made


def tables() -> tuple[Array, Array, Array, Array]:
    """Rows, hints and what they show, in the order of what they show; and the bags in order, with their rows."""
    entries = sorted((shown(row, hints), row, hints) for row, hints in code())
    by_bag = sorted((bag_of(row), i) for i, (_, row, _) in enumerate(entries))
    return (
        np.array([e[0] for e in entries], np.int64),
        np.array([e[1] for e in entries], np.int64),
        np.array([e[2] for e in entries], np.int64),
        np.array(by_bag, np.int64),
    )


SHOWN, ROWS, HINTS, HANDS = tables()


@rule
def entry(hand: int) -> int:
    """The index of the row that the code assigns to a hand of nine."""
    low = 0
    high = len(HANDS)
    while low < high:
        middle = (low + high) // 2
        if HANDS[middle, 0] < hand:
            low = middle + 1
        else:
            high = middle
    return int(HANDS[min(low, len(HANDS) - 1), 1])


@rule
def coded_row(hand: int) -> int:
    """The row that the code assigns to a hand of nine."""
    return int(ROWS[entry(hand)])


@rule
def coded_hints(hand: int) -> int:
    """The places that the code reveals of a hand's row."""
    return int(HINTS[entry(hand)])


@rule
def decoded(row: int, hints: int, down: int, pool: int) -> int:
    """The whole row that shows these hints; UNKNOWN if what is visible does not follow the code."""
    key = row & nibbles(hints)
    low = 0
    high = len(SHOWN)
    while low < high:
        middle = (low + high) // 2
        if SHOWN[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low == len(SHOWN) or SHOWN[low] != key or HINTS[low] != hints:
        return UNKNOWN
    whole = int(ROWS[low])
    if whole & nibbles(ROW & ~down) != row:
        return UNKNOWN
    missing = bag_of(whole) - bag_of(row)
    for kind in range(KINDS):
        if number_of(missing, kind) > number_of(pool, kind):
            return UNKNOWN
    return whole
