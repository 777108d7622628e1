"""The primitives of `shared_cells` for the CPU: atomic loads and stores, sequentially consistent."""

from __future__ import annotations

from typing import Any

import numba
from numba.extending import intrinsic

ORDERING, ALIGNMENT = "seq_cst", 8


@intrinsic  # type: ignore[untyped-decorator]
def _load(typingctx: Any, cells: Any, at: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.load_atomic(builder.gep(array.data, [args[1]]), ORDERING, ALIGNMENT)

    return numba.types.int64(cells, numba.types.int64), lower


@intrinsic  # type: ignore[untyped-decorator]
def _store(typingctx: Any, cells: Any, at: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        builder.store_atomic(args[2], builder.gep(array.data, [args[1]]), ORDERING, ALIGNMENT)
        return context.get_dummy_value()

    return numba.types.void(cells, numba.types.int64, numba.types.int64), lower


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def read_shared(cells: Any, at: int) -> Any:
    return _load(cells, numba.int64(at))


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def write_shared(cells: Any, at: int, value: int) -> None:
    _store(cells, numba.int64(at), numba.int64(value))
