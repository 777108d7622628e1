"""Who knows what in Silver & Gold (G14): the only way out of a state."""

from __future__ import annotations

from tacit.core.bits import copy_cells, copy_grid, count, lowest, nth, spread, with_one
from tacit.core.chance import below
from tacit.core.clockwise import places_to, seat_after, seats_from
from tacit.core.events import HIDDEN, UNHEARD
from tacit.core.random_play import NOBODY
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import *
from tacit.games.silver_and_gold.deck import CARDS
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.shapes import SHAPES


@rule
def know(s: State, seat: int, k: State) -> None:
    """Fill an empty record with what a seat, or a spectator, knows."""
    know_public(s, k)
    k.pool = s.pool
    if s.phase == DEAL or s.phase == KEEP:
        # No card is on the table yet: every card outside the own hand may be in the deck or in another hand.
        k.pool = WHOLE_DECK
        if seat != NOBODY:
            k.pool &= ~s.hand[seat]
            k.hand[seat] = s.hand[seat]
            k.kept[seat] = s.kept[seat]
    elif s.phase == CROSS_OFF:
        if seat != NOBODY:
            know_crossings(s, seat, k)
    else:
        copy_cells(k.main, s.main)


@rule
def know_public(s: State, k: State) -> None:
    """G14: what everyone sees. G06: also the expeditions of this round, which an attentive player remembers."""
    k.seats = s.seats
    k.deck = s.deck
    k.phase = s.phase
    k.turn = s.turn
    k.starter = s.starter
    k.active = s.active
    k.takes = s.takes
    k.shape = s.shape
    k.done = s.done
    k.left = s.left
    k.given = s.given
    k.display = s.display
    copy_cells(k.unseen, s.unseen)
    copy_cells(k.completed, s.completed)
    copy_cells(k.rows, s.rows)
    copy_cells(k.coins, s.coins)
    copy_cells(k.palms, s.palms)
    copy_grid(k.card, s.card)
    copy_grid(k.free, s.free)
    copy_grid(k.palm, s.palm)
    copy_grid(k.trophies, s.trophies)


@rule
def know_crossings(s: State, seat: int, k: State) -> None:
    """G07: of this turn's crossings a seat knows its own, until the last seat is done."""
    for slot in range(KEPT):
        k.pending[seat, slot] = s.pending[seat, slot]
    k.bonus[seat] = s.bonus[seat]
    k.main[seat] = s.main[seat]


@rule
def overhear(s: State, seat: int, who: int, action: int) -> int:
    """What a seat hears of a step about to be made: the action, HIDDEN or UNHEARD.

    G05: a choice of cards is UNHEARD by the others, until the last one opens all; they see the cards, but not which of
    its hand a seat chose. G06: expeditions and crossings are UNHEARD, since they are withdrawn at the end of the turn.
    """
    if s.phase == REVEAL or s.phase == CROSS_OFF:
        return UNHEARD
    if s.phase == DEAL:
        return action if seat == s.active else HIDDEN
    if s.phase == KEEP and seat != who:
        return HIDDEN if s.done | (1 << who) == (1 << s.seats) - 1 else UNHEARD
    return action


# ------------------------------------------------------------------ imagining
@rule
def imagine(k: State, seat: int, rng: Cells) -> None:
    """Other hands from the unseen cards, and for each seat that is done some legal choice; the rest has not begun."""
    if k.phase == DEAL or k.phase == KEEP:
        imagine_hands(k, seat, rng)
    elif k.phase == CROSS_OFF:
        for q in range(k.seats):
            if q != seat and (k.done >> q) & 1:
                imagine_crossings(k, q, rng)


@rule
def imagine_hands(k: State, seat: int, rng: Cells) -> None:
    """G05: all hands are equally likely; of a seat that is done, all pairs."""
    dealt = CARDS - k.left
    for q in range(k.seats):
        if q != seat:
            for _ in range(min(DEALT, max(0, dealt - DEALT * q))):
                card = nth(k.pool, below(rng, count(k.pool)))
                k.pool &= ~(1 << card)
                k.hand[q] |= 1 << card
            if k.phase == KEEP and (k.done >> q) & 1:
                k.kept[q] = 1 + below(rng, len(PAIRS))


@rule
def imagine_crossings(k: State, seat: int, rng: Cells) -> None:
    """G07, G08: a seat that is done has made one random legal choice after the other, to the end of its chain."""
    if not can_cross(k, seat):
        return  # it has no cards
    while True:
        first = choices(k, seat, 0)
        second = choices(k, seat, 1)
        at = below(rng, count(first) + count(second))
        action = nth(first, at) if at < count(first) else A_SLOT + nth(second, at - count(first))
        slot = action // A_SLOT
        cells = crossing(k.shape, action)
        if k.bonus[seat] > 0:
            k.bonus[seat] -= 1
        else:
            k.main[seat] = action + 1
        k.pending[seat, slot] |= cells
        k.bonus[seat] += count(cells & CROSSES[k.card[seat, slot]])
        if k.bonus[seat] == 0 or not can_cross(k, seat):
            k.bonus[seat] = 0
            return


