"""How a Silencio position looks to one seat: what is lost already, and what the next turns are likely to cost.

Everything is counted in 1024ths of a card. Seats are counted clockwise from the one that looks: 1 is the next.
"""

from __future__ import annotations

from tacit.core.bits import count, length
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.silencio.model import *

ONE = 1024  # a card
FAR = 6 * ONE  # more than any turn is thought to cost
FREE, ONLY_GREEN, BLIND = range(3)  # what the next seat may play: anything, green, a card drawn blindly

# The weights, a line for each number of seats.
K_ME, K_1, K_2, K_3 = range(4)
D_RED, D_BLUE, D_YELLOW, D_GREEN = range(4, 8)
L_RED, L_BLUE, L_YELLOW, L_GREEN = range(8, 12)
L_GREEN_DEAD, DANGER, T_RED, T_BLUE, T_YELLOW, T_GREEN, T_LARGE, T_STAGE = range(12, 20)
TAKE, RENEW, SHOW, OTHERS, GIVE_RANK, RISK, LIVE, RESCUE = range(20, 28)
WEIGHTS = 28


@rule
def share(k: State, q: int, denied: int) -> int:
    """How likely a card of unknown place, not denied to seat q, is in its hidden hand."""
    unknown = k.hand_len[q] - count(k.hand[q])
    among = count(k.pool & ~denied)
    if unknown <= 0 or among == 0:
        return 0
    return min(ONE, ONE * unknown // among)


@rule
def power(x: int, n: int) -> int:
    """x, a share of ONE, to the n-th power."""
    out = ONE
    for _ in range(n):
        out = (out * x) >> 10
    return out


@rule
def forced(
    k: State, rows: int, certain: int, own: int, hidden: int, unknown: int, denied: int, mode: int, d1: int, d2: int,
    d3: int, f1: int, f2: int, f3: int,
) -> int:  # fmt: skip
    """What a turn is likely to cost a seat that can play `own` and has `unknown` more cards: the cards it passes over."""
    best = FAR
    near, middle, far, alive, total, known_total = 0, 0, 0, 0, 0, 0
    among = count(k.pool & ~denied)
    for colour in range(COLOURS):
        if mode != ONLY_GREEN or colour == GREEN:
            cost = 0
            first = colour * RANKS
            for x in range(first + length((rows >> first) & COLOUR), first + TOP[k.seats] - 1):
                bit = 1 << x
                if certain & bit != 0:
                    if own & bit != 0:
                        best = min(best, cost)
                    if hidden & bit != 0:
                        known_total += cost
                    cost += ONE
                elif k.pool & bit != 0:
                    if denied & bit == 0:
                        alive += 1
                        total += cost
                        if cost < 128:
                            near += 1
                        if cost < 600:
                            middle += 1
                        if cost < 1200:
                            far += 1
                    if d1 & bit == 0:
                        cost += f1
                    if d2 & bit == 0:
                        cost += f2
                    if d3 & bit == 0:
                        cost += f3
    if mode == BLIND:
        n = unknown + count(hidden)
        if n == 0:
            return 0 if best == FAR else best
        if among > 0:
            known_total += unknown * total // among
        return known_total // n
    if unknown > 0 and among > 0:
        dead = power(ONE * (among - alive) // among, unknown)
        guess = 256 * (power(ONE * (among - near) // among, unknown) - dead)
        guess += 384 * (power(ONE * (among - middle) // among, unknown) - dead)
        guess += 1024 * (power(ONE * (among - far) // among, unknown) - dead)
        return min(best, guess >> 10)
    return 0 if best == FAR else best


@rule
def buried(k: State, rows: int, certain: int, d1: int, d2: int, d3: int, f1: int, f2: int, f3: int) -> int:
    """The cards in all hands that are no longer higher than the last of their row."""
    under = 0
    for colour in range(COLOURS):
        n = length((rows >> (colour * RANKS)) & COLOUR)
        under |= ((1 << n) - 1) << (colour * RANKS)
    out = ONE * count(certain & under)
    unseen = k.pool & under
    out += f1 * count(unseen & ~d1) + f2 * count(unseen & ~d2) + f3 * count(unseen & ~d3)
    return out


@rule
def value(
    k: State, seat: int, w: Cells, rows: int, mine: int, face_up: int, gift: int, to: int, mode: int, d1: int, d2: int,
    d3: int, f1: int, f2: int, f3: int,
) -> int:  # fmt: skip
    """How good the position is in which the rows, the seat's cards and all face-up cards are these; 0 is the best.

    `gift` has just come to the seat `to` (counted clockwise); `mode` says what binds the next seat.
    """
    n = k.seats
    at = (n - 2) * WEIGHTS
    t1 = k.hand[(seat + 1) % n] & ~rows
    t2 = k.hand[(seat + 2) % n] & ~rows if n > 2 else 0
    t3 = k.hand[(seat + 3) % n] & ~rows if n > 3 else 0
    if to == 1:
        t1 |= gift
    elif to == 2:
        t2 |= gift
    elif to == 3:
        t3 |= gift
    certain = mine | face_up | t1 | t2 | t3
    out = -buried(k, rows, certain, d1, d2, d3, f1, f2, f3)
    out -= w[at + K_ME] * forced(k, rows, certain, mine | face_up, 0, 0, 0, FREE, d1, d2, d3, f1, f2, f3) >> 10
    u = k.hand_len[(seat + 1) % n] - count(k.hand[(seat + 1) % n])
    if u > 0 or t1 != 0:
        out -= w[at + K_1] * forced(k, rows, certain, t1 | face_up, t1, u, d1, mode, d1, d2, d3, f1, f2, f3) >> 10
    if n > 2:
        u = k.hand_len[(seat + 2) % n] - count(k.hand[(seat + 2) % n])
        if u > 0 or t2 != 0:
            out -= w[at + K_2] * forced(k, rows, certain, t2 | face_up, t2, u, d2, FREE, d1, d2, d3, f1, f2, f3) >> 10
    if n > 3:
        u = k.hand_len[(seat + 3) % n] - count(k.hand[(seat + 3) % n])
        if u > 0 or t3 != 0:
            out -= w[at + K_3] * forced(k, rows, certain, t3 | face_up, t3, u, d3, FREE, d1, d2, d3, f1, f2, f3) >> 10
    return out
