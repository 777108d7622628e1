"""The primitives of `bits` as CUDA device functions; in 32-bit halves, which Numba's simulator understands too."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, cuda, types, uint32, uint64
from numba.cuda.extending import intrinsic

LOW = 0xFFFFFFFF
LEAST_BY_WORDS = 12  # cells: fewer are written one by one


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def count(x: int) -> Any:
    return cuda.popc(x & LOW) + cuda.popc((x >> 32) & LOW)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def lowest(x: int) -> Any:
    low = x & LOW
    if low != 0:
        return cuda.ffs(low) - 1
    return 31 + cuda.ffs((x >> 32) & LOW)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def length(x: int) -> Any:
    x |= x >> 1  # fill every bit below the highest, then count
    x |= x >> 2
    x |= x >> 4
    x |= x >> 8
    x |= x >> 16
    x |= x >> 32
    return cuda.popc(x & LOW) + cuda.popc((x >> 32) & LOW)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def rest_of(x: int, fields: Any) -> Any:
    rest = 0
    for i in range(len(fields)):
        rest |= (fields[i] >> count(x & fields[i])) & fields[i]
    return rest


def _spread(out: Any, at: int, x: int, n: int) -> int:
    for i in range(n):
        out[at + i] = (x >> i) & 1
    return at + n


@intrinsic  # type: ignore[untyped-decorator]
def _address(typingctx: Any, out: Any, at: Any) -> Any:
    """The address of a cell of a contiguous array of bytes."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.ptrtoint(builder.gep(array.data, [args[1]]), ir.IntType(64))

    return types.uint64(out, types.uint64), lower


@intrinsic  # type: ignore[untyped-decorator]
def _put_4(typingctx: Any, out: Any, at: Any, word: Any) -> Any:
    """Write four cells at once; the first of them lies at a multiple of 4."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        cells = builder.bitcast(builder.gep(array.data, [args[1]]), ir.IntType(32).as_pointer())
        builder.store(args[2], cells, align=4)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint32), lower


def _spread_by_words(out: Any, at: int, x: int, n: int) -> int:
    """Four cells at a time where they can be: cells of the same word, whose address the GPU must find aligned."""
    place, word, size = uint64(at), uint64(x), uint64(n)  # an index that cannot be negative needs no look at its sign
    head = uint64(0)
    words = uint64(0)
    if size >= uint64(LEAST_BY_WORDS):
        head = (uint64(0) - _address(out, place)) & uint64(3)
        words = (size - uint64(3)) >> uint64(2)
        for i in range(uint64(3)):
            if i < head:
                out[place + i] = (word >> i) & uint64(1)
        place += head
        word >>= head
        size -= head
        for _ in range(words):
            # One bit a byte: four copies, each moved so that another bit comes to lie at a byte's beginning.
            _put_4(out, place, uint32(((word & uint64(15)) * uint64(0x00204081)) & uint64(0x01010101)))
            place += uint64(4)
            word >>= uint64(4)
        size -= words << uint64(2)
        for i in range(uint64(6)):
            if i < size:
                out[place + i] = (word >> i) & uint64(1)
    else:
        for i in range(size):
            out[place + i] = (word >> i) & uint64(1)
    return at + n


# The simulator's unsigned numbers are NumPy's, which take no negative ones.
spread = cuda.jit(device=True)(_spread if config.ENABLE_CUDASIM else _spread_by_words)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def copy_cells(out: Any, cells: Any) -> None:
    for i in range(len(cells)):
        out[i] = cells[i]


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def copy_grid(out: Any, grid: Any) -> None:
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            out[i, j] = grid[i, j]
