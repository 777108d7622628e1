"""Draw a view with rich: by the game's `terminal.draw`, or as a list of fields if the game has none."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tacit.core.match import Match, SeatView
from tacit.core.messages import render
from tacit.core.notebook import fields
from tacit.core.outlook import NEXT, HiddenPlace, Outlook

RECENT = 8  # heard lines shown above the position
LIKELIEST = 10  # cards named for a hidden place


def table(match: Match, seen: SeatView, names: Sequence[str], since: int | None = None) -> RenderableType:
    """Recent events, the position and the prompt. `since`: how many heard lines were shown before."""
    new = seen.heard[-RECENT:] if since is None else seen.heard[since:][-3 * RECENT :]
    told = [Text(render(match.game.rules.tell(line), names=names), style="italic") for line in new]
    draw = match.game.terminal.draw or fields
    body = draw(seen.view, names)
    ask = match.game.question(seen.view)
    asked = [] if ask is None or match.over else [Text(render(ask, names=names), style="bold magenta")]
    return Group(Rule(match.game.title), *told, body, *asked)


def choices(match: Match, texts: Sequence[str], names: Sequence[str], console: Console) -> RenderableType:
    """The legal decisions, numbered, in as many columns as fit."""
    words = [render(match.game.rules.offer(text), names=names) for text in texts]
    cells = [Text.assemble((f"{i:>3} ", "bold cyan"), word) for i, word in enumerate(words, 1)]
    widest = max(cell.cell_len for cell in cells) + 2
    columns = max(1, min(len(cells) // 4 + 1, console.width // widest))
    grid = Table(show_header=False, box=None, padding=(0, 1), pad_edge=False)
    height = -(-len(cells) // columns)
    for row in range(height):
        grid.add_row(*(cells[i] for i in range(row, len(cells), height)))
    return grid


def worked_out(outlook: Outlook, names: Sequence[str]) -> RenderableType:
    """What a seat can work out of hidden cards: a row for each place, the likeliest cards first."""
    if not outlook.places:
        return Text("Nothing is hidden from you.")
    grid = Table(show_header=False, box=None, padding=(0, 1), pad_edge=False)
    for place in outlook.places:
        told = [f"{one.card} {one.chance:.0%}" for one in place.chances[:LIKELIEST]]
        more = len(place.chances) - LIKELIEST
        grid.add_row(
            Text(_place_words(place, names), style="bold"), ", ".join(told) + (f" … {more} more" if more > 0 else "")
        )
    how = "Exact" if outlook.exact else f"Estimated from {outlook.states} possible deals"
    return Group(grid, Text(f"{how}, by what you know and have heard.", style="dim"))


def _place_words(place: HiddenPlace, names: Sequence[str]) -> str:
    kind, *where = place.place.split(" ")
    if kind in NEXT:
        return "Next from the deck" if kind == "deck" else "Next from the City deck"
    if kind == "row":
        return f"{names[int(where[0])]}, card {where[1]}"
    return f"{names[int(where[0])]}, {place.cards} hidden"
