"""Rules of searching, for any game: `build(game.module, "cpu", drivers=[policy, tuning, engine])`.

A decision is rated by playouts from it in determinized worlds, every seat by the policy (`choose` of `steady`). All
decisions are played out in the same worlds with the same dice, and compared with the policy's own decision world by
world. Whole numbers only: the same on every machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.bots.bot_play import choose
from tacit.core.bits import count, lowest, marked
from tacit.core.chance import seed
from tacit.core.events import HIDDEN, event_actor, event_heard, note_events, overhear
from tacit.core.random_play import CHANCE, chance, clear, due, imagine, know, legal, roll, score, step
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import IntRows, Ints, States

S = Any
FULL_WEIGHT = 1 << 20  # of a world in which everything heard is what the policy would have done
SURPRISE = 12  # how many times less likely a decision makes a world in which the policy would have decided otherwise
WORKING, KNOWN, WORLD = range(3)  # the places of `states`


class Workspace(NamedTuple):
    """The arrays of a seat's search."""

    states: States
    blank: States  # an empty record
    known: States  # what the searching seat knows
    worlds: States  # kept from one decision to the next
    seen: States  # what the searching seat would know in each of them
    beliefs: Ints  # how likely each of them is; 0: impossible
    moves: Ints  # the decisions that are compared, the policy's first
    live: Ints  # 1 for those that are still played out
    sums: Ints  # of what each is worth more than the policy's
    squares: Ints
    events: IntRows  # a row for each seat
    heard: Ints  # how many events each seat has
    mask: Ints
    weights: Ints
    out: Ints
    key: Ints  # of this decision's playouts
    dice: Ints  # a generator: chance
    rng: Ints  # a generator: the policy, and determinizing


@hook
def believe(k: S, seat: int, rng: Cells) -> None:
    """Determinize what a seat knows. A game may have a rule that reads more out of it than `imagine`."""
    imagine(k, seat, rng)


@hook
def worth(s: S, out: Cells, seat: int) -> int:
    """What a finished match is worth to a seat; here its score. `out` holds all scores."""
    return 1000 * out[seat]


@hook
def clock(s: S) -> int:
    """The progress of a match, in turns or another unit; a search with a horizon plays that many units."""
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


@inlined
def policy(w: Workspace, seat: int, events: Cells, n: int) -> int:
    """What the policy decides for a seat of states[WORKING], from what that seat knows."""
    clear(w.mask)
    legal(w.states[WORKING], seat, w.mask)
    action = only(w.mask)
    if action < 0:
        w.states[KNOWN] = w.blank[0]
        know(w.states[WORKING], seat, w.states[KNOWN])
        action = choose(w.states[KNOWN], seat, events, n, w.mask, w.rng)
    return action


@inlined
def play(w: Workspace, who: int, action: int, n: int) -> None:
    """A step in states[WORKING]; the seats hear it if they hear at all (n >= 0)."""
    if n >= 0:
        note_events(w.states[WORKING], who, action, w.events, w.heard)
    step(w.states[WORKING], who, action)


@rule
def playout(w: Workspace, seat: int, action: int, n: int, horizon: int) -> int:
    """What states[WORLD] comes to after a decision, all seats going on by the policy. Chance has `dice` of its own.

    Every seat is taken to have heard the n events of the searching seat; with n < 0 no seat hears anything. With a
    horizon, `worth` judges the position that many turns on.
    """
    w.states[WORKING] = w.states[WORLD]
    stop = clock(w.states[WORKING]) + horizon
    for q in range(len(w.heard)):
        w.heard[q] = max(n, 0)
    play(w, seat, action, n)
    now = due(w.states[WORKING])
    while now != 0 and (horizon == 0 or clock(w.states[WORKING]) < stop):
        if now == CHANCE:
            play(w, CHANCE, roll(w.states[WORKING], w.dice, w.weights), n)
        else:
            q = lowest(now)
            play(w, q, policy(w, q, w.events[q], w.heard[q]), n)
        now = due(w.states[WORKING])
    score(w.states[WORKING], w.out)
    return worth(w.states[WORKING], w.out, seat)


