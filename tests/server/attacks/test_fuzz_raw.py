"""Random input: raw bytes, HTTP that is nearly right, every query parameter, frames of WebSockets. No answer is a
5xx, nothing is noted as a fault, memory does not grow, and a bystander plays on. 10⁶ inputs with TACIT_LONG=1.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from urllib.parse import quote

from tests.server.attacks.bystander import Bystander, allowed
from tests.server.attacks.clients import frame, upgrade
from tests.server.attacks.conftest import LONG, Attacked, Start
from tests.server.harness import Api, run

COUNT = 1_000_000 if LONG else 3_000
AT_ONCE = 8
MB = 1 << 20
NUMBERS = (
    "nan", "inf", "-inf", "1e999", "-1", "-0", "0", "0.0", "1e-9", "0.001", "1" * 30, "0x1f", "٣", "1_0", " 1",
    "+1", "", "null", "true", "[]", "1;2", "1&wait=nan", "%00", "\x00", "\ud7ff", "9" * 5000,
)  # fmt: skip
EYES = ("public", "open", "0", "1", "31", "32", "-1", "pub\nlic", "PUBLIC", "*", "{}", "'--", "../..", "\U0001f0a1")
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "TRACE", "\x7f", "G" * 300)
HEADERS = (
    "Host: x", "Host:", "Content-Length: 5", "Content-Length: -1", "Content-Length: 9" + "9" * 30,
    "Content-Length: nan", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Expect: 100-continue",
    "Connection: close", "Upgrade: h2c", "Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: x", "Cookie: tacit-seat=", "Authorization: Bearer x", "Authorization: \xff\xfe",
    "If-None-Match: *", "X-Forwarded-For: , ,", "X-Forwarded-For: 1", "X-Forwarded-For: 198.51.100.9, [::1]:99999",
    "X-Forwarded-Proto: gopher", "Tacit-Protocol: 99", "Origin: null", "Origin: http://[", ": x", "A B: c", "X: \x00",
    "Accept-Language: " + "a," * 3000, "X:\ty", "Range: bytes=0-1",
)  # fmt: skip


def paths(table: str) -> list[str]:
    """Every route, with all query parameters."""
    looks = [
        f"/api/tables/{table}/{look}" for look in ("", "seen", "record", "replay", "outline", "live", "join", "act")
    ]
    about = [
        "/healthz",
        "/metrics",
        "/api/games",
        "/api/lobby",
        "/api/words/de",
        "/api/tables",
        "/api/replay",
        "/t/x",
        "/",
    ]
    return [*looks, *looks, *about]


class Fuzzer:
    """Inputs by chance, from a seed."""

    def __init__(self, server: Attacked, table: str, key: str, seed: int) -> None:
        self.server, self.table, self.key, self.chance = server, table, key, random.Random(seed)
        self.paths = paths(table)
        self.statuses: Counter[int] = Counter()

    def query(self) -> str:
        some = self.chance.sample(("wait", "eyes", "step", "x", "wait"), self.chance.randint(0, 4))
        pairs = []
        for name in some:
            odd = self.chance.choice(EYES if name == "eyes" or self.chance.random() < 0.1 else NUMBERS)
            pairs.append(f"{name}={odd if self.chance.random() < 0.2 and odd.isprintable() else quote(odd, safe='')}")
        return "?" + "&".join(pairs) if pairs else ""

    def path(self) -> str:
        path = self.chance.choice(self.paths) + self.query()
        return path.replace(" ", "%20").encode("ascii", "backslashreplace").decode()

    def request(self) -> bytes:
        """A right request with odd parameters, for a connection that is kept."""
        known = self.chance.choice(("", f"Authorization: Bearer {self.key}\r\n", "If-None-Match: x\r\n"))
        return f"GET {self.path()} HTTP/1.1\r\nHost: x\r\n{known}\r\n".encode()

    def raw(self) -> bytes:
        """Something that is nearly a request, or not at all."""
        kind = self.chance.random()
        if kind < 0.15:
            return self.chance.randbytes(self.chance.choice((1, 7, 100, 5000)))
        headers = self.chance.sample(HEADERS, self.chance.randint(0, 6))
        version = self.chance.choice(("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/9.9", ""))
        text = f"{self.chance.choice(METHODS)} {self.path()} {version}\r\n" + "".join(h + "\r\n" for h in headers)
        data = text.encode("latin-1", "replace") + b"\r\n"
        data += self.chance.choice(
            (b"", b"{}", b"0\r\n\r\n", b"1\r\nx\r\n" * 50, b"[" * 2000, self.chance.randbytes(30))
        )
        if kind < 0.5:  # torn
            at = self.chance.randrange(len(data))
            data = data[:at] + self.chance.choice((b"", b"\x00", b"\n", b"\r\n\r\n", b"\xff" * 9)) + data[at + 1 :]
        return data

    def frames(self) -> bytes:
        texts = (
            b"", b"{}", b'{"type":"hello","protocol":1e999}', b'{"type":"act","ask":NaN,"texts":["x"]}', b"[" * 120,
            b'{"type":"return","id":' + b"9" * 40 + b"}", b'{"type":"mute","seat":-1}',
            b'{"type":"chat","text":"\\ud800"}',
        )  # fmt: skip
        made = []
        for _ in range(self.chance.randint(1, 8)):
            first = self.chance.choice((0x81, 0x81, 0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8A, 0x83, 0xC1, 0xFF))
            data = self.chance.choice(texts) if self.chance.random() < 0.7 else self.chance.randbytes(20)
            made.append(frame(first, data[:125]))
        sent = b"".join(made)
        return sent[: self.chance.randrange(1, len(sent) + 1)] if self.chance.random() < 0.2 else sent

    async def once(self, data: bytes) -> None:
        """Send bytes over a new connection, and read the answer."""
        reader, writer = await asyncio.open_connection(*self.server.address)
        with contextlib.suppress(ConnectionError, TimeoutError):
            writer.write(data)
            writer.write_eof()
            async with asyncio.timeout(60):
                answer = await reader.read(1 << 20)
            self.count(answer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    def count(self, answer: bytes) -> None:
        if answer.startswith(b"HTTP/1."):
            status = int(answer[9:12])
            unbuilt = status == 503 and b"application/json" not in answer  # there is no page to show
            self.statuses[status] += 1
            assert status < 500 or unbuilt, answer[:300]

    async def kept(self, count: int) -> None:
        """Right requests, one after the other, over a connection that is kept."""
        reader, writer = await asyncio.open_connection(*self.server.address)
        for _ in range(count):
            sent = self.request()
            writer.write(sent)
            async with asyncio.timeout(60):
                try:
                    head = await reader.readuntil(b"\r\n\r\n")
                except (EOFError, ConnectionError):
                    break  # it was not that right
                size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or b"0")
                if b" 304 " not in head[:14]:
                    await reader.readexactly(size)
            self.count(head)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def work(self, count: int) -> None:
        while count > 0:
            kind = self.chance.random()
            if kind < 0.5:
                await self.kept(20)
                count -= 20
            elif kind < 0.8:
                await self.once(self.raw())
                count -= 1
            else:
                hello = frame(0x81, b'{"type":"hello","protocol":1,"key":"%s"}' % self.key.encode())
                begun = upgrade(self.table) + (hello if self.chance.random() < 0.7 else b"")
                await self.once(begun + self.frames())
                count -= 1


def test_whatever_bytes_come_the_server_plays_on(attacked: Start) -> None:
    server = attacked(subscribers=(10_000, 10_000))
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2, spectators="public")
    api.start(table, keys[0])
    before = api.get(f"/api/tables/{table}/seen", keys[0]).json()["view"]

    async def play() -> None:
        fuzzers = [Fuzzer(server, table, keys[0], seed) for seed in range(AT_ONCE)]
        async with Bystander(server.url, every=0.05) as bystander:
            with bystander.phase("quiet"):
                await asyncio.sleep(1.5)
            with bystander.phase("warm"):
                await asyncio.gather(*(one.work(COUNT // AT_ONCE // 5) for one in fuzzers))
            memory = server.memory()
            with bystander.phase("attack"):
                await asyncio.gather(*(one.work(COUNT // AT_ONCE * 4 // 5) for one in fuzzers))
        felt = bystander.report()
        grown = (server.memory() - memory) / MB
        statuses = sum((one.statuses for one in fuzzers), Counter())
        print(f"  {COUNT:,} inputs: {dict(sorted(statuses.items()))}; memory grew by {grown:.1f} MB")
        assert {101, 200, 400, 404} <= set(statuses)
        assert grown < 20
        assert "fault" not in server.logged()
        assert "Exception" not in server.logged()
        for probe, quiet in felt["quiet"].items():
            assert not felt["attack"][probe].failed
            assert felt["attack"][probe].p50 < allowed(quiet.p50)
            assert not LONG or felt["attack"][probe].p99 < max(0.05, 4 * quiet.p99)

    run(play())
    assert api.get(f"/api/tables/{table}/seen", keys[0]).json()["view"] == before
