"""Bit sets: sets of small numbers as 64-bit integers, and masks as arrays of such words; alike on every backend.

A word is a signed 64-bit integer: bit 63 is the sign. Sets of cards use bits 0–62 and are never negative; only the
words of a mask of decisions may be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from tacit.core.rulekit import primitive, rule
from tacit.core.state_layout import Cells, Grid

SIGN = -(1 << 63)
ALL = (1 << 64) - 1
LOCAL_CELLS = 64


def _compiled(name: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Functions that import the compiled versions of a primitive, so that Numba is imported only when needed."""
    return (
        lambda: getattr(import_module("tacit.core.bits_cpu"), name),
        lambda: getattr(import_module("tacit.core.bits_cuda"), name),
    )


@primitive(*_compiled("spread"))
def spread(out: Cells, at: int, x: int, n: int) -> int:
    """Write a set of members below n as n cells, 0 or 1, beginning at `at`; the place after them."""
    for i in range(n):
        out[at + i] = (x >> i) & 1
    return at + n


@primitive(*_compiled("local_cells"))
def local_cells() -> Cells:
    """LOCAL_CELLS cells, all 0: scratch memory of the rule that calls this, which must not return it."""
    return [0] * LOCAL_CELLS


@primitive(*_compiled("copy_cells"))
def copy_cells(out: Any, cells: Cells) -> None:
    """Copy all cells to an array of the same size."""
    out[:] = cells


@primitive(*_compiled("copy_grid"))
def copy_grid(out: Any, grid: Grid) -> None:
    """Copy all cells to a grid of the same shape."""
    out.update(grid)


@rule
def with_one(x: int, at: int, which: int, n: int) -> int:
    """The set x and, of n members from `at` on, number `which` (none, if it is not one of them): so one `spread` writes
    several small fields."""
    return x | (1 << (at + which) if 0 <= which < n else 0)


@primitive(*_compiled("count"))
def count(x: int) -> int:
    """The number of members (population count)."""
    return (x & ALL).bit_count()


@primitive(*_compiled("lowest"))
def lowest(x: int) -> int:
    """The smallest member of a set that is not empty."""
    return (x & -x).bit_length() - 1


@primitive(*_compiled("length"))
def length(x: int) -> int:
    """One more than the largest member of a set of members 0–62; 0 for the empty set."""
    return x.bit_length()


@primitive(*_compiled("rest_of"))
def rest_of(x: int, y: int, fields: tuple[int, ...]) -> int:
    """What two multisets leave of a whole one. Each field is the set of a kind's copies, filled from the lowest on."""
    return _rest_of(x, y, fields)


@lru_cache(4096)  # seats see most of a multiset alike, also after several steps
def _rest_of(x: int, y: int, fields: tuple[int, ...]) -> int:
    rest = 0
    for field in fields:
        rest |= (field >> ((x & field).bit_count() + (y & field).bit_count())) & field
    return rest


@rule
def mark(mask: Cells, at: int) -> None:
    """Put `at` into a mask."""
    if at & 63 == 63:
        mask[at >> 6] |= SIGN
    else:
        mask[at >> 6] |= 1 << (at & 63)


@rule
def marked(mask: Cells, at: int) -> bool:
    """Is `at` in the mask?"""
    return (mask[at >> 6] >> (at & 63)) & 1 == 1


@rule
def only(words: Cells) -> int:
    """The one decision in a mask; -1 where there are several."""
    found = -1
    for at in range(len(words)):
        if words[at] != 0:
            if found >= 0 or count(words[at]) > 1:
                return -1
            found = 64 * at + lowest(words[at])
    return found


@primitive(*_compiled("nth"))
def nth(x: int, n: int) -> int:
    """The member of the set that has `n` smaller ones."""
    at = 0
    here = count(x & 0xFFFFFFFF)
    if n >= here:
        n -= here
        at = 32
    here = count((x >> at) & 0xFFFF)
    if n >= here:
        n -= here
        at += 16
    here = count((x >> at) & 0xFF)
    if n >= here:
        n -= here
        at += 8
    here = count((x >> at) & 0xF)
    if n >= here:
        n -= here
        at += 4
    here = count((x >> at) & 3)
    if n >= here:
        n -= here
        at += 2
    if n >= (x >> at) & 1:
        at += 1
    return at


@lru_cache(1 << 14)  # rows, hands and legal decisions are asked for again and again
def members(x: int) -> tuple[int, ...]:
    """The members of a set in rising order (for plain Python, not for rules)."""
    found = []
    x &= ALL
    while x:
        low = x & -x
        found.append(low.bit_length() - 1)
        x ^= low
    return tuple(found)


def marks(mask: Cells, words: int) -> list[int]:
    """The members of a mask of `words` words, in rising order (for plain Python, not for rules)."""
    found = [*members(int(mask[0]))]
    for w in range(1, words):
        if mask[w]:
            found += _members_of_word(int(mask[w]), w)
    return found


@lru_cache(1 << 14)
def _members_of_word(x: int, w: int) -> list[int]:
    return [64 * w + at for at in members(x)]
