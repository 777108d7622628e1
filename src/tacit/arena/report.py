"""Prints the report of a job with rich."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tacit.arena.cross_play import CrossPlay
from tacit.arena.stats import Estimate
from tacit.arena.summary import LineUp, Summary
from tacit.core.game import Game

OUT = "disqualified"


def _out(summary: Summary, bots: Iterable[str]) -> bool:
    """Is one of these bots disqualified?"""
    return not summary.disqualified.keys().isdisjoint(bots)


def figure(value: Estimate, share: bool = False) -> str:
    """`3.21 [3.10, 3.32]`, or in per cent."""
    if value.n == 0:
        return "–"
    if share:
        return f"{100 * value.mean:.1f} % [{100 * value.low:.1f}, {100 * value.high:.1f}]"
    return f"{value.mean:.2f} [{value.low:.2f}, {value.high:.2f}]"


def show(console: Console, game: Game, summary: Summary, crossed: CrossPlay | None = None) -> None:
    """Print the report."""
    console.print(report(game, summary, crossed))


def report(game: Game, summary: Summary, crossed: CrossPlay | None = None) -> Group:
    """The tables, comparisons, costs and failures; every figure has its 95 % interval."""
    heading = f"{game.title}, {summary.seats} seats, {summary.deals} deals, {summary.decisions} decisions"
    parts: list[RenderableType] = []
    if crossed is not None:
        parts.append(_cross_table(heading, crossed, summary))
    elif summary.cooperative:
        parts.append(_cooperative_table(heading, summary))
    else:
        parts.append(_competitive_table(heading, summary))
    if summary.ratings:
        parts.append(_ratings_table(summary))
    parts.append(Text("In brackets: 95 % intervals.", style="dim"))
    for line_up in summary.line_ups[1:] if crossed is None else ():
        if line_up.less_first is not None and not _out(summary, (*line_up.bots, *summary.line_ups[0].bots)):
            what = "score" if summary.cooperative else f"{line_up.bots[0]}'s share of the win"
            parts.append(
                Text(
                    f"{_line_up_name(line_up)} minus {_line_up_name(summary.line_ups[0])}, on the same deals: {what} "
                    f"{line_up.less_first.mean:+.3f} [{line_up.less_first.low:+.3f}, {line_up.less_first.high:+.3f}]"
                )
            )
    parts += [Text(found["says"]) for found in (summary.until, summary.bound, summary.luck) if found is not None]
    parts += [Text(f"{bot}: {_duration(seconds)} per decision") for bot, seconds in sorted(summary.cost.items())]
    for bot, kinds in summary.faults.items():
        listed = ", ".join(f"{n} × {kind}" for kind, n in sorted(kinds.items()))
        parts.append(Text(f"{bot} failed and was replaced for those decisions: {listed}", style="red"))
    for bot, why in summary.disqualified.items():
        parts.append(Text(f"{bot.upper()} IS DISQUALIFIED: {why}", style="bold red"))
    return Group(*parts)


def _line_up_name(line_up: LineUp) -> str:
    return ", ".join(line_up.bots)


def _duration(seconds: float) -> str:
    return f"{1e6 * seconds:.2f} µs" if seconds < 1e-3 else f"{1e3 * seconds:.1f} ms"


def _cooperative_table(heading: str, summary: Summary) -> Table:
    keys = list(dict.fromkeys(key for line_up in summary.line_ups for key in line_up.figures))
    table = Table("line-up", "matches", *keys, title=heading)
    for line_up in summary.line_ups:
        if _out(summary, line_up.bots):
            table.add_row(_line_up_name(line_up), str(line_up.matches), *[OUT] * len(keys))
            continue
        cells = [
            figure(line_up.figures[key], share=key in ("won", "perfect")) if key in line_up.figures else "–"
            for key in keys
        ]
        table.add_row(_line_up_name(line_up), str(line_up.matches), *cells)
    return table


def _competitive_table(heading: str, summary: Summary) -> Table:
    table = Table("line-up", "matches", "bot", "score", "share of the win per seat", title=heading)
    for line_up in summary.line_ups:
        for row, bot in enumerate(line_up.scores):
            head = (_line_up_name(line_up), str(line_up.matches)) if row == 0 else ("", "")
            if _out(summary, line_up.bots):
                table.add_row(*head, bot, *[OUT if bot in summary.disqualified else "–"] * 2)
                continue
            table.add_row(*head, bot, figure(line_up.scores[bot]), figure(line_up.wins[bot], share=True))
    return table


def _ratings_table(summary: Summary) -> Table:
    table = Table("bot", "rating", "matches", title="Ratings (Bradley–Terry, Elo scale)")
    for bot, rating in sorted(summary.ratings.items(), key=lambda item: -item[1].mean):
        table.add_row(bot, f"{rating.mean:.0f} [{rating.low:.0f}, {rating.high:.0f}]", str(rating.n))
    return table


def _cross_table(heading: str, crossed: CrossPlay, summary: Summary) -> Table:
    title = f"{heading}\n{crossed.means}; row: one seat, column: the others"
    table = Table("", *crossed.bots, title=title)
    for bot, row in zip(crossed.bots, crossed.cells, strict=True):
        cells = [
            OUT if _out(summary, (bot, other)) else figure(cell, share=crossed.means != "score")
            for other, cell in zip(crossed.bots, row, strict=True)
        ]
        table.add_row(bot, *cells)
    return table
