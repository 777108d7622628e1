"""The table of Silver & Gold in a terminal: islands as small coloured grids, sheets, display, everybody's progress.

Nothing is told by colour alone: a card's letter says its colour, a cell's sign its symbol (x cross, $ coin, ^ palm).
Crossed cells are shaded; those of the running turn, while it is sealed, are darker and only on one's own cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tacit.core.messages import Message, render
from tacit.core.notebook import Picture, Pictures
from tacit.games.silver_and_gold.deck import COLOUR_LETTERS, COLOUR_WORDS
from tacit.games.silver_and_gold.view import Held, Island, Seal, Seat, Shape, View

# Dark letters on these are readable on dark and on light terminals.
PAPER = {"purple": "#c39bd3", "orange": "#f0ad5f", "green": "#93c47d", "grey": "#c0c4cc"}
INK = "black"
CROSSED, FRESH = "░░", "▓▓"
CONFIRM = True  # a placement is looked at before it is decided


def draw(view: View, names: Sequence[str]) -> RenderableType:
    """The whole table for one seat or a spectator; `names` are the seats' names."""
    parts: list[RenderableType] = [_head(view, names)]
    if view.hand:
        cards = [_card(card, "keep" if card.card in view.kept else "") for card in view.hand]
        parts.append(Panel(Columns(cards, padding=(0, 2)), title="Your four cards", title_align="left"))
    if view.display:
        parts.append(_display(view))
    order = [q for q in range(view.seats) if q != view.you]
    seats = [view.table[q] for q in ([] if view.you is None else [view.you]) + order]
    if any(seat.cards or seat.completed for seat in seats):
        parts.append(Columns([_seat(view, seat, names) for seat in seats], padding=(0, 1)))
    parts += [Text(f"» {_sentence(render(message))}", style="italic") for message in view.pending]
    if view.brings:
        parts.append(Text(f"This turn so far: {'; '.join(render(m) for m in view.brings)}.", style="bold"))
    if view.result is not None:
        parts.append(_result(view, names))
    return Group(*parts)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _named(message: Message, names: Sequence[str]) -> str:
    """A sentence in which seats have their names."""
    params = {
        key: names[value.params["seat"]] if isinstance(value, Message) and value.code == "core.seat" else value
        for key, value in message.params.items()
    }
    return render(Message(message.code, params))


def _head(view: View, names: Sequence[str]) -> RenderableType:
    said = Text("Silver & Gold", style="bold")
    if view.starter is not None:
        said.append(f"   round {view.round} of {view.rounds}, turn {view.turn} of {view.turns}", style="not bold")
        said.append(f"   starts: {names[view.starter]}", style="not bold")
    if view.shape is None:
        return said
    grid = Table.grid(padding=(0, 2))
    grid.add_row(
        Text("Expedition", style="bold"), _shape(view.shape), Text(f"{view.shape.name}: {render(view.shape.words)}")
    )
    return Group(said, grid)


def _shape(shape: Shape) -> Text:
    picture = Text()
    for y, row in enumerate(shape.rows):
        picture.append("\n" if y else "")
        for sign in row:
            picture.append("[]" if sign == "o" else "  ", style="bold reverse" if sign == "o" else "")
    return picture


def _display(view: View) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    facts = Text()
    facts.append(f"deck      {view.deck}\n")
    facts.append(f"a palm    {view.palm_worth} now\n")
    facts.append(f"trophies  {' '.join(map(str, view.trophies)) or 'none left'}\n")
    facts.append("x cross  $ coin  ^ palm", style="dim")
    grid.add_row(*[_card(card) for card in view.display], facts)
    return Panel(grid, title="Display", title_align="left", expand=False)


# ------------------------------------------------------------------ islands
def _title(card: Island, note: str = "") -> Text:
    title = Text(f" {card.card} ", style=f"bold {INK} on {PAPER[card.colour]}")
    title.append(f" {card.value}", style="bold default on default")
    if card.seal is not None:
        title.append(" ", style="default on default")
        title.append(_seal(card.seal), style=f"{INK} on {PAPER[card.seal.colour]}")
    if note:
        title.append(f" {note}", style="italic default on default")
    return title


def _seal(seal: Seal) -> str:
    """A seal as the deck's file writes it: +o2."""
    return f"+{COLOUR_LETTERS[COLOUR_WORDS.index(seal.colour)]}{seal.points}"


def _card(card: Island, note: str = "") -> Text:
    """A card on which nothing is crossed off."""
    return Text("\n").join([_title(card, note), *_rows(card, (), ())])


def _held(held: Held, labels: bool) -> Text:
    """A card before a seat; with the names of columns and rows where cells are to be chosen."""
    lines = [_title(held.island)]
    rows = _rows(held.island, held.crossed, held.fresh)
    if labels:
        lines.append(Text("  a b c d", style="dim"))
        rows = [Text(f"{y + 1} ", style="dim").append_text(row) for y, row in enumerate(rows)]
    lines += rows
    lines.append(Text("complete" if held.left == 0 else f"{held.left} to go", style="dim"))
    return Text("\n").join(lines)


