"""Latency of a decision over real sockets, and event loop lag while bots think and rules compile.

    python benchmarks/server_latency.py [--database URL] [--decisions 400] [--tables 1]

starts a server in another process; clients answer each other's moves. Times are from sending `act` to the first `seen`
on any socket of the table (told), and to the client's own `done`.

    python benchmarks/server_latency.py --bots 1 --games all --cold

starts with an empty cache, so that the bots' rules compile while people play, and runs until all are loaded. Event
loop lag depends on the machine's other load: the figure that counts is the time in which the server itself ran. A
process that only sleeps measures the machine's own wake-up delay.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket as sockets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from tacit import GAMES
from tacit.server.config import Config

SERVE = """
import asyncio, json, signal, sys, time
import msgspec, uvicorn
from tacit.server.app import App, keep_for_good
from tacit.server.config import Config
from tacit.server.serve import Server, options
config = msgspec.json.decode(sys.argv[1], type=Config)
signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn raises it again when it has stopped
from tacit.bots import bot_named
from tacit.core.registry import game_named
lags, ours, warm = [], [], {}
began = time.perf_counter()
async def watch():
    while True:
        before, worked = time.perf_counter(), time.process_time()
        await asyncio.sleep(0.005)
        now = time.perf_counter()
        if server.started:
            lags.append(now - before - 0.005)
            ours.append(min(lags[-1], time.process_time() - worked))  # the rest is the machine's
            for name in holder.tables.sitters.warmth.asked:
                if bot_named(game_named(name[0]), name[1]).warm and name not in warm:
                    warm[name] = now - began
                    print(json.dumps({"warm": name, "after": warm[name]}), file=sys.stderr, flush=True)
