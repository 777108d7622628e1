"""The value of turning up a card: the chance to complete the team, and a fitted model of the chance to win."""

from __future__ import annotations

import math

import numpy as np

from tacit.bots.silent_planet.row_convention import FIELD, ONES, PART, SURE, candidates, expected, likely, share
from tacit.core.rulekit import rule
from tacit.games.silent_planet.board import (
    bag_of,
    kind_at,
    number_of,
    open_row,
    places_of,
    pointer,
    size,
    stands,
)
from tacit.games.silent_planet.model import (
    ALIENS,
    KINDS,
    MACHINE,
    MAX_SEATS,
    PLACES,
    SEVERAL,
    TEAM,
    State,
)

Offers = tuple[int, int, int, int]  # of the next four rows: the probability of each kind, six fields a word
WORTH = 1 << 20  # of a match that is won
MACHINE_SHARE = 960  # of SURE: what a machine is worth in place of the alien one wants, unless this team is the last

# The chance to win when a team has ended: a logistic regression, fitted to 20,000 matches of an earlier `steady` for
# each number of seats (from four seats on, three and more missing teams share their weights). Columns: seats, missing
# teams; then, in 256ths, the intercept, a card to spare, a face-down card of each kind.
FITTED = (
    (2, 1, -934, 327, -72, -127, -66, 38, 134, 421),
    (2, 2, -923, 285, -5, -118, -53, 37, 119, 253),
    (3, 1, -1057, 269, -91, -77, -50, 25, 101, 361),
    (3, 2, -947, 241, -83, -67, -46, 42, 94, 251),
    (3, 3, -807, 232, -3, -88, -73, 21, 52, 162),
    (4, 1, -893, 207, -90, -70, -55, 23, 78, 321),
    (4, 2, -844, 202, -94, -67, -58, 40, 109, 225),
    (4, 3, -768, 197, -93, -66, -56, 48, 101, 200),
    (4, 4, -780, 197, -93, -66, -56, 48, 101, 200),
    (5, 1, -877, 176, -121, -68, -28, 47, 82, 265),
    (5, 2, -841, 162, -106, -61, -31, 37, 67, 209),
    (5, 3, -811, 164, -109, -52, -28, 47, 70, 174),
    (5, 4, -823, 164, -109, -52, -28, 47, 70, 174),
    (5, 5, -835, 164, -109, -52, -28, 47, 70, 174),
    (6, 1, -761, 146, -91, -36, -41, 46, 27, 241),
    (6, 2, -946, 156, -75, -42, -54, 43, 42, 185),
    (6, 3, -826, 153, -71, -59, -68, 36, 46, 179),
    (6, 4, -845, 153, -71, -59, -68, 36, 46, 179),
    (6, 5, -863, 153, -71, -59, -68, 36, 46, 179),
    (6, 6, -881, 153, -71, -59, -68, 36, 46, 179),
)
WEIGHTS = np.zeros((MAX_SEATS + 1, MAX_SEATS + 1, KINDS + 2), np.int64)
for _seats, _missing, *_weights in FITTED:
    WEIGHTS[_seats, _missing] = _weights
LOGISTIC = np.array([int(WORTH / (1 + math.exp(-i / 32))) for i in range(-256, 257)], np.int64)


@rule
def prospect(seats: int, missing: int, left: int, cards: int) -> int:
    """The chance to win, in shares of WORTH, for the number of teams missing and of cards that can be lost."""
    if missing == 0:
        return WORTH
    if left < 0:
        return 0
    x = PART * (int(WEIGHTS[seats, missing, 0]) + int(WEIGHTS[seats, missing, 1]) * left)
    for kind in range(KINDS):
        x += int(WEIGHTS[seats, missing, 2 + kind]) * share(cards, kind)
    x = x // (8 * PART)
    return int(LOGISTIC[min(max(x, -256), 256) + 256])


@rule
def less(cards: int, kind: int, n: int) -> int:
    """Expected cards minus n of a kind."""
    return put(cards, kind, max(share(cards, kind) - PART * n, 0))


@rule
def expected_in(k: State, seat: int, q: int) -> int:
    """The expected number of face-down cards of each kind in a row, for a seat that knows its own."""
    row = open_row(k, q)
    known = bag_of(row)
    if q != seat:
        down = places_of(k.down, q)
        found = candidates(row, places_of(k.hints, q), down, k.pool, known)
        return expected(found, row, down, k.pool, known)
    own = bag_of(k.row[q]) - known
    cards = 0
    for kind in range(KINDS):
        cards += (PART * number_of(own, kind)) << (FIELD * kind)
    return cards


@rule
def in_play(k: State, seat: int) -> int:
    """The expected number of face-down cards of each kind in all rows together."""
    cards = 0
    for q in range(k.seats):
        cards += expected_in(k, seat, q)
    return cards


# ------------------------------------------------------------------ what the next rows can give
@rule
def put(word: int, kind: int, value: int) -> int:
    """A word of six fields with one field replaced."""
    return (word & ~(ONES << (FIELD * kind))) | value << (FIELD * kind)


@rule
def offers(k: State, seat: int, q: int) -> tuple[int, int, int]:
    """For each kind, the probability that the best, second and third place of a row give it: three words of six fields.

    A machine counts for an alien, a little less. A seat's own row is read as the others read it; then its real cards
    count.
    """
    substitute = SURE if k.seats - k.teams == 1 else MACHINE_SHARE
    pool = k.pool
    row = open_row(k, q)
    down = places_of(k.down, q)
    if q == seat:
        pool += bag_of(k.row[q]) - bag_of(row)
    known = bag_of(row)
    found = candidates(row, places_of(k.hints, q), down, pool, known)
    a1, a2, a3 = 0, 0, 0  # as it is read
    b1, b2, b3 = 0, 0, 0  # as it is, as far as this seat knows
    for place in range(PLACES):
        if (down >> place) & 1 == 0:
            continue
        word = likely(found, row, down, pool, known, place)
        machine = share(word, MACHINE)
        for kind in range(KINDS):
            value = share(word, kind)
            if kind != MACHINE:
                value += machine * substitute // SURE
            truth = value
            if q == seat:
                mine = kind_at(k.row[q], place)
                truth = SURE if mine == kind else (substitute if mine == MACHINE else 0)
            if value > share(a1, kind):
                a3, b3 = put(a3, kind, share(a2, kind)), put(b3, kind, share(b2, kind))
                a2, b2 = put(a2, kind, share(a1, kind)), put(b2, kind, share(b1, kind))
                a1, b1 = put(a1, kind, value), put(b1, kind, truth)
            elif value > share(a2, kind):
                a3, b3 = put(a3, kind, share(a2, kind)), put(b3, kind, share(b2, kind))
                a2, b2 = put(a2, kind, value), put(b2, kind, truth)
            elif value > share(a3, kind):
                a3, b3 = put(a3, kind, value), put(b3, kind, truth)
    return b1, b2, b3


@rule
def next_row(k: State, q: int) -> int:
    """P06: whose turn comes after q's."""
    q = (q + 1) % k.seats
    for _ in range(MAX_SEATS):
        if places_of(k.down, q) == 0:
            q = (q + 1) % k.seats
    return q


# ------------------------------------------------------------------ completing a team
@rule
def same_kind(kind: int, rows: int, again: Offers) -> int:
    """The probability that the next rows all give one kind."""
    chance = SURE
    for row in range(rows):
        chance = chance * share(again[row], kind) // SURE
    return chance


@rule
def all_different(used: int, rows: int, best_offers: Offers) -> int:
    """The best chance that the next rows give unused kinds that are all different, or machines."""
    d1, d2, d3, d4 = best_offers
    best = 0
    for a in range(KINDS):
        if (used >> a) & 1 == 1:
            continue
        pa = share(d1, a)
        if pa <= best:
            continue
        if rows == 1:
            best = pa
            continue
        ua = used | (1 << a) & 31
        for b in range(KINDS):
            if (ua >> b) & 1 == 1:
                continue
            pb = pa * share(d2, b) // SURE
            if pb <= best:
                continue
            if rows == 2:
                best = pb
                continue
            ub = ua | (1 << b) & 31
            for c in range(KINDS):
                if (ub >> c) & 1 == 1:
                    continue
                pc = pb * share(d3, c) // SURE
                if pc <= best:
                    continue
                if rows == 3:
                    best = pc
                    continue
                uc = ub | (1 << c) & 31
                for d in range(KINDS):
                    if (uc >> d) & 1 == 0:
                        best = max(best, pc * share(d4, d) // SURE)
    return best


@rule
def kinds_in(team: int) -> int:
    """The aliens of a team, as a set."""
    kinds = 0
    for kind in range(ALIENS):
        if (team >> (4 * kind)) & 15 > 0:
            kinds |= 1 << kind
    return kinds


@rule
def after(
    seats: int, missing: int, left: int, team: int, cards: int, kind: int, again: Offers, best_offers: Offers
) -> int:
    """The chance to win, in shares of WORTH, once a card of this kind is turned up, by the best plan for the team.

    `missing` teams, `left` cards to spare and the `team` are those before it. `best_offers` are what the next four rows
    give at best; `again` what they give if the same kind is asked of them once more.
    """
    team = team + (1 << (4 * kind))
    cards = less(cards, kind, 1)
    n = size(team)
    if not stands(team):
        return prospect(seats, missing, left - n, cards)
    if n == TEAM:
        return prospect(seats, missing - 1, left, cards)
    rows = TEAM - n
    kinds = kinds_in(team)
    fails = prospect(seats, missing, left - max(n + 1, 3), cards)
    most = fails
    if team & SEVERAL == 0:
        chance = all_different(kinds, rows, best_offers)
        then = cards
        todo = rows
        for j in range(ALIENS):
            if (kinds >> j) & 1 == 0 and todo > 0:
                then = less(then, j, 1)
                todo -= 1
        most = max(most, fails + (prospect(seats, missing - 1, left, then) - fails) * chance // SURE)
    if kinds & (kinds - 1) == 0:
        for j in range(ALIENS):
            if kinds == 0 or (kinds >> j) & 1 == 1:
                chance = same_kind(j, rows, again)
                then = prospect(seats, missing - 1, left, less(cards, j, rows))
                most = max(most, fails + (then - fails) * chance // SURE)
    return most


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
