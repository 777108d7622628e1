"""The primitives of `bits` for the CPU: one LLVM instruction each, and a loop that writes eight cells at a time."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload

INT64 = numba.types.int64(numba.types.int64)
LOW_BYTE, COPIES_OF_IT, ITS_OWN_BIT, ALL_BUT_TOP = (
    np.uint64(word) for word in (0xFF, 0x0101010101010101, 0x8040201008040201, 0x7F7F7F7F7F7F7F7F)
)
ONE, SEVEN, EIGHT = (np.uint64(number) for number in (1, 7, 8))
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
    """Write a word over eight cells of a contiguous array of bytes, wherever they lie."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        store = builder.store(args[2], builder.bitcast(place, ir.IntType(64).as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    return numba.types.void(out, numba.types.int64, numba.types.uint64), lower


def _spread(out: Any, at: Any, x: Any, n: Any) -> Any:
    """Only its meaning: `_spread_as` has the code."""
    raise NotImplementedError


@overload(_spread, inline="always")  # type: ignore[untyped-decorator]
def _spread_as(out: Any, at: Any, x: Any, n: Any) -> Any:
    in_bytes = isinstance(out, numba.types.Array) and out.layout == "C" and out.dtype.bitwidth == 8

    def eight_by_eight(out: Any, at: Any, x: Any, n: Any) -> Any:
        left = np.uint64(x)
        whole = n >> 3
        for i in range(whole):
            # Eight copies of a byte, of which the i-th keeps its bit i; then every byte that is not 0 becomes 1.
            bits = ((left & LOW_BYTE) * COPIES_OF_IT) & ITS_OWN_BIT
            _put_eight(out, np.int64(at + 8 * i), ((bits + ALL_BUT_TOP) >> SEVEN) & COPIES_OF_IT)
            left >>= EIGHT
        for i in range(8 * whole, n):
            out[at + i] = left & ONE
            left >>= ONE
        return at + n

    def one_by_one(out: Any, at: Any, x: Any, n: Any) -> Any:
        for i in range(n):
            out[at + i] = (x >> i) & 1
        return at + n

    return eight_by_eight if in_bytes else one_by_one


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def spread(out: Any, at: int, x: int, n: int) -> Any:
    return _spread(out, at, x, n)
