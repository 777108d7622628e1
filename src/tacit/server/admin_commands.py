"""The command line of `tacit admin`. admin.py does the work."""

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
    "--database",
    metavar="URL",
    envvar="TACIT_DATABASE",
    help="The server's database: sqlite:///FILE or postgresql://… (default: a file in your data folder).",
)
DASHES = {"ignore_unknown_options": True}  # a table's name may begin with a dash
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")


def reports_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Print errors as sentences."""

    @functools.wraps(command)
    def wrapped(*given: Any, **named: Any) -> None:
        require_extra("server", "tacit admin")
        from tacit.core.errors import TacitError
        from tacit.server.admin import AdminError

        try:
            command(*given, **named)
        except (AdminError, TacitError) as error:
            raise Refused(str(error)) from None
        except OSError as error:
            raise Refused(f"{error.filename or 'A file'}: {error.strerror}.") from None

    return wrapped


@click.group()
def admin() -> None:
    """Administer a server's tables: list, inspect, close, shut-out, export, backup, restore, prune.

    The commands work on the database, also while the server runs. Give the same --database as to tacit serve. They
    show no cards and no keys, and names only on request.

    \b
    tacit admin list --phase playing
    tacit admin backup tacit-2026-11-15.backup
    tacit admin prune --tables 365 --names 30
    """


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


@admin.command("list")
@click.option("--phase", type=click.Choice(["gathering", "playing", "over"]), help="Only tables in this phase.")
@click.option("--game", help="Only tables of this game.")
@DATABASE
@JSON
@reports_errors
def list_(phase: str | None, game: str | None, database: str | None, as_json: bool) -> None:
    """List all tables, the last changed first. Times are UTC; the mark is the table's name in logs."""
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
@click.option("--names", is_flag=True, help="Show people's names.")
@DATABASE
@JSON
@reports_errors
def inspect(table: str, names: bool, database: str | None, as_json: bool) -> None:
    """Show one table, by its name or mark: who sits there and how far the match is."""
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
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@DATABASE
@reports_errors
def close(table: str, yes: bool, database: str | None) -> None:
    """Delete a table with its record. Its match ends without a result, and its players are told.

    A running server notices at once (PostgreSQL) or within ten seconds (SQLite). To keep the record, export it first.
    """
    from tacit.server import admin as work

    if not yes:
        click.confirm(f"Close {table} and delete its record?", abort=True)
    name = work.with_store(database, lambda store: work.close(store, table))
    click.echo(f"{name} is closed.")


@admin.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--running", is_flag=True, help="Also running matches, with everybody's cards.")
@click.option("--no-names", is_flag=True, help="Without people's names.")
@DATABASE
@reports_errors
def export(folder: Path, running: bool, no_names: bool, database: str | None) -> None:
    """Write the records of finished matches into a folder, one file each. tacit check reads them."""
    from tacit.server import admin as work

    written, wrong = work.with_store(database, lambda store: work.export(store, folder, running, not no_names))
    click.echo(f"{written} records are in {folder}.")
    if wrong:
        raise Refused(f"{len(wrong)} could not be read, because their rules have changed since: {', '.join(wrong)}.")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--own", is_flag=True, help="In tacit's own format, which SQLite and PostgreSQL can restore.")
@DATABASE
@reports_errors
def backup(file: Path, own: bool, database: str | None) -> None:
    """Copy the whole database into a file, also while servers run. It contains the cards of running matches.

    Uses SQLite's online backup, or pg_dump for PostgreSQL; tacit's own format if pg_dump is missing or too old.
    """
    from tacit.server import admin as work

    how = work.run(work.backup(database, file, own))
    click.echo(f"{file} holds everything as it was at one moment (by {how}).")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--replace", is_flag=True, help="Delete what is in the database now.")
@DATABASE
@reports_errors
def restore(file: Path, replace: bool, database: str | None) -> None:
    """Restore a backup into a database, whole or not at all. Stop the servers first."""
    from tacit.server import admin as work

    count = work.run(work.restore(database, file, replace))
    click.echo(f"{count} tables are restored.")


@admin.command()
@click.option(
    "--tables", "tables_days", type=Number(0, 36_500), metavar="DAYS", help="Delete tables unused for so long."
)
@click.option(
    "--names",
    "names_days",
    type=Number(0, 36_500),
    metavar="DAYS",
    help="Delete names and chat of matches that ended so long ago.",
)
@click.option("--dry-run", is_flag=True, help="Only print how many there are.")
@DATABASE
@reports_errors
def prune(tables_days: float | None, names_days: float | None, dry_run: bool, database: str | None) -> None:
    """Delete old tables, and people's names and chat at others."""
    from tacit.server import admin as work

    if tables_days is None and names_days is None:
        raise Refused("Give --tables DAYS, --names DAYS, or both.")
    gone, forgotten = work.with_store(database, lambda store: work.prune(store, tables_days, names_days, dry_run))
    would = "would be " if dry_run else ""
    click.echo(f"{gone} tables {would}deleted; names and chat of {forgotten} tables {would}forgotten.")


@admin.command("rotate-secret")
@DATABASE
@reports_errors
def rotate_secret(database: str | None) -> None:
    """Begin a new secret for the cards of deals and matches. What has begun keeps the old one.

    Do so when somebody may have read the file. Servers use the new secret from their next start on.
    """
    from tacit.server import admin as work

    epoch, file = work.with_store(database, work.rotate_secret)
    click.echo(f"Secret {epoch} is in {file}. Keep the file, and copy it to every server that uses this database.")


@admin.command("shut-out", context_settings=DASHES)
@click.argument("table")
@click.argument("seat", type=click.IntRange(0, 31))
@click.option("--days", type=Number(0, 3_650), required=True, help="For how long.")
@click.option("--reason", required=True, help="Why, in a sentence: the person reads it.")
@DATABASE
@reports_errors
def shut_out(table: str, seat: int, days: float, reason: str, database: str | None) -> None:
    """Shut out the person on a seat of a table: they can neither make tables, sit down, decide nor chat until then.

    They are told until when and why. It holds for all devices of a person with a passkey; somebody without one can
    come back as a new guest with an empty browser. A running server notices as with close.
    """
    from tacit.server import admin as work

    if not 0 < len(reason.strip()) <= 200:
        raise Refused("--reason must have 1 to 200 letters.")
    mark = work.with_store(
        database, lambda store: work.shut_out_person(store, table, seat, days, " ".join(reason.split()))
    )
    click.echo(f"{mark} is shut out. To lift it: tacit admin let-in {mark}")


@admin.command("shut-outs")
@DATABASE
@reports_errors
def shut_outs(database: str | None) -> None:
    """List who is shut out, until when (UTC) and why."""
    from tacit.server import admin as work

    found = work.with_store(database, work.shut_outs)
    for mark, until, reason in found:
        click.echo(f"{mark}  until {_when(until)}  {reason}")
    click.echo(f"{len(found)} people.")


@admin.command("let-in")
@click.argument("mark")
@DATABASE
@reports_errors
def let_in(mark: str, database: str | None) -> None:
    """Lift a shutting out, by the mark that shut-outs shows."""
    from tacit.server import admin as work

    work.with_store(database, lambda store: work.let_in(store, mark))
    click.echo(f"{mark} is let in again.")
