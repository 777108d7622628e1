"""Reviews of finished matches: a queue of jobs in processes of their own, and the store that keeps what they find.

The queue stands in the store, so that all processes of a server share it: whoever is asked for a review takes it to a
place in line here, and whoever comes to it first claims it. A process that dies loses its claim, and the next one that
is asked goes on. A record that somebody brought is not stored: it comes again with each question.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from tacit.review.model import Review
from tacit.server import faults
from tacit.server.errors import refuse
from tacit.server.models import reviews, seats, tables
from tacit.server.processes import ProcessFailed, lines_of
from tacit.server.review_protocol import Reviewed
from tacit.server.store import Store

COMMAND = (sys.executable, "-m", "tacit.review.job")
AT_ONCE = 1  # in each process of the server
MAX_WAITING = 200  # reviews in line
MAKE_WITHIN = 900.0  # seconds; the first time the engine is compiled, too
CLAIM = 30.0  # seconds after which a process that does not renew its claim is taken for dead
LOOK_EVERY = 0.5  # seconds until somebody who waits looks at what another process has done
FORGOTTEN_AFTER = 3600.0  # seconds that the review of a brought record is kept, and that one may stand in line
OPEN = reviews.c.state.in_(("queued", "working"))


class Wanted(msgspec.Struct, frozen=True):
    """A match to review: its name in the store, its record, and the table where it was played."""

    id: str
    record: str
    table: str | None = None

    @classmethod
    def brought(cls, record: str) -> Wanted:
        """Of a record that somebody brought; the same record has the same name."""
        return cls("record-" + hashlib.sha256(record.encode(errors="surrogatepass")).hexdigest(), record)


class Reviews:
    """Makes and keeps reviews. `spawn` starts a task that ends with the server."""

    def __init__(self, store: Store, spawn: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self.store, self._spawn = store, spawn
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._here: set[str] = set()  # what this process makes, or has in line
        self._news = asyncio.Event()  # set, and replaced, when something has changed in this process

    async def look(
        self, wanted: Wanted, after: str = "", wait: float = 0.0, begin: Callable[[], None] = lambda: None
    ) -> Reviewed:  # fmt: skip
        """A review as far as it is made; if it is still as it was at the mark `after`, once it has changed or after
        `wait` seconds. It is begun if nobody has done so; `begin` is called first and may refuse.
        """
        until = time.monotonic() + wait
        while True:
            news = self._news
            found = await self._read(wanted, restart=not after)
            if found is None:
                begin()
                await self._add(wanted)
                continue
            left = until - time.monotonic()
            if found.mark != after or found.state in ("ready", "failed") or left <= 0:
                return found
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, LOOK_EVERY)):
                    await news.wait()

    async def _read(self, wanted: Wanted, restart: bool) -> Reviewed | None:
        """What the store has of a review, which gets a place in line here if no process makes it; None if there is
        none, if it cannot be read any more, or if it failed and may `restart`.
        """
        now = time.time()
        ahead = reviews.alias()
        fresh = sa.and_(ahead.c.state.in_(("queued", "working")), ahead.c.asked > now - FORGOTTEN_AFTER)
        place = sa.select(sa.func.count()).where(fresh, ahead.c.asked < reviews.c.asked).scalar_subquery()
        query = sa.select(reviews, place.label("place")).where(reviews.c.id == wanted.id)
        async with self.store.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None or (row.state == "failed" and restart):
            return None
        try:
            review = None if row.review is None else msgspec.json.decode(row.review, type=Review)
        except msgspec.DecodeError:  # of another version of this program
            return None
        waits = row.state in ("queued", "working")
        if waits and row.claimed < now and wanted.id not in self._here:
            self._here.add(wanted.id)
            self._spawn(self._make(wanted))
        return Reviewed(
            state=row.state, place=row.place if row.state == "queued" else 0,
            mark=f"{row.state} {row.version} {row.place if waits else 0}",
            review=review,
        )  # fmt: skip

    async def _add(self, wanted: Wanted) -> None:
        """Put a review in line, at its end. Refused if the line is too long."""
        values = {
            "id": wanted.id, "table_id": wanted.table, "asked": time.time(), "state": "queued", "claimed": 0.0,
            "version": 0, "review": None,
        }  # fmt: skip

        def job(connection: sa.Connection) -> str:
            old = sa.and_(reviews.c.table_id.is_(None), reviews.c.asked < time.time() - FORGOTTEN_AFTER)
            ended = sa.and_(reviews.c.id == wanted.id, sa.not_(OPEN))
            connection.execute(sa.delete(reviews).where(sa.or_(old, ended)))
            line = sa.select(sa.func.count()).where(OPEN, reviews.c.asked > time.time() - FORGOTTEN_AFTER)
            if int(connection.execute(line).scalar_one()) >= MAX_WAITING:
                return "full"
            connection.execute(self.store.insert(reviews).values(values).on_conflict_do_nothing())
            return "added"

        answer = await self.store.submit(job)
        if answer == "full":
            raise refuse("review.busy", 503)
        if not answer:  # the table is gone
            raise refuse("table.unknown", 404)

    async def _make(self, wanted: Wanted) -> None:
        """Wait in line, and make a review, unless another process does."""
        try:
            async with self._slots:
                if await self._claim(wanted.id):
                    await self._work(wanted)
        except Exception as error:
            faults.note("a review", error)
        finally:
            self._here.discard(wanted.id)
            self._tell()

    async def _work(self, wanted: Wanted) -> None:
        state, version = "queued", 0  # unless it ends, somebody else shall make it
        holding = asyncio.create_task(self._hold(wanted.id))
        self._tell()
        try:
            async with contextlib.aclosing(lines_of(COMMAND, wanted.record.encode(), MAKE_WITHIN)) as lines:
                async for line in lines:
                    version += 1
                    await self._write(wanted.id, version=version, review=line.decode().strip())
                    self._tell()
            state = "ready" if version else "failed"
        except ProcessFailed as error:
            state = "failed"
            faults.note("a review", error)
        finally:
            holding.cancel()
            await self._write(wanted.id, state=state, claimed=0.0)

    async def _hold(self, name: str) -> None:
        """Renew the claim of this process."""
        while True:
            await asyncio.sleep(CLAIM / 3)
            with contextlib.suppress(Exception):  # the database is away: next time
                await self._write(name, claimed=time.time() + CLAIM)

    async def _claim(self, name: str) -> bool:
        now = time.time()
        free = sa.and_(reviews.c.id == name, OPEN, reviews.c.claimed < now)
        claimed = sa.update(reviews).where(free).values(state="working", claimed=now + CLAIM, version=0)
        return await self.store.submit(lambda connection: connection.execute(claimed).rowcount > 0)

    async def _write(self, name: str, **values: object) -> None:
        change = sa.update(reviews).where(reviews.c.id == name).values(**values)
        await self.store.submit(lambda connection: connection.execute(change).rowcount > 0)

    def _tell(self) -> None:
        """Wake those who wait for news."""
        before, self._news = self._news, asyncio.Event()
        before.set()

    async def plays_on(self, who: Sequence[str], lines: list[str]) -> bool:
        """Does somebody of these people play a match just now that was begun anew from these lines?"""
        mine = sa.or_(seats.c.player.in_(who), seats.c.key_hash.in_(who))
        query = sa.select(tables.c.branched).join(seats, seats.c.table_id == tables.c.id)
        async with self.store.reading() as connection:
            found = (await connection.execute(query.where(mine, tables.c.phase == "playing"))).scalars().all()
        return any(one and one["lines"] == lines[: len(one["lines"])] for one in found)
