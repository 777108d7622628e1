"""The database itself: where it is, how it is opened, who may use it, and why it cannot be used.

Hidden cards are in it: an SQLite file is readable by its owner alone, and errors name no values.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tacit.server import logs
from tacit.server.errors import RequestRefused, refuse
from tacit.server.models import server

CONNECT_WITHIN = 10  # seconds
OPTIONS: dict[str, Any] = {"hide_parameters": True, "connect_args": {"timeout": CONNECT_WITHIN}}
RELEASED_WITHIN = 1.0  # seconds in which a server that stops gives its file free for the next one
AWAY = (DBAPIError, OSError, sa.exc.TimeoutError)  # all that a database raises; `is_away` says which of it passes
# SQLSTATE classes of PostgreSQL: connection, transaction rolled back, resources, object in use, operator, system.
PASSING_STATES = {"08", "40", "53", "55", "57", "58"}
READ_ONLY_STATE = "25006"  # a standby: the primary may come back
PASSING_CODES = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
}  # fmt: skip
DAMAGED_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


# ------------------------------------------------------------------ where it is
def data_home() -> Path:
    """Where the database is kept by default: $TACIT_DATA, or `tacit` in the user's data folder."""
    if "TACIT_DATA" in os.environ:
        return Path(os.environ["TACIT_DATA"])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tacit"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "tacit"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tacit"


def database_url(given: str | None) -> sa.URL:
    """The address of the database, with the driver we use; by default a file of the user's. Nothing is opened.

    Raises RequestRefused for a database that is neither an SQLite file nor PostgreSQL.
    """
    if given is None:
        return sa.URL.create("sqlite+aiosqlite", database=str(data_home() / "tacit.db"))
    try:
        url = sa.make_url(given)
    except sa.exc.ArgumentError:
        raise refuse("database.scheme", given=given[:12]) from None
    kind = url.get_backend_name()
    if kind == "sqlite" and url.database and not url.database.startswith((":memory:", "file:")):
        return url.set(drivername="sqlite+aiosqlite")
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+asyncpg")
    raise refuse("database.scheme", given=kind)


# ------------------------------------------------------------------ opening it
def new_engine(url: sa.URL) -> AsyncEngine:
    """Connections for reading, and with PostgreSQL also for writing."""
    if url.get_backend_name() == "postgresql":
        return create_async_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=5, **OPTIONS)
    engine = create_async_engine(url, **OPTIONS)
    _durable(engine.sync_engine)
    return engine


def new_writing_engine(url: sa.URL) -> sa.Engine:
    """SQLite's connection for the writer: transactions begin when they are told to, so that savepoints work."""
    engine = _durable(sa.create_engine(url.set(drivername="sqlite"), **OPTIONS))

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _durable(engine: sa.Engine) -> sa.Engine:
    @sa.event.listens_for(engine, "connect")
    def durable(connection: Any, _: object) -> None:
        """Readers do not wait for the writer, and a commit has reached the disk when it returns."""
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


async def migrate(engine: AsyncEngine) -> None:
    """Bring a database to the newest form; several processes may try at once."""
    from tacit.server.migrations import upgrade

    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(sa.text("SELECT pg_advisory_xact_lock(7384201)"))
        await connection.run_sync(upgrade)


# ------------------------------------------------------------------ what an error means
def is_away(error: BaseException) -> bool:
    """Can nobody be served just now, so that it is worth trying again? False: it is this write that is wrong."""
    if isinstance(error, OSError | sa.exc.TimeoutError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return state[:2] in PASSING_STATES or state == READ_ONLY_STATE
    return _sqlite_code(cause) in PASSING_CODES


def _sqlite_code(error: BaseException) -> int | None:
    """SQLite's primary result code."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


# ------------------------------------------------------------------ a server takes it
@contextlib.contextmanager
def claimed(url: sa.URL) -> Iterator[None]:
    """Hold the database for one server, checked and in its newest form; a refusal that says why it cannot be used.

    An SQLite file is made readable by its owner alone, and no second server can claim it. `tacit admin` needs no
    claim. PostgreSQL serves any number of servers.
    """
    with contextlib.ExitStack() as held:
        if url.get_backend_name() == "sqlite":
            path = Path(url.database or "")
            make_private(path)
            held.enter_context(_locked(path))
        try:
            asyncio.run(_check(url))
        except Exception as error:
            raise _why(url, error) from error
        yield


def make_private(path: Path) -> None:
    """Make an SQLite file, if there is none, and let nobody but its owner read it or what SQLite puts beside it.

    Only the default folder is made; raises RequestRefused where there is no folder or the file cannot be written.
    """
    try:
        if path.parent == data_home():
            path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.is_dir():
            raise refuse("database.folder", folder=str(path.parent))
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise refuse("database.write", path=str(path), reason=error.strerror or str(error)) from None
    for one in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
        with contextlib.suppress(FileNotFoundError):
            if stat.S_IMODE(one.stat().st_mode) & 0o077 and os.name != "nt":
                try:
                    one.chmod(0o600)
                except OSError:  # another's file, or a file system without permissions
                    logs.note("database.readable-by-others", logging.WARNING)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of an SQLite file: a lock of SQLite's own, on a file beside it. It ends with the process."""
    beside = path.with_name(path.name + ".lock")
    make_private(beside)
    with contextlib.closing(sqlite3.connect(beside, timeout=RELEASED_WITHIN, isolation_level=None)) as lock:
        try:
            lock.execute("PRAGMA journal_mode=MEMORY")  # nothing is ever written: no third file
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if _sqlite_code(error) == sqlite3.SQLITE_BUSY:
                raise refuse("database.used", path=str(path)) from None
            raise refuse("database.write", path=str(beside), reason=str(error)) from None
        yield


async def _check(url: sa.URL) -> None:
    """Is this database ours, or empty? Then bring it up to date."""
    engine = new_engine(url)
    try:
        async with engine.connect() as connection:
            found = set(await connection.run_sync(lambda sync: sa.inspect(sync).get_table_names()))
        if found and not found >= {"alembic_version", "steps"}:
            raise refuse("database.foreign", database=_name(url))
        await migrate(engine)
        async with engine.begin() as connection:  # a disk that is full or read-only says so here
            await connection.execute(sa.update(server).values(name=server.c.name))
    finally:
        await engine.dispose()


def _why(url: sa.URL, error: Exception) -> RequestRefused:
    """One sentence for whoever starts the server."""
    from alembic.util import CommandError

    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, CommandError):  # a step of migration that we do not know
        return refuse("database.newer", database=_name(url))
    cause = getattr(error, "orig", None) or error
    code = _sqlite_code(cause)
    if code in DAMAGED_CODES:
        return refuse("database.damaged", path=url.database)
    reason = getattr(cause, "strerror", None) or str(cause).partition("\n")[0] or type(cause).__name__
    if url.get_backend_name() == "sqlite":
        return refuse("database.write", path=url.database, reason=reason)
    return refuse("database.away", database=_name(url), reason=reason)


def _name(url: sa.URL) -> str:
    """A database as its host calls it, without the password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)
