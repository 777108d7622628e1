"""Background tasks of a process: heartbeats, forgetting idle tables, resuming abandoned matches, tidying the lobby."""

from __future__ import annotations

import asyncio
import contextlib
import time

from tacit.core.errors import TacitError
from tacit.server import table_service
from tacit.server.bus import Note, PostgresBus
from tacit.server.database import AWAY
from tacit.server.live_table import LiveTable
from tacit.server.store import Unattended
from tacit.server.table_service import TableService

RESUME_EVERY = 15.0  # seconds between two looks for abandoned matches
RESUME_BATCH = 100  # matches resumed in one look, newest first
RESUME_PAUSE = 0.01  # seconds between two of them: players come first
MAX_RESUMED = 10_000  # matches remembered as resumed
IDLE_AFTER = 300.0  # seconds after which an unused table leaves memory
YIELD_EVERY = 4  # tables after which a heartbeat lets other tasks run


class Maintenance:
    """The background tasks of one process."""

    def __init__(self, tables: TableService) -> None:
        self.tables, self.store, self.bus = tables, tables.store, tables.bus
        self._admin_mark = b""  # what `tacit admin` wrote when it last changed a table

    async def start(self) -> None:
        """Start the tasks. `TableService.close` ends them."""
        self._admin_mark = await self.store.admin_mark()
        self.tables.spawn(self._heartbeat())
        self.tables.spawn(self._resume())
        self.tables.spawn(self._tidy_lobby())
        self.tables.spawn(self.tables.notices.run(self.tables.loaded))

    async def _heartbeat(self) -> None:
        """Tell other processes who is present, notice who went, and forget idle tables."""
        while True:
            await asyncio.sleep(table_service.HEARTBEAT)
            await self._look_for_admin()
            for number, name in enumerate(list(self.tables.loaded)):
                if number % YIELD_EVERY == 0:
                    await asyncio.sleep(0)
                if name in self.tables.loaded:
                    await self._look_after(self.tables.loaded[name])

    async def _look_after(self, table: LiveTable) -> None:
        present = table.presence.local()
        if present:
            await self.bus.publish(Note("here", table.row.id, seats=present))
        idle = time.monotonic() - table.touched > IDLE_AFTER
        if not (idle and self.tables.forget_idle(table)) and table.subscribers and table.is_stale():
            table.publish()

    async def _look_for_admin(self) -> None:
        """`tacit admin` tells servers by PostgreSQL alone; for others it leaves a mark in the database."""
        if not isinstance(self.bus, PostgresBus):
            with contextlib.suppress(TacitError):  # the database is away: next time
                before, self._admin_mark = self._admin_mark, await self.store.admin_mark()
                if before != self._admin_mark:
                    self.tables.on_note(Note("all"))

    async def _resume(self) -> None:
        """Load matches in which a bot or a clock is due and that no process serves: those of before the start, and of
        processes that died. Several processes may do so: the store accepts one decision.
        """
        resumed: dict[str, int] = {}  # table -> its last step when it was resumed
        longest_pause = RESUME_EVERY + max(self.tables.config.bot_delay)
        pause = longest_pause if self.bus.is_shared else 0.0  # another process may serve them
        while True:
            with contextlib.suppress(*AWAY):  # next time
                if self.bus.is_shared:
                    await self.tables.handover.take_over()
                for match in await self._abandoned(time.time() - pause, resumed):
                    resumed[match.table] = match.sequence
                    with contextlib.suppress(TacitError):  # unknown rules, or deleted: it stays as it is
                        self.tables.forget_idle(await self.tables.find(match.table))
                    await asyncio.sleep(RESUME_PAUSE)
            pause = longest_pause
            await asyncio.sleep(RESUME_EVERY)
            if len(resumed) > MAX_RESUMED:
                resumed.clear()

    async def _abandoned(self, last_before: float, resumed: dict[str, int]) -> list[Unattended]:
        """The newest abandoned matches that were not resumed since their last step, at most RESUME_BATCH."""
        older_than: float | None = None
        while True:
            found = await self.store.unattended(last_before, older_than, RESUME_BATCH)
            new = [m for m in found if m.table not in self.tables.loaded and resumed.get(m.table) != m.sequence]
            if new or len(found) < RESUME_BATCH:
                return new
            older_than = found[-1].at

    async def _tidy_lobby(self) -> None:
        """Note which open tables are attended, and delete those that nobody attended for long."""
        lobby = self.tables.lobby
        while True:
            await asyncio.sleep(lobby.attend_every)
            with contextlib.suppress(TacitError):  # the database is away: next time
                for name in await lobby.tidy():
                    self.tables.closed(name)
