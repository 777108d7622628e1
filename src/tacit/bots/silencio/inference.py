"""Inference from plays: a seat that passes over cards holds none that would have passed over fewer."""

from __future__ import annotations

from tacit.bots.silencio.evaluation import ONE, Belief
from tacit.core.bits import count
from tacit.core.clockwise import places_to, seat_after
from tacit.core.events import HIDDEN, event_actor, event_heard
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import (
    A_AVOID,
    A_CLAIM,
    A_HIGH,
    A_SEAT,
    CARDS,
    COLOUR,
    COLOURS,
    RANKS,
    TOP,
    State,
)


@rule
def named_later(events: Cells, n: int, at: int) -> bool:
    """Is the card of this event named by a later one?"""
    card, again = event_heard(events[at]), 0
    for i in range(at + 1, n):  # all of them, without an exit: compiled, that is some at a time
        again |= 1 if event_heard(events[i]) == card and event_actor(events[i]) != CHANCE else 0
    return again != 0


@rule
def span(colour: int, first: int, end: int) -> int:
    """The cards of a colour from place `first` up to, not including, place `end`."""
    if first >= end:
        return 0
    return ((1 << end) - (1 << first)) << (colour * RANKS)


@rule
def skipped(ends: int, colour: int, end: int, place: int, pool: int) -> int:
    """The unseen cards that a seat cannot have which plays the card of this place, while `ends` follow directly.

    It passes over so many unseen cards of its colour. So it has none of them, and of each other colour none of so many
    next ones.
    """
    passed = span(colour, end, place) & pool
    if passed == 0:
        return 0
    next_ones = (1 << count(passed)) - 1
    none = 0
    for other in range(COLOURS):
        none |= ((next_ones << ((ends >> (4 * other)) & 15)) & COLOUR) << (other * RANKS)
    return none & pool | passed


@rule
def excluded(k: State, seat: int, events: Cells, n: int) -> tuple[int, int, int]:
    """The unseen cards that the seats one, two and three places on cannot have if they play by the convention.

    The last event that names a card in a row is its play. Earlier events that name it make the rows look longer than
    they were, so that fewer cards are excluded.
    """
    out_1, out_2, out_3 = 0, 0, 0
    gives = -1
    before = 0
    ends = 0  # four bits a colour: the place that follows directly
    for i in range(n):
        who = event_actor(events[i])
        if who == CHANCE:
            continue
        action = event_heard(events[i])
        after = places_to(seat, who, k.seats)
        none = 0
        if gives > 0 and action != A_CLAIM:
            gives -= 1
        elif 0 <= action < CARDS:
            colour = action // RANKS
            place = action % RANKS
            end = (ends >> (4 * colour)) & 15
            if place > end and after != 0 and (k.rows >> action) & 1 == 1:
                none = skipped(ends, colour, end, place, k.pool)
                if none & ~(out_1 if after == 1 else out_2 if after == 2 else out_3) != 0 and named_later(events, n, i):
                    none = 0
            if place >= end:
                ends += (place + 1 - end) << (4 * colour)
        elif action == A_CLAIM:
            gives = k.seats + 0
        elif action == HIDDEN or (A_SEAT <= action < A_CLAIM and A_SEAT <= before < A_CLAIM):
            out_1, out_2, out_3 = 0, 0, 0  # a trade: any hand may have changed unseen
        elif A_HIGH <= action < A_AVOID:
            none = span(action - A_HIGH, 0, (TOP[k.seats] + 1) // 2 - 1)
        if none != 0:
            if after == 1:
                out_1 |= none
            elif after == 2:
                out_2 |= none
            elif after == 3:
                out_3 |= none
        before = action
    return possible(k, seat, 1, out_1), possible(k, seat, 2, out_2), possible(k, seat, 3, out_3)


@rule
def possible(k: State, seat: int, r: int, out: int) -> int:
    """The unseen cards among those that the seat r places on cannot have; none if it has more cards than are left."""
    if r >= k.seats:
        return 0
    q = seat_after(seat, r, k.seats)
    if count(k.pool & ~out) < k.hand_len[q] - count(k.hand[q]):
        return 0  # it does not play by the convention
    return out & k.pool


@rule
def share(k: State, q: int, without: int) -> int:
    """The probability that an unseen card, not excluded for seat q, is in its hidden hand."""
    unknown = k.hand_len[q] - count(k.hand[q])
    among = count(k.pool & ~without)
    if unknown <= 0 or among == 0:
        return 0
    return min(ONE, ONE * unknown // among)


@rule
def belief(k: State, seat: int, events: Cells, n: int) -> Belief:
    """The belief about the hands of the other seats."""
    one, two = seat_after(seat, 1, k.seats), seat_after(seat, 2, k.seats)
    d1, d2, d3 = excluded(k, seat, events, n)
    f1 = share(k, one, d1)
    f2 = share(k, two, d2) if k.seats > 2 else 0
    f3 = share(k, seat_after(seat, 3, k.seats), d3) if k.seats > 3 else 0
    return d1, d2, d3, f1, f2, f3
