"""`coded` at Silent Planet: a row and its hints are a code from which other `coded` bots know every card."""

from __future__ import annotations

from tacit.bots.silent_planet.evaluation import after, expected_in, followed, next_row, offers, put
from tacit.bots.silent_planet.lookahead import best_line, sure_offers
from tacit.bots.silent_planet.row_code import UNKNOWN, coded_hints, coded_row, decoded
from tacit.bots.silent_planet.row_convention import FIELD, PART, SURE, candidates, likely, share
from tacit.core.bits import length, lowest
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import bag_of, kind_at, laid, number_of, open_row, places_of, spare
from tacit.games.silent_planet.model import A_POINT, A_READY, A_REVEAL, ARRANGE, KINDS, PLACES, TEAM, State

NAME = "coded"
GAME = "silent-planet"
STYLE = "Lays its row by a secret code that tells its partners every card."
ASSUMES = "That all others are `coded` too; a row that breaks the code it reads as `steady` does."


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The decision of a seat that knows k."""
    if k.phase == ARRANGE:
        return arrange(k, seat)
    return point(k, seat)


@rule
def arrange(k: State, seat: int) -> int:
    """P03: the row of the code, card by card, then its hints. A row begun differently is continued in rising order."""
    hand = k.hand[seat] + bag_of(k.row[seat])
    row = coded_row(hand)
    if k.hand[seat] != 0:
        kind = kind_at(row, laid(k.row[seat]))
        if number_of(k.hand[seat], kind) > 0:
            return kind
        kind = 0
        while number_of(k.hand[seat], kind) == 0:
            kind += 1
        return kind
    past = length(places_of(k.hints, seat))
    hints = (coded_hints(hand) >> past) << past
    return A_REVEAL + lowest(hints) if hints != 0 and row == k.row[seat] else A_READY


@rule
def whole(k: State, seat: int, q: int) -> int:
    """A row decoded; UNKNOWN if it does not follow the code. The own row is read as the others read it."""
    row = open_row(k, q)
    pool = k.pool
    if q == seat:
        pool += bag_of(k.row[q]) - bag_of(row)
    return decoded(row, places_of(k.hints, q), places_of(k.down, q), pool)


@rule
def told_offers(k: State, seat: int, q: int) -> tuple[int, int, int]:
    """The offers of a row: certain if it follows the code, else as `steady` infers them."""
    row = whole(k, seat, q)
    if row == UNKNOWN:
        return offers(k, seat, q)
    return sure_offers(k.seats - k.teams, bag_of(row) - bag_of(open_row(k, q)))


@rule
def told_cards(k: State, seat: int) -> int:
    """The expected number of face-down cards of each kind in all rows together."""
    cards = 0
    for q in range(k.seats):
        row = whole(k, seat, q)
        if row == UNKNOWN:
            cards += expected_in(k, seat, q)
        else:
            bag = bag_of(row) - bag_of(open_row(k, q))
            for kind in range(KINDS):
                cards += (PART * number_of(bag, kind)) << (FIELD * kind)
    return cards


@rule
def foreseen(k: State, seat: int) -> int:
    """The kind to turn up now, by search, if every row follows the code; else -1."""
    b0, b1, b2 = 0, 0, 0
    for q in range(k.seats):
        row = whole(k, seat, q)
        if row == UNKNOWN:
            return -1
        bag = bag_of(row) - bag_of(open_row(k, q))
        if q < 2:
            b0 |= bag << (24 * q)
        elif q < 4:
            b1 |= bag << (24 * (q - 2))
        else:
            b2 |= bag << (24 * (q - 4))
    return best_line(k.seats, k.turn, k.team, k.seats - k.teams, spare(k), b0, b1, b2)


@rule
def point(k: State, seat: int) -> int:
    """P07: the place with the highest expected value."""
    q = k.turn + 0
    kind = foreseen(k, seat)
    if kind >= 0:
        told = whole(k, seat, q)
        down = places_of(k.down, q)
        for place in range(PLACES):
            if (down >> place) & 1 == 1 and kind_at(told, place) == kind:
                return A_POINT + followed(k, q, place)
    s1, s2, s3, s4, d1, d2, d3, d4 = 0, 0, 0, 0, 0, 0, 0, 0
    r = q
    turns = 1 << (4 * q)  # four bits a row: how often it has had its turn
    for i in range(TEAM - 1):
        r = next_row(k, r)
        o = told_offers(k, seat, r)
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
    repeated, best_offers = (s1, s2, s3, s4), (d1, d2, d3, d4)
    cards = told_cards(k, seat)
    missing = k.seats - k.teams
    left = spare(k)
    told = whole(k, seat, q)
    row = open_row(k, q)
    down = places_of(k.down, q)
    known = bag_of(row)
    found = candidates(row, places_of(k.hints, q), down, k.pool, known)
    best, most = -1, -1
    for place in range(PLACES):
        if (down >> place) & 1 == 1:
            if told == UNKNOWN:
                word = likely(found, row, down, k.pool, known, place)
            else:
                word = put(0, kind_at(told, place), SURE)
            value = 0
            for face in range(KINDS):
                if share(word, face) > 0:
                    value += share(word, face) * after(
                        k.seats, missing, left, k.team, cards, face, repeated, best_offers
                    )
            if value > most:
                best, most = place, value
    return A_POINT + followed(k, q, best)
