"""Inference from plays: a seat that passes over cards holds none that would have passed over fewer."""

from __future__ import annotations

from tacit.bots.silencio.evaluation import ONE, Belief
from tacit.core.bits import count, lowest
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
# NAMED[1 + heard]: the card that an event names with all lower ones of its colour, or one of TELLS, shifted by CARDS.
TELLS_SEAT, TELLS_HIDDEN, TELLS_HIGH, TELLS_CLAIM = 1, 2, 4, 8
NAMED = constant_array(
    ((2 << heard % RANKS) - 1) << (heard // RANKS * RANKS) if 0 <= heard < CARDS
    else TELLS_HIDDEN << CARDS if heard == HIDDEN
    else TELLS_SEAT << CARDS if A_SEAT <= heard < A_CLAIM
    else TELLS_HIGH << CARDS if A_HIGH <= heard < A_AVOID
    else TELLS_CLAIM << CARDS if heard == A_CLAIM
    else 0
    for heard in range(HIDDEN, ACTIONS)
)  # fmt: skip


# The memory. memory[1 + card]: of its last event, the cards that did not fit before it, and who made it.
(
    READ,  # how many events have been read
    GIVES,  # how many cards are still to be passed before the first turn
    UNDER,  # the cards that no longer fit
    JUMPS,  # the cards whose last event passes over others
    HIGH,  # who has said of which colour that its cards are high: bit 4 * seat + colour
    BEFORE,  # what the last event told
    NO_CARD,  # for events that name none
) = range(CARDS + 1, CARDS + 8)


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
    n = count(passed)
    first = LOWEST * ((1 << n) - 1)  # so many lowest cards of each colour
    up_to = (under & ~(first << (RANKS - n))) << n | first
    return up_to & ~under & pool | passed


@rule
def read(k: State, seat: int, events: Cells, n: int, memory: Cells) -> None:
    """Read the events that are not yet in the memory.

    The last event that names a card in a row is its play. Earlier events that name it make the rows look longer than
    they were, so that fewer cards are excluded.
    """
    gives, under, jumps, high, before = memory[GIVES], memory[UNDER], memory[JUMPS], memory[HIGH], memory[BEFORE]
    for i in range(memory[READ], n):
        who = event_actor(events[i])
        if who == CHANCE:
            continue
        if gives > 0:
            gives -= 1
            continue
        at = event_heard(events[i]) + 1
        named, tells = NAMED[at] & EVERY_CARD, NAMED[at] >> CARDS
        trade = tells & (before & TELLS_SEAT | TELLS_HIDDEN) != 0  # any hand may have changed unseen
        jumps = 0 if trade else jumps
        high = 0 if trade else high
        if tells == TELLS_HIGH:
            high |= 1 << (4 * who + at - 1 - A_HIGH)
        if tells == TELLS_CLAIM:
            gives = k.seats + 0
        card = named & ~(named >> 1)
        memory[at if at <= CARDS else NO_CARD] = under | who << CARDS
        jumps = jumps | card if named & ~under & ~card != 0 and who != seat else jumps & ~card
        under |= named
        before = tells
    memory[READ], memory[GIVES], memory[UNDER] = n, gives, under
    memory[JUMPS], memory[HIGH], memory[BEFORE] = jumps, high, before


@rule
def excluded(k: State, seat: int, events: Cells, n: int, memory: Cells) -> tuple[int, int, int]:
    """The unseen cards that the seats one, two and three places on cannot have if they play by the convention."""
    read(k, seat, events, n, memory)
    out_1, out_2, out_3 = 0, 0, 0
    jumps = memory[JUMPS] & k.rows
    while jumps != 0:
        at = lowest(jumps) + 1
        jumps &= jumps - 1
        under = memory[at] & EVERY_CARD
        none = skipped(under, NAMED[at] & ~under & k.pool, k.pool)
        r = places_to(seat, memory[at] >> CARDS, k.seats)
        out_1, out_2, out_3 = out_1 | none * (r == 1), out_2 | none * (r == 2), out_3 | none * (r == 3)
    high = memory[HIGH]
    while high != 0:
        r = places_to(seat, lowest(high) >> 2, k.seats)
        none = span(lowest(high) & 3, 0, (TOP[k.seats] + 1) // 2 - 1)
        out_1, out_2, out_3 = out_1 | none * (r == 1), out_2 | none * (r == 2), out_3 | none * (r == 3)
        high &= high - 1
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
def belief(k: State, seat: int, events: Cells, n: int, memory: Cells) -> Belief:
    """The belief about the hands of the other seats."""
    one, two = seat_after(seat, 1, k.seats), seat_after(seat, 2, k.seats)
    d1, d2, d3 = excluded(k, seat, events, n, memory)
    f1 = share(k, one, d1)
    f2 = share(k, two, d2) if k.seats > 2 else 0
    f3 = share(k, seat_after(seat, 3, k.seats), d3) if k.seats > 3 else 0
    return k.pool & ~d1, k.pool & ~d2, k.pool & ~d3, f1, f2, f3
