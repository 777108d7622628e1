"""Chat at the tables of this process: lines are stored, and only then published."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tacit.server.errors import refuse
from tacit.server.keys import person_of
from tacit.server.live_table import LiveTable
from tacit.server.models import ChatRow
from tacit.server.seating import Caller, need_chat
from tacit.server.store import Conflict, Store

MAX_CHAT_LINES = 100  # kept in memory
MAX_CONFLICTS = 50  # how often a change that lost a race is tried again


class TableChat:
    """What people say. `catch_up` loads and publishes what others stored at a table; its caller holds the lock."""

    def __init__(self, store: Store, catch_up: Callable[[LiveTable], Awaitable[bool]]) -> None:
        self.store, self.catch_up = store, catch_up

    async def say(self, caller: Caller, text: str) -> None:
        """Store and publish a line of chat, where people may chat."""
        table = caller.table
        async with table.lock:
            for _ in range(MAX_CONFLICTS):
                need_chat(table)
                seat = caller.seat_in(table.row)
                number = table.chat[-1].number + 1 if table.chat else 1
                author = table.row.seats[seat]
                line = ChatRow(number, seat, text, author.name, person_of(author.key_hash or ""))
                try:
                    await self.store.add_chat(table.row.id, line, table.silent)
                    break
                except Conflict:  # another line was stored first, or the match has begun
                    await self.catch_up(table)
                    await self._load(table)
            else:
                raise refuse("store.down", 503)
            await self._load(table)
        table.publish()

    async def refresh(self, table: LiveTable) -> None:
        """Load and publish the lines that others stored."""
        async with table.lock:
            await self._load(table)
        table.publish()

    async def _load(self, table: LiveTable) -> None:
        last = table.chat[-1].number if table.chat else 0
        table.chat = [*table.chat, *await self.store.chat(table.row.id, last)][-MAX_CHAT_LINES:]
