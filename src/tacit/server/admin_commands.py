"""`tacit admin`: for whoever runs a server. Only the command line is here; admin.py does the work."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tacit.commands import Number, Refused, require_extra

DATABASE = click.option(
    "--database", metavar="URL", help="The server's: sqlite:///FILE or postgresql://… (default: a file of yours)."
)
DASHES = {"ignore_unknown_options": True}  # a table's name may begin with one
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")


def sentences(command: Callable[..., None]) -> Callable[..., None]:
    """What goes wrong is said in a sentence."""

    @functools.wraps(command)
    def said(*given: Any, **named: Any) -> None:
        require_extra("server", "tacit admin")
        from tacit.core.errors import TacitError
        from tacit.server.admin import AdminError

        try:
            command(*given, **named)
        except (AdminError, TacitError) as error:
            raise Refused(str(error)) from None
        except OSError as error:
            raise Refused(f"{error.filename or 'A file'}: {error.strerror}.") from None

    return said


@click.group()
def admin() -> None:
    """Look after a server's tables, while it runs: list, inspect, close, export, backup, restore, prune.

    All of them work on the database, so they need to be where it can be reached; give the same --database as to tacit
    serve. Nothing that is shown tells cards, keys or (unless asked for) names.

    \b
    tacit admin list --phase playing
    tacit admin backup tacit-2026-11-15.backup
    tacit admin prune --tables 365 --names 30
    """


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


@admin.command("list")
@click.option("--phase", type=click.Choice(["gathering", "playing", "over"]), help="Only these.")
@click.option("--game", help="Only of this game.")
@DATABASE
@JSON
@sentences
def list_(phase: str | None, game: str | None, database: str | None, as_json: bool) -> None:
    """All tables, those that changed last first. Times are UTC; the mark is what logs call a table."""
    import msgspec

    from tacit.server import admin as work

    found = work.with_store(database, lambda store: work.listed(store, phase, game))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    for one in found:
        who = f"{one.people} people, {one.bots} bots"
        click.echo(
            f"{one.table}  {one.mark}  {one.game:16} {one.phase:9} {who:18} {one.steps:5} steps  {_when(one.last)}"
        )
    click.echo(f"{len(found)} tables.")


@admin.command(context_settings=DASHES)
@click.argument("table")
@click.option("--names", is_flag=True, help="Also people's names.")
@DATABASE
@JSON
@sentences
def inspect(table: str, names: bool, database: str | None, as_json: bool) -> None:
    """One table, by its name or its mark: who sits there and how far the match is. No cards, no keys."""
    from tacit.server import admin as work

    found = work.with_store(database, lambda store: work.inspected(store, table, names))
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for name, value in found.items():
        if name == "seats":
            for seat in value:
                click.echo("  " + ", ".join(f"{k} {v}" for k, v in seat.items()))
        else:
            click.echo(f"{name}: {_when(value) if name in ('made', 'last') else value}")


@admin.command(context_settings=DASHES)
@click.argument("table")
@click.option("--yes", is_flag=True, help="Do not ask.")
@DATABASE
@sentences
def close(table: str, yes: bool, database: str | None) -> None:
    """Close a table for good: its match ends without a result, and its record is gone. Whoever sits there is told.

    A running server notices at once (PostgreSQL) or within ten seconds (SQLite). To keep the record, export it first.
    """
    from tacit.server import admin as work

    if not yes:
        click.confirm(f"Close {table} and give up its record?", abort=True)
    name = work.with_store(database, lambda store: work.close(store, table))
    click.echo(f"{name} is closed.")


@admin.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--running", is_flag=True, help="Also matches that are not over: with everybody's cards.")
@click.option("--no-names", is_flag=True, help="Leave people's names out.")
@DATABASE
@sentences
def export(folder: Path, running: bool, no_names: bool, database: str | None) -> None:
    """Write the record of every finished match into a folder, one file each. tacit check reads them."""
    from tacit.server import admin as work

    written, wrong = work.with_store(database, lambda store: work.export(store, folder, running, not no_names))
    click.echo(f"{written} records are in {folder}.")
    if wrong:
        raise Refused(f"{len(wrong)} could not be read, because their rules have changed since: {', '.join(wrong)}.")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--own", is_flag=True, help="In tacit's own form, which either kind of database can restore.")
@DATABASE
@sentences
def backup(file: Path, own: bool, database: str | None) -> None:
    """Copy the whole database into a file, while servers run. Keep it safe: the cards of running matches are in it.

    SQLite's online backup; for PostgreSQL pg_dump, or tacit's own form where that is missing or too old.
    """
    from tacit.server import admin as work

    how = work.run(work.backup(database, file, own))
    click.echo(f"{file} holds everything as it was at one moment (by {how}).")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--replace", is_flag=True, help="Give up what is in the database now.")
@DATABASE
@sentences
def restore(file: Path, replace: bool, database: str | None) -> None:
    """Put a backup into a database, all of it or nothing. Stop the servers first."""
    from tacit.server import admin as work

    count = work.run(work.restore(database, file, replace))
    click.echo(f"{count} tables are restored.")


@admin.command()
@click.option("--tables", "tables_days", type=Number(0, 36_500), metavar="DAYS", help="Delete tables unused so long.")
@click.option(
    "--names",
    "names_days",
    type=Number(0, 36_500),
    metavar="DAYS",
    help="Forget names and chat of matches over so long.",
)
@click.option("--dry-run", is_flag=True, help="Only say how many there are.")
@DATABASE
@sentences
def prune(tables_days: float | None, names_days: float | None, dry_run: bool, database: str | None) -> None:
    """Give up old tables, and people's names in those that are kept."""
    from tacit.server import admin as work

    if tables_days is None and names_days is None:
        raise Refused("What is old? Give --tables DAYS, --names DAYS, or both.")
    gone, forgotten = work.with_store(database, lambda store: work.prune(store, tables_days, names_days, dry_run))
    would = "would be " if dry_run else ""
    click.echo(f"{gone} tables {would}deleted; names and chat of {forgotten} tables {would}forgotten.")
