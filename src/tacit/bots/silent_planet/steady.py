"""`steady` at Silent Planet: rising rows, at most two revealed cards, and inference from what others reveal."""

from __future__ import annotations

from tacit.bots.silent_planet.evaluation import Offers, after, expected_of, next_row, offers_of, read_row
from tacit.bots.silent_planet.row_convention import NOTHING, hints_for, likely_at, share, unseen
from tacit.bots.silent_planet.signals import followed, pointed_at, shown_by_others, signal, weighed
from tacit.core.bits import length, local_cells, lowest, only
from tacit.core.events import HEARS_SIGNALS
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import places_of, size, spare
from tacit.games.silent_planet.model import A_POINT, A_READY, A_REVEAL, ARRANGE, KINDS, TEAM, State

__all__ = ["choose", "signal"]
NAME = "steady"
GAME = "silent-planet"
STYLE = "Lays its row in rising order, reveals at most two cards, and reads much from what others reveal."
ASSUMES = "That the others lay their rows in rising order, machines at the right, and reveal the cards that help most."
HEARS = HEARS_SIGNALS
VALUE = 21  # bits of a value, which is WORTH at most


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """The only legal decision; -1 where there are several."""
    return only(mask)


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The decision of a seat that knows k."""
    if k.phase == ARRANGE:
        return arrange(k, seat)
    return point(k, seat, events, n)


@rule
def arrange(k: State, seat: int) -> int:
    """P03: the lowest card first; then what the convention reveals of the row, from left to right."""
    if k.hand[seat] != 0:
        return lowest(k.hand[seat]) // 4
    past = length(places_of(k.hints, seat))
    hints = (hints_for(k.row[seat]) >> past) << past
    return A_REVEAL + lowest(hints) if hints != 0 else A_READY


@rule
def outlook(k: State, seat: int, found: int, sums: Cells) -> tuple[int, Offers, Offers]:
    """What a card that is turned up now is valued by: the cards expected in all rows, and what the next rows give, when
    the same kind is asked of a row again and at best. The row whose turn it is has been read (`read_row`).

    Each row is read once. A row has its next turn when all others have had theirs, and rows are asked only as far as
    the team goes.
    """
    cards = expected_of(k, seat, k.turn, found, sums)
    s1, s2, s3, s4, d1, d2, d3, d4 = 0, 0, 0, 0, 0, 0, 0, 0
    rows = 1
    q = next_row(k, k.turn)
    while q != k.turn:
        rows += 1
        q = next_row(k, q)
    wanted = TEAM - 1 - size(k.team)
    for i in range(rows):  # from the next row on; the last is the one whose turn it is now
        q = next_row(k, q)
        o = (0, 0, 0)
        if q == k.turn:
            o = offers_of(k, seat, q, found, sums) if i < wanted else o
        elif i < wanted or q != seat:
            others = local_cells()
            read = read_row(k, seat, q, others)
            cards += expected_of(k, seat, q, read, others)
            o = offers_of(k, seat, q, read, others) if i < wanted else o
        else:
            cards += expected_of(k, seat, q, NOTHING, sums)
        turns = 1 if q == k.turn else 0
        at = i
        while at < wanted:
            again = o[min(turns, 2)]
            if at == 0:
                s1, d1 = again, o[0]
            elif at == 1:
                s2, d2 = again, o[0]
            elif at == 2:
                s3, d3 = again, o[0]
            else:
                s4, d4 = again, o[0]
            at += rows
            turns += 1
    return cards, (s1, s2, s3, s4), (d1, d2, d3, d4)


@rule
def point(k: State, seat: int, events: Cells, n: int) -> int:
    """P07: the place with the highest expected value; from the second round on, the one that most seats point at.

    If others have signalled what they believe, it chooses again from the second round on, among the places pointed at.
    """
    q = k.turn + 0
    places = places_of(k.down, q)
    told = shown_by_others(k, seat, events, n)
    if k.round > 1:
        if not told:
            return A_POINT + followed(k, events, n, -1)
        places = pointed_at(k)
    if places & (places - 1) == 0:
        return A_POINT + lowest(places)
    sums = local_cells()
    found = read_row(k, seat, q, sums)
    if found == NOTHING and not told:
        return A_POINT + lowest(places)  # all are alike
    cards, repeated, best_offers = outlook(k, seat, found, sums)
    missing = k.seats - k.teams
    left = spare(k)
    valued, low, high = 0, 0, 0  # the kinds that are valued; the values, three a word
    best, most = -1, -1
    while places != 0:
        place = lowest(places)
        places &= places - 1
        word = unseen(k.pool) if found == NOTHING else likely_at(sums, place)
        if told:
            word = weighed(k, seat, place, word, events, n)
        value = 0
        for kind in range(KINDS):
            if share(word, kind) > 0:
                if (valued >> kind) & 1 == 0:
                    valued |= 1 << kind
                    worth = after(k.seats, missing, left, k.team, cards, kind, repeated, best_offers)
                    low |= worth << (VALUE * kind) if kind < 3 else 0
                    high |= worth << (VALUE * (kind - 3)) if kind >= 3 else 0
                worth = (low >> (VALUE * kind) if kind < 3 else high >> (VALUE * (kind - 3))) & ((1 << VALUE) - 1)
                value += share(word, kind) * worth
        if value > most:
            best, most = place, value
    return A_POINT + best
