"""Search with open cards: when every row is known, find a sequence of turned-up cards that wins."""

from __future__ import annotations

from tacit.bots.silent_planet.evaluation import MACHINE_SHARE, after, put
from tacit.bots.silent_planet.row_convention import FIELD, PART, SURE
from tacit.core.rulekit import rule
from tacit.games.silent_planet.board import number_of, size, stands
from tacit.games.silent_planet.model import KINDS, MACHINE, TEAM

RANKS = 5  # kinds tried at one step of a line
TRIES = 300  # the most lines with two departures from the greedy choice that are tried
WON = 1 << 20
CARDS = 0xFFFFFF  # the bits of a bag; two rows' bags share a number


@rule
def sure_offers(missing: int, bag: int) -> tuple[int, int, int]:
    """`offers` of a row whose face-down cards are known."""
    substitute = SURE if missing == 1 else MACHINE_SHARE
    o1, o2, o3 = 0, 0, 0
    machines = number_of(bag, MACHINE)
    for kind in range(KINDS):
        n = number_of(bag, kind)
        m = 0 if kind == MACHINE else machines
        o1 = put(o1, kind, SURE if n > 0 else (substitute if n + m > 0 else 0))
        o2 = put(o2, kind, SURE if n > 1 else (substitute if n + m > 1 else 0))
        o3 = put(o3, kind, SURE if n > 2 else (substitute if n + m > 2 else 0))
    return o1, o2, o3


@rule
def bag_in(q: int, b0: int, b1: int, b2: int) -> int:
    """The bag of a row's face-down cards."""
    if q < 2:
        return (b0 >> (24 * q)) & CARDS
    if q < 4:
        return (b1 >> (24 * (q - 2))) & CARDS
    return (b2 >> (24 * (q - 4))) & CARDS


@rule
def next_bag(q: int, seats: int, b0: int, b1: int, b2: int) -> int:
    """P06: whose turn comes after q's."""
    q = (q + 1) % seats
    for _ in range(seats):
        if bag_in(q, b0, b1, b2) == 0:
            q = (q + 1) % seats
    return q


@rule
def ranked(seats: int, q: int, team: int, missing: int, left: int, b0: int, b1: int, b2: int, rank: int) -> int:
    """The kind with the rank-th highest value to turn up in row q (0: the greedy choice); -1 if there is none."""
    s1, s2, s3, s4, d1, d2, d3, d4 = 0, 0, 0, 0, 0, 0, 0, 0
    r = q
    turns = 1 << (4 * q)  # four bits a row: how often it has had its turn
    for i in range(TEAM - 1):
        r = next_bag(r, seats, b0, b1, b2)
        o = sure_offers(missing, bag_in(r, b0, b1, b2))
        again = o[min((turns >> (4 * r)) & 15, 2)]
        turns += 1 << (4 * r)
        if i == 0:
            s1, d1 = again, o[0]
        elif i == 1:
            s2, d2 = again, o[0]
        elif i == 2:
            s3, d3 = again, o[0]
        else:
            s4, d4 = again, o[0]
    bags = (b0 & CARDS) + (b0 >> 24) + (b1 & CARDS) + (b1 >> 24) + (b2 & CARDS) + (b2 >> 24)
    cards = 0
    for kind in range(KINDS):
        cards += (PART * number_of(bags, kind)) << (FIELD * kind)
    here = bag_in(q, b0, b1, b2)
    repeated, best_offers = (s1, s2, s3, s4), (d1, d2, d3, d4)
    taken = 0
    best = -1
    for _ in range(rank + 1):
        best, most = -1, -1
        for kind in range(KINDS):
            if number_of(here, kind) > 0 and (taken >> kind) & 1 == 0:
                value = after(seats, missing, left, team, cards, kind, repeated, best_offers)
                if value > most:
                    best, most = kind, value
        if best < 0:
            return -1
        taken |= 1 << best
    return best


@rule
def turned(
    seats: int, q: int, team: int, missing: int, left: int, b0: int, b1: int, b2: int, kind: int
) -> tuple[int, int, int, int, int, int, int]:  # fmt: skip
    """P08–P10: row, team, missing teams, spare cards and bags after a card of row q was turned up."""
    if q < 2:
        b0 -= 1 << (24 * q + 4 * kind)
    elif q < 4:
        b1 -= 1 << (24 * (q - 2) + 4 * kind)
    else:
        b2 -= 1 << (24 * (q - 4) + 4 * kind)
    team += 1 << (4 * kind)
    if not stands(team):
        left -= size(team)
        team = 0
    elif size(team) == TEAM:
        missing -= 1
        team = 0
    return next_bag(q, seats, b0, b1, b2), team, missing, left, b0, b1, b2


@rule
def wins(seats: int, q: int, team: int, missing: int, left: int, b0: int, b1: int, b2: int) -> bool:
    """Does the greedy line win?"""
    while missing > 0 and left >= 0:
        kind = ranked(seats, q, team, missing, left, b0, b1, b2, 0)
        q, team, missing, left, b0, b1, b2 = turned(seats, q, team, missing, left, b0, b1, b2, kind)
    return missing == 0


@rule
def wins_departing(
    seats: int, q: int, team: int, missing: int, left: int, b0: int, b1: int, b2: int, tries: int
) -> int:
    """Does a line win that departs from the greedy choice once? Returns the tries left, plus WON if one does."""
    while missing > 0 and left >= 0 and tries > 0:
        for rank in range(1, RANKS):
            kind = ranked(seats, q, team, missing, left, b0, b1, b2, rank)
            if kind >= 0:
                tries -= 1
                r, t, m, n, c0, c1, c2 = turned(seats, q, team, missing, left, b0, b1, b2, kind)
                if wins(seats, r, t, m, n, c0, c1, c2):
                    return max(tries, 0) + WON
        kind = ranked(seats, q, team, missing, left, b0, b1, b2, 0)
        q, team, missing, left, b0, b1, b2 = turned(seats, q, team, missing, left, b0, b1, b2, kind)
    return max(tries, 0)


@rule
def best_line(seats: int, q: int, team: int, missing: int, left: int, b0: int, b1: int, b2: int) -> int:
    """The kind to turn up first: of a winning line with no, one or two departures from the greedy choice; if none is
    found within TRIES, the greedy choice."""
    first = ranked(seats, q, team, missing, left, b0, b1, b2, 0)
    if wins(seats, q, team, missing, left, b0, b1, b2):
        return first
    for twice in range(2):
        tries = TRIES
        at, r, t, m, n, c0, c1, c2 = 0, q, team, missing, left, b0, b1, b2
        while m > 0 and n >= 0 and tries > 0:
            for rank in range(1, RANKS):
                kind = ranked(seats, r, t, m, n, c0, c1, c2, rank)
                if kind >= 0:
                    r1, t1, m1, n1, e0, e1, e2 = turned(seats, r, t, m, n, c0, c1, c2, kind)
                    if twice == 0:
                        won = wins(seats, r1, t1, m1, n1, e0, e1, e2)
                    else:
                        tries = wins_departing(seats, r1, t1, m1, n1, e0, e1, e2, tries)
                        won = tries >= WON
                    if won:
                        return kind if at == 0 else first
            kind = ranked(seats, r, t, m, n, c0, c1, c2, 0)
            r, t, m, n, c0, c1, c2 = turned(seats, r, t, m, n, c0, c1, c2, kind)
            at += 1
    return first
