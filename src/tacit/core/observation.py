"""The fields of an observation tensor: its length, its names, and the same content as JSON and as text.

A game declares its `FIELDS` once, in the order in which `observe` writes them (`Game.fields`). JSON and text are made
from the tensor alone, so they tell neither more nor less; `tensor_of_json` and `tensor_of_text` convert back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

RELATIVE_SEATS = ("you", "+1", "+2", "+3", "+4", "+5")  # clockwise from the observer


@dataclass(frozen=True)
class Field:
    """Some cells of the tensor: one row of `cells`, or one for each of `rows`. `about` is a sentence for people.

    A `set` has 0 or 1 in each cell; `one` has a single 1, or none; `number` has a number in each cell.
    """

    name: str
    kind: Literal["set", "one", "number"]
    about: str
    cells: tuple[str, ...] = ("",)
    rows: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells) * max(1, len(self.rows))


def name_product(*parts: Sequence[str]) -> tuple[str, ...]:
    """All combinations of names, the last part fastest: `name_product(("you", "+1"), "12")` has "you 1", "you 2", …"""
    return tuple(" ".join(words) for words in product(*parts))


# ------------------------------------------------------------------ JSON
def json_of(fields: Sequence[Field], tensor: Sequence[int]) -> dict[str, Any]:
    """The tensor as JSON: a list of names for a set, a name or null for one, a number or numbers by name.

    Raises ValueError if the tensor does not fit the fields.
    """
    found: dict[str, Any] = {}
    at = 0
    for field in fields:
        values = []
        for _ in range(max(1, len(field.rows))):
            values.append(_json_value(field, [int(x) for x in tensor[at : at + len(field.cells)]]))
            at += len(field.cells)
        found[field.name] = dict(zip(field.rows, values, strict=True)) if field.rows else values[0]
    if at != len(tensor):
        raise ValueError(f"The fields have {at} cells, and the tensor has {len(tensor)}.")
    return found


def _json_value(field: Field, cells: list[int]) -> Any:
    if field.kind == "number":
        return cells[0] if field.cells == ("",) else dict(zip(field.cells, cells, strict=True))
    if set(cells) - {0, 1} or (field.kind == "one" and sum(cells) > 1):
        raise ValueError(f"{field.name} is a {field.kind}, and its cells are {cells}.")
    names = [name for name, cell in zip(field.cells, cells, strict=True) if cell]
    return names if field.kind == "set" else names[0] if names else None


def tensor_of_json(fields: Sequence[Field], content: dict[str, Any]) -> list[int]:
    """The tensor from which `json_of` made this content."""
    tensor: list[int] = []
    for field in fields:
        values = content[field.name]
        for value in [values[row] for row in field.rows] if field.rows else [values]:
            tensor += _cells(field, value)
    return tensor


def _cells(field: Field, value: Any) -> list[int]:
    if field.kind == "number":
        return [value] if field.cells == ("",) else [value[name] for name in field.cells]
    names = value if field.kind == "set" else [value]
    return [int(name in names) for name in field.cells]


# ------------------------------------------------------------------ text
def text_of(fields: Sequence[Field], tensor: Sequence[int]) -> str:
    """The tensor as text, a line a row: `hand: r5, b3`, `known +1: g4`; what is empty or all 0 is left out."""
    content = json_of(fields, tensor)
    lines = []
    for field in fields:
        values = content[field.name]
        for row, value in values.items() if field.rows else [("", values)]:
            text = _value_text(field, value)
            if text:
                lines.append(f"{field.name}{' ' if row else ''}{row}: {text}")
    return "".join(f"{line}\n" for line in lines)


def _value_text(field: Field, value: Any) -> str:
    if field.kind == "set":
        return ", ".join(value)
    if field.kind == "one":
        return value or ""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {number}" for name, number in value.items() if number)
    return str(value) if value else ""


def tensor_of_text(fields: Sequence[Field], text: str) -> list[int]:
    """The tensor from which `text_of` made this text."""
    texts = dict(line.split(": ", 1) for line in text.splitlines())
    tensor: list[int] = []
    for field in fields:
        for row in field.rows or ("",):
            found = texts.get(f"{field.name} {row}" if row else field.name, "")
            if field.kind != "number":
                names = found.split(", ")
                tensor += [int(name in names) for name in field.cells]
            elif field.cells == ("",):
                tensor.append(int(found or 0))
            else:
                numbers = dict(part.split(" = ") for part in found.split(", ")) if found else {}
                tensor += [int(numbers.get(name, 0)) for name in field.cells]
    return tensor
