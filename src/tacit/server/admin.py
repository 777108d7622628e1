"""What `tacit admin` does with the database, also while the server runs.

Only `export --running` and backups contain cards of running matches, and they say so.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import os
import secrets
import shutil
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tacit.core.errors import TacitError
from tacit.server import logs
from tacit.server.bus import Bus, LocalBus, Note, PostgresBus
from tacit.server.config import Config
from tacit.server.database import AWAY, database_url, migrate
from tacit.server.deal_secrets import ENVIRONMENT, add_secret, secrets_file
from tacit.server.live_table import LiveTable
from tacit.server.models import attempts, chat, looks, metadata, seats, server, shut_out, steps, tables
from tacit.server.store import Store

T = TypeVar("T")
DAY = 86_400.0
BATCH = 500  # rows read or written at once
FORMAT = "tacit backup 1"
SQLITE, POSTGRES, GZIP = b"SQLite format 3\0", b"PGDMP", b"\x1f\x8b"


class AdminError(Exception):
    """The command failed and changed nothing; the message is for the host."""


class Listed(msgspec.Struct, frozen=True):
    """A table in the list."""

    table: str
    mark: str  # what logs call it
    game: str
    phase: str
    visibility: str
    people: int
    bots: int
    made: float
    steps: int
    last: float  # when it last changed


@contextlib.asynccontextmanager
async def opened(database: str | None) -> AsyncIterator[Store]:
    """The store, without its writer. Raises AdminError if the database is missing or cannot be used."""
    url = database_url(database)
    path = url.database or ""
    if url.get_backend_name() == "sqlite" and (not Path(path).exists() or Path(path).stat().st_size == 0):
        raise AdminError(f"There is no database at {path}.")
    store = Store(url, LocalBus())
    try:
        await store.ping()
        async with store.engine.connect() as connection:
            found = await connection.run_sync(lambda sync: sa.inspect(sync).has_table("steps"))
        if not found:
            raise AdminError("This database has no tables of tacit: no server has used it yet.")
        yield store
    except AWAY as error:
        raise AdminError(f"The database cannot be used: {type(getattr(error, 'orig', error)).__name__}.") from None
    finally:
        await store.engine.dispose()


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


# ------------------------------------------------------------------ reading
async def listed(store: Store, phase: str | None = None, game: str | None = None) -> list[Listed]:
    """All tables, those that changed last first."""
    people = sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id, seats.c.kind == "person")
    bots = sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id, seats.c.kind == "bot")
    count = sa.select(sa.func.count()).where(steps.c.table_id == tables.c.id)
    last = sa.func.coalesce(
        sa.select(sa.func.max(steps.c.at)).where(steps.c.table_id == tables.c.id).scalar_subquery(), tables.c.made
    ).label("last")
    query = sa.select(
        tables.c.id, tables.c.game, tables.c.phase, tables.c.visibility, people.scalar_subquery(),
        bots.scalar_subquery(), tables.c.made, count.scalar_subquery(), last,
    )  # fmt: skip
    if phase is not None:
        query = query.where(tables.c.phase == phase)
    if game is not None:
        query = query.where(tables.c.game == game)
    async with store.engine.connect() as connection:
        found = await connection.execute(query.order_by(last.desc(), tables.c.id))
        return [Listed(row[0], logs.mark(row[0]), *row[1:]) for row in found]


async def find(store: Store, given: str) -> str:
    """A table by its name, or by the mark that logs have."""
    async with store.engine.connect() as connection:
        names = list((await connection.execute(sa.select(tables.c.id))).scalars())
    for name in names:
        if given in (name, logs.mark(name)):
            return str(name)
    raise AdminError(f"There is no table “{given}”. tacit admin list shows them.")


async def inspected(store: Store, given: str, names: bool) -> dict[str, Any]:
    """One table: who sits there and how far the match is. No cards, no keys."""
    name = await find(store, given)
    row, found = await store.load(name, 0)
    assert row is not None
    seats = []
    for q, seat_row in enumerate(row.seats):
        shown: dict[str, Any] = {"seat": q, "kind": seat_row.kind}
        shown |= {"bot": seat_row.bot} if seat_row.bot else {}
        shown |= {"name": seat_row.name} if names and seat_row.name else {}
        shown |= {"sitting_in": seat_row.sitting_in} if seat_row.sitting_in else {}
        shown |= {"left": True} if seat_row.left else {}
        seats.append(shown)
    decisions = [step for step in found if step.seat is not None]
    return {
        "table": name, "mark": logs.mark(name), "game": row.game, "rules_version": row.rules_version,
        "options": row.options, "phase": row.phase, "visibility": row.visibility, "spectators": row.spectators,
        "clock": row.clock, "made": row.made, "last": max([row.made, *(step.at for step in found)]),
        "steps": len(found), "decisions": len(decisions), "next": row.next, "seats": seats,
    }  # fmt: skip


# ------------------------------------------------------------------ changing
async def close(store: Store, given: str) -> str:
    """Delete a table, and return its name. Running servers tell its players."""
    name = await find(store, given)
    await _change(store, [name], [sa.delete(tables).where(tables.c.id == name)])
    return name


async def prune(store: Store, tables_days: float | None, names_days: float | None, dry: bool) -> tuple[int, int]:
    """Delete tables unused for so long, and names and chat of finished matches; how many tables of each."""
    now = time.time()
    found = await listed(store)
    gone = [t.table for t in found if tables_days is not None and t.last < now - tables_days * DAY]
    old = [t.table for t in found if names_days is not None and t.phase == "over" and t.last < now - names_days * DAY]
    named = sa.and_(seats.c.name.is_not(None), seats.c.table_id.in_(sa.select(tables.c.id)))
    async with store.engine.connect() as connection:
        having = set((await connection.execute(sa.select(seats.c.table_id).where(named))).scalars())
        having |= set((await connection.execute(sa.select(chat.c.table_id))).scalars())
    forget = [name for name in old if name in having and name not in set(gone)]
    if not dry:
        for at in range(0, len(gone), BATCH):
            some = gone[at : at + BATCH]
            await _change(store, some, [sa.delete(tables).where(tables.c.id.in_(some)), _nameless_results(some)])
        for at in range(0, len(forget), BATCH):
            some = forget[at : at + BATCH]
            nameless = sa.update(seats).where(seats.c.table_id.in_(some)).values(name=None)
            newer = sa.update(tables).where(tables.c.id.in_(some)).values(revision=tables.c.revision + 1)
            talk = sa.delete(chat).where(chat.c.table_id.in_(some))
            await _change(store, some, [nameless, talk, newer, _nameless_results(some)])
        if tables_days is not None:
            await _change(store, [], [sa.delete(looks).where(looks.c.at < now - tables_days * DAY)])
    return len(gone), len(forget)


def _nameless_results(names: list[str]) -> sa.Update:
    """Forget who played at these tables, also in the results of deals."""
    return sa.update(attempts).where(attempts.c.table_id.in_(names)).values(names=[])


async def _change(store: Store, names: list[str], statements: list[Any]) -> None:
    """Execute in one transaction, and notify running servers."""
    bus: Bus = PostgresBus(store.url) if store.postgres else LocalBus()
    insert = store.insert(server).values(name="admin", value=secrets.token_bytes(8))
    left = insert.on_conflict_do_update(index_elements=["name"], set_={"value": insert.excluded.value})
    async with store.engine.begin() as connection:
        for statement in statements:
            await connection.execute(statement)
        await connection.execute(left)
        await connection.run_sync(bus.announce, [Note("people"), *(Note("table", name) for name in names)])


async def shut_out_person(store: Store, given: str, seat: int, days: float, reason: str) -> str:
    """Shut out the person on a seat of a table; returns the mark by which `let_in` finds them."""
    name = await find(store, given)
    here = sa.and_(seats.c.table_id == name, seats.c.seat == seat)
    async with store.engine.connect() as connection:
        person = (await connection.execute(sa.select(seats.c.player).where(here))).scalar()
    if person is None:
        raise AdminError("Nobody sits there whom this server would know again.")
    now = time.time()
    values = {"until": now + days * DAY, "reason": reason, "at": now}
    insert = store.insert(shut_out).values(values | {"person": person})
    out = insert.on_conflict_do_update(index_elements=["person"], set_=values)
    await _change(store, [], [out])
    return str(person)[:16]


async def shut_outs(store: Store) -> list[tuple[str, float, str]]:
    """Who is shut out: mark, until when, and why."""
    async with store.engine.connect() as connection:
        found = await connection.execute(sa.select(shut_out).order_by(shut_out.c.until))
        return [(row.person[:16], row.until, row.reason) for row in found]


async def let_in(store: Store, mark: str) -> None:
    """Lift a shutting out."""
    if mark not in [one for one, _, _ in await shut_outs(store)]:
        raise AdminError(f"Nobody with the mark “{mark}” is shut out. tacit admin shut-outs shows them.")
    await _change(store, [], [sa.delete(shut_out).where(shut_out.c.person.startswith(mark, autoescape=True))])


async def rotate_secret(store: Store) -> tuple[int, Path]:
    """Begin a new epoch of the secret that cards follow from: its number, and the file that it is in."""
    if ENVIRONMENT in os.environ:
        raise AdminError(
            f"The secrets are in {ENVIRONMENT}. Add one there: the next number, a blank and 64 hex digits."
        )
    file = secrets_file(store.url)
    async with store.engine.connect() as connection:
        known = await store.fingerprints(connection)
    lost = None if file.exists() else max((int(name.rpartition(" ")[2]) for name in known), default=0) + 1
    return await asyncio.to_thread(add_secret, file, lost), file


# ------------------------------------------------------------------ exporting records
async def export(store: Store, folder: Path, running: bool, names: bool) -> tuple[int, list[str]]:
    """Write the record of every finished match (and of running ones, with their cards) to a file each.

    Returns how many were written, and the marks of those that could not be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written, wrong = 0, []
    for one in await listed(store):
        if one.phase == "gathering" or (one.phase == "playing" and not running):
            continue
        row, found = await store.load(one.table, 0)
        if row is None:
            continue
        try:
            table = LiveTable(row, Config())
            trouble = table.trouble()
            if trouble is not None:
                raise trouble
            table.replay(row, found)
            text = table.text(names)
        except TacitError:
            wrong.append(one.mark)
            continue
        path = folder / f"{row.game}-{row.id}.tacit"
        _private(path).write_text(text, encoding="utf-8")
        written += 1
    return written, wrong


