"""`tacit bench server`: a load generator in this process, the server in another, real sockets between them.

Two clients at each busy table decide at random. The latency of a decision is the time from sending it to the new view
on the same socket, so it includes the commit. Two new sockets make each table and claim its seats. With a rate,
decisions are due at even times (open loop): a decision that is sent late, because no table was ready for it, counts
from when it was due. Idle tables are started matches with one listening socket each. With `--peers`, boardgame.io (npm)
serves a small card game with secret hands in the same run; matches are made as it has them made, by three requests, use
two new sockets and are as long as ours.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from tacit.bench.websocket_client import Http, WebSocketClient, connect
from tacit.core import compiled_play
from tacit.core.registry import game_named

HOST = "127.0.0.1"
PEER = "boardgame.io@0.50.2"
COMPILE_WITHIN = 120.0  # seconds
TABLE_MAKERS = 40  # connections that make tables at the same time
SERVE = (
    "import sys, msgspec; from tacit.server.serve import run; from tacit.server.config import Config;"
    "run(msgspec.json.decode(sys.argv[1], type=Config), '127.0.0.1', int(sys.argv[2]))"
)
PEER_SERVER = """
const { Server } = require('boardgame.io/server')
const { PlayerView } = require('boardgame.io/core')
const fresh = (random) => random.Shuffle([...Array(60).keys()])
const cards = {
  name: 'cards',
  setup: ({ random }) => {
    const deck = fresh(random)
    return { secret: { deck }, players: { 0: deck.splice(0, 7), 1: deck.splice(0, 7) }, row: [], score: { 0: 0, 1: 0 } }
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ ctx }) => (ctx.turn > MOVES ? { over: true } : undefined),
  moves: {
    play: {
      client: false,
      move: ({ G, random, playerID }, at) => {
        const [card] = G.players[playerID].splice(at, 1)
        G.row.push(card)
        if (G.row.length > 12) G.row.shift()
        G.score[playerID] += card % 10
        if (!G.secret.deck.length) G.secret.deck = fresh(random)
        G.players[playerID].push(G.secret.deck.pop())
      },
    },
  },
}
// Its lobby has a port of its own: on the same one, with koa 2.16, it is not reached.
const [port, apiPort] = process.argv.slice(2).map(Number)
Server({ games: [cards], origins: [/./] }).run({ port, lobbyConfig: { apiPort } })
""".replace("MOVES", "36")  # the average length of a random match of Silencio for two


class Frame(msgspec.Struct):
    """The part of a message that a client reads."""

    type: str
    ask: int | None = None
    legal: list[str] = []
    phase: str = ""
    id: int | None = None
    sentence: str = ""


class Joined(msgspec.Struct):
    """The answer to whoever makes a table."""

    table: str


_frames = msgspec.json.Decoder(Frame)
_joins = msgspec.json.Decoder(Joined)


class Figures(msgspec.Struct):
    """The figures of one server."""

    what: str
    tables: int
    sockets: int
    seconds: float
    decisions: int
    rate: float
    p50: float  # milliseconds
    p99: float
    worst: float
    server_cpu: float  # cores
    generator_cpu: float
    load: float  # load average of the machine
    idle_tables: int = 0
    table_kb: float | None = None  # memory of one open table
    socket_kb: float | None = None  # memory of one socket
    refused: int = 0
    made: float = 0.0  # tables a second
    asked: float | None = None  # decisions a second that were due


class Pacer:
    """Paces the clients: `rate` decisions are due per second in total (None: each at once), and collects latencies."""

    def __init__(self, rate: float | None) -> None:
        self.rate, self.next = rate, time.perf_counter()
        self.times: list[float] = []
        self.counting = False
        self.refused = 0
        self.first: set[asyncio.Event] = set()  # the ends of the tables' first matches
        self.playing: set[asyncio.Event] = set()  # the ends of matches in which somebody has seen the table
        self.made = 0  # tables, while it counts
        self.makers = asyncio.Semaphore(TABLE_MAKERS)  # boardgame.io resets connections if 300 come at once

    def new_match(self, first: bool) -> asyncio.Event:
        """The end of a match that is about to be made."""
        over = asyncio.Event()
        if first:
            self.first.add(over)
        self.made += self.counting
        return over

    def all_play(self, tables: int) -> bool:
        """Has somebody seen the first match of every table? (Who is quick plays several meanwhile.)"""
        return len(self.first) == tables and self.first <= self.playing

    def begin(self) -> None:
        """Count from now on."""
        self.counting, self.next = True, time.perf_counter()

    def pace(self, send: Callable[[float], None]) -> None:
        """Reserve the next decision, and send it when it is due; `send` gets that moment, which may be past."""
        now = time.perf_counter()
        if self.rate is None:
            send(now)
            return
        self.next += 1 / self.rate
        if not self.counting:
            self.next = max(self.next, now)
        if self.next <= now:
            send(self.next)
        else:
            asyncio.get_running_loop().call_later(self.next - now, send, self.next)

    def give_back(self) -> None:
        """Cancel a reservation that was not used."""
        if self.rate is not None:
            self.next -= 1 / self.rate

    def took(self, seconds: float) -> None:
        if self.counting:
            self.times.append(seconds)


class Client:
    """A client at one of our tables that decides at random."""

    def __init__(self, pacer: Pacer, over: asyncio.Event) -> None:
        self.pacer, self.over = pacer, over
        self.wire: WebSocketClient | None = None
        self.ask: int | None = None
        self.at: float | None = None
        self.told: float | None = None  # latency until the new view; counted once the decision is acknowledged

    def hear(self, text: bytes) -> None:
        frame = _frames.decode(text)
        if frame.type == "seen":
            self.pacer.playing.add(self.over)
            if self.at is not None and frame.ask != self.ask:
                self.told = time.perf_counter() - self.at
                self.at = None
            before, self.ask = self.ask, frame.ask
            if frame.ask is not None and frame.ask != before:
                choice = random.choice(frame.legal)
                message = b'{"type":"act","id":1,"ask":%d,"texts":%b}' % (frame.ask, msgspec.json.encode([choice]))
                self.pacer.pace(partial(self.send, message, frame.ask))
        elif frame.type == "done":
            if self.told is not None:
                self.pacer.took(self.told)
            self.told = None
        elif frame.type == "refused":  # the other client was first: both may claim the start
            self.pacer.refused += 1
            self.at = self.told = None
        elif frame.type == "table" and frame.phase == "over":
            self.over.set()

    def send(self, message: bytes, ask: int, due: float) -> None:
        assert self.wire is not None
        if not self.over.is_set() and self.ask == ask:
            self.at = due
            self.wire.send(message)
        else:  # the question is closed
            self.pacer.give_back()


def _wish(game: str) -> dict[str, Any]:
    """A table for two that starts with the second."""
    return {"game": game, "seats": 2, "name": "A", "starts": "full"}


async def make(port: int, game: str, hears: Sequence[Callable[[bytes], None]]) -> list[WebSocketClient]:
    """Make a table for two with a socket for each, whose messages `hears` get. The match starts with the second."""
    joined: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def hear_first(text: bytes) -> None:
        if not joined.done():
            joined.set_result(_joins.decode(text).table)
        hears[0](text)

    first = await connect(HOST, port, "/api/live", hear_first)
    first.send(json.dumps({"type": "hello", "protocol": 1, "create": _wish(game)}).encode())
    second = await connect(HOST, port, f"/api/tables/{await joined}/live", hears[1])
    second.send(b'{"type":"hello","protocol":1,"join":{"name":"B"}}')
    return [first, second]


async def busy(port: int, game: str, pacer: Pacer, stop: asyncio.Event) -> None:
    """Play matches one after the other, each at a new table."""
    first = True
    while not stop.is_set():
        over, first = pacer.new_match(first), False
        bots = [Client(pacer, over) for _ in range(2)]
        async with pacer.makers:
            wires = await make(port, game, [bot.hear for bot in bots])
        for bot, wire in zip(bots, wires, strict=True):
            bot.wire = wire
        await _until_over(bots, over, stop)


async def _until_over(bots: Sequence[Client | PeerClient], over: asyncio.Event, stop: asyncio.Event) -> None:
    """Wait until the match is over or `stop` is set, then close its sockets."""
    waits = [asyncio.create_task(event.wait()) for event in (over, stop)]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    over.set()
    for task in waits:
        task.cancel()
    for bot in bots:
        if bot.wire is not None:
            bot.wire.close()


class PeerClient:
    """A client at a table of boardgame.io, over the WebSocket of socket.io."""

    def __init__(self, pacer: Pacer, over: asyncio.Event, match: str, seat: str, key: str) -> None:
        self.pacer, self.over, self.match, self.seat, self.key = pacer, over, match, seat, key
        self.wire: WebSocketClient | None = None
        self.state = -1
        self.at: float | None = None

    def hear(self, text: bytes) -> None:
        assert self.wire is not None
        if text == b"2":
            self.wire.send(b"3")
        elif text.startswith(b"0"):
            self.wire.send(b"40/cards,")
        elif text.startswith(b"40/cards,"):
            self.wire.send(b"42/cards," + json.dumps(["sync", self.match, self.seat, self.key, 2]).encode())
        elif text.startswith(b"42/cards,"):
            kind, _, *rest = msgspec.json.decode(text[9:])
            if kind in ("sync", "update"):
                self._see(rest[0]["state"] if kind == "sync" else rest[0])

    def _see(self, state: dict[str, Any]) -> None:
        if state["_stateID"] <= self.state or self.over.is_set():
            return
        self.state = state["_stateID"]
        self.pacer.playing.add(self.over)
        if self.at is not None:
            self.pacer.took(time.perf_counter() - self.at)
            self.at = None
        if "gameover" in state["ctx"]:
            self.over.set()
        elif state["ctx"]["currentPlayer"] == self.seat:
            at = random.randrange(len(state["G"]["players"][self.seat]))
            move = {"type": "play", "args": [at], "playerID": self.seat, "credentials": self.key}
            action = {"type": "MAKE_MOVE", "payload": move}
            message = b"42/cards," + json.dumps(["update", action, self.state, self.match, self.seat]).encode()
            self.pacer.pace(partial(self.send, message))

    def send(self, message: bytes, due: float) -> None:
        assert self.wire is not None
        if not self.over.is_set():
            self.at = due
            self.wire.send(message)


async def busy_peer(port: int, lobby: int, pacer: Pacer, stop: asyncio.Event) -> None:
    """The same on boardgame.io; tables are made and joined in its lobby."""
    first = True
    while not stop.is_set():
        over, first = pacer.new_match(first), False
        bots = []
        async with pacer.makers:
            http = Http(HOST, lobby)
            match = json.loads(await http.post("/games/cards/create", b'{"numPlayers":2}'))["matchID"]
            for seat in ("0", "1"):
                wish = json.dumps({"playerID": seat, "playerName": "AB"[int(seat)]}).encode()
                joined = json.loads(await http.post(f"/games/cards/{match}/join", wish))
                bots.append(PeerClient(pacer, over, match, seat, joined["playerCredentials"]))
            await http.close()
        for bot in bots:
            # Assign it before connecting: boardgame.io sends first and the client answers.
            wire = bot.wire = WebSocketClient(HOST, port, "/socket.io/?EIO=4&transport=websocket", bot.hear)
            await asyncio.get_running_loop().create_connection(lambda wire=wire: wire, HOST, port)  # type: ignore[misc]
            await wire.open
        await _until_over(bots, over, stop)


# ------------------------------------------------------------------ the machine
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def get(port: int, path: str) -> bytes:
    """What a server answers."""
    with urllib.request.urlopen(f"http://{HOST}:{port}{path}") as answer:
        return bytes(answer.read())


def need_proc() -> None:
    """Raise RuntimeError where the processor time and memory of another process cannot be read."""
    if not Path("/proc/self/stat").exists():
        raise RuntimeError("tacit bench server measures on Linux alone: it reads /proc.")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return float(next(line for line in lines if line.startswith("VmRSS")).split()[1])


@contextmanager
def process(command: list[str], port: int, **more: Any) -> Iterator[int]:
    """Start a server, wait until it listens, yield its process id, stop it."""
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, **more)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex((HOST, port)) == 0:
                    break
            if running.poll() is not None:
                raise RuntimeError("The server did not start.")
            time.sleep(0.1)
        yield running.pid
    finally:
        running.terminate()
        running.wait(30)


async def _idle(port: int, pid: int, game: str, count: int) -> tuple[list[WebSocketClient], float | None, float | None]:
    """Open `count` tables, then a socket at each; returns the sockets and the memory of a table and of a socket."""
    if not count:
        return [], None, None
    start = memory_kb(pid)
    places: list[tuple[str, str]] = []

    async def hand(share: int) -> None:
        http = Http(HOST, port)
        for _ in range(share):
            made = json.loads(await http.post("/api/tables", json.dumps(_wish(game)).encode()))
            await http.post(f"/api/tables/{made['table']}/join", b'{"name":"B"}')
            places.append((made["table"], made["key"]))
        await http.close()

    shares = [count // TABLE_MAKERS + (n < count % TABLE_MAKERS) for n in range(TABLE_MAKERS)]
    await asyncio.gather(*map(hand, shares))
    tables = memory_kb(pid)
    wires = []
    for table, key in places:
        seen = asyncio.Event()
        wire = await connect(HOST, port, f"/api/tables/{table}/live", lambda text, seen=seen: seen.set())  # type: ignore[misc]
        wire.send(json.dumps({"type": "hello", "protocol": 1, "key": key}).encode())
        await seen.wait()
        wires.append(wire)
    await asyncio.sleep(1)
    return wires, (tables - start) / count, (memory_kb(pid) - tables) / count


async def _measure(
    what: str, port: int, pid: int, game: str | int, tables: int, seconds: float, rate: float | None, idle: int
) -> Figures:
    """Measure our server (`game` is a name) or boardgame.io (`game` is the port of its lobby)."""
    pacer, stop = Pacer(rate), asyncio.Event()
    wires, table_kb, socket_kb = await _idle(port, pid, str(game), idle)
    work = []
    for _ in range(tables):
        table = busy(port, game, pacer, stop) if isinstance(game, str) else busy_peer(port, game, pacer, stop)
        work.append(asyncio.create_task(table))
    while not pacer.all_play(tables) and not any(task.done() for task in work):
        await asyncio.sleep(0.05)  # until all tables play; a task that is done has failed
    await asyncio.sleep(min(1.0, seconds))
    pacer.begin()
    began, server, own = time.perf_counter(), cpu_seconds(pid), time.process_time()
    await asyncio.sleep(seconds)
    pacer.counting, made = False, pacer.made
    took = time.perf_counter() - began
    server, own = cpu_seconds(pid) - server, time.process_time() - own
    stop.set()
    for failed in [task for task in work if task.done()]:
        failed.result()
    await asyncio.wait(work, timeout=10)
    for wire in wires:
        wire.close()
    times = sorted(pacer.times) or [0.0]
    return Figures(
        what=what, tables=tables, sockets=2 * tables + len(wires), seconds=took, decisions=len(pacer.times),
        rate=len(pacer.times) / took, p50=1e3 * times[len(times) // 2], p99=1e3 * times[int(len(times) * 0.99)],
        worst=1e3 * times[-1], server_cpu=server / took, generator_cpu=own / took, load=os.getloadavg()[0],
        idle_tables=idle, table_kb=table_kb, socket_kb=socket_kb, refused=pacer.refused, asked=rate,
        made=made / took,
    )  # fmt: skip


@contextmanager
def our_server(database: str | None, game: str, bus: str | None = None) -> Iterator[tuple[int, int, str]]:
    """Our server with its limits lifted, with the compiled rules of a game: its port, its process and what it is."""
    compiled_play.load(game_named(game))  # into the cache on disk
    with tempfile.TemporaryDirectory() as folder:
        address = database or f"sqlite:///{Path(folder) / 'bench.db'}"
        limits = dict.fromkeys(("act_limit", "chat_limit", "make_limit", "talk_limit"), (1e9, 1e9))
        many = dict.fromkeys(("subscribers", "connections"), (10**6, 10**6))
        config = {"database": address, **many, **limits, **({"bus": bus} if bus else {})}
        port = free_port()
        with process([sys.executable, "-c", SERVE, json.dumps(config), str(port)], port) as pid:
            get(port, "/api/games")  # it waits for what the server loads once it has started
            asyncio.run(_compile(port, game))
            kind = ("PostgreSQL" if address.startswith("postgres") else "SQLite") + (" and a bus" if bus else "")
            yield port, pid, f"tacit, {kind}"


async def _compile(port: int, game: str) -> None:
    """Have the server load the compiled rules of a game, as it does at its first table of that game."""
    if game_named(game).rules.fragments is not None:
        http = Http(HOST, port)
        await http.post("/api/tables", json.dumps(_wish(game)).encode())
        await http.close()
        until = time.monotonic() + COMPILE_WITHIN
        while b"\ntacit_compiled_games 1.0" not in get(port, "/metrics"):
            if time.monotonic() > until:
                raise RuntimeError("The server did not compile the rules.")
            await asyncio.sleep(0.1)


def ours(
    database: str | None, game: str, tables: int, seconds: float, rate: float | None, idle: int, bus: str | None = None
) -> Figures:  # fmt: skip
    """Measure our server."""
    with our_server(database, game, bus) as (port, pid, what):
        return asyncio.run(_measure(f"{what}, {game}", port, pid, game, tables, seconds, rate, idle))


def peer(tables: int, seconds: float, rate: float | None) -> Figures:
    """Measure boardgame.io with a small card game, its state in memory."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise RuntimeError("boardgame.io needs Node: install node and npm.")
    folder = Path(os.environ.get("TACIT_PEERS", ".cache/boardgame")).absolute()
    if not (folder / "node_modules" / "boardgame.io").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}')
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", PEER], cwd=folder, check=True)
    (folder / "server.js").write_text(PEER_SERVER)
    port, lobby = free_port(), free_port()
    command = [node, "server.js", str(port), str(lobby)]
    environment = os.environ | {"NODE_ENV": "production"}
    with process(command, port, cwd=folder, env=environment, stderr=subprocess.DEVNULL) as pid:
        return asyncio.run(_measure("boardgame.io, in memory", port, pid, lobby, tables, seconds, rate, 0))


