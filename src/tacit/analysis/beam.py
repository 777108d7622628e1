"""Beam search over whole turns when every card and every draw to come is known, compiled, for any co-operative game.

A layer holds positions after the same number of turns. All turns of all its positions are tried; of what they lead to,
equal positions are merged and the best `width` are the next layer. A pass that dropped nothing for want of width was
exhaustive: what it did not reach cannot be reached. The hooks are a game's knowledge of itself; without them a turn is
one decision, and positions are judged by their score.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.bots.driver import score
from tacit.bots.relay import pool
from tacit.core.bits import lowest
from tacit.core.chance import FRESH, pick, word
from tacit.core.driver import CHANCE, chance, clear, due, legal, step
from tacit.core.record import Cells
from tacit.core.rulekit import hook, rule

S = Any
NONE = -(1 << 40)  # worse than every score
NO_CEILING = 1 << 40
FOUND, EXHAUSTED, CUT, SPENT, NO_ORDER = range(5)  # how a pass ended
# The cells of `at`: decisions tried, the score to reach, the best score so far, how many decisions may be tried, and the
# stamps of the hash tables, which live on from pass to pass; steps in the log, the best match's last step there, whether
# a position was dropped, random words used up, positions in the next layer, entries of its table, a pool without order.
MADE, GOAL, BEST, BUDGET, TURN_STAMP, LAYER_STAMP, LOGGED, BEST_NODE, DROPPED, USED, AFTER, ENTRIES, FAILED = range(13)
AT = 13
MASK = 0xFFFFFFFF
SEAT = 1 << 16


class Layer(NamedTuple):
    """Positions, and a hash table to find them by; a place of the table is taken if it bears the present stamp."""

    states: Any
    words: Any  # the same memory as integers, to hash and compare
    nodes: Cells  # the step that led to each position, as a place in the log
    used: Cells  # how many random words chance has used up on the way there
    values: Cells  # what `outlook` says
    keys: Cells
    stamps: Cells
    slots: Cells


class Future(NamedTuple):
    """What chance will do: an order for each pool, and the random words for draws from no pool."""

    pools: Cells
    sizes: Cells
    orders: Any
    words: Cells


class Work(NamedTuple):
    """All arrays of a search."""

    here: Layer  # the layer that is expanded
    turn: Layer  # positions within the turns of one of its positions
    after: Layer  # the next layer
    heap: Cells  # places in `after`, the worst value first
    parents: Cells  # the log of decisions: the one before …
    steps: Cells  # … and the seat and the action, SEAT * seat + action
    future: Future
    mask: Cells
    weights: Cells
    left: Cells
    out: Cells
    at: Cells


# ------------------------------------------------------------------ what a game may know of itself
@hook
def outlook(s: S) -> int:
    """How promising a position between two turns is; compared with others after as many turns."""
    return NONE


@hook
def ceiling(s: S) -> int:
    """A score that cannot be exceeded from here, asked between two turns. It must be true: proofs rely on it."""
    return NO_CEILING


@hook
def turn_over(s: S) -> bool:
    """Is this the beginning of a turn, where positions can be compared?"""
    return True


@hook
def narrow(s: S, seat: int, mask: Cells) -> None:
    """Take decisions out of a mask where others lead to the same: in it, in another due seat's, or earlier in the turn.

    The last only in turns that began within the search, for another turn's beginning is past.
    """


@hook
def forget(s: S) -> None:
    """Clear what has no influence on what can still be reached, so that more positions are equal."""


# ------------------------------------------------------------------ chance that is known
@rule
def fill(words: Cells, first: int, rng: Cells) -> None:
    """Write a generator's next words into the cells from `first` on."""
    for i in range(first, len(words)):
        words[i] = word(rng)


@rule
def known_below(words: Cells, at: Cells, n: int) -> int:
    """What core.chance.below gives, from the random words to come."""
    product = words[at[USED] % len(words)] * n
    at[USED] += 1
    if product & MASK < n:
        least = (0x100000000 - n) % n
        while product & MASK < least:
            product = words[at[USED] % len(words)] * n
            at[USED] += 1
    return product >> 32


@rule
def known_draw(s: S, w: Work) -> int:
    """What core.chance.Paired draws: from a pool the first in its order that is left; -1 if the pool has no order."""
    total = chance(s, w.weights)
    deck = pool(s)
    f = w.future
    if deck == FRESH:
        return pick(w.weights, known_below(f.words, w.at, total))
    place = 0
    while place < len(f.pools) and (f.sizes[place] == 0 or f.pools[place] != deck):
        place += 1
    if place == len(f.pools):
        return -1
    # Of a kind with w copies left, the last w of its places in the order are the ones still in the pool.
    clear(w.left)
    first = -1
    for back in range(f.sizes[place]):
        outcome = f.orders[place, f.sizes[place] - 1 - back]
        w.left[outcome] += 1
        if w.left[outcome] <= w.weights[outcome]:
            first = outcome
    for outcome in range(len(w.weights)):
        if w.weights[outcome] > w.left[outcome]:
            return -1
    return first


