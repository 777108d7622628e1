"""Where the bonus crosses of a crossing go at Silver & Gold: to the best cell each time."""

from __future__ import annotations

from typing import NamedTuple

from tacit.bots.silver_and_gold.evaluation import (
    A_COIN,
    A_CROSS,
    A_PALM,
    POINT,
    RATE,
    WASTE,
    beside,
    certain,
    coins_worth,
    left_over,
    sure,
)
from tacit.bots.silver_and_gold.lookahead import CARD, LEAST, Hand, crossed
from tacit.bots.silver_and_gold.turns_needed import LANE, LANES, best_cell, turns_of
from tacit.core.bits import count, lowest
from tacit.core.rulekit import inlined
from tacit.games.silver_and_gold.model import CELLS, COIN_FIELDS, PALM_FIELDS

NO_SYMBOL, COIN, PALM, CROSS = range(4)


@inlined
def marks_of(hand: Hand, slot: int, symbol: int) -> int:
    """The cells of a card with a symbol, or with none."""
    marks = hand.coin_cells if symbol == COIN else hand.palm_cells if symbol == PALM else hand.crosses
    if symbol == NO_SYMBOL:
        marks = ~(hand.crosses | hand.coin_cells | hand.palm_cells)
    return (marks >> (CELLS * slot)) & CARD


@inlined
def bonus_turns(hand: Hand, free: int, slot: int) -> int:
    """The fewest turns that a card needs after a cell with each symbol is crossed off, in lanes; LANE for no cell."""
    f = (free >> (CELLS * slot)) & CARD
    crosses, coins, palms = (
        hand.crosses >> (CELLS * slot),
        hand.coin_cells >> (CELLS * slot),
        hand.palm_cells >> (CELLS * slot),
    )
    marked = f & (crosses | coins | palms)
    plain = f & ~marked
    best = 1 << best_cell(f)
    cells = best if best & plain != 0 else plain
    least = LANE
    while cells != 0:
        one = cells & -cells
        cells ^= one
        least = min(least, turns_of(f & ~one))
    word = (LANES - 1) * LANE | least
    while marked != 0:
        one = marked & -marked
        marked ^= one
        shift = 16 if one & coins != 0 else 32 if one & palms != 0 else 48
        had = (word >> shift) & LANE
        word -= (had - min(had, turns_of(f & ~one))) << shift
    return word


class Symbols(NamedTuple):
    """What crossing off a coin or a palm is worth, as long as the same ones are free."""

    sheet: int  # the value of the seat's sheet
    v0: int  # the values of the cards, without crosses
    v1: int
    coin: int  # on the sheet
    palm: int
    coin_loss: int  # of the card that it is on
    palm_loss: int
    coin_loss0: int  # of card 0, if it is on the other
    coin_loss1: int
    palm_loss0: int
    palm_loss1: int


@inlined
def symbols_now(hand: Hand, free: int) -> Symbols:
    """The symbols' values when these cells are left free."""
    sheet, v0, v1 = crossed(hand, free & ~hand.crosses)
    gone = hand.free & ~free
    coins = hand.coins + count(gone & hand.coin_cells)
    palms = hand.palms + count(gone & hand.palm_cells)
    coin = 0
    palm = 0
    coin_loss = 0
    palm_loss = 0
    if coins < COIN_FIELDS:
        coin = coins_worth(coins + 1, hand.coins, hand.prize) - coins_worth(coins, hand.coins, hand.prize)
        coin_loss = A_COIN
    if palms < PALM_FIELDS:
        palm, palm_loss = hand.price, A_PALM
    coins0, coins1 = count(free & hand.coin_cells & CARD), count((free & hand.coin_cells) >> CELLS)
    palms0, palms1 = count(free & hand.palm_cells & CARD), count((free & hand.palm_cells) >> CELLS)
    return Symbols(
        sheet,
        v0,
        v1,
        coin,
        palm,
        coin_loss,
        palm_loss,
        coin_loss if coins0 >= COIN_FIELDS - coins else 0,
        coin_loss if coins1 >= COIN_FIELDS - coins else 0,
        palm_loss if palms0 >= PALM_FIELDS - palms else 0,
        palm_loss if palms1 >= PALM_FIELDS - palms else 0,
    )


class Facing(NamedTuple):
    """One of the two cards, and what matters of the other, before a bonus cross."""

    slot: int
    turns: int  # `bonus_turns`
    v: int  # the cards' values, this one's first
    w: int
    n_other: int  # the turns that the other needs
    sure_other: int
    surely: int  # as long as this card needs no more turns, each card is certain by itself; -1 if it never is


@inlined
def with_symbol(s: Symbols, c: Facing, symbol: int) -> tuple[int, int, int]:
    """What crossing off a cell with this symbol adds to the sheet, and the two cards' values then, this one's first."""
    gain, loss, other = 0, 0, 0
    if symbol == CROSS:
        gain, loss = A_CROSS + POINT, A_CROSS
    elif symbol == COIN:
        gain, loss, other = s.coin, s.coin_loss, s.coin_loss1 if c.slot == 0 else s.coin_loss0
    elif symbol == PALM:
        gain, loss, other = s.palm, s.palm_loss, s.palm_loss1 if c.slot == 0 else s.palm_loss0
    return gain, c.v - loss, c.w - other


@inlined
def best_symbol(t: int, s: Symbols, c: Facing, symbol: int, most: int, best: int) -> tuple[int, int]:
    """The larger of `most` and the value of the best cell with this symbol; and the kinds of cells (4 a card, as a set)
    that are worth it, of which `best` were before."""
    least = (c.turns >> (16 * symbol)) & LANE
    if least != LANE:
        gain, v, w = with_symbol(s, c, symbol)
        needed = least + c.n_other
        if least <= c.surely:
            value = gain + max(v, w) + ((min(v, w) * sure(t, needed)) >> 32) + left_over(t, needed)
        else:
            value = gain + beside(t, v, least, w, c.n_other, c.sure_other)
        kind = 1 << (4 * c.slot + symbol)
        best = kind if value > most else best | kind if value == most else best
        most = max(most, value)
    return most, best


