"""People who note what they were promised: every decision that was answered with `done`. Afterwards the store must have
each of them, once. When a socket breaks they reconnect, and send again what was not answered.

`python -m tests.server.witness URL --seconds 12` plays at some tables of a server (or of several behind nginx) and
compares with the records; deploy/several-processes.sh does so while it restarts the servers.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import time
from collections import Counter
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tacit import Match
from tacit.server.bus import LocalBus
from tacit.server.database import database_url
from tacit.server.protocol import PROTOCOL
from tacit.server.store import Store

GONE = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError)
AGAIN = 0.05  # seconds before a socket is opened again, or a decision sent again that could not be stored
PASSES = {"server.store.down", "server.limit", "server.broken"}


class Witness:
    """Someone on a seat who answers what they are asked, and notes what was acknowledged."""

    def __init__(self, urls: list[str], table: str, seat: int, key: str, pace: float, stays: bool) -> None:
        self.urls, self.table, self.seat, self.key, self.pace = urls, table, seat, key, pace
        self.stays = stays  # connected when the match is over
        self.promised: dict[int, list[str]] = {}  # ask -> the decisions that were acknowledged
        self.sent: dict[int, list[str]] = {}
        self.refused: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()  # how sockets ended
        self.over = False
        self.heard: list[str] = []

    async def play(self) -> None:
        """Until the match is over (or, for one who stays, until cancelled); through as many sockets as it takes."""
        door = random.randrange(len(self.urls))
        while True:
            url = self.urls[door % len(self.urls)]  # there may be more or fewer than before
            address = f"{url.replace('http', 'ws')}/api/tables/{self.table}/live"
            with contextlib.suppress(*GONE):
                async with connect(address, compression=None, open_timeout=10) as socket:
                    hello = {"type": "hello", "protocol": PROTOCOL, "key": self.key}
                    await socket.send(msgspec.json.encode(hello).decode())
                    try:
                        async for text in socket:
                            await self._hear(socket, msgspec.json.decode(text))
                            if self.ended():
                                return
                    finally:
                        self.codes[socket.close_code or 0] += 1
            door += 1
            await asyncio.sleep(AGAIN)

    def ended(self) -> bool:
        return self.over and not self.stays

    async def _hear(self, socket: Any, frame: dict[str, Any]) -> None:
        if frame["type"] == "seen":
            self.heard = self.heard[: frame["keep"]] + frame["heard"]
            ask = frame["ask"]
            if ask is not None and ask not in self.promised:
                await asyncio.sleep(random.uniform(0.5, 1.5) * self.pace)
                texts = self.sent.setdefault(ask, [random.choice(frame["legal"])])
                await self._send(socket, ask, texts)
        elif frame["type"] == "done" and frame["id"] is not None:
            self.promised[frame["id"]] = self.sent[frame["id"]]
        elif frame["type"] == "refused":
            code, ask = frame["reason"]["code"], frame["id"]
            self.refused[code] += 1
            if code in PASSES and ask in self.sent:
                await asyncio.sleep(AGAIN)
                await self._send(socket, ask, self.sent[ask])
        elif frame["type"] == "table":
            self.over = frame["phase"] == "over"

    async def _send(self, socket: Any, ask: int, texts: list[str]) -> None:
        act = {"type": "act", "id": ask, "ask": ask, "texts": texts}
        await socket.send(msgspec.json.encode(act).decode())


class Party:
    """Witnesses at some tables of two people, and of bots, which do not think: what is looked at is the server. Those
    who stay are connected until the party stops, also after their match.
    """

    def __init__(
        self, urls: list[str], tables: int, game: str = "zombie-city", pace: float = 0.03, stays: bool = False,
        bots: int = 0,
    ) -> None:  # fmt: skip
        self.bots = bots
        self.urls, self.count, self.game, self.pace, self.stays = urls, tables, game, pace, stays
        self.people: list[Witness] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        async with httpx.AsyncClient(timeout=30) as client:
            for number in range(self.count):
                base = f"{self.urls[number % len(self.urls)]}/api/tables"
                chairs = [{"kind": "open"}] * 2 + [{"kind": "bot", "bot": "random"}] * self.bots
                wish = {"game": self.game, "seats": len(chairs), "name": "Ada", "chairs": chairs}
                made = (await client.post(base, json=wish)).json()
                table = made["table"]
                other = (await client.post(f"{base}/{table}/join", json={"name": "Ben"})).json()
                bearer = {"Authorization": f"Bearer {made['key']}"}
                started = await client.post(f"{base}/{table}/start", json={}, headers=bearer)
                assert started.status_code == 200, started.text
                for seat, key in enumerate((made["key"], other["key"])):
                    self.people.append(Witness(self.urls, table, seat, key, self.pace, self.stays))
        self.tasks = [asyncio.create_task(person.play()) for person in self.people]

    async def go_on(self, each: int, seconds: float = 90.0) -> None:
        """Wait until the people of every table have more decisions confirmed (one may have been eliminated), or their
        match is over.
        """
        before = self._promised_at()
        until = time.monotonic() + seconds
        while True:
            for task in self.tasks:
                if task.done() and not task.cancelled() and task.exception() is not None:
                    task.result()
            now = self._promised_at()
            slow = [p for p in self.people if not p.over and now[p.table] < before[p.table] + each]
            if not slow:
                return
            assert time.monotonic() < until, f"{len(slow)} of {len(self.people)} do not go on: {slow[0].refused}"
            await asyncio.sleep(0.02)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _promised_at(self) -> Counter[str]:
        """How many decisions were confirmed at each table."""
        found = Counter[str]()
        for person in self.people:
            found[person.table] += len(person.promised)
        return found

    @property
    def promised(self) -> int:
        return sum(len(person.promised) for person in self.people)


async def judge(database: str, people: list[Witness]) -> int:
    """Every promised decision is in the store, once and as it was sent; every record can be played. How many."""
    store = Store(database_url(database), LocalBus())
    judged = 0
    try:
        for table in {person.table for person in people}:
            row, steps = await store.load(table, 0)
            assert row is not None
            assert [step.sequence for step in steps] == list(range(1, len(steps) + 1))
            answered = Counter((step.seat, step.ask) for step in steps if step.ask is not None)
            assert max(answered.values(), default=1) == 1, "a question was answered twice"
            stored = {
                (step.seat, step.ask): [line.partition(" ")[2] for line in step.lines if line[0] == str(step.seat)]
                for step in steps
            }
            match = Match(row.game, len(row.seats), row.options, settle=False)
            for step in steps:
                for line in step.lines:
                    match.replay(line)
            for person in (person for person in people if person.table == table):
                for ask, texts in person.promised.items():
                    assert stored.get((person.seat, ask)) == texts, f"seat {person.seat}, question {ask} is lost"
                    judged += 1
                # What anyone heard was stored before it was sent.
                assert match.see(person.seat).heard[: len(person.heard)] == person.heard
    finally:
        await store.engine.dispose()
    return judged


def within(some: list[str], all_of_them: list[str]) -> bool:
    """Are these among those, in the same order?"""
    rest = iter(all_of_them)
    return all(one in rest for one in some)


async def _main(url: str, seconds: float, tables: int) -> None:
    """Without the database: the records of finished matches are compared."""
    party = Party([url], tables, "silencio", pace=0.15)
    await party.start()
    await asyncio.sleep(seconds)
    for person in party.people:
        person.pace = 0.0
    await asyncio.wait_for(asyncio.gather(*party.tasks), 60)
    async with httpx.AsyncClient(timeout=30) as client:
        for person in party.people:
            bearer = {"Authorization": f"Bearer {person.key}"}
            record = (await client.get(f"{url}/api/tables/{person.table}/record", headers=bearer)).text
            assert Match.load(record).over
            own = [line.partition(" ")[2] for line in record.splitlines() if line.startswith(f"{person.seat} ")]
            wanted = [text for ask in sorted(person.promised) for text in person.promised[ask]]
            sent = [text for ask in sorted(person.sent) for text in person.sent[ask]]
            # One whose answer did not arrive any more may be stored, but nothing that was not sent, and nothing twice.
            told = f"{person.table}, seat {person.seat}: {len(own)} stored, {len(wanted)} promised, {len(sent)} sent"
            assert within(wanted, own) and within(own, sent), told  # noqa: PT018
    ends = sum((person.codes for person in party.people), Counter())
    print(
        f"{party.promised} decisions at {tables} tables: all are in the records, none twice. "
        f"Sockets ended with {dict(sorted(ends.items()))}."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--tables", type=int, default=10)
    given = parser.parse_args()
    asyncio.run(_main(given.url, given.seconds, given.tables))
