"""Notes between processes: which table has changed. By PostgreSQL's NOTIFY; a single process needs none.

A note does not say what happened: who needs it reads the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import msgspec
import sqlalchemy as sa

CHANNEL = "tacit"
NOTIFY = sa.text(f"SELECT pg_notify('{CHANNEL}', note) FROM unnest(CAST(:texts AS text[])) AS note")
RECONNECT_AFTER = 0.2  # seconds


class Note(msgspec.Struct, frozen=True):
    """What has changed at a table: its steps, its row, its chat, its room, who is present, who declined. "people":
    who is who, and who avoids whom. "all": anything.
    """

    about: Literal["steps", "table", "chat", "room", "here", "declined", "people", "all"]
    table: str = ""
    sender: str = ""
    seats: list[int] = []  # of "here": the seats whose people are connected to the sender; of "declined": the seat
    ask: int = 0  # of "declined": the number of the question


OnNote = Callable[[Note], None]


class Bus(Protocol):
    async def open(self, on_note: OnNote) -> None: ...

    def announce(self, connection: sa.Connection, notes: Sequence[Note]) -> None:
        """Send notes when this transaction commits."""

    async def publish(self, note: Note) -> None:
        """Send a note now."""

    async def close(self) -> None: ...


class LocalBus:
    """For a single process: does nothing."""

    async def open(self, on_note: OnNote) -> None: ...

    def announce(self, connection: sa.Connection, notes: Sequence[Note]) -> None: ...

    async def publish(self, note: Note) -> None: ...

    async def close(self) -> None: ...


class PostgresBus:
    """LISTEN and NOTIFY. After a broken connection it listens again and delivers "all"."""

    def __init__(self, url: sa.URL) -> None:
        self.address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.sender = secrets.token_hex(8)
        self._on_note: OnNote | None = None
        self._connection: Any = None
        self._publishing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def open(self, on_note: OnNote) -> None:
        self._on_note = on_note
        lost = await self._listen()
        self._task = asyncio.create_task(self._keep_listening(lost), name="bus")

    def announce(self, connection: sa.Connection, notes: Sequence[Note]) -> None:
        texts = list(dict.fromkeys(map(self._text, notes)))
        if texts:
            connection.execute(NOTIFY, {"texts": texts})

    async def publish(self, note: Note) -> None:
        if self._connection is not None and not self._connection.is_closed():
            with contextlib.suppress(OSError):  # a note about presence may be lost: the next one comes soon
                async with self._publishing:
                    await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, self._text(note))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()

    def _text(self, note: Note) -> str:
        return msgspec.json.encode(msgspec.structs.replace(note, sender=self.sender)).decode()

    async def _listen(self) -> asyncio.Event:
        """Connect and listen; the event is set when the connection is lost."""
        import asyncpg

        lost = asyncio.Event()
        self._connection = await asyncpg.connect(self.address)
        self._connection.add_termination_listener(lambda _: lost.set())
        await self._connection.add_listener(CHANNEL, self._received)
        return lost

    async def _keep_listening(self, lost: asyncio.Event) -> None:
        while True:
            await lost.wait()
            while lost.is_set():
                await asyncio.sleep(RECONNECT_AFTER)
                with contextlib.suppress(Exception):  # the database may be away for long
                    lost = await self._listen()
                    if self._on_note is not None:
                        self._on_note(Note("all"))

    def _received(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        note = msgspec.json.decode(str(payload), type=Note)
        if note.sender != self.sender and self._on_note is not None:
            self._on_note(note)
