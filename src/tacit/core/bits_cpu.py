"""The primitives of `bits` for the CPU: one LLVM instruction each, and a loop that runs in vectors."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

INT64 = numba.types.int64(numba.types.int64)
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


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def spread(out: Any, at: int, x: int, n: int) -> int:
    place = np.uint64(at)  # an index that cannot be negative lets the loop run in vectors
    for i in range(np.uint64(n)):
        out[place + i] = (np.uint64(x) >> i) & np.uint64(1)
    return at + n
