"""`steady` at Silver & Gold: an evaluation in expected points, with a lookahead of one expedition."""

from __future__ import annotations

from tacit.bots.silver_and_gold.crossings import best_crossing
from tacit.bots.silver_and_gold.evaluation import (
    beside,
    certain,
    hand_worth,
    left_over,
    paired,
    sure,
    symbols_of,
    value_of,
)
from tacit.bots.silver_and_gold.turns_needed import TURN, turns_of
from tacit.core.bits import count, lowest, nth, only
from tacit.core.events import HEARS_NOTHING
from tacit.core.rulekit import inlined, rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.model import A_DECK, ISLANDS, KEEP, PAIRS, TAKE, TURNS, State

NAME, GAME = "steady", "silver-and-gold"
STYLE = "Fills its islands without leaving awkward holes, and in the last turns starts nothing it cannot finish."
ASSUMES = "Of its rivals only that they too take trophies and cards."
HEARS = HEARS_NOTHING

BLIND = -900  # a blind card, beyond the average one
DISPLAYED = (1 << A_DECK) - 1


# ------------------------------------------------------------------ choosing cards
@inlined
def beside_other(k: State, seat: int, card: int, other: int, w: int, n: int, share: int, t: int) -> int:
    """The value of taking a card beside another one, which has value w, needs n turns and is so sure."""
    free = ISLANDS[card]
    v = value_of(k, seat, card, t) + symbols_of(card, free, k.coins[seat], k.palms[seat])
    needed = turns_of(free)
    if certain(t, needed + n):
        return v + w + left_over(t, needed + n) + paired(card, other)
    return beside(t, v, needed, w, n, share) + paired(card, other)


@rule
def best_card(k: State, seat: int, cards: int, t: int) -> int:
    """The card of the display, or A_DECK, that is worth most beside the seat's other card."""
    slot = 1 if k.card[seat, 0] < 0 else 0
    other, free = k.card[seat, slot] + 0, k.free[seat, slot] + 0
    w = value_of(k, seat, other, t)
    if other >= 0:
        w += symbols_of(other, free, k.coins[seat], k.palms[seat])
    n = turns_of(free)
    share = sure(t, n)
    best = -1
    most = 0
    for i in range(count(cards & DISPLAYED)):
        card = nth(cards, i)
        value = beside_other(k, seat, card, other, w, n, share, t)
        if best < 0 or value > most:
            best, most = card, value
    if (cards >> A_DECK) & 1 == 1:
        total = 0
        pool = k.pool + 0
        while pool != 0:
            total += beside_other(k, seat, lowest(pool), other, w, n, share, t)
            pool &= pool - 1
        if best < 0 or total // max(1, count(k.pool)) + BLIND > most:
            best = A_DECK
    return best


# ------------------------------------------------------------------ the decision
@rule
def decide(k: State, seat: int, mask: Cells) -> int:
    """The legal decision with the highest value, the first among equals."""
    if k.phase != KEEP and k.phase != TAKE:
        return best_crossing(k, seat, mask)
    t = TURN * (TURNS - 1 - k.turn)  # after this turn
    if k.phase == TAKE:
        return best_card(k, seat, mask[0], t)
    best = -1
    most = 0
    for i in range(count(mask[0])):
        action = nth(mask[0], i)
        first = nth(k.hand[seat], PAIRS[action][0])
        second = nth(k.hand[seat], PAIRS[action][1])
        value = hand_worth(k, seat, first, second, t + TURN)
        if best < 0 or value > most:
            most = value
            best = action
    return best


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """The only legal decision; -1 where there are several."""
    return only(mask)


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The legal decision with the highest value."""
    return decide(k, seat, mask)
