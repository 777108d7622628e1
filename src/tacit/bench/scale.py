"""`tacit bench scale`: what several processes do on one PostgreSQL, here and in a discrete-event model.

The model has the machine's cores, the processes' event loops, their group commits, the disk, and the lock of NOTIFY.
Its times are those of the first run; what it says of more processes is a prediction, which is compared with them. It
knows nothing of other work on the machine: measure on a quiet one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from tacit.bench import notify
from tacit.bench.server import SERVE, Pacer, busy, cpu_seconds, free_port, get, process
from tacit.core.registry import game_names

SIMULATED = 5.0  # seconds that the model plays


class Measured(msgspec.Struct):
    """What some processes did."""

    processes: int
    rate: float  # decisions a second
    commits: float  # a second
    notes: float  # sent, a second
    server_ms: float  # processor time of a decision, in all processes
    database_ms: float  # in PostgreSQL
    client_ms: float  # in the load generator
    step_bytes: float  # of the steps table, for each step
    load: float  # load average of the machine


# ------------------------------------------------------------------ the model
def predict(processes: int, tables: int, cores: int, first: Measured, disk: float, locked: bool) -> float:
    """Decisions a second of a closed loop: every table sends its next decision when the last one was answered.

    `first` is the run with one process, `disk` the seconds of a commit that is alone, `locked` whether commits hold
    the lock of NOTIFY until they are on the disk.
    """
    import simpy

    world = simpy.Environment()
    machine = simpy.Resource(world, cores)
    generator, lock = simpy.Resource(world, 1), simpy.Resource(world, 1)
    loops = [simpy.Resource(world, 1) for _ in range(processes)]
    queues: list[Any] = [simpy.Store(world) for _ in range(processes)]
    each = first.rate / max(first.commits, 1.0)  # decisions in a commit, measured
    commit_s = first.database_ms / 1e3 * each  # processor time of one commit
    answered = 0

    def use(thread: Any, seconds: float) -> Generator[Any, Any, None]:
        """Compute in a thread, on any core."""
        with thread.request() as turn:
            yield turn
            with machine.request() as core:
                yield core
                yield world.timeout(seconds)

    def table(number: int) -> Generator[Any, Any, None]:
        nonlocal answered
        home = number % processes
        while True:
            yield from use(generator, first.client_ms / 1e3)
            yield from use(loops[home], first.server_ms / 1e3)
            stored = world.event()
            yield queues[home].put(stored)
            yield stored
            answered += 1

    def writer(home: int) -> Generator[Any, Any, None]:
        backend = simpy.Resource(world, 1)
        while True:
            batch = [(yield queues[home].get())]
            while queues[home].items:
                batch.append((yield queues[home].get()))
            yield from use(backend, commit_s)
            if locked:
                with lock.request() as turn:
                    yield turn
                    yield world.timeout(disk)
            else:
                yield world.timeout(disk)
            for stored in batch:
                stored.succeed()

    for number in range(tables):
        world.process(table(number))
    for home in range(processes):
        world.process(writer(home))
    world.run(until=SIMULATED)
    return answered / SIMULATED


# ------------------------------------------------------------------ the machine
def metric(port: int, name: str) -> float:
    """A metric of a server, all its labels together."""
    lines = get(port, "/metrics").decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def steps_size(url: str) -> float:
    """Bytes of the steps table with its index, for each step."""
    import asyncpg

    connection = await asyncpg.connect(url)
    await connection.execute("VACUUM ANALYZE steps")
    size = await connection.fetchval("SELECT pg_total_relation_size('steps')::float / greatest(count(*), 1) FROM steps")
    await connection.close()
    return float(size)


async def play(ports: list[int], pids: list[int], postmaster: int, tables: int, seconds: float) -> dict[str, float]:
    """Keep tables busy, each at one of the processes; what was used meanwhile."""
    pacer, stop = Pacer(None), asyncio.Event()
    work = [asyncio.create_task(busy(ports[n % len(ports)], game_names()[0], pacer, stop)) for n in range(tables)]
    await asyncio.sleep(3.0)  # all clients have connected

    def used() -> dict[str, float]:
        database = sum(map(cpu_seconds, [postmaster, *children(postmaster)]))
        counted = ("tacit_commits_total", 'tacit_notes{way="sent"}')
        commits, notes = (sum(metric(port, name) for port in ports) for name in counted)
        server, client = sum(map(cpu_seconds, pids)), time.process_time()
        return {"server": server, "database": database, "client": client, "commits": commits, "notes": notes}

    before = await asyncio.to_thread(used)
    pacer.counting, began = True, time.perf_counter()
    await asyncio.sleep(seconds)
    pacer.counting, took = False, time.perf_counter() - began
    after = await asyncio.to_thread(used)
    stop.set()
    await asyncio.wait(work, timeout=10)
    return {name: after[name] - before[name] for name in after} | {"decisions": len(pacer.times), "seconds": took}


def measure(processes: int, url: str, bus: str | None, tables: int, seconds: float, postmaster: int) -> Measured:
    """Run some processes under load."""
    limits = {f"{what}_limit": [1e9, 1e9] for what in ("act", "chat", "make", "talk")}
    config = {"database": url, "bus": bus, "compile": False, "subscribers": [10**6, 10**6], **limits}
    ports = [free_port() for _ in range(processes)]
    with ExitStack() as stack:
        commands = [[sys.executable, "-c", SERVE, json.dumps(config), str(port)] for port in ports]
        pids = [stack.enter_context(process(command, port)) for command, port in zip(commands, ports, strict=True)]
        for port in ports:
            metric(port, "tacit_commits_total")  # it has started
        found = asyncio.run(play(ports, pids, postmaster, tables, seconds))
    decisions, took = max(found["decisions"], 1), found["seconds"]
    ms = {name: 1e3 * found[name] / decisions for name in ("server", "database", "client")}
    return Measured(
        processes=processes, rate=decisions / took, commits=found["commits"] / took, notes=found["notes"] / took,
        server_ms=ms["server"], database_ms=ms["database"], client_ms=ms["client"],
        step_bytes=asyncio.run(steps_size(url)), load=os.getloadavg()[0],
    )  # fmt: skip


def run(bus: str | None, counts: list[int], tables: int, seconds: float, as_json: bool) -> None:
    """Measure, predict and print."""
    with notify.own_database() as (url, postmaster):
        disk = notify.measure("none", 1, url, None, min(seconds, 2.0)).p50 / 1e3
        found = [measure(count, url, bus, tables, seconds, postmaster) for count in counts]
    cores = os.cpu_count() or 1
    said = [predict(one.processes, tables, cores, found[0], disk, bus is None) for one in found]
    if as_json:
        print(msgspec.json.format(msgspec.json.encode({"measured": found, "predicted": said}), indent=2).decode())
        return
    heads = ("of", "decisions/s", "model", "commits/s", "notes/s", "server ms", "database", "client")
    table = Table(*heads, title=f"{tables} busy tables, {'Valkey' if bus else 'NOTIFY'}")
    for one, rate in zip(found, said, strict=True):
        own = (f"{ms:.2f}" for ms in (one.server_ms, one.database_ms, one.client_ms))
        table.add_row(
            str(one.processes), f"{one.rate:,.0f}", f"{rate:,.0f}", f"{one.commits:,.0f}", f"{one.notes:,.0f}", *own
        )
    Console().print(table)
    print(f"a commit alone {1e3 * disk:.1f} ms; {found[-1].step_bytes:.0f} bytes a step; {cores} cores, "
          f"load average {found[-1].load:.1f}")  # fmt: skip
