"""Several processes on one database, and processes that die: nothing that was sent is lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tacit import GAMES, Match
from tacit.server.bus import LocalBus
from tacit.server.database import database_url
from tacit.server.store import Store
from tests.server.harness import (
    BUSES,
    TRUST,
    Api,
    Person,
    Process,
    answers,
    anything,
    both_buses,
    config,
    free_port,
    run,
    serving,
    workers,
)

LONG = "TACIT_LONG" in os.environ


def test_seats_of_one_table_on_two_processes(postgres_database: str) -> None:
    """Whole matches: people on both, bots decided by whichever is first, frames as in one."""
    first, second = Process(config(postgres_database)), Process(config(postgres_database))
    try:
        first.wait()
        second.wait()
        api = Api(first.url)

        async def play(game: str) -> None:
            table, keys = api.make(game, 3, people=2)
            ada = await Person(first.url, table, keys[0]).connect()
            ben = await Person(second.url, table, keys[1]).connect()
            await ada.until(lambda: ada.last("table") and ada.last("table")["seats"][1]["presence"] == "here")
            assert (await ada.ask("start"))["type"] == "done"
            for person in (ada, ben):
                await person.over()
            assert ada.last("table")["result"] == ben.last("table")["result"]
            records = {Api(url).get(f"/api/tables/{table}/record", keys[0]).text for url in (first.url, second.url)}
            assert len(records) == 1
            assert Match.load(records.pop()).over
            await ben.close()
            await ada.until(lambda: ada.last("table")["seats"][1]["presence"] == "away")
            await ada.close()

        for game in [*GAMES, "toy"] if LONG else ["silver-and-gold", "silent-planet", "toy"]:
            run(play(game))
    finally:
        first.kill()
        second.kill()


@both_buses
def test_crossing_answers_on_two_processes_all_count(postgres_database: str) -> None:
    with serving(config(postgres_database)) as first, serving(config(postgres_database)) as second:
        api = Api(first.url)

        async def play() -> None:
            for _ in range(5):
                table, keys = await asyncio.to_thread(api.make, "toy", 3, people=3)
                await asyncio.to_thread(api.start, table, keys[0])
                urls = [first.url, second.url, second.url]
                people = [await Person(u, table, k, choose=None).connect() for u, k in zip(urls, keys, strict=True)]
                asked = [await person.asked() for person in people]
                answers = await asyncio.gather(
                    *(p.ask("act", ask=s["ask"], texts=s["legal"][:1]) for p, s in zip(people, asked, strict=True))
                )
                assert [answer["type"] for answer in answers] == ["done"] * 3
                for person, before in zip(people, asked, strict=True):
                    await person.asked(after=before["ask"])
                # The same answer through two processes is applied once.
                again = [await person.asked(after=before["ask"]) for person, before in zip(people, asked, strict=True)]
                double = await Person(first.url, table, keys[2], choose=None).connect()
                answer = {"ask": again[2]["ask"], "texts": again[2]["legal"][:1]}
                both = await asyncio.gather(people[2].ask("act", **answer), double.ask("act", **answer))
                assert sorted((b["type"], b["again"]) for b in both) == [("done", False), ("done", True)]
                for person in [*people, double]:
                    await person.close()

        run(play())


@both_buses
def test_what_another_process_stores_while_a_table_is_read_is_not_missed(postgres_database: str) -> None:
    """Its note comes between the reading and the table's being there: a waiting request would wait for ever."""
    with serving(config(postgres_database)) as first, serving(config(postgres_database)) as second:
        api = Api(first.url)
        table, keys = api.make("silencio", 2, people=2)
        api.start(table, keys[0])
        store, bus = second.app.store, second.app.bus
        load, hear = store.load, second.app.tables.on_note
        noted = asyncio.Event()

        def hears(note: Any) -> None:
            hear(note)
            if note.about == "steps":
                noted.set()

        async def loads(name: str, after: int) -> Any:
            found = await load(name, after)
            if not noted.is_set():
                done = await asyncio.to_thread(api.post, f"/api/tables/{table}/act", keys[0], ask=1, texts=["claim"])
                assert done.status_code == 200
                await asyncio.wait_for(noted.wait(), 20)
            return found

        bus._on_note, store.load = hears, loads  # type: ignore[method-assign]

        async def play() -> None:
            ben = await Person(second.url, table, keys[1], choose=None).connect()
            await ben.until(lambda: ben.heard[-1:] == ["0 claim"])

        run(play())
        assert noted.is_set()