def _rows(card: Island, crossed: Sequence[str], fresh: Sequence[str]) -> list[Text]:
    rows = []
    for y, signs in enumerate(card.rows):
        row = Text()
        for x, sign in enumerate(signs):
            cell = f"{'abcd'[x]}{y + 1}"
            if sign == ".":
                row.append("  ")
            elif cell in fresh:
                row.append(FRESH, style="bold")
            elif cell in crossed:
                row.append(CROSSED)
            else:
                row.append(f"{'·' if sign == 'o' else sign} ", style=f"bold {INK} on {PAPER[card.colour]}")
        rows.append(row)
    return rows


# ------------------------------------------------------------------ seats
def _seat(view: View, seat: Seat, names: Sequence[str]) -> RenderableType:
    own = seat.seat == view.you
    grid = Table.grid(padding=(0, 2))
    grid.add_row(*[_held(held, own) for held in seat.cards] or [Text("no cards left")])
    lines: list[RenderableType] = [grid]
    if own:
        lines += [Text(f"{_sentence(why)}.", style="dim") for why in _unfit(seat)]
    lines += [_coins(seat), _palms(seat), _completed(seat), _points(seat)]
    title = f"{names[seat.seat]}{' (you)' if own else ''}"
    marks = [word for word, on in (("starts", seat.starts), ("done", seat.done)) if on]
    marks += ["choosing"] if seat.seat in view.due and view.phase in ("keep", "cross") else []
    return Panel(
        Group(*lines),
        title=Text(title, style="bold"),
        title_align="left",
        subtitle=", ".join(marks) or None,
        subtitle_align="right",
        width=39,
        border_style="bold" if seat.seat in view.due else "dim",
    )


def _unfit(seat: Seat) -> list[str]:
    """Why the shape has no room on own cards: said only before anything is crossed off."""
    if seat.done or any(held.fresh for held in seat.cards):
        return []
    return [render(held.why_not) for held in seat.cards if held.why_not is not None]


def _coins(seat: Seat) -> Text:
    fields = "$" * seat.coins + "·" * (12 - seat.coins)
    text = Text("coins  ")
    for row in range(3):
        text.append(fields[4 * row : 4 * row + 4])
        text.append(f" {seat.trophies[row]}" if row < len(seat.trophies) else "  ", style="bold")
        text.append(" ")
    return text


def _palms(seat: Seat) -> Text:
    fields = [str(points) for points in seat.palms] + ["·"] * (4 - len(seat.palms))
    text = Text(f"palms  {' '.join(fields)}")
    if seat.to_trophy is not None:
        text.append(f"   next trophy in {seat.to_trophy}", style="dim")
    return text


def _completed(seat: Seat) -> Text:
    text = Text("done   ")
    for card in seat.completed:
        text.append(card.card, style=f"{INK} on {PAPER[card.colour]}")
        text.append(f"{_seal(card.seal)} " if card.seal is not None else " ")
    return text if seat.completed else text.append("–")


def _points(seat: Seat) -> Text:
    p = seat.points
    text = Text(f"{p.total} point{'' if p.total == 1 else 's'}: ", style="bold")
    parts = f" coins {p.coins}, trophies {p.trophies}, palms {p.palms}, cards {p.cards}, seals {p.seals}"
    return text.append(f" {parts.strip()}", style="not bold dim")


def _result(view: View, names: Sequence[str]) -> RenderableType:
    assert view.result is not None
    table = Table(title=f"Result: {render(_ending(view.result, names))}", title_justify="left")
    for column in ("", "coins", "trophies", "palms", "islands", "seals", "points"):
        table.add_column(column, justify="left" if not column else "right")
    for q, score in enumerate(view.result["scores"]):
        wins = q in view.result["winners"]
        parts = [str(value) for value in view.result["breakdown"][q].values()]
        table.add_row(f"{'* ' if wins else '  '}{names[q]}", *parts, str(score), style="bold" if wins else "")
    return table


def _ending(result: Mapping[str, Any], names: Sequence[str]) -> Message:
    """Who won, as the page says it."""
    winners = [names[q] for q in result["winners"]]
    if len(winners) > 1:
        return Message("silver-and-gold.end.shared", {"names": ", ".join(winners)})
    first, second = sorted(result["scores"], reverse=True)[:2]
    if first == second:
        return Message("silver-and-gold.end.tie", {"name": winners[0]})
    return Message("silver-and-gold.end.lost", {"name": winners[0], "n": first - second})


# ------------------------------------------------------------------ notebooks: the page's islands
SYMBOLS = {"$": "s-coin", "^": "s-palm", "x": "s-cross"}
COLOURS = {"coin": "#d8a521", "palm": "#2f8f5b", "cross": "#b8322a", "color": "#333"}


def pictures(view: View) -> list[Pictures]:
    """Every card before a seat, cell by cell; before the first turn, the cards dealt to you."""
    groups = [_isle(island, f"{island.card}, dealt to you", ()) for island in view.hand]
    for seat in view.table:
        groups += [_isle(held.island, f"{held.island.card}, seat {seat.seat}", held.crossed) for held in seat.cards]
    return groups


def _isle(island: Island, caption: str, crossed: Sequence[str]) -> Pictures:
    cells = [
        Picture(
            *(("x-1", "") if f"{'abcd'[x]}{y + 1}" in crossed else (SYMBOLS.get(sign, ""), "□" if sign == "o" else "")),
            COLOURS,
        )
        for y, row in enumerate(island.rows)
        for x, sign in enumerate(row)
    ]
    return Pictures(caption, cells, columns=4)
