"""Notes between processes: which table has changed. By PostgreSQL's NOTIFY, or over Valkey (valkey_bus.py); a single
process needs none.

A note does not say what happened: who needs it reads the store. So a lost note costs a delay, never a decision.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

CHANNEL = "tacit"
NOTIFY = sa.text(f"SELECT pg_notify('{CHANNEL}', note) FROM unnest(CAST(:texts AS text[])) AS note")
RECONNECT_AFTER = 0.2  # seconds


class Note(msgspec.Struct, frozen=True):
    """What has changed at a table: its steps, its row, its chat, its room, who is present, who declined. "who": who is
    present there? "people": who is who, and who avoids whom. "left": a process stopped, and left tables of bots to the
    others. "all": anything.
    """

    about: Literal["steps", "table", "chat", "room", "here", "who", "declined", "people", "left", "all"]
    table: str = ""
    sender: str = ""
    seats: list[int] = []  # of "here": the seats whose people are connected to the sender; of "declined": the seat
    ask: int = 0  # of "declined": the number of the question


OnNote = Callable[[Note], None]
_notes = msgspec.json.Decoder(Note)


class Bus:
    """How processes tell each other. What a kind of bus does not need, it leaves as it is here."""

    name = "local"
    is_shared = True  # are there other processes?

    def __init__(self) -> None:
        self.sender = secrets.token_hex(8)  # which process this is
        self.sent = self.received = 0  # notes
        self._on_note: OnNote = lambda _: None

    @property
    def up(self) -> bool:
        """Do notes arrive now?"""
        return True

    async def open(self, on_note: OnNote) -> None:
        """Call `on_note` with every note of another process from now on."""

    async def follow(self, table: str) -> None:
        """Notes of this table are wanted. What is read from the store after this is followed by notes."""

    def unfollow(self, table: str) -> None:
        """Notes of this table are no longer wanted."""

    def announce(self, connection: sa.Connection, notes: Sequence[Note]) -> None:
        """Within a transaction: send notes when it commits, if the database itself can."""

    def announced(self, notes: Sequence[Note]) -> list[str]:
        """The same for a statement that sends them itself: the texts that it shall send on CHANNEL."""
        return []

    def committed(self, notes: Sequence[Note]) -> None:
        """A transaction was committed: send its notes, if `announce` did not."""

    async def publish(self, note: Note) -> None:
        """Send a note that belongs to no transaction."""

    async def close(self) -> None: ...

    def encoded(self, note: Note) -> bytes:
        """A note with its sender."""
        return msgspec.json.encode(msgspec.structs.replace(note, sender=self.sender))

    def deliver(self, text: str | bytes, table: str | None = None) -> None:
        """Pass on a note of another process, for this table if it names none. One that cannot be read is left out: a
        newer version may have sent it.
        """
        with contextlib.suppress(msgspec.DecodeError):
            note = _notes.decode(text)
            if note.sender != self.sender:
                self.received += 1
                self._on_note(note if table is None else msgspec.structs.replace(note, table=table))


class LocalBus(Bus):
    """For a single process: does nothing."""

    is_shared = False


class PostgresBus(Bus):
    """LISTEN and NOTIFY. After a broken connection it listens again and delivers "all"."""

    name = "postgresql"

    def __init__(self, url: sa.URL) -> None:
        super().__init__()
        self.address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection: Any = None
        self._publishing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def up(self) -> bool:
        return self._connection is not None and not self._connection.is_closed()

    async def open(self, on_note: OnNote) -> None:
        self._on_note = on_note
        lost = await self._listen()
        self._task = asyncio.create_task(self._keep_listening(lost), name="bus")

    def announce(self, connection: sa.Connection, notes: Sequence[Note]) -> None:
        texts = self.announced(notes)
        if texts:
            connection.execute(NOTIFY, {"texts": texts})

    def announced(self, notes: Sequence[Note]) -> list[str]:
        texts = list(dict.fromkeys(self.encoded(note).decode() for note in notes))
        self.sent += len(texts)
        return texts

    async def publish(self, note: Note) -> None:
        if self.up:
            self.sent += 1
            with contextlib.suppress(OSError):  # a note about presence may be lost: the next one comes soon
                async with self._publishing:
                    await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, self.encoded(note).decode())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()

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
                    self._on_note(Note("all"))

    def _received(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self.deliver(str(payload))
