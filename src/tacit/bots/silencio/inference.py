"""Inference from plays: a seat that passes over cards holds none that would have passed over fewer."""

from __future__ import annotations

from tacit.bots.silencio.evaluation import ONE, Belief
from tacit.core.bits import count
from tacit.core.clockwise import places_to, seat_after
from tacit.core.events import HIDDEN, event_actor, event_heard
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import (
    A_AVOID,
    A_CLAIM,
    A_HIGH,
    A_SEAT,
    ACTIONS,
    CARDS,
    COLOURS,
    EVERY_CARD,
    RANKS,
    TOP,
    State,
)

LOWEST = sum(1 << (colour * RANKS) for colour in range(COLOURS))  # the lowest card of each colour
TELLS = 1 << CARDS
# NAMED[1 + heard]: the card that an event names with all lower ones of its colour; TELLS for a claim, a hidden card, a
# seat and a statement about high cards.
NAMED = constant_array(
    ((2 << heard % RANKS) - 1) << (heard // RANKS * RANKS) if 0 <= heard < CARDS
    else TELLS if heard == HIDDEN or A_SEAT <= heard <= A_CLAIM or A_HIGH <= heard < A_AVOID
    else 0
    for heard in range(HIDDEN, ACTIONS)
)  # fmt: skip


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
def skipped(under: int, passed: int, pool: int) -> int:
    """The unseen cards that a seat cannot have which passes over these of a colour, when the cards `under` do not fit.

    It has none of them, and of each other colour none of so many next ones.
    """
    none = (under << 1 | LOWEST) & ~under
    for _ in range(count(passed) - 1):
        none |= (none << 1) & ~LOWEST
    return none & pool | passed


@rule
def excluded(k: State, seat: int, events: Cells, n: int) -> tuple[int, int, int]:
    """The unseen cards that the seats one, two and three places on cannot have if they play by the convention.

    The last event that names a card in a row is its play. Earlier events that name it make the rows look longer than
    they were, so that fewer cards are excluded.
    """
    out_1, out_2, out_3 = 0, 0, 0
    gives = 0
    before = 0
    under = 0  # the cards that no longer fit
    for i in range(n):
        who = event_actor(events[i])
        if who == CHANCE:
            continue
        action = event_heard(events[i])
        if gives > 0 and action != A_CLAIM:
            gives -= 1
            before = action
            continue
        named = NAMED[action + 1]
        passed = named & ~under & k.pool
        none = 0
        if passed != 0 and who != seat and (k.rows >> action) & 1 == 1:
            none = skipped(under, passed, k.pool)
            after = places_to(seat, who, k.seats)
            if none & ~(out_1 if after == 1 else out_2 if after == 2 else out_3) != 0 and named_later(events, n, i):
                none = 0
        under |= named & EVERY_CARD
        if named & TELLS != 0:
            if action == A_CLAIM:
                gives = k.seats + 0
            elif action == HIDDEN or (action < A_CLAIM and A_SEAT <= before < A_CLAIM):
                out_1, out_2, out_3 = 0, 0, 0  # a trade: any hand may have changed unseen
            elif action >= A_HIGH:
                none = span(action - A_HIGH, 0, (TOP[k.seats] + 1) // 2 - 1)
        if none != 0:
            after = places_to(seat, who, k.seats)
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
