"""Bots of rules on seats of a batch, and scores as they stand: `build(module, backend, drivers=[bot_driver, bot])`.

The rules work in the batch's own arrays, on the CPU and on a GPU.
"""

from __future__ import annotations

from typing import Any

from tacit.core.clockwise import seat_after
from tacit.core.events import encode_event
from tacit.core.random_play import clear, know, random_marked, score
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import FloatRows, IntRows
from tacit.research.stepping import Workspace


@hook
def choose(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The bot's decision; `events` holds what the seat heard, n of them."""
    return random_marked(mask, rng)


@inlined
def retell(i: int, seat: int, w: Workspace, events: Cells) -> int:
    """Write what a seat of match i heard, as far as the log goes back, as events, oldest first; how many.

    Chance's steps and signals are not in the log.
    """
    size, heard = w.history.shape[1], w.heard[i, seat]
    number: int = min(heard, size)
    for at in range(number):
        place = at if heard <= size else (heard - size + at) % size
        code = w.log[i, seat * size + place] - 1
        who = seat_after(seat, code // w.codes, w.heard.shape[1])
        events[at] = encode_event(who, code % w.codes - 1)
    return number


@inlined
def bot_decides(i: int, row: int, w: Workspace, events: IntRows) -> None:
    """Where actions[i] is negative the bot decides for the seat that is asked in match i."""
    if w.actions[i] >= 0:
        return
    seat = w.seat[i] + 0
    w.worlds[i] = w.blank[1]
    know(w.states[i], seat, w.worlds[i])
    number = retell(i, seat, w, events[row]) if w.heard.shape[1] > 0 else 0
    w.actions[i] = choose(w.worlds[i], seat, events[row], number, w.words[i], w.dice[i])


@rule
def bot_decides_slice(n: int, w: Workspace, events: IntRows) -> None:
    """In every match of a batch."""
    for i in range(n):
        bot_decides(i, 0, w, events)


@inlined
def scores_now(i: int, row: int, w: Workspace, out: FloatRows) -> None:
    """The scores of match i as they would be if it ended now."""
    clear(w.scores[row])
    score(w.states[i], w.scores[row])
    for q in range(out.shape[1]):
        out[i, q] = w.scores[row, q]


@rule
def scores_now_slice(n: int, w: Workspace, out: FloatRows) -> None:
    """Of every match of a batch."""
    for i in range(n):
        scores_now(i, 0, w, out)
