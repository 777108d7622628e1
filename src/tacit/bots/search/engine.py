"""Rules of searching, for any game: `build(game.module, "cpu", drivers=[policy, tuning, engine])`.

A decision is rated by playing on from it in imagined worlds, every seat by the policy (`choose`, which is `steady`'s).
All decisions are played in the same worlds with the same dice, and compared with the policy's own decision world by
world. Whole numbers only: the same on every machine.
"""

from __future__ import annotations

from typing import Any

from tacit.bots.bot_play import HIDDEN, choose, note, overhear, score
from tacit.core.bits import count, lowest, marked
from tacit.core.chance import seed
from tacit.core.random_play import CHANCE, chance, clear, due, imagine, know, legal, roll, step
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells

S = Any
SURE = 1 << 20  # the weight of a world in which everything heard is what the policy would have done
DOUBT = 12  # how many times less likely each decision makes a world in which the policy would have decided otherwise
WORKING, KNOWN, WORLD = range(3)  # the places of `states`


@hook
def believe(k: S, seat: int, rng: Cells) -> None:
    """Fill the unknown with one possibility. A game may have a rule that reads more out of what is known."""
    imagine(k, seat, rng)


@hook
def worth(s: S, out: Cells, seat: int) -> int:
    """What a finished match is worth to a seat; here its score. `out` holds all scores."""
    return 1000 * out[seat]


@hook
def clock(s: S) -> int:
    """How far the match is, in turns or the like; a search with a horizon plays so many of them."""
    return 0


# ------------------------------------------------------------------ one playout
@rule
def only(mask: Cells) -> int:
    """The one decision in a mask; -1 where there are several."""
    found = -1
    for w in range(len(mask)):
        if mask[w] != 0:
            if found >= 0 or count(mask[w]) > 1:
                return -1
            found = 64 * w + lowest(mask[w])
    return found


