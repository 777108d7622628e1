"""What a notebook shows of a match, a view or a table: the game's own drawing, as HTML that stands alone.

Nothing here reads a state: a view is drawn from the view, a match as a spectator sees it. So a notebook can be shared.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tacit.core.messages import Message, render
from tacit.core.registry import game_of

if TYPE_CHECKING:
    from tacit.core.match import Match, SeatView

WIDTH = 100  # characters
RECENT = 5  # heard lines shown
STYLE = "font:13px/1.25 ui-monospace,Menlo,Consolas,monospace;background:#fff;color:#111;padding:.6em;overflow-x:auto"


def names_of(match: Match) -> list[str]:
    """The names of the seats from the match's tags, or "seat 2"."""
    return [match.tags.get(f"seat{q}", f"seat {q}") for q in range(match.seats)]


def fields(view: Any, names: Sequence[str]) -> RenderableType:
    """A view as a list of its fields, for a game that has no drawing."""
    grid = Table(show_header=False, box=None)
    for name, value in msgspec.structs.asdict(view).items():
        said = render(value, names=names) if isinstance(value, Message) else str(value)
        grid.add_row(Text(name, style="dim"), Text(said))
    return grid


def html(drawing: RenderableType) -> str:
    """A drawing of rich as HTML; rich escapes whatever is text."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(drawing)
    return console.export_html(inline_styles=True, code_format=f'<div style="{STYLE}"><pre>{{code}}</pre></div>')


def of_seat(seen: SeatView, names: Sequence[str] | None = None) -> str:
    """A seat's view: what it heard last, the table, the question and what it may decide."""
    game = game_of(seen.view)
    called = names if names is not None else [f"seat {q}" for q in range(game.max_seats)]
    told = [Text(render(game.rules.tell(line), names=called), style="italic") for line in seen.heard[-RECENT:]]
    ask = game.question(seen.view)
    asked = [Text(render(ask, names=called), style="bold")] if ask is not None else []
    offers = [
        Text(f"  {render(game.rules.offer(text), names=called)}   {text}") for text in (*seen.legal, *seen.signals)
    ]
    return html(
        Group(Text(game.title, style="bold"), *told, (game.terminal.draw or fields)(seen.view, called), *asked, *offers)
    )


def of_match(match: Match) -> str:
    """A match as a spectator sees it."""
    return of_seat(match.see(None), names_of(match))


def of_facts(title: str, facts: Mapping[str, object]) -> str:
    """Names and values as a small table."""
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in facts.items())
    return f"<div><table><caption>{escape(title)}</caption>{rows}</table></div>"
