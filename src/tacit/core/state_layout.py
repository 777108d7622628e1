"""State layouts: one typed class gives mypy its type, compiled rules a NumPy dtype, interpreted rules a class.

    class State(Protocol):
        phase: Annotated[int, "i1"]
        hand: Annotated[Cells, "i8", 4]

Fields are signed integers, since unsigned ones wrap differently interpreted and compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, get_args, get_type_hints

import numpy as np


class Cells(Protocol):
    """An array of integers with one index: a field `s.hand[p]`, a mask, weights, a generator. Never sliced."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


class Grid(Protocol):
    """An array of integers with two indices: a field `s.count[p, kind]`."""

    def __getitem__(self, at: tuple[int, int], /) -> int: ...
    def __setitem__(self, at: tuple[int, int], value: int, /) -> None: ...


def dtype_of(cls: type) -> np.dtype[Any]:
    """The aligned dtype of a class whose fields are `Annotated[int, code]` or `Annotated[Cells, code, *shape]`.

    Raises TypeError if a field's code is not one of i1, i2, i4 and i8.
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        code, *shape = get_args(hint)[1:]
        if code not in ("i1", "i2", "i4", "i8"):
            raise TypeError(f"{cls.__name__}.{name} is {code!r}: fields are signed integers i1, i2, i4 or i8.")
        fields.append((name, code, tuple(shape)) if shape else (name, code))
    return np.dtype(fields, align=True)


class PlainState:
    """A state for interpreted rules: scalars are Python ints, arrays are lists; a Grid is a memoryview, whose items are
    Python ints too.

    It is about thirty times as fast to interpret as a NumPy record. `plain_state_class` makes each game's subclass.
    """

    __slots__ = ("_buffer",)
    _buffer: bytearray  # of the grids
    _dtype: np.dtype[Any]
    _scalars: tuple[str, ...]
    _lists: tuple[str, ...]
    _grids: tuple[tuple[str, int, int, str, list[int]], ...]
    _size: int
    copy: Callable[[], Any]  # returns another state, equal to this one; generated for each game
    key: Callable[[], tuple[Any, ...]]  # the same for two states exactly when they are equal; generated, too

    def load(self, record: Any) -> Any:
        """Read a NumPy record (one element of a structured array) into this state; returns the state."""
        for name in self._scalars:
            setattr(self, name, int(record[name]))
        for name in self._lists:
            setattr(self, name, record[name].tolist())
        for name, begin, end, _, _ in self._grids:
            self._buffer[begin:end] = record[name].tobytes()
        return self

    def store(self, record: Any) -> None:
        """Write this state into a NumPy record. Raises OverflowError if a value does not fit its field."""
        for name in self._scalars:
            record[name] = getattr(self, name)
        for name in self._lists:
            record[name] = np.array(getattr(self, name), self._dtype[name].base)
        for name, *_ in self._grids:
            record[name] = np.asarray(getattr(self, name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainState) and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        record = np.zeros(1, self._dtype)
        self.store(record[0])
        return _restored_state, (self._dtype, record.tobytes())

    def __repr__(self) -> str:
        fields = [f"{n}={getattr(self, n)}" for n in (*self._scalars, *self._lists)]
        fields += [f"{n}={getattr(self, n).tolist()}" for n, *_ in self._grids]
        return f"State({', '.join(fields)})"


def _restored_state(dtype: np.dtype[Any], record: bytes) -> Any:
    return plain_state_class(dtype)().load(np.frombuffer(record, dtype)[0])


@cache
def plain_state_class(dtype: np.dtype[Any]) -> type[PlainState]:
    """The class of interpreted states for a dtype made by `dtype_of`: one for each dtype, so that states pickle."""
    assert dtype.names is not None
    scalars, lists, grids, at = [], {}, [], 0
    for name in dtype.names:
        field = dtype[name]
        if len(field.shape) == 1:
            lists[name] = field.shape[0]
        elif field.shape:
            grids.append((name, at, at + field.itemsize, field.base.char, list(field.shape)))
            at += field.itemsize
        else:
            scalars.append(name)
    body = {
        "__slots__": tuple(dtype.names),
        "_dtype": dtype,
        "_scalars": tuple(scalars),
        "_lists": tuple(lists),
        "_grids": tuple(grids),
        "_size": at,
    }
    body |= _generated_methods(scalars, lists, grids)
    return type("State", (PlainState,), body)


def _generated_methods(
    scalars: Sequence[str], lists: Mapping[str, int], grids: Sequence[tuple[str, int, int, str, list[int]]]
) -> dict[str, Any]:
    """`__init__`, `copy` and `key` without loops over the fields, which would be slower: each view makes several
    states.
    """
    views = [f"    new.{n} = view[{begin}:{end}].cast({code!r}, {shape})" for n, begin, end, code, shape in grids]
    views = ["    view = memoryview(new._buffer)", *views] if grids else []
    lines = [
        "def __init__(self):",
        "    new = self",
        "    new._buffer = bytearray(self._size)",
        *views,
        *(f"    self.{name} = [0] * {size}" for name, size in lists.items()),
        *(f"    self.{name} = 0" for name in scalars),
        "def copy(self, new=object.__new__):",
        "    new = new(type(self))",
        "    new._buffer = self._buffer[:]",
        *views,
        *(f"    new.{name} = self.{name}[:]" for name in lists),
        *(f"    new.{name} = self.{name}" for name in scalars),
        "    return new",
        "def key(self):",
        "    return (bytes(self._buffer), "
        + "".join(f"tuple(self.{name}), " for name in lists)
        + "".join(f"self.{name}, " for name in scalars)
        + ")",
    ]
    made: dict[str, Any] = {}
    exec("\n".join(lines), made)  # our own field names and numbers, nothing else
    made.pop("__builtins__")
    return made
