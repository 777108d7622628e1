"""A workspace is declared once: what the compiler, the cache and a launch make of its fields."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from tacit import game_named
from tacit.core import rulekit
from tacit.core.rulekit import rule
from tacit.core.workspace import ByteRows, Float, Int, Ints, States, flat, parameters, signature


class Workspace(NamedTuple):
    states: States
    seeds: Ints
    cells: ByteRows
    penalty: Float


def kernel(n: Int, w: Workspace, seats: Ints) -> None: ...


@rule
def first_seed(w: Workspace) -> int:
    return int(w.seeds[0])


def on_gpu(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, address: int) -> SimpleNamespace:
    """As much of a CuPy array as a launch needs."""
    size = int(np.prod(shape))
    data = SimpleNamespace(ptr=address)
    return SimpleNamespace(shape=shape, strides=strides, itemsize=itemsize, size=size, data=data)


def test_parameters_name_the_kinds_of_all_fields() -> None:
    assert parameters(kernel) == ["i8", ["state 1", "i8 1", "i1 2", "f8"], "i8 1"]


def test_the_signature_is_what_the_annotations_say() -> None:
    game = game_named("toy")
    n, w, seats = signature(kernel, game.dtype).args
    assert str(n) == "int64"
    assert w.fields == Workspace._fields
    assert w.types[0].dtype.size == game.dtype.itemsize
    assert (w.types[2].dtype.bitwidth, w.types[2].ndim, str(w.types[3])) == (8, 2, "float64")
    assert seats == w.types[1]


def test_a_launch_lays_out_fields_in_their_order() -> None:
    w = Workspace(on_gpu((3, 40), (40, 1), 1, 1000), on_gpu((3,), (8,), 8, 2000), on_gpu((3, 5), (5, 1), 1, 3000), -1.5)
    found = flat(parameters(kernel), (7, w, on_gpu((3,), (8,), 8, 4000)))
    assert [number.item() for number in found] == [
        7,
        *(0, 0, 3, 40, 1000, 3, 40),  # states: rows of bytes
        *(0, 0, 3, 8, 2000, 3, 8),
        *(0, 0, 15, 1, 3000, 3, 5, 5, 1),
        -1.5,
        *(0, 0, 3, 8, 4000, 3, 8),
    ]
    with pytest.raises(ValueError, match="argument 2"):
        flat(parameters(kernel), (7, w[:3], 8))


def test_compiled_code_is_kept_under_the_order_of_the_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's own index does not tell two orders of equal types apart."""
    before = rulekit._digest([first_seed], {})

    class Other(NamedTuple):
        seeds: Ints
        states: States

    monkeypatch.setitem(globals(), "Workspace", Other)
    assert rulekit._digest([first_seed], {}) != before
