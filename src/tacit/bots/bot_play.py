"""Whole matches between compiled bots, for any game: `build(game.module, "cpu", drivers=[bot_play, bot])`.

A compiled bot is a module with the rule `choose`. Its arguments are all that it may read: what its seat knows, what it
heard as events (`core.events`), its legal decisions and a generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tacit.core.chance import RNG_WORDS, below
from tacit.core.events import EVENT_CAPACITY, note_events
from tacit.core.game import Game, OptionValue
from tacit.core.random_play import CHANCE, clear, due, know, legal, random_marked, roll, score, seed_match, start, step
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import IntRows, Ints, States

S = Any


class Workspace(NamedTuple):
    """The arrays of one match after the other."""

    states: States  # the match, and what the deciding seat knows of it
    blank: States  # a match before its start, and an empty record
    chance_rng: Ints
    bot_rng: Ints
    mask: Ints
    weights: Ints
    events: IntRows  # a row for each seat
    heard: Ints  # how many events each seat has
    scores: IntRows  # a row for each match


def workspace(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int = 1,
    rules_version: int | None = None,
) -> Workspace:  # fmt: skip
    """The arrays for a number of matches of a game."""
    blank = np.zeros(2, game.dtype)
    game.blank(seats, options, rules_version).store(blank[0])
    return Workspace(
        states=np.zeros(2, game.dtype),
        blank=blank,
        chance_rng=np.zeros(RNG_WORDS, np.int64),
        bot_rng=np.zeros(RNG_WORDS, np.int64),
        mask=np.zeros(game.words, np.int64),
        weights=np.zeros(game.outcomes, np.int64),
        events=np.zeros((seats, EVENT_CAPACITY), np.int64),
        heard=np.zeros(seats, np.int64),
        scores=np.zeros((matches, seats), np.int64),
    )


@hook
def choose(k: S, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The bot's decision; `events` holds what the seat heard, n of them."""
    return random_marked(mask, rng)


@hook
def choose_with(k: S, seat: int, events: Cells, n: int, mask: Cells, rng: Cells, memory: Cells) -> int:
    """The decision of `choose`, with LOCAL_CELLS cells that keep what the seat wrote there when it last decided in this
    match; all 0 at first.

    A bot need not have this rule. Who plays many matches asks it: it saves reading all events anew.
    """
    return choose(k, seat, events, n, mask, rng)


@hook
def at_once(mask: Cells, rng: Cells) -> int:
    """The decision of `choose` where it follows from the legal ones alone, with the same draws; -1: ask `choose`.

    A bot need not have this rule. Who plays many matches asks it first: it saves working out what the seat knows.
    """
    return -1


@rule
def bot_match(w: Workspace, team: int) -> int:
    """Play states[0] to the end: the seats in the set `team` choose, the others decide at random; the decisions made.

    Chance has a generator of its own.
    """
    decisions = 0
    w.states[0] = w.blank[0]
    s = w.states[0]
    start(s)
    seats = s.seats + 0
    clear(w.heard)
    now = due(s)
    while now != 0:
        if now == CHANCE:
            outcome = roll(s, w.chance_rng, w.weights)
            note_events(s, CHANCE, outcome, w.events, w.heard)
            step(s, CHANCE, outcome)
        else:
            seat = below(w.bot_rng, seats)
            while (now >> seat) & 1 == 0:
                seat = (seat + 1) % seats
            clear(w.mask)
            legal(s, seat, w.mask)
            if (team >> seat) & 1 == 1:
                w.states[1] = w.blank[1]
                know(s, seat, w.states[1])
                action = choose(w.states[1], seat, w.events[seat], w.heard[seat], w.mask, w.bot_rng)
            else:
                action = random_marked(w.mask, w.bot_rng)
            note_events(s, seat, action, w.events, w.heard)
            step(s, seat, action)
            decisions += 1
        now = due(s)
    return decisions


@rule
def bot_matches(w: Workspace, first: int, n: int, team: int) -> int:
    """n matches; scores[i] are the seats' scores of match first + i. The decisions made."""
    decisions = 0
    for i in range(n):
        seed_match(w.chance_rng, first + i)
        seed_match(w.bot_rng, (first + i) * 2 + 1_000_000_007)
        decisions += bot_match(w, team)
        score(w.states[0], w.scores[i])
    return decisions
