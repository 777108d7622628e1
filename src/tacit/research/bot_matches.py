"""Whole matches of a compiled bot, with every decision: `build(game.module, "cpu", drivers=[bot, bot_matches])`.

Where several seats are due the lowest decides, as in all of research. Bots that signal do: their signals are heard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tacit.bots.bot_play import choose
from tacit.bots.paired_play import signal
from tacit.core.bits import lowest
from tacit.core.chance import RNG_WORDS
from tacit.core.events import EVENT_CAPACITY, FIRST_SIGNAL, encode_event, note_events
from tacit.core.game import Game, OptionValue
from tacit.core.random_play import CHANCE, clear, due, know, legal, observe, roll, score, seed_match, start, step
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.workspace import ByteRows, IntRows, Ints, States

S = Any
ROWS, SIGNALS = range(2)  # the cells of `at`: how many rows and signals are written
BOT_STREAM = 1 << 62  # the bots' dice: streams that no match has as its seed
SIGNAL_COLUMNS = ("match", "row", "seat", "signal")


class Workspace(NamedTuple):
    """The arrays of one match after the other, and what is written down of all of them."""

    states: States  # the match, and what the deciding seat knows of it
    blank: States  # a match before its start, and an empty record
    chance_rng: Ints
    bot_rng: Ints
    mask: Ints
    weights: Ints
    events: IntRows  # a row for each seat
    heard: Ints  # how many events each seat has
    given: Ints  # how many signals each seat has given on this occasion
    at: Ints
    scores: IntRows  # a row for each match
    observation: ByteRows  # from here on a row for each decision
    legal: IntRows
    row: IntRows  # match, seat, action
    signals: IntRows  # SIGNAL_COLUMNS; `row` is that of the decision that follows


def workspace(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None, matches: int, rows: int
) -> Workspace:  # fmt: skip
    """The arrays for so many matches and so many decisions."""
    blank = np.zeros(2, game.dtype)
    game.blank(seats, options).store(blank[0])
    return Workspace(
        states=np.zeros(2, game.dtype),
        blank=blank,
        chance_rng=np.zeros(RNG_WORDS, np.int64),
        bot_rng=np.zeros(RNG_WORDS, np.int64),
        mask=np.zeros(game.words, np.int64),
        weights=np.zeros(game.outcomes, np.int64),
        events=np.zeros((seats, EVENT_CAPACITY), np.int64),
        heard=np.zeros(seats, np.int64),
        given=np.zeros(seats, np.int64),
        at=np.zeros(2, np.int64),
        scores=np.zeros((matches, game.max_seats), np.int64),
        observation=np.zeros((rows, game.observation), np.int8),
        legal=np.zeros((rows, game.words), np.int64),
        row=np.zeros((rows, 3), np.int64),
        signals=np.zeros((rows if game.signals else 1, 4), np.int64),
    )


@hook
def signallers(s: S) -> int:
    """The seats that may signal now; a game may have this rule."""
    return 0


@hook
def occasion(s: S) -> int:
    """What signals are about now; a game may have this rule."""
    return 0


@inlined
def give_signals(w: Workspace, seat: int, number: int, limit: int) -> None:
    """Let the bot signal before it decides, as often as it wants and may; every seat hears it."""
    while (signallers(w.states[0]) >> seat) & 1 == 1 and w.given[seat] < limit and w.at[SIGNALS] < len(w.signals):
        which = signal(w.states[1], seat, w.events[seat], w.heard[seat])
        if which < 0:
            break
        for q in range(w.states[0].seats):
            if w.heard[q] < len(w.events[q]):
                w.events[q, w.heard[q]] = encode_event(seat, FIRST_SIGNAL + which)
                w.heard[q] += 1
        w.given[seat] += 1
        w.signals[w.at[SIGNALS], 0] = number
        w.signals[w.at[SIGNALS], 1] = w.at[ROWS]
        w.signals[w.at[SIGNALS], 2] = seat
        w.signals[w.at[SIGNALS], 3] = which
        w.at[SIGNALS] += 1


@inlined
def decide(w: Workspace, seat: int, number: int, limit: int) -> None:
    """One decision of the bot, written down with what the seat observed and could have decided."""
    at = w.at[ROWS] + 0
    w.states[1] = w.blank[1]
    know(w.states[0], seat, w.states[1])
    give_signals(w, seat, number, limit)
    observe(w.states[1], seat, w.observation[at])
    clear(w.mask)
    legal(w.states[0], seat, w.mask)
    for word in range(len(w.mask)):
        w.legal[at, word] = w.mask[word]
    action = choose(w.states[1], seat, w.events[seat], w.heard[seat], w.mask, w.bot_rng)
    w.row[at, 0] = number
    w.row[at, 1] = seat
    w.row[at, 2] = action
    w.at[ROWS] += 1
    note_events(w.states[0], seat, action, w.events, w.heard)
    step(w.states[0], seat, action)


@rule
def write_match(w: Workspace, number: int, limit: int) -> None:
    """Play states[0] to its end."""
    w.states[0] = w.blank[0]
    start(w.states[0])
    clear(w.heard)
    clear(w.given)
    about = occasion(w.states[0])
    now = due(w.states[0])
    while now != 0:
        if now == CHANCE:
            outcome = roll(w.states[0], w.chance_rng, w.weights)
            note_events(w.states[0], CHANCE, outcome, w.events, w.heard)
            step(w.states[0], CHANCE, outcome)
        else:
            decide(w, lowest(now), number, limit)
        if occasion(w.states[0]) != about:
            about = occasion(w.states[0])
            clear(w.given)
        now = due(w.states[0])
    score(w.states[0], w.scores[number])


@rule
def write_matches(w: Workspace, first: int, n: int, longest: int, limit: int) -> int:
    """Up to n matches with the seeds first, first + 1, …, while a match of `longest` decisions fits; how many."""
    w.at[ROWS] = 0
    w.at[SIGNALS] = 0
    done = 0
    while done < n and w.at[ROWS] + longest <= len(w.observation):
        seed_match(w.chance_rng, first + done)
        seed_match(w.bot_rng, BOT_STREAM + first + done)
        write_match(w, done, limit)
        done += 1
    return done
