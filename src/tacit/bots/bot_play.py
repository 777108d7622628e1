"""Whole matches between compiled bots, for any game: `build(game.module, "cpu", drivers=[bot, driver])`.

A compiled bot is a module with one rule, `choose`; what it may look at is what its arguments are: what its seat knows,
what it has heard as numbers, its legal decisions and a generator.
"""

from __future__ import annotations

from typing import Any

from tacit.core.chance import below
from tacit.core.random_play import CHANCE, clear, due, know, legal, random_marked, roll, seed_match, start, step
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells

S = Any
EVENTS = 1 << 12  # heard steps a match, at the most
HIDDEN, UNHEARD = -1, -2  # of a step: only that it was made; nothing at all
SIGNAL = 192  # an event from here on, below 255, is a signal: which of the game's SIGNALS


@hook
def choose(k: S, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The bot's decision. `events` holds what the seat has heard, n numbers: 256 * who + action (HIDDEN: + 255)."""
    return random_marked(mask, rng)


@hook
def overhear(s: S, seat: int, who: int, action: int) -> int:
    """What a seat hears of a step about to be made in s: the action, HIDDEN or UNHEARD. A game has its own rule."""
    return UNHEARD


@rule
def note(s: S, who: int, action: int, seats: int, events: Any, heard: Cells) -> None:
    """Every seat notes what it hears of a step about to be made."""
    for seat in range(seats):
        told = overhear(s, seat, who, action)
        if told != UNHEARD and heard[seat] < EVENTS:
            events[seat, heard[seat]] = 256 * who + (255 if told == HIDDEN else told)
            heard[seat] += 1


@rule
def bot_match(
    states: Any, blank: Any, team: int, chance_rng: Cells, bot_rng: Cells, mask: Cells, weights: Cells, events: Any,
    heard: Cells,
) -> int:  # fmt: skip
    """Play states[0] to the end: the seats in the set `team` choose, the others decide at random; the decisions made.

    states[1] holds what the deciding seat knows. Chance has a generator of its own.
    """
    decisions = 0
    states[0] = blank[0]
    s = states[0]
    start(s)
    seats = s.seats + 0
    clear(heard)
    now = due(s)
    while now != 0:
        if now == CHANCE:
            outcome = roll(s, chance_rng, weights)
            note(s, CHANCE, outcome, seats, events, heard)
            step(s, CHANCE, outcome)
        else:
            seat = below(bot_rng, seats)
            while (now >> seat) & 1 == 0:
                seat = (seat + 1) % seats
            clear(mask)
            legal(s, seat, mask)
            if (team >> seat) & 1 == 1:
                states[1] = blank[1]
                know(s, seat, states[1])
                action = choose(states[1], seat, events[seat], heard[seat], mask, bot_rng)
            else:
                action = random_marked(mask, bot_rng)
            note(s, seat, action, seats, events, heard)
            step(s, seat, action)
            decisions += 1
        now = due(s)
    return decisions


@hook
def score(s: S, out: Cells) -> None: ...


@rule
def bot_matches(
    states: Any, blank: Any, first: int, n: int, team: int, chance_rng: Cells, bot_rng: Cells, mask: Cells,
    weights: Cells, events: Any, heard: Cells, scores: Any,
) -> int:  # fmt: skip
    """n matches; scores[i] are the seats' scores of match first + i. blank[1] is an empty record."""
    decisions = 0
    for i in range(n):
        seed_match(chance_rng, first + i)
        seed_match(bot_rng, (first + i) * 2 + 1_000_000_007)
        decisions += bot_match(states, blank, team, chance_rng, bot_rng, mask, weights, events, heard)
        score(states[0], scores[i])
    return decisions
