"""A search that sees every card and every draw to come, compiled: nested Monte-Carlo search over whole matches.

From each position every decision of every due seat is tried with one random playout; the search follows the best match
it has found so far, to the end (Cazenave, Nested Monte-Carlo Search, IJCAI 2009, at level one), and begins again while
playouts are left, somewhere in the best match of all. What it reaches, the deal allowed; what it does not reach, the
deal may have allowed too.
"""

from __future__ import annotations

from typing import Any

from tacit.bots.driver import score
from tacit.bots.relay import paired
from tacit.core.bits import marked
from tacit.core.chance import below
from tacit.core.driver import CHANCE, clear, due, legal, random_marked, random_seat, start, step
from tacit.core.record import Cells
from tacit.core.rulekit import rule

FAILED = -(1 << 40)


@rule
def lay_out(states: Any, blank: Any, at: Cells, loose: Cells, weights: Cells, left: Cells, pools: Cells, sizes: Cells,
            orders: Any) -> int:  # fmt: skip
    """The match before anything has happened; which deck is first drawn from is for the caller to put in order."""
    states[0] = blank[0]
    start(states[0])
    if due(states[0]) != CHANCE:
        return 0
    return paired(states[0], at, loose, weights, left, pools, sizes, orders)


@rule
def copy_row(to: Any, place: int, source: Any, other: int) -> None:
    to[place, 0] = source[other, 0]
    to[place, 1] = source[other, 1]


@rule
def playout(
    states: Any, depth: int, line: Any, at: Cells, loose: Cells, weights: Cells, left: Cells, pools: Cells,
    sizes: Cells, orders: Any, mask: Cells, rng: Cells,
) -> int:  # fmt: skip
    """Play states[1] to the end and write the steps into `line` from `depth` on; how long it is then, or -1."""
    now = due(states[1])
    while now != 0:
        if depth >= len(line):
            return -1
        if now == CHANCE:
            action = paired(states[1], at, loose, weights, left, pools, sizes, orders)
            if action < 0:
                return -1
            who = CHANCE
        else:
            who = random_seat(now, rng)
            clear(mask)
            legal(states[1], who, mask)
            action = random_marked(mask, rng)
        line[depth, 0] = who
        line[depth, 1] = action
        step(states[1], who, action)
        depth += 1
        now = due(states[1])
    return depth


@rule
def search(
    states: Any, blank: Any, playouts: int, ceiling: int, at: Cells, first: Cells, loose: Cells, trial: Cells,
    weights: Cells, left: Cells, pools: Cells, sizes: Cells, orders: Any, mask: Cells, tried: Cells, rng: Cells,
    out: Cells, line: Any, run: Any, best: Any, length: Cells,
) -> int:  # fmt: skip
    """The best score found; the match that has it is `best`, length[0] steps. FAILED if a deck had no order.

    states[0] is the position, states[1] a playout; `first` the generator of draws from no deck as the match begins.
    """
    most = FAILED
    made = 0
    while made < playouts and most < ceiling:
        states[0] = blank[0]
        start(states[0])
        for w in range(len(first)):
            loose[w] = first[w]
        depth = 0
        # From the second run on: keep the beginning of the best match up to somewhere, and search on from there.
        made += 1
        kept = below(rng, length[0]) if most > FAILED else 0
        here = FAILED  # the best of this run, which `run` holds
        now = due(states[0])
        while now != 0:
            if now == CHANCE:
                action = paired(states[0], at, loose, weights, left, pools, sizes, orders)
                if action < 0:
                    return FAILED
                who = CHANCE
            elif depth < kept:
                who = best[depth, 0]
                action = best[depth, 1]
            else:
                for seat in range(states[0].seats):
                    if (now >> seat) & 1 == 1:
                        clear(tried)
                        legal(states[0], seat, tried)
                        for move in range(64 * len(tried)):
                            if marked(tried, move):
                                states[1] = states[0]
                                for w in range(len(loose)):
                                    trial[w] = loose[w]
                                line[depth, 0] = seat
                                line[depth, 1] = move
                                step(states[1], seat, move)
                                end = playout(
                                    states, depth + 1, line, at, trial, weights, left, pools, sizes, orders, mask, rng
                                )
                                if end < 0:
                                    return FAILED
                                made += 1
                                score(states[1], out)
                                if out[0] > here:
                                    here = out[0] + 0
                                    for i in range(depth, end):
                                        copy_row(run, i, line, i)
                                    if here >= most:
                                        most = here
                                        length[0] = end
                                        for i in range(end):
                                            copy_row(best, i, run, i)
                who = run[depth, 0]
                action = run[depth, 1]
            line[depth, 0] = who
            line[depth, 1] = action
            run[depth, 0] = who
            run[depth, 1] = action
            step(states[0], who, action)
            depth += 1
            now = due(states[0])
    return most
