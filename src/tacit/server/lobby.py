"""The lobby: open tables that wait for people, or that anybody may watch.

One answer is cached for everybody. Tables at which nobody is present leave it, and no address has more than its share.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Set

import msgspec

from tacit.core.messages import Message
from tacit.server import lobby_protocol
from tacit.server.config import Config
from tacit.server.errors import RequestRefused
from tacit.server.live_table import LiveTable
from tacit.server.models import TableRow
from tacit.server.store import Store
from tacit.server.subscriber import encode
from tacit.server.table_info import seat_infos

MAX_SHOWN = 100  # tables
DELETE_AFTER = 7 * 86_400.0  # seconds after which a table is deleted that waits for people and that nobody attends
ATTEND_PARTS = 10  # how often attendance is noted while a table that nobody attends stays in the lobby


class OpenTable(msgspec.Struct):
    """An open table that waits for people: its address, and when somebody was last there."""

    address: str
    attended: float  # time.monotonic


class Lobby:
    """What the lobby shows, and whose tables it has. Addresses are kept in memory alone, and only for this."""

    def __init__(self, store: Store, loaded: Mapping[str, LiveTable], config: Config) -> None:
        self.store, self.loaded, self.config = store, loaded, config
        self.attend_every = config.lobby_unattended / ATTEND_PARTS  # seconds between two calls of `tidy`
        self._open: dict[str, OpenTable] = {}
        self._cached = b""
        self._listed: list[tuple[lobby_protocol.LobbyTable, set[str | None]]] = []  # each with its people
        self._cached_until = 0.0  # time.monotonic
        self._refreshing = asyncio.Lock()

    # -------------------------------------------------------------- what it shows
    async def encoded(self, apart: Set[str] = frozenset()) -> bytes:
        """The lobby as JSON, at most `lobby_age` seconds old, without the tables of people in `apart`."""
        if time.monotonic() >= self._cached_until:
            async with self._refreshing:
                if time.monotonic() >= self._cached_until:  # it was not refreshed meanwhile
                    rows = await self.store.lobby(time.time() - self.config.lobby_unattended, MAX_SHOWN)
                    self._listed = [(self._info(row), {seat.player for seat in row.seats}) for row in rows]
                    self._cached = encode(lobby_protocol.Lobby(tables=[one for one, _ in self._listed]))
                    self._cached_until = time.monotonic() + self.config.lobby_age
        if any(apart & people for _, people in self._listed):
            return encode(lobby_protocol.Lobby(tables=[one for one, people in self._listed if not apart & people]))
        return self._cached

    def _info(self, row: TableRow) -> lobby_protocol.LobbyTable:
        table = self.loaded.get(row.id) or LiveTable(row, self.config)
        return lobby_protocol.LobbyTable(
            table=row.id, game=row.game, options=row.options, phase=row.phase,
            seats=seat_infos(table, table.over, seated=False), spectators=row.spectators, clock=row.clock,
            aids=row.aids, deal=row.deal,
        )  # fmt: skip

    # -------------------------------------------------------------- whose tables it has
    def need_share(self, address: str) -> None:
        """Refuse if an address has its share of open tables. The empty address has no limit."""
        taken = sum(one.address == address for name, one in self._open.items() if self._waits(name, one))
        if address and taken >= self.config.lobby_share:
            raise RequestRefused(Message("server.lobby.share", {"n": taken}), 429)

    def add(self, row: TableRow, address: str) -> None:
        """Count a new table, if it is open."""
        if row.visibility == "open":
            self._open[row.id] = OpenTable(address, time.monotonic())

    def _waits(self, name: str, one: OpenTable) -> bool:
        table = self.loaded.get(name)
        attended = time.monotonic() < one.attended + self.config.lobby_unattended
        return (table is None or table.phase == "gathering") and attended

    async def tidy(self) -> list[str]:
        """Store which tables are attended; delete those that nobody attended for long, and return their names."""
        now = time.monotonic()
        attended = [name for name, one in self.loaded.items() if one.phase == "gathering" and is_attended(one)]
        for name in attended:
            if name in self._open:
                self._open[name].attended = now
        self._open = {name: one for name, one in self._open.items() if self._waits(name, one)}
        await self.store.attend(attended)
        return await self.store.delete_unattended(time.time() - DELETE_AFTER)


def is_attended(table: LiveTable) -> bool:
    """Is somebody of this table connected to this process: on a seat, or its maker?"""
    return bool(table.presence.local()) or any(subscriber.is_maker for subscriber in table.subscribers)
