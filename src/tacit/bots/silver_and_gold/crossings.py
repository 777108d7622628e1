"""The best crossing of a turn at Silver & Gold.

Crossings that bring symbols are valued first: most often one of them is the best. Few others are valued to the end:
what one that brings no symbol can be worth at most follows from the turns that its card then needs, now and after the
best shape, which are looked up together.
"""

from __future__ import annotations

from tacit.bots.silver_and_gold.bonus_crosses import (
    best_bonus,
    bonus_turns,
    coin_and_palm,
    symbols_now,
    with_bonus,
)
from tacit.bots.silver_and_gold.evaluation import RATE, certain
from tacit.bots.silver_and_gold.lookahead import (
    CARD,
    LEAST,
    NEW_CARD,
    Hand,
    Outlook,
    crossed,
    hand_of,
    outlook_of,
    sure_after,
    value_ahead,
    value_at_most,
    value_within,
)
from tacit.bots.silver_and_gold.turns_needed import GUARDS, LANE, LANES, TURN, after_word, larger, turns_of, turns_word
from tacit.core.bits import count, nth
from tacit.core.rulekit import inlined, rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import crossing, crossings_on, free_now
from tacit.games.silver_and_gold.model import A_SLOT, CELLS, State
from tacit.games.silver_and_gold.model import TURNS as ALL_TURNS

PAIR = LANE | LANE << 16  # the first two lanes
PAIR_GUARDS = GUARDS & 0xFFFFFFFF


# ------------------------------------------------------------------ while all is certain
@inlined
def saved_ahead(o: Outlook, f0: int, f1: int) -> int:
    """What the next expedition saves, in points, while all is certain."""
    now0, now1 = turns_word(f0 & CARD), turns_word(f1 & CARD)
    n0, n1 = now0 & LANE, now1 & LANE
    first = larger(n0 * LANES - now0, n1 * LANES - now1) >> 32
    others = larger(n0 * LANES - after_word(f0 & CARD), n1 * LANES - after_word(f1 & CARD))
    if f0 == 0 or f1 == 0:
        first, others = larger(first, NEW_CARD * LANES), larger(others, NEW_CARD * LANES)
    saved = ((first * o.first) >> 16) & 0xFFFF
    saved += ((others * o.others) >> 48) & 0xFFFF
    return (RATE * saved * o.per_card) >> 32


@inlined
def symbols_left(hand: Hand, free: int) -> int:
    """The value of a seat's sheet and of its cards, were they completed, when these cells are left free."""
    now, v0, v1 = crossed(hand, free)
    return now + v0 + v1


@rule
def calm_crossing(shape: int, mask: Cells, hand: Hand, o: Outlook, free: int, bonus: int) -> int:
    """The best crossing while all cards are certain to be completed, so that values are sums; -1 if they are not."""
    marked = hand.crosses | hand.coin_cells | hand.palm_cells
    numbers = hand.coin_cells | hand.palm_cells
    sheet0 = symbols_left(hand, free)
    coin0, palm0, coin1, palm1 = coin_and_palm(hand, free)
    most = LEAST
    best = -1
    plain0 = 0
    plain1 = 0
    if bonus == 0:
        plain0 = mask[0] & crossings_on(shape, free & ~marked & CARD)
        plain1 = mask[1] & crossings_on(shape, (free & ~marked) >> CELLS)
    for slot in range(2):  # those that bring symbols
        rest = mask[slot] & ~(plain0 if slot == 0 else plain1)
        other_bonus = LEAST
        if count(rest) > 0 and free & ~(CARD << (CELLS * slot)) != 0:
            other_bonus = best_bonus(hand, free, 1 - slot, coin1 if slot == 0 else coin0, palm1 if slot == 0 else palm0)
        size = count(rest)
        for i in range(size):
            choice = nth(rest, size - 1 - i)
            cells = crossing(shape, choice) << (CELLS * slot)
            left = free & ~cells
            crosses = bonus + count(cells & hand.crosses)
            if crosses > 0 and left != 0:
                if cells & numbers != 0:
                    c0, p0, c1, p1 = coin_and_palm(hand, left)
                    bonus0, bonus1 = best_bonus(hand, left, 0, c0, p0), best_bonus(hand, left, 1, c1, p1)
                else:
                    c0, p0, c1, p1 = coin0, palm0, coin1, palm1
                    if slot == 0:
                        bonus0, bonus1 = best_bonus(hand, left, 0, c0, p0), other_bonus
                    else:
                        bonus0, bonus1 = other_bonus, best_bonus(hand, left, 1, c1, p1)
                while True:
                    cell = 1 << (31 - (max(bonus0, bonus1) & 31))
                    left ^= cell
                    if not certain(o.t, turns_of(left & CARD) + turns_of(left >> CELLS)):
                        return -1
                    if cell & hand.crosses == 0:
                        crosses -= 1
                    if crosses == 0 or left == 0:
                        break
                    if cell & numbers != 0:
                        c0, p0, c1, p1 = coin_and_palm(hand, left)
                        bonus0, bonus1 = best_bonus(hand, left, 0, c0, p0), best_bonus(hand, left, 1, c1, p1)
                    elif cell <= CARD:
                        bonus0 = best_bonus(hand, left, 0, c0, p0)
                    else:
                        bonus1 = best_bonus(hand, left, 1, c1, p1)
            f0, f1 = left & CARD, left >> CELLS
            value = symbols_left(hand, left) - RATE * (turns_of(f0) + turns_of(f1)) + saved_ahead(o, f0, f1)
            action = A_SLOT * slot + choice
            if value > most or (value == most and action < best):
                most = value
                best = action
    for slot in range(2):  # those that bring no symbol
        f, other = (free >> (CELLS * slot)) & CARD, (free >> (CELLS * (1 - slot))) & CARD
        turns_other = turns_word(other)
        n_other, m_other = turns_other & LANE, (turns_other >> 16) & LANE
        plain = plain0 if slot == 0 else plain1
        size = count(plain)
        for i in range(size):
            choice = nth(plain, size - 1 - i)
            left = f & ~crossing(shape, choice)
            turns = turns_word(left & CARD)
            n = (turns & LANE) + n_other
            if (
                left == 0
                or other == 0
                or sheet0 - RATE * min(((turns >> 16) & LANE) + n_other, (turns & LANE) + m_other) >= most
            ):
                value = sheet0 - RATE * n + saved_ahead(o, left, other)
                action = A_SLOT * slot + choice
                if value > most or (value == most and action < best):
                    most = value
                    best = action
    return best


