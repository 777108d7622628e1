"""The static evaluation of a Silencio position for one seat: cards lost, and the expected cost of the next turns.

Values are in 1024ths of a card. Seats are counted clockwise from the evaluating seat: 1 is the next.
"""

from __future__ import annotations

import numpy as np

from tacit.bots.silencio.weights import K_1, K_2, K_3, K_ME, WEIGHTS, W
from tacit.core.bits import count, local_cells, lowest
from tacit.core.clockwise import seat_after
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import up_to
from tacit.games.silencio.model import BLUE, CARDS, COLOUR, COLOURS, GREEN, RANKS, RED, TOP, YELLOW, State

ONE = 1024  # a card
FAR = 6 * ONE  # more than any expected cost of a turn
COST_NEAR, COST_MIDDLE, COST_FAR = 128, 600, 1200  # what a card costs that is near, at a middle distance, far
FREE, ONLY_GREEN, BLIND = range(3)  # what the next seat may play: anything, green, a card drawn blindly

# POWERS[(which * WIDTH + among) * WIDTH + some]: powers of the share of some of so many cards, without a division and
# without a loop: five in a word, which is 0 for the first to fifth power and 1 for the others up to MOST.
WIDTH, MOST, POWER_BITS = CARDS + 1, 10, 11
POWER = (1 << POWER_BITS) - 1


