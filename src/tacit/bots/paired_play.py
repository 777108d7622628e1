"""Matches in which several bots sit, compiled: each plays on until another's seat is due, then hands the match over.

`build(game.module, "cpu", drivers=[bot, relay])` makes one bot's copy; all copies share the arrays of one match. Chance
is paired (core.chance.Paired): the orders of the decks are made in Python when a deck is first drawn from, so that they
are the same ones, and the draw from them is the same draw.
"""

from __future__ import annotations

from typing import Any

from tacit.bots.bot_play import HIDDEN, UNHEARD, choose, overhear, score
from tacit.bots.turn import own_stream
from tacit.core.bits import marked
from tacit.core.chance import FRESH, below, pick
from tacit.core.random_play import CHANCE, chance, clear, due, know, legal, random_marked, random_seat, start, step
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells

S = Any
# Why a bot handed the match over.
OVER, OTHERS, NEW_DECK, WRONG_POOL, LOG_FULL, ILLEGAL = range(6)
# The cells of `at`: steps made, the seat that is to decide (-1: not drawn yet), the deck that has no order, the number
# that was no legal decision, decisions made, and (where another decides for the bot) the next decision plus 1.
STEPS, SEAT, DECK, ANSWER, DECISIONS, FORCED = range(6)
AT = 6


@hook
def pool(s: S) -> int:
    return FRESH


@rule
def begin(states: Any, blank: Any) -> None:
    """Lay out a new match in states[0]."""
    states[0] = blank[0]
    start(states[0])


@rule
def note(s: S, who: int, action: int, events: Any, heard: Cells) -> None:
    """Every seat notes what it hears of a step about to be made."""
    for seat in range(s.seats):
        told = overhear(s, seat, who, action)
        if told != UNHEARD and heard[seat] < len(events[seat]):
            events[seat, heard[seat]] = 256 * who + (255 if told == HIDDEN else told)
            heard[seat] += 1


@rule
def act(states: Any, who: int, action: int, at: Cells, events: Any, heard: Cells, steps: Any) -> None:
    """Make a step: everyone hears it, and it is written down."""
    note(states[0], who, action, events, heard)
    step(states[0], who, action)
    steps[at[STEPS], 0] = who
    steps[at[STEPS], 1] = action
    at[STEPS] += 1
    at[SEAT] = -1
    if who != CHANCE:
        at[DECISIONS] += 1


@rule
def paired(s: S, at: Cells, loose: Cells, weights: Cells, left: Cells, pools: Cells, sizes: Cells, orders: Any) -> int:
    """The outcome that core.chance.Paired draws; -NEW_DECK if the deck has no order yet, -WRONG_POOL if it grew."""
    total = chance(s, weights)
    deck = pool(s)
    if deck == FRESH:
        return pick(weights, below(loose, total))
    place = 0
    while place < len(pools) and (sizes[place] == 0 or pools[place] != deck):
        place += 1
    if place == len(pools):
        at[DECK] = deck
        return -NEW_DECK
    # Of a kind with w copies left, the last w of its places in the order are the ones still in the pool.
    clear(left)
    first = -1
    for back in range(sizes[place]):
        outcome = orders[place, sizes[place] - 1 - back]
        left[outcome] += 1
        if left[outcome] <= weights[outcome]:
            first = outcome
    for outcome in range(len(weights)):
        if weights[outcome] > left[outcome]:
            return -WRONG_POOL
    return first if first >= 0 else -WRONG_POOL


@rule
def play_on(
    states: Any, blank: Any, mine: int, lots: int, until: int, at: Cells, key: Cells, turns: Cells, loose: Cells,
    rng: Cells, mask: Cells, offered: Cells, weights: Cells, left: Cells, pools: Cells, sizes: Cells, orders: Any,
    events: Any, heard: Cells, steps: Any,
) -> int:  # fmt: skip
    """Play states[0] on while chance or a seat in `mine` or `lots` is due, at most to step `until`; why it ended.

    The seats in `lots` decide by lot, as the bot `random` does, so that it needs no compiled copy of its own.
    Where several seats are due, `turns` draws who is first. The bot gets what its seat knows in states[1], a mask of
    its own and a generator of its own for each decision; its answer is looked up in the mask it cannot reach.
    """
    now = due(states[0])
    while now != 0:
        if at[STEPS] >= len(steps):
            return LOG_FULL
        if now == CHANCE:
            outcome = paired(states[0], at, loose, weights, left, pools, sizes, orders)
            if outcome < 0:
                return -outcome
            act(states, CHANCE, outcome, at, events, heard, steps)
        else:
            if at[SEAT] < 0:
                at[SEAT] = random_seat(now, turns)
            seat = at[SEAT] + 0
            if ((mine | lots) >> seat) & 1 == 0 or at[STEPS] >= until:
                return OTHERS
            clear(mask)
            legal(states[0], seat, mask)
            own_stream(rng, key, at[STEPS], seat)
            for w in range(len(mask)):
                offered[w] = mask[w]
            if at[FORCED] > 0:
                action = at[FORCED] - 1
                at[FORCED] = 0
            elif (lots >> seat) & 1 == 1:
                action = random_marked(mask, rng)
            else:
                states[1] = blank[1]
                know(states[0], seat, states[1])
                action = choose(states[1], seat, events[seat], heard[seat], offered, rng)
            if action < 0 or action >= 64 * len(mask) or not marked(mask, action):
                at[ANSWER] = action
                return ILLEGAL
            act(states, seat, action, at, events, heard, steps)
        now = due(states[0])
    return OVER


@rule
def score_at(states: Any, out: Cells) -> None:
    score(states[0], out)


@rule
def choose_at(states: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """One decision; states[0] holds what the seat knows."""
    return choose(states[0], seat, events, n, mask, rng)


@hook
def signal(k: S, seat: int, events: Cells, n: int) -> int:
    """The signal, by number, that a bot gives before it decides; a bot may have this rule, in games with signals."""
    return -1


@rule
def signal_at(states: Any, seat: int, events: Cells, n: int) -> int:
    """One signal; states[0] holds what the seat knows."""
    return signal(states[0], seat, events, n)


@rule
def choose_often(
    states: Any, seat: int, events: Cells, n: int, mask: Cells, offered: Cells, rng: Cells, words: Cells, times: int
) -> int:
    """The same decision so many times, from the same generator: to measure what one costs."""
    last = 0
    for _ in range(times):
        states[1] = states[0]
        for w in range(len(mask)):
            offered[w] = mask[w]
        for w in range(len(rng)):
            words[w] = rng[w]
        last += choose(states[1], seat, events, n, offered, words)
    return last
