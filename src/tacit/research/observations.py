"""An observation as tensor, JSON and text; and docs/observations.md, which is made from the games' own lists:

python -m tacit.research.observations > docs/observations.md
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.game import Game
from tacit.core.observation import Field, json_of, text_of
from tacit.core.registry import game_named
from tacit.games import GAMES

HEAD = """# Observations

*Made from the games' own lists by `python -m tacit.research.observations`; a test finds it stale.*

What a seat observes is made from what it knows (`know`) and from nothing else. It comes in three forms with the same
content: a **tensor** of signed bytes (`Batch.observation`, every environment), **JSON** and **text**
(`tacit.research.observations.as_json` and `as_text`), which are made from the tensor and lead back to it.

- A *set* has 0 or 1 in each cell; in JSON it is the list of those that are 1.
- *One* has a single 1, or none; in JSON it is its name, or null.
- A *number* is a number; several of them have names.
- Rows lie one after another. Seats are counted clockwise from the observer: `you`, `+1`, `+2` … Rows and cells of seats
  that are not at the table are 0.
- Decisions are numbers below `game.actions`; `game.rules.show(k, seat, number)` says what one means. The mask has a
  cell for each.
- Signals are no part of it, unless an environment is asked for them (`signals=True`): then `signals` comes last, a row
  for each seat with a number for each signal (docs/research.md).
- The tensor says what is known now. What was heard on the way, as lines of text, is `Match.see(seat).heard`, and is
  part of the information state in OpenSpiel (docs/research.md).
"""


def tensor(game: Game, k: Any, seat: int) -> Any:
    """The tensor (int8) of a seat, from what it knows."""
    cells = memoryview(bytearray(game.observation)).cast("b")
    game.rules.observe(k, seat, cells)
    return np.frombuffer(cells, np.int8)


def as_json(game: Game, observation: Any) -> dict[str, Any]:
    """A tensor as JSON, by the names of docs/observations.md."""
    return json_of(game.fields, observation)


def as_text(game: Game, observation: Any) -> str:
    """A tensor as text, a line a row."""
    return text_of(game.fields, observation)


def document() -> str:
    """docs/observations.md."""
    return HEAD + "".join(_chapter(game_named(name)) for name in GAMES)


def _chapter(game: Game) -> str:
    head = (
        f"\n## {game.title}\n"
        f"`{game.name}`: {game.observation} cells, {game.actions} decisions, {game.outcomes} outcomes of chance.\n\n"
        "| from | cells | field | is a | what it says | rows | cells of a row |\n|---|---|---|---|---|---|---|\n"
    )
    lines, at = [], 0
    for field in game.fields:
        lines.append(f"| {at} | {field.size} | `{field.name}` | {field.kind} | {field.about} | {_cells(field)} |\n")
        at += field.size
    return head + "".join(lines)


def _cells(field: Field) -> str:
    return f"{_list(field.rows)} | {'' if field.cells == ('',) else _list(field.cells)}"


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names)


if __name__ == "__main__":
    print(document(), end="")
