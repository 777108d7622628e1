"""`tacit dataset`: the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacit.commands import OPTION, Refused, named_game, parse_options, require_extra


@click.group()
def dataset() -> None:
    """Make datasets for offline learning. docs/datasheet.md says what is in them.

    \b
    tacit dataset make silencio --matches 100000
    tacit dataset make silent-planet --bots steady,coded --format parquet
    tacit dataset people DIR       the matches whose people all agreed (needs the server's database)
    """


@dataset.command()
@click.argument("game")
@click.option("--matches", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--seats", type=int, help="How many seats (default: one more than the game needs).")
@click.option(
    "--bots", default="", metavar="NAMES", help="Compiled bots, each on all seats of a part (default: the usual bot)."
)
@click.option("--seed", type=click.IntRange(0, (1 << 61) - 1), default=0, show_default=True, help="Of the first match.")
@click.option("--format", "file_format", type=click.Choice(["npz", "parquet"]), default="npz", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="The folder (default: dataset-GAME).")
@OPTION
def make(
    *, game: str, matches: int, seats: int | None, bots: str, seed: int, file_format: Any, out: Path | None,
    pairs: tuple[str, ...],
) -> None:  # fmt: skip
    """Let compiled bots of GAME play, and write every decision: observation, legal, action, signals, value.

    \b
    tacit dataset make silencio --matches 100000
    """
    rules = named_game(game)
    if file_format == "parquet":
        require_extra("data", "Parquet")
    from rich.progress import Progress

    from tacit.core.errors import TacitError
    from tacit.research import shards

    names = [name.strip() for name in bots.split(",") if name.strip()]
    seats = seats if seats is not None else min(rules.min_seats + 1, rules.max_seats)
    folder = out or Path(f"dataset-{rules.name}")
    try:
        with Progress(transient=True) as bar:
            task = bar.add_task("matches", total=matches)
            data = shards.make(
                rules, folder, matches=matches, seats=seats, options=parse_options(pairs), bots=names, seed=seed,
                file_format=file_format, on_shard=lambda done: bar.update(task, completed=done),
            )  # fmt: skip
    except (ValueError, TacitError) as error:
        raise Refused(str(error)) from error
    except OSError as error:
        raise Refused(f"{error.filename or folder}: {error.strerror}.") from error
    click.echo(f"{data.about['matches']:,} matches, {len(data):,} decisions: {folder}")
