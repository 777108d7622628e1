"""The database: its URL, its engines, its errors, and the lock that a server holds on an SQLite file.

It holds hidden cards: an SQLite file is readable by its owner only, and errors name no values.
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
from importlib import import_module
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
LOCK_WITHIN = 1.0  # seconds that a stopping server has to release its file
AWAY = (DBAPIError, OSError, sa.exc.TimeoutError)  # the errors of databases; `is_away` says which are temporary
# SQLSTATE classes of PostgreSQL: connection, transaction rolled back, resources, object in use, operator, system.
TRANSIENT_STATES = {"08", "40", "53", "55", "57", "58"}
READ_ONLY_STATE = "25006"  # a standby: the primary may come back
TRANSIENT_CODES = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
}  # fmt: skip
DAMAGED_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


# ------------------------------------------------------------------ its URL
def data_home() -> Path:
    """The default folder of the database: $TACIT_DATA, or `tacit` in the user's data folder."""
    if "TACIT_DATA" in os.environ:
        return Path(os.environ["TACIT_DATA"])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tacit"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "tacit"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tacit"


def database_url(given: str | None) -> sa.URL:
    """The URL of the database with our driver; by default a file in `data_home`. Opens nothing.

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


# ------------------------------------------------------------------ engines
def new_engine(url: sa.URL) -> AsyncEngine:
    """The engine for reading, and with PostgreSQL also for writing."""
    if url.get_backend_name() == "postgresql":
        return create_async_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=5, **OPTIONS)
    engine = create_async_engine(url, **OPTIONS)
    _durable(engine.sync_engine)
    return engine


def new_writing_engine(url: sa.URL) -> sa.Engine:
    """SQLite's engine for the writer. Transactions begin explicitly, so that savepoints work; they may end in another
    thread.
    """
    arguments = OPTIONS["connect_args"] | {"check_same_thread": False}
    engine = _durable(sa.create_engine(url.set(drivername="sqlite"), **OPTIONS | {"connect_args": arguments}))

    @sa.event.listens_for(engine, "connect")
    def enlarge(connection: Any, _: object) -> None:
        """Keep 8 MB of pages, not 2: each few busy tables write to a page of their own in the index of steps."""
        connection.execute("PRAGMA cache_size=-8192")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _durable(engine: sa.Engine) -> sa.Engine:
    @sa.event.listens_for(engine, "connect")
    def durable(connection: Any, _: object) -> None:
        """Readers do not wait for the writer, and a commit is on the disk when it returns."""
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def insert_of(dialect: str, table: sa.Table) -> Any:
    """An INSERT that knows ON CONFLICT. Imports one dialect: the other costs a start 40 ms."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


async def migrate(engine: AsyncEngine) -> None:
    """Migrate a database to the newest schema, where it is not there yet. Several processes may do so at once."""
    from tacit.server.migrations import is_newest, upgrade

    async with engine.begin() as connection:
        if await connection.run_sync(is_newest):
            return
        if engine.dialect.name == "postgresql":
            await connection.execute(sa.text("SELECT pg_advisory_xact_lock(7384201)"))
        await connection.run_sync(upgrade)


# ------------------------------------------------------------------ errors
def is_away(error: BaseException) -> bool:
    """Is the database away, so that a retry may succeed? False: this write itself is wrong."""
    if isinstance(error, OSError | sa.exc.TimeoutError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return state[:2] in TRANSIENT_STATES or state == READ_ONLY_STATE
    return _sqlite_code(cause) in TRANSIENT_CODES


def _sqlite_code(error: BaseException) -> int | None:
    """SQLite's primary result code."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


# ------------------------------------------------------------------ the claim of a server
@contextlib.contextmanager
def claimed(url: sa.URL) -> Iterator[None]:
    """Check and migrate the database, and hold it for one server. Refuses if it cannot be used.

    An SQLite file is made readable by its owner only, and no second server can claim it. `tacit admin` needs no claim.
    Any number of servers may share a PostgreSQL.
    """
    with contextlib.ExitStack() as stack:
        if url.get_backend_name() == "sqlite":
            path = Path(url.database or "")
            make_private(path)
            stack.enter_context(_locked(path))
        try:
            asyncio.run(_check(url))
        except Exception as error:
            raise _refusal(url, error) from error
        yield


def make_private(path: Path) -> None:
    """Create an SQLite file if it is missing, and make it and SQLite's files beside it readable by the owner only.

    Creates the default folder, but no other. Raises RequestRefused if there is no folder or the file is not writable.
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
    """Hold a lock for an SQLite file: an SQLite lock on a file beside it. It ends with the process."""
    beside = path.with_name(path.name + ".lock")
    make_private(beside)
    with contextlib.closing(sqlite3.connect(beside, timeout=LOCK_WITHIN, isolation_level=None)) as lock:
        try:
            lock.execute("PRAGMA journal_mode=MEMORY")  # nothing is written: no journal file
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if _sqlite_code(error) == sqlite3.SQLITE_BUSY:
                raise refuse("database.used", path=str(path)) from None
            raise refuse("database.write", path=str(beside), reason=str(error)) from None
        yield


async def _check(url: sa.URL) -> None:
    """Migrate the database. Refuses one that is neither ours nor empty."""
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


def _refusal(url: sa.URL, error: Exception) -> RequestRefused:
    """The error for the person who starts the server."""
    from alembic.util import CommandError

    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, CommandError):  # an unknown migration
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
    """A database's URL or path, without the password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)
