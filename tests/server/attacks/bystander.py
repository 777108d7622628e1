"""What somebody at another table feels while a server is attacked: latencies, measured from a process of its own.

    async with Bystander(server.url) as bystander:
        with bystander.phase("quiet"):
            await asyncio.sleep(1.5)
        with bystander.phase("attack"):
            await attack()
    felt = bystander.report()          # prints a line for each phase and probe
    assert felt["attack"]["preview"].p99 < allowed(felt["quiet"]["preview"].p99)

Probes (`probes=` chooses some of them), each sent every `every` seconds, or once the one before was answered:

- `preview`: a command over an open WebSocket that is computed and writes nothing;
- `write`: a command over the same kind of socket that is committed to the database before it is answered;
- `request`: a GET over a connection that is kept open;
- `newcomer`: a new TCP connection and its first request.

Each probe comes from an address of its own (X-Forwarded-For, which the server believes of this machine), at 40 a second
below the usual rate for an address; so a test can leave the server's limits as they are.

A long stall counts for all probes that would have been sent in it, each from its own moment on, so it is not one
sample among many; and it counts in the phase in which they would have been sent. A probe that fails (refused, or the
connection was lost) counts as `failed`; it is tried again with a new connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PROBES = ("preview", "write", "request", "newcomer")
ROOT = Path(__file__).parents[3]
PATIENCE = 60.0  # seconds that a probe waits before it counts as failed
BUSY = 1.0  # seconds that a busy machine may add to any latency


@dataclass(frozen=True)
class Felt:
    """Latencies of one probe in one phase, in seconds."""

    count: int
    failed: int
    p50: float
    p99: float
    max: float

    @classmethod
    def of(cls, latencies: list[float], failed: int) -> Felt:
        found = sorted(latencies) or [float("inf")]
        return cls(len(latencies), failed, found[len(found) // 2], found[int(len(found) * 0.99)], found[-1])

    def __str__(self) -> str:
        shown = (
            f"p50 {self.p50 * 1e3:7.1f}  p99 {self.p99 * 1e3:7.1f}  max {self.max * 1e3:7.1f} ms  of {self.count:4d}"
        )
        return shown + (f", {self.failed} failed" if self.failed else "")


def allowed(quiet: float, most: float = BUSY) -> float:
    """How slow a bystander may be during an attack, given the same figure of the quiet phase: some times that, and
    what a busy machine adds. The old faults were far beyond it (a second to minutes). On two cores that others use too,
    latencies alone say little: compare memory and processor time as well (`Attacked`).
    """
    return most + 6 * quiet


class Bystander:
    """One person at a table of their own, in a process of its own."""

    def __init__(
        self, url: str, probes: tuple[str, ...] = PROBES, every: float = 0.025, game: str = "toy", seats: int = 2
    ) -> None:
        self.url, self.probes, self.every, self.game, self.seats = url, probes, every, game, seats
        self.phases: list[tuple[str, float, float]] = []
        self.samples: list[tuple[str, float, float | None]] = []  # probe, sent at, latency (None: failed)

    async def __aenter__(self) -> Bystander:
        from tests.server.harness import Api

        api = Api(self.url)
        self.table, keys = await asyncio.to_thread(api.make, self.game, self.seats, people=self.seats)
        await asyncio.to_thread(api.start, self.table, keys[0])
        chosen = {"url": self.url, "table": self.table, "key": keys[0], "probes": self.probes, "every": self.every}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, json.dumps(chosen),
            cwd=ROOT, env=os.environ, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
        )  # fmt: skip
        self.reading = asyncio.create_task(self._read())
        async with asyncio.timeout(PATIENCE):
            while not {probe for probe, _, _ in self.samples} >= set(self.probes):
                assert self.process.returncode is None, "the bystander did not start"
                await asyncio.sleep(0.01)
        return self

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            probe, at, latency = json.loads(line)
            self.samples.append((probe, at, latency))

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What is felt from here to the end of this block has a name."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.phases.append((name, began, time.monotonic()))

    async def __aexit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()  # it answers what is due, then goes
        try:
            await asyncio.wait_for(self.process.wait(), PATIENCE + 10)
        finally:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.reading

    def felt(self) -> dict[str, dict[str, Felt]]:
        """By phase and probe."""
        found: dict[str, dict[str, Felt]] = {}
        whole = [(probe, at, latency) for sample in self.samples for probe, at, latency in self._with_unsent(*sample)]
        for name, began, ended in self.phases:
            here = [sample for sample in whole if began <= sample[1] <= ended]
            for probe in self.probes:
                times = [latency for kind, _, latency in here if kind == probe]
                good = [latency for latency in times if latency is not None]
                found.setdefault(name, {})[probe] = Felt.of(good, len(times) - len(good))
        return found

    def _with_unsent(self, probe: str, at: float, latency: float | None) -> Iterator[tuple[str, float, float | None]]:
        """A sample, and those of the probes that would have been sent while it waited."""
        yield probe, at, latency
        while latency is not None and latency > self.every:
            at, latency = at + self.every, latency - self.every
            yield probe, at, latency

    def report(self) -> dict[str, dict[str, Felt]]:
        """The same, printed."""
        found = self.felt()
        print()
        for name, probes in found.items():
            for probe, felt in probes.items():
                print(f"  {name:>10} {probe:>9}: {felt}")
        return found


# ------------------------------------------------------------------ in the bystander's own process
class Prober:
    """Sends one kind of probe, again and again."""

    def __init__(self, chosen: dict[str, Any], probe: str) -> None:
        self.table, self.key, self.every, self.probe = chosen["table"], chosen["key"], chosen["every"], probe
        self.url = chosen["url"]
        self.address = f"198.51.100.{PROBES.index(probe) + 1}"  # of its own, as a proxy on this machine would say
        split = urlsplit(self.url)
        self.host, self.port = split.hostname, split.port
        self.socket: Any = None
        self.kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.texts: list[str] = []
        self.count = 0

    async def run(self, stopped: asyncio.Event) -> None:
        while not stopped.is_set():
            began, latency = time.monotonic(), None
            try:
                async with asyncio.timeout(PATIENCE):
                    await getattr(self, f"_{self.probe}")()
                latency = time.monotonic() - began
            except (OSError, EOFError, TimeoutError, Refused):
                await self._forget()
            print(json.dumps([self.probe, began, latency]), flush=True)
            await asyncio.sleep(max(0.0, began + self.every - time.monotonic()) or 0.001)
        await self._forget()

    async def _forget(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self.kept is not None:
            self.kept[1].close()
        self.socket = self.kept = None

    async def _open(self) -> Any:
        """A WebSocket after its hello, with the decisions that its seat has."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        from tacit.server.protocol import PROTOCOL

        try:
            address = f"{self.url.replace('http', 'ws')}/api/tables/{self.table}/live"
            headers = {"X-Forwarded-For": self.address}
            self.socket = await connect(address, compression=None, ping_interval=None, additional_headers=headers)
            await self.socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL, "key": self.key}))
            while not self.texts:
                frame = json.loads(await self.socket.recv())
                if frame["type"] == "seen" and frame.get("legal"):
                    self.texts = frame["legal"][:1]
        except WebSocketException as error:
            raise Refused(str(error)) from None
        return self.socket

    async def _command(self, **command: Any) -> None:
        from websockets.exceptions import WebSocketException

        socket = self.socket or await self._open()
        self.count += 1
        try:
            await socket.send(json.dumps(command | {"id": self.count}))
            while True:
                frame = json.loads(await socket.recv())
                if frame.get("id") == self.count:
                    break
        except WebSocketException as error:
            raise Refused(str(error)) from None
        if frame["type"] == "refused":
            raise Refused(frame["sentence"])

    async def _preview(self) -> None:
        if self.socket is None:
            await self._open()
        await self._command(type="preview", texts=self.texts)

    async def _write(self) -> None:
        await self._command(type="mute", seat=1, chat=("muted", "heard")[self.count % 2])

    async def _request(self) -> None:
        if self.kept is None:
            self.kept = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.kept
        head = f"GET /api/tables/{self.table} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        writer.write(f"{head}X-Forwarded-For: {self.address}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        await reader.readexactly(int(head.partition("content-length:")[2].split("\r\n")[0]))
        if " 200 " not in head.split("\r\n")[0]:
            raise Refused(head.split("\r\n")[0])

    async def _newcomer(self) -> None:
        await self._forget()
        await self._request()


class Refused(Exception):
    """The server said no."""


async def main() -> None:
    chosen = json.loads(sys.argv[1])
    stopped = asyncio.Event()
    tasks = [asyncio.create_task(Prober(chosen, probe).run(stopped)) for probe in chosen["probes"]]
    await asyncio.to_thread(sys.stdin.read)  # until the test closes it
    stopped.set()
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
