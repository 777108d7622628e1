"""The primitives of `bits` for the CPU: one LLVM instruction each, `spread` by vectors, and copies."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

from tacit.core.bits import LOCAL_CELLS

INT64 = numba.types.int64(numba.types.int64)
ONE = np.uint64(1)
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
def _rest_of(typingctx: Any, x: Any, y: Any, fields: Any) -> Any:
    """All fields side by side: a loop over a tuple would look each of them up by a switch."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rest = ir.Constant(ir.IntType(64), 0)
        for i in range(len(fields)):
            field = builder.extract_value(args[2], i)
            here = builder.add(builder.ctpop(builder.and_(args[0], field)), builder.ctpop(builder.and_(args[1], field)))
            rest = builder.or_(rest, builder.and_(builder.lshr(field, here), field))
        return rest

    return numba.types.int64(numba.types.int64, numba.types.int64, fields), lower


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def rest_of(x: int, y: int, fields: Any) -> Any:
    return _rest_of(numba.int64(x), numba.int64(y), fields)


@intrinsic  # type: ignore[untyped-decorator]
def _pdep(typingctx: Any, x: Any, mask: Any) -> Any:
    """x86's PDEP: the bits of x, one for each member of the mask."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        instruction = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        return builder.call(instruction, args)

    return numba.types.int64(numba.types.int64, numba.types.int64), lower


def _has_pdep() -> bool:
    """Does Numba compile for a processor with PDEP? AMD's first two generations of Zen only emulate it."""
    triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return triple.startswith("x86_64") and "+bmi2" in features.split(",") and processor not in ("znver1", "znver2")


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def _nth(x: int, n: int) -> Any:
    return _cttz(_pdep(numba.int64(1) << numba.int64(n), numba.int64(x)))


nth = _nth if _has_pdep() else None  # None: as it is written


def _putter(width: int) -> Any:
    """An intrinsic that writes the lowest bits of a word over as many cells of a contiguous array of bytes, at any
    alignment: as a vector of bits, widened to one of bytes, which is an instruction or two."""

    @intrinsic  # type: ignore[untyped-decorator]
    def put(typingctx: Any, out: Any, at: Any, word: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, args[0])
            bits = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
            cells = ir.VectorType(ir.IntType(8), width)
            vector = builder.zext(builder.bitcast(bits, ir.VectorType(ir.IntType(1), width)), cells)
            place = builder.gep(array.data, [args[1]])
            builder.store(vector, builder.bitcast(place, cells.as_pointer()), align=1)
            return context.get_dummy_value()

        return numba.types.void(out, numba.types.int64, numba.types.uint64), lower

    return put


_put_8, _put_16, _put_32 = _putter(8), _putter(16), _putter(32)


def _spread(out: Any, at: Any, x: Any, n: Any) -> Any:
    """What it means; compiled, `_spread_as` does it."""
    for i in range(n):
        out[at + i] = (x >> i) & 1
    return at + n


@overload(_spread, inline="always")  # type: ignore[untyped-decorator]
def _spread_as(out: Any, at: Any, x: Any, n: Any) -> Any:
    in_bytes = isinstance(out, numba.types.Array) and out.layout == "C" and out.dtype.bitwidth == 8

    def vectors(out: Any, at: Any, x: Any, n: Any) -> Any:
        place, word = np.uint64(at), np.uint64(x)  # an index that cannot be negative needs no look at its sign
        # The last vector begins so that it ends with the last cell: some cells are written a second time.
        if n < 8:
            for i in range(np.uint64(n)):
                out[place + i] = (word >> i) & ONE
        elif n < 16:
            _put_8(out, np.int64(at), word)
            _put_8(out, np.int64(at + n - 8), word >> np.uint64(n - 8))
        elif n < 32:
            _put_16(out, np.int64(at), word)
            _put_16(out, np.int64(at + n - 16), word >> np.uint64(n - 16))
        else:
            _put_32(out, np.int64(at), word)
            _put_32(out, np.int64(at + n - 32), word >> np.uint64(n - 32))
        return at + n

    return vectors if in_bytes else _spread


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def spread(out: Any, at: int, x: int, n: int) -> Any:
    return _spread(out, at, x, n)


@intrinsic  # type: ignore[untyped-decorator]
def local_cells(typingctx: Any) -> Any:
    """An array on the stack of the rule that calls this; no function of its own, whose stack would be gone."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), LOCAL_CELLS))
        cgutils.memset(builder, memory, ir.Constant(ir.IntType(64), 8 * LOCAL_CELLS), 0)
        array = context.make_array(signature.return_type)(context, builder)
        size, cell = (context.get_constant(numba.types.intp, n) for n in (LOCAL_CELLS, 8))
        data = builder.bitcast(memory, array.data.type)
        context.populate_array(array, data=data, shape=[size], strides=[cell], itemsize=cell, meminfo=None)
        return array._getvalue()

    return numba.types.Array(numba.types.int64, 1, "C")(), lower


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def copy_cells(out: Any, cells: Any) -> None:
    for i in range(len(cells)):
        out[i] = cells[i]


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def copy_grid(out: Any, grid: Any) -> None:
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            out[i, j] = grid[i, j]
