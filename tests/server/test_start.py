"""How a server takes its database: files that only their owner reads, one server a file, and a start that fails says
why in one sentence.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.server import migrations
from tacit.server.database import claimed, database_url
from tacit.server.errors import RequestRefused
from tests.server import forked
from tests.server.conftest import new_database
from tests.server.harness import ROOT, Api, Process, config, free_port

LIMIT = 60  # seconds for a start that fails, on a busy machine


def start(database: str, within: tuple[str, ...] = (), **environment: str) -> tuple[int, str]:
    """`tacit serve` with a database that it cannot use: its exit status, and all it said."""
    words = ["serve", "--port", "0", "--log-format", "quiet", *(["--database", database] if database else [])]
    if not within:
        return forked.command(words, os.environ | environment, LIMIT)
    command = [*within, sys.executable, "-m", "tacit", *words]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, timeout=LIMIT)
    return done.returncode, (done.stdout + done.stderr).decode()


def says_why(database: str, wanted: str, within: tuple[str, ...] = (), **environment: str) -> None:
    """One sentence, no traceback, and an exit status that is not zero."""
    status, said = start(database, within, **environment)
    assert status not in (0, None)
    assert re.search(wanted, said), said
    assert "Traceback" not in said
    sentences = [
        line for line in said.strip().splitlines() if not re.match(r"\d{4}-\d\d-\d\dT", line)
    ]  # logs have dates
    assert len(sentences) == 1, said


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    says_why(f"sqlite:///{tmp_path}/nowhere/tacit.db", "The folder .*/nowhere does not exist")


def test_a_default_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    says_why("", "cannot be written to: Not a directory", TACIT_DATA=str(tmp_path / "file" / "data"))


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    says_why(f"sqlite:///{tmp_path}", "cannot be written to: Is a directory")


def test_a_file_system_that_is_read_only() -> None:
    says_why("sqlite:////sys/tacit.db", "cannot be written to: (Read-only file system|Permission denied|Operation not)")


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    nothing_may_grow = ("prlimit", "--fsize=1")
    says_why(f"sqlite:///{tmp_path}/tacit.db", "cannot be written to: (disk I/O|database or disk)", nothing_may_grow)


@pytest.mark.parametrize("damage", ["another kind of file", "cut off", "overwritten"])
def test_a_file_that_is_damaged(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "tacit.db"
    if damage == "another kind of file":
        path.write_bytes(b"These are not the cards you are looking for." * 100)
    else:
        with claimed(database_url(f"sqlite:///{path}")):
            pass
        whole = path.read_bytes()
        path.write_bytes(
            whole[: len(whole) // 2] if damage == "cut off" else whole[:100] + b"\xaa" * (len(whole) - 100)
        )
    says_why(f"sqlite:///{path}", "tacit.db is not an SQLite database, or it is damaged")


def test_a_database_of_another_program(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.db") as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    other.close()
    says_why(f"sqlite:///{tmp_path}/x.db", "holds another program’s tables")
    with sqlite3.connect(tmp_path / "x.db") as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
    other.close()


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    with claimed(database_url(f"sqlite:///{tmp_path}/x.db")):
        pass
    with sqlite3.connect(tmp_path / "x.db") as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.close()
    says_why(f"sqlite:///{tmp_path}/x.db", "newer version of tacit")


def test_postgresql_that_does_not_answer() -> None:
    says_why(f"postgresql://ada:secret@127.0.0.1:{free_port()}/tacit", r"postgresql://ada:\*\*\*@.* cannot be reached")


def test_postgresql_that_knows_no_such_database(postgres: str) -> None:
    head, _, query = postgres.partition("?")
    says_why(f"{head.rpartition('/')[0]}/nowhere?{query}", 'cannot be reached: database "nowhere" does not exist')


def test_postgresql_with_tables_of_another_program(postgres: str) -> None:
    import asyncpg

    database = new_database(postgres)

    async def fill() -> None:
        connection = await asyncpg.connect(database)
        await connection.execute("CREATE TABLE songs (title TEXT)")
        await connection.close()

    asyncio.run(fill())
    says_why(database, "holds another program’s tables")


# ------------------------------------------------------------------ whose file it is
def test_every_file_is_its_owners_also_one_that_was_not(tmp_path: Path) -> None:
    """Dealt cards are in it. Files that were readable to all are made private at the next start."""
    path = tmp_path / "tacit.db"
    before = os.umask(0o000)
    try:
        with sqlite3.connect(path) as old:
            old.execute("PRAGMA journal_mode=WAL")
            old.execute("PRAGMA user_version=1")
        (tmp_path / "tacit.db.lock").write_bytes(b"")
        assert stat.S_IMODE(path.stat().st_mode) & 0o044
        server = Process(config(f"sqlite:///{path}"))
    finally:
        os.umask(before)
        old.close()
    try:
        server.wait()
        Api(server.url).make("toy", 2, people=2)
        found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        beside = {"tacit.db-wal", "tacit.db-shm", "tacit.db.lock", "tacit.db.secrets", "tacit.db.push"}
        assert set(found) == {"tacit.db", *beside}
        assert set(found.values()) == {0o600}
    finally:
        server.kill()


def test_a_second_server_is_refused_and_the_admin_is_not(sqlite_database: str) -> None:
    server = Process(config(sqlite_database))
    try:
        server.wait()
        says_why(sqlite_database, "Another server is using the database .*tacit.db. Stop that one first")
        assert forked.command(["admin", "list", "--database", sqlite_database], dict(os.environ), LIMIT)[0] == 0
    finally:
        server.kill()  # as a power cut would: the lock goes with the process
    again = Process(config(sqlite_database))
    try:
        again.wait()
    finally:
        again.kill()


def test_a_claim_ends_with_its_block(sqlite_database: str) -> None:
    url = database_url(sqlite_database)
    with claimed(url), pytest.raises(RequestRefused, match="Another server"), claimed(url):
        pass
    with claimed(url):
        pass


# ------------------------------------------------------------------ how soon it answers
WAITS_FOR_NOTHING_OF = {"alembic", "asyncpg", "numba", "redis", "scipy", "sqlalchemy.dialects.postgresql", "webauthn"}


def test_a_start_loads_only_what_the_first_answer_needs(sqlite_database: str) -> None:
    """Of a database that needs no migration."""
    with claimed(database_url(sqlite_database)):
        pass
    code = (
        "import sys; from tacit.server.serve import App, Config, claimed, database_url\n"
        "with claimed(database_url(sys.argv[1])): App(Config(database=sys.argv[1])).asgi()\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, sqlite_database], cwd=ROOT, capture_output=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr.decode()
    assert not WAITS_FOR_NOTHING_OF & set(done.stdout.decode().split())


def test_the_newest_schema_is_the_one_that_migrations_end_at() -> None:
    from alembic.script import ScriptDirectory

    assert ScriptDirectory(str(migrations.HERE)).get_heads() == [migrations.newest()]