@rule
def policy(states: Any, blank: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """What the policy decides for a seat of states[WORKING], from what that seat knows."""
    clear(mask)
    legal(states[WORKING], seat, mask)
    action = only(mask)
    if action < 0:
        states[KNOWN] = blank[0]
        know(states[WORKING], seat, states[KNOWN])
        action = choose(states[KNOWN], seat, events, n, mask, rng)
    return action


@rule
def playout(
    states: Any, blank: Any, seat: int, action: int, events: Any, heard: Cells, n: int, mask: Cells, weights: Cells,
    out: Cells, dice: Cells, rng: Cells, horizon: int,
) -> int:  # fmt: skip
    """What states[WORLD] comes to after a decision, all seats going on by the policy. Chance has `dice` of its own.

    Every seat is taken to have heard what the searching seat has heard so far. With a horizon, `worth` judges the
    position that many turns on.
    """
    states[WORKING] = states[WORLD]
    stop = clock(states[WORKING]) + horizon
    seats = states[WORKING].seats + 0
    for q in range(seats):
        heard[q] = n
    note(states[WORKING], seat, action, seats, events, heard)
    step(states[WORKING], seat, action)
    now = due(states[WORKING])
    while now != 0 and (horizon == 0 or clock(states[WORKING]) < stop):
        if now == CHANCE:
            outcome = roll(states[WORKING], dice, weights)
            note(states[WORKING], CHANCE, outcome, seats, events, heard)
            step(states[WORKING], CHANCE, outcome)
        else:
            q = lowest(now)
            answer = policy(states, blank, q, events[q], heard[q], mask, rng)
            note(states[WORKING], q, answer, seats, events, heard)
            step(states[WORKING], q, answer)
        now = due(states[WORKING])
    score(states[WORKING], out)
    return worth(states[WORKING], out, seat)


@rule
def choose_in(states: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The policy's decision; states[KNOWN] holds what the seat knows."""
    return choose(states[KNOWN], seat, events, n, mask, rng)


@rule
def rate(
    states: Any, blank: Any, known: Any, worlds: Any, kept: int, seat: int, first: int, times: int, moves: Cells,
    live: Cells, key: Cells, events: Any, heard: Cells, n: int, mask: Cells, weights: Cells, out: Cells, dice: Cells,
    rng: Cells, horizon: int, sums: Cells, squares: Cells,
) -> int:  # fmt: skip
    """Play every live decision out in the worlds first, first + 1, …; the playouts made.

    `sums` and `squares` collect what each is worth more than moves[0], which is always played. World number i is one of
    the `kept` worlds, or, where none is kept, imagined.
    """
    made = 0
    for i in range(first, first + times):
        if kept > 0:
            states[WORLD] = worlds[i % kept]
        else:
            states[WORLD] = known[0]
            seed(rng, (key[0] + 2 * i) & 0xFFFFFFFF, key[1])
            believe(states[WORLD], seat, rng)
        base = 0
        for c in range(len(moves)):
            if live[c] == 0:
                continue
            seed(dice, (key[0] + 2 * i + 1) & 0xFFFFFFFF, key[1])
            seed(rng, (key[0] + 2 * i) & 0xFFFFFFFF, key[1] ^ 0x5DEECE66)
            value = playout(states, blank, seat, moves[c], events, heard, n, mask, weights, out, dice, rng, horizon)
            made += 1
            if c == 0:
                base = value
            more = value - base
            sums[c] += more
            squares[c] += more * more
    return made


# ------------------------------------------------------------------ worlds that fit what was heard
@rule
def follow(
    states: Any, blank: Any, worlds: Any, j: int, seat: int, events: Cells, first: int, n: int, mask: Cells,
    weights: Cells, rng: Cells,
) -> int:  # fmt: skip
    """Let worlds[j] live through what the seat has heard since; how well it fits, 0 if it is impossible.

    A decision that the policy would not have made in that world makes it DOUBT times less likely. What was heard to
    happen but not what it was (HIDDEN) happens as chance or the policy has it.
    """
    fit = SURE
    states[WORKING] = worlds[j]
    for i in range(first, n):
        who = events[i] >> 8
        action = events[i] & 255
        now = due(states[WORKING])
        if who == CHANCE:
            if now != CHANCE:
                return 0
            if action == 255:
                action = roll(states[WORKING], rng, weights)
            else:
                clear(weights)
                total = chance(states[WORKING], weights)
                if action >= len(weights) or weights[action] == 0:
                    return 0
                fit = max(fit * weights[action] // total, 1)
        else:
            if now == CHANCE or (now >> who) & 1 == 0:
                return 0
            if who == seat:
                clear(mask)
                legal(states[WORKING], who, mask)
                if not marked(mask, action):
                    return 0
            else:
                would = policy(states, blank, who, events, i, mask, rng)
                if action == 255:
                    action = would
                elif action != would:
                    clear(mask)
                    legal(states[WORKING], who, mask)
                    if not marked(mask, action):
                        return 0
                    fit = max(fit // DOUBT, 1)
        told = overhear(states[WORKING], seat, who, action)
        if told != HIDDEN and told != events[i] & 255:
            return 0
        step(states[WORKING], who, action)
    worlds[j] = states[WORKING]
    return fit


@rule
def follow_all(
    states: Any, blank: Any, worlds: Any, seat: int, events: Cells, first: int, n: int, mask: Cells, weights: Cells,
    rng: Cells, fits: Cells, seen: Any,
) -> None:  # fmt: skip
    """The same for every world; seen[j] is what the seat would know in it now."""
    for j in range(len(fits)):
        fits[j] = follow(states, blank, worlds, j, seat, events, first, n, mask, weights, rng)
        seen[j] = blank[0]
        if fits[j] > 0:
            know(worlds[j], seat, seen[j])


@rule
def imagine_all(worlds: Any, known: Any, seat: int, first: int, n: int, rng: Cells) -> None:
    """Fresh worlds in the places from `first` to n."""
    for j in range(first, n):
        worlds[j] = known[0]
        believe(worlds[j], seat, rng)