def test_killed_and_started_again_it_goes_on_exactly_where_it_was(database: str) -> None:
    settings = config(database)
    server = Process(settings).wait()
    api = Api(server.url)
    table, keys = api.make("zombie-city", 3, people=2)
    api.start(table, keys[0])

    async def play(seconds: float) -> list[dict[str, Any]]:
        people = [await Person(server.url, table, key).connect() for key in keys]
        until = time.monotonic() + seconds
        while time.monotonic() < until and people[0].phase != "over":
            await asyncio.sleep(0.01)
        for person in people:
            person.choose = None
        server.kill()
        for person in people:
            assert person.task is not None
            await person.task
        return people[0].frames

    heard: list[str] = []
    for seconds in (0.15, 0.2):
        frames = run(play(seconds))
        first = True
        for frame in frames:
            if frame["type"] == "seen":
                if first:  # what was heard before the power cut is still there
                    assert frame["keep"] == 0
                    assert frame["heard"][: len(heard)] == heard
                    first = False
                heard = heard[: frame["keep"]] + frame["heard"]
        server = Process(settings, server.port).wait()
    try:

        async def finish() -> None:
            people = [await Person(server.url, table, key).connect() for key in keys]
            for person in people:
                await person.over()
                await person.close()

        run(finish())
        assert Match.load(api.get(f"/api/tables/{table}/record", keys[0]).text).over
    finally:
        server.kill()


def stored(database: str, table: str, enough: Callable[[str, int], bool], seconds: float = 90.0) -> list[str]:
    """Wait until a match has come so far in the store (its phase, its steps), asking no server; its lines."""

    async def wait() -> list[str]:
        store = Store(database_url(database), LocalBus())
        try:
            until = time.monotonic() + seconds
            while True:
                row, steps = await store.load(table, 0)
                assert row is not None
                if enough(row.phase, len(steps)):
                    return [line for step in steps for line in step.lines]
                assert time.monotonic() < until, f"{len(steps)} steps, and nobody goes on"
                await asyncio.sleep(0.05)
        finally:
            await store.engine.dispose()

    return asyncio.run(wait())


def begun(database: str, table: str) -> None:
    """Wait until bots have decided something."""
    stored(database, table, lambda _, steps: steps > 2)


def finished(database: str, table: str) -> Match:
    """Wait until a match is over; its record's match."""
    lines = stored(database, table, lambda phase, _: phase == "over")
    match = Match("zombie-city", 3, settle=False)
    for line in lines:
        match.replay(line)
    assert match.over
    return match


def only_bots(url: str) -> str:
    """A begun match that nobody looks at."""
    api = Api(url)
    chairs = [{"kind": "bot", "bot": "steady"}] * 3
    made = api.post("/api/tables", game="zombie-city", seats=3, chairs=chairs).json()
    api.start(made["table"], made["key"])
    return str(made["table"])


@pytest.mark.parametrize("database", ["sqlite", *(BUSES if LONG else [])], indirect=True)
def test_bots_of_a_server_that_was_killed_go_on_alone(database: str) -> None:
    """Nobody looks at the table, before or after: the next server finds it by itself."""
    settings = config(database, bot_delay=(0.05, 0.06))
    server = Process(settings).wait()
    table = only_bots(server.url)
    begun(database, table)
    server.kill()
    server = Process(config(database))
    try:
        finished(database, table)
    finally:
        server.kill()


def test_another_process_goes_on_with_the_bots_of_one_that_died(postgres_database: str) -> None:
    first = Process(config(postgres_database, bot_delay=(0.05, 0.06)))
    second = Process(config(postgres_database, bot_delay=(0.0, 0.01)))
    try:
        first.wait()
        second.wait()
        table = only_bots(first.url)
        begun(postgres_database, table)
        first.kill()
        finished(postgres_database, table)
    finally:
        first.kill()
        second.kill()


