"""What a seat's two cards are worth at Silver & Gold after one more expedition."""

from __future__ import annotations

from typing import NamedTuple

from tacit.bots.silver_and_gold.evaluation import (
    A_COIN,
    A_CROSS,
    A_PALM,
    POINT,
    RATE,
    WHOLE,
    alone,
    cards_value,
    certain,
    coins_worth,
    left_over,
    sure,
    together,
    value_of,
)
from tacit.bots.silver_and_gold.turns_needed import LANE, LANES, TURN, after_word, larger, turns_word
from tacit.core.bits import count
from tacit.core.rulekit import constant_array, inlined, rule
from tacit.games.silver_and_gold.board import palm_worth
from tacit.games.silver_and_gold.model import (
    CELLS,
    COIN_FIELDS,
    COINS,
    CROSSES,
    PALM_FIELDS,
    PALMS,
    ROUND,
    TROPHIES,
    State,
)
from tacit.games.silver_and_gold.shapes import EXPEDITIONS

LEAST = -(1 << 40)  # lower than any value
CARD = (1 << CELLS) - 1  # the cells of the first card
NEW_CARD = 1250  # turns saved by the next shape on a card just taken
# n // cards is (n * PER_CARD[cards]) >> 32.
PER_CARD = constant_array([0, *(WHOLE // cards + 1 for cards in range(1, sum(EXPEDITIONS) + 1))])
# The expeditions of a new round, as `Outlook` has them.
NEW_CARDS = sum(EXPEDITIONS)
NEW_FIRST = EXPEDITIONS[1] | EXPEDITIONS[0] << 16
NEW_OTHERS = EXPEDITIONS[5] | EXPEDITIONS[4] << 16 | EXPEDITIONS[3] << 32 | EXPEDITIONS[2] << 48


class Hand(NamedTuple):
    """A seat's cards and sheet when the turn began. In sets of cells the second card's are 16 higher."""

    v0: int  # the cards' values without symbols
    v1: int
    free: int
    crosses: int
    coin_cells: int
    palm_cells: int
    coins: int
    palms: int
    prize: int  # the next trophy
    price: int  # the value of a palm now; 0 where no cell has one


class Outlook(NamedTuple):
    """The expedition to come."""

    t: int  # the turns left after it; negative if there is none
    first: int  # cards of the first two shapes, in the lowest lanes, the first one's higher
    others: int  # cards of the other shapes, each in a lane, the first one's highest
    cards: int  # all of them
    per_card: int  # PER_CARD of that


@inlined
def hand_of(k: State, seat: int, t: int) -> Hand:
    """A seat's cards and sheet, t turns before the end."""
    c0 = k.card[seat, 0] + 0
    c1 = k.card[seat, 1] + 0
    crosses = 0
    coin_cells = 0
    palm_cells = 0
    if c0 >= 0:
        crosses, coin_cells, palm_cells = CROSSES[c0], COINS[c0], PALMS[c0]
    if c1 >= 0:
        crosses |= CROSSES[c1] << CELLS
        coin_cells |= COINS[c1] << CELLS
        palm_cells |= PALMS[c1] << CELLS
    free = k.free[seat, 0] | (k.free[seat, 1] << CELLS)
    v0, v1 = value_of(k, seat, c0, t), value_of(k, seat, c1, t)
    price = POINT * palm_worth(k) if free & palm_cells != 0 else 0
    coins, palms = k.coins[seat] + 0, k.palms[seat] + 0
    return Hand(v0, v1, free, crosses, coin_cells, palm_cells, coins, palms, TROPHIES - k.given, price)


@inlined
def outlook_of(k: State, t: int) -> Outlook:
    """The expedition after this turn, t turns before the end: one of the unseen, or of all when the round ends."""
    u = k.unseen
    cards = u[0] + u[1] + u[2] + u[3] + u[4] + u[5]
    first = u[1] | (u[0] << 16)
    others = u[5] | (u[4] << 16) | (u[3] << 32) | (u[2] << 48)
    if k.turn % ROUND == ROUND - 1:
        cards, first, others = NEW_CARDS, NEW_FIRST, NEW_OTHERS
    return Outlook(t - TURN, first, others, cards, PER_CARD[cards])


@inlined
def crossed(hand: Hand, free: int) -> tuple[int, int, int]:
    """The value of a seat's sheet when these cells are left free on its cards, and those of the two cards."""
    gone = hand.free & ~free
    coins = min(hand.coins + count(gone & hand.coin_cells), COIN_FIELDS)
    palms = min(hand.palms + count(gone & hand.palm_cells), PALM_FIELDS)
    crosses, coin_cells, palm_cells = free & hand.crosses, free & hand.coin_cells, free & hand.palm_cells
    v0 = (
        A_CROSS * count(crosses & CARD)
        + A_COIN * min(COIN_FIELDS - coins, count(coin_cells & CARD))
        + A_PALM * min(PALM_FIELDS - palms, count(palm_cells & CARD))
    )
    v1 = (
        A_CROSS * count(crosses >> CELLS)
        + A_COIN * min(COIN_FIELDS - coins, count(coin_cells >> CELLS))
        + A_PALM * min(PALM_FIELDS - palms, count(palm_cells >> CELLS))
    )
    sheet = coins_worth(coins, hand.coins, hand.prize) + hand.price * (palms - hand.palms)
    return sheet, hand.v0 + v0, hand.v1 + v1


# ------------------------------------------------------------------ one expedition ahead
@inlined
def sums_value(
    t: int, high: int, low: int, needed: int, first: int, others: int, copies_first: int, copies: int
) -> int:
    """The values after all shapes, times their cards, when each card is certain by itself: then they follow from the
    turns needed, of which each shape (lane) saves some."""
    total = 0
    for lane in range(2):
        then = needed - ((first >> (16 * lane)) & LANE)
        total += ((copies_first >> (48 - 16 * lane)) & LANE) * (
            high + ((low * sure(t, then)) >> 32) + left_over(t, then)
        )
    for lane in range(4):
        then = needed - ((others >> (16 * lane)) & LANE)
        total += ((copies >> (48 - 16 * lane)) & LANE) * (high + ((low * sure(t, then)) >> 32) + left_over(t, then))
    return total


@inlined
def value_at_most(o: Outlook, v0: int, turns0: int, sure0: int, v1: int, turns1: int, sure1: int) -> int:
    """No less than `value_ahead`, from words of TURNS alone, and how sure each card is after the best shape."""
    n0, m0 = turns0 & LANE, (turns0 >> 16) & LANE
    n1, m1 = turns1 & LANE, (turns1 >> 16) & LANE
    if o.t < 0:
        return cards_value(0, v0, n0, v1, n1)
    value = together(o.t, v0, (v0 * sure0) >> 32, v1, (v1 * sure1) >> 32, min(m0 + n1, n0 + m1))
    return max(value, cards_value(o.t + NEW_CARD, v0, n0, v1, n1)) if n0 == 0 or n1 == 0 else value  # a new card


@inlined
def sure_after(o: Outlook, turns: int) -> int:
    """How sure a card is, with this word of TURNS, after the best shape."""
    return sure(max(0, o.t), (turns >> 16) & LANE)


@rule
def value_ahead(o: Outlook, v0: int, v1: int, f0: int, f1: int, enough: int) -> int:
    """The average value of two cards with these free cells after the next expedition; LEAST if it is surely less than
    `enough`."""
    now0, now1 = turns_word(f0 & CARD), turns_word(f1 & CARD)
    most = value_at_most(o, v0, now0, sure_after(o, now0), v1, now1, sure_after(o, now1))
    return value_within(o, v0, v1, f0, f1, most, enough)


@rule
def value_within(o: Outlook, v0: int, v1: int, f0: int, f1: int, most: int, enough: int) -> int:
    """`value_ahead`, where that is known to be at most so much."""
    if o.t < 0:
        return most
    if most < enough:
        return LEAST
    now0, now1 = turns_word(f0 & CARD), turns_word(f1 & CARD)
    n0, n1 = now0 & LANE, now1 & LANE
    needed = n0 + n1
    if certain(o.t, n0) and certain(o.t, n1):
        first = larger(n0 * LANES - now0, n1 * LANES - now1)
        others = larger(n0 * LANES - after_word(f0 & CARD), n1 * LANES - after_word(f1 & CARD))
        if certain(o.t, needed):
            if f0 == 0 or f1 == 0:
                first, others = larger(first, NEW_CARD * LANES), larger(others, NEW_CARD * LANES)
            saved = (((first >> 32) * o.first) >> 16) & 0xFFFF
            saved += ((others * o.others) >> 48) & 0xFFFF
            return v0 + v1 + left_over(o.t, needed) + ((RATE * saved * o.per_card) >> 32)
        high, low = max(v0, v1), min(v0, v1)
        total = sums_value(o.t, high, low, needed, first >> 32, others, o.first << 32, o.others)
    else:
        taken = cards_value(o.t + NEW_CARD, v0, n0, v1, n1) if f0 == 0 or f1 == 0 else LEAST  # a new card
        first0, first1 = alone(o.t, v0, n0), alone(o.t, v1, n1)
        after0, after1 = after_word(f0 & CARD), after_word(f1 & CARD)
        left, least_total = o.cards, enough * o.cards
        total = 0
        for shape in range(6):
            copies = ((o.first >> (16 - 16 * shape)) if shape < 2 else (o.others >> (80 - 16 * shape))) & LANE
            if copies > 0:
                m0 = ((now0 >> (32 + 16 * shape)) if shape < 2 else (after0 >> (16 * shape - 32))) & LANE
                m1 = ((now1 >> (32 + 16 * shape)) if shape < 2 else (after1 >> (16 * shape - 32))) & LANE
                best = together(o.t, v0, alone(o.t, v0, m0), v1, first1, m0 + n1)
                best = max(best, together(o.t, v0, first0, v1, alone(o.t, v1, m1), n0 + m1))
                total += copies * max(best, taken)
                left -= copies
                if total + left * most < least_total:
                    return LEAST
    return (total * o.per_card) >> 32
