"""Many matches side by side, as rules over any game: `build(game.module, backend, drivers=[stepping])`.

Match i is row i of every array. With the same decisions it is the match that `Match(…, seed=seeds[i])` gives. Where
several seats may decide at once, the lowest is asked first (with `shuffle_due` a random one); the rules hide its
decision from the next.

Every rule that a device runs over all matches has the parameters `(i, row, number, w)`: the match, the row of scratch
memory, one number (a mode or a seed) and the workspace. On the CPU a thread runs a `…_slice` of the matches; on a GPU
each match has a thread.
"""

from __future__ import annotations

from typing import NamedTuple

from tacit.core.bits import count, lowest, marked, nth, only, spread
from tacit.core.chance import below
from tacit.core.clockwise import places_to, seat_after
from tacit.core.events import UNHEARD, overhear
from tacit.core.random_play import (
    CHANCE,
    clear,
    due,
    imagine,
    know,
    legal,
    observe,
    random_marked,
    roll,
    score,
    seed_match,
    start,
    step,
)
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import ByteRows, Bytes, Float, FloatRows, Int, IntRows, Ints, ShortRows, States

# Start every match anew; play one decision; only say who decides what; play one more decision of the same step.
BEGIN, PLAY, ASK, RESUME = range(4)
WHOLE, DECIDE, SETTLE, ENQUIRE = range(4)  # the parts of `advance`


class Workspace(NamedTuple):
    """All arrays and settings of a batch. An array that is not wanted has no rows."""

    states: States
    worlds: States  # what a seat knows of each match, or imagines
    blank: States  # blank[0]: a match before its start; blank[1]: an empty record
    rngs: IntRows  # of chance
    dice: IntRows  # of `sample_actions` and `shuffle_due`
    seeds: Ints
    actions: Ints
    seat: Ints  # who decides next
    watchers: Ints  # whose knowledge is projected
    words: IntRows  # the legal decisions as sets of 64 bits
    mask: ByteRows
    observation: ByteRows
    reward: FloatRows
    done: Bytes
    illegal: Bytes
    history: ShortRows  # what the deciding seat heard, newest first
    log: ShortRows  # what every seat heard: a ring buffer for each seat, one after the other
    heard: IntRows  # how much every seat heard: once its ring is full, size + the place of the oldest
    weights: IntRows  # scratch memory
    scores: IntRows  # scratch memory
    codes: Int  # decisions that the history tells apart, HIDDEN among them
    stride: Int  # between the seeds of a match and of its successor
    forfeit: Int  # 1: an illegal decision ends the match with the penalty; 0: it changes nothing
    penalty: Float
    skip_forced: Int  # 1: decisions with a single legal answer are made here
    shuffle_due: Int  # 1: of several seats that may decide, a random one is asked


# ------------------------------------------------------------------ for `partners`
@hook
def begun(i: int, w: Workspace) -> None:
    """Match i has just begun."""


@hook
def noted(i: int, who: int, action: int, w: Workspace) -> None:
    """A step is about to be made in match i."""


# ------------------------------------------------------------------ for `signal_play`
@hook
def offer(i: int, seat: int, w: Workspace) -> None:
    """What a seat may do beside its legal decisions in match i."""


@hook
def gave(i: int, who: int, action: int, w: Workspace) -> int:
    """1 if an action is a signal, which has now been given; 0 if it is a decision, or chance's."""
    return 0


@hook
def overheard(i: int, seat: int, who: int, action: int, w: Workspace) -> int:
    """What a seat hears of an action about to be made."""
    return overhear(w.states[i], seat, who, action)


@hook
def stepped(i: int, w: Workspace) -> None:
    """A step has been made in match i."""


@hook
def observe_more(i: int, seat: int, out: Cells, w: Workspace) -> None:
    """What a seat observes beside the game's own cells."""