def _powers() -> list[int]:
    share = np.minimum(ONE, ONE * np.arange(WIDTH) // np.maximum(1, np.arange(WIDTH))[:, None])
    power, words = np.full_like(share, ONE), np.zeros((2, *share.shape), np.int64)
    for n in range(MOST):
        power = power * share >> 10
        words[n // 5] |= power << (POWER_BITS * (n % 5))
    return [int(word) for word in words.ravel()]


POWERS = constant_array(_powers())

# A number for each colour in one word: what cards cost is worked out for all colours side by side.
LANE = 16
LANES = sum(1 << (colour * LANE) for colour in range(COLOURS))  # 1 for each colour
LANE_CARDS = (1 << LANE) - 1
GREEN_LANE = LANE_CARDS << (GREEN * LANE)
# Added to a cost, the highest bit of its lane is set if it is not less.
NOT_NEAR, NOT_MIDDLE, NOT_FAR = (((1 << (LANE - 1)) - cost) * LANES for cost in (COST_NEAR, COST_MIDDLE, COST_FAR))

PLACES = constant_array(max(0, top - 1) for top in TOP)  # cards of each colour, by number of seats

Position = tuple[int, int, int]  # the rows, one's own cards, all cards that lie face up
Belief = tuple[int, int, int, int, int, int]  # of seats 1, 2, 3: unseen cards it may have; the probability of each


@rule
def weight(k: State, which: int) -> int:
    """A weight for this number of seats."""
    return W[(k.seats - 2) * WEIGHTS + which]


@rule
def power(x: int, n: int) -> int:
    """x to the n-th power, both in shares of ONE."""
    out = ONE
    for _ in range(n):
        out = (out * x) >> 10
    return out


@rule
def in_lanes(cards: int) -> int:
    """A set of cards with LANE instead of RANKS bits for each colour."""
    red, blue = cards & COLOUR, cards & (COLOUR << (BLUE * RANKS))
    yellow, green = cards & (COLOUR << (YELLOW * RANKS)), cards & (COLOUR << (GREEN * RANKS))
    spread = LANE - RANKS
    return red | blue << (BLUE * spread) | yellow << (YELLOW * spread) | green << (GREEN * spread)


@rule
def passed_over(bit: int, g: Belief) -> int:
    """What passing over an unseen card is expected to cost."""
    return (g[3] if g[0] & bit != 0 else 0) + (g[4] if g[1] & bit != 0 else 0) + (g[5] if g[2] & bit != 0 else 0)


@rule
def blind_cost(k: State, under: int, certain: int, own: int, hidden: int, unknown: int, g: Belief) -> int:
    """The expected number of cards that a seat passes over whose next card is drawn blindly."""
    best, total, known_total = FAR, 0, 0
    for colour in range(COLOURS):
        cost = 0
        todo = (COLOUR << (colour * RANKS)) & ~under & (certain | k.pool)
        while todo != 0:
            bit = todo & -todo
            todo ^= bit
            if certain & bit != 0:
                if own & bit != 0:
                    best = min(best, cost)
                if hidden & bit != 0:
                    known_total += cost
                cost += ONE
            else:
                if g[0] & bit != 0:
                    total += cost
                cost += passed_over(bit, g)
    n = unknown + count(hidden)
    if n == 0:
        return 0 if best == FAR else best
    among = count(g[0])
    if among > 0:
        known_total += unknown * total // among
    return min(best, known_total // n) if k.rules >= 2 else known_total // n


@rule
def expected_cards(cards: int, certain: int, g: Belief) -> int:
    """How many of these cards are expected in all hands: certain ones, and unseen ones by their probability."""
    out = ONE * count(certain & cards)
    return out + g[3] * count(g[0] & cards) + g[4] * count(g[1] & cards) + g[5] * count(g[2] & cards)


@rule
def certain_cards(k: State, seat: int, at: Position) -> int:
    """The cards that are in a hand for certain."""
    rows, mine, face_up = at
    theirs = (k.hand[0] | k.hand[1] | k.hand[2] | k.hand[3]) & ~k.hand[seat]
    return mine | face_up | theirs & ~rows


@rule
def highest_value(k: State, seat: int, at: Position, g: Belief) -> int:
    """What the lost cards alone cost: the value of a position is not higher, whoever holds or sees its other cards."""
    return -expected_cards(up_to(at[0]), certain_cards(k, seat, at), g)


@rule
def reachable(
    k: State, seat: int, r: int, rows: int, face_up: int, gift: int, to: int, mode: int
) -> tuple[int, int, int]:
    """Of the seat r places on: the cards that it can play for certain, those of them in its hand, and how many cards
    it has that nobody has seen; none where there is no such seat."""
    if r >= k.seats:
        return 0, 0, 0
    q = seat_after(seat, r, k.seats)
    theirs = k.hand[q] & ~rows
    if r == to:
        theirs |= gift
    reach = theirs | face_up
    if mode == BLIND and r == 1 and k.rules >= 2:
        reach &= ~(k.hand[q] | gift | k.up[q])  # S16: it can choose among the others' face-up cards only
    return reach, theirs, k.hand_len[q] - count(k.hand[q])


@rule
def value(k: State, seat: int, at: Position, gift: int, to: int, mode: int, g: Belief, floor: int) -> int:
    """The value of a position if it is higher than `floor`, else any number that is not; 0 is the best.

    `gift` is a card that seat `to` (counted clockwise) has just received; `mode` is what the next seat may play. What a
    card costs does not depend on who plays it: the colours are walked up once, side by side.
    """
    rows, mine, face_up = at
    under = up_to(rows)  # the cards that no longer fit
    certain = certain_cards(k, seat, at) | gift
    out = -expected_cards(under, certain, g)
    if out <= floor:
        return out  # all that follows is a cost
    seen = in_lanes(certain & ~under)
    alive_1, alive_2, alive_3 = in_lanes(g[0] & ~under), in_lanes(g[1] & ~under), in_lanes(g[2] & ~under)
    not_near, not_middle, not_far = 0, 0, 0  # the cards that cost so much or more
    cost = 0  # of the cards in this place, each colour's in its lane
    costs = local_cells()  # costs[place]
    for place in range(PLACES[k.seats]):
        costs[place] = cost
        not_near |= (((cost + NOT_NEAR) >> (LANE - 1)) & LANES) << place
        not_middle |= (((cost + NOT_MIDDLE) >> (LANE - 1)) & LANES) << place
        not_far |= (((cost + NOT_FAR) >> (LANE - 1)) & LANES) << place
        cost += ((seen >> place) & LANES) * ONE
        cost += ((alive_1 >> place) & LANES) * g[3] + ((alive_2 >> place) & LANES) * g[4]
        cost += ((alive_3 >> place) & LANES) * g[5]
    costs[RANKS] = FAR * LANES
    best = cheapest(costs, (mine | face_up) & ~under)
    out -= weight(k, K_ME) * (0 if best == FAR else best) >> 10
    reach, hand, unknown = reachable(k, seat, 1, rows, face_up, gift, to, mode)
    if unknown > 0 or hand != 0:
        if mode == BLIND:
            turn = blind_cost(k, under, certain, reach, hand, unknown, g)
        else:
            if mode == ONLY_GREEN:
                reach &= COLOUR << (GREEN * RANKS)
                alive_1 &= GREEN_LANE
            best = cheapest(costs, reach & ~under)
            turn = turn_cost(best, unknown, count(g[0]), alive_1, not_near, not_middle, not_far)
        out -= weight(k, K_1) * turn >> 10
    if k.seats > 2:
        reach, hand, unknown = reachable(k, seat, 2, rows, face_up, gift, to, mode)
        if unknown > 0 or hand != 0:
            best = cheapest(costs, reach & ~under)
            turn = turn_cost(best, unknown, count(g[1]), alive_2, not_near, not_middle, not_far)
            out -= weight(k, K_2) * turn >> 10
    if k.seats > 3:
        reach, hand, unknown = reachable(k, seat, 3, rows, face_up, gift, to, mode)
        if unknown > 0 or hand != 0:
            best = cheapest(costs, reach & ~under)
            turn = turn_cost(best, unknown, count(g[2]), alive_3, not_near, not_middle, not_far)
            out -= weight(k, K_3) * turn >> 10
    return out


@rule
def cheapest(costs: Cells, cards: int) -> int:
    """What the cheapest of these cards costs: one of the lowest of each colour; FAR if it is more or there is none."""
    none = 1 << RANKS
    red, blue = lowest(cards | none), lowest(cards >> (BLUE * RANKS) | none)
    yellow, green = lowest(cards >> (YELLOW * RANKS) | none), lowest(cards >> (GREEN * RANKS) | none)
    best = min(costs[red] >> (RED * LANE) & LANE_CARDS, costs[blue] >> (BLUE * LANE) & LANE_CARDS)
    return min(best, costs[yellow] >> (YELLOW * LANE) & LANE_CARDS, costs[green] >> (GREEN * LANE) & LANE_CARDS, FAR)


@rule
def turn_cost(best: int, unknown: int, among: int, alive: int, not_near: int, not_middle: int, not_far: int) -> int:
    """The expected number of cards that a seat passes over in its turn: its certain cards cost `best` at least, and it
    has `unknown` others of so many, of which those `alive` fit."""
    if unknown <= 0 or among == 0:
        return 0 if best == FAR else best
    # How many of the cards do not fit, are not near, …; then the probabilities that all of its cards are such.
    none, near = among - count(alive), among - count(alive & ~not_near)
    middle, far = among - count(alive & ~not_middle), among - count(alive & ~not_far)
    if unknown <= MOST:
        which = 0 if unknown <= 5 else 1
        row, shift = (which * WIDTH + among) * WIDTH, POWER_BITS * (unknown - 1 - 5 * which)
        none, near = POWERS[row + none] >> shift & POWER, POWERS[row + near] >> shift & POWER
        middle, far = POWERS[row + middle] >> shift & POWER, POWERS[row + far] >> shift & POWER
    else:
        none, near = power(ONE * none // among, unknown), power(ONE * near // among, unknown)
        middle, far = power(ONE * middle // among, unknown), power(ONE * far // among, unknown)
    return min(best, (256 * (near - none) + 384 * (middle - none) + 1024 * (far - none)) >> 10)