@rule
def choose_in(states: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The policy's decision; states[KNOWN] holds what the seat knows."""
    return choose(states[KNOWN], seat, events, n, mask, rng)


@inlined
def enter_world(w: Workspace, seat: int, i: int, kept: int) -> None:
    """Put world number i into states[WORLD]: one of the `kept` worlds, or, where none is kept, a determinized one."""
    if kept > 0:
        w.states[WORLD] = w.worlds[i % kept]
    else:
        w.states[WORLD] = w.known[0]
        seed(w.rng, (w.key[0] + 2 * i) & 0xFFFFFFFF, w.key[1])
        believe(w.states[WORLD], seat, w.rng)


@rule
def rate(w: Workspace, seat: int, first: int, times: int, kept: int, n: int, horizon: int) -> int:
    """Play every live decision out in the worlds first, first + 1, …; the playouts made.

    `sums` and `squares` collect what each is worth more than moves[0], which is always played.
    """
    made = 0
    for i in range(first, first + times):
        enter_world(w, seat, i, kept)
        base = 0
        for c in range(len(w.moves)):
            if w.live[c] == 0:
                continue
            seed(w.dice, (w.key[0] + 2 * i + 1) & 0xFFFFFFFF, w.key[1])
            seed(w.rng, (w.key[0] + 2 * i) & 0xFFFFFFFF, w.key[1] ^ 0x5DEECE66)
            value = playout(w, seat, w.moves[c], n, horizon)
            made += 1
            if c == 0:
                base = value
            more = value - base
            w.sums[c] += more
            w.squares[c] += more * more
    return made


# ------------------------------------------------------------------ worlds that fit what was heard
@rule
def follow(w: Workspace, j: int, seat: int, first: int, n: int) -> int:
    """Play worlds[j] through what the seat heard since event `first`; how likely that is, 0 if it is impossible.

    A decision that the policy would not have made in that world makes it SURPRISE times less likely. What was HIDDEN
    happens as chance or the policy has it.
    """
    likely = FULL_WEIGHT
    events = w.events[seat]
    w.states[WORKING] = w.worlds[j]
    for i in range(first, n):
        who = event_actor(events[i])
        action = event_heard(events[i])
        now = due(w.states[WORKING])
        if who == CHANCE:
            if now != CHANCE:
                return 0
            if action == HIDDEN:
                action = roll(w.states[WORKING], w.rng, w.weights)
            else:
                clear(w.weights)
                total = chance(w.states[WORKING], w.weights)
                if action >= len(w.weights) or w.weights[action] == 0:
                    return 0
                likely = max(likely * w.weights[action] // total, 1)
        else:
            if now == CHANCE or (now >> who) & 1 == 0:
                return 0
            if who == seat:
                clear(w.mask)
                legal(w.states[WORKING], who, w.mask)
                if not marked(w.mask, action):
                    return 0
            else:
                would = policy(w, who, events, i)
                if action == HIDDEN:
                    action = would
                elif action != would:
                    clear(w.mask)
                    legal(w.states[WORKING], who, w.mask)
                    if not marked(w.mask, action):
                        return 0
                    likely = max(likely // SURPRISE, 1)
        told = overhear(w.states[WORKING], seat, who, action)
        if told != HIDDEN and told != event_heard(events[i]):
            return 0
        step(w.states[WORKING], who, action)
    w.worlds[j] = w.states[WORKING]
    return likely


@rule
def follow_all(w: Workspace, seat: int, first: int, n: int) -> None:
    """The same for every world; seen[j] is what the seat would know in it now."""
    for j in range(len(w.beliefs)):
        w.beliefs[j] = follow(w, j, seat, first, n)
        w.seen[j] = w.blank[0]
        if w.beliefs[j] > 0:
            know(w.worlds[j], seat, w.seen[j])


@rule
def imagine_all(w: Workspace, seat: int, first: int, n: int) -> None:
    """Fresh worlds in the places from `first` to n."""
    for j in range(first, n):
        w.worlds[j] = w.known[0]
        believe(w.worlds[j], seat, w.rng)
