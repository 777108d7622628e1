"""Cells that two threads share: what one writes before such a cell, the other sees after it has read it there."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tacit.core.rulekit import primitive
from tacit.core.state_layout import Cells


def _compiled(name: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Functions that import the compiled version, so that Numba is imported only when needed; a GPU has none."""
    load = lambda: getattr(import_module("tacit.core.shared_cells_cpu"), name)  # noqa: E731
    return load, load


@primitive(*_compiled("read_shared"))
def read_shared(cells: Cells, at: int) -> int:
    """The cell, as the last thread that wrote it left it."""
    return cells[at]


@primitive(*_compiled("write_shared"))
def write_shared(cells: Cells, at: int, value: int) -> None:
    """Write the cell for other threads to read."""
    cells[at] = value
