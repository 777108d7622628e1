"""What cards and a sheet are worth at Silver & Gold, in expected points.

The value of a seat's two cards is that of their points, seals and symbols, times the probability that they are
completed in the remaining turns, plus the points that the turns left over bring on further cards.
"""

from __future__ import annotations

import math

from tacit.bots.silver_and_gold.turns_needed import TURN, turns_of
from tacit.core.bits import count
from tacit.core.rulekit import constant_array, inlined, rule
from tacit.games.silver_and_gold.board import palm_worth
from tacit.games.silver_and_gold.deck import CARD_COLOURS, SIZES
from tacit.games.silver_and_gold.model import (
    COIN_FIELDS,
    COIN_ROW,
    COINS,
    COLOUR_CARDS,
    CROSSES,
    ISLANDS,
    PALM_FIELDS,
    PALMS,
    SEAL_WORTH,
    SEALED,
    SEALS,
    TROPHIES,
    State,
)

POINT = 1000  # values are in thousandths of a point

# Weights, tuned on other deals than those of the documentation.
RATE = 3  # points that a turn brings on further cards
A_CROSS, A_COIN, A_PALM = 2100, 1300, 1000  # a cross, a coin, a palm still to be crossed off
PROGRESS = 200  # each coin of an unfinished row: this share of the next trophy
DOUBT, DOUBT_SHARE = 850, 5  # standard deviation of the turns needed: at least, and one in so many of them
WASTE = 1000  # turns lost at the end on a card that is not completed
SEAL_AHEAD = 40  # for each turn left: further cards completed in a seal's colour
SEAL_PAIR = 250  # seals of the two cards for each other, of a whole one

# How sure something is that has z / 8 - 4 of its doubt in hand, in thousandths; from z = 63 on it is certain.
SURE = tuple(round(1000 / (1 + math.exp(8 - z / 4))) for z in range(65))
# The same as shares of WHOLE, so that v * share >> 32 is v * thousandths // 1000; in hand may be all turns of a match.
WHOLE = 1 << 32
SHARES = constant_array(-(-WHOLE * SURE[min(z, 64)] // 1000) for z in range(512))
# n // (DOUBT + i) is (n * PER_DOUBT[i]) >> 32 for n up to 400,000; two islands need less than 17 turns.
PER_DOUBT = constant_array(WHOLE // doubt + 1 for doubt in range(DOUBT, DOUBT + 17 * TURN // DOUBT_SHARE))
A_SHARE = (1 << 18) // DOUBT_SHARE + 1  # n // DOUBT_SHARE is (n * A_SHARE) >> 18 for n below 1 << 18
COLOUR_OF = constant_array(CARD_COLOURS)
SIZE_OF = constant_array(SIZES)
CARDS_OF = constant_array(COLOUR_CARDS)


@inlined
def sure(t: int, needed: int) -> int:
    """The probability, as a share of WHOLE, that something that needs so many turns is completed in t turns."""
    more = (needed * A_SHARE) >> 18
    share = SHARES[((8 * (t - needed + 4 * (DOUBT + more)) * PER_DOUBT[more]) >> 32) & 511]
    return share if needed != 0 else WHOLE


@inlined
def certain(t: int, needed: int) -> bool:
    """Is all completed that needs so many turns, t turns before the end? Then so are its parts."""
    return t - needed >= 4 * (DOUBT + ((needed * A_SHARE) >> 18))


@inlined
def alone(t: int, v: int, n: int) -> int:
    """The value of a card with value v that needs n turns and is completed first, t turns before the end."""
    return (v * sure(t, n)) >> 32


@inlined
def left_over(t: int, needed: int) -> int:
    """What the turns that are left bring on further cards."""
    return RATE * max(0, t - needed - WASTE)


@inlined
def together(t: int, v0: int, first0: int, v1: int, first1: int, needed: int) -> int:
    """The value of two cards that need so many turns, if the better one is completed first: then it is worth `first0`
    or `first1` (`alone`)."""
    share = sure(t, needed)
    return max(first0 + ((v1 * share) >> 32), first1 + ((v0 * share) >> 32)) + left_over(t, needed)


@inlined
def beside(t: int, v: int, n: int, w: int, n_other: int, sure_other: int) -> int:
    """The value of a card with value v that needs n turns beside one with value w that needs `n_other` turns and is
    as sure, if it is completed first."""
    share = sure(t, n + n_other)
    first, other_first = (v * sure(t, n)) >> 32, (w * sure_other) >> 32
    return max(first + ((w * share) >> 32), other_first + ((v * share) >> 32)) + left_over(t, n + n_other)


@rule
def cards_value(t: int, v0: int, n0: int, v1: int, n1: int) -> int:
    """The value of two cards with values v0, v1 that need n0, n1 turns, t turns before the end."""
    if certain(t, n0 + n1):
        return v0 + v1 + left_over(t, n0 + n1)
    return together(t, v0, alone(t, v0, n0), v1, alone(t, v1, n1), n0 + n1)


@inlined
def value_of(k: State, seat: int, card: int, t: int) -> int:
    """The points of a completed card: its value, its seal, and what other seals gain from it; 0 for no card."""
    if card < 0:
        return 0
    done, colour, seal = k.completed[seat], COLOUR_OF[card], SEALS[card]
    points = SIZE_OF[colour] + count(done & SEALED[2 * colour]) + 2 * count(done & SEALED[2 * colour + 1])
    value = POINT * points
    if seal >= 0:
        beside = count((done | (1 << card)) & CARDS_OF[seal])
        value += SEAL_WORTH[card] * (POINT * beside + SEAL_AHEAD * t // TURN)
    return value


@inlined
def symbols_of(card: int, free: int, coins: int, palms: int) -> int:
    """The value of the symbols on a card's free cells, for a seat with these coins and palms."""
    return (
        A_CROSS * count(free & CROSSES[card])
        + A_COIN * min(COIN_FIELDS - coins, count(free & COINS[card]))
        + A_PALM * min(PALM_FIELDS - palms, count(free & PALMS[card]))
    )


@inlined
def seal_for(card: int, other: int) -> int:
    """What a card's seal gains from another card and from itself."""
    if SEALS[card] < 0:
        return 0
    return SEAL_WORTH[card] * count(((1 << card) | (1 << other)) & CARDS_OF[SEALS[card]])


@inlined
def paired(c0: int, c1: int) -> int:
    """The value of two cards' seals for each other."""
    return SEAL_PAIR * (seal_for(c0, c1) + seal_for(c1, c0)) if c0 >= 0 and c1 >= 0 else 0


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


@inlined
def coins_worth(coins: int, had: int, prize: int) -> int:
    """The value of coins on a sheet that had so many when the turn began; `prize` is the next trophy."""
    value = POINT * coins
    if coins // COIN_ROW > had // COIN_ROW:
        value += POINT * prize
        prize = max(0, prize - 1)
    return value + PROGRESS * prize * (coins % COIN_ROW if coins < COIN_FIELDS else 0)


@rule
def sheet(k: State, seat: int, coins: int, palms: int) -> int:
    """The value of coins and palms on a seat's sheet, palms at the current price."""
    value = coins_worth(coins, k.coins[seat] + 0, TROPHIES - k.given)
    return value + (POINT * (palms - k.palms[seat]) * palm_worth(k) if palms > k.palms[seat] else 0)
