"""Beam search over whole turns when every card and every draw to come is known, compiled, for any co-operative game.

A layer holds positions after the same number of turns. All turns of all its positions are tried; of what they lead to,
equal positions are merged and the best `width` are the next layer. A pass that dropped nothing was exhaustive: what it
did not reach cannot be reached. The hooks are a game's knowledge of itself; without them a turn is one decision, and
positions are judged by their score.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.core.bits import count, lowest
from tacit.core.chance import FRESH, pick, word
from tacit.core.random_play import CHANCE, chance, clear, due, legal, pool, score, step
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells

S = Any
NONE = -(1 << 40)  # worse than every score
NO_CEILING = 1 << 40
MASK = 0xFFFFFFFF
SEAT = 1 << 16  # a decision in the log is SEAT * seat + action
FOUND, EXHAUSTED, CUT, SPENT, NO_ORDER = range(5)  # how a pass ended
# The cells of `at`. From pass to pass: decisions tried, the score to reach, the best score so far, how many decisions
# may be tried, the stamps of the hash tables, whether draws from no pool are known. In a pass: decisions in the log,
# the last one of the best match, whether a position was dropped, random words used up, positions in the next layer and
# in its table, a pool without an order.
MADE, GOAL, BEST, BUDGET, TURN_STAMP, LAYER_STAMP, WORDS_KNOWN, LOGGED = range(8)
BEST_NODE, DROPPED, USED, AFTER, ENTRIES, FAILED = range(8, 14)
AT = 14
# The columns that belong to a position: its decision in the log, random words used up on the way, its outlook.
NODE, WORDS, VALUE = range(3)
# The columns of a hash table; an entry is valid if it bears the present stamp.
KEY, STAMP, SLOT = range(3)


class Work(NamedTuple):
    """All arrays of a search. `…_words` is the same memory as the positions, as integers to hash and compare."""

    here: Any  # the layer that is expanded
    here_at: Any
    turn: Any  # positions within the turns of one of its positions
    turn_words: Any
    turn_at: Any
    turn_table: Any
    after: Any  # the next layer
    after_words: Any
    after_at: Any
    after_table: Any
    heap: Cells  # places in `after`, the worst first
    log: Any  # of decisions: the place of the one before (-1: none), and which it was
    orders: Any  # a row a pool: its name, its size, its outcomes in order
    words: Cells  # for draws from no pool
    mask: Cells
    weights: Cells
    left: Cells
    out: Cells
    at: Cells


# ------------------------------------------------------------------ what a game may know of itself
@hook
def outlook(s: S, out: Cells) -> int:
    """How promising a position between two turns is; compared with others after as many turns."""
    score(s, out)
    return out[0] + 0


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
def hurry(s: S, seat: int, mask: Cells) -> None:
    """Take out of a mask what hardly ever helps, for the first, quick passes; something must be left."""


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
    least = (0x100000000 - n) % n
    product = words[at[USED] % len(words)] * n
    at[USED] += 1
    while product & MASK < least:
        product = words[at[USED] % len(words)] * n
        at[USED] += 1
    return product >> 32


@rule
def known_draw(s: S, orders: Any, words: Cells, weights: Cells, left: Cells, at: Cells) -> int:
    """What core.chance.Paired draws: from a pool the first in its order that is left; -1 if that is not known.

    A pool without an order is a failure. Where draws from no pool are not known, lines that need one are left out.
    """
    total = chance(s, weights)
    deck = pool(s)
    if deck == FRESH:
        if at[WORDS_KNOWN] == 0:
            at[DROPPED] = 1
            return -1
        return pick(weights, known_below(words, at, total))
    place = 0
    while place < len(orders) and orders[place, 0] != deck:
        place += 1
    if place == len(orders):
        at[FAILED] = 1
        return -1
    # Of a kind with w copies left, the last w of its places in the order are the ones still in the pool.
    clear(left)
    first = -1
    for back in range(orders[place, 1]):
        outcome = orders[place, 1 + orders[place, 1] - back]
        left[outcome] += 1
        if left[outcome] <= weights[outcome]:
            first = outcome
    for outcome in range(len(weights)):
        if weights[outcome] > left[outcome]:
            at[FAILED] = 1
            return -1
    return first


@rule
def settle(w: Work, s: S) -> int:
    """Let chance act until a seat is due; the seats that are, or CHANCE if it is not known how."""
    now = due(s)
    while now == CHANCE:
        outcome = known_draw(s, w.orders, w.words, w.weights, w.left, w.at)
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
def spot_of(table: Any, key: int, stamp: int) -> int:
    """The slot of a key in a hash table, or the free slot for it."""
    last = len(table) - 1
    spot = (key ^ key >> 31) & last
    while table[spot, STAMP] == stamp and table[spot, KEY] != key:
        spot = (spot + 1) & last
    return spot


@rule
def enter(table: Any, spot: int, key: int, stamp: int, slot: int) -> None:
    table[spot, KEY] = key
    table[spot, STAMP] = stamp
    table[spot, SLOT] = slot


@rule
def same(words: Any, place: int, others: Any, slot: int) -> bool:
    """Are two positions equal in every bit?"""
    for i in range(words.shape[1]):
        if words[place, i] != others[slot, i]:
            return False
    return True


# ------------------------------------------------------------------ the next layer
@rule
def sink(heap: Cells, marks: Any, n: int) -> None:
    """Put the heap's first entry in order with those below it."""
    at = 0
    while 2 * at + 1 < n:
        child = 2 * at + 1
        if child + 1 < n and marks[heap[child + 1], VALUE] < marks[heap[child], VALUE]:
            child += 1
        if marks[heap[at], VALUE] <= marks[heap[child], VALUE]:
            return
        heap[at], heap[child] = heap[child], heap[at]
        at = child


