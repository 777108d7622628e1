"""Views made of fragments: a rule writes the numbers that each fragment depends on, and fragments are cached by them.

Most of a view is as it was before a decision. So a view is not made as a whole: `view_keys`, a rule of the game, writes
a few numbers for each fragment, its key, and what has been made of a key once is looked up from then on: as objects for
whoever reads a view, as JSON for whoever sends it. Compiled (core/compiled_views.py) a view takes a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from tacit.core.messages import Message

CACHED = 4096  # objects of each fragment
_encode = msgspec.json.Encoder().encode


class Fragment(NamedTuple):
    """A field of a view, or fields that follow each other, made from its key."""

    fields: str
    """Their names, with spaces between them."""
    make: Callable[..., Any]
    """`make(*key)`: the field's value; of several fields a tuple of them; of a list one of its items."""
    key: int = 1
    """How many numbers the key has. Of a list's items 0: each says first how many."""
    is_list: bool = False
    """A list of items, each with a key of its own."""
    is_signalled: bool = False
    """`make` takes the signals of this occasion, too, as its last argument: a tuple of (seat, text)."""


class Fragments:
    """How the views of a game are made from the numbers that its `view_keys` writes.

    These are, in this order: the keys of all fragments that are no lists; then, of each list, how many items it has and
    their keys.

    Args:
        view: The class of the views.
        fragments: Its fields, in their order.

    Raises:
        TypeError: The fragments are not the fields of the view.
    """

    def __init__(self, view: type, fragments: Sequence[Fragment]) -> None:
        names = [name for fragment in fragments for name in fragment.fields.split()]
        if names != list(view.__struct_fields__):  # type: ignore[attr-defined]
            raise TypeError(f"The fragments of {view.__qualname__} have the fields {names}.")
        self._fragments = fragments
        self._make = _maker(view, fragments)
        ask = next((one for one in fragments if one.fields == "ask"), None)
        before = fragments[: fragments.index(ask)] if ask is not None else ()
        self._ask_at = sum(one.key for one in before if not one.is_list)
        self._ask_end = self._ask_at + (ask.key if ask is not None else 0)
        self._ask = None if ask is None else lru_cache(CACHED)(ask.make)

    def view(self, numbers: Sequence[int], given: Sequence[tuple[int, str]] = ()) -> Any:
        """The view, from the numbers that `view_keys` has written, and the signals of this occasion."""
        return self._make(numbers, tuple(given))

    def ask(self, numbers: Sequence[int]) -> Message | None:
        """What the view asks its seat; None if it has no field `ask`."""
        return None if self._ask is None else self._ask(*numbers[self._ask_at : self._ask_end])

    def text(self, fragment: int, key: Sequence[Any]) -> bytes:
        """The JSON of a fragment, with what stands before its fields in a view; of a list that of one item."""
        one = self._fragments[fragment]
        made, names = one.make(*key), one.fields.split()
        if one.is_list:
            return _encode(made)
        fields = _encode(dict(zip(names, made if len(names) > 1 else (made,), strict=True)))[1:-1]
        return self._before(fragment) + fields

    def _before(self, fragment: int) -> bytes:
        """What stands before a fragment in a view: the end of the list before it, a comma, or the beginning."""
        return b"{" if fragment == 0 else b"]," if self._fragments[fragment - 1].is_list else b","

    def plan(self) -> tuple[list[list[int]], list[bytes]]:
        """How JSON is joined, for core/compiled_views.py: of each fragment how many numbers its key has, whether it is
        a list and whether signals are a part of it; and what stands before the items of each list, and at the end.
        """
        lists = [
            self._before(number) + f'"{one.fields}":['.encode()
            for number, one in enumerate(self._fragments)
            if one.is_list
        ]
        plan = [[one.key, int(one.is_list), int(one.is_signalled)] for one in self._fragments]
        return plan, [*lists, b"]}" if self._fragments[-1].is_list else b"}"]


def _maker(view: type, fragments: Sequence[Fragment]) -> Callable[..., Any]:
    """A function from all numbers and signals to a view. Generated, because a loop over the fragments would take twice
    as long.
    """
    names: dict[str, Any] = {f"f{at}": lru_cache(CACHED)(one.make) for at, one in enumerate(fragments)}
    lines, values, at = ["def made(n, given):"], {}, 0
    for i, one in enumerate(fragments):
        given = ["given"] * one.is_signalled
        if not one.is_list:
            key = ", ".join([f"n[{at + j}]" for j in range(one.key)] + given)
            values[i] = f"{'*' if ' ' in one.fields else ''}f{i}({key})"
            at += one.key
    lines.append(f"    at = {at}")
    for i, one in enumerate(fragments):
        if one.is_list:
            given = ["given"] * one.is_signalled
            lines += [f"    v{i} = []", "    left, at = n[at], at + 1", "    for _ in range(left):"]
            if one.key:
                key = ", ".join([f"n[at + {j}]" for j in range(one.key)] + given)
                lines += [f"        v{i}.append(f{i}({key}))", f"        at += {one.key}"]
            else:
                key = ", ".join(["*n[at + 1 : end]", *given])
                lines += ["        end = at + 1 + n[at]", f"        v{i}.append(f{i}({key}))", "        at = end"]
            values[i] = f"v{i}"
    lines.append(f"    return View({', '.join(values[i] for i in range(len(fragments)))})")
    names["View"] = view
    made: dict[str, Any] = {}
    exec("\n".join(lines), names, made)  # our own field names and numbers, nothing else
    return made["made"]  # type: ignore[no-any-return]
