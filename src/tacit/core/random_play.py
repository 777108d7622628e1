"""Whole matches of random legal play over any game's compiled rules: what benchmarks, laws and comparisons run.

`build(game, backend, drivers=[driver])` replaces the functions marked `hook` by the game's rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.core.bits import count, lowest, nth
from tacit.core.chance import FRESH, below, pick, seed
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import Bytes, Ints, States

CHANCE = 64  # as `who`: chance acts; as `due`: chance must act (seats are bits 0–5)
NOBODY = -1  # the spectator's seat
S = Any  # any game's state


class Workspace(NamedTuple):
    """The arrays of matches played one after the other; `core.buffers` makes them."""

    states: States
    blank: States  # a match before its start
    rng: Ints
    mask: Ints
    weights: Ints
    out: Bytes  # an observation
    known_mask: Ints  # the same mask, from what a seat knows
    known_out: Bytes
    traces: Ints  # a hash of each match
    found: Ints  # where a law was broken


@hook
def start(s: S) -> None: ...
@hook
def due(s: S) -> int:
    return 0


@hook
def legal(s: S, seat: int, mask: Cells) -> None: ...
@hook
def chance(s: S, weights: Cells) -> int:
    return 0


@hook
def step(s: S, who: int, action: int) -> None: ...
@hook
def roll(s: S, rng: Cells, weights: Cells) -> int:
    """One outcome, drawn as `chance` weighs them. A game may have a faster rule that does the same."""
    return pick(weights, below(rng, chance(s, weights)))


@hook
def observe(k: S, seat: int, out: Cells) -> None: ...
@hook
def know(s: S, seat: int, k: S) -> None: ...
@hook
def imagine(k: S, seat: int, rng: Cells) -> None: ...
@hook
def audit(s: S) -> int:
    return 0


@hook
def score(s: S, out: Cells) -> None: ...
@hook
def pool(s: S) -> int:
    return FRESH


# ------------------------------------------------------------------ one step of random play
@rule
def random_seat(seats: int, rng: Cells) -> int:
    """One of the seats in a bit set; no random number is used up where there is only one."""
    if seats & (seats - 1) == 0:
        return lowest(seats)
    return nth(seats, below(rng, count(seats)))


@rule
def random_marked(mask: Cells, rng: Cells) -> int:
    """One of the decisions in a mask."""
    total = 0
    for w in range(len(mask)):
        total += count(mask[w])
    left = below(rng, total)
    for w in range(len(mask)):
        here = count(mask[w])
        if left < here:
            return 64 * w + nth(mask[w], left)
        left -= here
    return -1


@rule
def seed_match(rng: Cells, number: int) -> None:
    """Seed the generator of one match of a run."""
    seed(rng, number & 0xFFFFFFFF, number >> 32)


@rule
def clear(cells: Cells) -> None:
    for i in range(len(cells)):
        cells[i] = 0


@rule
def random_step(s: S, now: int, rng: Cells, mask: Cells, weights: Cells) -> int:
    """Chance or one due seat acts at random; 1 if it was a seat's decision."""
    if now == CHANCE:
        step(s, CHANCE, roll(s, rng, weights))
        return 0
    seat = random_seat(now, rng)
    clear(mask)
    legal(s, seat, mask)
    step(s, seat, random_marked(mask, rng))
    return 1


# ------------------------------------------------------------------ many matches
@rule
def random_match(s: S, rng: Cells, mask: Cells, weights: Cells) -> int:
    """Play a blank state to the end; the number of decisions."""
    decisions = 0
    start(s)
    now = due(s)
    while now != 0:
        decisions += random_step(s, now, rng, mask, weights)
        now = due(s)
    return decisions


@rule
def observed_match(s: S, rng: Cells, mask: Cells, weights: Cells, out: Cells) -> int:
    """Play as `random_match` does, and write the deciding seat's observation before each decision."""
    decisions = 0
    start(s)
    now = due(s)
    while now != 0:
        if now == CHANCE:
            step(s, CHANCE, roll(s, rng, weights))
        else:
            seat = random_seat(now, rng)
            clear(mask)
            legal(s, seat, mask)
            observe(s, seat, out)
            step(s, seat, random_marked(mask, rng))
            decisions += 1
        now = due(s)
    return decisions


@rule
def random_matches(w: Workspace, first: int, n: int) -> int:
    """n matches, one after the other in states[0]; the number of decisions."""
    decisions = 0
    for i in range(n):
        seed_match(w.rng, first + i)
        w.states[0] = w.blank[0]
        decisions += random_match(w.states[0], w.rng, w.mask, w.weights)
    return decisions


@rule
def observed_matches(w: Workspace, first: int, n: int) -> int:
    """Play as `random_matches` does, with observations."""
    decisions = 0
    for i in range(n):
        seed_match(w.rng, first + i)
        w.states[0] = w.blank[0]
        decisions += observed_match(w.states[0], w.rng, w.mask, w.weights, w.out)
    return decisions


@rule
def copies(states: Any, n: int) -> int:
    """Copy states[0] n times over the rest of the array."""
    at = 1
    for _ in range(n):
        states[at] = states[0]
        at += 1
        if at == len(states):
            at = 1
    return at


