"""`tacit dataset people`: the command line. people_dataset.py does the work."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.server.admin_commands import DATABASE, reports_errors


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@DATABASE
@reports_errors
def people(folder: Path, database: str | None) -> None:
    """Write the matches of a server whose people all agreed at the table, without names, with times, into FOLDER.

    \b
    tacit dataset people matches/ --database sqlite:///tacit.db
    """
    from tacit.server import admin as work
    from tacit.server.people_dataset import export_people

    written = work.with_store(database, lambda store: export_people(store, folder))
    click.echo(f"{written} matches are in {folder}.")
