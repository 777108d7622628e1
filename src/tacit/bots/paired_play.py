"""Matches between different compiled bots: each plays on until another's seat is due, then hands the match over.

`build(game.module, "cpu", drivers=[bot, paired_play])` makes one bot's copy; all copies share the workspace of one
match. Chance is paired (core.chance.Paired): Python puts a deck in order when it is first drawn from, so that the
orders, and the draws from them, are the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.bots.bot_play import choose
from tacit.bots.turn import own_stream
from tacit.core.bits import marked
from tacit.core.chance import FRESH, below, pick
from tacit.core.events import note_events
from tacit.core.random_play import (
    CHANCE,
    chance,
    clear,
    due,
    know,
    legal,
    pool,
    random_marked,
    random_seat,
    score,
    start,
    step,
)
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import IntRows, Ints, States

S = Any
# Why a bot handed the match over.
OVER, OTHERS, NEW_DECK, WRONG_POOL, LOG_FULL, ILLEGAL = range(6)
# The cells of `at`: steps made, the seat that is to decide (-1: not drawn yet), the deck that has no order, the number
# that was no legal decision, decisions made, and (where another decides for the bot) the next decision plus 1.
STEPS, SEAT, DECK, ANSWER, DECISIONS, FORCED = range(6)
AT = 6


class Workspace(NamedTuple):
    """The arrays of a match that is handed round."""

    states: States  # the match, and what the deciding seat knows of it
    blank: States  # a match before its start, and an empty record
    at: Ints
    key: Ints  # of the bots' generators
    turns: Ints  # a generator: who is first where several seats are due
    loose: Ints  # a generator: draws from no pool
    rng: Ints  # the deciding bot's generator
    mask: Ints
    offered: Ints  # the copy of the mask that the bot gets
    weights: Ints
    left: Ints
    pools: Ints  # the decks that have an order
    sizes: Ints  # their sizes
    orders: IntRows  # and their outcomes in order
    events: IntRows  # a row for each seat
    heard: Ints  # how many events each seat has
    steps: IntRows  # (who, action) of every step


@rule
def begin(w: Workspace) -> None:
    """Start a new match in states[0]."""
    w.states[0] = w.blank[0]
    start(w.states[0])


@inlined
def act(who: int, action: int, states: Any, events: Any, heard: Cells, steps: Any, at: Cells) -> None:
    """Make a step in states[0]: every seat hears it, and it is logged. The arrays are those of `Workspace`."""
    note_events(states[0], who, action, events, heard)
    step(states[0], who, action)
    steps[at[STEPS], 0] = who
    steps[at[STEPS], 1] = action
    at[STEPS] += 1
    at[SEAT] = -1
    if who != CHANCE:
        at[DECISIONS] += 1


@inlined
def paired(w: Workspace) -> int:
    """The outcome that core.chance.Paired draws; -NEW_DECK if the deck has no order yet, -WRONG_POOL if it grew."""
    total = chance(w.states[0], w.weights)
    deck = pool(w.states[0])
    if deck == FRESH:
        return pick(w.weights, below(w.loose, total))
    place = 0
    while place < len(w.pools) and (w.sizes[place] == 0 or w.pools[place] != deck):
        place += 1
    if place == len(w.pools):
        w.at[DECK] = deck
        return -NEW_DECK
    # Of a kind with n copies left, the last n of its places in the order are the ones still in the pool.
    clear(w.left)
    first = -1
    for back in range(w.sizes[place]):
        outcome = w.orders[place, w.sizes[place] - 1 - back]
        w.left[outcome] += 1
        if w.left[outcome] <= w.weights[outcome]:
            first = outcome
    for outcome in range(len(w.weights)):
        if w.weights[outcome] > w.left[outcome]:
            return -WRONG_POOL
    return first if first >= 0 else -WRONG_POOL


@rule
def play_on(w: Workspace, mine: int, random: int, until: int) -> int:
    """Play states[0] on while chance or a seat in `mine` or `random` is due, at most to step `until`; why it ended.

    The seats in `random` decide as the bot `random` does, so that it needs no compiled copy of its own. The bot gets
    what its seat knows in states[1], a copy of the mask and a generator of its own for each decision.
    """
    now = due(w.states[0])
    while now != 0:
        if w.at[STEPS] >= len(w.steps):
            return LOG_FULL
        if now == CHANCE:
            outcome = paired(w)
            if outcome < 0:
                return -outcome
            act(CHANCE, outcome, w.states, w.events, w.heard, w.steps, w.at)
        else:
            if w.at[SEAT] < 0:
                w.at[SEAT] = random_seat(now, w.turns)
            seat = w.at[SEAT] + 0
            if ((mine | random) >> seat) & 1 == 0 or w.at[STEPS] >= until:
                return OTHERS
            clear(w.mask)
            legal(w.states[0], seat, w.mask)
            own_stream(w.rng, w.key, w.at[STEPS], seat)
            for word in range(len(w.mask)):
                w.offered[word] = w.mask[word]
            if w.at[FORCED] > 0:
                action = w.at[FORCED] - 1
                w.at[FORCED] = 0
            elif (random >> seat) & 1 == 1:
                action = random_marked(w.mask, w.rng)
            else:
                w.states[1] = w.blank[1]
                know(w.states[0], seat, w.states[1])
                action = choose(w.states[1], seat, w.events[seat], w.heard[seat], w.offered, w.rng)
            if action < 0 or action >= 64 * len(w.mask) or not marked(w.mask, action):
                w.at[ANSWER] = action
                return ILLEGAL
            act(seat, action, w.states, w.events, w.heard, w.steps, w.at)
        now = due(w.states[0])
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
    """Make the same decision `times` times, from the same generator, to time it; returns the sum of the decisions."""
    last = 0
    for _ in range(times):
        states[1] = states[0]
        for word in range(len(mask)):
            offered[word] = mask[word]
        for word in range(len(rng)):
            words[word] = rng[word]
        last += choose(states[1], seat, events, n, offered, words)
    return last
