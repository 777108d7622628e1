"""Views made of fragments: a rule writes the numbers that each fragment depends on, and fragments are cached by them.

Most of a view is as it was before a decision. So a view is not made as a whole: `view_keys`, a rule of the game, writes
a few numbers for each fragment, its key, and what has been made of a key once is looked up from then on: as objects for
whoever reads a view, as JSON for whoever sends it. Compiled (core/compiled_play.py) a view takes a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

CACHED = 4096  # objects of each fragment
_encode = msgspec.json.Encoder().encode


class Fragment(NamedTuple):
    """A field of a view, or fields that follow each other, made from its key."""

    fields: str
    """Their names, with spaces between them."""
    make: Callable[..., Any] | Fragments
    """`make(*key)`: the field's value; of several fields a tuple of them; of a list one of its items (or `several`).
    For items that are objects made of fragments themselves, of which the first is no list: those."""
    key: int = 1
    """How many numbers the key has. Of a list's items 0: each says first how many."""
    is_list: bool = False
    """A list of items, each with a key of its own."""
    several: type[list[Any]] | type[dict[str, Any]] | None = None
    """`make(*key)` gives some items of the list at once, at least one, as a list; or as a dict: then all are one dict.
    Keys of a part of a set recur, where the whole set hardly ever does."""
    is_signalled: bool = False
    """`make` takes the signals of this occasion, too, as its last argument: a tuple of (seat, text)."""


class Fragments:
    """How objects of one class, a game's views or items of their lists, are made from numbers that `view_keys` writes.

    These are, in this order: the keys of all fragments that are no lists; then, of each list, how many items it has and
    their keys, or all numbers of items that are made of fragments themselves.

    Args:
        made: The class of the objects.
        fragments: Its fields, in their order.

    Raises:
        TypeError: The fragments are not the fields of the class.
    """

    def __init__(self, made: type, fragments: Sequence[Fragment]) -> None:
        names = [name for fragment in fragments for name in fragment.fields.split()]
        if names != list(made.__struct_fields__):  # type: ignore[attr-defined]
            raise TypeError(f"The fragments of {made.__qualname__} have the fields {names}.")
        self.made = made
        self.fragments = fragments
        self.singles = sum(one.key for one in fragments if not one.is_list)
        self.make = _maker(made, fragments, self.singles)
        ask = next((one for one in fragments if one.fields == "ask"), None)
        before = fragments[: fragments.index(ask)] if ask is not None else ()
        self._ask_at = sum(one.key for one in before if not one.is_list)
        self._ask_end = self._ask_at + (ask.key if ask is not None else 0)
        make: Any = ask.make if ask is not None else None
        self._asked: Any = None if ask is None else lru_cache(CACHED)(lambda *key: make(*key).code)
        self._texts = [self._text_maker(number) for number in range(len(fragments))]

    def view(self, numbers: Sequence[int], given: Sequence[tuple[int, str]] = ()) -> Any:
        """The view, from the numbers that `view_keys` has written, and the signals of this occasion."""
        return self.make(numbers, 0, tuple(given))[0]

    def asked(self, numbers: Sequence[int]) -> str | None:
        """The code of what the view asks its seat; None if it has no field `ask`."""
        if self._asked is None:
            return None
        one = self._ask_end - self._ask_at == 1  # as mostly: in half the time
        code: str = self._asked(numbers[self._ask_at]) if one else self._asked(*numbers[self._ask_at : self._ask_end])
        return code

    def text(self, number: int, key: Sequence[Any]) -> bytes:
        """The JSON of a fragment, with what stands before its fields in an object; of a list that of one item."""
        return self._texts[number](key)

    def _text_maker(self, number: int) -> Callable[[Sequence[Any]], bytes]:
        one, before = self.fragments[number], self.before(number)
        make: Any = one.make
        if one.several:
            return lambda key: _encode(make(*key))[1:-1]
        if one.is_list:
            return lambda key: _encode(make(*key))
        names = one.fields.split()
        part = msgspec.defstruct("Part", names, gc=False)
        if len(names) == 1:
            return lambda key: before + _encode(part(make(*key)))[1:-1]
        return lambda key: before + _encode(part(*make(*key)))[1:-1]

    def before(self, number: int) -> bytes:
        """What stands before a fragment: the end of the list before it, a comma, or the beginning of the object. Of a
        list the beginning of that, too.
        """
        text = "{" if number == 0 else f"{_brackets(self.fragments[number - 1])[1:]},"
        one = self.fragments[number]
        return (f'{text}"{one.fields}":{_brackets(one)[0]}' if one.is_list else text).encode()

    @property
    def end(self) -> bytes:
        """What stands at the end of an object."""
        return f"{_brackets(self.fragments[-1])[1:]}}}".encode()


