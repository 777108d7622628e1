"""Sets of small numbers as 64-bit integers, and masks of them as arrays of such words; the same on every backend.

A word is a signed 64-bit integer: bit 63 is the sign. Sets of cards use bits 0–62 and are never negative; only the
words of a mask of decisions may be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.record import Cells
from tacit.core.rulekit import primitive, rule

SIGN = -(1 << 63)
ALL = (1 << 64) - 1


def _cpu(instruction: str) -> Any:
    """A Numba function that is one LLVM instruction on a 64-bit word."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        if instruction == "ctpop":
            return builder.ctpop(args[0])
        zero_is_defined = ir.Constant(ir.IntType(1), 0)
        if instruction == "cttz":
            return builder.cttz(args[0], zero_is_defined)
        return builder.sub(ir.Constant(word, 64), builder.ctlz(args[0], zero_is_defined))

    @intrinsic  # type: ignore[untyped-decorator]
    def one(typingctx: Any, x: Any) -> Any:
        return numba.types.int64(numba.types.int64), codegen

    return _wrapped(one)


def _wrapped(one: Any) -> Any:
    import numba

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def call(x: int) -> Any:
        return one(numba.int64(x))

    return call


def _cuda_count() -> Any:
    from numba import cuda

    return cuda.jit(device=True)(lambda x: cuda.popc(x & 0xFFFFFFFF) + cuda.popc((x >> 32) & 0xFFFFFFFF))


def _cuda_lowest() -> Any:
    from numba import cuda

    def lowest(x: int) -> Any:
        low = x & 0xFFFFFFFF
        if low != 0:
            return cuda.ffs(low) - 1
        return 31 + cuda.ffs((x >> 32) & 0xFFFFFFFF)

    return cuda.jit(device=True)(lowest)


def _cuda_length() -> Any:
    from numba import cuda

    def length(x: int) -> Any:
        x |= x >> 1  # fill every bit below the highest, then count
        x |= x >> 2
        x |= x >> 4
        x |= x >> 8
        x |= x >> 16
        x |= x >> 32
        return cuda.popc(x & 0xFFFFFFFF) + cuda.popc((x >> 32) & 0xFFFFFFFF)

    return cuda.jit(device=True)(length)


def _cpu_spread() -> Any:
    import numba

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def spread(out: Any, at: int, x: int, n: int) -> Any:
        place = np.uint64(at)  # an index that cannot be negative lets the loop run in vectors
        for i in range(np.uint64(n)):
            out[place + i] = (np.uint64(x) >> i) & np.uint64(1)
        return at + n

    return spread


def _cuda_spread() -> Any:
    from numba import cuda

    return cuda.jit(device=True)(spread)


@primitive(cpu=_cpu_spread, cuda=_cuda_spread)
def spread(out: Cells, at: int, x: int, n: int) -> int:
    """Write a set of members below n as n cells, 0 or 1, beginning at `at`; the place after them."""
    for i in range(n):
        out[at + i] = (x >> i) & 1
    return at + n


@primitive(cpu=lambda: _cpu("ctpop"), cuda=_cuda_count)
def count(x: int) -> int:
    """How many members the set has."""
    return (x & ALL).bit_count()


@primitive(cpu=lambda: _cpu("cttz"), cuda=_cuda_lowest)
def lowest(x: int) -> int:
    """The smallest member of a set that is not empty."""
    return (x & -x).bit_length() - 1


@primitive(cpu=lambda: _cpu("ctlz"), cuda=_cuda_length)
def length(x: int) -> int:
    """One more than the largest member of a set of members 0–62; 0 for the empty set."""
    return x.bit_length()


@rule
def mark(mask: Cells, at: int) -> None:
    """Put `at` into a mask."""
    if at & 63 == 63:
        mask[at >> 6] |= SIGN
    else:
        mask[at >> 6] |= 1 << (at & 63)


@rule
def marked(mask: Cells, at: int) -> bool:
    """Is `at` in the mask?"""
    return (mask[at >> 6] >> (at & 63)) & 1 == 1


@rule
def nth(x: int, n: int) -> int:
    """The member of the set that has `n` smaller ones."""
    at = 0
    here = count(x & 0xFFFFFFFF)
    if n >= here:
        n -= here
        at = 32
    here = count((x >> at) & 0xFFFF)
    if n >= here:
        n -= here
        at += 16
    here = count((x >> at) & 0xFF)
    if n >= here:
        n -= here
        at += 8
    here = count((x >> at) & 0xF)
    if n >= here:
        n -= here
        at += 4
    here = count((x >> at) & 3)
    if n >= here:
        n -= here
        at += 2
    if n >= (x >> at) & 1:
        at += 1
    return at


def members(x: int) -> list[int]:
    """The members of a set in rising order (for plain Python, not for rules)."""
    found = []
    x &= ALL
    while x:
        low = x & -x
        found.append(low.bit_length() - 1)
        x ^= low
    return found


def marks(mask: Cells, words: int) -> list[int]:
    """The members of a mask of so many words, in rising order (for plain Python, not for rules)."""
    return [64 * w + at for w in range(words) for at in members(int(mask[w]))]
