"""The table of Silent Planet in a terminal. Colours are doubled by the cards' names, seats have shapes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tacit.core.messages import render
from tacit.core.notebook import Picture, Pictures
from tacit.games.silent_planet.row_editor import arrange
from tacit.games.silent_planet.view import Place, Row, View

__all__ = ["arrange", "draw", "pictures"]

STYLES = {"1": "dark_orange", "2": "green", "3": "blue", "4": "red", "5": "magenta", "x": "cyan"}
SHAPES, FADED = "●■▲◆✚★", "○□△◇✢☆"  # a seat's pointer in this round, and one left from an earlier round
LEGEND = "▒ face down  ▒3▒ yours  ‹3› hint  3• in the team  3★ complete  3× broken"
WIDE = 104


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Teams, everyone's rows with the pointers, the team, and what is pointed and signalled."""
    parts: list[RenderableType] = [_score(view), _rows(view, names)]
    if view.phase in ("point", "over"):
        parts.append(_Beside(_team(view), _pointing(view, names)))
    if view.arranging is not None and view.arranging.hand:
        parts.append(Text.assemble("Your cards: ", *(_face(f" {card}", card) for card in view.arranging.hand)))
    if view.happened is not None:
        parts.append(Text(render(view.happened, names=names), style="bold"))
    if view.outlook is not None:
        parts.append(Text(render(view.outlook, names=names), style="italic"))
    if view.result is not None:
        line = f"{view.result['teams']} of {view.result['needed']} teams. {render(view.ask)}"
        parts.append(Panel(Text(line, style="bold"), border_style="green" if view.result["won"] else "red"))
    return Group(*parts)


class _Beside:
    """Two drawings side by side where there is room, else one above the other."""

    def __init__(self, left: RenderableType, right: RenderableType | None) -> None:
        self.left, self.right = left, right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.right is None or options.max_width < WIDE:
            yield self.left
            if self.right is not None:
                yield self.right
            return
        grid = Table.grid(expand=True, padding=(0, 1))
        grid.add_column(ratio=1)
        grid.add_column(ratio=1)
        grid.add_row(self.left, self.right)
        yield grid


def _face(text: str, card: str, style: str = "bold") -> tuple[str, str]:
    return text, f"{style} {STYLES[card]}".strip()


def _score(view: View) -> Text:
    line = Text("Teams ")
    line.append("★ " * view.teams, style="bold")
    line.append("☆ " * (view.needed - view.teams))
    line.append(f" {view.teams} of {view.needed}")
    if view.spare_words is not None:
        line.append(f"   {render(view.spare_words)}")
    elif view.arranging is not None:
        line.append(f"   {render(view.arranging.cost)}")
    return line


# ------------------------------------------------------------------ rows and pointers
def _rows(view: View, names: Sequence[str]) -> RenderableType:
    grid = Table(show_header=False, box=None, padding=(0, 0), pad_edge=False)
    grid.add_column(width=2)
    grid.add_column(min_width=8, max_width=16, no_wrap=True, overflow="ellipsis")
    for _ in range(9):
        grid.add_column(width=5, justify="center")
    grid.add_column(min_width=8, no_wrap=True)
    grid.add_row("", "", *(Text(str(p), style="dim") for p in range(1, 10)), "")
    for row in view.rows:
        name = names[row.seat] + (" (you)" if row.seat == view.you else "")
        label = Text(f"{SHAPES[row.seat]} {name}", style="bold" if row.turn else "")
        marker = Text("▶" if row.turn else "", style="bold magenta")
        grid.add_row(marker, label, *(_place(place) for place in row.places), Text(_note(view, row), style="dim"))
        if row.turn:
            grid.add_row("", "", *(_pointers(place) for place in row.places), "")
    return Panel(Group(grid, Text(LEGEND, style="dim")), title="rows", title_align="left")


def _note(view: View, row: Row) -> str:
    if view.phase in ("deal", "arrange"):
        return " ready" if row.ready else ""
    return f" {row.down} down"


