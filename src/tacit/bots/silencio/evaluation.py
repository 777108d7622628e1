"""The static evaluation of a Silencio position for one seat: cards lost, and the expected cost of the next turns.

Values are in 1024ths of a card. Seats are counted clockwise from the evaluating seat: 1 is the next.
"""

from __future__ import annotations

from tacit.bots.silencio.weights import K_1, K_2, K_3, K_ME, WEIGHTS, Weights
from tacit.core.bits import count, length
from tacit.core.clockwise import seat_after
from tacit.core.rulekit import constant_array, rule
from tacit.games.silencio.model import CARDS, COLOUR, COLOURS, GREEN, GREENS, RANKS, TOP, State

ONE = 1024  # a card
FAR = 6 * ONE  # more than any expected cost of a turn
COST_NEAR, COST_MIDDLE, COST_FAR = 128, 600, 1200  # what a card costs that is near, at a middle distance, far
FREE, ONLY_GREEN, BLIND = range(3)  # what the next seat may play: anything, green, a card drawn blindly

# SHARES[among * SHARES_WIDTH + some]: the share of some of so many cards, without a division.
SHARES_WIDTH = CARDS + 1
SHARES = constant_array(ONE * some // max(1, among) for among in range(SHARES_WIDTH) for some in range(SHARES_WIDTH))

Position = tuple[int, int, int]  # the rows, one's own cards, all cards that lie face up
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
def cards_above(k: State, rows: int, colour: int) -> int:
    """The cards of a colour that are higher than the last of its row."""
    first = colour * RANKS
    begin, end = length((rows >> first) & COLOUR), TOP[k.seats] - 1
    return ((1 << end) - (1 << begin)) << first if begin < end else 0


@rule
def passed_over(bit: int, g: Belief) -> int:
    """What passing over an unseen card is expected to cost."""
    cost = g[3] + g[4] + g[5]
    if (g[0] | g[1] | g[2]) & bit != 0:
        cost -= (g[3] if g[0] & bit != 0 else 0) + (g[4] if g[1] & bit != 0 else 0) + (g[5] if g[2] & bit != 0 else 0)
    return cost


@rule
def blind_cost(k: State, rows: int, certain: int, own: int, hidden: int, unknown: int, denied: int, g: Belief) -> int:
    """The expected number of cards that a seat passes over whose next card is drawn blindly."""
    best, total, known_total = FAR, 0, 0
    for colour in range(COLOURS):
        cost = 0
        todo = cards_above(k, rows, colour) & (certain | k.pool)
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
                if denied & bit == 0:
                    total += cost
                cost += passed_over(bit, g)
    n = unknown + count(hidden)
    if n == 0:
        return 0 if best == FAR else best
    among = count(k.pool & ~denied)
    if among > 0:
        known_total += unknown * total // among
    return min(best, known_total // n) if k.rules >= 2 else known_total // n


@rule
def guessed_cost(among: int, dead: int, far: int, middle: int, near: int, unknown: int) -> int:
    """The expected cost for a seat of so many unseen cards: what is dead, and what is not far, middle or near, of the
    cards among which they are. The four powers are worked out side by side."""
    out_dead, out_far, out_middle, out_near = ONE, ONE, ONE, ONE
    dead, far = SHARES[among * SHARES_WIDTH + dead], SHARES[among * SHARES_WIDTH + far]
    middle, near = SHARES[among * SHARES_WIDTH + middle], SHARES[among * SHARES_WIDTH + near]
    for _ in range(unknown):
        out_dead = (out_dead * dead) >> 10
        out_far = (out_far * far) >> 10
        out_middle = (out_middle * middle) >> 10
        out_near = (out_near * near) >> 10
    return (256 * (out_near - out_dead) + 384 * (out_middle - out_dead) + 1024 * (out_far - out_dead)) >> 10


@rule
def expected_cards(k: State, cards: int, certain: int, g: Belief) -> int:
    """How many of these cards are expected in all hands: certain ones, and unseen ones by their probability."""
    unseen = k.pool & cards
    out = ONE * count(certain & cards)
    for r in range(3):
        out += g[3 + r] * count(unseen & ~g[r])
    return out


@rule
def under_ends(rows: int) -> int:
    """The cards that no longer fit: not higher than the last of their row."""
    under = 0
    for colour in range(COLOURS):
        n = length((rows >> (colour * RANKS)) & COLOUR)
        under |= ((1 << n) - 1) << (colour * RANKS)
    return under


@rule
def certain_cards(k: State, seat: int, at: Position) -> int:
    """The cards that are in a hand for certain."""
    rows, mine, face_up = at
    certain = mine | face_up
    for r in range(1, k.seats):
        certain |= k.hand[seat_after(seat, r, k.seats)] & ~rows
    return certain


@rule
def most_by_exchange(k: State, seat: int, at: Position, g: Belief) -> int:
    """No exchange with the Oracle has a higher value than this: it rids a seat of one lost card at most."""
    under = under_ends(at[0])
    out = -expected_cards(k, under, certain_cards(k, seat, at), g)
    return out + ONE if at[1] & under != 0 else out


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
def value(k: State, seat: int, w: Weights, at: Position, gift: int, to: int, mode: int, g: Belief, floor: int) -> int:
    """The value of a position if it is higher than `floor`, else any number that is not; 0 is the best.

    `gift` is a card that seat `to` (counted clockwise) has just received; `mode` is what the next seat may play. What a
    card costs does not depend on who plays it: each colour is walked up once, as far as a cost can matter.
    """
    rows, mine, face_up = at
    certain = certain_cards(k, seat, at) | gift
    out = -expected_cards(k, under_ends(rows), certain, g)
    if out <= floor:
        return out  # all that follows is a cost
    reach_0 = mine | face_up
    reach_1, hand_1, unknown_1 = reachable(k, seat, 1, rows, face_up, gift, to, mode)
    reach_2, hand_2, unknown_2 = reachable(k, seat, 2, rows, face_up, gift, to, mode)
    reach_3, hand_3, unknown_3 = reachable(k, seat, 3, rows, face_up, gift, to, mode)
    best_0, best_1, best_2, best_3 = FAR, FAR, FAR, FAR
    alive, far, middle, near = 0, 0, 0, 0  # unseen cards that fit; those that cost less than so much
    for colour in range(COLOURS):
        above = cards_above(k, rows, colour)
        todo = above & (certain | k.pool)
        alive |= todo & ~certain
        # The lowest card that a seat can play for certain costs it the least.
        low_0, low_1, low_2, low_3 = reach_0 & above, reach_1 & above, reach_2 & above, reach_3 & above
        low_0, low_1, low_2, low_3 = low_0 & -low_0, low_1 & -low_1, low_2 & -low_2, low_3 & -low_3
        if mode == ONLY_GREEN and colour != GREEN:
            low_1 = 0
        wanted = low_0 | low_1 | low_2 | low_3
        cost = 0
        while todo != 0 and (cost < COST_FAR or wanted != 0):
            bit = todo & -todo
            todo ^= bit
            if certain & bit != 0:
                if wanted & bit != 0:
                    wanted ^= bit
                    if low_0 == bit:
                        best_0 = min(best_0, cost)
                    if low_1 == bit:
                        best_1 = min(best_1, cost)
                    if low_2 == bit:
                        best_2 = min(best_2, cost)
                    if low_3 == bit:
                        best_3 = min(best_3, cost)
                cost += ONE
            else:
                if cost < COST_FAR:
                    far |= bit
                    if cost < COST_MIDDLE:
                        middle |= bit
                        if cost < COST_NEAR:
                            near |= bit
                cost += passed_over(bit, g)
    out -= weight(k, w, K_ME) * (0 if best_0 == FAR else best_0) >> 10
    if unknown_1 > 0 or hand_1 != 0:
        if mode == BLIND:
            cost = blind_cost(k, rows, certain, reach_1, hand_1, unknown_1, g[0], g)
        elif mode == ONLY_GREEN:
            cost = turn_cost(k, best_1, unknown_1, g[0], alive & GREENS, far & GREENS, middle & GREENS, near & GREENS)
        else:
            cost = turn_cost(k, best_1, unknown_1, g[0], alive, far, middle, near)
        out -= weight(k, w, K_1) * cost >> 10
    if unknown_2 > 0 or hand_2 != 0:
        out -= weight(k, w, K_2) * turn_cost(k, best_2, unknown_2, g[1], alive, far, middle, near) >> 10
    if unknown_3 > 0 or hand_3 != 0:
        out -= weight(k, w, K_3) * turn_cost(k, best_3, unknown_3, g[2], alive, far, middle, near) >> 10
    return out


@rule
def turn_cost(k: State, best: int, unknown: int, denied: int, alive: int, far: int, middle: int, near: int) -> int:
    """The expected number of cards that a seat passes over in its turn: its certain cards cost `best` at least, and it
    has `unknown` others, none of them `denied`."""
    among = count(k.pool & ~denied)
    if unknown <= 0 or among == 0:
        return 0 if best == FAR else best
    dead = among - count(alive & ~denied)
    not_far, not_middle = among - count(far & ~denied), among - count(middle & ~denied)
    return min(best, guessed_cost(among, dead, not_far, not_middle, among - count(near & ~denied), unknown))
