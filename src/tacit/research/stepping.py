"""Many matches side by side, as rules over any game: `build(game.module, backend, drivers=[stepping])`.

Match i has its state in states[i], its generator of chance in rngs[i] and the seed it began with in seeds[i]: with the
same decisions it is the match that `Match(…, seed=seeds[i])` gives. Where several seats may decide at once, the lowest
is asked first; what it decides is hidden from the next by the rules themselves.

On the CPU a slice of the matches is worked on by one thread; on a GPU each match has a thread of its own. `weights`
and `scores` are scratch paper with a row for each thread.
"""

from __future__ import annotations

from typing import Any

from tacit.core.bits import lowest, marked, spread
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
    seed_match,
    start,
    step,
)
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells

S = Any
BEGIN, PLAY, ASK = range(3)  # begin every match anew; play one decision; only say again who is to decide what
LEAVE, FORFEIT = range(2)  # an illegal decision changes nothing; or ends the match, with a penalty


@hook
def score(s: S, out: Cells) -> None: ...


@rule
def advance(
    i: int, row: int, mode: int, fault: int, penalty: float, stride: int, actions: Cells, weights: Any, scores: Any,
    states: Any, blank: Any, seeds: Cells, rngs: Any, seat: Cells, words: Any, reward: Any, done: Cells, illegal: Cells,
) -> None:  # fmt: skip
    """Match i goes on to the next decision: chance acts, and a match that is over is begun anew with its next seed."""
    seats = reward.shape[1]
    done[i] = 0
    illegal[i] = 0
    for q in range(seats):
        reward[i, q] = 0
    who, action = 0, 0
    stepping, fresh = False, mode == BEGIN
    if mode == PLAY:
        who = seat[i] + 0
        action = actions[i] + 0
        if action >= 0 and action < 64 * words.shape[1] and marked(words[i], action):
            stepping = True
        else:
            illegal[i] = 1
            if fault == LEAVE:
                return
            reward[i, who] = penalty
            done[i] = 1
            seeds[i] += stride
            fresh = True
    while True:
        if fresh:
            seed_match(rngs[i], seeds[i])
            states[i] = blank[0]
            start(states[i])
            fresh = False
        if stepping:
            step(states[i], who, action)
            stepping = False
        now = due(states[i])
        if now == CHANCE:
            who = CHANCE
            action = roll(states[i], rngs[i], weights[row])
            stepping = True
        elif now == 0:
            if mode == PLAY and done[i] == 0:
                clear(scores[row])
                score(states[i], scores[row])
                for q in range(seats):
                    reward[i, q] = scores[row, q]
                done[i] = 1
            seeds[i] += stride
            fresh = True
        else:
            seat[i] = lowest(now)
            clear(words[i])
            legal(states[i], seat[i], words[i])
            return


@rule
def unpack(words: Cells, mask: Cells) -> None:
    """A mask of words as one of cells."""
    for w in range(len(words)):
        spread(mask, 64 * w, words[w], min(64, len(mask) - 64 * w))


@rule
def write_down(i: int, states: Any, seat: Cells, words: Any, mask: Any, observation: Any) -> None:
    """The mask and the observation of the seat that decides, where they are wanted.

    `observe` reads of a state what the seat knows of it and no more: that it gives the same for the state and for the
    seat's knowledge is a law that every game is held to at every step (`laws.check_compiled`).
    """
    if mask.shape[0] > 0:
        unpack(words[i], mask[i])
    if observation.shape[0] > 0:
        observe(states[i], seat[i], observation[i])


@rule
def play_slice(
    lo: int, hi: int, row: int, mode: int, fault: int, penalty: float, stride: int, actions: Cells, weights: Any,
    scores: Any, states: Any, blank: Any, seeds: Cells, rngs: Any, seat: Cells, words: Any, reward: Any, done: Cells,
    illegal: Cells, mask: Any, observation: Any,
) -> None:  # fmt: skip
    """The matches from lo to hi - 1 go on, one decision each."""
    for i in range(lo, hi):
        advance(
            i, row, mode, fault, penalty, stride, actions, weights, scores, states, blank, seeds, rngs, seat, words,
            reward, done, illegal,
        )  # fmt: skip
        write_down(i, states, seat, words, mask, observation)


@rule
def first_illegal(actions: Cells, words: Any) -> int:
    """The first match whose decision is not legal; -1 if all are."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= 64 * words.shape[1] or not marked(words[i], actions[i]):
            return i
    return -1


@rule
def sample_action(i: int, words: Any, dice: Any, actions: Cells) -> None:
    """A random legal decision of match i."""
    actions[i] = random_marked(words[i], dice[i])


@rule
def sample_actions_slice(lo: int, hi: int, row: int, words: Any, dice: Any, actions: Cells) -> None:
    for i in range(lo, hi):
        sample_action(i, words, dice, actions)


@rule
def seed_streams(i: int, first: int, dice: Any) -> None:
    """Begin match i's stream of number first + i."""
    seed_match(dice[i], first + i)


@rule
def seed_streams_slice(lo: int, hi: int, row: int, first: int, dice: Any) -> None:
    for i in range(lo, hi):
        seed_streams(i, first, dice)


@rule
def project_knowledge(i: int, watchers: Cells, states: Any, worlds: Any, blank: Any) -> None:
    """worlds[i]: what any seat knows of match i, due or not."""
    worlds[i] = blank[1]
    know(states[i], watchers[i], worlds[i])


@rule
def look_slice(
    lo: int, hi: int, row: int, watchers: Cells, states: Any, worlds: Any, blank: Any, observation: Any
) -> None:
    """What these seats observe, through their knowledge."""
    for i in range(lo, hi):
        project_knowledge(i, watchers, states, worlds, blank)
        observe(worlds[i], watchers[i], observation[i])


@rule
def determinize(i: int, first: int, watchers: Cells, states: Any, worlds: Any, blank: Any, rngs: Any) -> None:
    """worlds[i]: what a seat knows of match i, the unknown filled with one possibility; stream first + i, and on."""
    seed_match(rngs[i], first + i)
    project_knowledge(i, watchers, states, worlds, blank)
    imagine(worlds[i], watchers[i], rngs[i])


@rule
def determinize_slice(
    lo: int, hi: int, row: int, first: int, watchers: Cells, states: Any, worlds: Any, blank: Any, rngs: Any
) -> None:
    for i in range(lo, hi):
        determinize(i, first, watchers, states, worlds, blank, rngs)
