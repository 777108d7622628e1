"""Review rooms: people look at a finished match together. A room is stored; every process tells its own subscribers.

Who may be there sat at the table, or may watch it. Seats act in it, guests look on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa

from tacit.server.bus import Note
from tacit.server.errors import refuse
from tacit.server.live_table import LiveTable
from tacit.server.models import RoomRow, rooms
from tacit.server.store import Store

MAX_CONFLICTS = 50  # how often a change that lost a race is tried again
Edit = Callable[[RoomRow], None]


class Rooms:
    """The rooms of the tables that this process has loaded."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def load(self, table: LiveTable) -> None:
        """Read a table's room, if it has one."""
        query = sa.select(rooms.c.revision, rooms.c.state).where(rooms.c.table_id == table.row.id)
        async with self.store.reading() as connection:
            found = (await connection.execute(query)).one_or_none()
        if found is not None:
            table.room = msgspec.convert(found.state | {"revision": found.revision}, RoomRow)

    async def refresh(self, table: LiveTable) -> None:
        """Another process changed the room."""
        async with table.lock:
            await self.load(table)
        table.publish()

    async def open(self, table: LiveTable, seat: int) -> None:
        """Open the room at the first decision, with this seat in the lead; where it is open, nothing changes."""
        lines = table.match.lines if table.match is not None else []
        first = next((number for number, line in enumerate(lines) if not line.startswith("* ")), 0)
        async with table.lock:
            await self.load(table)
            if table.room is None and not await self._save(table, new := RoomRow(seat, first)):
                await self.load(table)  # another process opened it
            elif table.room is None:
                table.room = new
        table.publish()

    async def change(self, table: LiveTable, edit: Edit) -> None:
        """Edit a copy of the room, store it, then publish it; if another change was stored first, edit again."""
        async with table.lock:
            for _ in range(MAX_CONFLICTS):
                if table.room is None:
                    await self.load(table)
                if table.room is None:
                    raise refuse("room.closed")
                room = msgspec.convert(msgspec.to_builtins(table.room), RoomRow)
                edit(room)
                if await self._save(table, room):
                    table.room = room
                    break
                await self.load(table)
            else:
                raise refuse("store.down", 503)
        table.publish()

    async def _save(self, table: LiveTable, room: RoomRow) -> bool:
        """Store a room with its next revision; False if another was stored first."""
        name, old = table.row.id, room.revision
        state: dict[str, Any] = msgspec.to_builtins(room)
        del state["revision"]
        values = {"revision": old + 1, "state": state}
        insert = self.store.insert(rooms).values(table_id=name, **values).on_conflict_do_nothing()
        update = sa.update(rooms).where(rooms.c.table_id == name, rooms.c.revision == old).values(values)

        def job(connection: sa.Connection) -> bool:
            return connection.execute(update if old else insert).rowcount == 1

        room.revision = old + 1
        return await self.store.submit(job, Note("room", name))
