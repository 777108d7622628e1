"""The budget of one decision at a served table, in microseconds of processor time, part by part.

The server runs in this process, without a network: frames go into its WebSocket protocol, and what it writes is
parsed. Two clients at each table decide at random. Processor time, not the clock, so that other work on the machine
counts little; the least of several rounds is printed. Parts are timed by wrapping functions, each without the parts
inside it; what is left is the event loop, its tasks and futures.

    python benchmarks/decision_budget.py --game silencio --tables 100 --rounds 5 --together 3
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import json
import random
import statistics
import struct
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from uvicorn.server import ServerState

from tacit.core import compiled_play
from tacit.core.compiled_match import CompiledMatch
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.server import live_table, sockets, subscriber
from tacit.server.app import App, tune_interpreter
from tacit.server.config import Config
from tacit.server.connections import Connections
from tacit.server.limits import Networks
from tacit.server.live_table import LiveTable
from tacit.server.protocol import Create, Join
from tacit.server.serve import options
from tacit.server.websocket_protocol import WebSocketProtocol
from tacit.server.wire import Commands as AnyCommand
from tacit.server.writer import Writer

FREE = (1e9, 1e9)
PEER = ("127.0.0.1", 9)
HEADERS = [
    (b"host", b"x"),
    (b"sec-websocket-key", b"AAAAAAAAAAAAAAAAAAAAAA=="),
    (b"sec-websocket-version", b"13"),
]


class Timers:
    """The processor time of each part, without that of the parts inside it."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self.local = threading.local()

    def wrap(self, owner: Any, name: str, part: str) -> None:
        if not hasattr(owner, name):
            return  # of another version
        inner = getattr(owner, name)

        @functools.wraps(inner)
        def timed(*args: Any, **given: Any) -> Any:
            outer = getattr(self.local, "inside", 0)
            self.local.inside = 0
            began = time.thread_time_ns()
            try:
                return inner(*args, **given)
            finally:
                took = time.thread_time_ns() - began
                self.spent[part] += took - self.local.inside
                self.local.inside = outer + took

        setattr(owner, name, timed)


def wrap_all(timers: Timers) -> None:
    for owner, name, part in (
        (WebSocketProtocol, "data_received", "receive: frames"),
        (sockets.Connection, "answer_next", "receive: checks, the command's way to the match"),
        (sockets, "_read", "parse: the command"),
        (Match, "copy", "step: copy the match"),
        (CompiledMatch, "copy", "step: copy the match"),
        (Match, "play", "step: play, settle, hear"),
        (Match, "settle", "step: play, settle, hear"),
        (CompiledMatch, "settle", "step: play, settle, hear"),
        (LiveTable, "_see_all", "views of all seats"),
        (LiveTable, "attempt", "the step's row and questions"),
        (LiveTable, "commit", "commit in memory"),
        (Writer, "_write_file", "store: write"),
        (Writer, "_commit_file", "store: commit"),
        (Writer, "_commit_in_thread", "store: write and commit carefully (thread)"),
        (LiveTable, "publish", "tell: compare and encode"),
        (LiveTable, "publish_views", "tell: compare and encode"),
        (live_table, "encode", "tell: JSON"),
        (subscriber, "encode", "tell: JSON"),
        (WebSocketProtocol, "write", "tell: frames"),
    ):
        timers.wrap(owner, name, part)


