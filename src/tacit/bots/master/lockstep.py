"""Playouts side by side, by a network: `build(game.module, "cpu", drivers=[policy, tuning, engine, lockstep])`.

Every slot is one playout. All of them go on until a seat has a choice; then the network is asked once for all of them,
which is far faster than one after the other. Whole numbers only, as in `search.engine`, whose workspace holds what is
compared and the determinized worlds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.bots.bot_play import choose
from tacit.bots.network.heard_tokens import heard_tokens
from tacit.bots.network.inference import best
from tacit.bots.search.engine import WORLD, Workspace, clock, enter_world, only
from tacit.core.bits import lowest
from tacit.core.chance import seed
from tacit.core.events import note_events
from tacit.core.random_play import CHANCE, clear, due, know, legal, observe, roll, score, step
from tacit.core.rulekit import allocates, hook, inlined, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import ByteRows, IntRows, Ints, States

S = Any
ONE = 1 << 12  # a return of 1, as networks write it (STREAM_BITS)
ENDED, ASKS = range(2)  # how a slot stands: its value is known; one of its seats has a choice
COMMON, POINT, WIN, DENSE, HIGH = range(5)  # the places of `returns`


class Slots(NamedTuple):
    """The arrays of playouts side by side."""

    states: States  # a row for each slot, as of all that follow
    known: States  # what the deciding seat knows
    standing: Ints  # ENDED or ASKS
    seats: Ints  # that decides
    values: Ints  # what the playout came to
    asked: Ints  # the slots that the network is asked for
    masks: IntRows
    events: Any  # (slots, seats, events)
    heard: IntRows  # (slots, seats)
    dice: IntRows
    cells: ByteRows  # what the network is asked, in the order of `asked`
    tokens: IntRows
    wanted: IntRows  # and what it says: logits, then values
    returns: Ints  # what the network was trained to want: COMMON, POINT, …


@hook
def evaluate(cells: Any, tokens: Any, wanted: Any, n: int) -> None:
    """The network's logits and values for the first n rows."""


@hook
def appraise(cells: Any, tokens: Any, wanted: Any, n: int) -> None:
    """The same where only values count: a game may have a network of its own for them."""
    evaluate(cells, tokens, wanted, n)


@hook
def judged(s: S, out: Cells, seat: int, told: int) -> int:
    """What a position is worth to a seat: here what the network told. A game may know more. `out` holds all scores."""
    return told


@rule
def returned(s: S, out: Cells, said: Cells, actions: int, decider: int, seat: int, r: Cells) -> int:
    """The return that a seat can expect: `said` are the network's outputs for the decider; none: the match is over.

    In competitive games what it is more than that of the others, on average, times their number.
    """
    over = len(said) == 0
    if r[COMMON] == 1:
        sure = (out[seat] - (r[HIGH] if r[DENSE] == 0 else 0)) * r[POINT]
        if over:
            return sure + (r[WIN] if out[seat] == r[HIGH] else 0)
        return said[actions] + (sure if r[DENSE] == 1 else 0)
    best, winners = out[0], 0
    for q in range(s.seats):
        best = max(best, out[q])
    for q in range(s.seats):
        winners += 1 if out[q] == best else 0
    lead = 0
    for q in range(s.seats):
        value = r[POINT] * out[q] if over or r[DENSE] == 1 else 0
        if not over:
            value += said[actions + (q - decider) % s.seats]
        elif out[q] == best:
            value += r[WIN] // winners
        lead += (s.seats - 1) * value if q == seat else -value
    return lead


@inlined
def play_on(w: Workspace, v: Slots, b: int, own: int, stop: int) -> int:
    """Play slot b until its match is over, or a seat has a choice: whether one has (ASKS, or ENDED).

    With own >= 0 the policy makes all choices, up to the first one of that seat that comes when the clock has reached
    `stop`.
    """
    now = due(v.states[b])
    while now != 0:
        if now == CHANCE:
            who, action = CHANCE, roll(v.states[b], v.dice[b], w.weights)
        else:
            who = lowest(now)
            clear(v.masks[b])
            legal(v.states[b], who, v.masks[b])
            action = only(v.masks[b])
            if action < 0 and own >= 0 and (who != own or clock(v.states[b]) < stop):
                v.known[0] = w.blank[0]
                know(v.states[b], who, v.known[0])
                action = choose(v.known[0], who, v.events[b, who], v.heard[b, who], v.masks[b], w.rng)
            if action < 0:
                v.seats[b] = who
                return ASKS
        note_events(v.states[b], who, action, v.events[b], v.heard[b])
        step(v.states[b], who, action)
        now = due(v.states[b])
    return ENDED