# ------------------------------------------------------------------ backup and restore
def _private(path: Path) -> Path:
    """Create a file that only its owner can read: it will hold hidden cards and hashes of keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_TRUNC, 0o600))
    return path


async def backup(database: str | None, file: Path, own: bool) -> str:
    """Copy the database while servers run, as of one moment; returns how the copy was made."""
    if file.exists():
        raise AdminError(f"{file} exists already; name another file.")
    async with opened(database) as store:
        part = file.with_name(file.name + ".part")
        try:
            how = await _backup(store, _private(part), own)
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)
    return how


async def _backup(store: Store, part: Path, own: bool) -> str:
    if own:
        return await _write_rows(store, part)
    if not store.postgres:
        await asyncio.to_thread(_copy_sqlite, Path(store.url.database or ""), part)
        return "SQLite's online backup"
    dump = shutil.which("pg_dump")
    if dump is not None:
        address = store.url.set(drivername="postgresql").render_as_string(hide_password=False)
        command = [dump, "--format=custom", "--no-owner", "--no-privileges", f"--file={part}", "--dbname", address]
        if (await asyncio.to_thread(subprocess.run, command, capture_output=True)).returncode == 0:
            return "pg_dump"
    return await _write_rows(store, part)  # none there, or one that is older than the server


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy some pages at a time, so that the server's writer need not wait."""
    with contextlib.closing(sqlite3.connect(source)) as old, contextlib.closing(sqlite3.connect(target)) as new:
        old.backup(new, pages=256, sleep=0.005)
        if new.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise AdminError("The copy is damaged. Check the disk.")


