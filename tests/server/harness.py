"""Real servers on real sockets, and scripted people: what the tests of the server share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import httpx
import msgspec
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tacit.bots import usual_bot
from tacit.core.registry import game_named
from tacit.server import app
from tacit.server.app import App
from tacit.server.bus import LocalBus
from tacit.server.config import Config
from tacit.server.models import Step
from tacit.server.protocol import PROTOCOL
from tacit.server.serve import Server as Web
from tacit.server.serve import options
from tacit.server.store import Store
from tests.server.forked import Forked

T = TypeVar("T")
TRUST = ssl.create_default_context()  # made once: making one takes longer than a request
FAST = (100_000.0, 100_000.0)
ROOT = Path(__file__).parent.parent.parent
LONG = "TACIT_LONG" in os.environ
BUSES = ["notify", "valkey"]
both_buses = pytest.mark.parametrize("postgres_database", BUSES, indirect=True)
app.load_rest = cache(app.load_rest)  # once for all servers of a process: it goes through all objects that are frozen
buses: dict[str, str] = {}  # the bus of a database, where it is not PostgreSQL itself


def config(database: str, **changes: Any) -> Config:
    """A server for tests: bots that answer at once, race and compile nothing, no limits, short grace."""
    limits: dict[str, Any] = {"act_limit": FAST, "chat_limit": FAST, "make_limit": FAST, "talk_limit": FAST}
    limits["review_limit"] = FAST
    limits |= {"lobby_age": 0.0, "lobby_share": 100_000, "race": 0.0}
    given: dict[str, Any] = {"database": database, "bot_delay": (0.0, 0.002), "grace": 0.2, "compile": False}
    given |= limits | {"bus": buses.get(database)} | changes
    return Config(**given)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server in a thread of this process."""

    def __init__(self, config: Config) -> None:
        self.app = App(config)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        chosen = options(config, "127.0.0.1", self.port) | {"timeout_graceful_shutdown": 1}
        self.uvicorn = Web(uvicorn.Config(self.app.asgi(), **chosen), self.app)
        self.thread = threading.Thread(target=self.uvicorn.run, daemon=True)

    def start(self) -> Server:
        self.thread.start()
        while not self.uvicorn.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        return self

    def stored(self, table: str) -> list[Step]:
        """The steps of a match as they are in the database."""

        async def load() -> list[Step]:
            store = Store(self.app.store.url, LocalBus())
            steps = (await store.load(table, 0))[1]
            await store.engine.dispose()
            return steps

        return asyncio.run(load())

    def lines(self, table: str) -> list[str]:
        """The record so far, as this server has it."""
        match = self.app.tables.loaded[table].match
        return list(match.lines) if match is not None else []

    def stop(self) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(10)


@contextlib.contextmanager
def serving(config: Config) -> Iterator[Server]:
    server = Server(config).start()
    try:
        yield server
    finally:
        server.stop()


class Process:
    """A server in a process of its own, which can be killed: forked, and in the long run started as everybody does."""

    def __init__(self, config: Config, port: int | None = None, workers: int = 1, **how: Any) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        text = msgspec.json.encode(config).decode()
        self.process: Forked | subprocess.Popen[bytes]
        if workers == 1 and not LONG:
            self.process = Forked(text, self.port, **how)
        else:
            script = "import sys; from tests.server import forked; forked.run(*sys.argv[1:])"
            command = [sys.executable, "-c", script, text, str(self.port), str(workers)]
            self.process = subprocess.Popen(command, cwd=ROOT, env=os.environ, **how)

    def wait(self) -> Process:
        answers(self.url, lambda: self.process.poll() is None)
        return self

    def stop(self) -> None:
        """As someone at the keyboard would."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def kill(self) -> None:
        """As a power cut would."""
        for worker in workers(self.process.pid) if self.process.poll() is None else []:
            os.kill(worker, signal.SIGKILL)
        self.process.kill()
        self.process.wait()


def workers(pid: int) -> list[int]:
    """The servers that a server with several workers started; not the helper that Python starts beside them."""
    found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [child for child in found if b"spawn_main" in command_line(child)]


def command_line(pid: int) -> bytes:
    """How a process was started; empty if it is gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def answers(url: str, alive: Callable[[], bool] = lambda: True) -> None:
    """Wait until a server answers."""
    port = int(url.rpartition(":")[2])

    def healthy() -> bool:
        assert alive(), "the server did not start"
        with contextlib.suppress(httpx.TransportError, OSError):
            socket.create_connection(("127.0.0.1", port), timeout=10).close()  # costs less than a request
            return httpx.get(url + "/healthz", verify=TRUST).status_code == 200
        return False

    eventually(healthy)


