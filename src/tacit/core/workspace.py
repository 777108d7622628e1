"""Workspaces: a NamedTuple declares once what a compiled driver works in.

    class Workspace(NamedTuple):
        states: States
        seeds: Ints
        penalty: Float

    @rule
    def advance(i: int, w: Workspace) -> None: ...

On the CPU Numba compiles the tuple as it is. A CUDA kernel takes it too, but its parameters are flat numbers and
addresses: `signature` types them for the compiler, `parameters` names their kinds for a launch, and `flat` lays out the
arguments. All three read the same annotations, so a new field is declared in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Annotated, Any, get_args, get_type_hints

import numpy as np

Int = Annotated[int, "i8"]
Float = Annotated[float, "f8"]
Ints = Annotated[Any, "i8", 1]
IntRows = Annotated[Any, "i8", 2]
IntBlocks = Annotated[Any, "i8", 3]
ShortRows = Annotated[Any, "i4", 2]
Bytes = Annotated[Any, "i1", 1]
ByteRows = Annotated[Any, "i1", 2]
FloatRows = Annotated[Any, "f4", 2]
States = Annotated[Any, "state", 1]  # an array of a game's records
Kind = str | list["Kind"]


def _declared(kernel: Callable[..., None]) -> list[Any]:
    """The annotations of a kernel's parameters."""
    hints = get_type_hints(kernel, include_extras=True)
    return [hint for name, hint in hints.items() if name != "return"]


def parameters(kernel: Callable[..., None]) -> list[Kind]:
    """The kinds of a kernel's arguments: `i8`, `f8`, for arrays `i8 2` or `state 1`, for a workspace a list of them."""

    def kind(hint: Any) -> Kind:
        if hasattr(hint, "_fields"):
            return [kind(field) for field in get_type_hints(hint, include_extras=True).values()]
        return " ".join(map(str, get_args(hint)[1:]))

    return [kind(hint) for hint in _declared(kernel)]


def signature(kernel: Callable[..., None], dtype: np.dtype[Any]) -> Any:
    """Numba's signature of a kernel over a game whose states have this dtype."""
    from numba import from_dtype, types

    def typed(hint: Any) -> Any:
        if hasattr(hint, "_fields"):
            fields = get_type_hints(hint, include_extras=True).values()
            return types.NamedTuple([typed(field) for field in fields], hint)
        code, *dimensions = get_args(hint)[1:]
        scalar = from_dtype(dtype if code == "state" else np.dtype(code))
        return types.Array(scalar, dimensions[0], "C") if dimensions else scalar

    return types.void(*map(typed, _declared(kernel)))


def flat(kind: Kind, value: Any) -> tuple[Any, ...]:
    """An argument of a launch as Numba's kernels take it, for CuPy.

    An array is two nulls, its size, its item size, its address, its shape and its strides. CuPy has no structured
    arrays: an array of states is one of bytes, a row a state.
    """
    if not isinstance(kind, str):
        return tuple(chain.from_iterable(flat(k, v) for k, v in zip(kind, value, strict=True)))
    code, _, dimensions = kind.partition(" ")
    if not dimensions:
        return (np.dtype(code).type(value),)
    count, size, shape, strides = value.size, value.itemsize, value.shape, value.strides
    if code == "state":
        count, size, shape, strides = value.shape[0], value.shape[1], value.shape[:1], value.strides[:1]
    head = (np.int64(0), np.int64(0), np.int64(count), np.int64(size), np.uint64(value.data.ptr))
    return head + tuple(np.int64(number) for number in (*shape, *strides))