async def _write_rows(store: Store, part: Path) -> str:
    """Our own format: every row as a line of JSON, from one snapshot. Either kind of database can restore it."""
    lines = 0
    async with store.engine.connect() as plain:
        connection = await plain.execution_options(isolation_level="REPEATABLE READ") if store.postgres else plain
        if not store.postgres:
            await connection.exec_driver_sql("BEGIN")  # Python's driver begins none to read: each table would be newer
        with gzip.open(part, "wb", 5) as out:
            out.write(msgspec.json.encode({"format": FORMAT, "made": time.time()}) + b"\n")
            for table in metadata.sorted_tables:
                found = await connection.stream(sa.select(table), execution_options={"yield_per": BATCH})
                async for row in found.mappings():
                    out.write(
                        msgspec.json.encode([str(table.name), {str(name): value for name, value in row.items()}])
                        + b"\n"
                    )
                    lines += 1
            out.write(msgspec.json.encode({"rows": lines}) + b"\n")
    return "tacit's own format"


async def restore(database: str | None, file: Path, replace: bool) -> int:
    """Restore a backup into a database that no server uses; returns how many tables it has then."""
    if not file.exists():
        raise AdminError(f"There is no file {file}.")
    with file.open("rb") as opening:
        head = opening.read(16)
    url = database_url(database)
    store = Store(url, LocalBus())
    try:
        await _need_unused(store, replace)
        if head.startswith(SQLITE):
            if store.postgres:
                raise AdminError("This is a copy of an SQLite file. For PostgreSQL, make the backup with --own.")
            await asyncio.to_thread(_copy_sqlite, file, Path(url.database or ""))
        elif head.startswith(POSTGRES):
            await _pg_restore(store, file)
        elif head.startswith(GZIP):
            await _read_rows(store, file)
        else:
            raise AdminError(f"{file} is not a backup of tacit.")
        await migrate(store.engine)
        async with store.engine.connect() as connection:
            return int((await connection.execute(sa.select(sa.func.count()).select_from(tables))).scalar_one())
    except AWAY as error:
        raise AdminError(f"The database cannot be used: {type(getattr(error, 'orig', error)).__name__}.") from None
    finally:
        await store.engine.dispose()


