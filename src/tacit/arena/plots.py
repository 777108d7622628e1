"""Plots of a job as SVG and PNG: the distribution of scores, and the cross-play table."""

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
from tacit.arena.match_result import MatchResult
from tacit.core.game import Game

FORMATS = ("svg", "png")
# The colour-blind safe palette of Okabe and Ito; line styles differ too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")


def score_distribution(game: Game, job: Job, matches: Iterable[MatchResult], folder: Path) -> list[Path]:
    """The share of matches with each score: a line for each line-up (co-operative games) or for each bot."""
    counts_by_name: dict[str, Counter[int]] = {}
    for match in matches:
        if game.cooperative:
            name = ", ".join(job.line_ups[match.line_up])
            counts_by_name.setdefault(name, Counter())[match.scores[0]] += 1
        else:
            for bot, score in zip(match.seats, match.scores, strict=True):
                counts_by_name.setdefault(bot, Counter())[score] += 1
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for i, (name, counts) in enumerate(counts_by_name.items()):
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
    return _save(figure, folder, "scores")


def cross_play_table(game: Game, job: Job, crossed: CrossPlay, folder: Path) -> list[Path]:
    """The cross-play table as a heat map with numbers."""
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
    return _save(figure, folder, "cross-play")


def _save(figure: Any, folder: Path, name: str) -> list[Path]:
    paths = [folder / f"{name}.{suffix}" for suffix in FORMATS]
    for path in paths:
        # A fixed salt and no date make the file reproducible.
        with matplotlib.rc_context({"svg.hashsalt": "tacit", "svg.fonttype": "none"}):
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths
