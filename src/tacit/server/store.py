"""The database: tables, seats, steps and chat, in SQLite or PostgreSQL.

Each process has one writer (writer.py). A step's key is (table, sequence): of two processes that write the same step
one wins, and the other gets a Conflict.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from tacit.server.bus import Bus, Note
from tacit.server.database import insert_of, is_away, make_private, migrate, new_engine
from tacit.server.deal_secrets import FINGERPRINT, DealSecrets, load_secrets
from tacit.server.deal_writes import end_attempt
from tacit.server.errors import refuse
from tacit.server.metrics import Metrics
from tacit.server.models import ChatRow, News, SeatRow, Step, TableRow, chat, seats, server, steps, tables
from tacit.server.notice_writes import post
from tacit.server.ratings import end_match
from tacit.server.step_rows import insert_steps, step_of, values_of
from tacit.server.table_rows import END_TABLE, insert_table, update_table
from tacit.server.writer import Job, Write, Writer, notes_of

T = TypeVar("T")
CHECK_EVERY = 2.0  # seconds for which the answer to `check` holds

COLUMNS = [column for column in tables.c if column.name != "attended"]  # what a TableRow has
WATCHABLE_FOR = 86_400.0  # seconds that a running match stays in the lobby


class Unattended(NamedTuple):
    """An abandoned match: its table, the number of its last step, and when that was."""

    table: str
    sequence: int
    at: float


class Conflict(Exception):
    """Another process wrote first: load again."""


class Store:
    """The database, and the one writer of this process."""

    def __init__(self, url: sa.URL, bus: Bus, metrics: Metrics | None = None) -> None:
        self.url, self.bus, self.metrics = url, bus, metrics or Metrics()
        self.postgres = url.get_backend_name() == "postgresql"
        self.engine: AsyncEngine = new_engine(url)
        self.writer = Writer(url, self.engine, self._apply, bus, self.metrics)
        self.signing = b""
        self.secrets = DealSecrets({})
        self._process, self._marks = secrets.token_hex(4), itertools.count()  # which write this is
        self._check: asyncio.Task[bool] | None = None
        self._checked_at = 0.0

    async def open(self) -> None:
        """Migrate the database, and load its secrets."""
        if not self.postgres:
            make_private(Path(self.url.database or ""))
        await migrate(self.engine)
        insert = self.insert(server).values(name="signing", value=secrets.token_bytes(32)).on_conflict_do_nothing()
        async with self.engine.begin() as connection:
            await connection.execute(insert)
            mine = sa.select(server.c.value).where(server.c.name == "signing")
            self.signing = (await connection.execute(mine)).scalar_one()
            self.secrets = load_secrets(self.url, await self.fingerprints(connection))
            rows = [{"name": name, "value": value} for name, value in self.secrets.fingerprints().items()]
            await connection.execute(self.insert(server).on_conflict_do_nothing(), rows)

    async def fingerprints(self, connection: AsyncConnection) -> dict[str, bytes]:
        """Of the secrets that this database was used with."""
        found = sa.select(server).where(server.c.name.startswith(FINGERPRINT, autoescape=True))
        return {row.name: row.value for row in await connection.execute(found)}

    async def close(self) -> None:
        """Write what waits, and stop."""
        await self.writer.close()
        await self.engine.dispose()

    async def ping(self) -> None:
        async with self.engine.connect() as connection:
            await connection.execute(sa.text("SELECT 1"))

    async def check(self) -> None:
        """Write something, as a decision is written, every CHECK_EVERY seconds at most. Refuses if that fails."""
        if self._check is None or (self._check.done() and time.monotonic() - self._checked_at > CHECK_EVERY):
            self._checked_at = time.monotonic()
            self._check = asyncio.create_task(self.submit(self._write_and_delete), name="check")
            self._check.add_done_callback(lambda task: task.cancelled() or task.exception())  # mark it as retrieved
        await asyncio.shield(self._check)

    def _write_and_delete(self, connection: sa.Connection) -> bool:
        """Insert a row and delete it again. It is this process's own, so that no other waits for it."""
        mine = f"pulse {self._process}"
        connection.execute(sa.insert(server).values(name=mine, value=b""))
        connection.execute(sa.delete(server).where(server.c.name == mine))
        return True

    # -------------------------------------------------------------- reading
    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read from. Refuses while the database is away."""
        try:
            async with self.engine.connect() as connection:
                yield connection
        except Exception as error:
            if is_away(error):
                raise refuse("store.down", 503) from None
            raise

    async def table(self, name: str) -> TableRow | None:
        """A table with its seats."""
        async with self.reading() as connection:
            return await self._table(connection, name)

    async def load(self, name: str, after: int) -> tuple[TableRow | None, list[Step]]:
        """A table, and its steps after a number."""
        query = sa.select(steps).where(steps.c.table_id == name, steps.c.sequence > after).order_by(steps.c.sequence)
        async with self.reading() as connection:
            row = await self._table(connection, name)
            return row, [step_of(found) for found in await connection.execute(query)]

    async def chat(self, name: str, after: int) -> list[ChatRow]:
        """The lines of chat at a table after a number, the last hundred."""
        query = sa.select(chat.c.number, chat.c.seat, chat.c.text, chat.c.name, chat.c.person)
        query = query.where(chat.c.table_id == name, chat.c.number > after).order_by(chat.c.number.desc()).limit(100)
        async with self.reading() as connection:
            return [ChatRow(*found) for found in await connection.execute(query)][::-1]

    async def admin_mark(self) -> bytes:
        """The mark that `tacit admin` left when it last changed something."""
        async with self.reading() as connection:
            found = await connection.execute(sa.select(server.c.value).where(server.c.name == "admin"))
            return found.scalar() or b""

    async def lobby(self, attended_since: float, limit: int) -> list[TableRow]:
        """Open tables: first those that wait for people and at which somebody was since, then those of the last day
        that anyone may watch; newest first. Two queries, however many there are.
        """
        waits = sa.and_(tables.c.phase == "gathering", sa.not_(_unattended_since(attended_since)))
        watched = sa.and_(
            tables.c.phase == "playing",
            tables.c.spectators.in_(("public", "seat", "delayed")),
            tables.c.made > time.time() - WATCHABLE_FOR,
        )
        query = sa.select(*COLUMNS).where(tables.c.visibility == "open", sa.or_(waits, watched))
        query = query.order_by(tables.c.phase, tables.c.made.desc()).limit(limit)  # "gathering" comes before "playing"
        async with self.reading() as connection:
            found = (await connection.execute(query)).mappings().all()
            seat_rows = await self._seat_rows(connection, [row["id"] for row in found])
        return [TableRow(**row, seats=seat_rows[row["id"]]) for row in found]

    async def unattended(self, last_before: float, older_than: float | None, limit: int) -> list[Unattended]:
        """Running matches in which a bot or a clock is due and whose last step is older than this; newest first,
        from a moment on. Where it is not known who is due, a bot is enough. A last step from the future counts as old:
        the clock was set back since.
        """
        future = steps.c.at > time.time()
        every = steps.alias()
        last = sa.select(sa.func.max(every.c.sequence)).where(every.c.table_id == tables.c.id).correlate(tables)
        driven = sa.or_(seats.c.kind == "bot", seats.c.sitting_in.is_not(None), seats.c.prepared.is_not(None))
        due = sa.or_(steps.c.due.is_(None), steps.c.due.bitwise_rshift(seats.c.seat).bitwise_and(1) == 1)
        bot = sa.exists().where(seats.c.table_id == tables.c.id, driven, due)
        query = (
            sa.select(tables.c.id, steps.c.sequence, steps.c.at)
            .select_from(tables)
            .join(steps, sa.and_(steps.c.table_id == tables.c.id, steps.c.sequence == last.scalar_subquery()))
            .where(tables.c.phase == "playing", sa.or_(steps.c.at < last_before, future))
            .where(sa.or_(bot, steps.c.at + tables.c.clock < time.time(), sa.and_(tables.c.clock.is_not(None), future)))
        )
        if older_than is not None:
            query = query.where(steps.c.at < older_than)
        async with self.engine.connect() as connection:
            found = await connection.execute(query.order_by(steps.c.at.desc()).limit(limit))
            return [Unattended(*row) for row in found]

    async def _table(self, connection: AsyncConnection, name: str) -> TableRow | None:
        query = sa.select(*COLUMNS).where(tables.c.id == name)
        found = (await connection.execute(query)).mappings().one_or_none()
        if found is None:
            return None
        return TableRow(**found, seats=(await self._seat_rows(connection, [name]))[name])

    async def _seat_rows(self, connection: AsyncConnection, names: Sequence[str]) -> dict[str, list[SeatRow]]:
        """Who sits at some tables."""
        found: dict[str, list[SeatRow]] = {name: [] for name in names}
        query = sa.select(seats).where(seats.c.table_id.in_(names)).order_by(seats.c.table_id, seats.c.seat)
        for row in (await connection.execute(query)).mappings():
            seat_row = SeatRow(**{k: v for k, v in row.items() if k not in ("table_id", "seat")})
            found[row["table_id"]].append(seat_row)
        return found

    # -------------------------------------------------------------- writing
    async def create(self, row: TableRow) -> None:
        """A new table."""

        def job(connection: sa.Connection) -> bool:
            insert_table(connection, row)
            return True

        if not await self.submit(job):
            raise refuse("store.down", 503)

    async def save(
        self,
        old: TableRow,
        row: TableRow,
        first: Step | None = None,
        rematch: TableRow | None = None,
        also: Sequence[Job[object]] = (),
    ) -> None:
        """A changed table, which was `old` before, with the step that begins its match or with the rematch that follows
        it, and with what else is written then; Conflict if late.
        """

        def job(connection: sa.Connection) -> bool:
            if not update_table(connection, old, row, first):
                return False
            if rematch is not None:
                insert_table(connection, rematch)
            for one in also:
                one(connection)
            return True

        if not await self.submit(job, Note("table", row.id)):
            raise Conflict
        row.revision += 1

    def append_soon(self, step: Step, news: Sequence[News], done: Callable[[Any], None]) -> None:
        """One more step of a match and its news, committed together with other waiting writes. Then `done` is told
        True, False if another step was first, or a refusal.
        """
        step.mark, step.news = f"{self._process}{next(self._marks) & 0xFFFFFFFF:08x}", news
        self.writer.put(Write(step, (Note("steps", step.table),) if self.bus.is_shared else (), done))

    async def append(self, step: Step, news: Sequence[News] = ()) -> None:
        """The same; returns once it is stored. Raises Conflict if another was first."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.append_soon(step, news, partial(_settle, future))
        if not await future:
            raise Conflict

    async def add_chat(self, table: str, line: ChatRow, silent: bool = False) -> None:
        """One more line of chat; Conflict if the number is taken, or if the match of a silent game is running."""

        def job(connection: sa.Connection) -> bool:
            if silent:  # locked against a start in another process
                phase = sa.select(tables.c.phase).where(tables.c.id == table).with_for_update(read=True)
                if connection.execute(phase).scalar() == "playing":
                    return False
            values = msgspec.structs.asdict(line) | {"table_id": table, "at": time.time()}
            insert = self.insert(chat).values(values).on_conflict_do_nothing().returning(chat.c.number)
            return connection.execute(insert).first() is not None

        if not await self.submit(job, Note("chat", table)):
            raise Conflict

    async def attend(self, names: Sequence[str]) -> None:
        """Somebody is at these tables now, which wait for people."""

        def job(connection: sa.Connection) -> bool:
            connection.execute(sa.update(tables).where(tables.c.id.in_(names)).values(attended=time.time()))
            return True

        if names:
            await self.submit(job)

    async def delete_unattended(self, attended_before: float, limit: int = 500) -> list[str]:
        """Delete tables that wait for people and have had no player since; returns their names."""
        old = sa.and_(tables.c.phase == "gathering", _unattended_since(attended_before))
        async with self.reading() as connection:
            names = (await connection.execute(sa.select(tables.c.id).where(old).limit(limit))).scalars().all()

        def job(connection: sa.Connection) -> list[str]:
            gone = sa.delete(tables).where(tables.c.id.in_(names), old).returning(tables.c.id)
            return list(connection.execute(gone).scalars())

        return await self.submit(job, *(Note("table", name) for name in names)) if names else []

    def insert(self, table: sa.Table) -> Any:
        """An INSERT of the dialect, which knows ON CONFLICT."""
        return insert_of(self.engine.dialect.name, table)

    async def submit(self, job: Job[T], *notes: Note) -> T:
        """Run a job in the next transaction, and send the notes with it; its answer once that is committed. Refuses if
        it cannot be stored. A caller that is cancelled does not undo it.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.writer.put(Write(job, notes, partial(_settle, future)))
        return await future

    def _apply(self, connection: sa.Connection, batch: Sequence[Write], /) -> list[Any]:
        """Write what waits; the answer to each."""
        jobs = [write.job for write in batch]
        new = [job for job in jobs if isinstance(job, Step)]
        late = self._append(connection, new) if new else set()
        answers = [(job.table, job.sequence) not in late if isinstance(job, Step) else job(connection) for job in jobs]
        self.bus.announce(connection, notes_of(batch, answers))
        return answers

    def _append(self, connection: sa.Connection, new: Sequence[Step]) -> set[tuple[str, int]]:
        """Write steps, and what ends with them; the keys of those that another process wrote first."""
        late = self._insert(connection, new)
        if late:
            new = [step for step in new if (step.table, step.sequence) not in late]
        over = [{"of": step.table} for step in new if step.over]
        if over:
            END_TABLE.execute(connection, over)
        for step in new:
            if step.ended is not None:
                if step.ended.on_deal:
                    end_attempt(connection, step.table, step.ended)
                end_match(connection, step.table, step.ended)
        post(connection, [one for step in new for one in step.news])
        return late

    def _insert(self, connection: sa.Connection, new: Sequence[Step]) -> set[tuple[str, int]]:
        """Insert steps; the keys of those that another process wrote first."""
        if self.postgres:
            # In the order of their keys, so that two processes cannot lock each other. Not `values(rows)`: such a
            # statement would be compiled again for every commit.
            rows = [values_of(step) for step in sorted(new, key=lambda step: (step.table, step.sequence))]
            insert = self.insert(steps).on_conflict_do_nothing().returning(steps.c.table_id, steps.c.sequence)
            written = {(table, sequence) for table, sequence in connection.execute(insert, rows)}
        elif insert_steps(cast(sqlite3.Connection, connection.connection.driver_connection), new):
            return set()
        else:
            written = set()
        late = {(step.table, step.sequence) for step in new} - written
        for step in new:
            key = (step.table, step.sequence)
            if key in late:  # it may be our own: of this commit, or of one whose answer was lost
                here = sa.and_(steps.c.table_id == step.table, steps.c.sequence == step.sequence)
                if connection.execute(sa.select(steps.c.mark).where(here)).scalar() == step.mark:
                    late.remove(key)
        return late


def _unattended_since(moment: float) -> sa.ColumnElement[bool]:
    return sa.func.coalesce(tables.c.attended, tables.c.made) < moment


def _settle(future: asyncio.Future[Any], answer: Any) -> None:
    """Give a future its answer, unless its caller is gone."""
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
        future.exception()  # the caller may be gone: then the error has no reader
    else:
        future.set_result(answer)