def _place(place: Place) -> Text:
    card = place.card
    if place.state == "empty":
        return Text("·", style="dim")
    if card is None:
        return Text("▒▒▒")
    marks = {"down": "▒{}▒", "hint": "‹{}›", "team": " {}•", "complete": " {}★", "broken": " {}×"}
    style = {"hint": "underline", "down": "bold", "team": "bold"}.get(place.state, "dim")
    return Text(*_face(marks[place.state].format(card), card, style))


def _pointers(place: Place) -> Text:
    """Who points here now; who pointed here in an earlier round and still has to point in this one."""
    text = Text()
    for seat in place.pointers:
        text.append(SHAPES[seat], style="bold magenta")
    for seat in place.faded:
        text.append(FADED[seat], style="dim")
    return text


def _pointing(view: View, names: Sequence[str]) -> RenderableType | None:
    """The round, who still has to point, and the signals given about this row."""
    if view.turn is None or view.round is None:
        return None
    dots = "●" * view.round + "○" * (view.rounds - view.round)
    lines = [Text(f"{names[view.turn]}'s row   round {dots} {view.round} of {view.rounds}", style="bold")]
    for pointer in view.pointing:
        where = "still has to point"
        if pointer.now:
            where = f"points at {pointer.position}"
        elif pointer.position is not None:
            where += f" (last at {pointer.position})"
        lines.append(Text(f"{SHAPES[pointer.seat]} {names[pointer.seat]} {where}", style="" if pointer.now else "dim"))
    for given in view.signals:
        lines.append(Text(f"! {render(given.words, names=names)}", style="bold cyan"))
    if view.signals_left:
        plural = "" if view.signals_left == 1 else "s"
        lines.append(Text(f"You may give {view.signals_left} more signal{plural}.", style="dim"))
    elif view.you is not None and view.why_no_signal is not None:
        lines.append(Text(render(view.why_no_signal, names=names), style="dim"))
    return Panel(Group(*lines), title="pointing", title_align="left", border_style="magenta")


# ------------------------------------------------------------------ the team
def _team(view: View) -> RenderableType:
    line = Text()
    for card in view.team:
        line.append(*_face(f" {card.card} ", card.card))
    line.append(" _ " * (view.team_size - len(view.team)), style="dim")
    kind = {"any": "", "same": "all the same so far", "different": "all different so far"}[view.team_kind]
    line.append(f"  {kind}")
    lines = [line]
    if view.phase == "point":
        lines.append(Text.assemble("fits:     ", *(_fit(f.card, f.unseen) for f in view.fits if f.fits)))
        if not all(fit.fits for fit in view.fits):
            lines.append(Text.assemble("breaks it:", *(_fit(f.card, f.unseen) for f in view.fits if not f.fits)))
    if view.past:
        past = Text("before:   ", style="dim")
        for done in view.past:
            cards = "".join(card.card for card in done.cards)
            past.append(f" {cards}{'★' if done.complete else '×'}", style="bold" if done.complete else "dim")
        lines.append(past)
    return Panel(Group(*lines), title="the team", title_align="left")


def _fit(card: str, unseen: int) -> Text:
    text = Text(*_face(f" {card}", card))
    text.append(f" ({unseen} unseen)" if card == "x" else f" ({unseen})", style="dim")
    return text


# ------------------------------------------------------------------ notebooks: the page's aliens
COLOURS = {
    "a1": "#f2a65a", "a2": "#5fb49c", "a3": "#7d8cc4", "a4": "#e76f8a", "a5": "#c9b458", "machine": "#9aa5b1",
    "color": "#241b3a",
}  # fmt: skip


def pictures(view: View) -> list[Pictures]:
    """Every row, a planet where the card is not known; and what is still to be placed."""
    groups = [
        Pictures(f"seat {row.seat}", [_alien(place) for place in row.places if place.state != "empty"])
        for row in view.rows
    ]
    if view.arranging is not None:
        groups.append(Pictures("to place", [Picture(f"sp-a{card}", card, COLOURS) for card in view.arranging.hand]))
    return [group for group in groups if group.pictures]


def _alien(place: Place) -> Picture:
    symbol = "sp-planet" if place.card is None else f"sp-a{place.card}"
    return Picture(symbol, f"{place.position}", COLOURS)