async def _need_unused(store: Store, replace: bool) -> None:
    """Refuse if a server uses the database, or if it has tables that may not be replaced."""
    path = Path(store.url.database or "")
    if not store.postgres:
        if not path.exists():
            _private(path)
        with contextlib.closing(sqlite3.connect(path, timeout=0.5)) as connection:
            try:
                connection.execute("PRAGMA journal_mode=DELETE").fetchone()  # fails while another connection is open
            except sqlite3.OperationalError:
                raise AdminError("A server uses this database. Stop it first.") from None
            except sqlite3.DatabaseError:
                raise AdminError(f"{path} is not a database.") from None
    async with store.engine.connect() as connection:
        if store.postgres:
            others = "datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            count = await connection.execute(sa.text(f"SELECT count(*) FROM pg_stat_activity WHERE {others}"))
            if int(count.scalar_one()):
                raise AdminError("Somebody else is connected to this database. Stop the servers first.")
        here = await connection.run_sync(lambda sync: sa.inspect(sync).has_table("tables"))
        if here and not replace:
            count = await connection.execute(sa.select(sa.func.count()).select_from(tables))
            if int(count.scalar_one()):
                raise AdminError("There are tables in this database already. To delete them, give --replace.")


async def _pg_restore(store: Store, file: Path) -> None:
    tool = shutil.which("pg_restore")
    if tool is None:
        raise AdminError("This backup was made with pg_dump, and pg_restore is not installed.")
    if not store.postgres:
        raise AdminError("This backup was made with pg_dump. For SQLite, make the backup with --own.")
    await store.engine.dispose()
    address = store.url.set(drivername="postgresql").render_as_string(hide_password=False)
    command = [tool, "--clean", "--if-exists", "--no-owner", "--single-transaction", "--dbname", address, str(file)]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True)
    if done.returncode:
        raise AdminError("pg_restore could not restore this backup, and nothing has changed.")


def _rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a backup in our own format. Raises AdminError if it is damaged."""
    known = {table.name: table for table in metadata.sorted_tables}
    try:
        with gzip.open(file, "rb") as lines:
            head = msgspec.json.decode(next(iter(lines)))
            if not isinstance(head, dict) or head.get("format") != FORMAT:
                raise AdminError(f"{file} is not a backup of tacit, or it is of a newer version.")
            count = 0
            for line in lines:
                found = msgspec.json.decode(line)
                if isinstance(found, dict):
                    if found.get("rows") != count:
                        break
                    return
                name, row = found
                if name == "server":
                    row = msgspec.convert(row, dict[str, Any])
                    row["value"] = msgspec.convert(row["value"], bytes)
                if name == "seats":  # mutes of seats, from before they were people's
                    row["muted"] = [person for person in row["muted"] if isinstance(person, str)]
                if name not in known:
                    break
                yield name, row
                count += 1  # noqa: SIM113 the last line is not one
    except (OSError, EOFError, StopIteration, ValueError):
        pass
    raise AdminError(f"{file} is damaged. Nothing has changed.")


async def _read_rows(store: Store, file: Path) -> None:
    """Restore our own format in one transaction."""
    await migrate(store.engine)

    async def fill(connection: AsyncConnection) -> None:
        for table in reversed(metadata.sorted_tables):
            await connection.execute(sa.delete(table))
        waiting: list[dict[str, Any]] = []
        before = ""
        for name, row in [*_rows(file), ("", {})]:
            if waiting and (name != before or len(waiting) >= BATCH):
                await connection.execute(sa.insert(metadata.tables[before]), waiting)
                waiting = []
            before = name
            waiting.append(row)

    async with store.engine.begin() as connection:
        await fill(connection)


Work = Callable[[Store], Coroutine[Any, Any, T]]


def with_store(database: str | None, work: Work[T]) -> T:
    """Run work with an open store."""

    async def whole() -> T:
        async with opened(database) as store:
            return await work(store)

    return asyncio.run(whole())
