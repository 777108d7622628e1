"""The rules of `stepping` as CUDA kernels.

A rule over all matches has a thread for each match. Masks, observations and histories have kernels of their own: a
thread that wrote the row of its own match would make uncoalesced stores, and threads that diverged while they played
would not converge again in the same kernel. A warp gathers its matches' observations in shared memory and writes them
out in coalesced words; a mask has a thread for each word of eight cells, a history one for each decision.

A warp runs all paths that any of its threads takes. In games that are `DIVERGENT` a step is three kernels, one for each
part of `advance`, and in each of them a block first sorts its matches (a counting sort in shared memory): by the
decision to be made, or by the phase. Which thread plays a match changes nothing in it. In other games one kernel is
faster.

The annotations of a kernel are the declaration of its parameters (`core.workspace`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, int32, int64, uint32, uint64

from tacit.core.bits_cuda import packed_row
from tacit.core.game import Game
from tacit.core.rulekit import build
from tacit.core.workspace import Bytes, Int, IntRows, Ints, States
from tacit.research import stepping
from tacit.research.cuda import MAX_BLOCK, SORTED_KERNELS, WARP_SIZE, WORD_BYTES, first_number, row_bytes, tile
from tacit.research.partners import PartnerWorkspace
from tacit.research.stepping import PLAY, WHOLE, Workspace

EACH_MATCH = {
    "sample_actions": "sample_actions",
    "seed_streams": "seed_streams",
    "project_knowledge": "project_knowledge",
    "determinize": "determinize",
}
MAX_PHASES = 32  # that are told apart; a power of two


def kernels_of(game: Game) -> dict[str, Any]:
    """The kernels by name, as functions for `cuda.jit` or `cuda.compile`."""
    rules = build(game.module, "cuda", drivers=[stepping])
    made = {name: _each_match(getattr(rules, rule)) for name, rule in EACH_MATCH.items()}
    if game.divergent:
        for part, name in enumerate(SORTED_KERNELS, start=stepping.DECIDE):
            key, keys = (_by_decision(game), game.actions + 1) if name == "decide" else (_by_phase(game), MAX_PHASES)
            made[name] = _sorted(rules.advance, part, key, keys)
    else:
        made["play"] = _whole(rules.advance)
    observe = _observe_packed(game, rules) if game.packed else _observe(game, rules)
    return made | {"observe": observe, "mask": _mask(game), "recall": _recall(rules)}


def _each_match(run: Any) -> Any:
    """A kernel that runs a rule over all matches, a thread each."""

    def kernel(n: Int, number: Int, w: Workspace) -> None:
        i = cuda.grid(1)
        if i < n:
            run(i, i, number, w)

    return kernel


def _whole(advance: Any) -> Any:
    """A kernel that does all of `advance`, a thread for each match."""

    def kernel(n: Int, number: Int, w: Workspace) -> None:
        i = cuda.grid(1)
        if i < n:
            advance(i, i, number, WHOLE, w)

    return kernel


def begin_partners(advance: Any) -> Any:
    """The same over the workspace of a batch with partners."""

    def kernel(n: Int, mode: Int, w: PartnerWorkspace) -> None:
        i = cuda.grid(1)
        if i < n:
            advance(i, i, mode, WHOLE, w)

    return kernel


def partner_decides(plays: Any) -> Any:
    """A kernel in which one of the partners decides, a thread for each match."""

    def kernel(n: Int, kind: Int, w: PartnerWorkspace) -> None:
        i = cuda.grid(1)
        if i < n:
            w.spare[i] = plays(i, i, kind, w)

    return kernel


def _sorted(advance: Any, part: int, key_of: Any, keys: int) -> Any:
    """A kernel that does one part of `advance`; the matches of a block are taken in the order of their keys."""

    def kernel(n: Int, number: Int, w: Workspace) -> None:
        counts = cuda.shared.array(keys, int32)
        begins = cuda.shared.array(keys, int32)
        order = cuda.shared.array(MAX_BLOCK, int32)
        thread, size = cuda.threadIdx.x, cuda.blockDim.x
        first = cuda.blockIdx.x * size
        for at in range(thread, keys, size):
            counts[at] = 0
        cuda.syncthreads()
        here = first + thread < n
        key, place = 0, 0
        if here:
            key = key_of(first + thread, number, w)
            place = cuda.atomic.add(counts, key, 1)
        cuda.syncthreads()
        for at in range(thread, keys, size):
            before = 0
            for lower in range(at):
                before += counts[lower]
            begins[at] = before
        cuda.syncthreads()
        if here:
            order[begins[key] + place] = thread
        cuda.syncthreads()
        if here:
            i = first + order[thread]
            advance(i, i, number, part, w)

    return kernel


def _by_decision(game: Game) -> Any:
    """The key of a match is the decision to be made in it; numbers that are none have the highest one."""
    actions = game.actions

    @cuda.jit(device=True)  # type: ignore[untyped-decorator]
    def key(i: int, mode: int, w: Workspace) -> int:
        action = w.actions[i]
        return action if mode == PLAY and action >= 0 and action < actions else actions

    return key


def _by_phase(game: Game) -> Any:
    """The key of a match is its phase, in games that have phases."""
    phased = "phase" in (game.dtype.names or ())

    @cuda.jit(device=True)  # type: ignore[untyped-decorator]
    def key(i: int, mode: int, w: Workspace) -> int:
        return w.states[i].phase & (MAX_PHASES - 1) if phased else 0

    return key


def _recall(rules: Any) -> Any:
    """A kernel that writes the histories, a thread for each decision."""
    recall = rules.recall

    def kernel(n: Int, w: Workspace) -> None:
        at = cuda.grid(1)
        size = w.history.shape[1]
        if at < n * size:
            recall(at // size, at % size, w)

    return kernel


def _observe(game: Game, rules: Any) -> Any:
    """A kernel that writes the observations of `seats`; `words` is the memory of `cells`, or empty."""
    write_row, width, rows = rules.observe, game.observation, tile(game)
    gathered_words = -(-rows * width // WORD_BYTES)

    def kernel(n: Int, states: States, seats: Ints, cells: Bytes, words: Ints) -> None:
        gathered = cuda.shared.array(gathered_words, int64)
        small = gathered.view(np.int8)
        lane, first = cuda.threadIdx.x, cuda.blockIdx.x * rows
        here = min(rows, n - first)
        if lane < here:
            write_row(states[first + lane], seats[first + lane], small[lane * width : (lane + 1) * width])
        cuda.syncthreads()
        begin, size = first * width, here * width
        whole = size // WORD_BYTES if begin % WORD_BYTES == 0 and len(words) > 0 else 0
        for at in range(lane, whole, WARP_SIZE):
            words[begin // WORD_BYTES + at] = gathered[at]
        for at in range(WORD_BYTES * whole + lane, size, WARP_SIZE):
            cells[begin + at] = small[at]

    return kernel


def _observe_packed(game: Game, rules: Any) -> Any:
    """The same for games that are `PACKED`. In shared memory a row is a byte for each cell from the first number on,
    then a bit for every cell (`bits_cuda.packed_row`): so more warps fit a multiprocessor."""
    write_row, width, rows, numbers = rules.observe, game.observation, tile(game), first_number(game)
    front = -(-(width - numbers) // WORD_BYTES) * WORD_BYTES  # bytes of numbers
    room, size_of_row = rows * row_bytes(game) // WORD_BYTES, row_bytes(game)
    lead = front - width  # from a row's first byte to where its cell 0 would be: negative
    at_once = WARP_SIZE * WORD_BYTES

    @cuda.jit(device=True)  # type: ignore[untyped-decorator]
    def cell(small: Any, row: int, col: int) -> Any:
        """One cell: its bit, or its number."""
        bit = (uint32(small[row + uint32(front) + (col >> uint32(3))]) >> (col & uint32(7))) & uint32(1)
        return bit | uint32(small[row + col - uint32(-lead)]) if col >= uint32(numbers) else bit

    def kernel(n: Int, states: States, seats: Ints, cells: Bytes, words: Ints) -> None:
        packed = cuda.shared.array(room, int64)
        small = packed.view(np.uint8)
        lane, first = cuda.threadIdx.x, cuda.blockIdx.x * rows
        here = min(rows, n - first)
        for at in range(lane, room, WARP_SIZE):
            packed[at] = 0
        cuda.syncthreads()
        if lane < here:
            mine = packed_row(small, size_of_row * lane + lead, width)
            write_row(states[first + lane], seats[first + lane], mine)
        cuda.syncthreads()
        begin, size = first * width, uint32(here * width)
        whole = uint32(size // uint32(WORD_BYTES) if begin % WORD_BYTES == 0 and len(words) > 0 else 0)
        row, col = uint32(0), uint32(WORD_BYTES * lane)
        for to in range(uint32(lane), whole, uint32(WARP_SIZE)):
            while col >= uint32(width):
                col -= uint32(width)
                row += uint32(size_of_row)
            word = uint64(0)
            if col + uint32(WORD_BYTES) <= uint32(numbers):
                place = row + uint32(front) + (col >> uint32(3))
                bits = uint32(small[place]) | uint32(small[place + uint32(1)]) << uint32(8)
                word = eight_cells(bits >> (col & uint32(7)))
            else:  # numbers, or the beginning of the next row
                r, c = row, col
                for q in range(uint32(WORD_BYTES)):
                    word |= uint64(cell(small, r, c)) << uint64(uint32(8) * q)
                    c += uint32(1)
                    if c == uint32(width):
                        r, c = r + uint32(size_of_row), uint32(0)
            words[begin // WORD_BYTES + to] = word
            col += uint32(at_once)
        for at in range(uint32(WORD_BYTES) * whole + uint32(lane), size, uint32(WARP_SIZE)):
            cells[begin + at] = cell(small, at // uint32(width) * uint32(size_of_row), at % uint32(width))

    return kernel


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def eight_cells(bits: int) -> Any:
    """The eight lowest bits as eight cells: four copies of four bits, each moved to another byte's beginning."""
    low = ((bits & uint32(15)) * uint32(0x00204081)) & uint32(0x01010101)
    high = (((bits >> uint32(4)) & uint32(15)) * uint32(0x00204081)) & uint32(0x01010101)
    return uint64(low) | uint64(high) << uint64(32)