def eventually(found: Callable[[], object], seconds: float = 90.0) -> None:
    """Wait until something is so, however slow the machine."""
    until = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a test's people, and always close their sockets."""

    async def closing() -> T:
        try:
            return await work
        finally:
            while Person.opened:
                await Person.opened.pop().close()

    return asyncio.run(closing())


Choose = Callable[[dict[str, Any]], list[str]]


def anything(seen: dict[str, Any]) -> list[str]:
    """Any legal decision."""
    return [random.choice(seen["legal"])]


class Person:
    """Someone with a socket, who notes every frame and answers what they are asked."""

    opened: ClassVar[list[Person]] = []
    path = "/api/tables/{table}/live"

    def __init__(self, url: str, table: str, key: str | None = None, choose: Choose | None = anything) -> None:
        self.url, self.table, self.key, self.choose = url, table, key, choose
        self.frames: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.socket: ClientConnection | None = None
        self.task: asyncio.Task[None] | None = None
        self.news = asyncio.Event()
        self.ids = 0

    async def connect(self, protocol: int = PROTOCOL, headers: dict[str, str] | None = None) -> Person:
        address = self.url.replace("http", "ws") + self.path.format(table=self.table)
        self.socket = await connect(address, additional_headers=headers, compression=None)
        self.opened.append(self)
        await self.send("hello", protocol=protocol, key=self.key)
        self.task = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        assert self.socket is not None
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                frame = msgspec.json.decode(text)
                self.raw.append(str(text))
                self.frames.append(frame)
                self.news.set()
                if frame["type"] == "seen" and frame["ask"] is not None and self.choose is not None:
                    await self.send("act", ask=frame["ask"], texts=self.choose(frame))
        self.news.set()

    async def send(self, kind: str, **fields: Any) -> int:
        assert self.socket is not None
        self.ids += 1
        message = {"type": kind, "id": self.ids} | {k: v for k, v in fields.items() if v is not None}
        await self.socket.send(msgspec.json.encode(message).decode())
        return self.ids

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Give a command and wait for its answer."""
        number = await self.send(kind, **fields)
        answer: dict[str, Any] = await self.until(lambda: next((f for f in self.frames if f.get("id") == number), None))
        return answer

    async def until(self, found: Callable[[], Any], seconds: float = 40.0) -> Any:
        """Wait for something to be in the frames."""
        async with asyncio.timeout(seconds):
            while True:
                self.news.clear()
                value = found()
                if value:
                    return value
                await self.news.wait()

    def last(self, kind: str) -> dict[str, Any]:
        return next((frame for frame in reversed(self.frames) if frame["type"] == kind), {})

    @property
    def seen(self) -> dict[str, Any]:
        return self.last("seen")

    @property
    def heard(self) -> list[str]:
        """All that was heard, put together as a client does."""
        heard: list[str] = []
        for frame in self.frames:
            if frame["type"] == "seen":
                heard = heard[: frame["keep"]] + frame["heard"]
        return heard

    @property
    def phase(self) -> str:
        return str(self.last("table").get("phase"))

    async def over(self, seconds: float = 60.0) -> None:
        await self.until(lambda: self.phase == "over", seconds)

    async def asked(self, after: int | None = None) -> dict[str, Any]:
        """The open question, another than one."""
        found: dict[str, Any] = await self.until(
            lambda: self.seen if self.seen.get("ask") is not None and self.seen["ask"] != after else None
        )
        return found

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self.task is not None:
            await self.task


class Api:
    """The HTTP side, as a guest uses it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def post(
        self, path: str, key: str | None = None, headers: dict[str, str] | None = None, **body: Any
    ) -> httpx.Response:
        headers = ({"Authorization": f"Bearer {key}"} if key else {}) | (headers or {})
        return httpx.post(self.url + path, json=body, headers=headers, timeout=30, verify=TRUST)

    def get(self, path: str, key: str | None = None, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.get(self.url + path, headers=headers | more.pop("headers", {}), timeout=40, verify=TRUST, **more)

    def make(self, game: str, seats: int, people: int = 1, **more: Any) -> tuple[str, list[str]]:
        """A table with people on its first seats and bots on the others; its name, and the people's keys."""
        bot = more.pop("bot", None) or usual_bot(game_named(game))
        chairs = [{"kind": "open"}] * people + [{"kind": "bot", "bot": bot}] * (seats - people)
        made = self.post("/api/tables", game=game, seats=seats, name="Guest 0", chairs=chairs, **more)
        assert made.status_code == 201, made.text
        table, keys = made.json()["table"], [made.json()["key"]]
        for q in range(1, people):
            joined = self.post(f"/api/tables/{table}/join", name=f"Guest {q}")
            assert joined.status_code == 201, joined.text
            assert joined.json()["seat"] == q
            keys.append(joined.json()["key"])
        return table, keys

    def start(self, table: str, key: str) -> None:
        started = self.post(f"/api/tables/{table}/start", key)
        assert started.status_code == 200, started.text
