"""What a seat is told of a state of Silver & Gold, decided as numbers; `words.py` and `view.py` make words of them."""

from __future__ import annotations

from tacit.core.bits import lowest
from tacit.core.clockwise import places_to, seat_after
from tacit.core.rulekit import rule
from tacit.games.silver_and_gold.board import *
from tacit.games.silver_and_gold.model import *

# What a seat is asked; those of the second line tell something with it: how many, which shape, or who.
(ASK_OVER, ASK_CHANCE, ASK_KEEP, ASK_KEEP_DONE, ASK_KEEP_OTHER, ASK_DONE, ASK_NOTHING) = range(7)
(ASK_BONUS, ASK_CROSS, ASK_SINGLE, ASK_CROSS_OTHER, ASK_TAKE, ASK_TAKE_OTHER) = range(7, 13)


@rule
def question(k: State, seat: int) -> int:
    """Whose decision it is and about what, for the one who reads it: one of the numbers above, and 16 times what it
    tells.
    """
    sits = 0 <= seat < k.seats
    if k.phase == OVER:
        return ASK_OVER
    if k.phase == KEEP:
        if not sits:
            return ASK_KEEP_OTHER
        return ASK_KEEP_DONE if (k.done >> seat) & 1 == 1 else ASK_KEEP
    if k.phase == CROSS_OFF:
        return question_of_crossing(k, seat) if sits else ASK_CROSS_OTHER | (k.shape << 4)
    if k.phase == TAKE:
        return ASK_TAKE | (k.takes << 4) if seat == k.active else ASK_TAKE_OTHER | (k.active << 4)
    return ASK_CHANCE


@rule
def question_of_crossing(k: State, seat: int) -> int:
    if k.bonus[seat] > 0:
        return ASK_BONUS | (k.bonus[seat] << 4)
    if (k.done >> seat) & 1 == 1:
        return ASK_DONE if k.card[seat, 0] >= 0 or k.card[seat, 1] >= 0 else ASK_NOTHING
    fits = fitting(k.shape, free_now(k, seat, 0)) | fitting(k.shape, free_now(k, seat, 1))
    return (ASK_CROSS if fits != 0 else ASK_SINGLE) | (k.shape << 4)


@rule
def waiting(k: State) -> int:
    """What waits to be settled: 1 for the last turn; of each seat that is still to settle five bits, from bit 1 on, in
    their order: who (2), whether it gets trophies (1), how many cards it has completed (2).
    """
    if k.phase == REVEAL or k.phase == CROSS_OFF:
        return 1 if k.turn == TURNS - 1 else 0
    if k.starter < 0 or (k.phase != TAKE and k.phase != BLIND and k.phase != SHOW):
        return 0
    waits = 0
    at = 1
    for r in range(places_to(k.starter, k.active, k.seats) + 1, k.seats):
        q = seat_after(k.starter, r, k.seats)
        cards = 0
        for slot in range(KEPT):
            if k.card[q, slot] >= 0 and k.free[q, slot] == 0:
                cards += 1
        waits |= (q | (4 if k.rows[q] > 0 else 0) | (cards << 3)) << at
        at += 5
    return waits


@rule
def brought(k: State, seat: int) -> int:
    """What a seat's own crossings of this turn bring it, as far as it has come; from bit 0 on: cells still to cross off
    (6 bits), coins (4), the next trophy's points (3), palms (3), what each scores (7), points of seals (11), and the
    cards completed, each as its number and 1 more (6 each).
    """
    now = coins_now(k, seat)
    palms = palms_now(k, seat) - k.palms[seat]
    trophy = TROPHIES - k.given if now // COIN_ROW > k.coins[seat] // COIN_ROW else 0
    whole = completing(k, seat)
    seals = 0
    cards = 0
    if whole != 0:
        seals = seal_points(k.completed[seat] | whole) - seal_points(k.completed[seat])
        while whole != 0:
            cards = (cards << 6) | (lowest(whole) + 1)
            whole &= whole - 1
    worth = palm_worth(k) if palms > 0 else 0
    found = k.bonus[seat] | ((now - k.coins[seat]) << 6) | (trophy << 10) | (palms << 13) | (worth << 16)
    return found | (seals << 23) | (cards << 34)


@rule
def completing(k: State, seat: int) -> int:
    """The set of a seat's cards that its crossings of this turn complete."""
    whole = 0
    for slot in range(KEPT):
        if completes(k, seat, slot) == 1:
            whole |= 1 << k.card[seat, slot]
    return whole


@rule
def completes(k: State, seat: int, slot: int) -> int:
    """1 if a seat's crossings of this turn complete its card in this slot, else 0."""
    return 1 if k.pending[seat, slot] != 0 and free_now(k, seat, slot) == 0 else 0


(PLACE, BONUS_FIRST, SEAT_DONE, CELLS_CROSSED, NO_ROOM) = range(5)  # the last two tell the shape


@rule
def obstacle(shape: int, card: int, free: int, bonus: int, done: int) -> int:
    """Why the shape cannot be crossed off on the free cells of a card now: its seat must cross off a bonus cell first
    (`bonus` of them), is done (1), or has no place for it; PLACE if it can.
    """
    if bonus > 0:
        return BONUS_FIRST
    if done == 1:
        return SEAT_DONE
    if fitting(shape, free) != 0:
        return PLACE
    return CELLS_CROSSED if fitting(shape, ISLANDS[card]) != 0 else NO_ROOM