def _mask(game: Game) -> Any:
    """A kernel that spreads the bits of `legal` out to `cells`; `words` is the memory of `cells`, or empty."""
    width = game.actions

    def kernel(n: Int, legal: IntRows, cells: Bytes, words: Ints) -> None:
        begin = WORD_BYTES * cuda.grid(1)
        size = min(WORD_BYTES, n * width - begin)
        if size <= 0:
            return
        i, at = begin // width, begin % width
        bits, have = 0, 0
        while have < size:  # the bits of one word may lie in several words of `legal`, and in several matches
            here = min(width - at, 64 - (at & 63))
            bits |= ((legal[i, at >> 6] >> (at & 63)) & ((1 << min(here, WORD_BYTES)) - 1)) << have
            have += here
            at += here
            if at == width:
                i, at = i + 1, 0
        word = bits & 0xFF  # one bit a byte: move halves apart, then quarters, then single bits
        word = (word | (word << 28)) & 0x0000000F0000000F
        word = (word | (word << 14)) & 0x0003000300030003
        word = (word | (word << 7)) & 0x0101010101010101
        if size == WORD_BYTES and len(words) > 0:
            words[begin // WORD_BYTES] = word
        else:
            for q in range(size):
                cells[begin + q] = (word >> (8 * q)) & 1

    return kernel