@rule
def settle(s: S, w: Work) -> int:
    """Let chance act until a seat is due; the seats that are, or CHANCE if a pool had no order."""
    now = due(s)
    while now == CHANCE:
        outcome = known_draw(s, w)
        if outcome < 0:
            return CHANCE
        step(s, CHANCE, outcome)
        now = due(s)
    return now


# ------------------------------------------------------------------ equal positions
@rule
def hashed(words: Any, place: int, used: int) -> int:
    """A key of 62 bits for a position."""
    a = 0x9E3779B1 ^ used
    b = 0x85EBCA77
    for i in range(words.shape[1]):
        x = words[place, i]
        a = ((a ^ (x & MASK)) * 0xCC9E2D51) & MASK
        b = ((b ^ ((x >> 32) & MASK) ^ (a >> 16)) * 0x1B873593) & MASK
        a ^= b >> 13
    return (a & 0x7FFFFFFF) << 31 | (b ^ b >> 15) & 0x7FFFFFFF


@rule
def place_of(layer: Layer, key: int, stamp: int) -> int:
    """Where a key stands in the table, or could stand."""
    last = len(layer.keys) - 1
    at = (key ^ key >> 31) & last
    while layer.stamps[at] == stamp and layer.keys[at] != key:
        at = (at + 1) & last
    return at


@rule
def same(one: Layer, place: int, other: Layer, slot: int, used: int) -> bool:
    """Are two positions equal in every bit, with as much of chance used up?"""
    if other.used[slot] != used:
        return False
    for i in range(one.words.shape[1]):
        if one.words[place, i] != other.words[slot, i]:
            return False
    return True


# ------------------------------------------------------------------ the next layer
@rule
def sink(heap: Cells, values: Cells, n: int, at: int) -> None:
    """Put the heap's entry `at` in order with those below it."""
    while 2 * at + 1 < n:
        child = 2 * at + 1
        if child + 1 < n and values[heap[child + 1]] < values[heap[child]]:
            child += 1
        if values[heap[at]] <= values[heap[child]]:
            return
        heap[at], heap[child] = heap[child], heap[at]
        at = child