class Transport:
    """Takes what the server writes to one socket."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self.hear = hear

    def write(self, data: bytes) -> None:
        self.hear(data)

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": PEER, "sockname": PEER}.get(name, default)

    def get_write_buffer_size(self) -> int:
        return 0

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


class Heard(msgspec.Struct):
    type: str
    ask: int | None = None
    legal: list[str] = []


class Client:
    """One seat: it answers each question with a random decision, when it is told to."""

    heard = msgspec.json.Decoder(Heard)

    def __init__(self, config: uvicorn.Config, connections: Connections, path: str) -> None:
        self.wire = WebSocketProtocol(connections, config, ServerState(), {})
        self.wire.connection_made(Transport(self.hear))  # type: ignore[arg-type]
        self.handshaken, self.written, self.question = False, b"", ""
        self.message: bytes | None = None
        self.told = asyncio.Event()
        self.wire.open(
            {"method": "GET", "scheme": "http", "client": PEER, "server": PEER, "headers": HEADERS}, path.encode()
        )

    def hear(self, data: bytes) -> None:
        self.written += data
        self.told.set()

    def read(self) -> None:
        """Parse what was written: the client's work, outside of the server's time."""
        data, at = self.written, 0
        if not self.handshaken:
            if b"\r\n\r\n" not in data:
                return
            self.handshaken, at = True, data.index(b"\r\n\r\n") + 4
        while at < len(data):
            size, head = data[at + 1], 2
            if size == 126:
                size, head = struct.unpack_from(">H", data, at + 2)[0], 4
            elif size == 127:
                size, head = struct.unpack_from(">Q", data, at + 2)[0], 10
            if data[at] == 0x81:
                self.take(self.heard.decode(data[at + head : at + head + size]))
            at += head + size
        self.written = b""

    def take(self, heard: Heard) -> None:
        if heard.type == "seen":
            self.message = None
            if heard.ask is not None:
                act = {"type": "act", "id": 1, "ask": heard.ask, "texts": [random.choice(heard.legal)]}
                self.message = framed(json.dumps(act).encode())


def framed(text: bytes) -> bytes:
    size = len(text)
    head = bytes((0x81, 128 | size)) if size < 126 else b"\x81\xfe" + struct.pack(">H", size)
    return head + b"\0\0\0\0" + text


async def round_of(
    app: App, config: uvicorn.Config, game: str, tables: int, together: int, timers: Timers
) -> tuple[float, float, int]:  # fmt: skip
    """Make tables and play them out, with so many decisions arriving at once; seconds of making them, of deciding, and
    how many decisions.
    """
    connections = Connections(10**6, 10**6, Networks(""))
    began = time.process_time()
    clients: list[Client] = []

    async def make() -> None:
        row, key, _ = await app.tables.create(Create(game=game, seats=2, name="A"), "x")
        other, _, _ = await app.tables.join(row.id, Join(name="B"))
        caller = await app.tables.enter(row.id, key)
        await app.commands.run(caller, msgspec.json.decode(b'{"type":"start"}', type=AnyCommand))
        for one in (key, other):
            client = Client(config, connections, f"/api/tables/{row.id}/live")
            clients.append(client)
            while not client.handshaken:
                await asyncio.sleep(0)
                client.read()
            client.wire.data_received(framed(json.dumps({"type": "hello", "protocol": 1, "key": one}).encode()))

    await asyncio.gather(*(make() for _ in range(tables)))
    for _ in range(5):
        await asyncio.sleep(0.05)
    made = time.process_time() - began
    spent, decisions = 0.0, 0
    timers.spent.clear()  # of making the tables
    for client in clients:
        client.read()
    while True:
        sending = [client for client in clients if client.message is not None][:together]
        if not sending:
            return made, spent, decisions
        began = time.process_time()
        for client in sending:
            message, client.message = client.message, None
            assert message is not None
            client.told.clear()
            client.wire.data_received(message)
        for client in sending:
            await client.told.wait()
        while app.store.writer.waiting() or any(table.lock.locked() for table in app.tables.loaded.values()):
            await asyncio.sleep(0.002)
        await asyncio.sleep(0)
        spent += time.process_time() - began
        decisions += len(sending)
        for client in clients:
            client.read()


async def measure(game: str, tables: int, rounds: int, together: int, parts: bool) -> None:
    timers = Timers()
    if parts:
        wrap_all(timers)
    with tempfile.TemporaryDirectory() as folder:
        settings = Config(
            database=f"sqlite:///{Path(folder) / 'b.db'}", subscribers=(10**6, 10**6), connections=(10**6, 10**6),
            compile=False, act_limit=FREE, make_limit=FREE, talk_limit=FREE,
        )  # fmt: skip
        app = App(settings)
        config = uvicorn.Config(app.asgi(), **options(settings, "127.0.0.1", 0))
        config.load()
        await app.tables.open()
        tune_interpreter()
        found, spent, makes = [], [], []
        for number in range(rounds):
            random.seed(number)
            app.tables.loaded.clear()
            gc.collect()
            made, seconds, decisions = await round_of(app, config, game, tables, together, timers)
            found.append(1e6 * seconds / decisions)
            makes.append(1e6 * made / tables)
            spent.append({part: ns / decisions / 1e3 for part, ns in timers.spent.items()})
        best = found.index(min(found))
        middle, table = statistics.median(found), min(makes)
        print(f"{game}, {tables} tables, {together} at once: {min(found):.0f} µs a decision (median {middle:.0f}),")
        print(f"  {table:6.1f}  to make a table and open two sockets, not in it")
        for part, micros in sorted(spent[best].items(), key=lambda one: -one[1]):
            print(f"  {micros:6.1f}  {part}")
        if parts:
            print(f"  {found[best] - sum(spent[best].values()):6.1f}  the rest: event loop, tasks, futures, checks")
        await app.tables.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="silencio")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--together", type=int, default=100, help="decisions that arrive at once: one commit")
    parser.add_argument("--interpreted", action="store_true", help="without compiled views")
    parser.add_argument("--whole", action="store_true", help="only the whole, without timers inside")
    given = parser.parse_args()
    if not given.interpreted:
        compiled_play.load(game_named(given.game))
    asyncio.run(measure(given.game, given.tables, given.rounds, given.together, not given.whole))


if __name__ == "__main__":
    main()