@inlined
def bonus_cell(hand: Hand, s: Symbols, v0: int, v1: int, free: int, t: int, turns0: int, turns1: int) -> int:
    """The free cell, as a set of one, whose crossing off is worth most, the first among equals."""
    n0, n1 = turns_of(free & CARD), turns_of(free >> CELLS)
    surely0, surely1 = (n0, n1) if certain(t, n0) and certain(t, n1) else (-1, -1)
    first = Facing(0, turns0, v0, v1, n1, sure(t, n1), surely0)
    second = Facing(1, turns1, v1, v0, n0, sure(t, n0), surely1)
    most = LEAST
    best = 0
    for slot in range(2):
        c = first if slot == 0 else second
        most, best = best_symbol(t, s, c, NO_SYMBOL, most, best)
        most, best = best_symbol(t, s, c, COIN, most, best)
        most, best = best_symbol(t, s, c, PALM, most, best)
        most, best = best_symbol(t, s, c, CROSS, most, best)
    found = free + 1
    while best != 0:
        c, symbol = first if lowest(best) < 4 else second, lowest(best) & 3
        best &= best - 1
        least = (c.turns >> (16 * symbol)) & LANE
        flat = c.n_other + least + WASTE >= t  # more turns may be worth as much
        gain, v, w = with_symbol(s, c, symbol)
        f = (free >> (CELLS * c.slot)) & CARD
        cells = marks_of(hand, c.slot, symbol) & f
        one = cells & -cells
        needed = turns_of(f & ~one)
        while needed != least:
            if flat and gain + beside(t, v, needed, w, c.n_other, c.sure_other) == most:
                break
            cells ^= one
            one = cells & -cells
            needed = turns_of(f & ~one)
        found = min(found, one << (CELLS * c.slot))
    return found


@inlined
def with_bonus(
    hand: Hand, s: Symbols, free: int, bonus: int, t: int, slot: int, other: int
) -> tuple[int, int, int, int]:
    """What is left of these free cells after so many bonus crosses and those that they bring, placed greedily; and the
    values of the sheet and of the two cards then."""
    own = bonus_turns(hand, free, slot) if bonus > 0 else 0
    turns0, turns1 = (own, other) if slot == 0 else (other, own)
    while True:
        crosses = free & hand.crosses
        v0, v1 = s.v0 + A_CROSS * count(crosses & CARD), s.v1 + A_CROSS * count(crosses >> CELLS)
        if bonus == 0 or free == 0:
            return free, s.sheet, v0, v1
        cell = bonus_cell(hand, s, v0, v1, free, t, turns0, turns1)
        if cell & hand.crosses == 0:
            bonus -= 1
        free &= ~cell
        if cell & (hand.coin_cells | hand.palm_cells) != 0:
            s = symbols_now(hand, free)
        if bonus > 0:
            if cell <= CARD:
                turns0 = bonus_turns(hand, free, 0)
            else:
                turns1 = bonus_turns(hand, free, 1)


# ------------------------------------------------------------------ while all is certain
@inlined
def best_bonus(hand: Hand, free: int, slot: int, coin: int, palm: int) -> int:
    """The best bonus cross on one card: what it is worth more, times 32, and 31 less the cell."""
    f = (free >> (CELLS * slot)) & CARD
    crosses, coins, palms = (
        hand.crosses >> (CELLS * slot),
        hand.coin_cells >> (CELLS * slot),
        hand.palm_cells >> (CELLS * slot),
    )
    marked = f & (crosses | coins | palms)
    best = 1 << best_cell(f)
    cells = f if best & marked != 0 else (f & best) | marked
    n = turns_of(f)
    most = LEAST
    while cells != 0:
        cell = lowest(cells)
        one = cells & -cells
        cells ^= one
        symbol = POINT if one & crosses != 0 else coin if one & coins != 0 else palm if one & palms != 0 else 0
        most = max(most, (RATE * (n - turns_of(f & ~one)) + symbol) * 32 + 31 - CELLS * slot - cell)
    return most


@inlined
def coin_and_palm(hand: Hand, free: int) -> tuple[int, int, int, int]:
    """What crossing off a coin, a palm of card 0, of card 1 is worth more."""
    gone = hand.free & ~free
    coins = hand.coins + count(gone & hand.coin_cells)
    palms = hand.palms + count(gone & hand.palm_cells)
    coin0 = 0
    coin1 = 0
    palm0 = 0
    palm1 = 0
    if coins < COIN_FIELDS and free & hand.coin_cells != 0:
        coin = coins_worth(coins + 1, hand.coins, hand.prize) - coins_worth(coins, hand.coins, hand.prize) - A_COIN
        coin0 = coin - (A_COIN if count((free & hand.coin_cells) >> CELLS) >= COIN_FIELDS - coins else 0)
        coin1 = coin - (A_COIN if count(free & hand.coin_cells & CARD) >= COIN_FIELDS - coins else 0)
    if palms < PALM_FIELDS and free & hand.palm_cells != 0:
        palm = hand.price - A_PALM
        palm0 = palm - (A_PALM if count((free & hand.palm_cells) >> CELLS) >= PALM_FIELDS - palms else 0)
        palm1 = palm - (A_PALM if count(free & hand.palm_cells & CARD) >= PALM_FIELDS - palms else 0)
    return coin0, palm0, coin1, palm1
