"""`steady` at Silver & Gold: an evaluation in expected points, with a lookahead of one expedition.

The value of a seat's two cards is that of their points, seals and symbols, times the probability that they are
completed in the remaining turns, plus the points that the turns left over bring on further cards.
"""

from __future__ import annotations

import math

from tacit.bots.silver_and_gold.turns_needed import TURN, turns_after, turns_of
from tacit.core.bits import count, lowest, nth
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import crossing, free_now, palm_worth, seal_points
from tacit.games.silver_and_gold.deck import CARD_COLOURS, SIZES
from tacit.games.silver_and_gold.model import (
    A_DECK,
    A_SLOT,
    COIN_FIELDS,
    COIN_ROW,
    COINS,
    CROSSES,
    ISLANDS,
    KEEP,
    PAIRS,
    PALM_FIELDS,
    PALMS,
    ROUND,
    SEAL_WORTH,
    SEALS,
    TAKE,
    TROPHIES,
    TURNS,
    State,
)
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, SHAPES

NAME, GAME = "steady", "silver-and-gold"
STYLE = "Fills its islands without leaving awkward holes, and in the last turns starts nothing it cannot finish."
ASSUMES = "Of its rivals only that they too take trophies and cards."

POINT = 1000  # values are in thousandths of a point
LEAST = -(1 << 40)  # lower than any value
MANY = 1 << 16  # more than any number of turns

# Weights, tuned on other deals than those of the documentation.
(RATE, A_CROSS, A_COIN, A_PALM, PROGRESS, DOUBT, DOUBT_A_TURN, WASTE, SEAL_AHEAD, NEW_CARD, BLIND, SEAL_PAIR) = range(
    12
)
WEIGHTS = constant_array(
    (
        3000,  # points that a turn brings on further cards
        2100,  # a cross, a coin, a palm still to be crossed off
        1300,
        1000,
        200,  # each coin of an unfinished row: this share of the next trophy
        850,  # standard deviation of the turns needed: at least, and for each turn
        200,
        1000,  # turns lost at the end on a card that is not completed
        40,  # for each turn left: further cards completed in a seal's colour
        1250,  # turns saved by the next shape on a card just taken
        -900,  # a blind card, beyond the average one
        250,  # seals of the two cards for each other, of a whole one
    )
)
# How sure something is that has z / 8 of its doubt in hand, z from -32 to 32.
SURE = constant_array(round(1000 / (1 + math.exp(-z / 4))) for z in range(-32, 33))


