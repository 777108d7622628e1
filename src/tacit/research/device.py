"""What a batch needs of the device that it lives on."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from tacit.research.stepping import Workspace

DeviceName = Literal["cpu", "cuda"]


class Device(Protocol):
    """Allocates a batch's arrays and runs the rules of `stepping` over them."""

    name: DeviceName
    xp: Any  # the array module: numpy or cupy
    rows: int  # of scratch memory
    threads: int

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """A new contiguous array of zeros."""

    def states(self, n: int) -> Any:
        """An array of n empty states."""

    def put(self, array: Any) -> Any:
        """An array of the host, on the device."""

    def fetch(self, array: Any) -> Any:
        """An array of the device, on the host."""

    def field(self, states: Any, name: str) -> Any:
        """A field of all states, as a new array (states, …)."""

    def run(self, name: str, number: int, w: Workspace) -> None:
        """Run a rule of `stepping` over every match; `number` is its mode or seed."""

    def first_illegal(self, w: Workspace) -> int:
        """The first match whose decision is not legal; -1 if all are."""
