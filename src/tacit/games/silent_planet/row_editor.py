"""The terminal's editor for a row: sort, move and flip cards; the whole row is sent as one run of decisions (P03)."""

from __future__ import annotations

import sys
from collections.abc import Callable

from click import getchar
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tacit.games.silent_planet.view import View

STYLES = {"1": "dark_orange", "2": "green", "3": "blue", "4": "red", "5": "magenta", "x": "cyan"}
LEFT = ("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "h")
RIGHT = ("\x1b[C", "\x1bOC", "\xe0M", "\x00M", "l")
HELP = """\
← → or 1–9  go to a card      space  take it up or put it down     , .  move it
f  show it as a hint or not    s  sort    r  reverse    Enter  ready    q  leave"""


class Arrangement:
    """Nine cards in an order, some of them shown as hints, and where the hand is. Knows no keyboard and no screen."""

    def __init__(self, cards: list[str]) -> None:
        self.cards = [(card, False) for card in cards]  # and whether it is shown
        self.at = 0
        self.held = False  # the card under the hand moves with it
        self.sure = False  # Enter was pressed once: ready is final

    def sort(self) -> None:
        """By kind, machines last; hints stay on their cards."""
        self.cards.sort(key=lambda pair: pair[0])

    def reverse(self) -> None:
        self.cards.reverse()

    def move(self, to: int) -> None:
        """The card under the hand goes to another place, the others close up; the hand stays with it."""
        to = max(0, min(len(self.cards) - 1, to))
        self.cards.insert(to, self.cards.pop(self.at))
        self.at = to

    def go(self, to: int) -> None:
        """The hand goes to another place, with the card it holds."""
        if self.held:
            self.move(to)
        else:
            self.at = max(0, min(len(self.cards) - 1, to))

    def flip(self) -> None:
        """The card under the hand becomes a hint, or is one no longer."""
        card, shown = self.cards[self.at]
        self.cards[self.at] = (card, not shown)

    @property
    def hints(self) -> list[int]:
        return [i for i, (_, shown) in enumerate(self.cards, 1) if shown]

    def texts(self) -> list[str]:
        """The decisions that make this row: nine placed, the hints revealed in rising order, ready."""
        return [*(f"place {card}" for card, _ in self.cards), *(f"reveal {p}" for p in self.hints), "ready"]

    def key(self, key: str) -> str | None:
        """What a key does: "ready" when it ends the editing, "leave" when it gives up, else None."""
        sure, self.sure = self.sure, False
        if key in LEFT or key in RIGHT:
            self.go(self.at + (1 if key in RIGHT else -1))
        elif key in (",", "<", ".", ">"):
            self.move(self.at + (1 if key in (".", ">") else -1))
        elif len(key) == 1 and key in "123456789":
            self.go(int(key) - 1)
        elif key == " ":
            self.held = not self.held
        elif key in ("f", "s", "r"):
            {"f": self.flip, "s": self.sort, "r": self.reverse}[key]()
        elif key in ("\r", "\n"):
            self.sure = not sure
            return "ready" if sure else None
        elif key in ("q", "\x1b"):
            return "leave"
        return None


def picture(row: Arrangement, spare: int) -> RenderableType:
    """The row as it stands, what others will see of it, and what the hints cost."""
    grid = Table(show_header=False, box=None, padding=(0, 0), pad_edge=False)
    grid.add_column(width=16)
    for _ in row.cards:
        grid.add_column(width=5, justify="center")
    hand = ["▲" if i == row.at else "" for i in range(len(row.cards))]
    faces = [
        Text(f"‹{card}›" if shown else f"▒{card}▒", style=f"bold {STYLES[card]}" + (" reverse" if i == row.at else ""))
        for i, (card, shown) in enumerate(row.cards)
    ]
    grid.add_row("", *(Text(str(i), style="dim") for i in range(1, 10)))
    grid.add_row("your row", *faces)
    grid.add_row("", *(Text("hold" if row.held and mark else mark, style="magenta") for mark in hand))
    grid.add_row("the others see", *(Text(f"‹{card}›" if shown else "▒▒▒") for card, shown in row.cards))
    left = spare - len(row.hints)
    count = {0: "No hint", 1: "1 hint"}.get(len(row.hints), f"{len(row.hints)} hints")
    cost = (
        f"{count}. At most {left} cards can then be lost." if left >= 0 else f"{count}: with so few cards it is lost."
    )
    end = Text("Enter again: ready is final.", style="bold magenta") if row.sure else Text(HELP, style="dim")
    return Group(grid, Text(cost), end)


def arrange(console: Console, view: View, read: Callable[[], str] | None = None) -> list[str] | None:
    """Let a person make their whole row; the decisions, or None where there is nothing to arrange or they would rather
    type. `read` gives one key at a time; without it the keyboard is read, if there is one."""
    if view.phase != "arrange" or view.arranging is None or view.you not in view.due or view.arranging.placed:
        return None
    if read is None:
        if not (console.is_terminal and sys.stdin.isatty()):
            return None
        read = getchar
    row = Arrangement(view.arranging.hand)
    with Live(picture(row, view.arranging.spare), console=console, auto_refresh=False) as live:
        while True:
            end = row.key(read())
            if end is not None:
                return row.texts() if end == "ready" else None
            live.update(picture(row, view.arranging.spare), refresh=True)
