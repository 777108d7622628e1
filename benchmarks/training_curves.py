"""Draw docs/pictures/training.svg from the learning curves of `benchmarks/training/`.

    python benchmarks/training_curves.py

Seconds are those of one H200 by the clock, summed over the runs that a network comes from. Scores of a curve are of
play that samples its decisions; the shipped networks play their best, and score more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "benchmarks" / "training"
PICTURE = ROOT / "docs" / "pictures" / "training.svg"
# Runs that go on from one another, and the seconds that had been learned for before each of them (model cards).
SILVER_AND_GOLD = (
    ("silver-and-gold-learned-1", 550),
    ("silver-and-gold-learned-2", 1055),
    ("silver-and-gold-learned", 1600),
)
SILENT_PLANET = (("silent-planet-learned-1", 423), ("silent-planet-learned-2", 1448), ("silent-planet-learned", 1963))


def run(name: str) -> Any:
    return json.loads((RUNS / f"{name}.json").read_text())


def scores(name: str, seats: int, began: float = 0.0) -> Iterator[tuple[float, float]]:
    """Each second that has a mean score with so many seats, and the score."""
    for point in run(name)["curve"]:
        if str(seats) in point["scores"] and point["seconds"] > 0:
            yield began + point["seconds"], point["scores"][str(seats)]


def chain(axes: Axes, runs: tuple[tuple[str, int], ...], seats: int, colour: str, lost: bool = False) -> None:
    for k, (name, began) in enumerate(runs):
        seconds, found = zip(*scores(name, seats, began), strict=True)
        shown = [seats - score for score in found] if lost else found
        axes.plot(seconds, shown, color=colour, label=f"{seats} seats" if k == 0 else None)


def draw() -> Figure:
    figure = Figure(figsize=(10, 6.5), layout="constrained")
    silencio, silver, planet, city = figure.subplots(2, 2).flat
    for seed, colour in ((13, "C0"), (14, "C1"), (15, "C2")):
        seconds, found = zip(*scores(f"silencio-seed-{seed}", 3), strict=True)
        silencio.plot(seconds, [-score for score in found], color=colour, label=f"seed {seed}")
    silencio.set(title="Silencio, 3 seats, from nothing", ylabel="cards left", yscale="log")
    for seats, colour in ((2, "C0"), (3, "C1"), (4, "C2")):
        chain(silver, SILVER_AND_GOLD, seats, colour)
    silver.set(title="Silver & Gold", ylabel="points of a seat")
    for seats, colour in ((2, "C0"), (4, "C1"), (6, "C2")):
        chain(planet, SILENT_PLANET, seats, colour, lost=True)
    planet.set(title="Silent Planet", ylabel="teams not completed", yscale="log")
    for name, label in (
        ("zombie-city-trial", "beside steady"),
        ("zombie-city-self", "beside itself"),
        ("zombie-city-open", "beside steady, sees all hands"),
    ):
        way = [(point["seconds"], 100 * point["beside steady"]["2"][1]) for point in run(name)["on the way"]]
        city.plot(*zip(*way, strict=True), marker=".", label=label)
    city.set(title="Zombie City, 2 seats, from zombie-city-learned-2", ylabel="wins against steady, %")
    for axes in (silencio, silver, planet, city):
        axes.set_xlabel("seconds of one H200")
        axes.legend()
    return figure


if __name__ == "__main__":
    matplotlib.rcParams |= {"svg.hashsalt": "tacit", "svg.fonttype": "none"}  # the same file again; text as text
    draw().savefig(PICTURE, metadata={"Date": None})