@rule
def draws(rng: Cells, n: int) -> int:
    """n draws of 32 bits: the unit in which benchmarks are also given."""
    x = 0
    for _ in range(n):
        x ^= below(rng, 1 << 30)
    return x


# ------------------------------------------------------------------ one call on states[0] (or, of knowledge, states[1])
@rule
def start_at(states: Any) -> None:
    start(states[0])


@rule
def due_at(states: Any) -> int:
    return due(states[0])


@rule
def legal_at(states: Any, seat: int, mask: Cells) -> None:
    legal(states[0], seat, mask)


@rule
def chance_at(states: Any, weights: Cells) -> int:
    return chance(states[0], weights)


@rule
def step_at(states: Any, who: int, action: int) -> None:
    step(states[0], who, action)


@rule
def random_step_at(states: Any, rng: Cells, mask: Cells, weights: Cells) -> int:
    return random_step(states[0], due(states[0]), rng, mask, weights)


@rule
def know_at(states: Any, seat: int) -> None:
    know(states[0], seat, states[1])


@rule
def observe_at(states: Any, seat: int, out: Cells) -> None:
    observe(states[0], seat, out)


@rule
def imagine_at(states: Any, seat: int, rng: Cells) -> None:
    imagine(states[1], seat, rng)


# ------------------------------------------------------------------ comparing backends
@rule
def mix(h: int, value: int) -> int:
    """One 64-bit word into a 32-bit FNV-1a hash."""
    value = int(value)
    h = ((h ^ (value & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return ((h ^ ((value >> 32) & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF


@rule
def traced_match(s: S, rng: Cells, mask: Cells, weights: Cells, out: Cells) -> int:
    """Play s to the end; a hash of who was due, every mask, weight, choice and observation on the way."""
    start(s)
    h = 2166136261
    now = due(s)
    while now != 0:
        h = mix(h, now)
        if now == CHANCE:
            total = chance(s, weights)
            for i in range(len(weights)):
                h = mix(h, weights[i])
            choice = pick(weights, below(rng, total))
            step(s, CHANCE, choice)
        else:
            seat = random_seat(now, rng)
            clear(mask)
            legal(s, seat, mask)
            for w in range(len(mask)):
                h = mix(h, mask[w])
            observe(s, seat, out)
            for i in range(len(out)):
                h = mix(h, out[i])
            choice = random_marked(mask, rng)
            step(s, seat, choice)
        h = mix(h, choice)
        now = due(s)
    return h


@rule
def traced_matches(w: Workspace, first: int) -> None:
    """One traced match into each of the states, match i from seed first + i; its hash goes into traces[i]."""
    for i in range(len(w.states)):
        seed_match(w.rng, first + i)
        w.states[i] = w.blank[0]
        w.traces[i] = traced_match(w.states[i], w.rng, w.mask, w.weights, w.out)


# ------------------------------------------------------------------ laws at compiled speed
FINE, NOBODY_DECIDES, SEVERAL_DUE, NO_WEIGHT, WRONG_TOTAL, TOO_LONG, LOST_CARD, LEGAL_LEAK, OBSERVE_LEAK = range(9)


@rule
def lawful_matches(w: Workspace, first: int, n: int, bound: int) -> int:
    """Play n matches and check the laws at every step; 0, or the law that was broken with (seed, decisions) in `found`.

    states[0] is the match, states[1] what a seat knows of it.
    """
    decisions = 0
    for i in range(n):
        seed_match(w.rng, first + i)
        w.found[0] = first + i
        w.states[0] = w.blank[0]
        s = w.states[0]
        start(s)
        made = 0
        now = due(s)
        while now != 0:
            w.found[1] = made
            if audit(s) != 0:
                return LOST_CARD
            if now == CHANCE:
                total = chance(s, w.weights)
                if total <= 0:
                    return NO_WEIGHT
                for outcome in range(len(w.weights)):
                    total -= w.weights[outcome]
                    if w.weights[outcome] < 0:
                        return WRONG_TOTAL
                if total != 0:
                    return WRONG_TOTAL
                random_step(s, now, w.rng, w.mask, w.weights)
            else:
                seats = s.seats + 0
                if now >> seats != 0:
                    return SEVERAL_DUE
                for seat in range(seats):
                    clear(w.mask)
                    legal(s, seat, w.mask)
                    size = 0
                    for word in range(len(w.mask)):
                        size += count(w.mask[word])
                    if (size == 0) == ((now >> seat) & 1 == 1):
                        return NOBODY_DECIDES
                    w.states[1] = w.blank[0]
                    k = w.states[1]
                    know(s, seat, k)
                    clear(w.known_mask)
                    legal(k, seat, w.known_mask)
                    for word in range(len(w.mask)):
                        if w.mask[word] != w.known_mask[word]:
                            return LEGAL_LEAK
                    observe(s, seat, w.out)
                    observe(k, seat, w.known_out)
                    for at in range(len(w.out)):
                        if w.out[at] != w.known_out[at]:
                            return OBSERVE_LEAK
                random_step(s, now, w.rng, w.mask, w.weights)
                made += 1
                if made > bound:
                    return TOO_LONG
            now = due(s)
        if audit(s) != 0:
            return LOST_CARD
        decisions += made
    w.found[0] = decisions
    return FINE
