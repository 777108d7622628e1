"""Where the bonus crosses of a crossing go at Silver & Gold: to the best cell each time."""

from __future__ import annotations

from tacit.bots.silver_and_gold.evaluation import (
    A_COIN,
    A_CROSS,
    A_PALM,
    POINT,
    RATE,
    WASTE,
    beside,
    sheet,
    sure,
)
from tacit.bots.silver_and_gold.lookahead import CARD, LEAST, Hand, crossed
from tacit.bots.silver_and_gold.turns_needed import LANE, LANES, best_cell, turns_of
from tacit.core.bits import count, lowest
from tacit.core.rulekit import inlined, rule
from tacit.games.silver_and_gold.board import palm_worth
from tacit.games.silver_and_gold.model import CELLS, COIN_FIELDS, PALM_FIELDS, State

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


@inlined
def coin_gain(k: State, seat: int, coins: int) -> int:
    """What one more coin adds to the sheet."""
    return sheet(k, seat, coins + 1, 0) - sheet(k, seat, coins, 0)


@rule
def bonus_cell(k: State, seat: int, hand: Hand, free: int, t: int, turns0: int, turns1: int) -> int:
    """The free cell, as a set of one, whose crossing off is worth most, the first among equals."""
    gone = hand.free & ~free
    coins = hand.coins + count(gone & hand.coin_cells)
    palms = hand.palms + count(gone & hand.palm_cells)
    n0, n1 = turns_of(free & CARD), turns_of(free >> CELLS)
    _, v0, v1 = crossed(k, seat, hand, free)
    sure0, sure1 = sure(t, n0), sure(t, n1)
    coin = coin_gain(k, seat, coins) if coins < COIN_FIELDS else 0
    palm = POINT * palm_worth(k) if palms < PALM_FIELDS and free & hand.palm_cells != 0 else 0
    coin_loss = A_COIN if coins < COIN_FIELDS else 0
    palm_loss = A_PALM if palms < PALM_FIELDS else 0
    coin_loss0 = coin_loss if count(free & hand.coin_cells & CARD) >= COIN_FIELDS - coins else 0
    coin_loss1 = coin_loss if count((free & hand.coin_cells) >> CELLS) >= COIN_FIELDS - coins else 0
    palm_loss0 = palm_loss if count(free & hand.palm_cells & CARD) >= PALM_FIELDS - palms else 0
    palm_loss1 = palm_loss if count((free & hand.palm_cells) >> CELLS) >= PALM_FIELDS - palms else 0
    most = LEAST
    found = 0
    for slot in range(2):
        turns = turns0 if slot == 0 else turns1
        n_other, sure_other = (n1, sure1) if slot == 0 else (n0, sure0)
        f = (free >> (CELLS * slot)) & CARD
        for symbol in range(4):
            least = (turns >> (16 * symbol)) & LANE
            if least == LANE:
                continue
            gain = 0
            loss = 0
            other = 0
            if symbol == COIN:
                gain, loss = coin, coin_loss
                other = coin_loss1 if slot == 0 else coin_loss0
            elif symbol == PALM:
                gain, loss = palm, palm_loss
                other = palm_loss1 if slot == 0 else palm_loss0
            elif symbol == CROSS:
                gain, loss = A_CROSS + POINT, A_CROSS
            v, w = (v0 - loss, v1 - other) if slot == 0 else (v1 - loss, v0 - other)
            value = gain + beside(t, v, least, w, n_other, sure_other)
            if value >= most:
                flat = n_other + least + WASTE >= t  # more turns may be worth as much
                cells = marks_of(hand, slot, symbol) & f
                one = cells & -cells
                needed = turns_of(f & ~one)
                while needed != least:
                    if flat and gain + beside(t, v, needed, w, n_other, sure_other) == value:
                        break
                    cells ^= one
                    one = cells & -cells
                    needed = turns_of(f & ~one)
                cell = one << (CELLS * slot)
                if value > most or cell < found:
                    most = value
                    found = cell
    return found


@inlined
def with_bonus(k: State, seat: int, hand: Hand, free: int, bonus: int, t: int, slot: int, other: int) -> int:
    """What is left of these free cells after so many bonus crosses and those that they bring, placed greedily."""
    own = bonus_turns(hand, free, slot)
    turns0, turns1 = (own, other) if slot == 0 else (other, own)
    while bonus > 0 and free != 0:
        cell = bonus_cell(k, seat, hand, free, t, turns0, turns1)
        if cell & hand.crosses == 0:
            bonus -= 1
        free &= ~cell
        if bonus > 0:
            if cell <= CARD:
                turns0 = bonus_turns(hand, free, 0)
            else:
                turns1 = bonus_turns(hand, free, 1)
    return free


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
def coin_and_palm(k: State, seat: int, hand: Hand, free: int) -> tuple[int, int, int, int]:
    """What crossing off a coin, a palm of card 0, of card 1 is worth more."""
    gone = hand.free & ~free
    coins = hand.coins + count(gone & hand.coin_cells)
    palms = hand.palms + count(gone & hand.palm_cells)
    coin0 = 0
    coin1 = 0
    palm0 = 0
    palm1 = 0
    if coins < COIN_FIELDS and free & hand.coin_cells != 0:
        coin = sheet(k, seat, coins + 1, 0) - sheet(k, seat, coins, 0) - A_COIN
        coin0 = coin - (A_COIN if count((free & hand.coin_cells) >> CELLS) >= COIN_FIELDS - coins else 0)
        coin1 = coin - (A_COIN if count(free & hand.coin_cells & CARD) >= COIN_FIELDS - coins else 0)
    if palms < PALM_FIELDS and free & hand.palm_cells != 0:
        palm = POINT * palm_worth(k) - A_PALM
        palm0 = palm - (A_PALM if count((free & hand.palm_cells) >> CELLS) >= PALM_FIELDS - palms else 0)
        palm1 = palm - (A_PALM if count(free & hand.palm_cells & CARD) >= PALM_FIELDS - palms else 0)
    return coin0, palm0, coin1, palm1
