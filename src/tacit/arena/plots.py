"""Pictures of a job: how the scores are spread, and the cross-play table; SVG and PNG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib.figure import Figure

from tacit.arena.cross_play import CrossPlay
from tacit.arena.job import Job
from tacit.arena.played import Played
from tacit.core.game import Game

KINDS = ("svg", "png")
# Colours that stay apart for colour-blind eyes (Okabe and Ito), each with a line style of its own.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")


def scores(game: Game, job: Job, matches: Iterable[Played], folder: Path) -> list[Path]:
    """The share of matches with each score: a line for each line-up, or for each bot where everyone has a score."""
    spread: dict[str, Counter[int]] = {}
    for match in matches:
        if game.cooperative:
            name = ", ".join(job.line_ups[match.line_up])
            spread.setdefault(name, Counter())[match.scores[0]] += 1
        else:
            for bot, score in zip(match.seats, match.scores, strict=True):
                spread.setdefault(bot, Counter())[score] += 1
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for i, (name, counts) in enumerate(spread.items()):
        total = sum(counts.values())
        places = range(min(counts), max(counts) + 1)
        axes.plot(
            places, [counts[n] / total for n in places], drawstyle="steps-mid", label=name,
            color=COLOURS[i % len(COLOURS)], linestyle=STYLES[i % len(STYLES)],
        )  # fmt: skip
    axes.set_xlabel("score")
    axes.set_ylabel("share of matches" if game.cooperative else "share of seats")
    axes.set_title(f"{game.title}, {job.seats} seats")
    axes.set_ylim(bottom=0)
    axes.legend()
    return _saved(figure, folder, "scores")


def table(game: Game, job: Job, crossed: CrossPlay, folder: Path) -> list[Path]:
    """The cross-play table as a field of colours with the numbers in it."""
    n = len(crossed.bots)
    values = [[cell.mean for cell in row] for row in crossed.cells]
    figure = Figure(figsize=(2.6 + 1.1 * n, 1.8 + 0.9 * n), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(values, cmap="cividis")
    low, high = image.get_clim()
    for i, row in enumerate(crossed.cells):
        for j, cell in enumerate(row):
            dark = cell.mean < (low + high) / 2
            text = f"{cell.mean:.2f}\n±{(cell.high - cell.low) / 2:.2f}"
            axes.text(j, i, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    axes.set_xticks(range(n), crossed.bots)
    axes.set_yticks(range(n), crossed.bots)
    axes.set_xlabel("the other seats")
    axes.set_ylabel("one seat")
    axes.set_title(f"{game.title}, {job.seats} seats", fontsize=10)
    figure.colorbar(image, label=crossed.means)
    return _saved(figure, folder, "cross-play")


def _saved(figure: Any, folder: Path, name: str) -> list[Path]:
    paths = [folder / f"{name}.{kind}" for kind in KINDS]
    for path in paths:
        # A fixed salt and no date: the same matches give the same file.
        with matplotlib.rc_context({"svg.hashsalt": "tacit", "svg.fonttype": "none"}):
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths
