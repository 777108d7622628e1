"""How a Silencio position looks to one seat: what is lost already, and what the next turns are likely to cost.

Everything is counted in 1024ths of a card. Seats are counted clockwise from the one that looks: 1 is the next.
"""

from __future__ import annotations

from tacit.bots.silencio.weights import K_1, K_ME, WEIGHTS, Weights
from tacit.core.bits import count, length
from tacit.core.rulekit import rule
from tacit.games.silencio.model import COLOUR, COLOURS, GREEN, RANKS, TOP, State

ONE = 1024  # a card
FAR = 6 * ONE  # more than any turn is thought to cost
FREE, ONLY_GREEN, BLIND = range(3)  # what the next seat may play: anything, green, a card drawn blindly

Guess = tuple[int, int, int, int, int, int]  # of seats 1, 2, 3: the cards denied to it; how likely it has another


@rule
def weight(k: State, w: Weights, which: int) -> int:
    """A weight for this number of seats; a plain number, also interpreted."""
    return int(w[(k.seats - 2) * WEIGHTS + which])


@rule
def power(x: int, n: int) -> int:
    """x, a share of ONE, to the n-th power."""
    out = ONE
    for _ in range(n):
        out = (out * x) >> 10
    return out


@rule
def forced(
    k: State, rows: int, certain: int, own: int, hidden: int, unknown: int, denied: int, mode: int, g: Guess
) -> int:
    """The cards a seat is likely to pass over in its turn: it can play `own` and has `unknown` cards more."""
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
                    for r in range(3):
                        if g[r] & bit == 0:
                            cost += g[3 + r]
    if mode == BLIND:
        n = unknown + count(hidden)
        if n == 0:
            return 0 if best == FAR else best
        if among > 0:
            known_total += unknown * total // among
        return min(best, known_total // n) if k.rules >= 2 else known_total // n
    if unknown > 0 and among > 0:
        dead = power(ONE * (among - alive) // among, unknown)
        guess = 256 * (power(ONE * (among - near) // among, unknown) - dead)
        guess += 384 * (power(ONE * (among - middle) // among, unknown) - dead)
        guess += 1024 * (power(ONE * (among - far) // among, unknown) - dead)
        return min(best, guess >> 10)
    return 0 if best == FAR else best


@rule
def buried(k: State, rows: int, certain: int, g: Guess) -> int:
    """The cards in all hands that are no longer higher than the last of their row."""
    under = 0
    for colour in range(COLOURS):
        n = length((rows >> (colour * RANKS)) & COLOUR)
        under |= ((1 << n) - 1) << (colour * RANKS)
    out = ONE * count(certain & under)
    unseen = k.pool & under
    for r in range(3):
        out += g[3 + r] * count(unseen & ~g[r])
    return out


@rule
def value(
    k: State, seat: int, w: Weights, rows: int, mine: int, face_up: int, gift: int, to: int, mode: int, g: Guess
) -> int:
    """How good the position is in which the rows, the seat's cards and all face-up cards are these; 0 is the best.

    `gift` has just come to the seat `to` (counted clockwise); `mode` says what binds the next seat.
    """
    certain = mine | face_up | gift
    for r in range(1, k.seats):
        certain |= k.hand[(seat + r) % k.seats] & ~rows
    out = -buried(k, rows, certain, g)
    out -= weight(k, w, K_ME) * forced(k, rows, certain, mine | face_up, 0, 0, 0, FREE, g) >> 10
    for r in range(1, k.seats):
        q = (seat + r) % k.seats
        theirs = k.hand[q] & ~rows
        if r == to:
            theirs |= gift
        unknown = k.hand_len[q] - count(k.hand[q])
        if unknown > 0 or theirs != 0:
            bound = mode if r == 1 else FREE
            reach = theirs | face_up
            if bound == BLIND and k.rules >= 2:
                reach &= ~(k.hand[q] | gift | k.up[q])  # S16: it can choose among the others' face-up cards only
            cost = forced(k, rows, certain, reach, theirs, unknown, g[r - 1], bound, g)
            out -= weight(k, w, K_1 - 1 + r) * cost >> 10
    return out
