"""Silent Planet tables for tests: positions reached by real records, with the rows one asks for."""

from __future__ import annotations

from collections.abc import Sequence

from tacit import Match
from tacit.core.random_play import NOBODY
from tacit.games.silent_planet.view import View


def dealt(rows: Sequence[str]) -> Match:
    """A match whose seats hold the cards of these rows and have placed none."""
    match = Match("silent-planet", len(rows), seed=0, settle=False)
    for seat, row in enumerate(rows):
        for card in row:
            match.play("*", f"deal {seat} {card}")
    return match


def arrangement(row: str, hints: str = "") -> list[str]:
    """The decisions that lay a row and reveal the positions named: `arrangement("123451234", "19")`."""
    return [*(f"place {card}" for card in row), *(f"reveal {p}" for p in hints), "ready"]


def ready(rows: Sequence[str], hints: Sequence[str] = ()) -> Match:
    """The match when all rows are shown; before `start`, if it is not lost already."""
    match = dealt(rows)
    for seat, row in enumerate(rows):
        match.play_all(seat, arrangement(row, hints[seat] if hints else ""), settle=False)
    return match


def table(rows: Sequence[str], hints: Sequence[str] = (), first: int = 0) -> Match:
    """The first turn of a match with these rows."""
    match = ready(rows, hints)
    match.play("*", f"start {first}", settle=False)
    return match


def run(match: Match, *lines: str) -> Match:
    """Apply lines of a record: `0 point 3`, `! 1 nod`. Chance that is not written waits."""
    for line in lines:
        match.replay(line)
    return match


def agree(match: Match, *positions: int) -> Match:
    """In each of a number of turns all deciders point at the position given."""
    for position in positions:
        for seat in sorted(match.due):
            match.play(seat, f"point {position}", settle=False)
    return match


def seen(match: Match, watcher: int | None) -> View:
    """What a watcher sees of the state as it is, also where a test has changed it by hand."""
    view: View = match.game.view(match.know(watcher), NOBODY if watcher is None else watcher)
    return view


def team(match: Match) -> str:
    """The current team, in the order in which its cards came."""
    return "".join(card.card for card in seen(match, None).team)


def turn(match: Match) -> int | None:
    return seen(match, None).turn


def states(match: Match, seat: int, watcher: int | None = None) -> list[str]:
    """The states of the nine places of a row."""
    return [place.state for place in seen(match, watcher).rows[seat].places]


def cards(match: Match, seat: int, watcher: int | None = None) -> str:
    """A row as a watcher knows it, `?` for a card it does not know."""
    return "".join(place.card or "?" for place in seen(match, watcher).rows[seat].places)