# ------------------------------------------------------------------ the best crossing
@inlined
def spent(turns: int, then: int) -> int:
    """How much fewer the turns of a card (its first two lanes) become."""
    return (turns & LANE) + ((turns >> 16) & LANE) - (then & LANE) - ((then >> 16) & LANE)


@inlined
def fewest(shape: int, free: int, choices: int) -> tuple[int, int]:
    """The fewest turns needed after one of these crossings, now and after the best shape; and one that leaves few."""
    least = PAIR
    found = -1
    few = 4 * LANE
    for i in range(count(choices)):
        choice = nth(choices, i)
        turns = turns_word(free & ~crossing(shape, choice) & CARD) & PAIR
        least = LANES * LANE - larger(LANES * LANE - turns, LANES * LANE - least)
        total = (turns & LANE) + (turns >> 16)
        found = choice if total < few else found
        few = min(few, total)
    return least & PAIR, found


@rule
def best_crossing(k: State, seat: int, mask: Cells) -> int:
    """The legal crossing with the highest value, the first among equals."""
    t, shape = TURN * (ALL_TURNS - 1 - k.turn), k.shape + 0  # after this turn
    hand = hand_of(k, seat, t)
    o = outlook_of(k, t)
    free = free_now(k, seat, 0) | (free_now(k, seat, 1) << CELLS)
    bonus = max(0, k.bonus[seat] - 1)
    if o.t >= 0 and certain(o.t, turns_of(free & CARD) + turns_of(free >> CELLS)):
        best = calm_crossing(shape, mask, hand, o, free, bonus)
        if best >= 0:
            return best
    marked = hand.crosses | hand.coin_cells | hand.palm_cells
    symbols = symbols_now(hand, free)
    numbers = hand.coin_cells | hand.palm_cells
    most = LEAST
    best = -1
    for slot in range(2):  # crossings that bring symbols, most often the best: they make the others' bounds fail
        f = (free >> (CELLS * slot)) & CARD
        word = mask[slot]
        if bonus == 0:
            word &= ~crossings_on(shape, f & ~(marked >> (CELLS * slot)))
        other = bonus_turns(hand, free, 1 - slot) if count(word) > 0 else 0
        size = count(word)
        for i in range(size):
            choice = nth(word, size - 1 - i)
            cells = crossing(shape, choice) << (CELLS * slot)
            left = free & ~cells
            crosses = bonus + count(cells & hand.crosses)
            s = symbols_now(hand, left) if cells & numbers != 0 else symbols
            left, now, v0, v1 = with_bonus(hand, s, left, crosses, t, slot, other)
            action = A_SLOT * slot + choice
            value = now + value_ahead(o, v0, v1, left & CARD, left >> CELLS, most - now)
            if value > most or (value == most and action < best):
                most = value
                best = action
    if bonus == 0:  # crossings that bring no symbol
        now, v0, v1 = crossed(hand, free)
        plain0 = mask[0] & crossings_on(shape, free & ~marked & CARD)
        plain1 = mask[1] & crossings_on(shape, (free & ~marked) >> CELLS)
        least0, first0 = fewest(shape, free & CARD, plain0)
        least1, first1 = fewest(shape, free >> CELLS, plain1)
        turns0, turns1 = turns_word(free & CARD), turns_word((free >> CELLS) & CARD)
        better = 1 if plain0 == 0 or (plain1 != 0 and spent(turns1, least1) > spent(turns0, least0)) else 0
        for at in range(2):
            slot = at ^ better
            f, other = (free >> (CELLS * slot)) & CARD, (free >> (CELLS * (1 - slot))) & CARD
            plain, least, first = (plain0, least0, first0) if slot == 0 else (plain1, least1, first1)
            v, w, turns_other = (v0, v1, turns1) if slot == 0 else (v1, v0, turns0)
            sure_other = sure_after(o, turns_other)
            if plain == 0 or now + value_at_most(o, v, least, sure_after(o, least), w, turns_other, sure_other) < most:
                continue
            fail = PAIR
            n = count(plain)
            for i in range(-1, n):  # the first one leaves few turns
                choice = nth(plain, n - 1 - i) if i >= 0 else first
                left = f & ~crossing(shape, choice)
                turns = turns_word(left & CARD) & PAIR
                action = A_SLOT * slot + choice
                if ((turns | GUARDS) - fail) & PAIR_GUARDS == PAIR_GUARDS or (i >= 0 and choice == first):
                    continue
                bound = now + value_at_most(o, v, turns, sure_after(o, turns), w, turns_other, sure_other)
                if bound < most:
                    fail = turns
                if bound > most or (bound == most and action < best):
                    value = now + value_within(o, v, w, left, other, bound - now, most - now)
                    if value > most or (value == most and action < best):
                        most = value
                        best = action
    return best