@rule
def rise(heap: Cells, values: Cells, at: int) -> None:
    """Put the heap's entry `at` in order with those above it."""
    while at > 0 and values[heap[at]] < values[heap[(at - 1) // 2]]:
        up = (at - 1) // 2
        heap[at], heap[up] = heap[up], heap[at]
        at = up


@rule
def offer_to_next(w: Work, place: int, node: int, width: int) -> bool:
    """Put turn.states[place] into the next layer if it is new and among the best; whether it is there now."""
    after = w.after
    stamp = w.at[LAYER_STAMP] + 0
    key = hashed(w.turn.words, place, w.at[USED])
    spot = place_of(after, key, stamp)
    if after.stamps[spot] == stamp:
        slot = after.slots[spot]
        if slot < 0 or same(w.turn, place, after, slot, w.at[USED]):
            return False  # a place of -1: a position with this key was dropped, and with it the claim to be exhaustive
    value = outlook(w.turn.states[place])
    n = w.at[AFTER]
    if n < width:
        slot = n + 0
        w.at[AFTER] = n + 1
        w.heap[n] = slot
    else:
        w.at[DROPPED] = 1
        slot = w.heap[0] + 0
        if value <= after.values[slot]:
            return False
        gone = place_of(after, hashed(after.words, slot, after.used[slot]), stamp)
        if after.stamps[gone] == stamp:
            after.slots[gone] = -1
    after.states[slot] = w.turn.states[place]
    after.nodes[slot] = node
    after.used[slot] = w.at[USED]
    after.values[slot] = value
    if n < width:
        rise(w.heap, after.values, n)
    else:
        sink(w.heap, after.values, width, 0)
    if after.stamps[spot] != stamp and w.at[ENTRIES] < len(after.keys) // 2:
        w.at[ENTRIES] += 1
        after.stamps[spot] = stamp
        after.keys[spot] = key
        after.slots[spot] = slot
    return True


# ------------------------------------------------------------------ one turn
@rule
def try_decision(w: Work, i: int, n: int, seat: int, action: int) -> int:
    """Make turn.states[n] of turn.states[i] by a decision, chance included; the seats that are due then."""
    turn = w.turn
    turn.states[n] = turn.states[i]
    w.at[USED] = turn.used[i]
    w.at[MADE] += 1
    step(turn.states[n], seat, action)
    return settle(turn.states[n], w)


@rule
def log_step(w: Work, parent: int, seat: int, action: int) -> int:
    """Write a step into the log; its place there."""
    node = w.at[LOGGED] + 0
    w.at[LOGGED] = node + 1
    w.parents[node] = parent
    w.steps[node] = SEAT * seat + action
    return node


@rule
def judge_end(w: Work, n: int, parent: int, seat: int, action: int) -> None:
    """A match has ended in turn.states[n]: is it the best so far?"""
    score(w.turn.states[n], w.out)
    if w.out[0] > w.at[BEST]:
        w.at[BEST] = w.out[0]
        w.at[BEST_NODE] = log_step(w, parent, seat, action)


@rule
def keep(w: Work, i: int, n: int, seat: int, action: int, width: int) -> int:
    """Keep turn.states[n], which has come of turn.states[i], within the turn or in the next layer; positions then."""
    turn = w.turn
    s = turn.states[n]
    over = turn_over(s)
    if over and ceiling(s) <= w.at[BEST]:
        return n
    forget(s)
    if over:
        if offer_to_next(w, n, w.at[LOGGED], width):
            log_step(w, turn.nodes[i], seat, action)
        return n
    stamp = w.at[TURN_STAMP] + 0
    key = hashed(turn.words, n, w.at[USED])
    spot = place_of(turn, key, stamp)
    if turn.stamps[spot] == stamp and same(turn, n, turn, turn.slots[spot], w.at[USED]):
        return n
    if n + 1 == len(turn.states):
        w.at[DROPPED] = 1
        return n
    turn.nodes[n] = log_step(w, turn.nodes[i], seat, action)
    turn.used[n] = w.at[USED]
    if turn.stamps[spot] != stamp:
        turn.stamps[spot] = stamp
        turn.keys[spot] = key
        turn.slots[spot] = n
    return n + 1


@rule
def take_turn(w: Work, first: int, width: int) -> None:
    """Try every turn of here.states[first]; stop at the goal, or where the budget is spent."""
    turn = w.turn
    w.at[TURN_STAMP] += 1
    turn.states[0] = w.here.states[first]
    turn.nodes[0] = w.here.nodes[first]
    turn.used[0] = w.here.used[first]
    n = 1
    i = 0
    while i < n:
        now = due(turn.states[i])
        while now != 0:
            seat = lowest(now)
            now &= now - 1
            clear(w.mask)
            legal(turn.states[i], seat, w.mask)
            narrow(turn.states[i], seat, w.mask)
            for word in range(len(w.mask)):
                bits = w.mask[word]
                while bits != 0:
                    action = 64 * word + lowest(bits)
                    bits &= bits - 1
                    due_then = try_decision(w, i, n, seat, action)
                    if due_then == CHANCE:
                        w.at[FAILED] = 1
                        return
                    if due_then == 0:
                        judge_end(w, n, turn.nodes[i], seat, action)
                    else:
                        n = keep(w, i, n, seat, action, width)
                    if w.at[BEST] >= w.at[GOAL] or w.at[MADE] >= w.at[BUDGET]:
                        return
        i += 1


# ------------------------------------------------------------------ a pass
@rule
def search(w: Work, width: int) -> int:
    """One pass from here.states[0], where a seat is due; how it ended. The best match's last step is at[BEST_NODE]."""
    at = w.at
    at[LOGGED] = 0
    at[BEST_NODE] = -1
    at[DROPPED] = 0
    at[FAILED] = 0
    w.here.nodes[0] = -1
    n = 1
    while n > 0:
        at[LAYER_STAMP] += 1
        at[AFTER] = 0
        at[ENTRIES] = 0
        for i in range(n):
            take_turn(w, i, width)
            if at[FAILED] == 1:
                return NO_ORDER
            if at[BEST] >= at[GOAL]:
                return FOUND
            if at[MADE] >= at[BUDGET]:
                return SPENT
        n = at[AFTER] + 0
        for i in range(n):
            w.here.states[i] = w.after.states[i]
            w.here.nodes[i] = w.after.nodes[i]
            w.here.used[i] = w.after.used[i]
    return CUT if at[DROPPED] == 1 else EXHAUSTED


@rule
def begin(w: Work) -> int:
    """Let chance act in here.states[0] until a seat is due, and forget what does not matter; the seats due."""
    s = w.here.states[0]
    w.at[USED] = w.here.used[0]
    now = settle(s, w)
    w.here.used[0] = w.at[USED]
    if now != 0 and now != CHANCE and turn_over(s):
        forget(s)
    score(s, w.out)
    return now