@rule
def sure(spare: int, needed: int, w: Cells) -> int:
    """The probability, in thousandths, that something needing `needed` turns is completed with `spare` turns left."""
    doubt = w[DOUBT] + w[DOUBT_A_TURN] * needed // TURN
    if spare >= 4 * doubt:  # most often, and without a division
        return SURE[64]
    return SURE[8 * spare // doubt + 32] if spare > -4 * doubt else SURE[0]


@rule
def alone(t: int, v: int, n: int, w: Cells) -> int:
    """The value of a card with value v that needs n turns and is completed first, t turns before the end."""
    return v if n == 0 else v * sure(t - n, n, w) // 1000


@rule
def together(t: int, v0: int, n0: int, first0: int, v1: int, n1: int, first1: int, w: Cells) -> int:
    """The value of two cards, t turns before the end, if the better one is completed first: then it is worth `first0`
    or `first1` (`alone`)."""
    spare = t - n0 - n1
    both = sure(spare, n0 + n1, w)
    second0 = v0 if n0 == 0 else v0 * both // 1000
    second1 = v1 if n1 == 0 else v1 * both // 1000
    return max(first0 + second1, first1 + second0) + w[RATE] * max(0, spare - w[WASTE]) // TURN


@rule
def cards_value(t: int, v0: int, n0: int, v1: int, n1: int, w: Cells) -> int:
    """The value of two cards with values v0, v1 that need n0, n1 turns, t turns before the end."""
    return together(t, v0, n0, alone(t, v0, n0, w), v1, n1, alone(t, v1, n1, w), w)


@rule
def value_of(k: State, seat: int, card: int, t: int, w: Cells) -> int:
    """The points of a completed card: its value, its seal, and what other seals gain from it."""
    done = k.completed[seat]
    value = POINT * (SIZES[CARD_COLOURS[card]] + seal_points(done | (1 << card)) - seal_points(done))
    if SEALS[card] >= 0:
        value += SEAL_WORTH[card] * w[SEAL_AHEAD] * t // TURN
    return value


@rule
def symbols_of(card: int, free: int, coins: int, palms: int, w: Cells) -> int:
    """The value of the symbols on a card's free cells, for a seat with these coins and palms."""
    return (
        w[A_CROSS] * count(free & CROSSES[card])
        + w[A_COIN] * min(COIN_FIELDS - coins, count(free & COINS[card]))
        + w[A_PALM] * min(PALM_FIELDS - palms, count(free & PALMS[card]))
    )


@rule
def paired(c0: int, c1: int, w: Cells) -> int:
    """The value of two cards' seals for each other."""
    return w[SEAL_PAIR] * seal_points((1 << c0) | (1 << c1)) if c0 >= 0 and c1 >= 0 else 0


# ------------------------------------------------------------------ choosing cards
@rule
def hand_worth(k: State, seat: int, c0: int, c1: int, t: int, w: Cells) -> int:
    """The value of having these two cards, new or begun; -1 stands for no card."""
    v0 = 0
    v1 = 0
    n0 = 0
    n1 = 0
    coins = k.coins[seat]
    palms = k.palms[seat]
    if c0 >= 0:
        free = k.free[seat, 0] if k.card[seat, 0] == c0 else ISLANDS[c0]
        v0 = value_of(k, seat, c0, t, w) + symbols_of(c0, free, coins, palms, w)
        n0 = turns_of(free)
    if c1 >= 0:
        free = k.free[seat, 1] if k.card[seat, 1] == c1 else ISLANDS[c1]
        v1 = value_of(k, seat, c1, t, w) + symbols_of(c1, free, coins, palms, w)
        n1 = turns_of(free)
    return cards_value(t, v0, n0, v1, n1, w) + paired(c0, c1, w)


@rule
def taking(k: State, seat: int, card: int, t: int, w: Cells) -> int:
    """The value of taking this card into the first empty slot."""
    if k.card[seat, 0] < 0:
        return hand_worth(k, seat, card, k.card[seat, 1], t, w)
    return hand_worth(k, seat, k.card[seat, 0], card, t, w)


@rule
def blind(k: State, seat: int, t: int, w: Cells) -> int:
    """The average value of taking a card from the deck."""
    total = 0
    cards = k.pool
    while cards != 0:
        total += taking(k, seat, lowest(cards), t, w)
        cards &= cards - 1
    return total // max(1, count(k.pool)) + w[BLIND]


# ------------------------------------------------------------------ crossing off
@rule
def sheet(k: State, seat: int, coins: int, palms: int, w: Cells) -> int:
    """The value of coins and palms on a seat's sheet, palms at the current price."""
    value = POINT * (coins + (palms - k.palms[seat]) * palm_worth(k))
    prize = TROPHIES - k.given
    if coins // COIN_ROW > k.coins[seat] // COIN_ROW:
        value += POINT * prize
        prize = max(0, prize - 1)
    return value + w[PROGRESS] * prize * (coins % COIN_ROW if coins < COIN_FIELDS else 0)


@rule
def crossed_worth(k: State, seat: int, v0: int, v1: int, f0: int, f1: int, t: int, ahead: int, w: Cells) -> int:
    """The value for a seat when f0 and f1 are left free on its cards; with `ahead`, after one further turn."""
    c0 = k.card[seat, 0]
    c1 = k.card[seat, 1]
    coins = k.coins[seat]
    palms = k.palms[seat]
    if c0 >= 0:
        coins += count(k.free[seat, 0] & ~f0 & COINS[c0])
        palms += count(k.free[seat, 0] & ~f0 & PALMS[c0])
    if c1 >= 0:
        coins += count(k.free[seat, 1] & ~f1 & COINS[c1])
        palms += count(k.free[seat, 1] & ~f1 & PALMS[c1])
    coins = min(coins, COIN_FIELDS)
    palms = min(palms, PALM_FIELDS)
    if f0 != 0:
        v0 += symbols_of(c0, f0, coins, palms, w)
    if f1 != 0:
        v1 += symbols_of(c1, f1, coins, palms, w)
    n0 = turns_of(f0)
    n1 = turns_of(f1)
    now = sheet(k, seat, coins, palms, w)
    if ahead == 0 or t == 0:
        return now + cards_value(t, v0, n0, v1, n1, w)
    t -= TURN
    total = 0
    cards = 0
    anew = k.turn % ROUND == ROUND - 1
    taken = cards_value(t + w[NEW_CARD], v0, n0, v1, n1, w) if f0 == 0 or f1 == 0 else LEAST  # a new card
    first0, first1 = alone(t, v0, n0, w), alone(t, v1, n1, w)
    for shape in range(SHAPES):
        copies = EXPEDITIONS[shape] if anew else k.unseen[shape]
        if copies > 0:
            m0, m1 = turns_after(shape, f0), turns_after(shape, f1)
            best = together(t, v0, m0, alone(t, v0, m0, w), v1, n1, first1, w)
            best = max(best, together(t, v0, n0, first0, v1, m1, alone(t, v1, m1, w), w))
            total += copies * max(best, taken)
            cards += copies
    return now + total // max(1, cards)


@rule
def bonus_cell(k: State, seat: int, v0: int, v1: int, f0: int, f1: int, t: int, w: Cells) -> int:
    """The free cell, as a set of one, whose crossing off is worth most, the first among equals; card 1's are 16 higher.

    Of the cells of a card with the same symbol, one that leaves no fewer turns than another is worth no more.
    """
    most = LEAST
    found = 0
    for slot in range(2):
        card = k.card[seat, slot]
        free = f0 if slot == 0 else f1
        for symbol in range(4):
            cells = 0
            if free != 0:
                marks = COINS[card] if symbol == 0 else PALMS[card] if symbol == 1 else CROSSES[card]
                cells = free & (~(COINS[card] | PALMS[card] | CROSSES[card]) if symbol == 3 else marks)
            least = MANY
            while cells != 0:
                one = cells & -cells
                cells ^= one
                needed = turns_of(free & ~one)
                if needed < least:
                    least = needed
                    cell = one << (16 * slot)
                    value = crossed_worth(k, seat, v0, v1, f0 & ~cell, f1 & ~(cell >> 16), t, 0, w)
                    if symbol == 2:
                        value += w[A_CROSS] + POINT
                    if value > most or (value == most and cell < found):
                        most = value
                        found = cell
    return found


@rule
def crossing_worth(k: State, seat: int, v0: int, v1: int, action: int, t: int, w: Cells) -> int:
    """The value of a crossing, with its bonus crosses placed greedily."""
    slot = action // A_SLOT
    cells = crossing(k.shape, action)
    f0 = free_now(k, seat, 0)
    f1 = free_now(k, seat, 1)
    bonus = max(0, k.bonus[seat] - 1)
    if slot == 0:
        f0 &= ~cells
    else:
        f1 &= ~cells
    bonus += count(cells & CROSSES[k.card[seat, slot]])
    while bonus > 0 and (f0 | f1) != 0:
        cell = bonus_cell(k, seat, v0, v1, f0, f1, t, w)
        card = k.card[seat, 0] if cell < 65536 else k.card[seat, 1]
        bonus -= 1
        if (cell | (cell >> 16)) & CROSSES[card] != 0:
            bonus += 1
        f0 &= ~cell
        f1 &= ~(cell >> 16)
    return crossed_worth(k, seat, v0, v1, f0, f1, t, 1, w)


# ------------------------------------------------------------------ the decision
@rule
def decide(k: State, seat: int, mask: Cells, w: Cells) -> int:
    """The legal decision with the highest value, the first among equals."""
    t = TURN * (TURNS - 1 - k.turn)  # after this turn
    v0 = value_of(k, seat, k.card[seat, 0], t, w) if k.card[seat, 0] >= 0 else 0
    v1 = value_of(k, seat, k.card[seat, 1], t, w) if k.card[seat, 1] >= 0 else 0
    best = -1
    most = 0
    for word in range(len(mask)):
        for i in range(count(mask[word])):
            action = 64 * word + nth(mask[word], i)
            if k.phase == KEEP:
                first = nth(k.hand[seat], PAIRS[action][0])
                second = nth(k.hand[seat], PAIRS[action][1])
                value = hand_worth(k, seat, first, second, t + TURN, w)
            elif k.phase == TAKE:
                value = blind(k, seat, t, w) if action == A_DECK else taking(k, seat, action, t, w)
            else:
                value = crossing_worth(k, seat, v0, v1, action, t, w)
            if best < 0 or value > most:
                most = value
                best = action
    return best


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The legal decision with the highest value."""
    return decide(k, seat, mask, WEIGHTS)
