"""The primitives of `bits` as CUDA device functions; in 32-bit halves, which Numba's simulator understands too."""

from __future__ import annotations

from typing import Any

from numba import config, cuda, uint64

LOW = 0xFFFFFFFF


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


def _spread(out: Any, at: int, x: int, n: int) -> int:
    for i in range(n):
        out[at + i] = (x >> i) & 1
    return at + n


def _spread_unsigned(out: Any, at: int, x: int, n: int) -> int:
    place, word = uint64(at), uint64(x)  # an index that cannot be negative needs no look at its sign
    for i in range(uint64(n)):
        out[place + i] = (word >> i) & uint64(1)
    return at + n


# The simulator's unsigned numbers are NumPy's, which take no negative ones.
spread = cuda.jit(device=True)(_spread if config.ENABLE_CUDASIM else _spread_unsigned)