async def main():
    global server, holder
    holder = App(config, keep_for_good)
    server = Server(uvicorn.Config(holder.asgi(), **options(config, "127.0.0.1", int(sys.argv[2]))), holder)
    task = asyncio.create_task(watch())
    await server.serve()
    task.cancel()
    for found in (lags, ours):
        found.sort()
        print(json.dumps({"p50": found[len(found) // 2], "p99": found[int(len(found) * 0.99)], "worst": found[-1]}))
asyncio.run(main())
"""
WATCH = """
import json, signal, sys, time
def stop(*_):
    lags.sort()
    print(json.dumps({"p50": lags[len(lags) // 2], "p99": lags[int(len(lags) * 0.99)], "worst": lags[-1]}))
    sys.exit(0)
lags = [0.0]
signal.signal(signal.SIGTERM, stop)
while True:
    before = time.perf_counter()
    time.sleep(0.005)
    lags.append(time.perf_counter() - before - 0.005)
"""


async def one_table(
    url: str, game: str, enough: Callable[[], bool], bots: int, done: list[float], told: list[float]
) -> None:
    """Matches at one table after another, until there were enough decisions."""
    async with httpx.AsyncClient(base_url=url) as client:
        while not enough():
            chairs = [{}, {}, *[{"kind": "bot", "bot": "steady"}] * bots]
            made = (
                await client.post(
                    "/api/tables", json={"game": game, "seats": len(chairs), "name": "A", "chairs": chairs}
                )
            ).json()
            joined = (await client.post(f"/api/tables/{made['table']}/join", json={"name": "B"})).json()
            await _match(url, made["table"], [made["key"], joined["key"]], done, told, enough)


async def _match(
    url: str, table: str, keys: list[str], done: list[float], told: list[float], enough: Callable[[], bool]
) -> None:
    address = f"{url.replace('http', 'ws')}/api/tables/{table}/live"
    lines = [await connect(address, compression=None) for _ in keys]
    sent: dict[int, float] = {}
    first_told: dict[str, float] = {}
    over = asyncio.Event()
    numbers = iter(range(10, 10**9))
    turn = asyncio.Lock()
    asks: list[dict[str, Any]] = [{}, {}]

    async def read(q: int) -> None:
        async for text in lines[q]:
            now = time.perf_counter()
            frame = json.loads(text)
            if frame["type"] == "seen":
                first_told.setdefault("at", now)
                asks[q] = frame
            elif frame["type"] in ("done", "refused") and frame["id"] in sent:
                at = sent.pop(frame["id"])
                if frame["type"] == "done":
                    done.append(now - at)
                    told.append(first_told.get("at", now) - at)
                if turn.locked():
                    turn.release()
            elif frame["type"] == "table" and frame["phase"] == "over":
                over.set()

    readers = [asyncio.create_task(read(q)) for q in range(len(keys))]
    for socket, key in zip(lines, keys, strict=True):
        await socket.send(json.dumps({"type": "hello", "protocol": 1, "key": key}))
    await lines[0].send(json.dumps({"type": "start"}))
    while not over.is_set() and not enough():
        due = [q for q in (0, 1) if asks[q].get("ask") is not None]
        if not due:
            await asyncio.sleep(0.001)
            continue
        q = random.choice(due)
        frame, asks[q] = asks[q], {}
        await turn.acquire()
        number = next(numbers)
        first_told.clear()
        sent[number] = time.perf_counter()
        await lines[q].send(
            json.dumps({"type": "act", "id": number, "ask": frame["ask"], "texts": [random.choice(frame["legal"])]})
        )
        async with asyncio.timeout(10):
            await turn.acquire()
        turn.release()
    for socket in lines:
        await socket.close()
    await asyncio.gather(*readers)


def summary(times: list[float]) -> str:
    times = sorted(times)
    p99 = times[int(len(times) * 0.99)]
    return f"p50 {statistics.median(times) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, {len(times)} decisions"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--database")
    parser.add_argument("--games", default="silencio", help="names with commas between them, or all")
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--tables", type=int, default=1, help="of each game")
    parser.add_argument("--bots", type=int, default=0, help="steady bots at each table")
    parser.add_argument("--cold", action="store_true", help="an empty cache; until every bot is compiled and loaded")
    given = parser.parse_args()
    games = list(GAMES) if given.games == "all" else given.games.split(",")
    with sockets.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        free = (1e6, 1e6)
        config = Config(
            database=given.database or f"sqlite:///{Path(folder) / 'bench.db'}", act_limit=free, make_limit=free,
            talk_limit=free, bot_delay=(0.05, 0.06),
        )  # fmt: skip
        command = [sys.executable, "-c", SERVE, msgspec.json.encode(config).decode(), str(port)]
        environment = os.environ | ({"TACIT_CACHE": str(Path(folder) / "cache")} if given.cold else {})
        noise = Path(folder) / "warm"
        with noise.open("w") as errors:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        idle = subprocess.Popen([sys.executable, "-c", WATCH], stdout=subprocess.PIPE, text=True)
        url = f"http://127.0.0.1:{port}"
        while True:
            try:
                httpx.get(f"{url}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        done: list[float] = []
        told: list[float] = []

        def enough() -> bool:
            return len(done) >= given.decisions and (not given.cold or noise.read_text().count("warm") == len(games))

        async def run() -> None:
            tables = [game for game in games for _ in range(given.tables)]
            await asyncio.gather(*(one_table(url, game, enough, given.bots, done, told) for game in tables))

        began = time.perf_counter()
        asyncio.run(run())
        took = time.perf_counter() - began
        server.terminate()
        idle.terminate()
        output, _ = server.communicate(timeout=20)
        beside, _ = idle.communicate(timeout=20)
        warm = noise.read_text()
    print(
        f"{', '.join(games)}: {given.tables} tables of each, {given.bots} bots each, {len(done) / took:.0f} decisions/s"
    )
    print(f"  socket to told: {summary(told)}")
    print(f"  socket to done: {summary(done)}")
    late, ours = output.splitlines()
    shown = {"loop late": late, "of that while this process worked": ours, "beside it, a process that sleeps": beside}
    for name, text in shown.items():
        print(f"  {name}: " + ", ".join(f"{k} {v * 1e3:.1f} ms" for k, v in json.loads(text).items()))
    print(warm, end="")


if __name__ == "__main__":
    main()
