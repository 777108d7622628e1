"""The static evaluation of a Silencio position for one seat: cards lost, and the expected cost of the next turns.

Values are in 1024ths of a card. Seats are counted clockwise from the evaluating seat: 1 is the next.
"""

from __future__ import annotations

from tacit.bots.silencio.weights import K_1, K_ME, WEIGHTS, Weights
from tacit.core.bits import count, length
from tacit.core.rulekit import rule
from tacit.games.silencio.model import COLOUR, COLOURS, GREEN, RANKS, TOP, State

ONE = 1024  # a card
FAR = 6 * ONE  # more than any expected cost of a turn
FREE, ONLY_GREEN, BLIND = range(3)  # what the next seat may play: anything, green, a card drawn blindly

Belief = tuple[int, int, int, int, int, int]  # of seats 1, 2, 3: cards it cannot have; the probability of any other


@rule
def weight(k: State, w: Weights, which: int) -> int:
    """A weight for this number of seats, as a plain int also when interpreted."""
    return int(w[(k.seats - 2) * WEIGHTS + which])


@rule
def power(x: int, n: int) -> int:
    """x to the n-th power, both in shares of ONE."""
    out = ONE
    for _ in range(n):
        out = (out * x) >> 10
    return out


@rule
def expected_cost(
    k: State, rows: int, certain: int, own: int, hidden: int, unknown: int, denied: int, mode: int, g: Belief
) -> int:
    """The expected number of cards that a seat passes over in its turn; it can play `own` and has `unknown` others."""
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
def lost_cards(k: State, rows: int, certain: int, g: Belief) -> int:
    """The expected number of cards in all hands that no longer fit: not higher than the last of their row."""
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
    k: State, seat: int, w: Weights, rows: int, mine: int, face_up: int, gift: int, to: int, mode: int, g: Belief
) -> int:
    """The value of the position with these rows, own cards and face-up cards; 0 is the best.

    `gift` is a card that seat `to` (counted clockwise) has just received; `mode` is what the next seat may play.
    """
    certain = mine | face_up | gift
    for r in range(1, k.seats):
        certain |= k.hand[(seat + r) % k.seats] & ~rows
    out = -lost_cards(k, rows, certain, g)
    out -= weight(k, w, K_ME) * expected_cost(k, rows, certain, mine | face_up, 0, 0, 0, FREE, g) >> 10
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
            cost = expected_cost(k, rows, certain, reach, theirs, unknown, g[r - 1], bound, g)
            out -= weight(k, w, K_1 - 1 + r) * cost >> 10
    return out
