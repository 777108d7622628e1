"""Tables of bots that a stopping process leaves to the others. The store has them until another takes them: a deleted
row is taken once, so that every table goes to one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import sqlalchemy as sa

from tacit.core.errors import TacitError
from tacit.server.bot_seats import BotSeats
from tacit.server.bus import Bus, Note
from tacit.server.models import server
from tacit.server.store import Store

LEFT = "left "
HAND_ON_WITHIN = 2.0  # seconds that leaving tables to other processes may take
TAKEN_AT_ONCE = 20  # tables; others take the next ones


class Handover:
    """Leaves the tables of this process, and takes those of others; `find` loads a table."""

    def __init__(self, store: Store, bus: Bus, bot_seats: BotSeats, find: Callable[[str], Awaitable[object]]) -> None:
        self.store, self.bus, self.bot_seats, self.find = store, bus, bot_seats, find

    async def hand_on(self) -> None:
        """This process stops: leave the tables at which a bot is due to the others, at once."""
        names = self.bot_seats.stop()
        if names and self.bus.is_shared:
            with contextlib.suppress(TacitError, TimeoutError):  # others find them later (maintenance.py)
                async with asyncio.timeout(HAND_ON_WITHIN):
                    await leave(self.store, names)

    async def take_over(self) -> None:
        """Load the tables of bots that a process left, as long as there are any."""
        while not self.bot_seats.stopped and (names := await take(self.store)):
            for name in names:
                with contextlib.suppress(TacitError):  # unknown rules, or deleted: it stays as it is
                    await self.find(name)


async def leave(store: Store, names: Sequence[str]) -> None:
    """Leave tables to other processes, and tell them."""
    chunks = [names[at : at + TAKEN_AT_ONCE] for at in range(0, len(names), TAKEN_AT_ONCE)]
    rows = [{"name": LEFT + secrets.token_hex(8), "value": msgspec.json.encode(chunk)} for chunk in chunks]

    def job(connection: sa.Connection) -> bool:
        connection.execute(sa.insert(server), rows)
        return True

    await store.submit(job, Note("left"))


async def take(store: Store) -> list[str]:
    """Some tables that were left; from now on they are this process's. Empty if there are none."""
    left = sa.select(server.c.name).where(server.c.name.startswith(LEFT)).limit(1)
    one = left.with_for_update(skip_locked=True).scalar_subquery()

    def job(connection: sa.Connection) -> list[str]:
        found = connection.execute(sa.delete(server).where(server.c.name == one).returning(server.c.value)).scalar()
        return msgspec.json.decode(found, type=list[str]) if found is not None else []

    async with store.reading() as connection:
        if (await connection.execute(left)).first() is None:
            return []
    return await store.submit(job)
