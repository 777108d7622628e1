"""Sums of products of whole numbers for the CPU, by x86's VPMADDWD: in each 32-bit lane two 16-bit numbers times two
others, added. `tacit.bots.network.inference.add_products` says what is computed."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core.registry import cpu_target
from numba.extending import intrinsic

BYTE, SHORT, INT = ir.IntType(8), ir.IntType(16), ir.IntType(32)
LARGEST = 0x7FFF  # that fits 16 bits with its sign
LOW_BITS = 8  # of a larger value: these and the others are multiplied apart
TOO_LARGE = 1 << 23  # for that


def _register() -> tuple[int, str] | None:
    """How many 32-bit lanes a register has that Numba compiles for, and the instruction; None: there is none."""
    triple, _, features = cpu_target.target_context.codegen().magic_tuple()
    found = set(features.split(",")) if triple.startswith("x86_64") else set()
    if "+avx512bw" in found:
        return 16, "llvm.x86.avx512.pmaddw.d.512"
    return (8, "llvm.x86.avx2.pmadd.wd") if "+avx2" in found else None


def _order(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(INT, len(places)), places)


def _summer(lanes: int, name: str, groups: int, split: bool) -> Any:
    """An intrinsic that writes `groups` times 2 * lanes sums from `at` on, over the first 2 * pairs inputs picked.

    With `split`, values may be larger than 16 bits, if less than TOO_LARGE.

    Weights of two inputs are interleaved within each 128 bits, as one instruction does; so the sums' registers hold
    them in another order until the end.
    """
    wide = 2 * lanes
    bytes_type, shorts_type, sums_type = (
        ir.VectorType(kind, n) for kind, n in ((BYTE, wide), (SHORT, wide), (INT, lanes))
    )
    both_type = ir.VectorType(INT, wide)
    low = [8 * p + i + row for p in range(wide // 8) for i in range(4) for row in (0, wide)]
    high = [place + 4 for place in low]
    back = [4 * p + i + half for p in range(wide // 8) for half in (0, lanes) for i in range(4)]

    @intrinsic  # type: ignore[untyped-decorator]
    def write_sums(typingctx: Any, values: Any, weights: Any, picked: Any, pairs: Any, sums: Any, at: Any) -> Any:
        word = numba.types.int64
        signature = numba.types.void(values, weights, picked, word, sums, word)

        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arrays = [context.make_array(signature.args[i])(context, builder, args[i]) for i in (0, 1, 2, 4)]
            value_data, weight_data, picked_data, sums_data = (array.data for array in arrays)
            stride = builder.extract_value(arrays[1].strides, 0)

            def number(n: int) -> Any:
                return ir.Constant(stride.type, n)

            def pair_of(a: Any, b: Any) -> Any:
                """Two values in the halves of every lane."""
                pair = builder.or_(builder.and_(a, ir.Constant(INT, 0xFFFF)), builder.shl(b, ir.Constant(INT, 16)))
                one = builder.insert_element(ir.Constant(sums_type, ir.Undefined), pair, ir.Constant(INT, 0))
                return builder.bitcast(builder.shuffle_vector(one, one, _order([0] * lanes)), shorts_type)

            begin = builder.block
            head, body, end = (builder.function.append_basic_block() for _ in range(3))
            builder.branch(head)
            builder.position_at_end(head)
            k = builder.phi(stride.type)
            k.add_incoming(number(0), begin)
            sums_of = [[builder.phi(sums_type) for _ in range(2 * groups)] for _ in range(1 + split)]
            for part in (part for parts in sums_of for part in parts):
                part.add_incoming(ir.Constant(sums_type, None), begin)
            builder.cbranch(builder.icmp_signed("<", k, builder.mul(args[3], number(2))), body, end)

            builder.position_at_end(body)
            picks = [builder.load(builder.gep(picked_data, [builder.add(k, number(i))])) for i in (0, 1)]
            inputs = [builder.sext(pick, stride.type) for pick in picks]
            given = [builder.load(builder.gep(value_data, [j])) for j in inputs]
            weight_bytes = builder.bitcast(weight_data, BYTE.as_pointer())
            rows = [builder.gep(weight_bytes, [builder.add(builder.mul(j, stride), args[5])]) for j in inputs]
            if split:
                bits = ir.Constant(INT, LOW_BITS), ir.Constant(INT, (1 << LOW_BITS) - 1)
                times = [
                    pair_of(*(builder.ashr(value, bits[0]) for value in given)),
                    pair_of(*(builder.and_(value, bits[1]) for value in given)),
                ]
            else:
                times = [pair_of(*given)]
            multiply = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(sums_type, [shorts_type] * 2))
            for group in range(groups):
                places = [builder.gep(row, [number(group * wide)]) for row in rows]
                loaded = [builder.load(builder.bitcast(p, bytes_type.as_pointer()), align=1) for p in places]
                a, b = (builder.sext(row, shorts_type) for row in loaded)
                for half, order in enumerate((low, high)):
                    two = builder.shuffle_vector(a, b, _order(order))
                    for parts, value in zip(sums_of, times, strict=True):
                        part = parts[2 * group + half]
                        part.add_incoming(builder.add(part, builder.call(multiply, [two, value])), body)
            k.add_incoming(builder.add(k, number(2)), body)
            builder.branch(head)

            builder.position_at_end(end)
            for group in range(groups):
                total = None
                for parts in sums_of:
                    found = builder.shuffle_vector(parts[2 * group], parts[2 * group + 1], _order(back))
                    up = ir.Constant(both_type, [LOW_BITS] * wide)
                    total = found if total is None else builder.add(builder.shl(total, up), found)
                place = builder.gep(sums_data, [builder.add(args[5], number(group * wide))])
                builder.store(total, builder.bitcast(place, both_type.as_pointer()), align=4)
            return context.get_dummy_value()

        return signature, lower

    return write_sums


def _add_products() -> Any:
    """The rule `add_products`, or None where the processor has no such instruction."""
    found = _register()
    if found is None:
        return None
    write_sums, write_large_sums = _summer(*found, groups=4, split=False), _summer(*found, groups=2, split=True)
    block, large_block = 8 * found[0], 4 * found[0]

    @numba.njit(nogil=True, boundscheck=False, error_model="numpy", _nrt=False)  # type: ignore[untyped-decorator]
    def add_products(values: Any, weights: Any, picked: Any, sums: Any) -> None:
        n, bits, size = 0, 0, len(sums)
        for j in range(len(values)):
            value = values[j]
            if value != 0:
                picked[n] = j
                n += 1
                bits |= value ^ (value >> 31)
        done = n - n % 2 if size >= block and bits < TOO_LARGE else 0
        if done == 0:
            for o in range(size):
                sums[o] = 0
        elif bits <= LARGEST:  # the last block begins so that it ends with the last sum: some are written twice
            for o in range(0, size, block):
                write_sums(values, weights, picked, done // 2, sums, min(o, size - block))
        else:
            for o in range(0, size, large_block):
                write_large_sums(values, weights, picked, done // 2, sums, min(o, size - large_block))
        for at in range(done, n):
            value, row = values[picked[at]], weights[picked[at]]
            for o in range(size):
                sums[o] += value * row[o]

    return add_products


add_products = _add_products()  # None: as it is written
