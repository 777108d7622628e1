"""The lobby: open tables that wait for people, or that anybody may watch.

One answer serves everybody for a while, so that many who ask cost no more than one. Tables at which nobody is present
leave it, and no address has more than its share of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

import msgspec

from tacit.core.errors import TacitError
from tacit.core.messages import Message
from tacit.server import protocol
from tacit.server.config import Config
from tacit.server.errors import RequestRefused
from tacit.server.live_table import LiveTable, encode
from tacit.server.models import TableRow

if TYPE_CHECKING:
    from tacit.server.table_service import TableService

SHOWN = 100  # tables
GIVEN_UP = 7 * 86_400.0  # seconds after which a table is deleted that waits for people and that nobody attends
LOOKS = 10  # how often it is noted who attends, in the time after which a table leaves the lobby


class Opened(msgspec.Struct):
    """An open table that waits for people: from which address, and when somebody was last there."""

    address: str
    attended: float  # time.monotonic


class Lobby:
    """What the lobby shows, and whose tables stand in it. Addresses are kept in memory alone, and only for this."""

    def __init__(self, tables: TableService, config: Config) -> None:
        self.tables = tables
        self.age, self.share, self.unattended = config.lobby_age, config.lobby_share, config.lobby_unattended
        self.opened: dict[str, Opened] = {}
        self._shown = b""
        self._until = 0.0  # time.monotonic until which `_shown` is good
        self._asking = asyncio.Lock()

    # -------------------------------------------------------------- what it shows
    async def shown(self) -> bytes:
        """The lobby as it goes over the wire, at most `lobby_age` seconds old."""
        if time.monotonic() >= self._until:
            async with self._asking:
                if time.monotonic() >= self._until:  # nobody else has asked the store meanwhile
                    self._shown = encode(await self._look())
                    self._until = time.monotonic() + self.age
        return self._shown

    async def _look(self) -> protocol.Lobby:
        rows = await self.tables.store.lobby(time.time() - self.unattended, SHOWN)
        return protocol.Lobby(tables=[self._info(row) for row in rows])

    def _info(self, row: TableRow) -> protocol.LobbyTable:
        live = self.tables.live.get(row.id) or LiveTable(row, self.tables.config)
        return protocol.LobbyTable(
            table=row.id, game=row.game, options=row.options, phase=row.phase, seats=live.seat_infos(),
            spectators=row.spectators, clock=row.clock,
        )  # fmt: skip

    # -------------------------------------------------------------- whose tables stand in it
    def need_share(self, address: str) -> None:
        """A refusal if an address has its share of open tables already. The empty address has no share."""
        taken = sum(opened.address == address for table, opened in self.opened.items() if self._waits(table, opened))
        if address and taken >= self.share:
            raise RequestRefused(Message("server.lobby.share", {"n": taken}), 429)

    def add(self, row: TableRow, address: str) -> None:
        """A new open table of an address."""
        if row.visibility == "open":
            self.opened[row.id] = Opened(address, time.monotonic())

    def _waits(self, table: str, opened: Opened) -> bool:
        live = self.tables.live.get(table)
        return (live is None or live.phase == "gathering") and time.monotonic() < opened.attended + self.unattended

    # -------------------------------------------------------------- who attends
    async def look_after(self) -> None:
        """Note again and again at which tables somebody attends, and delete those given up long ago."""
        while True:
            await asyncio.sleep(self.unattended / LOOKS)
            now = time.monotonic()
            here = [name for name, live in self.tables.live.items() if live.phase == "gathering" and attended(live)]
            for name in here:
                if name in self.opened:
                    self.opened[name].attended = now
            self.opened = {table: opened for table, opened in self.opened.items() if self._waits(table, opened)}
            with contextlib.suppress(TacitError):  # the database is away: next time
                await self.tables.store.attend(here)
                for name in await self.tables.store.give_up(time.time() - GIVEN_UP):
                    self.tables.deleted(name)


def attended(live: LiveTable) -> bool:
    """Is somebody of this table connected here: on a seat, or who made it?"""
    makers = (listener.place for listener in live.listeners if listener.place is not None)
    return bool(live.connected()) or any(maker for _, maker in makers)
