"""One-ply greedy seats at Silver & Gold, many matches: `python benchmarks/silver_and_gold_greedy.py [matches]`.

A seat takes the decision that brings the most points at once: coins, a palm, a trophy, a completed card with its seals.
A cell crossed off, or given by a cross symbol, counts as a point too: that is its share of the card's value. Among
equal ones it prefers the card that is nearer to its end, and free cells on which many shapes still find a place.
The seats see only what they know: of other seats' crossings they read nothing.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tacit import game_named
from tacit.core import random_play
from tacit.core.bits import count, nth
from tacit.core.buffers import buffers
from tacit.core.chance import seed
from tacit.core.random_play import CHANCE, clear, due, legal, random_seat, roll, start, step
from tacit.core.rulekit import build, rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import (
    coins_now,
    crossing,
    fitting,
    free_now,
    palm_worth,
    palms_now,
    points,
    seal_points,
)
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
    KEPT,
    PAIRS,
    PALM_FIELDS,
    PALMS,
    TAKE,
    TROPHIES,
    State,
)
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, SHAPES


@rule
def room(free: int) -> int:
    """How many expeditions find a place on these cells."""
    found = 0
    for shape in range(SHAPES):
        if fitting(shape, free) != 0:
            found += EXPEDITIONS[shape]
    return found


@rule
def worth(s: State, seat: int, action: int) -> int:
    """What a crossing brings now, in points times 1,000, and a little more or less for what it leaves."""
    slot = action // A_SLOT
    card = s.card[seat, slot]
    cells = crossing(s.shape, action)
    free = free_now(s, seat, slot) & ~cells
    gain = count(cells) + count(cells & CROSSES[card])
    before = coins_now(s, seat)
    after = min(COIN_FIELDS, before + count(cells & COINS[card]))
    gain += after - before
    if after // COIN_ROW > before // COIN_ROW:
        gain += TROPHIES - s.given
    gain += palm_worth(s) * min(PALM_FIELDS - palms_now(s, seat), count(cells & PALMS[card]))
    if free == 0:
        done = s.completed[seat]
        gain += SIZES[CARD_COLOURS[card]] + seal_points(done | (1 << card)) - seal_points(done)
    return 1000 * gain + 100 * (16 - count(free)) // 16 + (10 * room(free) if free != 0 else 80)


@rule
def promise(s: State, seat: int, card: int) -> int:
    """What a new card promises: its symbols and seals, against the cells it needs."""
    symbols = 2 * count(CROSSES[card]) + 2 * count(COINS[card]) + palm_worth(s) * count(PALMS[card])
    done = s.completed[seat] | (1 << card)
    return 10 * (symbols + seal_points(done) - seal_points(s.completed[seat])) + 16 - count(ISLANDS[card])


@rule
def greedy(s: State, seat: int, mask: Cells) -> int:
    """The best of a seat's legal decisions."""
    best = -1
    most = -1
    for w in range(len(mask)):
        for i in range(count(mask[w])):
            action = 64 * w + nth(mask[w], i)
            if s.phase == KEEP:
                value = 0
                for which in range(KEPT):
                    value += promise(s, seat, nth(s.hand[seat], PAIRS[action][which]))
            elif s.phase == TAKE:
                value = 25 if action == A_DECK else promise(s, seat, action)
            else:
                value = worth(s, seat, action)
            if value > most:
                most = value
                best = action
    return best


@rule
def greedy_matches(
    states: Any, blank: Any, first: int, rng: Cells, mask: Cells, weights: Cells, scores: Any, left: Cells
) -> int:
    """One match for each row of `scores`; `left` gets the cards left in the deck; the number of decisions."""
    decisions = 0
    for i in range(len(scores)):
        seed(rng, first + i, 0)
        states[0] = blank[0]
        s = states[0]
        start(s)
        now = due(s)
        while now != 0:
            if now == CHANCE:
                step(s, CHANCE, roll(s, rng, weights))
            else:
                seat = random_seat(now, rng)
                clear(mask)
                legal(s, seat, mask)
                step(s, seat, greedy(s, seat, mask))
                decisions += 1
            now = due(s)
        for q in range(s.seats):
            scores[i, q] = points(s, q)
        left[i] = s.left
    return decisions


def main(matches: int) -> None:
    game = game_named("silver-and-gold")
    rules = build(game.module, "cpu", drivers=[random_play, sys.modules[__name__]])
    for seats in range(game.min_seats, game.max_seats + 1):
        b = buffers(game, seats, None)
        scores, left = np.zeros((matches, seats), np.int64), np.zeros(matches, np.int64)
        rules.greedy_matches(b.states, b.blank, 0, b.rng, b.mask, b.weights, scores, left)
        parts = f"mean {scores.mean():.1f}, best seat {scores.max(axis=1).mean():.1f}, most {scores.max()}"
        print(f"{seats} seats, {matches} matches: {parts}, fewest cards left in the deck {left.min()}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
