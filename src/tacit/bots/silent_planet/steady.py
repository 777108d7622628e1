"""`steady` plays Silent Planet as people do: rows rise, two cards are revealed, and the others' choices are read."""

from __future__ import annotations

from typing import Any

from tacit.bots.silent_planet.planning import after, next_row, offers
from tacit.bots.silent_planet.rows import SURE, candidates, hints_for, likely, share
from tacit.core.bits import length, lowest
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.silent_planet.model import A_POINT, A_READY, A_REVEAL, ARRANGE, KINDS, PLACES, State
from tacit.games.silent_planet.table import bag_of, number_of, open_row, places_of, pointer

NAME = "steady"
GAME = "silent-planet"
STYLE = "Lays its row in rising order, reveals at most two cards, reads much from what others reveal."
ASSUMES = "That the others lay their rows in rising order, machines at the right, and reveal the cards that help most."

NEAR = 40  # of 1024: by how much a place may be worse than the best if somebody already points there


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """A legal decision for what a seat knows."""
    if k.phase == ARRANGE:
        return arrange(k, seat)
    return point(k, seat)


@rule
def arrange(k: State, seat: int) -> int:
    """P03: the lowest card first; then what the convention reveals of the row, from left to right."""
    if k.hand[seat] != 0:
        kind = 0
        while number_of(k.hand[seat], kind) == 0:
            kind += 1
        return kind
    past = length(places_of(k.hints, seat))
    hints = (hints_for(k.row[seat]) >> past) << past
    return A_REVEAL + lowest(hints) if hints != 0 else A_READY


@rule
def step_offer(k: State, seat: int, q: int, row: int, depth: int, o: Any) -> int:
    return o[min(depth, 2)] + 0


@rule
def point(k: State, seat: int) -> int:
    """P07: the place whose card is worth most; one that others point at, if it is nearly as good."""
    q = k.turn + 0
    q1 = next_row(k, q)
    q2 = next_row(k, q1)
    q3 = next_row(k, q2)
    q4 = next_row(k, q3)
    o1 = offers(k, seat, q1)
    o2 = offers(k, seat, q2)
    o3 = offers(k, seat, q3)
    o4 = offers(k, seat, q4)
    n1 = 1 if q1 == q else 0
    n2 = (1 if q2 == q else 0) + (1 if q2 == q1 else 0)
    n3 = (1 if q3 == q else 0) + (1 if q3 == q1 else 0) + (1 if q3 == q2 else 0)
    n4 = (1 if q4 == q else 0) + (1 if q4 == q1 else 0) + (1 if q4 == q2 else 0) + (1 if q4 == q3 else 0)
    s1, s2, s3, s4 = o1[min(n1, 2)], o2[min(n2, 2)], o3[min(n3, 2)], o4[min(n4, 2)]
    worth = (
        after(k, 0, s1, s2, s3, s4, o1[0], o2[0], o3[0], o4[0]),
        after(k, 1, s1, s2, s3, s4, o1[0], o2[0], o3[0], o4[0]),
        after(k, 2, s1, s2, s3, s4, o1[0], o2[0], o3[0], o4[0]),
        after(k, 3, s1, s2, s3, s4, o1[0], o2[0], o3[0], o4[0]),
        after(k, 4, s1, s2, s3, s4, o1[0], o2[0], o3[0], o4[0]),
        after(k, 5, s1, s2, s3, s4, o1[0], o2[0], o3[0], o4[0]),
    )
    row = open_row(k, q)
    down = places_of(k.down, q)
    known = bag_of(row)
    found = candidates(row, places_of(k.hints, q), down, k.pool, known)
    best, most = -1, -1
    for place in range(PLACES):
        if (down >> place) & 1 == 1:
            word = likely(found, row, down, k.pool, known, place)
            value = 0
            for kind in range(KINDS):
                value += share(word, kind) * worth[kind]
            if value > most:
                best, most = place, value
    return A_POINT + followed(k, q, best)


@rule
def followed(k: State, q: int, mine: int) -> int:
    """P07: from the second round on, the place that most point at, the nearest to the left first among equals."""
    if k.round == 1:
        return mine
    best, votes = mine, 0
    for i in range(1, k.seats):
        at = pointer(k.pointers, (q + i) % k.seats)
        if at < 0:
            continue
        n = 0
        for j in range(1, k.seats):
            if pointer(k.pointers, (q + j) % k.seats) == at:
                n += 1
        if n > votes:
            best, votes = at, n
    return best
