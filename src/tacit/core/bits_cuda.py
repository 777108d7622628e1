"""The primitives of `bits` as CUDA device functions; in 32-bit halves, which Numba's simulator understands too."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, cuda, types, uint32, uint64
from numba.core import cgutils
from numba.cuda.extending import intrinsic, overload

from tacit.core.bits import LOCAL_CELLS

LOW = 0xFFFFFFFF
ALL = (1 << 64) - 1
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
def rest_of(x: int, y: int, fields: Any) -> Any:
    rest = 0
    for i in range(len(fields)):
        rest |= (fields[i] >> (count(x & fields[i]) + count(y & fields[i]))) & fields[i]
    return rest


nth = None  # as it is written


class PackedRow:
    """A packed row for the simulator: its cells, of which only those of numbers are there, and bits behind them."""

    def __init__(self, memory: Any, at: int, size: int) -> None:
        self.memory, self.at, self.size = memory, at, size

    def __setitem__(self, at: int, number: int) -> None:
        self.memory[self.at + at] = number & 0xFF

    def add(self, at: int, word: int) -> None:
        """Put bits into word `at` behind the cells."""
        place = self.at + self.size + 8 * at
        for byte in range(8):
            self.memory[place + byte] |= (word >> (8 * byte)) & 0xFF


@intrinsic  # type: ignore[untyped-decorator]
def _packed_row(typingctx: Any, memory: Any, at: Any, size: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = context.make_array(signature.args[0])(context, builder, args[0])
        row.data = builder.gep(row.data, [args[1]])
        row.shape = cgutils.pack_array(builder, [args[2]])
        row.nitems = args[2]
        return row._getvalue()

    return memory(memory, types.int64, types.int64), lower


@intrinsic  # type: ignore[untyped-decorator]
def _add_bits(typingctx: Any, out: Any, at: Any, word: Any) -> Any:
    """Put bits into word `at` behind the cells of a packed row."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        (size,) = cgutils.unpack_tuple(builder, array.shape, 1)
        behind = builder.bitcast(builder.gep(array.data, [size]), ir.IntType(64).as_pointer())
        place = builder.gep(behind, [args[1]])
        builder.store(builder.or_(builder.load(place, align=8), args[2]), place, align=8)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint64), lower


def _spread_cells(out: Any, at: Any, x: Any, n: Any) -> Any:
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


def _spread_by_words(out: Any, at: Any, x: Any, n: Any) -> Any:
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


def _spread_bits(out: Any, at: Any, x: Any, n: Any) -> Any:
    place, size = uint64(at), uint64(n)
    word = uint64(x) & ~uint64(0) >> (uint64(64) - size)
    shift = place & uint64(63)
    _add_bits(out, place >> uint64(6), word << shift)
    if shift + size > uint64(64):
        _add_bits(out, (place >> uint64(6)) + uint64(1), word >> (uint64(64) - shift))
    return at + n


def _spread_simulated(out: Any, at: int, x: int, n: int) -> int:
    if not isinstance(out, PackedRow):
        return _spread_cells(out, at, x, n)  # type: ignore[no-any-return]
    word = (int(x) & ((1 << n) - 1)) << (at & 63)
    out.add(at >> 6, word & ALL)
    if word >> 64:
        out.add((at >> 6) + 1, word >> 64)
    return at + n


def _spread_as(out: Any, at: Any, x: Any, n: Any) -> Any:
    """What it means; compiled, `_spread_by_kind` does it."""
    return _spread_cells(out, at, x, n)


@overload(_spread_as, inline="always")  # type: ignore[untyped-decorator]
def _spread_by_kind(out: Any, at: Any, x: Any, n: Any) -> Any:
    return _spread_bits if out.dtype == types.uint8 else _spread_by_words


def _spread(out: Any, at: int, x: int, n: int) -> Any:
    return _spread_as(out, at, x, n)


# A row of `size` cells in an array of unsigned bytes, of which `spread` keeps sets as bits: behind the cells there is a
# bit for each of them, all 0 at first. Cell 0 lies at place `at`, or would: only cells of numbers need to be there.
packed_row: Any = PackedRow if config.ENABLE_CUDASIM else _packed_row
spread = cuda.jit(device=True)(_spread_simulated if config.ENABLE_CUDASIM else _spread)


@intrinsic  # type: ignore[untyped-decorator]
def _local_cells(typingctx: Any) -> Any:
    """An array in the local memory of the thread, for the rule that calls this."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cells = ir.ArrayType(ir.IntType(64), LOCAL_CELLS)
        memory = cgutils.alloca_once(builder, cells)
        builder.store(ir.Constant(cells, None), memory)
        array = context.make_array(signature.return_type)(context, builder)
        size, cell = (context.get_constant(types.intp, n) for n in (LOCAL_CELLS, 8))
        data = builder.bitcast(memory, array.data.type)
        context.populate_array(array, data=data, shape=[size], strides=[cell], itemsize=cell, meminfo=None)
        return array._getvalue()

    return types.Array(types.int64, 1, "C")(), lower


local_cells: Any = (lambda: [0] * LOCAL_CELLS) if config.ENABLE_CUDASIM else _local_cells


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def copy_cells(out: Any, cells: Any) -> None:
    for i in range(len(cells)):
        out[i] = cells[i]


def _copy_grid(out: Any, grid: Any) -> None:
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            out[i, j] = grid[i, j]


def _copy_grid_simulated(out: Any, grid: Any) -> None:
    """Simulated states are plain objects, whose grids are dicts."""
    out.update(grid)


copy_grid = cuda.jit(device=True)(_copy_grid_simulated if config.ENABLE_CUDASIM else _copy_grid)
