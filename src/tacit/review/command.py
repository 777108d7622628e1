"""`tacit review`: the command line."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.commands import DECK, Number, Refused, load_match
from tacit.core.errors import TacitError


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--budget",
    type=Number(0.05, 1000),
    default=1.0,
    show_default=True,
    help="How many times the usual number of playouts; 10 takes ten times as long and is surer.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the playouts.")
@click.option("--open", "open_truth", is_flag=True, help="Show at key moments what the seat could not know, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
@DECK
def review(file: Path, budget: float, seed: int, open_truth: bool, as_json: bool, deck: Path | None) -> None:
    """Review a finished match: luck and slips, key moments, and whether it could be won.

    The same record, budget and seed give the same review. The first review of a game compiles its rules, which takes a
    minute or two.

    \b
    tacit review match.tacit
    tacit review match.tacit --budget 10
    tacit review match.tacit --json > review.json
    """
    import msgspec
    from rich.console import Console
    from rich.progress import Progress

    from tacit.core.notebook import names_of
    from tacit.review import review_steps
    from tacit.review.drawing import drawn

    match = load_match(file, deck)
    made = None
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("compiling", total=1.0)
        try:
            for made in review_steps(match, budget=budget, seed=seed):
                progress.update(task, completed=made.progress, description=made.stage if made.curve else "compiling")
        except TacitError as error:
            raise Refused(f"{file}: {error}") from error
    assert made is not None
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(made), indent=1).decode())
        return
    Console().print(drawn(made, names_of(match), open_truth), highlight=False)
