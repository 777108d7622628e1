"""The tables of results: in the terminal, and as Markdown for docs/benchmark.md."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tacit.arena.stats import Estimate
from tacit.benchmark.result import Result
from tacit.core.registry import game_named

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
Cells = list[list[str]]  # the first is the head


def show(console: Console, result: Result) -> None:
    """Print a result, those who are disqualified in red."""
    for title, cells in _tables(result):
        table = Table(*cells[0], title=title)
        for row in cells[1:]:
            table.add_row(*row)
        console.print(table)
    for name, why in result.disqualified.items():
        console.print(f"{name.upper()} IS DISQUALIFIED: {why}", style="bold red", markup=False)


def tables(results: Sequence[Result]) -> str:
    """The tables of some results as Markdown, by track and game."""
    found = []
    for result in sorted(results, key=lambda one: (one.track, one.game, one.key)):
        for title, cells in _tables(result):
            head, *rows = cells
            lines = [head, ["---"] * len(head), *rows]
            found.append(f"**{title}**\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines))
        versions = ", ".join(f"{name} {version}" for name, version in sorted(result.software.items()))
        found.append(f"{versions}; SHA-256 of the result {result.sha256[:16]}…\n")
    return "\n".join(found)


def replaced(page: str, text: str) -> str:
    """A page with new tables between its two marks; ValueError if it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"The page has no marks “{BEGIN}” and “{END}”.")
    return f"{before}{BEGIN}\n\n{text}\n{END}{after}"


def _tables(result: Result) -> list[tuple[str, Cells]]:
    game = game_named(result.game)
    what = {"score": "score" if game.cooperative else "share of wins", "normalised": "of the best response's gain"}
    names = list(dict.fromkeys(name for row in result.rows for name in row.figures))
    short = "" if result.counts else "; too few deals to count"
    title = f"{result.track}, {game.title}, {result.seats} seats, {result.deals} deals, season {result.key}{short}"
    rows = [["bot", *(what.get(name, name) for name in names)]]
    for row in result.rows:
        if row.disqualified is not None:
            rows.append([row.name, *[f"disqualified: {row.disqualified}"[:80], *[""] * len(names)][: len(names)]])
        else:
            rows.append([row.name, *(_said(row.figures.get(name)) for name in names)])
    found = [(title, rows)]
    if result.matrix:
        columns = list(dict.fromkeys(name for cells in result.matrix.values() for name in cells))
        crossed = [["one seat of", *(f"with {name}" for name in columns)]]
        crossed += [[name, *(_said(cells.get(column)) for column in columns)] for name, cells in result.matrix.items()]
        if result.best_responses:
            best = ["*best response*", *(result.best_responses.get(column, "") for column in columns)]
            crossed.append(best)
        found.append((f"Cross-play, {game.title}", crossed))
    return found


def _said(figure: Estimate | None) -> str:
    return "–" if figure is None else f"{figure.mean:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
