"""What a notebook shows of a match, a view or a table: the game's own drawing, as HTML that stands alone.

Nothing here reads a state: a view is drawn from the view, a match as a spectator sees it. So a notebook can be shared.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
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
ROW = "display:flex;flex-wrap:wrap;gap:.4em 1em"
STYLE = "font:13px/1.25 ui-monospace,Menlo,Consolas,monospace;background:#fff;color:#111;padding:.6em;overflow-x:auto"
SYMBOL = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]+)"[^>]*>(.*?)</symbol>', re.S)


class Picture(msgspec.Struct, frozen=True):
    """A symbol of the page's drawings (web/src/games/*/art.svg) with a word below it; "" is an empty place."""

    symbol: str
    label: str = ""
    colours: Mapping[str, str] = {}
    """What the page's style sheets say: the symbol's colours by the names of their variables, `color` its own."""


class Pictures(msgspec.Struct, frozen=True):
    """Pictures side by side, or with `columns` in a grid, under a caption."""

    caption: str
    pictures: Sequence[Picture]
    columns: int = 0


@cache
def art(game: str, package: str) -> dict[str, tuple[str, str]]:
    """The symbols of a game by name: view box and content. A wheel has the file in the package, a clone in web/."""
    file = resources.files(package).joinpath("art.svg")
    clone = Path(__file__).parents[3] / "web" / "src" / "games" / game / "art.svg"
    text = file.read_text() if file.is_file() else clone.read_text() if clone.is_file() else ""
    return {name: (box, content) for name, box, content in SYMBOL.findall(text)}


def drawn(groups: Sequence[Pictures], symbols: Mapping[str, tuple[str, str]]) -> str:
    """Groups of pictures as HTML; what the file does not have is left out."""
    parts = []
    for group in groups:
        grid = f"display:grid;grid-template-columns:repeat({group.columns},26px);gap:1px" if group.columns else ROW
        shown = "".join(_figure(picture, symbols, 26 if group.columns else 44) for picture in group.pictures)
        parts.append(f'<div><small>{escape(group.caption)}</small><div style="{grid}">{shown}</div></div>')
    return f'<div style="{ROW};{STYLE}">{"".join(parts)}</div>' if parts else ""


def _figure(picture: Picture, symbols: Mapping[str, tuple[str, str]], height: int) -> str:
    if picture.symbol not in symbols:
        return f'<span style="height:{height}px">{escape(picture.label)}</span>'
    box, content = symbols[picture.symbol]
    style = ";".join(f"{'' if name == 'color' else '--'}{name}:{value}" for name, value in picture.colours.items())
    svg = f'<svg viewBox="{box}" height="{height}" role="img" style="{escape(style)}">{content}</svg>'
    return f'<span style="text-align:center">{svg}<br>{escape(picture.label)}</span>' if picture.label else svg


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
    table = (game.terminal.draw or fields)(seen.view, called)
    pictures = game.terminal.pictures(seen.view) if game.terminal.pictures is not None else []
    above = drawn(pictures, art(game.name, game.module.__name__)) if pictures else ""
    return above + html(Group(Text(game.title, style="bold"), *told, table, *asked, *offers))


def of_match(match: Match) -> str:
    """A match as a spectator sees it."""
    return of_seat(match.see(None), names_of(match))


def of_facts(title: str, facts: Mapping[str, object]) -> str:
    """Names and values as a small table."""
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in facts.items())
    return f"<div><table><caption>{escape(title)}</caption>{rows}</table></div>"
