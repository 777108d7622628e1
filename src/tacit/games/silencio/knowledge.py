"""Who knows what in Silencio (S24, S25): the only way out of a state."""

from __future__ import annotations

from tacit.core.bits import count, nth, spread, with_one
from tacit.core.chance import below
from tacit.core.clockwise import places_to, seat_after
from tacit.core.events import HIDDEN
from tacit.core.random_play import NOBODY
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import face_up, proved, whole_deck
from tacit.games.silencio.model import *


@rule
def know(s: State, seat: int, k: State) -> None:
    """Fill an empty record with what a seat, or a spectator, knows."""
    know_public(s, k)
    me = PUBLIC if seat == NOBODY else seat
    mine = 0 if seat == NOBODY else s.hand[seat]
    in_sight = mine | s.known[me]
    placed = s.rows | s.oracle | s.gone | face_up(s)
    for q in range(s.seats):
        k.hand[q] = s.hand[q] & in_sight
        placed |= k.hand[q]
    # All who know a card see when a mark on it is set or dropped: they know who else knows it.
    for q in range(PUBLIC + 1):
        k.known[q] = s.known[q] & in_sight
    k.pool = whole_deck(s) & ~placed
    if seat == s.active:
        k.rescue = s.rescue  # that it could not play is the active seat's secret


@rule
def know_public(s: State, k: State) -> None:
    """S24: what everyone sees."""
    k.seats = s.seats
    k.rules = s.rules
    k.tavern = s.tavern
    k.unlit = s.unlit
    k.phase = s.phase
    k.starter = s.starter
    k.active = s.active
    k.decider = s.decider
    k.stage = s.stage
    k.effect = s.effect
    k.forced = s.forced
    k.partner = s.partner
    k.chosen = s.chosen
    k.turning = s.turning
    k.passes = s.passes
    k.shrined = s.shrined
    k.no_dark = s.no_dark
    k.no_light = s.no_light
    k.duty = s.duty
    k.only_green = s.only_green
    k.darks = s.darks
    k.said = s.said
    k.said_by = s.said_by
    k.stuck = s.stuck
    k.drawn = s.drawn
    k.lit = s.lit
    k.deck = s.deck
    k.rows = s.rows
    k.dark = s.dark
    k.oracle = s.oracle
    k.gone = s.gone
    for q in range(s.seats):
        k.hand_len[q] = s.hand_len[q]
        k.up[q] = s.up[q]
        k.lacks[q] = s.lacks[q]
        k.holds[q] = s.holds[q]
        k.counted[q] = s.counted[q]
        k.counted_of[q] = s.counted_of[q]


@rule
def overhear(s: State, seat: int, who: int, action: int) -> int:
    """What a seat hears of a step about to be made: the action, or HIDDEN where it does not learn the card."""
    if s.phase == DEAL:
        return action if seat == s.decider else HIDDEN
    if s.phase != PASSING and s.phase != TRADE and s.phase != RETURN:
        return action
    receiver = seat_after(who, 1, s.seats)
    if s.phase == TRADE:
        receiver = s.partner + 0
    elif s.phase == RETURN:
        receiver = s.chosen + 0
    if seat in (who, receiver) or s.up[who] & (1 << action) != 0:
        return action
    return HIDDEN


# ------------------------------------------------------------------ imagining
@rule
def imagine(k: State, seat: int, rng: Cells) -> None:
    """Deal the cards of unknown place to the other hands, the rest is the deck; all possibilities are equally likely.

    Possible is what agrees with all that passes, draws, shrines and statements have proved. Marks that others may have
    on such cards are left out: the seat cannot know of them.
    """
    unseen = k.pool
    while not deal_unseen(k, unseen, rng):
        k.pool = unseen
        for q in range(k.seats):
            k.hand[q] &= ~unseen


