"""The value of turning up a card: the chance to complete the team, and a fitted model of the chance to win."""

from __future__ import annotations

import math

import numpy as np

from tacit.bots.silent_planet.row_convention import (
    FIELD,
    NOTHING,
    ONES,
    PART,
    SURE,
    candidates,
    expected_by,
    expected_unseen,
    likely_at,
    share,
    unseen,
    weigh,
)
from tacit.core.bits import count, local_cells, lowest
from tacit.core.clockwise import seat_after
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
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
    SEVERAL,
    TEAM,
    State,
)

Offers = tuple[int, int, int, int]  # of the next four rows: the probability of each kind, six fields a word
WORTH = 1 << 20  # of a match that is won
EVERY_ALIEN = (1 << ALIENS) - 1
EACH_ALIEN = sum(1 << FIELD * kind for kind in range(ALIENS))  # one in the field of each alien
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
def common_pool(k: State, seat: int, q: int) -> int:
    """The unseen cards for who reads row q: for a seat's own row, as the others see it, also its face-down cards."""
    return k.pool + bag_of(k.row[q]) - bag_of(open_row(k, q)) if q == seat else k.pool


@rule
def read_row(k: State, seat: int, q: int, sums: Cells) -> int:
    """The candidates for a row, weighed into `sums`; a seat's own row is read as the others read it."""
    row = open_row(k, q)
    known = bag_of(row)
    down = places_of(k.down, q)
    pool = common_pool(k, seat, q)
    found = candidates(row, places_of(k.hints, q), down, pool, known)
    if found != NOTHING:
        weigh(found, row, down, pool, known, sums)
    return found


@rule
def expected_in(k: State, seat: int, q: int) -> int:
    """The expected number of face-down cards of each kind in a row, for a seat that knows its own."""
    sums = local_cells()
    found = NOTHING if q == seat else read_row(k, seat, q, sums)
    return expected_of(k, seat, q, found, sums)


@rule
def expected_of(k: State, seat: int, q: int, found: int, sums: Cells) -> int:
    """The expected number of face-down cards of each kind in a row that was read."""
    if q != seat:
        down = places_of(k.down, q)
        return expected_unseen(k.pool, count(down)) if found == NOTHING else expected_by(sums, down)
    own = bag_of(k.row[q]) - bag_of(open_row(k, q))
    cards = 0
    for kind in range(KINDS):
        cards += (PART * number_of(own, kind)) << (FIELD * kind)
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
    sums = local_cells()
    return offers_of(k, seat, q, read_row(k, seat, q, sums), sums)


@rule
def offers_of(k: State, seat: int, q: int, found: int, sums: Cells) -> tuple[int, int, int]:
    """The offers of a row that was read."""
    substitute = SURE if k.seats - k.teams == 1 else MACHINE_SHARE
    places = places_of(k.down, q)
    alike = with_machines(unseen(common_pool(k, seat, q)), substitute) if found == NOTHING else 0
    if found == NOTHING and q != seat:
        return alike, alike if count(places) > 1 else 0, alike if count(places) > 2 else 0
    a1, a2, a3 = 0, 0, 0  # as it is read
    b1, b2, b3 = 0, 0, 0  # as it is, as far as this seat knows
    while places != 0:
        place = lowest(places)
        places &= places - 1
        word = alike if found == NOTHING else with_machines(likely_at(sums, place), substitute)
        truth = word
        if q == seat:
            truth = with_machines(SURE << (FIELD * kind_at(k.row[q], place)), substitute)
        left = word
        while left != 0:
            shift = lowest(left) // FIELD * FIELD
            field = ONES << shift
            left &= ~field
            value = word & field
            if value > a1 & field:
                a3, b3 = a3 & ~field | a2 & field, b3 & ~field | b2 & field
                a2, b2 = a2 & ~field | a1 & field, b2 & ~field | b1 & field
                a1, b1 = a1 & ~field | value, b1 & ~field | truth & field
            elif value > a2 & field:
                a3, b3 = a3 & ~field | a2 & field, b3 & ~field | b2 & field
                a2, b2 = a2 & ~field | value, b2 & ~field | truth & field
            elif value > a3 & field:
                a3, b3 = a3 & ~field | value, b3 & ~field | truth & field
    return b1, b2, b3


