"""Rules of valuing moments, for any game: `build(game.module, "cpu", drivers=[policy, tuning, playouts])`.

Playouts go to the end, every seat by the policy. All decisions of a moment are played out in the same determinized
worlds with the same dice. What comes out are scores; what they mean is for Python to say. Whole numbers only: the same
on every machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.bots.bot_play import choose
from tacit.bots.search.engine import KNOWN, WORKING, WORLD, believe, play, policy
from tacit.core.bits import lowest
from tacit.core.chance import seed
from tacit.core.random_play import CHANCE, due, pool, roll, score
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import IntRows, Ints, States

DECKS = 8  # generators of chance, one a deck: a draw more from one leaves the draws from others as they are


class Workspace(NamedTuple):
    """The arrays of one style's playouts."""

    states: States  # at WORKING, KNOWN and WORLD
    blank: States  # an empty record
    known: States  # what the judged seat knows
    events: IntRows  # a row for each seat
    begun: Ints  # how many events each seat has before the playout
    heard: Ints  # and in it
    mask: Ints
    weights: Ints
    key: Ints  # of this moment's playouts
    dice: IntRows  # generators: chance, a row for each deck
    rng: Ints  # a generator: the policy, and determinizing


@rule
def finish(w: Workspace, out: Cells) -> None:
    """Play states[WORKING] to its end by the policy, and write the scores."""
    now = due(w.states[WORKING])
    while now != 0:
        if now == CHANCE:
            dice = w.dice[pool(w.states[WORKING]) & (DECKS - 1)]
            play(w, CHANCE, roll(w.states[WORKING], dice, w.weights), 0)  # type: ignore[arg-type]  # it has the same arrays
        else:
            q = lowest(now)
            play(w, q, policy(w, q, w.events[q], w.heard[q]), 0)  # type: ignore[arg-type]
        now = due(w.states[WORKING])
    score(w.states[WORKING], out)


@rule
def begin(w: Workspace, number: int) -> None:
    """Begin a playout in states[WORLD]; its dice follow from its number alone."""
    w.states[WORKING] = w.states[WORLD]
    for q in range(len(w.heard)):
        w.heard[q] = w.begun[q]
    for deck in range(DECKS):
        seed(w.dice[deck], (w.key[0] + 2 * number + 1) & 0xFFFFFFFF, w.key[1] ^ (deck << 24))
    seed(w.rng, (w.key[0] + 2 * number) & 0xFFFFFFFF, w.key[1] ^ 0x5DEECE66)


@rule
def value_here(w: Workspace, scores: Any, first: int) -> None:
    """Playouts number first, first + 1, … from states[WORLD] as it is, one for each row of scores."""
    for i in range(len(scores)):
        begin(w, first + i)
        finish(w, scores[i])


@rule
def determinize(w: Workspace, seat: int, number: int) -> None:
    """Put world number `number` into states[WORLD]: one that agrees with what the seat knows."""
    w.states[WORLD] = w.known[0]
    seed(w.rng, (w.key[0] + 2 * number) & 0xFFFFFFFF, w.key[1])
    believe(w.states[WORLD], seat, w.rng)


@rule
def value_moves(w: Workspace, seat: int, moves: Cells, scores: Any, first: int) -> None:
    """Playouts of each of a seat's decisions; scores[i, c] are those of moves[c] in world first + i."""
    for i in range(len(scores)):
        determinize(w, seat, first + i)
        for c in range(len(moves)):
            begin(w, first + i)
            play(w, seat, moves[c], 0)  # type: ignore[arg-type]
            finish(w, scores[i, c])


@rule
def chosen(states: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The policy's decision; states[KNOWN] holds what the seat knows."""
    return choose(states[KNOWN], seat, events, n, mask, rng)