@rule
def alone(k: State, seat: int) -> None:
    """As if no other seat were done yet: so a seat's last choice opens nothing, and its result can be shown to it."""
    if k.phase == KEEP or k.phase == CROSS_OFF:
        for q in range(k.seats):
            if q != seat and (k.phase == KEEP or can_cross(k, q)):
                k.done &= ~(1 << q)


# ------------------------------------------------------------------ the tensor
@rule
def put_island(out: Cells, at: int, card: int) -> int:
    """A card as ISLAND cells, all 0 for no card (-1); the place after them."""
    return spread(out, spread(out, at, FRONTS[card], 3 * CELLS), RESTS[card], CELLS + 3 * COLOURS)


@rule
def put_islands(out: Cells, at: int, cards: int, size: int) -> int:
    """The cards of a set in their order, as `size` islands; the place after them."""
    for _ in range(size):
        at = put_island(out, at, lowest(cards) if cards != 0 else -1)
        cards &= cards - 1
    return at


@rule
def observe(k: State, seat: int, out: Cells) -> None:
    """Write the tensor of FIELDS (observation.py), in their order, from a seat's knowledge."""
    n = k.seats
    at = put_islands(out, 0, k.hand[seat], DEALT)
    for r in range(MAX_SEATS):
        q = seat_after(seat, r, n)
        at = put_island(out, at, k.card[q, 0] if r < n else -1)
        at = put_island(out, at, k.card[q, 1] if r < n else -1)
    at = spread(out, at, free_now(k, seat, 0) | (free_now(k, seat, 1) << CELLS), 2 * CELLS)
    for r in range(1, MAX_SEATS):
        q = seat_after(seat, r, n)
        at = spread(out, at, k.free[q, 0] | (k.free[q, 1] << CELLS) if r < n else 0, 2 * CELLS)
    at = spread(out, at, k.pending[seat, 0] | (k.pending[seat, 1] << CELLS), 2 * CELLS)
    at = put_islands(out, at, k.display, DISPLAY)
    # While hands are dealt and chosen, the cards whose place the seat does not know.
    at = spread(out, at, WHOLE_DECK & ~k.hand[seat] if k.phase == DEAL or k.phase == KEEP else k.pool, CARDS)
    ones = with_one(0, 0, k.phase, PHASES)
    ones = with_one(ones, PHASES, k.shape, SHAPES)
    ones = with_one(ones, PHASES + SHAPES, places_to(seat, k.starter, n) if k.starter >= 0 else -1, 4)
    ones = with_one(ones, PHASES + SHAPES + 4, places_to(seat, k.active, n), 4)
    ones |= seats_from(k.done, seat, n) << (PHASES + SHAPES + 8)
    ones = with_one(ones, PHASES + SHAPES + 12, n - 2, 3)
    at = spread(out, at, ones, PHASES + SHAPES + 15)
    for shape in range(SHAPES):
        out[at + shape] = k.unseen[shape]
    at += SHAPES
    for r in range(MAX_SEATS):
        put_score(
            out, at + r * COLOURS, at + (MAX_SEATS + r) * COLOURS, k.completed[seat_after(seat, r, n)] if r < n else 0
        )
    at += 2 * MAX_SEATS * COLOURS
    for r in range(MAX_SEATS):
        q = seat_after(seat, r, n)
        there = 1 if r < n else 0
        out[at + r] = there * k.coins[q]
        out[at + 4 + r] = there * k.rows[q]
        out[at + 8 + r] = there * trophy_points(k, q)
        out[at + 12 + r] = there * k.palms[q]
        out[at + 16 + r] = there * min(127, palm_points(k, q))
    at += 5 * MAX_SEATS
    out[at] = k.bonus[seat]
    out[at + 1] = k.kept[seat]
    out[at + 2] = k.takes
    out[at + 3] = k.turn
    out[at + 4] = k.left
    out[at + 5] = k.given
    out[at + 6] = palm_worth(k) - 1


@rule
def put_score(out: Cells, at: int, seals: int, cards: int) -> None:
    """Completed cards by colour at `at`, and the worth of their seals by colour at `seals`."""
    for colour in range(COLOURS):
        out[at + colour] = count(cards & COLOUR_CARDS[colour])
        out[seals + colour] = count(cards & SEALED[2 * colour]) + 2 * count(cards & SEALED[2 * colour + 1])