@rule
def rise(heap: Cells, marks: Any, at: int) -> None:
    """Put the heap's entry `at` in order with those above it."""
    while at > 0 and marks[heap[at], VALUE] < marks[heap[(at - 1) // 2], VALUE]:
        up = (at - 1) // 2
        heap[at], heap[up] = heap[up], heap[at]
        at = up


@rule
def join(w: Work, place: int, node: int, value: int, key: int, width: int) -> None:
    """Put turn[place] into the next layer, in place of the worst there if that is full."""
    after, marks, table, heap, at = w.after, w.after_at, w.after_table, w.heap, w.at
    stamp = at[LAYER_STAMP] + 0
    n = at[AFTER] + 0
    slot = n
    if n < width:
        at[AFTER] = n + 1
        heap[n] = slot
    else:
        slot = heap[0] + 0
        worst = spot_of(table, hashed(w.after_words, slot, marks[slot, WORDS]), stamp)
        if table[worst, STAMP] == stamp and table[worst, SLOT] == slot:
            table[worst, SLOT] = -1
    after[slot] = w.turn[place]
    marks[slot, NODE] = node
    marks[slot, WORDS] = at[USED]
    marks[slot, VALUE] = value
    if n < width:
        rise(heap, marks, n)
    else:
        sink(heap, marks, width)
    spot = spot_of(table, key, stamp)
    if table[spot, STAMP] != stamp and 2 * at[ENTRIES] < len(table):
        at[ENTRIES] += 1
        enter(table, spot, key, stamp, slot)


@rule
def worth_joining(
    words: Any, place: int, after_words: Any, marks: Any, table: Any, worst: int, at: Cells, value: int, key: int
) -> bool:
    """Is a position new to the next layer, and better than the one at `worst` (-1: the layer is not full)?"""
    spot = spot_of(table, key, at[LAYER_STAMP])
    if table[spot, STAMP] == at[LAYER_STAMP]:
        slot = table[spot, SLOT]
        # -1: one with this key was dropped, and with it the claim to be exhaustive.
        if slot < 0 or (marks[slot, WORDS] == at[USED] and same(words, place, after_words, slot)):
            return False
    if worst < 0:
        return True
    at[DROPPED] = 1
    return bool(value > marks[worst, VALUE])


# ------------------------------------------------------------------ turns
@rule
def choices(s: S, seat: int, mask: Cells, quick: int) -> int:
    """Mark what is tried for a due seat; 1 if something was left out in a hurry."""
    clear(mask)
    legal(s, seat, mask)
    narrow(s, seat, mask)
    if quick == 0:
        return 0
    before = 0
    for i in range(len(mask)):
        before += count(mask[i])
    hurry(s, seat, mask)
    for i in range(len(mask)):
        before -= count(mask[i])
    return 1 if before > 0 else 0


@rule
def log_decision(log: Any, at: Cells, parent: int, decision: int) -> int:
    """Write a decision into the log; its place there."""
    node = at[LOGGED] + 0
    at[LOGGED] = node + 1
    log[node, 0] = parent
    log[node, 1] = decision
    return node


@rule
def judge_end(w: Work, place: int, parent: int, decision: int) -> None:
    """A match has ended in turn[place]: is it the best so far?"""
    score(w.turn[place], w.out)
    if w.out[0] > w.at[BEST]:
        w.at[BEST] = w.out[0]
        w.at[BEST_NODE] = log_decision(w.log, w.at, parent, decision)


@rule
def go_on_with(turn: Any, words: Any, marks: Any, table: Any, log: Any, at: Cells, place: int, decision: int) -> int:
    """A turn goes on in turn[place]: keep it there if it is new; 1 if so."""
    forget(turn[place])
    key = hashed(words, place, at[USED])
    spot = spot_of(table, key, at[TURN_STAMP])
    new = table[spot, STAMP] != at[TURN_STAMP]
    if not new:
        slot = table[spot, SLOT]
        if marks[slot, WORDS] == at[USED] and same(words, place, words, slot):
            return 0
    if place + 1 == len(turn):
        at[DROPPED] = 1
        return 0
    marks[place, NODE] = log_decision(log, at, marks[place, NODE], decision)
    marks[place, WORDS] = at[USED]
    if new:
        enter(table, spot, key, at[TURN_STAMP], place)
    return 1


@rule
def take_turn(w: Work, first: int, width: int, quick: int) -> None:
    """Try every turn of here[first]; stop at the goal, or where the budget is spent.

    What is called for every decision gets single arrays: to hand on all of them costs more than the decision.
    """
    turn, words, marks, table, log, mask, at, out = (
        w.turn, w.turn_words, w.turn_at, w.turn_table, w.log, w.mask, w.at, w.out,
    )  # fmt: skip
    after_words, after_at, after_table, heap = w.after_words, w.after_at, w.after_table, w.heap
    at[TURN_STAMP] += 1
    turn[0] = w.here[first]
    marks[0, NODE] = w.here_at[first, NODE]
    marks[0, WORDS] = w.here_at[first, WORDS]
    n = 1
    i = 0
    while i < n:
        now = due(turn[i])
        while now != 0:
            seat = lowest(now)
            now &= now - 1
            at[DROPPED] |= choices(turn[i], seat, mask, quick)
            for part in range(len(mask)):
                bits = mask[part]
                while bits != 0:
                    action = 64 * part + lowest(bits)
                    bits &= bits - 1
                    decision = SEAT * seat + action
                    turn[n] = turn[i]
                    marks[n, NODE] = marks[i, NODE]
                    at[USED] = marks[i, WORDS]
                    at[MADE] += 1
                    step(turn[n], seat, action)
                    then = due(turn[n])
                    if then == CHANCE:
                        then = settle(w, turn[n])
                        if at[FAILED] == 1:
                            return
                    if then == CHANCE:
                        pass  # left out
                    elif then == 0:
                        judge_end(w, n, marks[i, NODE], decision)
                        if at[BEST] >= at[GOAL]:
                            return
                    elif not turn_over(turn[n]):
                        n += go_on_with(turn, words, marks, table, log, at, n, decision)
                    elif ceiling(turn[n]) > at[BEST]:
                        forget(turn[n])
                        value = outlook(turn[n], out)
                        key = hashed(words, n, at[USED])
                        worst = heap[0] + 0 if at[AFTER] == width else -1
                        if worth_joining(words, n, after_words, after_at, after_table, worst, at, value, key):
                            join(w, n, log_decision(log, at, marks[i, NODE], decision), value, key, width)
                    if at[MADE] >= at[BUDGET]:
                        return
        i += 1


# ------------------------------------------------------------------ a pass
@rule
def begin(w: Work) -> int:
    """Let chance act in here[0] until a seat is due, and forget what does not matter; the seats due."""
    w.at[USED] = w.here_at[0, WORDS]
    now = settle(w, w.here[0])
    w.here_at[0, WORDS] = w.at[USED]
    if now != 0 and now != CHANCE and turn_over(w.here[0]):
        forget(w.here[0])
    score(w.here[0], w.out)
    return now


@rule
def search(w: Work, width: int, quick: int) -> int:
    """One pass from here[0], where a seat is due; how it ended. The best match's last decision is at[BEST_NODE]."""
    at = w.at
    at[LOGGED] = 0
    at[BEST_NODE] = -1
    at[DROPPED] = 0
    at[FAILED] = 0
    w.here_at[0, NODE] = -1
    n = 1
    while n > 0:
        at[LAYER_STAMP] += 1
        at[AFTER] = 0
        at[ENTRIES] = 0
        for i in range(n):
            take_turn(w, i, width, quick)
            if at[FAILED] == 1:
                return NO_ORDER
            if at[BEST] >= at[GOAL]:
                return FOUND
            if at[MADE] >= at[BUDGET]:
                return SPENT
        n = at[AFTER] + 0
        for i in range(n):
            w.here[i] = w.after[i]
            w.here_at[i, NODE] = w.after_at[i, NODE]
            w.here_at[i, WORDS] = w.after_at[i, WORDS]
    return CUT if at[DROPPED] == 1 else EXHAUSTED