@rule
def with_machines(word: int, substitute: int) -> int:
    """The probability of each kind, where a machine counts for every alien, too, as the share `substitute` of one."""
    return word + (share(word, MACHINE) * substitute // SURE) * EACH_ALIEN


@rule
def next_row(k: State, q: int) -> int:
    """P06: whose turn comes after q's."""
    q = seat_after(q, 1, k.seats)
    for _ in range(MAX_SEATS):
        if places_of(k.down, q) != 0:
            break
        q = seat_after(q, 1, k.seats)
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
def most_likely(word: int, used: int) -> int:
    """The kind that is most likely by a word, used ones aside."""
    best, most = MACHINE, share(word, MACHINE)
    for kind in range(ALIENS):
        if share(word, kind) > most and (used >> kind) & 1 == 0:
            best, most = kind, share(word, kind)
    return best


@rule
def both(one: int, other: int) -> int:
    """The probability of two independent events."""
    return one * other // SURE


@rule
def distinct(a: int, b: int, c: int, d: int) -> bool:
    """Are four kinds all different, machines aside?"""
    team = (1 << (4 * a)) + (1 << (4 * b)) + (1 << (4 * c)) + (1 << (4 * d))
    return team & SEVERAL == 0


@rule
def all_different(used: int, rows: int, best_offers: Offers, enough: int) -> int:
    """The best chance that the next rows give unused kinds that are all different, or machines, if it is higher than
    `enough`; else any that is not higher than it, or than the best.

    The first plan takes the most likely kind of each row. Another is looked at only as long as it could be better if
    each later row gave its most likely kind.
    """
    d1, d2, d3, d4 = best_offers
    a = most_likely(d1, used)
    b = most_likely(d2, used) if rows > 1 else MACHINE
    c = most_likely(d3, used) if rows > 2 else MACHINE
    d = most_likely(d4, used) if rows > 3 else MACHINE
    most_2 = share(d2, b) if rows > 1 else SURE
    most_3 = share(d3, c) if rows > 2 else SURE
    most_4 = share(d4, d) if rows > 3 else SURE
    best = both(both(both(share(d1, a), most_2), most_3), most_4)
    if best <= enough or distinct(a, b, c, d):
        return best
    best = enough
    for a in range(KINDS):
        pa = share(d1, a)
        if (used >> a) & 1 == 1 or both(both(both(pa, most_2), most_3), most_4) <= best:
            continue
        ua = used | (1 << a) & EVERY_ALIEN
        for b in range(KINDS):
            pb = both(pa, share(d2, b))
            if (ua >> b) & 1 == 1 or both(both(pb, most_3), most_4) <= best:
                continue
            if rows == 2:
                best = pb
                continue
            ub = ua | (1 << b) & EVERY_ALIEN
            for c in range(KINDS):
                pc = both(pb, share(d3, c))
                if (ub >> c) & 1 == 1 or both(pc, most_4) <= best:
                    continue
                if rows == 3:
                    best = pc
                    continue
                best = max(best, both(pc, share(d4, most_likely(d4, ub | (1 << c) & EVERY_ALIEN))))
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
    if kinds & (kinds - 1) == 0:
        for j in range(ALIENS):
            if kinds == 0 or (kinds >> j) & 1 == 1:
                chance = same_kind(j, rows, again)
                then = prospect(seats, missing - 1, left, less(cards, j, rows))
                most = max(most, fails + (then - fails) * chance // SURE)
    if team & SEVERAL == 0:
        todo = rows
        for j in range(ALIENS):
            if (kinds >> j) & 1 == 0 and todo > 0:
                cards = less(cards, j, 1)
                todo -= 1
        gain = prospect(seats, missing - 1, left, cards) - fails
        if gain > 0:
            enough = ((most - fails + 1) * SURE - 1) // gain  # a chance that is not higher changes nothing
            chance = all_different(kinds, rows, best_offers, enough)
            most = max(most, fails + gain * chance // SURE)
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