def _brackets(one: Fragment) -> str:
    """What stands around the items of a list, or of a dict; nothing around other fields."""
    return ("{}" if one.several is dict else "[]") if one.is_list else ""


def _maker(made: type, fragments: Sequence[Fragment], singles: int) -> Callable[..., Any]:
    """A function from all numbers, where those of an object begin, and signals to the object and where they end.
    Generated, because a loop over the fragments would take twice as long.
    """
    names: dict[str, Any] = {"Made": made}
    lines, values, at = ["def make(n, b, given):", f"    at = b + {singles}"], {}, 0
    for i, one in enumerate(fragments):
        names[f"f{i}"] = one.make.make if isinstance(one.make, Fragments) else lru_cache(CACHED)(one.make)
        given = ["given"] * one.is_signalled
        if not one.is_list:
            key = ", ".join([f"n[b + {at + j}]" for j in range(one.key)] + given)
            values[i] = f"{'*' if ' ' in one.fields else ''}f{i}({key})"
            at += one.key
            continue
        values[i], add = f"v{i}", f"v{i}.append"
        if one.several is not None:
            add = f"v{i}.update" if one.several is dict else f"v{i}.extend"
        lines += [f"    v{i} = {_brackets(one)}", "    left, at = n[at], at + 1", "    for _ in range(left):"]
        if isinstance(one.make, Fragments):
            lines += [f"        item, at = f{i}(n, at, given)", f"        v{i}.append(item)"]
        elif one.key:
            key = ", ".join([f"n[at + {j}]" for j in range(one.key)] + given)
            lines += [f"        {add}(f{i}({key}))", f"        at += {one.key}"]
        else:
            key = ", ".join(["*n[at + 1 : end]", *given])
            lines += ["        end = at + 1 + n[at]", f"        {add}(f{i}({key}))", "        at = end"]
    lines.append(f"    return Made({', '.join(values[i] for i in range(len(fragments)))}), at")
    found: dict[str, Any] = {}
    exec("\n".join(lines), names, found)  # our own field names and numbers, nothing else
    return found["make"]  # type: ignore[no-any-return]


# ------------------------------------------------------------------ members of a game that follow from others
def view_of_fragments(view_keys: Any, most: Any, fragments: Any) -> Callable[..., Any]:
    """The `view` of a game with fragments."""

    def view(k: Any, seat: int, given: Sequence[tuple[int, str]] = ()) -> Any:
        numbers = [0] * most
        view_keys(k, seat, numbers)
        return fragments().view(numbers, given)

    return view


def show_of_keys(decision_key: Any, decision_text: Any) -> Callable[[Any, int, int], str]:
    """The `show` of a game whose texts follow from keys."""
    return lambda s, who, action: decision_text(decision_key(s, who, action))


def hear_of_keys(hear_keys: Any, most: Any, line_text: Any) -> Callable[[Any, int, int, Any], list[str]]:
    """The `hear` of a game whose lines follow from keys."""

    def hear(before: Any, who: int, action: int, after: Any) -> list[str]:
        keys = [0] * most
        n = hear_keys(before, who, action, after, keys)
        return [line_text(key) for key in keys[:n]]

    return hear
