"""The primitives of `bits` for the CPU: one LLVM instruction each, and a loop that writes eight cells at a time."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload

INT64 = numba.types.int64(numba.types.int64)
ONE, LOW_BYTE = np.uint64(1), np.uint64(0xFF)
HALVES, QUARTERS, EIGHTHS = (np.uint64(word) for word in (0x0000000F0000000F, 0x0003000300030003, 0x0101010101010101))
FOUR_BYTES_LESS_FOUR, TWO_BYTES_LESS_TWO, ONE_BYTE_LESS_ONE = np.uint64(28), np.uint64(14), np.uint64(7)
ZERO_IS_DEFINED = ir.Constant(ir.IntType(1), 0)


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typingctx: Any, x: Any) -> Any:
    return INT64, lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typingctx: Any, x: Any) -> Any:
    return INT64, lambda context, builder, signature, args: builder.cttz(args[0], ZERO_IS_DEFINED)


@intrinsic  # type: ignore[untyped-decorator]
def _ctlz(typingctx: Any, x: Any) -> Any:
    return INT64, lambda context, builder, signature, args: builder.ctlz(args[0], ZERO_IS_DEFINED)


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def count(x: int) -> Any:
    return _ctpop(numba.int64(x))


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def lowest(x: int) -> Any:
    return _cttz(numba.int64(x))


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def length(x: int) -> Any:
    return 64 - _ctlz(numba.int64(x))


@intrinsic  # type: ignore[untyped-decorator]
def _put_eight(typingctx: Any, out: Any, at: Any, eight: Any) -> Any:
    """Write a word over eight cells of a contiguous array of bytes, at any alignment."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        store = builder.store(args[2], builder.bitcast(place, ir.IntType(64).as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    return numba.types.void(out, numba.types.int64, numba.types.uint64), lower


@numba.njit(nogil=True, inline="always")  # type: ignore[untyped-decorator]
def _eight(word: Any) -> Any:
    """The lowest eight bits as bytes: halves drawn apart, then quarters, then single bits."""
    word = word & LOW_BYTE
    word = (word | (word << FOUR_BYTES_LESS_FOUR)) & HALVES
    word = (word | (word << TWO_BYTES_LESS_TWO)) & QUARTERS
    return (word | (word << ONE_BYTE_LESS_ONE)) & EIGHTHS


def _spread(out: Any, at: Any, x: Any, n: Any) -> Any:
    """What it means; compiled, `_spread_as` does it."""
    for i in range(n):
        out[at + i] = (x >> i) & 1
    return at + n


@overload(_spread, inline="always")  # type: ignore[untyped-decorator]
def _spread_as(out: Any, at: Any, x: Any, n: Any) -> Any:
    in_bytes = isinstance(out, numba.types.Array) and out.layout == "C" and out.dtype.bitwidth == 8

    def eight_by_eight(out: Any, at: Any, x: Any, n: Any) -> Any:
        place, word = np.uint64(at), np.uint64(x)  # an index that cannot be negative needs no look at its sign
        if n < 8:
            for i in range(np.uint64(n)):
                out[place + i] = (word >> i) & ONE
            return at + n
        for i in range(n >> 3):
            _put_eight(out, np.int64(at + 8 * i), _eight(word >> np.uint64(8 * i)))
        if n & 7:  # the last eight, some of them a second time
            _put_eight(out, np.int64(at + n - 8), _eight(word >> np.uint64(n - 8)))
        return at + n

    return eight_by_eight if in_bytes else _spread


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def spread(out: Any, at: int, x: int, n: int) -> Any:
    return _spread(out, at, x, n)
