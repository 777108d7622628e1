"""The rules of `stepping` as CUDA kernels: one thread a match, but for masks and observations.

A thread that wrote the cells of its own match would write far from its neighbours, some bytes at a time: many times as
slow as the memory. And threads that played different things do not come together again in the same kernel. So these are
kernels of their own: 32 threads gather the observations of as many matches on the chip and then write them out
together; a mask is written by as many threads as it has eights of cells. `eights` is the memory of `cells`, eight cells
a number; it is empty where the memory does not begin at a whole eight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, int64

from tacit.core.game import Game
from tacit.core.rulekit import build
from tacit.research import stepping
from tacit.research.cuda import EIGHT, WARP_SIZE, tile


def kernels_of(game: Game) -> dict[str, Any]:
    """The kernels, as functions for `cuda.jit` or `cuda.compile`."""
    rules = build(game.module, "cuda", drivers=[stepping])
    advance, write_row = rules.advance, rules.observe
    sample_one, seed_one, project_one, determinize_one = (
        rules.sample_action,
        rules.seed_streams,
        rules.project_knowledge,
        rules.determinize,
    )
    width, rows, actions_width = game.observation, tile(game.observation), game.actions
    words_gathered = -(-rows * width // EIGHT)

    def play(
        n: int, mode: int, fault: int, penalty: float, stride: int, actions: Any, weights: Any, scores: Any,
        states: Any, blank: Any, seeds: Any, rngs: Any, seat: Any, words: Any, reward: Any, done: Any, illegal: Any,
    ) -> None:  # fmt: skip
        i = cuda.grid(1)
        if i < n:
            advance(
                i, i, mode, fault, penalty, stride, actions, weights, scores, states, blank, seeds, rngs, seat, words,
                reward, done, illegal,
            )  # fmt: skip

    def observe(n: int, states: Any, seat: Any, cells: Any, eights: Any) -> None:
        gathered = cuda.shared.array(words_gathered, int64)
        small = gathered.view(np.int8)
        lane, first = cuda.threadIdx.x, cuda.blockIdx.x * rows
        here = min(rows, n - first)
        if lane < here:
            write_row(states[first + lane], seat[first + lane], small[lane * width : (lane + 1) * width])
        cuda.syncthreads()
        begin, size = first * width, here * width
        whole = size // EIGHT if begin % EIGHT == 0 and len(eights) > 0 else 0
        for at in range(lane, whole, WARP_SIZE):
            eights[begin // EIGHT + at] = gathered[at]
        for at in range(EIGHT * whole + lane, size, WARP_SIZE):
            cells[begin + at] = small[at]

    def mask(n: int, words: Any, cells: Any, eights: Any) -> None:
        begin = EIGHT * cuda.grid(1)
        size = min(EIGHT, n * actions_width - begin)
        if size <= 0:
            return
        i, at = begin // actions_width, begin % actions_width
        bits, have = 0, 0
        while have < size:  # eight marks may lie in several words, and in several matches
            here = min(actions_width - at, 64 - (at & 63))
            bits |= ((words[i, at >> 6] >> (at & 63)) & ((1 << min(here, EIGHT)) - 1)) << have
            have += here
            at += here
            if at == actions_width:
                i, at = i + 1, 0
        eight = bits & 0xFF  # as bytes: halves drawn apart, then quarters, then single bits
        eight = (eight | (eight << 28)) & 0x0000000F0000000F
        eight = (eight | (eight << 14)) & 0x0003000300030003
        eight = (eight | (eight << 7)) & 0x0101010101010101
        if size == EIGHT and len(eights) > 0:
            eights[begin // EIGHT] = eight
        else:
            for q in range(size):
                cells[begin + q] = (eight >> (EIGHT * q)) & 1

    def sample_actions(n: int, words: Any, dice: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            sample_one(i, words, dice, actions)

    def seed_streams(n: int, first: int, dice: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            seed_one(i, first, dice)

    def project_knowledge(n: int, watchers: Any, states: Any, worlds: Any, blank: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            project_one(i, watchers, states, worlds, blank)

    def determinize(n: int, first: int, watchers: Any, states: Any, worlds: Any, blank: Any, rngs: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            determinize_one(i, first, watchers, states, worlds, blank, rngs)

    return {
        "play": play, "observe": observe, "mask": mask, "sample_actions": sample_actions,
        "seed_streams": seed_streams, "project_knowledge": project_knowledge, "determinize": determinize,
    }  # fmt: skip