def run(
    databases: list[str | None], games: list[str], tables: int, seconds: float, rates: Sequence[float], idle: int,
    peers: bool, as_json: bool, bus: str | None = None,
) -> None:  # fmt: skip
    """Measure and print. In the closed loop boardgame.io is measured first and last, to show whether the machine slowed
    down. At each rate (open loop) it is measured beside the first game.
    """
    need_proc()
    found = []
    buses = [bus if (database or "").startswith("postgres") else None for database in databases]
    if peers or not rates:
        found += [peer(tables, seconds, None)] if peers else []
        for game in games:
            found += [ours(d, game, tables, seconds, None, idle, b) for d, b in zip(databases, buses, strict=True)]
        found += [peer(tables, seconds, None)] if peers else []
    for rate in rates:
        found += [peer(tables, seconds, rate)] if peers else []
        found += [ours(d, games[0], tables, seconds, rate, idle, b) for d, b in zip(databases, buses, strict=True)]
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        print_table(found)


def print_table(found: Sequence[Figures]) -> None:
    """Figures as Markdown."""
    peers = [m for m in found if m.what.startswith("boardgame") and m.asked is None]
    print("| what | tables | due/s | decisions/s | per core-second | × peer | p50 | p99 | worst | cores | refused |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for m in found:
        each = m.rate / max(m.server_cpu, 0.01)
        theirs = [one.rate / one.server_cpu for one in peers if one.tables == m.tables]
        ratios = "–".join(f"{each / one:.2f}" for one in sorted(theirs, reverse=True)) if m.asked is None else ""
        print(
            f"| {m.what} | {m.tables} busy, {m.idle_tables} idle | {'all' if m.asked is None else f'{m.asked:,.0f}'} "
            f"| {m.rate:,.0f} | {each:,.0f} | {'' if m.what.startswith('boardgame') else ratios} | {m.p50:.1f} ms "
            f"| {m.p99:.1f} ms | {m.worst:.0f} ms | {m.server_cpu:.2f} | {m.refused} |"
        )
        if m.table_kb is not None and m.socket_kb is not None:
            print(f"  memory: {m.table_kb:.1f} KB per table, {m.socket_kb:.1f} KB per socket")
    print(f"load average {max(m.load for m in found):.1f}; generator {max(m.generator_cpu for m in found):.2f} cores")
