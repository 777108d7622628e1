"""A network for compiled rules. Its weights stay where NumPy has them: compiled code finds them by a symbol.

Arrays that compiled code reads as constants become part of it, and megabytes of them take minutes to compile. So the
code names a symbol, under which this process keeps a table of the arrays' addresses; code from the cache finds it too.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from tacit.bots.network import inference
from tacit.bots.network.inference import Symmetry
from tacit.bots.network.network_file import Header, Network, shapes
from tacit.core.rulekit import build

_kept: dict[str, tuple[Any, Network]] = {}  # by symbol: addresses and arrays, which must stay where they are


def publish(symbol: str, network: Network) -> None:
    """Keep a network under a symbol, for as long as this process lives."""
    if symbol not in _kept:
        network = Network(*(np.ascontiguousarray(array) for array in network))
        table = np.array([array.ctypes.data for array in network], np.int64)
        _kept[symbol] = table, network
        llvmlite.binding.add_symbol(symbol, table.ctypes.data)


def pointer_reader(symbol: str) -> Any:
    """A compiled function: the address of array number i of the network under a symbol."""

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typing: Any, i: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            table = builder.module.globals.get(symbol)
            if table is None:
                table = ir.GlobalVariable(builder.module, ir.IntType(64), symbol)
            address = builder.load(builder.gep(table, [args[0]]))
            return builder.inttoptr(address, cgutils.voidptr_t)

        return types.voidptr(types.int64), codegen

    return pointer


def _reader(key: str, header: Header, network: Network) -> Any:
    """A compiled function: the network under a key."""
    symbol = f"tacit_network_{key}"
    publish(symbol, network)
    pointer = pointer_reader(symbol)
    size = shapes(header)
    units, embedding, first, up, down, last, scale, bias, last_scale, last_bias, shifts = (
        size[name] for name in Network._fields
    )

    def read() -> Network:
        return Network(
            carray(pointer(0), units, np.int64), carray(pointer(1), embedding, np.int64),
            carray(pointer(2), first, np.int8), carray(pointer(3), up, np.int8), carray(pointer(4), down, np.int8),
            carray(pointer(5), last, np.int8), carray(pointer(6), scale, np.int64), carray(pointer(7), bias, np.int64),
            carray(pointer(8), last_scale, np.int64), carray(pointer(9), last_bias, np.int64),
            carray(pointer(10), shifts, np.int64),
        )  # fmt: skip

    return _compiled(read, key)


def _compiled(fn: Any, key: str) -> Any:
    fn.__qualname__ = f"{fn.__name__}_{key}"  # its symbol: in code from the cache no two may have the same
    # It makes arrays. Without the flag it would take over that of the rule that calls it, which may make none.
    return njit(nogil=True, error_model="numpy", boundscheck=False, _nrt=True)(fn)


def _logits(key: str, symmetry: Symmetry | None) -> Any:
    """A compiled function: the logits, or their mean over all looks of a position."""
    rules = build(inference, "cpu")
    if symmetry is None:
        return rules.logits
    mean_logits, (ways, numbers, switch) = rules.mean_logits, symmetry

    def mean(net: Any, cells: Any, tokens: Any, work: Any, sums: Any, out: Any) -> None:
        mean_logits(net, ways, numbers, switch, cells, tokens, work, sums, out)

    return _compiled(mean, key)


def compiled_ask(key: str, header: Header, network: Network, symmetry: Symmetry | None) -> Any:
    """The compiled rule `ask` of a network."""
    read = _reader(key, header, network)
    logits, best = _logits(key, symmetry), build(inference, "cpu").best
    history, actions = header.history, header.actions
    inputs = max(shapes(header)["first"][0], header.width)
    outputs = actions + header.values
    room = max(header.width, outputs)

    def ask(cells: Any, tokens: Any, mask: Any) -> int:
        wanted = np.zeros(outputs, np.int64)
        logits(read(), cells, tokens[:history], np.zeros((4, inputs), np.int32), np.zeros(room, np.int32), wanted)
        return best(wanted, actions, mask)  # type: ignore[no-any-return]

    return _compiled(ask, key)


def compiled_evaluate(key: str, header: Header, network: Network, symmetry: Symmetry | None) -> Any:
    """The compiled rule `evaluate` of a network."""
    read = _reader(key, header, network)
    logits = _logits(key, symmetry)
    history = header.history
    inputs = max(shapes(header)["first"][0], header.width)
    room = max(header.width, header.actions + header.values)

    def evaluate(cells: Any, tokens: Any, wanted: Any, n: int) -> None:
        net, work, sums = read(), np.zeros((4, inputs), np.int32), np.zeros(room, np.int32)
        for i in range(n):
            logits(net, cells[i], tokens[i][:history], work, sums, wanted[i])

    return _compiled(evaluate, key)