@inlined
def put_question(w: Workspace, v: Slots, b: int, m: int, actions: int) -> None:
    """Row m of what the network is asked: what the deciding seat of slot b observes and has heard."""
    seat = v.seats[b]
    v.known[0] = w.blank[0]
    know(v.states[b], seat, v.known[0])
    for c in range(v.cells.shape[1]):
        v.cells[m, c] = 0
    observe(v.known[0], seat, v.cells[m])
    heard_tokens(v.events[b, seat], v.heard[b, seat], seat, v.known[0].seats, actions, v.tokens[m])


@allocates
def play_out(w: Workspace, v: Slots, used: int, seat: int, actions: int, horizon: int, turns: int) -> None:
    """Play the first `used` slots on by the network; values[b] is what slot b came to for the seat.

    With a horizon, what the network is asked for the last of so many times is its value. With `turns`, the policy plays
    so many first, and goes on to play the other seats.
    """
    own = seat if turns > 0 else -1
    stop = clock(w.known[0]) + turns
    for b in range(used):
        v.standing[b] = ASKS
    left, times = used, 0
    while left > 0:
        left = 0
        times += 1
        for b in range(used):
            if v.standing[b] == ENDED:
                continue
            v.standing[b] = play_on(w, v, b, own, stop)
            if v.standing[b] == ENDED:
                score(v.states[b], w.out)
                v.values[b] = returned(v.states[b], w.out, v.wanted[0][:0], actions, 0, seat, v.returns)
            else:
                put_question(w, v, b, left, actions)
                v.asked[left] = b
                left += 1
        if left > 0 and times == horizon:
            appraise(v.cells, v.tokens, v.wanted, left)
        elif left > 0:
            evaluate(v.cells, v.tokens, v.wanted, left)
        for m in range(left):
            b = v.asked[m]
            if times == horizon:
                score(v.states[b], w.out)
                told = returned(v.states[b], w.out, v.wanted[m], actions, v.seats[b], seat, v.returns)
                v.values[b] = judged(v.states[b], w.out, seat, told)
                v.standing[b] = ENDED
            else:
                who, action = v.seats[b], best(v.wanted[m], actions, v.masks[b])
                note_events(v.states[b], who, action, v.events[b], v.heard[b])
                step(v.states[b], who, action)


@allocates
def rate_all(
    w: Workspace, v: Slots, seat: int, first: int, times: int, kept: int, n: int, actions: int, horizon: int, turns: int
) -> int:
    """Play every live decision out in the worlds first, first + 1, …, all at once; the playouts made.

    As `engine.rate`; every seat is taken to have heard the n events that `w.events[seat]` begins with.
    """
    used = 0
    skipped = max(n - v.events.shape[2] // 2, 0)  # long ago; room is left for what a playout brings
    for i in range(first, first + times):
        enter_world(w, seat, i, kept)
        for c in range(len(w.moves)):
            if w.live[c] == 0:
                continue
            v.states[used] = w.states[WORLD]
            seed(v.dice[used], (w.key[0] + 2 * i + 1) & 0xFFFFFFFF, w.key[1])
            for q in range(w.known[0].seats):
                for e in range(skipped, n):
                    v.events[used, q, e - skipped] = w.events[seat, e]
                v.heard[used, q] = n - skipped
            note_events(v.states[used], seat, w.moves[c], v.events[used], v.heard[used])
            step(v.states[used], seat, w.moves[c])
            used += 1
    play_out(w, v, used, seat, actions, horizon, turns)
    b = 0
    for _ in range(times):
        base = v.values[b]
        for c in range(len(w.moves)):
            if w.live[c] == 1:
                more = v.values[b] - base
                w.sums[c] += more
                w.squares[c] += more * more
                b += 1
    return used


@allocates
def judge(w: Workspace, v: Slots, seat: int, n: int, actions: int) -> None:
    """wanted[0]: what the network says to the seat itself, which knows `w.known[0]`."""
    clear(v.cells[0])
    observe(w.known[0], seat, v.cells[0])
    heard_tokens(w.events[seat], n, seat, w.known[0].seats, actions, v.tokens[0])
    evaluate(v.cells, v.tokens, v.wanted, 1)
