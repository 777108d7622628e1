"""`steady` at Silver & Gold: an evaluation in expected points, with a lookahead of one expedition.

The value of a seat's two cards is that of their points, seals and symbols, times the probability that they are
completed in the remaining turns, plus the points that the turns left over bring on further cards.
"""

from __future__ import annotations

import math

from tacit.bots.silver_and_gold.turns_needed import TURN, turns_after, turns_of
from tacit.core.bits import count, local_cells, lowest, nth, only
from tacit.core.events import HEARS_NOTHING
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
HEARS = HEARS_NOTHING

POINT = 1000  # values are in thousandths of a point
LEAST = -(1 << 40)  # lower than any value
MANY = 1 << 16  # more than any number of turns
KEPT_OF = 16  # see `value_ahead`

# Weights, tuned on other deals than those of the documentation.
RATE = 3000  # points that a turn brings on further cards
A_CROSS, A_COIN, A_PALM = 2100, 1300, 1000  # a cross, a coin, a palm still to be crossed off
PROGRESS = 200  # each coin of an unfinished row: this share of the next trophy
DOUBT, DOUBT_A_TURN = 850, 200  # standard deviation of the turns needed: at least, and for each turn
WASTE = 1000  # turns lost at the end on a card that is not completed
SEAL_AHEAD = 40  # for each turn left: further cards completed in a seal's colour
NEW_CARD = 1250  # turns saved by the next shape on a card just taken
BLIND = -900  # a blind card, beyond the average one
SEAL_PAIR = 250  # seals of the two cards for each other, of a whole one
# How sure something is that has z / 8 of its doubt in hand, z from -32 to 32.
SURE = constant_array(round(1000 / (1 + math.exp(-z / 4))) for z in range(-32, 33))
# n // doubt is (n * PER_DOUBT[doubt - DOUBT]) >> 32 for n up to 64 doubts; two islands need less than 20 turns.
PER_DOUBT = constant_array((1 << 32) // doubt + 1 for doubt in range(DOUBT, DOUBT + 20 * DOUBT_A_TURN))


@rule
def sure(spare: int, needed: int) -> int:
    """The probability, in thousandths, that something needing `needed` turns is completed with `spare` turns left."""
    doubt = DOUBT + DOUBT_A_TURN * needed // TURN
    if spare >= 4 * doubt:
        return SURE[64]
    # SURE[8 * spare // doubt + 32], without a division
    return SURE[(8 * (spare + 4 * doubt) * PER_DOUBT[doubt - DOUBT]) >> 32] if spare > -4 * doubt else SURE[0]


@rule
def alone(t: int, v: int, n: int) -> int:
    """The value of a card with value v that needs n turns and is completed first, t turns before the end."""
    return v if n == 0 else v * sure(t - n, n) // 1000


@rule
def together(t: int, v0: int, n0: int, first0: int, v1: int, n1: int, first1: int) -> int:
    """The value of two cards, t turns before the end, if the better one is completed first: then it is worth `first0`
    or `first1` (`alone`)."""
    spare = t - n0 - n1
    both = sure(spare, n0 + n1)
    second0 = v0 if n0 == 0 else v0 * both // 1000
    second1 = v1 if n1 == 0 else v1 * both // 1000
    return max(first0 + second1, first1 + second0) + left_over(t, n0 + n1)


@rule
def certain(t: int, needed: int) -> bool:
    """Is all completed that needs so many turns, t turns before the end? Then `sure` is 1000 for its parts, too."""
    return t - needed >= 4 * (DOUBT + DOUBT_A_TURN * needed // TURN)


@rule
def left_over(t: int, needed: int) -> int:
    """What the turns that are left bring on further cards."""
    return RATE * max(0, t - needed - WASTE) // TURN


@rule
def cards_value(t: int, v0: int, n0: int, v1: int, n1: int) -> int:
    """The value of two cards with values v0, v1 that need n0, n1 turns, t turns before the end."""
    if certain(t, n0 + n1):
        return v0 + v1 + left_over(t, n0 + n1)
    return together(t, v0, n0, alone(t, v0, n0), v1, n1, alone(t, v1, n1))


@rule
def value_of(k: State, seat: int, card: int, t: int) -> int:
    """The points of a completed card: its value, its seal, and what other seals gain from it."""
    done = k.completed[seat]
    value = POINT * (SIZES[CARD_COLOURS[card]] + seal_points(done | (1 << card)) - seal_points(done))
    if SEALS[card] >= 0:
        value += SEAL_WORTH[card] * SEAL_AHEAD * t // TURN
    return value


@rule
def symbols_of(card: int, free: int, coins: int, palms: int) -> int:
    """The value of the symbols on a card's free cells, for a seat with these coins and palms."""
    return (
        A_CROSS * count(free & CROSSES[card])
        + A_COIN * min(COIN_FIELDS - coins, count(free & COINS[card]))
        + A_PALM * min(PALM_FIELDS - palms, count(free & PALMS[card]))
    )


@rule
def paired(c0: int, c1: int) -> int:
    """The value of two cards' seals for each other."""
    return SEAL_PAIR * seal_points((1 << c0) | (1 << c1)) if c0 >= 0 and c1 >= 0 else 0


# ------------------------------------------------------------------ choosing cards
@rule
def hand_worth(k: State, seat: int, c0: int, c1: int, t: int) -> int:
    """The value of having these two cards, new or begun; -1 stands for no card."""
    v0 = 0
    v1 = 0
    n0 = 0
    n1 = 0
    coins = k.coins[seat]
    palms = k.palms[seat]
    if c0 >= 0:
        free = k.free[seat, 0] if k.card[seat, 0] == c0 else ISLANDS[c0]
        v0 = value_of(k, seat, c0, t) + symbols_of(c0, free, coins, palms)
        n0 = turns_of(free)
    if c1 >= 0:
        free = k.free[seat, 1] if k.card[seat, 1] == c1 else ISLANDS[c1]
        v1 = value_of(k, seat, c1, t) + symbols_of(c1, free, coins, palms)
        n1 = turns_of(free)
    return cards_value(t, v0, n0, v1, n1) + paired(c0, c1)


@rule
def taking(k: State, seat: int, card: int, t: int) -> int:
    """The value of taking this card into the first empty slot."""
    if k.card[seat, 0] < 0:
        return hand_worth(k, seat, card, k.card[seat, 1], t)
    return hand_worth(k, seat, k.card[seat, 0], card, t)


@rule
def blind(k: State, seat: int, t: int) -> int:
    """The average value of taking a card from the deck."""
    total = 0
    cards = k.pool
    while cards != 0:
        total += taking(k, seat, lowest(cards), t)
        cards &= cards - 1
    return total // max(1, count(k.pool)) + BLIND


# ------------------------------------------------------------------ crossing off
@rule
def sheet(k: State, seat: int, coins: int, palms: int) -> int:
    """The value of coins and palms on a seat's sheet, palms at the current price."""
    value = POINT * coins
    if palms > k.palms[seat]:
        value += POINT * (palms - k.palms[seat]) * palm_worth(k)
    prize = TROPHIES - k.given
    if coins // COIN_ROW > k.coins[seat] // COIN_ROW:
        value += POINT * prize
        prize = max(0, prize - 1)
    return value + PROGRESS * prize * (coins % COIN_ROW if coins < COIN_FIELDS else 0)


@rule
def crossed(k: State, seat: int, v0: int, v1: int, f0: int, f1: int) -> tuple[int, int, int]:
    """The value of a seat's sheet when f0 and f1 are left free on its cards, and those of the two cards."""
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
        v0 += symbols_of(c0, f0, coins, palms)
    if f1 != 0:
        v1 += symbols_of(c1, f1, coins, palms)
    return sheet(k, seat, coins, palms), v0, v1


@rule
def value_ahead(k: State, v0: int, v1: int, f0: int, f1: int, t: int, kept: Cells) -> int:
    """The average value of two cards with these free cells after one further turn, t turns before the end.

    `kept` has what the last call worked out for each card, from place KEPT_OF * slot on: its free cells and 1 more, its
    value, and its value if it is completed first, now and after each shape. A crossing changes one of the cards.
    """
    n0, n1 = turns_of(f0), turns_of(f1)
    if t == 0:
        return cards_value(t, v0, n0, v1, n1)
    t -= TURN
    safe = certain(t, n0 + n1)
    new_0, new_1 = kept[0] != f0 + 1 or kept[1] != v0, kept[KEPT_OF] != f1 + 1 or kept[KEPT_OF + 1] != v1
    if not safe and new_0:
        kept[0], kept[1], kept[2] = f0 + 1, v0, alone(t, v0, n0)
    if not safe and new_1:
        kept[KEPT_OF], kept[KEPT_OF + 1], kept[KEPT_OF + 2] = f1 + 1, v1, alone(t, v1, n1)
    total = 0
    cards = 0
    anew = k.turn % ROUND == ROUND - 1
    taken = cards_value(t + NEW_CARD, v0, n0, v1, n1) if f0 == 0 or f1 == 0 else LEAST  # a new card
    for shape in range(SHAPES):
        copies = EXPEDITIONS[shape] if anew else k.unseen[shape]
        if copies > 0:
            m0, m1 = turns_after(shape, f0), turns_after(shape, f1)
            if safe:
                best = v0 + v1 + left_over(t, min(m0 + n1, n0 + m1))
            else:
                if new_0:
                    kept[3 + shape] = alone(t, v0, m0)
                if new_1:
                    kept[KEPT_OF + 3 + shape] = alone(t, v1, m1)
                best = together(t, v0, m0, kept[3 + shape], v1, n1, kept[KEPT_OF + 2])
                best = max(best, together(t, v0, n0, kept[2], v1, m1, kept[KEPT_OF + 3 + shape]))
            total += copies * max(best, taken)
            cards += copies
    return total // max(1, cards)


@rule
def bonus_cell(k: State, seat: int, v0: int, v1: int, f0: int, f1: int, t: int) -> int:
    """The free cell, as a set of one, whose crossing off is worth most, the first among equals; card 1's are 16 higher.

    Of the cells of a card with the same symbol, one that leaves no fewer turns than another is worth no more.
    """
    most = LEAST
    found = 0
    n0, n1 = turns_of(f0), turns_of(f1)
    for slot in range(2):
        card = k.card[seat, slot]
        free = f0 if slot == 0 else f1
        for symbol in range(4):
            cells = 0
            if free != 0:
                marks = COINS[card] if symbol == 0 else PALMS[card] if symbol == 1 else CROSSES[card]
                cells = free & (~(COINS[card] | PALMS[card] | CROSSES[card]) if symbol == 3 else marks)
            if cells == 0:
                continue
            cell = (cells & -cells) << (16 * slot)  # any of them leaves the same symbols
            now, w0, w1 = crossed(k, seat, v0, v1, f0 & ~cell, f1 & ~(cell >> 16))
            if symbol == 2:
                now += A_CROSS + POINT
            least = MANY
            while cells != 0:
                one = cells & -cells
                cells ^= one
                needed = turns_of(free & ~one)
                if needed < least:
                    least = needed
                    cell = one << (16 * slot)
                    value = now + cards_value(t, w0, needed if slot == 0 else n0, w1, needed if slot == 1 else n1)
                    if value > most or (value == most and cell < found):
                        most = value
                        found = cell
    return found


@rule
def crossing_worth(k: State, seat: int, v0: int, v1: int, action: int, t: int, kept: Cells) -> int:
    """The value of a crossing, with its bonus crosses placed greedily, after one further turn (`value_ahead`)."""
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
        cell = bonus_cell(k, seat, v0, v1, f0, f1, t)
        card = k.card[seat, 0] if cell < 65536 else k.card[seat, 1]
        bonus -= 1
        if (cell | (cell >> 16)) & CROSSES[card] != 0:
            bonus += 1
        f0 &= ~cell
        f1 &= ~(cell >> 16)
    now, v0, v1 = crossed(k, seat, v0, v1, f0, f1)
    return now + value_ahead(k, v0, v1, f0, f1, t, kept)


# ------------------------------------------------------------------ the decision
@rule
def decide(k: State, seat: int, mask: Cells) -> int:
    """The legal decision with the highest value, the first among equals."""
    t = TURN * (TURNS - 1 - k.turn)  # after this turn
    v0 = value_of(k, seat, k.card[seat, 0], t) if k.card[seat, 0] >= 0 else 0
    v1 = value_of(k, seat, k.card[seat, 1], t) if k.card[seat, 1] >= 0 else 0
    kept = local_cells()
    best = -1
    most = 0
    for word in range(len(mask)):
        for i in range(count(mask[word])):
            action = 64 * word + nth(mask[word], i)
            if k.phase == KEEP:
                first = nth(k.hand[seat], PAIRS[action][0])
                second = nth(k.hand[seat], PAIRS[action][1])
                value = hand_worth(k, seat, first, second, t + TURN)
            elif k.phase == TAKE:
                value = blind(k, seat, t) if action == A_DECK else taking(k, seat, action, t)
            else:
                value = crossing_worth(k, seat, v0, v1, action, t, kept)
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