@rule
def deal_unseen(k: State, unseen: int, rng: Cells) -> bool:
    """Deal each seat cards that it may hold; True if the deal is possible, and if it may count.

    Each seat in its turn has as many hands to choose from as the deal before it leaves. So that every deal is as likely
    as any other, one that leaves fewer than there could be is taken only in proportion.
    """
    dealt = 0
    before = 0  # what the seats before could hold
    for q in range(k.seats):
        missing = k.hand_len[q] - count(k.hand[q])
        may = possible_cards(k, q, missing) & unseen
        left = count(may & k.pool)
        most = count(may) - max(0, dealt - count(before & ~may))
        if left < most:
            for i in range(missing):
                if below(rng, most - i) >= left - i:
                    return False
        for _ in range(missing):
            card = nth(may & k.pool, below(rng, count(may & k.pool)))
            k.pool &= ~(1 << card)
            k.hand[q] |= 1 << card
        if not proved(k, q):
            return False
        dealt += missing
        if missing > 0:
            before |= may
    return True


@rule
def possible_cards(k: State, q: int, missing: int) -> int:
    """The cards that can be among those of a seat that are `missing` in knowledge, by what it proved."""
    cards = ~k.lacks[q]
    counted = k.counted_of[q] - count(k.hand[q] & k.counted[q])
    if counted == 0:
        cards &= ~k.counted[q]
    elif counted == missing:
        cards &= k.counted[q]
    return cards


@rule
def observe(k: State, seat: int, out: Cells) -> None:
    """Write the tensor of FIELDS (observation.py), in their order, from a seat's knowledge."""
    n = k.seats
    at = spread(out, 0, k.hand[seat], CARDS)
    for r in range(1, 4):
        at = spread(out, at, k.hand[seat_after(seat, r, n)] & k.known[seat] if r < n else 0, CARDS)
    for r in range(4):
        at = spread(out, at, k.up[seat_after(seat, r, n)] if r < n else 0, CARDS)
    for r in range(1, 4):
        at = spread(out, at, k.known[seat_after(seat, r, n)] & k.hand[seat] if r < n else 0, CARDS)
    at = spread(out, at, k.known[PUBLIC] & k.hand[seat], CARDS)
    at = spread(out, at, k.oracle, CARDS)
    at = spread(out, at, k.rows, CARDS)
    at = spread(out, at, k.dark, CARDS)
    at = spread(out, at, k.gone, CARDS)
    at = spread(out, at, 0 if k.drawn == 0 else 1 << (k.drawn - 1), CARDS)
    # Small fields, together: two instructions instead of one a cell.
    ones = k.lit | k.no_dark << 5 | k.no_light << 6 | k.duty << 7 | k.only_green << 8 | k.shrined << 9 | k.forced << 10
    ones |= (k.rescue if seat == k.active else 0) << 11 | k.tavern << 12
    ones = with_one(ones, 13, k.phase, PHASES)
    ones = with_one(ones, PHASES + 13, k.stage, 3)
    ones = with_one(ones, PHASES + 16, k.effect, COLOURS)
    ones = with_one(ones, PHASES + COLOURS + 16, places_to(seat, k.decider, n), 4)
    ones = with_one(ones, PHASES + COLOURS + 20, places_to(seat, k.active, n), 4)
    ones = with_one(ones, PHASES + COLOURS + 24, 4 if k.starter < 0 else places_to(seat, k.starter, n), 5)
    ones = with_one(ones, PHASES + COLOURS + 29, places_to(seat, k.partner, n), 4)
    ones = with_one(ones, PHASES + COLOURS + 33, places_to(seat, k.chosen, n), 4)
    at = spread(out, at, ones, PHASES + COLOURS + 37)
    ones = with_one(0, 0, k.said, 10)
    ones = with_one(ones, 10, places_to(seat, k.said_by, n), 4)
    ones = with_one(ones, 14, n - 2, 3)
    at = spread(out, at, ones, 17)
    unseen = k.deck
    for r in range(4):
        q = seat_after(seat, r, n)
        out[at + r] = k.hand_len[q] if r < n else 0
        if 0 < r < n:
            unseen += k.hand_len[q] - count(k.hand[q] & k.known[seat])
    at += 4
    out[at] = k.deck
    out[at + 1] = k.darks
    out[at + 2] = k.passes
    out[at + 3] = k.stuck
    out[at + 4] = k.turning
    out[at + 5] = unseen
    out[at + 6] = k.rules