# ------------------------------------------------------------------ history
@inlined
def log_decision(i: int, who: int, action: int, w: Workspace) -> None:
    """Every seat of match i logs what it hears of a decision about to be made."""
    seats = w.heard.shape[1]
    if seats == 0:
        return
    size = w.history.shape[1]
    for q in range(seats):
        told = overheard(i, q, who, action, w)
        if told != UNHEARD:
            at = w.heard[i, q] + 0
            w.log[i, q * size + (at if at < size else at - size)] = 2 + places_to(q, who, seats) * w.codes + told
            w.heard[i, q] = at + 1 if at + 1 < 2 * size else size


@inlined
def clear_log(i: int, w: Workspace) -> None:
    """A new match: nobody has heard anything."""
    for q in range(w.heard.shape[1]):
        w.heard[i, q] = 0


@inlined
def recall(i: int, back: int, w: Workspace) -> None:
    """Write history[i, back]: what the deciding seat heard `back` decisions ago; 0 where there was none."""
    size, seat = w.history.shape[1], w.seat[i]
    number = w.heard[i, seat]
    at = (number if number < size else number - size) - 1 - back
    w.history[i, back] = w.log[i, seat * size + (at if at >= 0 else at + size)] if back < number else 0


@rule
def share_log(i: int, seat: int, w: Workspace) -> None:
    """Every other seat of match i is taken to have heard what `seat` heard: what else it heard is unknown to `seat`."""
    seats, size = w.heard.shape[1], w.history.shape[1]
    for r in range(1, seats):
        q = seat_after(seat, r, seats)
        w.heard[i, q] = w.heard[i, seat]
        for at in range(min(size, w.heard[i, seat])):
            code = w.log[i, seat * size + at] - 1
            who = seat_after(seat, code // w.codes, seats)
            w.log[i, q * size + at] = 1 + places_to(q, who, seats) * w.codes + code % w.codes


# ------------------------------------------------------------------ play
@inlined
def advance(i: int, row: int, mode: int, part: int, w: Workspace) -> None:
    """Match i goes on to the next decision: chance acts, and a match that is over starts anew with its next seed.

    The work has three parts, which a GPU does in kernels of their own: DECIDE makes the decision, SETTLE lets chance
    act until a seat is due, ENQUIRE finds out who it is and what it may decide. WHOLE is all three.
    """
    seats = w.reward.shape[1]
    who, action = 0, 0
    stepping, fresh = False, False
    if part <= DECIDE:
        if mode != RESUME:
            w.done[i] = 0
            w.illegal[i] = 0
            for q in range(seats):
                w.reward[i, q] = 0
        fresh = mode == BEGIN
        if mode in (PLAY, RESUME):
            who = w.seat[i] + 0
            action = w.actions[i] + 0
            if action >= 0 and action < 64 * w.words.shape[1] and marked(w.words[i], action):
                stepping = True
            else:
                w.illegal[i] = 1
                if w.forfeit == 0:
                    return
                w.reward[i, who] = w.penalty
                w.done[i] = 1
                w.seeds[i] += w.stride
                fresh = True
    elif w.illegal[i] != 0 and w.forfeit == 0:
        return
    while True:
        if fresh:
            seed_match(w.rngs[i], w.seeds[i])
            w.states[i] = w.blank[0]
            start(w.states[i])
            clear_log(i, w)
            begun(i, w)
            fresh = False
        if stepping:
            noted(i, who, action, w)
            if who != CHANCE:
                log_decision(i, who, action, w)
            if gave(i, who, action, w) == 0:
                step(w.states[i], who, action)
                stepped(i, w)
            stepping = False
        if part == DECIDE:
            return
        now = due(w.states[i])
        if now == CHANCE:
            who = CHANCE
            action = roll(w.states[i], w.rngs[i], w.weights[row])
            stepping = True
        elif now == 0:
            if mode in (PLAY, RESUME) and w.done[i] == 0:
                clear(w.scores[row])
                score(w.states[i], w.scores[row])
                for q in range(seats):
                    w.reward[i, q] = w.scores[row, q]
                w.done[i] = 1
            w.seeds[i] += w.stride
            fresh = True
        elif part == SETTLE:
            return
        else:
            who = lowest(now)
            if w.shuffle_due != 0 and count(now) > 1:
                if mode == ASK and (now >> w.seat[i]) & 1 == 1:
                    who = w.seat[i] + 0
                else:
                    who = nth(now, below(w.dice[i], count(now)))
            w.seat[i] = who
            clear(w.words[i])
            legal(w.states[i], who, w.words[i])
            offer(i, who, w)
            if w.skip_forced == 0:
                return
            action = only(w.words[i])
            if action < 0:
                return
            stepping = True


@inlined
def unpack(words: Cells, mask: Cells) -> None:
    """A mask of words as one of cells."""
    for at in range(len(words)):
        spread(mask, 64 * at, words[at], min(64, len(mask) - 64 * at))


@inlined
def write_down(i: int, w: Workspace) -> None:
    """The mask, the observation and the history of the seat that decides, where they are wanted.

    `observe` reads no more of a state than the seat knows: `laws.check_compiled` holds every game to that.
    """
    if w.mask.shape[0] > 0:
        unpack(w.words[i], w.mask[i])
    if w.observation.shape[0] > 0:
        observe(w.states[i], w.seat[i], w.observation[i])
        observe_more(i, w.seat[i], w.observation[i], w)
    for back in range(w.history.shape[1]):
        recall(i, back, w)


@rule
def play_slice(lo: int, hi: int, row: int, mode: int, w: Workspace) -> None:
    """The matches from lo to hi - 1 go on, one decision each."""
    for i in range(lo, hi):
        advance(i, row, mode, WHOLE, w)
        write_down(i, w)


@rule
def first_illegal(lo: int, hi: int, w: Workspace) -> int:
    """The first match from lo to hi - 1 whose decision is not legal; -1 if all are."""
    for i in range(lo, hi):
        if w.actions[i] < 0 or w.actions[i] >= 64 * w.words.shape[1] or not marked(w.words[i], w.actions[i]):
            return i
    return -1


# ------------------------------------------------------------------ random decisions
@inlined
def sample_actions(i: int, row: int, number: int, w: Workspace) -> None:
    """A random legal decision of match i."""
    w.actions[i] = random_marked(w.words[i], w.dice[i])


@rule
def sample_actions_slice(lo: int, hi: int, row: int, number: int, w: Workspace) -> None:
    for i in range(lo, hi):
        sample_actions(i, row, number, w)


@inlined
def seed_streams(i: int, row: int, first: int, w: Workspace) -> None:
    """Start match i's dice with stream first + i."""
    seed_match(w.dice[i], first + i)


@rule
def seed_streams_slice(lo: int, hi: int, row: int, first: int, w: Workspace) -> None:
    for i in range(lo, hi):
        seed_streams(i, row, first, w)


# ------------------------------------------------------------------ knowledge
@inlined
def project_knowledge(i: int, row: int, number: int, w: Workspace) -> None:
    """worlds[i]: what watchers[i] knows of match i, due or not."""
    w.worlds[i] = w.blank[1]
    know(w.states[i], w.watchers[i], w.worlds[i])


@rule
def observe_slice(lo: int, hi: int, row: int, number: int, w: Workspace) -> None:
    """What the watchers observe, from their knowledge alone."""
    for i in range(lo, hi):
        project_knowledge(i, row, number, w)
        observe(w.worlds[i], w.watchers[i], w.observation[i])
        observe_more(i, w.watchers[i], w.observation[i], w)


@inlined
def determinize(i: int, row: int, first: int, w: Workspace) -> None:
    """worlds[i]: what watchers[i] knows of match i, the unknown drawn from stream first + i; chance goes on with it."""
    seed_match(w.rngs[i], first + i)
    project_knowledge(i, row, first, w)
    imagine(w.worlds[i], w.watchers[i], w.rngs[i])
    share_log(i, w.watchers[i], w)


@rule
def determinize_slice(lo: int, hi: int, row: int, first: int, w: Workspace) -> None:
    for i in range(lo, hi):
        determinize(i, row, first, w)
