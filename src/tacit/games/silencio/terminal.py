"""The table of Silencio in a terminal. Colours are doubled by letters; a dark card has a moon."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tacit.core.messages import Message, render
from tacit.core.notebook import Picture, Pictures
from tacit.games.silencio.view import OwnCard, Row, Seat, View

STYLES = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}
PLACES = {
    "hand": "yours",
    "up": "face up",
    "known": "in a hand, you know it",
    "oracle": "in the Oracle",
    "gone": "gone",
}
MARKS = {"hand": "•", "up": "↑", "known": "?", "oracle": "○", "gone": "×", "unseen": ""}


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """Rows, Oracle, seats, hand and what is pending."""
    parts: list[RenderableType] = [_rows(view), _middle(view), _seats(view, names)]
    if view.pending:
        lines = [Text(f"! {render(one.what)} {render(one.why)}", style="bold") for one in view.pending]
        parts.append(Panel(Group(*lines), title="pending", title_align="left", border_style="magenta"))
    if view.tavern is not None:
        state = "open" if view.tavern.open else f"closed, {view.tavern.darks} of 3 dark effects"
        said = f"   “{render(view.tavern.said, names=names)}”" if view.tavern.said else ""
        parts.append(Text(f"Tavern: {state}{said}"))
    if view.you is not None:
        parts.append(_hand(view, names))
    if view.result is not None:
        left = view.result["left"]
        verdict = render(Message(f"silencio.verdict.{view.result['verdict']}"))
        cards = "1 card left" if left == 1 else f"{left} cards left"
        parts.append(Panel(Text(f"{cards}. {verdict}", style="bold"), border_style="magenta"))
    return Group(*parts)


def _card(name: str, dark: bool = False, dim: bool = False) -> Text:
    style = STYLES[name[0]]
    if dark:
        return Text(f" {name}☾ ", style=f"bold white on {style}")
    return Text(f" {name} ", style=f"dim {style}" if dim else f"bold {style}")


def _rows(view: View) -> RenderableType:
    table = Table(show_header=False, box=None, padding=(0, 1), pad_edge=False)
    for row in view.rows:
        table.add_row(*_row(row))
    legend = "   ".join(f"{MARKS[place]} {words}" for place, words in PLACES.items())
    return Panel(Group(table, Text(legend, style="dim")), title="rows", title_align="left")


def _row(row: Row) -> list[Text]:
    style = STYLES[row.colour[0]]
    shrine = Text("♦ lit  " if row.lit else "◇ unlit", style=style if row.lit else "dim")
    cards = Text()
    for card in row.cards:
        cards.append_text(_card(card.card, card.dark))
    ahead = Text()
    for stone in row.ahead:
        ahead.append(f" {stone.card[1:]}{MARKS[stone.place]}", style="dim" if stone.place == "unseen" else style)
    return [Text(row.colour, style=f"bold {style}"), shrine, cards, Text("→", style="dim"), ahead]


def _middle(view: View) -> Text:
    line = Text("Oracle:")
    for name in view.oracle:
        line.append_text(_card(name))
    line.append("   " if view.oracle else " empty   ")
    line.append(f"Deck: {view.deck}   Large shrine: {'♦ lit' if view.large_lit else '◇ unlit'}")
    return line


def _seats(view: View, names: Sequence[str]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 1), pad_edge=False)
    for seat in view.table:
        marker = "▶" if seat.seat in view.due else " "
        name = names[seat.seat] + (" (you)" if seat.seat == view.you else "")
        table.add_row(marker, Text(name, style="bold" if seat.seat == view.active else ""), _cards(view, seat))
    return table


def _cards(view: View, seat: Seat) -> Text:
    count = seat.hidden - len(seat.known)
    line = Text(f"{seat.hidden} hidden " if seat.hidden else "no hidden cards ")
    if seat.seat != view.you:
        line.append("▒ " * count, style="dim")
        for name in seat.known:
            line.append_text(_card(name))
    if seat.up:
        line.append(" face up:")
        for card in seat.up:
            line.append_text(_card(card.card))
    return line


def _hand(view: View, names: Sequence[str]) -> RenderableType:
    if not view.hand:
        return Text("Your hand is empty.")
    table = Table(show_header=False, box=None, padding=(0, 1), pad_edge=False)
    for card in view.hand:
        table.add_row(_card(card.card, dim=not card.playable), *_prospect(card, names))
    return Panel(table, title="your hand", title_align="left", border_style="cyan")


def _prospect(card: OwnCard, names: Sequence[str]) -> list[Text]:
    known = f"{', '.join(names[q] for q in card.known_by)} know{'s' if len(card.known_by) == 1 else ''} it"
    known = "all know it" if card.public else known if card.known_by else ""
    if card.lands is not None and card.effect is not None:
        sign = "☾ dark: " if card.lands == "dark" else "☼ light: "
        return [Text(sign + render(card.effect)), Text(known, style="dim")]
    why = render(card.why_not) if card.why_not else ""
    return [Text(why, style="dim"), Text(known, style="dim")]


# ------------------------------------------------------------------ notebooks: the page's landscapes
DAY = {
    "r": ("#efb8a5", "#d9725b", "#b23a26", "#f6c3a8"),
    "b": ("#b4d4e5", "#5b9cc4", "#2b6c9e", "#f3dfae"),
    "y": ("#f6dd96", "#e5bb4b", "#c08b0a", "#f2b01e"),
    "g": ("#c4dcb4", "#7fb482", "#3e8552", "#f4e3a8"),
}
NIGHT = {
    "r": ("#5d2129", "#8a3029", "#240b12", "#3b1620"),
    "b": ("#173c5c", "#20567f", "#091726", "#0e2338"),
    "y": ("#5a4010", "#836014", "#1e1504", "#33240a"),
    "g": ("#1d4630", "#2d6644", "#0a1c13", "#122b1e"),
}


def pictures(view: View) -> list[Pictures]:
    """The last card of each row, the cards that lie face up, and the seat's own."""
    groups = [Pictures("rows", [_landscape(row.cards[-1].card, row.cards[-1].dark) for row in view.rows if row.cards])]
    groups.append(Pictures("face up", [_landscape(own.card) for seat in view.table for own in seat.up]))
    groups.append(Pictures("yours", [_landscape(own.card) for own in view.hand]))
    return [group for group in groups if group.pictures]


def _landscape(card: str, dark: bool = False) -> Picture:
    l1, l2, l3, last = (NIGHT if dark else DAY)[card[0]]
    sky, orb, star = (last, "#fff1cf", "#fff6dc") if dark else ("#fdf6e6", last, "transparent")
    colours = {"sky": sky, "orb": orb, "star": star, "bite": sky if dark else "transparent", "cap": "#fffaf0"}
    return Picture(f"l-{card[0]}", card[1:], {**colours, "l1": l1, "l2": l2, "l3": l3})
