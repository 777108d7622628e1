"""How long a decision takes from a socket to everyone told, and how long the loop is held up while bots think.

`python bench/server.py [--database URL] [--decisions 400] [--tables 1]`: a server in a process of its own; people on
sockets answer each other's moves. Times are from sending `act` to the first `seen` that it brings on any socket of the
table (told), and to its own `done`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tacit.server.config import Config

SERVE = """
import asyncio, json, signal, sys, time
import msgspec, uvicorn
from tacit.server.app import App, keep_for_good
from tacit.server.config import Config
from tacit.server.serve import options
config = msgspec.json.decode(sys.argv[1], type=Config)
signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn raises it again when it has stopped
lags = []
async def watch():
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        if server.started:
            lags.append(time.perf_counter() - before - 0.005)
async def main():
    global server
    app = App(config, keep_for_good).asgi()
    server = uvicorn.Server(uvicorn.Config(app, **options(config, "127.0.0.1", int(sys.argv[2]))))
    task = asyncio.create_task(watch())
    await server.serve()
    task.cancel()
    lags.sort()
    print(json.dumps({"p50": lags[len(lags) // 2], "p99": lags[int(len(lags) * 0.99)], "worst": lags[-1]}))
asyncio.run(main())
"""


async def one_table(url: str, game: str, decisions: int, bots: int, done: list[float], told: list[float]) -> None:
    """Matches at one table after another, until there were enough decisions."""
    async with httpx.AsyncClient(base_url=url) as client:
        while len(done) < decisions:
            chairs = [{}, {}, *[{"kind": "bot", "bot": "random"}] * bots]
            made = (
                await client.post(
                    "/api/tables", json={"game": game, "seats": len(chairs), "name": "A", "chairs": chairs}
                )
            ).json()
            joined = (await client.post(f"/api/tables/{made['table']}/join", json={"name": "B"})).json()
            await _match(url, made["table"], [made["key"], joined["key"]], done, told, decisions)


async def _match(url: str, table: str, keys: list[str], done: list[float], told: list[float], most: int) -> None:
    address = f"{url.replace('http', 'ws')}/api/tables/{table}/live"
    sockets = [await connect(address, compression=None) for _ in keys]
    sent: dict[int, float] = {}
    first_told: dict[str, float] = {}
    over = asyncio.Event()
    numbers = iter(range(10, 10**9))
    turn = asyncio.Lock()
    asks: list[dict[str, Any]] = [{}, {}]

    async def read(q: int) -> None:
        async for text in sockets[q]:
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
    for socket, key in zip(sockets, keys, strict=True):
        await socket.send(json.dumps({"type": "hello", "protocol": 1, "key": key}))
    await sockets[0].send(json.dumps({"type": "start"}))
    while not over.is_set() and len(done) < most:
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
        await sockets[q].send(
            json.dumps({"type": "act", "id": number, "ask": frame["ask"], "texts": [random.choice(frame["legal"])]})
        )
        async with asyncio.timeout(10):
            await turn.acquire()
        turn.release()
    for socket in sockets:
        await socket.close()
    await asyncio.gather(*readers)


def summary(times: list[float]) -> str:
    times = sorted(times)
    p99 = times[int(len(times) * 0.99)]
    return f"p50 {statistics.median(times) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, {len(times)} decisions"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--database")
    parser.add_argument("--game", default="silencio")
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--bots", type=int, default=0)
    given = parser.parse_args()
    import socket as sockets

    import msgspec

    with sockets.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        free = (1e6, 1e6)
        config = Config(
            database=given.database or f"sqlite:///{Path(folder) / 'bench.db'}", act_limit=free, make_limit=free,
            talk_limit=free, bot_delay=(0.01, 0.02),
        )  # fmt: skip
        command = [sys.executable, "-c", SERVE, msgspec.json.encode(config).decode(), str(port)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        url = f"http://127.0.0.1:{port}"
        while True:
            try:
                httpx.get(f"{url}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        done: list[float] = []
        told: list[float] = []

        async def run() -> None:
            work = [one_table(url, given.game, given.decisions, given.bots, done, told) for _ in range(given.tables)]
            await asyncio.gather(*work)

        began = time.perf_counter()
        asyncio.run(run())
        took = time.perf_counter() - began
        server.terminate()
        output, _ = server.communicate(timeout=20)
    print(f"{given.game}, {given.tables} tables, {given.bots} bots each: {len(done) / took:.0f} decisions a second")
    print(f"  socket to told: {summary(told)}")
    print(f"  socket to done: {summary(done)}")
    print("  loop held up: " + ", ".join(f"{k} {v * 1e3:.1f} ms" for k, v in json.loads(output).items()))


if __name__ == "__main__":
    main()
