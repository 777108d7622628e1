"""`tacit bench server --peers`: all that is compared, in one run: boardgame.io and our server on SQLite, PostgreSQL and
PostgreSQL with Valkey; every game; closed and open loop; what a start, a table and an idle table cost.

It brings its own PostgreSQL and Valkey. What is missing is left out, with a line that says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tacit.bench.notify import own_bus, own_database
from tacit.bench.server import (
    Figures,
    cpu_seconds,
    free_port,
    get,
    make,
    need_proc,
    our_server,
    ours,
    peer,
    print_table,
)

MANY_TABLES = 300
IDLE_TABLES = 1000
STARTS = 4  # of which the first, which is cold, is not counted
MADE = 200  # tables whose making is measured alone
MAKERS = 10  # at the same time, as when many tables are busy
WAIT_BETWEEN = 0.002  # seconds between two attempts to connect
BESIDE = 500.0  # decisions a second at which PostgreSQL is measured


class Costs(msgspec.Struct):
    """What is not a rate."""

    start: float  # seconds from `tacit serve` to its first answer
    table_ms: float  # processor time of the server to make a table, seat two people and open their sockets
    share: float  # of that in the closed loop's time
    table_kb: float
    socket_kb: float


def start_seconds() -> float:
    """From `tacit serve` to its first answer, on a database that is there: the median."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(STARTS):
            port = free_port()
            address = f"sqlite:///{Path(folder) / 'bench.db'}"
            command = [sys.executable, "-m", "tacit", "serve", "--port", str(port), "--database", address]
            began = time.perf_counter()
            server = subprocess.Popen(
                [*command, "--log-format", "quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            try:
                while server.poll() is None:
                    with contextlib.suppress(OSError):
                        get(port, "/healthz")
                        break
                    time.sleep(WAIT_BETWEEN)
                found.append(time.perf_counter() - began)
            finally:
                server.terminate()
                server.wait(30)
    return statistics.median(found[1:])


async def _make_tables(port: int, pid: int, game: str) -> float:
    """Processor time of the server to make a table, seat two people and open their sockets, in milliseconds."""

    async def maker() -> None:
        for _ in range(MADE // MAKERS):
            seen = asyncio.Event()

            def hear(text: bytes, seen: asyncio.Event = seen) -> None:
                if b'"type":"seen"' in text:
                    seen.set()

            wires = await make(port, game, [hear, hear])
            await seen.wait()
            for wire in wires:
                wire.close()

    for _ in range(2):  # the first time its code is cold, as it is not under load
        began = cpu_seconds(pid)
        await asyncio.gather(*(maker() for _ in range(MAKERS)))
    return 1e3 * (cpu_seconds(pid) - began) / MADE


def table_ms(game: str) -> float:
    with our_server(None, game) as (port, pid, _):
        return asyncio.run(_make_tables(port, pid, game))


def run(games: list[str], tables: int, seconds: float, rates: Sequence[float], as_json: bool) -> None:
    """Measure and print. In the closed loop boardgame.io is measured first and last, to show whether the machine slowed
    down; at each rate it is measured beside our first game.
    """
    need_proc()
    first, found = games[0], list[Figures]()

    def add(measure: Callable[..., Figures], *given: Any) -> None:
        """Measure, and say so; what fails is left out."""
        try:
            found.append(measure(*given))
            print(f"{found[-1].what}: {found[-1].rate:,.0f} decisions/s", file=sys.stderr)
        except (OSError, RuntimeError, ValueError) as error:
            print(f"{measure.__name__} {given}: {error!r}", file=sys.stderr)

    add(peer, tables, seconds, None)
    for game in games:
        add(ours, None, game, tables, seconds, None, 0)
    with contextlib.ExitStack() as stack:
        databases: list[tuple[str, str | None]] = []
        try:
            url, _ = stack.enter_context(own_database())
            databases.append((url, None))
            databases.append((url, stack.enter_context(own_bus())))
        except RuntimeError as missing:
            print(missing, file=sys.stderr)
        for url, bus in databases:
            add(ours, url, first, tables, seconds, None, 0, bus)
        add(ours, None, first, MANY_TABLES, seconds, None, 0)
        add(peer, MANY_TABLES, seconds, None)
        add(peer, tables, seconds, None)
        for rate in rates:
            add(peer, tables, seconds, rate)
            add(ours, None, first, tables, seconds, rate, 0)
            for url, bus in databases if rate == BESIDE else []:
                add(ours, url, first, tables, seconds, rate, 0, bus)
    add(ours, None, first, 10, seconds, rates[0], IDLE_TABLES)
    busy = next(one for one in found if one.what.startswith("tacit"))
    made = table_ms(first)
    costs = Costs(
        start=start_seconds(), table_ms=made, share=busy.made * made / 1e3 / busy.server_cpu,
        table_kb=found[-1].table_kb or 0.0, socket_kb=found[-1].socket_kb or 0.0,
    )  # fmt: skip
    if as_json:
        print(msgspec.json.format(msgspec.json.encode({"figures": found, "costs": costs}), indent=2).decode())
        return
    print_table(found)
    print_costs(costs, busy)


def print_costs(costs: Costs, busy: Figures) -> None:
    print()
    print("| what else | |")
    print("|---|---|")
    print(f"| start of `tacit serve` to the first answer, warm | {costs.start:.2f} s |")
    print(f"| making a table, joining, opening two sockets | {costs.table_ms:.1f} ms of processor time |")
    print(f"| their share of the time, {busy.made:,.0f} tables a second | {costs.share:.0%} |")
    print(f"| memory of an idle table with its socket | {costs.table_kb + costs.socket_kb:.1f} KB |")
