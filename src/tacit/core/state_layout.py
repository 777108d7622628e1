"""State layouts: one typed class gives mypy its type, compiled rules a NumPy dtype, interpreted rules a class.

    class State(Protocol):
        phase: Annotated[int, "i1"]
        hand: Annotated[Cells, "i8", 4]

Fields are signed integers, since unsigned ones wrap differently interpreted and compiled.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Protocol, get_args, get_type_hints

import numpy as np

CODES = {1: "b", 2: "h", 4: "i", 8: "q"}  # of `struct`, by the bytes of an integer


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
    """A state for interpreted rules: scalars are Python ints, arrays are lists; a Grid is a dict by its two indices, in
    their order.

    It is about thirty times as fast to interpret as a NumPy record. `plain_state_class` makes each game's subclass.
    """

    __slots__ = ()
    _dtype: np.dtype[Any]
    _scalars: tuple[str, ...]
    _lists: tuple[str, ...]
    _grids: tuple[str, ...]
    copy: Callable[[], Any]  # returns another state, equal to this one; generated for each game
    key: Callable[[], tuple[Any, ...]]  # the same for two states exactly when they are equal; generated, too
    same: Callable[[Any], bool]  # is another state of this game equal? Generated, too: most differ in an early field
    pack: Callable[[bytearray], None]  # writes it as a NumPy record, many times as fast as `store`; generated
    unpack: Callable[[bytes], Any]  # reads it from a NumPy record, many times as fast as `load`; returns the state

    def load(self, record: Any) -> Any:
        """Read a NumPy record (one element of a structured array) into this state; returns the state."""
        for name in self._scalars:
            setattr(self, name, int(record[name]))
        for name in self._lists:
            setattr(self, name, record[name].tolist())
        for name in self._grids:
            setattr(self, name, dict(np.ndenumerate(record[name].astype(object))))
        return self

    def store(self, record: Any) -> None:
        """Write this state into a NumPy record. Raises OverflowError if a value does not fit its field."""
        for name in self._scalars:
            record[name] = getattr(self, name)
        for name in self._lists:
            record[name] = np.array(getattr(self, name), self._dtype[name].base)
        for name in self._grids:
            field = self._dtype[name]
            record[name] = np.array([*getattr(self, name).values()], field.base).reshape(field.shape)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.same(other)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        record = np.zeros(1, self._dtype)
        self.store(record[0])
        return _restored_state, (self._dtype, record.tobytes())

    def __repr__(self) -> str:
        fields = [f"{n}={getattr(self, n)}" for n in (*self._scalars, *self._lists, *self._grids)]
        return f"State({', '.join(fields)})"


def _restored_state(dtype: np.dtype[Any], record: bytes) -> Any:
    return plain_state_class(dtype)().load(np.frombuffer(record, dtype)[0])


@cache
def plain_state_class(dtype: np.dtype[Any]) -> type[PlainState]:
    """The class of interpreted states for a dtype made by `dtype_of`: one for each dtype, so that states pickle."""
    assert dtype.names is not None
    sizes = {name: dtype[name].shape for name in dtype.names}
    scalars = tuple(name for name, shape in sizes.items() if not shape)
    lists = {name: shape[0] for name, shape in sizes.items() if len(shape) == 1}
    grids = {name: dict.fromkeys(np.ndindex(*shape), 0) for name, shape in sizes.items() if len(shape) == 2}
    body = {
        "__slots__": tuple(dtype.names),
        "_dtype": dtype,
        "_scalars": scalars,
        "_lists": tuple(lists),
        "_grids": tuple(grids),
    }
    return type("State", (PlainState,), body | _generated_methods(dtype, scalars, lists, grids))


def _generated_methods(
    dtype: np.dtype[Any], scalars: Sequence[str], lists: Mapping[str, int],
    grids: Mapping[str, dict[tuple[int, ...], int]],
) -> dict[str, Any]:  # fmt: skip
    """`__init__`, `copy`, `key`, `same`, `pack` and `unpack` without loops over the fields, which would be slower: each
    view makes several states. `grids` are empty ones.
    """
    assert dtype.names is not None
    ends = [*accumulate(int(np.prod(dtype[name].shape)) for name in dtype.names)]
    places = {name: (end - int(np.prod(dtype[name].shape)), end) for name, end in zip(dtype.names, ends, strict=True)}
    lines = [
        "def __init__(self):",
        *(f"    self.{name} = [0] * {size}" for name, size in lists.items()),
        *(f"    self.{name} = grids[{name!r}].copy()" for name in grids),
        *(f"    self.{name} = 0" for name in scalars),
        "def copy(self, new=object.__new__):",
        "    new = new(type(self))",
        *(f"    new.{name} = self.{name}[:]" for name in lists),
        *(f"    new.{name} = self.{name}.copy()" for name in grids),
        *(f"    new.{name} = self.{name}" for name in scalars),
        "    return new",
        "def key(self):",
        "    return ("
        + "".join(f"tuple(self.{name}), " for name in lists)
        + "".join(f"tuple(self.{name}.values()), " for name in grids)
        + "".join(f"self.{name}, " for name in scalars)
        + ")",
        "def same(self, other):",
        "    return " + " and ".join(f"self.{name} == other.{name}" for name in (*scalars, *lists, *grids)),
        "def pack(self, buffer):",
        "    write(buffer, 0, "
        + ", ".join(
            f"*self.{n}" if n in lists else f"*self.{n}.values()" if n in grids else f"self.{n}" for n in dtype.names
        )
        + ")",
        "def unpack(self, record):",
        "    n = read(record)",
        *(f"    self.{name} = [*n[{places[name][0]}:{places[name][1]}]]" for name in lists),
        *(f"    self.{name} = dict(zip(grids[{name!r}], n[{places[name][0]}:{places[name][1]}]))" for name in grids),
        *(f"    self.{name} = n[{places[name][0]}]" for name in scalars),
        "    return self",
    ]
    form, made = _struct_of(dtype), dict[str, Any]()
    exec(
        "\n".join(lines), {"grids": grids, "write": form.pack_into, "read": form.unpack}, made
    )  # our own field names and numbers, nothing else
    return made


def _struct_of(dtype: np.dtype[Any]) -> struct.Struct:
    """How a record lies in memory, its numbers one after the other."""
    assert dtype.names is not None
    assert dtype.fields is not None
    form, end = "=", 0
    for name in dtype.names:
        field, offset = dtype.fields[name][:2]
        form += f"{offset - end}x{int(np.prod(field.shape))}{CODES[field.base.itemsize]}"
        end = offset + field.itemsize
    return struct.Struct(f"{form}{dtype.itemsize - end}x")
