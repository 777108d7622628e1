"""Views made of fragments: a rule writes the numbers that each fragment depends on, and fragments are cached by them.

Most of a view is as it was before a decision. So a view is not made as a whole: `view_keys`, a rule of the game, writes
a few numbers for each fragment, its key, and what has been made of a key once is looked up from then on: as objects for
whoever reads a view, as JSON for whoever sends it. Compiled (core/compiled_views.py) the keys take a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from tacit.core.messages import Message

CACHED = 4096  # of each fragment
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
        self._make: Callable[..., Any] = _joined(fragments, lambda one: lru_cache(CACHED)(one.make), view)
        self._encode: Callable[..., bytes] = _joined(fragments, _encoder, None)
        asks = [one for one in fragments if one.fields == "ask"]
        self._ask = _alone(fragments, asks[0]) if asks else None

    def view(self, numbers: Sequence[int], given: Sequence[tuple[int, str]] = ()) -> Any:
        """The view, from the numbers that `view_keys` has written, and the signals of this occasion."""
        return self._make(numbers, tuple(given))

    def encoded(self, numbers: Sequence[int], given: Sequence[tuple[int, str]] = ()) -> bytes:
        """The same as JSON."""
        return self._encode(numbers, tuple(given))

    def ask(self, numbers: Sequence[int]) -> Message | None:
        """What the view asks its seat; None if it has no field `ask`."""
        return None if self._ask is None else self._ask(numbers)


def _encoder(fragment: Fragment) -> Callable[..., bytes]:
    """A cached function from a fragment's key to its JSON, with the names of its fields; of a list's item without."""
    names, make = fragment.fields.split(), fragment.make
    if fragment.is_list:
        return lru_cache(CACHED)(lambda *key: _encode(make(*key)))
    if len(names) == 1:
        head = f'"{names[0]}":'.encode()
        return lru_cache(CACHED)(lambda *key: head + _encode(make(*key)))
    return lru_cache(CACHED)(lambda *key: _encode(dict(zip(names, make(*key), strict=True)))[1:-1])


def _alone(fragments: Sequence[Fragment], wanted: Fragment) -> Callable[[Sequence[int]], Any]:
    """A function from all numbers to the value of one fragment that is no list."""
    single = [one for one in fragments if not one.is_list]
    begin = sum(one.key for one in single[: single.index(wanted)])
    made = lru_cache(CACHED)(wanted.make)
    return lambda numbers: made(*numbers[begin : begin + wanted.key])


def _joined(
    fragments: Sequence[Fragment], function: Callable[[Fragment], Callable[..., Any]], view: type | None
) -> Callable[..., Any]:  # fmt: skip
    """A function from all numbers and signals to a view, or (None) to its JSON; each fragment is made by the `function`
    of it. Generated, because a loop over the fragments would take twice as long.
    """
    names: dict[str, Any] = {f"f{at}": function(one) for at, one in enumerate(fragments)}
    lines, values, at = ["def joined(n, given):"], {}, 0
    for i, one in enumerate(fragments):
        if not one.is_list:
            key = ", ".join([f"n[{at + j}]" for j in range(one.key)] + ["given"] * one.is_signalled)
            values[i] = f"{'*' if view is not None and ' ' in one.fields else ''}f{i}({key})"
            at += one.key
    lines.append(f"    at = {at}")
    for i, one in enumerate(fragments):
        if one.is_list:
            lines += [f"    v{i} = []", "    left, at = n[at], at + 1", "    for _ in range(left):"]
            if one.key:
                key = ", ".join("n[at]" if j == 0 else f"n[at + {j}]" for j in range(one.key))
                lines += [f"        v{i}.append(f{i}({key}))", f"        at += {one.key}"]
            else:
                lines += [
                    "        end = at + 1 + n[at]", f"        v{i}.append(f{i}(*n[at + 1 : end]))", "        at = end",
                ]  # fmt: skip
            values[i] = f"v{i}"
    if view is not None:
        names["View"] = view
        lines.append(f"    return View({', '.join(values[i] for i in range(len(fragments)))})")
    else:
        names["join"] = b",".join
        texts, before = [], "{"
        for i, one in enumerate(fragments):
            if one.is_list:
                texts += [repr(f'{before}"{one.fields}":['.encode()), f"join({values[i]})"]
                before = "],"
            else:
                texts += [repr(before.encode()), values[i]]
                before = ","
        texts.append(repr((before[:-1] + "}").encode()))
        lines.append(f"    return b''.join(({', '.join(texts)}))")
    made: dict[str, Any] = {}
    exec("\n".join(lines), names, made)  # our own field names and numbers, nothing else
    return made["joined"]  # type: ignore[no-any-return]