def served_by(port: int, own: int, candidates: list[int]) -> int:
    """Which of some processes holds the other end of a connection from one of our ports."""
    ends = f":{port:04X} ", f":{own:04X} "
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    inode = next(
        row.split()[9] for row in rows if ends[0].strip() in row.split()[1] and ends[1].strip() in row.split()[2]
    )
    for pid in candidates:
        for handle in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if os.readlink(handle) == f"socket:[{inode}]":
                    return pid
    raise AssertionError("nobody holds this connection")


@pytest.mark.long  # in `make test` two workers serve the tables of test_faults.py, and two processes one table above
def test_several_workers_serve_one_table(postgres_database: str) -> None:
    """As `tacit serve --workers 2`: seats of one table on different processes, a whole match with a bot."""
    server = Process(config(postgres_database), workers=2)
    url = server.url
    try:
        server.wait()
        api = Api(url)
        table, keys = api.make("silencio", 3, people=2)

        async def sit(key: str, others: set[int]) -> tuple[Person, int]:
            """Connect until it is a process that has none of the others."""
            for _ in range(200):
                person = await Person(url, table, key, choose=None).connect()
                await person.until(lambda one=person: one.last("table"))  # type: ignore[misc]
                assert person.socket is not None
                pid = served_by(server.port, person.socket.local_address[1], workers(server.process.pid))
                if pid not in others:
                    return person, pid
                await person.close()
            raise AssertionError("one process serves everybody")

        async def play() -> None:
            ada, first = await sit(keys[0], set())
            ben, _ = await sit(keys[1], {first})
            ada.choose = ben.choose = anything
            assert (await ada.ask("start"))["type"] == "done"
            for person in (ada, ben):
                await person.over()
            assert ada.last("table")["result"] == ben.last("table")["result"]

        run(play())
        assert Match.load(api.get(f"/api/tables/{table}/record", keys[1]).text).over
    finally:
        server.stop()


def test_broken_connections_to_the_database_are_made_again(postgres_database: str) -> None:
    """All connections die under two servers: the match goes on, and the servers hear of each other again."""
    import asyncpg

    with serving(config(postgres_database)) as first, serving(config(postgres_database)) as second:
        api = Api(first.url)
        table, keys = api.make("silencio", 2, people=2)
        api.start(table, keys[0])

        async def play() -> None:
            ada = await Person(first.url, table, keys[0], choose=None).connect()
            ben = await Person(second.url, table, keys[1], choose=None).connect()
            await ada.asked()
            await ben.asked()
            connection = await asyncpg.connect(postgres_database)
            others = "pid <> pg_backend_pid() AND datname = current_database()"
            killed = await connection.fetch(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
            assert len(killed) >= 2
            await connection.close()
            for person in (ada, ben):
                person.choose = lambda seen: seen["legal"][:1]
            await ada.send("act", ask=ada.seen["ask"], texts=ada.seen["legal"][:1])
            for person in (ada, ben):
                await person.over()
                await person.close()

        run(play())


def test_the_command_serves_and_stops(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tacit", "serve", "--port", str(port), "--public-url", "https://cards.example"]
    environment = os.environ | {"TACIT_DATA": str(tmp_path / "data")}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{port}"
    answers(url)
    assert httpx.get(f"{url}/healthz", verify=TRUST).json()["database"] == "sqlite"
    made = httpx.post(
        f"{url}/api/tables",
        json={"game": "silencio", "seats": 2},
        headers={"Origin": "https://cards.example"},
        verify=TRUST,
    )
    assert made.json()["link"].startswith("https://cards.example/t/")
    assert "Secure" in made.headers["set-cookie"]
    assert (tmp_path / "data" / "tacit.db").exists()
    running.send_signal(signal.SIGINT)
    output, _ = running.communicate(timeout=60)
    assert "tacit is served on https://cards.example" in output


@pytest.mark.parametrize("database", ["sqlite:///x.db", None])
def test_several_workers_need_postgresql(database: str | None, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from tacit.cli import main

    given = ["serve", "--workers", "2", *(["--database", database] if database else [])]
    refused = CliRunner().invoke(main, given, env={"TACIT_DATA": str(tmp_path)})
    assert refused.exit_code == 1
    assert "Several processes need PostgreSQL" in refused.output
